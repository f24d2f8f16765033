"""`wavegraph erase`: shows, asks, erases, and tells what is left."""

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from shell import Inside

BOOK = "Book a double room January 17-19 for two adults, Dorothea Quillfeather, dorothea@quill.example"
HOTEL = ("--domain", "hotel", "--today", "2026-11-20")


@pytest.fixture
def booked(inside: Inside) -> Inside:
    for text in (BOOK, "yes"):
        done = inside.plain("ask", text, "--thread", "t1", "--db", inside.database, *HOTEL)
        assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(inside.home / "wavegraph" / "sandbox.sqlite")) as file, file:
        file.execute("UPDATE booking SET check_in = '2999-01-17', check_out = '2999-01-19'")  # still to come, always
    return inside


def erase(inside: Inside, *words: str, typed: str = "") -> Any:
    return inside._run([*([""] * 3), "erase", "--db", inside.database, *words], typed)


def count(inside: Inside) -> int:
    with closing(sqlite3.connect(inside.database)) as file:
        return int(file.execute("SELECT count(*) FROM checkpoints").fetchone()[0])


def test_it_shows_asks_and_does_nothing_after_a_no(booked: Inside) -> None:
    before = count(booked)
    done = erase(booked, "--thread", "t1", typed="n\n")
    assert done.returncode == 2
    assert "thread t1: 2 messages\n" in done.stdout
    assert "e-mail, phone and notes are kept until 2999-01-19, because the stay is not over" in done.stdout
    assert "Erase this? It cannot be undone." in done.stdout
    assert count(booked) == before > 0

    assert erase(booked, "--thread", "t1", "--dry-run").returncode == 0
    assert count(booked) == before


def test_a_yes_erases_and_says_that_nothing_is_left(booked: Inside) -> None:
    done = erase(booked, "--guest", "Dorothea@Quill.example", typed="y\n")
    assert done.returncode == 0
    assert done.stdout.endswith("searched for it: nothing is left\n")
    assert count(booked) == 0
    again = erase(booked, "--thread", "t1", "--yes")
    assert (again.returncode, again.stdout) == (
        0,
        "nothing is stored of this guest\nsearched for it: nothing is left\n",
    )


def test_json_is_one_object(booked: Inside) -> None:
    done = erase(booked, "--thread", "t1", "--yes", "--json")
    report = json.loads(done.stdout)
    assert (report["erased"], report["threads"], report["left"], report["langsmith_runs"]) == (True, ["t1"], [], [])
    (item,) = report["items"]
    assert item["what"].startswith("booking WG-")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "name what to erase: --thread ID, --guest CONTACT, or both"),
        (("--guest", "Dorothea"), "'Dorothea' is neither an e-mail address nor a phone number"),
    ],
)
def test_what_names_nobody_is_refused(inside: Inside, words: tuple[str, ...], why: str) -> None:
    done = erase(inside, *words, "--yes")
    assert done.returncode == 2
    assert why in " ".join(done.stderr.replace("│", " ").split())


def test_what_stays_ends_in_a_failure_that_says_where(inside: Inside) -> None:
    inside("ask", "look:blue and write to dana@example.com", "--thread", "t1")
    with closing(sqlite3.connect(inside.database)) as file, file:
        file.execute("CREATE TABLE mailing (address TEXT)")
        file.execute("INSERT INTO mailing VALUES ('Dana@example.com')")
    done = erase(inside, "--guest", "dana@example.com", "--yes")
    assert done.returncode == 1
    assert "still there: e-mail in test.db, table mailing\n" in done.stdout
