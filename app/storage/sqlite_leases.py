"""The leases in an SQLite file, by the machine's clock."""

import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import aiosqlite

from wavegraph.app.storage.database import Failed
from wavegraph.app.storage.leases import READ, Lease, Leases, utc
from wavegraph.app.storage.processes import Process
from wavegraph.graph.errors import StorageError

TABLE = """
CREATE TABLE IF NOT EXISTS thread_leases (
    thread_id TEXT PRIMARY KEY, holder TEXT NOT NULL, host TEXT NOT NULL, machine TEXT NOT NULL, pid INTEGER NOT NULL,
    started TEXT NOT NULL, until REAL NOT NULL
)
"""
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
    """On a connection of its own, without waiting for the disk: a lease that a power cut loses belonged to a process that the
    power cut ended."""

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
        await checkpoints.execute_fetchall(READ, {"thread_id": ""})
        await checkpoints.create_function(_HOLDER, 1, self.held.get)
        for table in ("checkpoints", "writes"):
            await checkpoints.execute(_FENCE.format(table=table, holder=_HOLDER, lost=LOST))

    async def insert(self, lease: Lease) -> bool:
        """Raises StorageError also for a file that was deleted or replaced while it was open: what is stored in it is lost."""
        if _identity(self._file) != self._identity:
            raise StorageError(
                f"the database {str(self._file)!r} was deleted or replaced while this process had it open, and would keep "
                "nothing; start the process again, or put the file back"
            )
        return await super().insert(lease)

    async def read(self, thread_id: str) -> Lease | None:
        try:
            rows = list(await self._connection.execute_fetchall(READ, {"thread_id": thread_id}))
        except sqlite3.DatabaseError as error:
            raise self._failed(error) from None
        return next((Lease(thread_id, holder, Process(*of), utc(until)) for holder, *of, until in rows), None)

    async def change(self, statement: str, given: Mapping[str, Any]) -> bool:
        query = statement.format(now=":now", until=":now + :lasts_s")
        try:
            async with self._connection.execute(query, {**given, "now": time.time()}) as cursor:
                return cursor.rowcount == 1
        except (sqlite3.DatabaseError, ValueError) as error:  # the latter: the connection was closed
            raise self._failed(error) from None


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
