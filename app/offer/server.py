"""An agent as an MCP server: the whole of it as one tool, and its reads singly."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Protocol

from mcp import MCPError
from mcp.server import Server
from mcp_types import INVALID_PARAMS, CallToolResult, ListToolsResult, Tool

from wavegraph.app.offer.asking import Asking
from wavegraph.app.offer.progress import Report
from wavegraph.app.offer.reads import offered_reads
from wavegraph.app.offer.replies import clean, failure, refusal, without_cards
from wavegraph.app.terminal.session import Session
from wavegraph.graph.errors import short_repr
from wavegraph.graph.guard.size import oversize
from wavegraph.graph.secrets.ways_out import guard

ASK = "ask"
"""The tool that is the whole agent."""


class Offered(Protocol):
    """A tool that callers see."""

    @property
    def description(self) -> Tool: ...

    async def call(self, given: Mapping[str, Any], report: Report) -> CallToolResult: ...


class Offer:
    """What an agent offers, and the server that does."""

    def __init__(self, session: Session) -> None:
        guard()
        reads = {read.name: read for read in offered_reads(session)}
        self._most_chars = session.settings.max_message_chars
        self._asking = Asking(session, _free_name(reads))
        self._tools: dict[str, Offered] = {self._asking.description.name: self._asking, **reads}
        self.server: Server[Any] = Server(
            session.options.domain,
            version=version("wavegraph"),
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def stop(self) -> None:
        """Stop the requests that are at work, and wait until they have kept what was finished."""
        await self._asking.stop()

    async def _list(self, context: Any, page: Any) -> ListToolsResult:
        return ListToolsResult(tools=[tool.description for tool in self._tools.values()])

    async def _call(self, context: Any, asked: Any) -> CallToolResult:
        """Every error is a result that says so. Raises MCPError for a tool that is not offered."""
        if (tool := self._tools.get(asked.name)) is None:
            name, known = await clean(short_repr(asked.name)), ", ".join(self._tools)
            raise MCPError(code=INVALID_PARAMS, message=f"no tool {name} is offered; there are: {known}")
        given = asked.arguments or {}
        if why := oversize(given, self._most_chars):
            return await refusal(why)
        try:
            return await tool.call(await without_cards(given), context.session.report_progress)
        except Exception as error:  # noqa: BLE001  whatever a call raises is its result
            return await failure(error)


def _free_name(taken: Mapping[str, Any]) -> str:
    name = ASK
    while name in taken:
        name = f"{name}_agent"
    return name
