"""The roster generator over the server: rounds in state and events, the manager's interrupt, cancel and resume, forms."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from dev_server import rpc
from langgraph_sdk.client import SyncLangGraphClient
from pydantic import TypeAdapter
from roster_loop import ASK, QUICK
from roster_models import on

from wavegraph.graph.events import Event
from wavegraph.tools.roster.answers.phrases import in_english
from wavegraph.tools.roster.records import Round
from wavegraph.tools.roster.store import RosterStore

LOCKED = {"locked": [{"nurse": "Ben", "day": on(0), "shift": "N"}]}


@pytest.fixture(scope="module")
def roster(client: SyncLangGraphClient) -> str:
    """Id of the assistant that the server makes for the roster's graph."""
    (found,) = client.assistants.search(graph_id="roster", metadata={"created_by": "system"})
    return found["assistant_id"]


@pytest.fixture
def thread(client: SyncLangGraphClient) -> Iterator[str]:
    made = client.threads.create()["thread_id"]
    yield made
    client.threads.delete(made)


def said(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def ask(client: SyncLangGraphClient, thread: str | None, ward: str, text: str = ASK, **context: Any) -> dict[str, Any]:
    given = {**QUICK, "ward": ward, **context}
    state: Any = client.runs.wait(thread, "roster", input=said(text), context=given)  # type: ignore[call-overload]
    return dict(state)


def reply(client: SyncLangGraphClient, thread: str, answer: Any) -> dict[str, Any]:
    state: Any = client.runs.wait(thread, "roster", command={"resume": answer}, context=dict(QUICK), raise_error=False)
    return dict(state)


def question(state: dict[str, Any]) -> dict[str, Any]:
    (shown,) = state["__interrupt__"]
    value: dict[str, Any] = shown["value"]
    return value


# What is told


def test_a_roster_that_passes_at_once(client: SyncLangGraphClient) -> None:
    answer = ask(client, None, "fair")

    assert (answer["outcome"], answer["adaptations"]) == ("answered", 0)
    assert "passes every check" in answer["answer"]
    assert answer["messages"][-1]["content"] == answer["answer"]


def test_rounds_are_told_in_the_stream_and_kept_in_the_state(client: SyncLangGraphClient, thread: str) -> None:
    parts = list(
        client.runs.stream(
            thread, "roster", input=said(ASK), context={**QUICK, "ward": "once"}, stream_mode=["custom", "values"]
        )
    )
    events: list[Any] = [part.data for part in parts if part.event == "custom"]
    for event in events:
        TypeAdapter(Event).validate_python(event)
    told = [
        event["details"]["rounds"] for event in events if event["event"] == "validation_complete" and "details" in event
    ]
    progress = [event["progress"] for event in events if event["event"] == "tool_progress"]
    state: Any = client.threads.get_state(thread)["values"]

    assert [len(rounds) for rounds in told][:2] == [1, 2]
    first, second = [Round.model_validate(each) for each in told[-1]]
    assert (first.status, first.failed, first.penalty_multipliers) == ("failed", ["fatigue_night"], {})
    assert (second.status, second.failed, second.penalty_multipliers) == ("passed", [], {"fatigue_night": 1.5})
    assert first.issues[0].nurse_id == "ann"
    assert state["validation"]["details"]["rounds"] == told[-1]
    assert {"iteration", "cost", "bound", "gap", "seconds"} == set(progress[0])
    assert parts[-1].data["outcome"] == "answered"


def test_state_in_the_panel_holds_ids_and_no_roster(client: SyncLangGraphClient, thread: str) -> None:
    ask(client, thread, "once")
    state: Any = client.threads.get_state(thread)
    text = json.dumps(state["values"])

    assert state["next"] == []
    assert len(text) < 40_000
    assert "under_weight" not in text
    assert "not_followed_by" not in text


def test_a_demo_ward_is_there_for_whoever_tries_it(client: SyncLangGraphClient, thread: str) -> None:
    ask(client, thread, "willow", work_limit=0.2, days=7, max_adaptations=0)
    state: Any = client.threads.get_state(thread)["values"]

    assert "details" in state["validation"], state["answer"]
    (only,) = state["validation"]["details"]["rounds"]
    assert only["roster_id"]


@pytest.mark.parametrize(
    ("context", "told"),
    [
        ({"time_limit_s": 0}, "'time_limit_s' = 0"),
        ({"penalties": {"overwork": -1}}, "'penalties.overwork' = -1"),
        ({"days": 1000}, "'days' = 1000"),
    ],
    ids=["time", "penalties", "days"],
)
def test_a_bad_setting_is_named(client: SyncLangGraphClient, context: dict[str, Any], told: str) -> None:
    ended: Any = client.runs.wait(None, "roster", input=said(ASK), context=context, raise_error=False)

    assert ended["__error__"]["error"] == "SettingsError"
    assert told in ended["__error__"]["message"]


def test_wards_are_named_and_never_opened_by_path(client: SyncLangGraphClient) -> None:
    answer = ask(client, None, "../../etc/passwd")

    assert "There is no ward “../../etc/passwd”" in answer["answer"]
    assert "harbour" in answer["answer"]


# The manager


def test_the_question_is_an_interrupt_with_choices_and_a_form(client: SyncLangGraphClient, thread: str) -> None:
    paused = ask(client, thread, "never")
    asked = question(paused)

    assert asked["terms"]["empathy"] == "REJECTED"
    assert any("fatigue score" in problem for problem in in_english(asked["terms"]["problems"]))
    assert list(asked["choices"]) == ["draft"]
    assert set(asked["changes"]["properties"]) == {"locked", "penalties"}
    (shown,) = paused["__interrupt__"]
    assert shown["response_schema"]["properties"]["choice"]["type"] == "string"
    assert client.threads.get(thread)["status"] == "interrupted"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"decision": "approve"}, "Published with these warnings, as you approved."),
        ({"decision": "approve", "choice": "draft"}, "Kept as a draft, as you chose."),
        ({"decision": "reject", "reason": "Ann is ill"}, "Not published: it was not agreed to: Ann is ill."),
    ],
    ids=["approve", "draft", "reject"],
)
def test_a_decision_ends_the_request(client: SyncLangGraphClient, thread: str, answer: Any, told: str) -> None:
    ask(client, thread, "never")
    ended = reply(client, thread, answer)

    assert ended["outcome"] == "partial"
    assert told in ended["answer"]


def test_one_more_round_with_a_settled_cell(client: SyncLangGraphClient, thread: str) -> None:
    ask(client, thread, "never")
    wrong = {"locked": [{**LOCKED["locked"][0], "nurse": "Zoe"}]}

    refused = question(reply(client, thread, {"decision": "reject", "changes": wrong}))
    again = question(reply(client, thread, {"decision": "reject", "changes": LOCKED}))
    ended = reply(client, thread, {"decision": "approve", "terms_hash": again["terms_hash"]})

    assert "“Zoe” is no nurse of this ward" in refused["problem"]
    assert (again["terms"]["compliance"], again["terms"]["empathy"], again["changes"]) == ("PASS", "APPROVED", None)
    assert ended["outcome"] == "answered"
    assert ended["answer"].endswith("Published, as you approved.")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (None, "Published with these warnings, as you approved."),
        ("no thanks", "Not published: it was not agreed to."),
    ],
)
def test_a_plain_yes_or_no_as_a_new_message_decides(
    client: SyncLangGraphClient, thread: str, words: str | None, told: str
) -> None:
    agree = question(ask(client, thread, "never"))["agree_with"]  # with a code where its terms are long
    ended = ask(client, thread, "never", words or agree)

    assert told in ended["answer"]


def test_other_words_are_a_request_of_their_own_and_the_question_waits_on(
    client: SyncLangGraphClient, thread: str
) -> None:
    first = question(ask(client, thread, "never"))
    ended = ask(client, thread, "fair", "make the roster for fair")
    late = ask(client, thread, "never", question(ended)["agree_with"])  # with a code where its terms are long

    assert "passes every check" in ended["answer"]
    assert question(ended)["terms_hash"] == first["terms_hash"]
    assert late["results"]["publish_roster"]["data"]["roster_id"] == first["args"]["roster_id"]


# Stop and resume


def test_a_cancel_in_mid_solve_keeps_the_best_and_a_resume_goes_on(client: SyncLangGraphClient, thread: str) -> None:
    context = {**QUICK, "ward": "harbour", "time_limit_s": 900, "max_adaptations": 0}
    run = client.runs.create(
        thread, "roster", input=said(ASK), context=context, stream_mode=["custom"], stream_resumable=True
    )
    before = None
    for part in client.runs.join_stream(thread, run["run_id"]):
        data: Any = part.data
        if part.event == "custom" and data["event"] == "tool_progress":
            before = data["progress"]["cost"]
            break
    client.runs.cancel(thread, run["run_id"], wait=True, action="interrupt")
    assert client.runs.get(thread, run["run_id"])["status"] == "interrupted"

    parts = list(
        client.runs.stream(
            thread, "roster", input=None, context={**context, "work_limit": 0.1}, stream_mode=["custom", "values"]
        )
    )
    events: list[Any] = [part.data for part in parts if part.event == "custom"]
    started = [event["tool"] for event in events if event["event"] == "tool_started"]
    costs = [event["progress"]["cost"] for event in events if event["event"] == "tool_progress"]

    assert before is not None
    assert started[0] == "generate_roster"
    assert "get_staff" not in started
    assert costs[0] <= before


def test_the_best_now_ends_a_solve_of_the_server_from_another_process(
    client: SyncLangGraphClient, thread: str, log: Path
) -> None:
    context = {**QUICK, "ward": "harbour", "time_limit_s": 600}
    parts = []
    for part in client.runs.stream(
        thread, "roster", input=said(ASK), context=context, stream_mode=["custom", "values"]
    ):
        data: Any = part.data
        if part.event == "custom" and data["event"] == "tool_progress":
            RosterStore(log.parent / "data" / "wavegraph").ask_to_stop(thread)
        parts.append(data)

    finished = [each for each in parts if each.get("event") == "tool_finished" and each["tool"] == "generate_roster"]
    assert [each["status"] for each in finished] == ["partial"]
    (only,) = client.threads.get_state(thread)["values"]["validation"]["details"]["rounds"]  # type: ignore[call-overload]
    assert only["solver"] == "stopped"
    assert only["roster_id"]


# Other ways in


def schema(client: SyncLangGraphClient, roster: str) -> dict[str, Any]:
    found: Any = client.assistants.get_schemas(roster)
    return dict(found)


def test_settings_make_a_form(client: SyncLangGraphClient, roster: str) -> None:
    context = schema(client, roster)["context_schema"]
    fields: dict[str, dict[str, Any]] = context["properties"]

    assert {"ward", "start", "days", "time_limit_s", "work_limit", "seed", "penalties", "today"} <= set(fields)
    assert "required" not in context
    assert "anyOf" not in json.dumps(context)
    for name, field in fields.items():
        assert field["description"], name
        assert field["title"], name
        if field.get("type") in ("integer", "number"):
            assert {"minimum", "exclusiveMinimum"} & set(field), name
            assert "maximum" in field, name
    assert fields["start"]["format"] == "date"
    assert fields["time_limit_s"]["title"] == "Time limit (seconds)"


def test_each_penalty_is_a_field_of_the_form(client: SyncLangGraphClient, roster: str) -> None:
    field = schema(client, roster)["context_schema"]["properties"]["penalties"]

    assert field["type"] == "object"
    assert field["title"] == "Penalties"
    assert "$ref" not in json.dumps(field)
    assert set(field["properties"]) >= {"fatigue_night", "overwork", "weekend_excess"}
    for name, price in field["properties"].items():
        assert price["type"] == "integer", name
        assert (price["minimum"], price["maximum"]) == (0, 10_000), name
        assert price["description"], name
        assert price["title"][0].isupper(), name


@pytest.mark.parametrize("name", ["input_schema", "output_schema", "state_schema", "context_schema"])
def test_schemas_are_there_and_small(client: SyncLangGraphClient, roster: str, name: str) -> None:
    found = schema(client, roster)[name]

    assert found["properties"]
    assert len(json.dumps(found)) < 18_000


def test_the_assistant_is_named_and_described(client: SyncLangGraphClient, roster: str) -> None:
    found: Any = client.assistants.get(roster)

    assert found["name"] == "roster"
    assert found["description"].startswith("Nurse roster generator for a ward manager.")


def test_mcp_makes_a_roster(url: str) -> None:
    (tool,) = [tool for tool in rpc(url, "/mcp", "tools/list")["tools"] if tool["name"] == "roster"]
    result = rpc(url, "/mcp", "tools/call", name="roster", arguments={"messages": "make the roster for the fair ward"})

    assert tool["inputSchema"]["properties"]["messages"]["type"] == "string"
    assert not result.get("isError")
    assert "passes every check" in result["content"][0]["text"]


def test_without_a_thread_nobody_can_be_asked_and_the_roster_is_kept(url: str) -> None:
    result = rpc(url, "/mcp", "tools/call", name="roster", arguments={"messages": "make the roster for never"})

    assert not result.get("isError")
    assert "is still kept" in result["content"][0]["text"]


def test_a2a_makes_a_roster(url: str, roster: str) -> None:
    parts = [{"kind": "text", "text": "make the roster for the fair ward"}]
    message = {"role": "user", "messageId": "m1", "parts": parts}
    card = httpx.get(f"{url}/.well-known/agent-card.json", params={"assistant_id": roster}, timeout=60).json()

    task = rpc(url, f"/a2a/{roster}", "message/send", message=message)

    assert card["name"] == "roster"
    assert task["status"]["state"] == "completed"
    assert "passes every check" in task["artifacts"][0]["parts"][0]["text"]


def test_a_verdict_on_a_roster_is_kept(url: str, client: SyncLangGraphClient, thread: str) -> None:
    ask(client, thread, "fair")
    judged = httpx.post(f"{url}/threads/{thread}/feedback", json={"verdict": "bad", "why": "Ann again"}, timeout=60)

    (record,) = client.store.search_items(("wavegraph", "requests", thread))["items"]
    assert judged.status_code == 200
    assert record["value"]["feedback"]["why"] == "Ann again"


def test_nothing_blocked_the_event_loop(client: SyncLangGraphClient, thread: str, log: Any) -> None:
    """The server raises on blocking calls; all the runs above went by, some of them writing rosters to disk."""
    ask(client, thread, "never")
    reply(client, thread, {"decision": "approve"})
    told = log.read_text(encoding="utf-8")

    assert "lockingError" not in told
    assert "Blocking call" not in told
