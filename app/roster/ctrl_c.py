"""Ctrl-C while a roster is solved: the first asks for the best so far, the next ones are any request's."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wavegraph.app.run.cancel import CancelHandle
from wavegraph.app.terminal.interrupt import stops_on_ctrl_c


@contextmanager
def best_on_ctrl_c(ask: Callable[[], None]) -> Iterator[CancelHandle]:
    """Inside, the first Ctrl-C calls `ask`, the second cancels the handle, a third quits at once."""
    with stops_on_ctrl_c() as handle:
        if threading.current_thread() is threading.main_thread():  # signals come to it alone
            cancel = signal.getsignal(signal.SIGINT)

            def first(*_: object) -> None:
                signal.signal(signal.SIGINT, cancel)
                ask()

            signal.signal(signal.SIGINT, first)
        yield handle
