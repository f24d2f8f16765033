"""plan: turns the conversation and any feedback into a checked plan."""

import asyncio
from dataclasses import replace
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from wavegraph.graph.agent import Agent
from wavegraph.graph.answer.replies import remarks_of
from wavegraph.graph.dialogue.last_resort import why_down
from wavegraph.graph.dialogue.messages import calls_in
from wavegraph.graph.dialogue.questions import asked_now, asking, is_waiting
from wavegraph.graph.domain import Domain, Planner
from wavegraph.graph.errors import CapReached, ModelUnavailable, PlanError, error_text, kind_of_fault, logger
from wavegraph.graph.events import emit
from wavegraph.graph.execution.announcements import announce_wave, report_limits
from wavegraph.graph.execution.receipts import done_writes
from wavegraph.graph.execution.write import cut_off_writes
from wavegraph.graph.guard.plan_check import Provenance, checked_plan
from wavegraph.graph.language import say
from wavegraph.graph.ledger import MAX_RUNS, has_results, is_out_of_runs, results
from wavegraph.graph.limits import STEPS_TO_ANSWER, limits_of, remaining_calls, remaining_s, spent, spent_scope, within
from wavegraph.graph.model.calls import bad_output
from wavegraph.graph.ready import steps, unfinished
from wavegraph.graph.request.call_messages import call_messages, closed_calls
from wavegraph.graph.request.meanwhile import is_decline, not_the_askers, one_question, plain_answer, planned_answer
from wavegraph.graph.request.new_request import begins_request, masked, new_request, unreadable, with_replaced
from wavegraph.graph.request.serving import (
    LOOKS,
    UNSERVED,
    contradictions,
    is_held,
    named,
    unserved_issues,
    with_account,
)
from wavegraph.graph.request.views import answer_view, is_read, planning_view
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import (
    AgentState,
    Feedback,
    Ledger,
    Plan,
    PlannedCall,
    ValidationIssue,
    empty_ledger,
    merge_ledgers,
    merge_sent,
    new_issue,
)
from wavegraph.graph.tracing.untraced import untraced
from wavegraph.graph.views import PlanningView


async def plan(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Open the request if it is new, then plan.

    Reads the messages, feedback and ledger. Writes `plan`, the calls of the ledger, and `feedback`:
    set to `source: plan` where the planner must try again, else gone. A new message that answers what waits is no
    request: it goes into `reply`, and the request that waits is the state's own again.
    """
    told = masked(state, agent.domain.mask)
    update = await _planned({**state, "messages": with_replaced(state["messages"], told)}, runtime, agent)
    return {**update, "messages": [*told, *update.get("messages", [])]} if told else update


async def _planned(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    is_new = begins_request(state)
    if is_waiting(state) and not is_new:  # an input without a message leaves the question open
        return {"reply": None}
    waits = asked_now(state) if state.get("request") else None
    # A request beside a waiting one uses that one's settings unless the run gives its own.
    held: AgentState | None = asking(state) if waits or not is_new else None
    settings = agent.settings(runtime, held)
    if is_new and waits and (answered := plain_answer(state, settings, agent)):
        return answered
    opened = _new_request_fields(state, held, settings, runtime, agent) if is_new else {}
    now: AgentState = {**state, **opened}  # type: ignore[typeddict-item]
    update = await _update_in_any_case(now, settings, agent)
    if is_new and waits and (answered := planned_answer(state, update, waits[1], settings, agent)):
        return answered
    ledger = merge_ledgers(now["ledger"], update.get("ledger", empty_ledger()))
    update |= await one_question({**now, **update}, ledger, settings, agent)  # type: ignore[typeddict-item]
    told = call_messages({**now, **update, "ledger": ledger}, agent.domain)  # type: ignore[typeddict-item]
    if is_new:
        if agent.domain.messages == "all":  # calls that were cut off end before what was said since
            told = [*closed_calls(state["messages"], state.get("ledger") or empty_ledger()), *told]
        update = {**opened, **update, "ledger": Overwrite(ledger), "approvals": Overwrite({}), "times": Overwrite({})}
    return {**update, "messages": told} if told else update


def _new_request_fields(
    state: AgentState, held: AgentState | None, settings: Settings, runtime: Runtime[Any], agent: Agent
) -> dict[str, Any]:
    """The fields of a new request, and the writes of a cut-off one before it. `held`: the request that waits, if one does."""
    if agent.answer_check(settings) == "on":  # without a judge it is refused before anything is done
        agent.the_judge  # noqa: B018
    own = {**(held.get("settings", {}) if held else {}), **agent.given(runtime)}
    opened = new_request(state, settings, agent.domain.limits.under(settings), own, agent.domain.spoken)
    if cut_off := cut_off_writes(state, agent.domain):
        opened["sent_writes"] = merge_sent(state.get("sent_writes", {}), cut_off)
    return opened


async def _update_in_any_case(state: AgentState, settings: Settings, agent: Agent) -> dict[str, Any]:
    """The planned update. If planning fails after a write has happened, the answer still goes out, made from what is
    known.
    """
    try:
        await agent.domain.open()
        return await _planning_update(state, settings, agent)
    except GraphBubbleUp:
        raise
    except Exception as error:
        if not done_writes(state["ledger"]):
            raise
        logger.error("planning failed after a write: %s", kind_of_fault(error))
        broken = bad_output("planning_failed", "what was left to do could not be planned")
        return {**_nothing_to_run(state), "issues": [*state["issues"], *broken.issues]}


async def _planning_update(state: AgentState, settings: Settings, agent: Agent) -> dict[str, Any]:
    """The update with a plan, or with what sends one back, and the count of adaptations and model calls."""
    takes_blocks = agent.domain.takes == "messages"
    why = unreadable(state["request"], state["messages"], settings, takes_blocks=takes_blocks)
    if why := why or not_the_askers(state, settings, agent):
        return _reply_plan(state, "clarify", why)
    feedback = state["feedback"]
    if feedback and feedback["source"] == "results":
        state = {**state, "adaptations": state["adaptations"] + 1}
        reason = "; ".join(issue["message"] for issue in feedback["issues"])
        emit({"event": "adaptation_started", "turn": state["adaptations"], "reason": reason})
    view = planning_view(state, settings, limits_of(state), feedback)
    if feedback and state["issues"]:
        view = replace(view, proposals=await agent.own("the way round", agent.domain.script.workarounds, view) or ())
    # A model that went down in this request is not tried again.
    planner = agent.rules if state["model_down"] else agent.planner_for(settings)
    if planner is agent.rules and _is_second_look(feedback):  # of a run before this one
        view = _afresh(view)
    # the rules plan the next step where the domain's script holds it; what was sent back is never such a step
    sent_back = feedback is not None and feedback["source"] != "results"
    may_follow = not (planner is agent.rules or view.plan is None or sent_back)
    is_scripted = may_follow and bool(await agent.own("the script", agent.domain.script.is_fixed, view))
    try:
        update = await _or_fallback(view, state, agent.rules if is_scripted else planner, agent)
    except TimeoutError:
        update = {**_nothing_to_run(state), "limits_hit": report_limits(state, ["request_timeout_s"])}
    if is_scripted and view.plan and "plan" in update:  # the request stays its planner's
        update["plan"] = {**update["plan"], "planner": view.plan["planner"]}
    return {**update, "adaptations": state["adaptations"], **view.meter.added_to(state)}


async def _or_fallback(view: PlanningView, state: AgentState, planner: Planner, agent: Agent) -> dict[str, Any]:
    """The planner's step; where it fails for good, that of the rules if they may take over, else the end of the work."""
    rules = agent.fallback_for(planner, view.settings)
    down: dict[str, Any] = {}
    try:
        return await _with_second_try(view, state, planner, agent)
    except PlanError as broken:
        if rules is None:
            gone = [] if _is_second_try(state) else ["recursion_limit"]
            issues = [*state["issues"], *broken.issues]
            return {
                **_nothing_to_run(_as_read(state, view)),
                "issues": issues,
                "limits_hit": report_limits(state, gone),
            }
    except ModelUnavailable as error:
        logger.warning("%s", error_text(error))
        limits_hit = report_limits(state, [error.limit] if isinstance(error, CapReached) else [])
        down = {"model_down": True, "limits_hit": limits_hit}
        if rules is None:
            why, language = spent_scope(limits_hit), view.request["language"]
            words = say(f"{why}_spent_failed", language) if why else why_down(state["ledger"], language)
            return {**_reply_plan(state, "give_up", words), **down}
    return {**down, **await _or_fallback(_afresh(view), {**state, **down}, rules, agent)}  # type: ignore[typeddict-item]


async def _with_second_try(view: PlanningView, state: AgentState, planner: Planner, agent: Agent) -> dict[str, Any]:
    """A checked plan, accepted; or what is wrong with it, back to its planner, which plans again once. Raises PlanError for a
    plan that is broken the second time, or too late."""
    in_time = state["remaining_steps"] >= STEPS_TO_ANSWER["broken plan"]
    try:
        made = await _checked_plan(view, state, planner, agent)
        view = replace(view, request=_as_read(state, view)["request"])
    except PlanError as broken:
        view.meter.broken_plans += broken.issues
        if _is_second_try(state) or not in_time:
            raise
        return _back_to_planner(state, broken.issues)
    if in_time and (found := await _second_look(made, view, state, agent)):
        looks = [*state["second_looks"], *{issue["rule"]: None for issue in found}]
        return {**_back_to_planner(state, found), "second_looks": looks}
    forgotten = named(made, view)
    words = agent.domain.nothing_more if forgotten else None
    if told := await agent.own("the words for what is unanswered", words, forgotten, view, ""):
        made = {**made, "remarks": [*made.get("remarks", ()), told]}
    return _acceptance(state, made, agent.domain)


def _as_read(state: AgentState, view: PlanningView) -> AgentState:
    """The state with the request in the language that its planner read it in."""
    return {**state, **view.meter.added_to(state)}  # type: ignore[typeddict-item]


def _is_second_try(state: AgentState) -> bool:
    """Whether the plan before was broken. By the state's feedback, not a view's: the rules do not see another's broken plan."""
    feedback = state["feedback"]
    return feedback is not None and feedback["source"] == "plan" and not _is_second_look(feedback)


def _is_second_look(feedback: Feedback | None) -> bool:
    """Whether the last plan was not broken but is to be looked at again."""
    broken = [issue["rule"] for issue in feedback["issues"] if issue["type"] == "broken_plan"] if feedback else []
    return bool(broken) and LOOKS.issuperset(broken)


def _afresh(view: PlanningView) -> PlanningView:
    """The view for a planner that takes over: the issues of the results, not another's broken plan."""
    if not view.issues or view.feedback is None:
        return replace(view, feedback=None)
    feedback: Feedback = {**view.feedback, "source": "results", "issues": list(view.issues)}
    return replace(view, feedback=feedback)


async def _second_look(made: Plan, view: PlanningView, state: AgentState, agent: Agent) -> list[ValidationIssue]:
    """What a plan that could run forgets of the request, or says otherwise, where it was not sent back with that before."""
    found = [] if UNSERVED in state["second_looks"] else [*unserved_issues(made, view.pieces)]
    if agent.domain.own_checks.calls and is_held(state) and "context" in made:  # a model's
        planned: Ledger = {**empty_ledger(), "calls": {call["id"]: call for call in made["tools"]}}
        found += await contradictions(made, merge_ledgers(state["ledger"], planned), replace(view, plan=made), agent)
    return found


async def _checked_plan(view: PlanningView, state: AgentState, planner: Planner, agent: Agent) -> Plan:
    """The planner's plan, which can run. Raises PlanError, ModelUnavailable, TimeoutError."""
    by_rules = planner is agent.rules
    asked = await within(remaining_s(state, view.limits), lambda: planner.plan(view))
    view.meter.language = agent.domain.language_read(asked.get("language"), view.settings)
    made = checked_plan(
        asked if by_rules else await agent.own("the script", agent.domain.script.completed, asked, view) or asked,
        domain=agent.domain,
        ledger=state["ledger"],
        number=state["planning_calls"] + 1,
        runs=remaining_calls(state, view.limits),
        waves=view.limits.max_waves - state["waves"],
        planner=planner.name,
        provenance=None if by_rules else _provenance(state, view),
        # A planner that cannot plan less, or was sent back once already, runs as far as the budget goes.
        must_fit=not (by_rules or _is_second_try(state)),
        renames=by_rules,
        taken=calls_in(state["messages"]).keys() - state["ledger"]["calls"].keys(),
    )
    if not by_rules and agent.domain.catalogue is None and agent.domain.figures == "strict":
        await _trace_reply(made, state, view, agent)
    if "context" in asked:  # a model's
        # one that mends what was found, or takes the request for a no to what waits, need not serve it
        mends = state["adaptations"] or state["answer_replans"]
        declines = view.waiting and not asked["tools"] and is_decline(asked["action"])
        is_last = asked["status"] == "done" and not (mends or declines)
        made = with_account(made, asked, view, is_last=is_last)
    calls: list[PlannedCall] = [
        {**call, "asks": True} if _may_be_asked(call, state, agent) else call for call in made["tools"]
    ]
    if (most := view.limits.max_runs) != MAX_RUNS:  # stored with the calls: plan and ledger alone decide what may run
        calls = [{**call, "max_runs": most} for call in calls]
    checked: Plan = {**made, "tools": calls, "adapts": _is_about_results(state["feedback"])}
    if agent.domain.messages == "all" and not by_rules and view.meter.reported:
        checked["reported"] = view.meter.reported
    if agent.domain.asks_together:
        checked["asks_together"] = True
    if remarks := [*dict.fromkeys([*remarks_of(view.plan), *remarks_of(made)])]:
        checked["remarks"] = remarks
    return checked


def _may_be_asked(call: PlannedCall, state: AgentState, agent: Agent) -> bool:
    """Whether a person may be asked about a call: of a write that the thread has sent before, only its terms tell."""
    tool = agent.domain.registry[call["tool"]]
    if tool.effect == "read":
        return tool.approval is not None and state.get("agreed_reads", {}).get(tool.name) != tool.approval.once
    sent = (each["tool"] for each in state.get("sent_writes", {}).values())
    return tool.approval is not None or tool.name in sent


async def _trace_reply(made: Plan, state: AgentState, view: PlanningView, agent: Agent) -> None:
    """Raises PlanError for a reply that would go out as the answer and whose claims trace to nothing."""
    reply, is_answer = made["reply"], not (made["tools"] or has_results(state["ledger"]))
    if not (reply and is_answer) or agent.answer_check(view.settings) == "off":
        return
    sources = answer_view({**state, "plan": made}, view.settings, view.limits)
    until = asyncio.get_running_loop().time() + min(view.settings.answer_check_timeout_s, view.remaining_s)
    # where it fails, the check of the answer tells of it
    if claims := await agent.own("the tracing of a reply", untraced, agent.domain, reply, sources, until=until):
        message = (
            f"the reply says what traces to nothing: {', '.join(claims)}; leave it out, or plan the calls that find it"
        )
        raise PlanError([new_issue("broken_plan", "", message, "untraced_reply", actual=claims)])


def _provenance(state: AgentState, view: PlanningView) -> Provenance:
    """The person's messages in the thread, and the tool results of this request and the last before it that had calls."""
    spoken = [message for message in state["messages"] if isinstance(message, HumanMessage)]
    words = [str(message.text) for message in spoken if is_read(message, view.settings)]
    found = [outcome["data"] for ledger in view.ledgers for outcome in results(ledger).values()]
    # A write's arguments were traced when it was planned: a repeated "yes" still means the same write.
    written = [
        call["args"] for ledger in view.ledgers for call in ledger["calls"].values() if call["effect"] == "write"
    ]
    return Provenance(words, [*found, *written])


def _reply_plan(state: AgentState, action: str, reply: str) -> dict[str, Any]:
    """A plan that is an answer."""
    blank: Plan = {
        "number": 0,
        "status": "done",
        "action": action,
        "reasoning": "",
        "slots": {},
        "tools": [],
        "reply": reply,
        "planner": "rules",
        "adapts": False,
    }
    if remarks := remarks_of(state.get("plan")):
        blank["remarks"] = remarks
    return _plan_update(state, blank)


def _plan_update(state: AgentState, made: Plan) -> dict[str, Any]:
    number = state["planning_calls"] + 1
    return {"plan": {**made, "number": number}, "planning_calls": number, "feedback": None}


def _is_about_results(feedback: Feedback | None) -> bool:
    """Whether planning is about issues of results, also on the second attempt after a broken plan."""
    own = ("broken_plan", "unsatisfied")
    return feedback is not None and any(issue["type"] not in own for issue in feedback["issues"])


def _back_to_planner(state: AgentState, issues: list[ValidationIssue]) -> dict[str, Any]:
    """What has the planner plan again: these issues, behind those that it plans about."""
    number, before = state["planning_calls"] + 1, state["feedback"]
    logger.warning("plan %d was refused: %s", number, error_text(PlanError(issues)))
    known = [*before["issues"], *issues] if before else issues
    return {"planning_calls": number, "feedback": Feedback(source="plan", issues=known)}


def _nothing_to_run(state: AgentState) -> dict[str, Any]:
    """A plan with nothing to run: the answer uses what is known, or says that nothing was done."""
    if _is_about_results(state["feedback"]):
        _tell_end_of_adaptation(state)
    if (before := state.get("plan")) is None:
        return _reply_plan(state, "give_up", say("broken_plan", state["request"]["language"]))
    return _plan_update(state, {**before, "status": "done", "tools": [], "reply": None})


def _tell_end_of_adaptation(state: AgentState) -> None:
    """Announce that planning again led to nothing that could run."""
    emit({"event": "adaptation_complete", "turn": state["adaptations"], "tools_executed": 0, "success": False})


def _acceptance(state: AgentState, made: Plan, domain: Domain) -> dict[str, Any]:
    """The update with a plan that runs as far as the limits let it."""
    calls = {**state["ledger"]["calls"], **{call["id"]: call for call in made["tools"]}}
    after: AgentState = {**state, "plan": made, "ledger": {**state["ledger"], "calls": calls}}
    told = {name: made[name] for name in ("number", "action", "reasoning", "status", "planner")}
    tools = [{name: call[name] for name in ("id", "tool", "args")} for call in made["tools"] if "elements" not in call]
    emit({"event": "plan_created", **told, "tools": tools})  # type: ignore[arg-type]
    new_work = unfinished(made, after["ledger"])  # a replan without new work makes no progress
    gone = spent(after, limits_of(state), "plan") if new_work else []
    if made["adapts"] and (gone or not new_work):
        _tell_end_of_adaptation(state)
    # whether a call of the plan would run again but for the limit on its runs
    held_back = any(is_out_of_runs(step.call, step.outcome) for step in steps(made, after["ledger"]))
    limits_hit = report_limits(after, [*gone, "max_runs"] if held_back else gone)
    announce_wave({**after, "limits_hit": limits_hit}, domain)
    return {**_plan_update(state, made), "ledger": {**empty_ledger(), "calls": calls}, "limits_hit": limits_hit}
