"""A roster as lines of text: a row a nurse, a column a day."""

import sys
from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size

from wavegraph.app.plain_text import plain
from wavegraph.app.terminal.door import Console
from wavegraph.tools.roster.ward.ward import Nurse, Roster, Ward

OFF = "."
WEEKDAYS = "MTWTFSS"
WEEK, MOST_DAYS = 7, 14
"""Days; no block of columns has more than `MOST_DAYS`."""
WIDEST_NAME = 28
"""Cells of a nurse's id and name; the rest of a longer one is cut off."""


def terminal_width() -> int | None:
    """Cells of a line on stdout; None = it is no terminal, and lines may be as long as they are."""
    return Console().width if sys.stdout is not None and sys.stdout.isatty() else None


def grid_lines(ward: Ward, roster: Roster, width: int | None = None) -> list[str]:
    """Blocks of at most 14 days, with an empty line between two; whole weeks where `width` cells have room for one.

    Weekday letters and days of the month at the top, the block's first day beside them; `.` is a day off.
    """
    names = [_name(nurse) for nurse in ward.nurses]
    beside = max(cell_len(ward.start.isoformat()), *map(cell_len, names))
    cell = max(2, *(cell_len(shift.id) for shift in ward.shifts)) + 1
    step = _days_a_block(None if width is None else (width - beside) // cell)
    blocks = [_block(ward, roster, names, beside, cell, first, step) for first in range(0, ward.days, step)]
    return [line for number, block in enumerate(blocks) for line in ([""] if number else []) + list(block)]


def _name(nurse: Nurse) -> str:
    name = plain(nurse.id if nurse.name == nurse.id else f"{nurse.id} {nurse.name}")
    return name if cell_len(name) <= WIDEST_NAME else set_cell_size(name, WIDEST_NAME)


def _days_a_block(room: int | None) -> int:
    if room is None or room >= MOST_DAYS:
        return MOST_DAYS
    return WEEK if room >= WEEK else max(1, room)


def _block(
    ward: Ward, roster: Roster, names: list[str], beside: int, cell: int, first: int, days: int
) -> Iterator[str]:
    columns = range(first, min(first + days, ward.days))
    dates = [ward.day(day) for day in columns]
    yield _line("", [WEEKDAYS[day.weekday()] for day in dates], beside, cell)
    yield _line(dates[0].isoformat(), [str(day.day) for day in dates], beside, cell)
    for nurse, name in zip(ward.nurses, names, strict=True):
        yield _line(name, [roster[nurse.id][day] or OFF for day in columns], beside, cell)


def _line(name: str, cells: list[str], beside: int, cell: int) -> str:
    return set_cell_size(name, beside) + "".join(" " * (cell - cell_len(each)) + each for each in cells)
