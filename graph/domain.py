"""A domain: everything the engine needs to know about one kind of agent.

A domain brings tools, perhaps an offline planner and responder, limits and settings. It speaks in three ways: `Checks` (what
it objects to, and its report), a `Sayable` (what a model may say) and a `Script` (its arithmetic and fixed steps). The engine
plans, runs, validates and answers with them, and names none.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol, get_args, get_type_hints

from langchain_core.tools import BaseTool
from typing_extensions import TypedDict, is_typeddict

from wavegraph.graph.answer.replies import ReplyForm
from wavegraph.graph.answer.statements import Catalogue
from wavegraph.graph.answer.words import in_quotation_marks
from wavegraph.graph.approval import nothing
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import SettingsError, short_repr
from wavegraph.graph.language import SHIPPED, USUAL, Language, know, say
from wavegraph.graph.limits import Limits
from wavegraph.graph.references.shapes import Schema
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import (
    KEYS,
    Criterion,
    PlanningResult,
    ToolCall,
    ValidationIssue,
)
from wavegraph.graph.views import AnswerView, Contradiction, PlanningView, ResolvedCall, View

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


PROMPTS = ("plan", "plan_again", "plan_follow_up", "respond", "check_answer")
"""The prompts that may have a part of the domain's own."""


class Planner(Protocol):
    """Plans from a view. Raises nothing for a request it cannot read: it asks, in `reply`."""

    name: str

    async def plan(self, view: PlanningView) -> PlanningResult: ...


@dataclass(frozen=True)
class Draft:
    """An answer, and the id its tokens were streamed under."""

    text: str
    message_id: str | None = None
    told: Sequence[str] = ()
    """Ids of the domain's statements that it consists of; empty = it does not."""


class Responder(Protocol):
    """Writes the answer from a view."""

    name: str

    async def respond(self, view: AnswerView) -> str | Draft: ...


class Offline(Protocol):
    """A domain's own planner and responder: grammar and templates, no model. Pure functions, run off the loop."""

    def plan(self, view: PlanningView) -> PlanningResult: ...

    def respond(self, view: AnswerView) -> str: ...


@dataclass(frozen=True, kw_only=True)
class Script:
    """What code adds to the plans of a request, whoever made them: arithmetic and fixed steps. Pure functions, run off the
    loop; each may be left out."""

    workarounds: Callable[[PlanningView], Sequence[ToolCall] | None] | None = None
    """Calls that work around the issues in `view.feedback`; None or empty = there are none."""
    completed: Callable[[PlanningResult, PlanningView], PlanningResult] | None = None
    """A planner's plan with what always belongs to it: calls that go without saying, slots that follow from the calls,
    `continue` where steps follow."""
    is_fixed: Callable[[PlanningView], bool] | None = None
    """Whether the rules plan the next step of this request (`workarounds`, then `Domain.offline`), and no planner is asked."""


Check = Callable[[Any, ResolvedCall], Sequence[ValidationIssue]]
"""`(typed result, call) -> issues`; pure, may be slow: it runs off the event loop, beside its siblings."""


class NamedCheck(NamedTuple):
    """A check whose beginning and end are events (`check_started`, `check_finished`): it is seen beside its siblings."""

    name: str
    check: Check


AnswerRule = Callable[[str, AnswerView], Criterion]
"""`(answer, view) -> criterion`; a failed one sends its gap back to planning."""


@dataclass(frozen=True)
class Checks:
    """What a domain objects to, and what it reports of the work so far; each may be left out. Pure functions, run off the
    loop."""

    results: Mapping[str, Sequence[Check | NamedCheck]] = field(default_factory=dict)
    """By tool name."""
    _: KW_ONLY
    calls: Callable[[Sequence[ResolvedCall], PlanningView], Sequence[Contradiction]] | None = None
    """What a model's calls say otherwise than the words of the request that they serve (`ResolvedCall.words`), as far as the
    domain's own reading uses all of these: once per request the model is shown both before anything of it runs; then its plan
    stands. References in the arguments are resolved as far as they can be. Calls in place of others are not held."""
    answers: Sequence[AnswerRule] = ()
    report: Callable[[PlanningView], Mapping[str, Any] | None] | None = None
    """Made at each validation, as JSON: for the state (`validation`), the feedback to the planner, the event and the
    responder; None = nothing to report."""


@dataclass(frozen=True)
class ResponseForm:
    """A form that an answer is also given in, as `structured_response`."""

    schema: Schema
    """Tidy, without references out of it."""
    read: Callable[[Any], Any]
    """`(JSON) -> the form as its own type`; raises ValidationError."""
    refused: Callable[[Exception], Exception] | None = None
    """What ends the run where a model gives the form twice and it fits neither time; None = the answer goes without it."""
    call: str | None = None
    """The name of the call that a thread with calls (`Domain.messages`) holds it as, behind the answer; None = it is none there."""
    result: str = "The answer is given in this form."
    """What that call's result says."""


@dataclass(frozen=True, kw_only=True)
class Replies:
    """What a model that plans may say without a look-up, or beside its calls: forms, whose sentences are the domain's."""

    forms: Sequence[type[ReplyForm]]
    """By the docstring of each a model knows when it is meant."""
    text: Callable[[Any, PlanningView], str]
    """`(form, view) -> sentences` in the request's language, final punctuation included. Raises ReplyRefused for what the
    request does not bear out."""
    beside: Callable[[Any, PlanningView, Sequence[ToolCall]], str] | None = None
    """`(form, view, calls) -> sentences` where calls are planned too, or results are there; empty = their answer says it.
    None = `text`. A `Greeting` says nothing there, but for `help`, which answers what can be done here."""
    nothing_more: Callable[[Sequence[str], View, str], str] | None = None
    """`(words, view, answer so far) -> sentence` on words of the request that nothing answers; empty = there is nothing to say
    on them. None = the engine's."""


@dataclass(frozen=True)
class Sayable:
    """All that a model may say to a person: it puts ids of statements into its answer, and fills in forms of replies; code
    writes the sentences."""

    statements: Callable[[AnswerView], Catalogue]
    """For an answer."""
    _: KW_ONLY
    replies: Replies | None = None
    """Without look-ups, or beside calls; None = the engine's (`guard.replies`): a greeting, a question for an argument, that
    something is unclear, impossible here or out of scope."""
    above_terms: Callable[[AnswerView], str] | None = None
    """What a request's reads found, in words that stand above the terms of its write where a person is asked: the answer may
    decide the yes. They are no terms. None = it is told in the answer after the yes alone."""


def _wrong_checks(checks: Any) -> str | None:
    """Why a domain cannot have these `checks`; None = it can."""
    if not isinstance(checks, Mapping):
        return f"checks = {short_repr(checks)}: give a dict, {{tool: [check, …]}}"
    for tool, own in checks.items():
        if not isinstance(own, Sequence) or isinstance(own, str):
            return f"checks[{tool!r}] = {short_repr(own)}: give a list of checks, also of one: [check]"
        for check in own:
            plain = check.check if isinstance(check, NamedCheck) else check
            function = inspect.unwrap(plain) if callable(plain) else None
            if not function or any(map(inspect.iscoroutinefunction, (function, type(function).__call__))):
                return (
                    f"checks[{tool!r}] has {short_repr(check)}: a check is a plain function `(result, call) -> list of "
                    "issues`, which runs in a thread; what it has to wait for belongs into a tool"
                )
    return None


def _are_texts(given: Any) -> bool:
    return isinstance(given, Mapping) and all(isinstance(text, str) for pair in given.items() for text in pair)


@dataclass(frozen=True, kw_only=True)
class Domain:
    """One kind of agent. Only `name` and `tools` are required, and `offline` where no model is."""

    name: str
    tools: Sequence[BaseTool | DomainTool]
    """A bare tool is taken for a write; `read(tool)` declares it read-only."""
    offline: Offline | None = None
    """Its own planner and responder; None = a model plans, and where it is down, what was found is listed."""
    description: str = ""
    checks: Checks | Mapping[str, Sequence[Check | NamedCheck]] = field(default_factory=Checks)
    """A mapping has checks of results alone, by tool name."""
    script: Script = field(default_factory=Script)
    """Its own arithmetic and fixed steps; without any, a planner is asked for each step."""
    catalogue: Sayable | None = None
    """What a model may say; None = it writes freely, and its figures are traced afterwards."""
    every_part: bool = True
    """Whether each piece of a request must be served by a call or a reply of a model's plan, or set aside: one that is
    forgotten goes back to the model once, and then the answer names it."""
    figures: Literal["strict", "checked", "off"] = "strict"
    """What becomes of a figure without a source in a text that somebody writes freely: `strict`, it is left out; `checked`, the
    text goes out as it is, a judge is asked about the figure, where there is one, and it stands in `unsupported`; `off`, none is
    traced. What code renders, statements, forms of replies and templates, is not traced."""
    answer_format: Literal["plain", "free"] = "plain"
    """Of such a text: `plain`, without headings, tables, raw data and names of tools, in the request's script; `free`, as its
    writer wrote it."""
    longest_answer: int | None = 4000
    """Characters of such a text: it ends with the last sentence within; None = any."""
    messages: Literal["answers", "all"] = "answers"
    """What stands in a thread besides what was said: with `all` each call, as LangChain's `AIMessage.tool_calls`, and each
    result, as a `ToolMessage`. Then planners read them too, and clients see calls in the conversation."""
    speaker: str | None = None
    """The `name` of the agent's messages."""
    criteria: Mapping[str, str] = field(default_factory=dict)
    """What a judge may hold an answer against besides accuracy, completeness and clarity: name to what it asks."""
    kinds: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Which of `criteria` apply, by kind of request."""
    kind_of: Callable[[AnswerView], str] = lambda view: "general"
    """The kind of a request; one that `kinds` does not know is judged by the standard criteria alone."""
    mask: Callable[[str], str] | None = None
    """`(text) -> text`: what a person writes, without what no model and no later checkpoint is to hold; a message is replaced by
    it when its request is opened, and what it raises leaves the run. None = as it is."""
    errors: Literal["names", "text"] = "names"
    """What planner and answer are told of an error that a tool did not raise on purpose: its type; or `text`, what it says
    too, without the secrets that this process knows, so that a planner can mend the call."""
    limits: Limits = field(default_factory=Limits)
    prompts: Mapping[str, str] = field(default_factory=dict)
    """The domain's own part of a prompt, by role (`plan`, `respond`, `check_answer`), as text; what a planner needs to know only
    where it plans again in the same request, with feedback, is `plan_again`, and only behind an earlier request of the thread
    `plan_follow_up`."""
    settings: type[Settings] = Settings
    clock: Callable[[Any], date] = lambda settings: date.today()
    """Today for a run that does not say: `(settings) -> date`, in the domain's own time zone."""
    languages: Sequence[Language] = USUAL
    """What it is asked in; the first where a message has no letters."""
    asks_together: bool = False
    """Whether one question is about all writes that a plan asks about and whose arguments are known; each is decided by itself,
    and they run in order. Off = one question after the other."""
    takes: Literal["text", "messages"] = "text"
    """What is read of a client's messages. `text`: a person's words, all else is data. `messages`: as a chat model takes them:
    system messages count as instructions behind the agent's own, and models are given images and other blocks too."""
    state: type[Any] | None = None
    """A TypedDict whose own keys the thread's state has too, with their reducers: input gives them, output has them, tools read
    them (`InjectedState`, `ToolRuntime.state`) and change them by a `Command`. One that has `messages` may be LangChain's."""
    any_language: bool = False
    """Whether it is asked in others too: a model that plans says which. What the engine says itself is in the shipped words for
    it; where none are shipped, in English, and a yes needs the code of its question."""
    response: ResponseForm | None = None
    """A form that a model fills in from each answer."""
    open: Callable[[], Awaitable[None]] = nothing
    """Prepares resources; called before every plan and call, also several at once, so it must be quick when done."""
    close: Callable[[], Awaitable[None]] = nothing
    """Gives them back; the command line calls it at its end, a program of your own where it is done with the graph."""

    @cached_property
    def spoken(self) -> Sequence[Language]:
        """The languages that are told apart before a model has read the request."""
        own = {each.code for each in self.languages}
        return [*self.languages, *(each for each in SHIPPED if self.any_language and each.code not in own)]

    def answered_in(self, language: str) -> list[str]:
        """The languages whose words answer a question in `language`, that first: of one that is asked in any, no other's, since
        a word may mean yes in one and no in another."""
        return list(dict.fromkeys([language, *(each.code for each in self.languages if not self.any_language)]))

    def language_read(self, given: Any, settings: Settings) -> str | None:
        """The code of a request's language, as a planner gave it (`pt-BR`); None = it is known, or was not given."""
        found = re.match(r"([a-z]{2,3})(?![a-z])", str(given or "").strip().lower())
        return found[1] if found and self.any_language and settings.language == "auto" else None

    def nothing_more(self, words: Sequence[str], view: View, told: str) -> str:
        """The sentence on words of the request that nothing answers, behind what is `told`."""
        replies = self.catalogue.replies if self.catalogue else None
        if replies and replies.nothing_more:
            return replies.nothing_more(words, view, told)
        return say("nothing_more", view.request["language"], words=in_quotation_marks(words))

    @cached_property
    def own_checks(self) -> Checks:
        return self.checks if isinstance(self.checks, Checks) else Checks(self.checks)

    @cached_property
    def registry(self) -> dict[str, DomainTool]:
        """Tools by name. Raises SettingsError for a field of the wrong kind, a non-tool, a name used twice, or a check that
        cannot be one."""
        self._refuse_wrong_kinds()
        if plain := [tool for tool in self.tools if not isinstance(tool, DomainTool | BaseTool)]:
            raise SettingsError(f"domain {self.name!r}: {plain[0]!r} is not a tool; decorate the function with @tool")
        methods = ("plan", "respond") if self.offline is not None else ()
        if missing := [name for name in methods if not callable(getattr(self.offline, name, None))]:
            raise SettingsError(f"domain {self.name!r}: its offline part {self.offline!r} has no method {missing[0]!r}")
        tools = [tool if isinstance(tool, DomainTool) else DomainTool(tool) for tool in self.tools]
        if self.errors == "text":
            tools = [replace(tool, error_texts=True) for tool in tools]
        registry = {tool.name: tool for tool in tools}
        if len(registry) < len(tools):
            raise SettingsError(
                f"domain {self.name!r} has two tools with the same name: {[tool.name for tool in tools]}"
            )
        own_keys(self.state)
        if not self.languages:
            raise SettingsError(f"domain {self.name!r} has no language")
        know(self.spoken)
        if strangers := sorted({name for names in self.kinds.values() for name in names} - set(self.criteria)):
            raise SettingsError(f"domain {self.name!r} judges by unknown criteria {strangers}")
        if wrong := _wrong_checks(self.own_checks.results):
            raise SettingsError(f"domain {self.name!r}: {wrong}")
        if strangers := sorted(set(self.own_checks.results) - set(registry)):
            raise SettingsError(f"domain {self.name!r} has checks for unknown tools {strangers}")
        for tool in tools:  # fails now, not after the first call
            tool.refuse_uncallable()
            tool.supplied, tool.arguments, tool.result_adapter  # noqa: B018
        return registry

    def _refuse_wrong_kinds(self) -> None:
        known = self.languages if isinstance(self.languages, Sequence) else [None]
        wanted = (
            ("name", isinstance(self.name, str) and self.name.strip(), 'a text, such as "desk"'),
            ("prompts", _are_texts(self.prompts), 'texts by role, such as {"plan": "You book trips."}'),
            ("criteria", _are_texts(self.criteria), 'what each asks, by name, such as {"tone": "Is it kind?"}'),
            ("languages", all(isinstance(each, Language) for each in known), "a list of Language(…)"),
            ("settings", isinstance(self.settings, type) and issubclass(self.settings, Settings),
             "a subclass of Settings; create_agent takes a dataclass too, as context_schema"),
            ("messages", self.messages in ("answers", "all"), 'one of "answers", "all"'),
            ("takes", self.takes in ("text", "messages"), 'one of "text", "messages"'),
            ("state", self.state is None or is_typeddict(self.state), "a TypedDict, such as one that extends AgentState"),
            ("errors", self.errors in ("names", "text"), 'one of "names", "text"'),
            ("figures", self.figures in ("strict", "checked", "off"), 'one of "strict", "checked", "off"'),
            ("answer_format", self.answer_format in ("plain", "free"), 'one of "plain", "free"'),
            ("longest_answer", self.longest_answer is None or self.longest_answer in range(1, 10**9),
             "a number of characters, or None"),
            ("limits", isinstance(self.limits, Limits), "Limits(…), such as Limits(max_waves=3)"),
            ("script", isinstance(self.script, Script), "Script(…), such as Script(workarounds=…)"),
            ("catalogue", isinstance(self.catalogue, Sayable | None), "Sayable(…), such as Sayable(statements)"),
        )  # fmt: skip
        for field_name, fits, what in wanted:
            if not fits:
                given = short_repr(getattr(self, field_name))
                raise SettingsError(f"domain {self.name!r}: {field_name} must be {what}; not {given}")
        if strangers := sorted(set(self.prompts) - set(PROMPTS)):
            raise SettingsError(f"domain {self.name!r} has prompts for {strangers}; the roles are {', '.join(PROMPTS)}")

    def tool(self, name: str) -> DomainTool:
        """Raises SettingsError for one that the domain does not have: then the thread is another agent's."""
        if (found := self.registry.get(name)) is None:
            own = f"this graph is for {self.name!r}, which has no tool {name!r}"
            raise SettingsError(f"the thread belongs to another agent: {own}; continue with the agent that started it")
        return found
