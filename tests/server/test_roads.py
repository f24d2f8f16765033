"""What a person says reaches a waiting question over every road into the server: 6 roads, a yes, a no and an aside."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count
from typing import Any

import httpx
import pytest
from dev_server import let_go, rpc
from langgraph_sdk.client import SyncLangGraphClient
from pydantic import TypeAdapter

from wavegraph.graph.events import Event

_days = count(30, 3)


TRIES = 12


def _wish(arrival: date) -> str:
    departure = arrival + timedelta(days=2)
    return f"book a double room for two adults from {arrival} to {departure}, Dana Levi, dana@example.com"


class Guest:
    """A conversation with the hotel that waits for the guest's yes."""

    def __init__(self, url: str, client: SyncLangGraphClient, assistant: str) -> None:
        self.url, self.client, self.assistant = url, client, assistant
        for _ in range(TRIES):  # A2A has no way to give settings, so the days are those of the clock: some are full
            first = self._a2a(_wish(date.today() + timedelta(days=next(_days))))
            self.thread, self.task = first["contextId"], first["id"]
            if self.state["interrupts"]:
                return
        pytest.fail(f"no double room in {TRIES} stays")

    def say(self, road: str, words: str) -> None:
        message = {"role": "user", "content": words}
        match road:
            case "input":
                self.client.runs.wait(self.thread, "hotel", input={"messages": [message]})  # type: ignore[call-overload]
            case "resume":
                self.client.runs.wait(self.thread, "hotel", command={"resume": words})  # type: ignore[call-overload]
            case "run.start":
                self._command("run.start", assistant_id=self.assistant, input={"messages": [message]})
            case "input.respond":
                (shown,) = self.state["interrupts"]
                self._command("input.respond", interrupt_id=shown["id"], namespace=[], response=words)
            case "A2A":
                self._a2a(words, contextId=self.thread)
            case "A2A with its task":
                self._a2a(words, contextId=self.thread, taskId=self.task)
        self._settle()

    @property
    def state(self) -> dict[str, Any]:
        found: Any = self.client.threads.get_state(self.thread)
        return dict(found)

    @property
    def question(self) -> dict[str, Any]:
        (shown,) = self.state["interrupts"]
        return dict(shown["value"])

    def _settle(self) -> None:
        for run in self.client.runs.list(self.thread):
            self.client.runs.join(self.thread, run["run_id"])

    def _command(self, method: str, **params: Any) -> None:
        body = {"id": 1, "method": method, "params": params}
        answer = httpx.post(f"{self.url}/threads/{self.thread}/commands", json=body, timeout=60).json()
        assert answer["type"] == "success", answer

    def _a2a(self, text: str, **more: str) -> dict[str, Any]:
        message = {"role": "user", "messageId": f"m{next(_days)}", "parts": [{"kind": "text", "text": text}], **more}
        return rpc(self.url, f"/a2a/{self.assistant}", "message/send", message=message)


@pytest.fixture
def guest(url: str, client: SyncLangGraphClient, assistant: str) -> Iterator[Guest]:
    made = Guest(url, client, assistant)
    yield made
    let_go(client, made.thread)


ROADS = ["input", "resume", "run.start", "input.respond", "A2A", "A2A with its task"]


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize(("words", "status"), [("yes", "confirmed"), ("no thanks", None)], ids=["yes", "no"])
def test_a_plain_word_is_the_answer(guest: Guest, road: str, words: str, status: str | None) -> None:
    guest.say(road, words)

    state = guest.state
    results = state["values"]["ledger"]["outcomes"].values()
    (booking,) = [outcome for outcome in results if outcome["tool"] == "create_booking"]
    assert (booking["data"] or {}).get("status") == status
    assert state["next"] == []
    assert guest.client.threads.get(guest.thread)["status"] == "idle"


@pytest.mark.parametrize("road", ROADS)
def test_anything_else_is_the_next_request_and_the_question_waits_on(guest: Guest, road: str) -> None:
    before = guest.question

    guest.say(road, "What time is breakfast?")

    assert guest.question["terms_hash"] == before["terms_hash"]
    assert guest.question["problem"] is None
    assert guest.client.threads.get(guest.thread)["status"] == "interrupted"
    values = guest.state["values"]
    assert "07:00" in values["answer"]
    said = [str(message["content"]) for message in values["messages"]]
    assert said.count("What time is breakfast?") == 1


def test_clients_of_the_newer_protocol_get_the_events(url: str, client: SyncLangGraphClient, assistant: str) -> None:
    thread = client.threads.create()["thread_id"]
    given = {"messages": [{"role": "user", "content": "What time is breakfast?"}]}
    start = {"id": 1, "method": "run.start", "params": {"assistant_id": assistant, "input": given}}
    events: list[dict[str, Any]] = []
    # started first: a stream that is opened tells what was before, and one that begins beside a run may miss its first events
    assert httpx.post(f"{url}/threads/{thread}/commands", json=start, timeout=60).json()["type"] == "success"
    with httpx.stream(
        "POST", f"{url}/threads/{thread}/stream/events", json={"channels": ["custom", "lifecycle"]}, timeout=60
    ) as stream:
        for line in stream.iter_lines():
            if line.startswith("data:"):
                part = json.loads(line.removeprefix("data:"))
                if part["method"] == "custom":
                    data = part["params"]["data"]
                    events.append(data.get("payload", data))
                elif part["params"]["data"].get("event") == "completed":
                    break
            if events and events[-1]["event"] == "answer_checked":
                break

    assert [event["event"] for event in events[:3]] == ["plan_created", "wave_started", "tool_started"]
    for event in events:
        TypeAdapter(Event).validate_python(event)
