"""Days in a row: working, at night, off; and which shift follows which."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from wavegraph.tools.roster.checks.findings import Finding, about, bound, iso
from wavegraph.tools.roster.checks.timelines import Checked, Run, Timeline, WorkedShift
from wavegraph.tools.roster.problem.ids import RuleId, RuleKind, RunId
from wavegraph.tools.roster.problem.rotation import steps_back
from wavegraph.tools.roster.problem.runs import counts, run_limits
from wavegraph.tools.roster.told import told
from wavegraph.tools.roster.ward.finding_types import FindingType
from wavegraph.tools.roster.ward.ward import Nurse, RunLimit, Ward


class OffLimit(NamedTuple):
    """A run that breaks a limit: days too few, or too many."""

    run: Run
    limit: RunLimit
    days: int
    short: bool


def off_limits(timeline: Timeline) -> list[OffLimit]:
    """Of every limit that `problem.runs` defines, hard or soft."""
    return [found for limit in run_limits(timeline.ward, timeline.nurse) for found in off_limit(timeline, limit)]


def off_limit(timeline: Timeline, limit: RunLimit) -> Iterator[OffLimit]:
    """A run that ends with the tail is cut off by day 0: its length is known, and the roster decides it."""
    for run in timeline.runs(lambda shift: counts(limit, shift.id if shift else None)):
        ended = run.first > timeline.first and -1 <= run.last < timeline.last
        if ended and run.length < limit.least:
            yield OffLimit(run, limit, limit.least - run.length, True)
        if limit.most is not None and run.last >= max(0, run.first + limit.most):
            yield OffLimit(run, limit, run.last + 1 - max(0, run.first + limit.most), False)


class _Must(NamedTuple):
    """A limit that every roster has to keep."""

    kind: FindingType
    limit: RunLimit
    counted: str = ""
    """Of `words_en`; empty = what the limit counts."""
    worked: bool = True
    least: RuleKind | None = None
    most: RuleKind | None = None
    """The rules of either end; None = the limit is one by itself."""

    def rule(self, *, short: bool) -> RuleId:
        if (kind := self.least if short else self.most) is not None:
            return RuleId(kind)
        return RuleId("run", run=RunId.of(self.limit, "least" if short else "most"))


def check_runs(of: Checked) -> list[Finding]:
    """Days in a row too few or too many, those of the tail counted:

    - consecutive_days: most working days by `rules.max_days_in_a_row` (HSE good practice: 5 to 7); with no tail a day off
      is taken to lie before the horizon
    - consecutive_nights: most nights by `rules.max_nights_in_a_row` and `contract.max_night_run` (HSE good practice: 2 to 3)
    - run_length: `contract.min_run` to `contract.max_run` working days (Curtois and Qu; INRC-II S2), and `rules.runs` and
      `contract.runs` without a weight; a run that touches either end of what is known is taken as long enough
    - days_off: at least `contract.min_days_off` days off, and limits without a weight to days off, with the same reading
    """
    return [
        _of_limit(
            timeline,
            broken,
            must.kind,
            must.rule(short=broken.short),
            must.counted,
            worked=must.worked and not broken.short,
        )
        for timeline in of.timelines
        for must in _musts(of.ward, timeline.nurse)
        for broken in off_limit(timeline, must.limit)
    ]


def _musts(ward: Ward, nurse: Nurse) -> Iterator[_Must]:
    rules, contract = ward.rules, nurse.contract
    yield _Must("consecutive_days", RunLimit(most=rules.max_days_in_a_row), "days", most="max_run")
    nights = [shift.id for shift in ward.shifts if shift.night]
    longest = (rules.max_nights_in_a_row, contract.max_night_run)
    if nights and any(longest):
        limit = RunLimit(shifts=nights, most=min(filter(None, longest)))
        yield _Must("consecutive_nights", limit, "nights", most="max_night_run")
    limit = RunLimit(least=contract.min_run, most=contract.max_run)
    yield _Must("run_length", limit, "days", least="min_run", most="max_run")
    limit = RunLimit(off=True, least=contract.min_days_off)
    yield _Must("days_off", limit, worked=False, least="min_days_off")
    for limit in run_limits(ward, nurse):
        if limit.weight is None:
            yield _Must("days_off" if limit.off else "run_length", limit, worked=False)


def check_unwelcome_runs(of: Checked) -> list[Finding]:
    """Runs too short or too long for a soft limit that costs something: `rules.runs` and `contract.runs` with a weight
    (INRC-II S2, S3)."""
    return [
        _of_limit(timeline, broken, "unwelcome_run")
        for timeline in of.timelines
        for broken in off_limits(timeline)
        if broken.limit.weight
    ]


def _of_limit(
    timeline: Timeline, broken: OffLimit, kind: FindingType, rule: RuleId | None = None, counted: str = "",
    *, worked: bool = False,
) -> Finding:  # fmt: skip
    """Found on the first day too many, or of a run that is too short; on day 0 where that lies before it."""
    run, limit = broken.run, broken.limit
    most = limit.least if broken.short or limit.most is None else limit.most
    found = run.first if broken.short else run.first + most
    counted = counted or ("days_off_in_a_row" if limit.off else "shifts" if limit.shifts else "working_days")
    return Finding(
        type=kind,
        **about(timeline.nurse),
        day=iso(timeline.ward, max(0, found)),
        level="breach" if limit.weight is None else "warning",
        rule=rule,
        expected=most,
        actual=run.length,
        form="run_worked" if worked else "run",
        given={
            "run": told(f"found.{counted}", n=run.length, shifts=limit.shifts),
            "first": iso(timeline.ward, run.first),
            "bound": bound(
                most,
                "wanted" if limit.weight is not None else "needed" if broken.short else "allowed",
                short=broken.short,
            ),
        },
    )


def backward_steps(timeline: Timeline) -> list[tuple[WorkedShift, WorkedShift]]:
    """Each step back, as `problem.rotation` defines it, into a day of the horizon."""
    return _followed_by(timeline, steps_back(timeline.ward))


def _followed_by(timeline: Timeline, after: Mapping[str, Collection[str]]) -> list[tuple[WorkedShift, WorkedShift]]:
    """The shifts of the horizon that follow, on the very next day, one that has them here."""
    return [
        (one, other)
        for one, other in timeline.steps()
        if other.day == one.day + 1 and other.shift.id in after[one.shift.id]
    ]


def check_successions(of: Checked) -> list[Finding]:
    """No shift on the day after one that lists it in `not_followed_by`; the tail's last day counts (INRC-II H3)."""
    after, succession = {shift.id: shift.not_followed_by for shift in of.ward.shifts}, RuleId("succession")
    return [
        _next_day(timeline, step, "succession", succession)
        for timeline in of.timelines
        for step in _followed_by(timeline, after)
    ]


def check_forward_rotation(of: Checked) -> list[Finding]:
    """No step back, where `rules.forward_only` forbids them (HSE good practice: forward rotation)."""
    return _steps_back(of, "succession", RuleId("forward_rotation")) if of.ward.rules.forward_only else []


def check_backward_rotation(of: Checked) -> list[Finding]:
    """Steps back that cost something by `rules.backward_weight` (HSE good practice: forward rotation)."""
    rules = of.ward.rules
    return _steps_back(of, "backward_rotation") if rules.backward_weight and not rules.forward_only else []


def _steps_back(of: Checked, kind: FindingType, rule: RuleId | None = None) -> list[Finding]:
    return [_next_day(timeline, step, kind, rule) for timeline in of.timelines for step in backward_steps(timeline)]


def _next_day(
    timeline: Timeline, step: tuple[WorkedShift, WorkedShift], kind: FindingType, rule: RuleId | None
) -> Finding:
    before, after = step
    return Finding(
        type=kind,
        **about(timeline.nurse),
        day=iso(timeline.ward, after.day),
        shift=after.shift.id,
        level="breach" if kind == "succession" else "warning",
        rule=rule,
        after=before.shift.id,
        expected=f"no {after.shift.id} after {before.shift.id}",
        actual=after.shift.id,
    )


RULES = (check_runs, check_successions, check_forward_rotation)
