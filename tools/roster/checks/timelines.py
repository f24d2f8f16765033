"""A nurse's known days on one timeline: the tail before the horizon, then the roster. Day indexes count from the horizon's
first day, so the tail's are negative."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple
from zoneinfo import ZoneInfo

from wavegraph.tools.roster.ward.ward import Nurse, Roster, Shift, Ward

SATURDAY = 5


@dataclass(frozen=True)
class WorkedShift:
    """One shift of one nurse."""

    day: int
    shift: Shift


@dataclass(frozen=True)
class Run:
    """Days in a row, both ends included."""

    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


class Weekend(NamedTuple):
    saturday: int
    first: Shift | None
    second: Shift | None

    @property
    def half(self) -> tuple[int, int] | None:
        """The worked and the free day of a weekend that has one of each."""
        if bool(self.first) is bool(self.second):
            return None
        return (self.saturday, self.saturday + 1) if self.first else (self.saturday + 1, self.saturday)


@dataclass(frozen=True)
class Timeline:
    nurse: Nurse
    first: int
    """The first known day: minus the length of the tail."""
    cells: tuple[Shift | None, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.cells) - 1

    def at(self, day: int) -> Shift | None:
        """The shift of a known day; of any other, None."""
        return self.cells[day - self.first] if self.first <= day <= self.last else None

    def with_days_after(self, ward: Ward) -> "Timeline":
        """As far as they are known."""
        after = ward.followed_by.roster.get(self.nurse.id, []) if ward.followed_by else []
        return replace(self, cells=(*self.cells, *(ward.shift_by_id[cell] if cell else None for cell in after)))

    def worked(self) -> list[WorkedShift]:
        return [WorkedShift(self.first + place, shift) for place, shift in enumerate(self.cells) if shift]

    def in_horizon(self) -> list[WorkedShift]:
        return [worked for worked in self.worked() if worked.day >= 0]

    @property
    def horizon(self) -> tuple[Shift | None, ...]:
        return self.cells[-self.first :]

    def runs(self, counts: Callable[[Shift | None], bool]) -> list[Run]:
        """The runs of days that count."""
        days = enumerate(map(counts, self.cells), start=self.first)
        runs = [[day for day, _ in group] for counted, group in groupby(days, key=itemgetter(1)) if counted]
        return [Run(run[0], run[-1]) for run in runs]

    def weekends(self, ward: Ward) -> Iterator["Weekend"]:
        """Those of which both days are known and the Sunday lies in the horizon; the Saturday may be the tail's last day."""
        for saturday in range(max(-1, self.first), self.last):
            if ward.day(saturday).weekday() == SATURDAY:
                yield Weekend(saturday, self.at(saturday), self.at(saturday + 1))

    def steps(self) -> list[tuple[WorkedShift, WorkedShift]]:
        """Each shift of the horizon with the one worked before it, which may be of the tail."""
        return [(before, after) for before, after in pairwise(self.worked()) if after.day >= 0]


def timelines(ward: Ward, roster: Roster) -> Iterator[Timeline]:
    """One timeline for each nurse, in the ward's order. The roster must fit the ward (`require_fit`)."""
    shifts = ward.shift_by_id
    for nurse in ward.nurses:
        tail = nurse.history.tail
        cells = (*tail, *roster[nurse.id])
        yield Timeline(nurse, -len(tail), tuple(shifts[cell] if cell else None for cell in cells))


@lru_cache(maxsize=20_000)
def _instant(zone: str, day: date, start: time, minutes: int) -> datetime:
    """A clock time that occurs twice means its first occurrence; one that does not exist, an hour later."""
    clock = datetime.combine(day, start) + timedelta(minutes=minutes)
    return clock.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def begins(ward: Ward, worked: WorkedShift) -> datetime:
    return _instant(ward.time_zone, ward.day(worked.day), worked.shift.start, 0)


def ends(ward: Ward, worked: WorkedShift) -> datetime:
    """By the clock: a night from 23:00 to 07:00 ends at 07:00 even if the clocks change."""
    return _instant(ward.time_zone, ward.day(worked.day), worked.shift.start, worked.shift.minutes)


class Rest(NamedTuple):
    """Between two shifts with none between them."""

    before: WorkedShift
    after: WorkedShift
    hours: float
    """That really pass; negative where the shifts overlap."""


def rests(ward: Ward, timeline: Timeline) -> list[Rest]:
    """All that are known, the tail's too."""
    return [
        Rest(before, after, (begins(ward, after) - ends(ward, before)).total_seconds() / 3600)
        for before, after in pairwise(timeline.worked())
    ]
