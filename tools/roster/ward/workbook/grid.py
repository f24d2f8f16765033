"""A table with a row for each nurse and a column for each day: of a sheet, or of comma-separated values."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise
from re import fullmatch
from typing import Any

from wavegraph.tools.roster.ward.faults import FileFault, Spot, wanted
from wavegraph.tools.roster.ward.workbook import kinds

HEADER_ROWS = 10
"""Rows in which the titles of a table are looked for: some put a heading above them."""
NURSE = "nurse"
"""The title of the column with their ids."""
BESIDE_DAYS = ("name", "hours", "of", "nights", "weekends")
"""Titles of columns of a roster that hold no day."""
Rows = Sequence[Sequence[Any]]
"""Of equal length; None = an empty cell."""
At = Callable[[int, int | None], Spot]
"""A row, or a cell, by their places from 0."""


@dataclass
class Grid:
    rows: dict[str, dict[int, Any]] = field(default_factory=dict)
    """By nurse, the cells that are not empty by day."""
    columns: dict[int, int] = field(default_factory=dict)
    """The place of each day's column."""
    lines: dict[str, int] = field(default_factory=dict)
    """The place of each nurse's row."""
    top: int = 0
    """The place of the row of titles."""
    faults: list[FileFault] = field(default_factory=list)


def folded(title: Any) -> str:
    return " ".join(str(title).replace("*", " ").casefold().split())


def read_grid(rows: Rows, at: At, first: date | None, days: int, *, before: bool = False) -> Grid:
    """The cells of `days` days from `first`. `before`: of the days before it, which are below 0."""
    cells = ((top, own) for top, row in enumerate(rows[:HEADER_ROWS]) for own in range(len(row)))
    top, own = next(((top, own) for top, own in cells if folded(rows[top][own]) == NURSE), (None, 0))
    if top is None:
        return Grid(faults=list(_no_titles(rows, at)))
    grid = Grid(top=top)
    asked = range(-days, 0) if before else range(days)
    of_period = wanted("day_before" if before else "day_of_period", days=days, first=first)
    for place, index in enumerate(_indices(rows[top], first, asked)):
        title, is_used = rows[top][place], any(row[place] is not None for row in rows[top + 1 :])
        if place == own or folded(title) in BESIDE_DAYS:
            continue
        if index is not None and index not in grid.columns:
            grid.columns[index] = place
        elif is_used:
            expected = of_period if index is None else wanted("day_once")
            grid.faults.append(FileFault(at(top, place), None if title is None else kinds.shown(title), expected))
    for line in range(top + 1, len(rows)):
        _read_row(grid, rows[line], line, own, at)
    return grid


def _read_row(grid: Grid, row: Sequence[Any], line: int, own: int, at: At) -> None:
    cells = {day: row[place] for day, place in grid.columns.items() if row[place] is not None}
    if row[own] is None:
        if cells:
            grid.faults.append(FileFault(at(line, own), None, wanted("id_of_row")))
        return
    nurse = kinds.word(row[own])
    if nurse in grid.rows:
        grid.faults.append(FileFault(at(line, own), nurse, wanted("row_once")))
    grid.rows[nurse], grid.lines[nurse] = cells, line


def _no_titles(rows: Rows, at: At) -> Iterator[FileFault]:
    """What is missing: the title above the ids, where there is a row with days, or that row."""
    if (top := _row_of_days(rows)) is not None:
        own = next((place for place, title in enumerate(rows[top]) if not kinds.dates_of(title)), 0)
        yield FileFault(at(top, own), rows[top][own], wanted("title_of_ids", title=NURSE))
    elif any(title is not None for row in rows for title in row):
        yield FileFault(at(0, None), None, wanted("row_of_days", title=NURSE.capitalize()))


def _row_of_days(rows: Rows) -> int | None:
    counts = [sum(bool(kinds.dates_of(title)) for title in row) for row in rows[:HEADER_ROWS]]
    return counts.index(max(counts)) if any(counts) else None


def _readings(titles: Sequence[Any]) -> list[list[date | None]]:
    """The days of the titles with the day before the month, and the other way round: one file has one order."""
    found = [kinds.dates_of(title) for title in titles]
    return [[each[place] if each else None for each in found] for place in (0, -1)]


def _in_a_row(days: Sequence[date | None]) -> int:
    return sum(one is not None and next_ == one + timedelta(days=1) for one, next_ in pairwise(days))


def _indices(titles: Sequence[Any], first: date | None, wanted: range) -> list[int | None]:
    """The index of the day that each column is for: -7, or a date, in the order that fits the wanted days best."""

    def placed(day: date | None) -> int | None:
        index = None if day is None or first is None else (day - first).days
        return index if index in wanted else None

    ways = [([placed(day) for day in days], _in_a_row(days)) for days in _readings(titles)]
    best, _ = max(ways, key=lambda way: (len({*way[0]} - {None}), way[1]))
    counted = [_counted(title) if wanted.start < 0 else None for title in titles]
    return [each if own is None else own for own, each in zip(counted, best, strict=True)]


def _counted(title: Any) -> int | None:
    """`-7`: a week before the first day."""
    said = str(title).strip() if isinstance(title, int | float | str) else ""
    return int(float(said)) if fullmatch(r"-([1-9]|1[0-9]|2[0-8])(\.0)?", said) else None


def period_of(rows: Rows) -> tuple[date | None, int | None]:
    """The first day, and the number of days up to the last one, in the order of day and month that keeps them closest;
    None = there are none, or both orders do."""
    top = _row_of_days(rows)
    if top is None:
        return None, None
    ways = [(_in_a_row(days), [day for day in days if day]) for days in _readings(rows[top])]
    spans = [((max(days) - min(days)).days + 1, -joined, min(days)) for joined, days in ways]
    length, joined, first = min(spans)
    if any(span[:2] == (length, joined) and span[2] != first for span in spans):
        return None, None
    return first, length
