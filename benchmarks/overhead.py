"""What the engine itself costs in a request: processor time beside bare LangGraph and LangChain's agent.

    python -m benchmarks.overhead [--rounds 40] [--calls 1 4 16] [--at-once 1 10 100] [--savers none sqlite postgresql]

Each request plans so many reads, runs them and answers. The chat model is scripted and answers at once, so what is left
is the program around it. `bare LangGraph` is a graph of the same super-steps, its model called as often, without checks;
`create_agent` is LangChain's loop (left out where `langchain` is not installed), which has fewer super-steps. Processor
time of this process, all its threads, not of the database's server; one request of each in turn, in an order that the seed
shuffles anew each round; medians. `ours to it` is the ratio: 2 = ours takes twice as much. With a saver each request is
on a thread of its own, and all have the same saver of LangGraph's. At once: so many requests of 4 calls in one event
loop, per request.
"""

import asyncio
import random
import sys
import time
from collections.abc import Mapping, Sequence
from statistics import median

from benchmarks.overhead_graphs import AGENT, BARE, OURS, Request, contestants
from benchmarks.report import Goal, Report, Row, add_options, figure, forget_settings, parser_of, told
from benchmarks.savers import KINDS, Saver, opened, postgres_for, why_no_postgres

WARM_UP = 3
"""Rounds that are not counted."""
LEAST = 3
"""Rounds of many at once."""
WIDTH = 4
"""Calls of each request where several run at once."""
TIME, RATIO = "processor time", "ours to it"
MOST: Mapping[Saver, float] = {"no saver": 1.8, "SQLite": 1.3, "PostgreSQL": 1.3}
"""Times bare LangGraph, that ours may take."""
MANY = 100
WHY = (
    "the checks, and more fields of the state for LangGraph to keep: `make bench ARGS=checks` has the processor time of each "
    "check"
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("overhead", __doc__)
    parser.add_argument("--rounds", type=int, default=40, help="requests of each contestant (default: %(default)s)")
    parser.add_argument("--calls", type=int, nargs="+", default=[1, 4, 16], help="calls in the wave")
    parser.add_argument("--at-once", type=int, nargs="*", default=[1, 10, MANY], help="requests that run at once")
    parser.add_argument("--savers", choices=KINDS, nargs="+", default=list(KINDS), help="where threads are kept")
    add_options(parser)
    given = parser.parse_args(arguments)
    forget_settings()
    savers = tuple(KINDS[name] for name in given.savers)
    missing = why_no_postgres() if "PostgreSQL" in savers else None
    savers = tuple(saver for saver in savers if saver != "PostgreSQL" or missing is None)
    rows = asyncio.run(measured(savers, given.calls, given.at_once, given.rounds, given.seed))
    notes = [f"Medians of {given.rounds} requests of each; where several run at once, of {LEAST} rounds at least."]
    notes += [f"PostgreSQL is left out: {missing}."] if missing else []
    return told(Report("overhead", given.seed, rows, goals(rows), notes), given)


async def measured(
    savers: tuple[Saver, ...], calls: Sequence[int], at_once: Sequence[int], rounds: int, seed: int
) -> list[Row]:
    rows: list[Row] = []
    with postgres_for(savers) as server:
        for saver in savers:
            async with opened(saver, server) as kept:
                for count in calls:
                    times = await spent(contestants(count, kept), rounds, seed)
                    rows += as_rows(one_by_one(saver), times, count)
                for number in at_once:
                    times = await spent(contestants(WIDTH, kept), max(LEAST, rounds // number), seed, number)
                    rows += as_rows(together(saver), times, number)
    return rows


def one_by_one(saver: Saver) -> str:
    return f"{saver}, by calls"


def together(saver: Saver) -> str:
    return f"{saver}, at once"


async def spent(named: Mapping[str, Request], rounds: int, seed: int, at_once: int = 1) -> dict[str, float]:
    """Milliseconds of a request by name: medians of interleaved rounds."""
    chance = random.Random(seed)
    times: dict[str, list[float]] = {name: [] for name in named}
    warm_up = WARM_UP if at_once == 1 else 1
    for number in range(warm_up + rounds):
        for name in chance.sample(list(named), len(named)):
            before = time.process_time_ns()
            await asyncio.gather(*(named[name]() for _ in range(at_once)))
            if number >= warm_up:
                times[name].append((time.process_time_ns() - before) / 1e6 / at_once)
    return {name: median(each) for name, each in times.items()}


def as_rows(table: str, times: Mapping[str, float], x: float) -> list[Row]:
    rows = [Row(table, name, TIME, took, "ms", x) for name, took in times.items()]
    return rows + [Row(table, name, RATIO, times[OURS] / took, "", x) for name, took in times.items() if name != OURS]


def goals(rows: Sequence[Row]) -> list[Goal]:
    """Of what was measured."""
    found = [
        _goal(rows, one_by_one(saver), BARE, most, f"a request, {saver}: at most {most} × bare LangGraph")
        for saver, most in MOST.items()
    ]
    for saver in ("SQLite", "PostgreSQL"):
        found.append(_goal(rows, one_by_one(saver), AGENT, 1, f"a request, {saver}: at most `create_agent`"))
        found.append(_goal(rows, together(saver), AGENT, 1, f"{MANY} at once, {saver}: at most `create_agent`", MANY))
    return [goal for goal in found if goal is not None]


def _goal(rows: Sequence[Row], table: str, peer: str, most: float, goal: str, at: float | None = None) -> Goal | None:
    """Met where the ratio, as it is printed, is at most that for each number of calls; None = not measured."""
    here = [row for row in rows if (row.table, row.name) == (table, peer) and (at is None or row.x == at)]
    ratios = {row.x: round(row.value, 2) for row in here if row.measure == RATIO}
    if not ratios:
        return None
    theirs = " / ".join(figure(row.value) for row in here if row.measure == TIME)
    ours = " / ".join(f"{ratio:.2f}" for ratio in ratios.values())
    over = "" if at is not None else f" ({' / '.join(f'{x:g}' for x in ratios)} calls)"
    return Goal(goal, f"{theirs} ms", f"{ours} ×{over}", max(ratios.values()) <= most, WHY)


if __name__ == "__main__":
    sys.exit(main())
