"""The incumbent, which is the best roster so far, and the best bound."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

import numpy as np

from wavegraph.tools.roster.columns.counters import Ints
from wavegraph.tools.roster.columns.pool import Pool
from wavegraph.tools.roster.problem.clock import Clock
from wavegraph.tools.roster.problem.result import OnProgress, Point

ROUNDING = 1e-5
"""Numerical error of a bound, in the objective's units, before it is rounded up: all costs are whole numbers."""


@dataclass
class Incumbent:
    """Costs and bounds are in the objective's units; progress is reported in units of cost."""

    pool: Pool
    scale: int
    clock: Clock
    on_progress: OnProgress | None
    on_better: Callable[[], None] | None = None
    """Called with each better roster, before progress is reported."""
    columns: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """One for each nurse; empty = none yet."""
    cost: float = np.inf
    bound: int = 0
    grain: int = 1
    """The costs of any two rosters differ by a multiple of it."""
    enough: float = np.inf
    """Breaches with which a roster ends the patience: the fewest that are possible, as far as is known."""
    trace: list[Point] = field(default_factory=list)

    @property
    def breaches(self) -> int:
        """Nurses below the minimums, and shifts without anyone in charge."""
        return self.pool.master_rows.breaches(self.pool.activity(self.columns))

    def aims_at(self, breaches: float) -> None:
        """As few as that are known to be possible."""
        self.enough = breaches
        self._found()

    def _found(self) -> None:
        self.clock.found = len(self.columns) > 0 and self.breaches <= self.enough

    @property
    def proven(self) -> bool:
        return self.cost <= self.bound

    @property
    def next_cost(self) -> float:
        """The highest cost of a better roster."""
        return self.cost - self.grain

    def offer(self, columns: Ints) -> bool:
        """Keep a roster, one column for each nurse, if it is better."""
        cost = round(self.pool.roster_cost(columns))
        if cost >= self.cost:
            return False
        self.columns, self.cost = columns.copy(), cost
        self._found()
        self.trace.append(self._point())
        if self.on_better is not None:
            self.on_better()
        self._report_progress()
        return True

    def bounded(self, bound: float) -> None:
        """Record a proven lower bound."""
        if np.isfinite(bound) and self.raised(bound) > self.bound:
            self.bound = self.raised(bound)
            if len(self.columns):
                self._report_progress()

    def raised(self, bound: float) -> int:
        """The lowest cost that a roster can have under a bound."""
        whole = ceil(bound - ROUNDING)
        return whole + (round(self.cost) - whole) % self.grain if len(self.columns) else whole

    def units(self, amount: float) -> float:
        whole = round(amount)
        return whole // self.scale if whole % self.scale == 0 else whole / self.scale

    def _report_progress(self) -> None:
        if self.on_progress is not None:
            point = self._point()
            self.on_progress(point.cost, point.bound, point.seconds)

    def _point(self) -> Point:
        return Point(self.clock.elapsed, self.units(self.cost), self.units(min(self.bound, self.cost)))
