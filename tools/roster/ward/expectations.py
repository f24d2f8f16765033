"""Pydantic's errors about a ward in plain words, each with the nurse, shift or day it belongs to."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from wavegraph.tools.roster.told import Line, Told, is_worded
from wavegraph.tools.roster.ward.faults import FieldAt, FileFault, date_expected, owner_of, wanted
from wavegraph.tools.roster.ward.in_file import WardInFile

ALIKE = 0.7
"""How much of two names is the same, from which on one may be a slip of the other."""
LIMITS = ("max_length", "min_length", "ge", "le")
"""What pydantic's errors may name."""


def faults_of(error: ValidationError, data: Any) -> list[FileFault]:
    """One fault for each of pydantic's, at a path of `data` with the id of the nurse or shift on the way."""
    return [_fault(detail, data) for detail in error.errors(include_url=False)]


def _fault(detail: ErrorDetails, data: Any) -> FileFault:
    kind, place = detail["type"], place_of(detail["loc"], data)
    if kind == "extra_forbidden":
        return FileFault(place, _value(detail["loc"], data, detail["input"]), _no_field(detail["loc"]))
    value = None if kind == "missing" else _value(detail["loc"], data, detail["input"])
    if kind.startswith("date_"):
        return FileFault(place, value, date_expected(value))
    return FileFault(place, value, _expected(detail))


def _expected(detail: ErrorDetails) -> Line:
    """Of a rule that no words are known of, pydantic's own."""
    ctx = detail.get("ctx", {})
    limit = next((ctx[name] for name in LIMITS if name in ctx), None)
    return (
        wanted(detail["type"], limit=limit, known=ctx.get("expected"))
        if is_worded(f"expected.{detail['type']}")
        else detail["msg"]
    )


def _no_field(path: Sequence[int | str]) -> Told:
    record = _record_at(path[:-1])
    fields = list(record.model_fields) if record else []
    there = wanted("fields_there", known=", ".join(fields)) if fields else ""
    return wanted("no_such_field", hint=did_you_mean(str(path[-1]), fields) or there)


def did_you_mean(name: str, known: Iterable[str]) -> Told | str:
    """A question about the known name that is most alike; empty where none is."""
    plain = {_plain(each): each for each in known}
    alike = get_close_matches(_plain(name), plain, n=1, cutoff=ALIKE)
    return wanted("did_you_mean", name=plain[alike[0]]) if alike else ""


def _plain(name: str) -> str:
    return name.casefold().replace(" ", "_").replace("-", "_")


def _record_at(path: Sequence[int | str]) -> type[BaseModel] | None:
    """The kind of record at a place of a ward's file."""
    record: type[BaseModel] | None = WardInFile
    for step in path:
        if record is not None and isinstance(step, str) and step in record.model_fields:
            record = _record_in(record.model_fields[step].annotation)
    return record


def _record_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _record_in(part))), None)


def _value(path: Sequence[int | str], data: Any, fallback: Any) -> Any:
    """The file's value at this path; where pydantic refuses a key, its input is that key."""
    for step in path:
        data = _inside(data, step)
    return fallback if data is None else data


def place_of(path: Sequence[int | str], data: Any) -> FieldAt:
    """With the id of the nurse or shift that it is of."""
    owner = None
    for step in path:
        data = _inside(data, step)
        if owner is None and isinstance(step, int) and isinstance(data, dict):
            owner = owner_of(data)
    return FieldAt(tuple(step for step in path if step != "[key]"), owner)


def _inside(data: Any, step: int | str) -> Any:
    try:
        return data[step]
    except (KeyError, IndexError, TypeError):
        return None
