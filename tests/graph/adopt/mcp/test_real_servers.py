"""Servers that people use. They are looked for on the PATH and in the folders that WAVEGRAPH_MCP_SERVERS names; one that is
not there is skipped."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra wavegraph[mcp] is not installed")

from langchain_core.tools import BaseTool

from wavegraph.graph.adopt.mcp import mcp_tools
from wavegraph.graph.adopt.mcp.connection import leave_all
from wavegraph.graph.errors import ToolRefusal

pytestmark = pytest.mark.attack  # a process of some hundred megabytes each


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    yield
    leave_all()


def command_of(program: str) -> str:
    folders = os.pathsep.join([os.environ.get("WAVEGRAPH_MCP_SERVERS", ""), os.environ.get("PATH", "")])
    found = shutil.which(program, path=folders)
    if found is None:
        pytest.skip(f"the program {program} is not here; WAVEGRAPH_MCP_SERVERS may name its folder")
    return found


def tools_of(name: str, program: str, *args: str, **more: Any) -> dict[str, BaseTool]:
    entry = {"command": command_of(program), "args": list(args), "wavegraph": {"starts_within_s": 60}, **more}
    return {tool.name: tool for tool in mcp_tools({"mcpServers": {name: entry}})}


def effects(tools: dict[str, BaseTool]) -> dict[str, tuple[str, bool | str]]:
    """What each tool is, and whether a person is asked."""
    known = {name: tool.metadata or {} for name, tool in tools.items()}
    return {name: (each["effect"], "once" if each["asks_once"] else each["approve"]) for name, each in known.items()}


def test_time() -> None:
    tools = tools_of("time", "mcp-server-time", "--local-timezone=UTC")
    assert effects(tools)["time_convert_time"] == ("read", "once")
    told = tools["time_convert_time"].invoke(
        {"source_timezone": "Asia/Tokyo", "time": "12:00", "target_timezone": "UTC"}
    )
    assert told["target"]["datetime"].endswith("03:00:00+00:00")
    with pytest.raises(ToolRefusal):
        tools["time_convert_time"].invoke({"source_timezone": "Mars", "time": "12:00", "target_timezone": "UTC"})


def test_git(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    tools = tools_of("git", "mcp-server-git", "--repository", str(tmp_path))
    assert effects(tools)["git_status"] == ("read", "once")
    assert effects(tools)["git_reset"][0] == "write"
    (tmp_path / "a.txt").write_text("a")
    tools["git_add"].invoke({"repo_path": str(tmp_path), "files": ["a.txt"]})
    assert "a.txt" in tools["git_status"].invoke({"repo_path": str(tmp_path)})["text"]


def test_filesystem(tmp_path: Path) -> None:
    command_of("node")
    tools = tools_of("files", "mcp-server-filesystem", str(tmp_path))
    assert effects(tools)["files_write_file"] == ("write", True)
    assert effects(tools)["files_create_directory"] == ("write", True)
    trusted = tools_of(
        "files", "mcp-server-filesystem", str(tmp_path), wavegraph={"trusted": True, "starts_within_s": 60}
    )
    assert effects(trusted)["files_create_directory"] == ("write", False)
    tools["files_write_file"].invoke({"path": str(tmp_path / "a.txt"), "content": "日本"})
    assert tools["files_read_text_file"].invoke({"path": str(tmp_path / "a.txt"), "head": None})["content"] == "日本"
    with pytest.raises(ToolRefusal, match=r"[Aa]ccess denied"):
        tools["files_read_text_file"].invoke({"path": "/etc/passwd"})


def test_everything() -> None:
    command_of("node")
    tools = tools_of("everything", "mcp-server-everything")
    structured = tools["everything_get_structured_content"].invoke({"location": "New York"})
    assert structured.keys() >= {"temperature", "conditions", "humidity"}
    [image] = tools["everything_get_tiny_image"].invoke({})["attachments"]
    assert image["mime_type"] == "image/png"
    told = tools["everything_trigger_long_running_operation"].invoke({"duration": 0.2, "steps": 2})
    assert "completed" in told["text"]


def test_sqlite(tmp_path: Path) -> None:
    """It says nothing of its tools, so each writes and asks, unless the file knows better."""
    says = {"starts_within_s": 60, "tools": {"read_query": {"effect": "read"}}}
    tools = tools_of("sqlite", "mcp-server-sqlite", "--db-path", str(tmp_path / "a.db"), wavegraph=says)
    assert effects(tools)["sqlite_write_query"] == ("write", True)
    assert effects(tools)["sqlite_read_query"] == ("read", False)
    tools["sqlite_create_table"].invoke({"query": "create table rooms (id integer, name text)"})
    tools["sqlite_write_query"].invoke({"query": "insert into rooms values (1, 'sea')"})
    assert "sea" in str(tools["sqlite_read_query"].invoke({"query": "select * from rooms"}))
