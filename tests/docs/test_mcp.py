"""The page on MCP servers, step by step, with a server of rooms."""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra wavegraph[mcp] is not installed")
sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

from endpoint import Serving, answers, plans
from plans import call, plan
from shell import Inside

from wavegraph.app.offer.asking import REPLY_SCHEMA
from wavegraph.app.offer.command import PORT
from wavegraph.app.offer.http import HOST, PATH
from wavegraph.app.offer.server import ASK
from wavegraph.graph.adopt.effects import nature
from wavegraph.graph.adopt.mcp.connection import leave_all
from wavegraph.graph.adopt.mcp.servers import STARTS_WITHIN_S, Override

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "start" / "mcp.md").read_text(encoding="utf-8")
ROOMS = '''
from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel

server = MCPServer("rooms")

class Room(BaseModel):
    room: int
    price: float

@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def cheapest() -> Room:
    """The cheapest free room."""
    return Room(room=7, price=80)

@server.tool()
def hold_room(room: int, guest: str) -> str:
    """Hold a room."""
    open("held", "w").write(f"{room} {guest}")
    return f"held {room}"

server.run("stdio")
'''


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    content = json.loads(blocks("json")[0])
    content["mcpServers"]["rooms"]["command"] = sys.executable
    (tmp_path / "servers.json").write_text(json.dumps(content))
    (tmp_path / "rooms.py").write_text(ROOMS)
    monkeypatch.setenv("ROOMS_KEY", "k-93jfh2Lw0q77")
    monkeypatch.setenv("WAVEGRAPH_MODEL", "scripted")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    return tmp_path


def test_the_steps_of_the_page(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = [call("c", "rooms_cheapest"),
            call("h", "rooms_hold_room", room={"ref": {"call": "c", "path": "room"}}, guest="Ada")]  # fmt: skip
    shell, kept = Inside(project), ("--db", str(project / "db"))
    try:
        with Serving() as endpoint:
            monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
            endpoint.plays(plans(plan(*both)))
            *_, program, option, file, text = re.findall(r'"[^"]+"|\S+', blocks("sh")[1])
            assert (program, option, file) == ("ask", "--mcp", "servers.json")
            servers = str(project / file)
            asked = shell.plain(program, option, servers, text.strip('"'), "--thread", "t", *kept)
            assert "Hold room 7 for Ada" in asked.stdout
            assert not (project / "held").exists()
            endpoint.plays(answers("Room 7 is held."))
            shell.plain("resume", "t", "--mcp", servers, "--reply", "yes", *kept)
            assert (project / "held").read_text() == "7 Ada"

            endpoint.plays(plans(plan(call("c", "rooms_cheapest"))), answers("Room 7."))
            names: dict[str, Any] = {}
            monkeypatch.chdir(project)
            exec(blocks("python")[0], names)  # noqa: S102
            ended = names["agent"].invoke({"messages": [("user", "?")]}, {"configurable": {"thread_id": "u"}})
            assert ended["answer"] == "Room 7."
    finally:
        leave_all()


def test_an_agent_is_offered_to_another_as_the_page_says(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the page's own entry, with the command on the path."""
    command = project / "bin" / "wavegraph"
    command.parent.mkdir()
    program = "from wavegraph.app.start import main; main()"
    environment = f'PYTHONPATH="{os.pathsep.join(filter(None, sys.path))}" XDG_DATA_HOME="{project}"'
    command.write_text(f"#!/bin/sh\n{environment} exec '{sys.executable}' -c '{program}' \"$@\"\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    (project / "hotel.json").write_text(blocks("json")[2])
    monkeypatch.chdir(project)
    both = [call("i", "hotel_get_hotel_info", topic="breakfast", kg=None, age=None, time=None),
            call("a", "hotel_ask", request="What time is breakfast?", thread="guest-1")]  # fmt: skip
    names: dict[str, Any] = {}
    try:
        with Serving() as endpoint:
            monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
            exec(blocks("python")[1], names)  # noqa: S102
            endpoint.plays(plans(plan(*both)), answers("Breakfast is served."))
            ended = names["agent"].invoke({"messages": [("user", "breakfast?")]})
    finally:
        leave_all()
    single, whole = (ended["results"][name] for name in ("i", "a"))
    assert (single["status"], whole["status"]) == ("ok", "ok")
    assert (whole["data"]["outcome"], whole["data"]["thread"]) == ("answered", "guest-1")
    assert single["data"]["topic"] == "breakfast"
    told = "Done without asking you: hotel ask (request: What time is breakfast?, thread: guest-1)."
    assert ended["answer"] == f"Breakfast is served.\n\n{told}"


def test_every_tool_and_field_of_an_offered_agent_is_told() -> None:
    fields = re.findall(r"`(\w+)`", re.findall(r"as text and structured: (.*) \|", PAGE)[0])
    assert fields == list(REPLY_SCHEMA["properties"])
    assert f"`{ASK}`" in PAGE
    [command] = [line for line in "".join(blocks("sh")).splitlines() if "--http" in line]
    assert command == f"wavegraph mcp hotel --http --port {PORT}"
    assert f"`http://{HOST}:{PORT}{PATH}`" in PAGE


def test_every_key_of_the_file_is_told() -> None:
    told = re.findall(r"^\| `([\w.]+)` \|", PAGE.partition("\n## Offer")[0], flags=re.MULTILINE)
    assert told == [
        *(f"tools.NAME.{field}" for field in Override.__annotations__),
        "trusted",
        "optional",
        "starts_within_s",
    ]
    assert f"`starts_within_s` | seconds to start and to list its tools; {STARTS_WITHIN_S:g} |" in PAGE


@pytest.mark.parametrize(("column", "trusted"), [(1, True), (2, False)])
def test_who_is_asked_is_told(column: int, trusted: bool) -> None:
    rows = re.findall(r"^\| is (.*?) \| (.*?) \| (.*?) \|$", PAGE, flags=re.MULTILINE)
    given: list[Any] = [
        ({}, {"effect": "read"}),
        ({"readOnlyHint": True}, {}),
        ({"destructiveHint": False}, {}),
        ({}, {}),
    ]
    found = [nature(hints, trusted=trusted, **says) for hints, says in given]
    words = {(True, False): "a person is asked, at each call", (False, True): "a person is asked, once a tool",
             (False, False): "nobody is asked"}  # fmt: skip
    assert [row[column] for row in rows] == [words[each["approve"] is True, each["asks_once"]] for each in found]


def test_every_variable_is_in_the_example() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert "#WAVEGRAPH_MCP=" in example
    assert json.loads(blocks("json")[1])["graphs"] == {"mcp": "wavegraph.graph.mcp:graph"}
