"""What an agent of anybody's tools says stands in a result, in what was said before or in its instructions."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from wavegraph import create_agent, read
from wavegraph.testing import ScriptedModel, call, planning

BY_RULES: Any = {"answer_check": "rules"}
ON_T: Any = {"configurable": {"thread_id": "t"}}
FOUND = planning(call("c", "price", city="Rome"))


async def price(city: str) -> dict[str, Any]:
    """What a flight costs."""
    return {"euros": 80, "flights": [{"flight": "AZ1"}] * 12}


def agent(*replies: Any, **more: Any) -> Any:
    return create_agent(ScriptedModel(*replies), [read(price)], checkpointer=InMemorySaver(), **more)


def said(graph: Any, words: str, **context: Any) -> str:
    ended = graph.invoke({"messages": [("user", words)]}, ON_T, context={**BY_RULES, **context})
    return str(ended["answer"])


@pytest.mark.parametrize(
    "answer",
    [
        "It costs 99 euros.",
        "It costs ninety-nine euros.",
        "It costs $80.",
        "It costs 80 euros with Lufthansa.",
        "AZ9 costs 80 euros.",
        "It costs 80 euros on Friday.",
        "It costs 80 euros and leaves at 09:45.",
        "Ring +39 06 1234567: 80 euros.",
        "Es kostet 99 Euro.",
        "80 or 99 euros.",
        "Это стоит 80 евро.",
        "המחיר הוא 80",
    ],
)
def test_an_invented_answer_gives_way_to_what_was_found(answer: str) -> None:
    told = said(agent(FOUND, answer, answer), "what does it cost?")
    assert answer not in told
    assert "euros: 80" in told


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("what does it cost?", "Great news! It costs eighty euros; there are 12 flights. Let me know if I can help."),
        ("for 3 people from oslo?", "For 3 people from Oslo it is 80 euros each, with AZ1."),
        ("was kostet der Flug?", "Der Preis für Rom ist 80 Euro. Möchten Sie die Buchung?"),
        ("¿cuánto?", "Son 80 euros. ¿Quiere reservar?"),
        ("Сколько стоит?", "Стоит 80 евро."),
        ("כמה זה?", "80 אירו"),
    ],
)
def test_a_true_one_stands(request_: str, answer: str) -> None:
    assert said(agent(FOUND, answer), request_) == answer


def test_the_instructions_are_a_source() -> None:
    assert said(agent(FOUND, "Ring 555-1234.", system_prompt="The desk has 555-1234."), "price?") == "Ring 555-1234."


def test_what_was_told_long_ago_can_be_told_again() -> None:
    hello, again, invented = planning(reply="Hello"), planning(reply="It was 80 euros."), planning(reply="It was 99.")
    graph = agent(FOUND, "It costs 80 euros.", hello, hello, again, invented, invented)
    assert [said(graph, words) for words in ("price?", "hi", "hi", "what was it?")][-1] == "It was 80 euros."
    assert "99" not in said(graph, "and that was?")


def test_an_answer_that_was_not_traced_is_no_source_later() -> None:
    again = planning(reply="It was 99 euros.")
    graph = agent(FOUND, "It costs 99 euros.", again, again)
    assert said(graph, "price?", answer_check="off") == "It costs 99 euros."
    assert "99" not in said(graph, "what was it?")


def test_a_conversation_that_came_with_the_request_is_a_source() -> None:
    before = [HumanMessage("price?"), AIMessage("80 euros."), HumanMessage("what was it?")]
    graph = agent(planning(reply="It was 80 euros."))
    assert graph.invoke({"messages": before}, ON_T, context=BY_RULES)["answer"] == "It was 80 euros."


def test_a_long_list_is_told_though_no_result_holds_how_long_it_is() -> None:
    assert said(agent(FOUND, "99", "99"), "price?") == f"- price: euros: 80, flights: {'flight: AZ1; ' * 10}… (12)"
