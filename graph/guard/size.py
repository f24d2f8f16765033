"""How much may be said at once. What is more is refused by its size alone, before anything reads, masks or keeps it."""

from collections.abc import Mapping
from typing import Any

from wavegraph.graph.references.paths import values_in
from wavegraph.graph.state import MOST_MESSAGE_CHARS, MOST_MESSAGES


def longest_text(value: Any) -> int:
    """Characters of the longest text at any depth, names too; the texts of one message's blocks count together."""
    match value:
        case str():
            return len(value)
        case Mapping():
            blocks = value.get("content") or value.get("parts")  # as A2A names them
            listed = blocks if isinstance(blocks, list) else []
            texts = [block.get("text") if isinstance(block, Mapping) else block for block in listed]
            together = sum(len(text) for text in texts if isinstance(text, str))
            return max(together, longest_text([*value, *value.values()]))
        case list() | tuple():
            return max(map(longest_text, value), default=0)
    return 0


def most_messages(value: Any) -> int:
    """How many messages the longest list of them holds, at any depth."""
    lists = (each.get("messages") for each in values_in(value) if isinstance(each, Mapping))
    return max((len(own) for own in lists if isinstance(own, list)), default=0)


def oversize(value: Any, most_chars: int = MOST_MESSAGE_CHARS) -> str | None:
    """Why a value holds too much for an agent, in words for the caller; None = it may be read."""
    if (length := longest_text(value)) > most_chars:
        return (
            f"a text has {length} characters, and at most {most_chars} are read (max_message_chars): send a shorter one"
        )
    if (count := most_messages(value)) > MOST_MESSAGES:
        return f"{count} messages came at once, and at most {MOST_MESSAGES} are taken: send the latest of them"
    return None
