"""What was promised to each nurse: leave, settled cells, the bounds of the contract."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from wavegraph.tools.roster.checks.findings import Finding, about, bound, in_hours, is_weekend, iso
from wavegraph.tools.roster.checks.timelines import Checked, Timeline
from wavegraph.tools.roster.problem.hours import leave_minutes
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.totals import Kind, totals
from wavegraph.tools.roster.told import told
from wavegraph.tools.roster.ward.ward import Shift

SUNDAY = 6


def check_leave(of: Checked) -> list[Finding]:
    """No work on a day of leave, and no shift that a nurse cannot work that day."""
    return [
        Finding(
            type="leave",
            **about(of.ward.nurse_by_id[leave.nurse]),
            day=leave.day.isoformat(),
            shift=shift,
            rule=RuleId("leave"),
            form="leave_of_shift" if leave.shift else None,
            expected=f"not {leave.shift}" if leave.shift else "off",
            actual=shift,
        )
        for leave in of.ward.leave
        if (shift := of.roster[leave.nurse][of.ward.index(leave.day)]) and leave.shift in (None, shift)
    ]


def check_shift_skills(of: Checked) -> list[Finding]:
    """No shift without the skill that it needs (INRC-II H4)."""
    return [
        Finding(
            type="shift_skill",
            **about(timeline.nurse),
            day=iso(of.ward, worked.day),
            shift=worked.shift.id,
            rule=RuleId("shift_skill", worked.shift.id, worked.shift.skill),
            skill=worked.shift.skill,
            expected=worked.shift.skill,
        )
        for timeline in of.timelines
        for worked in timeline.in_horizon
        if worked.shift.skill is not None and worked.shift.skill not in timeline.nurse.skills
    ]


def check_night_before_leave(of: Checked) -> list[Finding]:
    """No night that ends on the first day of leave, unless the cell is settled so; `rules.night_before_leave` allows it."""
    ward = of.ward
    away = {(leave.nurse, ward.index(leave.day)) for leave in ward.leave if leave.shift is None}
    settled = {(cell.nurse, ward.index(cell.day)) for cell in ward.locked if cell.shift is not None}
    eves = sorted({(nurse, day - 1) for nurse, day in away if day > 0} - away - settled)
    nights = {shift.id: shift for shift in ward.shifts if shift.night}
    worked = [(nurse, day, shift) for nurse, day in eves if (shift := nights.get(of.roster[nurse][day] or ""))]
    return [
        Finding(
            type="leave",
            **about(ward.nurse_by_id[nurse]),
            day=iso(ward, day),
            shift=shift.id,
            rule=RuleId("night_before_leave"),
            expected=f"not {shift.id}",
            actual=shift.id,
        )
        for nurse, day, shift in worked
        if not ward.rules.night_before_leave and _ends_on_the_next_day(shift)
    ]


def _ends_on_the_next_day(shift: Shift) -> bool:
    return shift.minutes > (24 - shift.start.hour) * 60 - shift.start.minute


def check_locked(of: Checked) -> list[Finding]:
    """A settled cell is as it was settled."""
    cells = [(locked, of.roster[locked.nurse][of.ward.index(locked.day)]) for locked in of.ward.locked]
    return [
        Finding(
            type="locked",
            **about(of.ward.nurse_by_id[locked.nurse]),
            day=locked.day.isoformat(),
            shift=shift,
            rule=RuleId("locked"),
            given={"has": shift or told("found.day_off"), "settled": locked.shift or told("found.day_off")},
            expected=locked.shift or "off",
            actual=shift or "off",
        )
        for locked, shift in cells
        if shift != locked.shift
    ]


def check_contract_hours(of: Checked) -> list[Finding]:
    """`contract.min_minutes` to `contract.max_minutes` of paid time in the horizon, with what paid leave counts as. Leave
    alone is never too much."""
    return [
        found
        for timeline in of.timelines
        for found in _hours(
            timeline,
            sum(worked.shift.paid for worked in timeline.in_horizon),
            leave_minutes(of.ward, timeline.nurse),
        )
    ]


def _hours(timeline: Timeline, worked: int, leave: int) -> Iterator[Finding]:
    least, most = timeline.nurse.contract.min_minutes, timeline.nurse.contract.max_minutes
    minutes = worked + leave
    if minutes < least or (most is not None and worked and minutes > most):
        short = minutes < least
        limit = least if short or most is None else most
        yield Finding(
            type="contract_hours",
            **about(timeline.nurse),
            rule=RuleId("least_minutes" if short else "most_minutes"),
            given={
                "hours": in_hours(worked),
                "leave": told("found.of_leave", hours=in_hours(leave)) if leave else "",
                "agreed": in_hours(limit),
            },
            expected=limit,
            actual=minutes,
        )


def check_contract_shifts(of: Checked) -> list[Finding]:
    """At most `contract.max_shifts` of each kind and `contract.max_nights` nights in the horizon."""
    return [found for timeline in of.timelines for found in (*_kinds(timeline), *_nights(timeline))]


def _kinds(timeline: Timeline) -> Iterator[Finding]:
    counts = Counter(worked.shift.id for worked in timeline.in_horizon)
    for shift, most in timeline.nurse.contract.max_shifts.items():
        if counts[shift] > most:
            yield _too_many(timeline, shift, counts[shift], most)


def _nights(timeline: Timeline) -> Iterator[Finding]:
    nights = sum(worked.shift.night for worked in timeline.in_horizon)
    most = timeline.nurse.contract.max_nights
    if most is not None and nights > most:
        yield _too_many(timeline, None, nights, most)


def _too_many(timeline: Timeline, shift: str | None, worked: int, most: int) -> Finding:
    return Finding(
        type="contract_shifts",
        **about(timeline.nurse),
        shift=shift,
        rule=RuleId("most_shifts", shift) if shift else RuleId("most_nights"),
        given={"n": worked},
        expected=most,
        actual=worked,
    )


def check_weekends(of: Checked) -> list[Finding]:
    """At most `contract.max_weekends` weekends with work on Saturday or Sunday (Curtois and Qu; INRC-II S7)."""
    weekends = [(timeline, worked_weekends(timeline)) for timeline in of.timelines]
    return [
        Finding(
            type="weekends",
            **about(timeline.nurse),
            day=iso(of.ward, worked[most]),
            rule=RuleId("most_weekends"),
            given={"n": len(worked)},
            expected=most,
            actual=len(worked),
        )
        for timeline, worked in weekends
        if (most := timeline.nurse.contract.max_weekends) is not None and len(worked) > most
    ]


def worked_weekends(timeline: Timeline) -> list[int]:
    """The first worked day of each weekend of the horizon that has one; of one that she began before it, none."""
    first: dict[object, int] = {}
    begun = [0] if timeline.ward.start.weekday() == SUNDAY and timeline.at(-1) else []
    for worked in (each for each in timeline.in_horizon if each.day not in begun):
        day = timeline.ward.day(worked.day)
        if is_weekend(day):
            first.setdefault(day - timedelta(days=day.weekday()), worked.day)
    return list(first.values())


class OffTotal(NamedTuple):
    """A total of a nurse that is outside what her contract wants."""

    kind: Kind
    counted: int
    limit: int
    cost: int


def off_totals(timeline: Timeline) -> Iterator[OffTotal]:
    """As `problem.totals` defines them."""
    for kind, total, before in totals(timeline.nurse):
        own = len(timeline.in_horizon) if kind == "assignments" else len(worked_weekends(timeline))
        if (counted := before + own) < total.least:
            yield OffTotal(kind, counted, total.least, total.under_weight * (total.least - counted))
        if total.most is not None and counted > total.most:
            yield OffTotal(kind, counted, total.most, total.over_weight * (counted - total.most))


def check_totals(of: Checked) -> list[Finding]:
    """Shifts, and weekends with work, outside the band that `contract.assignments` and `contract.working_weekends` price
    (INRC-II S6, S7)."""
    return [
        Finding(
            type="unwelcome_total",
            **about(timeline.nurse),
            level="warning",
            form=off.kind,
            given={"n": off.counted, "bound": bound(off.limit, "wanted", short=off.counted < off.limit)},
            expected=off.limit,
            actual=off.counted,
        )
        for timeline in of.timelines
        for off in off_totals(timeline)
        if off.cost
    ]


RULES = (
    check_leave, check_night_before_leave, check_locked, check_shift_skills, check_contract_hours, check_contract_shifts,
    check_weekends,
)  # fmt: skip
