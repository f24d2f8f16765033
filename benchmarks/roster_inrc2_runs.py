"""An instance of INRC-II solved with all weeks known, or week by week; each solve in a process of its own."""

import resource
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

from benchmarks.roster_inrc2_sets import Instance, nurses_of, read_set, scenario_text
from benchmarks.roster_inrc2_weeks import (
    DoneWeek,
    Stage,
    StageRun,
    solved_stage,
    stage_seconds,
    total,
    week_by_week,
)
from benchmarks.roster_runs import RSS_UNIT, BenchmarkRun, Conditions, Solver, apart

from wavegraph.tools.roster.problem.result import Point
from wavegraph.tools.roster.ward.ward import Ward

Mode = Literal["static", "dynamic"]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One instance, solved in one mode."""

    mode: Mode
    instance: str
    nurses: int
    limit: float
    """Processor seconds: of the whole, or of each week."""
    cost: float | None
    """By the checkers; None = no roster of all weeks."""
    bound: float | None
    """No roster costs less, all weeks known; None = not known."""
    status: str
    processor_seconds: float
    """Of all threads, all weeks and the start of each process."""
    longest_week: float | None = None
    """Processor seconds; None where the weeks are solved at once."""
    memory_mib: int
    """The most that a process held at once."""
    parts: dict[str, int]
    """The cost by the validator's parts; empty where it is not asked for."""
    fault: str
    """What the checkers find wrong; empty = nothing."""
    points: list[Point] = field(default_factory=list)
    """Each better cost as it was found, in processor seconds; empty week by week."""

    @property
    def gap(self) -> float | None:
        """How much of the cost may be too much, 0 to 1."""
        if self.cost is None or self.bound is None:
            return None
        return (self.cost - self.bound) / self.cost if self.cost > self.bound else 0.0


@dataclass(frozen=True)
class Solvers:
    """How a ward is solved, and how a stage is."""

    ward: Callable[[Ward, Solver, Conditions], BenchmarkRun]
    stage: Callable[[Stage, float, int], StageRun]


def static(folder: Path, chosen: Instance, seconds: float, seed: int, solvers: Solvers) -> Row:
    """All weeks as one ward, in processor seconds."""
    ward = read_set(folder, chosen.history, list(chosen.weeks))
    under = Conditions(seconds=seconds, work=None, seed=seed, cpu=True, workers=None)
    run = solvers.ward(ward, "agent", under)
    return Row(
        mode="static",
        instance=chosen.name,
        nurses=len(ward.nurses),
        limit=seconds,
        cost=run.cost,
        bound=run.bound,
        status=run.status,
        processor_seconds=run.processor_seconds,
        memory_mib=run.memory_mib,
        parts={},
        fault=run.fault,
        points=run.points,
    )


def dynamic(
    folder: Path, chosen: Instance, seconds: float | None, seed: int, solvers: Solvers, out: Path | None
) -> Row:
    """Week by week, in the competition's time or in so many processor seconds for each."""
    nurses = nurses_of(scenario_text(folder))
    limit = seconds or stage_seconds(nurses)
    weeks = list(week_by_week(folder, chosen, lambda stage: solvers.stage(stage, limit, seed)))
    if out:
        keep(out / chosen.name, weeks)
    whole = weeks[-1].run.solution is not None
    parts, fault = total(folder, chosen, weeks) if whole else ({}, "")
    return Row(
        mode="dynamic",
        instance=chosen.name,
        nurses=nurses,
        limit=limit,
        cost=sum(parts.values()) if whole else None,
        bound=None,
        status="feasible" if whole else f"no roster for week {len(weeks)}",
        processor_seconds=sum(week.run.processor_seconds for week in weeks),
        longest_week=max(week.run.processor_seconds for week in weeks),
        memory_mib=max(week.run.memory_mib for week in weeks),
        parts=parts,
        fault=fault,
    )


def keep(folder: Path, weeks: list[DoneWeek]) -> None:
    """Solutions and histories under the names that the competition's simulator gives them."""
    folder.mkdir(parents=True, exist_ok=True)
    for place, week in enumerate(weeks):
        (folder / f"sol-week{place}.txt").write_text(week.run.solution or "")
        (folder / f"history-week{place}.txt").write_text(week.history)


def stage_apart(stage: Stage, seconds: float, seed: int) -> StageRun:
    """`solved_stage` in a fresh process, which has nothing but the stage, and whose processor time counts from its start."""
    sent = in_own_process(stage_run, stage, seconds, seed)
    return StageRun(solution=None, processor_seconds=0.0, memory_mib=0) if sent is None else sent


def stage_run(stage: Stage, seconds: float, seed: int) -> StageRun:
    solution = solved_stage(stage, seconds, seed)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT
    return StageRun(solution=solution, processor_seconds=time.process_time(), memory_mib=round(memory / 2**20))


def in_own_process(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives in a fresh process; None = it ended without a result."""
    context = get_context("spawn")
    result, sent = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sent, function, arguments), daemon=True)
    process.start()
    sent.close()
    try:
        return result.recv()
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()
        result.close()


def _send(sent: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the benchmark, which ends its processes
    sent.send(function(*arguments))


APART = Solvers(apart, stage_apart)
