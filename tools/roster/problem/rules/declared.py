"""Every rule of a ward, declared once: those that must hold, those a roster without which is in breach, and those that cost."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
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


def priced_rules(instance: Instance, prices: Prices) -> Sequence[Rule]:
    """Declared once for a search, whatever reads them: nurses, master rows, CP-SAT, the account."""
    found = next((rules for of, at, rules in _declared if of is instance and at == prices), None)
    if found is None:
        found = tuple(chain.from_iterable(declare(instance, prices) for declare in PRICED))
        _declared.append((instance, prices, found))
    return found


_declared: deque[tuple[Instance, Prices, Sequence[Rule]]] = deque(maxlen=2)


def cover_rows(instance: Instance, scale: int = 1) -> Iterator[Row]:
    """Below the minimum of one a roster is in breach; what is missing to its target costs."""
    return chain(rows.cover(instance, scale), rows.charge(instance, scale))


def knobs(instance: Instance) -> Iterator[Knob]:
    return chain.from_iterable(declare(instance) for declare in KNOBS)
