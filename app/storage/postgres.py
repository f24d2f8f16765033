"""Conversations stored in PostgreSQL: the extra `postgres`."""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, LiteralString

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.store.base import Op, Result
from langgraph.store.postgres.aio import AsyncPostgresStore
from psycopg import sql
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from wavegraph.app.storage.compact import (
    CLOSED,
    MESSAGES,
    CheckpointRow,
    ForgetfulSaver,
    superseded,
)
from wavegraph.app.storage.damaged import NamingSaver
from wavegraph.app.storage.database import Failed
from wavegraph.app.storage.postgres_leases import TABLE as LEASES
from wavegraph.app.storage.postgres_leases import PostgresLeases
from wavegraph.app.storage.serializer import CompressingSerializer
from wavegraph.app.storage.transactions import unstoppable
from wavegraph.graph.errors import StorageError, error_text
from wavegraph.tools.postgres.databases import libpq_settings, printable

WAIT_S = 120.0
"""How long a request waits for a free connection; threads share a few."""
_LOCK = 7_733_202_611
"""Key of the advisory lock of the set-up."""
_OPTIONS: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
_Connection = psycopg.AsyncConnection[DictRow]
_Pool = AsyncConnectionPool[_Connection]


@asynccontextmanager
async def open_postgres(
    database: str, connections: int, allowed: Collection[type]
) -> AsyncIterator[tuple[AsyncPostgresSaver, AsyncPostgresStore]]:
    """Raises StorageError; of the connection string its message holds only server and database."""
    settings = _settings(database)
    failed = partial(_unusable, database)
    try:
        # A single connection first: a pool would retry, and only its log would say why.
        async with await _Connection.connect("", **settings, **_OPTIONS) as connection:
            await _set_up(connection)
        pool: _Pool = AsyncConnectionPool(
            kwargs={**settings, **_OPTIONS}, min_size=1, max_size=connections, timeout=WAIT_S, open=False,
            name="wavegraph",
        )  # fmt: skip
        async with pool:
            leases = PostgresLeases(pool, failed)
            saver = PostgresSaver(pool, leases, failed, printable(database), allowed)
            saver.lock = asyncio.Semaphore(connections)  # type: ignore[assignment]  # every use has its own connection
            yield saver, PostgresStore(pool, leases, failed)
    except (psycopg.Error, PoolTimeout) as error:
        raise failed(error) from None


def _unusable(database: str, error: Exception) -> StorageError:
    reason = " ".join(error_text(error).split()) or type(error).__name__
    way_out = _WAYS_OUT.get(type(error), "or give the password in PGPASSWORD or a password file")
    return StorageError(
        f"cannot use the database {printable(database)!r}: {reason}; choose another with --db, {way_out}"
    )


_WAYS_OUT: dict[type[Exception], str] = {
    psycopg.errors.DiskFull: "or make room on its disk",
    psycopg.errors.ReadOnlySqlTransaction: "or let it be written",
    psycopg.errors.InsufficientPrivilege: "or let a user who may create tables open it once",
}


def _settings(database: str) -> dict[str, Any]:
    try:
        return libpq_settings(database)
    except ValueError as error:
        raise StorageError(error_text(error)) from None


async def _set_up(connection: _Connection) -> None:
    """Create missing tables, one process at a time.

    The lock is polled, not waited for: indexes are created `CONCURRENTLY`, which waits for every running statement,
    a waiting one included. Nothing is tried if the tables exist: a user who may only read and write them can use
    the database too.
    """
    if await _is_set_up(connection):
        return
    while not await _value(connection, f"SELECT pg_try_advisory_lock({_LOCK}) AS value"):
        await asyncio.sleep(0.1)
    await _drop_unfinished_indexes(connection)
    await AsyncPostgresSaver(connection).setup()
    await AsyncPostgresStore(connection).setup()
    await connection.execute(LEASES)


async def _is_set_up(connection: _Connection) -> bool:
    newest = {
        "checkpoint_migrations": len(AsyncPostgresSaver.MIGRATIONS) - 1,
        "store_migrations": len(AsyncPostgresStore.MIGRATIONS) - 1,
    }
    try:
        await connection.execute("SELECT 1 FROM thread_leases LIMIT 1")
        found = [await _value(connection, f"SELECT max(v) AS value FROM {table}") for table in newest]
    except psycopg.errors.UndefinedTable:
        return False
    return all(made is not None and made >= wanted for made, wanted in zip(found, newest.values(), strict=True))


async def _drop_unfinished_indexes(connection: _Connection) -> None:
    """Drop what a killed `CREATE INDEX CONCURRENTLY` left: `IF NOT EXISTS` would keep it, and no query can use it."""
    for row in await (await connection.execute(_UNFINISHED)).fetchall():
        await connection.execute(sql.SQL("DROP INDEX IF EXISTS {}").format(sql.Identifier(row["schema"], row["name"])))


_UNFINISHED = """
SELECT n.nspname AS schema, c.relname AS name FROM pg_index AS i
    JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE NOT i.indisvalid AND i.indrelid IN (to_regclass('checkpoints'), to_regclass('checkpoint_blobs'),
    to_regclass('checkpoint_writes'), to_regclass('store'))
"""


async def _value(connection: _Connection, query: LiteralString) -> Any:
    row = await (await connection.execute(query)).fetchone()
    return row and row["value"]


_STEPS = f"""
SELECT checkpoint_id, parent_checkpoint_id,
    metadata #> '{{counters_since_delta_snapshot,{MESSAGES}}}' IS NULL AS is_base, metadata ? '{CLOSED}' AS is_closed
FROM checkpoints WHERE thread_id = %(thread)s AND checkpoint_ns = ''
"""
# Values that only checkpoints in `gone` refer to.
_VALUES = """
DELETE FROM checkpoint_blobs AS b USING (
    SELECT v.key, v.value FROM checkpoints AS c, jsonb_each_text(c.checkpoint -> 'channel_versions') AS v
    WHERE c.thread_id = %(thread)s AND c.checkpoint_ns = '' AND c.checkpoint_id = ANY(%(gone)s)
    EXCEPT
    SELECT v.key, v.value FROM checkpoints AS c, jsonb_each_text(c.checkpoint -> 'channel_versions') AS v
    WHERE c.thread_id = %(thread)s AND c.checkpoint_ns = '' AND NOT c.checkpoint_id = ANY(%(gone)s)
) AS lost
WHERE b.thread_id = %(thread)s AND b.checkpoint_ns = '' AND b.channel = lost.key AND b.version = lost.value
"""
# Writes of one checkpoint are ordered by path: `~~` sorts after the checkpoint's own, and ids grow with time.
_MOVE = f"""
UPDATE checkpoint_writes AS w SET checkpoint_id = m.target, task_path = '~~' || w.checkpoint_id || w.task_path
FROM unnest(%(gone)s::text[], %(targets)s::text[]) AS m (id, target)
WHERE w.thread_id = %(thread)s AND w.checkpoint_ns = '' AND w.checkpoint_id = m.id AND w.channel = '{MESSAGES}'
"""
_DELETE = """
DELETE FROM checkpoints WHERE thread_id = %(thread)s AND checkpoint_ns = '' AND checkpoint_id = ANY(%(gone)s)
"""
_PARENTS = """
UPDATE checkpoints AS c SET parent_checkpoint_id = m.target
FROM unnest(%(orphans)s::text[], %(parents)s::text[]) AS m (id, target)
WHERE c.thread_id = %(thread)s AND c.checkpoint_ns = '' AND c.checkpoint_id = m.id
"""
# Writes that came after their checkpoint was pruned: LangGraph does not wait for them.
_ORPHANS = """
DELETE FROM checkpoint_writes AS w WHERE thread_id = %(thread)s AND checkpoint_ns = '' AND checkpoint_id < %(closed)s
    AND NOT EXISTS (SELECT 1 FROM checkpoints AS c WHERE c.thread_id = %(thread)s AND c.checkpoint_ns = ''
        AND c.checkpoint_id = w.checkpoint_id)
"""


class PostgresSaver(NamingSaver, ForgetfulSaver, AsyncPostgresSaver):
    """LangGraph's saver, deleting the steps of a request once it is finished. A thread's writes are refused if its
    lease was lost (ThreadBusy). A request that is stopped leaves none of them half done, and the connections as they were:
    one that is stopped on its way into a pipeline stays in it, and the pool gives it to the next."""

    def __init__(
        self, pool: _Pool, leases: PostgresLeases, failed: Failed, database: str, allowed: Collection[type]
    ) -> None:
        super().__init__(pool, serde=CompressingSerializer(allowed))
        self.leases = leases
        self._failed = failed
        self._database = database

    @unstoppable
    async def aput(self, config: RunnableConfig, *given: Any, **options: Any) -> RunnableConfig:
        with _writing(config):
            return await super().aput(config, *given, **options)

    @unstoppable
    async def aput_writes(self, config: RunnableConfig, *given: Any, **options: Any) -> None:
        with _writing(config):
            await super().aput_writes(config, *given, **options)

    @unstoppable
    async def adelete_thread(self, thread_id: str) -> None:
        await super().adelete_thread(thread_id)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[psycopg.AsyncCursor[DictRow]]:
        try:
            async with super()._cursor(pipeline=pipeline) as cursor, self.leases.fenced(cursor, _written.get()):
                yield cursor
        except psycopg.Error as error:
            raise self._failed(error) from None

    async def _prune(self, thread: str, closed: str) -> None:
        async with self._cursor() as cursor, cursor.connection.transaction():
            await cursor.execute(_STEPS, {"thread": thread})
            steps = [
                CheckpointRow(row["checkpoint_id"], row["parent_checkpoint_id"], row["is_base"], row["is_closed"])
                for row in await cursor.fetchall()
            ]
            gone, parents = superseded(steps, closed)
            given = {"thread": thread, "closed": closed, "gone": list(gone), "targets": list(gone.values()),
                     "orphans": list(parents), "parents": list(parents.values())}  # fmt: skip
            for statement in (_VALUES, _MOVE, _DELETE, _PARENTS, _ORPHANS):
                await cursor.execute(statement, given)


class PostgresStore(AsyncPostgresStore):
    """LangGraph's store, whose failures name the database (StorageError). A request that is stopped leaves nothing half done."""

    def __init__(self, pool: _Pool, leases: PostgresLeases, failed: Failed) -> None:
        super().__init__(pool)
        self._leases = leases
        self._failed = failed

    @unstoppable
    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await super().abatch(ops)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[psycopg.AsyncCursor[DictRow]]:
        try:
            async with super()._cursor(pipeline=pipeline) as cursor:
                yield cursor
        except psycopg.Error as error:
            raise self._failed(error) from None

    @unstoppable
    async def aput_new(
        self, namespace: tuple[str, ...], key: str, value: dict[str, Any], *, holding: str | None = None
    ) -> bool:
        """Keep a value under a key that has none yet; False = it has one. Of several at once, one succeeds.

        `holding`: a thread. If this object has a lease on it, that is looked at in the same transaction, and nothing is kept
        where another has taken it over: ThreadBusy.
        """
        async with self._cursor() as cursor, self._leases.fenced(cursor, holding):
            await cursor.execute(_PUT_NEW, (".".join(namespace), key, Jsonb(value)))
            return cursor.rowcount == 1


_PUT_NEW = "INSERT INTO store (prefix, key, value) VALUES (%s, %s, %s) ON CONFLICT (prefix, key) DO NOTHING"
_written: ContextVar[str | None] = ContextVar("thread that is being written", default=None)


@contextmanager
def _writing(config: RunnableConfig) -> Iterator[None]:
    """LangGraph's saver opens its cursors without a word about the thread."""
    before = _written.set(str(config["configurable"]["thread_id"]))
    try:
        yield
    finally:
        _written.reset(before)
