"""The master problem, a linear programme over columns, and the mixed-integer choice among a few of them, by HiGHS.

min  sum_j c_j x_j + sum_k d_k y_k
master rows:    low <= sum_j a_j x_j + sum_k b_k y_k <= high            dual pi
each nurse:     sum of her x_j + her artificial = 1                     dual sigma
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import highspy
import numpy as np

from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.master_rows import MasterRows
from wavegraph.tools.roster.columns.pool import Pool

DUAL_SIMPLEX, PRIMAL_SIMPLEX = 1, 4
LARGE, TRIMMED = 70, 40
"""Columns a nurse above which the master problem is trimmed, and to how many."""
INTEGRAL = 1e-6
"""Weights this near to a whole number count as whole."""
SOLVED = highspy.HighsModelStatus.kOptimal


@dataclass(frozen=True)
class LinearOptimum:
    """An optimum of the master problem."""

    value: float
    duals: Floats
    """Of the master rows, then of the nurses."""
    weights: Floats
    """Of the columns, in the order they were added."""
    own: Floats
    """Of the rows' own variables."""
    iterations: int


class MasterProblem:
    """A linear programme that columns are added to, by their indices in the pool."""

    def __init__(self, pool: Pool, nurses: int, artificial: float) -> None:
        self.pool, self.nurses, self.columns = pool, nurses, list[int]()
        self.members = set[int]()
        self.highs = _model(pool.master_rows, nurses, artificial)
        self.first = len(pool.master_rows.own.cost) + nurses
        """Index of the first column."""

    def add(self, columns: list[int]) -> None:
        new = [c for c in dict.fromkeys(columns) if c not in self.members]
        if new:
            _add_columns(self.highs, self.pool, new)
            self.columns += new
            self.members.update(new)

    def allow(self, allowed: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
        """Allow or forbid each column, in the order they were added."""
        count = len(self.columns)
        indices = np.arange(self.first, self.first + count, dtype=np.int32)
        self.highs.changeColsBounds(count, indices, np.zeros(count), np.where(allowed, np.inf, 0.0))

    def bound(self, duals: Floats) -> float:
        """The rows' part of the Lagrangian bound."""
        return self.pool.master_rows.bound(duals)

    def trim(self, relaxed: LinearOptimum | None) -> bool:
        """Drop the columns with the largest reduced costs where there are too many; True if it does."""
        if relaxed is None or len(self.columns) <= LARGE * self.nurses:
            return False
        reduced = self.pool.reduced(self.columns, relaxed.duals)
        reduced[np.flatnonzero(relaxed.weights > 0)] = -np.inf
        order = np.argsort(reduced, kind="stable")
        out = np.sort(order[TRIMMED * self.nurses :])
        out = out[reduced[out] > 0]
        self.highs.deleteCols(len(out), (self.first + out).astype(np.int32))
        gone = set(out.tolist())
        self.columns = [c for i, c in enumerate(self.columns) if i not in gone]
        self.members = set(self.columns)
        return True

    def solve(self, simplex: int, seconds: float) -> LinearOptimum | None:
        """The optimum; None = not solved in time."""
        self.highs.setOptionValue("simplex_strategy", simplex)
        self.highs.setOptionValue("time_limit", self.highs.getRunTime() + max(0.0, seconds))
        self.highs.run()
        if self.highs.getModelStatus() != SOLVED:
            return None
        solution, info = self.highs.getSolution(), self.highs.getInfo()
        return LinearOptimum(
            value=info.objective_function_value,
            duals=np.array(solution.row_dual),
            weights=np.array(solution.col_value)[self.first :],
            own=np.array(solution.col_value)[: len(self.pool.master_rows.own.cost)],
            iterations=max(0, info.simplex_iteration_count),
        )

    def cell_weights(self, relaxed: LinearOptimum, labels: int) -> Floats:
        """The weight of each label of each nurse's day: nurses x days x labels."""
        pool, columns = self.pool, np.array(self.columns, dtype=np.int64)
        used = np.flatnonzero(relaxed.weights > INTEGRAL)
        total = np.zeros((self.nurses, pool.days, labels))
        for column, weight in zip(columns[used].tolist(), relaxed.weights[used].tolist(), strict=True):
            total[pool.nurse[column], np.arange(pool.days), pool.rows[column]] += weight
        return total

    def integral(self, relaxed: LinearOptimum) -> Ints | None:
        """The columns of an optimum with one whole column for each nurse, by nurse; None where it is not so."""
        taken = np.flatnonzero(relaxed.weights > 1 - INTEGRAL)
        if len(taken) != self.nurses:
            return None
        columns = np.array(self.columns, dtype=np.int64)[taken]
        return columns[np.argsort(self.pool.nurse[columns])]


def _model(master_rows: MasterRows, nurses: int, artificial: float | None) -> highspy.Highs:
    """The rows, their own variables and an artificial column for each nurse. `artificial`: its cost; None = forbidden."""
    highs = highspy.Highs()
    for name, value in {"output_flag": False, "threads": 1, "presolve": "off", "solver": "simplex"}.items():
        highs.setOptionValue(name, value)
    empty = np.zeros(0, dtype=np.int32)
    low, high = np.append(master_rows.low, np.ones(nurses)), np.append(master_rows.high, np.ones(nurses))
    highs.addRows(len(low), low, high, 0, empty, empty, np.zeros(0))
    own = master_rows.own
    order = np.argsort(own.variable, kind="stable")
    starts = np.searchsorted(own.variable[order], np.arange(len(own.cost))).astype(np.int32)
    highs.addCols(
        len(own.cost),
        own.cost,
        np.zeros(len(own.cost)),
        own.upper,
        len(own.row),
        starts,
        own.row[order].astype(np.int32),
        own.coefficient[order],
    )
    rows = np.arange(len(master_rows), len(master_rows) + nurses, dtype=np.int32)
    highs.addCols(
        nurses,
        np.full(nurses, artificial or 0.0),
        np.zeros(nurses),
        np.full(nurses, 0.0 if artificial is None else np.inf),
        nurses,
        np.arange(nurses, dtype=np.int32),
        rows,
        np.ones(nurses),
    )
    return highs


def _add_columns(highs: highspy.Highs, pool: Pool, columns: list[int], upper: float = np.inf) -> None:
    rows, values, ends = pool.concatenated(columns)
    count = len(columns)
    highs.addCols(
        count,
        pool.cost[columns],
        np.zeros(count),
        np.full(count, upper),
        len(rows),
        ends[:-1].astype(np.int32),
        rows.astype(np.int32),
        values,
    )


@dataclass(frozen=True)
class MixedIntegerOptimum:
    """The best choice among some columns."""

    columns: Ints | None
    """One for each nurse; None = nothing better was found."""
    solved: bool
    iterations: int


def choose(
    pool: Pool,
    columns: list[int],
    nurses: int,
    below: float,
    nodes: int,
    seconds: float,
    over: Callable[[], bool],
    *,
    limits: Sequence[tuple[Ints, float, float]] = (),
    presolve: bool = True,
) -> MixedIntegerOptimum:
    """The best roster of these columns that costs less than `below`.

    `over`: whether the search has to end, which ends the choice as well.
    `limits`: some of the rows' own variables, and the least and the most of their sum. `presolve`: of thousands of
    columns it takes longer than all the rest.
    """
    highs = _model(pool.master_rows, nurses, None)
    for variables, low, high in limits:
        highs.addRow(low, high, len(variables), variables.astype(np.int32), np.ones(len(variables)))
    _add_columns(highs, pool, columns, 1.0)
    count, first = len(columns), len(pool.master_rows.own.cost) + nurses
    indices = np.arange(first, first + count, dtype=np.int32)
    highs.changeColsIntegrality(count, indices, np.full(count, 1, dtype=np.uint8))
    options = {
        "solver": "choose",
        "presolve": "on" if presolve else "off",
        "objective_bound": below,
        "mip_max_nodes": nodes,
        "mip_rel_gap": 0.0,
        "mip_abs_gap": 0.99,
        "time_limit": max(0.01, seconds),
    }
    for name, value in options.items():
        highs.setOptionValue(name, value)
    highs.cbMipInterrupt.subscribe(lambda event: event.interrupt() if over() else None)
    highs.run()
    status, info = highs.getModelStatus(), highs.getInfo()
    solved = status in (SOLVED, highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kObjectiveBound)
    values = np.array(highs.getSolution().col_value)
    iterations = max(0, info.simplex_iteration_count)
    taken = np.flatnonzero(values[first:] > 0.5) if len(values) else np.zeros(0, dtype=np.int64)
    if info.primal_solution_status != 2 or len(taken) != nurses:
        return MixedIntegerOptimum(None, solved, iterations)
    found = np.array(columns)[taken]
    return MixedIntegerOptimum(found[np.argsort(pool.nurse[found])], solved, iterations)
