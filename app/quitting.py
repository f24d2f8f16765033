"""Ctrl-C around a command: before it has begun and when all is over, the process ends at once. It imports next to nothing."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""Exit status of a command that was stopped by Ctrl-C."""
_may_quit = False


def take_ctrl_c() -> None:
    """This process is a command's: Ctrl-C may end it, unless its caller wants Ctrl-C ignored (`nohup`)."""
    global _may_quit
    _may_quit = signal.getsignal(signal.SIGINT) is signal.default_int_handler


@contextmanager
def quits_at_once() -> Iterator[None]:
    """Inside, Ctrl-C ends the process of a command, without a word: modules are imported there, and nothing has begun."""
    if not _may_quit:
        yield
        return
    before = signal.signal(signal.SIGINT, quit_now)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def quits_from_now_on() -> None:
    if _may_quit:
        signal.signal(signal.SIGINT, quit_now)


def quit_now(*_: object) -> None:
    os._exit(INTERRUPTED)
