"""plan: the steps of a domain that its own rules plan, also where another planner plans the rest."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from alone import alone
from langchain_core.messages import HumanMessage
from scripted import outcome, planned
from states import state_of
from till import Till
from warehouse import Clerk

from wavegraph import Domain, PlanningResult, PlanningView, Script, build_graph
from wavegraph.nodes.plan import plan
from wavegraph.testing import ScriptedPlanner, call, planning

FIRST = HumanMessage("what is tea?", id="m1")
LOOK = planned("look", "look", item="tea")
OWN = planning(call("own", "look", item="cake"))
ASKED = planning(call("asked", "look", item="milk"))
AS_PROPOSED = call("look_2", "look", item="lemon", instead_of="look")
FOUND = {"type": "dear", "tool_id": "look", "message": "dear", "severity": "warning", "rule": "dear"}


@dataclass
class Steps:
    """A script with a fixed next step, or none, that adds a look to every plan."""

    fixed: bool | Callable[[], bool] = True
    adds: bool = True

    def completed(self, made: PlanningResult, view: PlanningView) -> PlanningResult:
        if not self.adds:
            raise ZeroDivisionError
        return {**made, "status": "continue", "tools": [*made["tools"], call("more", "look", item="salt")]}

    def is_fixed(self, view: PlanningView) -> bool:
        return self.fixed() if callable(self.fixed) else self.fixed


def domain(steps: Steps | None) -> Domain:
    script = Script(workarounds=lambda view: [AS_PROPOSED])
    if steps:
        script = replace(script, completed=steps.completed, is_fixed=steps.is_fixed)
    return replace(Till().domain(), offline=Clerk(lambda view: OWN), script=script)


def state(source: str | None = None, **changes: Any) -> Any:
    """After a first look, whose planner wanted to go on."""
    made = outcome("look", {"item": "tea"}, data={"item": "tea", "price": 4})
    feedback = {"source": source, "issues": [FOUND]} if source else None
    given = state_of(
        [LOOK], [made], messages=[FIRST], request={"id": "m1", "number": 1, "text": FIRST.text, "language": "en"}
    )
    plan = {**given["plan"], "status": "continue", "planner": "llm", "slots": {"item": "tea"}, "action": "buy"}
    return {
        **given, "plan": plan, "feedback": feedback, "issues": [FOUND] if source else [], "planning_calls": 1,
        "adaptations": 0, "model_down": False, 
        "previous": None, "replaced": [], "settings": {}, **changes,
    }  # fmt: skip


async def planned_next(given: Any, steps: Steps | None, planner: Any = None) -> Any:
    """The plan that is made; without `planner` none may be asked."""
    graph = build_graph(domain(steps), planner=planner or ScriptedPlanner())
    return (await alone(plan, given, graph.agent)).update["plan"]


def ids(made: Any) -> list[str]:
    return [each["id"] for each in made["tools"]]


async def test_after_issues_the_request_stays_what_it_was() -> None:
    found = await planned_next(state("results"), Steps())

    assert (found["action"], found["slots"], found["status"]) == ("buy", {"item": "tea"}, "continue")


NEW: dict[str, Any] = {"messages": [HumanMessage("what is milk?", id="m2")], "remaining_steps": 50}


@pytest.mark.parametrize(
    ("given", "steps"),
    [
        (NEW, Steps()),
        (state("answer"), Steps()),
        (state("plan"), Steps()),
        (state(), Steps(fixed=False)),
        (state("results"), Steps(fixed=False)),
        (state(), Steps(fixed=lambda: 1 // 0 == 0)),
        (state(), None),
    ],
    ids=["a new request", "a gap in an answer", "a broken plan", "more is to be read", "issues to be read",
         "the script fails", "no script"],
)  # fmt: skip
async def test_what_is_not_fixed_is_the_planners(given: Any, steps: Steps | None) -> None:
    found = await planned_next(given, steps, ScriptedPlanner(ASKED))

    assert found["planner"] == "script"
    assert ids(found)[0] == "asked"
