"""Claims of free text: what traces passes, what was invented is named. Each case is one changed fact."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from desk_views import answered, availability, booked, offer, quote
from langchain_core.messages import AIMessage, HumanMessage

from wavegraph.graph.views import AnswerView
from wavegraph.tools.hotel.answer_check.claims import unsupported
from wavegraph.tools.hotel.answers.phrases import TABLES


@cache
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


FOLLOWS = [
    ("סוויטה ל-11-13 בפברואר, 2 מבוגרים ובנות 7 ו10", "עבור 11-13 בפברואר, 2 מבוגרים ובנות 7 ו־10, חסר לי שם מלא ומספר טלפון."),
    ("חדר ל-1 במרץ עם פנסיון מלא", "ל־1 במרץ עם פנסיון מלא: על איזה שם?"),
    ("Suite 5/5 to 9/5 please book", "Wednesday 5 May to Sunday 9 May 2027, 4 nights: under what full name?"),
    ("a room from 3 July for 7 nights, with friends", "Saturday 3 July to Saturday 10 July 2027, 7 nights: how many friends?"),
    ("tomorrow for 2 nights with some friends", "From Saturday 21 November to Monday 23 November: how many friends?"),
    ("מ29.11 עד 31.11", "31 בנובמבר אינו קיים. האם עד 30 בנובמבר או 1 בדצמבר?"),
    ("29 to 31 february 2027", "29, 30 and 31 February 2027 do not exist; the last day is 28 February 2027."),
    ("a room on 3 November 2026", "3 November 2026 has passed. Did you mean 3 November 2027?"),
    ("חדר ל-3.11.2026", "3 בנובמבר 2026 כבר עבר. התכוונתם ל-3 בנובמבר 2027?"),
    ("double room 14-17.12 for a few of us", "How many are you from 14 to 17 December?"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "reply"), FOLLOWS)
def test_what_the_request_says_or_what_follows_from_it_needs_no_result(said: str, reply: str) -> None:
    assert unsupported(reply, answered(said)) == []


@pytest.mark.parametrize(
    ("said", "reply", "claim"),
    [
        ("עד 31.11", "האם עד 29 בנובמבר?", "29 בנובמבר"),
        ("up to 31.11", "Did you mean 2 December?", "2 December"),
        ("a room on 3 November 2026", "Did you mean 4 November 2027?", "4 November 2027"),
        ("ב-17 בינואר", "ב-17 בינואר המלון מלא.", "ב-17 בינואר המלון מלא."),
    ],
)
def test_what_does_not_follow_from_the_request_is_named(said: str, reply: str, claim: str) -> None:
    assert unsupported(reply, answered(said)) == [claim]


def test_a_broken_date_may_be_quoted_from_the_guest() -> None:
    asked = answered("room for Feb 29 2027")
    assert unsupported("Feb 29 2027 is not a date that exists.", asked) == []
    assert unsupported("Feb 30 2027 is not a date that exists.", asked) == ["Feb 30 2027"]


STAY = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2}
OFFER = quote(offer("DLX", 182_000, 2, cancel_until="2027-01-14"))
KNOWN = {"reference": "WG-7KQ2M9XA", "surname_or_email": "Levi"}
RESULTS: dict[str, tuple[str, str, dict[str, Any], Any]] = {
    "quoted": ("quote", "quote_stay", STAY, OFFER),
    "booked": ("create", "create_booking", {"quote_id": "Q-AB12CD34EF", "guest_name": "Dana Levi"}, booked(OFFER)),
    "looked up": ("get", "get_booking", KNOWN, booked(OFFER)),
    "looked up cancelled": ("get", "get_booking", KNOWN, booked(OFFER, status="cancelled")),
    "cancelled": ("cancel", "cancel_booking", KNOWN, booked(OFFER, status="cancelled", fee_agorot=91_000)),
}
DEEDS = {
    "I have booked the room for you.": {"booked"},
    "The room has been reserved.": {"booked"},
    "You're all set!": {"booked"},
    "I confirmed it.": {"booked"},
    "הזמנתי לכם את החדר.": {"booked"},
    "החדר הוזמן.": {"booked"},
    "Your booking is confirmed.": {"booked", "looked up"},
    "Booking WG-7KQ2M9XA is now confirmed.": {"booked", "looked up"},
    "ההזמנה אושרה.": {"booked", "looked up"},
    "I've cancelled it.": {"cancelled"},
    "Your reservation has been canceled.": {"cancelled", "looked up cancelled"},
    "ההזמנה שלכם בוטלה.": {"cancelled", "looked up cancelled"},
    "ביטלתי את ההזמנה.": {"cancelled"},
    "I have changed your booking.": set(),
    "Your booking number is WG-7KQ2M9XA.": {"booked", "looked up", "looked up cancelled", "cancelled"},
    "Your reference is WG-ABCDEFGH.": set(),
}


@pytest.mark.parametrize("receipt", RESULTS)
@pytest.mark.parametrize("text", DEEDS)
def test_a_deed_needs_the_receipt_of_exactly_that_deed(text: str, receipt: str) -> None:
    found = unsupported(text, answered("January 17-19 for 2", [RESULTS[receipt]]))
    assert (found == []) == (receipt in DEEDS[text]), found


@pytest.mark.parametrize(
    "text",
    [
        "Nothing was booked.",
        "I have booked nothing.",
        "Once it is booked, you get a number.",
        "Before your booking is confirmed, I will ask you.",
        "These dates are booked out.",
        "The booking can be cancelled free of charge.",
        "לא הוזמן דבר.",
        "לא הזמנתי דבר.",
        "This is what would be booked, for Dana Levi, dana@example.com.",
    ],
)
def test_what_is_no_deed_needs_no_receipt(text: str) -> None:
    assert unsupported(text, answered("January 17-19 for 2, dana@example.com", [RESULTS["quoted"]])) == []


def test_a_failed_write_is_no_receipt() -> None:
    failed = answered("book it", failed=[("create", "create_booking", {"quote_id": "Q-1"}, "write_unknown")])
    assert unsupported("I have booked it.", failed) == ["I have booked"]


def test_a_quote_gives_amounts_dates_and_that_it_can_be_had() -> None:
    view = answered("January 17-19 for 2", [RESULTS["quoted"]])
    assert unsupported("17 January 2027 is available for 1,820 NIS (910 NIS per night).", view) == []
    assert unsupported("It costs 1,900 NIS from 20 January on.", view) == ["1,900 NIS", "20 January"]


def after(before: AnswerView, asked: str, action: str = "clarify", *, told: Sequence[str] = ()) -> AnswerView:
    """A view of the next request. `told`: what the guest and the desk said before it, the guest first."""
    previous: Any = {"request": before.request, "plan": before.plan, "ledger": before.ledger, "outcome": "answered"}
    now = replace(answered(asked), previous=previous)
    plan: Any = {**now.plan, "action": action, "planner": "model", "reply": "as it was written"}
    said = [AIMessage(text) if n % 2 else HumanMessage(text) for n, text in enumerate(told)]
    return replace(now, plan=plan, conversation=[*said, *now.conversation])


def test_a_price_of_the_request_before_has_to_be_looked_up_again() -> None:
    now = after(view(), "and which of the two is cheaper?", "answer")

    assert unsupported("The Double Room costs 1,300 NIS.", now) == ["1,300 NIS"]
    assert unsupported("Do you mean the Double Room from Sunday, January 17?", now) == []


@pytest.mark.parametrize(
    "reply", ["The double for 1,300 NIS: in what name?", "חדר דלוקס נוף לים ב־1,820 ש״ח, 910 ש״ח ללילה: על איזה שם?"]
)
def test_a_question_may_repeat_prices_of_the_request_before(reply: str) -> None:
    assert unsupported(reply, after(view(), "the flexible one")) == []
    assert unsupported(reply.replace("1,", "2,"), after(view(), "the flexible one"))


@pytest.mark.parametrize(
    ("guest", "desk", "reply"),
    [
        ("What is a junior suite?", "A junior suite costs 790 NIS (395 NIS per night).", "The junior suite for 790 NIS: on what name?"),
        ("מה יש?", "סטודיו, לינה בלבד: 1,220 ש״ח", "סטודיו ב־1,220 ש״ח: על איזה שם?"),
    ],
)  # fmt: skip
def test_a_question_may_repeat_what_the_desk_said_and_not_what_only_the_guest_did(
    guest: str, desk: str, reply: str
) -> None:
    assert unsupported(reply, after(answered(guest), "yes", told=[guest, desk])) == []
    assert unsupported(reply, after(answered(guest), "yes", "answer", told=[guest, desk]))
    assert unsupported(reply, after(answered(guest), "yes", told=[f"{guest} {desk}", "I see no such price."]))
    assert unsupported(reply, after(answered(guest), "yes", told=[f"{guest} {desk}", f"You say: {desk}"]))


def test_a_room_that_the_plan_names_in_its_slots_still_stands_in_the_result() -> None:
    now = after(
        answered(
            "free?", [("a", "get_availability", {}, availability("2027-01-17", "2027-01-19", offer("TRP", 97_200, 2)))]
        ),
        "the second",
    )
    slots = {**now.plan["slots"], "room_types": ["חדר לשלושה", "Triple Room"]}
    named = replace(now, plan={**now.plan, "slots": slots})

    assert unsupported("חדר לשלושה: על איזה שם? The Triple Room: in what name?", named) == []


def test_a_fee_comes_from_the_booking() -> None:
    view = answered("cancel WG-7KQ2M9XA, Levi", [RESULTS["cancelled"]])
    assert unsupported("The fee is 910 NIS.", view) == []
    assert unsupported("The fee is 455 NIS.", view) == ["455 NIS"]


@pytest.mark.parametrize("language", ["en", "he"])
def test_our_own_sentences_claim_nothing_but_those_that_tell_of_a_booking(language: str) -> None:
    """A sentence with places to fill in is tried with nothing in them; names of room types are names, no sentences."""
    sentences = {key: text for key, text in TABLES[language].items() if not key.startswith("type_")}
    texts = {key: re.sub(r"{\w+}", "", text) for key, text in sentences.items()}
    claiming = {key for key, text in texts.items() if unsupported(text, view())}

    assert claiming <= {"booked", "booked_already"}, {key: unsupported(texts[key], view()) for key in claiming}


def test_what_is_remembered_of_a_text_holds_for_its_day_and_its_receipts_only() -> None:
    """The same words on another day mean other dates; the same deed is told with a receipt and without."""
    asked = answered("a room for tomorrow", [])
    later = replace(asked, today=asked.today + timedelta(days=7))
    tomorrow, other = (f"{each.today + timedelta(days=1):%Y-%m-%d}" for each in (asked, later))
    for _ in range(2):
        assert unsupported(f"You arrive on {tomorrow}.", asked) == []
        assert unsupported(f"You arrive on {other}.", asked) == [other]
        assert unsupported(f"You arrive on {other}.", later) == []
    said, held = "Your room is booked.", answered("book it", [RESULTS["booked"]])
    assert [bool(unsupported(said, view)) for view in (asked, held, asked)] == [True, False, True]
