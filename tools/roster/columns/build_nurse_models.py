"""Builds each nurse's model for pricing: wishes, leave and contract as cell prices, rule automata and counters.

Only this module knows what a rule of the ward becomes; `nurse_model` knows automata, counters and prices.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor

import numpy as np

from wavegraph.tools.roster.columns.counters import Counter, Floats
from wavegraph.tools.roster.columns.network import MOST_LABELS
from wavegraph.tools.roster.columns.nurse_model import Excess, Hours, NurseModel
from wavegraph.tools.roster.columns.rule_automata import (
    Fatigue,
    Horizon,
    IncompleteWeekends,
    IsolatedDaysOff,
    NightRun,
    Rests,
    RuleAutomaton,
    Runs,
    RunsOf,
    StepsBack,
    Successions,
    WeekendKinds,
    Weekends,
    WeeklyRest,
)
from wavegraph.tools.roster.problem.fairness import PARTS
from wavegraph.tools.roster.problem.instance import Instance, smallest
from wavegraph.tools.roster.problem.prices import FatigueUnits, Prices, in_units
from wavegraph.tools.roster.problem.totals import totals
from wavegraph.tools.roster.problem.weekends import weekend_weights

WEEK = 7
LONGEST_TAIL = 28
"""Days that a history may have."""


class UnpricedRule(ValueError):
    """A ward's rule that columns cannot price exactly; the message names it."""


def build_nurse_models(instance: Instance, prices: Prices) -> list[NurseModel]:
    """Every nurse's rules and prices. Raises UnpricedRule for a rule that does not fit this form."""
    if len(instance.shifts) >= MOST_LABELS:
        raise UnpricedRule(f"a ward of {len(instance.shifts)} kinds of shift; columns price up to {MOST_LABELS - 1}")
    builder = _NurseBuilder(instance, prices)
    return [builder.model(n) for n in range(len(instance.nurses))]


@dataclass
class _NurseBuilder:
    instance: Instance
    prices: Prices

    def __post_init__(self) -> None:
        self.off = len(self.instance.shifts)
        self.nights = frozenset(self.instance.nights)
        rules = self.instance.ward.rules
        least = rules.daily_rest_hours if rules.derogated_rest_hours is None else rules.derogated_rest_hours
        self.daily = ShortRests(self.instance, min(least, rules.daily_rest_hours), False)
        self.after_nights = ShortRests(self.instance, rules.rest_after_nights_hours, True)
        self.weekly = ShortRests(self.instance, rules.weekly_rest_hours, False)

    def price(self, kind: str) -> int:
        return int(self.prices.of[kind] * self.prices.scale)

    def model(self, n: int) -> NurseModel:
        base, constant = self._cells(n)
        limits = self._limits(n)
        return NurseModel(
            days=self.instance.days,
            labels=self.off + 1,
            base=base,
            constant=constant,
            paid=(*self.instance.paid, 0),
            automata=tuple(self._automata(n, limits)),
            hours=self._hours(n),
            limits=tuple(limits),
            weekend_of=np.array([-1 if k is None else k for k in self._weekend_of(n)]),
            excess=self._excess(n),
        )

    def _cells(self, n: int) -> tuple[Floats, int]:
        """Wishes, what was published, leave, locked cells and shifts she never works, as prices of cells; and a
        constant."""
        instance, (base, constant) = self.instance, self._published(n)
        for wish in instance.ward.wishes:
            d = instance.ward.index(wish.day)
            if wish.nurse == instance.nurses[n].id and 0 <= d < instance.days:
                labels = slice(0, self.off) if wish.shift is None else instance.shift_index[wish.shift]
                weight = wish.weight * self.prices.scale
                base[d, labels] += -weight if wish.wants else weight
                constant += weight if wish.wants else 0
        for shift, most in instance.contract(n).max_shifts.items():
            if most == 0:
                base[:, instance.shift_index[shift]] = np.inf
        base[:, [s for m, s in instance.not_skilled if m == n]] = np.inf
        if instance.contract(n).max_nights == 0:
            base[:, instance.nights] = np.inf
        for leave in instance.ward.leave:
            d = instance.ward.index(leave.day)
            if leave.nurse == instance.nurses[n].id and 0 <= d < instance.days and leave.shift is not None:
                base[d, instance.shift_index[leave.shift]] = np.inf
        for m, d, shift_index in instance.nights_before_leave:
            if m == n:
                base[d, shift_index] = np.inf
        for nurse, day, kept in [
            *((row.nurse, row.day, None) for row in instance.ward.leave if row.shift is None),
            *((row.nurse, row.day, row.shift) for row in instance.ward.locked),
        ]:
            d = instance.ward.index(day)
            if nurse == instance.nurses[n].id and 0 <= d < instance.days:
                label = self.off if kept is None else instance.shift_index[kept]
                base[d, np.arange(self.off + 1) != label] = np.inf
        return base, constant

    def _published(self, n: int) -> tuple[Floats, int]:
        """Each cell that differs from the published roster costs its weight."""
        base, published = np.zeros((self.instance.days, self.off + 1)), self.instance.ward.published
        published_row = published.roster.get(self.instance.nurses[n].id, []) if published else []
        weight = published.weight * self.prices.scale if published else 0
        for d, shift in enumerate(published_row):
            base[d, self.off if shift is None else self.instance.shift_index[shift]] = -weight
        return base, weight * len(published_row)

    def _automata(self, n: int, limits: list[Counter]) -> list[RuleAutomaton]:
        instance, rules = self.instance, self.instance.ward.rules
        contract = instance.contract(n)
        tail = tuple(self.off if shift is None else shift for shift in instance.tails[n])
        coming = tuple(self.off if shift is None else shift for shift in instance.coming[n])
        seen_alone, horizon = Horizon(self.off, instance.days, tail), Horizon(self.off, instance.days, tail, coming)
        automata: list[RuleAutomaton] = [Runs(horizon, instance.max_run(n), contract.min_run, contract.min_days_off)]
        longest = instance.max_night_run(n)
        if longest is not None and self.nights:
            automata.append(NightRun(horizon, self.nights, longest))
        if any(instance.not_after):
            automata.append(Successions(horizon, tuple(frozenset(after) for after in instance.not_after)))
        back = tuple(map(frozenset, instance.steps_back))
        if rules.forward_only and any(back):
            automata.append(Successions(horizon, back, "forward rotation"))
        elif rules.backward_weight and any(back):
            automata.append(StepsBack(seen_alone, back, rules.backward_weight * self.prices.scale))
        if rules.daily_rest_hours and self.daily.farthest:
            automata.append(Rests(horizon, self.daily, self.daily.farthest))
        if rules.rest_after_nights_hours and self.after_nights.farthest:
            automata.append(Rests(horizon, self.after_nights, self.after_nights.farthest, "rest after nights"))
        if rules.weekly_rest_hours:
            automata.append(WeeklyRest(horizon, self.weekly, self.weekly.farthest))
        if any(limit.per_weekend for limit in limits):
            automata.append(Weekends(seen_alone, self._weekend_of(n)))
        return [*automata, *self._run_limits(n, horizon), *self._priced_automata(n, seen_alone)]

    def _run_limits(self, n: int, horizon: Horizon) -> Iterator[RunsOf]:
        for run in self.instance.runs(n):
            limit, labels = run.limit, frozenset(self.off if s is None else s for s in run.shifts)
            price = None if limit.weight is None else limit.weight * self.prices.scale
            if price != 0:
                known = horizon if price is None else replace(horizon, coming=())
                yield RunsOf(known, labels, limit.least, limit.most, price, run.name)

    def _priced_automata(self, n: int, horizon: Horizon) -> list[RuleAutomaton]:
        instance = self.instance
        asked = frozenset(d for m, d in instance.asked_off if m == n)
        automata: list[RuleAutomaton] = []
        if price := self.price("isolated_day_off"):
            automata.append(IsolatedDaysOff(horizon, price, asked))
        sundays = frozenset(sunday for saturday, sunday in instance.whole_weekends if saturday >= 0 or horizon.tail)
        if (price := self.price("incomplete_weekend")) and instance.ward.rules.complete_weekends and sundays:
            automata.append(IncompleteWeekends(horizon, price, sundays, asked))
        split, mixed = (weight * self.prices.scale for weight in weekend_weights(instance.ward, instance.nurses[n]))
        if (split or mixed) and sundays:
            automata.append(WeekendKinds(horizon, (*instance.weekend_kinds, self.off), sundays, split, mixed))
        night, weekend, high, moderate = (
            self.price(f"fatigue_{kind}") for kind in ("night", "weekend", "high", "moderate")
        )
        if night or weekend or high or moderate:
            weekend_days = frozenset(d for days in instance.weekends for d in days)
            begins, scale = in_units(instance.nurses[n].fatigue), FatigueUnits.of(instance.ward)
            automata.append(
                Fatigue(horizon, scale, begins, self.nights, weekend_days, (night, weekend, high, moderate))
            )
        return automata

    def _hours(self, n: int) -> Hours:
        hours = self.instance.ward.rules.weekly_hours
        tail = self.instance.tails[n]
        weekly = None
        if hours:
            before = sum(self.instance.paid[s] for s in tail if s is not None)
            weekly = floor(60 * Fraction(hours) * max(WEEK, self.instance.days + len(tail)) / WEEK) - before
        return Hours(
            least=self.instance.least_minutes(n),
            most=smallest(self.instance.most_minutes(n), weekly),
            target=self.instance.minutes_to_work(n),
            under=self.price("underutilization"),
            over=self.price("overwork"),
        )

    def _limits(self, n: int) -> list[Counter]:
        instance, contract = self.instance, self.instance.contract(n)
        found: list[Counter] = []
        for shift, most in contract.max_shifts.items():
            if 0 < most < instance.days:
                found.append(self._count(f"most {shift}", {instance.shift_index[shift]}, most))
        nights = smallest(contract.max_nights, instance.days)
        if instance.nights and nights and nights < instance.days:
            found.append(self._count("most nights", self.nights, nights))
        counting = len(instance.weekends_of(n))
        weekends = smallest(contract.max_weekends, counting)
        if weekends is not None and (self._excess(n) or weekends < counting):
            found.append(Counter("most weekends", (0,) * (self.off + 1), 1, weekends))
        return found

    def _weekend_of(self, n: int) -> tuple[int | None, ...]:
        """The weekend of each day that counts for her; None = a weekday."""
        weekends = {day: k for k, days in enumerate(self.instance.weekends_of(n)) for day in days}
        return tuple(weekends.get(day) for day in range(self.instance.days))

    def _count(self, rule: str, shifts: frozenset[int] | set[int], most: int) -> Counter:
        return Counter(rule, tuple(int(k in shifts) for k in range(self.off + 1)), 0, most)

    def _excess(self, n: int) -> Excess | None:
        """Of weekends; nights, holidays and shifts add up cell by cell and have rows of the master problem."""
        instance, scale = self.instance, self.prices.scale
        costs = np.zeros(len(instance.weekends_of(n)) + 1, dtype=np.int64)
        own = np.arange(len(costs))
        if (due := instance.weekends_due.get(n)) is not None:
            costs += int(self.prices.step("weekend_excess") * scale) * np.maximum(0, PARTS * own - due)
        for kind, total, before in totals(instance.nurses[n]):
            if kind == "working_weekends":
                costs += scale * total.under_weight * np.maximum(0, total.least - before - own)
                most = before + len(own) if total.most is None else total.most
                costs += scale * total.over_weight * np.maximum(0, before + own - most)
        return Excess("most weekends", tuple(costs.tolist())) if costs.any() else None


class ShortRests:
    """The rests that are too short, by day; one object for each rule, so that nurses share automata."""

    def __init__(self, instance: Instance, hours: float, nights_only: bool) -> None:
        self.instance, self.hours, self.nights_only = instance, hours, nights_only
        self._by_day: dict[int, frozenset[tuple[int, int, int]]] = {}
        days = range(-LONGEST_TAIL, instance.days) if hours else ()
        self.farthest = max((gap for day in days for _, gap, _ in self(day)), default=0)
        """Days after which a rest is never too short."""

    def __call__(self, day: int) -> frozenset[tuple[int, int, int]]:
        if day not in self._by_day:
            ends_nights = self.instance.ends_a_night_run
            triples = self.instance.short_rests(day, self.hours)
            self._by_day[day] = frozenset(t for t in triples if not self.nights_only or ends_nights(*t))
        return self._by_day[day]
