"""The sheets of a ward's workbook: which field of which record each column holds.

Columns follow the records of the ward, so that a new field has its column at once; a field without a title here is called
after its name. Fields that only files have (weekdays, spans of leave, percent and days of a contract) are columns too.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, time
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from wavegraph.tools.roster.ward.fairness_limits import ALLOWED, EmpathyLimits, FatigueScale, Points
from wavegraph.tools.roster.ward.in_file import ContractInFile
from wavegraph.tools.roster.ward.ward import (
    Contract,
    Demand,
    History,
    Id,
    Leave,
    Locked,
    Nurse,
    Pair,
    Rules,
    Shift,
    SkillId,
    Ward,
    Wish,
)
from wavegraph.tools.roster.ward.workbook import kinds
from wavegraph.tools.roster.ward.workbook.kinds import Kind

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Column:
    """A column of a table, or a line of a sheet of values."""

    path: Path
    """Of the field, within the record of the row."""
    title: str
    kind: Kind
    required: bool = False
    about: str = ""
    default: Any = None


@dataclass(frozen=True)
class Sheet:
    """A row for each record of a list (`TABLES`), or a line for each field of one record (`VALUES`)."""

    name: str
    path: tuple[str, ...]
    """Of the list or the record, within the ward."""
    columns: tuple[Column, ...]
    about: str


TITLES: dict[str, tuple[str, str]] = {
    "id": ("Id", "Short, without spaces; what rosters are written with"),
    "name": ("Name", ""),
    "start": ("Start", ""),
    "paid_minutes": ("Paid hours", "Empty = from start to end"),
    "hour_factor": ("Part of hours paid", "Such as 0.25 for on-call; instead of paid hours"),
    "night": ("Night", "yes = counts as night work"),
    "not_followed_by": ("Not followed by", "Shifts that must not be worked on the next day"),
    "per_days": ("For days", "How many days the bounds of this line are for; empty = those of the ward"),
    "percent": ("Percent", "Of the full-time hours in Rules, instead of agreed hours"),
    "min_minutes": ("Hours at least", "Paid hours"),
    "max_minutes": ("Hours at most", "Paid hours"),
    "target_minutes": ("Agreed hours", "Paid hours"),
    "leave_minutes": ("Hours of a day of leave", "Empty = an equal part of the agreed hours"),
    "max_shifts": ("Most of a shift", "Such as N=2, L=4"),
    "min_run": ("Days in a row at least", ""),
    "max_run": ("Days in a row at most", ""),
    "min_days_off": ("Days off in a row at least", ""),
    "max_weekends": ("Weekends at most", ""),
    "max_nights": ("Nights at most", ""),
    "max_night_run": ("Nights in a row at most", ""),
    "runs": (
        "Days in a row",
        "Such as shifts=N, least=2, most=3, weight=15; off=yes, least=2; without weight a hard rule",
    ),
    "ward_runs": (
        "Days in a row as in Rules",
        "no = those of this contract alone, as for one who comes for single shifts",
    ),
    "split_weekend_weight": ("Cost of a split weekend", "Of which one day is worked; empty = as in Rules"),
    "mixed_weekend_weight": ("Cost of a mixed weekend", "Worked on different kinds of shift; empty = as in Rules"),
    "assignments": ("Shifts in all", "Such as least=15, most=22, under_weight=20, over_weight=20, carried=yes"),
    "working_weekends": ("Weekends in all", "Such as most=2, over_weight=30; unlike 'Weekends at most' at a price"),
    "balanced": ("Shared shifts", "Kinds shared by contract hours, such as shifts=L, weight=10"),
    "fatigue": ("Fatigue", "0 rested, from 0.4 moderate, from 0.7 high"),
    "skills": ("Skills", "With commas between them"),
    "skill": ("Skill", "Empty = any nurse"),
    "shift": ("Shift", ""),
    "minimum": ("Minimum", "Fewer are a breach"),
    "target": ("Target", ""),
    "under_weight": ("Cost of one missing", ""),
    "over_weight": ("Cost of one too many", ""),
    "wants": ("Wants", "work or not work"),
    "together": ("Together", "together or apart"),
    "first": ("First nurse", ""),
    "second": ("Second nurse", ""),
    "paid": ("Paid", "no = counts no hours"),
    "days": ("Days", "Length of the period"),
    "time_zone": ("Time zone", "Such as Europe/London"),
}
"""Title and meaning by field."""
HOURS_ENDING = "_minutes"


def columns_of(record: type[BaseModel], *, leave_out: tuple[str, ...] = (), under: Path = ()) -> tuple[Column, ...]:
    fields = ((name, field) for name, field in record.model_fields.items() if name not in leave_out)
    return tuple(column(name, field, under) for name, field in fields)


def column(name: str, field: FieldInfo, under: Path = ()) -> Column:
    title, about = TITLES.get(name, ("", ""))
    plain = name.replace("_", " ").capitalize()
    if name.endswith(HOURS_ENDING) and not title:
        plain = f"{plain.removesuffix(' minutes')} hours"
    default = None if field.is_required() else field.default
    return Column((*under, name), title or plain, kind_of(name, field), field.is_required(), about, default)


def kind_of(name: str, field: FieldInfo) -> Kind:
    if name in ("nurse", "first", "second"):
        return Kind(kinds.word, kinds.same, of="Nurses", format="@")
    if name in ("shift",):
        return Kind(kinds.word, kinds.same, of="Shifts", format="@")
    if name in ("id", "time_zone") or field.annotation in (Id | None, SkillId | None):
        return kinds.ID
    if name == "wants":
        return kinds.one_of({"work": True, "not work": False})
    if name == "together":
        return kinds.one_of({"together": True, "apart": False})
    if name == "minutes" or name.endswith(HOURS_ENDING):
        return kinds.HOURS
    return _kind_by_type(field.annotation)


_KINDS: list[tuple[Callable[[Any], bool], Kind]] = [
    (lambda kind: kind is bool, kinds.YES_NO),
    (lambda kind: kind is int, kinds.WHOLE),
    (lambda kind: kind is float, kinds.NUMBER),
    (lambda kind: kind is time, kinds.CLOCK),
    (lambda kind: kind is date, kinds.DATE),
    (lambda kind: get_origin(kind) is list, kinds.LIST),
    (lambda kind: get_origin(kind) is dict, kinds.COUNTS),
]


def _kind_by_type(annotation: Any) -> Kind:
    if get_origin(annotation) in (Union, UnionType):
        (annotation,) = [each for each in get_args(annotation) if each is not NoneType][:1]
    if hasattr(annotation, "__metadata__"):
        annotation = annotation.__origin__
    if get_origin(annotation) is Literal:
        return kinds.one_of({str(choice): choice for choice in get_args(annotation)})
    if get_origin(annotation) is list and hasattr(get_args(annotation)[0], "model_fields"):
        return kinds.records(_fields(get_args(annotation)[0]))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return kinds.record(_fields(annotation))
    return next((kind for fits, kind in _KINDS if fits(annotation)), kinds.TEXT)


def _fields(record: type[BaseModel]) -> dict[str, Kind]:
    return {name: kind_of(name, field) for name, field in record.model_fields.items()}


def _values(record: type[BaseModel], under: Path, *, leave_out: tuple[str, ...] = (), prefix: str = "") -> list[Column]:
    """Lines of a record, where nothing is written as words."""
    lines = []
    for each in columns_of(record, leave_out=leave_out, under=under):
        may_be_none = NoneType in get_args(record.model_fields[str(each.path[-1])].annotation)
        kind = kinds.or_none(each.kind, kinds.NOT_CHECKED) if may_be_none else each.kind
        title = f"{prefix}{str(each.path[-1]).replace('_', ' ')}"
        if each.kind is kinds.HOURS:
            title = title.replace("minutes", "hours")
        about = "" if prefix else each.about  # a field of the ward of the same name means something else
        lines.append(Column(each.path, title.capitalize(), kind, each.required, about, each.default))
    return lines


def _fairness() -> tuple[Column, ...]:
    counted = kinds.or_none(kinds.WHOLE, kinds.ANY_NUMBER)
    allowed = [
        Column(("allowed", kind), f"Allowed: {kind.replace('_', ' ')}", counted, default=ALLOWED[kind])
        for kind in ALLOWED
    ]
    return (
        *allowed,
        *_values(EmpathyLimits, (), leave_out=("allowed", "fatigue", "points")),
        *_values(FatigueScale, ("fatigue",), prefix="Fatigue: "),
        *_values(Points, ("points",), prefix="Points: "),
    )


def _history() -> tuple[Column, ...]:
    columns = columns_of(History, leave_out=("tail",), under=("history",))
    named = {"minutes": "Hours", "target_minutes": "Agreed hours"}
    titles = (named.get(str(each.path[-1]), str(each.path[-1]).capitalize()) for each in columns)
    return tuple(replace(each, title=f"{title} before") for each, title in zip(columns, titles, strict=True))


ELSEWHERE = (
    "shifts", "nurses", "demand", "leave", "wishes", "locked", "pairs", "published", "followed_by", "holidays", "rules",
    "fairness",
)  # fmt: skip
"""Fields of the ward with sheets of their own, or none."""
WARD = Sheet(
    "Ward",
    (),
    (
        *(replace(each, required=each.required and each.path != ("start",)) for each in columns_of(Ward, leave_out=ELSEWHERE)),
        Column(("published", "weight"), "Cost of a change", kinds.WHOLE, about="Of each cell that differs from Published"),
        Column(("published", "reason"), "Why it was changed", kinds.TEXT, about="Of cells that somebody asked for, such as a swap"),
    ),
    "The ward and its period. Start may be left empty, if it is asked for.",
)  # fmt: skip
RULES = Sheet("Rules", ("rules",), tuple(_values(Rules, ())), "An empty value is the usual one.")
FAIRNESS = Sheet("Fairness limits", ("fairness",), _fairness(), "When a roster counts as unfair; empty = the usual.")
END = Column(("end",), "End", kinds.CLOCK, True, "On the next day where it is not after the start")
"""A shift says when it ends instead of how many minutes it lasts."""
SHIFTS = Sheet(
    "Shifts",
    ("shifts",),
    tuple(END if each.path == ("minutes",) else each for each in columns_of(Shift)),
    "The kinds of shift.",
)
CONTRACT_NAME = Column(
    ("name",), "Contract", kinds.ID, True, "Any short name; nurses with the same contract share its line"
)
CONTRACTS = Sheet(
    "Contracts",
    ("contracts",),
    (
        CONTRACT_NAME,
        *columns_of(ContractInFile, leave_out=tuple(Contract.model_fields)),
        *columns_of(Contract),
    ),
    "What a nurse may and should work. Empty = no bound.",
)
NURSES = Sheet(
    "Nurses",
    ("nurses",),
    (
        *columns_of(Nurse, leave_out=("contract", "history")),
        Column(("contract",), "Contract", Kind(kinds.word, kinds.same, of="Contracts", format="@")),
        *_history(),
    ),
    "The staff. The columns with 'before' count the periods before this one.",
)
ON = Column(("day",), "Day", kinds.DATES, True, "A date, or weekdays: Mon-Fri; Sat, Sun; every day")
DEMAND = Sheet(
    "Demand",
    ("demand",),
    (ON, *columns_of(Demand, leave_out=("day",))),
    "How many are needed on a shift: a line for a date, or for weekdays.",
)
LEAVE = Sheet(
    "Leave",
    ("leave",),
    (
        *columns_of(Leave, leave_out=("day", "shift", "paid")),
        Column(("day",), "First day", kinds.DATE, True),
        Column(("last",), "Last day", kinds.DATE, about="Empty = the first day alone"),
        *columns_of(Leave, leave_out=("nurse", "day")),
    ),
    "Days, or one shift of a day, that a nurse cannot work.",
)
WISHES = Sheet(
    "Wishes",
    ("wishes",),
    (*columns_of(Wish)[:1], ON, *columns_of(Wish)[2:]),
    "Wishes for or against a shift, or a day's work: a line for a date, or for weekdays.",
)
SETTLED = Sheet(
    "Settled",
    ("locked",),
    (*columns_of(Locked, leave_out=("shift", "frozen")), Column(("shift",), "Shift", kinds.CELL, True)),
    "Cells that are settled: a shift, or off.",
)
PAIRS = Sheet("Pairs", ("pairs",), columns_of(Pair), "Nurses who should, or should not, work the same shifts.")
HOLIDAYS = Sheet("Holidays", ("holidays",), (Column(("day",), "Day", kinds.DATE, True),), "Public holidays.")

TABLES = (SHIFTS, CONTRACTS, NURSES, DEMAND, LEAVE, WISHES, SETTLED, PAIRS, HOLIDAYS)
VALUES = (WARD, RULES, FAIRNESS)
BEFORE, PUBLISHED, ROSTER = "Days before", "Published", "Roster"
"""Sheets with a row for each nurse and a column for each day."""
REQUIRED = ("Ward", "Shifts", "Nurses")
OPTIONAL = (
    *(each.name for each in (*TABLES, RULES, FAIRNESS) if each.name not in REQUIRED),
    BEFORE,
    PUBLISHED,
)
OWN = ("Read me", ROSTER, "Cover", "Shares", "Findings")
"""Sheets that a reader of wards passes over."""
