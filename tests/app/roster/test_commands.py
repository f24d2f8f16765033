"""`wavegraph roster check`: what it prints, and how it ends."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from roster_shell import refused
from roster_wards import DATA, DEMO, ROWS, put, rows, two
from tables import table
from typer.testing import CliRunner, Result

from wavegraph.app.main import app
from wavegraph.tools.roster.answers.phrases import english_record
from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.ward.file import read_ward, ward_hash
from wavegraph.tools.roster.ward.roster_file import read_roster, roster_csv, roster_json

WILLOW, SWAPPED = DEMO / "willow.yaml", DATA / "willow_swapped.csv"


def check(roster: Path, ward: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["roster", "check", str(roster), "--ward", str(ward), *words])


def files(folder: Path, changes: dict[str, Any] | None = None, **cells: str) -> tuple[Path, Path]:
    """A roster file and its ward file: the ward of two with changes, its good roster with other rows."""
    roster, ward = folder / "roster.json", folder / "ward.json"
    data = two()
    for path, value in (changes or {}).items():
        put(data, path, value)
    ward.write_text(json.dumps(data), encoding="utf-8")
    roster.write_text(json.dumps({"roster": rows(**(ROWS | cells))}), encoding="utf-8")
    return roster, ward


def tables(done: Result) -> list[list[list[str]]]:
    """Head, findings where there are any, fairness: the words of each line."""
    return [[line.split() for line in part.splitlines()] for part in done.stdout.split("\n\n")]


def test_a_known_ward_is_given_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    roster, _ = files(tmp_path)
    monkeypatch.setenv("WAVEGRAPH_WARDS", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    by_name, by_file = check(SWAPPED, Path("willow")), check(SWAPPED, WILLOW)
    assert (by_name.exit_code, by_name.stdout) == (by_file.exit_code, by_file.stdout)
    assert check(roster, Path("ward")).exit_code == 0
    unknown = check(roster, Path("wilow"))
    assert (unknown.exit_code, unknown.stdout) == (2, "")
    assert "There is no ward “wilow”; there are: " in unknown.stderr


def test_a_roster_without_a_finding(tmp_path: Path) -> None:
    done = check(*files(tmp_path))
    assert (done.exit_code, done.stderr) == (0, "")
    head, fairness = tables(done)
    assert [" ".join(line) for line in head[1:]] == [
        "compliance PASS",
        "empathy APPROVED",
        "cost 0: under 0 · over 0 · wishes 0 · pairs 0",
        "fairness 100 of 100",
    ]
    assert fairness[1:] == [
        ["ann", "Ann", "80", "80", "0/0", "0/0", "100"],
        ["ben", "Ben", "80", "80", "0/0", "0/0", "100"],
    ]


def test_a_breach_exits_with_1_and_comes_first() -> None:
    done = check(SWAPPED, WILLOW)
    assert done.exit_code == 1
    head, findings, fairness = tables(done)
    assert head[1][:4] == ["compliance", "FAIL:", "breach", "1"]
    ward = read_ward(WILLOW)
    roster = read_roster(SWAPPED, ward)
    compliance, empathy = check_compliance(ward, roster), check_empathy(ward, roster)
    assert findings[1][:5] == ["breach", "daily_rest", "nurse_001", "2026-12-03", "E"]
    assert [row[0] for row in findings[1:]] == sorted(row[0] for row in findings[1:])
    details = [" ".join(found.detail.split()) for found in (*compliance.findings, *empathy.findings)]
    assert len(findings) - 1 == len(details)
    assert all(" ".join(row).endswith(detail) for row, detail in zip(findings[1:], details, strict=True))
    assert [row[-1] for row in fairness[1:]] == [f"{score:g}" for score in empathy.scores.values()]


def test_levels_are_in_order_whatever_checker_found_them(tmp_path: Path) -> None:
    """A target not met (a warning of the first rule), a short rest that is allowed, work on leave (a breach)."""
    changes: dict[str, Any] = {
        "demand__0__target": 2,
        "rules__derogated_rest_hours": 8,
        "leave": [{"nurse": "ben", "day": "2026-11-24"}],
    }
    done = check(*files(tmp_path, changes, ann="ELEEE--EEEEE--"))
    head, findings, _ = tables(done)
    assert [row[:2] for row in findings[1:4]] == [
        ["breach", "leave"],
        ["compensatory", "daily_rest"],
        ["warning", "coverage"],
    ]
    assert " ".join(head[1]) == "compliance FAIL: breach 1 · compensatory 1 · warning 1"


def test_an_unfair_roster_is_rejected_and_passes(tmp_path: Path) -> None:
    changes = {"nurses__0__contract": {}, "wishes": [{"nurse": "ben", "day": "2026-11-24", "wants": True, "weight": 3}]}
    done = check(*files(tmp_path, changes, ben="L-------------"))
    assert done.exit_code == 0
    head, findings, fairness = tables(done)
    assert " ".join(head[2]) == "empathy REJECTED: underutilization 1, 0 allowed"
    assert "underutilization" in [row[1] for row in findings]
    assert fairness[2][:7] == ["ben", "Ben", "8", "80", "0/0", "0/0", "0/3"]
    assert fairness[1] == ["ann", "Ann", "80", "0/0", "0/0", "100"]


def test_one_json_object() -> None:
    done = check(SWAPPED, WILLOW, "--json")
    assert done.exit_code == 1
    ward = read_ward(WILLOW)
    roster, cost = read_roster(SWAPPED, ward), roster_cost(ward, read_roster(SWAPPED, ward))
    assert json.loads(done.stdout) == {
        "ward": {"name": "Willow Ward", "start": "2026-11-23", "days": 14, "hash": ward_hash(ward)},
        "compliance": english_record(check_compliance(ward, roster).model_dump(mode="json")),
        "empathy": english_record(check_empathy(ward, roster).model_dump(mode="json")),
        "cost": {**cost.by_kind, "total": cost.total},
    }


@pytest.mark.parametrize(
    ("changes", "cells", "told"),
    [
        ({"nurses__1__skills": ["ICU"]}, {}, "ward.json: nurses[1].skills (ben): got 'ICU', expected one of"),
        ({"days": 13}, {}, "roster.json: ann: got '14 days', expected 13 days from 2026-11-23"),
        ({}, {"ann": "XEEEE--EEEEE--"}, "roster.json: ann, 2026-11-23: got 'X', expected empty or one of the shifts"),
    ],
)
def test_a_bad_file_exits_with_2(changes: dict[str, Any], cells: dict[str, str], told: str, tmp_path: Path) -> None:
    done = check(*files(tmp_path, changes, **cells))
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr


@pytest.mark.parametrize("ending", ["json", "csv"])
@pytest.mark.parametrize("left_out", [["start"], ["days"], ["start", "days"]])
def test_the_days_that_a_ward_leaves_out_are_the_roster_s(left_out: list[str], ending: str, tmp_path: Path) -> None:
    _, ward = files(tmp_path)
    roster = tmp_path / f"made.{ending}"
    roster.write_text((roster_json if ending == "json" else roster_csv)(read_ward(ward), rows(**ROWS)))
    data = two(nurses=[{**nurse, "contract": {}} for nurse in two()["nurses"]])
    for field in left_out:
        del data[field]
    ward.write_text(json.dumps(data), encoding="utf-8")
    done = check(roster, ward)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "14 days from 2026-11-23" in done.stdout


@pytest.mark.parametrize("ending", ["json", "csv"])
def test_a_roster_of_other_days_than_its_ward_s_is_told_how_to_be_checked(ending: str, tmp_path: Path) -> None:
    ward, roster = tmp_path / "ward.json", tmp_path / f"made.{ending}"
    data = two(demand=[{"weekdays": ["monday"], "shift": "E", "minimum": 1, "target": 1}])
    for nurse in data["nurses"]:
        nurse["contract"] = {}
    ward.write_text(json.dumps(data), encoding="utf-8")
    week = read_ward(ward, start=date(2027, 1, 4), days=7)
    roster.write_text((roster_json if ending == "json" else roster_csv)(week, rows(ann="EEE----", ben="---LL--")))
    done = check(roster, ward)
    assert done.exit_code == 2
    asked = ["--start", "2027-01-04", "--days", "7"]
    assert f"expected 14 days from 2026-11-23; for the roster's own add {' '.join(asked)}" in " ".join(
        done.stderr.split()
    )
    assert len(done.stderr.splitlines()) == 1  # and not every day of it as a fault of its own
    done = check(roster, ward, *asked)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "7 days from 2027-01-04" in done.stdout


def test_a_day_that_is_missing_is_no_shorter_period(tmp_path: Path) -> None:
    _, ward = files(tmp_path)
    roster = tmp_path / "made.csv"
    whole = roster_csv(read_ward(ward), rows(**ROWS)).splitlines()
    roster.write_text("".join(f"{line.rpartition(',')[0]}\n" for line in whole))
    done = check(roster, ward)
    assert done.exit_code == 2
    assert "line 1: nothing there, expected a column for 2026-12-06" in done.stderr


def test_missing_files_exit_with_2(tmp_path: Path) -> None:
    roster, ward = files(tmp_path)
    for words in ((tmp_path / "no.csv", ward), (roster, tmp_path / "no.yaml"), (roster, tmp_path)):
        done = check(*words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith("wavegraph: ")


def test_a_name_s_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    done = check(*files(tmp_path, {"name": "Two\x1b[2J\nand more", "nurses__0__name": "A\x1b[31mnn\n"}))
    assert "\x1b" not in done.stdout
    assert done.stdout.startswith("Two[2J and more · 14 days")


def test_the_other_commands_do_not_wait_for_it() -> None:
    code = "import sys, wavegraph.app.main; print([name for name in sys.modules if 'tools.roster' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@table(
    ("words", "told"),
    [
        [
            "show V2 --for-nurses",
            "--for-nurses writes a calendar and a page for each nurse to a folder: name it, --out DIR",
        ],
        ["show V2 --for-nurses --out december.XLSX", "to a folder: name it, --out DIR"],
        ["publish willow --undo --as draft", "leave --as out, or leave --undo out"],
        ["publish willow --undo --with-problems --replaces V1", "leave --with-problems and --replaces out, or leave"],
        ["publish V3 --undo --ward willow", "leave --ward out, or leave --undo out"],
        ["wards willow --empty", "--empty makes a workbook without the ward's rows: name it, --out FILE.xlsx"],
    ],
)
def test_options_that_do_not_go_together_are_refused_with_the_way_out(words: str, told: str) -> None:
    assert told in " ".join(refused(*words.split()).replace("│", " ").split())
