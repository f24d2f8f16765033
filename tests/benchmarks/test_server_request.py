"""The server benchmark counts what requests take of the server's time, and nothing that it takes anyway."""

import os
import time
from pathlib import Path
from random import Random

import pytest
from benchmarks import server_graphs, server_request
from benchmarks.overhead_graphs import ANSWER, BARE, OURS
from benchmarks.report import read
from benchmarks.server_request import HOTEL, WAYS, as_rows, body, goals, in_blocks, is_answered, why_not


@pytest.mark.attack
@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_a_small_run_asks_every_contestant_in_both_ways(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    assert server_request.main(["--blocks", "1", "--requests", "1", "--json", str(file)]) == 0
    report = read(file)
    assert {(row.table, row.name) for row in report.rows} == {
        (way, name) for way in WAYS for name in (HOTEL, OURS, BARE)
    }
    assert all(row.value > 0 for row in report.rows)
    assert len(report.goals) == 4


def test_where_no_server_can_be_measured_the_report_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server_request, "find_spec", lambda _: None)
    assert server_request.main(["--json", str(tmp_path / "figures.json")]) == 0
    assert "Not measured: langgraph-cli[inmem] is not installed." in capsys.readouterr().out
    assert not read(tmp_path / "figures.json").rows


def test_of_a_block_only_the_requests_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that takes 0.1 s in each second anyway; preparing takes 5 ms of it, one request 20 ms, the other 50."""
    now, spent = [0.0], [0.0]

    def take(wall_s: float, processor_s: float) -> None:
        now[0] += wall_s
        spent[0] += processor_s + 0.1 * wall_s

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "sleep", lambda wall_s: take(wall_s, 0))
    asked = {
        (name, "wait"): (lambda: take(0.5, 0.005), lambda _, cost=cost: take(1.0, cost))  # type: ignore[misc]
        for name, cost in (("one", 0.020), ("other", 0.050))
    }
    found = in_blocks(asked, lambda: spent[0], 3, 4, Random(1))  # type: ignore[arg-type]
    assert {name: round(took, 6) for (name, _), took in found.items()} == {"one": 20.0, "other": 50.0}


@pytest.mark.skipif(not Path("/proc").exists(), reason="not Linux")
def test_a_process_is_read_from_outside() -> None:
    before = server_request.processor_s(os.getpid())
    sum(range(300_000))
    assert 0 < before < server_request.processor_s(os.getpid()) <= time.process_time()


def test_the_goals_hold_each_way_against_its_own_bare_graph() -> None:
    rows = [
        *as_rows("wait", {HOTEL: 50.0, OURS: 20.0, BARE: 10.0}),
        *as_rows("stream", {HOTEL: 30.0, OURS: 20.0, BARE: 15.0}),
    ]
    assert [(goal.met, goal.ours, goal.peer) for goal in goals(rows)] == [
        (False, "5.00 ×", "10 ms"), (True, "2.00 ×", "10 ms"), (True, "2.00 ×", "15 ms"), (True, "1.33 ×", "15 ms"),
    ]  # fmt: skip


async def test_what_is_served_answers_alike() -> None:
    for name, graph in ((BARE, server_graphs.bare_graph), (OURS, server_graphs.store)):
        ended = await graph.ainvoke(body(name, 0)["input"], context=body(name, 0)["context"])  # type: ignore[call-overload]
        assert ended["messages"][-1].text == ANSWER
        assert is_answered(name, ended)
    assert not is_answered(OURS, {"answer": "sorry", "outcome": "failed"})
    assert not is_answered(BARE, {})
