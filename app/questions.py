"""What a request that waits for a person asks, and what a person's reply says to it."""

import json
from collections.abc import Mapping
from typing import Any, cast

from langgraph.types import StateSnapshot
from pydantic import TypeAdapter, ValidationError

from wavegraph.graph.approval import Answer, Question
from wavegraph.graph.consent import consent
from wavegraph.graph.domain import explain
from wavegraph.graph.errors import WavegraphError

_ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)


class BadReply(WavegraphError):
    """A reply that the question does not take; the request still waits."""


class AwaitingApproval(WavegraphError):
    """The thread waits for somebody else's approval, which a new request would withdraw."""


def question_of(snapshot: StateSnapshot | None) -> Question | None:
    """What the thread's request asks a person before it runs a write; None = it asks nothing of the kind."""
    for asked in snapshot.interrupts if snapshot else ():
        if isinstance(asked.value, Mapping) and asked.value.get("kind") == "approval":
            return cast(Question, asked.value)
    return None


def told(question: Question) -> str:
    """The question as a person reads it; first why the last answer could not be taken, if it could not."""
    return "\n\n".join(part for part in (question["problem"], question["text"]) if part)


def answer_of(reply: Any, question: Question) -> Answer:
    """The reply in the question's form: a plain yes or no in words, the answer's JSON, or the answer itself.

    Raises BadReply; AwaitingApproval for words where somebody else than the asker agrees.
    """
    if isinstance(reply, str) and not question["by_asker"]:
        raise AwaitingApproval(
            f"{question['call']} waits for somebody else's approval; decide it with `wavegraph approvals`"
        )
    if isinstance(reply, str) and (said := spoken(reply, question)):
        return said
    try:
        given = json.loads(reply) if isinstance(reply, str) else reply
        return _ANSWER.validate_python(given)
    except ValidationError as error:
        raise BadReply(f"{explain(error)}; {_expected(question)}") from None
    except ValueError:
        raise BadReply(f"cannot take {reply!r} as an answer; {_expected(question)}") from None


def _expected(question: Question) -> str:
    """What a person may type, the plain words first."""
    words = ", ".join(["yes", "no", *question["choices"]])
    return (
        f'expected {words}, or JSON such as {{"decision": "approve"}}, {{"decision": "reject", "reason": "..."}}, '
        '{"decision": "reject", "changes": {...}}, {"decision": "edit", "args": {...}}'
    )


def spoken(words: str, question: Question) -> Answer | None:
    """A yes, a no or one of the choices as it was said in the conversation, to the terms that were shown; None = neither."""
    to: Answer = {"decision": "approve", "terms_hash": question["terms_hash"], "words": words}
    named = words.strip().strip(".!").casefold()
    if choice := next((name for name in question["choices"] if name.casefold() == named), None):
        return {**to, "choice": choice}
    said = consent(words, question["yes"], question["no"])
    return None if said is None else {**to, "decision": "approve" if said == "yes" else "reject"}
