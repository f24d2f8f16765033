"""Marked messages of a thread that are neither requests nor answers: questions, replies to them, and stop notes."""

from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, convert_to_messages

_PREFIX = "reply-"
_QUESTION = "asked-"
_STOPPED = "stopped-"
_MARK = "wavegraph_reply"
"""Marks a reply that came with its own id, by which clients know it."""


def messages_in(given: Any) -> list[BaseMessage] | None:
    """The messages of an input, one or a list, in any form that LangChain reads; None = they cannot be read."""
    try:
        return convert_to_messages(given if isinstance(given, list) else [given])
    except (ValueError, TypeError, NotImplementedError, AttributeError, KeyError):
        return None


def question(text: str, name: str) -> AIMessage:
    return AIMessage(text, id=f"{_QUESTION}{name}")


def reply(text: str, name: str, message_id: str | None = None) -> HumanMessage:
    """`message_id`: the id it came with."""
    return HumanMessage(text, id=message_id or f"{_PREFIX}{name}", additional_kwargs={_MARK: True})


def is_reply(message: BaseMessage) -> bool:
    marked = message.additional_kwargs.get(_MARK) is True or (message.id or "").startswith(_PREFIX)
    return isinstance(message, HumanMessage) and marked


def is_question(message: BaseMessage) -> bool:
    return isinstance(message, AIMessage) and (message.id or "").startswith(_QUESTION)


def stop_note(text: str, request: str) -> AIMessage:
    """`request`: id of its message; a second note on the same request replaces the first."""
    return AIMessage(content=text, id=f"{_STOPPED}{request}")


def is_stop_note(message: BaseMessage) -> bool:
    return isinstance(message, AIMessage) and (message.id or "").startswith(_STOPPED)


def is_reserved(message_id: str | None) -> bool:
    """Whether an id is reserved, so that no client may choose it."""
    return (message_id or "").startswith((_PREFIX, _QUESTION))
