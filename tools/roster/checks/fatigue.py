"""The fatigue score that each shift begins with, and where it is too high."""

from dataclasses import dataclass

from wavegraph.tools.roster.checks.findings import Finding, is_weekend, iso, number, who
from wavegraph.tools.roster.checks.timelines import Timeline, WorkedShift, rest_hours, timelines
from wavegraph.tools.roster.ward.fairness_limits import EmpathyLimits, FatigueScale
from wavegraph.tools.roster.ward.finding_types import FindingType
from wavegraph.tools.roster.ward.ward import Roster, Ward


@dataclass(frozen=True)
class Tired:
    """A shift of the horizon with the score it begins with, and which working day in a row it is (1 = the first)."""

    worked: WorkedShift
    score: float
    in_a_row: int


def tired(ward: Ward, timeline: Timeline, scale: FatigueScale) -> list[Tired]:
    """The score of each shift, starting from `nurse.fatigue`, which includes the effect of the tail.

    shift:    score + per_day (per_night) + per_quick_return where the rest before it was short
    day off:  score - per_day_off                                         always within 0 to 1
    """
    before = {after.day: rest_hours(ward, earlier, after) for earlier, after in timeline.steps()}
    runs = {day: day - run.first + 1 for run in timeline.runs(working=True) for day in range(run.first, run.last + 1)}
    score, found = timeline.nurse.fatigue, []
    for day in range(timeline.last + 1):
        shift = timeline.at(day)
        if shift:
            found.append(Tired(WorkedShift(day, shift), score, runs[day]))
            quick = before.get(day, scale.quick_return_hours) < scale.quick_return_hours
            score += (scale.per_night if shift.night else scale.per_day) + quick * scale.per_quick_return
        else:
            score -= scale.per_day_off
        score = round(min(1.0, max(0.0, score)), 4)
    return found


def check_fatigue(ward: Ward, roster: Roster, limits: EmpathyLimits) -> list[Finding]:
    """The first of these that applies to each shift, by the score it begins with:

    - fatigue_night: a night with a high score
    - fatigue_weekend: a weekend day with a high score
    - fatigue_high: a high score after `high_run` days in a row
    - fatigue_moderate: a moderate score, or more, after `moderate_run` days in a row

    Source: HSE good practice (short runs of nights and long days); the scale itself is a convention of the ward.
    """
    scale = limits.fatigue
    shifts = [(timeline, shift) for timeline in timelines(ward, roster) for shift in tired(ward, timeline, scale)]
    judged = [(timeline, shift, _kind(ward, shift, scale)) for timeline, shift in shifts]
    return [_finding(ward, timeline, shift, kind, scale) for timeline, shift, kind in judged if kind]


def _kind(ward: Ward, shift: Tired, scale: FatigueScale) -> FindingType | None:
    high = shift.score >= scale.high
    if high and shift.worked.shift.night:
        return "fatigue_night"
    if high and is_weekend(ward.day(shift.worked.day)):
        return "fatigue_weekend"
    if high and shift.in_a_row > scale.high_run:
        return "fatigue_high"
    if shift.score >= scale.moderate and shift.in_a_row > scale.moderate_run:
        return "fatigue_moderate"
    return None


def _finding(ward: Ward, timeline: Timeline, shift: Tired, kind: FindingType, scale: FatigueScale) -> Finding:
    day, name = iso(ward, shift.worked.day), shift.worked.shift.id
    bound = scale.moderate if kind == "fatigue_moderate" else scale.high
    return Finding(
        type=kind,
        nurse_id=timeline.nurse.id,
        day=day,
        shift=name,
        level="warning",
        detail=f"{who(timeline.nurse)} begins {name} of {day} with a fatigue score of {shift.score:.2f} "
        f"({number(bound)} or more is {'moderate' if kind == 'fatigue_moderate' else 'high'}), day {shift.in_a_row} in a row",
        expected=bound,
        actual=shift.score,
    )
