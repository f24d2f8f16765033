"""Who has lost a thread, or cannot know, sends nothing on it: clocks that are set, databases that do not answer or keep
nothing."""

import asyncio
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple

import postgres_server
import psycopg
import pytest
from patience import until
from post import Kind, Office, Post, Stage
from telephone_line import line_to

from wavegraph import StorageError, ThreadBusy, resume, run
from wavegraph.app.storage import leases as module
from wavegraph.app.storage import sqlite_leases
from wavegraph.app.storage.leases import Lease, Leases, sole_work_on
from wavegraph.app.storage.open import open_storage
from wavegraph.app.storage.processes import this_process
from wavegraph.tools.postgres.databases import is_postgres

THREAD = "t"
_numbers = count(1)


# The clock is set


class Stepped(NamedTuple):
    """A database, and what sets its clock forward for everybody who has it open."""

    database: str
    step: Callable[[float], None]


STEPPED_CLOCK = """
CREATE SCHEMA stepped;
CREATE TABLE stepped.clock AS SELECT interval '0' AS ahead;
CREATE FUNCTION stepped.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT pg_catalog.clock_timestamp() + ahead FROM stepped.clock';
"""


class SteppedTime:
    ahead = 0.0

    def time(self) -> float:
        return time.time() + self.ahead

    def step(self, seconds: float) -> None:
        self.ahead += seconds


@pytest.fixture
def stepped(database: str, monkeypatch: pytest.MonkeyPatch) -> Stepped:
    if not is_postgres(database):
        clock = SteppedTime()
        monkeypatch.setattr(sqlite_leases, "time", clock)
        return Stepped(database, clock.step)
    with psycopg.connect(database) as connection:
        connection.execute(STEPPED_CLOCK)

    def step(seconds: float) -> None:
        with psycopg.connect(database) as connection:
            connection.execute("UPDATE stepped.clock SET ahead = ahead + make_interval(secs => %s)", (seconds,))

    return Stepped(f"{database}?options=-csearch_path%3Dstepped,public,pg_catalog", step)


async def gone_on_with(office: Office, thread: str) -> None:
    await resume(office.graph, thread)


async def asked_anew(office: Office, thread: str, reply: str = "yes") -> None:
    """The same again; a letter that may have been sent is asked about."""
    asked = await run(office.graph, "Ada Ben", thread_id=thread)
    while asked.outcome == "awaiting_approval":
        assert "may have been" in asked.answer
        asked = await run(office.graph, reply, thread_id=thread)


async def asked_anew_and_declined(office: Office, thread: str) -> None:
    await asked_anew(office, thread, "no")


async def gone_on_with_and_more(office: Office, thread: str) -> None:
    await gone_on_with(office, thread)
    await run(office.graph, "Cleo", thread_id=thread)


Takes = Callable[[Office, str], Any]
TAKES: dict[Stage, list[Takes]] = {
    "about to send": [gone_on_with, asked_anew, gone_on_with_and_more],
    "sending": [gone_on_with, asked_anew_and_declined, gone_on_with_and_more],
}


async def taken_over(stepped: Stepped, kind: Kind, stage: Stage, takes: Takes, thread: str = THREAD) -> list[str]:
    """What is sent to Ada and Ben, where another takes the thread over at that moment, as the clock is set forward."""
    post = Post(kind)
    async with open_storage(stepped.database) as mine, open_storage(stepped.database) as theirs:
        office = post.graph(mine, stage)
        first = asyncio.ensure_future(run(office.graph, "Ada Ben", thread_id=thread))
        await until(lambda: office.reached.is_set() or first.done())
        stepped.step(module.LEASE_S + 1)
        await takes(post.graph(theirs), thread)
        office.freed.set()
        with pytest.raises(ThreadBusy, match="was taken over by another request"):
            await first
    return sorted(set(post.sent) & {"Ada", "Ben"}) + [name for name in ("Ada", "Ben") if post.sent.count(name) > 1]


@pytest.mark.parametrize("takes", TAKES["about to send"])
@pytest.mark.parametrize("kind", ["blind", "repeatable", "looked up"])
async def test_who_has_lost_the_thread_sends_nothing(kind: Kind, takes: Takes, stepped: Stepped) -> None:
    assert await taken_over(stepped, kind, "about to send", takes) == ["Ada", "Ben"]


async def test_who_has_lost_the_thread_sends_nothing_without_a_store_either(stepped: Stepped) -> None:
    post = Post()
    async with open_storage(stepped.database) as mine, open_storage(stepped.database) as theirs:
        office, other = (post.graph(replace(each, store=None), "about to send") for each in (mine, theirs))
        first = asyncio.ensure_future(run(office.graph, "Ada", thread_id=THREAD))
        await until(office.reached.is_set)
        stepped.step(module.LEASE_S + 1)
        other.freed.set()
        await resume(other.graph, THREAD)
        office.freed.set()
        with pytest.raises(ThreadBusy, match="was taken over"):
            await first
    assert post.sent == ["Ada"]


@pytest.mark.parametrize("takes", TAKES["sending"])
async def test_what_was_being_sent_is_not_sent_again(takes: Takes, stepped: Stepped) -> None:
    sent = await taken_over(stepped, "blind", "sending", takes)
    assert sent in (["Ada"], ["Ada", "Ben"])  # Ben's waits for the news of Ada's


@pytest.mark.attack
async def test_a_clock_that_is_set_at_any_time_sends_nothing_twice(
    seed: int, stepped: Stepped, attempts: Callable[[str, int], None]
) -> None:
    chance = random.Random(seed)
    tries = 12
    for number in range(tries):
        stage: Stage = chance.choice(["about to send", "sending"])
        kind: Kind = "blind" if stage == "sending" else chance.choice(["blind", "repeatable", "looked up"])
        sent = await taken_over(stepped, kind, stage, chance.choice(TAKES[stage]), f"t{number}")
        assert sent in (["Ada"], ["Ada", "Ben"]), (stage, kind)
    attempts("clocks set forward under a write", tries)


# The database does not answer


class OwnTime:
    """The clock that nobody sets, as far as the test lets it go on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def own_time(monkeypatch: pytest.MonkeyPatch) -> OwnTime:
    clock = OwnTime()
    monkeypatch.setattr(module, "own_time", clock)
    for name, seconds in {"RENEW_S": 0.01, "RETRY_S": 0.01, "LAST_TRY_S": 0.0, "GIVES_BACK_WITHIN_S": 0.0}.items():
        monkeypatch.setattr(module, name, seconds)
    return clock


class Silent(NamedTuple):
    """The database by an address where it can fall silent, and by one where it does not."""

    database: str
    other: str
    fall: Callable[[], object]
    answer: Callable[[], object]


@contextmanager
def silent(database: str, postgres: postgres_server.Server | None) -> Iterator[Silent]:
    if postgres is not None:
        with line_to(postgres.port) as line:
            far = database.replace(f":{postgres.port}/", f":{line.port}/")
            yield Silent(far, database, line.cut, line.mend)
        return
    with closing(sqlite3.connect(database, isolation_level=None, check_same_thread=False)) as hogging:
        yield Silent(database, database, lambda: hogging.execute("BEGIN IMMEDIATE"), hogging.rollback)


@pytest.fixture
def server(database: str, request: pytest.FixtureRequest) -> postgres_server.Server | None:
    return request.getfixturevalue("postgres") if is_postgres(database) else None


async def a_while() -> None:
    """Time for many renewals."""
    await asyncio.sleep(20 * module.RENEW_S)


async def cut_off(database: str, server: Any, own_time: OwnTime, kind: Kind, silent_s: float) -> list[str]:
    """What is sent by one who stops by himself, and by one who takes over then."""
    post = Post(kind)
    with silent(database, server) as line:
        async with open_storage(line.other) as theirs, open_storage(line.database) as mine:
            office = post.graph(mine, "about to send")
            first = asyncio.ensure_future(run(office.graph, "Ada", thread_id=THREAD))
            await until(office.reached.is_set)
            line.fall()
            await a_while()
            own_time.now += silent_s
            await a_while()
            assert not first.done()
            own_time.now += module.LEASE_S - module.MARGIN_S - silent_s
            await until(office.stopped.is_set)
            before = [*post.sent]
            line.answer()  # LangGraph waits for what is being stored
            with pytest.raises(StorageError, match=r"thread 't' could not be renewed.* did not answer for 25 s"):
                await first
            await resume(post.graph(theirs).graph, THREAD)
    return before + post.sent


@pytest.mark.parametrize("kind", ["blind", "looked up"])
async def test_who_is_cut_off_stops_before_the_lease_has_run_out(
    kind: Kind, database: str, server: Any, own_time: OwnTime
) -> None:
    assert await cut_off(database, server, own_time, kind, 24.9) == ["Ada"]


async def test_a_database_that_answers_again_in_time_ends_nothing(
    database: str, server: Any, own_time: OwnTime
) -> None:
    post = Post()
    with silent(database, server) as line:
        async with open_storage(line.database) as mine:
            office = post.graph(mine, "about to send")
            first = asyncio.ensure_future(run(office.graph, "Ada", thread_id=THREAD))
            await until(office.reached.is_set)
            line.fall()
            own_time.now += 20
            await a_while()
            line.answer()
            leases: Leases = mine.checkpointer.leases  # type: ignore[attr-defined]
            await until(lambda: leases.sure_for_s(THREAD) > 20)
            own_time.now += 20
            office.freed.set()
            assert (await first).outcome == "answered"
    assert post.sent == ["Ada"]


async def test_after_a_sleep_of_the_machine_the_thread_is_kept_if_nobody_took_it(
    database: str, own_time: OwnTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LAST_TRY_S", 60.0)
    post = Post()
    async with open_storage(database) as mine:
        office = post.graph(mine, "about to send")
        first = asyncio.ensure_future(run(office.graph, "Ada", thread_id=THREAD))
        await until(office.reached.is_set)
        own_time.now += 3600
        leases: Leases = mine.checkpointer.leases  # type: ignore[attr-defined]
        await until(lambda: leases.sure_for_s(THREAD) > 0)
        office.freed.set()
        assert (await first).outcome == "answered"
    assert post.sent == ["Ada"]


def test_time_asleep_counts() -> None:
    """A lease runs out by the database's clock, which goes on while this machine sleeps."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        pytest.skip("Linux alone has a clock of its own for it")
    before = time.clock_gettime(time.CLOCK_BOOTTIME)
    assert before <= module.own_time() <= time.clock_gettime(time.CLOCK_BOOTTIME)


def test_the_last_try_ends_before_the_lease() -> None:
    assert module.RETRY_S + module.LAST_TRY_S < module.MARGIN_S < module.LEASE_S - module.RENEW_S


async def test_a_thread_that_nobody_can_look_at_counts_as_ours_for_so_long_alone(
    database: str, own_time: OwnTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RENEW_S", 3600.0)
    async with open_storage(database) as storage:
        leases: Any = storage.checkpointer.leases  # type: ignore[attr-defined]
        async with sole_work_on(storage.checkpointer, THREAD):
            drop = "ALTER TABLE thread_leases RENAME TO hidden"
            if is_postgres(database):
                async with leases._pool.connection() as connection:
                    await connection.execute(drop)
            else:
                await leases._connection.execute(drop)
            await leases.check(THREAD)
            own_time.now += module.LEASE_S
            with pytest.raises(StorageError, match="thread_leases"):
                await leases.check(THREAD)
        await leases.check(THREAD)  # no more ours to check


@pytest.mark.attack
async def test_who_is_cut_off_at_any_time_sends_nothing_twice(
    seed: int, database: str, server: Any, own_time: OwnTime, attempts: Callable[[str, int], None]
) -> None:
    chance = random.Random(seed)
    tries = 4
    for number in range(tries):
        kind: Kind = chance.choice(["blind", "looked up", "repeatable"])
        fresh = server.fresh(f"fence{next(_numbers)}") if server else f"{database}{number}"
        assert await cut_off(fresh, server, own_time, kind, chance.uniform(0, 24.9)) == ["Ada"]
    attempts("processes cut off from their database before a write", tries)


# The note cannot be kept

KEEPS_NO_NOTE = {
    "sqlite": [
        """CREATE TRIGGER no_note BEFORE INSERT ON store WHEN NEW.prefix LIKE 'wavegraph.sending%'
           BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"""
    ],
    "postgres": [
        """CREATE OR REPLACE FUNCTION no_note() RETURNS trigger LANGUAGE plpgsql
           AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$""",
        """CREATE TRIGGER no_note BEFORE INSERT ON store FOR EACH ROW WHEN (NEW.prefix LIKE 'wavegraph.sending%')
           EXECUTE FUNCTION no_note()""",
    ],
}


def told(database: str, *statements: str) -> None:
    if is_postgres(database):
        with psycopg.connect(database) as connection:
            for each in statements:
                connection.execute(each)  # type: ignore[arg-type]
    else:
        with closing(sqlite3.connect(database)) as file, file:
            for each in statements:
                file.execute(each)


def keep_no_note(database: str) -> None:
    told(database, *KEEPS_NO_NOTE["postgres" if is_postgres(database) else "sqlite"])


def keep_notes_again(database: str) -> None:
    told(database, "DROP TRIGGER no_note ON store" if is_postgres(database) else "DROP TRIGGER no_note")


async def test_what_cannot_be_noted_is_not_sent_until_it_can_be(database: str) -> None:
    post = Post()
    async with open_storage(database) as storage:
        graph = post.graph(storage).graph
        keep_no_note(database)
        refused = await run(graph, "Ada", thread_id=THREAD)
        assert post.sent == []
        error = refused.results["ada"]["error"]
        assert error is not None
        assert (error["code"], error["retryable"]) == ("not_noted", True)
        keep_notes_again(database)
        assert (await run(graph, "Ada", thread_id=THREAD)).outcome == "answered"
    assert post.sent == ["Ada"]


@pytest.mark.parametrize("kind", ["repeatable", "looked up"])
async def test_what_can_be_looked_up_or_repeated_needs_no_note(kind: Kind, database: str) -> None:
    post = Post(kind)
    async with open_storage(database) as storage:
        keep_no_note(database)
        assert (await run(post.graph(storage).graph, "Ada", thread_id=THREAD)).outcome == "answered"
    assert post.sent == ["Ada"]


@pytest.mark.attack
async def test_a_store_that_fails_now_and_then_sends_nothing_twice(
    seed: int, database: str, attempts: Callable[[str, int], None]
) -> None:
    """Each letter is asked for until it is sent; a run is stopped in the middle of some, and goes on elsewhere."""
    chance = random.Random(seed)
    names, refusals = [f"N{n}" for n in range(20)], 0
    post = Post()
    async with open_storage(database) as storage:
        for name in names:
            if fails := chance.random() < 0.5:
                keep_no_note(database)
            ended = await run(post.graph(storage).graph, name, thread_id=THREAD)
            if fails:
                refusals += 1
                assert ended.results[name.lower()]["error"]["code"] == "not_noted"  # type: ignore[index]
                assert name not in post.sent
                keep_notes_again(database)
                await run(post.graph(storage).graph, name, thread_id=THREAD)
    assert post.sent == names
    attempts("writes whose note could not be kept", refusals)


async def test_a_note_is_kept_by_who_holds_the_thread_alone(database: str) -> None:
    async with open_storage(database) as mine, open_storage(database) as theirs:
        place, stores = ("wavegraph", "sending", "x"), [mine.store, theirs.store]
        async with sole_work_on(mine.checkpointer, THREAD):
            put: list[Any] = [store.aput_new for store in stores]  # type: ignore[attr-defined]
            assert await put[0](place, "a", {"n": 1}, holding=THREAD)
            assert not await put[0](place, "a", {"n": 2}, holding=THREAD)
            other = Lease(THREAD, "other", this_process())
            leases: Leases = theirs.checkpointer.leases  # type: ignore[attr-defined]
            found = await leases.read(THREAD)
            assert found is not None
            assert await leases.replace(found, other)
            for key in ("a", "b"):
                with pytest.raises(ThreadBusy, match="was taken over"):
                    await put[0](place, key, {"n": 3}, holding=THREAD)
            assert await theirs.store.aget(place, "b") is None
            await leases.delete(other)
