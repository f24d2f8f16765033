"""The README's programs and commands are run as printed, and print what it says."""

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import ready
from benchmarks.roster import main as bench_roster
from langgraph.checkpoint.memory import InMemorySaver
from patience import HANGS_S
from shown import blocks, missing
from typer.testing import CliRunner

from wavegraph import build_graph, create_agent
from wavegraph.app.agents import AgentEntry
from wavegraph.app.main import app
from wavegraph.graph.hotel import hotel_domain
from wavegraph.testing import ScriptedModel, call, planning
from wavegraph.tools.hotel.dialogue.cannot import CANNOT as HOTEL_CANNOT
from wavegraph.tools.roster.dialogue.cannot import CANNOT as ROSTER_CANNOT
from wavegraph.tools.roster.settings import RosterSettings

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
    assert "# solves for 30 s at most;" in shown
    assert RosterSettings().time_limit_s == 30
    talked_about_as_shown()


def talked_about_as_shown() -> None:
    """The ward of the commands has the nurses that are spoken of."""
    tonight, ill, next_one = re.findall(r"“([^”]+)”", section("The roster generator").replace("\n", " "))
    command = [
        "chat",
        "--domain",
        "roster",
        "--today",
        "2026-11-24",
        "--set",
        "work_limit=0.5",
        "--set",
        "time_limit_s=600",
    ]
    told = CliRunner().invoke(app, command, input=f"{tonight}\n{ill}\nno\n{next_one}\n").output

    assert re.search(r"^Tuesday 2026-11-24: N: \w+\.$", told, flags=re.MULTILINE)
    assert "- Alice: no work, Wednesday 2026-11-25 (must hold)" in told
    assert re.search(r"^Roster \w{16} for Willow Ward, 28 days from (Monday )?2026-12-07", told, flags=re.MULTILINE)


def test_what_neither_agent_does_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have a list of it; the README names some of each."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    hotel, rosters = (" ".join(section(f"The {name}").split()) for name in ("hotel agent", "roster generator"))

    assert "It books and cancels; it changes no booking, takes no payment and arranges nothing besides" in hotel
    assert {"change_booking", "take_card", "arrange"} <= HOTEL_CANNOT.keys()
    assert "It changes no ward file, and tells nobody." in rosters
    assert {"in_file", "tell_people"} <= ROSTER_CANNOT.keys()
    told = CliRunner().invoke(app, ["ask", "Change my booking WG-H95CL3BJ to 20 January"]).output
    assert "I can't change bookings, and changed none: reception does that" in told


def test_without_a_name_in_approve_a_write_asks_nobody() -> None:
    """With one the question is shown above."""
    assert "**A write that `approve` does not name runs without a question.**" in README
    booked = []

    def book_flight(flight: str) -> str:
        """Book a flight."""
        booked.append(flight)
        return "booked"

    model = ScriptedModel(planning(call("book", "book_flight", flight="FR2")), "It is booked.")
    agent = create_agent(model, [book_flight], checkpointer=InMemorySaver())
    ended = agent.invoke(
        {"messages": "Book FR2"}, {"configurable": {"thread_id": "1"}}, context={"answer_check": "rules"}
    )  # type: ignore[call-overload]
    assert (booked, "__interrupt__" in ended) == (["FR2"], False)


def test_all_that_is_kept_lies_in_the_folder_that_is_named_and_without_it_all_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / ".local" / "share"))
    kept = Path(".local/share/wavegraph")
    assert f"on Linux `~/{kept}`: delete it to begin anew" in README
    typed = ["Book a double room January 17-19 for two adults, Dana Levi, dana@example.com", "yes", ""]
    chat = ["chat", "--today", "2026-11-21", "--thread", "dana"]
    first = CliRunner().invoke(app, chat, input="\n".join(typed)).output
    (number,) = re.findall(r"confirmed: (WG-\w+)", first)
    asked = ["ask", "--today", "2026-11-21", f"show my booking {number}, Levi"]

    assert "Dana Levi" in CliRunner().invoke(app, asked).output
    told = (ROOT / "docs" / "running" / "storage.md").read_text(encoding="utf-8").partition("The user's data folder")[2]
    named = ["wavegraph.db", *re.findall(r"`([\w.]+)/?`", told.partition("\n\n")[0])]
    assert {path.name.removesuffix("-wal").removesuffix("-shm") for path in (tmp_path / kept).iterdir()} <= set(named)
    assert [path.relative_to(tmp_path) for path in tmp_path.glob(".local/share/*")] == [kept]
    shutil.rmtree(tmp_path / kept)
    assert "Dana Levi" not in CliRunner().invoke(app, asked).output
    assert "no thread" in CliRunner().invoke(app, ["threads", "dana"]).output


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
    """In the guide to the code."""
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("\n## Where things are\n")[1].split("\n## ")[0]
    folders = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout
    there = {
        name.partition("/")[0] for name in folders.splitlines() if "/" in name and not name.startswith((".", "docs/"))
    }

    assert there <= {name.strip("`/") for name in re.findall(r"^\w+/|`\w+/`", guide, flags=re.MULTILINE)}


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


def test_it_is_installed_from_a_clone_as_the_pages_say(tmp_path: Path) -> None:
    """Nothing is fetched: what they need is there."""
    pytest.importorskip("hatchling")
    (tmp_path / "wavegraph").symlink_to(ROOT)
    pages = {"README.md": README, "in-a-program.md": IN_A_PROGRAM}
    pages |= {
        name: (ROOT / "docs" / "start" / name).read_text(encoding="utf-8") for name in ("five-minutes.md", "mcp.md")
    }
    told = {name: re.findall(r"pip install ('\./wavegraph\[[a-z,]+\]')", text) for name, text in pages.items()}

    assert [name for name, found in told.items() if not found] == []
    for source in {shlex.split(words)[0] for found in told.values() for words in found}:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--dry-run", "--no-index"]
        done = subprocess.run(
            [*pip, "--no-build-isolation", source], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
        )
        assert f"Would install wavegraph-{version('wavegraph')}" in done.stdout, done.stderr


def test_the_extras_that_are_named_are_those_there_are() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]

    assert set(re.findall(r"^\| `wavegraph\[([a-z]+)\]` \|", IN_A_PROGRAM, flags=re.MULTILINE)) == set(extras)
