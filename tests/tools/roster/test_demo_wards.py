"""The wards of `examples/roster` hold what they say. The rosters were made with the base penalties, and with those of
the failing types raised by half."""

import pytest
from roster_wards import EXAMPLES, rows

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.ward import Roster, Ward
from wavegraph.tools.roster.ward_file import read_ward


def roster(ward: Ward, *lines: str) -> Roster:
    return rows(**{nurse.id: line for nurse, line in zip(ward.nurses, lines, strict=True)})


WILLOW = (
    "-LLLLN-", "EEEE--N", "EEN--EL", "N--EEEE", "LN--LLL", "LLLNN--", "EEEL--E", "LL--ELN", "--LLL--", "--EEE--",
)  # fmt: skip
HARBOUR_CHEAPEST = (
    "-LLLL-L", "-E-EELN", "LNNN--E", "N--LL--", "LLL--EE", "-------", "EEEEN--", "E-EEEE-", "EEE-EN-",
)  # fmt: skip
HARBOUR_RAISED = (
    "-LLLNN-", "-E-LLNN", "LNN--EE", "EEE----", "LLLN--N", "--EEE--", "N--ELLL", "E--EEEE", "EEE-EN-",
)  # fmt: skip


@pytest.mark.parametrize(("name", "lines"), [("willow", WILLOW), ("harbour", HARBOUR_RAISED)])
def test_both_wards_have_a_roster_that_passes(name: str, lines: tuple[str, ...]) -> None:
    ward = read_ward(EXAMPLES / f"{name}.yaml")
    assert check_compliance(ward, roster(ward, *lines)).status == "PASS"
    assert check_empathy(ward, roster(ward, *lines)).status == "APPROVED"


def test_the_cheapest_roster_of_harbour_is_unfair_to_three() -> None:
    ward = read_ward(EXAMPLES / "harbour.yaml")
    cheapest, raised = roster(ward, *HARBOUR_CHEAPEST), roster(ward, *HARBOUR_RAISED)
    assert roster_cost(ward, cheapest).total < roster_cost(ward, raised).total
    assert check_compliance(ward, cheapest).status == "PASS"
    report = check_empathy(ward, cheapest)
    failed = {failed.type for failed in report.failed}
    assert {(found.type, found.nurse_id, found.day) for found in report.findings if found.type in failed} == {
        ("underutilization", "nurse_006", None),
        ("night_concentration", "nurse_003", None),
        ("fatigue_night", "nurse_004", "2026-11-23"),
    }


def test_locked_cells_leave_and_holidays_are_of_the_week() -> None:
    for name in ("willow", "harbour"):
        ward = read_ward(EXAMPLES / f"{name}.yaml")
        assert ward.leave
        assert ward.locked
        assert ward.wishes
        assert all(0 <= ward.index(day) < ward.days for day in ward.holidays)
    holiday = check_empathy(ward, roster(ward, *HARBOUR_RAISED)).shares
    assert sum(share.holidays for share in holiday) == 6
