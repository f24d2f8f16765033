"""Every rule of a ward, declared once: those that must hold, those a roster without which is in breach, and those that cost."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Prices
from wavegraph.tools.roster.problem.rules import cells, counters, orders, pairs, rows, windows
from wavegraph.tools.roster.problem.rules.forms import Row, Rule
from wavegraph.tools.roster.problem.rules.knobs import Knob

MUST: tuple[Callable[[Instance], Iterable[Rule]], ...] = (*cells.MUST, *orders.MUST, *windows.MUST, *counters.MUST)
"""What no roster breaks."""
PRICED: tuple[Callable[[Instance, Prices], Iterable[Rule]], ...] = (
    *cells.PRICED, pairs.pairs, *orders.PRICED, *counters.PRICED,
)  # fmt: skip
"""What costs, but for cover."""
BREACHES = ("minimum", "in_charge")
"""The kinds of penalty that a roster in breach pays."""
KNOBS: tuple[Callable[[Instance], Iterable[Knob]], ...] = (
    *orders.KNOBS, *windows.KNOBS, *counters.KNOBS, *cells.KNOBS, rows.cover_knobs,
)  # fmt: skip
"""What can be loosened about those that must hold, and about cover."""


def must_rules(instance: Instance) -> Iterator[Rule]:
    return chain.from_iterable(declare(instance) for declare in MUST)


def priced_rules(instance: Instance, prices: Prices) -> Iterator[Rule]:
    return chain.from_iterable(declare(instance, prices) for declare in PRICED)


def cover_rows(instance: Instance, scale: int = 1) -> Iterator[Row]:
    """Below the minimum of one a roster is in breach; what is missing to its target costs."""
    return chain(rows.cover(instance, scale), rows.charge(instance, scale))


def knobs(instance: Instance) -> Iterator[Knob]:
    return chain.from_iterable(declare(instance) for declare in KNOBS)
