"""An agent called by a node of one's own: the node chooses what the agent hears and what becomes of its answer."""

import asyncio

from langgraph.graph import START, MessagesState, StateGraph

from wavegraph import create_agent, read


class Inquiry(MessagesState):
    answer: str
    outcome: str


def find_flights(city: str) -> list[dict[str, str]]:
    """Flights to a city, with departure."""
    return [{"flight": "AZ1", "leaves": "09:10"}, {"flight": "LH2", "leaves": "17:45"}]


def build(model="openai:gpt-5-mini"):
    agent = create_agent(model, [read(find_flights)], name="trips")

    async def ask_trips(state: Inquiry):
        ended = await agent.ainvoke({"messages": state["messages"][-1:]})
        return {"answer": ended["answer"], "outcome": ended["outcome"], "messages": ended["messages"][-1:]}

    return StateGraph(Inquiry).add_node(ask_trips).add_edge(START, "ask_trips").compile()


if __name__ == "__main__":
    given = {"messages": [("user", "When can I fly to Rome?")]}
    print(asyncio.run(build().ainvoke(given))["answer"])
