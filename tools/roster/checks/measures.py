"""Each nurse's share of the roster: hours, nights, weekends, wishes. The fairness table is made of these."""

from collections import defaultdict
from typing import Any

from pydantic import BaseModel, ConfigDict

from wavegraph.tools.roster.checks.contracts import worked_weekends
from wavegraph.tools.roster.checks.timelines import Checked, Timeline
from wavegraph.tools.roster.problem.fairness import PARTS, Due, FairShares, fair_shares
from wavegraph.tools.roster.problem.hours import contract_minutes, leave_minutes
from wavegraph.tools.roster.ward.ward import Roster, Ward, Wish


class Share(BaseModel):
    """One nurse's share."""

    model_config = ConfigDict(frozen=True)

    nurse_id: str
    shifts: int
    minutes: int
    """Paid time worked in the horizon."""
    leave_minutes: int = 0
    """What paid leave counts as (`problem.hours`)."""
    target_minutes: int | None
    """By contract."""
    minutes_due: int | None = None
    """The same less what was worked more than by everybody before, as `problem.fairness` defines it."""
    nights: int
    nights_due: float | None = None
    """A fair share by contract hours, as `problem.fairness` defines it; None = the nurse has no share in them."""
    nights_above: float | None
    """Above that share; negative = below it."""
    weekends: int
    weekends_due: float | None = None
    weekends_above: float | None
    holidays: int
    """Shifts on public holidays."""
    holidays_due: float | None = None
    holidays_above: float | None = None
    wish_weight: int
    wish_granted: int

    @property
    def credited_minutes(self) -> int:
        """Worked and leave."""
        return self.minutes + self.leave_minutes


def shares(of: Checked, history_share: float, fair: FairShares | None = None) -> list[Share]:
    """One a nurse, in the ward's order. What is worked is counted here; what would be fair is `problem.fairness`, and
    given as `fair` where the ward is a part of one."""
    ward, fair = of.ward, fair or fair_shares(of.ward, history_share)
    wishes: dict[str, list[Wish]] = defaultdict(list)
    for wish in ward.wishes:
        wishes[wish.nurse].append(wish)
    return [
        Share(
            nurse_id=timeline.nurse.id,
            shifts=len(timeline.in_horizon),
            minutes=sum(worked.shift.paid for worked in timeline.in_horizon),
            leave_minutes=leave_minutes(ward, timeline.nurse),
            target_minutes=contract_minutes(timeline.nurse.contract),
            minutes_due=fair.minutes[timeline.nurse.id],
            **_against("nights", sum(worked.shift.night for worked in timeline.in_horizon), timeline, fair.nights),
            **_against("weekends", len(worked_weekends(timeline)), timeline, fair.weekends),
            **_against(
                "holidays",
                sum(ward.day(worked.day) in ward.holidays for worked in timeline.in_horizon),
                timeline,
                fair.holidays,
            ),
            wish_weight=sum(wish.weight for wish in wishes[timeline.nurse.id]),
            wish_granted=sum(wish.weight for wish in wishes[timeline.nurse.id] if granted(ward, of.roster, wish)),
        )
        for timeline in of.timelines
    ]


def granted(ward: Ward, roster: Roster, wish: Wish) -> bool:
    cell = roster[wish.nurse][ward.index(wish.day)]
    works = cell is not None if wish.shift is None else cell == wish.shift
    return works is wish.wants


def _against(kind: str, own: int, timeline: Timeline, due: Due) -> dict[str, Any]:
    """What is worked of a kind, what was due, and how far above it that is."""
    tenths = due.get(timeline.nurse.id)
    if tenths is None:
        return {kind: own, f"{kind}_above": None}
    return {kind: own, f"{kind}_due": tenths / PARTS, f"{kind}_above": (PARTS * own - tenths) / PARTS}
