"""What a roster changes of the one it was begun from, besides what was asked for."""

from collections.abc import Iterator, Sequence
from datetime import date

from wavegraph.tools.roster.loop.swaps import RowsOf
from wavegraph.tools.roster.records import Change, MovedCell
from wavegraph.tools.roster.versions.differences import changes_between
from wavegraph.tools.roster.ward.ward import Roster, Ward

Asked = tuple[str, date, str | None]
"""A nurse's id, a day and a shift; None = whatever she has there."""


def moved_cells(ward: Ward, before: Roster, now: Roster, asked: Sequence[Change], rows_of: RowsOf) -> list[MovedCell]:
    """By nurse. `asked`: the changes since `before`."""
    named = set(_named(ward, asked, rows_of))
    moved = [
        MovedCell(nurse=each.nurse, day=ward.day(each.day), before=each.before, shift=each.now)
        for each in changes_between(before, now)
    ]
    return [
        cell for cell in moved if named.isdisjoint((cell.nurse, cell.day, s) for s in (None, cell.before, cell.shift))
    ]


def _named(ward: Ward, asked: Sequence[Change], rows_of: RowsOf) -> Iterator[Asked]:
    """Of a settled cell both what it was and what it is; a pair names none."""
    for change in (each for each in asked if each.other is None):
        for row in rows_of(ward, change)[1]:
            yield row.nurse, row.day, None if change.kind == "locked" else row.shift
