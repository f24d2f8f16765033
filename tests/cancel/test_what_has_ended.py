"""A call that has returned when a stop comes is kept, however little of it LangGraph has taken or stored by then."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from patience import HANGS_S
from tools_once import tool

from wavegraph import CancelHandle, Domain, Result, build_graph, read, resume, run
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.errors import CutShort
from wavegraph.testing import ScriptedPlanner, call, planning

TURNS = 9
"""Of the event loop, within which LangGraph takes a result that a tool has returned."""
BOX_AND_CRATE = planning(call("box", "weigh", parcel="box"), call("crate", "hold", parcel="crate"))


async def turned(turns: int) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)


class Late(InMemorySaver):
    """Begins to store a while after it was told to, as one that first asks a pool for a connection."""

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await turned(5 * TURNS)
        await super().aput_writes(config, writes, task_id, task_path)


@dataclass
class Scale:
    """Weighs the box when it is told to; the crate never, but for a first guess."""

    in_thread: bool = False
    ran: list[str] = field(default_factory=list)
    held: asyncio.Event = field(default_factory=asyncio.Event)
    go: threading.Event = field(default_factory=threading.Event)
    told: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    thread: threading.Thread | None = None

    def graph(self, **compiled: Any) -> Any:
        plans = [BOX_AND_CRATE, planning(reply="That is all.", action="answer")]
        domain = Domain(name="scale", tools=[read(each) for each in self._tools()], checks={})
        return build_graph(domain, planner=ScriptedPlanner(*plans), responder=self).compile(**compiled)

    name = "scale"

    async def respond(self, view: Any) -> str:
        return "weighed"

    def _tools(self) -> list[Any]:
        @tool
        async def weigh(parcel: str) -> int:
            """Grams of a parcel."""
            self.ran.append(parcel)
            await self.told.wait()
            self.ended.set()
            return 900

        @tool
        async def hold(parcel: str) -> int:
            """Grams of a parcel, once it lies still."""
            self.ran.append(parcel)
            if self.ran.count(parcel) > 1:
                return 1800
            self.held.set()
            try:
                await asyncio.sleep(HANGS_S)
            except asyncio.CancelledError:
                raise CutShort(1000) from None
            return 0

        return [self._in_thread() if self.in_thread else weigh, hold]

    def _in_thread(self) -> Any:
        @tool
        def weigh(parcel: str) -> int:
            """Grams of a parcel; blocks its thread."""
            self.ran.append(parcel)
            self.thread = threading.current_thread()
            self.go.wait(HANGS_S)
            return 900

        return weigh

    async def returns(self) -> None:
        """The box's weight is returned; of what follows from it nothing has happened yet."""
        await self.held.wait()
        if not self.in_thread:
            self.told.set()
            await self.ended.wait()
            return
        while self.thread is None:
            await asyncio.sleep(0)
        self.go.set()
        self.thread.join()  # the loop stands still meanwhile


@asynccontextmanager
async def kept_in(kind: str, folder: Path, request: pytest.FixtureRequest) -> AsyncIterator[dict[str, Any]]:
    if kind in ("memory", "late"):
        yield {"checkpointer": InMemorySaver() if kind == "memory" else Late()}
        return
    database = str(folder / "threads.db")
    if kind == "postgres":
        database = request.getfixturevalue("postgres").fresh(f"ended{next(_databases)}")
    async with open_storage(database) as storage:
        yield {"checkpointer": storage.checkpointer, "store": storage.store}


_databases = count(1)


async def stopped(scale: Scale, graph: Any, thread: str, turns: int) -> Result:
    handle = CancelHandle()
    work = asyncio.ensure_future(run(graph, "box and crate", thread_id=thread, cancel=handle))
    await scale.returns()
    await turned(turns)
    handle.cancel()
    return await work


@pytest.mark.parametrize("in_thread", [False, True], ids=["coroutine", "thread"])
@pytest.mark.parametrize("kind", ["memory", "late", "sqlite", "postgres"])
async def test_it_is_kept_whenever_the_stop_comes(
    kind: str, in_thread: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    async with kept_in(kind, tmp_path, request) as storage:
        for turns in range(TURNS):
            scale = Scale(in_thread)
            graph = scale.graph(**storage)
            known = await stopped(scale, graph, str(turns), turns)
            assert (known.outcome, known.results["box"]["data"]) == ("cancelled", 900), turns
            assert known.results["crate"]["data"] == 1000, turns
            assert (await resume(graph, str(turns))).outcome == "answered"
            assert sorted(scale.ran) == ["box", "crate", "crate"], turns


@pytest.mark.parametrize("in_thread", [False, True], ids=["coroutine", "thread"])
@pytest.mark.parametrize("kind", ["late", "sqlite"])
async def test_it_is_kept_whenever_the_caller_gives_up(
    kind: str, in_thread: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    async with kept_in(kind, tmp_path, request) as storage:
        for turns in range(TURNS):
            scale = Scale(in_thread)
            graph = scale.graph(**storage)
            work = asyncio.ensure_future(run(graph, "box and crate", thread_id=str(turns)))
            await scale.returns()
            await turned(turns)
            work.cancel()
            with pytest.raises(asyncio.CancelledError):
                await work
            assert (await resume(graph, str(turns))).outcome == "answered"
            assert scale.ran.count("box") == 1, turns
