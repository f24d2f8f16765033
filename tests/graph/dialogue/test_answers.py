"""A reply is an answer, a new request, or asked about again: in whatever form a front end gives it."""

import json
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from states import a_question

from wavegraph.graph.dialogue.answers import Speech, Taken, Unclear, expected, plain_yes, read_reply, spoken

HASH = "3f9a02b7c1d4"
CHOICES = {"Draft": "keep it as a draft", "two by two": "in pairs"}
QUESTION = a_question(terms_hash=HASH, choices=CHOICES, yes=["pay it"], no=["leave it"])
ELSEWHERE = a_question(terms_hash=HASH, choices=CHOICES, yes=["pay it"], no=["leave it"], by_asker=False)
APPROVE = {"decision": "approve"}
BOUND = {"terms_hash": HASH}
USER = {"role": "user", "content": "yes"}
SAID = {**APPROVE, "words": "yes"}


def taken(answer: dict[str, Any], message_id: str | None = None) -> Taken:
    return Taken(answer, message_id)  # type: ignore[arg-type]


def edit(**args: Any) -> dict[str, Any]:
    return {"type": "edit", "edited_action": {"name": "pay", "args": args}}


def decided(kind: str, **more: Any) -> dict[str, Any]:
    return {"decisions": [{"type": kind, **more}]}


TAKEN = [
    ("yes", taken(SAID)),
    ("no", taken({"decision": "reject", "words": "no"})),
    (" Draft! ", taken({**APPROVE, "words": " Draft! ", "choice": "Draft"})),
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
    ({"decisions": [edit(who="Noa", item="tea")]}, taken({"decision": "edit", "args": {"who": "Noa"}})),
    ({"decisions": [{**edit(who="Noa"), **BOUND}]}, taken({"decision": "edit", "args": {"who": "Noa"}, **BOUND})),
    ({"decisions": [edit(who="Dana", item="tea")]}, taken(APPROVE)),
    (decided("edit", editedAction={"name": "pay", "args": {"who": "Noa"}}),
     taken({"decision": "edit", "args": {"who": "Noa"}})),
    (decided("respond", message="yes"), taken(SAID)),
    (decided("respond", message="yes", **BOUND), taken({**SAID, **BOUND})),
    (decided("respond", message="Leave it"), taken({"decision": "reject", "words": "Leave it"})),
    ({"messages": "yes"}, taken(SAID)),
    ({"messages": USER, **BOUND}, taken({**SAID, **BOUND})),
    ({"messages": [USER], "terms_hash": 7}, taken(SAID)),
    ({"messages": [{**USER, "id": "m1"}]}, taken(SAID, "m1")),
    ({"messages": [{**USER, "id": "reply-1"}]}, taken(SAID)),
    ({"messages": [HumanMessage("yes", additional_kwargs=BOUND)]}, taken({**SAID, **BOUND})),
    ({"messages": [("ai", "hello"), USER, ("system", "no")]}, taken(SAID)),
]  # fmt: skip


@pytest.mark.parametrize(("given", "answer"), TAKEN, ids=lambda value: repr(value)[:70])
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


@pytest.mark.parametrize(("given", "messages"), SPEECH, ids=lambda value: repr(value)[:70])
def test_other_words_are_the_next_request_under_an_id_of_their_own(given: Any, messages: list[HumanMessage]) -> None:
    assert read_reply(given, QUESTION) == Speech(messages)


def of(message: Any) -> dict[str, Any]:
    return {"messages": message}


UNCLEAR = [
    (7, "cannot take 7"),
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


@pytest.mark.parametrize(("given", "problem"), UNCLEAR, ids=lambda value: repr(value)[:70])
def test_what_is_neither_is_asked_about_again_with_the_forms_that_are_taken(given: Any, problem: str) -> None:
    reading = read_reply(given, QUESTION)

    assert isinstance(reading, Unclear)
    assert reading.problem.startswith(problem)
    assert reading.problem.endswith(f"; {expected(QUESTION)}")


@pytest.mark.parametrize(("given", "shown"), [(10**199, "1" + 199 * "0"), (10**200, "1" + 199 * "0" + "…")])
def test_what_cannot_be_taken_is_shown_up_to_a_length(given: int, shown: str) -> None:
    reading = read_reply(given, QUESTION)

    assert isinstance(reading, Unclear)
    assert reading.problem.startswith(f"cannot take {shown} as an answer; ")


def test_the_plain_words_come_first_in_what_is_expected() -> None:
    assert expected(QUESTION).startswith('expected yes, no, Draft, two by two, or JSON such as {"decision": "approve"}')


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("yes", SAID),
        ("yes 3f9a02", {**APPROVE, **BOUND, "words": "yes 3f9a02"}),
        ("3F9A02: yes, please", {**APPROVE, **BOUND, "words": "3F9A02: yes, please"}),
        ("no 3f9a02", {"decision": "reject", **BOUND, "words": "no 3f9a02"}),
        ("two by two 3f9a02.", None),
        ("3f9a02 Two by two.", {**APPROVE, **BOUND, "words": "3f9a02 Two by two.", "choice": "two by two"}),
        ("yes 3f9a03", None),
        ("yes 13f9a02", None),
        ("pay it", {**APPROVE, "words": "pay it"}),
        ("leave it", {"decision": "reject", "words": "leave it"}),
        ("3f9a02", None),
    ],
)
def test_words_name_the_terms_that_they_answer(words: str, answer: dict[str, Any] | None) -> None:
    assert spoken(words, QUESTION) == answer


@pytest.mark.parametrize(
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
    ids=repr,
)
def test_where_somebody_else_is_asked_words_in_the_conversation_only_withdraw(given: Any, reading: Any) -> None:
    assert read_reply(given, ELSEWHERE) == reading


CHANGED: Any = {"before": ["tea for 4"], "now": ["tea for 5"]}


@pytest.mark.parametrize(
    ("changed", "problem", "words"),
    [(None, None, "yes"), (CHANGED, None, "yes 3f9a02"), (None, "no such choice", "yes 3f9a02")],
)
def test_a_plain_yes_names_the_terms_once_something_has_changed(changed: Any, problem: Any, words: str) -> None:
    assert plain_yes(a_question(terms_hash=HASH, changed=changed, problem=problem)) == words
