"""A ward as a workbook: sheets with titles, drop-down lists and, for an empty one, nothing else."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from io import BytesIO
from typing import Any

from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.ward.ward import CHANGE_WEIGHT
from wavegraph.tools.roster.ward.workbook import kinds
from wavegraph.tools.roster.ward.workbook.sheets import (
    BEFORE,
    CONTRACTS,
    HOLIDAYS,
    NURSES,
    PUBLISHED,
    TABLES,
    VALUES,
    Column,
    Sheet,
)

Record = dict[str, Any]
MOST_CHOSEN = 500
"""Rows that the drop-down lists are for, and are taken from."""
USUAL_TAIL = 7
HEAD = PatternFill("solid", fgColor="1F4E5F")
FONT = "Calibri"
"""That of cells without a font of their own."""
HEAD_FONT = Font(name=FONT, size=11, bold=True, color="FFFFFF")
BOLD = Font(name=FONT, size=11, bold=True)
MUTED = Font(name=FONT, size=11, color="666666", italic=True)
WIDEST, NARROWEST = 44, 11
OWN_FIELDS = ("name", "id", "start", "skills")
"""What another ward has otherwise."""
OF_SKILLS_AND_SHIFTS = ("charge_skill", "runs", "balanced")
"""Rules that name a skill or a shift, and an empty workbook has none."""
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-F]{4}_)")
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
ABOUT = (
    "Fill in the sheets, save, and make a roster with: wavegraph roster generate FILE.xlsx",
    "Titles of sheets and columns stay as they are; columns and rows may be in any order, empty rows are passed over.",
    "Dates are dates, or text such as 2026-11-23 or 23.11.2026. Clock times such as 07:00. Hours such as 7.5 or 7:30.",
    "A column with * needs a value in each row. Sheets of your own are passed over, unless one of these is missing.",
)


GRIDS = {
    BEFORE: "The last shifts before the period (-1 is the day before it, or write dates), off for a day off; the days left out at the beginning are not known.",
    PUBLISHED: "The roster that staff already have, a column titled with the date for each day: shifts, off or nothing for a "
    "day off.",
}


def ward_workbook(data: Record, *, examples: bool = True) -> Workbook:
    """The plain data of a ward file as a workbook.

    `examples`: False = its rules and limits without a row, for a ward with a name, skills and a first day of its own.
    """
    book = Workbook()
    book.remove(book.worksheets[0])
    add_ward_sheets(book, data if examples else _without_its_own(data), rows=examples)
    return book


def _without_its_own(data: Record) -> Record:
    kept = {field: value for field, value in data.items() if field not in OWN_FIELDS}
    rules = {field: value for field, value in (data.get("rules") or {}).items() if field not in OF_SKILLS_AND_SHIFTS}
    return {**kept, "rules": rules}


def workbook_bytes(book: Workbook) -> bytes:
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def add_ward_sheets(book: Workbook, data: Record, *, rows: bool = True) -> None:
    contracts = _contracts(data if rows else {})
    _read_me(book.create_sheet("Read me"))
    for values in VALUES:
        _values(book.create_sheet(values.name), values, data)
    shown = data if rows else {}
    for table in TABLES:
        sheet = book.create_sheet(table.name)
        if table is CONTRACTS:
            records = [{**record, "name": name} for name, record in contracts]
        elif table is HOLIDAYS:
            records = [{"day": day} for day in shown.get("holidays", [])]
        else:
            records = [_shaped(table, record, contracts) for record in shown.get(table.path[0], [])]
        _table(sheet, table, records)
    _before(book.create_sheet(BEFORE), data, shown)
    _published(book.create_sheet(PUBLISHED), data, shown)


def put(sheet: Worksheet, row: int, column: int, value: Any, number_format: str = "General") -> Cell:
    """Write a value; a text is a text, also one that begins like a formula, and right to left where its letters are."""
    cell = sheet.cell(row, column)
    assert isinstance(cell, Cell)
    if isinstance(value, str):
        cell.value = written = _FORBIDDEN.sub(lambda found: f"_x{ord(found[0]):04X}_", value)
        cell.data_type = "s"
        if written[:1] in ("=", "+", "-", "@", "\t"):
            cell.quotePrefix = True
        if _RIGHT_TO_LEFT.search(value):
            cell.alignment = Alignment(horizontal="right", readingOrder=2)
    else:
        cell.value = value
    if number_format != "General":
        cell.number_format = number_format
    return cell


def head(sheet: Worksheet, titles: Sequence[Any], row: int = 1) -> None:
    for place, title in enumerate(titles, start=1):
        cell = put(sheet, row, place, title, "yyyy-mm-dd" if isinstance(title, date) else "General")
        cell.fill, cell.font = HEAD, HEAD_FONT
        cell.alignment = Alignment(vertical="center", wrap_text=True)


def widths(sheet: Worksheet) -> None:
    for column in sheet.iter_cols():
        longest = max((len(str(cell.value)) for cell in column if cell.value is not None), default=0)
        letter = get_column_letter(column[0].column or 1)
        sheet.column_dimensions[letter].width = min(max(longest + 2, NARROWEST), WIDEST)


def _read_me(sheet: Worksheet) -> None:
    for row, line in enumerate(ABOUT, start=1):
        put(sheet, row, 1, line)
    head(sheet, ["Sheet", "Column", "Meaning"], len(ABOUT) + 2)
    for row, (name, title, meaning) in enumerate(_meanings(), start=len(ABOUT) + 3):
        for column, text in enumerate((name, title, meaning), start=1):
            put(sheet, row, column, text)
        sheet.cell(row, 1).font = BOLD
    for letter, width in (("A", 18), ("B", 28), ("C", 90)):
        sheet.column_dimensions[letter].width = width


def _meanings() -> Iterator[tuple[str | None, str | None, str]]:
    """Sheet or column, and what it means."""
    for each in (*VALUES, *TABLES):
        yield each.name, None, each.about
        for column in each.columns:
            if column.about or column.kind.choices:
                yield None, column.title, column.about or ", ".join(column.kind.choices)
    yield from ((name, None, about) for name, about in GRIDS.items())


def _values(sheet: Worksheet, values: Sheet, data: Record) -> None:
    head(sheet, ["Field", "Value", "Meaning"])
    record = data
    for step in values.path:
        record = record.get(str(step)) or {}
    for row, column in enumerate(values.columns, start=2):
        put(sheet, row, 1, column.title)
        is_price = column.path == ("published", "weight") and data.get("published") is not None
        value = _found(record, column.path, CHANGE_WEIGHT if is_price else column.default)
        put(sheet, row, 2, column.kind.write(value), column.kind.format)
        if column.about:
            put(sheet, row, 3, column.about).font = MUTED
        _choose(sheet, column, f"B{row}")
    sheet.freeze_panes = "B2"
    widths(sheet)
    for letter, width in (("A", 34), ("B", 26)):
        sheet.column_dimensions[letter].width = width


def _found(record: Any, path: Sequence[Any], otherwise: Any = None) -> Any:
    for step in path:
        if not isinstance(record, Mapping) or step not in record:
            return otherwise
        record = record[step]
    return record


def _table(sheet: Worksheet, table: Sheet, records: Sequence[Record]) -> None:
    head(sheet, [f"{column.title} *" if column.required else column.title for column in table.columns])
    for row, record in enumerate(records, start=2):
        for place, column in enumerate(table.columns, start=1):
            value = _found(record, column.path)
            if value is not None or column.kind is kinds.CELL:
                put(sheet, row, place, column.kind.write(value), column.kind.format)
    for place, column in enumerate(table.columns, start=1):
        letter = get_column_letter(place)
        _choose(sheet, column, f"{letter}2:{letter}{MOST_CHOSEN}")
        if column.kind.format != "General":
            for row in range(len(records) + 2, len(records) + 40):
                sheet.cell(row, place).number_format = column.kind.format
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(table.columns))}{max(2, len(records) + 1)}"
    widths(sheet)


def _choose(sheet: Worksheet, column: Column, cells: str) -> None:
    """A drop-down list, or for dates a check of what is typed."""
    kind = column.kind
    if kind.choices:
        rule = DataValidation(type="list", formula1=f'"{",".join(kind.choices)}"', allow_blank=True)
        rule.error, rule.showErrorMessage = f"One of: {', '.join(kind.choices)}", True
    elif kind.of:
        rule = DataValidation(type="list", formula1=f"'{kind.of}'!$A$2:$A${MOST_CHOSEN}", allow_blank=True)
        rule.errorStyle, rule.showErrorMessage = "warning", True
        rule.error = f"It is not in the sheet {kind.of}."
    else:
        return
    rule.add(cells)
    sheet.add_data_validation(rule)


def _shaped(table: Sheet, record: Record, contracts: Sequence[tuple[str, Record]]) -> Record:
    match table.path[0]:
        case "shifts":
            start = kinds.clock(record["start"])
            return {**record, "end": kinds.clock_text((start + record["minutes"]) % kinds.DAY_MINUTES)}
        case "demand" | "wishes" if "weekdays" in record:
            return {**record, "day": record["weekdays"]}
        case "leave" if "first" in record:
            return {**record, "day": record["first"]}
        case "nurses":
            name = next((name for name, known in contracts if known == (record.get("contract") or {})), None)
            return {**record, "contract": name}
    return record


def _contracts(data: Record) -> list[tuple[str, Record]]:
    """Each contract once, with a name after its hours."""
    found: list[tuple[str, Record]] = []
    for nurse in data.get("nurses", []):
        contract = nurse.get("contract") or {}
        if contract and all(contract != known for _, known in found):
            found.append((_contract_name(contract, [name for name, _ in found]), contract))
    return found


def _contract_name(contract: Record, taken: Iterable[str]) -> str:
    names = set(taken)
    minutes, percent = contract.get("target_minutes"), contract.get("percent")
    base = (
        f"{decimal(minutes / 60)}h"
        if isinstance(minutes, int)
        else f"{decimal(percent)}%"
        if percent is not None
        else "contract"
    )
    return next(name for name in (base, *(f"{base}-{n}" for n in range(2, len(names) + 3))) if name not in names)


def _before(sheet: Worksheet, data: Record, shown: Record) -> None:
    nurses = shown.get("nurses", [])
    tails = {nurse["id"]: (nurse.get("history") or {}).get("tail") or [] for nurse in nurses}
    length = max([USUAL_TAIL, *map(len, tails.values())])
    ids = {shift.get("id") for shift in data.get("shifts", [])}
    off = kinds.DAY_OFF if kinds.OFF in ids else kinds.OFF
    start = kinds.date_cell(data.get("start"))
    days = [start + timedelta(days=n) if isinstance(start, date) else n for n in range(-length, 0)]
    rows = {nurse: [None] * (length - len(tail)) + [each or off for each in tail] for nurse, tail in tails.items()}
    _grid(sheet, days, rows)


def _published(sheet: Worksheet, data: Record, shown: Record) -> None:
    start, length = kinds.date_cell(data.get("start")), data.get("days") or 7
    days = [start + timedelta(days=n) for n in range(length)] if isinstance(start, date) else []
    _grid(sheet, days, (shown.get("published") or {}).get("roster") or {})


def _grid(sheet: Worksheet, days: Sequence[Any], rows: Mapping[str, Sequence[Any]]) -> None:
    head(sheet, ["Nurse", *days])
    for row, (nurse, cells) in enumerate(rows.items(), start=2):
        put(sheet, row, 1, nurse, "@")
        for place, cell in enumerate(cells, start=2):
            if cell is not None:
                put(sheet, row, place, cell, "@")
    nurses = DataValidation(type="list", formula1=f"'{NURSES.name}'!$A$2:$A${MOST_CHOSEN}", allow_blank=True)
    nurses.add(f"A2:A{MOST_CHOSEN}")
    sheet.add_data_validation(nurses)
    sheet.freeze_panes = "B2"
    widths(sheet)
