"""Whatever a thread holds, no command prints what a terminal would obey: hostile in every field."""

import json
import re
import shlex
import unicodedata
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from graffiti import COMMANDING, ESCAPES, HOSTILE, TURNS
from roster_wards import two
from shell import HERE, Inside
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.app.terminal.shell_words import shell_word

GRAFFITI = ("--domain", "graffiti:graph")
THREAD = f"t {HOSTILE}"
OWN = re.compile(r"\x1b\[(?:[0-9;]*m|\?25[lh]|1A|2K)|\r")
"""What the live view sends to a terminal: colours, the cursor, its own lines drawn again."""


def assert_plain(printed: str, *, own: bool = False) -> None:
    """Only what is seen, newlines and tabs; `own`: and what the live view sends."""
    assert [part for part in COMMANDING if part in printed] == []
    rest = OWN.sub("", printed) if own else printed
    hidden = {c for c in rest if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - {"\n", "\t"}
    assert hidden == set()


class Street:
    """The command line inside this process, with the agent whose every word is hostile."""

    def __init__(self, home: Path, **environment: str) -> None:
        self.database = str(home / "test.db")
        self.runner = CliRunner(env={"XDG_DATA_HOME": str(home), "COLUMNS": "200", **environment})

    def __call__(self, *words: str, typed: str = "") -> Any:
        with chdir(HERE):
            return self.runner.invoke(app, words, input=typed, catch_exceptions=False)

    def printed(self, *words: str, status: int = 0, typed: str = "") -> str:
        done = self(*words, "--db", self.database, typed=typed)
        assert done.exit_code == status, done.output
        assert_plain(done.stdout)
        assert_plain(done.stderr)
        return str(done.stdout + done.stderr)


@pytest.fixture
def street(tmp_path: Path) -> Street:
    return Street(tmp_path)


def ask(street: Street, text: str, *words: str, status: int = 0) -> str:
    return street.printed("ask", f"{text} {HOSTILE}", "--thread", THREAD, *GRAFFITI, *words, status=status)


@pytest.mark.parametrize("how", [(), ("--json",), ("--debug",)], ids=["plain", "json", "debug"])
@pytest.mark.parametrize(
    ("text", "status"), [("look", 0), ("look fail", 0), ("fail", 1), ("stray", 1), ("paint", 0), ("nothing", 0)]
)
def test_requests(text: str, status: int, how: tuple[str, ...], street: Street) -> None:
    printed = ask(street, text, *how, status=status)

    assert "שלום" in printed
    assert "[red]red[/red]" in printed
    if how == ("--json",):
        assert json.loads(next(line for line in printed.splitlines() if line[:1] == "{"))["thread_id"] == THREAD


def test_a_waiting_thread_and_its_decisions(street: Street) -> None:
    ask(street, "paint")
    street.printed("approvals", "list", *GRAFFITI)
    (waiting,) = json.loads(street.printed("approvals", "list", "--json", *GRAFFITI))
    street.printed("approvals", "approve", THREAD, "--edit", f"word=x{HOSTILE}", *GRAFFITI)
    street.printed("chat", "--thread", THREAD, *GRAFFITI, typed=f"{HOSTILE}\n/{HOSTILE}\nlook\n")
    street.printed("approvals", "reject", THREAD, "--reason", HOSTILE, *GRAFFITI, "--json")

    assert waiting["thread_id"] == THREAD
    assert HOSTILE in waiting["summary"]


def test_what_is_kept_of_a_thread(street: Street) -> None:
    ask(street, "look fail")
    street.printed("feedback", THREAD, "bad", "--why", HOSTILE)
    assert f"thread {shell_word(THREAD)} · " in street.printed("threads", THREAD, *GRAFFITI)
    assert json.loads(street.printed("threads", THREAD, "--json", *GRAFFITI))["thread_id"] == THREAD
    assert json.loads(street.printed("threads", "--json"))[0]["thread_id"] == THREAD
    assert street.printed("threads").splitlines()[1].startswith(f"{shell_word(THREAD)}  ")
    street.printed("report")
    street.printed("report", "--json")
    assert street.printed("threads", THREAD, "--delete") == f"deleted {shell_word(THREAD)}\n"


@pytest.mark.parametrize(
    "words",
    [
        ("threads", THREAD),
        ("threads", THREAD, "--delete"),
        ("threads", "--delete", "--older-than", HOSTILE),
        ("resume", THREAD, *GRAFFITI),
        ("approvals", "approve", THREAD, *GRAFFITI),
        ("feedback", THREAD, "good"),
        ("feedback", THREAD, HOSTILE),
        ("ask", "x", "--domain", HOSTILE),
        ("ask", "x", "--domain", f"{HOSTILE}:graph"),
        ("ask", "x", "--set", HOSTILE),
        ("ask", "x", "--set", f"{HOSTILE}=1", *GRAFFITI),
        ("ask", "x", "--today", HOSTILE, *GRAFFITI),
        ("ask", "x", "--property", HOSTILE),
        ("ask", "x", "--planner", HOSTILE),
        ("ask", "x", f"--{HOSTILE}"),
        ("ask", "x", HOSTILE),
        ("report", "--since", HOSTILE),
        ("roster", "stop", THREAD),
        ("roster", "generate", HOSTILE),
    ],
    ids=lambda words: " ".join(words).replace(HOSTILE, "…"),
)
def test_errors(words: tuple[str, ...], street: Street) -> None:
    assert street.printed(*words, status=2)


@pytest.mark.parametrize(
    "words",
    [(HOSTILE,), (f"--{HOSTILE}",), ("roster", "show", HOSTILE), ("hotel", "import", HOSTILE), ("hotel", "list", "--holds", HOSTILE),
     ("graph", "--out", f"{HOSTILE}.gif"), ("eval", HOSTILE), ("roster", "check", HOSTILE, "--ward", HOSTILE)],
    ids=lambda words: " ".join(words).replace(HOSTILE, "…"),
)  # fmt: skip
def test_errors_of_commands_without_a_database(words: tuple[str, ...], street: Street) -> None:
    done = street(*words)

    assert done.exit_code == 2
    assert_plain(done.stdout + done.stderr)


def test_an_evaluation(street: Street, tmp_path: Path) -> None:
    case = {"id": HOSTILE, "category": HOSTILE, "text": f"look {HOSTILE}", "expect": {"action": HOSTILE}, HOSTILE: 1}
    expected = {"action": "tools", "waves": [[{"tool": "look", "args": {"word": HOSTILE + "x"}}]]}
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"cases": [{**case, "expect": expected}]}), encoding="utf-8")
    for how in ((), ("--json",)):
        done = street("eval", str(file), *GRAFFITI, *how)
        assert_plain(done.stdout + done.stderr)
        assert "שלום" in done.stdout


def test_a_roster_of_nurses_with_such_names(street: Street, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ward = two(name=HOSTILE, nurses__1__name=HOSTILE, demand__1__minimum=0, demand__1__target=0)
    (tmp_path / "wards").mkdir()
    file = tmp_path / "wards" / f"{HOSTILE}.json".replace("/", "")
    file.write_text(json.dumps(ward), encoding="utf-8")
    monkeypatch.setenv("WAVEGRAPH_WARDS", str(tmp_path / "wards"))
    out = ("--out", str(tmp_path / f"out{ESCAPES}".replace("/", "")))
    grid = street.printed("roster", "generate", str(file), "--work-limit", "0.2", "--thread", THREAD, *out)
    (roster_id,) = set(re.findall(r"Roster (\w{16})", grid))
    for words in (("wards",), ("wards", "--json"), ("show", roster_id, *out), ("show", roster_id, "--json")):
        shown = street("roster", *words)
        assert shown.exit_code == 0
        assert_plain(shown.stdout + shown.stderr)

    assert "ben שלום" in grid
    known = json.loads(street("roster", "wards", "--json").stdout)[-1]
    assert any(str(value).startswith("שלום ") for value in known.values())


def test_on_a_terminal_the_only_sequences_are_those_of_the_live_view(tmp_path: Path) -> None:
    street = Street(tmp_path, FORCE_COLOR="1", TERM="xterm", COLUMNS="60")
    for text in ("look fail", "stray", "paint"):
        done = street("ask", f"{text} {HOSTILE}", "--thread", THREAD, *GRAFFITI, "--debug", "--db", street.database)
        assert_plain(done.stdout)
        assert_plain(done.stderr, own=True)
        assert "\x1b[" in done.stderr
    for words in (("threads"), ("threads", THREAD), ("approvals", "list", *GRAFFITI), ("report",)):
        assert_plain(street(*words, "--db", street.database).stdout, own=True)


def test_the_line_that_goes_on_takes_the_thread_up_again(inside: Inside) -> None:
    thread = f"t{ESCAPES}{TURNS}"
    done = inside("chat", "--thread", thread, typed="look:blue\n")
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("go on with: ")]
    words = list(unquoted(line.removeprefix("go on with: ")))

    assert words[:4] == ["wavegraph", "chat", "--thread", thread]
    assert inside.plain(*words[1:], "--json").returncode == 0


def unquoted(line: str) -> Iterator[str]:
    """The words as bash reads them."""
    for quoted, other in re.findall(r"\$'((?:[^'\\]|\\.)*)'|(\S+)", line):
        yield quoted.encode("latin-1").decode("unicode_escape") if quoted else shlex.split(other)[0]
