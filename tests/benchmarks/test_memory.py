"""The memory benchmark starts a process for each figure, and each serves what it is named for."""

import asyncio
from pathlib import Path

import pytest
from benchmarks.memory import AT_ONCE, TURNS, main, peak, served
from benchmarks.overhead_graphs import AGENT, BARE, OURS
from benchmarks.report import read
from tables import table


def test_the_peak_never_falls_and_is_that_of_this_process() -> None:
    before = peak()
    held = bytearray(64 * 2**20)
    assert before > 10
    assert peak() >= before
    del held
    assert peak() >= before


@table("table", [AT_ONCE, TURNS])
@table("name", [OURS, BARE, AGENT])
def test_each_contestant_serves_requests_and_a_conversation(table: str, name: str) -> None:
    asyncio.run(served(table, name, 2))


@pytest.mark.attack
def test_a_small_run_has_a_figure_for_each_process(tmp_path: Path) -> None:
    assert main(["--at-once", "2", "--turns", "2", "--times", "1", "--json", str(tmp_path / "memory.json")]) == 0
    rows = read(tmp_path / "memory.json").rows
    assert {(row.table, row.name, row.x) for row in rows} == {
        (table, name, x) for table, xs in ((AT_ONCE, (0, 2)), (TURNS, (2,))) for name in (OURS, BARE, AGENT) for x in xs
    }
    assert all(row.value > 10 for row in rows)
