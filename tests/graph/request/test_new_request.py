"""When a request begins, and what of the one before it is carried over."""

from dataclasses import asdict, dataclass, field
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from scripted import ledger_of, outcome, plan_of, planned
from states import asked_about, state_of

from wavegraph import SettingsError
from wavegraph.graph.dialogue.messages import reply, stop_note
from wavegraph.graph.dialogue.questions import newest_heard
from wavegraph.graph.limits import Limits
from wavegraph.graph.request.new_request import (
    _carried_results,
    begins_request,
    check_version,
    has_new_message,
    new_messages,
    new_request,
    newest_request_message,
    unreadable,
)
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import CARRIED, STATE_VERSION, empty_ledger, with_calls

FIRST, SECOND = HumanMessage("one", id="m1"), HumanMessage("two", id="m2")
REQUEST = {"id": "m1", "number": 1, "text": "one", "language": "en"}


@dataclass(frozen=True)
class Case:
    id: str
    begins: bool
    messages: list[AnyMessage]
    state: dict[str, Any] = field(default_factory=dict)


CASES = [
    Case("a new thread", True, [FIRST]),
    Case("a new thread without a message", True, []),
    Case("in the middle of a request", False, [FIRST], {"request": REQUEST, "outcome": None}),
    Case("a new message on a finished thread", True, [FIRST, AIMessage("1"), SECOND], {"request": REQUEST, "outcome": "answered"}),
    Case("a new message on a cut-off request", True, [FIRST, SECOND], {"request": REQUEST, "outcome": None}),
    Case("a message that was written anew", True, [HumanMessage("more", id="m1")], {"request": REQUEST, "outcome": None}),
    Case("an answer within a request", False, [FIRST, reply("yes", "1-3f9a")], {"request": REQUEST, "outcome": None}),
    Case("no message in the middle of a request", False, [AIMessage("1")], {"request": REQUEST, "outcome": None}),
    Case("nothing new on a finished thread", True, [FIRST, AIMessage("1")], {"request": REQUEST, "outcome": "failed"}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_begins_request(case: Case) -> None:
    state: Any = {"messages": case.messages, **case.state}

    assert begins_request(state) is case.begins


READ, WRITE = planned("a", "count", sku="bolt"), planned("w", "move", "write", sku="bolt")
ENDED = [
    outcome("count", {"sku": "bolt"}, data=40),
    outcome("count", {"sku": "nut"}, "error"),
    outcome("count", {"sku": "belt"}, "timeout", retryable=True),
    outcome("move", {"sku": "bolt"}, data="moved"),
]


def test_a_cut_off_request_leaves_its_good_reads_only() -> None:
    state: Any = {"request": REQUEST, "outcome": None, "ledger": ledger_of([READ, WRITE], ENDED)}
    carried = _carried_results(state)

    assert [(o["tool"], o["data"], o["runs"], o["wave"]) for o in carried["outcomes"].values()] == [
        ("count", 40, 0, CARRIED)
    ]
    assert carried["calls"] == {}


@pytest.mark.parametrize(("read_in", "kept"), [(1, []), (2, [40]), (3, [40])], ids=["before", "with", "after"])
def test_a_read_that_a_write_has_overtaken_is_not_kept(read_in: int, kept: list[int]) -> None:
    """Waves are numbered: what was read in an earlier one than the last write may not be so any more."""
    outcomes = [
        outcome("count", {"sku": "bolt"}, data=40, wave=read_in),
        outcome("move", {"sku": "nut"}, data="moved", wave=1),
        outcome("move", {"sku": "bolt"}, data="moved", wave=2),
    ]
    ledger = ledger_of([READ, WRITE], outcomes)
    state: Any = {"messages": [FIRST, SECOND], "request": REQUEST, "outcome": None, "ledger": ledger}

    assert [each["data"] for each in new_request(state, Settings(), Limits())["ledger"]["outcomes"].values()] == kept


@pytest.mark.parametrize("ended", ["answered", "partial", "failed", "clarify"])
def test_a_finished_request_leaves_nothing(ended: str) -> None:
    state: Any = {"request": REQUEST, "outcome": ended, "ledger": ledger_of([READ], ENDED)}

    assert _carried_results(state)["outcomes"] == {}


@pytest.mark.parametrize(("wave", "kept"), [(1, True), (7, True), (CARRIED, False)])
def test_without_a_write_all_reads_are_kept_but_what_had_come_over_itself(wave: int, kept: bool) -> None:
    read = outcome("count", {"sku": "bolt"}, data=40, wave=wave)
    state: Any = {"request": REQUEST, "outcome": None, "ledger": ledger_of([READ], [read])}

    assert bool(_carried_results(state)["outcomes"]) is kept


def test_what_is_kept_apart_comes_over_too() -> None:
    ledger = {
        **ledger_of([READ], [outcome("count", {"sku": "bolt"}, data={"artifact": "a1"})]),
        "artifacts": {"a1": "long"},
    }
    state: Any = {"request": REQUEST, "outcome": None, "ledger": ledger}

    assert _carried_results(state)["artifacts"] == {"a1": "long"}


def test_a_request_that_waits_is_set_aside_with_what_it_read() -> None:
    pay = planned("pay", "pay", "write", item="tea")
    reads = [outcome("count", {"sku": "bolt"}, data=40)]
    waits = {**state_of([READ, pay], reads, approvals=asked_about(pay)), "messages": [FIRST, SECOND]}

    opened = new_request(waits, Settings(), Limits())

    assert opened["ledger"] == empty_ledger()
    (aside,) = opened["set_aside"]
    assert {name: aside[name] for name in ("plan", "ledger", "approvals")} == {
        name: waits[name] for name in ("plan", "ledger", "approvals")
    }
    assert "heard" not in aside


def opened(messages: list[AnyMessage], settings: Settings | None = None, /, **state: Any) -> dict[str, Any]:
    return new_request({"messages": messages, **state}, settings or Settings(), Limits())  # type: ignore[typeddict-item]


def test_a_new_request_knows_nothing_of_another() -> None:
    state: Any = {"messages": [FIRST]}

    assert new_request(state, Settings(), Limits(max_waves=3), {"language": "en"}) == {
        "version": STATE_VERSION,
        "request": REQUEST,
        "heard": None,
        "settings": {"language": "en"},
        "limits": asdict(Limits(max_waves=3)),
        "previous": None,
        "ledger": empty_ledger(),
        "plan": None,
        "issues": [],
        "issue_counts": {},
        "approvals": {},
        "second_looks": [],
        "feedback": None,
        "planning_calls": 0,
        "waves": 0,
        "adaptations": 0,
        "answer_replans": 0,
        "rewrites": 0,
        "unsupported": [],
        "is_repeated": False,
        "answer_failures": [],
        "broken_plans": [],
        "struck": [],
        "usage": {},
        "limits_hit": [],
        "validation": {"is_valid": True, "needs_adaptation": False, "issues": [], "feedback": "", "suggestions": []},
        "model_down": False,
        "notes": "",
        "message_id": "",
        "times": {},
        "answer": "",
        "outcome": None,
        "replaced": [],
        "reply": None,
        "set_aside": [],
        "unworded": False,
        "templated": False,
        "told": [],
    }
    assert opened([FIRST])["settings"] == {}


ENDED_STATE: Any = {"request": REQUEST, "outcome": "failed", "ledger": empty_ledger()}
BESIDE: Any = {**ENDED_STATE, "heard": {"id": "m4", "text": "four", "number": 4}}
NOTE = stop_note("stopped", "m1")


@pytest.mark.parametrize(
    ("messages", "state", "request_", "known"),
    [
        ([FIRST], {}, ("m1", 1, "one"), ("m1", "one")),
        ([FIRST, AIMessage("1"), SECOND], ENDED_STATE, ("m2", 2, "two"), ("m2", "two")),
        ([FIRST, SECOND], BESIDE, ("m2", 5, "two"), ("m2", "two")),
        ([], {}, ("empty-1", 1, ""), ("empty-1", "")),
        ([HumanMessage("one")], {}, ("empty-1", 1, "one"), ("", "one")),
        ([FIRST], ENDED_STATE, ("empty-2", 2, ""), ("m1", "one")),
        ([FIRST, AIMessage("1")], {}, ("empty-1", 1, ""), ("m1", "one")),
        ([FIRST, NOTE], {}, ("m1", 1, "one"), ("m1", "one")),
        ([FIRST, AIMessage("1"), NOTE], {}, ("m1", 1, "one"), ("m1", "one")),
        ([FIRST, NOTE, AIMessage("1")], {}, ("empty-1", 1, ""), ("m1", "one")),
        ([FIRST, reply("yes", "1")], {}, ("m1", 1, "one"), ("m1", "one")),
    ],
)
def test_a_request_is_the_last_message_that_nobody_answered(
    messages: Any, state: Any, request_: Any, known: Any
) -> None:
    found = opened(messages, **state)

    name, number, text = request_
    assert found["request"] == {"id": name, "number": number, "text": text, "language": "en"}
    assert newest_heard(found) == {"id": known[0], "text": known[1], "number": number}
    assert (found["heard"] is None) == (known == (name, text))  # it is not stored twice


@pytest.mark.parametrize(
    ("text", "chosen", "language"),
    [("שלום", "auto", "he"), ("hello", "auto", "en"), ("שלום", "en", "en"), ("hello", "he", "he")],
)
def test_a_request_is_in_the_language_of_its_words_unless_one_is_set(text: str, chosen: Any, language: str) -> None:
    found = opened([HumanMessage(text, id="m1")], Settings(language=chosen))

    assert found["request"]["language"] == language


def test_the_request_before_is_kept_with_what_it_left_open() -> None:
    tea, cake = (planned(item, "pay", "write", item=item) for item in ("tea", "cake"))
    asked = {**asked_about(tea), **asked_about(cake, decision="reject")}
    plan, ledger = plan_of([tea, cake]), ledger_of([READ], ENDED[:1])

    found = opened([FIRST, SECOND], request=REQUEST, outcome="failed", plan=plan, ledger=ledger, approvals=asked)

    assert found["previous"] == {
        "request": REQUEST,
        "plan": plan,
        "ledger": ledger,
        "outcome": "failed",
        "approvals": asked_about(tea),
    }
    assert opened([FIRST, SECOND], **ENDED_STATE)["previous"] == {
        "request": REQUEST,
        "plan": None,
        "ledger": empty_ledger(),
        "outcome": "failed",
        "approvals": {},
    }


LOOKED = ledger_of([READ], ENDED[:1])


@pytest.mark.parametrize(
    ("ledgers", "about"),
    [
        ([LOOKED], 1),
        ([LOOKED, empty_ledger()], 1),
        ([LOOKED, empty_ledger(), empty_ledger()], 1),
        ([LOOKED, empty_ledger(), LOOKED], 3),
        ([empty_ledger(), LOOKED], 2),
        ([empty_ledger(), empty_ledger()], 2),
    ],
)
def test_a_request_without_calls_leaves_the_last_one_that_had_some(ledgers: list[Any], about: int) -> None:
    previous: Any = None
    for number, ledger in enumerate(ledgers, 1):
        ended = {**ENDED_STATE, "request": {**REQUEST, "number": number}, "ledger": ledger, "previous": previous}
        previous = opened([FIRST, SECOND], **ended)["previous"]

    assert previous["request"]["number"] == len(ledgers)
    found: Any = with_calls(previous)
    assert found["request"]["number"] == about
    assert ("earlier" in previous) == (about < len(ledgers))


@pytest.mark.parametrize(("letters", "kept"), [(63_998, 1), (63_999, 0)])
def test_results_of_the_request_before_are_kept_up_to_64_kB(letters: int, kept: int) -> None:
    ledger = ledger_of([READ], [outcome("count", {"sku": "bolt"}, data=letters * "x")])  # in JSON with two quotes

    before = opened([FIRST, SECOND], **{**ENDED_STATE, "ledger": ledger})["previous"]

    assert len(before["ledger"]["outcomes"]) == kept


THIRD = HumanMessage("three", id="m3")
THREE: list[AnyMessage] = [FIRST, AIMessage("1"), SECOND, reply("yes", "1"), THIRD]


@pytest.mark.parametrize(
    ("state", "known", "new"),
    [
        ({}, (None, ""), [FIRST, SECOND, THIRD]),
        ({"request": REQUEST}, ("m1", "one"), [SECOND, THIRD]),
        ({"request": REQUEST, "heard": {"id": "m2", "text": "two"}}, ("m2", "two"), [THIRD]),
        ({"request": REQUEST, "heard": {"id": "m3", "text": "three"}}, ("m3", "three"), []),
        ({"request": REQUEST, "heard": {"id": "m2", "text": "one"}}, ("m2", "one"), [FIRST, SECOND, THIRD]),
    ],
)
def test_new_messages_are_those_behind_the_newest_that_was_heard(
    state: Any, known: Any, new: list[HumanMessage]
) -> None:
    state = {**state, "messages": THREE}

    assert newest_request_message(state) == known
    assert new_messages(state) == new


def test_a_thread_without_a_message_of_a_person_has_nothing_new() -> None:
    assert not has_new_message({"messages": [AIMessage("hello")]})


PICTURE: Any = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}]


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ([HumanMessage("x" * 100, id="m1")], None),
        ([HumanMessage("x" * 101, id="m1")], "has 101 characters, and I can read at most 100."),
        ([HumanMessage("", id="m1")], "I received no question."),
        ([HumanMessage(" \n", id="m1")], "I received no question."),
        ([HumanMessage([], id="m1")], "I received no question."),
        ([], "I received no question."),
        ([HumanMessage(PICTURE, id="m1")], "I can only read text"),
        ([HumanMessage(PICTURE, id="m0"), AIMessage("1"), HumanMessage("", id="m1")], "I received no question."),
        ([HumanMessage("one", id="m0"), AIMessage("1"), HumanMessage(PICTURE, id="m1")], "I can only read text"),
    ],
)
def test_what_cannot_be_read_is_told_why(messages: Any, problem: str | None) -> None:
    settings = Settings(max_message_chars=100, language="en")

    why = unreadable(opened(messages, settings)["request"], messages, settings)

    assert (problem in why) if why and problem else why is problem


# Threads of another version of the program


@pytest.mark.parametrize("state", [{}, {"version": None}, {"version": 1}, {"version": STATE_VERSION}])
def test_what_this_version_or_one_before_wrote_opens(state: Any) -> None:
    check_version(state)


def test_what_a_newer_version_wrote_does_not() -> None:
    with pytest.raises(SettingsError, match=f"with version {STATE_VERSION + 1} .* up to version {STATE_VERSION}: "):
        check_version({"version": STATE_VERSION + 1})
