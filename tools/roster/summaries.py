"""Summaries of a ward and a roster, bounded in size so that plans and prompts can hold them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from wavegraph.tools.roster.checks.changes import CellChange
from wavegraph.tools.roster.checks.findings import number, who
from wavegraph.tools.roster.checks.measures import Share
from wavegraph.tools.roster.problem.fairness import balance_in_words
from wavegraph.tools.roster.problem.hours import contract_minutes
from wavegraph.tools.roster.problem.prices import Penalties
from wavegraph.tools.roster.problem.runs import with_bounds
from wavegraph.tools.roster.records import (
    Cell,
    ChangeKept,
    DayDemand,
    DemandSummary,
    NurseLine,
    PastDay,
    PastKnown,
    PastSummary,
    RepairedCell,
    Reported,
    RequestSummary,
    RulesSummary,
    StaffSummary,
    period_of,
)
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.told import Line, day_spans, told
from wavegraph.tools.roster.ward.doubts import doubts
from wavegraph.tools.roster.ward.names import called
from wavegraph.tools.roster.ward.ward import Demand, Nurse, Ward

MOST_LISTED = 20
MOST_PAST_DAYS = 7
"""That are told one by one."""
MOST_SETTLED = 20
"""Settled cells that are told one by one."""
MOST_LEAVE_DAYS = 5
"""Days or spans of leave of one nurse that are listed."""


def staff_of(ward: Ward, ward_hash: str, repaired: Sequence[Line] = ()) -> StaffSummary:
    hours = sum(contract_minutes(nurse.contract) or 0 for nurse in ward.nurses) / 60
    tired = [nurse for nurse in ward.nurses if nurse.fatigue >= ward.fairness.fatigue.high]
    return StaffSummary(
        **period_of(ward, ward_hash),
        nurses=len(ward.nurses),
        names=[who(nurse) for nurse in ward.nurses],
        grades=dict(Counter(nurse.grade for nurse in ward.nurses if nurse.grade)),
        skills=dict(Counter(skill for nurse in ward.nurses for skill in nurse.skills)),
        contract_hours=round(hours, 1),
        tired=[f"{who(nurse)} {nurse.fatigue:.2f}" for nurse in tired],
        repaired=list(repaired),
    )


def demand_of(ward: Ward, ward_hash: str) -> DemandSummary:
    shifts = ward.shift_by_id
    least, target, by_day = Counter[str](), Counter[str](), Counter[Any]()
    for row in ward.demand:
        if row.skill is None:
            least[row.shift] += row.minimum
            target[row.shift] += row.target
            by_day[row.day] += row.target
    return DemandSummary(
        **period_of(ward, ward_hash),
        shifts=[f"{s.id} {s.name} {s.start:%H:%M} {number(s.minutes / 60)} h" for s in ward.shifts],
        needed_hours=round(sum(count * shifts[shift].paid for shift, count in target.items()) / 60, 1),
        least=dict(least),
        target=dict(target),
        busiest=max(by_day, key=lambda day: by_day[day]) if by_day else None,
        by_day=_by_day(ward),
    )


def _by_day(ward: Ward) -> list[DayDemand]:
    """The demand of every day; days with the same one stand together, in the order of the first of each."""
    rows: dict[date, list[Demand]] = {ward.day(index): [] for index in range(ward.days)}
    for row in ward.demand:
        rows[row.day].append(row)
    alike: dict[str, list[date]] = {}
    needed = {day: _needed(ward, found) for day, found in rows.items()}
    for day, demand in needed.items():
        alike.setdefault(demand.model_dump_json(), []).append(day)
    return [needed[days[0]].model_copy(update={"days": days}) for days in alike.values()]


def _needed(ward: Ward, rows: Sequence[Demand]) -> DayDemand:
    """Of one day, the shifts in the ward's order."""
    order = {name: place for place, name in enumerate(ward.shift_by_id)}
    wanted = sorted((row for row in rows if row.target), key=lambda row: order[row.shift])
    of_any = [row for row in wanted if row.skill is None]
    return DayDemand(
        days=[],
        least={row.shift: row.minimum for row in of_any},
        target={row.shift: row.target for row in of_any},
        of_skill={f"{row.shift} {row.skill}": row.target for row in wanted if row.skill},
    )


def requests_of(ward: Ward, ward_hash: str) -> RequestSummary:
    settled, names = [row for row in ward.locked if not row.frozen][:MOST_SETTLED], called(ward)
    requests = {nurse.id: _asked_by(ward, nurse) for nurse in ward.nurses}
    return RequestSummary(
        **period_of(ward, ward_hash),
        leave_days=len({(leave.nurse, leave.day) for leave in ward.leave}),
        wishes=len(ward.wishes),
        locked=len(ward.locked),
        apart=sum(not pair.together for pair in ward.pairs),
        together=sum(pair.together for pair in ward.pairs),
        by_nurse={name: asked for name, asked in requests.items() if asked},
        settled=[Cell(nurse=names[row.nurse], day=row.day, shift=row.shift) for row in settled],
    )


def _asked_by(ward: Ward, nurse: Nurse) -> Line | None:
    wishes = sum(wish.nurse == nurse.id for wish in ward.wishes)
    leave = day_spans(sorted({leave.day for leave in ward.leave if leave.nurse == nurse.id}))
    more, spans = len(leave) - MOST_LEAVE_DAYS, leave[:MOST_LEAVE_DAYS]
    asked = [told("file_wish_count", n=wishes)] if wishes else []
    if leave:
        asked.append(
            told("file_leave_more", spans=spans, more=more) if more > 0 else told("file_leave_on", spans=spans)
        )
    return told("asked_of_file", asked=asked) if asked else None


def rules_of(ward: Ward, ward_hash: str, penalties: Penalties) -> RulesSummary:
    rules = ward.rules.model_dump(mode="json") | {
        "runs": "; ".join(map(with_bounds, ward.rules.runs)) or None,
        "balanced": "; ".join(map(balance_in_words, ward.rules.balanced)) or None,
    }
    return RulesSummary(**period_of(ward, ward_hash), rules=rules, penalties=penalties.model_dump())


def past_of(ward: Ward, ward_hash: str) -> PastSummary:
    known_days = max(len(nurse.history.tail) for nurse in ward.nurses)
    return PastSummary(
        **period_of(ward, ward_hash),
        known_days=known_days,
        nights={nurse.id: nurse.history.nights for nurse in ward.nurses if nurse.history.nights},
        weekends={nurse.id: nurse.history.weekends for nurse in ward.nurses if nurse.history.weekends},
        counted_days=max(nurse.history.days for nurse in ward.nurses),
        lates={nurse.id: nurse.history.lates for nurse in ward.nurses if nurse.history.lates},
        holidays={nurse.id: nurse.history.holidays for nurse in ward.nurses if nurse.history.holidays},
        hours={
            nurse.id: number(nurse.history.minutes / 60)
            + (f" of {number(nurse.history.target_minutes / 60)}" if nurse.history.target_minutes else "")
            for nurse in ward.nurses
            if nurse.history.minutes
        },
        by_day=[_past_day(ward, before) for before in range(min(MOST_PAST_DAYS, known_days), 0, -1)],
    )


def _past_day(ward: Ward, before: int) -> PastDay:
    """Where the day is known of every nurse, with the shifts that nobody worked."""
    is_whole = all(len(nurse.history.tail) >= before for nurse in ward.nurses)
    shifts: dict[str, list[str]] = {shift.id: [] for shift in ward.shifts} if is_whole else {}
    for nurse in ward.nurses:
        tail = nurse.history.tail
        if len(tail) >= before and (shift := tail[-before]) is not None:
            shifts.setdefault(shift, []).append(nurse.id)
    return PastDay(day=ward.start - timedelta(days=before), shifts=dict(sorted(shifts.items())))


def _past_known(ward: Ward) -> PastKnown | None:
    rules = ward.rules
    if not (rules.daily_rest_hours or rules.weekly_rest_hours or rules.max_days_in_a_row):
        return None
    histories = [nurse.history for nurse in ward.nurses]
    tail_days = max(len(history.tail) for history in histories)
    return PastKnown(
        tail_days=tail_days,
        counted_days=max(history.days for history in histories),
        has_counts=any(history.nights or history.weekends or history.days for history in histories),
        unknown=[who(nurse) for nurse in ward.nurses if not nurse.history.tail] if tail_days else [],
    )


def reported(
    roster_id: str, ward: Ward, ward_hash: str, report: RosterReport, changes: Sequence[ChangeKept] = ()
) -> Reported:
    """`changes`: what was asked for, with whether the roster keeps it."""
    names = called(ward)
    return Reported(
        **period_of(ward, ward_hash),
        roster_id=roster_id,
        compliance=report.compliance.status,
        empathy=report.empathy.status,
        breaches=len(report.compliance.breaches),
        failed=[f"{excess.type}: {excess.found}, {excess.allowed} allowed" for excess in report.empathy.failed],
        problems=_first([found.line(names) for found in report.failing]),
        below_target=_first([found.line(names) for found in report.short if found.level == "warning"]),
        findings=report.counts,
        fairness=report.empathy.fairness,
        cover_cost=report.cost.under + report.cost.over,
        wishes_cost=report.cost.wishes,
        cost=report.cost.total,
        changed_cells=report.changed_cells,
        doubts=_first(doubts(ward)),
        repaired=[_repaired(change, names) for change in report.changes[:MOST_LISTED]],
        past=_past_known(ward),
        then=ward.followed_by.version if ward.followed_by else "",
        lines=[_line(ward, share, report.empathy.scores[share.nurse_id]) for share in report.empathy.shares],
        changes=list(changes),
    )


def _repaired(change: CellChange, names: Mapping[str, str]) -> RepairedCell:
    return RepairedCell(
        nurse=change.nurse_id, day=date.fromisoformat(change.day), shift=change.now, before=change.before,
        kind=change.kind, reason=change.reason, why=change.line(names),
    )  # fmt: skip


def _first(lines: Sequence[Line]) -> list[Line]:
    left = len(lines) - MOST_LISTED
    return [*lines[:MOST_LISTED], *([told("terms_more", more=left)] if left > 0 else [])]


def all_short(ward: Ward, report: RosterReport) -> list[Line]:
    """Shifts with fewer than wanted or needed, or with nobody in charge, those that break a rule first; the first of many."""
    names = called(ward)
    return _first([each.line(names) for each in sorted(report.short, key=lambda each: each.level)])


def _line(ward: Ward, share: Share, score: float) -> NurseLine:
    target = share.target_minutes
    return NurseLine(
        nurse=who(ward.nurse_by_id[share.nurse_id]),
        hours=round(share.credited_minutes / 60, 1),
        leave_hours=round(share.leave_minutes / 60, 1),
        target_hours=None if target is None else round(target / 60, 1),
        nights=share.nights,
        weekends=share.weekends,
        wishes=f"{share.wish_granted}/{share.wish_weight}" if share.wish_weight else "",
        score=score,
    )
