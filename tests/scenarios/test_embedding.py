"""The ways in: sync and async callers, threads, parent graphs, interrupts, streams."""

import asyncio
import json
import logging
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt
from patience import HANGS_S
from pydantic import TypeAdapter
from runs import arun, ask, compiled, human, on_thread, run, wait
from scripted import Says
from typing_extensions import TypedDict
from warehouse import Clerk, Pause, Warehouse, Weight

from wavegraph import Domain, PlanningView, build_graph, read, results
from wavegraph.graph import background
from wavegraph.graph.build import whole_state
from wavegraph.graph.events import Event, progress
from wavegraph.testing import ScriptedPlanner, call, planning, ref

SUPPORT = str(Path(__file__).parents[1] / "support")
COUNT = planning(call("a", "count", sku="bolt"), call("b", "weigh", sku="nut"))


def named_in_text(view: PlanningView) -> Any:
    """Counts the article the request names."""
    return planning(call("a", "count", sku=view.request["text"]))


# Sync and async callers


def test_two_event_loops_one_graph_object(warehouse: Warehouse) -> None:
    graph = compiled(warehouse.domain(), ScriptedPlanner(then=named_in_text))

    assert asyncio.run(graph.ainvoke(human("bolt")))["outcome"] == "answered"
    assert asyncio.run(graph.ainvoke(human("nut")))["outcome"] == "answered"


def test_sync_invoke(warehouse: Warehouse) -> None:
    ended = compiled(warehouse.domain(), ScriptedPlanner(COUNT)).invoke(human())

    assert (ended["outcome"], ended["tools_executed"]) == ("answered", 2)


def test_sync_invoke_inside_a_running_loop(warehouse: Warehouse) -> None:
    async def caller() -> Any:
        return compiled(warehouse.domain(), ScriptedPlanner(COUNT)).invoke(human())

    assert wait(caller())["outcome"] == "answered"


def test_sync_stream_with_events(warehouse: Warehouse) -> None:
    graph = compiled(warehouse.domain(), ScriptedPlanner(COUNT))
    told = [event["event"] for event in graph.stream(human(), stream_mode="custom")]

    assert told[:2] == ["plan_created", "wave_started"]
    assert told.count("tool_finished") == 2
    assert told[-1] == "answer_checked"


def test_sync_callers_with_a_sync_checkpointer(warehouse: Warehouse, tmp_path: Path) -> None:
    with SqliteSaver.from_conn_string(str(tmp_path / "t.db")) as saver:
        graph = compiled(warehouse.domain(), ScriptedPlanner(then=named_in_text), checkpointer=saver)
        graph.invoke(human("bolt"), on_thread())
        ended = graph.invoke(human("nut"), on_thread())

    assert ended["results"]["a"]["data"]["units"] == 7
    assert len(ended["messages"]) == 4


def test_sync_invoke_from_several_threads_at_once(warehouse: Warehouse) -> None:
    for sku in warehouse.stock:
        warehouse.on("count", sku, Pause(0.1))
    graph = compiled(warehouse.domain(checks={}), ScriptedPlanner(then=named_in_text))
    with ThreadPoolExecutor(4) as pool:
        ended = list(pool.map(lambda sku: graph.invoke(human(sku)), warehouse.stock))

    assert [e["results"]["a"]["data"]["sku"] for e in ended] == list(warehouse.stock)


def test_a_sync_call_inside_the_background_loop_is_refused_instead_of_hanging() -> None:
    async def nothing() -> None:
        return None

    async def inner() -> None:
        background.run(nothing())

    with pytest.raises(RuntimeError, match="would wait for itself"):
        background.run(inner())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_sync_invoke_works_in_a_forked_child() -> None:
    code = """if True:
        import os, sys, warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        sys.path.insert(0, sys.argv[1])
        from runs import compiled, human
        from wavegraph.testing import ScriptedPlanner, call, planning
        from warehouse import Warehouse
        def outcome():
            script = ScriptedPlanner(planning(call("a", "weigh", sku="bolt")), planning())
            return compiled(Warehouse().domain(), script).invoke(human(), context={"tool_timeout_s": 20})["outcome"]
        assert outcome() == "answered"
        child = os.fork()
        if child == 0:
            os._exit(0 if outcome() == "answered" else 1)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    assert subprocess.run([sys.executable, "-c", code, SUPPORT], timeout=HANGS_S, check=False).returncode == 0


async def test_a_slow_sync_tool_does_not_block_the_loop(warehouse: Warehouse) -> None:
    free: list[bool] = []

    loop = asyncio.get_running_loop()

    def slow() -> Weight:
        free.append(goes_on(loop))
        return Weight(sku="nut", grams=3)

    warehouse.on("weigh", "nut", slow)
    await arun(compiled(warehouse.domain(), ScriptedPlanner(COUNT)), human())
    assert free == [True]


def goes_on(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether a loop does anything else while this thread waits for it."""
    ticked = threading.Event()
    loop.call_soon_threadsafe(ticked.set)
    return ticked.wait(HANGS_S / 3)


async def test_a_slow_check_does_not_block_the_loop(warehouse: Warehouse) -> None:
    free: list[bool] = []

    loop = asyncio.get_running_loop()

    def slow(found: Any, of: Any) -> list[Any]:
        free.append(goes_on(loop))
        return []

    await arun(compiled(warehouse.domain(checks={"count": [slow, slow]}), ScriptedPlanner(COUNT)))
    assert free == [True] * len(free) != []


# Requests share nothing


@pytest.mark.parametrize("saver", [None, InMemorySaver()], ids=["no checkpointer", "one checkpointer"])
async def test_two_requests_at_once_share_nothing(warehouse: Warehouse, saver: Any) -> None:
    for sku in ("bolt", "gear"):
        warehouse.on("count", sku, Pause(0.2))
    graph = compiled(warehouse.domain(), ScriptedPlanner(then=named_in_text), checkpointer=saver)

    one, two = (
        arun(graph, "bolt", on_thread("1")),
        arun(graph, "gear", on_thread("2"), context={"max_adaptations": 0}),
    )
    bolt, gear = await asyncio.gather(one, two)
    assert (bolt["outcome"], bolt["issues"], bolt.limits) == ("answered", [], [])
    assert (gear["outcome"], gear.limits) == ("partial", ["max_adaptations"])
    assert {event.get("id", "a") for event in bolt.events} == {"a"}
    assert bolt["results"]["a"]["data"]["sku"] == "bolt"
    assert warehouse.span("count", "bolt")[0] < warehouse.span("count", "gear")[1]


# Inside somebody's graph


class Own(TypedDict):
    question: str
    messages: Annotated[list[AnyMessage], add_messages]
    plan: str
    notes: list[str]


@dataclass
class OwnContext:
    user_id: str = "u1"


@pytest.mark.parametrize("saver", [None, InMemorySaver()], ids=["no checkpointer", "checkpointer"])
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_as_a_subgraph(warehouse: Warehouse, saver: Any, mode: str) -> None:
    parent = StateGraph(MessagesState)
    parent.add_node("desk", compiled(warehouse.domain(), ScriptedPlanner(then=named_in_text)))
    parent.add_edge(START, "desk")
    graph = parent.compile(checkpointer=saver)
    for number, sku in enumerate(["bolt", "nut"], 1):
        config = on_thread(mode)
        ended = graph.invoke(human(sku), config) if mode == "sync" else wait(graph.ainvoke(human(sku), config))
        assert str(warehouse.stock[sku]) in ended["messages"][-1].text
        assert len(ended["messages"]) == (2 * number if saver else 2)


def test_as_a_subgraph_of_a_graph_with_its_own_context(warehouse: Warehouse) -> None:
    parent = StateGraph(MessagesState, context_schema=OwnContext)
    parent.add_node("desk", compiled(warehouse.domain(), ScriptedPlanner(then=named_in_text)))
    parent.add_edge(START, "desk")

    ended = parent.compile().invoke(human("bolt"), context=OwnContext())
    assert "40" in ended["messages"][-1].text


def test_called_from_a_node_of_a_graph_with_another_state(warehouse: Warehouse) -> None:
    desk = compiled(warehouse.domain(), ScriptedPlanner(then=named_in_text))

    async def ask_desk(state: Own) -> dict[str, Any]:
        ended = await desk.ainvoke({"messages": [HumanMessage(state["question"])]})
        return {"notes": [ended["answer"]], "plan": state["plan"] + "!"}

    parent = StateGraph(Own)
    parent.add_node("ask", ask_desk)
    parent.add_edge(START, "ask")

    ended = wait(parent.compile().ainvoke({"question": "bolt", "messages": [], "plan": "mine", "notes": []}))
    assert (ended["plan"], ended["notes"]) == ("mine!", ["a: {'sku': 'bolt', 'units': 40}"])


# Tools


def test_plain_tool_functions_are_enough() -> None:
    seen: list[str] = []

    @tool
    def shout(text: str) -> str:
        """Shout."""
        seen.append(threading.current_thread().name)
        return text.upper()

    domain = Domain(name="plain", tools=[shout], offline=Clerk(lambda view: planning(call("s", "shout", text="hey"))))
    ended = run(build_graph(domain).compile())

    assert ended["answer"] == "s: HEY"
    assert seen[0].startswith("wavegraph-tool")


@pytest.mark.parametrize("is_async", [True, False], ids=["async", "sync"])
def test_an_interrupt_in_a_tool_asks_a_person_and_goes_on(warehouse: Warehouse, is_async: bool) -> None:
    @tool
    async def approve(sku: str) -> str:
        """Ask."""
        return f"{sku}: {interrupt({'scrap': sku})}"

    @tool("approve")
    def approve_sync(sku: str) -> str:
        """Ask."""
        return f"{sku}: {interrupt({'scrap': sku})}"

    tools = [*warehouse.domain().tools, read(approve if is_async else approve_sync)]
    script = ScriptedPlanner(planning(call("ok", "approve", sku="bolt"), call("a", "count", sku="nut")))
    graph = compiled(warehouse.domain(tools=tools), script, checkpointer=InMemorySaver())

    async def scenario() -> tuple[Any, float]:
        began = time.perf_counter()
        asked = await graph.ainvoke(human(), on_thread())
        assert asked["__interrupt__"][0].value == {"scrap": "bolt"}
        assert asked["outcome"] is None
        waits = time.perf_counter()
        await asyncio.sleep(0.3)
        waited_s = time.perf_counter() - waits
        ended = await graph.ainvoke(Command(resume="yes"), on_thread())
        return ended, time.perf_counter() - began - waited_s

    ended, worked_s = wait(scenario())
    assert (ended["outcome"], ended["results"]["ok"]["data"]) == ("answered", "bolt: yes")
    assert warehouse.ran("count") == ["count:nut"]
    assert ended["elapsed_s"] <= worked_s + 0.001, "waiting for a person counted as active time"


def test_a_null_that_a_tool_needs_reaches_it() -> None:
    @tool
    def maybe(n: int | None) -> str:
        """Maybe."""
        return f"got {n}"

    domain = Domain(name="n", tools=[maybe], offline=Clerk(lambda view: planning(call("m", "maybe", n=None))))

    assert run(build_graph(domain).compile())["answer"] == "m: got None"


def test_a_result_model_with_aliases_reaches_its_check() -> None:
    from pydantic import BaseModel, Field

    class Stay(BaseModel):
        check_in: str = Field(alias="checkIn")

    seen: list[Any] = []

    @tool
    def stay() -> Stay:
        """Stay."""
        return Stay(checkIn="today")

    def look(found: Stay, of: Any) -> list[Any]:
        seen.append(found.check_in)
        return []

    clerk = Clerk(lambda view: planning(call("s", "stay")))
    domain = Domain(name="s", tools=[read(stay)], offline=clerk, checks={"stay": [look]})

    assert run(build_graph(domain).compile())["outcome"] == "answered"
    assert seen == ["today"]


def test_inner_validation_errors_do_not_show_their_values(warehouse: Warehouse) -> None:
    from pydantic import BaseModel

    class Login(BaseModel):
        token: int

    warehouse.on("count", "bolt", lambda: Login.model_validate({"token": "s3cret"}))
    ended = ask(warehouse.domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt")), planning()))

    assert ended["results"]["a"]["error"]["message"] == "count failed with ValidationError"
    assert "s3cret" not in str(ended.state)


def test_a_large_result_is_kept_beside_its_outcome_and_found_by_reference(warehouse: Warehouse) -> None:
    script = ScriptedPlanner(planning(call("all", "listing", kind="b"), call("last", "weigh", sku=ref("all", "[-1]"))))
    ended = ask(warehouse.domain(), script)

    assert warehouse.ran() == ["listing:b", "weigh:b-04999"]
    assert len(ended["results"]["all"]["data"]) == 5000
    assert [list(o["data"]) for o in ended["ledger"]["outcomes"].values() if o["tool"] == "listing"] == [["artifact"]]


# Events


EVENTS: TypeAdapter[Any] = TypeAdapter(Event)


def busy_run(warehouse: Warehouse) -> Any:
    @tool
    async def dig() -> str:
        """Dig."""
        progress("dig", done=1, of=2)
        return "dug"

    other = call("other", "count", sku="bolt", instead_of="a")
    tools = [*warehouse.domain().tools, read(dig)]
    context = {"max_waves": 2}
    late = ScriptedPlanner(
        planning(call("a", "count", sku="gear"), call("d", "dig")),
        planning(other, call("c", "count", sku=ref("other", "sku"), note="later")),
    )
    return ask(warehouse.domain(tools=tools), late, responder=Says("99 bolts", "40 bolts"), context=context)


def test_every_event_is_typed_and_logged(warehouse: Warehouse, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="wavegraph"):
        ended = busy_run(warehouse)

    assert set(ended.names) == {
        "plan_created", "wave_started", "tool_started", "tool_progress", "tool_finished", "validation_complete",
        "adaptation_started", "adaptation_complete", "answer_checked", "answer_replaced", "limit_reached",
    }  # fmt: skip
    for event in ended.events:
        assert EVENTS.validate_python(event) == event
        assert json.loads(json.dumps(event)) == event
    logged = [record.getMessage().split(" ")[0] for record in caplog.records if record.name == "wavegraph"]
    assert [name for name in logged if name != "answer"] == ended.names


def test_events_carry_no_results(warehouse: Warehouse) -> None:
    warehouse.stock["bolt"] = 31337
    ended = ask(warehouse.domain(), ScriptedPlanner(COUNT))

    assert "31337" in str(ended["results"])
    assert "31337" not in str(ended.events)


# Serving


@pytest.mark.parametrize("name", ["get_input_jsonschema", "get_output_jsonschema", "get_context_jsonschema"])
def test_schemas_for_a_server(warehouse: Warehouse, name: str) -> None:
    schema = getattr(compiled(warehouse.domain()), name)()

    assert schema["properties"]


def test_strict_msgpack_changes_nothing(tmp_path: Path) -> None:
    code = """if True:
        import asyncio, sys, warnings
        warnings.simplefilter("error")
        sys.path.insert(0, sys.argv[1])
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
        from runs import compiled, human, on_thread
        from wavegraph.graph.build import whole_state
        from wavegraph.testing import ScriptedPlanner, call, planning, ref
        from warehouse import Warehouse
        async def main():
            plans = [planning(call("a", "search", kind="b"), call("c", "count", sku=ref("a", "skus[0]"))),
                     planning(call("a", "count", sku="gear")), planning()]
            async with AsyncSqliteSaver.from_conn_string(sys.argv[2]) as saver:
                graph = compiled(Warehouse().domain(), ScriptedPlanner(*plans), checkpointer=saver)
                outcomes = [(await graph.ainvoke(human(t), on_thread()))["outcome"] for t in ("one", "two")]
                state = await whole_state(graph).aget_state(on_thread())
            print(*outcomes, state.values["request"]["number"], type(state.values["messages"][0]).__name__)
        asyncio.run(main())
    """
    done = subprocess.run(
        [sys.executable, "-c", code, SUPPORT, str(tmp_path / "t.db")],
        env={**os.environ, "LANGGRAPH_STRICT_MSGPACK": "true"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == ["answered", "partial", "2", "HumanMessage"], done.stderr


def test_checkpoints_and_metadata_hold_no_context(warehouse: Warehouse) -> None:
    saver = InMemorySaver()
    graph = compiled(warehouse.domain(), ScriptedPlanner(COUNT), checkpointer=saver)
    run(graph, "x", on_thread(), context={"today": "1999-12-31"})

    assert not any("1999-12-31" in str(kept.metadata) for kept in saver.list(on_thread()))


def test_results_are_a_view_and_not_checkpointed_twice(warehouse: Warehouse) -> None:
    graph = compiled(warehouse.domain(), ScriptedPlanner(COUNT), checkpointer=InMemorySaver())
    run(graph, "x", on_thread())
    values = whole_state(graph).get_state(on_thread()).values

    assert "results" not in values
    assert set(results(values["ledger"])) == {"a", "b"}


def test_a_hung_sync_tool_does_not_hold_up_the_exit() -> None:
    code = """if True:
        import sys
        sys.path.insert(0, sys.argv[1])
        from runs import compiled, human
        from warehouse import Clerk, Pause, Warehouse
        from wavegraph.testing import call, planning
        house = Warehouse().on("weigh", "bolt", *[Pause(600)] * 9)
        clerk = Clerk(lambda view: planning(call("h", "weigh", sku="bolt")), lambda view: "gave up waiting")
        print(compiled(house.domain(offline=clerk)).invoke(human(), context={"tool_timeout_s": 0.2})["answer"])
    """
    done = subprocess.run(
        [sys.executable, "-c", code, SUPPORT], capture_output=True, text=True, timeout=HANGS_S, check=True
    )

    assert done.stdout.strip() == "gave up waiting"
