"""A planner that says only what a test wrote down, and short ways to write plans."""

from collections.abc import Callable, Sequence
from typing import Any

from wavegraph import AnswerView, PlanningResult, PlanningView, ToolCall
from wavegraph.graph.state import Ledger, Plan, PlannedCall, ToolOutcome, empty_ledger

Reply = PlanningResult | Callable[[PlanningView], Any] | BaseException | Any


def call(call_id: str, tool: str, /, *, instead_of: str | None = None, **args: Any) -> ToolCall:
    made: ToolCall = {"id": call_id, "tool": tool, "args": args}
    return {**made, "instead_of": instead_of} if instead_of else made


def ref(call_id: str, path: str = "") -> dict[str, Any]:
    return {"ref": {"call": call_id, "path": path}}


def planning(
    *calls: ToolCall, status: str = "done", action: str = "look_up", reply: str | None = None, **slots: Any
) -> PlanningResult:
    """What a planner gives back."""
    return {
        "status": status,  # type: ignore[typeddict-item]
        "action": action,
        "reasoning": "as scripted",
        "slots": slots,
        "tools": list(calls),
        "reply": reply,
    }


class Script:
    """Plays its replies in order; one call too many, or too few (`assert_complete`), fails the test."""

    name = "script"

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.views: list[PlanningView] = []

    async def plan(self, view: PlanningView) -> PlanningResult:
        assert self.replies, f"a planning call nobody scripted: {view.feedback}"
        self.views.append(view)
        reply = self.replies.pop(0)
        made: Any = reply(view) if callable(reply) else reply
        made = await made if hasattr(made, "__await__") else made
        if isinstance(made, BaseException):
            raise made
        return made  # type: ignore[no-any-return]

    def assert_complete(self) -> None:
        assert not self.replies, f"{len(self.replies)} scripted replies were never asked for"


class Endless(Script):
    """Asks `make(n)` for the n-th plan, for ever."""

    def __init__(self, make: Callable[[int], PlanningResult]) -> None:
        super().__init__()
        self.make = make

    async def plan(self, view: PlanningView) -> PlanningResult:
        self.views.append(view)
        return self.make(len(self.views))


class Says:
    """A responder that gives its answers in order; the last one again and again."""

    name = "says"

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.views: list[AnswerView] = []

    async def respond(self, view: AnswerView) -> str:
        self.views.append(view)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


# Records as the engine keeps them, for the tables of pure functions.


def planned(
    call_id: str, tool: str, /, effect: str = "read", *, plan: int = 1, instead_of: str | None = None, **args: Any
) -> PlannedCall:
    made: PlannedCall = {"id": call_id, "tool": tool, "args": args, "effect": effect, "plan": plan}  # type: ignore[typeddict-item]
    return {**made, "instead_of": instead_of} if instead_of else made


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
