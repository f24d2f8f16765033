"""The command line as its user meets it: a process where it matters that it is one."""

import json
import sqlite3
import stat
from pathlib import Path

import pytest
from shell import Inside, Shell

from wavegraph.app.run.result import FIELDS


def test_the_answer_alone_is_on_stdout_and_the_work_on_stderr(shell: Shell) -> None:
    done = shell("ask", "look:full look:blue")
    assert done.returncode == 0
    assert done.stdout == "full: 0 left\nblue: 3 left\nspare: 3 left\n"
    lines = done.stderr.splitlines()
    assert "▸ wave 1: look_1, look_2" in lines
    assert "  ! full is sold out" in lines
    assert lines.index("↻ Trying alternatives…") < lines.index("▸ wave 2: look_spare")
    assert "↻ found another way" in lines
    assert lines[-1].startswith("answered · 3 tool calls · 2 waves · 1 adaptation · ")


def test_json_is_one_object_with_exactly_the_promised_fields(inside: Inside) -> None:
    done = inside("ask", "look:full", "--json", "--debug")
    report = json.loads(done.stdout)
    assert done.stdout.count("\n") == 1
    assert tuple(report) == FIELDS
    assert report["outcome"] == "answered"
    assert report["tools"] == ["look", "look"]
    assert (report["waves"], report["adaptations"], report["tools_executed"], report["llm_calls"]) == (2, 1, 2, 0)
    assert report["results"]["look_spare"]["data"] == {"word": "spare", "left": 3}
    assert report["plan"]["number"] == 2
    assert report["answer_check"]["satisfied"]


def test_debug_shows_each_wave_with_arguments_and_results(inside: Inside) -> None:
    done = inside("ask", "look:full", "--debug")
    waves = done.stderr[done.stderr.index("── wave 1") :]
    first, second = waves.split("── wave 2")
    assert "look_1: look ok" in first
    assert '"word": "full"' in first
    assert '"left": 0' in first
    assert '"word": "spare"' in second
    assert '"left": 3' in second
    assert done.stdout == "full: 0 left\nspare: 3 left\n"


def test_hebrew_is_printed_as_it_is(shell: Shell, inside: Inside) -> None:
    assert shell("ask", "שלום").stdout == "איזו מילה?\n"
    assert "איזו מילה?" in inside("ask", "שלום", "--json").stdout


def test_a_terminal_without_hebrew_gets_an_answer_and_json_stays_whole(shell: Shell) -> None:
    ask = ("ask", "hello", "--domain", "clerk:graph", "--db", ":memory:")
    done = shell.plain(*ask, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout) == (0, "???? ?????\n")
    assert json.loads(shell.plain(*ask, "--json", PYTHONIOENCODING="ascii").stdout)["answer"] == "איזו מילה?"


def test_a_failed_request_exits_with_1_and_still_answers(shell: Shell) -> None:
    done = shell("ask", "boom", "--json", "--domain", "clerk:stubborn")
    assert done.returncode == 1
    assert json.loads(done.stdout)["outcome"] == "failed"
    assert "secret detail" not in done.stdout + done.stderr
    assert "boom failed with RuntimeError" in done.stderr


def test_the_default_database_lies_in_the_data_folder_and_is_private(inside: Inside, tmp_path: Path) -> None:
    assert inside.plain("ask", "look:blue", "--domain", "clerk:graph").returncode == 0
    database = tmp_path / "wavegraph" / "wavegraph.db"
    assert stat.S_IMODE(database.stat().st_mode) == 0o600


def test_memory_leaves_nothing_behind(inside: Inside, tmp_path: Path) -> None:
    assert inside.plain("ask", "look:blue", "--domain", "clerk:graph", "--db", ":memory:").returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_a_second_process_goes_on_with_a_thread(shell: Shell, inside: Inside) -> None:
    first = inside.json("look:blue", "--thread", "t1")
    assert first["thread_id"] == "t1"
    assert shell("ask", "again", "--thread", "t1").stdout == "blue: 3 left\n"
    assert inside("ask", "again", "--thread", "t2").stdout == "איזו מילה?\n"


def test_each_request_is_recorded_beside_the_checkpoints(inside: Inside) -> None:
    inside("ask", "look:full", "--thread", "t1")
    with sqlite3.connect(inside.database) as database:
        [(kept,)] = database.execute("SELECT value FROM store WHERE prefix LIKE '%t1'").fetchall()
    database.close()
    assert json.loads(kept)["outcome"] == "answered"
    assert json.loads(kept)["adaptations"] == 1


def test_two_processes_share_a_new_database(shell: Shell, inside: Inside) -> None:
    both = [shell.start("ask", f"look:{word} nap:0.3", "--thread", word) for word in ("red", "blue")]
    ended = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], ended
    assert inside("ask", "again", "--thread", "red").stdout.startswith("red: 3 left")


def test_chat_holds_a_conversation_and_a_second_process_goes_on_with_it(shell: Shell, inside: Inside) -> None:
    first = shell("chat", "--thread", "t1", typed="look:red\n\n/what\n/help\nagain\nlook:blue")
    assert first.returncode == 0
    assert first.stdout == "red: 3 left\nred: 3 left\nblue: 3 left\n"
    assert first.stderr.startswith("thread t1 · ")
    assert "unknown command '/what'" in first.stderr
    assert "/quit" in first.stderr
    again = f"go on with: wavegraph chat --thread t1 --domain clerk:graph --db {shell.database}"
    assert first.stderr.splitlines()[-1] == again
    second = inside("chat", "--thread", "t1", typed="again\n/quit\nlook:never\n")
    assert second.stdout == "blue: 3 left\n"
    assert "you> look:blue" in second.stderr


def test_chat_begins_anew(inside: Inside) -> None:
    done = inside("chat", "--json", typed="look:blue\n/new\nagain\n")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["thread_id"] != second["thread_id"]
    assert second["outcome"] == "clarify"


@pytest.mark.parametrize("word", ["exit", "quit", ":q", "/quit", "/exit", " EXIT. ", "Quit!", "יציאה", "\u200fיציאה"])
def test_a_word_ends_the_chat(word: str, inside: Inside) -> None:
    done = inside("chat", typed=f"look:blue\n{word}\nlook:red\n")
    assert (done.returncode, done.stdout) == (0, "blue: 3 left\n")


@pytest.mark.parametrize("words", ["how do I exit", "exit look:red", "quit?", "/quit now"])
def test_other_words_do_not(words: str, inside: Inside) -> None:
    done = inside("chat", typed=f"{words}\nlook:blue\n")
    assert done.stdout.endswith("blue: 3 left\n")


def test_how_to_leave_is_said_at_its_start(inside: Inside) -> None:
    first = inside("chat", "--thread", "t1", typed="").stderr.splitlines()[0]
    assert first == "thread t1 · /help shows the commands, exit or Ctrl-D ends"


def test_version_and_help(shell: Shell, inside: Inside) -> None:
    assert inside.plain("--version").stdout == "wavegraph 0.1.0\n"
    listed = shell.plain("--help").stdout
    assert all(command in listed for command in ("ask", "chat", "resume", "threads", "graph", "hotel"))


def test_bad_usage_ends_without_a_traceback(shell: Shell) -> None:
    done = shell("ask", "look:blue", "--today", "2026-13-05")
    assert (done.returncode, done.stdout) == (2, "")
    message = "wavegraph: setting 'today' = '2026-13-05' is not a date; write YYYY-MM-DD, such as 2026-11-20\n"
    assert done.stderr == message
