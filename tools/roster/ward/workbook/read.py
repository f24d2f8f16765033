"""A filled workbook as the plain data of a ward, and every fault with its sheet, cell and remedy."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from wavegraph.tools.roster.ward.faults import FieldAt, FieldPath, FileFault, Records, Spot
from wavegraph.tools.roster.ward.period import BY_WEEKDAYS
from wavegraph.tools.roster.ward.workbook import kinds
from wavegraph.tools.roster.ward.workbook.grid import HEADER_ROWS, At, Grid, Rows, folded, read_grid
from wavegraph.tools.roster.ward.workbook.kinds import BadCell
from wavegraph.tools.roster.ward.workbook.safe_file import MOST_COLUMNS, MOST_ROWS, calculated, open_workbook
from wavegraph.tools.roster.ward.workbook.sheets import (
    BEFORE,
    CONTRACTS,
    OPTIONAL,
    OWN,
    PUBLISHED,
    REQUIRED,
    TABLES,
    VALUES,
    Column,
    Table,
    Values,
)  # isort: skip
from wavegraph.tools.roster.ward.workbook.unread import cells_of, unread

_ESCAPED = re.compile(r"_x([0-9A-F]{4})_")


@dataclass
class ReadWorkbook:
    """What a workbook says."""

    data: dict[str, Any] = field(default_factory=dict)
    spots: dict[FieldPath, Spot] = field(default_factory=dict)
    """Where each field of the data stands."""
    faults: list[FileFault] = field(default_factory=list)
    incomplete: set[str] = field(default_factory=set)
    """Sheets that are missing, or of which a row was left out because of a fault."""

    def all_faults(self, of_data: list[FileFault]) -> list[FileFault]:
        """The faults of cells, then those of the data with the cells they come from; what follows from a sheet or cell that
        could not be read, or from an id, is left out."""
        broken = {name.casefold() for name in self.incomplete} | {_records_of_id(fault) for fault in of_data}
        found = [self._placed(fault) for fault in of_data]
        if any(isinstance(fault.place, Spot) and fault.place.sheet == "Ward" for fault in self.faults):
            found = []
        elif self.faults:
            found = [fault for fault in found if isinstance(fault.place, Spot)]
        told = [fault for fault in [*self.faults, *found] if fault.asks not in broken]
        return list({(each.place, repr(each.value), each.expected, each.same_as): each for each in told}.values())

    def _placed(self, fault: FileFault) -> FileFault:
        place, same_as = fault.place, fault.same_as
        if isinstance(place, FieldAt) and (spot := self._spot(place.path)):
            place = replace(spot, owner=place.owner)
        if isinstance(same_as, FieldAt):
            same_as = self._spot(same_as.path) or same_as
        return replace(fault, place=place, same_as=same_as)

    def _spot(self, path: FieldPath) -> Spot | None:
        while path and path not in self.spots:
            path = path[:-1]
        return self.spots.get(path)


def _records_of_id(fault: FileFault) -> str:
    """The records of which an id is bad, or has been given to two; empty = it is about no id."""
    match fault.place:
        case FieldAt((str(records), int()) | (str(records), int(), "id")):
            return records
    return ""


def read_workbook(path: Path) -> ReadWorkbook:
    """The data of a ward, with a fault for each cell that cannot be read. Raises `Unreadable` for what is no workbook."""
    reader = _Reader(path)
    reader.read()
    return reader.read_so_far


def sheet_of_days(path: Path, sheet: str) -> tuple[Rows, list[FileFault]]:
    """The cells of a sheet with a row for each nurse and a column for each day. Raises `Unreadable`."""
    reader = _Reader(path)
    if sheet not in reader.sheets:
        return [], [FileFault(Spot(sheet), None, f"a sheet with a roster; there are {', '.join(reader.names)}")]
    return reader.rows(sheet), reader.read_so_far.faults


def place_in(sheet: str) -> At:
    """The places of a sheet."""
    return lambda row, column: Spot(sheet, row + 1, None if column is None else column + 1)


class _Reader:
    def __init__(self, path: Path) -> None:
        self._file = path
        self._book: Workbook = open_workbook(path)
        self.read_so_far = ReadWorkbook()
        self.names = [sheet.title for sheet in self._book.worksheets]
        self.sheets: dict[str, Worksheet] = {}
        for sheet in self._book.worksheets:
            self.sheets.setdefault(_known(sheet.title), sheet)
        self._first: date | None = None
        self._days = 0

    @cached_property
    def _results(self) -> Workbook:
        return calculated(self._file)

    def read(self) -> None:
        self._unread_sheets()
        contracts: dict[str, tuple[dict[str, Any], dict[FieldPath, Spot]]] = {}
        for values in VALUES:
            self._values(values)
        self._period()
        for table in TABLES:
            if table is CONTRACTS:
                contracts = self._contracts()
            else:
                self._table(table)
        self._give_contracts(contracts)
        self._history()
        self._published()

    # sheets

    def _unread_sheets(self) -> None:
        known = {name: sheet for name, sheet in self.sheets.items() if name in (*REQUIRED, *OPTIONAL, *OWN)}
        others = {sheet.title: cells_of(sheet) for sheet in self._book.worksheets if sheet not in known.values()}
        found = unread(others, known)
        self.read_so_far.incomplete |= found.missing
        self.read_so_far.faults += found.faults

    def rows(self, name: str) -> list[list[Any]]:
        """The values of a sheet, merged cells filled, without empty rows at the end."""
        sheet = self.sheets[name]
        most_row, most_column = min(sheet.max_row, MOST_ROWS), min(sheet.max_column, MOST_COLUMNS)
        if sheet.max_row > MOST_ROWS or sheet.max_column > MOST_COLUMNS:
            size = f"{sheet.max_row} rows, {sheet.max_column} columns"
            self._fault(Spot(name), size, f"at most {MOST_ROWS} and {MOST_COLUMNS}: delete those that are empty")
        rows = [[self._value(cell) for cell in row] for row in sheet.iter_rows(max_row=most_row, max_col=most_column)]
        for merged in sheet.merged_cells.ranges:
            for row in range(merged.min_row, min(merged.max_row, most_row) + 1):
                for column in range(merged.min_col, min(merged.max_col, most_column) + 1):
                    rows[row - 1][column - 1] = rows[merged.min_row - 1][merged.min_col - 1]
        while rows and all(value is None for value in rows[-1]):
            rows.pop()
        return rows

    def _value(self, cell: Cell | MergedCell) -> Any:
        value = cell.value
        if isinstance(cell, MergedCell) or value is None:
            return None
        if cell.data_type == "f":
            found = self._results[cell.parent.title][cell.coordinate].value
            if found is None:
                self._fault(
                    Spot(_known(cell.parent.title), cell.row, cell.column),
                    str(value), "a value: open the file in a spreadsheet program and save it, or type the value",
                )  # fmt: skip
            return found
        if isinstance(value, str):
            value = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value)
            return value if value.strip() else None
        return value

    # a record, line by line

    def _values(self, values: Values) -> None:
        if values.name not in self.sheets:
            return
        by_title = {folded(column.title): column for column in values.columns}
        seen: dict[str, int] = {}
        for number, row in enumerate(self.rows(values.name), start=1):
            title, value = row[0], row[1] if len(row) > 1 else None
            if title is None or (folded(title) == "field" and folded(value) == "value"):
                continue
            spot = Spot(values.name, number, 2)
            column = by_title.get(folded(title))
            if column is None:
                hint = _did_you_mean(str(title), [each.title for each in values.columns])
                self._fault(Spot(values.name, number, 1), title, f"a field of this sheet{hint}")
            elif folded(title) in seen:
                self._fault(spot, title, f"each field once; row {seen[folded(title)]} has it too")
            else:
                seen[folded(title)] = number
                self._set(self.read_so_far.data, (*values.path, *column.path), column, value, spot)
        for column in values.columns:
            if (
                column.required
                and column.path != ("start",)
                and _inside(self.read_so_far.data, (*values.path, *column.path)) is None
            ):
                self._missing(values.name, column)

    def _missing(self, sheet: str, column: Column) -> None:
        if not any(isinstance(fault.place, Spot) and fault.place.sheet == sheet for fault in self.read_so_far.faults):
            self._fault(Spot(sheet), None, f"a value for {column.title}")

    def _period(self) -> None:
        data = self.read_so_far.data
        start, days = data.get("start"), data.get("days")
        self._first = date.fromisoformat(start) if start else None
        self._days = days if isinstance(days, int) else 366
        if isinstance(data.get("published"), dict) and PUBLISHED not in self.sheets:
            del data["published"]

    # a table

    def _header(self, name: str, columns: tuple[Column, ...], rows: list[list[Any]]) -> tuple[int, dict[int, Column]]:
        """The row of the titles, from 0, and the columns by their place."""
        by_title = {folded(column.title): column for column in columns}
        scored = [sum(folded(value) in by_title for value in row) for row in rows[:HEADER_ROWS]]
        if not any(scored):
            if rows:
                self._fault(Spot(name), None, f"a row of titles: {', '.join(each.title for each in columns)}")
            return len(rows), {}
        top = scored.index(max(scored))
        found: dict[int, Column] = {}
        for place, title in enumerate(rows[top]):
            column = by_title.get(folded(title))
            if column is not None and column not in found.values():
                found[place] = column
            elif title is not None and any(row[place] is not None for row in rows[top + 1 :]):
                left = [each.title for each in columns if each not in found.values()]
                hint = _did_you_mean(str(title), left) if left else "; each of them is there already"
                expected = "each title once" if column is not None else f"a title of this sheet, once{hint}"
                way_out = "; a column of your own: delete it, or move it to a sheet of your own"
                self._fault(Spot(name, top + 1, place + 1), title, expected + way_out)
        for column in columns:
            if column.required and column not in found.values():
                self._fault(Spot(name, top + 1), None, f"the column {column.title}")
        return top, found

    def _records(self, table: Table) -> Iterator[tuple[int, dict[str, Any], dict[FieldPath, Spot], Any]]:
        """Row number, record, where its fields stand, and the value of the column without a field."""
        if table.name not in self.sheets:
            return
        rows = self.rows(table.name)
        top, columns = self._header(table.name, table.columns, rows)
        for number, row in enumerate(rows[top + 1 :], start=top + 2):
            cells = {place: row[place] for place in columns}
            if all(value is None for value in cells.values()):
                continue
            record: dict[str, Any] = {}
            spots: dict[FieldPath, Spot] = {}
            alone = None
            bad = False
            for place, value in cells.items():
                column, spot = columns[place], Spot(table.name, number, place + 1)
                if value is None:
                    if column.required and not (column.path == ("shift",) and table.field == "locked"):
                        self._fault(spot, None, f"a value for {column.title}")
                        bad = True
                elif not column.path:
                    alone = self._read(column, value, spot)
                else:
                    spots[column.path] = spot
                    found = self._read(column, value, spot, table)
                    bad = bad or found is _BAD
                    if found is not _BAD:
                        _put(record, column.path, found)
            if bad:
                self.read_so_far.incomplete.add(table.name)
            else:
                yield number, record, spots, alone

    def _table(self, table: Table) -> None:
        if table.name not in self.sheets:
            return
        made: list[Any] = []
        for number, record, spots, alone in self._records(table):
            place = (table.field, len(made))
            self.read_so_far.spots[place] = Spot(table.name, number)
            self.read_so_far.spots.update({(*place, *path): spot for path, spot in spots.items()})
            made.append(alone if not record else _SHAPED.get(table.field, dict)(record))
        self.read_so_far.data[table.field] = [row for row in made if row is not _BAD]

    def _contracts(self) -> dict[str, tuple[dict[str, Any], dict[FieldPath, Spot]]]:
        found: dict[str, tuple[dict[str, Any], dict[FieldPath, Spot]]] = {}
        for number, record, spots, name in self._records(CONTRACTS):
            if name in found:
                self._fault(Spot(CONTRACTS.name, number), name, "each contract once")
                self.read_so_far.incomplete.add(CONTRACTS.name)
            elif isinstance(name, str):
                found[name] = record, {(): Spot(CONTRACTS.name, number), **spots}
        return found

    def _give_contracts(self, contracts: dict[str, tuple[dict[str, Any], dict[FieldPath, Spot]]]) -> None:
        for place, nurse in enumerate(self.read_so_far.data.get("nurses", [])):
            name = nurse.pop("contract", None)
            if name is None:
                continue
            if name not in contracts:
                listed = ", ".join(list(contracts)[:12]) or "there are none"
                spot = self.read_so_far.spots["nurses", place, "contract"]
                expected = f"a contract of the sheet Contracts: {listed}"
                self._fault(replace(spot, owner=nurse.get("id")), name, expected, asks="contracts")
                continue
            record, spots = contracts[name]
            nurse["contract"] = dict(record)
            self.read_so_far.spots.update({("nurses", place, "contract", *path): at for path, at in spots.items()})

    # nurses by days

    def grid(self, name: str, first: date | None, days: int, *, before: bool = False) -> Grid:
        """`before`: the days before the first one, which are below 0."""
        grid = read_grid(self.rows(name), place_in(name), first, days, before=before)
        self.read_so_far.faults += grid.faults
        for nurse, cells in grid.rows.items():
            grid.rows[nurse] = {day: self._shift(value) for day, value in cells.items()}
            line = grid.lines[nurse] + 1
            self.read_so_far.spots[name, nurse] = Spot(name, line)
            for day, place in grid.columns.items():
                self.read_so_far.spots[name, nurse, day] = Spot(name, line, place + 1)
        return grid

    def _shift(self, value: Any) -> str | None:
        return kinds.shift(value, {row.get("id") for row in self.read_so_far.data.get("shifts", [])})

    def _history(self) -> None:
        if BEFORE not in self.sheets:
            return
        grid = self.grid(BEFORE, self._first, 28, before=True)
        places = {nurse.get("id"): place for place, nurse in enumerate(self.read_so_far.data.get("nurses", []))}
        for nurse, cells in grid.rows.items():
            if nurse not in places:
                self._fault(self.read_so_far.spots[BEFORE, nurse], nurse, "a nurse of the sheet Nurses", asks="nurses")
            elif cells:
                tail = [cells.get(day) for day in range(min(cells), 0)]
                self.read_so_far.data["nurses"][places[nurse]].setdefault("history", {})["tail"] = tail
                spot = self.read_so_far.spots[BEFORE, nurse]
                self.read_so_far.spots["nurses", places[nurse], "history", "tail"] = spot

    def _published(self) -> None:
        data = self.read_so_far.data
        if PUBLISHED not in self.sheets or self._first is None:
            return
        grid = self.grid(PUBLISHED, self._first, self._days)
        if not grid.rows and "published" not in data:
            return
        roster = {nurse: [cells.get(day) for day in range(self._days)] for nurse, cells in grid.rows.items()}
        data["published"] = {**data.get("published", {}), "roster": roster}
        for nurse, row in roster.items():
            for day in range(len(row)):
                spot = self.read_so_far.spots.get((PUBLISHED, nurse, day))
                if spot:
                    self.read_so_far.spots["published", "roster", nurse, self._first + timedelta(days=day)] = spot

    # cells

    def _set(self, data: dict[str, Any], path: FieldPath, column: Column, value: Any, spot: Spot) -> None:
        self.read_so_far.spots[path] = spot
        found = None if value is None else self._read(column, value, spot)
        if value is not None and found is not _BAD:
            _put(data, path, found)

    def _read(self, column: Column, value: Any, spot: Spot, table: Table | None = None) -> Any:
        try:
            if table is not None and table.field in BY_WEEKDAYS and column.path == ("day",):
                return kinds.weekdays(value) or kinds.one_date(value, self._first, self._days)
            if table is not None and table.field == "locked" and column.path == ("shift",):
                return self._shift(value)
            if column.kind is kinds.DATE:
                return kinds.one_date(value, self._first, self._days)
            return column.kind.read(value)
        except BadCell as error:
            self._fault(spot, kinds.shown(value), error.expected)
            return _BAD

    def _fault(self, place: Spot, value: Any, expected: str, asks: Records | None = None) -> None:
        self.read_so_far.faults.append(FileFault(place, value, expected, asks))


class _Bad:
    """Stands for a cell that cannot be read."""


_BAD = _Bad()


def _with_weekdays(record: dict[str, Any]) -> dict[str, Any]:
    if isinstance(record.get("day"), list):
        record["weekdays"] = record.pop("day")
    return record


def _leave(record: dict[str, Any]) -> dict[str, Any]:
    if "last" in record:
        record["first"] = record.pop("day")
    return record


def _shift(record: dict[str, Any]) -> dict[str, Any]:
    end = kinds.clock(record.pop("end"))
    return {**record, "minutes": (end - kinds.clock(record["start"]) - 1) % kinds.DAY_MINUTES + 1}


def _locked(record: dict[str, Any]) -> dict[str, Any]:
    return {"shift": None, **record}


_SHAPED = {"demand": _with_weekdays, "wishes": _with_weekdays, "leave": _leave, "shifts": _shift, "locked": _locked}
"""What becomes of a row, where columns and fields differ."""


def _put(data: dict[str, Any], path: FieldPath, value: Any) -> None:
    for step in path[:-1]:
        data = data.setdefault(str(step), {})
    data[str(path[-1])] = value


def _inside(data: Any, path: FieldPath) -> Any:
    for step in path:
        data = data.get(step) if isinstance(data, dict) else None
    return data


def _known(title: str) -> str:
    """The name of a sheet as it is known, in whatever case it is written."""
    names = {name.casefold(): name for name in (*REQUIRED, *OPTIONAL, *OWN)}
    return names.get(folded(title), title)


def _did_you_mean(name: str, known: list[str]) -> str:
    titles = {folded(each): each for each in known}
    alike = get_close_matches(folded(name), titles, n=1, cutoff=0.6)
    return f"; did you mean {titles[alike[0]]}?" if alike else f": {', '.join(known[:12])}"
