"""An agent with the tools of MCP servers: planned by a model, run by the engine."""

import asyncio
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra wavegraph[mcp] is not installed")

from endpoint import Endpoint, answers, plans
from langgraph.checkpoint.memory import InMemorySaver
from patience import until
from plans import call, plan
from shell import Inside
from unruly_servers import KEY, Journal, stdio

from wavegraph import Limits, SettingsError, create_agent
from wavegraph.graph.adopt.mcp import mcp_tools
from wavegraph.graph.adopt.mcp.connection import leave_all
from wavegraph.graph.adopt.mcp.tools import mcp_agent

ON_T: Any = {"configurable": {"thread_id": "t"}}
ASKED: Any = {"messages": [("user", "go")]}


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    yield
    leave_all()


def trusted(journal: Journal, says: Any = None) -> dict[str, Any]:
    """The server, in whose hints the file believes (`test_lying_servers` has those of others)."""
    return {"mcpServers": {"u": stdio(journal, wavegraph={"trusted": True, "tools": says or {}})}}


def agent(journal: Journal, says: Any = None, **more: Any) -> Any:
    tools = mcp_tools(trusted(journal, says))
    return create_agent("openai:scripted", tools=tools, checkpointer=InMemorySaver(), **more)


def test_a_reference_leads_from_one_server_s_result_into_another_call(tmp_path: Path, endpoint: Endpoint) -> None:
    journal = Journal(tmp_path)
    both = plan(call("a", "u_number"), call("b", "u_echo", n={"ref": {"call": "a", "path": "n"}}, note=None))
    endpoint.plays(plans(both), answers("It is 3."))
    ended = agent(journal).invoke(ASKED, ON_T)
    assert ended["results"]["b"]["data"] == {"given": {"n": 3}}
    assert (ended["outcome"], ended["answer"]) == ("answered", "It is 3.")
    assert "u_number(): Does number. Result: {n: int}" in endpoint.of("plan")[0].system


def test_a_reference_to_what_is_not_declared_is_refused_before_anything_runs(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    journal = Journal(tmp_path)
    wrong = plan(call("a", "u_number"), call("b", "u_echo", n={"ref": {"call": "a", "path": "total"}}, note=None))
    endpoint.plays(plans(wrong), plans(plan(reply="I cannot.")))
    ended = agent(journal).invoke(ASKED, ON_T)
    assert journal.count("called") == 0
    assert ended["answer"] == "I cannot."


@pytest.mark.parametrize(("reply", "written"), [("yes", 1), ("no", 0)])
def test_a_write_waits_for_a_person(tmp_path: Path, endpoint: Endpoint, reply: str, written: int) -> None:
    journal = Journal(tmp_path)
    asking = agent(journal, {"write": {"approve": "Write {path}"}})
    endpoint.plays(plans(plan(call("w", "u_write", path="/a"))))
    [question] = asking.invoke(ASKED, ON_T)["__interrupt__"]
    assert (question.value["summary"], journal.count("called")) == ("Write /a", 0)
    endpoint.plays(answers("So it is."))
    asking.invoke({"messages": [("user", reply)]}, ON_T)
    assert journal.count('called write {"path": "/a"}') == written


def test_a_write_whose_server_died_may_have_happened(tmp_path: Path, endpoint: Endpoint) -> None:
    journal = Journal(tmp_path)
    endpoint.plays(plans(plan(call("w", "u_dies_having_written"))), plans(plan(reply="It may have been written.")))
    ended = agent(journal, {"*": {"approve": False}}).invoke(ASKED, ON_T)
    assert ended["results"]["w"]["error"]["code"] == "write_unknown"
    assert journal.count("written") == 1


def test_a_server_that_dies_leaves_another_way(tmp_path: Path, endpoint: Endpoint) -> None:
    journal = Journal(tmp_path)
    endpoint.plays(
        plans(plan(call("a", "u_dies"))), plans(plan(call("b", "u_number", instead_of="a"))), answers("It is 3.")
    )
    ended = agent(journal, limits=Limits(tool_attempts=1)).invoke(ASKED, ON_T)
    assert ended["results"]["b"]["data"] == {"n": 3}
    assert ended["answer"] == "It is 3."
    assert KEY not in endpoint.of("plan")[1].system


def test_a_read_is_tried_again_on_a_new_server(tmp_path: Path, endpoint: Endpoint) -> None:
    journal = Journal(tmp_path)
    endpoint.plays(plans(plan(call("a", "u_dies_once"))), answers("It is well."))
    ended = agent(journal).invoke(ASKED, ON_T)
    assert (ended["results"]["a"]["data"], ended["results"]["a"]["attempts"]) == ({"text": "well again"}, 2)


def test_progress_is_an_event(tmp_path: Path, endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(call("a", "u_slowly"))), answers("Ready."))
    events = list(agent(Journal(tmp_path)).stream(ASKED, ON_T, stream_mode="custom"))
    told = [event["progress"] for event in events if event["event"] == "tool_progress"]
    assert told[-1] == {"progress": 3.0, "total": 3.0, "message": "part 3"}


async def test_a_run_that_is_cancelled_tells_the_server(tmp_path: Path, endpoint: Endpoint) -> None:
    journal = Journal(tmp_path)
    endpoint.plays(plans(plan(call("a", "u_hangs"))))
    running = asyncio.create_task((await asyncio.to_thread(agent, journal)).ainvoke(ASKED, ON_T))
    await until(lambda: journal.count("called hangs"))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await until(lambda: journal.count("stopped"))


def test_a_call_out_of_time_is_an_issue(tmp_path: Path, endpoint: Endpoint) -> None:
    journal = Journal(tmp_path)
    endpoint.plays(plans(plan(call("a", "u_hangs"))), plans(plan(reply="It does not answer.")))
    ended = agent(journal, limits=Limits(tool_attempts=1, tool_timeout_s=0.5)).invoke(ASKED, ON_T)
    assert (ended["results"]["a"]["status"], ended["answer"]) == ("timeout", "It does not answer.")


def test_a_server_s_secret_is_in_no_state(tmp_path: Path, endpoint: Endpoint) -> None:
    endpoint.plays(
        plans(plan(call("a", "u_tells_key"), call("b", "u_fails"))),
        plans(plan(reply="It is down.")),
    )
    telling = agent(Journal(tmp_path))
    ended = telling.invoke(ASKED, ON_T)
    assert "my key is [secret removed]" in ended["results"]["a"]["data"]["text"]
    assert ended["results"]["b"]["error"]["message"].startswith("u_fails: database at [secret removed] is down")
    kept = [str(snapshot.values) for snapshot in telling.get_state_history(ON_T)]
    assert not [state for state in kept if KEY in state]
    assert not [request for request in endpoint.received if KEY in str(request)]


def test_without_a_model_it_says_what_it_needs(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(SettingsError, match="needs a language model, and none is set up"):
        mcp_agent({"mcpServers": {"u": stdio(journal)}})
    assert journal.lines == []


def test_a_served_graph_reads_the_same_file(
    tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file := tmp_path / "servers.json").write_text(json.dumps(trusted(Journal(tmp_path))))
    monkeypatch.setenv("WAVEGRAPH_MCP", str(file))
    monkeypatch.delitem(sys.modules, "wavegraph.graph.mcp", raising=False)
    served = importlib.import_module("wavegraph.graph.mcp").graph
    endpoint.plays(plans(plan(call("a", "u_number"))), answers("It is 3."))
    assert served.invoke(ASKED, ON_T)["answer"] == "It is 3."


def test_the_served_graph_needs_the_file_s_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAVEGRAPH_MCP", raising=False)
    monkeypatch.delitem(sys.modules, "wavegraph.graph.mcp", raising=False)
    served = importlib.import_module("wavegraph.graph.mcp").graph
    with pytest.raises(SettingsError, match="WAVEGRAPH_MCP must name a file of MCP servers"):
        served()


# The command line


@pytest.fixture
def servers(tmp_path: Path) -> Path:
    content = trusted(Journal(tmp_path), {"write": {"approve": "Write {path}"}})
    (file := tmp_path / "servers.json").write_text(json.dumps(content))
    return file


def test_a_request_asks_and_is_approved_at_the_command_line(tmp_path: Path, servers: Path, endpoint: Endpoint) -> None:
    shell, journal = Inside(tmp_path), Journal(tmp_path)
    kept = ("--db", shell.database)
    endpoint.plays(plans(plan(call("a", "u_number"), call("w", "u_write", path="/a"))))
    asked = shell.plain("ask", "--mcp", str(servers), "--thread", "t", *kept, "write it")
    assert "Write /a" in asked.stdout
    assert f"--domain mcp:{servers}" in asked.stderr
    endpoint.plays(answers("It is written."))
    done = shell.plain("approvals", "approve", "t", "--for-asker", "--domain", f"mcp:{servers}", *kept)
    assert (done.returncode, "It is written." in done.stdout) == (0, True)
    assert journal.count('called write {"path": "/a"}') == 1


def test_a_read_by_its_server_s_word_is_asked_about_once_at_the_command_line(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    """Each command opens the conversation anew."""
    shell, journal = Inside(tmp_path), Journal(tmp_path)
    (file := tmp_path / "servers.json").write_text(json.dumps({"mcpServers": {"u": stdio(journal)}}))
    where = ("--mcp", str(file), "--db", shell.database)
    endpoint.plays(plans(plan(call("a", "u_number"))))
    asked = shell.plain("ask", *where, "--thread", "t", "what number?")
    assert "u_number only reads, says its server" in asked.stdout
    assert journal.count("called") == 0
    endpoint.plays(answers("It is 3."))
    assert "It is 3." in shell.plain("resume", "t", *where, "--reply", "yes").stdout
    endpoint.plays(plans(plan(call("a", "u_number"))), answers("It is 3."))
    again = shell.plain("ask", *where, "--thread", "t", "and now?")
    assert ("It is 3." in again.stdout, journal.count("called number")) == (True, 2)


def test_the_command_line_says_what_it_needs(tmp_path: Path, servers: Path) -> None:
    shell = Inside(tmp_path)
    done = shell.plain("ask", "--mcp", str(servers), "--db", ":memory:", "hello")
    assert (done.returncode, done.stdout) == (2, "")
    assert "needs a language model, and none is set up" in done.stderr
    both = shell.plain("ask", "--mcp", str(servers), "--domain", "roster", "hello")
    assert "leave --domain roster out" in " ".join(both.stderr.split())


@pytest.mark.parametrize(
    ("content", "says"),
    [("{", "is not JSON"), ("{}", "names no servers"), ('{"servers": {"x": {"command": "no-such"}}}', "'no-such' is not found"),
     ('{"servers": {"x": {"command": "a", "args": ["${UNSET_VARIABLE}"]}}}', "UNSET_VARIABLE is not set")],
)  # fmt: skip
def test_a_file_that_cannot_be_used_is_bad_usage(tmp_path: Path, endpoint: Endpoint, content: str, says: str) -> None:
    (file := tmp_path / "servers.json").write_text(content)
    done = Inside(tmp_path).plain("ask", "--mcp", str(file), "--db", ":memory:", "hello")
    assert (done.returncode, done.stdout, says in " ".join(done.stderr.split())) == (2, "", True)
