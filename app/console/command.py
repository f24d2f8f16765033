"""`wavegraph console`: the page in the browser."""

import webbrowser
from typing import Annotated

import typer

from wavegraph.app.terminal.door import Console, print_text
from wavegraph.app.terminal.exit_errors import exit_on_error


def console_(
    url: Annotated[
        str | None,
        typer.Option("--url", metavar="URL", help="A LangGraph server that runs; default: one is started for this machine."),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Where the page is served.")] = 2024,
    opens: Annotated[bool, typer.Option("--open/--no-open", help="Open it in the browser.")] = True,
) -> None:  # fmt: skip
    """Serve the console for this machine: conversations, the front desk and rosters in the browser, until Ctrl-C."""
    from wavegraph.app.console.serve import serve

    def ready(address: str) -> None:
        print_text(f"The console is at {address} (Ctrl-C ends it)")
        if opens:
            webbrowser.open(address)

    with exit_on_error(Console(stderr=True)):
        serve(url, port, ready)
