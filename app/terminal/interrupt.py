"""Ctrl-C while a request runs: the first stops the request, the second the program."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from wavegraph.app.run.cancel import CancelHandle

INTERRUPTED = 130
"""Exit status of a command that was stopped by Ctrl-C."""
_SHOW_CURSOR = "\x1b[?25h"


@contextmanager
def stops_on_ctrl_c() -> Iterator[CancelHandle]:
    """A handle that Ctrl-C cancels inside the block; a second Ctrl-C quits at once. The thread can still be resumed."""
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
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield handle
    finally:
        signal.signal(signal.SIGINT, before)
