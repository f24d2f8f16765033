"""Statuses, time, progress, hints: how a solve behaves."""

import threading

import pytest
from patience import not_hanging
from roster_models import small_ward
from roster_wards import CURTOIS

from wavegraph.tools.roster.checks.cost import hard_violations, roster_cost
from wavegraph.tools.roster.solver.objective import NO_PENALTIES, Penalties
from wavegraph.tools.roster.solver.result import Result
from wavegraph.tools.roster.solver.solve import FEW_WORKERS, FULL_PORTFOLIO, default_workers, solve
from wavegraph.tools.roster.ward import Ward
from wavegraph.tools.roster.ward_file import read_ward


def crowded_ward(nurses: int = 25, days: int = 28) -> Ward:
    """More nurses than the portfolio is for, with more demand than they can meet, so that no search is done soon."""
    contract = {"max_minutes": 480 * days // 2, "max_run": 4, "min_run": 2, "min_days_off": 2, "max_weekends": 2}
    staff = {f"n{i}": {"contract": contract} for i in range(nurses)}
    return small_ward({"E": "6" * days, "L": "5" * days, "D": "4" * days}, staff, rules={"daily_rest_hours": 11})


def test_optimal() -> None:
    result = solve(small_ward({"D": "111"}, {"ann": {"contract": {"max_run": 2}}}), penalties=NO_PENALTIES, seconds=5)
    assert (result.status, result.cost, result.bound, result.gap) == ("optimal", 100, 100, 0)
    assert result.parts == {"uncovered": 100, "over": 0}
    assert result.roster is not None
    assert sorted(cell or "-" for cell in result.roster["ann"]) == ["-", "D", "D"]


def test_infeasible() -> None:
    result = solve(small_ward({"D": "11"}, {"ann": {"contract": {"min_minutes": 2000}}}), seconds=5)
    assert (result.status, result.roster, result.cost, result.gap) == ("infeasible", None, None, None)


def test_unknown_without_time() -> None:
    result = solve(crowded_ward(), seconds=0.0)
    assert (result.status, result.roster) == ("unknown", None)


def test_the_search_ends_in_time_with_every_rule_kept() -> None:
    ward = crowded_ward(days=14)
    with not_hanging():
        result = solve(ward, penalties=NO_PENALTIES, seconds=4)
    assert result.status in ("feasible", "optimal")
    assert result.roster is not None
    assert hard_violations(ward, result.roster) == []
    assert result.cost == roster_cost(ward, result.roster).total
    assert 0 < result.bound <= result.cost
    assert [point.cost for point in result.trace] == sorted({point.cost for point in result.trace}, reverse=True)
    assert result.trace[-1].cost == result.cost


def test_stop_keeps_the_best_so_far() -> None:
    stop, seen = threading.Event(), list[float]()

    def first_roster(cost: float, bound: float, seconds: float) -> None:
        seen.append(cost)
        stop.set()

    with not_hanging():
        result = solve(crowded_ward(), seconds=600, on_progress=first_roster, stop=stop)
    assert result.status == "stopped"
    assert result.roster is not None
    assert result.cost == seen[-1]


def test_stopped_before_it_began() -> None:
    stop = threading.Event()
    stop.set()
    result = solve(crowded_ward(), seconds=60, stop=stop)
    assert (result.status, result.roster) == ("stopped", None)


def test_hint_is_where_the_search_begins() -> None:
    ward = crowded_ward(days=14)
    known = solve(ward, penalties=NO_PENALTIES, seconds=4)
    assert known.roster is not None
    assert known.cost is not None
    again = solve(ward, penalties=NO_PENALTIES, seconds=2, hint=known.roster)
    assert again.trace[0].cost == known.cost
    assert again.cost is not None
    assert again.cost <= known.cost


def test_a_hint_that_breaks_a_rule_is_passed_over() -> None:
    ward = small_ward({"D": "11"}, {"ann": {"contract": {"max_minutes": 480}}})
    result = solve(ward, penalties=NO_PENALTIES, seconds=5, hint={"ann": ["D", "D"]})
    assert result.status == "optimal"
    assert result.roster in ({"ann": ["D", None]}, {"ann": [None, "D"]})


def same_again(ward: Ward, budget: float) -> list[Result]:
    return [solve(ward, deterministic_time=budget, seconds=120, seed=7, workers=2) for _ in range(2)]


def test_deterministic_time_gives_the_same_roster() -> None:
    first, second = same_again(crowded_ward(nurses=22, days=14), budget=1.5)
    assert first.roster is not None
    assert first.roster == second.roster
    assert [p.cost for p in first.trace][-1] == [p.cost for p in second.trace][-1]


def test_multipliers_raise_a_penalty() -> None:
    """ann, who is tired, works one night: dearer than leaving it uncovered only once the price is multiplied."""
    ward = small_ward({"N": "1"}, {"ann": {"fatigue": 0.8}})
    penalties = Penalties(fatigue_night=60)
    assert solve(ward, penalties=penalties, seconds=5).parts["fatigue_night"] == 60
    raised = solve(ward, penalties=penalties, multipliers={"fatigue_night": 2.25}, seconds=5)
    assert raised.cost == 100
    assert raised.roster == {"ann": [None]}


def test_fractions_of_a_price_are_kept() -> None:
    ward = small_ward({"D": "0"}, {"ann": {"contract": {"target_minutes": 960, "max_minutes": 0}}})
    assert solve(ward, multipliers={"underutilization": 1.5}, seconds=5).cost == 45
    assert solve(ward, multipliers={"underutilization": 2.25}, seconds=5).cost == 67.5


@pytest.mark.parametrize(
    ("nurses", "seconds", "workers"),
    [(20, 10.0, FULL_PORTFOLIO), (21, 60.0, FEW_WORKERS), (8, 9.0, FEW_WORKERS)],
)
def test_workers_follow_from_the_ward_and_the_time(nurses: int, seconds: float, workers: int) -> None:
    assert default_workers(nurses, seconds) == workers


@pytest.mark.skipif(not CURTOIS.exists(), reason="the benchmark's instances are not here")
def test_published_optimum() -> None:
    """Curtois and Qu, Instance1: 607, proven."""
    ward = read_ward(CURTOIS / "Instance1.txt")
    result = solve(ward, penalties=NO_PENALTIES, seconds=20)
    assert (result.status, result.cost, result.bound) == ("optimal", 607, 607)
    assert result.roster is not None
    assert roster_cost(ward, result.roster).total == 607
