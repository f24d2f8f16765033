"""Statuses, time, progress, hints: how a solve behaves."""

import pytest
from benchmarks.roster_curtois import read_curtois
from patience import HANGS_S
from roster_models import crowded_ward, small_ward
from roster_wards import CURTOIS

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.cpsat.solve import FEW_WORKERS, FULL_PORTFOLIO, default_workers, solve
from wavegraph.tools.roster.problem.prices import NO_PENALTIES
from wavegraph.tools.roster.problem.result import SolveResult
from wavegraph.tools.roster.ward.ward import Ward


def test_the_search_ends_after_its_work_with_every_rule_kept() -> None:
    ward = crowded_ward(days=14)
    result = solve(ward, penalties=NO_PENALTIES, deterministic_time=1.5, seconds=HANGS_S, workers=2)
    assert result.status in ("feasible", "optimal")
    assert result.roster is not None
    assert check_compliance(ward, result.roster).breaches == []
    assert result.cost == roster_cost(ward, result.roster).total
    assert 0 < result.bound <= result.cost
    assert [point.cost for point in result.trace] == sorted({point.cost for point in result.trace}, reverse=True)
    assert result.trace[-1].cost == result.cost


def test_hint_is_where_the_search_begins() -> None:
    ward = crowded_ward(days=14)
    known = solve(ward, penalties=NO_PENALTIES, deterministic_time=1.5, seconds=HANGS_S, workers=2)
    assert known.roster is not None
    assert known.cost is not None
    again = solve(ward, penalties=NO_PENALTIES, deterministic_time=0.5, seconds=HANGS_S, workers=2, hint=known.roster)
    assert again.trace[0].cost == known.cost
    assert again.cost is not None
    assert again.cost <= known.cost


def test_a_hint_that_breaks_a_rule_is_passed_over() -> None:
    ward = small_ward({"D": "11"}, {"ann": {"contract": {"max_minutes": 480}}})
    result = solve(ward, penalties=NO_PENALTIES, seconds=HANGS_S, hint={"ann": ["D", "D"]})
    assert result.status == "optimal"
    assert result.roster in ({"ann": ["D", None]}, {"ann": [None, "D"]})


def same_again(ward: Ward, budget: float) -> list[SolveResult]:
    return [solve(ward, deterministic_time=budget, seconds=HANGS_S, seed=7, workers=2) for _ in range(2)]


def test_deterministic_time_gives_the_same_roster() -> None:
    first, second = same_again(crowded_ward(nurses=22, days=14), budget=0.3)
    assert first.roster is not None
    assert first.roster == second.roster
    assert [p.cost for p in first.trace][-1] == [p.cost for p in second.trace][-1]


@pytest.mark.parametrize(
    ("seconds", "workers"),
    [(10.0, FULL_PORTFOLIO), (9.0, FEW_WORKERS)],
)
def test_workers_follow_from_the_time(seconds: float, workers: int) -> None:
    assert default_workers(seconds) == workers


@pytest.mark.skipif(not CURTOIS.exists(), reason="the benchmark's instances are not here")
def test_published_optimum() -> None:
    """Curtois and Qu, Instance1: 607, proven."""
    ward = read_curtois(CURTOIS / "Instance1.txt")
    result = solve(ward, penalties=NO_PENALTIES, seconds=HANGS_S)
    assert (result.status, result.cost, result.bound) == ("optimal", 607, 607)
    assert result.roster is not None
    assert roster_cost(ward, result.roster).total == 607
