"""Two solvers as one: where the first leaves off, the second goes on, and neither's roster or bound is lost."""

import threading
from typing import Any

import pytest
from patience import HANGS_S, not_hanging
from roster_models import on, small_ward
from roster_wards import ward_of_two

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.columns.build_nurse_models import UnpricedRule
from wavegraph.tools.roster.loop import solver as solving
from wavegraph.tools.roster.loop.solver import solve
from wavegraph.tools.roster.problem.prices import NO_PENALTIES
from wavegraph.tools.roster.problem.result import SolveResult
from wavegraph.tools.roster.ward.file import ward_of
from wavegraph.tools.roster.ward.ward import Roster, Ward

WARD = small_ward({"D": "1111111"}, {"ann": {"contract": {"max_run": 3}}, "ben": {"contract": {"max_nights": 0}}})


def test_a_small_ward_is_proven_and_told_of_once() -> None:
    told: list[tuple[float, float, float]] = []
    found = solve(WARD, seconds=HANGS_S, on_progress=lambda *point: told.append(point))
    assert (found.status, found.bound) == ("optimal", found.cost)
    assert [cost for cost, _, _ in told] == sorted((cost for cost, _, _ in told), reverse=True)
    assert told[-1][0] == found.cost
    assert [point.cost for point in found.trace] == sorted({point.cost for point in found.trace}, reverse=True)


def test_what_columns_cannot_prove_they_leave_to_cp_sat_whatever_the_time() -> None:
    days = [*(f"11-{day}" for day in range(23, 31)), "12-01"]
    away = [{"nurse": "ben", "day": f"2026-{day}"} for day in days]
    ward = ward_of_two(demand__1__minimum=0, demand__1__target=0, leave=away)
    with not_hanging():
        found = solve(ward, seconds=HANGS_S, timer=lambda: 0.0)
    assert (found.status, found.cost) == ("optimal", found.bound)


def test_what_columns_cannot_price_is_left_to_cp_sat(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> SolveResult:
        raise UnpricedRule("a rule of its own")

    monkeypatch.setattr(solving, "by_columns", refuse)
    found = solve(WARD, penalties=NO_PENALTIES, seconds=HANGS_S)
    assert (found.status, found.cost) == ("optimal", 0)


def test_an_infeasible_ward() -> None:
    ward = small_ward({"D": "11"}, {"ann": {"contract": {"min_minutes": 2000}}})
    assert solve(ward, seconds=HANGS_S).status == "infeasible"


def test_stop_ends_both() -> None:
    stop = threading.Event()
    stop.set()
    found = solve(WARD, seconds=HANGS_S, stop=stop)
    assert found.status in ("stopped", "unknown")


def january() -> Ward:
    """Nineteen nurses of three grades for a calendar month, a nurse in charge on every shift, a short day shift."""
    hours = [40, 40, 36, 36, 32, 30, 24]
    nurses: list[dict[str, Any]] = []
    for i in range(19):
        due = round(hours[i % 7] * 60 * 31 / 7)
        contract = {
            "target_minutes": due, "min_minutes": due - 960, "max_minutes": due + 480, "max_run": 5, "max_weekends": 3,
            "min_days_off": 1 if i % 4 else 2, "max_nights": 0 if i % 9 == 8 else 8 if due > 7000 else 4,
        }  # fmt: skip
        skills = [skill for skill, every in (("charge", 2), ("child", 3)) if i % every == 0]
        nurses.append(
            {"id": f"n{i:02}", "grade": ("staff", "senior", "junior")[i % 3], "skills": skills, "contract": contract}
        )
    every_day = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    needed = [("E", None, 2, every_day), ("D", None, 1, every_day[:5]), ("L", None, 2, every_day), ("N", None, 2, every_day),
              ("E", "child", 1, every_day)]  # fmt: skip
    return ward_of(
        {
            "name": "January", "start": "2027-01-01", "days": 31, "skills": ["charge", "child"], "nurses": nurses,
            "shifts": [
                {"id": "E", "start": "07:00", "minutes": 480},
                {"id": "D", "start": "09:00", "minutes": 360},
                {"id": "L", "start": "14:30", "minutes": 480},
                {"id": "N", "start": "22:15", "minutes": 540, "night": True, "not_followed_by": ["E", "D", "L"]},
            ],
            "demand": [{"weekdays": days, "shift": shift, "skill": skill, "minimum": least, "target": least}
                       for shift, skill, least, days in needed],
            "leave": [{"nurse": f"n{i:02}", "first": f"2027-01-{3 + i:02}", "last": f"2027-01-{9 + i:02}"} for i in range(0, 19, 2)],
            "rules": {"charge_skill": "charge"},
        },
        "january",
    )  # fmt: skip


def test_the_first_roster_of_an_ordinary_ward_has_no_breach() -> None:
    ward, found = january(), list[Roster]()
    result = solve(ward, work=1.0, seconds=HANGS_S, on_roster=found.append)
    assert not any(check_compliance(ward, roster).breaches for roster in found)
    assert (result.breaches, result.least_breaches) == (0, 0)
    assert result.roster is not None


def test_the_same_work_gives_the_same_roster_from_the_must_rules_on() -> None:
    first, second = (solve(january(), work=1.0, seconds=HANGS_S) for _ in range(2))
    assert (first.roster, first.cost) == (second.roster, second.cost)


def test_a_breach_that_no_roster_avoids_is_left_as_small_as_it_can_be() -> None:
    ward = january()
    few = [each.model_copy(update={"skills": [s for s in each.skills if s != "charge"]}) for each in ward.nurses[2:]]
    result = solve(ward.changed(nurses=[*ward.nurses[:2], *few]), work=6.0, seconds=HANGS_S)
    assert result.least_breaches == result.breaches > 0


def test_patience_ends_with_a_roster_without_a_breach() -> None:
    """One who has no more days to give leaves a shift short: it is known at once that it has to be, and nothing is waited for."""
    days = [{"day": on(d), "shift": "D", "minimum": 1, "target": 1} for d in range(3)]
    ward = small_ward({"D": "111"}, {"ann": {"contract": {"max_minutes": 960}}}, demand=days)
    result = solve(ward, seconds=HANGS_S, patience=1000.0)
    assert (result.status, result.breaches, result.least_breaches) == ("optimal", 1, 1)
