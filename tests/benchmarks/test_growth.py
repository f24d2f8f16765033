"""The growth benchmark talks to every contestant on one thread, and tells how much more a later turn takes and keeps."""

import asyncio
import json
import sqlite3
from pathlib import Path
from random import Random

import pytest
from benchmarks import growth
from benchmarks.growth import AFTER, BY_TURN, HOTEL, IN_ALL, RATIO, WITH_THEIRS, goals, grown, stored, windows
from benchmarks.overhead_graphs import BARE, OURS
from benchmarks.report import Row, read


@pytest.fixture(autouse=True)
def _bare(bare_environment: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No model but the scripted one is asked; the hotel's data folder is forgotten afterwards."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_a_small_run_writes_curves_and_what_a_later_turn_takes(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    assert growth.main(["--turns", "2", "--rounds", "1", "--json", str(file)]) == 0
    report = read(file)
    assert json.loads(file.read_text())["seed"] == 1
    assert {"langgraph", "langgraph-checkpoint-sqlite"} <= report.versions.keys()
    assert {row.table for row in report.rows} == {BY_TURN, IN_ALL, AFTER}
    names = {row.name for row in report.rows}
    assert {OURS, WITH_THEIRS, HOTEL, BARE} <= names
    for table, points in ((BY_TURN, [1, 2]), (IN_ALL, [1, 2])):
        curves = [[row.x for row in report.rows if (row.table, row.name) == (table, name)] for name in names]
        assert curves == [points] * len(names)
    assert all(row.value > 0 for row in report.rows)
    assert [goal.goal.partition(":")[0] for goal in report.goals] == [OURS, OURS, HOTEL, HOTEL]


def test_every_turn_is_on_the_one_thread_and_each_contestant_has_its_own_file(tmp_path: Path) -> None:
    async def talk() -> dict[str, int]:
        async with growth.contestants(tmp_path) as named:
            await growth.talked(named, 2, Random(1))
            return {name: len((await each.on("long")())["messages"]) for name, each in named.items() if name != HOTEL}

    lengths = asyncio.run(talk())
    assert lengths.keys() >= {OURS, WITH_THEIRS, BARE}
    assert {lengths[name] for name in (OURS, WITH_THEIRS, BARE)} == {6}
    files = sorted(tmp_path.glob("threads-*.db"))
    assert len(files) == len(lengths) + 1
    for file in files:
        with sqlite3.connect(file) as connection:
            assert connection.execute("SELECT DISTINCT thread_id FROM checkpoints").fetchall() == [("long",)]
        connection.close()


def test_stored_bytes_are_the_files_without_free_pages(tmp_path: Path) -> None:
    file = tmp_path / "some.db"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE t (x)")
    connection.executemany("INSERT INTO t VALUES (?)", [("x" * 10_000,)] * 10)
    connection.commit()
    assert 100_000 < (full := stored(file)) == file.stat().st_size
    connection.execute("DELETE FROM t")
    connection.commit()
    connection.close()
    assert stored(file) < 10_000 < full


def test_a_curve_has_ten_points_and_growth_leaves_the_first_turn_out() -> None:
    assert windows([float(n) for n in range(1, 101)])[:2] == [(10, 5.5), (20, 15.5)]
    assert windows([3.0, 1.0]) == [(1, 3.0), (2, 1.0)]
    assert grown({1: 50_000, 10: 90_000, 100: 1_040_000}) == 10_000


def test_a_goal_holds_ours_against_the_bare_graph() -> None:
    size = "stored a turn"
    rows = [Row(AFTER, name, RATIO, ratio) for name, ratio in ((OURS, 1.1), (HOTEL, 1.11), (BARE, 1.4))]
    rows += [Row(AFTER, name, size, kept, "kB") for name, kept in ((OURS, 8.0), (HOTEL, 10.04), (BARE, 180.0))]
    found = goals(rows)
    assert [goal.met for goal in found] == [True, True, False, True]
    assert [goal.peer for goal in found] == ["1.40 ×", "180 kB"] * 2
    assert [goal.ours for goal in found] == ["1.10 ×", "8.0 kB", "1.11 ×", "10.0 kB"]
