"""Requests through the SDK: answers, events, follow-ups, settings, errors, interrupts."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from endpoint import KEY, Endpoint, answers, plans
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import NotFoundError
from pydantic import TypeAdapter

from wavegraph.graph.events import Event
from wavegraph.graph.state import SHOWN

TODAY = {"today": "2026-11-20"}
STAY = "a room for two adults from 3 to 5 December"
FULL = "a room for two adults for Hanukkah"
"""Eight nights, sold out on one of them: two waves, then an adaptation."""

ABOUT_BREAKFAST = {
    "reasoning": "a question about the hotel",
    "action": "hotel_info",
    "status": "done",
    "slots": {},
    "tools": [
        {
            "id": "breakfast",
            "tool": "get_hotel_info",
            "args": {"topic": "breakfast", "kg": None, "age": None, "time": None},
            "each": None,
            "instead_of": None,
        }
    ],
    "reply": None,
}


def said(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def ask(client: SyncLangGraphClient, text: str, thread: str | None = None, **context: Any) -> dict[str, Any]:
    answer = client.runs.wait(thread, "hotel", input=said(text), context={**TODAY, **context})  # type: ignore[call-overload]
    assert isinstance(answer, dict)
    return answer


def error_of(client: SyncLangGraphClient, text: str, **context: Any) -> dict[str, Any]:
    ended = client.runs.wait(None, "hotel", input=said(text), context={**TODAY, **context}, raise_error=False)
    assert isinstance(ended, dict)
    error: dict[str, Any] = ended["__error__"]
    return error


def test_a_run_without_a_thread_is_no_warning(client: SyncLangGraphClient, log: Path) -> None:
    ask(client, STAY)
    assert "has no effect" not in log.read_text(encoding="utf-8")


def new_thread(client: SyncLangGraphClient) -> str:
    return client.threads.create()["thread_id"]


def test_a_request(client: SyncLangGraphClient) -> None:
    answer = ask(client, STAY)

    assert answer["outcome"] == "answered"
    assert "3 December" in answer["answer"]
    assert answer["messages"][-1]["content"] == answer["answer"]
    assert answer["tools"] == ["get_availability"]
    assert answer["results"]["check_availability"]["status"] == "ok"


def test_a_stream_holds_every_event_of_the_request(client: SyncLangGraphClient) -> None:
    parts = list(
        client.runs.stream(
            None, "hotel", input=said(FULL), context=TODAY, stream_mode=["custom", "values", "messages-tuple"]
        )
    )

    events: list[Any] = [part.data for part in parts if part.event == "custom"]
    names = [event["event"] for event in events]
    assert names[:3] == ["plan_created", "wave_started", "tool_started"]
    assert {"tool_finished", "validation_complete", "adaptation_started", "adaptation_complete"} < set(names)
    assert names[-1] == "answer_checked"
    assert names.count("tool_started") == names.count("tool_finished") == parts[-1].data["tools_executed"]
    assert names.count("wave_started") == parts[-1].data["waves"]
    for event in events:
        TypeAdapter(Event).validate_python(event)
    answers = [part.data[0] for part in parts if part.event == "messages"]
    assert [message["content"] for message in answers] == [parts[-1].data["answer"]]  # type: ignore[index]


def test_a_spent_limit_is_told(client: SyncLangGraphClient) -> None:
    parts = client.runs.stream(
        None, "hotel", input=said(FULL), context={**TODAY, "max_waves": 1}, stream_mode=["custom", "values"]
    )
    told: list[Any] = [part.data for part in parts]

    (limit,) = [data for data in told if data.get("event") == "limit_reached"]
    assert limit["limit"] == "max_waves"
    assert told[-1]["outcome"] == "partial"


def test_a_follow_up_on_the_thread(client: SyncLangGraphClient) -> None:
    thread = new_thread(client)
    ask(client, STAY, thread)
    answer = ask(client, "same but two rooms", thread)

    assert "2 rooms" in answer["answer"]
    (outcome,) = answer["results"].values()
    assert outcome["args"] | {"check_in": "2026-12-03", "check_out": "2026-12-05", "rooms": 2} == outcome["args"]


def test_state_in_the_panel_is_plain_and_small(client: SyncLangGraphClient) -> None:
    thread = new_thread(client)
    ask(client, STAY, thread)
    state: Any = client.threads.get_state(thread)

    assert state["next"] == []
    assert set(state["values"]) <= set(SHOWN)
    assert state["values"]["answer"]
    assert set(state["values"]["ledger"]) == {"calls", "outcomes", "artifacts"}
    assert len(str(state["values"])) < 20_000
    assert [
        task for past in client.threads.get_history(thread, limit=20) for task in past["tasks"] if task["error"]
    ] == []


def test_an_assistant_with_settings_of_its_own(client: SyncLangGraphClient) -> None:
    american = client.assistants.create("hotel", context={**TODAY, "country": "US"}, name="American guests")
    try:
        theirs: Any = client.runs.wait(None, american["assistant_id"], input=said("a room for two on 2/1"))
    finally:
        client.assistants.delete(american["assistant_id"])
    ours = ask(client, "a room for two on 2/1")

    assert "Monday 1 February – Tuesday 2 February 2027" in theirs["answer"]
    assert "Saturday 2 January – Sunday 3 January 2027" in ours["answer"]


def test_two_threads_at_once(client: SyncLangGraphClient, url: str) -> None:
    def conversation(stay: str) -> str:
        with get_sync_client(url=url, timeout=60) as own:
            thread = new_thread(own)
            ask(own, stay, thread)
            return str(ask(own, "same but two rooms", thread)["answer"])

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(conversation, [STAY, "a room for two adults from 14 to 16 December"])

    assert "3 December" in first
    assert "14 December" not in first
    assert "14 December" in second


@pytest.mark.parametrize(
    ("context", "told"),
    [
        ({"country": "Israel"}, "setting 'country' = 'Israel'"),
        ({"today": "tomorrow"}, "setting 'today' = 'tomorrow'"),
        ({"max_waves": 999}, "setting 'max_waves' = 999: Input should be less than or equal to 100"),
        ({"property_id": "ritz"}, "unknown property_id 'ritz'; known: sandbox"),
        ({"planner": "llm"}, "setting 'planner' = 'llm' needs a model"),
    ],
    ids=lambda given: next(iter(given)) if isinstance(given, dict) else "",
)
def test_a_bad_setting_is_named(client: SyncLangGraphClient, context: dict[str, Any], told: str) -> None:
    error = error_of(client, STAY, **context)

    assert error["error"] == "SettingsError"
    assert told in error["message"]


def test_a_bad_setting_ends_a_stream_with_its_name(client: SyncLangGraphClient) -> None:
    *_, last = client.runs.stream(None, "hotel", input=said(STAY), context={"max_waves": 0})

    assert last.event == "error"
    assert "'max_waves' = 0" in last.data["message"]  # type: ignore[call-overload]


def test_an_emptied_form_field_is_the_default(client: SyncLangGraphClient) -> None:
    assert ask(client, STAY, max_waves="", property_id="", language="")["outcome"] == "answered"


def test_the_server_drops_a_setting_it_does_not_know(client: SyncLangGraphClient) -> None:
    # Its own doing: it filters the context by the schema, so that our refusal of unknown settings is never asked.
    assert ask(client, STAY, max_wavs=1)["outcome"] == "answered"


def test_a_long_message_is_refused_in_words(client: SyncLangGraphClient) -> None:
    answer = ask(client, "1. ok" * 3300)

    assert answer["outcome"] == "clarify"
    assert (
        answer["answer"] == "That message has 16500 characters, and I can read at most 4000. Please send a shorter one."
    )


def test_a_breakpoint_stops_before_the_tools_and_goes_on(client: SyncLangGraphClient) -> None:
    thread = new_thread(client)
    stop = client.runs.wait(thread, "hotel", input=said(STAY), context=TODAY, interrupt_before=["execute_wave"])
    assert isinstance(stop, dict)
    assert stop["outcome"] is None
    assert client.threads.get_state(thread)["next"] == ["execute_wave"]

    answer: Any = client.runs.wait(thread, "hotel", input=None, context=TODAY)

    assert answer["outcome"] == "answered"
    assert answer["tools"] == ["get_availability"]


def test_a_cancelled_run_leaves_the_thread_usable(client: SyncLangGraphClient) -> None:
    thread = new_thread(client)
    run = client.runs.create(thread, "hotel", input=said(FULL), context=TODAY)
    client.runs.cancel(thread, run["run_id"], wait=True)

    assert client.runs.get(thread, run["run_id"])["status"] == "interrupted"
    assert ask(client, STAY, thread)["outcome"] == "answered"
    with pytest.raises(NotFoundError, match="No matching runs to cancel"):
        client.runs.cancel(thread, run["run_id"])


def test_a_model_plans_and_its_answer_alone_is_streamed(client: SyncLangGraphClient, endpoint: Endpoint) -> None:
    endpoint.plays(plans(ABOUT_BREAKFAST, checked=False), answers("{{breakfast.1}} {{breakfast.2}}"))
    thread = new_thread(client)
    parts = list(
        client.runs.stream(
            thread,
            "modelled",
            input=said("When is breakfast?"),
            context=TODAY,
            stream_mode=["messages-tuple", "values"],
        )
    )
    endpoint.assert_complete()

    last: Any = parts[-1].data
    assert last["answer"].startswith("Israeli breakfast buffet 07:00-10:00, until 11:00 on Saturday. Included")
    assert last["llm_calls"] == 2
    chunks = [part.data[0] for part in parts if part.event == "messages"]
    assert "".join(chunk["content"] for chunk in chunks if chunk["type"] == "AIMessageChunk") == last["answer"]
    for told in (parts, client.threads.get_history(thread, limit=20), client.runs.list(thread)):
        assert KEY not in str(told)


def test_nothing_blocked_the_event_loop(client: SyncLangGraphClient, log: Path) -> None:
    """The server raises on blocking calls; all the runs above went by, the first of them building the demo house."""
    ask(client, STAY)
    told = log.read_text(encoding="utf-8")

    assert (log.parent / "data" / "wavegraph" / "sandbox.sqlite").exists()
    assert "lockingError" not in told
    assert KEY not in told
