"""The cells that differ from the published roster, each with a reason: what would be wrong if it had stayed.

A reason is found by putting the cell back and checking again, so it holds by itself.
"""

from collections.abc import Mapping
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field, computed_field

from wavegraph.tools.roster.checks.cost import changed_cells
from wavegraph.tools.roster.checks.findings import Finding, iso
from wavegraph.tools.roster.checks.judge import Cells, Judge
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
    judge, made = Judge(ward, roster), []
    for place, (nurse, day) in enumerate(cells):
        before, now = ward.published.roster[nurse][day], roster[nurse][day]
        own = {(nurse, index): ward.published.roster[nurse][index] for who, index in cells if who == nurse}
        found: Reason = "together", told("changed.many" if place >= MOST_EXPLAINED else "changed.together")
        if place < MOST_EXPLAINED:
            asked = _asked_for(ward, nurse, day, before)
            found = (
                asked or _wrong_with(judge, nurse, {(nurse, day): before}) or _wrong_with(judge, nurse, own) or found
            )
        made.append(CellChange(nurse_id=nurse, day=iso(ward, day), before=before, now=now, kind=found[0], why=found[1]))
    return made


def _asked_for(ward: Ward, nurse: str, day: int, before: str | None) -> Reason | None:
    """Whether somebody asked for something else there."""
    on = ward.day(day)
    if before and any((row.nurse, row.day) == (nurse, on) and row.shift in (None, before) for row in ward.leave):
        return "leave", told("changed.leave")
    if any((row.nurse, row.day) == (nurse, on) and row.shift != before for row in ward.locked):
        return "locked", told("changed.locked")
    if ward.published and ward.published.reason:
        return "asked", told("changed.asked", words=ward.published.reason)
    return None


def _wrong_with(judge: Judge, nurse: str, cells: Cells) -> Reason | None:
    """What is wrong, or worse, with these cells as they were."""
    made = judge.changed(cells)
    before, after = made.before, made.after
    if new := [found for found in after.findings if found not in before.findings]:
        worst = min(new, key=lambda found: (found.level != "breach", found.level == "warning", found.nurse_id != nurse))
        return worst.type, worst
    if made.cost > 0:
        return "cost", told("changed.cost", more=made.cost)
    if after.empathy.fairness < before.empathy.fairness:
        return "fairness", told("changed.fairness", now=after.empathy.fairness, before=before.empathy.fairness)
    return None
