"""Hints and sentences with the stays they name: tables of one line a text, each checked against the calendar.

    [country or today] hint => check_in/check_out + check_in/check_out, or !error
    [country or today] sentence => words of a date = its stay | the next words = their stay

Today is Friday 20 November 2026 and the hotel in Israel unless the line begins otherwise. What the reader does not promise
ends in `!unclear` or in no date: the desk then asks.
"""

import re
from datetime import date
from pathlib import Path
from typing import Any

from tables import table

from wavegraph.tools.hotel.dates import DateResolution, find_dates, resolve

DATA = Path(__file__).parents[3] / "data"
FRIDAY = date(2026, 11, 20)


def lines(table: str) -> list[str]:
    return (DATA / f"hotel_date_{table}.txt").read_text(encoding="utf-8").splitlines()


def case(line: str) -> tuple[str, dict[str, Any], str]:
    """The text, its customs and today, and what it comes to."""
    country, today, text, expected = re.fullmatch(
        r"(?:\[([A-Z]{2})?([-\d]+)?\] )?(.+) =>(.*)", line, re.DOTALL
    ).groups()  # type: ignore[union-attr]
    clock = {"today": date.fromisoformat(today) if today else FRIDAY}
    return text, clock | ({"country": country} if country else {}), expected.strip()


def spell(found: DateResolution) -> str:
    return f"!{found.error}" if found.error else " + ".join(f"{s.check_in}/{s.check_out}" for s in found.stays)


@table("line", lines("hints"))
def test_a_hint_names_its_stays(line: str) -> None:
    hint, customs, expected = case(line)
    assert spell(resolve(hint, **customs)) == expected


@table("line", lines("sentences"))
def test_the_dates_of_a_sentence(line: str) -> None:
    sentence, customs, expected = case(line)
    found = find_dates(sentence, **customs)
    assert " | ".join(f"{phrase.text} = {spell(phrase.resolution)}" for phrase in found) == expected
    assert all(sentence[phrase.start : phrase.end] == phrase.text for phrase in found)


@table(
    ("sentence", "name", "part"),
    [
        ("one night in Hanukkah", "Hanukkah", (0, 1)),
        ("the third night of Hanukkah", "Hanukkah", (2, 3)),
        ("last two nights of Hanukkah", "Hanukkah", (-3, -1)),
        ("שני לילות בפסח", "Passover", (0, 2)),
        ("weekend of Hanukkah", "Hanukkah", (6, 8)),
        ("erev Rosh Hashana", "Rosh Hashanah", (0, 1)),
    ],
)
def test_a_part_leads_to_the_stay_by_its_indexes(sentence: str, name: str, part: tuple[int, int]) -> None:
    (phrase,), (whole,) = find_dates(sentence, today=FRIDAY), find_dates(name, today=FRIDAY)
    stay, start = phrase.resolution.stays[0], whole.resolution.stays[0].check_in.toordinal()
    dates = [date.fromordinal(start + n) for n in range(whole.resolution.stays[0].nights + 1)]
    assert (phrase.holiday, phrase.part, whole.part) == (name, part, None)
    assert (dates[part[0]], dates[part[1]]) == (stay.check_in, stay.check_out)
