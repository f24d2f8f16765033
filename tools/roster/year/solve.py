"""Find a roster for a ward of many months: rows of the whole time first, then windows of days.

rows of the whole time -> (else part after part) -> rows and windows by turns, windows longer each round, until out of time

A nurse's table of a whole year is too large to price, but not within a leeway of an even share (`rows`). Windows are wards of
their own, the roster around them fixed (`parts`). Where a row of the whole time is too large all the same, the ward is built
part after part: each part's hours, weekends and kinds of shift are steered by their share of the year, the last part keeps
to the year's own bounds, and each is solved with some days more than it keeps, so that what it keeps can be gone on with.
Nothing is proven of the whole: a bound of the parts is not one of the year.
"""

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite

import numpy as np

from wavegraph.graph.errors import error_text
from wavegraph.tools.roster.columns.automaton import forget_tables
from wavegraph.tools.roster.columns.build_nurse_models import UnpricedRule, build_nurse_models
from wavegraph.tools.roster.columns.counters import Ints
from wavegraph.tools.roster.columns.master_rows import build_master_rows
from wavegraph.tools.roster.columns.solve import WORK_UNIT
from wavegraph.tools.roster.columns.solve import solve as by_columns
from wavegraph.tools.roster.problem.clock import Clock, Timer
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Penalties, Prices
from wavegraph.tools.roster.problem.result import OnProgress, OnRoster, Point, SolveResult, Status
from wavegraph.tools.roster.problem.rules.account import cost_by_kind, labelled
from wavegraph.tools.roster.ward.ward import Roster, Ward
from wavegraph.tools.roster.year.parts import LongWard, Part
from wavegraph.tools.roster.year.rows import NoRow, WholeRows

logger = logging.getLogger("wavegraph")

LONG_DAYS, LONG_CELLS = 190, 2500
"""Days, and cells, above which a ward is solved part by part."""
WEEK = 7
PART_CELLS, SHORTEST_PART = 1400, 14
"""Cells, nurses times days, that a part keeps; and its least days."""
EASED_ROUNDS = 1
"""Passes over all nurses with eased prices for a first roster, before one with the true prices."""
AHEAD = 7
"""Days that a part is solved beyond those it keeps."""
FIXED_AFTER = 14
"""Days after a window that are in its ward, fixed: no rule about the order of shifts reaches farther."""
BUILDING_SHARE = 0.6
"""Share of the time for the first roster."""
WINDOW_SHARE = 0.1
"""Share of the time for each window that is improved."""
SLACKS = ((0, 1), (0, 2), (0, 4), (1, 4), (2, 8))
"""Tries of a part: how many parts earlier it begins, and the shifts by which a nurse may be behind her share."""
GROWTHS = (1, 1.5, 2, 3)
"""How much longer than a part the windows of each round are: short ones soon end where no work can move within them."""
IN_VAIN = 6
"""Neighbourhoods in a row without a better roster that end a part."""


def is_long(ward: Ward) -> bool:
    """Whether a ward is better solved part by part."""
    return ward.days > LONG_DAYS and ward.days * len(ward.nurses) > LONG_CELLS


def solve(
    ward: Ward,
    *,
    penalties: Penalties | None = None,
    multipliers: Mapping[str, float] | None = None,
    hint: Roster | None = None,
    seconds: float = 30.0,
    work: float | None = None,
    patience: float = 1.0,
    seed: int = 1,
    on_progress: OnProgress | None = None,
    on_roster: OnRoster | None = None,
    stop: threading.Event | None = None,
    timer: Timer = time.monotonic,
    part_cells: int = PART_CELLS,
) -> SolveResult:
    """The best roster found part by part; arguments, cost and statuses as of `columns.solve`, but for these:

    `hint`: improved where it is legal, else only a hint for each part. `part_cells`: see `PART_CELLS`. The status is never
    `optimal`, nor `infeasible`; `unknown` where a part has no roster, and the log names it.

    The same call gives the same roster when `work` is given and neither `seconds` nor `stop` ends the search before it.
    """
    prices = Prices.make(penalties or Penalties(), multipliers or {})
    clock = Clock(seconds, work, stop or threading.Event(), timer, patience)
    search = _YearSearch(
        Instance.of(ward), prices, clock, penalties, multipliers, seed, part_cells, on_progress, on_roster
    )
    return search.result(hint)


@dataclass
class _YearSearch:
    """One call of `solve`."""

    instance: Instance
    prices: Prices
    clock: Clock
    penalties: Penalties | None
    multipliers: Mapping[str, float] | None
    seed: int
    part_cells: int
    on_progress: OnProgress | None
    on_roster: OnRoster | None
    roster: Roster | None = None
    cost: int = 0
    """In the objective's units."""
    trace: list[Point] = field(default_factory=list)
    why: str = ""
    """Why the search gave up."""

    def __post_init__(self) -> None:
        self.long_ward = LongWard(self.instance)
        self.nurse_models = build_nurse_models(self.instance, self.prices)
        rows = build_master_rows(self.instance, self.prices)
        self.whole = WholeRows(self.nurse_models, rows, lambda: self.clock.over)

    def result(self, hint: Roster | None) -> SolveResult:
        try:
            if hint is None or not self._offer(hint):
                self._begin(hint)
            if self.roster is not None:
                self._improve()
        finally:
            self.whole.oracle.close()
            forget_tables()
        status: Status = "stopped" if self.clock.stop.is_set() else "unknown" if self.roster is None else "feasible"
        cost = None if self.roster is None else self._units(self.cost)
        kinds = (
            {}
            if self.roster is None
            else cost_by_kind(self.instance, self.prices, labelled(self.instance, self.roster))
        )
        return SolveResult(
            status,
            self.roster,
            cost,
            {kind: self._units(each) for kind, each in kinds.items()},
            0.0,
            self.clock.elapsed,
            self.trace,
            why=self.why if status == "unknown" else "",
        )

    def _begin(self, hint: Roster | None) -> None:
        """A first roster: of rows for the whole time, or, where one is too large to price, part after part."""
        try:
            self._renewed(EASED_ROUNDS)
        except NoRow as found:
            self.why = f"{self.instance.nurses[found.nurse].id}: {found.why}"
            logger.info("no roster of rows for the whole time: %s", self.why)
            if not found.proven:
                self._build(hint)

    def _renewed(self, eased: int = 0) -> bool:
        """A pass over the rows of the whole time, each against what the others leave; whether the roster is better."""
        better, worked = False, self.whole.oracle.work
        if self.roster is not None:
            self.whole.start(self._labels(self.roster))
        for is_eased in [True] * eased + [False]:
            if not self.whole.renew(is_eased=is_eased):
                break
            better |= self._offer(self._named(self.whole.rows))
        forget_tables()
        self.clock.used += (self.whole.oracle.work - worked) / WORK_UNIT
        return better

    def _named(self, rows: Sequence[Ints | None]) -> Roster:
        names = [*(shift.id for shift in self.instance.shifts), None]
        known = [row.tolist() for row in rows if row is not None]
        return {nurse.id: [names[k] for k in row] for nurse, row in zip(self.instance.nurses, known, strict=True)}

    def _build(self, hint: Roster | None) -> None:
        """The first roster, part after part."""
        keeps = self._cut()
        shares = BUILDING_SHARE / len(keeps)
        rows: Roster = {nurse.id: [] for nurse in self.instance.nurses}
        for place, (_, end) in enumerate(keeps):
            grown = self._next(rows, keeps, place, hint, shares)
            if grown is None and self.clock.over:
                return
            if grown is None:
                days = f"days {keeps[place][0] + 1} to {end} of {self.instance.days}"
                gave_up = f"none found for {days} that goes on from the days before"
                self.why = f"{self.why}; {gave_up}" if self.why else gave_up
                logger.info("no roster for the whole ward: %s", gave_up)
                return
            rows = grown
        self._offer(rows)

    def _next(
        self, rows: Roster, keeps: list[tuple[int, int]], place: int, hint: Roster | None, share: float
    ) -> Roster | None:
        """The roster up to the end of a part; None if none is found."""
        end = keeps[place][1]
        for earlier, slack in SLACKS:
            if self.clock.over:
                return None
            begin = keeps[max(0, place - earlier)][0]
            before = {name: row[:begin] for name, row in rows.items()}
            stop = min(self.instance.days, end + AHEAD)
            found = self._solved(Part(begin, end, stop), before, slack, share * (1 + earlier), hint)
            if found is not None:
                return {name: [*before[name], *row[: end - begin]] for name, row in found.items()}
        return None

    def _solved(self, part: Part, roster: Roster, slack: int, share: float, hint: Roster | None) -> Roster | None:
        clock, work = self.clock, self.clock.deterministic
        cut = self.long_ward.cut(part, roster, slack)
        seconds = clock.allowed - clock.elapsed
        limit = seconds if work is not None else min(seconds, share * clock.allowed)
        try:
            found = by_columns(
                cut,
                penalties=self.penalties,
                multipliers=self.multipliers,
                hint=None if hint is None else {name: row[part.begin : part.stop] for name, row in hint.items()},
                seconds=limit,
                work=None if work is None else work * share,
                patience=max(1.0, seconds / limit) if limit > 0 else 1.0,
                most_in_vain=IN_VAIN,
                seed=self.seed,
                stop=clock.stop,
                timer=clock.timer,
            )
        except UnpricedRule as rule:
            logger.info("days %d to %d: %s", part.begin + 1, part.stop, error_text(rule))
            clock.used += 0.0 if work is None else work * share
            return None
        finally:
            forget_tables()
        clock.used += found.work
        return found.roster

    def _improve(self) -> None:
        """Renew rows and solve windows, longer and longer ones, until a whole turn is in vain or the time is up."""
        better, shifted = True, True
        while better:
            better = False
            for growth in GROWTHS:
                better |= self._renewed()
                for window in self._cut(growth, shifted=shifted):
                    if self.clock.over:
                        return
                    better |= self._solved_anew(window)
                shifted = not shifted

    def _solved_anew(self, window: tuple[int, int]) -> bool:
        """Solve a window, the roster around it fixed; whether the roster is better."""
        if (rows := self.roster) is None:
            return False
        begin, end = window
        part = Part(begin, end, min(self.instance.days, end + FIXED_AFTER))
        found = self._solved(part, rows, 0, WINDOW_SHARE, rows)
        return found is not None and self._offer(
            {name: [*rows[name][:begin], *row, *rows[name][part.stop :]] for name, row in found.items()}
        )

    @property
    def _length(self) -> int:
        """Days of a part: whole weeks."""
        return max(SHORTEST_PART, self.part_cells // len(self.instance.nurses) // WEEK * WEEK)

    def _cut(self, growth: float = 1, *, shifted: bool = False) -> list[tuple[int, int]]:
        """The days in parts of the usual length times a growth: begun on Mondays, so that no weekend is cut.

        `shifted`: the first one has half the length.
        """
        length = int(growth * self._length) // WEEK * WEEK
        monday = -self.instance.ward.start.weekday() % WEEK
        first = monday + (length // 2 // WEEK * WEEK if shifted else length)
        begins = [0, *range(first, self.instance.days - SHORTEST_PART, length)]
        return list(zip(begins, [*begins[1:], self.instance.days], strict=True))

    def _offer(self, roster: Roster) -> bool:
        """Keep a legal roster if it is better."""
        found = self._cost(roster)
        if not isfinite(found) or (self.roster is not None and found >= self.cost):
            return False
        cost = round(found)
        self.roster, self.cost, self.clock.found = roster, cost, True
        self.trace.append(Point(self.clock.elapsed, self._units(cost), 0.0))
        if self.on_roster is not None:
            self.on_roster(roster)
        if self.on_progress is not None:
            self.on_progress(self._units(cost), 0.0, self.clock.elapsed)
        return True

    def _cost(self, roster: Roster) -> float:
        """By every rule of each nurse over the whole ward, however it was found; infinite = one of them forbids it."""
        rows = self._labels(roster)
        own = sum(model.cost_of(row) for model, row in zip(self.nurse_models, rows, strict=True))
        return own + self.whole.master_rows.cost(self.whole.activity(rows))

    def _labels(self, roster: Roster) -> list[Ints]:
        return [np.array(row) for row in labelled(self.instance, roster)]

    def _units(self, cost: int) -> float:
        scale = self.prices.scale
        return cost // scale if cost % scale == 0 else cost / scale
