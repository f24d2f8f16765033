"""Servers in the places of `mcp-server-time` and `server-filesystem`: their names, hints and forms, one tool each.

It is run as a program by a Python without packages, which starts at once.
"""

import json
import sys
from pathlib import Path
from typing import Any

TIME = {"timezone": {"type": "string"}, "datetime": {"type": "string"}, "day_of_week": {"type": "string"}}
TOOLS: dict[str, Any] = {
    "get_current_time": (["timezone"], TIME, {"readOnlyHint": True}),
    "write_file": (["path", "content"], {"content": {"type": "string"}}, {"readOnlyHint": False, "destructiveHint": True}),
}  # fmt: skip
NOW = {"timezone": "Asia/Tokyo", "datetime": "2026-11-23T04:07:30+09:00", "day_of_week": "Monday"}


def install(folder: Path) -> None:
    """Put both programs into a folder, for the PATH."""
    for program, tool in (("mcp-server-time", "get_current_time"), ("npx", "write_file")):
        (folder / program).write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{__file__}" {tool}\n')
        (folder / program).chmod(0o755)


def listed(name: str) -> dict[str, Any]:
    takes, gives, hints = TOOLS[name]
    return {
        "name": name,
        "inputSchema": {"type": "object", "properties": {each: {"type": "string"} for each in takes}, "required": takes},
        "outputSchema": {"type": "object", "properties": gives, "required": list(gives)},
        "annotations": hints,
    }  # fmt: skip


def called(name: str, given: dict[str, str]) -> dict[str, str]:
    if name == "get_current_time":
        return NOW
    Path(given["path"]).write_text(given["content"])
    return {"content": f"Successfully wrote to {given['path']}"}


def serve(name: str) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if (result := replied(name, message)) is not None:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


def replied(name: str, message: dict[str, Any]) -> dict[str, Any] | None:
    match message["method"]:
        case "initialize":
            about = {"name": name, "version": "1"}
            return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": about}
        case "tools/list":
            return {"tools": [listed(name)]}
        case "tools/call":
            found = called(name, message["params"]["arguments"])
            return {"content": [{"type": "text", "text": json.dumps(found)}], "structuredContent": found}
    return {} if "id" in message else None


if __name__ == "__main__":
    serve(sys.argv[1])
