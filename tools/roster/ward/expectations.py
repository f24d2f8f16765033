"""Pydantic's errors about a ward in plain words, each with the nurse, shift or day it belongs to."""

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.ward.faults import FieldAt, FileFault, date_expected, owner_of
from wavegraph.tools.roster.ward.in_file import WardInFile

ALIKE = 0.7
"""How much of two names is the same, from which on one may be a slip of the other."""
Words = Callable[[dict[str, Any]], str]

WORDS: dict[str, Words] = {
    "missing": lambda ctx: "a value: the field is required",
    "int_type": lambda ctx: "a whole number",
    "int_from_float": lambda ctx: "a whole number",
    "float_type": lambda ctx: "a number",
    "finite_number": lambda ctx: "a number",
    "bool_type": lambda ctx: "true or false",
    "string_type": lambda ctx: "a text (write a number in quotes to mean a text)",
    "string_too_short": lambda ctx: "a text that is not empty",
    "string_too_long": lambda ctx: f"at most {ctx['max_length']} characters",
    "string_pattern_mismatch": lambda ctx: "an id without spaces, control characters and , ; | =",
    "literal_error": lambda ctx: f"one of {ctx['expected']}",
    "list_type": lambda ctx: "a list",
    "dict_type": lambda ctx: "a record of fields and values",
    "model_type": lambda ctx: "a record of fields and values",
    "too_short": lambda ctx: f"at least {ctx['min_length']} in the list",
    "too_long": lambda ctx: f"at most {ctx['max_length']} in the list",
    "greater_than_equal": lambda ctx: f"at least {decimal(ctx['ge'])}",
    "less_than_equal": lambda ctx: f"at most {decimal(ctx['le'])}",
    "time_type": lambda ctx: "a clock time such as 07:00, as a text",
    "time_parsing": lambda ctx: "a clock time such as 07:00",
}


def faults_of(error: ValidationError, data: Any) -> list[FileFault]:
    """One fault for each of pydantic's, at a path of `data` with the id of the nurse or shift on the way."""
    return [_fault(detail, data) for detail in error.errors(include_url=False)]


def _fault(detail: ErrorDetails, data: Any) -> FileFault:
    kind, place = detail["type"], place_of(detail["loc"], data)
    words = WORDS.get(kind)
    if kind == "extra_forbidden":
        return FileFault(place, _value(detail["loc"], data, detail["input"]), _no_field(detail["loc"]))
    value = None if kind == "missing" else _value(detail["loc"], data, detail["input"])
    if kind.startswith("date_"):
        return FileFault(place, value, date_expected(value))
    return FileFault(place, value, words(detail.get("ctx", {})) if words else detail["msg"])


def _no_field(path: Sequence[int | str]) -> str:
    record = _record_at(path[:-1])
    fields = list(record.model_fields) if record else []
    there = f"; there are {', '.join(fields)}" if fields else ""
    return f"no field of this name{did_you_mean(str(path[-1]), fields) or there}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question about the known name that is most alike; empty where none is."""
    plain = {_plain(each): each for each in known}
    alike = get_close_matches(_plain(name), plain, n=1, cutoff=ALIKE)
    return f"; did you mean {plain[alike[0]]}?" if alike else ""


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
