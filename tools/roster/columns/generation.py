"""Column generation: solve the linear programme, price every nurse under its duals, add what pays, and again.

Any duals pi give a bound on every roster (Lagrange):

    LB(pi) = sum_i pi_i rhs_i + sum_k min(0, (d_k - pi b_k) upper_k) + sum_n cheapest roster of n under pi

so it holds at every moment, converged or not. Duals are smoothed towards the best so far (Wentges, 1997).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.network import Bools
from wavegraph.tools.roster.columns.oracle import Oracle
from wavegraph.tools.roster.columns.pool import Pool
from wavegraph.tools.roster.columns.programme import PRIMAL_SIMPLEX, LinearOptimum, MasterProblem

SMOOTHING = 0.5
EPSILON = 1e-6
"""A reduced cost above minus this is none."""
SIMPLEX_WORK = 30
"""Steps that a simplex iteration counts for, a row of the programme."""
SOLVE_WORK = 1_000_000
"""Steps that solving a programme counts for besides."""
OnBound = Callable[[float], None]


@dataclass(frozen=True)
class Neighbourhood:
    """What may change: some nurses, each within a mask; the others keep their columns."""

    free: list[int]
    masks: dict[int, Bools] | None = None
    fixed: Ints | None = None
    """Columns of the others."""


@dataclass(frozen=True)
class GeneratedColumns:
    """Where column generation ended."""

    relaxed: LinearOptimum | None
    """The last linear optimum; None = there was no time for any."""
    bound: float
    duals: Floats
    """Of the best bound."""
    converged: bool


@dataclass
class ColumnGenerator:
    """Adds columns to linear programmes."""

    oracle: Oracle
    pool: Pool
    over: Callable[[], bool]
    left: Callable[[], float]
    """Seconds."""
    work: int = 0

    def generate(
        self,
        programme: MasterProblem,
        part: Neighbourhood,
        duals: Floats | None,
        *,
        enough: float = np.inf,
        rounds: int = 10_000,
        simplex: int = PRIMAL_SIMPLEX,
        on_bound: OnBound | None = None,
    ) -> GeneratedColumns:
        """Generate until nothing pays, the bound is more than `enough`, or rounds or time are up.

        `duals` are where the smoothing begins.
        """
        best, bound, relaxed = duals, -np.inf, None
        fixed_cost, fixed_activity = self._fixed(part)
        converged, exact, in_time = False, False, True
        for _ in range(rounds):
            if relaxed is None or not exact:
                relaxed, in_time = self._relax(programme, relaxed, simplex)
            simplex = PRIMAL_SIMPLEX
            if relaxed is None or not in_time or self.over():
                break
            share = 0.0 if exact or best is None else SMOOTHING
            pi = relaxed.duals[: len(self.pool.links)]
            pi = self.pool.links.fit(pi if best is None else share * best + (1 - share) * pi)
            new, values = self._price(part, pi, relaxed, programme)
            lagrange = self.pool.links.bound(pi) + fixed_cost - float(pi @ fixed_activity) + values
            if lagrange > bound:
                bound, best = lagrange, pi
                if on_bound is not None:
                    on_bound(bound)
            programme.add(new)
            converged = not new and not share
            if converged or bound > enough or bound >= relaxed.value - EPSILON:
                converged = converged or bound >= relaxed.value - EPSILON
                break
            exact = not new
        return GeneratedColumns(relaxed, bound, np.zeros(len(self.pool.links)) if best is None else best, converged)

    def bound(self, duals: Floats) -> float:
        """LB of any duals for the whole ward."""
        pi = self.pool.links.fit(duals)
        answers = self.oracle.ask(pi, list(range(len(self.oracle.people))))
        return self.pool.links.bound(pi) + sum(answer.value for answer in answers)

    def _fixed(self, part: Neighbourhood) -> tuple[float, Floats]:
        if part.fixed is None:
            return 0.0, np.zeros(len(self.pool.links))
        return float(self.pool.cost[part.fixed].sum()), self.pool.activity(part.fixed)

    def _relax(
        self, programme: MasterProblem, last: LinearOptimum | None, simplex: int
    ) -> tuple[LinearOptimum | None, bool]:
        """The programme's optimum; where there is no time for it, the last one while it fits the columns, and False."""
        trimmed = programme.trim(last)
        relaxed = self._solve(programme, simplex)
        return (last, False) if relaxed is None and not trimmed else (relaxed, True)

    def _solve(self, programme: MasterProblem, simplex: int) -> LinearOptimum | None:
        relaxed = programme.solve(simplex, self.left())
        if relaxed is not None:
            self.count(relaxed.iterations, programme)
        return relaxed

    def count(self, iterations: int, programme: MasterProblem) -> None:
        """Count solving a programme as work."""
        self.work += SOLVE_WORK + SIMPLEX_WORK * iterations * (len(self.pool.links) + programme.nurses)

    def _price(
        self, part: Neighbourhood, pi: Floats, relaxed: LinearOptimum, programme: MasterProblem
    ) -> tuple[list[int], float]:
        """New columns that pay under the programme's own duals, and the sum of the nurses' cheapest under `pi`."""
        answers = self.oracle.ask(pi, part.free, part.masks)
        found = [
            self.pool.add(n, row, cost)
            for n, answer in zip(part.free, answers, strict=True)
            for row, cost in zip(answer.rows, answer.costs, strict=True)
        ]
        fresh = [c for c in found if c not in programme.members]
        reduced = self.pool.reduced(fresh, relaxed.duals)
        pays = [c for c, value in zip(fresh, reduced, strict=True) if value < -EPSILON]
        return pays, sum(answer.value for answer in answers)
