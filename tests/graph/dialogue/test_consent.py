"""A plain yes or no is the whole message; whatever says more is neither."""

from typing import Any

from tables import table

import wavegraph.graph.dialogue.consent as module
from wavegraph.graph.dialogue.consent import consent, is_courtesy

YES = ["yes", "Yes!", "YES PLEASE", "ok", "Okay, please", "ok, go ahead, thanks", "go ahead please", "Sure, go ahead.", "great, yes",
       "that’s right", "כן", "כן בבקשה", "מאשרת!", "כן, תודה", "בסדר",
       "sure, why not", "Sure, why not?", "go for it", "Yes, go for it!", "let's do it", "alright", "כן, למה לא", "לך על זה",
       "Yes, confirm please. Thank you so much!", "excellent, confirmed", "looks good, proceed", "מאשר/ת", "מצוין, מאשרת", "אישור",
       "Yes, that's all correct, thank you so much", "Yes, all of that is right. Thanks again!", "everything's correct, confirm please",
       "yes, all the details are right", "That is all correct.", "כן, הכול נכון, תודה רבה", "כן, כל הפרטים נכונים", "הכל מדויק, המון תודה",
       "Yes, please. Merci!", "yes, danke schön", "yes, muchas gracias", "כן, merci",
       "\ufeffyes", "yes\u200b", "\u202bכן\u202c", "\u200f\u2067כן\u2069", "👍👍", "definitely", "sure thing", "נשמע טוב",
       "No worries, go ahead", "no rush. yes", "no doubt, confirm", "No problem, go ahead", "אין בעיה, תמשיך", "all good, go ahead", "yea", "k"]  # fmt: skip
NO = [
    "no",
    "No thanks",
    "no, thank you!",
    "don't",
    "never mind",
    "No, leave it",
    "do not go ahead",
    "Don't proceed, thanks",
    "לא, עזבי",
    "לא, עזבו את זה",
    "לא",
    "לא תודה",
    "לא, תודה רבה",
]
NEITHER = ["", "   ", "please", "thanks", "yes but for three", "yes and no", "no yes", "not yes", "yes?", "is it ok?",
           "no, make it two nights", "yes, is there parking", "okay what about the sea view", "book", "yes 2", "nobody",
           "כן אבל לשלושה", "לא הבנתי", "the guest said yes", '{"decision": "approve"}', "yes\u202eon", "y\u200bes", "ｙｅｓ", "❤️", "ברור",
           "great, thanks", "no problem", "אין בעיה", "no worries",
           "why not", "why not?", "not yet", "ok wait", "go for it?", "don't go for it", "go for the suite", "maybe", "probably yes",
           "sure, why not the suite", "let's do it tomorrow", "yes if it is refundable", "why not yet", "confirm?", "excellent", "good and fine", "go on then", "all good thanks", "all good", "הכל בסדר", "מאשר/ת?", "לא כל כך מאשר/ת", "מצוין", "עוד לא", "למה לא", "כן אבל רגע", "אולי כן",
           "yes, that's all correct?", "that's all", "that's all right, thanks", "yes, all correct except the name", "everything is right, I think",
           "all of it is right if breakfast is included", "the details are wrong", "not all of that is correct", "yes again",
           "כן, הכול נכון?", "הכול נכון חוץ מהשם", "כמעט הכול נכון", "לא הכול נכון", "הכול בסדר", "הפרטים"]  # fmt: skip


@table("text", YES)
def test_yes(text: str) -> None:
    assert consent(text) == "yes"


@table("text", NO)
def test_no(text: str) -> None:
    assert consent(text) == "no"


@table("text", NEITHER)
def test_neither(text: str) -> None:
    assert consent(text) is None


@table("text", ["ok thanks", "Okay, thank you!", "alright, thanks", "סבבה תודה", "בסדר, תודה רבה"])
def test_thanks_for_an_answer_may_be_a_yes(text: str) -> None:
    assert consent(text) == "perhaps"
    assert is_courtesy(text)


@table(
    ("text", "courteous"),
    [("thanks", True), ("great!", True), ("yes", False), ("no thanks", False), ("thanks?", False), ("", False)],
)
def test_a_courtesy_says_nothing_else(text: str, courteous: bool) -> None:
    assert is_courtesy(text) is courteous


BOOK = ("book it", "תזמין")
UNDO = ("cancel that",)


@table(
    ("text", "said"),
    [("Yes, book it", "yes"), ("book it please!", "yes"), ("כן, תזמין", "yes"), ("Don't book it", "no"),
     ("no, do not book it", "no"), ("אל תזמין", "no"), ("Cancel that, thanks", "no"), ("book it now for three", None)],
)  # fmt: skip
def test_the_deed_in_words_answers_its_own_question_only(text: str, said: str | None) -> None:
    assert consent(text, BOOK, UNDO) == said
    assert consent("book it") is None
    assert consent("cancel that") is None


@table("text", ["book it", "Perfect, book it!", "ok, book it", "sounds good", "let's do it", "תזמין"])
def test_what_points_at_something_agrees_only_where_nothing_else_was_told_since(text: str) -> None:
    assert consent(text, BOOK) == "yes"
    assert consent(text, BOOK, is_last=False) is None


@table("text", ["yes", "yes, book it", "ok", "sure", "go ahead", "כן, תזמין"])
def test_what_answers_a_question_agrees_also_behind_another_answer(text: str) -> None:
    assert consent(text, BOOK, is_last=False) == "yes"


def test_a_deed_that_begins_with_a_yes_is_one() -> None:
    assert consent("yes, cancel it", ("yes cancel it",), is_last=False) == "yes"
    assert consent("cancel it", ("yes cancel it",)) is None


def test_what_is_longer_than_a_yes_or_a_no_is_a_request() -> None:
    assert consent("yes please thank you ".ljust(200)) == "yes"
    assert consent("yes please thank you ".ljust(201)) is None
    assert consent("no thanks " * 1000) is None


def test_an_agent_with_many_words_for_yes_reads_a_long_message_by_its_own_words(monkeypatch: Any) -> None:
    """Work: each word is looked up once for each length of a phrase, however many phrases there are."""
    looked_up = []

    class Counted(dict[str, Any]):
        def get(self, name: Any, default: Any = None) -> Any:
            looked_up.append(name)
            return super().get(name, default)

    deeds = tuple(f"do deed {number}" for number in range(5000))
    monkeypatch.setattr(module, "MappingProxyType", Counted)
    message = " ".join(["ok"] * 66)

    assert consent(message, deeds) == "yes"
    assert len(looked_up) <= 66 * 6
