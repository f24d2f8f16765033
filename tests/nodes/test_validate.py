"""validate: what the end of a wave writes and tells, and what it sends back to the planner."""

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from alone import Alone, alone
from pydantic import BaseModel, ConfigDict, Field, computed_field
from scripted import outcome, planned
from states import asked_about, continued, state_of
from till import Till
from warehouse import Warehouse, out_of_stock

from wavegraph import Checks, Domain, Limits, Script, build_graph, read
from wavegraph.graph.domain import NamedCheck
from wavegraph.graph.domain_tool import write
from wavegraph.graph.ledger import signature
from wavegraph.graph.state import CARRIED, PlannedCall, empty_ledger
from wavegraph.nodes.validate import validate
from wavegraph.testing import ScriptedPlanner, call, ref

A, B = planned("a", "count", sku="gear"), planned("b", "count", sku="nut")
GEAR, NUT = {"sku": "gear"}, {"sku": "nut"}
EMPTY = outcome("count", GEAR, data={"sku": "gear", "units": 0})
SEVEN = outcome("count", NUT, data={"sku": "nut", "units": 7})
MOVE = planned("m", "move", "write", sku="nut", units=1, to="dock")
FAILED = outcome("count", NUT, "error", retryable=True)
GEAR_KEY, NUT_KEY = signature("count", GEAR), signature("count", NUT)
NO_GEAR: Any = {"type": "no_availability", "tool_id": "a", "message": "there is no gear left", "severity": "warning",
                "rule": "in_stock"}  # fmt: skip
NO_NUT = {"type": "error", "tool_id": "b", "message": "count ended as error", "severity": "critical", "rule": "error",
          "expected": "a result", "actual": "error"}  # fmt: skip
DOUBTED: Any = {**EMPTY, "doubted": True, "doubts": ["a|in_stock"]}


def state(calls: Any = (), outcomes: Any = (), **changes: Any) -> Any:
    """A wave has just ended."""
    return state_of(calls, outcomes, **{
        "issue_counts": {}, "adaptations": 0, "planning_calls": 1, "settings": {}, "previous": None, "set_aside": [],
        **changes,
    })  # fmt: skip


async def validated(given: Any, domain: Domain | None = None, *, by_rules: bool = False) -> Alone:
    """What the node makes of it, beside a planner that could mend."""
    planner = None if by_rules else ScriptedPlanner()
    return await alone(validate, given, build_graph(domain or Warehouse().domain(), planner=planner).agent)


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


async def test_a_wave_that_found_nothing_and_failed_goes_back() -> None:
    earlier: Any = {**NO_GEAR, "tool_id": "before", "message": "of an earlier plan"}
    given = state([A, B], [EMPTY, FAILED], issues=[earlier], issue_counts={"odd|count": 2})

    found = await validated(given)

    issues = [NO_GEAR, NO_NUT]
    assert found.update == {
        "waves": 1, "issues": [earlier, *issues], "limits_hit": [], "second_looks": [],
        "issue_counts": {"odd|count": 2, f"in_stock|{GEAR_KEY}": 1, f"error|{NUT_KEY}": 1},
        "ledger": {**empty_ledger(), "outcomes": {GEAR_KEY: DOUBTED}},
        "feedback": {"source": "results", "issues": issues},
        "validation": {"is_valid": False, "needs_adaptation": True, "issues": issues, "suggestions": [],
                       "feedback": "a: there is no gear left\nb: count ended as error"},
    }  # fmt: skip
    assert found.events == [told(needs_adaptation=True, issues=issues)]


# What a call that did not end well is said to be.


@dataclass(frozen=True)
class Failure:
    id: str
    status: str
    code: str
    type: str


FAILURES = [
    Failure("an error", "error", "tool_error", "error"),
    Failure("a time-out", "timeout", "timeout", "timeout"),
    Failure("a time-out of a write", "timeout", "write_unknown", "timeout"),
    Failure("a result that does not fit", "error", "unexpected_data", "unexpected_data"),
    Failure("arguments that do not fit", "skipped", "unexpected_data", "unexpected_data"),
]


@pytest.mark.parametrize("case", FAILURES, ids=lambda case: case.id)
async def test_a_failure_is_an_issue(case: Failure) -> None:
    ended: Any = {**FAILED, "status": case.status, "error": {"code": case.code, "message": "so", "retryable": False}}

    (issue,) = (await validated(state([B], [ended]))).update["issues"]

    assert issue == {
        "type": case.type, "tool_id": "b", "message": "so", "severity": "critical", "rule": case.code,
        "expected": "a result", "actual": case.status,
    }  # fmt: skip


# Which calls are checked, and which waves are counted.


async def test_only_the_wave_that_ended_is_checked() -> None:
    before: Any = {**EMPTY, "wave": 1}
    found = await validated(state([A, B], [before, {**SEVEN, "wave": 2}], waves=1))

    assert (found.update["issues"], found.update["waves"]) == ([], 2)


async def test_a_result_of_the_request_before_is_checked_and_no_wave() -> None:
    found = await validated(state([A, B], [{**EMPTY, "wave": CARRIED}, {**SEVEN, "wave": CARRIED}], waves=0))

    assert (found.update["issues"], found.update["waves"]) == ([NO_GEAR], 0)
    assert found.update["ledger"]["outcomes"] == {GEAR_KEY: {**DOUBTED, "wave": 0}, NUT_KEY: {**SEVEN, "wave": 0}}


async def test_a_call_that_was_stopped_has_not_ended() -> None:
    """One of a wave that was broken off and goes on: it runs again."""
    stopped: Any = {**EMPTY, "status": "cancelled", "error": {"code": "cut_short", "message": "", "retryable": True}}

    found = await validated(state([A, B], [stopped, SEVEN]))

    assert (found.update["issues"], found.update["ledger"]) == ([], empty_ledger())
    assert {"event": "wave_started", "wave": 2, "calls": ["a"]} in found.events


async def test_a_result_of_two_calls_is_doubted_for_both() -> None:
    again = planned("again", "count", sku="gear")

    found = await validated(state([A, again, B], [EMPTY, SEVEN]))

    assert [issue["tool_id"] for issue in found.update["issues"]] == ["a", "again"]
    assert found.update["ledger"]["outcomes"] == {GEAR_KEY: {**DOUBTED, "doubts": ["a|in_stock", "again|in_stock"]}}
    assert found.update["issue_counts"] == {f"in_stock|{GEAR_KEY}": 1}


async def test_an_issue_of_no_call_of_the_plan_is_counted_by_its_id() -> None:
    def elsewhere(result: Any, of: Any) -> Any:
        return [{**NO_GEAR, "tool_id": "elsewhere"}]

    found = await validated(state([B], [SEVEN]), Warehouse().domain(checks={"count": [elsewhere]}))

    assert found.update["issue_counts"] == {"in_stock|elsewhere": 1}
    assert "doubted" not in found.update["ledger"]["outcomes"].get(NUT_KEY, {})


# A failure that is told in a good result.


def finding(*types: str) -> Any:
    """A check that finds trouble of these types."""

    def check(result: Any, of: Any) -> Any:
        return [{"type": t, "tool_id": of.id, "message": f"told {t}", "severity": "warning", "rule": t} for t in types]

    return check


MOVED = outcome("move", MOVE["args"], data={"sku": "nut", "units": 1, "ticket": "T"})


async def nothing(args: Any, settings: Any) -> None:
    return None


@pytest.mark.parametrize(
    ("call", "ended", "looks_up", "retryable"),
    [(B, SEVEN, False, True), (MOVE, MOVED, True, True), (MOVE, MOVED, False, False)],
    ids=["a read", "a write that can be looked up", "a write that cannot"],
)
async def test_a_failure_told_in_a_good_result(call: Any, ended: Any, looks_up: bool, retryable: bool) -> None:
    house = Warehouse()
    tools = [read(house.tools()[0]), write(house.tools()[4], look_up=nothing if looks_up else None)]
    checks = {call["tool"]: [finding("strange", "timeout", "error")]}

    found = await validated(state([call], [ended]), house.domain(tools=tools, checks=checks))

    doubts = [f"{call['id']}|{kind}" for kind in ("strange", "timeout", "error")]
    fault = {"code": "timeout", "message": "told timeout", "retryable": retryable}
    assert found.update["ledger"]["outcomes"] == {
        ended["signature"]: {**ended, "doubted": True, "doubts": doubts, "fault": fault}
    }


# Results that cannot be checked.


async def test_a_check_that_fails_says_nothing_of_the_others(caplog: pytest.LogCaptureFixture) -> None:
    def fails(result: Any, of: Any) -> Any:
        raise KeyError("password=hunter2")

    found = await validated(state([A], [EMPTY]), Warehouse().domain(checks={"count": [fails, out_of_stock]}))

    unchecked = {"type": "unchecked", "tool_id": "a", "message": "this result could not be checked",
                 "severity": "warning", "rule": "check_failed"}  # fmt: skip
    assert found.update["issues"] == [unchecked, NO_GEAR]
    assert "of count failed" in caplog.text
    assert "hunter2" not in caplog.text


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


async def test_a_check_may_return_a_tuple_or_yield() -> None:
    def yields(result: Any, of: Any) -> Any:
        yield NO_GEAR

    checks: Any = {"count": [yields, lambda result, of: ()]}
    assert (await validated(state([A], [EMPTY]), Warehouse().domain(checks=checks))).update["issues"] == [NO_GEAR]


class Named(BaseModel):
    units: int = Field(alias="Units")


@pytest.mark.parametrize("name", ["units", "Units"])
async def test_a_result_is_read_back_by_names_and_by_aliases(name: str) -> None:
    seen: list[int] = []

    def sees(found: Named, of: Any) -> Any:
        seen.append(found.units)
        return []

    house = Warehouse()
    domain = house.domain(tools=[read(house.tools()[0], result=Named)], checks={"count": [sees]})
    await validated(state([B], [outcome("count", NUT, data={name: 4})]), domain)

    assert seen == [4]


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
NOTHING_FOUND = outcome("search", {"kind": "b"}, data={"kind": "b", "skus": []})
LOST = planned("lost", "count", sku=ref("find", "skus[0]"))
NO_PATH = "reference find.skus[0]: the result has no such value"


async def test_a_path_to_nothing_skips_the_call_and_says_so() -> None:
    found = await validated(state([SEARCH, LOST], [NOTHING_FOUND]))

    (kept,) = found.update["ledger"]["outcomes"].values()
    assert kept == {
        "tool": "count", "args": LOST["args"], "status": "skipped", "data": None, "attempts": 0, "runs": 0, "plan": 1,
        "wave": 0, "elapsed_s": 0.0, "signature": signature("count", LOST["args"]),
        "error": {"code": "skipped", "message": NO_PATH, "retryable": False},
    }  # fmt: skip
    assert found.update["issues"] == [
        {"type": "unexpected_data", "tool_id": "lost", "message": NO_PATH, "severity": "critical",
         "rule": "broken_reference"}
    ]  # fmt: skip


async def test_a_call_behind_one_that_failed_is_skipped_without_a_word() -> None:
    found = await validated(state([SEARCH, LOST], [outcome("search", {"kind": "b"}, "error")]))

    assert [issue["tool_id"] for issue in found.update["issues"]] == ["find"]
    (kept,) = found.update["ledger"]["outcomes"].values()
    assert (kept["status"], kept["error"]["message"]) == ("skipped", "reference find.skus[0]: that call ended as error")


async def test_a_write_behind_one_that_failed_is_an_issue_of_its_own() -> None:
    later = planned("later", "move", "write", sku="belt", units=1, to="dock")

    found = await validated(state([MOVE, later], [outcome("move", MOVE["args"], "error")]))

    assert found.update["issues"][1:] == [
        {"type": "error", "tool_id": "later", "message": "an earlier write of this plan failed", "severity": "critical",
         "rule": "write_stopped"}
    ]  # fmt: skip


async def test_what_was_skipped_before_is_not_told_again() -> None:
    skipped: Any = {**outcome("count", LOST["args"], "skipped", runs=0, wave=0)}

    found = await validated(state([SEARCH, LOST, B], [NOTHING_FOUND, skipped, {**SEVEN, "wave": 2}], waves=1))

    assert (found.update["issues"], found.update["ledger"]) == ([], empty_ledger())


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


async def test_more_of_them_than_the_budget_holds_are_none() -> None:
    found = await validated(state([SEARCH, EACH], [THREE], limits=Limits(max_tool_calls=3)))

    assert "plan" not in found.update
    (kept,) = found.update["ledger"]["outcomes"].values()
    message = kept["error"]["message"]
    assert (kept["status"], kept["error"]["code"]) == ("skipped", "over_budget")
    assert message.startswith(
        "at would be 3 calls, one for each element of find.skus, but this request has only 2 left"
    )
    assert found.update["issues"] == [
        {"type": "error", "tool_id": "at", "message": message, "severity": "critical", "rule": "over_budget",
         "expected": 2, "actual": 3}
    ]  # fmt: skip


async def test_each_write_of_them_takes_a_wave() -> None:
    each: Any = {**planned("at", "move", "write", sku=ref("each", "")), "each": ref("find", "skus")}
    given = {"waves": 1, "limits": Limits(max_waves=4)}
    calls, outcomes = [SEARCH, each], [{**THREE, "wave": 2}]

    (issue,) = (await validated(state(calls, outcomes, **given))).update["issues"]

    assert (issue["expected"], issue["actual"]) == (2, 3)
    assert (await validated(state(calls, outcomes, waves=1, limits=Limits(max_waves=5)))).update["issues"] == []


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


async def test_the_rules_alone_mend_only_by_the_domains_own_way() -> None:
    given = state([A], [EMPTY])
    way_round = Warehouse().domain(script=Script(workarounds=lambda view: [call("w", "weigh", sku="gear")]))

    assert (await validated(given, by_rules=True)).update["feedback"] is None
    assert (await validated(given, way_round, by_rules=True)).update["feedback"] is not None


async def test_the_domains_own_way_is_suggested() -> None:
    def ways(view: Any) -> Any:
        assert view.feedback["issues"] == [NO_GEAR]
        return [call("w", "weigh", sku="gear", instead_of="a"), call("b", "count", unit="box", sku="nut")]

    found = await validated(state([A], [EMPTY]), Warehouse().domain(script=Script(workarounds=ways)))

    suggestions = ['weigh {"sku":"gear"} instead of a', 'count {"sku":"nut","unit":"box"}']
    assert found.update["validation"]["suggestions"] == suggestions


async def test_what_the_domain_tells_of_its_work_goes_with_every_record() -> None:
    def details(view: Any) -> Any:
        return {"waves": len(view.ledger["outcomes"]), "open": len(view.issues)}

    found = await validated(
        state([A], [EMPTY]), Warehouse().domain(checks=Checks({"count": [out_of_stock]}, report=details))
    )

    said = {"waves": 1, "open": 1}
    assert found.update["feedback"]["details"] == found.update["validation"]["details"] == said
    assert found.events == [told(needs_adaptation=True, issues=[NO_GEAR], details=said)]
    good = await validated(
        state([B], [SEVEN]), Warehouse().domain(checks=Checks({"count": [out_of_stock]}, report=details))
    )
    assert (good.update["feedback"], good.update["validation"]["details"]) == (None, {"waves": 1, "open": 0})


# How a plan that mends ends.


def adapting(calls: Any, outcomes: Any, **changes: Any) -> Any:
    given = state(calls, outcomes, adaptations=1, **changes)
    given["plan"]["adapts"] = True
    return given


async def finished(given: Any) -> list[Any]:
    return [event for event in (await validated(given)).events if event["event"] == "adaptation_complete"]


async def test_the_end_of_a_plan_that_mends_is_told() -> None:
    skipped: Any = outcome("weigh", {"sku": "nut"}, "skipped", runs=0, wave=0)
    earlier: Any = {**NO_GEAR, "tool_id": "elsewhere"}

    assert await finished(adapting([B, planned("w", "weigh", sku="nut")], [SEVEN, skipped])) == [
        {"event": "adaptation_complete", "turn": 1, "tools_executed": 1, "success": True}
    ]
    assert [event["success"] for event in await finished(adapting([A], [EMPTY]))] == [False]
    assert [event["success"] for event in await finished(adapting([B], [SEVEN], issues=[earlier]))] == [False]
    assert await finished(state([B], [SEVEN])) == []


async def test_while_more_of_it_is_ready_it_has_not_ended() -> None:
    assert await finished(adapting([B, REST], [SEVEN])) == []
    stopped = adapting([B, REST], [SEVEN], limits=Limits(max_waves=1))
    assert [event["tools_executed"] for event in await finished(stopped)] == [1]


# A write that a person is asked about.

PAY = planned("pay", "pay", "write", item="tea", who="Dana")
ASKED = asked_about(PAY, terms={"details": {"item": "tea", "price": 4}, "valid_until": None})


async def test_the_question_that_comes_next_is_a_message() -> None:
    given = state([PAY], approvals=ASKED)

    found = await validated(given, Till().domain())

    (message,) = found.update["messages"]
    assert message.text == "tea for 4 coins\n\nShall I go ahead? (yes / no)"
    assert [event["event"] for event in found.events] == ["validation_complete"]
    assert "messages" not in (await validated(state([PAY]), Till().domain())).update


async def test_no_question_is_asked_where_a_limit_ends_the_work() -> None:
    given = state([PAY], approvals=ASKED, times={"plan_1": 500.0})

    found = await validated(given, Till().domain())

    assert found.update["limits_hit"] == ["request_timeout_s"]
    assert "messages" not in found.update
