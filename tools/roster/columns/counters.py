"""What adds up over a nurse's horizon: a counter for each limit, all combined into one index.

    r = (...(c_1 (cap_2 + 2) + c_2)...)          c_i in 0..cap_i, and cap_i + 1 = over the limit

The first counter needs no value for "over the limit": such an index lies outside the table. Every label moves the
index by a constant, so a day's step is a sum of shifted arrays.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import inf

import numpy as np
from numpy.typing import NDArray

from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.rules import forms
from wavegraph.tools.roster.problem.rules.forms import Slope

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Counter:
    """One limit that is counted."""

    rule: RuleId
    per_label: tuple[int, ...]
    """What a day of each label adds, the day off last. Only the first counter of a table may add more than 1."""
    per_weekend: int
    cap: int
    least: int = 0


@dataclass(frozen=True)
class CounterTable:
    """Counters as one index."""

    counters: tuple[Counter, ...]
    labels: int

    @cached_property
    def radices(self) -> list[int]:
        return [c.cap + (1 if i == 0 else 2) for i, c in enumerate(self.counters)]

    @cached_property
    def strides(self) -> list[int]:
        strides = [1]
        for radix in reversed(self.radices[1:]):
            strides.insert(0, strides[0] * radix)
        return strides[: len(self.counters)]

    @cached_property
    def size(self) -> int:
        return self.strides[0] * self.radices[0] if self.counters else 1

    def moves(self) -> tuple[Ints, int]:
        """How far each label moves the index, and how far the first worked day of a weekend does."""
        steps = np.zeros(self.labels, dtype=np.int64)
        for stride, counter in zip(self.strides, self.counters, strict=True):
            steps += stride * np.array(counter.per_label)
        return steps, sum(s * c.per_weekend for s, c in zip(self.strides, self.counters, strict=True))

    def counts(self) -> Ints:
        """The value of each counter, counters x index."""
        index = np.arange(self.size)
        rows = [index // s % r for s, r in zip(self.strides, self.radices, strict=True)]
        return np.array(rows, dtype=np.int64).reshape(len(self.counters), self.size)

    def over(self) -> Ints:
        """The indices at which a counter is over its limit."""
        caps = np.array([c.cap for c in self.counters], dtype=np.int64).reshape(-1, 1)
        return np.flatnonzero((self.counts() > caps).any(axis=0))


@dataclass(frozen=True)
class CountCost:
    """What a count costs: infinite outside its bounds, and convex prices below and above."""

    least: int
    most: float
    slopes: tuple[tuple[int, Slope], ...]
    """Each with its side: -1 below its knee, 1 above it."""

    @classmethod
    def of(cls, counters: Iterable[forms.Counter]) -> "CountCost":
        """Of counters that count the same."""
        counters = list(counters)
        return cls(
            max((each.least for each in counters if each.least is not None), default=0),
            min((each.most for each in counters if each.most is not None), default=inf),
            tuple(chain.from_iterable(each.slopes for each in counters)),
        )

    @property
    def matters(self) -> bool:
        return bool(self.least or self.most < inf or self.slopes)

    def __call__(self, count: int) -> float:
        """`of_each` of one count, without arrays: it is called for every priced row."""
        if not self.least <= count <= self.most:
            return inf
        return float(sum(slope.of(side * (count - slope.knee)) for side, slope in self.slopes))

    def of_each(self, counts: Ints) -> Floats:
        cost = np.zeros(counts.shape)
        for side, slope in self.slopes:
            steps = np.maximum(0, side * (counts - slope.knee)) // slope.step
            named, rising = np.cumsum([0, *slope.amounts]), len(slope.amounts)
            cost += named[np.minimum(steps, rising)] + slope.amounts[-1] * np.maximum(0, steps - rising)
        return np.where((counts < self.least) | (counts > self.most), inf, cost)
