"""How bytes get to a server and back: a process of our own, or HTTP; and what is noticed on the way."""

import os
import threading
from collections import deque
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Self

import httpx2
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from wavegraph.graph.adopt.mcp.servers import Server
from wavegraph.graph.secrets.scrubber import process

LAST_WORDS = 600
"""Characters kept of what a server writes on its stderr."""
CONNECTS_WITHIN_S = 30.0


class Signs:
    """How a connection is doing, besides its replies."""

    def __init__(self) -> None:
        self.over = False
        """Whether nothing more can come from the server."""
        self.status = 200
        """Of the last HTTP reply."""
        self.stderr: deque[str] = deque(maxlen=LAST_WORDS)

    @property
    def last_words(self) -> str:
        """The end of what the server wrote on its stderr, in one line and without secrets."""
        text = process.scrub(" ".join("".join(self.stderr.copy()).split()))
        return "".join(sign for sign in text if sign.isprintable())


def streams_of(server: Server, signs: Signs) -> AbstractAsyncContextManager[Any]:
    """The transport to a server, as `mcp.Client` takes one."""
    return _process(server, signs) if server.transport == "stdio" else _http(server, signs)


@asynccontextmanager
async def _process(server: Server, signs: Signs) -> AsyncIterator[Any]:
    parameters = StdioServerParameters(
        command=server.command,
        args=list(server.args),
        env=dict(server.env),
        cwd=server.cwd,
        encoding_error_handler="replace",
    )
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as pipe:
        threading.Thread(target=_listen, args=(reading, signs), name="wavegraph-mcp-stderr", daemon=True).start()
        async with stdio_client(parameters, errlog=pipe) as (read, write):
            pipe.close()  # the server holds its own end: the reader ends with it
            yield _Watched(read, signs), write


def _listen(reading: int, signs: Signs) -> None:
    """Remember the last words of a pipe, which must never fill, or the server would wait."""
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while piece := pipe.read(4096):
            signs.stderr.extend(piece.decode(errors="replace"))


@asynccontextmanager
async def _http(server: Server, signs: Signs) -> AsyncIterator[Any]:
    async def note(response: httpx2.Response) -> None:
        signs.status = response.status_code

    limits = httpx2.Timeout(CONNECTS_WITHIN_S, read=None)  # how long a call may take, its caller says
    async with (
        httpx2.AsyncClient(headers=dict(server.headers), timeout=limits, event_hooks={"response": [note]}) as client,
        streamable_http_client(server.url, http_client=client) as (read, write),
    ):
        yield _Watched(read, signs), write


class _Watched:
    """A stream of messages that notes its end."""

    def __init__(self, stream: Any, signs: Signs) -> None:
        self._stream = stream
        self._signs = signs

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> Any:
        return await self._stream.__aexit__(*error)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self._stream.__anext__()
        except BaseException:
            self._signs.over = True
            raise
