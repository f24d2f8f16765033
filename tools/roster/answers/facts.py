"""Facts: the statements of an answer, with which of them must be told and which the template lists, and what they count for
what is worked out of them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from wavegraph.graph.answer.operators import Arithmetic, Quantity
from wavegraph.graph.answer.statements import Statement
from wavegraph.graph.answer.words import sentences
from wavegraph.graph.views import AnswerView
from wavegraph.tools.roster.advice.records import CellAdvice, CoverAdvice
from wavegraph.tools.roster.answers import courtesy
from wavegraph.tools.roster.answers.phrases import (
    Speaker,
    in_words,
    joined,
    number,
    one_line,
    say,
    with_weekdays,
    worded,
)
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.loop.rounds import presented_round, results_of
from wavegraph.tools.roster.records import Reported, RosterPeriod, Round, StaffSummary
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
class Work(Speaker):
    """What an answer is about."""

    view: AnswerView
    rounds: Sequence[Round]

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
        covers = results_of("who_can_cover", CoverAdvice, self.view.ledger)
        whole += [name for cover in covers for name in (*(each.name for each in cover.candidates), *cover.on_it)]
        parts = {each: each.partition(" ")[2] for each in dict.fromkeys(whole)}
        own = list(parts.values())
        # those whom advice is about: it knows whether another has the name
        cells = results_of("explain_cell", CellAdvice, self.view.ledger)
        parts |= {cell.name: cell.called for cell in cells if cell.called}
        parts |= {f"{cover.instead} {cover.called}": cover.called for cover in covers if cover.called}
        return {each: name for each, name in parts.items() if name and own.count(name) <= 1 and name != each}

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

    def figure(self, amount: float | None) -> str:
        return number(amount, self.language)

    def kind(self, name: str) -> str:
        return in_words(name, self.language)

    def kinds(self, names: Iterable[str]) -> str:
        """Each once."""
        return joined([*dict.fromkeys(map(self.kind, names))], self.language)

    def period(self, about: RosterPeriod) -> str:
        return self.say("period", ward=about.ward, days=self.say("day", n=about.days), start=about.start)

    def hours(self, hours: float, target: float | None) -> str:
        """With those of the contract, where it has any."""
        return self.say("hours" if target is None else "hours_of", hours=hours, target=target)

    def first_of(self, lines: Sequence[str], most: int) -> list[str]:
        """The first lines, and that there are more."""
        return [*lines[:most], *([self.say("more")] if len(lines) > most else [])]

    def fact(
        self, name: str, text: str, *, about: str = "", bears: str = "", must: bool = False, listed: bool = False,
        section: str = "", roster: str = "", **more: Any,
    ) -> Fact:  # fmt: skip
        """A sentence of its own. `bears`: topics whose words may stand beside it; what must be told is listed."""
        statement = Statement(id=name, text=one_line(text), about=about or name, bears=self._borne(bears), **more)
        return Fact(statement, (name,) if must else (), must or listed, section, roster)

    def tell(self, name: str, key: str, how: Mapping[str, Any] | None = None, /, **given: object) -> Fact:
        """The sentence of a phrase. `how`: as `fact` takes it."""
        return self.fact(name, self.say(key, **given), **(how or {}))

    def block(
        self, name: str, heading: str, lines: Sequence[str], *, bears: str = "", must: bool = False, section: str = "",
        hidden: bool = False,
    ) -> Iterator[Fact]:  # fmt: skip
        """Lines under a heading. `hidden`: rows of a table, which are no sentences: they are told whole, and not by a writer."""
        if not lines:
            return
        about: dict[str, Any] = {"about": name, "bears": self._borne(bears)}
        yield Fact(Statement(id=name, text=heading, alone=f"{heading}:", **about), (), False, section)
        for number_, line in enumerate(map(one_line, lines), 1):
            own = f"{name}.{number_}"
            told = Statement(id=own, text=line, alone=f"- {line}", under=name, hidden=hidden, **about)
            yield Fact(told, (own,) if must else (), True, section)

    def _borne(self, topics: str) -> frozenset[str]:
        return frozenset(word for topic in topics.split() for word in courtesy.bears(topic, self.language))


def slugs(ids: Sequence[str]) -> Mapping[str, str]:
    """Ids of nurses, which may hold any sign, to parts of ids of statements."""
    found: dict[str, str] = {}
    for each in dict.fromkeys(ids):
        slug = re.sub(r"[^\w-]", "_", each)
        while slug in found.values():
            slug += "_"
        found[each] = slug
    return found


def in_sentences(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Each fact as one a sentence: the first keeps its id, `id.2` follows it."""
    for each in facts:
        whole = each.statement
        first, *others = sentences(whole.text) or [""]
        alone = f"- {first}" if others and whole.alone.startswith("- ") else whole.alone
        yield replace(each, statement=replace(whole, text=first if others else whole.text, alone=alone))
        ids = [whole.id, *(f"{whole.id}.{number_}" for number_ in range(2, len(others) + 2))]
        for before, own, text in zip(ids, ids[1:], others, strict=False):
            told = replace(whole, id=own, text=text, alone="", after=before)
            yield replace(each, statement=told, must=(own,) if each.must else ())


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


HUNDREDTHS = 100
"""Of an hour: hours are told with two decimals."""


def of_hours(amount: float) -> Quantity:
    return Quantity(round(amount * HUNDREDTHS), "hours")


def of_count(amount: float, kind: str) -> Quantity:
    """`kind`: nights, weekends."""
    return Quantity(int(amount), kind)


def arithmetic(language: str) -> Arithmetic:
    return Arithmetic(language, lambda amount, unit: written(amount, unit, language))


def written(amount: int, unit: str, language: str) -> str:
    """`38.5 h`, `2 nights`, `no weekends`."""
    if unit == "hours":
        return say("hours", language, hours=number(amount / HUNDREDTHS, language))
    return say(unit.removesuffix("s"), language, n=amount)
