"""Opening a request: what a new human message begins, and what stays of the one before."""

from dataclasses import asdict
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from wavegraph.graph.ledger import GOOD, newest_results
from wavegraph.graph.limits import Limits
from wavegraph.graph.phrases import language_of, say
from wavegraph.graph.reply import is_reply
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import (
    CARRIED,
    STATE_VERSION,
    AgentState,
    Ledger,
    Previous,
    Request,
    ToolOutcome,
    empty_ledger,
)
from wavegraph.graph.stop_note import is_stop_note

PREVIOUS_BYTES = 64_000
"""Most bytes of results that are kept of the request before: four times what a model is shown of them."""


def begins_request(state: AgentState) -> bool:
    """Whether the last human message is still to be worked on, or nothing is in work."""
    request = state.get("request")
    if request is None or state.get("outcome") is not None:
        return True
    last = last_human(state["messages"])
    return last is not None and (last.id, str(last.text)) != (request["id"], request["text"])


def opening(state: AgentState, settings: Settings, limits: Limits) -> dict[str, Any]:
    """The fields of a new request: everything of the one before is gone, but for `previous` and what carries over."""
    return {
        "version": STATE_VERSION,
        "request": _request(state, settings),
        "limits": asdict(limits),
        "previous": _previous(state),
        "ledger": _carried(state),
        "plan": None,
        "issues": [],
        "issue_counts": {},
        "approvals": {},
        "feedback": None,
        "planning_calls": 0,
        "waves": 0,
        "adaptations": 0,
        "llm_calls": 0,
        "answer_replans": 0,
        "rewrites": 0,
        "unsupported": [],
        "judged_answer": "",
        "answer_failures": [],
        "answer_validation_failed": False,
        "validation_failure_reason": None,
        "llm_tokens": {"input": 0, "output": 0},
        "limits_hit": [],
        "validation": {"is_valid": True, "needs_adaptation": False, "issues": [], "feedback": "", "suggestions": []},
        "model_down": False,
        "message_id": "",
        "times": {},
        "answer": "",
        "outcome": None,
    }


def _request(state: AgentState, settings: Settings) -> Request:
    before = state.get("request")
    number = before["number"] + 1 if before else 1
    message = _new_human(state["messages"], before)
    text = str(message.text) if message else ""
    language = settings.language if settings.language != "auto" else language_of(text)
    name = message.id if message and message.id else f"empty-{number}"
    return {"id": name, "number": number, "text": text, "language": language}


def last_human(messages: list[AnyMessage]) -> HumanMessage | None:
    """The last message that a request may be; an answer to a question of the running one is none."""
    said = (m for m in reversed(messages) if isinstance(m, HumanMessage) and not is_reply(m))
    return next(said, None)


def _new_human(messages: list[AnyMessage], before: Request | None) -> HumanMessage | None:
    """The last human message, unless it was answered already."""
    message = last_human(messages)
    answered = bool(messages) and isinstance(messages[-1], AIMessage) and not is_stop_note(messages[-1])
    known = (
        message is not None and before is not None and (message.id, str(message.text)) == (before["id"], before["text"])
    )
    return None if answered or known else message


def _previous(state: AgentState) -> Previous | None:
    if (request := state.get("request")) is None:
        return None
    ledger = newest_results(state["ledger"], PREVIOUS_BYTES)
    open_questions = {key: asked for key, asked in state.get("approvals", {}).items() if asked["decision"] is None}
    return {"request": request, "plan": state.get("plan"), "ledger": ledger, "outcome": state.get("outcome"),
            "approvals": open_questions}  # fmt: skip


def _carried(state: AgentState) -> Ledger:
    """The good reads of a request that was cut off, but those a write has overtaken; of a finished one, nothing."""
    if state.get("request") is None or state.get("outcome") is not None:
        return empty_ledger()
    before = state["ledger"]
    reads = {call["tool"] for call in before["calls"].values() if call["effect"] == "read"}
    written = max((o["wave"] for o in before["outcomes"].values() if o["tool"] not in reads), default=0)
    kept: dict[str, ToolOutcome] = {
        key: {**outcome, "runs": 0, "wave": CARRIED}
        for key, outcome in before["outcomes"].items()
        if outcome["tool"] in reads and outcome["status"] in GOOD and outcome["wave"] >= written
    }
    return {"calls": {}, "outcomes": kept, "artifacts": before["artifacts"]}


def unreadable(request: Request, messages: list[AnyMessage], settings: Settings) -> str | None:
    """What to say to a message with no text, or more than is read; None = it can be read."""
    length, limit = len(request["text"]), settings.max_message_chars
    if length > limit:
        return say("too_long", request["language"], length=length, limit=limit)
    if request["text"].strip():
        return None
    message = next((m for m in messages if m.id == request["id"]), None)
    has_blocks = message is not None and isinstance(message.content, list) and bool(message.content)
    return say("unreadable" if has_blocks else "empty", request["language"])
