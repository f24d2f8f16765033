"""A write that nothing can look up, whose process ends while it is sent."""

import asyncio
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from wavegraph import AnswerView, Domain, PlanningResult, PlanningView, build_graph, write
from wavegraph.testing import call, planning


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


async def cut_off_and_gone_on(store: Any, **declared: Any) -> tuple[int, dict[str, Any]]:
    """How often it was sent, and the outcome of the call."""
    sent: list[int] = []
    made = graph(sent, store, InMemorySaver(), **declared)
    config = {"configurable": {"thread_id": "t"}}
    with pytest.raises(PowerCut):
        await made.ainvoke({"messages": "send it"}, config, durability="sync")
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
