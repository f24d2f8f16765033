"""What a follow-up is shown of the request before it: arguments, and what a call may take."""

from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from scripted import outcome, planned
from states import state_of
from tables import table

from wavegraph import read, write
from wavegraph.graph.model.prompt_blocks import (
    calls_before,
    conversation_of,
    results_shown,
    values_named,
)
from wavegraph.graph.state import Request

ROOMY = 10_000


@tool
def find(day: str) -> dict[str, Any]:
    """Find offers."""
    return {}


@tool
def quote(day: str) -> dict[str, Any]:
    """Quote."""
    return {}


@tool
def book(number: str) -> dict[str, Any]:
    """Book."""
    return {}


OFFERS = [{"room": "R1", "price": 100}, {"room": "R2", "price": 200}]
TOOLS = {
    "find": read(find, refer_to=["offers", "room", "day"], result={"type": "object", "properties": {
        "day": {"type": "string"}, "offers": {"type": "array", "items": {
            "type": "object", "properties": {"room": {"type": "string"}, "price": {"type": "number"}}}}}}),
    "quote": read(quote, refer_to=[]),
    "book": write(book),
}  # fmt: skip


def before(*ended: tuple[str, dict[str, Any], Any]) -> list[dict[str, Any]]:
    calls = [planned(f"c{n}", name, **args) for n, (name, args, _) in enumerate(ended)]
    outcomes = [outcome(name, args, data=data) for name, args, data in ended]
    return calls_before(state_of(calls, outcomes)["ledger"], ROOMY, TOOLS)


def test_of_a_result_stands_what_a_later_call_may_take_and_no_record_of_its_lists() -> None:
    found = ("find", {"day": "Monday"}, {"day": "Monday", "offers": OFFERS, "note": "none"})
    assert before(found) == [{"tool": "find", "args": {"day": "Monday"}, "data": {"day": "Monday"}}]


def test_a_call_of_whose_result_nothing_can_be_taken_stands_with_its_arguments() -> None:
    assert before(("quote", {"day": "Monday"}, {"price": 5})) == [{"tool": "quote", "args": {"day": "Monday"}}]


def test_the_id_of_what_several_calls_were_about_stands_once() -> None:
    one = ("find", {"day": "Monday"}, {"day": "W-1"})
    again = ("find", {"day": "Tuesday"}, {"day": "W-1"})
    other = ("find", {"day": "Sunday"}, {"day": "W-2"})
    assert [row.get("data") for row in before(one, again, other)] == [{"day": "W-1"}, None, {"day": "W-2"}]


def test_a_tool_that_does_not_say_what_can_be_taken_is_shown_with_all() -> None:
    booked = {"offers": OFFERS, "number": "B-77"}
    assert before(("book", {"number": "B-77"}, booked))[0]["data"] == booked


def test_what_failed_says_so() -> None:
    ledger = state_of([planned("c", "find", day="x")], [outcome("find", {"day": "x"}, "error", data=None)])["ledger"]
    [row] = calls_before(ledger, ROOMY, TOOLS)
    assert (row["status"], row["error"]["code"]) == ("error", "error")


@table(
    ("data", "found"),
    [
        ({"a": 1, "b": 2}, {"a": 1}),
        ({"in": {"a": 1, "c": 3}, "out": {"c": 3}}, {"in": {"a": 1}}),
        ({"a": ["x", "y"]}, {"a": ["x", "y"]}),
        ({"a": []}, {"a": []}),
        ({"a": [{"a": 1}]}, {}),
        ([{"a": 1}], {}),
        ("a", {}),
        (None, {}),
    ],
)  # fmt: skip
def test_the_values_that_a_call_may_take(data: Any, found: Any) -> None:
    assert values_named(data, ["a"]) == found


def test_a_writer_is_not_shown_the_arguments_that_a_result_repeats() -> None:
    args = {"day": "Monday", "most": 5, "note": "quiet"}
    calls = [planned("a", "find", **args), planned("b", "find", day="Sunday"), planned("c", "quote", day="Monday")]
    outcomes = [
        outcome("find", args, data={"day": "Monday", "most": 4, "free": 2}),
        outcome("find", {"day": "Sunday"}, data={"day": "Sunday"}),
        outcome("quote", {"day": "Monday"}, data=[5]),
    ]
    assert results_shown(state_of(calls, outcomes)["ledger"], ROOMY) == [
        {"tool": "find", "args": {"most": 5, "note": "quiet"}, "data": {"day": "Monday", "most": 4, "free": 2}},
        {"tool": "find", "data": {"day": "Sunday"}},
        {"tool": "quote", "args": {"day": "Monday"}, "data": [5]},
    ]


def test_an_answer_stands_whole_among_the_earlier_messages() -> None:
    """What is counted in it ("the last one") stands in its lines."""
    messages = [HumanMessage("h" * 3000, id="m0"), AIMessage("a" * 3000, id="a0"), AIMessage("b" * 5000, id="a1")]
    request: Request = {"id": "m1", "number": 2, "text": "the last one", "language": "en"}
    assert [len(each["text"]) for each in conversation_of(messages, request)] == [2000, 3000, 4000]
