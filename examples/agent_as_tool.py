"""An agent as a tool of another: it is given a request in words and returns its answer; its questions come through."""

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from wavegraph import Limits, create_agent, read

BOOKED: list[str] = []


def find_flights(city: str) -> list[str]:
    """Flights to a city."""
    return ["AZ1", "LH2"]


def book_flight(flight: str) -> str:
    """Book a flight."""
    BOOKED.append(flight)
    return f"{flight} is booked"


def get_budget(trip: str) -> int:
    """What a trip may cost, in euros."""
    return 400


def build(model="openai:gpt-5-mini", checkpointer=None):
    trips = create_agent(
        model, [read(find_flights), book_flight], approve={"book_flight": "Fly {flight}"}, name="trips"
    )
    as_tool = trips.as_tool(description="Finds and books flights.")
    patience = Limits(tool_timeout_s=120, request_timeout_s=300)  # an agent takes longer than a plain tool
    return create_agent(model, [read(get_budget), as_tool], name="secretary", limits=patience,
                        checkpointer=checkpointer or InMemorySaver())  # fmt: skip


if __name__ == "__main__":
    graph, thread = build(), {"configurable": {"thread_id": "1"}}
    asked = graph.invoke({"messages": [("user", "Book me a flight to Rome within the budget")]}, thread)
    print(asked["__interrupt__"][0].value["text"])
    print(graph.invoke(Command(resume=input()), thread)["answer"])
