"""The question of a request that waits for a person."""

from collections.abc import Mapping
from typing import cast

from langgraph.types import StateSnapshot

from wavegraph.graph.approval import Question


def question_of(snapshot: StateSnapshot | None) -> Question | None:
    """What the thread asks a person before it runs a write; None = no approval is open."""
    for asked in snapshot.interrupts if snapshot else ():
        if isinstance(asked.value, Mapping) and asked.value.get("kind") == "approval":
            return cast(Question, asked.value)
    return None


def question_text(question: Question) -> str:
    """The question as a person reads it, after the reason the last answer was not accepted, if any."""
    return "\n\n".join(part for part in (question["problem"], question["text"]) if part)
