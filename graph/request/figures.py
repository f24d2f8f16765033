"""A request's figures: derived from its plan and ledger, and as attributes of a result."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wavegraph.graph.ledger import results, tools_executed, tools_ran
from wavegraph.graph.limits import active_s
from wavegraph.graph.state import AgentState, OutputState, Usage, empty_ledger


@dataclass(frozen=True, kw_only=True)
class RequestFigures:
    """What a caller gets, also for a request that was cut off before every figure was known."""

    outcome: str
    answer: str
    action: str | None = None
    reasoning: str | None = None
    slots: Mapping[str, Any] = field(default_factory=dict)
    tools: list[str] = field(default_factory=list)
    """Names of the tools that ran, in order."""
    plan: Mapping[str, Any] | None = None
    results: Mapping[str, Any] = field(default_factory=dict)
    issues: list[Any] = field(default_factory=list)
    waves: int = 0
    adaptations: int = 0
    tools_executed: int = 0
    llm_calls: int = 0
    usage: Mapping[str, Any] = field(default_factory=dict)
    """What each model was used for, by role and model; empty without one."""
    answer_check: Mapping[str, Any] | None = None
    planner: str | None = None
    elapsed_s: float = 0.0


def views_of(state: AgentState) -> OutputState:
    """The values of the untracked fields; for a state without a plan, that nothing was done."""
    ledger = state.get("ledger") or empty_ledger()
    made: OutputState = {
        "tools": tools_ran(ledger),
        "results": results(ledger),
        "tools_executed": tools_executed(ledger),
        **model_figures(state.get("usage", {})),
        "elapsed_s": round(active_s(state), 3),
    }
    if plan := state.get("plan"):
        made["action"], made["reasoning"] = plan["action"], plan["reasoning"]
        made["slots"], made["planner"] = plan["slots"], plan["planner"]
    return made


def model_figures(usage: Usage) -> OutputState:
    """Calls and tokens of all models together."""
    used = usage.values()
    tokens = {"input": sum(each["input"] for each in used), "output": sum(each["output"] for each in used)}
    return {"llm_calls": sum(each["calls"] for each in used), "llm_tokens": tokens}
