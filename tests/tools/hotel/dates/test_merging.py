"""What the dates of one sentence say about each other, as ("check_in/check_out" or "!error") in order."""

from dataclasses import dataclass
from datetime import date

import pytest

from wavegraph.tools.hotel.dates import find_dates, resolve

FRIDAY = date(2026, 11, 20)


@dataclass(frozen=True)
class Case:
    id: str
    text: str
    stays: tuple[str, ...]
    country: str = "IL"


CASES = (
    Case("month-after", "2 adults, 4-7 please, in May", ("2027-05-04/2027-05-07",)),
    Case("month-before", "we hope to come in June, from the 8th until the 11th", ("2027-06-08/2027-06-11",)),
    Case("month-and-nights", "2-3 nights in February", ("2027-02-14/2027-02-16",)),
    Case("month-and-guests", "in May for 2-4 people", ("2027-05-15/2027-05-17",)),
    Case("room-then-range", "a room 3-6 May for two", ("2027-05-03/2027-05-06",)),
    Case("room-then-figures", "a double room 5-9.2 for two", ("2027-02-05/2027-02-09",)),
    Case("hebrew-room-then-figures", "חדר 5-9.2 לזוג", ("2027-02-05/2027-02-09",)),
    Case("rooms-then-numeric", "2 rooms 9.2-11.2", ("2027-02-09/2027-02-11",)),
    Case("room-number-stays", "I was in room 12, 5-8 May again please", ("2027-05-05/2027-05-08",)),
    Case("hebrew-room", "חדר 9.2-11.2 לזוג", ("2027-02-09/2027-02-11",)),
    Case("dotted-days", "a double, 5.-8. May", ("2027-05-05/2027-05-08",), "DE"),
    Case("what-about", "what about 24-26 May?", ("2027-05-24/2027-05-26",)),
    Case("remark", "2 dec to 4 dec (wed-fri)", ("2026-12-02/2026-12-04",)),
    Case("remark-hebrew", "2-4 בדצמבר (רביעי-שישי)", ("2026-12-02/2026-12-04",)),
    Case("remark-first", "Sunday to Tuesday, 6-8 December", ("2026-12-06/2026-12-08",)),
    Case("remark-month-first", "Sunday to Tuesday, December 6-8", ("2026-12-06/2026-12-08",)),
    Case("remark-wrong", "2-4 December (Mon-Wed)", ("!weekday",)),
    Case("nights-listed", "two nights, 6th and 7th December", ("2026-12-06/2026-12-08",)),
    Case("nights-of", "the nights of 6 and 7 December", ("2026-12-06/2026-12-08",)),
    Case("nights-apart", "two nights, 6th or 13th December", ("2026-12-06/2026-12-08", "2026-12-13/2026-12-15")),
    Case("days-or", "6 or 7 December, 2 nights", ("2026-12-06/2026-12-08", "2026-12-07/2026-12-09")),
    Case("weekend-nights", "Friday and Saturday night", ("2026-11-20/2026-11-22",), "US"),
    Case("turned-days", "next Tuesday or Wednesday", ("2026-11-24/2026-11-25", "2026-11-25/2026-11-26")),
    Case("turned-past-week", "next Saturday or Sunday", ("2026-11-28/2026-11-29", "2026-11-29/2026-11-30"), "US"),
    Case("one-after", "next weekend or the one after?", ("2026-11-27/2026-11-29", "2026-12-04/2026-12-06"), "GB"),
    Case("one-after-hebrew", "סופש הבא או זה שאחריו", ("2026-11-26/2026-11-28", "2026-12-03/2026-12-05")),
    Case("weekend-after", "Purim or the weekend after", ("2027-03-22/2027-03-23", "2027-03-25/2027-03-27")),
    Case("following", "Purim or the following weekend", ("2027-03-22/2027-03-23", "2027-03-25/2027-03-27")),
    Case("weekend-before", "Purim or the weekend before it", ("2027-03-22/2027-03-23", "2027-03-18/2027-03-20")),
    Case("week-later", "6-8 December or a week later", ("2026-12-06/2026-12-08", "2026-12-13/2026-12-15")),
    Case("day-after", "tomorrow or the day after", ("2026-11-21/2026-11-22", "2026-11-22/2026-11-23")),
    Case("no-one-after", "Purim or the one after", ("2027-03-22/2027-03-23",)),
    Case(
        "weekends",
        "which weekends in May are free?",
        ("2027-05-06/2027-05-08", "2027-05-13/2027-05-15", "2027-05-20/2027-05-22", "2027-05-27/2027-05-29"),
    ),
    Case(
        "weekends-hebrew",
        "סופי שבוע במאי",
        ("2027-05-06/2027-05-08", "2027-05-13/2027-05-15", "2027-05-20/2027-05-22", "2027-05-27/2027-05-29"),
    ),
    Case(
        "weekends-still-free",
        "which weekends are still free in May?",
        ("2027-05-06/2027-05-08", "2027-05-13/2027-05-15", "2027-05-20/2027-05-22", "2027-05-27/2027-05-29"),
    ),
    Case(
        "weekends-free-hebrew",
        "אילו סופי שבוע פנויים במאי?",
        ("2027-05-06/2027-05-08", "2027-05-13/2027-05-15", "2027-05-20/2027-05-22", "2027-05-27/2027-05-29"),
    ),
    Case(
        "weekends-short-hebrew",
        "סופשים במאי",
        ("2027-05-06/2027-05-08", "2027-05-13/2027-05-15", "2027-05-20/2027-05-22", "2027-05-27/2027-05-29"),
    ),
    Case(
        "weekends-of-hebrew",
        "סופי השבוע של מאי",
        ("2027-05-06/2027-05-08", "2027-05-13/2027-05-15", "2027-05-20/2027-05-22", "2027-05-27/2027-05-29"),
    ),
    Case(
        "every-weekend",
        "every weekend in May",
        ("2027-05-06/2027-05-08", "2027-05-13/2027-05-15", "2027-05-20/2027-05-22", "2027-05-27/2027-05-29"),
    ),
    Case(
        "every-weekend-hebrew",
        "בכל סופ״ש במאי",
        ("2027-05-06/2027-05-08", "2027-05-13/2027-05-15", "2027-05-20/2027-05-22", "2027-05-27/2027-05-29"),
    ),
    Case("a-weekend-hebrew", "סופש במאי", ("2027-05-06/2027-05-08",)),
    Case("eve-of-the-holiday", "Rosh Hashanah, from the eve of the holiday until Monday", ("2027-10-01/2027-10-04",)),
    Case("eve-of-the-holiday-hebrew", "לראש השנה הבא, מערב החג עד יום שני בבוקר", ("2027-10-01/2027-10-04",)),
    Case("eve-of-no-holiday", "the eve of the holiday", ()),
    Case("from-sunday-of-the-middle-days", "chol hamoed pesach, 3 nights from Sunday", ("2027-04-25/2027-04-28",)),
    Case("from-sunday-of-the-middle-days-hebrew", "3 לילות בפסח בחול המועד, מראשון", ("2027-04-25/2027-04-28",)),
    Case("weeks-then-weekday", "in two weeks on Thursday", ("2026-12-03/2026-12-04",)),
    Case("weekday-then-weeks", "on Thursday in two weeks", ("2026-12-03/2026-12-04",)),
    Case("weeks-then-weekday-hebrew", "בעוד שבועיים ביום חמישי", ("2026-12-03/2026-12-04",)),
    Case("weekend-distant", "a weekend in two weeks", ("2026-12-03/2026-12-05",)),
    Case("half", "the second half of Hanukkah", ("2026-12-08/2026-12-12",)),
    Case("half-hebrew", "המחצית הראשונה של חנוכה", ("2026-12-04/2026-12-08",)),
    Case("entrance", "כניסה 6.12 יציאה 8.12", ("2026-12-06/2026-12-08",)),
    Case("entrance-order", "כניסה ב-10 בדצמבר ויציאה ב-8 בדצמבר", ("!order",)),
    Case("numeric-list", "9-11.5 or 16-18.5", ("2027-05-09/2027-05-11", "2027-05-16/2027-05-18")),
    Case("week-then-days", "next week, Sunday to Tuesday", ("2026-11-22/2026-11-24",)),
    Case("week-then-days-hebrew", "שבוע הבא מראשון עד שלישי", ("2026-11-22/2026-11-24",)),
    Case("week-on", "a week on Tuesday", ("2026-12-01/2026-12-02",), "GB"),
    Case("after-next", "the Tuesday after next", ("2026-12-01/2026-12-02",)),
    Case("end-of-month", "the last two nights of January", ("2027-01-30/2027-02-01",)),
    Case("hebrew-year", "Hanukkah 5788", ("2027-12-24/2028-01-01",)),
    Case("hebrew-year-letters", "פורים תשפ״ז", ("2027-03-22/2027-03-23",)),
    Case("first-nights-hebrew", "שלושת הלילות הראשונים של פסח", ("2027-04-21/2027-04-24",)),
    Case("few-days", "a few days in May", ("2027-05-15/2027-05-17",)),
    Case("few-days-hence", "in a few days", ("!unclear",)),
    Case("out-on", "in on the 6th of December and out on the 8th", ("2026-12-06/2026-12-08",)),
    Case("weekday-and-number", "Friday 4 to Sunday 6 December", ("2026-12-04/2026-12-06",)),
    Case("weekdays-and", "Thursday and Friday, 2 nights", ("2026-11-26/2026-11-28",)),
    Case("dated-weekend", "the weekend of 5-6 December", ("2026-12-05/2026-12-06",)),
    Case("slang", "2moro, 2 nights", ("2026-11-21/2026-11-23",)),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_dates_of_a_sentence(case: Case) -> None:
    found = [phrase.resolution for phrase in find_dates(case.text, today=FRIDAY, country=case.country)]
    said = [f"{stay.check_in}/{stay.check_out}" for result in found for stay in result.stays]
    assert (*said, *(f"!{result.error}" for result in found if result.error)) == case.stays


@pytest.mark.parametrize("hint", ["the weekend after", "or the one after", "10-12", "several nights from 5 December"])
def test_a_hint_that_leans_on_nothing_is_asked_about(hint: str) -> None:
    assert resolve(hint, today=FRIDAY).error == "unclear"


def test_a_hint_takes_the_month_named_apart() -> None:
    stays = resolve("June, from the 8th to the 11th", today=FRIDAY).stays
    assert [(stay.check_in, stay.check_out) for stay in stays] == [(date(2027, 6, 8), date(2027, 6, 11))]
