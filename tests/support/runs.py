"""Runs a graph and keeps what came out of it: the state, the answer, every event."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from langchain_core.messages import AIMessageChunk, AnyMessage, BaseMessage, HumanMessage
from langgraph.graph.state import CompiledStateGraph
from patience import HANGS_S

from wavegraph import Domain, build_graph
from wavegraph.graph.build import whole_state
from wavegraph.graph.domain import Planner, Responder
from wavegraph.graph.state import with_defaults

_T = TypeVar("_T")


@dataclass
class Run:
    state: dict[str, Any]
    """The whole state at the end, private fields too."""
    events: list[dict[str, Any]] = field(default_factory=list)
    chunks: list[BaseMessage] = field(default_factory=list)
    """What the message stream showed, in order."""

    def __getitem__(self, name: str) -> Any:
        return self.state[name]

    @property
    def names(self) -> list[str]:
        return [event["event"] for event in self.events]

    def told(self, name: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["event"] == name]

    @property
    def limits(self) -> list[str]:
        return [event["limit"] for event in self.told("limit_reached")]

    @property
    def streamed(self) -> str:
        """What the chunks come to; a message that comes whole takes the place of what was streamed under its id."""
        shown: dict[str | None, str] = {}
        for chunk in self.chunks:
            before = shown.get(chunk.id, "") if isinstance(chunk, AIMessageChunk) else ""
            shown[chunk.id] = before + str(chunk.text)
        return "".join(shown.values())

    @property
    def tokens(self) -> list[BaseMessage]:
        return [chunk for chunk in self.chunks if isinstance(chunk, AIMessageChunk)]

    def status(self, call_id: str) -> str:
        return str(self.state["results"][call_id]["status"])


def compiled(
    domain: Domain, planner: Planner | None = None, responder: Responder | None = None, **options: Any
) -> CompiledStateGraph[Any, Any, Any, Any]:
    return build_graph(domain, planner=planner, responder=responder).compile(**options)


def human(text: str | list[Any] = "what is on the shelf?", **more: Any) -> dict[str, list[AnyMessage]]:
    return {"messages": [HumanMessage(text, **more)]}


def on_thread(thread: str = "t", **more: Any) -> dict[str, Any]:
    return {"configurable": {"thread_id": thread}, **more}


async def arun(
    graph: Any, given: Any = "what is on the shelf?", config: Any = None, watched: bool = False, **options: Any
) -> Run:
    """One request: its last state and its events; `watched`: its message stream too, which makes LangChain stream every
    model call, the planner's too.
    """
    given = human(given) if isinstance(given, str) else given
    run = Run({})
    modes = ["custom", "values", "messages"] if watched else ["custom", "values"]
    async for mode, part in whole_state(graph).astream(given, config, stream_mode=modes, **options):
        if mode == "custom":
            run.events.append(part)
        elif mode == "messages":
            run.chunks.append(part[0])
        else:
            run.state = with_defaults(part)
    return run


def run(graph: Any, given: Any = "what is on the shelf?", config: Any = None, **options: Any) -> Run:
    return finished(arun(graph, given, config, **options))


def finished(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """As `asyncio.run`, which in Python 3.11 writes out all of a result, twice, to give Ctrl-C back."""
    results: list[_T] = []

    async def within() -> None:
        results.append(await coroutine)

    asyncio.run(within())
    return results[0]


def wait(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """Run a test's coroutine, and fail instead of hanging."""

    async def within() -> _T:
        async with asyncio.timeout(HANGS_S):
            return await coroutine

    return finished(within())


def ask(
    domain: Domain,
    planner: Planner | None,
    given: Any = "what is on the shelf?",
    *,
    responder: Any = None,
    **options: Any,
) -> Run:
    """Build, run once, and see that the planner said all it was scripted to."""
    ended = run(compiled(domain, planner, responder), given, **options)
    if planner is not None and hasattr(planner, "assert_complete"):
        planner.assert_complete()
    return ended
