"""What a file says about a server's tools, where its hints are missing or not believed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wavegraph.graph.errors import SettingsError, short_repr
from wavegraph.graph.state import Effect

ALL = "*"


@dataclass(frozen=True, kw_only=True)
class Override:
    """About one tool; None = as the server says."""

    effect: Effect | None = None
    approve: bool | str | None = None
    """Whether a person is asked before it runs; a text = how the call is told then, with its arguments as `{name}`."""
    repeatable: bool | None = None
    enabled: bool | None = None
    """False = it is left out."""


def overrides(given: Any, where: str) -> dict[str, Override]:
    """By tool name. Raises SettingsError."""
    if not isinstance(given, Mapping):
        raise SettingsError(f"{where}: `wavegraph.tools` must be an object, not {short_repr(given)}")
    return {name: _override(name, each, where) for name, each in given.items()}


def _override(name: str, given: Any, where: str) -> Override:
    place = f"{where}: tool {name!r}"
    if not isinstance(given, Mapping):
        raise SettingsError(f"{place} must be an object, not {short_repr(given)}")
    if strangers := sorted(given.keys() - Override.__dataclass_fields__.keys()):
        raise SettingsError(f"{place}: unknown {strangers}; known: {sorted(Override.__dataclass_fields__)}")
    if given.get("effect") not in (None, "read", "write"):
        raise SettingsError(f"{place}: `effect` is read or write, not {short_repr(given['effect'])}")
    for field, kinds in (("approve", bool | str), ("repeatable", bool), ("enabled", bool)):
        if not isinstance(given.get(field), kinds | None):
            raise SettingsError(f"{place}: `{field}` cannot be {short_repr(given[field])}")
    return Override(**given)


def about(tools: Mapping[str, Override], name: str) -> Override:
    """What is said about this tool, and where it says nothing, about all."""
    general, own = tools.get(ALL, Override()), tools.get(name, Override())
    fields = Override.__dataclass_fields__
    said = {each: value for each in fields for value in (getattr(own, each),) if value is not None}
    return Override(**{**{each: getattr(general, each) for each in fields}, **said})
