"""A plain yes or no is the whole message; whatever says more is neither."""

import pytest

from wavegraph.graph.consent import consent

YES = ["yes", "Yes!", "YES PLEASE", "ok", "Okay, thanks", "yes, book it", "go ahead please", "Sure, go ahead.", "great, yes",
       "that’s right", "כן", "כן בבקשה", "מאשרת!", "כן, תודה", "בסדר"]  # fmt: skip
NO = ["no", "No thanks", "no, thank you!", "don't", "Do not book it", "never mind", "לא", "לא תודה", "לא, תודה רבה"]
NEITHER = ["", "   ", "please", "thanks", "yes but for three", "yes and no", "no yes", "not yes", "yes?", "is it ok?",
           "no, make it two nights", "yes, is there parking", "okay what about the sea view", "book", "yes 2", "nobody",
           "כן אבל לשלושה", "לא הבנתי", "the guest said yes", '{"decision": "approve"}', "yes\u202eon"]  # fmt: skip


@pytest.mark.parametrize("text", YES)
def test_yes(text: str) -> None:
    assert consent(text) == "yes"


@pytest.mark.parametrize("text", NO)
def test_no(text: str) -> None:
    assert consent(text) == "no"


@pytest.mark.parametrize("text", NEITHER)
def test_neither(text: str) -> None:
    assert consent(text) is None
