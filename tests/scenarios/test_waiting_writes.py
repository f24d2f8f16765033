"""A write that waits for a person beside other requests, other writes and other settings."""

from dataclasses import replace
from typing import Any

import pytest
from langchain_core.tools import tool
from langgraph.types import Command
from runs import human
from till import ASK, Talk, Till, paying_after_look, question_of

from wavegraph import CancelHandle, Result, SettingsError
from wavegraph.graph.approval import Approval
from wavegraph.graph.domain_tool import write
from wavegraph.testing import ScriptedPlanner, call, planning

SLOW = planning(call("slow", "look", item="cake"))


def test_other_words_than_yes_or_no_are_a_new_request_and_the_question_waits_on(till: Till, talk: Talk) -> None:
    first = talk.ask()

    other = talk.say("yes but is the cake fresh")

    assert (other.outcome, other.can_resume) == ("clarify", True)
    assert other.question == first
    assert till.held == {"tea": 1}
    ended = talk.agree(first)
    assert (ended.outcome, ended.answer, ended.question) == ("answered", "paid 4, receipt 1", None)
    assert len(till.paid) == 1


def test_a_yes_to_terms_that_were_not_shown_is_asked_again(till: Till, talk: Talk) -> None:
    """Two people on one thread: one has seen the tea, the other has asked for the cake meanwhile."""
    tea = talk.ask()
    talk.ask("pay cake for Dana")

    again = talk.agree(tea)

    assert again.outcome == "awaiting_approval"
    assert again.answer.startswith("That answered different terms. These are the terms now.\n\ncake")
    assert till.paid == []
    assert again.question
    talk.agree(again.question)
    assert [receipt.item for receipt in till.paid] == ["cake"]


def test_a_question_that_waits_on_is_told(talk: Talk) -> None:
    talk.ask()

    other = talk.say("is the cake fresh")

    assert other.answer == "What would you like?\n\n(Still waiting for your yes or no: tea for 4 coins)"


def test_another_write_of_the_same_kind_takes_the_place_of_the_one_that_waits(till: Till, talk: Talk) -> None:
    talk.ask()

    cake = talk.say("pay cake for Dana")

    assert cake.answer == (
        "cake for 9 coins\n\n(This takes the place of my earlier question; nothing was done then.)\n\n"
        "Shall I go ahead? (yes / no)"
    )
    assert till.held == {"cake": 1}
    ended = talk.say("yes")
    assert ended.question is None
    assert [receipt.item for receipt in till.paid] == ["cake"]


def test_the_same_write_asked_for_again_is_one_question(till: Till, talk: Talk) -> None:
    first = talk.ask()

    again = talk.say(ASK)

    assert question_of(again)["terms_hash"] == first["terms_hash"]
    assert "takes the place" not in again.answer
    ended = talk.say("yes")
    assert (ended.question, len(till.paid)) == (None, 1)


@pytest.mark.parametrize("words", ["yes", "go ahead", "כן"])
def test_words_give_nobody_elses_approval(till: Till, talk: Talk, words: str) -> None:
    till.by_asker = False
    question = talk.ask()

    aside = talk.reply(words)

    assert till.paid == []
    assert aside.question == question
    assert "somebody else" in aside.answer.casefold() or "מישהו אחר" in aside.answer


@pytest.mark.parametrize("way", ["input", "resume"])
def test_who_asked_withdraws_what_somebody_else_is_asked_about(till: Till, talk: Talk, way: str) -> None:
    till.by_asker = False
    talk.ask()

    ended = talk.say("no") if way == "input" else talk.reply("no")

    assert ended.answer == "not paid: it was not agreed to: withdrawn by the person who asked"
    assert (ended.question, till.held) == (None, {})


def test_a_yes_after_a_request_that_asked_back_names_what_it_is_to(till: Till, talk: Talk) -> None:
    question = talk.ask()
    talk.say("hello")  # What would you like?

    again = talk.say("yes")

    assert again.outcome == "awaiting_approval"
    assert till.paid == []
    ended = talk.say(f"yes {question['terms_hash'][:6]}")
    assert ended.answer == "paid 4, receipt 1"


def test_an_input_without_a_message_takes_no_question_away(till: Till, talk: Talk) -> None:
    paused = talk.give(human(ASK))

    for given in ({"messages": []}, {"messages": [("ai", "hello")]}, {"messages": [("system", "yes")]}):
        again = talk.give(given)
        assert again["__interrupt__"][0].value == paused["__interrupt__"][0].value
    assert till.held == {"tea": 1}


ASIDES = ["is the cake fresh", "hello", "and when do you close?"]


def test_three_asides_then_staff_approve_and_it_is_paid_once(till: Till, talk: Talk) -> None:
    till.by_asker = False
    first = talk.say(ASK)
    assert first.answer.endswith("you can keep asking in the meantime. Nothing is done until then.")

    for words in ASIDES:
        aside = talk.say(words)
        assert aside.outcome == "clarify"
        assert aside.answer.endswith("(Still waiting for approval, and not done until then: tea for 4 coins)")
        assert aside.question == first.question
        assert talk.state.next == ("approve",)
    assert till.held == {"tea": 1}
    assert till.ran().count("prepare:tea") == 1

    ended = talk.reply({"decisions": [{"type": "approve"}]})

    assert (ended.outcome, ended.answer, ended.tools) == ("answered", "paid 4, receipt 1", ["look", "pay"])
    assert len(till.paid) == 1
    texts = [text for _, text in talk.said]
    assert [text for text in texts if text.startswith("tea for 4 coins")] == [first.answer]
    assert texts[-1] == "paid 4, receipt 1"
    after = talk.say("hello")
    assert (after.answer, after.question) == ("What would you like?", None)


@pytest.mark.parametrize("way", ["resume words", "resume input", "resume A2A", "new input"])
@pytest.mark.parametrize(
    ("words", "paid"), [("yes", 1), ("No, thanks", 0), ("What time do you close?", None)], ids=["yes", "no", "aside"]
)
def test_words_reach_the_question_over_every_road(
    till: Till, talk: Talk, way: str, words: str, paid: int | None
) -> None:
    talk.give(human(ASK))
    message = {"role": "user", "content": words, "id": "client-1"}
    given: Any = {
        "resume words": Command(resume=words),
        "resume input": Command(resume={"messages": [message]}),
        "resume A2A": Command(resume={"messages": [{"type": "human", "content": words}]}),
        "new input": {"messages": [message]},
    }[way]

    ended = talk.give(given)

    state = talk.state
    spoken = [message for message in state.values["messages"] if message.type == "human" and message.text == words]
    assert len(spoken) == 1
    assert ("client-1" in [message.id for message in spoken]) is (way in ("resume input", "new input"))
    if paid is None:
        assert ended["outcome"] == "clarify"
        assert ended["__interrupt__"][0].value["call"] == "pay"
        assert state.next == ("approve",)
    else:
        assert (ended["outcome"], len(till.paid), state.next) == ("answered", paid, ())


def test_an_aside_that_is_stopped_leaves_the_question(till: Till) -> None:
    talk = Talk(till, planner=ScriptedPlanner(paying_after_look(), SLOW))
    question = talk.ask()

    stopped = stopped_at_a_tool(talk, "what is a cake?")

    assert stopped.outcome == "cancelled"
    assert stopped.question == question
    later: Any = talk.reply().question
    assert later["terms_hash"] == question["terms_hash"]
    assert talk.agree(question).answer == "paid 4, receipt 1"


def stopped_at_a_tool(talk: Talk, words: str) -> Result:
    handle = CancelHandle()

    def stop(event: Any) -> None:
        if event["event"] == "tool_started":
            handle.cancel()

    return talk.say(words, cancel=handle, on_event=stop)


def test_who_answers_is_not_chosen_by_the_settings_of_a_later_request(till: Till, talk: Talk) -> None:
    till.by_asker = lambda settings: settings.language != "he"
    staff = {"language": "he"}
    talk.say(ASK, settings=staff)

    aside: Any = talk.say("hello", settings={"language": "en"}).question

    assert not aside["by_asker"]
    assert talk.say("yes", settings=staff).question
    assert till.paid == []


def test_a_run_that_gives_no_settings_goes_on_with_those_of_the_request(talk: Talk) -> None:
    talk.say(ASK, settings={"language": "he"})
    talk.say("hello")

    ended = talk.reply({"decision": "approve"})

    state = talk.state.values
    assert ended.outcome == "answered"
    assert (state["settings"], state["request"]["language"]) == ({"language": "he"}, "he")


def test_without_a_reply_it_asks_the_same_again(talk: Talk) -> None:
    first = talk.say(ASK)

    again = talk.reply()

    assert (again.outcome, again.answer, again.question) == (first.outcome, first.answer, first.question)


def test_somebody_elses_approval_is_not_given_in_the_conversation(till: Till, talk: Talk) -> None:
    till.by_asker = False
    result = talk.say(ASK)
    question = question_of(result)
    assert result.answer.endswith("Nothing is done until then.")
    assert not question["by_asker"]

    assert talk.say("yes").question
    assert till.paid == []

    ended = talk.reply({"decision": "approve", "terms_hash": question["terms_hash"]})
    assert ended.answer == "paid 4, receipt 1"


def test_what_is_done_is_told_with_the_next_question(till: Till) -> None:
    tea, cake = (call(item, "pay", item=item, who="Dana") for item in ("tea", "cake"))
    till.fixed = False
    talk = Talk(
        till, planner=ScriptedPlanner(planning(tea, cake, action="pay"), planning(reply="hello", action="clarify"))
    )
    talk.ask("pay tea and cake for Dana")

    second = talk.say("yes")

    assert second.outcome == "awaiting_approval"
    assert second.answer.startswith("Done: pay (item: tea, price: 4, who: Dana, number: 1).\n\ncake for 9 coins")
    assert talk.say("hello, what now?").question == second.question


def test_a_stopped_aside_gives_way_to_an_answer_to_what_waits(till: Till) -> None:
    till.by_asker = False
    talk = Talk(till, planner=ScriptedPlanner(paying_after_look(), SLOW))
    talk.ask()
    stopped_at_a_tool(talk, "what is a cake?")

    ended = talk.reply({"decision": "approve"})

    assert (ended.outcome, ended.answer) == ("answered", "paid 4, receipt 1")


def test_a_second_yes_is_none_to_another_deed(till: Till) -> None:
    """Two writes of different tools wait; the older one comes back when the newer is done."""
    refunded: list[str] = []

    @tool
    async def refund(who: str) -> str:
        """Give the money back."""
        refunded.append(who)
        return "refunded"

    async def prepare(args: Any, settings: Any) -> Any:
        return {"details": {"who": args["who"]}, "valid_until": None}

    domain = till.domain()
    asks = Approval(prepare=prepare, restate=lambda details, language: f"a refund for {details['who']}")
    domain = replace(domain, tools=[*domain.tools, write(refund, approval=asks)])
    back = planning(call("refund", "refund", who="Dana"), action="refund")
    talk = Talk(domain, planner=ScriptedPlanner(back, paying_after_look()))
    talk.ask("refund Dana")
    talk.ask("pay tea for Dana")

    first = talk.say("yes")
    second = question_of(talk.say("yes"))

    assert first.answer.endswith("(Still waiting for your yes or no: a refund for Dana)")
    assert (len(till.paid), refunded) == (1, [])
    talk.agree(second)
    assert refunded == ["Dana"]


def test_a_request_beside_one_that_waits_goes_on_with_its_settings(till: Till, talk: Talk) -> None:
    till.by_asker = lambda settings: settings.language != "he"
    talk.say(ASK, settings={"language": "he"})

    aside = talk.say("hello")
    cake = question_of(talk.say("pay cake for Dana", settings={"language": "en"}))

    assert "עדיין ממתין" in aside.answer
    assert not cake["by_asker"]
    assert "cake" in cake["text"]


@pytest.mark.parametrize("words", ["yes", "hello"])
def test_a_thread_that_waits_for_a_tool_of_another_agent_says_so(till: Till, talk: Talk, words: str) -> None:
    talk.ask()
    whole = till.domain()
    other = Talk(replace(whole, tools=whole.tools[:1]))
    other.graph.checkpointer = talk.graph.checkpointer

    why = "belongs to another agent: this graph is for 'till', which has no tool 'pay'"
    with pytest.raises(SettingsError, match=why):
        other.say(words)
