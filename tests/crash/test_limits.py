"""Bounds on what is read and kept, each told clearly; and threads of other versions of the program."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from crash_driver import ERRAND, Case, errand
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from runs import compiled, human, on_thread
from till import ASK, Till
from warehouse import Warehouse

from wavegraph import SettingsError, build_graph
from wavegraph.app.run.runner import NothingToResume, conversation, resume, run
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.build import whole_state
from wavegraph.graph.ledger import newest_results, results, signature, stored
from wavegraph.graph.limits import RECENT_MESSAGES
from wavegraph.graph.model.planner import planning_message
from wavegraph.graph.request.new_request import check_version
from wavegraph.graph.state import STATE_VERSION, Ledger
from wavegraph.testing import ScriptedPlanner, call, planning

SAMPLE = Path(__file__).with_name("thread_v1.sql")
"""What version 1 stored in SQLite: thread `live`, finished, and `cut`, killed before its second plan."""
WAITING = Path(__file__).with_name("thread_v1_waiting.sql")
"""What version 1 stored of a question about tea for Dana, before a waiting write outlived other requests."""


SHORT: Any = {"max_message_chars": 100, "language": "en"}


@pytest.fixture
def unmasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is looked through for card numbers fails the test."""

    def refuse(value: Any) -> Any:
        raise AssertionError(f"masked: {value!r:.50}")

    for name in ("mask", "mask_json"):
        monkeypatch.setattr(f"wavegraph.app.run.runner.{name}", refuse)


@pytest.mark.usefixtures("unmasked")
@pytest.mark.parametrize(
    ("letter", "settings", "says"),
    [
        ("x", SHORT, "That message has 101 characters, and I can read at most 100. Please send a shorter one."),
        ("ש", {"max_message_chars": 100}, "בהודעה 101 תווים, ואפשר לקרוא עד 100. נא לשלוח הודעה קצרה יותר."),
    ],
)
async def test_a_request_that_is_too_long_is_told_so_unread(
    warehouse: Warehouse, letter: str, settings: Any, says: str
) -> None:
    saver, events = InMemorySaver(), list[Any]()
    graph = compiled(warehouse.domain(), ScriptedPlanner(), checkpointer=saver)
    done = await run(graph, letter * 101, thread_id="t", settings=settings, on_event=events.append)

    assert (done.outcome, done.answer, done.can_resume) == ("clarify", says, False)
    assert (list(saver.list(on_thread())), events) == ([], [])


async def test_a_graph_round_an_agent_reads_no_more(warehouse: Warehouse) -> None:
    inner = compiled(warehouse.domain(), ScriptedPlanner())
    graph = StateGraph(MessagesState).add_node("inner", inner).add_edge(START, "inner").compile()
    done = await run(graph, "x" * 20_001)

    assert done.answer == "That message has 20001 characters, and I can read at most 20000. Please send a shorter one."


async def test_a_question_that_waits_is_put_again_behind_a_request_that_is_too_long() -> None:
    till = Till()
    graph = compiled(till.domain(), checkpointer=InMemorySaver())
    asked = await run(graph, ASK, thread_id="t")
    before = await whole_state(graph).aget_state(on_thread())
    refused = await run(graph, "1. ok " * 3300, thread_id="t", settings={"max_message_chars": 4000})

    assert (refused.outcome, refused.question, refused.can_resume) == ("clarify", asked.question, True)
    assert (await whole_state(graph).aget_state(on_thread())).config == before.config
    assert (await run(graph, "yes", thread_id="t")).outcome == "answered"
    assert len(till.paid) == 1


@pytest.mark.parametrize("reply", ["x" * 101, {"decision": "reject", "reason": "x" * 101}, {"messages": ["x" * 101]}])
async def test_a_reply_that_is_too_long_is_asked_for_again_unread(reply: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    till = Till()
    graph = compiled(till.domain(), checkpointer=InMemorySaver())
    asked = await run(graph, ASK, thread_id="t")
    monkeypatch.setattr("wavegraph.app.run.runner.mask_json", None)
    refused = await resume(graph, "t", reply=reply, settings=SHORT)

    why = "a text has 101 characters, and at most 100 are read (max_message_chars): send a shorter one"
    assert asked.question
    assert refused.question == {**asked.question, "problem": why}
    assert (refused.outcome, refused.can_resume) == ("awaiting_approval", True)
    assert refused.answer == f"{why}\n\n{asked.answer}"
    with pytest.raises(NothingToResume):
        await resume(graph, "another", reply=reply, settings=SHORT)


async def test_messages_that_are_too_many_at_once_are_not_read(warehouse: Warehouse) -> None:
    script = ScriptedPlanner(planning(call("a", "count", sku="bolt")))
    graph = compiled(warehouse.domain(), script)
    many: list[AnyMessage] = [HumanMessage(f"any bolts? {n}") for n in range(501)]

    refused = await graph.ainvoke({"messages": many}, context={"language": "en"})
    assert refused["outcome"] == "clarify"
    assert refused["answer"] == "501 messages came at once, and I can read at most 500. Please send the latest of them."
    answered = await graph.ainvoke({"messages": [*many, AIMessage("Too many."), HumanMessage("any bolts?")]})
    assert answered["outcome"] == "answered"
    script.assert_complete()


LONG = "count the bolts. " * 5000
"""85,000 characters."""


@pytest.mark.parametrize("content", [LONG, [{"type": "text", "text": LONG}], [LONG[:50_000], LONG[50_000:]]])
@pytest.mark.parametrize("language", ["en", "he"])
async def test_of_a_long_message_the_beginning_is_kept_and_nothing_is_read(
    warehouse: Warehouse, content: Any, language: str
) -> None:
    seen: list[str] = []

    def look(view: Any) -> Any:
        seen.append(planning_message(view, {}))
        return planning(call("a", "count", sku="bolt"))

    saver = InMemorySaver()
    graph = compiled(warehouse.domain(), ScriptedPlanner(look, look), checkpointer=saver)
    await graph.ainvoke(human("hello", id="m0"), on_thread(), context={"max_message_chars": 100, "language": language})
    ended = await graph.ainvoke(human(content, id="m1"), on_thread(), context={"language": language})

    assert ended["outcome"] == "clarify"
    assert "85000" in ended["answer"]
    assert "20000" in ended["answer"]
    kept = (await conversation(graph, "t"))[-2]
    assert len(kept.text) <= 20_000
    assert kept.text.startswith("count the bolts. ")
    assert kept.text.endswith("[cut: 65,060 more characters]")
    written = [cell for step in saver.writes.values() for row in step.values() for cell in row]
    blobs = [cell[1] for cell in [*written, *saver.blobs.values()] if isinstance(cell, tuple)]
    assert any(LONG[:10_000].encode() in blob for blob in blobs)
    assert all(LONG[:20_001].encode() not in blob for blob in blobs)

    assert (await run(graph, "any bolts?", thread_id="t")).outcome == "answered"
    assert "count the bolts" not in seen[-1]


async def test_a_message_of_exactly_the_limit_is_read(warehouse: Warehouse) -> None:
    for letter in ("a", "א", "😀", "e\u0301"):
        script = ScriptedPlanner(planning(call("a", "count", sku="bolt")))
        text = (letter * 20_000)[:20_000]
        done = await run(compiled(warehouse.domain(), script), text)
        assert done.outcome == "answered"
        over = await run(compiled(warehouse.domain(), ScriptedPlanner()), text + "?")
        assert "20001" in over.answer


async def test_a_history_counts_up_to_the_last_answer(warehouse: Warehouse) -> None:
    script = ScriptedPlanner(planning(call("a", "count", sku="bolt")))
    graph = compiled(warehouse.domain(), script)
    long, short = HumanMessage(LONG), HumanMessage("any bolts?")

    answered = await graph.ainvoke({"messages": [long, AIMessage("That is too long."), short]})
    refused = await graph.ainvoke({"messages": [long, short]})

    assert answered["outcome"] == "answered"
    assert "85000" in refused["answer"]


async def test_a_long_message_that_an_earlier_version_stored_is_not_read(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def look(view: Any) -> Any:
        seen.append(planning_message(view, {}))
        return planning(call("a", "count", sku="bolt"))

    graph = compiled(warehouse.domain(), ScriptedPlanner(look), checkpointer=InMemorySaver())
    with monkeypatch.context() as earlier:
        earlier.setattr("wavegraph.graph.state.cut_message", lambda message: message)
        await graph.ainvoke(human(LONG, id="m1"), on_thread())
    ended = await run(graph, "any bolts?", thread_id="t")

    assert (ended.outcome, "count the bolts" in seen[-1]) == ("answered", False)
    assert (await conversation(graph, "t"))[0].text == LONG


def test_a_result_that_is_too_large_is_refused(warehouse: Warehouse) -> None:
    script = ScriptedPlanner(planning(call("all", "listing", kind="bolt"), call("one", "count", sku="bolt")))
    settings = {"max_result_bytes": 10_000, "max_adaptations": 0}
    done = asyncio.run(run(compiled(warehouse.domain(), script), "list them", settings=settings))

    assert done.outcome == "partial"
    assert done.results["all"]["data"] is None
    error = done.results["all"]["error"]
    assert error["code"] == "too_large"
    assert error["message"] == "listing gave a result of 65,001 bytes, but at most 10,000 are kept; ask it for less"
    [issue] = done.issues
    assert (issue["tool_id"], error["message"] in issue["message"]) == ("all", True)
    assert done.results["one"]["status"] == "ok"


async def test_a_model_sees_the_latest_messages_only(warehouse: Warehouse) -> None:
    seen: list[str] = []

    def look(view: Any) -> Any:
        seen.append(planning_message(view, {}))
        return planning(call("a", "count", sku="bolt"))

    earlier = [kind(f"number-{n:03} ") for n in range(30) for kind in (HumanMessage, AIMessage)]
    graph = compiled(warehouse.domain(), ScriptedPlanner(look), checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}

    await graph.aupdate_state(config, {"messages": earlier}, as_node="__start__")
    await run(graph, "any bolts?", thread_id="t")
    assert [f"number-{n:03}" in seen[0] for n in range(30)] == [n >= 30 - RECENT_MESSAGES // 2 for n in range(30)]


def test_of_the_request_before_only_so_much_is_kept() -> None:
    ledger: Ledger = {"calls": {}, "outcomes": {}, "artifacts": {}}
    for name, data in (("old", "x" * 900), ("large", "y" * 20_000), ("new", {"artifact": ["not", "a", "key"]})):
        planned: Any = {"id": name, "tool": name, "args": {}, "effect": "read", "plan": 1}
        kept, artifacts = stored(data)
        ledger["calls"][name] = planned
        ledger["outcomes"][signature(name, {})] = {"tool": name, "data": kept, "status": "ok", "args": {}}  # type: ignore[typeddict-item]
        ledger["artifacts"].update(artifacts)

    assert list(results(newest_results(ledger, 30_000))) == ["old", "large", "new"]
    some = newest_results(ledger, 1000)
    assert (list(some["calls"]), list(results(some)), some["artifacts"]) == (
        ["old", "large", "new"],
        ["old", "new"],
        {},
    )


def _sample(folder: Path) -> str:
    database = folder / "sample.db"
    with sqlite3.connect(database) as connection:
        connection.executescript(SAMPLE.read_text(encoding="utf-8"))
    connection.close()
    return str(database)


async def test_threads_of_version_1_open(tmp_path: Path) -> None:
    case = Case("now", "", tmp_path)

    async with open_storage(_sample(tmp_path)) as kept:
        graph = build_graph(errand(case)).compile(checkpointer=kept.checkpointer, store=kept.store)
        live = (await whole_state(graph).aget_state({"configurable": {"thread_id": "live"}})).values
        assert (live["version"], live["outcome"]) == (1, "answered")
        cut = await resume(graph, "cut")
        assert (cut.outcome, cut.answer, cut.tools_executed) == ("answered", live["answer"], 4)
        after = await run(graph, ERRAND, thread_id="live")
        assert after.outcome == "answered"
        assert len(await conversation(graph, "live")) == 4
    assert case.folder.joinpath("now.journal").read_text(encoding="utf-8").split("\n")[0] == "start order"


async def test_a_thread_of_a_newer_version_is_refused_and_left_alone(warehouse: Warehouse) -> None:
    graph = compiled(
        warehouse.domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt"))), checkpointer=InMemorySaver()
    )
    config: Any = {"configurable": {"thread_id": "t"}}
    both = f"version {STATE_VERSION + 1} .* version {STATE_VERSION}"

    await run(graph, "one", thread_id="t")
    await graph.aupdate_state(config, {"version": STATE_VERSION + 1}, as_node="check_answer")
    before = (await whole_state(graph).aget_state(config)).config
    with pytest.raises(SettingsError, match=both):
        await run(graph, "two", thread_id="t")
    assert (await whole_state(graph).aget_state(config)).config == before
    with pytest.raises(SettingsError, match=both):
        await graph.ainvoke({"messages": [HumanMessage("two")]}, config)


def test_a_thread_from_before_there_were_versions_opens() -> None:
    check_version({})
    check_version({"version": None})


@pytest.mark.parametrize("asides", [0, 1, 2])
async def test_a_question_of_the_version_before_can_be_answered_also_after_other_requests(
    tmp_path: Path, asides: int
) -> None:
    database = tmp_path / "waiting.sqlite"
    with sqlite3.connect(database) as connection:
        connection.executescript(WAITING.read_text(encoding="utf-8"))
    till = Till()
    async with open_storage(str(database)) as storage:
        graph = compiled(till.domain(), checkpointer=storage.checkpointer, store=storage.store)
        shown = None
        for _ in range(asides):
            aside = await run(graph, "hello", thread_id="t")
            assert aside.question
            shown = aside.question["terms_hash"]
        if not shown:  # that version asked outside the conversation
            asked = await run(graph, "yes", thread_id="t")
            assert (asked.outcome, till.paid) == ("awaiting_approval", [])
            assert asked.answer.startswith("tea for 4 coins")
        ended = await run(graph, "yes", thread_id="t", shown=shown)

    assert (ended.outcome, ended.answer, ended.question) == ("answered", "paid 4, receipt 1", None)
    assert len(till.paid) == 1
