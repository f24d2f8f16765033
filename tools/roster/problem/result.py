"""The result of a solve."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from wavegraph.tools.roster.ward.ward import Roster

Columns = dict[str, list[list[str | None]]]
"""The promising columns of a search: whole rows by nurse, None = off."""

Status = Literal["optimal", "feasible", "infeasible", "unknown", "stopped"]
"""optimal: no roster is cheaper; feasible: the best found in time; infeasible: no roster exists; unknown: none found in
time; stopped: ended on request, with the best so far, if any."""

OnProgress = Callable[[float, float, float], None]
"""Called with cost, bound and seconds at each better roster, from the solver's thread; it must be quick."""

OnRoster = Callable[[Roster], None]
"""Called with each better roster, from the solver's thread, before `OnProgress`; it must be quick."""


@dataclass(frozen=True)
class Point:
    """One step of the search."""

    seconds: float
    cost: float
    bound: float


@dataclass(frozen=True)
class SolveResult:
    status: Status
    roster: Roster | None
    cost: float | None
    """The objective of the roster; None without one."""
    parts: dict[str, float]
    """The cost by kind of penalty; kinds that cost nothing are 0, kinds that the ward cannot have are missing."""
    bound: float
    """No roster costs less than this: proven."""
    seconds: float
    trace: list[Point] = field(default_factory=list)
    """Each better roster as it was found."""
    columns: Columns = field(default_factory=dict)
    """For a later search to start from; empty where the search has no columns."""
    work: float = 0.0
    """Units of work used, where the search counts them."""
    breaches: int = 0
    """Of the roster: nurses below a minimum, and shifts without anyone in charge."""
    least_breaches: int | None = None
    """Every roster has as many: proven; None = nothing was asked about them."""
    why: str = ""
    """Why there is no roster where the search gave up, in plain words; empty = its time was up, or it did not give up."""
