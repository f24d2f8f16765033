"""A server's tool as a LangChain tool, and what it gave: its structured content, else the JSON in its text, else the text; images
and files beside it."""

import asyncio
import contextvars
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal

from langchain_core.tools import BaseTool
from mcp import MCPError
from mcp_types import INVALID_PARAMS, METHOD_NOT_FOUND, PARSE_ERROR, CallToolResult
from pydantic import ConfigDict, Field, ValidationError

from wavegraph.graph import background, events
from wavegraph.graph.adopt.mcp.connection import Connection, Progress, Trouble, safe_excerpt
from wavegraph.graph.errors import ToolRefusal, error_text, explain

_CODES: Mapping[int, str] = {INVALID_PARAMS: "bad_arguments", METHOD_NOT_FOUND: "unknown_tool"}
"""For JSON-RPC's own errors; any other is the tool's: it may have done part of its work."""


class McpTool(BaseTool):
    """Calls one tool of one server. `metadata` says what the engine must know of it."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    connection: Connection = Field(exclude=True, repr=False)
    remote_name: str = Field(exclude=True, repr=False)
    read_result: Callable[[Any], Any] = Field(exclude=True, repr=False)
    """Holds structured content against what the server declares; raises pydantic's ValidationError."""

    def _run(self, /, *_: Any, **arguments: Any) -> Any:
        return background.run(self._arun(**arguments))

    async def _arun(self, /, *_: Any, **arguments: Any) -> Any:
        """The result's data, and the server's own content as the artifact.

        Arguments that are null are left out: servers take them for values. Raises ToolRefusal, ConnectionLost.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        reply = await self._reply(given)
        if not isinstance(reply, CallToolResult):
            raise ToolRefusal("needs_input", f"{self.name} asks the person for input in a way that is not known here")
        if reply.is_error:
            raise ToolRefusal("tool_error", f"{self.name}: {error_of(reply.content)}")
        try:
            structured = self.read_result(reply.structured_content)
        except ValidationError as error:
            fault = f"{self.name} gave what its server does not declare: {explain(error)}"
            raise ToolRefusal("unexpected_data", fault) from None
        is_closed = ((self.metadata or {}).get("output_schema") or {}).get("additionalProperties") is False
        data = data_of(reply.content, structured, is_closed)
        return data, [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in reply.content]

    async def _reply(self, given: Mapping[str, Any]) -> Any:
        try:
            return await self.connection.call(self.remote_name, given, _progress_of(self.name))
        except Trouble as error:
            problem = f"the MCP server {self.connection.server.name!r} cannot be used: {error_text(error)}"
            refusal = ToolRefusal("server_down", problem, retryable=True)
        except (MCPError, ValidationError) as error:
            if isinstance(error, MCPError) and error.code != PARSE_ERROR:
                problem = f"{self.name}: {safe_excerpt(error.message)}"
                refusal = ToolRefusal(_CODES.get(error.code, "tool_error"), problem)
            else:
                refusal = ToolRefusal("unexpected_data", f"{self.name}: the server's reply is not of the protocol")
        raise refusal  # here, without the error it is made of: that may hold a secret


def _progress_of(tool: str) -> Progress:
    """Tells the run that a call belongs to how far it has come; the newest figures alone, if they come too fast."""
    context, loop = contextvars.copy_context(), asyncio.get_running_loop()
    waiting: list[Mapping[str, Any]] = []

    def tell() -> None:
        with suppress(RuntimeError, KeyError):  # not called within a run
            events.progress(tool, **waiting.pop())

    async def report(progress: float, total: float | None, message: str | None) -> None:
        figures = {"progress": progress, "total": total, "message": message}
        is_first = not waiting
        waiting[:] = [{name: value for name, value in figures.items() if value is not None}]
        if is_first:
            with suppress(RuntimeError):  # the run's loop is closed
                loop.call_soon_threadsafe(context.run, tell)

    return report


# What a tool gave

ATTACHMENTS = "attachments"
"""Under this key stand images, sounds, files and links, described without their bytes."""


def data_of(content: Sequence[Any], structured: Any, closed: bool) -> Any:
    """A result as JSON. `closed`: the declared shape takes no more keys."""
    attached = [attachment(each) for each in content if each.type != "text"]
    texts = [each.text for each in content if each.type == "text"]
    data = structured if structured is not None else _data_of_texts(texts, bare=bool(attached))
    if not attached:
        return data
    if isinstance(data, dict) and ATTACHMENTS not in data:
        return data if closed and structured is not None else {**data, ATTACHMENTS: attached}
    return data if structured is not None else {"result": data, ATTACHMENTS: attached}


def _data_of_texts(texts: Sequence[str], *, bare: bool) -> Any:
    """Several texts that are all JSON are a list: some servers give each element its own."""
    if bare and not any(texts):
        return {}
    parsed = [_json(text) for text in texts]
    if parsed and None not in parsed:
        return parsed[0] if len(parsed) == 1 else parsed
    return {"text": "\n".join(texts)}


def _json(text: str) -> Any:
    """The object or list that a text is; None = it is neither."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text, parse_constant=int)  # which refuses NaN and Infinity: they are not JSON
    except (ValueError, RecursionError):
        return None


def attachment(block: Any) -> dict[str, Any]:
    """What a block is, without its bytes: they would fill the state and every prompt."""
    if block.type in ("image", "audio"):
        return {"type": block.type, "mime_type": block.mime_type, "bytes": _size(block.data)}
    if block.type == "resource_link":
        link = {"uri": str(block.uri), "name": block.name, "mime_type": block.mime_type, "bytes": block.size}
        return {"type": "resource_link", **{name: value for name, value in link.items() if value is not None}}
    inside = block.resource
    about = {"type": "resource", "uri": str(inside.uri)}
    about |= {"mime_type": inside.mime_type} if inside.mime_type else {}
    text = getattr(inside, "text", None)
    return {**about, "text": text} if text is not None else {**about, "bytes": _size(inside.blob)}


def _size(base64: str) -> int:
    """How many bytes it is of."""
    return len(base64.rstrip("=")) * 3 // 4


def error_of(content: Sequence[Any]) -> str:
    """The server's own words on what went wrong, safe to show."""
    text = " ".join("\n".join(each.text for each in content if each.type == "text").split())
    return safe_excerpt(text) or "no reason is given"


# What is declared


def arguments_schema(given: Any) -> dict[str, Any]:
    """A tool's arguments as an object's schema; anything else than one is taken for no arguments."""
    if not isinstance(given, dict) or given.get("type", "object") != "object":
        return {"type": "object", "properties": {}}
    if not given.get("properties"):  # any keys, or none are told: a planner could name no argument
        given = {key: part for key, part in given.items() if key not in ("additionalProperties", "patternProperties")}
    return {**given, "type": "object", "properties": given.get("properties") or {}}
