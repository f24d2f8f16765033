"""A server that misbehaves over HTTP."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="the extra wavegraph[mcp] is not installed")

from patience import until
from unruly_servers import KEY, Journal, http, tools_of

from wavegraph.graph.adopt.mcp.connection import leave_all
from wavegraph.graph.errors import ConnectionLost, SettingsError, ToolRefusal


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    yield
    leave_all()


def test_calls_over_http_end(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with http(journal) as server:
        tools = tools_of({"url": server.url})
        assert tools["number"].invoke({}) == {"n": 3}
        assert tools["slowly"].invoke({}) == {"text": "ready"}
        with pytest.raises(ToolRefusal, match="the server's reply is not of the protocol"):
            tools["babbles"].invoke({})
        with pytest.raises(ToolRefusal, match="no such room"):
            tools["refuses"].invoke({})
        leave_all()
        assert journal.lines[-1] == "left"


def test_a_server_that_is_started_anew_gets_the_call(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with http(journal) as server:
        tools = tools_of({"url": server.url})
        server.stop()
        server.start()
        assert tools["write"].invoke({}) == {"text": "written"}
        assert (journal.count("called write"), journal.count("started")) == (1, 2)


def test_a_server_that_is_gone_got_nothing(tmp_path: Path) -> None:
    with http(Journal(tmp_path)) as server:
        tools = tools_of({"url": server.url})
        server.stop()
        ends = []
        for _ in range(2):
            with pytest.raises((ConnectionLost, ToolRefusal)) as ended:
                tools["write"].invoke({})
            ends.append(ended.value)
        assert isinstance(ends[1], ToolRefusal)
        assert (ends[1].code, ends[1].retryable) == ("server_down", True)
        assert "127.0.0.1" not in ends[1].message
        server.start()
        assert tools["number"].invoke({}) == {"n": 3}


@pytest.mark.parametrize("way", ["drops", "gateway_fails", "dies_having_written"])
def test_a_connection_that_breaks_in_a_call_leaves_it_unknown(tmp_path: Path, way: str) -> None:
    journal = Journal(tmp_path)
    with http(journal) as server:
        tools = tools_of({"url": server.url})
        call = tools["write"].model_copy(update={"remote_name": way})
        with pytest.raises(ConnectionLost):
            call.invoke({})
        assert journal.count("written") == 1


@pytest.mark.parametrize(
    ("mode", "headers", "says"),
    [("locked", {}, "it refuses the login (HTTP 401)"), ("locked", {"Authorization": "Bearer wrong-key-1234"}, "HTTP 401"),
     ("page", {}, "it answers: Unexpected content type: text/html")],
)  # fmt: skip
def test_a_server_that_is_another_says_so(tmp_path: Path, mode: str, headers: dict[str, str], says: str) -> None:
    with http(Journal(tmp_path), mode) as server, pytest.raises(SettingsError) as refused:
        tools_of({"url": server.url, "headers": headers})
    assert says in str(refused.value)
    assert "wrong-key-1234" not in str(refused.value)


def test_headers_open_a_locked_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNRULY_TOKEN", KEY)
    with http(Journal(tmp_path), "locked") as server:
        tools = tools_of({"type": "http", "url": server.url, "headers": {"Authorization": "Bearer ${UNRULY_TOKEN}"}})
        assert tools["number"].invoke({}) == {"n": 3}


async def test_a_cancelled_call_is_cancelled_at_the_server(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with http(journal) as server:
        tools = await asyncio.to_thread(tools_of, {"url": server.url})
        call = asyncio.create_task(tools["hangs"].ainvoke({}))
        await until(lambda: journal.count("called hangs"))
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: journal.count("stopped"))
