"""A stop at any moment, between the phases too: whatever is cut, the request ends as if nobody had stopped it."""

import asyncio
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from stopping import ANSWER, HeldAgent, kept

from wavegraph import CancelHandle, NothingToResume, resume, run

pytestmark = pytest.mark.attack

REQUESTS, STOPS = 25, 3
RAN = ["count:belt", "count:bolt", "count:nut", "search:bolt"]


async def test_nothing_is_lost_and_nothing_done_twice(
    tmp_path: Path, seed: int, attempts: Callable[[str, int], None]
) -> None:
    moments = random.Random(7 + seed)
    agent, stopped = HeldAgent(), 0
    async with kept(agent.graph(), tmp_path) as graph:
        started = time.perf_counter()
        await run(graph, "bolts?", thread_id="whole")
        took = time.perf_counter() - started

        def soon() -> CancelHandle:
            handle = CancelHandle()
            asyncio.get_running_loop().call_later(moments.uniform(0, took), handle.cancel)
            return handle

        for number in range(REQUESTS):
            agent.warehouse.log.clear()
            agent.answers = 0
            thread = str(number)
            result = await run(graph, "bolts?", thread_id=thread, cancel=soon())
            if result.outcome == "cancelled" and not result.can_resume:  # it came before the start
                assert agent.warehouse.ran() == []
                continue
            for stops in range(STOPS):
                if result.outcome == "cancelled":
                    stopped += 1
                    result = await resume(graph, thread, cancel=soon() if stops < STOPS - 1 else None)
            assert (result.outcome, result.answer, result.tools_executed) == ("answered", ANSWER, 4)
            assert sorted(set(agent.warehouse.ran())) == RAN
            with pytest.raises(NothingToResume):
                await resume(graph, thread)
    attempts("requests stopped at any moment, and gone on with", stopped)
