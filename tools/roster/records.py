"""The results of the roster's tools: short records. Wards and rosters themselves stay in the store, under their ids."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from wavegraph.tools.roster.problem.result import Status
from wavegraph.tools.roster.told import Line, Told, told
from wavegraph.tools.roster.ward.in_file import Weekday
from wavegraph.tools.roster.ward.ward import Ward

Multipliers = dict[str, float]
"""By kind of penalty; a missing kind has 1."""


class RosterRecord(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RosterPeriod(RosterRecord):
    """The ward and the days a result is about."""

    ward: str
    """Its name."""
    ward_hash: str
    """Of its data for these days (see `ward.file.ward_hash`), and of what was asked for, where it holds that."""
    start: date
    days: int
    end: date = Field(default_factory=lambda period: period["start"] + timedelta(days=period["days"] - 1))
    """Its last day, included; results of earlier versions do not have it."""


def period_of(ward: Ward, ward_hash: str) -> dict[str, Any]:
    """The fields of `RosterPeriod`, for a result about this ward."""
    return {"ward": ward.name, "ward_hash": ward_hash, "start": ward.start, "days": ward.days}


class StaffSummary(RosterPeriod):
    nurses: int
    names: list[str]
    """`id name`, in the ward's order."""
    grades: dict[str, int]
    skills: dict[str, int]
    contract_hours: float
    """Sum of the contracts' hours of the period."""
    tired: list[str]
    """Nurses who start with a high fatigue score, as `id name 0.80`."""
    repaired: Sequence[Line] = Field(default=[], exclude_if=lambda lines: not lines)
    """What of the roster that is repaired is not taken over, and who of it has left."""


class DayDemand(RosterRecord):
    """How many are needed on each of these days."""

    days: list[date]
    """In order; all days of the period with the same demand."""
    least: dict[str, int]
    """The minimum, by shift; one that nobody is needed on is left out."""
    target: dict[str, int]
    of_skill: dict[str, int] = Field(default={}, exclude_if=lambda targets: not targets)
    """Targets of a skill, by `shift skill`; they are contained in those by shift."""


class DemandSummary(RosterPeriod):
    shifts: list[str]
    """`id name 07:00 8 h`."""
    needed_hours: float
    """Paid hours of all targets; rows for a skill are contained in those for any nurse."""
    least: dict[str, int]
    """Sum of the minimums, by shift."""
    target: dict[str, int]
    busiest: date | None
    by_day: list[DayDemand] = []
    """Every day of the period stands in one of them."""


class Cell(RosterRecord):
    """One day of one nurse in a roster."""

    nurse: str
    """Id."""
    day: date
    shift: str | None
    """What the roster has; null = a day off."""


class RequestSummary(RosterPeriod):
    leave_days: int
    wishes: int
    locked: int
    apart: int
    together: int
    by_nurse: dict[str, Line]
    """How many wishes, and when on leave, of those who have any."""
    settled: list[Cell] = Field(default=[], exclude_if=lambda cells: not cells)
    """Of the `locked` cells the first, nurses by name; results of earlier versions have none."""


class RulesSummary(RosterPeriod):
    rules: dict[str, float | int | str | bool | None]
    penalties: dict[str, int]
    """Base price of a unit, by kind."""


class PastDay(RosterRecord):
    """Who worked which shift."""

    day: date
    shifts: dict[str, list[str]]


class PastSummary(RosterPeriod):
    known_days: int
    """Longest tail of any nurse."""
    nights: dict[str, int]
    weekends: dict[str, int]
    """Of the periods before, for those who had any."""
    counted_days: int = 0
    """Days that the counts are of; 0 = not known."""
    lates: dict[str, int] = Field(default={}, exclude_if=lambda counts: not counts)
    holidays: dict[str, int] = Field(default={}, exclude_if=lambda counts: not counts)
    hours: dict[str, str] = Field(default={}, exclude_if=lambda counts: not counts)
    """Worked of the contract's, as `152 of 160`."""
    by_day: list[PastDay] = Field(default=[], exclude_if=lambda days: not days)
    """The last days of it that are known, the newest last."""


ChangeKind = Literal["unavailable", "prefers", "avoids", "locked", "apart", "together"]


class Change(RosterRecord):
    """One thing a person asked for, as it was understood."""

    kind: ChangeKind
    """unavailable: must not be given it; prefers, avoids: a wish; locked: settled; apart, together: a pair"""
    nurse: str = Field(min_length=1, max_length=80, description="As it was said")
    other: str | None = Field(default=None, max_length=80, description="The second of a pair")
    first: date | None = Field(default=None, description="Null = from the period's first day")
    last: date | None = Field(default=None, description="Included; null = `first` alone, or to the period's end")
    weekdays: list[Weekday] | None = Field(default=None, description="Only on these")
    weeks: list[Annotated[int, Field(ge=1, le=53)]] | None = Field(
        default=None, description="Only in these, counted from the period's first day"
    )
    shift: str | None = Field(
        default=None,
        max_length=40,
        description="Id or name, or `night`; null = any work",
    )
    weight: int = Field(default=10, ge=1, le=10_000)
    """Of a wish or pair."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.first and self.last and self.first > self.last:
            raise ValueError(f"first {self.first} lies after last {self.last}")
        return self


class Amended(RosterPeriod):
    """The ward with a person's requests in it."""

    changes: Sequence[Line]
    """Each as the solver will apply it."""
    not_held: list[str] = Field(default=[], exclude_if=lambda wishes: not wishes)
    """What was asked for and no change can say, in the person's words."""
    elsewhere: Sequence[Line] = Field(default=[], exclude_if=lambda lines: not lines)
    """Days that were asked for and are not in this roster: where they are, and what to do."""


class MovedCell(Cell):
    """A cell that differs from an earlier roster."""

    before: str | None


Verdict = Literal["kept", "partly kept", "not kept", "replaced"]
"""Of a change that was asked for. replaced: by a later one about the same, so that nothing of it is left to keep."""


class ChangeKept(RosterRecord):
    """One thing that was asked for, and whether a roster keeps it."""

    asked: Line
    """As it was shown before it was solved."""
    kind: ChangeKind
    nurses: list[str]
    """Ids: one, or the two of a pair."""
    verdict: Verdict
    days: int
    """On which it could be kept or not: the days asked for; of a pair those on which both work (apart), or one does
    (together)."""
    kept_days: int
    not_kept_on: list[Cell] = Field(default=[], exclude_if=lambda cells: not cells)
    """The cells against it, of a pair two a day; the first of many."""
    more_days: int = Field(default=0, exclude_if=lambda count: not count)
    """On which it is not kept, beside those of `not_kept_on`."""

    def verdict_line(self, names: Mapping[str, str]) -> Told:
        """Whether it is kept, and the cells against it. `names`: what each nurse is called, by id."""
        days = told("day", n=self.days)
        verdict = told(f"verdict.{self.verdict}", asked=self.asked, kept=self.kept_days, days=days)
        cells: list[Told | str] = [
            told("cell", nurse=names.get(each.nurse, each.nurse), shift=each.shift, day=each.day)
            for each in self.not_kept_on
        ]
        more = [told("more")] if self.more_days else []
        return told("against", verdict=verdict, cells=[*cells, *more]) if cells else verdict


class Generated(RosterPeriod):
    """One round: a roster, and how good it is."""

    iteration: int
    """From 1."""
    roster_id: str | None
    """Of the roster in the store; None = there is none."""
    status: Status
    cost: float | None
    """By the base penalties."""
    raised_cost: float | None
    """By this round's own penalties, which it minimises."""
    raised_bound: float
    """No roster costs less than this by this round's penalties: proven."""
    parts: dict[str, float]
    """The base cost by kind of penalty."""
    seconds: float
    penalty_multipliers: Multipliers
    other_prices: dict[str, int] = {}
    """Base prices that a manager asked for in place of the settings'."""
    impossible: Sequence[Line] = []
    """What no roster can meet, with the rules that collide."""
    breaches: int = Field(default=0, exclude_if=lambda count: not count)
    """Nurses below the minimums, and shifts without anyone in charge."""
    least_breaches: int | None = Field(default=None, exclude_if=lambda count: not count)
    """Every roster has as many: proven; None = it was not looked for, or none is proven."""
    relaxations: Sequence[Line] = Field(default=[], exclude_if=lambda words: not words)
    """What would have to give for it to be met, each enough by itself, the cheapest first."""
    explained_s: float = Field(default=0, exclude_if=lambda seconds: not seconds)
    """Of the round's time, for finding that out."""
    left_s: float | None = Field(default=None, exclude_if=lambda seconds: seconds is None)
    """Of the round's time, for the proofs of its checks; results of earlier versions do not have it."""
    asked_to_stop: bool = False
    """Whether it was stopped on request; no further round follows by itself."""
    why: str = Field(default="", exclude_if=lambda words: not words)
    """Why no roster was found where the search gave up, in words."""
    all_else_from: str | None = Field(default=None, exclude_if=lambda name: name is None)
    """The roster whose other cells this round kept, as nothing of them was asked for."""
    begun_from: str | None = Field(default=None, exclude_if=lambda name: name is None)
    """The roster that was changed by request, where none is published for these days."""
    moved: list[MovedCell] = Field(default=[], exclude_if=lambda cells: not cells)
    """Cells that differ from it besides what was asked for: the first of many."""
    moved_cells: int = Field(default=0, exclude_if=lambda count: not count)
    why_moved: str = Field(default="", exclude_if=lambda words: not words)
    """The rules that leave no roster with every other cell as it was; empty = that was not asked for, or there is one."""
    moved_for: list[str] = Field(default=[], exclude_if=lambda types: not types)
    """Types of findings: of these rules."""

    @property
    def has_open_breach(self) -> bool:
        """Whether its roster is in breach where that is not proven to be unavoidable, and the search was not over."""
        proven = self.breaches if self.impossible and not self.least_breaches else self.least_breaches or 0
        return self.status == "feasible" and self.breaches > proven


class Issue(RosterRecord):
    """One thing that failed in a round."""

    type: str
    nurse_id: str | None
    detail: str


class Round(RosterRecord):
    """One round with what its checks found: the loop's own feedback."""

    iteration: int
    status: Literal["passed", "failed", "no roster"]
    issues: list[Issue]
    """Of the failing types; the first of many."""
    penalty_multipliers: Multipliers
    roster_id: str | None
    solver: Status
    breaches: int
    failed: list[str]
    """Types that failed, hard ones first."""
    cost: float | None
    """By the base penalties."""
    bound: float
    """No roster costs less by the base penalties: proven by any of the rounds at the same prices."""
    seconds: float
    may_pass: bool = Field(default=False, exclude_if=lambda is_so: not is_so)
    """Whether its search ended without a proof that what failed has to be: more time may help."""


def gap_of(cost: float, bound: float) -> float:
    """The largest share of a cost that could be saved; 0 = proven optimal."""
    return max(0.0, cost - bound) / cost if cost else 0.0


class RepairedCell(Cell):
    """A cell that differs from the published roster."""

    before: str | None
    kind: str
    """Of its reason: leave, locked, asked, a finding's type, cost, fairness, together."""
    reason: str
    """In English."""
    why: Told | None = None
    """The same in any language; results of earlier versions do not have it."""


class PastKnown(RosterRecord):
    """What is known of the days before a roster."""

    tail_days: int
    """Longest tail of any nurse: 0 = what was worked just before is not known."""
    counted_days: int
    """Days that the counts of nights, weekends, lates, holidays and hours are of; 0 = not known."""
    has_counts: bool
    """Whether there are any counts, of whatever days."""
    unknown: list[str] = Field(default=[], exclude_if=lambda names: not names)
    """Nurses without a tail, where others have one."""


class NurseLine(RosterRecord):
    """One nurse's share of a roster."""

    nurse: str
    hours: float
    """Worked, and of paid leave."""
    leave_hours: float = Field(default=0, exclude_if=lambda hours: not hours)
    """Of them paid leave; left out where there is none."""
    target_hours: float | None
    nights: int
    weekends: int
    wishes: str
    """Weight granted of all: `3/4`; empty = no wish."""
    score: float
    """0 = badly treated, 100 = nothing found."""


class Reported(RosterPeriod):
    """What the checkers say of a roster, bounded."""

    roster_id: str
    compliance: Literal["PASS", "FAIL"]
    empathy: Literal["APPROVED", "REJECTED"]
    breaches: int
    failed: list[str]
    """`type: found, allowed`."""
    problems: Sequence[Line]
    """What failed; the first of many."""
    below_target: Sequence[Line]
    """Shifts with fewer than wanted, though not below the minimum; the first of many."""
    findings: dict[str, int] = Field(default={}, exclude_if=lambda counts: not counts)
    """How many there are in all, by level; empty = none, and results of earlier versions."""
    fairness: float
    cover_cost: float
    wishes_cost: float
    cost: float
    """By the ward's own weights, without penalties."""
    changed_cells: int | None = Field(default=None, exclude_if=lambda count: count is None)
    """Cells that differ from the published roster; None = there is none, and the field is left out."""
    doubts: Sequence[Line] = Field(default=[], exclude_if=lambda words: not words)
    """What the ward says and may not mean, as questions."""
    repaired: list[RepairedCell] = Field(default=[], exclude_if=lambda cells: not cells)
    """The first of these cells."""
    past: PastKnown | None = Field(default=None, exclude_if=lambda past: past is None)
    """None = results of earlier versions, and wards whose rules look at no other day."""
    then: str = Field(default="", exclude_if=lambda version: not version)
    """The version that is published for the days right after; empty = none was looked at."""
    status: str = Field(default="", exclude_if=lambda status: not status)
    """What was decided: none, published, draft, replaced, discarded, undone; empty = it is not known."""
    lines: list[NurseLine]
    changes: list[ChangeKept] = Field(default=[], exclude_if=lambda changes: not changes)
    """Each change that was asked for, in order; left out where there was none."""


class Publication(RosterPeriod):
    roster_id: str
    as_draft: bool
    withdrawn: bool = Field(default=False, exclude_if=lambda is_so: not is_so)
    """Whether it was published until then."""
    why_draft: Line = Field(default="", exclude_if=lambda words: not words)
    """Why it could not be published."""
    version: int | None = Field(default=None, exclude_if=lambda number: number is None)
    """Among the ward's versions; left out where the graph has no store."""


class DayLook(RosterRecord):
    """One day of a roster."""

    day: date
    shifts: dict[str, list[str]]
    """Who works, by shift id in the ward's order."""
    off: list[str]
    """Those on leave included."""
    leave: list[str] = Field(default=[], exclude_if=lambda names: not names)


class NurseLook(RosterRecord):
    """One nurse of a roster."""

    nurse: str
    hours: float
    """Worked, and of paid leave."""
    target_hours: float | None
    nights: int
    weekends: int
    cells: list[Cell]
    """Of the days that were asked about."""
    leave: list[date] = Field(default=[], exclude_if=lambda days: not days)
    """Of these days."""


class Looked(RosterPeriod):
    """The answer to a question about a stored roster; nurses by name, with the id only where two have the same."""

    roster_id: str
    question: str
    status: str | None
    """published, draft, replaced, discarded, undone; None = nothing was decided, or it is not known."""
    decided: Line = Field(default="", exclude_if=lambda words: not words)
    """Who made it that, and when."""
    version: int | None = Field(default=None, exclude_if=lambda number: number is None)
    """Among the ward's versions."""
    why_not: Line = Field(default="", exclude_if=lambda words: not words)
    """Of its status: why it cannot be published, and what to do."""
    passes: bool
    """Whether it passes every check."""
    days_shown: list[date] = Field(default=[], exclude_if=lambda days: not days)
    """First and last."""
    by_day: list[DayLook] = Field(default=[], exclude_if=lambda days: not days)
    shifts: list[str] = Field(default=[], exclude_if=lambda ids: not ids)
    """Ids asked about; empty = all."""
    nurses: list[NurseLook] = Field(default=[], exclude_if=lambda nurses: not nurses)
    counted: str = Field(default="", exclude_if=lambda kind: not kind)
    """hours, nights, weekends, or a shift's id."""
    counts: dict[str, float] = Field(default={}, exclude_if=lambda counts: not counts)
    """By nurse, the most first."""
    rows: dict[str, str] = Field(default={}, exclude_if=lambda rows: not rows)
    """A nurse's cells in a line, `.` for a day off, `|` before each Monday."""
    below: Sequence[Line] = Field(default=[], exclude_if=lambda lines: not lines)
    """Shifts below their target or minimum, or with nobody in charge; the first of many."""
    command: str = Field(default="", exclude_if=lambda words: not words)
    """That writes the file."""


class PublishedDays(RosterRecord):
    """A version that staff have."""

    number: int
    roster_id: str
    start: date
    end: date


class NothingPublished(RosterRecord):
    """The answer to a question about the published roster, where there is none."""

    question: str
    ward: str | None
    """Its name; None = no ward has one."""
    day: date | None
    """The first that was asked about; None = any."""
    published: list[PublishedDays] = Field(default=[], exclude_if=lambda versions: not versions)
    """For other days."""


class WhatIfColumn(RosterRecord):
    """A ward's roster in figures, with a change or as it is; without a roster, only why."""

    name: str
    """The change, as it was typed; `today` = the ward as it is."""
    status: Status
    why: Line = Field(default="", exclude_if=lambda words: not words)
    """Why there is no roster, in a line."""
    nurses: int | None = None
    missing: int | None = None
    """Nurses below the targets, rows for a skill left out."""
    below_minimum: int | None = None
    breaches: int | None = None
    cost: float | None = None
    """By the base penalties."""
    bound: float | None = None
    hours: float | None = None
    """Worked, of all nurses."""
    nights_a_head: float | None = None
    """Of those who share in them."""
    most_nights: int | None = None
    fairness: float | None = None
    findings: dict[str, int] = {}
    """Those that fail the checks, by type."""
    wishes: int | None = None
    """Percent of their weight that is granted; None = there are no wishes."""


class WhatIf(RosterPeriod):
    """Columns of figures side by side. Nothing was kept or published."""

    seconds: float
    """For all of them together, each an equal part."""
    columns: list[WhatIfColumn]
    """The ward as it is, or the roster that stands, then one for each change."""
    roster_id: str | None = Field(default=None, exclude_if=lambda name: name is None)
    """Of the first column; None = the ward was solved for it."""
    differences: list[dict[str, float]]
    """How much each column is above the first, by figure; `found` = all findings that fail."""
