"""check_answer: the answer is held against its sources, then the request is closed."""

import asyncio
from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from wavegraph.graph.agent import Agent
from wavegraph.graph.claims import unsupported_numbers
from wavegraph.graph.domain import AnswerView
from wavegraph.graph.events import emit
from wavegraph.graph.ledger import GOOD, bounded_view, is_rejected, results, tools_executed, tools_ran
from wavegraph.graph.limits import MOST_REWRITES, STEPS_TO_ANSWER, Limits, active_s, limits_of, spent
from wavegraph.graph.state import AgentState, AnswerCheck, Criterion, Feedback, Outcome, ValidationIssue
from wavegraph.graph.views import answer_view
from wavegraph.nodes.waves import report_limits


async def check_answer(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Trace the answer's claims and apply the domain's answer rules.

    Reads `answer` and everything it may draw on. Writes `answer_check`, and either what sends the
    answer back (`unsupported`, or `feedback` with `source: answer`) or the closed request (`outcome`).
    """
    settings = agent.settings(runtime)
    limits = limits_of(state)
    view = answer_view(state, settings, limits)
    # In threads, like the checks of results: a slow rule holds up no loop, and a cancel need not wait for it.
    unsupported = list(await asyncio.to_thread(agent.domain.supports or unsupported_numbers, state["answer"], view))
    judged = await asyncio.gather(*(asyncio.to_thread(r, state["answer"], view) for r in agent.domain.answer_rules))
    criteria = [_accuracy(unsupported), *judged]
    check = _verdict(criteria)
    _tell(state, check)
    after: AgentState = {**state, "answer_check": check, "unsupported": unsupported}
    in_time = state["remaining_steps"] >= STEPS_TO_ANSWER["check_answer"]
    if unsupported and state["rewrites"] < MOST_REWRITES and in_time:
        return {"answer_check": check, "unsupported": unsupported, "rewrites": state["rewrites"] + 1}
    gaps = _gaps(criteria)
    gone = _limits_in_the_way(after, limits) if gaps else []
    if gaps and not gone:
        feedback = _gap_feedback(gaps, after, limits)
        return {"answer_check": check, "unsupported": [], "feedback": feedback,
                "answer_replans": state["answer_replans"] + 1}  # fmt: skip
    after["limits_hit"] = report_limits(state, gone)
    return await _closed(after, view, runtime)


def _accuracy(unsupported: Sequence[str]) -> Criterion:
    gap = f"traces to no result: {', '.join(unsupported)}" if unsupported else None
    return {"name": "accuracy", "verdict": "fail" if gap else "pass", "gap": gap}


def _verdict(criteria: list[Criterion]) -> AnswerCheck:
    failed = [f"{criterion['name']}: {criterion['gap']}" for criterion in criteria if criterion["verdict"] == "fail"]
    reasoning = "; ".join(failed) or "every claim traces to its source"
    return {"satisfied": not failed, "reasoning": reasoning, "criteria": criteria, "checked_by": "rules"}


def _tell(state: AgentState, check: AnswerCheck) -> None:
    emit(
        {
            "event": "answer_checked",
            "satisfied": check["satisfied"],
            "reason": check["reasoning"],
            "attempt": 1 + state["rewrites"] + state["answer_replans"],
            "checked_by": check["checked_by"],
        }
    )


def _gaps(criteria: list[Criterion]) -> list[Criterion]:
    """Failed criteria that planning can mend; an unsupported claim is the responder's own."""
    return [criterion for criterion in criteria if criterion["verdict"] == "fail" and criterion["name"] != "accuracy"]


def _limits_in_the_way(state: AgentState, limits: Limits) -> list[str]:
    """What keeps a gap from being planned again."""
    gone = spent(state, limits, "plan")
    if state["answer_replans"] >= limits.max_answer_replans:
        gone = [*gone, "max_answer_replans"]
    return gone


def _gap_feedback(gaps: list[Criterion], state: AgentState, limits: Limits) -> Feedback:
    issues: list[ValidationIssue] = [
        {
            "type": "unsatisfied",
            "tool_id": "",
            "message": gap["gap"] or gap["name"],
            "severity": "warning",
            "rule": gap["name"],
        }
        for gap in gaps
    ]
    tried = bounded_view(state["ledger"], limits.max_prompt_bytes)
    return {"source": "answer", "issues": issues, "suggestions": [], "ledger": tried}


async def _closed(state: AgentState, view: AnswerView, runtime: Runtime[Any]) -> dict[str, Any]:
    ended = results(state["ledger"])
    figures = {
        "outcome": _outcome(state, view),
        "answer_check": state["answer_check"],
        "unsupported": state["unsupported"],
        "limits_hit": state["limits_hit"],
        "action": view.plan["action"],
        "reasoning": view.plan["reasoning"],
        "slots": view.plan["slots"],
        "tools": tools_ran(state["ledger"]),
        "results": ended,
        "tools_executed": tools_executed(state["ledger"]),
        "planner": view.plan["planner"],
        "elapsed_s": round(active_s(state), 3),
    }
    await _record(state, figures, runtime)
    return figures


def _outcome(state: AgentState, view: AnswerView) -> Outcome:
    """How the request ended, true to fact."""
    ended = results(state["ledger"]).values()
    good = any(outcome["status"] in GOOD or is_rejected(outcome) for outcome in ended)
    unanswered = state["model_down"] and not view.settings.model_fallback
    if view.plan["action"] == "give_up" or unanswered or (ended and not good):
        return "failed"
    if not ended and view.plan["action"] in ("clarify", "refuse"):
        return "clarify" if view.plan["action"] == "clarify" else "refused"
    return "partial" if view.open_issues or state["limits_hit"] or view.unfinished else "answered"


def records_of(thread_id: str) -> tuple[str, ...]:
    """Where a store keeps the records of a thread; a name in a store may hold no period."""
    return ("wavegraph", "requests", thread_id.replace("%", "%25").replace(".", "%2E"))


async def _record(state: AgentState, figures: dict[str, Any], runtime: Runtime[Any]) -> None:
    """Keep the closed request beside the checkpoints, where the graph was given a store."""
    if runtime.store is None:
        return
    thread = (runtime.execution_info.thread_id if runtime.execution_info else None) or "no-thread"
    kept = {name: value for name, value in figures.items() if name not in ("results", "unsupported")}
    extra = {name: state[name] for name in ("request", "answer", "issues", "waves", "adaptations", "llm_calls", "llm_tokens",
                                            "limits_hit", "times")}  # fmt: skip
    await runtime.store.aput(records_of(thread), state["request"]["id"], {**extra, **kept})
