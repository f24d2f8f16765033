"""Leave from a first to a last day, as a ward file may say it, written out day by day.

This works on the file's plain data. A span that only partly lies in the period is cut to it; one that begins right after
the period's last day leaves its mark there, as no night may end on its first day.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from wavegraph.tools.roster.ward.faults import FieldAt, FileFault, date_expected, field_at

Row = dict[str, Any]
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Period:
    first: date
    last: date
    moved: bool
    """Whether it is not the file's own: rows outside it are left out then."""


@dataclass(frozen=True)
class WrittenOut:
    rows: list[Any]
    places: list[int]
    """Of each row, in the file."""
    faults: list[FileFault]


def write_out(data: Row, period: Period) -> WrittenOut:
    """The rows of the file's leave, each span as its days within the period."""
    pairs: list[tuple[int, Any]] = []
    faults: list[FileFault] = []
    for place, row in enumerate(data["leave"]):
        if not (isinstance(row, dict) and ("first" in row or "last" in row)):
            pairs.append((place, row))
        elif isinstance(span := _span(row, place, period), FileFault):
            faults.append(span)
        else:
            pairs += [(place, day) for day in _days(row, *span, period)]
    for place, row in enumerate(data["leave"]):
        pairs += [(place, eve) for eve in _eve(row, data, [known for _, known in pairs], period)]
    return WrittenOut([row for _, row in pairs], [place for place, _ in pairs], faults)


def _span(row: Row, place: int, period: Period) -> tuple[date, date] | FileFault:
    def at(field: str) -> FieldAt:
        return field_at("leave", place, field, owner=row["nurse"] if isinstance(row.get("nurse"), str) else None)

    if "day" in row:
        return FileFault(at("day"), row["day"], "either day, or first and last")
    first, last = (day_of(row.get(name)) for name in ("first", "last"))
    if first is None or last is None:
        name = "first" if first is None else "last"
        return FileFault(at(name), row.get(name), date_expected(row.get(name)))
    if last < first:
        return FileFault(at("last"), row["last"], f"a day from first on, which is {first}")
    if not period.moved and (last < period.first or first > period.last + ONE_DAY):
        expected = f"a span that has days from {period.first} to {period.last}"
        return FileFault(at("first"), row["first"], expected)
    return first, last


def day_of(text: Any) -> date | None:
    """The date that a text names, alone and written as 2026-11-23."""
    try:
        return date.fromisoformat(text) if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", str(text)) else None
    except (TypeError, ValueError):
        return None


def _days(row: Row, first: date, last: date, period: Period) -> Iterator[Row]:
    begins, ends = max(first, period.first), min(last, period.last)
    plain = {name: value for name, value in row.items() if name not in ("first", "last")}
    for ordinal in range(begins.toordinal(), ends.toordinal() + 1):
        yield plain | {"day": date.fromordinal(ordinal).isoformat()}


def _eve(row: Any, data: Row, known: list[Any], period: Period) -> Iterator[Row]:
    """The nights of the period's last day as what a nurse cannot work, where a span of leave begins on the next day."""
    nurse = row.get("nurse") if isinstance(row, dict) and row.get("shift") is None else None
    rules = data.get("rules")
    allowed = isinstance(rules, dict) and rules.get("night_before_leave")
    if nurse is None or allowed or day_of(row.get("first")) != period.last + ONE_DAY:
        return
    last = period.last.isoformat()
    taken = [*known, *(each for name in ("locked", "wishes") for each in _rows(data, name))]
    mine = [each for each in taken if isinstance(each, dict) and (each.get("nurse"), each.get("day")) == (nurse, last)]
    if not mine:
        yield from ({"nurse": nurse, "day": last, "shift": shift} for shift in _nights(data))


def _rows(data: Row, name: str) -> list[Any]:
    rows = data.get(name)
    return rows if isinstance(rows, list) else []


def _nights(data: Row) -> Iterator[str]:
    """The nights that end on the next day."""
    for shift in _rows(data, "shifts"):
        if isinstance(shift, dict) and shift.get("night") is True and isinstance(shift.get("id"), str):
            start = re.match(r"([0-9]{2}):([0-9]{2})", str(shift.get("start")))
            minutes = shift.get("minutes")
            if start and type(minutes) is int and int(start[1]) * 60 + int(start[2]) + minutes > 24 * 60:
                yield shift["id"]
