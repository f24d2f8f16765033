"""What is refused, and in which words."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from shell import CLERK, HERE
from tables import table
from typer.testing import CliRunner

from wavegraph.app.main import app


@dataclass(frozen=True)
class BadUsage:
    id: str
    words: tuple[str, ...]
    message: str


BAD_USAGE = [
    BadUsage("a day that does not exist", ("--today", "2026-13-05"), "'2026-13-05' is not a date; write YYYY-MM-DD"),
    BadUsage("a bare number for a day", ("--today", "5"), "'5' is not a date"),
    BadUsage("an unknown planner", ("--planner", "magic"), "'magic' is not one of"),
    BadUsage("a model where there is none", ("--planner", "llm"), "'planner' = 'llm'"),
    BadUsage("a setting the agent has not", ("--country", "IL"), "unknown setting 'country'"),
    BadUsage("a setting by its name alone", ("--set", "max_waves"), "'max_waves' is not a setting; write NAME=VALUE"),
    BadUsage("a setting that nobody has", ("--set", "speed=9"), "unknown setting 'speed'"),
    BadUsage("a setting out of its bounds", ("--set", "max_waves=0"), "'max_waves' = '0'"),
    BadUsage("a setting that is not JSON", ("--set", "today=[1"), "'today' = '[1' is not JSON"),
    BadUsage("an unknown language", ("--language", "tlh"), "'tlh' is not one of auto, en, he"),
    BadUsage("an unknown domain", ("--domain", "zoo"), "unknown domain 'zoo'; known: hotel"),
    BadUsage("a module that is not there", ("--domain", "zoo:graph"), "No module named 'zoo'"),
    BadUsage("no graph in the module", ("--domain", "clerk:look"), "'look' in clerk is not a graph"),
    BadUsage("a folder for a database", ("--db", "/"), "cannot open the database '/': Is a directory"),
    BadUsage("a database in no folder", ("--db", "no/such/x.db"), "'no/such/x.db': No such file"),
    BadUsage("a file that is not a database", ("--db", "clerk.py"), "'clerk.py': file is not a database"),
    BadUsage(
        "another kind of database", ("--db", "mysql://desk:Zq7@db/x"), "a connection string that is not PostgreSQL's"
    ),
    BadUsage(
        "a server that is not there", ("--db", "host=127.0.0.1 port=1 password=Zq7"), "'postgresql://127.0.0.1:1'"
    ),
    BadUsage("an empty database name", ("--db", ""), "cannot open the database"),
    BadUsage("an empty thread", ("--thread", " "), "a thread needs an id"),
]


@pytest.mark.parametrize("case", BAD_USAGE, ids=lambda case: case.id)
def test_bad_usage_exits_with_2_and_says_what_to_do(
    case: BadUsage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(HERE)
    given = ["ask", "look:blue", *CLERK, "--db", str(tmp_path / "test.db"), *case.words]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 2
    assert "Zq7" not in done.output
    assert case.message in " ".join(done.stderr.replace("│", " ").split())
    assert done.stdout == ""


@table("words", [["fly"], ["ask"], ["ask", "a", "b"], ["hotel"], ["graph", "--out"]])
def test_a_wrong_command_exits_with_2(words: list[str]) -> None:
    assert CliRunner().invoke(app, words).exit_code == 2


@pytest.mark.parametrize("name", ["graph.gif", "graph", "no/such/graph.mmd"])
def test_a_drawing_that_cannot_be_made_exits_with_2(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["graph", *CLERK, "--out", name])
    assert done.exit_code == 2
    assert repr(name) in done.stderr
    assert list(tmp_path.iterdir()) == []
