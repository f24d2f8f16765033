"""Transactions: whole whoever is stopped, and in one SQLite file in turns with those of other connections."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.store.base import GetOp, PutOp

from wavegraph.app.storage import transactions
from wavegraph.app.storage.database import Storage
from wavegraph.app.storage.leases import sole_work_on
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.errors import StorageError

PLACE = ("n",)
Work = Callable[[Storage, str], Coroutine[Any, Any, Any]]


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Any]:
    async with open_storage(str(folder / "threads.db")) as storage:
        yield storage


def write_at_once(folder: Path) -> None:
    """Another program's write, which does not wait for anybody."""
    with closing(sqlite3.connect(folder / "threads.db", timeout=0)) as file, file:
        file.execute("INSERT INTO thread_leases VALUES (hex(randomblob(8)), '', '', '', 1, '', 0)")


async def test_a_batch_that_reads_before_it_writes_takes_no_offence_at_another_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as storage:
        puts = storage.store._batch_put_ops

        async def late(*given: Any) -> None:
            write_at_once(tmp_path)
            await puts(*given)

        monkeypatch.setattr(storage.store, "_batch_put_ops", late)
        before, _ = await storage.store.abatch([GetOp(PLACE, "a"), PutOp(PLACE, "a", {"n": 1})])
        assert before is None
        assert (await storage.store.aget(PLACE, "a")).value == {"n": 1}


# Stopped


def checkpoint_of(thread: str) -> Any:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": "", "checkpoint_id": "1"}}


async def note(storage: Any, name: str) -> None:
    await storage.store.aput_new(PLACE, name, {"n": 1})


async def checkpoint(storage: Any, name: str) -> None:
    await storage.checkpointer.aput(checkpoint_of(name), empty_checkpoint(), {}, {})


async def end_of_request(storage: Any, name: str) -> None:
    ended = empty_checkpoint() | {"channel_values": {"outcome": "answered"}, "updated_channels": ["outcome"]}
    await storage.checkpointer.aput(checkpoint_of(name), ended, {}, {})


async def writes(storage: Any, name: str) -> None:
    await storage.checkpointer.aput_writes(checkpoint_of(name), [("a", 1), ("b", 2)], "task")


async def forget(storage: Any, name: str) -> None:
    await storage.checkpointer.adelete_thread(name)


def stored(folder: Path) -> dict[str, int]:
    counts = {"store": "key", "checkpoints": "thread_id", "writes": "thread_id"}
    with closing(sqlite3.connect(folder / "threads.db")) as file:
        return {table: file.execute(f"SELECT count({column}) FROM {table} WHERE {column} = 'stopped'").fetchone()[0]
                for table, column in counts.items()}  # fmt: skip


WHOLE = [
    (note, {"store": 1}),
    (checkpoint, {"checkpoints": 1}),
    (end_of_request, {"checkpoints": 1}),
    (writes, {"writes": 2}),
    (forget, {}),
]


@pytest.mark.parametrize(("work", "whole"), WHOLE)
async def test_a_stop_after_any_statement_leaves_the_whole_and_disturbs_no_neighbour(
    work: Work, whole: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for statement in count(1):
        folder = tmp_path / str(statement)
        folder.mkdir()
        async with opened(folder) as storage:
            pieces = [(connection, "_execute") for connection in (storage.store.conn, storage.checkpointer.conn)]
            if not await stopped_after(statement, partial(work, storage, "stopped"), pieces, monkeypatch):
                break
            write_at_once(folder)
            await asyncio.gather(note(storage, "neighbour"), checkpoint(storage, "neighbour"))
            assert stored(folder) == {"store": 0, "checkpoints": 0, "writes": 0} | whole
    assert statement > 2


async def stopped_after(
    number: int,
    work: Callable[[], Coroutine[Any, Any, Any]],
    pieces: list[tuple[Any, str]],
    patches: pytest.MonkeyPatch,
) -> bool:
    """Whether there was so much to do: the work is stopped when so many of its pieces, methods of objects, have ended."""
    done, reached, stop_came = count(1), asyncio.Event(), asyncio.Event()
    with patches.context() as patch:
        for owner, name in pieces:
            patch.setattr(owner, name, held(getattr(owner, name), done, number, reached, stop_came))
        task = asyncio.ensure_future(work())
        await asyncio.wait([task, asyncio.ensure_future(reached.wait())], return_when=asyncio.FIRST_COMPLETED)
        was_stopped = task.cancel()
        stop_came.set()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled() == was_stopped == reached.is_set()
        reached.set()
    return was_stopped


def held(execute: Any, done: Any, statement: int, reached: asyncio.Event, stop_came: asyncio.Event) -> Any:
    async def after(*given: Any, **options: Any) -> Any:
        try:
            return await execute(*given, **options)
        finally:
            if next(done) == statement:
                reached.set()
                await stop_came.wait()

    return after


async def test_a_stop_that_the_database_keeps_waiting_ends_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transactions, "SETTLES_WITHIN_S", 0)
    waits = asyncio.Event()

    @transactions.unstoppable
    async def put() -> None:
        waits.set()
        await asyncio.Event().wait()

    task = asyncio.ensure_future(put())
    await waits.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# Stopped, on PostgreSQL


@pytest.fixture
def database(postgres: Any) -> str:
    return str(postgres.fresh(f"stops{next(_databases)}"))


_databases = count(1)
COUNTS = """
SELECT 'store', count(*) FROM store WHERE key = %(name)s
UNION ALL SELECT 'checkpoints', count(*) FROM checkpoints WHERE thread_id = %(name)s
UNION ALL SELECT 'writes', count(*) FROM checkpoint_writes WHERE thread_id = %(name)s
"""


@pytest.mark.parametrize(("work", "whole"), WHOLE)
async def test_a_stop_at_any_wait_for_postgresql_leaves_the_whole_and_the_connection_as_it_was(
    work: Work, whole: dict[str, int], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = [(psycopg.AsyncConnection, "wait")]
    async with open_storage(database, connections=1) as storage:
        for number in count(1):
            name = f"stopped{number}"
            if not await stopped_after(number, partial(work, storage, name), waits, monkeypatch):
                break
            async with (
                sole_work_on(storage.checkpointer, name),
                await psycopg.AsyncConnection.connect(database) as other,
            ):
                found = await (await other.execute(COUNTS, {"name": name})).fetchall()
            assert dict(found) == {"store": 0, "checkpoints": 0, "writes": 0} | whole
    assert number > 2


async def test_a_write_that_fails_is_taken_back_before_the_next_begins(tmp_path: Path) -> None:
    async with opened(tmp_path) as storage:
        with closing(sqlite3.connect(tmp_path / "threads.db")) as file, file:
            file.execute("CREATE TRIGGER full BEFORE INSERT ON store WHEN NEW.key = 'last' "
                         "BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END")  # fmt: skip
        batch = [PutOp(PLACE, "first", {}), PutOp(("m",), "last", {})]
        ended: Any = await asyncio.gather(
            storage.store.abatch(batch), storage.store.aput_new(PLACE, "next", {}), return_exceptions=True
        )
        assert isinstance(ended[0], StorageError)
        assert [item.key for item in await storage.store.asearch(())] == ["next"]
