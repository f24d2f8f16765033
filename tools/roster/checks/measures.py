"""Each nurse's share of the roster: hours, nights, weekends, wishes. The fairness table is made of these."""

from collections import defaultdict
from math import inf

from pydantic import BaseModel, ConfigDict

from wavegraph.tools.roster.checks.contracts import worked_weekends
from wavegraph.tools.roster.checks.cost import granted
from wavegraph.tools.roster.checks.timelines import timelines
from wavegraph.tools.roster.ward.ward import Contract, Nurse, Roster, Ward, Wish


class Share(BaseModel):
    """One nurse's share."""

    model_config = ConfigDict(frozen=True)

    nurse_id: str
    shifts: int
    minutes: int
    """Paid time of the horizon."""
    target_minutes: int | None
    nights: int
    nights_above: float | None
    """Above the mean of those whose contract allows nights, with the share carried over from the period before; None =
    not of that group."""
    weekends: int
    weekends_above: float | None
    holidays: int
    """Shifts on public holidays."""
    wish_weight: int
    wish_granted: int


def target_minutes(contract: Contract) -> int | None:
    """The contract's hours; the middle of its bounds where it has two; None = it says nothing."""
    if contract.target_minutes is not None or contract.max_minutes is None or not contract.min_minutes:
        return contract.target_minutes
    return (contract.min_minutes + contract.max_minutes) // 2


def works_nights(ward: Ward, nurse: Nurse) -> bool:
    """The contract allows at least one night."""
    contract = nurse.contract
    allowed = (contract.max_shifts.get(shift.id) != 0 for shift in ward.shifts if shift.night)
    return contract.max_nights != 0 and any(allowed)


def shares(ward: Ward, roster: Roster, history_share: float) -> list[Share]:
    """One a nurse, in the ward's order.

    above = own - mean + history_share (own before - mean before), means over the group
    """
    rows = list(timelines(ward, roster))
    nights = {
        timeline.nurse.id: float(sum(worked.shift.night for worked in timeline.in_horizon())) for timeline in rows
    }
    weekends = {timeline.nurse.id: float(len(worked_weekends(ward, timeline))) for timeline in rows}
    by_night = [nurse for nurse in ward.nurses if works_nights(ward, nurse)]
    by_weekend = [nurse for nurse in ward.nurses if nurse.contract.max_weekends != 0]
    nights_above = _above(nights, {nurse.id: nurse.history.nights for nurse in by_night}, history_share)
    weekends_above = _above(weekends, {nurse.id: nurse.history.weekends for nurse in by_weekend}, history_share)
    wishes: dict[str, list[Wish]] = defaultdict(list)
    for wish in ward.wishes:
        wishes[wish.nurse].append(wish)
    return [
        Share(
            nurse_id=timeline.nurse.id,
            shifts=len(timeline.in_horizon()),
            minutes=sum(worked.shift.paid for worked in timeline.in_horizon()),
            target_minutes=target_minutes(timeline.nurse.contract),
            nights=int(nights[timeline.nurse.id]),
            nights_above=nights_above.get(timeline.nurse.id),
            weekends=int(weekends[timeline.nurse.id]),
            weekends_above=weekends_above.get(timeline.nurse.id),
            holidays=sum(ward.day(worked.day) in ward.holidays for worked in timeline.in_horizon()),
            wish_weight=sum(wish.weight for wish in wishes[timeline.nurse.id]),
            wish_granted=sum(wish.weight for wish in wishes[timeline.nurse.id] if granted(ward, roster, wish)),
        )
        for timeline in rows
    ]


def _above(own: dict[str, float], before: dict[str, int], history_share: float) -> dict[str, float]:
    """For the nurses of `before`. A nurse at or below this period's mean is never above it, whatever the history."""
    if not before:
        return {}
    mean, mean_before = sum(own[name] for name in before) / len(before), sum(before.values()) / len(before)
    carried = {name: own[name] - mean + history_share * (before[name] - mean_before) for name in before}
    return {name: round(min(value, 0.0 if own[name] <= mean else inf), 4) for name, value in carried.items()}
