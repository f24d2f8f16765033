"""An agent that can be held in any phase of a request, and ways to stop it there.

Its one request runs through all phases: a plan of two waves, an issue, an adaptation, an answer that is sent back
once, and the check of it.
"""

import asyncio
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from patience import HANGS_S
from warehouse import Warehouse, out_of_stock

from wavegraph import AnswerView, Checks, ResolvedCall, ValidationIssue, build_graph
from wavegraph.app.run.cancel import CancelHandle
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.build import AgentGraph
from wavegraph.graph.state import Criterion
from wavegraph.testing import call, planning, ref

PHASES = (
    "planning", "first wave", "second wave", "validation", "adaptation", "adapted wave", "answer", "answer check",
)  # fmt: skip
HELD_CALLS = {"first wave": ("count", "nut"), "second wave": ("count", "bolt"), "adapted wave": ("count", "belt")}
ANSWER = "belt: 12 units"
HELD_S = 2 * HANGS_S
"""Who waits for the end of a phase that is held waits longer than any test does."""


@dataclass
class Held:
    """Holds the first visit to one phase; `reached` says that it is there."""

    phase: str
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    freed: threading.Event = field(default_factory=threading.Event)
    """Lets a thread go that nobody waits for any more."""
    visited: bool = False

    async def hold(self, phase: str) -> None:
        if self._first(phase):
            self.reached.set()
            await asyncio.sleep(HELD_S)

    def hold_thread(self, phase: str, loop: asyncio.AbstractEventLoop) -> None:
        if self._first(phase):
            loop.call_soon_threadsafe(self.reached.set)
            self.freed.wait(HELD_S)

    def _first(self, phase: str) -> bool:
        first = phase == self.phase and not self.visited
        self.visited |= first
        return first


class HeldAgent:
    """A warehouse, its planner and its responder, held in a phase; without one it runs through."""

    name = "held"

    def __init__(self, phase: str = "") -> None:
        self.held = Held(phase)
        self.warehouse = Warehouse(stock={"bolt": 0, "nut": 7, "belt": 12})
        self.answers = 0
        self.loop = asyncio.get_running_loop()
        if phase in HELD_CALLS:
            self.warehouse.on(*HELD_CALLS[phase], lambda: self.held.hold(phase))

    def graph(self) -> AgentGraph:
        domain = self.warehouse.domain(checks=Checks({"count": [self._check]}, answers=[self._rule]))
        return build_graph(domain, planner=self, responder=self)

    async def plan(self, view: Any) -> Any:
        await self.held.hold("adaptation" if view.feedback else "planning")
        if view.feedback:
            return planning(call("belts", "count", sku="belt", instead_of="bolts"))
        found = ref("found", "skus[0]")
        return planning(
            call("found", "search", kind="bolt"), call("nuts", "count", sku="nut"), call("bolts", "count", sku=found)
        )

    async def respond(self, view: AnswerView) -> str:
        await self.held.hold("answer")
        self.answers += 1
        return ANSWER if view.unsupported else "belt: 4711 units"

    def _check(self, found: Any, asked: ResolvedCall) -> list[ValidationIssue]:
        if asked.id == "bolts":
            self.held.hold_thread("validation", self.loop)
        return out_of_stock(found, asked)

    def _rule(self, answer: str, view: AnswerView) -> Criterion:
        self.held.hold_thread("answer check", self.loop)
        return {"name": "kept", "verdict": "pass", "gap": None}


@asynccontextmanager
async def kept(graph: AgentGraph, folder: Path, keeps: bool = True) -> AsyncIterator[Any]:
    """The graph compiled on an SQLite file in `folder`; without a checkpointer where it does not `keep`."""
    if not keeps:
        yield graph.compile()
        return
    async with open_storage(str(folder / "threads.db")) as storage:
        yield graph.compile(checkpointer=storage.checkpointer, store=storage.store)


def from_a_task(handle: CancelHandle) -> None:
    handle.cancel()


def from_a_thread(handle: CancelHandle) -> None:
    threading.Thread(target=handle.cancel).start()


def from_a_signal(handle: CancelHandle) -> None:
    before = signal.signal(signal.SIGUSR1, lambda *_: handle.cancel())
    try:
        os.kill(os.getpid(), signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)


def twice(handle: CancelHandle) -> None:
    handle.cancel()
    handle.cancel()


WAYS: dict[str, Callable[[CancelHandle], None]] = {
    "a task": from_a_task, "a thread": from_a_thread, "a signal": from_a_signal, "twice": twice,
}  # fmt: skip
