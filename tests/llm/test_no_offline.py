"""A domain without a planner and a responder of its own: a model does their work, and where it is down, what was found is
listed."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from endpoint import Endpoint, Turn, answers, plans
from inn import Inn
from plans import ask, beds, call, plan

from wavegraph import Domain, Script, SettingsError, build_graph
from wavegraph.testing import ScriptedPlanner, planning
from wavegraph.testing import call as planned

NIGHT, LATER = "2026-12-05", "2026-12-06"
TEXT = f"a bed on {NIGHT}"
DOWN = {"status": 401}
LISTED = f"- get beds: night: {NIGHT}, free: 4, price: 350"
UNREACHED = "I cannot reach the language model just now"
REPLACED = "(The language model could not be used, so this answer was made by fixed rules.)"


def bare(inn: Inn | None = None, **changes: Any) -> Domain:
    return (inn or Inn()).domain(offline=None, script=Script(), **changes)


@dataclass(frozen=True)
class Case:
    id: str
    turns: tuple[Turn, ...]
    answer: str
    outcome: str


CASES = [
    Case("nothing fails", (plans(plan(beds("a", NIGHT))), answers("4 beds are free.")), "4 beds are free.", "answered"),
    Case("down at once", (Turn("plan", **DOWN),), f"{UNREACHED}, so nothing was done. Please try again in a while.", "failed"),
    Case("down for the answer", (plans(plan(beds("a", NIGHT))), Turn("answer", **DOWN)), f"{LISTED}\n\n{REPLACED}", "partial"),
    Case("down in the middle", (plans(plan(beds("a", NIGHT), status="continue")), Turn("plan", **DOWN)),
         f"{UNREACHED}, so I cannot put what was found into words. Please try again in a while.\n{LISTED}", "failed"),
    Case("no plan, twice", (plans("no plan"), plans("no plan")),
         "I could not work out how to do that, so nothing was done. Please put it another way.", "failed"),
    Case("down for the answer to a write", (plans(plan(call("b", "book_bed", night=NIGHT))), Turn("answer", **DOWN)),
         f"- book bed: night: {NIGHT}, number: B-77\n\n{REPLACED}", "partial"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_there_is_an_answer(case: Case, endpoint: Endpoint) -> None:
    endpoint.plays(*(turn.but(checked=False) for turn in case.turns))
    told = ask(build_graph(bare()).compile(), TEXT)

    assert (told["answer"], told["outcome"]) == (case.answer, case.outcome)
    endpoint.assert_complete()


def test_what_failed_is_told_beside_what_was_found(endpoint: Endpoint) -> None:
    inn = Inn(fails=True)
    both = plan(call("fair", "get_fair", name="Fair"), beds("a", NIGHT))
    endpoint.plays(plans(both), Turn("plan", **DOWN))
    told = ask(build_graph(bare(inn)).compile(), TEXT)

    assert "- get fair: name: Fair, opens: 2026-12-05, days: 2026-12-05; 2026-12-06; 2026-12-07" in told["answer"]
    assert "Not done: get beds." in told["answer"]
    assert told["outcome"] == "failed"


def test_without_a_model_it_is_refused_when_built() -> None:
    with pytest.raises(SettingsError, match="nobody plans for 'inn': give a `model`, set OPENAI_API_KEY"):
        build_graph(bare())


def test_rules_are_refused_where_there_are_none(endpoint: Endpoint) -> None:
    graph = build_graph(bare()).compile()
    with pytest.raises(SettingsError, match=re.escape("setting 'planner' = 'rules' needs rules, and 'inn' has none")):
        ask(graph, TEXT, planner="rules")
    assert not endpoint.received


def test_a_planner_of_ones_own_is_enough() -> None:
    script = ScriptedPlanner(planning(planned("a", "get_beds", night=NIGHT)))
    told = ask(build_graph(bare(), planner=script).compile(), TEXT)

    assert told["answer"] == LISTED


def test_long_results_are_shortened() -> None:
    from wavegraph.graph.dialogue.last_resort import LONGEST_TOLD, _result_text

    assert _result_text([{"n": n} for n in range(12)]).endswith("n: 9; … (12)")
    assert _result_text({"a": None, "b_c": "two\nlines", "d": []}) == "b c: two lines"
    assert LONGEST_TOLD == 500
