"""Approval of writes by a person: the question, the answer, and the exact terms that were agreed to; and how a person is asked
where it is the call itself that is told: in the engine's words, by a template over its arguments, or by a function of them."""

import inspect
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from string import Formatter
from typing import Any, Literal, NotRequired, get_args

from pydantic import BaseModel, ConfigDict, with_config
from typing_extensions import TypedDict

from wavegraph.graph.errors import SettingsError, error_text
from wavegraph.graph.language import say
from wavegraph.graph.ledger import canonical
from wavegraph.graph.references.paths import follow, path_steps
from wavegraph.graph.state import Asked, Terms, key_of

__all__ = ["MAY_ANSWER", "MOST_ASKED", "Answer", "Approval", "Asked", "Choice", "Question", "Terms", "hash_of"]

MOST_ASKED = 3
"""How often one call may be asked about in a request because its terms changed."""
Decision = Literal["approve", "edit", "reject", "respond"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
MAY_ANSWER = "answer_approvals"
"""Permission of a server's user to answer the questions that are not the asker's own (`by_asker` is false)."""


@with_config(ConfigDict(extra="forbid"))
class Answer(TypedDict):
    """What a person answers: the schema of the interrupt's reply.

    `approve` holds for the terms that were shown; `edit` changes arguments, and the person is asked again.
    """

    decision: Literal["approve", "reject", "edit"]
    terms_hash: NotRequired[str]
    """Of the terms that were shown: an answer to other terms is refused. Without it a form's yes counts only while the
    question is as it was first shown, or to an inbox as it was edited there; an answer that writes nothing by itself (a
    no, an edit) always counts."""
    choice: NotRequired[str]
    """For `approve`: one of the question's `choices`; left out = as asked."""
    reason: NotRequired[str]
    """Why it is rejected, for the answer."""
    changes: NotRequired[dict[str, Any]]
    """For `reject`: what should change, by the question's schema; then the request is planned again."""
    args: NotRequired[dict[str, Any]]
    """For `edit`: the arguments to change, by name."""
    without: NotRequired[list[str]]
    """For `edit`: the arguments to leave out."""
    words: NotRequired[str]
    """The answer in the person's own words, kept in the conversation."""


class TermsChange(TypedDict):
    """How the terms have changed since they were last shown, in words."""

    before: list[str]
    now: list[str]


class ActionRequest(TypedDict):
    """The call, as LangChain's human-in-the-loop front ends read it."""

    name: str
    args: dict[str, Any]
    description: str


class ReviewConfig(TypedDict):
    """What these front ends may answer: `{"decisions": [{"type": "approve"}]}`."""

    action_name: str
    allowed_decisions: list[Decision]


class Question(TypedDict):
    """What an interrupt shows to the person who is asked."""

    kind: Literal["approval"]
    call: str
    tool: str
    args: dict[str, Any]
    terms: dict[str, Any]
    terms_hash: str
    valid_until: str | None
    summary: str
    """The terms in words, in the request's language."""
    text: str
    """The summary followed by the question itself; of long terms that are asked about again the headline."""
    shown: bool
    """Whether the conversation ends with it. If not, the last answer asked something of its own, or who made the request is
    not asked: then no plain yes is to these terms."""
    rivalled: bool
    """Whether an answer has offered something in its place since the terms were first shown: then a yes names its code, and
    words that point at something ("book it", "sounds good") are a request."""
    languages: list[str]
    """ISO 639-1 codes of those whose words answer it, that of its text first."""
    agree_with: str
    """The words that agree: `yes`, or with the terms' code, where a yes might be meant for something else, or in a language of
    whose words for yes none are known."""
    by_asker: bool
    """Whether the person who made the request answers, in the conversation; else somebody else does."""
    settings: dict[str, Any]
    """The settings the request was started with, to resume it elsewhere."""
    choices: dict[str, str]
    """Other ways of agreeing, each in words."""
    changes: dict[str, Any] | None
    """JSON schema of the changes that a rejection may ask for; None = no changes."""
    yes: list[str]
    """Words that mean a plain yes here, besides the usual ones."""
    no: list[str]
    changed: TermsChange | None
    """Set if the terms have changed since the last question."""
    problem: str | None
    """Why the last answer was refused."""
    along: NotRequired[list["Question"]]
    """About the other writes that the same question shows, in order; missing = there are none."""
    agree_to_all: NotRequired[str]
    """Code of the terms of all of them."""
    action_requests: list[ActionRequest]
    """One for each of them; a decision on each, in this order, is taken as well as one on the first alone."""
    review_configs: list[ReviewConfig]


async def nothing(*_: Any) -> None:
    """In the place of what is left out."""


def always(*_: Any) -> bool:
    """In the place of a condition that is left out."""
    return True


@dataclass(frozen=True)
class Choice:
    """Another way of agreeing: the same call with some of its arguments set, to the same terms."""

    label: str
    args: Mapping[str, Any]
    labels: Mapping[str, str] = field(default_factory=dict)
    """In other languages than English."""


@dataclass(frozen=True, kw_only=True)
class Approval:
    """How a person is asked about one write."""

    prepare: Callable[[Mapping[str, Any], Any], Awaitable[Terms]]
    """`(args, settings) -> terms`: checks everything again and holds it for a while. Runs before each question and again
    before the write, so it must be idempotent. Raises ToolRefusal if the write is not possible."""
    restate: Callable[[Mapping[str, Any], str], str]
    """`(details, language) -> text`: the terms in words, without the question."""
    when: Callable[[Mapping[str, Any]], bool] = always
    """`(args) -> bool`: whether a person is asked about a call with these arguments. Pure; one that fails asks."""
    decisions: Sequence[Decision] = DECISIONS
    """What a form may answer, and whether words may agree (`approve`); a no in words withdraws the call in any case."""
    brief: Callable[[Mapping[str, Any], str], str] | None = None
    """`(details, language) -> line`: what waits, in a few words, for answers given meanwhile; None = the first line of `restate`."""
    alike: Callable[[Mapping[str, Any], Sequence[str], Any], Awaitable[Mapping[str, Any]]] | None = None
    """`(details, references, settings) -> details to add`: which of the writes that earlier requests of the thread made with
    this tool, by the references of its `receipt`, are so like this one that a person must know of them. Only reads."""
    told_alike: Callable[[Mapping[str, Any], str], str] = lambda details, language: ""
    """`(details, language) -> line`: what `alike` found, below the terms."""
    since: Callable[[Mapping[str, Any], Sequence[Any], str], str] = lambda details, found, language: ""
    """`(details, results, language) -> text`: what the reads of a request answered beside the question have found that a yes to
    it should know; below the terms, where they are shown again behind that answer."""
    by_code: Callable[[Mapping[str, Any]], bool] = lambda details: False
    """`(details) -> bool`: whether a yes to these terms names their code, however short they are: where it goes against a
    warning that a plain yes may have been said without reading."""
    release: Callable[[Mapping[str, Any], Any], Awaitable[None]] = nothing
    """`(args, settings)`: releases what `prepare` holds; also called when nothing is held."""
    yes: Sequence[str] = ()
    """Phrases that name the action and mean yes to this question: "book it"."""
    no: Sequence[str] = ()
    """Phrases that mean no to this question: "cancel that"."""
    rivals: Collection[str] = ()
    """Reads whose results offer something in its place: a yes given after them may mean that, so it names the terms' code."""
    choices: Mapping[str, Choice] = field(default_factory=dict)
    changes: type[BaseModel] | None = None
    """The changes that a rejection may ask for, once in a request: they become an issue, and `Script.workarounds` finds them as the call's result."""
    check_changes: Callable[[Mapping[str, Any], Any, Any], Awaitable[str | None]] = nothing
    """`(args, changes, settings) -> why not`, None = they are possible; `changes` is an instance of the model. Runs again
    on each resume, so it must only read. The person is asked again with the reason."""
    by_asker: Callable[[Any], bool] = lambda settings: True
    """`(settings) -> bool`: whether the person who asks also approves, in the conversation; else somebody else does."""
    once: str | None = None
    """For a read: the form that its tool is in. A person is asked before its first call in a thread, and a yes holds there for
    its later calls while the form is the same. None = a read is not asked about, a write before each call."""


def hash_of(tool: str, args: Mapping[str, Any], details: Mapping[str, Any]) -> str:
    """Hash of everything a person agrees to: the tool, its resolved arguments, the terms."""
    return key_of(canonical({"tool": tool, "args": args, "details": details}))


# The call itself as terms

Words = Callable[[Mapping[str, Any]], str | Awaitable[str]]
Approve = bool | str | Words | Approval
"""True: in the engine's words; False: not, also where the tool asks by itself; a template over the call's arguments
(`"{passenger} on {flight}"`); a function of them that makes the words; or an Approval of one's own."""

NOTHING = "–"
"""In a template, for an argument that was left out."""


def plain_approval(tool: str, phrase: str = "would_be_sent", words: Words | None = None, **more: Any) -> Approval:
    """A question about the call itself, in what `words` makes of its arguments, or else in the engine's (`phrase`). `more`: what its
    terms hold besides."""

    async def prepare(args: Mapping[str, Any], settings: Any) -> Terms:
        made = words(args) if words else None
        text = await made if inspect.isawaitable(made) else made
        told = {"words": str(text or "")} if words else {}
        return {"details": {"tool": tool, **more, "args": dict(args), **told}, "valid_until": None}

    def restate(details: Mapping[str, Any], language: str) -> str:
        told = str(details.get("words") or "")
        return told or say(phrase, language, tool=details["tool"], args=canonical(details["args"]))

    return Approval(prepare=prepare, restate=restate)


def approval_from(approve: Approve, tool: str, arguments: Collection[str]) -> Approval:
    """How a person is asked about a tool with these arguments. Raises SettingsError for a template that names another, and
    for what does not say how."""
    match approve:
        case True:
            return plain_approval(tool)
        case Approval():
            return approve
        case str():
            _refuse_unknown(approve, tool, arguments)
            words: Words = partial(_Template().vformat, approve, ())
        case _ if callable(approve):
            words = approve
        case _:
            raise SettingsError(
                f"approve[{tool!r}] must be True, a text such as '{{{next(iter(arguments), 'name')}}}', a "
                f"function of the arguments, or an Approval; not {approve!r}"
            )
    return plain_approval(tool, words=words)


def _refuse_unknown(template: str, tool: str, arguments: Collection[str]) -> None:
    try:
        fields = [(field, path_steps(field)) for _, field, _, _ in Formatter().parse(template) if field is not None]
    except ValueError as error:
        raise SettingsError(f"approve[{tool!r}] = {template!r} is not a template: {error_text(error)}") from None
    for name, steps in fields:
        if not steps or str(steps[0]) not in arguments:
            known = ", ".join(f"{{{each}}}" for each in arguments) or "none"
            raise SettingsError(
                f"approve[{tool!r}] = {template!r} names {{{name}}}, which {tool} does not take; it takes: {known}"
            )


class _Template(Formatter):
    """Its fields are paths into a call's arguments."""

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        try:
            return follow(kwargs, field_name), field_name
        except LookupError:
            return None, field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        try:
            return NOTHING if value is None else str(format(value, format_spec))
        except (TypeError, ValueError):  # a format for another type
            return str(value)
