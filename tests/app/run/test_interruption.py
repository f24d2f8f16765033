"""Where a stopped request goes on, and what a stop writes into its thread."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from runs import wait
from scripted import outcome, planned
from states import REQUEST, state_of
from tables import table
from warehouse import Clerk, Warehouse

from wavegraph import build_graph
from wavegraph.app.run.interruption import is_cut_off, is_open, resumes_behind, stop_update, stopped_answer
from wavegraph.graph.dialogue.messages import is_stop_note, stop_note
from wavegraph.graph.ledger import WRITE_UNKNOWN
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import CARRIED
from wavegraph.testing import ref

A, B = planned("a", "count", sku="bolt"), planned("b", "count", sku="nut")
AFTER_A = planned("c", "count", sku=ref("a"))
WRITE, SCRAP = planned("w", "move", "write", sku="bolt"), planned("s", "scrap", "write", sku="nut")
WEIGH = planned("x", "weigh", sku="bolt")
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
    Case("in work, and its messages were taken away", at(), False, False),
    Case("in work, with a draft", at(ASKED, DRAFT), True, True),
    Case("answered", at(ASKED, DRAFT, outcome="answered"), False, False),
    Case("answered, and the next one not opened", at(ASKED, DRAFT, NEXT, outcome="answered"), False, True),
    Case("in work, and the next one not opened", at(ASKED, NEXT), False, True),
    Case("the same words under another id", at(ASKED, DRAFT, HumanMessage(REQUEST["text"], id="m3"), outcome="answered"),
         False, True),
    Case("one that waited, answered behind another",
         at(ASKED, NEXT, DRAFT, outcome="answered", heard={"id": "m2", "text": NEXT.text, "number": 2}), False, False),
    Case("other words under the same id", at(HumanMessage("bolts!", id="m1"), outcome="answered"), False, True),
]  # fmt: skip


@table("case", THREADS)
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
    ("a wave is over, and the next one could start", working(COUNTED, calls=[A, AFTER_A]), "execute_wave"),
    ("the second is over", working({**NUTS, "wave": 2}, COUNTED, waves=1), "execute_wave"),
    ("results that came over, and nothing to run", working({**COUNTED, "wave": CARRIED}, calls=[A]), "execute_wave"),
    ("results that came over, and more to run", working({**COUNTED, "wave": CARRIED}), "validate"),
    ("answered", working(COUNTED, NUTS, outcome="answered"), "__start__"),
]


@table(("state", "node"), [case[1:] for case in RESUMES])
def test_the_node_a_stopped_request_goes_on_behind(state: Any, node: str) -> None:
    assert resumes_behind(state) == node


def shown(update: Any) -> list[tuple[str, str]]:
    return [(type(message).__name__, str(message.id)) for message in update["messages"]]


def test_a_stop_leaves_its_note() -> None:
    update = stop_update(at(ASKED, message_id=""), "Stopped.")

    assert (shown(update), set(update)) == ([("AIMessage", "stopped-m1")], {"messages"})
    assert update["messages"][0].text == "Stopped."


def test_a_stop_takes_an_unchecked_draft_away() -> None:
    draft = {"message_id": "answer-1", "work": {"message_id": "answer-1"}, "answer": DRAFT.text}
    kept = stop_update(at(ASKED, DRAFT, **draft), "Stopped.")
    not_stored = stop_update(at(ASKED, **draft), "Stopped.")

    assert shown(kept) == [("RemoveMessage", "answer-1"), ("AIMessage", "stopped-m1")]
    assert isinstance(kept["messages"][0], RemoveMessage)
    assert shown(not_stored) == [("AIMessage", "stopped-m1")]
    for update in (kept, not_stored):
        assert (update["answer"], update["work"]) == ("", {})


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


STOPPED, KNOWN, NOTHING = "Stopped, as you asked.", "This is what I know so far:", "Nothing is known yet."
RUNS_ON = "Could not be interrupted and may still be running; its result will not be used: {}."
UNKNOWN = (
    "Stopped while it was running, so it may or may not have happened. Please check; it will not be sent again: {}."
)


def told(
    state: Any, *running: str, is_ours: bool = True, text: str = "", language: str = "auto", **domain: Any
) -> list[str]:
    """The lines of the answer to a stopped request; `running`: ids of the calls that had begun."""
    agent = build_graph(Warehouse().domain(**domain)).agent if is_ours else None
    settings = Settings(today=date(2026, 11, 20), language=language)
    answer = wait(stopped_answer(state, text, settings, agent, running))
    return answer.splitlines()


def stopped_at(calls: Any, *outcomes: Any) -> Any:
    return working(*outcomes, calls=calls, previous=None)


def test_before_a_plan_nothing_is_known() -> None:
    assert told({}, text="bolts?") == [f"{STOPPED} {NOTHING}"]
    assert told({**stopped_at([A]), "plan": None}) == [f"{STOPPED} {NOTHING}"]


def test_of_a_graph_that_is_not_ours_no_more_is_told() -> None:
    assert told(stopped_at([A], COUNTED), is_ours=False) == [f"{STOPPED} {NOTHING}"]


def test_settings_or_words_decide_the_language_until_the_request_is_opened() -> None:
    hebrew = told({}, text="כמה ברגים?")

    assert hebrew != told({}, text="bolts?")
    assert hebrew == told({}, text="bolts?", language="he")
    assert told({**stopped_at([A]), "plan": None, "request": {**REQUEST, "language": "he"}}, text="bolts?") == hebrew


CUT_SHORT = {**outcome("count", {"sku": "bolt"}, "cancelled"), "data": 30}
HALF_DONE = outcome("move", {"sku": "bolt"}, "error")
HALF_DONE["error"] = {"code": WRITE_UNKNOWN, "message": "stopped while it ran", "retryable": False}
ENDS: list[tuple[str, Any, list[str], list[str]]] = [
    ("nothing had begun", stopped_at([A, B]), [], [STOPPED, NOTHING, "Not done: a, b."]),
    ("one had ended", stopped_at([A, B], COUNTED), [], [STOPPED, KNOWN, "a: 40", "Not done: b."]),
    ("all had", stopped_at([A, B], COUNTED, NUTS), [], [STOPPED, KNOWN, "a: 40", "b: 7"]),
    ("one had failed", stopped_at([A, B], outcome("count", {"sku": "bolt"}, "error")), [],
     [STOPPED, NOTHING, "Not done: b."]),
    ("one had failed and told something", stopped_at([A, B], {**outcome("count", {"sku": "bolt"}, "error"), "data": 3}), [],
     [STOPPED, NOTHING, "Not done: b."]),
    ("one was cut short with the best so far", stopped_at([A, B], CUT_SHORT), [],
     [STOPPED, KNOWN, "a: 30", "Not done: a, b."]),
    ("one was cut short with nothing", stopped_at([A], outcome("count", {"sku": "bolt"}, "cancelled")), [],
     [STOPPED, NOTHING, "Not done: a."]),
    ("a read was running", stopped_at([A, B], COUNTED), ["b"], [STOPPED, KNOWN, "a: 40", "Not done: b."]),
    ("a read was running in a thread", stopped_at([WEIGH, B]), ["x"],
     [STOPPED, NOTHING, "Not done: x, b.", RUNS_ON.format("x")]),
    ("a write was running", stopped_at([WRITE, B]), ["w"], [STOPPED, NOTHING, "Not done: b.", UNKNOWN.format("w")]),
    ("a write was running in a thread", stopped_at([SCRAP, B]), ["s"],
     [STOPPED, NOTHING, "Not done: b.", UNKNOWN.format("s")]),
    ("a write had not begun", stopped_at([SCRAP, B]), [], [STOPPED, NOTHING, "Not done: s, b."]),
    ("a write ended half done", stopped_at([WRITE, B], HALF_DONE), [],
     [STOPPED, NOTHING, "Not done: b.", UNKNOWN.format("w")]),
    ("both", stopped_at([WRITE, B, SCRAP], HALF_DONE), ["b"], [STOPPED, NOTHING, "Not done: b.", UNKNOWN.format("w")]),
]  # fmt: skip


@table(("state", "running", "lines"), [end[1:] for end in ENDS])
def test_what_is_known_and_what_is_left(state: Any, running: list[str], lines: list[str]) -> None:
    assert told(state, *running) == lines


def test_what_the_templates_say_is_known() -> None:
    spaced = Clerk(respond=lambda view: "a: 40\n ")

    assert told(stopped_at([A], COUNTED), offline=spaced) == [STOPPED, KNOWN, "a: 40"]


def test_a_write_that_happened_is_told_where_the_domain_cannot_tell_it() -> None:
    state = stopped_at([SCRAP], outcome("scrap", {"sku": "nut"}, data="scrapped 40"))

    def fails(view: Any) -> str:
        raise ValueError("no words")

    lines = told(state, offline=Clerk(respond=fails))
    assert lines[:2] == [STOPPED, KNOWN]
    assert "scrapped 40" in lines[2]
    assert told(state, offline=Clerk(respond=lambda view: "All is well.")) == [STOPPED, KNOWN, "All is well."]
