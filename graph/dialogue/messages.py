"""Question and answer inside a request, as the conversation keeps them: no request and no answer to one."""

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

_PREFIX = "reply-"
_QUESTION = "asked-"
_MARK = "wavegraph_reply"
"""In a reply that came with an id of its own, which clients know it by."""


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


def is_reserved(message_id: str | None) -> bool:
    """Whether an id means something here, so that no client may choose it."""
    return (message_id or "").startswith((_PREFIX, _QUESTION))
