"""What a reply counts for from somebody whose question it is not."""

from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from states import a_question
from tables import table

from wavegraph.graph.dialogue.answers import Caller, Speech, Taken, Unclear, as_theirs
from wavegraph.graph.dialogue.consent import consent

GUEST, CLERK, UNKNOWN = Caller("guest-7", False), Caller("front-desk", True), Caller(None, True)
STAFFS = a_question(by_asker=False, summary="tea for 4 coins")
APPROVE: Any = {"decision": "approve", "terms_hash": "3f9a02"}
WITHDRAWN = "withdrawn by the person who asked"

READ = [
    Taken(APPROVE),
    Taken({"decision": "reject", "reason": "the house is full"}),
    Taken({"decision": "edit", "args": {"who": "Noa"}}, "m1"),
    Unclear("cannot take it"),
    Speech([HumanMessage("is there parking?")]),
]


@table("reading", READ)
@table(
    ("caller", "question"),
    [(CLERK, STAFFS), (UNKNOWN, STAFFS), (GUEST, a_question(by_asker=True)), (CLERK, a_question(by_asker=True))],
)
def test_who_may_answer_is_read_as_it_stands(reading: Any, caller: Caller, question: Any) -> None:
    assert as_theirs(reading, question, caller) is reading


@table("answer", [APPROVE, {**APPROVE, "choice": "draft"}, {"decision": "edit", "args": {"who": "N"}}])
@table(("languages", "words"), [(["en", "he"], "yes"), (["he", "en"], "כן")])
def test_a_decision_is_a_plain_yes_in_the_question_s_language(answer: Any, languages: list[str], words: str) -> None:
    found = as_theirs(Taken(answer), a_question(by_asker=False, languages=languages), GUEST)

    assert isinstance(found, Speech)
    assert [message.text for message in found.messages] == [words]
    assert consent(words) == "yes"


@table(
    ("answer", "withdrawn"),
    [
        ({"reason": "the house is full"}, {"reason": WITHDRAWN}),
        ({"changes": {"price": 3}}, {"reason": WITHDRAWN}),
        ({"terms_hash": "old"}, {"reason": WITHDRAWN}),
        ({"words": "no thanks"}, {"reason": WITHDRAWN, "words": "no thanks"}),
        ({"words": "לא"}, {"reason": "הבקשה בוטלה בידי המבקש", "words": "לא"}),
    ],
)
def test_a_no_withdraws_and_says_nothing_in_the_staffs_name(answer: Any, withdrawn: Any) -> None:
    no: Any = {"decision": "reject", **answer}
    wanted: Any = {"decision": "reject", **withdrawn}

    assert as_theirs(Taken(no, "m1"), STAFFS, GUEST) == Taken(wanted, "m1")


@pytest.mark.parametrize("reading", READ[3:], ids=str)
def test_words_stay_words(reading: Any) -> None:
    assert as_theirs(reading, STAFFS, GUEST) is reading
