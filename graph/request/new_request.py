"""Opens a request: its fields, what carries over from the one before, and which threads can be read."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from wavegraph.graph.dialogue.messages import blocks_of, is_reply, is_stop_note
from wavegraph.graph.dialogue.questions import held_requests, is_waiting, newest_heard
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.language import USUAL, Language, language_of, say
from wavegraph.graph.ledger import GOOD, newest_results
from wavegraph.graph.limits import Limits
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import (
    CARRIED,
    DEFAULTS,
    MOST_MESSAGES,
    STATE_VERSION,
    AgentState,
    Heard,
    Ledger,
    PastRequest,
    Request,
    ToolOutcome,
    cut_message,
    empty_ledger,
    is_undecided,
    message_length,
    with_calls,
    with_texts,
)

PREVIOUS_BYTES = 64_000
"""Most bytes of results kept from the request before: four times what a model sees of them."""


def check_version(state: Mapping[str, Any]) -> None:
    """Raises SettingsError for a thread written by a newer program.

    Older ones open as they are: a thread without a version is of version 1.
    """
    written = state.get("version")
    if written and written > STATE_VERSION:
        raise SettingsError(
            f"this thread was written with version {written} of the stored state, and this program reads up to "
            f"version {STATE_VERSION}: use the newer program for it, or start a new thread"
        )


def begins_request(state: AgentState) -> bool:
    """Whether the last human message begins a request, or no request is open."""
    if state.get("request") is None or state.get("outcome") is not None:
        return True
    return has_new_message(state)


def has_new_message(state: AgentState) -> bool:
    """Whether the last human message has not begun a request yet, and is not a reply within one."""
    last = last_human(state["messages"])
    return last is not None and (last.id, str(last.text)) != newest_request_message(state)


def new_messages(state: AgentState) -> list[HumanMessage]:
    """The human messages after the newest one that began a request, oldest first."""
    humans = [m for m in state["messages"] if isinstance(m, HumanMessage) and not is_reply(m)]
    newest = newest_request_message(state)
    known = next((n for n, m in reversed(list(enumerate(humans))) if (m.id, str(m.text)) == newest), -1)
    return humans[known + 1 :]


def masked(state: AgentState, mask: Callable[[str], str] | None) -> list[HumanMessage]:
    """The new messages that a mask changes, as it leaves them, each to take its own place."""
    made = [(each, with_texts(each.content, mask)) for each in new_messages(state)] if mask else []
    return [each.model_copy(update={"content": content}) for each, content in made if content != each.content]


def with_replaced(messages: Sequence[AnyMessage], by: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The messages, those of the same ids in their places."""
    own = {each.id: each for each in by}
    return [own.get(each.id, each) for each in messages]


def newest_request_message(state: AgentState) -> tuple[str | None, str]:
    """Id and text of the newest message that began a request."""
    newest = newest_heard(state)
    # as it is stored today: an earlier version kept longer texts
    return (newest["id"], str(cut_message(HumanMessage(newest["text"])).text)) if newest else (None, "")


def new_request(
    state: AgentState,
    settings: Settings,
    limits: Limits,
    own: Mapping[str, Any] | None = None,
    languages: Sequence[Language] = USUAL,
) -> dict[str, Any]:
    """The fields of a new request. Of the one before remain only `previous`, what carries over, and a write that waits
    for a person. `own`: the settings that the run was given."""
    request, newest = _request(state, settings, languages), last_human(state["messages"])
    name, text = (newest.id or "", str(newest.text)) if newest else (request["id"], request["text"])
    heard: Heard = {"id": name, "text": text, "number": request["number"]}
    fields = {
        **DEFAULTS,
        "version": STATE_VERSION,
        "request": request,
        "heard": None if heard == newest_heard({"request": request}) else heard,
        "settings": dict(own or {}),
        "limits": {**vars(limits)},
        "previous": _previous(state),
        "ledger": _carried_results(state),
        "plan": None,
        "issues": [],
        "approvals": {},
        "waves": 0,
        "adaptations": 0,
        "usage": {},
        "validation": {"is_valid": True, "needs_adaptation": False, "issues": [], "feedback": "", "suggestions": []},
        "times": {},
        "answer": "",
        "outcome": None,
    }
    return {**fields, "set_aside": held_requests(state, fields)}


def _request(state: AgentState, settings: Settings, languages: Sequence[Language]) -> Request:
    before = state.get("request")
    number = newest["number"] + 1 if (newest := newest_heard(state)) else 1
    message = _new_human(state)
    text = str(message.text) if message else ""
    spoken = before["language"] if before else None
    language = settings.language if settings.language != "auto" else language_of(text, languages, spoken)
    name = message.id if message and message.id else f"empty-{number}"
    request: Request = {"id": name, "number": number, "text": text, "language": language}
    together = _came_together(state)
    if len(together) > MOST_MESSAGES:
        return {**request, "too_many": len(together)}
    longest = max(map(message_length, together), default=0)
    return {**request, "unread": longest} if longest > settings.max_message_chars else request


def _came_together(state: AgentState) -> list[HumanMessage]:
    """The new human messages that no answer has followed yet."""
    messages = state["messages"]
    answer = next((n for n, m in reversed(list(enumerate(messages))) if isinstance(m, AIMessage)), -1)
    unanswered = {id(message) for message in messages[answer + 1 :]}
    return [message for message in new_messages(state) if id(message) in unanswered]


def last_human(messages: list[AnyMessage]) -> HumanMessage | None:
    """The last message that may be a request; replies to questions are not."""
    humans = (m for m in reversed(messages) if isinstance(m, HumanMessage) and not is_reply(m))
    return next(humans, None)


def _new_human(state: AgentState) -> HumanMessage | None:
    """The last human message, unless it is already answered."""
    messages = state["messages"]
    answered = bool(messages) and isinstance(messages[-1], AIMessage) and not is_stop_note(messages[-1])
    return last_human(messages) if has_new_message(state) and not answered else None


def _previous(state: AgentState) -> PastRequest | None:
    if (request := state.get("request")) is None:
        return None
    ledger = newest_results(state["ledger"], PREVIOUS_BYTES)
    open_questions = {key: asked for key, asked in state.get("approvals", {}).items() if is_undecided(asked, state)}
    found: PastRequest = {
        "request": readable(request), "plan": state.get("plan"), "ledger": ledger, "outcome": state.get("outcome"),
        "approvals": open_questions,
    }  # fmt: skip
    earlier = None if ledger["calls"] else with_calls(state.get("previous"))
    return {**found, "earlier": earlier} if earlier and earlier["ledger"]["calls"] else found


def _carried_results(state: AgentState) -> Ledger:
    """The good reads of a cut-off request, except those that a write has overtaken and those that were carried over
    themselves but not used; nothing from a request that ended or waits."""
    if state.get("request") is None or state.get("outcome") is not None or is_waiting(state):
        return empty_ledger()
    before = state["ledger"]
    reads = {call["tool"] for call in before["calls"].values() if call["effect"] == "read"}
    written = max((o["wave"] for o in before["outcomes"].values() if o["tool"] not in reads), default=1)
    kept: dict[str, ToolOutcome] = {
        key: {**outcome, "runs": 0, "wave": CARRIED}
        for key, outcome in before["outcomes"].items()
        if outcome["tool"] in reads and outcome["status"] in GOOD and outcome["wave"] >= written
    }
    return {"calls": {}, "outcomes": kept, "artifacts": before["artifacts"]}


def readable(request: Request) -> Request:
    """The request without a text that is too much to read."""
    return {**request, "text": ""} if {"unread", "too_many"} & request.keys() else request


def unreadable(
    request: Request, messages: list[AnyMessage], settings: Settings, *, takes_blocks: bool = False
) -> str | None:
    """What to answer to a message with no text or too much; None = it can be read. `takes_blocks`: other blocks will do."""
    if count := request.get("too_many"):
        return say("too_many", request["language"], count=count, limit=MOST_MESSAGES)
    if length := request.get("unread"):
        return say("too_long", request["language"], length=length, limit=settings.max_message_chars)
    if request["text"].strip():
        return None
    message = next((m for m in messages if m.id == request["id"]), None)
    has_blocks = message is not None and isinstance(message.content, list) and bool(message.content)
    if takes_blocks and message is not None and blocks_of(message):
        return None
    return say("unreadable" if has_blocks else "empty", request["language"])
