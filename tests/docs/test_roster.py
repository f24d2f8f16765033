"""The pages on wards and rosters: every rule, and the examples as they are read and printed. `test_pages.py` holds the tables
of fields."""

import json
import re
import shlex
from pathlib import Path

import pytest
from shown import blocks
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.tools.roster.ward.fairness_limits import ALLOWED
from wavegraph.tools.roster.ward.faults import WardError
from wavegraph.tools.roster.ward.file import read_ward, ward_of
from wavegraph.tools.roster.ward.finding_types import FINDING_TYPES
from wavegraph.tools.roster.ward.roster_file import read_roster
from wavegraph.tools.roster.ward.ward import Ward

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "docs" / "rosters"
CHECKS, WARD_FILE, WHAT_IF = (
    (ROOM / name).read_text(encoding="utf-8") for name in ("checks.md", "ward-file.md", "what-if.md")
)


def section(title: str) -> str:
    return re.split(r"\n##+ ", CHECKS.split(f"# {title}\n", 1)[1])[0]


def table(title: str) -> list[dict[str, str]]:
    header, _, *rows = (
        [cell.strip() for cell in line.split("|")[1:-1]] for line in section(title).splitlines() if line[:1] == "|"
    )
    return [dict(zip(header, row, strict=True)) for row in rows]


def block(page: str, kind: str, holds: str = "") -> str:
    (found,) = [each for each in blocks(page, kind) if holds in each]
    return found


def test_every_rule_is_told_with_what_is_allowed() -> None:
    checked = [row["rule"].strip("`") for row in table("What compliance checks")]
    allowed = {row["finding"].strip("`"): row["allowed"] for row in table("What empathy checks")}
    assert {*checked, *allowed} == set(FINDING_TYPES)
    assert allowed == {kind: "any number" if most is None else str(most) for kind, most in ALLOWED.items()}


def test_the_small_ward_is_read_and_uses_every_field_of_a_ward(tmp_path: Path) -> None:
    (tmp_path / "ward.yaml").write_text(block(WARD_FILE, "yaml"), encoding="utf-8")
    ward = read_ward(tmp_path / "ward.yaml")
    assert ward_of(json.loads(ward.model_dump_json())) == ward
    assert ward.model_fields_set == set(Ward.model_fields)


def test_its_fault_reads_as_shown(tmp_path: Path) -> None:
    (tmp_path / "ward.yaml").write_text(
        block(WARD_FILE, "yaml").replace("skills: [RN]\n", "skills: [ICU]\n"), encoding="utf-8"
    )
    with pytest.raises(WardError) as raised:
        read_ward(tmp_path / "ward.yaml")
    assert f"{raised.value}\n" == block(WARD_FILE, "text")


def test_both_rosters_are_the_same(tmp_path: Path) -> None:
    for kind in ("yaml", "csv", "json"):
        (tmp_path / f"file.{kind}").write_text(block(WARD_FILE, kind), encoding="utf-8")
    ward = read_ward(tmp_path / "file.yaml")
    assert read_roster(tmp_path / "file.csv", ward) == read_roster(tmp_path / "file.json", ward)


def test_the_command_prints_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command, *shown = block(CHECKS, "console").splitlines()
    done = CliRunner().invoke(app, command.removeprefix("$ wavegraph ").split())
    assert [line.rstrip() for line in done.stdout.splitlines()] == shown


def test_what_if_prints_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to which of two equally cheap changes is named for the column without a roster."""
    monkeypatch.chdir(ROOT)
    command, *shown = block(WHAT_IF, "shellsession", "roster what-if").splitlines()
    done = CliRunner().invoke(app, shlex.split(command.removeprefix("$ wavegraph ")))
    told = [line.rstrip() for line in done.stdout.splitlines()]
    whole, why = told[:-1], told[-1].partition(" A roster exists with ")[0]
    assert [*whole, f"{why} A roster exists with "] == [
        *shown[shown.index(whole[0]) : -2],
        shown[-2].partition("at least 33 h instead")[0],
    ]
    assert [line for line in done.stderr.splitlines() if line.strip()] == [*shown[:5], shown[-1]]
