"""Rules about a shift of a day: cover, and a nurse in charge."""

from collections.abc import Iterator
from functools import partial

from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import breach_price
from wavegraph.tools.roster.problem.rules.forms import Price, Row
from wavegraph.tools.roster.problem.rules.knobs import BY_MANAGER, Knob, of_rules
from wavegraph.tools.roster.ward.ward import Demand, Ward


def cover(instance: Instance, scale: int = 1) -> Iterator[Row]:
    """Nurses missing to, and above, the target of each demand row (Curtois: cover), and to its minimum."""
    breach = Price("minimum", breach_price(instance.ward) * scale)
    for row in instance.covers:
        demand, missing = row.demand, tuple(price * scale for price in row.missing)
        rule = RuleId("minimum", demand.shift, demand.skill, needed=demand.minimum)
        yield Row(rule, row.day, row.shift, row.able, missing, demand.over_weight * scale, demand.minimum, breach)


def cover_knobs(instance: Instance) -> Iterator[Knob]:
    """A search for what has to give asks for nurses from outside instead."""
    for demand in instance.ward.demand:
        rule = RuleId("minimum", demand.shift, demand.skill, needed=demand.minimum)
        fewer, put = range(demand.minimum - 1, -1, -1), partial(_with_minimum, demand)
        yield Knob(rule=rule, tier=BY_MANAGER, bound=demand.minimum, values=fewer, put=put, rises=False, day=demand.day)
    for shift in instance.shifts if instance.ward.rules.charge_skill is not None else ():
        yield of_rules(instance.ward, RuleId("charge", shift.id), "charge_skill", [None], tier=BY_MANAGER)


def _with_minimum(demand: Demand, ward: Ward, minimum: int) -> Ward:
    row = demand.model_copy(update={"minimum": minimum})
    return ward.changed(demand=[row if each == demand else each for each in ward.demand])


def charge(instance: Instance, scale: int = 1) -> Iterator[Row]:
    """A nurse in charge of every shift that has demand."""
    breach = Price("in_charge", breach_price(instance.ward) * scale)
    able = tuple(instance.in_charge)
    for day, shift in instance.staffed if instance.ward.rules.charge_skill is not None else ():
        yield Row(RuleId("charge", instance.shifts[shift].id), day, shift, able, (0,), 0, 1, breach)
