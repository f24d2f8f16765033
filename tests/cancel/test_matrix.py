"""The cancel matrix: every phase of a request × every way of stopping it × with and without a checkpointer.

Each cell holds the request in one phase, stops it there, and goes on with it where anything is kept.
"""

import asyncio
import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from runs import wait
from stopping import ANSWER, HELD_CALLS, PHASES, WAYS, HeldAgent, kept

from wavegraph.app.run.cancel import CancelHandle
from wavegraph.app.run.result import Result
from wavegraph.app.run.runner import NothingToResume, conversation, resume, run

RAN = ["count:belt", "count:bolt", "count:nut", "search:bolt"]
"""What the request runs, each once."""


@dataclass(frozen=True)
class Known:
    """What is known when the request is stopped in a phase."""

    ended: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()
    waves: int = 0
    adaptations: int = 0


KNOWN = {
    "planning": Known(),
    "first wave": Known(("found",), ("nuts", "bolts")),
    "second wave": Known(("found", "nuts"), ("bolts",), waves=1),
    "validation": Known(("found", "nuts", "bolts"), waves=1),
    "adaptation": Known(("found", "nuts", "bolts"), waves=2),
    "adapted wave": Known(("found", "nuts", "bolts"), ("belts",), waves=2, adaptations=1),
    "answer": Known(("found", "nuts", "bolts", "belts"), waves=3, adaptations=1),
    "answer check": Known(("found", "nuts", "bolts", "belts"), waves=3, adaptations=1),
}


@pytest.mark.parametrize("keeps", [True, False], ids=["sqlite", "nothing kept"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("phase", PHASES)
def test_a_stop_is_answered_and_only_the_rest_runs_on_resume(phase: str, way: str, keeps: bool, tmp_path: Path) -> None:
    wait(_stop_and_resume(phase, way, keeps, tmp_path))


async def _stop_and_resume(phase: str, way: str, keeps: bool, folder: Path) -> None:
    agent = HeldAgent(phase)
    async with kept(agent.graph(), folder, keeps) as graph:
        handle = CancelHandle()
        work = asyncio.ensure_future(run(graph, "bolts?", thread_id="t", cancel=handle))
        await agent.held.reached.wait()
        WAYS[way](handle)
        stopped = await work  # not at the end of what is held: that is later than this test waits
        agent.held.freed.set()

        _see_stopped(stopped, KNOWN[phase], keeps)
        if not keeps:
            with pytest.raises(NothingToResume):
                await resume(graph, "t")
            return
        assert [message.text for message in await conversation(graph, "t")] == ["bolts?", stopped.answer]
        before = sorted(agent.warehouse.ran())
        _see_whole(await resume(graph, "t"), _waves_after(phase))
        _see_only_the_rest_ran(before, agent)
        assert [message.text for message in await conversation(graph, "t")] == ["bolts?", stopped.answer, ANSWER]
        with pytest.raises(NothingToResume):
            await resume(graph, "t")


def _see_stopped(stopped: Result, known: Known, keeps: bool) -> None:
    assert stopped.outcome == "cancelled"
    assert stopped.answer.startswith("Stopped, as you asked.")
    assert tuple(stopped.results) == known.ended
    assert (stopped.tools_executed, len(stopped.tools)) == (len(known.ended), len(known.ended))
    assert tuple(stopped.unfinished) == known.unfinished
    assert ("Not done: " + ", ".join(known.unfinished) in stopped.answer) == bool(known.unfinished)
    assert (stopped.waves, stopped.adaptations) == (known.waves, known.adaptations)
    assert stopped.can_resume == keeps
    for name in known.ended:
        assert str(stopped.results[name]["data"]) in stopped.answer


def _see_whole(done: Result, waves: int = 3) -> None:
    """The same as a request that nobody stopped."""
    assert (done.outcome, done.answer) == ("answered", ANSWER)
    assert (done.waves, done.adaptations, done.tools_executed) == (waves, 1, 4)
    assert sorted(done.results) == ["belts", "bolts", "found", "nuts"]
    assert [issue["rule"] for issue in done.issues] == ["in_stock"]
    assert (done.unfinished, done.can_resume) == ([], False)


def _see_only_the_rest_ran(before: list[str], agent: HeldAgent) -> None:
    ran = agent.warehouse.ran()
    cut = [body for body in set(ran) if ran.count(body) > 1]
    assert len(ran) - len(cut) == len(RAN)
    assert sorted(set(ran)) == RAN
    assert len(cut) == (1 if "wave" in agent.held.phase else 0)
    assert set(cut) <= set(before)


async def test_the_request_that_nobody_stops(tmp_path: Path) -> None:
    agent = HeldAgent()
    async with kept(agent.graph(), tmp_path) as graph:
        _see_whole(await run(graph, "bolts?"))
    assert sorted(agent.warehouse.ran()) == RAN


@pytest.mark.parametrize("how", ["its time is up", "its task is cancelled"])
@pytest.mark.parametrize("phase", PHASES)
async def test_a_caller_that_gives_up_leaves_the_thread_to_be_resumed(phase: str, how: str, tmp_path: Path) -> None:
    agent = HeldAgent(phase)
    async with kept(agent.graph(), tmp_path) as graph:
        patience = asyncio.timeout(None)
        asked = asyncio.ensure_future(_given_up(graph, patience))
        await agent.held.reached.wait()
        if how == "its task is cancelled":
            asked.cancel()
        else:
            patience.reschedule(asyncio.get_running_loop().time())
        with contextlib.suppress(asyncio.CancelledError):
            assert await asked == "timed out"
        agent.held.freed.set()
        before = sorted(agent.warehouse.ran())
        _see_whole(await resume(graph, "t"))
        _see_only_the_rest_ran(before, agent)


async def _given_up(graph: Any, patience: asyncio.Timeout) -> str:
    try:
        async with patience:
            await run(graph, "bolts?", thread_id="t", cancel=CancelHandle())
    except TimeoutError:
        return "timed out"
    return "answered"


@pytest.mark.parametrize("phase", PHASES)
async def test_a_stop_during_a_resume_can_be_resumed_again(phase: str, tmp_path: Path) -> None:
    agent = HeldAgent("planning")
    async with kept(agent.graph(), tmp_path) as graph:
        await _stopped(run, graph, "bolts?", agent, thread_id="t")
        again = HeldAgent(phase)
        again.warehouse = agent.warehouse
    async with kept(again.graph(), tmp_path) as graph:
        if phase in HELD_CALLS:
            agent.warehouse.on(*HELD_CALLS[phase], lambda: again.held.hold(phase))
        stopped = await _stopped(resume, graph, "t", again)
        again.held.freed.set()
        assert tuple(stopped.results) == KNOWN[phase].ended
        assert [message.text for message in await conversation(graph, "t")] == ["bolts?", stopped.answer]
        _see_whole(await resume(graph, "t"), _waves_after(phase))


def _waves_after(phase: str) -> int:
    """What waited for the cut wave's finished call runs with the rest of that wave: one wave less."""
    return 2 if phase == "first wave" else 3


async def _stopped(begin: Any, graph: Any, what: str, agent: HeldAgent, **more: Any) -> Result:
    handle = CancelHandle()
    work = asyncio.ensure_future(begin(graph, what, cancel=handle, **more))
    await agent.held.reached.wait()
    handle.cancel()
    result: Result = await work
    assert result.outcome == "cancelled"
    return result
