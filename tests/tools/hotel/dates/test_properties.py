"""What must hold for any words: no crash, no stay in the past or backwards, no guess for a day that does not exist."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st
from tables import table

from wavegraph.graph.settings import FIRST_DAY, LAST_DAY
from wavegraph.tools.hotel.dates import DateResolution, find_dates, resolve

FRIDAY = date(2026, 11, 20)
ENGLISH = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"
)  # fmt: skip
HEBREW = (
    "ינואר", "פברואר", "מרץ", "אפריל", "מאי", "יוני", "יולי", "אוגוסט", "ספטמבר", "אוקטובר", "נובמבר", "דצמבר"
)  # fmt: skip
DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
WORDS = [
    *("from", "to", "next", "this", "last", "first", "two", "3", "17", "5th", "nights", "weekend", "week", "of", "in"),
    *("the", "a", "Friday", "Hanukkah", "Passover", "December", "eve", "after", "before", "between", "and", "or", ","),
    *(
        "-",
        "/",
        ".",
        "2027",
        "12/5",
        "2",
        "adults",
        "tonight",
        "tomorrow",
        "mid",
        "end",
        "until",
        "leaving",
        "arriving",
    ),
    *("second", "long", "30", "0", "400", "day", "month", "year", "9999", "half", "Ramadan", "15", "Nisan", "couple"),
    *("פסח", "חנוכה", "עד", "מ-5", "ב-17", "בינואר", "הבא", "שני", "לילות", "סופ״ש", "אחרי", "ערב", "שבועות"),
    *("לשבוע", "יום", "ה'", "בעוד", "הלילה", "הראשון", "של", "שבת", "מוצאי", "לפני", "בין", "החודש", "סוף"),
]

todays = st.one_of(st.dates(FIRST_DAY, LAST_DAY), st.sampled_from([FIRST_DAY, LAST_DAY, LAST_DAY - timedelta(days=9)]))
countries = st.sampled_from(["IL", "US", "GB", "CA", "GR", "XX"])
phrases = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


def check(found: DateResolution, today: date) -> None:
    assert bool(found.stays) != bool(found.error)
    assert bool(found.message) == bool(found.error)
    for stay in found.stays:
        assert today <= stay.check_in < stay.check_out
        assert (stay.check_out - stay.check_in).days == stay.nights <= 30


@given(st.one_of(st.text(max_size=60), phrases), todays, countries)
def test_any_text_gives_future_stays_or_a_reason(text: str, today: date, country: str) -> None:
    check(resolve(text, today=today, country=country), today)
    for phrase in find_dates(text, today=today, country=country):
        assert text[phrase.start : phrase.end] == phrase.text != ""
        check(phrase.resolution, today)


@given(st.dates(FRIDAY, date(2040, 1, 1)), st.integers(1, 30), st.sampled_from(["to", "-", "until", "עד"]), countries)
def test_iso_range_round_trips(start: date, nights: int, joint: str, country: str) -> None:
    end = start + timedelta(days=nights)
    (stay,) = resolve(f"{start} {joint} {end}", today=FRIDAY, country=country).stays
    assert (stay.check_in, stay.check_out, stay.nights_explicit) == (start, end, True)


def styles(day: int, month: int) -> list[str]:
    """One day of the year the ways guests write it."""
    name, hebrew = ENGLISH[month - 1], HEBREW[month - 1]
    suffix = "th" if day in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return [
        f"{name} {day}", f"{day} {name}", f"{day}{suffix} of {name}", f"{name[:3]} {day}{suffix}", f"on the {day}{suffix} of {name}",
        f"{day}/{month}", f"{day}.{month}", f"{day:02}/{month:02}", f"{day} ב{hebrew}", f"ב-{day} ב{hebrew}", f"ה-{day} ב{hebrew}",
        f"{day} {hebrew}", f"ל-{day}.{month}", f"{name.upper()} {day}",
    ]  # fmt: skip


@given(st.integers(1, 12).flatmap(lambda m: st.tuples(st.integers(1, DAYS[m - 1]), st.just(m))))
def test_every_style_names_the_same_day(day_month: tuple[int, int]) -> None:
    day, month = day_month
    years = (date(year, month, day) for year in (2026, 2027, 2028) if not (day_month == (29, 2) and year < 2028))
    expected = next(found for found in years if found >= FRIDAY)
    for text in styles(day, month):
        (stay,) = resolve(text, today=FRIDAY).stays
        assert (text, stay.check_in, stay.nights) == (text, expected, 1)


@given(st.integers(1, 12).flatmap(lambda m: st.tuples(st.integers(DAYS[m - 1] + 1, 99), st.just(m))))
def test_days_that_do_not_exist_are_refused(day_month: tuple[int, int]) -> None:
    day, month = day_month
    for text in (f"{ENGLISH[month - 1]} {day}", f"{day} {ENGLISH[month - 1]}", f"{day} ב{HEBREW[month - 1]}"):
        assert resolve(text, today=FRIDAY).error == "invalid", text
    for text in (f"2027-{month:02}-{day}", f"{day}/{month}/2027"):
        assert resolve(text, today=FRIDAY).error == "invalid", text


@given(st.integers(13, 99), st.integers(13, 31))
def test_months_that_do_not_exist_are_refused(month: int, day: int) -> None:
    for text in (f"2027-{month}-{day}", f"{day}/{month}/2027", f"{day}.{month}"):
        assert resolve(text, today=FRIDAY).error == "invalid", text


@table("year", [2027, 2029, 2030, 2031, 2100])
def test_leap_day_of_a_common_year_is_refused(year: int) -> None:
    for text in (f"Feb 29 {year}", f"29/2/{year}", f"{year}-02-29", f"29 בפברואר {year}"):
        assert resolve(text, today=FRIDAY).error == "invalid", text


@given(st.dates(date(2000, 1, 1), FRIDAY - timedelta(days=1)))
def test_a_written_past_date_is_refused(day: date) -> None:
    for text in (f"{day}", f"{day.day} {ENGLISH[day.month - 1]} {day.year}", f"{day.day}.{day.month}.{day.year}"):
        assert resolve(text, today=FRIDAY).error == "past", text
