"""Pricing: one nurse's cheapest rosters under given prices, by dynamic programming over her network, day by day.

    f[v, r] = min over arcs (u, v) of f[u, r - move] + cost + min over its labels of price[day, label]

The NumPy functions here define what is computed; where numba is installed, `pricing_numba` computes the same sums in the
same order several times faster. `rosters` picks one of the two.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.network import Network

fast_search: Callable[..., int] | None = None
with suppress(ImportError):  # numba is an extra
    from wavegraph.tools.roster.columns.pricing_numba import search as fast_search


@dataclass(frozen=True)
class Priced:
    """Some of the cheapest rosters, cheapest first, each with different final counts."""

    values: Floats
    rows: Ints
    """Labels, rosters x days."""

    @property
    def best(self) -> float:
        """Infinite where there is no legal roster."""
        return float(self.values[0]) if len(self.values) else np.inf


def rosters(network: Network, prices: Floats, ending: Floats, count: int) -> Priced:
    """The `count` cheapest rosters under `prices` (days x labels, infinite = forbidden) and the ending's (by index)."""
    if fast_search is None:
        return search(network, prices, ending, count)
    values, rows = np.empty(count), np.empty((count, network.days), dtype=np.int64)
    found = fast_search(*network.arrays, network.set_ptr, network.set_labels, prices, ending, values, rows)
    return Priced(values[:found], rows[:found])


def search(network: Network, prices: Floats, ending: Floats, count: int) -> Priced:
    """The same with NumPy alone."""
    cheapest = set_prices(network, prices)
    labels = forward(network, cheapest)
    first, last = network.node_ptr[-2], network.node_ptr[-1]
    best, at = np.full(len(ending), np.inf), np.zeros(len(ending), dtype=np.int64)
    for node in range(first, last):
        low, high = network.low[node], network.high[node]
        values = labels[network.offset[node] : network.offset[node + 1]] + ending[low:high]
        better = values < best[low:high]
        best[low:high][better] = values[better]
        at[low:high][better] = node
    order = np.argsort(best, kind="stable")[:count]
    chosen = [r for r in order.tolist() if np.isfinite(best[r])]
    rows = [_walk_back(network, prices, cheapest, labels, int(at[r]), r) for r in chosen]
    return Priced(best[chosen], np.array(rows, dtype=np.int64).reshape(len(chosen), network.days))


def set_prices(network: Network, prices: Floats) -> Floats:
    """The least price of each set of labels, days x sets."""
    ends = network.set_ptr
    least = [prices[:, network.set_labels[ends[i] : ends[i + 1]]].min(axis=1) for i in range(len(ends) - 1)]
    return np.column_stack(least) if least else np.empty((network.days, 0))


def overlap(network: Network, arc: int) -> tuple[slice, slice]:
    """The parts of the source's and the target's bands that an arc joins."""
    u, v, move = network.source[arc], network.target[arc], network.move[arc]
    begin = max(network.low[u], network.low[v] - move)
    end = max(begin, min(network.high[u], network.high[v] - move))
    at_u, at_v = network.offset[u] - network.low[u], network.offset[v] - network.low[v] + move
    return slice(at_u + begin, at_u + end), slice(at_v + begin, at_v + end)


def forward(network: Network, cheapest: Floats) -> Floats:
    """The value of every node and index."""
    labels = np.full(network.offset[-1], np.inf)
    if network.high[0] > network.low[0] == 0:
        labels[0] = 0.0
    for day in range(network.days):
        for arc in range(network.arc_ptr[day], network.arc_ptr[day + 1]):
            price = cheapest[day, network.label_set[arc]] + network.cost[arc]
            if np.isfinite(price):
                source, target = overlap(network, arc)
                np.minimum(labels[target], labels[source] + price, out=labels[target])
        for node in range(network.node_ptr[day + 1], network.node_ptr[day + 2]):
            inside = network.over[(network.over >= network.low[node]) & (network.over < network.high[node])]
            labels[network.offset[node] + inside - network.low[node]] = np.inf
    return labels


def _walk_back(network: Network, prices: Floats, cheapest: Floats, labels: Floats, node: int, r: int) -> list[int]:
    """The labels of the path to a node and index; each arc is one whose sum equals the value to the last bit."""
    row: list[int] = []
    for day in range(network.days - 1, -1, -1):
        value = labels[network.offset[node] + r - network.low[node]]
        for arc in range(network.arc_ptr[day], network.arc_ptr[day + 1]):
            u, before = network.source[arc], r - network.move[arc]
            if network.target[arc] == node and network.low[u] <= before < network.high[u]:
                kind = network.label_set[arc]
                price = cheapest[day, kind] + network.cost[arc]
                if labels[network.offset[u] + before - network.low[u]] + price == value:
                    members = network.set_labels[network.set_ptr[kind] : network.set_ptr[kind + 1]]
                    row.append(int(members[np.argmin(prices[day, members])]))
                    node, r = int(u), int(before)
                    break
    return row[::-1]
