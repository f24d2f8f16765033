"""Whether a roster keeps what was asked for: each change held against the roster's cells alone.

No solver and no check of the ward's rows has a part in it, so that a fault of theirs shows here.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from wavegraph.tools.roster.dialogue.amending import as_understood, nurses_of, still_asked
from wavegraph.tools.roster.records import Cell, Change, ChangeKept, Verdict
from wavegraph.tools.roster.ward.ward import Pair, Roster, Ward

MOST_CELLS = 20
"""That are named of one change."""
Shifts = Collection[str | None]
"""Those a change names; None = any work, of a settled cell a day off."""


KEEPS: Mapping[str, Callable[[str | None, Shifts], bool]] = {
    "unavailable": lambda worked, shifts: worked is None or (worked not in shifts and None not in shifts),
    "prefers": lambda worked, shifts: worked is not None and (worked in shifts or None in shifts),
    "locked": lambda worked, shifts: worked in shifts,
}
"""By kind of change about one nurse: whether the shift worked on a day (None = off) keeps it. A wish to be spared is kept as one
who is unavailable is."""
KEEPS_PAIR: Mapping[str, Callable[[str | None, str | None], bool | None]] = {
    "apart": lambda one, other: None if one is None or other is None else one != other,
    "together": lambda one, other: None if one is None and other is None else one == other,
}
"""None = there is nothing to keep: one of the two is off, or both are."""


class _DayKept(NamedTuple):
    kept: bool
    cells: list[Cell]


def kept_changes(ward: Ward, roster: Roster, changes: Sequence[Change]) -> list[ChangeKept]:
    """In order. `changes`: as `amended` took them, the oldest first; `ward`: with all of them in it."""
    return [_kept(ward, roster, change, changes[place + 1 :]) for place, change in enumerate(changes)]


def _kept(ward: Ward, roster: Roster, change: Change, later: Sequence[Change]) -> ChangeKept:
    rows = still_asked(ward, change, later)
    is_pair = change.kind in KEEPS_PAIR
    days = list((_pair_days if is_pair else _nurse_days)(ward, roster, change, rows))
    against = [day.cells for day in days if not day.kept]
    named = against[: MOST_CELLS // (2 if is_pair else 1)]
    return ChangeKept(
        asked=as_understood(ward, change),
        kind=change.kind,
        nurses=nurses_of(ward, change),
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


def _nurse_days(ward: Ward, roster: Roster, change: Change, rows: Sequence[Any]) -> Iterator[_DayKept]:
    keeps = KEEPS["unavailable" if change.kind == "avoids" else change.kind]
    for day in dict.fromkeys(row.day for row in rows):
        cell = _cell(ward, roster, rows[0].nurse, day)
        yield _DayKept(keeps(cell.shift, [row.shift for row in rows if row.day == day]), [cell])


def _pair_days(ward: Ward, roster: Roster, change: Change, pairs: Sequence[Pair]) -> Iterator[_DayKept]:
    for pair in pairs:
        for day in map(ward.day, range(ward.days)):
            one, other = (_cell(ward, roster, nurse, day) for nurse in (pair.first, pair.second))
            if (kept := KEEPS_PAIR[change.kind](one.shift, other.shift)) is not None:
                yield _DayKept(kept, [one, other])


def _cell(ward: Ward, roster: Roster, nurse: str, day: date) -> Cell:
    return Cell(nurse=nurse, day=day, shift=roster[nurse][ward.index(day)])
