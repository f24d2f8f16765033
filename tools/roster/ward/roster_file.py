"""A roster in a file: JSON (nurse id to one shift id or null per day), CSV or an Excel workbook (a row a nurse, a column a
day)."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import zip_longest
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from wavegraph.graph.errors import error_text
from wavegraph.tools.roster.ward.expectations import faults_of
from wavegraph.tools.roster.ward.faults import FieldAt, FieldPath, FileFault, RosterError, Spot, field_at, wanted
from wavegraph.tools.roster.ward.file import read_ward
from wavegraph.tools.roster.ward.period import USUAL_DAYS
from wavegraph.tools.roster.ward.plain_data import Unreadable, read_data, read_text, require_ending
from wavegraph.tools.roster.ward.roster_fit import misfits
from wavegraph.tools.roster.ward.ward import Roster, Ward
from wavegraph.tools.roster.ward.workbook import kinds
from wavegraph.tools.roster.ward.workbook.grid import HEADER_ROWS, At, Grid, Rows, period_of, read_grid

SHEET = "Roster"


@dataclass
class _Read:
    roster: Roster = field(default_factory=dict)
    faults: list[FileFault] = field(default_factory=list)
    places: dict[FieldPath, Spot] = field(default_factory=dict)
    """Where each nurse's row and each of her days stand, by the path of a misfit."""

    def placed(self, misfit: FileFault) -> FileFault:
        match misfit.place:
            case FieldAt((str(nurse), *_) as path) if path in self.places:
                return replace(misfit, place=replace(self.places[path], owner=nurse))
        return misfit


def roster_json(ward: Ward, roster: Roster, about: Mapping[str, Any] | None = None) -> str:
    """The roster and its period, one nurse a line. `about`: further fields."""
    fields = {"ward": ward.name, "start": ward.start.isoformat(), "days": ward.days, **(about or {})}
    head = "".join(f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in fields.items())
    rows = ",\n".join(f"    {json.dumps(nurse.id)}: {json.dumps(roster[nurse.id])}" for nurse in ward.nurses)
    return f'{{\n{head}  "roster": {{\n{rows}\n  }}\n}}\n'


def roster_csv(ward: Ward, roster: Roster) -> str:
    """Header `nurse` and the ISO dates; an empty cell is a day off."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["nurse", *(ward.day(day).isoformat() for day in range(ward.days))])
    writer.writerows([nurse.id, *(cell or "" for cell in roster[nurse.id])] for nurse in ward.nurses)
    return text.getvalue()


def read_roster(path: str | Path, ward: Ward, *, published: bool = False) -> Roster:
    """Read a roster of this ward from `.json` (a record with `roster`, and `start` if it says so), `.csv`, with commas,
    semicolons or tabs, or the sheet Roster of an `.xlsx`.

    `published`: an earlier roster, in which new nurses need no row.
    Raises `RosterError` with every fault: its row and column, what was there, what was expected.
    """
    path = Path(path)
    try:
        require_ending(path, tuple(_READERS))
        read = _READERS[path.suffix.lower()](path, ward)
    except Unreadable as error:
        raise RosterError(path.name, [error.fault]) from None
    if faults := read.faults or [read.placed(fault) for fault in misfits(ward, read.roster, published=published)]:
        raise RosterError(path.name, faults)
    return read.roster


def read_with_ward(file: Path, ward_file: Path, start: date | None, days: int | None) -> tuple[Ward, Roster]:
    """A roster and its ward for its days: those that are asked for, else the ward's own, else the roster's.

    Raises `RosterError`, with the days to ask for where they are others than the ward's, and `WardError`.
    """
    first, length = period_in_file(file)
    ward = read_ward(ward_file, start=start, days=days, otherwise=first, usual=length or USUAL_DAYS)
    try:
        return ward, read_roster(file, ward)
    except RosterError as error:
        other = _other_period(first, length, ward)
        is_of_other_days = bool(other) and first != ward.start  # then each of its days is a fault
        raise RosterError(file.name, other if is_of_other_days else [*other, *error.faults]) from None


def _other_period(first: date | None, length: int | None, ward: Ward) -> list[FileFault]:
    if first is None or (first, length or ward.days) == (ward.start, ward.days):
        return []
    asked = f"--start {first}" + (f" --days {length}" if length else "")
    found = wanted("days_from" if length else "some_days_from", days=length, first=first)
    expected = wanted("other_period", days=ward.days, first=ward.start, asked=asked)
    return [FileFault(field_at("days"), found, expected)]


def period_in_file(path: str | Path) -> tuple[date | None, int | None]:
    """The first day and number of days in a roster's file; None = it says none. Raises `RosterError` for one that cannot be
    read."""
    path = Path(path)
    try:
        require_ending(path, tuple(_READERS))
        return _period(path)
    except Unreadable as error:
        raise RosterError(path.name, [error.fault]) from None


def _period(path: Path) -> tuple[date | None, int | None]:
    if path.suffix.lower() == ".csv":
        return period_of(_lines_of_csv(path)[0])
    if path.suffix.lower() == ".xlsx":
        return period_of(_rows_of_workbook(path)[0])
    try:
        about = _RosterInFile.model_validate(read_data(path) | {"roster": {}})
    except (TypeError, ValidationError):
        return None, None
    return about.start, about.days


class _RosterInFile(BaseModel):
    """Of JSON; further fields are passed over."""

    start: date | None = None
    days: int | None = None
    roster: Roster


def _from_json(path: Path, ward: Ward) -> _Read:
    data = read_data(path)
    try:
        record = _RosterInFile.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        return _Read(faults=faults_of(error, data))
    own = {"start": (record.start, ward.start), "days": (record.days, ward.days)}
    wrong = {name: value for name, (found, value) in own.items() if found not in (None, value)}
    others = [
        FileFault(field_at(name), data[name], wanted("as_the_ward", value=str(value))) for name, value in wrong.items()
    ]
    return _Read(record.roster, others)


def _from_workbook(path: Path, ward: Ward) -> _Read:
    from wavegraph.tools.roster.ward.workbook.read import place_in

    rows, faults = _rows_of_workbook(path)
    read = _Read() if faults else _of_grid(rows, place_in(SHEET), ward)
    read.faults[:0] = faults
    return read


def _rows_of_workbook(path: Path) -> tuple[Rows, list[FileFault]]:
    from wavegraph.tools.roster.ward.workbook.read import sheet_of_days  # openpyxl is slow to import

    return sheet_of_days(path, SHEET)


def _from_csv(path: Path, ward: Ward) -> _Read:
    rows, lengths = _lines_of_csv(path)

    def at(row: int, column: int | None) -> Spot:
        return Spot(None, row + 1, None if column is None else column + 1)

    return _of_grid(rows, at, ward, lengths)


def _lines_of_csv(path: Path) -> tuple[Rows, list[int]]:
    """As many cells in each line, None = an empty one; and how many the file has in each. Raises `Unreadable`."""
    text = read_text(path)
    first = "".join(text.splitlines(keepends=True)[:HEADER_ROWS])
    sign = max(",;\t", key=first.count)  # what stands there most often parts the cells
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=sign)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise Unreadable(FileFault(Spot(None, reader.line_num), error_text(error), wanted("csv"))) from None
    columns = zip_longest(*([cell.strip() or None for cell in row] for row in rows))
    return list(zip(*columns, strict=True)), [len(row) for row in rows]


def _of_grid(rows: Rows, at: At, ward: Ward, lengths: Sequence[int] = ()) -> _Read:
    """`lengths`: the cells that each line of a file has, which may end before the last day."""
    if not rows:
        return _Read(faults=[FileFault(field_at(), None, wanted("line_of_days"))])
    grid = read_grid(rows, at, ward.start, ward.days)
    read = _Read(faults=grid.faults)
    missing = [ward.day(day) for day in range(ward.days) if day not in grid.columns]
    if missing and not grid.faults:
        read.faults.append(FileFault(at(grid.top, None), None, wanted("column_of_day", day=missing[0])))
    for nurse, cells in grid.rows.items():
        row = {day: kinds.shift(cell, ward.shift_by_id) for day, cell in cells.items()}
        read.roster[nurse] = [row.get(day) for day in range(ward.days)]
        read.faults += _too_short(nurse, grid, at, lengths)
        line = grid.lines[nurse]
        read.places[nurse,] = at(line, None)
        read.places |= {(nurse, ward.day(day)): at(line, grid.columns[day]) for day in row}
    return read


def _too_short(nurse: str, grid: Grid, at: At, lengths: Sequence[int]) -> list[FileFault]:
    line, needed = grid.lines[nurse], max(grid.columns.values(), default=0) + 1
    if not lengths or lengths[line] >= needed:
        return []
    return [
        FileFault(replace(at(line, None), owner=nurse), wanted("cells", n=lengths[line]), wanted("cells", n=needed))
    ]


_READERS = {".json": _from_json, ".csv": _from_csv, ".xlsx": _from_workbook}
