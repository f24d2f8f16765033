"""No way into the server lets a card number through; what holds none is passed as it came."""

import json
from typing import Any

import httpx
import pytest
from langgraph_sdk.client import SyncLangGraphClient
from websockets.sync.client import connect

from wavegraph.graph.guard.cards import MARK

NUMBER = "4111 1111 1111 1111"
TEXT = f"What time is breakfast? My card is {NUMBER}, exp 12/28, cvv 123"
MASKED = f"What time is breakfast? My card is {MARK}"


def said(text: str = TEXT) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def everything(client: SyncLangGraphClient, thread: str) -> str:
    """All that the server tells of a thread."""
    runs = client.runs.list(thread)
    return json.dumps(
        [client.threads.get(thread), client.threads.get_state(thread), client.threads.get_history(thread), runs],
        ensure_ascii=False, default=str,
    )  # fmt: skip


def is_clean(text: str) -> bool:
    return not any(part in text for part in ("1111 1111", "12/28", "cvv"))


def test_a_run_knows_no_card_number(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    state: Any = client.runs.wait(thread, "hotel", input=said())

    assert state["messages"][0]["content"] == MASKED
    assert "07:00" in state["answer"]
    assert is_clean(everything(client, thread))


def test_content_blocks_are_read_too(client: SyncLangGraphClient) -> None:
    blocks = [{"type": "text", "text": "What time is breakfast?"}, {"type": "text", "text": f"card {NUMBER}"}]
    state: Any = client.runs.wait(None, "hotel", input={"messages": [{"role": "user", "content": blocks}]})

    assert state["messages"][0]["content"][1]["text"] == f"card {MARK}"


def test_a_streamed_run_and_a_background_run(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    parts = list(client.runs.stream(thread, "hotel", input=said(), stream_mode=["values", "messages", "custom"]))
    client.runs.join(thread, client.runs.create(thread, "hotel", input=said())["run_id"])

    assert is_clean(str(parts))
    state: Any = client.threads.get_state(thread)["values"]
    assert [each["content"] for each in state["messages"] if each["type"] == "human"] == [MASKED, MASKED]


def test_a_state_written_from_outside(client: SyncLangGraphClient) -> None:
    thread = client.threads.create(graph_id="hotel", metadata={"note": NUMBER})["thread_id"]
    client.threads.update_state(thread, {"messages": [{"role": "user", "content": TEXT}]}, as_node="__start__")
    client.threads.update(thread, metadata={"other": NUMBER})

    assert MASKED in everything(client, thread)
    assert is_clean(everything(client, thread))


def test_a_reply_to_a_question(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    client.runs.wait(thread, "hotel", input=said("What time is breakfast?"))
    client.runs.wait(thread, "hotel", command={"resume": {"note": TEXT}})

    assert is_clean(everything(client, thread))


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=latin-1", "application/x+json"])
def test_the_mask_goes_by_the_body_not_by_its_label(url: str, kind: str) -> None:
    body = json.dumps({"assistant_id": "hotel", "input": said()})
    state = httpx.post(f"{url}/runs/wait", content=body, headers={"Content-Type": kind}, timeout=60).json()

    assert state["messages"][0]["content"] == MASKED


def test_mcp(url: str) -> None:
    call = {"name": "hotel", "arguments": {"messages": TEXT}}
    told = httpx.post(
        f"{url}/mcp",
        json={"jsonrpc": "2.0", "id": "1", "method": "tools/call", "params": call},
        headers={"Accept": "application/json, text/event-stream"},
        timeout=60,
    ).text
    assert MARK in told
    assert is_clean(told)


def test_a2a(url: str, assistant: str, client: SyncLangGraphClient) -> None:
    message = {"role": "user", "messageId": "m1", "parts": [{"kind": "text", "text": TEXT}]}
    asked = {"jsonrpc": "2.0", "id": "1", "method": "message/send", "params": {"message": message}}
    told = httpx.post(f"{url}/a2a/{assistant}", json=asked, timeout=60).json()["result"]
    thread = told["contextId"]

    assert MASKED in everything(client, thread)
    assert is_clean(everything(client, thread))


def test_a_large_body_and_hebrew_pass_unharmed(client: SyncLangGraphClient) -> None:
    text = f"מתי ארוחת הבוקר? {'שלום ' * 600}כרטיס {NUMBER}"
    metadata = {"long": "x" * 100_000, "note": text, "figures": [1, 1.5, None, True]}
    kept = client.threads.create(metadata=metadata)["metadata"]

    assert kept == {**metadata, "note": text.replace(NUMBER, MARK)}


def test_a_body_that_is_no_json_is_refused_as_ever(url: str) -> None:
    for body in (b"{broken", b"[" * 200_000):
        refused = httpx.post(f"{url}/runs/wait", content=body, headers={"Content-Type": "application/json"}, timeout=60)
        assert refused.status_code in (400, 422)


def started() -> dict[str, Any]:
    return {"id": 1, "method": "run.start", "params": {"assistant_id": "hotel", "input": said()}}


def test_a_command(url: str, client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    told = httpx.post(f"{url}/threads/{thread}/commands", json=started(), timeout=60).json()

    assert told["type"] == "success"
    assert_masked(client, thread)


def test_a_command_over_a_websocket(url: str, client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    address = f"{url.replace('http', 'ws')}/threads/{thread}/stream/events"
    with connect(address) as socket:
        socket.send(json.dumps(started()))
        while json.loads(socket.recv(timeout=60)).get("type") != "success":
            pass
    assert_masked(client, thread)


def assert_masked(client: SyncLangGraphClient, thread: str) -> None:
    """Once the thread's run has ended."""
    (run,) = client.runs.list(thread)
    client.runs.join(thread, run["run_id"])
    state: Any = client.threads.get_state(thread)["values"]
    assert state["messages"][0]["content"] == MASKED
    assert is_clean(everything(client, thread))
