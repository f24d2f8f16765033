"""How a command fails: one line on stderr, and an exit status."""

import errno
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from rich.text import Text
from typer.core import TyperGroup

from wavegraph.app.plain_text import visible
from wavegraph.app.terminal.door import Console, OutputLost, give_up_stdout_if_lost
from wavegraph.graph.errors import WavegraphError, error_text
from wavegraph.graph.secrets.scrubber import process

FAILED, BAD_USAGE = 1, 2

UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""Typer's and click's, of which Typer exports only this subclass."""


class CommandGroup(TyperGroup):
    """The commands: none of them ends in a traceback because stdout is gone, and no error echoes more than visible text."""

    def main(self, *args: Any, **options: Any) -> Any:
        console = Console(stderr=True)
        try:
            return super().main(*args, **options)
        except OutputLost as error:  # what was done stays done
            if error.reason:  # else its reader has read enough (`| head`), which needs no words
                tell(console, f"cannot write to stdout: {error.reason}")
        except OSError as error:  # of Typer's own printing: help, an error
            give_up_stdout_if_lost()
            tell(console, f"{type(error).__name__}: {error_text(error)}")
        sys.exit(FAILED)

    def make_context(self, *args: Any, **options: Any) -> Any:
        with _visible_usage_errors():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        with _visible_usage_errors():
            return super().invoke(ctx)


@contextmanager
def _visible_usage_errors() -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        error.message = visible(error.message)  # type: ignore[attr-defined]
        raise


@contextmanager
def exit_on_error(console: Console) -> Iterator[None]:
    """Turn errors that a person can act on into one line on stderr and an exit status."""
    try:
        yield
    except WavegraphError as error:
        stop(console, error_text(error), BAD_USAGE)
    except RecursionError as error:
        from langgraph.errors import GraphRecursionError

        if not isinstance(error, GraphRecursionError):
            raise
        stop(console, "the work did not end within the recursion limit; this is a bug in the agent", FAILED)
    except OSError as error:
        stop(console, os_fault(error), FAILED)
    except sqlite3.DatabaseError as error:
        stop(console, f"{type(error).__name__}: {error_text(error)}", FAILED)


def os_fault(error: OSError, deed: str = "use") -> str:
    """The file, the reason and the way out."""
    reason = error.strerror or error_text(error) or type(error).__name__
    place = f"cannot {deed} {str(error.filename)!r}" if error.filename else type(error).__name__
    return f"{place}: {reason}{_WAYS_OUT.get(error.errno or 0, '')}"


_FULL, _FORBIDDEN = "; make room on its disk, then try again", "; let this user write there, or choose another place"
_WAYS_OUT = {
    errno.ENOSPC: _FULL, errno.EDQUOT: _FULL, errno.EFBIG: _FULL,
    errno.EACCES: _FORBIDDEN, errno.EPERM: _FORBIDDEN, errno.EROFS: _FORBIDDEN,
}  # fmt: skip


def stop(console: Console, message: str, status: int) -> NoReturn:
    tell(console, message)
    raise typer.Exit(status)


def tell_left_out(error: WavegraphError) -> None:
    """Name what a list leaves out because it cannot be read."""
    tell(Console(stderr=True), f"left out: {error_text(error)}")


def tell(console: Console, message: str) -> None:
    console.print(Text.assemble(("wavegraph: ", "bold"), process.scrub(message)), soft_wrap=True)
