"""A roster that is being solved: Ctrl-C, a stop from another terminal, and the person at this one."""

import json
import os
import pty
import shlex
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from patience import HANGS_S, not_hanging
from ready import Process
from roster_wards import ROOT, two
from shell import Shell, read_until
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.tools.roster.ward.fairness_limits import EmpathyLimits

HARBOUR = ROOT / "tools/roster/demo/harbour.yaml"
LONG = ("--time-limit", "600", "--thread", "t")
"""Far longer than any test waits."""
AWAY = [{"nurse": "ben", "day": f"2026-11-{day}", "paid": False} for day in range(23, 31)]
AWAY += [{"nurse": "ben", "day": "2026-12-01", "paid": False}]


def solving(shell: Shell, *words: str) -> Process:
    """A roster that is being solved, with a first one found: of a demo ward where nothing is unfair, so that there is
    nothing to prove and to decide."""
    ward = shell.home / "harbour.yaml"
    allowed = dict.fromkeys(EmpathyLimits().allowed, 99)
    ward.write_text(f"{HARBOUR.read_text()}\nfairness: {json.dumps({'allowed': allowed})}\n")
    process = shell.start_plain("roster", "generate", str(ward), *LONG, *words, "--db", shell.database)
    read_until(process, "round 1: solving")
    with not_hanging():
        while not list(shell.home.glob("wavegraph/rosters/running/*.json")):
            time.sleep(0.05)
    return process


def written(shell: Shell) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shell.home / "out/harbour-2026-11-23.json").read_text())
    return found


def test_ctrl_c_takes_the_best_so_far(shell: Shell) -> None:
    process = solving(shell, "--out", str(shell.home / "out"))
    process.send_signal(signal.SIGINT)
    read_until(process, "stopping with the best roster so far; press Ctrl-C again to cancel")
    out, err = process.communicate(timeout=HANGS_S)

    assert process.returncode == 0
    assert "round 2" not in err
    assert written(shell)["roster_id"] in out
    assert written(shell)["note"] == "Not published yet: stopped early on request, the best roster found by then."


def test_a_second_ctrl_c_cancels_and_the_line_it_gives_goes_on(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    process = solving(shell, "--out", str(shell.home / "out"))
    process.send_signal(signal.SIGINT)
    read_until(process, "press Ctrl-C again to cancel")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=HANGS_S)

    assert process.returncode == 130
    assert "Traceback" not in err
    assert "the best so far" in out
    assert written(shell)["note"] == "Not published: the work was stopped, and this is the best roster found by then."
    line = next(line for line in err.splitlines() if line.startswith("go on with: "))
    command, *words = shlex.split(line.partition(": ")[2])
    assert (command, words[words.index("time_limit_s=600.0") - 1]) == ("wavegraph", "--set")

    assert any(
        each.startswith(f"  wavegraph roster show ROSTER_ID --out {shell.home / 'out'} --db ")
        for each in err.splitlines()
    )

    monkeypatch.setenv("XDG_DATA_HOME", str(shell.home))
    record = json.loads(
        CliRunner().invoke(app, [*words, "--set", "time_limit_s=900", "--set", "work_limit=0.05", "--json"]).stdout
    )
    assert record["outcome"] == "answered"
    assert record["results"]["generate_roster"]["status"] == "ok"
    assert record["tools"].count("get_staff") == 1


def test_another_terminal_stops_it(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    process = solving(shell, "--out", str(shell.home / "out"))
    monkeypatch.setenv("XDG_DATA_HOME", str(shell.home))
    done = CliRunner().invoke(app, ["roster", "stop", "t", "--db", shell.database])
    out, err = process.communicate(timeout=HANGS_S)

    assert (done.exit_code, done.stdout) == (0, "asked t to stop with its best roster so far\n")
    assert process.returncode == 0
    assert "round 2" not in err
    assert written(shell)["roster_id"] in out


def test_the_person_at_the_terminal_is_asked(shell: Shell) -> None:
    """First something that is no answer, then a no with its reason."""
    file = shell.home / "unfair.json"
    file.write_text(json.dumps(two(leave=AWAY, demand__1__minimum=0, demand__1__target=0)))
    (shown, refused), out = _decided(shell, file, "perhaps", "no, Ben needs more hours")

    assert "Shall I go ahead?" in shown
    assert "cannot take 'perhaps' as an answer; expected yes, no, draft, or JSON such as" in " ".join(refused.split())
    assert "Not published: it was not agreed to: Ben needs more hours." in out


@pytest.mark.parametrize(
    ("typed", "decided"),
    [("yes", "Published with these warnings, as you approved."), ("draft", "Kept as a draft, as you chose.")],
)
def test_the_terminal_takes_what_it_offers(shell: Shell, typed: str, decided: str) -> None:
    """Of a question of over 400 characters too, which elsewhere is answered with a code: it stands right above."""
    (shown,), out = _decided(shell, ROOT / "tests/data/roster/corner.yaml", typed)

    assert "Shall I go ahead? (yes " in shown
    assert "(what was typed before this question is not read; please type it again)" in shown
    assert decided in out


def _decided(shell: Shell, ward: Path, *typed: str) -> tuple[list[str], str]:
    """What a terminal shows before each of these is typed at it, and what is printed in the end."""
    ours, theirs = pty.openpty()
    try:
        words = ("roster", "generate", str(ward), "--time-limit", "900", "--db", shell.database)
        process = shell.start_plain(*words, stdin=theirs, stderr=theirs)
        os.write(ours, b"yes\n")  # long before the question
        shown = []
        for line in typed:
            shown.append(_seen(ours, "yes, no and why, or draft >"))
            os.write(ours, f"{line}\n".encode())
        assert process.stdout is not None
        out = process.stdout.read()
        process.wait(HANGS_S)
    finally:
        os.close(ours)
        os.close(theirs)
    assert process.returncode == 0
    return shown, out


def _seen(terminal: int, wanted: str) -> str:
    """What the terminal shows up to some words."""
    shown = ""
    with not_hanging():
        while wanted not in shown:
            shown += os.read(terminal, 4096).decode(errors="replace")
    return shown
