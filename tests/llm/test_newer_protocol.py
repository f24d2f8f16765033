"""The answer's tokens on LangGraph's newer streaming protocol, under the id that the stored message has."""

import warnings
from typing import Any

from endpoint import Endpoint, answers, plans
from inn import Inn
from langchain_core.messages import HumanMessage
from plans import beds, plan
from runs import wait

from wavegraph import build_graph

NIGHT, TEXT = "2026-12-05", "On 2026-12-05 there are 4 free beds."


async def seen(graph: Any) -> list[dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LangGraph calls the protocol experimental
        given = {"messages": [HumanMessage(f"a bed on {NIGHT}")]}
        run = await graph.astream_events(given, version="v3", context={"answer_check": "rules"})
        return [event async for event in run]


def test_tokens_come_one_by_one_and_the_message_once(endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(beds("beds", NIGHT))), answers(TEXT))
    events = wait(seen(build_graph(Inn().domain()).compile()))
    told: list[Any] = [event["params"]["data"][0] for event in events if event["method"] == "messages"]
    deltas = [part["delta"]["text"] for part in told if part["event"] == "content-block-delta"]
    assert len(deltas) > 3
    assert "".join(deltas) == TEXT
    last = [event["params"]["data"] for event in events if event["method"] == "values"][-1]["messages"][-1]
    assert [part["id"] for part in told if part["event"] == "message-start"] == [last.id]
