"""What a judge is shown, which of its verdicts is taken, and what it is told of one that is not."""

import json
import re
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from runs import wait
from scripted import issue, outcome, planned
from states import state_of
from till import Till

from wavegraph import AnswerView, Catalogue, Statement
from wavegraph.graph.errors import ModelUnavailable
from wavegraph.graph.limits import Limits
from wavegraph.graph.model.clients import ModelEnvironment, Models
from wavegraph.graph.model.judge import STANDARD, Judge, checked_against, judge_message
from wavegraph.graph.request.views import answer_view
from wavegraph.graph.settings import Settings
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


@pytest.mark.parametrize("problem", ["", "no verdict on ['clarity']"], ids=["asked first", "asked again"])
def test_what_a_judge_is_shown(problem: str) -> None:
    told = shown(judge_message("None till 2026-12-06.", view_of(), NAMES, CHECKED, problem))

    again = {"last_verdict_was_refused": problem} if problem else {}
    assert list(told.items()) == list(
        {
            "settings": {"today": "2026-11-20", "weekday": "Friday"},
            "conversation": [{"role": "human", "text": "tea?"}, {"role": "ai", "text": "none"}],
            **CHECKED,
            "open_issues": ["none left"],
            "not_done": {"calls": ["cake"], "limits": ["max_waves"]},
            "language": "en",
            "request": "what is on the shelf?",
            "answer": "None till 2026-12-06.",
            "criteria": NAMES,
            **again,
        }.items()
    )  # fmt: skip


CHECKED = {"results": [{"tool": "look"}], "verified": "all of it"}


def test_it_is_shown_the_results_that_code_has_traced_the_answer_to() -> None:
    told = checked_against("None till 2026-12-06.", view_of(), Till().domain())
    assert told["results"] == [
        {"tool": "look", "args": {"item": "tea"}, "data": 0},
        {"tool": "look", "args": {"item": "jam"}, "data": 0},
        {"tool": "look", "args": {"item": "green tea"}, "data": {"until": "2026-12-05"}},
    ]
    assert told["verified"].startswith("Each figure, time, date, name")


def test_of_an_answer_of_statements_it_is_shown_those_alone() -> None:
    says = Catalogue(
        [Statement(id="tea", text="No tea is left."), Statement(id="hi", text="Hi!", sort="courtesy")], frozenset()
    )
    domain = Till().domain(statements=lambda view: says)
    told = checked_against("Hi! No tea is left.", view_of(), domain)
    assert told == {"statements": {"tea": "No tea is left."}, "verified": told["verified"]}
    by_templates = checked_against("No tea is left, nor jam.", view_of(), domain)
    assert ("results" in by_templates, by_templates["verified"]) == (
        True,
        "The assistant's own code wrote it from these results.",
    )


def verdict(*names: str, satisfied: bool | None = None, more: Any = (), **gaps: str | None) -> dict[str, Any]:
    """A verdict on these criteria; `gaps` by name fail. `more` is said of criteria once again."""
    judged = [
        {"name": name, "verdict": "fail" if name in gaps else "pass", "gap": gaps.get(name)} for name in names or NAMES
    ]
    good = not gaps if satisfied is None else satisfied
    return {"reasoning": "as it is", "criteria": [*judged, *more], "satisfied": good}


def passed(name: str, gap: str | None = None) -> dict[str, Any]:
    return {"name": name, "verdict": "pass", "gap": gap}


def failed(name: str, gap: str) -> dict[str, Any]:
    return {"name": name, "verdict": "fail", "gap": gap}


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


def judged(*says: Any, kind: type[ScriptedModel] = ScriptedModel, domain: dict[str, Any] | None = None) -> Judged:
    model, view, told = (
        kind(*(each if isinstance(each, AIMessage) else json.dumps(each) for each in says), calls_tools=False),
        view_of(),
        Judged(),
    )
    judge = Judge(Till().domain(**(domain or {})), Models(model, ModelEnvironment()))
    try:
        told.check = wait(judge.judge("None.", view))
    except ModelUnavailable as error:
        told.raised = str(error)
    told.heard = [shown(messages[1].content) for messages in model.heard]
    told.system = str(model.heard[0][0].content)
    told.costs = (view.meter.llm_calls, view.meter.input_tokens, view.meter.output_tokens)
    return told


def good(*criteria: dict[str, Any]) -> dict[str, Any]:
    return {"satisfied": True, "reasoning": "as it is", "criteria": list(criteria), "checked_by": "model"}


ALL_PASS = [passed(name) for name in NAMES]


@pytest.mark.parametrize(
    ("said", "check"),
    [
        (verdict(), good(*ALL_PASS)),
        (verdict(more=[passed("accuracy", "none")]), good(*ALL_PASS)),
        (verdict(*NAMES, "tone", tone="too loud", satisfied=True), good(*ALL_PASS)),
        (
            verdict(clarity="too long"),
            {**good(*ALL_PASS[:2], failed("clarity", "too long")), "satisfied": False},
        ),
    ],
    ids=["all pass", "one twice, and with words", "another fails", "one fails"],
)
def test_a_verdict_is_taken(said: Any, check: Any) -> None:
    assert judged(said).check == check


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (verdict("clarity", "tone"), "no verdict on ['accuracy', 'completeness']"),
        (
            verdict(more=[failed("clarity", "long"), failed("accuracy", "no")], satisfied=False),
            "['accuracy', 'clarity'] both passed and failed",
        ),
        (verdict(clarity=" ", accuracy=None, completeness="x"), "['accuracy', 'clarity'] failed without a gap"),
        (verdict(clarity="long", satisfied=True), "satisfied, though ['clarity'] failed"),
        (verdict(satisfied=False), "not satisfied, though no criterion failed"),
        (verdict(*NAMES, "tone", tone="loud"), "not satisfied, though no criterion failed"),
        ("none", "not JSON: Expecting value at character 0"),
        ({**verdict(), "satisfied": "perhaps"}, "satisfied = 'perhaps': Input should be a valid boolean, unable to interpret input"),
    ],
    ids=["of some", "both", "no gap", "satisfied", "not satisfied", "not of these", "none", "no boolean"],
)  # fmt: skip
def test_one_that_cannot_be_taken_goes_back_once(said: Any, problem: str) -> None:
    mended = judged(said, verdict())
    assert [one.get("last_verdict_was_refused") for one in mended.heard] == [None, problem]
    assert mended.check == good(*ALL_PASS)

    again = judged(said, said, verdict())
    assert len(again.heard) == 2
    assert again.raised == f"the judge gave no usable verdict: {problem}"


def test_its_calls_are_counted_and_it_is_called_by_its_name() -> None:
    usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    broken, whole = (AIMessage(json.dumps(said), usage_metadata=usage) for said in ({}, verdict()))  # type: ignore[arg-type]
    assert judged(broken, whole).costs == (2, 200, 20)
    assert [judged(verdict(), kind=kind).check["checked_by"] for kind in (ScriptedModel, Named, Modelled)] == [
        "model",
        "large",
        "small",
    ]


def test_it_is_told_of_all_criteria_and_judges_by_those_of_the_request() -> None:
    own: dict[str, Any] = {
        "criteria": {"price": "The price is there.", "way": "The way is told."},
        "kinds": {"price": ("price",)},
        "kind_of": lambda view: "price",
        "prompts": {"check_answer": "A till."},
    }
    told = judged(verdict(*NAMES, "price"), domain=own)

    assert told.heard[0]["criteria"] == [*NAMES, "price"]
    assert [each["name"] for each in told.check["criteria"]] == [*NAMES, "price"]
    listed = "\n".join(f"- `{name}`: {asks}" for name, asks in {**STANDARD, **own["criteria"]}.items())
    assert f"# Criteria\n\n{listed}\n\n# This assistant\n\nA till." in told.system
    assert json.dumps([*NAMES, "price", "way"]) in told.system
