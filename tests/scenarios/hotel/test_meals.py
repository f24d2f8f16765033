"""A meal that is added to a stay spoken of: what it costs with it is told, also while a booking waits for who books."""

from collections.abc import Callable
from typing import Any

import pytest
from hotel_runs import TODAY

Talk = Callable[..., Any]
BOOK = "Book a double room January 17-19 for two adults"
BOOK_HE = "להזמין חדר זוגי 17-19 בינואר לזוג"
PRICE = "How much is a double room January 17-19 for two adults?"
PRICE_HE = "כמה עולה חדר זוגי 17-19 בינואר לזוג?"
ASKS = {"en": "To book, tell me the guest's name", "he": "להזמנה נא לכתוב את שם האורח"}


async def said(talk: Talk, *texts: str) -> str:
    answers = [(await talk(text, {"today": TODAY})).answer for text in texts]
    return str(answers[-1])


@pytest.mark.parametrize(
    ("texts", "language", "says"),
    [
        ((BOOK, "add breakfast"), "en", "breakfast included: 864 NIS"),
        ((BOOK, "add dinner"), "en", "half board: 1,296 NIS"),
        ((BOOK, "add breakfast", "the deluxe instead"), "en", "only Deluxe Sea View Room, with breakfast"),
        ((BOOK_HE, "תוסיפו ארוחת בוקר"), "he", "כולל ארוחת בוקר: 864 ש״ח"),
        ((BOOK_HE, "ארוחת ערב גם"), "he", "חצי פנסיון: 1,296 ש״ח"),
    ],
)
async def test_a_change_while_a_contact_is_missing_is_priced_and_the_contact_asked_for(
    talk: Talk, texts: tuple[str, ...], language: str, says: str
) -> None:
    answer = await said(talk, *texts)

    assert says in answer
    assert ASKS[language] in answer


async def test_a_room_that_was_asked_for_is_not_listed_again(talk: Talk) -> None:
    answer = await said(talk, "I want to book a room January 17-19 for two adults", "the deluxe")

    assert answer == "To book it I need the guest's name, and an e-mail address or phone number."


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        ((PRICE, "add dinner"), "half board: 1,296 NIS"),
        ((PRICE, "add breakfast and dinner please"), "half board: 1,296 NIS"),
        ((PRICE_HE, "תוסיפו ארוחת ערב"), "חצי פנסיון: 1,296 ש״ח"),
    ],
)
async def test_a_meal_added_after_a_price(talk: Talk, texts: tuple[str, ...], says: str) -> None:
    assert says in await said(talk, *texts)


@pytest.mark.parametrize("text", ["is dinner included?", "can we have dinner?", "a table for dinner please"])
async def test_a_question_about_a_meal_is_no_wish_for_it(talk: Talk, text: str) -> None:
    assert "Dinner 18:30-21:00 in the restaurant" in await said(talk, PRICE, text)
