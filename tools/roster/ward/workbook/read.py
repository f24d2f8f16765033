"""A filled workbook as the plain data of a ward, and every fault with its sheet, cell and remedy.

First the sheets, then their cells, then what refers to another sheet: each only where nothing before it is wrong.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from wavegraph.tools.roster.told import Told
from wavegraph.tools.roster.ward.expectations import did_you_mean
from wavegraph.tools.roster.ward.faults import FieldAt, FieldPath, FileFault, Spot, wanted
from wavegraph.tools.roster.ward.workbook import kinds
from wavegraph.tools.roster.ward.workbook.grid import HEADER_ROWS, At, Grid, Rows, folded, read_grid
from wavegraph.tools.roster.ward.workbook.kinds import BadCell
from wavegraph.tools.roster.ward.workbook.safe_file import MOST_COLUMNS, MOST_ROWS, calculated, open_workbook
from wavegraph.tools.roster.ward.workbook.sheets import (
    BEFORE,
    OPTIONAL,
    OWN,
    PUBLISHED,
    REQUIRED,
    TABLES,
    VALUES,
    Column,
    Sheet,
)
from wavegraph.tools.roster.ward.workbook.unread import unread

_ESCAPED = re.compile(r"_x([0-9A-F]{4})_")
LISTED = 12
"""Titles or names that a message lists."""


def read_workbook(path: Path) -> "ReadWorkbook":
    """The data of a ward, with a fault for each cell that cannot be read. Raises `Unreadable` for what is no workbook."""
    book = ReadWorkbook(path)
    book.read()
    return book


def sheet_of_days(path: Path, sheet: str) -> tuple[Rows, list[FileFault]]:
    """The cells of a sheet with a row for each nurse and a column for each day. Raises `Unreadable`."""
    book = ReadWorkbook(path)
    if sheet not in book.sheets:
        names = ", ".join(each.title for each in book.sheets.values())
        return [], [FileFault(Spot(sheet), None, wanted("sheet_of_roster", known=names))]
    return book.rows(sheet), book.faults


def place_in(sheet: str) -> At:
    """The places of a sheet."""
    return lambda row, column: Spot(sheet, row + 1, None if column is None else column + 1)


class ReadWorkbook:
    """What a workbook says."""

    def __init__(self, path: Path) -> None:
        self.data: dict[str, Any] = {}
        self.spots: dict[FieldPath, Spot] = {}
        """Where each field of the data stands."""
        self.faults: list[FileFault] = []
        self.strangers: list[FileFault] = []
        """Rows of nurses who are not in the sheet Nurses: faults once its own ids are right."""
        self.sheets: dict[str, Worksheet] = {}
        self._file = path
        self._first: date | None = None
        self._days = 0
        for sheet in open_workbook(path).worksheets:
            name = _known(sheet.title)
            self.sheets[sheet.title if name in self.sheets else name] = sheet

    def placed(self, faults: Sequence[FileFault]) -> list[FileFault]:
        """Faults of the data with the cells they come from, each once."""

        def spot(place: Any) -> Any:
            path = place.path if isinstance(place, FieldAt) else ()
            while path and path not in self.spots:
                path = path[:-1]
            return replace(self.spots[path], owner=place.owner) if path else place

        found = [replace(fault, place=spot(fault.place), same_as=spot(fault.same_as)) for fault in faults]
        return list({(each.place, repr(each.value), repr(each.expected)): each for each in found}.values())

    def read(self) -> None:
        known = {*REQUIRED, *OPTIONAL, *OWN} & self.sheets.keys()
        others = {name: sheet for name, sheet in self.sheets.items() if name not in known}
        self.faults += unread(others, known)
        for step in (self._cells, self._shapes, self._contracts, self._tails, self._published):
            if not self.faults:
                step()

    def _cells(self) -> None:
        for sheet in VALUES:
            self._lines(sheet)
        start, days = self.data.get("start"), self.data.get("days")
        self._first = date.fromisoformat(start) if start else None
        self._days = days if isinstance(days, int) else 366
        for table in TABLES:
            self._table(table)

    # sheets

    @cached_property
    def _results(self) -> Workbook:
        return calculated(self._file)

    def rows(self, name: str) -> list[list[Any]]:
        """The values of a sheet, merged cells filled, without empty rows at the end; none where it is not there."""
        if (sheet := self.sheets.get(name)) is None:
            return []
        most_row, most_column = min(sheet.max_row, MOST_ROWS), min(sheet.max_column, MOST_COLUMNS)
        if sheet.max_row > MOST_ROWS or sheet.max_column > MOST_COLUMNS:
            size = wanted("rows_and_columns", rows=sheet.max_row, columns=sheet.max_column)
            expected = wanted("fewer_rows", rows=MOST_ROWS, columns=MOST_COLUMNS)
            self._fault(Spot(name), size, expected)
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
                expected = wanted("calculated")
                self._fault(Spot(_known(cell.parent.title), cell.row, cell.column), str(value), expected)
            return found
        if isinstance(value, str):
            value = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value)
            return value if value.strip() else None
        return value

    # records

    def _lines(self, sheet: Sheet) -> None:
        """One record, with a line for each field: as a row of titles and a row of values."""
        lines = [
            (n, row) for n, row in enumerate(self.rows(sheet.name), start=1) if row[0] and folded(row[0]) != "field"
        ]
        rows = [[row[0] for _, row in lines], [row[1] if len(row) > 1 else None for _, row in lines]]

        def at(row: int, column: int | None) -> Spot:
            return Spot(sheet.name) if column is None else Spot(sheet.name, lines[column][0], row + 1)

        if sheet.name in self.sheets:
            _, columns = self._header(sheet, rows, at)
            record = self._record(sheet.path, columns, rows[1], partial(at, 1))
            self.data |= {sheet.path[0]: record} if sheet.path else record

    def _table(self, sheet: Sheet) -> None:
        if sheet.name not in self.sheets:
            return
        rows, at, made = self.rows(sheet.name), place_in(sheet.name), list[dict[str, Any]]()
        top, columns = self._header(sheet, rows, at)
        for line, row in enumerate(rows[top + 1 :], start=top + 1):
            if any(row[place] is not None for place in columns):
                path: FieldPath = (*sheet.path, len(made))
                self.spots[path] = at(line, None)
                made.append(self._record(path, columns, row, partial(at, line)))
        self.data[sheet.path[0]] = made

    def _record(
        self, path: FieldPath, columns: dict[int, Column], row: list[Any], at: Callable[[int], Spot]
    ) -> dict[str, Any]:
        record: dict[str, Any] = {}
        for place, column in columns.items():
            self.spots[*path, *column.path] = spot = at(place)
            if row[place] is not None:
                _put(record, column.path, self._read(column, row[place], spot))
            elif column.required and column.kind is not kinds.CELL:
                self._fault(spot, None, wanted("value_of", title=column.title))
        return record

    def _header(self, sheet: Sheet, rows: list[list[Any]], at: At) -> tuple[int, dict[int, Column]]:
        """The row of the titles, from 0, and the columns by their place."""
        by_title = {folded(column.title): column for column in sheet.columns}
        scored = [sum(folded(value) in by_title for value in row) for row in rows[:HEADER_ROWS]]
        if not any(scored):
            if rows:
                titles = ", ".join(each.title for each in sheet.columns)
                self._fault(Spot(sheet.name), None, wanted("titles", known=titles))
            return len(rows), {}
        top = scored.index(max(scored))
        found: dict[int, Column] = {}
        for place, title in enumerate(rows[top]):
            column = by_title.get(folded(title))
            if column is not None and column not in found.values():
                found[place] = column
            elif title is not None and any(row[place] is not None for row in rows[top + 1 :]):
                key = "title_once" if column is not None else "title_of_sheet"
                self._fault(at(top, place), title, wanted(key, hint=_hint(title, sheet.columns)))
        for column in sheet.columns:
            if column.required and column not in found.values():
                self._fault(at(top, None), None, wanted("title", title=column.title))
        return top, found

    def _shapes(self) -> None:
        for name, shaped in _SHAPED.items():
            if name in self.data:
                self.data[name] = [shaped(row) for row in self.data[name]]

    def _contracts(self) -> None:
        contracts: dict[str, tuple[dict[str, Any], dict[FieldPath, Spot]]] = {}
        for place, row in enumerate(self.data.pop("contracts", [])):
            spots = {path[2:]: spot for path, spot in self.spots.items() if path[:2] == ("contracts", place)}
            if (name := row.pop("name")) in contracts:
                self._fault(spots[()], name, wanted("contract_once"))
            contracts[name] = row, spots
        for place, nurse in enumerate(self.data["nurses"]):
            path = ("nurses", place, "contract")
            name = nurse.pop("contract", None)
            if name in contracts:
                nurse["contract"] = dict(contracts[name][0])
                self.spots |= {(*path, *inside): spot for inside, spot in contracts[name][1].items()}
            elif name is not None:
                listed = ", ".join(list(contracts)[:LISTED]) or wanted("there_are_none")
                spot = replace(self.spots[path], owner=nurse["id"])
                self._fault(spot, name, wanted("contract_of_sheet", known=listed))

    # nurses by days

    def _grid(self, name: str, days: int, *, before: bool = False) -> Grid:
        """`before`: the days before the first one, which are below 0."""
        grid = read_grid(self.rows(name), place_in(name), self._first, days, before=before)
        self.faults += grid.faults
        for nurse, cells in grid.rows.items():
            grid.rows[nurse] = {day: self._shift(value) for day, value in cells.items()}
        return grid

    def _tails(self) -> None:
        grid, nurses = self._grid(BEFORE, 28, before=True), self.data["nurses"]
        places = {nurse["id"]: place for place, nurse in enumerate(nurses)}
        for name, cells in grid.rows.items():
            spot = Spot(BEFORE, grid.lines[name] + 1)
            if name not in places:
                self.strangers.append(FileFault(spot, name, wanted("nurse_of_sheet")))
            elif cells:
                tail = [cells.get(day) for day in range(min(cells), 0)]
                nurses[places[name]].setdefault("history", {})["tail"] = tail
                self.spots["nurses", places[name], "history", "tail"] = spot

    def _published(self) -> None:
        about = self.data.pop("published", None)
        if self._first is None or PUBLISHED not in self.sheets:
            return
        grid = self._grid(PUBLISHED, self._days)
        if grid.rows or about is not None:
            roster = {nurse: [cells.get(day) for day in range(self._days)] for nurse, cells in grid.rows.items()}
            self.data["published"] = {**(about or {}), "roster": roster}
        for nurse, line in grid.lines.items():
            path, spot = ("published", "roster", nurse), Spot(PUBLISHED, line + 1)
            self.spots[path] = spot
            for day, place in grid.columns.items():
                self.spots[*path, self._first + timedelta(days=day)] = replace(spot, column=place + 1)

    # cells

    def _shift(self, value: Any) -> str | None:
        return kinds.shift(value, {row.get("id") for row in self.data.get("shifts", [])})

    def _read(self, column: Column, value: Any, spot: Spot) -> Any:
        """None also for a cell with a fault."""
        try:
            if column.kind is kinds.CELL:
                return self._shift(value)
            if column.kind is kinds.DATES and (days := kinds.weekdays(value)):
                return days
            if column.kind in (kinds.DATE, kinds.DATES):
                return kinds.one_date(value, self._first, self._days)
            return column.kind.read(value)
        except BadCell as error:
            self._fault(spot, kinds.shown(value), error.expected)

    def _fault(self, place: Spot, value: Any, expected: Told) -> None:
        self.faults.append(FileFault(place, value, expected))


def _with_weekdays(record: dict[str, Any]) -> dict[str, Any]:
    if isinstance(record["day"], list):
        record["weekdays"] = record.pop("day")
    return record


def _leave(record: dict[str, Any]) -> dict[str, Any]:
    if "last" in record:
        record["first"] = record.pop("day")
    return record


def _with_length(shift: dict[str, Any]) -> dict[str, Any]:
    end = kinds.clock(shift.pop("end"))
    return {**shift, "minutes": (end - kinds.clock(shift["start"]) - 1) % kinds.DAY_MINUTES + 1}


_SHAPED: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    "demand": _with_weekdays,
    "wishes": _with_weekdays,
    "leave": _leave,
    "shifts": _with_length,
    "locked": lambda record: {"shift": None, **record},
    "holidays": lambda record: record["day"],
}
"""What becomes of a row, where columns and fields differ."""


def _put(data: dict[str, Any], path: FieldPath, value: Any) -> None:
    for step in path[:-1]:
        data = data.setdefault(str(step), {})
    data[str(path[-1])] = value


def _known(title: str) -> str:
    """The name of a sheet as it is known, in whatever case it is written."""
    names = {name.casefold(): name for name in (*REQUIRED, *OPTIONAL, *OWN)}
    return names.get(folded(title), title)


def _hint(title: Any, columns: Sequence[Column]) -> Told | str:
    titles = [column.title for column in columns]
    return did_you_mean(folded(title), titles) or f": {', '.join(titles[:LISTED])}"
