"""A small agent whose last call is slow, as the server loads it beside the served one (see conftest.py)."""

import asyncio

from langchain_core.tools import tool

from wavegraph import AnswerView, Domain, PlanningResult, PlanningView, build_graph, read, results
from wavegraph.testing import call, planning


@tool
async def wait(seconds: float) -> str:
    """Wait."""
    await asyncio.sleep(seconds)
    return f"waited {seconds:g}"


begun: set[str] = set()


@tool
async def late(name: str) -> str:
    """Wait longer than anybody does; the second time, no time at all."""
    if name not in begun:
        begun.add(name)
        await asyncio.sleep(600)
    return f"{name} came late"


@tool
async def send(seconds: float) -> str:
    """Send something: a write."""
    await asyncio.sleep(seconds)
    return "sent"


class Offline:
    def plan(self, view: PlanningView) -> PlanningResult:
        words = (word.partition(":") for word in view.request["text"].split())
        calls = [
            call(f"{name}_{value}", name, **{"name" if name == "late" else "seconds": value})
            for name, _, value in words
        ]
        return planning(*calls)

    def respond(self, view: AnswerView) -> str:
        return ", ".join(str(found["data"]) for found in results(view.ledger).values() if found["data"]) or "nothing"


graph = build_graph(Domain(name="slow", tools=[read(wait), read(late), send], offline=Offline())).compile(name="slow")
