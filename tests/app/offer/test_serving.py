"""`wavegraph mcp` over stdin and stdout and over HTTP, and how it ends."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra wavegraph[mcp] is not installed")

import httpx
import ready
from langgraph.graph import StateGraph
from mcp import Client
from offering import text_of
from shell import COMMAND, HERE, Inside, Shell, read_until
from stopping import HeldAgent
from till import ASK, Till

from wavegraph import build_graph
from wavegraph.app.offer.http import serve_http
from wavegraph.app.offer.server import Offer
from wavegraph.app.offer.stdio import lines_of
from wavegraph.app.terminal.door import Console
from wavegraph.app.terminal.options import Options
from wavegraph.app.terminal.session import open_session
from wavegraph.graph.errors import SettingsError

AGENT = "chatty:graph"
GREETING: list[dict[str, Any]] = [
    {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                                                 "clientInfo": {"name": "test", "version": "1"}}},
    {"method": "notifications/initialized"},
]  # fmt: skip


class Process(Shell):
    """`wavegraph mcp` with an agent whose tools write to stdout."""

    def offer(self, *words: str) -> ready.Process:
        self.held.touch()
        folders = os.pathsep.join(
            [str(HERE.parent / "support_mcp"), str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
        )
        environment = {**self._environment(), "CLERK_HELD": str(self.held), "PYTHONPATH": folders}
        line = ["mcp", AGENT, "--db", self.database, *words]
        self.started.append(ready.Process(COMMAND[2], line, cwd=HERE, env=environment))
        return self.started[-1]

    def resumed(self, thread: str) -> str:
        """What the request that was stopped comes to, at the command line."""
        self.held.unlink()
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(str(HERE.parent / "support_mcp"))
            patch.setenv("CLERK_HELD", str(self.held))
            done = Inside(self.home).plain("resume", thread, "--domain", AGENT, "--db", self.database)
        return done.stdout


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    process = Process(tmp_path)
    yield process
    process.close()


def write(running: ready.Process, *messages: dict[str, Any]) -> None:
    assert running.stdin is not None
    for message in messages:
        running.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    running.stdin.flush()


def call(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    return {"id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def replies(running: ready.Process, count: int) -> dict[int, Any]:
    """Every line of stdout is a message of the protocol."""
    assert running.stdout is not None
    messages = [json.loads(running.stdout.readline()) for _ in range(count)]
    return {message["id"]: message["result"] for message in messages}


def test_stdout_belongs_to_the_protocol_and_the_end_of_stdin_stops_the_work(process: Process) -> None:
    running = process.offer()
    assert running.stdin is not None
    running.stdin.write("garbage\n\n{}\n[1]\n")
    write(running, *GREETING, call(2, "shout", word="a"), call(3, "ask", request="shout:b", thread="u"))
    told = replies(running, 3)
    assert told[1]["serverInfo"]["name"] == AGENT
    assert told[2]["structuredContent"] == {"result": "a, 0 and 0 heard"}
    assert told[3]["structuredContent"]["answer"] == "b, 0 and 0 heard"

    write(running, call(4, "ask", request="shout:c rest:d", thread="t"))
    read_until(running, "resting")
    running.stdin.close()
    running.stdin = None  # what else closes the process would write to it
    assert running.wait(60) == 0
    assert "rested d" in process.resumed("t")


@pytest.mark.attack
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_work(number: signal.Signals, process: Process) -> None:
    running = process.offer()
    write(running, *GREETING, call(4, "ask", request="rest:d", thread="t"))
    read_until(running, "resting")
    running.send_signal(number)
    assert running.wait(60) == 130
    assert "rested d" in process.resumed("t")


async def test_over_http_as_a_process(process: Process) -> None:
    running = process.offer("--http", "--port", "0")
    address = (await asyncio.to_thread(read_until, running, "Ctrl-C ends it")).split()[-4].removesuffix(";")
    async with Client(address) as client:
        await client.list_tools()  # else it asks for them once it has the result, to check it
        asking = asyncio.create_task(client.call_tool("ask", {"request": "rest:d", "thread": "t"}))
        await asyncio.to_thread(read_until, running, "resting")
        running.send_signal(signal.SIGTERM)
        ended: Any = await asking
    assert ended.structured_content["outcome"] == "cancelled"
    assert await asyncio.to_thread(running.wait, 60) == 130
    assert "rested d" in await asyncio.to_thread(process.resumed, "t")


@asynccontextmanager
async def over_http(agent: StateGraph[Any, Any, Any, Any], folder: Path) -> AsyncIterator[str]:
    """The address of an agent that is offered over HTTP by this process."""
    options = Options(domain="own:graph", database=str(folder / "threads.db"))
    addresses: asyncio.Queue[str] = asyncio.Queue()
    async with open_session(options, Console(stderr=True), agent) as session:
        serving = asyncio.create_task(serve_http(Offer(session), 0, addresses.put_nowait))
        try:
            yield await addresses.get()
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_conversation_over_http(mode: str, tmp_path: Path) -> None:
    till, lines = Till(), list[str]()

    async def tell(progress: float, total: float | None, line: str | None) -> None:
        lines.append(str(line))

    async with over_http(build_graph(till.domain()), tmp_path) as address:
        async with Client(address, mode=mode) as client:
            asked = await client.call_tool("ask", {"request": ASK}, progress_callback=tell)
        thread = asked.structured_content["thread"]
        async with Client(address, mode=mode) as client:  # another connection goes on with it
            agreed = await client.call_tool("ask", {"request": "yes", "thread": thread})
    assert "paid 4, receipt 1" in text_of(agreed)
    assert lines[0] == f"thread {thread}"
    assert len(till.paid) == 1


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_cancel_over_http_stops_the_work(mode: str, tmp_path: Path) -> None:
    agent = HeldAgent("second wave")
    async with over_http(agent.graph(), tmp_path) as address, Client(address, mode=mode) as client:
        asking = asyncio.create_task(client.call_tool("ask", {"request": "bolts?", "thread": "t"}))
        await agent.held.reached.wait()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        while (done := await client.call_tool("ask", {"request": "", "thread": "t"})).is_error:
            assert "is at work" in text_of(done)  # the cancel came on a way of its own
    assert done.structured_content["answer"] == "belt: 12 units"
    assert agent.warehouse.ran("search") == ["search:bolt"]


STRANGERS: dict[str, tuple[dict[str, str], int]] = {
    "another host": ({"host": "evil.example"}, 421),
    "a page of another site": ({"origin": "https://evil.example"}, 403),
    "a page without an origin": ({"origin": "null"}, 403),
    "a form": ({"content-type": "text/plain"}, 415),
    "a body that is too large": ({}, 413),
}


async def test_strangers_are_turned_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_MAX_BODY_BYTES", "10000")
    found = {}
    usual = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    async with over_http(build_graph(Till().domain()), tmp_path) as address, httpx.AsyncClient() as http:
        for name, (headers, _) in STRANGERS.items():
            filler = "x" * (20_000 if not headers else 1)
            body = json.dumps({"jsonrpc": "2.0", **GREETING[0], "filler": filler})
            found[name] = (await http.post(address, headers={**usual, **headers}, content=body)).status_code
        body = json.dumps({"jsonrpc": "2.0", **GREETING[0]})
        own = await http.post(address, headers={**usual, "origin": "http://localhost:3000"}, content=body)
    assert found == {name: status for name, (_, status) in STRANGERS.items()}
    assert own.status_code == 200


async def test_it_listens_on_this_machine_alone_and_says_if_it_cannot(tmp_path: Path) -> None:
    options = Options(domain="own:graph", database=str(tmp_path / "threads.db"))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with open_session(options, Console(stderr=True), build_graph(Till().domain())) as session:
            with pytest.raises(SettingsError, match=f"cannot listen on port {port}: another program has it"):
                await serve_http(Offer(session), port, print)
    async with over_http(build_graph(Till().domain()), tmp_path) as address:
        assert address.startswith("http://127.0.0.1:")


MISUSE: dict[str, tuple[tuple[str, ...], str]] = {
    "no domain": ((), "Missing argument 'DOMAIN'"),
    "an unknown domain": (
        ("nosuch",),
        "unknown domain 'nosuch'; known: hotel, roster, or your own as package.module:attribute",
    ),
    "a module that is not there": (("nosuch:graph",), "No module named 'nosuch'"),
    "an attribute that is no graph": (("sys:path",), "domain 'sys:path': 'path' in sys is not a graph"),
    "a port without HTTP": (("hotel", "--port", "1"), "--port is of --http"),
    "a port that is none": (("hotel", "--http", "--port", "70000"), "less than or equal to 65535"),
    "an option of a request": (("hotel", "--json"), "No such option: --json"),
    "an unknown setting": (("hotel", "--set", "nosuch=1"), "nosuch"),
    "a database that cannot be": (("hotel", "--db", "/nosuch/x.db"), "/nosuch"),
}


@pytest.mark.parametrize("case", MISUSE)
def test_misuse_is_told_in_a_line(case: str, tmp_path: Path) -> None:
    words, told = MISUSE[case]
    done = Inside(tmp_path).plain("mcp", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wavegraph.app.offer.server", None)
    done = Inside(tmp_path).plain("mcp", "hotel")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("wavegraph: an MCP server needs pip install 'wavegraph[mcp]' (")


LINES: dict[str, tuple[bytes, list[str]]] = {
    "in pieces": ("a\nשלום\n".encode(), ["a", "שלום"]),
    "without an end": (b"a\nb", ["a", "b"]),
    "broken letters": (b"\xff\n", ["\ufffd"]),
    "too long": (b"a" * 200_000 + b"\nb\n", ["", "b"]),
    "nothing": (b"", []),
}


@pytest.mark.parametrize("case", LINES)
def test_lines_are_read_whole_and_no_longer_than_they_may_be(case: str, tmp_path: Path) -> None:
    content, lines = LINES[case]
    (tmp_path / "given").write_bytes(content)
    number = os.open(tmp_path / "given", os.O_RDONLY)
    try:
        assert list(lines_of(number, longest=100_000)) == lines
    finally:
        os.close(number)
