"""The README's programs and commands are run as printed, and print what it says."""

import os
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import ready
from benchmarks.roster import main as bench_roster
from patience import HANGS_S
from shown import blocks, missing
from typer.testing import CliRunner

from wavegraph import build_graph
from wavegraph.app.agents import AgentEntry
from wavegraph.app.main import app
from wavegraph.graph.hotel import hotel_domain

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
IN_A_PROGRAM = (ROOT / "docs" / "start" / "in-a-program.md").read_text(encoding="utf-8")
ENOUGH = ["--work-limit", "1", "--time-limit", "600"]
"""Of a roster that is made: no machine's speed decides what it finds."""


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_agent_of_the_example_is_the_one_that_is_shown() -> None:
    """That the program runs as it stands, with a model, is tested with `create_agent`."""
    (program,) = blocks(section("An agent of three functions"), "python")
    example = (ROOT / "examples" / "trips.py").read_text(encoding="utf-8")
    functions = re.findall(
        r"^def .*?(?=\n\n\n|\Z)", program.split("agent =")[0].rstrip(), flags=re.DOTALL | re.MULTILINE
    )

    assert len(functions) == 3
    assert [each for each in functions if each not in example] == []
    for argument in re.findall(r"^    (?:tools|system_prompt|approve)=.*$", program, flags=re.MULTILINE):
        assert argument in example


def test_the_example_prints_what_is_shown() -> None:
    (shown,) = blocks(section("An agent of three functions"), "console")
    done = subprocess.run(
        [sys.executable, "examples/trips.py"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )

    assert f"$ python examples/trips.py\n{done.stdout.lstrip()}" == shown


def test_the_demo_answers_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (shown,) = blocks(section("See it work"), "console")
    (command,) = re.findall(r"^\$ wavegraph (.*)$", shown, flags=re.MULTILINE)
    asked = shlex.split(command)
    requests = runpy.run_path(str(ROOT / "examples" / "demo.py"))["REQUESTS"]

    assert (asked[asked.index("--thread") + 1], asked[-1]) in requests
    printed = CliRunner().invoke(app, [*asked, "--today", "2026-11-21"]).output
    assert [line for line in missing(shown, printed) if not line.startswith("answered")] == []


def test_the_rules_answer_each_request_of_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And `make demo` runs that program."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    done = subprocess.run(["make", "--dry-run", "demo"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    requests = runpy.run_path(str(ROOT / "examples" / "demo.py"))["REQUESTS"]

    assert "python examples/demo.py" in done.stdout
    for thread, text in requests:
        answered = CliRunner().invoke(
            app, ["ask", "--planner", "rules", "--today", "2026-11-21", "--thread", thread, text]
        )
        assert (answered.exit_code, "\nanswered · " in answered.output) == (0, True), answered.output


def test_every_edge_of_the_flow_is_drawn() -> None:
    (drawn,) = blocks(section("How it works"), "mermaid")
    shown = re.findall(r"^    (\w+)\S* -->(?:\|.*?\|)? (\w+)", drawn, flags=re.MULTILINE)
    edges = build_graph(hotel_domain()).compile().get_graph().edges

    ends = {"__start__": "start", "__end__": "done"}
    assert sorted(shown) == sorted({(ends.get(e.source, e.source), ends.get(e.target, e.target)) for e in edges})


def test_every_node_has_a_line() -> None:
    named = re.findall(r"^- \*\*(\w+)\*\* ", section("How it works"), flags=re.MULTILINE)
    nodes = build_graph(hotel_domain()).compile().get_graph().nodes

    assert named == [name for name in nodes if not name.startswith("__")]


def test_the_booking_is_made_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    (chat,) = blocks(section("The hotel agent"), "console")
    (command,) = re.findall(r"^\$ wavegraph (.*)$", chat, flags=re.MULTILINE)
    typed = re.findall(r"^you> (.*)$", chat, flags=re.MULTILINE)

    printed = CliRunner().invoke(app, shlex.split(command), input="\n".join([*typed, ""])).output
    assert missing(chat, printed) == []


def test_the_roster_s_commands_work_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (shown,) = blocks(section("The roster generator"), "sh")
    commands = [shlex.split(line, comments=True)[1:] for line in shown.splitlines()]
    words = {command[1] for command in commands}

    assert words == {"generate", "publish", "who", "swap", "why"}
    for command in commands:
        done = CliRunner().invoke(app, [*command, *(ENOUGH if "generate" in command else [])])
        assert done.exit_code == 0, (command, done.output)
    assert sorted(path.suffix for path in (tmp_path / "rosters").iterdir()) == [".csv", ".html", ".json"]


def test_the_figures_of_rosters_are_those_of_the_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_roster(["--from", str(ROOT / "docs" / "bench-roster.json")]) == 0
    printed = capsys.readouterr().out
    proven, whole = printed.count(" proven "), len(re.findall(r"^ +\d+ .*\|", printed, flags=re.MULTILINE))
    mean = re.findall(r"agent: ([\d.]+) over", printed)[0]

    assert (
        f"Of {whole} public roster instances, {proven} are solved to proven optimality; the mean cost is {mean} of the best known."
        in README
    )


def test_each_top_folder_is_told() -> None:
    folders = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout
    there = {
        name.partition("/")[0] for name in folders.splitlines() if "/" in name and not name.startswith((".", "docs/"))
    }

    assert set(re.findall(r"`(\w+)/`", section("Read on"))) == there


def test_the_embedded_agent_prints_what_its_page_says(tmp_path: Path) -> None:
    (program,), (printed,) = blocks(IN_A_PROGRAM, "python"), blocks(IN_A_PROGRAM, "console")
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    done = ready.completed(program, [], cwd=ROOT, env=env, timeout=HANGS_S)

    assert done.stdout == printed


def test_the_entry_of_an_agent_that_the_guide_shows_is_one(tmp_path: Path) -> None:
    program = next(
        p for p in blocks((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), "python") if "AgentEntry" in p
    )
    (tmp_path / "entry.py").write_text(program, encoding="utf-8")
    entry: AgentEntry = runpy.run_path(str(tmp_path / "entry.py"))["entry"]

    assert entry.options[0].flag == "--branch"


def test_the_extras_that_are_named_are_those_there_are() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]

    assert set(re.findall(r"^\| `wavegraph\[([a-z]+)\]` \|", IN_A_PROGRAM, flags=re.MULTILINE)) == set(extras)
