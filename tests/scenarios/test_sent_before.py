"""A write that nothing can look up, planned again by a later request of its thread, is sent again only with a yes."""

import asyncio
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from patience import HANGS_S
from runs import compiled, human, on_thread
from till import Till
from warehouse import Clerk, Outlasts, Pause, Raw, Warehouse

from wavegraph import CancelHandle, Domain, PlanningResult, PlanningView, run
from wavegraph.graph.approval import Approval
from wavegraph.graph.domain_tool import write
from wavegraph.graph.errors import SettingsError, ToolRefusal
from wavegraph.graph.execution.write import KEEPS_NOTHING, history_text
from wavegraph.graph.state import MOST_SENT, merge_sent
from wavegraph.testing import Conversation, ScriptedModel, call, planning

MOVE = {"sku": "bolt", "units": 3}
ASKED = 'This would be done: move {"sku":"bolt","to":"dock","units":3}.'
DONE = "This was already done for this conversation on 2"
RESULT = 'with this result: {"sku":"bolt","ticket":"T-bolt","units":3}. It would be done once more.'


def moving(view: PlanningView) -> PlanningResult:
    """`move 3` moves bolts; `move 3, then count` counts too; anything else asks back."""
    words = view.request["text"].replace(",", "").split()
    if words[0] not in ("move", "להזיז"):
        return planning(action="clarify", reply="What shall I move?")
    more = [call("count", "count", sku="nut")] if "count" in words else []
    return planning(call("move", "move", sku="bolt", units=int(words[1])), *more, action="move")


def talk(house: Warehouse, **changes: Any) -> Conversation:
    return Conversation(house.domain(offline=Clerk(moving), **changes))


def test_the_first_time_nothing_is_asked_and_the_second_time_it_is() -> None:
    house = Warehouse()
    desk = talk(house)
    assert desk.say("move 3").outcome == "answered"

    asked = desk.say("move 3, then count")

    assert (asked.outcome, house.moves) == ("awaiting_approval", [("bolt", 3)])
    assert asked.question
    assert asked.question["by_asker"]
    for part in (ASKED, DONE, RESULT, "Shall I go ahead? (yes / no)"):
        assert part in asked.question["text"]
    assert asked.question["terms"]["done_before"]["happened"]


@pytest.mark.parametrize(("answer", "moves", "outcome"), [("yes", 2, "answered"), ("no", 1, "answered")])
def test_only_a_yes_sends_it_again(answer: str, moves: int, outcome: str) -> None:
    house = Warehouse()
    desk = talk(house)
    desk.say("move 3")
    desk.say("move 3")

    ended = desk.say(answer)

    assert (ended.outcome, house.moves) == (outcome, [("bolt", 3)] * moves)


def test_after_a_yes_the_next_time_is_asked_again_with_the_later_result() -> None:
    house = Warehouse()
    desk = talk(house)
    desk.say("move 3")
    first = desk.say("move 3").question
    desk.say("yes")

    second = desk.say("move 3").question

    assert first
    assert second
    assert second["terms"]["done_before"]["at"] > first["terms"]["done_before"]["at"]
    assert second["terms_hash"] != first["terms_hash"]


def test_other_requests_in_between_do_not_make_it_forgotten() -> None:
    house = Warehouse()
    desk = talk(house)
    for text in ("move 3", "hello", "move 4", "hello"):
        desk.say(text)

    assert desk.say("move 3").outcome == "awaiting_approval"
    assert house.moves == [("bolt", 3), ("bolt", 4)]


def test_another_write_is_not_asked_about() -> None:
    house = Warehouse()
    desk = talk(house)

    assert [desk.say(text).outcome for text in ("move 3", "move 4")] == ["answered", "answered"]
    assert house.moves == [("bolt", 3), ("bolt", 4)]


def test_another_thread_does_not_know_of_it() -> None:
    house = Warehouse()
    assert [talk(house).say("move 3").outcome for _ in range(2)] == ["answered", "answered"]


def test_an_edit_of_it_is_asked_about_too() -> None:
    house = Warehouse()
    desk = Conversation(house.domain(offline=Clerk(moving, lambda view: "moved")))
    desk.say("move 3")
    desk.say("move 3")

    again = desk.reply({"decision": "edit", "args": {"units": 5}})

    assert (again.outcome, house.moves) == ("awaiting_approval", [("bolt", 3)])
    assert again.question
    assert DONE not in again.question["text"]
    assert desk.reply({"decision": "approve", "terms_hash": again.question["terms_hash"]}).outcome == "answered"
    assert house.moves == [("bolt", 3), ("bolt", 5)]


def test_in_hebrew() -> None:
    house = Warehouse()
    desk = talk(house)
    desk.say("להזיז 3")

    asked = desk.say("להזיז 3 ברגים")

    assert asked.question
    assert "הדבר כבר בוצע בשיחה הזאת" in asked.question["text"]


UNSURE = {
    "it failed": RuntimeError("the lift is stuck"),
    "it took too long": Outlasts(),
}


@pytest.mark.parametrize("act", UNSURE.values(), ids=list(UNSURE))
def test_what_may_have_happened_is_asked_about(act: Any) -> None:
    house = Warehouse().on("move", "bolt", act)
    desk = Conversation(house.domain(offline=Clerk(moving)))
    desk.say("move 3")

    asked = desk.say("move 3")

    assert asked.question
    assert "and may have been done" in asked.question["text"]
    assert not asked.question["terms"]["done_before"]["happened"]
    assert len(house.ran("move")) == 1


def test_what_is_done_is_asked_about_as_done_though_its_result_is_nonsense() -> None:
    house = Warehouse().on("move", "bolt", Raw({"sku": 1}))
    desk = Conversation(house.domain(offline=Clerk(moving)))
    desk.say("move 3")

    asked = desk.say("move 3")

    assert asked.question
    assert "its result cannot be read" in asked.question["text"]
    assert asked.question["terms"]["done_before"]["happened"]
    assert len(house.ran("move")) == 1


async def test_an_amended_request_does_not_send_what_the_stopped_one_sent() -> None:
    """Stopped after the write, in the read that follows it."""
    house, cancel = Warehouse(), CancelHandle()
    house.on("count", "nut", Pause(HANGS_S))
    graph = compiled(house.domain(offline=Clerk(moving)), checkpointer=InMemorySaver())

    async def say(text: str, **more: Any) -> Any:
        return await run(graph, text, thread_id="t", **more)

    def stop_at_the_read(event: Any) -> None:
        if event["event"] == "wave_started" and event["calls"] == ["count"]:
            asyncio.get_running_loop().call_later(0.05, cancel.cancel)

    stopped = await say("move 3, then count", cancel=cancel, on_event=stop_at_the_read)
    amended = await say("move 3 only")

    assert (stopped.outcome, amended.outcome) == ("cancelled", "awaiting_approval")
    assert (house.moves, DONE in amended.question["text"]) == ([("bolt", 3)], True)
    assert (await say("yes")).outcome == "answered"
    assert house.moves == [("bolt", 3)] * 2


async def test_a_write_that_was_stopped_in_the_midst_is_asked_about() -> None:
    house, cancel = Warehouse(), CancelHandle()
    house.on("move", "bolt", Pause(HANGS_S))
    graph = compiled(house.domain(offline=Clerk(moving)), checkpointer=InMemorySaver())

    def stop_at_the_write(event: Any) -> None:
        if event["event"] == "tool_started":
            asyncio.get_running_loop().call_later(0.05, cancel.cancel)

    await run(graph, "move 3", thread_id="t", cancel=cancel, on_event=stop_at_the_write)
    amended = await run(graph, "move 3 to the dock", thread_id="t")

    assert amended.question
    assert "and may have been done" in amended.question["text"]
    assert house.moves == []


def test_a_write_that_was_refused_did_not_happen() -> None:
    house = Warehouse().on("move", "bolt", ToolRefusal("closed", "the dock is closed"))
    desk = talk(house)
    desk.say("move 3")

    assert (desk.say("move 3").outcome, house.moves) == ("answered", [("bolt", 3)])


def test_a_repeatable_write_is_sent_again_without_a_question() -> None:
    house = Warehouse()
    domain = house.domain(offline=Clerk(moving))
    tools = [write(each, repeatable=True) if getattr(each, "name", "") == "move" else each for each in domain.tools]
    desk = Conversation(Domain(name="warehouse", tools=tools, offline=Clerk(moving)))

    assert [desk.say("move 3").outcome for _ in range(2)] == ["answered", "answered"]
    assert house.moves == [("bolt", 3)] * 2


def test_one_that_can_be_looked_up_finds_itself() -> None:
    till = Till()
    desk = Conversation(till.domain())
    desk.say("pay tea for Dana")
    desk.say("yes")

    again = desk.say("pay tea for Dana")

    assert (again.outcome, len(till.paid)) == ("answered", 1)


def test_one_that_is_asked_about_anyway_says_that_it_was_done() -> None:
    house = Warehouse()

    async def prepare(args: Any, settings: Any) -> Any:
        return {"details": {"what": args["sku"]}, "valid_until": None}

    assert history_text({"done_before": "noon"}, "en") == ""
    approval = Approval(prepare=prepare, restate=lambda details, language: f"move {details['what']}")
    tools = [
        write(each, approval=approval) if getattr(each, "name", "") == "move" else each for each in house.domain().tools
    ]
    desk = Conversation(Domain(name="warehouse", tools=tools, offline=Clerk(moving)))
    first = desk.say("move 3").question
    desk.say("yes")

    again = desk.say("move 3").question

    assert first
    assert again
    assert [DONE in each["text"] for each in (first, again)] == [False, True]
    assert again["text"].startswith("move bolt\n\nThis was already done")


async def test_where_nobody_can_be_asked_it_is_refused_with_the_reason() -> None:
    house = Warehouse()
    graph = compiled(house.domain(offline=Clerk(moving)), checkpointer=InMemorySaver())
    await graph.ainvoke(human("move 3"), on_thread())

    config = {"configurable": {"thread_id": "t", KEEPS_NOTHING: True}}
    state = await graph.ainvoke(human("move 3 please"), config)

    assert house.moves == [("bolt", 3)]
    [issue] = state["issues"]
    assert "was already sent by an earlier request of this thread" in issue["message"]
    assert state["results"]["move"]["error"]["code"] == "approval_impossible"
    assert state["outcome"] == "failed"


def test_planners_see_what_was_sent() -> None:
    house, seen = Warehouse(), []

    def plan(view: PlanningView) -> PlanningResult:
        seen.append([(each["tool"], each["args"]["units"], each["happened"]) for each in view.sent_before])
        return moving(view)

    desk = Conversation(house.domain(offline=Clerk(plan)))
    for text in ("move 3", "move 4", "hello"):
        desk.say(text)

    assert seen == [[], [("move", 3, True)], [("move", 3, True), ("move", 4, True)]]


def test_a_model_sees_it_too() -> None:
    asked: list[str] = []

    def second(messages: Any, *rest: Any) -> Any:
        asked.append(str(messages[-1].content))
        return planning(action="clarify", reply="That is done already.")

    model = ScriptedModel(planning(call("move", "move", **MOVE), action="move"), "Moved 3: T-bolt.", second)
    desk = Conversation(Warehouse().domain(), model=model)
    desk.say("move 3 bolts")
    desk.say("and the same in the cellar")

    assert "<sent_before>" in asked[0]
    assert '"told":"{\\"sku\\":\\"bolt\\"' in asked[0]
    model.assert_complete()


def sent(key: str, at: str, request: str = "r") -> dict[str, Any]:
    return {key: {"request_id": request, "tool": "move", "args": {}, "at": at, "happened": True, "told": ""}}


def test_the_later_of_two_wins_in_any_order_and_the_latest_remain() -> None:
    one, other = sent("k", "2026-01-01"), sent("k", "2026-01-02")
    assert merge_sent(one, other) == merge_sent(other, one) == merge_sent(other, other) == other
    many: dict[str, Any] = {}
    for number in range(MOST_SENT + 10):
        many = merge_sent(many, sent(f"k{number:03}", f"2026-01-01T{number:05}"))
    assert list(many) == [f"k{number:03}" for number in range(10, MOST_SENT + 10)]


async def test_a_write_that_a_crash_cut_off_is_asked_about() -> None:
    """The error stands for a kill: the effect is there, and nothing is stored of it."""
    house = Warehouse()

    def move_and_die() -> None:
        house.moves.append(("bolt", 3))
        raise SettingsError("the process is gone")

    house.on("move", "bolt", move_and_die)
    graph = compiled(house.domain(offline=Clerk(moving)), checkpointer=InMemorySaver())
    with pytest.raises(SettingsError):
        await graph.ainvoke(human("move 3"), on_thread())

    amended = await run(graph, "move 3, then count", thread_id="t")

    assert (amended.outcome, house.moves) == ("awaiting_approval", [("bolt", 3)])
    assert amended.question
    assert "was cut off when this was about to be done, and it may have been done" in amended.question["text"]
    assert (await run(graph, "no", thread_id="t")).outcome == "answered"
    assert house.moves == [("bolt", 3)]


async def test_a_crash_before_the_write_leaves_nothing_to_ask_about() -> None:
    house = Warehouse().on("count", "nut", SettingsError("the process is gone"))

    def plan(view: PlanningView) -> PlanningResult:
        return planning(call("count", "count", sku="nut"), call("move", "move", sku="bolt", units=3), action="move")

    graph = compiled(house.domain(offline=Clerk(plan)), checkpointer=InMemorySaver())
    with pytest.raises(SettingsError):
        await graph.ainvoke(human("move 3"), on_thread())

    assert (await run(graph, "move 3 now", thread_id="t")).outcome == "answered"
    assert house.moves == [("bolt", 3)]
