"""One solver on one ward, in a process of its own; and what came of it, in a form that a file can keep."""

import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Literal

from benchmarks.roster_published import PUBLISHED, PublishedCosts
from benchmarks.roster_wards import tiny_ward

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.columns.solve import solve as by_columns
from wavegraph.tools.roster.cpsat.solve import solve as by_cp_sat
from wavegraph.tools.roster.loop.solver import solve
from wavegraph.tools.roster.problem.clock import Timer
from wavegraph.tools.roster.problem.prices import NO_PENALTIES
from wavegraph.tools.roster.problem.result import Point, SolveResult, Status
from wavegraph.tools.roster.ward.ward import Ward

Solver = Literal["agent", "columns", "cpsat"]
TITLES: dict[Solver, str] = {"agent": "agent", "columns": "columns", "cpsat": "CP-SAT alone"}
LARGE = {"13", "15", "18", "19", "20", "21", "22", "23", "24"}
"""Instances that the literature, too, gives more time."""
CORES = 2
"""What CP-SAT's processor seconds are divided by, to be comparable with a quiet machine of two cores; columns take one."""
WARM_UP = 0.01
"""Units of work that load everything, compiled pricing among it, before the clock begins."""
RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in the unit that the system counts resident memory in."""


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """What every solver is given."""

    seconds: float
    """With `work`: only where the search is given up, if its work takes so long."""
    work: float | None
    """Units of work, so that a seed gives the same roster; None = the seconds alone end the search."""
    seed: int
    cpu: bool
    """Whether seconds are those of the processor; of CP-SAT alone, divided by `CORES`."""
    workers: int | None
    """Of CP-SAT alone; None = by the ward's size."""
    large_seconds: float | None = None
    """What the instances of `LARGE` are given instead; None = the same."""

    def of(self, name: str) -> "Conditions":
        """What the solvers are given for one ward."""
        large = self.large_seconds is not None and name in LARGE
        return replace(
            self, seconds=self.large_seconds if large and self.large_seconds else self.seconds, large_seconds=None
        )


@dataclass(frozen=True, kw_only=True)
class BenchmarkRun:
    """What a solver made of a ward."""

    solver: Solver
    status: Status
    cost: float | None
    """By the checker; None = no roster."""
    bound: float
    seconds: float
    memory_mib: int
    """The most that its process held at once, libraries and all."""
    processor_seconds: float = 0.0
    """Of all its threads; 0 in a file that does not say."""
    fault: str
    """What the checkers find wrong with it; empty = nothing."""
    points: list[Point]
    """Each better cost or bound as it was found, and how it ended."""

    @property
    def gap(self) -> float | None:
        """How much of the cost may be too much, 0 to 1; None without a roster."""
        return None if self.cost is None else (self.cost - self.bound) / self.cost if self.cost > self.bound else 0.0


@dataclass(frozen=True, kw_only=True)
class Row:
    """One ward, by one solver or by two."""

    name: str
    """An instance's number, or a text."""
    days: int
    nurses: int
    shifts: int
    """Types of shifts."""
    runs: list[BenchmarkRun]

    @property
    def published(self) -> PublishedCosts | None:
        return PUBLISHED.get(int(self.name)) if self.name.isdecimal() else None

    def ratio(self, run: BenchmarkRun) -> float | None:
        """Of its cost to the best known."""
        return run.cost / self.published.best if run.cost is not None and self.published else None


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A whole benchmark, as `--json` writes it."""

    conditions: Conditions
    rows: list[Row]


def apart(ward: Ward, solver: Solver, conditions: Conditions) -> BenchmarkRun:
    """`solved` in a fresh process: what ran before leaves no trace, and the memory is this run's own."""
    context = get_context("spawn")
    result, sent = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sent, ward, solver, conditions), daemon=True)
    process.start()
    sent.close()
    try:
        run: BenchmarkRun = result.recv()
        return run
    except EOFError:
        return BenchmarkRun(solver=solver, status="unknown", cost=None, bound=0, seconds=0, memory_mib=0, points=[],
                   fault="its process ended without a result; the machine may lack memory")  # fmt: skip
    finally:
        process.kill()
        process.join()
        result.close()


def _send(sent: Connection, ward: Ward, solver: Solver, conditions: Conditions) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the benchmark, which ends its processes
    sent.send(solved(ward, solver, conditions))


def solved(ward: Ward, solver: Solver, conditions: Conditions) -> BenchmarkRun:
    if solver != "cpsat":
        by_columns(tiny_ward(), penalties=NO_PENALTIES, work=WARM_UP)
    points, began = list[Point](), time.process_time()
    result = _way(solver, conditions)(
        ward,
        penalties=NO_PENALTIES,
        seconds=conditions.seconds,
        seed=conditions.seed,
        timer=_timer(solver) if conditions.cpu else time.monotonic,
        on_progress=lambda cost, bound, seconds: points.append(Point(seconds, cost, bound)),
    )
    if result.cost is not None:
        points.append(Point(result.seconds, result.cost, result.bound))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT
    return BenchmarkRun(
        solver=solver,
        status=result.status,
        cost=None if result.roster is None else roster_cost(ward, result.roster).total,
        bound=result.bound,
        seconds=result.seconds,
        memory_mib=round(memory / 2**20),
        processor_seconds=time.process_time() - began,
        fault=fault(ward, result),
        points=points,
    )


def _way(solver: Solver, conditions: Conditions) -> Callable[..., SolveResult]:
    ways: dict[Solver, Callable[..., SolveResult]] = {
        "agent": partial(solve, work=conditions.work),
        "columns": partial(by_columns, work=conditions.work),
        "cpsat": partial(by_cp_sat, deterministic_time=conditions.work, workers=conditions.workers),
    }
    return ways[solver]


def fault(ward: Ward, result: SolveResult) -> str:
    """What the checkers, which share no code with the solver, find wrong with its roster; empty = nothing."""
    if result.roster is None:
        return ""
    if breaches := check_compliance(ward, result.roster).breaches:
        return f"{len(breaches)} breaches: {breaches[0].detail}"
    cost = roster_cost(ward, result.roster).total
    return "" if cost == result.cost else f"costs {cost}, the solver says {result.cost}"


def _timer(solver: Solver) -> Timer:
    """Processor seconds, which are a quiet machine's seconds."""
    return (lambda: time.process_time() / CORES) if solver == "cpsat" else time.process_time
