"""Which days of a ward's period a change is about. Weeks and weekdays are counted here, not by the model."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.answers.phrases import day_in_words
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.told import Told, told
from wavegraph.tools.roster.ward.ward import Ward

MOST_LISTED = 7
"""Days that are listed."""
DAY = timedelta(days=1)


def days_of(ward: Ward, change: Change) -> list[date]:
    """In order, never empty; days outside the period are left out. Raises ToolRefusal `outside_period` where all are."""
    first, last = _asked_for(ward, change)
    period = [(index, ward.day(index)) for index in range(ward.days)]
    weeks = [day for index, day in period if change.weeks is None or index // 7 + 1 in change.weeks]
    found = [day for day in weeks if first <= day <= last and _is_on_weekday(day, change)]
    if not found:
        start, end = period[0][1], period[-1][1]
        meant = f"{_in_words(change, first, last)} is outside the roster's period"
        raise ToolRefusal(
            "outside_period",
            f"{meant}, {day_in_words(start, 'en')} to {day_in_words(end, 'en')}",
            about={"first": start.isoformat(), "last": end.isoformat()},
        )
    return found


def outside(ward: Ward, change: Change) -> list[tuple[date, date]]:
    """First and last day of what was asked for before the period and after it; empty = all lies in it."""
    first, last = _asked_for(ward, change)
    spans = (first, min(last, ward.start - DAY)), (max(first, ward.day(ward.days)), last)
    weeks = {span: [span[0] + n * DAY for n in range(min(7, (span[1] - span[0]).days + 1))] for span in spans}
    return [span for span, days in weeks.items() if any(_is_on_weekday(day, change) for day in days)]


def _asked_for(ward: Ward, change: Change) -> tuple[date, date]:
    return change.first or ward.start, change.last or change.first or ward.day(ward.days - 1)


def _is_on_weekday(day: date, change: Change) -> bool:
    return change.weekdays is None or f"{day:%A}".lower() in change.weekdays


def _in_words(change: Change, first: date, last: date) -> str:
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
