"""What messages are planned as whose words lean on each other, or on the stay talked of before."""

from dataclasses import dataclass

import pytest
from desk_views import plan_of, rendered


@dataclass(frozen=True)
class Case:
    id: str
    text: str
    calls: tuple[str, ...]
    """Every call in one line, as `desk_views.rendered` writes it; today is Friday 20 November 2026."""
    after: tuple[str, ...] = ()
    """What the guest said before."""


MAY = ("two adults, 17-19 May",)
MAY_HE = ("חדר לזוג 17-19 במאי",)
WEEKENDS_OF_MAY = (
    "availability 2027-05-06 2027-05-08 2",
    "availability 2027-05-13 2027-05-15 2",
    "availability 2027-05-20 2027-05-22 2",
    "availability 2027-05-27 2027-05-29 2",
)

CASES = (
    Case(
        "ages-behind-kids",
        "family of five (kids 2, 7, 12), 9-12 May",
        ("availability 2027-05-09 2027-05-12 2 children_ages=2,7,12",),
    ),
    Case(
        "ages-of-a-family",
        "family of 4 kids 3 and 5, 9-12 May",
        ("availability 2027-05-09 2027-05-12 2 children_ages=3,5",),
    ),
    Case("days-are-no-ages", "2 adults, 2 kids 9-12 May", ("availability 2027-05-09 2027-05-12 2 children_ages=8,8",)),
    Case(
        "twins",
        "my wife and me with our twins (1 year old), 9-12 May",
        ("availability 2027-05-09 2027-05-12 2 children_ages=1,1",),
    ),
    Case("slang", "got smth 4 2 ppl 9.5 - 12.5 plz", ("availability 2027-05-09 2027-05-12 2",)),
    Case("table", "a table for four tonight?", ("info restaurant",)),
    Case("table-hebrew", "שולחן לארבעה הערב", ("info restaurant",)),
    Case("included", "ארוחת בוקר כלולה?", ("info breakfast",)),
    Case("rooms-with", "Do you have any rooms with a sea view?", ("rooms room_type=DLX",)),
    Case(
        "rooms-too",
        "Which room types are there, and is one free 9-12 May?",
        ("availability 2027-05-09 2027-05-12 2", "rooms"),
    ),
    Case("room-count", "How many rooms do you have?", ("rooms",)),
    Case("longer-day", "could we extend our checkout?", ("info late check out",)),
    Case("passport", "do I need a passport at check in", ("info check_in",)),
    Case(
        "cheapest-weekend",
        "the cheapest weekend in May for two",
        ("hint weekends in May", *WEEKENDS_OF_MAY),
    ),
    Case("days-of-that-month", "and the 24th to the 26th?", ("availability 2027-05-24 2027-05-26 2",), MAY),
    Case("numbers-of-that-month", "what about 24-26?", ("availability 2027-05-24 2027-05-26 2",), MAY),
    Case("numbers-hebrew", "ומה לגבי 24-26?", ("availability 2027-05-24 2027-05-26 2",), MAY_HE),
    Case("other-month", "and the 24th to the 26th of June?", ("availability 2027-06-24 2027-06-26 2",), MAY),
    Case("guests-are-no-days", "and for 2-3 people?", ("availability 2027-05-17 2027-05-19 3",), MAY),
    Case("party-corrected", "we're actually three", ("availability 2027-05-17 2027-05-19 3",), MAY),
    Case("later-departure", "what if we leave on the 21st?", ("availability 2027-05-17 2027-05-21 2",), MAY),
    Case("stay-until", "we would like to stay until the 20th", ("availability 2027-05-17 2027-05-20 2",), MAY),
    Case("weekend-before", "and the weekend before?", ("availability 2027-05-13 2027-05-15 2",), MAY),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_calls_as_expected(case: Case) -> None:
    history = [turn for said in case.after for turn in (("user", said), ("assistant", "…"))]
    assert tuple(rendered(plan_of(case.text, history=history))) == case.calls
