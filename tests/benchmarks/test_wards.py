import ast
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchmarks.wards import check, draw, make
from benchmarks.wards.short import SHORT

KEPT = [f"kept/{number:02}" for number in range(1, 61)]
CANNOT = [f"short/{number:02}" for number in range(1, 13)]
WITNESSES: dict[str, Any] = json.loads((make.HERE / "witnesses.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wards() -> list[dict[str, Any]]:
    files = [make.HERE / f"{name}.yaml" for name in KEPT]
    return [yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader) for file in files]


def test_the_product_reads_every_ward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEPT + CANNOT:
        (tmp_path / f"{name.replace('/', '-')}.yaml").symlink_to(make.HERE / f"{name}.yaml")
    monkeypatch.setenv("WAVEGRAPH_WARDS", str(tmp_path))
    monkeypatch.setattr("sys.argv", [])
    listed = check.printed("roster", "wards")
    assert "cannot be read" not in listed
    assert all(f"Ward {number:02}" in listed for number in range(1, 61))
    assert all(f"Short {number:02}" in listed for number in range(1, 13))


def test_the_wards_are_of_all_sizes(wards: list[dict[str, Any]]) -> None:
    sizes = [len(ward["nurses"]) for ward in wards]
    counted = [(least, most, sum(least <= size <= most for size in sizes)) for least, most, _ in draw.BANDS]
    assert counted == draw.BANDS
    assert (min(sizes), max(sizes)) == (10, 60)
    assert max((make.HERE / f"{name}.yaml").stat().st_size for name in KEPT + CANNOT) < 25_000


def test_the_months_begin_on_every_weekday_and_have_28_to_31_days(wards: list[dict[str, Any]]) -> None:
    assert {ward["start"].month for ward in wards} == set(range(1, 13))
    assert {ward["start"].weekday() for ward in wards} == set(range(7))
    assert {ward["days"] for ward in wards} == {28, 29, 30, 31}


def test_the_wards_have_two_to_five_shifts_and_habits_of_their_own(wards: list[dict[str, Any]]) -> None:
    shifts = [{shift["id"]: shift["minutes"] for shift in ward["shifts"]} for ward in wards]
    contracts = [[nurse["contract"] for nurse in ward["nurses"]] for ward in wards]
    assert {len(one) for one in shifts} == {2, 3, 4, 5}
    assert sum("S" in one and one["S"] == 360 for one in shifts) >= 15
    assert sum("D" in one for one in shifts) >= 10
    assert sum("charge_skill" in ward["rules"] for ward in wards) > 30
    assert sum(any(len(one.get("max_shifts", {})) > 1 for one in ward) for ward in contracts) >= 10
    assert sum(any("nights" in nurse.get("history", {}) for nurse in ward["nurses"]) for ward in wards) == 15


def test_leave_takes_10_to_20_percent_and_minimum_cover_80_to_95_percent_of_what_is_left(
    wards: list[dict[str, Any]],
) -> None:
    for number, ward in enumerate(wards, 1):
        days = len(draw.away(ward | {"leave": [row for row in ward["leave"] if row.get("paid", True)]}))
        assert 0.1 <= days / len(ward["nurses"]) / ward["days"] <= 0.2
        share = draw.minutes_asked(ward) / sum(draw.hours_given(ward, nurse) for nurse in ward["nurses"])
        # Ten nurses with long shifts: one more head a day would be too many.
        assert (0.73 if number == 2 else 0.8) <= share <= 0.95


@pytest.mark.parametrize("name", ["kept/07", "kept/58"])
def test_a_ward_is_drawn_byte_for_byte(name: str) -> None:
    assert (make.HERE / f"{name}.yaml").read_text(encoding="utf-8") == draw.text(draw.kept(int(name[-2:])))


def test_every_ward_has_a_witness() -> None:
    assert sorted(WITNESSES) == KEPT + CANNOT
    assert all(WITNESSES[name]["roster"] for name in KEPT)


def test_a_ward_that_cannot_be_kept_says_why_and_how_many_are_missing() -> None:
    assert len(SHORT) == 12
    for name in CANNOT:
        witness = WITNESSES[name]
        assert (
            (make.HERE / f"{name}.yaml").read_text(encoding="utf-8").startswith(f"# Cannot be kept: {witness['why']}\n")
        )
        assert (witness["fewest"] is None) == (witness["roster"] is None)
        assert witness["fewest"] is None or witness["fewest"] > 0
    assert [name for name in CANNOT if WITNESSES[name]["fewest"] is None] == ["short/04"]


@pytest.mark.parametrize("part", ["draw", "short", "make", "model"])
def test_wards_and_witnesses_come_from_nothing_of_the_product(part: str) -> None:
    tree = ast.parse((make.HERE / f"{part}.py").read_text(encoding="utf-8"))
    froms = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    assert not [name for name in froms + names if "wavegraph" in name]


@pytest.mark.parametrize("name", ["kept/05", "kept/14"])
def test_a_witness_passes_the_products_checker(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [])
    assert check.broken(name, WITNESSES[name]["roster"]) == []


def test_the_products_checker_finds_the_fewest_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [])
    findings = check.broken("short/01", WITNESSES["short/01"]["roster"])
    assert {one["type"] for one in findings} <= {"coverage", "skill_mix"}
    assert sum(one["expected"] - one["actual"] for one in findings) == WITNESSES["short/01"]["fewest"]
