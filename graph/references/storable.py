"""Values that Python writes as JSON and no store takes: named in plans, replaced in results; and secrets in declared types,
since what is planned or stored is seen by many, and pydantic stores a secret as asterisks."""

import math
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel, Secret, SecretBytes, SecretStr
from typing_extensions import is_typeddict

from wavegraph.graph.state import whole_text

_LEAST, _MOST = -(2**63), 2**64 - 1
"""Of an integer, in every store."""

Place = tuple[str | int, ...]


def unstorable(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any, str]]:
    """The parts that cannot be stored: where, which, and why."""
    if isinstance(value, dict):
        for name, part in value.items():
            if isinstance(name, str) and (why := _why(name)):
                yield (*place, whole_text(name)), name, why
            yield from unstorable(part, (*place, str(name)))
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from unstorable(part, (*place, number))
    elif why := _why(value):
        yield place, value, why


def _why(value: Any) -> str:
    if isinstance(value, int) and not _LEAST <= value <= _MOST:
        return "a number of more than 64 bits cannot be stored; let it be a text"
    if isinstance(value, float) and not math.isfinite(value):
        return "a finite number is expected"
    if isinstance(value, str) and whole_text(value) is not value:
        return "half a character (a lone surrogate) cannot be stored"
    return ""


def readable(value: Any) -> Any:
    """The value with texts in the place of what cannot be stored."""
    if isinstance(value, dict | list | tuple | str):
        return _with_parts(value, readable)
    if not _why(value):
        return value
    try:
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(str(value), str(value))
    except ValueError:  # Python writes no longer ones
        return f"a number of {int(value).bit_length()} bits"


def whole_texts(value: Any) -> Any:
    """The value with texts of whole characters."""
    return _with_parts(value, whole_texts)


def _with_parts(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, dict):
        return {change(name): change(part) for name, part in value.items()}
    return [change(part) for part in value] if isinstance(value, list | tuple) else value


_SECRETS = (Secret, SecretStr, SecretBytes)


def secrets_in(kind: Any, place: str, seen: frozenset[Any] = frozenset()) -> Iterator[str]:
    """The places of pydantic's secrets in a type, at any depth: `login.password`."""
    kind = getattr(kind, "__supertype__", getattr(kind, "__value__", kind))
    own = getattr(kind, "__origin__", kind)
    if isinstance(own, type) and issubclass(own, _SECRETS):
        yield place
        return
    for part in get_args(kind):
        yield from secrets_in(part, place, seen)
    if isinstance(kind, type) and kind not in seen:
        for name, part in _fields_of(kind).items():
            yield from secrets_in(part, f"{place}.{name}" if place else name, seen | {kind})


def _fields_of(kind: type[Any]) -> dict[str, Any]:
    if issubclass(kind, BaseModel):
        return {name: info.annotation for name, info in kind.model_fields.items()}
    if not (is_dataclass(kind) or is_typeddict(kind) or hasattr(kind, "_fields")):
        return {}
    try:
        hints = get_type_hints(kind)
    except (NameError, TypeError):
        return {}
    return {each.name: hints[each.name] for each in fields(kind)} if is_dataclass(kind) else hints
