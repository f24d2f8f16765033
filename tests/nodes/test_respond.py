"""Who writes the answer, what stands below it, and what is done where nobody can write it."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest
from langgraph.errors import GraphBubbleUp
from langgraph.graph import StateGraph
from langgraph.runtime import Runtime
from runs import wait
from scripted import Says, outcome, planned
from states import state_of, used
from tables import table
from till import Till
from warehouse import Clerk

from wavegraph import AnswerView, build_graph
from wavegraph.graph.domain import Draft
from wavegraph.graph.language import say
from wavegraph.graph.ledger import WRITE_UNKNOWN
from wavegraph.graph.limits import Limits
from wavegraph.graph.settings import Settings
from wavegraph.nodes.respond import respond

# The whole node


def templates(says: Any) -> Clerk:
    """Templates that say what a test wrote down."""

    def respond(view: AnswerView) -> str:
        if isinstance(says, BaseException):
            raise says
        return str(says)

    return Clerk(respond=respond)


def streamed(text: str, shown: str | None = None) -> Any:
    """Writes the text as a model does, which was seen meanwhile; `shown`: what was seen in its place."""

    def write(view: AnswerView) -> Draft:
        view.meter.usage = used(2, 30, 4)
        view.meter.streamed_id, view.meter.streamed_text = "s1", text if shown is None else shown
        return Draft(text, "d1")

    return write


async def never(_: AnswerView) -> None:
    await asyncio.Event().wait()


TEA = {"item": "tea", "who": "Dana"}
LOOK = planned("look", "look", item="tea")
LOOKED = outcome("look", {"item": "tea"}, data={"item": "tea", "price": 4})
GONE = planned("gone", "look", item="jam")
FAILED = outcome("look", {"item": "jam"}, "error")
PAY = planned("pay", "pay", "write", **TEA)
PAID = outcome("pay", TEA, data={"code": "B-7"})
UNKNOWN: Any = {**outcome("pay", TEA, "error"), "error": {"code": WRITE_UNKNOWN, "message": "?", "retryable": False}}
OF_THE_ANSWER = {
    "answer": "", "message_id": "", "model_down": False, "unworded": False, "set_aside": [], "replaced": [],
    "usage": used(3, 100, 10),
}  # fmt: skip
BY_RULES, LEFT = say("model_replaced", "en"), say("nothing_left", "en")
UNUSABLE = say("model_unusable", "en")
UNREACHED, UNWORDED = say("answer_failed", "en"), say("unworded", "en")
DONE, LOOK_UP = "Done: pay (code: B-7).", say("write_unknown", "en", calls="pay")
FAULT = RuntimeError("password hunter2")


def looked(*more: Any, **changes: Any) -> Any:
    """A request that looked the price of tea up, with more calls and what they came to."""
    calls, outcomes = [LOOK, *more[::2]], [LOOKED, *more[1::2]]
    return state_of(calls, outcomes, **OF_THE_ANSWER | changes)


def replied(text: str, *more: Any, **changes: Any) -> Any:
    """One whose plan has a reply."""
    state = state_of(more[::2], more[1::2], **OF_THE_ANSWER | changes)
    return {**state, "plan": {**state["plan"], "reply": text}}


def finished(text: str, **changes: Any) -> Any:
    """One whose last plan answers from what an earlier one found."""
    own = {name: changes.pop(name) for name in ("status", "action", "planner") if name in changes}
    state = looked(**changes)
    return {**state, "plan": {**state["plan"], "number": 2, "tools": [], "reply": text, **own}}


def given_up(state: Any) -> Any:
    return {**state, "plan": {**state["plan"], "action": "give_up"}}


@dataclass(frozen=True)
class Answered:
    id: str
    state: Any
    writes: Any
    """By the responder; None = there is none."""
    answer: str
    says: Any = "by the book"
    """By the templates."""
    settings: dict[str, Any] = field(default_factory=dict)
    down: bool = False
    unworded: bool = False
    message_id: str = "answer-1-m1"
    replaced: bool = False
    """Whether a watcher is told to put the answer in the place of what was seen."""
    costs: dict[str, Any] = field(default_factory=dict)


ALONE = {"model_fallback": False}
DOUBTED = {"unsupported": ["9"], "answer_replans": 1}
COSTS = {"usage": used(5, 130, 14)}

ANSWERS = [
    Answered("as it is written", looked(), "4 coins", "4 coins"),
    Answered("under the id of its writer", looked(), Draft("4 coins", "d1"), "4 coins", message_id="d1"),
    Answered("as it was seen", looked(), streamed("4 coins "), "4 coins ", message_id="s1", costs=COSTS, replaced=True),
    Answered("seen with blanks round it", looked(), streamed("4 coins", " 4 coins\n"), "4 coins", message_id="s1", costs=COSTS),
    Answered("seen before another try", looked(), streamed("4 coins", "I think4 coins"), "4 coins", message_id="s1",
             costs=COSTS, replaced=True),
    Answered("written again", looked(answer="5 coins", message_id="m9"), Draft("4 coins", "d1"), "4 coins", message_id="m9",
             replaced=True),
    Answered("by templates", looked(), None, "by the book"),
    Answered("by templates, which fail", looked(), None, UNWORDED, FAULT, unworded=True),
    Answered("the writer fails", looked(), FAULT, f"by the book\n\n{BY_RULES}", down=True),
    Answered("the writer writes nothing", looked(), " \n", f"by the book\n\n{UNUSABLE}", down=True, replaced=True),
    Answered("both fail", looked(), FAULT, UNWORDED, FAULT, down=True, unworded=True),
    Answered("the writer fails, and none stands in", looked(), FAULT, UNREACHED, settings=ALONE, down=True, unworded=True),
    Answered("also after a write nobody knows of", looked(PAY, UNKNOWN), FAULT, f"{UNREACHED}\n\n{LOOK_UP}", settings=ALONE,
             down=True, unworded=True),
    Answered("it was down before", looked(model_down=True), "4 coins", f"by the book\n\n{BY_RULES}", down=True),
    Answered("and it is given up", given_up(looked(model_down=True)), "4 coins", "by the book", down=True),
    Answered("no time is left", looked(times={"plan_1": 120}), "4 coins", "by the book"),
    Answered("too little is left", looked(limits=Limits(request_timeout_s=0.05)), never, f"by the book\n\n{BY_RULES}", down=True),
    Answered("a claim is not dropped", looked(**DOUBTED), "9 coins", "9 coins"),
    Answered("a claim is not dropped at the last", looked(**DOUBTED, rewrites=1), "9 coins", "by the book"),
    Answered("at the last, and no claim", looked(answer_replans=2), "4 coins", "4 coins"),
    Answered("a reply", replied("Which item?"), "4 coins", "Which item?"),
    Answered("a reply where the model is down", replied("Which item?", model_down=True), None, f"Which item?\n\n{BY_RULES}", down=True),
    Answered("one that says that it is down", replied("Which item?", model_down=True), None, "Which item?", settings=ALONE, down=True),
    Answered("a reply with a claim", replied("9 items.\nWhich one?", **DOUBTED), None, "Which one?"),
    Answered("a claim that stays", replied("9 items.\nWhich one?", **DOUBTED, rewrites=1), None, LEFT, unworded=True),
    Answered("a reply that is a claim", replied("9 items.", **DOUBTED), None, LEFT, unworded=True),
    Answered("a reply beside a failure", replied("None left.", GONE, FAILED), "4 coins", "None left."),
    Answered("a reply beside results", replied("Which?", GONE, FAILED, LOOK, LOOKED), "4 coins", "4 coins"),
    Answered("one that was written from them", finished("It is 4 coins."), "4 coins", "It is 4 coins."),
    Answered("which goes on", finished("It is 4 coins.", status="continue"), "4 coins", "4 coins"),
    Answered("a question behind them", finished("Which?", action="clarify"), "4 coins", "4 coins"),
    Answered("a refusal behind them", finished("No.", action="refuse"), "4 coins", "4 coins"),
    Answered("why rules gave up", finished("Down.", planner="rules"), "4 coins", "4 coins"),
    Answered("one with a claim is written again", finished("It is 9 coins.", **DOUBTED), "4 coins", "4 coins"),
    Answered("a write, told by its writer", looked(PAY, PAID), "paid", "paid"),
    Answered("a write, told by templates", looked(PAY, PAID), None, "by the book"),
    Answered("a write, and templates stand in", looked(PAY, PAID), FAULT, f"by the book\n\n{DONE}\n\n{BY_RULES}", down=True),
    Answered("a write without words", looked(PAY, PAID), None, f"{UNWORDED}\n\n{DONE}", FAULT, unworded=True),
]  # fmt: skip


def ended(case: Answered) -> tuple[dict[str, Any], list[Any], Says | None]:
    """What the node writes and tells, and who was asked."""
    own = None if case.writes is None else Says(case.writes)
    agent = build_graph(Till().domain(offline=templates(case.says)), responder=own).agent

    async def node(state: Any, runtime: Runtime[Any]) -> Any:
        return await respond(state, runtime, agent)

    graph: Any = StateGraph(dict, context_schema=Settings)
    graph.add_node("respond", node)
    graph.add_edge("__start__", "respond")

    async def run() -> tuple[dict[str, Any], list[Any]]:
        told: dict[str, list[Any]] = {"custom": [], "values": []}
        context = {"today": "2026-11-20", **case.settings}
        async for mode, part in graph.compile().astream(case.state, context=context, stream_mode=["custom", "values"]):
            told[mode].append(part)
        return told["values"][-1], told["custom"]

    return *wait(run()), own


@table("case", ANSWERS)
def test_an_answer_is_written(case: Answered) -> None:
    update, told, _ = ended(case)

    [message] = update.pop("messages")
    assert (message.type, message.text, message.id) == ("ai", case.answer, case.message_id)
    assert (update.pop("told"), update.pop("is_repeated")) == ([], case.answer == case.state["answer"])
    assert update.pop("templated") == (isinstance(case.says, str) and case.says in case.answer)
    assert update == {
        "answer": case.answer, "message_id": case.message_id, "model_down": case.down, "unworded": case.unworded,
        "notes": "", "limits_hit": [], **case.costs,
    }  # fmt: skip
    replaced = {"event": "answer_replaced", "message_id": case.message_id, "answer": case.answer}
    assert told == ([replaced] if case.replaced else [])


@pytest.mark.parametrize(
    ("writes", "says"), [(GraphBubbleUp(), "by the book"), (None, GraphBubbleUp())], ids=["responder", "templates"]
)
def test_what_bubbles_up_passes(writes: Any, says: Any) -> None:
    with pytest.raises(GraphBubbleUp):
        ended(Answered("", looked(), writes, "", says))
