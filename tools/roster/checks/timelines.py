"""A ward and its roster as the checks read them, built once for all of them: each nurse's known days on one timeline, the tail
before the horizon, then the roster. Day indexes count from the horizon's first day, so the tail's are negative."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple
from zoneinfo import ZoneInfo

from wavegraph.tools.roster.ward.roster_fit import require_fit
from wavegraph.tools.roster.ward.ward import Demand, Leave, Nurse, Roster, Shift, Ward, Wish

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


class Rest(NamedTuple):
    """Between two shifts with none between them."""

    before: WorkedShift
    after: WorkedShift
    hours: float
    """That really pass; negative where the shifts overlap."""


@dataclass(frozen=True)
class Timeline:
    ward: Ward
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

    def with_days_after(self) -> "Timeline":
        """As far as they are known."""
        after = self.ward.followed_by.roster.get(self.nurse.id, []) if self.ward.followed_by else []
        shifts = self.ward.shift_by_id
        return replace(self, cells=(*self.cells, *(shifts[cell] if cell else None for cell in after)))

    @cached_property
    def worked(self) -> list[WorkedShift]:
        return [WorkedShift(self.first + place, shift) for place, shift in enumerate(self.cells) if shift]

    @cached_property
    def in_horizon(self) -> list[WorkedShift]:
        return [worked for worked in self.worked if worked.day >= 0]

    @property
    def horizon(self) -> tuple[Shift | None, ...]:
        return self.cells[-self.first :]

    def runs(self, counts: Callable[[Shift | None], bool]) -> list[Run]:
        """The runs of days that count."""
        days = enumerate(map(counts, self.cells), start=self.first)
        runs = [[day for day, _ in group] for counted, group in groupby(days, key=itemgetter(1)) if counted]
        return [Run(run[0], run[-1]) for run in runs]

    @cached_property
    def weekends(self) -> list[Weekend]:
        """Those of which both days are known and the Sunday lies in the horizon; the Saturday may be the tail's last day."""
        saturdays = (day for day in range(max(-1, self.first), self.last) if self.ward.day(day).weekday() == SATURDAY)
        return [Weekend(day, self.at(day), self.at(day + 1)) for day in saturdays]

    def steps(self) -> list[tuple[WorkedShift, WorkedShift]]:
        """Each shift of the horizon with the one worked before it, which may be of the tail."""
        return [(before, after) for before, after in pairwise(self.worked) if after.day >= 0]

    @cached_property
    def rests(self) -> list[Rest]:
        """All that are known, the tail's too."""
        return [
            Rest(before, after, (self._begins(after) - self._ends(before)).total_seconds() / 3600)
            for before, after in pairwise(self.worked)
        ]

    def _begins(self, worked: WorkedShift) -> datetime:
        return _instant(self.ward.time_zone, self.ward.day(worked.day), worked.shift.start, 0)

    def _ends(self, worked: WorkedShift) -> datetime:
        """By the clock: a night from 23:00 to 07:00 ends at 07:00 even if the clocks change."""
        return _instant(self.ward.time_zone, self.ward.day(worked.day), worked.shift.start, worked.shift.minutes)


@lru_cache(maxsize=20_000)
def _instant(zone: str, day: date, start: time, minutes: int) -> datetime:
    """A clock time that occurs twice means its first occurrence; one that does not exist, an hour later."""
    clock = datetime.combine(day, start) + timedelta(minutes=minutes)
    return clock.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


@dataclass(frozen=True)
class Checked:
    """A ward and a roster that fits it, with what the checks read of both."""

    ward: Ward
    roster: Roster

    @classmethod
    def of(cls, ward: Ward, roster: Roster) -> "Checked":
        """Raises `RosterError` where the roster does not fit the ward."""
        require_fit(ward, roster)
        return cls(ward, roster)

    @cached_property
    def timelines(self) -> list[Timeline]:
        """One for each nurse, in the ward's order."""
        shifts, rows = self.ward.shift_by_id, [(each, each.history.tail) for each in self.ward.nurses]
        return [
            Timeline(
                self.ward, nurse, -len(tail), tuple(shifts[c] if c else None for c in (*tail, *self.roster[nurse.id]))
            )
            for nurse, tail in rows
        ]

    @cached_property
    def staffing(self) -> Mapping[tuple[int, str], list[Nurse]]:
        """The nurses at work, by day index and shift."""
        present: dict[tuple[int, str], list[Nurse]] = defaultdict(list)
        for timeline in self.timelines:
            for worked in timeline.in_horizon:
                present[worked.day, worked.shift.id].append(timeline.nurse)
        return present

    def able(self, day: int, shift: str, skill: str | None) -> list[Nurse]:
        """Those on a shift who count where this skill is wanted; None = all of them."""
        return [each for each in self.staffing.get((day, shift), []) if skill is None or skill in each.skills]

    @cached_property
    def presences(self) -> list[tuple[Demand, int]]:
        """Each row of the demand with how many there are who meet it."""
        rows = self.ward.demand
        return [(row, len(self.able(self.ward.index(row.day), row.shift, row.skill))) for row in rows]

    @cached_property
    def asked_off(self) -> set[tuple[str, int]]:
        """Nurse and day of leave that is a whole day, and of wishes for a day off."""
        rows: list[Leave | Wish] = [*self.ward.leave, *(wish for wish in self.ward.wishes if not wish.wants)]
        return {(row.nurse, self.ward.index(row.day)) for row in rows if row.shift is None}
