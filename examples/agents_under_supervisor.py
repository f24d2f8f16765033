"""A supervisor hands each request to one of several agents, and a write of any of them asks through it."""

from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from wavegraph import create_agent, read

PAID: list[str] = []


def find_flights(city: str) -> list[str]:
    """Flights to a city."""
    return ["AZ1", "LH2"]


def pay_invoice(number: str) -> str:
    """Pay an invoice."""
    PAID.append(number)
    return f"{number} is paid"


def build(model: ChatOpenAI | None = None):
    model = model or ChatOpenAI(model="gpt-5-mini")
    agents = {
        "trips": create_agent(model, [read(find_flights)], name="trips"),
        "accounts": create_agent(model, [pay_invoice], approve={"pay_invoice": "Pay {number}"}, name="accounts"),
    }

    def supervisor(state: MessagesState) -> Command[str]:
        order = f"Who serves this? Answer with one word of: {', '.join(agents)}."
        chosen = str(model.invoke([("system", order), state["messages"][-1]]).text).strip()
        return Command(goto=chosen if chosen in agents else "trips")

    graph = StateGraph(MessagesState).add_node("supervisor", supervisor, destinations=tuple(agents))
    for name, agent in agents.items():
        graph.add_node(name, agent)
    return graph.add_edge(START, "supervisor").compile(checkpointer=InMemorySaver())


if __name__ == "__main__":
    graph, thread = build(), {"configurable": {"thread_id": "1"}}
    asked = graph.invoke({"messages": [("user", "Pay invoice R-7")]}, thread)
    print(asked["__interrupt__"][0].value["text"])
    print(graph.invoke(Command(resume=input()), thread)["messages"][-1].text)
