"""The dialogues of our own: what is sent at once comes in any order, unless somebody keeps it."""

from pathlib import Path

import pytest
from benchmarks.bfcl import Call, Dialogue, Service, Turn, dialogues, main
from benchmarks.report import Report, read
from benchmarks.virtual_time import run


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    assert main(["--data", str(folder), "--json", str(folder / "bfcl.json")]) == 0
    return read(folder / "bfcl.json")


def measured(report: Report, table: str, measure: str) -> dict[str, float]:
    return {row.name: row.value for row in report.rows if row.table == table and row.measure == measure}


def test_calls_are_read_as_they_are_written(folder: Path) -> None:
    first = dialogues(folder)[0]
    assert first.turns[0].calls[:3] == [
        Call("mkdir", {"dir_name": "notes"}), Call("cd", {"folder": "notes"}), Call("touch", {"value_0": "today.txt"})
    ]  # fmt: skip
    assert [call.writes for call in first.turns[0].calls] == [True, True, True, False]


def test_order_is_kept_by_who_keeps_it(report: Report) -> None:
    kept = measured(report, "BFCL multi-turn", "all in order")
    assert kept["wavegraph"] == kept["create_agent, one call at a time"] == 2
    assert kept["create_agent, parallel"] == kept["bare LangGraph"] == kept["plan-and-execute"] == 1
    assert set(measured(report, "BFCL multi-turn", "answered").values()) == {2}


def test_what_is_said_twice_is_done_once_by_who_sees_to_it(report: Report) -> None:
    twice = measured(report, "each call said twice", "writes twice")
    assert twice["wavegraph"] == 0
    assert twice["create_agent, parallel"] == 4
    assert [goal.met for goal in report.goals] == [True, True]


def test_a_call_before_a_write_that_it_should_have_come_behind_is_not_right() -> None:
    calls = [Call("touch", {"value_0": "a"}), Call("ls", {})]
    service = Service(Dialogue("one", [Turn("", calls, [None, ["a"]])], True), seed=1)
    run(service.call("ls", {}))
    assert not service.right
    run(service.call("touch", {"value_0": "a"}))
    assert service.are_writes_in_order
    assert not service.is_all_right
    run(service.call("ls", {}))
    assert service.is_all_right


def test_without_the_data_it_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    assert "multi_turn_base" in capsys.readouterr().err
