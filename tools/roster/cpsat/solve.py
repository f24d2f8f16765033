"""Find the best roster that the time allows with CP-SAT, and a proven bound."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.objective import Objective, value_of
from wavegraph.tools.roster.cpsat.post import Poster
from wavegraph.tools.roster.cpsat.solver import FEASIBLE, new_solver, solve_until
from wavegraph.tools.roster.cpsat.variables import Literal, Variables
from wavegraph.tools.roster.problem.clock import Clock, Limit, Timer
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Penalties, Prices
from wavegraph.tools.roster.problem.result import OnProgress, OnRoster, Point, SolveResult, Status
from wavegraph.tools.roster.problem.rules.declared import BREACHES, cover_rows, must_rules, priced_rules
from wavegraph.tools.roster.ward.ward import Roster, Ward

FULL_PORTFOLIO, FEW_WORKERS = 8, 2
"""The worker count chooses CP-SAT's mix of strategies, so it never follows from the machine: eight hold those that
raise the bound and search neighbourhoods, on two cores as well, but need ten seconds to pay."""
LONG_ENOUGH_S = 10.0
HINT_LIMIT = 1.0
"""Seconds, or units of deterministic time, for completing the roster to start from."""


def default_workers(seconds: float) -> int:
    return FULL_PORTFOLIO if seconds >= LONG_ENOUGH_S else FEW_WORKERS


def solve(
    ward: Ward,
    *,
    penalties: Penalties | None = None,
    multipliers: Mapping[str, float] | None = None,
    hint: Roster | None = None,
    seconds: float = 30.0,
    deterministic_time: float | None = None,
    patience: float = 1.0,
    workers: int | None = None,
    seed: int = 1,
    on_progress: OnProgress | None = None,
    on_roster: OnRoster | None = None,
    stop: threading.Event | None = None,
    timer: Timer = time.monotonic,
) -> SolveResult:
    """The best roster of the ward found in `seconds`.

    `penalties` are prices per unit, `multipliers` raise them by kind (default 1). `hint`: a roster to start from, so that
    the result is no worse; one that breaks a rule is ignored. `stop` ends the search early and keeps
    the best so far. `patience`: how many times as long the search may take while there is no roster without a breach. `timer` counts the seconds: a benchmark on a busy machine counts those of the processor.

    The same call gives the same roster when `deterministic_time` is given (CP-SAT's own count of work, about a second
    of one core a unit) and neither `seconds` nor `stop` ends the search before it. Without it the search ends by the
    clock and races its workers: the same cost when proven optimal, otherwise whatever the time allowed.

    Raises ValueError for a multiplier of an unknown kind. What the solver cannot do is a status, not an exception.
    """
    instance = Instance.of(ward)
    poster = priced_model(instance, Prices.make(penalties or Penalties(), multipliers or {}))
    clock = Clock(seconds, deterministic_time, stop or threading.Event(), timer, patience)
    count = workers or default_workers(seconds)
    return _CpSatSearch(
        instance, poster.model, poster.v, poster.objective, clock, count, seed, on_progress, on_roster
    ).result(hint)


def priced_model(instance: Instance, prices: Prices) -> Poster:
    """Every rule that must hold, and the least total of all that cost."""
    poster = Poster.of(instance, must_rules(instance), prices.scale)
    poster.post(cover_rows(instance, prices.scale))
    poster.post(priced_rules(instance, prices))
    poster.model.minimize(poster.objective.total)
    return poster


@dataclass
class _CpSatSearch:
    """One call of `solve`."""

    instance: Instance
    model: cp_model.CpModel
    v: Variables
    objective: Objective
    clock: Clock
    workers: int
    seed: int
    on_progress: OnProgress | None
    on_roster: OnRoster | None
    best: tuple[list[int], int] | None = None
    bound: int = 0
    """In the objective's units."""
    trace: list[Point] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def result(self, hint: Roster | None) -> SolveResult:
        if hint is not None:
            self._start_from(hint)
        status = self._search()
        if self.best is not None and self.best[1] <= self.bound:
            status = "optimal"
        elif status in ("feasible", "unknown") and self.clock.stop.is_set():
            status = "stopped"
        return self._report(status)

    def _start_from(self, hint: Roster) -> None:
        """Start from the hint if it keeps the rules."""
        kept, solver = self.model.clone(), self._solver(1)
        for x, works in self.v.as_in(hint):
            kept.add(x == works)
        if self._run(solver, self.clock.limit(1.0, HINT_LIMIT), kept) in FEASIBLE:
            self._found((list(solver.response_proto.solution), round(solver.objective_value)))
            self.model.proto.solution_hint.vars.extend(range(len(solver.response_proto.solution)))
            self.model.proto.solution_hint.values.extend(solver.response_proto.solution)

    def _bounded(self, bound: float) -> None:
        with self.lock:
            self.bound = max(self.bound, ceil(bound - 1e-6))

    def _search(self) -> Status:
        """Until it is proven or the time is up; without a roster, as long as the patience lasts."""
        solver = self._solver(self.workers)
        while not self.clock.over:
            outcome = self._run(solver, self.clock.limit(1.0), self.model, _Watch(self))
            self._bounded(solver.best_objective_bound)
            if outcome == cp_model.INFEASIBLE:
                return "infeasible"
            if outcome in FEASIBLE and (self.best is None or solver.objective_value < self.best[1]):
                self._found((list(solver.response_proto.solution), round(solver.objective_value)))
            if outcome == cp_model.OPTIMAL:
                return "optimal"
            if self.best is not None:
                return "feasible"
        return "unknown" if self.best is None else "feasible"

    def _solver(self, workers: int) -> cp_model.CpSolver:
        solver = new_solver(workers)
        solver.parameters.random_seed = self.seed
        solver.parameters.interleave_search = self.clock.deterministic is not None and workers > 1
        return solver

    def _run(
        self, solver: cp_model.CpSolver, limit: Limit, model: cp_model.CpModel, watch: "_Watch | None" = None
    ) -> cp_model.CpSolverStatus:
        """Solve until the limit, or until asked to stop.

        By the clock, a solve without a roster goes on past its share: only a roster can be improved.
        """
        if limit.deterministic is not None:
            solver.parameters.max_deterministic_time = limit.deterministic

        def due() -> bool:
            share_spent = bool(self.trace) and self.clock.elapsed >= limit.until
            return share_spent or self.clock.stop.is_set() or self.clock.elapsed >= self.clock.allowed

        status = solve_until(due, solver, model, watch)
        self.clock.used += solver.response_proto.deterministic_time
        return status

    def _found(self, best: tuple[list[int], int]) -> None:
        self.best = best
        self.progress(best[1], lambda x: value_of(x, best[0]))

    def progress(self, objective: int, value: Callable[[Literal], int]) -> None:
        """Report a roster of this cost, once."""
        with self.lock:
            cost, bound = self._units(objective), self._units(min(self.bound, objective))
            if self.trace and self.trace[-1].cost <= cost:
                return
            self.clock.found = not any(
                value(count) for kind in BREACHES for _, count in self.objective.terms.get(kind, [])
            )
            self.trace.append(Point(self.clock.elapsed, cost, bound))
            point = self.trace[-1]
        if self.on_roster is not None:
            self.on_roster(self.v.roster(value))
        if self.on_progress is not None:
            self.on_progress(point.cost, point.bound, point.seconds)

    def _units(self, amount: int) -> float:
        return amount // self.objective.scale if amount % self.objective.scale == 0 else amount / self.objective.scale

    def _report(self, status: Status) -> SolveResult:
        if self.best is None:
            return SolveResult(status, None, None, {}, self._units(self.bound), self.clock.elapsed, self.trace)
        values, cost = self.best
        bound = self._units(min(cost, self.bound))
        parts = {kind: self._units(amount) for kind, amount in self.objective.parts(values).items()}
        return SolveResult(
            status,
            self.v.roster(lambda x: value_of(x, values)),
            self._units(cost),
            parts,
            bound,
            self.clock.elapsed,
            self.trace,
        )


class _Watch(cp_model.CpSolverSolutionCallback):
    """Reports every better roster of the whole model."""

    def __init__(self, run: _CpSatSearch) -> None:
        super().__init__()
        self._run = run

    def on_solution_callback(self) -> None:
        self._run._bounded(self.best_objective_bound)
        self._run.progress(round(self.objective_value), self.value)
