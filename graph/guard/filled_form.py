"""Holds a filled-in form against what the answer was written from: no number or figure of it is a model's own."""

from collections.abc import Iterator, Mapping
from typing import Any

from wavegraph.graph.domain import Domain
from wavegraph.graph.guard.stated import plain, stated_in
from wavegraph.graph.guard.union_check import Known, is_borne, known_by
from wavegraph.graph.ledger import results
from wavegraph.graph.references.shapes import Schema, records
from wavegraph.graph.views import AnswerView

MOST_MARKS = 10
"""Whole numbers up to this are marks, ranks and small counts, which a model gives of itself."""


def unheld(domain: Domain, schema: Schema, form: Any, answer: str, view: AnswerView) -> list[str]:
    """The numbers of a form (JSON), and its texts that state a figure, a date or a code, which stand neither in the answer nor
    in its sources; each with its place. What the schema itself offers is nobody's claim."""
    known = known_by(domain, view)
    known.told.append(answer)
    data = [outcome["data"] for outcome in results(view.ledger).values()]
    lengths = {len(each) for each in _lists([form, *data])}
    offered = list(_offered(schema))
    leaves = ((place, value) for place, value in _leaves("", form) if value not in offered)
    return [f"{place or 'it'}: {value!r}" for place, value in leaves if not _is_held(value, known, lengths)]


def _is_held(value: Any, known: Known, lengths: set[int]) -> bool:
    if isinstance(value, str):
        return plain(value) in known.codes or all(is_borne(each, known) for each in stated_in(value, names=False))
    if 0 <= value <= 1 or (isinstance(value, int) and 0 <= value <= MOST_MARKS):  # a judgement: confidence, a score
        return True
    return value in lengths or abs(value) in known.of("number") | known.of("share") or abs(value) in _parts(known)


def _parts(known: Known) -> set[int]:
    """The numbers that days and times of the sources are written in."""
    of_days = {part for day in known.days for part in (day.year, day.month, day.day)}
    return of_days | {part for each in known.of("time") if isinstance(each, int) for part in divmod(each, 60)}


def _leaves(place: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Numbers and texts, each with where it stands."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _leaves(f"{place}.{name}" if place else str(name), part)
    elif isinstance(value, list):
        for n, part in enumerate(value):
            yield from _leaves(f"{place}[{n}]", part)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield place, value


def _lists(value: Any) -> Iterator[list[Any]]:
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    if isinstance(value, list):
        yield value
    for part in parts:
        yield from _lists(part)


def _offered(schema: Schema) -> Iterator[Any]:
    """The values that a schema names: choices, constants, defaults."""
    for part in records(schema):
        yield from (value for name in ("const", "default") if (value := part.get(name)) is not None)
        yield from part.get("enum", ())
