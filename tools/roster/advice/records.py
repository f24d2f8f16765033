"""What a manager is told about a roster: short records. Findings are the checkers' own."""

from datetime import date

from pydantic import Field

from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.records import RosterPeriod, RosterRecord


class Advice(RosterPeriod):
    """About one roster."""

    roster_id: str
    version: int | None = Field(default=None, exclude_if=lambda number: number is None)
    """Among the ward's versions; left out where nothing was decided about it."""


class Effect(RosterRecord):
    """What changed cells would break and cost, against the roster as it is."""

    may: bool
    """Whether no rule is newly broken."""
    breaks: list[Finding]
    """Why not."""
    compensatory: list[Finding]
    """Allowed, if rest is given later."""
    warnings: list[Finding]
    cost: int
    """More by the ward's own weights; negative = less."""
    fairness: float
    """Of the whole roster with the change, 0 to 100."""


class Replacement(Effect):
    """One nurse who could take a shift."""

    nurse: str
    """Id."""
    name: str
    """`id name`."""
    works: str | None
    """Her shift of that day now, from which she would be moved; None = she is off."""
    hours: float
    """With the change, of the whole period, leave included."""
    target_hours: float | None
    hours_over: float
    """Above the contract's."""


class CoverAdvice(Advice):
    """Who could take a shift."""

    day: date
    shift: str
    instead: str | None
    """Id of the nurse who is to be replaced; None = one more is wanted."""
    on_it: list[str]
    """Who works it, as `id name`, without the one who is to be replaced."""
    if_nobody: Effect | None
    """What comes of it if nobody takes her place; None = nobody is to be replaced."""
    short: list[Finding]
    """What the shift lacks as the roster is."""
    candidates: list[Replacement]
    """All others: first those who may, the cheapest first."""
