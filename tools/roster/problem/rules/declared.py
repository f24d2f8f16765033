"""Every rule of a ward, declared once: those that must hold, those a roster without which is in breach, and those that cost."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Prices
from wavegraph.tools.roster.problem.rules import cells, counters, orders, pairs, rows, windows
from wavegraph.tools.roster.problem.rules.forms import Row, Rule

MUST: tuple[Callable[[Instance], Iterable[Rule]], ...] = (
    cells.leave,
    cells.night_before_leave,
    cells.locked,
    cells.shift_skills,
    orders.successions,
    orders.forward_rotation,
    orders.daily_rest,
    orders.rest_after_nights,
    windows.weekly_rest,
    orders.longest_runs,
    orders.longest_night_runs,
    orders.shortest_runs,
    orders.shortest_days_off,
    orders.hard_runs,
    counters.least_minutes,
    counters.most_minutes,
    counters.weekly_hours,
    counters.most_shifts,
    counters.most_weekends,
)
"""What no roster breaks."""
PRICED: tuple[Callable[[Instance, Prices], Iterable[Rule]], ...] = (
    cells.wishes,
    pairs.pairs,
    cells.changes,
    orders.fatigue,
    counters.hours,
    counters.shares,
    orders.isolated_days_off,
    orders.incomplete_weekends,
    orders.soft_runs,
    orders.uneven_weekends,
    counters.period_totals,
    orders.rotation,
    counters.balance,
)
"""What costs, but for cover."""
BREACHES = ("minimum", "in_charge")
"""The kinds of penalty that a roster in breach pays."""


def must_rules(instance: Instance) -> Iterator[Rule]:
    return chain.from_iterable(declare(instance) for declare in MUST)


def priced_rules(instance: Instance, prices: Prices) -> Iterator[Rule]:
    return chain.from_iterable(declare(instance, prices) for declare in PRICED)


def cover_rows(instance: Instance, scale: int = 1) -> Iterator[Row]:
    """Below the minimum of one a roster is in breach; what is missing to its target costs."""
    return chain(rows.cover(instance, scale), rows.charge(instance, scale))
