"""The loop behind synchronous callers: one for all of them, and given back what nobody waits for any more."""

import asyncio
import os
import signal
import sys
import threading
import warnings
from types import FrameType

import pytest
from patience import not_hanging, until

from wavegraph.graph import background


async def where() -> tuple[asyncio.AbstractEventLoop, threading.Thread]:
    return asyncio.get_running_loop(), threading.current_thread()


def test_all_callers_share_one_loop_in_a_thread_that_holds_up_no_exit() -> None:
    loop, thread = background.run(where())

    assert background.run(where()) == (loop, thread)
    assert (thread.name, thread.daemon) == ("wavegraph-background", True)


def test_a_forked_child_has_no_loop_of_its_parent() -> None:
    """It inherits what names the loop, and not the thread that runs it."""
    loop, _ = background.run(where())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 on: of forks beside threads
        child = os.fork()
    if child == 0:
        os._exit(background.run(where())[0] is loop)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert background.run(where())[0] is loop


def test_a_call_inside_the_loop_is_refused_and_its_coroutine_closed() -> None:
    """A coroutine that is never awaited would warn, and warnings are errors."""

    async def inner() -> None:
        background.run(where())

    with pytest.raises(RuntimeError, match="would wait for itself"):
        background.run(inner())


def test_an_error_comes_back_to_the_caller() -> None:
    async def fail() -> None:
        raise LookupError("not here")

    with pytest.raises(LookupError, match="not here"):
        background.run(fail())


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_quits_comes_back_to_its_caller_and_the_loop_goes_on(error: type[BaseException]) -> None:
    async def leave() -> None:
        raise error

    loop, thread = background.run(where())
    with not_hanging(), pytest.raises(error):
        background.run(leave())
    with not_hanging():
        assert background.run(where()) == (loop, thread)


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
