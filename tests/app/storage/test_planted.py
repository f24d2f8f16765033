"""A stored row names types, and none that this program does not know is made: nobody's row runs code."""

import dataclasses
import enum
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import planted
import pytest
from langgraph.graph import START, StateGraph
from planted import KINDS, OTHERS, PLACES, packed
from pydantic import BaseModel
from runs import compiled
from shell import Inside
from typing_extensions import TypedDict
from warehouse import Warehouse

from wavegraph.app.run.runner import run
from wavegraph.app.storage.damaged import Unreadable
from wavegraph.app.storage.open import open_storage
from wavegraph.app.storage.serializer import CompressingSerializer
from wavegraph.graph.errors import StorageError
from wavegraph.testing import ScriptedPlanner, call, planning

ROOT = Path(__file__).resolve().parents[3]
THREAD: Any = {"configurable": {"thread_id": "t"}}


@pytest.fixture(autouse=True)
def nothing_ran() -> Iterator[None]:
    planted.RAN.clear()
    yield
    assert planted.RAN == []


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_what_a_value_names_is_not_called(kind: Any, place: Any) -> None:
    value = packed(place(kind("planted", "Runs", "word " * 90)))
    with pytest.raises(
        Unreadable, match=r"a value of the type '(planted\.Runs|decimal\.Context)', which is not opened"
    ):
        CompressingSerializer().loads_typed(("msgpack", value))


@pytest.mark.parametrize("stored", OTHERS.values(), ids=OTHERS)
def test_values_of_other_kinds_are_not_opened(stored: tuple[str, bytes]) -> None:
    with pytest.raises(Unreadable, match=f"a value of the kind '{stored[0]}', which is not opened"):
        CompressingSerializer().loads_typed(stored)


def test_a_method_is_not_called_behind_a_safe_name() -> None:
    value = packed(planted._wrapped(3, ["datetime", "datetime", "x", "strptime", "fromisoformat"]))
    with pytest.raises(Unreadable, match=r"'datetime\.datetime'"):
        CompressingSerializer().loads_typed(("msgpack", value))


# What is opened


class Colour(enum.Enum):
    RED = "red"


class Stop(BaseModel):
    place: str
    colour: Colour


class Pair(NamedTuple):
    left: int
    right: int


@dataclasses.dataclass
class Trip:
    stops: list[Stop]


class Trips(TypedDict, total=False):
    trip: Trip
    total: Decimal


TRIP = Trip([Stop(place="Haifa", colour=Colour.RED)])


@pytest.mark.parametrize("allowed", [[Trip, Stop, Colour], [Trip], [Trips]], ids=["each", "the outer", "the state"])
def test_types_of_ones_own_are_opened_once_they_are_named(allowed: list[type]) -> None:
    stored = CompressingSerializer().dumps_typed({"trip": TRIP})
    with pytest.raises(Unreadable, match=r"\.(Trip|Stop|Colour)', which is not opened; .* allowed_types="):
        CompressingSerializer().loads_typed(stored)
    assert CompressingSerializer(allowed).loads_typed(stored) == {"trip": TRIP}


@pytest.mark.parametrize("value", [Pair(1, 2), planted.FUTURE, {Decimal(1)}, Path("a/b")], ids=repr)
def test_plain_and_safe_values_are_opened(value: Any) -> None:
    serde = CompressingSerializer([Pair])
    assert serde.loads_typed(serde.dumps_typed(value)) == value


def test_arrays_are_opened() -> None:
    serde = CompressingSerializer()
    assert serde.loads_typed(serde.dumps_typed(np.arange(3))).tolist() == [0, 1, 2]


async def test_a_graph_round_the_agent_keeps_its_own_types(tmp_path: Path) -> None:
    database = str(tmp_path / "threads.db")

    def graph_on(checkpointer: Any) -> Any:
        graph: Any = StateGraph(Trips)
        graph.add_node("plan", lambda state: {"trip": TRIP}).add_edge(START, "plan")
        return graph.compile(checkpointer=checkpointer)

    async with open_storage(database) as storage:
        await graph_on(storage.checkpointer).ainvoke({}, THREAD)
        with pytest.raises(
            StorageError, match=rf"thread 't' in the database '{database}' .* type '.*\.(Stop|Colour|Trip)'"
        ):
            await graph_on(storage.checkpointer).aget_state(THREAD)
    async with open_storage(database, allowed_types=[Trips]) as storage:
        assert (await graph_on(storage.checkpointer).aget_state(THREAD)).values == {"trip": TRIP}


@pytest.mark.parametrize("file", ["cluster.py", "compose.yaml", "cluster.env.example"])
def test_a_cluster_opens_safe_types_only(file: str) -> None:
    text = (ROOT / "deploy" / "aegra" / file).read_text(encoding="utf-8")
    assert re.search(r"LANGGRAPH_STRICT_MSGPACK\W+true", text)


def test_so_does_a_saver_of_ones_own_by_langgraphs_setting(tmp_path: Path) -> None:
    code = """if True:
        import sys
        sys.path.insert(0, sys.argv[1])
        import planted
        from langgraph.checkpoint.memory import InMemorySaver
        values = [place(kind("planted", "Runs", "x")) for place in planted.PLACES.values() for kind in planted.KINDS.values()]
        for value in values:
            InMemorySaver().serde.loads_typed(("msgpack", planted.packed(value)))
        print(len(planted.RAN), len(values))
    """
    command = [sys.executable, "-c", code, str(ROOT / "tests" / "support")]
    ran = [subprocess.run(command, env={**os.environ, "LANGGRAPH_STRICT_MSGPACK": strict}, capture_output=True,
                          text=True, check=True, timeout=60).stdout.split() for strict in ("true", "false")]  # fmt: skip
    assert ran[0] == ["0", "64"]
    assert int(ran[1][0]) > 20


# On a thread

COLUMNS = {
    "a checkpoint": "UPDATE checkpoints SET type = :kind, checkpoint = :value WHERE thread_id = 'bad'",
    "a message": "UPDATE writes SET type = :kind, value = :value WHERE thread_id = 'bad' AND channel = 'messages'",
    "a write": (
        "INSERT INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value) "
        "SELECT thread_id, checkpoint_ns, checkpoint_id, 'x', '', 0, 'plan', :kind, :value FROM checkpoints "
        "WHERE thread_id = 'bad'"
    ),
}


@pytest.mark.parametrize("statement", COLUMNS.values(), ids=COLUMNS)
def test_no_command_runs_what_a_row_of_its_file_names(statement: str, inside: Inside, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    for name in ("good", "bad"):
        inside("ask", "look:blue", "--thread", name)
    value = {"kind": "msgpack", "value": packed(KINDS["one argument"]("os", "system", f"touch {mark}"))}
    with closing(sqlite3.connect(inside.database)) as file, file:
        assert file.execute(statement, value).rowcount > 0

    where = ("--db", inside.database)
    told = f"thread 'bad' in the database '{inside.database}' is damaged: it holds a value of the type 'os.system'"
    for done in (inside.plain("threads", "bad", "--domain", "clerk:graph", *where),
                 inside.plain("erase", "--guest", "dana@example.com", "--dry-run", *where),
                 inside("ask", "again", "--thread", "bad")):  # fmt: skip
        assert (done.returncode, done.stdout) == (2, ""), done
        assert told in done.stderr
    assert len(json.loads(inside.plain("threads", "--json", *where).stdout)) == 2
    assert inside("ask", "look:blue", "--thread", "good").returncode == 0
    assert inside.plain("threads", "bad", "--delete", *where).returncode == 0
    assert not mark.exists()


POSTGRES = {
    "a value": "UPDATE checkpoint_blobs SET type = %(kind)s, blob = %(value)s WHERE thread_id = 'bad'",
    "a write": "UPDATE checkpoint_writes SET type = %(kind)s, blob = %(value)s WHERE thread_id = 'bad'",
}


@pytest.mark.parametrize("statement", POSTGRES.values(), ids=POSTGRES)
async def test_nor_does_a_row_of_a_shared_database(statement: str, postgres: Any) -> None:
    import psycopg

    database = postgres.fresh(f"planted{len(statement)}")
    async with open_storage(database) as storage:
        script = ScriptedPlanner(*(planning(call("a", "count", sku="bolt")) for _ in range(3)))
        graph = compiled(Warehouse().domain(), script, checkpointer=storage.checkpointer, store=storage.store)
        for name in ("good", "bad"):
            await run(graph, "one", thread_id=name)
        with psycopg.connect(database, autocommit=True) as connection:
            value = {"kind": "msgpack", "value": packed(KINDS["arguments"]("planted", "run", 1))}
            assert connection.execute(statement, value).rowcount > 0
        with pytest.raises(StorageError, match=r"thread 'bad' in the database 'postgresql://.* type 'planted\.run'"):
            await run(graph, "two", thread_id="bad")
        assert (await run(graph, "two", thread_id="good")).outcome == "answered"
