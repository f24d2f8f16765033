"""The messages of a thread in SQLite: found without opening its old checkpoints, and the same that LangGraph finds."""

import sqlite3
from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.types import Overwrite
from runs import compiled
from typing_extensions import TypedDict
from warehouse import Warehouse

from wavegraph.app.run.runner import conversation, run
from wavegraph.app.storage.compact import MESSAGES
from wavegraph.app.storage.open import open_storage
from wavegraph.app.storage.serializer import CompressingSerializer
from wavegraph.graph._langgraph import messages_delta_reducer
from wavegraph.testing import ScriptedPlanner, call, planning

STORED = [Path(__file__).parents[2] / "crash" / name for name in ("thread_v1.sql", "thread_v1_waiting.sql")]
THREAD: Any = {"configurable": {"thread_id": "t"}}


class Talk(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], DeltaChannel(messages_delta_reducer, snapshot_frequency=3)]
    said: int


def echo(state: Talk) -> dict[str, Any]:
    """Answers, and from time to time takes back what was said first, or all but the last message."""
    messages, said = state["messages"], state.get("said", 0) + 1
    if said == 4:
        return {MESSAGES: [RemoveMessage(id=str(messages[0].id))], "said": said}
    if said == 6:
        return {MESSAGES: Overwrite(messages[-1:]), "said": said}
    return {MESSAGES: [AIMessage(f"you said {messages[-1].text}")], "said": said}


def graph_on(saver: Any) -> Any:
    graph = StateGraph(Talk)
    graph.add_node("echo", echo)
    graph.add_edge(START, "echo")
    return graph.compile(checkpointer=saver)


async def same_as_langgraphs(saver: Any) -> int:
    """How many checkpoints there are; each has the history that LangGraph's own saver reads."""
    configs = [saved.config async for saved in saver.alist(None)]
    for config in configs:
        ours = await saver.aget_delta_channel_history(config=config, channels=[MESSAGES])
        theirs = await AsyncSqliteSaver.aget_delta_channel_history(saver, config=config, channels=[MESSAGES])
        assert ours == theirs, config
    return len(configs)


async def test_every_checkpoint_has_the_history_that_langgraph_reads(tmp_path: Path) -> None:
    async with open_storage(str(tmp_path / "threads.db")) as kept:
        graph = graph_on(kept.checkpointer)
        for number in range(8):
            await graph.ainvoke({MESSAGES: [HumanMessage(f"word {number}")]}, THREAD)
        history = [state async for state in graph.aget_state_history(THREAD)]
        for state in (history[3], history[9], history[-2]):  # branches
            await graph.aupdate_state(state.config, {MESSAGES: [HumanMessage("or else")]}, as_node=START)
            await graph.ainvoke({MESSAGES: [HumanMessage("then")]}, THREAD)
        assert await same_as_langgraphs(kept.checkpointer) > 30


@pytest.mark.parametrize("stored", STORED, ids=lambda path: path.stem)
async def test_threads_of_version_1_have_it_too(stored: Path, tmp_path: Path) -> None:
    file = tmp_path / "threads.db"
    with sqlite3.connect(file) as connection:
        connection.executescript(stored.read_text(encoding="utf-8"))
    connection.close()
    async with open_storage(str(file)) as kept:
        assert await same_as_langgraphs(kept.checkpointer) > 1


async def test_a_checkpoint_that_was_put_again_below_itself_has_an_end(tmp_path: Path) -> None:
    file = tmp_path / "threads.db"
    async with open_storage(str(file)) as kept:
        graph = graph_on(kept.checkpointer)
        await graph.ainvoke({MESSAGES: [HumanMessage("once")]}, THREAD)
        steps = [state.config["configurable"]["checkpoint_id"] async for state in graph.aget_state_history(THREAD)]
        for parent in (steps[0], steps[1]):
            with sqlite3.connect(file) as connection:
                statement = "UPDATE checkpoints SET parent_checkpoint_id = ? WHERE checkpoint_id = ?"
                connection.execute(statement, (parent, steps[-1]))
            connection.close()
            await same_as_langgraphs(kept.checkpointer)


class Counting(CompressingSerializer):
    def __init__(self) -> None:
        super().__init__()
        self.checkpoints = 0

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        value = super().loads_typed(data)
        self.checkpoints += isinstance(value, dict) and "channel_values" in value
        return value


async def test_a_long_thread_is_opened_by_as_many_checkpoints_as_a_short_one(
    tmp_path: Path,
) -> None:
    warehouse, opened = Warehouse(), list[int]()
    async with open_storage(str(tmp_path / "threads.db")) as kept:
        turns = 9
        script = ScriptedPlanner(*(planning(call("a", "count", sku="bolt")) for _ in range(turns)))
        graph = compiled(warehouse.domain(), script, checkpointer=kept.checkpointer, store=kept.store)
        for turn in range(turns):
            await run(graph, f"word {turn}", thread_id="t")
            kept.checkpointer.serde = counting = Counting()
            assert len(await conversation(graph, "t")) == 2 * (turn + 1)
            opened.append(counting.checkpoints)
    assert opened[1:] == [opened[1]] * (turns - 1)
    assert opened[1] <= 2


async def test_other_channels_are_langgraphs_own(tmp_path: Path) -> None:
    async with open_storage(str(tmp_path / "threads.db")) as kept:
        graph = graph_on(kept.checkpointer)
        await graph.ainvoke({MESSAGES: [HumanMessage("once")]}, THREAD)
        found = await kept.checkpointer.aget_delta_channel_history(config=THREAD, channels=[MESSAGES, "other"])
    assert [len(write[2]) for write in found[MESSAGES]["writes"]] == [1, 1]
    assert found["other"] == {"writes": []}


async def test_a_new_file_has_small_pages_and_one_that_exists_keeps_its_own(tmp_path: Path) -> None:
    new, before = tmp_path / "new.db", tmp_path / "before.db"
    with sqlite3.connect(before) as connection:
        connection.execute("PRAGMA page_size = 4096")
        connection.executescript(STORED[0].read_text(encoding="utf-8"))
    connection.close()
    sizes = []
    for file in (new, before, new):
        async with open_storage(str(file)) as kept:
            await graph_on(kept.checkpointer).ainvoke({MESSAGES: [HumanMessage("hello")]}, THREAD)
        with sqlite3.connect(file) as connection:
            sizes += connection.execute("PRAGMA page_size").fetchone()
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
    assert sizes == [2048, 4096, 2048]
