"""What a strict agent of anybody's tools says stands in a result, in what was said before or in its instructions."""

from typing import Any, Literal

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import Tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import BaseModel
from tables import table

from wavegraph import create_agent, read
from wavegraph.testing import ScriptedModel, call, planning

BY_RULES: Any = {"answer_check": "rules"}
ON_T: Any = {"configurable": {"thread_id": "t"}}
STRICT: Any = {"figures": "strict", "answer_format": "plain"}
FOUND = planning(call("c", "price", city="Rome"))


async def price(city: str) -> dict[str, Any]:
    """What a flight costs."""
    return {"euros": 80, "flights": [{"flight": "AZ1"}] * 12}


def agent(*replies: Any, **more: Any) -> Any:
    return create_agent(ScriptedModel(*replies), [read(price)], checkpointer=InMemorySaver(), **STRICT, **more)


def said(graph: Any, words: str, **context: Any) -> str:
    ended = graph.invoke({"messages": [("user", words)]}, ON_T, context={**BY_RULES, **context})
    return str(ended["answer"])


@table(
    "answer",
    [
        "It costs 99 euros.",
        "AZ9 costs 80 euros.",
        "It costs 80 euros and leaves at 09:45.",
        "Ring +39 06 1234567: 80 euros.",
        "Es kostet 99 Euro.",
        "80 or 99 euros.",
    ],
)
def test_an_invented_answer_gives_way_to_what_was_found(answer: str) -> None:
    told = said(agent(FOUND, answer, answer), "what does it cost?")
    assert answer not in told
    assert "euros: 80" in told


@table(
    ("request_", "answer"),
    [
        ("what does it cost?", "Great news! It costs eighty euros; there are 12 flights. Let me know if I can help."),
        ("what does it cost?", "Step 1: book AZ1.\n**2.** Pay 80 euros. See you tomorrow, Your Travel Team."),
        ("what does it cost?", "| City | Price |\n| Rome | 80 |\n\nNoch offen. Schöne Grüße!"),
        ("what does it cost on 3 May?", "Es kostet 80 Euro, am 3. Mai. 0 weitere Angebote."),
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


def test_a_tools_own_words_are_a_source() -> None:
    def fly(cabin: Literal["Economy", "Business"]) -> str:
        """Fly."""
        return cabin

    question = "Shall it be Economy or Business?"
    graph = create_agent(ScriptedModel(planning(reply=question, action="clarify")), [read(fly)])
    assert graph.invoke({"messages": [("user", "fly")]}, context=BY_RULES)["answer"] == question


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


# The form


class Trip(BaseModel):
    euros: int
    note: str = "none of the 7 kinds"
    flights: int = 0


def filled_in(*forms: Any) -> Any:
    model = ScriptedModel(FOUND, "It costs 80 euros.", *({"response": form} for form in forms))
    graph = create_agent(model, [read(price)], response_format=Trip, **STRICT)
    ended = graph.invoke({"messages": [("user", "what does it cost on 4 May?")]}, context=BY_RULES)
    return ended["structured_response"]


GOOD = {"euros": 80, "note": "eighty euros, AZ1, 4 May", "flights": 12}


@pytest.mark.parametrize("change", [{"euros": 99}, {"note": "99 euros"}, {"note": "AZ9"}, {"flights": 17}])
def test_a_form_with_an_invented_figure_is_filled_in_again_or_not_at_all(change: Any) -> None:
    assert filled_in({**GOOD, **change}, {**GOOD, **change}) is None
    assert filled_in({**GOOD, **change}, GOOD) == Trip(**GOOD)


@pytest.mark.parametrize(
    "form", [GOOD, {**GOOD, "note": "none of the 7 kinds"}, {**GOOD, "flights": 0}, {**GOOD, "flights": 4}]
)
def test_a_form_of_what_was_found_stands(form: Any) -> None:
    assert filled_in(form) == Trip(**form)


def test_after_a_no_the_form_is_filled_in_from_what_is_true(caplog: pytest.LogCaptureFixture) -> None:
    def send(to: str) -> str:
        """Send."""
        return to

    form = {"response": {**GOOD, "note": ""}}
    model = ScriptedModel(planning(call("c", "send", to="Ada")), "Sent.", form, form)
    given = {"response_format": Trip, "checkpointer": InMemorySaver(), **STRICT}
    graph = create_agent(model, [send], approve={"send": True}, **given)
    graph.invoke({"messages": [("user", "send it to Ada")]}, ON_T, context=BY_RULES)
    ended = graph.invoke(Command(resume="no"), ON_T)
    assert (ended["answer"].split("\n\n")[0], ended["structured_response"]) == ("Sent.", None)
    assert "neither in the answer nor in a result: euros: 80" in caplog.text
    assert "it was not agreed to" in str(model.heard[-1])


def test_the_message_stream_ends_with_the_checked_answer() -> None:
    graph = agent(FOUND, "It is 99 of 80 euros.", "It is 80 euros.")
    shown = list(graph.stream({"messages": [("user", "price?")]}, ON_T, context=BY_RULES, stream_mode="messages"))
    last, first = shown[-1][0], next(part for part, _ in shown if part.type == "AIMessageChunk")
    assert (last.type, last.id, last.text) == ("ai", first.id, "It is 80 euros.")


def test_a_tool_of_one_text_is_taken() -> None:
    """LangChain's `Tool`, which has no schema of its own."""
    search = Tool(name="search", description="Search.", func=lambda text: f"found {text}")
    model = ScriptedModel(planning(call("c", "search", tool_input="cats")), "I found cats.")
    ended = create_agent(model, [read(search)]).invoke({"messages": "search cats"}, context=BY_RULES)
    assert ended["results"]["c"]["data"] == "found cats"
