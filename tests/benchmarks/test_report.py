"""The form of the benchmarks' reports: what is written is read again, and the tables hold every figure."""

import argparse
from pathlib import Path

from benchmarks.report import Goal, Report, Row, add_options, read, told

ROWS = [
    Row("calls", "ours", "model calls", 12),
    Row("calls", "ours", "wall", 2.754, "s"),
    Row("calls", "a peer", "model calls", 1234.0),
    Row("growth", "ours", "stored", 9.5, "kB", x=1),
    Row("growth", "ours", "stored", 12.25, "kB", x=100),
]
REPORT = Report("trial", 7, ROWS, [Goal("wall ≤ 2.8 s", "2.1 s", "2.75 s", True)], ["What is measured."])


def test_a_written_report_is_read_as_it_was(tmp_path: Path) -> None:
    REPORT.write(tmp_path / "trial.json")
    assert read(tmp_path / "trial.json") == REPORT


def test_a_report_names_seed_versions_and_every_figure() -> None:
    lines = list(REPORT.lines())
    assert lines[0] == "trial, seed 7"
    assert "langgraph 1." in lines[1]
    assert lines[2] == "What is measured."
    assert [line.split() for line in lines[3:]] == [
        [], ["calls", "model", "calls", "wall,", "s"], ["ours", "12", "2.75"], ["a", "peer", "1234", "-"],
        [], ["growth", "stored,", "kB"], ["ours,", "1", "9.5"], ["ours,", "100", "12.2"],
        [], ["goal", "peer", "ours", "met"], ["wall", "≤", "2.8", "s", "2.1", "s", "2.75", "s", "yes"],
    ]  # fmt: skip


def test_a_report_is_written_where_it_is_asked_for(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    add_options(parser, seed=3)
    assert told(REPORT, parser.parse_args([])) == 0
    assert told(REPORT, parser.parse_args(["--json", str(tmp_path / "trial.json")])) == 0
    assert read(tmp_path / "trial.json").goals == REPORT.goals
