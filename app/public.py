"""What `import wavegraph` offers. It is imported when the first of it is asked for: the command line starts without it."""

from wavegraph.app.run.cancel import CancelHandle
from wavegraph.app.run.feedback import BadVerdict, NothingToJudge, give_feedback
from wavegraph.app.run.result import Result
from wavegraph.app.run.runner import Cancelled, NothingToResume, resume, run, stream
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.adopt.agent import AGENT_LIMITS, create_agent
from wavegraph.graph.adopt.mcp import mcp_tools
from wavegraph.graph.answer.operators import Arithmetic, Quantity
from wavegraph.graph.answer.replies import Quote, ReplyForm
from wavegraph.graph.answer.statements import Catalogue, Duty, Statement
from wavegraph.graph.approval import Approval, Choice, Terms
from wavegraph.graph.build import build_graph
from wavegraph.graph.dialogue.messages import stop_note
from wavegraph.graph.domain import Checks, Domain, Replies, Sayable, Script
from wavegraph.graph.domain_tool import DomainTool, Retry, read, write
from wavegraph.graph.errors import (
    ConnectionLost,
    CutShort,
    ReplyRefused,
    SettingsError,
    StorageError,
    ThreadBusy,
    ToolRefusal,
    WavegraphError,
)
from wavegraph.graph.guard.cards import mask, mask_json
from wavegraph.graph.language import Language
from wavegraph.graph.ledger import results
from wavegraph.graph.limits import Limits
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import Criterion, PlanningResult, ToolCall, ToolOutcome, ValidationIssue
from wavegraph.graph.views import AnswerView, Contradiction, PlanningView, ResolvedCall

__all__ = [
    "AGENT_LIMITS",
    "AnswerView",
    "Approval",
    "Arithmetic",
    "BadVerdict",
    "CancelHandle",
    "Cancelled",
    "Catalogue",
    "Checks",
    "Choice",
    "ConnectionLost",
    "Contradiction",
    "Criterion",
    "CutShort",
    "Domain",
    "DomainTool",
    "Duty",
    "Language",
    "Limits",
    "NothingToJudge",
    "NothingToResume",
    "PlanningResult",
    "PlanningView",
    "Quantity",
    "Quote",
    "Replies",
    "ReplyForm",
    "ReplyRefused",
    "ResolvedCall",
    "Result",
    "Retry",
    "Sayable",
    "Script",
    "Settings",
    "SettingsError",
    "Statement",
    "StorageError",
    "Terms",
    "ThreadBusy",
    "ToolCall",
    "ToolOutcome",
    "ToolRefusal",
    "ValidationIssue",
    "WavegraphError",
    "build_graph",
    "create_agent",
    "give_feedback",
    "mask",
    "mask_json",
    "mcp_tools",
    "open_storage",
    "read",
    "results",
    "resume",
    "run",
    "stop_note",
    "stream",
    "write",
]
