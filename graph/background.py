"""One event loop in a background thread, for synchronous callers.

Nodes are written once, as coroutines. `invoke` and `stream` run them here; every synchronous call
of the process shares this loop, so a client opened in one call is still usable in the next.
"""

import asyncio
import os
import threading
from collections.abc import Coroutine
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

_T = TypeVar("_T")


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
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, _loop()))


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
