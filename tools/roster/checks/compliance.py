"""May this roster be published? Every rule of the ward, each a plain function of ward and roster."""

from collections.abc import Callable
from typing import Literal

from pydantic import BaseModel, ConfigDict

from wavegraph.tools.roster.checks import contracts, coverage, rest, runs
from wavegraph.tools.roster.checks.days_after import check_days_after
from wavegraph.tools.roster.checks.findings import Finding, in_order
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.ward.ward import Roster, Ward

Rule = Callable[[Checked], list[Finding]]

OF_SHIFTS: tuple[Rule, ...] = coverage.RULES
"""Those that count who is on a shift; each of the others looks at one nurse's row at a time."""
RULES: tuple[Rule, ...] = (
    *OF_SHIFTS, *rest.RULES, *runs.RULES, *contracts.RULES, check_days_after,
)  # fmt: skip


class ComplianceReport(BaseModel):
    model_config = ConfigDict(frozen=True)

    status: Literal["PASS", "FAIL"]
    """FAIL when anything is in breach; what needs compensatory rest and warnings do not fail."""
    findings: list[Finding]

    @property
    def breaches(self) -> list[Finding]:
        return [found for found in self.findings if found.level == "breach"]


def check_compliance(ward: Ward, roster: Roster) -> ComplianceReport:
    """Check the roster against every rule. Raises `RosterError` if it does not fit the ward."""
    return compliance_of(Checked.of(ward, roster))


def compliance_of(checked: Checked) -> ComplianceReport:
    findings = in_order([found for rule in RULES for found in rule(checked)])
    failed = any(found.level == "breach" for found in findings)
    return ComplianceReport(status="FAIL" if failed else "PASS", findings=findings)
