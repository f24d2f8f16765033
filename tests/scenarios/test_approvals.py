"""A write that a person agrees to first: asked with exact terms, run once, never without a yes to these very terms."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from runs import compiled, human, on_thread
from scripted import Script, planning
from till import Till, paying

from wavegraph import resume, run
from wavegraph.app.questions import AwaitingApproval, BadReply
from wavegraph.app.runner import Result
from wavegraph.app.storage import open_storage
from wavegraph.graph.approval import Question

ASK = "pay tea for Dana"


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


async def test_question_and_reply_stand_in_the_conversation(till: Till) -> None:
    graph = graph_of(till)
    await asked(graph)
    await run(graph, "yes", thread_id="t")

    said = [(m.type, m.text) for m in (await graph.aget_state(on_thread())).values["messages"]]

    assert said == [("human", ASK), ("ai", "tea for 4 coins"), ("human", "yes"), ("ai", "paid 4, receipt 1")]


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


async def test_other_words_than_yes_or_no_are_a_new_request_and_the_question_lapses(till: Till) -> None:
    graph = graph_of(till)
    await asked(graph)

    other = await run(graph, "yes but is the cake fresh", thread_id="t")
    assert other.outcome == "clarify"

    assert (await run(graph, "yes", thread_id="t")).outcome == "clarify"
    assert till.paid == []


async def test_a_price_that_moved_is_asked_about_again(till: Till) -> None:
    graph = graph_of(till)
    _, first = await asked(graph)
    till.prices["tea"] = 5

    again = await resume(graph, "t", reply="yes")

    assert again.outcome == "awaiting_approval"
    assert again.answer.startswith("tea for 5 coins")
    assert again.question
    assert again.question["terms_hash"] != first["terms_hash"]
    assert till.paid == []
    ended = await resume(graph, "t", reply="yes")
    assert ended.answer == "paid 5, receipt 1"


async def test_terms_that_move_each_time_end_in_an_answer(till: Till) -> None:
    graph = graph_of(till)
    result, _ = await asked(graph)
    rounds = 0
    while result.outcome == "awaiting_approval":
        till.prices["tea"] += 1
        rounds += 1
        result = await resume(graph, "t", reply="yes")

    assert rounds == 3
    assert till.paid == []
    assert till.held == {}
    assert result.answer.startswith("not paid: the terms of pay changed each time")


async def test_an_answer_to_terms_shown_earlier_is_not_taken(till: Till) -> None:
    graph = graph_of(till)
    _, first = await asked(graph)
    till.prices["tea"] = 5
    await resume(graph, "t", reply="yes")

    stale = {"decision": "approve", "terms_hash": first["terms_hash"]}
    again = await resume(graph, "t", reply=stale)

    assert again.outcome == "awaiting_approval"
    assert till.paid == []
    assert again.answer.startswith("the terms have changed since they were shown")
    assert (await resume(graph, "t", reply="yes")).answer == "paid 5, receipt 1"


async def test_an_edit_changes_the_call_and_is_asked_about_again(till: Till) -> None:
    graph = graph_of(till)
    _, first = await asked(graph)

    again = await resume(graph, "t", reply={"decision": "edit", "args": {"who": "Noa"}})

    assert again.outcome == "awaiting_approval"
    assert again.question
    assert again.question["args"] == {"item": "tea", "who": "Noa"}
    assert again.question["terms_hash"] != first["terms_hash"]
    ended = await resume(graph, "t", reply="yes")
    assert [receipt.who for receipt in till.paid] == ["Noa"]
    assert ended.outcome == "answered"


async def test_a_yes_to_terms_that_were_not_shown_is_asked_again(till: Till) -> None:
    """Two people on one thread: one has seen the tea, the other has asked for the cake meanwhile."""
    graph = graph_of(till)
    _, tea = await asked(graph)
    await asked(graph, "pay cake for Dana")

    again = await run(graph, "yes", thread_id="t", shown=tea["terms_hash"])

    assert again.outcome == "awaiting_approval"
    assert again.answer.startswith("cake for 9 coins")
    assert till.paid == []
    assert again.question
    await run(graph, "yes", thread_id="t", shown=again.question["terms_hash"])
    assert [receipt.item for receipt in till.paid] == ["cake"]


async def test_a_question_that_lapses_is_told(till: Till) -> None:
    graph = graph_of(till)
    await asked(graph)

    other = await run(graph, "is the cake fresh", thread_id="t")

    assert other.answer.startswith("What would you like?\n\n(What I asked before has lapsed")
    assert "lapsed" not in (await run(graph, "and now?", thread_id="t")).answer


async def test_words_give_nobody_elses_approval(till: Till) -> None:
    till.by_asker = False
    graph = graph_of(till)
    await asked(graph)

    with pytest.raises(AwaitingApproval, match="somebody else's approval"):
        await resume(graph, "t", reply="yes")
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
    await asked(graph)

    again = await resume(graph, "t", reply={"decision": "edit", "args": args})

    assert again.outcome == "awaiting_approval"
    assert problem in again.answer
    assert (await resume(graph, "t", reply="yes")).answer == "paid 4, receipt 1"


@pytest.mark.parametrize("reply", ["maybe", {"decision": "perhaps"}, {"decision": "approve", "note": "x"}, 7, "{}"])
async def test_a_reply_in_no_form_is_refused_and_the_request_still_waits(till: Till, reply: Any) -> None:
    graph = graph_of(till)
    await asked(graph)

    with pytest.raises(BadReply, match="expected yes, no, or JSON"):
        await resume(graph, "t", reply=reply)

    assert (await resume(graph, "t", reply="yes")).answer == "paid 4, receipt 1"


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

    with pytest.raises(AwaitingApproval, match="waits for somebody's approval of pay"):
        await run(graph, "yes", thread_id="t")
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
    till.after_pay = lambda: asyncio.sleep(5)
    graph = graph_of(till)
    await asked(graph)

    ended = await resume(graph, "t", reply="yes")

    assert (ended.outcome, ended.answer) == ("answered", "paid 4, receipt 1")


async def test_a_write_that_timed_out_and_is_not_found_is_told_as_unknown_and_not_sent_again(till: Till) -> None:
    till.on_pay = lambda: asyncio.sleep(5)
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
