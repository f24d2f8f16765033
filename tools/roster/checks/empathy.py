"""Is this roster fair to the people in it? Hours, nights, weekends, wishes, fatigue, patterns."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from statistics import mean
from typing import Literal

from pydantic import BaseModel, ConfigDict

from wavegraph.tools.roster.checks.balance import check_balance
from wavegraph.tools.roster.checks.contracts import check_totals
from wavegraph.tools.roster.checks.fatigue import check_fatigue
from wavegraph.tools.roster.checks.findings import Finding, about, in_hours, in_order
from wavegraph.tools.roster.checks.measures import Share, shares
from wavegraph.tools.roster.checks.patterns import (
    check_incomplete_weekends,
    check_isolated_days_off,
    check_mixed_weekends,
    check_pairs,
)
from wavegraph.tools.roster.checks.runs import check_backward_rotation, check_unwelcome_runs
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.told import Given, told
from wavegraph.tools.roster.ward.fairness_limits import EmpathyLimits, Points
from wavegraph.tools.roster.ward.finding_types import FindingType
from wavegraph.tools.roster.ward.ward import Roster, Ward

STRAIN: tuple[FindingType, ...] = ("fatigue_high", "fatigue_weekend", "fatigue_night")
PATTERNS: tuple[FindingType, ...] = ("isolated_day_off", "incomplete_weekend", "unwelcome_run", "mixed_weekend")


Concentration = tuple[FindingType, int, float | None, float | None, float]
"""Type, how many, a fair share, how far above it, how far is allowed."""


class ExceededLimit(BaseModel):
    """A type with more findings than are allowed."""

    model_config = ConfigDict(frozen=True)

    type: FindingType
    found: int
    allowed: int


class EmpathyReport(BaseModel):
    model_config = ConfigDict(frozen=True)

    status: Literal["APPROVED", "REJECTED"]
    """REJECTED when a type has more findings than `EmpathyLimits.allowed`; `failed` names them."""
    failed: list[ExceededLimit]
    findings: list[Finding]
    scores: dict[str, float]
    """Nurse id to a score from 0 (badly treated) to 100 (nothing found): 100 less the `Points` of the findings."""
    fairness: float
    """100 less the mean difference between the scores of two nurses, over all pairs: 100 = all are treated alike."""
    shares: list[Share]

    @property
    def unfair(self) -> list[Finding]:
        """The findings of the types that failed."""
        failed = {excess.type for excess in self.failed}
        return [found for found in self.findings if found.type in failed]


def check_empathy(ward: Ward, roster: Roster, limits: EmpathyLimits | None = None) -> EmpathyReport:
    """Check the roster against the limits, by default the ward's own. Raises `RosterError` if it does not fit the ward."""
    return empathy_of(Checked.of(ward, roster), limits)


def empathy_of(checked: Checked, limits: EmpathyLimits | None = None) -> EmpathyReport:
    limits = limits or checked.ward.fairness
    measured = shares(checked, limits.history_share)
    own = findings_of_rows(checked, measured, limits)
    return report_on(measured, [*own, *findings_of_all(checked)], limits)


def findings_of_rows(of: Checked, measured: list[Share], limits: EmpathyLimits) -> list[Finding]:
    """What is found by looking at one nurse's row at a time."""
    return [
        *(found for share in measured for found in check_share(of.ward, share, limits)),
        *check_fatigue(of, limits),
        *check_isolated_days_off(of),
        *check_incomplete_weekends(of),
        *check_unwelcome_runs(of),
        *check_mixed_weekends(of),
        *check_totals(of),
        *check_backward_rotation(of),
    ]


def findings_of_all(of: Checked) -> list[Finding]:
    """What depends on more than one nurse's row: pairs, and shares of balanced kinds."""
    return [*check_balance(of), *check_pairs(of)]


def report_on(measured: list[Share], found: list[Finding], limits: EmpathyLimits) -> EmpathyReport:
    """What the findings and shares of all nurses come to."""
    findings = in_order(found)
    failed = _failed(findings, limits)
    scores = {share.nurse_id: score(share, findings, limits.points) for share in measured}
    return EmpathyReport(
        status="REJECTED" if failed else "APPROVED",
        failed=failed,
        findings=findings,
        scores=scores,
        fairness=fairness(list(scores.values())),
        shares=measured,
    )


def _failed(findings: list[Finding], limits: EmpathyLimits) -> list[ExceededLimit]:
    counts = Counter(found.type for found in findings)
    bounds = [(kind, most) for kind, most in limits.allowed.items() if most is not None]
    return [ExceededLimit(type=kind, found=counts[kind], allowed=most) for kind, most in bounds if counts[kind] > most]


def check_share(ward: Ward, share: Share, limits: EmpathyLimits) -> Iterator[Finding]:
    """One nurse's hours, nights, weekends and wishes against the limits."""
    yield from _hours(ward, share, limits)
    above: tuple[Concentration, ...] = (
        ("night_concentration", share.nights, share.nights_due, share.nights_above, limits.nights_over_mean),
        ("weekend_concentration", share.weekends, share.weekends_due, share.weekends_above, limits.weekends_over_mean),
        ("holiday_concentration", share.holidays, share.holidays_due, share.holidays_above, limits.holidays_over_mean),
    )
    for kind, own, due, over, most in above:
        if over is not None and over > most:
            yield _of(ward, share, kind, most, over, n=own, due=due)
    if share.wish_weight and share.wish_granted < limits.wish_share * share.wish_weight:
        wanted = limits.wish_share * share.wish_weight
        yield _of(ward, share, "wish", wanted, share.wish_granted, all=share.wish_weight)


def _hours(ward: Ward, share: Share, limits: EmpathyLimits) -> Iterator[Finding]:
    target, due = share.target_minutes, share.minutes_due
    over = share.credited_minutes - due if due is not None else 0
    if target is None or due is None or abs(over) < max(1, limits.shift_minutes):
        return
    hours = {
        "worked": told("found.hours", hours=in_hours(share.minutes)) if share.minutes else told("found.no_shift"),
        "leave": told("found.and_leave", hours=in_hours(share.leave_minutes)) if share.leave_minutes else "",
        "target": in_hours(target),
        "due": told("found.due", hours=in_hours(due)) if due != target else "",
    }
    if over > limits.over_share * target:
        yield _of(ward, share, "overwork", due, share.credited_minutes, **hours)
    if -over > limits.under_share * target:
        yield _of(ward, share, "underutilization", due, share.credited_minutes, **hours)


def _of(ward: Ward, share: Share, kind: FindingType, expected: float, actual: float, **given: Given) -> Finding:
    return Finding(
        type=kind,
        **about(ward.nurse_by_id[share.nurse_id]),
        level="warning",
        expected=expected,
        actual=actual,
        given=given,
    )


def score(share: Share, findings: list[Finding], points: Points) -> float:
    """100 less, never below 0:

    hours    points.hours * min(1, |minutes worked and of leave - due| / target)
    wishes   points.wishes * weight not granted / weight
    nights   points.night * nights above a fair share; weekends the same
    fatigue  points.fatigue * findings of high fatigue, half of it for a moderate one
    patterns points.pattern * isolated days off, incomplete or mixed weekends, and unwelcome runs
    """
    own = Counter(found.type for found in findings if found.nurse_id == share.nurse_id)
    lost = (
        points.hours * _off_target(share)
        + points.wishes * (share.wish_weight - share.wish_granted) / max(1, share.wish_weight)
        + points.night * max(0.0, share.nights_above or 0)
        + points.weekend * max(0.0, share.weekends_above or 0)
        + points.fatigue * (sum(own[kind] for kind in STRAIN) + own["fatigue_moderate"] / 2)
        + points.pattern * sum(own[kind] for kind in PATTERNS)
    )
    return round(max(0.0, 100.0 - lost), 1)


def _off_target(share: Share) -> float:
    target, due = share.target_minutes, share.minutes_due
    return min(1.0, abs(share.credited_minutes - due) / target) if target and due is not None else 0.0


def fairness(scores: list[float]) -> float:
    """100 - mean over all pairs of |score_a - score_b|; of one nurse, 100."""
    gaps = [abs(one - other) for one, other in combinations(scores, 2)]
    return round(100.0 - mean(gaps), 1) if gaps else 100.0
