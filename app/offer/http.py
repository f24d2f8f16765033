"""An agent offered over HTTP, to programs on this machine."""

import asyncio
import errno
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from wavegraph.app.offer.server import Offer
from wavegraph.app.serving.doors import Doors
from wavegraph.app.serving.settings import DoorSettings
from wavegraph.graph.errors import SettingsError

HOST = "127.0.0.1"
PATH = "/mcp"
CLOSES_WITHIN_S = 2
"""What is still open then, such as streams of events that nobody ends, is cut."""


async def serve_http(offer: Offer, port: int, tell: Callable[[str], None]) -> None:
    """Until the caller cancels; `tell` gets the address. Raises SettingsError for a port that cannot be had, and for doors
    that are set wrong."""
    settings = DoorSettings.from_env()
    with _listening(port) as listening:
        app: Any = Doors(_app(offer, settings), settings, settings.rate())
        server = _Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                ws="none",
                timeout_graceful_shutdown=CLOSES_WITHIN_S,
            )
        )
        serving = asyncio.ensure_future(server.serve(sockets=[listening]))
        tell(f"http://{HOST}:{listening.getsockname()[1]}{PATH}")
        try:
            await asyncio.shield(serving)
        finally:
            await offer.stop()  # first: its answers still go out
            server.should_exit = True
            await serving


def _app(offer: Offer, settings: DoorSettings) -> Any:
    """The SDK's own look at hosts and pages is left to the doors, which know more names."""
    return offer.server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=settings.max_body_bytes,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )


@contextmanager
def _listening(port: int) -> Generator[socket.socket]:
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port))
            listening.listen()  # who is told the address may call before the server takes calls
        except OSError as error:
            why = {errno.EADDRINUSE: "another program has it", errno.EACCES: "this user may not"}
            raise SettingsError(
                f"cannot listen on port {port}: {why.get(error.errno or 0, error.strerror)}; choose another with --port"
            ) from None
        yield listening


class _Server(uvicorn.Server):
    """Signals are the command's."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield
