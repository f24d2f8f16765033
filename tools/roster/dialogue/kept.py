"""Whether a roster keeps what was asked for: each change held against the roster's cells alone.

No solver and no check of the ward's rows has a part in it, so that a fault of theirs shows here.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from wavegraph.tools.roster.dialogue.amending import as_understood, rows_of, still_asked
from wavegraph.tools.roster.records import Cell, Change, ChangeKept, Verdict
from wavegraph.tools.roster.ward.ward import Pair, Roster, Ward

MOST_CELLS = 20
"""That are named of one change."""
Shifts = Collection[str | None]
"""Those a change names; None = any work, of a settled cell a day off."""


def is_spared(worked: str | None, shifts: Shifts) -> bool:
    return worked is None or (worked not in shifts and None not in shifts)


def is_given(worked: str | None, shifts: Shifts) -> bool:
    return worked is not None and (worked in shifts or None in shifts)


def is_settled(worked: str | None, shifts: Shifts) -> bool:
    return worked in shifts


KEEPS: Mapping[str, Callable[[str | None, Shifts], bool]] = {
    "unavailable": is_spared,
    "avoids": is_spared,
    "prefers": is_given,
    "locked": is_settled,
}
"""By kind of change about one nurse: whether the shift worked on a day (None = off) keeps it."""


def keeps_apart(one: str | None, other: str | None) -> bool | None:
    """None = there is nothing to keep: one of the two is off."""
    return None if one is None or other is None else one != other


def keeps_together(one: str | None, other: str | None) -> bool | None:
    """None = there is nothing to keep: both are off."""
    return None if one is None and other is None else one == other


class _DayKept(NamedTuple):
    kept: bool
    cells: list[Cell]


def kept_changes(ward: Ward, roster: Roster, changes: Sequence[Change]) -> list[ChangeKept]:
    """In order. `changes`: as `amended` took them, the oldest first; `ward`: with all of them in it."""
    return [_kept(ward, roster, change, changes[place + 1 :]) for place, change in enumerate(changes)]


def _kept(ward: Ward, roster: Roster, change: Change, later: Sequence[Change]) -> ChangeKept:
    rows = still_asked(ward, change, later)
    is_pair = change.kind in ("apart", "together")
    days = list(_pair_days(ward, roster, rows) if is_pair else _nurse_days(ward, roster, change, rows))
    against = [day.cells for day in days if not day.kept]
    named = against[: MOST_CELLS // (2 if is_pair else 1)]
    return ChangeKept(
        asked=as_understood(ward, change),
        kind=change.kind,
        nurses=_nurses(ward, change),
        verdict=_verdict(len(days), len(against)) if rows else "replaced",
        days=len(days),
        kept_days=len(days) - len(against),
        not_kept_on=[cell for cells in named for cell in cells],
        more_days=len(against) - len(named),
    )


def _verdict(days: int, against: int) -> Verdict:
    if not against:
        return "kept"
    return "not kept" if against == days else "partly kept"


def _nurses(ward: Ward, change: Change) -> list[str]:
    _, rows = rows_of(ward, change)
    first = rows[0]
    return [first.first, first.second] if isinstance(first, Pair) else [first.nurse]


def _nurse_days(ward: Ward, roster: Roster, change: Change, rows: Sequence[Any]) -> Iterator[_DayKept]:
    asked: dict[date, list[str | None]] = defaultdict(list)
    for row in rows:
        asked[row.day].append(row.shift)
    for day, shifts in asked.items():
        cell = _cell(ward, roster, rows[0].nurse, day)
        yield _DayKept(KEEPS[change.kind](cell.shift, shifts), [cell])


def _pair_days(ward: Ward, roster: Roster, pairs: Sequence[Pair]) -> Iterator[_DayKept]:
    for pair in pairs:
        keeps = keeps_together if pair.together else keeps_apart
        for day in map(ward.day, range(ward.days)):
            one, other = (_cell(ward, roster, nurse, day) for nurse in (pair.first, pair.second))
            if (kept := keeps(one.shift, other.shift)) is not None:
                yield _DayKept(kept, [one, other])


def _cell(ward: Ward, roster: Roster, nurse: str, day: date) -> Cell:
    return Cell(nurse=nurse, day=day, shift=roster[nurse][ward.index(day)])
