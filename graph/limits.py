"""The budget of a request: what it may spend, and what it has spent."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import ConfigDict, NonNegativeFloat, NonNegativeInt, PositiveInt
from pydantic.dataclasses import dataclass

from wavegraph.graph.ledger import MAX_RUNS, tools_executed
from wavegraph.graph.ready import PlanStep, each_once, ready, unfinished
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import AgentState, is_undecided

_T = TypeVar("_T")

RECENT_MESSAGES = 20

# Steps that must be left after a node before it may start more work, so that the answer still fits: LangGraph
# ends a run with an error when none are left. From `plan` and `validate`: execute → validate → respond → check, and
# one over. From `check_answer`: respond → check, and one over. A broken plan: plan → respond → check, and one over.
STEPS_TO_ANSWER = {"plan": 5, "validate": 5, "check_answer": 3, "broken plan": 4}


@dataclass(frozen=True, kw_only=True, config=ConfigDict(strict=True))
class Limits:
    """A domain's defaults; every one can be set per run (`Settings`). Raises pydantic's ValidationError for what is no such
    number."""

    max_adaptations: NonNegativeInt = 1
    """Replans after issues."""
    max_waves: NonNegativeInt = 5
    max_tool_calls: NonNegativeInt = 10
    """Runs of tools, retries inside one run not counted."""
    max_answer_replans: NonNegativeInt = 1
    """How often a failed check sends the answer back, to planning or to its writer."""
    max_retries_per_issue: NonNegativeInt = 1
    """How often one issue (rule and signature) may be worked on."""
    max_runs: NonNegativeInt = MAX_RUNS
    """Runs of one call (tool and arguments) that is planned again after failures that may pass."""
    tool_timeout_s: NonNegativeFloat = 20.0
    tool_attempts: NonNegativeInt = 2
    """Tries inside one run of a read, on passing errors."""
    request_timeout_s: NonNegativeFloat = 120.0
    """Active seconds."""
    max_prompt_bytes: NonNegativeInt = 60_000
    max_messages: PositiveInt = RECENT_MESSAGES
    """Latest messages of the conversation that a model reads."""

    def under(self, settings: Settings) -> "Limits":
        """These limits, overridden by the run's own."""
        own = {f.name: getattr(settings, f.name) for f in fields(self) if getattr(settings, f.name) is not None}
        return replace(self, **own) if own else self


def limits_of(state: AgentState) -> Limits:
    """The limits the request was opened with; they hold until it ends, also after a resume."""
    return _limits(tuple(state["limits"].items()))


@lru_cache(maxsize=16)
def _limits(stored: tuple[tuple[str, Any], ...]) -> Limits:
    return Limits(**dict(stored))


def active_s(state: AgentState) -> float:
    """Seconds this request has been worked on."""
    return sum(state.get("times", {}).values())


def remaining_s(state: AgentState, limits: Limits) -> float:
    return max(0.0, limits.request_timeout_s - active_s(state))


async def within(left_s: float, work: Callable[[], Awaitable[_T]]) -> _T:
    """The work's result. Raises TimeoutError if it takes longer, and before it starts if no time is left.

    Like `asyncio.wait_for`, which makes a task of its own for it before Python 3.12.
    """
    if left_s <= 0:
        raise TimeoutError
    async with asyncio.timeout(left_s):
        return await work()


def remaining_calls(state: AgentState, limits: Limits) -> int:
    return max(0, limits.max_tool_calls - tools_executed(state["ledger"]))


def sent_back(state: AgentState) -> int:
    """How often the answer was sent back in this request, to `plan` or to `respond`."""
    return state["answer_replans"] + state["rewrites"]


SPENDING_LIMITS = ("max_request_calls", "max_thread_calls", "max_thread_tokens", "max_day_calls", "max_day_tokens")
"""Caps on what models may spend: they end no work, since the rules go on without a model."""

ENDS_WORK = frozenset({"max_waves", "max_tool_calls", "request_timeout_s", "recursion_limit"})


def is_spending_cap(limit: str) -> bool:
    """Also one of an earlier version, which a request that waits may have met."""
    return limit.startswith(("max_request_", "max_thread_", "max_day_"))


def spent_scope(limits_hit: Sequence[str]) -> str | None:
    """Whose share of the models is spent: `request`, `thread` or `day`; None = nobody's."""
    hit = next((name for name in limits_hit if is_spending_cap(name)), None)
    return hit.split("_")[1] if hit else None


def work_ended(state: AgentState) -> bool:
    """Whether a limit was hit that lets no more calls run. Nodes check the limits; the rest reads what they recorded."""
    return not ENDS_WORK.isdisjoint(state["limits_hit"])


def spent(state: AgentState, limits: Limits, node: str) -> list[str]:
    """Names of the limits that stop any further work from `node`; empty = go on."""
    gone: dict[str, Any] = {
        "max_waves": state["waves"] >= limits.max_waves,
        "max_tool_calls": remaining_calls(state, limits) == 0,
        "request_timeout_s": remaining_s(state, limits) <= 0,
        "recursion_limit": state["remaining_steps"] < STEPS_TO_ANSWER[node],
    }
    return [name for name, is_gone in gone.items() if is_gone]


def asked_step(state: AgentState) -> PlanStep | None:
    """The call that comes next and waits for a person's answer; None = nothing waits."""
    if not (asked := state.get("approvals")):
        return None
    coming = ready(state["plan"], state["ledger"])
    return next((step for step in coming if is_undecided(asked.get(step.signature), state)), None)


def asked_along(state: AgentState) -> list[PlanStep]:
    """The writes whose terms are prepared with those of the next one, for one question about all of them."""
    coming, known = next_wave(state), state.get("approvals", {})
    if not state["plan"].get("asks_together") or not any(
        _may_ask(each) and each.signature not in known for each in coming
    ):
        return []
    taken = known.keys() | {step.signature for step in coming}
    behind = (step for step in unfinished(state["plan"], state["ledger"]) if _may_ask(step) and step.phase == "ready")
    return each_once(step for step in behind if step.signature not in taken)


def _may_ask(step: PlanStep) -> bool:
    return step.call["effect"] == "write" and "asks" in step.call


def next_wave(state: AgentState) -> list[PlanStep]:
    """The calls to start together now, as many as the budget still holds; none while a person is asked."""
    if work_ended(state) or asked_step(state):
        return []
    return ready(state["plan"], state["ledger"])[: remaining_calls(state, limits_of(state))]
