"""A small agent whose third call is slow, as the server loads it beside the served one (see conftest.py)."""

import asyncio
from typing import Any

from langchain_core.tools import tool

from wavegraph import AnswerView, Domain, PlanningResult, PlanningView, build_graph, read, results


@tool
async def wait(seconds: float) -> str:
    """Wait."""
    await asyncio.sleep(seconds)
    return f"waited {seconds:g}"


@tool
async def send(seconds: float) -> str:
    """Send something: a write."""
    await asyncio.sleep(seconds)
    return "sent"


class Offline:
    def plan(self, view: PlanningView) -> PlanningResult:
        calls: list[Any] = []
        for word in view.request["text"].split():
            name, _, seconds = word.partition(":")
            calls.append({"id": f"{name}_{seconds}", "tool": name, "args": {"seconds": float(seconds)}})
        return {"status": "done", "action": "wait", "reasoning": "", "slots": {}, "tools": calls, "reply": None}

    def respond(self, view: AnswerView) -> str:
        return ", ".join(str(found["data"]) for found in results(view.ledger).values() if found["data"]) or "nothing"


graph = build_graph(
    Domain(name="slow", tools=[read(wait), send], offline=Offline(), supports=lambda answer, view: [])
).compile(name="slow")
