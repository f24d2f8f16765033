"""Conversations stored in SQLite: one file, or memory."""

import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import DeltaChannelHistory, get_checkpoint_id, writes_sort_key
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.store.base import Op, Result

from wavegraph.app.storage.compact import (
    CLOSED,
    MESSAGES,
    CheckpointRow,
    ForgetfulSaver,
    superseded,
)
from wavegraph.app.storage.damaged import NamingSaver, name_damaged, stored_value
from wavegraph.app.storage.database import MEMORY, Failed, Storage, default_file
from wavegraph.app.storage.langgraph_store import AsyncSqliteStore
from wavegraph.app.storage.leases import lost
from wavegraph.app.storage.serializer import CompressingSerializer
from wavegraph.app.storage.sqlite_leases import LOST, STILL_HELD, SqliteLeases
from wavegraph.app.storage.sqlite_leases import TABLE as LEASES
from wavegraph.app.storage.transactions import Turns, unstoppable
from wavegraph.graph.errors import StorageError, error_text

BUSY_TIMEOUT_S = 30.0
"""How long one process waits for another's write; a write takes up to tenths of a second under load."""
WAITS_ITS_TURN: Literal["IMMEDIATE"] = "IMMEDIATE"
"""How a transaction begins, before its first write: one that had read before would be refused at once, however patient,
where another has written meanwhile. Reads alone need none."""
SETUP_ATTEMPTS = 20
PAGE_BYTES = 2048
"""Of a new file; one that exists keeps its own. A request's last state and its record take 2 to 4 kB each: in pages of
4096 bytes nearly every one of them has a page to itself, and a sixth of the file is empty."""


@asynccontextmanager
async def open_sqlite(database: str, allowed: Collection[type]) -> AsyncIterator[Storage]:
    """Raises StorageError."""
    if database != MEMORY:
        _prepare(Path(database))
    failed = partial(_unusable, database)
    try:
        async with (
            aiosqlite.connect(database, timeout=BUSY_TIMEOUT_S, isolation_level=WAITS_ITS_TURN) as checkpoints,
            aiosqlite.connect(database, timeout=BUSY_TIMEOUT_S, isolation_level=WAITS_ITS_TURN) as records,
            aiosqlite.connect(database, timeout=BUSY_TIMEOUT_S, isolation_level=None) as rows,
        ):
            leases = None if database == MEMORY else SqliteLeases(rows, failed, Path(database))
            checkpointer = SqliteSaver(checkpoints, leases, failed, database, allowed)
            store = SqliteStore(records, leases, failed, database)
            await checkpoints.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            await _patiently(checkpointer.setup)
            await _migrate(records)
            await store.setup()
            if leases:
                await leases.prepare(checkpoints)
            yield Storage(checkpointer, store)
    except sqlite3.DatabaseError as error:
        raise failed(error) from None


def _unusable(database: str, error: Exception) -> StorageError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    way_out = _WAYS_OUT.get(code, "")
    return StorageError(
        f"cannot use the database {database!r}: {error_text(error)}; {way_out}choose another with --db FILE"
    )


_WAYS_OUT = {
    sqlite3.SQLITE_FULL: "make room on its disk, or ",
    sqlite3.SQLITE_IOERR: "make room on its disk if it is full, or ",
    sqlite3.SQLITE_READONLY: "let this user write the file and its folder, or ",
}


def _prepare(path: Path) -> None:
    """Create the file if missing, readable by its owner only; SQLite's side files get the same mode."""
    try:
        if path == default_file():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StorageError(f"cannot open the database {str(path)!r}: {reason}; choose another with --db FILE") from None


async def _patiently(setup: Callable[[], Awaitable[None]]) -> None:
    """Set tables up; retry while another process does the same: the change to WAL does not wait for a lock."""
    for attempt in range(1, SETUP_ATTEMPTS + 1):
        try:
            return await setup()
        except sqlite3.OperationalError as error:
            if attempt == SETUP_ATTEMPTS or error.sqlite_errorcode & 0xFF not in _LOCKED:
                raise
        await asyncio.sleep(0.05 * attempt)


_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_VERSIONS = "CREATE TABLE IF NOT EXISTS store_migrations (v INTEGER PRIMARY KEY)"


async def _migrate(records: aiosqlite.Connection) -> None:
    """Bring the store's tables up to date in one transaction, so that a killed process leaves all of it or nothing.

    LangGraph's own `setup` commits each migration before it notes that it ran. A process killed in between left a file
    that `setup` refuses from then on: SQLite cannot add a column twice. Such a column counts as added.
    """
    async with _at_once(records):
        await records.execute(_VERSIONS)
        [[version]] = await records.execute_fetchall("SELECT coalesce(max(v), -1) FROM store_migrations")
        for number, migration in enumerate(AsyncSqliteStore.MIGRATIONS):
            if number <= version:
                continue
            try:
                await records.execute(migration)
            except sqlite3.OperationalError as error:
                if "duplicate column name" not in error_text(error):
                    raise
            await records.execute("INSERT INTO store_migrations (v) VALUES (?)", (number,))
        await records.execute(LEASES)


@asynccontextmanager
async def _at_once(connection: aiosqlite.Connection) -> AsyncIterator[None]:
    """One transaction, which waits until no other process writes."""
    await connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        await connection.commit()
    except BaseException:
        await connection.rollback()
        raise


_IS_BASE = f"json_extract(CAST(c.metadata AS TEXT), '$.counters_since_delta_snapshot.{MESSAGES}') IS NULL"
_IS_CLOSED = f"json_extract(CAST(c.metadata AS TEXT), '$.{CLOSED}') IS NOT NULL"
# From a checkpoint up to the nearest end of a request, and what branches off on the way: older ones are not opened.
# `CROSS JOIN` keeps SQLite from reading the whole thread at each step.
_STEPS = f"""
WITH RECURSIVE way (id, parent, is_end) AS (
    SELECT checkpoint_id, parent_checkpoint_id, FALSE FROM checkpoints
    WHERE thread_id = :thread AND checkpoint_ns = '' AND checkpoint_id = :closed
    UNION
    SELECT c.checkpoint_id, c.parent_checkpoint_id, {_IS_CLOSED} FROM way CROSS JOIN checkpoints AS c
    WHERE c.thread_id = :thread AND c.checkpoint_ns = '' AND c.checkpoint_id = way.parent AND NOT way.is_end
)
SELECT c.checkpoint_id, c.parent_checkpoint_id, {_IS_BASE}, {_IS_CLOSED} FROM checkpoints AS c
WHERE c.thread_id = :thread AND c.checkpoint_ns = ''
    AND (c.checkpoint_id IN (SELECT id FROM way) OR c.parent_checkpoint_id IN (SELECT id FROM way))
"""
_ANCESTORS = f"""
WITH RECURSIVE way (id, parent, is_base) AS (
    SELECT checkpoint_id, parent_checkpoint_id, FALSE FROM checkpoints
    WHERE thread_id = :thread AND checkpoint_ns = :space AND checkpoint_id = :id
    UNION
    SELECT c.checkpoint_id, c.parent_checkpoint_id, {_IS_BASE} FROM way CROSS JOIN checkpoints AS c
    WHERE c.thread_id = :thread AND c.checkpoint_ns = :space AND c.checkpoint_id = way.parent
)
SELECT id, is_base FROM way LIMIT -1 OFFSET 1
"""
_CHECKPOINT = """
SELECT type, checkpoint FROM checkpoints WHERE thread_id = :thread AND checkpoint_ns = :space AND checkpoint_id = :id
"""
_WRITES = f"""
SELECT checkpoint_id, task_path, task_id, idx, type, value FROM writes
WHERE thread_id = :thread AND checkpoint_ns = :space AND channel = '{MESSAGES}'
    AND checkpoint_id IN (SELECT value FROM json_each(:ids))
"""
# Writes of one checkpoint are ordered by path: `~~` sorts after the checkpoint's own, and ids grow with time.
_MOVE = f"""
UPDATE writes SET checkpoint_id = :to, task_path = '~~' || checkpoint_id || task_path
WHERE thread_id = :thread AND checkpoint_ns = '' AND checkpoint_id = :id AND channel = '{MESSAGES}'
"""
_DELETE = "DELETE FROM checkpoints WHERE thread_id = :thread AND checkpoint_ns = '' AND checkpoint_id = :id"
_PARENT = """
UPDATE checkpoints SET parent_checkpoint_id = :to
WHERE thread_id = :thread AND checkpoint_ns = '' AND checkpoint_id = :id
"""
# Writes that came after their checkpoint was pruned: LangGraph does not wait for them.
_ORPHANS = """
DELETE FROM writes WHERE thread_id = :thread AND checkpoint_ns = '' AND checkpoint_id < :closed AND checkpoint_id
    NOT IN (SELECT checkpoint_id FROM checkpoints WHERE thread_id = :thread AND checkpoint_ns = '')
"""


class SqliteSaver(NamingSaver, ForgetfulSaver, AsyncSqliteSaver):
    """LangGraph's saver, deleting the steps of a request once it is finished. A thread's writes are refused if its
    lease was lost (ThreadBusy). A request that is stopped leaves none of them half done."""

    def __init__(
        self, connection: aiosqlite.Connection, leases: SqliteLeases | None, failed: Failed, database: str,
        allowed: Collection[type],
    ) -> None:  # fmt: skip
        super().__init__(connection, serde=CompressingSerializer(allowed))
        self.lock = Turns(connection)
        self.leases = leases
        self._failed = failed
        self._database = database

    @unstoppable
    async def aput(self, config: RunnableConfig, *given: Any, **options: Any) -> RunnableConfig:
        with self._writing(config):
            return await super().aput(config, *given, **options)

    @unstoppable
    async def aput_writes(self, config: RunnableConfig, *given: Any, **options: Any) -> None:
        with self._writing(config):
            await super().aput_writes(config, *given, **options)

    @unstoppable
    async def adelete_thread(self, thread_id: str) -> None:
        await super().adelete_thread(thread_id)

    @contextmanager
    def _writing(self, config: RunnableConfig) -> Iterator[None]:
        """Raises ThreadBusy, StorageError."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise (
                lost(config["configurable"]["thread_id"]) if error_text(error) == LOST else self._failed(error)
            ) from None

    @contextmanager
    def _reading(self, config: RunnableConfig | None) -> Iterator[None]:
        try:
            with super()._reading(config):
                yield
        except sqlite3.DatabaseError as error:
            raise self._damaged(config, error) if _is_damage(error) else self._failed(error) from None

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """LangGraph's own opens every checkpoint on the way to the one that holds all messages so far, to find it; its
        metadata tells which it is."""
        name = get_checkpoint_id(config)
        if list(channels) != [MESSAGES] or not name:
            return await super().aget_delta_channel_history(config=config, channels=channels)
        own = config["configurable"]
        place = {"thread": str(own["thread_id"]), "space": own.get("checkpoint_ns", "")}
        with self._reading(config):
            async with self.lock:
                way, history = await self._way_to_all_messages({**place, "id": name})
                found = await self.conn.execute_fetchall(_WRITES, {**place, "ids": json.dumps(way)})
            age = {checkpoint: number for number, checkpoint in enumerate(way)}
            written = sorted(found, key=lambda row: (-age[row[0]], *writes_sort_key(row[1], row[2], row[3])))
            history["writes"] += [(row[2], MESSAGES, self.serde.loads_typed((row[4], row[5]))) for row in written]
            return {MESSAGES: history}

    async def _way_to_all_messages(self, start: Mapping[str, str]) -> tuple[list[str], DeltaChannelHistory]:
        """Ids of a checkpoint's ancestors, nearest first, up to the one that holds all messages; and these as the seed
        of a history, which has none where none does."""
        way: dict[str, None] = {}
        async with self.conn.execute(_ANCESTORS, start) as ancestors:
            async for name, is_base in ancestors:
                if name == start["id"] or name in way:  # it was put again, below itself
                    break
                way[name] = None
                if is_base:
                    [row] = await self.conn.execute_fetchall(_CHECKPOINT, {**start, "id": name})
                    values = self.serde.loads_typed((row[0], row[1]))["channel_values"]
                    if MESSAGES in values:
                        return list(way), {"writes": [], "seed": values[MESSAGES]}
        return list(way), {"writes": []}

    async def _prune(self, thread: str, closed: str) -> None:
        async with self.lock:
            found = await self.conn.execute_fetchall(_STEPS, {"thread": thread, "closed": closed})
            gone, parents = superseded(
                [CheckpointRow(row[0], row[1], bool(row[2]), bool(row[3])) for row in found], closed
            )
            moved = [{"thread": thread, "id": name, "to": to} for name, to in gone.items()]
            await self.conn.executemany(_MOVE, moved)
            await self.conn.executemany(_DELETE, moved)
            await self.conn.executemany(
                _PARENT, [{"thread": thread, "id": name, "to": to} for name, to in parents.items()]
            )
            await self.conn.execute(_ORPHANS, {"thread": thread, "closed": closed})


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file was opened, but what was read of it is no row or no JSON."""
    return "malformed" in error_text(error)


class SqliteStore(AsyncSqliteStore):
    """LangGraph's store, whose failures name the file (StorageError). A request that is stopped leaves nothing half done."""

    def __init__(
        self, connection: aiosqlite.Connection, leases: SqliteLeases | None, failed: Failed, database: str
    ) -> None:
        super().__init__(connection, deserializer=stored_value)
        self.lock = Turns(connection)
        self._leases = leases
        self._failed = failed
        self._database = database

    @unstoppable
    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        found = await super().abatch(ops)
        name_damaged(found, self._database)
        return found

    @asynccontextmanager
    async def _cursor(self, *, transaction: bool = True) -> AsyncIterator[aiosqlite.Cursor]:
        """The first write begins the transaction, and the lock ends it."""
        try:
            async with super()._cursor(transaction=False) as cursor:
                yield cursor
        except sqlite3.DatabaseError as error:
            raise self._failed(error) from None
        except ValueError as error:  # so LangGraph tells what a read came to
            if not isinstance(error.__cause__, sqlite3.DatabaseError):
                raise
            raise self._failed(error.__cause__) from None

    @unstoppable
    async def aput_new(
        self, namespace: tuple[str, ...], key: str, value: dict[str, Any], *, holding: str | None = None
    ) -> bool:
        """Keep a value under a key that has none yet; False = it has one. Of several at once, one succeeds.

        `holding`: a thread. If this object has a lease on it, that is looked at in the same transaction, and nothing is kept
        where another has taken it over: ThreadBusy.
        """
        holder = self._leases.held.get(holding) if self._leases and holding else None
        given = {"prefix": ".".join(namespace), "key": key, "value": json.dumps(value).encode(),
                 "thread": holding, "holder": holder}  # fmt: skip
        async with self._cursor() as cursor:
            await cursor.execute(_PUT_NEW, given)
            if cursor.rowcount == 1:
                return True
            still_held = holder is None or await (await cursor.execute(STILL_HELD, given)).fetchone()
        if not still_held:
            raise lost(str(holding))
        return False


_PUT_NEW = f"""
INSERT INTO store (prefix, key, value, created_at, updated_at)
SELECT :prefix, :key, :value, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP WHERE :holder IS NULL OR EXISTS ({STILL_HELD})
ON CONFLICT (prefix, key) DO NOTHING
"""
