"""The columns found so far; each is one nurse's whole roster."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.master_rows import MasterRows
from wavegraph.tools.roster.columns.network import Bools


@dataclass
class Pool:
    """Columns by index: arrays that grow, and each column's entries in the master rows."""

    master_rows: MasterRows
    days: int
    count: int = 0
    entries: list[tuple[Ints, Floats]] = field(default_factory=list)
    """Rows and coefficients; the last is 1 in the nurse's own row, which comes after the master rows."""
    _known: dict[tuple[int, bytes], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._nurse, self._cost = np.empty(64, dtype=np.int64), np.empty(64)
        self._rows = np.empty((64, self.days), dtype=np.int16)

    @property
    def nurse(self) -> Ints:
        return self._nurse[: self.count]

    @property
    def cost(self) -> Floats:
        return self._cost[: self.count]

    @property
    def rows(self) -> NDArray[np.int16]:
        """Labels, columns x days."""
        return self._rows[: self.count]

    def add(self, nurse: int, row: Ints, cost: float) -> int:
        """Add a column unless it is known, and return its index."""
        small = row.astype(np.int16)
        key = nurse, small.tobytes()
        if key in self._known:
            return self._known[key]
        if self.count == len(self._nurse):
            self._grow()
        index = self._known[key] = self.count
        self._nurse[index], self._cost[index], self._rows[index] = nurse, cost, small
        activity = np.append(self.master_rows.activity(nurse, row), np.zeros(nurse + 1))
        activity[-1] = 1.0
        rows = np.flatnonzero(activity)
        self.entries.append((rows, activity[rows]))
        self.count += 1
        return index

    def _grow(self) -> None:
        size = 2 * len(self._nurse)
        self._nurse, self._cost = np.resize(self._nurse, size), np.resize(self._cost, size)
        self._rows = np.resize(self._rows, (size, self.days))

    def activity(self, columns: Ints) -> Floats:
        """The sum of what these columns add to each row."""
        total = np.zeros(len(self.master_rows))
        for column in columns.tolist():
            rows, coefficients = self.entries[column]
            total[rows[:-1]] += coefficients[:-1]
        return total

    def reduced(self, columns: list[int], duals: Floats) -> Floats:
        """Reduced costs; the duals include those of the nurses."""
        rows, values, ends = self.concatenated(columns)
        paid = np.add.reduceat(values * duals[rows], ends[:-1]) if columns else np.zeros(0)
        return self.cost[columns] - paid

    def cheapest(self, columns: Ints, duals: Floats, count: int) -> list[int]:
        """The columns of one nurse with the least reduced costs by the duals of the master rows."""
        if len(columns) <= count:
            return list(columns.tolist())
        reduced = self.reduced(columns.tolist(), np.append(duals, np.zeros(int(self.nurse[columns].max()) + 1)))
        return list(columns[np.argsort(reduced, kind="stable")[:count]].tolist())

    def within(self, columns: Ints, masks: Mapping[int, Bools]) -> Bools:
        """Which of these columns keep to the masks (days x labels, by nurse)."""
        kept = np.ones(len(columns), dtype=bool)
        for n, mask in masks.items():
            here = np.flatnonzero(self.nurse[columns] == n)
            kept[here] = mask[np.arange(self.days), self.rows[columns[here]]].all(axis=1)
        return kept

    def concatenated(self, columns: list[int]) -> tuple[Ints, Floats, Ints]:
        """The entries of some columns one after another, and where each begins and the last ends."""
        entries = [self.entries[c] for c in columns]
        ends = np.cumsum([0, *(len(rows) for rows, _ in entries)])
        if not entries:
            return np.zeros(0, dtype=np.int64), np.zeros(0), ends
        return np.concatenate([r for r, _ in entries]), np.concatenate([v for _, v in entries]), ends

    def roster_cost(self, columns: Ints) -> float:
        """What a roster of one column for each nurse costs."""
        return float(self.cost[columns].sum()) + self.master_rows.cost(self.activity(columns))
