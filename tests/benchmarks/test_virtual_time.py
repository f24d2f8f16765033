"""The virtual clock: waits take no time, come in their order, and wait for threads that are at work."""

import asyncio
import threading

from benchmarks.virtual_time import now_s, run


def test_waits_beside_each_other_take_as_long_as_the_longest() -> None:
    async def waits() -> float:
        started = now_s()
        await asyncio.gather(asyncio.sleep(3600), asyncio.sleep(1800))
        return now_s() - started

    assert 3600 <= run(waits()) < 5400


def test_a_time_limit_runs_out_before_a_longer_wait() -> None:
    async def limited() -> str:
        try:
            async with asyncio.timeout(0.5):
                await asyncio.sleep(60)
        except TimeoutError:
            return "limited"
        return "waited"

    assert run(limited()) == "limited"


def test_no_wait_jumps_while_a_thread_is_at_work() -> None:
    """The thread ends first, though the wait is short: the clock stands for as long as it takes."""
    let_go = threading.Event()

    async def both() -> list[str]:
        ends: list[str] = []

        async def waits() -> None:
            await asyncio.sleep(3600)
            ends.append("wait")

        async def works() -> None:
            await asyncio.to_thread(let_go.wait)
            ends.append("thread")

        asyncio.get_running_loop().call_soon(lambda: threading.Timer(0.01, let_go.set).start())
        await asyncio.gather(waits(), works())
        return ends

    assert run(both()) == ["thread", "wait"]
