"""check_answer: the finished answer is held against its sources and against the question, then the request is closed."""

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langgraph.runtime import Runtime

from wavegraph.graph.agent import Agent
from wavegraph.graph.claims import unsupported_numbers
from wavegraph.graph.domain import AnswerView
from wavegraph.graph.errors import ModelUnavailable
from wavegraph.graph.events import emit
from wavegraph.graph.judge import ACCURACY
from wavegraph.graph.ledger import bounded_view, outcome_of
from wavegraph.graph.limits import STEPS_TO_ANSWER, Limits, limits_of, sent_back, spent
from wavegraph.graph.state import AgentState, AnswerCheck, AnswerFailure, Criterion, Feedback, Ledger
from wavegraph.graph.views import answer_view, unsatisfied
from wavegraph.nodes.closing import closed
from wavegraph.nodes.costs import costs
from wavegraph.nodes.waves import report_limits

logger = logging.getLogger("wavegraph")


async def check_answer(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Trace the answer's claims, apply the domain's answer rules, then ask the judge where there is one.

    Reads `answer` and everything it may draw on. Writes `answer_check`, and either what sends the answer back
    (`unsupported`, or `feedback` with `source: answer`) or the closed request (`outcome`).
    """
    started = time.perf_counter()
    settings = agent.settings(runtime)
    limits = limits_of(state)
    view = answer_view(state, settings, limits)
    unsupported, check = await _checked(state, view, agent)
    failed = [criterion for criterion in check["criteria"] if criterion["verdict"] == "fail"]
    update = {**_recorded(state, check, failed), **costs(state, view.meter)}
    after: AgentState = {**state, **update, "unsupported": unsupported}  # type: ignore[typeddict-item]
    way, gone = _way(state, limits, failed, unsupported)
    _tell(state, check, _TO[way])
    if way == "replan":
        feedback = _feedback(failed, after, limits)
        return {**update, "unsupported": [], "feedback": feedback, "answer_replans": state["answer_replans"] + 1}
    if way == "rewrite":
        wrong = unsupported or [criterion["gap"] or "" for criterion in failed]
        return {**update, "unsupported": wrong, "rewrites": state["rewrites"] + 1}
    after["limits_hit"] = report_limits(state, gone)
    # The record is written in this step, whose own time is added to the state only when it has ended.
    after["times"] = {**state["times"], "check_answer_last": round(time.perf_counter() - started, 4)}
    return {**update, **await closed(after, view, runtime)}


async def _checked(state: AgentState, view: AnswerView, agent: Agent) -> tuple[list[str], AnswerCheck]:
    """The claims that trace to nothing, and the verdict: by rules first, then by the judge."""
    mode = agent.answer_check(view.settings)
    if mode == "off":
        return [], {"satisfied": True, "reasoning": "not checked", "criteria": [], "checked_by": "off"}
    logger.info("answer check running")
    unsupported, by_rules = await _by_rules(state, view, agent)
    if mode == "rules" or not by_rules["satisfied"] or view.plan["action"] == "give_up":
        return unsupported, by_rules
    if state["answer"] == state.get("judged_answer") and state["answer_check"]["checked_by"] != "rules":
        return [], state["answer_check"]  # the judge knows it already
    return [], await _by_judge(state, view, agent, by_rules)


async def _by_rules(state: AgentState, view: AnswerView, agent: Agent) -> tuple[list[str], AnswerCheck]:
    answer = state["answer"]
    # In threads, like the checks of results: a slow rule holds up no loop, and a cancel need not wait for it.
    unsupported = list(await asyncio.to_thread(agent.domain.supports or unsupported_numbers, answer, view))
    judged = await asyncio.gather(*(asyncio.to_thread(rule, answer, view) for rule in agent.domain.answer_rules))
    criteria = [_accuracy(unsupported), *judged]
    failed = [f"{c['name']}: {c['gap']}" for c in criteria if c["verdict"] == "fail"]
    reasoning = "; ".join(failed) or _passed(state)
    return unsupported, {
        "satisfied": not failed,
        "reasoning": reasoning,
        "criteria": criteria,
        "checked_by": "rules",
    }


def _passed(state: AgentState) -> str:
    """What a good answer is said to be; one that was mended is not said to have been good all along."""
    struck = [
        each["gap"]
        for each in state.get("answer_failures", [])
        if (each["criterion"], each["checked_by"]) == (ACCURACY, "rules")
    ]
    left = "every claim that is left traces to its source" if struck else "every claim traces to its source"
    return "; ".join([left, *(f"an earlier draft {gap}" for gap in struck)])


def _accuracy(unsupported: Sequence[str]) -> Criterion:
    gap = f"traces to no result: {', '.join(unsupported)}" if unsupported else None
    return {"name": ACCURACY, "verdict": "fail" if gap else "pass", "gap": gap}


async def _by_judge(state: AgentState, view: AnswerView, agent: Agent, by_rules: AnswerCheck) -> AnswerCheck:
    """The judge's verdict; the rules' own where the judge fails: a check never holds an answer up."""
    try:
        if state["model_down"] or view.remaining_s <= 0:
            raise ModelUnavailable("a model went down in this request, or its time is over")
        async with asyncio.timeout(view.remaining_s):
            check = await agent.the_judge.judge(state["answer"], view)
    except (ModelUnavailable, TimeoutError) as error:
        logger.warning("answer check: the judge is unavailable: %s", error or "its time is over")
        return {**by_rules, "checked_by": "unavailable"}
    own = [criterion for criterion in by_rules["criteria"] if criterion["name"] != ACCURACY]
    return {**check, "criteria": [*check["criteria"], *own]}


_TO: Mapping[str, Literal["plan", "respond"] | None] = {"replan": "plan", "rewrite": "respond", "close": None}


def _tell(state: AgentState, check: AnswerCheck, sent_back_to: Literal["plan", "respond"] | None) -> None:
    attempt = 1 + sent_back(state)
    _log(check, attempt)
    emit(
        {
            "event": "answer_checked",
            "satisfied": check["satisfied"],
            "reason": check["reasoning"],
            "attempt": attempt,
            "checked_by": check["checked_by"],
            "sent_back_to": sent_back_to,
        }
    )


def _log(check: AnswerCheck, attempt: int) -> None:
    if check["checked_by"] == "off":
        return
    logger.debug("answer check: %s", check)
    by = "rules alone" if check["checked_by"] == "unavailable" else check["checked_by"]
    if check["satisfied"]:
        logger.info("answer check passed, by %s", by)
    else:
        logger.warning("answer check failed, attempt %d, by %s: %s", attempt, by, check["reasoning"])


def _recorded(state: AgentState, check: AnswerCheck, failed: Sequence[Criterion]) -> dict[str, Any]:
    attempt = 1 + sent_back(state)
    news: list[AnswerFailure] = [
        {"attempt": attempt, "criterion": c["name"], "gap": c["gap"] or "", "checked_by": check["checked_by"]}
        for c in failed
    ]
    return {
        "answer_check": check,
        "judged_answer": state["answer"],
        "answer_failures": [*state.get("answer_failures", []), *news],
        "answer_validation_failed": not check["satisfied"],
        "validation_failure_reason": None if check["satisfied"] else check["reasoning"],
    }


def _way(
    state: AgentState, limits: Limits, failed: Sequence[Criterion], unsupported: Sequence[str]
) -> tuple[Literal["replan", "rewrite", "close"], list[str]]:
    """What to do about a failed check, and the limits that leave it at that.

    A gap goes to `plan`, wrong claims alone to `respond`; both spend one budget. When that is gone, claims that trace
    to nothing go to `respond` once more, for the templates to leave them out.
    """
    if not failed:
        return "close", []
    left = sent_back(state) < limits.max_answer_replans
    may = left and not _is_stuck(state, failed)
    gone = [] if left else ["max_answer_replans"]
    if any(criterion["name"] != ACCURACY for criterion in failed):
        gone = [*spent(state, limits, "plan"), *gone]
        if may and not gone:
            return "replan", []
    elif may and _has_steps(state):
        return "rewrite", []
    if unsupported and sent_back(state) <= limits.max_answer_replans and _has_steps(state):
        return "rewrite", []
    return "close", gone


def _has_steps(state: AgentState) -> bool:
    return state["remaining_steps"] >= STEPS_TO_ANSWER["check_answer"]


def _is_stuck(state: AgentState, failed: Sequence[Criterion]) -> bool:
    """Whether the last attempt changed nothing: the same answer, or the same gaps by a plan that asks nothing new."""
    if state["answer"] == state.get("judged_answer"):
        return True
    before = {f["criterion"] for f in state.get("answer_failures", []) if f["attempt"] == sent_back(state)}
    return bool(before) and before == {c["name"] for c in failed} and not _asks_anew(state)


def _asks_anew(state: AgentState) -> bool:
    """Whether the last plan holds a call that no earlier plan of the request held, whatever its id."""
    ledger, made = state["ledger"], state["plan"]
    earlier = (call for call in ledger["calls"].values() if call["plan"] < made["number"])
    known = {_signature(call["id"], ledger) for call in earlier}
    return any(_signature(call["id"], ledger) not in known for call in made["tools"])


def _signature(call_id: str, ledger: Ledger) -> str | None:
    outcome = outcome_of(call_id, ledger)
    return outcome["signature"] if outcome else None


def _feedback(failed: Sequence[Criterion], state: AgentState, limits: Limits) -> Feedback:
    issues = [unsatisfied(criterion["name"], criterion["gap"] or "") for criterion in failed]
    tried = bounded_view(state["ledger"], limits.max_prompt_bytes)
    return {"source": "answer", "issues": issues, "suggestions": [], "ledger": tried}
