"""Where conversations are kept: one SQLite file for checkpoints and request records."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiosqlite
import platformdirs
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.store.sqlite.aio import AsyncSqliteStore

from wavegraph.graph.errors import WavegraphError

MEMORY = ":memory:"
BUSY_TIMEOUT_S = 30.0
"""How long one process waits for another's write; a write takes milliseconds."""
SETUP_ATTEMPTS = 20


class StorageError(WavegraphError):
    """A database that cannot be used. The message names the file and the way out."""


@dataclass(frozen=True)
class Storage:
    checkpointer: AsyncSqliteSaver
    store: AsyncSqliteStore


def data_folder() -> Path:
    """The user's data folder of this program; may not exist yet."""
    return platformdirs.user_data_path("wavegraph")


def default_database() -> Path:
    return data_folder() / "wavegraph.db"


@asynccontextmanager
async def open_storage(database: str) -> AsyncIterator[Storage]:
    """Open the file at `database` (made, private, where it is missing), or `:memory:`.

    Any number of processes may have the same file open. Raises StorageError.
    """
    if database != MEMORY:
        _prepare(Path(database))
    try:
        async with (
            aiosqlite.connect(database, timeout=BUSY_TIMEOUT_S) as checkpoints,
            aiosqlite.connect(database, timeout=BUSY_TIMEOUT_S, isolation_level=None) as records,
        ):
            storage = Storage(AsyncSqliteSaver(checkpoints), AsyncSqliteStore(records))
            await _patiently(storage.checkpointer.setup)
            await _patiently(storage.store.setup)
            yield storage
    except sqlite3.DatabaseError as error:
        raise StorageError(f"cannot use the database {database!r}: {error}; choose another with --db FILE") from None


def _prepare(path: Path) -> None:
    """See that the file can be there. It is made readable by its owner alone; SQLite's side files follow it."""
    try:
        if path == default_database():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StorageError(f"cannot open the database {str(path)!r}: {reason}; choose another with --db FILE") from None


async def _patiently(setup: Callable[[], Awaitable[None]]) -> None:
    """Set tables up, again where another process is doing the same: the change to WAL does not wait for a lock,
    and of two migrations of one version the second fails.
    """
    for attempt in range(1, SETUP_ATTEMPTS + 1):
        try:
            return await setup()
        except (sqlite3.OperationalError, sqlite3.IntegrityError):
            if attempt == SETUP_ATTEMPTS:
                raise
        await asyncio.sleep(0.05 * attempt)
