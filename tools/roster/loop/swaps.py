"""A roster that is changed by request: of two nurses' cells exchanged nothing else may change; of any change, what else does."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any

from wavegraph.tools.roster.records import Change, MovedCell
from wavegraph.tools.roster.versions.differences import changes_between
from wavegraph.tools.roster.ward.ward import Locked, Published, Roster, Ward

RowsOf = Callable[[Ward, Change], tuple[str, list[Any]]]
"""The ward's field that a change belongs to, and its rows."""
Asked = tuple[str, date, str | None]
"""A nurse's id, a day and a shift; None = whatever she has there."""
DEAREST_CHANGE = 10_000
"""Of a cell that need not change."""


def all_else_kept(ward: Ward, before: Ward, roster: Roster, new: Sequence[Change], rows_of: RowsOf) -> Ward | None:
    """The ward with every cell settled as the roster has it, but for those that `new` changes exchange.

    `before`: the roster's ward. None = they ask for something else than an exchange, and than what the roster has already.
    """
    asked = [change for change in new if not _is_free_already(change, ward, roster, rows_of)]
    if not new or any(change.kind != "locked" for change in asked):
        return None
    settled = {(row.nurse, row.day): row.shift for row in ward.locked if row not in before.locked}
    if asked and not _exchange(settled, ward, roster):
        return None
    kept = [
        Locked(nurse=nurse.id, day=ward.day(index), shift=roster[nurse.id][index])
        for nurse in ward.nurses
        for index in range(ward.days)
        if (nurse.id, ward.day(index)) not in settled
    ]
    exchanged = [Locked(nurse=nurse, day=day, shift=shift) for (nurse, day), shift in settled.items()]
    return ward.model_copy(update={"locked": [*kept, *exchanged]})


def least_changed(ward: Ward, roster: Roster) -> Ward:
    """The ward with each cell that differs from the roster dearer than anything else but cover."""
    return ward.model_copy(update={"published": Published(roster=roster, weight=DEAREST_CHANGE)})


def _is_free_already(change: Change, ward: Ward, roster: Roster, rows_of: RowsOf) -> bool:
    """Whether somebody is to be away who does not work there."""
    if change.kind != "unavailable":
        return False
    worked = [(roster[row.nurse][ward.index(row.day)], row.shift) for row in rows_of(ward, change)[1]]
    return all(cell is None or shift not in (None, cell) for cell, shift in worked)


def _exchange(settled: dict[tuple[str, date], str | None], ward: Ward, roster: Roster) -> bool:
    """Whether on each day the nurses have among them what they had, and at least one something else."""
    had, given = defaultdict[date, list[str]](list), defaultdict[date, list[str]](list)
    for (nurse, day), shift in settled.items():
        had[day].append(roster[nurse][ward.index(day)] or "")
        given[day].append(shift or "")
    return all(sorted(had[day]) == sorted(given[day]) for day in had) and had != given


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
