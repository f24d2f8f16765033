"""One budget: what is left of it, what ends the work, and how much of a wave it still holds."""

import asyncio
from typing import Any

import pytest
from pydantic import ValidationError
from scripted import outcome, planned
from states import state_of
from tables import table

from wavegraph.graph.ledger import signature
from wavegraph.graph.limits import (
    Limits,
    active_s,
    asked_step,
    limits_of,
    next_wave,
    remaining_calls,
    remaining_s,
    sent_back,
    spent,
    within,
    work_ended,
)

A, B = planned("a", "count", sku="bolt"), planned("b", "count", sku="nut")
WRITE = planned("w", "move", "write", sku="bolt")
SIGNED = signature("move", {"sku": "bolt"})


def test_the_limits_of_a_domain_that_names_none() -> None:
    assert Limits() == Limits(
        max_adaptations=1, max_waves=5, max_tool_calls=10, max_answer_replans=1, max_retries_per_issue=1,
        tool_timeout_s=20.0, tool_attempts=2, request_timeout_s=120.0, max_prompt_bytes=60_000,
    )  # fmt: skip


@table(
    ("name", "value"),
    [("max_waves", "x"), ("max_waves", 2.5), ("max_runs", True), ("max_tool_calls", -1), ("max_adaptations", None),
     ("tool_timeout_s", -1), ("request_timeout_s", float("nan")), ("tool_timeout_s", "5")],
)  # fmt: skip
def test_a_limit_that_is_no_such_number_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValidationError, match=rf"for Limits\n{name}\n  Input should be "):
        Limits(**{name: value})


def test_a_request_keeps_the_limits_it_was_opened_with() -> None:
    assert limits_of(state_of(limits=Limits(max_waves=3))) == Limits(max_waves=3)


def test_active_time_is_the_sum_of_all_steps() -> None:
    state = state_of(times={"plan_1": 0.25, "execute_wave_1": 1.5})

    assert active_s(state) == 1.75
    assert remaining_s(state, Limits(request_timeout_s=2.0)) == 0.25
    assert remaining_s(state, Limits(request_timeout_s=1.0)) == 0.0
    assert active_s({}) == 0  # type: ignore[typeddict-item]


def test_runs_are_counted_and_not_calls() -> None:
    state = state_of([A, B], [outcome("count", {"sku": "bolt"}, runs=2), outcome("count", {"sku": "nut"}, runs=0)])

    assert remaining_calls(state, Limits(max_tool_calls=3)) == 1
    assert remaining_calls(state, Limits(max_tool_calls=1)) == 0


def test_an_answer_is_sent_back_to_planning_or_to_its_writer() -> None:
    assert sent_back(state_of(answer_replans=1, rewrites=2)) == 3


@table(
    ("hit", "ended"),
    [
        ("max_waves", True), ("max_tool_calls", True), ("request_timeout_s", True), ("recursion_limit", True),
        ("max_adaptations", False), ("max_retries_per_issue", False), ("max_answer_replans", False),
    ],
)  # fmt: skip
def test_limits_that_let_no_more_calls_run(hit: str, ended: bool) -> None:
    assert work_ended(state_of(limits_hit=["max_adaptations", hit])) is ended
    assert [step.call["id"] for step in next_wave(state_of([A], limits_hit=[hit]))] == ([] if ended else ["a"])


STEPS = [("plan", 5), ("validate", 5), ("check_answer", 3), ("broken plan", 4)]


@pytest.mark.parametrize(("node", "needed"), STEPS)
def test_the_steps_that_an_answer_still_needs(node: str, needed: int) -> None:
    """From each node: the ones on the way to the end, and one over."""
    assert spent(state_of(remaining_steps=needed), Limits(), node) == []
    assert spent(state_of(remaining_steps=needed - 1), Limits(), node) == ["recursion_limit"]


def test_every_limit_is_spent_at_its_number() -> None:
    limits = Limits(max_waves=2, max_tool_calls=1, request_timeout_s=1.0)
    ran = outcome("count", {"sku": "bolt"})

    assert spent(state_of(waves=1, times={"plan_1": 0.9}), limits, "plan") == []
    assert spent(state_of(waves=2), limits, "plan") == ["max_waves"]
    assert spent(state_of([A], [ran]), limits, "plan") == ["max_tool_calls"]
    assert spent(state_of(times={"plan_1": 1.0}), limits, "plan") == ["request_timeout_s"]


@table(
    ("calls", "approvals", "waits"),
    [
        ([WRITE], {SIGNED: {"tool": "sign", "decision": None}}, "w"),
        ([WRITE], {SIGNED: {"decision": "approve"}}, None),
        ([WRITE], {"another": {"decision": None}}, None),
        ([A, WRITE], {SIGNED: {"tool": "sign", "decision": None}}, None),
        ([], {SIGNED: {"tool": "sign", "decision": None}}, None),
    ],
)
def test_a_write_that_waits_for_a_person(calls: Any, approvals: Any, waits: str | None) -> None:
    state = state_of(calls, approvals=approvals)
    step = asked_step(state)

    assert (step.call["id"] if step else None) == waits
    assert bool(next_wave(state)) is (waits is None and bool(calls))


def test_a_state_of_before_there_were_approvals_waits_for_nobody() -> None:
    state = state_of([WRITE])
    del state["approvals"]

    assert asked_step(state) is None


def test_a_wave_holds_what_the_budget_does() -> None:
    state = state_of([A, B], limits=Limits(max_tool_calls=1))

    assert [step.call["id"] for step in next_wave(state)] == ["a"]


async def test_work_begins_only_while_time_is_left() -> None:
    begun = []

    async def work() -> str:
        begun.append("work")
        return "done"

    with pytest.raises(TimeoutError):
        await within(0.0, work)
    assert begun == []
    assert await within(60.0, work) == "done"
    with pytest.raises(TimeoutError):
        await within(0.01, lambda: asyncio.sleep(3600))
