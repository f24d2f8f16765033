"""The routers: each reads the state and names the next edge. They decide and do nothing else."""

from collections.abc import Hashable
from typing import Any, Literal

from langgraph.graph import END
from langgraph.runtime import Runtime
from langgraph.types import Send

from wavegraph.graph.agent import Agent
from wavegraph.graph.limits import Limits, remaining_s, spent
from wavegraph.graph.ready import Step, ready
from wavegraph.graph.state import AgentState, WaveCall

# Labels of the drawing, by edge. A router returns one of them, or the Sends of a wave.
AFTER_PLAN: dict[Hashable, str] = {
    "broken plan, once": "plan",
    "ready calls: one Send each": "execute_wave",
    "nothing to run": "respond",
}
AFTER_VALIDATE: dict[Hashable, str] = {
    "more calls of this plan are ready": "execute_wave",
    "issues, or planner asked to continue; budget left": "plan",
    "good, or budget spent": "respond",
}
AFTER_CHECK: dict[Hashable, str] = {"unsupported claim": "respond", "gap, budget left": "plan", "checked": END}


def route_after_plan(
    state: AgentState, runtime: Runtime[Any], agent: Agent
) -> list[Send] | Literal["broken plan, once", "nothing to run"]:
    feedback = state["feedback"]
    if feedback and feedback["source"] == "plan":
        return "broken plan, once"
    return _wave(state, runtime, agent, "plan") or "nothing to run"


def route_after_validate(
    state: AgentState, runtime: Runtime[Any], agent: Agent
) -> list[Send] | Literal["issues, or planner asked to continue; budget left", "good, or budget spent"]:
    if wave := _wave(state, runtime, agent, "validate"):
        return wave
    if state["feedback"] is not None or _continues(state, runtime, agent):
        return "issues, or planner asked to continue; budget left"
    return "good, or budget spent"


def route_after_check(state: AgentState) -> Literal["unsupported claim", "gap, budget left", "checked"]:
    if state["outcome"] is not None:
        return "checked"
    return "unsupported claim" if state["unsupported"] else "gap, budget left"


def _continues(state: AgentState, runtime: Runtime[Any], agent: Agent) -> bool:
    limits = agent.limits(agent.settings(runtime))
    return state["plan"]["status"] == "continue" and not spent(state, limits, "validate")


def _wave(state: AgentState, runtime: Runtime[Any], agent: Agent, node: str) -> list[Send]:
    limits = agent.limits(agent.settings(runtime))
    if spent(state, limits, node):
        return []
    return [Send("execute_wave", _payload(step, state, limits)) for step in ready(state["plan"], state["ledger"])]


def _payload(step: Step, state: AgentState, limits: Limits) -> WaveCall:
    before = step.outcome
    longer = 2 if before and before["status"] == "timeout" else 1
    return {
        "request_id": state["request"]["id"],
        "wave": state["waves"] + 1,
        "call": {**step.call, "args": step.args},
        "signature": step.signature,
        "run": before["runs"] + 1 if before else 1,
        "timeout_s": min(limits.tool_timeout_s * longer, remaining_s(state, limits)),
    }
