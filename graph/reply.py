"""Question and answer inside a running request, as the conversation keeps them: no request and no answer to one."""

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

_PREFIX = "reply-"
_QUESTION = "asked-"


def reply_id(name: str) -> str:
    return f"{_PREFIX}{name}"


def question_id(name: str) -> str:
    return f"{_QUESTION}{name}"


def is_reply(message: BaseMessage) -> bool:
    return isinstance(message, HumanMessage) and (message.id or "").startswith(_PREFIX)


def is_question(message: BaseMessage) -> bool:
    return isinstance(message, AIMessage) and (message.id or "").startswith(_QUESTION)
