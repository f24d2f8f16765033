"""A booking that waits for a yes while the conversation goes on, the hold lapses and prices move."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hotel_runs import TODAY

from wavegraph import resume
from wavegraph.app.run.result import Result
from wavegraph.tools.hotel.booking_arguments import BookingRequest
from wavegraph.tools.hotel.property.port import open_property

BOOK = "Book a double room January 17-19 for two adults, Dana Levi, dana@example.com"
ME = "Dana Levi, dana@example.com"

Talk = Callable[..., Any]


def booked(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as file:
        return [name for (name,) in file.execute("SELECT guest_json FROM booking WHERE status = 'confirmed'")]


async def test_no_request_of_the_guest_takes_the_answer_from_the_staff(talk: Talk, database: Path) -> None:
    asked = await talk(BOOK, {"today": TODAY, "approver": "staff"})
    assert asked.question

    for settings in (None, {"approver": "guest"}):
        for text in ("yes", "what time is breakfast?", "book it", BOOK):
            later = await talk(text, settings)
            assert later.question
            assert not later.question["by_asker"]
            assert later.question["settings"].get("today", TODAY) == TODAY
    assert booked(database) == []


@pytest.mark.parametrize(
    ("turns", "terms"),
    [
        (("Book a double January 17-19 for 2, breakfast, free cancellation", ME), ("BB", True)),
        (("17-19 בינואר, זוג, חדר זוגי", f"לך על זה, עם בוקר, ביטול חינם. {ME}"), ("BB", True)),
        (("January 17-19 for 2, half board, a double", f"I take breakfast only, free cancel. {ME}"), ("BB", True)),
        (
            (
                "January 17-19 for 2, is it cheaper if I book non refundable?",
                f"I'll take the cancelable double, room only. {ME}",
            ),
            ("RO", True),
        ),
    ],
)
async def test_the_terms_have_the_board_and_the_rate_said_on_the_way(
    talk: Talk, turns: tuple[str, ...], terms: tuple[str, bool]
) -> None:
    for text in turns:
        asked = await talk(text, {"today": TODAY})

    part = asked.question["terms"]["quote"]["parts"][0]
    assert (part["board"], part["refundable"]) == terms


@pytest.mark.parametrize(
    "yes", ["Yes, I agree to the terms, please book it", "agree", "כן מאשרת את התנאים", "מאשר הכל"]
)
async def test_a_yes_to_the_terms_books(talk: Talk, database: Path, yes: str) -> None:
    await talk(BOOK, {"today": TODAY})
    await talk(yes)
    assert len(booked(database)) == 1


async def test_where_hold_and_price_are_gone_the_new_terms_say_from_what_and_an_old_yes_is_none(
    talk: Talk, database: Path
) -> None:
    await talk(BOOK, {"today": TODAY})
    with closing(sqlite3.connect(database)) as file, file:
        file.execute("UPDATE booking SET hold_until = '2026-01-01T00:00:00+00:00'")
        file.execute("UPDATE quote SET expires_at = '2026-01-01T00:00:00+00:00'")
        file.execute("UPDATE rate SET base_agorot = base_agorot * 2 WHERE room_type = 'DBL'")

    moved = await talk("yes")
    again = await talk("yes")

    assert moved.question
    assert "780 NIS in total" in str(moved.question["changed"]["before"])
    assert "1,560 NIS in total" in str(moved.question["changed"]["now"])
    assert again.outcome == "awaiting_approval"
    assert booked(database) == []


async def test_an_aside_about_another_stay_asks_nothing_that_a_yes_could_be_meant_for(
    talk: Talk, database: Path
) -> None:
    await talk(BOOK, {"today": TODAY})

    aside = await talk("and how much is a suite from February 1 to 3?")

    assert "Shall I book it?" not in aside.answer
    assert "?" not in aside.answer
    code = aside.question["terms_hash"][:6]  # a yes could be meant for the other stay
    assert aside.question["text"].endswith(f"Shall I go ahead? (yes {code} / no)")
    assert aside.answer_check["satisfied"]


@pytest.mark.parametrize("words", ["\u200fכן", "\u200eyes", "👍🏽", "✅", "yes\ufe0f"])
async def test_a_yes_is_a_yes_from_any_keyboard(talk: Talk, database: Path, words: str) -> None:
    await talk(BOOK, {"today": TODAY})

    ended = await talk(words)

    assert ended.outcome == "answered"
    assert len(booked(database)) == 1


async def test_what_the_aside_was_about_can_be_booked_instead(talk: Talk, database: Path) -> None:
    await talk(BOOK, {"today": TODAY})
    aside = await talk("and how much is a sea view room from February 1 to 3?")
    assert "To book one of these instead, tell me which." in aside.answer

    other = await talk("book a sea view room from February 1 to 3 for two adults, Dana Cohen, cohen@example.com")
    assert "This takes the place of my earlier question" in other.question["text"]
    ended = await talk("yes")

    assert ended.question is None
    (guest,) = booked(database)
    assert "Cohen" in guest


# A yes that was cut short after it had booked, and one that comes with a no.


async def as_a_killed_yes_leaves_it(asked: Result, database: Path) -> str:
    """Book what the question is about, and store nothing of that in the conversation; the booking's reference."""
    assert asked.question
    request = BookingRequest.model_validate(asked.question["args"])
    adapter = open_property("sandbox", data_dir=database.parent)
    made = await adapter.book(request.quote_id, request.guest, today=date.fromisoformat(TODAY))
    return made.reference


LATE: list[Any] = ["no", "No, thank you.", "cancel that", "forget it"]


@pytest.mark.parametrize("words", LATE)
async def test_a_no_after_a_killed_yes_is_told_what_was_booked(talk: Talk, database: Path, words: str) -> None:
    reference = await as_a_killed_yes_leaves_it(await talk(BOOK, {"today": TODAY}), database)

    ended = await talk(words)

    assert ended.outcome == "answered"
    assert ended.answer.startswith(f"This is already booked: {reference}.")
    assert "Nothing was booked" not in ended.answer
    assert len(booked(database)) == 1


@pytest.mark.parametrize(
    "answer", [{"decision": "reject"}, {"decision": "edit", "args": {"guest_name": "Noa Levi"}},
               {"decisions": [{"type": "reject", "message": "too dear"}]}]
)  # fmt: skip
async def test_so_is_the_staff_in_every_form(talk: Talk, graph: Any, database: Path, answer: Any) -> None:
    asked = await talk(BOOK, {"today": TODAY, "approver": "staff"})
    reference = await as_a_killed_yes_leaves_it(asked, database)

    ended = await resume(graph, "t", reply=answer, settings={"today": TODAY, "approver": "staff"})

    assert ended.answer.startswith(f"This is already booked: {reference}.")
    assert len(booked(database)) == 1


async def test_a_no_to_a_cancellation_that_has_happened_says_so(talk: Talk, database: Path) -> None:
    reference = await as_a_killed_yes_leaves_it(await talk(BOOK, {"today": TODAY}), database)
    await talk("no")
    asked = await talk(f"cancel booking {reference}, Levi")
    assert asked.outcome == "awaiting_approval"
    adapter = open_property("sandbox", data_dir=database.parent)
    await adapter.cancel(reference, "Levi", today=date.fromisoformat(TODAY))

    ended = await talk("no")

    assert f"Booking {reference} was cancelled before" in ended.answer
    assert "Nothing was cancelled" not in ended.answer


async def test_a_wish_that_would_replace_it_leaves_what_has_happened_to_be_told(talk: Talk, database: Path) -> None:
    reference = await as_a_killed_yes_leaves_it(await talk(BOOK, {"today": TODAY}), database)

    other = await talk("book a sea view room from February 1 to 3 for two adults, Dana Cohen, cohen@example.com")
    assert "This takes the place of my earlier question" not in other.question["text"]
    later = await talk("no")
    ended = await talk("no") if reference not in later.answer else later

    assert reference in ended.answer
    assert len(booked(database)) == 1


async def test_yes_then_no_and_no_then_yes(talk: Talk, database: Path) -> None:
    await talk(BOOK, {"today": TODAY})
    done = await talk("yes")
    [reference] = [done.results["create_booking"]["data"]["reference"]]
    late = await talk("no")
    assert reference in done.answer
    assert late.answer == f"All right. Booking {reference} stays as it is."
    assert len(booked(database)) == 1

    await talk("book a sea view room from February 1 to 3 for two adults, Dana Cohen, cohen@example.com")
    declined = await talk("no")
    assert "Nothing was booked" in declined.answer
    late = await talk("yes")
    assert late.outcome in ("awaiting_approval", "clarify", "answered")
    assert "create_booking" not in {name for name, each in late.results.items() if each["status"] == "ok"}
    assert len(booked(database)) == 1


# A change of who books while the question waits.


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ("Can you change the name to Chen Li Wei? That's what is in the passport", "Chen Li Wei"),
        ("אפשר לשנות את השם לרות כהן?", "רות כהן"),
    ],
)
async def test_a_new_name_is_in_the_terms_that_the_next_yes_is_to(
    talk: Talk, database: Path, change: str, name: str
) -> None:
    await talk(BOOK, {"today": TODAY})

    asked = await talk(change)
    await talk("yes")

    assert asked.question["args"]["guest_name"] == name
    (guest,) = booked(database)
    assert json.loads(guest)["name"] == name


async def test_a_change_that_is_not_understood_is_asked_about_and_a_yes_then_shows_the_terms(
    talk: Talk, database: Path
) -> None:
    await talk(BOOK, {"today": TODAY})
    await talk("is parking free?")

    unclear = await talk("there is a typo in the name")
    shown = await talk("yes")

    assert unclear.answer.startswith("I did not understand what to change, and nothing is booked yet.")
    assert shown.question["args"]["guest_name"] == "Dana Levi"
    assert booked(database) == []


async def test_a_booking_just_made_is_cancelled_only_with_a_yes_to_its_terms(talk: Talk, database: Path) -> None:
    await talk(BOOK, {"today": TODAY})
    made = await talk("yes")

    await talk("what are the cancellation terms?")
    stands = await talk("yes")
    asked = await talk("yes cancel")

    assert made.outcome == "answered"
    assert "stands, and I changed nothing" in stands.answer
    assert asked.question["tool"] == "cancel_booking"
    assert len(booked(database)) == 1


@pytest.mark.parametrize(
    "wish", [f"{BOOK}, with breakfast", f"Book another double room January 17-19 for two adults, {ME}"]
)
async def test_other_terms_of_booked_nights_are_asked_about_as_a_second_booking(
    talk: Talk, database: Path, wish: str
) -> None:
    assert "already" not in (await talk(BOOK)).question["text"]
    made = (await talk("yes")).results.values()
    reference = next(each["data"]["reference"] for each in made if each["tool"] == "create_booking")
    await talk("what time is breakfast?")

    twice = await talk(wish)
    assert twice.question
    told = f"You have booked these nights already ({reference}): this would be a second booking."
    assert told in twice.question["text"]
    assert len(booked(database)) == 1


@pytest.mark.parametrize(
    ("asks", "agrees"),
    [
        (f"Book a double December 25-26 for two adults, {ME}", "yes"),
        (f"Is a double free December 25-26 for two adults? {ME}", "ok"),
        (f"חדר זוגי 25-26 בדצמבר לזוג, {ME}", "כן"),
    ],
)
async def test_a_yes_to_the_one_stay_that_is_free_instead_asks_about_the_price_shown(
    talk: Talk, database: Path, asks: str, agrees: str
) -> None:
    with closing(sqlite3.connect(database)) as file, file:
        file.execute("UPDATE inventory SET stop_sell = 1 WHERE date = '2026-12-24'")
    shown = await talk(asks, {"today": TODAY})
    assert "351" in shown.answer

    quote = (await talk(agrees)).question["terms"]["quote"]

    assert (quote["check_in"], quote["total_agorot"], quote["refundable"]) == ("2026-12-26", 35_100, False)
