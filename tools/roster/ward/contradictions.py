"""Contradictions within a ward: unknown ids, duplicate rows, days outside the horizon, bounds the wrong way round.
Whether a roster exists is for the solver to say."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel

from wavegraph.tools.roster.told import Told
from wavegraph.tools.roster.ward.expectations import did_you_mean
from wavegraph.tools.roster.ward.fairness_limits import ALLOWED, FatigueScale
from wavegraph.tools.roster.ward.faults import FieldPath, FileFault, field_at, owner_of, wanted
from wavegraph.tools.roster.ward.roster_fit import misfits
from wavegraph.tools.roster.ward.ward import (
    Contract,
    Demand,
    History,
    Leave,
    Locked,
    Pair,
    RefersTo,
    Rules,
    RunLimit,
    Shift,
    Total,
    Ward,
    Wish,
)

MOST_KNOWN = 12
"""Ids that a message lists."""
ONCE: Mapping[str, tuple[Callable[[Any], Hashable], Told]] = {
    "skills": (lambda skill: skill, wanted("skills_once")),
    "shifts": (lambda shift: shift.id, wanted("shift_id_once")),
    "nurses": (lambda nurse: nurse.id, wanted("nurse_id_once")),
    "demand": (lambda row: (row.day, row.shift, row.skill), wanted("row_of_demand_once")),
    "leave": (lambda row: (row.nurse, row.day, row.shift), wanted("row_of_shift_once")),
    "wishes": (lambda row: (row.nurse, row.day, row.shift), wanted("row_of_shift_once")),
    "locked": (lambda row: (row.nurse, row.day), wanted("row_of_cell_once")),
    "pairs": (lambda row: tuple(sorted((row.first, row.second))), wanted("pair_once")),
    "holidays": (lambda day: day, wanted("date_once")),
}
"""What may occur once in a list of the ward."""
IN_ORDER: Mapping[type[BaseModel], tuple[tuple[str, str], ...]] = {
    Contract: (
        ("min_minutes", "max_minutes"), ("min_minutes", "target_minutes"), ("target_minutes", "max_minutes"),
        ("min_run", "max_run"),
    ),
    Demand: (("minimum", "target"),),
    FatigueScale: (("moderate", "high"),),
    Rules: (("derogated_rest_hours", "daily_rest_hours"),),
    RunLimit: (("least", "most"),),
    Total: (("least", "most"),),
}  # fmt: skip
"""Fields of which the first is at most the second."""


class _Part(NamedTuple):
    """A record somewhere in a ward."""

    path: FieldPath
    owner: str | None
    record: BaseModel

    def fault(self, field: str, value: object, expected: Told) -> FileFault:
        owner = None if value == self.owner else self.owner
        return FileFault(field_at(*self.path, field, owner=owner), value, expected)


def contradictions(ward: Ward, *, dated: bool = True) -> list[FileFault]:
    """Every fault: what is there twice; once nothing is, all others. Empty = none. `dated`: whether every row has to lie
    within the horizon, and a published roster has to cover all of it."""
    if doubled := list(_twice(ward)):
        return doubled
    parts = list(_parts(ward, (), None))
    of_records = (fault for check in OF_RECORDS for part in parts for fault in check(part, ward))
    found = [*_zone(ward), *of_records, *_on_leave(parts, ward), *_followed_by(ward), *_fairness(ward)]
    return [*found, *_outside(parts, ward), *_published(ward)] if dated else found


def _parts(record: BaseModel, path: FieldPath, owner: str | None) -> Iterator[_Part]:
    """The record and all within it; each with the id of the nurse or shift that it is of."""
    yield _Part(path, owner, record)
    for name in type(record).model_fields:
        value = getattr(record, name)
        inside = enumerate(value) if isinstance(value, list) else [(None, value)]
        for place, each in inside:
            if isinstance(each, BaseModel):
                inner = (*path, name) if place is None else (*path, name, place)
                yield from _parts(each, inner, owner or owner_of(each))


def _zone(ward: Ward) -> Iterator[FileFault]:
    try:
        ZoneInfo(ward.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        yield FileFault(field_at("time_zone"), ward.time_zone, wanted("time_zone"))


def _twice(ward: Ward) -> Iterator[FileFault]:
    for field, (key_of, expected) in ONCE.items():
        first: dict[Hashable, int] = {}
        for place, row in enumerate(getattr(ward, field)):
            key = key_of(row)
            if first.setdefault(key, place) != place:
                parts = key if isinstance(key, tuple) else (key,)
                value = " ".join(str(part) for part in parts if part is not None)
                yield FileFault(field_at(field, place), value, expected, same_as=field_at(field, first[key]))


def _unknown_ids(part: _Part, ward: Ward) -> Iterator[FileFault]:
    for field, records in _references(type(part.record)).items():
        value = getattr(part.record, field)
        names = list(value) if isinstance(value, list | dict) else [value]
        yield from (part.fault(field, name, expected) for name, expected in _unknown(names, records, ward))
        if not isinstance(part.record, History) and len(set(names)) < len(names):
            yield part.fault(field, value, wanted(f"{records}_once"))


def _unknown(names: Iterable[str | None], records: str, ward: Ward) -> Iterator[tuple[str, Told]]:
    """The ids of no record of the ward, with what was expected."""
    all_known = {"shifts": list(ward.shift_by_id), "nurses": list(ward.nurse_by_id), "skills": ward.skills}
    known = all_known[records]
    listed = ", ".join(known[:MOST_KNOWN]) or wanted("there_are_none")
    more = ", …" if len(known) > MOST_KNOWN else ""
    for name in names:
        if name is not None and name not in known:
            yield name, wanted(f"of_{records}", known=listed, more=more, hint=did_you_mean(name, known))


@cache
def _references(record: type[BaseModel]) -> dict[str, str]:
    """The fields that hold ids of other records, and of which."""
    if record.__name__ in ("Published", "FollowedBy"):
        return {}
    fields = {name: [*field.metadata, *_metadata(field.annotation)] for name, field in record.model_fields.items()}
    return {name: each.records for name, found in fields.items() for each in found if isinstance(each, RefersTo)}


def _metadata(annotation: Any) -> Iterator[Any]:
    for part in get_args(annotation):
        yield from [part, *_metadata(part)]


def _out_of_order(part: _Part, ward: Ward) -> Iterator[FileFault]:
    for lower, upper in IN_ORDER.get(type(part.record), ()):
        least, most = getattr(part.record, lower), getattr(part.record, upper)
        if least is not None and most is not None and least > most:
            yield part.fault(lower, least, wanted("at_most_field", field=upper, most=most))


def _of_record(part: _Part, ward: Ward) -> Iterator[FileFault]:
    match part.record:
        case Shift() as shift:
            yield from _shift(part, shift)
        case RunLimit(off=True, shifts=[_, *_] as shifts):
            yield part.fault("shifts", shifts, wanted("no_shifts_of_days_off"))
        case RunLimit(most=None, least=1):
            yield FileFault(field_at(*part.path), None, wanted("least_or_most"))
        case Contract(min_minutes=least) if least > (longest := ward.days * max(shift.paid for shift in ward.shifts)):
            yield part.fault("min_minutes", least, wanted("longest_shifts", most=longest, days=ward.days))
        case Demand(skill=str(skill), target=target) if target and _is_lacked(skill, ward):
            yield part.fault("skill", skill, wanted("skill_of_a_nurse"))
        case Locked(nurse=name, shift=str(shift_id)) if name in ward.nurse_by_id and shift_id in ward.shift_by_id:
            nurse, needs = ward.nurse_by_id[name], ward.shift_by_id[shift_id].skill
            if nurse.contract.max_shifts.get(shift_id) == 0:
                yield part.fault("shift", shift_id, wanted("allowed_shift"))
            if needs is not None and needs not in nurse.skills:
                yield part.fault("shift", shift_id, wanted("able_shift", skill=needs))
        case Pair(first=first, second=second) if first == second:
            yield part.fault("second", second, wanted("another_nurse"))
        case Rules(charge_skill=str(skill)) if _is_lacked(skill, ward):
            yield part.fault("charge_skill", skill, wanted("skill_of_a_nurse"))


def _shift(part: _Part, shift: Shift) -> Iterator[FileFault]:
    start = shift.start
    if start.tzinfo:
        yield part.fault("start", start.isoformat(), wanted("own_zone"))
    if start.second or start.microsecond:
        yield part.fault("start", start.isoformat(), wanted("whole_minute"))
    if shift.paid_minutes is not None and shift.hour_factor is not None:
        yield part.fault("hour_factor", shift.hour_factor, wanted("factor_or_minutes"))
    elif shift.hour_factor is None and shift.paid > shift.minutes:
        yield part.fault("paid_minutes", shift.paid_minutes, wanted("at_most_its_minutes", most=shift.minutes))


def _is_lacked(skill: str, ward: Ward) -> bool:
    return skill in ward.skills and all(skill not in nurse.skills for nurse in ward.nurses)


OF_RECORDS: tuple[Callable[[_Part, Ward], Iterable[FileFault]], ...] = (_unknown_ids, _out_of_order, _of_record)


def _outside(parts: Iterable[_Part], ward: Ward) -> Iterator[FileFault]:
    last = ward.day(ward.days - 1)
    for part in parts:
        match part.record:
            case Demand(day=day) | Leave(day=day) | Wish(day=day) | Locked(day=day) if not ward.start <= day <= last:
                yield part.fault("day", day.isoformat(), wanted("day_within", first=ward.start, last=last))


def _on_leave(parts: Iterable[_Part], ward: Ward) -> Iterator[FileFault]:
    away = {(row.nurse, row.day, row.shift) for row in ward.leave}
    for part in parts:
        match part.record:
            case Leave(nurse=nurse, day=day, shift=str(shift)) if (nurse, day, None) in away:
                yield part.fault("shift", shift, wanted("no_row_on_leave", day=day))
            case Wish(nurse=nurse, day=day, wants=True) if (nurse, day, None) in away:
                yield part.fault("day", day.isoformat(), wanted("no_wish_on_leave"))
            case Wish(nurse=nurse, day=day, shift=str(shift), wants=True) if (nurse, day, shift) in away:
                yield part.fault("shift", shift, wanted("no_wish_for_leave", day=day))
            case Locked(nurse=nurse, day=day, shift=str(shift)) if (nurse, day, None) in away:
                yield part.fault("shift", shift, wanted("null_on_leave", day=day))
            case Locked(nurse=nurse, day=day, shift=str(shift)) if (nurse, day, shift) in away:
                yield part.fault("shift", shift, wanted("another_shift", day=day))


def _published(ward: Ward) -> list[FileFault]:
    roster = ward.published.roster if ward.published else {}
    return misfits(ward, roster, published=True, under=("published", "roster"))


def _followed_by(ward: Ward) -> Iterator[FileFault]:
    for name, row in (ward.followed_by.roster if ward.followed_by else {}).items():
        unknown = [*_unknown([name], "nurses", ward), *_unknown(row, "shifts", ward)]
        yield from (FileFault(field_at("followed_by", "roster", name), each, expected) for each, expected in unknown)


def _fairness(ward: Ward) -> Iterator[FileFault]:
    for kind in ward.fairness.allowed.keys() - ALLOWED.keys():
        yield FileFault(field_at("fairness", "allowed"), kind, wanted("counted_type", known=", ".join(ALLOWED)))
