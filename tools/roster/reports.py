"""Everything the checkers find in one roster."""

from collections import Counter

from pydantic import BaseModel, ConfigDict, Field

from wavegraph.tools.roster.checks.changes import CellChange, explained_changes
from wavegraph.tools.roster.checks.compliance import ComplianceReport, compliance_of
from wavegraph.tools.roster.checks.cost import RosterCost, changed_cells, cost_of
from wavegraph.tools.roster.checks.empathy import EmpathyReport, empathy_of
from wavegraph.tools.roster.checks.findings import TOO_FEW, Finding
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.ward.ward import Roster, Ward

LEVELS = ("breach", "failed", "compensatory", "warning")
"""How bad a finding is, the worst first. `failed`: of a type that failed the empathy check."""


class RosterReport(BaseModel):
    model_config = ConfigDict(frozen=True)

    compliance: ComplianceReport
    empathy: EmpathyReport
    cost: RosterCost
    """By the ward's own weights alone: no penalties."""
    changed_cells: int | None = Field(default=None, exclude_if=lambda count: count is None)
    """Cells that differ from the published roster; None = the ward has none, and the field is left out."""
    changes: list[CellChange] = Field(default=[], exclude_if=lambda changes: not changes)
    """These cells, each with a reason."""

    @property
    def unfair(self) -> list[Finding]:
        return self.empathy.unfair

    @property
    def failing(self) -> list[Finding]:
        """Breaches, then what is unfair."""
        return [*self.compliance.breaches, *self.unfair]

    @property
    def short(self) -> list[Finding]:
        """Of shifts that lack nurses, by number, skill or charge."""
        return [found for found in self.compliance.findings if found.type in TOO_FEW]

    def level_of(self, found: Finding) -> str:
        """Of `LEVELS`."""
        failed = {excess.type for excess in self.empathy.failed}
        return "failed" if found.type in failed and found.level != "breach" else found.level

    @property
    def counts(self) -> dict[str, int]:
        """All findings by their level, the worst first; a level that has none is left out."""
        levels = Counter(map(self.level_of, (*self.compliance.findings, *self.empathy.findings)))
        return {level: levels[level] for level in LEVELS if levels[level]}

    @property
    def passed(self) -> bool:
        return self.compliance.status == "PASS" and self.empathy.status == "APPROVED"


def report_of(ward: Ward, roster: Roster) -> RosterReport:
    """Raises `RosterError` where the roster does not fit the ward."""
    checked = Checked.of(ward, roster)
    return RosterReport(
        compliance=compliance_of(checked),
        empathy=empathy_of(checked),
        cost=cost_of(checked),
        changed_cells=len(changed_cells(ward, roster)) if ward.published else None,
        changes=explained_changes(ward, roster),
    )
