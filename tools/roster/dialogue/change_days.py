"""Which days of a ward's period a change is about. Weeks and weekdays are counted here, not by the model."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.told import Told, told
from wavegraph.tools.roster.ward.ward import Ward

MOST_LISTED = 7
"""Days that are listed."""
DAY = timedelta(days=1)


def days_of(ward: Ward, change: Change) -> list[date]:
    """In order, never empty; days outside the period are left out. Raises ToolRefusal `outside_period` where all are."""
    first, last = change.first or ward.start, change.last or change.first or _last_of(ward)
    period = [(index, ward.day(index)) for index in range(ward.days)]
    found = [day for index, day in period if first <= day <= last and _is_meant(index, day, change)]
    if not found:
        meant = f"{_asked(change, first, last)} is outside the roster's period"
        raise ToolRefusal(
            "outside_period",
            f"{meant}, {day_in_words(ward.start)} to {day_in_words(_last_of(ward))}",
            about={"first": ward.start.isoformat(), "last": _last_of(ward).isoformat()},
        )
    return found


def outside(ward: Ward, change: Change) -> list[tuple[date, date]]:
    """First and last day of what was asked for before the period and after it; empty = all lies in it."""
    first, last = change.first or ward.start, change.last or change.first or _last_of(ward)
    before, after = (first, min(last, ward.start - DAY)), (max(first, _last_of(ward) + DAY), last)
    return [span for span in (before, after) if any(_is_on_weekday(day, change) for day in _week_of(*span))]


def _week_of(first: date, last: date) -> list[date]:
    """The days of a span, of a long one the first seven."""
    return [first + n * DAY for n in range(min(7, (last - first).days + 1))]


def _is_on_weekday(day: date, change: Change) -> bool:
    return change.weekdays is None or f"{day:%A}".lower() in change.weekdays


def _is_meant(index: int, day: date, change: Change) -> bool:
    in_week = change.weeks is None or index // 7 + 1 in change.weeks
    return in_week and _is_on_weekday(day, change)


def _last_of(ward: Ward) -> date:
    return ward.day(ward.days - 1)


def _asked(change: Change, first: date, last: date) -> str:
    """The days as they were asked for; dates that were not named are left out."""
    end = "and after" if last == date.max else f"to {last}"
    days = [str(first) if first == last else f"{first} {end}"] if change.first or change.last else []
    weeks = [f"week {', '.join(map(str, change.weeks))}"] if change.weeks else []
    return ", ".join([*days, *(change.weekdays or ()), *weeks])


def when(ward: Ward, days: Sequence[date]) -> Told:
    """The whole period, a span of days, or the days one by one."""
    if len(days) == ward.days:
        return told("when.whole")
    if all(later - sooner == DAY for sooner, later in pairwise(days)):
        return span(days[0], days[-1])
    named = [told("when.day", day=day) for day in days[:MOST_LISTED]]
    more = len(days) - MOST_LISTED
    return told("when.more", days=named, more=more) if more > 0 else told("when.days", days=named)


def span(first: date, last: date) -> Told:
    if first == last:
        return told("when.day", day=first)
    return told("when.from", first=first) if last == date.max else told("days_to", first=first, last=last)


def day_in_words(day: date) -> str:
    return f"{day:%A} {day}"
