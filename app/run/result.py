"""What a request came to: one record for every way in."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from wavegraph.graph.ledger import results, tools_executed, tools_ran
from wavegraph.graph.ready import unfinished
from wavegraph.graph.state import AgentState


@dataclass(frozen=True, kw_only=True)
class Result:
    """How a request ended; the fields of the command line's `--json`, and what was left undone."""

    thread_id: str
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
    answer_check: Mapping[str, Any] | None = None
    planner: str | None = None
    elapsed_s: float = 0.0
    unfinished: list[str] = field(default_factory=list)
    """Ids of planned calls that did not end."""
    can_resume: bool = False
    """Whether `resume` can go on from here: a request that was stopped or waits, on a graph with a checkpointer."""
    question: Mapping[str, Any] | None = None
    """What a person is asked (`approval.Question`), where an approval is waited for, be it beside this request."""


FIELDS = tuple(f.name for f in fields(Result))[:-3]
"""Of a report, in this order."""
UNDONE = ("cancelled", "awaiting_approval")
"""Outcomes of a request that can be gone on with."""


def report_of(result: Result) -> dict[str, Any]:
    """The result as `--json` prints it: `FIELDS`, and what is left where the request did not end or a write waits."""
    left = ("unfinished", "can_resume", "question") if result.outcome in UNDONE or result.question else ()
    return {name: getattr(result, name) for name in (*FIELDS, *left)}


def ended(values: Mapping[str, Any], thread_id: str) -> Result:
    """The result of a request that went to its end. A graph around an agent's may lack some of the fields."""
    messages = values.get("messages") or [None]
    defaults = {"outcome": "answered", "answer": str(getattr(messages[-1], "text", ""))}
    known = {f.name: values[f.name] for f in fields(Result) if values.get(f.name) is not None}
    # The views of plan and ledger are not stored: after a crash behind the last step nobody writes them again.
    state: Any = values
    views = _views(state) if values.get("plan") and values.get("ledger") else {}
    return Result(**{**defaults, **views, **known, "thread_id": thread_id})


def cut_off(outcome: str, state: AgentState, answer: str, *, thread_id: str, can_resume: bool) -> Result:
    """The result of a request that did not go to its end; `state` is empty where it had not been opened."""
    plan: Any = state.get("plan") or {}
    return Result(
        **_views(state),
        thread_id=thread_id,
        outcome=outcome,
        answer=answer,
        plan=plan or None,
        issues=list(state.get("issues", [])),
        waves=state.get("waves", 0),
        adaptations=state.get("adaptations", 0),
        llm_calls=state.get("llm_calls", 0),
        unfinished=[step.call["id"] for step in unfinished(state["plan"], state["ledger"])] if plan else [],
        can_resume=can_resume,
    )


def _views(state: AgentState) -> dict[str, Any]:
    """What the state's untracked fields show, made from the plan and the ledger."""
    plan: Any = state.get("plan") or {}
    ledger = state.get("ledger")
    return {
        "action": plan.get("action"),
        "reasoning": plan.get("reasoning"),
        "slots": plan.get("slots", {}),
        "tools": tools_ran(ledger) if ledger else [],
        "results": results(ledger) if ledger else {},
        "tools_executed": tools_executed(ledger) if ledger else 0,
        "planner": plan.get("planner"),
        "elapsed_s": round(sum(state.get("times", {}).values()), 3),
    }
