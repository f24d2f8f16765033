"""Facts about a ward compared with changes of it: the figures of each, with how they differ from today's."""

from collections.abc import Iterator

from wavegraph.tools.roster.answers import courtesy
from wavegraph.tools.roster.answers.facts import Fact, Work, block
from wavegraph.tools.roster.answers.phrases import number, say
from wavegraph.tools.roster.loop.rounds import results_of
from wavegraph.tools.roster.records import WhatIf
from wavegraph.tools.roster.what_if.compare import ROWS, figure

BEARS = ("cost", "coverage", "fairness", "nights", "hours", "wishes", "nurse")


def what_if_facts(work: Work) -> Iterator[Fact]:
    """All columns: a difference says nothing without what it differs from."""
    language = work.language
    bears = frozenset(word for topic in BEARS for word in courtesy.bears(topic, language))
    for count, found in enumerate(results_of("what_if", WhatIf, work.view.ledger), 1):
        lines = [_column(found, place, work) for place in range(len(found.columns))]
        name = "what_if" if count == 1 else f"what_if_{count}"
        heading = say("what_if_roster" if found.roster_id else "what_if", language, id=found.roster_id)
        yield from block(name, heading, lines, bears=bears, must=True, section="what_if")


def _column(found: WhatIf, place: int, work: Work) -> str:
    language, column = work.language, found.columns[place]
    name = column.name if place else say("as_it_stands" if found.roster_id else "today", language)
    if column.cost is None:
        return say("what_if_no_roster", language, name=name, why=work.words(column.why))
    return say("what_if_column", language, name=name, figures=", ".join(_figures(found, place, language)))


def _figures(found: WhatIf, place: int, language: str) -> Iterator[str]:
    for key, _ in ROWS:
        value = figure(found.columns[place], key)
        if value is not None:
            difference = found.differences[place].get(key, 0) if place else 0
            told = number(value, language)
            if difference:
                sign = "+" if difference > 0 else "-"
                told = say("what_if_moved", language, value=told, by=f"{sign}{number(abs(difference), language)}")
            yield say("count", language, what=say(f"figure.{key}", language), n=told)
