"""The clocks of the tests: a limit runs out when a test says so, wherever it is waited for, and not before."""

import asyncio
import threading
import time

import pytest
from skipping import LIMIT_S, Stopwatch, jump, skip

from wavegraph.graph import background


async def outlasts() -> str:
    async with asyncio.timeout(LIMIT_S):
        jump()
        await asyncio.Event().wait()
    return "waited"


async def test_a_limit_is_over_when_the_clock_jumps_past_it() -> None:
    before = time.perf_counter()

    with pytest.raises(TimeoutError):
        await outlasts()

    assert time.perf_counter() - before > LIMIT_S


def test_it_is_so_in_the_loop_behind_synchronous_callers() -> None:
    with pytest.raises(TimeoutError):
        background.run(outlasts())


async def test_a_thread_may_say_so() -> None:
    async def told_by_a_thread() -> None:
        async with asyncio.timeout(LIMIT_S):
            threading.Thread(target=jump).start()
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await told_by_a_thread()


async def test_a_jump_within_the_limit_ends_nothing() -> None:
    async with asyncio.timeout(LIMIT_S):
        jump(LIMIT_S / 2)
        await asyncio.sleep(0)


def test_where_clocks_skip_work_takes_no_time() -> None:
    async def works() -> tuple[float, float]:
        watch, before = Stopwatch(), time.perf_counter()
        await asyncio.to_thread(sum, range(1_000_000))
        worked = watch.seconds, time.perf_counter() - before
        await asyncio.sleep(3600)
        assert watch.seconds >= 3600
        return worked

    assert skip(works()) == (0, 0)
