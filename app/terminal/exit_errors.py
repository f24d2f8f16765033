"""How a command fails: one line on stderr, and an exit status."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer
from langgraph.errors import GraphRecursionError
from rich.console import Console
from rich.text import Text

from wavegraph.graph.errors import WavegraphError

FAILED, BAD_USAGE = 1, 2


@contextmanager
def exit_on_error(console: Console) -> Iterator[None]:
    """Turn errors that a person can act on into one line on stderr and an exit status."""
    try:
        yield
    except WavegraphError as error:
        stop(console, str(error), BAD_USAGE)
    except GraphRecursionError:
        stop(console, "the work did not end within the recursion limit; this is a bug in the agent", FAILED)
    except OSError as error:
        stop(console, os_fault(error), FAILED)
    except sqlite3.DatabaseError as error:
        stop(console, f"{type(error).__name__}: {error}", FAILED)


def os_fault(error: OSError, deed: str = "use") -> str:
    """The file, the reason and the way out."""
    reason = error.strerror or str(error) or type(error).__name__
    place = f"cannot {deed} {str(error.filename)!r}" if error.filename else type(error).__name__
    return f"{place}: {reason}{_WAYS_OUT.get(error.errno or 0, '')}"


_FULL, _FORBIDDEN = "; make room on its disk, then try again", "; let this user write there, or choose another place"
_WAYS_OUT = {
    errno.ENOSPC: _FULL, errno.EDQUOT: _FULL, errno.EFBIG: _FULL,
    errno.EACCES: _FORBIDDEN, errno.EPERM: _FORBIDDEN, errno.EROFS: _FORBIDDEN,
}  # fmt: skip


def stop(console: Console, message: str, status: int) -> NoReturn:
    console.print(Text.assemble(("wavegraph: ", "bold"), message), soft_wrap=True)
    raise typer.Exit(status)
