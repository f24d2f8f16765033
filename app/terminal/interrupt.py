"""Ctrl-C while a request runs: the first stops the request, the second the program."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from wavegraph.app.quitting import INTERRUPTED
from wavegraph.app.run.cancel import CancelHandle

_SHOW_CURSOR = "\x1b[?25h"


@contextmanager
def stops_on_ctrl_c(*, and_sigterm: bool = False) -> Iterator[CancelHandle]:
    """A handle that Ctrl-C cancels inside the block; a second Ctrl-C quits at once. The thread can still be resumed.

    `and_sigterm`: the same for the signal by which programs end others.
    """
    handle = CancelHandle()

    def stop(*_: object) -> None:
        if handle.cancelled:
            if sys.stderr.isatty():
                os.write(sys.stderr.fileno(), _SHOW_CURSOR.encode())
            os._exit(INTERRUPTED)
        handle.cancel()

    if threading.current_thread() is not threading.main_thread():  # only the main thread gets signals
        yield handle
        return
    numbers = [signal.SIGINT, signal.SIGTERM] if and_sigterm else [signal.SIGINT]
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield handle
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
