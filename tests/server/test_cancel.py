"""Stop, resume and amend over the API, as docs/running/stopping.md shows it."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from langgraph_sdk.client import SyncLangGraphClient

from wavegraph.graph.dialogue.messages import stop_note


def said(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def stopped(client: SyncLangGraphClient, text: str, *, after: list[str]) -> str:
    """A thread whose request was cancelled when the calls in `after` had ended."""
    thread = client.threads.create()["thread_id"]
    run = client.runs.create(thread, "slow", input=said(text), stream_mode=["custom"], stream_resumable=True)
    waiting = set(after)
    for part in client.runs.join_stream(thread, run["run_id"]):
        data: Any = part.data
        if part.event == "custom" and data["event"] in ("tool_finished", "tool_started"):
            waiting.discard(data["id"] if data["event"] == "tool_finished" else f"{data['id']} started")
        if not waiting:
            break
    client.runs.cancel(thread, run["run_id"], wait=True, action="interrupt")
    assert client.runs.get(thread, run["run_id"])["status"] == "interrupted"
    return thread


def started(client: SyncLangGraphClient, thread: str, given: Any) -> tuple[list[str], dict[str, Any]]:
    """The calls that a run starts, and its last state."""
    parts = list(client.runs.stream(thread, "slow", input=given, stream_mode=["custom", "values"]))
    events: list[Any] = [part.data for part in parts if part.event == "custom"]
    last: Any = parts[-1].data
    return [event["id"] for event in events if event["event"] == "tool_started"], last


def test_resume_runs_only_what_had_not_ended(client: SyncLangGraphClient) -> None:
    thread = stopped(client, "wait:0.1 wait:0.2 late:one", after=["wait_0.1", "wait_0.2"])
    ran, last = started(client, thread, None)

    assert ran == ["late_one"]
    assert (last["outcome"], last["answer"]) == ("answered", "waited 0.1, waited 0.2, one came late")
    assert last["tools_executed"] == 3


def test_a_new_message_keeps_what_had_ended(client: SyncLangGraphClient) -> None:
    thread = stopped(client, "wait:0.1 wait:0.2 wait:30", after=["wait_0.1", "wait_0.2"])
    client.threads.update_state(thread, None, as_node="__end__")
    ran, last = started(client, thread, said("wait:0.1 wait:0.2 wait:0.3"))

    assert ran == ["wait_0.3"]
    assert (last["outcome"], last["tools_executed"]) == ("answered", 1)
    assert last["answer"] == "waited 0.1, waited 0.2, waited 0.3"


def test_an_unrelated_message_works_without_any_recipe(client: SyncLangGraphClient) -> None:
    thread = stopped(client, "wait:0.1 wait:30", after=["wait_0.1"])
    _, last = started(client, thread, said("wait:0.4"))

    assert (last["outcome"], last["answer"]) == ("answered", "waited 0.4")


def test_a_note_of_the_stop_loses_nothing(client: SyncLangGraphClient) -> None:
    thread = stopped(client, "wait:0.1 wait:0.2 late:two", after=["wait_0.1", "wait_0.2"])
    client.threads.update_state(thread, None, as_node="__end__")
    state: Any = client.threads.get_state(thread)["values"]
    assert len(state["ledger"]["outcomes"]) == 2
    note = stop_note("Stopped; two of three are known.", state["messages"][-1]["id"])
    message = {"type": "ai", "content": note.content, "id": note.id}
    client.threads.update_state(thread, {"messages": [message]}, as_node="validate")
    ran, last = started(client, thread, None)

    assert ran == ["late_two"]
    assert [message["type"] for message in last["messages"]] == ["human", "ai", "ai"]
    assert last["messages"][-1]["content"] == "waited 0.1, waited 0.2, two came late"


def test_a_write_that_was_stopped_is_not_sent_again(client: SyncLangGraphClient) -> None:
    thread = stopped(client, "wait:0.1 send:20", after=["wait_0.1", "send_20 started"])
    ran, last = started(client, thread, None)

    assert ran == []
    assert last["outcome"] == "partial"
    assert last["results"]["send_20"]["error"]["code"] == "write_unknown"


def test_the_client_of_the_page_runs_as_printed(url: str, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "running" / "stopping.md").read_text(encoding="utf-8")
    pattern = r"```python\n(from langgraph_sdk.*?)```\n\n```console\n\$ python client.py\n(.*?)```"
    code, printed = re.findall(pattern, page, re.DOTALL)[0]
    (tmp_path / "client.py").write_text(code.replace("http://127.0.0.1:2024", url), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "client.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == (printed, "")
