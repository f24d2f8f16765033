"""How a request ended: one result type for every way in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from wavegraph.graph.ready import unfinished
from wavegraph.graph.request.records import views_of
from wavegraph.graph.state import AgentState

UNDONE = ("cancelled", "awaiting_approval")
"""Outcomes of a request that can be resumed."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """How a request ended: the fields of the command line's `--json`, and what is unfinished. It is given also for a request that
    was cut off before every figure was known."""

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
    usage: Mapping[str, Any] = field(default_factory=dict)
    """What each model was used for, by role and model; empty without one."""
    answer_check: Mapping[str, Any] | None = None
    unsupported: Sequence[str] = ()
    planner: str | None = None
    elapsed_s: float = 0.0
    unfinished: list[str] = field(default_factory=list)
    """Ids of planned calls that did not end."""
    can_resume: bool = False
    """Whether `resume` can go on from here: a request that was stopped or waits, on a graph with a checkpointer."""
    question: Mapping[str, Any] | None = None
    """What a person is asked (`approval.Question`) if an approval is open, on this request or another."""


_OPEN = ("unfinished", "can_resume", "question")
FIELDS = tuple(f.name for f in fields(Result) if f.name not in _OPEN)
"""Fields of a record, in this order."""
FIGURES = FIELDS[1:]


def result_record(result: Result) -> dict[str, Any]:
    """The result as `--json` prints it: `FIELDS`, and what is open if the request did not end or a write waits."""
    left = _OPEN if result.outcome in UNDONE or result.question else ()
    return {name: getattr(result, name) for name in (*FIELDS, *left)}


def ended_result(values: Mapping[str, Any], thread_id: str) -> Result:
    """The result of a request that ran to its end. A graph around an agent's may lack some fields."""
    messages = values.get("messages") or [None]
    defaults = {"outcome": "answered", "answer": str(getattr(messages[-1], "text", ""))}
    # The views of plan and ledger are not stored, and lost in a crash after the last step.
    state: Any = values
    views = views_of(state) if values.get("plan") and values.get("ledger") else {}
    return Result(**{**defaults, **_figures({**views, **values})}, thread_id=thread_id)


def cut_off(outcome: str, state: AgentState, answer: str, *, thread_id: str, can_resume: bool) -> Result:
    """The result of a request that did not run to its end; `state` is empty if the request was never opened.

    The answer and answer check in `state` belong to the previous request or a draft, so they are replaced.
    """
    known = {**_figures({**state, **views_of(state)}), "outcome": outcome, "answer": answer, "answer_check": None}
    left = [step.call["id"] for step in unfinished(state["plan"], state["ledger"])] if state.get("plan") else []
    return Result(**known, thread_id=thread_id, unfinished=left, can_resume=can_resume)


def _figures(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in FIGURES if values.get(name) is not None}
