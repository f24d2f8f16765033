"""What adds up over a nurse's horizon: a counter for each limit, all combined into one index.

    r = (...(c_1 (cap_2 + 2) + c_2)...)          c_i in 0..cap_i, and cap_i + 1 = over the limit

The first counter needs no value for "over the limit": such an index lies outside the table. Every label moves the
index by a constant, so a day's step is a sum of shifted arrays.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Counter:
    """One limit that is counted."""

    rule: str
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
