"""The routers: each reads the state and names the next edge. They decide and do nothing else.

They read only stored fields: `update_state` runs them too, after a cancel, and has neither a context nor a
true count of steps.
"""

from collections.abc import Hashable
from typing import Literal

from langgraph.graph import END
from langgraph.types import Send

from wavegraph.graph.dialogue.questions import asked_aside, is_waiting
from wavegraph.graph.limits import Limits, asked_along, limits_of, next_wave, remaining_s, work_ended
from wavegraph.graph.ready import PlanStep, unchecked
from wavegraph.graph.request.new_request import begins_request
from wavegraph.graph.request.views import root_of
from wavegraph.graph.state import AgentState, Asked, WaveCall

# Labels of the drawing, by edge. A router returns one of them, or the Sends of a wave.
AFTER_PLAN: dict[Hashable, str] = {
    "broken plan, once": "plan",
    "ready calls: one Send each": "execute_wave",
    "results known already": "validate",
    "nothing to run": "respond",
}
AFTER_VALIDATE: dict[Hashable, str] = {
    "more calls of this plan are ready": "execute_wave",
    "a write waits for approval": "approve",
    "issues, or planner asked to continue; budget left": "plan",
    "good, or budget spent": "respond",
}
AFTER_APPROVE: dict[Hashable, str] = {
    "approved, or edited": "execute_wave",
    "rejected, or asked again": "validate",
    "another request": "plan",
}
AFTER_CHECK: dict[Hashable, str] = {
    "other words needed": "respond",
    "gap, budget left": "plan",
    "a write still waits": "approve",
    "checked": END,
}


def route_after_plan(
    state: AgentState,
) -> list[Send] | Literal["broken plan, once", "results known already", "nothing to run"]:
    feedback = state["feedback"]
    if feedback and feedback["source"] == "plan":
        return "broken plan, once"
    if wave := _wave(state):
        return wave
    known = unchecked(state["plan"], state["ledger"]) or is_waiting(state)
    return "results known already" if known else "nothing to run"


def route_after_validate(
    state: AgentState,
) -> (
    list[Send]
    | Literal[
        "a write waits for approval", "issues, or planner asked to continue; budget left", "good, or budget spent"
    ]
):
    if is_waiting(state):
        return "a write waits for approval"
    feedback = state["feedback"]
    if feedback and feedback["source"] == "plan":  # the plan is looked at again before more of it runs
        return "issues, or planner asked to continue; budget left"
    if wave := _wave(state):
        return wave
    continues = state["plan"]["status"] == "continue" and not work_ended(state)
    if feedback is not None or continues:
        return "issues, or planner asked to continue; budget left"
    return "good, or budget spent"


def route_after_approve(state: AgentState) -> list[Send] | Literal["rejected, or asked again", "another request"]:
    if begins_request(state):
        return "another request"
    return _wave(state) or "rejected, or asked again"


def route_after_check(
    state: AgentState,
) -> Literal["other words needed", "gap, budget left", "a write still waits", "checked"]:
    if state["outcome"] is not None:
        return "a write still waits" if asked_aside(state) else "checked"
    feedback = state["feedback"]
    return "gap, budget left" if feedback and feedback["source"] == "answer" else "other words needed"


def _wave(state: AgentState) -> list[Send]:
    limits = limits_of(state)
    coming = [_payload(step, state, limits) for step in next_wave(state)]
    along: list[WaveCall] = [{**_payload(step, state, limits), "only_asks": True} for step in asked_along(state)]
    return [Send("execute_wave", payload) for payload in (*coming, *along)]


def _asked_before(step: PlanStep, state: AgentState) -> Asked | None:
    """What a person was asked about the call, or about the call it replaces, so that changed terms are noticed; of a tool
    that is asked about once, what was answered."""
    asked = state.get("approvals", {})
    of_tool = [each for each in asked.values() if "once" in each and each["tool"] == step.call["tool"]]
    if decided := [each for each in of_tool if each["decision"] is not None]:
        return max(decided, key=lambda each: each["number"])
    if (own := asked.get(step.signature)) is not None:
        return own
    root = root_of(step.call["id"], state["ledger"])
    before = [
        each
        for each in asked.values()
        if each["decision"] != "reject" and root_of(each["call"], state["ledger"]) == root
    ]
    return max(before, key=lambda each: each["number"], default=None)


def _payload(step: PlanStep, state: AgentState, limits: Limits) -> WaveCall:
    before = step.outcome
    longer = 2 if before and before["status"] == "timeout" else 1
    own, tool = state["request"]["id"], step.call["tool"]
    sent = state.get("sent_writes", {}).get(step.signature)
    done = [
        each for each in state.get("done_writes", {}).values() if each["tool"] == tool and each["request_id"] != own
    ]
    agreed = state.get("agreed_reads", {}).get(tool)
    payload: WaveCall = {
        "tool_call": {"id": step.call["id"]},
        "request_id": own,
        "wave": state["waves"] + 1,
        "call": {**step.call, "args": step.args},
        "signature": step.signature,
        "run": before["runs"] + 1 if before else 1,
        "attempts": limits.tool_attempts,
        "approval": _asked_before(step, state),
        "settings": state["settings"],
        "sent_before": sent if sent and sent["request_id"] != own else None,
        "timeout_s": min(limits.tool_timeout_s * longer, remaining_s(state, limits)),
    }
    if agreed:
        payload["agreed"] = agreed
    if done:
        payload["done_before"] = [each["told"] for each in done]
    return payload
