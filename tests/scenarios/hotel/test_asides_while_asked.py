"""What is said beside the question that waits: greetings, the terms, the fee, a note, a name, another question."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hotel_runs import TODAY

BOOK = "Book a double room January 17-19 for two adults, Dana Levi, dana@example.com"
BREAKFAST = "what time is breakfast?"
ASKS = ("Shall I go ahead? (yes / no)", "להמשיך? (כן / לא)")
Talk = Callable[..., Any]


@pytest.fixture
def aside(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """What is asked in between: from case to case another."""
    asides: list[tuple[str, ...]] = [(), (BREAKFAST,)]
    return asides[crc32(request.node.name.encode()) % len(asides)]


async def after(talk: Talk, *turns: str) -> Any:
    for text in turns:
        ended = await talk(text, {"today": TODAY})
    return ended


def guests(database: Path) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(database)) as file:
        return [
            json.loads(guest) for (guest,) in file.execute("SELECT guest_json FROM booking WHERE status = 'confirmed'")
        ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hello", "Hello! I can check rooms"),
        ("שלום", "שלום! אפשר לבדוק כאן"),
        ("what can you do", "I answer for the hotel"),
        ("why?", "I have the hotel's prices and rules, not the reasons"),
        ("what exactly would you book?", "Nothing is done yet. This is what waits."),
        ("what am I agreeing to?", "Nothing is done yet. This is what waits."),
        ("show me the details again", "Nothing is done yet. This is what waits."),
        ("what did you note?", "Nothing is done yet. This is what waits."),
        ("מה בדיוק תזמינו?", "עדיין לא נעשה דבר. זה מה שממתין."),
        ("is it booked?", "No, nothing is booked yet. This is what waits."),
    ],
)
async def test_the_question_stands_last_and_a_yes_books(
    talk: Talk, database: Path, aside: tuple[str, ...], text: str, told: str
) -> None:
    ended = await after(talk, BOOK, *aside, text)

    assert ended.answer.startswith(told)
    assert "?" not in ended.answer
    assert ended.question["shown"]
    await talk("yes")
    assert len(guests(database)) == 1


@pytest.mark.parametrize(
    ("rate", "fee"), [("", "free of charge."), ("non-refundable", "cost 702 NIS: the whole price of the booking.")]
)
@pytest.mark.parametrize(
    "text", ["is there a fee?", "what will it cost me?", "ok, how much do I get back?", "will I be charged?", "when was it free until?"]
)  # fmt: skip
async def test_the_fee_of_a_cancellation_is_told_from_its_terms(
    talk: Talk, text: str, aside: tuple[str, ...], rate: str, fee: str
) -> None:
    ended = await after(talk, BOOK, *filter(None, [rate]), "yes", "cancel my booking", *aside, text)

    assert ended.answer.startswith("The cancellation would ")
    assert fee in ended.answer
    assert ended.question["shown"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("how much is it in total?", "780 NIS in total (390 NIS per night), VAT included."),
        ("what's the price per night?", "780 NIS in total (390 NIS per night), VAT included."),
        ("כמה זה עולה?", "780 ש״ח בסך הכול (390 ש״ח ללילה), כולל מע״מ."),
    ],
)
async def test_the_price_of_a_booking_is_told_from_its_terms_and_no_other(
    talk: Talk, database: Path, text: str, told: str
) -> None:
    ended = await after(talk, BOOK, BREAKFAST, text)
    await talk("yes")

    assert ended.answer == told
    assert len(guests(database)) == 1


async def test_the_price_of_what_was_asked_about_in_between_is_told_anew(talk: Talk) -> None:
    ended = await after(talk, BOOK, "is a suite free February 3-5?", "how much is it?")

    assert "Sea Front Suite" in ended.answer


async def test_so_is_it_in_hebrew_and_parking_is_not_the_fee(talk: Talk) -> None:
    told = await after(talk, BOOK, "yes", "cancel my booking", "כמה זה עולה לבטל?")
    parking = await talk("is parking free?")

    assert told.answer.startswith("הביטול יהיה ללא עלות.")
    assert parking.answer.startswith("Parking:")


@pytest.mark.parametrize(
    ("text", "yes", "parking"),
    [
        (f"{BOOK}. Is there parking?", "yes", "Parking:"),
        ("אני רוצה להזמין חדר זוגי 17-19 בינואר לשני מבוגרים, דנה לוי, dana@example.com. יש חניה?", "כן", "חניה"),
    ],
)
async def test_a_booking_with_a_question_beside_it_is_asked_about_and_both_are_answered(
    talk: Talk, database: Path, text: str, yes: str, parking: str
) -> None:
    asked = await after(talk, text)
    ended = await talk(yes)

    assert asked.question["text"].endswith(ASKS)
    assert parking in asked.question["text"]
    assert len(guests(database)) == 1
    assert parking not in ended.answer


async def test_so_is_a_cancellation(talk: Talk, database: Path) -> None:
    asked = await after(talk, BOOK, "yes", "cancel my booking and tell me about parking")
    ended = await talk("yes")

    assert asked.question["tool"] == "cancel_booking"
    assert "Parking:" in asked.question["text"]
    assert guests(database) == []
    assert "Parking:" not in ended.answer


@pytest.mark.parametrize(
    ("text", "name"), [("the name is Noa Cohen", "Noa Cohen"), ("השם הוא נועה כהן", "נועה כהן"), ("yes, in the name of Noa Cohen", "Noa Cohen")]
)  # fmt: skip
async def test_another_name_for_the_booking_is_in_its_new_terms(
    talk: Talk, database: Path, aside: tuple[str, ...], text: str, name: str
) -> None:
    asked = await after(talk, BOOK, *aside, text)
    await talk("yes")

    assert name in asked.question["text"]
    assert [(guest["name"], guest["email"]) for guest in guests(database)] == [(name, "dana@example.com")]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("yes, and please note we arrive late", "we arrive late"),
        ("note: a quiet room please. Is there parking?", "a quiet room please"),
        ("please note that our flight lands on January 17", "our flight lands on January 17"),
        ("כן, ושימו לב שנגיע מאוחר", "שנגיע מאוחר"),
    ],
)
async def test_a_note_is_in_the_new_terms(
    talk: Talk, database: Path, aside: tuple[str, ...], text: str, note: str
) -> None:
    asked = await after(talk, BOOK, *aside, text)
    changed = await talk("yes but 3 adults")
    await talk(changed.question["agree_with"])

    assert note in asked.question["text"]
    assert changed.question["args"]["notes"] == note
    assert [guest["notes"] for guest in guests(database)] == [note]


async def test_a_note_goes_with_the_booking_that_it_was_said_of(talk: Talk) -> None:
    asked = await after(talk, f"{BOOK}, note: we arrive late")
    other = await after(talk, "yes", "book a double room February 3-5 for two adults, Dana Levi, dana@example.com")

    assert asked.question["args"]["notes"] == "we arrive late"
    assert "notes" not in other.question["args"]


@pytest.mark.parametrize("text", ["yes tomorrow", "I will say yes tomorrow", "כן, מחר", "אחליט מחר"])
async def test_the_day_on_which_a_guest_decides_is_no_stay(talk: Talk, text: str) -> None:
    ended = await after(talk, BOOK, text)

    assert ended.question["terms"]["quote"]["check_in"] == "2027-01-17"
    assert ended.answer.startswith(("Take your time.", "אין לחץ."))


@pytest.mark.parametrize(
    ("turns", "outcome", "waits"),
    [
        ((BOOK,), "awaiting_approval", True),
        ((BOOK, BREAKFAST), "answered", True),
        ((BOOK, "make it January 17-19 or January 24-26"), "clarify", True),
        (("Book a double room January 17-19 for two adults",), "clarify", False),
        (("Book a room January 17-19 for two adults, Dana Levi, dana@example.com",), "clarify", False),
        (("January 17-19 for two adults",), "answered", False),
    ],
)
async def test_the_outcome_is_of_this_request_and_the_question_of_whatever_waits(
    talk: Talk, turns: tuple[str, ...], outcome: str, waits: bool
) -> None:
    ended = await after(talk, *turns)

    assert (ended.outcome, ended.question is not None) == (outcome, waits)
