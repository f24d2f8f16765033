"""The replay of tau-bench on a shop of our own: everybody does all of it, and each call is counted."""

from pathlib import Path

import pytest
from benchmarks.report import Report, read
from benchmarks.storm_tasks import World, loaded
from benchmarks.tau import CONTESTANTS, as_recorded, main
from benchmarks.virtual_time import run


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    assert main(["--data", str(folder), "--json", str(folder / "tau.json")]) == 0
    return read(folder / "tau.json")


def measured(report: Report, measure: str) -> dict[str, float]:
    return {row.name: row.value for row in report.rows if row.measure == measure}


def test_everybody_does_all_of_it(report: Report) -> None:
    for measure in ("answered", "database right", "every observation right"):
        assert measured(report, measure) == dict.fromkeys(CONTESTANTS, 4), measure


def test_each_call_of_a_model_is_counted(report: Report) -> None:
    """Ours plans Ada's task twice: which order is pending has to be seen. A greeting is one call for everybody."""
    calls = measured(report, "model calls")
    assert calls["wavegraph"] == 3 + 2 + 1 + 2
    assert calls["wavegraph, judged"] == calls["wavegraph"] + 4
    assert calls["create_agent, one call at a time"] == 7 + 3 + 1 + 3
    assert calls["create_agent, parallel"] == calls["bare LangGraph"] == 5 + 3 + 1 + 3


def test_wall_time_holds_every_call(report: Report) -> None:
    walls = measured(report, "wall, mean")
    assert walls["create_agent, one call at a time"] > (14 * 0.8 + 10 * 0.3) / 4


def test_the_report_says_what_an_oracle_measures_and_names_the_peer(report: Report) -> None:
    assert any("not anybody's intelligence" in note for note in report.notes)
    assert all("(" in goal.peer for goal in report.goals)


def test_without_the_data_it_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    assert "retail-test.traces.json.gz" in capsys.readouterr().err


def test_an_observation_out_of_turn_and_a_call_that_nobody_recorded_are_noticed(folder: Path) -> None:
    task = loaded(folder / "tau")[1].tasks[1]
    world = World(task, seed=0, p=0.0)
    run(world.call("get_order", {"order_id": "#W33"}))
    assert world.in_turn == set()
    run(world.call("change_address", {"order_id": "#W33", "street": "9 Hill Road"}))
    run(world.call("get_order", {"order_id": "#W33"}))
    assert world.in_turn == {"change_address_0", "get_order_1"}
    assert "#W22" in run(world.call("get_order", {"order_id": "#W22"}))
    assert world.astray == []
    assert run(world.call("cancel_order", {"order_id": "#W44", "reason": "?"})).startswith("Error")
    assert len(world.astray) == 1


def test_what_was_seen_is_held_against_the_recording(folder: Path) -> None:
    action = loaded(folder / "tau")[1].tasks[0].actions[1]
    assert as_recorded({"customer_id": "ada_1", "orders": ["#W11", "#W22"]}, action)
    assert not as_recorded({"customer_id": "ada_1", "orders": []}, action)
