"""Make the best roster that the time allows by column generation, with a proven bound.

nearest to the hint, or greedy -> column generation (the bound) -> dive -> neighbourhoods, until proven or out of time
"""

import threading
import time
from collections.abc import Mapping

import numpy as np

from wavegraph.tools.roster.columns.counters import Ints
from wavegraph.tools.roster.columns.dive import Dive
from wavegraph.tools.roster.columns.fairness import Fairness
from wavegraph.tools.roster.columns.generation import Generated, Generator, OnBound, Part
from wavegraph.tools.roster.columns.incumbent import Incumbent
from wavegraph.tools.roster.columns.links import Links, links
from wavegraph.tools.roster.columns.neighbourhoods import Neighbourhoods
from wavegraph.tools.roster.columns.oracle import NoRoster, Oracle
from wavegraph.tools.roster.columns.parts import Worked, parts
from wavegraph.tools.roster.columns.personal import people
from wavegraph.tools.roster.columns.pool import Pool
from wavegraph.tools.roster.columns.programme import Programme
from wavegraph.tools.roster.solver.instance import Instance
from wavegraph.tools.roster.solver.objective import Penalties, Prices, breach_price
from wavegraph.tools.roster.solver.result import Result, Status
from wavegraph.tools.roster.solver.solve import Clock, OnProgress, OnRoster, Timer
from wavegraph.tools.roster.ward import Roster, Ward

WORK_UNIT = 1e9
"""Steps of pricing in a unit of work, about a second of one core."""
JUMP = 0.15
"""Of the dearest missing nurse: a rise that a dive's batch may cost."""
GREEDY_ROUNDS = 2


def solve(
    ward: Ward,
    *,
    penalties: Penalties | None = None,
    multipliers: Mapping[str, float] | None = None,
    hint: Roster | None = None,
    seconds: float = 30.0,
    work: float | None = None,
    seed: int = 1,
    on_progress: OnProgress | None = None,
    on_roster: OnRoster | None = None,
    stop: threading.Event | None = None,
    timer: Timer = time.monotonic,
) -> Result:
    """The best roster of the ward found in `seconds`, at the cost that `solver.solve` gives the same roster.

    `penalties`, `multipliers`, `stop` and `timer` as there. `hint`: a roster to start from; where it breaks a nurse's
    rules, the legal row nearest to hers. `on_progress` is called from this thread, also when only the bound is better.

    The same call gives the same roster when `work` is given (steps counted, about a second of one core a unit) and
    neither `seconds` nor `stop` ends the search before it.

    Raises ValueError for a multiplier of an unknown kind, and `UnpricedRule`, a ValueError too, for a rule that columns
    cannot price. What the search cannot do is a status, not an exception.
    """
    instance = Instance(ward)
    prices = Prices.make(penalties or Penalties(), multipliers or {})
    clock = Clock(seconds, work, stop or threading.Event(), timer)
    return _Run(instance, prices, clock, seed, on_progress, on_roster).result(hint)


class _Run:
    """One call of `solve`."""

    def __init__(
        self,
        instance: Instance,
        prices: Prices,
        clock: Clock,
        seed: int,
        on_progress: OnProgress | None,
        on_roster: OnRoster | None,
    ) -> None:
        self.instance, self.prices, self.clock, self.seed = instance, prices, clock, seed
        self.links: Links = links(instance, prices)
        self.oracle = Oracle(people(instance, prices), self.links)
        self.pool = Pool(self.links, instance.days)
        self.generator = Generator(self.oracle, self.pool, self._over, self._left)
        fairness = Fairness(self.oracle.people)
        told = None if on_roster is None else lambda: on_roster(self._roster())
        self.incumbent = Incumbent(self.pool, fairness, prices.scale, clock, on_progress, told)
        self.artificial = 10.0 * breach_price(instance) * prices.scale

    def _over(self) -> bool:
        self.clock.used = (self.oracle.work + self.generator.work) / WORK_UNIT
        return self.clock.over

    def _left(self) -> float:
        return self.clock.seconds - self.clock.elapsed

    def result(self, hint: Roster | None) -> Result:
        try:
            status = self._search(hint)
        except NoRoster:
            status = "infeasible"
        finally:
            self.oracle.close()
        if status in ("feasible", "unknown") and self.clock.stop.is_set():
            status = "stopped"
        return self._report(status)

    def _search(self, hint: Roster | None) -> Status:
        if not self._begin(hint):
            return "unknown"
        root = self._root(self.incumbent.bounded)
        if self.incumbent.fairness.priced and not self.incumbent.proven and not self._over():
            self.incumbent.centre()
            self._root(None)
        search = Neighbourhoods(self.generator, self.incumbent, self.artificial, self.seed, root.duals)
        search.steady = self.clock.deterministic is not None
        while not self._over() and not self.incumbent.proven:
            self.incumbent.centre()
            search.step()
        return "optimal" if self.incumbent.proven else "feasible"

    def _begin(self, hint: Roster | None) -> bool:
        """A first roster; False when there is no time for one."""
        if self._over():
            return False
        rows: list[Ints | None] = [None] * len(self.oracle.people)
        if hint is not None:
            rows = [
                self.oracle.nearest(n, self._labels(hint[nurse.id])) for n, nurse in enumerate(self.instance.nurses)
            ]
            self._offer(rows)
        for _ in range(GREEDY_ROUNDS):
            if not self.oracle.greedy(rows, self._over):
                break
            self._offer(rows)
        return bool(len(self.incumbent.columns))

    def _labels(self, row: list[str | None]) -> Ints:
        off = len(self.instance.shifts)
        return np.array([off if name is None else self.instance.shift_index[name] for name in row], dtype=np.int64)

    def _offer(self, rows: list[Ints | None]) -> None:
        """Take a roster that has a row for everybody."""
        known = [(n, row) for n, row in enumerate(rows) if row is not None]
        columns = [self.pool.add(n, row, self.oracle.people[n].judge(row)[0]) for n, row in known]
        if len(columns) == len(rows):
            self.incumbent.offer(np.array(columns, dtype=np.int64))

    def _root(self, on_bound: OnBound | None) -> Generated:
        """Generate for the whole ward, and dive."""
        programme = Programme(self.pool, len(self.oracle.people), self.artificial)
        programme.add(list(range(self.pool.count)))
        everyone = Part(list(range(len(self.oracle.people))))
        root = self.generator.generate(programme, everyone, None, on_bound=on_bound)
        if root.relaxed is not None and not self._over() and not self.incumbent.proven:
            dearest = float(self.links.demanded.under.max(initial=100.0))
            Dive(self.generator, programme, self.incumbent, JUMP * dearest, root.duals).run(root.relaxed)
        return root

    def _report(self, status: Status) -> Result:
        incumbent, elapsed = self.incumbent, self.clock.elapsed
        if not len(incumbent.columns):
            return Result(status, None, None, {}, incumbent.units(incumbent.bound), elapsed, incumbent.trace)
        counted = parts(Worked(self.instance, self._rows()), self.prices)
        return Result(
            status,
            self._roster(),
            incumbent.units(incumbent.cost),
            {kind: incumbent.units(cost) for kind, cost in counted.items()},
            incumbent.units(min(incumbent.bound, incumbent.cost)),
            elapsed,
            incumbent.trace,
        )

    def _rows(self) -> list[list[int | None]]:
        """The best roster's shifts, by nurse and day; None = off."""
        off = len(self.instance.shifts)
        return [[None if k == off else int(k) for k in row] for row in self.pool.rows[self.incumbent.columns]]

    def _roster(self) -> Roster:
        cells = {(n, d): s for n, row in enumerate(self._rows()) for d, s in enumerate(row) if s is not None}
        return self.instance.roster(cells)
