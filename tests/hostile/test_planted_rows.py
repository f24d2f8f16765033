"""Rows that somebody else wrote into the database: whoever opens the thread is told, and runs nothing."""

import random
import sqlite3
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import planted
import pytest
from runs import compiled, on_thread
from warehouse import Warehouse

from wavegraph.app.run.runner import run
from wavegraph.app.run.stored import StoredConversations
from wavegraph.app.storage.damaged import DamagedData
from wavegraph.app.storage.open import open_storage
from wavegraph.testing import ScriptedPlanner, call, planning

CALLED = [("planted", "run"), ("planted", "Runs"), ("os", "system"), ("builtins", "exec"), ("subprocess", "getoutput")]
SQLITE = ["UPDATE checkpoints SET type = :kind, checkpoint = :value WHERE thread_id = 't'",
          "UPDATE writes SET type = :kind, value = :value WHERE thread_id = 't' AND channel = 'messages'"]  # fmt: skip
POSTGRES = ["UPDATE checkpoint_blobs SET type = %(kind)s, blob = %(value)s WHERE thread_id = 't'",
            "UPDATE checkpoint_writes SET type = %(kind)s, blob = %(value)s WHERE thread_id = 't'"]  # fmt: skip


@pytest.fixture
def on_sqlite(tmp_path: Path) -> tuple[str, Callable[[random.Random, Any], None]]:
    database = str(tmp_path / "threads.db")

    def plant(chosen: random.Random, row: Any) -> None:
        with closing(sqlite3.connect(database)) as file, file:
            assert file.execute(chosen.choice(SQLITE), row).rowcount

    return database, plant


@pytest.fixture
def on_postgres(postgres: Any, seed: int) -> Iterator[tuple[str, Callable[[random.Random, Any], None]]]:
    import psycopg

    database = postgres.fresh(f"planted{seed}")
    with psycopg.connect(database, autocommit=True) as connection:

        def plant(chosen: random.Random, row: Any) -> None:
            assert connection.execute(chosen.choice(POSTGRES), row).rowcount

        yield database, plant


@pytest.mark.parametrize("kind", ["on_sqlite", "on_postgres"])
async def test_a_planted_row_runs_nothing(
    kind: str, seed: int, request: pytest.FixtureRequest, attempts: Callable[[str, int], None], tmp_path: Path
) -> None:
    database, plant = request.getfixturevalue(kind)
    chosen, mark, tries = random.Random(f"{seed} {kind}"), tmp_path / "ran", 60
    planted.RAN.clear()
    async with open_storage(database) as storage:
        script = ScriptedPlanner(planning(call("a", "count", sku="bolt")))
        graph = compiled(Warehouse().domain(), script, checkpointer=storage.checkpointer, store=storage.store)
        await run(graph, "one", thread_id="t")
        for _ in range(tries):
            plant(chosen, _row(chosen, f"touch {mark}"))
            with pytest.raises(DamagedData, match="thread 't' in the database"):
                await _opened(chosen, graph, storage)
    attempts("rows planted in a database, opened", tries)
    assert planted.RAN == []
    assert not mark.exists()


def _row(chosen: random.Random, command: str) -> dict[str, Any]:
    if chosen.random() < 0.1:
        kind, stored = chosen.choice(list(planted.OTHERS.values()))
        return {"kind": kind, "value": stored}
    named = chosen.choice(list(planted.KINDS.values()))(*chosen.choice(CALLED), command)
    value = planted.packed(chosen.choice(list(planted.PLACES.values()))(named))
    packed = chosen.random() < 0.5
    return {"kind": "msgpack+zlib" if packed else "msgpack", "value": zlib.compress(value) if packed else value}


async def _opened(chosen: random.Random, graph: Any, storage: Any) -> None:
    """In one of the ways in which a command opens a thread."""
    ways: list[Callable[[], Awaitable[Any]]] = [
        lambda: graph.aget_state(on_thread()),
        lambda: run(graph, "two", thread_id="t"),
        lambda: StoredConversations(storage).values("t"),
    ]
    await chosen.choice(ways)()
