"""Opens the storage of conversations: one SQLite file or a PostgreSQL database, for checkpoints and request records."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from wavegraph.app.storage.database import Storage, default_database
from wavegraph.graph.errors import StorageError, error_text
from wavegraph.graph.secrets.known import passwords_in
from wavegraph.graph.secrets.scrubber import process
from wavegraph.graph.secrets.ways_out import guard
from wavegraph.tools.postgres.databases import is_no_file, is_postgres, printable

NO_FILE = (
    "cannot use the database: it is named by a connection string that is not PostgreSQL's; write "
    "postgresql://USER@HOST:PORT/DATABASE, or the path of an SQLite file (./NAME if a file is really called so)"
)
CONNECTIONS = 10
"""Most connections that one process holds to a PostgreSQL database."""


@asynccontextmanager
async def open_storage(
    database: str | None, *, connections: int = CONNECTIONS, allowed_types: Collection[type] = ()
) -> AsyncIterator[Storage]:
    """Open the file at `database` (created, private, if missing), `:memory:`, `postgresql://…` or libpq's keywords
    (`host=db.example dbname=hotel`); None = what WAVEGRAPH_DATABASE names, else the file in the user's data folder.

    Any number of processes may have the same database open, from its first use on. `connections`: most that this
    process holds to a PostgreSQL server. `allowed_types`: those of your own that a graph round the agent keeps in its state,
    or that state's schema with all of them; a thread that holds a value of any other type is not opened, but for plain
    data, messages and what LangGraph calls safe. Compile a graph with both parts:

        async with open_storage("postgresql://desk@db.example/hotel") as storage:
            graph = build().compile(checkpointer=storage.checkpointer, store=storage.store)

    Raises StorageError.
    """
    guard()
    name = default_database() if database is None else database
    process.learn(*passwords_in(name))
    if is_no_file(name):
        raise StorageError(NO_FILE)
    opened = _postgres(name, connections, allowed_types) if is_postgres(name) else _sqlite(name, allowed_types)
    async with opened as storage:
        yield storage


@asynccontextmanager
async def _sqlite(file: str, allowed: Collection[type]) -> AsyncIterator[Storage]:
    from wavegraph.app.storage.sqlite import open_sqlite

    async with open_sqlite(file, allowed) as storage:
        yield storage


@asynccontextmanager
async def _postgres(database: str, connections: int, allowed: Collection[type]) -> AsyncIterator[Storage]:
    try:
        from wavegraph.app.storage.postgres import open_postgres
    except ImportError as error:
        raise StorageError(
            f"cannot use the database {printable(database)!r}: {error_text(error)}; install PostgreSQL support: "
            "pip install 'wavegraph[postgres]'"
        ) from None
    async with open_postgres(database, connections, allowed) as (checkpointer, store):
        yield Storage(checkpointer, store)
