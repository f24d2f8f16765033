"""The passes of `passes`, compiled. Loops on purpose: numba turns the inner ones into vector instructions."""

from collections.abc import Callable
from typing import cast

import numpy as np
from numba import float64, int64, njit, void

from wavegraph.tools.roster.columns.counters import Floats, Ints


def _passes(
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
    """Fill `f` and `least`. Arrays as in `Network`."""
    days = len(arc_ptr) - 1
    reached = np.zeros(len(low), dtype=np.bool_)
    f[:] = np.inf
    least[:] = np.inf
    if high[0] > low[0] and low[0] == 0:
        f[0] = 0.0
        reached[0] = True
    for day in range(days):
        for arc in range(arc_ptr[day], arc_ptr[day + 1]):
            price = cheapest[day, label_set[arc]] + cost[arc]
            u, v, step = source[arc], target[arc], move[arc]
            begin, end = max(low[u], low[v] - step), min(high[u], high[v] - step)
            if price == np.inf or not reached[u] or end <= begin:
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


_INTS, _FLOATS = int64[::1], float64[::1]
_TABLE = float64[:, ::1]
_SIGNATURE = void(*[_INTS] * 5, _FLOATS, *[_INTS] * 5, _TABLE, _FLOATS, _FLOATS, _TABLE)
passes = cast("Callable[..., None]", njit(_SIGNATURE, nogil=True, cache=True)(_passes))
