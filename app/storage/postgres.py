"""Conversations stored in PostgreSQL: the extra `postgres`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, LiteralString

import psycopg
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.store.postgres.aio import AsyncPostgresStore
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from wavegraph.app.storage.compact import (
    CLOSED,
    MESSAGES,
    CheckpointRow,
    CompressingSerializer,
    ForgetfulSaver,
    superseded,
)
from wavegraph.app.storage.database import connection_string, printable
from wavegraph.graph.errors import StorageError
from wavegraph.graph.secrets.scrubber import process
from wavegraph.graph.secrets.ways_out import error_text

CONNECT_TIMEOUT_S = 10
"""How long connecting may take, if the connection string does not say."""
WAIT_S = 120.0
"""How long a request waits for a free connection; threads share a few."""
_UNREADABLE = "="
_LOCK = 7_733_202_611
"""Key of the advisory lock of the set-up."""
_OPTIONS: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
_Connection = psycopg.AsyncConnection[DictRow]
_Pool = AsyncConnectionPool[_Connection]


@asynccontextmanager
async def open_postgres(
    database: str, connections: int
) -> AsyncIterator[tuple[AsyncPostgresSaver, AsyncPostgresStore]]:
    """Raises StorageError; of the connection string its message holds only server and database."""
    settings = _settings(database)
    try:
        # A single connection first: a pool would retry, and only its log would say why.
        async with await _Connection.connect("", **settings, **_OPTIONS) as connection:
            await _set_up(connection)
        pool: _Pool = AsyncConnectionPool(
            kwargs={**settings, **_OPTIONS}, min_size=1, max_size=connections, timeout=WAIT_S, open=False,
            name="wavegraph",
        )  # fmt: skip
        async with pool:
            saver = PostgresSaver(pool, serde=CompressingSerializer())
            saver.lock = asyncio.Semaphore(connections)  # type: ignore[assignment]  # every use has its own connection
            yield saver, AsyncPostgresStore(pool)
    except (psycopg.Error, PoolTimeout) as error:
        reason = " ".join(error_text(error).split()) or type(error).__name__
        raise StorageError(
            f"cannot use the database {printable(database)!r}: {reason}; choose another with --db, "
            "or give the password in PGPASSWORD or a password file"
        ) from None


def _settings(database: str) -> dict[str, Any]:
    try:
        settings = conninfo_to_dict(connection_string(database) or _UNREADABLE)
    except psycopg.Error:  # its text quotes what it could not read, which may be half a password
        raise StorageError(
            f"cannot read the connection string of {printable(database)!r}: it must look like "
            "postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with every special character of user and password "
            'written as %XX, or like "host=HOST port=PORT dbname=DATABASE user=USER"'
        ) from None
    process.learn(*(str(settings[name]) for name in ("password", "sslpassword") if settings.get(name)))
    return {"connect_timeout": CONNECT_TIMEOUT_S, **settings}


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
    await AsyncPostgresSaver(connection).setup()
    await AsyncPostgresStore(connection).setup()


async def _is_set_up(connection: _Connection) -> bool:
    newest = {
        "checkpoint_migrations": len(AsyncPostgresSaver.MIGRATIONS) - 1,
        "store_migrations": len(AsyncPostgresStore.MIGRATIONS) - 1,
    }
    try:
        found = [await _value(connection, f"SELECT max(v) AS value FROM {table}") for table in newest]
    except psycopg.errors.UndefinedTable:
        return False
    return all(made is not None and made >= wanted for made, wanted in zip(found, newest.values(), strict=True))


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


class PostgresSaver(ForgetfulSaver, AsyncPostgresSaver):
    """LangGraph's saver, deleting the steps of a request once it is finished."""

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
