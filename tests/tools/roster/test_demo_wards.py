"""The demo wards hold what they say. The rosters were made with the base penalties, and with those of the failing
types raised by half."""

import threading

import pytest
from patience import HANGS_S
from roster_models import cost_parts
from roster_wards import DEMO, rows

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.checks.measures import granted
from wavegraph.tools.roster.cpsat.solve import solve
from wavegraph.tools.roster.problem.prices import Penalties
from wavegraph.tools.roster.ward.file import read_ward
from wavegraph.tools.roster.ward.ward import Roster, Ward


def roster(ward: Ward, *lines: str) -> Roster:
    return rows(**{nurse.id: line for nurse, line in zip(ward.nurses, lines, strict=True)})


WILLOW = (
    "L-EELNN--LLL--", "EEEE---LLN--EE", "EE-EE--ELLL-NN", "L-EEEEE-EENN--", "NN--ELLLL-EL--", "ELLLL--NN--LLL",
    "EELLN----EEEEE", "LLNN---EE-EELL", "-EE--EE--EL---", "L---E--EEL-E--", "--LLL--EEE----", "-L---LLL--EE--",
)  # fmt: skip
HARBOUR_CHEAPER = (
    "LLL-EN-", "-E-LLLL", "ENNN--E", "N--EE--", "LLL--EN", "--E----", "EEEEN--", "E--EEEE", "-EELLL-",
)  # fmt: skip
HARBOUR_RAISED = (
    "L-LLLN-", "-L-EEEN", "LNN--EL", "-EEL---", "N--EEEE", "--EEL--", "EEEEN--", "ELLN--E", "EE-EEL-",
)  # fmt: skip


@pytest.mark.parametrize(("name", "lines"), [("willow", WILLOW), ("harbour", HARBOUR_RAISED)])
def test_both_wards_have_a_roster_that_passes(name: str, lines: tuple[str, ...]) -> None:
    ward = read_ward(DEMO / f"{name}.yaml")
    assert check_compliance(ward, roster(ward, *lines)).status == "PASS"
    assert check_empathy(ward, roster(ward, *lines)).status == "APPROVED"


RAISED = dict.fromkeys(("underutilization", "night_excess", "fatigue_night"), 1.5)
UNFAIR = {
    ("underutilization", "nurse_006", None),
    ("night_concentration", "nurse_003", None),
    ("fatigue_night", "nurse_004", "2026-11-23"),
}


def failing(ward: Ward, roster: Roster) -> set[tuple[str, str | None, str | None]]:
    report = check_empathy(ward, roster)
    failed = {failed.type for failed in report.failed}
    return {(found.type, found.nurse_id, found.day) for found in report.findings if found.type in failed}


def price(ward: Ward, roster: Roster, multipliers: dict[str, float]) -> float:
    """What the model says the roster costs, each kind times its multiplier."""
    parts = cost_parts(ward, roster, Penalties()) or {}
    return sum(amount * multipliers.get(kind, 1) for kind, amount in parts.items())


def made(ward: Ward, enough: float, hint: Roster | None = None, multipliers: dict[str, float] | None = None) -> Roster:
    """The first roster that costs no more than `enough`: the same on a slow machine as on a fast one, as the search is
    bound by its work and not by the clock."""
    stop = threading.Event()

    def watch(cost: float, bound: float, seconds: float) -> None:
        if cost <= enough:
            stop.set()

    found = solve(ward, hint=hint, multipliers=multipliers, seconds=HANGS_S, deterministic_time=3, workers=2, seed=2,
                  stop=stop, on_progress=watch)  # fmt: skip
    assert found.roster is not None
    assert found.cost is not None
    assert found.cost <= enough
    return found.roster


def test_a_cheap_roster_of_harbour_is_unfair_to_three() -> None:
    ward = read_ward(DEMO / "harbour.yaml")
    cheaper, raised = roster(ward, *HARBOUR_CHEAPER), roster(ward, *HARBOUR_RAISED)
    assert roster_cost(ward, cheaper).total < roster_cost(ward, raised).total
    assert check_compliance(ward, cheaper).status == "PASS"
    assert failing(ward, cheaper) == UNFAIR


def test_raised_penalties_turn_the_order_of_harbour_s_rosters() -> None:
    ward = read_ward(DEMO / "harbour.yaml")
    cheaper, fair = roster(ward, *HARBOUR_CHEAPER), roster(ward, *HARBOUR_RAISED)
    assert price(ward, cheaper, {}) < price(ward, fair, {})
    assert price(ward, cheaper, RAISED) > price(ward, fair, RAISED)


def test_a_round_of_harbour_at_the_base_penalties_is_unfair_to_three() -> None:
    """From the fair roster on: it is given up for a cheaper one."""
    ward = read_ward(DEMO / "harbour.yaml")
    roster_made = made(ward, 226, roster(ward, *HARBOUR_RAISED))
    assert check_compliance(ward, roster_made).status == "PASS"
    assert failing(ward, roster_made) == UNFAIR


def test_a_round_of_harbour_at_raised_penalties_passes() -> None:
    ward = read_ward(DEMO / "harbour.yaml")
    roster_made = made(ward, 253, roster(ward, *HARBOUR_CHEAPER), RAISED)
    assert check_compliance(ward, roster_made).status == "PASS"
    assert failing(ward, roster_made) == set()


def test_any_roster_of_willow_with_its_minimums_passes() -> None:
    """Whose cost is below that of one nurse missing to a minimum: the contracts keep it fair, not the search."""
    ward = read_ward(DEMO / "willow.yaml")
    roster_made = made(ward, 1500)
    assert check_compliance(ward, roster_made).status == "PASS"
    assert check_empathy(ward, roster_made).status == "APPROVED"
    assert any(not granted(ward, roster_made, wish) for wish in ward.wishes)


def test_locked_cells_leave_and_holidays_are_of_the_week() -> None:
    for name in ("willow", "harbour"):
        ward = read_ward(DEMO / f"{name}.yaml")
        assert ward.leave
        assert ward.locked
        assert ward.wishes
        assert all(0 <= ward.index(day) < ward.days for day in ward.holidays)
    holiday = check_empathy(ward, roster(ward, *HARBOUR_RAISED)).shares
    assert sum(share.holidays for share in holiday) == 6
