"""The leases in a PostgreSQL database, by its clock."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC
from typing import Any, LiteralString

import psycopg
from psycopg.rows import DictRow
from psycopg_pool import AsyncConnectionPool

from wavegraph.app.storage.database import Failed
from wavegraph.app.storage.leases import READ, Lease, Leases, lost
from wavegraph.app.storage.processes import Process

TABLE = """
CREATE TABLE IF NOT EXISTS thread_leases (
    thread_id TEXT PRIMARY KEY, holder TEXT NOT NULL, host TEXT NOT NULL, machine TEXT NOT NULL, pid BIGINT NOT NULL,
    started TEXT NOT NULL, until TIMESTAMPTZ NOT NULL
)
"""
NOW, UNTIL = "clock_timestamp()", "clock_timestamp() + make_interval(secs => :lasts_s)"
# Locks the row: no other process takes the thread over before this transaction ends.
_STILL_HELD: LiteralString = "SELECT 1 FROM thread_leases WHERE thread_id = %s AND holder = %s FOR SHARE"

_Pool = AsyncConnectionPool[psycopg.AsyncConnection[DictRow]]


class PostgresLeases(Leases):
    def __init__(self, pool: _Pool, failed: Failed) -> None:
        super().__init__(failed)
        self._pool = pool

    @asynccontextmanager
    async def fenced(self, cursor: psycopg.AsyncCursor[DictRow], thread_id: str | None) -> AsyncIterator[None]:
        """One transaction, which stores nothing on a thread whose lease another has taken from us."""
        holder = self.held.get(thread_id) if thread_id else None
        if thread_id is None or holder is None:
            yield
            return
        async with cursor.connection.transaction():
            await cursor.execute(_STILL_HELD, (thread_id, holder))
            if await cursor.fetchone() is None:
                raise lost(thread_id)
            yield

    async def read(self, thread_id: str) -> Lease | None:
        async with self._cursor() as cursor:
            row = await (await cursor.execute(_query(READ), {"thread_id": thread_id})).fetchone()
        if row is None:
            return None
        process = Process(row["host"], row["machine"], row["pid"], row["started"])
        return Lease(thread_id, row["holder"], process, row["until"].astimezone(UTC))

    async def change(self, statement: str, given: Mapping[str, Any]) -> bool:
        async with self._cursor() as cursor:
            await cursor.execute(_query(statement), given)
            return cursor.rowcount == 1

    @asynccontextmanager
    async def _cursor(self) -> AsyncIterator[psycopg.AsyncCursor[DictRow]]:
        try:
            async with self._pool.connection() as connection, connection.cursor() as cursor:
                yield cursor
        except psycopg.Error as error:
            raise self._failed(error) from None


def _query(statement: str) -> bytes:
    """With psycopg's way to name what is given."""
    return re.sub(r":(\w+)", r"%(\1)s", statement.format(now=NOW, until=UNTIL)).encode()
