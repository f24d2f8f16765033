"""States as the engine keeps them in the middle of a request, for the tables of pure functions."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from scripted import ledger_of, plan_of

from wavegraph.graph.limits import Limits
from wavegraph.graph.state import PlannedCall, ToolOutcome

REQUEST = {"id": "m1", "number": 1, "text": "what is on the shelf?", "language": "en"}


def state_of(calls: Sequence[PlannedCall] = (), outcomes: Sequence[ToolOutcome] = (), **changes: Any) -> Any:
    """Of a request whose plan is these calls, with what they came to."""
    limits = changes.pop("limits", Limits())
    return {
        "request": REQUEST, "plan": plan_of(calls), "ledger": ledger_of(calls, outcomes), "limits": asdict(limits),
        "limits_hit": [], "waves": 0, "times": {}, "approvals": {}, "feedback": None, "issues": [], "outcome": None,
        "messages": [], "unsupported": [], "rewrites": 0, "answer_replans": 0, "remaining_steps": 50, **changes,
    }  # fmt: skip


def continued(state: Any) -> Any:
    """The same, with a planner that wants to plan again."""
    return {**state, "plan": {**state["plan"], "status": "continue"}}
