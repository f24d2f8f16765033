"""The misbehaving server, started as people start theirs: by an entry of a file."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.tools import BaseTool

from wavegraph.graph.adopt.mcp import mcp_tools

UNRULY = Path(__file__).with_name("unruly.py")
KEY = "k-93jfh2Lw0q77"


class Journal:
    """What a server was asked and did, over all its lives."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal"
        self.path.touch()

    @property
    def lines(self) -> list[str]:
        return self.path.read_text(encoding="utf-8").splitlines()

    def count(self, beginning: str) -> int:
        return sum(line.startswith(beginning) for line in self.lines)


def stdio(journal: Journal, mode: str = "", **more: Any) -> dict[str, Any]:
    args = ["-S", "-E", str(UNRULY), str(journal.path), *([mode] if mode else [])]
    return {"command": sys.executable, "args": args, "env": {"UNRULY_KEY": KEY}, **more}


def tools_of(entry: Mapping[str, Any], **more: Any) -> dict[str, BaseTool]:
    """The tools of one server, by the names that it gives them."""
    found = mcp_tools({"mcpServers": {"u": entry}}, **more)
    return {(tool.metadata or {})["mcp"]["tool"]: tool for tool in found}


class HttpServer:
    """The server over HTTP, which can be stopped and started at the same address."""

    def __init__(self, journal: Journal, mode: str = "") -> None:
        self._words = [sys.executable, "-S", "-E", str(UNRULY), "http", str(journal.path), *([mode] if mode else [])]
        self._port = "0"
        self._running: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        environ = {**os.environ, "UNRULY_PORT": self._port, "UNRULY_KEY": KEY}
        self._running = subprocess.Popen(self._words, stdout=subprocess.PIPE, text=True, env=environ)
        assert self._running.stdout is not None
        self._port = self._running.stdout.readline().strip()
        self.url = f"http://127.0.0.1:{self._port}/mcp"

    def stop(self) -> None:
        assert self._running is not None
        self._running.kill()
        self._running.communicate()


@contextmanager
def http(journal: Journal, mode: str = "") -> Iterator[HttpServer]:
    server = HttpServer(journal, mode)
    try:
        yield server
    finally:
        server.stop()
