"""Whether two nurses may swap their cells of some days; and such a swap, published."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from wavegraph.graph.approval import Terms
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.cover import effect_of
from wavegraph.tools.roster.advice.records import CellMove, SwapAdvice, SwapPublished, WorseOff
from wavegraph.tools.roster.advice.rosters import MOST_LISTED, KnownRoster, require_no_problems
from wavegraph.tools.roster.checks.findings import who
from wavegraph.tools.roster.checks.judge import Consequence, Judge
from wavegraph.tools.roster.checks.measures import granted
from wavegraph.tools.roster.records import period_of
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.told import Told, as_json, moved_cell, refusal, told
from wavegraph.tools.roster.versions.decisions import published_by, published_of, version_told
from wavegraph.tools.roster.versions.log import VersionStore
from wavegraph.tools.roster.ward.names import called, nurse_named
from wavegraph.tools.roster.ward.ward import Nurse, Published, Ward


def swap(of: KnownRoster, first: str, second: str, days: Sequence[date]) -> SwapAdvice:
    """On each of the days, each of the two gets what the other has, a day off included.

    Raises ToolRefusal: `unknown_nurse` and its like, `same_nurse`, `outside_period`, and `nothing_to_swap`.
    """
    one, other = nurse_named(of.ward, first), nurse_named(of.ward, second)
    if one.id == other.id:
        raise refusal("same_nurse", nurse=called(of.ward)[one.id])
    days = sorted(set(days))
    moves = [move for day in days for move in _moves(of, day, one, other)]
    if not moves:
        names = called(of.ward)
        raise refusal("nothing_to_swap", first_nurse=names[one.id], second_nurse=names[other.id])
    judge = Judge(of.ward, of.roster)
    made = judge.changed({(move.nurse, of.ward.index(move.day)): move.now for move in moves})
    return SwapAdvice(
        **of.about,
        **effect_of(made),
        first=one.id,
        second=other.id,
        on=list(days),
        cells=moves,
        worse_off=worse_off(judge.ward, made),
        fails=made.fails,
    )


def swap_in_words(of: Ward, found: SwapAdvice) -> str:
    names = " and ".join(who(of.nurse_by_id[nurse]) for nurse in (found.first, found.second))
    return f"swap of {names} on {', '.join(map(str, found.on))}"


async def publish_swap(
    of: KnownRoster,
    found: SwapAdvice,
    versions: VersionStore,
    kept: RosterStore,
    *,
    by: str = "",
    reason: str = "",
    with_problems: bool = False,
) -> SwapPublished:
    """Publish a swap as the version that follows `of`, which must be what staff have. `with_problems`: also if checks fail
    by it.

    Raises ToolRefusal: `breaks_rules`, `not_published`, `conflict` where another roster has been published, and
    `has_problems`.
    """
    await require_publishable(of, found, versions)
    if not with_problems:
        require_no_problems("the roster with the swap", found.fails)
    words = swap_in_words(of.ward, found) + (f": {reason}" if reason else "")
    ward_hash, roster_id = await asyncio.to_thread(_keep, of, found, words, kept)
    version = await versions.decide("publish", roster_id, by=by, reason=words, replaces=of.roster_id)
    return SwapPublished(
        **period_of(of.ward, ward_hash), roster_id=roster_id, version=version.number, replaces=of.roster_id,
        cells=found.cells, cost=found.cost,
    )  # fmt: skip


async def require_publishable(of: KnownRoster, found: SwapAdvice, versions: VersionStore) -> None:
    """Raises ToolRefusal `breaks_rules`, `not_published` and `conflict`."""
    if not found.may:
        raise refusal("breaks_rules", rules=[each.line(called(of.ward)) for each in found.breaks])
    published = published_of(await versions.versions(of.ward))
    now = next((each for each in published if each.period == (of.ward.start, of.ward.days)), None)
    if now is None:
        raise refusal("not_published")
    if now.roster_id != of.roster_id:
        raise ToolRefusal(
            "conflict",
            f"{now} was published {now.decided.whose}: look at the swap in that one",
            about=published_by(now),
        )


def _keep(of: KnownRoster, found: SwapAdvice, reason: str, kept: RosterStore) -> tuple[str, str]:
    """The swapped roster as it is kept, with the published one and the reason in its ward: their ids, the ward's first."""
    ward = of.ward.thawed().changed(published=Published(roster=of.roster, weight=0, reason=reason))
    ward_hash = kept.keep_ward(ward, kept.asked(of.stored.ward_hash))
    roster = {nurse: list(row) for nurse, row in of.roster.items()}
    for move in found.cells:
        roster[move.nurse][of.ward.index(move.day)] = move.now
    return ward_hash, kept.keep_roster(StoredRoster(ward_hash=ward_hash, roster=roster))


def _moves(of: KnownRoster, day: date, one: Nurse, other: Nurse) -> list[CellMove]:
    index = of.index(day)
    here, there = of.roster[one.id][index], of.roster[other.id][index]
    if here == there:
        return []
    return [
        CellMove(nurse=one.id, day=day, before=here, now=there),
        CellMove(nurse=other.id, day=day, before=there, now=here),
    ]


def swap_terms(of: KnownRoster, found: SwapAdvice) -> Terms:
    """What a manager sees before it is published."""
    names = called(of.ward)
    worse = [
        told("worse_off_because" if each.because else "worse_off", nurse=names[each.nurse], before=each.score_before,
             now=each.score, **({"because": each.because} if each.because else {}))
        for each in found.worse_off
    ]  # fmt: skip
    details = {
        "roster_id": of.roster_id,
        "ward": of.ward.name,
        "start": of.ward.start.isoformat(),
        "days": of.ward.days,
        "version": version_told(of.version).model_dump(mode="json") if of.version else "",
        "cells": as_json([moved_cell(names[each.nurse], each.day, each.before, each.now) for each in found.cells]),
        "cost": found.cost,
        "fairness": found.fairness,
        "compensatory": as_json([each.line(names) for each in found.compensatory]),
        "worse_off": as_json(worse),
    }
    if found.fails:  # left out where nothing does: what an earlier version asked about stands unchanged
        details["problems"] = as_json([each.line(names) for each in found.fails[:MOST_LISTED]])
        details["more_problems"] = max(0, len(found.fails) - MOST_LISTED)
    return {"details": details, "valid_until": None}


def worse_off(ward: Ward, made: Consequence) -> list[WorseOff]:
    """Those with a lower score, or with a wish that is not granted any more."""
    before, now = made.before.empathy.scores, made.after.empathy.scores
    names, lost = called(ward), {nurse.id: _wishes_lost(ward, made, nurse) for nurse in ward.nurses}
    return [
        WorseOff(
            nurse=nurse.id, name=who(nurse), score_before=before[nurse.id], score=now[nurse.id],
            because=[*lost[nurse.id], *_because(made, nurse, names)],
        )
        for nurse in ward.nurses
        if now[nurse.id] < before[nurse.id] or lost[nurse.id]
    ]  # fmt: skip


def _wishes_lost(ward: Ward, made: Consequence, nurse: Nurse) -> list[Told]:
    before, now = made.before.roster, made.after.roster
    own = (wish for wish in ward.wishes if wish.nurse == nurse.id)
    lost = [wish for wish in own if granted(ward, before, wish) and not granted(ward, now, wish)]
    keys = {True: "because.work", False: "because.off"}
    return [
        told(
            keys[wish.wants] + (".shift" if wish.shift else ""),
            shift=wish.shift or "",
            day=wish.day,
            weight=wish.weight,
        )
        for wish in lost
    ]


def _because(made: Consequence, nurse: Nurse, names: Mapping[str, str]) -> Iterator[Told]:
    """Other counts, and what is newly found of her; what breaks a rule is told as that."""
    before, now = made.before.shares[nurse.id], made.after.shares[nurse.id]
    counts = [
        ("nights", before.nights, now.nights),
        ("weekends", before.weekends, now.weekends),
        ("hours", before.credited_minutes / 60, now.credited_minutes / 60),
    ]
    yield from (told(f"because.{what}", before=old, now=new) for what, old, new in counts if old != new)
    own = (found for found in made.new if found.nurse_id == nurse.id and found.level != "breach")
    yield from (found.line(names) for found in own)
