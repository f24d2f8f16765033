"""A unit of work on a database that a stop waits for."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")


async def to_its_end(unit: Coroutine[Any, Any, _T]) -> _T:
    """Run the unit whole. Who is cancelled meanwhile ends with CancelledError, but only after the unit: several requests
    share a connection, and a transaction left open by one would take in the next one's work, or refuse it."""
    task = asyncio.ensure_future(unit)
    stop: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            stop = error
    if stop is None:
        return task.result()
    if not task.cancelled():
        task.exception()  # the stop stands for it
    raise stop
