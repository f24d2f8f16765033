"""The runner's promises beside the matrix: amend, leave, owners, writes, questions, watchers, two at once."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import interrupt
from patience import HANGS_S
from stopping import HeldAgent, kept
from warehouse import Pause, Warehouse, When

import wavegraph
from wavegraph import (
    CancelHandle,
    Cancelled,
    Domain,
    NothingToResume,
    Result,
    SettingsError,
    ThreadBusy,
    build_graph,
    run,
    write,
)
from wavegraph import resume as go_on
from wavegraph.app.run.runner import conversation
from wavegraph.app.run.threads import read_row
from wavegraph.graph.build import whole_state
from wavegraph.graph.execution import tool_call
from wavegraph.testing import Conversation, ScriptedPlanner, call, planning


def shelf(warehouse: Warehouse, *replies: Any, **changes: Any) -> Any:
    return build_graph(warehouse.domain(**changes), planner=ScriptedPlanner(*replies))


async def until(warehouse: Warehouse, body: str) -> None:
    """Until a tool's body has started, and those before it have ended."""
    while warehouse.running() != [body]:
        await asyncio.sleep(0.005)


async def stopped(
    graph: Any, warehouse: Warehouse, body: str, request: str = "count", handle: CancelHandle | None = None, **more: Any
) -> Result:
    """A request on thread `t`, stopped when `body` runs."""
    handle = handle or CancelHandle()
    work = asyncio.ensure_future(run(graph, request, thread_id="t", cancel=handle, **more))
    await until(warehouse, body)
    handle.cancel()
    return await work


TWO = planning(call("bolts", "count", sku="bolt"), call("nuts", "count", sku="nut"))


async def test_a_cancel_before_the_start_runs_nothing(tmp_path: Path) -> None:
    agent = HeldAgent("first wave")
    handle = CancelHandle()
    handle.cancel()
    async with kept(agent.graph(), tmp_path) as graph:
        result = await run(graph, "bolts?", thread_id="t", cancel=handle)
        assert (result.outcome, result.can_resume, agent.warehouse.opened) == ("cancelled", False, 0)
        assert await conversation(graph, "t") == []
        stop = CancelHandle()
        running = asyncio.ensure_future(run(graph, "bolts?", thread_id="t", cancel=stop))
        await agent.held.reached.wait()
        stop.cancel()
        await running
        again = await go_on(graph, "t", cancel=handle)
        assert (again.outcome, again.can_resume, list(again.results)) == ("cancelled", True, ["found"])
        assert (await run(graph, "bolts?", thread_id="t", cancel=handle)).outcome == "cancelled"
        assert (await go_on(graph, "t")).outcome == "answered"


@pytest.mark.parametrize("keeps", [True, False], ids=["sqlite", "nothing kept"])
async def test_a_cancel_with_the_last_step_stops_nothing(keeps: bool, tmp_path: Path) -> None:
    handle = CancelHandle()

    def tell(event: Any) -> None:
        if event["event"] == "answer_checked":
            asyncio.get_running_loop().call_soon(handle.cancel)

    async with kept(shelf(Warehouse(), TWO), tmp_path, keeps) as graph:
        result = await run(graph, "count", thread_id="t", cancel=handle, on_event=tell)
        assert result.outcome in ("answered", "cancelled")
        if keeps and result.outcome == "answered":
            with pytest.raises(NothingToResume):
                await go_on(graph, "t")


async def test_a_second_request_that_is_stopped_while_it_is_planned_is_not_the_first(tmp_path: Path) -> None:
    planning_now = asyncio.Event()

    async def slow() -> Any:
        planning_now.set()
        await asyncio.sleep(HANGS_S)

    script = (TWO, lambda view: slow(), planning(call("gears", "count", sku="nut")))
    async with kept(shelf(Warehouse(), *script), tmp_path) as graph:
        await run(graph, "count", thread_id="t")
        handle = CancelHandle()
        second = asyncio.ensure_future(run(graph, "and gears?", thread_id="t", cancel=handle))
        await planning_now.wait()
        handle.cancel()
        result = await second
        assert (result.outcome, result.results, result.tools_executed) == ("cancelled", {}, 0)
        assert (await go_on(graph, "t")).answer == "gears: {'sku': 'nut', 'units': 7}"


async def test_a_changed_request_reuses_and_checks_what_had_ended(tmp_path: Path) -> None:
    warehouse = Warehouse().on("count", "nut", Pause(HANGS_S))
    amended = planning(call("gears", "count", sku="gear"), call("belts", "count", sku="belt"))
    first = planning(call("gears", "count", sku="gear"), call("nuts", "count", sku="nut"))
    seen: list[Any] = []

    def second(view: Any) -> Any:
        seen.append((view.previous["request"]["text"], view.previous["outcome"], [m.text for m in view.conversation]))
        return amended

    async with kept(shelf(warehouse, first, second, planning()), tmp_path) as graph:
        known = await stopped(graph, warehouse, "count:nut", "gears and nuts")
        assert list(known.results) == ["gears"]
        done = await run(graph, "no, gears and belts", thread_id="t")
    assert warehouse.ran() == ["count:gear", "count:nut", "count:belt"]
    assert (done.tools, done.tools_executed) == (["count"], 1)
    assert [issue["rule"] for issue in done.issues] == ["in_stock"]
    assert "gears" in done.answer
    assert seen == [("gears and nuts", None, ["gears and nuts", known.answer, "no, gears and belts"])]


async def test_a_request_that_is_left_does_not_disturb_the_next(tmp_path: Path) -> None:
    warehouse = Warehouse().on("count", "nut", Pause(HANGS_S))
    async with kept(shelf(warehouse, TWO, planning(call("belts", "count", sku="belt"))), tmp_path) as graph:
        await stopped(graph, warehouse, "count:nut")
        done = await run(graph, "belts?", thread_id="t")
        assert (done.outcome, done.answer) == ("answered", "belts: {'sku': 'belt', 'units': 12}")
        with pytest.raises(NothingToResume):
            await go_on(graph, "t")


async def test_two_requests_cut_off_in_a_row_are_told_apart(tmp_path: Path) -> None:
    planning_now = asyncio.Event()

    async def slow() -> Any:
        planning_now.set()
        await asyncio.sleep(HANGS_S)

    warehouse = Warehouse().on("count", "nut", Pause(HANGS_S))
    script = (TWO, lambda view: slow(), planning(call("belts", "count", sku="belt")))
    async with kept(shelf(warehouse, *script), tmp_path) as graph:
        await stopped(graph, warehouse, "count:nut")
        handle = CancelHandle()
        second = asyncio.ensure_future(run(graph, "belts?", thread_id="t", cancel=handle))
        await planning_now.wait()
        handle.cancel()
        assert (await second).unfinished == []
        assert (await go_on(graph, "t")).answer == "belts: {'sku': 'belt', 'units': 12}"


@pytest.mark.parametrize("keeps", [True, False], ids=["sqlite", "nothing kept"])
async def test_a_write_that_had_started_is_told_and_never_sent_again(keeps: bool, tmp_path: Path) -> None:
    warehouse = Warehouse().on("move", "bolt", Pause(HANGS_S))
    plan = planning(
        call("nuts", "count", sku="nut"), call("ship", "move", sku="bolt"), call("after", "move", sku="nut")
    )
    async with kept(shelf(warehouse, plan, planning()), tmp_path, keeps) as graph:
        known = await stopped(graph, warehouse, "move:bolt")
        assert "may or may not have happened. Please check; it will not be sent again: ship." in known.answer
        assert known.results["ship"]["error"]["code"] == "write_unknown"
        if keeps:
            done = await go_on(graph, "t")
            assert done.outcome == "partial"
    assert warehouse.ran("move") == ["move:bolt"]


async def test_a_write_in_a_thread_has_a_moment_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_call, "SETTLES_WITHIN_S", {"read": 0, "write": HANGS_S})
    handle = CancelHandle()
    warehouse = Warehouse().on("scrap", "bolt", When(lambda: handle.cancelled))
    plan = planning(call("gone", "scrap", sku="bolt"), call("nuts", "count", sku="nut"))
    async with kept(shelf(warehouse, plan), tmp_path) as graph:
        known = await stopped(graph, warehouse, "scrap:bolt", handle=handle)
        assert (known.results["gone"]["status"], known.unfinished) == ("ok", ["nuts"])
        assert "may or may not" not in known.answer
        assert (await go_on(graph, "t")).outcome == "answered"
    assert warehouse.moves == [("bolt", -1)]


async def test_a_read_in_a_thread_runs_on_and_that_is_said(tmp_path: Path) -> None:
    warehouse = Warehouse().on("weigh", "bolt", Pause(HANGS_S))
    async with kept(shelf(warehouse, planning(call("heavy", "weigh", sku="bolt"))), tmp_path) as graph:
        known = await stopped(graph, warehouse, "weigh:bolt")
        assert "Could not be interrupted and may still be running; its result will not be used: heavy." in known.answer


async def test_raise_on_cancel_carries_the_result(tmp_path: Path) -> None:
    warehouse = Warehouse().on("count", "nut", Pause(HANGS_S))
    async with kept(shelf(warehouse, TWO), tmp_path) as graph:
        with pytest.raises(Cancelled, match="'t' was stopped") as raised:
            await stopped(graph, warehouse, "count:nut", raise_on_cancel=True)
        assert (list(raised.value.result.results), raised.value.result.can_resume) == (["bolts"], True)
        assert (await go_on(graph, "t")).outcome == "answered"


async def test_a_thread_has_one_owner(tmp_path: Path) -> None:
    warehouse = Warehouse().on("count", "nut", Pause(HANGS_S))
    async with kept(shelf(warehouse, TWO, TWO, TWO), tmp_path) as graph:
        await stopped(graph, warehouse, "count:nut", user_id="ann")
        for other in ("bob", None):
            with pytest.raises(SettingsError, match="belongs to another user"):
                await go_on(graph, "t", user_id=other)
            with pytest.raises(SettingsError, match="belongs to another user"):
                await run(graph, "count", thread_id="t", user_id=other)
        assert (await go_on(graph, "t", user_id="ann")).outcome == "answered"
        # Whatever another program writes into the thread, it stays hers.
        await graph.aupdate_state({"configurable": {"thread_id": "t"}}, None, as_node="__end__")
        with pytest.raises(SettingsError, match="belongs to another user"):
            await run(graph, "count", thread_id="t", user_id="bob")
        await run(graph, "count", thread_id="free")
        assert (await run(graph, "count", thread_id="free", user_id="bob")).outcome == "answered"
        with pytest.raises(SettingsError):
            await run(graph, "count", thread_id="free")


async def test_one_request_at_a_time_on_a_thread(tmp_path: Path) -> None:
    agent = HeldAgent("first wave")
    async with kept(agent.graph(), tmp_path) as graph:
        handle = CancelHandle()
        first = asyncio.ensure_future(run(graph, "bolts?", thread_id="t", cancel=handle))
        await agent.held.reached.wait()
        for second in (run(graph, "bolts?", thread_id="t"), go_on(graph, "t")):
            with pytest.raises(ThreadBusy, match="at work on another request"):
                await second
        assert (await run(graph, "bolts?", thread_id="other")).outcome == "answered"
        handle.cancel()
        assert (await first).outcome == "cancelled"
        assert (await go_on(graph, "t")).outcome == "answered"


async def test_a_watcher_that_fails_is_told_no_more(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    seen = []

    def tell(event: Any) -> None:
        seen.append(event)
        raise ValueError("the window is closed")

    async with kept(shelf(Warehouse(), TWO), tmp_path) as graph:
        assert (await run(graph, "count", on_event=tell)).outcome == "answered"
    assert len(seen) == 1
    assert "on_event failed" in caplog.text


@tool
async def approve(sku: str) -> str:
    """Ask a person."""
    return f"{sku}: {interrupt(f'May I scrap {sku}?')}"


async def test_a_question_is_no_end_and_no_stop(tmp_path: Path) -> None:
    warehouse = Warehouse()
    tools = [*warehouse.domain().tools, approve]
    plan = planning(call("nuts", "count", sku="nut"), call("ask", "approve", sku="bolt"))
    async with kept(shelf(warehouse, plan, tools=tools), tmp_path) as graph:
        asked = await run(graph, "scrap bolts", thread_id="t")
        assert (asked.outcome, asked.answer, asked.can_resume) == ("awaiting_approval", "May I scrap bolt?", True)
        assert asked.unfinished == ["ask"]
        assert (await go_on(graph, "t")).outcome == "awaiting_approval"
        done = await go_on(graph, "t", reply="yes")
        assert (done.outcome, done.results["ask"]["data"]) == ("answered", "bolt: yes")
    assert warehouse.ran() == ["count:nut"]


async def test_a_process_that_dies_while_it_stops_loses_nothing(tmp_path: Path) -> None:
    agent = HeldAgent("second wave")
    async with kept(agent.graph(), tmp_path) as graph:
        running = asyncio.ensure_future(run(graph, "bolts?", thread_id="t"))
        await agent.held.reached.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await graph.aupdate_state({"configurable": {"thread_id": "t"}}, None, as_node="__end__")
        done = await go_on(graph, "t")
    assert (done.outcome, done.tools_executed) == ("answered", 4)


async def test_settings_of_a_resume_are_its_own_and_its_limits_are_not(tmp_path: Path) -> None:
    warehouse = Warehouse().on("count", "nut", Pause(HANGS_S))
    async with kept(shelf(warehouse, TWO), tmp_path) as graph:
        await stopped(graph, warehouse, "count:nut", settings={"max_tool_calls": 2})
        with pytest.raises(SettingsError, match="unknown setting 'max_tols'"):
            await go_on(graph, "t", settings={"max_tols": 1})
        assert (await go_on(graph, "t", settings={"language": "he", "max_tool_calls": 9})).outcome == "answered"
        state = (await whole_state(graph).aget_state({"configurable": {"thread_id": "t"}})).values
        assert state["limits"]["max_tool_calls"] == 2


async def test_a_stream_ends_with_the_result_and_leaving_it_stops_the_request(tmp_path: Path) -> None:
    warehouse = Warehouse().on("count", "nut", Pause(HANGS_S))
    async with kept(shelf(warehouse, TWO, TWO), tmp_path) as graph:
        parts = wavegraph.stream(graph, "count", thread_id="t")
        async for part in parts:
            if not isinstance(part, Result) and part["event"] == "tool_started":
                break
        await parts.aclose()  # type: ignore[attr-defined]
        row = await read_row(graph.store, "t")
        assert row is not None
        assert (row.outcome, row.can_resume) == ("cancelled", True)
        handle = CancelHandle()
        told: list[Any] = [part async for part in wavegraph.stream(graph, "count", thread_id="t", cancel=handle)]
        *events, result = told
        assert isinstance(result, Result)
        assert (result.outcome, handle.cancelled) == ("answered", False)
        assert {"plan_created", "answer_checked"} <= {event["event"] for event in events}


async def test_a_graph_that_is_not_ours_stops_too(tmp_path: Path) -> None:
    began = asyncio.Event()

    async def slow(state: MessagesState) -> Any:
        began.set()
        await asyncio.sleep(HANGS_S)

    foreign: Any = StateGraph(MessagesState)
    foreign.add_node("slow", slow)
    foreign.add_edge(START, "slow")
    async with kept(foreign, tmp_path) as graph:
        handle = CancelHandle()
        running = asyncio.ensure_future(run(graph, "hello", thread_id="t", cancel=handle))
        await began.wait()
        handle.cancel()
        result = await running
        assert (result.outcome, result.can_resume) == ("cancelled", True)
        assert result.answer == "Stopped, as you asked. Nothing is known yet."


async def test_an_agent_that_a_write_calls_is_stopped_with_the_write(tmp_path: Path) -> None:
    """As any write that had begun, it may have happened: its own agent's stop is no answer to it."""
    warehouse = Warehouse().on("count", "bolt", Pause(HANGS_S))
    inner = shelf(warehouse, planning(call("bolts", "count", sku="bolt"))).compile()

    @tool
    async def order(item: str) -> str:
        """Have another agent order it."""
        return str((await inner.ainvoke({"messages": [item]}))["answer"])

    outer = build_graph(Domain(name="desk", tools=[write(order)], checks={}), planner=ScriptedPlanner(ORDER))
    async with kept(outer, tmp_path) as graph:
        handle = CancelHandle()
        work = asyncio.ensure_future(run(graph, "order bolts", thread_id="t", cancel=handle))
        await until(warehouse, "count:bolt")
        handle.cancel()
        known = await work
    assert (known.outcome, known.results["order"]["error"]["code"]) == ("cancelled", "write_unknown")


ORDER = planning(call("order", "order", item="bolts"))


@dataclass
class _Odd:
    a: int = 1


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"thread_id": 7}, "thread_id = 7 is not text; give '7'"),
        ({"thread_id": 0}, "thread_id = 0 is not text"),
        ({"user_id": 7}, "user_id = 7 is not text"),
        ({"settings": _Odd()}, r"settings = _Odd\(a=1\) is of the wrong kind \(_Odd\): give a dict of settings"),
        ({"settings": [1]}, r"settings = \[1\] is of the wrong kind \(list\): give a dict"),
        ({"request": {"messages": []}}, r"request = \{'messages': \[\]\}: give the person's words as text"),
        ({"request": None}, "request = None: give the person's words"),
        (
            {"graph": Warehouse().domain()},
            r"graph = Domain\(.* is not a compiled graph: give what create_agent returns",
        ),
        ({"graph": build_graph(Warehouse().domain())}, "is not a compiled graph: call .compile"),
    ],
    ids=[
        "thread",
        "thread 0",
        "user",
        "settings",
        "settings in a list",
        "a whole input",
        "no request",
        "domain",
        "not compiled",
    ],
)
async def test_an_argument_of_the_wrong_kind_is_named(given: Any, named: str) -> None:
    usual: dict[str, Any] = {"graph": shelf(Warehouse()).compile(), "request": "count"}
    with pytest.raises(SettingsError, match=named):
        await run(**{**usual, **given})


def test_a_conversation_is_with_a_domain() -> None:
    graph: Any = shelf(Warehouse()).compile()
    with pytest.raises(SettingsError, match=r"is not a Domain; for an agent of create_agent use wavegraph\.run"):
        Conversation(graph)
