"""Questions about a stored roster, answered from its cells and its checks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wavegraph.tools.roster.advice.rosters import KnownRoster
from wavegraph.tools.roster.arguments import ExportFormat, LookRequest, Question
from wavegraph.tools.roster.checks.measures import Share
from wavegraph.tools.roster.dialogue.amending import shifts_named
from wavegraph.tools.roster.records import Cell, DayLook, Looked, NurseLook, period_of
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.summaries import all_short
from wavegraph.tools.roster.told import refusal
from wavegraph.tools.roster.versions.decisions import whose_told
from wavegraph.tools.roster.ward.names import called, nurse_named
from wavegraph.tools.roster.ward.ward import Nurse

OFF, MONDAY = ".", "|"
MOST_CELLS = 2000
"""Of a roster that is shown, and of the days that are told one by one."""
COMMANDS: Mapping[ExportFormat, str] = {
    "workbook": "wavegraph roster show {id} --out roster.xlsx",
    "calendars": "wavegraph roster show {id} --for-nurses --out my-shifts",
    "page": "wavegraph roster show {id} --out rosters",
}


def look(asked: LookRequest, of: KnownRoster, report: RosterReport) -> Looked:
    """Raises ToolRefusal: `unknown_nurse`, `ambiguous_nurse`, `needs_nurse`, `unknown_shift`, `ambiguous_shift`,
    `outside_period`."""
    version = of.version
    found = Looked(
        **period_of(of.ward, of.stored.ward_hash), roster_id=of.roster_id, question=asked.question,
        status=version.status if version else None, decided=whose_told(version.decided) if version else "", passes=report.passed,
    )  # fmt: skip
    return found.model_copy(update=ANSWERS[asked.question](_Work(asked, of, report)))


class _Work:
    """A question, and what it is about."""

    def __init__(self, asked: LookRequest, of: KnownRoster, report: RosterReport) -> None:
        self.asked, self.ward, self.roster, self.report, self.roster_id = (
            asked, of.ward, of.roster, report, of.roster_id,
        )  # fmt: skip
        self.names = called(of.ward)

    @property
    def days(self) -> list[int]:
        """Indices of the days asked about that the roster has. Raises ToolRefusal `outside_period` where it has none."""
        ward, first = self.ward, self.asked.first or self.ward.start
        last = self.asked.last or self.asked.first or ward.day(ward.days - 1)
        found = [index for index in range(ward.days) if first <= ward.day(index) <= last]
        if not found:
            raise refusal("outside_period", first=ward.start, last=ward.day(ward.days - 1))
        return found

    @property
    def shifts(self) -> Sequence[str]:
        """Empty = no shift was named."""
        return shifts_named(self.ward, self.asked.shift) if self.asked.shift else []

    @property
    def shares(self) -> Mapping[str, Share]:
        return {share.nurse_id: share for share in self.report.empathy.shares}

    def worked(self, nurse: str) -> list[str | None]:
        return [self.roster[nurse][index] for index in self.days]

    def shown(self, a_day: int) -> list[int]:
        """Those of the days that an answer has room for, where each takes so many cells."""
        return self.days[: max(1, MOST_CELLS // max(1, a_day))]


def _grid(work: _Work) -> dict[str, Any]:
    shown = work.shown(len(work.ward.nurses))
    rows = {work.names[nurse.id]: " ".join(_row(work, nurse, shown)) for nurse in work.ward.nurses}
    return {"rows": rows, "days_shown": [work.ward.day(shown[0]), work.ward.day(shown[-1])]}


def _row(work: _Work, nurse: Nurse, days: Sequence[int]) -> Iterator[str]:
    for place, index in enumerate(days):
        if place and work.ward.day(index).weekday() == 0:
            yield MONDAY
        yield work.roster[nurse.id][index] or OFF


def _who(work: _Work) -> dict[str, Any]:
    shifts = work.shifts
    days = [_day(work, index, shifts) for index in work.shown(len(work.ward.nurses))]
    return {"by_day": days, "shifts": list(shifts), "days_shown": [days[0].day, days[-1].day]}


def _day(work: _Work, index: int, shifts: Sequence[str]) -> DayLook:
    day = work.ward.day(index)
    by_shift: dict[str, list[str]] = {shift.id: [] for shift in work.ward.shifts if not shifts or shift.id in shifts}
    off, on_leave = [], {row.nurse for row in work.ward.leave if row.day == day and row.shift is None}
    for nurse in work.ward.nurses:
        cell, name = work.roster[nurse.id][index], work.names[nurse.id]
        if cell is None:
            off.append(name)
        elif cell in by_shift:
            by_shift[cell].append(name)
    leave = [work.names[nurse] for nurse in work.names if nurse in on_leave and work.names[nurse] in off]
    return DayLook(day=day, shifts=by_shift, off=off, leave=leave)


def _nurse(work: _Work) -> dict[str, Any]:
    if not work.asked.nurse:
        raise refusal("needs_nurse")
    nurse = nurse_named(work.ward, work.asked.nurse)
    share, days = work.shares[nurse.id], work.days
    away = {row.day for row in work.ward.leave if row.nurse == nurse.id and row.shift is None}
    shown_days = days if work.asked.question == "nurse" else []
    cells = [Cell(nurse=nurse.id, day=work.ward.day(i), shift=work.roster[nurse.id][i]) for i in shown_days]
    found = NurseLook(
        nurse=work.names[nurse.id],
        hours=round(share.credited_minutes / 60, 1),
        target_hours=None if share.target_minutes is None else round(share.target_minutes / 60, 1),
        nights=share.nights,
        weekends=share.weekends,
        cells=cells,
        leave=[cell.day for cell in cells if cell.day in away and cell.shift is None],
    )
    of_days = bool(work.asked.first and shown_days)
    shown = [work.ward.day(days[0]), work.ward.day(days[-1])] if of_days else []
    return {"nurses": [found], "days_shown": shown, "shifts": list(work.shifts)}


def _counts(work: _Work) -> dict[str, Any]:
    shifts = work.shifts
    if shifts:
        is_night = all(work.ward.shift_by_id[shift].night for shift in shifts)
        counted = "nights" if is_night else shifts[0]
        counts = {nurse: float(sum(cell in shifts for cell in work.worked(nurse))) for nurse in work.names}
    else:
        counted, shares = work.asked.of, work.shares.items()
        hours = {nurse: round(share.credited_minutes / 60, 1) for nurse, share in shares}
        counts = {nurse: float(share.weekends) for nurse, share in shares} if counted == "weekends" else hours
    ordered = sorted(counts.items(), key=lambda each: -each[1])
    return {"counted": counted, "counts": {work.names[nurse]: count for nurse, count in ordered}}


ANSWERS: Mapping[Question, Callable[[_Work], dict[str, Any]]] = {
    "show": _grid,
    "works": _who,
    "off": _who,
    "nurse": _nurse,
    "share": _nurse,
    "counts": _counts,
    "short": lambda work: {"below": all_short(work.ward, work.report)},
    "status": lambda work: {},
    "export": lambda work: {"command": COMMANDS[work.asked.format].format(id=work.roster_id)},
}
