"""What is said at the command line before a question stands there is no answer to it."""

import os
import pty

import pytest
from patience import HANGS_S, not_hanging
from shell import Inside, Shell

from wavegraph.app import process_start

OPTIONS = ("--planner", "rules", "--today", "2026-11-21")
BOOK = "Book a double room January 17-19 for two adults, Dana Levi, dana@example.com"


def test_a_yes_typed_before_the_terms_were_shown_books_nothing(shell: Shell) -> None:
    ours, theirs = pty.openpty()
    try:
        process = shell.start_plain("chat", *OPTIONS, "--db", shell.database, stdin=theirs, stderr=theirs)
        os.write(ours, f"{BOOK}\nyes\n".encode())
        _seen(ours, "please type it again")
        os.write(ours, b"yes\n")
        _seen(ours, "answered")
        os.write(ours, b"/quit\n")
        assert process.stdout is not None
        out = process.stdout.read()
        process.wait(HANGS_S)
    finally:
        os.close(ours)
        os.close(theirs)

    assert out.count("Shall I go ahead?") == 1
    assert out.count("Your booking is confirmed") == 1


@pytest.mark.parametrize("words", [("ask", "yes", "--thread", "t"), ("resume", "t", "--reply", "yes")])
def test_a_command_that_began_before_the_terms_were_shown_books_nothing(
    inside: Inside, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_start, "_noted_at_ms", [])
    process_start.note_start()
    began = process_start.started_at_ms()
    assert began is not None
    monkeypatch.setattr(process_start, "_noted_at_ms", [])
    options = (*OPTIONS, "--db", inside.database)
    assert "Shall I go ahead? (yes / no)" in inside.plain("ask", BOOK, "--thread", "t", *options).stdout

    monkeypatch.setattr(process_start, "_noted_at_ms", [began - 1])
    done = inside.plain(*words, *options)

    assert (done.returncode, "confirmed" in done.stdout) == (2, False)
    assert "To confirm that you agree to exactly these terms, please say “yes" in done.stdout


def _seen(terminal: int, wanted: str) -> None:
    shown = ""
    with not_hanging():
        while wanted not in shown:
            shown += os.read(terminal, 4096).decode(errors="replace")
