"""A dive: fix the cells that the linear optimum nearly decides, generate again, until every nurse has one column.

    X[n, d, k] = sum of x_j over the columns j of nurse n that have label k on day d

Cells are fixed, not columns, so that pricing can go on. A batch that raises the linear optimum too much is undone and
a smaller one tried; a single cell that still raises it too much is forbidden instead, where that costs less. Too much
is also what leads above the best roster, so that near the bound a dive turns back in time.
"""

from dataclasses import dataclass, field

import numpy as np

from wavegraph.tools.roster.columns.counters import Floats
from wavegraph.tools.roster.columns.generation import ColumnGenerator, Neighbourhood
from wavegraph.tools.roster.columns.incumbent import ROUNDING, Incumbent
from wavegraph.tools.roster.columns.master_problem import DUAL_SIMPLEX, INTEGRAL, LinearOptimum, MasterProblem
from wavegraph.tools.roster.columns.network import Bools

SURE = 0.95
SHARE = 0.1
"""Most of the fractional cells that a batch takes."""
LEAST_SHARE, GROWTH = 0.002, 1.5
"""Least share of the cells, and growth after a batch that was kept."""
JUMP = 0.15
"""Most that a batch may raise the linear optimum, as a share of the dearest missing nurse."""
ROUNDS = 8
FOUR_WEEKS = 28

Cell = tuple[int, int, int]
"""Nurse, day, label."""


@dataclass
class Dive:
    """One dive over a master problem; all its columns are allowed again at the end."""

    generator: ColumnGenerator
    master: MasterProblem
    incumbent: Incumbent
    neighbourhood: Neighbourhood
    duals: Floats
    masks: dict[int, Bools] = field(default_factory=dict)
    share: float = SHARE

    def __post_init__(self) -> None:
        given = self.neighbourhood.masks
        for n in self.neighbourhood.free:
            model = self.generator.oracle.nurse_models[n]
            self.masks[n] = given[n].copy() if n in given else np.ones((model.days, model.labels), dtype=bool)

    def run(self, relaxed: LinearOptimum) -> bool:
        """Dive from the neighbourhood's linear optimum; True if the incumbent improves."""
        before = self.incumbent.cost
        now: LinearOptimum | None = relaxed
        while now is not None and not self.generator.over():
            if now.value >= self.incumbent.cost or self._offer(now):
                break
            now = self._descend(now)
        self.master.allow(np.ones(len(self.master.columns), dtype=bool))
        return self.incumbent.cost < before

    def _limit(self, relaxed: LinearOptimum) -> float:
        """The highest linear optimum that a batch may lead to."""
        jump = JUMP * self.generator.pool.master_rows.dearest
        return min(relaxed.value + jump, self.incumbent.next_cost + ROUNDING)

    def _offer(self, relaxed: LinearOptimum) -> bool:
        """Take the roster of an integral optimum."""
        columns = self.master.integral(relaxed)
        if columns is not None:
            self.incumbent.offer(columns)
        return columns is not None

    def _descend(self, relaxed: LinearOptimum) -> LinearOptimum | None:
        """Fix a batch that raises the linear optimum little enough."""
        batch, sure = self._batch(relaxed)
        limit = self._limit(relaxed)
        while batch and not self.generator.over():
            kept = {n: mask.copy() for n, mask in self.masks.items()}
            self._fix(batch)
            after = self._solve(limit)
            if after is not None and after.value <= limit:
                self.share = min(SHARE, GROWTH * self.share)
                return after
            self.share = max(LEAST_SHARE, self.share / 3)
            if len(batch) == 1:
                return self._cheaper_side(batch[0], kept, relaxed, after)
            self.masks = kept
            batch = batch[: sure if sure and len(batch) > sure else max(1, len(batch) // 3)]
        return None

    def _cheaper_side(
        self, cell: Cell, masks: dict[int, Bools], before: LinearOptimum, must: LinearOptimum | None
    ) -> LinearOptimum | None:
        fixed, self.masks = self.masks, {n: mask.copy() for n, mask in masks.items()}
        n, d, label = cell
        self.masks[n][d, label] = False
        must_not = self._solve()
        if must is not None and (must_not is None or must.value <= must_not.value):
            self.masks = fixed
            return self._solve()
        return must_not

    def _solve(self, enough: float = np.inf) -> LinearOptimum | None:
        """Generate under the masks, until the bound exceeds `enough`."""
        columns = np.array(self.master.columns, dtype=np.int64)
        self.master.allow(self.generator.pool.within(columns, self.masks))
        settled = {n: mask for n, mask in self.masks.items() if (mask.sum(axis=1) == 1).all()}
        fixed = [*(self._column(n, mask) for n, mask in settled.items()), *self.neighbourhood.fixed.tolist()]
        neighbourhood = Neighbourhood(
            [n for n in self.neighbourhood.free if n not in settled], self.masks, np.array(fixed, dtype=np.int64)
        )
        return self.generator.generate(
            self.master, neighbourhood, self.duals, enough=enough, rounds=ROUNDS, simplex=DUAL_SIMPLEX
        ).relaxed

    def _column(self, nurse: int, mask: Bools) -> int:
        """The column of a nurse with one label left for each day."""
        row = mask.argmax(axis=1)
        return self.generator.pool.add(nurse, row, self.generator.oracle.nurse_models[nurse].judge(row)[0])

    def _batch(self, relaxed: LinearOptimum) -> tuple[list[Cell], int]:
        """Cells to fix, those that are nearly certain first, and how many of these there are.

        Of the others the largest are added, one for each nurse and four weeks.
        """
        weights = self._weights(relaxed)
        loose = [cell for cell in weights if cell[0] in self.masks and self.masks[cell[0]][cell[1]].sum() > 1]
        sure = [cell for cell in loose if weights[cell] >= SURE]
        others = [cell for cell in loose if weights[cell] < SURE]
        wanted, taken, certain = max(1, round(self.share * len(others))), set[tuple[int, int]](), len(sure)
        for cell in others:
            place = cell[0], cell[1] // FOUR_WEEKS
            if len(taken) < wanted and place not in taken:
                taken.add(place)
                sure.append(cell)
        return sure, certain

    def _weights(self, relaxed: LinearOptimum) -> dict[Cell, float]:
        """The weight of each cell that has any, the largest first."""
        total = self.master.cell_weights(relaxed, self.generator.oracle.nurse_models[0].labels)
        weights = {(n, d, k): float(total[n, d, k]) for n, d, k in np.argwhere(total > INTEGRAL).tolist()}
        return dict(sorted(weights.items(), key=lambda pair: -pair[1]))

    def _fix(self, batch: list[Cell]) -> None:
        for n, d, label in batch:
            mask = self.masks[n]
            mask[d, np.arange(mask.shape[1]) != label] = False
