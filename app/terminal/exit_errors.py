"""How a command fails: one line on stderr, and an exit status."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from langgraph.errors import GraphRecursionError
from rich.text import Text
from typer.core import TyperGroup

from wavegraph.app.plain_text import visible
from wavegraph.app.terminal.door import Console, OutputLost
from wavegraph.graph.errors import WavegraphError

FAILED, BAD_USAGE = 1, 2

UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""Typer's and click's, of which Typer exports only this subclass."""


class CommandGroup(TyperGroup):
    """The commands: none of them ends in a traceback because stdout is gone, and no error echoes more than visible text."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except UsageError as error:
            error.message = visible(error.message)  # type: ignore[attr-defined]
            raise
        except OutputLost as error:
            stop_without_output(Console(stderr=True), error)


@contextmanager
def exit_on_error(console: Console) -> Iterator[None]:
    """Turn errors that a person can act on into one line on stderr and an exit status."""
    try:
        yield
    except OutputLost as error:
        stop_without_output(console, error)
    except WavegraphError as error:
        stop(console, str(error), BAD_USAGE)
    except GraphRecursionError:
        stop(console, "the work did not end within the recursion limit; this is a bug in the agent", FAILED)
    except (sqlite3.DatabaseError, OSError) as error:
        stop(console, f"{type(error).__name__}: {error}", FAILED)


def stop_without_output(console: Console, error: OutputLost) -> NoReturn:
    """What was done stays done. A reader that has read enough (`| head`) is no reason for words."""
    if error.reason:
        stop(console, f"cannot write to stdout: {error.reason}", FAILED)
    raise typer.Exit(FAILED)


def stop(console: Console, message: str, status: int) -> NoReturn:
    console.print(Text.assemble(("wavegraph: ", "bold"), message), soft_wrap=True)
    raise typer.Exit(status)
