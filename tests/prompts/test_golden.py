"""What a model reads, whole, as files: a changed word shows in review.

WAVEGRAPH_UPDATE_GOLDEN=1 writes them anew.
"""

import importlib.util
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from golden import hold
from inn import TODAY, Inn, InnSettings
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel
from scripted import ledger_of, outcome, plan_of, planned

from wavegraph import AnswerView, Domain, PlanningView, ToolCall, create_agent, read
from wavegraph.graph.adopt.schemas import response_of
from wavegraph.graph.answer.statements import Catalogue, Statement
from wavegraph.graph.dialogue.messages import question, reply
from wavegraph.graph.model.clients import ModelEnvironment, Models
from wavegraph.graph.model.judge import STANDARD, Judge, judge_message, sources_of, verdict_schema
from wavegraph.graph.model.lessons import with_lessons
from wavegraph.graph.model.planner import LlmPlanner, planning_message, planning_schema
from wavegraph.graph.model.responder import LlmResponder, answer_message, object_form, statements_message
from wavegraph.graph.state import Asked, Feedback, Plan, Request, ValidationIssue, empty_ledger
from wavegraph.prompts import render
from wavegraph.testing import ScriptedModel
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.roster.domain import roster_domain


class Offer(BaseModel):
    """What is offered."""

    nights: list[date]
    price: int | None = None
    extras: dict[str, int] = {}


GOLDEN = Path(__file__).parent / "golden"


def library() -> Domain:
    path = Path(__file__).parents[2] / "examples" / "library_desk.py"
    spec = importlib.util.spec_from_file_location("library_desk", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.domain  # type: ignore[no-any-return]


def get_price(item: str) -> int:
    """The price of a thing, in euros."""
    return 80


def anybodys() -> Domain:
    """Of anybody's tools, in any language."""
    return create_agent(ScriptedModel(), [read(get_price)], system_prompt="You sell tea.").builder.agent.domain


DOMAINS: dict[str, Callable[[], Domain]] = {
    "library": library,
    "hotel": lambda: hotel_domain(Path("never opened")),
    "inn": lambda: Inn().domain(),
    "roster": lambda: roster_domain(Path("never opened")),
    "agent": anybodys,
}
NO_MODEL = Models(None, ModelEnvironment())


def held(name: str, text: str) -> None:
    hold(GOLDEN / name, text + "\n")


@pytest.mark.parametrize("name", DOMAINS)
def test_instructions(name: str) -> None:
    domain = DOMAINS[name]()
    held(f"{name}_plan.md", LlmPlanner(domain, NO_MODEL).instructions)
    held(f"{name}_respond.md", LlmResponder(domain, NO_MODEL).instructions)


async def test_what_lessons_stand_under(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept.md"
    file.write_text("- Plan one call for each thing that is asked about.\n", encoding="utf-8")
    monkeypatch.setenv("WAVEGRAPH_LESSONS", str(file))
    held("lessons.md", await with_lessons("# This assistant\n\n…", "hotel", "planner"))


def test_who_writes_lessons() -> None:
    held("propose_lessons.md", render("propose_lessons", most="6", longest="240"))


@pytest.mark.parametrize("name", DOMAINS)
def test_planning_schema(name: str) -> None:
    schema = planning_schema(DOMAINS[name]())
    held(f"{name}_schema.json", json.dumps(schema, indent=1, ensure_ascii=False))


@pytest.mark.parametrize("name", ["hotel", "inn", "roster"])
def test_judges_instructions(name: str) -> None:
    """The inn brings nothing of its own: what every domain's judge reads."""
    held(f"{name}_check_answer.md", Judge(DOMAINS[name](), NO_MODEL).instructions)


@pytest.mark.parametrize("name", ["hotel", "inn", "roster"])
def test_verdict_schema(name: str) -> None:
    schema = verdict_schema([*STANDARD, *DOMAINS[name]().criteria])
    held(f"{name}_verdict.json", json.dumps(schema, indent=1, ensure_ascii=False))


NIGHT, NEXT = "2026-12-05", "2026-12-06"
REQUEST: Request = {"id": "h1", "number": 1, "text": "a bed on <5 December> & breakfast", "language": "en"}
FULL: ValidationIssue = {
    "type": "no_availability",
    "tool_id": "beds",
    "message": f"no bed is free on {NIGHT}",
    "severity": "warning",
    "rule": "bed_free",
}
CALL = planned("beds", "get_beds", night=NIGHT, guests=2)
LEDGER = ledger_of([CALL], [outcome("get_beds", CALL["args"], data={"night": NIGHT, "free": 0, "price": 350})])
PLAN: Plan = {**plan_of([CALL]), "action": "look_up", "reasoning": "one night", "slots": {"guests": 2}}
PROPOSAL: ToolCall = {
    "id": "beds_next",
    "tool": "get_beds",
    "args": {"night": NEXT, "guests": 2},
    "instead_of": "beds",
}


def feedback(source: Any, *issues: ValidationIssue) -> Feedback:
    return {"source": source, "issues": list(issues)}


def planning(**changes: Any) -> PlanningView:
    given: dict[str, Any] = {
        "request": REQUEST,
        "conversation": [HumanMessage(REQUEST["text"], id="h1")],
        "settings": InnSettings(today=TODAY),
        "today": TODAY,
        "ledger": empty_ledger(),
        "plan": None,
        "previous": None,
        "feedback": None,
    }
    return PlanningView(**{**given, **changes})


def answering(**changes: Any) -> AnswerView:
    given: dict[str, Any] = {
        "request": REQUEST,
        "conversation": [HumanMessage(REQUEST["text"], id="h1")],
        "settings": InnSettings(today=TODAY),
        "today": TODAY,
        "ledger": LEDGER,
        "plan": PLAN,
        "previous": None,
        "issues": [FULL],
        "open_issues": [FULL],
        "unfinished": ["book"],
        "limits_hit": ["max_waves"],
        "feedback": None,
        "unsupported": [],
    }
    return AnswerView(**{**given, **changes})


BROKEN: ValidationIssue = {
    "type": "broken_plan",
    "tool_id": "x",
    "message": "no tool 'get_pool'; there are ['get_beds']",
    "severity": "critical",
    "rule": "unknown_tool",
}
SECOND: Request = {"id": "h2", "number": 2, "text": "והלילה שאחריו?", "language": "he"}
ANSWERED = [HumanMessage(REQUEST["text"], id="h1"), AIMessage("No bed is free then.", id="a1")]
GAP: ValidationIssue = {
    **FULL,
    "type": "unsatisfied",
    "tool_id": "",
    "message": "the price is missing",
    "rule": "price",
}

ASKED: Asked = {
    "call": "book",
    "tool": "book_bed",
    "args": {"night": NIGHT, "who": "Dana"},
    "terms": {"details": {"price": 350}, "valid_until": None},
    "terms_hash": "0",
    "number": 1,
    "decision": None,
    "reason": "",
}

PLANNING = {
    "first": planning(),
    "continue": planning(plan={**PLAN, "status": "continue"}, ledger=LEDGER),
    "replan_from_results": planning(
        plan=PLAN, ledger=LEDGER, feedback=feedback("results", FULL), proposals=[PROPOSAL]
    ),
    "replan_from_broken_plan": planning(feedback=feedback("plan", BROKEN)),
    "replan_from_answer": planning(plan=PLAN, ledger=LEDGER, feedback=feedback("answer", GAP), conversation=ANSWERED),
    "follow_up": planning(
        request=SECOND,
        conversation=[*ANSWERED, HumanMessage(SECOND["text"], id="h2")],
        previous={"request": REQUEST, "plan": PLAN, "ledger": LEDGER, "outcome": "partial"},
    ),
    "follow_up_after_small_talk": planning(
        request={**SECOND, "text": "and the night after?", "language": "en"},
        conversation=[*ANSWERED, *map(HumanMessage, ["thanks!", "and the night after?"])],
        previous={
            "request": {**REQUEST, "text": "thanks!"}, "plan": None, "ledger": empty_ledger(), "outcome": "answered",
            "earlier": {"request": REQUEST, "plan": PLAN, "ledger": LEDGER, "outcome": "partial"},
        },
    ),
    "follow_up_to_a_question": planning(
        request={**SECOND, "text": "and is there a kitchen?", "language": "en"},
        conversation=[*ANSWERED, HumanMessage("and is there a kitchen?", id="h2")],
        previous={"request": REQUEST, "plan": PLAN, "ledger": LEDGER, "outcome": None, "approvals": {"s": ASKED}},
        waiting=[ASKED],
    ),
}  # fmt: skip
ANSWERING = {
    "answer": answering(),
    "rewrite": answering(conversation=ANSWERED, unsupported=["399"]),
    "answer_again": answering(conversation=ANSWERED, feedback=feedback("answer", GAP)),
}


@pytest.mark.parametrize("name", PLANNING)
def test_planning_message(name: str) -> None:
    held(f"message_{name}.md", planning_message(PLANNING[name], {}))


@pytest.mark.parametrize("name", ANSWERING)
def test_answer_message(name: str) -> None:
    held(f"message_{name}.md", answer_message(ANSWERING[name]))


STATEMENTS = Catalogue(
    [
        Statement(id="night.line", text="Saturday 5 December 2026: no bed is free.", needs=["night.day"]),
        Statement(id="night.day", text="Saturday 5 December 2026", hidden=True),
        Statement(id="sorry", text="I'm sorry <3", sort="courtesy"),
    ],
    frozenset(),
)


@pytest.mark.parametrize("name", ["answer", "answer_again"])
def test_statements_message(name: str) -> None:
    held(f"message_statements_{name}.md", statements_message(ANSWERING[name], STATEMENTS))


SOURCES = sources_of(answering(), Inn().domain())
BY_IDS = {"told": ["night.line"], "untold": {"price": "A bed is 350."}, "verified": "Its words are those of `told`."}
DECIDED = [ANSWERED[0], question("One bed, 350. Shall I go ahead?", "1" * 32, []), reply("yes", "1-0")]
JUDGING = {
    "judge": judge_message("No bed is free.", answering(), SOURCES, {"price": "the price of a night"}, ["get_beds"]),
    "judge_again": judge_message(
        "No bed.", answering(conversation=ANSWERED), SOURCES, {}, ["get_beds"], "gaps: Field required"
    ),
    "judge_statements": judge_message("No bed is free.", answering(told=["night.line"]), BY_IDS, {}, ["get_beds"]),
    "judge_after_a_yes": judge_message(
        "It is booked.",
        answering(conversation=DECIDED, since=DECIDED[1:], decided=[{**ASKED, "decision": "approve"}]),
        BY_IDS,
        {},
        [],
    ),
}


@pytest.mark.parametrize("name", JUDGING)
def test_judges_message(name: str) -> None:
    held(f"message_{name}.md", JUDGING[name])


def test_a_question_that_was_answered_in_words_is_no_answer_to_the_request() -> None:
    replied = [
        *ANSWERED[:1],
        question("One bed, 350. Shall I go ahead?", "1" * 32, []),
        reply("yes", "1-0"),
    ]
    assert "<last_answer>" not in answer_message(answering(conversation=replied))
    assert "<last_answer>" not in planning_message(planning(conversation=replied), {})


def test_the_work_so_far_is_told_once() -> None:
    told = {"beds_tried": 1}
    assert "<work_so_far>" not in planning_message(planning(), {})
    assert '<work_so_far>\n{"beds_tried":1}\n</work_so_far>' in planning_message(planning(details=told), {})

    after_validation: Feedback = {**feedback("results", FULL), "details": told}
    message = planning_message(planning(details=told, feedback=after_validation), {})
    assert "<work_so_far>" not in message
    assert message.count("beds_tried") == 1


def test_a_long_conversation_is_cut_to_its_end() -> None:
    earlier = [HumanMessage("x" * 5000, id=f"m{n}") for n in range(30)]
    text = planning_message(planning(conversation=[*earlier, HumanMessage(REQUEST["text"], id="h1")]), {})
    assert text.count('"role"') == 20
    assert text.count("x") < 20 * 2001 + 100


def test_results_are_cut_to_the_limit_and_say_so() -> None:
    from wavegraph import Limits

    big = ledger_of([CALL], [outcome("get_beds", CALL["args"], data={"note": "n" * 50_000})])
    text = answer_message(answering(ledger=big, limits=Limits(max_prompt_bytes=2000)))
    assert len(text) < 4000
    assert '"data_bytes":50' in text


def test_weekdays_are_given_for_dates_that_exist() -> None:
    ledger = ledger_of(
        [CALL], [outcome("get_beds", CALL["args"], data={"a": "2026-02-30", "b": date(2027, 1, 1).isoformat()})]
    )
    text = answer_message(answering(ledger=ledger))
    assert '"2027-01-01":"Friday"' in text
    assert '"2026-02-30":"' not in text


def test_the_form_of_an_answer() -> None:
    form = response_of(Offer)
    assert form is not None

    held(
        "inn_fill_in.md",
        render("fill_in", domain=Inn().domain().prompts.get("respond", ""), sources=render("fill_in_strict")),
    )
    held("inn_form.json", json.dumps(object_form(form).schema, ensure_ascii=False, indent=2))
