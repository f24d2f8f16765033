"""Many guests at once in one process over one file, some of them stopped in the middle: nobody gets an error."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from runs import compiled

from wavegraph import CancelHandle, run
from wavegraph.app.storage.open import open_storage
from wavegraph.tools.hotel.domain import hotel_domain

TURNS = (
    "January 17-19 for 2", "book the double, Dana Levi, 050-1234567", "is there parking?", "yes", "and a week later?",
)  # fmt: skip
SETTINGS = {"today": "2026-03-01", "planner": "rules", "request_timeout_s": 3600, "tool_timeout_s": 600}
"""Limits that no machine reaches, however slow."""
STOPPED = 0.1
"""Of all requests."""


async def say(graph: Any, thread: str, turn: int, stop_within_s: float | None) -> str:
    handle = CancelHandle()
    if stop_within_s is not None:
        asyncio.get_running_loop().call_later(stop_within_s, handle.cancel)
    done = await run(graph, TURNS[turn % len(TURNS)], thread_id=thread, settings=SETTINGS, cancel=handle)
    return done.outcome


async def storm(folder: Path, guests: int, turns: int, seed: int) -> Counter[str]:
    """How the requests ended. Any error ends all of it."""
    chosen = random.Random(seed)
    async with open_storage(str(folder / "threads.db")) as kept:
        graph = compiled(hotel_domain(folder), checkpointer=kept.checkpointer, store=kept.store)
        started = asyncio.get_running_loop().time()
        ended = [await say(graph, "alone", turn, None) for turn in range(len(TURNS))]
        usual_s = (asyncio.get_running_loop().time() - started) / len(TURNS) * guests

        async def guest(number: int) -> list[str]:
            moments = [chosen.uniform(0, usual_s) if chosen.random() < STOPPED else None for _ in range(turns)]
            return [await say(graph, f"guest {number}", turn, moment) for turn, moment in enumerate(moments)]

        for outcomes in await asyncio.gather(*map(guest, range(guests))):
            ended += outcomes
    return Counter(ended)


async def test_a_few_guests_at_once_get_no_error(tmp_path: Path) -> None:
    ended = await storm(tmp_path, guests=6, turns=5, seed=1)
    assert ended.total() == 35
    assert set(ended) <= {"answered", "clarify", "awaiting_approval", "partial", "cancelled"}


@pytest.mark.attack
def test_of_three_hundred_requests_of_sixteen_guests_none_ends_in_an_error(
    tmp_path: Path, seed: int, figures: Callable[[str], None], attempts: Callable[[str, int], None]
) -> None:
    ended = asyncio.run(storm(tmp_path, guests=16, turns=19, seed=seed))
    assert ended["cancelled"] > 0
    attempts("requests of sixteen guests at once on one file, a tenth of them stopped", ended.total())
    figures(f"sixteen guests on one file: {ended.total()} requests, {dict(ended)}")
