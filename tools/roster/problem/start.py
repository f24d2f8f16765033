"""Where a search begins: what it asks whoever holds the must-rules for."""

from typing import Protocol

from wavegraph.tools.roster.ward.ward import Roster


class Start(Protocol):
    """A breach is a nurse below a minimum, or a shift without anyone in charge."""

    least_breaches: int
    """Every roster has as many: proven so far."""
    used: float
    """Units of work used so far."""

    def begin(self) -> Roster | None:
        """A roster without a breach; None = there is none, or it was not found in time."""

    def mend(self, roster: Roster) -> Roster | None:
        """One with fewer breaches than this, as few as the time allows."""
