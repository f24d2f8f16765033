"""What the roster's planner sees, built by hand: rounds as the ledger holds them, and what was found in them."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from langchain_core.messages import HumanMessage

from wavegraph.graph.ledger import signature
from wavegraph.graph.state import Ledger, PlannedCall, ToolOutcome, ValidationIssue, empty_ledger
from wavegraph.graph.views import AnswerView, PlanningView
from wavegraph.tools.roster.problem.prices import KINDS
from wavegraph.tools.roster.records import Generated
from wavegraph.tools.roster.settings import RosterSettings

TODAY = date(2026, 11, 20)


def made(iteration: int = 1, **fields: Any) -> dict[str, Any]:
    """A result of `generate_roster`."""
    given = {
        "ward": "Small", "ward_hash": "a" * 64, "start": "2026-11-23", "days": 7, "iteration": iteration,
        "roster_id": f"{iteration:016x}", "status": "feasible", "cost": 10.0, "raised_cost": 10.0, "raised_bound": 4.0,
        "parts": dict.fromkeys(KINDS, 1.0), "seconds": 1.0, "penalty_multipliers": {},
    }  # fmt: skip
    return Generated.model_validate({**given, **fields}).model_dump(mode="json")


def entry(name: str, tool: str, args: dict[str, Any], plan: int, **outcome: Any) -> tuple[PlannedCall, ToolOutcome]:
    call: PlannedCall = {"id": name, "tool": tool, "args": args, "effect": "read", "plan": plan}
    ended: ToolOutcome = {
        "tool": tool, "args": args, "status": "ok", "data": None, "error": None, "attempts": 1, "runs": 1,
        "plan": plan, "wave": plan, "elapsed_s": 0.1, "signature": signature(tool, args),
    }  # fmt: skip
    ended.update(outcome)  # type: ignore[typeddict-item]
    return call, ended


def round_entry(iteration: int = 1, plan: int = 1, **fields: Any) -> tuple[PlannedCall, ToolOutcome]:
    name = "generate_roster" if iteration == 1 else f"generate_roster_{iteration}"
    args = {"ward_hash": "a" * 64, "iteration": iteration}
    return entry(name, "generate_roster", args, plan, data=made(iteration, **fields))


def ledger_of(*entries: tuple[PlannedCall, ToolOutcome]) -> Ledger:
    calls = {call["id"]: call for call, _ in entries}
    return {**empty_ledger(), "calls": calls, "outcomes": {ended["signature"]: ended for _, ended in entries}}


def issue(kind: str, call: str = "generate_roster", **fields: Any) -> ValidationIssue:
    found: ValidationIssue = {
        "type": kind, "tool_id": call, "message": f"{kind} of ann", "severity": "warning", "rule": kind,
        "about": {"nurse_id": "ann"},
    }  # fmt: skip
    return {**found, **fields}  # type: ignore[typeddict-item]


def view(
    ledger: Ledger | None = None, issues: Sequence[ValidationIssue] = (), text: str = "make the roster", **settings: Any
) -> PlanningView:
    """`issues` are both all that was found and the feedback."""
    feedback = {"source": "results", "issues": list(issues)} if issues else None
    return PlanningView(
        request={"id": "r", "number": 1, "text": text, "language": "en"},
        conversation=[HumanMessage(text)],
        settings=RosterSettings.model_validate({"today": TODAY, **settings}),
        today=TODAY,
        ledger=ledger or empty_ledger(),
        plan=None,
        previous=None,
        feedback=feedback,  # type: ignore[arg-type]
        issues=issues,
    )


def answer_view(
    *entries: tuple[PlannedCall, ToolOutcome],
    issues: Sequence[ValidationIssue] = (),
    language: str = "en",
    remarks: Sequence[str] = (),
    **slots: Any,
) -> AnswerView:
    """What an answer is written from."""
    plan: Any = {
        "slots": slots,
        "tools": [],
        "reply": None,
        "action": "generate",
        "planner": "llm",
        "remarks": [*remarks],
    }
    return AnswerView(
        request={"id": "r", "number": 1, "text": "make the roster", "language": language}, conversation=[],
        settings=RosterSettings(today=TODAY), today=TODAY, ledger=ledger_of(*entries), plan=plan, previous=None,
        issues=issues, open_issues=issues, unfinished=[], limits_hit=[], feedback=None, unsupported=[],
    )  # fmt: skip
