"""The slots of a model's plan: each stands in an argument of its calls, in a reply form or in the guest's own words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from desk_views import planning_view
from scripted import ledger_of, outcome, planned
from tables import table

from wavegraph.graph.state import PastRequest, ToolCall
from wavegraph.testing import call, planning, ref
from wavegraph.tools.hotel.dialogue.slots import HotelSlots
from wavegraph.tools.hotel.script import hotel_script

NIGHTS = {"check_in": "2027-01-17", "check_out": "2027-01-19"}
STAY = call("look", "get_availability", **NIGHTS, adults=2)


def slots_of(text: str, *calls: ToolCall, said: Sequence[Mapping[str, Any]] = (), **view: Any) -> dict[str, Any]:
    made: Any = {**planning(*calls), "said": list(said)}
    completed = hotel_script().completed
    assert completed is not None
    return completed(made, planning_view(text, **view))["slots"]


def look(call_id: str = "look", **args: Any) -> ToolCall:
    return call(call_id, "get_availability", **{**NIGHTS, "adults": 2, **args})


@dataclass
class Case:
    id: str
    text: str
    calls: Sequence[ToolCall]
    slots: Mapping[str, Any]
    """Those that the calls give; of a name that is missing here nothing is said."""
    absent: Sequence[str] = ()
    said: Sequence[Mapping[str, Any]] = field(default_factory=list)


BUDGET = {"amount_agorot": 20_000, "per": "night"}
CASES = [
    # What was not said is what an argument leaves open
    Case("all is said", "a room for two 17-19 January", [STAY], {"adults": 2}, ["assumed", "children_ages", "rooms"]),
    Case("nobody is counted", "a room 17-19 January", [look(adults=None)], {"assumed": ["adults"]}, ["adults"]),
    Case("left out is null", "a room 17-19 January", [call("look", "get_availability", **NIGHTS)], {"assumed": ["adults"]}),
    Case("two a room", "two rooms 17-19 January", [look(adults=None, rooms=2)], {"assumed": ["adults_per_room"], "rooms": 2}),
    Case("the request counts them", "a room for two 17-19 January", [look(adults=None)], {}, ["assumed"]),
    Case("an age", "17-19 January, 2 adults and a child", [look(children_ages=[None])],
         {"children_ages": [8], "assumed": ["child_ages"]}),
    Case("ages", "17-19 January, 2 adults, kids of 4 and 6", [look(children_ages=[4, 6])], {"children_ages": [4, 6]}, ["assumed"]),
    Case("a baby", "17-19 January, 2 adults and a baby", [look(children_ages=[1])], {"assumed": ["baby_ages"]}),
    Case("a family", "17-19 January, a family of 5", [look(children_ages=[None] * 3)], {"assumed": ["family", "child_ages"]}),
    Case("children without a number", "17-19 January, 2 adults and children", [look()], {"assumed": ["uncounted"]}),
    *(Case(f"children who stay away: {words}", f"17-19 January, 2 adults. {words}?", [look()], {}, ["assumed"])
      for words in ("And without the children", "And if the kids stay home", "ובלי הילדים", "וללא הילדים")),
    Case("the request counts others", "a room for three 17-19 January", [look(adults=None)], {"assumed": ["adults"]}),
    Case("somebody is named", "A room 17-19 January? I need to ask my husband first", [look(adults=None)], {"assumed": ["adults"]}),
    Case("one night", "a room for two on 17 January", [look(check_out=None)], {"assumed": ["nights"]}),
    Case("no night is missing where nights were said", "a room for two 17-19 January", [look(check_out=None)], {}, ["assumed"]),
    Case("a day is no budget", "a room for two 17-19 January", [look(max_price=19)], {}, ["budget"]),
    # Dates have the guest's words, or the calendar's
    Case("the guest's words", "a room for two 17-19 January", [STAY],
         {"stays": [{**NIGHTS, "hint": "17-19 January", "label": "17-19 January 2027"}]}),
    Case("a hint", "a room for two next weekend",
         [call("dates", "resolve_date_hint", hint="next weekend"),
          look(check_in=ref("dates", "stays[0].check_in"), check_out=ref("dates", "stays[0].check_out"))],
         {"stays": [{"check_in": "2026-11-26", "check_out": "2026-11-28", "hint": "next weekend", "kind": "weekend",
                     "label": "next weekend"}]}),
    Case("a holiday", "something for two at the festival of lights",
         [call("day", "get_holiday", name="Hanukkah"), look(check_in=ref("day", "dates[0]"), check_out=ref("day", "dates[1]"))],
         {"stays": [{"check_in": "2026-12-04", "check_out": "2026-12-05", "hint": "Hanukkah", "kind": "part",
                     "label": "Hanukkah", "holiday": "Hanukkah"}]}),
    Case("each of them", "weekends in February for two",
         [call("dates", "resolve_date_hint", hint="weekends in February"),
          {**look(check_in=ref("each", "check_in"), check_out=ref("each", "check_out")), "each": ref("dates", "stays")}],  # type: ignore[list-item]
         {"stays": [{"check_in": f"2027-02-{day:02}", "kind": "weekend", "hint": "weekends in February"} for day in (4, 11, 18, 25)]}),
    Case("dates nobody knows yet", "like the first one", [look(check_in=ref("other", "a"), check_out=ref("other", "b"))],
         {"adults": 2}, ["stays"]),
    Case("a search", "the cheapest two nights in January",
         [call("open", "find_open_stays", from_date="2027-01-01", to_date="2027-02-01", nights=2, adults=2, order="cheapest")],
         {"searches": [{"from_date": "2027-01-01", "to_date": "2027-02-01", "nights": 2, "cheapest": True}],
          "want": "cheapest", "chosen": True}),
    Case("one stay of two room types", "double or suite, 17-19 January for two",
         [look("a", room_type="DBL"), look("b", room_type="SUITE")], {"room_types": ["DBL", "SUITE"]}, ["board"]),
    Case("a room by its words", "the double or the deluxe, 17-19 January for two",
         [look("a", room_type="the double"), look("b", room_type="DBL", board="BB"), look("c", room_type="deluxe")],
         {"room_types": ["DBL", "DLX"]}),
    Case("a room by its words in Hebrew", "כמה עולה חדר הדלוקס 17-19 בינואר לזוג?", [look(room_type="חדר הדלוקס")], {"room_types": ["DLX"]}),
    Case("words of no one room", "the sea or the penthouse, 17-19 January for two",
         [look("a", room_type="sea"), look("b", room_type="penthouse")], {}, ["room_types"]),
    Case("a board", "a double with breakfast, 17-19 January for two", [look(room_type="DBL", board="BB")],
         {"room_types": ["DBL"], "board": "BB"}),
    Case("two parties", "17-19 January: one room for 2, one for 3", [look("a"), look("b", adults=3)],
         {}, ["adults"]),
    Case("not what replaces it", "17-19 January for two", [STAY, {**look("b", check_in="2027-01-18"), "instead_of": "look"}],
         {"stays": [{**NIGHTS, "hint": "17-19 January", "label": "17-19 January 2027"}]}),
    Case("a wish that no argument has", "a quiet double near the lift, 17-19 January for two", [STAY], {"wishes": True}),
    Case("no wish", "17-19 January for two, and what are the quiet hours?", [STAY], {}, ["wishes"]),
    # A limit is the guest's own figure
    Case("a budget", "17-19 January for two under 200 a night", [look(max_price=200, per="night")],
         {"budget": {**BUDGET, "currency": "ILS"}}),
    Case("for each guest", "17-19 January for two under 200 per person a night", [look(max_price=200, per="person_night")],
         {"budget": {**BUDGET, "per": "person_night", "currency": "ILS"}}),
    Case("for each guest, as the reader has it", "17-19 January for two under 200 per person", [look(max_price=200, per="stay")],
         {"budget": {**BUDGET, "per": "person", "currency": "ILS"}}),
    Case("a foreign one", "17-19 January for two under 200 dollars", [look(max_price=200, currency="USD")],
         {"budget": {"amount_agorot": 20_000, "per": "stay", "currency": "USD", "said": "200 dollars"}}),
    Case("as the reader has it", "17-19 January for two under 200 dollars a night", [look(max_price=200)],
         {"budget": {**BUDGET, "currency": "USD", "said": "200 dollars"}}),
    Case("in words", "17-19 January for two, two hundred at the very most", [look(max_price=200)],
         {"budget": {"amount_agorot": 20_000, "per": "stay"}}),
    Case("one that nobody named", "17-19 January for two", [look(max_price=300)], {}, ["budget"]),
    Case("two of them", "17-19 January for 200, 20-22 January for 300",
         [look("a", max_price=200), look("b", check_in="2027-01-20", check_out="2027-01-22", max_price=300)], {}, ["budget"]),
    # What is wanted
    Case("compared", "which is cheaper, 17-19 or 20-22 January, for two?",
         [look("a"), look("b", check_in="2027-01-20", check_out="2027-01-22")], {"want": "compare"}),
    Case("to book", "book it for Dana Levi, dana@example.com",
         [call("quote", "quote_stay", **NIGHTS, adults=2, refundable=True),
          call("book", "create_booking", quote_id=ref("quote", "quote_id"), guest_name="Dana Levi", guest_email="dana@example.com")],
         {"want": "book", "chosen": True, "refundable": True, "guest": {"name": "Dana Levi", "email": "dana@example.com"}}),
    Case("to book, once the name is known", "book a double 17-19 January for two", [look(room_type="DBL")],
         {"want": "book", "room_types": ["DBL"]}, ["chosen", "guest"], said=[{"say": "ask", "what": ["name", "contact"]}]),
    Case("any room", "book anything 17-19 January for two", [STAY], {"want": "book", "chosen": True},
         said=[{"say": "ask", "what": ["name", "contact"]}]),
    Case("which room", "book something 17-19 January for two", [STAY], {"want": "book"}, ["chosen"],
         said=[{"say": "ask", "what": ["room", "name", "contact"]}]),
    Case("a booking", "show me WG-ABCD2345, Levi", [call("b", "get_booking", reference="WG-ABCD2345", surname_or_email="Levi")],
         {"booking": {"reference": "WG-ABCD2345", "holder": "Levi"}}, ["want"]),
    Case("booking in the guest's words", "book me a double 17-19 January for two", [look(room_type="DBL")], {"want": "book"}),
    Case("cheapest", "the cheapest room 17-19 January for two", [STAY], {"want": "cheapest", "chosen": True}),
    Case("another's booking", "cancel WG-ABCD2345, name Alon, and what is free 17-19 January for two?",
         [call("c", "cancel_booking", reference="WG-ABCD2345", surname_or_email="Alon"), look()],
         {"booking": {"reference": "WG-ABCD2345", "holder": "Alon"}}, ["guest"]),
    Case("more than the cheapest", "Which room 17-19 January for two is the dearest, how much more than the cheapest?",
         [look()], {}, ["chosen"]),
    Case("to cancel", "cancel my booking", [], {"want": "cancel"}, said=[{"say": "ask", "what": ["reference"]}]),
    Case("to find", "where is my booking?", [], {"want": "find"}, said=[{"say": "ask", "what": ["reference", "holder"]}]),
    Case("a question of the house", "is there parking?", [call("p", "get_hotel_info", topic="parking")], {}, ["intent", "stays"]),
]  # fmt: skip


def documented() -> dict[str, str]:
    """Each slot of the table in the documentation, and where it comes from."""
    text = (Path(__file__).parents[4] / "docs" / "start" / "answers.md").read_text(encoding="utf-8")
    table = text.partition("| slot of the hotel |")[2].partition("\n\n")[0]
    rows = [row.split(" | ") for row in table.splitlines() if row.startswith("| `")]
    return {name: origin for names, origin in rows for name in re.findall(r"`(\w+)`", names)}


def test_the_table_names_every_slot_and_those_that_only_the_rules_read() -> None:
    known = documented()
    assert sorted(known) == sorted(HotelSlots.model_fields)
    derived = {name for case in CASES for name in slots_of(case.text, *case.calls, said=case.said)}
    assert {name for name, origin in known.items() if origin.startswith("nowhere")} == {*known} - derived


def holds(found: Any, expected: Any) -> bool:
    """Whether everything expected is there; a record may have more."""
    if isinstance(expected, Mapping):
        return isinstance(found, Mapping) and all(holds(found.get(name), part) for name, part in expected.items())
    if isinstance(expected, list):
        return len(found or ()) == len(expected) and all(map(holds, found, expected))
    return bool(found == expected)


@table("case", CASES)
def test_the_slots_of_a_plan(case: Case) -> None:
    found = slots_of(case.text, *case.calls, said=case.said)
    assert holds(found, case.slots), found
    assert [name for name in case.absent if name in found] == []
    assert HotelSlots.model_validate(found)


def before(text: str, slots: Mapping[str, Any], *calls: ToolCall) -> PastRequest:
    """The request before, as it was stored."""
    made: Any = {**planning(*calls), "slots": dict(slots), "number": 1, "planner": "llm", "adapts": False}
    ended = [outcome(each["tool"], each["args"], data={}) for each in calls]
    ledger = ledger_of([planned(each["id"], each["tool"], **each["args"]) for each in calls], ended)
    request: Any = {"id": "p", "number": 1, "text": text, "language": "en"}
    return {"request": request, "plan": made, "ledger": ledger, "outcome": "answered"}  # type: ignore[typeddict-item]


KNOWN = {"adults": 2, "stays": [{**NIGHTS, "hint": "the long weekend"}], "want": "book", "room_types": ["DBL"]}


def test_a_request_for_no_stay_keeps_what_is_known() -> None:
    parking = call("p", "get_hotel_info", topic="parking")
    found = slots_of("is there parking?", parking, previous=before("a double 17-19 January for two", KNOWN, STAY))
    assert found == KNOWN
    assert "want" not in slots_of("no, leave it", previous=before("book a double", KNOWN, STAY))


def test_a_later_request_says_what_is_wanted_of_its_own() -> None:
    moved = look(check_in="2027-02-17", check_out="2027-02-19", adults=None)
    found = slots_of("and in February?", moved, previous=before("a double 17-19 January for two", KNOWN, STAY))
    assert (found["want"], found["assumed"], found["stays"]) == (
        "book", ["adults"], [{"check_in": "2027-02-17", "check_out": "2027-02-19", "hint": ""}]
    )  # fmt: skip
    assert "room_types" not in found


def test_dates_keep_the_words_that_an_earlier_request_had_for_them() -> None:
    found = slots_of("with breakfast", look(board="BB"), previous=before("the long weekend", KNOWN, STAY))
    assert (found["stays"][0]["hint"], found["board"]) == ("the long weekend", "BB")


@pytest.mark.parametrize(("status", "told"), [("error", "2027-01-17"), ("ok", "2027-01-18")])
def test_a_second_plan_of_a_request_is_read_with_the_first(status: str, told: str) -> None:
    """A way round what came to nothing leaves the wish; what is looked up in place of a good result is the wish."""
    done = outcome("get_availability", STAY["args"], status, data={} if status == "ok" else None)
    ledger = ledger_of([planned("look", "get_availability", **STAY["args"])], [done])
    first: Any = {"slots": {"want": "book"}, "tools": [STAY]}
    other = {**look("b", check_in="2027-01-18", check_out="2027-01-20"), "instead_of": "look"}
    found = slots_of("book a room for two, 17-19 January", other, ledger=ledger, plan=first)
    assert [stay["check_in"] for stay in found["stays"]] == [told]
    assert found["want"] == "book"


def test_a_limit_that_was_named_earlier_still_is_the_guests() -> None:
    known = {"budget": {"amount_agorot": 20_000, "per": "night", "currency": "ILS"}}
    found = slots_of(
        "and in February?", look(max_price=200, per="night"), previous=before("under 200 a night", known, STAY)
    )
    assert found["budget"] == known["budget"]
    told = slots_of("and in February?", look(max_price=200), history=[("user", "at most 200"), ("assistant", "…")])
    assert told["budget"]["amount_agorot"] == 20_000


OF_A_MODEL = {
    "stays": [{**NIGHTS, "hint": "January 17-19"}],
    "adults": 2,
    "assumed": ["nights"],
    "budget": {"amount_agorot": 100, "per": "stay"},
    "guest": {"name": "Dana Levi"},
    "want": "book",
    "chosen": True,
}
"""Slots as models of an earlier version gave them."""


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("yes, but make it three adults, until the 20th of January", True),
        ("כן, אבל תשנה שיהיה לשלושה מבוגרים ועד ה-20 בינואר", True),
        ("yes, but a double, until the 20th of January", False),
    ],
)
def test_a_change_of_the_stay_to_be_booked_leaves_the_choice_of_the_cheapest(text: str, chosen: bool) -> None:
    wanted = "book me the cheapest room for two 17-19 January"
    previous = before(wanted, slots_of(wanted, look()), STAY)
    room = {"room_type": "DBL"} if not chosen else {}
    found = slots_of(text, look(check_out="2027-01-20", adults=3, **room), previous=previous)
    assert (found["want"], "chosen" in found) == ("book", chosen)


def test_a_thread_whose_slots_a_model_gave_goes_on() -> None:
    previous = before("a room for two 17-19 January", OF_A_MODEL, STAY)
    assert holds(slots_of("is there parking?", previous=previous), {"adults": 2, "want": "book", "chosen": True})
    found = slots_of("dana@example.com", look(), previous=previous)
    assert found["guest"] == {"name": "Dana Levi", "email": "dana@example.com"}
    assert not {"assumed", "budget"} & {*found}


@table(
    "args",
    [{}, {"check_in": 5}, {"check_in": "soon", "check_out": []}, {**NIGHTS, "adults": "two", "children_ages": 3},
     {**NIGHTS, "max_price": "much"}, {**NIGHTS, "children_ages": ["four"]}, {"check_in": ref("nowhere", "x")}],
)  # fmt: skip
@table("tool", ["get_availability", "quote_stay", "find_open_stays", "get_holiday", "resolve_date_hint"])
def test_arguments_that_are_none_are_the_plan_checks_to_refuse(tool: str, args: dict[str, Any]) -> None:
    found = slots_of("a room for two 17-19 January", STAY, {"id": "a", "tool": tool, "args": args})
    assert HotelSlots.model_validate(found)
