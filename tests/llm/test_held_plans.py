"""A domain's own reading of a request beside a model's plan: asked once, never in the way."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from endpoint import Endpoint, answers, plans
from inn import Inn, full_house
from plans import ask, beds, call, plan

from wavegraph import Checks, PlanningView, ResolvedCall, build_graph
from wavegraph.graph.views import Contradiction
from wavegraph.testing import ref

NIGHT, OTHER = "2026-12-05", "2026-12-09"
TEXT = f"a bed on {NIGHT}"


class Reader:
    """Holds the night of `get_beds` against an ISO date in the request."""

    def __init__(self) -> None:
        self.asked: list[Sequence[ResolvedCall]] = []

    def __call__(self, calls: Sequence[ResolvedCall], view: PlanningView) -> list[Contradiction]:
        self.asked += [calls] if calls else []
        nights = [(each.id, each.args["night"]) for each in calls if each.tool == "get_beds"]
        return [
            Contradiction(call=name, about="night", said=NIGHT, planned=night)
            for name, night in nights
            if isinstance(night, str) and night not in view.request["text"]
        ]


def held(check: Any) -> Any:
    return build_graph(Inn().domain(checks=Checks({"get_beds": [full_house]}, calls=check))).compile()


@pytest.mark.parametrize("second", [NIGHT, OTHER], ids=["corrected", "meant"])
def test_a_contradiction_goes_back_once(second: str, endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(beds("beds", OTHER))), plans(plan(beds("beds", second))), answers("4 beds are free."))
    reader = Reader()
    told = ask(held(reader), TEXT)
    assert (told["outcome"], told["planner"], told["llm_calls"], told["issues"]) == ("answered", "llm", 3, [])
    assert told["results"]["beds"]["args"]["night"] == second
    assert len(reader.asked) == 1
    [issue] = endpoint.of("plan")[1].block("feedback")["issues"]
    assert (issue["rule"], issue["expected"], issue["actual"]) == ("contradicts_request", NIGHT, OTHER)


def test_what_a_reference_leads_to_is_compared_before_it_is_used(endpoint: Endpoint) -> None:
    inn = Inn()
    fair = [call("fair", "get_fair", name="wool"), beds("beds", ref("fair", "days[2]"))]
    endpoint.plays(plans(plan(*fair)), plans(plan(beds("beds", NIGHT))), answers("4 beds are free."))
    told = ask(build_graph(inn.domain(checks=Checks({"get_beds": [full_house]}, calls=Reader()))).compile(), TEXT)
    assert [str(night) for night in inn.asked] == [NIGHT]
    assert (told["waves"], told["adaptations"], told["outcome"]) == (2, 0, "answered")
    assert [event["needs_adaptation"] for event in told.told("validation_complete")] == [False, False]


def test_the_rules_are_not_asked() -> None:
    reader = Reader()
    told = ask(held(reader), TEXT, planner="rules")
    assert (reader.asked, told["outcome"]) == ([], "answered")


def test_a_way_round_is_not_compared(endpoint: Endpoint) -> None:
    reader, inn = Reader(), Inn(full={date(2026, 12, 5)})
    endpoint.plays(
        plans(plan(beds("beds", NIGHT))),
        plans(plan(beds("near", OTHER, instead_of="beds"))),
        answers("4 beds are free."),
    )
    told = ask(build_graph(inn.domain(checks=Checks({"get_beds": [full_house]}, calls=reader))).compile(), TEXT)
    assert (told["outcome"], told["adaptations"], len(reader.asked)) == ("answered", 1, 1)


def test_a_reading_that_fails_holds_nothing_up(endpoint: Endpoint) -> None:
    def fails(*_: Any) -> Any:
        raise LookupError("password hunter2")

    endpoint.plays(plans(plan(beds("beds", OTHER))), answers("4 beds are free."))
    assert ask(held(fails), TEXT)["outcome"] == "answered"


def test_an_id_of_a_call_that_never_began_may_be_given_again_others_not(endpoint: Endpoint) -> None:
    fair = [call("fair", "get_fair", name="wool"), beds("beds", ref("fair", "days[2]"))]
    taken = plan(call("fair", "get_fair", name="silk"))
    endpoint.plays(plans(plan(*fair)), plans(taken), plans(plan(beds("beds", NIGHT))), answers("4 beds are free."))
    told = ask(held(Reader()), TEXT)
    assert (told["planner"], told["outcome"]) == ("llm", "answered")
    rules = [issue["rule"] for issue in endpoint.of("plan")[2].block("feedback")["issues"]]
    assert rules == ["contradicts_request", "duplicate_id"]
