"""Facts about a ward compared with changes of it: the figures of each, with how they differ from today's."""

from collections.abc import Iterator

from wavegraph.tools.roster.answers.facts import Fact, Work
from wavegraph.tools.roster.loop.rounds import results_of
from wavegraph.tools.roster.records import WhatIf
from wavegraph.tools.roster.what_if.compare import ROWS, figure

WRONG = ("below_minimum", "breaches", "found")
"""Figures that speak against a roster."""
BEARS = "cost coverage fairness nights hours wishes nurse"


def what_if_facts(work: Work) -> Iterator[Fact]:
    """Each change: whether there is a roster with it, and what differs; last what it differs from."""
    for count, found in enumerate(results_of("what_if", WhatIf, work.view.ledger), 1):
        lines = [_column(found, place, work) for place in (*range(1, len(found.columns)), 0)]
        name = "what_if" if count == 1 else f"what_if_{count}"
        heading = work.say("what_if_roster" if found.roster_id else "what_if", id=found.roster_id)
        yield from work.block(name, heading, lines, bears=BEARS, must=True, section="what_if")


def _column(found: WhatIf, place: int, work: Work) -> str:
    column = found.columns[place]
    name = f"“{column.name}”" if place else work.say("as_it_stands" if found.roster_id else "today")
    if column.cost is None:
        return work.say("what_if_no_roster", name=name, why=work.told(column.why))
    figures = "; ".join(_figures(found, place, work))
    if not place or found.columns[0].cost is None:
        return work.say("what_if_column", name=name, figures=figures)
    return work.say("what_if_possible", name=name, figures=figures or work.say("what_if_same"))


def _figures(found: WhatIf, place: int, work: Work) -> Iterator[str]:
    """Of a change those that differ, and what is wrong with its roster; else all but what there is none of."""
    differs = bool(place) and found.columns[0].cost is not None
    for key, _ in ROWS:
        value, difference = figure(found.columns[place], key), found.differences[place].get(key, 0) if place else 0
        if value is None or not (difference or ((key in WRONG or not differs) and value)):
            continue
        told = work.say(f"figure.{key}", n=value)
        moved = "what_if_more" if difference > 0 else "what_if_less"
        yield work.say(moved, figure=told, by=abs(difference)) if difference else told
