"""Facts that answer a question about a roster that is there."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import combinations

from wavegraph.graph.ledger import GOOD, data_of, outcome_of, results
from wavegraph.tools.roster.advice.records import CellAdvice
from wavegraph.tools.roster.answers.facts import Fact, Work, of_count, of_hours, slugs
from wavegraph.tools.roster.answers.phrases import day_in_words, days_in_words, say
from wavegraph.tools.roster.answers.roster_facts import NOTHING
from wavegraph.tools.roster.loop.rounds import (
    looks_of,
    results_of,
    results_once,
    roster_ids_in,
    rosters_in,
    round_results,
)
from wavegraph.tools.roster.records import Looked, NothingPublished, NurseLook, Reported
from wavegraph.tools.roster.ward.names import is_other_alphabet

LOOK = "look_at_roster"
FIND = "find_roster"
"""Id of a look that only finds out which roster is meant, or how it stands."""

_SWAP = re.compile(r"\b(?:swap|exchang|switch|trad(?:e|ing)\b)|חליפ|חליף|החלף|תחלף|תחלפ", re.IGNORECASE)


def look_facts(work: Work) -> Iterator[Fact]:
    """The answers in the order of the questions, then of which roster they are."""
    yield from _heard(work)
    found = [*_looked(work)]
    for place, nothing in enumerate(_not_there(work)):
        name = f"look.nothing{place + 1}" if place else "look.nothing"
        yield work.fact(name, nothing_published(nothing, work.language), bears="nurse", must=True)
        yield from _own_roster(work, nothing, f"{name}.own")
    yield from _none_yet(work)
    names = [f"look{place + 1}" if place else "look" for place in range(len(found))]
    for name, each in zip(names, found, strict=True):
        yield from ANSWERS[each.question](work, each, name) if each.question in ANSWERS else ()
    yield from _nothing_to_swap(work, found)
    for place, each in enumerate({each.roster_id: each for each in found}.values()):
        yield _of(work, each, f"of{place + 1}" if place else "of")
    yield from _earlier_rounds(work)


def _heard(work: Work) -> Iterator[Fact]:
    """Who was taken for a name that only sounds like hers."""
    ledger, taken = work.view.ledger, dict[str, str]()
    for name, call in ledger["calls"].items():
        outcome, asked = outcome_of(name, ledger), call["args"].get("nurse") or call["args"].get("instead")
        if not isinstance(asked, str) or not outcome or outcome["status"] not in GOOD:
            continue
        data = data_of(outcome, ledger)
        nurse = data.get("called") or next((each["nurse"] for each in data.get("nurses", ())), "")
        if nurse and is_other_alphabet(asked, nurse):
            taken[asked] = nurse
    for place, (asked, nurse) in enumerate(taken.items(), 1):
        yield work.fact(f"heard.{place}", work.say("heard", name=asked, nurse=nurse), bears="nurse", must=True)


def _earlier_rounds(work: Work) -> Iterator[Fact]:
    """Of a roster of the request before that is not the one it ended with: which round it is, and which roster that is."""
    before = work.view.ledgers[-1]
    rounds = [each for each in round_results(before).values() if each.roster_id]
    last = [each.roster_id for each in results_of("get_report", Reported, before)][-1:]
    if before is work.view.ledger or round_results(work.view.ledger) or not (rounds and last):
        return
    asked = {*roster_ids_in(work.view.ledger)} - {*last}
    for each in (each for each in rounds if each.roster_id in asked):
        given = {"id": each.roster_id, "round": each.iteration, "of": len(rounds), "presented": last[0]}
        how = {"about": "roster", "must": True, "section": "of"}
        yield work.tell(f"round{each.iteration}", "earlier_round", how, **given)


def _looked(work: Work) -> Iterator[Looked]:
    """Not at a roster of which another was made: that look only led to it, and what it says is not so any more."""
    ledger = work.view.ledger
    left = {call["args"].get("start_from") for call in ledger["calls"].values()} if work.presented else set()
    for name, found in looks_of(ledger).items():
        is_answer = name != FIND or len(ledger["calls"]) == 1
        if is_answer and isinstance(found, Looked) and found.roster_id not in left:
            yield found


def _not_there(work: Work) -> list[NothingPublished]:
    """Each ward and day of which nothing is published once."""
    found = [each for each in looks_of(work.view.ledger).values() if isinstance(each, NothingPublished)]
    return list({(each.ward, each.day): each for each in found}.values())


def nothing_published(found: NothingPublished, language: str) -> str:
    """That nothing is, and what is for other days."""
    key = "nothing_published_of" if found.ward else "nothing_published"
    when = say("nothing_published_for", language, day=day_in_words(found.day, language)) if found.day else ""
    told = say(key, language, ward=found.ward, when=when)
    others = [
        say("version_of", language, n=each.number, id=each.roster_id, start=day_in_words(each.start, language),
            end=day_in_words(each.end, language))
        for each in found.published
    ]  # fmt: skip
    return f"{told} {say('published_are', language, versions=', '.join(others))}" if others else told


def _own_roster(work: Work, found: NothingPublished, name: str) -> Iterator[Fact]:
    """How the conversation's own roster of that ward stands, where none is published."""
    of_ward = {each.roster_id: each for each in _rosters_known(work) if found.ward in (None, each.ward)}
    for last in [] if found.published else list(of_ward.values())[-1:]:
        key = "own_draft" if last.status == "draft" else "own_unpublished"
        yield work.fact(name, work.say(key, id=last.roster_id), bears="nurse", must=True)


def _rosters_known(work: Work) -> list[Looked | Reported]:
    return [each for ledger in reversed(work.view.ledgers) for each in rosters_in(ledger)]


def _none_yet(work: Work) -> Iterator[Fact]:
    """That the conversation's roster is still to be made, where one that is there was asked about."""
    waits = any(each["tool"] == "apply_requests" for each in work.view.waiting)
    ended = results(work.view.ledger).values()
    is_asked = bool([*_not_there(work)]) or any(each["error"] and each["error"]["code"] == NOTHING for each in ended)
    if waits and is_asked and not _rosters_known(work):
        yield work.fact("look.none_yet", work.say("none_yet"), bears="nurse", must=True)


def _nothing_to_swap(work: Work, found: Sequence[Looked]) -> Iterator[Fact]:
    """That a swap changes nothing, where one was asked for and two nurses were found to have the same on its day."""
    if two := _with_the_same(work, found):
        (first, second), (cell,) = two, two[0].cells
        given = {"first": first.nurse, "second": second.nurse, "shift": cell.shift, "day": cell.day}
        key = "swaps_same_shift" if cell.shift else "swaps_same_off"
        yield work.tell("swap", key, {"bears": "nurse", "must": True}, **given)


def _with_the_same(work: Work, found: Sequence[Looked]) -> Sequence[NurseLook]:
    """The two whom a request would swap and who have the same on its day; empty = there are none."""
    calls = work.view.ledger["calls"].values()
    if not _SWAP.search(work.view.request["text"]) or any(call["effect"] != "read" for call in calls):
        return ()
    nurses = [(each.roster_id, nurse) for each in found for nurse in each.nurses if len(nurse.cells) == 1]
    for (roster, first), (other_roster, second) in combinations(nurses, 2):
        ours, theirs = first.cells[0], second.cells[0]
        if (roster, ours.day, ours.shift) == (other_roster, theirs.day, theirs.shift) and ours.nurse != theirs.nurse:
            return first, second
    return ()


def _of(work: Work, found: Looked, name: str) -> Fact:
    decided = f" {work.told(found.decided)}" if found.decided else ""
    passes = work.say("look_passes" if found.passes else "look_fails")
    known = work.say(f"look_status_{found.status or 'none'}")
    status = work.say("look_status", status=known, decided=decided, passes=passes)
    how = {"about": "roster", "must": True, "section": name, "roster": found.roster_id}
    return work.tell(name, "look_of", how, id=found.roster_id, period=work.period(found), status=status)


def _grid(work: Work, found: Looked, name: str) -> Iterator[Fact]:
    first, last = found.days_shown
    lines = [f"{nurse}: {cells.replace('.', '–')}" for nurse, cells in found.rows.items()]
    heading = work.say("look_grid", first=first, last=last)
    yield from work.block(name, heading, lines, must=True, bears="coverage", section=name, hidden=True)
    if found.question == "show" and last < found.end:
        yield work.fact(f"{name}.rest", work.say("look_rest", id=found.roster_id), about="roster", listed=True)


def _works(work: Work, found: Looked, name: str) -> Iterator[Fact]:
    for place, day in enumerate(found.by_day, 1):
        how = {"bears": "coverage", "must": True}
        yield work.tell(f"{name}.{place}", "look_works", how, day=day.day, shifts=shifts_in_words(work, day.shifts))


def shifts_in_words(work: Work, shifts: Mapping[str, Sequence[str]]) -> str:
    """Who works each of a day's shifts."""
    nobody = work.say("look_nobody")
    return "; ".join(
        work.say("look_shift", shift=shift, nurses=", ".join(nurses) or nobody) for shift, nurses in shifts.items()
    )


def _off(work: Work, found: Looked, name: str) -> Iterator[Fact]:
    for place, day in enumerate(found.by_day, 1):
        names = [work.say("look_on_leave", nurse=each) if each in day.leave else each for each in day.off]
        nurses = ", ".join(names) or work.say("look_nobody")
        yield work.tell(f"{name}.{place}", "look_off", {"bears": "nurse", "must": True}, day=day.day, nurses=nurses)


def _nurses(work: Work, found: Looked, name: str) -> Iterator[Fact]:
    for each in found.nurses:
        parts = [f"{name}.days"] if found.question == "nurse" else []
        parts += [] if found.days_shown else [f"{name}.share"]
        if found.question == "nurse":
            days = work.fact(f"{name}.days", _days(work, found, each), bears="nurse", listed=True)
            yield replace(days, must=(*parts, *_says_the_same(work, found, each)))
        if not found.days_shown:
            counts = {"nights": work.say("night", n=each.nights), "weekends": work.say("weekend", n=each.weekends)}
            text = work.say("look_share", nurse=each.nurse, hours=work.hours(each.hours, each.target_hours), **counts)
            share = work.fact(f"{name}.share", text, bears="hours", listed=True)
            yield replace(share, must=parts if found.question == "share" else ())


def _says_the_same(work: Work, found: Looked, each: NurseLook) -> Iterator[str]:
    """Ids of what tells the days that are told of a nurse."""
    if len(each.cells) != 1:
        return
    (cell,) = each.cells
    if each.nurse in (same.nurse for same in _with_the_same(work, [*_looked(work)])):
        yield "swap"
    for place, known in enumerate(results_once("explain_cell", CellAdvice, work.view.ledger), 1):
        if (known.roster_id, known.nurse, known.day) == (found.roster_id, cell.nurse, cell.day):
            yield f"cell{place}"


def _days(work: Work, found: Looked, each: NurseLook) -> str:
    """One day as a sentence of its own; of more days those that are worked, by shift."""
    if len(each.cells) == 1:
        (cell,) = each.cells
        key = "look_cell" if cell.shift else "look_cell_leave" if each.leave else "look_cell_off"
        return work.say(key, nurse=each.nurse, shift=cell.shift, day=cell.day)
    worked: dict[str, list[date]] = {}
    for cell in each.cells:
        if cell.shift and (not found.shifts or cell.shift in found.shifts):
            worked.setdefault(cell.shift, []).append(cell.day)
    shifts = "; ".join(
        work.say("look_cells_shift", shift=shift, days=days_in_words(days, work.language))
        for shift, days in worked.items()
    )
    key = "look_cells" if shifts else "look_cells_none_of" if found.shifts else "look_cells_none"
    return work.say(key, nurse=each.nurse, shifts=shifts or ", ".join(found.shifts))


def _counts(work: Work, found: Looked, name: str) -> Iterator[Fact]:
    """Who has most, who least, and what each has."""
    counts, is_shift = found.counts, found.counted not in ("hours", "nights", "weekends")
    kind = work.say("look_kind_shift" if is_shift else f"look_kind_{found.counted}", shift=found.counted)
    ends = {"most": max(counts.values()), "least": min(counts.values())}
    told = {
        key: work.say(
            f"look_{key}", kind=kind, nurses=", ".join(nurse for nurse in counts if counts[nurse] == end), count=end
        )
        for key, end in ends.items()
    }
    each = ", ".join(f"{nurse} {work.figure(count)}" for nurse, count in counts.items())
    told["each"] = work.say("look_each", kind=kind, counts=each)
    ids = [f"{name}.{key}" for key in told]
    for own, text in zip(ids, told.values(), strict=True):
        yield replace(work.fact(own, text, bears="nights", listed=True), must=ids if own == ids[0] else ())
    if not is_shift:
        yield from _counted_apart(work, found, f"{name}.each", kind)


def _counted_apart(work: Work, found: Looked, line: str, kind: str) -> Iterator[Fact]:
    """What each nurse has, to be compared and added: `look.each.Ann`."""
    slug = slugs(list(found.counts))
    for nurse, amount in found.counts.items():
        held = of_hours(amount) if found.counted == "hours" else of_count(amount, found.counted)
        how = {"about": line, "line": line, "hidden": True, "called": nurse, "quantity": held}
        yield work.tell(f"{line}.{slug[nurse]}", "look_each", how, kind=kind, counts=f"{nurse} {work.figure(amount)}")


def _short(work: Work, found: Looked, name: str) -> Iterator[Fact]:
    if not found.below:
        yield work.fact(name, work.say("look_below_none"), bears="coverage", must=True)
    yield from work.block(name, work.say("below"), [*map(work.told, found.below)], must=True, bears="coverage")


def _export(work: Work, found: Looked, name: str) -> Iterator[Fact]:
    yield work.fact(name, work.say("look_export", command=found.command), bears="coverage", must=True)


ANSWERS: Mapping[str, Callable[[Work, Looked, str], Iterator[Fact]]] = {
    "show": _grid,
    "works": _works,
    "off": _off,
    "nurse": _nurses,
    "share": _nurses,
    "counts": _counts,
    "short": _short,
    "export": _export,
}
