"""Rules about what adds up over a nurse's period: hours, shifts of a kind, nights, weekends, shares."""

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from math import floor

from wavegraph.tools.roster.problem.fairness import PARTS, charges
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import BLOCK_MINUTES, Prices
from wavegraph.tools.roster.problem.rules.forms import Counter, Slope
from wavegraph.tools.roster.problem.totals import totals
from wavegraph.tools.roster.ward.ward import Total

WEEK = 7


def least_minutes(instance: Instance) -> Iterator[Counter]:
    """Paid minutes of the period at least the contract's, with what leave counts as."""
    for n in _nurses(instance):
        if least := instance.least_minutes(n):
            yield Counter(RuleId("least_minutes"), n, paid(instance), least=least)


def most_minutes(instance: Instance) -> Iterator[Counter]:
    for n in _nurses(instance):
        if (most := instance.most_minutes(n)) is not None:
            yield Counter(RuleId("most_minutes"), n, paid(instance), most=most)


def weekly_hours(instance: Instance) -> Iterator[Counter]:
    """Paid time a week on average, over the period and the known tail (Directive 2003/88/EC art. 6, 16)."""
    hours = instance.ward.rules.weekly_hours
    for n, tail in enumerate(instance.tails if hours else []):
        before = sum(instance.paid[s] for s in tail if s is not None)
        most = floor(60 * Fraction(hours) * max(WEEK, instance.days + len(tail)) / WEEK)
        yield Counter(RuleId("weekly_hours"), n, paid(instance), most=most - before)


def most_shifts(instance: Instance) -> Iterator[Counter]:
    """Most shifts of a kind, and most nights."""
    for n in _nurses(instance):
        for shift, most in instance.contract(n).max_shifts.items():
            if most < instance.days:
                yield Counter(RuleId("most_shifts", shift), n, ones(instance, {instance.shift_index[shift]}), most=most)
        if (nights := instance.contract(n).max_nights) is not None:
            yield Counter(RuleId("most_nights"), n, ones(instance, instance.nights), most=nights)


def most_weekends(instance: Instance) -> Iterator[Counter]:
    """Most weekends with work on Saturday or Sunday (INRC-II S7 as a hard rule), but for one that she began before."""
    for n in _nurses(instance):
        most = instance.contract(n).max_weekends
        if most is not None and most < len(instance.weekends_of(n)):
            yield Counter(RuleId("most_weekends"), n, weekends=weekends_of(instance, n), most=most)


def hours(instance: Instance, prices: Prices) -> Iterator[Counter]:
    """Whole blocks of eight hours below and above the hours that are due."""
    under, over = (int(prices.of[kind] * prices.scale) for kind in ("underutilization", "overwork"))
    for n in _nurses(instance):
        if (due := instance.minutes_to_work(n)) is not None and (under or over):
            below = Slope("underutilization", due, (under,), BLOCK_MINUTES) if under else None
            above = Slope("overwork", due, (over,), BLOCK_MINUTES) if over else None
            yield Counter(RuleId("hours"), n, paid(instance), below=below, above=above)


def shares(instance: Instance, prices: Prices) -> Iterator[Counter]:
    """Nights, weekends and shifts on public holidays above a fair share (`problem.fairness`), in tenths."""
    for n, above in _above(instance.nights_due, "night_excess", prices):
        yield Counter(RuleId("night_share"), n, ones(instance, instance.nights), above=above)
    for n, above in _above(instance.weekends_due, "weekend_excess", prices):
        yield Counter(RuleId("weekend_share"), n, weekends=weekends_of(instance, n), above=above)
    for n, above in _above(instance.holidays_due, "holiday_excess", prices):
        worked = ones(instance, range(len(instance.shifts)))
        yield Counter(RuleId("holiday_share"), n, worked, frozenset(instance.holidays), above=above)


def _above(due: Mapping[int, int], kind: str, prices: Prices) -> Iterator[tuple[int, Slope]]:
    """Each nurse with what a share above hers costs; `due`: in tenths."""
    step = int(prices.step(kind) * prices.scale)
    for n, tenths in due.items() if step else ():
        knee = tenths // PARTS
        yield n, Slope(kind, knee, tuple(step * added for added in charges(tenths, knee + 2)))


def period_totals(instance: Instance, prices: Prices) -> Iterator[Counter]:
    """Shifts, and weekends with work, too few or too many over the period (`problem.totals`; INRC-II S6, S7)."""
    worked = ones(instance, range(len(instance.shifts)))
    for n, nurse in enumerate(instance.nurses):
        for kind, total, before in totals(nurse):
            below, above = _band(total, before, prices.scale)
            if below or above:
                weekends = weekends_of(instance, n) if kind == "working_weekends" else None
                yield Counter(RuleId(kind), n, worked, weekends=weekends, below=below, above=above)


def _band(total: Total, before: int, scale: int) -> tuple[Slope | None, Slope | None]:
    below = above = None
    if total.under_weight and total.least > before:
        below = Slope("totals", total.least - before, (total.under_weight * scale,))
    if total.over_weight and total.most is not None:
        above = Slope("totals", total.most - before, (total.over_weight * scale,))
    return below, above


def balance(instance: Instance, prices: Prices) -> Iterator[Counter]:
    """Shifts of some kinds above a nurse's fair share of them, at their weight (`problem.balance`)."""
    for each in instance.balanced:
        for n, due in each.due.items() if each.weight else ():
            above = Slope("balance", due, (each.weight * prices.scale,))
            yield Counter(RuleId("balance"), n, ones(instance, each.shifts), above=above)


def _nurses(instance: Instance) -> range:
    return range(len(instance.nurses))


def paid(instance: Instance) -> tuple[int, ...]:
    return (*instance.paid, 0)


def ones(instance: Instance, shifts: Collection[int]) -> tuple[int, ...]:
    """One for each of these shifts."""
    return tuple(int(label in shifts) for label in range(len(instance.shifts) + 1))


def weekends_of(instance: Instance, nurse: int) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, instance.weekends_of(nurse)))
