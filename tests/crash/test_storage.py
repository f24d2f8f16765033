"""The two kinds of database: what they hold, how small they stay, and what they say when they cannot be used."""

import asyncio
import json
import logging
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from postgres_server import PASSWORD, QUOTED, Server
from runs import compiled
from warehouse import Warehouse

from wavegraph import build_graph
from wavegraph.app.run.runner import conversation, run
from wavegraph.app.storage import compact
from wavegraph.app.storage.compact import CheckpointRow, Pruning, superseded
from wavegraph.app.storage.open import open_storage
from wavegraph.app.storage.serializer import CompressingSerializer
from wavegraph.graph.build import whole_state
from wavegraph.graph.errors import StorageError
from wavegraph.graph.execution.write import notes_of
from wavegraph.testing import ScriptedPlanner, call, planning
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.postgres.databases import is_postgres, printable

REQUESTS = ("Find a double room for two for the weekend of Passover", "and a week later?")
SETTINGS = {"today": "2026-03-01", "planner": "rules"}
MOST_BYTES_A_TURN = {"SQLite": 10_200, "PostgreSQL": 12_000}
TURNS = (10, 50)
THREADS = 60
"""Six times as many as there are connections."""


def _stored_sqlite(database: str) -> int:
    """Bytes of the file, but for pages that are free for the next turn."""
    with sqlite3.connect(database) as connection:
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
    connection.close()
    return int((pages - free) * size)


def _stored_postgres(database: str) -> int:
    """Bytes of all rows as they are stored: tables keep room for what was deleted until they are vacuumed."""
    import psycopg

    tables = ("checkpoints", "checkpoint_blobs", "checkpoint_writes", "store")
    with psycopg.connect(database) as connection:
        sizes = [connection.execute(f"SELECT coalesce(sum(pg_column_size(t.*)), 0) FROM {t} AS t") for t in tables]
        return sum(int(row[0]) for size in sizes if (row := size.fetchone()))


def test_a_thread_grows_in_a_straight_line(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    stored = _stored_postgres if is_postgres(database) else _stored_sqlite
    sizes: list[int] = []

    async def talk() -> int:
        async with open_storage(database) as kept:
            graph = build_graph(hotel_domain()).compile(checkpointer=kept.checkpointer, store=kept.store)
            for turn in range(TURNS[1]):
                done = await run(graph, REQUESTS[turn % 2], thread_id="t", settings=SETTINGS)
                assert done.outcome in ("answered", "partial")
                assert "get_availability" in done.tools  # a follow-up knows what it follows
                sizes.append(await asyncio.to_thread(stored, database))
            return len(await conversation(graph, "t"))

    assert asyncio.run(talk()) == 2 * TURNS[1]
    middle = sum(TURNS) // 2
    early = (sizes[middle - 1] - sizes[TURNS[0] - 1]) / (middle - TURNS[0])
    late = (sizes[-1] - sizes[middle - 1]) / (TURNS[1] - middle)
    print(f"bytes a turn: {early:.0f} in turns {TURNS[0]}-{middle}, {late:.0f} in turns {middle}-{TURNS[1]}")
    assert max(early, late) <= MOST_BYTES_A_TURN["PostgreSQL" if is_postgres(database) else "SQLite"]
    assert late <= early * 1.2


@pytest.mark.attack
def test_many_threads_at_once(postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    database = postgres.fresh("load")

    async def crowd() -> list[Any]:
        async with open_storage(database) as kept:
            graph = build_graph(hotel_domain()).compile(checkpointer=kept.checkpointer, store=kept.store)
            settings = {**SETTINGS, "request_timeout_s": 600, "tool_timeout_s": 120}
            asked = [run(graph, REQUESTS[0], thread_id=f"t{n}", settings=settings) for n in range(THREADS)]
            done = await asyncio.gather(*asked)
            assert [len(await conversation(graph, f"t{n}")) for n in (0, THREADS - 1)] == [2, 2]
            records = [await kept.store.asearch(("wavegraph", "requests", f"t{n}")) for n in (0, THREADS - 1)]
            assert [len(found) for found in records] == [1, 1]
            return done

    started = time.perf_counter()
    done = asyncio.run(crowd())
    took = time.perf_counter() - started
    print(f"{THREADS} threads at once: {took:.1f} s, {THREADS / took:.0f} requests a second")
    assert {result.outcome for result in done} == {"answered"}
    assert len({result.answer for result in done}) == 1


STARTED_TOGETHER = """
import asyncio, os, sys
from wavegraph.tools.postgres.databases import is_postgres
from wavegraph.app.storage.open import open_storage
if is_postgres(sys.argv[1]):
    import wavegraph.app.storage.postgres

async def main(name):
    async with open_storage(sys.argv[1]) as kept:
        await kept.store.aput(("n",), name, {"n": 1})

children = []
for name in "abc":
    if (pid := os.fork()) == 0:
        asyncio.run(main(name))
        sys.stderr.flush()
        os._exit(0)
    children.append(pid)
sys.exit(any(os.waitpid(child, 0)[1] for child in children))
"""
"""Imports once and forks, so that the processes do meet at the database."""


def test_many_processes_may_start_on_an_empty_database(database: str) -> None:
    done = subprocess.run([sys.executable, "-c", STARTED_TOGETHER, database], stderr=subprocess.PIPE, text=True,
                          timeout=60, check=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")

    async def count() -> int:
        async with open_storage(database) as kept:
            return len(await kept.store.asearch(("n",)))

    assert asyncio.run(count()) == 3


async def _use(database: str) -> None:
    async with open_storage(database):
        pass


def test_a_wrong_password_or_server_is_told_without_the_password(
    postgres: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    nobody_listens = f"postgresql://desk:{QUOTED}@127.0.0.1:1/postgres"
    wrong = {
        postgres.url(password="wrong-Zq7"): "password authentication failed",
        postgres.url("nowhere"): "does not exist",
        nobody_listens: "127.0.0.1:1/postgres",
        "postgresql://desk:half%Zq7@127.0.0.1/x": "%XX",
        "postgresql://desk:Zq7#x@127.0.0.1:5432/x": "postgresql://",
        f"{nobody_listens}?application_name={QUOTED}": "--db",
    }
    for database, said in wrong.items():
        with pytest.raises(StorageError) as told:
            asyncio.run(_use(database))
        assert said in str(told.value), database
        for text in (str(told.value), caplog.text):
            assert "Zq7" not in text
            assert PASSWORD not in text


def test_the_command_line_keeps_a_password_to_itself(postgres: Server, tmp_path: Path) -> None:
    code = "from wavegraph.app.main import main; main()"
    ask = [
        sys.executable,
        "-c",
        code,
        "ask",
        "--db",
        postgres.fresh("cli"),
        "--debug",
        "--planner",
        "rules",
        REQUESTS[0],
    ]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(ask, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert not {PASSWORD, QUOTED, "Zq7"} & set((done.stdout + done.stderr).split())
    assert "Zq7" not in done.stdout + done.stderr

    import psycopg

    with psycopg.connect(postgres.url("cli")) as connection:
        rows = connection.execute("SELECT checkpoint::text || metadata::text FROM checkpoints").fetchall()
    assert rows
    assert not [row for row in rows if "Zq7" in row[0]]


async def test_who_may_make_no_tables_uses_those_of_another_and_is_told_where_one_is_missing(postgres: Server) -> None:
    import psycopg

    database, clerk = postgres.fresh("granted"), "postgresql://storage_clerk:clerk@"
    await _use(database)
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("CREATE ROLE storage_clerk LOGIN PASSWORD 'clerk'")
        owner.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO storage_clerk")
        await _use(clerk + database.partition("@")[2])
        owner.execute("DROP TABLE thread_leases")
        with pytest.raises(StorageError, match="let a user who may create tables open it once"):
            await _use(clerk + database.partition("@")[2])
        owner.execute("ALTER DATABASE granted SET default_transaction_read_only = on")
    with pytest.raises(StorageError, match="let it be written"):
        await _use(database)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wavegraph.app.storage.postgres", None)
    with pytest.raises(StorageError, match=r"wavegraph\[postgres\]") as told:
        asyncio.run(_use("postgresql://desk:Zq7@db.example/hotel"))
    assert "Zq7" not in str(told.value)


@pytest.mark.parametrize(
    ("database", "seen"),
    [
        ("threads.db", "threads.db"),
        ("postgresql://desk:p@ss@db.example:5432/hotel?sslmode=require", "postgresql://…"),
        ("postgres://db.example/hotel?password=x", "postgresql://db.example/hotel"),
        ("postgresql://", "postgresql://"),
    ],
)
def test_what_is_shown_of_a_database(database: str, seen: str) -> None:
    assert printable(database) == seen


def test_rows_without_compression_are_read(tmp_path: Path, warehouse: Warehouse) -> None:
    database = str(tmp_path / "old.db")

    async def before() -> None:
        async with AsyncSqliteSaver.from_conn_string(database) as saver:
            script = ScriptedPlanner(planning(call("a", "count", sku="bolt")))
            await run(compiled(warehouse.domain(), script, checkpointer=saver), "one", thread_id="t")

    async def now() -> list[Any]:
        async with open_storage(database) as kept:
            script = ScriptedPlanner(planning(call("b", "count", sku="nut")))
            graph = compiled(warehouse.domain(), script, checkpointer=kept.checkpointer, store=kept.store)
            await run(graph, "two", thread_id="t")
            return [message.type for message in await conversation(graph, "t")]

    asyncio.run(before())
    assert asyncio.run(now()) == ["human", "ai", "human", "ai"]


def test_only_what_shrinks_is_compressed() -> None:
    serde = CompressingSerializer()
    for value in (None, b"x", "short", {"text": "word " * 200}, os.urandom(500)):
        assert serde.loads_typed(serde.dumps_typed(value)) == value
    kind, small = serde.dumps_typed({"text": "word " * 200})
    assert (kind, len(small) < 100) == ("msgpack+zlib", True)
    assert serde.loads_typed(JsonPlusSerializer().dumps_typed([1, 2])) == [1, 2]


# What goes once a request is finished


def steps(*names: str) -> list[CheckpointRow]:
    """A thread of checkpoints, each the child of the one before: `a`, `b!` a base, `c.` the end of a request."""
    plain = [name.rstrip("!.") for name in names]
    return [
        CheckpointRow(plain[n], plain[n - 1] if n else None, "!" in name, "." in name) for n, name in enumerate(names)
    ]


def test_the_steps_of_a_finished_request_go() -> None:
    thread = steps("a!", "b", "c.", "d", "e", "f.")
    assert superseded(thread, "f") == Pruning({"e": "c", "d": "c"}, {"f": "c"})


def test_a_checkpoint_with_all_messages_stays() -> None:
    thread = steps("a!", "b", "c!", "d", "e.")
    assert superseded(thread, "e") == Pruning({"d": "c", "b": "a"}, {"e": "c", "c": "a"})


def test_nothing_goes_where_a_branch_counts_its_messages_from() -> None:
    branch = CheckpointRow("x", "b", is_base=False, is_closed=False)
    thread = steps("a!", "b", "c.")
    assert superseded([*thread, branch], "c") == Pruning({}, {})
    assert superseded([*thread, branch._replace(is_base=True)], "c") == Pruning({"b": "a"}, {"c": "a", "x": "a"})


async def test_the_last_checkpoint_of_each_request_stays(database: str, warehouse: Warehouse) -> None:
    async with open_storage(database) as kept:
        script = ScriptedPlanner(*(planning(call("a", "count", sku=sku)) for sku in ("bolt", "nut", "belt")))
        graph = compiled(warehouse.domain(), script, checkpointer=kept.checkpointer, store=kept.store)
        for text in ("one", "two", "three"):
            await run(graph, text, thread_id="t")
        config: Any = {"configurable": {"thread_id": "t"}}
        history = [state async for state in whole_state(graph).aget_state_history(config)]
        ends = [s.values["request"]["text"] for s in history if (s.metadata or {}).get(compact.CLOSED)]  # type: ignore[attr-defined]
        texts = [[m.text for m in state.values["messages"] if m.type == "human"] for state in history]
    assert ends == ["three", "two", "one"]
    assert texts == [["one", "two", "three"], ["one", "two"], ["one"], []]


async def test_the_store_of_records_is_json(database: str, warehouse: Warehouse) -> None:
    async with open_storage(database) as kept:
        script = ScriptedPlanner(planning(call("a", "count", sku="bolt")))
        graph = compiled(warehouse.domain(), script, checkpointer=kept.checkpointer, store=kept.store)
        await run(graph, "one", thread_id="t")
        [kept_record] = await kept.store.asearch(("wavegraph", "requests", "t"))
    record: Any = kept_record.value
    assert record["outcome"] == "answered"
    assert json.loads(json.dumps(record)) == record


async def test_a_value_is_kept_under_a_new_key_alone(database: str) -> None:
    async with open_storage(database) as storage:
        store: Any = storage.store
        for thread in (None, "nobody's"):
            place = notes_of(str(thread))
            puts = [await store.aput_new(place, key, {"n": n}, holding=thread) for n, key in enumerate("aba")]
            assert puts == [True, True, False]
            kept = await store.asearch(place)
            assert {item.key: item.value for item in kept} == {"a": {"n": 0}, "b": {"n": 1}}
