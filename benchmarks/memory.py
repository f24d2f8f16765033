"""What a process holds in memory: the most it ever did, for one request, for many at once, and after a long conversation.

    python -m benchmarks.memory [--at-once 1 100] [--turns 100] [--times 3]

Each figure is of a new process that serves one contestant: `requests at once` of 4 calls in one event loop without a saver,
and `one conversation` of so many turns on one thread, kept in an SQLite file. Peak resident memory as the system counts
it, all libraries in it; at 0 is a process that has only built the contestant. Medians; the kinds take turns, in an order that the
seed shuffles anew each round.
"""

import argparse
import asyncio
import json
import random
import resource
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from statistics import median

from benchmarks.overhead import WIDTH
from benchmarks.overhead_graphs import contestant, names
from benchmarks.report import Report, Row, add_options, forget_settings, parser_of, told
from benchmarks.savers import opened

ROOT = Path(__file__).parents[1]
AT_ONCE, TURNS = "requests at once", "one conversation, turns"
MEASURE, UNIT = "peak resident memory", "MB"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("memory", __doc__)
    parser.add_argument("--at-once", type=int, nargs="+", default=[1, 100], help="requests that run at once")
    parser.add_argument("--turns", type=int, nargs="*", default=[1, 100], help="turns of the conversation")
    parser.add_argument("--times", type=int, default=3, help="processes of each kind (default: %(default)s)")
    parser.add_argument("--serve", nargs=3, metavar=("TABLE", "NAME", "NUMBER"), help=argparse.SUPPRESS)
    add_options(parser)
    given = parser.parse_args(arguments)
    forget_settings()
    if given.serve:
        table, name, number = given.serve
        asyncio.run(served(table, name, int(number)))
        print(json.dumps(peak()))
        return 0
    rows = measured(given.at_once, given.turns, given.times, given.seed)
    notes = [f"Medians of {given.times} processes of each; at 0 a process that has only built its graph."]
    return told(Report("memory", given.seed, rows, notes=notes), given)


def measured(at_once: Sequence[int], turns: Sequence[int], times: int, seed: int) -> list[Row]:
    kinds = [*product([AT_ONCE], names(), [0, *at_once]), *product([TURNS], names(), turns)]
    chance = random.Random(seed)
    found: dict[tuple[str, str, int], list[float]] = {kind: [] for kind in kinds}
    for _ in range(times):
        for kind in chance.sample(kinds, len(kinds)):
            found[kind].append(_of_process(*kind))
    return [Row(table, name, MEASURE, median(found[table, name, x]), UNIT, x) for table, name, x in kinds]


def _of_process(table: str, name: str, number: int) -> float:
    words = [sys.executable, "-m", "benchmarks.memory", "--serve", table, name, str(number)]
    return float(json.loads(subprocess.run(words, cwd=ROOT, capture_output=True, check=True).stdout))


async def served(table: str, name: str, number: int) -> None:
    if table == AT_ONCE:
        ask = contestant(name, WIDTH, None)
        await asyncio.gather(*(ask() for _ in range(number)))
        return
    async with opened("SQLite", None) as saver:
        ask = contestant(name, WIDTH, saver, thread="the only one")
        for _ in range(number):
            await ask()


def peak() -> float:
    """Megabytes. Where the system tells it, of this program alone: `ru_maxrss` begins with what the parent held."""
    status = Path("/proc/self/status")
    if status.exists():
        held = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(held["VmHWM"].split()[0]) / 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 2**10


if __name__ == "__main__":
    sys.exit(main())
