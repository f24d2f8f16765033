"""The whole agent as one tool of an MCP server."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra wavegraph[mcp] is not installed")

from jsonschema import Draft202012Validator
from langgraph.checkpoint.memory import InMemorySaver
from offering import offered, text_of
from stopping import HeldAgent
from till import ASK, QUESTION, Till
from warehouse import Clerk, Warehouse

from wavegraph import Domain, build_graph, create_agent, read, resume, run
from wavegraph.app.offer.asking import REPLY_SCHEMA
from wavegraph.app.run.threads import read_row
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.guard.cards import MARK as CARD_MARK
from wavegraph.graph.secrets.scrubber import MARK as SECRET_MARK
from wavegraph.graph.secrets.scrubber import process
from wavegraph.testing import ScriptedModel, ScriptedPlanner, call, planning

CARD = "4111 1111 1111 1111"
KEY = "Zq7xVb2nM9kLpT4wRs8uYd3f"
MODES = ["legacy", "auto"]
"""Clients of the handshake, and those of the protocol without one."""


@pytest.mark.parametrize("mode", MODES)
async def test_a_request_is_answered_and_its_thread_goes_on(mode: str, tmp_path: Path) -> None:
    till = Till()
    async with offered(till.domain(), tmp_path, mode) as caller:
        asked = await caller.ask(ASK)
        thread = asked.structured_content["thread"]
        assert (asked.is_error, asked.structured_content["outcome"], till.paid) == (False, "awaiting_approval", [])
        assert asked.structured_content["question"] == {
            "text": QUESTION, "tool": "pay", "args": {"item": "tea", "who": "Dana"}, "agree_with": "yes",
            "by_asker": True, "choices": {}, "valid_until": None,
        }  # fmt: skip
        assert text_of(asked).startswith(QUESTION)
        assert f"thread: {thread}; only if the person agrees, send 'yes' on this thread, else 'no'" in text_of(asked)

        agreed = await caller.ask("yes", thread)
        assert agreed.structured_content["thread"] == thread
        assert (agreed.structured_content["outcome"], agreed.structured_content["answer"]) == (
            "answered",
            "paid 4, receipt 1",
        )
        assert [receipt.who for receipt in till.paid] == ["Dana"]
        for result in (asked, agreed):
            Draft202012Validator(REPLY_SCHEMA).validate(result.structured_content)


async def test_a_no_writes_nothing_and_a_yes_elsewhere_neither(tmp_path: Path) -> None:
    till = Till()
    async with offered(till.domain(), tmp_path) as caller:
        asked = await caller.ask(ASK)
        elsewhere = await caller.ask("yes", "elsewhere")
        assert elsewhere.structured_content["outcome"] == "clarify"
        unrelated = await caller.ask("what is there?", asked.structured_content["thread"])
        assert unrelated.structured_content["outcome"] == "clarify"
        assert unrelated.structured_content["question"]["agree_with"].startswith("yes ")
        assert "tea for 4 coins" not in text_of(unrelated)
        again = await caller.ask("yes", asked.structured_content["thread"])
        assert again.structured_content["question"]["agree_with"] == "yes"
        assert "tea for 4 coins" in text_of(again)
        refused = await caller.ask("no", asked.structured_content["thread"])
        assert refused.structured_content["question"] is None
    assert till.paid == []


async def test_an_empty_request_shows_what_waits_and_agrees_to_nothing(tmp_path: Path) -> None:
    till = Till()
    async with offered(till.domain(), tmp_path) as caller:
        thread = (await caller.ask(ASK)).structured_content["thread"]
        shown = await caller.ask("", thread)
    assert (shown.structured_content["outcome"], till.paid) == ("awaiting_approval", [])
    assert shown.structured_content["question"]["text"] == QUESTION


async def test_an_agent_of_five_lines_is_offered_too(tmp_path: Path) -> None:
    stock, booked = {"tea": 4}, list[str]()

    def price(item: str) -> int:
        """The price of an item."""
        return stock[item]

    def order(item: str) -> str:
        """Order an item."""
        booked.append(item)
        return f"ordered {item}"

    model = ScriptedModel(planning(call("o", "order", item="tea")), "Tea is ordered.")
    agent = create_agent(model, [read(price), order], approve={"order": "Order {item}"}, checkpointer=InMemorySaver())
    async with offered(agent.builder, tmp_path) as caller:
        assert list(await caller.tools()) == ["ask", "price"]
        assert (await caller.call("price", item="tea")).structured_content == {"result": 4}
        asked = (await caller.ask("tea, please")).structured_content
        assert (asked["outcome"], booked) == ("awaiting_approval", [])
        assert asked["question"]["text"].startswith("Order tea")
        done = (await caller.ask("yes", asked["thread"])).structured_content
    assert (done["answer"], booked) == ("Tea is ordered.", ["tea"])


async def test_changed_terms_need_a_yes_that_names_them(tmp_path: Path) -> None:
    till = Till()
    async with offered(till.domain(), tmp_path) as caller:
        thread = (await caller.ask(ASK)).structured_content["thread"]
        till.prices["tea"] = 40
        again = (await caller.ask("yes", thread)).structured_content
        assert (again["outcome"], till.paid) == ("awaiting_approval", [])
        assert again["question"]["agree_with"].startswith("yes ")
        await caller.ask("yes", thread)
        assert till.paid == []
        done = await caller.ask(again["question"]["agree_with"], thread)
        assert (done.structured_content["answer"], len(till.paid)) == ("paid 40, receipt 1", 1)


async def test_where_somebody_else_decides_a_yes_writes_nothing(tmp_path: Path) -> None:
    till = Till(by_asker=False)
    async with offered(till.domain(), tmp_path) as caller:
        asked = await caller.ask(ASK)
        thread = asked.structured_content["thread"]
        assert asked.structured_content["question"]["by_asker"] is False
        assert f"somebody else decides this, with: wavegraph approvals approve {thread} --domain own:graph" in text_of(
            asked
        )
        await caller.ask("yes", thread)
    assert till.paid == []


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "request"),
    "a number": ({"request": 7}, "request"),
    "null": ({"request": None}, "request"),
    "an empty request": ({"request": " "}, "the request is empty"),
    "an unknown key": ({"request": "x", "approve": True}, "approve"),
    "a thread that is no text": ({"request": "x", "thread": 7}, "thread"),
    "a thread with a card": ({"request": "x", "thread": CARD}, "no card number"),
    "a thread with a NUL": ({"request": "x", "thread": "a\0b"}, "cannot be stored"),
    "a long thread": ({"request": "x", "thread": "t" * 201}, "thread"),
    "nothing to resume": ({"request": "", "thread": "never"}, "unknown here"),
}


@pytest.mark.parametrize("case", BAD)
async def test_what_cannot_be_taken_is_an_error_of_the_tool(case: str, tmp_path: Path) -> None:
    given, told = BAD[case]
    async with offered(Till().domain(), tmp_path) as caller:
        result = await caller.call("ask", **given)
    assert result.is_error
    assert told in text_of(result)
    assert "Traceback" not in text_of(result)


@pytest.mark.parametrize("thread", [None, "", "  "])
async def test_without_a_thread_each_request_has_its_own(thread: str | None, tmp_path: Path) -> None:
    async with offered(Till().domain(), tmp_path) as caller:
        ended = [await caller.call("ask", request="hm?", thread=thread) for _ in range(2)]
    assert len({result.structured_content["thread"] for result in ended}) == 2


async def test_cards_and_secrets_come_neither_in_nor_out(tmp_path: Path) -> None:
    process.learn(KEY)
    seen: list[str] = []

    def plan(view: Any) -> Any:
        seen.append(view.request["text"])
        return planning(call("s", "search", kind=f"key {KEY}"), action=f"with {KEY}")

    warehouse = Warehouse()
    told_as_it_is = Clerk(plan, lambda view: f"charge {CARD} with {KEY}")
    domain = warehouse.domain(offline=told_as_it_is)
    async with offered(domain, tmp_path) as caller:
        result = await caller.ask(f"my card is {CARD}")
    told = f"{text_of(result)} {result.structured_content} {caller.told}"
    assert CARD_MARK in seen[0]
    assert CARD not in f"{seen} {told}"
    assert KEY not in told
    assert {CARD_MARK in told, SECRET_MARK in told} == {True}


async def test_progress_tells_the_thread_first_then_each_step(tmp_path: Path) -> None:
    plan = planning(call("n", "count", sku="nut"))
    async with offered(build_graph(Warehouse().domain(), planner=ScriptedPlanner(plan)), tmp_path) as caller:
        await caller.ask("nuts?", "mine")
    assert caller.told[0] == "thread mine"
    assert caller.told[1].startswith("● plan 1: ")
    assert caller.told[2] == "▸ wave 1: n"
    assert caller.told[3].startswith("✓ n")


@pytest.mark.parametrize("mode", MODES)
async def test_a_cancel_keeps_what_was_finished_and_the_next_call_goes_on(mode: str, tmp_path: Path) -> None:
    agent = HeldAgent("second wave")
    async with offered(agent.graph(), tmp_path, mode) as caller:
        call = asyncio.create_task(caller.ask("bolts?", "t"))
        await agent.held.reached.wait()
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        done = await caller.ask("", "t")
    assert done.structured_content["outcome"] == "answered"
    assert done.structured_content["answer"] == "belt: 12 units"
    assert agent.warehouse.ran("search") == ["search:bolt"]


async def test_a_client_that_goes_leaves_a_request_that_can_be_resumed(tmp_path: Path) -> None:
    agent = HeldAgent("first wave")
    async with offered(agent.graph(), tmp_path) as caller:
        call = asyncio.create_task(caller.ask("bolts?", "t"))
        await agent.held.reached.wait()
    await asyncio.gather(call, return_exceptions=True)
    async with open_storage(str(tmp_path / "threads.db")) as storage:
        graph = agent.graph().compile(checkpointer=storage.checkpointer, store=storage.store)
        row = await read_row(storage.store, "t")
        assert row is not None
        assert (row.outcome, row.can_resume) == ("cancelled", True)
        assert (await resume(graph, "t")).answer == "belt: 12 units"


async def test_the_server_stops_what_is_at_work_and_says_what_it_has(tmp_path: Path) -> None:
    agent = HeldAgent("second wave")
    async with offered(agent.graph(), tmp_path) as caller:
        call = asyncio.create_task(caller.ask("bolts?", "t"))
        await agent.held.reached.wait()
        await caller.offer.stop()
        ended = await call
    assert (ended.structured_content["outcome"], ended.structured_content["can_resume"]) == ("cancelled", True)
    assert "an empty request on this thread goes on with it" in text_of(ended)


async def test_of_two_calls_on_one_thread_the_second_is_told_so(tmp_path: Path) -> None:
    agent = HeldAgent("first wave")
    async with offered(agent.graph(), tmp_path) as caller:
        first = asyncio.create_task(caller.ask("bolts?", "t"))
        await agent.held.reached.wait()
        busy = await caller.ask("bolts?", "t")
        other = await caller.ask("bolts?", "u")
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
    assert busy.is_error
    assert "'t'" in text_of(busy)
    assert other.structured_content["outcome"] == "answered"


async def test_a_failure_is_told_without_its_words(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        name = "broken"

        async def plan(self, view: Any) -> Any:
            raise RuntimeError(f"login {KEY} failed")

    async with offered(build_graph(Warehouse().domain(), planner=Broken()), tmp_path) as caller:
        result = await caller.ask("nuts?")
    assert (result.is_error, text_of(result)) == (True, "it failed (RuntimeError); the log of the server says where")
    assert "a call failed: RuntimeError at " in caplog.text
    assert KEY not in caplog.text


async def test_another_users_thread_is_refused(tmp_path: Path) -> None:
    domain = Till().domain()
    async with open_storage(str(tmp_path / "threads.db")) as storage:
        graph = build_graph(domain).compile(checkpointer=storage.checkpointer, store=storage.store)
        await run(graph, "hm?", thread_id="t", user_id="noa")
    async with offered(domain, tmp_path) as caller:
        result = await caller.ask("hm?", "t")
    assert result.is_error
    assert "belongs to another user" in text_of(result)


@pytest.mark.parametrize(
    ("settings", "most"), [({}, 4000), ({"max_message_chars": 5_000}, 5_000)], ids=["the hotel's own", "set"]
)
async def test_a_request_that_is_too_long_is_refused_unread(
    settings: Any, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with offered("hotel", tmp_path, today="2026-11-21", **settings) as caller:
        taken = await caller.ask("?" * most)
        monkeypatch.setattr("wavegraph.app.offer.server.without_cards", None)
        refused = await caller.ask("רוצה חדר 🙂 " * 10_000)
        read = await caller.call("get_hotel_info", topic="x" * (most + 1))
    assert not taken.is_error
    for result, length in ((refused, 110_000), (read, most + 1)):
        told = f"a text has {length} characters, and at most {most} are read (max_message_chars): send a shorter one"
        assert (result.is_error, text_of(result)) == (True, told)


async def test_what_an_agent_only_reads_is_said_of_it(tmp_path: Path) -> None:
    warehouse = Warehouse()
    count, _, _, _, move, _ = warehouse.tools()
    found = {}
    for name, tools in {"reads": [read(count)], "writes": [read(count), move]}.items():
        folder = tmp_path / name
        folder.mkdir()
        async with offered(warehouse.domain(tools=tools, checks={}), folder) as caller:
            found[name] = (await caller.tools())["ask"]
    hints = {name: (tool.annotations.read_only_hint, tool.annotations.destructive_hint) for name, tool in found.items()}
    assert hints == {"reads": (True, False), "writes": (False, True)}
    assert found["reads"].output_schema == REPLY_SCHEMA
    assert found["reads"].input_schema["required"] == ["request"]


async def test_an_own_tool_named_ask_keeps_its_name(tmp_path: Path) -> None:
    async def ask(question: str) -> str:
        """Ask the shelf."""
        return f"no {question}"

    domain = Domain(
        name="shelf", tools=[read(ask)], offline=Clerk(lambda view: planning(action="clarify", reply="What?"))
    )
    async with offered(domain, tmp_path) as caller:
        assert list(await caller.tools()) == ["ask_agent", "ask"]
        assert (await caller.call("ask", question="bread")).structured_content == {"result": "no bread"}
        assert (await caller.call("ask_agent", request="bread")).structured_content["outcome"] == "clarify"
