"""Wavegraph: tool-using agents that plan in waves, check what came back, and correct themselves."""

from pathlib import Path as _Path

_here = _Path(__file__).resolve().parent
if not (_here / "graph").is_dir():  # a checkout without symbolic links: git with links off, an unpacked zip
    __path__ = [*__path__, str(_here.parents[1])]
del _Path, _here

from wavegraph.app.run.cancel import CancelHandle
from wavegraph.app.run.result import Result
from wavegraph.app.run.runner import Cancelled, resume, run, stream
from wavegraph.graph.build import build_graph
from wavegraph.graph.domain import AnswerView, Domain, DomainTool, PlanningView, ResolvedCall, read
from wavegraph.graph.errors import NothingToResume, PlanError, SettingsError, ThreadBusy, ToolRefusal, WavegraphError
from wavegraph.graph.ledger import results
from wavegraph.graph.limits import Limits
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import PlanningResult, ToolCall, ToolOutcome, ValidationIssue

__all__ = [
    "AnswerView",
    "CancelHandle",
    "Cancelled",
    "Domain",
    "DomainTool",
    "Limits",
    "NothingToResume",
    "PlanError",
    "PlanningResult",
    "PlanningView",
    "ResolvedCall",
    "Result",
    "Settings",
    "SettingsError",
    "ThreadBusy",
    "ToolCall",
    "ToolOutcome",
    "ToolRefusal",
    "ValidationIssue",
    "WavegraphError",
    "build_graph",
    "read",
    "results",
    "resume",
    "run",
    "stream",
]
