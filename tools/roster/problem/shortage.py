"""What nurses missing on a shift cost: the one definition that the solvers price and the check adds up.

    price of the i-th nurse missing of `target` = weight * (1 + 2 i / target), rounded       i = 1 .. target

So each further one costs more, and the last, without whom nobody is there, three times the weight on any shift: a shortage
is shared by the shifts in proportion to what they need. Where the ward says so (`rules.shortage: linear`), each costs the
weight.
"""

from wavegraph.tools.roster.ward.ward import Demand, Ward

STEEPNESS = 2
"""By how many weights the first nurse on a shift is dearer than one who would not be missed."""


def missing_prices(ward: Ward, demand: Demand) -> list[int]:
    """The price of each nurse missing to the target, never falling."""
    weight, target = demand.under_weight, demand.target
    if ward.rules.shortage == "linear":
        return [weight] * target
    return [weight + (2 * STEEPNESS * weight * i + target) // (2 * target) for i in range(1, target + 1)]


def dearest_missing(ward: Ward) -> int:
    """The price of the dearest nurse who can be missing; 0 = nobody is wanted."""
    return max((prices[-1] for row in ward.demand if (prices := missing_prices(ward, row))), default=0)
