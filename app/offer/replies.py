"""What goes back to a caller: data and text without secrets and card numbers, and errors that a program can act on."""

import asyncio
import json
import logging
import sqlite3
from collections.abc import Mapping
from typing import Any

from langgraph.errors import GraphRecursionError
from mcp_types import CallToolResult, TextContent
from pydantic import ValidationError

from wavegraph.graph.errors import WavegraphError, error_text, explain, kind_of_fault
from wavegraph.graph.guard.cards import mask_json
from wavegraph.graph.secrets.scrubber import process

logger = logging.getLogger("wavegraph")


async def without_cards(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments with card numbers masked, before anything reads them; off the loop, since they may be long."""
    return await asyncio.to_thread(lambda: {name: mask_json(value) for name, value in given.items()})


async def clean(value: Any) -> Any:
    """Text or data as it may leave."""
    return await asyncio.to_thread(lambda: mask_json(process.scrub_json(value)))


def reply(data: Mapping[str, Any], *texts: str, is_error: bool = False) -> CallToolResult:
    """Structured data beside texts; both are clean already."""
    content: list[Any] = [TextContent(type="text", text=text) for text in texts]
    return CallToolResult(content=content, structured_content=dict(data), is_error=is_error)


async def refusal(message: str) -> CallToolResult:
    """An error of the tool, which the caller reads and may act on."""
    return CallToolResult(content=[TextContent(type="text", text=await clean(message))], is_error=True)


async def misfit(error: ValidationError) -> CallToolResult:
    """The same of arguments that do not fit."""
    return await refusal(f"the arguments do not fit: {explain(error)}")


async def failure(error: Exception) -> CallToolResult:
    """The same of whatever was raised: only texts that are meant to be shown are shown."""
    return await refusal(_told(error))


def _told(error: Exception) -> str:
    match error:
        case WavegraphError():
            return error_text(error)
        case GraphRecursionError():
            return "the work did not end within the recursion limit; this is a bug in the agent"
    logger.error("a call failed: %s", kind_of_fault(error))
    what = (
        "its database or a file cannot be used" if isinstance(error, OSError | sqlite3.DatabaseError) else "it failed"
    )
    return f"{what} ({type(error).__name__}); the log of the server says where"


def as_text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
