"""What a roster costs, counted by hand from the ward's record.

Nothing of the rules as they are declared for the solvers (`problem.rules`) is read here, so each account checks the other.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from pydantic import BaseModel, ConfigDict, Field, computed_field

from wavegraph.tools.roster.checks.balance import above_shares
from wavegraph.tools.roster.checks.contracts import off_totals
from wavegraph.tools.roster.checks.coverage import check_charge
from wavegraph.tools.roster.checks.fatigue import fatigue_charged
from wavegraph.tools.roster.checks.measures import Share, granted, shares
from wavegraph.tools.roster.checks.patterns import half_weekends, isolated_days_off, pair_days, uneven_weekends
from wavegraph.tools.roster.checks.runs import backward_steps, off_limits
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.problem.fairness import PARTS
from wavegraph.tools.roster.problem.prices import BLOCK_MINUTES, Prices, breach_price
from wavegraph.tools.roster.problem.runs import run_limits
from wavegraph.tools.roster.problem.shortage import missing_prices
from wavegraph.tools.roster.problem.totals import totals
from wavegraph.tools.roster.problem.weekends import weekend_weights
from wavegraph.tools.roster.ward.ward import Roster, Ward


class RosterCost(BaseModel):
    """The cost by the ward's own weights, by its kinds."""

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


PRICED: Mapping[str, Callable[[Ward], object]] = {
    "changes": lambda ward: ward.published,
    "runs": lambda ward: any(limit.weight for nurse in ward.nurses for limit in run_limits(ward, nurse)),
    "uneven_weekends": lambda ward: any(any(weekend_weights(ward, nurse)) for nurse in ward.nurses),
    "totals": lambda ward: any(totals(nurse) for nurse in ward.nurses),
    "rotation": lambda ward: ward.rules.backward_weight and not ward.rules.forward_only,
    "balance": lambda ward: ward.rules.balanced,
}
"""By kind, whether a ward prices it; the others it always does."""


def roster_cost(ward: Ward, roster: Roster) -> RosterCost:
    """What it costs by the ward's own weights alone. Raises `RosterError` where the roster does not fit the ward."""
    return cost_of(Checked.of(ward, roster))


def cost_of(checked: Checked) -> RosterCost:
    own = own_costs(checked)
    priced = {kind: own[kind] for kind, is_priced in PRICED.items() if is_priced(checked.ward)}
    return RosterCost(under=own["uncovered"], over=own["over"], wishes=own["wishes"], pairs=own["pairs"], **priced)


def cost_by_kind(ward: Ward, roster: Roster, prices: Prices) -> dict[str, int]:
    """What it costs by every kind, the penalties too, in the objective's units (see `Prices.scale`). Raises as `roster_cost`."""
    checked = Checked.of(ward, roster)
    own, units = {**own_costs(checked), **_breaches(checked)}, Counter(_units(checked))
    return {kind: cost * prices.scale for kind, cost in own.items()} | {
        kind: int(prices.step(kind) * prices.scale) * units[kind] for kind in prices.of
    }


def own_costs(of: Checked) -> dict[str, int]:
    """By the ward's own weights, added up over all its rows (schedulingbenchmarks.org, instances 1 to 24):

        uncovered the price of each nurse missing to the target, of each demand (`problem.shortage`)
        over      over_weight * max(0, present - target)
        wishes    weight                                    of each wish that is not granted

    and over what the benchmark does not have:

        pairs    weight * days on which the pair is not kept
        changes  weight * cells that differ from the published roster
        runs     weight * days too few or too many in a row, of each soft limit (`problem.runs`)
        uneven_weekends weight                            of each split or mixed weekend (`problem.weekends`)
        totals   weight * shifts or weekends too few or too many (`problem.totals`)
        rotation weight * steps back (`problem.rotation`)
        balance  weight * shifts above a fair share of balanced kinds (`problem.fairness`)
    """
    ward, roster, rows, present = of.ward, of.roster, of.timelines, of.presences
    step_back = 0 if ward.rules.forward_only else ward.rules.backward_weight
    return {
        "uncovered": sum(sum(missing_prices(ward, row)[: max(0, row.target - there)]) for row, there in present),
        "over": sum(row.over_weight * max(0, there - row.target) for row, there in present),
        "wishes": sum(wish.weight for wish in ward.wishes if not granted(ward, roster, wish)),
        "pairs": sum(pair.weight * len(pair_days(roster, pair)) for pair in ward.pairs),
        "changes": ward.published.weight * len(changed_cells(ward, roster)) if ward.published else 0,
        "runs": sum(off.days * (off.limit.weight or 0) for row in rows for off in off_limits(row)),
        "uneven_weekends": sum(weight for row in rows for _, weight in uneven_weekends(row)),
        "totals": sum(off.cost for row in rows for off in off_totals(row)),
        "rotation": sum(step_back for row in rows for _ in backward_steps(row)),
        "balance": sum(above.cost for above in above_shares(of)),
    }


def _breaches(of: Checked) -> dict[str, int]:
    """Each nurse missing to a minimum, and each shift without anyone in charge, at the price of a breach."""
    missing = sum(max(0, row.minimum - there) for row, there in of.presences)
    price = breach_price(of.ward)
    return {"minimum": price * missing, "in_charge": price * len(check_charge(of))}


def _units(of: Checked) -> Iterator[str]:
    """The kind of each unit that has a penalty: a tired shift, a block of hours, a tenth above a share, a day, a weekend."""
    for share in shares(of, of.ward.fairness.history_share):
        yield from _units_of_share(share)
    for row in of.timelines:
        yield from fatigue_charged(row)
    yield from ("isolated_day_off" for _ in isolated_days_off(of))
    if of.ward.rules.complete_weekends:
        yield from ("incomplete_weekend" for _ in half_weekends(of))


def _units_of_share(share: Share) -> Iterator[str]:
    """Whole blocks of hours too few or too many, and tenths above the shares."""
    over = 0 if share.minutes_due is None else share.credited_minutes - share.minutes_due
    yield from ["overwork" if over > 0 else "underutilization"] * (abs(over) // BLOCK_MINUTES)
    for kind in ("night", "weekend", "holiday"):
        yield from [f"{kind}_excess"] * round(PARTS * (getattr(share, f"{kind}s_above") or 0))


def changed_cells(ward: Ward, roster: Roster) -> list[tuple[str, int]]:
    """Nurse and day of each cell that differs from the published roster; nurses without a row in it have none."""
    return [
        (nurse, day)
        for nurse, published_row in (ward.published.roster if ward.published else {}).items()
        for day, (before, now) in enumerate(zip(published_row, roster[nurse], strict=True))
        if before != now
    ]
