"""A panel shows each cost and bound at its place, and nothing outside."""

import re
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from benchmarks.roster_panel import HEIGHT, WIDTH, Scale, end_of_time, panel, reference
from benchmarks.roster_published import HOUR_S
from benchmarks.roster_runs import BenchmarkRun, Row

from wavegraph.tools.roster.problem.result import Point

POINTS = [Point(0.01, 99999, 0), Point(1, 1313, 1200), Point(10, 1300, 1300)]


def run(**given: Any) -> BenchmarkRun:
    made: dict[str, Any] = {"solver": "agent", "status": "optimal", "cost": 1300, "bound": 1300, "seconds": 10,
                            "memory_mib": 300, "fault": "", "points": POINTS}  # fmt: skip
    return BenchmarkRun(**made | given)


def row(*runs: BenchmarkRun, name: str = "8") -> Row:
    return Row(name=name, days=28, nurses=30, shifts=4, runs=list(runs))


def told(drawing: Element) -> list[str]:
    return [title.text or "" for title in drawing.iter("title")]


def test_the_best_known_cost_has_as_much_room_by_factor_above_and_below() -> None:
    scale = Scale(best=1300, last_s=HOUR_S)
    assert scale.down(1313) + scale.down(1287) == pytest.approx(2 * scale.down(1300))
    assert scale.down(1300 * 3) == pytest.approx(0)
    assert scale.down(0) == pytest.approx(HEIGHT)


def test_what_lies_beyond_is_at_the_edge() -> None:
    scale = Scale(best=1300, last_s=HOUR_S)
    assert scale.down(1e9) == scale.down(1300 * 3)
    assert scale.down(-5000) == scale.down(0)
    assert scale.across(0) == 0
    assert scale.across(HOUR_S) == pytest.approx(1)


def test_a_best_cost_of_nothing_can_be_drawn() -> None:
    free = run(cost=0, bound=0, points=[Point(1, 0, 0)])
    assert reference(row(free, name="tiny")) == 0
    assert len(told(panel(row(free, name="tiny"), HOUR_S))) == 2  # the panel's own and its end's


def test_lines_are_steps_inside_the_panel() -> None:
    cost, bound = [path for path in panel(row(run()), HOUR_S).iter("path") if path.get("vector-effect")]
    for path in (cost, bound):
        across, down = re.findall(r"[MH]([\d.-]+)", path.get("d", "")), re.findall(r"[V ]([\d.-]+)", path.get("d", ""))
        assert len(across) == len(down) == len(POINTS)
        assert [float(x) for x in across] == sorted(float(x) for x in across)
        assert all(0 <= float(x) <= WIDTH for x in across)
        assert all(0 <= float(y) <= HEIGHT for y in down)
    assert cost.get("d", "").split("V")[-1] == bound.get("d", "").split("V")[-1]  # proven


def test_published_costs_are_told_with_their_time() -> None:
    marks = told(panel(row(run()), HOUR_S))
    assert {"Gurobi, 10 min: 8995", "Gurobi, 1 h: 1323", "IP and VNS, 10 min: 1364"} <= set(marks)
    assert not [mark for mark in told(panel(row(run(), name="20"), HOUR_S)) if "Gurobi" in mark]


@pytest.mark.parametrize(("status", "kind"), [("optimal", "proven"), ("feasible", "open"), ("stopped", "open")])
def test_a_proven_end_is_filled(status: Any, kind: str) -> None:
    circles = [circle.get("class") for circle in panel(row(run(status=status)), HOUR_S).iter("circle")]
    assert circles == [f"{kind} agent"]


def test_a_solver_without_a_roster_has_no_line() -> None:
    none = run(solver="cpsat", status="unknown", cost=None, bound=77, points=[])
    drawn = panel(row(none, name="tiny"), HOUR_S)
    assert "no roster, bound 77" in told(drawn)[0]
    assert not [*drawn.iter("path"), *drawn.iter("circle")]


@pytest.mark.parametrize(("longest", "end"), [(5, HOUR_S), (HOUR_S + 1, 36000), (40000, 40000)])
def test_time_ends_after_everything(longest: float, end: float) -> None:
    assert end_of_time([row(run(), run(seconds=longest))]) == end
