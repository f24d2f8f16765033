"""Who gives a run its input, on a server that knows its users.

Such a server (`langgraph_sdk.Auth`) hands the user's identity and permissions to each run. Without one, and embedded,
nobody is known: who may answer is then the caller's own affair.
"""

from typing import Any, NamedTuple

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from wavegraph.graph.approval import MAY_ANSWER, Answer, Question
from wavegraph.graph.dialogue.answers import ParsedReply, Speech, Taken
from wavegraph.graph.language import language_of, say


class Caller(NamedTuple):
    identity: str | None
    """None = the server does not know its users, or there is none."""
    may_answer: bool
    """Whether this user answers the questions that are not the asker's own."""


def caller_of(runtime: Runtime[Any]) -> Caller:
    """A user with an `actor` is one in whose name that other person acts, as staff does on a guest's thread."""
    user = runtime.server_info.user if runtime.server_info else None
    if user is None or not user.identity:
        return Caller(None, True)
    actor = getattr(user, "actor", None)
    identity = actor if isinstance(actor, str) and actor else user.identity
    return Caller(identity, MAY_ANSWER in (getattr(user, "permissions", None) or ()))


def as_theirs(reading: ParsedReply, question: Question, caller: Caller) -> ParsedReply:
    """What a reply counts for from this caller.

    A decision on a question that is somebody else's counts for no more than the same words would: a no withdraws the
    request, and the rest is a plain yes, which is a message. It never stays with the question: LangGraph gives a node
    all earlier replies again, and they must not count as the next caller's.
    """
    if not isinstance(reading, Taken) or question["by_asker"] or caller.may_answer:
        return reading
    words = reading.answer.get("words", "")
    language = language_of(words or question["summary"])
    if reading.answer["decision"] == "reject":
        withdrawn: Answer = {"decision": "reject", "reason": say("withdrawn", language)}
        return Taken({**withdrawn, "words": words} if words else withdrawn, reading.message_id)
    return Speech([HumanMessage(say("a_yes", language))])
