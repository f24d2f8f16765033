"""The empathy check's findings of fatigue, as literals that may be false only where it finds none.

The score follows the check from day to day, in whole units. The check rounds to four decimals, so this is exact if every
number is a multiple of 0.0001 and shifts begin on whole minutes; otherwise the findings are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import count
from math import gcd

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.objective import all_of
from wavegraph.tools.roster.cpsat.shares_found import Found, exact
from wavegraph.tools.roster.cpsat.variables import Literal, Variables
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.ward.fairness_limits import FatigueScale

PER_POINT = 10_000
"""Units in a score of 1."""
LONGEST_GAP = 4
"""Days after which no rest is too short: a shift and the longest short rest last a day each."""


@dataclass(frozen=True)
class ScoreUnits:
    """The scale and a nurse's first score as multiples of the largest unit that divides them all."""

    first: int
    full: int
    day: int
    night: int
    quick: int
    day_off: int
    high: int
    moderate: int

    @classmethod
    def of(cls, scale: FatigueScale, fatigue: float) -> "ScoreUnits | None":
        """None where one of the numbers has more decimals than the check keeps."""
        steps = (scale.per_day, scale.per_night, scale.per_quick_return, scale.per_day_off)
        numbers = [PER_POINT * exact(x) for x in (fatigue, 1.0, *steps, scale.high, scale.moderate)]
        if any(number.denominator != 1 for number in numbers):
            return None
        unit = reduce(gcd, (number.numerator for number in numbers))
        return cls(*(number.numerator // unit for number in numbers))


@dataclass(frozen=True)
class JudgedDay:
    """A nurse's day, with what the check judges it by."""

    works: Literal
    nights: list[Literal]
    high: Literal
    """Begun with a high score."""
    moderate: Literal
    high_run: list[Literal] | None
    """The days before that make the run too long for a high score if all are worked; None = not all are known."""
    moderate_run: list[Literal] | None
    weekend: bool


def fatigue_night(model: cp_model.CpModel, v: Variables, instance: Instance) -> Found:
    """A night begun with a high score."""
    found: Found = {}
    for n, day in _days(model, v, instance):
        for night in day.nights:
            found.setdefault(n, []).append(all_of(model, [day.high, night]))
    return found


def fatigue_weekend(model: cp_model.CpModel, v: Variables, instance: Instance) -> Found:
    """Another shift of a weekend, begun with a high score."""
    found: Found = {}
    for n, day in _days(model, v, instance):
        if day.weekend:
            found.setdefault(n, []).append(all_of(model, [day.high, *_by_day(day)]))
    return found


def fatigue_high(model: cp_model.CpModel, v: Variables, instance: Instance) -> Found:
    """Another shift of a weekday, begun with a high score after too many days in a row for it."""
    found: Found = {}
    for n, day in _days(model, v, instance):
        if not day.weekend and day.high_run is not None:
            found.setdefault(n, []).append(all_of(model, [day.high, *_by_day(day), *day.high_run]))
    return found


def fatigue_moderate(model: cp_model.CpModel, v: Variables, instance: Instance) -> Found:
    """A shift begun with a moderate score, or more, after too many days in a row for it, and none of the others."""
    found: Found = {}
    for n, day in _days(model, v, instance, exactly=True):
        if day.moderate_run is not None:
            worse = _worse(model, day)
            found.setdefault(n, []).append(all_of(model, [day.moderate, day.works, *day.moderate_run, worse.negated()]))
    return found


def _by_day(day: JudgedDay) -> list[Literal]:
    return [day.works, *(night.negated() for night in day.nights)]


def _worse(model: cp_model.CpModel, day: JudgedDay) -> Literal:
    """A Boolean that may hold only where a worked day is one of the kinds of high fatigue."""
    worse = model.new_bool_var("")
    model.add_implication(worse, day.high)
    if not day.weekend:
        for worked in [worse.negated()] if day.high_run is None else day.high_run:
            model.add_bool_or([worse.negated(), worked, *day.nights])
    return worse


def _days(
    model: cp_model.CpModel, v: Variables, instance: Instance, *, exactly: bool = False
) -> Iterator[tuple[int, JudgedDay]]:
    """Nurse and day, of every nurse whose numbers are whole units; scores as in `_scores`."""
    scale = instance.ward.fairness.fatigue
    weekend = {d for days in instance.weekends for d in days}
    to_the_minute = not any(shift.start.second or shift.start.microsecond for shift in instance.shifts)
    for n, nurse in enumerate(instance.nurses):
        units = ScoreUnits.of(scale, nurse.fatigue)
        if units is None or not to_the_minute:
            continue
        for d, score in enumerate(_scores(model, v, instance, n, units, scale, exactly=exactly)):
            yield (
                n,
                JudgedDay(
                    works=v.works[n, d],
                    nights=v.nights(instance, n, d),
                    high=score.at_least(model, units.high),
                    moderate=score.at_least(model, units.moderate),
                    high_run=v.days_before(n, d, scale.high_run),
                    moderate_run=v.days_before(n, d, scale.moderate_run),
                    weekend=d in weekend,
                ),
            )


@dataclass(frozen=True)
class ScoreVariable:
    """The score that a day begins with, and its range."""

    value: cp_model.IntVar
    least: int
    most: int

    def at_least(self, model: cp_model.CpModel, bound: int) -> Literal:
        """A Boolean that says whether the score is at least `bound`."""
        if self.least >= bound or self.most < bound:
            return model.new_constant(self.least >= bound)
        reached = model.new_bool_var("")
        model.add(self.value >= bound).only_enforce_if(reached)
        model.add(self.value <= bound - 1).only_enforce_if(reached.negated())
        return reached


def _scores(
    model: cp_model.CpModel,
    v: Variables,
    instance: Instance,
    n: int,
    units: ScoreUnits,
    scale: FatigueScale,
    *,
    exactly: bool,
) -> Iterator[ScoreVariable]:
    """shift: score + day (night) + quick after a short rest;  day off: score - day_off;  always within 0 to full.

    Where not `exactly`, the score may also be higher.
    """
    least_rest = rest_minutes(scale.quick_return_hours)
    gains = [units.night if shift.night else units.day for shift in instance.shifts]
    bound = _equal if exactly else _not_below
    score = ScoreVariable(model.new_int_var(units.first, units.first, ""), units.first, units.first)
    for d in range(instance.days):
        yield score
        quick = _quick_returns(model, v, instance, n, d, least_rest)
        shifts = [v.shift[n, d, s] for s in range(len(instance.shifts))]
        change = cp_model.LinearExpr.weighted_sum([*shifts, *quick], [*gains, *[units.quick] * len(quick)])
        after = score.value + change + units.day_off * v.works[n, d] - units.day_off
        most = score.most + max(gains) + (units.quick if quick else 0)
        score = bound(model, after, score.least - units.day_off, most, units.full)


def _equal(model: cp_model.CpModel, after: cp_model.LinearExprT, least: int, most: int, full: int) -> ScoreVariable:
    """The score `after`, which lies between `least` and `most`, clamped to 0 and `full`."""
    raised = model.new_int_var(max(0, least), max(0, most), "")
    value = model.new_int_var(max(0, least), min(full, most), "")
    model.add_max_equality(raised, [after, 0])
    model.add_min_equality(value, [raised, full])
    return ScoreVariable(value, max(0, least), min(full, most))


def _not_below(model: cp_model.CpModel, after: cp_model.LinearExprT, least: int, most: int, full: int) -> ScoreVariable:
    """The same or higher: easier for the solver, and enough where a higher score never means fewer findings."""
    value = model.new_int_var(max(0, least), min(full, most), "")
    held = model.add(value >= after)
    if most > full:
        at_full = model.new_bool_var("")
        held.only_enforce_if(at_full.negated())
        model.add(value >= full).only_enforce_if(at_full)
    return ScoreVariable(value, max(0, least), min(full, most))


def rest_minutes(hours: float) -> int:
    """The fewest whole minutes that are at least `hours`, divided as the check does."""
    return next(minutes for minutes in count() if minutes / 60 >= hours)


def _quick_returns(
    model: cp_model.CpModel, v: Variables, instance: Instance, n: int, d: int, least_rest: int
) -> list[Literal]:
    """Booleans of which at most one holds: a shift begins on day `d` too soon after the one worked before it."""
    quick: list[Literal] = []
    for before in range(max(v.first_day(instance, n), d - LONGEST_GAP), d):
        # Half a minute less, so that the product with 60 cannot round a rest of exactly the bound to below it.
        for s, gap, t in instance.short_rests(before, (least_rest - 0.5) / 60):
            if before + gap == d:
                between = [v.works[n, i].negated() for i in range(before + 1, d)]
                quick.append(_all(model, [v.shift[n, before, s], v.shift[n, d, t], *between]))
    return quick


def _all(model: cp_model.CpModel, literals: list[Literal]) -> Literal:
    """A Boolean that says whether all of them are true."""
    every = all_of(model, literals)
    for literal in literals:
        model.add_implication(every, literal)
    return every
