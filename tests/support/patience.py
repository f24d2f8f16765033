"""An end for what might never end: tests say so, and make no claim about how long it takes."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

HANGS_S = 600
"""Far above what the slowest machine takes for work that ends."""


async def until(happened: Callable[[], object]) -> None:
    """Let everything else go on, until it has happened."""
    while not happened():
        await asyncio.sleep(0.005)


@contextmanager
def not_hanging(seconds: int = HANGS_S) -> Iterator[None]:
    """Raise TimeoutError in the block where it has not ended by then. For the main thread, as pytest's workers are."""

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"not ended after {seconds} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
