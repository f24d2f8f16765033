"""What differs between two rosters, cell by cell."""

from collections.abc import Sequence
from typing import NamedTuple

from wavegraph.tools.roster.ward.ward import Roster


class ChangedCell(NamedTuple):
    nurse: str
    """Id."""
    day: int
    """From the first day of both."""
    before: str | None
    now: str | None


def changes_between(before: Roster, now: Roster) -> list[ChangedCell]:
    """Of two rosters of the same days, by nurse in the later one's order. The row of a nurse who is in one of them
    alone is all days off in the other."""
    nurses = [*now, *(nurse for nurse in before if nurse not in now)]
    return [change for nurse in nurses for change in _of_nurse(nurse, before.get(nurse, ()), now.get(nurse, ()))]


def _of_nurse(nurse: str, before: Sequence[str | None], now: Sequence[str | None]) -> list[ChangedCell]:
    days = range(max(len(before), len(now)))
    pairs = [(day, before[day] if before else None, now[day] if now else None) for day in days]
    return [ChangedCell(nurse, day, old, new) for day, old, new in pairs if old != new]


def cells_in_words(count: int) -> str:
    return "no cell differs" if count == 0 else "1 cell differs" if count == 1 else f"{count} cells differ"
