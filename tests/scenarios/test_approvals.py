"""A write that a person agrees to first: asked with exact terms, run once, never without a yes to these very terms."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from runs import compiled, human, on_thread
from scripted import Script, planning
from till import Till, paying

from wavegraph import CancelHandle, SettingsError, resume, run
from wavegraph.app.run.result import Result
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.approval import Approval, Question
from wavegraph.graph.domain import write

ASK = "pay tea for Dana"
QUESTION = "tea for 4 coins\n\nShall I go ahead? (yes / no)"


@pytest.fixture
def till() -> Till:
    return Till()


def graph_of(till: Till, **options: Any) -> Any:
    return compiled(till.domain(), **{"checkpointer": InMemorySaver(), **options})


async def asked(graph: Any, text: str = ASK, thread: str = "t") -> tuple[Result, Question]:
    result = await run(graph, text, thread_id=thread)
    assert result.outcome == "awaiting_approval"
    assert result.question
    question: Any = result.question
    return result, question


async def said(graph: Any) -> list[tuple[str, str]]:
    """The conversation: who says what."""
    return [(m.type, m.text) for m in (await graph.aget_state(on_thread())).values["messages"]]


async def test_the_terms_are_shown_and_nothing_is_done_before_a_yes(till: Till) -> None:
    result, question = await asked(graph_of(till))

    assert result.answer == "tea for 4 coins\n\nShall I go ahead? (yes / no)"
    assert question["terms"] == {"item": "tea", "price": 4}
    assert question["args"] == {"item": "tea", "who": "Dana"}
    assert till.paid == []
    assert result.can_resume
    assert result.unfinished == ["pay"]


async def test_a_plain_yes_as_the_next_request_runs_it_once(till: Till) -> None:
    graph = graph_of(till)
    await asked(graph)

    ended = await run(graph, "Yes, please!", thread_id="t")

    assert (ended.outcome, ended.answer) == ("answered", "paid 4, receipt 1")
    assert ended.tools == ["look", "pay"]
    assert ended.tools_executed == 2
    assert len(till.paid) == 1


async def test_question_and_reply_stand_in_the_conversation_once(till: Till) -> None:
    graph = graph_of(till)
    await asked(graph)
    assert await said(graph) == [("human", ASK), ("ai", QUESTION)]

    await run(graph, "yes", thread_id="t")

    assert await said(graph) == [("human", ASK), ("ai", QUESTION), ("human", "yes"), ("ai", "paid 4, receipt 1")]


async def test_the_request_after_an_approval_is_a_new_one(till: Till) -> None:
    graph = graph_of(till)
    await asked(graph)
    await run(graph, "yes", thread_id="t")

    after = await run(graph, "hello", thread_id="t")

    assert (after.outcome, after.answer) == ("clarify", "What would you like?")


async def test_a_plain_no_ends_it_gives_back_what_was_held_and_adapts_nothing(till: Till) -> None:
    graph = graph_of(till)
    await asked(graph)

    ended = await run(graph, "no thanks", thread_id="t")

    assert ended.outcome == "answered"
    assert ended.answer == "not paid: it was not agreed to"
    assert till.paid == []
    assert till.held == {}
    assert ended.results["pay"]["error"]["code"] == "rejected"
    assert ended.adaptations == 0
    assert ended.issues == []


async def test_a_rejection_keeps_its_reason(till: Till) -> None:
    graph = graph_of(till)
    await asked(graph)

    ended = await resume(graph, "t", reply={"decision": "reject", "reason": "too dear"})

    assert ended.answer == "not paid: it was not agreed to: too dear"


async def test_other_words_than_yes_or_no_are_a_new_request_and_the_question_waits_on(till: Till) -> None:
    graph = graph_of(till)
    _, first = await asked(graph)

    other = await run(graph, "yes but is the cake fresh", thread_id="t")

    assert (other.outcome, other.can_resume) == ("clarify", True)
    assert other.question == first
    assert till.held == {"tea": 1}
    ended = await run(graph, "yes", thread_id="t", shown=first["terms_hash"])
    assert (ended.outcome, ended.answer, ended.question) == ("answered", "paid 4, receipt 1", None)
    assert len(till.paid) == 1


async def test_a_price_that_moved_is_asked_about_again_saying_from_what(till: Till) -> None:
    graph = graph_of(till)
    _, first = await asked(graph)
    till.prices["tea"] = 5

    again = await resume(graph, "t", reply="yes")

    assert again.outcome == "awaiting_approval"
    assert again.question
    assert again.answer == (
        "tea for 5 coins\n\nThis has changed since it was asked before:\n- before: tea for 4 coins\n"
        f"- now: tea for 5 coins\n\nShall I go ahead? (yes {again.question['terms_hash'][:6]} / no)"
    )
    assert again.question["changed"] == {"before": ["tea for 4 coins"], "now": ["tea for 5 coins"]}
    assert again.question["terms_hash"] != first["terms_hash"]
    assert till.paid == []
    ended = await run(graph, "yes", thread_id="t", shown=again.question["terms_hash"])
    assert ended.answer == "paid 5, receipt 1"


async def moved(graph: Any, till: Till) -> Question:
    """A question whose terms have moved since it was first put."""
    await asked(graph)
    till.prices["tea"] = 5
    again = await resume(graph, "t", reply="yes")
    question: Any = again.question
    return question


OLD = ["yes", "go ahead", {"decision": "approve"}, {"decisions": [{"type": "approve"}]}, '{"decision": "approve"}',
       {"messages": [{"role": "user", "content": "yes"}]}]  # fmt: skip


@pytest.mark.parametrize("old", OLD, ids=str)
async def test_an_old_answer_is_no_answer_to_terms_that_moved(till: Till, old: Any) -> None:
    graph = graph_of(till)
    question = await moved(graph, till)

    for _ in range(3):
        again = await resume(graph, "t", reply=old)
        assert again.question
        assert again.question["problem"].startswith("To be sure that you agree to these very terms, please say “yes ")
    assert till.paid == []

    ended = await resume(graph, "t", reply=f"yes {question['terms_hash'][:6]}")
    assert ended.answer == "paid 5, receipt 1"


@pytest.mark.parametrize("old", OLD, ids=str)
async def test_an_old_answer_is_no_answer_once_a_problem_was_told(till: Till, old: Any) -> None:
    graph = graph_of(till)
    _, question = await asked(graph)
    await resume(graph, "t", reply=True)

    again = await resume(graph, "t", reply=old)

    assert again.outcome == "awaiting_approval"
    assert till.paid == []
    bound = {"decision": "approve", "terms_hash": question["terms_hash"]}
    assert (await resume(graph, "t", reply=bound)).answer == "paid 4, receipt 1"


async def test_an_answer_to_the_id_of_the_first_question_is_not_taken_for_a_later_one(till: Till) -> None:
    graph = graph_of(till)
    paused = await graph.ainvoke(human(ASK), on_thread())
    first = paused["__interrupt__"][0].id
    for _ in range(2):
        await graph.ainvoke(Command(resume=True), on_thread())

    again = await graph.ainvoke(Command(resume={first: {"decision": "approve"}}), on_thread())

    assert again["__interrupt__"][0].value["problem"]
    assert till.paid == []


async def test_a_plain_no_counts_whatever_has_changed(till: Till) -> None:
    graph = graph_of(till)
    await moved(graph, till)

    ended = await resume(graph, "t", reply={"decisions": [{"type": "reject", "message": "too dear"}]})

    assert ended.answer == "not paid: it was not agreed to: too dear"
    assert till.held == {}


async def test_an_answer_to_terms_shown_earlier_is_not_taken(till: Till) -> None:
    graph = graph_of(till)
    _, first = await asked(graph)
    till.prices["tea"] = 5
    again = await resume(graph, "t", reply="yes")
    assert again.question

    stale = {"decision": "approve", "terms_hash": first["terms_hash"]}
    refused = await resume(graph, "t", reply=stale)

    assert refused.outcome == "awaiting_approval"
    assert till.paid == []
    assert refused.answer.startswith("That was an answer to other terms than these.")
    assert (await resume(graph, "t", reply={**stale, "terms_hash": again.question["terms_hash"]})).answer == (
        "paid 5, receipt 1"
    )


async def test_an_edit_changes_the_call_and_is_asked_about_again(till: Till) -> None:
    graph = graph_of(till)
    _, first = await asked(graph)

    again = await resume(graph, "t", reply={"decision": "edit", "args": {"who": "Noa"}})

    assert again.outcome == "awaiting_approval"
    assert again.question
    assert again.question["args"] == {"item": "tea", "who": "Noa"}
    assert again.question["terms_hash"] != first["terms_hash"]
    assert again.question["changed"] == {"before": ["who: Dana"], "now": ["who: Noa"]}
    ended = await run(graph, "yes", thread_id="t", shown=again.question["terms_hash"])
    assert [receipt.who for receipt in till.paid] == ["Noa"]
    assert ended.outcome == "answered"


@pytest.mark.parametrize("old", ["yes", {"decision": "approve"}, {"decisions": [{"type": "approve"}]}], ids=str)
async def test_a_yes_from_before_an_edit_is_none_to_what_was_edited(till: Till, old: Any) -> None:
    graph = graph_of(till)
    await asked(graph)
    await resume(graph, "t", reply={"decision": "edit", "args": {"who": "Noa"}})

    again = await resume(graph, "t", reply=old)

    assert again.outcome == "awaiting_approval"
    assert till.paid == []


async def test_an_edit_that_changes_nothing_lets_go_of_nothing(till: Till) -> None:
    graph = graph_of(till)
    await asked(graph)

    again = await resume(graph, "t", reply={"decision": "edit", "args": {"who": "Dana"}})

    assert again.question
    assert again.question["problem"] == "the edit changes nothing: approve, or reject"
    assert till.held == {"tea": 1}


async def test_a_yes_to_terms_that_were_not_shown_is_asked_again(till: Till) -> None:
    """Two people on one thread: one has seen the tea, the other has asked for the cake meanwhile."""
    graph = graph_of(till)
    _, tea = await asked(graph)
    await asked(graph, "pay cake for Dana")

    again = await run(graph, "yes", thread_id="t", shown=tea["terms_hash"])

    assert again.outcome == "awaiting_approval"
    assert again.answer.startswith("That was an answer to other terms than these. These are the terms now.\n\ncake")
    assert till.paid == []
    assert again.question
    await run(graph, "yes", thread_id="t", shown=again.question["terms_hash"])
    assert [receipt.item for receipt in till.paid] == ["cake"]


async def test_a_question_that_waits_on_is_told(till: Till) -> None:
    graph = graph_of(till)
    await asked(graph)

    other = await run(graph, "is the cake fresh", thread_id="t")

    assert other.answer == "What would you like?\n\n(Still waiting for your yes or no: tea for 4 coins)"


async def test_another_write_of_the_same_kind_takes_the_place_of_the_one_that_waits(till: Till) -> None:
    graph = graph_of(till)
    await asked(graph)

    cake, _ = await asked(graph, "pay cake for Dana")

    assert cake.answer == (
        "cake for 9 coins\n\n(This takes the place of what I asked about before: nothing was done about that.)\n\n"
        "Shall I go ahead? (yes / no)"
    )
    assert till.held == {"cake": 1}
    ended = await run(graph, "yes", thread_id="t")
    assert ended.question is None
    assert [receipt.item for receipt in till.paid] == ["cake"]


async def test_the_same_write_asked_for_again_is_one_question(till: Till) -> None:
    graph = graph_of(till)
    _, first = await asked(graph)

    again, second = await asked(graph)

    assert second["terms_hash"] == first["terms_hash"]
    assert "takes the place" not in again.answer
    ended = await run(graph, "yes", thread_id="t")
    assert (ended.question, len(till.paid)) == (None, 1)


@pytest.mark.parametrize("words", ["yes", "go ahead", "כן"])
async def test_words_give_nobody_elses_approval(till: Till, words: str) -> None:
    till.by_asker = False
    graph = graph_of(till)
    _, question = await asked(graph)

    aside = await resume(graph, "t", reply=words)

    assert till.paid == []
    assert aside.question == question
    assert "somebody else" in aside.answer.casefold() or "מישהו אחר" in aside.answer


@pytest.mark.parametrize("way", ["input", "resume"])
async def test_who_asked_withdraws_what_somebody_else_is_asked_about(till: Till, way: str) -> None:
    till.by_asker = False
    graph = graph_of(till)
    await asked(graph)

    ended = await (run(graph, "no", thread_id="t") if way == "input" else resume(graph, "t", reply="no"))

    assert ended.answer == "not paid: it was not agreed to: withdrawn by who asked"
    assert (ended.question, till.held) == (None, {})


async def test_a_yes_after_a_request_that_asked_back_names_what_it_is_to(till: Till) -> None:
    graph = graph_of(till)
    _, question = await asked(graph)
    await run(graph, "hello", thread_id="t")  # What would you like?

    again = await run(graph, "yes", thread_id="t")

    assert again.outcome == "awaiting_approval"
    assert till.paid == []
    ended = await run(graph, f"yes {question['terms_hash'][:6]}", thread_id="t")
    assert ended.answer == "paid 4, receipt 1"


async def test_an_input_without_a_message_takes_no_question_away(till: Till) -> None:
    graph = graph_of(till)
    paused = await graph.ainvoke(human(ASK), on_thread())

    for given in ({"messages": []}, {"messages": [("ai", "hello")]}, {"messages": [("system", "yes")]}):
        again = await graph.ainvoke(given, on_thread())
        assert again["__interrupt__"][0].value == paused["__interrupt__"][0].value
    assert till.held == {"tea": 1}


@pytest.mark.parametrize("way", ["input", "resume"])
async def test_several_messages_at_once_are_no_answer(till: Till, way: str) -> None:
    graph = graph_of(till)
    await graph.ainvoke(human(ASK), on_thread())
    given: Any = {"messages": [("user", "no"), ("user", "yes")]}

    again = await graph.ainvoke(given if way == "input" else Command(resume=given), on_thread())

    assert again["__interrupt__"][0].value["call"] == "pay"
    assert till.paid == []


@pytest.mark.parametrize("more", [{"args": {"who": "Eve"}}, {"changes": {"who": "Eve"}}], ids=str)
async def test_an_approval_that_changes_something_is_asked_about_again(till: Till, more: dict[str, Any]) -> None:
    graph = graph_of(till)
    await asked(graph)

    again = await resume(graph, "t", reply={"decision": "approve", **more})

    assert again.question
    assert "an approval changes nothing" in again.question["problem"]
    assert till.paid == []


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        ({}, "an edit gives `args` to change, of: item, who"),
        ({"colour": "red"}, "not ['colour']"),
        ({"who": 7}, "who = 7: Input should be a valid string"),
        ({"item": "cake"}, "item cannot be edited: it comes from a result"),
    ],
)
async def test_an_edit_that_fits_no_argument_is_told_why_and_asked_again(
    till: Till, args: dict[str, Any], problem: str
) -> None:
    graph = graph_of(till)
    _, question = await asked(graph)

    again = await resume(graph, "t", reply={"decision": "edit", "args": args})

    assert again.outcome == "awaiting_approval"
    assert problem in again.answer
    ended = await run(graph, "yes", thread_id="t", shown=question["terms_hash"])
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
async def test_a_reply_in_no_form_is_asked_about_again_and_ends_nothing(till: Till, reply: Any) -> None:
    graph = graph_of(till)
    _, question = await asked(graph)

    again = await resume(graph, "t", reply=reply)

    assert again.question
    assert again.question["terms_hash"] == question["terms_hash"]
    assert again.question["problem"] or again.outcome == "clarify"
    assert len(again.question["problem"] or "") < 800
    assert till.paid == []
    ended = await run(graph, "yes", thread_id="t", shown=question["terms_hash"])
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
async def test_an_answer_in_the_form_of_an_inbox_is_taken(till: Till, answer: Any, paid: list[str]) -> None:
    graph = graph_of(till)
    await asked(graph)

    ended = await resume(graph, "t", reply=answer)

    assert (ended.outcome, ended.question) == ("answered", None)
    assert [receipt.who for receipt in till.paid] == paid


async def test_an_inbox_edits_one_argument_and_is_asked_about_the_call_it_made(till: Till) -> None:
    graph = graph_of(till)
    _, question = await asked(graph)
    (shown,) = question["action_requests"]
    assert shown == {"name": "pay", "args": {"item": "tea", "who": "Dana"}, "description": question["text"]}
    (how,) = question["review_configs"]
    assert how == {"action_name": "pay", "allowed_decisions": ["approve", "edit", "reject", "respond"]}
    edited = {"type": "edit", "editedAction": {**shown, "args": {"item": "tea", "who": "Noa"}}}

    again = await resume(graph, "t", reply={"decisions": [edited]})
    assert again.question
    words = f"yes {again.question['terms_hash'][:6]}"
    ended = await resume(graph, "t", reply={"decisions": [{"type": "respond", "message": words}]})

    assert again.outcome == "awaiting_approval"
    assert (ended.outcome, [receipt.who for receipt in till.paid]) == ("answered", ["Noa"])


# A write waits on beside other requests.


ASIDES = ["is the cake fresh", "hello", "and when do you close?"]


async def test_three_asides_then_staff_approve_and_it_is_paid_once(till: Till) -> None:
    till.by_asker = False
    graph = graph_of(till)
    first, question = await asked(graph)
    assert first.answer.endswith("you can go on asking meanwhile. Nothing is done before that.")

    for words in ASIDES:
        aside = await run(graph, words, thread_id="t")
        assert aside.outcome == "clarify"
        assert aside.answer.endswith(
            "(Still waiting for somebody's approval, and not done before that: tea for 4 coins)"
        )
        assert aside.question == question
        assert (await graph.aget_state(on_thread())).next == ("approve",)
    assert till.held == {"tea": 1}
    assert till.log.count("prepare tea") == 1

    ended = await resume(graph, "t", reply={"decisions": [{"type": "approve"}]})

    assert (ended.outcome, ended.answer, ended.tools) == ("answered", "paid 4, receipt 1", ["look", "pay"])
    assert len(till.paid) == 1
    texts = [text for _, text in await said(graph)]
    assert [text for text in texts if text.startswith("tea for 4 coins")] == [first.answer]
    assert texts[-1] == "paid 4, receipt 1"
    after = await run(graph, "hello", thread_id="t")
    assert (after.answer, after.question) == ("What would you like?", None)


@pytest.mark.parametrize("way", ["resume words", "resume input", "resume A2A", "new input"])
@pytest.mark.parametrize(
    ("words", "paid"), [("yes", 1), ("No, thanks", 0), ("What time do you close?", None)], ids=["yes", "no", "aside"]
)
async def test_words_reach_the_question_over_every_road(till: Till, way: str, words: str, paid: int | None) -> None:
    graph = graph_of(till)
    await graph.ainvoke(human(ASK), on_thread())
    message = {"role": "user", "content": words, "id": "client-1"}
    given: Any = {
        "resume words": Command(resume=words),
        "resume input": Command(resume={"messages": [message]}),
        "resume A2A": Command(resume={"messages": [{"type": "human", "content": words}]}),
        "new input": {"messages": [message]},
    }[way]

    ended = await graph.ainvoke(given, on_thread())

    state = await graph.aget_state(on_thread())
    spoken = [message for message in state.values["messages"] if message.type == "human" and message.text == words]
    assert len(spoken) == 1
    assert ("client-1" in [message.id for message in spoken]) is (way in ("resume input", "new input"))
    if paid is None:
        assert ended["outcome"] == "clarify"
        assert ended["__interrupt__"][0].value["call"] == "pay"
        assert state.next == ("approve",)
    else:
        assert (ended["outcome"], len(till.paid), state.next) == ("answered", paid, ())


async def test_an_aside_that_is_stopped_leaves_the_question(till: Till) -> None:
    graph = graph_of(
        till, planner=Script(paying_after_look(), planning({"id": "slow", "tool": "look", "args": {"item": "cake"}}))
    )
    _, question = await asked(graph)
    handle = CancelHandle()

    stopped = await run(
        graph, "what is a cake?", thread_id="t", cancel=handle, on_event=lambda event: _stop_at_tool(event, handle)
    )

    assert stopped.outcome == "cancelled"
    assert stopped.question == question
    later = await resume(graph, "t")
    assert later.question
    assert later.question["terms_hash"] == question["terms_hash"]
    assert (await run(graph, "yes", thread_id="t", shown=question["terms_hash"])).answer == "paid 4, receipt 1"


def _stop_at_tool(event: Any, handle: CancelHandle) -> None:
    if event["event"] == "tool_started":
        handle.cancel()


def paying_after_look() -> Any:
    item = {"ref": {"call": "look", "path": "item"}}
    return planning(
        {"id": "look", "tool": "look", "args": {"item": "tea"}},
        {"id": "pay", "tool": "pay", "args": {"item": item, "who": "Dana"}},
        action="pay",
    )


async def test_who_answers_is_not_chosen_by_the_settings_of_a_later_request() -> None:
    till = Till()
    till.asks = lambda settings: settings.language != "he"
    graph = graph_of(till)
    staff = {"language": "he"}
    await run(graph, ASK, thread_id="t", settings=staff)

    aside = await run(graph, "hello", thread_id="t", settings={"language": "en"})

    assert aside.question
    assert not aside.question["by_asker"]
    assert (await run(graph, "yes", thread_id="t", settings=staff)).question
    assert till.paid == []


async def test_a_run_that_gives_no_settings_goes_on_with_those_of_the_request(till: Till) -> None:
    graph = graph_of(till)
    await run(graph, ASK, thread_id="t", settings={"language": "he"})
    await run(graph, "hello", thread_id="t")

    ended = await resume(graph, "t", reply={"decision": "approve"})

    state = (await graph.aget_state(on_thread())).values
    assert ended.outcome == "answered"
    assert (state["settings"], state["request"]["language"]) == ({"language": "he"}, "he")


async def test_without_a_reply_it_asks_the_same_again(till: Till) -> None:
    graph = graph_of(till)
    first, _ = await asked(graph)

    again = await resume(graph, "t")

    assert (again.outcome, again.answer, again.question) == (first.outcome, first.answer, first.question)


async def test_somebody_elses_approval_is_not_given_in_the_conversation(till: Till) -> None:
    till.by_asker = False
    graph = graph_of(till)
    result, question = await asked(graph)
    assert result.answer.endswith("Nothing is done before that.")
    assert not question["by_asker"]

    again = await run(graph, "yes", thread_id="t")
    assert again.question
    assert till.paid == []

    ended = await resume(graph, "t", reply={"decision": "approve", "terms_hash": question["terms_hash"]})
    assert ended.answer == "paid 4, receipt 1"


async def test_what_cannot_be_had_is_not_asked_about(till: Till) -> None:
    del till.prices["tea"]

    ended = await run(graph_of(till), ASK, thread_id="t")

    assert ended.answer == "not paid: no tea left"
    assert ended.results["pay"]["error"]["code"] == "sold_out"


async def test_what_was_kept_for_a_yes_that_came_too_late_is_given_back(till: Till) -> None:
    graph = graph_of(till)
    await asked(graph)
    assert till.held
    del till.prices["tea"]

    ended = await resume(graph, "t", reply="yes")

    assert ended.answer == "not paid: no tea left"
    assert till.held == {}


async def test_without_a_checkpointer_it_is_refused_with_the_reason(till: Till) -> None:
    ended = await run(compiled(till.domain()), ASK)

    assert "a run without a checkpointer cannot wait" in ended.answer
    assert ended.outcome != "awaiting_approval"
    assert ended.results["pay"]["error"]["code"] == "approval_impossible"
    plain = await compiled(till.domain()).ainvoke(human(ASK))
    assert "a run without a checkpointer cannot wait" in plain["answer"]
    assert till.paid == []
    assert till.held == {}


# Over a bare graph, as the server runs it: a new message in the place of a resume.


async def test_a_plain_yes_that_plans_the_same_again_runs_it_once(till: Till) -> None:
    graph = graph_of(till)
    paused = await graph.ainvoke(human(ASK), on_thread())
    assert "__interrupt__" in paused

    ended = await graph.ainvoke(human("yes"), on_thread())
    again = await graph.ainvoke(human("yes"), on_thread())

    assert ended["answer"] == again["answer"] == "paid 4, receipt 1"
    assert len(till.paid) == 1
    assert till.log.count("pay tea") == 1


async def test_a_plain_yes_to_a_price_that_moved_is_asked_again(till: Till) -> None:
    graph = graph_of(till)
    await graph.ainvoke(human(ASK), on_thread())
    till.prices["tea"] = 5

    again = await graph.ainvoke(human("yes"), on_thread())

    assert again["__interrupt__"][0].value["terms"]["price"] == 5
    assert till.paid == []


async def test_a_plain_yes_to_somebody_elses_question_is_asked_again(till: Till) -> None:
    till.by_asker = False
    graph = graph_of(till)
    await graph.ainvoke(human(ASK), on_thread())

    again = await graph.ainvoke(human("yes"), on_thread())

    assert "__interrupt__" in again
    assert till.paid == []


async def test_a_plain_no_as_a_new_message_gives_back_what_was_held(till: Till) -> None:
    graph = graph_of(till)
    await graph.ainvoke(human(ASK), on_thread())
    assert till.held

    await graph.ainvoke(human("No, thank you."), on_thread())

    assert till.held == {}
    assert till.paid == []


async def test_an_interrupt_is_answered_through_the_graph_itself(till: Till) -> None:
    graph = graph_of(till)
    await graph.ainvoke(human(ASK), on_thread())

    ended = await graph.ainvoke(Command(resume={"decision": "approve"}), on_thread())

    assert ended["answer"] == "paid 4, receipt 1"


def test_the_sync_way_asks_and_goes_on_too(till: Till) -> None:
    graph = graph_of(till)
    paused = graph.invoke(human(ASK), on_thread())
    assert paused["__interrupt__"][0].value["terms"] == {"item": "tea", "price": 4}

    assert graph.invoke(Command(resume={"decision": "approve"}), on_thread())["answer"] == "paid 4, receipt 1"


async def test_another_process_can_answer(till: Till, tmp_path: Path) -> None:
    database = str(tmp_path / "till.db")
    async with open_storage(database) as storage:
        await asked(graph_of(till, checkpointer=storage.checkpointer, store=storage.store))

    async with open_storage(database) as storage:
        later = graph_of(till, checkpointer=storage.checkpointer, store=storage.store)
        assert (await resume(later, "t", reply="yes")).answer == "paid 4, receipt 1"


# What happened to a write that was cut short.


async def test_a_write_that_timed_out_is_looked_up_before_anything_is_said(till: Till) -> None:
    till.timeout_s, till.after_pay = 1, lambda: asyncio.sleep(60)
    graph = graph_of(till)
    await asked(graph)

    ended = await resume(graph, "t", reply="yes")

    assert (ended.outcome, ended.answer) == ("answered", "paid 4, receipt 1")


async def test_a_write_that_timed_out_and_is_not_found_is_told_as_unknown_and_not_sent_again(till: Till) -> None:
    till.timeout_s, till.on_pay = 1, lambda: asyncio.sleep(60)
    graph = graph_of(till)
    await asked(graph)

    ended = await resume(graph, "t", reply="yes")

    assert ended.outcome != "answered"
    assert "may or may not have happened" in ended.answer
    assert till.log.count("pay tea") == 1


async def test_a_look_up_that_fails_keeps_the_write_from_being_sent(till: Till) -> None:
    async def down(args: Any, settings: Any) -> None:
        raise OSError("secret address")

    till.look_up = down  # type: ignore[method-assign]
    ended = await run(graph_of(till), ASK, thread_id="t")

    assert ended.answer == "not paid: pay failed with OSError"
    assert till.log == []


# Arguments that a planner made up.


async def test_a_write_takes_no_argument_that_nobody_gave() -> None:
    till = Till()
    script = Script(paying(who="Mallory"), paying(item="tea", who="Mallory"))

    ended = await run(graph_of(till, planner=script), "what does tea cost?", thread_id="t")

    rules = [issue["rule"] for issue in ended.issues]
    assert rules == ["untraced_argument"] * 2
    assert till.paid == []
    assert till.held == {}


async def test_a_persons_argument_may_not_come_from_a_result(till: Till) -> None:
    looked = planning(
        {"id": "look", "tool": "look", "args": {"item": "tea"}},
        {
            "id": "pay",
            "tool": "pay",
            "args": {"item": "tea", "who": {"ref": {"call": "look", "path": "item"}}},
        },
    )
    ended = await run(graph_of(till, planner=Script(looked, looked)), "hello", thread_id="t")

    assert [issue["tool_id"] for issue in ended.issues if issue["rule"] == "untraced_argument"].count("pay") >= 2
    assert till.paid == []


async def test_arguments_that_were_given_pass_however_they_are_spaced(till: Till) -> None:
    found = planning({"id": "look", "tool": "look", "args": {"item": "tea"}}, status="continue")
    graph = graph_of(till, planner=Script(found, paying(who="da-na ")))

    result = await run(graph, "one tea for DANA please", thread_id="t")

    assert result.outcome == "awaiting_approval"


async def test_what_is_done_is_told_with_the_next_question(till: Till) -> None:
    tea, cake = ({"id": item, "tool": "pay", "args": {"item": item, "who": "Dana"}} for item in ("tea", "cake"))
    till.fixed = False
    graph = graph_of(till, planner=Script(planning(tea, cake, action="pay"), planning(reply="hello", action="clarify")))
    await asked(graph, "pay tea and cake for Dana")

    second = await run(graph, "yes", thread_id="t")

    assert second.outcome == "awaiting_approval"
    assert second.answer.startswith("Done: pay (item: tea, price: 4, who: Dana, number: 1).\n\ncake for 9 coins")
    assert (await run(graph, "hello, what now?", thread_id="t")).question == second.question


def _raises(*_: Any) -> Any:
    raise KeyError("secret")


@pytest.mark.parametrize("broken", ["checks", "adapt", "details"])
async def test_nothing_of_the_domain_that_fails_behind_a_write_takes_its_news(till: Till, broken: str) -> None:
    found: Any = [{"type": "odd", "tool_id": "pay", "message": "odd", "severity": "warning", "rule": "odd"}]
    checks: Any = {"pay": [_raises if broken == "checks" else lambda result, call: found]}
    rest: Any = {} if broken == "checks" else {broken: _raises}
    graph = compiled(till.domain(checks=checks, **rest), checkpointer=InMemorySaver())
    await asked(graph)

    ended = await run(graph, "yes", thread_id="t")

    assert (ended.outcome, ended.answer) == ("partial", "paid 4, receipt 1")
    (issue,) = ended.issues
    assert issue["type"] == ("unchecked" if broken == "checks" else "odd")
    assert "secret" not in str(ended)
    assert len(till.paid) == 1


async def test_a_stopped_aside_gives_way_to_an_answer_to_what_waits(till: Till) -> None:
    till.by_asker = False
    slow = planning({"id": "slow", "tool": "look", "args": {"item": "cake"}})
    graph = graph_of(till, planner=Script(paying_after_look(), slow))
    await asked(graph)
    handle = CancelHandle()
    await run(graph, "what is a cake?", thread_id="t", cancel=handle, on_event=lambda e: _stop_at_tool(e, handle))

    ended = await resume(graph, "t", reply={"decision": "approve"})

    assert (ended.outcome, ended.answer) == ("answered", "paid 4, receipt 1")


async def test_a_second_yes_is_none_to_another_deed(till: Till) -> None:
    """Two writes of different tools wait; the older one comes back when the newer is done."""

    @tool
    async def refund(who: str) -> str:
        """Give the money back."""
        till.log.append(f"refund {who}")
        return "refunded"

    async def prepare(args: Any, settings: Any) -> Any:
        return {"details": {"who": args["who"]}, "valid_until": None}

    domain = till.domain()
    asks = Approval(prepare=prepare, restate=lambda details, language: f"a refund for {details['who']}")
    domain = replace(domain, tools=[*domain.tools, write(refund, approval=asks)])
    back = planning({"id": "refund", "tool": "refund", "args": {"who": "Dana"}}, action="refund")
    graph = compiled(domain, Script(back, paying_after_look()), checkpointer=InMemorySaver())
    await asked(graph, "refund Dana")
    await asked(graph, "pay tea for Dana")

    first = await run(graph, "yes", thread_id="t")
    second = await run(graph, "yes", thread_id="t")

    assert first.answer.endswith("(Still waiting for your yes or no: a refund for Dana)")
    assert (len(till.paid), "refund Dana" in till.log) == (1, False)
    assert second.question
    await run(graph, "yes", thread_id="t", shown=second.question["terms_hash"])
    assert till.log[-1] == "refund Dana"


async def test_a_request_beside_one_that_waits_goes_on_with_its_settings(till: Till) -> None:
    till.asks = lambda settings: settings.language != "he"
    graph = graph_of(till)
    await run(graph, ASK, thread_id="t", settings={"language": "he"})

    aside = await run(graph, "hello", thread_id="t")
    cake = await run(graph, "pay cake for Dana", thread_id="t", settings={"language": "en"})

    assert "עדיין ממתין" in aside.answer
    assert cake.question
    assert not cake.question["by_asker"]
    assert "cake" in cake.question["text"]


@pytest.mark.parametrize("words", ["yes", "hello"])
async def test_a_thread_that_waits_for_a_tool_of_another_agent_says_so(till: Till, words: str) -> None:
    saver = InMemorySaver()
    await asked(graph_of(till, checkpointer=saver))
    whole = till.domain()
    other = compiled(replace(whole, tools=whole.tools[:1]), checkpointer=saver)

    with pytest.raises(
        SettingsError, match="belongs to another agent: this graph is of 'till', which has no tool 'pay'"
    ):
        await run(other, words, thread_id="t")
