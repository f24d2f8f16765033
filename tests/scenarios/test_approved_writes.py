"""What becomes of a write behind the question: refused, cut short, given made-up arguments, run by the bare graph."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langgraph.types import Command
from runs import compiled, human
from skipping import jump
from till import ASK, QUESTION, Receipt, Talk, Till, paying
from warehouse import Outlasts

from wavegraph import Checks, Script, resume, run
from wavegraph.app.storage.open import open_storage
from wavegraph.testing import ScriptedPlanner, call, planning, ref


def test_what_cannot_be_had_is_not_asked_about(till: Till, talk: Talk) -> None:
    del till.prices["tea"]

    ended = talk.say(ASK)

    assert ended.answer == "not paid: no tea left"
    assert ended.results["pay"]["error"]["code"] == "sold_out"


def test_what_was_kept_for_a_yes_that_came_too_late_is_given_back(till: Till, talk: Talk) -> None:
    talk.ask()
    assert till.held
    del till.prices["tea"]

    ended = talk.reply("yes")

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


def test_a_plain_yes_that_plans_the_same_again_runs_it_once(till: Till, talk: Talk) -> None:
    paused = talk.give(human(ASK))
    assert "__interrupt__" in paused

    ended = talk.give(human("yes"))
    again = talk.give(human("yes"))

    assert ended["answer"] == again["answer"] == "paid 4, receipt 1"
    assert len(till.paid) == 1
    assert till.ran().count("pay:tea") == 1


def test_a_plain_yes_to_a_price_that_moved_is_asked_again(till: Till, talk: Talk) -> None:
    talk.give(human(ASK))
    till.prices["tea"] = 5

    again = talk.give(human("yes"))

    assert again["__interrupt__"][0].value["terms"]["price"] == 5
    assert till.paid == []


def test_a_plain_yes_to_somebody_elses_question_is_asked_again(till: Till, talk: Talk) -> None:
    till.by_asker = False
    talk.give(human(ASK))

    again = talk.give(human("yes"))

    assert "__interrupt__" in again
    assert till.paid == []


def test_a_plain_no_as_a_new_message_gives_back_what_was_held(till: Till, talk: Talk) -> None:
    talk.give(human(ASK))
    assert till.held

    talk.give(human("No, thank you."))

    assert till.held == {}
    assert till.paid == []


def test_an_interrupt_is_answered_through_the_graph_itself(talk: Talk) -> None:
    talk.give(human(ASK))

    ended = talk.give(Command(resume={"decision": "approve"}))

    assert ended["answer"] == "paid 4, receipt 1"


def test_the_sync_way_asks_and_goes_on_too(talk: Talk) -> None:
    paused = talk.give(human(ASK))
    assert paused["__interrupt__"][0].value["terms"] == {"item": "tea", "price": 4}

    assert talk.give(Command(resume={"decision": "approve"}))["answer"] == "paid 4, receipt 1"


async def test_another_process_can_answer(till: Till, tmp_path: Path) -> None:
    for reply, answer in ((None, QUESTION), ("yes", "paid 4, receipt 1")):
        async with open_storage(str(tmp_path / "till.db")) as storage:
            graph = compiled(till.domain(), checkpointer=storage.checkpointer, store=storage.store)
            ended = await (resume(graph, "t", reply=reply) if reply else run(graph, ASK, thread_id="t"))
            assert ended.answer == answer


# What happened to a write that was cut short.


def test_a_write_that_timed_out_is_looked_up_before_anything_is_said(till: Till) -> None:
    async def late() -> None:
        till.paid.append(Receipt(item="tea", price=4, who="Dana", number=1))
        jump()
        await asyncio.Event().wait()

    till.on("pay", "tea", late)
    talk = Talk(till)
    talk.ask()

    ended = talk.reply("yes")

    assert (ended.outcome, ended.answer) == ("answered", "paid 4, receipt 1")


def test_a_write_that_timed_out_and_is_not_found_is_told_as_unknown_and_not_sent_again(till: Till) -> None:
    till.on("pay", "tea", Outlasts())
    talk = Talk(till)
    talk.ask()

    ended = talk.reply("yes")

    assert ended.outcome != "answered"
    assert "may or may not have happened" in ended.answer
    assert till.ran().count("pay:tea") == 1


def test_a_look_up_that_fails_keeps_the_write_from_being_sent(till: Till) -> None:
    async def down(args: Any, settings: Any) -> None:
        raise OSError("secret address")

    till.look_up = down  # type: ignore[method-assign]
    ended = Talk(till).say(ASK)

    assert ended.answer == "not paid: pay failed with OSError"
    assert till.ran() == []


# Arguments that a planner made up.


def test_a_write_takes_no_argument_that_nobody_gave(till: Till) -> None:
    script = ScriptedPlanner(paying(who="Mallory"), paying(item="tea", who="Mallory"))

    ended = Talk(till, planner=script).say("what does tea cost?")

    rules = [issue["rule"] for issue in ended.issues]
    assert rules == ["untraced_argument"] * 2
    assert till.paid == []
    assert till.held == {}


def test_a_persons_argument_may_not_come_from_a_result(till: Till) -> None:
    looked = planning(call("look", "look", item="tea"), call("pay", "pay", item="tea", who=ref("look", "item")))
    ended = Talk(till, planner=ScriptedPlanner(looked, looked)).say("hello")

    assert [issue["tool_id"] for issue in ended.issues if issue["rule"] == "untraced_argument"].count("pay") >= 2
    assert till.paid == []


def test_arguments_that_were_given_pass_however_they_are_spaced(till: Till) -> None:
    found = planning(call("look", "look", item="tea"), status="continue")
    talk = Talk(till, planner=ScriptedPlanner(found, paying(who="da-na ")))

    assert talk.say("one tea for DANA please").outcome == "awaiting_approval"


def _raises(*_: Any) -> Any:
    raise KeyError("secret")


@pytest.mark.parametrize("broken", ["checks", "script", "report"])
def test_nothing_of_the_domain_that_fails_behind_a_write_takes_its_news(till: Till, broken: str) -> None:
    found: Any = [{"type": "odd", "tool_id": "pay", "message": "odd", "severity": "warning", "rule": "odd"}]
    checks: Any = {"pay": [_raises if broken == "checks" else lambda result, call: found]}
    rest: Any = {"script": Script(workarounds=_raises)} if broken == "script" else {}
    talk = Talk(till.domain(checks=Checks(checks, report=_raises if broken == "report" else None), **rest))
    talk.ask()

    ended = talk.say("yes")

    assert (ended.outcome, ended.answer) == ("partial", "paid 4, receipt 1")
    (issue,) = ended.issues
    assert issue["type"] == ("unchecked" if broken == "checks" else "odd")
    assert "secret" not in str(ended)
    assert len(till.paid) == 1
