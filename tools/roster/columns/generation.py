"""Column generation: solve the master problem, price every nurse under its duals, add the columns that pay, repeat.

Any duals pi give a bound on every roster (Lagrange):

    LB(pi) = sum_i pi_i rhs_i + sum_k min(0, (d_k - pi b_k) upper_k) + sum_n cheapest roster of n under pi

converged or not. Duals are smoothed towards the best so far (Wentges, 1997).
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.master_problem import PRIMAL_SIMPLEX, LinearOptimum, MasterProblem
from wavegraph.tools.roster.columns.network import Bools
from wavegraph.tools.roster.columns.oracle import Oracle
from wavegraph.tools.roster.columns.pool import Pool

SMOOTHING = 0.5
EPSILON = 1e-6
"""A reduced cost above minus this counts as zero."""
SIMPLEX_WORK = 30
"""Work of a simplex iteration, in steps a row of the master problem."""
SOLVE_WORK = 1_000_000
"""Work of solving a master problem besides its iterations, in steps."""
OnBound = Callable[[float], None]


@dataclass(frozen=True)
class Neighbourhood:
    """What may change: some nurses, each within her mask; the others keep their columns."""

    free: list[int]
    masks: dict[int, Bools] = field(default_factory=dict)
    """What a nurse may work, days x labels; without one she may work anything."""
    fixed: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Columns of the others."""


@dataclass(frozen=True)
class GeneratedColumns:
    """How column generation ended."""

    relaxed: LinearOptimum | None
    """The last linear optimum; None = the time was too short for one."""
    bound: float
    duals: Floats
    """Of the best bound."""
    converged: bool


@dataclass
class ColumnGenerator:
    """Adds columns to master problems."""

    oracle: Oracle
    pool: Pool
    over: Callable[[], bool]
    left: Callable[[], float]
    """Seconds."""
    work: int = 0

    @property
    def spent(self) -> int:
        """All work so far, pricing included."""
        return self.work + self.oracle.work

    def generate(
        self,
        master: MasterProblem,
        neighbourhood: Neighbourhood,
        duals: Floats | None,
        *,
        enough: float = np.inf,
        rounds: int = 10_000,
        simplex: int = PRIMAL_SIMPLEX,
        on_bound: OnBound | None = None,
    ) -> GeneratedColumns:
        """Generate until no column pays, the bound exceeds `enough`, or rounds or time are up.

        `duals`: where the smoothing starts.
        """
        best, bound, relaxed = duals, -np.inf, None
        fixed_cost = float(self.pool.cost[neighbourhood.fixed].sum())
        fixed_activity = self.pool.activity(neighbourhood.fixed)
        converged, exact, in_time = False, False, True
        for _ in range(rounds):
            if relaxed is None or not exact:
                relaxed, in_time = self._relax(master, relaxed, simplex)
            simplex = PRIMAL_SIMPLEX
            if relaxed is None or not in_time or self.over():
                break
            share = 0.0 if exact or best is None else SMOOTHING
            pi = relaxed.duals[: len(self.pool.master_rows)]
            pi = self.pool.master_rows.feasible_duals(pi if best is None else share * best + (1 - share) * pi)
            new, values = self._price(neighbourhood, pi, relaxed, master)
            lagrange = master.bound(pi) + fixed_cost - float(pi @ fixed_activity) + values
            if lagrange > bound:
                bound, best = lagrange, pi
                if on_bound is not None:
                    on_bound(bound)
            master.add(new)
            converged = (not new and not share) or bound >= relaxed.value - EPSILON
            if converged or bound > enough:
                break
            exact = not new
        return GeneratedColumns(
            relaxed, bound, np.zeros(len(self.pool.master_rows)) if best is None else best, converged
        )

    def bound(self, duals: Floats) -> float:
        """The lower bound for the whole ward that any duals give."""
        pi = self.pool.master_rows.feasible_duals(duals)
        answers = self.oracle.ask(pi, list(range(len(self.oracle.nurse_models))))
        return self.pool.master_rows.bound(pi) + sum(answer.value for answer in answers)

    def _relax(
        self, master: MasterProblem, last: LinearOptimum | None, simplex: int
    ) -> tuple[LinearOptimum | None, bool]:
        """The master problem's optimum, and whether there was time for it; else the last one, if no column was dropped."""
        trimmed = master.trim(last)
        relaxed = master.solve(simplex, self.left())
        if relaxed is None:
            return (None, True) if trimmed else (last, False)
        self.count(relaxed.iterations, master)
        return relaxed, True

    def count(self, iterations: int, master: MasterProblem) -> None:
        """Count solving a master problem as work."""
        self.work += SOLVE_WORK + SIMPLEX_WORK * iterations * (len(self.pool.master_rows) + master.nurses)

    def _price(
        self, neighbourhood: Neighbourhood, pi: Floats, relaxed: LinearOptimum, master: MasterProblem
    ) -> tuple[list[int], float]:
        """New columns that pay under the master problem's own duals, and the sum of the nurses' cheapest under `pi`."""
        answers = self.oracle.ask(pi, neighbourhood.free, neighbourhood.masks)
        found = [
            self.pool.add(n, row, cost)
            for n, answer in zip(neighbourhood.free, answers, strict=True)
            for row, cost in zip(answer.rows, answer.costs, strict=True)
        ]
        fresh = [c for c in found if c not in master.members]
        reduced = self.pool.reduced(fresh, relaxed.duals)
        pays = [c for c, value in zip(fresh, reduced, strict=True) if value < -EPSILON]
        return pays, sum(answer.value for answer in answers)
