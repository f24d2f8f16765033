"""The savers that contestants keep their threads with: none, SQLite in a file, PostgreSQL on a server of the run's own.

All contestants of a comparison get the same saver of LangGraph's. The server is the one that the tests start: from
installed binaries, in a temporary folder, gone at the end.
"""

import importlib.util
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, get_args

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

TESTS = Path(__file__).parents[1] / "tests"
sys.path += [str(TESTS / folder) for folder in ("support", "support_servers")]
import postgres_server

Saver = Literal["no saver", "SQLite", "PostgreSQL"]
SAVERS: tuple[Saver, ...] = get_args(Saver)
KINDS: dict[str, Saver] = {name.removeprefix("no saver").lower() or "none": name for name in SAVERS}
"""By their names on a command line."""
NO_LIBRARY = "langgraph-checkpoint-postgres is not installed"


def why_no_postgres() -> str | None:
    """None = a server can be started here."""
    if importlib.util.find_spec("langgraph.checkpoint.postgres") is None:
        return NO_LIBRARY
    return postgres_server.reason_to_skip()


@contextmanager
def postgres_for(savers: tuple[Saver, ...]) -> Iterator[postgres_server.Server | None]:
    """A server for the whole run; None where none is asked for, or none can be."""
    if "PostgreSQL" not in savers or why_no_postgres():
        yield None
        return
    with postgres_server.server() as server:
        yield server


@asynccontextmanager
async def opened(saver: Saver, server: postgres_server.Server | None) -> AsyncIterator[Any]:
    """The saver, empty; None = none."""
    if saver == "no saver":
        yield None
    elif saver == "SQLite":
        with TemporaryDirectory() as folder:
            async with AsyncSqliteSaver.from_conn_string(f"{folder}/threads.db") as sqlite:
                yield sqlite
    else:
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

        assert server is not None
        async with AsyncPostgresSaver.from_conn_string(server.url()) as postgres:
            await postgres.setup()
            yield postgres
