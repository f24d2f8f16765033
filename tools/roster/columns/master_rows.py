"""The rows of the master problem, which join the nurses or add up cell by cell: cover, priced counts of shifts, and pairs.

    row i:   low_i <= sum of a_i[n, d, s] x[n, d, s] + sum_j b_ij y_j <= high_i          0 <= y_j <= upper_j

`x` are the nurses' cells and `y` the rows' own variables. A penalty is a number in these tables, not code.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise, product

import numpy as np

from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Prices
from wavegraph.tools.roster.problem.rules.counters import paid
from wavegraph.tools.roster.problem.rules.declared import cover_rows, priced_rules
from wavegraph.tools.roster.problem.rules.forms import Counter, Row, Together


@dataclass(frozen=True)
class NurseEntries:
    """The entries of one nurse: `coefficient` at (`day`, `label`) in `row`, arrays of the same length."""

    day: Ints
    label: Ints
    row: Ints
    coefficient: Floats


@dataclass(frozen=True)
class DemandRows:
    """Rows of the form  present + missing - over = target,  as arrays of the same length."""

    row: Ints
    target: Floats


@dataclass(frozen=True)
class Minimums:
    """Rows below which a roster is in breach, as arrays of the same length."""

    row: Ints
    least: Floats


@dataclass(frozen=True)
class Slopes:
    """The convex cost of rows, by what they lack or exceed; arrays of the same length."""

    row: Ints
    knee: Floats
    price: Floats
    """Of each unit beyond the knee."""
    side: Floats
    """1: below the knee; -1: above it."""

    def cost(self, activity: Floats) -> Floats:
        """By row."""
        beyond = np.maximum(0, self.side * (self.knee - activity[self.row]))
        return _summed(self.row, self.price * beyond, len(activity))


@dataclass(frozen=True)
class SharedPenalty:
    """Rows that share one penalty: `price` for each unit by which the worst of them exceeds its high."""

    rows: Ints
    high: Floats
    price: float

    def cost(self, activity: Floats) -> float:
        return self.price * max(0.0, float((activity[self.rows] - self.high).max()))


@dataclass(frozen=True)
class RowVariables:
    """The rows' own variables `y`, and their entries."""

    cost: Floats
    upper: Floats
    row: Ints
    coefficient: Floats
    variable: Ints
    """Of each entry."""


@dataclass(frozen=True)
class MasterRows:
    """The rows, their own variables, and each nurse's entries."""

    low: Floats
    high: Floats
    cells: tuple[NurseEntries, ...]
    demanded: DemandRows
    minimums: Minimums
    slopes: Slopes
    dearest: float
    """The weight of the dearest missing nurse."""
    shared: tuple[SharedPenalty, ...]
    own: RowVariables

    def __len__(self) -> int:
        return len(self.low)

    def activity(self, nurse: int, row: Ints) -> Floats:
        """What one nurse's row of labels adds to each row of the master problem."""
        cells = self.cells[nurse]
        here = row[cells.day] == cells.label
        return _summed(cells.row[here], cells.coefficient[here], len(self))

    def cost(self, activity: Floats) -> float:
        """The least cost of the rows' own variables, given what the nurses' columns add to each row."""
        return float(self.slopes.cost(activity).sum()) + sum(shared.cost(activity) for shared in self.shared)

    def breaches(self, activity: Floats) -> int:
        """Nurses below the minimums, and shifts without anyone in charge."""
        return round(float(np.maximum(0, self.minimums.least - activity[self.minimums.row]).sum()))

    def prices(self, nurse: int, duals: Floats, days: int, labels: int) -> Floats:
        """What the duals take off the price of each cell, days x labels."""
        cells = self.cells[nurse]
        weights = cells.coefficient * duals[cells.row]
        return _summed(cells.day * labels + cells.label, weights, days * labels).reshape(days, labels)

    def bound(self, duals: Floats) -> float:
        """The rows' part of the Lagrangian bound:  sum_i pi_i rhs_i + sum_j min(0, (c_j - pi b_j) upper_j).

        Valid for any duals of the right sign, as `feasible_duals` makes them.
        """
        return self.paid(duals) + self.least(self.reduced(duals))

    def paid(self, duals: Floats) -> float:
        """What the duals pay for the rows' right-hand sides:  sum_i pi_i rhs_i."""
        rhs = np.where(duals > 0, self.low, self.high)
        return float((duals * np.where(duals == 0, 0, rhs)).sum())

    def reduced(self, duals: Floats) -> Floats:
        """The reduced costs of the rows' own variables:  c_j - pi b_j."""
        taken = _summed(self.own.variable, self.own.coefficient * duals[self.own.row], len(self.own.cost))
        return self.own.cost - taken

    def least(self, costs: Floats) -> float:
        """The least sum of the own variables at these costs, each within its upper bound alone."""
        return float(np.minimum(0, costs * self.own.upper).sum())

    def marginal(self, activity: Floats) -> Floats:
        """What one more unit costs in each row of demand, nights or holidays; 0 in the other rows."""
        return self.slopes.cost(activity + 1) - self.slopes.cost(activity)

    def eased(self, activity: Floats) -> Floats:
        """The marginal cost, but a shortage weighs less the smaller it is.

        This makes a roster built nurse by nurse spread over days and shifts instead of filling them in turn.
        """
        demanded = self.demanded
        missing = np.maximum(0, demanded.target - activity[demanded.row]) / np.maximum(1, demanded.target)
        eased = self.marginal(activity)
        here = eased[demanded.row]
        eased[demanded.row] = np.where(here < 0, here * missing, here)
        return eased

    def feasible_duals(self, duals: Floats) -> Floats:
        """The duals, with those of the wrong sign as 0."""
        wrong = ((duals > 0) & np.isneginf(self.low)) | ((duals < 0) & np.isposinf(self.high))
        return np.where(wrong, 0.0, duals)


def _summed(index: Ints, amounts: Floats, size: int) -> Floats:
    """The sum of the amounts at each index."""
    return np.asarray(np.bincount(index, weights=amounts, minlength=size), dtype=np.float64)


def build_master_rows(instance: Instance, prices: Prices) -> MasterRows:
    """The rows for cover, what a nurse's shifts cost beyond a knee, and pairs, in the objective's units."""
    builder = _MasterRowsBuilder(instance, prices.scale)
    for rule in chain(cover_rows(instance, prices.scale), priced_rules(instance, prices)):
        match rule:
            case Row():
                builder.cover(rule)
            case Counter() if rule.weekends is None and rule.amounts != paid(instance):
                builder.count(rule)
            case Together():
                builder.together(rule)
    return builder.rows()


class _MasterRowsBuilder:
    def __init__(self, instance: Instance, scale: int) -> None:
        self.instance, self.scale, self.off = instance, scale, len(instance.shifts)
        self.low: list[float] = []
        self.high: list[float] = []
        self.cells: list[list[tuple[int, int, int, float]]] = [[] for _ in instance.nurses]
        self.demanded: list[tuple[float, ...]] = []
        self.minimums: list[tuple[float, ...]] = []
        self.slopes: list[tuple[float, ...]] = []
        self.shared: list[SharedPenalty] = []
        self.own: list[tuple[float, float]] = []
        self.entries: list[tuple[int, float, int]] = []

    def cover(self, rule: Row) -> None:
        """present + missing - over = target;  below the minimum the breach comes on top of the price of each nurse missing."""
        row = self._row([(*cell, 1.0) for cell in rule.cells], rule.target, rule.target)
        prices = list(rule.missing)
        for place in range(rule.target - rule.minimum, rule.target):
            prices[place] += rule.breach.amount
        self.demanded.append((row, rule.target))
        if rule.minimum:
            self.minimums.append((row, rule.minimum))
        self._beyond(row, rule.target, prices, 1.0)
        self._beyond(row, rule.target, [rule.over] * (len(rule.nurses) - rule.target), -1.0)

    def count(self, rule: Counter) -> None:
        """low <= own + below - above <= high"""
        days = range(self.instance.days) if rule.days is None else sorted(rule.days)
        most = len(days) * max(rule.amounts)
        priced = [
            (slope.knee, slope.pieces(slope.knee if side < 0 else most - slope.knee), -side)
            for side, slope in rule.slopes
        ]
        if any(prices for _, prices, _ in priced):
            low, high = rule.below.knee if rule.below else -np.inf, rule.above.knee if rule.above else np.inf
            cells = product(days, enumerate(rule.amounts))
            row = self._row([(rule.nurse, day, label, each) for day, (label, each) in cells if each], low, high)
            for knee, prices, side in priced:
                self._beyond(row, knee, prices, side)

    def together(self, rule: Together) -> None:
        """Each day on which a pair is not kept costs once, whatever the shifts.

        x[first, labels] + x[second, others] - y <= 1        of labels with the day off among them: 1 - x[the other labels]
        """
        rows, highs = list[int](), list[float]()
        for clash in rule.clashes:
            sides = [
                (nurse, labels, self.off in labels)
                for nurse, labels in zip((rule.first, rule.second), clash, strict=True)
            ]
            terms = [
                (nurse, rule.day, label, -1.0 if inverted else 1.0)
                for nurse, labels, inverted in sides
                for label in range(self.off + 1)
                if (label in labels) is not inverted
            ]
            highs.append(1.0 - sum(inverted for _, _, inverted in sides))
            rows.append(self._row(terms, -np.inf, highs[-1]))
        self._own(rule.price.amount, 1.0, [(row, -1.0) for row in rows])
        self.shared.append(SharedPenalty(np.array(rows), np.array(highs), rule.price.amount))

    def _row(self, terms: Iterable[tuple[int, int, int, float]], low: float, high: float) -> int:
        row = len(self.low)
        self.low.append(low)
        self.high.append(high)
        for n, d, s, coefficient in terms:
            self.cells[n].append((d, s, row, coefficient))
        return row

    def _beyond(self, row: int, knee: int, prices: Sequence[int], side: float) -> None:
        """What each unit beyond the knee costs, never falling. `side`: 1 below it, -1 above it."""
        for place, more in enumerate(b - a for a, b in pairwise([0, *prices])):
            if more:
                self.slopes.append((row, knee - side * place, more, side))
        for price, units in groupby(prices):
            self._own(price, len(list(units)), [(row, side)])

    def _own(self, cost: float, upper: float, entries: Iterable[tuple[int, float]]) -> None:
        if upper > 0:
            self.entries += [(row, coefficient, len(self.own)) for row, coefficient in entries]
            self.own.append((cost, upper))

    def rows(self) -> MasterRows:
        cost, upper = _columns(self.own, 2)
        row, coefficient, variable = _columns(self.entries, 3)
        demanded, slopes = list(_columns(self.demanded, 2)), list(_columns(self.slopes, 4))
        bounded, least = _columns(self.minimums, 2)
        return MasterRows(
            low=np.array(self.low, dtype=np.float64),
            high=np.array(self.high, dtype=np.float64),
            cells=tuple(_cells(entries) for entries in self.cells),
            demanded=DemandRows(demanded[0].astype(np.int64), demanded[1]),
            minimums=Minimums(bounded.astype(np.int64), least),
            slopes=Slopes(slopes[0].astype(np.int64), *slopes[1:]),
            dearest=float(max([1, *(row.demand.under_weight * self.scale for row in self.instance.covers)])),
            shared=tuple(self.shared),
            own=RowVariables(cost, upper, row.astype(np.int64), coefficient, variable.astype(np.int64)),
        )


def _cells(entries: list[tuple[int, int, int, float]]) -> NurseEntries:
    day, label, row, coefficient = _columns(entries, 4)
    return NurseEntries(day.astype(np.int64), label.astype(np.int64), row.astype(np.int64), coefficient)


def _columns(rows: Sequence[Sequence[float]], count: int) -> Iterator[Floats]:
    """The columns of a list of rows, also of an empty one."""
    table = np.array(rows, dtype=np.float64).reshape(len(rows), count)
    return iter([np.ascontiguousarray(table[:, i]) for i in range(count)])
