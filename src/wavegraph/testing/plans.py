"""Short ways to write plans."""

from typing import Any, Literal

from wavegraph.graph.state import PlanningResult, ToolCall


def call(call_id: str, tool: str, /, *, instead_of: str | None = None, **args: Any) -> ToolCall:
    """A call of `tool` with these arguments; `instead_of`: the call whose issue it works around."""
    made: ToolCall = {"id": call_id, "tool": tool, "args": args}
    return {**made, "instead_of": instead_of} if instead_of else made


def ref(call_id: str, path: str = "") -> dict[str, Any]:
    """An argument that is part of what another call finds: `ref("dates", "stays[0].check_in")`."""
    return {"ref": {"call": call_id, "path": path}}


def planning(
    *calls: ToolCall,
    status: Literal["continue", "done"] = "done",
    action: str = "look_up",
    reply: str | None = None,
    **slots: Any,
) -> PlanningResult:
    """What a planner gives back: calls to run, or a `reply` (a question, a refusal) in their place."""
    return {
        "status": status,
        "action": action,
        "reasoning": "as scripted",
        "slots": slots,
        "tools": list(calls),
        "reply": reply,
    }
