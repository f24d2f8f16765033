"""Threads of version 2, which stored each counter and flag of a request by itself: opened, gone on with and branched, on
every kind of storage."""

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from runs import compiled, on_thread
from scripted import Says
from till import Till
from warehouse import Warehouse

from wavegraph import create_agent
from wavegraph.app.storage.open import open_storage
from wavegraph.graph._langgraph import FoldingGraph
from wavegraph.graph.build import whole_state
from wavegraph.graph.state import GONE, STATE_VERSION, with_defaults
from wavegraph.testing import ScriptedModel, ScriptedPlanner, call, planning

THREADS = Path(__file__).with_name("thread_v2.sql")
"""What version 2 stored in SQLite. `waits`: a question about tea for Dana. `beside`: the same, with another request since.
`mending`: killed while it planned again, as there are no gears. `rewriting`: killed while an answer was written again."""


@asynccontextmanager
async def sample(folder: Path) -> AsyncIterator[Any]:
    database = folder / "sample.db"
    with sqlite3.connect(database) as connection:
        connection.executescript(THREADS.read_text(encoding="utf-8"))
    connection.close()
    async with open_storage(str(database)) as kept:
        yield kept


async def copy_threads(source: BaseCheckpointSaver[Any], to: BaseCheckpointSaver[Any]) -> None:
    """Store the same checkpoints and writes, in the order in which they came about."""
    stored = sorted([each async for each in source.alist(None)], key=lambda each: each.checkpoint["id"])
    versions: dict[str, Any] = {}
    for each in stored:
        configurable: Any = dict(each.config["configurable"])
        parent: Any = (each.parent_config or {"configurable": {}})["configurable"].get("checkpoint_id")
        before = versions.get(parent, {})
        versions[each.checkpoint["id"]] = now = each.checkpoint["channel_versions"]
        new = {name: version for name, version in now.items() if version != before.get(name)}
        under: Any = {"configurable": {**configurable, "checkpoint_id": parent}}
        await to.aput(under, each.checkpoint, each.metadata, new)
        writes = each.pending_writes or []
        for task in dict.fromkeys(task for task, _, _ in writes):
            own = [(channel, value) for of, channel, value in writes if of == task]
            await to.aput_writes(each.config, own, task)


Older = Callable[[], AbstractAsyncContextManager[Any]]


@pytest.fixture(params=["sqlite", "postgres", "memory"])
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Older:
    """Opens the checkpointer that holds them."""
    server: Any = request.getfixturevalue("postgres") if request.param == "postgres" else None

    @asynccontextmanager
    async def checkpointer() -> AsyncIterator[Any]:
        async with sample(tmp_path) as kept:
            if request.param == "sqlite":
                yield kept.checkpointer
            elif request.param == "memory":
                memory = InMemorySaver()
                await copy_threads(kept.checkpointer, memory)
                yield memory
            else:
                async with open_storage(server.fresh(f"older{next(_numbers)}")) as other:
                    await copy_threads(kept.checkpointer, other.checkpointer)
                    yield other.checkpointer

    return checkpointer


_numbers = count(1)


def mending(saver: Any) -> tuple[Any, ScriptedPlanner]:
    planner = ScriptedPlanner(planning(call("b", "count", sku="bolt")))
    return compiled(Warehouse().domain(), planner, checkpointer=saver), planner


async def values_of(graph: Any, thread: str) -> dict[str, Any]:
    return dict((await whole_state(graph).aget_state(on_thread(thread))).values)


async def test_a_stopped_request_plans_again_with_what_it_had_found(older: Older) -> None:
    async with older() as saver:
        graph, planner = mending(saver)
        stored = await values_of(graph, "mending")
        assert GONE.isdisjoint(stored)
        assert (stored["version"], stored["work"]["planning_calls"], len(stored["work"]["issue_counts"])) == (2, 1, 1)

        await graph.ainvoke(None, on_thread("mending"))

        (view,) = planner.views
        assert view.feedback
        assert [issue["message"] for issue in view.feedback["issues"]] == ["there is no gear left"]
        ended = with_defaults(await values_of(graph, "mending"))
        assert (ended["outcome"], ended["planning_calls"], ended["adaptations"], ended["feedback"]) == (
            "answered",
            2,
            1,
            None,
        )


async def test_an_answer_that_was_sent_back_is_written_again_in_its_place(older: Older) -> None:
    async with older() as saver:
        planner, says = ScriptedPlanner(), Says("40 bolts")
        graph = compiled(Warehouse().domain(), planner, says, checkpointer=saver)

        await graph.ainvoke(None, on_thread("rewriting"))

        assert [list(view.unsupported) for view in says.views] == [["41"]]
        ended = with_defaults(await values_of(graph, "rewriting"))
        assert (ended["answer"], ended["rewrites"], len(ended["answer_failures"])) == ("40 bolts", 1, 1)
        assert ended["version"] == STATE_VERSION
        assert [message.text for message in ended["messages"]] == ["any bolts?", "40 bolts"]


@pytest.mark.parametrize("thread", ["waits", "beside"])
async def test_a_question_that_waited_is_answered(older: Older, thread: str) -> None:
    async with older() as saver:
        till = Till()
        graph = compiled(till.domain(), checkpointer=saver)
        (question,) = (await graph.aget_state(on_thread(thread))).interrupts

        yes = {"decision": "approve", "terms_hash": question.value["terms_hash"]}
        ended = await graph.ainvoke(Command(resume=yes), on_thread(thread))

        assert (ended["outcome"], [receipt.item for receipt in till.paid]) == ("answered", ["tea"])


async def test_what_was_folded_is_stored_before_a_node_writes_it(older: Older) -> None:
    """An update from outside, as of a stop, and a branch: neither may lose what the thread had."""
    async with older() as saver:
        graph, _ = mending(saver)
        before = await values_of(graph, "mending")

        await graph.aupdate_state(on_thread("mending"), {"answer": ""}, as_node="validate")
        assert (await values_of(graph, "mending"))["work"] == before["work"]
        again, _ = mending(saver)
        assert (await values_of(again, "mending"))["work"] == before["work"]


async def test_a_branch_of_an_older_step_is_this_versions_and_leaves_the_step_as_it_is(older: Older) -> None:
    async with older() as saver:
        graph, planner = mending(saver)
        history = [step async for step in whole_state(graph).aget_state_history(on_thread("mending"))]
        step = next(each for each in history if each.next == ("validate",))
        assert step.values["work"]["planning_calls"] == 1

        ended = await graph.ainvoke(None, step.config)

        planner.assert_complete()
        assert (ended["outcome"], ended["adaptations"]) == ("answered", 1)
        again = await whole_state(graph).aget_state(step.config)
        assert again.values["work"] == step.values["work"]


async def test_a_wrong_claim_does_not_bear_itself_out_where_a_step_was_stored_without_its_checkpoint(
    tmp_path: Path,
) -> None:
    """The program was killed behind `respond`: what that had written of the engine's own is lost, the draft is not."""
    database = tmp_path / "sample.db"
    with sqlite3.connect(database) as connection:
        connection.executescript(THREADS.read_text(encoding="utf-8"))
        rows = connection.execute("SELECT checkpoint_id FROM checkpoints WHERE thread_id = 'rewriting' ORDER BY 1")
        last = [name for (name,) in rows][4]
        for table in ("checkpoints", "writes"):
            connection.execute(f"DELETE FROM {table} WHERE thread_id = 'rewriting' AND checkpoint_id > ?", (last,))
    connection.close()
    async with open_storage(str(database)) as kept:
        says = Says("40 bolts")
        graph = compiled(Warehouse().domain(), ScriptedPlanner(), says, checkpointer=kept.checkpointer)
        ended = await graph.ainvoke(None, on_thread("rewriting"))

    assert [list(view.unsupported) for view in says.views] == [["41"]]
    assert ended["outcome"] == "answered"
    assert [message.text for message in ended["messages"]] == ["any bolts?", "40 bolts"]


def test_an_agent_of_somebodys_own_tools_opens_them_too() -> None:
    assert isinstance(create_agent(ScriptedModel(), []), FoldingGraph)
