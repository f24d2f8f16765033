"""Days in a row: working, at night, off; and which shift follows which."""

from collections.abc import Iterator

from wavegraph.tools.roster.checks.findings import Finding, iso, who
from wavegraph.tools.roster.checks.lines import Run, Timeline, timelines
from wavegraph.tools.roster.ward.finding_types import FindingType
from wavegraph.tools.roster.ward.ward import Roster, Ward


def check_consecutive_days(ward: Ward, roster: Roster) -> list[Finding]:
    """At most `rules.max_days_in_a_row` working days in a row, those of the tail counted (HSE good practice: 5 to 7).
    With no tail a day off is taken to lie before the horizon."""
    limit = ward.rules.max_days_in_a_row
    return [
        _too_long(ward, line, run, "consecutive_days", limit, "days in a row")
        for line in timelines(ward, roster)
        for run in line.runs(working=True)
        if limit and run.length > limit and run.last >= 0
    ]


def check_consecutive_nights(ward: Ward, roster: Roster) -> list[Finding]:
    """At most `rules.max_nights_in_a_row` and `contract.max_night_run` nights in a row, the tail counted (HSE good
    practice: 2 to 3)."""
    return [
        _too_long(ward, line, run, "consecutive_nights", limit, "nights in a row")
        for line in timelines(ward, roster)
        if (limit := min(_limits(ward.rules.max_nights_in_a_row, line.nurse.contract.max_night_run), default=0))
        for run in line.night_runs()
        if run.length > limit and run.last >= 0
    ]


def _limits(*limits: int | None) -> list[int]:
    return [limit for limit in limits if limit is not None]


def check_run_length(ward: Ward, roster: Roster) -> list[Finding]:
    """`contract.min_run` to `contract.max_run` working days in a row, the tail counted (Curtois and Qu; INRC-II S2).
    A run that touches either end of what is known is taken as long enough."""
    return [found for line in timelines(ward, roster) for found in (*_long_runs(ward, line), *_short_runs(ward, line))]


def _long_runs(ward: Ward, line: Timeline) -> Iterator[Finding]:
    limit = line.nurse.contract.max_run
    for run in line.runs(working=True):
        if limit and run.length > limit and run.last >= 0:
            yield _too_long(ward, line, run, "run_length", limit, "days in a row")


def _short_runs(ward: Ward, line: Timeline) -> Iterator[Finding]:
    for run in _inner(line, working=True):
        if run.length < line.nurse.contract.min_run:
            yield _too_short(ward, line, run, "run_length", line.nurse.contract.min_run, "days in a row")


def check_days_off(ward: Ward, roster: Roster) -> list[Finding]:
    """At least `contract.min_days_off` days off in a row, with the same reading at the ends (Curtois and Qu)."""
    return [
        _too_short(ward, line, run, "days_off", line.nurse.contract.min_days_off, "days off in a row")
        for line in timelines(ward, roster)
        for run in _inner(line, working=False)
        if run.length < line.nurse.contract.min_days_off
    ]


def _inner(line: Timeline, *, working: bool) -> list[Run]:
    """The runs whose length is known and which the roster decides: one that ends with the tail is cut off by day 0."""
    runs = line.runs(working=working)
    return [run for run in runs if run.first > line.first and -1 <= run.last < line.last]


def _too_long(ward: Ward, line: Timeline, run: Run, kind: FindingType, limit: int, what: str) -> Finding:
    """Found on the first day too many, or on day 0 where that lies before it."""
    return Finding(
        type=kind,
        nurse_id=line.nurse.id,
        day=iso(ward, max(0, run.first + limit)),
        detail=f"{who(line.nurse)} works {run.length} {what} from {iso(ward, run.first)}, at most {limit} allowed",
        expected=limit,
        actual=run.length,
    )


def _too_short(ward: Ward, line: Timeline, run: Run, kind: FindingType, limit: int, what: str) -> Finding:
    return Finding(
        type=kind,
        nurse_id=line.nurse.id,
        day=iso(ward, max(0, run.first)),
        detail=f"{who(line.nurse)} has {run.length} {what} from {iso(ward, run.first)}, at least {limit} needed",
        expected=limit,
        actual=run.length,
    )


def check_successions(ward: Ward, roster: Roster) -> list[Finding]:
    """No shift on the day after one that lists it in `not_followed_by`; the tail's last day counts (INRC-II H3)."""
    return [
        Finding(
            type="succession",
            nurse_id=line.nurse.id,
            day=iso(ward, after.day),
            shift=after.shift.id,
            detail=f"{who(line.nurse)} works {after.shift.id} on {iso(ward, after.day)}, the day after "
            f"{before.shift.id}, which it must not follow",
            expected=f"no {after.shift.id} after {before.shift.id}",
            actual=after.shift.id,
        )
        for line in timelines(ward, roster)
        for before, after in line.steps()
        if after.day == before.day + 1 and after.shift.id in before.shift.not_followed_by
    ]
