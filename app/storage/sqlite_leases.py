"""The leases in an SQLite file, by the machine's clock."""

import sqlite3
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import aiosqlite

from wavegraph.app.storage import leases
from wavegraph.app.storage.database import Failed
from wavegraph.app.storage.leases import Lease, Leases, utc
from wavegraph.app.storage.processes import Process
from wavegraph.graph.errors import StorageError

TABLE = """
CREATE TABLE IF NOT EXISTS thread_leases (
    thread_id TEXT PRIMARY KEY, holder TEXT NOT NULL, host TEXT NOT NULL, machine TEXT NOT NULL, pid INTEGER NOT NULL,
    started TEXT NOT NULL, until REAL NOT NULL
)
"""
_INSERT = """
INSERT INTO thread_leases (thread_id, holder, host, machine, pid, started, until)
VALUES (:thread_id, :holder, :host, :machine, :pid, :started, :until)
ON CONFLICT (thread_id) DO UPDATE SET holder = excluded.holder, host = excluded.host, machine = excluded.machine,
    pid = excluded.pid, started = excluded.started, until = excluded.until
WHERE thread_leases.until <= :now
"""
_REPLACE = """
UPDATE thread_leases SET holder = :holder, host = :host, machine = :machine, pid = :pid, started = :started,
    until = :until
WHERE thread_id = :thread_id AND holder = :other
"""
_READ = "SELECT holder, host, machine, pid, started, until FROM thread_leases WHERE thread_id = ?"
_RENEW = "UPDATE thread_leases SET until = :until WHERE thread_id = :thread_id AND holder = :holder"
_DELETE = "DELETE FROM thread_leases WHERE thread_id = :thread_id AND holder = :holder"

STILL_HELD = "SELECT 1 FROM thread_leases WHERE thread_id = :thread AND holder = :holder"
LOST = "the lease of the thread is lost"
_HOLDER = "wavegraph_holder"
_FENCE = """
CREATE TEMP TRIGGER fence_{table} BEFORE INSERT ON main.{table}
WHEN {holder}(NEW.thread_id) IS NOT NULL
    AND {holder}(NEW.thread_id) IS NOT (SELECT holder FROM main.thread_leases WHERE thread_id = NEW.thread_id)
BEGIN SELECT RAISE(ABORT, '{lost}'); END
"""


class SqliteLeases(Leases):
    """On a connection of its own, which need not wait for the disk: what a power cut takes, nobody holds any more."""

    def __init__(self, connection: aiosqlite.Connection, failed: Failed, file: Path) -> None:
        super().__init__(failed)
        self._connection = connection
        self._file = file.absolute()
        self._identity = _identity(self._file)

    async def prepare(self, checkpoints: aiosqlite.Connection) -> None:
        """Let the connection of the checkpoints store nothing on a thread whose lease another has taken from us, by the
        same transaction that would store it."""
        await self._connection.execute("PRAGMA synchronous = NORMAL")
        # A trigger does not look for a table that another connection has just made.
        await checkpoints.execute_fetchall(_READ, ("",))
        await checkpoints.create_function(_HOLDER, 1, self.held.get)
        for table in ("checkpoints", "writes"):
            await checkpoints.execute(_FENCE.format(table=table, holder=_HOLDER, lost=LOST))

    async def insert(self, lease: Lease) -> bool:
        """Raises StorageError also where the file is open under no name any more: what it took would be lost."""
        if _identity(self._file) != self._identity:
            raise StorageError(
                f"the database {str(self._file)!r} was deleted or replaced while this process had it open, and would keep "
                "nothing; start the process again, or put the file back"
            )
        return await self._changes(_INSERT, _row(lease))

    async def replace(self, other: Lease, lease: Lease) -> bool:
        return await self._changes(_REPLACE, {**_row(lease), "other": other.holder})

    async def read(self, thread_id: str) -> Lease | None:
        try:
            rows = list(await self._connection.execute_fetchall(_READ, (thread_id,)))
        except sqlite3.DatabaseError as error:
            raise self._failed(error) from None
        return next((Lease(thread_id, holder, Process(*of), utc(until)) for holder, *of, until in rows), None)

    async def renew(self, lease: Lease) -> bool:
        return await self._changes(_RENEW, _row(lease))

    async def delete(self, lease: Lease) -> None:
        await self._changes(_DELETE, _row(lease))

    async def _changes(self, statement: str, given: Mapping[str, Any]) -> bool:
        try:
            async with self._connection.execute(statement, given) as cursor:
                return cursor.rowcount == 1
        except (sqlite3.DatabaseError, ValueError) as error:  # the latter: the connection was closed
            raise self._failed(error) from None


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _row(lease: Lease) -> dict[str, Any]:
    now = time.time()
    return {"thread_id": lease.thread_id, "holder": lease.holder, **asdict(lease.process), "now": now,
            "until": now + leases.LEASE_S}  # fmt: skip
