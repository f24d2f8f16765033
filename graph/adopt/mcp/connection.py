"""One server, connected: opened at first use and again after a loss, always on the background loop.

A session of the SDK hangs where another loop than its own awaits it, and must be closed by the task that opened it. So one
task on the background loop owns each session, and callers of any loop or thread wait for what happens there.
"""

import asyncio
import os
import threading
import weakref
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Self

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import (
    CONNECTION_CLOSED,
    HEADER_MISMATCH,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    Tool,
)
from pydantic import TypeAdapter

from wavegraph.graph import background
from wavegraph.graph.adopt.mcp.servers import Server
from wavegraph.graph.decimals import decimal
from wavegraph.graph.errors import ConnectionLost, WavegraphError, error_text, excerpt, kind_of_fault, logger
from wavegraph.graph.secrets.scrubber import process

Progress = Callable[[float, float | None, str | None], Awaitable[None]]

CONNECTS_WITHIN_S = 30.0
CLOSES_WITHIN_S = 8.0
"""A process gets some seconds to end by itself, then is killed."""
SAYS_WITHIN_S = 1.0
"""How long its last words are waited for: a process that it started may keep its stderr open."""
LAST_WORDS = 600
"""Characters told of what a server wrote on its stderr before it ended."""
LONGEST_ERROR = 2_000
"""Characters of a server's own words on what went wrong."""
KEPT_OF_STDERR = 6000
"""Characters kept of it."""
_RESULT: TypeAdapter[Any] = TypeAdapter(CallToolResult | InputRequiredResult)
_TERMINATED = "Session terminated"
"""What the SDK says of a session that the server does not know: it was restarted, and did nothing with the call."""
_NO_REPLY = "Server returned an error response"
"""What it says of an error without a message: a gateway's, mostly."""

_running: "set[_Session]" = set()
"""The sessions that have an owner: for the end of the process."""


class Trouble(WavegraphError):
    """A server that cannot be used; the message says why, without its address and without secrets."""


class _Session:
    """A connection while it lasts, and what is noticed of it besides its replies; lives on the background loop."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.loop = asyncio.get_running_loop()
        self.tools: list[Tool] = []
        self.client: Any = None
        self.is_over = False
        """Whether nothing more can come from the server."""
        self.status = 200
        """Of the last HTTP reply."""
        self._stderr: deque[str] = deque(maxlen=KEPT_OF_STDERR)
        self._listener: threading.Thread | None = None
        self.left = asyncio.Event()
        """Set where the owner is to end it."""
        self._ready: asyncio.Future[None] = self.loop.create_future()
        self._owner = asyncio.create_task(self._own(), name=f"mcp {server.name}")
        _running.add(self)

    async def started(self) -> None:
        """Raises Trouble for a server that does not start, or not in time."""
        try:
            async with asyncio.timeout(self.server.starts_within_s):
                await asyncio.shield(self._ready)
        except BaseException as error:
            await self.close()
            if isinstance(error, asyncio.CancelledError | KeyboardInterrupt):
                raise
            if self._listener:  # the end of what it wrote may come after its own
                await asyncio.to_thread(self._listener.join, SAYS_WITHIN_S)
            words = last_words("".join(self._stderr.copy()))
            ending = f"; its last words: {words}" if words else ""
            raise Trouble(f"{why_not_started(error, self.server, self.status)}{ending}") from None

    async def _own(self) -> None:
        try:
            async with Client(self._streams(), cache=None) as client:
                self.client = client
                self.tools = await self._all_tools()
                self._ready.set_result(None)
                await self.left.wait()
        except BaseException as error:  # noqa: BLE001  also groups, and a cancel that the SDK makes of a broken connection
            if not self._ready.done():
                self._ready.set_exception(error if isinstance(error, Exception) else ConnectionResetError())
                self._ready.exception()  # read: nobody may be waiting any more
            elif not self.left.is_set():
                logger.warning("the connection to the MCP server %r broke: %s", self.server.name, kind_of_fault(error))
        finally:
            self.is_over = True
            _running.discard(self)

    async def _all_tools(self) -> list[Tool]:
        """A list that never ends runs out of the time to start."""
        page = await self.client.list_tools()
        tools: list[Tool] = [*page.tools]
        while page.next_cursor is not None:
            page = await self.client.list_tools(cursor=page.next_cursor)
            tools += page.tools
        return tools

    async def close(self) -> None:
        self.is_over = True
        self.left.set()
        if not self._ready.done():
            self._owner.cancel()  # it still waits for the server
        await asyncio.wait({self._owner}, timeout=CLOSES_WITHIN_S)

    # How bytes get to the server and back: a process of our own, or HTTP

    @asynccontextmanager
    async def _streams(self) -> AsyncIterator[Any]:
        """As `mcp.Client` takes a transport."""
        async with self._process() if self.server.transport == "stdio" else self._http() as (read, write):
            yield _Watched(read, self), write

    @asynccontextmanager
    async def _process(self) -> AsyncIterator[Any]:
        parameters = StdioServerParameters(
            command=self.server.command,
            args=list(self.server.args),
            env=dict(self.server.env),
            cwd=self.server.cwd,
            encoding_error_handler="replace",
        )
        reading, writing = os.pipe()
        with os.fdopen(writing, "w") as pipe:
            self._listener = threading.Thread(
                target=self._listen, args=(reading,), name="wavegraph-mcp-stderr", daemon=True
            )
            self._listener.start()
            async with stdio_client(parameters, errlog=pipe) as streams:
                pipe.close()  # the server holds its own end: the reader ends with it
                yield streams

    def _listen(self, reading: int) -> None:
        """Remember the last words of a pipe, which must never fill, or the server would wait."""
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            while piece := pipe.read(4096):
                self._stderr.extend(piece.decode(errors="replace"))

    @asynccontextmanager
    async def _http(self) -> AsyncIterator[Any]:
        async def note(response: httpx2.Response) -> None:
            self.status = response.status_code

        headers, hooks = dict(self.server.headers), {"response": [note]}
        limits = httpx2.Timeout(CONNECTS_WITHIN_S, read=None)  # how long a call may take, its caller says
        async with (
            httpx2.AsyncClient(headers=headers, timeout=limits, event_hooks=hooks) as client,
            streamable_http_client(self.server.url, http_client=client) as streams,
        ):
            yield streams


class _Watched:
    """A stream of messages that notes its end."""

    def __init__(self, stream: Any, session: _Session) -> None:
        self._stream = stream
        self._session = session

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
            self._session.is_over = True


def _forget(loop: asyncio.AbstractEventLoop, session: _Session) -> None:
    with suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(session.left.set)


def leave_all() -> None:
    """Leave every server of this process, each with a moment to end by itself; a later call opens it again."""
    background.run(_close_all())


async def _close_all() -> None:
    here = [each for each in _running if each.loop is asyncio.get_running_loop()]
    await asyncio.gather(*(each.close() for each in here), return_exceptions=True)


class Connection:
    """A server, from any loop and thread; several calls at once share its session."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = asyncio.Lock()
        self._session: _Session | None = None

    async def tools(self) -> list[Tool]:
        """What the server offers. Raises Trouble."""
        return (await background.on_background(self._open_session())).tools

    async def call(self, tool: str, arguments: Mapping[str, Any], progress: Progress) -> Any:
        """A call's reply; cancelled, the server is told.

        Raises Trouble if the server cannot be reached and got nothing, ConnectionLost if the connection broke after the
        call was sent, MCPError for a reply that is an error, pydantic's ValidationError for one that is none.
        """
        return await background.on_background(self._call(tool, arguments, progress))

    async def _call(
        self, tool: str, arguments: Mapping[str, Any], progress: Progress, *, is_second: bool = False
    ) -> Any:
        session = await self._open_session()
        request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=dict(arguments)))
        try:  # not by the client's own `call_tool`: it lists again, to check what we check
            return await session.client.session.send_request(request, _RESULT, progress_callback=progress)
        except MCPError as error:
            if error.code == CONNECTION_CLOSED or (error.message == _NO_REPLY and session.status >= 500):
                raise ConnectionLost(f"the MCP server {self.server.name!r} broke off") from None
            if is_second or (error.code != HEADER_MISMATCH and error.message != _TERMINATED):
                raise
        await session.close()  # refused before the call was looked at: it may be sent again, also a write
        return await self._call(tool, arguments, progress, is_second=True)

    async def _open_session(self) -> _Session:
        if self._loop is not asyncio.get_running_loop():  # the first call, or the first in a forked process
            self._loop, self._lock, self._session = asyncio.get_running_loop(), asyncio.Lock(), None
        async with self._lock:
            if self._session is not None and self._session.is_over:
                await self._session.close()
                self._session = None
            if self._session is None:
                fresh = _Session(self.server)
                await fresh.started()
                self._session = fresh
                # An agent that is forgotten takes its servers along.
                weakref.finalize(self, _forget, self._loop, fresh).atexit = False
            return self._session


def last_words(stderr: str) -> str:
    """What a server said before it ended, in one line, without secrets and without the frames of a traceback."""
    lines = stderr.splitlines()
    own = [line for line in lines if line[:1].strip() and not line.startswith("Traceback ")]
    words = process.scrub(" ".join(" ".join(own or lines).split()))
    return "".join(filter(str.isprintable, words))[-LAST_WORDS:]


def why_not_started(error: BaseException, server: Server, status: int) -> str:
    """`status`: of the last HTTP reply."""
    if isinstance(error, TimeoutError):
        return f"it did not answer within {decimal(server.starts_within_s, 3)} s"
    if status in (401, 403):
        return f"it refuses the login (HTTP {status}); give it a header `Authorization`, or another key"
    if status >= 400:
        return f"it answers with HTTP {status}"
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


def safe_excerpt(text: str) -> str:
    return excerpt(process.scrub(text), LONGEST_ERROR)


def causes(error: BaseException) -> Iterator[BaseException]:
    """The error, and what it groups."""
    yield error
    for each in getattr(error, "exceptions", ()):
        yield from causes(each)
