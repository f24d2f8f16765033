"""Why a nurse has what she has on a day: what keeps it so, and what anything else would break or cost."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from wavegraph.tools.roster.advice.cover import effect_of, rank
from wavegraph.tools.roster.advice.records import Alternative, CellAdvice, Hold, HoldKind
from wavegraph.tools.roster.advice.relax import loosened
from wavegraph.tools.roster.advice.rosters import KnownRoster
from wavegraph.tools.roster.checks.findings import who
from wavegraph.tools.roster.checks.judge import Consequence, Judge
from wavegraph.tools.roster.ward.names import called, nurse_named
from wavegraph.tools.roster.ward.ward import Nurse

KIND_OF: Mapping[str, HoldKind] = {
    "leave": "leave",
    "locked": "locked",
    "daily_rest": "rest",
    "weekly_rest": "rest",
    "rest_after_nights": "rest",
    "succession": "rest",
    "skill_mix": "skill",
    "coverage": "demand",
}
"""Of a rule; of any other, limit."""
FOUND_OF: Mapping[str, str] = {"coverage": "under", "pair": "pairs", "wish": "wishes"}
"""Findings that are a part of the cost too."""
ORDER: Sequence[HoldKind] = ("leave", "locked", "skill", "demand", "rest", "limit")


def explain_cell(of: KnownRoster, nurse: str, day: date) -> CellAdvice:
    """Raises ToolRefusal: `unknown_nurse` and its like, `outside_period`."""
    index, person = of.index(day), nurse_named(of.ward, nurse)
    now = of.roster[person.id][index]
    judge = Judge(of.ward, of.roster)
    others = [shift for shift in (*of.ward.shift_by_id, None) if shift != now]
    alternatives = sorted(
        (_alternative(judge, person, index, shift) for shift in others), key=lambda each: (*rank(each), -each.fairness)
    )
    return CellAdvice(
        **of.about,
        nurse=person.id,
        name=who(person),
        called=called(of.ward)[person.id],
        day=day,
        shift=now,
        found=[each for each in judge.before.findings if (each.nurse_id, each.day) == (person.id, day.isoformat())],
        forced=not any(each.may for each in alternatives),
        holds=list(_holds(alternatives)),
        alternatives=alternatives,
    )


def _alternative(judge: Judge, nurse: Nurse, index: int, shift: str | None) -> Alternative:
    made = judge.changed({(nurse.id, index): shift})
    effect = effect_of(made)
    return Alternative(
        **effect, shift=shift, relax=loosened(judge.ward, effect["breaks"])[1], worse=list(dict.fromkeys(_worse(made)))
    )


def _worse(made: Consequence) -> Iterator[str]:
    """Kinds of what gets worse and breaks no rule: the parts of a higher cost, what is newly found, how fair it is."""
    before, after = made.before, made.after
    if made.cost > 0:
        yield from (kind for kind, cost in after.cost.by_kind.items() if cost > before.cost.by_kind[kind])
    yield from (FOUND_OF.get(found.type, found.type) for found in made.new if found.level != "breach")
    if after.empathy.fairness < before.empathy.fairness:
        yield "less_fair"


def _holds(alternatives: Sequence[Alternative]) -> Iterator[Hold]:
    """What forbids alternatives, each kind once."""
    for kind in ORDER:
        by_shift = {
            each.shift: [found for found in each.breaks if KIND_OF.get(found.type, "limit") == kind]
            for each in alternatives
        }
        forbids = {shift: found for shift, found in by_shift.items() if found}
        if forbids:
            words = dict.fromkeys(each.detail for found in forbids.values() for each in found)
            yield Hold(kind=kind, forbids=list(forbids), words=list(words))
