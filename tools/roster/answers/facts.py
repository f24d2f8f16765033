"""Facts: the statements of an answer, with which of them must be told and which the template lists."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from wavegraph.graph.answer.operators import Quantity
from wavegraph.graph.answer.statements import Sort, Statement
from wavegraph.graph.answer.words import sentences
from wavegraph.graph.views import AnswerView
from wavegraph.tools.roster.advice.records import CellAdvice, CoverAdvice
from wavegraph.tools.roster.answers.phrases import answer_language, one_line, with_weekdays, worded
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.loop.rounds import presented_round, results_of
from wavegraph.tools.roster.records import Reported, Round, StaffSummary
from wavegraph.tools.roster.told import Line


@dataclass(frozen=True)
class Fact:
    statement: Statement
    must: Collection[str] = ()
    """Ids of which one must be told, else this one is added; empty = it may be left out."""
    listed: bool = True
    """Whether the template tells it."""
    section: str = ""
    """The template leaves a blank line between sections."""
    roster: str = ""
    """Id of the roster that it says the others are about: one such sentence is enough."""


@dataclass(frozen=True)
class Work:
    """What an answer is about."""

    view: AnswerView
    rounds: Sequence[Round]

    @property
    def language(self) -> str:
        return answer_language(self.view.request["language"])

    @cached_property
    def presented(self) -> Round | None:
        """The round whose roster is presented."""
        return presented_round(self.view.ledger, self.rounds)

    @cached_property
    def report(self) -> Reported | None:
        """Of the roster that is presented; without rounds, of the one that was reported on last."""
        reports, found = results_of("get_report", Reported, self.view.ledger), self.presented
        if found is None and not self.rounds:
            return reports[-1] if reports else None
        return next((each for each in reports if found and each.roster_id == found.roster_id), None)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """`id name` of each nurse, to the name alone where no other has it."""
        whole = [name for each in results_of("get_staff", StaffSummary, self.view.ledger) for name in each.names]
        whole += [line.nurse for line in self.report.lines] if self.report else []
        for cover in results_of("who_can_cover", CoverAdvice, self.view.ledger):
            whole += [*(each.name for each in cover.candidates), *cover.on_it]
        parts = {each: each.partition(" ")[2] for each in dict.fromkeys(whole)}
        own = list(parts.values())
        parts |= dict(self._called())
        return {each: name for each, name in parts.items() if name and own.count(name) <= 1 and name != each}

    def _called(self) -> Iterator[tuple[str, str]]:
        """Those whom advice is about: it knows whether another has the name."""
        for cell in results_of("explain_cell", CellAdvice, self.view.ledger):
            if cell.called:
                yield cell.name, cell.called
        for cover in results_of("who_can_cover", CoverAdvice, self.view.ledger):
            if cover.called:
                yield f"{cover.instead} {cover.called}", cover.called

    def name(self, nurse: str) -> str:
        return self.names.get(nurse, nurse)

    def name_of(self, nurse_id: str) -> str:
        """The name of the nurse with this id."""
        return next((name for each, name in self.names.items() if each.startswith(f"{nurse_id} ")), nurse_id)

    def named(self, text: str) -> str:
        """A text of the tools, on one line: nurses by name."""
        text = one_line(text)
        for whole, name in self.names.items():
            text = re.sub(rf"(?<!\w){re.escape(whole)}(?!\w)", name.replace("\\", r"\\"), text)
        return text

    def told(self, line: Line | Mapping[str, Any]) -> str:
        """What a tool says."""
        return self.words(worded(line, self.language))

    def found(self, finding: Finding) -> str:
        people = [each for each in (finding.nurse_id, finding.other) if each]
        return self.told(finding.line({each: name for each in people if (name := self.name_of(each)) != each}))

    def words(self, text: str) -> str:
        """A text of the checks: nurses by name, dates with their day of the week."""
        return with_weekdays(self.named(text), "en") if self.language == "en" else self.named(text)


def slugs(ids: Sequence[str]) -> Mapping[str, str]:
    """Ids of nurses, which may hold any sign, to parts of ids of statements."""
    found: dict[str, str] = {}
    for each in dict.fromkeys(ids):
        slug = re.sub(r"[^\w-]", "_", each)
        while slug in found.values():
            slug += "_"
        found[each] = slug
    return found


def fact(
    name: str, text: str, *, about: str, bears: Iterable[str] = (), must: bool = False, listed: bool = False,
    section: str = "", after: str = "", sort: Sort = "fact", called: str = "", quantity: Quantity | None = None,
) -> Fact:  # fmt: skip
    """A sentence of its own."""
    statement = Statement(
        id=name, text=one_line(text), about=about, bears=frozenset(bears), after=after, sort=sort, called=called,
        quantity=quantity,
    )  # fmt: skip
    return Fact(statement, (name,) if must else (), listed, section)


def in_sentences(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Each fact as one a sentence: the first keeps its id, `id.2` follows it."""
    for each in facts:
        first, *others = sentences(each.statement.text) or [""]
        bullet = "- " if each.statement.alone.startswith("- ") else ""
        yield (
            replace(
                each,
                statement=replace(each.statement, text=first, alone=bullet + first if bullet else each.statement.alone),
            )
            if others
            else each
        )
        before = each.statement.id
        for number, text in enumerate(others, 2):
            told = replace(each.statement, id=f"{each.statement.id}.{number}", text=text, alone="", after=before)
            yield replace(each, statement=told, must=(told.id,) if each.must else ())
            before = told.id


def block(
    name: str, heading: str, lines: Sequence[str], *, bears: Iterable[str] = (), must: bool = False, section: str = "",
    hidden: bool = False,
) -> Iterator[Fact]:  # fmt: skip
    """Lines under a heading. `hidden`: rows of a table, which are no sentences: they are told whole, and not by a writer."""
    if not lines:
        return
    bears = frozenset(bears)
    yield Fact(Statement(id=name, text=heading, alone=f"{heading}:", about=name, bears=bears), (), False, section)
    for number, line in enumerate(lines, 1):
        text = one_line(line)
        told = Statement(
            id=f"{name}.{number}", text=text, alone=f"- {text}", about=name, bears=bears, under=name, hidden=hidden
        )
        yield Fact(told, (told.id,) if must else (), True, section)


def template(facts: Sequence[Fact]) -> str:
    """What the template tells, each under its heading."""
    by_id = {each.statement.id: each.statement for each in facts}
    text, heading, section = "", "", ""
    for each in (each for each in facts if each.listed):
        told = each.statement
        joint = " " if told.after else "\n" if each.section == section else "\n\n"
        if told.under and told.under != heading:
            heading = told.under
            text += f"{joint if text else ''}{by_id[heading].own_line}"
            joint = "\n"
        text += (joint if text else "") + told.own_line
        section = each.section
    return text
