"""Who can take a shift, in the order in which a manager would ask."""

from datetime import date
from typing import Any

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.records import CoverAdvice, Effect, Replacement
from wavegraph.tools.roster.advice.rosters import KnownRoster
from wavegraph.tools.roster.checks.findings import who
from wavegraph.tools.roster.checks.judge import Cells, Consequence, Judge
from wavegraph.tools.roster.told import refusal
from wavegraph.tools.roster.ward.names import called, nurse_named, shift_named
from wavegraph.tools.roster.ward.ward import Nurse


def who_can_cover(of: KnownRoster, day: date, shift: str | None, instead: str | None = None) -> CoverAdvice:
    """Everybody who does not work the shift. `instead`: the nurse who falls away from it. `shift`: None = the one she has.

    What the replaced nurse's own row then lacks holds against nobody: it is in `if_nobody`.

    Raises ToolRefusal: `outside_period`, `unknown_shift`, `unknown_nurse` and their like, `not_on_shift`, and `needs_shift`
    where neither is given.
    """
    index = of.index(day)
    named = shift_named(of.ward, shift).id if shift is not None else None
    leaves = nurse_named(of.ward, instead) if instead is not None else None
    taken = _taken(of, named, leaves, index)
    judge = Judge(of.ward, of.roster)
    gone: Cells = {(leaves.id, index): None} if leaves else {}
    there = [nurse for nurse in of.ward.nurses if of.roster[nurse.id][index] == taken]
    asked = [nurse for nurse in of.ward.nurses if nurse not in there]
    effects = [(nurse, judge.changed({**gone, (nurse.id, index): taken})) for nurse in asked]
    found = [_replacement(nurse, of.roster[nurse.id][index], effect, leaves) for nurse, effect in effects]
    return CoverAdvice(
        **of.about,
        day=day,
        shift=taken,
        instead=leaves.id if leaves else None,
        called=called(of.ward)[leaves.id] if leaves else "",
        on_it=[who(nurse) for nurse in there if nurse != leaves],
        if_nobody=Effect(**effect_of(judge.changed(gone))) if leaves else None,
        short=[
            each
            for each in judge.before.compliance
            if each.nurse_id is None and (each.day, each.shift) == (str(day), taken)
        ],
        candidates=sorted(
            found, key=lambda each: (*rank(each), each.hours_over, -each.fairness, each.works is not None)
        ),
    )


def rank(each: Effect) -> tuple[float, ...]:
    """Who may first; then by rest to be given later, and by cost."""
    return len(each.breaks), len(each.compensatory), each.cost


def effect_of(made: Consequence, but: Nurse | None = None) -> dict[str, Any]:
    """The fields of `Effect`. `but`: whose own row is not looked at."""
    new = [found for found in made.new if but is None or found.nurse_id != but.id]
    breaks = [found for found in new if found.level == "breach"]
    return {
        "may": not breaks,
        "breaks": breaks,
        "compensatory": [found for found in new if found.level == "compensatory"],
        "warnings": [found for found in new if found.level == "warning"],
        "cost": made.cost,
        "fairness": made.after.empathy.fairness,
    }


def _replacement(nurse: Nurse, works: str | None, made: Consequence, leaves: Nurse | None) -> Replacement:
    share = made.after.shares[nurse.id]
    target = share.target_minutes
    return Replacement(
        **effect_of(made, but=leaves),
        nurse=nurse.id,
        name=who(nurse),
        works=works,
        hours=round(share.credited_minutes / 60, 1),
        target_hours=None if target is None else round(target / 60, 1),
        hours_over=round(made.after.hours_over(nurse.id), 1),
    )


def _taken(of: KnownRoster, shift: str | None, nurse: Nurse | None, index: int) -> str:
    """The shift that is to be taken: the one that was named, else the nurse's. Raises ToolRefusal."""
    if nurse is None:
        if shift is None:
            raise refusal("needs_shift")
        return shift
    has = of.roster[nurse.id][index]
    if has is not None and shift in (None, has):
        return has
    day = of.ward.day(index)
    told = f"{who(nurse)} has {has or 'a day off'} on {day}"
    about = {"nurse": called(of.ward)[nurse.id], "shift": has, "day": day.isoformat()}
    if shift is None:
        raise ToolRefusal("not_on_shift", f"{told}: there is no shift to take", about=about)
    there = [who(each) for each in of.ward.nurses if of.roster[each.id][index] == shift]
    raise ToolRefusal(
        "not_on_shift", f"{told}, not {shift}; who works {shift}: {', '.join(there) or 'nobody'}", about=about
    )
