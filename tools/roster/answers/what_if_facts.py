"""Facts about a ward compared with changes of it: the figures of each, with how they differ from today's."""

from collections.abc import Iterator

from wavegraph.tools.roster.answers import courtesy
from wavegraph.tools.roster.answers.facts import Fact, Work, block
from wavegraph.tools.roster.answers.phrases import number, say
from wavegraph.tools.roster.loop.rounds import results_of
from wavegraph.tools.roster.records import WhatIf
from wavegraph.tools.roster.what_if.compare import ROWS, figure

WRONG = ("below_minimum", "breaches", "found")
"""Figures that speak against a roster."""
BEARS = ("cost", "coverage", "fairness", "nights", "hours", "wishes", "nurse")


def what_if_facts(work: Work) -> Iterator[Fact]:
    """Each change: whether there is a roster with it, and what differs; last what it differs from."""
    language = work.language
    bears = frozenset(word for topic in BEARS for word in courtesy.bears(topic, language))
    for count, found in enumerate(results_of("what_if", WhatIf, work.view.ledger), 1):
        lines = [_column(found, place, work) for place in (*range(1, len(found.columns)), 0)]
        name = "what_if" if count == 1 else f"what_if_{count}"
        heading = say("what_if_roster" if found.roster_id else "what_if", language, id=found.roster_id)
        yield from block(name, heading, lines, bears=bears, must=True, section="what_if")


def _column(found: WhatIf, place: int, work: Work) -> str:
    language, column = work.language, found.columns[place]
    name = f"“{column.name}”" if place else say("as_it_stands" if found.roster_id else "today", language)
    if column.cost is None:
        return say("what_if_no_roster", language, name=name, why=work.told(column.why))
    if not place or found.columns[0].cost is None:
        return say("what_if_column", language, name=name, figures="; ".join(_figures(found, place, language)))
    moved = "; ".join(_figures(found, place, language)) or say("what_if_same", language)
    return say("what_if_possible", language, name=name, figures=moved)


def _figures(found: WhatIf, place: int, language: str) -> Iterator[str]:
    """Of a change those that differ, and what is wrong with its roster; else all but what there is none of."""
    differs = bool(place) and found.columns[0].cost is not None
    for key, _ in ROWS:
        value, difference = figure(found.columns[place], key), found.differences[place].get(key, 0) if place else 0
        if value is None or not (difference or ((key in WRONG or not differs) and value)):
            continue
        told = say(f"figure.{key}", language, n=number(value, language))
        moved = "what_if_more" if difference > 0 else "what_if_less"
        yield say(moved, language, figure=told, by=number(abs(difference), language)) if difference else told
