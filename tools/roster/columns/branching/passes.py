"""A forward and a backward pass over a nurse's network: the cheapest roster through each of her cells.

    through[day, label] = min over arcs (u, v) of the day that have the label, and over r, of
                          f[u, r] + cost + price[day, label] + b[v, r + move]

`f` is the value of a node and index from the start (`pricing`), `b` the same from the end. As in `pricing`, the NumPy
functions define what is computed, and `pricing_numba` computes it faster where numba is installed.
"""

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from wavegraph.tools.roster.columns import pricing
from wavegraph.tools.roster.columns.counters import Floats
from wavegraph.tools.roster.columns.network import Network

fast_passes: Callable[..., None] | None = None
with suppress(ImportError):  # numba is an extra
    from wavegraph.tools.roster.columns.pricing_numba import passes as fast_passes


def passes(network: Network, prices: Floats, ending: Floats) -> tuple[Floats, Floats]:
    """`through`, and the values `f`; both infinite where there is no legal roster."""
    cheapest = pricing.set_prices(network, prices)
    if pricing.fast_search is None or fast_passes is None:
        least, forward = _passes(network, cheapest, ending)
    else:
        least, forward = np.empty((network.days, cheapest.shape[1])), np.empty(network.offset[-1])
        fast_passes(*network.arrays, np.ascontiguousarray(cheapest), ending, forward, least)
    return _by_label(network, prices, least), forward


def _by_label(network: Network, prices: Floats, least: Floats) -> Floats:
    """From the cheapest roster through any arc of a set of labels, its prices left out, to that through each label."""
    through = np.full(prices.shape, np.inf)
    for kind, (begin, end) in enumerate(zip(network.set_ptr[:-1], network.set_ptr[1:], strict=True)):
        labels = network.set_labels[begin:end]
        through[:, labels] = np.minimum(through[:, labels], least[:, kind, None] + prices[:, labels])
    return through


def _passes(network: Network, cheapest: Floats, ending: Floats) -> tuple[Floats, Floats]:
    """By day and set of labels the cheapest roster through it, without its price on that day; and the values `f`."""
    forward = pricing.forward(network, cheapest)
    backward = _ends(network, ending, forward)
    least = np.full(cheapest.shape, np.inf)
    for day in range(network.days - 1, -1, -1):
        for arc in range(network.arc_ptr[day], network.arc_ptr[day + 1]):
            kind, cost = network.label_set[arc], network.cost[arc]
            if np.isfinite(cheapest[day, kind]):
                source, target = pricing.overlap(network, arc)
                onward = backward[target] + cost
                np.minimum(backward[source], onward + cheapest[day, kind], out=backward[source])
                least[day, kind] = min(least[day, kind], (forward[source] + onward).min(initial=np.inf))
        nodes = slice(network.offset[network.node_ptr[day]], network.offset[network.node_ptr[day + 1]])
        backward[nodes][~np.isfinite(forward[nodes])] = np.inf
    return least, forward


def _ends(network: Network, ending: Floats, forward: Floats) -> Floats:
    """The values from the end, of the last layer alone."""
    backward = np.full(len(forward), np.inf)
    for node in range(network.node_ptr[-2], network.node_ptr[-1]):
        band = slice(network.offset[node], network.offset[node + 1])
        backward[band] = ending[network.low[node] : network.high[node]]
        backward[band][~np.isfinite(forward[band])] = np.inf
    return backward
