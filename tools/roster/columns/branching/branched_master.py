"""The master problem of a node: limits on sums of what is missing or too many, and columns within the masks alone.

Each sum is a row of its own, free until it is limited, with a dear way around it, so that the programme has an optimum
before the columns that keep to the limits are found. The bound knows no such way.
"""

import highspy
import numpy as np

from wavegraph.tools.roster.columns.branching.node import FREE, Limits, Node
from wavegraph.tools.roster.columns.branching.sums import Sum
from wavegraph.tools.roster.columns.counters import Floats
from wavegraph.tools.roster.columns.master_problem import PRIMAL_SIMPLEX, SOLVED, MasterProblem
from wavegraph.tools.roster.columns.pool import Pool


class BranchedMaster(MasterProblem):
    """A master problem that moves from node to node."""

    def __init__(self, pool: Pool, nurses: int, artificial: float, sums: list[Sum]) -> None:
        super().__init__(pool, nurses, artificial)
        self.sums, self.limits = sums, Limits()
        self._around = artificial
        self._first_sum = len(pool.master_rows) + nurses
        _add_sums(self.highs, sums)
        self._add_ways_around()
        self._alone = _rows_alone(pool, sums)

    def _add_ways_around(self) -> None:
        count = 2 * len(self.sums)
        rows = np.repeat(np.arange(self._first_sum, self._first_sum + len(self.sums), dtype=np.int32), 2)
        self.highs.addCols(
            count,
            np.full(count, self._around),
            np.zeros(count),
            np.full(count, np.inf),
            count,
            np.arange(count, dtype=np.int32),
            rows,
            np.tile([1.0, -1.0], len(self.sums)),
        )
        self.first += count

    def move(self, node: Node) -> None:
        """Allow what the node does."""
        for number in {*self.limits, *node.limits}:
            low, high = node.limits.get(number, FREE)
            self.highs.changeRowBounds(self._first_sum + number, low, high)
            self._alone.changeRowBounds(number, low, high)
        self.limits = node.limits
        self.allow(self.pool.within(np.array(self.columns, dtype=np.int64), node.masks))

    def bound(self, duals: Floats) -> float:
        """Under limits, the least cost of the rows' own variables is a small linear programme."""
        if not self.limits:
            return super().bound(duals)
        rows = self.pool.master_rows
        costs = rows.reduced(duals)
        self._alone.changeColsCost(len(costs), np.arange(len(costs), dtype=np.int32), costs)
        self._alone.run()
        if self._alone.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
            return np.inf
        solved = self._alone.getModelStatus() == SOLVED
        least = self._alone.getInfo().objective_function_value if solved else rows.least(costs)
        return rows.paid(duals) + least


def _add_sums(highs: highspy.Highs, sums: list[Sum]) -> None:
    """A free row for each sum, after all others."""
    starts = np.cumsum([0, *(len(each.variables) for each in sums)]).astype(np.int32)
    variables = np.concatenate([np.zeros(0, dtype=np.int64), *(each.variables for each in sums)])
    free = np.full(len(sums), np.inf)
    highs.addRows(
        len(sums), -free, free, len(variables), starts[:-1], variables.astype(np.int32), np.ones(len(variables))
    )


def _rows_alone(pool: Pool, sums: list[Sum]) -> highspy.Highs:
    """The rows' own variables under the limits, without nurses."""
    highs, own = highspy.Highs(), pool.master_rows.own
    options = {"output_flag": False, "threads": 1, "presolve": "off", "solver": "simplex"}
    for name, value in {**options, "simplex_strategy": PRIMAL_SIMPLEX}.items():
        highs.setOptionValue(name, value)
    empty, count = np.zeros(0, dtype=np.int32), len(own.cost)
    highs.addCols(count, own.cost, np.zeros(count), own.upper, 0, np.zeros(count, dtype=np.int32), empty, np.zeros(0))
    _add_sums(highs, sums)
    return highs
