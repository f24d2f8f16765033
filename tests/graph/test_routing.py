"""Where each node is followed by which, and what a task of a wave is given."""

from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from scripted import outcome, planned
from states import continued, state_of
from tables import table

from wavegraph.graph.ledger import signature
from wavegraph.graph.limits import Limits
from wavegraph.graph.routing import route_after_approve, route_after_check, route_after_plan, route_after_validate
from wavegraph.graph.state import CARRIED
from wavegraph.testing import ref

A, B = planned("a", "count", sku="bolt"), planned("b", "count", sku="nut")
WRITE = planned("w", "move", "write", sku="bolt")
COUNTED = outcome("count", {"sku": "bolt"}, data=40)
ASKED = {signature("move", {"sku": "bolt"}): {"tool": "sign", "decision": None, "number": 1}}
REJECTED = {signature("move", {"sku": "bolt"}): {"decision": "reject", "number": 1}}
FEEDBACK = {"source": "results", "issues": []}
OVER = {"limits_hit": ["max_waves"]}


@dataclass(frozen=True)
class Case:
    id: str
    state: Any
    goes: str | list[str]
    """A label, or the ids of the calls that start."""


def goes(routed: Any) -> str | list[str]:
    return routed if isinstance(routed, str) else [send.arg["call"]["id"] for send in routed]


AFTER_PLAN = [
    Case("a broken plan", state_of([A], feedback={**FEEDBACK, "source": "plan"}), "broken plan, once"),
    Case("calls that are ready, each a task", state_of([A, B], feedback=FEEDBACK), ["a", "b"]),
    Case("results that came over", state_of([A], [{**COUNTED, "wave": CARRIED}]), "results known already"),
    Case("results of this request", state_of([A], [COUNTED]), "nothing to run"),
    Case("nothing planned", state_of(), "nothing to run"),
    Case("a spent limit", state_of([A], **OVER), "nothing to run"),
    Case("as many as the budget holds", state_of([A, B], limits=Limits(max_tool_calls=1)), ["a"]),
    Case("what has run counts", state_of([A, B], [COUNTED], limits=Limits(max_tool_calls=1)), "nothing to run"),
]


@table("case", AFTER_PLAN)
def test_after_plan(case: Case) -> None:
    assert goes(route_after_plan(case.state)) == case.goes


PLAN_AGAIN = "issues, or planner asked to continue; budget left"
AFTER_VALIDATE = [
    Case("more calls are ready", state_of([A, B], [COUNTED]), ["b"]),
    Case("more calls go before what was found", state_of([A, B], [COUNTED], feedback=FEEDBACK), ["b"]),
    Case("what the planner must see goes before more calls",
         state_of([A, B], [COUNTED], feedback={**FEEDBACK, "source": "plan"}), PLAN_AGAIN),
    Case("a write waits", state_of([A, WRITE], [COUNTED], approvals=ASKED), "a write waits for approval"),
    Case("a write waits, and a limit is spent", state_of([WRITE], approvals=ASKED, **OVER), "good, or budget spent"),
    Case("a write that was answered", state_of([WRITE], approvals=REJECTED), ["w"]),
    Case("issues", state_of([A], [COUNTED], feedback=FEEDBACK), PLAN_AGAIN),
    Case("the planner goes on", continued(state_of([A], [COUNTED])), PLAN_AGAIN),
    Case("the planner would, and a limit is spent", continued(state_of([A], [COUNTED], **OVER)), "good, or budget spent"),
    Case("all is done", state_of([A], [COUNTED]), "good, or budget spent"),
    Case("a limit that ends nothing", continued(state_of([A], [COUNTED], limits_hit=["max_adaptations"])), PLAN_AGAIN),
]  # fmt: skip


@table("case", AFTER_VALIDATE)
def test_after_validate(case: Case) -> None:
    assert goes(route_after_validate(case.state)) == case.goes


def test_after_approve() -> None:
    assert goes(route_after_approve(state_of([WRITE], approvals=REJECTED))) == ["w"]
    assert goes(route_after_approve(state_of([A], [COUNTED]))) == "rejected, or asked again"
    said = [HumanMessage("and breakfast?", id="m2")]
    assert goes(route_after_approve(state_of([WRITE], approvals=ASKED, messages=said))) == "another request"


@table(
    ("changes", "label"),
    [
        ({"outcome": "answered", "unsupported": ["5"]}, "checked"),
        ({"outcome": "answered", "set_aside": [state_of([WRITE], approvals=ASKED)]}, "a write still waits"),
        ({"set_aside": [state_of([WRITE], approvals=ASKED)], "feedback": {"source": "answer"}}, "gap, budget left"),
        ({"unsupported": ["5"]}, "other words needed"),
        ({"feedback": {"source": "answer"}}, "gap, budget left"),
        ({}, "other words needed"),
    ],
)
def test_after_check(changes: Any, label: str) -> None:
    assert route_after_check(state_of(**changes)) == label


def test_a_task_is_given_its_call_and_nothing_of_the_state() -> None:
    after = planned("c", "count", sku=ref("a", "next"))
    asked = {signature("count", {"sku": "nut"}): {"decision": "approve"}}
    found = outcome("count", {"sku": "bolt"}, data={"next": "nut"})
    limits = Limits(tool_timeout_s=20, tool_attempts=3)
    routed: Any = route_after_validate(state_of([A, after], [found], waves=1, approvals=asked, limits=limits))
    [send] = routed

    assert send.node == "execute_wave"
    assert send.arg == {
        "tool_call": {"id": "c"}, "request_id": "m1", "wave": 2, "call": {**after, "args": {"sku": "nut"}}, "run": 1, "attempts": 3,
        "signature": signature("count", {"sku": "nut"}), "approval": {"decision": "approve"}, "timeout_s": 20,
        "settings": {}, "sent_before": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("status", "spent_s", "timeout_s"),
    [("cancelled", 0, 20), ("timeout", 0, 40), ("timeout", 95, 25), ("cancelled", 110, 10)],
    ids=["once more", "longer after a time-out", "within the request's time", "what is left of it"],
)
def test_a_call_that_runs_once_more(status: str, spent_s: float, timeout_s: float) -> None:
    before = outcome("count", {"sku": "bolt"}, status, retryable=True)
    limits = Limits(tool_timeout_s=20, request_timeout_s=120)
    routed: Any = route_after_plan(state_of([{**A, "plan": 2}], [before], times={"plan_1": spent_s}, limits=limits))
    [task] = [send.arg for send in routed]

    assert (task["run"], task["timeout_s"]) == (2, timeout_s)
