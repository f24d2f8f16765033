"""Claims of free text: what traces passes, what was invented is named. Each case is one changed fact."""

import pytest
from desk_views import answered, availability, offer

from wavegraph.graph.domain import AnswerView
from wavegraph.tools.hotel.claims import unsupported


def view() -> AnswerView:
    """A double for 1,300 and a sea view for 1,820 on 17-19 January 2027; 25 December 2026 is full."""
    free = availability(
        "2027-01-17", "2027-01-19", offer("DBL", 130_000, 2, cancel_until="2027-01-14"), offer("DLX", 182_000, 2)
    )
    full = availability("2026-12-25", "2026-12-26", reason="sold_out")
    calls = [
        (name, "get_availability", {"check_in": data["check_in"], "check_out": data["check_out"], "adults": 2}, data)
        for name, data in (("check_availability", free), ("check_availability_2", full))
    ]
    return answered("January 17-19 or December 25, up to 2000 NIS", calls)


TRUE = [
    "The Double Room costs 1,300 NIS, which is 650 NIS per night.",
    "The double room is ₪1,300 and the deluxe sea view room is 1820 shekels.",
    "From Sunday, January 17 to Tuesday, January 19, 2027 (2 nights), both are available.",
    "17–19 January 2027: available. 25 December is sold out.",
    "The 25th of December is fully booked, but 17 January is available.",
    "On 2027-01-17 the DLX is free.",
    "The sea view costs 520 NIS more.",
    "Both rooms together come to 3,120 NIS.",
    "It stays within your 2,000 NIS.",
    "Free cancellation until Thursday 14 January 2027; parking is free.",
    "החדר הזוגי עולה 1,300 ש״ח, 650 ש\"ח ללילה.",
    "ב-17 בינואר יש מקום, וב-25 בדצמבר אין מקום.",
    "יום ראשון, 17 בינואר 2027: חדר דלוקס נוף לים פנוי.",
    "ההפרש הוא 520 ש״ח.",
    "I could not find out whether 26 December is available.",
    "You may arrive from 15:00; call +972-4-555-0142.",
]  # fmt: skip

FALSE = [
    ("The Double Room costs 1,250 NIS.", "1,250 NIS"),
    ("The double is ₪999.", "₪999"),
    ("It costs $350.", "$350"),
    ("The cheapest is 520 NIS.", "520 NIS"),
    ("Also free from 20 February 2027.", "20 February 2027"),
    ("Arrive on Monday 17 January 2027.", "Monday 17 January 2027"),
    ("Arrive Saturday, January 17.", "Saturday, January 17"),
    ("Check in on 2027-01-27.", "2027-01-27"),
    ("Your dates are 17-21 January.", "17-21 January"),
    ("We also have a Presidential Suite.", "Presidential Suite"),
    ("A penthouse is left.", "penthouse"),
    ("The junior suite is nice.", "junior suite"),
    ("Take the FAM.", "FAM"),
    ("25 December is available.", "25 December is available."),
    ("Sorry, 17 January is fully booked.", "Sorry, 17 January is fully booked."),
    ("Your booking number is WG-48213.", "WG-48213"),
    ("I have booked the room for you.", "I have booked"),
    ("החדר עולה 1,400 ש״ח.", "1,400 ש״ח"),
    ("יום שני, 17 בינואר 2027.", "יום שני, 17 בינואר 2027"),
    ("ב-25 בדצמבר יש מקום.", "ב-25 בדצמבר יש מקום."),
    ("יש גם סוויטה נשיאותית.", "סוויטה נשיאותית"),
    ("הזמנתי לכם את החדר.", "הזמנתי"),
    ("אפשר גם ב-3 במרץ 2027.", "3 במרץ 2027"),
]


@pytest.mark.parametrize("text", TRUE)
def test_what_traces_passes(text: str) -> None:
    assert unsupported(text, view()) == []


@pytest.mark.parametrize(("text", "claim"), FALSE)
def test_what_was_invented_is_named(text: str, claim: str) -> None:
    found = unsupported(text, view())
    assert any(claim in each or each in claim for each in found), found
    assert all(each in text for each in found)


def test_a_broken_date_may_be_quoted_from_the_guest() -> None:
    asked = answered("room for Feb 29 2027")
    assert unsupported("Feb 29 2027 is not a date that exists.", asked) == []
    assert unsupported("Feb 30 2027 is not a date that exists.", asked) == ["Feb 30 2027"]
