"""The must-rules alone, before any price: a roster that keeps them, or the proof that none does and the fewest breaches.

The rules are those of `constraints`, minimum cover and charge among them, without any term of the objective. Local search
finds such a roster in a second where one that also minimises a cost finds none in a minute.
"""

import threading
import time
from dataclasses import dataclass, field
from math import ceil

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.constraints import COVER, HARD, unguarded
from wavegraph.tools.roster.cpsat.objective import BREACHES, make_objective
from wavegraph.tools.roster.cpsat.solver import FEASIBLE, new_solver, solve_until
from wavegraph.tools.roster.cpsat.variables import Variables, make_variables
from wavegraph.tools.roster.problem.clock import Timer
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import NO_PENALTIES, Prices, breach_price
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
        model, variables = self._model()
        for rule in COVER:
            rule(model, variables, self._instance, unguarded)
        status, solver = self._run(model, variables, near)
        if status == cp_model.INFEASIBLE:
            self.least_breaches = max(1, self.least_breaches)
        return self._roster(variables, solver) if status in FEASIBLE else None

    def mend(self, roster: Roster) -> Roster | None:
        without = None if self.asked else self.begin(roster)
        return without or self._fewest(roster)

    def _fewest(self, roster: Roster) -> Roster | None:
        model, variables = self._model()
        prices = Prices.make(NO_PENALTIES, {})
        make_objective(model, variables, self._instance, prices, BREACHES)
        status, solver = self._run(model, variables, roster)
        if status not in FEASIBLE:
            return None
        proven = ceil(solver.best_objective_bound / (breach_price(self._instance.ward) * prices.scale) - 1e-6)
        self.least_breaches = max(self.least_breaches, proven)
        return self._roster(variables, solver)

    @property
    def _instance(self) -> Instance:
        return Instance.of(self.ward)

    def _model(self) -> tuple[cp_model.CpModel, Variables]:
        model = cp_model.CpModel()
        variables = make_variables(model, self._instance)
        for rule in HARD.values():
            rule(model, variables, self._instance, unguarded)
        return model, variables

    def _run(
        self, model: cp_model.CpModel, variables: Variables, near: Roster | None
    ) -> tuple[cp_model.CpSolverStatus, cp_model.CpSolver]:
        if near is not None:
            for x, works in variables.as_in(self._instance, near):
                model.add_hint(x, works)
        solver, until = new_solver(WORKERS), self.timer() + SHARE * self.seconds
        solver.parameters.subsolvers.append(PROVER)
        solver.parameters.random_seed = self.seed
        if self.work is not None:
            solver.parameters.interleave_search = True
            solver.parameters.max_deterministic_time = SHARE * self.work
        status = solve_until(lambda: self.stop.is_set() or self.timer() >= until, solver, model)
        self.used += solver.response_proto.deterministic_time
        return status, solver

    def _roster(self, variables: Variables, solver: cp_model.CpSolver) -> Roster:
        self.found = variables.roster(self._instance, solver.value)
        return self.found


def has_must_cover(ward: Ward) -> bool:
    """Whether a roster can be in breach of a minimum, or lack a nurse in charge."""
    return ward.rules.charge_skill is not None or any(row.minimum for row in ward.demand)
