"""Where the command `wavegraph` starts. It imports next to nothing, so that what can go wrong around a command goes well:
Ctrl-C while the command is still being imported, or is over already, and streams that are closed.
"""

import gc
import os
import sys

from wavegraph.app.process_start import note_start
from wavegraph.app.quitting import quit_now, quits_at_once, quits_from_now_on, take_ctrl_c

_ALLOCATIONS = 50_000
"""New objects after which garbage is looked for. Imports make many and leave none: with Python's 700 they take a fifth longer."""


def main() -> None:
    """The entry point."""
    note_start()
    gc.set_threshold(_ALLOCATIONS)
    _take_closed_streams()
    take_ctrl_c()
    try:
        with quits_at_once():
            from wavegraph.app.main import main as run
        try:
            run()
        finally:
            quits_from_now_on()
            gc.freeze()  # all of it goes with the process: nobody need look through it for garbage
    except KeyboardInterrupt:  # in the few steps that are no command's
        quit_now()


def _take_closed_streams() -> None:
    """Hold the numbers of closed streams, which the next files opened would get, and be written into as if they were
    streams. stdin then is empty, stderr silent; stdout stays None, and a command that prints there says so."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
