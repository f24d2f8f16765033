"""May this roster be published? Every rule of the ward, each a plain function of ward and roster."""

from collections.abc import Callable
from typing import Literal

from pydantic import BaseModel, ConfigDict

from wavegraph.tools.roster.checks.contracts import (
    check_contract_hours,
    check_contract_shifts,
    check_leave,
    check_locked,
    check_night_before_leave,
    check_shift_skills,
    check_weekends,
)
from wavegraph.tools.roster.checks.coverage import check_charge, check_coverage, check_skill_mix
from wavegraph.tools.roster.checks.days_after import check_days_after
from wavegraph.tools.roster.checks.findings import Finding, in_order
from wavegraph.tools.roster.checks.rest import (
    check_daily_rest,
    check_rest_after_nights,
    check_weekly_hours,
    check_weekly_rest,
)
from wavegraph.tools.roster.checks.runs import (
    check_forward_rotation,
    check_runs,
    check_successions,
)
from wavegraph.tools.roster.ward.roster_fit import require_fit
from wavegraph.tools.roster.ward.ward import Roster, Ward

Rule = Callable[[Ward, Roster], list[Finding]]

OF_SHIFTS: tuple[Rule, ...] = (check_coverage, check_skill_mix, check_charge)
"""Those that count who is on a shift; each of the others looks at one nurse's row at a time."""
RULES: tuple[Rule, ...] = (
    *OF_SHIFTS,
    check_daily_rest,
    check_weekly_rest,
    check_weekly_hours,
    check_runs,
    check_rest_after_nights,
    check_successions,
    check_forward_rotation,
    check_leave,
    check_night_before_leave,
    check_locked,
    check_shift_skills,
    check_contract_hours,
    check_contract_shifts,
    check_weekends,
    check_days_after,
)


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
    require_fit(ward, roster)
    findings = in_order([found for rule in RULES for found in rule(ward, roster)])
    failed = any(found.level == "breach" for found in findings)
    return ComplianceReport(status="FAIL" if failed else "PASS", findings=findings)
