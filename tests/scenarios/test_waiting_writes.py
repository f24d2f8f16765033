"""A write that waits for a person beside other requests, other writes and other settings."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.tools import tool
from langgraph.types import Command
from runs import human, on_thread
from till import ASK, QUESTION, Talk, Till, paying_after_look, plan, question_of
from warehouse import Clerk

from wavegraph import CancelHandle, Result, SettingsError, resume
from wavegraph.graph.approval import Approval
from wavegraph.graph.dialogue.messages import now_ms
from wavegraph.graph.domain_tool import write
from wavegraph.graph.request.records import records_of
from wavegraph.testing import ScriptedPlanner, call, planning, ref

SLOW = planning(call("slow", "look", item="cake"))


def question_in(result: Result) -> Any:
    """The question that waits beside a request."""
    assert result.question is not None
    return result.question


def not_shown(question: Any) -> dict[str, Any]:
    """A question that the last answer is not followed by: a yes to it names its terms."""
    yes = f"yes {question['terms_hash'][:6]}"
    text = question["text"].replace("(yes / no)", f"({yes} / no)")
    (action,) = question["action_requests"]
    requests = [{**action, "description": text}]
    return {**question, "shown": False, "agree_with": yes, "text": text, "action_requests": requests}


def test_other_words_than_yes_or_no_are_a_new_request_and_the_question_waits_on(till: Till, talk: Talk) -> None:
    first = talk.ask()

    other = talk.say("yes but is the cake fresh")

    assert (other.outcome, other.can_resume) == ("clarify", True)
    assert question_in(other) == not_shown(first)
    assert till.held == {"tea": 1}
    ended = talk.agree(first)
    assert (ended.outcome, ended.answer, ended.question) == ("answered", "paid 4, receipt 1", None)
    assert len(till.paid) == 1


def test_after_an_offer_in_its_place_a_yes_names_what_it_is_to(till: Till) -> None:
    """The tea waits; after an answer about the cake "yes" and "pay it" may mean either."""
    answers = planning(call("look", "look", item="cake"))
    unclear = planning(reply="What would you like?", action="clarify")
    asks = {"yes": ["pay it"], "rivals": ["look"]}
    talk = Talk(till.domain(asks), planner=ScriptedPlanner(paying_after_look(), answers, unclear, unclear))
    tea = talk.ask()
    talk.say("what is the cake?")

    for words in ("yes", "pay it", "yes"):
        said = talk.say(words)
        assert (said.outcome, till.paid) == ("awaiting_approval", [])
    assert talk.say(f"yes {tea['terms_hash'][:6]}").answer == "paid 4, receipt 1"


def test_a_message_without_words_leaves_the_question_as_it_is(till: Till, talk: Talk) -> None:
    talk.ask()

    again = talk.say(" ")

    assert again.outcome == "awaiting_approval"
    assert question_in(again)["agree_with"] == "yes"
    assert talk.say("yes").answer == "paid 4, receipt 1"


def test_a_yes_that_was_sent_before_the_terms_were_shown_names_them(till: Till, talk: Talk) -> None:
    """Two commands at once: the yes waited until the tea's question was out, and knew nothing of it."""
    sent = now_ms()
    tea = talk.ask()

    early = talk.say("yes", sent_at_ms=sent - 1)

    assert early.answer.startswith("To confirm that you agree to exactly these terms")
    assert till.paid == []
    assert talk.say(f"yes {tea['terms_hash'][:6]}").answer == "paid 4, receipt 1"


def test_a_reply_that_was_sent_before_the_terms_were_shown_names_them(till: Till, talk: Talk) -> None:
    sent = now_ms()
    talk.ask()

    early = asyncio.run(resume(talk.graph, "t", reply="yes", sent_at_ms=sent - 1))

    assert early.answer.startswith("To confirm that you agree to exactly these terms")
    assert till.paid == []


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


FRESH = planning(reply="It is from today. Will you want milk?", action="answer")
BACK = planning(reply="Which cake?", action="clarify")


def asking(till: Till, *plans: Any, **given: Any) -> Talk:
    """A talk in which the tea is asked about first, then the plans are made."""
    return Talk(till, planner=ScriptedPlanner(paying_after_look(), *plans), **given)


TOLD = planning(call("look", "look", item="cake"), action="look")


def test_every_answer_ends_with_the_question_again_as_a_message_of_its_own(till: Till) -> None:
    talk = asking(till, TOLD, TOLD)
    talk.ask()

    asides = [talk.say("is the cake dear?"), talk.say("and now?")]

    for aside in asides:
        assert (aside.outcome, aside.answer) == ("answered", "done")
        assert question_in(aside)["text"] == QUESTION
    assert talk.said[2:] == [
        ("human", "is the cake dear?"), ("ai", "done"), ("ai", QUESTION),
        ("human", "and now?"), ("ai", "done"), ("ai", QUESTION),
    ]  # fmt: skip
    ids = [message.id for message in talk.state.values["messages"] if message.text == QUESTION]
    assert len(set(ids)) == 3
    record = talk.graph.store.search(records_of("t"), query=None)
    assert all(QUESTION not in item.value["answer"] for item in record)
    assert talk.say("yes").answer == "paid 4, receipt 1"


@pytest.mark.parametrize("words", ["ok", "sure", "alright", "סבבה", "בסדר", "yes"])
def test_after_another_answer_a_plain_yes_is_to_the_question_that_it_ends_with(till: Till, words: str) -> None:
    talk = asking(till, TOLD)
    talk.ask()
    talk.say("is the cake dear?")

    assert talk.say(words).answer == "paid 4, receipt 1"


@pytest.mark.parametrize("words", ["ok thanks", "thanks", "great!", "סבבה תודה", "תודה", "yes please " * 20])
def test_thanks_and_long_words_agree_to_nothing_and_the_question_is_put_again(till: Till, words: str) -> None:
    talk = asking(till, TOLD, BACK)
    talk.ask()
    talk.say("is the cake dear?")

    again = talk.say(words)

    assert till.paid == []
    if len(words) < 200:
        assert talk.said[-1] == ("ai", again.answer)
        assert again.outcome == "awaiting_approval"
        assert again.answer.removeprefix("Nothing is done yet: I need a plain “yes”.\n\n") == QUESTION
        assert talk.say("yes").answer == "paid 4, receipt 1"


def test_an_answer_before_the_question_asks_nothing_itself(till: Till) -> None:
    written = "The cake is dear. Will you have one?\n- Do you know it?\n- It has nuts."
    offline = Clerk(plan, lambda view: written)
    talk = Talk(till.domain(offline=offline), planner=ScriptedPlanner(paying_after_look(), TOLD))
    talk.ask()

    assert talk.say("is the cake dear?").answer == "The cake is dear.\n- It has nuts."
    assert talk.said[-1] == ("ai", QUESTION)


@pytest.mark.parametrize("made", [FRESH, BACK], ids=["a reply that asks", "a question back"])
@pytest.mark.parametrize("way", ["input", "resume"])
def test_an_answer_that_must_ask_is_not_followed_by_the_question_and_a_yes_agrees_to_nothing(
    till: Till, made: Any, way: str
) -> None:
    talk = asking(till, made, BACK)
    talk.ask()

    back = talk.say("is it fresh?")
    assert back.answer == made["reply"]
    assert talk.said[-1] == ("ai", made["reply"])
    assert question_in(back)["agree_with"].startswith("yes ")

    again = talk.say("yes") if way == "input" else talk.reply("yes")
    assert (again.outcome, again.answer, till.paid) == ("awaiting_approval", QUESTION, [])
    assert talk.said[-1] == ("ai", QUESTION)
    assert talk.say("yes").answer == "paid 4, receipt 1"


def test_a_yes_to_what_the_last_answer_asked_is_its_answer(till: Till) -> None:
    talk = asking(till, FRESH, TOLD)
    talk.ask()
    talk.say("is it fresh?")

    told = talk.say("yes")

    assert (told.outcome, told.tools, till.paid) == ("answered", ["look"], [])
    assert talk.said[-1] == ("ai", QUESTION)


def test_a_code_of_other_terms_has_the_question_put_again(till: Till) -> None:
    talk = asking(till)
    talk.ask()

    again = talk.say("yes 000000")

    assert again.answer == f"That answered different terms. These are the terms now.\n\n{QUESTION}"
    assert talk.said[-1] == ("ai", again.answer)
    assert till.paid == []
    assert talk.say("yes").answer == "paid 4, receipt 1"


LONG = "tea for 4 coins\n" + "with milk, " * 40


def test_long_terms_are_agreed_to_by_their_code_alone(till: Till) -> None:
    domain = till.domain(asking={"restate": lambda details, language: LONG})
    talk = Talk(domain, planner=ScriptedPlanner(paying_after_look(), TOLD))
    question = talk.ask()
    assert question["text"].startswith(LONG)

    told = talk.say("is the cake dear?")
    closing = f"Shall I go ahead? ({question['agree_with']} / no)"
    assert question_in(told)["text"] == f"tea for 4 coins\n\n{closing}"
    for words in ("yes", "sure", {"messages": [("user", "yes")]}):
        again = talk.reply(words)
        assert again.answer.startswith("To confirm that you agree to exactly these terms")
        assert till.paid == []
    assert talk.say(question["agree_with"]).answer == "paid 4, receipt 1"


def test_after_the_yes_the_rest_of_the_plan_runs(till: Till) -> None:
    till.fixed = False
    pay, look = call("pay", "pay", item="tea", who="Dana"), call("after", "look", item=ref("pay", "item"))
    talk = Talk(till, planner=ScriptedPlanner(planning(pay, look, action="pay"), TOLD))
    talk.ask()
    talk.say("is the cake dear?")

    ended = talk.say("yes")

    assert (ended.outcome, ended.tools) == ("answered", ["pay", "look"])


@pytest.mark.parametrize("goto", ["__end__", ["__end__"]], ids=str)
@pytest.mark.parametrize("is_aside", [False, True])
@pytest.mark.parametrize("by_asker", [True, False])
def test_a_thread_marked_as_resolved_is_a_withdrawal_that_is_told_and_no_later_yes_finds(
    till: Till, goto: Any, is_aside: bool, by_asker: bool
) -> None:
    till.by_asker = by_asker
    talk = asking(till, *([TOLD] if is_aside else []), BACK)
    talk.ask()
    if is_aside:
        talk.say("is the cake dear?")

    ended = talk.give(Command(goto=goto))

    told = "not paid: it was not agreed to: withdrawn by the person who asked"
    assert (ended["answer"], talk.state.next, talk.state.interrupts) == (told, (), ())
    assert talk.said[-1] == ("ai", told)
    assert (till.paid, till.held) == ([], {})
    assert talk.say("yes").question is None
    assert till.paid == []


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
    assert talk.said.count(("ai", question["text"])) == 1
    assert "somebody else" in aside.answer.casefold() or "מישהו אחר" in aside.answer


@pytest.mark.parametrize("way", ["input", "resume"])
def test_who_asked_withdraws_what_somebody_else_is_asked_about(till: Till, talk: Talk, way: str) -> None:
    till.by_asker = False
    talk.ask()

    ended = talk.say("no") if way == "input" else talk.reply("no")

    assert ended.answer == "not paid: it was not agreed to: withdrawn by the person who asked"
    assert (ended.question, till.held) == (None, {})


def test_a_yes_after_a_request_that_asked_back_may_name_what_it_is_to(till: Till, talk: Talk) -> None:
    question = talk.ask()
    talk.say("hello")  # What would you like?

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
        assert talk.said[-2:] == [("human", words), ("ai", ended["answer"])]  # no question between


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


@pytest.mark.parametrize("turns", range(0, 40, 3))
def test_an_aside_that_is_stopped_at_its_end_leaves_the_question(turns: int, till: Till) -> None:
    """So many turns of the loop after its answer was checked: the write may be asked about again by then."""
    talk = asking(till, TOLD)
    question = talk.ask()
    handle = CancelHandle()

    def later(left: int) -> None:
        asyncio.get_running_loop().call_soon(later, left - 1) if left else handle.cancel()

    def stop(event: Any) -> None:
        if event["event"] == "answer_checked":
            later(turns)

    ended = talk.say("what is a cake?", cancel=handle, on_event=stop)

    assert ended.outcome == "answered"
    assert question_in(ended)["terms_hash"] == question["terms_hash"]
    assert talk.agree(question_in(ended)).answer == "paid 4, receipt 1"


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
    assert question_in(talk.say("hello, what now?")) == not_shown(question_in(second))


def test_a_stopped_aside_gives_way_to_an_answer_to_what_waits(till: Till) -> None:
    till.by_asker = False
    talk = Talk(till, planner=ScriptedPlanner(paying_after_look(), SLOW))
    talk.ask()
    stopped_at_a_tool(talk, "what is a cake?")

    ended = talk.reply({"decision": "approve"})

    assert (ended.outcome, ended.answer) == ("answered", "paid 4, receipt 1")


@pytest.mark.parametrize("sent", ["after it was shown", "before"])
def test_a_second_yes_is_to_another_deed_only_if_it_was_shown_before(till: Till, sent: str) -> None:
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

    assert talk.said[-1][1].count("(Still waiting for your yes or no: a refund for Dana)") == 1
    first = talk.give(human("yes"))

    assert first["answer"] == "paid 4, receipt 1"
    assert talk.said[-1] == ("ai", "a refund for Dana\n\nShall I go ahead? (yes / no)")
    sent_at = {} if sent == "before" else {"__request_start_time_ms__": 10**15}
    sent_at = {"__request_start_time_ms__": 1} if sent == "before" else sent_at
    again = talk.graph.invoke(human("yes", id="m9"), on_thread(configurable={"thread_id": "t", **sent_at}))

    assert refunded == (["Dana"] if sent != "before" else [])
    if sent == "before":
        (waits,) = again["__interrupt__"]
        assert waits.value["problem"].startswith("To confirm that you agree to exactly these terms")


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
