"""Keys that a domain adds to the state of its threads."""

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_type_hints

from typing_extensions import TypedDict

from wavegraph.graph.errors import SettingsError
from wavegraph.graph.state import KEYS

_OF_LANGCHAIN = frozenset({"messages", "structured_response", "jump_to", "remaining_steps", "is_last_step"})
"""Keys of the states that LangChain and LangGraph bring: the engine has them, or has no use for them."""


def own_keys(schema: type[Any] | None, side: Literal["input", "output"] | None = None) -> Mapping[str, Any]:
    """The keys of a TypedDict that are not every agent's, with their types and reducers; those alone that stand on this side
    of a run. Raises SettingsError for a key that every agent has already."""
    hints = get_type_hints(schema, include_extras=True) if schema else {}
    own = {name: hint for name, hint in hints.items() if name not in _OF_LANGCHAIN}
    if taken := sorted(own.keys() & KEYS):
        raise SettingsError(f"the state's keys {taken} are those of every agent; choose other names")
    return {name: hint for name, hint in own.items() if not (side and _is_omitted(hint, side))}


def with_own_keys(base: type[Any], schema: type[Any] | None, side: Literal["input", "output"] | None = None) -> Any:
    """The TypedDict with these keys too."""
    if not (own := own_keys(schema, side)):
        return base
    return TypedDict(base.__name__, {**get_type_hints(base, include_extras=True), **own})  # type: ignore[operator]


def _is_omitted(hint: Any, side: str) -> bool:
    """Whether LangChain's `OmitFromSchema` says so, anywhere in the type."""
    marks = (*getattr(hint, "__metadata__", ()), *(get_args(hint) if hasattr(hint, "__origin__") else ()))
    return any(
        getattr(mark, side, False) is True if type(mark).__name__ == "OmitFromSchema" else _is_omitted(mark, side)
        for mark in marks
    )
