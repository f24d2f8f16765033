"""An agent whose calls wait at a gate, as a cluster loads it beside the served ones (see conftest.py).

`GATED` is a folder that all processes of the test share: each call writes its begin and its end into `log`, and one that
waits goes on when the file `open` is there. No agent of the house needs such a folder.
"""

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from langchain_core.tools import tool

from wavegraph import AnswerView, Domain, PlanningResult, PlanningView, build_graph, read, results, write
from wavegraph.testing import call, planning

FOLDER = Path(os.environ["GATED"])


def note(event: str, name: str) -> None:
    with (FOLDER / "log").open("a", encoding="utf-8") as log:
        log.write(json.dumps({"event": event, "name": name, "pid": os.getpid()}) + "\n")


async def gate(name: str) -> None:
    group = name.partition("-")[0]
    while not (FOLDER / f"open-{group}").exists():
        await asyncio.sleep(0.05)


@tool
async def quick(name: str) -> str:
    """Answer at once."""
    note("begin", name)
    return f"{name} is quick"


@tool
async def slow(name: str) -> str:
    """Answer when the gate opens."""
    note("begin", name)
    await gate(name)
    note("end", name)
    return f"{name} was slow"


async def written(name: str) -> str:
    note("effect", name)
    await gate(name)
    return f"{name} is booked"


@tool
async def send(name: str) -> str:
    """Book something that nobody can look up: a write."""
    return await written(name)


@tool
async def book(name: str) -> str:
    """Book something that can be looked up: a write."""
    return await written(name)


async def booked(args: Mapping[str, Any], settings: Any) -> str | None:
    log = (FOLDER / "log").read_text(encoding="utf-8").splitlines()
    effects = [entry["name"] for entry in map(json.loads, log) if entry["event"] == "effect"]
    return f"{args['name']} is booked" if args["name"] in effects else None


class Offline:
    def plan(self, view: PlanningView) -> PlanningResult:
        words = (word.partition(":") for word in view.request["text"].split())
        return planning(*(call(f"{name}_{value}", name, name=value) for name, _, value in words))

    def respond(self, view: AnswerView) -> str:
        return ", ".join(str(found["data"]) for found in results(view.ledger).values() if found["data"]) or "nothing"


graph = build_graph(
    Domain(
        name="gated",
        tools=[read(quick), read(slow), write(send), write(book, look_up=booked)],
        offline=Offline(),
    )
).compile(name="gated")
