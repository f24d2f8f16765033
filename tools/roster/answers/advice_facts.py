"""Facts of advice about a roster: who can step in, why a cell is as it is, two rosters side by side, a swap; and of a ward
compared with changes of it: the figures of each, with how they differ from today's."""

from collections.abc import Iterator, Sequence

from wavegraph.tools.roster.advice.records import (
    CellAdvice,
    CellMove,
    CoverAdvice,
    Effect,
    Replacement,
    RosterComparison,
    SwapPublished,
)
from wavegraph.tools.roster.answers.facts import Fact, Work
from wavegraph.tools.roster.answers.phrases import given_in_words
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.loop.rounds import results_of, results_once
from wavegraph.tools.roster.records import WhatIf
from wavegraph.tools.roster.told import moved_cell
from wavegraph.tools.roster.what_if.compare import ROWS, figure

MOST_LISTED = 8
"""Nurses or alternatives that are told one by one."""
MOST_FOUND = 4
"""Findings that are told of one."""
MOST_CELLS = 20
MEASURES = ("cost", "fairness", "breaches", "nurses below a minimum", "nurses below a target", "lowest score")
"""Of a comparison, those that are told."""


def advice_facts(work: Work) -> Iterator[Fact]:
    ledger = work.view.ledger
    covers = results_once("who_can_cover", CoverAdvice, ledger)
    cells = results_once("explain_cell", CellAdvice, ledger)
    for place, cover in enumerate(covers, 1):
        yield from _cover(work, cover, f"cover{place}")
    for place, cell in enumerate(cells, 1):
        yield from _cell(work, cell, f"cell{place}")
    about = {each.roster_id: each for each in (*covers, *cells)}
    for place, each in enumerate(about.values()):
        name = f"advice{place + 1}.of" if place else "advice.of"
        how = {"about": "roster", "must": True, "section": name, "roster": each.roster_id}
        yield work.tell(name, "advice_of", how, id=each.roster_id, period=work.period(each))
    for place, both in enumerate(results_of("compare_rosters", RosterComparison, ledger), 1):
        yield from _comparison(work, both, f"compared{place}")
    for place, swap in enumerate(results_of("swap_shifts", SwapPublished, ledger), 1):
        given = {"id": swap.roster_id, "version": swap.version, "before": swap.replaces}
        yield work.tell(f"swap{place}", "swapped", {"bears": "cost", "must": True}, **given)
        yield from _moves(work, swap.cells, f"swap{place}")


def _effect(work: Work, effect: Effect) -> list[str]:
    """What it costs, and the rest that has to be given later."""
    key = "cost_same" if effect.cost == 0 else "cost_more" if effect.cost > 0 else "cost_less"
    rests = [work.say("needs_rest", what=work.found(each)) for each in effect.compensatory]
    return [work.say(key, cost=abs(effect.cost)), *rests]


def _cover(work: Work, found: CoverAdvice, name: str) -> Iterator[Fact]:
    instead = work.say("cover_instead", nurse=_leaving(work, found)) if found.instead else ""
    key = "cover_may" if found.may else "cover_nobody"
    heading = work.say(key, shift=found.shift, day=found.day, instead=instead)
    may = work.first_of([_may(work, each) for each in found.may], MOST_LISTED)
    yield from work.block(name, heading, may, must=True, bears="coverage")
    if not may:
        yield work.fact(name, f"{heading}.", bears="coverage", must=True)
    yield from _beside(work, found, name)
    may_not = [
        work.say(
            "nurse_and",
            nurse=work.name(each.name),
            what=", ".join(dict.fromkeys(work.kind(rule.type) for rule in each.breaks)),
        )
        for each in found.candidates
        if not each.may
    ]
    if may_not:
        how = {"about": name, "bears": "coverage", "listed": True, "section": f"{name}.not"}
        yield work.tell(f"{name}.not", "cover_may_not", how, nurses=may_not)


def _beside(work: Work, found: CoverAdvice, name: str) -> Iterator[Fact]:
    """Who else is on the shift, and what comes of it where nobody steps in."""
    nurses = ", ".join(map(work.name, found.on_it)) or work.say("look_nobody")
    on_it = work.say(
        "cover_on_it_else" if found.instead else "cover_on_it", nurses=nurses, shift=found.shift, day=found.day
    )
    told, listed = {"on_it": on_it}, bool(found.if_nobody) and not found.may
    if nobody := found.if_nobody:
        own = [each for each in nobody.breaks if each.nurse_id == found.instead]
        breaks = [each for each in nobody.breaks if each not in own]
        outcome = _outcome(work, nobody.model_copy(update={"may": True}))
        key = "cover_if_nobody_breaks" if breaks else "cover_if_nobody"
        told["nobody"] = work.say(key, what=_listed(work, breaks) if breaks else outcome)
        told |= {"in_any_case": work.say("cover_in_any_case", what=_listed(work, own))} if own else {}
    for key, text in told.items():
        yield work.fact(f"{name}.{key}", text, about=name, bears="coverage", listed=listed and key != "on_it")


def _leaving(work: Work, found: CoverAdvice) -> str:
    """Of an earlier version's result as she was called: of her it has the id alone."""
    asked = [call["args"] for call in work.view.ledger["calls"].values() if call["tool"] == "who_can_cover"]
    said = (args["instead"] for args in asked if args.get("instead") and args.get("day") == found.day.isoformat())
    return found.called or next(map(str, said), str(found.instead))


def _may(work: Work, each: Replacement) -> str:
    moved = [work.say("cover_moved", shift=each.works)] if each.works else []
    told = ", ".join([*moved, *_effect(work, each), work.hours(each.hours, each.target_hours)])
    return f"{work.name(each.name)}: {told}{_would_mean(work, each.warnings)}"


def _cell(work: Work, found: CellAdvice, name: str) -> Iterator[Fact]:
    given = {"nurse": work.name(found.name), "day": found.day}
    has = work.say("look_cell" if found.shift else "look_cell_off", shift=found.shift, **given)
    yield work.fact(name, f"{has} {_why_so(work, found)}", bears="nurse", must=True)
    if others := [each.shift for each in found.alternatives if each.shift]:
        shifts = given_in_words("shifts", others, work.language)
        yield work.tell(f"{name}.not", "cell_not", {"about": name, "bears": "nurse"}, shifts=shifts, **given)
    lines = list(_alternatives(work, found))
    yield from work.block(
        f"{name}.others", work.say("cell_others", **given), lines, must=not found.forced, bears="nurse"
    )


def _why_so(work: Work, found: CellAdvice) -> str:
    """What holds it: the rules, or what any other shift that they allow makes worse; or that others would do as well."""
    allowed = [each for each in found.alternatives if each.may]
    if not allowed:
        broken = work.kinds(rule.type for each in found.alternatives for rule in each.breaks)
        return work.say("cell_forced", rules=broken)
    if as_well := [each.shift or work.say("off") for each in allowed if each.worse == []]:
        return work.say("cell_as_well", shifts=as_well)
    worse = work.kinds(kind for each in allowed for kind in each.worse or ())
    return work.say("cell_better" if worse else "cell_free", worse=worse)


def _alternatives(work: Work, found: CellAdvice) -> Iterator[str]:
    """Of those that lead to the same, in one line."""
    told: dict[str, list[str]] = {}
    for each in found.alternatives[:MOST_LISTED]:
        told.setdefault(_outcome(work, each), []).append(each.shift or work.say("off"))
    yield from (f"{', '.join(shifts)}: {outcome}" for outcome, shifts in told.items())


def _outcome(work: Work, effect: Effect) -> str:
    """What it costs and leads to, or the rules against it."""
    if effect.may:
        return f"{', '.join(_effect(work, effect))}{_would_mean(work, effect.warnings)}"
    return work.say("breaks", what=_listed(work, effect.breaks))


def _would_mean(work: Work, findings: Sequence[Finding]) -> str:
    """What the checks would find then, which they word as found."""
    return work.say("would_mean", what=_listed(work, findings)) if findings else ""


def _listed(work: Work, findings: Sequence[Finding]) -> str:
    return "; ".join(work.first_of(list(dict.fromkeys(map(work.found, findings))), MOST_FOUND))


def _comparison(work: Work, found: RosterComparison, name: str) -> Iterator[Fact]:
    given = {"now": found.now.roster_id, "before": found.before.roster_id, "cells": found.changed_cells}
    key = "compared_days" if found.cells is None else "compared"
    yield work.tell(name, key, {"bears": "cost", "must": True}, **given)
    told = [each for each in found.measures if each.name in MEASURES and each.group is None]
    own = work.language == "en"  # the table's names are English; another language has words for two of them
    lines = [
        work.say(
            "measure", name=each.name if own else work.say(f"measure_{each.name}"), before=each.before, now=each.now
        )
        for each in told
        if own or each.name in ("cost", "fairness")
    ]
    yield from work.block(f"{name}.measures", work.say("compared_measures"), lines, must=True, bears="cost")
    yield from _moves(work, found.cells or (), name, count=found.changed_cells or 0)


def _moves(work: Work, cells: Sequence[CellMove], name: str, count: int = 0) -> Iterator[Fact]:
    """Cells that differ, of `count` the first."""
    shown = cells[:MOST_CELLS] if count else cells
    lines = [work.told(moved_cell(work.name_of(each.nurse), each.day, each.before, each.now)) for each in shown]
    more = [work.say("more")] if count > len(lines) else []
    yield from work.block(f"{name}.cells", work.say("compared_cells"), [*lines, *more], must=True, bears="cost")


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
