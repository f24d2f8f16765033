"""A roster's cost by kind of penalty, counted again from the roster itself.

Nothing here is shared with the automata and master rows that the search prices by, so each checks the other. The sum is
the cost that `cpsat.objective` gives the same roster.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from wavegraph.tools.roster.problem.fairness import PARTS
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import BLOCK_MINUTES, FatigueUnits, Prices, breach_price, in_units
from wavegraph.tools.roster.problem.totals import totals
from wavegraph.tools.roster.problem.weekends import weekend_weights

Charges = Iterator[tuple[str, int]]
"""Kind and units, or kind and cost where the ward has a weight of its own."""


@dataclass(frozen=True)
class IndexedRoster:
    """A roster by indices."""

    instance: Instance
    rows: list[list[int | None]]
    """The shift of each nurse's day; None = off."""

    def known(self, nurse: int, day: int) -> bool:
        return -len(self.instance.tails[nurse]) <= day < self.instance.days

    def shift(self, nurse: int, day: int) -> int | None:
        """Also of the tail's days."""
        tail = self.instance.tails[nurse]
        return self.rows[nurse][day] if day >= 0 else tail[len(tail) + day]

    def works(self, nurse: int, day: int) -> bool:
        return self.shift(nurse, day) is not None


def cost_by_kind(worked: IndexedRoster, prices: Prices) -> dict[str, int]:
    """The cost of each kind, in the objective's units (see `Prices.scale`); kinds that are priced but cost nothing are 0."""
    found: Counter[str] = Counter({kind: 0 for kind, price in prices.of.items() if price})
    for charges in (demand, in_charge, wishes, pairs, changes, runs, uneven_weekends, period_totals, rotation, balance):
        for kind, cost in charges(worked):
            found[kind] += cost * prices.scale
    for charges in (fatigue, hours, excess, isolated_days_off, incomplete_weekends):
        for kind, units in charges(worked):
            if prices.of[kind]:
                found[kind] += int(prices.step(kind) * prices.scale) * units
    return dict(found)


def demand(worked: IndexedRoster) -> Charges:
    for row in worked.instance.covers:
        present = sum(worked.rows[n][row.day] == row.shift for n in row.able)
        yield "uncovered", sum(row.missing[: max(0, row.demand.target - present)])
        yield "over", row.demand.over_weight * max(0, present - row.demand.target)
        if row.demand.minimum:
            yield "minimum", breach_price(worked.instance) * max(0, row.demand.minimum - present)


def in_charge(worked: IndexedRoster) -> Charges:
    if worked.instance.ward.rules.charge_skill is not None:
        for d, s in worked.instance.staffed:
            missing = all(worked.rows[n][d] != s for n in worked.instance.in_charge)
            yield "in_charge", breach_price(worked.instance) * missing


def wishes(worked: IndexedRoster) -> Charges:
    instance = worked.instance
    for wish in instance.ward.wishes:
        n, d = instance.nurse_index[wish.nurse], instance.ward.index(wish.day)
        if 0 <= d < instance.days:
            cell = worked.rows[n][d]
            met = cell is not None if wish.shift is None else cell == instance.shift_index[wish.shift]
            yield "wishes", wish.weight * (met is not wish.wants)


def pairs(worked: IndexedRoster) -> Charges:
    for pair in worked.instance.ward.pairs:
        first, second = (worked.rows[worked.instance.nurse_index[name]] for name in (pair.first, pair.second))
        for a, b in zip(first, second, strict=True):
            yield "pairs", pair.weight * (a != b if pair.together else a is not None and a == b)


def changes(worked: IndexedRoster) -> Charges:
    instance = worked.instance
    if published := instance.ward.published:
        for name, published_row in published.roster.items():
            before = [None if shift is None else instance.shift_index[shift] for shift in published_row]
            now = worked.rows[instance.nurse_index[name]]
            yield "changes", published.weight * sum(a != b for a, b in zip(before, now, strict=True))


def runs(worked: IndexedRoster) -> Charges:
    """Day by day: how many days in a row end here, and how many there were where they end."""
    instance = worked.instance
    for n in range(len(instance.nurses)):
        for run in instance.runs(n):
            weight, most = run.limit.weight or 0, run.limit.most
            length, whole = 0, False
            for d in range(-len(instance.tails[n]), instance.days):
                inside = worked.shift(n, d) in run.shifts
                if d >= 0 and not inside and whole:
                    yield "runs", weight * max(0, run.limit.least - length) * (length > 0)
                length, whole = (length + 1, whole) if inside else (0, True)
                if d >= 0 and most is not None and length > most:
                    yield "runs", weight


def uneven_weekends(worked: IndexedRoster) -> Charges:
    instance = worked.instance
    for n, nurse in enumerate(instance.nurses):
        weights = weekend_weights(instance.ward, nurse)
        for saturday, sunday in (w for w in instance.whole_weekends if worked.known(n, w[0])):
            first, second = worked.shift(n, saturday), worked.shift(n, sunday)
            yield "uneven_weekends", weights.split * ((first is None) != (second is None))
            if first is not None and second is not None:
                kinds = instance.weekend_kinds
                yield "uneven_weekends", weights.mixed * (kinds[first] != kinds[second])


def period_totals(worked: IndexedRoster) -> Charges:
    for n, nurse in enumerate(worked.instance.nurses):
        for kind, total, before in totals(nurse):
            weekends = sum(any(worked.works(n, d) for d in weekend) for weekend in worked.instance.weekends_of(n))
            shifts = sum(shift is not None for shift in worked.rows[n])
            counted = before + (shifts if kind == "assignments" else weekends)
            yield "totals", total.under_weight * max(0, total.least - counted)
            if total.most is not None:
                yield "totals", total.over_weight * max(0, counted - total.most)


def rotation(worked: IndexedRoster) -> Charges:
    instance = worked.instance
    for n in range(len(instance.nurses)):
        for d in range(0 if worked.known(n, -1) else 1, instance.days):
            before, now = worked.shift(n, d - 1), worked.shift(n, d)
            if before is not None and now in instance.steps_back[before]:
                yield "rotation", instance.ward.rules.backward_weight


def balance(worked: IndexedRoster) -> Charges:
    for each in worked.instance.balanced:
        for n, due in each.due.items():
            yield "balance", each.weight * max(0, sum(shift in each.shifts for shift in worked.rows[n]) - due)


def fatigue(worked: IndexedRoster) -> Charges:
    scale = FatigueUnits.of(worked.instance.ward)
    for n, nurse in enumerate(worked.instance.nurses):
        score = in_units(nurse.fatigue)
        for d, shift in enumerate(worked.rows[n]):
            if shift is None:
                score -= scale.day_off
                continue
            night = shift in worked.instance.nights
            yield from _tired(worked, n, d, score, night, scale)
            score += scale.night if night else scale.shift


def _tired(worked: IndexedRoster, n: int, d: int, score: int, night: bool, scale: FatigueUnits) -> Charges:
    if score >= scale.moderate and _in_a_row(worked, n, d, scale.moderate_run):
        yield "fatigue_moderate", 1
    if score >= scale.high:
        if night:
            yield "fatigue_night", 1
        elif any(d in weekend for weekend in worked.instance.weekends):
            yield "fatigue_weekend", 1
        elif _in_a_row(worked, n, d, scale.high_run):
            yield "fatigue_high", 1


def _in_a_row(worked: IndexedRoster, n: int, day: int, count: int) -> bool:
    """Whether all the `count` days before a day are known and worked."""
    return all(worked.known(n, d) and worked.works(n, d) for d in range(day - count, day))


def hours(worked: IndexedRoster) -> Charges:
    for n, row in enumerate(worked.rows):
        due = worked.instance.minutes_due[n]
        if due is not None:
            minutes = worked.instance.leave_minutes[n] + sum(worked.instance.paid[s] for s in row if s is not None)
            yield "underutilization", max(0, due - minutes) // BLOCK_MINUTES
            yield "overwork", max(0, minutes - due) // BLOCK_MINUTES


def excess(worked: IndexedRoster) -> Charges:
    """In tenths."""
    instance = worked.instance
    for n, due in instance.nights_due.items():
        nights = sum(s in instance.nights for s in worked.rows[n] if s is not None)
        yield "night_excess", max(0, PARTS * nights - due)
    for n, due in instance.weekends_due.items():
        weekends = sum(any(worked.works(n, d) for d in weekend) for weekend in instance.weekends_of(n))
        yield "weekend_excess", max(0, PARTS * weekends - due)
    for n, due in instance.holidays_due.items():
        shifts = sum(worked.works(n, d) for d in instance.holidays)
        yield "holiday_excess", max(0, PARTS * shifts - due)


def isolated_days_off(worked: IndexedRoster) -> Charges:
    instance = worked.instance
    for n in range(len(instance.nurses)):
        for d in range(-1, instance.days - 1):
            if worked.known(n, d - 1) and (n, d) not in instance.asked_off:
                around = [worked.works(n, i) for i in (d - 1, d, d + 1)]
                yield "isolated_day_off", around == [True, False, True]


def incomplete_weekends(worked: IndexedRoster) -> Charges:
    instance = worked.instance
    for n in range(len(instance.nurses) if instance.ward.rules.complete_weekends else 0):
        for saturday, sunday in (w for w in instance.whole_weekends if worked.known(n, w[0])):
            if worked.works(n, saturday) != worked.works(n, sunday):
                free = sunday if worked.works(n, saturday) else saturday
                yield "incomplete_weekend", (n, free) not in instance.asked_off
