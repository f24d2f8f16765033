"""validate: what the end of a wave writes and tells, and what it sends back to the planner."""

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from alone import Alone, alone
from pydantic import BaseModel, ConfigDict, computed_field
from scripted import outcome, planned
from states import asked_about, continued, state_of
from till import Till
from warehouse import Warehouse, out_of_stock

from wavegraph import Domain, Limits, build_graph, read
from wavegraph.graph.domain import NamedCheck
from wavegraph.graph.ledger import signature
from wavegraph.graph.state import PlannedCall, empty_ledger
from wavegraph.nodes.validate import validate
from wavegraph.testing import ScriptedPlanner, ref

A, B = planned("a", "count", sku="gear"), planned("b", "count", sku="nut")
GEAR, NUT = {"sku": "gear"}, {"sku": "nut"}
EMPTY = outcome("count", GEAR, data={"sku": "gear", "units": 0})
SEVEN = outcome("count", NUT, data={"sku": "nut", "units": 7})
MOVE = planned("m", "move", "write", sku="nut", units=1, to="dock")
FAILED = outcome("count", NUT, "error", retryable=True)
GEAR_KEY, NUT_KEY = signature("count", GEAR), signature("count", NUT)
NO_GEAR: Any = {"type": "no_availability", "tool_id": "a", "message": "there is no gear left", "severity": "warning",
                "rule": "in_stock"}  # fmt: skip
DOUBTED: Any = {**EMPTY, "doubted": True, "doubts": ["a|in_stock"]}


def state(calls: Any = (), outcomes: Any = (), **changes: Any) -> Any:
    """A wave has just ended."""
    return state_of(calls, outcomes, **{
        "issue_counts": {}, "adaptations": 0, "planning_calls": 1, "settings": {}, "previous": None, "set_aside": [],
        **changes,
    })  # fmt: skip


async def validated(given: Any, domain: Domain | None = None) -> Alone:
    """What the node makes of it, beside a planner that could mend."""
    return await alone(validate, given, build_graph(domain or Warehouse().domain(), planner=ScriptedPlanner()).agent)


def told(**changes: Any) -> dict[str, Any]:
    return {"event": "validation_complete", "needs_adaptation": False, "issues": [], **changes}


async def test_a_good_wave() -> None:
    found = await validated(state([B], [SEVEN], waves=0))

    assert found.update == {
        "waves": 1, "issues": [], "issue_counts": {}, "feedback": None, "limits_hit": [], "ledger": empty_ledger(), "second_looks": [],
        "validation": {"is_valid": True, "needs_adaptation": False, "issues": [], "feedback": "all results are good",
                       "suggestions": []},
    }  # fmt: skip
    assert found.events == [told()]


# Which calls are checked, and which waves are counted.


async def test_only_the_wave_that_ended_is_checked() -> None:
    before: Any = {**EMPTY, "wave": 1}
    found = await validated(state([A, B], [before, {**SEVEN, "wave": 2}], waves=1))

    assert (found.update["issues"], found.update["waves"]) == ([], 2)


# A failure that is told in a good result.


async def nothing(args: Any, settings: Any) -> None:
    return None


# Results that cannot be checked.


def returns(value: Any) -> Any:
    def odd_check(result: Any, of: Any) -> Any:
        return value

    return odd_check


async def _later() -> list[Any]:
    return []


def _leaves(result: Any, of: Any) -> Any:
    raise SystemExit(3)


@pytest.mark.parametrize(
    "check",
    [
        returns(None), returns("sold out"), returns({"type": "x"}), returns([{"type": "x", "message": "half"}]),
        returns([None]), returns(3), lambda result, of: _later(), NamedCheck("odd_check", returns(None)), _leaves,
    ],
)  # fmt: skip
async def test_a_check_that_returns_no_issues_is_one_that_failed(check: Any, caplog: pytest.LogCaptureFixture) -> None:
    found = await validated(state([B], [SEVEN]), Warehouse().domain(checks={"count": [check, out_of_stock]}))

    [issue] = found.update["issues"]
    assert (issue["rule"], issue["severity"], issue["tool_id"]) == ("check_failed", "warning", "b")
    [said] = [each.getMessage() for each in caplog.records if each.levelname == "ERROR"]
    assert re.match(r"check \S+ of count failed: .", said)


class Stiff(BaseModel):
    """Does not take back what it writes."""

    model_config = ConfigDict(extra="forbid")
    units: int

    @computed_field
    def dozens(self) -> int:
        return self.units // 12


async def test_a_result_that_its_model_does_not_take_back_is_no_result_to_check() -> None:
    house = Warehouse()
    tools = [read(house.tools()[0], result=Stiff)]
    given = state([B], [outcome("count", NUT, data={"units": 24, "dozens": 2})])

    unchecked = await validated(given, house.domain(tools=tools, checks={}))
    found = await validated(given, house.domain(tools=tools, checks={"count": [lambda result, call: []]}))

    assert unchecked.update["issues"] == []
    (issue,) = found.update["issues"]
    message = issue.pop("message")
    assert message.startswith("the stored result cannot be read back: dozens")
    assert issue == {"type": "unexpected_data", "tool_id": "b", "severity": "critical", "rule": "unexpected_data"}


# Calls that can never run.

SEARCH = planned("find", "search", kind="b")


# One call for each element.

THREE = outcome("search", {"kind": "b"}, data={"kind": "b", "skus": ["bolt", "belt", "tub"]})
EACH: Any = {**planned("at", "count", sku=ref("each", "")), "each": ref("find", "skus")}


async def test_calls_for_each_element_are_counted() -> None:
    found = await validated(state([SEARCH, EACH], [THREE], limits=Limits(max_tool_calls=4)))

    made = found.update["plan"]["tools"]
    assert [made_call["id"] for made_call in made] == ["find", "at", "at_1", "at_2", "at_3"]
    assert list(found.update["ledger"]["calls"]) == ["at", "at_1", "at_2", "at_3"]
    assert (found.update["issues"], found.update["limits_hit"]) == ([], [])
    assert {"event": "wave_started", "wave": 2, "calls": ["at_1", "at_2", "at_3"]} in found.events


# What is done about issues.

AGAIN = planned("again", "count", plan=2, sku="gear")
STILL: Any = {**EMPTY, "runs": 2, "plan": 2}
ONCE = {f"in_stock|{GEAR_KEY}": 1}
CHANGED: Any = {**outcome("move", MOVE["args"], "error", wave=0),
                "error": {"code": "changes_asked", "message": "", "retryable": False}}  # fmt: skip
MAIN, REST = planned("main", "count", sku="gear"), planned("rest", "weigh", sku="belt")


@dataclass(frozen=True)
class Case:
    id: str
    calls: list[PlannedCall]
    outcomes: list[Any]
    limits: Limits = field(default_factory=Limits)
    changes: dict[str, Any] = field(default_factory=dict)
    goes_on: bool = False
    """The planner wants to plan again."""
    mended: bool = False
    gone: list[str] = field(default_factory=list)


CASES = [
    Case("an issue", [A], [EMPTY], mended=True),
    Case("no issue", [B], [SEVEN]),
    Case("more is ready", [MAIN, REST], [EMPTY]),
    Case("no adaptation allowed", [A], [EMPTY], Limits(max_adaptations=0), gone=["max_adaptations"]),
    Case("all of them made", [A], [EMPTY], Limits(max_adaptations=2), {"adaptations": 2}, gone=["max_adaptations"]),
    Case("one more is left", [A], [EMPTY], Limits(max_adaptations=2), {"adaptations": 1}, mended=True),
    Case("what a person asked for is not counted", [A, MOVE], [EMPTY, CHANGED], Limits(max_adaptations=1),
         {"adaptations": 1}, mended=True),
    Case("the first time", [A], [EMPTY], Limits(max_retries_per_issue=1), mended=True),
    Case("the second time", [A], [EMPTY], Limits(max_retries_per_issue=1), {"issue_counts": ONCE},
         gone=["max_retries_per_issue"]),
    Case("the second time, and no wave is left to go on in", [A], [EMPTY], Limits(max_waves=1), {"issue_counts": ONCE},
         goes_on=True, gone=["max_waves", "max_retries_per_issue"]),
    Case("the second time of two", [A], [EMPTY], Limits(max_retries_per_issue=2), {"issue_counts": ONCE}, mended=True),
    Case("the second time, and another", [A, B], [EMPTY, FAILED], changes={"issue_counts": ONCE}, mended=True),
    Case("the same of a second run", [AGAIN], [STILL], Limits(max_retries_per_issue=9), mended=True),
    Case("one of an earlier wave, that nobody counted", [A, B], [{**DOUBTED, "wave": 1}, {**SEVEN, "wave": 2}],
         changes={"waves": 1, "issues": [NO_GEAR]}, mended=True),
    Case("no wave left", [A], [EMPTY], Limits(max_waves=1), gone=["max_waves"]),
    Case("no wave left for more", [MAIN, REST], [EMPTY], Limits(max_waves=1), gone=["max_waves"]),
    Case("no wave left to go on in", [B], [SEVEN], Limits(max_waves=1), goes_on=True, gone=["max_waves"]),
    Case("no wave left, and nothing to do", [B], [SEVEN], Limits(max_waves=1)),
    Case("no call left", [A], [EMPTY], Limits(max_tool_calls=1), gone=["max_tool_calls"]),
    Case("no time left", [A], [EMPTY], Limits(request_timeout_s=5), {"times": {"plan_1": 5.0}}, gone=["request_timeout_s"]),
    Case("no step left", [A], [EMPTY], changes={"remaining_steps": 4}, gone=["recursion_limit"]),
    Case("two limits", [A], [EMPTY], Limits(max_waves=1, max_adaptations=0), gone=["max_waves", "max_adaptations"]),
    Case("a limit that was told", [A], [EMPTY], Limits(max_waves=1), {"limits_hit": ["max_waves"]}, gone=["max_waves"]),
    Case("no adaptation is needed to go on", [B], [SEVEN], Limits(max_adaptations=0), goes_on=True),
    Case("no adaptation is needed for more", [MAIN, REST], [EMPTY], Limits(max_adaptations=0)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
async def test_what_is_done_about_issues(case: Case) -> None:
    given = state(case.calls, case.outcomes, limits=case.limits, **case.changes)

    found = await validated(continued(given) if case.goes_on else given)

    validation = found.update["validation"]
    assert (validation["needs_adaptation"], found.update["feedback"] is not None) == (case.mended, case.mended)
    assert found.update["limits_hit"] == case.gone
    assert [line for line in validation["feedback"].splitlines() if line.startswith("limit")] == [
        f"limit reached: {name}" for name in case.gone
    ]
    assert ({"event": "wave_started", "wave": 2, "calls": ["rest"]} in found.events) == (
        REST in case.calls and not case.gone
    )


# How a plan that mends ends.


def adapting(calls: Any, outcomes: Any, **changes: Any) -> Any:
    given = state(calls, outcomes, adaptations=1, **changes)
    given["plan"]["adapts"] = True
    return given


async def finished(given: Any) -> list[Any]:
    return [event for event in (await validated(given)).events if event["event"] == "adaptation_complete"]


async def test_while_more_of_it_is_ready_it_has_not_ended() -> None:
    assert await finished(adapting([B, REST], [SEVEN])) == []
    stopped = adapting([B, REST], [SEVEN], limits=Limits(max_waves=1))
    assert [event["tools_executed"] for event in await finished(stopped)] == [1]


# A write that a person is asked about.

PAY = planned("pay", "pay", "write", item="tea", who="Dana")
ASKED = asked_about(PAY, terms={"details": {"item": "tea", "price": 4}, "valid_until": None})


async def test_no_question_is_asked_where_a_limit_ends_the_work() -> None:
    given = state([PAY], approvals=ASKED, times={"plan_1": 500.0})

    found = await validated(given, Till().domain())

    assert found.update["limits_hit"] == ["request_timeout_s"]
    assert "messages" not in found.update
