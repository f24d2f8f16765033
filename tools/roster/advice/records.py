"""What a manager is told about a roster: short records. Findings are the checkers' own."""

from collections.abc import Sequence
from datetime import date
from typing import Literal

from pydantic import Field

from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.records import RosterPeriod, RosterRecord
from wavegraph.tools.roster.told import Line


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
    called: str = Field(default="", exclude_if=lambda name: not name)
    """The name of `instead`, with the id where another has it too; empty = results of earlier versions."""
    on_it: list[str]
    """Who works it, as `id name`, without the one who is to be replaced."""
    if_nobody: Effect | None
    """What comes of it if nobody takes her place; None = nobody is to be replaced."""
    short: list[Finding]
    """What the shift lacks as the roster is."""
    candidates: list[Replacement]
    """All others: first those who may, the cheapest first."""

    @property
    def may(self) -> list[Replacement]:
        return [each for each in self.candidates if each.may]


class CellMove(RosterRecord):
    """A cell of a nurse, and what it becomes."""

    nurse: str
    """Id."""
    day: date
    before: str | None
    now: str | None


class WorseOff(RosterRecord):
    """A nurse whom a change treats worse."""

    nurse: str
    name: str
    score_before: float
    score: float
    because: Sequence[Line]
    """Wishes that are not granted any more, other counts of nights, weekends and hours, what is newly found of her and
    breaks no rule; may be empty."""


class SwapAdvice(Advice, Effect):
    """Whether two may swap, and what comes of it."""

    first: str
    """Id."""
    second: str
    on: list[date]
    cells: list[CellMove]
    """Those that change; days on which both have the same leave none."""
    worse_off: list[WorseOff]
    fails: list[Finding]
    """What fails the checks with it and did not before: such a swap is published by those alone who say so."""


class SwapPublished(Advice):
    """A swap that staff have: the roster that holds it."""

    replaces: str
    """Id of the roster that was published before."""
    cells: list[CellMove]
    cost: int


HoldKind = Literal["leave", "locked", "rest", "skill", "demand", "limit"]
"""limit: any other bound of the contract or the ward."""


class Alternative(Effect):
    """What another shift in a cell would break and cost."""

    shift: str | None
    """None = a day off."""
    relax: list[str]
    """What would have to be otherwise for it to break nothing, in words."""
    worse: list[str] | None = Field(default=None, exclude_if=lambda kinds: kinds is None)
    """Kinds of what gets worse by it and breaks no rule: parts of the cost, findings, `less_fair`; empty = it would do as
    well. None = results of earlier versions."""


class Hold(RosterRecord):
    """One thing that keeps a cell from being otherwise."""

    kind: HoldKind
    forbids: list[str | None]
    """Shifts; None = a day off."""
    words: list[str]
    """What would be found, or the facts of leave and settled cells."""


class CellAdvice(Advice):
    """Why a nurse has what she has on a day."""

    nurse: str
    name: str
    called: str = Field(default="", exclude_if=lambda name: not name)
    """Her name, with the id where another has it too; empty = results of earlier versions."""
    day: date
    shift: str | None
    found: list[Finding]
    """What the checks find of this cell as it is."""
    forced: bool
    """Whether every alternative breaks a rule."""
    holds: list[Hold]
    alternatives: list[Alternative]
    """Those that may be first, the cheapest first."""


class Measure(RosterRecord):
    """One figure of two rosters."""

    name: str
    group: str | None = None
    """Hours of the contract, as `80 h`; None = of the whole roster."""
    before: float | None
    now: float | None
    """None = there is none."""


class RosterComparison(RosterRecord):
    """Two rosters side by side."""

    before: Advice
    now: Advice
    cells: list[CellMove] | None
    """Those that differ, at most the first of many; None = the rosters are of other days."""
    changed_cells: int | None
    measures: list[Measure]
