"""An agent's reads, offered singly."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import pytest

pytest.importorskip("mcp", reason="the extra wavegraph[mcp] is not installed")

from langchain_core.tools import InjectedToolArg, StructuredTool, tool
from langgraph.prebuilt import InjectedStore
from mcp import MCPError
from offering import offered, text_of
from patience import HANGS_S
from pydantic import BaseModel
from warehouse import Clerk, Raw, Warehouse

from wavegraph import Domain, Limits, build_graph, read, write
from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.events import progress
from wavegraph.graph.guard.cards import MARK as CARD_MARK
from wavegraph.graph.secrets.scrubber import MARK as SECRET_MARK
from wavegraph.graph.secrets.scrubber import process
from wavegraph.graph.settings import Settings
from wavegraph.testing import planning

CARD = "4111111111111111"
KEY = "Zq7xVb2nM9kLpT4wRs8uYd3f"


def domain_of(*tools: Any, **more: Any) -> Domain:
    clerk = Clerk(lambda view: planning(action="clarify", reply="What?"))
    return Domain(name="own", tools=tools, offline=clerk, **more)


async def test_reads_are_offered_and_no_write_is(tmp_path: Path) -> None:
    async with offered("hotel", tmp_path) as caller:
        tools = await caller.tools()
        with pytest.raises(MCPError, match="no tool 'create_booking' is offered"):
            await caller.call("create_booking", quote_id="Q-1", guest_name="Ada", guest_email="a@b.c")
    assert list(tools) == ["ask", "resolve_date_hint", "get_holiday", "get_availability", "find_open_stays",
                           "get_rooms_info", "get_hotel_info", "quote_stay"]  # fmt: skip
    hints = {tool.annotations.read_only_hint for name, tool in tools.items() if name != "ask"}
    assert hints == {True}
    assert {tool.output_schema["type"] for tool in tools.values()} == {"object"}


async def test_a_read_whose_arguments_a_person_must_give_is_not_offered(tmp_path: Path) -> None:
    def owner(name: str) -> str:
        """Whose it is."""
        return name

    tools = [read(_text), read(owner, sources={"name": "person"})]
    async with offered(domain_of(*tools), tmp_path) as caller:
        assert list(await caller.tools()) == ["ask", "_text"]
        with pytest.raises(MCPError, match="no tool 'owner' is offered"):
            await caller.call("owner", name="Ada")


async def test_a_write_that_does_not_ask_is_not_offered_either(tmp_path: Path) -> None:
    def note(text: str) -> str:
        """Write it down."""
        return text

    async with offered(domain_of(write(note)), tmp_path) as caller:
        assert list(await caller.tools()) == ["ask"]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_results_are_structured_and_fit_what_is_declared(mode: str, tmp_path: Path) -> None:
    async with offered(Warehouse().domain(), tmp_path, mode) as caller:
        count = await caller.call("count", sku="nut")
        many = await caller.call("listing", kind="x")
        declared = (await caller.tools())["listing"].output_schema
    assert (count.structured_content, text_of(count)) == ({"sku": "nut", "units": 7}, '{"sku": "nut", "units": 7}')
    assert len(many.structured_content["result"]) == 5000
    assert declared == {
        "type": "object",
        "properties": {"result": {"type": "array", "items": {"type": "string"}}},
        "required": ["result"],
    }


class Node(BaseModel):
    name: str
    inner: "list[Node]" = []


def _tree() -> Node:
    """A result that holds its own kind."""
    return Node(name="a", inner=[Node(name="b")])


def _maybe(there: bool = False) -> Node | None:
    """Perhaps nothing."""
    return Node(name="a") if there else None


def _free() -> Any:
    """Anything."""
    return {"a": [1, None, "ו"]}


def _text() -> str:
    """Text."""
    return "שלום 🙂"


RESULTS: dict[str, tuple[Any, dict[str, Any], Any, str]] = {
    "its own kind": (_tree, {}, {"result": {"name": "a", "inner": [{"name": "b", "inner": []}]}}, '{"name": "a"'),
    "nothing": (_maybe, {}, {"result": None}, "null"),
    "an object, perhaps": (_maybe, {"there": True}, {"result": {"name": "a", "inner": []}}, '{"name"'),
    "undeclared": (_free, {}, {"a": [1, None, "ו"]}, '{"a": [1, null, "ו"]}'),
    "text": (_text, {}, {"result": "שלום 🙂"}, "שלום 🙂"),
}


@pytest.mark.parametrize("case", RESULTS)
async def test_every_kind_of_result_reaches_a_client_that_checks_it(case: str, tmp_path: Path) -> None:
    function, given, data, text = RESULTS[case]
    async with offered(domain_of(read(StructuredTool.from_function(function))), tmp_path) as caller:
        found = await caller.call(function.__name__, **given)
    if case == "its own kind":
        data = data["result"] if "name" in found.structured_content else data
    assert (found.is_error, found.structured_content) == (False, data)
    assert text_of(found).startswith(text)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "missing": ({}, "sku"),
    "null": ({"sku": None}, "sku"),
    "of another type": ({"sku": ["nut"]}, "sku"),
    "none of the choices": ({"sku": "nut", "unit": "crate"}, "unit"),
    "unknown": (
        {"sku": "nut", "settings": {"today": "2020-01-01"}},
        "has no argument 'settings'; it has sku, unit, note",
    ),
    "like a reference": ({"sku": {"ref": {"call": "x", "path": "y"}}}, "sku"),
}


@pytest.mark.parametrize("case", BAD)
async def test_arguments_that_do_not_fit_are_told(case: str, tmp_path: Path) -> None:
    given, told = BAD[case]
    warehouse = Warehouse()
    async with offered(warehouse.domain(), tmp_path) as caller:
        result = await caller.call("count", **given)
    assert (result.is_error, warehouse.ran()) == (True, [])
    assert told in text_of(result)


FAILURES: dict[str, tuple[Any, str]] = {
    "a refusal": (
        ToolRefusal("no_such_sku", f"no nut, by the login {KEY}"),
        f"no_such_sku: no nut, by the login {SECRET_MARK}",
    ),
    "an error": (RuntimeError(f"login {KEY}"), "tool_error: count failed with RuntimeError"),
    "another result": (Raw({"sku": "nut", "units": -1}), "unexpected_data: count gave units = -1"),
}


@pytest.mark.parametrize("case", FAILURES)
async def test_a_failure_is_an_error_of_the_tool(case: str, tmp_path: Path) -> None:
    process.learn(KEY)
    act, told = FAILURES[case]
    warehouse = Warehouse().on("count", "nut", act, act)
    async with offered(warehouse.domain(), tmp_path) as caller:
        result = await caller.call("count", sku="nut")
    assert (result.is_error, result.structured_content) == (True, None)
    assert text_of(result).startswith(told)


async def test_a_passing_failure_is_tried_again(tmp_path: Path) -> None:
    warehouse = Warehouse().on("count", "nut", ConnectionError())
    async with offered(warehouse.domain(), tmp_path) as caller:
        assert (await caller.call("count", sku="nut")).structured_content == {"sku": "nut", "units": 7}
    assert warehouse.ran() == ["count:nut", "count:nut"]


async def test_a_read_that_takes_too_long_is_cut(tmp_path: Path) -> None:
    async def wait() -> str:
        """Wait."""
        await asyncio.sleep(HANGS_S)
        return "late"

    async with offered(domain_of(read(wait), limits=Limits(tool_timeout_s=0.05)), tmp_path) as caller:
        result = await caller.call("wait")
    assert (result.is_error, text_of(result)) == (True, "timeout: wait did not end within 0.05 s")


async def test_a_cancelled_read_is_stopped(tmp_path: Path) -> None:
    began, stopped = asyncio.Event(), asyncio.Event()

    async def wait() -> str:
        """Wait."""
        began.set()
        try:
            await asyncio.sleep(HANGS_S)
        finally:
            stopped.set()
        return "late"

    async with offered(domain_of(read(wait), limits=Limits(tool_timeout_s=HANGS_S)), tmp_path) as caller:
        call = asyncio.create_task(caller.call("wait"))
        await began.wait()
        call.cancel()
        await stopped.wait()
        await asyncio.gather(call, return_exceptions=True)


async def test_cards_and_secrets_come_neither_in_nor_out(tmp_path: Path) -> None:
    process.learn(KEY)
    taken: list[str] = []

    def look(name: str) -> dict[str, Any]:
        """Look it up."""
        taken.append(name)
        return {"name": name, "note": f"with {KEY}", "card": f"{CARD[:4]} {CARD[4:8]} {CARD[8:12]} {CARD[12:]}"}

    def number() -> int:
        """A number that may not leave."""
        return int(CARD)

    async with offered(domain_of(read(look), read(number)), tmp_path) as caller:
        found = await caller.call("look", name=f"Ada {CARD}")
        hidden = await caller.call("number")
    assert taken == [f"Ada {CARD_MARK}"]
    assert found.structured_content == {"name": taken[0], "note": f"with {SECRET_MARK}", "card": CARD_MARK}
    assert hidden.is_error
    assert CARD not in text_of(hidden)


async def test_a_read_has_its_settings_its_store_and_its_progress(tmp_path: Path) -> None:
    class Own(Settings):
        branch: str = "north"

    @tool
    async def shelf(row: int, settings: Annotated[Own, InjectedToolArg], store: Annotated[Any, InjectedStore()]) -> str:
        """Look at a shelf."""
        progress("shelf", looked_at=3)
        return f"{settings.branch} on {settings.today}, {await store.aget((), str(row))}"

    domain = domain_of(read(shelf), settings=Own)
    async with offered(domain, tmp_path, today="2026-11-20", branch="south") as caller:
        found = await caller.call("shelf", row=3)
        assert list((await caller.tools())["shelf"].input_schema["properties"]) == ["row"]
    assert found.structured_content == {"result": "south on 2026-11-20, None"}
    assert "shelf looked_at 3" in caller.told


async def test_reads_run_beside_each_other_and_hold_nothing_up(tmp_path: Path) -> None:
    both = asyncio.Barrier(2)

    async def meet(name: str) -> str:
        """Wait for the other."""
        await both.wait()
        return name

    async with offered(domain_of(read(meet)), tmp_path) as caller:
        found = await asyncio.gather(caller.call("meet", name="a"), caller.call("meet", name="b"))
    assert [each.structured_content["result"] for each in found] == ["a", "b"]


async def test_a_graph_round_an_agent_offers_itself_alone(tmp_path: Path) -> None:
    from langgraph.graph import START, MessagesState, StateGraph

    outer = StateGraph(MessagesState)
    outer.add_node("inner", build_graph(domain_of(read(_text))).compile())
    outer.add_edge(START, "inner")
    async with offered(outer, tmp_path) as caller:
        tools = await caller.tools()
        answer = await caller.ask("hm?")
    assert list(tools) == ["ask"]
    assert tools["ask"].annotations.destructive_hint is True
    assert answer.structured_content["answer"] == "What?"
