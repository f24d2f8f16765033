"""An approval question does not stand before the reads of its request have run."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from till import Talk, Till

from wavegraph import create_agent, read
from wavegraph.graph.ledger import results
from wavegraph.testing import ScriptedModel, ScriptedPlanner, call, planning, ref

LOOK, CAKE = call("look", "look", item="tea"), call("cake", "look", item="cake")
PAY = call("pay", "pay", item=ref("look", "item"), who="Dana")
AFTER_IT = call("after", "look", item=ref("pay", "item"))


def talk_of(till: Till, *calls: Any) -> Talk:
    return Talk(till.domain(), planner=ScriptedPlanner(planning(*calls, action="pay")))


def waves(talk: Talk) -> dict[str, int]:
    """Of the calls that have run: the wave each ended in."""
    return {name: each["wave"] for name, each in results(talk.state.values["ledger"]).items()}


@pytest.mark.parametrize("calls", [(LOOK, PAY, CAKE), (LOOK, CAKE, PAY)], ids=["behind it", "before it"])
def test_the_reads_have_run_when_the_question_stands(calls: Any, till: Till) -> None:
    talk = talk_of(till, *calls)
    talk.ask()
    assert waves(talk) == {"look": 1, "cake": 1}
    assert till.paid == []


def test_a_chain_of_reads_behind_it_has_run_whole(till: Till) -> None:
    again = call("again", "look", item=ref("cake", "item"))
    talk = talk_of(till, LOOK, PAY, CAKE, again)
    talk.ask()
    assert set(waves(talk)) == {"look", "cake", "again"}


def test_what_needs_the_write_runs_after_the_yes(till: Till) -> None:
    talk = talk_of(till, LOOK, PAY, AFTER_IT)
    asked = talk.ask()
    assert set(waves(talk)) == {"look"}
    talk.agree(asked)
    assert waves(talk)["after"] > waves(talk)["pay"]


def test_what_was_read_for_the_question_is_not_read_again_after_the_yes(till: Till) -> None:
    talk = talk_of(till, LOOK, PAY, CAKE)
    asked = talk.ask()
    before = results(talk.state.values["ledger"])["cake"]["data"]["price"]
    till.prices["cake"] = 7
    talk.agree(asked)
    found = results(talk.state.values["ledger"])
    assert (found["cake"]["data"]["price"], found["cake"]["runs"], found["look"]["runs"]) == (before, 1, 1)


def test_it_is_not_read_again_after_a_no(till: Till) -> None:
    talk = talk_of(till, LOOK, PAY, CAKE)
    talk.ask()
    talk.say("no")
    assert results(talk.state.values["ledger"])["cake"]["runs"] == 1


def test_a_thread_that_an_earlier_version_stored_asks_as_it_did(till: Till, tmp_path: Path) -> None:
    """Its calls do not say that a person is asked about them."""
    talk = talk_of(till, LOOK, PAY, CAKE)
    asked = talk.ask()
    state = talk.state.values
    old = [{name: part for name, part in each.items() if name != "asks"} for each in state["plan"]["tools"]]
    calls = {each["id"]: each for each in old}
    talk.graph.update_state(
        {"configurable": {"thread_id": "t"}},
        {"plan": {**state["plan"], "tools": old}, "ledger": {**state["ledger"], "calls": calls}},
    )
    assert talk.agree(asked).answer == "paid 4, receipt 1"


def test_an_agents_write_waits_for_its_reads() -> None:
    seen: list[str] = []

    def weather(city: str) -> str:
        """The weather in a city."""
        seen.append(city)
        return f"sunny in {city}"

    def book(city: str) -> str:
        """Book a trip."""
        seen.append(f"booked {city}")
        return "booked"

    made = planning(call("book", "book", city="Rome"), call("weather", "weather", city="Rome"))
    agent = create_agent(
        ScriptedModel(made, "Booked."), [read(weather), book], approve={"book": True}, checkpointer=InMemorySaver()
    )
    config: Any = {"configurable": {"thread_id": "1"}}
    asked = agent.invoke({"messages": [("user", "Book Rome; how is it there?")]}, config)
    assert asked["outcome"] == "awaiting_approval" or asked["__interrupt__"]
    assert seen == ["Rome"]
