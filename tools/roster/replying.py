"""A plain yes or no that comes as a request of its own, to the question that the request before ended with.

A client that knows interrupts answers them; one that only sends messages says "publish it".
"""

from collections.abc import Mapping
from typing import Any

from wavegraph.graph.consent import consent
from wavegraph.graph.domain import PlanningView
from wavegraph.graph.state import ToolCall

PUBLISH = "publish_roster"
YES = ("publish", "publish it", "approve", "approved")
NO = ("reject", "reject it")


def decided(view: PlanningView) -> list[ToolCall] | str | None:
    """The calls that a yes leads to, or what a no is answered with; None = it is neither, or nothing was asked."""
    if (args := _asked_before(view)) is None:
        return None
    said = consent(view.request["text"], YES, NO)
    if said == "no":
        return f"Not published, as you said. Roster {args['roster_id']} is still kept."
    report: ToolCall = {"id": "get_report", "tool": "get_report", "args": {"roster_id": args["roster_id"]}}
    return [report, {"id": PUBLISH, "tool": PUBLISH, "args": dict(args)}] if said == "yes" else None


def _asked_before(view: PlanningView) -> Mapping[str, Any] | None:
    """The publication that was asked about and not answered."""
    before = view.previous
    if before is None or before["outcome"] is not None:
        return None
    waiting = before.get("approvals", {}).values()
    return next((asked["args"] for asked in waiting if asked["tool"] == PUBLISH), None)
