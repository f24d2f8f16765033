"""Rules about a shift of a day: cover, and a nurse in charge."""

from collections.abc import Iterator

from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import breach_price
from wavegraph.tools.roster.problem.rules.forms import Price, Row


def cover(instance: Instance, scale: int = 1) -> Iterator[Row]:
    """Nurses missing to, and above, the target of each demand row (Curtois: cover), and to its minimum."""
    breach = Price("minimum", breach_price(instance) * scale)
    for row in instance.covers:
        demand, missing = row.demand, tuple(price * scale for price in row.missing)
        rule = RuleId("minimum", demand.shift, demand.skill, needed=demand.minimum)
        yield Row(rule, row.day, row.shift, row.able, missing, demand.over_weight * scale, demand.minimum, breach)


def charge(instance: Instance, scale: int = 1) -> Iterator[Row]:
    """A nurse in charge of every shift that has demand."""
    breach = Price("in_charge", breach_price(instance) * scale)
    able, skill = tuple(instance.in_charge), instance.ward.rules.charge_skill
    for day, shift in instance.staffed if skill is not None else ():
        yield Row(RuleId("charge", instance.shifts[shift].id, skill), day, shift, able, (0,), 0, 1, breach)
