"""The command line `wavegraph`.

Exit status: 0 for any answer, 1 for a failure, 2 for bad usage (settings, domain, database), 130 for Ctrl-C.
"""

import logging
import os
import sys
from contextlib import suppress
from importlib.metadata import version
from typing import Annotated

import typer
from rich.text import Text

from wavegraph.app.quitting import INTERRUPTED
from wavegraph.app.terminal.door import Console, print_text, stand_before_the_streams
from wavegraph.app.terminal.exit_errors import FAILED
from wavegraph.app.terminal.named_commands import AllCommands
from wavegraph.graph.errors import error_text
from wavegraph.graph.secrets.ways_out import cleaned_errors, guard

app = typer.Typer(
    cls=AllCommands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # they print around the door, and locals may hold personal data
    help="Agents that plan in waves, check what came back, and correct themselves.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print_text(f"wavegraph {version('wavegraph')}")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command that the arguments name, and exit."""
    guard()
    logging.getLogger("wavegraph").addHandler(
        logging.NullHandler()
    )  # events are already printed: no second copy on stderr
    stand_before_the_streams()
    try:
        with cleaned_errors():
            app()
    except ModuleNotFoundError as error:  # an agent's own command, whose extra is not installed
        way_out = "pip install 'wavegraph[hotel,roster]' installs what its agents need"
        Console(stderr=True).print(Text(f"wavegraph: {error_text(error)}; {way_out}"), soft_wrap=True)
        sys.exit(FAILED)
    except SystemExit as ended:
        if ended.code == INTERRUPTED:
            # A tool may still run in a thread that cannot be stopped, and Python would wait for it.
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, AttributeError):  # gone, or closed from the start
                    stream.flush()
            os._exit(INTERRUPTED)
        raise
