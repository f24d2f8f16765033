"""`wavegraph mcp`: an agent for other programs, as an MCP server."""

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any

import typer
from rich.text import Text

from wavegraph.app.quitting import INTERRUPTED
from wavegraph.app.run.cancel import CancelHandle
from wavegraph.app.terminal.door import Console
from wavegraph.app.terminal.exit_errors import exit_on_error
from wavegraph.app.terminal.interrupt import stops_on_ctrl_c
from wavegraph.app.terminal.options import Options, takes_settings
from wavegraph.app.terminal.session import Session, open_session
from wavegraph.graph.errors import SettingsError, error_text
from wavegraph.graph.secrets.ways_out import cleans

PORT = 8765


@takes_settings
def offer_(
    options: Options,
    domain: Annotated[
        str,
        typer.Argument(
            metavar="DOMAIN", help="Which agent: a name, or your own as package.module:attribute.", show_default=False
        ),
    ],
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP on this machine instead of stdin and stdout.")
    ] = False,
    port: Annotated[
        int | None, typer.Option(metavar="PORT", min=0, max=65535, help=f"Of --http; 0 = any. Default {PORT}.")
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Log each step of the work (stderr).")] = False,
) -> None:
    """Offer an agent to other programs as an MCP server: the whole agent as one tool, and its reads singly."""
    if port is not None and not http:
        raise typer.BadParameter("--port is of --http; over stdin and stdout there is none")
    console = Console(stderr=True)
    chosen = replace(options, domain=domain)
    with exit_on_error(console), _log(debug):
        status = asyncio.run(_serve(chosen, console, PORT if port is None else port, over_http=http))
    if status:
        raise typer.Exit(status)


async def _serve(options: Options, console: Console, port: int, *, over_http: bool) -> int:
    """The exit status."""
    try:
        from wavegraph.app.offer.http import serve_http
        from wavegraph.app.offer.server import Offer
        from wavegraph.app.offer.stdio import serve_stdio
    except ModuleNotFoundError as error:
        raise SettingsError(f"an MCP server needs pip install 'wavegraph[mcp]' ({error_text(error)})") from None
    async with open_session(options, console) as session:
        offer = Offer(session)
        way = serve_http(offer, port, _teller(session)) if over_http else serve_stdio(offer)
        with stops_on_ctrl_c(and_sigterm=True) as handle:
            return await _until_stopped(way, handle)


async def _until_stopped(way: Coroutine[Any, Any, None], handle: CancelHandle) -> int:
    serving = asyncio.ensure_future(way)
    try:
        with handle.calls(serving.cancel):
            await serving
    except asyncio.CancelledError:
        if not handle.cancelled:
            raise
        return INTERRUPTED
    return 0


def _teller(session: Session) -> Any:
    def tell(address: str) -> None:
        line = f"{session.options.domain} is at {address}; Ctrl-C ends it"
        session.console.print(Text(line, style="dim"), soft_wrap=True)

    return tell


@contextmanager
def _log(debug: bool) -> Iterator[None]:
    """What is logged goes to stderr: warnings, and with `debug` each step."""
    handler, own = logging.StreamHandler(), logging.getLogger("wavegraph")
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(cleans(handler))
    before = own.level
    own.setLevel(logging.INFO if debug else before)
    try:
        yield
    finally:
        own.setLevel(before)
        logging.getLogger().removeHandler(handler)
