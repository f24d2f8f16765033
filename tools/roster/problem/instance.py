"""A ward as numbers: the tables that the models, the bound and the search read.

Nurses, shifts and days are indices here. Day 0 is the first of the horizon; negative days are the known tail.
"""

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import product
from zoneinfo import ZoneInfo

from wavegraph.tools.roster.problem.fairness import FairShares, fair_shares, shares_due
from wavegraph.tools.roster.problem.hours import contract_minutes, leave_minutes
from wavegraph.tools.roster.problem.rotation import steps_back
from wavegraph.tools.roster.problem.runs import counts, run_limits
from wavegraph.tools.roster.problem.shortage import missing_prices
from wavegraph.tools.roster.problem.weekends import alike
from wavegraph.tools.roster.ward.ward import Contract, Demand, Leave, Nurse, Roster, RunLimit, Shift, Ward, Wish

SATURDAY = 5
MINUTE = timedelta(minutes=1)
BUILT_KEPT = 8
"""Instances kept: every round, both solvers and the explainer use that of the same ward."""


@dataclass(frozen=True)
class Cover:
    """One row of the demand, with the nurses who count towards it."""

    demand: Demand
    day: int
    shift: int
    able: tuple[int, ...]
    missing: tuple[int, ...]
    """The price of each nurse missing to the target (`problem.shortage`)."""


@dataclass(frozen=True)
class CountedRun:
    """A limit to days in a row of one nurse, with the shifts that count."""

    limit: RunLimit
    shifts: frozenset[int | None]
    """None = a day off."""


@dataclass(frozen=True)
class Balanced:
    """Kinds of shift that are shared, with what is due to each nurse who shares in them."""

    shifts: frozenset[int]
    weight: int
    due: dict[int, int]


@dataclass(frozen=True)
class Instance:
    """Derived tables of a ward, each computed once."""

    ward: Ward
    part_of: Ward | None = None
    """The ward whose nurses share with these, where this is a part of it: what is due to one depends on all."""

    @classmethod
    def of(cls, ward: Ward) -> "Instance":
        """The instance of a ward record (by identity), built once while it is among the latest."""
        with _building:
            if (found := next((each for each in _built if each.ward is ward), None)) is None:
                _built.append(found := cls(ward))
        return found

    @cached_property
    def nurses(self) -> list[Nurse]:
        return self.ward.nurses

    @cached_property
    def shifts(self) -> list[Shift]:
        return self.ward.shifts

    @property
    def days(self) -> int:
        return self.ward.days

    @cached_property
    def nurse_index(self) -> dict[str, int]:
        return {nurse.id: index for index, nurse in enumerate(self.nurses)}

    @cached_property
    def shift_index(self) -> dict[str, int]:
        return {shift.id: index for index, shift in enumerate(self.shifts)}

    @cached_property
    def nights(self) -> list[int]:
        """The shifts that count as night work."""
        return [index for index, shift in enumerate(self.shifts) if shift.night]

    @cached_property
    def paid(self) -> list[int]:
        """Paid minutes of each shift."""
        return [shift.paid for shift in self.shifts]

    @cached_property
    def tails(self) -> list[list[int | None]]:
        """The shift worked on each known day before the horizon, per nurse, oldest first; empty = nothing known."""
        return [[None if s is None else self.shift_index[s] for s in nurse.history.tail] for nurse in self.nurses]

    @cached_property
    def coming(self) -> list[list[int | None]]:
        """The shift of each known day right after the horizon, per nurse; empty = nothing known. For the hard rules about
        the order of shifts alone."""
        rows = self.ward.followed_by.roster if self.ward.followed_by else {}
        return [[None if s is None else self.shift_index[s] for s in rows.get(nurse.id, [])] for nurse in self.nurses]

    @cached_property
    def weekends(self) -> list[list[int]]:
        """The Saturdays and Sundays of the horizon, by weekend; one cut by its ends has a single day."""
        found: dict[int, list[int]] = {}
        for day in range(self.days):
            if self.ward.day(day).weekday() >= SATURDAY:
                found.setdefault((day + self.ward.start.weekday()) // 7, []).append(day)
        return list(found.values())

    def weekends_of(self, nurse: int) -> list[list[int]]:
        """Those that count for her: one that the first day, a Sunday, ends counts in the period before if she worked its
        Saturday."""
        begun = self.ward.start.weekday() == SATURDAY + 1 and self.tails[nurse][-1:] not in ([], [None])
        return self.weekends[1:] if begun else self.weekends

    @cached_property
    def whole_weekends(self) -> list[tuple[int, int]]:
        """Saturday and Sunday of each weekend that is known whole; of one that the first day, a Sunday, ends, Saturday is
        the tail's last day (-1)."""
        begun = [(-1, 0)] if self.ward.start.weekday() == SATURDAY + 1 and any(self.tails) else []
        return [*begun, *((days[0], days[1]) for days in self.weekends if len(days) == 2)]

    @cached_property
    def covers(self) -> list[Cover]:
        return [self._cover(demand) for demand in self.ward.demand if 0 <= self.ward.index(demand.day) < self.days]

    def _cover(self, demand: Demand) -> Cover:
        able = (n for n, nurse in enumerate(self.nurses) if demand.skill is None or demand.skill in nurse.skills)
        return Cover(
            demand,
            self.ward.index(demand.day),
            self.shift_index[demand.shift],
            tuple(able),
            tuple(missing_prices(self.ward, demand)),
        )

    @cached_property
    def staffed(self) -> list[tuple[int, int]]:
        """The (day, shift) pairs for which anyone is needed."""
        needed = {(c.day, c.shift) for c in self.covers if c.demand.target}
        return sorted(needed)

    @cached_property
    def in_charge(self) -> list[int]:
        """The nurses with the skill to be in charge."""
        return [n for n, nurse in enumerate(self.nurses) if self.ward.rules.charge_skill in nurse.skills]

    def max_run(self, nurse: int) -> int | None:
        """Most working days in a row, by contract and by the ward's rules."""
        return smallest(self.contract(nurse).max_run, self.ward.rules.max_days_in_a_row)

    def max_night_run(self, nurse: int) -> int | None:
        return smallest(self.contract(nurse).max_night_run, self.ward.rules.max_nights_in_a_row)

    def runs(self, nurse: int) -> list[CountedRun]:
        """The limits to her days in a row that `RunLimit` states."""
        names = [(None, None), *((index, shift.id) for index, shift in enumerate(self.shifts))]
        return [
            CountedRun(limit, frozenset(index for index, name in names if counts(limit, name)))
            for limit in run_limits(self.ward, self.nurses[nurse])
        ]

    @cached_property
    def weekend_kinds(self) -> list[int]:
        """By shift, the first one that is the same kind for a weekend."""
        same = alike(self.ward)
        kinds = [same[shift.id] for shift in self.shifts]
        return [kinds.index(kind) for kind in kinds]

    @cached_property
    def not_skilled(self) -> list[tuple[int, int]]:
        """Nurse and shift, where she lacks the skill that the shift needs."""
        pairs = product(enumerate(self.nurses), enumerate(self.shifts))
        return [
            (n, s) for (n, nurse), (s, shift) in pairs if shift.skill is not None and shift.skill not in nurse.skills
        ]

    def contract(self, nurse: int) -> Contract:
        return self.nurses[nurse].contract

    def target_minutes(self, nurse: int) -> int | None:
        """Contract minutes of the horizon, leave included; the middle of the bounds where only they are given."""
        return contract_minutes(self.contract(nurse))

    def minutes_to_work(self, nurse: int) -> int | None:
        """The minutes due (`problem.fairness`) less those that leave counts as; negative where leave counts as more."""
        due = self.minutes_due[nurse]
        return None if due is None else due - self.leave_minutes[nurse]

    @cached_property
    def minutes_due(self) -> list[int | None]:
        return [self.fair.minutes[nurse.id] for nurse in self.nurses]

    @cached_property
    def leave_minutes(self) -> list[int]:
        """What each nurse's paid leave counts as, towards all bounds of her contract's hours."""
        return [leave_minutes(self.ward, nurse) for nurse in self.nurses]

    def least_minutes(self, nurse: int) -> int:
        """To work, besides leave."""
        return max(0, self.contract(nurse).min_minutes - self.leave_minutes[nurse])

    def most_minutes(self, nurse: int) -> int | None:
        most = self.contract(nurse).max_minutes
        return None if most is None else max(0, most - self.leave_minutes[nurse])

    @cached_property
    def nights_before_leave(self) -> set[tuple[int, int, int]]:
        """Nurse, day and night that would end on her first day of leave, where the ward does not allow it; cells that are
        settled so stay."""
        if self.ward.rules.night_before_leave:
            return set()
        rows = {(self.nurse_index[row.nurse], self.ward.index(row.day)) for row in self.ward.leave if row.shift is None}
        settled = {(self.nurse_index[row.nurse], self.ward.index(row.day)) for row in self.ward.locked if row.shift}
        eves = {(n, day - 1) for n, day in rows if 0 < day < self.days} - rows - settled
        return {(n, day, s) for n, day in eves for s in self.nights if self._passes_midnight(s)}

    def _passes_midnight(self, shift: int) -> bool:
        start = self.shifts[shift].start
        return start.hour * 60 + start.minute + self.shifts[shift].minutes > 24 * 60

    @cached_property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.ward.time_zone)

    def _moment(self, day: int, clock_minutes: int) -> int:
        """Minutes since an epoch at which the ward's clock shows `clock_minutes` after midnight of a day."""
        naive = datetime.combine(self.ward.day(day), datetime.min.time()) + clock_minutes * MINUTE
        return int(naive.replace(tzinfo=self._zone).astimezone(UTC).timestamp()) // 60

    def begins(self, day: int, shift: int) -> int:
        start = self.shifts[shift].start
        return self._moment(day, start.hour * 60 + start.minute)

    def ends(self, day: int, shift: int) -> int:
        """A shift ends at its usual clock time, also in the night when the clocks change."""
        start = self.shifts[shift].start
        return self._moment(day, start.hour * 60 + start.minute + self.shifts[shift].minutes)

    @cached_property
    def not_after(self) -> list[list[int]]:
        """The shifts that must not be worked the day after each shift."""
        return [[self.shift_index[t] for t in shift.not_followed_by] for shift in self.shifts]

    @cached_property
    def steps_back(self) -> list[list[int]]:
        """The shifts that are a step back on the day after each shift."""
        after = steps_back(self.ward)
        return [[self.shift_index[t] for t in after[shift.id]] for shift in self.shifts]

    def short_rests(self, day: int, hours: float) -> list[tuple[int, int, int]]:
        """(shift on `day`, days later, next shift) with less than `hours` of rest between them in real time."""
        key = day, hours
        if key not in self._short_rests:
            gaps = range(1, 3 + int(hours) // 24 + 1)
            triples = product(range(len(self.shifts)), gaps, range(len(self.shifts)))
            self._short_rests[key] = [
                (s, gap, t) for s, gap, t in triples if self.begins(day + gap, t) - self.ends(day, s) < hours * 60
            ]
        return self._short_rests[key]

    @cached_property
    def _short_rests(self) -> dict[tuple[int, float], list[tuple[int, int, int]]]:
        return {}

    def ends_a_night_run(self, shift: int, gap: int, then: int) -> bool:
        """Whether `shift`, with `then` the next worked, `gap` days later, is the last of a run of nights."""
        return self.shifts[shift].night and not (gap == 1 and self.shifts[then].night)

    @cached_property
    def asked_off(self) -> set[tuple[int, int]]:
        """Nurse and day of leave that is a whole day, and of wishes for a day off."""
        rows: list[Leave | Wish] = [
            *(leave for leave in self.ward.leave if leave.shift is None),
            *(wish for wish in self.ward.wishes if not wish.wants and wish.shift is None),
        ]
        return {(self.nurse_index[row.nurse], self.ward.index(row.day)) for row in rows}

    @cached_property
    def fair(self) -> FairShares:
        return fair_shares(self.part_of or self.ward)

    @cached_property
    def balanced(self) -> list[Balanced]:
        return [
            Balanced(
                frozenset(self.shift_index[kind] for kind in balance.shifts),
                balance.weight,
                self._by_index(shares_due(self.part_of or self.ward, balance)),
            )
            for balance in self.ward.rules.balanced
        ]

    @cached_property
    def nights_due(self) -> dict[int, int]:
        """A fair share of the nights, in tenths, of each nurse who shares in them."""
        return self._by_index(self.fair.nights)

    @cached_property
    def weekends_due(self) -> dict[int, int]:
        return self._by_index(self.fair.weekends)

    @cached_property
    def holidays_due(self) -> dict[int, int]:
        return self._by_index(self.fair.holidays)

    def _by_index(self, due: Mapping[str, int]) -> dict[int, int]:
        return {self.nurse_index[name]: tenths for name, tenths in due.items() if name in self.nurse_index}

    @cached_property
    def holidays(self) -> list[int]:
        """The days of the horizon that are public holidays."""
        return [day for day in range(self.days) if self.ward.day(day) in self.ward.holidays]

    def roster(self, cells: Mapping[tuple[int, int], int]) -> Roster:
        """Chosen shifts by (nurse, day) as a roster by id."""
        names = [shift.id for shift in self.shifts]
        rows: Roster = {}
        for n, nurse in enumerate(self.nurses):
            chosen = (cells.get((n, d)) for d in range(self.days))
            rows[nurse.id] = [None if s is None else names[s] for s in chosen]
        return rows


_built: deque[Instance] = deque(maxlen=BUILT_KEPT)
_building = threading.Lock()


def smallest(*bounds: int | None) -> int | None:
    """The tightest of several upper bounds; None = none of them binds."""
    return min((bound for bound in bounds if bound is not None), default=None)
