"""How bytes get to a server and back: a process of our own, or HTTP; and what is noticed on the way."""

import os
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Self

import httpx2
from mcp import MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from wavegraph.graph.adopt.mcp.results import safe_excerpt
from wavegraph.graph.adopt.mcp.servers import Server
from wavegraph.graph.decimals import decimal
from wavegraph.graph.errors import WavegraphError
from wavegraph.graph.secrets.scrubber import process
from wavegraph.graph.secrets.ways_out import error_text

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

    async def __aiter__(self) -> AsyncIterator[Any]:
        try:
            async for message in self._stream:
                yield message
        finally:
            self._signs.over = True


# What is told of a server that cannot be used


class Trouble(WavegraphError):
    """A server that cannot be used; the message says why, without its address and without secrets."""


def why_not_started(error: BaseException, server: Server, signs: Signs) -> str:
    if isinstance(error, TimeoutError):
        return f"it did not answer within {decimal(server.starts_within_s, 3)} s"
    if signs.status in (401, 403):
        return f"it refuses the login (HTTP {signs.status}); give it a header `Authorization`, or another key"
    if signs.status >= 400:
        return f"it answers with HTTP {signs.status}"
    for each in causes(error):
        match each:
            case Trouble():
                return error_text(each)
            case FileNotFoundError() if server.cwd is not None and not server.cwd.is_dir():
                return f"its folder {str(server.cwd)!r} does not exist"
            case FileNotFoundError():
                return f"the program {server.command!r} is not found"
            case OSError() if server.transport == "stdio" and each.strerror:
                return f"the program {server.command!r} cannot be started ({each.strerror})"
            case MCPError() if "closed" not in each.message.lower():
                return f"it answers: {safe_excerpt(each.message)}"
    if server.transport == "stdio":
        return "it ended before it could be asked anything"
    return "it cannot be reached"


def causes(error: BaseException) -> Iterator[BaseException]:
    """The error, and what it groups."""
    yield error
    for each in getattr(error, "exceptions", ()):
        yield from causes(each)
