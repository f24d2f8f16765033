"""The must-rules alone, before any price: a roster that keeps them, or the proof that none does and the fewest breaches.

Minimum cover and charge are among them, and no term of the objective. Local search
finds such a roster in a second where one that also minimises a cost finds none in a minute.
"""

import threading
import time
from dataclasses import dataclass, field
from math import ceil

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.post import Poster
from wavegraph.tools.roster.cpsat.solver import FEASIBLE, new_solver, solve_until
from wavegraph.tools.roster.problem.clock import Timer
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import breach_price
from wavegraph.tools.roster.problem.rules.declared import cover_rows, must_rules
from wavegraph.tools.roster.ward.ward import Roster, Ward

SHARE = 1 / 3
"""Of the time: for a roster without a breach, and once more for one with the fewest."""
WORKERS, PROVER = 2, "default_lp"
"""One worker proves, and the other, which CP-SAT chooses by itself where only one is named, looks for a first roster."""


@dataclass
class MustRules:
    """A `problem.start.Start`. With `work` it gives the same rosters, as long as `seconds` do not end it before."""

    ward: Ward
    seconds: float
    work: float | None = None
    seed: int = 1
    stop: threading.Event = field(default_factory=threading.Event)
    timer: Timer = time.monotonic
    least_breaches: int = 0
    used: float = 0.0
    asked: bool = False
    """Whether a roster without a breach was looked for."""
    found: Roster | None = None
    """The best so far."""

    def begin(self, near: Roster | None = None) -> Roster | None:
        """`near`: where to look first."""
        self.asked = True
        poster = Poster.of(self._instance, must_rules(self._instance))
        poster.hold(cover_rows(self._instance))
        status, solver = self._run(poster, near)
        if status == cp_model.INFEASIBLE:
            self.least_breaches = max(1, self.least_breaches)
        return self._roster(poster, solver) if status in FEASIBLE else None

    def mend(self, roster: Roster) -> Roster | None:
        without = None if self.asked else self.begin(roster)
        return without or self._fewest(roster)

    def _fewest(self, roster: Roster) -> Roster | None:
        poster = Poster.of(self._instance, must_rules(self._instance))
        for row in cover_rows(self._instance):
            poster.price_breach(row)
        poster.model.minimize(poster.objective.total)
        status, solver = self._run(poster, roster)
        if status not in FEASIBLE:
            return None
        proven = ceil(solver.best_objective_bound / breach_price(self._instance.ward) - 1e-6)
        self.least_breaches = max(self.least_breaches, proven)
        return self._roster(poster, solver)

    @property
    def _instance(self) -> Instance:
        return Instance.of(self.ward)

    def _run(self, poster: Poster, near: Roster | None) -> tuple[cp_model.CpSolverStatus, cp_model.CpSolver]:
        if near is not None:
            for x, works in poster.v.as_in(near):
                poster.model.add_hint(x, works)
        solver, until = new_solver(WORKERS), self.timer() + SHARE * self.seconds
        solver.parameters.subsolvers.append(PROVER)
        solver.parameters.random_seed = self.seed
        if self.work is not None:
            solver.parameters.interleave_search = True
            solver.parameters.max_deterministic_time = SHARE * self.work
        status = solve_until(lambda: self.stop.is_set() or self.timer() >= until, solver, poster.model)
        self.used += solver.response_proto.deterministic_time
        return status, solver

    def _roster(self, poster: Poster, solver: cp_model.CpSolver) -> Roster:
        self.found = poster.v.roster(solver.value)
        return self.found


def has_must_cover(ward: Ward) -> bool:
    """Whether a roster can be in breach of a minimum, or lack a nurse in charge."""
    return ward.rules.charge_skill is not None or any(row.minimum for row in ward.demand)
