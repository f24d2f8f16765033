"""What people say around a no while a booking or a cancellation waits: only a no that is meant ends it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hotel_runs import TODAY

BOOK = "Book a double room January 17-19 for two adults, Dana Levi, dana@example.com"
MARCH = "Book a double room March 7-9 for two adults, Dana Levi, dana@example.com"
BREAKFAST = "what time is breakfast?"
Talk = Callable[..., Any]


def statuses(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as file:
        return [status for (status,) in file.execute("SELECT status FROM booking ORDER BY created_at")]


@pytest.fixture
def aside(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """What is asked in between: from case to case another."""
    asides: list[tuple[str, ...]] = [(), (BREAKFAST,)]
    return asides[crc32(request.node.name.encode()) % len(asides)]


async def after(talk: Talk, *turns: str) -> Any:
    for text in turns:
        ended = await talk(text, {"today": TODAY})
    return ended


@pytest.mark.parametrize(
    "text", ["no, it is too expensive", "no, I changed my mind", "do not go ahead", "לא, יקר לי", "התחרטתי"]
)
async def test_a_no_with_its_reason_ends_it(talk: Talk, aside: tuple[str, ...], text: str) -> None:
    ended = await after(talk, BOOK, *aside, text)

    assert ended.question is None
    assert "Nothing was booked" in ended.answer


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *((text, "Take your time.") for text in ("hmm", "later", "in a minute", "let me think", "not today", "no rush", "no idea")),
        *((text, "אין לחץ.") for text in ("אולי", "חכה רגע", "רגע", "לא יודע")),
        *((text, "I took that neither for a yes nor for a no") for text in ("no problem", "no doubt", "no but yes", "yes?")),
        *((text, "") for text in ("לא משנה, תזמין", "yes, cancel it")),
    ],
)  # fmt: skip
async def test_what_is_no_clear_no_leaves_it_open_and_asks_again(
    talk: Talk, database: Path, aside: tuple[str, ...], text: str, told: str
) -> None:
    ended = await after(talk, BOOK, *aside, text)

    assert ended.answer.startswith(told) or ended.outcome == "awaiting_approval"
    assert ended.question["terms"]["quote"]["check_in"] == "2027-01-17"
    assert ended.question["shown"]
    assert statuses(database) == ["hold"]
    await talk("yes")
    assert statuses(database) == ["confirmed"]


@pytest.mark.parametrize(
    "text", ["no worries, go ahead", "no doubt, book it", "no more questions, go ahead", "why not, book it"]
)
async def test_a_yes_that_begins_with_a_no_is_never_one(talk: Talk, database: Path, text: str) -> None:
    await after(talk, BOOK, BREAKFAST, text)
    await talk("yes")

    assert statuses(database) == ["confirmed"]


@pytest.mark.parametrize("text", ["no problem", "no idea", "no rush", "not today", "לא יודע", "no doubt"])
async def test_so_does_it_with_a_cancellation(talk: Talk, database: Path, text: str) -> None:
    ended = await after(talk, BOOK, "yes", "cancel my booking", text)

    assert ended.question["tool"] == "cancel_booking"
    assert ended.question["shown"]
    assert "booked yet" not in ended.answer
    assert statuses(database) == ["confirmed"]


async def test_a_wish_to_cancel_another_booking_is_no_no_to_this_one(talk: Talk, database: Path) -> None:
    unknown = await after(talk, BOOK, "yes and cancel my other booking")
    assert unknown.question["tool"] == "create_booking"
    await after(talk, "no", MARCH, "yes", BOOK)

    asked = await talk("yes and cancel my other booking")
    assert asked.question["tool"] == "cancel_booking"
    await talk("yes")
    booked = await talk("yes")

    assert booked.question is None
    assert sorted(statuses(database))[-2:] == ["cancelled", "confirmed"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no, the dates are wrong", "What would you like changed: the dates, the guests or the room?"),
        ("can you hold it until tomorrow?", "I can't hold a room without a booking"),
    ],
)
async def test_what_is_no_yes_to_the_terms_is_answered_as_what_it_is(
    talk: Talk, database: Path, text: str, told: str
) -> None:
    ended = await after(talk, BOOK, text)

    assert told in ended.answer
    assert statuses(database) == ["hold"]
