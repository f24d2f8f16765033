"""The cheapest rosters of many nurses under the same duals, priced side by side, and the bound that follows from them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from wavegraph.tools.roster.columns import pricing
from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.links import Links
from wavegraph.tools.roster.columns.network import Bools, TooLarge
from wavegraph.tools.roster.columns.personal import Person, UnpricedRule

THREADS = 2
CALL_WORK = 300_000
"""Steps that a search counts for besides its own."""


@dataclass(frozen=True)
class Answer:
    """One nurse's cheapest rosters."""

    value: float
    """Of the very cheapest, relaxed rules left out: nothing legal costs less. Infinite = nothing is legal."""
    rows: list[Ints]
    costs: list[float]
    """Without the duals, each exact."""
    work: int


@dataclass
class Oracle:
    """Prices nurses. Which thread prices whom changes nothing, so answers do not depend on threads."""

    people: list[Person]
    links: Links
    rosters: int = 3
    """Asked of each nurse."""
    work: int = 0
    """Steps so far."""
    _threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(THREADS))

    def ask(self, duals: Floats, nurses: list[int], masks: dict[int, Bools] | None = None) -> list[Answer]:
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

    def one(self, n: int, duals: Floats, masks: dict[int, Bools] | None = None) -> Answer:
        person = self.people[n]
        prices = person.base - self.links.prices(n, duals, person.days, person.labels)
        if masks is not None and n in masks:
            prices = np.where(masks[n], prices, np.inf)
        work = 0
        while True:
            try:
                priced = pricing.rosters(person.network, prices, person.ending, self.rosters)
            except TooLarge as error:
                raise UnpricedRule(f"{', '.join(sorted(person.active))} together: too large a table") from error
            work += CALL_WORK + person.network.work
            judged = [person.judge(row) for row in priced.rows]
            if not judged or not person.join_in(judged[0][1]):
                break
        kept = [i for i, (cost, _) in enumerate(judged) if np.isfinite(cost)]
        rows, costs = [priced.rows[i] for i in kept], [judged[i][0] for i in kept]
        return Answer(person.constant + priced.best, rows, costs, work)

    def greedy(self, rows: list[Ints | None], over: Callable[[], bool]) -> bool:
        """Fill and renew rosters nurse by nurse, each priced against what the others leave open.

        False when there was no time for all. Raises LookupError when a nurse has no legal roster.
        """
        present = np.zeros(len(self.links))
        for n, row in enumerate(rows):
            present += 0.0 if row is None else self.links.activity(n, row)
        for n, row in enumerate(rows):
            if over():
                return False
            present -= 0.0 if row is None else self.links.activity(n, row)
            renewed = rows[n] = self.first(n, -self.links.marginal(present))
            present += self.links.activity(n, renewed)
        return True

    def first(self, n: int, duals: Floats) -> Ints:
        """The cheapest roster of a nurse. Raises LookupError when she has none."""
        answer = self.one(n, duals)
        self.work += answer.work
        if not answer.rows:
            raise LookupError(f"nurse {n} has no legal roster")
        return answer.rows[0]

    def nearest(self, n: int, row: Ints) -> Ints:
        """The legal roster that differs from a row on the fewest days. Raises LookupError when she has none."""
        person = self.people[n]
        prices = np.where(person.allowed, 1.0, np.inf)
        days = np.arange(person.days)
        prices[days, row] -= 1.0
        while True:
            priced = pricing.rosters(person.network, prices, np.where(np.isfinite(person.ending), 0.0, np.inf), 1)
            self.work += CALL_WORK + person.network.work
            if not len(priced.rows):
                raise LookupError(f"nurse {n} has no legal roster")
            if not person.join_in(person.judge(priced.rows[0])[1]):
                return np.asarray(priced.rows[0])
