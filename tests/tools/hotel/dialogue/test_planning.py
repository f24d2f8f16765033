"""Plans: the published requests, the order of calls, follow-ups from slots, and what is carried on."""

import json
from dataclasses import replace
from typing import Any

import pytest
from desk_views import availability, offer, plan_of, planning_view, rendered, resolved_args
from hotel_requests import REQUESTS, requests
from langchain_core.messages import AIMessage, HumanMessage
from scripted import planned
from tables import table

from wavegraph.app.evaluate.file import Case
from wavegraph.app.evaluate.scores import Call, fits
from wavegraph.app.hotel.evaluation import vocabulary as hotel_vocabulary
from wavegraph.graph.ledger import signature
from wavegraph.graph.references.paths import references
from wavegraph.graph.state import PastRequest, PlanningResult, empty_ledger
from wavegraph.tools.hotel.dialogue.slots import HotelSlots
from wavegraph.tools.hotel.offline import HotelOffline


@pytest.mark.skipif(not REQUESTS.exists(), reason="the published requests are not beside the checkout")
@pytest.mark.parametrize("case", requests(), ids=lambda case: case.id)
def test_published_request(case: Case) -> None:
    """What is planned at first, before any hotel is asked."""
    vocabulary = hotel_vocabulary()
    clock: dict[str, Any] = {"today": case.reference_date, "country": case.country}
    plan = plan_of(case.text, history=[(said.role, said.text) for said in case.history], **clock)
    tools = {call["tool"] for call in plan["tools"]}
    assert not tools & {own for tool in case.expect.must_not for own in vocabulary.own(tool)}
    if case.expect.action != "tools":
        assert (plan["action"], plan["tools"], bool(plan["reply"])) == (case.expect.action, [], True)
        return
    args = resolved_args(plan, **clock)
    calls = [
        Call(tool=call["tool"], args=args[call["id"]], data={"quote_id": f"of {call['id']}"}) for call in plan["tools"]
    ]
    for expected in case.calls[: None if case.category != "adapt" else 1]:
        assert any(fits(expected, call, case, calls, vocabulary) for call in calls), expected


def test_holidays_wait_for_the_calendar_in_one_plan() -> None:
    plan = plan_of("Hanukkah or Passover, and next weekend, 2 adults")
    assert [call["id"] for call in plan["tools"]] == [
        "get_holiday", "get_holiday_2", "resolve_dates", "check_availability", "check_availability_2", "check_availability_3"
    ]  # fmt: skip
    waits = {call["id"]: {target for target, _ in references(call["args"])} for call in plan["tools"]}
    assert waits["check_availability"] == {"get_holiday"}
    assert waits["check_availability_2"] == {"get_holiday_2"}
    assert waits["check_availability_3"] == {"resolve_dates"}
    assert plan["status"] == "done"


def test_part_of_a_holiday_refers_to_its_dates() -> None:
    (_, check) = plan_of("one night in Hanukkah")["tools"]
    assert check["args"]["check_in"] == {"ref": {"call": "get_holiday", "path": "dates[0]"}}
    assert check["args"]["check_out"] == {"ref": {"call": "get_holiday", "path": "dates[1]"}}


def test_explicit_dates_need_no_calendar() -> None:
    (check,) = plan_of("January 17-19")["tools"]
    assert check["args"] == {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2}


def test_long_lists_are_cut_and_say_so() -> None:
    plan = plan_of("Jan 3-4, Jan 5-6, Jan 7-8, Jan 10-11, Jan 12-13, Jan 14-15 and Jan 17-18 for 2")
    assert len(plan["tools"]) == 5
    assert plan["slots"]["stays_left_out"] == 2


def test_slots_survive_json_and_outlive_a_question() -> None:
    first = plan_of("Check availability for January 17-19, 3 adults, sea view")
    assert json.loads(json.dumps(first["slots"])) == first["slots"]
    question = plan_of("is there parking?", previous=previous(first))
    assert [call["tool"] for call in question["tools"]] == ["get_hotel_info"]
    again = plan_of("same but two rooms", previous=previous(question))
    assert again["tools"][0]["args"] == {
        "check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 3, "rooms": 2, "room_type": "DLX"
    }  # fmt: skip


def test_slots_outlive_a_request_that_could_not_be_read() -> None:
    first = plan_of("Check availability for January 17-19, 3 adults, sea view")
    unread: Any = {**previous({**first, "slots": {}}), "earlier": previous(first)}
    (again,) = plan_of("same but two rooms", previous=unread)["tools"]
    assert (again["args"]["check_in"], again["args"]["adults"], again["args"]["rooms"]) == ("2027-01-17", 3, 2)


def previous(plan: PlanningResult) -> PastRequest:
    made: Any = {**plan, "number": 1, "planner": "rules", "adapts": False}
    request: Any = {"id": "p", "number": 1, "text": "", "language": "en"}
    return {"request": request, "plan": made, "ledger": empty_ledger(), "outcome": "answered"}


def test_the_cheaper_one_is_taken_from_the_prices_shown() -> None:
    first = plan_of("Compare January 10-12 and January 20-22 for 2 adults")
    before = previous(first)
    for call in first["tools"]:
        before["ledger"]["calls"][call["id"]] = planned(call["id"], call["tool"], **call["args"])
    for (check_in, total), call in zip((("2027-01-10", 90_000), ("2027-01-20", 70_000)), first["tools"], strict=True):
        data = availability(check_in, call["args"]["check_out"], offer("DBL", total, 2))
        key = signature("get_availability", call["args"])
        before["ledger"]["outcomes"][key] = {
            "tool": "get_availability", "args": call["args"], "status": "ok", "data": data, "error": None,
            "attempts": 1, "runs": 1, "plan": 1, "wave": 1, "elapsed_s": 0.0, "signature": key,
        }  # fmt: skip
    chosen = plan_of("the cheaper one", previous=before)
    assert [call["args"]["check_in"] for call in chosen["tools"]] == ["2027-01-20"]


def test_without_a_previous_request_the_conversation_is_read_again() -> None:
    view = planning_view("and the day after?")
    talk = [
        HumanMessage("January 17-19 for 3"),
        AIMessage("…"),
        HumanMessage("is there wifi?"),
        AIMessage("…"),
        *view.conversation,
    ]
    plan = HotelOffline().plan(replace(view, conversation=talk))
    assert plan["tools"][0]["args"] == {"check_in": "2027-01-18", "check_out": "2027-01-20", "adults": 3}


def test_slots_of_another_version_are_still_read() -> None:
    assert HotelSlots.model_validate({"adults": 2, "mood": "sunny"}).adults == 2


@table(
    ("text", "refundable"),
    [
        ("is the rate refundable?", None),
        ("Is it refundable?", None),
        ("is the double room non-refundable?", None),
        ("is the rate refundable for 17-19 May?", None),
        ("האם המחיר ניתן לביטול?", None),
        ("refundable, please", True),
        ("is a refundable double free 17-19 May?", True),
        ("17-19 May with free cancellation", True),
    ],
)
def test_a_question_about_the_terms_is_no_wish_for_them(text: str, refundable: bool | None) -> None:
    history = [("user", "two adults, 17-19 May"), ("assistant", "…")]
    assert plan_of(text, history=history)["slots"]["refundable"] is refundable


LETTERS = {
    "English": (
        "We remember the long walks along the promenade with great fondness. " * 70,
        "Dear reception team, {}We would like to come from January 17 to January 19, 2 adults and a child aged 6. May we bring our dog? {}",
    ),
    "Hebrew": (
        "אנחנו זוכרים את הטיולים הארוכים באהבה גדולה. " * 110,
        "שלום רב, {}נרצה להגיע 17-19 בינואר, שני מבוגרים וילד בן 6. אפשר להביא כלב? {}",
    ),
}


@pytest.mark.parametrize("language", LETTERS)
@pytest.mark.parametrize("before", [True, False], ids=["at its end", "at its beginning"])
def test_a_long_letter_is_answered_to_what_it_asks(language: str, before: bool) -> None:
    filler, letter = LETTERS[language]
    text = letter.format(*((filler, "") if before else ("", filler)))
    assert len(text) > 4800
    assert rendered(plan_of(text)) == ["availability 2027-01-17 2027-01-19 2 children_ages=6", "info pets"]
