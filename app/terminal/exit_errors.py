"""How a command fails: one line on stderr, and an exit status."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer
from langgraph.errors import GraphRecursionError
from rich.console import Console
from rich.text import Text

from wavegraph.graph.errors import WavegraphError
from wavegraph.graph.secrets.scrubber import process
from wavegraph.graph.secrets.ways_out import error_text

FAILED, BAD_USAGE = 1, 2


@contextmanager
def exit_on_error(console: Console) -> Iterator[None]:
    """Turn errors that a person can act on into one line on stderr and an exit status."""
    try:
        yield
    except WavegraphError as error:
        stop(console, error_text(error), BAD_USAGE)
    except GraphRecursionError:
        stop(console, "the work did not end within the recursion limit; this is a bug in the agent", FAILED)
    except (sqlite3.DatabaseError, OSError) as error:
        stop(console, f"{type(error).__name__}: {error_text(error)}", FAILED)


def stop(console: Console, message: str, status: int) -> NoReturn:
    console.print(Text.assemble(("wavegraph: ", "bold"), process.scrub(message)), soft_wrap=True)
    raise typer.Exit(status)
