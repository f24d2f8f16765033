"""Around a command: Ctrl-C before and after it, streams that are closed, and a Python without docstrings."""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import HANGS_S
from shell import CLERK, COMMAND, HERE, Inside, Shell, read_until
from typer.testing import CliRunner

from wavegraph.app.main import app

HEARS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""Also where the tests were started in the background, which ignores Ctrl-C."""
AT_IMPORT = """
import os, signal, sys
class Interrupts:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts)
from wavegraph.app.start import main
main()
"""
AT_IMPORT_NUMBER = """
import os, signal, sys
from wavegraph.app import start
class Interrupts:
    seen = 0
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        cls.seen += 1
        if cls.seen == {number}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts)
start.main()
"""
AT_END = """
import atexit, os, signal
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
from wavegraph.app.start import main
main()
"""


def run(code: str, *words: str, home: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", code, *words], cwd=HERE, capture_output=True, text=True, timeout=HANGS_S, check=False,
        env={**os.environ, "XDG_DATA_HOME": str(home)},
    )  # fmt: skip


@pytest.mark.parametrize(
    "module",
    ["wavegraph.app.main", "asyncio", "typer", "langgraph", "wavegraph.app.agents", "wavegraph.app.commands.graph",
     "wavegraph.graph.hotel"],
)  # fmt: skip
def test_ctrl_c_while_it_is_imported_ends_it_quietly(module: str, tmp_path: Path) -> None:
    """The last but one holds the command, which imports the last one itself."""
    done = run(HEARS + AT_IMPORT.format(module=module), "graph", home=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.attack
@pytest.mark.parametrize("shot", range(8))
def test_ctrl_c_at_any_import_leaves_no_traceback(
    shot: int, seed: int, tmp_path: Path, attempts: Callable[[str, int], None]
) -> None:
    """Or all is imported already, and the request is answered."""
    number = random.Random(f"{seed} {shot}").choice([*range(1, 12), *range(20, 1500)])
    words = ("ask", "look:blue", *CLERK, "--db", str(tmp_path / "test.db"))
    done = run(HEARS + AT_IMPORT_NUMBER.format(number=number), *words, home=tmp_path)
    assert (done.returncode, done.stdout) in ((130, ""), (0, "blue: 3 left\n"))
    assert "Traceback" not in done.stderr
    attempts("Ctrl-C while it starts", 1)


def test_ctrl_c_when_all_is_done_ends_it_quietly(tmp_path: Path) -> None:
    done = run(HEARS + AT_END, "--version", home=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "wavegraph 0.1.0\n", "")


def test_a_caller_that_wants_it_ignored_has_it_ignored(tmp_path: Path) -> None:
    """As `nohup` and a shell's `&` do."""
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + AT_END
    done = run(code, "--version", home=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "wavegraph 0.1.0\n", "")


def closed(shell: Shell, streams: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run to the end with streams closed, as a shell writes it."""
    line = ["sh", "-c", f'exec "$@" {streams}', "sh", *COMMAND, *words, *CLERK, "--db", shell.database]
    return shell._run(line, "")


def test_without_stdout_the_work_is_kept_and_the_loss_told(shell: Shell, inside: Inside) -> None:
    done = closed(shell, ">&-", "ask", "look:blue", "--thread", "t1")

    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[-2].startswith("answered · 1 tool call · ")
    assert lines[-1] == "wavegraph: cannot write to stdout: it is closed"
    assert "blue: 3 left" in inside.plain("threads", "t1", *CLERK, "--db", inside.database).stdout


def test_without_stdin_a_chat_is_over_and_without_stderr_it_is_silent(shell: Shell) -> None:
    chat = closed(shell, "<&-", "chat", "--thread", "t1")
    ask = closed(shell, "2>&- <&-", "ask", "look:blue")

    assert (chat.returncode, chat.stdout) == (0, "")
    assert "Traceback" not in chat.stderr
    assert (ask.returncode, ask.stdout) == (0, "blue: 3 left\n")


def test_a_reader_that_leaves_is_no_reason_for_words(shell: Shell, inside: Inside) -> None:
    """As `head` does."""
    shell.held.touch()
    process = shell.start("ask", "look:blue nap:0", "--thread", "t1")
    assert process.stdout
    assert process.stderr
    read_until(process, "a nap began")
    process.stdout.close()
    shell.held.unlink()
    rest = process.stderr.read()

    assert process.wait(HANGS_S) == 1
    assert rest.splitlines()[-1].startswith("answered · 2 tool calls · ")
    assert "Traceback" not in rest
    assert "Broken" not in rest
    assert inside.json("again", "--thread", "t1")["tools_executed"] == 2


BEGUN = """
from wavegraph.app import process_start, main, start
assert process_start.started_at_ms() is None
main.main = lambda: print(process_start.started_at_ms())
start.main()
"""


def test_when_a_command_began_is_known_before_all_else() -> None:
    before = time.time_ns() // 1_000_000
    done = subprocess.run([sys.executable, "-c", BEGUN], capture_output=True, text=True, check=True)

    assert before <= int(done.stdout) <= time.time_ns() // 1_000_000


UNDER_OO = """
import json, sys
from typer.testing import CliRunner
from wavegraph.app.main import app
assert False, "asserts are gone"
done = [CliRunner().invoke(app, words) for words in json.load(sys.stdin)]
print(json.dumps([[each.exit_code, each.stdout] for each in done]))
"""
LISTED = [["--help"], ["ask", "--help"], ["roster", "generate", "--help"], ["graph"], ["graph", "--domain", "roster"]]
RULES = ("--planner", "rules", "--db", ":memory:")
ASKED = [
    ["ask", *RULES, "--today", "2026-11-21", "Check availability December 25"],
    ["ask", *RULES, "--domain", "roster", "--set", "max_adaptations=0", "make the roster for willow, 3 days"],
]


@pytest.mark.attack
@pytest.mark.parametrize("commands", [LISTED, ASKED], ids=["listed", "asked"])
def test_without_asserts_and_docstrings_every_command_works(
    commands: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    usual = [[each.exit_code, each.stdout] for each in (CliRunner().invoke(app, words) for words in commands)]
    done = subprocess.run(
        [sys.executable, "-OO", "-c", UNDER_OO], input=json.dumps(commands), capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert [_in_short(*each) for each in json.loads(done.stdout)] == [_in_short(*each) for each in usual]
    assert {status for status, _ in usual} == {0}


def _in_short(status: int, text: str) -> "tuple[int, str]":
    """A roster's figures depend on how far the solver came; all else is compared whole."""
    return status, text if not text.startswith("Roster ") else "a roster"
