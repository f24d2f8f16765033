"""The time limits of a search."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

Timer = Callable[[], float]
"""Seconds that pass, from any origin."""


@dataclass
class Clock:
    """The time left, in seconds and in deterministic units."""

    seconds: float
    deterministic: float | None
    stop: threading.Event
    timer: Timer
    used: float = 0.0
    """Deterministic time used."""

    def __post_init__(self) -> None:
        self._began = self.timer()

    @property
    def elapsed(self) -> float:
        return self.timer() - self._began

    @property
    def over(self) -> bool:
        """Whether the search has to end: stopped, or out of time of either kind."""
        spent = self.deterministic is not None and self.used >= self.deterministic
        return spent or self.stop.is_set() or self.elapsed >= self.seconds

    def limit(self, share: float, most: float = inf) -> "Limit":
        """A solve's share of the time, at most `most`."""
        if self.deterministic is None:
            return Limit(min(self.seconds, self.elapsed + min(self.seconds * share, most)), None)
        return Limit(self.seconds, min(max(0.0, self.deterministic - self.used), self.deterministic * share, most))


@dataclass(frozen=True)
class Limit:
    """When one solve has to end."""

    until: float
    """Seconds since the beginning."""
    deterministic: float | None
