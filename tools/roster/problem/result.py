"""What a solve hands back."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from wavegraph.tools.roster.ward.ward import Roster

Columns = dict[str, list[list[str | None]]]
"""Whole rows by nurse, None = off: what a search by columns has looked at and found promising."""

Status = Literal["optimal", "feasible", "infeasible", "unknown", "stopped"]
"""optimal: no roster is cheaper; feasible: the best found in time; infeasible: there is none; unknown: none found in
time; stopped: asked to end, with the best so far, if any."""

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
    """What a later search can begin with; empty where the search has no columns."""
