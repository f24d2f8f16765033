"""Clocks that no machine is too slow for: a limit runs out because a test says so, not because work took long.

`jump`: the clock of all loops, and the process's stopwatch, go on by so many seconds at once. Limits are then far above what any
work takes, and the act that is to outlast one jumps past it.

`skip`: for what waits for timers and for threads of the loop's own, and for nothing else. No work takes any time, and where
nobody is left to go on, the clock skips to who comes next.
"""

import asyncio
import selectors
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar
from weakref import WeakSet

from patience import HANGS_S

_T = TypeVar("_T")


LONGEST_S = 100_000.0
LIMIT_S = 60.0
"""A limit that is to run out: far above what the slowest machine takes for the work that is to end before."""

_jumped_s = 0.0
_loops: "WeakSet[Loop]" = WeakSet()
_stopwatch = time.perf_counter


class Loop(asyncio.SelectorEventLoop):
    """The machine's time, and all jumps."""

    def __init__(self) -> None:
        super().__init__()
        _loops.add(self)

    def time(self) -> float:
        return super().time() + _jumped_s


def install() -> None:
    """Every loop that this process makes from now on, and its stopwatch, can be put forward."""
    time.perf_counter = lambda: _stopwatch() + _jumped_s
    asyncio.new_event_loop = asyncio.events.new_event_loop = Loop


def jump(seconds: float = LIMIT_S + 1) -> None:
    """Let so much time pass at once; from any thread. By default, more than `LIMIT_S`."""
    global _jumped_s
    _jumped_s += seconds
    for loop in list(_loops):
        with suppress(RuntimeError):  # it is closed
            loop.call_soon_threadsafe(lambda: None)


class _Selector(selectors.SelectSelector):
    skipped = 1000.0
    in_threads = 0
    """Calls that run in threads: those are waited for, and the clock stands."""

    def select(self, timeout: float | None = None) -> Any:
        if self.in_threads and timeout != 0:
            return super().select(HANGS_S)
        self.skipped += timeout or 0.0
        if self.skipped > LONGEST_S:
            raise TimeoutError("it waits for ever")
        return super().select(0)


class _Skipping(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._skipping = _Selector()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.skipped

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        self._skipping.in_threads += 1
        running = super().run_in_executor(executor, func, *args)
        running.add_done_callback(self._ended)
        return running

    def _ended(self, _done: Any) -> None:
        self._skipping.in_threads -= 1


def skip(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """What a coroutine gives that waits for the clock alone."""
    with asyncio.Runner(loop_factory=_Skipping) as runner, _stopwatch_of(runner.get_loop()):
        return runner.run(coroutine)


@contextmanager
def _stopwatch_of(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    before, time.perf_counter = time.perf_counter, loop.time
    try:
        yield
    finally:
        time.perf_counter = before


class Stopwatch:
    """Seconds of the running loop since it was made."""

    def __init__(self) -> None:
        self._began = asyncio.get_running_loop().time()

    @property
    def seconds(self) -> float:
        return asyncio.get_running_loop().time() - self._began
