"""The examples of agents in other people's graphs: answers, questions, events and stops come through."""

import asyncio
import json
import runpy
import warnings
from pathlib import Path
from typing import Any

import pytest
from endpoint import Endpoint, answers, plans
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from plans import call, plan
from tables import table

from wavegraph import CancelHandle, create_agent, read, run

ON_T: Any = {"configurable": {"thread_id": "t"}}
EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ["agent_as_node", "agent_as_subgraph", "agent_as_tool", "agents_handing_over", "agents_under_supervisor"]
FIND = plans(plan(call("f", "find_flights", city="Rome")))
BOOK = plans(plan(call("b", "book_flight", flight="AZ1")))


def example(name: str) -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


def said(text: str) -> dict[str, Any]:
    return {"messages": [("user", text)]}


@table("name", NAMES)
def test_they_are_short(name: str) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) < 50


async def test_a_node_calls_it(endpoint: Endpoint) -> None:
    graph = example("agent_as_node")["build"]("openai:scripted")
    endpoint.plays(FIND, answers("At 09:10 or 17:45."))
    ended = await graph.ainvoke(said("When can I fly to Rome?"))

    assert (ended["answer"], ended["outcome"]) == ("At 09:10 or 17:45.", "answered")
    assert [message.text for message in ended["messages"]] == ["When can I fly to Rome?", "At 09:10 or 17:45."]


def test_a_subgraph_asks_through_its_parent(endpoint: Endpoint) -> None:
    shown = example("agent_as_subgraph")
    graph = shown["build"]("openai:scripted")
    endpoint.plays(BOOK)
    parts = list(graph.stream(said("Book AZ1"), ON_T, stream_mode=["custom", "values"], subgraphs=True))

    assert {part["event"] for path, mode, part in parts if mode == "custom"} >= {"plan_created", "approval_asked"}
    assert graph.get_state(ON_T).interrupts[0].value["summary"] == "Fly AZ1"
    assert shown["BOOKED"] == []
    endpoint.plays(answers("It is booked."))
    ended = graph.invoke(Command(resume="yes"), ON_T)
    assert (shown["BOOKED"], ended["messages"][-1].text) == (["AZ1"], "It is booked.")


@pytest.mark.parametrize("remembers", [False, True])
def test_a_subgraph_may_have_a_memory_of_its_own(remembers: bool, endpoint: Endpoint) -> None:
    graph = example("agent_as_subgraph")["build"]("openai:scripted", remembers)
    endpoint.plays(FIND, answers("AZ1 and LH2."))
    graph.invoke(said("Flights to Rome?"), ON_T)
    endpoint.plays(plans(plan(reply="You are welcome.")))
    ended = graph.invoke(said("Thanks"), ON_T)

    before = endpoint.of("plan")[1].block("previous_request")
    assert (before or {}).get("text") == ("Flights to Rome?" if remembers else None)
    assert [message.text for message in ended["messages"]][-2:] == ["Thanks", "You are welcome."]


def as_tool(endpoint: Endpoint) -> dict[str, Any]:
    shown = example("agent_as_tool")
    endpoint.plays(plans(plan(call("t", "trips", request="Book AZ1"))), BOOK)
    return {**shown, "graph": shown["build"]("openai:scripted")}


NOT_AGREED = "\n\nNot done, since it was not agreed to: book flight (flight: AZ1)."


@pytest.mark.parametrize(("reply", "booked", "adds"), [("yes", ["AZ1"], ""), ("no", [], NOT_AGREED)])
def test_a_tool_asks_through_the_agent_that_calls_it(
    reply: str, booked: list[str], adds: str, endpoint: Endpoint
) -> None:
    shown = as_tool(endpoint)
    asked = shown["graph"].invoke(said("Book me a flight"), ON_T)

    assert asked["__interrupt__"][0].value["summary"] == "Fly AZ1"
    endpoint.plays(answers("As you wish."), answers("That is settled."))
    ended = shown["graph"].invoke(Command(resume=reply), ON_T)
    assert (shown["BOOKED"], ended["results"]["t"]["data"], ended["answer"]) == (
        booked,
        f"As you wish.{adds}",
        "That is settled.",
    )


def test_a_tool_tells_what_happens_inside(endpoint: Endpoint) -> None:
    shown = as_tool(endpoint)
    parts = list(shown["graph"].stream(said("Book me a flight"), ON_T, stream_mode="custom", subgraphs=True))
    inner = [part["event"] for path, part in parts if path]

    assert {"plan_created", "approval_asked"} <= set(inner)


def test_the_effect_of_an_agent_is_that_of_its_tools() -> None:
    model = ChatOpenAI(model="m", api_key="k")

    def found(city: str) -> str:
        """Find."""
        return city

    effects = [
        create_agent(model, tools).as_tool().metadata for tools in ([read(found)], [read(found), example_write], [])
    ]
    assert effects == [{"effect": "read"}, {"effect": "write"}, {"effect": "read"}]


def example_write(city: str) -> str:
    """Change something."""
    return city


async def test_a_stop_reaches_the_agent_inside(endpoint: Endpoint) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def linger(city: str) -> str:
        """Take long."""
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return city

    inner = create_agent("openai:scripted", [read(linger)], name="inner")
    outer = create_agent("openai:scripted", [inner.as_tool()], checkpointer=InMemorySaver(), name="outer")
    endpoint.plays(plans(plan(call("t", "inner", request="Rome"))), plans(plan(call("l", "linger", city="Rome"))))
    handle = CancelHandle()
    work = asyncio.ensure_future(run(outer, "Go", thread_id="t", cancel=handle))
    await began.wait()
    handle.cancel()

    assert ((await work).outcome, ended.is_set()) == ("cancelled", True)


def test_a_supervisor_hands_over(endpoint: Endpoint) -> None:
    shown = example("agents_under_supervisor")
    graph = shown["build"](ChatOpenAI(model="scripted"))
    endpoint.plays(answers("accounts"), plans(plan(call("p", "pay_invoice", number="R-7"))))
    asked = graph.invoke(said("Pay invoice R-7"), ON_T)

    assert (asked["__interrupt__"][0].value["summary"], shown["PAID"]) == ("Pay R-7", [])
    endpoint.plays(answers("R-7 is paid."))
    ended = graph.invoke(Command(resume="yes"), ON_T)
    assert (shown["PAID"], ended["messages"][-1].text) == (["R-7"], "R-7 is paid.")

    endpoint.plays(answers("trips"), FIND, answers("AZ1 and LH2."))
    assert graph.invoke(said("Flights to Rome?"), ON_T)["messages"][-1].text == "AZ1 and LH2."


def test_agents_hand_over_to_each_other(endpoint: Endpoint) -> None:
    graph = example("agents_handing_over")["build"](ChatOpenAI(model="scripted"))
    endpoint.plays(plans(plan(call("t", "to_trips"))), FIND, answers("AZ1 and LH2."))
    ended = graph.invoke(said("Flights to Rome?"), ON_T)
    told = [message.text for message in ended["messages"]]
    assert ("trips goes on" in told, told[-1], ended["agent"]) == (True, "AZ1 and LH2.", "trips")

    endpoint.plays(plans(plan(reply="You are welcome.")))
    again = graph.invoke(said("Thanks"), ON_T)
    assert (again["messages"][-1].text, "You greet people" in endpoint.of("plan")[-1].system) == (
        "You are welcome.",
        False,
    )


def test_under_langgraphs_own_supervisor(endpoint: Endpoint) -> None:
    supervisor = pytest.importorskip("langgraph_supervisor")
    paid: list[str] = []

    def pay_invoice(number: str) -> str:
        """Pay an invoice."""
        paid.append(number)
        return f"{number} is paid"

    model = ChatOpenAI(model="scripted")
    accounts = create_agent(model, [pay_invoice], approve={"pay_invoice": "Pay {number}"}, name="accounts")
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        graph = supervisor.create_supervisor([accounts], model=model).compile(checkpointer=InMemorySaver())
    endpoint.plays(hands_to("accounts"), plans(plan(call("p", "pay_invoice", number="R-7"))))
    asked = graph.invoke(said("Pay invoice R-7"), ON_T)
    assert asked["__interrupt__"][0].value["summary"] == "Pay R-7"
    endpoint.plays(answers("R-7 is paid."), answers("All done."))
    ended = graph.invoke(Command(resume="yes"), ON_T)
    assert (paid, ended["messages"][-1].text) == (["R-7"], "All done.")


def hands_to(agent: str) -> Any:
    called = {"id": "c", "type": "function", "function": {"name": f"transfer_to_{agent}", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [called]}
    whole = {"id": "x", "object": "chat.completion", "created": 1, "model": "scripted",
             "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}  # fmt: skip
    return answers(None, body=json.dumps(whole))
