"""Work for a caller, which ends in good order when the caller or the server gives it up."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from anyio import CancelScope

_T = TypeVar("_T")


async def carried_out(work: Coroutine[Any, Any, _T], stop: "Callable[[asyncio.Future[_T]], object]") -> _T:
    """The result of `work`. Cancelled, it is stopped by `stop`, and waited for until it has kept what it has.

    The SDK cancels again and again until a call's handler has ended: work awaited in it would never come to that.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        stop(task)
        with CancelScope(shield=True):
            await asyncio.wait({task})
        raise
