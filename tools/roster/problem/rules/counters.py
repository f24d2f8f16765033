"""Rules about what adds up over a nurse's period: hours, shifts of a kind, nights, weekends, shares."""

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import floor, gcd

from wavegraph.tools.roster.problem.fairness import PARTS, charges
from wavegraph.tools.roster.problem.hours import contract_minutes
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import BLOCK_MINUTES, Prices
from wavegraph.tools.roster.problem.rules.forms import Counter, Slope
from wavegraph.tools.roster.problem.rules.knobs import BY_CONTRACT, WISH_LIKE, Knob, of_contract, of_rules
from wavegraph.tools.roster.problem.totals import totals
from wavegraph.tools.roster.ward.ward import Total, Ward

WEEK = 7
LONGEST_WEEK_H = 168


def least_minutes(instance: Instance) -> Iterator[Counter]:
    """Paid minutes of the period at least the contract's, with what leave counts as."""
    for n in _nurses(instance):
        if least := instance.least_minutes(n):
            yield Counter(RuleId("least_minutes"), n, paid(instance), least=least)


def most_minutes(instance: Instance) -> Iterator[Counter]:
    for n in _nurses(instance):
        if (most := instance.most_minutes(n)) is not None:
            yield Counter(RuleId("most_minutes"), n, paid(instance), most=most)


def minutes_knobs(instance: Instance) -> Iterator[Knob]:
    """The hours agreed stay as they are: else the middle of the bounds, and with it the hours of leave, would move."""
    step, longest = gcd(*instance.paid) or 1, instance.days * max(instance.paid)
    for n, nurse in enumerate(instance.nurses):
        least, most = nurse.contract.min_minutes, nurse.contract.max_minutes
        if least:
            fewer = [*range(least - step, 0, -step), 0]
            put = partial(_with_minutes, nurse.id, "min_minutes")
            yield of_contract(nurse, RuleId("least_minutes"), "min_minutes", fewer, rises=False, put=put)
        if most is not None:
            more = range(most + step, longest + instance.leave_minutes[n] + step, step)
            put = partial(_with_minutes, nurse.id, "max_minutes")
            yield of_contract(nurse, RuleId("most_minutes"), "max_minutes", more, rises=True, put=put)


def _with_minutes(nurse: str, field: str, ward: Ward, minutes: int) -> Ward:
    agreed = contract_minutes(ward.nurse_by_id[nurse].contract)
    return ward.with_terms(nurse, target_minutes=agreed, **{field: minutes})


def weekly_hours(instance: Instance) -> Iterator[Counter]:
    """Paid time a week on average, over the period and the known tail (Directive 2003/88/EC art. 6, 16)."""
    hours = instance.ward.rules.weekly_hours
    for n, tail in enumerate(instance.tails if hours else []):
        before = sum(instance.paid[s] for s in tail if s is not None)
        most = floor(60 * Fraction(hours) * max(WEEK, instance.days + len(tail)) / WEEK)
        yield Counter(RuleId("weekly_hours"), n, paid(instance), most=most - before)


def weekly_hours_knobs(instance: Instance) -> Iterator[Knob]:
    if hours := instance.ward.rules.weekly_hours:
        more = range(int(hours) + 1, LONGEST_WEEK_H + 1)
        yield of_rules(instance.ward, RuleId("weekly_hours"), "weekly_hours", more, rises=True)


def most_shifts(instance: Instance) -> Iterator[Counter]:
    """Most shifts of a kind, and most nights."""
    for n in _nurses(instance):
        for shift, most in instance.contract(n).max_shifts.items():
            if most < instance.days:
                yield Counter(RuleId("most_shifts", shift), n, ones(instance, {instance.shift_index[shift]}), most=most)
        if (nights := instance.contract(n).max_nights) is not None:
            yield Counter(RuleId("most_nights"), n, ones(instance, instance.nights), most=nights)


def shifts_knobs(instance: Instance) -> Iterator[Knob]:
    for nurse in instance.nurses:
        for shift, most in nurse.contract.max_shifts.items():
            yield Knob(
                rule=RuleId("most_shifts", shift), tier=BY_CONTRACT, bound=most, values=range(most + 1, instance.days + 1),
                put=partial(_with_most, nurse.id, shift), rises=True, nurse=nurse.id,
            )  # fmt: skip
        if (nights := nurse.contract.max_nights) is not None:
            yield of_contract(
                nurse, RuleId("most_nights"), "max_nights", range(nights + 1, instance.days + 1), rises=True
            )


def _with_most(nurse: str, shift: str, ward: Ward, most: int) -> Ward:
    return ward.with_terms(nurse, max_shifts={**ward.nurse_by_id[nurse].contract.max_shifts, shift: most})


def most_weekends(instance: Instance) -> Iterator[Counter]:
    """Most weekends with work on Saturday or Sunday (INRC-II S7 as a hard rule), but for one that she began before."""
    for n in _nurses(instance):
        most = instance.contract(n).max_weekends
        if most is not None and most < len(instance.weekends_of(n)):
            yield Counter(RuleId("most_weekends"), n, weekends=weekends_of(instance, n), most=most)


def weekends_knobs(instance: Instance) -> Iterator[Knob]:
    for nurse in instance.nurses:
        if (most := nurse.contract.max_weekends) is not None:
            more = range(most + 1, len(instance.weekends) + 1)
            yield of_contract(nurse, RuleId("most_weekends"), "max_weekends", more, rises=True, tier=WISH_LIKE)


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
    """Shifts of some kinds above a nurse's fair share of them, at their weight (`problem.fairness`)."""
    for each in instance.balanced:
        for n, due in each.due.items() if each.weight else ():
            above = Slope("balance", due, (each.weight * prices.scale,))
            yield Counter(RuleId("balance"), n, ones(instance, each.shifts), above=above)


def _nurses(instance: Instance) -> range:
    return range(len(instance.nurses))


def paid(instance: Instance) -> tuple[int, ...]:
    """What a counter of paid minutes adds, by label."""
    return (*instance.paid, 0)


def ones(instance: Instance, shifts: Collection[int]) -> tuple[int, ...]:
    """One for each of these shifts."""
    return tuple(int(label in shifts) for label in range(len(instance.shifts) + 1))


def weekends_of(instance: Instance, nurse: int) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, instance.weekends_of(nurse)))


MUST = (least_minutes, most_minutes, weekly_hours, most_shifts, most_weekends)
PRICED = (hours, shares, period_totals, balance)
KNOBS = (minutes_knobs, weekly_hours_knobs, shifts_knobs, weekends_knobs)
