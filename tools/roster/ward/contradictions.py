"""Contradictions within a ward: unknown ids, duplicate rows, days outside the horizon, bounds the wrong way round.
Whether a roster exists is for the solver to say."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from wavegraph.graph.decimals import decimal
from wavegraph.graph.settings import CALENDAR, LAST_DAY, in_calendar
from wavegraph.tools.roster.ward.expectations import did_you_mean
from wavegraph.tools.roster.ward.fairness_limits import ALLOWED
from wavegraph.tools.roster.ward.faults import FieldAt, FieldPath, FileFault, Records, field_at
from wavegraph.tools.roster.ward.roster_fit import published_misfits
from wavegraph.tools.roster.ward.ward import Contract, Nurse, Rules, RunLimit, Ward


def contradictions(ward: Ward, *, dated: bool = True) -> list[FileFault]:
    """Every fault, in the order of the file's fields. Empty = none. `dated`: whether every row has to lie
    within the horizon, and a published roster has to cover all of it."""
    if not in_calendar(ward.start) or ward.days > (LAST_DAY - ward.start).days:
        return [
            FileFault(
                field_at("start"), ward.start.isoformat(), f"{ward.days} days within {CALENDAR}: this is out of range"
            )
        ]
    checks: tuple[Callable[[Ward], Iterable[FileFault]], ...] = (
        _zone,
        _twice,
        _shifts,
        _nurses,
        _known_ids,
        _days,
        _demand,
        _leave,
        _locked,
        _pairs,
        _published,
        _followed_by,
        _rules,
        _fairness,
    )
    return [fault for check in checks if dated or check not in (_days, _published) for fault in check(ward)]


def _zone(ward: Ward) -> Iterator[FileFault]:
    try:
        ZoneInfo(ward.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        yield FileFault(field_at("time_zone"), ward.time_zone, "a time zone such as Europe/London")


def _twice(ward: Ward) -> Iterator[FileFault]:
    yield from _repeats("skills", ward.skills, "each skill once")
    yield from _repeats("shifts", [shift.id for shift in ward.shifts], "each shift id once")
    yield from _repeats("nurses", [nurse.id for nurse in ward.nurses], "each nurse id once")
    yield from _repeats(
        "demand", [(row.day, row.shift, row.skill) for row in ward.demand], "one row a day, shift, skill"
    )
    yield from _repeats("leave", [(row.nurse, row.day, row.shift) for row in ward.leave], "one row a nurse, day, shift")
    yield from _repeats(
        "wishes", [(row.nurse, row.day, row.shift) for row in ward.wishes], "one row a nurse, day, shift"
    )
    yield from _repeats("locked", [(row.nurse, row.day) for row in ward.locked], "one row a nurse and day")
    yield from _repeats("pairs", [tuple(sorted((row.first, row.second))) for row in ward.pairs], "one row a pair")
    yield from _repeats("holidays", ward.holidays, "each date once")


def _repeats(field: str, keys: Sequence[Hashable], expected: str) -> Iterator[FileFault]:
    indices = defaultdict(list)
    for place, key in enumerate(keys):
        indices[key].append(place)
    for key, (first, *others) in indices.items():
        for place in others:
            yield FileFault(field_at(field, place), _written(key), expected, same_as=field_at(field, first))


def _written(key: Hashable) -> str:
    parts = key if isinstance(key, tuple) else (key,)
    return " ".join(str(part) for part in parts if part is not None)


def _shifts(ward: Ward) -> Iterator[FileFault]:
    for index, shift in enumerate(ward.shifts):
        place, start = ("shifts", index), shift.start
        if start.tzinfo:
            yield FileFault(_at(place, "start", shift.id), start.isoformat(), "a clock time of the ward's own zone")
        if start.second or start.microsecond:
            yield FileFault(_at(place, "start", shift.id), start.isoformat(), "a whole minute, such as 07:30")
        if shift.paid_minutes is not None and shift.hour_factor is not None:
            yield FileFault(
                _at(place, "hour_factor", shift.id), shift.hour_factor, "either hour_factor or paid_minutes"
            )
        elif shift.hour_factor is None and shift.paid > shift.minutes:
            most = f"at most its {shift.minutes} minutes"
            yield FileFault(_at(place, "paid_minutes", shift.id), shift.paid_minutes, most)
        yield from _unknown(_at(place, "not_followed_by", shift.id), shift.not_followed_by, ward.shift_by_id, "shifts")
        yield from _unknown(_at(place, "skill", shift.id), [shift.skill], ward.skills, "skills")
        if len(set(shift.not_followed_by)) < len(shift.not_followed_by):
            yield FileFault(_at(place, "not_followed_by", shift.id), shift.not_followed_by, "each shift once")


def _at(place: FieldPath, field: str, owner: str) -> FieldAt:
    return field_at(*place, field, owner=owner)


def _unknown(place: FieldAt, names: Iterable[str | None], known: Collection[str], what: Records) -> Iterator[FileFault]:
    for name in names:
        if name is not None and name not in known:
            listed = ", ".join(list(known)[:12]) or "there are none"
            yield FileFault(
                place,
                name,
                f"one of the ward's {what}: {listed}{', …' if len(known) > 12 else ''}{did_you_mean(name, known)}",
                asks=what,
            )


def _nurses(ward: Ward) -> Iterator[FileFault]:
    """Faults in skills, tails and contracts."""
    for index, nurse in enumerate(ward.nurses):
        place: FieldPath = ("nurses", index)
        yield from _unknown(_at(place, "skills", nurse.id), nurse.skills, ward.skills, "skills")
        if len(set(nurse.skills)) < len(nurse.skills):
            yield FileFault(_at(place, "skills", nurse.id), nurse.skills, "each skill once")
        yield from _unknown(
            field_at(*place, "history", "tail", owner=nurse.id), nurse.history.tail, ward.shift_by_id, "shifts"
        )
        bounded = field_at(*place, "contract", "max_shifts", owner=nurse.id)
        yield from _unknown(bounded, nurse.contract.max_shifts, ward.shift_by_id, "shifts")
        yield from _runs((*place, "contract", "runs"), nurse.contract.runs, ward)
        yield from _contract((*place, "contract"), nurse, ward)


def _runs(field: FieldPath, limits: Sequence[RunLimit], ward: Ward) -> Iterator[FileFault]:
    for index, limit in enumerate(limits):
        place = (*field, index)
        yield from _unknown(field_at(*place, "shifts"), limit.shifts, ward.shift_by_id, "shifts")
        if len(set(limit.shifts)) < len(limit.shifts):
            yield FileFault(field_at(*place, "shifts"), limit.shifts, "each shift once")
        if limit.off and limit.shifts:
            yield FileFault(field_at(*place, "shifts"), limit.shifts, "no shifts, where days off are counted")
        if limit.most is not None and limit.least > limit.most:
            yield FileFault(field_at(*place, "least"), limit.least, f"at most most, which is {limit.most}")
        if limit.most is None and limit.least == 1:
            yield FileFault(FieldAt(place), None, "least from 2 on, or most")


def _contract(place: FieldPath, nurse: Nurse, ward: Ward) -> Iterator[FileFault]:
    contract = nurse.contract
    yield from _bounds(place, nurse.id, contract)
    longest = ward.days * max(shift.paid for shift in ward.shifts)
    if contract.min_minutes > longest:
        most = f"at most {longest}, the longest shift on each of {ward.days} days"
        yield FileFault(_at(place, "min_minutes", nurse.id), contract.min_minutes, most)


def _bounds(place: FieldPath, owner: str, contract: Contract) -> Iterator[FileFault]:
    pairs = (
        ("min_minutes", contract.min_minutes, "max_minutes", contract.max_minutes),
        ("min_minutes", contract.min_minutes, "target_minutes", contract.target_minutes),
        ("target_minutes", contract.target_minutes, "max_minutes", contract.max_minutes),
        ("min_run", contract.min_run, "max_run", contract.max_run),
        *(
            (f"{name}.least", total.least, f"{name}.most", total.most)
            for name, total in (("assignments", contract.assignments), ("working_weekends", contract.working_weekends))
            if total is not None
        ),
    )
    for lower_name, lower, upper_name, upper in pairs:
        if lower is not None and upper is not None and lower > upper:
            yield FileFault(_at(place, lower_name, owner), lower, f"at most {upper_name}, which is {upper}")


def _known_ids(ward: Ward) -> Iterator[FileFault]:
    for place, demand in enumerate(ward.demand):
        yield from _unknown(field_at("demand", place, "shift"), [demand.shift], ward.shift_by_id, "shifts")
        yield from _unknown(field_at("demand", place, "skill"), [demand.skill], ward.skills, "skills")
    cells = [(("leave", place), leave.nurse, leave.shift) for place, leave in enumerate(ward.leave)]
    cells += [(("wishes", place), wish.nurse, wish.shift) for place, wish in enumerate(ward.wishes)]
    cells += [(("locked", place), locked.nurse, locked.shift) for place, locked in enumerate(ward.locked)]
    for row, nurse, shift in cells:
        yield from _unknown(field_at(*row, "nurse"), [nurse], ward.nurse_by_id, "nurses")
        yield from _unknown(_at(row, "shift", nurse), [shift], ward.shift_by_id, "shifts")
    for place, pair in enumerate(ward.pairs):
        yield from _unknown(field_at("pairs", place, "first"), [pair.first], ward.nurse_by_id, "nurses")
        yield from _unknown(field_at("pairs", place, "second"), [pair.second], ward.nurse_by_id, "nurses")


def _days(ward: Ward) -> Iterator[FileFault]:
    last = ward.day(ward.days - 1)
    dated: tuple[tuple[str, list[tuple[date, str]]], ...] = (
        ("demand", [(row.day, row.shift) for row in ward.demand]),
        ("leave", [(row.day, row.nurse) for row in ward.leave]),
        ("wishes", [(row.day, row.nurse) for row in ward.wishes]),
        ("locked", [(row.day, row.nurse) for row in ward.locked]),
    )
    for field, rows in dated:
        for place, (day, owner) in enumerate(rows):
            if not ward.start <= day <= last:
                yield FileFault(
                    _at((field, place), "day", owner), day.isoformat(), f"a day from {ward.start} to {last}"
                )


def _demand(ward: Ward) -> Iterator[FileFault]:
    held = {skill for nurse in ward.nurses for skill in nurse.skills}
    for place, demand in enumerate(ward.demand):
        if demand.minimum > demand.target:
            yield FileFault(
                field_at("demand", place, "minimum"), demand.minimum, f"at most target, which is {demand.target}"
            )
        if demand.skill in ward.skills and demand.skill not in held and demand.target:
            yield FileFault(field_at("demand", place, "skill"), demand.skill, "a skill that at least one nurse has")


def _leave(ward: Ward) -> Iterator[FileFault]:
    away = {(row.nurse, row.day, row.shift) for row in ward.leave}
    for place, row in enumerate(ward.leave):
        if row.shift and (row.nurse, row.day, None) in away:
            expected = f"no row of its own: all of {row.day} is leave"
            yield FileFault(_at(("leave", place), "shift", row.nurse), row.shift, expected)
    for place, wish in enumerate(ward.wishes):
        if wish.wants and (wish.nurse, wish.day, None) in away:
            yield FileFault(_at(("wishes", place), "day", wish.nurse), wish.day.isoformat(), "no wish to work on leave")
        elif wish.wants and wish.shift and (wish.nurse, wish.day, wish.shift) in away:
            expected = f"no wish for a shift that is leave on {wish.day}"
            yield FileFault(_at(("wishes", place), "shift", wish.nurse), wish.shift, expected)


def _locked(ward: Ward) -> Iterator[FileFault]:
    away = {(row.nurse, row.day, row.shift) for row in ward.leave}
    for place, locked in enumerate(ward.locked):
        where = _at(("locked", place), "shift", locked.nurse)
        if locked.shift and (locked.nurse, locked.day, None) in away:
            yield FileFault(where, locked.shift, f"null: {locked.day} is leave")
        elif locked.shift and (locked.nurse, locked.day, locked.shift) in away:
            yield FileFault(where, locked.shift, f"another shift, or null: this one is leave on {locked.day}")
        nurse = ward.nurse_by_id.get(locked.nurse)
        if nurse and locked.shift and nurse.contract.max_shifts.get(locked.shift) == 0:
            yield FileFault(where, locked.shift, "a shift that the nurse's contract.max_shifts allows")
        needs = ward.shift_by_id[locked.shift].skill if locked.shift in ward.shift_by_id else None
        if nurse and needs is not None and needs not in nurse.skills:
            yield FileFault(where, locked.shift, f"a shift whose skill she has: this one needs {needs}")


def _pairs(ward: Ward) -> Iterator[FileFault]:
    for place, pair in enumerate(ward.pairs):
        if pair.first == pair.second:
            yield FileFault(field_at("pairs", place, "second"), pair.second, "another nurse than first")


def _published(ward: Ward) -> Iterator[FileFault]:
    if ward.published:
        for fault in published_misfits(ward, ward.published.roster):
            assert isinstance(fault.place, FieldAt), "the misfits of a roster are at its fields"
            yield replace(fault, place=field_at("published", "roster", *fault.place.path))


def _followed_by(ward: Ward) -> Iterator[FileFault]:
    for name, row in (ward.followed_by.roster if ward.followed_by else {}).items():
        yield from _unknown(field_at("followed_by", "roster", name), row, ward.shift_by_id, "shifts")
        if name not in ward.nurse_by_id:
            yield FileFault(field_at("followed_by", "roster", name), name, "a nurse of the ward", asks="nurses")


def _rules(ward: Ward) -> Iterator[FileFault]:
    rules: Rules = ward.rules
    yield from _unknown(field_at("rules", "charge_skill"), [rules.charge_skill], ward.skills, "skills")
    yield from _runs(("rules", "runs"), rules.runs, ward)
    for place, balance in enumerate(rules.balanced):
        at = field_at("rules", "balanced", place, "shifts")
        yield from _unknown(at, balance.shifts, ward.shift_by_id, "shifts")
        if len(set(balance.shifts)) < len(balance.shifts):
            yield FileFault(at, balance.shifts, "each shift once")
    charge = rules.charge_skill
    if charge in ward.skills and not any(charge in nurse.skills for nurse in ward.nurses):
        yield FileFault(field_at("rules", "charge_skill"), charge, "a skill that at least one nurse has")
    derogated = rules.derogated_rest_hours
    if derogated is not None and derogated > rules.daily_rest_hours:
        yield FileFault(
            field_at("rules", "derogated_rest_hours"),
            derogated,
            f"at most daily_rest_hours, {rules.daily_rest_hours:g}",
        )


def _fairness(ward: Ward) -> Iterator[FileFault]:
    for kind in ward.fairness.allowed:
        if kind not in ALLOWED:
            yield FileFault(
                field_at("fairness", "allowed"),
                kind,
                f"one of {', '.join(ALLOWED)}: what compliance finds is never allowed",
            )
    scale = ward.fairness.fatigue
    if scale.moderate > scale.high:
        yield FileFault(
            field_at("fairness", "fatigue", "moderate"), scale.moderate, f"at most high, which is {decimal(scale.high)}"
        )
