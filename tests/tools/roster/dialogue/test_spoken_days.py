"""Which days a person means, with a roster to speak about and without one."""

from datetime import date

import pytest

from wavegraph.tools.roster.dialogue.spoken_days import Calendar, NoSuchDay, When, read_days

TODAY = date(2026, 12, 3)
"""A Thursday."""
NONE = Calendar(TODAY)
DURING = Calendar(TODAY, date(2026, 11, 23), date(2026, 12, 20))
AHEAD = Calendar(TODAY, date(2026, 12, 14), date(2027, 1, 10))


def on(text: str) -> date:
    return date.fromisoformat(text)


def days(text: str, calendar: Calendar) -> When | None:
    """Of the whole text; else it is not read."""
    words = text.casefold().split()
    found = read_days(words, 0, calendar)
    return found[0] if found and found[1] == len(words) else None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("from the 8th to the 12th", "2026-12-08", "2026-12-12"),
        ("on 2026-12-08", "2026-12-08", "2026-12-08"),
        ("on 8.12.", "2026-12-08", "2026-12-08"),
        ("on 8.1.2028", "2028-01-08", "2028-01-08"),
        ("on 8.12", "2026-12-08", "2026-12-08"),
        ("on 30/12", "2026-12-30", "2026-12-30"),
        ("on 8/8/2027", "2027-08-08", "2027-08-08"),
        ("in the week of 16 december", "2026-12-14", "2026-12-20"),
        ("the week of the 9th", "2026-12-07", "2026-12-13"),
        ("week of 2026-12-16", "2026-12-14", "2026-12-20"),
        ("the week from 16 december", "2026-12-16", "2026-12-22"),
        ("friday next week", "2026-12-11", "2026-12-11"),
        ("tuesday of next week", "2026-12-08", "2026-12-08"),
        ("until the 5th", "2026-12-03", "2026-12-05"),
        ("today", "2026-12-03", "2026-12-03"),
        ("tomorrow", "2026-12-04", "2026-12-04"),
        ("from 28 december to 2 january", "2026-12-28", "2027-01-02"),
        ("from december 28th until january 2nd", "2026-12-28", "2027-01-02"),
        ("from 20 to 23 december", "2026-12-20", "2026-12-23"),
        ("between the 20th and the 23rd", "2026-12-20", "2026-12-23"),
        ("from the 28th to the 2nd", "2026-12-28", "2027-01-02"),  # 28 November to 2 December is over
        ("from the 1st to the 4th", "2026-12-01", "2026-12-04"),  # now
        ("from the 1st to the 2nd", "2027-01-01", "2027-01-02"),
        ("on the 31st", "2026-12-31", "2026-12-31"),
        ("from the 30th to the 3rd", "2026-11-30", "2026-12-03"),  # the last day is today
        ("for december", "2026-12-01", "2026-12-31"),
        ("in february 2028", "2028-02-01", "2028-02-29"),
        ("in may", "2027-05-01", "2027-05-31"),
        ("next month", "2027-01-01", "2027-01-31"),
        ("from the 14th for two weeks", "2026-12-14", "2026-12-27"),
        ("from 2026-12-14 for 10 days", "2026-12-14", "2026-12-23"),
        ("friday", "2026-12-04", "2026-12-04"),
        ("thursday", "2026-12-03", "2026-12-03"),
        ("friday the 11th", "2026-12-11", "2026-12-11"),
        ("from monday to wednesday", "2026-12-07", "2026-12-09"),
        ("this week", "2026-11-30", "2026-12-06"),
        ("next week", "2026-12-07", "2026-12-13"),
        ("the weekend", "2026-12-05", "2026-12-06"),
        ("next weekend", "2026-12-12", "2026-12-13"),
        ("the weekend of the 19th", "2026-12-19", "2026-12-20"),
        ("weekend of 24 december", "2026-12-26", "2026-12-27"),
    ],
)
def test_days_from_today_on(text: str, first: str, last: str) -> None:
    assert days(text, NONE) == When(on(first), on(last))


@pytest.mark.parametrize(
    ("text", "calendar", "first", "last", "others"),
    [
        ("the 25th", DURING, "2026-11-25", "2026-11-25", []),  # the roster's own, though it is over
        ("the 12th", DURING, "2026-12-12", "2026-12-12", []),
        ("friday", DURING, "2026-12-04", "2026-12-04", []),
        ("the first week", DURING, "2026-11-23", "2026-11-29", []),
        ("from the 18th on", DURING, "2026-12-18", "2026-12-20", []),
        ("friday", AHEAD, "2026-12-18", "2026-12-18", ["2026-12-25", "2027-01-01", "2027-01-08"]),
        ("the 18th", AHEAD, "2026-12-18", "2026-12-18", []),
        ("the weekend", AHEAD, "2026-12-19", "2026-12-20", []),
        ("2 january", AHEAD, "2027-01-02", "2027-01-02", []),
        ("the 12th", AHEAD, "2026-12-12", "2026-12-12", []),  # it has none: the next one, which is outside
    ],
)
def test_the_roster_s_own_days_come_first(
    text: str, calendar: Calendar, first: str, last: str, others: list[str]
) -> None:
    assert days(text, calendar) == When(on(first), on(last), tuple(map(on, others)))


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("fridays", When(weekday="friday")),
        ("every friday", When(weekday="friday")),
        ("for two weeks", When(length=14)),
        ("the next 4 weeks", When(length=28)),
        ("2-week", When(length=14)),
    ],
)
def test_days_without_a_date(text: str, when: When) -> None:
    assert days(text, NONE) == when


@pytest.mark.parametrize(
    "text", ["night", "20", "two", "may", "week", "12/8", "the roster", "from alice", "from", "until", "the"]
)
def test_what_is_no_day(text: str) -> None:
    assert days(text, NONE) is None


@pytest.mark.parametrize("text", ["2026-02-30", "from 27 to 29 february", "the 32nd", "31 november", "8.13."])
def test_a_day_that_does_not_exist(text: str) -> None:
    with pytest.raises(NoSuchDay):
        days(text, NONE)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("from 3 to 1 december", "from 3 to 1 December"),
        ("from 2026-12-12 to 2026-12-08", "from 2026-12-12 to 2026-12-08"),
    ],
)
def test_days_that_end_before_they_begin(text: str, said: str) -> None:
    with pytest.raises(NoSuchDay) as none:
        days(text, NONE)
    assert (none.value.said, none.value.backwards) == (said, True)


def test_a_day_that_does_not_exist_is_told_without_what_leads_to_it() -> None:
    with pytest.raises(NoSuchDay) as none:
        days("on the 31 november", NONE)
    assert (none.value.said, none.value.backwards) == ("31 November", False)
