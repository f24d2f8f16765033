"""One server, connected: opened at first use and again after a loss, always on the background loop.

A session of the SDK hangs where another loop than its own awaits it, and must be closed by the task that opened it. So one
task on the background loop owns each session, and callers of any loop or thread wait for what happens there.
"""

import asyncio
import logging
import weakref
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from mcp import Client, MCPError
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
from wavegraph.graph.adopt.mcp.transports import Signs, Trouble, streams_of, why_not_started
from wavegraph.graph.errors import ConnectionLost, kind_of_fault

logger = logging.getLogger("wavegraph")

Progress = Callable[[float, float | None, str | None], Awaitable[None]]

CLOSES_WITHIN_S = 8.0
"""A process gets some seconds to end by itself, then is killed."""
_RESULT: TypeAdapter[Any] = TypeAdapter(CallToolResult | InputRequiredResult)
_TERMINATED = "Session terminated"
"""What the SDK says of a session that the server does not know: it was restarted, and did nothing with the call."""
_NO_REPLY = "Server returned an error response"
"""What it says of an error without a message: a gateway's, mostly."""

_running: "set[_Session]" = set()
"""The sessions that have an owner: for the end of the process."""


class _Session:
    """A connection while it lasts; lives on the background loop."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.loop = asyncio.get_running_loop()
        self.signs = Signs()
        self.tools: list[Tool] = []
        self.client: Any = None
        self.left = asyncio.Event()
        """Set where the owner is to end it."""
        self._ready: asyncio.Future[None] = self.loop.create_future()
        self._owner = asyncio.create_task(self._own(), name=f"mcp {server.name}")
        _running.add(self)

    @property
    def is_over(self) -> bool:
        return self.signs.over or self._owner.done()

    async def started(self) -> None:
        """Raises Trouble for a server that does not start, or not in time."""
        try:
            async with asyncio.timeout(self.server.starts_within_s):
                await asyncio.shield(self._ready)
        except BaseException as error:
            await self.close()
            if isinstance(error, asyncio.CancelledError | KeyboardInterrupt):
                raise
            words = self.signs.last_words
            ending = f"; its last words: {words}" if words else ""
            raise Trouble(f"{why_not_started(error, self.server, self.signs)}{ending}") from None

    async def _own(self) -> None:
        try:
            async with Client(streams_of(self.server, self.signs), cache=None) as client:
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
            self.signs.over = True
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
        self.signs.over = True
        self.left.set()
        if not self._ready.done():
            self._owner.cancel()  # it still waits for the server
        await asyncio.wait({self._owner}, timeout=CLOSES_WITHIN_S)


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
            if error.code == CONNECTION_CLOSED or (error.message == _NO_REPLY and session.signs.status >= 500):
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
