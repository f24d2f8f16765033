"""Approvals: what a person's yes is bound to, and what holds where a tool says nothing of it."""

from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from runs import compiled
from tables import table
from till import Till

from wavegraph import Settings, run
from wavegraph.graph.approval import Approval, hash_of

AGREED: Any = ("pay", {"item": "tea", "who": "Dana"}, {"price": 4, "note": "חם"})
STORED = "83c0532ec83b0897d891e6ae2e4cf9ff"
"""As threads hold it that wait for an answer: it must stay the same."""


def test_a_yes_in_a_stored_thread_still_counts() -> None:
    assert hash_of(*AGREED) == STORED
    assert hash_of("pay", {"who": "Dana", "item": "tea"}, {"note": "חם", "price": 4}) == STORED, "in any order"


@table(
    "other",
    [
        ("refund", AGREED[1], AGREED[2]),
        ("pay", {**AGREED[1], "who": "Noa"}, AGREED[2]),
        ("pay", AGREED[1], {**AGREED[2], "price": 5}),
        ("pay", AGREED[2], AGREED[1]),
        ("pay", {**AGREED[1], "who": "\ud800"}, AGREED[2]),
    ],
)
def test_a_yes_holds_for_nothing_else(other: Any) -> None:
    assert hash_of(*other) != STORED


async def test_by_default_who_asks_agrees_and_may_change_it_once() -> None:
    async def prepare(args: Any, settings: Any) -> Any:
        return {"details": {}, "valid_until": None}

    approval = Approval(prepare=prepare, restate=lambda details, language: "tea")

    assert approval.by_asker(Settings())
    assert await approval.check_changes({}, {}, Settings()) is None


async def test_terms_that_move_each_time_end_in_an_answer() -> None:
    till = Till()
    graph = compiled(till.domain(), checkpointer=InMemorySaver())
    result = await run(graph, "pay tea for Dana", thread_id="t")
    rounds = 0
    while result.question:
        till.prices["tea"] += 1
        rounds += 1
        result = await run(graph, "yes", thread_id="t", shown=result.question["terms_hash"])

    assert rounds == 3
    assert till.paid == []
    assert till.held == {}
    assert result.answer.startswith("not paid: the terms of pay changed each time")
