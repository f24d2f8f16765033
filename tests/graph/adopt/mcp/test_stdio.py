"""A server that misbehaves in every way we could think of, as a process: each call ends as data or as a typed error."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tables import table

pytest.importorskip("mcp", reason="the extra wavegraph[mcp] is not installed")

from patience import HANGS_S, until
from unruly_servers import KEY, Journal, stdio, tools_of

from wavegraph.graph.adopt.mcp.connection import leave_all
from wavegraph.graph.adopt.mcp.tools import mcp_tools
from wavegraph.graph.errors import ConnectionLost, SettingsError, ToolRefusal


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    """No server outlives its test."""
    yield
    leave_all()


@dataclass(frozen=True)
class Given:
    tool: str
    expect: Any


GIVEN = [
    Given("plain", {"text": "plain words"}),
    Given("number", {"n": 3}),
    Given("number_in_a_text", {"n": 3}),
    Given("json", {"rooms": [{"id": "a", "price": 120}]}),
    Given("records", [{"n": 1}, {"n": 2}]),
    Given("empty", {"text": ""}),
    Given("echo", {"given": {"a": 1}}),
    Given("twice", {"text": "first"}),
    Given("for_another", {"text": "yours"}),
    Given("babbles", {"text": "after all"}),
    Given("asks_back", {"text": "went on"}),
    Given("slowly", {"text": "ready"}),
    Given("floods", {"text": "ready"}),
    Given("odd_output", {"n": 1}),
    Given("broken_output", {"n": "x"}),
    Given("huge", {"text": "x" * 3_000_000}),
    Given("deep", {"text": "[" * 5000 + "]" * 5000}),
]


@dataclass(frozen=True)
class Refused:
    tool: str
    code: str
    says: str


REFUSED = [
    Refused("refuses", "tool_error", "no such room"),
    Refused("fails", "tool_error", "is down"),
    Refused("not_a_result", "unexpected_data", "not of the protocol"),
    Refused("not_a_number", "unexpected_data", "result.n = 'three': Input should be a valid integer"),
    Refused("no_number", "unexpected_data", "result = None: Input should be a valid dictionary"),
]


@pytest.mark.filterwarnings("error")
def test_every_call_ends(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tools = tools_of(stdio(Journal(tmp_path)))
    assert {each.tool: tools[each.tool].invoke({"a": 1, "b": None}) for each in GIVEN} == {
        each.tool: each.expect for each in GIVEN
    }
    for each in REFUSED:
        with pytest.raises(ToolRefusal) as refused:
            tools[each.tool].invoke({})
        assert (refused.value.code, each.says in refused.value.message) == (each.code, True), each.tool
        assert KEY not in refused.value.message
        assert len(refused.value.message) < 2_100
    assert KEY not in caplog.text


@pytest.mark.parametrize("tool", ["dies", "dies_having_written"])
def test_a_server_that_dies_in_a_call_is_started_again(tmp_path: Path, tool: str) -> None:
    journal = Journal(tmp_path)
    tools = tools_of(stdio(journal))
    with pytest.raises(ConnectionLost):
        tools[tool].invoke({})
    assert tools["plain"].invoke({}) == {"text": "plain words"}
    assert (journal.count(f"called {tool}"), journal.count("started")) == (1, 2)


def test_a_server_that_dies_between_calls_is_started_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    tools = tools_of(stdio(journal))
    assert tools["dies_after"].invoke({}) == {"text": "done, and gone"}
    with suppress(ConnectionLost):  # sent before its end was noticed
        tools["number"].invoke({})
    assert tools["number"].invoke({}) == {"n": 3}
    assert journal.count("started") == 2


def test_siblings_of_a_call_that_kills_the_server_are_lost_with_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    tools = tools_of(stdio(journal))

    async def both() -> list[Any]:
        waiting = asyncio.create_task(tools["hangs"].ainvoke({}))
        await until(lambda: journal.count("called hangs"))
        return list(await asyncio.gather(tools["dies"].ainvoke({}), waiting, return_exceptions=True))

    assert [type(each) for each in asyncio.run(both())] == [ConnectionLost, ConnectionLost]


async def test_a_cancelled_call_is_cancelled_at_the_server(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    tools = await asyncio.to_thread(tools_of, stdio(journal))
    call = asyncio.create_task(tools["hangs"].ainvoke({}))
    await until(lambda: journal.count("called hangs"))
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await until(lambda: journal.count("stopped"))
    assert await tools["plain"].ainvoke({}) == {"text": "plain words"}
    assert journal.count("started") == 1


def test_one_session_serves_loops_and_threads(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    tools = tools_of(stdio(journal))
    found: list[Any] = []
    workers = [threading.Thread(target=lambda: found.append(tools["number"].invoke({}))) for _ in range(3)]
    workers += [
        threading.Thread(target=lambda: found.append(asyncio.run(tools["number"].ainvoke({})))) for _ in range(3)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(HANGS_S)
    assert found == [{"n": 3}] * 6
    assert journal.count("started") == 1


async def test_calls_of_one_loop_run_side_by_side(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    tools = await asyncio.to_thread(tools_of, stdio(journal))
    hanging = [asyncio.create_task(tools["hangs"].ainvoke({})) for _ in range(3)]
    await until(lambda: journal.count("called hangs") == 3)
    assert await tools["number"].ainvoke({}) == {"n": 3}
    for call in hanging:
        call.cancel()
    await asyncio.gather(*hanging, return_exceptions=True)


@dataclass(frozen=True)
class Start:
    mode: str
    says: str


STARTS = [
    Start("dies_at_once", "it ended before it could be asked anything; its last words: DATABASE_URL is not set"),
    Start("mute", "it did not answer within 0.6 s"),
    Start("shuts_up", "it did not answer within 0.6 s"),
    Start("endless", "it did not answer within 0.6 s"),
]


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.mode)
def test_a_server_that_does_not_start_says_why(tmp_path: Path, start: Start) -> None:
    patience = 30 if "within" not in start.says else 0.6
    entry = stdio(Journal(tmp_path), start.mode, wavegraph={"starts_within_s": patience})
    with pytest.raises(SettingsError) as refused:
        tools_of(entry)
    assert str(refused.value).startswith(f"the MCP server 'u' cannot be used: {start.says}")
    assert KEY not in str(refused.value)


@table(
    ("entry", "says"),
    [
        ({"command": "no-such-program-here"}, "the program 'no-such-program-here' is not found"),
        ({"command": "/"}, "the program '/' cannot be started (Permission denied)"),
        ({"command": "true", "cwd": "/no/such/folder"}, "its folder '/no/such/folder' does not exist"),
        ({"command": "true"}, "it ended before it could be asked anything"),
        ({"command": "cat"}, "cannot be used"),
        ({"url": "http://127.0.0.1:9/mcp"}, "it cannot be reached"),
        ({"url": "https://127.0.0.1:9/mcp"}, "it cannot be reached"),
    ],
)
def test_a_server_that_is_not_there_says_so(entry: dict[str, Any], says: str) -> None:
    with pytest.raises(SettingsError) as refused:
        tools_of({**entry, "wavegraph": {"starts_within_s": HANGS_S}})
    assert says in str(refused.value)


def test_an_optional_server_is_done_without(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    gone = stdio(Journal(tmp_path), "dies_at_once", wavegraph={"optional": True})
    servers = {"gone": gone, "here": stdio(Journal(tmp_path), "paged")}
    tools = mcp_tools({"mcpServers": servers})
    assert [tool.name for tool in tools] == ["here_plain", "here_write"]
    assert "the MCP server 'gone' cannot be used" in caplog.text
    assert KEY not in caplog.text


def test_two_servers_with_the_same_tools_keep_them_apart(tmp_path: Path) -> None:
    one, two = Journal(tmp_path), tmp_path / "two"
    two.mkdir()
    tools = mcp_tools({"servers": {"a": stdio(one, "paged"), "b": stdio(Journal(two), "paged")}})
    assert [tool.name for tool in tools] == ["a_plain", "a_write", "b_plain", "b_write"]
    tools[3].invoke({})
    assert (one.count("called"), Journal(two).count("called write")) == (0, 1)


def test_of_two_tools_with_one_name_the_first_is_taken(tmp_path: Path) -> None:
    [tool] = mcp_tools({"servers": {"u": stdio(Journal(tmp_path), "twins")}})
    assert tool.name == "u_same"


def test_a_server_may_be_odd(tmp_path: Path) -> None:
    assert tools_of(stdio(Journal(tmp_path), "no_tools")) == {}
    assert tools_of(stdio(Journal(tmp_path), "chatty"))["number"].invoke({}) == {"n": 3}


@pytest.mark.attack
def test_a_server_that_stays_is_killed(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    assert tools_of(stdio(journal, "stays"))["number"].invoke({}) == {"n": 3}
    leave_all()
    [started] = [line for line in journal.lines if line.startswith("started")]
    assert not Path(f"/proc/{started.split()[1]}").exists()


def test_a_tool_may_be_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    says = {"*": {"enabled": False}, "plain": {"enabled": True}, "gone": {"enabled": False}}
    assert list(tools_of(stdio(Journal(tmp_path), wavegraph={"tools": says}))) == ["plain"]
    assert "has no tools ['gone'], which its file speaks of" in caplog.text


def test_bytes_are_described(tmp_path: Path) -> None:
    from unruly import PNG

    tools = tools_of(stdio(Journal(tmp_path)))
    told = tools["image"].invoke({})
    [image] = told["attachments"]
    assert (told["text"], image["type"], image["mime_type"], image["bytes"]) == (
        "a chart",
        "image",
        "image/png",
        len(PNG),
    )
    inside, binary, link = tools["file"].invoke({})["attachments"]
    assert (inside["text"], binary["bytes"], link["uri"]) == ("inside", 2, "https://example.com/c")


def test_a_tool_message_holds_the_server_s_own_content(tmp_path: Path) -> None:
    from unruly import IMAGE

    tools = tools_of(stdio(Journal(tmp_path)))
    message = tools["image"].invoke({"type": "tool_call", "id": "1", "name": tools["image"].name, "args": {}})
    assert message.artifact[1] == IMAGE


def test_arguments_may_have_any_name(tmp_path: Path) -> None:
    echo = tools_of(stdio(Journal(tmp_path)))["echo"]
    for name in ("self", "config", "run_manager", "callbacks", "tool", "name", "Ünïcode key"):
        assert echo.invoke({name: "x"}) == {"given": {name: "x"}}


def test_servers_end_with_their_connections(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = Journal(tmp_path)
    tools = tools_of(stdio(journal))
    caplog.clear()
    leave_all()
    assert journal.lines[-1] == "left"
    assert tools["number"].invoke({}) == {"n": 3}
    assert journal.count("started") == 2
    assert not [record for record in caplog.records if record.name == "wavegraph"]
