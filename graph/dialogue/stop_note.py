"""The message that tells in a thread that a request was stopped; it answers nothing, so the request can be resumed."""

from langchain_core.messages import AIMessage, BaseMessage

_PREFIX = "stopped-"


def stop_note(text: str, request: str) -> AIMessage:
    """`request`: id of its message; a second note on the same request takes the place of the first."""
    return AIMessage(content=text, id=f"{_PREFIX}{request}")


def is_stop_note(message: BaseMessage) -> bool:
    return isinstance(message, AIMessage) and (message.id or "").startswith(_PREFIX)
