"""What changed cells break and cost: the checks over the roster as it is, and over what it becomes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from wavegraph.tools.roster.checks.compliance import OF_SHIFTS, RULES
from wavegraph.tools.roster.checks.cost import RosterCost, roster_cost
from wavegraph.tools.roster.checks.empathy import EmpathyReport, check_empathy
from wavegraph.tools.roster.checks.findings import Finding, in_order
from wavegraph.tools.roster.checks.measures import Share
from wavegraph.tools.roster.ward.roster_fit import require_fit
from wavegraph.tools.roster.ward.ward import Level, Roster, Ward

Cells = Mapping[tuple[str, int], str | None]
"""New shifts by nurse and day index; None = a day off."""
LEVELS: Sequence[Level] = ("warning", "compensatory", "breach")
RUNS = ("consecutive_days", "consecutive_nights", "run_length", "days_off")
"""Found on a day that depends on where the run begins."""


@dataclass(frozen=True)
class Judged:
    """A roster with everything the checks find of it."""

    roster: Roster
    compliance: list[Finding]
    empathy: EmpathyReport
    cost: RosterCost

    @property
    def findings(self) -> list[Finding]:
        return [*self.compliance, *self.empathy.findings]

    @cached_property
    def shares(self) -> dict[str, Share]:
        return {share.nurse_id: share for share in self.empathy.shares}

    def hours_over(self, nurse: str) -> float:
        """Above the contract's, those of leave included."""
        share = self.shares[nurse]
        over = 0 if share.target_minutes is None else share.credited_minutes - share.target_minutes
        return max(0, over) / 60


@dataclass(frozen=True)
class Consequence:
    """What a change makes of a roster."""

    before: Judged
    after: Judged

    @cached_property
    def new(self) -> list[Finding]:
        """What is found now and was not, or was less bad."""
        return newly_found(self.before.findings, self.after.findings)

    def of_level(self, level: Level) -> list[Finding]:
        return [found for found in self.new if found.level == level]

    @property
    def cost(self) -> int:
        """By the ward's own weights; negative = cheaper."""
        return self.after.cost.total - self.before.cost.total


class Judge:
    """The checks over one roster. Changes to what was published before it cost nothing here: it is what staff have."""

    def __init__(self, ward: Ward, roster: Roster) -> None:
        """Raises `RosterError` where the roster does not fit the ward."""
        require_fit(ward, roster)
        self.ward = ward.model_copy(update={"published": None})
        self.before = self._judged(roster, list(ward.nurse_by_id), {})

    def changed(self, cells: Cells) -> Consequence:
        roster = dict(self.before.roster)
        for (nurse, day), shift in cells.items():
            roster[nurse] = [shift if index == day else cell for index, cell in enumerate(roster[nurse])]
        return Consequence(self.before, self._judged(roster, {nurse for nurse, _ in cells}, self._own))

    def _judged(self, roster: Roster, nurses: Iterable[str], known: Mapping[str, list[Finding]]) -> Judged:
        """`nurses`: those whose rows are to be checked; `known`: what is found of the others' rows."""
        rows = {**known, **{nurse: self._of_row(nurse, roster) for nurse in nurses}}
        of_shifts = [found for rule in OF_SHIFTS for found in rule(self.ward, roster)]
        compliance = in_order([*of_shifts, *(found for own in rows.values() for found in own)])
        return Judged(roster, compliance, check_empathy(self.ward, roster), roster_cost(self.ward, roster))

    @cached_property
    def _own(self) -> dict[str, list[Finding]]:
        """What compliance finds of each nurse's own row."""
        own: dict[str, list[Finding]] = defaultdict(list)
        for found in self.before.compliance:
            if found.nurse_id is not None:
                own[found.nurse_id].append(found)
        return own

    def _of_row(self, nurse: str, roster: Roster) -> list[Finding]:
        part = self._parts[nurse]
        return [found for rule in RULES if rule not in OF_SHIFTS for found in rule(part, {nurse: roster[nurse]})]

    @cached_property
    def _parts(self) -> dict[str, Ward]:
        """The ward of each nurse alone: nothing but her row is looked at."""
        ward = self.ward
        return {
            nurse.id: ward.model_copy(
                update={
                    "nurses": [nurse],
                    "leave": [row for row in ward.leave if row.nurse == nurse.id],
                    "locked": [row for row in ward.locked if row.nurse == nurse.id],
                    "wishes": [], "pairs": [], "demand": [],
                }
            )
            for nurse in ward.nurses
        }  # fmt: skip


def newly_found(before: Sequence[Finding], after: Sequence[Finding]) -> list[Finding]:
    """The findings of `after` that `before` has not, or not so bad."""
    known = set(before)
    gone: dict[object, list[Finding]] = defaultdict(list)
    for found in known - set(after):
        gone[_about(found)].append(found)
    return [found for found in after if found not in known and not _was_as_bad(found, gone)]


def _was_as_bad(found: Finding, gone: dict[object, list[Finding]]) -> bool:
    """Whether something as bad is gone for it, which then stands for no other."""
    own = gone[_about(found)]
    as_bad = next((each for each in own if _badness(each) >= _badness(found) and _same_place(each, found)), None)
    if as_bad is not None:
        own.remove(as_bad)
    return as_bad is not None


def _about(found: Finding) -> object:
    """What a finding is about, whatever its numbers and, of runs, its day."""
    day = None if found.type in RUNS else found.day
    is_above = _excess(found) > 0
    words = found.detail if isinstance(found.expected, str) else ""
    return found.type, found.nurse_id, day, found.shift, found.skill, is_above, words


def _excess(found: Finding) -> float:
    """How far the number that is found lies above that which is expected; 0 where they are no numbers."""
    expected, actual = found.expected, found.actual
    return actual - expected if isinstance(expected, int | float) and isinstance(actual, int | float) else 0


def _badness(found: Finding) -> tuple[int, float]:
    return LEVELS.index(found.level), abs(_excess(found))


def _same_place(one: Finding, other: Finding) -> bool:
    """Whether two runs share a day; what is no run has its day already."""
    return one.type not in RUNS or bool(set(_days_of_run(one)) & set(_days_of_run(other)))


def _days_of_run(found: Finding) -> range:
    """A run that is too long is found on the first day too many, a short one on its first."""
    assert found.day is not None
    assert isinstance(found.expected, int)
    assert isinstance(found.actual, int)
    day = date.fromisoformat(found.day).toordinal()
    first = day - found.expected if found.actual > found.expected else day
    return range(first, first + found.actual)
