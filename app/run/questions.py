"""What a request that waits for a person asks."""

from collections.abc import Mapping
from typing import cast

from langgraph.types import StateSnapshot

from wavegraph.graph.approval import Question


def question_of(snapshot: StateSnapshot | None) -> Question | None:
    """What the thread asks a person before it runs a write; None = it asks nothing of the kind."""
    for asked in snapshot.interrupts if snapshot else ():
        if isinstance(asked.value, Mapping) and asked.value.get("kind") == "approval":
            return cast(Question, asked.value)
    return None


def question_text(question: Question) -> str:
    """The question as a person reads it; first why the last answer could not be taken, if it could not."""
    return "\n\n".join(part for part in (question["problem"], question["text"]) if part)
