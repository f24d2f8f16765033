"""Writes that a person agrees to first: what they are shown, what they answer, and to what exactly they agreed."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, with_config
from typing_extensions import TypedDict

from wavegraph.graph.ledger import canonical
from wavegraph.graph.state import Asked, Terms

__all__ = ["MOST_ASKED", "Answer", "Approval", "Asked", "Choice", "Question", "Terms", "hash_of"]

MOST_ASKED = 3
"""How often one call may be asked about again in a request because its terms moved."""


@with_config(ConfigDict(extra="forbid"))
class Answer(TypedDict):
    """What a person answers: the schema of the interrupt's reply.

    `approve` holds for the terms that were shown; `edit` gives other arguments, about which is asked again.
    """

    decision: Literal["approve", "reject", "edit"]
    terms_hash: NotRequired[str]
    """Of the terms that were shown: an answer to other terms is not taken. Without it a yes counts only while the
    question is as it was first shown; what writes nothing by itself (a no, an edit) counts always."""
    choice: NotRequired[str]
    """For `approve`: one of the question's `choices`; left out = as it was asked."""
    reason: NotRequired[str]
    """Why it is rejected, for the answer."""
    changes: NotRequired[dict[str, Any]]
    """For `reject`: what should be otherwise, in the form the question tells; then the request is planned again."""
    args: NotRequired[dict[str, Any]]
    """For `edit`: the arguments to change, by name."""
    words: NotRequired[str]
    """The answer as it was said in the conversation, to be kept there."""


class TermsChange(TypedDict):
    """What has moved in the terms since they were last shown, in words."""

    before: list[str]
    now: list[str]


class ActionRequest(TypedDict):
    """The call, as LangChain's human-in-the-loop front ends read it."""

    name: str
    args: dict[str, Any]
    description: str


class ReviewConfig(TypedDict):
    """What such a front end may answer: `{"decisions": [{"type": "approve"}]}`."""

    action_name: str
    allowed_decisions: list[Literal["approve", "edit", "reject", "respond"]]


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
    """The same with the question that goes to who asked."""
    by_asker: bool
    """Whether who made the request answers, in the conversation; else somebody else does."""
    settings: dict[str, Any]
    """The settings the request was started with, for whoever goes on with it elsewhere."""
    choices: dict[str, str]
    """Other ways of agreeing, each in words."""
    changes: dict[str, Any] | None
    """JSON schema of what a rejection may ask for; None = it may ask for nothing."""
    yes: list[str]
    """Words that are a plain yes here, besides those that always are."""
    no: list[str]
    changed: TermsChange | None
    """Set where the terms have moved since they were asked about before."""
    problem: str | None
    """Why the last answer could not be taken."""
    action_requests: list[ActionRequest]
    """Always one."""
    review_configs: list[ReviewConfig]


async def _nothing(args: Mapping[str, Any], settings: Any) -> None:
    return None


async def _anything(args: Mapping[str, Any], changes: Any, settings: Any) -> str | None:
    return None


@dataclass(frozen=True)
class Choice:
    """Another way of agreeing: the same call with some of its arguments set, to the same terms."""

    label: str
    args: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Approval:
    """How one write is put before a person."""

    prepare: Callable[[Mapping[str, Any], Any], Awaitable[Terms]]
    """`(args, settings) -> terms`: checks all of it again and keeps it for a while. Runs before each question and again
    before the write, so it must be idempotent. Raises ToolRefusal where the write is not possible."""
    restate: Callable[[Mapping[str, Any], str], str]
    """`(details, language) -> text`: the terms in words, without the question."""
    brief: Callable[[Mapping[str, Any], str], str] | None = None
    """`(details, language) -> line`: what waits, in a few words, for answers given meanwhile; None = the first line of `restate`."""
    release: Callable[[Mapping[str, Any], Any], Awaitable[None]] = _nothing
    """`(args, settings)`: lets go of what `prepare` keeps; also called when nothing is kept."""
    yes: Sequence[str] = ()
    """The deed in words that are a plain yes to this question: "book it"."""
    no: Sequence[str] = ()
    """Words that are a plain no to this question: "cancel that"."""
    choices: Mapping[str, Choice] = field(default_factory=dict)
    changes: type[BaseModel] | None = None
    """What a rejection may ask for: it becomes an issue, and `Domain.adapt` finds it as that call's result."""
    check_changes: Callable[[Mapping[str, Any], Any, Any], Awaitable[str | None]] = _anything
    """`(args, changes, settings) -> why they cannot be had`, None = they can; `changes` as their model has them. Runs
    again on each resume, so it only looks. Then the person is asked again with the reason."""
    most_changes: int = 1
    """How often in a request."""
    by_asker: Callable[[Any], bool] = lambda settings: True
    """`(settings) -> bool`: whether who asks also agrees, in the conversation; else somebody else does."""


def hash_of(tool: str, args: Mapping[str, Any], details: Mapping[str, Any]) -> str:
    """Of everything a person agrees to: the tool, its resolved arguments, the terms."""
    text = canonical({"tool": tool, "args": args, "details": details})
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
