"""Single days off, half weekends, pairs not kept: warnings, never a breach."""

from collections.abc import Iterator

from wavegraph.tools.roster.checks.findings import Finding, about, iso
from wavegraph.tools.roster.checks.runs import off_limit
from wavegraph.tools.roster.checks.timelines import Timeline, Weekend, timelines
from wavegraph.tools.roster.problem.weekends import alike, weekend_weights
from wavegraph.tools.roster.ward.ward import Pair, Roster, RunLimit, Ward


def asked_off(ward: Ward) -> set[tuple[str, int]]:
    """Nurse and day of leave that is a whole day, and of wishes for a day off."""
    leave = {(row.nurse, ward.index(row.day)) for row in ward.leave if row.shift is None}
    return leave | {(row.nurse, ward.index(row.day)) for row in ward.wishes if not row.wants and row.shift is None}


def check_isolated_days_off(ward: Ward, roster: Roster) -> list[Finding]:
    """A single day off between two worked ones that nobody asked for (NSW public nurses: no single days off unless
    asked). The tail's last days count."""
    return [
        Finding(
            type="isolated_day_off",
            **about(timeline.nurse),
            day=iso(ward, max(0, day)),
            level="warning",
            given={"first": iso(ward, day)},
            expected=2,
            actual=1,
        )
        for timeline, day in isolated_days_off(ward, roster)
    ]


def isolated_days_off(ward: Ward, roster: Roster) -> Iterator[tuple[Timeline, int]]:
    """Worked days are known on both sides, the later one in the horizon."""
    asked, two_off = asked_off(ward), RunLimit(off=True, least=2)
    for timeline in timelines(ward, roster):
        days = (short.run.first for short in off_limit(timeline, two_off))
        yield from ((timeline, day) for day in days if (timeline.nurse.id, day) not in asked)


def check_incomplete_weekends(ward: Ward, roster: Roster) -> list[Finding]:
    """One day of a weekend worked and the other, not asked off, free (INRC-II S5); `rules.complete_weekends` or a
    `split_weekend_weight` asks for it. Of a weekend that the first day ends, the tail has the Saturday."""
    return [
        Finding(
            type="incomplete_weekend",
            **about(timeline.nurse),
            day=iso(ward, max(0, worked)),
            level="warning",
            form="saturday" if worked == weekend.saturday else "sunday",
            given={"first": iso(ward, weekend.saturday), "last": iso(ward, weekend.saturday + 1)},
            expected="both days or neither",
            actual=iso(ward, worked),
        )
        for timeline, weekend, worked in half_weekends(ward, roster)
        if ward.rules.complete_weekends or weekend_weights(ward, timeline.nurse).split
    ]


def half_weekends(ward: Ward, roster: Roster) -> Iterator[tuple[Timeline, Weekend, int]]:
    """Each with the day that is worked; the other one was not asked off."""
    asked = asked_off(ward)
    for timeline in timelines(ward, roster):
        for weekend in timeline.weekends(ward):
            if weekend.half and (timeline.nurse.id, weekend.half[1]) not in asked:
                yield timeline, weekend, weekend.half[0]


def uneven_weekends(ward: Ward, timeline: Timeline) -> Iterator[tuple[Weekend, int]]:
    """A nurse's split and mixed weekends with their weights, as `problem.weekends` defines them."""
    weights, same = weekend_weights(ward, timeline.nurse), alike(ward)
    for weekend in timeline.weekends(ward):
        if weekend.half:
            yield weekend, weights.split
        elif weekend.first and weekend.second and same[weekend.first.id] != same[weekend.second.id]:
            yield weekend, weights.mixed


def check_mixed_weekends(ward: Ward, roster: Roster) -> list[Finding]:
    """Saturday and Sunday worked on different kinds of shift, where the ward prices that (INRC-I: identical shift types
    during the weekend)."""
    return [
        Finding(
            type="mixed_weekend",
            **about(timeline.nurse),
            day=iso(ward, weekend.saturday + 1),
            level="warning",
            given={"first": iso(ward, weekend.saturday)},
            expected="the same shift on both days",
            actual="different shifts",
        )
        for timeline in timelines(ward, roster)
        for weekend, weight in uneven_weekends(ward, timeline)
        if weight and not weekend.half
    ]


def pair_days(roster: Roster, pair: Pair) -> list[int]:
    """The days on which two who belong together differ, or two to keep apart work the same shift."""
    days = enumerate(zip(roster[pair.first], roster[pair.second], strict=True))
    if pair.together:
        return [day for day, (one, other) in days if one != other]
    return [day for day, (one, other) in days if one is not None and one == other]


def check_pairs(ward: Ward, roster: Roster) -> list[Finding]:
    """Two to keep apart on the same shift, or two to keep together with different days. Source: the ward's pairs."""
    return [
        Finding(
            type="pair",
            **about(ward.nurse_by_id[pair.first], ward.nurse_by_id[pair.second]),
            day=iso(ward, day),
            shift=roster[pair.first][day],
            level="warning",
            form="differ" if pair.together else "work_together",
            expected="together" if pair.together else "apart",
            actual="apart" if pair.together else "together",
        )
        for pair in ward.pairs
        for day in pair_days(roster, pair)
    ]
