"""Work above the group's mean: a price on each nurse's own count, from a mean that is settled for a while.

The mean of nights, or of weekends, belongs to the whole roster, a column knows one nurse. So the mean is that of the
best roster so far, and is moved to that of each better one; what a roster really costs is counted from its own. No
mean at all means no price: what the search then proves holds whatever the mean is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wavegraph.tools.roster.columns.counters import Ints
from wavegraph.tools.roster.columns.personal import Person
from wavegraph.tools.roster.problem.prices import mean_of

Means = dict[str, int]
"""By kind of excess."""


@dataclass(frozen=True)
class Fairness:
    """The nurses with a price on excess, by kind."""

    people: Sequence[Person]

    @property
    def priced(self) -> bool:
        return any(person.excess for person in self.people)

    def means(self, rows: Sequence[Ints]) -> Means:
        """The means of a roster, one row of labels a nurse."""
        own: dict[str, dict[int, int]] = {}
        for n, person in enumerate(self.people):
            for rule, excess in person.excess.items():
                own.setdefault(excess.kind, {})[n] = person.own(rule, rows[n])
        return {kind: mean_of(counts) for kind, counts in own.items()}

    def cost(self, rows: Sequence[Ints], means: Means) -> float:
        """What all excess in a roster costs from these means."""
        total = 0.0
        for person, row in zip(self.people, rows, strict=True):
            for rule, excess in person.excess.items():
                if excess.kind in means:
                    total += float(excess.cost(np.array(person.own(rule, row)), means[excess.kind]))
        return total

    def centre(self, means: Means) -> None:
        for person in self.people:
            person.centre(means)
