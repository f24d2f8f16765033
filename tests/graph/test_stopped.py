"""Where a stopped request goes on, and what a stop writes into its thread."""

from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from scripted import outcome, planned
from states import REQUEST, state_of

from wavegraph.graph.state import CARRIED
from wavegraph.graph.stop_note import is_stop_note, stop_note
from wavegraph.graph.stopped import is_cut_off, is_open, resumes_behind, stop_update

A, B = planned("a", "count", sku="bolt"), planned("b", "count", sku="nut")
COUNTED, NUTS = outcome("count", {"sku": "bolt"}, data=40), outcome("count", {"sku": "nut"}, data=7)
ASKED, NEXT = HumanMessage(REQUEST["text"], id="m1"), HumanMessage("and nuts?", id="m2")
DRAFT = AIMessage("40 bolts", id="answer-1")


@dataclass(frozen=True)
class Case:
    id: str
    state: Any
    is_open: bool
    is_cut_off: bool


def at(*messages: Any, **changes: Any) -> Any:
    return state_of(messages=list(messages), **changes)


THREADS = [
    Case("nothing yet", {}, False, False),
    Case("no message", {"messages": []}, False, False),
    Case("a message that was not opened", {"messages": [ASKED]}, False, True),
    Case("an answer and nothing else", {"messages": [DRAFT]}, False, False),
    Case("in work", at(ASKED), True, True),
    Case("in work, with a draft", at(ASKED, DRAFT), True, True),
    Case("answered", at(ASKED, DRAFT, outcome="answered"), False, False),
    Case("answered, and the next one not opened", at(ASKED, DRAFT, NEXT, outcome="answered"), False, True),
    Case("in work, and the next one not opened", at(ASKED, NEXT), False, True),
    Case("the same words under another id", at(ASKED, DRAFT, HumanMessage(REQUEST["text"], id="m3"), outcome="answered"),
         False, True),
    Case("other words under the same id", at(HumanMessage("bolts!", id="m1"), outcome="answered"), False, True),
]  # fmt: skip


@pytest.mark.parametrize("case", THREADS, ids=lambda case: case.id)
def test_what_a_thread_holds(case: Case) -> None:
    assert (is_open(case.state), is_cut_off(case.state)) == (case.is_open, case.is_cut_off)


def working(*outcomes: Any, waves: int = 0, calls: Any = (A, B), **changes: Any) -> Any:
    return state_of(calls, outcomes, messages=[ASKED], waves=waves, **changes)


RESUMES = [
    ("not opened", {"messages": [ASKED]}, "__start__"),
    ("opened and not planned", {**working(), "plan": None}, "__start__"),
    ("planned", working(), "validate"),
    ("in the middle of a wave", working(COUNTED), "validate"),
    ("a wave is over and was not checked", working(COUNTED, NUTS), "execute_wave"),
    ("a wave was checked", working(COUNTED, NUTS, waves=1), "validate"),
    ("the second is over", working({**NUTS, "wave": 2}, COUNTED, waves=1), "execute_wave"),
    ("results that came over, and nothing to run", working({**COUNTED, "wave": CARRIED}, calls=[A]), "execute_wave"),
    ("results that came over, and more to run", working({**COUNTED, "wave": CARRIED}), "validate"),
    ("answered", working(COUNTED, NUTS, outcome="answered"), "__start__"),
]


@pytest.mark.parametrize(("state", "node"), [case[1:] for case in RESUMES], ids=[case[0] for case in RESUMES])
def test_the_node_a_stopped_request_goes_on_behind(state: Any, node: str) -> None:
    assert resumes_behind(state) == node


def shown(update: Any) -> list[tuple[str, str]]:
    return [(type(message).__name__, str(message.id)) for message in update["messages"]]


def test_a_stop_leaves_its_note() -> None:
    update = stop_update(at(ASKED, message_id=""), "Stopped.")

    assert (shown(update), set(update)) == ([("AIMessage", "stopped-m1")], {"messages"})
    assert update["messages"][0].text == "Stopped."


def test_a_stop_takes_an_unchecked_draft_away() -> None:
    kept = stop_update(at(ASKED, DRAFT, message_id="answer-1"), "Stopped.")
    not_stored = stop_update(at(ASKED, message_id="answer-1"), "Stopped.")

    assert shown(kept) == [("RemoveMessage", "answer-1"), ("AIMessage", "stopped-m1")]
    assert isinstance(kept["messages"][0], RemoveMessage)
    assert shown(not_stored) == [("AIMessage", "stopped-m1")]
    for update in (kept, not_stored):
        assert (update["answer"], update["message_id"]) == ("", "")


def test_the_draft_of_the_request_before_stays() -> None:
    update = stop_update(at(ASKED, DRAFT, NEXT, message_id="answer-1", outcome="answered"), "Stopped.")

    assert (shown(update), set(update)) == ([("AIMessage", "stopped-m2")], {"messages"})


def test_a_message_that_the_thread_had_not_taken_comes_before_its_note() -> None:
    assert shown(stop_update({}, "Stopped.", lost=NEXT)) == [("HumanMessage", "m2"), ("AIMessage", "stopped-0")]
    nameless = {"messages": [HumanMessage("bolts?")]}
    assert shown(stop_update(nameless, "Stopped.")) == [("AIMessage", "stopped-1")]  # type: ignore[typeddict-item]


def test_a_note_is_told_from_an_answer() -> None:
    assert is_stop_note(stop_note("Stopped.", "m1"))
    assert not is_stop_note(DRAFT)
    assert not is_stop_note(AIMessage("no id"))
    assert not is_stop_note(HumanMessage("stop", id="stopped-m1"))
