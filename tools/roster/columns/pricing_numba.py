"""The searches of `pricing` and `branching.passes`, compiled. Loops on purpose: numba turns the inner ones into vector instructions.

They stand in one module, as numba keeps what it compiled for as long as the module of a function does not change.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import boolean, float64, int64, njit, void

from wavegraph.tools.roster.columns.counters import Floats, Ints

_INTS, _FLOATS, _TABLE = int64[::1], float64[::1], float64[:, ::1]
_NETWORK = (*[_INTS] * 5, _FLOATS, *[_INTS] * 5)
"""The arrays of `Network.arrays`."""


def _compiled(signature: object) -> Callable[..., Any]:
    """Compile now, some seconds the first time on a machine, and not on the clock of the first solve."""
    return cast("Callable[..., Any]", njit(signature, nogil=True, cache=True))


@_compiled(boolean[::1](*_NETWORK, _TABLE, _FLOATS))
def _forward(
    arc_ptr: Ints,
    source: Ints,
    target: Ints,
    label_set: Ints,
    move: Ints,
    cost: Floats,
    node_ptr: Ints,
    low: Ints,
    high: Ints,
    offset: Ints,
    over: Ints,
    cheapest: Floats,
    f: Floats,
) -> Any:
    """Fill `f`, the value of every node and index; return which nodes are reached."""
    reached = np.zeros(len(low), dtype=np.bool_)
    for i in range(offset[0], offset[1]):
        f[i] = np.inf
    if high[0] > low[0] and low[0] == 0:
        f[0] = 0.0
        reached[0] = True
    for day in range(len(arc_ptr) - 1):
        f[offset[node_ptr[day + 1]] : offset[node_ptr[day + 2]]] = np.inf
        for arc in range(arc_ptr[day], arc_ptr[day + 1]):
            price = cheapest[day, label_set[arc]] + cost[arc]
            u = source[arc]
            if price == np.inf or not reached[u]:
                continue
            v, step = target[arc], move[arc]
            begin = max(low[u], low[v] - step)
            end = min(high[u], high[v] - step)
            if end <= begin:
                continue
            reached[v] = True
            before = f[offset[u] - low[u] + begin : offset[u] - low[u] + end]
            after = f[offset[v] - low[v] + step + begin : offset[v] - low[v] + step + end]
            for i in range(len(before)):
                value = before[i] + price
                if value < after[i]:  # noqa: PLR1730  min() is not made into vector instructions
                    after[i] = value
        for v in range(node_ptr[day + 1], node_ptr[day + 2]):
            if reached[v]:
                for r in over:
                    if low[v] <= r < high[v]:
                        f[offset[v] + r - low[v]] = np.inf
    return reached


@_compiled(int64(*_NETWORK, _INTS, _INTS, _TABLE, _FLOATS, _FLOATS, int64[:, ::1]))
def search(
    arc_ptr: Ints,
    source: Ints,
    target: Ints,
    label_set: Ints,
    move: Ints,
    cost: Floats,
    node_ptr: Ints,
    low: Ints,
    high: Ints,
    offset: Ints,
    over: Ints,
    set_ptr: Ints,
    set_labels: Ints,
    prices: Floats,
    ending: Floats,
    values: Floats,
    rows: Ints,
) -> int:
    """Fill `values` and `rows` with the cheapest rosters and return how many there are. Arrays as in `Network`."""
    days, sets = len(arc_ptr) - 1, len(set_ptr) - 1
    cheapest = np.empty((days, sets))
    for day in range(days):
        for kind in range(sets):
            least = np.inf
            for i in range(set_ptr[kind], set_ptr[kind + 1]):
                least = min(least, prices[day, set_labels[i]])
            cheapest[day, kind] = least
    f = np.empty(offset[-1])
    reached = _forward(arc_ptr, source, target, label_set, move, cost, node_ptr, low, high, offset, over, cheapest, f)
    best = np.full(len(ending), np.inf)
    at = np.zeros(len(ending), dtype=np.int64)
    for v in range(node_ptr[days], node_ptr[days + 1]):
        if reached[v]:
            for r in range(low[v], high[v]):
                value = f[offset[v] + r - low[v]] + ending[r]
                if value < best[r]:
                    best[r] = value
                    at[r] = v
    found = 0
    while found < len(values):
        r = int(np.argmin(best)) if len(best) else 0
        if best[r] == np.inf:
            break
        values[found] = best[r]
        best[r] = np.inf
        node = at[r]
        for day in range(days - 1, -1, -1):
            value = f[offset[node] + r - low[node]]
            for arc in range(arc_ptr[day], arc_ptr[day + 1]):
                u = source[arc]
                earlier = r - move[arc]
                if target[arc] != node or not reached[u] or earlier < low[u] or earlier >= high[u]:
                    continue
                kind = label_set[arc]
                price = cheapest[day, kind] + cost[arc]
                if f[offset[u] + earlier - low[u]] + price == value:
                    chosen = set_labels[set_ptr[kind]]
                    for i in range(set_ptr[kind], set_ptr[kind + 1]):
                        if prices[day, set_labels[i]] < prices[day, chosen]:
                            chosen = set_labels[i]
                    rows[found, day] = chosen
                    node = u
                    r = earlier
                    break
        found += 1
    return found


@_compiled(void(*_NETWORK, _TABLE, _FLOATS, _FLOATS, _TABLE))
def passes(
    arc_ptr: Ints,
    source: Ints,
    target: Ints,
    label_set: Ints,
    move: Ints,
    cost: Floats,
    node_ptr: Ints,
    low: Ints,
    high: Ints,
    offset: Ints,
    over: Ints,
    cheapest: Floats,
    ending: Floats,
    f: Floats,
    least: Floats,
) -> None:
    """Fill `f` and `least`."""
    days = len(arc_ptr) - 1
    reached = _forward(arc_ptr, source, target, label_set, move, cost, node_ptr, low, high, offset, over, cheapest, f)
    least[:] = np.inf
    b = np.full(len(f), np.inf)
    for v in range(node_ptr[days], node_ptr[days + 1]):
        for r in range(low[v], high[v]):
            if f[offset[v] + r - low[v]] < np.inf:
                b[offset[v] + r - low[v]] = ending[r]
    for day in range(days - 1, -1, -1):
        for arc in range(arc_ptr[day], arc_ptr[day + 1]):
            kind = label_set[arc]
            u, v, step = source[arc], target[arc], move[arc]
            begin, end = max(low[u], low[v] - step), min(high[u], high[v] - step)
            if cheapest[day, kind] == np.inf or not reached[u] or end <= begin:
                continue
            first, second = offset[u] - low[u], offset[v] - low[v] + step
            here, there = f[first + begin : first + end], b[second + begin : second + end]
            mine = b[first + begin : first + end]
            best = np.inf
            for i in range(len(here)):
                onward = there[i] + cost[arc]
                best = min(best, here[i] + onward)
                value = onward + cheapest[day, kind]
                if value < mine[i]:  # noqa: PLR1730
                    mine[i] = value
            least[day, kind] = min(least[day, kind], best)
        for i in range(offset[node_ptr[day]], offset[node_ptr[day + 1]]):
            if f[i] == np.inf:
                b[i] = np.inf
