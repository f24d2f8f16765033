"""States as the engine keeps them in the middle of a request, for the tables of pure functions."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from scripted import ledger_of, plan_of

from wavegraph.graph.approval import Asked, Question, hash_of
from wavegraph.graph.ledger import signature
from wavegraph.graph.limits import Limits
from wavegraph.graph.state import DEFAULTS, PlannedCall, ToolOutcome

REQUEST = {"id": "m1", "number": 1, "text": "what is on the shelf?", "language": "en"}


def state_of(calls: Sequence[PlannedCall] = (), outcomes: Sequence[ToolOutcome] = (), **changes: Any) -> Any:
    """Of a request whose plan is these calls, with what they came to."""
    limits = changes.pop("limits", Limits())
    return {
        **DEFAULTS, "request": REQUEST, "plan": plan_of(calls), "ledger": ledger_of(calls, outcomes), "limits": asdict(limits),
        "limits_hit": [], "waves": 0, "times": {}, "approvals": {}, "issues": [], "outcome": None, "messages": [],
        "remaining_steps": 50, **changes,
    }  # fmt: skip


def used(calls: int, read: int, written: int) -> Any:
    """What one model was used for."""
    return {"planner m": {"calls": calls, "input": read, "output": written, "cached": 0, "reasoning": 0}}


def continued(state: Any) -> Any:
    """The same, with a planner that wants to plan again."""
    return {**state, "plan": {**state["plan"], "status": "continue"}}


def a_question(**changes: Any) -> Question:
    """About a payment, as it is put at first."""
    question: Any = {
        "kind": "approval", "call": "pay", "tool": "pay", "args": {"item": "tea", "who": "Dana"},
        "terms": {"item": "tea", "price": 4}, "terms_hash": "0" * 32, "valid_until": None, "summary": "tea for 4 coins",
        "text": "tea for 4 coins\n\nShall I go ahead? (yes / no)", "shown": True, "rivalled": False, "languages": ["en", "he"], "agree_with": "yes",
        "by_asker": True, "settings": {}, "choices": {},
        "changes": None, "yes": [], "no": [], "changed": None, "problem": None, "action_requests": [],
        "review_configs": [{"action_name": "pay", "allowed_decisions": ["approve", "edit", "reject", "respond"]}], **changes,
    }  # fmt: skip
    return question  # type: ignore[no-any-return]


def asked_about(call: PlannedCall, **changes: Any) -> dict[str, Asked]:
    """A person is asked about a call whose arguments are written out; by its signature, as the state has it."""
    asked: Any = {
        "call": call["id"], "tool": call["tool"], "args": call["args"],
        "terms": {"details": dict(call["args"]), "valid_until": None},
        "terms_hash": hash_of(call["tool"], call["args"], call["args"]), "number": 1, "decision": None, "reason": "",
        **changes,
    }  # fmt: skip
    return {signature(call["tool"], call["args"]): asked}
