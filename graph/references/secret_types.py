"""Secrets in declared types: what is planned or stored is seen by many, and pydantic stores a secret as asterisks."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel, Secret, SecretBytes, SecretStr
from typing_extensions import is_typeddict

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
