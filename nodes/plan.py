"""plan: turns the conversation and any feedback into a checked plan."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from wavegraph.graph._langgraph import sent_at_ms
from wavegraph.graph.agent import Agent
from wavegraph.graph.answer.replies import remarks_of
from wavegraph.graph.dialogue.answers import Refused, Taken, as_sent, read_reply
from wavegraph.graph.dialogue.aside import asked_aside, asked_now, asking, is_waiting, put_again, taken_up
from wavegraph.graph.dialogue.consent import consent, is_courtesy
from wavegraph.graph.dialogue.last_resort import why_down
from wavegraph.graph.dialogue.messages import reply
from wavegraph.graph.dialogue.questions import (
    approval_of,
    asked_settings,
    asks_back,
    is_by_asker,
    open_question,
)
from wavegraph.graph.domain import Planner
from wavegraph.graph.errors import CapReached, ModelUnavailable, PlanError, kind_of_fault
from wavegraph.graph.events import emit
from wavegraph.graph.execution.announcements import announce_wave, report_limits
from wavegraph.graph.execution.receipts import done_writes
from wavegraph.graph.execution.repeats import cut_off_writes
from wavegraph.graph.execution.write import already_done, let_go
from wavegraph.graph.guard.expansion import Left
from wavegraph.graph.guard.plan_check import checked_plan
from wavegraph.graph.guard.provenance import Provenance
from wavegraph.graph.language import say
from wavegraph.graph.ledger import MAX_RUNS, bounded_view, has_results, is_out_of_runs, results, signature
from wavegraph.graph.limits import (
    STEPS_TO_ANSWER,
    Limits,
    limits_of,
    remaining_calls,
    remaining_s,
    spent,
    spent_scope,
    within,
)
from wavegraph.graph.model.calls import bad_output
from wavegraph.graph.ready import steps, unfinished
from wavegraph.graph.request.new_request import begins_request, new_messages, new_request, unreadable
from wavegraph.graph.request.serving import (
    LOOKS,
    UNSERVED,
    as_named,
    contradiction_issues,
    is_held,
    named,
    served_calls,
    unserved_issues,
    with_account,
)
from wavegraph.graph.request.views import answer_view, is_read, planning_view
from wavegraph.graph.secrets.ways_out import error_text
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import (
    AgentState,
    Asked,
    Feedback,
    Ledger,
    Plan,
    PlannedCall,
    PlanningResult,
    Replaced,
    Reply,
    ValidationIssue,
    empty_ledger,
    merge_ledgers,
    merge_sent,
    new_issue,
    with_calls,
)
from wavegraph.graph.tracing.untraced import untraced
from wavegraph.graph.views import PlanningView, added_usage

logger = logging.getLogger("wavegraph")

DECLINE = "decline"
"""How the action of a plan begins that takes the message for a no to what waits; a model also writes `declined`."""


async def plan(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Open the request if it is new, then plan.

    Reads the messages, feedback and ledger. Writes `plan`, the calls of the ledger, and `feedback`:
    set to `source: plan` where the planner must try again, else gone. A new message that answers what waits is no
    request: it goes into `reply`, and the request that waits is the state's own again.
    """
    is_new = begins_request(state)
    if is_waiting(state) and not is_new:  # an input without a message leaves the question open
        return {"reply": None}
    waits = asked_now(state) if state.get("request") else None
    # A request beside a waiting one uses that one's settings unless the run gives its own.
    settings = agent.settings(runtime, asking(state) if waits or not is_new else None)
    if is_new and waits and (answered := _answered(state, settings, agent)):
        return answered
    if is_new:
        agent.answer_check(settings)  # an impossible answer check is refused before anything is done
    own = {**(asking(state).get("settings", {}) if waits else {}), **agent.given(runtime)}
    opened = new_request(state, settings, agent.limits(settings), own, agent.domain.languages) if is_new else {}
    cut_off = cut_off_writes(state, agent.domain) if is_new else {}
    now: AgentState = {**state, **opened, "sent_writes": merge_sent(state.get("sent_writes", {}), cut_off)}  # type: ignore[typeddict-item]
    update = await _planned_or_ended(now, settings, agent)
    made = update.get("plan")
    if is_new and waits and made and not made["tools"]:
        if _declines(made["action"]):
            return _declined(state, update)
        if asks_back(made) and _adds_nothing(now, waits[1], settings, agent):
            return _asked_again(state, update)
    ledger = merge_ledgers(now["ledger"], update.get("ledger", empty_ledger()))
    update |= await _with_one_question({**now, **update}, ledger, settings, agent)  # type: ignore[typeddict-item]
    if cut_off:
        update["sent_writes"] = cut_off
    if opened:
        update = {**opened, **update, "ledger": Overwrite(ledger), "approvals": Overwrite({}), "times": Overwrite({})}
    return update


def _answered(state: AgentState, settings: Settings, agent: Agent) -> dict[str, Any] | None:
    """The update for a plain yes or no to the waiting question; None = the message is a request."""
    question = open_question(state, agent.domain, settings)
    assert question is not None, "something waits"
    question = as_sent(question, state["messages"], sent_at_ms())
    match read_reply({"messages": new_messages(state)}, question):
        case Taken(answer, message_id):
            words, name = answer["words"], message_id or ""
            said: Reply = {"words": words, "message_id": name, "terms_hash": answer.get("terms_hash")}
            return {**taken_up(state, {}), "reply": said, "messages": [reply(words, name, name)]}
        case Refused(words, message_id, problem):
            return put_again(state, words, message_id or "", message_id, problem)
    return None


def _declined(state: AgentState, update: Mapping[str, Any]) -> dict[str, Any]:
    """The update for a request in which the planner sees a no to what waits: its words stay, and count as one."""
    said = new_messages(state)[-1]
    name, words = said.id or "", str(said.text)
    pending_reply: Reply = {"words": words, "message_id": name, "terms_hash": None, "counts_as": "no"}
    spent_on_it = _spent_together(asking(state), update)
    return {**taken_up(state, {}), **spent_on_it, "reply": pending_reply, "messages": [reply(words, name, name)]}


def _adds_nothing(state: AgentState, asked: Asked, settings: Settings, agent: Agent) -> bool:
    """Whether the request is a courtesy, or a yes that is not to what waits, and comes from who is asked about that."""
    approval, text = approval_of(asked, agent.domain), state["request"]["text"]
    is_yes = consent(text, approval.yes, approval.no) == "yes"
    return (is_yes or is_courtesy(text)) and is_by_asker(asked, agent.domain, settings)


def _asked_again(state: AgentState, update: Mapping[str, Any]) -> dict[str, Any]:
    """The update for such words in which the planner sees nothing: the question that waits is put again."""
    said = new_messages(state)[-1]
    name = said.id or ""
    return {**put_again(state, str(said.text), name, name), **_spent_together(asking(state), update)}


def _spent_together(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """What the request that waits has cost, and what reading the no cost; a planner without a model names neither."""
    calls, tokens = ([each.get(name) for each in (before, now)] for name in ("llm_calls", "llm_tokens"))
    return {
        "llm_calls": sum(each or 0 for each in calls),
        "llm_tokens": {kind: sum((each or {}).get(kind, 0) for each in tokens) for kind in ("input", "output")},
        "usage": added_usage(before.get("usage", {}), now.get("usage", {})),
    }


async def _with_one_question(state: AgentState, ledger: Ledger, settings: Settings, agent: Agent) -> dict[str, Any]:
    """A planned write replaces a waiting one of the same tool, whose hold is released unless it is planned unchanged: so
    only the latest wish is asked about. One that has happened meanwhile goes on waiting: any answer will tell of it."""
    made, aside = state["plan"], state["set_aside"]
    if made is None or state["feedback"] is not None:
        return {}
    planned = {call["tool"] for call in made["tools"]}
    own = {step.signature for step in steps(made, ledger)} | state["approvals"].keys() | ledger["outcomes"].keys()
    over = [each for each in aside if any(asked["tool"] in planned for asked in asked_aside({"set_aside": [each]}))]
    over = [each for each in over if not await _has_happened(each, settings, agent)]
    lost = [asked for each in over for asked in asked_aside({"set_aside": [each]})]
    for asked in [*lost, *_lapsed(state)]:
        tool = agent.domain.registry.get(asked["tool"])
        if tool and tool.approval and signature(asked["tool"], asked["args"]) not in own:
            await let_go(tool, asked, asked_settings(asked, settings))
    if not over:
        return {}
    given_up: list[Replaced] = [
        {"terms_hash": asked["terms_hash"], "by_asker": is_by_asker(asked, agent.domain, settings)} for asked in lost
    ]
    return {"set_aside": [each for each in aside if each not in over], "replaced": [*state["replaced"], *given_up]}


async def _has_happened(held: dict[str, Any], settings: Settings, agent: Agent) -> bool:
    """Whether the write that a request set aside waits with was sent, by a yes that was cut short."""
    for asked in asked_aside({"set_aside": [held]}):
        tool = agent.domain.registry.get(asked["tool"])
        before = await already_done(tool, asked, asked_settings(asked, settings)) if tool else None
        if before and not before.error:
            return True
    return False


def _lapsed(state: AgentState) -> list[Asked]:
    """Questions of the request before that can no longer be answered, since a limit ended it."""
    before = state["previous"]
    waiting = [asked["terms_hash"] for asked in asked_aside(state)]
    open_questions = before.get("approvals", {}).values() if before else ()
    return [asked for asked in open_questions if asked["terms_hash"] not in waiting]


async def _planned_or_ended(state: AgentState, settings: Settings, agent: Agent) -> dict[str, Any]:
    """The planned update. If planning fails after a write has happened, the answer still goes out, made from what is
    known.
    """
    try:
        await agent.domain.open()
        return await _planned(state, settings, limits_of(state), agent)
    except GraphBubbleUp:
        raise
    except Exception as error:
        if not done_writes(state["ledger"]):
            raise
        logger.error("planning failed after a write: %s", kind_of_fault(error))
        broken = bad_output("planning_failed", "what was left to do could not be planned")
        return {**_give_up(state), "issues": [*state["issues"], *broken.issues]}


async def _planned(state: AgentState, settings: Settings, limits: Limits, agent: Agent) -> dict[str, Any]:
    why = unreadable(state["request"], state["messages"], settings) or _not_yours(state, settings, agent)
    if why is not None:
        return _answer_at_once(state, "clarify", why)
    turn = _start_adaptation(state)
    state = {**state, "adaptations": state["adaptations"] + (1 if turn else 0)}
    view = await _view(state, settings, limits, agent)
    try:
        # A model that went down in this request is not tried again.
        planner = agent.rules if state["model_down"] else agent.planner_for(settings)
        if planner is agent.rules and _is_second_look(state["feedback"]):  # another's, in a run before this one
            view = _afresh(view, state)
        if planner is agent.rules or not await _is_fixed(view, agent):
            update = await _by_planner(view, state, planner, agent)
        else:
            update = _in_the_name_of(view.plan, await _by_planner(view, state, agent.rules, agent))
    except TimeoutError:
        update = {**_give_up(state), "limits_hit": report_limits(state, ["request_timeout_s"])}
    return {**update, "adaptations": state["adaptations"], **view.meter.added_to(state)}


async def _is_fixed(view: PlanningView, agent: Agent) -> bool:
    """Whether the rules plan this step whoever plans the request. A plan or an answer that was sent back never is one."""
    sent_back = view.feedback is not None and view.feedback["source"] != "results"
    return view.plan is not None and not sent_back and await agent.follows(view)


def _in_the_name_of(before: Plan | None, update: dict[str, Any]) -> dict[str, Any]:
    """A step by the rules does not make the request theirs."""
    if before is None or "plan" not in update:
        return update
    return {**update, "plan": {**update["plan"], "planner": before["planner"]}}


def _not_yours(state: AgentState, settings: Settings, agent: Agent) -> str | None:
    """The answer to a plain yes from the person who asked, if somebody else has to approve."""
    for asked in asked_aside(state):
        approval = approval_of(asked, agent.domain)
        is_yes = consent(state["request"]["text"], approval.yes, approval.no) in ("yes", "perhaps")
        if is_yes and not is_by_asker(asked, agent.domain, settings):
            return say("not_yours", state["request"]["language"])
    return None


async def _view(state: AgentState, settings: Settings, limits: Limits, agent: Agent) -> PlanningView:
    """What the planner sees, with the domain's own proposals if there are issues to fix."""
    feedback = state["feedback"]
    view = planning_view(state, settings, limits, feedback)
    if not feedback or not state["issues"]:
        return view
    return replace(view, proposals=await agent.proposals(view))


async def _by_planner(view: PlanningView, state: AgentState, planner: Planner, agent: Agent) -> dict[str, Any]:
    """A checked plan; or the issues, back to the planner once; or a substitute for a planner that failed twice."""
    fallback = agent.fallback_for(planner, view.settings)
    feedback = state["feedback"]  # not the view's: a fallback does not see the other planner's broken plan
    second = feedback is not None and feedback["source"] == "plan" and not _is_second_look(feedback)
    in_time = state["remaining_steps"] >= STEPS_TO_ANSWER["broken plan"]
    try:
        # A planner that cannot plan less, or was sent back once already, runs as far as the budget goes.
        budget = None if second or planner is agent.rules else remaining_calls(state, view.limits)
        made = await _checked(view, state, planner, agent, budget)
        if in_time and (found := await _to_look_at_again(made, view, state, agent)):
            looks = [*state["second_looks"], *{issue["rule"]: None for issue in found}]
            return {**_back_to_planner(state, found, view.limits), "second_looks": looks}
        return _accepted(state, await _with_names(made, view, agent), view.limits)
    except PlanError as broken:
        view.meter.broken_plans += broken.issues
        if not second and in_time:
            return _back_to_planner(state, broken.issues, view.limits)
        if fallback is None:
            gone = [] if second else ["recursion_limit"]
            issues = [*state["issues"], *broken.issues]
            return {**_give_up(state), "issues": issues, "limits_hit": report_limits(state, gone)}
        return await _by_planner(_afresh(view, state), state, fallback, agent)
    except ModelUnavailable as down:
        logger.warning("%s", error_text(down))
        state = {**state, "limits_hit": report_limits(state, [down.limit] if isinstance(down, CapReached) else [])}
        told = {"model_down": True, "limits_hit": state["limits_hit"]}
        if fallback is None:
            why, language = spent_scope(state["limits_hit"]), view.request["language"]
            words = say(f"{why}_spent_failed", language) if why else why_down(state["ledger"], language)
            return {**_answer_at_once(state, "give_up", words), **told}
        return {**told, **await _by_planner(_afresh(view, state), state, fallback, agent), "model_down": True}


def _is_second_look(feedback: Feedback | None) -> bool:
    """Whether the last plan was not broken but is to be looked at again."""
    broken = [issue["rule"] for issue in feedback["issues"] if issue["type"] == "broken_plan"] if feedback else []
    return bool(broken) and LOOKS.issuperset(broken)


async def _to_look_at_again(made: Plan, view: PlanningView, state: AgentState, agent: Agent) -> list[ValidationIssue]:
    """What a plan that could run forgets of the request, or says otherwise, where it was not sent back with that before."""
    found = [] if UNSERVED in state["second_looks"] else [*unserved_issues(made, view.pieces)]
    if is_held(state) and "context" in made:  # a model's
        planned: Ledger = {**empty_ledger(), "calls": {call["id"]: call for call in made["tools"]}}
        calls = served_calls(made, merge_ledgers(state["ledger"], planned), view.pieces)
        found += contradiction_issues(await agent.contradictions(calls, replace(view, plan=made)))
    return found


async def _with_names(made: Plan, view: PlanningView, agent: Agent) -> Plan:
    """The plan; the answer names the pieces of the request that it forgets, and what else is asked about and not looked up."""
    found = await agent.contradictions([], replace(view, plan=made)) if "unserved" in made else []
    missed = [as_named(words) for each in found if each.planned is None for words in each.said]
    if not (forgotten := [*named(made, view), *missed]):
        return made
    told = await agent.nothing_more(forgotten, view)
    return {**made, "remarks": [*made.get("remarks", ()), told]} if told else made


def _afresh(view: PlanningView, state: AgentState) -> PlanningView:
    """The view for a planner that takes over: the issues of the results, not another's broken plan."""
    if not state["issues"] or view.feedback is None:
        return replace(view, feedback=None)
    feedback: Feedback = {**view.feedback, "source": "results", "issues": state["issues"]}
    return replace(view, feedback=feedback)


async def _checked(view: PlanningView, state: AgentState, planner: Planner, agent: Agent, budget: int | None) -> Plan:
    asked = await within(remaining_s(state, view.limits), lambda: planner.plan(view))
    raw = asked if planner is agent.rules else await agent.whole(asked, view)
    made = checked_plan(
        raw,
        domain=agent.domain,
        ledger=state["ledger"],
        number=state["planning_calls"] + 1,
        budget=budget,
        left=Left(remaining_calls(state, view.limits), view.limits.max_waves - state["waves"]),
        planner=planner.name,
        provenance=None if planner is agent.rules else _provenance(state, view.settings),
        renames=planner is agent.rules,
    )
    if planner is not agent.rules and agent.domain.statements is None:
        await _trace_reply(made, state, view, agent)
    if "context" in asked:  # a model's
        is_last = asked["status"] == "done" and not _is_exempt(asked, view, state)
        made = with_account(made, asked, view, is_last=is_last)
    calls: list[PlannedCall] = [{**call, "asks": True} if _asks(call, state, agent) else call for call in made["tools"]]
    if (most := view.limits.max_runs) != MAX_RUNS:  # stored with the calls: plan and ledger alone decide what may run
        calls = [{**call, "max_runs": most} for call in calls]
    checked: Plan = {**made, "tools": calls, "adapts": _mends(state["feedback"])}
    if remarks := [*dict.fromkeys([*remarks_of(view.plan), *remarks_of(made)])]:
        checked["remarks"] = remarks
    return checked


def _asks(call: PlannedCall, state: AgentState, agent: Agent) -> bool:
    """Whether a person may be asked about a call: of a write that the thread has sent before, only its terms tell."""
    tool = agent.domain.registry[call["tool"]]
    if tool.effect == "read":
        return tool.approval is not None and state.get("agreed_reads", {}).get(tool.name) != tool.approval.once
    sent = (each["tool"] for each in state.get("sent_writes", {}).values())
    return tool.approval is not None or tool.name in sent


def _is_exempt(asked: PlanningResult, view: PlanningView, state: AgentState) -> bool:
    """Whether a plan need not serve the request: it mends what was found, or takes the request for a no to what waits."""
    mends = state["adaptations"] or state["answer_replans"]
    return bool(mends or (view.waiting and not asked["tools"] and _declines(asked["action"])))


def _declines(action: str) -> bool:
    return action.strip().lower().startswith(DECLINE)


async def _trace_reply(made: Plan, state: AgentState, view: PlanningView, agent: Agent) -> None:
    """Raises PlanError for a reply that would go out as the answer and whose claims trace to nothing."""
    reply, is_answer = made["reply"], not (made["tools"] or has_results(state["ledger"]))
    if not (reply and is_answer) or agent.answer_check(view.settings) == "off":
        return
    sources = answer_view({**state, "plan": made}, view.settings, view.limits)
    try:
        async with asyncio.timeout(min(view.settings.answer_check_timeout_s, view.remaining_s)):
            claims = list(await asyncio.to_thread(untraced, agent.domain, reply, sources))
    except GraphBubbleUp:
        raise
    except Exception as error:  # noqa: BLE001  the domain's own code; the check of the answer tells of it
        logger.error("the reply could not be traced: %s", kind_of_fault(error))
        return
    if claims:
        message = (
            f"the reply says what traces to nothing: {', '.join(claims)}; leave it out, or plan the calls that find it"
        )
        raise PlanError([new_issue("broken_plan", "", message, "untraced_reply", actual=claims)])


def _provenance(state: AgentState, settings: Settings) -> Provenance:
    """The person's messages in the thread, and the tool results of this request and the last before it that had calls."""
    spoken = [message for message in state["messages"] if isinstance(message, HumanMessage)]
    words = [str(message.text) for message in spoken if is_read(message, settings)]
    before = with_calls(state["previous"])
    ledgers = [state["ledger"], *([before["ledger"]] if before else [])]
    found = [outcome["data"] for ledger in ledgers for outcome in results(ledger).values()]
    # A write's arguments were traced when it was planned: a repeated "yes" still means the same write.
    written = [call["args"] for ledger in ledgers for call in ledger["calls"].values() if call["effect"] == "write"]
    return Provenance(words, [*found, *written])


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
    if remarks := remarks_of(state.get("plan")):
        made["remarks"] = remarks
    return {"plan": made, "planning_calls": made["number"], "feedback": None}


def _start_adaptation(state: AgentState) -> int:
    """The number of this adaptation, announced; 0 where this planning call mends nothing."""
    feedback = state["feedback"]
    if feedback is None or feedback["source"] != "results":
        return 0
    turn = state["adaptations"] + 1
    reason = "; ".join(issue["message"] for issue in feedback["issues"])
    emit({"event": "adaptation_started", "turn": turn, "reason": reason})
    return turn


def _mends(feedback: Feedback | None) -> bool:
    """Whether planning is about issues of results, also on the second attempt after a broken plan."""
    own = ("broken_plan", "unsatisfied")
    return feedback is not None and any(issue["type"] not in own for issue in feedback["issues"])


def _end_adaptation(state: AgentState) -> None:
    """Announce that planning again led to nothing that could run."""
    turn = state["adaptations"]
    emit({"event": "adaptation_complete", "turn": turn, "tools_executed": 0, "success": False})


def _back_to_planner(state: AgentState, issues: list[ValidationIssue], limits: Limits) -> dict[str, Any]:
    why = error_text(PlanError(issues))
    logger.warning("plan %d was refused: %s", state["planning_calls"] + 1, why)
    before = state["feedback"]
    tried = bounded_view(state["ledger"], limits.max_prompt_bytes)
    known = [*before["issues"], *issues] if before else issues
    feedback: Feedback = {"source": "plan", "issues": known, "suggestions": [], "ledger": tried}
    return {"planning_calls": state["planning_calls"] + 1, "feedback": feedback}


def _give_up(state: AgentState) -> dict[str, Any]:
    """A plan with nothing to run: the answer uses what is known, or says that nothing was done."""
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
    new_work = unfinished(made, after["ledger"])  # a replan without new work makes no progress
    gone = spent(after, limits, "plan") if new_work else []
    if made["adapts"] and (gone or not new_work):
        _end_adaptation(state)
    # whether a call of the plan would run again but for the limit on its runs
    held_back = any(is_out_of_runs(step.call, step.outcome) for step in steps(made, after["ledger"]))
    limits_hit = report_limits(after, [*gone, "max_runs"] if held_back else gone)
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
