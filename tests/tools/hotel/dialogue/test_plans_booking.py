"""Booking, looking up and cancelling, as they are said: what is asked back, and what is planned."""

from dataclasses import dataclass

import pytest
from desk_views import plan_of, rendered

STAY = "quote 2027-01-17 2027-01-19 2"
SHOWN = ("January 17-19, 2 adults",)
SHOWN_HE = ("17-19 בינואר, זוג",)


@dataclass(frozen=True)
class Case:
    id: str
    text: str
    action: str
    intent: str
    calls: tuple[str, ...] = ()
    """Every call in one line, as `desk_views.rendered` writes it; today is Friday 20 November 2026."""
    after: tuple[str, ...] = ()
    """What the guest said before."""


def booking(room: str, guest: str) -> tuple[str, ...]:
    quote = f"{STAY} {room}".strip()
    return quote, f"create of quote {guest}"


DANA = "guest_name=Dana Levi guest_email=dana@example.com"
DANA_HE = "guest_name=דנה לוי guest_phone=050-1234567"

ENGLISH = (
    Case("which room", "book it", "clarify", "book", after=SHOWN),
    Case("who", "I'll take the sea view", "clarify", "book", after=SHOWN),
    Case("the cheapest needs no choice", "the cheapest, please book it", "clarify", "book", after=SHOWN),
    Case(
        "the cheapest, all said",
        "book the cheapest. Dana Levi, dana@example.com",
        "book",
        "book",
        booking("", DANA),
        SHOWN,
    ),
    Case(
        "name and mail come later",
        "Dana Levi, dana@example.com",
        "book",
        "book",
        booking("room_type=DLX", DANA),
        (*SHOWN, "I'll take the sea view"),
    ),
    Case("a name alone, asked for", "dana levi", "clarify", "book", (), (*SHOWN, "I'll take the sea view")),
    Case(
        "then the mail",
        "dana@example.com",
        "book",
        "book",
        booking("room_type=DLX", "guest_name=dana levi guest_email=dana@example.com"),
        (*SHOWN, "I'll take the sea view", "dana levi"),
    ),
    Case(
        "a name with hyphen and apostrophe",
        "my name is Mary-Jane O'Hara, tel 04 555 0142",
        "book",
        "book",
        booking("room_type=DBL", "guest_name=Mary-Jane O'Hara guest_phone=04 555 0142"),
        (*SHOWN, "I'd like to book the double"),
    ),
    Case(
        "three words",
        "Anna Maria Lopez, +34 600 123 456",
        "book",
        "book",
        booking("room_type=DBL", "guest_name=Anna Maria Lopez guest_phone=+34 600 123 456"),
        (*SHOWN, "book the double"),
    ),
    Case(
        "all capitals",
        "BOOK THE DOUBLE FOR DANA LEVI, DANA@EXAMPLE.COM",
        "book",
        "book",
        booking("room_type=DBL", "guest_name=DANA LEVI guest_email=DANA@EXAMPLE.COM"),
        SHOWN,
    ),
    Case(
        "everything in one message",
        "book a double for Jan 17-19 for Dana Levi, dana@example.com, 2 adults",
        "book",
        "book",
        booking("room_type=DBL", DANA),
    ),
    Case(
        "digits in a mail are no dates",
        "reserve the double, Dana Levi, dana1712@example.com",
        "book",
        "book",
        booking("room_type=DBL", "guest_name=Dana Levi guest_email=dana1712@example.com"),
        SHOWN,
    ),
    Case(
        "a telephone is no date",
        "05-12-2026 for 2 nights, 2 adults",
        "availability",
        "availability",
        ("availability 2026-12-05 2026-12-07 2",),
    ),
    Case(
        "a telephone is no price",
        "call me at 054-765-4321",
        "book",
        "book",
        booking("room_type=DBL", "guest_name=Dana Levi guest_phone=054-765-4321"),
        (*SHOWN, "book the double for Dana Levi"),
    ),
    Case(
        "terms and board",
        "book the sea view with breakfast and free cancellation, Dana Levi, dana@example.com",
        "book",
        "book",
        booking("room_type=DLX board=BB refundable=True", DANA),
        SHOWN,
    ),
    Case(
        "without dates first",
        "January 17-19, 2 adults",
        "book",
        "book",
        booking("room_type=DBL", DANA),
        ("I want to book a double for Dana Levi, dana@example.com",),
    ),
    Case(
        "the price is seen before a mail is asked for",
        "Book a double room Jan 17-19 for Dana Levi",
        "availability",
        "availability",
        ("availability 2027-01-17 2027-01-19 2 room_type=DBL",),
    ),
    Case(
        "who comes with the choice books",
        "I'll have the double please, it's for Tom Baker (tom@baker.org)",
        "book",
        "book",
        booking("room_type=DBL", "guest_name=Tom Baker guest_email=tom@baker.org"),
        SHOWN,
    ),
    Case(
        "a telephone is no question for the hotel's",
        "can I reserve the sea view? name Dana Levi phone 0501234567",
        "book",
        "book",
        booking("room_type=DLX", "guest_name=Dana Levi guest_phone=0501234567"),
        SHOWN,
    ),
    Case(
        "whatever is cheapest",
        "just book whatever is cheapest, I'm Dana Levi, 0501234567",
        "book",
        "book",
        booking("", "guest_name=Dana Levi guest_phone=0501234567"),
        SHOWN,
    ),
    Case(
        "a name that sounds like a month",
        "May Cohen",
        "clarify",
        "book",
        (),
        (*SHOWN, "book the double"),
    ),
    Case(
        "then how to reach her",
        "may.cohen@example.com",
        "book",
        "book",
        booking("room_type=DBL", "guest_name=May Cohen guest_email=may.cohen@example.com"),
        (*SHOWN, "book the double", "May Cohen"),
    ),
    Case("one of two stays", "book the sea view", "clarify", "book", (), ("January 17-19 or January 24-26 for 2",)),
    Case(
        "the first of two stays",
        "book the first one, the double, Dana Levi, dana@example.com",
        "book",
        "book",
        booking("room_type=DBL", DANA),
        ("January 17-19 or January 24-26 for 2",),
    ),
    Case(
        "a price asked on the way",
        "how much is the sea view?",
        "availability",
        "availability",
        ("availability 2027-01-17 2027-01-19 2 room_type=DLX",),
        (*SHOWN, "book it"),
    ),
    Case("no book shop", "is the book shop open?", "clarify", "availability"),
    Case(
        "yes with a question",
        "yes but what about parking",
        "hotel_info",
        "hotel_info",
        ("info parking",),
        (*SHOWN, "book the double, Dana Levi, dana@example.com"),
    ),
    Case(
        "no with another length",
        "no, make it two nights",
        "availability",
        "availability",
        ("availability 2027-01-17 2027-01-19 2 room_type=DBL",),
        ("January 17-20 for 2", "book the double, Dana Levi, dana@example.com"),
    ),
    Case("no thanks", "no thanks", "reply", "decline", (), (*SHOWN, "book the double")),
    Case("dropped", "cancel", "reply", "decline", (), (*SHOWN, "book the double")),
    Case("cancel", "cancel my booking WG-7KQ2M9XA, Levi", "cancel", "cancel", ("cancel WG-7KQ2M9XA Levi",)),
    Case("cancel by mail", "please cancel WG-7KQ2M9XA, dana@example.com", "cancel", "cancel",
         ("cancel WG-7KQ2M9XA dana@example.com",)),
    Case("cancel, foreign number", "cancel booking 12345 for John Smith", "cancel", "cancel", ("cancel 12345 Smith",)),
    Case("cancel, number alone", "cancel booking WG-7KQ2M9XA", "clarify", "cancel"),
    Case("then the name", "de la Cruz", "cancel", "cancel", ("cancel WG-7KQ2M9XA de la Cruz",),
         ("cancel booking WG-7KQ2M9XA",)),
    Case("then both", "wg7kq2m9xa, Levi", "cancel", "cancel", ("cancel wg7kq2m9xa Levi",), ("cancel my reservation",)),
    Case("cancel, name alone", "Cancel the booking of John Smith, I don't have the number", "refuse", "cancel"),
    Case("look up", "show me my booking WG-7KQ2M9XA dana@example.com", "find", "find",
         ("find WG-7KQ2M9XA dana@example.com",)),
    Case("look up without a number", "show me my booking", "refuse", "find"),
    Case("change", "change my booking WG-7KQ2M9XA to January 5, Levi", "modify", "modify", ("info contact",)),
    Case("somebody else's", "show me Dana Levi's booking", "refuse", "privacy"),
)  # fmt: skip

HEBREW = (
    Case("איזה חדר", "תזמין לי את החדר", "clarify", "book", (), SHOWN_HE),
    Case("מי", "אקח את החדר עם הנוף לים", "clarify", "book", (), SHOWN_HE),
    Case("הזול", "תזמינו את הזול ביותר", "clarify", "book", (), SHOWN_HE),
    Case(
        "הזול, הכול נאמר",
        "תזמינו את הזול ביותר, דנה לוי, טלפון 050-1234567",
        "book",
        "book",
        booking("", DANA_HE),
        SHOWN_HE,
    ),
    Case(
        "טלפון ושם", "טלפון 050-1234567, דנה לוי", "book", "book", booking("room_type=DBL", DANA_HE),
        (*SHOWN_HE, "תזמין לי את החדר הזוגי"),
    ),
    Case("שם לבד", "דנה לוי", "clarify", "book", (), (*SHOWN_HE, "תזמין לי את החדר הזוגי")),
    Case(
        "ואז טלפון", "050-1234567", "book", "book", booking("room_type=DBL", DANA_HE),
        (*SHOWN_HE, "תזמין לי את החדר הזוגי", "דנה לוי"),
    ),
    Case("שמי", "שמי משה כהן", "clarify", "book", (), (*SHOWN_HE, "תזמין לי סוויטה")),
    Case(
        "שם בן שלוש מילים",
        "ניקח את הסוויטה, על שם יוסי בן דוד, 0521234567",
        "book",
        "book",
        booking("room_type=SUITE", "guest_name=יוסי בן דוד guest_phone=0521234567"),
        SHOWN_HE,
    ),
    Case(
        "שם עם מקף ודוא״ל",
        "תזמינו את הזוגי על שם רות כהן-לוי, ruth17@example.co.il",
        "book",
        "book",
        booking("room_type=DBL", "guest_name=רות כהן-לוי guest_email=ruth17@example.co.il"),
        SHOWN_HE,
    ),
    Case(
        "הכול בהודעה אחת",
        "תזמינו חדר זוגי ל-17-19 בינואר על שם דנה לוי, טלפון 050-1234567, שני מבוגרים",
        "book",
        "book",
        booking("room_type=DBL", DANA_HE),
    ),
    Case(
        "שם לפני לילות",
        "תזמינו את הזוגי על שם דנה לוי לשני מבוגרים, 050-1234567",
        "book",
        "book",
        booking("room_type=DBL", DANA_HE),
        SHOWN_HE,
    ),
    Case(
        "בלי תאריכים קודם",
        "17-19 בינואר",
        "book",
        "book",
        booking("room_type=DBL", DANA_HE),
        ("תזמינו לי חדר זוגי, דנה לוי, 050-1234567",),
    ),
    Case("אחת משתי שהיות", "תזמינו את הסוויטה", "clarify", "book", (), ("17-19 בינואר או 24-26 בינואר, זוג",)),
    Case("כן", "כן", "clarify", "book", (), SHOWN_HE),
    Case(
        "כן אבל", "כן, אבל יש חניה?", "hotel_info", "hotel_info", ("info parking",),
        (*SHOWN_HE, "תזמינו את הזוגי, דנה לוי, 050-1234567"),
    ),
    Case(
        "לא, שלושה לילות", "לא, שיהיה 3 לילות", "availability", "availability",
        ("availability 2027-01-17 2027-01-20 2 room_type=DBL",),
        (*SHOWN_HE, "תזמינו את הזוגי, דנה לוי, 050-1234567"),
    ),
    Case("לא תודה", "לא תודה", "reply", "decline", (), (*SHOWN_HE, "תזמין לי את החדר הזוגי")),
    Case("ביטול", "תבטלו את הזמנה WG-7KQ2M9XA על שם לוי", "cancel", "cancel", ("cancel WG-7KQ2M9XA לוי",)),
    Case("ביטול, מספר אחר", "לבטל הזמנה מספר 12345, כהן", "cancel", "cancel", ("cancel 12345 כהן",)),
    Case("ביטול, מספר לבד", "לבטל את הזמנה WG-7KQ2M9XA", "clarify", "cancel"),
    Case("ואז השם", "לוי", "cancel", "cancel", ("cancel WG-7KQ2M9XA לוי",), ("לבטל את הזמנה WG-7KQ2M9XA",)),
    Case("ביטול, שם לבד", "לבטל את ההזמנה של יוסי כהן, אין לי מספר", "refuse", "cancel"),
    Case(
        "הצגה", "תראו לי את ההזמנה שלי WG-7KQ2M9XA, דוא״ל dana@example.com", "find", "find",
        ("find WG-7KQ2M9XA dana@example.com",),
    ),
    Case("הצגה בלי מספר", "מה עם ההזמנה שלי", "refuse", "find"),
    Case("שינוי", "לשנות את הזמנה WG-7KQ2M9XA, לוי", "modify", "modify", ("info contact",)),
    Case("של אחר", "תראו לי את ההזמנה של יוסי כהן", "refuse", "privacy"),
)  # fmt: skip


@pytest.mark.parametrize("case", [*ENGLISH, *HEBREW], ids=lambda case: case.id)
def test_plans_as_expected(case: Case) -> None:
    history = [turn for said in case.after for turn in (("user", said), ("assistant", "…"))]
    plan = plan_of(case.text, history=history)
    assert (plan["action"], plan["slots"]["intent"], tuple(rendered(plan))) == (case.action, case.intent, case.calls)
    assert (plan["reply"] is not None) == (case.action in ("clarify", "refuse", "reply"))
