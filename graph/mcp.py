"""An agent with the tools of MCP servers, as the LangGraph server loads it: `WAVEGRAPH_MCP` names the file."""

import os
from typing import Any

from langgraph.graph.state import CompiledStateGraph

from wavegraph.graph.adopt.mcp.agent import mcp_agent
from wavegraph.graph.errors import SettingsError

__all__ = ["graph"]


def _served() -> CompiledStateGraph[Any, Any, Any, Any]:
    file = os.environ.get("WAVEGRAPH_MCP")
    if not file:
        raise SettingsError("WAVEGRAPH_MCP must name a file of MCP servers, such as servers.json")
    return mcp_agent(file).builder.compile(name="mcp")


graph = _served()
