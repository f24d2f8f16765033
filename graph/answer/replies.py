"""Replies of a planner as forms: a model chooses one and fills in its arguments, code writes the sentence.

Nothing of the model's own words reaches the person. The request's words may stand in a form as a `Quote`.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from wavegraph.graph.answer.statements import Duty, Statement
from wavegraph.graph.answer.words import asks, sentences
from wavegraph.graph.state import Plan, PlanningResult

MOST_WORDS = 12
"""Of a quotation."""
MOST_DIGITS = 8
"""Of a quotation that nobody but a model has chosen: two dates or prices, and no telephone number."""
LONGEST_QUOTE = 120
"""Characters of one."""
_MARKS = "\"'`´‘’‚‛“”„‟«»׳״"
_OPENING_OR_CLOSING = re.compile("[“”„‟«»]")
_ENDS = f" \t\n.,;:!?…()[]{_MARKS}"


class Quote(str):
    """Words of the request, as one piece. A form is validated with the request as its context, and then holds the
    request's own letters; anything else is refused."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_after_validator_function(cls._validated, core_schema.str_schema())

    @classmethod
    def _validated(cls, words: str, info: ValidationInfo) -> "Quote":
        return cls(words if info.context is None else quoted(words, cast(str, info.context)))


def quoted(words: str, request: str) -> str:
    """These words as the request has them. Raises PydanticCustomError where it does not, or where they are no short piece."""
    given = words.strip(_ENDS).split()
    found = _piece(given, request) if 0 < len(given) <= MOST_WORDS and len(words) <= LONGEST_QUOTE else None
    if found is None:
        raise PydanticCustomError(
            "unsaid",
            "{words} does not stand in the request as one piece; copy one to {most} of its words",
            {"words": repr(words[:LONGEST_QUOTE]), "most": MOST_WORDS},
        )
    return _OPENING_OR_CLOSING.sub("'", " ".join(found.split()))


def as_quoted(words: str, request: str) -> str:
    """These words as the request has them; empty where they are no quotation of it, or hold the number of a card or a person."""
    if sum(map(str.isdigit, words)) > MOST_DIGITS:
        return ""
    try:
        return quoted(words, request)
    except PydanticCustomError:
        return ""


def _piece(given: Sequence[str], request: str) -> str | None:
    """The place of these words in the request: whole words, whatever their case, their quotation marks and the spaces
    between them; in Hebrew without the "and" that is written as one with the first."""
    any_mark = f"[{re.escape(_MARKS)}]"
    joined = r"\s+".join("".join(any_mark if each in _MARKS else re.escape(each) for each in word) for word in given)
    before = "ו?" if "א" <= given[0][0] <= "ת" else ""
    found = re.search(rf"(?<!\w){before}(?P<words>{joined})(?!\w)", request, re.IGNORECASE)
    return found["words"] if found else None


class ReplyForm(BaseModel):
    """One thing that a planner may say. Its docstring tells a model when; `say` is its name."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def name_of(form: ReplyForm | type[ReplyForm]) -> str:
    """What its `say` is."""
    kind = form if isinstance(form, type) else type(form)
    return str(get_args(kind.model_fields["say"].annotation)[0])


class Greeting(ReplyForm):
    """A greeting, thanks or a goodbye and nothing else; never beside calls."""

    say: Literal["greeting"]
    kind: Literal["hello", "thanks", "goodbye"]


class Unclear(ReplyForm):
    """What is asked cannot be understood; `quote`: the words of it, where some are plain."""

    say: Literal["unclear"]
    quote: Quote | None = None


class Cannot(ReplyForm):
    """Something that this assistant is for but has no tool to do."""

    say: Literal["cannot"]
    quote: Quote


class OutOfScope(ReplyForm):
    """Something that this assistant is not for."""

    say: Literal["out_of_scope"]
    quote: Quote


class Instructions(ReplyForm):
    """The request asks for these instructions, for secrets or for another role, or gives orders to the assistant itself."""

    say: Literal["instructions"]


def remarks_of(plan: Plan | PlanningResult | None) -> list[str]:
    """What a plan says besides the results; a thread of an earlier version has none."""
    return list(plan.get("remarks") or []) if plan else []


def said_statements(remarks: Sequence[str]) -> tuple[list[Statement], list[Duty]]:
    """What a planner said beside its calls, as statements `said.1`, `said.2`… that an answer must tell, each once."""
    made: list[Statement] = []
    for remark in remarks:
        before = ""
        known = [each.text for each in made]
        for sentence in (each for each in sentences(" ".join(remark.split())) if each not in known):
            name = f"said.{len(made) + 1}"
            made.append(
                Statement(
                    id=name, text=sentence, about=name, after=before, sort="question" if asks(sentence) else "fact"
                )
            )
            before = name if made[-1].sort == "fact" else ""
    return made, [Duty([each.id], [each.id]) for each in made]


def with_remarks(text: str, remarks: Sequence[str]) -> str:
    """A text of templates, followed by what a planner said beside its calls and the text does not say itself."""
    for remark in remarks:
        left = " ".join(each for each in sentences(" ".join(remark.split())) if each not in text)
        text = "\n\n".join(part for part in (text, left) if part)
    return text
