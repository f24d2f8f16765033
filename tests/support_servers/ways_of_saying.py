"""All places of a request to the server in which words for an agent may stand."""

from collections.abc import Callable
from typing import Any


def said(content: Any) -> dict[str, Any]:
    return {"assistant_id": "hotel", "input": {"messages": [{"role": "user", "content": content}]}}


def resumed(answer: Any) -> dict[str, Any]:
    return {"assistant_id": "hotel", "command": {"resume": answer}}


def rpc_body(method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def a2a(*texts: str) -> dict[str, Any]:
    parts = [{"kind": "text", "text": text} for text in texts]
    return rpc_body("message/send", {"message": {"role": "user", "parts": parts}})


def history(count: int) -> list[dict[str, Any]]:
    """Messages as a front end sends them that sends the whole conversation each time."""
    return [{"role": ("user", "assistant")[n % 2], "content": "hm?"} for n in range(count)]


WAYS_OF_SAYING: dict[str, Callable[[str], Any]] = {
    "a run": said,
    "a run's only text": lambda text: {"assistant_id": "hotel", "input": {"messages": text}},
    "a pair": lambda text: {"input": {"messages": [["user", text]]}},
    "blocks": lambda text: said([{"type": "text", "text": text[:5000]}, {"type": "text", "text": text[5000:]}]),
    "blocks that are texts": lambda text: said([text[:5000], text[5000:]]),
    "a picture": lambda text: said([{"type": "image", "data": text}, {"type": "text", "text": "?"}]),
    "a name": lambda text: {"input": {"messages": [{"role": "user", "content": "?", text: 1}]}},
    "the last of a history": lambda text: {"input": {"messages": [*history(4), {"type": "human", "content": text}]}},
    "another input": lambda text: {"input": {"whatever": {"deep": [[text]]}}},
    "a batch": lambda text: [said("hm?"), said(text)],
    "a reply": resumed,
    "a reason": lambda text: resumed({"decision": "reject", "reason": text}),
    "an inbox": lambda text: resumed({"decisions": [{"type": "reject", "message": text}]}),
    "an update": lambda text: {"command": {"update": {"messages": [{"role": "user", "content": text}]}}},
    "MCP": lambda text: rpc_body("tools/call", {"name": "hotel", "arguments": {"messages": text}}),
    "A2A": a2a,
    "A2A in parts": lambda text: a2a(text[:5000], text[5000:]),
    "a command": lambda text: rpc_body("run.start", {"assistant_id": "hotel", **said(text)}),
    "a state": lambda text: {"values": {"messages": [{"role": "user", "content": text}]}},
    "a copied thread": lambda text: {"supersteps": [{"updates": [{"values": {"messages": text}, "as_node": "x"}]}]},
}
"""By name: the body in which a text stands there."""
