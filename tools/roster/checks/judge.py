"""What changed cells break and cost: the checks over the roster as it is, and over what it becomes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from wavegraph.tools.roster.checks.compliance import OF_SHIFTS, RULES
from wavegraph.tools.roster.checks.cost import RosterCost, cost_of
from wavegraph.tools.roster.checks.empathy import EmpathyReport, findings_of_all, findings_of_rows, report_on
from wavegraph.tools.roster.checks.findings import Finding, in_order
from wavegraph.tools.roster.checks.measures import Share, shares
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.problem.fairness import fair_shares
from wavegraph.tools.roster.ward.roster_fit import require_fit
from wavegraph.tools.roster.ward.ward import Level, Roster, Ward

Cells = Mapping[tuple[str, int], str | None]
"""New shifts by nurse and day index; None = a day off."""
LEVELS: Sequence[Level] = ("warning", "compensatory", "breach")
RUNS = ("consecutive_days", "consecutive_nights", "run_length", "days_off", "unwelcome_run")
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

    @property
    def failing(self) -> list[Finding]:
        """Breaches, then what is unfair."""
        return [*(found for found in self.compliance if found.level == "breach"), *self.empathy.unfair]

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

    @cached_property
    def fails(self) -> list[Finding]:
        """What fails the checks now and did not, or was less bad."""
        return newly_found(self.before.failing, self.after.failing)

    @property
    def cost(self) -> int:
        """By the ward's own weights; negative = cheaper."""
        return self.after.cost.total - self.before.cost.total


@dataclass(frozen=True)
class _Row:
    """What is found of one nurse's row by looking at nothing else."""

    compliance: list[Finding]
    empathy: list[Finding]
    share: Share


class Judge:
    """The checks over one roster. Changes to what was published before it cost nothing here, and the cells that its repair
    froze may change: it is what staff have.

    A change is checked where it can make a difference: the rows that change, and all that is counted over many.
    """

    def __init__(self, ward: Ward, roster: Roster) -> None:
        """Raises `RosterError` where the roster does not fit the ward."""
        require_fit(ward, roster)
        self.ward = ward.thawed().changed(published=None)
        self._fair = fair_shares(self.ward)
        self._parts = {nurse.id: self.ward.with_only([nurse.id]) for nurse in ward.nurses}
        self._rows = {nurse: self._row(nurse, roster) for nurse in self._parts}
        self.before = self._judged(roster, self._rows)

    def changed(self, cells: Cells) -> Consequence:
        roster = dict(self.before.roster)
        for (nurse, day), shift in cells.items():
            roster[nurse] = [shift if index == day else cell for index, cell in enumerate(roster[nurse])]
        rows = {nurse: self._row(nurse, roster) for nurse in {nurse for nurse, _ in cells}}
        return Consequence(self.before, self._judged(roster, {**self._rows, **rows}))

    def _row(self, nurse: str, roster: Roster) -> _Row:
        checked, limits = Checked(self._parts[nurse], {nurse: roster[nurse]}), self.ward.fairness
        measured = shares(checked, limits.history_share, self._fair)
        compliance = [found for rule in RULES if rule not in OF_SHIFTS for found in rule(checked)]
        return _Row(compliance, findings_of_rows(checked, measured, limits), measured[0])

    def _judged(self, roster: Roster, rows: Mapping[str, _Row]) -> Judged:
        """`rows`: of all nurses, in the ward's order."""
        checked = Checked(self.ward, roster)
        of_shifts = [found for rule in OF_SHIFTS for found in rule(checked)]
        compliance = in_order([*of_shifts, *(found for row in rows.values() for found in row.compliance)])
        empathy = [*(found for row in rows.values() for found in row.empathy), *findings_of_all(checked)]
        report = report_on([row.share for row in rows.values()], empathy, self.ward.fairness)
        return Judged(roster, compliance, report, cost_of(checked))


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
    near = [each for each in own if each.type not in RUNS or {*_days_of_run(each)} & {*_days_of_run(found)}]
    as_bad = next((each for each in near if _badness(each) >= _badness(found)), None)
    if as_bad is not None:
        own.remove(as_bad)
    return as_bad is not None


def _about(found: Finding) -> object:
    """What a finding is about, whatever its numbers and, of runs, its day."""
    day = None if found.type in RUNS else found.day
    is_above = _excess(found) > 0
    where = day, found.shift, found.skill, found.after
    rule = (found.rule, found.expected, found.actual) if isinstance(found.expected, str) else ()
    return found.type, found.nurse_id, found.other, where, is_above, *rule


def _excess(found: Finding) -> float:
    """How far the number that is found lies above that which is expected; 0 where they are no numbers."""
    expected, actual = found.expected, found.actual
    return actual - expected if isinstance(expected, int | float) and isinstance(actual, int | float) else 0


def _badness(found: Finding) -> tuple[int, float]:
    return LEVELS.index(found.level), abs(_excess(found))


def _days_of_run(found: Finding) -> range:
    """A run that is too long is found on the first day too many, a short one on its first."""
    assert found.day is not None
    assert isinstance(found.expected, int)
    assert isinstance(found.actual, int)
    day = date.fromisoformat(found.day).toordinal()
    first = day - found.expected if found.actual > found.expected else day
    return range(first, first + found.actual)
