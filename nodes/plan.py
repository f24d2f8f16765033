"""plan: the conversation and any feedback become a checked plan."""

import asyncio
import logging
from dataclasses import replace
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from wavegraph.graph.agent import Agent
from wavegraph.graph.consent import consent
from wavegraph.graph.domain import Planner, PlanningView
from wavegraph.graph.errors import ModelUnavailable, PlanError
from wavegraph.graph.events import emit
from wavegraph.graph.expansion import Left
from wavegraph.graph.ledger import bounded_view, results
from wavegraph.graph.limits import STEPS_TO_ANSWER, Limits, limits_of, remaining_calls, remaining_s, spent
from wavegraph.graph.opening import begins_request, opening, unreadable
from wavegraph.graph.phrases import say
from wavegraph.graph.plan_check import checked_plan, has_new_work
from wavegraph.graph.ready import steps
from wavegraph.graph.settings import Settings
from wavegraph.graph.sources import Said
from wavegraph.graph.state import (
    AgentState,
    Feedback,
    Ledger,
    Plan,
    ValidationIssue,
    empty_ledger,
    merge_ledgers,
)
from wavegraph.graph.views import planning_view
from wavegraph.nodes.approve import let_go
from wavegraph.nodes.costs import costs
from wavegraph.nodes.waves import announce_wave, report_limits

logger = logging.getLogger("wavegraph")


async def plan(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Open the request if it is new, then plan.

    Reads the messages, feedback and ledger. Writes `plan`, the calls of the ledger, and `feedback`:
    set to `source: plan` where the planner must try again, else gone.
    """
    settings = agent.settings(runtime)
    await agent.domain.open()
    opened = opening(state, settings, agent.limits(settings)) if begins_request(state) else {}
    now: AgentState = {**state, **opened}  # type: ignore[typeddict-item]
    update = await _planned(now, settings, limits_of(now), agent)
    ledger = merge_ledgers(now["ledger"], update.get("ledger", empty_ledger()))
    await _let_go_of_lapsed({**now, **update}, ledger, settings, agent)  # type: ignore[typeddict-item]
    if opened:
        update = {**opened, **update, "ledger": Overwrite(ledger), "approvals": Overwrite({}), "times": Overwrite({})}
    return update


async def _let_go_of_lapsed(state: AgentState, ledger: Ledger, settings: Settings, agent: Agent) -> None:
    """Give back what was kept for writes that the request before asked about, and that this one does not plan again.

    A question lapses with the next request: so a conversation keeps no more than what it asks about. Only after a plain
    yes the write may come in a later plan.
    """
    before, made = state["previous"], state["plan"]
    if before is None or made is None or state["feedback"] is not None:
        return
    own = {step.signature for step in steps(made, ledger)} | state["approvals"].keys() | ledger["outcomes"].keys()
    for key, asked in before.get("approvals", {}).items():
        tool = agent.domain.registry.get(asked["tool"])
        if key in own or tool is None or tool.approval is None:
            continue
        said = consent(state["request"]["text"], tool.approval.yes, tool.approval.no)
        if said != "yes" or made["status"] == "done":
            await let_go(tool, asked, settings)


async def _planned(state: AgentState, settings: Settings, limits: Limits, agent: Agent) -> dict[str, Any]:
    if why := unreadable(state["request"], state["messages"], settings):
        return _answer_at_once(state, "clarify", why)
    turn = _start_adaptation(state, state["feedback"])
    state = {**state, "adaptations": state["adaptations"] + (1 if turn else 0)}
    view = await _view(state, settings, limits, agent)
    try:
        # A model that went down in this request is not waited for again.
        planner = agent.rules if state["model_down"] else agent.planner_for(settings)
        update = await _by_planner(view, state, planner, agent)
    except TimeoutError:
        update = {**_give_up(state), "limits_hit": report_limits(state, ["request_timeout_s"])}
    return {**update, "adaptations": state["adaptations"], **costs(state, view.meter)}


async def _view(state: AgentState, settings: Settings, limits: Limits, agent: Agent) -> PlanningView:
    """What the planner sees; with the domain's own proposals where there are issues to mend."""
    feedback = state["feedback"]
    view = planning_view(state, settings, limits, feedback)
    if not feedback or not state["issues"] or agent.domain.adapt is None:
        return view
    proposals = await asyncio.to_thread(agent.domain.adapt, view)
    return replace(view, proposals=proposals or ())


async def _by_planner(view: PlanningView, state: AgentState, planner: Planner, agent: Agent) -> dict[str, Any]:
    """A checked plan; or the reasons, back to the planner once; or what stands in for a planner that failed twice."""
    fallback = agent.fallback_for(planner, view.settings)
    told = state["feedback"]  # not the view's: who takes over is told nothing of the other's broken plan
    second = told is not None and told["source"] == "plan"
    try:
        # Who cannot plan less, or was told once already, is run as far as the budget goes.
        budget = None if second or planner is agent.rules else remaining_calls(state, view.limits)
        return _accepted(state, await _checked(view, state, planner, agent, budget), view.limits)
    except PlanError as broken:
        in_time = state["remaining_steps"] >= STEPS_TO_ANSWER["broken plan"]
        if not second and in_time:
            return _back_to_planner(state, broken, view.limits)
        if fallback is None:
            gone = [] if second else ["recursion_limit"]
            issues = [*state["issues"], *broken.issues]
            return {**_give_up(state), "issues": issues, "limits_hit": report_limits(state, gone)}
        return await _by_planner(_afresh(view, state), state, fallback, agent)
    except ModelUnavailable as down:
        logger.warning("%s", down)
        if fallback is None:
            return {
                **_answer_at_once(state, "give_up", say("model_failed", view.request["language"])),
                "model_down": True,
            }
        return {**await _by_planner(_afresh(view, state), state, fallback, agent), "model_down": True}


def _afresh(view: PlanningView, state: AgentState) -> PlanningView:
    """The view for a planner that takes over: the issues of the results, not another's broken plan."""
    if not state["issues"] or view.feedback is None:
        return replace(view, feedback=None)
    feedback: Feedback = {**view.feedback, "source": "results", "issues": state["issues"]}
    return replace(view, feedback=feedback)


async def _checked(view: PlanningView, state: AgentState, planner: Planner, agent: Agent, budget: int | None) -> Plan:
    raw = await asyncio.wait_for(planner.plan(view), remaining_s(state, view.limits))
    made = checked_plan(
        raw,
        domain=agent.domain,
        ledger=state["ledger"],
        number=state["planning_calls"] + 1,
        budget=budget,
        left=Left(remaining_calls(state, view.limits), view.limits.max_waves - state["waves"]),
        planner=planner.name,
        said=None if planner is agent.rules else _said(state),
    )
    return {**made, "adapts": _mends(state["feedback"])}


def _said(state: AgentState) -> Said:
    """What the person said in the thread, and what tools gave in this request and the one before."""
    words = [str(message.text) for message in state["messages"] if isinstance(message, HumanMessage)]
    before = state.get("previous")
    ledgers = [state["ledger"], *([before["ledger"]] if before else [])]
    found = [outcome["data"] for ledger in ledgers for outcome in results(ledger).values()]
    # A write's arguments were held against this when it was planned: said twice, "yes" still means the same write.
    written = [call["args"] for ledger in ledgers for call in ledger["calls"].values() if call["effect"] == "write"]
    return Said(words, [*found, *written])


def _answer_at_once(state: AgentState, action: str, reply: str) -> dict[str, Any]:
    made: Plan = {
        "number": state["planning_calls"] + 1,
        "status": "done",
        "action": action,
        "reasoning": "",
        "slots": {},
        "tools": [],
        "reply": reply,
        "planner": "rules",
        "adapts": False,
    }
    return {"plan": made, "planning_calls": made["number"], "feedback": None}


def _start_adaptation(state: AgentState, feedback: Feedback | None) -> int:
    """The number of this adaptation, announced; 0 where this planning call mends nothing."""
    if feedback is None or feedback["source"] != "results":
        return 0
    turn = state["adaptations"] + 1
    reason = "; ".join(issue["message"] for issue in feedback["issues"])
    emit({"event": "adaptation_started", "turn": turn, "reason": reason})
    return turn


def _mends(feedback: Feedback | None) -> bool:
    """Whether planning is about issues of results, also on the second try after a broken plan."""
    own = ("broken_plan", "unsatisfied")
    return feedback is not None and any(issue["type"] not in own for issue in feedback["issues"])


def _end_adaptation(state: AgentState) -> None:
    """Tell that planning again led to nothing that could run."""
    turn = state["adaptations"]
    emit({"event": "adaptation_complete", "turn": turn, "tools_executed": 0, "success": False})


def _back_to_planner(state: AgentState, broken: PlanError, limits: Limits) -> dict[str, Any]:
    issues: list[ValidationIssue] = broken.issues
    logger.warning("plan %d was refused: %s", state["planning_calls"] + 1, broken)
    before = state["feedback"]
    tried = bounded_view(state["ledger"], limits.max_prompt_bytes)
    known = [*before["issues"], *issues] if before else issues
    feedback: Feedback = {"source": "plan", "issues": known, "suggestions": [], "ledger": tried}
    return {"planning_calls": state["planning_calls"] + 1, "feedback": feedback}


def _give_up(state: AgentState) -> dict[str, Any]:
    """A plan with nothing to run: the answer is made from what is known, or says that nothing was done."""
    if _mends(state["feedback"]):
        _end_adaptation(state)
    before = state.get("plan")
    if before is None:
        return _answer_at_once(state, "give_up", say("broken_plan", state["request"]["language"]))
    number = state["planning_calls"] + 1
    made: Plan = {**before, "number": number, "status": "done", "tools": [], "reply": None}
    return {"plan": made, "planning_calls": number, "feedback": None}


def _accepted(state: AgentState, made: Plan, limits: Limits) -> dict[str, Any]:
    calls = {**state["ledger"]["calls"], **{call["id"]: call for call in made["tools"]}}
    after: AgentState = {**state, "plan": made, "ledger": {**state["ledger"], "calls": calls}}
    _announce(made)
    new_work = has_new_work(made, after["ledger"])
    gone = spent(after, limits, "plan") if new_work else []
    if made["adapts"] and (gone or not new_work):
        _end_adaptation(state)
    limits_hit = report_limits(after, gone)
    if not gone:
        announce_wave(after)
    return {
        "plan": made,
        "ledger": {**empty_ledger(), "calls": calls},
        "planning_calls": made["number"],
        "feedback": None,
        "limits_hit": limits_hit,
    }


def _announce(made: Plan) -> None:
    tools = [
        {"id": call["id"], "tool": call["tool"], "args": call["args"]}
        for call in made["tools"]
        if "elements" not in call
    ]
    emit(
        {
            "event": "plan_created",
            "number": made["number"],
            "action": made["action"],
            "reasoning": made["reasoning"],
            "status": made["status"],
            "tools": tools,  # type: ignore[typeddict-item]
            "planner": made["planner"],
        }
    )
