"""A roster in a file: JSON (nurse id to one shift id or null per day), CSV or an Excel workbook (a row a nurse, a column a
day)."""

import csv
import io
import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from wavegraph.graph.secrets.ways_out import error_text
from wavegraph.tools.roster.ward.faults import FileFault, RosterError
from wavegraph.tools.roster.ward.plain_data import Unreadable, read_data, read_text
from wavegraph.tools.roster.ward.roster_fit import misfits, published_misfits
from wavegraph.tools.roster.ward.ward import Roster, Ward


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
    if faults := _ending(path, *_READERS):
        raise RosterError(path.name, faults)
    try:
        roster, faults = _READERS[path.suffix.lower()](path, ward)
    except Unreadable as error:
        raise RosterError(path.name, [error.fault]) from None
    if faults := faults or (published_misfits if published else misfits)(ward, roster):
        raise RosterError(path.name, faults)
    return roster


def period_in_file(path: str | Path) -> tuple[date | None, int | None]:
    """The first day and number of days in a roster's file; None = it has none, or cannot be read."""
    path = Path(path)
    with suppress(Unreadable, ValueError, TypeError):
        if path.suffix.lower() in (".csv", ".xlsx"):
            dates = _days_of_csv(read_text(path)) if path.suffix.lower() == ".csv" else _days_of_workbook(path)
            return (dates[0], len(dates)) if dates else (None, None)
        data = read_data(path)
        start, days = (data.get("start"), data.get("days")) if isinstance(data, dict) else (None, None)
        return date.fromisoformat(start) if start else None, days if type(days) is int else None
    return None, None


def _ending(path: Path, *endings: str) -> list[FileFault]:
    known = path.suffix.lower() in endings
    return [] if known else [FileFault("file name", path.suffix, f"one of {', '.join(endings)}")]


def _from_json(path: Path, ward: Ward) -> tuple[Roster, list[FileFault]]:
    data = read_data(path)
    if not isinstance(data, dict):
        return {}, [FileFault("file", data, "a record with the field `roster`")]
    faults = _other_days(data, ward)
    roster = data.get("roster")
    if not isinstance(roster, dict):
        return {}, [
            *faults,
            FileFault("roster", roster, "a record of nurse ids, each with a list of shift ids or null"),
        ]
    return roster, [*faults, *(fault for name, row in roster.items() for fault in _no_row(name, row))]


def _other_days(data: dict[str, Any], ward: Ward) -> list[FileFault]:
    own = {"start": ward.start.isoformat(), "days": ward.days}
    return [
        FileFault(name, data[name], f"{value}, as the ward has it")
        for name, value in own.items()
        if name in data and data[name] != value
    ]


def _no_row(name: str, row: Any) -> list[FileFault]:
    if not isinstance(row, list):
        return [FileFault(f"roster.{name}", row, "a list of shift ids or null, one a day")]
    cells = [(day, cell) for day, cell in enumerate(row) if not (cell is None or isinstance(cell, str))]
    return [FileFault(f"roster.{name}[{day}]", cell, "a shift id or null") for day, cell in cells]


def _from_workbook(path: Path, ward: Ward) -> tuple[Roster, list[FileFault]]:
    from wavegraph.tools.roster.ward.workbook.read import read_grid  # openpyxl is slow to import

    return read_grid(path, "Roster", ward.start, ward.days, set(ward.shift_by_id))


def _days_of_workbook(path: Path) -> list[date]:
    from wavegraph.tools.roster.ward.workbook.read import grid_period

    return grid_period(path, "Roster")


def _from_csv(path: Path, ward: Ward) -> tuple[Roster, list[FileFault]]:
    text = read_text(path)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=_delimiter(text)))
    except csv.Error as error:
        return {}, [FileFault("file", error_text(error), "comma-separated values")]
    while rows and not any(cell.strip() for cell in rows[-1]):
        rows.pop()
    header = ["nurse", *(ward.day(day).isoformat() for day in range(ward.days))]
    if not rows or not _is_header(rows[0], header):
        return {}, _wrong_header(rows[0] if rows else [], header)
    return _csv_rows(rows[1:], len(header))


def _delimiter(text: str) -> str:
    """What stands most often in the first line, of a comma, a semicolon and a tab."""
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def _is_header(found: list[str], header: list[str]) -> bool:
    """Whether the days are the ward's, in any of the orders of day and month that all of them allow."""
    if len(found) != len(header) or found[0].strip().casefold() != "nurse":
        return False
    days = [date.fromisoformat(day) for day in header[1:]]
    return all(day in _dates(cell) for cell, day in zip(found[1:], days, strict=True))


def _dates(cell: str) -> list[date]:
    from wavegraph.tools.roster.ward.workbook.kinds import dates_of

    return dates_of(cell)


def _days_of_csv(text: str) -> list[date]:
    """The header's days; where day and month may be swapped, as they follow each other."""
    header = next(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text)), [])[1:]
    cells = [_dates(cell) for cell in header]
    for first in cells[0] if cells else []:
        days = [first + timedelta(days=n) for n in range(len(cells))]
        if all(day in found for day, found in zip(days, cells, strict=True)):
            return days
    return []


def _wrong_header(found: list[str], header: list[str]) -> list[FileFault]:
    if len(found) != len(header):
        return [FileFault("line 1", f"{len(found)} columns", f"nurse and the {len(header) - 1} days from {header[1]}")]
    pairs = enumerate(zip(found, header, strict=True), start=1)
    return [
        FileFault(f"line 1, column {place}", cell, expected) for place, (cell, expected) in pairs if cell != expected
    ]


def _csv_rows(rows: list[list[str]], columns: int) -> tuple[Roster, list[FileFault]]:
    roster: Roster = {}
    faults = []
    for line, row in enumerate(rows, start=2):
        if not row:
            continue
        if len(row) != columns:
            faults.append(FileFault(f"line {line} ({row[0]})", f"{len(row)} cells", f"{columns} cells"))
        elif row[0] in roster:
            faults.append(FileFault(f"line {line}", row[0], "one row a nurse"))
        roster[row[0]] = [cell.strip() or None for cell in row[1:]]
    return roster, faults


_READERS = {".json": _from_json, ".csv": _from_csv, ".xlsx": _from_workbook}
