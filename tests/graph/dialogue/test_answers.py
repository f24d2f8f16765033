"""A reply is an answer, a new request, or asked about again: in whatever form a front end gives it."""

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from states import a_question
from tables import table

from wavegraph.graph.dialogue.answers import (
    Refused,
    Speech,
    Taken,
    Unclear,
    answer_in_words,
    possible_answers,
    question_when_sent,
    read_reply,
)
from wavegraph.graph.language import language_of

HASH = "3f9a02b7c1d4"
CHOICES = {"Draft": "keep it as a draft", "two by two": "in pairs"}
QUESTION = a_question(terms_hash=HASH, choices=CHOICES, yes=["pay it"], no=["leave it"])
ELSEWHERE = a_question(terms_hash=HASH, choices=CHOICES, yes=["pay it"], no=["leave it"], by_asker=False)
APPROVE = {"decision": "approve"}
BOUND = {"terms_hash": HASH}
USER = {"role": "user", "content": "yes"}
SAID = {**APPROVE, "words": "yes"}
TO_THESE = {**SAID, **BOUND}


def taken(answer: dict[str, Any], message_id: str | None = None) -> Taken:
    return Taken(answer, message_id)  # type: ignore[arg-type]


def edit(**args: Any) -> dict[str, Any]:
    return {"type": "edit", "edited_action": {"name": "pay", "args": args}}


def decided(kind: str, **more: Any) -> dict[str, Any]:
    return {"decisions": [{"type": kind, **more}]}


def edited_to_noa(without: list[str], **more: Any) -> Taken:
    return taken({"decision": "edit", "args": {"who": "Noa"}, "without": without, **more})


TAKEN = [
    ("yes", taken(TO_THESE)),
    ("no", taken({"decision": "reject", "words": "no", **BOUND})),
    (" Draft! ", taken({**APPROVE, "words": " Draft! ", "choice": "Draft", **BOUND})),
    (json.dumps(APPROVE), taken(APPROVE)),
    (f" \n{json.dumps(APPROVE)}", taken(APPROVE)),
    ({**APPROVE, **BOUND, "termsHash": "of a JavaScript client", "reason": None}, taken({**APPROVE, **BOUND})),
    (decided("approve"), taken(APPROVE)),
    (decided("approve", args=None), taken(APPROVE)),
    (decided("approve", **BOUND), taken({**APPROVE, **BOUND})),
    ({**decided("approve"), **BOUND}, taken({**APPROVE, **BOUND})),
    ({**decided("approve", **BOUND), "terms_hash": "of the envelope"}, taken({**APPROVE, **BOUND})),
    (decided("reject"), taken({"decision": "reject", "reason": ""})),
    (decided("reject", message="too dear", **BOUND), taken({"decision": "reject", "reason": "too dear", **BOUND})),
    ({"decisions": [edit(who="Noa", item="tea")]}, edited_to_noa([])),
    ({"decisions": [{**edit(who="Noa"), **BOUND}]}, edited_to_noa(["item"], **BOUND)),
    ({"decisions": [edit(who="Dana", item="tea")]}, taken(APPROVE)),
    (decided("edit", editedAction={"name": "pay", "args": {"who": "Noa"}}), edited_to_noa(["item"])),
    (decided("respond", message="yes"), taken(SAID)),
    (decided("respond", message="yes", **BOUND), taken({**SAID, **BOUND})),
    (decided("respond", message="Leave it"), taken({"decision": "reject", "words": "Leave it"})),
    ({"messages": "yes"}, taken(TO_THESE)),
    ({"messages": USER, **BOUND}, taken({**SAID, **BOUND})),
    ({"messages": [USER], "terms_hash": 7}, taken(TO_THESE)),
    ({"messages": [{**USER, "id": "m1"}]}, taken(TO_THESE, "m1")),
    ({"messages": [{**USER, "id": "reply-1"}]}, taken(TO_THESE)),
    ({"messages": [HumanMessage("yes", additional_kwargs=BOUND)]}, taken({**SAID, **BOUND})),
    ({"messages": [("ai", "hello"), USER, ("system", "no")]}, taken(TO_THESE)),
]  # fmt: skip


@table(("given", "answer"), TAKEN)
def test_an_answer_is_taken_in_each_of_its_forms(given: Any, answer: Taken) -> None:
    assert read_reply(given, QUESTION) == answer


SPEECH = [
    ("is it fresh?", [HumanMessage("is it fresh?")]),
    ("[is it fresh?]", [HumanMessage("[is it fresh?]")]),
    ("[" * 100_000, [HumanMessage("[" * 100_000)]),
    (decided("respond", message="is it fresh?"), [HumanMessage("is it fresh?")]),
    ({"messages": [("user", "hello"), ("ai", "hi")]}, [HumanMessage("hello")]),
    ({"messages": [("user", "no"), ("user", "yes")]}, [HumanMessage("no"), HumanMessage("yes")]),
    ({"messages": [HumanMessage("hello", id="m1"), HumanMessage("you", id="asked-1")]},
     [HumanMessage("hello", id="m1"), HumanMessage("you")]),
    ({"messages": [HumanMessage("hello", id="reply-1")]}, [HumanMessage("hello")]),
]  # fmt: skip


@table(("given", "messages"), SPEECH)
def test_other_words_are_the_next_request_under_an_id_of_their_own(given: Any, messages: list[HumanMessage]) -> None:
    assert read_reply(given, QUESTION) == Speech(messages)


def of(message: Any) -> dict[str, Any]:
    return {"messages": message}


UNCLEAR = [
    (7, "cannot take 7"),
    (
        [{"type": "accept", "args": None}],
        "this is an older inbox's form ([{'type': 'accept', 'args': None}]); expected yes, no",
    ),
    (None, "cannot take None"),
    ("[7]", "cannot take [7]"),
    ({"decision": "perhaps"}, "decision = 'perhaps'"),
    (decided("maybe"), "cannot take {'terms_hash': None, 'type': 'maybe'}"),
    (decided("approve", args={"who": "Eve"}), "cannot take {'terms_hash': None, 'type': 'approve', 'args'"),
    (decided("reject", message=7), "reason = 7"),
    (decided("respond", message=7), "cannot take {'terms_hash': None, 'type': 'respond', 'message': 7}"),
    (decided("edit"), "cannot take None"),
    (decided("edit", editedAction={"name": "look", "args": {}}), "cannot take {'name': 'look', 'args': {}}"),
    (of([]), "cannot take []"),
    (of([("ai", "yes")]), "cannot take [('ai', 'yes')]"),
    (of(7), "cannot take 7"),
    (of([{"content": "yes"}]), "cannot take [{'content': 'yes'}]"),
    (of([{"role": ["user"], "content": "yes"}]), "cannot take [{'role': ['user']"),
    (of([{"role": "tool", "content": "yes"}]), "cannot take [{'role': 'tool'"),
    (of([{"role": "assistant", "content": "yes", "tool_calls": ["x"]}]), "cannot take [{'role': 'assistant'"),
]


@table(("given", "problem"), UNCLEAR)
def test_what_is_neither_is_asked_about_again_with_the_forms_that_are_taken(given: Any, problem: str) -> None:
    reading = read_reply(given, QUESTION)

    assert isinstance(reading, Unclear)
    assert reading.problem.startswith(problem)
    assert reading.problem.endswith(f"; {possible_answers(QUESTION)}")


@table(
    ("words", "answer"),
    [
        ("yes", TO_THESE),
        ("yes 3f9a02", {**APPROVE, **BOUND, "words": "yes 3f9a02"}),
        ("3F9A02: yes, please", {**APPROVE, **BOUND, "words": "3F9A02: yes, please"}),
        ("no 3f9a02", {"decision": "reject", **BOUND, "words": "no 3f9a02"}),
        ("two by two 3f9a02.", None),
        ("3f9a02 Two by two.", {**APPROVE, **BOUND, "words": "3f9a02 Two by two.", "choice": "two by two"}),
        ("yes 3f9a03", {**APPROVE, "terms_hash": "3f9a03", "words": "yes 3f9a03"}),
        ("yes 13f9a02", None),
        ("pay it", {**APPROVE, "words": "pay it", **BOUND}),
        ("leave it", {"decision": "reject", "words": "leave it", **BOUND}),
        ("3f9a02", None),
    ],
)
def test_words_name_the_terms_that_they_answer(words: str, answer: dict[str, Any] | None) -> None:
    assert answer_in_words(words, QUESTION) == answer


@table(
    ("given", "reading"),
    [
        ("yes", Speech([HumanMessage("yes")])),
        ("draft", Speech([HumanMessage("draft")])),
        ("leave it", taken({"decision": "reject", "reason": "withdrawn by the person who asked", "words": "leave it"})),
        ("לא", taken({"decision": "reject", "reason": "הבקשה בוטלה בידי המבקש", "words": "לא"})),
        (decided("approve"), taken(APPROVE)),
        (decided("respond", message="yes"), taken(SAID)),
        (decided("respond", message="too dear", **BOUND), taken({"decision": "reject", "reason": "too dear", **BOUND})),
    ],
)
def test_where_somebody_else_is_asked_words_in_the_conversation_only_withdraw(given: Any, reading: Any) -> None:
    assert read_reply(given, ELSEWHERE) == reading


NAMED = "To confirm that you agree to exactly these terms, please say “yes 3f9a02”."
OTHERS = "That answered different terms. These are the terms now."
NEEDS_CODE = a_question(terms_hash=HASH, choices=CHOICES, agree_with="yes 3f9a02")
NOT_LAST = a_question(terms_hash=HASH, choices=CHOICES, agree_with="yes 3f9a02", shown=False)


@table(
    ("question", "words", "reading"),
    [
        (QUESTION, "yes 3f9a03", Refused("yes 3f9a03", None, OTHERS)),
        (QUESTION, "ok thanks", Refused("ok thanks", None, "Nothing is done yet: I need a plain “yes”.")),
        (NOT_LAST, "ok thanks", Speech([HumanMessage("ok thanks")])),
        (NEEDS_CODE, "yes", Refused("yes", None, NAMED)),
        (NEEDS_CODE, "draft", Refused("draft", None, NAMED)),
        (NEEDS_CODE, "yes 3f9a02", taken({**TO_THESE, "words": "yes 3f9a02"})),
        (NEEDS_CODE, "no", taken({"decision": "reject", "words": "no"})),
        (NOT_LAST, "yes", Speech([HumanMessage("yes")])),
        (NOT_LAST, "draft", Speech([HumanMessage("draft")])),
        (NOT_LAST, "yes 3f9a03", Refused("yes 3f9a03", None, OTHERS)),
        (NOT_LAST, "yes 3f9a02", taken({**TO_THESE, "words": "yes 3f9a02"})),
        (NOT_LAST, "no", taken({"decision": "reject", "words": "no"})),
    ],
)
def test_a_yes_is_to_the_terms_that_it_names_or_that_ask_for_a_plain_one(
    question: Any, words: str, reading: Any
) -> None:
    assert read_reply(words, question) == reading


@pytest.mark.parametrize("words", ["ok thanks", "yes 3f9a03"])
def test_why_words_do_not_count_is_told_in_the_question_s_language_whatever_its_terms_are_in(words: str) -> None:
    hebrew, english = (a_question(terms_hash=HASH, languages=codes) for codes in (["he", "en"], ["en", "he"]))
    told, wanted = read_reply(words, hebrew), read_reply(words, english)

    assert isinstance(told, Refused)
    assert isinstance(wanted, Refused)
    assert (language_of(told.problem), language_of(wanted.problem)) == ("he", "en")


@pytest.mark.parametrize(
    ("sent_at_ms", "agree_with"), [(None, "yes"), (2_000, "yes"), (1_000, "yes"), (999, "yes 3f9a02")]
)
def test_a_plain_yes_that_was_sent_before_the_question_was_shown_is_none(
    sent_at_ms: int | None, agree_with: str
) -> None:
    shown = AIMessage("tea?", id="asked-1-3f9a02b7c1d4", additional_kwargs={"wavegraph_shown_ms": 1_000})

    assert question_when_sent(QUESTION, [shown, HumanMessage("yes")], sent_at_ms)["agree_with"] == agree_with
    assert question_when_sent(QUESTION, [], sent_at_ms) == QUESTION
