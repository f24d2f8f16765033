"""An agent with the tools of MCP servers, as the LangGraph server loads it: `WAVEGRAPH_MCP` names the file."""

import os
from typing import Any, NoReturn

from wavegraph.graph.adopt.mcp.tools import mcp_agent
from wavegraph.graph.errors import SettingsError

__all__ = ["graph"]


def _no_file() -> NoReturn:
    raise SettingsError("WAVEGRAPH_MCP must name a file of MCP servers, such as servers.json")


# Without a file a function, which says so to whoever asks for the graph: the module is imported by tools that only look.
_file = os.environ.get("WAVEGRAPH_MCP")
graph: Any = mcp_agent(_file).builder.compile(name="mcp") if _file else _no_file
