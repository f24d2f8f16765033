"""What the solver by columns, CP-SAT and the agent's solver of both promise alike."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from patience import HANGS_S, not_hanging
from roster_models import crowded_ward, on, small_ward

from wavegraph.tools.roster.checks.cost import changed_cells
from wavegraph.tools.roster.cpsat.solve import solve as cpsat
from wavegraph.tools.roster.problem.prices import NO_PENALTIES, Penalties
from wavegraph.tools.roster.problem.result import SolveResult
from wavegraph.tools.roster.ward.ward import Ward

pytest.importorskip("highspy")

from wavegraph.tools.roster.columns.solve import solve as columns
from wavegraph.tools.roster.loop.solver import solve as both

Solve = Callable[..., SolveResult]
pytestmark = pytest.mark.parametrize("solve", [columns, cpsat, both], ids=["columns", "cpsat", "both"])


def test_optimal(solve: Solve) -> None:
    result = solve(
        small_ward({"D": "111"}, {"ann": {"contract": {"max_run": 2}}}), penalties=NO_PENALTIES, seconds=HANGS_S
    )
    assert (result.status, result.cost, result.bound) == ("optimal", 100, 100)
    assert result.parts == {"uncovered": 100, "over": 0}
    assert result.roster is not None
    assert sorted(cell or "-" for cell in result.roster["ann"]) == ["-", "D", "D"]


def test_infeasible(solve: Solve) -> None:
    result = solve(small_ward({"D": "11"}, {"ann": {"contract": {"min_minutes": 2000}}}), seconds=HANGS_S)
    assert (result.status, result.roster, result.cost) == ("infeasible", None, None)


def test_unknown_without_time(solve: Solve) -> None:
    result = solve(crowded_ward(), seconds=0.0)
    assert (result.status, result.roster) == ("unknown", None)


def test_stop_keeps_the_best_so_far(solve: Solve) -> None:
    stop, seen = threading.Event(), list[float]()

    def first_roster(cost: float, bound: float, seconds: float) -> None:
        seen.append(cost)
        stop.set()

    with not_hanging():
        result = solve(crowded_ward(), seconds=HANGS_S, on_progress=first_roster, stop=stop)
    assert result.status == "stopped"
    assert result.roster is not None
    assert result.cost == seen[-1]


def test_stopped_before_it_began(solve: Solve) -> None:
    stop = threading.Event()
    stop.set()
    result = solve(crowded_ward(), seconds=HANGS_S, stop=stop)
    assert (result.status, result.roster) == ("stopped", None)


WEEK = {"ann": "DDD----", "ben": "---DD--", "cat": "-----DD"}
THREE = {"contract": {"max_minutes": 3 * 480}}


def told(weight: int = 30, **rows: str) -> dict[str, Any]:
    return {"roster": {name: [None if c == "-" else c for c in row] for name, row in rows.items()}, "weight": weight}


def without_ann(published: dict[str, Any], minimum: int = 0, **nurses: Any) -> Ward:
    """One is needed a day, and Ann, who was told Tuesday, is on leave."""
    demand = [{"day": on(day), "shift": "D", "minimum": minimum, "target": 1} for day in range(7)]
    staff = dict.fromkeys(WEEK, THREE) | nurses
    return small_ward({"D": "1" * 7}, staff, published=published, demand=demand, leave=[{"nurse": "ann", "day": on(1)}])


def test_a_leave_changes_the_cell_and_whoever_steps_in(solve: Solve) -> None:
    ward = without_ann(told(**WEEK))
    result = solve(ward, penalties=NO_PENALTIES, seconds=HANGS_S)
    assert (result.status, result.cost, result.parts["changes"]) == ("optimal", 60, 60)
    assert result.roster is not None
    (sick, day), (other, same) = changed_cells(ward, result.roster)
    assert (sick, day, same) == ("ann", 1, 1)
    assert result.roster[other][1] == "D"


def test_who_is_new_steps_in_at_no_cost(solve: Solve) -> None:
    ward = without_ann(told(**WEEK), dan=THREE)
    result = solve(ward, penalties=NO_PENALTIES, seconds=HANGS_S)
    assert (result.cost, result.roster and changed_cells(ward, result.roster)) == (30, [("ann", 1)])


@pytest.mark.parametrize(("weight", "minimum", "changed"), [(150, 0, 1), (10_000, 1, 2)])
def test_dear_changes_leave_a_target_but_no_minimum(solve: Solve, weight: int, minimum: int, changed: int) -> None:
    ward = without_ann(told(weight, **WEEK), minimum)
    result = solve(ward, penalties=NO_PENALTIES, seconds=HANGS_S)
    assert result.roster is not None
    assert len(changed_cells(ward, result.roster)) == changed
    assert result.parts.get("minimum", 0) == 0


def test_multipliers_raise_a_penalty(solve: Solve) -> None:
    """ann, who is tired, works one night: dearer than leaving it uncovered only once the price is multiplied."""
    ward = small_ward({"N": "1"}, {"ann": {"fatigue": 0.8}})
    penalties = Penalties(fatigue_night=60)
    assert solve(ward, penalties=penalties, seconds=HANGS_S).parts["fatigue_night"] == 60
    raised = solve(ward, penalties=penalties, multipliers={"fatigue_night": 2.25}, seconds=HANGS_S)
    assert raised.cost == 100
    assert raised.roster == {"ann": [None]}


def test_fractions_of_a_price_are_kept(solve: Solve) -> None:
    ward = small_ward({"D": "0"}, {"ann": {"contract": {"target_minutes": 960, "max_minutes": 0}}})
    assert solve(ward, multipliers={"underutilization": 1.5}, seconds=HANGS_S).cost == 45
    assert solve(ward, multipliers={"underutilization": 2.25}, seconds=HANGS_S).cost == 67.5


def test_an_unknown_kind_cannot_be_multiplied(solve: Solve) -> None:
    with pytest.raises(ValueError, match="no penalty can be multiplied so"):
        solve(crowded_ward(), multipliers={"sunshine": 2.0})
