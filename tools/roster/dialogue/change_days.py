"""Which days of a ward's period a change is about. Weeks and weekdays are counted here, not by the model."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.ward.ward import Ward

MOST_LISTED = 7
"""Days that are listed."""


def days_of(ward: Ward, change: Change) -> list[date]:
    """In order, never empty; days outside the period are left out. Raises ToolRefusal `outside_period` where all are."""
    first, last = change.first or ward.start, change.last or change.first or _last_of(ward)
    period = [(index, ward.day(index)) for index in range(ward.days)]
    found = [day for index, day in period if first <= day <= last and _is_meant(index, day, change)]
    if not found:
        meant = f"{_asked(change, first, last)} is outside the roster's period"
        raise ToolRefusal("outside_period", f"{meant}, {day_in_words(ward.start)} to {day_in_words(_last_of(ward))}")
    return found


def _is_meant(index: int, day: date, change: Change) -> bool:
    in_week = change.weeks is None or index // 7 + 1 in change.weeks
    return in_week and (change.weekdays is None or f"{day:%A}".lower() in change.weekdays)


def _last_of(ward: Ward) -> date:
    return ward.day(ward.days - 1)


def _asked(change: Change, first: date, last: date) -> str:
    """The days as they were asked for; dates that were not named are left out."""
    days = [str(first) if first == last else f"{first} to {last}"] if change.first or change.last else []
    weeks = [f"week {', '.join(map(str, change.weeks))}"] if change.weeks else []
    return ", ".join([*days, *(change.weekdays or ()), *weeks])


def in_words(ward: Ward, days: Sequence[date]) -> str:
    """`the whole period`, `Friday 2026-11-27`, `Monday 2026-11-30 to Sunday 2026-12-06`, or the days one by one."""
    if len(days) == ward.days:
        return "the whole period"
    if len(days) > 1 and all((later - sooner).days == 1 for sooner, later in pairwise(days)):
        return f"{day_in_words(days[0])} to {day_in_words(days[-1])}"
    more = [f"and {len(days) - MOST_LISTED} more"] if len(days) > MOST_LISTED else []
    return ", ".join([*map(day_in_words, days[:MOST_LISTED]), *more])


def day_in_words(day: date) -> str:
    return f"{day:%A} {day}"
