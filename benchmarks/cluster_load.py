"""How many conversations a cluster of `deploy/aegra` carries with 1, 2 and 4 workers, and what each takes.

    python -m benchmarks.cluster_load [--workers 1 2 4] [--rounds 3] [--publish]

Two APIs, the workers, PostgreSQL, Redis and the guests share this machine. Guests speak with the hotel agent as it is served;
no model is asked. Each begins a new conversation when the last one ended, on either API, and reads its stream as the console does.

- `processor`: a guest asks whether a room is free, books it and says yes: three runs and a booking in PostgreSQL. The
  processor is the limit.
- `waits`: a guest asks for a room at a hotel on MiniHotel, played by a server of this process that takes seconds for every
  reply. The slots of the workers are the limit.

Each number of workers gets a cluster of its own, warmed up; then come the rounds, whose medians are told. Processor time and
commits are less what the idle cluster takes in the same time. Needs Linux, PostgreSQL's server, redis-server, and Aegra in
.venv-cluster or in the environment of WAVEGRAPH_CLUSTER_PYTHON. `--publish` puts the run into docs/running/cluster.md.
"""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import cluster_paper
from benchmarks.cluster_paper import APIS, SLOTS
from benchmarks.cluster_watch import PARTS, Counts, Kept, Watch
from benchmarks.plots import drawn
from benchmarks.published import Run, machine, read_run
from benchmarks.report import Report, Row, add_options, told

ROOT = Path(__file__).parents[1]
sys.path += [str(ROOT / "tests" / folder) for folder in ("support_servers", "support_roster", "support_hotel")]
import aegra_house
from cluster_guests import PROPERTY, ROOM_TYPES, TODAY, Guest, clients_of, close, import_with_rooms
from minihotel_server.server import MiniHotelServer

from wavegraph.tools.hotel.property import sqlite_property

ROOMS = 400
"""Of each type: nothing is sold out."""
WAITING, VENDOR_HOTEL = "seaside", "H1"
"""The hotel whose system takes its time."""
REPLY_S = 2.0
LOGIN: Mapping[str, str] = {"SEASIDE_USERNAME": "clerk", "SEASIDE_PASSWORD": "of-this-run"}
FIRST_DAY = date(2027, 1, 3)
IDLE_S = 5.0
CORES = os.cpu_count() or 1


@dataclass(frozen=True)
class Load:
    name: str
    guests: int
    """At once."""
    conversations: int
    """In a round."""
    property_id: str
    speak: Callable[[Guest], Awaitable[None]]

    @property
    def slots(self) -> int:
        """Runs that a worker takes at once."""
        return SLOTS[self.name]


def room(guest: Guest) -> tuple[str, str]:
    """A room type and a stay of two nights, others for each guest."""
    arrival = FIRST_DAY + timedelta(days=guest.number % 300)
    name = list(ROOM_TYPES.values())[guest.number % len(ROOM_TYPES)]
    return name, f"from {arrival:%-d %B %Y} to {arrival + timedelta(days=2):%-d %B %Y} for two adults"


async def books(guest: Guest) -> None:
    name, stay = room(guest)
    offered = await guest.say(f"Is a {name} free {stay}?")
    assert offered.values["outcome"] == "answered", offered.values.get("answer")
    asked = await guest.say(f"Book the {name} {stay}. Dana Levi, {guest.email}")
    assert asked.question, asked.values.get("answer")
    booked = await guest.approve(asked.question)
    assert booked.reference, booked.values.get("answer")


async def asks(guest: Guest) -> None:
    answered = await guest.say(f"A room {room(guest)[1]}, please")
    assert answered.values["outcome"] == "answered", answered.values.get("answer")


LOADS = (
    Load("processor", guests=16, conversations=64, property_id=PROPERTY, speak=books),
    Load("waits", guests=24, conversations=48, property_id=WAITING, speak=asks),
)


@dataclass(frozen=True)
class Round:
    """What came of the conversations of one round."""

    guests: Sequence[Guest]
    took: Counts
    connections: int
    """The most that were seen."""

    @property
    def seconds(self) -> list[float]:
        """Of each conversation."""
        return [sum(turn.seconds for turn in guest.turns) for guest in self.guests]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cluster_load", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4], help="default: %(default)s")
    parser.add_argument(
        "--loads", nargs="+", default=[each.name for each in LOADS], choices=[each.name for each in LOADS]
    )
    parser.add_argument(
        "--rounds", type=int, default=3, help="of each load and number of workers (default: %(default)s)"
    )
    parser.add_argument("--conversations", type=int, metavar="N", help="in a round; default: as the load says")
    parser.add_argument("--out", type=Path, metavar="FOLDER", default=Path("build/bench"), help="default: %(default)s")
    parser.add_argument(
        "--from", dest="record", type=Path, metavar="FILE", help="measure nothing: tell of this run (its cluster.json)"
    )
    parser.add_argument("--publish", action="store_true", help="put the run into docs/running/cluster.md")
    add_options(parser)
    given = parser.parse_args(arguments)
    if not given.record and (why := why_not()):
        return told(Report("cluster", given.seed, [], notes=[f"Not measured: {why}."]), given)
    run = read_run(given.record) if given.record else run_of(given)
    keep(run, given.out)
    if given.publish:
        cluster_paper.publish(run, given.out / "cluster.png")
    return told(run.reports[0], given)


def run_of(given: argparse.Namespace) -> Run:
    began = time.monotonic()
    rows: list[Row] = []
    for load in (each for each in LOADS if each.name in given.loads):
        for workers in given.workers:
            rows += measured(load, workers, given.rounds, given.conversations or load.conversations)
    report = Report("cluster", given.seed, rows, notes=list(notes(given.rounds)))
    minutes = round((time.monotonic() - began) / 60, 1)
    return Run(f"{datetime.now(UTC):%Y-%m-%d}", machine(), minutes, given.seed, [report], {})


def why_not() -> str:
    """Empty = a cluster can be measured here."""
    if sys.platform != "linux":
        return "only Linux tells the processor time of another process"
    return aegra_house.reason_to_skip() or ""


def notes(rounds: int) -> Iterator[str]:
    yield (
        f"Medians of {rounds} rounds. Guests, {APIS} APIs, workers, PostgreSQL (fsync on) and Redis share the machine's {CORES} "
        "cores with other programs, whose part stands under others: at 100 % the machine is full."
    )
    for each in LOADS:
        yield (
            f"{each.name}: {each.guests} guests at once, {each.conversations} conversations a round, {each.slots} slots a "
            "worker."
        )
    yield f"waits: the hotel's system takes {REPLY_S:g} s for each reply."


def keep(run: Run, folder: Path) -> None:
    """The run's record, and its picture if it can be drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    run.write(folder / "cluster.json")
    try:
        drawn(cluster_paper.shown(run.reports[0]), folder / "cluster.png")
    except ImportError as missing:
        print(f"no picture: {missing}", flush=True)


def measured(load: Load, workers: int, rounds: int, conversations: int) -> list[Row]:
    print(f"{load.name}, {workers} workers", flush=True)
    with started(load, workers) as cluster:
        watch, numbers = Watch(cluster), count()
        urls = [api.url for api in cluster.apis]
        asyncio.run(round_of(load, urls, numbers, 2 * workers * min(load.slots, 4)))
        idle, idle_commits, before = at_rest(watch)
        done = [one_round(load, watch, urls, numbers, conversations) for _ in range(rounds)]
        spent = watch.kept().since(before)
    for each in done:
        print(f"  {len(each.guests) / each.took.clock_s:.2f} conversations/s", flush=True)
    own = spent.commits - idle_commits * spent.clock_s
    return [
        *speed(load, workers, done, idle),
        *cost(load, workers, done, spent, own),
        *rest(load, workers, idle, idle_commits),
    ]


@contextmanager
def started(load: Load, workers: int) -> Iterator[Any]:
    """A cluster, with the hotel in its database, or with the hotel's system beside it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        environment = stack.enter_context(slow_system(folder)) if load.property_id == WAITING else {}
        made = stack.enter_context(aegra_house.cluster_of(APIS, workers, load.slots, environment))
        if load.property_id == PROPERTY:
            import_with_rooms(folder / "hotel", made.database, ROOMS)
        yield made


@contextmanager
def slow_system(folder: Path) -> Iterator[dict[str, str]]:
    """MiniHotel over the demo hotel; gives the environment that leads there."""
    hotel, file = folder / "hotel.sqlite", folder / "properties.toml"
    sqlite_property.build(hotel, TODAY)
    user, password = LOGIN.values()
    now = datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC)
    with MiniHotelServer(
        {VENDOR_HOTEL: hotel}, username=user, password=password, now=lambda: now, on_call=lambda _: time.sleep(REPLY_S)
    ) as server:
        entry = {
            "id": WAITING,
            "pms_type": "minihotel",
            "hotel_id": VENDOR_HOTEL,
            "rate_code": "STD",
            "host": server.url,
        }
        lines = ["[[property]]", *(f'{name} = "{value}"' for name, value in entry.items()), ""]
        file.write_text("\n".join(lines), encoding="utf-8")
        yield {"WAVEGRAPH_PROPERTIES": str(file), **LOGIN}


def at_rest(watch: Watch) -> tuple[Counts, float, Kept]:
    """What the cluster takes in a second while nothing is asked: processor time, commits; and what is kept afterwards."""
    kept_before, before = watch.kept(), watch.counts()
    time.sleep(IDLE_S)
    took, kept_after = watch.counts().since(before), watch.kept()
    processor = {part: spent / took.clock_s for part, spent in took.processor_s.items()}
    rested = kept_after.since(kept_before)
    return Counts(processor, took.machine_s / took.clock_s, 1), rested.commits / rested.clock_s, kept_after


def one_round(load: Load, watch: Watch, urls: Sequence[str], numbers: Iterator[int], conversations: int) -> Round:
    with watch.connections() as seen:
        before = watch.counts()
        guests = asyncio.run(round_of(load, urls, numbers, conversations))
        took = watch.counts().since(before)
    return Round(guests, took, max(seen, default=0))


async def round_of(load: Load, urls: Sequence[str], numbers: Iterator[int], conversations: int) -> list[Guest]:
    clients = clients_of(urls)
    waiting = [Guest(clients, next(numbers), load.property_id) for _ in range(conversations)]
    order = iter(waiting)

    async def one_after_the_other() -> None:
        for guest in order:
            await guest.begin()
            await load.speak(guest)

    try:
        async with asyncio.TaskGroup() as together:
            for _ in range(load.guests):
                together.create_task(one_after_the_other())
    finally:
        await close(clients)
    return waiting


def speed(load: Load, workers: int, done: Sequence[Round], idle: Counts) -> Iterator[Row]:
    def row(measure: str, values: Sequence[float], unit: str) -> Row:
        return Row("load, workers", load.name, measure, round(median(values), 4), unit, workers)

    yield row("conversations", [len(each.guests) / each.took.clock_s for each in done], "1/s")
    yield row("half within", [median(each.seconds) for each in done], "s")
    yield row("95 % within", [quantiles(each.seconds, n=20)[-1] for each in done], "s")
    for part in PARTS:
        taken = [
            (each.took.processor_s[part] - idle.processor_s[part] * each.took.clock_s) / len(each.guests) * 1000
            for each in done
        ]
        yield row(part, taken, "ms")
    all_of_it = [each.took.machine_s / each.took.clock_s / CORES * 100 for each in done]
    ours = [sum(each.took.processor_s.values()) / each.took.clock_s / CORES * 100 for each in done]
    yield row("machine", all_of_it, "%")
    yield row("others", [whole - part for whole, part in zip(all_of_it, ours, strict=True)], "%")
    yield row("connections", [each.connections for each in done], "")


def cost(load: Load, workers: int, done: Sequence[Round], spent: Kept, commits: float) -> Iterator[Row]:
    """Of a conversation."""
    guests = [guest for each in done for guest in each.guests]

    def row(measure: str, value: float, unit: str = "") -> Row:
        return Row("a conversation, workers", load.name, measure, round(value / len(guests), 2), unit, workers)

    yield row("runs", sum(len(guest.turns) for guest in guests))
    yield row("stream events", sum(turn.events for guest in guests for turn in guest.turns))
    yield row("commits", commits)
    for kind, size in spent.stored_bytes.items():
        yield row(kind, size / 1000, "kB")
    yield row("write-ahead log", spent.log_bytes / 1000, "kB")


def rest(load: Load, workers: int, idle: Counts, commits: float) -> Iterator[Row]:
    taken = sum(spent for part, spent in idle.processor_s.items() if part != "client")
    yield Row(cluster_paper.IDLE, load.name, "processor", round(taken * 1000, 1), "ms/s", workers)
    yield Row(cluster_paper.IDLE, load.name, "commits", round(commits, 2), "1/s", workers)


if __name__ == "__main__":
    sys.exit(main())
