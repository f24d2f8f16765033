"""A write that nothing can look up, whose process ends while it is sent, or which several runs take up at once."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command
from patience import not_hanging
from runs import wait

from wavegraph import AnswerView, Domain, PlanningResult, PlanningView, build_graph, create_agent, open_storage, write
from wavegraph.graph.execution import sending
from wavegraph.testing import ScriptedModel, call, planning


class PowerCut(BaseException):
    """Nothing catches it, as nothing does after a power cut."""


class Offline:
    def plan(self, view: PlanningView) -> PlanningResult:
        return planning(call("one", "send"))

    def respond(self, view: AnswerView) -> str:
        return "done"


def graph(sent: list[int], store: Any, saver: Any, **declared: Any) -> Any:
    async def send() -> str:
        """Send something."""
        sent.append(1)
        if len(sent) == 1:
            raise PowerCut
        return "sent"

    domain = Domain(name="post", tools=[write(send, **declared)], offline=Offline(), supports=lambda answer, view: [])
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


def test_a_store_that_fails_does_not_keep_it_from_being_sent() -> None:
    class Broken(InMemoryStore):
        async def abatch(self, ops: Any) -> Any:
            raise OSError("the disk is gone")

    times, outcome = asyncio.run(cut_off_and_gone_on(Broken()))
    assert (times, outcome["status"]) == (2, "ok")


def test_in_the_same_process_it_needs_no_store() -> None:
    times, outcome = asyncio.run(cut_off_and_gone_on(None, same_process=True))
    assert (times, outcome["error"]["code"]) == (1, "write_unknown")


# Several at once


ON_T: Any = {"configurable": {"thread_id": "t"}}
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


@pytest.mark.parametrize(
    "declared", [{}, {"look_up": lambda args, settings: asyncio.sleep(0)}], ids=["blind", "looked up"]
)
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
    sent = sending._Sent()
    for n in range(sending.MOST_ENDED + 5):
        sent.begin(str(n))
        sent.end(str(n), None, keeps=True)
    assert not sent.begin("6")[1]
    assert sent.begin("0")[1]


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
        goes_on.wait(5)
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
