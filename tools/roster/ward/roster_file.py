"""A roster in a file: JSON (nurse id to one shift id or null per day) or CSV (a row a nurse, a column a day)."""

import csv
import io
import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
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
    """Read a roster of this ward from `.json` (a record with `roster`, and `start` if it says so) or `.csv`.

    `published`: an earlier roster, in which new nurses need no row.
    Raises `RosterError` with every fault: its row and column, what was there, what was expected.
    """
    path = Path(path)
    if faults := _ending(path, ".json", ".csv"):
        raise RosterError(path.name, faults)
    try:
        roster, faults = _from_json(path, ward) if path.suffix.lower() == ".json" else _from_csv(read_text(path), ward)
    except Unreadable as error:
        raise RosterError(path.name, [error.fault]) from None
    if faults := faults or (published_misfits if published else misfits)(ward, roster):
        raise RosterError(path.name, faults)
    return roster


def period_in_file(path: str | Path) -> tuple[date | None, int | None]:
    """The first day and number of days in a roster's file; None = it has none, or cannot be read."""
    path = Path(path)
    with suppress(Unreadable, ValueError, TypeError):
        if path.suffix.lower() == ".csv":
            header = next(csv.reader(io.StringIO(read_text(path), newline="")), [])[1:]
            return date.fromisoformat(header[0]) if header else None, len(header) or None
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


def _from_csv(text: str, ward: Ward) -> tuple[Roster, list[FileFault]]:
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        return {}, [FileFault("file", error_text(error), "comma-separated values")]
    header = ["nurse", *(ward.day(day).isoformat() for day in range(ward.days))]
    if not rows or rows[0] != header:
        return {}, _wrong_header(rows[0] if rows else [], header)
    return _csv_rows(rows[1:], len(header))


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
