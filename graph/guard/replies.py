"""What a model's reply says, in a domain with statements: forms, held against the request and put into words by code."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Literal

from langgraph.errors import GraphBubbleUp
from pydantic import Field, ValidationError

from wavegraph.graph.answer.replies import (
    Cannot,
    Greeting,
    Instructions,
    OutOfScope,
    ReplyForm,
    Unclear,
    name_of,
    remarks_of,
    said_statements,
)
from wavegraph.graph.answer.statements import Catalogue
from wavegraph.graph.domain import Domain, Replies
from wavegraph.graph.errors import PlanError, ReplyRefused, error_text, explain, kind_of_fault, logger, short_repr
from wavegraph.graph.guard.cards import mask
from wavegraph.graph.language import say
from wavegraph.graph.ledger import has_results
from wavegraph.graph.references.signatures import notes_line, signature
from wavegraph.graph.references.tidy import tidy_schema
from wavegraph.graph.state import ToolCall, ValidationIssue, new_issue
from wavegraph.graph.views import AnswerView, PlanningView

MOST_FORMS = 5
"""Of one reply."""
RULES = ("reply_shape", "reply_quote", "reply_refused")


class Ask(ReplyForm):
    """An argument that a call needs and nobody has given."""

    say: Literal["ask"]
    what: list[str] = Field(min_length=1, description="Names of arguments")


@dataclass
class ReplyText:
    """A model's reply in words: what of it can be said, and why the rest cannot."""

    said: list[dict[str, Any]] = field(default_factory=list)
    """The accepted forms, as JSON."""
    serves: list[int] = field(default_factory=list)
    """Numbers of the request's pieces that these are for."""
    sentences: list[str] = field(default_factory=list)
    issues: list[ValidationIssue] = field(default_factory=list)
    """Why other forms are not accepted."""


def replies_of(domain: Domain) -> Replies | None:
    """The forms of the domain's replies; None = a reply is a text."""
    if domain.catalogue is None:
        return None
    names = {name for tool in domain.registry.values() for name in tool.arguments}
    forms: list[type[ReplyForm]] = [Greeting, Ask, Unclear, Cannot, OutOfScope, Instructions]
    return domain.catalogue.replies or Replies(
        forms=[form for form in forms if names or form is not Ask], text=partial(_usual_text, names)
    )


def catalogue_for(domain: Domain, view: AnswerView) -> Catalogue:
    """The domain's statements for an answer, and what the planner said beside the calls, which must be told."""
    assert domain.catalogue is not None, "it has statements"
    told = domain.catalogue.statements(view)
    made, duties = said_statements(remarks_of(view.plan))
    return replace(
        told,
        statements=[*made, *told.statements],
        duties=[*duties, *told.duties],
        request=view.request["text"],
        nothing_more=lambda words, so_far: domain.nothing_more(words, view, so_far),
    )


def _usual_text(arguments: Collection[str], form: ReplyForm, view: PlanningView) -> str:
    """The engine's sentence for a form. `arguments`: of all tools."""
    language = view.request["language"]
    if isinstance(form, Ask):
        if strangers := [name for name in form.what if name not in arguments]:
            raise ReplyRefused(f"no tool has an argument {strangers[0]!r}; there are {sorted(arguments)}")
        return say("reply_ask", language, what=", ".join(name.replace("_", " ") for name in form.what))
    words = getattr(form, "quote", None)
    kind = "unclear_words" if words and isinstance(form, Unclear) else getattr(form, "kind", name_of(form))
    return say(f"reply_{kind}", language, words=words)


def reply_text(raw: Any, replies: Replies, view: PlanningView, calls: Sequence[ToolCall]) -> ReplyText:
    """The reply that a model gave, in words."""
    told = ReplyText()
    listed = raw if isinstance(raw, list) else []
    if len(listed) > MOST_FORMS or (raw is not None and listed is not raw):
        names = [name_of(form) for form in replies.forms]
        shape = f"`reply` is a list of at most {MOST_FORMS} of {names}, or null"
        told.issues += _unfit("reply_shape", shape, raw).issues
    request = mask(view.request["text"])
    for given in listed[:MOST_FORMS]:
        try:
            form = _form(given, replies, request)
            words = _words(form, replies, view, calls)
        except PlanError as refused:
            told.issues += refused.issues
            continue
        told.said.append(form.model_dump(mode="json", exclude_none=True))
        told.serves += numbers_of(given.get("serves"))
        if words and words not in told.sentences:
            told.sentences.append(words)
    return told


def _unfit(rule: str, message: str, given: Any) -> PlanError:
    actual = short_repr(given) if rule == "reply_shape" else given
    return PlanError([new_issue("broken_plan", "", message, rule, actual=actual)])


def numbers_of(given: Any) -> list[int]:
    """The integers of a model's list of pieces; anything else in it is left out."""
    return [each for each in given if type(each) is int] if isinstance(given, list) else []


def _form(given: Any, replies: Replies, request: str) -> ReplyForm:
    kinds = {name_of(form): form for form in replies.forms}
    kind = kinds.get(str(given.get("say"))) if isinstance(given, Mapping) else None
    if kind is None:
        raise _unfit("reply_shape", f"an element of `reply` is an object whose `say` is one of {sorted(kinds)}", given)
    try:
        own = {name: part for name, part in given.items() if part is not None and name != "serves"}
        return kind.model_validate(own, context=request)
    except ValidationError as error:
        is_quote = any(each["type"] == "unsaid" for each in error.errors())
        why = f"reply {name_of(kind)}: {explain(error)}"
        raise _unfit("reply_quote" if is_quote else "reply_shape", why, dict(given)) from None


def _words(form: ReplyForm, replies: Replies, view: PlanningView, calls: Sequence[ToolCall]) -> str:
    is_beside = bool(calls) or has_results(view.ledger)
    if is_beside and name_of(form) == "greeting" and getattr(form, "kind", "") != "help":
        return ""  # an answer has courtesies of its own
    try:
        words = replies.beside(form, view, calls) if is_beside and replies.beside else replies.text(form, view)
    except ReplyRefused as refused:
        raise _unfit(
            "reply_refused", f"reply {name_of(form)}: {error_text(refused)}", form.model_dump(mode="json")
        ) from None
    except GraphBubbleUp:
        raise
    except Exception as error:  # noqa: BLE001  the domain's own code: what it cannot say is not said
        logger.error("the reply %s could not be put into words: %s", name_of(form), kind_of_fault(error))
        raise _unfit("reply_refused", f"reply {name_of(form)} cannot be said just now", name_of(form)) from None
    return " ".join(words.split())


@cache
def _told(form: type[ReplyForm]) -> str:
    schema, when = tidy_schema(form.model_json_schema()), " ".join(str(form.__doc__).split())
    fields = {name: part for name, part in schema["properties"].items() if name != "say"}
    for name, part in fields.items():
        if (choices := part.get("enum")) and all(f"`{each}`" in when for each in choices):
            fields[name] = {"type": "string"}  # the description names them all
    schema = {**schema, "properties": fields}
    return f"{name_of(form)}{signature(schema)}: {when}{notes_line(schema)}"


def form_list(replies: Replies) -> str:
    """The forms for the prompt: each by its name, with its fields, and when it is meant."""
    return "\n".join(f"- {_told(form)}" for form in replies.forms)
