"""What a file says about a server's tools, where its hints are missing or not believed."""

from collections.abc import Mapping
from typing import Any, TypedDict, cast

from wavegraph.graph.errors import SettingsError, short_repr
from wavegraph.graph.state import Effect

ALL = "*"
"""In the place of a tool's name: what is said of each that is not named."""


class Override(TypedDict, total=False):
    """About one tool; what is missing is as the server says."""

    effect: Effect
    approve: bool | str
    """Whether a person is asked before it runs; a text = how the call is told then, with its arguments as `{name}`."""
    repeatable: bool
    enabled: bool
    """False = it is left out."""


_KNOWN = sorted(Override.__annotations__)


def overrides(given: Any, where: str) -> dict[str, Override]:
    """By tool name. Raises SettingsError."""
    if not isinstance(given, Mapping):
        raise SettingsError(f"{where}: `wavegraph.tools` must be an object, not {short_repr(given)}")
    return {name: _override(name, each, where) for name, each in given.items()}


def _override(name: str, given: Any, where: str) -> Override:
    place = f"{where}: tool {name!r}"
    if not isinstance(given, Mapping):
        raise SettingsError(f"{place} must be an object, not {short_repr(given)}")
    if strangers := sorted(given.keys() - {*_KNOWN}):
        raise SettingsError(f"{place}: unknown {strangers}; known: {_KNOWN}")
    if given.get("effect") not in (None, "read", "write"):
        raise SettingsError(f"{place}: `effect` is read or write, not {short_repr(given['effect'])}")
    for field, kinds in (("approve", bool | str), ("repeatable", bool), ("enabled", bool)):
        if not isinstance(given.get(field), kinds | None):
            raise SettingsError(f"{place}: `{field}` cannot be {short_repr(given[field])}")
    return cast(Override, {field: value for field, value in given.items() if value is not None})
