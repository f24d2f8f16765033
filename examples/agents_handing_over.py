"""Agents that hand a conversation over to each other: a tool's Command names the next one and sets a key of the larger graph."""

from typing import Annotated, Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState, ToolRuntime
from langgraph.types import Command

from wavegraph import create_agent, read


class Conversation(MessagesState):
    agent: str


def handing_over_to(agent: str, when: str) -> Any:
    @tool(f"to_{agent}", description=f"Hand the conversation over to {agent}: {when}")
    def hand_over(runtime: ToolRuntime) -> Command[str]:
        last, told = runtime.state["messages"][-1], ToolMessage(f"{agent} goes on", tool_call_id=runtime.tool_call_id)
        return Command(graph=Command.PARENT, goto=agent, update={"agent": agent, "messages": [last, told]})

    return read(hand_over)


def find_flights(city: str, agent: Annotated[str, InjectedState("agent")] = "trips") -> str:
    """Flights to a city."""
    return f"{agent} found AZ1 and LH2"


def build(model: Any = None) -> Any:
    model, to_trips = model or ChatOpenAI(model="gpt-5-mini"), handing_over_to("trips", "whatever is about flights")
    agents = {
        "front": create_agent(model, [to_trips], system_prompt="You greet people.", name="front"),
        "trips": create_agent(model, [read(find_flights)], state_schema=Conversation, name="trips"),
    }
    graph = StateGraph(Conversation)
    for name, agent in agents.items():
        graph.add_node(name, agent, destinations=tuple(agents))
    graph.add_conditional_edges(START, lambda state: state.get("agent", "front"), [*agents])
    return graph.compile(checkpointer=InMemorySaver())


if __name__ == "__main__":
    conversation, thread = build(), {"configurable": {"thread_id": "1"}}
    print(conversation.invoke({"messages": [("user", "When can I fly to Rome?")]}, thread)["messages"][-1].text)
