"""An agent as a node itself: with the parent's checkpointer its questions stop the parent, and are answered there.

`checkpointer=True` gives it a memory of its own inside the parent's thread; without it, each visit begins anew.
"""

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command

from wavegraph import create_agent, read

BOOKED: list[str] = []


def find_flights(city: str) -> list[str]:
    """Flights to a city."""
    return ["AZ1", "LH2"]


def book_flight(flight: str) -> str:
    """Book a flight."""
    BOOKED.append(flight)
    return f"{flight} is booked"


def build(model="openai:gpt-5-mini", remembers: bool = False):
    agent = create_agent(model, [read(find_flights), book_flight], approve={"book_flight": "Fly {flight}"},
                         checkpointer=remembers or None, name="trips")  # fmt: skip
    parent = StateGraph(MessagesState).add_node("trips", agent)
    return parent.add_edge(START, "trips").add_edge("trips", END).compile(checkpointer=InMemorySaver())


if __name__ == "__main__":
    graph, thread = build(), {"configurable": {"thread_id": "1"}}
    asked = graph.invoke({"messages": [("user", "Book the first flight to Rome")]}, thread)
    print(asked["__interrupt__"][0].value["text"])
    print(graph.invoke(Command(resume=input()), thread)["messages"][-1].text)
