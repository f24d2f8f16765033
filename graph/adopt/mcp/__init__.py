"""Tools of MCP servers, from the files that people already have for their desktop clients and editors."""

from wavegraph.graph.adopt.mcp.tools import mcp_tools

__all__ = ["mcp_tools"]
