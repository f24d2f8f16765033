"""The figures in the documentation are those of docs/bench.json, and of no hand."""

from pathlib import Path

import pytest
from benchmarks import __main__ as command
from benchmarks import published
from benchmarks.measurements import MEASUREMENTS
from benchmarks.published import (
    BEGINS,
    COSTS,
    DOCS,
    ENDS,
    IN_README,
    PICTURES,
    README,
    RECORD,
    RESULTS,
    RIGHT,
    Run,
    curve_cells,
    filled,
    in_readme,
    pages,
    read_run,
)
from benchmarks.report import Goal, Report, Row

RUN = Run(
    "2026-11-20", "2 × some processor, Linux", 21.4, 7,
    [Report("overhead", 7, [Row("SQLite, by calls", "ours | theirs", "processor time", 2.5, "ms", 4)],
            [Goal("at most 1.3", "2 ms", "1.25 ×", True, "never said"), Goal("at most 1", "1 ms", "2 ×", False, "more is done")],
            ["What is measured."], {"python": "3.11.7"})],
    {"tau": "needs build/bench-data/tau"},
)  # fmt: skip


def test_the_readme_holds_what_the_run_made() -> None:
    text = README.read_text(encoding="utf-8")
    assert in_readme(text, read_run(RECORD)) == text


def test_the_goals_of_the_readme_are_goals_of_the_run() -> None:
    assert [goal.goal for goal in read_run(RECORD).goals if goal.goal in IN_README] == list(IN_README)


def test_the_pages_of_results_are_what_the_run_made() -> None:
    assert {place: place.read_text(encoding="utf-8") for place in (RESULTS, COSTS)} == pages(read_run(RECORD))


def test_the_pictures_are_small() -> None:
    names = [published.picture_name(report.benchmark) for report in read_run(RECORD).reports if report.rows]
    assert names
    assert [name for name in names if (PICTURES / name).stat().st_size > 60_000] == []


def test_a_missed_goal_says_why() -> None:
    assert [goal.goal for goal in read_run(RECORD).goals if not goal.met and not goal.reason] == []


def test_every_measurement_is_told_of() -> None:
    told = (DOCS / "running" / "benchmarks.md").read_text(encoding="utf-8")
    assert [each.name for each in MEASUREMENTS if f"\n| `{each.name}` |" not in told] == []


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    RUN.write(tmp_path / "bench.json")
    assert read_run(tmp_path / "bench.json") == RUN
    assert len((tmp_path / "bench.json").read_text().splitlines()) < 40  # a row is a line


def test_only_what_stands_between_the_marks_is_made() -> None:
    made = in_readme(f"before\n{BEGINS}\nold\n{ENDS}\nafter", RUN)
    assert made.startswith(f"before\n{BEGINS}\n\n| measured |")
    assert made.endswith(f"{ENDS}\nafter")
    assert "old" not in made
    assert in_readme(made, RUN) == made
    assert "\n\nOf the 2 goals that `make bench` measures, 1 are met.\n\n" in made


def test_the_goals_are_told_with_what_they_missed() -> None:
    made = pages(RUN)[RESULTS]
    assert "| at most 1.3 | 2 ms | 1.25 × | yes |" in made
    assert "| at most 1 | 1 ms | 2 × | no (1) |\n\n1. more is done\n" in made
    assert "Left out of it, or failed: tau (needs build/bench-data/tau)." in made
    assert "2026-11-20, 21 minutes, seed 7: 2 × some processor, Linux; python 3.11.7." in made


def test_the_page_has_every_table_with_its_notes() -> None:
    made = pages(RUN)[COSTS]
    (overhead,) = [each for each in MEASUREMENTS if each.name == "overhead"]
    assert f"## {overhead.title}\n\n{filled(overhead.reading)}\n\nWhat is measured.\n\n| SQLite, by calls: " in made
    assert "| SQLite, by calls: processor time, ms | ours \\| theirs |\n| --- | --: |\n| 4 | 2.5 |" in made


def test_a_curve_has_a_column_for_each_contestant_and_other_tables_a_line() -> None:
    rows = [Row("SQLite", name, measure, x * value, "ms" if value > 1 else "", x)
            for name, measure, value in (("ours", "time", 2), ("peer", "time", 3), ("peer", "ours to it", 0.5)) for x in (1, 4)]  # fmt: skip
    assert curve_cells("SQLite", rows) == [
        ["SQLite: time, ms", "ours", "peer", "ours to it: peer"],
        ["1", "2", "3", "0.5"],
        ["4", "8", "12", "2"],
    ]
    assert curve_cells("SQLite", [*rows, Row("SQLite", "ours", "memory", 1)]) is None


def test_every_table_of_a_result_says_how_it_is_read() -> None:
    assert [each.name for each in MEASUREMENTS if each.reports and each.name in RIGHT and not each.reading] == []


def test_publishing_writes_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("README", "RECORD", "RESULTS", "COSTS"):
        monkeypatch.setattr(published, name, tmp_path / name)
    monkeypatch.setattr(published, "PICTURES", tmp_path)
    (tmp_path / "README").write_text(f"# Ours\n{BEGINS}{ENDS}\n", encoding="utf-8")
    (tmp_path / "overhead.png").write_bytes(b"a picture")
    command.publish(RUN, tmp_path)
    assert read_run(tmp_path / "RECORD") == RUN
    for name, text in zip(("RESULTS", "COSTS"), pages(RUN).values(), strict=True):
        assert (tmp_path / name).read_text(encoding="utf-8") == text
    assert (tmp_path / "README").read_text(encoding="utf-8") == in_readme(f"# Ours\n{BEGINS}{ENDS}\n", RUN)
    assert (tmp_path / "bench-overhead.png").read_bytes() == b"a picture"
