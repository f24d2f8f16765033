"""Rows of the whole time, nurse by nurse, each the cheapest for what the other nurses leave uncovered.

A search over all hours that a nurse can have worked before each day of a year is too large. Most rows worth having spread
her work evenly over the days she may work, so the search keeps within a leeway of that, and takes a wider one, at last any,
where no row lies within it.
"""

import logging
from collections.abc import Callable

import numpy as np

from wavegraph.graph.errors import error_text
from wavegraph.tools.roster.columns.build_nurse_models import UnpricedRule
from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.master_rows import MasterRows
from wavegraph.tools.roster.columns.nurse_model import NurseModel
from wavegraph.tools.roster.columns.oracle import NoRoster, Oracle

logger = logging.getLogger("wavegraph")

LEEWAYS = (6, 20, None)
"""Shifts by which a nurse may be ahead of an even share of her work, or behind it; None = by any number."""
MOST_CELLS, JOINING_CELLS = 60_000_000, 8_000_000
"""Values of one search: half a gigabyte, and a second or two; and of one that a further rule joins, since few are worth more
than some tenths of a second."""


class NoRow(Exception):
    """No row of the whole time is found for a nurse, by index; `why` in words."""

    def __init__(self, nurse: int, why: str, *, proven: bool) -> None:
        super().__init__(nurse, why)
        self.nurse, self.why, self.proven = nurse, why, proven


class WholeRows:
    """The rows of a roster, and what they add to each row of the master problem."""

    def __init__(self, models: list[NurseModel], master_rows: MasterRows, over: Callable[[], bool]) -> None:
        self.models, self.master_rows, self.over = models, master_rows, over
        self.oracle = Oracle(models, master_rows, 1)
        self.rows: list[Ints | None] = [None] * len(models)
        self.present = np.zeros(len(master_rows))
        self._active = [frozenset(model.active) for model in models]
        """Rules that each search begins with."""
        for model in models:
            model.most_cells, model.joining_cells = MOST_CELLS, JOINING_CELLS

    def start(self, rows: list[Ints]) -> None:
        """Begin from these rows."""
        self.rows, self.present = list(rows), self.activity(rows)

    def activity(self, rows: list[Ints]) -> Floats:
        """What they add to each row of the master problem."""
        return sum((self.master_rows.activity(n, row) for n, row in enumerate(rows)), np.zeros(len(self.master_rows)))

    def renew(self, *, is_eased: bool = False) -> bool:
        """One pass over all nurses; False if the time is too short. Raises NoRow where a nurse has none.

        `is_eased`: by prices that spread work over days, so that every row found is taken, also one that costs more.
        """
        marginal = self.master_rows.eased if is_eased else self.master_rows.marginal
        for n, row in enumerate(self.rows):
            if self.over():
                return False
            self.present -= 0.0 if row is None else self.master_rows.activity(n, row)
            prices = marginal(self.present)
            found = self._found(n, prices, row)
            if row is None or is_eased or self._price(n, found, prices) < self._price(n, row, prices):
                self.rows[n] = row = found
            self.present += self.master_rows.activity(n, row)
        return True

    def _price(self, n: int, row: Ints, prices: Floats) -> float:
        return self.models[n].cost_of(row) + float(self.master_rows.activity(n, row) @ prices)

    def _found(self, n: int, prices: Floats, row: Ints | None) -> Ints:
        """The cheapest row within a leeway; the row she has where none is found."""
        why, proven = "", False
        for leeway in LEEWAYS if row is None else (self.models[n].leeway,):
            self._keep_within(n, leeway)
            try:
                return self.oracle.first(n, -prices)
            except NoRoster:
                why, proven = "no row keeps all her rules", leeway is None
            except UnpricedRule as rule:
                why = error_text(rule)
        if row is None:
            raise NoRow(n, why, proven=proven)
        return row

    def _keep_within(self, n: int, leeway: int | None) -> None:
        """A search of another leeway begins with few rules again."""
        model = self.models[n]
        if leeway != model.leeway:
            model.leeway, model.active = leeway, set(self._active[n])
            model.kept_out.clear()
            model.forget()
