"""The loop behind synchronous callers: one for all of them, and given back what nobody waits for any more."""

import asyncio
import os
import signal
import sys
import threading
from types import FrameType

import pytest
from patience import not_hanging, until

from wavegraph.graph import background


async def where() -> tuple[asyncio.AbstractEventLoop, str]:
    return asyncio.get_running_loop(), threading.current_thread().name


def test_all_callers_share_one_loop_in_a_thread_of_its_own() -> None:
    (loop, thread), again = background.run(where()), background.run(where())

    assert again == (loop, "wavegraph-background")
    assert thread == "wavegraph-background"


def test_an_error_comes_back_to_the_caller() -> None:
    async def fail() -> None:
        raise LookupError("not here")

    with pytest.raises(LookupError, match="not here"):
        background.run(fail())


class Interrupted(BaseException):
    pass


def waits_for_a_result(thread: threading.Thread) -> bool:
    frame: FrameType | None = sys._current_frames()[thread.ident or 0]
    names = []
    while frame:
        names.append(frame.f_code.co_name)
        frame = frame.f_back
    return names[:2] == ["wait", "result"]


def test_what_a_caller_no_longer_waits_for_is_cancelled() -> None:
    """As by Ctrl-C, whose handler raises where the main thread waits."""
    cancelled = threading.Event()

    def raise_it(_signal: int, _frame: FrameType | None) -> None:
        raise Interrupted

    async def endless() -> None:
        await until(lambda: waits_for_a_result(threading.main_thread()))
        os.kill(os.getpid(), signal.SIGUSR1)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    before = signal.signal(signal.SIGUSR1, raise_it)
    try:
        with not_hanging(), pytest.raises(Interrupted):
            background.run(endless())
        with not_hanging():
            cancelled.wait()
    finally:
        signal.signal(signal.SIGUSR1, before)
