"""The question of a request that waits for a person."""

from collections.abc import Mapping
from typing import cast

from langgraph.types import StateSnapshot

from wavegraph.graph.approval import Question
from wavegraph.graph.dialogue.questions import code_of, question_text

__all__ = ["question_of", "question_text"]


def question_of(snapshot: StateSnapshot | None) -> Question | None:
    """What the thread asks a person before it runs a write; None = no approval is open."""
    for asked in snapshot.interrupts if snapshot else ():
        if isinstance(asked.value, Mapping) and asked.value.get("kind") == "approval":
            return _as_now(asked.value)
    return None


def _as_now(stored: Mapping[str, object]) -> Question:
    """A question as it is read today: an earlier version did not store how a person agrees, and in which languages."""
    question = cast(Question, {"shown": False, "rivalled": False, "languages": ["en", "he"], **stored})
    return cast(Question, {"agree_with": f"yes {code_of(question)}", **question})
