"""Rules about a cell by itself: leave, settled cells, skills, wishes, and what was published."""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Prices
from wavegraph.tools.roster.problem.rules.forms import Cell, Labels, Price
from wavegraph.tools.roster.problem.rules.knobs import BY_CONTRACT, BY_MANAGER, WISH_LIKE, Knob, of_rules
from wavegraph.tools.roster.ward.ward import Ward


def leave(instance: Instance) -> Iterator[Cell]:
    """No work on leave (Curtois: days off), or not the shift that the row names."""
    for row in instance.ward.leave:
        if (day := _day(instance, row.day)) is not None:
            taken = worked(instance) if row.shift is None else labels_of(instance, row.shift)
            yield Cell(RuleId("leave"), instance.nurse_index[row.nurse], day, taken)


def leave_knobs(instance: Instance) -> Iterator[Knob]:
    night = RuleId("night_before_leave")
    yield of_rules(instance.ward, night, "night_before_leave", [True], tier=WISH_LIKE)
    for nurse, day in dict.fromkeys((row.nurse, row.day) for row in instance.ward.leave):
        put = _without_row("leave", nurse, day)
        yield Knob(rule=RuleId("leave"), tier=BY_MANAGER, put=put, nurse=nurse, day=day, eve=night)


def _without_row(field: str, nurse: str, day: date) -> Callable[[Ward, Any], Ward]:
    return lambda ward, _: ward.changed(
        **{field: [row for row in getattr(ward, field) if (row.nurse, row.day) != (nurse, day)]}
    )


def night_before_leave(instance: Instance) -> Iterator[Cell]:
    """No night that ends on the first day of leave, unless the cell is settled so."""
    for nurse, day, shift in sorted(instance.nights_before_leave):
        yield Cell(RuleId("night_before_leave"), nurse, day, frozenset({shift}))


def locked(instance: Instance) -> Iterator[Cell]:
    """Settled cells stay as they are."""
    for row in instance.ward.locked:
        if (day := _day(instance, row.day)) is not None:
            others = every(instance) - labels_of(instance, row.shift)
            yield Cell(RuleId("locked"), instance.nurse_index[row.nurse], day, others)


def locked_knobs(instance: Instance) -> Iterator[Knob]:
    for row in instance.ward.locked:
        put = _without_row("locked", row.nurse, row.day)
        yield Knob(rule=RuleId("locked"), tier=BY_MANAGER, put=put, nurse=row.nurse, day=row.day)


def shift_skills(instance: Instance) -> Iterator[Cell]:
    """No shift without the skill that it needs (INRC-II H4)."""
    for nurse, shift in instance.not_skilled:
        needs = instance.shifts[shift]
        for day in range(instance.days):
            yield Cell(RuleId("shift_skill", needs.id, needs.skill), nurse, day, frozenset({shift}))


def skill_knobs(instance: Instance) -> Iterator[Knob]:
    """The nearest way: she has the skill."""
    for n, shift in instance.not_skilled:
        nurse, needs = instance.nurses[n], instance.shifts[shift]
        if needs.skill is not None:
            rule = RuleId("shift_skill", needs.id, needs.skill)
            yield Knob(rule=rule, tier=BY_CONTRACT, put=_skilled(nurse.id, needs.skill), nurse=nurse.id)


def _skilled(nurse: str, skill: str) -> Callable[[Ward, Any], Ward]:
    return lambda ward, _: ward.changed(
        nurses=[
            each.model_copy(update={"skills": sorted({*each.skills, skill})}) if each.id == nurse else each
            for each in ward.nurses
        ]
    )


def wishes(instance: Instance, prices: Prices) -> Iterator[Cell]:
    """Wishes not granted, at their own weights (Curtois: shift on and off requests)."""
    for wish in instance.ward.wishes:
        if (day := _day(instance, wish.day)) is not None and wish.weight:
            wished = worked(instance) if wish.shift is None else labels_of(instance, wish.shift)
            against = every(instance) - wished if wish.wants else wished
            price = Price("wishes", wish.weight * prices.scale)
            yield Cell(RuleId("wishes"), instance.nurse_index[wish.nurse], day, against, price)


def changes(instance: Instance, prices: Prices) -> Iterator[Cell]:
    """Cells that differ from the published roster, at its weight; those of a nurse who was not in it are free."""
    if published := instance.ward.published:
        price = Price("changes", published.weight * prices.scale)
        for name, row in published.roster.items():
            for day, shift in enumerate(row):
                others = every(instance) - labels_of(instance, shift)
                yield Cell(RuleId("changes"), instance.nurse_index[name], day, others, price)


def worked(instance: Instance) -> Labels:
    """The labels of a day with work."""
    return frozenset(range(len(instance.shifts)))


def every(instance: Instance) -> Labels:
    return frozenset(range(len(instance.shifts) + 1))


def day_off(instance: Instance) -> Labels:
    return frozenset({len(instance.shifts)})


def labels_of(instance: Instance, shift: str | None) -> Labels:
    """Of one shift; None = a day off."""
    return day_off(instance) if shift is None else frozenset({instance.shift_index[shift]})


def _day(instance: Instance, day: date) -> int | None:
    """Its number; None = outside the period."""
    number = instance.ward.index(day)
    return number if 0 <= number < instance.days else None


MUST = (leave, night_before_leave, locked, shift_skills)
PRICED = (wishes, changes)
KNOBS = (leave_knobs, locked_knobs, skill_knobs)
