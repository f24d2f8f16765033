"""Sheets with other names than those that are read: which of them may be meant for one, renamed or doubled."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from openpyxl.worksheet.worksheet import Worksheet

from wavegraph.tools.roster.ward.faults import FileFault, Spot
from wavegraph.tools.roster.ward.workbook import kinds
from wavegraph.tools.roster.ward.workbook.grid import HEADER_ROWS, folded
from wavegraph.tools.roster.ward.workbook.sheets import OPTIONAL, REQUIRED, TABLES, VALUES, Table, Values

SAME_TITLES = 0.5
"""How many of the titles of two sheets, taken together, both have, where one may be the other."""
ALIKE = 0.5
"""How much of two sheets' names is the same, where one may be the other."""
LOOKED_AT_ROWS, LOOKED_AT_COLUMNS = 100, 60
Cells = Sequence[Sequence[Any]]


@dataclass
class Unread:
    faults: list[FileFault] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)
    """Sheets that are needed, or may be there under another name."""


def cells_of(sheet: Worksheet) -> Cells:
    """The rows of its beginning that are not empty."""
    rows = sheet.iter_rows(max_row=LOOKED_AT_ROWS, max_col=LOOKED_AT_COLUMNS, values_only=True)
    return [row for row in rows if any(_is_filled(value) for value in row)]


def unread(others: Mapping[str, Cells], there: Collection[str]) -> Unread:
    """What to ask about. `others`: the sheets that are not read; `there`: the names of those that are."""
    missing = [name for name in (*REQUIRED, *OPTIONAL) if name not in there]
    others = {name: cells for name, cells in others.items() if cells}
    meant = _meant(others, missing)
    found = Unread()
    renamed = {known: name for name, known in reversed(meant.items()) if known in missing}
    for known in missing:
        if known in renamed or known in REQUIRED:
            found.missing.add(known)
            found.faults.append(_gone(known, renamed.get(known), [*there, *others]))
    for name in others:
        if name in meant and renamed.get(meant[name]) != name:
            found.faults.append(_doubled(name, meant[name], others[name]))
        elif name not in meant and missing and _is_table(others[name]):
            found.missing.update(missing)
            found.faults.append(_in_doubt(name, missing, others[name]))
    return found


def _meant(others: Mapping[str, Cells], missing: Sequence[str]) -> dict[str, str]:
    """The sheet that each of the others may be: of its titles, else the missing one of nearly its name."""
    meant = {name: known for name, cells in others.items() if (known := _of_titles(cells, missing))}
    for known in missing:
        by_name = {folded(name): name for name in others if name not in meant}
        alike = get_close_matches(folded(known), by_name, n=1, cutoff=ALIKE)
        if alike and known not in meant.values():
            meant[by_name[alike[0]]] = known
    return meant


def _of_titles(cells: Cells, missing: Sequence[str]) -> str | None:
    shares = {sheet.name: _share(cells, sheet) for sheet in (*TABLES, *VALUES)}
    best = max(shares, key=lambda name: (shares[name], name in missing))
    has_rows = len(cells) > 1 or best in missing
    return best if shares[best] >= SAME_TITLES and has_rows else None


def _share(cells: Cells, sheet: Table | Values) -> float:
    titles = {folded(column.title) for column in sheet.columns}
    lines = [[row[0] for row in cells]] if isinstance(sheet, Values) else cells[:HEADER_ROWS]
    own = [{folded(value) for value in line if _is_filled(value)} for line in lines]
    return max(len(each & titles) / len(each | titles) for each in own)


def _is_table(cells: Cells) -> bool:
    return sum(len(list(filter(_is_filled, row))) > 1 for row in cells) > 1


def _is_filled(value: Any) -> bool:
    return value is not None and str(value).strip() != ""


def _gone(known: str, renamed: str | None, names: Sequence[str]) -> FileFault:
    if renamed is None:
        return FileFault(Spot(known), None, f"a sheet of this name; there are {', '.join(names)}")
    way_out = "" if known in REQUIRED else f", or add an empty sheet {known}"
    return FileFault(Spot(known), None, f"a sheet of this name: is {renamed!r} the one? Call it {known}{way_out}")


def _doubled(name: str, known: str, cells: Cells) -> FileFault:
    expected = f"its rows in the sheet {known}, whose titles it has and which alone is read; or titles of your own"
    return FileFault(Spot(name), ", ".join(_first_titles(cells)), expected)


def _in_doubt(name: str, missing: Sequence[str], cells: Cells) -> FileFault:
    expected = (
        f"the name of a sheet that is missing: {', '.join(missing)}; if it is a sheet of your own, add those empty"
    )
    return FileFault(Spot(name), ", ".join(_first_titles(cells)), expected)


def _first_titles(cells: Cells) -> Iterator[str]:
    row = next((row for row in cells if sum(map(_is_filled, row)) > 1), cells[0])
    return (kinds.word(value) for value in row if _is_filled(value))
