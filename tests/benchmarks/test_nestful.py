"""Plans of our own, right and broken: who refuses which before a call has run."""

from pathlib import Path
from random import Random

import pytest
from benchmarks.nestful import KINDS, desks, made_up, main, resolved
from benchmarks.report import Report, read


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    assert main(["--data", str(folder), "--json", str(folder / "nestful.json")]) == 0
    return read(folder / "nestful.json")


def measured(report: Report, table: str, measure: str) -> dict[str, float]:
    return {row.name: row.value for row in report.rows if row.table == table and row.measure == measure}


def test_right_plans_run_and_what_the_specification_lacks_does_not(report: Report) -> None:
    assert measured(report, "NESTFUL, plans as published", "ran rightly") == {"wavegraph": 3, "plan-and-execute": 3}
    assert measured(report, "NESTFUL, plans as published", "refused in time") == {"wavegraph": 1, "plan-and-execute": 0}


@pytest.mark.parametrize("kind", KINDS)
def test_a_broken_plan_is_refused_before_anything_runs(report: Report, kind: str) -> None:
    table = f"NESTFUL, broken: {kind}"
    assert measured(report, table, "refused in time")["wavegraph"] == measured(report, table, "plans")["wavegraph"] == 4
    assert measured(report, table, "calls run")["wavegraph"] == 0
    assert measured(report, table, "run to the end") == {"wavegraph": 0, "plan-and-execute": 0}


def test_the_peer_runs_what_comes_before_the_fault(report: Report) -> None:
    assert sum(measured(report, f"NESTFUL, broken: {kind}", "calls run")["plan-and-execute"] for kind in KINDS) > 10
    assert [goal.met for goal in report.goals] == [True, True]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_changes_the_plan_in_one_place_and_leaves_the_right_one_alone(folder: Path, kind: str) -> None:
    desk = next(desks(folder))
    calls = desk.tasks[1].calls
    right = str(calls)
    broken = KINDS[kind](calls, desk, Random(1))
    assert str(calls) == right
    assert sum(str(one) != str(other) for one, other in zip(calls, broken, strict=True)) == 1


def test_what_tools_give_names_its_place(folder: Path) -> None:
    desk = next(desks(folder))
    calls = desk.tasks[1].calls
    given = made_up(calls, desk.spec)
    assert given["var1"] == {"book_id": "var1.book_id", "shelf": {"row": 7}}
    assert [resolved(call["args"], given) for call in calls[1:]] == [
        {"book": "var1.book_id", "days": 14}, {"text": "due {var2.due}"}
    ]  # fmt: skip


def test_without_the_data_it_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    assert "nestful/executable-data.json" in capsys.readouterr().err
