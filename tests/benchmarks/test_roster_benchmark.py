"""The rostering benchmark runs, prints its table, and fails when a roster is not what the solver says."""

import dataclasses
import runpy
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks/roster.py"


@pytest.fixture(scope="module")
def benchmark() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def test_smoke(benchmark: dict[str, Any], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The invented ward alone: 20 shifts of the 28 wanted can be worked, and no wish has to be refused for it."""
    assert benchmark["main"](["--smoke", "--seconds", "10", "--data", str(tmp_path)]) == 0
    line = capsys.readouterr().out.splitlines()[1].split()
    assert line[:2] == ["t", "7x5x2"]
    assert "optimal" in line


def test_a_wrong_cost_or_roster_is_a_fault(benchmark: dict[str, Any]) -> None:
    ward = benchmark["tiny_ward"]()
    good = benchmark["solve"](ward, penalties=benchmark["NO_PENALTIES"], seconds=10)
    row = benchmark["Row"]("t", ward, None, good)
    assert row.fault == ""
    assert "says" in dataclasses.replace(row, result=dataclasses.replace(good, cost=1)).fault
    every_day = {name: ["E"] * ward.days for name in good.roster}
    assert "breaches" in dataclasses.replace(row, result=dataclasses.replace(good, roster=every_day)).fault
