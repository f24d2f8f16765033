"""Messages that answer a question of the running request: they begin no request of their own."""

from langchain_core.messages import BaseMessage, HumanMessage

_PREFIX = "reply-"


def reply_id(name: str) -> str:
    return f"{_PREFIX}{name}"


def is_reply(message: BaseMessage) -> bool:
    return isinstance(message, HumanMessage) and (message.id or "").startswith(_PREFIX)
