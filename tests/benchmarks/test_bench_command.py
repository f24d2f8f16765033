"""`make bench` runs each measurement in a process of its own, and what fails, hangs or lacks its material stops no other."""

import importlib.util
import json
import os
from pathlib import Path

import pytest
from benchmarks.__main__ import main
from benchmarks.measurements import MEASUREMENTS, Measurement
from benchmarks.published import read_run
from patience import not_hanging

GOOD = """
import json, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
row = {"table": "t", "name": "ours", "measure": "calls", "value": 2, "unit": "", "x": None}
goal = {"goal": "few", "peer": "3", "ours": "2", "met": True, "reason": ""}
missed = {"goal": "fewer", "peer": "1", "ours": "2", "met": False, "reason": "one is needed"}
report = {"benchmark": "good", "seed": int(words["--seed"]), "rows": [row], "goals": [goal, missed], "notes": [],
          "versions": {"python": "3"}}
json.dump(report, open(words["--json"], "w"))
print("data", words.get("--data"), "size", words.get("--size"))
"""
HANGS = """
import subprocess, sys, time
with open("{pipe}", "w") as pipe:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdout=pipe)
time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the modules of a test lie."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "good.py").write_text(GOOD)
    return tmp_path


def measurement(name: str, **given: object) -> Measurement:
    return Measurement(name, name, f"The {name} one", **{"limit_s": 60, **given})  # type: ignore[arg-type]


def bench(folder: Path, *measurements: Measurement, words: str = "") -> int:
    return main([*words.split(), "--out", str(folder / "out"), "--data", str(folder / "data")], measurements)


def test_each_leaves_a_report_and_a_picture_and_the_goals_end_it(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert bench(folder, measurement("good"), words="--seed 7") == 0
    run = read_run(folder / "out" / "bench.json")
    assert ([report.seed for report in run.reports], run.without) == ([7], {})
    assert (folder / "out" / "good.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "out" / "goals.md").read_text().splitlines() == [
        "| goal | peer | ours | met |",
        "| --- | --- | --- | --- |",
        "| few | 3 | 2 | yes |",
        "| fewer | 1 | 2 | no (1) |",
        "",
        "1. one is needed",
    ]
    printed = capfd.readouterr().out
    assert "== The good one (good)" in printed
    assert "why fewer: one is needed" in printed


def test_one_that_fails_or_reports_nothing_is_named_and_the_rest_goes_on(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "failing.py").write_text("raise SystemExit(3)")
    (folder / "silent.py").write_text("pass")
    (folder / "out").mkdir()
    (folder / "out" / "silent.json").write_text("of another run")
    assert bench(folder, measurement("failing"), measurement("silent"), measurement("good")) == 1
    run = read_run(folder / "out" / "bench.json")
    assert run.without == {"failing": "ended with status 3", "silent": "wrote no report"}
    assert [report.benchmark for report in run.reports] == ["good"]
    assert "left out or failed: failing: ended with status 3" in capfd.readouterr().out


def test_one_that_takes_too_long_is_ended_with_all_that_it_started(folder: Path) -> None:
    """Its child holds the other end of the pipe as long as it lives."""
    (folder / "hangs.py").write_text(HANGS.format(pipe=folder / "pipe"))
    os.mkfifo(folder / "pipe")
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert (
            bench(folder, measurement("hangs", limit_s=10), measurement("good", limit_s=600), words="--patience 0.1")
            == 1
        )
        os.set_blocking(reader, True)
        with not_hanging():
            while os.read(reader, 100):
                pass
    finally:
        os.close(reader)
    assert read_run(folder / "out" / "bench.json").without == {"hangs": "took longer than 1 s"}


def test_without_its_material_one_is_left_out_plainly(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert bench(folder, measurement("good", needs=["tau"]), measurement("other", needs=["tau"])) == 0
    missing = f"needs {folder / 'data' / 'tau'}; docs/running/benchmarks.md says how it is made"
    assert read_run(folder / "out" / "bench.json").without == {"good": missing, "other": missing}
    assert f"left out or failed: good: {missing}" in capfd.readouterr().out


def test_material_and_size_are_handed_on(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "data" / "tau").mkdir(parents=True)
    small = measurement("good", needs=["tau"], quick=("--size", "5"))
    assert bench(folder, small, words="--quick") == 0
    assert f"data {folder / 'data'} size 5" in capfd.readouterr().out
    assert bench(folder, small) == 0
    assert f"data {folder / 'data'} size None" in capfd.readouterr().out


def test_a_report_of_one_that_fails_is_kept(folder: Path) -> None:
    (folder / "finding.py").write_text(f"{GOOD}raise SystemExit(1)")
    assert bench(folder, measurement("finding")) == 1
    run = read_run(folder / "out" / "bench.json")
    assert (len(run.reports), run.without) == (1, {"finding": "ended with status 1"})


def test_a_quick_run_has_material_of_its_own(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert bench(folder, measurement("good", needs=["tau", "nestful", "bfcl"]), words="--quick") == 0
    assert f"data {folder / 'out' / 'material'}" in capfd.readouterr().out


def test_only_the_named_ones_run(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "printing.py").write_text("import sys; print('printed', sys.argv[1:])")
    both = (measurement("good"), measurement("printing", reports=False))
    assert bench(folder, *both) == 0
    assert "printed" not in capfd.readouterr().out
    assert bench(folder, *both, words="printing") == 0
    assert "printed []" in capfd.readouterr().out
    assert read_run(folder / "out" / "bench.json").reports == []


@pytest.mark.parametrize("words", ["nothing", "--publish good", "--publish --quick"])
def test_what_cannot_be_run_or_published_is_refused(
    folder: Path, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        bench(folder, measurement("good"), words=words)
    assert ended.value.code == 2
    assert (
        "there is no nothing; there are good" if words == "nothing" else "only a whole run"
    ) in capfd.readouterr().err


def test_every_measurement_has_a_module_and_all_end_within_half_an_hour() -> None:
    assert [each.name for each in MEASUREMENTS if importlib.util.find_spec(each.module) is None] == []
    assert sum(each.limit_s for each in MEASUREMENTS if each.reports) <= 30 * 60


def test_the_smallest_real_one_runs_as_a_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, [Path(__file__).parents[2] / "src"])))
    assert main(["checks", "--quick", "--out", str(folder / "out")]) == 0
    assert json.loads((folder / "out" / "checks.json").read_text())["benchmark"] == "checks"
