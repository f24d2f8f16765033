"""One nurse's side of the problem: what she may work, and what it costs.

Rules that a cheap roster seldom breaks start relaxed: they are neither counted nor priced, so the cheapest value is still
a lower bound. A rule joins in for good as soon as a cheapest roster breaks it (decremental state space
relaxation; Righini and Salani, Networks 51(3), 2008).
"""

from collections import Counter as Tally
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, gcd, prod

import numpy as np

from wavegraph.tools.roster.columns.automaton import Layer, join, tabulate
from wavegraph.tools.roster.columns.counters import CountCost, Counter, CounterTable, Floats, Ints
from wavegraph.tools.roster.columns.network import MOST_CELLS, MOST_FIRST_CELLS, Bools, Network, TooLarge, build
from wavegraph.tools.roster.columns.rule_automata import RuleAutomaton
from wavegraph.tools.roster.problem.ids import RuleId

HOURS = RuleId("hours")
"""Of what counts minutes."""
SMALL_LIMIT = 5
"""Limits up to this are counted from the start."""
SMALL_TABLE = 3000
"""Most indices of a table that such counters may make."""
SLOW_RULES = frozenset({RuleId("fatigue")})
"""Automata that start relaxed."""


@dataclass
class NurseModel:
    """One nurse's rules and prices, with which of them are relaxed."""

    days: int
    labels: int
    """Shifts and the day off, which is the last."""
    base: Floats
    """Cost of each cell's labels, days x labels; infinite = forbidden."""
    paid: tuple[int, ...]
    """Minutes by label."""
    automata: tuple[RuleAutomaton, ...]
    hours: CountCost
    """By paid minutes."""
    limits: tuple[Counter, ...]
    """Every limit that counts up over the horizon except minutes."""
    weekend_of: Ints
    """The weekend of each day, -1 = a weekday."""
    excess: CountCost
    """By weekends with work."""
    active: set[RuleId] = field(default_factory=set)
    """Rules that are counted or priced."""
    kept_out: set[RuleId] = field(default_factory=set)
    """Rules that stay relaxed."""
    multipliers: dict[RuleId, float] = field(default_factory=dict)
    """The last price of a unit of each relaxed limit, by rule."""
    most_cells: int = MOST_CELLS
    """Values of one search at most."""
    joining_cells: int = MOST_CELLS
    """The same of a search that one more rule joins."""
    leeway: int | None = None
    """Shifts by which what is counted first may differ from its even share of the days she may work; None = by any number.
    With a leeway the search is smaller, and one in vain shows nothing."""
    _network: Network | None = None
    _ending: Floats | None = None
    _judges: list[tuple[RuleAutomaton, tuple[Layer, ...]]] | None = None

    def __post_init__(self) -> None:
        self.active |= {m.rule for m in self.automata} - SLOW_RULES
        for limit in sorted(self.limits, key=lambda limit: limit.cap):
            if limit.per_weekend or limit.cap <= SMALL_LIMIT:
                self.active.add(limit.rule)
                if not limit.per_weekend and self.table.size > SMALL_TABLE:
                    self.active.discard(limit.rule)
        self._limit_by_rule = {limit.rule: (limit, np.array(limit.per_label)) for limit in self.limits}
        self._paid, self._days = np.array(self.paid), np.arange(self.days)

    @cached_property
    def _tables(self) -> list[tuple[RuleAutomaton, tuple[Layer, ...]]]:
        """Each automaton with its states by number: those of a year take seconds."""
        return [(automaton, tabulate(automaton, self.days, self.labels)) for automaton in self.automata]

    @property
    def allowed(self) -> Bools:
        return np.isfinite(self.base)

    @property
    def network(self) -> Network:
        if self._network is None:
            self._network = self._first()
        return self._network

    def _first(self) -> Network:
        """Where it is too large, the largest limit is left to multipliers, for good, and the next one."""
        try:
            return self._built(self.most_cells)
        except TooLarge:
            counted = [limit for limit in self.limits if limit.rule in self.active and not limit.per_weekend]
            if not counted or self.leeway is not None:
                return self._built(max(self.most_cells, MOST_FIRST_CELLS))
            largest = max(counted, key=lambda limit: limit.cap).rule
            self.active.discard(largest)
            self.kept_out.add(largest)
            self.forget()
            return self._first()

    def _built(self, most_cells: int) -> Network:
        automata = tuple(m for m in self.automata if m.rule in self.active)
        table, joined = self.table, join(automata, self.days, self.labels)
        return build(joined, table, self.allowed, most_cells, self._corridor(table))

    def _corridor(self, table: CounterTable) -> tuple[Ints, Ints] | None:
        """Least and most of the first counter before each day, within the leeway."""
        if self.leeway is None or not table.counters:
            return None
        first = table.counters[0]
        slack = self.leeway * max(first.per_weekend, *first.per_label)
        open_days = np.concatenate([[0], np.cumsum(self.allowed[:, :-1].any(axis=1))])
        share = open_days / max(1, open_days[-1])
        least, most = np.floor(share * first.least) - slack, np.ceil(share * first.cap) + slack
        return least.astype(np.int64), most.astype(np.int64)

    @property
    def table(self) -> CounterTable:
        limits = [limit for limit in self.limits if limit.rule in self.active]
        return CounterTable((*self._minute_counters(limits), *limits), self.labels)

    @cached_property
    def _lengths(self) -> list[int]:
        """Paid minutes of each label she may ever work."""
        return [self.paid[k] for k in np.flatnonzero(self.allowed.any(axis=0)).tolist() if k < self.labels - 1]

    @cached_property
    def _worked(self) -> tuple[int, ...]:
        """One for each label that is a shift."""
        return (*[1] * (self.labels - 1), 0)

    def _minute_counters(self, limits: list[Counter]) -> list[Counter]:
        """Minutes in their largest common unit, or shifts and those of each rarer length: the smaller table of the two."""
        lengths = self._lengths
        if not self.hours.matters or not any(lengths):
            return []
        by_unit, by_length = [self._in_units()], self._by_length(limits)
        return by_length if by_length and _size(by_length) < _size(by_unit) else by_unit

    def _most_minutes(self) -> int:
        worked = self.days * max(self._lengths)
        return int(min(worked, max(0, self.hours.most)))

    def _in_units(self) -> Counter:
        unit = gcd(*self._lengths)
        amounts = tuple(minutes // unit for minutes in self.paid)
        return Counter(HOURS, amounts, 0, self._most_minutes() // unit, ceil(self.hours.least / unit))

    def _by_length(self, limits: list[Counter]) -> list[Counter]:
        """Shifts, and shifts of each other length unless a limit counts them already; empty where a length is zero."""
        tally = Tally(self._lengths)
        _usual, *others = [length for length, _ in tally.most_common()]
        if 0 in tally:
            return []
        counted = {limit.per_label for limit in limits}
        shortest, longest = min(tally), max(tally)
        most = self._most_minutes()
        counters = [Counter(HOURS, self._worked, 0, min(self.days, most // shortest), ceil(self.hours.least / longest))]
        for length in others:
            of_length = tuple(int(k < self.labels - 1 and self.paid[k] == length) for k in range(self.labels))
            if of_length not in counted:
                counters.append(Counter(HOURS, of_length, 0, min(self.days, most // length)))
        return counters

    @property
    def ending(self) -> Floats:
        """Cost of ending at each index."""
        if self._ending is None:
            self._ending = self._endings()
        return self._ending

    def _endings(self) -> Floats:
        table = self.table
        counts = table.counts()
        total = np.zeros(table.size)
        if self.hours.matters and table.counters:
            total += self.hours.of_each(self._minutes(table, counts))
        for row, counter in zip(counts, table.counters, strict=True):
            if counter.per_weekend:
                total += self.excess.of_each(row)
        total[table.over()] = np.inf
        return total

    def _minutes(self, table: CounterTable, counts: Ints) -> Ints:
        """Paid minutes at each index."""
        if not any(self._lengths):
            return np.zeros(table.size, dtype=np.int64)
        if table.counters[0].per_label != self._worked:
            return np.asarray(counts[0] * gcd(*self._lengths))
        usual, *others = [length for length, _ in Tally(self._lengths).most_common()]
        minutes: Ints = counts[0] * usual
        for length in others:
            of_length = tuple(int(k < self.labels - 1 and self.paid[k] == length) for k in range(self.labels))
            row = next(i for i, counter in enumerate(table.counters) if i and counter.per_label == of_length)
            minutes = minutes + counts[row] * (length - usual)
        return np.asarray(minutes)

    def judge(self, row: Ints) -> tuple[float, set[RuleId]]:
        """The full cost of a row that keeps the active rules, and the relaxed rules that it breaks or pays for.

        The cost is infinite where the row breaks a rule.
        """
        cost, rules = float(self.base[self._days, row].sum()), set[RuleId]()
        for automaton, layers in self._judging():
            paid = run(layers, row)
            if paid is None or (paid and automaton.rule not in self.active):
                rules.add(automaton.rule)
            cost += np.inf if paid is None else paid
        for limit in self.limits:
            if limit.rule in self.active and not (limit.per_weekend and self.excess.slopes):
                continue  # the network keeps to it, and it costs nothing
            paid = self._limit_cost(limit, row)
            if paid and limit.rule not in self.active:
                rules.add(limit.rule)
            cost += paid
        if self.hours.matters:
            cost += self.hours(int(self._paid[row].sum()))
        return cost, rules

    def cost_of(self, row: Ints) -> float:
        """The cost of any row; infinite when it breaks a rule."""
        cost = float(self.base[self._days, row].sum())
        for _, layers in self._tables:
            paid = run(layers, row)
            cost += np.inf if paid is None else paid
        cost += sum(self._limit_cost(limit, row) for limit in self.limits)
        return cost + (self.hours(int(self._paid[row].sum())) if self.hours.matters else 0.0)

    def _limit_cost(self, limit: Counter, row: Ints) -> float:
        count = self.own(limit.rule, row)
        return self.excess(count) if limit.per_weekend else np.inf if count > limit.cap else 0.0

    def _judging(self) -> list[tuple[RuleAutomaton, tuple[Layer, ...]]]:
        """The automata that a row of the network may break or pay for."""
        if self._judges is None:
            self._judges = [
                (automaton, layers)
                for automaton, layers in self._tables
                if automaton.rule not in self.active or any(layer.cost.any() for layer in layers)
            ]
        return self._judges

    def own(self, rule: RuleId, row: Ints) -> int:
        """What the counter of this rule counts in a row."""
        limit, per_label = self._limit_by_rule[rule]
        if limit.per_weekend:
            return len({k for k in self.weekend_of[row < self.labels - 1].tolist() if k >= 0})
        return int(per_label[row].sum())

    def join_in(self, rules: set[RuleId]) -> bool:
        """Count and price these rules from now on; False if none is new or all would make the search too large.

        A rule that would make it too large stays relaxed for good.
        """
        joined = False
        for rule in sorted(rules - self.active - self.kept_out, key=repr):
            kept = self._network, self._ending, self._judges
            self.active.add(rule)
            self.forget()
            try:
                self._network = self._built(self.joining_cells)
                joined = True
            except TooLarge:
                self.active.discard(rule)
                self.kept_out.add(rule)
                self._network, self._ending, self._judges = kept
        return joined

    def forget(self) -> None:
        """Drop the tables of the search, some megabytes; the next one builds them again."""
        self._network = self._ending = self._judges = None

    def relaxed_limits(self) -> list[Counter]:
        """The limits that the search does not count."""
        return [limit for limit in self.limits if limit.rule not in self.active and not limit.per_weekend]

    def relaxed_prices(self) -> tuple[Floats, float]:
        """What the multipliers add to each label's price, and what they pay for the limits as a whole."""
        limits = self.relaxed_limits()
        extra = sum((self.multipliers.get(m.rule, 0.0) * np.array(m.per_label) for m in limits), np.zeros(1))
        return extra, sum(self.multipliers.get(m.rule, 0.0) * m.cap for m in limits)


def run(layers: tuple[Layer, ...], row: Ints) -> float | None:
    """What an automaton charges for a row; None = it forbids the row."""
    state, cost = 0, 0
    for layer, label in zip(layers, row.tolist(), strict=True):
        cost += int(layer.cost[state, label])
        state = int(layer.after[state, label])
        if state < 0:
            return None
    return float(cost)


def _size(counters: list[Counter]) -> int:
    return prod(counter.cap + 2 for counter in counters)
