"""A booking waits for a yes, and the guest changes it: the next yes is to the new terms, or to none."""

from collections.abc import Callable
from typing import Any
from zlib import crc32

import pytest
from hotel_runs import TODAY

BOOK = "Book a double room January 17-19 for two adults, Dana Levi, dana@example.com"
SUITE = "is a suite free February 3-5?"
BREAKFAST = "what time is breakfast?"
Talk = Callable[..., Any]


def asked_for(ended: Any) -> tuple[str, int, list[int], int, list[str]]:
    """What the open question is about: arrival, adults, children, rooms, room types."""
    quote = ended.question["terms"]["quote"]
    types = [part["room_type"] for part in quote["parts"]]
    return quote["check_in"], quote["adults"], quote["children_ages"], quote["rooms"], types


@pytest.fixture
def aside(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """What is asked in between: from case to case another."""
    asides: list[tuple[str, ...]] = [(), (BREAKFAST,), ("thanks",), (SUITE, BREAKFAST)]
    return asides[crc32(request.node.name.encode()) % len(asides)]


async def after(talk: Talk, *turns: str) -> Any:
    await talk(BOOK, {"today": TODAY})
    for text in turns:
        ended = await talk(text)
    return ended


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("yes but January 18-20", ("2027-01-18", 2, [], 1, ["DBL"])),
        ("כן, אבל 18-20 בינואר", ("2027-01-18", 2, [], 1, ["DBL"])),
        ("make it January 18-20", ("2027-01-18", 2, [], 1, ["DBL"])),
        ("could you make it January 18-20?", ("2027-01-18", 2, [], 1, ["DBL"])),
        ("two rooms please", ("2027-01-17", 2, [], 2, ["DBL"])),
        ("שני חדרים בבקשה", ("2027-01-17", 2, [], 2, ["DBL"])),
        ("and one child", ("2027-01-17", 2, [8], 1, ["DBL"])),
        ("וגם ילד אחד", ("2027-01-17", 2, [8], 1, ["DBL"])),
        ("yes but 3 adults", ("2027-01-17", 3, [], 2, ["DBL"])),
        ("one night more", ("2027-01-17", 2, [], 1, ["DBL"])),
        ("yes but the suite", ("2027-01-17", 2, [], 1, ["SUITE"])),
    ],
)
async def test_what_is_changed_is_asked_about_anew_whatever_was_asked_in_between(
    talk: Talk, aside: tuple[str, ...], text: str, asked: tuple[str, int, list[int], int, list[str]]
) -> None:
    ended = await after(talk, *aside, text)

    assert asked_for(ended) == asked
    assert ended.outcome == "awaiting_approval"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("yes but sometime in February", "Which of these dates would suit you?"),
        ("yes but January 18-20 or 22-24", "Which of these would you like?"),
        ("yes but 3 or 4 adults", "Is that right, or what should I change?"),
        ("yes but February 30", "which date did you mean?"),
        ("yes but 70 adults", ""),
    ],
)
async def test_where_it_is_not_clear_what_to_book_the_old_question_does_not_follow_and_a_yes_books_nothing(
    talk: Talk, text: str, question: str
) -> None:
    ended = await after(talk, text)
    unclear = [ended.outcome, ended.answer]
    yes = await talk("yes")

    assert unclear[0] == "clarify" or question in unclear[1]
    assert unclear[1].endswith(question)
    assert "Shall I go ahead" not in unclear[1]
    assert yes.outcome == "awaiting_approval"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("add breakfast", ("DBL", "BB", "2027-01-19", 2)),
        ("the deluxe instead", ("DLX", "RO", "2027-01-19", 2)),
        ("one night instead", ("DBL", "RO", "2027-01-18", 2)),
        ("make it for one", ("DBL", "RO", "2027-01-19", 1)),
        ("תוסיף לילה", ("DBL", "RO", "2027-01-20", 2)),
        ("make it one night... sorry, I mean three nights", ("DBL", "RO", "2027-01-20", 2)),
        ("two nights instead", ("DBL", "RO", "2027-01-19", 2)),
    ],
)
async def test_one_change_is_shown_for_a_new_yes(talk: Talk, text: str, asked: tuple[str, str, str, int]) -> None:
    ended = await after(talk, text)

    quote = ended.question["terms"]["quote"]
    assert (quote["parts"][0]["room_type"], quote["parts"][0]["board"], quote["check_out"], quote["adults"]) == asked
    assert ended.outcome == "awaiting_approval"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("make it for 50", "I can't place a group of 50 guests here."),
        ("full board please", "not available as asked. This room type has no rate with that meal plan (full board)"),
        ("בעצם פנסיון מלא", "אין מקום בתנאים האלה."),
    ],
)
async def test_what_it_cannot_be_changed_to_is_told_and_it_stays_open(talk: Talk, text: str, why: str) -> None:
    ended = await after(talk, text)
    other = await talk("the deluxe instead")

    assert why in ended.answer
    assert ended.answer.count("I changed nothing:") + ended.answer.count("לא שיניתי דבר:") == 1
    assert "nothing is available" not in ended.answer
    assert asked_for(ended) == ("2027-01-17", 2, [], 1, ["DBL"])
    assert asked_for(other) == ("2027-01-17", 2, [], 1, ["DLX"])


@pytest.mark.parametrize("text", ["no, I don't want the double", "not the double", "לא את הזוגי"])
async def test_a_no_to_a_part_of_the_terms_asks_what_to_change_and_a_thumb_agrees_to_nothing(
    talk: Talk, text: str
) -> None:
    told = await after(talk, text)
    thumb = await talk("👍")
    other = await talk("the suite")

    assert told.outcome == "clarify"
    assert "Shall I go ahead" not in told.answer
    assert thumb.outcome == "awaiting_approval"
    assert asked_for(other)[4] == ["SUITE"]


async def test_what_is_chosen_then_is_asked_about(talk: Talk) -> None:
    assert asked_for(await after(talk, "yes but sometime in February", "the second one"))[0] == "2027-02-02"
    assert asked_for(await after(talk, "yes but February 30", "sorry, January 20-22"))[0] == "2027-01-20"


@pytest.mark.parametrize(
    "text", [SUITE, "and how much is a suite from February 1 to 3?", "yes and book also February 3-5"]
)
async def test_another_stay_that_is_asked_about_leaves_the_question_as_it_was(talk: Talk, text: str) -> None:
    ended = await after(talk, text)

    assert asked_for(ended) == ("2027-01-17", 2, [], 1, ["DBL"])
    assert ended.outcome == "answered"
