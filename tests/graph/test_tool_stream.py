"""What a client of the newer protocol sees of a request: its calls, our events, the answer's tokens."""

import warnings
from typing import Any

from patience import not_hanging
from runs import compiled, human, wait
from warehouse import Warehouse

from wavegraph.testing import ScriptedPlanner, call, planning


async def seen(graph: Any, given: Any) -> list[dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LangGraph calls the protocol experimental
        run = await graph.astream_events(given, version="v3")
        return [event async for event in run]


def test_calls_are_on_the_tools_channel_without_results() -> None:
    graph = compiled(Warehouse().domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt"))))
    with not_hanging():
        events = wait(seen(graph, human()))
    started, finished = [event["params"]["data"] for event in events if event["method"] == "tools"]
    assert started == {
        "event": "tool-started",
        "tool_call_id": "a",
        "tool_name": "count",
        "input": {"sku": "bolt", "unit": "piece"},
    }
    assert (finished["event"], finished["output"]["status"]) == ("tool-finished", "ok")
    assert set(finished["output"]) == {"status", "elapsed_s"}


def test_a_failed_call_is_a_tool_error() -> None:
    graph = compiled(
        Warehouse().domain(),
        ScriptedPlanner(planning(call("a", "count", sku="unheard of")), planning(call("b", "count", sku="bolt"))),
    )
    events = wait(seen(graph, human()))
    told = [event["params"]["data"] for event in events if event["method"] == "tools"]
    assert [each["event"] for each in told] == ["tool-started", "tool-error", "tool-started", "tool-finished"]
    assert told[1]["message"]


def test_our_events_come_too_and_no_message_pairs() -> None:
    graph = compiled(Warehouse().domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt"))))
    events = wait(seen(graph, human()))
    customs = [event["params"]["data"]["event"] for event in events if event["method"] == "custom"]
    assert customs[0] == "plan_created"
    assert {"wave_started", "tool_started", "tool_finished"} <= set(customs)
    last = [event["params"]["data"] for event in events if event["method"] == "values"][-1]
    assert [message.type for message in last["messages"]] == ["human", "ai"]
