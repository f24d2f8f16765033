"""The end of a request: its outcome, the words of reservation, and the record that is kept of it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from alone import Alone, alone
from langchain_core.messages import AIMessage
from langgraph.store.memory import InMemoryStore
from langsmith_server import LangSmithServer, traced_to
from runs import compiled, human
from scripted import outcome, planned
from states import state_of, used
from warehouse import Warehouse

from wavegraph import build_graph
from wavegraph.graph.language import say
from wavegraph.graph.limits import limits_of
from wavegraph.graph.request.closing import closing_update
from wavegraph.graph.request.records import records_of
from wavegraph.graph.request.views import answer_view
from wavegraph.graph.state import PlannedCall, ToolOutcome
from wavegraph.testing import ScriptedPlanner, call, planning

A, B = planned("a", "count", sku="bolt"), planned("b", "count", sku="nut")
AGAIN = planned("again", "count", sku="bolt")
COUNTED = outcome("count", {"sku": "bolt"}, data={"sku": "bolt", "units": 40})
FAILED = outcome("count", {"sku": "nut"}, "error")
REJECTED: Any = {**FAILED, "error": {"code": "rejected", "message": "no", "retryable": False}}
ISSUE = {"type": "no_availability", "tool_id": "a", "message": "none left", "severity": "warning", "rule": "in_stock"}
GOOD: Any = {"satisfied": True, "reasoning": "fine", "criteria": [], "checked_by": "rules"}


def checked(*failed: str, by: str = "scripted", passed: str = "completeness") -> Any:
    """A verdict by a model."""
    criteria = [{"name": name, "verdict": "fail", "gap": "a gap"} for name in failed]
    good = {"name": passed, "verdict": "pass", "gap": None}
    return {"satisfied": not failed, "reasoning": "so", "criteria": [*criteria, good], "checked_by": by}


def state(calls: Any = (), outcomes: Any = (), **changes: Any) -> Any:
    """Of a request whose answer is written."""
    return state_of(calls, outcomes, **{
        "answer": "40 bolts", "message_id": "m2", "answer_check": GOOD, "answer_failures": [], "planning_calls": 1,
        "adaptations": 0, "model_down": False, "usage": used(2, 10, 20), "settings": {},
        **changes,
    })  # fmt: skip


async def ended(given: Any, store: Any = None, **context: Any) -> Alone:
    """How the request is closed."""

    async def close(state: Any, runtime: Any, agent: Any) -> Any:
        settings = agent.settings(runtime, state)
        view = answer_view(state, settings, limits_of(state))
        return await closing_update(state, view, runtime, agent)

    return await alone(close, given, build_graph(Warehouse().domain()).agent, context=context, store=store)


async def test_the_figures_of_a_request() -> None:
    times = {"plan_1": 1.00044, "wave_1": 2.5}
    plan = {"action": "count", "reasoning": "as asked", "slots": {"sku": "bolt"}}
    given = state([A, AGAIN], [COUNTED], times=times, unsupported=["41"], limits_hit=["max_answer_replans"])
    given["plan"].update(plan)

    found = await ended(given)

    assert found.update == {
        "outcome": "partial", "unsupported": ["41"], "limits_hit": ["max_answer_replans"], **plan, "tools": ["count"],
        "results": {"a": COUNTED, "again": COUNTED}, "tools_executed": 1, "planner": "script", "elapsed_s": 3.5,
        "llm_calls": 2, "llm_tokens": {"input": 10, "output": 20},
    }  # fmt: skip
    assert found.events == []


@dataclass(frozen=True)
class Case:
    id: str
    outcome: str
    calls: list[PlannedCall] = field(default_factory=list)
    outcomes: list[ToolOutcome] = field(default_factory=list)
    action: str = "look_up"
    state: dict[str, Any] = field(default_factory=dict)
    fallback: bool = True


CASES = [
    Case("a result", "answered", [A], [COUNTED]),
    Case("nothing to run", "answered"),
    Case("a result beside a failure", "answered", [A, B], [COUNTED, FAILED]),
    Case("failures alone", "failed", [B], [FAILED]),
    Case("a person's no", "answered", [B], [REJECTED]),
    Case("an open issue", "partial", [A], [COUNTED], state={"issues": [ISSUE]}),
    Case("a limit", "partial", [A], [COUNTED], state={"limits_hit": ["max_waves"]}),
    Case("a call that never ran", "partial", [A, B], [COUNTED]),
    Case("a question", "clarify", action="clarify"),
    Case("a question while a limit is hit", "clarify", action="clarify", state={"limits_hit": ["max_waves"]}),
    Case("a question behind a result", "clarify", [A], [COUNTED], action="clarify"),
    Case(
        "a question behind a result while a limit is hit",
        "partial",
        [A],
        [COUNTED],
        action="clarify",
        state={"limits_hit": ["max_waves"]},
    ),
    Case("a refusal", "refused", action="refuse"),
    Case("a refusal behind a result", "answered", [A], [COUNTED], action="refuse"),
    Case("a planner that gave up", "failed", [A], [COUNTED], action="give_up"),
    Case("results that nobody put into words", "failed", [A], [COUNTED], state={"unworded": True}),
    Case("rules in the place of a model", "answered", [A], [COUNTED], state={"model_down": True}),
    Case("nothing in the place of a model", "failed", [A], [COUNTED], state={"model_down": True}, fallback=False),
    Case("no need of anything in its place", "answered", [A], [COUNTED], fallback=False),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
async def test_the_outcome_is_true_to_fact(case: Case) -> None:
    given = state(case.calls, case.outcomes, **case.state)
    given["plan"]["action"] = case.action

    assert (await ended(given, model_fallback=case.fallback)).update["outcome"] == case.outcome


DOUBT, RESERVATION = say("doubt", "en"), say("reservation", "en")


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (checked(), None),
        (checked("completeness"), RESERVATION),
        (checked("accuracy"), DOUBT),
        (checked("accuracy", "completeness"), DOUBT),
        (checked("clarity"), None),
        (checked("clarity", "completeness"), RESERVATION),
        (checked("clarity", passed="accuracy"), None),
        (checked("completeness", passed="accuracy"), RESERVATION),
        (checked("accuracy", by="rules"), None),
        (checked("accuracy", by="unavailable"), None),
        (checked("accuracy", by="off"), None),
    ],
    ids=lambda it: f"{[c['name'] for c in it['criteria']]} {it['checked_by']}" if isinstance(it, dict) else "",
)
async def test_an_answer_that_a_judge_found_wanting_says_so(check: Any, words: str | None) -> None:
    found = await ended(state([A], [COUNTED], answer_check=check))

    answer = f"40 bolts\n\n{words}"
    message = AIMessage(answer, id="m2")
    assert found.update.get("answer") == (answer if words else None)
    assert found.update.get("messages") == ([message] if words else None)
    assert found.events == ([{"event": "answer_replaced", "message_id": "m2", "answer": answer}] if words else [])


async def test_it_says_so_in_the_requests_language() -> None:
    found = await ended(state(answer_check=checked("accuracy"), request={**state()["request"], "language": "he"}))

    assert found.update["answer"] == f"40 bolts\n\n{say('doubt', 'he')}"


async def test_the_record_of_a_request() -> None:
    store, began = InMemoryStore(), datetime.now(UTC)
    limited = {"limits_hit": ["max_waves"], "issues": [ISSUE], "waves": 3, "answer_replans": 1, "rewrites": 2}
    failure = {"attempt": 1, "criterion": "completeness", "gap": "a gap", "checked_by": "scripted"}
    check = checked("completeness")
    given = state([A, AGAIN, B], [COUNTED, FAILED], answer_check=check, answer_failures=[failure], adaptations=4,
                  planning_calls=5, times={"plan_1": 1.5}, feedback={"source": "answer"}, **limited)  # fmt: skip
    given["plan"].update({"reasoning": "as asked", "slots": {"sku": "bolt"}})

    await ended(given, store)

    (item,) = store.search(records_of("t"))
    record = dict(item.value)
    assert item.key == "m1"
    at = datetime.fromisoformat(record.pop("ended_at"))
    assert abs(at - began).total_seconds() < 3600
    assert at.utcoffset() == began.utcoffset()
    assert at.microsecond % 1000 == 0
    counted = {"tool": "count", "status": "ok", "error": None, "attempts": 1, "elapsed_s": 0.0}
    assert record == {
        "domain": "warehouse", "broken_plans": [], "struck": [], "request": given["request"], "answer": f"40 bolts\n\n{RESERVATION}", "outcome": "partial", "planner": "script",
        "action": "look_up", "reasoning": "as asked", "slots": {"sku": "bolt"},
        "calls": [
            {"id": "a", "runs": 1, **counted},
            {"id": "again", "runs": 0, **counted},
            {"id": "b", "runs": 1, **counted, "status": "error", "error": "error"},
        ],
        "tools": ["count", "count"], "tools_executed": 2, "open_issues": 1, "planning_calls": 5, "adaptations": 4,
        **limited, "answer_check": check, "answer_failures": [failure], "llm_calls": 2,
        "llm_tokens": {"input": 10, "output": 20}, "usage": used(2, 10, 20), "times": {"plan_1": 1.5}, "elapsed_s": 1.5, "run_id": None,
        "feedback": None,
    }  # fmt: skip


async def test_a_request_without_a_thread_is_kept_too() -> None:
    store = InMemoryStore()
    script = ScriptedPlanner(planning(call("a", "count", sku="bolt")))
    await compiled(Warehouse().domain(), script, store=store).ainvoke(human())

    (item,) = store.search(records_of("no-thread"))
    assert item.value["outcome"] == "answered"


async def test_a_record_names_the_traced_run() -> None:
    store = InMemoryStore()
    with LangSmithServer() as langsmith, traced_to(langsmith):
        await ended(state([A], [COUNTED]), store)
    (item,) = store.search(records_of("t"))
    assert UUID(item.value["run_id"])


class Broken(InMemoryStore):
    async def aput(self, *_: Any, **__: Any) -> None:
        raise OSError("password=hunter2")


async def test_a_store_that_fails_takes_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    found = await ended(state([A], [COUNTED]), Broken())

    assert found.update["outcome"] == "answered"
    assert [record.levelname for record in caplog.records if "could not be kept" in record.message] == ["ERROR"]
    assert "hunter2" not in caplog.text
