"""The statements an answer may make: rendered by code, each under an id that a writer puts into its text."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from wavegraph.graph.answer.operators import Arithmetic, Operand, Unsayable, arguments, sentence
from wavegraph.graph.answer.words import SLOT, same_text, sentences, words_in
from wavegraph.graph.errors import error_text
from wavegraph.graph.language import say

_SLOT = re.compile(SLOT)
_BEARING = ("sum", "difference")
"""The operators whose sentence bears out words beside it: `together`."""
Sort = Literal["fact", "courtesy", "question"]
"""A courtesy says nothing of the results; a question goes last."""


@dataclass(frozen=True, kw_only=True)
class Statement(Operand):
    """One thing that is so, in the words it is told in."""

    text: str
    """As it stands in a sentence; one line."""
    alone: str = ""
    """As it stands on a line of its own; empty = the text."""
    again: str = ""
    """As it stands above more of what it is the heading of; empty = as on a line of its own."""
    about: str = ""
    """What it is about: a sentence is about one thing."""
    beside: Collection[str] = ()
    """What else a sentence about it may be about."""
    bears: Collection[str] = ()
    """Words and phrases, case-folded, that may stand beside it, because it bears them out."""
    labels: Collection[str] = ()
    """What it is called, case-folded: stands before it with a colon, and nowhere else."""
    needs: Collection[str] = ()
    """Ids of the statements that stand in the same sentence."""
    under: str = ""
    """Id of its heading: the last heading told before it is this one."""
    after: str = ""
    """Id of the statement that is told before it."""
    line: str = ""
    """Id of the statement that is told instead of it where a sentence is refused; empty = its own."""
    tells: Collection[str] = ()
    """Ids of what it says too, so that nothing else need be told in their place."""
    sort: Sort = "fact"
    hidden: bool = False
    """A writer is not shown it: it says part of what its line says."""

    @property
    def own_line(self) -> str:
        return self.alone or self.text

    @property
    def is_sentence(self) -> bool:
        return self.text.rstrip('"”’)').endswith(tuple(".!?…"))


@dataclass(frozen=True)
class Duty:
    """What an answer must tell."""

    any_of: Collection[str]
    """Ids; one of them is enough."""
    add: Sequence[str]
    """Ids of what is added where none of them was told."""
    of: str = ""
    """Id of the heading without which it need not be told; empty = it must be in any case."""


@dataclass(frozen=True)
class Catalogue:
    """All that an answer may say, in one language."""

    statements: Sequence[Statement]
    harmless: frozenset[str]
    """Words and phrases, case-folded, that claim nothing beside any statement. Whose something is and who does what ("you
    have", "your room") is a claim: such words stand only in a phrase that is none ("for you")."""
    duties: Sequence[Duty] = ()
    longest: int = 2000
    """Characters after which nothing more is taken from the writer; what must be told is still added."""
    arithmetic: Arithmetic | None = None
    """How operators over the statements are worded; None = there are none."""
    request: str = ""
    """The words of the person, of which a writer may name those that no statement answers."""
    nothing_more: Callable[[Sequence[str], str], str] | None = None
    """`(words of the request, answer so far) -> sentence` that nothing more is known on these; None = a writer cannot say so."""

    @cached_property
    def by_id(self) -> Mapping[str, Statement]:
        return {statement.id: statement for statement in self.statements}

    @cached_property
    def whole(self) -> frozenset[str]:
        """Ids of the statements that are sentences."""
        return frozenset(each.id for each in self.statements if each.is_sentence)

    @cached_property
    def headings(self) -> frozenset[str]:
        return frozenset(statement.under for statement in self.statements if statement.under)

    @cached_property
    def copies(self) -> Sequence[tuple[str, Sequence[Statement]]]:
        """The statements by what a copy of them must hold, the longest first."""
        texts: dict[str, list[Statement]] = {}
        for statement in self.statements:
            for text in filter(None, (statement.text, statement.again)):
                texts.setdefault(same_text(text), []).append(statement)
        return sorted(texts.items(), key=lambda pair: -len(pair[0]))

    def stated(self, written: str) -> Statement:
        """What stands for an id, or an operator over ids. Raises Unsayable where nothing does."""
        operator, is_one, rest = written.partition(":")
        if written in self.by_id:
            return self.by_id[written]
        terms, unknown = arguments(rest, self.by_id) if is_one else ([], [written])
        if operator == "missing":
            raise Unsayable("these are no words of the request")
        if unknown:
            raise Unsayable(f"there is no statement {', '.join(unknown)}")
        if self.arithmetic is None:
            raise Unsayable("nothing is worked out here")
        return Statement(
            id=f"{operator}:{'+'.join(f'{each.id}*{number}' for each, number in terms)}",
            text=sentence(operator, terms, self.arithmetic),
            about=written,
            beside={about for each, _ in terms for about in (each.about, *each.beside)},
            bears=words_in(say(f"worked_words_{operator}", self.arithmetic.language)) if operator in _BEARING else (),
            tells={told for each, _ in terms for told in (each.id, each.line) if told},
        )

    def put(self, written: str) -> list[Statement | None]:
        """What stands for an id, or an operator over ids; with None, what it names stands for nothing."""
        try:
            return [self.stated(written)]
        except Unsayable:
            return [None, *(each for each, _ in arguments(written.partition(":")[2], self.by_id)[0])]

    def why_not(self, text: str) -> Iterator[str]:
        """Of each id and operator in a text that says nothing, why: `{{sum:a+b}} says nothing: b has no amount`."""
        for found in _SLOT.finditer(text):
            try:
                self.stated(found["id"])
            except Unsayable as error:
                yield f"{found[0]} says nothing: {error_text(error)}"

    def shown(self) -> dict[str, str]:
        """The lines by id, as a writer sees them."""
        return {statement.id: statement.text for statement in self.statements if not statement.hidden}


def in_sentences(statement: Statement, **first: Any) -> list[Statement]:
    """The statement as one per sentence, `id.1`, `id.2`…, each told after the one before.

    `first`: fields of the first alone.
    """
    parts = sentences(statement.text)
    if not parts:
        return []
    ids = [f"{statement.id}.{number}" for number in range(1, len(parts) + 1)]
    made = [
        replace(statement, id=name, text=text, alone="", after=before)
        for name, text, before in zip(ids, parts, ["", *ids], strict=False)
    ]
    return [replace(made[0], **first, id=ids[0]), *made[1:]]


def courtesies(polite: Mapping[str, str], questions: Mapping[str, str]) -> Iterator[Statement]:
    """Courtesy phrases and closing questions as statements, by id."""
    for name, text in polite.items():
        yield Statement(id=name, text=text, sort="courtesy")
    for name, text in questions.items():
        yield Statement(id=name, text=text, sort="question")
