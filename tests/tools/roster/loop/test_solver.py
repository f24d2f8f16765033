"""Two solvers as one: where the first leaves off, the second goes on, and neither's roster or bound is lost."""

import threading
from typing import Any

import pytest
from patience import HANGS_S, not_hanging
from roster_models import small_ward
from roster_wards import ward_of_two

from wavegraph.tools.roster.columns.build_nurse_models import UnpricedRule
from wavegraph.tools.roster.loop import solver as solving
from wavegraph.tools.roster.loop.solver import solve
from wavegraph.tools.roster.problem.prices import NO_PENALTIES
from wavegraph.tools.roster.problem.result import SolveResult

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
