"""What an agent reads of an input: keys, system messages, images; what it does not know is refused in a sentence."""

from typing import Any

import pytest
from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from wavegraph import Domain, SettingsError, build_graph, create_agent, read
from wavegraph.testing import ScriptedModel, call, planning

ON_T: Any = {"configurable": {"thread_id": "t"}}
UNJUDGED: Any = {"answer_check": "rules"}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
SYSTEM = SystemMessage("Answer as a pirate.")


def find(city: str) -> str:
    """Find."""
    return f"sun in {city}"


FIND = planning(call("f", "find", city="Oslo"))


def asked(model: ScriptedModel, **input_: Any) -> Any:
    return create_agent(model, [read(find)], system_prompt="You find.").invoke(input_, ON_T, context=UNJUDGED)


UNKNOWN = [
    ({"input": "hello"}, r"the input has \['input'\], which this agent does not know; give {\"messages\""),
    ({"messages": "hello", "user": 3, "b": 1}, r"the input has \['b', 'user'\], .*state_schema=.*context="),
    ("hello", "the input is 'hello'; give {\"messages\""),
    ([("user", "hello")], 'the input is .*; give {"messages"'),
]


@pytest.mark.parametrize(("given", "says"), UNKNOWN, ids=["another's", "unknown keys", "a text", "a list"])
async def test_an_input_that_would_not_be_read_is_refused(given: Any, says: str) -> None:
    agent = create_agent(ScriptedModel(), [read(find)])
    with pytest.raises(SettingsError, match=says):
        agent.invoke(given)
    with pytest.raises(SettingsError, match=says):
        await agent.ainvoke(given)
    with pytest.raises(SettingsError, match=says):
        [each async for each in agent.astream_events(given, version="v2")]


def test_what_an_agent_gave_can_be_given_back() -> None:
    agent = create_agent(ScriptedModel(FIND, "Sun.", FIND, "Sun again."), [read(find)])
    ended = agent.invoke({"messages": "where is sun?"}, context=UNJUDGED)
    again = agent.invoke({**ended, "messages": [*ended["messages"], ("user", "and now?")]}, context=UNJUDGED)

    assert again["answer"] == "Sun again."


class Larger(MessagesState):
    step: int


@pytest.mark.parametrize("as_function", [False, True], ids=["as a node", "by a function"])
def test_the_keys_of_a_larger_graph_are_its_own_affair(as_function: bool) -> None:
    agent = create_agent(ScriptedModel(FIND, "Sun."), [read(find)], context_schema=None)
    node: Any = (lambda state: agent.invoke(state)) if as_function else agent
    graph = StateGraph(Larger).add_node("agent", node).add_edge(START, "agent").compile()

    assert graph.invoke({"messages": [("user", "sun?")], "step": 3})["messages"][-1].text == "Sun."


def test_a_key_of_a_larger_graph_takes_the_agents_field_of_its_name() -> None:
    class Desk(MessagesState):
        answer: str
        ticket: str

    agent = create_agent(ScriptedModel(FIND, "Sun."), [read(find)])
    graph = StateGraph(Desk).add_node("agent", agent).add_edge(START, "agent").compile()
    given: Any = {"messages": [("user", "sun?")], "answer": "none", "ticket": "T1"}
    ended = graph.invoke(given, context=UNJUDGED)

    assert (ended["answer"], ended["ticket"]) == ("Sun.", "T1")


def test_a_system_message_counts_as_instructions_behind_the_agents_own() -> None:
    model = ScriptedModel(FIND, "Arr, sun.")
    asked(model, messages=[SYSTEM, HumanMessage("sun?")])

    for messages in model.heard:
        system = str(messages[0].text)
        assert system.index("You find.") < system.index("Answer as a pirate.")


def test_of_a_domain_a_system_message_is_data() -> None:
    model = ScriptedModel(FIND, "Sun.")
    graph = build_graph(Domain(name="finder", tools=[read(find)]), model=model).compile()
    graph.invoke({"messages": [SYSTEM, HumanMessage([{"type": "text", "text": "sun?"}, IMAGE])]}, context=UNJUDGED)

    assert "pirate" not in "".join(str(messages[0].text) for messages in model.heard)
    assert "base64" not in str(model.heard)


def test_an_image_reaches_the_models_also_a_question_later() -> None:
    model = ScriptedModel(FIND, "Sun.", FIND, "Blue.")
    agent = create_agent(model, [read(find)], checkpointer=InMemorySaver())
    picture = HumanMessage([{"type": "text", "text": "what is this?"}, IMAGE])
    agent.invoke({"messages": [picture]}, ON_T, context=UNJUDGED)
    agent.invoke({"messages": [("user", "what colour?")]}, ON_T, context=UNJUDGED)

    assert [messages[-1].content[-1] for messages in model.heard] == [IMAGE] * 4
    assert "what is this?" in str(model.heard[0][-1].text)


def test_an_image_alone_is_a_request() -> None:
    ended = asked(ScriptedModel(FIND, "It is sun."), messages=[HumanMessage([IMAGE])])

    assert ended["answer"] == "It is sun."


@pytest.mark.parametrize("words", ["yes", ""])
@pytest.mark.parametrize("asks_back", [True, False])
def test_a_reply_with_an_image_agrees_to_nothing_and_is_read(words: str, asks_back: bool) -> None:
    sent: list[str] = []

    def send(to: str) -> str:
        """Send."""
        sent.append(to)
        return "sent"

    reads = planning(reply="What of it?", action="clarify" if asks_back else "answer")
    model = ScriptedModel(planning(call("s", "send", to="Ada")), reads, "What of it?")
    agent = create_agent(model, [send], approve={"send": True}, checkpointer=InMemorySaver())
    agent.invoke({"messages": "send it to ada"}, ON_T, context=UNJUDGED)
    seen = HumanMessage([{"type": "text", "text": words}, IMAGE])
    ended = agent.invoke({"messages": [seen]}, ON_T, context=UNJUDGED)

    assert (sent, ended["__interrupt__"][0].value["args"]) == ([], {"to": "Ada"})
    assert model.heard[1][-1].content[-1] == IMAGE
    assert IMAGE in next(each for each in reversed(ended["messages"]) if each.type == "human").content


def test_the_judge_sees_it_too() -> None:
    model = ScriptedModel(FIND, "Sun.", {"reasoning": "so", "gaps": []})
    agent = create_agent(model, [read(find)])
    agent.invoke(
        {"messages": [HumanMessage([{"type": "text", "text": "sun?"}, IMAGE])]}, context={"answer_check": "on"}
    )

    assert model.heard[2][-1].content[-1] == IMAGE


def test_a_model_without_functions_gets_it_beside_the_schema() -> None:
    model = ScriptedModel(FIND, "Sun.", calls_tools=False)
    asked(model, messages=[HumanMessage([{"type": "text", "text": "sun?"}, IMAGE])])

    assert "# Schema" in str(model.heard[0][0].text)
    assert model.heard[0][-1].content[-1] == IMAGE
