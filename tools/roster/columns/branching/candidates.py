"""Which branches to try: sums and cells that the linear optimum leaves most undecided."""

import numpy as np

from wavegraph.tools.roster.columns.branching.node import Branch, Cell, SumOf
from wavegraph.tools.roster.columns.branching.sums import Sum
from wavegraph.tools.roster.columns.counters import Floats
from wavegraph.tools.roster.columns.master_problem import LinearOptimum

SUMS, CELLS = 4, 8
"""Most of each that are tried."""
FRACTIONAL = 1e-4
WHOLE_FIRST, DAY_OFF_FIRST = 0.4, 0.05
"""How much nearer to a half the sum over the whole horizon, and a day off, count as."""


def candidates(sums: list[Sum], relaxed: LinearOptimum, weights: Floats) -> list[Branch]:
    """`weights`: of each label of each nurse's day, the day off last."""
    return [*_sums(sums, relaxed)[:SUMS], *_cells(weights)]


def _sums(sums: list[Sum], relaxed: LinearOptimum) -> list[SumOf]:
    values = np.array([relaxed.own[each.variables].sum() for each in sums])
    urgency = _undecided(values) + WHOLE_FIRST * np.array([each.whole for each in sums])
    return [SumOf(int(i), float(values[i])) for i in _most(urgency, _undecided(values))]


def _cells(weights: Floats) -> list[Cell]:
    urgency = _undecided(weights)
    urgency[:, :, -1] += DAY_OFF_FIRST
    found = [np.unravel_index(i, weights.shape) for i in _most(urgency.ravel(), _undecided(weights).ravel())[:CELLS]]
    return [Cell(int(n), int(d), int(k), float(weights[n, d, k])) for n, d, k in found]


def _undecided(values: Floats) -> Floats:
    """How far from a whole number."""
    return np.asarray(np.abs(values - np.round(values)))


def _most(urgency: Floats, undecided: Floats) -> list[int]:
    """The places that are not decided, the most urgent first."""
    order = np.argsort(-urgency, kind="stable")
    return [int(i) for i in order.tolist() if undecided[i] > FRACTIONAL]
