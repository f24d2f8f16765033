"""Kinds of shift that the ward wants shared: who works more of them than a fair share."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wavegraph.tools.roster.checks.findings import Finding, about
from wavegraph.tools.roster.checks.timelines import Checked, Timeline
from wavegraph.tools.roster.problem.fairness import shares_due
from wavegraph.tools.roster.told import Line, told
from wavegraph.tools.roster.ward.ward import Balance


def _together(shifts: Sequence[str]) -> Line:
    front, last = shifts[:-1], shifts[-1]
    return told("found.and", one=_together(front), other=last) if front else last


class Above(NamedTuple):
    """Shifts above a nurse's share of some kinds."""

    timeline: Timeline
    balance: Balance
    own: int
    due: int

    @property
    def cost(self) -> int:
        return self.balance.weight * (self.own - self.due)


def above_shares(of: Checked) -> Iterator[Above]:
    """What is worked is counted here; what would be fair is `problem.fairness`."""
    for balance in of.ward.rules.balanced:
        due = shares_due(of.ward, balance)
        for timeline in (each for each in of.timelines if each.nurse.id in due):
            own = sum(worked.shift.id in balance.shifts for worked in timeline.in_horizon)
            if own > due[timeline.nurse.id]:
                yield Above(timeline, balance, own, due[timeline.nurse.id])


def check_balance(of: Checked) -> list[Finding]:
    """More shifts of the kinds that `rules.balanced` names than a fair share by contract hours."""
    return [
        Finding(
            type="shift_concentration",
            **about(above.timeline.nurse),
            level="warning",
            given={"kinds_of_shift": _together(above.balance.shifts)},
            expected=above.due,
            actual=above.own,
        )
        for above in above_shares(of)
        if above.cost
    ]
