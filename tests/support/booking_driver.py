"""Books in many processes at once, some of them killed (SIGKILL) at a chosen point of the write.

Started as a program that reads jobs from stdin, one a line as JSON: where the property is and, for each process, what it
does in order. In PostgreSQL every second process is on another machine: the two have nothing else in common. It imports everything once; for each job it forks, lets all processes start together, and writes what
came of every act as one line.
"""

import asyncio
import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, TypedDict

import psycopg

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.inventory.property_data import (
    Calendar,
    InventoryDay,
    PropertyData,
    RateDay,
    RatePlan,
    RoomKind,
)
from wavegraph.tools.hotel.property import hold_rules, store
from wavegraph.tools.hotel.property.bookings import StoredBookings
from wavegraph.tools.hotel.property.place import Place
from wavegraph.tools.hotel.property.places.property_file import PropertyFile
from wavegraph.tools.hotel.property.port import Property, open_property
from wavegraph.tools.hotel.property.sqlite_property import SqliteProperty
from wavegraph.tools.hotel.records import Booking, Guest, PropertyRecord, Quote

TODAY = date(2030, 1, 1)
FIRST_NIGHT = date(2030, 3, 4)
"""A Monday."""


class Act(TypedDict):
    what: str
    """`hold`, `book`, `cancel`."""
    of: str
    """Quote id; for `cancel` the reference."""
    guest: str


class Process(TypedDict):
    acts: list[Act]
    die: str
    """`7` = before the seventh SQL statement of the last act's transaction, `end` = when it is committed; empty = live."""


class Job(TypedDict):
    path: str
    """The property's file, or in PostgreSQL one that is not there, beside the machines' folders."""
    database: str | None
    """None = in the file."""
    property_id: str
    processes: list[Process]
    kill_after_s: list[float]
    """When each process is killed from outside, from the first booking on; empty = none is."""


_connect = store.connect


def connect(path: Path, *, write: bool = False) -> store.FileConnection:
    """Without waiting for the disk: what a killed process wrote, the system still has; only a power cut takes it."""
    connection = _connect(path, write=write)
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def small_property(place: Path | Place, *, rooms: int, nights: int = 7, property_id: str = "small") -> None:
    """Double rooms at 100.00 a night, from `FIRST_NIGHT` on."""
    place = PropertyFile(place) if isinstance(place, Path) else place
    room = RoomKind(code="DBL", name="Double", name_he="זוגי", base_occ=2, max_adults=2, max_children=1, max_babies=1,
                    max_total=3, size_sqm=20, beds="", beds_he="")  # fmt: skip
    plan = RatePlan(code="FLEX", name="Flexible", name_he="גמיש", board="RO", refundable=True, rates_of="FLEX")
    record = PropertyRecord(property_id=property_id, name="Small", name_he="קטן", hotel_id="small")
    days = [FIRST_NIGHT + timedelta(days=n) for n in range(nights)]
    calendar = Calendar(inventory=[InventoryDay("DBL", day, rooms) for day in days],
                        rates=[RateDay("FLEX", "DBL", day, 100_00, 0, 0, 0) for day in days])  # fmt: skip
    house = PropertyData(record=record, rooms=[room], plans=[plan], meals=[])
    place.create(lambda connection: store.write_property(connection, house, calendar, store.SCHEMA_VERSION))


ROOMS_OF_ONE_GUEST = 1000
"""One guest stands for many here."""


def guest_of(name: str) -> Guest:
    return Guest(name=name, email="guest@example.com")


async def _done(house: Property, act: Act) -> Booking | Quote:
    if act["what"] == "hold":
        return await house.hold(act["of"], guest_of(act["guest"]), minutes=15, today=TODAY)
    if act["what"] == "book":
        return await house.book(act["of"], guest_of(act["guest"]), today=TODAY)
    return await house.cancel(act["of"], act["guest"], today=TODAY)


def _told(house: Property, act: Act) -> dict[str, Any]:
    try:
        done = asyncio.run(_done(house, act))
    except ToolRefusal as refusal:
        return {**act, "ended": refusal.code}
    if isinstance(done, Quote):
        return {**act, "ended": "held"}
    return {**act, "ended": done.status, "reference": done.reference, "repeated": done.repeated}


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _dies_at_statement(number: int) -> None:
    """Die before the `number`-th statement of the next write transaction, `BEGIN` being the first."""

    def counting(path: Path, *, write: bool = False) -> store.FileConnection:
        connection = connect(path, write=write)
        seen = iter(range(1, 10_000))
        if write:
            connection.set_trace_callback(lambda statement: _die() if next(seen) == number else None)
        return connection

    store.connect = counting


def _dies_at_statement_of_postgres(number: int) -> None:
    """The same of the next write transaction there."""
    execute, executemany, seen = psycopg.Connection.execute, psycopg.Cursor.executemany, 0

    def counted(is_first: bool = False) -> None:
        nonlocal seen
        seen += is_first or seen > 0
        if seen == number:
            _die()

    def counting(self: Any, query: Any, *given: Any, **options: Any) -> Any:
        counted("FOR UPDATE" in str(query))
        return execute(self, query, *given, **options)

    def counting_many(self: Any, *given: Any, **options: Any) -> Any:
        counted()
        return executemany(self, *given, **options)

    psycopg.Connection.execute = counting  # type: ignore[method-assign]
    psycopg.Cursor.executemany = counting_many  # type: ignore[method-assign]


def dies_at_the_end(*writes: str) -> None:
    """Die when one of these writes is committed, before its caller hears of it."""
    for name in writes:
        whole = getattr(StoredBookings, name)

        async def cut(self: StoredBookings, *args: Any, whole: Any = whole, **given: Any) -> Any:
            await whole(self, *args, **given)
            _die()

        setattr(StoredBookings, name, cut)


def house_of(job: Job, machine: int) -> Property:
    """The property as a process on this machine opens it."""
    if job["database"] is None:
        return SqliteProperty(Path(job["path"]))
    folder = Path(job["path"]).parent / f"machine{machine}"
    return open_property(job["property_id"], data_dir=folder, database=job["database"])


def _work(job: Job, number: int, out: int) -> None:
    """What a forked process does; every act is told as soon as it has ended."""
    house, process = house_of(job, number % 2), job["processes"][number]
    dies_at_statement = _dies_at_statement_of_postgres if job["database"] else _dies_at_statement
    for n, act in enumerate(process["acts"], start=1):
        if process["die"] and n == len(process["acts"]):
            dies_at_the_end("hold", "book", "cancel") if process["die"] == "end" else dies_at_statement(
                int(process["die"])
            )
        os.write(out, json.dumps(_told(house, act)).encode() + b"\n")


def _forked(job: Job, number: int, start: Sequence[int], out: int) -> int:
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.close(start[1])
        os.read(start[0], 1)  # ends when all processes are there
        _work(job, number, out)
        status = 0
    except BaseException:  # noqa: BLE001  whatever it was, the test shows it
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def run(job: Job) -> dict[str, Any]:
    """Exit statuses by process (-9 = killed), seconds from the common start, and all acts that ended."""
    start = os.pipe()
    folder = Path(job["path"]).parent
    outs = [os.open(folder / f"out-{n}", os.O_CREAT | os.O_TRUNC | os.O_RDWR) for n in range(len(job["processes"]))]
    pids = [_forked(job, number, start, out) for number, out in enumerate(outs)]
    began = time.perf_counter()
    os.close(start[0])
    os.close(start[1])
    if job["kill_after_s"]:
        _wait_for_a_booking(outs)
    first = time.perf_counter()
    for pid, after_s in sorted(zip(pids, job["kill_after_s"], strict=False), key=lambda kill: kill[1]):
        time.sleep(max(0.0, first + after_s - time.perf_counter()))
        os.kill(pid, signal.SIGKILL)
    statuses = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
    return {"statuses": statuses, "elapsed_s": time.perf_counter() - began, "acts": list(_acts(outs))}


BOOKED_WITHIN_S = 60.0


def _wait_for_a_booking(outs: Sequence[int]) -> None:
    """However busy the machine is, something is booked before the first process is killed."""
    ends = time.perf_counter() + BOOKED_WITHIN_S
    while time.perf_counter() < ends and not any(b'"confirmed"' in os.pread(out, 1 << 16, 0) for out in outs):
        time.sleep(0.005)


def _acts(outs: Sequence[int]) -> Iterator[dict[str, Any]]:
    for out in outs:
        with os.fdopen(out, "r", encoding="utf-8") as lines:
            lines.seek(0)
            yield from (json.loads(line) for line in lines if line.endswith("\n"))


def moments(seed: str, count: int, most_s: float) -> list[float]:
    """When to kill, the same for the same seed."""
    chosen = random.Random(seed)
    return [round(chosen.uniform(0.0, most_s), 4) for _ in range(count)]


if __name__ == "__main__":
    store.connect, hold_rules.MOST_OF_A_GUEST = connect, ROOMS_OF_ONE_GUEST
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)
