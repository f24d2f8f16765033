"""The agent of the README, with a scripted model in the place of a real one: it needs no key."""

from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from wavegraph import create_agent, read
from wavegraph.testing import ScriptedModel, call, planning, ref


def search_flights(city: str) -> list[dict[str, str]]:
    """Flights to a city, the cheapest first."""
    return [{"flight": "FR2", "price": "80 euros"}, {"flight": "AZ1", "price": "120 euros"}]


def baggage(flight: str) -> str:
    """What may be taken along on a flight."""
    return "one bag of 23 kg"


def book_flight(flight: str, passenger: str) -> str:
    """Book a flight."""
    return f"{flight} is booked for {passenger}"


CHEAPEST = ref("flights", "[0].flight")
"""The plan refers to what the search will find."""
NO_JUDGE = {"answer_check": "rules"}
"""The script has no second model that judges answers."""
model = ScriptedModel(
    planning(
        call("flights", "search_flights", city="Rome"),
        call("bag", "baggage", flight=CHEAPEST),
        call("book", "book_flight", flight=CHEAPEST, passenger="Ada"),
    ),
    "FR2 is booked for Ada. It costs 80 euros, and one bag of 23 kg is included.",
)


def main() -> None:
    agent = create_agent(
        model,
        tools=[read(search_flights), read(baggage), book_flight],
        system_prompt="You book trips.",
        approve={"book_flight": "Book {flight} for {passenger}"},
        checkpointer=InMemorySaver(),
    )
    thread: Any = {"configurable": {"thread_id": "1"}}
    request: Any = {"messages": [("user", "Book Ada on the cheapest flight to Rome")]}
    asked = agent.invoke(request, thread, context=NO_JUDGE)
    print(asked["__interrupt__"][0].value["text"])
    ended = agent.invoke(Command(resume="yes"), thread, context=NO_JUDGE)
    print(ended["messages"][-1].text)


if __name__ == "__main__":
    main()
