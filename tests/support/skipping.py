"""An event loop that waits for nothing: where nobody is left to go on, its clock skips to who comes next."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")


LONGEST_S = 100_000.0


class _Selector(selectors.SelectSelector):
    skipped = 1000.0

    def select(self, timeout: float | None = None) -> Any:
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
