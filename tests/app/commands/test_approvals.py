"""Bookings that a person agrees to, at the command line: in the conversation, and by the staff."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from wavegraph.app.main import app

TODAY = ("--today", "2026-11-21")
BOOK = "Book a double room January 17-19 for two adults, Dana Levi, dana@example.com"


class Desk:
    """The command line inside this process, on a data folder of its own: a process for each command takes seconds."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(home))
        monkeypatch.setenv("COLUMNS", "200")
        self.database = str(home / "test.db")

    def __call__(self, *words: str, typed: str = "") -> Any:
        return CliRunner().invoke(app, [*words, "--db", self.database], input=typed)

    def ask(self, text: str, *words: str) -> Any:
        return self("ask", text, *TODAY, *words)

    def chat(self, *lines: str, approver: str = "guest") -> Any:
        return self("chat", "--thread", "c", "--approver", approver, *TODAY, typed="\n".join((*lines, "")))

    def holds(self) -> str:
        return str(CliRunner().invoke(app, ["hotel", "list", "--holds"]).stdout)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch)


@pytest.fixture
def waiting(desk: Desk) -> Desk:
    """A request that waits for the staff, on thread `g1`."""
    done = desk.ask(BOOK, "--thread", "g1", "--approver", "staff")
    assert done.exit_code == 0
    assert done.stderr.splitlines()[-1] == f"decide it with: wavegraph approvals approve g1 --db {desk.database}"
    return desk


def test_in_chat_a_yes_books_and_a_second_yes_books_nothing_more(desk: Desk) -> None:
    done = desk.chat(BOOK, "yes", "yes", "no thanks")

    assert done.stdout.count("Shall I go ahead? (yes / no)") == 1
    assert done.stdout.count("Your booking is confirmed: WG-") == 1
    assert done.stdout.count(" stands, and I changed nothing.") == 1
    assert _references(done.stdout) == 1


def test_in_chat_a_no_books_nothing(desk: Desk) -> None:
    done = desk.chat(BOOK, "no thanks")

    assert _references(done.stdout) == 0
    assert "othing was booked" in done.stdout
    assert "Dana" not in desk.holds()


def test_in_chat_other_questions_are_answered_while_the_staff_decides(desk: Desk) -> None:
    done = desk.chat(BOOK, "is there parking?", "/help", approver="staff")

    assert "arking" in done.stdout
    assert "(Still waiting for approval, and not done until then: the booking of Double Room, room only" in done.stdout
    assert done.stderr.count("decide it with: wavegraph approvals approve c") == 2
    assert "/resume" in done.stderr
    assert done.exit_code == 0
    assert "Your booking is confirmed" in desk("approvals", "approve", "c").stdout


def test_in_chat_a_yes_after_an_aside_books_what_was_asked_before(desk: Desk) -> None:
    done = desk.chat(BOOK, "what time is breakfast?", "yes")

    assert "07:00" in done.stdout
    assert done.stdout.count("Shall I go ahead? (yes / no)") == 2
    assert _references(done.stdout) == 1


def test_ask_tells_how_to_say_yes_and_resume_takes_it(desk: Desk) -> None:
    first = desk.ask(BOOK, "--thread", "g")
    assert first.stderr.splitlines()[-1].endswith("--reply yes")

    bad = desk("resume", "g", "--reply", '{"decision": "perhaps"}', *TODAY)
    assert bad.exit_code == 2
    assert "decision = 'perhaps'" in bad.stdout
    assert "expected yes, no, or JSON" in bad.stdout
    words = bad.stderr.splitlines()[-1].partition("--reply ")[2]
    done = desk("resume", "g", "--reply", words)
    assert "Your booking is confirmed" in done.stdout


def test_the_staff_lists_and_approves_from_another_process(waiting: Desk) -> None:
    (row,) = json.loads(waiting("approvals", "list", "--json").stdout)
    assert (row["thread_id"], row["request"], row["by_asker"]) == ("g1", BOOK, False)
    assert row["terms"]["guest"]["name"] == "Dana Levi"
    listed = waiting("approvals", "list").stdout
    assert "thread g1 · waits for you since" in listed
    assert "780 NIS in total" in listed
    assert "Somebody else" not in listed

    done = waiting("approvals", "approve", "g1", "--terms", row["terms_hash"])

    assert done.exit_code == 0
    assert "Your booking is confirmed: WG-" in done.stdout
    assert json.loads(waiting("approvals", "list", "--json").stdout) == []
    again = waiting("approvals", "approve", "g1")
    assert again.exit_code == 2
    assert "thread 'g1' does not wait for approval" in again.stderr


def test_other_terms_than_those_that_were_read_are_not_approved(waiting: Desk) -> None:
    done = waiting("approvals", "approve", "g1", "--terms", "0" * 32, "--json")

    report = json.loads(done.stdout)
    assert report["outcome"] == "awaiting_approval"
    assert report["answer"].startswith("That answered different terms.")


def test_a_rejection_tells_why_and_frees_the_hold(waiting: Desk) -> None:
    assert "Dana Levi" in waiting.holds()

    done = waiting("approvals", "reject", "g1", "--reason", "the house is closed for repairs")

    assert "the house is closed for repairs" in done.stdout
    assert _references(done.stdout) == 0
    assert "Dana Levi" not in waiting.holds()


def test_the_staff_does_not_agree_for_the_guest_by_mistake(desk: Desk) -> None:
    desk.ask(BOOK, "--thread", "g1")

    refused = desk("approvals", "approve", "g1")
    assert refused.exit_code == 2
    assert "waits for the person who asked; --for-asker approves on their behalf" in refused.stderr
    assert "Your booking is confirmed" in desk("approvals", "approve", "g1", "--for-asker").stdout


def test_an_opened_chat_shows_what_its_thread_waits_for(desk: Desk) -> None:
    desk.ask(BOOK, "--thread", "c")

    done = desk.chat("yes")

    assert "it waits for an answer:\nThis is what would be booked:" in done.stderr
    assert "Your booking is confirmed" in done.stdout


def test_an_edit_is_shown_again_before_it_is_done(waiting: Desk) -> None:
    edited = waiting("approvals", "approve", "g1", "--edit", "guest_name=Dana Levi-Cohen")
    assert "Dana Levi-Cohen" in edited.stdout
    assert _references(edited.stdout) == 0

    again = edited.stderr.splitlines()[-1].partition("agree to these terms with: wavegraph ")[2]
    assert "- before: Name: Dana Levi" in edited.stdout
    assert _references(waiting("approvals", "approve", "g1").stdout) == 0
    assert "Name: Dana Levi-Cohen" in CliRunner().invoke(app, shlex.split(again)).stdout


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ("guest_phone=972501234567", "Name: Dana Levi (dana@example.com, 972501234567)"),
        ("guest_phone=0501234567", "Name: Dana Levi (dana@example.com, 0501234567)"),
        ("guest_phone=+972501234567", "Name: Dana Levi (dana@example.com, +972501234567)"),
        ("notes=1e5", "Notes: 1e5"),
        ("notes=true", "Notes: true"),
        ('guest_name="Dana B"', "Name: Dana B"),
    ],
)
def test_what_is_typed_for_a_text_stays_as_it_was_typed(waiting: Desk, change: str, shown: str) -> None:
    assert shown in waiting("approvals", "approve", "g1", "--edit", change).stdout


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (("approve", "nobody"), "no thread 'nobody'"),
        (("approve", "g1", "--edit", "guest_name"), "write NAME=VALUE"),
        (("approve", "g1", "--edit", "colour=red"), "colour = 'red': that cannot be edited; edit any of guest_name"),
        (("approve", "g1", "--edit", "quote_id=Q-XXXXXXXXXX"), "that cannot be edited; edit any of guest_name"),
        (
            ("approve", "g1", "--edit", "guest_email=dana"),
            "guest_email is not an e-mail address; give another value, or approve or reject",
        ),
        (
            ("approve", "g1", "--edit", "guest_phone=12"),
            "guest_phone needs at least six digits; give another value",
        ),
        (
            ("approve", "g1", "--edit", "guest_name="),
            "guest_name = '': String should have at least 1 character; give another value",
        ),
    ],
)
def test_wrong_words_are_refused(waiting: Desk, words: tuple[str, ...], printed: str) -> None:
    done = waiting("approvals", *words)

    assert printed in done.stdout + done.stderr
    assert done.exit_code == 2


def test_a_house_that_wants_the_staff_is_not_talked_out_of_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_APPROVER", "staff")

    assert "Somebody else has to approve this first" in desk.ask(BOOK, "--approver", "guest").stdout


def _references(text: str) -> int:
    return len(set(re.findall(r"WG-[A-Z0-9]{8}", text)))
