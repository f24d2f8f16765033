"""A thread that one agent left in the middle of a wave is no thread for another."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.memory import InMemorySaver

from wavegraph import Domain, SettingsError, build_graph, read

asleep = asyncio.Event()


@tool
async def nap() -> str:
    """Nap."""
    asleep.set()
    await asyncio.sleep(600)
    return "rested"


@tool
def ring() -> str:
    """Ring."""
    return "rung"


class Desk:
    def __init__(self, name: str) -> None:
        self.plan: Callable[[Any], Any] = lambda view: {
            "status": "done", "action": "go", "reasoning": "", "slots": {},
            "tools": [{"id": "a", "tool": name, "args": {}}], "reply": None,
        }  # fmt: skip

    def respond(self, view: Any) -> str:
        return "done"


def agent(name: str, only: BaseTool, saver: InMemorySaver) -> Any:
    return build_graph(Domain(name=name, tools=[read(only)], offline=Desk(only.name))).compile(checkpointer=saver)


def test_another_agent_is_told_whose_thread_it_is_not() -> None:
    saver, thread = InMemorySaver(), {"configurable": {"thread_id": "t"}}

    async def left() -> None:
        work = asyncio.ensure_future(agent("sleepers", nap, saver).ainvoke({"messages": [("human", "go")]}, thread))
        await asleep.wait()
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)

    asyncio.run(left())
    with pytest.raises(SettingsError, match="another agent: this graph is for 'bells', which has no tool 'nap'"):
        agent("bells", ring, saver).invoke(None, thread)
