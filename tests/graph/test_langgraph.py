"""What LangGraph, LangChain and LangSmith do not promise, and this package relies on; and that all of it is in one place."""

import ast
import asyncio
import operator
import pickle
import threading
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any
from uuid import uuid4

import pytest
from langchain_core.callbacks import BaseCallbackHandler, Callbacks
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from langchain_core.tracers.langchain import LangChainTracer
from langgraph.channels import DeltaChannel, EphemeralValue, LastValue
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from langgraph.graph import START, StateGraph
from langgraph.managed import RemainingSteps
from langgraph.pregel._utils import get_new_channel_versions
from langgraph.types import Command, interrupt
from langsmith import Client
from langsmith.run_helpers import tracing_context
from runs import on_thread, wait
from typing_extensions import TypedDict

from wavegraph.graph import _langgraph
from wavegraph.graph._langgraph import (
    CHECKPOINTER,
    COMMIT,
    RESOLVED,
    UNTRACED,
    RunnableCallable,
    cursor_of,
    function_of,
    is_watched,
    masked_outputs,
    messages_delta_reducer,
    pass_posts_through,
    read_without_copies,
    sent_at_ms,
    unstored,
    with_arguments,
)
from wavegraph.graph.secrets.scrubber import Scrubber

PACKAGE = Path(_langgraph.__file__).resolve().parents[1]
OTHERS = ("langgraph", "langchain_core", "langchain", "langsmith")


class State(TypedDict, total=False):
    first: int
    second: int


def graph_of(**nodes: Any) -> Any:
    graph = StateGraph(State)
    for name, node in nodes.items():
        graph.add_node(name, node)
        graph.add_edge(START, name)
    return graph


def test_strings_and_dicts_become_messages_with_ids_that_are_stored() -> None:
    class Conversation(TypedDict):
        messages: Annotated[list[AnyMessage], DeltaChannel(messages_delta_reducer)]

    graph: Any = StateGraph(Conversation)
    graph.add_node("first", lambda state: {})
    graph.add_edge(START, "first")
    graph = graph.compile(checkpointer=InMemorySaver())
    graph.invoke({"messages": ["hello", {"role": "user", "content": "a room"}]}, on_thread())

    once, again = (graph.get_state(on_thread()).values["messages"] for _ in range(2))
    assert [type(message) for message in once] == [HumanMessage, HumanMessage]
    assert all(message.id for message in once)
    assert once == again


async def test_a_router_decides_where_it_is_called() -> None:
    threads = []

    def route(state: State) -> str:
        threads.append(threading.get_ident())
        return "__end__"

    graph = graph_of(first=lambda state: {"first": 1})
    graph.add_conditional_edges("first", RunnableCallable(route, name="route", trace=False), ["__end__"])
    compiled = graph.compile()
    await compiled.ainvoke({})

    assert threads == [threading.get_ident()]


class Noted(TypedDict, total=False):
    first: int
    second: int
    log: Annotated[list[str], operator.add]
    passing: Annotated[int, EphemeralValue(int)]
    remaining: RemainingSteps


@pytest.mark.parametrize("is_stored", [True, False])
async def test_a_router_sees_the_state_with_what_its_node_wrote_without_copies_of_the_rest(
    is_stored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[str] = []
    copy_as_ever = LastValue.copy

    def noted_copy(channel: Any) -> Any:
        copied.append(channel.key)
        return copy_as_ever(channel)

    monkeypatch.setattr(LastValue, "copy", noted_copy)

    def compiled(seen: list[Any]) -> Any:
        def route(state: Any) -> str:
            seen.append(dict(state))
            return "second" if state["first"] == 1 else "__end__"

        graph = StateGraph(Noted)
        graph.add_node("first", lambda state: {"first": state.get("first", 0) + 1, "log": ["first"]})
        graph.add_node("second", lambda state: {"log": ["second"], "passing": 3})
        graph.add_edge(START, "first")
        graph.add_edge("second", "first")
        graph.add_conditional_edges("first", RunnableCallable(route, name="route", trace=False), ["second", "__end__"])
        return graph.compile(checkpointer=InMemorySaver() if is_stored else None)

    theirs: list[Any] = []
    ours: list[Any] = []
    by_langgraph, without_copies = compiled(theirs), compiled(ours)
    read_without_copies(without_copies)
    for graph in (by_langgraph, without_copies):
        copied.clear()
        await graph.ainvoke({"log": ["input"], "second": 2, "passing": 1}, on_thread("one"))
        if is_stored:
            await graph.aupdate_state(on_thread("one"), {"first": 1, "log": ["update"]}, as_node="first")

    assert ours == theirs
    assert [state["log"] for state in ours[:2]] == [["input", "first"], ["input", "first", "second", "first"]]
    assert len(ours) == (3 if is_stored else 2)
    assert copied
    assert "second" not in copied


class Seen(BaseCallbackHandler):
    """Of somebody who watches."""


async def test_a_run_is_watched_by_callbacks(langsmith: Any) -> None:
    async def first(state: State) -> State:
        seen.append(is_watched())
        return {"first": 1}

    seen: list[bool] = []
    graph = graph_of(first=first).compile()
    with tracing_context(enabled=False):
        await graph.ainvoke({})
        await graph.ainvoke({}, {"callbacks": [Seen()]})
        _ = [part async for part in graph.astream({}, stream_mode=["values", "custom"])]
        _ = [part async for part in graph.astream({}, stream_mode="messages")]
        _ = [part async for part in graph.astream_events({}, version="v2")]
    with tracing_context(enabled=True, client=Client(api_url=langsmith.url, api_key="k", auto_batch_tracing=False)):
        await graph.ainvoke({})

    assert seen == [False, True, False, True, True, True]


@pytest.mark.parametrize("saver", [InMemorySaver(), None], ids=["kept", "not kept"])
def test_a_node_sees_whether_its_run_is_kept(saver: Any) -> None:
    seen = []

    def first(state: State) -> State:
        seen.append(get_config()["configurable"].get(CHECKPOINTER))
        return {"first": 1}

    graph_of(first=first).compile(checkpointer=saver).invoke({}, on_thread())

    assert seen == [saver]


def test_a_commit_keeps_what_ended_in_an_unfinished_step() -> None:
    def fails(state: State) -> State:
        raise ConnectionError("cut off")

    saver = InMemorySaver()
    graph = graph_of(first=lambda state: {"first": 1}, second=fails).compile(checkpointer=saver)
    with pytest.raises(ConnectionError):
        graph.invoke({}, on_thread())
    before = stored(saver)

    graph.update_state(on_thread(), None, as_node=COMMIT)

    assert (before, stored(saver)) == (None, 1)
    assert graph.get_state(on_thread()).next == ()


def stored(saver: InMemorySaver) -> Any:
    newest = saver.get_tuple(on_thread())
    return newest.checkpoint["channel_values"].get("first") if newest else None


async def test_a_node_that_ends_the_run_waits_for_the_others_of_its_step() -> None:
    """What they return is kept, and the next step does not begin."""

    class Over(GraphBubbleUp): ...

    async def over(state: Any) -> Any:
        raise Over

    async def later(state: Any) -> dict[str, int]:
        await asyncio.sleep(0.01)
        return {"first": 1}

    made = graph_of(over=over, later=later)
    made.add_node("next", lambda state: {"second": 2})
    made.add_edge("later", "next")
    graph = made.compile(checkpointer=InMemorySaver())

    with pytest.raises(Over):
        await graph.ainvoke({"first": 0}, on_thread())

    await graph.aupdate_state(on_thread(), None, as_node=COMMIT)
    assert graph.get_state(on_thread()).values == {"first": 1}


@pytest.mark.parametrize("is_known", [True, False])
def test_a_jump_to_the_end_is_seen_by_the_waiting_node_of_a_state_that_has_the_key(is_known: bool) -> None:
    fields: Any = {"first": int, **({RESOLVED: Annotated[str, EphemeralValue(str)]} if is_known else {})}
    seen = []

    def wait_for(state: Any) -> dict[str, int]:
        seen.append(RESOLVED in state)
        return {"first": -1 if RESOLVED in state else interrupt("first?")}

    kept: Any = StateGraph(TypedDict("Kept", fields, total=False))  # type: ignore[operator]
    graph = kept.add_node("wait", wait_for).add_edge(START, "wait").compile(checkpointer=InMemorySaver())
    graph.invoke({"first": 1}, on_thread())

    ended = graph.invoke(Command(goto="__end__"), on_thread())

    assert (seen, ended["first"]) == ([False, is_known], -1 if is_known else 1)
    assert RESOLVED not in graph.get_state(on_thread()).values


@pytest.mark.parametrize(
    ("configurable", "sent"), [({"__request_start_time_ms__": 1700000000000}, 1700000000000), ({}, None)]
)
def test_a_node_sees_when_the_server_was_sent_its_run(configurable: Any, sent: int | None) -> None:
    found = []
    graph = graph_of(first=lambda state: found.append(sent_at_ms())).compile()

    graph.invoke({"first": 1}, {"configurable": configurable})

    assert found == [sent]
    assert sent_at_ms() is None


def test_a_run_that_is_not_kept_is_marked() -> None:
    tracer = LangChainTracer(client=Client(api_url="http://127.0.0.1:9", api_key="k", auto_batch_tracing=False))
    run_id = uuid4()
    with tracing_context(enabled=False):
        tracer.on_chain_start({}, {}, run_id=run_id)

    assert tracer.run_map[str(run_id)].extra[UNTRACED] is True


def test_a_client_that_hides_outputs_hides_them() -> None:
    hiding = Client(api_url="http://127.0.0.1:9", api_key="k", hide_outputs=True, auto_batch_tracing=False)

    assert masked_outputs(hiding, {"comment": "secret"}) == {}


@pytest.mark.parametrize("batched", [True, False])
def test_all_that_a_client_posts_passes_the_door(batched: bool, langsmith: Any) -> None:
    """Also what no masking of its own sees: `extra` and `serialized`. The caller's masking goes on."""
    shown = Client(
        api_url=langsmith.url,
        api_key="k",
        auto_batch_tracing=batched,
        anonymizer=lambda data: {**data, "masked": "by me"},
    )
    door = Scrubber()
    door.learn("Zq7-secret-key", "Zq7-ends-with-one\\")
    for _ in range(2):
        pass_posts_through(shown, door)
    told: dict[str, Any] = {
        "key": ["Zq7-secret-key", {"Zq7-secret-key": 1}],
        "message": HumanMessage("is Zq7-secret-key"),
    }
    run: Any = {"id": (run_id := uuid4()), "trace_id": run_id, "dotted_order": f"20260101T000000000000Z{run_id}"}
    extra = {"invocation_params": {"headers": "Zq7-secret-key"}, "metadata": {"m": "Zq7-secret-key"}}
    shown.create_run("Zq7-secret-key", told, "llm", extra=extra, serialized={"kwargs": told["key"]}, **run)
    run_id = run.pop("id")
    shown.update_run(run_id, outputs=told, error="no Zq7-secret-key", extra=extra, end_time=datetime.now(UTC), **run)
    cut = {"x": "s-with-one\\", "y": "Zq7-ends-with-one\\"}
    shown.create_run("cut", cut, "chain", id=(other := uuid4()), trace_id=other, dotted_order=f"2026Z{other}")
    shown.create_run(
        "clean", {"n": 2**70}, "chain", id=(other := uuid4()), trace_id=other, dotted_order=f"2026Z{other}"
    )
    shown.flush()
    shown.cleanup()
    posted = b"".join(langsmith.traces)

    assert isinstance(shown, Client)
    assert type(shown).__mro__[1] is Client
    assert b"Zq7" not in posted
    assert posted.count(b"[secret removed]") >= 10
    assert b"by me" in posted
    assert str(2**70).encode() in posted


async def test_only_postgres_opens_a_cursor() -> None:
    assert hasattr(AsyncPostgresSaver, "_cursor")
    assert cursor_of(InMemorySaver()) is None
    assert cursor_of(SimpleNamespace(_cursor=nullcontext)) is not None


def test_a_tool_is_given_its_arguments_whatever_it_is_called_with() -> None:
    @tool
    def double(n: int) -> int:
        """Twice as many."""
        return 2 * n

    @tool
    async def triple(n: int) -> int:
        """Three times as many."""
        return 3 * n

    assert with_arguments(double, {"n": 4}).invoke({"n": "four"}) == 8
    assert wait(with_arguments(triple, {"n": 4}).ainvoke({"n": "four"})) == 12
    assert double.invoke({"n": 1}) == 2


def test_a_function_is_all_of_a_tool_that_is_told_of_no_run() -> None:
    def plain(n: int) -> int:
        """Twice as many."""
        return 2 * n

    async def waiting(n: int) -> int:
        """Twice as many."""
        return 2 * n

    def configured(n: int, config: RunnableConfig) -> int:
        """Twice as many."""
        return n

    def telling(n: int, callbacks: Callbacks) -> int:
        """Twice as many."""
        return n

    class Own(BaseTool):
        name: str = "own"
        description: str = "Twice as many."

        def _run(self, n: int) -> int:
            return 2 * n

    assert function_of(tool(plain)) is plain
    assert function_of(tool(waiting)) is waiting
    for of_its_own in (tool(configured), tool(telling), Own(), tool(response_format="content_and_artifact")(plain)):
        assert function_of(of_its_own) is None
    assert function_of(tool(plain).model_copy(update={"callbacks": [Seen()]})) is None
    assert function_of(tool(plain).model_copy(update={"verbose": True})) is None


@pytest.mark.parametrize("version", ["00000000000000000000000000000003.0.5", 3])
def test_a_version_that_is_not_stored_yet_is_newer_than_itself_and_stored_as_a_plain_one(version: Any) -> None:
    """Older than any later one, also where LangGraph looks for the newest."""
    later, marked = type(version)(f"4{version}"), unstored(version)

    assert get_new_channel_versions({"work": version, "a": version}, {"work": marked, "a": version}) == {
        "work": version
    }
    assert (marked > version, marked > unstored(version), marked > later, later > marked) == (True, True, False, True)
    assert max([later, marked]) == max([marked, later]) == later
    again = pickle.loads(pickle.dumps(marked))
    assert (again, type(again)) == (version, type(version))
    serializer = JsonPlusSerializer()
    stored = serializer.loads_typed(serializer.dumps_typed({"work": marked}))["work"]
    assert (stored, type(stored)) == (version, type(version))


def private(path: Path) -> list[str]:
    """Private names of the others' modules that a file imports."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in OTHERS:
            names = [*node.module.split("."), *(alias.name for alias in node.names)]
            found += [name for name in names if name.startswith("_")]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("__pregel"):
            found.append(node.value)
    return found


def test_private_names_are_in_one_place() -> None:
    files = [path for folder in ("graph", "nodes", "app", "tools") for path in (PACKAGE / folder).rglob("*.py")]
    using = {path.relative_to(PACKAGE).as_posix() for path in files if private(path)}

    assert using == {"graph/_langgraph.py"}
