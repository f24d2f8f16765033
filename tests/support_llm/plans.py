"""Plans as a model writes them in strict mode, every field present, and a way to run one request."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessageChunk, BaseMessage, HumanMessage
from patience import HANGS_S

NO_SLOTS = {"night": None, "guests": None, "wishes": None}


def ref(call: str, path: str) -> dict[str, Any]:
    return {"ref": {"call": call, "path": path}}


def call(call_id: str, tool: str, /, *, each: Any = None, instead_of: str | None = None, **args: Any) -> dict[str, Any]:
    return {"id": call_id, "tool": tool, "args": args, "each": each, "instead_of": instead_of}


def beds(call_id: str, night: Any, *, guests: Any = None, instead_of: str | None = None) -> dict[str, Any]:
    return call(call_id, "get_beds", instead_of=instead_of, night=night, guests=guests)


def plan(*calls: Mapping[str, Any], reply: str | None = None, **more: Any) -> dict[str, Any]:
    return {"reasoning": "as asked", "action": "look_up", "status": "done", "slots": NO_SLOTS, "tools": list(calls),
            "reply": reply, **more}  # fmt: skip


@dataclass
class Told:
    """All that came out of one request."""

    state: dict[str, Any] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    chunks: list[BaseMessage] = field(default_factory=list)
    """What the message stream showed, in order."""

    def __getitem__(self, name: str) -> Any:
        return self.state[name]

    def told(self, name: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["event"] == name]

    @property
    def streamed(self) -> str:
        return "".join(str(chunk.text) for chunk in self.chunks)

    @property
    def tokens(self) -> list[BaseMessage]:
        return [chunk for chunk in self.chunks if isinstance(chunk, AIMessageChunk)]


WATCHED = ("values", "custom", "messages")
"""A watched message stream makes LangChain stream every model call, the planner's too."""
UNWATCHED = ("values", "custom")


async def aask(graph: Any, text: str, config: Any = None, modes: Sequence[str] = WATCHED, /, **context: Any) -> Told:
    told = Told()
    given = {"messages": [HumanMessage(text)]}
    async with asyncio.timeout(HANGS_S):
        async for mode, part in graph.astream(given, config, context=context or None, stream_mode=list(modes)):
            if mode == "custom":
                told.events.append(part)
            elif mode == "messages":
                told.chunks.append(part[0])
            else:
                told.state = part
    return told


def ask(graph: Any, text: str, config: Any = None, modes: Sequence[str] = WATCHED, /, **context: Any) -> Told:
    return asyncio.run(aask(graph, text, config, modes, **context))
