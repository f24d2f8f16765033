"""What each model was used for, by role: calls and tokens."""

import asyncio
from typing import Any

import pytest
from endpoint import Endpoint, Turn, answers, judges, plans
from inn import Inn
from langchain_openai import ChatOpenAI
from langgraph.store.memory import InMemoryStore
from plans import beds, plan, verdict

from wavegraph import build_graph, run
from wavegraph.app.run.result import result_record
from wavegraph.graph.request.records import records_of

NIGHT = "2026-12-05"
TEXT = f"a bed on {NIGHT}"
USAGE: dict[str, Any] = {
    "prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200,
    "prompt_tokens_details": {"cached_tokens": 600}, "completion_tokens_details": {"reasoning_tokens": 50},
}  # fmt: skip
PLAN, ANSWER = plans(plan(beds("beds", NIGHT)), usage=USAGE), answers("4 beds are free.")
VERDICT = judges(verdict(), usage=USAGE)
SHORT = {"calls": 1, "input": 100, "output": 10, "cached": 0, "reasoning": 0}
LONG = {"calls": 1, "input": 1000, "output": 200, "cached": 600, "reasoning": 50}


def asked(model: Any = None, check: str = "on", store: Any = None) -> Any:
    graph = build_graph(Inn().domain(), model=model).compile(store=store)
    return asyncio.run(run(graph, TEXT, thread_id="t", settings={"answer_check": check}))


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    for role, name in {"PLANNER": "thinker", "RESPONDER": "writer", "VALIDATOR": "thinker"}.items():
        monkeypatch.setenv(f"WAVEGRAPH_{role}_MODEL", name)


def test_a_result_and_its_record_tell_it_by_role_and_model(names: None, endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, ANSWER, VERDICT)
    store = InMemoryStore()
    result = asked(store=store)

    assert result.usage == {"planner thinker": LONG, "responder writer": SHORT, "validator thinker": LONG}
    assert result_record(result)["usage"] == result.usage
    [kept] = store.search(records_of("t"))
    assert kept.value["usage"] == result.usage


def test_a_failed_call_is_one_and_a_fallbacks_is_its_own(server: Endpoint) -> None:
    def make(name: str) -> ChatOpenAI:
        return ChatOpenAI(model=name, base_url=server.url, api_key="x")

    server.plays(Turn("plan", model="one", status=401), PLAN.but(model="two"))
    result = asked({"planner": make("one").with_fallbacks([make("two")])}, "rules")
    none = dict.fromkeys(LONG, 0)
    assert result.usage == {"planner one": {**none, "calls": 1}, "planner two": LONG}


def test_a_second_try_is_added(endpoint: Endpoint) -> None:
    endpoint.plays(plans("{", checked=False), PLAN, ANSWER)
    usage = asked(check="rules").usage
    assert usage["planner scripted"] == {**LONG, "calls": 2, "input": 1100, "output": 210}


def test_tokens_that_nobody_tells_are_none(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN.but(usage=None), ANSWER.but(usage=None))
    assert asked(check="rules").usage["planner scripted"] == {**dict.fromkeys(LONG, 0), "calls": 1}


def test_the_rules_use_none() -> None:
    assert asked(check="rules").usage == {}
