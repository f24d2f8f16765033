"""`wavegraph roster what-if`: a table, the reasons under it, and JSON."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from wavegraph.app.roster.commands import roster

WARD = """
name: Small Ward
start: 2026-12-07
days: 5
shifts: [{id: D, start: 08:00, minutes: 480}]
nurses:
  - {id: ann, name: Ann, contract: {max_minutes: 2400}}
demand:
  - {weekdays: [monday, tuesday, wednesday, thursday, friday], shift: D, minimum: 1, target: 2}
"""


@pytest.fixture
def ward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "small.yaml"
    path.write_text(WARD, encoding="utf-8")
    return path


def run(ward: Path, *changes: str, more: tuple[str, ...] = ()) -> tuple[int, str, str]:
    given = [part for change in changes for part in ("--change", change)]
    done = CliRunner().invoke(roster, ["what-if", str(ward), *given, "--time-limit", "900", "--work-limit", "1", *more])
    return done.exit_code, done.stdout, done.stderr


def test_a_table_with_a_column_for_each_change(ward: Path) -> None:
    status, out, told = run(
        ward, "add-nurse ann", "ann.min_minutes=2400; leave ann 2026-12-07; rules.leave_credit=none"
    )
    lines = {line[:24].strip(): line[24:].split("  ") for line in out.splitlines() if line[:1] != " "}
    assert status == 0
    assert [cell.strip() for cell in lines["missing to the target"] if cell.strip()] == ["5", "0 (-5)", "-"]
    assert "no roster (infeasible)" in out
    assert "no roster: No roster keeps leave for Ann on Monday 2026-12-07" in out
    assert "today: solving, at most 300 s" in told
    assert "nothing was kept or published" in told


def test_the_same_as_json_and_nothing_is_kept(ward: Path) -> None:
    status, out, told = run(ward, "demand D 1", more=("--json",))
    found = json.loads(out)
    assert status == 0
    assert [each["name"] for each in found["columns"]] == ["today", "demand D 1"]
    assert found["differences"][1]["missing"] == -5
    assert (found["ward"], found["days"], told) == ("Small Ward", 5, "nothing was kept or published\n" if told else "")
    assert not list(ward.parent.glob("data/**/*.json"))


def test_another_ward_file_of_the_same_days(ward: Path) -> None:
    other = ward.with_name("other.yaml")
    other.write_text(WARD.replace("target: 2", "target: 1"), encoding="utf-8")
    _, out, _ = run(ward, f"ward {other}", more=("--json",))
    assert json.loads(out)["differences"][1]["missing"] == -5


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ((), "1 to 6 different changes"),
        (("demand D 1", "demand D 1"), "1 to 6 different changes"),
        (("demand D many",), "N such as -1 or 2"),
        (("ward nowhere.yaml",), "nowhere.yaml"),
    ],
)
def test_what_cannot_be_compared_is_refused_before_anything_is_solved(
    ward: Path, changes: tuple[str, ...], says: str
) -> None:
    status, out, told = run(ward, *changes)
    assert (status, out) == (2, "")
    assert says in " ".join(told.split())
    assert "solving" not in told
