"""What a roster costs by the ward's own weights: demand and wishes as the Curtois and Qu benchmark counts them, and
pairs, which the benchmark does not have."""

from pydantic import BaseModel, ConfigDict, computed_field

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.coverage import count, staffing
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.fit import require_fit
from wavegraph.tools.roster.ward import Pair, Roster, Ward, Wish


class Cost(BaseModel):
    """The cost by its kinds."""

    model_config = ConfigDict(frozen=True)

    under: int
    over: int
    wishes: int
    pairs: int

    @computed_field  # type: ignore[prop-decorator]
    @property
    def total(self) -> int:
        return sum(self.by_kind.values())

    @property
    def by_kind(self) -> dict[str, int]:
        return {kind: getattr(self, kind) for kind in type(self).model_fields}


def roster_cost(ward: Ward, roster: Roster) -> Cost:
    """Add up, over all rows of the ward (schedulingbenchmarks.org, instances 1 to 24):

        under   under_weight * max(0, target - present)     of each demand
        over    over_weight * max(0, present - target)
        wishes  weight                                      of each wish that is not granted
        pairs   weight * days on which the pair is as it should not be

    Raises `RosterError` where the roster does not fit the ward.
    """
    require_fit(ward, roster)
    present = staffing(ward, roster)
    missing = [(demand, demand.target - count(ward, present, demand)) for demand in ward.demand]
    return Cost(
        under=sum(demand.under_weight * max(0, gap) for demand, gap in missing),
        over=sum(demand.over_weight * max(0, -gap) for demand, gap in missing),
        wishes=sum(wish.weight for wish in ward.wishes if not granted(ward, roster, wish)),
        pairs=sum(pair.weight * len(pair_days(roster, pair)) for pair in ward.pairs),
    )


def granted(ward: Ward, roster: Roster, wish: Wish) -> bool:
    cell = roster[wish.nurse][ward.index(wish.day)]
    works = cell is not None if wish.shift is None else cell == wish.shift
    return works is wish.wants


def pair_days(roster: Roster, pair: Pair) -> list[int]:
    """The days on which two who belong together differ, or two to keep apart work the same shift."""
    days = enumerate(zip(roster[pair.first], roster[pair.second], strict=True))
    if pair.together:
        return [day for day, (one, other) in days if one != other]
    return [day for day, (one, other) in days if one is not None and one == other]


def hard_violations(ward: Ward, roster: Roster) -> list[Finding]:
    """What makes a roster infeasible: every breach. Of a benchmark ward, exactly its published hard constraints."""
    return check_compliance(ward, roster).breaches
