"""Writes of a thread that nothing can look up: planned again by a later request, they are sent again only with a yes.

A write with a `look_up` finds out by itself what it did before; one declared `repeatable` may be sent again at will. Any
other is remembered here under its signature, with when it was sent and what came of it.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from wavegraph.graph.approval import Approval, Terms
from wavegraph.graph.domain import Domain
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.language import say
from wavegraph.graph.ledger import GOOD, WRITE_UNKNOWN, canonical
from wavegraph.graph.limits import next_wave, waiting
from wavegraph.graph.ready import PlanStep
from wavegraph.graph.state import AgentState, CallStatus, SentWrite, ToolError, ToolOutcome, WaveCall

MAY_HAVE_HAPPENED = frozenset({WRITE_UNKNOWN, "timeout", "tool_error", "unexpected_data", "too_large"})
"""Error codes that do not say that a write did nothing; any other is a refusal."""
LONGEST_RESULT = 500
"""Characters kept of what a write gave back."""
CUT_OFF = "cut off"
"""What is remembered as the end of a write that was cut off."""
DONE_BEFORE = "done_before"
"""In the details of terms: when the same write was sent before, and what came of it."""


def sent_write(tool: DomainTool, call: WaveCall, outcome: ToolOutcome, data: Any) -> dict[str, SentWrite]:
    """What to remember of a call that has run, by signature; empty = nothing. `data`: its result in full."""
    if tool.may_repeat or not outcome["runs"] or not may_have_happened(outcome["status"], outcome["error"]):
        return {}
    end = outcome["error"]["message"] if outcome["error"] else canonical(data) if outcome["status"] in GOOD else ""
    return {call["signature"]: _sent(call["request_id"], tool.name, outcome["args"], end, outcome["status"] in GOOD)}


def done_write(tool: DomainTool, call: WaveCall, outcome: ToolOutcome, data: Any) -> dict[str, SentWrite]:
    """What to remember of a write that happened, by signature, where later questions tell what is like it; empty = nothing."""
    if outcome["status"] not in GOOD or tool.approval is None or tool.approval.alike is None or tool.receipt is None:
        return {}
    reference, _ = tool.receipt(data, "en")
    sent = _sent(call["request_id"], tool.name, outcome["args"], reference or "", True)
    return {call["signature"]: sent} if reference else {}


def _sent(request_id: str, tool: str, args: dict[str, Any], end: str, happened: bool) -> SentWrite:
    return {
        "request_id": request_id,
        "tool": tool,
        "args": args,
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "happened": happened,
        "told": end if len(end) <= LONGEST_RESULT else f"{end[:LONGEST_RESULT]}…",
    }


def may_have_happened(status: CallStatus, error: ToolError | None) -> bool:
    """Whether a write that ended so did anything, or may have."""
    return status in GOOD or (error["code"] if error else "") in MAY_HAVE_HAPPENED


def cut_off_writes(state: AgentState, domain: Domain) -> dict[str, SentWrite]:
    """The write that was next when the request was cut off, by signature: a process that was killed while it ran left no
    outcome of it. Empty if there is none, or if a person had not agreed to it yet."""
    if not state.get("request") or not state.get("plan") or state.get("outcome") is not None or waiting(state):
        return {}
    return {
        step.signature: _sent(state["request"]["id"], step.call["tool"], step.args, CUT_OFF, False)
        for step in next_wave(state)
        if _was_being_sent(step, state, domain)
    }


def _was_being_sent(step: PlanStep, state: AgentState, domain: Domain) -> bool:
    tool = domain.registry.get(step.call["tool"])
    if tool is None or tool.may_repeat or step.outcome is not None:
        return False
    return tool.approval is None or step.signature in state.get("approvals", {})


def with_history(terms: Terms, sent: SentWrite | None) -> Terms:
    """The terms with the same write of an earlier request: it is part of what is agreed to."""
    if sent is None:
        return terms
    before = {name: value for name, value in sent.items() if name in ("at", "happened", "told")}
    return {**terms, "details": {**terms["details"], DONE_BEFORE: before}}


def history_text(details: Mapping[str, Any], language: str) -> str:
    """The sentence of a question that the same write was sent before, when and with what result; empty = it was not."""
    before = details.get(DONE_BEFORE)
    if not isinstance(before, Mapping) or not before.keys() >= {"at", "happened", "told"}:
        return ""  # none, or a word of the domain's own
    if before["told"] == CUT_OFF:
        return say("cut_off_before", language)
    key = "done_before" if before["happened"] else "maybe_done_before"
    return say(key, language, when=f"{before['at'][:16].replace('T', ' ')} UTC", told=before["told"])


def approval_for(tool: DomainTool) -> Approval:
    """How a person is asked about a write: as it declares, or else, where it was sent before, the person who asked."""
    return tool.approval or plain_approval(tool.name)


def plain_approval(tool: str, phrase: str = "would_be_sent", **more: Any) -> Approval:
    """A question about the call itself, in the engine's words (`phrase`). `more`: what its terms hold besides."""
    return Approval(prepare=partial(_call_itself, {"tool": tool, **more}), restate=partial(_call_text, phrase))


async def _call_itself(about: Mapping[str, Any], args: Mapping[str, Any], settings: Any) -> Terms:
    return {"details": {**about, "args": dict(args)}, "valid_until": None}


def _call_text(phrase: str, details: Mapping[str, Any], language: str) -> str:
    return say(phrase, language, tool=details["tool"], args=canonical(details["args"]))
