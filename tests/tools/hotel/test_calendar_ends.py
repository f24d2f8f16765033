"""The ends of the calendar: whatever `today` is and whatever is asked for, there is an answer or a refusal with a code."""

import asyncio
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from tables import table

from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.settings import FIRST_DAY, LAST_DAY
from wavegraph.tools.hotel import dates
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.hotel.settings import HotelSettings

TODAYS = [
    FIRST_DAY,
    date(1900, 12, 31),
    date(2026, 11, 20),
    date(2028, 2, 29),
    date(2199, 1, 1),
    date(2199, 12, 28),
    LAST_DAY,
]
ENGLISH = """
in 9999 weeks | for 5000000 nights | from 31 December 9999 for 3 nights | 17 January 9999 for 2 nights | Passover 9999 | January 9999
first weekend of March 9999 | first Monday of March 9999 | second week of March 9999 | the last two nights of January 9999 | next year
in 400 months | in 400 weeks | in 99999999999999999999 days | tonight | tomorrow | next weekend | this weekend
next month | mid January | new year's eve | christmas | hanukkah | pesach 5999
rosh hashanah 9999 | eid al-fitr | ramadan | easter | orthodox easter | 2199-12-31 to 2200-01-03 | 0001-01-01 for 2 nights
9999-12-31 | 31/12/9999 - 2/1/10000 | 1/1/0000 | 29 February | 29 Feb 2100 | 15 Nisan | 15 Nisan 9999
15 Nisan 5787 | 30 Adar 5786 | first weekend of January | last weekend of December | the week after christmas
400 weeks after passover | the day before yesterday | next thursday or the one after | thanksgiving weekend | last friday in december
"""
HEBREW = """
בעוד 9999 שבועות | ל-5000000 לילות | מ-31 בדצמבר 9999 ל-3 לילות | פסח 9999 | בעוד 400 חודשים | שנה הבאה | הלילה
מחר | סוף השבוע הבא | חודש הבא | אמצע ינואר | חנוכה | פסח התשצט | פסח תשפ״ז | ראש השנה | רמדאן | חג הפסחא | 29 בפברואר
ט״ו בניסן | ט״ו בניסן 9999 | סילבסטר | שבוע אחרי פסח | שבוע הבא ביום שלישי | מוצאי שבת | המחצית השנייה של ינואר
"""
PHRASES = [phrase.strip() for line in (ENGLISH + HEBREW).splitlines() for phrase in line.split("|") if phrase.strip()]
"""About eighty."""


@table("today", TODAYS)
@table("country", ["IL", "US", "GR"])
def test_words_for_dates_stay_inside_the_calendar(today: date, country: str) -> None:
    for phrase in PHRASES:
        hint = dates.resolve(phrase, today=today, country=country)
        found = [
            each.resolution for each in dates.find_dates(f"a room for two, {phrase}", today=today, country=country)
        ]
        assert bool(hint.stays) != bool(hint.error), phrase
        days = [day for each in (hint, *found) for stay in each.stays for day in (stay.check_in, stay.check_out)]
        assert all(FIRST_DAY <= day <= LAST_DAY for day in days), phrase


@table("today", [date(2026, 11, 20), LAST_DAY])
@table(
    "phrase",
    [
        "in 9999 weeks", "17 January 9999", "17-19 January 3000", "31/12/9999", "9999-12-31", "0001-01-01",
        "Passover 9999", "Rosh Hashanah 9999", "January 9999", "first weekend of March 9999",
        "15 Nisan 9999", "בעוד 9999 שבועות", "פסח 9999", "31 בדצמבר 9999",
    ],
)  # fmt: skip
def test_a_date_outside_the_calendar_is_out_of_range_and_no_other_date(phrase: str, today: date) -> None:
    found = dates.resolve(phrase, today=today)

    assert (found.error, found.stays) == ("out_of_range", [])


@table("phrase", ["tonight", "tomorrow", "next month", "next weekend", "Passover", "in 400 weeks", "מחר"])
def test_what_comes_after_the_last_day_is_out_of_range(phrase: str) -> None:
    assert dates.resolve(phrase, today=LAST_DAY).error == "out_of_range"


@table(
    ("phrase", "check_in"),
    [
        ("15 Nisan 5787", date(2027, 4, 22)),
        ("15 Nisan 5788", date(2028, 4, 11)),
        ("15 Nisan 2028", date(2028, 4, 11)),
        ("17 January 2030", date(2030, 1, 17)),
    ],
)
def test_a_year_inside_the_calendar_is_the_one_that_was_named(phrase: str, check_in: date) -> None:
    [stay] = dates.resolve(phrase, today=date(2026, 11, 20)).stays

    assert stay.check_in == check_in


def test_a_hebrew_date_of_a_past_year_is_past() -> None:
    assert dates.resolve("15 Nisan 5780", today=date(2026, 11, 20)).error == "past"


EXTREMES = ["0001-01-01", "1900-01-01", "2026-12-01", "2199-12-31", "9999-12-31"]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hotel")


@pytest.mark.parametrize("today", [date(2026, 11, 20), LAST_DAY], ids=str)
def test_tools_answer_or_refuse_whatever_dates_they_are_called_with(today: date, data_dir: Path) -> None:
    domain, settings = hotel_domain(data_dir), HotelSettings(today=today)

    async def ended(tool: str, **args: Any) -> str:
        try:
            await domain.tool(tool).tool.ainvoke({**args, "adults": 2, "settings": settings})
        except ToolRefusal as refusal:
            return refusal.code
        except ValidationError:
            return "bad_arguments"
        return "ok"

    async def all_of_them() -> set[str]:
        stays = list(product(EXTREMES, EXTREMES))
        ends = {
            await ended(tool, check_in=a, check_out=b) for a, b in stays for tool in ("get_availability", "quote_stay")
        }
        windows = [{"from_date": a, "to_date": b} for a, b in stays]
        ends |= {await ended("find_open_stays", **window, nights=3, near=window["to_date"]) for window in windows}
        return ends | {await ended("find_open_stays", **window, nights=1, near="0001-01-01") for window in windows}

    known = {"ok", "bad_arguments", "past", "bad_dates", "too_long", "not_on_sale", "min_stay", "closed_arrival"}
    ends = asyncio.run(all_of_them())
    assert {"ok", "bad_arguments", "too_long"} <= ends <= known


def test_an_arrival_after_the_calendar_is_refused_by_name(data_dir: Path) -> None:
    tool = hotel_domain(data_dir).tool("get_availability").tool
    asked = {
        "check_in": "9999-12-30",
        "check_out": "9999-12-31",
        "adults": 2,
        "settings": HotelSettings(today="2026-11-20"),
    }

    with pytest.raises(
        ToolRefusal, match="arrival 9999-12-30 is out of range: a day from 1900-01-01 to 2199-12-31"
    ) as told:
        asyncio.run(tool.ainvoke(asked))

    assert told.value.code == "bad_dates"
