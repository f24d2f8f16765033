"""`mcp_tools`: the tools of MCP servers, ready for an agent."""

import asyncio
import atexit
import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from wavegraph.graph import background
from wavegraph.graph.adopt.agent import CompiledAgent, create_agent
from wavegraph.graph.adopt.effects import nature
from wavegraph.graph.adopt.mcp.servers import ALL, Override, Server, Source, read_servers
from wavegraph.graph.adopt.schemas import reader
from wavegraph.graph.errors import SettingsError, error_text, logger
from wavegraph.graph.model.clients import ModelEnvironment
from wavegraph.graph.references.tidy import tidy_schema
from wavegraph.graph.secrets.ways_out import guard

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    from wavegraph.graph.adopt.mcp.connection import Connection


def mcp_tools(*sources: Source) -> list["BaseTool"]:
    """The tools of the MCP servers that files name, as LangChain tools with what the engine must know in `metadata`.

    `sources`: files as Claude Desktop, Claude Code, VS Code and Cursor have them, or what would stand in one.
    The servers are started to ask what they offer, and stay connected; each is started again when it has died.
    Raises SettingsError for a file that cannot be read, and for a server that cannot be used, unless the file calls it
    `optional`.
    """
    guard()
    offered = [
        (connection, tool, override)
        for connection, tools in _connected(read_servers(sources))
        for tool, override in _enabled_tools(connection.server, tools)
    ]
    names = unique_names([(connection.server.name, tool.name) for connection, tool, _ in offered])
    return [_langchain_tool(name, *each) for name, each in zip(names, offered, strict=True)]


def _connected(servers: Sequence[Server]) -> list[tuple["Connection", Sequence[Any]]]:
    """The servers that can be used, with their tools. Raises SettingsError."""
    try:
        from wavegraph.graph.adopt.mcp.connection import Connection, Trouble, leave_all
    except ModuleNotFoundError as error:
        raise SettingsError(f"MCP servers need pip install 'wavegraph[mcp]' ({error_text(error)})") from None
    connections = [Connection(server) for server in servers]
    atexit.unregister(leave_all)
    atexit.register(leave_all)

    async def ask_all() -> list[Any]:
        return list(await asyncio.gather(*(each.tools() for each in connections), return_exceptions=True))

    used = []
    for connection, found in zip(connections, background.run(ask_all()), strict=True):
        if isinstance(found, Trouble):
            problem = f"the MCP server {connection.server.name!r} cannot be used: {error_text(found)}"
            if not connection.server.optional:
                raise SettingsError(problem)
            logger.warning("%s; the agent goes without it", problem)
        elif isinstance(found, BaseException):
            raise found
        else:
            used.append((connection, found))
    return used


def _enabled_tools(server: Server, listed: Sequence[Any]) -> Iterator[tuple[Any, Override]]:
    """Each tool once: of two with one name, the first."""
    tools = {tool.name: tool for tool in reversed(listed)}
    if strangers := sorted(server.tools.keys() - tools.keys() - {ALL}):
        logger.warning("the MCP server %r has no tools %s, which its file speaks of", server.name, strangers)
    for tool in reversed(tools.values()):
        override: Override = {**server.tools.get(ALL, {}), **server.tools.get(tool.name, {})}
        if override.pop("enabled", True):
            yield tool, override


def _langchain_tool(name: str, connection: "Connection", tool: Any, override: Override) -> "BaseTool":
    from wavegraph.graph.adopt.mcp.tool import McpTool, arguments_schema

    hints = tool.annotations.model_dump(by_alias=True) if tool.annotations else {}
    metadata = {
        **nature(hints, trusted=connection.server.trusted, **override),  # type: ignore[misc]  # `enabled` is taken out
        "output_schema": tool.output_schema or None,
        "mcp": {"server": connection.server.name, "tool": tool.name},
    }
    return McpTool(
        name=name,
        description=tool.description or tool.title or tool.name,
        args_schema=arguments_schema(tool.input_schema),
        metadata=metadata,
        connection=connection,
        remote_name=tool.name,
        read_result=reader(tidy_schema(tool.output_schema or {}), "result"),
    )


# Names

LONGEST = 64
"""Characters that every provider takes."""
_MARK = 6
"""Characters that tell two names apart that would be the same."""


def unique_names(tools: Sequence[tuple[str, str]]) -> list[str]:
    """A name for each `(server, tool)`: both words, and a mark of its own where two would be the same, one is too long, or a
    word has no letter that is taken."""
    plain = [_joint_name(_word(server), _word(tool)) for server, tool in tools]
    return [
        name if plain.count(name) == 1 and len(name) <= LONGEST and all(map(_word, own)) else _marked_name(name, own)
        for name, own in zip(plain, tools, strict=True)
    ]


def _word(name: str) -> str:
    """In ASCII letters, digits and `_`; what has no such spelling is lost."""
    ascii_only = normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "_", ascii_only).strip("_")


def _joint_name(server: str, tool: str) -> str:
    if tool == server or tool.startswith(f"{server}_"):
        return tool  # `git_status` of `git`
    return f"{server}_{tool}".strip("_") or "tool"


def _marked_name(name: str, own: tuple[str, str]) -> str:
    mark = hashlib.blake2b("\0".join(own).encode(errors="surrogatepass"), digest_size=_MARK // 2).hexdigest()
    return f"{name[: LONGEST - _MARK - 1].rstrip('_')}_{mark}"


# An agent with them

NAME = "mcp"
PROMPT = "You do what the person asks with the tools of the servers that they have connected, and say what came of it."


def mcp_agent(source: Source) -> CompiledAgent:
    """The agent, without a checkpointer.

    Raises SettingsError for a file or server that cannot be used, and without a model: only a model can plan calls of
    unknown tools.
    """
    if not ModelEnvironment.from_env().has("planner"):
        raise SettingsError(
            "an agent with the tools of MCP servers needs a language model, and none is set up: set OPENAI_API_KEY and "
            "WAVEGRAPH_MODEL, or OPENAI_BASE_URL for a server of your own"
        )
    return create_agent(tools=mcp_tools(source), system_prompt=PROMPT, name=NAME)
