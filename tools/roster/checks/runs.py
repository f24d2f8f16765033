"""Days in a row: working, at night, off; and which shift follows which."""

from collections.abc import Iterator
from typing import NamedTuple

from wavegraph.tools.roster.checks.findings import Finding, iso, who
from wavegraph.tools.roster.checks.timelines import Run, Timeline, WorkedShift, timelines
from wavegraph.tools.roster.problem.rotation import steps_back
from wavegraph.tools.roster.problem.runs import counts, in_words, run_limits
from wavegraph.tools.roster.ward.finding_types import FindingType
from wavegraph.tools.roster.ward.ward import Roster, RunLimit, Ward


def check_consecutive_days(ward: Ward, roster: Roster) -> list[Finding]:
    """At most `rules.max_days_in_a_row` working days in a row, those of the tail counted (HSE good practice: 5 to 7).
    With no tail a day off is taken to lie before the horizon."""
    limit = ward.rules.max_days_in_a_row
    return [
        _too_long(ward, timeline, run, "consecutive_days", limit, "days in a row")
        for timeline in timelines(ward, roster)
        for run in timeline.runs(working=True)
        if limit and run.length > limit and run.last >= 0
    ]


def check_consecutive_nights(ward: Ward, roster: Roster) -> list[Finding]:
    """At most `rules.max_nights_in_a_row` and `contract.max_night_run` nights in a row, the tail counted (HSE good
    practice: 2 to 3)."""
    return [
        _too_long(ward, timeline, run, "consecutive_nights", limit, "nights in a row")
        for timeline in timelines(ward, roster)
        if (limit := min(_limits(ward.rules.max_nights_in_a_row, timeline.nurse.contract.max_night_run), default=0))
        for run in timeline.night_runs()
        if run.length > limit and run.last >= 0
    ]


def _limits(*limits: int | None) -> list[int]:
    return [limit for limit in limits if limit is not None]


def check_run_length(ward: Ward, roster: Roster) -> list[Finding]:
    """`contract.min_run` to `contract.max_run` working days in a row, the tail counted (Curtois and Qu; INRC-II S2).
    A run that touches either end of what is known is taken as long enough."""
    return [
        found
        for timeline in timelines(ward, roster)
        for found in (*_long_runs(ward, timeline), *_short_runs(ward, timeline))
    ]


def _long_runs(ward: Ward, timeline: Timeline) -> Iterator[Finding]:
    limit = timeline.nurse.contract.max_run
    for run in timeline.runs(working=True):
        if limit and run.length > limit and run.last >= 0:
            yield _too_long(ward, timeline, run, "run_length", limit, "days in a row")


def _short_runs(ward: Ward, timeline: Timeline) -> Iterator[Finding]:
    for run in _inner(timeline, working=True):
        if run.length < timeline.nurse.contract.min_run:
            yield _too_short(ward, timeline, run, "run_length", timeline.nurse.contract.min_run, "days in a row")


def check_days_off(ward: Ward, roster: Roster) -> list[Finding]:
    """At least `contract.min_days_off` days off in a row, with the same reading at the ends (Curtois and Qu)."""
    return [
        _too_short(ward, timeline, run, "days_off", timeline.nurse.contract.min_days_off, "days off in a row")
        for timeline in timelines(ward, roster)
        for run in _inner(timeline, working=False)
        if run.length < timeline.nurse.contract.min_days_off
    ]


class OffLimit(NamedTuple):
    """A run that breaks a limit: days too few, or too many."""

    run: Run
    limit: RunLimit
    days: int
    short: bool


def off_limits(ward: Ward, timeline: Timeline) -> list[OffLimit]:
    """Of every limit that `problem.runs` defines, hard or soft."""
    return [found for limit in run_limits(ward, timeline.nurse) for found in _off_limit(timeline, limit)]


def _off_limit(timeline: Timeline, limit: RunLimit) -> Iterator[OffLimit]:
    for run in timeline.runs_where(lambda shift: counts(limit, shift.id if shift else None)):
        ended = run.first > timeline.first and -1 <= run.last < timeline.last
        if ended and run.length < limit.least:
            yield OffLimit(run, limit, limit.least - run.length, True)
        if limit.most is not None and run.last >= max(0, run.first + limit.most):
            yield OffLimit(run, limit, run.last + 1 - max(0, run.first + limit.most), False)


def check_run_limits(ward: Ward, roster: Roster) -> list[Finding]:
    """Hard limits to days in a row of some shifts, of work, or off: `rules.runs` and `contract.runs` without a weight."""
    return [
        _of_limit(ward, timeline, broken, "days_off" if broken.limit.off else "run_length")
        for timeline in timelines(ward, roster)
        for broken in off_limits(ward, timeline)
        if broken.limit.weight is None
    ]


def check_unwelcome_runs(ward: Ward, roster: Roster) -> list[Finding]:
    """Runs too short or too long for a soft limit that costs something: `rules.runs` and `contract.runs` with a weight
    (INRC-II S2, S3)."""
    return [
        _of_limit(ward, timeline, broken, "unwelcome_run").model_copy(update={"level": "warning"})
        for timeline in timelines(ward, roster)
        for broken in off_limits(ward, timeline)
        if broken.limit.weight
    ]


def _of_limit(ward: Ward, timeline: Timeline, broken: OffLimit, kind: FindingType) -> Finding:
    run, limit = broken.run, broken.limit
    bound = limit.least if broken.short or limit.most is None else limit.most
    found = run.first if broken.short else run.first + bound
    wanted = "wanted" if limit.weight is not None else "needed" if broken.short else "allowed"
    return Finding(
        type=kind,
        nurse_id=timeline.nurse.id,
        day=iso(ward, max(0, found)),
        detail=f"{who(timeline.nurse)} has {run.length} {in_words(limit)} from {iso(ward, run.first)}, "
        f"at {'least' if broken.short else 'most'} {bound} {wanted}",
        expected=bound,
        actual=run.length,
    )


def _inner(timeline: Timeline, *, working: bool) -> list[Run]:
    """The runs whose length is known and which the roster decides: one that ends with the tail is cut off by day 0."""
    runs = timeline.runs(working=working)
    return [run for run in runs if run.first > timeline.first and -1 <= run.last < timeline.last]


def _too_long(ward: Ward, timeline: Timeline, run: Run, kind: FindingType, limit: int, what: str) -> Finding:
    """Found on the first day too many, or on day 0 where that lies before it."""
    return Finding(
        type=kind,
        nurse_id=timeline.nurse.id,
        day=iso(ward, max(0, run.first + limit)),
        detail=f"{who(timeline.nurse)} works {run.length} {what} from {iso(ward, run.first)}, at most {limit} allowed",
        expected=limit,
        actual=run.length,
    )


def _too_short(ward: Ward, timeline: Timeline, run: Run, kind: FindingType, limit: int, what: str) -> Finding:
    return Finding(
        type=kind,
        nurse_id=timeline.nurse.id,
        day=iso(ward, max(0, run.first)),
        detail=f"{who(timeline.nurse)} has {run.length} {what} from {iso(ward, run.first)}, at least {limit} needed",
        expected=limit,
        actual=run.length,
    )


def check_successions(ward: Ward, roster: Roster) -> list[Finding]:
    """No shift on the day after one that lists it in `not_followed_by`; the tail's last day counts (INRC-II H3)."""
    return [
        Finding(
            type="succession",
            nurse_id=timeline.nurse.id,
            day=iso(ward, after.day),
            shift=after.shift.id,
            detail=f"{who(timeline.nurse)} works {after.shift.id} on {iso(ward, after.day)}, the day after "
            f"{before.shift.id}, which it must not follow",
            expected=f"no {after.shift.id} after {before.shift.id}",
            actual=after.shift.id,
        )
        for timeline in timelines(ward, roster)
        for before, after in timeline.steps()
        if after.day == before.day + 1 and after.shift.id in before.shift.not_followed_by
    ]


def backward_steps(ward: Ward, timeline: Timeline) -> list[tuple[WorkedShift, WorkedShift]]:
    """Each step back, as `problem.rotation` defines it, into a day of the horizon."""
    back = steps_back(ward)
    return [
        (before, after)
        for before, after in timeline.steps()
        if after.day == before.day + 1 and after.shift.id in back[before.shift.id]
    ]


def check_forward_rotation(ward: Ward, roster: Roster) -> list[Finding]:
    """No step back, where `rules.forward_only` forbids them (HSE good practice: forward rotation)."""
    return _steps_back(ward, roster, "succession") if ward.rules.forward_only else []


def check_backward_rotation(ward: Ward, roster: Roster) -> list[Finding]:
    """Steps back that cost something by `rules.backward_weight` (HSE good practice: forward rotation)."""
    if ward.rules.forward_only or not ward.rules.backward_weight:
        return []
    return [found.model_copy(update={"level": "warning"}) for found in _steps_back(ward, roster, "backward_rotation")]


def _steps_back(ward: Ward, roster: Roster, kind: FindingType) -> list[Finding]:
    return [
        Finding(
            type=kind,
            nurse_id=timeline.nurse.id,
            day=iso(ward, after.day),
            shift=after.shift.id,
            detail=f"{who(timeline.nurse)} works {after.shift.id} on {iso(ward, after.day)}, a step back "
            f"from {before.shift.id} the day before",
            expected=f"no {after.shift.id} after {before.shift.id}",
            actual=after.shift.id,
        )
        for timeline in timelines(ward, roster)
        for before, after in backward_steps(ward, timeline)
    ]
