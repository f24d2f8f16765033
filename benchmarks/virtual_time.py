"""An event loop whose waits take no time: when nothing is left to do, its clock goes on to the next timer.

The clock shows the processor time that this process used, and the waits on top. So what is read from it is the wall time on a
machine of its own, whoever else works on this one. A wait jumps only when no thread of the loop is at work.
"""

import asyncio
import selectors
import time
from collections.abc import Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` on such a loop."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)


def now_s() -> float:
    """The running loop's clock."""
    return asyncio.get_running_loop().time()


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.waited_s = 0.0
        """All jumps so far."""
        self.at_work = 0
        """Calls in threads."""
        super().__init__(_Jumping(self))

    def time(self) -> float:
        return time.process_time() + self.waited_s

    def run_in_executor(self, executor: Executor | None, func: Any, *args: Any) -> Any:  # type: ignore[override]
        self.at_work += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._left)
        return future

    def _left(self, future: object) -> None:
        self.at_work -= 1


class _Jumping(selectors.SelectSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= 0 or self._loop.at_work:
            return super().select(timeout)
        found = super().select(0)
        if not found:
            self._loop.waited_s += timeout
        return found
