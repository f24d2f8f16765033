"""The fatigue score that each shift begins with, and where it is too high."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from wavegraph.tools.roster.checks.findings import Finding, about, is_weekend, iso
from wavegraph.tools.roster.checks.timelines import Checked, Timeline, WorkedShift
from wavegraph.tools.roster.problem.prices import FatigueUnits, in_units
from wavegraph.tools.roster.ward.fairness_limits import EmpathyLimits, FatigueScale
from wavegraph.tools.roster.ward.finding_types import FindingType


@dataclass(frozen=True)
class Tired:
    """A shift of the horizon with the score it begins with, and which working day in a row it is (1 = the first)."""

    worked: WorkedShift
    score: float
    in_a_row: int


def scores(timeline: Timeline, scale: FatigueScale) -> list[float]:
    """The score at the beginning of each day of the horizon, and after the last, starting from `nurse.fatigue`, which
    includes the effect of the tail.

    shift:    score + per_day (per_night) + per_quick_return where the rest before it was short
    day off:  score - per_day_off                                         always within 0 to 1
    """
    quick = {rest.after.day for rest in timeline.rests if rest.hours < scale.quick_return_hours}
    found = [timeline.nurse.fatigue]
    for day, shift in enumerate(timeline.horizon):
        change = (
            -scale.per_day_off
            if shift is None
            else (scale.per_night if shift.night else scale.per_day) + (day in quick) * scale.per_quick_return
        )
        found.append(round(min(1.0, max(0.0, found[-1] + change)), 4))
    return found


def priced_scores(timeline: Timeline) -> list[int]:
    """The same as it is priced, in units: it may go below 0 and above 1, and a short rest adds nothing to it."""
    scale = FatigueUnits.of(timeline.ward)
    changes = (-scale.day_off if s is None else scale.night if s.night else scale.shift for s in timeline.horizon)
    return list(accumulate(changes, initial=in_units(timeline.nurse.fatigue)))


def tired(timeline: Timeline, scores: Sequence[float]) -> list[Tired]:
    """Each shift of the horizon; `scores`: of each day."""
    runs = {day: day - run.first + 1 for run in timeline.runs(bool) for day in range(run.first, run.last + 1)}
    return [Tired(worked, scores[worked.day], runs[worked.day]) for worked in timeline.in_horizon]


def check_fatigue(of: Checked, limits: EmpathyLimits) -> list[Finding]:
    """The first of these that applies to each shift, by the score it begins with:

    - fatigue_night: a night with a high score
    - fatigue_weekend: a weekend day with a high score
    - fatigue_high: a high score after `high_run` days in a row
    - fatigue_moderate: a moderate score, or more, after `moderate_run` days in a row

    Source: HSE good practice (short runs of nights and long days); the scale itself is a convention of the ward.
    """
    scale = limits.fatigue
    return [
        _finding(timeline, shift, kinds[0], scale)
        for timeline in of.timelines
        for shift in tired(timeline, scores(timeline, scale))
        if (kinds := list(_strains(timeline, shift, scale)))
    ]


def fatigue_charged(timeline: Timeline) -> Iterator[FindingType]:
    """The kind of each shift that is priced: a moderate score after so many days also where it is high."""
    for shift in tired(timeline, priced_scores(timeline)):
        yield from _strains(timeline, shift, FatigueUnits.of(timeline.ward))


def _strains(timeline: Timeline, shift: Tired, scale: FatigueScale | FatigueUnits) -> Iterator[FindingType]:
    if shift.score >= scale.high:
        if shift.worked.shift.night:
            yield "fatigue_night"
        elif is_weekend(timeline.ward.day(shift.worked.day)):
            yield "fatigue_weekend"
        elif shift.in_a_row > scale.high_run:
            yield "fatigue_high"
    if shift.score >= scale.moderate and shift.in_a_row > scale.moderate_run:
        yield "fatigue_moderate"


def _finding(timeline: Timeline, shift: Tired, kind: FindingType, scale: FatigueScale) -> Finding:
    bound = scale.moderate if kind == "fatigue_moderate" else scale.high
    return Finding(
        type=kind,
        **about(timeline.nurse),
        day=iso(timeline.ward, shift.worked.day),
        shift=shift.worked.shift.id,
        level="warning",
        given={"score": f"{shift.score:.2f}", "row": shift.in_a_row},
        expected=bound,
        actual=shift.score,
    )
