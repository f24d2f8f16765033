"""An event loop that waits for nothing: where nobody is left to go on, its clock skips to who comes next."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

from patience import HANGS_S

_T = TypeVar("_T")


LONGEST_S = 100_000.0


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


class _Loop(asyncio.SelectorEventLoop):
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
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(coroutine)


class Stopwatch:
    """Seconds of the running loop since it was made."""

    def __init__(self) -> None:
        self._began = asyncio.get_running_loop().time()

    @property
    def seconds(self) -> float:
        return asyncio.get_running_loop().time() - self._began
