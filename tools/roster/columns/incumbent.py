"""The incumbent, which is the best roster so far, the best bound, and the price of work above the group's mean.

The mean of nights, or of weekends, belongs to the whole roster, while a column knows one nurse. Columns therefore use the
mean of the incumbent; a roster's own cost is counted from its own mean. Without a mean, such work is free: a bound proven
then holds for any mean.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil

import numpy as np

from wavegraph.tools.roster.columns.counters import Ints
from wavegraph.tools.roster.columns.nurse_model import NurseModel
from wavegraph.tools.roster.columns.pool import Pool
from wavegraph.tools.roster.problem.clock import Clock
from wavegraph.tools.roster.problem.prices import mean_of
from wavegraph.tools.roster.problem.result import OnProgress, Point

ROUNDING = 1e-5
"""Numerical error of a bound, in the objective's units, before it is rounded up: all costs are whole numbers."""
Means = dict[str, int]
"""By kind of excess."""


@dataclass(frozen=True)
class Fairness:
    """The nurses with a price on excess, by kind."""

    nurse_models: Sequence[NurseModel]

    @property
    def priced(self) -> bool:
        return any(model.excess for model in self.nurse_models)

    def means(self, rows: Sequence[Ints]) -> Means:
        """The means of a roster, one row of labels a nurse."""
        own: dict[str, dict[int, int]] = {}
        for n, model in enumerate(self.nurse_models):
            for rule, excess in model.excess.items():
                own.setdefault(excess.kind, {})[n] = model.own(rule, rows[n])
        return {kind: mean_of(counts) for kind, counts in own.items()}

    def cost(self, rows: Sequence[Ints], means: Means) -> float:
        """What all excess in a roster costs, counted from these means."""
        total = 0.0
        for model, row in zip(self.nurse_models, rows, strict=True):
            for rule, excess in model.excess.items():
                if excess.kind in means:
                    total += float(excess.cost(np.array(model.own(rule, row)), means[excess.kind]))
        return total

    def centre(self, means: Means) -> None:
        for model in self.nurse_models:
            model.centre(means)


@dataclass
class Incumbent:
    """Costs and bounds are in the objective's units; progress is reported in units of cost."""

    pool: Pool
    fairness: Fairness
    scale: int
    clock: Clock
    on_progress: OnProgress | None
    on_better: Callable[[], None] | None = None
    """Called with each better roster, before progress is reported."""
    columns: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """One for each nurse; empty = none yet."""
    cost: float = np.inf
    bound: int = 0
    centred: Means = field(default_factory=dict)
    """The means that columns count excess from."""
    trace: list[Point] = field(default_factory=list)

    @property
    def proven(self) -> bool:
        return self.cost <= self.bound

    @property
    def priced(self) -> float:
        """The sum of its columns' costs, which differs from `cost` while they use another roster's means."""
        return self.pool.roster_cost(self.columns)

    def offer(self, columns: Ints) -> bool:
        """Keep a roster, one column for each nurse, if it is better."""
        rows = self._rows(columns)
        unfair = self.fairness.cost(rows, self.fairness.means(rows)) - self.fairness.cost(rows, self.centred)
        cost = round(self.pool.roster_cost(columns) + unfair)
        if cost >= self.cost:
            return False
        self.columns, self.cost = columns.copy(), cost
        self.trace.append(self._point())
        if self.on_better is not None:
            self.on_better()
        self._report_progress()
        return True

    def centre(self) -> None:
        """Make columns count excess from this roster's means."""
        means = self.fairness.means(self._rows(self.columns))
        if means != self.centred:
            self.centred = means
            self.fairness.centre(means)
            self.pool.recost(lambda n, row: self.fairness.nurse_models[n].judge(row)[0])

    def _rows(self, columns: Ints) -> list[Ints]:
        return [row.astype(np.int64) for row in self.pool.rows[columns]]

    def bounded(self, bound: float) -> None:
        """Record a proven lower bound."""
        if np.isfinite(bound) and ceil(bound - ROUNDING) > self.bound:
            self.bound = ceil(bound - ROUNDING)
            if len(self.columns):
                self._report_progress()

    def units(self, amount: float) -> float:
        whole = round(amount)
        return whole // self.scale if whole % self.scale == 0 else whole / self.scale

    def _report_progress(self) -> None:
        if self.on_progress is not None:
            point = self._point()
            self.on_progress(point.cost, point.bound, point.seconds)

    def _point(self) -> Point:
        return Point(self.clock.elapsed, self.units(self.cost), self.units(min(self.bound, self.cost)))
