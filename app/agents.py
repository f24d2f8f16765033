"""The agents the command line can speak to: where they live, and their settings from options."""

import importlib
import sys
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph

from wavegraph.graph.errors import SettingsError
from wavegraph.graph.settings import Settings

SHIPPED = {"hotel": "wavegraph.graph.hotel:build", "roster": "wavegraph.graph.roster:build"}
"""Agents by the name `--domain` takes."""


def load(domain: str) -> StateGraph[Any, Any, Any, Any]:
    """The state graph of an agent: one of ours by name, or anybody's as `package.module:attribute`.

    The attribute is a StateGraph, a compiled one, or a function that returns either.
    Raises SettingsError naming the part that is not there.
    """
    place = SHIPPED.get(domain, domain)
    module_name, _, attribute = place.partition(":")
    if not attribute:
        known = ", ".join(sorted(SHIPPED))
        raise SettingsError(f"unknown domain {domain!r}; known: {known}, or your own as package.module:attribute")
    found = getattr(_module(module_name, domain), attribute, None)
    graph = found() if callable(found) else found
    graph = graph.builder if isinstance(graph, CompiledStateGraph) else graph
    if not isinstance(graph, StateGraph):
        raise SettingsError(f"domain {domain!r}: {attribute!r} in {module_name} is no graph, but {found!r}")
    return graph


def _module(name: str, domain: str) -> Any:
    if name.partition(".")[0] != "wavegraph" and "" not in sys.path:
        sys.path.insert(0, "")  # one's own module is found from the folder one stands in, as `python -m` finds it
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise SettingsError(f"domain {domain!r}: {error}") from None


def settings_for(graph: StateGraph[Any, Any, Any, Any], options: Mapping[str, Any]) -> Settings:
    """The run's settings, of the agent's own type, from the options that were given.

    An option left out (None) keeps the agent's default. Raises SettingsError naming option and value.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if "today" in given:
        given["today"] = _date(given["today"])
    model: Any = graph.context_schema or Settings
    settings: Settings = model.model_validate(given)
    return settings


def _date(text: str) -> date:
    """Stricter than pydantic, which reads a bare number as seconds since 1970."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        message = f"setting 'today' = {text!r} is no date; write YYYY-MM-DD, such as 2026-11-20"
        raise SettingsError(message) from None
