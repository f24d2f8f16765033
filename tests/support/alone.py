"""One node in a graph that holds nothing else: what it writes, tells and asks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command
from runs import on_thread
from typing_extensions import TypedDict

from wavegraph.graph.agent import Agent


@dataclass
class Alone:
    update: Any = None
    """None = the node waits for an answer."""
    asked: list[Any] = field(default_factory=list)
    """What it asked, in order."""
    events: list[Any] = field(default_factory=list)


class Nothing(TypedDict):
    pass


async def alone(
    node: Callable[..., Any], state: Any, agent: Agent, *replies: Any, context: Any = None, **options: Any
) -> Alone:
    """What a node makes of a state, and of the replies to what it asks."""
    found = Alone()

    async def run(_: Nothing, runtime: Runtime[Any]) -> None:
        found.update = await node(state, runtime, agent)

    graph: Any = StateGraph(Nothing, context_schema=agent.domain.settings)
    compiled = graph.add_node("node", run).add_edge(START, "node").compile(checkpointer=InMemorySaver(), **options)
    for given in ({}, *(Command(resume=reply) for reply in replies)):
        async for mode, part in compiled.astream(
            given, on_thread(), context=context, stream_mode=["custom", "updates"]
        ):
            if mode == "custom":
                found.events.append(part)
            elif "__interrupt__" in part:
                found.asked.append(part["__interrupt__"][0].value)
    return found
