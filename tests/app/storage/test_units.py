"""Several conversations in one process over one file: none fails another, also where some are stopped."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.store.base import GetOp, PutOp

from wavegraph import CancelHandle, build_graph
from wavegraph.app.run.runner import run
from wavegraph.app.storage.open import open_storage
from wavegraph.app.storage.units import to_its_end
from wavegraph.tools.hotel.domain import hotel_domain

SETTINGS = {"today": "2026-03-01", "planner": "rules"}
ASKED = ("a double room 17-19 May", "and with breakfast?", "is there parking?", "what about a week later?")
STOP_EVERY = 10
ENDS = {"answered", "partial", "clarify", "cancelled"}
PLACE: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": "", "checkpoint_id": "1"}}


async def test_a_batch_that_reads_and_writes_waits_for_another_connection(tmp_path: Path) -> None:
    async with open_storage(str(tmp_path / "threads.db")) as kept:
        store: Any = kept.store
        await store.aput(("desk",), "a", {"n": 0})
        await kept.checkpointer.aget_tuple(PLACE)
        for number in range(20):  # what the other connection commits makes a snapshot of before useless for a write
            both = [GetOp(("desk",), "a"), PutOp(("desk",), "a", {"n": number})]
            saved = kept.checkpointer.aput_writes(PLACE, [("messages", HumanMessage("hello"))], str(number))
            await asyncio.gather(store.abatch(both), saved)
        assert (await store.aget(("desk",), "a")).value == {"n": 19}


async def test_a_stop_inside_a_transaction_leaves_none_open(tmp_path: Path) -> None:
    async with open_storage(str(tmp_path / "threads.db")) as kept:
        store: Any = kept.store
        for steps in range(12):
            write = asyncio.ensure_future(store.aput_new(("desk",), str(steps), {"n": steps}))
            for _ in range(steps):
                await asyncio.sleep(0)
            write.cancel()
            await asyncio.gather(write, return_exceptions=True)
            assert not store.conn.in_transaction
            assert await store.aput_new(("desk",), f"{steps} again", {"n": steps})


async def test_a_unit_ends_before_the_stop_of_who_waits_for_it() -> None:
    ended = []

    async def unit() -> None:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        ended.append("unit")

    async def waits() -> None:
        try:
            await to_its_end(unit())
        finally:
            ended.append("stop")

    task = asyncio.ensure_future(waits())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["unit", "stop"]


async def guests_at_once(folder: Path, *, guests: int, requests: int) -> Counter[str]:
    """How the requests of so many guests ended, a tenth of them stopped soon after they began."""
    ends: Counter[str] = Counter()
    async with open_storage(str(folder / "threads.db")) as kept:
        domain = hotel_domain(folder / "data")
        graph: Any = build_graph(domain).compile(checkpointer=kept.checkpointer, store=kept.store)

        async def guest(number: int) -> None:
            for turn in range(requests // guests):
                handle = CancelHandle()
                asked = ASKED[turn % len(ASKED)]
                work = run(graph, asked, thread_id=f"guest-{number}", settings=SETTINGS, cancel=handle)
                stops = _stopped(handle, number + turn) if (number + turn) % STOP_EVERY == 0 else _never()
                done, _ = await asyncio.gather(work, stops)
                ends[done.outcome] += 1

        await asyncio.gather(*map(guest, range(guests)))
        await domain.close()
    return ends


async def _never() -> None:
    return None


async def _stopped(handle: CancelHandle, turns: int) -> None:
    for _ in range(20 * (turns % 7)):
        await asyncio.sleep(0)
    handle.cancel()


async def test_eight_guests_at_once_over_one_file(tmp_path: Path) -> None:
    ends = await guests_at_once(tmp_path, guests=8, requests=80)
    assert ends.total() == 80
    assert ends.keys() <= ENDS


@pytest.mark.attack
async def test_sixteen_guests_a_thousand_requests_a_tenth_of_them_stopped(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    ends = await guests_at_once(tmp_path, guests=16, requests=1008)
    record_property("attempts", f"{ends.total()} requests of guests at once in one process, over SQLite")
    assert ends.total() == 1008
    assert ends.keys() <= ENDS
    assert ends["cancelled"] > 20
