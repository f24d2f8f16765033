"""Whole graphs: waves, order, failures and what becomes of them."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from runs import ask, compiled, on_thread, run
from scripted import Says
from skipping import LIMIT_S, jump
from warehouse import Clerk, Outlasts, Pause, Raw, Warehouse, When, out_of_stock

from wavegraph import Limits, PlanningView, Script, ToolRefusal
from wavegraph.testing import ScriptedPlanner, call, planning, ref

SEARCH = call("find", "search", kind="b")
COUNT_FOUND = call("count_found", "count", sku=ref("find", "skus[0]"))
IN_TIME = {"request_timeout_s": LIMIT_S}


def test_one_wave(warehouse: Warehouse) -> None:
    script = ScriptedPlanner(planning(call("a", "count", sku="bolt"), call("b", "weigh", sku="nut")))
    ended = ask(warehouse.domain(), script)

    assert ended["outcome"] == "answered"
    assert "'units': 40" in ended["answer"]
    assert ended["messages"][-1].text == ended["answer"]
    assert (ended["waves"], ended["tools_executed"], ended["adaptations"]) == (1, 2, 0)
    assert sorted(ended["tools"]) == ["count", "weigh"]
    assert ended["results"]["a"]["data"] == {"sku": "bolt", "units": 40}
    assert ended["answer_check"]["satisfied"]


def test_two_waves_by_references_cost_one_planning_call(warehouse: Warehouse) -> None:
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(SEARCH, COUNT_FOUND)))

    assert ended["waves"] == 2
    assert ended["planning_calls"] == 1
    assert warehouse.ran() == ["search:b", "count:bolt"]
    assert [event["calls"] for event in ended.told("wave_started")] == [["find"], ["count_found"]]


def test_continue_plans_again_until_done(warehouse: Warehouse) -> None:
    def second(view: PlanningView) -> Any:
        assert view.feedback is None
        assert view.plan is not None
        skus = next(o["data"]["skus"] for o in view.ledger["outcomes"].values())
        return planning(call("count_found", "count", sku=skus[1]), status="continue")

    script = ScriptedPlanner(planning(SEARCH, status="continue"), second, planning(call("w", "weigh", sku="belt")))
    ended = ask(warehouse.domain(), script)

    assert warehouse.ran() == ["search:b", "count:belt", "weigh:belt"]
    assert (ended["waves"], ended["planning_calls"], ended["adaptations"]) == (3, 3, 0)
    assert ended["outcome"] == "answered"


def test_reads_of_a_wave_overlap(warehouse: Warehouse) -> None:
    for name, sku in (("count", "bolt"), ("count", "nut"), ("weigh", "gear")):
        warehouse.on(name, sku, When(lambda: len(warehouse.ran()) == 3))
    calls = [call("a", "count", sku="bolt"), call("b", "count", sku="nut"), call("c", "weigh", sku="gear")]
    ask(warehouse.domain(), ScriptedPlanner(planning(*calls)))

    spans = [warehouse.span("count", "bolt"), warehouse.span("count", "nut"), warehouse.span("weigh", "gear")]
    assert max(start for start, _ in spans) < min(end for _, end in spans)


def test_a_write_stands_between_the_reads(warehouse: Warehouse) -> None:
    warehouse.on("count", "bolt", Pause(0.1)).on("move", "bolt", Pause(0.1))
    calls = [
        call("before", "count", sku="bolt"),
        call("beside", "weigh", sku="bolt"),
        call("move", "move", sku="bolt", units=2),
        call("after", "weigh", sku="nut"),
    ]
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(*calls)))

    write_start, write_end = warehouse.span("move", "bolt")
    assert max(warehouse.span("count", "bolt")[1], warehouse.span("weigh", "bolt")[1]) <= write_start
    assert write_end <= warehouse.span("weigh", "nut")[0]
    assert (ended["waves"], warehouse.stock["bolt"]) == (3, 38)


def test_equal_calls_run_once_and_count_once(warehouse: Warehouse) -> None:
    calls = [call("a", "count", sku="bolt"), call("b", "count", sku="bolt", unit="piece")]
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(*calls)))

    assert warehouse.ran() == ["count:bolt"]
    assert set(ended["results"]) == {"a", "b"}
    assert (ended["tools"], ended["tools_executed"]) == (["count"], 1)


def test_good_results_mean_zero_adaptations(warehouse: Warehouse) -> None:
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt"))))

    assert (ended["adaptations"], ended["issues"]) == (0, [])
    assert ended["validation"]["is_valid"]
    assert "adaptation_started" not in ended.names


def test_a_read_behind_a_write_looks_again(warehouse: Warehouse) -> None:
    calls = [
        call("before", "count", sku="bolt"),
        call("m", "move", sku="bolt", units=5),
        call("after", "count", sku="bolt"),
    ]
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(*calls)))

    assert ended["results"]["after"]["data"]["units"] == 35
    assert (ended["waves"], ended["tools_executed"]) == (3, 3)


# Failures are data


@pytest.mark.parametrize("name", ["count", "weigh"], ids=["async", "sync"])
def test_a_failing_call_leaves_its_siblings_alone(warehouse: Warehouse, name: str) -> None:
    warehouse.on(name, "bolt", ValueError("password=hunter2")).on("count", "nut", Pause(0.2))
    script = ScriptedPlanner(planning(call("bad", name, sku="bolt"), call("good", "count", sku="nut")), planning())
    ended = ask(warehouse.domain(), script)

    assert (ended.status("bad"), ended.status("good")) == ("error", "ok")
    assert ended["outcome"] == "partial"
    assert ended["results"]["bad"]["error"]["message"] == f"{name} failed with ValueError"
    assert "hunter2" not in str(ended.state) + str(ended.events)


STRANGE_ENDS = [StopIteration(), SystemExit(3), asyncio.CancelledError(), RuntimeError(), MemoryError(), TimeoutError()]


@pytest.mark.parametrize("error", STRANGE_ENDS, ids=lambda error: type(error).__name__)
def test_however_a_sync_tool_ends_it_is_data(warehouse: Warehouse, error: BaseException) -> None:
    warehouse.on("weigh", "bolt", error, error)
    script = ScriptedPlanner(planning(call("a", "weigh", sku="bolt"), call("b", "count", sku="nut")), planning())
    ended = ask(warehouse.domain(), script)

    assert ended.status("a") == ("timeout" if isinstance(error, TimeoutError) else "error")
    assert f"{LIMIT_S:g} s" not in ended["results"]["a"]["error"]["message"]
    assert ended.status("b") == "ok"


def test_an_async_tool_cancelled_from_within_is_data(warehouse: Warehouse) -> None:
    warehouse.on("count", "bolt", asyncio.CancelledError())
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt")), planning()))

    assert (ended.status("a"), ended["outcome"]) == ("error", "failed")


@pytest.mark.parametrize("name", ["count", "weigh"], ids=["async", "sync"])
def test_a_read_that_timed_out_gets_longer_when_planned_again(warehouse: Warehouse, name: str) -> None:
    warehouse.on(name, "bolt", Outlasts(), Outlasts(2 * LIMIT_S))
    script = ScriptedPlanner(planning(call("a", name, sku="bolt")), planning(call("again", name, sku="bolt")))
    ended = ask(warehouse.domain(), script)

    told = [event["error"] for event in ended.told("tool_finished")]
    assert told == [f"{name} did not end within {limit} s" for limit in ("60", "120")]
    assert {(issue["type"], issue["rule"]) for issue in ended["issues"]} == {("timeout", "timeout")}
    assert ended["results"]["again"]["runs"] == 2
    assert (ended["outcome"], ended["adaptations"], ended["tools_executed"]) == ("failed", 1, 2)


def test_a_read_that_ends_the_second_time_is_an_answer(warehouse: Warehouse) -> None:
    script = (planning(call("a", "count", sku="bolt")), planning(call("again", "count", sku="bolt")))
    warehouse.on("count", "bolt", Outlasts())
    ended = ask(warehouse.domain(), ScriptedPlanner(*script))

    assert [event["status"] for event in ended.told("tool_finished")] == ["timeout", "ok"]
    assert (ended["outcome"], ended["adaptations"], ended["tools_executed"]) == ("answered", 1, 2)


def test_a_write_of_unknown_end_is_never_tried_again(warehouse: Warehouse) -> None:
    warehouse.on("move", "bolt", Outlasts())
    script = ScriptedPlanner(
        planning(call("m", "move", sku="bolt"), call("later", "move", sku="nut")),
        planning(call("m2", "move", sku="bolt")),
    )
    ended = ask(warehouse.domain(), script)

    assert warehouse.ran() == ["move:bolt"]
    assert ended["results"]["m"]["error"]["code"] == "write_unknown"
    assert ended.status("later") == "skipped"
    assert ended["outcome"] == "failed"


def test_a_passing_error_of_a_read_is_tried_again_inside_its_run(warehouse: Warehouse) -> None:
    warehouse.on("count", "bolt", ConnectionError("x"))
    warehouse.on("weigh", "nut", ToolRefusal("busy", "try later", retryable=True))
    ended = ask(
        warehouse.domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt"), call("b", "weigh", sku="nut")))
    )

    assert [ended["results"][name]["attempts"] for name in "ab"] == [2, 2]
    assert (ended["outcome"], ended["tools_executed"]) == ("answered", 2)


@pytest.mark.parametrize(
    "error", [ConnectionError(), ToolRefusal("busy", "later", retryable=True)], ids=["lost", "busy"]
)
def test_a_write_is_not(warehouse: Warehouse, error: Exception) -> None:
    warehouse.on("move", "bolt", error)
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(call("m", "move", sku="bolt")), planning()))

    assert warehouse.ran() == ["move:bolt"]
    assert ended["results"]["m"]["error"]["retryable"] is False


def test_a_lasting_refusal_is_shown_with_its_code(warehouse: Warehouse) -> None:
    warehouse.on("count", "bolt", ToolRefusal("closed", "the aisle is closed until noon"))
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt")), planning()))

    assert ended["issues"][0]["rule"] == "closed"
    assert ended["issues"][0]["message"] == "the aisle is closed until noon"
    assert warehouse.ran() == ["count:bolt"]


class NoJson:
    pass


@pytest.mark.parametrize(
    "value",
    [{"sku": "bolt", "units": -1}, None, "40", ["x"] * 10_000, NoJson()],
    ids=["rule", "null", "text", "huge", "object"],
)
def test_a_result_that_does_not_fit_is_unexpected_data(warehouse: Warehouse, value: Any) -> None:
    warehouse.on("count", "bolt", Raw(value))
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt")), planning()))

    assert [issue["type"] for issue in ended["issues"]] == ["unexpected_data"]
    assert len(ended["issues"][0]["message"]) < 1000
    assert ended["outcome"] == "failed"


def test_a_path_to_nothing_skips_the_call_with_an_issue(warehouse: Warehouse) -> None:
    lost = call("lost", "count", sku=ref("find", "skus[9]"))
    chained = call("chained", "weigh", sku=ref("lost", "sku"))
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(SEARCH, lost, chained), planning()))

    assert (ended.status("lost"), ended.status("chained")) == ("skipped", "skipped")
    assert [(issue["type"], issue["tool_id"]) for issue in ended["issues"]] == [("unexpected_data", "lost")]
    assert (ended["outcome"], ended["tools_executed"]) == ("partial", 1)


def test_a_failed_call_skips_its_dependants_without_an_issue_each(warehouse: Warehouse) -> None:
    warehouse.on("search", "b", ValueError())
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(SEARCH, COUNT_FOUND), planning()))

    assert ended.status("count_found") == "skipped"
    assert [issue["tool_id"] for issue in ended["issues"]] == ["find"]


# Broken plans

GHOST = planning(call("a", "teleport"))


def test_a_broken_plan_goes_back_once_with_its_reasons(warehouse: Warehouse) -> None:
    def second(view: PlanningView) -> Any:
        assert view.feedback is not None
        assert view.feedback["source"] == "plan"
        assert [issue["rule"] for issue in view.feedback["issues"]] == ["unknown_tool"]
        return planning(call("a", "count", sku="bolt"))

    ended = ask(warehouse.domain(), ScriptedPlanner(GHOST, second))

    assert (ended["outcome"], ended["adaptations"], ended["planning_calls"]) == ("answered", 0, 2)
    assert ended["issues"] == []


def test_a_plan_broken_twice_fails_in_words(warehouse: Warehouse) -> None:
    ended = ask(warehouse.domain(), ScriptedPlanner(GHOST, {"not": "a plan"}))

    assert ended["outcome"] == "failed"
    assert ended["answer"].startswith("I could not work out how to do that")
    assert warehouse.ran() == []


def test_a_broken_plan_of_the_rules_fails_too(warehouse: Warehouse) -> None:
    ended = ask(warehouse.domain(offline=Clerk(lambda view: GHOST)), None)

    assert ended["outcome"] == "failed"


def test_the_same_unusable_text_never_reaches_a_tool(warehouse: Warehouse) -> None:
    injected = planning(call("a", "count", sku="bolt"), call("b", "count", sku=ref("__class__", "__init__")))
    ended = ask(warehouse.domain(), ScriptedPlanner(injected, injected))

    assert (ended["outcome"], warehouse.ran()) == ("failed", [])


# Adaptation


def test_a_call_planned_again_is_not_run_again_and_the_loop_ends(warehouse: Warehouse) -> None:
    script = ScriptedPlanner(planning(call("a", "count", sku="gear")), planning(call("again", "count", sku="gear")))
    ended = ask(warehouse.domain(), script, context={"max_adaptations": 5})

    assert warehouse.ran() == ["count:gear"]
    assert (ended["outcome"], ended["adaptations"]) == ("partial", 1)
    assert ended.told("adaptation_complete")[0]["success"] is False


def test_a_planner_gives_up_with_empty_tools(warehouse: Warehouse) -> None:
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(call("a", "count", sku="gear")), planning()))

    assert (ended["outcome"], ended["planning_calls"]) == ("partial", 2)
    assert ended["validation"]["is_valid"] is False


def test_another_way_closes_the_issue(warehouse: Warehouse) -> None:
    other = call("other", "count", sku="bolt", instead_of="a")
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(call("a", "count", sku="gear")), planning(other)))

    assert (ended["outcome"], ended["adaptations"]) == ("answered", 1)
    assert [issue["rule"] for issue in ended["issues"]] == ["in_stock"]
    assert ended.told("adaptation_complete") == [
        {"event": "adaptation_complete", "turn": 1, "tools_executed": 1, "success": True}
    ]


def test_another_way_closes_only_what_it_stands_for(warehouse: Warehouse) -> None:
    warehouse.stock["nut"] = 0
    first = planning(call("a", "count", sku="gear"), call("b", "count", sku="nut"))
    other = call("other", "count", sku="bolt", instead_of="a")
    ended = ask(warehouse.domain(), ScriptedPlanner(first, planning(other)))

    assert ended["outcome"] == "partial"


def test_the_domain_mends_by_arithmetic_without_a_model(warehouse: Warehouse) -> None:
    def adapt(view: PlanningView) -> Any:
        assert view.feedback is not None
        return [call("nearby", "count", sku="belt", instead_of=view.feedback["issues"][0]["tool_id"])]

    clerk = Clerk(lambda view: planning(call("a", "count", sku="gear")))
    ended = ask(warehouse.domain(offline=clerk, script=Script(workarounds=adapt)), None)

    assert warehouse.ran() == ["count:gear", "count:belt"]
    assert (ended["outcome"], ended["adaptations"], ended["planner"]) == ("answered", 1, "rules")
    assert ended["validation"]["suggestions"] == []


def test_proposals_reach_a_planner(warehouse: Warehouse) -> None:
    def second(view: PlanningView) -> Any:
        assert [proposal["id"] for proposal in view.proposals] == ["nearby"]
        assert view.feedback is not None
        assert [*view.ledger["calls"]] == ["a"]
        return planning(*view.proposals)

    domain = warehouse.domain(
        script=Script(workarounds=lambda view: [call("nearby", "count", sku="belt", instead_of="a")])
    )
    ended = ask(domain, ScriptedPlanner(planning(call("a", "count", sku="gear")), second))

    assert ended["outcome"] == "answered"


# Limits: each ends in an answer, an event, and an outcome true to fact


def endless(make: Callable[[int], Any]) -> ScriptedPlanner:
    """Makes the n-th plan of n, for ever."""
    script = ScriptedPlanner(then=lambda view: make(len(script.views)))
    return script


def plan_n(n: int) -> Any:
    return planning(call(f"c{n}", "count", sku="bolt", note=str(n)), status="continue")


def gear_n(n: int) -> Any:
    return planning(call(f"g{n}", "count", sku="gear", note=str(n)))


def test_max_waves(warehouse: Warehouse) -> None:
    ended = ask(warehouse.domain(), endless(plan_n), context={"max_waves": 2})

    assert (ended["outcome"], ended.limits, ended["waves"]) == ("partial", ["max_waves"], 2)
    assert ended["limits_hit"] == ["max_waves"]
    assert ended["answer"]


def test_max_waves_inside_one_plan_names_what_is_left(warehouse: Warehouse) -> None:
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(SEARCH, COUNT_FOUND)), context={"max_waves": 1})

    assert ended["outcome"] == "partial"
    assert ended.told("limit_reached") == [
        {"event": "limit_reached", "limit": "max_waves", "done": 1, "left_undone": ["count_found"]}
    ]


def test_max_tool_calls(warehouse: Warehouse) -> None:
    ended = ask(warehouse.domain(), endless(plan_n), context={"max_tool_calls": 2, "max_waves": 20})

    assert (ended["outcome"], ended.limits, len(warehouse.ran())) == ("partial", ["max_tool_calls"], 2)


def test_max_adaptations(warehouse: Warehouse) -> None:
    ended = ask(warehouse.domain(), endless(gear_n), context={"max_adaptations": 2, "max_waves": 20})

    assert (ended["outcome"], ended.limits, ended["adaptations"]) == ("partial", ["max_adaptations"], 2)
    assert len(warehouse.ran()) == 3


def test_no_adaptation_at_all(warehouse: Warehouse) -> None:
    ended = ask(warehouse.domain(), ScriptedPlanner(gear_n(1)), context={"max_adaptations": 0})

    assert (ended["outcome"], ended.limits, ended["adaptations"]) == ("partial", ["max_adaptations"], 0)


def test_max_retries_per_issue(warehouse: Warehouse) -> None:
    warehouse.on("count", "bolt", Outlasts(), Outlasts(2 * LIMIT_S))
    script = ScriptedPlanner(planning(call("a", "count", sku="bolt")), planning(call("b", "count", sku="bolt")))
    context = {"max_adaptations": 5, "max_retries_per_issue": 1}
    ended = ask(warehouse.domain(), script, context=context)

    assert (ended["outcome"], ended.limits) == ("failed", ["max_retries_per_issue"])


def test_request_timeout_while_planning(warehouse: Warehouse) -> None:
    async def hang(view: PlanningView) -> Any:
        jump()
        await asyncio.Event().wait()

    ended = ask(warehouse.domain(), ScriptedPlanner(lambda view: hang(view)), context=IN_TIME)

    assert (ended["outcome"], ended.limits) == ("failed", ["request_timeout_s"])
    assert ended["elapsed_s"] >= LIMIT_S


def test_request_timeout_while_a_tool_runs(warehouse: Warehouse) -> None:
    warehouse.on("search", "b", Outlasts())
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(SEARCH, COUNT_FOUND)), context=IN_TIME)

    assert ended.status("find") == "timeout"
    assert (ended["outcome"], ended.limits) == ("failed", ["request_timeout_s"])


def test_request_timeout_used_up_by_a_slow_check(warehouse: Warehouse) -> None:
    def slow(found: Any, of: Any) -> list[Any]:
        jump()
        return []

    domain = warehouse.domain(checks={"search": [slow]})
    ended = ask(domain, ScriptedPlanner(planning(SEARCH, COUNT_FOUND)), context=IN_TIME)

    assert (ended["outcome"], ended.limits, warehouse.ran()) == ("partial", ["request_timeout_s"], ["search:b"])


def test_request_timeout_leaves_nothing_for_another_plan(warehouse: Warehouse) -> None:
    def slow(found: Any, of: Any) -> Any:
        jump()
        return out_of_stock(found, of)

    domain = warehouse.domain(checks={"count": [slow]})
    script = ScriptedPlanner(gear_n(1))
    ended = ask(domain, script, context=IN_TIME)

    assert (ended["outcome"], ended.limits) == ("partial", ["request_timeout_s"])


def twice_broken(n: int) -> Any:
    return {"no": "plan"}


def broken_then_waves(n: int) -> Any:
    return {"no": "plan"} if n == 1 else plan_n(n)


def three_waves(n: int) -> Any:
    names = {"search": SEARCH, "count": COUNT_FOUND}
    return planning(*names.values(), call("m", "move", sku=ref("count_found", "sku"))) if n == 1 else planning()


RECURSION = {
    "endless": plan_n,
    "issues": gear_n,
    "broken": twice_broken,
    "once": broken_then_waves,
    "waves": three_waves,
}


@pytest.mark.parametrize("limit", range(4, 13))
@pytest.mark.parametrize("make", RECURSION.values(), ids=RECURSION.keys())
def test_a_recursion_limit_ends_in_an_answer(warehouse: Warehouse, make: Any, limit: int) -> None:
    roomy = Limits(max_waves=50, max_tool_calls=50, max_adaptations=10, max_retries_per_issue=10)
    graph_answers = Says("it weighs 77123 stones", "it is there")
    ended = ask(
        warehouse.domain(limits=roomy), endless(make), responder=graph_answers, config={"recursion_limit": limit}
    )

    assert ended["answer"]
    assert ended["outcome"] in {"answered", "partial", "failed"}
    if ended["outcome"] == "answered":
        assert make is three_waves
    elif make is not twice_broken:
        assert ended.limits == ["recursion_limit"]


def test_time_is_counted_afresh_in_each_request_of_a_thread(warehouse: Warehouse) -> None:
    script = endless(plan_n)
    graph = compiled(warehouse.domain(), script, checkpointer=InMemorySaver())
    for _ in range(2):
        ended = run(graph, "again", on_thread(), context={"max_waves": 3})
        steps = list(ended["times"])
        assert [step for step in steps if step.startswith("plan")] == ["plan_1", "plan_2", "plan_3"]
        assert len(steps) == len(set(steps))
