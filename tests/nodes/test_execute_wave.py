"""One call of a wave: what is told of it, what is kept, and that its domain is open."""

import time
from typing import Any

from alone import alone
from langgraph.checkpoint.memory import InMemorySaver
from runs import ask, compiled, human, on_thread
from scripted import planned
from warehouse import Warehouse

from wavegraph import ToolRefusal, build_graph
from wavegraph.graph.state import empty_ledger
from wavegraph.nodes.execute_wave import execute_wave
from wavegraph.testing import ScriptedPlanner, call, planning

COUNT = planning(call("a", "count", sku="bolt"))


def test_a_calls_start_and_end_are_told() -> None:
    warehouse = Warehouse().on("count", "nut", ToolRefusal("closed", "the aisle is closed"))
    began = time.perf_counter()
    script = ScriptedPlanner(planning(call("a", "count", sku="bolt"), call("b", "count", sku="nut")), planning())
    ended = ask(warehouse.domain(), script)
    took_s = time.perf_counter() - began

    args = {"sku": "bolt", "unit": "piece"}
    assert ended.told("tool_started")[0] == {
        "event": "tool_started", "id": "a", "tool": "count", "args": args, "wave": 1,
    }  # fmt: skip
    told = {event["id"]: event for event in ended.told("tool_finished")}
    elapsed_s = {name: event.pop("elapsed_s") for name, event in told.items()}
    assert told == {
        "a": {"event": "tool_finished", "id": "a", "tool": "count", "status": "ok", "error": None},
        "b": {"event": "tool_finished", "id": "b", "tool": "count", "status": "error", "error": "the aisle is closed"},
    }
    for name, seconds in elapsed_s.items():
        assert 0 <= seconds <= took_s
        assert seconds == round(seconds, 3) == ended["results"][name]["elapsed_s"]


def test_what_is_kept_of_a_call() -> None:
    ended = ask(Warehouse().domain(), ScriptedPlanner(COUNT))
    kept = {name: value for name, value in ended["results"]["a"].items() if name not in ("elapsed_s", "signature")}

    assert kept == {
        "tool": "count", "args": {"sku": "bolt", "unit": "piece"}, "status": "ok", "data": {"sku": "bolt", "units": 40},
        "error": None, "attempts": 1, "runs": 1, "plan": 1, "wave": 1,
    }  # fmt: skip


async def test_a_call_whose_arguments_turn_out_not_to_fit_is_not_started() -> None:
    args = {"sku": "bolt", "units": 50, "to": "cellar"}
    made = {**planned("m", "move", "write", **args), "plan": 2}
    payload = {"request_id": "m1", "wave": 3, "call": made, "signature": "s", "run": 2, "attempts": 1,
               "timeout_s": 5.0, "approval": None}  # fmt: skip
    house = Warehouse()

    found = await alone(execute_wave, payload, build_graph(house.domain()).agent)

    message = found.update["ledger"]["outcomes"]["s"]["error"]["message"]
    assert message.startswith("move was not called: arguments = ")
    kept = {
        "tool": "move", "args": args, "status": "skipped", "data": None, "attempts": 0, "runs": 1, "plan": 2, "wave": 3,
        "elapsed_s": 0.0, "signature": "s",
        "error": {"code": "unexpected_data", "message": message, "retryable": False},
    }  # fmt: skip
    assert found.update == {"ledger": {**empty_ledger(), "outcomes": {"s": kept}}}
    assert (found.events, house.ran()) == ([], [])


def test_a_large_result_is_kept_whole() -> None:
    ended = ask(Warehouse().domain(), ScriptedPlanner(planning(call("a", "listing", kind="bolt"))))

    assert len(ended["results"]["a"]["data"]) == 5000
    assert ended["ledger"]["outcomes"][ended["results"]["a"]["signature"]]["data"].keys() == {"artifact"}


def test_a_process_that_only_goes_on_opens_its_domain_first() -> None:
    saver = InMemorySaver()
    first = compiled(Warehouse().domain(), ScriptedPlanner(COUNT), checkpointer=saver)
    first.invoke(human(), on_thread(), interrupt_before=["execute_wave"])
    other = Warehouse()
    opened: list[int] = []

    def counted() -> dict[str, Any]:
        opened.append(other.opened)
        return {"sku": "bolt", "units": 1}

    other.on("count", "bolt", counted)
    compiled(other.domain(), ScriptedPlanner(), checkpointer=saver).invoke(None, on_thread())

    assert opened == [1]
