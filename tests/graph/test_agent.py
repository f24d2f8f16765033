"""Who plans, answers and judges, by what is there and by what the run asks for; and the rules' own ways."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import pytest
from langgraph.runtime import Runtime
from runs import ask
from scripted import Says, plan_of
from states import state_of
from tables import table
from warehouse import Clerk, Warehouse

from wavegraph import Domain, Script, Settings, SettingsError
from wavegraph.graph.agent import Agent, Rules
from wavegraph.graph.limits import Limits
from wavegraph.graph.model.clients import ModelEnvironment, Models
from wavegraph.graph.model.judge import Judge
from wavegraph.graph.model.planner import LlmPlanner
from wavegraph.graph.request.views import answer_view, planning_view
from wavegraph.graph.views import PlanningView
from wavegraph.testing import ScriptedModel, ScriptedPlanner, call, planning

TODAY = date(2026, 5, 2)
NO_MODELS = Models(None, ModelEnvironment())


class Dock(Settings):
    dock: str = "north"


def domain(**changes: Any) -> Domain:
    return replace(Warehouse().domain(), **{"settings": Dock, "clock": lambda settings: TODAY, **changes})


def agent(of: Domain | None = None, **parts: Any) -> Agent:
    of = of or domain()
    return Agent(**{"domain": of, "planner": None, "responder": None, **parts})


def view(feedback: Any = None, *, proposals: Any = (), **state: Any) -> PlanningView:
    told = {"source": feedback, "issues": []} if feedback else None
    return replace(planning_view(state_of(**state), Settings(today=TODAY), Limits(), told), proposals=proposals)


# The rules as a planner and as a responder

COUNT = call("a", "count", sku="bolt")
OWN = planning(COUNT)
BEFORE = {**plan_of([]), "action": "move", "slots": {"sku": "gear"}}
ROUND = {
    "status": "done", "action": "move", "reasoning": "another way round what was found", "slots": {"sku": "gear"},
    "tools": [COUNT], "reply": None,
}  # fmt: skip
NO_WAY = {**ROUND, "reasoning": "no reasonable way is left", "tools": []}
BROKEN = {
    **NO_WAY, "action": "give_up", "slots": {},
    "reply": "I could not work out how to do that, so nothing was done. Please put it another way.",
}  # fmt: skip


@dataclass(frozen=True)
class Planned:
    id: str
    view: PlanningView
    made: Any


PLANNED = [
    Planned("a new request", view(plan=None), OWN),
    Planned("after continue", view(plan={**BEFORE, "status": "continue"}), OWN),
    Planned("a way round", view("results", plan=BEFORE, proposals=[COUNT]), ROUND),
    Planned("a way round, and more was to come", view("results", plan={**BEFORE, "status": "continue"}, proposals=[COUNT]),
            {**ROUND, "status": "continue"}),
    Planned("no way round", view("results", plan=BEFORE), NO_WAY),
    Planned("no way round, and more was to come", view("results", plan={**BEFORE, "status": "continue"}), OWN),
    Planned("no way round an answer that was sent back", view("answer", plan=BEFORE, proposals=[COUNT]), NO_WAY),
    Planned("its own plan was broken", view("plan", plan=None), BROKEN),
]  # fmt: skip


@pytest.mark.parametrize("case", PLANNED, ids=lambda case: case.id)
async def test_the_rules_plan_requests_and_mend_plans(case: Planned) -> None:
    assert await Rules(domain(offline=Clerk(lambda view: OWN))).plan(case.view) == case.made


NOTHING_LEFT = "I could not find a reliable answer to that."


@pytest.mark.parametrize(
    ("answer", "unsupported", "told"),
    [
        ("7 nuts\n12 belts", [], "7 nuts\n12 belts"),
        ("7 nuts\n12 belts", ["12"], "7 nuts\n12 belts"),
        (" \n ", [], NOTHING_LEFT),
    ],
)
async def test_templates_say_what_they_say_whatever_a_model_invented(
    answer: str, unsupported: list[str], told: str
) -> None:
    seen = answer_view(state_of(unsupported=unsupported), Settings(today=TODAY), Limits())

    assert await Rules(domain(offline=Clerk(respond=lambda view: answer))).respond(seen) == told


# Settings


@table(
    ("given", "opened", "dock", "language", "today"),
    [
        (None, None, "north", "auto", TODAY),
        ({"dock": "south"}, None, "south", "auto", TODAY),
        ({"today": "2026-01-01"}, {}, "north", "auto", date(2026, 1, 1)),
        ({"dock": "south"}, {"settings": {}}, "south", "auto", TODAY),
        ({}, {"settings": {"dock": "west", "today": "2026-02-02"}}, "west", "auto", date(2026, 2, 2)),
        ({"language": "he"}, {"settings": {"dock": "west"}}, "west", "he", TODAY),
        ({"dock": "south"}, {"settings": {"dock": "west"}}, "south", "auto", TODAY),
    ],
)
def test_what_a_run_does_not_set_is_as_its_request_was_opened_with(
    given: Any, opened: Any, dock: str, language: str, today: date
) -> None:
    found = agent().settings(Runtime(context=given), opened)

    assert (type(found), found.dock, found.language, found.today) == (Dock, dock, language, today)


def test_only_what_the_run_gives_is_given() -> None:
    assert agent().given(Runtime(context={"dock": "north"})) == {"dock": "north"}


def test_limits_are_the_domains_with_the_runs_in_their_place() -> None:
    of = agent(domain(limits=Limits(max_waves=3, max_tool_calls=5)))

    assert of.domain.limits.under(Settings(max_waves=7)) == Limits(max_waves=7, max_tool_calls=5)


# Who does the work

GIVEN, WRITER = ScriptedPlanner(), Says("seven")


@pytest.mark.parametrize("wish", ["auto", "llm", "rules"])
def test_who_plans_and_who_answers(wish: Any) -> None:
    with_both, with_none, chosen = agent(planner=GIVEN, responder=WRITER), agent(), Settings(planner=wish)
    by_rules = wish == "rules"

    assert with_both.planner_for(chosen) is (with_both.rules if by_rules else GIVEN)
    assert with_both.responder_for(chosen) is (with_both.rules if by_rules else WRITER)
    assert with_none.responder_for(chosen) is with_none.rules
    if wish == "llm":
        with pytest.raises(SettingsError, match="'planner' = 'llm' needs a model"):
            with_none.planner_for(chosen)
    else:
        assert with_none.planner_for(chosen) is with_none.rules


def test_the_rules_take_over_from_a_model_unless_told_not_to() -> None:
    of = agent()
    model = LlmPlanner(of.domain, NO_MODELS)

    assert of.fallback_for(model, Settings()) is of.rules
    assert of.fallback_for(model, Settings(model_fallback=False)) is None
    assert of.fallback_for(GIVEN, Settings()) is None


def adapting(view: PlanningView) -> Any:
    return [COUNT] if view.plan else None


@table(
    ("adapt", "planner", "wish", "can"),
    [
        (None, None, "auto", False),
        (None, GIVEN, "auto", True),
        (None, GIVEN, "rules", False),
        (adapting, None, "auto", True),
        (adapting, GIVEN, "auto", True),
    ],
)
def test_planning_again_makes_sense_where_somebody_may_find_a_way(
    adapt: Any, planner: Any, wish: Any, can: bool
) -> None:
    assert agent(domain(script=Script(workarounds=adapt)), planner=planner).can_mend(Settings(planner=wish)) is can


# The answer check

NEEDS = "the answer check 'on' needs a model"


@table(
    ("by_default", "chosen", "planner", "is_there", "found"),
    [
        (None, None, "auto", True, "auto"),
        (None, None, "auto", False, "rules"),
        (None, "auto", "auto", True, "auto"),
        (None, "auto", "auto", False, "rules"),
        ("auto", None, "auto", True, "auto"),
        ("auto", None, "auto", False, "rules"),
        ("auto", None, "rules", True, "rules"),
        (None, None, "rules", True, "rules"),
        (None, "on", "auto", True, "on"),
        (None, "on", "auto", False, NEEDS),
        (None, "on", "rules", True, "on"),
        (None, "on", "rules", False, NEEDS),
        (None, "rules", "auto", True, "rules"),
        (None, "off", "auto", True, "off"),
        ("on", None, "auto", True, "on"),
        ("on", None, "auto", False, NEEDS),
        ("on", None, "rules", True, "rules"),
        ("on", None, "rules", False, "rules"),
        ("on", "off", "auto", False, "off"),
        ("rules", None, "auto", True, "rules"),
        ("rules", "on", "auto", True, "on"),
        ("off", None, "auto", True, "off"),
        ("off", None, "rules", False, "off"),
        ("off", "rules", "auto", False, "rules"),
    ],
)
def test_how_answers_are_checked(by_default: Any, chosen: Any, planner: Any, is_there: bool, found: str) -> None:
    judge = Judge(domain(), NO_MODELS) if is_there else None
    of, wishes = agent(judge=judge, check_by_default=by_default), Settings(answer_check=chosen, planner=planner)
    assert of.answer_check(wishes) == ("on" if found == NEEDS else found)
    if judge:
        assert of.the_judge is judge
        return

    with pytest.raises(SettingsError, match=NEEDS):
        _ = of.the_judge


def test_each_answer_is_judged_where_a_model_was_named_for_it() -> None:
    of = agent(judge=Judge(domain(), NO_MODELS), check_by_default=None)
    assert of.answer_check(Settings(validator_model="large")) == "auto"  # no models know of it
    named = replace(of, models=Models({"validator": ScriptedModel()}, ModelEnvironment()))
    assert [named.answer_check(Settings(answer_check=each)) for each in (None, "auto", "off")] == ["on", "auto", "off"]


# The domain's own ways


def broken(view: PlanningView) -> Any:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("adapt", "found"),
    [(None, None), (adapting, [COUNT]), (lambda view: None, None), (broken, None)],
    ids=["none", "a way", "nothing", "broken"],
)
async def test_the_domains_own_code_gives_nothing_where_it_fails(adapt: Any, found: Any) -> None:
    assert await agent().own("the way round", adapt, view("results", plan=BEFORE)) == found


async def test_what_fails_of_a_domain_is_named_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    await agent().own("the report", lambda view: None, view(plan=BEFORE))
    assert caplog.records == []

    await agent().own("the report", broken, view(plan=BEFORE))
    assert "the report of warehouse failed: ZeroDivisionError" in caplog.text


class Broken(Clerk):
    def plan(self, view: PlanningView) -> Any:
        raise KeyError("password=hunter2")


def test_a_plan_of_the_domains_own_that_fails_is_answered_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    ended = ask(Warehouse().domain(offline=Broken()), None)

    assert (ended["outcome"], ended["answer"][:26]) == ("failed", "I could not work out how t")
    assert "the plan of warehouse failed: KeyError at test_agent.py:" in caplog.text
    assert "hunter2" not in caplog.text


def test_a_setting_that_a_plan_refuses_still_stops_the_run() -> None:
    class Refusing(Clerk):
        def plan(self, view: PlanningView) -> Any:
            raise SettingsError("setting 'dock' = 'south': there is none")

    with pytest.raises(SettingsError, match="there is none"):
        ask(Warehouse().domain(offline=Refusing()), None)
