"""Records as the engine keeps them, for the tables of pure functions; and a responder that says what a test wrote."""

from collections.abc import Sequence
from inspect import isawaitable
from typing import Any

from wavegraph import AnswerView
from wavegraph.graph.state import Ledger, Plan, PlannedCall, ToolOutcome, ValidationIssue, empty_ledger


class Says:
    """A responder that gives its answers in order; the last one again and again.

    In the place of an answer: an exception to raise, or a function of the view (it may be async) that makes the answer.
    """

    name = "says"

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.views: list[AnswerView] = []

    async def respond(self, view: AnswerView) -> Any:
        self.views.append(view)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        made = answer(view) if callable(answer) else answer
        made = await made if isawaitable(made) else made
        if isinstance(made, BaseException):
            raise made
        return made


def planned(
    call_id: str, tool: str, /, effect: str = "read", *, plan: int = 1, instead_of: str | None = None, **args: Any
) -> PlannedCall:
    made: PlannedCall = {"id": call_id, "tool": tool, "args": args, "effect": effect, "plan": plan}  # type: ignore[typeddict-item]
    return {**made, "instead_of": instead_of} if instead_of else made


def issue(kind: str, call_id: str, message: str, rule: str | None = None) -> ValidationIssue:
    """A warning; `rule`: named as its kind, where a test tells no other."""
    return {"type": kind, "tool_id": call_id, "message": message, "severity": "warning", "rule": rule or kind}


def plan_of(calls: Sequence[PlannedCall], *, number: int = 1) -> Plan:
    return {
        "number": number,
        "status": "done",
        "action": "look_up",
        "reasoning": "",
        "slots": {},
        "tools": list(calls),
        "reply": None,
        "planner": "script",
        "adapts": False,
    }


def outcome(
    tool: str,
    args: dict[str, Any],
    status: str = "ok",
    data: Any = None,
    *,
    retryable: bool = False,
    runs: int = 1,
    plan: int = 1,
    wave: int = 1,
) -> ToolOutcome:
    from wavegraph.graph.ledger import GOOD, signature

    bad = status not in GOOD
    return {
        "tool": tool,
        "args": args,
        "status": status,  # type: ignore[typeddict-item]
        "data": data,
        "error": {"code": status, "message": f"{tool} ended as {status}", "retryable": retryable} if bad else None,
        "attempts": 1 if runs else 0,
        "runs": runs,
        "plan": plan,
        "wave": wave,
        "elapsed_s": 0.0,
        "signature": signature(tool, args),
    }


def ledger_of(calls: Sequence[PlannedCall] = (), outcomes: Sequence[ToolOutcome] = ()) -> Ledger:
    return {
        **empty_ledger(),
        "calls": {made["id"]: made for made in calls},
        "outcomes": {made["signature"]: made for made in outcomes},
    }
