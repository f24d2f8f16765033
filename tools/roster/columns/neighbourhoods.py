"""Large neighbourhood search over columns: free a part of the best roster, generate for that part, choose.

Most parts are rejected cheaply: as soon as the part's own bound shows that nothing in it is better, its generation
ends. In what is left, only columns whose reduced cost leaves room for a better roster go into a mixed-integer
programme; where the room is wide, or the part, a dive is surer.

A wide ward is first gone through window by window with all nurses free: what its linear programme as a whole takes
minutes for, its windows do in seconds each, and their duals side by side are near those of the whole.
"""

from dataclasses import dataclass, field
from random import Random

import numpy as np

from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.dive import Dive
from wavegraph.tools.roster.columns.generation import ColumnGenerator, GeneratedColumns, Neighbourhood
from wavegraph.tools.roster.columns.incumbent import ROUNDING, Incumbent
from wavegraph.tools.roster.columns.programme import LinearOptimum, MasterProblem, choose

AIMED = 0.75
"""Share of the parts that lie around a shift short of someone, where there is one."""
LUCK = 4
"""A kind that improved lately is taken to have had so much less time."""
LIKELIER = 2.5
"""How much likelier a nurse who can work the shift is freed."""
REJECTED_GROWTH, TIRED_SHRINK = 0.3, 0.5
FIRST_CELLS = 240
"""Cells, nurses times days, of the first parts."""
WIDE_WARD, WINDOW_CELLS = 2500, 1400
"""Cells from which a ward is gone through by windows; and those of a window, and of a wide ward's parts after that."""
FAR_APART = 28
"""Days from which on two windows at a time are freed, too, so that work can move between them."""
WIDE_PART, WIDE_ROOM = 700, 3.0
"""Cells, and the price of how many missing nurses between bound and target, from which a part is dived in."""
MOST_NODES = 500
MIP_SECONDS = 3.0
STARTERS = 60
"""Known columns of each freed nurse that a part begins with, the cheapest by the duals at hand."""
MOST_ROUNDS = 40
NOBODY: Ints = np.zeros(0, dtype=np.int64)


def _within(most: int, size: int) -> int:
    return min(most, max(2, size))


@dataclass
class NeighbourhoodKind:
    """One way of choosing what to free: some nurses over a window of days."""

    nurses: int
    days: int
    grows: str
    """The field that is changed: `nurses` or `days`."""
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
    """Improves the incumbent part by part, the same parts for the same seed."""

    generator: ColumnGenerator
    incumbent: Incumbent
    artificial: float
    seed: int
    duals: Floats
    """Of the whole problem's best bound: where each part begins."""
    steady: bool = False
    """Never let the clock decide."""
    kinds: list[NeighbourhoodKind] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        people = self.generator.oracle.people
        nurses, days = len(people), people[0].days
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
        people = self.generator.oracle.people
        return len(people) * people[0].days

    def sweep(self) -> None:
        """Free all nurses in one window of days after the other, each overlapping the one before by half."""
        people = self.generator.oracle.people
        days, everyone = people[0].days, list(range(len(people)))
        length = _within(days, WINDOW_CELLS // len(people))
        for begin in [*range(0, days - length, max(1, length // 2)), days - length]:
            if self.generator.over() or self.incumbent.proven:
                break
            part = Neighbourhood(everyone, {n: self._mask(n, [begin], length) for n in everyone}, NOBODY)
            programme = self._programme(part)
            found = self._generate(programme, part, None, self.incumbent.priced - 1)
            self._keep_duals(found.duals, slice(begin, begin + length))
            if found.relaxed is not None and not self.generator.over():
                self._dive(programme, part, found, found.relaxed)

    def _keep_duals(self, duals: Floats, days: slice) -> None:
        """Take over the duals of some days' rows."""
        links, inside = self.generator.pool.links, np.zeros(self.generator.pool.days, dtype=bool)
        inside[days] = True
        for cells in links.cells:
            rows = cells.row[inside[cells.day]]
            self.duals[rows] = duals[rows]

    def step(self) -> bool:
        """Try one part; whether the incumbent got better."""
        kind = min(self.kinds, key=lambda kind: kind.turn)
        before = self.work
        outcome = self._try(self._part(kind))
        kind.used += self.work - before
        kind.lucky = outcome == "better"
        if outcome == "solved" or (outcome == "rejected" and self.random.random() < REJECTED_GROWTH):
            kind.resize(1)
        elif outcome == "given up" and self.random.random() < TIRED_SHRINK:
            kind.resize(-1)
        return kind.lucky

    @property
    def work(self) -> int:
        return self.generator.work + self.generator.oracle.work

    def _part(self, kind: NeighbourhoodKind) -> Neighbourhood:
        day, able = self._aim()
        people = self.generator.oracle.people
        free = sorted(self._sample(len(people), kind.nurses, able))
        columns = self.incumbent.columns
        days = people[0].days
        length = min(kind.days, days)
        around = [day, *(self.random.randrange(days) for _ in range(kind.windows - 1))]
        begins = [max(0, min(days - length, day - self.random.randrange(length))) for day in around]
        masks = {n: self._mask(n, begins, length) for n in free} if length < days else None
        others = np.setdiff1d(np.arange(len(people)), free)
        return Neighbourhood(free, masks, columns[others])

    def _aim(self) -> tuple[int, set[int]]:
        """A day, and the nurses who could work what is missing there."""
        links = self.generator.pool.links
        demanded = links.demanded
        present = self.generator.pool.activity(self.incumbent.columns)[demanded.row]
        short = demanded.row[present < demanded.target]
        if len(short) and self.random.random() < AIMED:
            row = int(self.random.choice(short.tolist()))
            able, day = set[int](), 0
            for n, cells in enumerate(links.cells):
                for d, label in zip(cells.day[cells.row == row], cells.label[cells.row == row], strict=True):
                    day = int(d)
                    if np.isfinite(self.generator.oracle.people[n].base[d, label]):
                        able.add(n)
            return day, able
        return self.random.randrange(self.generator.oracle.people[0].days), set()

    def _sample(self, nurses: int, count: int, able: set[int]) -> list[int]:
        """Nurses without repetition, the able ones likelier (Efraimidis and Spirakis, 2006)."""
        keys = [(self.random.random() ** (1 / (LIKELIER if n in able else 1)), n) for n in range(nurses)]
        return [n for _, n in sorted(keys, reverse=True)[:count]]

    def _mask(self, nurse: int, begins: list[int], length: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Everything within the windows, the incumbent's labels outside them."""
        person = self.generator.oracle.people[nurse]
        mask = np.zeros((person.days, person.labels), dtype=bool)
        mask[np.arange(person.days), self.generator.pool.rows[self.incumbent.columns[nurse]]] = True
        for begin in begins:
            mask[begin : begin + length] = True
        return mask

    def _try(self, part: Neighbourhood) -> str:
        """How a part went: rejected, better, solved without gain, or given up."""
        target = self.incumbent.priced - 1
        programme = self._programme(part)
        found = self._generate(programme, part, self.duals, target)
        if found.bound > target + ROUNDING:
            return "rejected"
        if found.relaxed is None or self.generator.over():
            return "given up"
        if self._is_wide(part, target - found.relaxed.value):
            return "better" if self._dive(programme, part, found, found.relaxed) else "given up"
        return self._choose(programme, found.relaxed, target)

    def _programme(self, part: Neighbourhood) -> MasterProblem:
        programme = MasterProblem(self.generator.pool, len(self.generator.oracle.people), self.artificial)
        programme.add(self._starters(part))
        return programme

    def _generate(
        self, programme: MasterProblem, part: Neighbourhood, duals: Floats | None, target: float
    ) -> GeneratedColumns:
        return self.generator.generate(programme, part, duals, enough=target + ROUNDING, rounds=MOST_ROUNDS)

    def _is_wide(self, part: Neighbourhood, room: float) -> bool:
        free = sum(int(mask.all(axis=1).sum()) for mask in part.masks.values()) if part.masks else 0
        cells = free or len(part.free) * self.generator.oracle.people[0].days
        return cells > WIDE_PART or room > WIDE_ROOM * self.generator.pool.links.dearest

    def _dive(
        self, programme: MasterProblem, part: Neighbourhood, found: GeneratedColumns, relaxed: LinearOptimum
    ) -> bool:
        dive = Dive(self.generator, programme, self.incumbent, part, found.duals)
        return dive.run(relaxed)

    def _choose(self, programme: MasterProblem, relaxed: LinearOptimum, target: float) -> str:
        generator = self.generator
        columns = self._promising(programme, relaxed.duals, target - relaxed.value)
        seconds = min(np.inf if self.steady else MIP_SECONDS, generator.left())
        chosen = choose(generator.pool, columns, programme.nurses, target + 0.5, MOST_NODES, seconds)
        generator.count(chosen.iterations, programme)
        if chosen.columns is not None and self.incumbent.offer(chosen.columns):
            return "better"
        return "solved" if chosen.solved else "given up"

    def _starters(self, part: Neighbourhood) -> list[int]:
        """The incumbent, and the columns known for the freed nurses that look best and keep to the masks."""
        pool = self.generator.pool
        columns: list[int] = self.incumbent.columns.tolist()
        for n in part.free:
            known = np.flatnonzero(pool.nurse == n)
            if part.masks is not None:
                known = known[part.masks[n][np.arange(pool.days), pool.rows[known]].all(axis=1)]
            columns += pool.cheapest(known, self.duals, STARTERS)
        return columns

    def _promising(self, programme: MasterProblem, duals: Floats, room: float) -> list[int]:
        """Columns whose reduced cost is within the room: none else can be in a better roster."""
        reduced = self.generator.pool.reduced(programme.columns, duals)
        kept = [c for c, value in zip(programme.columns, reduced.tolist(), strict=True) if value <= room + ROUNDING]
        return list(dict.fromkeys([*kept, *self.incumbent.columns.tolist()]))
