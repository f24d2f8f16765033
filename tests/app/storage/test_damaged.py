"""Stored bytes that were cut or changed: one thread is named, and the others go on."""

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from clerk import graph as clerk
from langchain_core.messages import AIMessage, HumanMessage
from shell import Inside

from wavegraph.app.run.runner import run
from wavegraph.app.run.threads import ROWS
from wavegraph.app.storage.damaged import DamagedData, Unreadable
from wavegraph.app.storage.open import open_storage
from wavegraph.app.storage.serializer import CompressingSerializer
from wavegraph.graph.errors import StorageError

TODAY = ("--today", "2026-11-21")
BOOK = "Book a double room January 17-19 for two adults, Dana Levi, dana@example.com"
CUT = {
    "checkpoint": "UPDATE checkpoints SET checkpoint = substr(checkpoint, 1, 40) WHERE thread_id = 'bad'",
    "nothing": "UPDATE checkpoints SET checkpoint = NULL WHERE thread_id = 'bad'",
    "another kind": "UPDATE checkpoints SET type = 'pickle' WHERE thread_id = 'bad'",
    "metadata": "UPDATE checkpoints SET metadata = substr(metadata, 1, 9) WHERE thread_id = 'bad'",
    "writes": "UPDATE writes SET value = substr(value, 1, length(value) - 1) WHERE thread_id = 'bad'",
}


def damage(database: str, statement: str) -> None:
    with closing(sqlite3.connect(database)) as file, file:
        assert file.execute(statement).rowcount > 0


@pytest.fixture
def two(inside: Inside) -> Inside:
    """A thread `bad`, which waits for approval, and one beside it."""
    for name in ("good", "bad"):
        asked = inside.plain("ask", BOOK, "--thread", name, "--approver", "staff", *TODAY, "--db", inside.database)
        assert asked.returncode == 0, asked
    return inside


def is_named(text: str, inside: Inside) -> bool:
    return "thread 'bad' in the database " in text and inside.database in text and "Traceback" not in text


@pytest.mark.parametrize("statement", CUT.values(), ids=CUT)
def test_a_damaged_thread_is_named_and_the_others_go_on(statement: str, two: Inside) -> None:
    damage(two.database, statement)
    where = ("--db", two.database)

    for command in (["threads", "bad"], ["ask", "and for three?", "--thread", "bad", *TODAY]):
        done = two.plain(*command, *where)
        assert (done.returncode, done.stdout) == (2, ""), done
        assert is_named(done.stderr, two), done.stderr

    listed = two.plain("approvals", "list", "--json", *where)
    assert [each["thread_id"] for each in json.loads(listed.stdout)] == ["good"]
    assert is_named(listed.stderr, two), listed.stderr
    assert two.plain("ask", "is there parking?", "--thread", "new", *TODAY, *where).returncode == 0

    assert two.plain("threads", "bad", "--delete", "--db", two.database).stdout == "deleted bad\n"
    assert two.plain("approvals", "list", *where).stderr == ""


def test_a_list_names_a_damaged_thread_that_has_no_row(two: Inside) -> None:
    damage(two.database, CUT["checkpoint"])
    damage(two.database, "DELETE FROM store WHERE prefix = 'wavegraph.threads'")
    listed = two.plain("threads", "--json", "--db", two.database)
    assert [row["thread_id"] for row in json.loads(listed.stdout)] == ["good"]
    assert is_named(listed.stderr, two)


def test_a_guest_is_not_erased_past_a_thread_that_cannot_be_searched(two: Inside) -> None:
    damage(two.database, CUT["checkpoint"])
    done = two.plain("erase", "--guest", "dana@example.com", "--dry-run", "--db", two.database)
    assert done.returncode == 2
    assert is_named(done.stderr, two)


def test_a_thread_whose_row_is_damaged_is_listed_by_its_checkpoints(two: Inside) -> None:
    damage(
        two.database, "UPDATE store SET value = substr(value, 1, 9) WHERE prefix = 'wavegraph.threads' AND key = 'bad'"
    )
    listed = two.plain("threads", "--json", "--db", two.database)
    assert {row["thread_id"]: row["request"] for row in json.loads(listed.stdout)} == {
        "good": BOOK,
        "bad": BOOK,
    }
    shown = two.plain("threads", "bad", "--db", two.database)
    assert (shown.returncode, "'wavegraph/threads/bad' in the database" in shown.stderr) == (2, True)
    assert two.plain("threads", "bad", "--delete", "--db", two.database).returncode == 0


async def test_what_is_read_together_with_a_damaged_value_is_read(tmp_path: Path) -> None:
    database = str(tmp_path / "threads.db")
    async with open_storage(database) as storage:
        for name in ("bad", "good", "list"):
            await storage.store.aput(ROWS, name, {"request": name})
        damage(database, "UPDATE store SET value = substr(value, 1, 9) WHERE key = 'bad'")
        damage(database, "UPDATE store SET value = '[1]' WHERE key = 'list'")
        found = {item.key: item.value for item in await storage.store.asearch(ROWS)}
        alone: Any = await storage.store.aget(ROWS, "bad")
    assert found["good"] == {"request": "good"}
    for value in (found["bad"], found["list"], alone.value):
        for look in (dict, list, lambda each: each.get("request"), lambda each: each["request"]):
            with pytest.raises(DamagedData, match=r"'wavegraph/threads/(bad|list)' in the database"):
                look(value)


async def test_a_damaged_thread_in_postgres_is_named(postgres: Any) -> None:
    import psycopg

    database = postgres.fresh("damaged")
    async with open_storage(database) as storage:
        graph = clerk.copy(update={"checkpointer": storage.checkpointer, "store": storage.store})
        for name in ("good", "bad"):
            await run(graph, "look:blue", thread_id=name)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("UPDATE checkpoint_blobs SET blob = substr(blob, 1, 9) WHERE thread_id = 'bad'")
        with pytest.raises(DamagedData, match="thread 'bad' in the database 'postgresql://"):
            await run(graph, "look:blue", thread_id="bad")
        assert (await run(graph, "look:blue", thread_id="good")).outcome == "answered"


def test_damaged_bytes_are_read_as_something_or_refused(seed: int) -> None:
    serde, chosen = CompressingSerializer(), random.Random(seed)
    values = [[HumanMessage("word " * 90), AIMessage("short")], {"n": [1, 2.5, None, {"x": "y" * 300}]}, {1, 2}, "abc"]
    refused = 0
    for kind, data in map(serde.dumps_typed, values):
        for _ in range(300):
            changed = bytearray(data[: chosen.randint(0, len(data))] if chosen.random() < 0.5 else data)
            if changed:
                changed[chosen.randrange(len(changed))] ^= 1 << chosen.randrange(8)
            try:
                serde.loads_typed((kind, bytes(changed)))
            except Unreadable:
                refused += 1
    assert refused > 300


@pytest.mark.parametrize("replaced", [False, True], ids=["deleted", "replaced"])
async def test_a_file_that_is_deleted_or_replaced_while_it_is_open_takes_no_request(
    replaced: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file, aside = tmp_path / "threads.db", tmp_path / "aside.db"
    async with open_storage("threads.db") as storage:
        monkeypatch.chdir("/")
        graph = clerk.copy(update={"checkpointer": storage.checkpointer, "store": storage.store})
        assert (await run(graph, "look:blue", thread_id="t")).outcome == "answered"
        file.rename(aside)
        if replaced:
            file.write_bytes(aside.read_bytes())
        with pytest.raises(StorageError, match=f"the database '{file}' was deleted or replaced while"):
            await run(graph, "look:red", thread_id="t")
        aside.rename(file)
        assert (await run(graph, "look:red", thread_id="t")).outcome == "answered"
