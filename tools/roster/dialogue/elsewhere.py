"""What of a request the roster at hand cannot hold: days of other rosters, of none yet, and days that are over."""

from collections.abc import Iterator, Sequence
from datetime import date

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.checks.findings import who
from wavegraph.tools.roster.dialogue.amending import rows_of
from wavegraph.tools.roster.dialogue.change_days import DAY, days_of, outside, span_in_words
from wavegraph.tools.roster.dialogue.spoken_days import MONTHS
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.versions.decisions import Version
from wavegraph.tools.roster.ward.names import called, nurse_named
from wavegraph.tools.roster.ward.ward import Ward


def still_ahead(ward: Ward, changes: Sequence[Change], today: date) -> list[Change]:
    """The changes, absences and wishes without the days that are over and settled: a repair keeps them as they were.

    Raises ToolRefusal `is_over` where nothing is left of one, and as `amending.rows_of`.
    """
    return [_from_now_on(ward, change, today) for change in changes]


def _from_now_on(ward: Ward, change: Change, today: date) -> Change:
    if (over := _last_over(ward, change, today)) is None:
        return change
    days = days_of(ward, change)
    if days[-1] <= over:
        nurse, span = nurse_named(ward, change.nurse), span_in_words(days[0], days[-1])
        raise ToolRefusal(
            "is_over",
            f"{who(nurse)}: {span} is over, and the roster keeps what was worked",
            about={"nurse": called(ward)[nurse.id], "first": days[0].isoformat(), "last": days[-1].isoformat()},
        )
    return change.model_copy(update={"first": over + DAY, "last": change.last or change.first or days[-1]})


def _last_over(ward: Ward, change: Change, today: date) -> date | None:
    """The last day that a change cannot hold: of an absence one that was worked, of a wish any that is settled."""
    if change.kind not in ("unavailable", "prefers", "avoids") or not ward.published:
        return None
    nurse, (_, rows) = nurse_named(ward, change.nurse).id, rows_of(ward, change)
    days, shifts = {row.day for row in rows}, {row.shift for row in rows}
    settled = [row for row in ward.locked if row.nurse == nurse and row.day in days and row.day < today]
    if change.kind == "unavailable":
        settled = [row for row in settled if row.shift and (None in shifts or row.shift in shifts)]
    return max((row.day for row in settled), default=None)


def elsewhere(ward: Ward, changes: Sequence[Change], published: Sequence[Version], today: date) -> list[str]:
    """A line for each span of days that the ward's roster does not hold: where they are, and what to do.

    `changes`: as they were asked for; `published`: the ward's, by their first days.
    """
    told = [line for change in changes for line in _of_change(ward, change, published, today)]
    return list(dict.fromkeys(told))


def _of_change(ward: Ward, change: Change, published: Sequence[Version], today: date) -> Iterator[str]:
    nurse = called(ward)[nurse_named(ward, change.nurse).id]
    over = _last_over(ward, change, today)
    if over is not None:
        days = [day for day in days_of(ward, change) if day <= over]
        yield f"{nurse}: {span_in_words(days[0], over)} is over, and the roster keeps what was worked"
    elif ward.published and change.kind != "locked" and (past := [day for day in _days(ward, change) if day < today]):
        yield f"{nurse}: {span_in_words(past[0], past[-1])} is past already, and kept as it was"
    for first, last in outside(ward, change):
        if first < today:
            yield f"{nurse}: {span_in_words(first, min(last, today - DAY))} is over, and not in this roster"
        for begin, end, version in _parts(max(first, today), last, published):
            yield f"{nurse}: {span_in_words(begin, end)} is {_where(ward, change, begin, end, version)}"


def _days(ward: Ward, change: Change) -> list[date]:
    """Of a pair all, whatever days were said."""
    is_pair = change.kind in ("apart", "together")
    return [ward.day(index) for index in range(ward.days)] if is_pair else days_of(ward, change)


def _parts(first: date, last: date, published: Sequence[Version]) -> Iterator[tuple[date, date, Version | None]]:
    """The days from `first` to `last` by the roster that is published for them; None = none is."""
    for version in (each for each in published if each.start <= last and first <= each.end):
        if first < version.start:
            yield first, version.start - DAY, None
        yield max(first, version.start), min(last, version.end), version
        first = version.end + DAY
    if first <= last:
        yield first, last, None


FIELDS = {"unavailable": "leave", "prefers": "wishes", "avoids": "wishes", "locked": "locked"}
"""The ward file's list, by kind of change."""


def _where(ward: Ward, change: Change, first: date, last: date, version: Version | None) -> str:
    if version is None:
        if last == date.max:
            return (
                "in no roster that is published: take her or him out of the ward's file, for the rosters of these days"
            )
        field = FIELDS.get(change.kind, "pairs")
        return f"in no roster that is published: put it into the ward's file (`{field}`), for the roster of these days"
    asked = f"“{_said(ward, change, first, last)}”" if _is_leave(change) else "the same on these days"
    return f"in another roster, {version}: once this one is decided, ask for {asked}"


def _is_leave(change: Change) -> bool:
    return change.kind == "unavailable" and change.shift is None and change.weekdays is None


def _said(ward: Ward, change: Change, first: date, last: date) -> str:
    nurse = nurse_named(ward, change.nurse)
    is_alone = [each.name for each in ward.nurses].count(nurse.name) == 1
    days = f"on {_day(first)}" if first == last else f"from {_day(first)} to {_day(last)}"
    return f"give {nurse.name if nurse.name and is_alone else nurse.id} leave {days}"


def _day(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1].title()} {day.year}"
