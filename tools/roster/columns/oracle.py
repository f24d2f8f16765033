"""The pricing oracle: the cheapest rosters of many nurses under the same duals, and the bound that follows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from wavegraph.tools.roster.columns import pricing
from wavegraph.tools.roster.columns.automaton import Impossible
from wavegraph.tools.roster.columns.build_nurse_models import UnpricedRule
from wavegraph.tools.roster.columns.counters import Counter, Floats, Ints
from wavegraph.tools.roster.columns.master_rows import MasterRows
from wavegraph.tools.roster.columns.network import Bools, TooLarge
from wavegraph.tools.roster.columns.nurse_model import NurseModel
from wavegraph.tools.roster.problem.ids import RuleId

MOST_MULTIPLIED = 12
"""Searches for one nurse's multipliers."""
SHRINK, ENOUGH_MULTIPLIED = 0.5, 0.05
"""By how much a multiplier's step shrinks from one search to the next, and the share of its first size that is enough."""
CALL_WORK = 300_000
"""Work of a search besides its own, in steps."""
CHANGED_DAY = 1e9
"""Price of a day that differs from the hint: far above the cost of any roster."""


class NoRoster(Exception):
    """A nurse, by index, has no legal roster, so neither has the ward."""


@dataclass(frozen=True)
class PricedNurse:
    """One nurse's cheapest rosters."""

    value: float
    """Of the cheapest row, ignoring relaxed rules: no legal row costs less. Infinite = no row is legal."""
    rows: list[Ints]
    costs: list[float]
    """Exact, without the duals."""
    work: int
    cheapest: Ints
    """The cheapest row, ignoring relaxed rules; empty = no row is legal."""


def _priced_nurse(priced: pricing.Priced, judged: list[tuple[float, set[RuleId]]], work: int) -> PricedNurse:
    kept = [i for i, (cost, _) in enumerate(judged) if np.isfinite(cost)]
    cheapest = priced.rows[0] if len(priced.rows) else np.zeros(0, dtype=np.int64)
    return PricedNurse(priced.best, [priced.rows[i] for i in kept], [judged[i][0] for i in kept], work, cheapest)


def _spread(prices: Floats) -> float:
    """The size of a typical cell's price."""
    return max(1.0, float(np.abs(prices[np.isfinite(prices)]).max(initial=1.0)) / 8)


def _ration(prices: Floats, limit: Counter, row: Ints) -> None:
    """Forbid what a limit counts but on the cheapest of the days on which a row has it, as many as the limit allows."""
    counted = np.array(limit.per_label) > 0
    days = np.flatnonzero(counted[row])
    kept = days[np.argsort(prices[days, row[days]], kind="stable")[: limit.cap]]
    others = np.setdiff1d(np.arange(len(row)), kept)
    prices[np.ix_(others, np.flatnonzero(counted))] = np.inf


@dataclass
class Oracle:
    """Prices nurses, one after another.

    A second thread saved nothing that could be measured: pricing is a sixth to two fifths of a search, and part of it is
    Python's own. So a search is one thread, and its seconds on a quiet machine are the processor's.
    """

    nurse_models: list[NurseModel]
    master_rows: MasterRows
    rosters: int = 3
    """Rows wanted of each nurse."""
    work: int = 0
    """Steps so far."""

    def ask(self, duals: Floats, nurses: list[int], masks: dict[int, Bools] | None = None) -> list[PricedNurse]:
        """The answers for these nurses, in order; `masks` (days x labels) say what each may work."""
        answers = [self.one(n, duals, masks) for n in nurses]
        self.work += sum(answer.work for answer in answers)
        return answers

    def close(self) -> None:
        """Drop the tables of the search."""
        for model in self.nurse_models:
            model.forget()

    def one(
        self, n: int, duals: Floats, masks: dict[int, Bools] | None = None, *, any_legal: bool = False
    ) -> PricedNurse:
        """`any_legal`: a legal row is enough, whatever rules it pays for that the search does not price yet."""
        model, prices = self.nurse_models[n], self.prices(n, duals, masks)
        try:
            answer = self._joining(model, prices, any_legal=any_legal)
        except Impossible:
            return PricedNurse(np.inf, [], [], CALL_WORK, np.zeros(0, dtype=np.int64))
        except TooLarge as error:
            rules = {*model.active, *(counter.rule for counter in model.table.counters)}
            why = f"counted together over {model.days} days they need {error.told}"
            raise UnpricedRule.of(rules, why) from error
        for more in (self._rationed, self._multiplied) if any_legal else (self._multiplied, self._rationed):
            if np.isfinite(answer.value) and not answer.rows:
                answer = more(model, prices, answer)
        return answer

    def prices(self, n: int, duals: Floats, masks: Mapping[int, Bools] | None) -> Floats:
        """What each cell costs her under the duals, days x labels; infinite = forbidden."""
        model = self.nurse_models[n]
        prices = model.base - self.master_rows.prices(n, duals, model.days, model.labels)
        return prices if masks is None or n not in masks else np.where(masks[n], prices, np.inf)

    def _joining(self, model: NurseModel, prices: Floats, *, any_legal: bool = False) -> PricedNurse:
        """Price, and let broken rules join in, until the cheapest row breaks none that can."""
        work = 0
        while True:
            priced = pricing.rosters(model.network, prices, model.ending, self.rosters)
            work += CALL_WORK + model.network.work
            judged = [model.judge(row) for row in priced.rows]
            enough = any_legal and any(np.isfinite(cost) for cost, _ in judged)
            if not judged or enough or not model.join_in(judged[0][1]):
                break
        return _priced_nurse(priced, judged, work)

    def _multiplied(self, model: NurseModel, prices: Floats, relaxed: PricedNurse) -> PricedNurse:
        """Price a unit of each limit that is not counted, until a row keeps them all (Lagrange).

        max over m >= 0 of  cheapest roster with m more a unit  -  m cap        is a bound as well
        """
        value, work, step = relaxed.value, relaxed.work, _spread(prices)
        best = relaxed
        for _ in range(MOST_MULTIPLIED):
            limits = model.relaxed_limits()
            extra, caps = model.relaxed_prices()
            answer = self._joining(model, prices + extra)
            work += answer.work
            best = answer if answer.rows else best
            value = max(value, answer.value - caps)
            if answer.rows and step < ENOUGH_MULTIPLIED * _spread(prices):
                break
            if not self._move(model, limits, answer, step):
                break
            step *= SHRINK if best.rows else 1 / SHRINK
        return PricedNurse(value, best.rows, best.costs, work, best.cheapest)

    def _rationed(self, model: NurseModel, prices: Floats, relaxed: PricedNurse) -> PricedNurse:
        """Where no multiplier finds a row that keeps the limits, as between shifts that cost the same: what exceeds a limit
        is worked only on as many days as it allows, the cheapest of those on which the cheapest row has it."""
        prices, answer, open_limits, work = prices.copy(), relaxed, model.relaxed_limits(), relaxed.work
        while len(answer.cheapest) and not answer.rows:
            exceeded = [limit for limit in open_limits if model.own(limit.rule, answer.cheapest) > limit.cap]
            if not exceeded:
                break
            for limit in exceeded:
                _ration(prices, limit, answer.cheapest)
            open_limits = [limit for limit in open_limits if limit not in exceeded]
            answer = self._joining(model, prices)
            work += answer.work
        return replace(relaxed, rows=answer.rows, costs=answer.costs, work=work)

    def _move(self, model: NurseModel, limits: list[Counter], answer: PricedNurse, step: float) -> bool:
        """Raise the price of each limit that is exceeded, lower that of one with room; False if none changes."""
        moved = False
        for limit in limits:
            above = int(np.array(limit.per_label)[answer.cheapest].sum()) - limit.cap
            now = model.multipliers.get(limit.rule, 0.0)
            after = max(0.0, now + (step if above > 0 else -step if above < 0 else 0.0))
            moved |= after != now
            model.multipliers[limit.rule] = after
        return moved

    def greedy(self, rows: list[Ints | None], over: Callable[[], bool], marginal: Callable[[Floats], Floats]) -> bool:
        """Build or improve a roster nurse by nurse, each priced against the shifts that the others leave uncovered.

        A rule that makes the search slow joins it later, in column generation: a first roster takes any legal row. `marginal`: what one more unit costs in each row, given the activity. False if the time is too short for all nurses.
        Raises NoRoster where a nurse has no legal roster.
        """
        present = np.zeros(len(self.master_rows))
        for n, row in enumerate(rows):
            present += 0.0 if row is None else self.master_rows.activity(n, row)
        for n, row in enumerate(rows):
            if over():
                return False
            present -= 0.0 if row is None else self.master_rows.activity(n, row)
            renewed = rows[n] = self._renewed(n, -marginal(present), row)
            present += self.master_rows.activity(n, renewed)
        return True

    def _renewed(self, n: int, duals: Floats, row: Ints | None) -> Ints:
        """The cheapest row that is found; the one she has where none is."""
        try:
            return self.first(n, duals)
        except UnpricedRule:
            if row is None:
                raise
            return row

    def first(self, n: int, duals: Floats) -> Ints:
        """A cheap legal row of a nurse. Raises NoRoster where she has none."""
        answer = self.one(n, duals, any_legal=True)
        self.work += answer.work
        if not np.isfinite(answer.value):
            raise NoRoster(n)
        if not answer.rows:
            raise UnpricedRule.of(self.nurse_models[n].kept_out, "no roster found that keeps them")
        return answer.rows[0]

    def nearest(self, n: int, row: Ints) -> Ints | None:
        """The legal row that differs from this one on the fewest days; None where a relaxed rule forbids it.

        Raises NoRoster where she has no legal row at all.
        """
        model = self.nurse_models[n]
        if np.isfinite(model.cost_of(row)):
            return row
        self.first(n, np.zeros(len(self.master_rows)))
        prices = np.where(model.allowed, CHANGED_DAY, np.inf)
        days = np.arange(model.days)
        prices[days, row] -= CHANGED_DAY
        while True:
            priced = pricing.rosters(model.network, prices, np.where(np.isfinite(model.ending), 0.0, np.inf), 1)
            self.work += CALL_WORK + model.network.work
            if not len(priced.rows):
                raise NoRoster(n)
            cost, broken = model.judge(priced.rows[0])
            if np.isfinite(cost) or not model.join_in(broken):
                return np.asarray(priced.rows[0]) if np.isfinite(cost) else None
