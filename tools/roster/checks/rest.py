"""Rest and working time, by the clock of the ward's zone."""

from collections.abc import Iterator
from itertools import groupby
from typing import Literal

from wavegraph.tools.roster.checks.findings import Finding, about, iso
from wavegraph.tools.roster.checks.timelines import Checked, Rest, Timeline
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.told import told
from wavegraph.tools.roster.ward.ward import Level

WEEK = 7
RestType = Literal["daily_rest", "rest_after_nights"]


def check_daily_rest(of: Checked) -> list[Finding]:
    """`rules.daily_rest_hours` between two shifts (Directive 2003/88/EC art. 3: 11 hours). A shorter rest from
    `rules.derogated_rest_hours` on needs compensatory rest (art. 17, 18)."""
    needed, allowed = of.ward.rules.daily_rest_hours, of.ward.rules.derogated_rest_hours
    return [
        _short(timeline, rest, "daily_rest", "breach" if allowed is None or rest.hours < allowed else "compensatory")
        for timeline, rest in _short_rests(of, needed)
    ]


def _short_rests(of: Checked, needed: float) -> Iterator[tuple[Timeline, Rest]]:
    """Before a shift of the horizon; none where nothing is needed."""
    for timeline in of.timelines if needed else ():
        yield from ((timeline, rest) for rest in timeline.rests if rest.after.day >= 0 and rest.hours < needed)


def _short(timeline: Timeline, rest: Rest, kind: RestType, level: Level = "breach") -> Finding:
    ward, before, after = timeline.ward, rest.before, rest.after
    needed = ward.rules.daily_rest_hours if kind == "daily_rest" else ward.rules.rest_after_nights_hours
    return Finding(
        type=kind,
        **about(timeline.nurse),
        day=iso(ward, after.day),
        shift=after.shift.id,
        level=level,
        rule=RuleId(kind),
        expected=needed,
        actual=round(rest.hours, 2),
        form="overlap" if rest.hours < 0 else None,
        given={
            "hours": round(abs(rest.hours), 1),
            "after": before.shift.id,
            "first": iso(ward, before.day),
            "last": iso(ward, after.day),
        },
    )


def check_rest_after_nights(of: Checked) -> list[Finding]:
    """`rules.rest_after_nights_hours` after the last of a run of nights (one night is a run). Source: HSE good
    practice, two nights of full sleep; 46 hours are the UK junior doctors' rule."""
    return [
        _short(timeline, rest, "rest_after_nights")
        for timeline, rest in _short_rests(of, of.ward.rules.rest_after_nights_hours)
        if rest.before.shift.night and not (rest.after.shift.night and rest.after.day == rest.before.day + 1)
    ]


def check_weekly_rest(of: Checked) -> list[Finding]:
    """`rules.weekly_rest_hours` unbroken in every seven days (Directive 2003/88/EC art. 5 with 3: 24 + 11 hours).

    A day is a rest day when it is off and the rest around it, from shift to shift, is long enough; beyond what is
    known it is taken to be. Every seven known days in a row, the tail included, need a rest day. Where they have none,
    two in fourteen known days that hold the seven make the average (art. 16): that needs compensatory rest. The days
    after the horizon count as far as they are known.
    """
    return _weeks_without_rest(of, range(1 - WEEK, of.ward.days - WEEK + 1))


def check_weekly_rest_over_the_end(of: Checked) -> list[Finding]:
    """The same of weeks that begin in the horizon and end after it."""
    return _weeks_without_rest(of, range(of.ward.days - WEEK + 1, of.ward.days))


def _weeks_without_rest(of: Checked, starts: range) -> list[Finding]:
    whole = [timeline.with_days_after() for timeline in of.timelines] if of.ward.rules.weekly_rest_hours else []
    return [found for timeline in whole for found in _stretches_without_rest(timeline, starts)]


def _stretches_without_rest(timeline: Timeline, starts: range) -> list[Finding]:
    rest_days = _rest_days(timeline)
    weeks = (start for start in starts if timeline.first <= start <= timeline.last - WEEK + 1)
    without = [start for start in weeks if rest_days.isdisjoint(range(start, start + WEEK))]
    # Weeks that overlap are one stretch: day minus place in the list is the same along a block of neighbours.
    blocks = groupby(enumerate(without), key=lambda pair: pair[1] - pair[0])
    return [_no_weekly_rest(timeline, rest_days, [start for _, start in block]) for _, block in blocks]


def _rest_days(timeline: Timeline) -> set[int]:
    short = [rest for rest in timeline.rests if rest.hours < timeline.ward.rules.weekly_rest_hours]
    spoilt = {day for rest in short for day in range(rest.before.day, rest.after.day)}
    return set(range(timeline.first, timeline.last + 1)) - {worked.day for worked in timeline.worked} - spoilt


def _no_weekly_rest(timeline: Timeline, rest_days: set[int], starts: list[int]) -> Finding:
    ward, known = timeline.ward, timeline.rests
    averaged = all(_averaged(timeline, rest_days, start) for start in starts)
    level: Level = "compensatory" if averaged else "breach"
    first, last = starts[0], starts[-1] + WEEK - 1
    longest = max((rest.hours for rest in known if first <= rest.before.day and rest.after.day <= last), default=0.0)
    return Finding(
        type="weekly_rest",
        **about(timeline.nurse),
        day=iso(ward, max(0, starts[0] + WEEK - 1)),
        level=level,
        rule=RuleId("weekly_rest"),
        expected=ward.rules.weekly_rest_hours,
        actual=round(longest, 2),
        given={
            "first": iso(ward, first),
            "last": iso(ward, last),
            "longest": round(longest, 1),
            "averaged": told("found.averaged") if averaged else "",
        },
    )


def _averaged(timeline: Timeline, rest_days: set[int], start: int) -> bool:
    """Two rest days in fourteen known days that hold these seven."""
    fortnights = [range(first, first + 2 * WEEK) for first in range(start - WEEK, start + 1)]
    known = [days for days in fortnights if days[0] >= timeline.first and days[-1] <= timeline.last]
    return any(len(rest_days.intersection(days)) >= 2 for days in known)


def check_weekly_hours(of: Checked) -> list[Finding]:
    """At most `rules.weekly_hours` a week on average over the horizon and the known tail (Directive 2003/88/EC art. 6,
    16: 48 hours).

        paid hours / max(1, known days / 7) <= weekly_hours
    """
    limit = of.ward.rules.weekly_hours
    averages = [(timeline, _weekly_average(timeline)) for timeline in of.timelines] if limit else []
    return [
        Finding(
            type="weekly_hours",
            **about(timeline.nurse),
            rule=RuleId("weekly_hours"),
            expected=limit,
            actual=round(average, 2),
            given={"hours": round(average, 1), "days": len(timeline.cells)},
        )
        for timeline, average in averages
        if average > limit
    ]


def _weekly_average(timeline: Timeline) -> float:
    hours = sum(worked.shift.paid for worked in timeline.worked) / 60
    return hours * WEEK / max(WEEK, len(timeline.cells))


BETWEEN_SHIFTS = (check_daily_rest, check_rest_after_nights)
RULES = (*BETWEEN_SHIFTS, check_weekly_rest, check_weekly_hours)
