"""What is told of a server that cannot be used."""

from collections.abc import Iterator

from mcp import MCPError

from wavegraph.graph.adopt.mcp.results import safe_excerpt
from wavegraph.graph.adopt.mcp.servers import Server
from wavegraph.graph.adopt.mcp.transports import Signs
from wavegraph.graph.decimals import decimal
from wavegraph.graph.errors import WavegraphError
from wavegraph.graph.secrets.ways_out import error_text


class Trouble(WavegraphError):
    """A server that cannot be used; the message says why, without its address and without secrets."""


def why_not_started(error: BaseException, server: Server, signs: Signs) -> str:
    ending = f"; its last words: {signs.last_words}" if signs.last_words else ""
    return f"{_reason(error, server, signs)}{ending}"


def _reason(error: BaseException, server: Server, signs: Signs) -> str:
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
