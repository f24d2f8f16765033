"""The README's programs are run as printed, and print what it says."""

import ast
import os
import re
import runpy
import shlex
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
import ready
from patience import HANGS_S
from shown import blocks, missing
from typer.testing import CliRunner

from wavegraph.app.agents import AgentEntry
from wavegraph.app.main import app

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_first_screen_has_an_agent_and_leads_on() -> None:
    """That its program runs is tested with `create_agent`."""
    first = README.split("\n## ")[0]
    (program,) = blocks(first, "python")

    assert "create_agent(" in program
    assert [
        way
        for way in ("docs/start/five-minutes.md", "docs/start/from-create-agent.md", "docs/mcp.md", "`wavegraph new")
        if way not in first
    ] == []
    assert len(first.splitlines()) < 50


def test_the_embedded_agent_prints_what_the_readme_says(tmp_path: Path) -> None:
    (program,), (printed,) = blocks(section("Embed it"), "python"), blocks(section("Embed it"), "console")
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    done = ready.completed(program, [], cwd=ROOT, env=env, timeout=HANGS_S)

    assert done.stdout == printed


def test_the_embedded_roster_generator_makes_a_roster(tmp_path: Path) -> None:
    (program,) = blocks(section("The roster generator"), "python")
    in_a_folder = program.replace('Path("roster-data")', repr(tmp_path).replace("PosixPath", "Path"))
    done = ready.completed(in_a_folder, [], cwd=ROOT, env=os.environ, timeout=HANGS_S)
    answer, roster = done.stdout.rstrip().rsplit("\n", 1)

    assert "Willow Ward, 14 days from Monday 2026-11-23" in answer
    assert {len(row) for row in ast.literal_eval(roster).values()} == {14}


def test_the_bookings_print_what_the_readme_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    booking = section("The hotel agent").split("### Booking")[1]
    chat, staff = blocks(booking, "console")

    assert missing(chat, commands(chat, re.findall(r"^you> (.*)$", chat, re.MULTILINE))) == []
    assert missing(staff, commands(staff)) == []


def commands(block: str, typed: Sequence[str] = ()) -> str:
    """What the block's commands print, one after the other, with these lines typed into each."""
    lines = [shlex.split(line, comments=True) for line in re.findall(r"^\$ wavegraph (.*)$", block, re.MULTILINE)]
    return "".join(CliRunner().invoke(app, words, input="\n".join([*typed, ""])).output for words in lines)


def test_the_library_desk_is_shown_as_it_is() -> None:
    source = (ROOT / "examples" / "library_desk.py").read_text(encoding="utf-8")
    (shown,) = blocks(section("Your own domain"), "python")

    assert all(part in source for part in re.split(r"\n\n\n(?=class )", shown.strip()))


def test_the_entry_of_an_agent_that_the_guide_shows_is_one(tmp_path: Path) -> None:
    program = next(
        p for p in blocks((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), "python") if "AgentEntry" in p
    )
    (tmp_path / "entry.py").write_text(program, encoding="utf-8")
    entry: AgentEntry = runpy.run_path(str(tmp_path / "entry.py"))["entry"]

    assert entry.options[0].flag == "--branch"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_linked_file_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = {target.split("#")[0] for target in re.findall(r"\]\(([^)]+)\)", text) if "://" not in target}

    assert {target for target in targets if target and not (page.parent / target).exists()} == set()


def test_the_extras_that_the_readme_names_are_those_there_are() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]

    assert set(re.findall(r"wavegraph\[([a-z]+)\]", README)) == set(extras)
