"""What a roster costs by the ward's own weights: demand and wishes as the Curtois and Qu benchmark counts them, and
pairs, soft rules and changes of a published roster, which the benchmark does not have."""

from pydantic import BaseModel, ConfigDict, Field, computed_field

from wavegraph.tools.roster.checks.balance import above_shares
from wavegraph.tools.roster.checks.contracts import off_totals
from wavegraph.tools.roster.checks.coverage import count, staffing
from wavegraph.tools.roster.checks.patterns import pair_days, priced_weekends
from wavegraph.tools.roster.checks.runs import backward_steps, off_limits
from wavegraph.tools.roster.checks.timelines import timelines
from wavegraph.tools.roster.problem.runs import run_limits
from wavegraph.tools.roster.problem.shortage import missing_prices
from wavegraph.tools.roster.problem.totals import totals
from wavegraph.tools.roster.problem.weekends import weekend_weights
from wavegraph.tools.roster.ward.roster_fit import require_fit
from wavegraph.tools.roster.ward.ward import Roster, Ward, Wish


class RosterCost(BaseModel):
    """The cost by its kinds."""

    model_config = ConfigDict(frozen=True)

    under: int
    over: int
    wishes: int
    pairs: int
    changes: int | None = Field(default=None, exclude_if=lambda cost: cost is None)
    """Of cells that differ from the published roster; None = the ward has none, and the kind is left out."""
    runs: int | None = Field(default=None, exclude_if=lambda cost: cost is None)
    """Of days too few or too many in a row; None = the ward prices none."""
    uneven_weekends: int | None = Field(default=None, exclude_if=lambda cost: cost is None)
    """Of split and mixed weekends; None = the ward prices none."""
    totals: int | None = Field(default=None, exclude_if=lambda cost: cost is None)
    """Of shifts and weekends outside a contract's band; None = the ward prices none."""
    rotation: int | None = Field(default=None, exclude_if=lambda cost: cost is None)
    """Of steps back from the day before; None = the ward prices none."""
    balance: int | None = Field(default=None, exclude_if=lambda cost: cost is None)
    """Of shifts above a fair share of balanced kinds; None = the ward balances none."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def total(self) -> int:
        return sum(self.by_kind.values())

    @property
    def by_kind(self) -> dict[str, int]:
        amounts = {kind: getattr(self, kind) for kind in type(self).model_fields}
        return {kind: amount for kind, amount in amounts.items() if amount is not None}


def roster_cost(ward: Ward, roster: Roster) -> RosterCost:
    """Add up, over all rows of the ward (schedulingbenchmarks.org, instances 1 to 24):

        under   the price of each nurse missing to the target, of each demand (`problem.shortage`)
        over    over_weight * max(0, present - target)
        wishes  weight                                      of each wish that is not granted
        pairs   weight * days on which the pair is not kept
        changes weight * cells that differ from the published roster
        runs    weight * days too few or too many in a row, of each soft limit (`problem.runs`)
        uneven_weekends weight                             of each split or mixed weekend (`problem.weekends`)
        totals  weight * shifts or weekends too few or too many (`problem.totals`)
        rotation weight * steps back (`problem.rotation`)
        balance weight * shifts above a fair share of balanced kinds (`problem.balance`)

    Raises `RosterError` where the roster does not fit the ward.
    """
    require_fit(ward, roster)
    present = staffing(ward, roster)
    missing = [(demand, demand.target - count(ward, present, demand)) for demand in ward.demand]
    return RosterCost(
        under=sum(sum(missing_prices(ward, demand)[: max(0, gap)]) for demand, gap in missing),
        over=sum(demand.over_weight * max(0, -gap) for demand, gap in missing),
        wishes=sum(wish.weight for wish in ward.wishes if not granted(ward, roster, wish)),
        pairs=sum(pair.weight * len(pair_days(roster, pair)) for pair in ward.pairs),
        changes=ward.published.weight * len(changed_cells(ward, roster)) if ward.published else None,
        runs=_runs(ward, roster),
        uneven_weekends=_weekends(ward, roster),
        totals=_totals(ward, roster),
        rotation=_rotation(ward, roster),
        balance=_balance(ward, roster),
    )


def _runs(ward: Ward, roster: Roster) -> int | None:
    if not any(limit.weight for nurse in ward.nurses for limit in run_limits(ward, nurse)):
        return None
    broken = [each for timeline in timelines(ward, roster) for each in off_limits(ward, timeline)]
    return sum(each.days * (each.limit.weight or 0) for each in broken)


def _weekends(ward: Ward, roster: Roster) -> int | None:
    if not any(any(weekend_weights(ward, nurse)) for nurse in ward.nurses):
        return None
    return sum(each.weight for timeline in timelines(ward, roster) for each in priced_weekends(ward, timeline))


def _totals(ward: Ward, roster: Roster) -> int | None:
    if not any(totals(nurse) for nurse in ward.nurses):
        return None
    return sum(off.cost for timeline in timelines(ward, roster) for off in off_totals(ward, timeline))


def _rotation(ward: Ward, roster: Roster) -> int | None:
    if ward.rules.forward_only or not ward.rules.backward_weight:
        return None
    return ward.rules.backward_weight * sum(len(backward_steps(ward, each)) for each in timelines(ward, roster))


def _balance(ward: Ward, roster: Roster) -> int | None:
    return sum(above.cost for above in above_shares(ward, roster)) if ward.rules.balanced else None


def granted(ward: Ward, roster: Roster, wish: Wish) -> bool:
    cell = roster[wish.nurse][ward.index(wish.day)]
    works = cell is not None if wish.shift is None else cell == wish.shift
    return works is wish.wants


def changed_cells(ward: Ward, roster: Roster) -> list[tuple[str, int]]:
    """Nurse and day of each cell that differs from the published roster; nurses without a row in it have none."""
    return [
        (nurse, day)
        for nurse, published_row in (ward.published.roster if ward.published else {}).items()
        for day, (before, now) in enumerate(zip(published_row, roster[nurse], strict=True))
        if before != now
    ]
