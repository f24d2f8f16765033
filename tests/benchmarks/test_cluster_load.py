"""The load of a cluster is counted rightly, and what docs/running/cluster.md says of it is reckoned from the record of a run."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import aegra_house
import pytest
from benchmarks import cluster_load, cluster_paper
from benchmarks.cluster_load import LOADS, Round, cost, speed
from benchmarks.cluster_paper import BEGINS, ENDS, PAGE, PICTURE, RECORD, in_page, paper, shown
from benchmarks.cluster_watch import PARTS, Counts, Kept, busy_s, tree_s
from benchmarks.published import Run, read_run
from benchmarks.report import Report, Row, read
from cluster_guests import Guest, Turn


def measured(table: str, load: str, measure: str, values: dict[float, float], unit: str = "") -> list[Row]:
    return [Row(table, load, measure, value, unit, workers) for workers, value in values.items()]


SPEED, COST = "load, workers", "a conversation, workers"
REPORT = Report("cluster", 1, [
    *measured(SPEED, "processor", "workers", {1: 290, 2: 300, 4: 310}, "ms"),
    *measured(SPEED, "processor", "APIs", {1: 50, 2: 50, 4: 50}, "ms"),
    *measured(SPEED, "processor", "PostgreSQL", {1: 90, 2: 90, 4: 90}, "ms"),
    *measured(SPEED, "processor", "Redis", {1: 10, 2: 10, 4: 10}, "ms"),
    *measured(SPEED, "processor", "connections", {1: 50, 2: 70, 4: 99}),
    *measured(SPEED, "waits", "conversations", {1: 0.95, 2: 1.9, 4: 3.5}, "1/s"),
    *measured(COST, "processor", "stream events", {1: 44, 2: 44, 4: 44}),
    *measured(COST, "processor", "commits", {1: 150, 2: 150, 4: 160}),
    *measured(COST, "processor", "checkpoints", {1: 160, 2: 160, 4: 160}, "kB"),
    *measured(COST, "processor", "store", {1: 5, 2: 5, 4: 5}, "kB"),
    *measured(COST, "processor", "runs", {1: 3, 2: 3, 4: 3}),
    *measured(COST, "processor", "threads", {1: 20, 2: 20, 4: 20}, "kB"),
    *measured(COST, "processor", "bookings", {1: 15, 2: 15, 4: 15}, "kB"),
    *measured(COST, "processor", "write-ahead log", {1: 300, 2: 300, 4: 300}, "kB"),
    *measured("idle, workers", "processor", "commits", {1: 2, 2: 3, 4: 5}, "1/s"),
], [], ["What is measured."], versions={"python": "3.11.7"})  # fmt: skip
RUN = Run("2026-11-20", "2 × some processor, Linux", 21.4, 7, [REPORT], {})


def test_a_day_is_reckoned_from_what_one_conversation_took() -> None:
    """10,000 in 86,400 s are 0.116 a second, and 1.157 at the peak: by hand."""
    comes_to = {what: found for what, _, found in paper(REPORT)}
    assert comes_to == {
        "conversations a second": "1.2",
        "workers at the peak": "1",  # 1.157 × 0.3 / 0.7 = 0.496
        "slots at the peak, if each waits as in `waits`": "7: workers of 20 slots: 1",  # 1.157 × 4 / 0.95 / 0.7 = 6.96
        "cores at the peak, all processes": "0.52",  # 1.157 × 0.45
        "connections of PostgreSQL": "67",  # 16.67 of each, the median of 16.67, 17.5, 16.5; of 2 APIs and 2 workers
        "stream events a day": "0.44 million, 50.9 a second at the peak",
        "commits a day": "1.5 million, 174 a second at the peak",
        "commits of the idle cluster": "0.43 million a day",
        "stored a day": "2 GB; a year 0.73 TB",
        "written to the log a day": "3 GB",
    }


def test_the_page_is_what_the_run_made() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert in_page(text, read_run(RECORD)) == text


def test_the_picture_is_small() -> None:
    assert PICTURE.stat().st_size < 60_000


def test_only_what_stands_between_the_marks_is_made() -> None:
    made = in_page(f"before\n{BEGINS}\nold\n{ENDS}\nafter", RUN)
    assert made.startswith(f"before\n{BEGINS}\n\nOne run of 2026-11-20, 21 minutes")
    assert made.endswith(f"{ENDS}\nafter")
    assert "old" not in made
    assert in_page(made, RUN) == made
    assert "| processor, 2 | 300 | 50 | 90 | 10 | 70 | - |" in made


def test_the_picture_has_a_panel_for_each_of_the_figures_that_workers_change() -> None:
    assert {row.measure for row in shown(REPORT).rows} == {"workers", "connections", "conversations"}


def test_publishing_writes_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RECORD", "PAGE", "PICTURE"):
        monkeypatch.setattr(cluster_paper, name, tmp_path / name)
    (tmp_path / "PAGE").write_text(f"# Ours\n{BEGINS}{ENDS}\n", encoding="utf-8")
    (tmp_path / "drawn.png").write_bytes(b"a picture")
    cluster_paper.publish(RUN, tmp_path / "drawn.png")
    assert read_run(tmp_path / "RECORD") == RUN
    assert (tmp_path / "PAGE").read_text(encoding="utf-8") == in_page(f"# Ours\n{BEGINS}{ENDS}\n", RUN)
    assert (tmp_path / "PICTURE").read_bytes() == b"a picture"


def guests(seconds: list[float]) -> list[Guest]:
    made: Any = [Guest([object()], number) for number in range(len(seconds))]  # type: ignore[list-item]
    for guest, taken in zip(made, seconds, strict=True):
        guest.turns += [Turn({}, taken / 2, 10), Turn({}, taken / 2, 12)]
    return list(made)


def test_what_the_idle_cluster_takes_is_no_cost_of_a_conversation() -> None:
    idle = Counts(dict.fromkeys(PARTS, 0.02), 0.5, 1)
    took = Counts({**dict.fromkeys(PARTS, 1.2), "workers": 5.2}, 15, 10)
    done = [Round(guests([1.0, 2.0, 3.0, 4.0]), took, 61), Round(guests([1.0, 2.0, 3.0, 4.0]), took, 63)]
    rows = {row.measure: row.value for row in speed(LOADS[0], 2, done, idle)}
    assert rows["conversations"] == 0.4
    assert rows["half within"] == 2.5
    assert rows["workers"] == 1250  # (5.2 - 10 × 0.02) / 4
    assert rows["Redis"] == 250
    assert rows["connections"] == 62

    spent = Kept(900, 80_000, {"checkpoints": 16_000}, 60)
    costs = {row.measure: row.value for row in cost(LOADS[0], 2, done, spent, 880)}
    assert costs == {"runs": 2, "stream events": 22, "commits": 110, "checkpoints": 2, "write-ahead log": 10}


@pytest.mark.skipif(not Path("/proc").exists(), reason="not Linux")
def test_a_process_is_counted_with_its_children_and_those_that_have_ended() -> None:
    work = "sum(range(6_000_000))"
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{work}'], check=True); print('ended', flush=True); input()"
    before = busy_s()
    with subprocess.Popen([sys.executable, "-c", child], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ended\n"
        taken, own = tree_s(process.pid), tree_s(os.getpid())
        process.communicate(b"\n")
    assert 0 < taken <= own
    assert taken <= busy_s() - before + 0.1


def test_where_no_cluster_can_be_measured_the_report_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(aegra_house, "reason_to_skip", lambda: "redis-server is not installed")
    assert cluster_load.main(["--json", str(tmp_path / "figures.json")]) == 0
    assert "Not measured: redis-server is not installed." in capsys.readouterr().out
    assert not read(tmp_path / "figures.json").rows
