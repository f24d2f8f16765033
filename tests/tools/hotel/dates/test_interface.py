"""The fixed interface: holidays by name, what a stay tells, messages, and the shared development hints."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tables import table

from wavegraph.tools.hotel.dates import DateResolution, find_dates, holiday, resolve
from wavegraph.tools.hotel.dates.holiday_names import SPELLINGS, VAGUE

FRIDAY = date(2026, 11, 20)
HINTS = Path(__file__).parents[5] / "shared" / "data" / "date_hints_dev.json"


@pytest.mark.parametrize("country", ["IL", "US", "GB", "GR"])
def test_every_holiday_has_a_coming_stay(country: str) -> None:
    coming = {name: holiday(name, today=FRIDAY, country=country) for name in SPELLINGS if name not in VAGUE}
    assert [name for name, found in coming.items() if found.error] == ["Independence Day"] * (country == "GB")
    for found in coming.values():
        for stay in found.stays:
            assert FRIDAY <= stay.check_in < stay.check_out
            assert (stay.check_out - FRIDAY).days < 400


@table(
    ("name", "year", "check_in", "check_out"),
    [
        ("Hanukkah", None, date(2026, 12, 4), date(2026, 12, 12)),
        ("hanuka", 2027, date(2027, 12, 24), date(2028, 1, 1)),
        ("פסח", 2028, date(2028, 4, 10), date(2028, 4, 17)),
        ("Purim", 2027, date(2027, 3, 22), date(2027, 3, 23)),
        ("Yom HaAtzmaut", 2028, date(2028, 5, 1), date(2028, 5, 2)),
        ("Christmas", 2030, date(2030, 12, 25), date(2030, 12, 26)),
    ],
)
def test_holiday_of_a_year(name: str, year: int | None, check_in: date, check_out: date) -> None:
    (stay,) = holiday(name, today=FRIDAY, year=year).stays
    assert (stay.check_in, stay.check_out) == (check_in, check_out)


def test_independence_day_moves_off_the_weekend() -> None:
    """5 Iyar 5785 was a Saturday (kept Thursday 1 May), 5 Iyar 5784 a Monday (kept Tuesday 14 May)."""
    for year, day in ((2025, date(2025, 5, 1)), (2024, date(2024, 5, 14))):
        (stay,) = holiday("Yom HaAtzmaut", today=date(year, 1, 1)).stays
        assert stay.check_out == day


def test_purim_of_a_leap_year_is_in_the_second_adar() -> None:
    (stay,) = holiday("Purim", today=date(2024, 1, 1)).stays
    assert (stay.check_in, stay.check_out) == (date(2024, 3, 23), date(2024, 3, 24))


def test_unknown_holiday_names_its_neighbours() -> None:
    found = holiday("Hanumas", today=FRIDAY)
    assert (found.stays, found.error) == ([], "unclear")
    assert "Hanukkah" in found.message


def test_past_year_of_a_holiday() -> None:
    assert holiday("Passover", today=FRIDAY, year=2019).error == "past"


def test_a_holiday_that_has_begun_starts_today() -> None:
    (stay,) = resolve("Hanukkah", today=date(2026, 12, 8)).stays
    assert (stay.check_in, stay.check_out) == (date(2026, 12, 8), date(2026, 12, 12))


def test_parts_of_a_holiday_that_has_begun() -> None:
    """The last night is still ahead, the first has gone: next year's is not what is meant."""
    (stay,) = resolve("last night of Hanukkah", today=date(2026, 12, 8)).stays
    assert stay.check_in == date(2026, 12, 11)
    assert resolve("first night of Hanukkah", today=date(2026, 12, 8)).error == "past"


@table(
    ("hint", "kind", "explicit", "label"),
    [
        ("17-19 Jan", "explicit", True, "17-19 January 2027"),
        ("Dec 14 for 2 nights", "explicit", True, "14-16 December 2026"),
        ("Dec 25", "explicit", False, "25 December 2026"),
        ("next weekend", "weekend", False, "next weekend"),
        ("hanuka", "holiday", False, "Hanukkah"),
        ("two nights in Hanukkah", "part", True, "2 nights of Hanukkah"),
        ("tonight", "relative", True, "tonight"),
        ("in January", "span", False, "January 2027"),
        ("Chol Hamoed Sukkot", "span", False, "Chol HaMoed Sukkot"),
    ],
)
def test_what_a_stay_tells(hint: str, kind: str, explicit: bool, label: str) -> None:
    (stay,) = resolve(hint, today=FRIDAY).stays
    assert (stay.kind, stay.nights_explicit, stay.label) == (kind, explicit, label)


@table(
    ("hint", "error", "words"),
    [
        ("February 30", "invalid", ["30 February"]),
        ("Wednesday 17 December", "weekday", ["Thursday", "17 December 2026"]),
        ("January 5 2020", "past", ["5 January 2020"]),
        ("Dec 10 to Dec 8", "order", ["8 December", "10 December 2026"]),
        ("400 nights from Dec 1", "too_long", ["400", "30"]),
        ("Dec 14-16, 3 nights", "unclear", ["2 nights", "3"]),
        ("Hanukkah except Friday", "unclear", ["except"]),
        ("Eid", "unclear", ["Eid al-Fitr", "Eid al-Adha"]),
    ],
)
def test_a_refusal_names_the_value(hint: str, error: str, words: list[str]) -> None:
    found = resolve(hint, today=FRIDAY)
    assert (found.stays, found.error) == ([], error)
    assert all(word in found.message for word in words)


@pytest.mark.parametrize(
    ("hint", "other"),
    [
        ("Passover", (date(2027, 4, 21), date(2027, 4, 29))),
        ("next weekend", (date(2026, 11, 27), date(2026, 11, 28))),
        ("Christmas", (date(2026, 12, 24), date(2026, 12, 25))),
        ("next Sunday", (date(2026, 11, 29), date(2026, 11, 30))),
    ],
)
def test_alternatives_are_reported(hint: str, other: tuple[date, date]) -> None:
    (stay,) = resolve(hint, today=FRIDAY).stays
    assert other in stay.alternatives


def test_longest_stay_is_a_setting() -> None:
    assert resolve("Dec 1 to Dec 25", today=FRIDAY, max_nights=20).error == "too_long"
    assert find_dates("Dec 1 to Dec 25", today=FRIDAY, max_nights=24)[0].resolution.stays


def pairs(case: dict[str, Any]) -> list[tuple[date, date]]:
    given = [(case["check_in"], case["check_out"]), *case["accept"]]
    return [(date.fromisoformat(a), date.fromisoformat(b)) for a, b in given]


def scores(case: dict[str, Any], found: DateResolution) -> bool:
    """Right by the conventions that come with the development hints."""
    stays = [(stay.check_in, stay.check_out) for stay in found.stays]
    if case["rule"] == "no_dates":
        return not stays
    if case["rule"] == "each_stay_matched":
        wanted = [pairs(stay) for stay in case["stays"]]
        return len(stays) == len(wanted) and all(any(stay in good for stay in stays) for good in wanted)
    if len(stays) != 1:
        return False
    if case["rule"] == "check_in_within_1_day":
        return abs((stays[0][0] - pairs(case)[0][0]).days) <= 1
    if case["rule"].startswith("within_window"):
        low, high = (date.fromisoformat(end) for end in case["window"])
        inside = low <= stays[0][0] and stays[0][1] <= high
        return inside and ("exact" not in case["rule"] or found.stays[0].nights == case["nights"])
    return stays[0] in pairs(case)


@pytest.mark.skipif(not HINTS.exists(), reason="the shared development hints are not beside this checkout")
def test_development_hints() -> None:
    cases = json.loads(HINTS.read_text(encoding="utf-8"))["cases"]
    today = {case["id"]: date.fromisoformat(case["reference_date"]) for case in cases}
    wrong = [c["hint"] for c in cases if not scores(c, resolve(c["hint"], today=today[c["id"]], country=c["country"]))]
    assert wrong == []
