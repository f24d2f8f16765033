"""One event loop in a background thread, for synchronous callers; and threads for what may take longer than anybody waits.

Nodes are written once, as coroutines. `invoke` and `stream` run them here; every synchronous call
of the process shares this loop, so a client opened in one call is still usable in the next.
"""

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import cache, partial
from typing import Any, TypeVar

_T = TypeVar("_T")

WAKES_EVERY_S = 0.5
"""`langgraph dev` with a loop for each run (BG_JOB_ISOLATED_LOOPS) tells a cancel without waking that loop."""


def run(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine on the background loop and wait for it. The caller's context variables are passed along."""
    loop = _loop()
    if asyncio._get_running_loop() is loop:
        coroutine.close()
        raise RuntimeError("a synchronous call inside the background loop would wait for itself; use the async one")
    future = asyncio.run_coroutine_threadsafe(coroutine, loop)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


async def on_background(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine on the background loop and wait for it on the caller's own; cancelled, it is cancelled there."""
    ended = asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, _loop()))
    try:
        while not ended.done():
            await asyncio.wait({ended}, timeout=WAKES_EVERY_S)
    finally:
        ended.cancel()
    return ended.result()


def in_own_thread(work: Callable[[], _T], name: str) -> asyncio.Future[_T]:
    """The end of work in a thread of its own: work that outlives who waits for it starves no pool and holds up no exit."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[_T] = loop.create_future()
    context = contextvars.copy_context()

    def run_to_its_end() -> None:
        try:
            tell = partial(ended.set_result, context.run(work))
        except BaseException as error:  # noqa: BLE001  whatever ends the thread is the work's end
            # A future cannot carry StopIteration: waiting for it would never end.
            carried = RuntimeError("StopIteration") if isinstance(error, StopIteration) else error
            tell = partial(ended.set_exception, carried)
        with suppress(RuntimeError):  # the loop is closed: nothing waits any more
            loop.call_soon_threadsafe(lambda: None if ended.done() else tell())

    threading.Thread(target=run_to_its_end, name=name, daemon=True).start()
    return ended


_lock = threading.Lock()


def _loop() -> asyncio.AbstractEventLoop:
    with _lock:
        return _loop_of(os.getpid())


@cache
def _loop_of(process: int) -> asyncio.AbstractEventLoop:
    """A forked child inherits no thread and gets a loop of its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=_serve, args=(loop,), name="wavegraph-background", daemon=True).start()
    return loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop for good. A task that raises KeyboardInterrupt or SystemExit, which its caller gets, breaks asyncio's."""
    while not loop.is_closed():
        with suppress(KeyboardInterrupt, SystemExit):
            loop.run_forever()
            return
