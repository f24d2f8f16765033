"""A database that is opened for the first time by a process that is killed, or by several at once."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.store.sqlite.aio import AsyncSqliteStore

from wavegraph.app.storage.open import open_storage

SIDE_FILES = ("", "-wal", "-journal")
NEWEST = len(AsyncSqliteStore.MIGRATIONS) - 1


@contextmanager
def before_each_statement(act: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Call `act` before every statement that SQLite runs in the block, also before each of a script."""
    connect = sqlite3.connect

    def traced(*args: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*args, **options)
        connection.set_trace_callback(lambda _: act())
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", traced)
        yield


async def set_up_by_langgraph(database: str) -> None:
    """As the versions before did it."""
    async with (
        AsyncSqliteSaver.from_conn_string(database) as saver,
        AsyncSqliteStore.from_conn_string(database) as store,
    ):
        await saver.setup()
        await store.setup()


async def used(database: str) -> None:
    async with open_storage(database) as storage:
        await storage.store.aput(("n",), "a", {"n": 1})
        found = await storage.store.aget(("n",), "a")
        assert found is not None
        assert found.value == {"n": 1}
        assert await storage.checkpointer.aget_tuple({"configurable": {"thread_id": "t"}}) is None


def schema(database: Path) -> list[tuple[Any, ...]]:
    with sqlite3.connect(database) as connection:
        columns = "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ORDER BY 1, 2"
        found = connection.execute(columns).fetchall()
        found += connection.execute("SELECT name, type FROM sqlite_master ORDER BY 1").fetchall()
        found += connection.execute("SELECT v FROM store_migrations ORDER BY 1").fetchall()
    connection.close()
    return found


@pytest.mark.parametrize("set_up", [used, set_up_by_langgraph])
async def test_a_first_opening_killed_before_any_statement_leaves_a_file_that_opens(
    set_up: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, whole = tmp_path / "threads.db", tmp_path / "whole.db"
    cuts: list[Path] = []

    def keep_what_a_kill_would_leave() -> None:
        cut = tmp_path / f"cut{len(cuts)}.db"
        for side in SIDE_FILES:
            if (found := Path(f"{database}{side}")).exists():
                shutil.copy(found, f"{cut}{side}")
        cuts.append(cut)

    with before_each_statement(keep_what_a_kill_would_leave, monkeypatch):
        await set_up(str(database))
    await used(str(whole))

    assert len(cuts) > NEWEST
    for cut in cuts:
        await used(str(cut))
        assert schema(cut) == schema(whole), cut


@pytest.mark.parametrize(
    "cut",
    [
        ["DELETE FROM store_migrations WHERE v > 1"],
        ["DELETE FROM store_migrations WHERE v > 2"],
        ["DELETE FROM store_migrations"],
        ["DROP TABLE store_migrations"],
        ["DROP TABLE store_migrations", "DROP INDEX idx_store_expires_at", "ALTER TABLE store DROP COLUMN ttl_minutes"],
        ["DELETE FROM store_migrations WHERE v > 0", "DROP INDEX store_prefix_idx"],
    ],
)
async def test_a_file_without_the_note_of_a_migration_keeps_its_rows(cut: list[str], tmp_path: Path) -> None:
    database, whole = tmp_path / "threads.db", tmp_path / "whole.db"
    await used(str(whole))
    async with open_storage(str(database)) as storage:
        await storage.store.aput(("kept",), "row", {"n": 7})
    with sqlite3.connect(database) as connection:
        for statement in cut:
            connection.execute(statement)
    connection.close()

    async with open_storage(str(database)) as storage:
        kept = await storage.store.aget(("kept",), "row")

    assert kept is not None
    assert kept.value == {"n": 7}
    assert schema(database) == schema(whole)


async def test_several_openings_of_a_new_file_at_once(tmp_path: Path) -> None:
    await asyncio.gather(*(used(str(tmp_path / "threads.db")) for _ in range(8)))


def test_each_migration_of_the_store_is_one_statement() -> None:
    """So each can run inside a transaction: a script would end it."""
    for migration in AsyncSqliteStore.MIGRATIONS:
        assert sqlite3.complete_statement(migration)
        assert not sqlite3.complete_statement(migration[: migration.rstrip().rindex(";")])


# PostgreSQL


class Stopped(Exception):
    """In the place of a kill: nothing after it is sent."""


def stops_after(statements: int) -> tuple[type[Any], list[str]]:
    """A cursor, for all connections together, that sends so many statements; and those sent."""
    import psycopg

    sent: list[str] = []

    class Cursor(psycopg.AsyncCursor[Any]):
        async def execute(self, query: Any, *given: Any, **options: Any) -> Any:
            if len(sent) == statements:
                raise Stopped
            sent.append(str(query))
            return await super().execute(query, *given, **options)

    return Cursor, sent


def postgres_schema(database: str) -> list[Any]:
    import psycopg

    with psycopg.connect(database) as connection:
        columns = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
        indexes = """SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE i.indisvalid AND c.relnamespace = 'public'::regnamespace"""
        versions = "SELECT 'c', v FROM checkpoint_migrations UNION SELECT 's', v FROM store_migrations"
        return [sorted(connection.execute(query).fetchall()) for query in (columns, indexes, versions)]  # type: ignore[type-var]


@pytest.mark.attack
async def test_a_first_opening_killed_between_any_two_statements_leaves_a_database_that_opens(
    postgres: Any, monkeypatch: pytest.MonkeyPatch, attempts: Callable[[str, int], None]
) -> None:
    import wavegraph.app.storage.postgres as module

    await used(postgres.fresh("whole"))
    whole, options = postgres_schema(postgres.url("whole")), module._OPTIONS
    count = 0
    while True:
        database = postgres.fresh(f"cut{count}")
        cursor, sent = stops_after(count)
        with monkeypatch.context() as patch:
            patch.setattr(module, "_OPTIONS", {**options, "cursor_factory": cursor})
            try:
                await used(database)
                break
            except Stopped:
                assert len(sent) == count
        await used(database)
        assert postgres_schema(database) == whole, sent
        count += 1
    assert count > len(whole[2])
    attempts("first openings of PostgreSQL cut off between statements", count)


async def test_an_index_whose_making_was_killed_is_made_again(postgres: Any) -> None:
    import psycopg

    database = postgres.fresh("index")
    await used(database)
    whole = postgres_schema(database)
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'store_prefix_idx'::regclass")
        connection.execute("DELETE FROM store_migrations WHERE v >= 1")

    await used(database)

    assert postgres_schema(database) == whole
