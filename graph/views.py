"""What planners, responders and checks are shown: a request, its results, a call with its arguments."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from math import inf
from typing import Any

from langchain_core.messages import AnyMessage

from wavegraph.graph.ledger import has_results
from wavegraph.graph.limits import Limits
from wavegraph.graph.state import (
    AgentState,
    Asked,
    Feedback,
    Ledger,
    PastRequest,
    Plan,
    Request,
    SentWrite,
    ToolCall,
    Usage,
    ValidationIssue,
    with_calls,
)

MOST_FAULTS = 20
"""Broken plans, and struck sentences, that a request remembers."""
LONGEST_STRUCK = 300
"""Characters of a sentence."""


@dataclass
class Meter:
    """What one node's model calls cost, and what of their work did not stand; made anew for each, never shared."""

    streamed_id: str | None = None
    """Id of the message under which tokens of an answer were streamed."""
    streamed_text: str = ""
    """What was streamed under it."""
    before: Usage = field(default_factory=dict)
    """What the request's nodes before this one have used."""
    usage: Usage = field(default_factory=dict)
    reported: dict[str, Any] = field(default_factory=dict)
    """What the last call's model reported of it, as fields of LangChain's messages."""
    broken_plans: list[ValidationIssue] = field(default_factory=list)
    """Why plans could not run."""
    struck: list[str] = field(default_factory=list)
    """Sentences of an answer that no statement bore out."""
    language: str | None = None
    """Of the request, as its planner read it; None = it did not say."""

    @property
    def calls(self) -> int:
        """Model calls of the request so far."""
        return sum(use["calls"] for usage in (self.before, self.usage) for use in usage.values())

    def added_to(self, state: AgentState) -> dict[str, Any]:
        """The request's counters with this node's calls added; nothing where it made none."""
        update: dict[str, Any] = {}
        if self.broken_plans:
            update["broken_plans"] = [*state["broken_plans"], *self.broken_plans][:MOST_FAULTS]
        if self.struck:
            update["struck"] = [*state["struck"], *(each[:LONGEST_STRUCK] for each in self.struck)][:MOST_FAULTS]
        if self.language:
            update["request"] = {**state["request"], "language": self.language}
        if self.usage:
            update["usage"] = added_usage(state.get("usage", {}), self.usage)
        return update


def added_usage(before: Usage, more: Usage) -> Usage:
    """Both together, by role and model."""
    both: Any = {
        name: {kind: before[name][kind] + more[name][kind] for kind in COUNTS}  # type: ignore[literal-required]
        for name in before.keys() & more
    }
    return {**before, **more, **both}


COUNTS = ("calls", "input", "output", "cached", "reasoning")


@dataclass(frozen=True, kw_only=True)
class View:
    """What planners and responders both see."""

    request: Request
    pieces: Sequence[str] = ()
    """The request in pieces (`guard.pieces`); none of a letter."""
    conversation: Sequence[AnyMessage]
    """The thread's messages, the request last."""
    settings: Any
    """The run's settings, of the domain's own type."""
    today: date
    ledger: Ledger
    """What this request has run so far."""
    previous: PastRequest | None
    """The request before this one."""
    sent_before: Sequence[SentWrite] = ()
    """Writes of earlier requests of the thread that nothing can look up, oldest first: planned again, the person is asked."""
    waiting: Sequence[Asked] = ()
    """Writes that still wait for a person's answer, unless this request plans another write of the same tool. The engine
    itself speaks of them."""
    feedback: Feedback | None
    """Why planning again, None for a new request and after `continue`; or what the answer lacked that was sent back."""
    limits: Limits = field(default_factory=Limits)
    issues: Sequence[ValidationIssue] = ()
    """All that was found in this request, in order."""
    details: Mapping[str, Any] | None = None
    """The domain's report on its work at the last validation."""
    meter: Meter = field(default_factory=Meter)
    """Where model calls are counted."""
    remaining_s: float = inf
    """Active seconds left of the request."""

    @property
    def worked_before(self) -> PastRequest | None:
        """The last request before this one that had calls: what a follow-up is about."""
        return with_calls(self.previous)

    @property
    def ledgers(self) -> Sequence[Ledger]:
        """What this request has run so far, then what that one had."""
        return [self.ledger, *([self.worked_before["ledger"]] if self.worked_before else [])]


@dataclass(frozen=True, kw_only=True)
class PlanningView(View):
    """What a planner sees."""

    plan: Plan | None
    """The plan before this one, in the same request."""
    proposals: Sequence[ToolCall] = ()
    """The domain's own workarounds for the issues (`Script.workarounds`)."""


@dataclass(frozen=True, kw_only=True)
class AnswerView(View):
    """What a responder sees."""

    plan: Plan
    open_issues: Sequence[ValidationIssue]
    """Issues that no later call has worked around."""
    unfinished: Sequence[str]
    """Ids of planned calls that did not end."""
    limits_hit: Sequence[str]
    """Names of the limits that stopped the work."""
    unsupported: Sequence[str]
    """Claims of the last answer that trace to nothing: leave them out."""
    untraced: Collection[str] = ()
    """Ids of the conversation's answers that are no source: the one under check, and earlier ones that went out untraced."""
    decided: Sequence[Asked] = ()
    """What the person has agreed to or declined in this request."""
    since: Sequence[AnyMessage] = ()
    """What was said after the request's own message, other requests beside it among it; not its own answer, and each question
    where it was put last."""
    told: Sequence[str] = ()
    """Ids of the statements that the answer under check consists of; empty = it does not."""
    templated: bool = False
    """Whether the domain's templates wrote it."""
    struck: Sequence[str] = ()
    """Sentences of earlier drafts that did not stand."""
    question_follows: bool = False
    """Whether the person is asked about a waiting write right after the answer: its own questions are left out."""

    @property
    def reply_is_answer(self) -> bool:
        """Whether the plan's own reply is the answer: nothing was found, or its planner wrote the answer from all that was."""
        plan = self.plan
        if not plan["reply"]:
            return False
        # one of rules is for where nothing was found, and beside a question or a refusal stand the results
        is_beside = plan["planner"] == "rules" or plan["action"] in ("clarify", "refuse", "give_up")
        asks_more = plan["tools"] or plan["status"] == "continue"
        return not has_results(self.ledger) or not (asks_more or is_beside or self.unsupported)


@dataclass(frozen=True)
class ResolvedCall:
    """What a check knows of the call whose result it reads."""

    id: str
    tool: str
    args: Mapping[str, Any]
    words: str = ""
    """Those of the request that it serves, where it is held against them."""
    referred: frozenset[str] = frozenset()
    """The arguments that come from results by reference: what they hold is not the planner's."""
    instead_of: str | None = None
    """The call whose place it takes."""


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """A planned call that is not what the words it serves say, by the domain's own reading."""

    call: str
    """Its id; empty = no call is there for what is said."""
    about: str
    """What they differ in, in a word of the domain: `dates`, `nights`."""
    said: Any
    """By these words, as JSON; None = nothing."""
    planned: Any
    """As JSON."""
