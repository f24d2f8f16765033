"""A write that nothing can look up, whose process ends while it is sent, or which several runs take up at once."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command
from patience import HANGS_S, not_hanging
from runs import wait

from wavegraph import AnswerView, Domain, PlanningResult, PlanningView, build_graph, create_agent, open_storage, write
from wavegraph.graph.execution import write as sending
from wavegraph.graph.execution.write import SENDING, notes_of
from wavegraph.graph.state import key_of
from wavegraph.testing import ScriptedModel, call, planning

ON_T: Any = {"configurable": {"thread_id": "t"}}


class PowerCut(BaseException):
    """Nothing catches it, as nothing does after a power cut."""


class Offline:
    def plan(self, view: PlanningView) -> PlanningResult:
        return planning(call("one", "send"))

    def respond(self, view: AnswerView) -> str:
        return "done"


async def found_nowhere(args: Any, settings: Any) -> None:
    """A look-up."""


def graph(sent: list[int], store: Any, saver: Any, **declared: Any) -> Any:
    async def send() -> str:
        """Send something."""
        sent.append(1)
        if len(sent) == 1:
            raise PowerCut
        return "sent"

    domain = Domain(name="post", tools=[write(send, **declared)], offline=Offline())
    return build_graph(domain).compile(checkpointer=saver, store=store)


async def cut_off_and_gone_on(store: Any, *, same_process: bool = False, **declared: Any) -> tuple[int, dict[str, Any]]:
    """How often it was sent, and the outcome of the call."""
    sent: list[int] = []
    made = graph(sent, store, InMemorySaver(), **declared)
    config = {"configurable": {"thread_id": "t"}}
    with pytest.raises(PowerCut):
        await made.ainvoke({"messages": "send it"}, config, durability="sync")
    if not same_process:
        sending._sent.clear()
    done = await made.ainvoke(None, config, durability="sync")
    return len(sent), done["results"]["one"]


def test_it_is_not_sent_again() -> None:
    times, outcome = asyncio.run(cut_off_and_gone_on(InMemoryStore()))
    assert times == 1
    assert (outcome["status"], outcome["error"]["code"]) == ("error", "write_unknown")


@pytest.mark.parametrize(("store", "declared"), [(None, {}), (InMemoryStore(), {"repeatable": True})])
def test_without_a_store_or_where_it_may_be_repeated_it_is(store: Any, declared: Any) -> None:
    times, outcome = asyncio.run(cut_off_and_gone_on(store, **declared))
    assert (times, outcome["status"]) == (2, "ok")


class Broken(InMemoryStore):
    """Keeps nothing any more."""

    async def abatch(self, ops: Any) -> Any:
        raise OSError("the disk is gone")


def test_a_store_that_fails_keeps_it_from_being_sent() -> None:
    sent: list[int] = []
    ended = asyncio.run(graph(sent, Broken(), InMemorySaver()).ainvoke({"messages": "send it"}, ON_T))
    error = ended["results"]["one"]["error"]
    assert (sent, error["code"], error["retryable"]) == ([], "not_noted", True)
    assert "send was not sent" in error["message"]
    assert "disk" not in error["message"]


@pytest.mark.parametrize("declared", [{"repeatable": True}, {"look_up": found_nowhere}])
def test_a_store_that_fails_keeps_none_that_can_be_looked_up_or_repeated(declared: Any) -> None:
    times, outcome = asyncio.run(cut_off_and_gone_on(Broken(), **declared))
    assert (times, outcome["status"]) == (2, "ok")


@pytest.mark.parametrize("known", ["task", "call"])
def test_the_note_of_an_earlier_version_counts(known: str) -> None:
    sent: list[int] = []
    store = InMemoryStore()
    made = graph(sent, store, InMemorySaver())

    async def cut_off_there_and_gone_on_here() -> dict[str, Any]:
        with pytest.raises(PowerCut):
            await made.ainvoke({"messages": "send it"}, ON_T, durability="sync")
        sending._sent.clear()
        [note] = await store.asearch(notes_of("t"))
        [task] = (await made.aget_state(ON_T)).tasks
        await store.adelete(note.namespace, note.key)
        names = {"task": task.id, "call": note.key}
        await store.aput(SENDING, key_of("t"), {known: names[known]})
        return dict((await made.ainvoke(None, ON_T, durability="sync"))["results"]["one"])

    outcome = asyncio.run(cut_off_there_and_gone_on_here())
    assert (len(sent), outcome["error"]["code"]) == (1, "write_unknown")


async def test_each_call_has_a_note_of_its_own() -> None:
    """Whoever takes the first call up late, after others of the thread were sent, does not send it again."""
    sent: list[str] = []

    async def send(to: str) -> str:
        """Send something."""
        sent.append(to)
        return "sent"

    class Both(Offline):
        def plan(self, view: PlanningView) -> PlanningResult:
            return planning(call("one", "send", to="Ada"), call("two", "send", to="Ben"))

    domain = Domain(name="post", tools=[write(send)], offline=Both())
    async with open_storage(":memory:") as storage:
        for store in (storage.store, InMemoryStore()):
            made = build_graph(domain).compile(checkpointer=InMemorySaver(), store=store)
            await made.ainvoke({"messages": "send both"}, ON_T, durability="sync")
            *_, first = [at async for at in made.aget_state_history(ON_T) if at.next == ("execute_wave",)]
            sending._sent.clear()
            late = await made.ainvoke(None, first.config, durability="sync")
            assert sent == ["Ada", "Ben"]
            assert late["results"]["one"]["error"]["code"] == "write_unknown"
            sent.clear()


def test_in_the_same_process_it_needs_no_store() -> None:
    times, outcome = asyncio.run(cut_off_and_gone_on(None, same_process=True))
    assert (times, outcome["error"]["code"]) == (1, "write_unknown")


# Several at once


YES: Any = Command(resume="yes")
BY_RULES: Any = {"answer_check": "rules"}


class Desk:
    """An agent whose one write asks first, takes its time, and counts."""

    def __init__(self, **declared: Any) -> None:
        self.sent: list[str] = []
        self.declared = declared

    def agent(self, saver: Any, store: Any = None) -> Any:
        async def book(room: str) -> str:
            """Book."""
            self.sent.append(room)
            await asyncio.sleep(0.2)
            return f"booked {room}"

        model = ScriptedModel(planning(call("a", "book", room="7")), *["Room 7 is booked."] * 4)
        tools = [write(book, **self.declared)]
        return create_agent(model, tools, approve={"book": True}, checkpointer=saver, store=store)


@pytest.mark.parametrize("declared", [{}, {"look_up": found_nowhere}], ids=["blind", "looked up"])
def test_two_yes_at_once_send_it_once(declared: Any) -> None:
    desk = Desk(**declared)
    agent = desk.agent(InMemorySaver())

    async def both() -> list[Any]:
        await agent.ainvoke({"messages": "room 7"}, ON_T, context=BY_RULES)
        return await asyncio.gather(*(agent.ainvoke(YES, ON_T, context=BY_RULES) for _ in range(2)))

    ended = wait(both())
    assert desk.sent == ["7"]
    assert [each["results"]["a"]["data"] for each in ended] == ["booked 7"] * 2


def test_two_yes_from_two_threads_send_it_once() -> None:
    desk = Desk()
    agent = desk.agent(InMemorySaver())
    agent.invoke({"messages": "room 7"}, ON_T, context=BY_RULES)
    threads = [threading.Thread(target=agent.invoke, args=(YES, ON_T), kwargs={"context": BY_RULES}) for _ in range(2)]
    with not_hanging():
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert desk.sent == ["7"]


async def test_two_that_share_but_the_database_send_it_once(tmp_path: Path) -> None:
    """As two processes do: each has savers of its own."""
    desk, path = Desk(), str(tmp_path / "desk.db")
    async with open_storage(path) as one, open_storage(path) as other:
        agents = [desk.agent(each.checkpointer, each.store) for each in (one, other)]
        await agents[0].ainvoke({"messages": "room 7"}, ON_T, context=BY_RULES)
        ended = await asyncio.gather(
            *(each.ainvoke(YES, ON_T, context=BY_RULES) for each in agents), return_exceptions=True
        )
    assert desk.sent == ["7"]
    codes = [each["results"]["a"]["error"] for each in ended if isinstance(each, dict)]
    assert {(each or {"code": ""})["code"] for each in codes} <= {"", "write_unknown"}


def test_what_has_ended_is_kept_in_bounds() -> None:
    sent: sending._Sent = {}
    for n in range(sending.MOST_ENDED + 5):
        sent[str(n)] = Future()
        sending._end(sent, str(n), None, keeps=True)
    assert "6" in sent
    assert "0" not in sent


# Ctrl-C in a synchronous call


@pytest.fixture
def heeds_ctrl_c() -> Iterator[None]:
    """A process that was begun in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeds_ctrl_c")
def test_after_ctrl_c_it_is_not_sent_again() -> None:
    sent: list[str] = []
    goes_on = threading.Event()

    def book(room: str) -> str:
        """Book."""
        sent.append(room)
        os.kill(os.getpid(), signal.SIGINT)
        goes_on.wait(HANGS_S)
        return "booked"

    model = ScriptedModel(planning(call("a", "book", room="7")), *["It is not known."] * 4)
    agent = create_agent(model, [write(book)], checkpointer=InMemorySaver())
    with not_hanging(), pytest.raises(KeyboardInterrupt):
        agent.invoke({"messages": "room 7"}, ON_T, context=BY_RULES)
    with not_hanging():
        ended = agent.invoke(None, ON_T, context=BY_RULES)
    goes_on.set()
    assert (sent, ended["results"]["a"]["error"]["code"]) == (["7"], "write_unknown")


def test_a_tool_that_quits_ends_its_own_call_alone() -> None:
    sent: list[str] = []

    def book(room: str) -> str:
        """Book."""
        sent.append(room)
        raise KeyboardInterrupt

    model = ScriptedModel(planning(call("a", "book", room="7")), *["It is not known."] * 4)
    agent = create_agent(model, [write(book)], checkpointer=InMemorySaver())
    with not_hanging(), pytest.raises(KeyboardInterrupt):
        agent.invoke({"messages": "room 7"}, ON_T, context=BY_RULES)
    with not_hanging():
        ended = agent.invoke(None, ON_T, context=BY_RULES)
    assert (sent, ended["results"]["a"]["error"]["code"]) == (["7"], "write_unknown")
