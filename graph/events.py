"""Progress events of a request: typed, streamed (`custom`) and logged.

Events name calls, tools and issues; they never carry results or secrets.
"""

import logging
from typing import Any, Literal, NotRequired

from langgraph.config import get_stream_writer
from typing_extensions import TypedDict

from wavegraph.graph.errors import logger
from wavegraph.graph.secrets.scrubber import process
from wavegraph.graph.state import CallStatus, ValidationIssue


class PlannedTool(TypedDict):
    id: str
    tool: str
    args: dict[str, Any]


class PlanCreated(TypedDict):
    event: Literal["plan_created"]
    number: int
    action: str
    reasoning: str
    status: str
    tools: list[PlannedTool]
    planner: str


class WaveStarted(TypedDict):
    event: Literal["wave_started"]
    wave: int
    calls: list[str]


class ToolStarted(TypedDict):
    event: Literal["tool_started"]
    id: str
    tool: str
    args: dict[str, Any]
    wave: int


class ToolProgress(TypedDict):
    event: Literal["tool_progress"]
    tool: str
    progress: dict[str, Any]


class ToolFinished(TypedDict):
    event: Literal["tool_finished"]
    id: str
    tool: str
    status: CallStatus
    elapsed_s: float
    error: str | None


class ApprovalAsked(TypedDict):
    event: Literal["approval_asked"]
    id: str
    tool: str
    number: int
    """How often this call has been asked about, from 1."""


class ApprovalGiven(TypedDict):
    event: Literal["approval_given"]
    id: str
    decision: Literal["approve", "reject", "edit"]
    by: NotRequired[str]
    """Identity of who decided, on a server that knows its users."""


class CheckStarted(TypedDict):
    """Of a check with a name; those of one result run side by side."""

    event: Literal["check_started"]
    id: str
    """The call's whose result is checked."""
    tool: str
    check: str


class CheckFinished(TypedDict):
    event: Literal["check_finished"]
    id: str
    tool: str
    check: str
    found: list[str]
    """Types of the issues that it found, each once."""


class ValidationComplete(TypedDict):
    event: Literal["validation_complete"]
    needs_adaptation: bool
    issues: list[ValidationIssue]
    details: NotRequired[dict[str, Any]]
    """The domain's report on its work so far."""


class AdaptationStarted(TypedDict):
    event: Literal["adaptation_started"]
    turn: int
    reason: str


class AdaptationComplete(TypedDict):
    event: Literal["adaptation_complete"]
    turn: int
    tools_executed: int
    success: bool


class AnswerChecked(TypedDict):
    event: Literal["answer_checked"]
    satisfied: bool
    reason: str
    attempt: int
    checked_by: str
    sent_back_to: Literal["plan", "respond"] | None
    """None = the answer goes out as it is, satisfied or not."""


class AnswerReplaced(TypedDict):
    event: Literal["answer_replaced"]
    message_id: str
    answer: str


class LimitReached(TypedDict):
    event: Literal["limit_reached"]
    limit: str
    done: int
    left_undone: list[str]


Event = (
    PlanCreated
    | WaveStarted
    | ToolStarted
    | ToolProgress
    | ToolFinished
    | ApprovalAsked
    | ApprovalGiven
    | CheckStarted
    | CheckFinished
    | ValidationComplete
    | AdaptationStarted
    | AdaptationComplete
    | AnswerChecked
    | AnswerReplaced
    | LimitReached
)


def emit(event: Event) -> None:
    """Send an event to the run's `custom` stream and to the log. Call inside a node or a tool."""
    told: Any = process.scrub_json(event) if process.holds(repr(event)) else event
    level = logging.WARNING if event["event"] == "limit_reached" else logging.INFO
    if logger.isEnabledFor(level):
        logger.log(level, "%s", _line(told))
    get_stream_writer()(dict(told))


def progress(tool: str, **figures: Any) -> None:
    """Report how far a long tool has come; for tools to call."""
    emit({"event": "tool_progress", "tool": tool, "progress": figures})


def _line(event: Event) -> str:
    facts = {
        name: value for name, value in event.items() if name not in ("event", "details") and value not in (None, [])
    }
    return " ".join([event["event"], *(f"{name}={value!r}" for name, value in facts.items())])
