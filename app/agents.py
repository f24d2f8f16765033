"""The agents the command line can use, from installed packages, and their settings from options.

A package registers one by an entry point in the group `wavegraph.domains`: its name is what `--domain` takes, its
object an `AgentEntry`. Wavegraph's own agents are registered the same way.
"""

import importlib
import logging
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import Signature, signature
from typing import TYPE_CHECKING, Any

import typer

from wavegraph.app.command_table import COMMANDS
from wavegraph.graph.errors import SettingsError, error_text

if TYPE_CHECKING:
    from langgraph.graph import StateGraph

    from wavegraph.app.run.erase import GuestData
    from wavegraph.graph.settings import Settings

__all__ = ["AgentEntry", "AgentOption"]

logger = logging.getLogger(__name__)

GROUP = "wavegraph.domains"
"""Entry point group."""
DEFAULT_DOMAIN = "hotel"
MCP = "mcp:"
"""Before the name of a file of MCP servers, in the place of an agent's name."""
COMMON_FLAGS = frozenset(
    {"--json", "--debug", "--today", "--language", "--planner", "--set", "--thread", "--reply", "--db", "--domain", "--mcp", "--help"}
)  # fmt: skip
COMMON_COMMANDS = frozenset(COMMANDS)
"""Flags and commands that every agent has and none may redefine."""


@dataclass(frozen=True, kw_only=True)
class AgentOption:
    """A setting of an agent, or of the machine, that has an option of its own on the command line."""

    flag: str
    """Such as `--property`."""
    setting: str = ""
    """The run's setting; empty where it is an environment variable."""
    variable: str = ""
    """The environment variable that it sets for this process: what a client of a server must not choose."""
    help: str
    metavar: str | None = None
    choices: Sequence[str] = ()
    """The values allowed; empty = any that the agent's settings accept."""
    read: Callable[[str], Any] = str
    """Converts the text to the setting's value."""

    def value_of(self, text: str) -> Any:
        if self.choices and text not in self.choices:
            choices = ", ".join(map(repr, self.choices))
            raise SettingsError(f"Invalid value for {self.flag!r}: {text!r} is not one of {choices}.")
        return self.read(text)


@dataclass(frozen=True, kw_only=True)
class AgentEntry:
    """The parts of an agent, each named as `package.module:attribute` and imported when it is used.

    A function that takes a `database` gets the one of the command's `--db`; None = not given. An agent may so keep its own
    data where its conversations are kept.
    """

    graph: str
    """A StateGraph, a compiled one, or a function that returns either."""
    options: Sequence[AgentOption] = ()
    commands: str | None = None
    """A `typer.Typer`: the commands `wavegraph NAME …`. Imported by these commands and by `wavegraph --help`, so keep it light."""
    further_commands: Mapping[str, str] = field(default_factory=dict)
    """More of them by the word after `wavegraph`, each as `commands` is."""
    check: str | None = None
    """`(settings) -> None`: raises SettingsError for settings that no request can run with, before one starts."""
    extra: str | None = None
    """The extra of its package that installs what only this agent needs, such as `wavegraph[hotel]`."""
    erasure: str | None = None
    """`() -> GuestData`: what it keeps of guests outside of conversations, for `wavegraph erase`; None = nothing."""
    evaluation: str | None = None
    """`async (folder) -> Subject`: the agent as `wavegraph eval` scores it, its data in a temporary folder;
    None = unchanged, with its own tool names."""
    routes: str | None = None
    """`() -> list[starlette.routing.Route]`: what it adds to the LangGraph server; None = nothing."""
    open_to: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Who may run it on a server with access control, besides staff: each role, and the settings it may give."""


@dataclass(frozen=True, kw_only=True)
class NamedAgent:
    """An agent by the name that `--domain` takes."""

    name: str
    entry: AgentEntry
    package: str | None = None
    """The package that registers it; None = given as `package.module:attribute`."""

    def graph(self, database: str | None = None) -> "StateGraph[Any, Any, Any, Any]":
        """Raises SettingsError naming the missing part."""
        from langgraph.graph import StateGraph
        from langgraph.graph.state import CompiledStateGraph

        found = self._part(self.entry.graph)
        graph = self._made_by(found, database) if callable(found) else found
        graph = graph.builder if isinstance(graph, CompiledStateGraph) else graph
        if not isinstance(graph, StateGraph):
            module, _, attribute = self.entry.graph.partition(":")
            raise SettingsError(f"domain {self.name!r}: {attribute!r} in {module} is not a graph but {found!r}")
        return graph

    def _made_by(self, function: Callable[..., Any], database: str | None) -> Any:
        needed = signature(function).replace(return_annotation=Signature.empty)
        known = {"database": database} if "database" in needed.parameters else {}
        try:
            needed.bind(**known)
        except TypeError as error:
            raise SettingsError(
                f"domain {self.name!r}: {self.entry.graph}{needed} must work without arguments (it may take `database`): "
                f"{error_text(error)}; name a graph, or a function that makes one of nothing"
            ) from None
        return function(**known)

    def check(self, settings: "Settings", database: str | None = None) -> None:
        """Raises SettingsError."""
        if self.entry.check:
            _called(self._part(self.entry.check), settings, database=database)

    def guest_data(self, database: str | None = None) -> "GuestData | None":
        """None = it keeps nothing of guests outside of conversations. Raises SettingsError."""
        if not self.entry.erasure:
            return None
        made = self._part(self.entry.erasure)
        if not callable(made):
            raise SettingsError(f"domain {self.name!r}: {self.entry.erasure} is not a function but {made!r}")
        kept: GuestData = _called(made, database=database)
        return kept

    def routes(self) -> list[Any]:
        """Raises SettingsError for those that cannot be loaded."""
        return list(self._part(self.entry.routes)()) if self.entry.routes else []

    def evaluation(self) -> Any:
        return self._part(self.entry.evaluation) if self.entry.evaluation else None

    @property
    def words(self) -> Mapping[str, str]:
        """Where its commands are, by the word after `wavegraph`."""
        own = {self.name: self.entry.commands} if self.entry.commands else {}
        return {**own, **self.entry.further_commands}

    def commands(self, word: str) -> typer.Typer:
        """Raises SettingsError for commands that cannot be loaded, whatever the reason."""
        place = self.words[word]
        try:
            found = self._part(place)
            if not isinstance(found, typer.Typer):
                raise TypeError(f"{place} is not a typer.Typer but {found!r}")
            typer.main.get_group(found)  # reads its options: a bad one would break every command
        except (Exception, SystemExit) as error:  # other packages may raise anything; the rest must still work
            raise _unusable(self.name, str(self.package), error, self.entry.extra) from error
        return found

    def settings(
        self, graph: "StateGraph[Any, Any, Any, Any]", own: Mapping[str, str], others: Mapping[str, Any]
    ) -> "Settings":
        """From `own` options by flag and `others` by name; `others` win. Raises SettingsError.

        Options that stand for an environment variable set it.
        """
        options = {flag: self._option(flag, _settings_of(graph)) for flag in own}
        os.environ.update({option.variable: own[flag] for flag, option in options.items() if option.variable})
        given = {option.setting: option.value_of(own[flag]) for flag, option in options.items() if option.setting}
        return settings_for(graph, given | {name: value for name, value in others.items() if value is not None})

    def _option(self, flag: str, model: "type[Settings]") -> AgentOption:
        """Raises SettingsError if this agent has no such option.

        An agent given by `package.module:attribute` declares no options: it takes others' that fit its settings.
        """
        brought = own_options(flag)
        for option, owner in brought:
            if owner == self.name or (self.package is None and option.setting in model.model_fields):
                return option
        owners = ", ".join(owner for _, owner in brought)
        setting = brought[0][0].setting or brought[0][0].variable
        raise SettingsError(f"unknown setting {setting!r} of domain {self.name!r}: {flag} is an option of {owners}")

    def _part(self, place: str) -> Any:
        module, _, attribute = place.partition(":")
        try:
            return getattr(importlib.import_module(module), attribute, None)
        except ImportError as error:
            if self.package:
                raise _unusable(self.name, self.package, error, self.entry.extra) from error
            raise SettingsError(f"domain {self.name!r}: {error_text(error)}") from None


@dataclass(frozen=True, kw_only=True)
class McpAgent(NamedAgent):
    """An agent with the tools of the MCP servers that a file names."""

    def graph(self, database: str | None = None) -> "StateGraph[Any, Any, Any, Any]":
        """Raises SettingsError for a file or server that cannot be used, and where there is no language model."""
        from wavegraph.graph.adopt.mcp.tools import mcp_agent

        return mcp_agent(self.name.removeprefix(MCP)).builder


def agent(domain: str) -> NamedAgent:
    """The agent registered under this name, or found at `package.module:attribute`, or of the MCP servers that a file names
    (`mcp:FILE`). Raises SettingsError."""
    if domain.startswith(MCP):
        return McpAgent(name=domain, entry=AgentEntry(graph="wavegraph.graph.mcp:graph"))
    agents, unusable = installed()
    if domain in unusable:
        raise unusable[domain]
    if domain in agents:
        return agents[domain]
    module, _, attribute = domain.partition(":")
    if not attribute:
        known = ", ".join(agents) or "none"
        raise SettingsError(f"unknown domain {domain!r}; known: {known}, or your own as package.module:attribute")
    if module.partition(".")[0] != "wavegraph" and "" not in sys.path:
        sys.path.insert(0, "")  # finds modules in the current folder, as `python -m` does
    return NamedAgent(name=domain, entry=AgentEntry(graph=domain))


@cache
def installed() -> tuple[Mapping[str, NamedAgent], Mapping[str, SettingsError]]:
    """The agents by name, and the errors of those that cannot be used, by name."""
    claims: dict[str, dict[str, EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        claims.setdefault(point.name, {})[f"{_package(point)} ({point.value})"] = point
    agents: dict[str, NamedAgent] = {}
    unusable: dict[str, SettingsError] = {}
    for name, points in sorted(claims.items()):
        try:
            agents[name] = _read(name, points)
        except SettingsError as error:
            unusable[name] = error
    for name in [name for name, each in agents.items() if _takes_another_s_word(each, agents)]:
        words = ", ".join(agents[name].entry.further_commands)
        unusable[name] = SettingsError(
            f"domain {name!r} brings commands that another agent has: {words}; uninstall one"
        )
        del agents[name]
    return agents, unusable


def _takes_another_s_word(agent: NamedAgent, agents: Mapping[str, NamedAgent]) -> bool:
    """Of two that claim a word it is not Wavegraph's own, then the one whose name comes later."""
    before = [each for each in agents.values() if _rank(each) < _rank(agent)]
    taken = {word for each in before for word in each.entry.further_commands}
    return not (taken | agents.keys()).isdisjoint(agent.entry.further_commands)


def _rank(agent: NamedAgent) -> tuple[bool, str]:
    return agent.package != "wavegraph", agent.name


def further_commands() -> frozenset[str]:
    """The words after `wavegraph` that agents have besides their names."""
    return frozenset(word for each in installed()[0].values() for word in each.entry.further_commands)


def _read(name: str, points: Mapping[str, EntryPoint]) -> NamedAgent:
    """Raises SettingsError naming the packages and the reason."""
    if len(points) > 1:
        raise SettingsError(f"domain {name!r} is claimed by {' and by '.join(sorted(points))}; uninstall all but one")
    [point] = points.values()
    package = _package(point)
    try:
        entry = point.load()
        _check(name, entry)
    except (Exception, SystemExit) as error:  # other packages may raise anything; the rest must still work
        raise _unusable(name, package, error) from error
    return NamedAgent(name=name, entry=entry, package=package)


def _check(name: str, entry: Any) -> None:
    if not isinstance(entry, AgentEntry):
        raise TypeError(f"an AgentEntry is expected, not {entry!r}")
    if not _is_free_word(name):
        raise ValueError(f"{name!r} cannot be the name of an agent")
    for word in entry.further_commands:
        if not _is_free_word(word):
            raise ValueError(f"{word!r} cannot be a command of its own")
    flags = [option.flag for option in entry.options]
    for flag in flags:
        if flag in COMMON_FLAGS or flags.count(flag) > 1 or not re.fullmatch(r"--[a-z][a-z0-9-]*", flag):
            raise ValueError(f"{flag!r} cannot be an option of its own")


def _is_free_word(name: str) -> bool:
    return name not in COMMON_COMMANDS and re.fullmatch(r"[^\W_][\w.-]*", name) is not None


def _package(point: EntryPoint) -> str:
    return (point.dist and point.dist.name) or point.value


def _unusable(name: str, package: str, error: BaseException, extra: str | None = None) -> SettingsError:
    way_out = f"; pip install {extra!r}" if extra and isinstance(error, ImportError) else ""
    return SettingsError(
        f"domain {name!r} of package {package} cannot be loaded: {type(error).__name__}: {error_text(error)}{way_out}"
    )


def _called(function: Callable[..., Any], *given: Any, database: str | None) -> Any:
    """The function's result; `database` for one that takes it."""
    takes = "database" in signature(function).parameters
    return function(*given, **({"database": database} if takes else {}))


def keepers_of_guests(database: str | None = None) -> "list[GuestData]":
    """What the installed agents keep of guests. One that cannot be loaded is reported as left; one whose extra is not
    installed has never run here."""
    from wavegraph.app.run.erase import Unloadable

    agents, unusable = installed()
    keepers = [_keeper(each, database) for each in agents.values()]
    return [*filter(None, keepers), *map(Unloadable, unusable.values())]


def _keeper(agent: NamedAgent, database: str | None) -> "GuestData | None":
    from wavegraph.app.run.erase import Unloadable

    try:
        return agent.guest_data(database)
    except SettingsError as error:
        lacks_extra = bool(agent.entry.extra) and isinstance(error.__cause__, ImportError)
        return None if lacks_extra else Unloadable(error)


def agents_routes() -> list[Any]:
    """What the installed agents add to the LangGraph server. One that cannot be loaded is logged: the rest is served."""
    found: list[Any] = []
    for agent in installed()[0].values():
        try:
            found += agent.routes()
        except SettingsError as error:
            logger.warning("routes of %s: %s", agent.name, error_text(error))
    return found


def own_options(flag: str | None = None) -> list[tuple[AgentOption, str]]:
    """The options that agents add, each with its agent's name; only those of `flag`, None = all."""
    agents, _ = installed()
    found = [(option, name) for name, each in agents.items() for option in each.entry.options]
    return [(option, name) for option, name in found if flag in (None, option.flag)]


def settings_for(graph: "StateGraph[Any, Any, Any, Any]", options: Mapping[str, Any]) -> "Settings":
    """The run's settings, of the agent's own type.

    An option that is None keeps the agent's default. Raises SettingsError naming option and value.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if "today" in given:
        given["today"] = _date(given["today"])
    return _settings_of(graph).model_validate(given)


def _settings_of(graph: "StateGraph[Any, Any, Any, Any]") -> "type[Settings]":
    from wavegraph.graph.settings import Settings

    return graph.context_schema or Settings


def _date(text: str) -> date:
    """Stricter than pydantic, which reads a bare number as seconds since 1970."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        message = f"setting 'today' = {text!r} is not a date; write YYYY-MM-DD, such as 2026-11-20"
        raise SettingsError(message) from None
