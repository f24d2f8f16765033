"""The linear bound is never above the optimum, and sees what clauses alone do not."""

import pytest
from benchmarks.roster_curtois import read_curtois
from hypothesis import HealthCheck, given, settings
from roster_models import least_cost, on, small_ward
from roster_strategies import wards
from roster_wards import CURTOIS

from wavegraph.tools.roster.cpsat.bound import linear_bound
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.ward.ward import Ward


def bound(ward: Ward) -> int | None:
    return linear_bound(Instance(ward), 10)


def test_longest_runs_are_seen() -> None:
    """Seven days, four in a row at most: one stays uncovered."""
    assert bound(small_ward({"D": "1111111"}, {"ann": {"contract": {"max_run": 4, "min_days_off": 1}}})) == 100


def test_shortest_runs_are_seen() -> None:
    assert bound(small_ward({"D": "0001000"}, {"ann": {"contract": {"min_run": 3, "max_run": 5}}})) == 2


def test_a_tail_is_seen() -> None:
    tired = {"contract": {"max_run": 4}, "history": {"tail": ["D"] * 4}}
    assert bound(small_ward({"D": "11"}, {"ann": tired})) == 100


def test_leave_and_wishes_are_seen() -> None:
    leave = [{"nurse": "ann", "day": on(0)}]
    wishes = [{"nurse": "ann", "day": on(0), "wants": True, "weight": 3}]
    assert bound(small_ward({"D": "10"}, leave=leave, wishes=wishes)) == 103


def test_no_bound_without_a_solution() -> None:
    assert bound(small_ward({"D": "1"}, {"ann": {"contract": {"min_minutes": 2000}}})) is None


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(wards())
def test_never_above_the_optimum(ward: Ward) -> None:
    optimum = least_cost(ward)
    if optimum is not None:
        found = bound(ward)
        assert found is not None
        # The optimum is a sum of floats, the bound a whole number of the ward's units: 4 is not above 3.9999999999998925.
        assert found <= optimum or found == pytest.approx(optimum, abs=1e-9)


@pytest.mark.skipif(not CURTOIS.exists(), reason="the benchmark's instances are not here")
@pytest.mark.parametrize(("number", "optimum", "least"), [(2, 828, 720), (3, 1001, 995), (4, 1716, 1480)])
def test_published_instances(number: int, optimum: int, least: int) -> None:
    found = bound(read_curtois(CURTOIS / f"Instance{number}.txt"))
    assert found is not None
    assert least <= found <= optimum
