"""Single days off, half weekends, pairs not kept: warnings, never a breach."""

from collections.abc import Iterator

from wavegraph.tools.roster.checks.findings import Finding, about, iso
from wavegraph.tools.roster.checks.runs import off_limit
from wavegraph.tools.roster.checks.timelines import Checked, Timeline, Weekend
from wavegraph.tools.roster.problem.weekends import alike, weekend_weights
from wavegraph.tools.roster.ward.ward import Pair, Roster, RunLimit


def check_isolated_days_off(of: Checked) -> list[Finding]:
    """A single day off between two worked ones that nobody asked for (NSW public nurses: no single days off unless
    asked). The tail's last days count."""
    return [
        Finding(
            type="isolated_day_off",
            **about(timeline.nurse),
            day=iso(of.ward, max(0, day)),
            level="warning",
            given={"first": iso(of.ward, day)},
            expected=2,
            actual=1,
        )
        for timeline, day in isolated_days_off(of)
    ]


def isolated_days_off(of: Checked) -> Iterator[tuple[Timeline, int]]:
    """Worked days are known on both sides, the later one in the horizon."""
    two_off = RunLimit(off=True, least=2)
    for timeline in of.timelines:
        days = (short.run.first for short in off_limit(timeline, two_off))
        yield from ((timeline, day) for day in days if (timeline.nurse.id, day) not in of.asked_off)


def check_incomplete_weekends(of: Checked) -> list[Finding]:
    """One day of a weekend worked and the other, not asked off, free (INRC-II S5); `rules.complete_weekends` or a
    `split_weekend_weight` asks for it. Of a weekend that the first day ends, the tail has the Saturday."""
    return [
        Finding(
            type="incomplete_weekend",
            **about(timeline.nurse),
            day=iso(of.ward, max(0, worked)),
            level="warning",
            form="saturday" if worked == weekend.saturday else "sunday",
            given={"first": iso(of.ward, weekend.saturday), "last": iso(of.ward, weekend.saturday + 1)},
            expected="both days or neither",
            actual=iso(of.ward, worked),
        )
        for timeline, weekend, worked in half_weekends(of)
        if of.ward.rules.complete_weekends or weekend_weights(of.ward, timeline.nurse).split
    ]


def half_weekends(of: Checked) -> Iterator[tuple[Timeline, Weekend, int]]:
    """Each with the day that is worked; the other one was not asked off."""
    for timeline in of.timelines:
        for weekend in timeline.weekends:
            if weekend.half and (timeline.nurse.id, weekend.half[1]) not in of.asked_off:
                yield timeline, weekend, weekend.half[0]


def uneven_weekends(timeline: Timeline) -> Iterator[tuple[Weekend, int]]:
    """A nurse's split and mixed weekends with their weights, as `problem.weekends` defines them."""
    weights, same = weekend_weights(timeline.ward, timeline.nurse), alike(timeline.ward)
    for weekend in timeline.weekends:
        if weekend.half:
            yield weekend, weights.split
        elif weekend.first and weekend.second and same[weekend.first.id] != same[weekend.second.id]:
            yield weekend, weights.mixed


def check_mixed_weekends(of: Checked) -> list[Finding]:
    """Saturday and Sunday worked on different kinds of shift, where the ward prices that (INRC-I: identical shift types
    during the weekend)."""
    return [
        Finding(
            type="mixed_weekend",
            **about(timeline.nurse),
            day=iso(of.ward, weekend.saturday + 1),
            level="warning",
            given={"first": iso(of.ward, weekend.saturday)},
            expected="the same shift on both days",
            actual="different shifts",
        )
        for timeline in of.timelines
        for weekend, weight in uneven_weekends(timeline)
        if weight and not weekend.half
    ]


def pair_days(roster: Roster, pair: Pair) -> list[int]:
    """The days on which two who belong together differ, or two to keep apart work the same shift."""
    days = enumerate(zip(roster[pair.first], roster[pair.second], strict=True))
    if pair.together:
        return [day for day, (one, other) in days if one != other]
    return [day for day, (one, other) in days if one is not None and one == other]


def check_pairs(of: Checked) -> list[Finding]:
    """Two to keep apart on the same shift, or two to keep together with different days. Source: the ward's pairs."""
    return [
        Finding(
            type="pair",
            **about(of.ward.nurse_by_id[pair.first], of.ward.nurse_by_id[pair.second]),
            day=iso(of.ward, day),
            shift=of.roster[pair.first][day],
            level="warning",
            form="differ" if pair.together else "work_together",
            expected="together" if pair.together else "apart",
            actual="apart" if pair.together else "together",
        )
        for pair in of.ward.pairs
        for day in pair_days(of.roster, pair)
    ]
