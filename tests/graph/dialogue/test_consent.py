"""A plain yes or no is the whole message; whatever says more is neither."""

import pytest
from patience import not_hanging

from wavegraph.graph.dialogue.consent import consent

YES = ["yes", "Yes!", "YES PLEASE", "ok", "Okay, thanks", "go ahead please", "Sure, go ahead.", "great, yes",
       "that’s right", "כן", "כן בבקשה", "מאשרת!", "כן, תודה", "בסדר",
       "sure, why not", "Sure, why not?", "go for it", "Yes, go for it!", "let's do it", "alright", "כן, למה לא", "לך על זה",
       "Yes, confirm please. Thank you so much!", "excellent, confirmed", "looks good, proceed", "מאשר/ת", "מצוין, מאשרת", "אישור",
       "Yes, that's all correct, thank you so much", "Yes, all of that is right. Thanks again!", "everything's correct, confirm please",
       "yes, all the details are right", "That is all correct.", "כן, הכול נכון, תודה רבה", "כן, כל הפרטים נכונים", "הכל מדויק, המון תודה",
       "Yes, please. Merci!", "yes, danke schön", "yes, muchas gracias", "כן, merci"]  # fmt: skip
NO = [
    "no",
    "No thanks",
    "no, thank you!",
    "don't",
    "never mind",
    "No, leave it",
    "לא, עזבי",
    "לא, עזבו את זה",
    "לא",
    "לא תודה",
    "לא, תודה רבה",
]
NEITHER = ["", "   ", "please", "thanks", "yes but for three", "yes and no", "no yes", "not yes", "yes?", "is it ok?",
           "no, make it two nights", "yes, is there parking", "okay what about the sea view", "book", "yes 2", "nobody",
           "כן אבל לשלושה", "לא הבנתי", "the guest said yes", '{"decision": "approve"}', "yes\u202eon",
           "why not", "why not?", "not yet", "ok wait", "go for it?", "don't go for it", "go for the suite", "maybe", "probably yes",
           "sure, why not the suite", "let's do it tomorrow", "yes if it is refundable", "why not yet", "confirm?", "excellent", "good and fine", "go on then", "all good thanks", "all good", "הכל בסדר", "מאשר/ת?", "לא כל כך מאשר/ת", "מצוין", "עוד לא", "למה לא", "כן אבל רגע", "אולי כן",
           "yes, that's all correct?", "that's all", "that's all right, thanks", "yes, all correct except the name", "everything is right, I think",
           "all of it is right if breakfast is included", "the details are wrong", "not all of that is correct", "yes again",
           "כן, הכול נכון?", "הכול נכון חוץ מהשם", "כמעט הכול נכון", "לא הכול נכון", "הכול בסדר", "הפרטים"]  # fmt: skip


@pytest.mark.parametrize("text", YES)
def test_yes(text: str) -> None:
    assert consent(text) == "yes"


@pytest.mark.parametrize("text", NO)
def test_no(text: str) -> None:
    assert consent(text) == "no"


@pytest.mark.parametrize("text", NEITHER)
def test_neither(text: str) -> None:
    assert consent(text) is None


BOOK = ("book it", "תזמין")
UNDO = ("cancel that",)


@pytest.mark.parametrize(
    ("text", "said"),
    [("Yes, book it", "yes"), ("book it please!", "yes"), ("כן, תזמין", "yes"), ("Don't book it", "no"),
     ("no, do not book it", "no"), ("אל תזמין", "no"), ("Cancel that, thanks", "no"), ("book it now for three", None)],
)  # fmt: skip
def test_the_deed_in_words_answers_its_own_question_only(text: str, said: str | None) -> None:
    assert consent(text, BOOK, UNDO) == said
    assert consent("book it") is None
    assert consent("cancel that") is None


def test_a_long_row_of_answers_with_another_word_at_its_end_is_none() -> None:
    with not_hanging():
        assert consent("no thanks " * 1000 + "but") is None
        assert consent("no thanks " * 1000) == "no"
        assert consent("yes please thank you " * 500) == "yes"
