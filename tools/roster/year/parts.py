"""Some days of a long ward as a ward of their own, given a roster of the days around them.

The days before become history; what a nurse's contract counts over the whole ward is hers less what she works outside the
part. Days at the part's end may be locked, so that rules that reach across it hold there, too.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, chain
from math import ceil, floor
from typing import Protocol, TypeVar

from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules.counters import most_minutes, weekly_hours
from wavegraph.tools.roster.problem.totals import Kind, totals
from wavegraph.tools.roster.versions.following import Known, following
from wavegraph.tools.roster.ward.ward import Contract, Leave, Locked, Nurse, Roster, Total, Ward

SATURDAY = 5
AHEAD = 2
"""Shifts by which a nurse may be ahead of her share besides the slack."""


class Dated(Protocol):
    """A row of the ward that is about one day."""

    @property
    def day(self) -> date: ...


Row = TypeVar("Row", bound=Dated)


@dataclass(frozen=True)
class Part:
    """Days `begin` to `stop` of a ward, of which those up to `end` are kept.

    The days after them show that what is kept can be gone on with: they keep the roster that is there, if there is one.
    """

    begin: int
    end: int
    stop: int


@dataclass(frozen=True)
class Worked:
    """What a nurse works outside a part."""

    minutes: int
    shifts: Counter[str]
    nights: int
    weekends: int

    @property
    def assignments(self) -> int:
        return self.shifts.total()


@dataclass(frozen=True)
class Steered:
    """The bounds of a total over a part that ends before the ward does: an equal share of each day, give or take a slack.

    share * least - behind  <=  done + own  <=  share * most + ahead          at the ward's end without the slacks
    """

    share: Fraction
    """Of the ward's days that lie before the part's end; 1 = nothing is left for later."""
    behind: int
    ahead: int
    """In units of what is counted."""

    def most(self, most: int, done: int) -> int:
        return max(0, min(most, ceil(most * self.share) + self.ahead) - done)

    def least(self, least: int, done: int) -> int:
        behind = self.behind if self.share < 1 else 0
        return max(0, floor(least * self.share) - behind - done)


@dataclass(frozen=True)
class LongWard:
    """A ward that is cut into parts."""

    instance: Instance

    @property
    def ward(self) -> Ward:
        return self.instance.ward

    def cut(self, part: Part, roster: Roster, slack: int) -> Ward:
        """The part as a ward. `roster`: of the days before it, and of those after it if it is known.

        `slack`: shifts by which a nurse may be behind while the days after it are open. Who is ahead is seldom short of
        anything later but weekends, so these are steered closely, hours loosely and kinds of shift, of which there are many,
        more loosely still.
        """
        ward = self.ward
        nurses = [self._nurse(n, nurse, part, roster[nurse.id], slack) for n, nurse in enumerate(ward.nurses)]
        published = ward.published
        cut = ward.changed(
            start=ward.day(part.begin),
            days=part.stop - part.begin,
            nurses=nurses,
            demand=self._within(ward.demand, part),
            leave=self._within(ward.leave, part),
            wishes=self._within(ward.wishes, part),
            locked=[*self._within(ward.locked, part), *self._settled(part, roster)],
            followed_by=ward.followed_by if part.stop == ward.days else None,
            published=published
            and published.model_copy(
                update={"roster": {name: row[part.begin : part.stop] for name, row in published.roster.items()}}
            ),
            rules=ward.rules.model_copy(update={"weekly_hours": 0.0, "leave_credit": "none"}),
        )
        return self._following(cut, part, roster)

    def _following(self, cut: Ward, part: Part, roster: Roster) -> Ward:
        """With the history of the days before; hours are steered by the contract instead."""
        if not part.begin:
            return cut
        before = {name: row[: part.begin] for name, row in roster.items()}
        later = following(cut, [Known(self.ward, before)])
        hours = {"minutes": 0, "target_minutes": 0}
        return later.changed(
            nurses=[each.model_copy(update={"history": each.history.model_copy(update=hours)}) for each in later.nurses]
        )

    def _within(self, rows: Sequence[Row], part: Part) -> list[Row]:
        first, last = self.ward.day(part.begin), self.ward.day(part.stop - 1)
        return [row for row in rows if first <= row.day <= last]

    def _settled(self, part: Part, roster: Roster) -> list[Locked]:
        known = {(row.nurse, row.day) for row in self.ward.locked}
        cells = [
            (nurse.id, day)
            for nurse in self.ward.nurses
            for day in range(part.end, min(part.stop, len(roster[nurse.id])))
        ]
        return [
            Locked(nurse=name, day=self.ward.day(day), shift=roster[name][day])
            for name, day in cells
            if (name, self.ward.day(day)) not in known
        ]

    def _nurse(self, n: int, nurse: Nurse, part: Part, row: list[str | None], slack: int) -> Nurse:
        worked = self._worked(n, row, part)
        known = len(row) >= self.instance.days
        share = Fraction(1) if known else Fraction(self._open_days[n][part.stop], max(1, self._open_days[n][-1]))
        contract = nurse.contract.model_copy(
            update={
                **self._hours(n, worked, share, slack),
                **self._counts(n, worked, share, slack),
                **{
                    kind: self._total(total, before, worked, kind, Steered(share, 0, 0))
                    for kind, total, before in totals(nurse)
                },
            }
        )
        return nurse.model_copy(update={"contract": contract})

    def _worked(self, n: int, row: list[str | None], part: Part) -> Worked:
        outside = [shift for shift in (*row[: part.begin], *row[part.stop :]) if shift is not None]
        by_id = self.ward.shift_by_id
        weekends = [
            days
            for days in self.instance.weekends_of(n)
            if any(row[day] is not None for day in days if day < len(row) and not part.begin <= day < part.stop)
        ]
        return Worked(
            sum(by_id[shift].paid for shift in outside),
            Counter(outside),
            sum(by_id[shift].night for shift in outside),
            len(weekends),
        )

    @cached_property
    def _open_days(self) -> list[list[int]]:
        """By nurse, how many of the days before each day she may work on."""
        closed = [set[int]() for _ in self.instance.nurses]
        rows: list[Leave | Locked] = [*self.ward.leave, *self.ward.locked]
        for row in rows:
            if row.shift is None:
                closed[self.instance.nurse_index[row.nurse]].add(self.ward.index(row.day))
        days = range(self.instance.days)
        return [[0, *accumulate(int(day not in each) for day in days)] for each in closed]

    def _hours(self, n: int, worked: Worked, share: Fraction, slack: int) -> dict[str, int | None]:
        """Minutes to work; leave is left out, as it counts the same wherever it lies."""
        instance = self.instance
        longest = max((shift.paid for shift in instance.shifts), default=0)
        steered = Steered(share, slack * longest, (slack + AHEAD) * longest)
        most, target = self._most_minutes.get(n), instance.minutes_to_work(n)
        return {
            "min_minutes": steered.least(instance.least_minutes(n), worked.minutes),
            "max_minutes": None if most is None else steered.most(most, worked.minutes),
            "target_minutes": None if target is None else Steered(share, 0, 0).most(max(0, target), worked.minutes),
            "leave_minutes": None,
        }

    @cached_property
    def _most_minutes(self) -> dict[int, int]:
        """By her contract, and by the week's hours on average."""
        most: dict[int, int] = {}
        for rule in chain(most_minutes(self.instance), weekly_hours(self.instance)):
            if rule.most is not None:
                most[rule.nurse] = min(rule.most, most.get(rule.nurse, rule.most))
        return most

    def _counts(self, n: int, worked: Worked, share: Fraction, slack: int) -> dict[str, object]:
        contract: Contract = self.instance.contract(n)
        steered, loosely = Steered(share, 0, max(0, slack - 1)), Steered(share, 0, 2 * slack + AHEAD)
        counted = {
            shift: 0 if most == 0 else loosely.most(most, worked.shifts[shift])
            for shift, most in contract.max_shifts.items()
            if most < self.instance.days
        }
        nights, weekends = contract.max_nights, contract.max_weekends
        return {
            "max_shifts": counted,
            "max_nights": None if nights is None else steered.most(nights, worked.nights),
            "max_weekends": None if weekends is None else steered.most(weekends, worked.weekends),
        }

    def _total(self, total: Total, before: int, worked: Worked, kind: Kind, steered: Steered) -> Total:
        done = before + (worked.assignments if kind == "assignments" else worked.weekends)
        return total.model_copy(
            update={
                "least": steered.least(total.least, done),
                "most": None if total.most is None else steered.most(total.most, done),
                "carried": False,
            }
        )
