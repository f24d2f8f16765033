"""An age that no child has: an adult, or a slip. It is asked about, and what the guest answers is taken."""

from collections.abc import Callable
from typing import Any

import pytest
from hotel_runs import TODAY

Talk = Callable[..., Any]
ASKED = {"en": "I could not place “25”.", "he": "לא הבנתי את “25”."}
ASSUMED = ("The children's ages were not given", "גילי הילדים לא נכתבו")


async def said(talk: Talk, *texts: str) -> str:
    answers = [(await talk(text, {"today": TODAY})).answer for text in texts]
    return str(answers[-1])


@pytest.mark.parametrize(
    ("texts", "language", "guests"),
    [
        (("17-19 January, 2 adults and 3 children, ages 2, 5 and 25",), "en", "For 2 adults and 2 children:"),
        (("17-19 January, 2 adults and children 2, 5 and 25",), "en", "For 2 adults and 2 children:"),
        (("17-19 January, 2 adults and 3 children. They are 2, 5 and 25",), "en", "For 2 adults and 2 children:"),
        (("17-19 January, 2 adults and 3 kids, 2, 5 and 25 years old",), "en", "For 2 adults and 2 children:"),
        (("17-19 January, 2 adults and 3 children", "2, 5 and 25"), "en", "For 2 adults and 2 children:"),
        (("17-19 January, 2 adults and 3 children", "ages 2, 5 and 25"), "en", "For 2 adults and 2 children:"),
        (("2 מבוגרים ושלושה ילדים בני 2, 5 ו-25, 17-19 בינואר",), "he", "עבור שני מבוגרים ושני ילדים:"),
        (("2 מבוגרים ושלושה ילדים, 17-19 בינואר", "2, 5 ו-25"), "he", "עבור שני מבוגרים ושני ילדים:"),
    ],
)
async def test_a_grown_age_among_children_is_asked_about(
    talk: Talk, texts: tuple[str, ...], language: str, guests: str
) -> None:
    answer = await said(talk, *texts)

    assert answer.startswith(guests)
    assert ASKED[language] in answer
    assert not any(assumed in answer for assumed in ASSUMED)


@pytest.mark.parametrize(
    ("answered", "guests"),
    [
        ("he is an adult", "For 3 adults and 2 children:"),
        ("25 is my brother", "For 3 adults and 2 children:"),
        ("I meant 15", "For 2 adults and 3 children:"),
        ("5", "For 2 adults and 3 children:"),
    ],
)
async def test_the_answer_to_the_question_is_taken(talk: Talk, answered: str, guests: str) -> None:
    answer = await said(talk, "17-19 January, 2 adults and 3 children, ages 2, 5 and 25", answered)

    assert answer.startswith(guests)
    assert ASKED["en"] not in answer


@pytest.mark.parametrize(
    ("answered", "guests"),
    [("הוא מבוגר", "עבור 3 מבוגרים ושני ילדים:"), ("התכוונתי 15", "עבור שני מבוגרים ו־3 ילדים:")],
)
async def test_the_answer_in_hebrew_is_taken(talk: Talk, answered: str, guests: str) -> None:
    assert (await said(talk, "2 מבוגרים ושלושה ילדים בני 2, 5 ו-25, 17-19 בינואר", answered)).startswith(guests)


async def test_no_note_of_ages_stays_for_the_next_booking(talk: Talk) -> None:
    first = "17-19 January, 2 adults and 3 children, ages 2, 5 and 25"
    answer = await said(talk, first, "he is an adult", "a room for 2 adults 1-3 February")

    assert answer.startswith("For 2 adults:")
    assert not any(assumed in answer for assumed in ASSUMED)


async def test_the_age_of_the_child_leaves_the_baby_one(talk: Talk) -> None:
    answer = await said(talk, "17-19 January, a couple, a child and a baby", "the child is 2")

    assert answer.startswith("For 2 adults, 1 child and 1 baby:")
    assert not any(assumed in answer for assumed in ASSUMED)
