"""The rostering benchmark runs, prints its table, and fails when a roster is not what the solver says."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from benchmarks.roster import FILE, main
from benchmarks.roster_published import PUBLISHED
from benchmarks.roster_runs import Bench, BenchmarkRun, Conditions, Solver, apart, fault, solved
from benchmarks.roster_wards import tiny_ward
from pages import Page
from patience import HANGS_S

from wavegraph.tools.roster.loop.solver import solve
from wavegraph.tools.roster.problem.prices import NO_PENALTIES
from wavegraph.tools.roster.problem.result import Point
from wavegraph.tools.roster.ward.ward import Ward

INSTANCE = """\
SECTION_HORIZON
7
SECTION_SHIFTS
E,480,
SECTION_STAFF
A,E=7,3360,0,7,1,1,1
SECTION_DAYS_OFF
A,3
SECTION_SHIFT_ON_REQUESTS
SECTION_SHIFT_OFF_REQUESTS
SECTION_COVER
0,E,1,100,1
"""
CONDITIONS = Conditions(seconds=HANGS_S, work=None, seed=1, cpu=False, workers=None)


def found(solver: Solver = "agent", **given: Any) -> BenchmarkRun:
    made: dict[str, Any] = {"status": "feasible", "cost": 1313, "bound": 1287, "seconds": 60, "memory_mib": 300, "fault": "",
                            "points": [Point(0.05, 5000, 0), Point(2, 1400, 1287), Point(60, 1313, 1287)]}  # fmt: skip
    return BenchmarkRun(solver=solver, **made | given)


def smoke(folder: Path, *arguments: str, solve: Any = solved) -> int:
    return main(["--smoke", "--seconds", str(HANGS_S), "--data", str(folder), *arguments], solve=solve)


def test_a_smoke_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """20 shifts of the 28 wanted can be worked, of which two days off are wishes that can all be met."""
    assert smoke(tmp_path, solve=apart) == 0
    line = capsys.readouterr().out.splitlines()[2].split()
    assert line[:2] == ["tiny", "7x5x2"]
    assert "proven" in line
    assert int(line[-1]) > 20  # MiB: an interpreter alone has as much


def test_a_page_and_a_file_are_written_and_drawn_anew(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, first, second = tmp_path / "new/points.json", tmp_path / "new/first.html", tmp_path / "second.html"
    assert smoke(tmp_path, "--against", "cpsat", "--json", str(file), "--plot", str(first)) == 0
    printed = capsys.readouterr().out
    assert main(["--from", str(file), "--plot", str(second)]) == 0
    assert capsys.readouterr().out == printed
    tables = Page(first.read_text(encoding="utf-8")).tables
    assert [line[0] for line in tables["ward-tiny"]] == ["agent", "CP-SAT alone"]
    assert Page(second.read_text(encoding="utf-8")).tables == tables


def test_work_gives_the_same_table_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tables = []
    for _ in range(2):
        main(["--smoke", "--work", "0.2", "--seed", "3", "--against", "cpsat", "--data", str(tmp_path)], solve=solved)
        tables.append(capsys.readouterr().out)
    assert "tiny" in tables[0]
    assert tables[0] == tables[1]


def test_work_that_the_clock_ended_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--smoke", "--work", "1", "--seconds", "60", "--data", str(tmp_path)], solve=lambda *_: found(seconds=60))
    assert capsys.readouterr().out.splitlines()[-1].endswith("not the same twice: tiny by agent")
    main(["--smoke", "--work", "1", "--seconds", "60", "--data", str(tmp_path)], solve=lambda *_: found(seconds=59))
    assert "not the same twice" not in capsys.readouterr().out


def test_the_solvers_share_their_conditions(tmp_path: Path) -> None:
    asked = []

    def note(ward: Ward, solver: Solver, conditions: Conditions) -> BenchmarkRun:
        asked.append((solver, conditions))
        return found(solver)

    arguments = ["--work", "3", "--cpu", "--workers", "4", "--seed", "7", "--against", "cpsat"]
    main(["--smoke", "--data", str(tmp_path), *arguments], solve=note)
    under = Conditions(seconds=60, work=3, seed=7, cpu=True, workers=4)
    assert asked == [("agent", under), ("cpsat", under)]


def test_each_instance_has_its_limit_and_the_clock_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = list[float]()

    def note(ward: Ward, solver: Solver, conditions: Conditions) -> BenchmarkRun:
        given.append(conditions.seconds)
        return found(solver)

    for number in (1, 18):
        (tmp_path / f"Instance{number}.txt").write_text(INSTANCE, encoding="utf-8")
    for arguments in ([], ["--cpu"], ["--seconds", "7"]):
        main(["1", "18", "--data", str(tmp_path), *arguments], solve=note)
    clocks = [line for line in capsys.readouterr().out.splitlines() if line.startswith("each solve")]
    assert given == [60, 600, 60, 600, 7, 7]
    assert [line.split("; ")[1] for line in clocks] == [
        "s: seconds on the wall",
        "s: processor seconds, of CP-SAT alone / 2",
        "s: seconds on the wall",
    ]
    assert "600 s for 13, 15, 18" in clocks[0]


def test_no_solver_is_held_against_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    smoke(tmp_path, "--solver", "cpsat", "--against", "cpsat", solve=lambda *_: found("cpsat"))
    assert capsys.readouterr().out.count("CP-SAT alone") == 1


def test_what_is_done_is_kept_when_interrupted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "Instance1.txt").write_text(INSTANCE, encoding="utf-8")
    file, left = tmp_path / "points.json", iter([found()])

    def until_interrupted(*_: Any) -> BenchmarkRun:
        if (run := next(left, None)) is None:
            raise KeyboardInterrupt
        return run

    assert smoke(tmp_path, "--json", str(file), solve=until_interrupted) == 130
    assert "interrupted" in capsys.readouterr().err
    assert [row.name for row in FILE.validate_json(file.read_bytes()).rows] == ["tiny"]


def test_a_process_that_dies_is_a_fault() -> None:
    """What cannot be unpickled there stands for what the system kills."""
    run = apart(tiny_ward(), "agent", dataclasses.replace(CONDITIONS, seconds="no number"))
    assert "without a result" in run.fault


def test_missing_instances_are_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["3", "13", "--data", str(tmp_path / "nowhere")]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == ["instance 3 is passed over", "instance 13 is passed over"]
    assert "Instance13.txt" in lines[1]
    assert "--data FOLDER" in lines[2]


def test_an_unreadable_instance_is_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "Instance2.txt").write_text("no benchmark\n", encoding="utf-8")
    assert main(["2", "--data", str(tmp_path)]) == 2
    assert "instance 2 is passed over: Instance2.txt" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["0"], ["25"], ["one"], ["--seconds", "0"], ["--work", "-1"], ["--seconds", "nan"],
                                       ["--from", "nowhere.json"], ["--from", __file__]])  # fmt: skip
def test_wrong_usage_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert arguments[-1] in capsys.readouterr().err


def test_a_file_is_shown_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "points.json"
    file.write_bytes(FILE.dump_json(Bench(conditions=CONDITIONS, rows=[])))
    with pytest.raises(SystemExit):
        main(["3", "--from", str(file)])
    assert "name no instances" in capsys.readouterr().err
    assert main(["--from", str(file)]) == 2


def test_a_wrong_cost_or_roster_is_a_fault() -> None:
    ward = tiny_ward()
    good = solve(ward, penalties=NO_PENALTIES, seconds=HANGS_S)
    assert good.roster is not None
    assert fault(ward, good) == ""
    assert "says 1" in fault(ward, dataclasses.replace(good, cost=1))
    every_day = {name: ["E"] * ward.days for name in good.roster}
    assert "breaches" in fault(ward, dataclasses.replace(good, roster=every_day))


@pytest.mark.parametrize(
    ("runs", "status"),
    [
        ([found(), found("cpsat")], 0),
        ([found(fault="1 breaches"), found("cpsat")], 1),
        ([found(), found("cpsat", fault="1 breaches")], 1),
        ([found(cost=None, points=[]), found("cpsat")], 1),
        ([found(), found("cpsat", cost=None, points=[])], 0),
    ],
    ids=["good", "a fault", "a fault of CP-SAT", "no roster", "no roster of CP-SAT"],
)
def test_the_exit_status(
    runs: list[BenchmarkRun], status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left = iter(runs)
    page = tmp_path / "page.html"
    assert smoke(tmp_path, "--against", "cpsat", "--plot", str(page), solve=lambda *_: next(left)) == status
    assert ("1 breaches" in capsys.readouterr().out) == any(run.fault for run in runs)
    Page(page.read_text(encoding="utf-8"))


def test_ratios_are_to_the_best_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = {"conditions": dataclasses.asdict(CONDITIONS), "rows": [
        {"name": "8", "days": 28, "nurses": 30, "shifts": 4, "runs": [dataclasses.asdict(found())]},
    ]}  # fmt: skip
    file = tmp_path / "points.json"
    file.write_bytes(FILE.dump_json(FILE.validate_python(bench)))
    assert main(["--from", str(file)]) == 0
    *_, line, _clock, mean = capsys.readouterr().out.splitlines()
    assert line.split() == ["8", "28x30x4", "1300", "2260", "1323", "1344", "|", "1313", "1.010", "1287", "2.0%", "feasible",
                            "60.0", "0.0", "300"]  # fmt: skip
    assert mean == "mean ratio to best known, agent: 1.0100 over 1"


def test_the_table_of_the_page_is_the_kept_run(capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).parents[2]
    assert main(["--from", str(root / "docs" / "bench-roster.json")]) == 0
    assert capsys.readouterr().out in (root / "docs" / "rosters" / "how-good.md").read_text(encoding="utf-8")


def test_no_published_cost_is_below_the_best_known() -> None:
    for number, known in PUBLISHED.items():
        assert all(cost is None or cost >= known.best for cost in (*known.ten_minutes, *known.hour)), number
