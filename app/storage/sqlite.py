"""Conversations stored in SQLite: one file, or memory."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import aiosqlite
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.store.sqlite.aio import AsyncSqliteStore

from wavegraph.app.storage.compact import (
    CLOSED,
    MESSAGES,
    CheckpointRow,
    CompressingSerializer,
    ForgetfulSaver,
    superseded,
)
from wavegraph.app.storage.database import MEMORY, Storage, default_database
from wavegraph.graph.errors import StorageError
from wavegraph.graph.secrets.ways_out import error_text

BUSY_TIMEOUT_S = 30.0
"""How long one process waits for another's write; a write takes milliseconds."""
SETUP_ATTEMPTS = 20


@asynccontextmanager
async def open_sqlite(database: str) -> AsyncIterator[Storage]:
    """Raises StorageError."""
    if database != MEMORY:
        _prepare(Path(database))
    try:
        async with (
            aiosqlite.connect(database, timeout=BUSY_TIMEOUT_S) as checkpoints,
            aiosqlite.connect(database, timeout=BUSY_TIMEOUT_S, isolation_level=None) as records,
        ):
            checkpointer, store = SqliteSaver(checkpoints, serde=CompressingSerializer()), AsyncSqliteStore(records)
            await _patiently(checkpointer.setup)
            await _patiently(store.setup)
            yield Storage(checkpointer, store)
    except sqlite3.DatabaseError as error:
        raise StorageError(
            f"cannot use the database {database!r}: {error_text(error)}; choose another with --db FILE"
        ) from None


def _prepare(path: Path) -> None:
    """Create the file if missing, readable by its owner only; SQLite's side files get the same mode."""
    try:
        if path == default_database():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StorageError(f"cannot open the database {str(path)!r}: {reason}; choose another with --db FILE") from None


async def _patiently(setup: Callable[[], Awaitable[None]]) -> None:
    """Set tables up; retry while another process does the same: the change to WAL does not wait for a lock,
    and the second of two migrations of one version fails.
    """
    for attempt in range(1, SETUP_ATTEMPTS + 1):
        try:
            return await setup()
        except (sqlite3.OperationalError, sqlite3.IntegrityError):
            if attempt == SETUP_ATTEMPTS:
                raise
        await asyncio.sleep(0.05 * attempt)


_STEPS = f"""
SELECT checkpoint_id, parent_checkpoint_id,
    json_extract(CAST(metadata AS TEXT), '$.counters_since_delta_snapshot.{MESSAGES}') IS NULL,
    json_extract(CAST(metadata AS TEXT), '$.{CLOSED}') IS NOT NULL
FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ''
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


class SqliteSaver(ForgetfulSaver, AsyncSqliteSaver):
    """LangGraph's saver, deleting the steps of a request once it is finished."""

    async def _prune(self, thread: str, closed: str) -> None:
        async with self.lock:
            found = await self.conn.execute_fetchall(_STEPS, (thread,))
            gone, parents = superseded(
                [CheckpointRow(row[0], row[1], bool(row[2]), bool(row[3])) for row in found], closed
            )
            moved = [{"thread": thread, "id": name, "to": to} for name, to in gone.items()]
            try:
                await self.conn.executemany(_MOVE, moved)
                await self.conn.executemany(_DELETE, moved)
                await self.conn.executemany(
                    _PARENT, [{"thread": thread, "id": name, "to": to} for name, to in parents.items()]
                )
                await self.conn.execute(_ORPHANS, {"thread": thread, "closed": closed})
                await self.conn.commit()
            except BaseException:
                await self.conn.rollback()
                raise
