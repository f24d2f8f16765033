"""The rows of the master problem, which join the nurses: demand, a nurse in charge, nights, holidays and pairs.

    row i:   low_i <= sum of a_i[n, d, s] x[n, d, s] + sum_j b_ij y_j <= high_i          0 <= y_j <= upper_j

`x` are the nurses' cells and `y` the rows' own variables. A penalty is a number in these tables, not code.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.problem.fairness import PARTS, charges
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Prices, breach_price
from wavegraph.tools.roster.problem.totals import totals
from wavegraph.tools.roster.ward.ward import Total


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
    """The rows for demand, a nurse in charge, nights, holidays, assignments, balanced kinds and pairs, in the objective's units."""
    builder = _MasterRowsBuilder(instance, prices)
    builder.demand()
    builder.in_charge()
    builder.nights()
    builder.holidays()
    builder.assignments()
    builder.balance()
    builder.pairs()
    return builder.rows()


class _MasterRowsBuilder:
    def __init__(self, instance: Instance, prices: Prices) -> None:
        self.instance, self.prices, self.scale = instance, prices, prices.scale
        self.low: list[float] = []
        self.high: list[float] = []
        self.cells: list[list[tuple[int, int, int, float]]] = [[] for _ in instance.nurses]
        self.demanded: list[tuple[float, ...]] = []
        self.minimums: list[tuple[float, ...]] = []
        self.slopes: list[tuple[float, ...]] = []
        self.shared: list[SharedPenalty] = []
        self.own: list[tuple[float, float]] = []
        self.entries: list[tuple[int, float, int]] = []

    def demand(self) -> None:
        breach = breach_price(self.instance.ward) * self.scale
        for row in self.instance.covers:
            missing, over = [price * self.scale for price in row.missing], row.demand.over_weight * self.scale
            terms = [(n, row.day, row.shift, 1.0) for n in row.able]
            self._demanded(terms, missing, row.demand.minimum, breach, over)

    def in_charge(self) -> None:
        if self.instance.ward.rules.charge_skill is not None:
            breach = breach_price(self.instance.ward) * self.scale
            for d, s in self.instance.staffed:
                terms = [(n, d, s, 1.0) for n in self.instance.in_charge]
                self._demanded(terms, [0], 1, breach, 0)

    def _demanded(
        self, terms: list[tuple[int, int, int, float]], missing: list[int], minimum: int, breach: int, over: int
    ) -> None:
        """Shortage above the minimum, shortage below it, and surplus: the pieces of a convex cost.

        `missing`: the price of each nurse missing to the target, never falling; below the minimum, the breach on top.
        """
        target = len(missing)
        row = self._row(terms, target, target)
        prices = [price + breach * (place >= target - minimum) for place, price in enumerate(missing)]
        self.demanded.append((row, target))
        if minimum:
            self.minimums.append((row, minimum))
        for place, more in enumerate(b - a for a, b in pairwise([0, *prices])):
            if more:
                self.slopes.append((row, target - place, more, 1.0))
        self.slopes.append((row, target, over, -1.0))
        for price, pieces in groupby(prices):
            self._own(price, len(list(pieces)), [(row, 1.0)])
        self._own(over, max(0, len(terms) - target), [(row, -1.0)])

    def nights(self) -> None:
        """A nurse's nights above her fair share cost; rows, as they add up cell by cell."""
        cells = [(d, s) for d in range(self.instance.days) for s in self.instance.nights]
        for n, due in self.instance.nights_due.items():
            self._excess(n, cells, due, "night_excess")

    def holidays(self) -> None:
        """The same of shifts on public holidays."""
        cells = [(d, s) for d in self.instance.holidays for s in range(len(self.instance.shifts))]
        for n, due in self.instance.holidays_due.items():
            self._excess(n, cells, due, "holiday_excess")

    def _excess(self, nurse: int, cells: Sequence[tuple[int, int]], due: int, kind: str) -> None:
        """own - sum_p above[p] <= floor(due / 10) over what each unit adds (`charges`)"""
        whole, step = due // PARTS, int(self.prices.step(kind) * self.scale)
        prices = [step * tenths for tenths in charges(due, len({day for day, _ in cells}))]
        if not step or not prices:
            return
        row = self._row([(nurse, d, s, 1.0) for d, s in cells], -np.inf, whole)
        for place, more in enumerate(b - a for a, b in pairwise([0, *prices])):
            if more:
                self.slopes.append((row, whole + place, more, -1.0))
        for price, pieces in groupby(prices):
            self._own(price, len(list(pieces)), [(row, -1.0)])

    def assignments(self) -> None:
        """A nurse's shifts outside the band that her contract prices.

        least <= own + under - over <= most
        """
        for n, nurse in enumerate(self.instance.nurses):
            for kind, total, before in totals(nurse):
                if kind == "assignments":
                    self._band(n, total, before)

    def _band(self, nurse: int, total: Total, before: int) -> None:
        days, shifts = range(self.instance.days), range(len(self.instance.shifts))
        under, over = total.under_weight * self.scale, total.over_weight * self.scale
        least = total.least - before if under else 0
        most = len(days) if total.most is None or not over else total.most - before
        low = least if least > 0 else -np.inf  # `most` is below 0 where more was worked before than the band allows
        row = self._row([(nurse, d, s, 1.0) for d in days for s in shifts], low, most)
        if least > 0:
            self.slopes.append((row, least, under, 1.0))
            self._own(under, least, [(row, 1.0)])
        if most < len(days):
            self.slopes.append((row, most, over, -1.0))
            self._own(over, len(days) - most, [(row, -1.0)])

    def balance(self) -> None:
        """A nurse's shifts of some kinds above her fair share of them:  own - over <= due."""
        days = range(self.instance.days)
        for each in self.instance.balanced:
            price = each.weight * self.scale
            for n, due in each.due.items() if price else ():
                if due < len(days):
                    row = self._row([(n, d, s, 1.0) for d in days for s in each.shifts], -np.inf, due)
                    self.slopes.append((row, due, price, -1.0))
                    self._own(price, len(days) - due, [(row, -1.0)])

    def pairs(self) -> None:
        """Each day on which a pair is not kept costs once, whatever the shifts.

        apart: x[a, d, s] + x[b, d, s] - y <= 1,    together: x[a, d, s] - x[b, d, s] - y <= 0 and the same turned
        """
        for pair in self.instance.ward.pairs:
            a, b = self.instance.nurse_index[pair.first], self.instance.nurse_index[pair.second]
            signs = [(1.0, -1.0), (-1.0, 1.0)] if pair.together else [(1.0, 1.0)]
            for d in range(self.instance.days):
                high = 0.0 if pair.together else 1.0
                rows = [
                    self._row([(a, d, s, of_a), (b, d, s, of_b)], -np.inf, high)
                    for s in range(len(self.instance.shifts))
                    for of_a, of_b in signs
                ]
                price = pair.weight * self.scale
                self._own(price, 1.0, [(row, -1.0) for row in rows])
                self.shared.append(SharedPenalty(np.array(rows), np.full(len(rows), high), price))

    def _row(self, terms: Iterable[tuple[int, int, int, float]], low: float, high: float) -> int:
        row = len(self.low)
        self.low.append(low)
        self.high.append(high)
        for n, d, s, coefficient in terms:
            self.cells[n].append((d, s, row, coefficient))
        return row

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
