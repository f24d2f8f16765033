"""A ward as its file describes it: staff, shifts, demand, wishes, rules, history.

One documented schema for JSON and YAML files. Days are counted from the first day of the horizon (0); a file names
them by ISO date. Minutes are paid working time. A weight is the cost of one denied wish or one unit of uncovered demand.
"""

import re
from collections.abc import Collection
from datetime import date, time, timedelta
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from wavegraph.tools.roster.ward.fairness_limits import EmpathyLimits

Level = Literal["breach", "compensatory", "warning"]
"""breach: the roster must not be published so; compensatory: allowed with rest given later; warning: worth a look."""

Id = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[^\s\x00-\x1f\x7f-\x9f,;|=]+$")]
"""Appears in files and on terminals: no white space, no control characters, no separators of a table."""


class RefersTo(NamedTuple):
    """Marks the id of a record of the ward."""

    records: Literal["shifts", "nurses", "skills"]


ShiftId = Annotated[Id, RefersTo("shifts")]
NurseId = Annotated[Id, RefersTo("nurses")]
SkillId = Annotated[Id, RefersTo("skills")]
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
"""Of which no name is made, and which workbooks cannot hold: control characters but tab and newline, and no characters."""


_CLEANED = BeforeValidator(lambda text: _UNPRINTABLE.sub("", text) if isinstance(text, str) else text)
Words = Annotated[str, _CLEANED]
"""A name or a remark, without what cannot be printed: cleaned here once, for all files that are written of it."""
Weight = Annotated[int, Field(ge=0, le=10_000)]
MOST_DAYS = 366
CHANGE_WEIGHT = 30
"""Default cost of a change to a published roster: more than a usual wish, less than a nurse missing to the target."""


class WardRecord(BaseModel):
    """Base of the ward's records: frozen, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Shift(WardRecord):
    """One kind of shift."""

    id: Id
    """What rosters are written with, such as `E`."""
    name: Words = ""
    """What people read, such as Early."""
    start: time
    """When it begins, such as `07:00`."""
    minutes: int = Field(ge=1, le=24 * 60, description="From its beginning to its end, breaks included")
    """From its beginning to its end, breaks included."""
    paid_minutes: int | None = Field(default=None, ge=0, le=24 * 60, description="Empty = `minutes`")
    """Of working time; None = `minutes`."""
    hour_factor: float | None = Field(default=None, ge=0, le=2)
    """Of on-call and the like: the part of its length that counts as paid, instead of `paid_minutes`."""
    night: bool = False
    """Counts as night work."""
    not_followed_by: list[ShiftId] = []
    """Shifts that must not be worked on the next day (hard)."""
    skill: SkillId | None = None
    """Which a nurse needs to work it, and in which she does: a cell is then a shift and a skill; None = any nurse."""

    @property
    def paid(self) -> int:
        if self.hour_factor is not None:
            return round(self.minutes * self.hour_factor)
        return self.minutes if self.paid_minutes is None else self.paid_minutes

    @property
    def late(self) -> bool:
        """By day, begun at noon or later."""
        return not self.night and self.start.hour >= 12


class RunLimit(WardRecord):
    """How many days in a row may be alike (`problem.runs`): working days, days of some shifts, or days off."""

    shifts: list[ShiftId] = []
    """Days of any of these shifts; empty = all working days."""
    off: bool = False
    """Days off instead."""
    least: int = Field(default=1, ge=1, le=28)
    """Fewest days in a row; a run at either end of the known days counts as long enough."""
    most: int | None = Field(default=None, ge=1)
    """Most days in a row, those of the tail counted."""
    weight: Weight | None = None
    """Cost of each day too few or too many; None = a hard rule."""


class Total(WardRecord):
    """What should add up over the period (`problem.totals`), at a price."""

    least: int = Field(default=0, ge=0)
    """Fewest."""
    most: int | None = Field(default=None, ge=0)
    """Most; None = no bound."""
    under_weight: Weight = 10
    """Cost of each one too few."""
    over_weight: Weight = 10
    """Cost of each one too many."""
    carried: bool = False
    """Whether those of the periods before, as the history has them, count too."""


class Contract(WardRecord):
    """What a nurse may and should work in the horizon; None = no bound."""

    min_minutes: int = Field(default=0, ge=0)
    """Fewest paid minutes."""
    max_minutes: int | None = Field(default=None, ge=0)
    """Most paid minutes."""
    target_minutes: int | None = Field(default=None, ge=0)
    """Contract hours of the horizon, for under- and overwork; None = the middle of the bounds, where there are two."""
    max_shifts: dict[ShiftId, Annotated[int, Field(ge=0)]] = {}
    """Most shifts of a kind, by shift; one that is missing is not bounded."""
    min_run: int = Field(default=1, ge=1)
    """Fewest working days in a row; a run that touches the end of what is known is taken as long enough."""
    max_run: int | None = Field(default=None, ge=1)
    """Most working days in a row."""
    min_days_off: int = Field(default=1, ge=1)
    """Fewest days off in a row, with the same reading at the ends."""
    max_weekends: int | None = Field(default=None, ge=0)
    """Most weekends with work on Saturday or Sunday; 0 = she does not share in the weekends."""
    leave_minutes: int | None = Field(default=None, ge=0, le=24 * 60)
    """What a paid day of leave counts as; None = an equal part of the contract's hours (`Rules.leave_credit`)."""
    max_nights: int | None = Field(default=None, ge=0)
    """Most nights; 0 = she does not share in the nights."""
    max_night_run: int | None = Field(default=None, ge=1)
    """Most nights in a row; the ward's limit holds too."""
    runs: list[RunLimit] = []
    """Limits to days in a row, besides those of the ward's rules."""
    ward_runs: bool = True
    """Whether the ward's `rules.runs` hold too; false for one from outside who comes for single shifts."""
    split_weekend_weight: Weight | None = None
    """None = that of the ward's rules."""
    mixed_weekend_weight: Weight | None = None
    """None = that of the ward's rules."""
    assignments: Total | None = None
    """Shifts of any kind."""
    working_weekends: Total | None = None
    """Weekends with work on Saturday or Sunday."""


class History(WardRecord):
    """What is known about the days before the horizon."""

    tail: list[ShiftId | None] = Field(default=[], max_length=28)
    """The last days before the horizon, oldest first, the last one the day before; None = a day off. Empty = not known:
    then a day off is taken to lie before the horizon."""
    nights: int = Field(default=0, ge=0)
    """Night shifts of the periods before, for fairness over time."""
    weekends: int = Field(default=0, ge=0)
    """Weekends with work, of the periods before."""
    lates: int = Field(default=0, ge=0)
    """Shifts by day that begin at noon or later."""
    holidays: int = Field(default=0, ge=0)
    """Shifts on public holidays."""
    minutes: int = Field(default=0, ge=0)
    """Paid minutes worked."""
    target_minutes: int = Field(default=0, ge=0)
    """The contract's minutes of the same days, less those that paid leave counts as."""
    days: int = Field(default=0, ge=0)
    """Days that the counts are of; 0 = not known."""
    assignments: int = Field(default=0, ge=0)
    """Shifts of any kind, for `Contract.assignments`."""
    shifts: dict[Id, Annotated[int, Field(ge=0)]] = {}
    """Shifts by kind, for `Rules.balanced`; kinds that the ward does not have any more count for nothing."""


class Nurse(WardRecord):
    id: Id
    """What rosters and other rows name her by."""
    name: Words = ""
    """What people read."""
    grade: Words = ""
    """For people; no rule reads it."""
    skills: list[SkillId] = []
    """Of the ward's skills."""
    contract: Contract = Contract()
    """What she may and should work."""
    fatigue: float = Field(default=0.0, ge=0.0, le=1.0)
    """Score at the beginning: 0 rested, from 0.7 high, from 0.4 moderate."""
    history: History = History()
    """What is known of the days before."""


class Demand(WardRecord):
    """How many are needed on one shift of one day, of one skill or of any. A nurse counts for each demand she meets."""

    day: date
    """The day; a file may give `weekdays` instead."""
    shift: ShiftId
    """The shift."""
    skill: SkillId | None = None
    """Only nurses with it count; None = any nurse does."""
    minimum: int = Field(default=0, ge=0)
    """Below it the roster is in breach."""
    target: int = Field(ge=0)
    """How many there should be; fewer is a warning."""
    under_weight: Weight = 100
    """Cost of each nurse missing to the target."""
    over_weight: Weight = 1
    """Cost of each nurse above it."""


class Leave(WardRecord):
    """What a nurse must not be given: a whole day, or one shift of it."""

    nurse: NurseId
    """Who is away."""
    day: date
    """The day; a file may give `first` and `last` instead."""
    shift: ShiftId | None = None
    """None = no work that day; else this shift alone cannot be worked."""
    paid: bool = True
    """Whether a whole day counts towards the contract's hours (`problem.hours`)."""


class Wish(WardRecord):
    """A wish for, or against, a shift (or a day's work, where no shift is named)."""

    nurse: NurseId
    """Whose wish it is."""
    day: date
    """The day; a file may give `weekdays` instead."""
    shift: ShiftId | None = None
    """None = any shift that day."""
    wants: bool
    """True: to work it; false: not to."""
    weight: Weight = 1
    """Cost if it is not granted."""


class Locked(WardRecord):
    """A cell that is settled."""

    nurse: NurseId
    """Whose cell it is."""
    day: date
    """Which day."""
    shift: ShiftId | None
    """What she works; None = a day off."""
    frozen: bool = False
    """Settled for one repair alone, since the published roster has it; it is nobody's wish."""


class Pair(WardRecord):
    """Two nurses who should, or should not, work the same shifts."""

    first: NurseId
    """One of the two."""
    second: NurseId
    """The other one."""
    together: bool
    """True: each day on which their cells differ (also where one is off) costs the weight; false: each day on which
    both work the same shift."""
    weight: Weight = 10
    """Cost of each such day."""


class Published(WardRecord):
    """The roster that staff already have: a new one for the same days keeps to it where it can."""

    roster: dict[Id, list[Id | None]]
    """Nurse to a shift, or null for a day off, per day of the horizon; a nurse without a row is free."""
    weight: Weight = CHANGE_WEIGHT
    """Cost of each cell that differs."""
    reason: Words = ""
    """Why cells differ that somebody asked for, such as a swap; empty = the checks know."""
    roster_id: Id | None = None
    """Of a stored roster that is repaired: another one of the same cells may hold other leave. None = known by its cells."""


class FollowedBy(WardRecord):
    """The roster that staff already have for the days right after the horizon: fixed, as the days before it are.

    They count for the rules about rest, successions and days in a row; wishes and prices look at the horizon alone.
    """

    roster: dict[Id, Annotated[list[Id | None], Field(max_length=28)]]
    """Nurse to her first days after the horizon, the day right after it first; None = a day off. A nurse without a row is not
    known there."""
    version: str = ""
    """What messages call it, such as `V2`."""


class Balance(WardRecord):
    """Kinds of shift of which nobody should work more than a fair share (`problem.fairness`)."""

    shifts: list[ShiftId] = Field(min_length=1)
    """Counted together."""
    weight: Weight = 10
    """Cost of each shift above a nurse's share."""


class Rules(WardRecord):
    """The ward's own limits. Sources: Directive 2003/88/EC (daily rest, weekly rest, hours), HSE good practice (runs).

    A limit of 0 hours, or None for a run, is not checked. A rest is the time on the clock of the ward's zone from the
    end of one shift to the beginning of the next, so a night on which the clocks change is an hour shorter or longer.
    """

    daily_rest_hours: float = Field(default=11.0, ge=0, le=24)
    """Between two shifts."""
    derogated_rest_hours: float | None = Field(default=None, ge=0, le=24)
    """A daily rest from this length on is allowed where compensatory rest follows; None = no derogation (art. 17, 18)."""
    weekly_rest_hours: float = Field(default=35.0, ge=0, le=168)
    """Unbroken rest that holds a whole day off, in every seven days; over fourteen days the average counts."""
    weekly_hours: float = Field(default=48.0, ge=0, le=168)
    """Average of the paid hours over the horizon and the known tail; fewer than seven days count as a week."""
    max_days_in_a_row: int | None = Field(default=6, ge=1)
    """Most working days in a row."""
    max_nights_in_a_row: int | None = Field(default=3, ge=1)
    """Most nights in a row."""
    rest_after_nights_hours: float = Field(default=46.0, ge=0, le=168)
    """After the last of a run of nights; one night is a run."""
    charge_skill: SkillId | None = None
    """A skill of which one nurse is on every shift that has demand."""
    complete_weekends: bool = True
    """Both days of a weekend or neither, as a wish."""
    shortage: Literal["convex", "linear"] = "convex"
    """Whether each further nurse who is missing on a shift costs more (`problem.shortage`), or all the same."""
    leave_credit: Literal["weekdays", "calendar", "none"] = "weekdays"
    """The days of paid leave that count as hours: Monday to Friday, all, or none."""
    night_before_leave: bool = False
    """Whether a night may be worked that ends on the first day of leave."""
    full_time_hours: float | None = Field(default=None, gt=0, le=168)
    """A week of a full contract, which a contract's `percent` in a file is of."""
    runs: list[RunLimit] = []
    """Limits to days in a row, of every nurse but those whose contract says otherwise (`Contract.ward_runs`)."""
    split_weekend_weight: Weight = 0
    """Cost of each weekend of which a nurse works one day (`problem.weekends`)."""
    mixed_weekend_weight: Weight = 0
    """Cost of each weekend that she works on different kinds of shift."""
    forward_only: bool = False
    """Whether steps back are forbidden (`problem.rotation`): from late to early on the next day."""
    backward_weight: Weight = 0
    """Cost of each step back."""
    balanced: list[Balance] = []
    """Kinds of shift to be shared by contract hours, such as lates."""


class Ward(WardRecord):
    """Everything a roster is made from."""

    name: Annotated[str, Field(min_length=1), _CLEANED]
    """What people read."""
    id: Id | None = None
    """Under which its rosters' versions are kept; None = under its name."""
    start: date
    """First day of the period, from 1900-01-01; a file may leave it out."""
    days: int = Field(ge=1, le=MOST_DAYS)
    """Length of the period; a file may leave it out."""
    time_zone: str = "Europe/London"
    """Of the IANA list: whose clocks the shifts follow."""
    skills: list[Id] = []
    """All skills that the ward speaks of."""
    shifts: list[Shift] = Field(min_length=1)
    """The kinds of shift."""
    nurses: list[Nurse] = Field(min_length=1)
    """The staff."""
    demand: list[Demand] = []
    """How many are needed; a row a day, shift and skill."""
    leave: list[Leave] = []
    """Who is away; a row a nurse, day and shift."""
    wishes: list[Wish] = []
    """What nurses ask for; a row a nurse, day and shift."""
    locked: list[Locked] = []
    """Settled cells; a row a nurse and day."""
    pairs: list[Pair] = []
    """Who should work together, or not."""
    published: Published | None = None
    """The roster that staff already have for these days; None = none."""
    followed_by: FollowedBy | None = None
    """The first days of the roster after this one; None = none is published."""
    holidays: list[date] = []
    """Public holidays: shifts on them are counted for each nurse."""
    rules: Rules = Rules()
    """The ward's own limits."""
    fairness: EmpathyLimits = EmpathyLimits()
    """When the empathy check rejects a roster."""

    def day(self, index: int) -> date:
        return self.start + timedelta(days=index)

    def index(self, day: date) -> int:
        """Days from the first day; negative before it."""
        return (day - self.start).days

    def changed(self, **fields: Any) -> "Ward":
        """A copy with other fields, unchecked; unlike `model_copy` it takes over no table of the old ones."""
        return Ward.model_construct(**{**{name: getattr(self, name) for name in Ward.model_fields}, **fields})

    def with_only(self, names: Collection[str]) -> "Ward":
        """The ward with these nurses and their own rows alone: without demand and pairs, which are about several."""
        own = {
            field: [row for row in getattr(self, field) if row.nurse in names]
            for field in ("leave", "wishes", "locked")
        }
        return self.changed(**own, nurses=[each for each in self.nurses if each.id in names], demand=[], pairs=[])

    def thawed(self) -> "Ward":
        """The ward without the cells that were settled for one repair alone."""
        return self.changed(locked=[row for row in self.locked if not row.frozen])

    def with_rules(self, **rules: Any) -> "Ward":
        """The ward with other rules, unchecked."""
        return self.changed(rules=self.rules.model_copy(update=rules))

    def with_terms(self, nurse: str, **terms: Any) -> "Ward":
        """The ward with other terms in the contract of one nurse, unchecked."""
        return self.changed(
            nurses=[
                each.model_copy(update={"contract": each.contract.model_copy(update=terms)})
                if each.id == nurse
                else each
                for each in self.nurses
            ]
        )

    @cached_property
    def shift_by_id(self) -> dict[str, Shift]:
        return {shift.id: shift for shift in self.shifts}

    @cached_property
    def nurse_by_id(self) -> dict[str, Nurse]:
        return {nurse.id: nurse for nurse in self.nurses}


Roster = dict[str, list[str | None]]
"""Nurse id to one shift id, or None for a day off, per day of the horizon."""
