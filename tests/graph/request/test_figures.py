"""A request's figures: one declaration behind the graph's output, a run's result and the stored record."""

import pytest
from langgraph.store.memory import InMemoryStore
from runs import compiled
from scripted import outcome, planned
from states import state_of
from warehouse import Warehouse

from wavegraph.app.run.result import FIGURES, Result, cut_off
from wavegraph.app.run.runner import run
from wavegraph.graph.request.records import RequestRecord, records_of, views_of
from wavegraph.graph.state import OutputState
from wavegraph.testing import ScriptedPlanner, call, planning


def test_a_result_tells_all_that_the_graph_gives() -> None:
    """But the messages, and the tokens, which reports read from the record."""
    assert set(FIGURES) == OutputState.__annotations__.keys() - {"messages", "llm_tokens"}


async def test_a_record_keeps_every_field_that_it_declares() -> None:
    store = InMemoryStore()
    graph = compiled(Warehouse().domain(), ScriptedPlanner(planning(call("n", "count", sku="bolt"))), store=store)

    result = await run(graph, "how many bolts?", thread_id="t")

    [kept] = await store.asearch(records_of("t"))
    assert kept.value.keys() == RequestRecord.__annotations__.keys()
    recorded = [name for name in FIGURES if name in kept.value]
    assert {name: kept.value[name] for name in recorded} == {name: getattr(result, name) for name in recorded}


def test_views_show_what_plan_and_ledger_hold() -> None:
    counted = planned("n", "count", sku="bolt")
    state = state_of([counted], [outcome("count", {"sku": "bolt"}, data=5)], times={"plan_1": 0.25, "validate_1": 0.5})

    views = views_of(state)

    assert (views["tools"], views["tools_executed"], views["elapsed_s"]) == (["count"], 1, 0.75)
    assert [found["data"] for found in views["results"].values()] == [5]
    plan = state["plan"]
    assert {name: views[name] for name in ("action", "reasoning", "slots", "planner")} == {  # type: ignore[literal-required]
        name: plan[name] for name in ("action", "reasoning", "slots", "planner")
    }


def test_of_a_request_that_was_not_opened_nothing_is_told() -> None:
    result = cut_off("cancelled", {}, "stopped", thread_id="t", can_resume=False)

    assert result == Result(thread_id="t", outcome="cancelled", answer="stopped")


@pytest.mark.parametrize("name", ["outcome", "answer", "answer_check"])
def test_a_cut_off_request_tells_nothing_of_the_answer_before(name: str) -> None:
    before = {"outcome": "answered", "answer": "5 bolts", "answer_check": {"satisfied": True}}
    state = state_of([planned("n", "count", sku="bolt")], **before)

    result = cut_off("cancelled", state, "stopped", thread_id="t", can_resume=True)

    assert result.unfinished == ["n"]
    assert getattr(result, name) == {"outcome": "cancelled", "answer": "stopped", "answer_check": None}[name]


def test_a_request_of_which_nothing_is_known_did_nothing() -> None:
    figures = Result(thread_id="t", outcome="cancelled", answer="Stopped.")

    assert (figures.waves, figures.adaptations, figures.tools_executed, figures.llm_calls) == (0, 0, 0, 0)
