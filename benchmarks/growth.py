"""How a conversation grows: processor time and bytes of a turn, over a hundred turns on one thread.

    python -m benchmarks.growth [--turns 100] [--rounds 20]

`wavegraph` and `bare LangGraph` plan one read, run it and answer, as `create_agent` does; the chat model is scripted and
answers at once. Ours keeps threads and request records with `open_storage`, the others with LangGraph's saver; `wavegraph,
LangGraph's saver` is ours with theirs. `hotel` is the reservations assistant without a model, as `wavegraph chat` runs
it, asked for other dates each time. Each has an SQLite file of its own.

The curve: all contestants take their next turn in an order that the seed shuffles anew each time; medians of windows.
`after so many turns`: turns on the long thread and on a new one, alternately, so that both have the same machine; a new
one has had one turn before. Stored: the file, its log written back, but for its free pages.
"""

import asyncio
import os
import random
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.overhead_graphs import AGENT, BARE, OURS, Request, asking, contestant, names, ours
from benchmarks.report import Goal, Report, Row, add_options, figure, forget_settings, parser_of, told
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from wavegraph import open_storage, run
from wavegraph.graph.hotel import build as build_hotel

WITH_THEIRS, HOTEL = f"{OURS}, LangGraph's saver", "hotel"
WINDOWS = 10
"""Points of a curve."""
TIME, STORED, RATIO = "processor time", "stored", "to a new thread"
BY_TURN, IN_ALL, AFTER = "a turn, by turns", "a thread, by turns", "after all turns"
MOST_GROWTH, MOST_KB = 1.1, 10.0


@dataclass(frozen=True)
class Contestant:
    file: Path
    on: Callable[[str], Request]
    """Its requests on a thread."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("growth", __doc__)
    parser.add_argument("--turns", type=int, default=100, help="of the long thread (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=20, help="turns on it and on a new one (default: %(default)s)")
    add_options(parser)
    given = parser.parse_args(arguments)
    forget_settings()
    rows = asyncio.run(measured(given.turns, given.rounds, given.seed))
    notes = [f"{given.turns} turns on one thread of each, then {given.rounds} more beside as many on new ones."]
    return told(Report("growth", given.seed, rows, goals(rows), notes), given)


async def measured(turns: int, rounds: int, seed: int) -> list[Row]:
    with TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder  # the hotel's bookings
        async with contestants(Path(folder)) as named:
            chance = random.Random(seed)
            times, sizes = await talked(named, turns, chance)
            beside = await compared(named, rounds, chance)
    rows = [Row(BY_TURN, name, TIME, took, "ms", x) for name in named for x, took in windows(times[name])]
    rows += [Row(IN_ALL, name, STORED, size / 1000, "kB", x) for name in named for x, size in sizes[name].items()]
    for name in named:
        old, new = (median(each) for each in beside[name])
        rows += [Row(AFTER, name, f"{TIME}, new thread", new, "ms"), Row(AFTER, name, f"{TIME}, long thread", old, "ms"),
                 Row(AFTER, name, RATIO, old / new), Row(AFTER, name, f"{STORED} a turn", grown(sizes[name]) / 1000, "kB")]  # fmt: skip
    return rows


@asynccontextmanager
async def contestants(folder: Path) -> AsyncIterator[Mapping[str, Contestant]]:
    """By name, each with an empty file."""
    async with AsyncExitStack() as opened:
        named: dict[str, Contestant] = {}
        for number, name in enumerate([OURS, WITH_THEIRS, HOTEL, *(each for each in names() if each != OURS)]):
            file = folder / f"threads-{number}.db"
            of_ours = name in (OURS, HOTEL)
            storage: Any = open_storage(str(file)) if of_ours else AsyncSqliteSaver.from_conn_string(str(file))
            named[name] = Contestant(file, requests(name, await opened.enter_async_context(storage)))
        yield named


def requests(name: str, kept: Any) -> Callable[[str], Request]:
    if name == HOTEL:
        return hotel(kept)
    if name in (BARE, AGENT):
        return lambda thread: contestant(name, 1, kept, thread=thread)
    own = {"checkpointer": kept.checkpointer, "store": kept.store} if name == OURS else {"checkpointer": kept}
    compiled = ours(1).compile(**own)
    return lambda thread: asking(compiled, thread, context={"answer_check": "rules"})


def hotel(kept: Any) -> Callable[[str], Request]:
    graph: Any = build_hotel().compile(checkpointer=kept.checkpointer, store=kept.store)
    turns = count()

    def on(thread: str) -> Request:
        async def ask() -> Any:
            day = 1 + next(turns) % 28
            asked = f"A room for two from {day} to {day + 2} May 2026, please"
            ended = await run(graph, asked, thread_id=thread, settings={"today": "2026-03-01"})
            assert ended.outcome in ("answered", "partial"), ended.answer
            return ended

        return ask

    return on


async def talked(
    named: Mapping[str, Contestant], turns: int, chance: random.Random
) -> tuple[dict[str, list[float]], dict[str, dict[int, int]]]:
    """Milliseconds of each turn, and bytes after some of them."""
    ask = {name: each.on("long") for name, each in named.items()}
    times: dict[str, list[float]] = {name: [] for name in named}
    sizes: dict[str, dict[int, int]] = {name: {} for name in named}
    for turn in range(1, turns + 1):
        for name in chance.sample(list(named), len(named)):
            times[name].append(await spent(ask[name]))
        if turn == 1 or turn % width(turns) == 0:
            for name, each in named.items():
                sizes[name][turn] = stored(each.file)
    return times, sizes


async def compared(
    named: Mapping[str, Contestant], rounds: int, chance: random.Random
) -> dict[str, tuple[list[float], list[float]]]:
    """Milliseconds of turns on the long thread, and on new ones."""
    found: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in named}
    for number in range(rounds):
        for name in chance.sample(list(named), len(named)):
            old, new = named[name].on("long"), named[name].on(f"new {number}")
            await new()
            pair = [(old, found[name][0]), (new, found[name][1])]
            for ask, times in chance.sample(pair, 2):
                times.append(await spent(ask))
    return found


async def spent(ask: Request) -> float:
    before = time.process_time_ns()
    await ask()
    return (time.process_time_ns() - before) / 1e6


def stored(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
    return int((pages - free) * size)


def width(turns: int) -> int:
    return max(1, turns // WINDOWS)


def windows(times: Sequence[float]) -> list[tuple[int, float]]:
    """The last turn of each window, and its median."""
    wide = width(len(times))
    return [(end, median(times[end - wide : end])) for end in range(wide, len(times) + 1, wide)]


def grown(sizes: Mapping[int, int]) -> float:
    """Bytes a turn, after the first."""
    (first, before), *_, (last, after) = sizes.items()
    return (after - before) / (last - first)


def goals(rows: Sequence[Row]) -> list[Goal]:
    found = {(row.name, row.measure): row.value for row in rows if row.table == AFTER}
    made = []
    for name in (OURS, HOTEL):
        growth, size = round(found[name, RATIO], 2), round(found[name, f"{STORED} a turn"], 1)
        theirs, peers = found[BARE, RATIO], found[BARE, f"{STORED} a turn"]
        made.append(Goal(f"{name}: a turn of a long thread, at most {MOST_GROWTH} × one of a new thread", f"{theirs:.2f} ×",
                         f"{growth:.2f} ×", growth <= MOST_GROWTH, WHY_SLOWER))  # fmt: skip
        made.append(Goal(f"{name}: stored a turn, at most {MOST_KB:g} kB", f"{figure(peers)} kB", f"{size:.1f} kB",
                         size <= MOST_KB, WHY_LARGER))  # fmt: skip
    return made


WHY_SLOWER = (
    "LangGraph gives every run all messages of its thread, so each is read from the database and made again, some "
    "millionths of a second; nothing else of an old turn is opened"
)
WHY_LARGER = "a turn keeps its messages, the last state of its request and the request's record"

if __name__ == "__main__":
    sys.exit(main())
