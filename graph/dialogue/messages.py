"""Marked messages of a thread that are neither requests nor answers: questions, replies to them, and stop notes."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage, convert_to_messages

_PREFIX = "reply-"
_QUESTION = "asked-"
_STOPPED = "stopped-"
_MARK = "wavegraph_reply"
"""Marks a reply that came with its own id, by which clients know it."""
_SHOWN_MS = "wavegraph_shown_ms"
"""On a question: when it was shown, in milliseconds since 1970."""
_RIVALLED = "wavegraph_rivalled"
"""On a question: whether an answer had offered something in its place."""
_NAMED = 12
"""Letters of the terms' hash in a question's id."""


def messages_in(given: Any) -> list[BaseMessage] | None:
    """The messages of an input, one or a list, in any form that LangChain reads; None = they cannot be read."""
    try:
        return convert_to_messages(given if isinstance(given, list) else [given])
    except (ValueError, TypeError, NotImplementedError, AttributeError, KeyError):
        return None


def blocks_of(message: BaseMessage) -> list[dict[str, Any]]:
    """What a message holds besides text."""
    parts = message.content if isinstance(message.content, list) else ()
    return [part for part in parts if isinstance(part, dict) and part.get("type") != "text"]


def question(text: str, terms_hash: str, before: Sequence[BaseMessage], *, rivalled: bool = False) -> AIMessage:
    """A showing of these terms, behind the messages `before`: each has an id of its own. `rivalled`: as in `Question`."""
    number = 1 + max((_number(message) for message in before if is_question(message)), default=0)
    name = f"{_QUESTION}{number}-{terms_hash[:_NAMED]}"
    return AIMessage(text, id=name, additional_kwargs={_SHOWN_MS: now_ms(), _RIVALLED: rivalled})


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def _number(message: BaseMessage) -> int:
    found = str(message.id).removeprefix(_QUESTION).partition("-")[0]
    return int(found) if found.isdecimal() else 0


def shown_last(messages: Sequence[BaseMessage], terms_hash: str) -> BaseMessage | None:
    """The question about these terms, if it is the last that was said before the reply."""
    last = messages[-1] if messages else None
    before = messages[:-1] if isinstance(last, HumanMessage) and not is_reply(last) else messages
    return before[-1] if ends_with(before, terms_hash) else None


def ends_with(messages: Sequence[BaseMessage], terms_hash: str) -> bool:
    """Whether the conversation ends with the question about these terms."""
    last = messages[-1] if messages else None
    return last is not None and is_question(last) and str(last.id).endswith(f"-{terms_hash[:_NAMED]}")


def is_rivalled(messages: Sequence[BaseMessage], terms_hash: str) -> bool:
    """Whether these terms were shown behind an answer that offered something in their place."""
    return any(each.additional_kwargs.get(_RIVALLED) for each in messages if ends_with([each], terms_hash))


def is_shown_after(message: BaseMessage, sent_at_ms: int | None) -> bool:
    """Whether a question was shown only after a reply to it was sent; None = it is not known when."""
    shown_at = message.additional_kwargs.get(_SHOWN_MS)
    return isinstance(shown_at, int) and sent_at_ms is not None and sent_at_ms < shown_at


def reply(text: str, name: str, message_id: str | None = None) -> HumanMessage:
    """`message_id`: the id it came with."""
    return HumanMessage(text, id=message_id or f"{_PREFIX}{name}", additional_kwargs={_MARK: True})


def is_reply(message: BaseMessage) -> bool:
    marked = message.additional_kwargs.get(_MARK) is True or (message.id or "").startswith(_PREFIX)
    return isinstance(message, HumanMessage) and marked


def is_question(message: BaseMessage) -> bool:
    return isinstance(message, AIMessage) and (message.id or "").startswith(_QUESTION)


def terms_of(message: BaseMessage) -> str:
    """The beginning of the hash of the terms that a question shows."""
    return str(message.id).rpartition("-")[2]


def stop_note(text: str, request: str) -> AIMessage:
    """`request`: id of its message; a second note on the same request replaces the first."""
    return AIMessage(content=text, id=f"{_STOPPED}{request}")


def is_stop_note(message: BaseMessage) -> bool:
    return isinstance(message, AIMessage) and (message.id or "").startswith(_STOPPED)


def calls_in(messages: Sequence[BaseMessage]) -> Mapping[str, Any]:
    """The calls that stand in them, by id."""
    found = (call for each in messages if isinstance(each, AIMessage) for call in each.tool_calls)
    return {str(call["id"]): call for call in found if call["id"]}


def is_of_calls(message: BaseMessage) -> bool:
    """Whether it holds calls or a result, and nothing that was said."""
    return isinstance(message, ToolMessage) or bool(
        isinstance(message, AIMessage) and message.tool_calls and not message.text
    )


def is_reserved(message_id: str | None) -> bool:
    """Whether an id is reserved, so that no client may choose it."""
    return (message_id or "").startswith((_PREFIX, _QUESTION))
