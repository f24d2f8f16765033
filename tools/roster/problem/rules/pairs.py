"""Rules about two nurses on the same day."""

from collections.abc import Iterator

from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Prices
from wavegraph.tools.roster.problem.rules.cells import every
from wavegraph.tools.roster.problem.rules.forms import Labels, Price, Together


def pairs(instance: Instance, prices: Prices) -> Iterator[Together]:
    """Days on which two nurses who should be apart work the same shift, or two who should be together work otherwise."""
    for pair in instance.ward.pairs:
        first, second = instance.nurse_index[pair.first], instance.nurse_index[pair.second]
        clashes, price = tuple(_clashes(instance, pair.together)), Price("pairs", pair.weight * prices.scale)
        for day in range(instance.days if pair.weight else 0):
            yield Together(RuleId("pairs"), first, second, day, clashes, price)


def _clashes(instance: Instance, together: bool) -> Iterator[tuple[Labels, Labels]]:
    for shift in range(len(instance.shifts)):
        same, others = frozenset({shift}), every(instance) - {shift}
        if together:
            yield same, others
            yield others, same
        else:
            yield same, same
