"""Days as a person gives them to a command."""

from datetime import date

import pytest

from wavegraph.app.roster.advice.days import parse_day
from wavegraph.graph.errors import ToolRefusal

WEDNESDAY = date(2026, 12, 30)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("2026-12-03", date(2026, 12, 3)),
        (" 2026-12-03 ", date(2026, 12, 3)),
        ("3.12.2026", date(2026, 12, 3)),
        ("03.12.26", date(2026, 12, 3)),
        ("25/12/2026", date(2026, 12, 25)),
        ("2026/12/3", date(2026, 12, 3)),
        ("today", WEDNESDAY),
        ("Tomorrow", date(2026, 12, 31)),
        ("wednesday", WEDNESDAY),
        ("WED", WEDNESDAY),
        ("thu", date(2026, 12, 31)),
        ("Friday", date(2027, 1, 1)),
        ("tues", date(2027, 1, 5)),
    ],
)
def test_a_day(given: str, meant: date) -> None:
    assert parse_day(given, WEDNESDAY) == meant


@pytest.mark.parametrize("given", ["", "t", "th", "someday", "30.2.2026", "46000", "mondays"])
def test_what_is_no_day_is_told(given: str) -> None:
    with pytest.raises(ToolRefusal, match="is no day: write 2026-12-03, today, tomorrow, or a day of the week"):
        parse_day(given, WEDNESDAY)


def test_a_day_that_may_be_two_is_asked_about() -> None:
    with pytest.raises(ToolRefusal, match="'3/12/2026' is 2026-12-03 or 2026-03-12: write the one that is meant"):
        parse_day("3/12/2026", WEDNESDAY)


def test_of_a_day_that_its_month_lacks_the_last_one_is_told() -> None:
    with pytest.raises(ToolRefusal, match="'2027-02-30' is no day: write a day up to 2027-02-28"):
        parse_day("2027-02-30", WEDNESDAY)
