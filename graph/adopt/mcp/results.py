"""What a tool gave: its structured content, else the JSON in its text, else the text; images and files beside it."""

import json
from collections.abc import Sequence
from typing import Any

from wavegraph.graph.secrets.scrubber import process

ATTACHMENTS = "attachments"
"""Under this key stand images, sounds, files and links, described without their bytes."""
LONGEST_ERROR = 2_000
"""Characters of a server's own words on what went wrong."""


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


def safe_excerpt(text: str) -> str:
    clean = process.scrub(text)  # before it is cut: half a secret is harder to find
    return clean if len(clean) <= LONGEST_ERROR else f"{clean[:LONGEST_ERROR]}…"


# What is declared


def arguments_schema(given: Any) -> dict[str, Any]:
    """A tool's arguments as an object's schema; anything else than one is taken for no arguments."""
    if not isinstance(given, dict) or given.get("type", "object") != "object":
        return {"type": "object", "properties": {}}
    if not given.get("properties"):  # any keys, or none are told: a planner could name no argument
        given = {key: part for key, part in given.items() if key not in ("additionalProperties", "patternProperties")}
    return {**given, "type": "object", "properties": given.get("properties") or {}}
