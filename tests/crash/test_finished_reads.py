"""Stops at random moments of a wave, on a loop that has more to do: a read that had returned never runs again."""

import asyncio
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from tools_once import tool

from wavegraph import CancelHandle, Domain, PlanningView, build_graph, read, resume, run
from wavegraph.app.storage.open import open_storage
from wavegraph.testing import call, planning

pytestmark = pytest.mark.attack

REQUESTS, READS, LONGEST_MS = 40, 5, 60


class Scales:
    """Weighs what a request names, half of it in threads: `box3-40` takes 40 ms."""

    name = "scales"

    def __init__(self) -> None:
        self.ran: list[str] = []
        self._returned: list[str] = []
        self._threads: dict[str, threading.Thread] = {}

    def returned(self) -> list[str]:
        """By now."""
        return self._returned + [parcel for parcel, thread in self._threads.items() if not thread.is_alive()]

    def plan(self, view: PlanningView) -> Any:
        parcels = view.request["text"].split()
        return planning(*(call(f"p{n}", ("weigh", "lift")[n % 2], parcel=each) for n, each in enumerate(parcels)))

    def respond(self, view: Any) -> str:
        return "weighed"

    def graph(self, **storage: Any) -> Any:
        @tool
        async def weigh(parcel: str) -> int:
            """Grams of a parcel."""
            self.ran.append(parcel)
            await asyncio.sleep(seconds_of(parcel))
            self._returned.append(parcel)
            return 1

        @tool
        def lift(parcel: str) -> int:
            """Grams of a parcel; blocks its thread."""
            self.ran.append(parcel)
            self._threads[parcel] = threading.current_thread()
            time.sleep(seconds_of(parcel))
            return 1

        domain = Domain(name="scales", tools=[read(weigh), read(lift)], checks={}, offline=self)
        return build_graph(domain).compile(**storage)


def seconds_of(parcel: str) -> float:
    return int(parcel.partition("-")[2]) / 1000


async def busy(chosen: random.Random) -> None:
    """Keeps the loop from everything else, again and again."""
    while True:
        time.sleep(chosen.uniform(0, 0.004))  # noqa: ASYNC251  the loop is to stand still
        await asyncio.sleep(0.001)


async def test_no_read_that_had_returned_runs_again(
    database: str, seed: int, attempts: Callable[[str, int], None]
) -> None:
    chosen, kept = random.Random(seed), list[int]()
    neighbour = asyncio.ensure_future(busy(random.Random(seed)))
    async with open_storage(database) as storage:
        for number in range(REQUESTS):
            scales, handle, before = Scales(), CancelHandle(), list[str]()
            graph = scales.graph(checkpointer=storage.checkpointer, store=storage.store)
            parcels = [f"box{n}-{chosen.randrange(LONGEST_MS)}" for n in range(READS)]

            def stop(scales: Scales = scales, handle: CancelHandle = handle, before: list[str] = before) -> None:
                before.extend(scales.returned())
                handle.cancel()

            asyncio.get_running_loop().call_later(chosen.uniform(0.01, 0.0015 * LONGEST_MS), stop)
            known = await run(graph, " ".join(parcels), thread_id=str(number), cancel=handle)
            if known.outcome != "cancelled" or not known.can_resume:
                continue
            done = await resume(graph, str(number))
            assert (done.outcome, sorted(done.results)) == ("answered", [f"p{n}" for n in range(READS)])
            assert [parcel for parcel in before if scales.ran.count(parcel) > 1] == []
            kept.append(len(before))
    neighbour.cancel()
    with suppress(asyncio.CancelledError):
        await neighbour
    attempts("requests stopped in a wave of reads", len(kept))
    attempts("reads that had returned when their request was stopped", sum(kept))
