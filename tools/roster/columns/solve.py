"""Find the best roster that the time allows by column generation, with a proven bound.

without a breach, nearest to the hint, or greedy -> column generation (the bound) -> dive -> neighbourhoods and branches by
turns, until proven or out of time
"""

import threading
import time
from collections.abc import Mapping

import numpy as np

from wavegraph.tools.roster.columns.branching.grain import grain
from wavegraph.tools.roster.columns.branching.tree import BranchAndPrice
from wavegraph.tools.roster.columns.branching.turns import Turns
from wavegraph.tools.roster.columns.build_nurse_models import build_nurse_models
from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.dive import Dive
from wavegraph.tools.roster.columns.generation import ColumnGenerator, GeneratedColumns, Neighbourhood, OnBound
from wavegraph.tools.roster.columns.incumbent import Incumbent
from wavegraph.tools.roster.columns.master_problem import MasterProblem
from wavegraph.tools.roster.columns.master_rows import MasterRows, build_master_rows
from wavegraph.tools.roster.columns.neighbourhoods import NeighbourhoodSearch
from wavegraph.tools.roster.columns.oracle import NoRoster, Oracle
from wavegraph.tools.roster.columns.pool import Pool
from wavegraph.tools.roster.problem.clock import Clock, Timer
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Penalties, Prices, breach_price
from wavegraph.tools.roster.problem.result import Columns, OnProgress, OnRoster, SolveResult, Status
from wavegraph.tools.roster.problem.rules.account import cost_by_kind, labelled, labels_of
from wavegraph.tools.roster.problem.start import Start
from wavegraph.tools.roster.ward.ward import Roster, Ward

WORK_UNIT = 1e9
"""Steps in a unit of work."""
EASED_ROUNDS, GREEDY_ROUNDS = 3, 2
"""Passes over all nurses for a first roster: with eased prices, then with the true ones."""
ROOT_STARTERS = KEPT_COLUMNS = 20
"""Known columns of each nurse that generation for the whole ward starts from; and how many a result holds."""
ROOT_SHARE, SWEPT_ROOT_SHARE = 0.5, 0.25
"""Share of the time for column generation on the whole ward: by itself, and after a sweep."""


def solve(
    ward: Ward,
    *,
    penalties: Penalties | None = None,
    multipliers: Mapping[str, float] | None = None,
    hint: Roster | None = None,
    columns: Columns | None = None,
    start: Start | None = None,
    seconds: float = 30.0,
    work: float | None = None,
    patience: float = 1.0,
    most_in_vain: int | None = None,
    seed: int = 1,
    on_progress: OnProgress | None = None,
    on_roster: OnRoster | None = None,
    stop: threading.Event | None = None,
    timer: Timer = time.monotonic,
) -> SolveResult:
    """The best roster of the ward found in `seconds`, at the cost that `cpsat.solve` gives the same roster.

    `penalties`, `multipliers`, `patience`, `stop` and `timer` as there. `hint`: a roster to start from; where it breaks a nurse's
    rules, the nearest legal row replaces hers. `columns`: of an earlier result, to start from, too; rows that break a rule
    are ignored. `start`: has the first roster where there is no hint, and mends one with a breach; `patience` then ends with a
    roster that has no more breaches than have to be. `most_in_vain`: neighbourhoods in a row without a better roster that end the search; None = only time and a
    proof do. `on_progress` is called from this thread, also when only the bound improves.

    The same call gives the same roster when `work` is given (steps counted; a unit is about a second or two of one core)
    and neither `seconds` nor `stop` ends the search before it.

    Raises ValueError for a multiplier of an unknown kind, and `UnpricedRule`, a ValueError too, for a rule that columns
    cannot price. What the search cannot do is a status, not an exception.
    """
    instance = Instance.of(ward)
    prices = Prices.make(penalties or Penalties(), multipliers or {})
    clock = Clock(seconds, work, stop or threading.Event(), timer, patience)
    search = _ColumnSearch(instance, prices, clock, seed, most_in_vain, on_progress, on_roster, start)
    return search.result(hint, columns or {})


class _ColumnSearch:
    """One call of `solve`."""

    def __init__(
        self,
        instance: Instance,
        prices: Prices,
        clock: Clock,
        seed: int,
        most_in_vain: int | None,
        on_progress: OnProgress | None,
        on_roster: OnRoster | None,
        start: Start | None,
    ) -> None:
        self.start = start
        self.instance, self.prices, self.clock, self.seed = instance, prices, clock, seed
        self.most_in_vain = np.inf if most_in_vain is None else most_in_vain
        self.master_rows: MasterRows = build_master_rows(instance, prices)
        self.oracle = Oracle(build_nurse_models(instance, prices), self.master_rows)
        self.pool = Pool(self.master_rows, instance.days)
        self.generator = ColumnGenerator(self.oracle, self.pool, self._over, self._left)
        on_better = None if on_roster is None else lambda: on_roster(self._roster())
        step = grain(self.oracle.nurse_models, self.master_rows)
        self.incumbent = Incumbent(self.pool, prices.scale, clock, on_progress, on_better, grain=step)
        self.share = 1.0
        """Share of the time that may be spent so far."""
        self.artificial = 10.0 * breach_price(instance.ward) * prices.scale
        self.search = NeighbourhoodSearch(
            self.generator, self.incumbent, self.artificial, seed, np.zeros(len(self.master_rows))
        )

    def _over(self) -> bool:
        self.clock.used = (self.oracle.work + self.generator.work) / WORK_UNIT + (self.start.used if self.start else 0)
        return self.clock.over or self._spent > self.share

    @property
    def _spent(self) -> float:
        """The share of the work, or of the time, that is used."""
        clock = self.clock
        return clock.used / clock.allowed_work if clock.allowed_work else clock.elapsed / max(clock.allowed, 1e-9)

    def _left(self) -> float:
        share = 1.0 if self.clock.deterministic else self.share
        return share * self.clock.allowed - self.clock.elapsed

    def result(self, hint: Roster | None, columns: Columns) -> SolveResult:
        try:
            self._remember(columns)
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
        self._whole()
        if not self._over() and not self.incumbent.proven:
            self._take_turns()
        return "optimal" if self.incumbent.proven else "feasible"

    def _take_turns(self) -> None:
        turns = Turns(self._tree(), self.search)
        while not self._over() and not self.incumbent.proven and turns.in_vain < self.most_in_vain:
            turns.step()

    def _tree(self) -> BranchAndPrice:
        return BranchAndPrice(self.generator, self.incumbent, self.artificial, self.search.duals)

    def _whole(self) -> None:
        """Search the ward as a whole, for the bound, the duals and a roster."""
        search, swept = self.search, -np.inf
        if search.wide:
            search.sweep()
            swept = self.generator.bound(search.duals)
            self.incumbent.bounded(swept)
        share = self._spent + (SWEPT_ROOT_SHARE if search.wide else ROOT_SHARE)
        root = self._root(self.incumbent.bounded, search.duals if search.wide else None, share)
        if root.bound >= swept:
            search.duals = root.duals

    def _remember(self, columns: Columns) -> None:
        """Add the legal rows of an earlier search to the pool."""
        for n, nurse in enumerate(self.instance.nurses):
            for row in columns.get(nurse.id, []):
                labels = np.array(labels_of(self.instance, row))
                cost = self.oracle.nurse_models[n].cost_of(labels)
                if np.isfinite(cost):
                    self.pool.add(n, labels, cost)

    def _begin(self, hint: Roster | None) -> bool:
        """Find a first roster; False if the time is too short."""
        if self._over():
            return False
        begun = self.start.begin() if self.start is not None and hint is None else hint
        if self.start is not None:
            self.incumbent.aims_at(self.start.least_breaches)
        rows: list[Ints | None] = [None] * len(self.oracle.nurse_models)
        self._improve(rows if begun is None else self._nearest(begun), eased=begun is None)
        self._mend()
        return bool(len(self.incumbent.columns))

    def _nearest(self, roster: Roster) -> list[Ints | None]:
        rows = [self.oracle.nearest(n, np.array(row)) for n, row in enumerate(labelled(self.instance, roster))]
        self._offer(rows)
        return rows

    def _improve(self, rows: list[Ints | None], *, eased: bool) -> None:
        """Nurse by nurse, and offer what comes of it."""
        first = [self.master_rows.eased] * (EASED_ROUNDS if eased else 0)
        for marginal in [*first, *[self.master_rows.marginal] * GREEDY_ROUNDS]:
            if not self.oracle.greedy(rows, self._over, marginal):
                break
            self._offer(rows)

    def _mend(self) -> None:
        """Look for a roster with fewer breaches than the first one."""
        if self.start is None or not len(self.incumbent.columns):
            return
        if self.incumbent.breaches > self.start.least_breaches:
            mended = self.start.mend(self._roster())
            self.incumbent.aims_at(self.start.least_breaches)
            if mended:
                self._improve(self._nearest(mended), eased=False)

    def _offer(self, rows: list[Ints | None]) -> None:
        """Offer a roster to the incumbent if every nurse has a row."""
        known = [(n, row) for n, row in enumerate(rows) if row is not None]
        columns = [self.pool.add(n, row, self.oracle.nurse_models[n].judge(row)[0]) for n, row in known]
        if len(columns) == len(rows):
            self.incumbent.offer(np.array(columns, dtype=np.int64))

    def _root(self, on_bound: OnBound | None, duals: Floats | None, share: float) -> GeneratedColumns:
        """Generate for the whole ward until `share` of the time is spent, then dive."""
        master = MasterProblem(self.pool, len(self.oracle.nurse_models), self.artificial)
        master.add(self.incumbent.columns.tolist())
        for n in range(len(self.oracle.nurse_models)):
            master.add(self.pool.cheapest(np.flatnonzero(self.pool.nurse == n), self.search.duals, ROOT_STARTERS))
        everyone = Neighbourhood(list(range(len(self.oracle.nurse_models))))
        self.share = share
        root = self.generator.generate(master, everyone, duals, on_bound=on_bound)
        self.share = 1.0
        if root.relaxed is not None and not self._over() and not self.incumbent.proven:
            Dive(self.generator, master, self.incumbent, everyone, root.duals).run(root.relaxed)
        return root

    def _report(self, status: Status) -> SolveResult:
        incumbent, elapsed = self.incumbent, self.clock.elapsed
        if not len(incumbent.columns):
            return SolveResult(
                status, None, None, {}, incumbent.units(incumbent.bound), elapsed, incumbent.trace, work=self.clock.used
            )
        counted = cost_by_kind(self.instance, self.prices, self.pool.rows[incumbent.columns].tolist())
        return SolveResult(
            status,
            self._roster(),
            incumbent.units(incumbent.cost),
            {kind: incumbent.units(cost) for kind, cost in counted.items()},
            incumbent.units(min(incumbent.bound, incumbent.cost)),
            elapsed,
            incumbent.trace,
            self._columns(),
            self.clock.used,
        )

    def _columns(self) -> Columns:
        """The incumbent's rows, and the best known ones of each nurse by the current duals."""
        found = Columns()
        for n, (nurse, chosen) in enumerate(zip(self.instance.nurses, self.incumbent.columns.tolist(), strict=True)):
            known = np.flatnonzero(self.pool.nurse == n)
            best = dict.fromkeys([chosen, *self.pool.cheapest(known, self.search.duals, KEPT_COLUMNS)])
            found[nurse.id] = [self._shifts(column) for column in best]
        return found

    def _shifts(self, column: int) -> list[str | None]:
        """The row of a column; None = off."""
        names = [*(shift.id for shift in self.instance.shifts), None]
        return [names[label] for label in self.pool.rows[column].tolist()]

    def _roster(self) -> Roster:
        names = [nurse.id for nurse in self.instance.nurses]
        return dict(zip(names, map(self._shifts, self.incumbent.columns.tolist()), strict=True))
