"""What the engine itself costs: processor time of one request, of a start, against bare LangGraph and LangChain's agent.

    python -m benchmarks.overhead [--rounds 40] [--starts 15] [--calls 1 4 16] [--seed 1] [--json FILE]

Each request plans so many reads, runs them and answers. The chat model is scripted and answers at once, so what is left
is the program around it. `bare` is a LangGraph graph of the same super-steps, its model called as often, without checks;
`create_agent` is LangChain's loop (left out where `langchain` is not installed), which has fewer super-steps. Processor
time of the process, all its threads; one request of each in turn, in an order that the seed shuffles anew each round;
medians, and their ratio to ours: 2.0 = ours takes twice as much. With SQLite each request is on a thread of its own, in a
database file. `judged` is ours with the judge as well, one model call more.

A start is a new process until it ends, or until the first line that a `wavegraph ask` prints of its work; byte code is
written beforehand. Ratios to `import langgraph.graph`.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.overhead_graphs import contestants
from benchmarks.overhead_starts import STARTS, started
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

Request = Callable[[], Awaitable[Any]]
WARM_UP = 3
"""Rounds that are not counted."""
PACKAGES = ("langgraph", "langchain-core", "langchain", "langgraph-checkpoint-sqlite", "pydantic", "wavegraph")


@dataclass(frozen=True)
class Row:
    """One contestant of one table."""

    table: str
    name: str
    milliseconds: float
    """Median processor time."""
    ratio: float
    """Of requests: ours to this one; of starts: this one to the first."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.overhead", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--rounds", type=int, default=40, help="requests of each contestant")
    parser.add_argument("--starts", type=int, default=15, help="processes of each kind; 0 = none")
    parser.add_argument("--calls", type=int, nargs="+", default=[1, 4, 16], help="calls in the wave")
    parser.add_argument("--seed", type=int, default=1, help="of the order in each round")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    given = parser.parse_args(arguments)
    for name in [each for each in os.environ if each.startswith(("OPENAI_", "WAVEGRAPH_", "LANGSMITH_", "LANGCHAIN_"))]:
        del os.environ[name]
    about = {"seed": given.seed, "rounds": given.rounds, "starts": given.starts, **versions()}
    print(", ".join(f"{name} {value}" for name, value in about.items()))
    rows = asyncio.run(requests(given.calls, given.rounds, given.seed))
    rows += starts(given.starts, given.seed) if given.starts else []
    for line in table(rows):
        print(line)
    if given.json:
        given.json.write_text(json.dumps({"about": about, "rows": [asdict(row) for row in rows]}, indent=1) + "\n")
    return 0


def versions() -> Mapping[str, str]:
    installed = {}
    for name in PACKAGES:
        try:
            installed[name] = version(name)
        except ModuleNotFoundError:
            installed[name] = "not installed"
    return {"python": platform.python_version(), "machine": f"{platform.machine()} x {os.cpu_count()}", **installed}


async def requests(calls: Sequence[int], rounds: int, seed: int) -> list[Row]:
    rows: list[Row] = []
    for count in calls:
        rows += as_ratios(f"{count} calls, no saver", await measured(contestants(count, None), rounds, seed))
        with TemporaryDirectory() as folder:
            async with AsyncSqliteSaver.from_conn_string(f"{folder}/threads.db") as saver:
                times = await measured(contestants(count, saver), rounds, seed)
        rows += as_ratios(f"{count} calls, SQLite", times)
    return rows


async def measured(named: Mapping[str, Request], rounds: int, seed: int) -> dict[str, float]:
    """Milliseconds by name: medians of interleaved requests."""
    chance = random.Random(seed)
    times: dict[str, list[float]] = {name: [] for name in named}
    for number in range(WARM_UP + rounds):
        for name in chance.sample(list(named), len(named)):
            before = time.process_time_ns()
            await named[name]()
            if number >= WARM_UP:
                times[name].append((time.process_time_ns() - before) / 1e6)
    return {name: median(each) for name, each in times.items()}


def as_ratios(name: str, times: Mapping[str, float]) -> list[Row]:
    ours = times["wavegraph"]
    return [Row(name, each, spent, ours / spent) for each, spent in times.items()]


def starts(times: int, seed: int) -> list[Row]:
    chance = random.Random(seed)
    spent: dict[str, list[float]] = {name: [] for name in STARTS}
    with TemporaryDirectory() as folder:
        for number in range(1 + times):  # the first writes the byte code, and the database
            for name in chance.sample(list(STARTS), len(STARTS)):
                took = started(name, folder)
                if number:
                    spent[name].append(took)
    medians = {name: median(each) for name, each in spent.items()}
    first = medians[next(iter(STARTS))]
    return [Row("start", name, took, took / first) for name, took in medians.items()]


def table(rows: Sequence[Row]) -> list[str]:
    lines, last = [], ""
    for row in rows:
        if row.table != last:
            kind = "to import" if row.table == "start" else "ours to it"
            lines += ["", f"{row.table:<24} {'ms':>8} {kind:>10}"]
            last = row.table
        lines.append(f"{row.name:<24} {row.milliseconds:>8.2f} {row.ratio:>10.2f}")
    return lines


if __name__ == "__main__":
    sys.exit(main())
