"""LangChain's middleware that says what exists here: each becomes the field, limit or setting that does the same, and what
cannot be done is refused by name.

Nothing of LangChain is imported: who gives a middleware has imported it. An option that is not honoured is refused unless it is
left at its default, and so is a subclass with a hook of its own.
"""

import inspect
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from langchain_core.messages.tool import ToolCall, tool_call
from langchain_core.runnables import Runnable
from langgraph.graph import MessagesState
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import get_runtime

from wavegraph.graph.adopt.effects import AnyTool, adopted
from wavegraph.graph.approval import Approval, Approve, always, approval_from
from wavegraph.graph.domain import with_own_keys
from wavegraph.graph.domain_tool import DomainTool, Retry
from wavegraph.graph.errors import SettingsError, logger, short_repr
from wavegraph.graph.execution.returned import thread_state
from wavegraph.graph.limits import Limits
from wavegraph.graph.model.clients import ROLES, GivenModel, Role, langchain_model, options_in, provider_and_name
from wavegraph.graph.model.spending import BYTES_PER_TOKEN

HOME = "langchain.agents.middleware."
GUIDE = "docs/start/from-create-agent.md"


@dataclass(frozen=True, kw_only=True)
class Given:
    """What an agent is made of, as its arguments and its middleware have it."""

    model: GivenModel | Mapping[Role, GivenModel] | None
    limits: Limits
    state: type[Any] | None = None
    more_tools: tuple[AnyTool, ...] = ()
    approve: Mapping[str, Approve] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Other defaults of the run's settings."""
    mask: Callable[[str], str] | None = None
    changes: tuple[Callable[[Sequence[DomainTool]], Sequence[DomainTool]], ...] = ()
    """Of the tools, once they are adopted."""

    def tools(self, tools: Sequence[AnyTool]) -> Sequence[DomainTool]:
        made: Sequence[DomainTool] = adopted([*tools, *self.more_tools], self.approve)
        for change in self.changes:
            made = change(made)
        return made


Translate = Callable[[Any, Given], Given]


class Row(NamedTuple):
    """How one class is translated."""

    honoured: frozenset[str]
    """Options that mean something here; another one is refused unless it has its default."""
    translate: Translate
    instead: str
    """What to use where an option is refused."""


def with_middleware(given: Given, middleware: Sequence[Any]) -> Given:
    """What the middleware makes of it. Raises SettingsError for one that is not taken, or not with such an option."""
    for each in middleware:
        name = _known_class(each)
        row = ROWS.get(name)
        if row is None:
            way_out = REFUSED.get(name, f"{GUIDE} has what to use in the place of each hook")
            raise SettingsError(f"create_agent takes no middleware {name}: {way_out}")
        _refuse_options(each, name, row)
        given = row.translate(each, given)
    return given


def _known_class(middleware: Any) -> str:
    """The name of LangChain's own class. Raises SettingsError for a subclass that adds hooks of its own."""
    kinds = type(middleware).__mro__
    own = next((n for n, kind in enumerate(kinds) if kind.__module__.startswith(HOME)), 0)
    no_hooks = ("__init__", "state_schema") if kinds[own].__name__ == "AgentMiddleware" else ("__init__",)
    parts = [(name, part) for kind in kinds[:own] for name, part in vars(kind).items() if name not in no_hooks]
    if hooks := [name for name, part in parts if callable(part)]:
        raise SettingsError(
            f"create_agent takes no middleware {type(middleware).__name__}: its own {', '.join(sorted(hooks))} would never run; "
            f"{GUIDE} has what to use in the place of each hook"
        )
    return kinds[own].__name__


def _refuse_options(middleware: Any, name: str, row: Row) -> None:
    if getattr(middleware, "tools", ()) and name != "AgentMiddleware":
        _refuse(name, "tools of its own", "give them as tools=")
    for option, default in _options(type(middleware)):
        chosen = getattr(middleware, option, default)
        if option not in row.honoured and chosen != default:
            _refuse(name, f"{option}={short_repr(chosen, 80)}", row.instead)


def _options(kind: type[Any]) -> Iterator[tuple[str, Any]]:
    """Options that have defaults, of the first class of LangChain's."""
    own = next(each for each in kind.__mro__ if each.__module__.startswith(HOME))
    for name, parameter in inspect.signature(own).parameters.items():
        if parameter.default is not inspect.Parameter.empty:
            yield name, parameter.default


def _refuse(name: str, what: str, instead: str) -> None:
    raise SettingsError(f"create_agent takes no {name} with {what}: {instead}")


# A person agrees


def _approvals(middleware: Any, given: Given) -> Given:
    if twice := sorted(tool for tool in middleware.interrupt_on if given.approve.get(tool)):
        _refuse(
            "HumanInTheLoopMiddleware",
            f"{twice}, which approve= or another one has too",
            "say in one place how a tool is asked about",
        )
    asks = {tool: _approval(tool, config, middleware) for tool, config in middleware.interrupt_on.items()}
    return replace(given, approve={**given.approve, **asks})


def _approval(tool: str, config: Mapping[str, Any], middleware: Any) -> Approval:
    words = partial(_description, tool, config.get("description"), middleware.description_prefix)
    when = partial(_holds, tool, config["when"]) if config.get("when") else always
    return replace(approval_from(words, tool, ()), decisions=tuple(config["allowed_decisions"]), when=when)


def _description(tool: str, described: Any, prefix: str, args: Mapping[str, Any]) -> str:
    if callable(described):
        return str(described(_call(tool, args), thread_state(), get_runtime()))
    return described if described is not None else f"{prefix}\n\nTool: {tool}\nArgs: {dict(args)}"


def _holds(tool: str, when: Callable[[Any], bool], args: Mapping[str, Any]) -> bool:
    runtime: Any = get_runtime()
    return when(ToolCallRequest(tool_call=_call(tool, args), tool=None, state=thread_state(), runtime=runtime))


def _call(tool: str, args: Mapping[str, Any]) -> ToolCall:
    return tool_call(name=tool, args=dict(args), id=None)


# Models


def _with_fallbacks(model: Any, more: Sequence[Any], roles: Sequence[Role] = ROLES) -> Any:
    match model:
        case None:
            raise SettingsError(
                "create_agent takes no ModelFallbackMiddleware without a model: name the first one, model=…"
            )
        case Mapping():
            return {role: _with_fallbacks(each, more, [role])[role] for role, each in model.items()}
        case str():
            made = {
                role: langchain_model(*provider_and_name(model, role), options_in(os.environ, role)) for role in roles
            }
            return {role: each.with_fallbacks(more) for role, each in made.items()}
        case Runnable():
            return dict.fromkeys(roles, model.with_fallbacks(more))
    return dict.fromkeys(roles, lambda: model().with_fallbacks(more))


def _with_settings(given: Given, **more: int | None) -> Given:
    return replace(
        given, settings={**given.settings, **{name: most for name, most in more.items() if most is not None}}
    )


def _prompt_sizes(middleware: Any, given: Given) -> Given:
    """Nothing is summarised: the most that LangChain's would let a model read before it summarises is what it reads here."""
    name, (kind, kept) = "SummarizationMiddleware", middleware.keep
    if kind != "messages":
        _refuse(name, f"keep={middleware.keep!r}", 'keep=("messages", 20) says how many are read')
    if _own_part(middleware, "_partial_token_counter") is middleware.token_counter:
        _refuse(name, "a token_counter", "what a model reads is bounded in bytes, Limits(max_prompt_bytes=…)")
    limits = replace(given.limits, max_messages=kept)
    for clause in (
        middleware.trigger if isinstance(middleware.trigger, list) else [middleware.trigger or ("messages", kept)]
    ):
        match clause:
            case ("messages", int(most)):
                limits = replace(limits, max_messages=max(most, limits.max_messages))
            case ("tokens", int(most)):
                limits = replace(limits, max_prompt_bytes=most * BYTES_PER_TOKEN)
            case _:
                _refuse(
                    name,
                    f"trigger={clause!r}",
                    'trigger=("messages", 50) or ("tokens", 4000) bounds what a model reads',
                )
    logger.warning("nothing is summarised: of older messages than the last %d a model reads none", limits.max_messages)
    return replace(given, limits=limits)


# Tools


def _tool_calls(middleware: Any, given: Given) -> Given:
    name, most = "ToolCallLimitMiddleware", middleware.run_limit
    if middleware.exit_behavior == "error":
        _refuse(name, "exit_behavior='error'", ENDS)
    if middleware.tool_name is None:
        return replace(given, limits=replace(given.limits, max_tool_calls=min(most, given.limits.max_tool_calls)))
    return replace(
        given,
        changes=(*given.changes, partial(_changed, name, [middleware.tool_name], partial(replace, most_calls=most))),
    )


def _tool_retries(middleware: Any, given: Given) -> Given:
    on = middleware.retry_on
    retry = Retry(
        attempts=middleware.max_retries + 1,
        on=on if callable(on) else lambda error: isinstance(error, on),
        pause_s=partial(_pause_s, middleware),
    )
    names = _own_part(middleware, "_tool_filter")

    def change(tools: Sequence[DomainTool]) -> Sequence[DomainTool]:
        """Reads alone: a write that failed may have happened."""
        reads = [tool.name for tool in tools if tool.effect == "read"]
        writes = sorted({tool.name for tool in tools if tool.name in (names or ())} - set(reads))
        if writes or not reads:
            _refuse(
                "ToolRetryMiddleware",
                f"{writes}" if writes else "writes alone",
                "a write is never sent again blindly; declare what changes nothing with read(…)",
            )
        return _changed("ToolRetryMiddleware", reads if names is None else names, partial(replace, retry=retry), tools)

    return replace(given, changes=(*given.changes, change))


def _pause_s(middleware: Any, tries: int) -> float:
    grown = middleware.initial_delay * (middleware.backoff_factor or 1.0) ** (tries - 1)
    pause: float = min(grown, middleware.max_delay)
    return pause * random.uniform(0.75, 1.25) if middleware.jitter else pause


def _changed(
    middleware: str, names: Sequence[str], change: Callable[[DomainTool], DomainTool], tools: Sequence[DomainTool]
) -> Sequence[DomainTool]:
    """The tools, those of these names changed. Raises SettingsError for a name that none has."""
    if strangers := sorted(set(names) - {tool.name for tool in tools}):
        _refuse(middleware, f"{strangers}", f"the tools are {sorted(tool.name for tool in tools)}")
    return [change(tool) if tool.name in names else tool for tool in tools]


# What a person writes


def _mask(middleware: Any, given: Given) -> Given:
    if not middleware.apply_to_input:
        return given
    process, before = _own_part(middleware, "_process_content"), given.mask
    return replace(given, mask=lambda text: str(process(before(text) if before else text)[0]))


def _own_part(middleware: Any, name: str) -> Any:
    """A part that only LangChain's own class has. Raises SettingsError where another version has it no more."""
    try:
        return getattr(middleware, name)
    except AttributeError:
        raise SettingsError(
            f"create_agent takes no {type(middleware).__name__} of this version of LangChain: it has no {name}"
        ) from None


ENDS = "here every request ends in an answer, and `outcome` says how"
ROWS: Mapping[str, Row] = {
    "HumanInTheLoopMiddleware": Row(
        frozenset({"description_prefix"}),
        _approvals,
        "one question holds what is asked now; an edited call is what the plan holds",
    ),
    "ModelFallbackMiddleware": Row(
        frozenset(),
        lambda middleware, given: replace(given, model=_with_fallbacks(given.model, middleware.models)),
        "model.with_fallbacks([…])",
    ),
    "ModelCallLimitMiddleware": Row(
        frozenset({"run_limit", "thread_limit"}),
        lambda middleware, given: _with_settings(
            given, max_request_calls=middleware.run_limit, max_thread_calls=middleware.thread_limit
        ),
        ENDS,
    ),
    "ToolCallLimitMiddleware": Row(
        frozenset({"tool_name", "run_limit", "exit_behavior"}), _tool_calls, "calls are counted by request: run_limit="
    ),
    "ToolRetryMiddleware": Row(
        frozenset({"max_retries", "tools", "retry_on", "backoff_factor", "initial_delay", "max_delay", "jitter"}),
        _tool_retries,
        "an error that stays goes to the planner, and the answer tells of it",
    ),
    "ModelRetryMiddleware": Row(
        frozenset({"max_retries"}),
        lambda middleware, given: _with_settings(given, model_attempts=middleware.max_retries + 1),
        "model.with_retry(…)",
    ),
    "SummarizationMiddleware": Row(
        frozenset({"trigger", "keep", "token_counter"}),
        _prompt_sizes,
        "nothing is summarised; keep and trigger bound what is read",
    ),
    "AgentMiddleware": Row(  # one without hooks
        frozenset(),
        lambda middleware, given: replace(
            given,
            state=with_own_keys(given.state or MessagesState, middleware.state_schema),
            more_tools=(*given.more_tools, *getattr(middleware, "tools", ())),
        ),
        "",
    ),
    "PIIMiddleware": Row(
        frozenset({"strategy", "detector", "apply_to_input"}),
        _mask,
        "only what a person writes is masked; mask a result in its tool",
    ),
}
"""By the name of LangChain's class."""
REFUSED: Mapping[str, str] = {
    "ToolErrorMiddleware": "an error goes to the planner by itself, and the answer tells of it",
    "ContextEditingMiddleware": "Limits(max_prompt_bytes=…, max_messages=…) bounds what a model reads",
    "TodoListMiddleware": "the plan is the list",
    "LLMToolSelectorMiddleware": "share the tools out over several agents, each a tool of one above: agent.as_tool()",
    "ProviderToolSearchMiddleware": "share the tools out over several agents, each a tool of one above: agent.as_tool()",
    "LLMToolEmulator": "wavegraph.testing has a ScriptedModel; the tools are your functions",
    "ShellToolMiddleware": 'a tool of your own with approve={"shell": True}, or one of an MCP server',
    "FilesystemFileSearchMiddleware": "a tool of your own, or one of an MCP server",
}
"""What to use in the place of LangChain's others."""
