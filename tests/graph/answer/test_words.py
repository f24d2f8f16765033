"""Where sentences end, and which words may stand."""

from dataclasses import dataclass

import pytest
from tables import table

from wavegraph.graph.answer.words import (
    Thoughts,
    asks,
    cut_at_a_sentence,
    may_stand,
    sentences,
    without_questions,
)

SENTENCES = {
    "at . ! ?": ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
    "not inside a number or a time": ("It is 20.5 NIS at 07.30. Yes", ["It is 20.5 NIS at 07.30.", "Yes"]),
    "not at a semicolon": ("Included; otherwise 45 NIS.", ["Included; otherwise 45 NIS."]),
    "after a closing quotation": ("He said “go.” Then", ["He said “go.”", "Then"]),
    "not at the number of a list": ("1. One. 2. Two.", ["1. One.", "2. Two."]),
    "not inside an id": ("{{a.b}} d. e {{f", ["{{a.b}} d.", "e {{f"]),
    "not inside a quotation": ("One. Two „three. four”. Five", ["One.", "Two „three. four”.", "Five"]),
    "in Hebrew": ("כלב אחד יתקבל. חיות אחרות לא.", ["כלב אחד יתקבל.", "חיות אחרות לא."]),
    "none": ("", []),
}


@table("name", SENTENCES)
def test_sentences_end(name: str) -> None:
    text, expected = SENTENCES[name]
    assert sentences(text) == expected


MAY_STAND = [
    ("For you:", True), ("for - you, (for) “you”!", True), ("", True), ("FOR YOU", True), ("for 2", False), ("for you²", False),
    ("for you%", False), ("for you and", False), ("for_you", False), ("you@for", False), ("½ for", False), ("for 🙂", False),
]  # fmt: skip


@table(("text", "stands"), MAY_STAND)
def test_only_allowed_words_and_punctuation_stand(text: str, stands: bool) -> None:
    assert may_stand(text, {"for", "you"}) is stands


@table(
    ("text", "said"),
    [
        ("<think>a <b> c</think>d", "d"),
        ("<Reasoning>a</think>b</REASONING>c", "c"),
        ("a</think>b", "ab"),
        ("a < b", "a < b"),
        ("<thinks>a", "<thinks>a"),
        ("<think>never ends", ""),
        ("a<thi", "a<thi"),
    ],
)
@table("size", [1, 3, 100])
def test_thoughts_are_left_out(text: str, said: str, size: int) -> None:
    thoughts = Thoughts()
    pieces = [thoughts.without(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join([*pieces, thoughts.rest()]) == said


@table(
    ("text", "left"),
    [
        ("It is free. Shall I look?", "It is free."),
        ("Which of these?\n- 24 December\n- 26 December", "- 24 December\n- 26 December"),
        ("It is.\n\nWill you come? When?\n\nUntil then.", "It is.\n\nUntil then."),
        ("האם לבדוק? החדר פנוי.", "החדר פנוי."),
        ("何時？", "何時？"),
        ("Which dates? How many?", "Which dates? How many?"),
        ("The sign says “Who is there?”.", "The sign says “Who is there?”."),
        ("", ""),
    ],
)
def test_an_answer_without_its_questions_is_what_it_tells(text: str, left: str) -> None:
    assert without_questions(text) == left
    assert asks(left) is (left == text and text.endswith(("?", "？")))


@dataclass(frozen=True)
class Cut:
    id: str
    text: str
    left: str


CUTS = [
    Cut("short enough", "One. Two.", "One. Two."),
    Cut("at a sentence", "One two. Three four five.", "One two."),
    Cut("at a line", "One two\nThree four five", "One two"),
    Cut("not inside a number", "It is 1.5 metres long.", "It is 1.5 metr"),
]


@pytest.mark.parametrize("case", CUTS, ids=lambda case: case.id)
def test_a_long_text_ends_with_a_sentence(case: Cut) -> None:
    assert cut_at_a_sentence(case.text, 14) == case.left
