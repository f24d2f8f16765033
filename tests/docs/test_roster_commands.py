"""The commands of generate.md, versions.md, changes.md, ward-file.md and what-if.md, one after the other on a ward of this
machine; ids are those that come out."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from shown import blocks
from typer.testing import CliRunner

from wavegraph.app.main import app

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "docs" / "rosters"
ENOUGH = ["--work-limit", "1", "--time-limit", "600"]
"""Of a roster that is made: no machine's speed decides what it finds."""
pytestmark = pytest.mark.attack  # minutes, of solving


def commands(page: str, kind: str, holds: str) -> list[list[str]]:
    (block,) = [each for each in blocks((ROOM / page).read_text(encoding="utf-8"), kind) if holds in each]
    lines = re.findall(r"^(?:\$ )?wavegraph (.*)$", block, flags=re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


def run(words: list[str], expected: int = 0) -> str:
    """What it prints."""
    done = CliRunner().invoke(app, words)
    assert done.exit_code == expected, (words, done.output)
    return done.output


def made(words: list[str]) -> str:
    """A generated roster's id."""
    plain = [word for at, word in enumerate(words) if not (word in ENOUGH[::2] or words[at - 1] in ENOUGH[::2])]
    found = re.search(r"Roster ([0-9a-f]{16}) ", run([*plain, *ENOUGH]))
    assert found
    return found[1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands are typed: Willow's ward file is there."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    (here := tmp_path / "here").mkdir()
    shutil.copy(ROOT / "tools" / "roster" / "demo" / "willow.yaml", here)
    monkeypatch.chdir(here)
    return here


def test_a_published_roster_is_repaired_asked_about_and_swapped(folder: Path) -> None:
    first, repair = commands("changes.md", "shellsession", "--repair")
    roster = made(first)
    sick = (folder / "willow.yaml").read_text(encoding="utf-8")
    for day in ("2026-11-23", "2026-11-24"):
        sick = re.sub(r"^leave:$", f"leave:\n  - {{nurse: nurse_008, day: {day}}}", sick, flags=re.MULTILINE)
    (folder / "sick.yaml").write_text(sick, encoding="utf-8")
    run(["roster", "publish", roster])
    made(repair)
    changes = (folder / "repaired" / "sick-2026-11-23-changes.csv").read_text(encoding="utf-8")

    assert "leave" in changes
    (who,) = commands("changes.md", "shellsession", "roster who")
    assert "Who may not, and why:" in run(who)
    refused, swapped = commands("changes.md", "shellsession", "roster swap")
    assert run(refused).splitlines()[0].startswith("Swap of nurse_003 Charlie and nurse_005 Eva")
    (why,) = commands("changes.md", "shellsession", "roster why")
    assert run(why).startswith("nurse_001 Alice ")
    if "Yes: " in run(swapped[: swapped.index("--publish")]):
        run(swapped)
        assert len(json.loads(run(["roster", "wards", "willow", "--json"]))) == 2


def test_rosters_are_published_compared_followed_and_taken_back(folder: Path) -> None:
    publish, replace, undo = commands("versions.md", "shellsession", "--undo")
    one = made(["roster", "generate", "harbour"])
    two = made(["roster", "generate", "harbour", "--seed", "2", "--repair", one, "--change-weight", "0"])
    assert one != two

    assert "V1" in run(with_id(publish, one))
    assert "V2" in run([*with_id(replace, two), "--with-problems"])
    (compare,) = commands("versions.md", "shellsession", "roster compare")
    assert "cells differ" in run([word.replace("willow", "harbour") for word in compare])
    assert "V1" in run(undo).splitlines()[-1]
    _, following = commands("versions.md", "shellsession", "--start 2026-11-16")
    after = ["harbour" if word == "little.yaml" else word.replace("2026-11-16", "2026-11-30") for word in following]
    assert "before Monday 2026-11-30" in run([*after, *ENOUGH])


def test_a_roster_that_fails_is_decided_by_another_process(folder: Path) -> None:
    corner = str(ROOT / "tests" / "data" / "roster" / "corner.yaml")
    listed, *decisions = commands("generate.md", "sh", "approvals list")
    for decision in decisions:
        waiting = run(["roster", "generate", corner, *ENOUGH, "--thread", "waits"])
        assert "wavegraph approvals approve waits" in waiting
        assert "waits" in run(listed)
        run(with_id(decision, "waits"))
        run(["threads", "waits", "--delete"])


def test_a_stored_roster_is_shown_and_handed_out(folder: Path) -> None:
    roster = made(["roster", "generate", "willow"])
    show, write = commands("generate.md", "sh", "--out rosters")
    assert roster in run(with_id(show, roster))
    for each in (write, *commands("generate.md", "sh", "--out december.xlsx")):
        run(with_id(each, roster))

    assert sorted(path.suffix for path in (folder / "rosters").iterdir()) == [".csv", ".html", ".json"]
    assert [(folder / name).exists() for name in ("december.xlsx", "nurses")] == [True] * 2


def test_each_ward_is_written_as_a_workbook(folder: Path) -> None:
    written = [words[-1] for words in commands("ward-file.md", "sh", "roster wards") if run(words)]

    assert [(folder / name).exists() for name in written] == [True] * 3


def test_the_briefest_generates_work(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """What they find in their seconds is not compared: that is another each time."""
    monkeypatch.chdir(ROOT)
    (harbour,) = commands("generate.md", "shellsession", "generate harbour")
    (corner,) = commands("what-if.md", "shellsession", "corner.yaml --time-limit")

    assert made([*harbour[:-1], str(folder / "rosters")])
    assert "no roster can reach the minimum" in run(corner)


def with_id(words: list[str], found: str) -> list[str]:
    """The command with this id in the place of the page's."""
    return [found if re.fullmatch(r"ROSTER_ID|THREAD|[0-9a-f]{16}", word) else word for word in words]
