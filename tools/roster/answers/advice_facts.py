"""Facts of advice about a roster: who can step in, why a cell is as it is, two rosters side by side, a swap."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from wavegraph.tools.roster.advice.records import (
    Advice,
    CellAdvice,
    CellMove,
    CoverAdvice,
    Effect,
    Measure,
    Replacement,
    RosterComparison,
    SwapPublished,
)
from wavegraph.tools.roster.answers import courtesy
from wavegraph.tools.roster.answers.facts import Fact, Work, block, fact
from wavegraph.tools.roster.answers.phrases import day_in_words, given_in_words, in_words, joined, number, say
from wavegraph.tools.roster.answers.roster_facts import period_in_words
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.loop.rounds import results_of, results_once
from wavegraph.tools.roster.told import moved_cell

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
        yield _of(work, each, f"advice{place + 1}" if place else "advice")
    for place, both in enumerate(results_of("compare_rosters", RosterComparison, ledger), 1):
        yield from _comparison(work, both, f"compared{place}")
    for place, swap in enumerate(results_of("swap_shifts", SwapPublished, ledger), 1):
        yield from _swap(work, swap, f"swap{place}")


def _of(work: Work, about: Advice, name: str) -> Fact:
    text = say("advice_of", work.language, id=about.roster_id, period=period_in_words(about, work.language))
    told = fact(f"{name}.of", text, about="roster", must=True, listed=True, section=f"{name}.of")
    return replace(told, roster=about.roster_id)


def _effect(work: Work, effect: Effect) -> list[str]:
    """What it costs, and the rest that has to be given later."""
    language = work.language
    key = "cost_same" if effect.cost == 0 else "cost_more" if effect.cost > 0 else "cost_less"
    rests = [say("needs_rest", language, what=work.found(each)) for each in effect.compensatory]
    return [say(key, language, cost=number(abs(effect.cost), language)), *rests]


def _cover(work: Work, found: CoverAdvice, name: str) -> Iterator[Fact]:
    language, day = work.language, day_in_words(found.day, work.language)
    bears = courtesy.bears("coverage", language)
    may = found.may
    key = "cover_may" if may else "cover_nobody"
    instead = say("cover_instead", language, nurse=_leaving(work, found)) if found.instead else ""
    heading = say(key, language, shift=found.shift, day=day, instead=instead)
    if may:
        more = [say("more", language)] if len(may) > MOST_LISTED else []
        yield from block(
            name, heading, [*(_may(work, each) for each in may[:MOST_LISTED]), *more], must=True, bears=bears
        )
    else:
        yield fact(name, f"{heading}.", about=name, bears=bears, must=True, listed=True)
    yield from _beside(work, found, name)
    may_not = [_may_not(work, each) for each in found.candidates if not each.may]
    if may_not:
        text = say("cover_may_not", language, nurses=joined(may_not, language))
        yield fact(f"{name}.not", text, about=name, bears=bears, listed=True, section=f"{name}.not")


def _beside(work: Work, found: CoverAdvice, name: str) -> Iterator[Fact]:
    """Who else is on the shift, and what comes of it where nobody steps in."""
    language, bears = work.language, courtesy.bears("coverage", work.language)
    given = {"shift": found.shift, "day": day_in_words(found.day, language)}
    nurses = ", ".join(work.name(each) for each in found.on_it) or say("look_nobody", language)
    key = "cover_on_it_else" if found.instead else "cover_on_it"
    yield fact(f"{name}.on_it", say(key, language, nurses=nurses, **given), about=name, bears=bears)
    if found.if_nobody:
        nobody, own = found.if_nobody, [each for each in found.if_nobody.breaks if each.nurse_id == found.instead]
        breaks = [each for each in nobody.breaks if each not in own]
        key = "cover_if_nobody_breaks" if breaks else "cover_if_nobody"
        what = (
            _listed(work, breaks) if breaks else _outcome(work, nobody.model_copy(update={"may": True, "breaks": []}))
        )
        yield fact(f"{name}.nobody", say(key, language, what=what), about=name, bears=bears,
                   listed=not found.may)  # fmt: skip
        if own:
            text = say("cover_in_any_case", language, what=_listed(work, own))
            yield fact(f"{name}.in_any_case", text, about=name, bears=bears, listed=not found.may)


def _leaving(work: Work, found: CoverAdvice) -> str:
    """Of an earlier version's result as she was called: of her it has the id alone."""
    if found.called:
        return found.called
    calls = work.view.ledger["calls"].values()
    asked = (call["args"] for call in calls if call["tool"] == "who_can_cover")
    return next(
        (str(args["instead"]) for args in asked if args.get("instead") and args.get("day") == found.day.isoformat()),
        str(found.instead),
    )


def _may(work: Work, each: Replacement) -> str:
    language = work.language
    moved = [say("cover_moved", language, shift=each.works)] if each.works else []
    hours = say("hours", language, hours=number(each.hours, language)) if each.target_hours is None else say(
        "hours_of", language, hours=number(each.hours, language), target=number(each.target_hours, language)
    )  # fmt: skip
    told = ", ".join([*moved, *_effect(work, each), hours])
    return f"{work.name(each.name)}: {told}{_would_mean(work, each.warnings)}"


def _may_not(work: Work, each: Replacement) -> str:
    kinds = dict.fromkeys(in_words(finding.type, work.language) for finding in each.breaks)
    return say("nurse_and", work.language, nurse=work.name(each.name), what=", ".join(kinds))


def _cell(work: Work, found: CellAdvice, name: str) -> Iterator[Fact]:
    language, nurse = work.language, work.name(found.name)
    key = "look_cell" if found.shift else "look_cell_off"
    has = say(key, language, nurse=nurse, shift=found.shift, day=day_in_words(found.day, language))
    bears = courtesy.bears("nurse", language)
    yield fact(name, f"{has} {_why_so(found, language)}", about=name, bears=bears, must=True, listed=True)
    if others := [each.shift for each in found.alternatives if each.shift]:
        shifts = given_in_words("shifts", others, language)
        text = say("cell_not", language, nurse=nurse, shifts=shifts, day=day_in_words(found.day, language))
        yield fact(f"{name}.not", text, about=name, bears=bears, listed=False)
    heading = say("cell_others", language, nurse=nurse, day=day_in_words(found.day, language))
    yield from block(f"{name}.others", heading, list(_alternatives(work, found)), must=not found.forced, bears=bears)


def _why_so(found: CellAdvice, language: str) -> str:
    """What holds it: the rules, or what any other shift that they allow makes worse; or that others would do as well."""
    allowed = [each for each in found.alternatives if each.may]
    if not allowed:
        broken = dict.fromkeys(in_words(rule.type, language) for each in found.alternatives for rule in each.breaks)
        return say("cell_forced", language, rules=joined(list(broken), language))
    as_well = [each.shift or say("off", language) for each in allowed if each.worse == []]
    if as_well:
        return say("cell_as_well", language, shifts=joined(as_well, language))
    worse = dict.fromkeys(in_words(kind, language) for each in allowed for kind in each.worse or ())
    key = "cell_better" if worse else "cell_free"
    return say(key, language, worse=joined(list(worse), language))


def _alternatives(work: Work, found: CellAdvice) -> Iterator[str]:
    """Of those that lead to the same, in one line."""
    told: dict[str, list[str]] = {}
    for each in found.alternatives[:MOST_LISTED]:
        told.setdefault(_outcome(work, each), []).append(each.shift or say("off", work.language))
    yield from (f"{', '.join(shifts)}: {outcome}" for outcome, shifts in told.items())


def _outcome(work: Work, effect: Effect) -> str:
    """What it costs and leads to, or the rules against it."""
    language = work.language
    if effect.may:
        return f"{', '.join(_effect(work, effect))}{_would_mean(work, effect.warnings)}"
    return say("breaks", language, what=_listed(work, effect.breaks))


def _would_mean(work: Work, findings: Sequence[Finding]) -> str:
    """What the checks would find then, which they word as found."""
    return say("would_mean", work.language, what=_listed(work, findings)) if findings else ""


def _listed(work: Work, findings: Sequence[Finding]) -> str:
    found = list(dict.fromkeys(work.found(each) for each in findings))
    more = [say("more", work.language)] if len(found) > MOST_FOUND else []
    return "; ".join([*found[:MOST_FOUND], *more])


def _comparison(work: Work, found: RosterComparison, name: str) -> Iterator[Fact]:
    language = work.language
    given = {"now": found.now.roster_id, "before": found.before.roster_id, "cells": found.changed_cells}
    key = "compared_days" if found.cells is None else "compared"
    bears = courtesy.bears("cost", language)
    yield fact(name, say(key, language, **given), about=name, bears=bears, must=True, listed=True)
    told = [each for each in found.measures if each.name in MEASURES and each.group is None]
    lines = [_measure(each, language) for each in told if language == "en" or each.name in ("cost", "fairness")]
    yield from block(f"{name}.measures", say("compared_measures", language), lines, must=True, bears=bears)
    cells = [_move(work, each) for each in (found.cells or ())[:MOST_CELLS]]
    more = [say("more", language)] if (found.changed_cells or 0) > len(cells) else []
    yield from block(f"{name}.cells", say("compared_cells", language), [*cells, *more], must=True, bears=bears)


def _measure(each: Measure, language: str) -> str:
    name = each.name if language == "en" else say(f"measure_{each.name}", language)
    return say("measure", language, name=name, before=number(each.before, language), now=number(each.now, language))


def _move(work: Work, each: CellMove) -> str:
    return work.told(moved_cell(work.name_of(each.nurse), each.day, each.before, each.now))


def _swap(work: Work, found: SwapPublished, name: str) -> Iterator[Fact]:
    text = say("swapped", work.language, id=found.roster_id, version=found.version, before=found.replaces)
    bears = courtesy.bears("cost", work.language)
    yield fact(name, text, about=name, bears=bears, must=True, listed=True)
    cells = [_move(work, each) for each in found.cells]
    yield from block(f"{name}.cells", say("compared_cells", work.language), cells, must=True, bears=bears)
