"""Figures side by side: the same effort for each, differences to the first, and why where there is no roster."""

import threading
from typing import Any

import pytest
from patience import HANGS_S
from roster_models import on, small_ward

from wavegraph.tools.roster.answers.phrases import worded
from wavegraph.tools.roster.problem.prices import KINDS
from wavegraph.tools.roster.what_if import compare
from wavegraph.tools.roster.what_if.changes import changed
from wavegraph.tools.roster.what_if.compare import TODAY, Effort, compared, differences

SHORT = small_ward(
    {"D": "22222"},
    {"ann": {"contract": {"max_minutes": 5 * 480, "target_minutes": 5 * 480}}},
    demand=[{"day": on(day), "shift": "D", "minimum": 1, "target": 2} for day in range(5)],
    wishes=[{"nurse": "ann", "day": on(4), "wants": False, "weight": 2}],
)


def wards(*texts: str) -> dict[str, Any]:
    return {TODAY: SHORT, **{text: changed(SHORT, text, lambda _: SHORT) for text in texts}}


def test_the_figures_of_each_and_how_they_differ() -> None:
    found = compared(wards("add-nurse ann", "demand D -1"), Effort(seconds=HANGS_S, work=2))
    today, more, closed = found
    assert (today.nurses, today.missing, today.below_minimum, today.hours, today.wishes) == (1, 5, 0, 40, 0)
    assert (more.nurses, more.missing, more.hours) == (2, 0, 80)
    assert (closed.missing, closed.cost) == (0, 2)
    assert differences(found)[0]["missing"] == 0
    assert differences(found)[1]["missing"] == -5
    assert differences(found)[2]["missing"] == -5


def test_a_column_without_a_roster_says_why() -> None:
    (today, impossible) = compared(
        wards("rules.leave_credit=none; ann.min_minutes=2400; leave ann " + on(0)), Effort(seconds=HANGS_S, work=2)
    )
    assert today.cost is not None
    assert (impossible.status, impossible.cost) == ("infeasible", None)
    assert "at least 40 h for ann" in worded(impossible.why, "en")
    assert "A roster exists with" in worded(impossible.why, "en")
    assert differences([today, impossible])[1] == {}


def test_a_seed_and_a_work_limit_give_the_same_figures() -> None:
    first, second = (compared(wards("demand D 3"), Effort(seconds=HANGS_S, work=1, seed=5)) for _ in range(2))
    assert first == second


def test_every_column_gets_the_same_time_and_all_of_them_no_more_than_was_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[float] = []
    solve = compare.solve  # type: ignore[attr-defined]

    def watched(ward: Any, **arguments: Any) -> Any:
        given.append(arguments["seconds"])
        return solve(ward, **arguments)

    monkeypatch.setattr(compare, "solve", watched)
    told: list[tuple[str, float]] = []
    compared(wards("demand D 3"), Effort(seconds=3), on_column=lambda name, seconds: told.append((name, seconds)))
    assert given == [pytest.approx(0.85 * 1.5)] * 2
    assert told == [(TODAY, 1.5), ("demand D 3", 1.5)]


def test_a_stop_ends_all_columns_with_what_they_have() -> None:
    stop = threading.Event()
    stop.set()
    found = compared(wards("demand D 3"), Effort(seconds=HANGS_S), stop=stop)
    assert [each.name for each in found] == [TODAY, "demand D 3"]
    assert {each.status for each in found} <= {"stopped", "optimal"}


def test_a_change_is_solved_as_the_roster_was_that_stands_and_costs_base_prices() -> None:
    plain = compared(wards("demand D 3"), Effort(seconds=HANGS_S, work=2))
    raised = dict.fromkeys(KINDS, 1.5)
    found = compared(wards("demand D 3"), Effort(seconds=HANGS_S, work=2, multipliers=raised))
    assert [each.cost for each in found] == [each.cost for each in plain]
    assert all((each.bound or 0) <= (each.cost or 0) for each in found)
