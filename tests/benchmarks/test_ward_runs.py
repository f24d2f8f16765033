"""The runs of ordinary wards: what is kept passes, and what a witness does better fails."""

import json
from pathlib import Path

import pytest
from benchmarks import ward_runs
from benchmarks.ward_runs import main

NIGHTS = """
name: Nights
start: 2026-11-23
days: 7
shifts: [{id: N, start: "22:00", minutes: 480, night: true}]
nurses:
  - {id: ann, contract: {max_nights: 2}}
  - {id: ben, contract: {max_nights: 2}}
demand: [{weekdays: [monday, tuesday, friday, saturday, sunday], shift: N, minimum: 1, target: 1}]
"""


def file_in(folder: Path, nights: int) -> str:
    folder.mkdir(exist_ok=True)
    path = folder / "01.yaml"
    path.write_text(NIGHTS.replace("max_nights: 2", f"max_nights: {nights}"), encoding="utf-8")
    return str(path)


def test_a_ward_that_can_be_kept_ends_without_a_breach(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = file_in(tmp_path / "kept", 4)
    assert main([kept, "--seconds", "3"]) == 0
    assert "kept/01         2" in capsys.readouterr().out


def test_what_cannot_be_kept_is_held_against_its_witness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    short = file_in(tmp_path / "short", 2)
    monkeypatch.setattr(ward_runs, "FOLDER", tmp_path)
    for fewest, status in ((1, 0), (0, 1)):
        (tmp_path / "witnesses.json").write_text(json.dumps({"short/01": {"fewest": fewest}}), encoding="utf-8")
        assert main([short, "--seconds", "3"]) == status
        assert f"      1      1       {fewest}  0 nurses on N" in capsys.readouterr().out
