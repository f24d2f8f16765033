"""The events of a request, and what the log keeps of one."""

import logging
import threading
import warnings
from functools import partial
from typing import Any

import pytest
from langgraph.config import get_stream_writer
from patience import HANGS_S
from runs import ask, compiled, human, wait
from tables import table
from warehouse import Count, Warehouse

import wavegraph
from wavegraph import Checks
from wavegraph.graph.domain import NamedCheck
from wavegraph.graph.state import new_issue
from wavegraph.testing import ScriptedPlanner, call, planning


def lines(caplog: pytest.LogCaptureFixture, *names: str) -> list[tuple[str, str]]:
    kept = [(record.levelname, record.getMessage()) for record in caplog.records if record.name == "wavegraph"]
    return [line for line in kept if line[1].split()[0] in names]


def test_what_is_empty_or_long_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    def details(view: Any) -> dict[str, Any]:
        return {"long": "x" * 100}

    script = ScriptedPlanner(planning(call("a", "count", sku="bolt")))
    with caplog.at_level(logging.INFO, "wavegraph"):
        ended = ask(Warehouse().domain(checks=Checks(report=details)), script)

    [told] = ended.told("validation_complete")
    assert told["details"] == {"long": "x" * 100}
    assert lines(caplog, "validation_complete") == [("INFO", "validation_complete needs_adaptation=False")]
    [(_, finished)] = lines(caplog, "tool_finished")
    assert "error" not in finished


def test_checks_with_names_are_seen_side_by_side() -> None:
    """Each waits until the other one runs too."""
    both = threading.Barrier(2, timeout=HANGS_S)

    def good(result: Any, call: Any) -> list[Any]:
        both.wait()
        return []

    def bad(result: Any, call: Any) -> list[Any]:
        both.wait()
        return [new_issue("odd", call.id, f"{number} is odd", "odd", severity="warning") for number in (1, 3)]

    checks = {"count": [NamedCheck("law", good), NamedCheck("taste", bad), lambda result, call: []]}
    script = ScriptedPlanner(planning(call("a", "count", sku="bolt")))
    ended = ask(Warehouse().domain(checks=checks), script, context={"max_adaptations": 0})
    began, found = ended.told("check_started"), ended.told("check_finished")

    assert [event["check"] for event in began] == ["law", "taste"]
    assert {event["check"]: event["found"] for event in found} == {"law": [], "taste": ["odd"]}
    assert {(event["id"], event["tool"]) for event in (*began, *found)} == {("a", "count")}


def bolts_writing(data: Any) -> Count:
    get_stream_writer()(data)
    return Count(sku="bolt", units=3)


WRITTEN = [
    "Looking up…",
    None,
    3,
    (1, 2),
    [1],
    {"event": "tool_started"},
    {"event": "tool_started", "id": [], "tool": "count", "args": {}, "wave": 1},
    {"event": "tool_finished", "id": "a", "tool": "count", "status": "ok", "elapsed_s": "soon", "error": None},
    {"event": ["x"]},
    {"event": "custom", "data": 1},
]


@table("data", WRITTEN)
def test_what_a_tool_writes_into_the_stream_is_passed_on(data: Any) -> None:
    warehouse = Warehouse().on("count", "bolt", partial(bolts_writing, data))
    seen: list[Any] = []
    graph = compiled(warehouse.domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt"))))
    result = wait(wavegraph.run(graph, "how many bolts?", on_event=seen.append))

    assert result.outcome == "answered"
    assert [event["data"] for event in seen if event["event"] == "custom"] == [data]
    assert result.tools_executed == 1


# The server's newer protocol


async def seen_by_the_newer_protocol(graph: Any, given: Any) -> list[dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LangGraph calls the protocol experimental
        run = await graph.astream_events(given, version="v3")
        return [event async for event in run]


@table("data", WRITTEN)
def test_what_a_tool_writes_is_passed_on_there_too(data: Any) -> None:
    warehouse = Warehouse().on("count", "bolt", partial(bolts_writing, data))
    graph = compiled(warehouse.domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt"))))
    events = wait(seen_by_the_newer_protocol(graph, human()))
    assert data in [event["params"]["data"] for event in events if event["method"] == "custom"]


def test_our_events_come_too_and_no_message_pairs() -> None:
    graph = compiled(Warehouse().domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt"))))
    events = wait(seen_by_the_newer_protocol(graph, human()))
    customs = [event["params"]["data"]["event"] for event in events if event["method"] == "custom"]
    assert customs[0] == "plan_created"
    assert {"wave_started", "tool_started", "tool_finished"} <= set(customs)
    last = [event["params"]["data"] for event in events if event["method"] == "values"][-1]
    assert [message.type for message in last["messages"]] == ["human", "ai"]
