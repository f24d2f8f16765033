"""The time limits of a search."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

Timer = Callable[[], float]
"""Seconds that pass, from any origin."""
ENOUGH_WORK = 0.0
"""A limit that stands for as much work as a ward of that size needs."""
LEAST_WORK, CELLS_A_UNIT = 2.0, 25
"""Of this: the public wards of 100 to 900 cells come within a part in a hundred of the best known roster by it."""


def work_of(limit: float | None, cells: int) -> float | None:
    """The limit in units for a ward of so many cells, nurses times days."""
    return max(LEAST_WORK, cells / CELLS_A_UNIT) if limit == ENOUGH_WORK else limit


@dataclass
class Clock:
    """The time left, in seconds and in deterministic units."""

    seconds: float
    deterministic: float | None
    stop: threading.Event
    timer: Timer
    patience: float = 1.0
    """How many times as long the search may take while it has found no roster, or one with a breach that may be avoided."""
    used: float = 0.0
    """Deterministic time used."""
    found: bool = False
    """Whether there is a roster, without a breach as far as that is possible."""

    def __post_init__(self) -> None:
        self._began = self.timer()

    @property
    def elapsed(self) -> float:
        return self.timer() - self._began

    @property
    def allowed(self) -> float:
        """Seconds that the search may take as things stand."""
        return self.seconds * (1.0 if self.found else self.patience)

    @property
    def allowed_work(self) -> float | None:
        """The same in deterministic units."""
        if self.deterministic is None:
            return None
        return self.deterministic * (1.0 if self.found else self.patience)

    @property
    def over(self) -> bool:
        """Whether the search has to end: stopped, or out of time of either kind."""
        spent = self.allowed_work is not None and self.used >= self.allowed_work
        return spent or self.stop.is_set() or self.elapsed >= self.allowed

    def limit(self, share: float, most: float = inf) -> "Limit":
        """A solve's share of the time, at most `most`."""
        if self.deterministic is None or self.allowed_work is None:
            return Limit(min(self.allowed, self.elapsed + min(self.seconds * share, most)), None)
        return Limit(self.allowed, min(max(0.0, self.allowed_work - self.used), self.deterministic * share, most))


@dataclass(frozen=True)
class Limit:
    """When one solve has to end."""

    until: float
    """Seconds since the beginning."""
    deterministic: float | None
