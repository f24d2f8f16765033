"""The leases in a PostgreSQL database, by its clock."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import UTC
from typing import Any, LiteralString

import psycopg
from psycopg.rows import DictRow
from psycopg_pool import AsyncConnectionPool

from wavegraph.app.storage import leases
from wavegraph.app.storage.database import Failed
from wavegraph.app.storage.leases import Lease, Leases, lost
from wavegraph.app.storage.processes import Process

TABLE = """
CREATE TABLE IF NOT EXISTS thread_leases (
    thread_id TEXT PRIMARY KEY, holder TEXT NOT NULL, host TEXT NOT NULL, machine TEXT NOT NULL, pid BIGINT NOT NULL,
    started TEXT NOT NULL, until TIMESTAMPTZ NOT NULL
)
"""
_INSERT: LiteralString = """
INSERT INTO thread_leases AS l (thread_id, holder, host, machine, pid, started, until)
VALUES (%(thread_id)s, %(holder)s, %(host)s, %(machine)s, %(pid)s, %(started)s,
    clock_timestamp() + make_interval(secs => %(lasts_s)s))
ON CONFLICT (thread_id) DO UPDATE SET holder = excluded.holder, host = excluded.host, machine = excluded.machine,
    pid = excluded.pid, started = excluded.started, until = excluded.until
WHERE l.until <= clock_timestamp()
"""
_REPLACE: LiteralString = """
UPDATE thread_leases SET holder = %(holder)s, host = %(host)s, machine = %(machine)s, pid = %(pid)s,
    started = %(started)s, until = clock_timestamp() + make_interval(secs => %(lasts_s)s)
WHERE thread_id = %(thread_id)s AND holder = %(other)s
"""
_READ: LiteralString = "SELECT holder, host, machine, pid, started, until FROM thread_leases WHERE thread_id = %s"
_RENEW: LiteralString = """
UPDATE thread_leases SET until = clock_timestamp() + make_interval(secs => %(lasts_s)s)
WHERE thread_id = %(thread_id)s AND holder = %(holder)s
"""
_DELETE: LiteralString = "DELETE FROM thread_leases WHERE thread_id = %(thread_id)s AND holder = %(holder)s"
# Locks the row: nobody takes the thread over before this transaction ends.
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

    async def insert(self, lease: Lease) -> bool:
        return await self._changes(_INSERT, _row(lease))

    async def replace(self, other: Lease, lease: Lease) -> bool:
        return await self._changes(_REPLACE, {**_row(lease), "other": other.holder})

    async def read(self, thread_id: str) -> Lease | None:
        async with self._cursor() as cursor:
            row = await (await cursor.execute(_READ, (thread_id,))).fetchone()
        if row is None:
            return None
        process = Process(row["host"], row["machine"], row["pid"], row["started"])
        return Lease(thread_id, row["holder"], process, row["until"].astimezone(UTC))

    async def renew(self, lease: Lease) -> bool:
        return await self._changes(_RENEW, _row(lease))

    async def delete(self, lease: Lease) -> None:
        await self._changes(_DELETE, _row(lease))

    async def _changes(self, statement: LiteralString, given: Mapping[str, Any]) -> bool:
        async with self._cursor() as cursor:
            await cursor.execute(statement, given)
            return cursor.rowcount == 1

    @asynccontextmanager
    async def _cursor(self) -> AsyncIterator[psycopg.AsyncCursor[DictRow]]:
        try:
            async with self._pool.connection() as connection, connection.cursor() as cursor:
                yield cursor
        except psycopg.Error as error:
            raise self._failed(error) from None


def _row(lease: Lease) -> dict[str, Any]:
    return {"thread_id": lease.thread_id, "holder": lease.holder, **asdict(lease.process), "lasts_s": leases.LEASE_S}
