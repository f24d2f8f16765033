"""What chat front ends read of an agent's thread over the server: calls and results, paired as LangChain's are."""

from collections.abc import Iterator, Mapping
from typing import Any

from endpoint import Endpoint, answers, plans
from langgraph_sdk.client import SyncLangGraphClient
from plans import call, plan

BY_RULES: Any = {"answer_check": "rules"}


def said(words: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": words}]}


def paired(messages: list[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any] | None]]:
    """Each call with its result, as `useStream` pairs them: by the id, the result somewhere behind its call."""
    for place, message in enumerate(messages):
        for made in message.get("tool_calls") or () if message["type"] == "ai" else ():
            behind = (each for each in messages[place:] if each["type"] == "tool")
            yield made, next((each for each in behind if each["tool_call_id"] == made["id"]), None)


def test_front_ends_see_a_call_when_it_starts_and_its_result_behind_it(
    client: SyncLangGraphClient, endpoint: Endpoint
) -> None:
    thread = client.threads.create()["thread_id"]
    endpoint.plays(plans(plan(call("p", "price", city="Rome"))), answers("It is 80 euros."))
    modes: Any = ["values", "messages-tuple"]
    parts = list(client.runs.stream(thread, "called", input=said("rome?"), context=BY_RULES, stream_mode=modes))

    states = [part.data["messages"] for part in parts if part.event == "values"]
    [(made, result)] = paired(states[-1])
    assert made == {"id": "p", "name": "price", "args": {"city": "Rome"}, "type": "tool_call"}
    assert result is not None
    assert (result["name"], result["status"], result["content"]) == (
        "price",
        "success",
        '{"city": "Rome", "euros": 80}',
    )
    assert next(pair for state in states for pair in paired(state)) == (made, None)  # pending, while it runs

    kinds = [part.data[0]["type"] for part in parts if part.event == "messages"]
    assert kinds.index("ai") < kinds.index("tool") < kinds.index("AIMessageChunk")
    assert {part.data[1].get("lc_agent_name") for part in parts if part.event == "messages"} == {"called"}


def test_an_interrupt_stands_behind_the_question_and_the_call_behind_the_decision(
    client: SyncLangGraphClient, endpoint: Endpoint
) -> None:
    """Agent Chat UI draws an interrupt at the last message, which must be the agent's."""
    thread = client.threads.create()["thread_id"]
    endpoint.plays(plans(plan(call("b", "book", city="Rome"))), answers("Rome is booked."))
    client.runs.wait(thread, "called", input=said("book rome"), context=BY_RULES)
    state = client.threads.get_state(thread)

    [asked] = state["interrupts"]
    [request], [review] = asked["value"]["action_requests"], asked["value"]["review_configs"]
    assert (request["name"], request["args"], review["action_name"]) == ("book", {"city": "Rome"}, "book")
    last = state["values"]["messages"][-1]
    assert (last["type"], last["tool_calls"]) == ("ai", [])

    ended = client.runs.wait(thread, "called", command={"resume": {"decisions": [{"type": "approve"}]}})
    [(made, result)] = paired(ended["messages"])
    assert made["id"] == "b"
    assert result is not None
    assert result["content"] == "booked Rome"
