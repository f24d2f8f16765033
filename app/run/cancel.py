"""Stopping a request from anywhere: another task, another thread, a signal handler."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


class CancelHandle:
    """Pass one to `run` and call `cancel` when the request should stop. A second call changes nothing."""

    def __init__(self) -> None:
        # Reentrant: a signal handler may cancel while the same thread holds the lock.
        self._lock = threading.RLock()
        self._cancelled = False
        self._callbacks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def cancel(self) -> None:
        with self._lock:
            if self._cancelled:
                return
            self._cancelled = True
            callbacks = list(self._callbacks)
        for callback in callbacks:
            callback()

    @contextmanager
    def calls(self, stop: Callable[[], object]) -> Iterator[None]:
        """Inside the block, cancelling calls `stop` on the running loop."""
        loop = asyncio.get_running_loop()

        def on_loop() -> None:
            with suppress(RuntimeError):  # the loop is closed: nothing is left to stop
                loop.call_soon_threadsafe(stop)

        with self._lock:
            self._callbacks.append(on_loop)
            if self._cancelled:
                on_loop()
        try:
            yield
        finally:
            with self._lock:
                self._callbacks.remove(on_loop)
