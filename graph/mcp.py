"""An agent with the tools of MCP servers, as the LangGraph server loads it: `WAVEGRAPH_MCP` names the file."""

import os
from typing import Any, NoReturn

from langgraph.graph.state import CompiledStateGraph

from wavegraph.graph.adopt.mcp.agent import mcp_agent
from wavegraph.graph.errors import SettingsError

__all__ = ["graph"]


def _served(file: str) -> CompiledStateGraph[Any, Any, Any, Any]:
    return mcp_agent(file).builder.compile(name="mcp")


def _unnamed() -> NoReturn:
    raise SettingsError("WAVEGRAPH_MCP must name a file of MCP servers, such as servers.json")


# Without a file a function, which says so to whoever asks for the graph: the module is imported by tools that only look.
graph: Any = _served(file) if (file := os.environ.get("WAVEGRAPH_MCP")) else _unnamed
