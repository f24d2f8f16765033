"""What `this weekend` and `next weekend` mean on every day of a week."""

from datetime import date, timedelta

import pytest

from wavegraph.tools.hotel.dates import resolve

SUNDAY = date(2026, 11, 15)

# Today, this weekend, next weekend, the weekend after next: days of November 2026, departures included.
# A weekend runs until its departure day. On that day no night of it is left: both `this` and `next` are the coming
# one, and a guest in Israel who writes on a Saturday means Thursday to Saturday five days on.
ISRAEL = [
    ("Sunday", "19-21", "26-28", "3-5"),
    ("Monday", "19-21", "26-28", "3-5"),
    ("Tuesday", "19-21", "26-28", "3-5"),
    ("Wednesday", "19-21", "26-28", "3-5"),
    ("Thursday", "19-21", "26-28", "3-5"),
    ("Friday", "20-21", "26-28", "3-5"),
    ("Saturday", "26-28", "26-28", "3-5"),
]
AMERICA = [
    ("Sunday", "20-22", "20-22", "27-29"),
    ("Monday", "20-22", "27-29", "4-6"),
    ("Tuesday", "20-22", "27-29", "4-6"),
    ("Wednesday", "20-22", "27-29", "4-6"),
    ("Thursday", "20-22", "27-29", "4-6"),
    ("Friday", "20-22", "27-29", "4-6"),
    ("Saturday", "21-22", "27-29", "4-6"),
]
HINTS = (
    ("this weekend", "next weekend", "weekend after next"),
    ("סוף השבוע הזה", "סוף השבוע הבא", "weekend after next"),
    ("סופ״ש הקרוב", 'סופ"ש הבא', "weekend after next"),
)


def told(hint: str, today: date, country: str) -> str:
    [stay] = resolve(hint, today=today, country=country).stays
    return f"{stay.check_in.day}-{stay.check_out.day}"


@pytest.mark.parametrize(("country", "table"), [("IL", ISRAEL), ("US", AMERICA)], ids=["IL", "US"])
def test_weekends_by_the_day_they_are_asked_on(country: str, table: list[tuple[str, str, str, str]]) -> None:
    for n, (name, *expected) in enumerate(table):
        today = SUNDAY + timedelta(days=n)
        for hints in HINTS:
            assert (today.strftime("%A"), [told(hint, today, country) for hint in hints]) == (name, expected)
