"""Large neighbourhood search over columns: free a neighbourhood of the best roster, generate for it, choose.

Most neighbourhoods are rejected cheaply: generation ends as soon as their own bound shows that they hold nothing better.
In the others, only columns whose reduced cost leaves room for a better roster enter a mixed-integer programme; where that
room, or the neighbourhood, is large, a dive works better.

A wide ward is first searched window by window with all nurses free: its master problem as a whole takes minutes, each
window's takes seconds, and the windows' duals together are close to those of the whole.
"""

from dataclasses import dataclass, field
from random import Random

import numpy as np

from wavegraph.tools.roster.columns.counters import Floats
from wavegraph.tools.roster.columns.dive import Dive
from wavegraph.tools.roster.columns.generation import ColumnGenerator, GeneratedColumns, Neighbourhood
from wavegraph.tools.roster.columns.incumbent import ROUNDING, Incumbent
from wavegraph.tools.roster.columns.master_problem import LinearOptimum, MasterProblem, choose
from wavegraph.tools.roster.columns.network import Bools

AIMED = 0.75
"""Share of the neighbourhoods that lie around an understaffed shift, where there is one."""
LUCK = 4
"""A kind that has just improved the roster counts as having used this many times less work."""
LIKELIER = 2.5
"""How much likelier it is to free a nurse who can work the understaffed shift."""
REJECTED_GROWTH, TIRED_SHRINK = 0.3, 0.5
FIRST_CELLS = 240
"""Cells, nurses times days, of the first neighbourhoods."""
WIDE_WARD, WINDOW_CELLS = 2500, 1400
"""Cells above which a ward is searched by windows; cells of a window, and of a wide ward's neighbourhoods later."""
FAR_APART = 28
"""Days above which two windows at a time are freed, too, so that work can move between them."""
WIDE_NEIGHBOURHOOD, WIDE_ROOM = 700, 3.0
"""Limits above which a dive is used: cells, and the room between bound and target in missing nurses."""
MOST_NODES = 500
"""Of a choice, which no clock ends before the search itself: on a busy machine it would find less."""
STARTERS = 60
"""Known columns of each freed nurse to start from, the cheapest by the current duals."""
MOST_ROUNDS = 40


def _within(most: int, size: int) -> int:
    return min(most, max(2, size))


@dataclass
class NeighbourhoodKind:
    """One kind of neighbourhood: some nurses over a window of days."""

    nurses: int
    days: int
    grows: str
    """The field that `resize` changes: `nurses` or `days`."""
    most: int
    windows: int = 1
    used: float = 0.0
    lucky: bool = False

    @property
    def turn(self) -> float:
        return self.used / (LUCK if self.lucky else 1)

    def resize(self, by: int) -> None:
        size = getattr(self, self.grows)
        setattr(self, self.grows, max(2, min(self.most, size + by * max(1, size // 10))))


@dataclass
class NeighbourhoodSearch:
    """Improves the incumbent, with the same neighbourhoods for the same seed."""

    generator: ColumnGenerator
    incumbent: Incumbent
    artificial: float
    seed: int
    duals: Floats
    """Of the best bound of the whole ward; each neighbourhood starts from them."""
    kinds: list[NeighbourhoodKind] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        nurse_models = self.generator.oracle.nurse_models
        nurses, days = len(nurse_models), nurse_models[0].days
        cells, fortnight = WINDOW_CELLS if self.wide else FIRST_CELLS, min(14, days)
        self.kinds = [
            NeighbourhoodKind(_within(nurses, cells // days), days, "nurses", nurses),
            NeighbourhoodKind(nurses, _within(days, cells // nurses), "days", days),
            NeighbourhoodKind(_within(nurses, cells // fortnight), fortnight, "nurses", nurses),
        ]
        if days > FAR_APART:
            self.kinds.append(NeighbourhoodKind(nurses, _within(days, cells // nurses // 2), "days", days, windows=2))

    @property
    def wide(self) -> bool:
        return self.cells > WIDE_WARD

    @property
    def cells(self) -> int:
        nurse_models = self.generator.oracle.nurse_models
        return len(nurse_models) * nurse_models[0].days

    def sweep(self) -> None:
        """Free all nurses in one window of days after another; each overlaps the previous one by half."""
        nurse_models = self.generator.oracle.nurse_models
        days, everyone = nurse_models[0].days, list(range(len(nurse_models)))
        length = _within(days, WINDOW_CELLS // len(nurse_models))
        for begin in [*range(0, days - length, max(1, length // 2)), days - length]:
            if self.generator.over() or self.incumbent.proven:
                break
            neighbourhood = Neighbourhood(everyone, {n: self._mask(n, [begin], length) for n in everyone})
            master = self._master(neighbourhood)
            found = self._generate(master, neighbourhood, None, self.incumbent.next_cost)
            self._keep_duals(found.duals, slice(begin, begin + length))
            if found.relaxed is not None and not self.generator.over():
                self._dive(master, neighbourhood, found, found.relaxed)

    def _keep_duals(self, duals: Floats, days: slice) -> None:
        """Keep the duals of the rows of some days."""
        master_rows, inside = self.generator.pool.master_rows, np.zeros(self.generator.pool.days, dtype=bool)
        inside[days] = True
        for cells in master_rows.cells:
            rows = cells.row[inside[cells.day]]
            self.duals[rows] = duals[rows]

    def step(self) -> bool:
        """Try one neighbourhood; True if the incumbent improves."""
        kind = min(self.kinds, key=lambda kind: kind.turn)
        before = self.generator.spent
        outcome = self._try(self._neighbourhood(kind))
        kind.used += self.generator.spent - before
        kind.lucky = outcome == "better"
        if outcome == "solved" or (outcome == "rejected" and self.random.random() < REJECTED_GROWTH):
            kind.resize(1)
        elif outcome == "given up" and self.random.random() < TIRED_SHRINK:
            kind.resize(-1)
        return kind.lucky

    def _neighbourhood(self, kind: NeighbourhoodKind) -> Neighbourhood:
        day, able = self._aim()
        nurse_models = self.generator.oracle.nurse_models
        free = sorted(self._sample(len(nurse_models), kind.nurses, able))
        columns = self.incumbent.columns
        days = nurse_models[0].days
        length = min(kind.days, days)
        around = [day, *(self.random.randrange(days) for _ in range(kind.windows - 1))]
        begins = [max(0, min(days - length, day - self.random.randrange(length))) for day in around]
        masks = {n: self._mask(n, begins, length) for n in free} if length < days else {}
        others = np.setdiff1d(np.arange(len(nurse_models)), free)
        return Neighbourhood(free, masks, columns[others])

    def _aim(self) -> tuple[int, set[int]]:
        """A day, and the nurses who could work an understaffed shift on it."""
        master_rows = self.generator.pool.master_rows
        demanded = master_rows.demanded
        present = self.generator.pool.activity(self.incumbent.columns)[demanded.row]
        short = demanded.row[present < demanded.target]
        if len(short) and self.random.random() < AIMED:
            row = int(self.random.choice(short.tolist()))
            able, day = set[int](), 0
            for n, cells in enumerate(master_rows.cells):
                for d, label in zip(cells.day[cells.row == row], cells.label[cells.row == row], strict=True):
                    day = int(d)
                    if np.isfinite(self.generator.oracle.nurse_models[n].base[d, label]):
                        able.add(n)
            return day, able
        return self.random.randrange(self.generator.oracle.nurse_models[0].days), set()

    def _sample(self, nurses: int, count: int, able: set[int]) -> list[int]:
        """Nurses drawn without replacement, the able ones likelier (Efraimidis and Spirakis, 2006)."""
        keys = [(self.random.random() ** (1 / (LIKELIER if n in able else 1)), n) for n in range(nurses)]
        return [n for _, n in sorted(keys, reverse=True)[:count]]

    def _mask(self, nurse: int, begins: list[int], length: int) -> Bools:
        """Everything within the windows, the incumbent's labels outside them."""
        model = self.generator.oracle.nurse_models[nurse]
        mask = np.zeros((model.days, model.labels), dtype=bool)
        mask[np.arange(model.days), self.generator.pool.rows[self.incumbent.columns[nurse]]] = True
        for begin in begins:
            mask[begin : begin + length] = True
        return mask

    def _try(self, neighbourhood: Neighbourhood) -> str:
        """How it went: rejected, better, solved without gain, or given up."""
        target = self.incumbent.next_cost
        master = self._master(neighbourhood)
        found = self._generate(master, neighbourhood, self.duals, target)
        if found.bound > target + ROUNDING:
            return "rejected"
        if found.relaxed is None or self.generator.over():
            return "given up"
        if self._is_wide(neighbourhood, target - found.relaxed.value):
            return "better" if self._dive(master, neighbourhood, found, found.relaxed) else "given up"
        return self._choose(master, found.relaxed, target)

    def _master(self, neighbourhood: Neighbourhood) -> MasterProblem:
        master = MasterProblem(self.generator.pool, len(self.generator.oracle.nurse_models), self.artificial)
        master.add(self._starters(neighbourhood))
        return master

    def _generate(
        self, master: MasterProblem, neighbourhood: Neighbourhood, duals: Floats | None, target: float
    ) -> GeneratedColumns:
        return self.generator.generate(master, neighbourhood, duals, enough=target + ROUNDING, rounds=MOST_ROUNDS)

    def _is_wide(self, neighbourhood: Neighbourhood, room: float) -> bool:
        free = sum(int(mask.all(axis=1).sum()) for mask in neighbourhood.masks.values())
        cells = free or len(neighbourhood.free) * self.generator.oracle.nurse_models[0].days
        return cells > WIDE_NEIGHBOURHOOD or room > WIDE_ROOM * self.generator.pool.master_rows.dearest

    def _dive(
        self, master: MasterProblem, neighbourhood: Neighbourhood, found: GeneratedColumns, relaxed: LinearOptimum
    ) -> bool:
        dive = Dive(self.generator, master, self.incumbent, neighbourhood, found.duals)
        return dive.run(relaxed)

    def _choose(self, master: MasterProblem, relaxed: LinearOptimum, target: float) -> str:
        generator = self.generator
        columns = self._promising(master, relaxed.duals, target - relaxed.value)
        chosen = choose(
            generator.pool, columns, master.nurses, target + 0.5, MOST_NODES, generator.left(), generator.over
        )
        generator.count(chosen.iterations, master)
        if chosen.columns is not None and self.incumbent.offer(chosen.columns):
            return "better"
        return "solved" if chosen.solved else "given up"

    def _starters(self, neighbourhood: Neighbourhood) -> list[int]:
        """The incumbent's columns, and the best known ones of the freed nurses that keep to the masks."""
        pool = self.generator.pool
        columns: list[int] = self.incumbent.columns.tolist()
        for n in neighbourhood.free:
            known = np.flatnonzero(pool.nurse == n)
            if n in neighbourhood.masks:
                known = known[neighbourhood.masks[n][np.arange(pool.days), pool.rows[known]].all(axis=1)]
            columns += pool.cheapest(known, self.duals, STARTERS)
        return columns

    def _promising(self, master: MasterProblem, duals: Floats, room: float) -> list[int]:
        """The incumbent's columns and those whose reduced cost is within the room: no better roster has others."""
        reduced = self.generator.pool.reduced(master.columns, duals)
        kept = [c for c, value in zip(master.columns, reduced.tolist(), strict=True) if value <= room + ROUNDING]
        return list(dict.fromkeys([*kept, *self.incumbent.columns.tolist()]))
