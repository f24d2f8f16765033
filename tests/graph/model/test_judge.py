"""What a judge is shown, which of its verdicts is taken, and what it is told of one that is not."""

import json
import re
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from runs import wait
from scripted import issue, outcome, planned
from states import state_of
from tables import table
from till import Till

from wavegraph import AnswerView, Catalogue, Sayable, Statement
from wavegraph.graph.dialogue.messages import question, reply
from wavegraph.graph.errors import ModelUnavailable
from wavegraph.graph.limits import Limits
from wavegraph.graph.model.clients import ModelEnvironment, Models
from wavegraph.graph.model.judge import STANDARD, Judge, judge_message, sources_of, told_of
from wavegraph.graph.model.prompt_blocks import now_asked
from wavegraph.graph.request.views import answer_view
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import empty_ledger
from wavegraph.testing import ScriptedModel

NAMES = ["accuracy", "completeness", "clarity"]
SETTINGS = Settings(today=date(2026, 11, 20), model_attempts=1)


def shown(message: Any) -> dict[str, Any]:
    """The blocks of a message, decoded, in their order."""
    return {name: json.loads(text) for name, text in re.findall(r"<(\w+)>\n(.*)\n</\1>", str(message))}


def view_of(**changes: Any) -> AnswerView:
    issues = [issue("no_availability", name, "none left", "left") for name in ("tea", "jam")]
    calls = [
        planned("tea", "look", item="tea"),
        planned("jam", "look", item="jam"),
        planned("cake", "look", item="cake"),
    ]
    again = planned("more", "look", item="green tea", instead_of="tea", plan=2)
    ends = [outcome("look", {"item": item}, data=0) for item in ("tea", "jam")]
    found = outcome("look", {"item": "green tea"}, data={"until": "2026-12-05"}, plan=2)
    messages = [
        HumanMessage("tea?", id="m0"),
        AIMessage("none", id="a0"),
        HumanMessage("what is on the shelf?", id="m1"),
    ]
    given = {"issues": issues, "messages": messages, "limits_hit": ["max_waves"], **changes}
    return answer_view(state_of([*calls, again], [*ends, found], **given), SETTINGS, Limits())


SOURCES = {"results": [{"tool": "look"}], "verified": "all of it"}


@pytest.mark.parametrize("problem", ["", "gaps: Field required"], ids=["asked first", "asked again"])
def test_what_a_judge_is_shown(problem: str) -> None:
    own = {"way": "the way is told"}
    told = shown(judge_message("None till 2026-12-06.", view_of(), SOURCES, own, ["look"], problem))

    again = {"last_verdict_was_refused": problem} if problem else {}
    assert list(told.items()) == list(
        {
            "today": ["2026-11-20", "Friday"],
            "criteria": own,
            "tools": ["look"],
            "conversation": [{"role": "human", "text": "tea?"}, {"role": "ai", "text": "none"}],
            **SOURCES,
            "open_issues": ["none left"],
            "not_done": {"calls": ["cake"], "limits": ["max_waves"]},
            "language": "en",
            "request": "what is on the shelf?",
            "answer": "None till 2026-12-06.",
            **again,
        }.items()
    )  # fmt: skip


def test_of_the_conversation_it_is_shown_the_last_messages_and_how_they_begin() -> None:
    earlier = [HumanMessage("a" * 900, id=f"e{n}") for n in range(6)]
    told = shown(judge_message("None.", view_of(messages=[*earlier, HumanMessage("?", id="m1")]), {}, {}, []))
    assert [len(each["text"]) for each in told["conversation"]] == [400] * 4


# What is asked now


AGREED: Any = {
    "call": "buy",
    "tool": "buy",
    "args": {},
    "terms_hash": "1" * 32,
    "number": 1,
    "decision": "approve",
    "reason": "",
}
ASKED = question("Tea for 4 coins. Shall I go ahead?", "1" * 32, [])
AGAIN = question("Tea for 4 coins. Shall I go ahead now?", "1" * 32, [ASKED])
YES = reply("yes", "1-0")


@pytest.mark.parametrize(
    ("later", "said", "request_"),
    [
        ([ASKED, YES], ["tea?", "none", "what is on the shelf?", ASKED.text], "yes"),
        ([AIMessage("4 coins", id="m2"), ASKED, YES], ["tea?", "none", "what is on the shelf?", ASKED.text], "yes"),
        ([ASKED], ["tea?", "none", "what is on the shelf?", ASKED.text], ""),
        (
            [ASKED, HumanMessage("and the cake?", id="h3"), AIMessage("5 coins", id="a3"), AGAIN, YES],
            ["tea?", "none", "what is on the shelf?", "and the cake?", "5 coins", AGAIN.text],
            "yes",
        ),
    ],
    ids=["in words", "behind an answer, which is written again", "by a form", "behind another request"],
)
def test_after_a_decision_the_answer_is_to_that(later: Any, said: Any, request_: str) -> None:
    before = [HumanMessage("tea?", id="m0"), AIMessage("none", id="a0"), HumanMessage("what is on the shelf?", id="m1")]
    view = view_of(messages=[*before, *later], approvals={"s": AGREED}, message_id="m2")
    earlier, asked = now_asked(view)
    assert ([message.text for message in earlier], asked) == (said, request_)
    told = shown(judge_message("Bought.", view, {}, {}, []))
    assert told["decision"] == ["buy: approve. To tell: what came of it; what was asked before it and not told yet."]
    assert told["request"] == request_


def test_an_open_question_is_no_decision() -> None:
    view = view_of(approvals={"s": {**AGREED, "decision": None}})
    assert now_asked(view)[1] == "what is on the shelf?"
    assert "decision" not in shown(judge_message("None.", view, {}, {}, []))


# What the answer is made of


def test_of_a_free_answer_it_is_shown_the_results_that_code_has_traced_it_to() -> None:
    told = sources_of(view_of(), Till().domain())
    assert told["results"] == [
        {"tool": "look", "args": {"item": "tea"}, "data": 0},
        {"tool": "look", "args": {"item": "jam"}, "data": 0},
        {"tool": "look", "args": {"item": "green tea"}, "data": {"until": "2026-12-05"}},
    ]
    assert told["verified"].startswith("Each figure, time, date, name")


def test_where_figures_have_no_source_nothing_is_called_verified() -> None:
    told = sources_of(replace(view_of(), unsupported=["12", "40"]), Till().domain())
    assert set(told) == {"results", "unsourced"}
    assert told["unsourced"].endswith(": 12, 40")


def test_of_an_answer_of_statements_it_is_shown_the_ids_and_how_what_was_left_out_begins() -> None:
    says = Catalogue(
        [Statement(id="tea", text="No tea is left."), Statement(id="hi", text="Hi!", sort="courtesy"),
         Statement(id="jam", text="No jam is left."), Statement(id="jam.part", text="jam", hidden=True)], frozenset(),
    )  # fmt: skip
    domain = Till().domain(catalogue=Sayable(lambda view: says))
    told = sources_of(replace(view_of(), told=["hi", "tea", "sum:tea+jam"]), domain)
    assert told == {"told": ["tea", "sum:tea+jam"], "untold": {"jam": "No jam is left."}, "verified": told["verified"]}
    by_templates = sources_of(replace(view_of(), templated=True), domain)
    assert by_templates == {
        "found": {"tea": "No tea is left.", "jam": "No jam is left."},
        "verified": "The assistant's own code wrote it from what was found.",
    }
    assert "results" in sources_of(view_of(), domain)  # a responder of the caller's own


def line(name: str, text: str = "a line") -> Statement:
    return Statement(id=name, text=text)


def test_more_of_a_kind_is_not_left_out_and_all_of_a_thing_is() -> None:
    offers = [line(f"s{stay}.o{offer}.line") for stay in (1, 2) for offer in (1, 2, 3)]
    told = told_of(Catalogue([*offers, line("s2.more")], frozenset()), ["s1.o2.line"])
    assert list(told["untold"]) == ["s2.o1.line", "s2.o2.line", "s2.o3.line", "s2.more"]


def test_of_what_was_left_out_a_little_is_shown() -> None:
    long = [line(f"t{'abcdefgh'[n]}", "x" * 100) for n in range(8)]
    told = told_of(Catalogue(long, frozenset()), [])
    assert list(told["untold"].values()) == [f"{'x' * 40}…"] * 3


def test_of_a_reply_in_forms_it_is_shown_which() -> None:
    domain = Till().domain(catalogue=Sayable(lambda view: Catalogue([], frozenset())))
    said = [{"say": "cannot", "quote": "a taxi"}]
    made: Any = {**view_of().plan, "reply": "I cannot do that: “a taxi”.", "said": said}
    view = replace(view_of(), plan=made, ledger=empty_ledger())
    assert sources_of(view, domain) == {"said": said, "verified": sources_of(view, domain)["verified"]}
    assert sources_of(replace(view, plan=made | {"said": []}), domain) == {}


# What it says


def verdict(*gaps: dict[str, Any]) -> dict[str, Any]:
    return {"reasoning": "as it is", "gaps": list(gaps)}


def gap(criterion: str, words: str, by: str | None = None) -> dict[str, Any]:
    return {"criterion": criterion, "gap": words, "by": by}


def passed(name: str) -> dict[str, Any]:
    return {"name": name, "verdict": "pass", "gap": None}


def failed(name: str, gap: str, by: str | None = None) -> dict[str, Any]:
    return {"name": name, "verdict": "fail", "gap": gap, "by": by}


class Named(ScriptedModel):
    model_name: str = "large"


class Modelled(ScriptedModel):
    model: str = "small"


@dataclass
class Judged:
    """What came of a judge that says these things."""

    heard: list[dict[str, Any]] = field(default_factory=list)
    system: str = ""
    check: Any = None
    raised: str = ""
    costs: tuple[int, int, int] = (0, 0, 0)


def judged(
    *says: Any, kind: type[ScriptedModel] = ScriptedModel, domain: dict[str, Any] | None = None, told: Any = ()
) -> Judged:
    model, view, told = (
        kind(*(each if isinstance(each, AIMessage) else json.dumps(each) for each in says), calls_tools=False),
        replace(view_of(), told=told),
        Judged(),
    )
    judge = Judge(Till().domain(**(domain or {})), Models(model, ModelEnvironment()))
    try:
        told.check = wait(judge.judge("None.", view))
    except ModelUnavailable as error:
        told.raised = str(error)
    told.heard = [shown(messages[1].content) for messages in model.heard]
    told.system = str(model.heard[0][0].content)
    told.costs = tuple(sum(each[kind] for each in view.meter.usage.values()) for kind in ("calls", "input", "output"))
    return told


def good(*criteria: dict[str, Any]) -> dict[str, Any]:
    return {"satisfied": True, "reasoning": "as it is", "criteria": list(criteria), "checked_by": "model"}


TWICE = [failed("completeness", "no jam"), failed("completeness", "no tea", "look")]
ALL_PASS = [passed(name) for name in NAMES]


@pytest.mark.parametrize(
    ("said", "check"),
    [
        (verdict(), good(*ALL_PASS)),
        (verdict(gap("tone", "too loud")), good(*ALL_PASS)),
        (
            verdict(gap("clarity", " too long ")),
            {**good(*ALL_PASS[:2], failed("clarity", "too long")), "satisfied": False},
        ),
        (
            verdict(gap("completeness", "no jam"), gap("completeness", "no tea", "look")),
            {**good(ALL_PASS[0], *TWICE, ALL_PASS[2]), "satisfied": False},
        ),
    ],
    ids=["all pass", "another fails", "one fails", "one fails twice"],
)
def test_a_verdict_is_taken(said: Any, check: Any) -> None:
    assert judged(said).check == check


@table(
    ("by", "taken"),
    [
        ("look", "look"),
        ("words", "words"),
        ("jam", "jam"),
        ("pay", None),
        ("tea", None),
        ("the desk", None),
        (None, None),
    ],
)
def test_what_mends_a_gap_is_what_there_is(by: Any, taken: Any) -> None:
    says = Catalogue([line("tea", "No tea is left."), line("jam", "No jam is left.")], frozenset())
    told = judged(
        verdict(gap("completeness", "no jam", by)), domain={"catalogue": Sayable(lambda view: says)}, told=["tea"]
    )
    assert [each.get("by") for each in told.check["criteria"]] == [None, taken, None]


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (verdict(gap("clarity", " ")), "gaps.0.gap = ' ': String should have at least 1 character"),
        ("none", "not JSON: Expecting value: line 1 column 1 (char 0)"),
        ({"reasoning": "fine"}, "gaps = {'reasoning': 'fine'}: Field required"),
    ],
    ids=["a gap without words", "none", "no gaps at all"],
)
def test_one_that_cannot_be_taken_goes_back_once(said: Any, problem: str) -> None:
    mended = judged(said, verdict())
    assert [one.get("last_verdict_was_refused") for one in mended.heard] == [None, problem]
    assert mended.check == good(*ALL_PASS)

    again = judged(said, said, verdict())
    assert len(again.heard) == 2
    assert again.raised == f"no usable answer: {problem}"


def test_its_calls_are_counted_and_it_is_called_by_its_name() -> None:
    usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    broken, whole = (AIMessage(json.dumps(said), usage_metadata=usage) for said in ({}, verdict()))  # type: ignore[arg-type]
    assert judged(broken, whole).costs == (2, 200, 20)
    assert [judged(verdict(), kind=kind).check["checked_by"] for kind in (ScriptedModel, Named, Modelled)] == [
        "model",
        "large",
        "small",
    ]


def test_it_is_told_of_the_criteria_of_the_request_behind_those_of_all() -> None:
    own: dict[str, Any] = {
        "criteria": {"price": "the price", "way": "the way"},
        "kinds": {"price": ("price",)},
        "kind_of": lambda view: "price",
        "prompts": {"check_answer": "A till."},
    }
    told = judged(verdict(), domain=own)

    assert told.heard[0]["criteria"] == {"price": "the price"}
    assert [each["name"] for each in told.check["criteria"]] == [*NAMES, "price"]
    listed = "; ".join(f"`{name}`: {asks}" for name, asks in STANDARD.items())
    assert f"that it breaks: {listed}; or one of `criteria`" in told.system
    assert "\n\nA till." in told.system
    assert json.dumps([*NAMES, "price", "way"]) in told.system


def test_only_what_reads_is_offered_as_a_way_to_mend() -> None:
    """A gap never asks for a change."""
    assert judged(verdict()).heard[0]["tools"] == ["look"]
