"""The options that commands share, each declared once, and those that agents add."""

import json
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Literal, get_args

import typer
from rich.markup import escape

from wavegraph.app.agents import DEFAULT_DOMAIN, MCP, AgentOption, installed, own_options
from wavegraph.app.run.thread_ids import is_thread_id, new_thread_id
from wavegraph.app.storage.database import MEMORY
from wavegraph.app.terminal.shell_words import shell_line, shown_id
from wavegraph.graph.errors import error_text
from wavegraph.tools.postgres.databases import without_password

EXPERTS = "For experts"
"""The part of a help page with the options that few need."""
OPTION_OF = {"today": "--today", "language": "--language", "planner": "--planner"}
"""Settings that have an option for every agent; others are given by `--set` or an option of the agent."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of `ask` and `chat`."""

    domain: str
    database: str | None
    """None = what WAVEGRAPH_DATABASE names, else the file in the user's data folder."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the run by name; None = not given."""
    as_json: bool = False
    debug: bool = False
    own: Mapping[str, str] = field(default_factory=dict)
    """Values of the agent's own options, by flag."""

    def again(self, command: str, thread_id: str) -> str:
        """The command line that continues a thread; empty if nothing of it is stored."""
        return self._line(command, "--thread", thread_id, *self._place)

    def resumes(self, thread_id: str) -> str:
        """The command line that resumes a stopped request with its settings; empty if nothing of it is stored."""
        given = [word for name, value in self.settings.items() if value is not None for word in _given(name, value)]
        own = [word for option in self.own.items() for word in option]
        return self._line("resume", thread_id, *self._place, *own, *given)

    def decides(self, thread_id: str, decision: str = "approve", *how: str) -> str:
        """The command line that decides an approval; empty if nothing of the thread is stored."""
        return self._line("approvals", decision, thread_id, *how, *self._place)

    def _line(self, *words: str) -> str:
        return "" if self.database == MEMORY else shell_line(["wavegraph", *words])

    @property
    def _place(self) -> list[str]:
        words = ["--domain", self.domain] if self.domain != DEFAULT_DOMAIN else []
        return words + (["--db", without_password(self.database)] if self.database else [])


def _given(name: str, value: Any) -> tuple[str, str]:
    text = value if isinstance(value, str) else json.dumps(value)
    return (OPTION_OF[name], text) if name in OPTION_OF else ("--set", f"{name}={text}")


def thread_ids(given: Any) -> Any:
    """One or more, as they are; a usage error for one that no database holds."""
    for name in [given] if isinstance(given, str) else given or ():
        if not is_thread_id(name):
            raise typer.BadParameter(f"{shown_id(name)} is not UTF-8, as a thread's id is")
    return given


ThreadArgument = Annotated[
    str,
    typer.Argument(metavar="THREAD", help="Id of the conversation.", show_default=False, callback=thread_ids),
]
# Options of most commands are hidden: the help of `wavegraph` tells of them once (`ON_MOST`).
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.", hidden=True)]
PlannerOption = Annotated[
    Literal["auto", "llm", "rules"] | None,
    typer.Option(
        "--planner", help="auto: a model if one is set up, else the rules.", rich_help_panel=EXPERTS, show_default=False
    ),
]
ThreadOption = Annotated[
    str | None,
    typer.Option("--thread", metavar="ID", help="The conversation to continue.", callback=thread_ids),
]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="FILE",
        help="Where conversations are kept, and with postgresql://… hotels and rosters too; :memory: keeps none; "
        "default: WAVEGRAPH_DATABASE, else the user's data.",
        hidden=True,
    ),
]
DomainOption = Annotated[
    str,
    typer.Option(
        "--domain",
        metavar="NAME",
        help=f"Which agent: {', '.join(installed()[0])}, or your own as package.module:attribute.",
        hidden=True,
    ),
]
_ON_MOST = {"--db": DatabaseOption, "--domain": DomainOption, "--json": JsonOption}
ON_MOST = {flag: get_args(annotated)[1] for flag, annotated in _ON_MOST.items()}
"""The options of most commands, by flag."""
McpOption = Annotated[
    str | None,
    typer.Option(
        "--mcp", metavar="FILE", help="An agent with the tools of the MCP servers that this file names.",
        rich_help_panel=EXPERTS,
    ),
]  # fmt: skip


def takes_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a request, passed to it as `options`; `wavegraph ask --help` tells of them."""
    return _with_options(command, left_out=())


def takes_settings(command: Callable[..., None]) -> Callable[..., None]:
    """The same without those that say which agent it is and how a request is printed."""
    return _with_options(command, left_out=("as_json", "debug", "domain", "mcp"))


def shows_options(command: Callable[..., None]) -> Callable[..., None]:
    """`takes_options`, and its help shows them."""
    return _with_options(command, left_out=(), hidden=False)


def _with_options(command: Callable[..., None], left_out: Sequence[str], *, hidden: bool = True) -> Callable[..., None]:
    own = _own_options()
    known = signature(_options).parameters.values()
    shared = [each for each in known if each.name not in ("own", *left_out)]
    other = [each for each in signature(command).parameters.values() if each.name != "options"]

    @wraps(command)
    def with_options(**given: Any) -> None:
        flags = {flag: text for flag, parameter in own.items() if (text := given.pop(parameter.name)) is not None}
        options = _options(**{each.name: given.pop(each.name) for each in shared}, own=flags)
        command(options=options, **given)

    options = [_hidden(each) if hidden else each for each in (*shared, *own.values())]
    parameters = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in (*other, *options)]
    with_options.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return with_options


def _hidden(parameter: Parameter) -> Parameter:
    kind, option = get_args(parameter.annotation)
    hidden = copy(option)
    hidden.hidden = True
    return parameter.replace(annotation=Annotated[kind, hidden])


def _own_options() -> dict[str, Parameter]:
    """The options that agents add, by flag; several agents may add the same one."""
    brought: dict[str, list[tuple[AgentOption, str]]] = {}
    for option, owner in own_options():
        brought.setdefault(option.flag, []).append((option, owner))
    return {flag: _own_option(flag, options) for flag, options in brought.items()}


def _own_option(flag: str, brought: Sequence[tuple[AgentOption, str]]) -> Parameter:
    option = brought[0][0]
    declared = typer.Option(
        flag,
        metavar=option.metavar or (f"<{'|'.join(option.choices)}>" if option.choices else None),
        help=escape(" / ".join(dict.fromkeys(each.help for each, _ in brought))),
        rich_help_panel=f"Options of {', '.join(owner for _, owner in brought)}",
    )
    name = "own_" + flag.removeprefix("--").replace("-", "_")
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, declared])


def _options(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object with the answer and its figures.", hidden=True)
    ] = False,
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Print each wave with arguments and results (stderr).", rich_help_panel=EXPERTS),
    ] = False,
    today: Annotated[
        str | None,
        typer.Option(metavar="YYYY-MM-DD", help="The date to use as today.", rich_help_panel=EXPERTS),
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="XX", help="Language of the answers; auto = the request's own.")
    ] = None,
    planner: PlannerOption = None,
    others: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Any other setting of the agent; may be repeated.",
            rich_help_panel=EXPERTS,
        ),
    ] = None,
    database: DatabaseOption = None,
    domain: DomainOption = DEFAULT_DOMAIN,
    mcp: McpOption = None,
    *,
    own: dict[str, str],
) -> Options:
    settings = {
        "today": today,
        "language": language,
        "planner": planner,
        **dict(_setting(each) for each in others or ()),
    }
    chosen = domain if mcp is None else _of_servers(mcp, domain)
    return Options(domain=chosen, database=database, settings=settings, as_json=as_json, debug=debug, own=own)


def _of_servers(file: str, domain: str) -> str:
    if domain != DEFAULT_DOMAIN:
        raise typer.BadParameter(f"--mcp makes an agent of its own; leave --domain {domain} out")
    return f"{MCP}{file}"


def _setting(text: str) -> tuple[str, Any]:
    """Name and value; objects and lists are read as JSON, everything else by the agent's settings."""
    name, separator, value = text.partition("=")
    if not separator or not name.strip():
        raise typer.BadParameter(f"{text!r} is not a setting; write NAME=VALUE, such as max_adaptations=1")
    try:
        return name.strip(), json.loads(value) if value[:1] in ("{", "[") else value
    except ValueError as error:
        raise typer.BadParameter(f"setting {name.strip()!r} = {value!r} is not JSON: {error_text(error)}") from None


def thread_or_new(given: str | None) -> str:
    if given is not None and not given.strip():
        raise typer.BadParameter("a thread needs an id; leave --thread out for a new conversation")
    return given or new_thread_id()
