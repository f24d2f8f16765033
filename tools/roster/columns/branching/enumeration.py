"""All rosters of a nurse that cost little enough, walking back through her network with all of them at once.

The values `f` of the forward pass say exactly what the days before still cost, so that each part kept ends in a roster.
"""

from dataclasses import dataclass

import numpy as np

from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.network import Network


@dataclass(frozen=True)
class _Parts:
    """Ends of rosters: the node and index before them, what they cost, and their labels; arrays of the same length."""

    node: Ints
    index: Ints
    cost: Floats
    rows: Ints


@dataclass(frozen=True)
class _Steps:
    """A day's arcs with a label each, by target."""

    source: Ints
    target: Ints
    move: Ints
    price: Floats
    label: Ints


def rows_within(
    network: Network, prices: Floats, ending: Floats, forward: Floats, limit: float, most: int
) -> Ints | None:
    """The rosters (labels, rosters x days) whose cost is at most `limit`; None = more than `most`."""
    parts = _ends(network, ending, forward, limit)
    for day in range(network.days - 1, -1, -1):
        if len(parts.node) > most:
            return None
        parts = _back(network, forward, parts, day, _steps(network, prices, day), limit)
    return parts.rows if len(parts.node) <= most else None


def _ends(network: Network, ending: Floats, forward: Floats, limit: float) -> _Parts:
    nodes = np.arange(network.node_ptr[-2], network.node_ptr[-1])
    node = np.repeat(nodes, (network.high - network.low)[nodes])
    at = np.arange(network.offset[nodes[0]], network.offset[nodes[-1] + 1])
    index = at - network.offset[node] + network.low[node]
    kept = np.flatnonzero(forward[at] + ending[index] <= limit)
    rows = np.zeros((len(kept), network.days), dtype=np.int64)
    return _Parts(node[kept], index[kept], ending[index[kept]], rows)


def _steps(network: Network, prices: Floats, day: int) -> _Steps:
    arcs = np.arange(network.arc_ptr[day], network.arc_ptr[day + 1])
    kinds = network.label_set[arcs]
    sizes = np.diff(network.set_ptr)[kinds]
    arc = np.repeat(arcs, sizes)
    label = network.set_labels[_ranges(network.set_ptr[kinds], sizes)]
    price = network.cost[arc] + prices[day, label]
    open_ = np.flatnonzero(np.isfinite(price))
    open_ = open_[np.argsort(network.target[arc[open_]], kind="stable")]
    arc = arc[open_]
    return _Steps(network.source[arc], network.target[arc], network.move[arc], price[open_], label[open_])


def _back(network: Network, forward: Floats, parts: _Parts, day: int, steps: _Steps, limit: float) -> _Parts:
    """Each part with each step into its node that can still begin a roster within the limit."""
    begins = np.searchsorted(steps.target, parts.node)
    counts = np.searchsorted(steps.target, parts.node, side="right") - begins
    part, step = np.repeat(np.arange(len(parts.node)), counts), _ranges(begins, counts)
    source, index = steps.source[step], parts.index[part] - steps.move[step]
    cost = parts.cost[part] + steps.price[step]
    inside = (network.low[source] <= index) & (index < network.high[source])
    at = np.where(inside, network.offset[source] + index - network.low[source], 0)
    kept = np.flatnonzero(inside & (forward[at] + cost <= limit))
    rows = parts.rows[part[kept]]
    rows[:, day] = steps.label[step[kept]]
    return _Parts(source[kept], index[kept], cost[kept], rows)


def _ranges(begins: Ints, counts: Ints) -> Ints:
    """begin, begin + 1 ... for each pair, one after another."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts - begins, counts)
