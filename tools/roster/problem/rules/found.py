"""What the empathy check finds too much of, as rules that a roster may be held to.

A rule is broken only where the check certainly makes its finding: its floats are compared with exact fractions, a value so
near its bound that rounding decides counts as within, and fatigue counts only where every number is a multiple of the
smallest that the check keeps and shifts begin on whole minutes. A roster with few findings so breaks few of these rules.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import count
from math import floor

from wavegraph.tools.roster.problem.fairness import PARTS, exact
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import FATIGUE_UNIT, FatigueUnits, in_units
from wavegraph.tools.roster.problem.rules.cells import day_off, worked
from wavegraph.tools.roster.problem.rules.counters import ones, paid, weekends_of
from wavegraph.tools.roster.problem.rules.forms import Counter, Order, Rule, Tally, Word
from wavegraph.tools.roster.problem.rules.orders import day_scores, short_rests, tired_shifts
from wavegraph.tools.roster.ward.finding_types import CountedFinding

FLOAT_ERROR = Fraction(1, 10**6)
"""More than the error of a product of minutes and a share."""


def underutilization(instance: Instance) -> Iterator[Counter]:
    """due - worked < the least whole minutes that are at least a shift and more than the share allowed."""
    for n, due, least in _hours(instance, instance.ward.fairness.under_share):
        yield Counter(RuleId("underutilization"), n, paid(instance), least=due - least + 1)


def overwork(instance: Instance) -> Iterator[Counter]:
    """worked - due, in the same way."""
    for n, due, least in _hours(instance, instance.ward.fairness.over_share):
        yield Counter(RuleId("overwork"), n, paid(instance), most=due + least - 1)


def _hours(instance: Instance, share: float) -> Iterator[tuple[int, int, int]]:
    """Nurse, minutes to work, and the least distance to them that is found."""
    for n in range(len(instance.nurses)):
        target, due = instance.target_minutes(n), instance.minutes_to_work(n)
        if target is not None and due is not None:
            more = floor(exact(share) * target + FLOAT_ERROR) + 1
            yield n, due, max(1, instance.ward.fairness.shift_minutes, more)


def night_concentration(instance: Instance) -> Iterator[Counter]:
    """Nights above a fair share: nobody's depends on what the others work."""
    for n, most in _most(instance.nights_due, instance.ward.fairness.nights_over_mean):
        yield Counter(RuleId("night_concentration"), n, ones(instance, instance.nights), most=most)


def weekend_concentration(instance: Instance) -> Iterator[Counter]:
    for n, most in _most(instance.weekends_due, instance.ward.fairness.weekends_over_mean):
        yield Counter(RuleId("weekend_concentration"), n, weekends=weekends_of(instance, n), most=most)


def holiday_concentration(instance: Instance) -> Iterator[Counter]:
    for n, most in _most(instance.holidays_due, instance.ward.fairness.holidays_over_mean):
        work, days = ones(instance, worked(instance)), frozenset(instance.holidays)
        yield Counter(RuleId("holiday_concentration"), n, work, days, most=most)


def _most(due: Mapping[int, int], above: float) -> Iterator[tuple[int, int]]:
    """Each nurse with the most that is not found; `due`: in tenths."""
    for n, tenths in due.items():
        yield n, floor(Fraction(tenths, PARTS) + exact(above))


def fatigue_night(instance: Instance) -> Iterator[Order]:
    return _tired(instance, "fatigue_night")


def fatigue_weekend(instance: Instance) -> Iterator[Order]:
    return _tired(instance, "fatigue_weekend")


def fatigue_high(instance: Instance) -> Iterator[Order]:
    return _tired(instance, "fatigue_high")


def _tired(instance: Instance, kind: CountedFinding) -> Iterator[Order]:
    scale = FatigueUnits.of(instance.ward)
    words = tuple(word for name, word in tired_shifts(instance, scale).items() if name == kind)
    for n, tally in _tallies(instance, scale):
        yield Order(RuleId(kind), n, words, tally)


def fatigue_moderate(instance: Instance) -> Iterator[Order]:
    """A shift begun with a moderate score, or more, after too many days in a row for it, and none of the others."""
    scale = FatigueUnits.of(instance.ward)
    tired = tired_shifts(instance, scale)
    word = replace(tired["fatigue_moderate"], below=scale.high)
    high = tired.get("fatigue_high", Word((), ends=frozenset()))
    for n, tally in _tallies(instance, scale):
        yield Order(RuleId("fatigue_moderate"), n, (word, *_too_few_for_high(instance, scale, high, n)), tally)


def _too_few_for_high(instance: Instance, scale: FatigueUnits, high: Word, nurse: int) -> Iterator[Word]:
    """Another shift of a weekday, begun with a high score, but after days enough in a row for a moderate one alone."""
    work, first, bound = worked(instance), -len(instance.tails[nurse]), max(scale.moderate, scale.high)
    weekdays = high.ends or frozenset()
    for length in range(scale.moderate_run, scale.high_run if weekdays else 0):
        run = (*[work] * length, high.labels[-1])
        yield Word((day_off(instance), *run), ends=weekdays, tired=bound)
        yield Word(run, ends=weekdays & {first + length}, tired=bound)  # none of the days before are known


def _tallies(instance: Instance, scale: FatigueUnits) -> Iterator[tuple[int, Tally]]:
    """Each nurse's score as the check counts it, where it is exact."""
    fatigue = instance.ward.fairness.fatigue
    steps = (fatigue.per_day, fatigue.per_night, fatigue.per_quick_return, fatigue.per_day_off)
    whole = all(map(_is_whole, (*steps, fatigue.high, fatigue.moderate)))
    to_the_minute = not any(shift.start.second or shift.start.microsecond for shift in instance.shifts)
    # Half a minute less, so that the product with 60 cannot round a rest of exactly the bound to below it.
    rests = short_rests(instance, (rest_minutes(fatigue.quick_return_hours) - 0.5) / 60)
    for n, nurse in enumerate(instance.nurses if whole and to_the_minute else []):
        if _is_whole(nurse.fatigue):
            yield n, Tally(
                in_units(nurse.fatigue), day_scores(instance, scale), (0, FATIGUE_UNIT), rests,
                in_units(fatigue.per_quick_return),
            )  # fmt: skip


def _is_whole(score: float) -> bool:
    return (FATIGUE_UNIT * exact(score)).denominator == 1


def rest_minutes(hours: float) -> int:
    """The fewest whole minutes that are at least `hours`, divided as the check does."""
    return next(minutes for minutes in count() if minutes / 60 >= hours)


FOUND: dict[CountedFinding, Callable[[Instance], Iterator[Rule]]] = {
    "underutilization": underutilization,
    "overwork": overwork,
    "night_concentration": night_concentration,
    "weekend_concentration": weekend_concentration,
    "holiday_concentration": holiday_concentration,
    "fatigue_high": fatigue_high,
    "fatigue_moderate": fatigue_moderate,
    "fatigue_weekend": fatigue_weekend,
    "fatigue_night": fatigue_night,
}
