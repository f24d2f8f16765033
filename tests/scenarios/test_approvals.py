"""A write that a person agrees to first: asked with exact terms, run once, never without a yes to these very terms."""

from typing import Any

import pytest
from langgraph.types import Command
from runs import human
from till import ASK, QUESTION, Talk, Till, question_of

from wavegraph.graph.approval import Question


def test_the_terms_are_shown_and_nothing_is_done_before_a_yes(till: Till, talk: Talk) -> None:
    result = talk.say(ASK)
    question = question_of(result)

    assert result.answer == QUESTION
    assert question["terms"] == {"item": "tea", "price": 4}
    assert question["args"] == {"item": "tea", "who": "Dana"}
    assert till.paid == []
    assert result.can_resume
    assert result.unfinished == ["pay"]


def test_a_plain_yes_as_the_next_request_runs_it_once(till: Till, talk: Talk) -> None:
    talk.ask()

    ended = talk.say("Yes, please!")

    assert (ended.outcome, ended.answer) == ("answered", "paid 4, receipt 1")
    assert ended.tools == ["look", "pay"]
    assert ended.tools_executed == 2
    assert len(till.paid) == 1


def test_question_and_reply_stand_in_the_conversation_once(talk: Talk) -> None:
    talk.ask()
    assert talk.said == [("human", ASK), ("ai", QUESTION)]

    talk.say("yes")

    assert talk.said == [("human", ASK), ("ai", QUESTION), ("human", "yes"), ("ai", "paid 4, receipt 1")]


def test_the_request_after_an_approval_is_a_new_one(talk: Talk) -> None:
    talk.ask()
    talk.say("yes")

    after = talk.say("hello")

    assert (after.outcome, after.answer) == ("clarify", "What would you like?")


def test_a_plain_no_ends_it_gives_back_what_was_held_and_adapts_nothing(till: Till, talk: Talk) -> None:
    talk.ask()

    ended = talk.say("no thanks")

    assert ended.outcome == "answered"
    assert ended.answer == "not paid: it was not agreed to"
    assert till.paid == []
    assert till.held == {}
    assert ended.results["pay"]["error"]["code"] == "rejected"
    assert ended.adaptations == 0
    assert ended.issues == []


def test_a_rejection_keeps_its_reason(talk: Talk) -> None:
    talk.ask()

    ended = talk.reply({"decision": "reject", "reason": "too dear"})

    assert ended.answer == "not paid: it was not agreed to: too dear"


def test_a_price_that_moved_is_asked_about_again_saying_from_what(till: Till, talk: Talk) -> None:
    first = talk.ask()
    till.prices["tea"] = 5

    again = talk.reply("yes")

    assert again.outcome == "awaiting_approval"
    assert again.question
    assert again.answer == (
        "tea for 5 coins\n\nThis has changed since it was last asked:\n- before: tea for 4 coins\n"
        f"- now: tea for 5 coins\n\nShall I go ahead? (yes {again.question['terms_hash'][:6]} / no)"
    )
    assert again.question["changed"] == {"before": ["tea for 4 coins"], "now": ["tea for 5 coins"]}
    assert again.question["terms_hash"] != first["terms_hash"]
    assert till.paid == []
    ended = talk.agree(again.question)
    assert ended.answer == "paid 5, receipt 1"


def moved(till: Till, talk: Talk) -> Question:
    """A question whose terms have moved since it was first put."""
    talk.ask()
    till.prices["tea"] = 5
    return question_of(talk.reply("yes"))


OLD = ["yes", "go ahead", {"decision": "approve"}, {"decisions": [{"type": "approve"}]}, '{"decision": "approve"}',
       {"messages": [{"role": "user", "content": "yes"}]}]  # fmt: skip


@pytest.mark.parametrize("old", OLD, ids=str)
def test_an_old_answer_is_no_answer_to_terms_that_moved(till: Till, talk: Talk, old: Any) -> None:
    question = moved(till, talk)

    for _ in range(3):
        again = question_of(talk.reply(old))
        assert str(again["problem"]).startswith("To confirm that you agree to exactly these terms, please say “yes ")
    assert till.paid == []

    ended = talk.reply(f"yes {question['terms_hash'][:6]}")
    assert ended.answer == "paid 5, receipt 1"


@pytest.mark.parametrize("reply", OLD, ids=str)
@pytest.mark.parametrize("unreadable", [True, {"decisions": [{"type": "approve"}] * 2}], ids=str)
def test_a_reply_that_cannot_be_read_takes_nothing_from_a_yes(
    till: Till, talk: Talk, unreadable: Any, reply: Any
) -> None:
    talk.ask()
    assert question_of(talk.reply(unreadable))["problem"]

    assert talk.reply(reply).answer == "paid 4, receipt 1"


def test_a_plain_no_counts_whatever_has_changed(till: Till, talk: Talk) -> None:
    moved(till, talk)

    ended = talk.reply({"decisions": [{"type": "reject", "message": "too dear"}]})

    assert ended.answer == "not paid: it was not agreed to: too dear"
    assert till.held == {}


def test_an_answer_to_terms_shown_earlier_is_not_taken(till: Till, talk: Talk) -> None:
    first = talk.ask()
    till.prices["tea"] = 5
    again = question_of(talk.reply("yes"))

    stale = {"decision": "approve", "terms_hash": first["terms_hash"]}
    refused = talk.reply(stale)

    assert refused.outcome == "awaiting_approval"
    assert till.paid == []
    assert refused.answer.startswith("That answered different terms.")
    assert talk.reply({**stale, "terms_hash": again["terms_hash"]}).answer == ("paid 5, receipt 1")


def test_an_edit_changes_the_call_and_is_asked_about_again(till: Till, talk: Talk) -> None:
    first = talk.ask()

    again = question_of(talk.reply({"decision": "edit", "args": {"who": "Noa"}}))

    assert again["args"] == {"item": "tea", "who": "Noa"}
    assert again["terms_hash"] != first["terms_hash"]
    assert again["changed"] == {"before": ["who: Dana"], "now": ["who: Noa"]}
    ended = talk.agree(again)
    assert [receipt.who for receipt in till.paid] == ["Noa"]
    assert ended.outcome == "answered"


@pytest.mark.parametrize("old", ["yes", {"decision": "approve"}], ids=str)
def test_a_yes_from_before_an_edit_is_none_to_what_was_edited(till: Till, talk: Talk, old: Any) -> None:
    talk.ask()
    talk.reply({"decision": "edit", "args": {"who": "Noa"}})

    again = talk.reply(old)

    assert again.outcome == "awaiting_approval"
    assert till.paid == []


def test_an_edit_that_changes_nothing_lets_go_of_nothing(till: Till, talk: Talk) -> None:
    talk.ask()

    again = question_of(talk.reply({"decision": "edit", "args": {"who": "Dana"}}))

    assert str(again["problem"]).startswith("the edit changes nothing; give another value")
    assert till.held == {"tea": 1}


@pytest.mark.parametrize("way", ["input", "resume"])
def test_several_messages_at_once_are_no_answer(till: Till, talk: Talk, way: str) -> None:
    talk.give(human(ASK))
    given: Any = {"messages": [("user", "no"), ("user", "yes")]}

    again = talk.give(given if way == "input" else Command(resume=given))

    assert again["__interrupt__"][0].value["call"] == "pay"
    assert till.paid == []


@pytest.mark.parametrize("more", [{"args": {"who": "Eve"}}, {"changes": {"who": "Eve"}}], ids=str)
def test_an_approval_that_changes_something_is_asked_about_again(till: Till, talk: Talk, more: dict[str, Any]) -> None:
    talk.ask()

    again = question_of(talk.reply({"decision": "approve", **more}))

    assert "an approval changes nothing" in str(again["problem"])
    assert till.paid == []


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        ({}, "the edit changes nothing; give another value, or approve or reject"),
        ({"colour": "red"}, "colour = 'red': that cannot be edited; edit any of who, or approve or reject"),
        ({"who": 7}, "who = 7: Input should be a valid string; give another value, or approve or reject"),
        ({"item": "cake"}, "item = 'cake': that cannot be edited; edit any of who"),
    ],
)
def test_an_edit_that_fits_no_argument_is_told_why_and_asked_again(
    talk: Talk, args: dict[str, Any], problem: str
) -> None:
    question = talk.ask()

    again = talk.reply({"decision": "edit", "args": args})

    assert again.outcome == "awaiting_approval"
    assert problem in again.answer
    ended = talk.agree(question)
    assert ended.answer == "paid 4, receipt 1"


NO_FORM = [True, 7, 0.5, [], ["yes"], [True], {"answer": "yes"}, {"decision": "perhaps"}, {"decision": None},
           {"decision": "approve", "note": "x"}, "{}", '["yes"]', "[1]", [{"type": "accept", "args": None}],
           [{"type": "response", "args": "yes"}], {"decisions": []}, {"decisions": "approve"}, {"decisions": [7]},
           {"decisions": [{"type": "maybe"}]}, {"decisions": [{"type": "approve"}, {"type": "approve"}]},
           {"decisions": [{"type": "edit"}]}, {"decisions": [{"type": "reject", "message": 7}]},
           {"decisions": [{"type": "edit", "edited_action": {"name": "look", "args": {"item": "cake"}}}]},
           {"messages": []}, {"messages": None}, {"messages": 7}, {"messages": [{"content": "yes"}]},
           {"messages": [{"role": "assistant", "content": "yes"}]}, {"decision": "approve", "terms_hash": 7},
           "x" * 3 + "\ud800{", {"decision": "approve", "choice": "gold"}, "[" * 100_000]  # fmt: skip


@pytest.mark.parametrize("reply", NO_FORM, ids=lambda value: repr(value)[:60])
def test_a_reply_in_no_form_is_asked_about_again_and_ends_nothing(till: Till, talk: Talk, reply: Any) -> None:
    question = talk.ask()

    again = talk.reply(reply)
    waiting: Any = again.question

    assert waiting["terms_hash"] == question["terms_hash"]
    assert waiting["problem"] or again.outcome == "clarify"
    assert len(waiting["problem"] or "") < 800
    assert till.paid == []
    ended = talk.agree(question)
    assert ended.answer == "paid 4, receipt 1"


INBOX = [
    ({"decisions": [{"type": "approve"}]}, ["Dana"]),
    ({"decisions": [{"type": "approve", "message": None, "editedAction": None}]}, ["Dana"]),
    ({"decision": "approve", "termsHash": "whatever"}, ["Dana"]),
    ({"decisions": [{"type": "respond", "message": "yes"}]}, ["Dana"]),
    ({"decisions": [{"type": "edit", "edited_action": {"name": "pay", "args": {"item": "tea", "who": "Dana"}}}]},
     ["Dana"]),
    ({"decisions": [{"type": "reject", "message": "no tea"}]}, []),
    ({"decisions": [{"type": "respond", "message": "no"}]}, []),
    ({"messages": "yes"}, ["Dana"]),
    ({"messages": [{"role": "user", "content": "yes", "id": "m1"}]}, ["Dana"]),
    ({"messages": [{"type": "human", "content": [{"type": "text", "text": "Yes!"}]}]}, ["Dana"]),
    ({"messages": [("user", "no")]}, []),
    ('{"decision": "approve"}', ["Dana"]),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "paid"), INBOX, ids=lambda value: repr(value)[:70])
def test_an_answer_in_the_form_of_an_inbox_is_taken(till: Till, talk: Talk, answer: Any, paid: list[str]) -> None:
    talk.ask()

    ended = talk.reply(answer)

    assert (ended.outcome, ended.question) == ("answered", None)
    assert [receipt.who for receipt in till.paid] == paid


@pytest.mark.parametrize("agreed", [{"type": "approve"}, {"type": "respond", "message": "yes"}], ids=str)
def test_an_inbox_edits_one_argument_and_agrees_to_the_call_it_made(till: Till, talk: Talk, agreed: Any) -> None:
    question = talk.ask()
    (shown,) = question["action_requests"]
    assert shown == {"name": "pay", "args": {"item": "tea", "who": "Dana"}, "description": question["text"]}
    (how,) = question["review_configs"]
    assert how == {"action_name": "pay", "allowed_decisions": ["approve", "edit", "reject", "respond"]}
    edited = {"type": "edit", "editedAction": {**shown, "args": {"item": "tea", "who": "Noa"}}}

    again = question_of(talk.reply({"decisions": [edited]}))
    assert (again["args"]["who"], till.paid) == ("Noa", [])
    ended = talk.reply({"decisions": [agreed]})

    assert (ended.outcome, [receipt.who for receipt in till.paid]) == ("answered", ["Noa"])


def test_an_inbox_names_terms_that_moved_after_its_edit(till: Till, talk: Talk) -> None:
    """The second yes may be one that was sent twice."""
    (shown,) = talk.ask()["action_requests"]
    edited = {"type": "edit", "edited_action": {**shown, "args": {"item": "tea", "who": "Noa"}}}
    talk.reply({"decisions": [edited]})
    till.prices["tea"] = 5
    agreed = {"decisions": [{"type": "approve"}]}

    assert question_of(talk.reply(agreed))["changed"]
    again = question_of(talk.reply(agreed))
    assert (again["problem"] is not None, till.paid) == (True, [])
    words = f"yes {again['terms_hash'][:6]}"
    ended = talk.reply({"decisions": [{"type": "respond", "message": words}]})
    assert ended.answer == "paid 5, receipt 1"
