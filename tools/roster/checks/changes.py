"""The cells that differ from the published roster, each with a reason: what would be wrong if it had stayed.

A reason is found by putting the cell back and checking again, so it holds by itself.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field, computed_field

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import changed_cells, roster_cost
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.checks.findings import Finding, iso
from wavegraph.tools.roster.told import Told, english, told
from wavegraph.tools.roster.ward.ward import Roster, Ward

MOST_EXPLAINED = 60
"""Cells; a roster with more changes is another roster, not a repair."""


Reason = tuple[str, Told | Finding]
"""Its kind, and what it is."""


class CellChange(BaseModel):
    """One cell that differs."""

    model_config = ConfigDict(frozen=True)

    nurse_id: str
    day: str
    """ISO date."""
    before: str | None
    now: str | None
    kind: str
    """leave, locked, asked: somebody asked for it; a finding's type, cost, fairness, or together: it goes with the others."""
    why: Told | Finding = Field(exclude=True)
    """What would be wrong if it had stayed, or who asked for it."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def reason(self) -> str:
        """In English."""
        return english(self.line())

    def line(self, called: Mapping[str, str] = MappingProxyType({})) -> Told:
        """Its reason for a person; `called` as of a finding."""
        return told("changed.found", found=self.why.line(called)) if isinstance(self.why, Finding) else self.why


def explained_changes(ward: Ward, roster: Roster) -> list[CellChange]:
    """By nurse and day; empty where nothing is published. Raises `RosterError` where the roster does not fit the ward."""
    if ward.published is None or not (cells := changed_cells(ward, roster)):
        return []
    found = _Found(ward, roster)
    made = []
    for place, (nurse, day) in enumerate(cells):
        before, now = ward.published.roster[nurse][day], roster[nurse][day]
        kind, why = found.reason(nurse, day, before) if place < MOST_EXPLAINED else ("together", told("changed.many"))
        made.append(CellChange(nurse_id=nurse, day=iso(ward, day), before=before, now=now, kind=kind, why=why))
    return made


class _Found:
    """What the checks find of the roster, and of the same roster with something put back."""

    def __init__(self, ward: Ward, roster: Roster) -> None:
        self._ward, self._roster = ward, roster
        self._findings = self._of(roster)
        self._cost = self._without_changes(roster)
        self._fairness = check_empathy(ward, roster).fairness

    def reason(self, nurse: str, day: int, before: str | None) -> Reason:
        if (asked := self._asked_for(nurse, day, before)) is not None:
            return asked
        row = [before if index == day else cell for index, cell in enumerate(self._roster[nurse])]
        return self._wrong_with(nurse, row) or self._with_her_others(nurse) or ("together", told("changed.together"))

    def _asked_for(self, nurse: str, day: int, before: str | None) -> Reason | None:
        on = self._ward.day(day)
        if (
            any(row.nurse == nurse and row.day == on and row.shift in (None, before) for row in self._ward.leave)
            and before
        ):
            return "leave", told("changed.leave")
        if any(row.nurse == nurse and row.day == on and row.shift != before for row in self._ward.locked):
            return "locked", told("changed.locked")
        if (published := self._ward.published) and published.reason:
            return "asked", told("changed.asked", words=published.reason)
        return None

    def _with_her_others(self, nurse: str) -> Reason | None:
        published = self._ward.published
        assert published is not None
        return self._wrong_with(nurse, published.roster[nurse])

    def _wrong_with(self, nurse: str, row: Sequence[str | None]) -> Reason | None:
        """What is wrong, or worse, with this row in place of the nurse's own."""
        other = {**self._roster, nurse: list(row)}
        new = [found for found in self._of(other) if found not in self._findings]
        if new:
            worst = min(
                new, key=lambda found: (found.level != "breach", found.level == "warning", found.nurse_id != nurse)
            )
            return worst.type, worst
        if (more := self._without_changes(other) - self._cost) > 0:
            return "cost", told("changed.cost", more=more)
        if (fairness := check_empathy(self._ward, other).fairness) < self._fairness:
            return "fairness", told("changed.fairness", now=fairness, before=self._fairness)
        return None

    def _of(self, roster: Roster) -> list[Finding]:
        return [*check_compliance(self._ward, roster).findings, *check_empathy(self._ward, roster).findings]

    def _without_changes(self, roster: Roster) -> int:
        cost = roster_cost(self._ward, roster)
        return cost.total - (cost.changes or 0)
