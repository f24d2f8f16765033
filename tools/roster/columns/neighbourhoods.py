"""Large neighbourhood search over columns: free a part of the best roster, generate for that part, choose.

Most parts are rejected cheaply: as soon as the part's own bound shows that nothing in it is better, its generation
ends. In what is left, only columns whose reduced cost leaves room for a better roster go into a mixed-integer programme.
"""

from dataclasses import dataclass, field
from random import Random

import numpy as np

from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.generation import SIMPLEX_WORK, SOLVE_WORK, Generator, Part
from wavegraph.tools.roster.columns.incumbent import ROUNDING, Incumbent
from wavegraph.tools.roster.columns.programme import Programme, choose

AIMED = 0.75
"""Share of the parts that lie around a shift short of someone, where there is one."""
LUCK = 4
"""A kind that improved lately is taken to have had so much less time."""
LIKELIER = 2.5
"""How much likelier a nurse who can work the shift is freed."""
REJECTED_GROWTH, TIRED_SHRINK = 0.3, 0.5
MOST_NODES = 500
MIP_SECONDS = 3.0
STARTERS = 60
"""Known columns of each freed nurse that a part begins with, the cheapest by the duals at hand."""
MOST_ROUNDS = 40


@dataclass
class Kind:
    """One way of choosing what to free: some nurses over a window of days."""

    nurses: int
    days: int
    grows: str
    """The field that is changed: `nurses` or `days`."""
    most: int
    used: float = 0.0
    lucky: bool = False

    @property
    def turn(self) -> float:
        return self.used / (LUCK if self.lucky else 1)

    def resize(self, by: int) -> None:
        size = getattr(self, self.grows) + by
        setattr(self, self.grows, max(2, min(self.most, size)))


@dataclass
class Neighbourhoods:
    """Improves the incumbent part by part, the same parts for the same seed."""

    generator: Generator
    incumbent: Incumbent
    artificial: float
    seed: int
    duals: Floats
    """Of the whole problem's best bound: where each part begins."""
    steady: bool = False
    """Never let the clock decide."""
    kinds: list[Kind] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        people = self.generator.oracle.people
        nurses, days = len(people), people[0].days
        self.kinds = [
            Kind(max(2, nurses // 4), days, "nurses", nurses),
            Kind(nurses, min(8, days), "days", days),
            Kind(max(2, nurses // 2), min(14, days), "nurses", nurses),
        ]

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

    def _part(self, kind: Kind) -> Part:
        day, able = self._aim()
        people = self.generator.oracle.people
        free = sorted(self._sample(len(people), kind.nurses, able))
        columns = self.incumbent.columns
        days = people[0].days
        length = min(kind.days, days)
        begin = max(0, min(days - length, day - self.random.randrange(length)))
        masks = {n: self._mask(n, begin, begin + length) for n in free} if length < days else None
        others = np.setdiff1d(np.arange(len(people)), free)
        return Part(free, masks, columns[others])

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

    def _mask(self, nurse: int, begin: int, end: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Everything within the window, the incumbent's labels outside it."""
        person, row = self.generator.oracle.people[nurse], self._row(nurse)
        mask = np.zeros((person.days, person.labels), dtype=bool)
        mask[np.arange(person.days), row] = True
        mask[begin:end] = True
        return mask

    def _row(self, nurse: int) -> Ints:
        return np.asarray(self.generator.pool.rows[self.incumbent.columns[nurse]], dtype=np.int64)

    def _try(self, part: Part) -> str:
        generator, target = self.generator, self.incumbent.priced - 1
        programme = Programme(generator.pool, len(generator.oracle.people), self.artificial)
        programme.add(self._starters(part))
        enough = target + ROUNDING
        found = generator.generate(programme, part, self.duals, enough=enough, rounds=MOST_ROUNDS)
        if found.bound > enough:
            return "rejected"
        if found.relaxed is None or generator.over():
            return "given up"
        columns = self._promising(programme, found.relaxed.duals, target - found.relaxed.value)
        seconds = min(np.inf if self.steady else MIP_SECONDS, generator.left())
        chosen = choose(generator.pool, columns, programme.nurses, target + 0.5, MOST_NODES, seconds)
        rows = len(generator.pool.links) + programme.nurses
        generator.work += SOLVE_WORK + SIMPLEX_WORK * chosen.iterations * rows
        if chosen.columns is not None and self.incumbent.offer(chosen.columns):
            return "better"
        return "solved" if chosen.solved else "given up"

    def _starters(self, part: Part) -> list[int]:
        """The incumbent, and the columns known for the freed nurses that look best and keep to the masks."""
        pool = self.generator.pool
        columns: list[int] = self.incumbent.columns.tolist()
        for n in part.free:
            known = np.flatnonzero(pool.nurse == n)
            if part.masks is not None:
                known = known[part.masks[n][np.arange(pool.days), pool.rows[known]].all(axis=1)]
            columns += self._cheapest(known)
        return columns

    def _cheapest(self, known: Ints) -> list[int]:
        columns: list[int] = known.tolist()
        if len(columns) <= STARTERS:
            return columns
        duals = np.append(self.duals, np.zeros(len(self.generator.oracle.people)))
        order = np.argsort(self.generator.pool.reduced(columns, duals), kind="stable")
        return [columns[i] for i in order[:STARTERS].tolist()]

    def _promising(self, programme: Programme, duals: Floats, room: float) -> list[int]:
        """Columns whose reduced cost is within the room: none else can be in a better roster."""
        reduced = self.generator.pool.reduced(programme.columns, duals)
        kept = [c for c, value in zip(programme.columns, reduced.tolist(), strict=True) if value <= room + ROUNDING]
        return list(dict.fromkeys([*kept, *self.incumbent.columns.tolist()]))
