"""Ctrl-C at the command line: the partial answer, the line that resumes, and what a second one does."""

import json
import shlex
import signal
import sqlite3
import time
from contextlib import closing
from typing import Any

import pytest
from patience import HANGS_S, not_hanging
from ready import Process
from shell import Inside, Shell, read_until


def interrupt(process: Process) -> tuple[str, str]:
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=HANGS_S)


def stopped(shell: Shell, *words: str) -> tuple[str, list[str]]:
    """A request stopped after its first call, in its second: stdout, and the lines of stderr."""
    shell.held.touch()
    process = shell.start("ask", *words)
    read_until(process, "✓ look_1", "began")
    out, err = interrupt(process)
    assert process.returncode == 130
    assert "Traceback" not in err
    return out, err.splitlines()


@pytest.mark.parametrize("tool", ["nap", "doze"], ids=["async tool", "tool in a thread"])
def test_the_partial_answer_and_the_line_that_resumes(shell: Shell, inside: Inside, tool: str) -> None:
    out, lines = stopped(shell, f"look:blue {tool}:0.1", "--thread", "t1")

    answer_lines = out.splitlines()
    assert answer_lines[:3] == ["Stopped, as you asked.", "This is what I know so far:", "blue: 3 left"]
    assert answer_lines[3] == f"Not done: {tool}_2."
    assert len(answer_lines) == (4 if tool == "nap" else 5)
    assert ("Could not be interrupted" in answer_lines[-1]) == (tool == "doze")
    assert lines[-2].startswith("cancelled · 1 tool call · 0 waves · ")
    assert lines[-1] == f"go on with: wavegraph resume t1 --domain clerk:graph --db {shell.database}"

    done = inside("resume", "t1", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["outcome"], report["tools_executed"]) == (0, "answered", 2)
    assert report["answer"] == f"blue: 3 left\n{tool}ped 0.1".replace("dozeped", "dozed").replace("napped", "napped")
    assert "look_1" not in done.stderr
    again = inside("resume", "t1")
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr == "wavegraph: thread 't1' has no request that was cut off\n"


def test_the_line_that_resumes_has_every_option_that_was_given(shell: Shell, inside: Inside) -> None:
    options = ("--today", "2026-11-20", "--language", "en", "--planner", "rules")
    _, lines = stopped(shell, "look:blue nap:0.1", "--thread", "a b", *options)

    words = shlex.split(lines[-1].partition(": ")[2])
    assert words[:3] == ["wavegraph", "resume", "a b"]
    assert words[3:] == ["--domain", "clerk:graph", "--db", shell.database, *options]
    assert inside.plain(*words[1:]).stdout == "blue: 3 left\nnapped 0.1\n"


def test_json_says_what_is_left(shell: Shell) -> None:
    out, _ = stopped(shell, "look:blue nap:0.1", "--json")
    report: dict[str, Any] = json.loads(out)

    assert (report["outcome"], report["unfinished"], report["can_resume"]) == ("cancelled", ["nap_2"], True)
    assert (report["tools"], report["tools_executed"]) == (["look"], 1)


def test_a_changed_request_looks_nothing_up_again(shell: Shell, inside: Inside) -> None:
    stopped(shell, "look:blue nap:0.1", "--thread", "t1")
    done = inside.json("look:blue", "--thread", "t1")

    assert (done["answer"], done["tools_executed"]) == ("blue: 3 left", 0)


def test_a_second_ctrl_c_quits_at_once_and_loses_nothing(shell: Shell, inside: Inside) -> None:
    process = shell.start("ask", "look:blue linger:600", "--thread", "t1")
    read_until(process, "✓ look_1", "lingering began")
    process.send_signal(signal.SIGINT)
    read_until(process, "lingering goes on")
    with not_hanging():
        while tasks_kept(shell) < 2:  # the plan's, and that of the call that has ended
            time.sleep(0.02)
    out, err = interrupt(process)

    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert inside.json("look:blue", "--thread", "t1")["tools_executed"] == 0


def tasks_kept(shell: Shell) -> int:
    """How many tasks have their part of the ledger in the database, which a thread of its own writes."""
    with closing(sqlite3.connect(shell.database)) as connection:
        counted = connection.execute("SELECT count(DISTINCT task_id) FROM writes WHERE channel = 'ledger'")
        return int(counted.fetchone()[0])


def test_chat_goes_on_after_a_stop(shell: Shell) -> None:
    shell.held.touch()
    process = shell.start("chat", "--thread", "t1")
    assert process.stdin is not None
    process.stdin.write("look:blue nap:0.1\n")
    process.stdin.flush()
    read_until(process, "✓ look_1", "a nap began")
    process.send_signal(signal.SIGINT)
    read_until(process, "stopped; /resume continues it")
    shell.held.unlink()
    out, err = process.communicate("/resume\n/resume\nlook:red\n", timeout=HANGS_S)

    assert process.returncode == 0
    assert out.splitlines() == [
        "Stopped, as you asked.", "This is what I know so far:", "blue: 3 left", "Not done: nap_2.",
        "blue: 3 left", "napped 0.1", "red: 3 left",
    ]  # fmt: skip
    assert "thread 't1' has no request that was cut off" in err
    assert "go on with: wavegraph chat --thread t1" in err


def test_nothing_is_kept_in_memory_and_no_line_promises_it(shell: Shell) -> None:
    shell.held.touch()
    process = shell.start("ask", "look:blue nap:0.1", "--db", ":memory:")
    read_until(process, "✓ look_1", "a nap began")
    out, err = interrupt(process)

    assert "blue: 3 left" in out
    assert "wavegraph resume" not in err
