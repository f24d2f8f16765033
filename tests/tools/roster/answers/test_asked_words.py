"""What was asked for, in the manager's language: every kind of change as the talk words it."""

import re

import pytest
from roster_wards import ROWS, rows, ward_of_two

from wavegraph.tools.roster.answers.asked_words import asked_in_words
from wavegraph.tools.roster.dialogue.amending import amended
from wavegraph.tools.roster.dialogue.kept import kept_changes, verdict_in_words
from wavegraph.tools.roster.records import Change

WARD = ward_of_two(wishes=[{"nurse": "ann", "day": "2026-11-27", "wants": False, "weight": 4}])
CHANGES = [
    Change(kind="unavailable", nurse="Ann", shift="N"),
    Change(kind="unavailable", nurse="Ann", weekdays=["monday"]),
    Change(kind="avoids", nurse="Ann", weekdays=["friday"]),
    Change(kind="avoids", nurse="Ben", shift="L", weeks=[1]),
    Change(kind="prefers", nurse="Ben", shift="E"),
    Change(kind="prefers", nurse="Ben", weekdays=["saturday", "sunday"]),
    Change(kind="locked", nurse="Ben", weekdays=["tuesday"], shift="off"),
    Change(kind="apart", nurse="Ann", other="Ben"),
]
_, WORDS = amended(WARD, CHANGES)
VERDICTS = [
    verdict_in_words(each)
    for change in CHANGES
    for each in kept_changes(amended(WARD, [change])[0], rows(**ROWS), [change])
]
ELSEWHERE = [
    "ann Ann: Monday 2026-11-23 is over, and the roster keeps what was worked",
    "ann Ann: Monday 2026-11-23 to Tuesday 2026-11-24 is past already, and kept as it was",
    "ann Ann: Monday 2026-12-07 and after is in no roster that is published: take her or him out of the ward's file, for the rosters of these days",
]


@pytest.mark.parametrize("line", [*WORDS, *VERDICTS, *ELSEWHERE])
def test_a_line_is_told_in_hebrew_but_for_names_and_shifts(line: str) -> None:
    told = asked_in_words(line, "he")

    assert re.findall(r"[A-Za-z]+", re.sub(r"\b(?:ann Ann|ben Ben|[ELN])\b", "", told)) == []


@pytest.mark.parametrize("line", [*(each for each in WORDS if "in place of" not in each), *VERDICTS, *ELSEWHERE])
def test_in_english_a_line_stays_as_it_is(line: str) -> None:
    assert asked_in_words(line, "en") == line


@pytest.mark.parametrize(
    ("line", "english", "hebrew"),
    [
        ("1 of its wishes", "1 wish", "בקשה אחת"),
        ("2 of its wishes", "2 wishes", "2 בקשות"),
        ("1 of its locked", "1 settled cell", "תא קבוע אחד"),
        ("1 of its leave", "1 entry of leave", "רישום חופשה אחד"),
        ("3 of its pairs", "3 pairs", "3 זוגות"),
    ],
)
def test_what_gave_way_is_counted(line: str, english: str, hebrew: str) -> None:
    whole = f"in place of what the ward has: {line}"

    assert asked_in_words(whole, "en") == f"in place of what the ward has: {english}"
    assert asked_in_words(whole, "he") == f"במקום מה שיש במחלקה: {hebrew}"


def test_a_line_of_other_words_is_told_as_it_is() -> None:
    assert asked_in_words("whatever it says", "he") == "whatever it says"
