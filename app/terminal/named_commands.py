"""Commands by name: the module of each is imported when it is used."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperCommand, TyperGroup

from wavegraph.app.agents import NamedAgent, installed
from wavegraph.app.command_table import COMMANDS, DESTRUCTIVE, MOVED, Command
from wavegraph.app.quitting import quits_at_once
from wavegraph.app.terminal.door import Console
from wavegraph.app.terminal.exit_errors import BAD_USAGE, CommandGroup, stop
from wavegraph.app.terminal.options import ON_MOST
from wavegraph.graph.errors import SettingsError, error_text


class Commands(TyperGroup):
    """A group that says of a command it has not where that went, or which one may be meant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"suggest_commands": False})  # Typer's may be destructive

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        if not (name in self.commands or name.startswith("-") or ctx.resilient_parsing):
            typed = f"{ctx.info_name} {name}" if ctx.parent else name
            ctx.fail(f"No such command {name!r}.{_way_out(typed, name, self.commands)}")
        return super().resolve_command(ctx, args)


def _way_out(typed: str, name: str, known: Iterable[str]) -> str:
    if typed in MOVED:
        return f" Use: wavegraph {MOVED[typed]}"
    meant = get_close_matches(name, [each for each in known if each not in DESTRUCTIVE])
    return f" Did you mean {' or '.join(map(repr, meant))}?" if meant else ""


class AllCommands(Commands, CommandGroup):
    """Every agent's commands, and those that agents bring. The line that these have in the list is in their own modules."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        agents, unusable = installed()
        own = {word: each for each in agents.values() for word in each.words}
        refused = {name: _refusal(name, unusable[name]) for name in sorted(unusable.keys() - COMMANDS.keys())}
        self.commands = {
            **{name: NamedCommand(name, named) for name, named in COMMANDS.items()},
            **{word: AgentCommand(word, each) for word, each in own.items()},
            **refused,
        }

    @property
    def epilog(self) -> str:
        """The options of most commands, which their own pages only name."""
        lines = (f"{' '.join(filter(None, [flag, option.metavar]))}: {option.help}" for flag, option in ON_MOST.items())
        return escape("\n\n".join(["Options of most commands:", *lines]))

    @epilog.setter
    def epilog(self, given: str | None) -> None:
        """Typer gives none."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        found = super().get_command(ctx, cmd_name)
        return found.whole() if isinstance(found, AgentCommand) else found

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, found, rest = super().resolve_command(ctx, args)
        whole = found.whole() if isinstance(found, NamedCommand) else found
        if ctx.resilient_parsing:  # the shell asks what completes a line
            _show_hidden_options(whole)
        return name, whole, rest


class NamedCommand(TyperCommand):
    """A command of which the list of commands knows enough; its module is imported when it runs."""

    def __init__(self, name: str, named: Command) -> None:
        super().__init__(name, help=named.line)
        self._place = named.place

    def whole(self) -> Any:
        module, _, attribute = self._place.partition(":")
        with quits_at_once():
            return _made(str(self.name), getattr(import_module(module), attribute))


class AgentCommand(TyperCommand):
    """The place of a command that an agent brings."""

    def __init__(self, word: str, agent: NamedAgent) -> None:
        super().__init__(word)
        self._agent = agent

    def whole(self) -> Any:
        """One that cannot be loaded says why; everything else works without it."""
        word = str(self.name)
        try:
            with quits_at_once():
                return _made(word, self._agent.commands(word))
        except SettingsError as error:
            return _refusal(word, error)


def _made(name: str, found: Callable[..., Any] | typer.Typer) -> Any:
    """The command of this name, from its function or its subcommands."""
    parent = typer.Typer()
    if isinstance(found, typer.Typer):
        parent.add_typer(found, name=name, cls=Commands)
    else:
        parent.command(name)(found)
    made = typer.main.get_group(parent).commands[name]
    _name_hidden_options(made)
    return made


def _name_hidden_options(command: Any) -> None:
    """At the end of each help page: which options it takes that another page tells of."""
    for each in getattr(command, "commands", {}).values():
        _name_hidden_options(each)
    hidden = [each.opts[0] for each in command.params if getattr(each, "hidden", False)]
    common = [flag for flag in hidden if flag in ON_MOST]
    told = [f"{', '.join(common)} (wavegraph --help)"] if common else []
    told += ["the options of a request (wavegraph ask --help)"] if len(hidden) > len(common) else []
    if told:
        command.epilog = f"Also: {', and '.join(told)}."


def _show_hidden_options(command: Any) -> None:
    """So that they complete: Typer completes only what a help page lists."""
    for each in getattr(command, "commands", {}).values():
        _show_hidden_options(each)
    for each in getattr(command, "params", ()):
        if each.param_type_name == "option":
            each.hidden = False


def _refusal(name: str, error: SettingsError) -> Any:
    def refuse(words: Annotated[list[str] | None, typer.Argument(hidden=True)] = None) -> None:
        stop(Console(stderr=True), error_text(error), BAD_USAGE)

    parent = typer.Typer()
    parent.command(name, help=escape(error_text(error)), context_settings={"ignore_unknown_options": True})(refuse)
    return typer.main.get_group(parent).commands[name]
