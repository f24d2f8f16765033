"""The cheapest rosters of many nurses under the same duals, priced side by side, and the bound that follows."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from wavegraph.tools.roster.columns import pricing
from wavegraph.tools.roster.columns.automaton import Impossible
from wavegraph.tools.roster.columns.counters import Counter, Floats, Ints
from wavegraph.tools.roster.columns.links import MasterRows
from wavegraph.tools.roster.columns.network import Bools, TooLarge
from wavegraph.tools.roster.columns.people import UnpricedRule
from wavegraph.tools.roster.columns.personal import NurseModel

THREADS = 2
MOST_MULTIPLIED = 12
"""Searches for the multipliers of one nurse."""
SHRINK, ENOUGH_MULTIPLIED = 0.5, 0.05
"""Of a multiplier's step, from one search to the next; and the part of its first size at which it is exact enough."""
CALL_WORK = 300_000
"""Steps that a search counts for besides its own."""
CHANGED_DAY = 1e9
"""Price of a day that differs from a hint's: far above all that a roster may cost, which the search counts, too."""


class NoRoster(Exception):
    """A nurse, by index, has no legal roster, so the ward has none."""


@dataclass(frozen=True)
class PricedNurse:
    """One nurse's cheapest rosters."""

    value: float
    """Of the very cheapest, relaxed rules left out: nothing legal costs less. Infinite = nothing is legal."""
    rows: list[Ints]
    costs: list[float]
    """Without the duals, each exact."""
    work: int
    cheapest: Ints
    """The very cheapest, relaxed rules left out; empty where nothing is legal."""


def _priced_nurse(priced: pricing.Priced, judged: list[tuple[float, set[str]]], work: int) -> PricedNurse:
    kept = [i for i, (cost, _) in enumerate(judged) if np.isfinite(cost)]
    cheapest = priced.rows[0] if len(priced.rows) else np.zeros(0, dtype=np.int64)
    return PricedNurse(priced.best, [priced.rows[i] for i in kept], [judged[i][0] for i in kept], work, cheapest)


def _spread(prices: Floats) -> float:
    """What a cell's price may be about."""
    return max(1.0, float(np.abs(prices[np.isfinite(prices)]).max(initial=1.0)) / 8)


@dataclass
class Oracle:
    """Prices nurses. Which thread prices whom changes nothing, so answers do not depend on threads."""

    people: list[NurseModel]
    links: MasterRows
    rosters: int = 3
    """Asked of each nurse."""
    work: int = 0
    """Steps so far."""
    _threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(THREADS))

    def ask(self, duals: Floats, nurses: list[int], masks: dict[int, Bools] | None = None) -> list[PricedNurse]:
        """The answers for these nurses, in order; `masks` (days x labels) say what each may work."""
        parts = [nurses[i::THREADS] for i in range(THREADS)]
        done = self._threads.map(lambda part: [self.one(n, duals, masks) for n in part], parts)
        answers = {
            n: answer for part, found in zip(parts, done, strict=True) for n, answer in zip(part, found, strict=True)
        }
        self.work += sum(answer.work for answer in answers.values())
        return [answers[n] for n in nurses]

    def close(self) -> None:
        self._threads.shutdown()

    def one(self, n: int, duals: Floats, masks: dict[int, Bools] | None = None) -> PricedNurse:
        person = self.people[n]
        prices = person.base - self.links.prices(n, duals, person.days, person.labels)
        if masks is not None and n in masks:
            prices = np.where(masks[n], prices, np.inf)
        try:
            answer = self._joining(person, prices)
        except Impossible:
            return PricedNurse(np.inf, [], [], CALL_WORK, np.zeros(0, dtype=np.int64))
        except TooLarge as error:
            raise UnpricedRule(f"{', '.join(sorted(person.active))} together: too large a table") from error
        if np.isfinite(answer.value) and not answer.rows:
            answer = self._multiplied(person, prices, answer)
        return replace(answer, value=answer.value + person.constant)

    def _joining(self, person: NurseModel, prices: Floats) -> PricedNurse:
        """Price, and let relaxed rules join in, until the cheapest roster breaks none that can."""
        work = 0
        while True:
            priced = pricing.rosters(person.network, prices, person.ending, self.rosters)
            work += CALL_WORK + person.network.work
            judged = [person.judge(row) for row in priced.rows]
            if not judged or not person.join_in(judged[0][1]):
                break
        return _priced_nurse(priced, judged, work)

    def _multiplied(self, person: NurseModel, prices: Floats, relaxed: PricedNurse) -> PricedNurse:
        """Price a unit of each limit that is not counted, until a roster keeps them (Lagrange).

        max over m >= 0 of  cheapest roster with m more a unit  -  m cap        is a bound as well
        """
        value, work, step = relaxed.value, relaxed.work, _spread(prices)
        best = relaxed
        for _ in range(MOST_MULTIPLIED):
            limits = person.relaxed_limits()
            extra = sum((person.multipliers.get(m.rule, 0.0) * np.array(m.per_label) for m in limits), np.zeros(1))
            answer = self._joining(person, prices + extra)
            work += answer.work
            best = answer if answer.rows else best
            value = max(value, answer.value - sum(person.multipliers.get(m.rule, 0.0) * m.cap for m in limits))
            if answer.rows and step < ENOUGH_MULTIPLIED * _spread(prices):
                break
            if not self._move(person, limits, answer, step):
                break
            step *= SHRINK if best.rows else 1 / SHRINK
        return PricedNurse(value, best.rows, best.costs, work, best.cheapest)

    def _move(self, person: NurseModel, limits: list[Counter], answer: PricedNurse, step: float) -> bool:
        """Raise the price of what is over its limit, lower that of what is under; False when all is just right."""
        moved = False
        for limit in limits:
            above = int(np.array(limit.per_label)[answer.cheapest].sum()) - limit.cap
            now = person.multipliers.get(limit.rule, 0.0)
            after = max(0.0, now + (step if above > 0 else -step if above < 0 else 0.0))
            moved |= after != now
            person.multipliers[limit.rule] = after
        return moved

    def greedy(self, rows: list[Ints | None], over: Callable[[], bool], marginal: Callable[[Floats], Floats]) -> bool:
        """Fill and renew rosters nurse by nurse, each priced against what the others leave open.

        `marginal` says what one more unit costs in each row, by the activity there. False when there was no time for
        all. Raises NoRoster when a nurse has no legal roster.
        """
        present = np.zeros(len(self.links))
        for n, row in enumerate(rows):
            present += 0.0 if row is None else self.links.activity(n, row)
        for n, row in enumerate(rows):
            if over():
                return False
            present -= 0.0 if row is None else self.links.activity(n, row)
            renewed = rows[n] = self.first(n, -marginal(present))
            present += self.links.activity(n, renewed)
        return True

    def first(self, n: int, duals: Floats) -> Ints:
        """The cheapest roster of a nurse. Raises NoRoster when she has none."""
        answer = self.one(n, duals)
        self.work += answer.work
        if not np.isfinite(answer.value):
            raise NoRoster(n)
        if not answer.rows:
            raise UnpricedRule(f"{', '.join(sorted(self.people[n].kept_out))}: no roster found that keeps them")
        return answer.rows[0]

    def nearest(self, n: int, row: Ints) -> Ints | None:
        """The legal roster that differs from a row on the fewest days; None where a relaxed rule stands in its way.

        Raises NoRoster when she has no legal roster at all.
        """
        self.first(n, np.zeros(len(self.links)))
        person = self.people[n]
        prices = np.where(person.allowed, CHANGED_DAY, np.inf)
        days = np.arange(person.days)
        prices[days, row] -= CHANGED_DAY
        while True:
            priced = pricing.rosters(person.network, prices, np.where(np.isfinite(person.ending), 0.0, np.inf), 1)
            self.work += CALL_WORK + person.network.work
            if not len(priced.rows):
                raise NoRoster(n)
            cost, broken = person.judge(priced.rows[0])
            if not person.join_in(broken):
                return np.asarray(priced.rows[0]) if np.isfinite(cost) else None
