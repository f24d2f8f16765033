"""Runs one request on a graph and reports it: what every way in is built on."""

import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from wavegraph.graph.settings import Settings

RECURSION_LIMIT = 60
"""Super-steps. The request's own budget ends the work first; LangGraph's default of 10007 would end nothing."""

FIELDS = (
    "thread_id",
    "outcome",
    "answer",
    "action",
    "reasoning",
    "slots",
    "tools",
    "plan",
    "results",
    "issues",
    "waves",
    "adaptations",
    "tools_executed",
    "llm_calls",
    "answer_check",
    "planner",
    "elapsed_s",
)
"""Of a report, in this order."""

OnEvent = Callable[[Mapping[str, Any]], None]
Graph = CompiledStateGraph[Any, Any, Any, Any]


def new_thread_id() -> str:
    return uuid.uuid4().hex[:12]


async def run_request(
    graph: Graph, text: str, *, thread_id: str, settings: Settings, on_event: OnEvent
) -> dict[str, Any]:
    """Answer `text` on a thread; `on_event` sees each event as it happens (`graph/events.py`).

    Returns the report: `FIELDS`. Cancelling leaves the thread as far as it got; what had finished of a
    request that was cut off is kept for the next one. Raises what the graph raises.
    """
    config = _config(thread_id)
    await _close_cut_off(graph, config)
    output: Mapping[str, Any] = {}
    stream: AsyncIterator[Any] = graph.astream(
        {"messages": [HumanMessage(text)]},
        config,
        context=settings,
        stream_mode=["custom", "values"],
        durability="async" if graph.checkpointer else None,
    )
    async for mode, part in stream:
        if mode == "custom":
            on_event(part)
        else:
            output = part
    return {"thread_id": thread_id, **{name: output.get(name) for name in FIELDS[1:]}}


async def conversation(graph: Graph, thread_id: str) -> list[Any]:
    """The messages of a thread so far; empty for a new one."""
    snapshot = await graph.aget_state(_config(thread_id))
    return list(snapshot.values.get("messages", []))


def _config(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}, "recursion_limit": RECURSION_LIMIT}


async def _close_cut_off(graph: Graph, config: RunnableConfig) -> None:
    """Commit what a cut-off request had finished: new input would throw away its pending writes."""
    if not graph.checkpointer:
        return
    snapshot = await graph.aget_state(config)
    if snapshot.next:
        await graph.aupdate_state(config, None, as_node="__end__")
