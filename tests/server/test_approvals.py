"""A person's approval over the server: shown as an interrupt, answered by a resume or by a plain yes, booked once."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from dev_server import let_go
from langgraph_sdk.client import SyncLangGraphClient

NAME = "Dana Levi"
WISH = f"book a double room for two adults from {{}} 2027, {NAME}, dana@example.com"
TODAY = {"today": "2026-11-20"}
Rows = Callable[[str], list[str]]


@pytest.fixture
def rows(log: Path) -> Rows:
    """States of the test's own bookings that arrive on a day: `hold`, `confirmed`, `cancelled`. Other tests book in the same
    house, some of them days of the clock, which may be these."""

    house = log.parent / "data" / "wavegraph" / "sandbox.sqlite"

    def found(arrival: str) -> dict[str, str]:
        if not house.exists():  # the first request builds it
            return {}
        with sqlite3.connect(house) as file:
            return dict(file.execute("SELECT quote_id, status FROM booking WHERE check_in LIKE ?", (arrival,)))

    before = found("%")
    return lambda arrival: [status for name, status in found(arrival).items() if name not in before]


@pytest.fixture
def thread(client: SyncLangGraphClient) -> Iterator[str]:
    made = client.threads.create()["thread_id"]
    yield made
    let_go(client, made)


def ask(client: SyncLangGraphClient, thread: str, text: str, graph: str = "hotel", **context: Any) -> dict[str, Any]:
    given = {"messages": [{"role": "user", "content": text}]}
    state: Any = client.runs.wait(thread, graph, input=given, context={**TODAY, **context})
    return dict(state)


def reply(
    client: SyncLangGraphClient, thread: str, answer: Any, graph: str = "hotel", **context: Any
) -> dict[str, Any]:
    state: Any = client.runs.wait(
        thread, graph, command={"resume": answer}, context={**TODAY, **context}, raise_error=False
    )
    return dict(state)


def question(state: dict[str, Any]) -> dict[str, Any]:
    (shown,) = state["__interrupt__"]
    value: dict[str, Any] = shown["value"]
    return value


def test_the_question_is_an_interrupt_with_the_form_of_its_answer(
    client: SyncLangGraphClient, thread: str, rows: Rows
) -> None:
    paused = ask(client, thread, WISH.format("10 to 12 January"))

    (shown,) = paused["__interrupt__"]
    assert shown["value"]["text"].endswith("Shall I go ahead? (yes / no)")
    assert shown["value"]["terms"]["quote"]["total_agorot"] > 0
    assert shown["response_schema"]["required"] == ["decision"]
    assert shown["response_schema"]["properties"]["decision"]["enum"] == ["approve", "reject", "edit"]
    state = client.threads.get_state(thread)
    assert state["next"] == ["approve"]
    assert client.threads.get(thread)["status"] == "interrupted"
    assert rows("2027-01-10") == ["hold"]


def test_an_approval_books_once(client: SyncLangGraphClient, thread: str, rows: Rows) -> None:
    asked = question(ask(client, thread, WISH.format("13 to 15 January")))

    ended = reply(client, thread, {"decision": "approve", "terms_hash": asked["terms_hash"]})
    late = reply(client, thread, {"decision": "approve", "terms_hash": asked["terms_hash"]})

    assert ended["outcome"] == "answered"
    assert ended["results"]["create_booking"]["data"]["reference"] in ended["answer"]
    assert late.get("__error__") is None
    assert rows("2027-01-13") == ["confirmed"]


def test_a_rejection_keeps_its_reason_and_frees_the_rooms(client: SyncLangGraphClient, thread: str, rows: Rows) -> None:
    ask(client, thread, WISH.format("17 to 19 January"))

    ended = reply(client, thread, {"decision": "reject", "reason": "the lift is being repaired"})

    assert ended["outcome"] == "answered"
    assert "the lift is being repaired" in ended["answer"]
    assert rows("2027-01-17") == []


@pytest.mark.parametrize(
    "answer",
    [True, {"decision": "perhaps"}, {"decision": "approve", "room": 7}, [{"type": "accept", "args": None}],
     {"decisions": []}, {"messages": []}],
    ids=str,
)  # fmt: skip
def test_an_answer_in_no_form_is_asked_about_again(
    answer: Any, client: SyncLangGraphClient, thread: str, rows: Rows
) -> None:
    first = question(ask(client, thread, WISH.format("20 to 22 January")))

    again = question(reply(client, thread, answer))

    assert again["problem"]
    assert again["terms_hash"] == first["terms_hash"]
    assert client.threads.get(thread)["status"] == "interrupted"
    assert thread in [each["thread_id"] for each in client.threads.search(status="interrupted", limit=100)]
    assert rows("2027-01-20") == ["hold"]
    ended = reply(client, thread, {"decision": "reject"})
    assert ended["outcome"] == "answered"
    assert rows("2027-01-20") == []


def test_terms_that_were_shown_before_are_not_agreed_to(client: SyncLangGraphClient, thread: str, rows: Rows) -> None:
    ask(client, thread, WISH.format("24 to 26 January"))

    again = reply(client, thread, {"decision": "approve", "terms_hash": "0" * 32})

    assert question(again)["problem"]
    assert rows("2027-01-24") == ["hold"]


def test_a_plain_yes_as_a_new_message_books_once_however_often(
    client: SyncLangGraphClient, thread: str, rows: Rows
) -> None:
    ask(client, thread, WISH.format("21 to 23 February"))

    first = ask(client, thread, "yes")
    second = ask(client, thread, "yes")

    reference = first["results"]["create_booking"]["data"]["reference"]
    assert (first["outcome"], second["results"]) == ("answered", {})
    assert f"{reference} stands, and I changed nothing" in second["answer"]
    assert rows("2027-02-21") == ["confirmed"]


def queue(client: SyncLangGraphClient, thread: str, text: str) -> str:
    given = {"messages": [{"role": "user", "content": text}]}
    return str(client.runs.create(thread, "hotel", input=given, context=TODAY)["run_id"])


def test_a_yes_that_waited_in_the_queue_is_none_to_what_was_shown_meanwhile(
    client: SyncLangGraphClient, thread: str, rows: Rows
) -> None:
    ask(client, thread, WISH.format("24 to 26 February"))
    queued = [queue(client, thread, "is breakfast included?"), queue(client, thread, "yes")]

    for run in queued:
        client.runs.join(thread, run)

    (waits,) = client.threads.get_state(thread)["interrupts"]
    assert waits["value"]["problem"].startswith("To confirm that you agree to exactly these terms")
    assert rows("2027-02-24") == ["hold"]
    assert ask(client, thread, f"yes {waits['value']['terms_hash'][:6]}")["outcome"] == "answered"
    assert rows("2027-02-24") == ["confirmed"]


@pytest.mark.parametrize("approver", ["guest", "staff"])
def test_a_thread_marked_as_resolved_is_withdrawn_and_no_later_yes_finds_it(
    client: SyncLangGraphClient, thread: str, rows: Rows, approver: str
) -> None:
    ask(client, thread, WISH.format("2 to 4 March"), approver=approver)
    assert rows("2027-03-02") == ["hold"]

    ended: Any = client.runs.wait(thread, "hotel", command={"goto": "__end__"})

    assert "__interrupt__" not in ended
    assert client.threads.get(thread)["status"] == "idle"
    assert rows("2027-03-02") == []
    ask(client, thread, "yes", approver=approver)
    assert "confirmed" not in rows("2027-03-02")


def test_a_plain_no_as_a_new_message_frees_the_rooms(client: SyncLangGraphClient, thread: str, rows: Rows) -> None:
    ask(client, thread, WISH.format("1 to 3 February"))
    assert rows("2027-02-01") == ["hold"]

    ask(client, thread, "no, thank you")

    assert rows("2027-02-01") == []


def test_a_booking_is_cancelled_after_a_yes(client: SyncLangGraphClient, thread: str, rows: Rows) -> None:
    ask(client, thread, WISH.format("4 to 6 February"))
    booked = reply(client, thread, {"decision": "approve"})
    number = booked["results"]["create_booking"]["data"]["reference"]

    asked = ask(client, thread, f"cancel booking {number}, Levi")
    assert question(asked)["tool"] == "cancel_booking"
    assert rows("2027-02-04") == ["confirmed"]
    ended = reply(client, thread, {"decision": "approve"})

    assert ended["outcome"] == "answered"
    assert rows("2027-02-04") == ["cancelled"]


def test_staff_approves_what_the_guest_cannot(client: SyncLangGraphClient, thread: str, rows: Rows) -> None:
    asked = question(ask(client, thread, WISH.format("7 to 9 February"), approver="staff"))
    assert not asked["by_asker"]
    assert asked["settings"]["approver"] == "staff"

    still = ask(client, thread, "yes", approver="staff")
    assert question(still)["terms_hash"]
    assert rows("2027-02-07") == ["hold"]

    ended = reply(client, thread, {"decision": "approve"}, approver="staff")
    assert ended["outcome"] == "answered"
    assert rows("2027-02-07") == ["confirmed"]


def test_three_asides_then_an_inbox_of_the_staff_approves_and_it_is_booked_once(
    client: SyncLangGraphClient, thread: str, rows: Rows
) -> None:
    asked = question(ask(client, thread, WISH.format("10 to 12 March"), approver="staff"))

    for words in (
        "What time is breakfast?",
        "Is there parking?",
        "is a room for two adults free from 3 to 5 December?",
    ):
        aside = ask(client, thread, words)
        assert aside["outcome"] == "answered"
        assert question(aside)["terms_hash"] == asked["terms_hash"]
        assert question(aside)["valid_until"] == asked["valid_until"]
        assert client.threads.get(thread)["status"] == "interrupted"
    assert rows("2027-03-10") == ["hold"]
    # An inbox gives no settings: the request's own hold, its day among them.
    ended: Any = client.runs.wait(thread, "hotel", command={"resume": {"decisions": [{"type": "approve"}]}})

    assert ended["outcome"] == "answered"
    assert ended["results"]["create_booking"]["data"]["reference"] in ended["answer"]
    assert rows("2027-03-10") == ["confirmed"]
    texts = [str(message["content"]) for message in ended["messages"]]
    assert sum("This is what would be booked" in text for text in texts) == 1


def test_a_house_that_leaves_it_to_staff_is_not_talked_out_of_it(
    client: SyncLangGraphClient, thread: str, rows: Rows
) -> None:
    asked = question(ask(client, thread, WISH.format("14 to 16 February"), "staffed", approver="guest"))
    assert not asked["by_asker"]

    still = ask(client, thread, "yes", "staffed", approver="guest")

    assert not question(still)["by_asker"]
    assert "confirmed" not in rows("2027-02-14")


def test_waiting_threads_are_found_through_the_api(client: SyncLangGraphClient, thread: str) -> None:
    ask(client, thread, WISH.format("18 to 20 February"), approver="staff")

    waiting = client.threads.search(status="interrupted", limit=100)

    (mine,) = [each for each in waiting if each["thread_id"] == thread]
    ((shown,),) = mine["interrupts"].values()
    assert shown["value"]["terms"]["guest"]["name"] == NAME
