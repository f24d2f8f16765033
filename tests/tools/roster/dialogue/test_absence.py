"""Who is away and when, read by rules."""

from datetime import date

import pytest

from wavegraph.tools.roster.dialogue.absence import Absence, read_absence

TODAY = date(2026, 12, 3)


def on(text: str) -> date:
    return date.fromisoformat(text)


@pytest.mark.parametrize(
    ("text", "nurse", "first", "last"),
    [
        ("Ines is off sick from the 8th to the 12th", "Ines", "2026-12-08", "2026-12-12"),
        ("Ines is off sick from the 8th to the 12th.", "Ines", "2026-12-08", "2026-12-12"),
        ("nurse_008 is ill on 2026-12-08", "nurse_008", "2026-12-08", "2026-12-08"),
        ("Anna Maria is sick until the 5th", "Anna Maria", "2026-12-03", "2026-12-05"),
        ("Ben called in sick today", "Ben", "2026-12-03", "2026-12-03"),
        ("Ben is away tomorrow", "Ben", "2026-12-04", "2026-12-04"),
        ("Ben is on leave from 28 December to 2 January", "Ben", "2026-12-28", "2027-01-02"),
        ("Ben is on leave from December 28th until January 2nd", "Ben", "2026-12-28", "2027-01-02"),
        ("Ben is away from the 28th to the 2nd", "Ben", "2026-11-28", "2026-12-02"),  # over: the next ones
        ("Ben is ill from the 1st to the 4th", "Ben", "2026-12-01", "2026-12-04"),  # now
        ("Ben is ill from the 1st to the 2nd", "Ben", "2027-01-01", "2027-01-02"),
        ("Ben is away on the 31st", "Ben", "2026-12-31", "2026-12-31"),
        ("Ben is away from the 30th to the 3rd", "Ben", "2026-11-30", "2026-12-03"),  # the last day is today
        ("Ben is on leave from 27 to 29 February", "Ben", None, None),  # 2027 has none
        ("Ines is sick", "Ines", None, None),
        ("Ínès Müller is sick on the 9th", "Ínès Müller", "2026-12-09", "2026-12-09"),
    ],
)
def test_who_and_when(text: str, nurse: str, first: str | None, last: str | None) -> None:
    expected = Absence(nurse, on(first) if first else None, on(last) if last else None)
    if text.startswith("Ben is away from the 28th"):
        expected = Absence(nurse, on("2026-12-28"), on("2027-01-02"))
    assert read_absence(text, TODAY) == expected


@pytest.mark.parametrize(
    "text",
    [
        "make the roster",
        "Ines is late on the 8th",
        "Ines is sick of nights from the 8th",
        "Ines is off sick from the 8th, so give Ben her nights",
        "is sick on the 8th",
        "Ines is sick on 2026-02-30",
        "Ines is sick on the 8th, the 9th and the 12th",
        "",
        "one two three four five six seven is sick on the 8th",
    ],
)
def test_what_says_more_is_not_read(text: str) -> None:
    assert read_absence(text, TODAY) is None
