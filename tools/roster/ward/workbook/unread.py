"""Sheets with other names than those that are read: which of them may be meant for one, renamed or doubled."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from openpyxl.worksheet.worksheet import Worksheet

from wavegraph.tools.roster.told import Told
from wavegraph.tools.roster.ward.faults import FileFault, Spot, wanted
from wavegraph.tools.roster.ward.workbook import kinds
from wavegraph.tools.roster.ward.workbook.grid import HEADER_ROWS, folded
from wavegraph.tools.roster.ward.workbook.sheets import OPTIONAL, REQUIRED, TABLES, VALUES, Sheet

SAME_TITLES = 0.5
"""How many of the titles of two sheets, taken together, both have, where one may be the other."""
LOOKED_AT_ROWS, LOOKED_AT_COLUMNS = 100, 60
Cells = Sequence[Sequence[Any]]


def unread(others: Mapping[str, Worksheet], there: Collection[str]) -> list[FileFault]:
    """What to ask about. `others`: the sheets that are not read; `there`: the names of those that are."""
    missing = [name for name in (*REQUIRED, *OPTIONAL) if name not in there]
    tables = {name: cells for name, sheet in others.items() if (cells := _cells_of(sheet))}
    meant = {name: _of_titles(cells, missing) for name, cells in tables.items()}
    renamed = {known: name for name, known in reversed(meant.items()) if known in missing}
    gone = [known for known in missing if known in renamed or known in REQUIRED]
    faults = [FileFault(Spot(known), None, _of_this_name(known, renamed, [*there, *tables])) for known in gone]
    for name, cells in tables.items():
        titles = next((row for row in cells if _is_table_row(row)), cells[0])
        if (known := meant[name]) is not None:
            expected = wanted("rows_in_sheet", sheet=known)
        else:
            expected = wanted("missing_sheet", known=", ".join(missing))
        if renamed.get(known or "") != name and (known or (missing and sum(map(_is_table_row, cells)) > 1)):
            faults.append(
                FileFault(Spot(name), ", ".join(kinds.word(each) for each in titles if _is_filled(each)), expected)
            )
    return faults


def _of_this_name(known: str, renamed: Mapping[str, str], names: Sequence[str]) -> Told:
    if known not in renamed:
        return wanted("sheet", known=", ".join(names))
    key = "renamed_sheet" if known in REQUIRED else "renamed_or_empty"
    return wanted(key, other=repr(renamed[known]), sheet=known)


def _cells_of(sheet: Worksheet) -> Cells:
    """The rows of its beginning that are not empty."""
    rows = sheet.iter_rows(max_row=LOOKED_AT_ROWS, max_col=LOOKED_AT_COLUMNS, values_only=True)
    return [row for row in rows if any(map(_is_filled, row))]


def _of_titles(cells: Cells, missing: Sequence[str]) -> str | None:
    """The sheet whose titles it has."""
    shares = {sheet.name: _share(cells, sheet) for sheet in (*TABLES, *VALUES)}
    best = max(shares, key=lambda name: (shares[name], name in missing))
    has_rows = len(cells) > 1 or best in missing
    return best if shares[best] >= SAME_TITLES and has_rows else None


def _share(cells: Cells, sheet: Sheet) -> float:
    titles = {folded(column.title) for column in sheet.columns}
    lines = [[row[0] for row in cells]] if sheet in VALUES else cells[:HEADER_ROWS]
    own = [{folded(value) for value in line if _is_filled(value)} for line in lines]
    return max(len(each & titles) / len(each | titles) for each in own)


def _is_table_row(row: Sequence[Any]) -> bool:
    return sum(map(_is_filled, row)) > 1


def _is_filled(value: Any) -> bool:
    return value is not None and str(value).strip() != ""
