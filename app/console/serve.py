"""The console for one person's machine: over a server that is started for it, or over one elsewhere."""

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

from wavegraph.app.console.own_server import own_server
from wavegraph.graph.errors import SettingsError

Ready = Callable[[str], None]
"""Told the page's address once it can be opened."""


def serve(url: str | None, port: int, ready: Ready) -> None:
    """Returns after Ctrl-C or SIGTERM. Raises SettingsError for a port in use, and where no server can be had."""
    if url is None:
        _require_free(port)
        with _ended_by_signals() as ended, own_server(port) as address:
            ready(f"{address}/console/")
            ended.wait()
    else:
        _over(url, port, ready)


def _require_free(port: int) -> None:
    with closing(socket.socket()) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            raise SettingsError(
                f"port {port} is in use: choose another with --port, or name its server with --url"
            ) from None


@contextmanager
def _ended_by_signals() -> Iterator[threading.Event]:
    ended = threading.Event()
    before = {each: signal.signal(each, lambda *_: ended.set()) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield ended
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _over(url: str, port: int, ready: Ready) -> None:
    uvicorn = _uvicorn()
    from wavegraph.app.console.proxy import proxy_to

    app = proxy_to(url)
    _require_free(port)

    class Server(uvicorn.Server):  # type: ignore[misc,name-defined]  # its module is an extra's
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets=sockets)
            ready(f"http://127.0.0.1:{port}/console/")

    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning")
    with suppress(KeyboardInterrupt):
        Server(config).run()


def _uvicorn() -> Any:
    try:
        import starlette  # noqa: F401
        import uvicorn
    except ImportError:
        raise SettingsError("the console needs Starlette and uvicorn: pip install 'wavegraph[console]'") from None
    return uvicorn
