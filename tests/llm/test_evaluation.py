"""A model scored by a file of requests: its calls and tokens, and who planned where it was down."""

from typing import Any

from endpoint import Endpoint, answers, plans
from inn import Inn
from plans import beds, plan

from wavegraph import build_graph
from wavegraph.app.evaluate.command import evaluation_figures
from wavegraph.app.evaluate.file import Case
from wavegraph.app.evaluate.run import CaseResult, Subject, evaluate

NIGHT = "2026-12-05"


def wanted(name: str, night: str = NIGHT, **more: Any) -> Case:
    call = {"tool": "get_beds", "args": {"night": night}}
    expect = {"action": "tools", "waves": [[call]], "max_waves": 1}
    return Case.model_validate({"id": name, "text": f"beds on {night}?", "expect": expect, **more})


async def scored(*cases: Case, **options: Any) -> list[CaseResult]:
    subject = Subject(graph=build_graph(Inn().domain()))
    return await evaluate(subject, cases, at_once=1, **options)


async def test_a_models_calls_and_tokens_are_counted(endpoint: Endpoint) -> None:
    endpoint.plays(
        plans(plan(beds("beds", NIGHT))), answers("4 beds are free."),
        plans(plan(beds("beds", "2026-12-06"))), answers("4 beds are free."),
    )  # fmt: skip
    report = evaluation_figures(await scored(wanted("right", llm_only=True), wanted("wrong"), planner="llm"))

    assert [case["verdict"] for case in report["cases"]] == ["passed", "failed"]
    assert report["cases"][1]["failures"] == [
        "expected get_beds(night=2026-12-05); got get_beds(night=2026-12-06, guests=2)"
    ]
    assert report["planned_by"] == {"llm": 2}
    assert (report["per_case"]["llm_calls"], report["per_case"]["tokens"]) == (2, 220)
    endpoint.assert_complete()


async def test_a_model_that_is_down_passes_nothing_by_the_rules(endpoint: Endpoint) -> None:
    endpoint.plays(plans(None, status=401), plans(None, status=401))
    kept = wanted("right", settings={"model_fallback": True})
    refused = Case.model_validate({"id": "no", "text": "what is the moon?", "expect": {"action": "refuse"}})
    report = evaluation_figures(await scored(kept, refused, planner="llm"))

    assert [case["verdict"] for case in report["cases"]] == ["failed", "failed"]
    assert [case["calls"] for case in report["cases"]] == [[], []]
    endpoint.assert_complete()


async def test_who_planned_is_told_where_the_model_is_down(endpoint: Endpoint) -> None:
    endpoint.plays(*[plans(None, status=401)])
    report = evaluation_figures(await scored(wanted("right"), planner="auto"))

    assert list(report["planned_by"]) == ["rules"]
    endpoint.assert_complete()


async def test_the_rules_are_scored_with_a_model_at_hand(endpoint: Endpoint) -> None:
    report = evaluation_figures(await scored(wanted("hard", llm_only=True), wanted("easy"), planner="rules"))

    assert [case["verdict"] for case in report["cases"]] == ["skipped", "passed"]
    assert report["per_case"]["llm_calls"] == 0
    assert endpoint.received == []
