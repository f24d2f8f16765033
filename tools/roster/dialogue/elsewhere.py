"""What of a request the roster at hand cannot hold: days of other rosters, of none yet, and days that are over; and what a
repair takes over of what was asked for of the roster that it repairs, and who of it has left."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.dialogue.amending import (
    DAY,
    MOST_LISTED,
    amended,
    as_understood,
    days_of,
    nurses_of,
    outside,
    rows_of,
    span,
)
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.told import Told, refusal, told
from wavegraph.tools.roster.versions.decisions import Version, version_told
from wavegraph.tools.roster.ward.names import called, nurse_named
from wavegraph.tools.roster.ward.ward import Roster, Ward


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
        nurse = called(ward)[nurse_named(ward, change.nurse).id]
        raise refusal("is_over", nurse=nurse, days=span(days[0], days[-1]))
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


def elsewhere(ward: Ward, changes: Sequence[Change], published: Sequence[Version], today: date) -> list[Told]:
    """A line for each span of days that the ward's roster does not hold: where they are, and what to do.

    `changes`: as they were asked for; `published`: the ward's, by their first days.
    """
    found = [line for change in changes for line in _of_change(ward, change, published, today)]
    return [line for place, line in enumerate(found) if line not in found[:place]]


def _of_change(ward: Ward, change: Change, published: Sequence[Version], today: date) -> Iterator[Told]:
    nurse = called(ward)[nurse_named(ward, change.nurse).id]
    over, is_pair = _last_over(ward, change, today), change.kind in ("apart", "together")
    days = (
        [ward.day(index) for index in range(ward.days)] if is_pair else days_of(ward, change)
    )  # whatever days were said
    past = [day for day in days if (day <= over if over else day < today)]
    if over or (ward.published and change.kind != "locked" and past):
        yield told("elsewhere.over" if over else "elsewhere.past", nurse=nurse, when=span(past[0], over or past[-1]))
    for first, last in outside(ward, change):
        if first < today:
            yield told("elsewhere.before", nurse=nurse, when=span(first, min(last, today - DAY)))
        for begin, end, version in _parts(max(first, today), last, published):
            yield _where(nurse, change, begin, end, version)


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


def _where(nurse: str, change: Change, first: date, last: date, version: Version | None) -> Told:
    about: dict[str, object] = {"nurse": nurse, "when": span(first, last)}
    if version is None:
        left, field = last == date.max, FIELDS.get(change.kind, "pairs")
        return told("elsewhere.left", **about) if left else told("elsewhere.file", field=field, **about)
    about["version"] = version_told(version)
    if change.kind != "unavailable" or change.shift is not None or change.weekdays is not None:
        return told("elsewhere.other", **about)
    return told("elsewhere.ask_day" if first == last else "elsewhere.ask_days", on=first, until=last, **about)


class TakenOver(NamedTuple):
    ward: Ward
    """With what was asked for."""
    asked: list[Change]
    """What it holds of that, the oldest first."""
    told: list[Told]
    """What it does not hold, with the reason."""


def taken_over(ward: Ward, repaired: Ward, asked: Sequence[Change]) -> TakenOver:
    """The ward with what was asked for of the roster that it repairs; what the ward's file contradicts is left out.

    `repaired`: that roster's ward; `asked`: the oldest first.
    """
    kept: list[Change] = []
    left: list[Told] = []
    for change in asked:
        ward, held, left_out = _with(ward, repaired, change)
        kept += held
        left += left_out
    return TakenOver(ward, kept, left)


def _with(ward: Ward, repaired: Ward, change: Change) -> tuple[Ward, list[Change], list[Told]]:
    if strangers := [name for name in nurses_of(repaired, change) if name not in ward.nurse_by_id]:
        gone = [called(repaired)[name] for name in strangers]
        return ward, [], [told("left_out.gone", asked=as_understood(repaired, change), nurses=gone)]
    try:
        return amended(ward, [change])[0], [change], []
    except ToolRefusal as refused:
        days = _by_day(repaired, change)
        if len(days) == 1:
            why = told(f"left_out.{refused.code}") if refused.code == "contradiction" else refused.message
            return ward, [], [told("left_out.otherwise", asked=as_understood(repaired, change), why=why)]
    parts = []
    for day in days:
        parts.append(_with(ward, repaired, day))
        ward = parts[-1][0]
    return ward, [each for _, held, _ in parts for each in held], [line for _, _, told in parts for line in told]


def _by_day(ward: Ward, change: Change) -> list[Change]:
    """The change of each of its days; of a pair, the change alone."""
    if change.other is not None:
        return [change]
    alone = {"weekdays": None, "weeks": None}
    return [change.model_copy(update={"first": day, "last": day, **alone}) for day in days_of(ward, change)]


def who_left(ward: Ward, repaired: Ward, roster: Roster) -> Iterator[Told]:
    """Each nurse of a roster who is not in the ward any more, with the shifts that are open again."""
    for name, row in roster.items():
        if name in ward.nurse_by_id or name not in repaired.nurse_by_id:
            continue
        nurse = called(repaired)[name]
        cells = [told("cell_on", shift=cell, day=repaired.day(index)) for index, cell in enumerate(row) if cell]
        more = len(cells) - MOST_LISTED
        if not cells:
            yield told("left", nurse=nurse)
        elif more <= 0:
            yield told("left.open", nurse=nurse, cells=cells)
        else:
            yield told("left.open_more", nurse=nurse, cells=cells[:MOST_LISTED], more=more)
