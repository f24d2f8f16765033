"""Answers about bookings: the terms before the yes, and what came of every booking, cancellation and look-up."""

from typing import Any

import pytest
from desk_views import answered, availability, booked, offer, quote
from tables import table

from wavegraph.graph.execution.write import MAY_HAVE_HAPPENED
from wavegraph.tools.hotel.answers.booking import restate_booking, restate_cancellation
from wavegraph.tools.hotel.offline import HotelOffline
from wavegraph.tools.hotel.records import Booking, Quote

SEA = offer("DLX", 182_000, 2, cancel_until="2027-01-14")
QUOTE = quote(SEA)
STAY = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2}
CREATE = {"quote_id": "Q-AB12CD34EF", "guest_name": "Dana Levi", "guest_email": "dana@example.com"}
KNOWN = {"reference": "WG-7KQ2M9XA", "surname_or_email": "Levi"}
GUEST = {"name": "Dana Levi", "email": "dana@example.com", "phone": None, "notes": None}
QUOTED = ("quote", "quote_stay", STAY, QUOTE)
ASKS = {
    "en": "book the sea view January 17-19 for Dana Levi, dana@example.com",
    "he": "תזמינו חדר עם נוף לים 17-19 בינואר על שם דנה לוי, dana@example.com",
}


def answer(language: str, *results: Any, text: str = "", **more: Any) -> str:
    view = answered(text or ASKS[language], results, language=language, **more)
    return HotelOffline().respond(view)


def created(language: str, code: str, **more: Any) -> str:
    failed = [("create_booking", "create_booking", CREATE, code)]
    return answer(language, QUOTED, failed=failed, **more)


def test_made_records_are_the_tools_own() -> None:
    Quote.model_validate(QUOTE)
    Booking.model_validate(booked(QUOTE))


def test_the_terms_before_the_yes() -> None:
    details = {"quote": QUOTE, "guest": {**GUEST, "phone": "050-1234567", "notes": "late arrival"}, "property_id": "x"}
    assert restate_booking(details, "en").splitlines() == [
        "This is what would be booked:",
        "- Sunday 17 January – Tuesday 19 January 2027, 2 nights",
        "- Deluxe Sea View Room, breakfast included, for 2 adults",
        "- 1,820 NIS in total (910 NIS per night), VAT included",
        "- Cancellation: free of charge until Thursday 14 January 2027.",
        "- Name: Dana Levi (dana@example.com, 050-1234567)",
        "- Notes: late arrival",
    ]


@pytest.mark.parametrize(("ages", "told"), [
    ([14], "for 2 adults and 1 child (age 14)"),
    ([9, 1, 4], "for 2 adults, 2 children and 1 baby (ages 4, 9)"),
])  # fmt: skip
def test_the_terms_have_the_ages_that_the_price_is_for(ages: list[int], told: str) -> None:
    text = restate_booking({"quote": {**QUOTE, "children_ages": ages}, "guest": GUEST}, "en")
    assert f"- Deluxe Sea View Room, breakfast included, {told}" in text.splitlines()


def test_the_terms_before_the_yes_in_hebrew() -> None:
    lines = restate_booking({"quote": quote(offer("DBL", 130_000, 2)), "guest": GUEST}, "he").splitlines()
    assert lines == [
        "זה מה שיוזמן:",
        "- יום ראשון, 17 בינואר עד יום שלישי, 19 בינואר 2027 (שני לילות)",
        "- חדר זוגי, כולל ארוחת בוקר, עבור שני מבוגרים",
        "- 1,300 ש״ח בסך הכול (650 ש״ח ללילה), כולל מע״מ",
        "- ביטול: ללא החזר.",
        "- על שם: Dana Levi (dana@example.com)",
    ]


def test_rooms_with_other_terms_say_their_own() -> None:
    mixed = quote({**SEA, "count": 2}, offer("DBL", 130_000, 2))
    text = restate_booking({"quote": mixed, "guest": GUEST}, "en")
    assert "2 × Deluxe Sea View Room, breakfast included (free cancellation until Thursday 14 January 2027)" in text
    assert "Double Room, breakfast included (non-refundable)" in text
    assert "- Cancellation: non-refundable." in text


@table(
    ("language", "fee", "says"),
    [
        ("en", 0, "The cancellation would be free of charge."),
        ("en", 91_000, "The cancellation would cost 910 NIS."),
        ("he", 0, "הביטול יהיה ללא עלות."),
        ("he", 91_000, "הביטול יעלה 910 ש״ח."),
        ("en", 182_000, "The cancellation would cost 1,820 NIS: the whole price of the booking."),
        ("he", 182_000, "הביטול יעלה 1,820 ש״ח: מלוא המחיר של ההזמנה."),
    ],
)
def test_a_cancellation_says_which_booking_and_its_fee(language: str, fee: int, says: str) -> None:
    text = restate_cancellation({"booking": booked(QUOTE, fee_agorot=fee)}, language)
    assert text.splitlines()[-1] == says
    assert "WG-7KQ2M9XA" in text
    assert "Dana Levi" in text


@pytest.mark.parametrize(
    ("language", "first", "last"),
    [
        ("en", "Your booking is confirmed: WG-7KQ2M9XA.",
         "To see or cancel it, send me the booking number WG-7KQ2M9XA with your surname or e-mail address."),
        ("he", "ההזמנה אושרה: WG-7KQ2M9XA.",
         "לצפייה בהזמנה או לביטולה נא לכתוב כאן את מספר ההזמנה WG-7KQ2M9XA עם שם המשפחה או כתובת הדוא״ל."),
    ],
)  # fmt: skip
def test_booked(language: str, first: str, last: str) -> None:
    lines = answer(language, QUOTED, ("create_booking", "create_booking", CREATE, booked(QUOTE))).splitlines()
    assert (lines[0], lines[-1]) == (first, last)
    assert len(lines) == 7


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "This is already booked: WG-7KQ2M9XA. Nothing more was booked."),
        ("he", "זה כבר הוזמן, פעם אחת: WG-7KQ2M9XA. לא הוזמן דבר נוסף."),
    ],
)
def test_booked_already(language: str, says: str) -> None:
    again = ("create_booking", "create_booking", CREATE, booked(QUOTE, repeated=True))
    assert answer(language, again).startswith(says)


@table(
    ("language", "fields", "says"),
    [
        ("en", {"fee_agorot": 0}, ["Booking WG-7KQ2M9XA has been cancelled.", "The cancellation is free of charge."]),
        ("en", {"fee_agorot": 91_000}, ["The cancellation costs 910 NIS."]),
        ("en", {"fee_agorot": 0, "repeated": True}, ["was cancelled before; nothing more was done."]),
        ("he", {"fee_agorot": 0}, ["הזמנה WG-7KQ2M9XA בוטלה.", "הביטול ללא עלות."]),
        ("he", {"fee_agorot": 91_000}, ["עלות הביטול: 910 ש״ח."]),
        ("he", {"fee_agorot": 0, "repeated": True}, ["בוטלה כבר קודם; לא נעשה דבר נוסף."]),
    ],
)
def test_cancelled(language: str, fields: dict[str, Any], says: list[str]) -> None:
    data = booked(QUOTE, status="cancelled", **fields)
    text = answer(language, ("cancel_booking", "cancel_booking", KNOWN, data), text="cancel WG-7KQ2M9XA, Levi")
    assert all(words in text for words in says), text


@pytest.mark.parametrize(
    ("language", "status", "says"),
    [
        ("en", "confirmed", "Booking WG-7KQ2M9XA is confirmed:"),
        ("en", "cancelled", "Booking WG-7KQ2M9XA is cancelled:"),
        ("he", "confirmed", "הזמנה WG-7KQ2M9XA מאושרת:"),
        ("he", "cancelled", "הזמנה WG-7KQ2M9XA מבוטלת:"),
    ],
)
def test_looked_up(language: str, status: str, says: str) -> None:
    found = ("get_booking", "get_booking", KNOWN, booked(QUOTE, status=status))
    text = answer(language, found, text="show my booking WG-7KQ2M9XA, Levi")
    assert text.startswith(says)
    assert ("Cancellation:" in text or "ביטול:" in text) == (status == "confirmed")


@pytest.mark.parametrize(("language", "says"), [("en", "I found no booking"), ("he", "לא נמצאה הזמנה")])
@pytest.mark.parametrize("tool", ["get_booking", "cancel_booking"])
def test_a_wrong_pair_and_an_unknown_number_read_the_same(language: str, says: str, tool: str) -> None:
    texts = set()
    for args in (KNOWN, {**KNOWN, "surname_or_email": "Cohen"}, {**KNOWN, "reference": "WG-00000000"}):
        text = answer(language, failed=[(tool, tool, args, "not_found")], text="cancel WG-7KQ2M9XA, Levi")
        assert text.startswith(f"{says} {args['reference']} ")
        assert f"“{args['surname_or_email']}”" in text
        texts.add(text.replace(args["reference"], "").replace(args["surname_or_email"], ""))
    assert len(texts) == 1


OUTCOMES = [
    ("price_changed", "The price changed", "המחיר השתנה"),
    ("terms_moved", "The price changed", "המחיר השתנה"),
    ("quote_expired", "The offer expired", "תוקף ההצעה פג"),
    ("not_found", "The offer expired", "תוקף ההצעה פג"),
    ("sold_out", "no longer free", "כבר אינו פנוי"),
    ("past", "is in the past", "כבר עברה"),
    ("idempotency_conflict", "other guest details", "פרטי אורח אחרים"),
    ("write_unknown", "may or may not have gone through", "ייתכן שההזמנה נעשתה וייתכן שלא"),
    ("timeout", "don't send it again", "נא לא לשלוח שוב"),
    ("too_large", "may or may not have gone through", "ייתכן שההזמנה נעשתה וייתכן שלא"),
    ("unexpected_data", "may or may not have gone through", "ייתכן שההזמנה נעשתה וייתכן שלא"),
    ("tool_error", "may or may not have gone through", "ייתכן שההזמנה נעשתה וייתכן שלא"),
    ("approval_impossible", "this channel cannot wait for it", "בדרך הזאת אי אפשר להמתין לה"),
    ("auth", "could not do it", "לא הצליחה לעשות זאת"),
]


@table(("code", "english", "hebrew"), OUTCOMES)
def test_not_booked(code: str, english: str, hebrew: str) -> None:
    for language, words, nothing in (("en", english, "Nothing was booked."), ("he", hebrew, "לא הוזמן דבר")):
        text = created(language, code)
        assert words in text
        assert code not in text.replace("the past", "")
        maybe = code in {*MAY_HAVE_HAPPENED, "idempotency_conflict"}
        assert (nothing in text) != maybe, text


@table(
    ("code", "english", "hebrew"),
    [
        ("past", "has begun or is over", "כבר התחילה או הסתיימה"),
        ("write_unknown", "may or may not have gone through", "ייתכן שהביטול נעשה וייתכן שלא"),
        ("approval_impossible", "Nothing was cancelled", "לא בוטל דבר"),
        ("rejected", "Nothing was cancelled", "לא בוטל דבר"),
        ("rate_limited", "Nothing was cancelled", "לא בוטל דבר"),
    ],
)
def test_not_cancelled(code: str, english: str, hebrew: str) -> None:
    for language, words in (("en", english), ("he", hebrew)):
        failed = [("cancel_booking", "cancel_booking", KNOWN, code)]
        message = "it was not agreed to"
        assert words in answer(language, failed=failed, text="cancel WG-7KQ2M9XA, Levi", message=message)


def test_a_no_is_given_back_with_its_reason_and_nothing_else() -> None:
    plain = created("en", "rejected", message="it was not agreed to")
    assert plain.splitlines()[0] == "Nothing was booked."
    reason = "the room is closed on 3 March 2027, 500 NIS for another"
    told = created("en", "rejected", message=f"it was not agreed to: {reason}")
    assert told.splitlines()[0] == f"Nothing was booked. The reason given: “{reason}”."
    assert created("he", "rejected", message=f"it was not agreed to: {reason}").startswith("לא הוזמן דבר.")


def test_reception_is_named_where_only_it_can_tell() -> None:
    data = {"topic": "contact", "found": True, "title": "Contact", "text": "Call 04-5550142.", "text_he": "",
            "topics": [], "contact": ""}  # fmt: skip
    contact = ("hotel_info_contact", "get_hotel_info", {"topic": "contact"}, data)
    failed = [("create_booking", "create_booking", CREATE, "write_unknown")]
    assert "Call 04-5550142." in answer("en", QUOTED, contact, failed=failed)


@pytest.mark.parametrize(("language", "says"), [("en", "No room is free."), ("he", "אין חדר פנוי.")])
def test_no_offer_means_nothing_booked_and_other_dates(language: str, says: str) -> None:
    free = availability("2027-01-18", "2027-01-20", offer("DLX", 160_000, 2))
    text = answer(
        language,
        ("day_after", "get_availability", {**STAY, "check_in": "2027-01-18", "check_out": "2027-01-20"}, free),
        failed=[
            ("quote", "quote_stay", STAY, "sold_out"),
            ("create_booking", "create_booking", {**CREATE, "quote_id": {"ref": {"call": "quote", "path": "quote_id"}}},
             "skipped"),
        ],
        instead_of={"day_after": "quote"},
        skipped=["create_booking"],
    )  # fmt: skip
    assert says in text
    assert "1,600" in text
    assert "Nothing was booked." in text or "לא הוזמן דבר." in text


def test_a_second_offer_that_was_booked_leaves_no_word_of_the_first() -> None:
    second = quote(SEA, quote_id="Q-ZZ99ZZ99ZZ")
    text = answer(
        "en",
        QUOTED,
        ("quote_again", "quote_stay", {**STAY, "rate_plan": "BAR"}, second),
        ("create_booking_again", "create_booking", {**CREATE, "quote_id": "Q-ZZ99ZZ99ZZ"}, booked(second)),
        failed=[("create_booking", "create_booking", CREATE, "price_changed")],
        instead_of={"quote_again": "create_booking", "create_booking_again": "create_booking"},
    )
    assert text.startswith("Your booking is confirmed: WG-7KQ2M9XA.")
    assert "changed" not in text


@table(
    ("text", "says"),
    [
        ("Book a room January 17-19 for Dana Levi, dana@example.com", "Which room shall I book?"),
        ("Book a double room January 17-19 for Dana Levi", "an e-mail address or phone number. Nothing is booked yet."),
        ("Book a double room January 17-19, dana@example.com", "tell me the guest's name. Nothing is booked yet."),
        ("Book a double room January 17-19", "the guest's name and an e-mail address or phone number."),
        (
            "Book a room January 17-19",
            "To book, tell me which room, the guest's name and an e-mail address or phone number.",
        ),
        (
            "Book a room January 17-19 for Dana Levi",
            "To book, tell me which room and an e-mail address or phone number.",
        ),
        ("Book a room January 17-19, dana@example.com", "To book, tell me which room and the guest's name."),
        ("תזמינו חדר ל-17-19 בינואר על שם דנה לוי", "להזמנה נא לכתוב איזה חדר וכתובת דוא״ל או מספר טלפון."),
        ("תזמינו חדר זוגי ל-17-19 בינואר", "להזמנה נא לכתוב את שם האורח"),
    ],
)
def test_what_to_say_next(text: str, says: str) -> None:
    shown = availability("2027-01-17", "2027-01-19", offer("DBL", 130_000, 2), SEA)
    language = "he" if "חדר" in text else "en"
    assert says in answer(language, ("check_availability", "get_availability", STAY, shown), text=text)


def test_where_each_stay_was_looked_up_for_one_room_no_room_is_asked_for() -> None:
    double, sea = (availability("2027-01-17", "2027-01-19", each) for each in (offer("DBL", 130_000, 2), SEA))
    later = availability("2027-01-24", "2027-01-26", offer("DBL", 130_000, 2))
    text = "Book a double and a deluxe January 17-19"
    looks = [(f"look_{code}", "get_availability", {**STAY, "room_type": code}) for code in ("DBL", "DLX")]
    both = answer("en", (*looks[0], double), (*looks[1], sea), text=text)
    assert "To book, tell me the guest's name and an e-mail address or phone number." in both
    apart = answer("en", (*looks[0], double), (*looks[1], later), text=text)
    assert "To book, tell me which stay, the guest's name and an e-mail" in apart
