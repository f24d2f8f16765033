"""Find the best roster that the time allows with CP-SAT, and a proven bound."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.objective import Objective, value_of
from wavegraph.tools.roster.cpsat.post import Poster
from wavegraph.tools.roster.cpsat.search import Outcome, Settled, give_hint, improve
from wavegraph.tools.roster.cpsat.solver import FEASIBLE, new_solver, solve_until
from wavegraph.tools.roster.cpsat.variables import Literal, Variables
from wavegraph.tools.roster.problem.clock import Clock, Limit, Timer
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Penalties, Prices
from wavegraph.tools.roster.problem.result import OnProgress, OnRoster, Point, SolveResult, Status
from wavegraph.tools.roster.problem.rules.declared import BREACHES, cover_rows, must_rules, priced_rules
from wavegraph.tools.roster.ward.ward import Roster, Ward

SMALL_WARD = 20
"""Nurses up to which CP-SAT's full portfolio proves or nearly proves; on larger wards our neighbourhoods gain more."""
FULL_PORTFOLIO, FEW_WORKERS = 8, 2
"""The worker count chooses CP-SAT's mix of strategies, so it never follows from the machine: eight hold those that
raise the bound, on two cores as well, but need ten seconds to pay."""
LONG_ENOUGH_S = 10.0
WHOLE_SHARE = {True: 0.6, False: 0.1}
"""Part of the time that the whole model gets before the neighbourhoods, for a small ward and a large one."""
PART_LIMIT = 1.0
"""Seconds, or units of deterministic time, for one neighbourhood."""


def default_workers(nurses: int, seconds: float) -> int:
    return FULL_PORTFOLIO if nurses <= SMALL_WARD and seconds >= LONG_ENOUGH_S else FEW_WORKERS


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
    count = workers or default_workers(len(ward.nurses), seconds)
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


def _cells(v: Variables, roster: Roster) -> list[int]:
    """The values of all variables that say who works what; 0 for the others."""
    values = [0] * (1 + max(x.index for x in v.shift.values()))
    for x, works in v.as_in(roster):
        values[x.index] = works
    return values


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
        with Settled(self.model, self.v, _cells(self.v, hint), set()):
            outcome = self._part(self.seed)
        if outcome.values is not None:
            self._found((outcome.values, outcome.objective))
            give_hint(self.model, outcome.values)

    def _bounded(self, bound: float) -> None:
        with self.lock:
            self.bound = max(self.bound, ceil(bound - 1e-6))

    def _search(self) -> Status:
        status = self._whole()
        if status != "feasible" or self.best is None:
            return status
        for better in improve(self.model, self.v, self.instance, self.best, self.seed, self._part):
            if better is not None:
                self._found(better)
            if self.clock.over or self.best[1] <= self.bound:
                break
        return "feasible"

    def _whole(self) -> Status:
        """Solve the whole model for its share of the time, and continue until there is a roster."""
        solver = self._solver(self.workers)
        share = WHOLE_SHARE[len(self.instance.nurses) <= SMALL_WARD]
        while not self.clock.over:
            outcome = self._run(solver, self.clock.limit(share), _Watch(self))
            self._bounded(solver.best_objective_bound)
            if outcome == cp_model.INFEASIBLE:
                return "infeasible"
            if outcome in FEASIBLE and (self.best is None or solver.objective_value < self.best[1]):
                self._found((list(solver.response_proto.solution), round(solver.objective_value)))
            if outcome == cp_model.OPTIMAL:
                return "optimal"
            if self.best is not None:
                return "feasible"
            share *= 2
        return "unknown" if self.best is None else "feasible"

    def _part(self, seed: int) -> Outcome:
        solver = self._solver(FEW_WORKERS if self.clock.deterministic is None else 1)
        solver.parameters.random_seed = seed
        began = self.clock.elapsed
        status = self._run(solver, self.clock.limit(1.0, PART_LIMIT), None)
        response = solver.response_proto
        used = self.clock.elapsed - began if self.clock.deterministic is None else response.deterministic_time
        if status not in FEASIBLE:
            return Outcome(None, 0, False, used)
        return Outcome(list(response.solution), round(solver.objective_value), status == cp_model.OPTIMAL, used)

    def _solver(self, workers: int) -> cp_model.CpSolver:
        solver = new_solver(workers)
        solver.parameters.random_seed = self.seed
        solver.parameters.interleave_search = self.clock.deterministic is not None and workers > 1
        return solver

    def _run(self, solver: cp_model.CpSolver, limit: Limit, watch: "_Watch | None") -> cp_model.CpSolverStatus:
        """Solve until the limit, or until asked to stop.

        By the clock, a solve without a roster goes on past its share: only a roster can be improved.
        """
        if limit.deterministic is not None:
            solver.parameters.max_deterministic_time = limit.deterministic

        def due() -> bool:
            share_spent = bool(self.trace) and self.clock.elapsed >= limit.until
            return share_spent or self.clock.stop.is_set() or self.clock.elapsed >= self.clock.allowed

        status = solve_until(due, solver, self.model, watch)
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
