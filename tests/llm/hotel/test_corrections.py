"""What a judge found to be looked up wrongly, looked up again: an answer tells the right one alone."""

from typing import Any

import pytest
from endpoint import Endpoint, Turn, answers
from hotel_plans import about, plan, stay
from langgraph.checkpoint.memory import InMemorySaver
from plans import ask, judged

from wavegraph import build_graph
from wavegraph.tools.hotel.domain import hotel_domain

TODAY = "2026-11-20"
TWO = "A room for the two of us on my birthday, and is there parking?"
WRONG, RIGHT = ("2027-02-10", "2027-02-13"), ("2027-02-10", "2027-02-12")
SHOWN = answers("{{s1}}:\n- {{s1.o1.line}}\n{{ask_which}}")


@pytest.fixture
def graph(tmp_path: Any, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    return build_graph(hotel_domain(tmp_path)).compile(checkpointer=InMemorySaver())


def serving(call: dict[str, Any], *pieces: int) -> dict[str, Any]:
    return {**call, "serves": list(pieces)}


def wrong(gap: str = "not the dates that were asked for") -> Turn:
    return judged(accuracy=gap, by="get_availability")


def asked(graph: Any, text: str) -> Any:
    return ask(graph, text, {"configurable": {"thread_id": "t"}}, today=TODAY)


def told_stays(endpoint: Endpoint) -> list[str]:
    shown = endpoint.of("answer")[-1].block("statements")
    return [text for name, text in shown.items() if name in ("s1", "s2", "s3", "s4")]


def test_the_stay_that_was_wrong_is_no_choice_any_more(endpoint: Endpoint, graph: Any) -> None:
    endpoint.plays(
        plan(serving(stay("a", *WRONG), 1), serving(about("parking"), 2)), SHOWN, wrong(),
        plan(serving(stay("a2", *RIGHT, instead_of="a"), 1)), SHOWN, judged(),
    )  # fmt: skip
    told = asked(graph, TWO)
    assert told_stays(endpoint) == ["Wednesday 10 February – Friday 12 February 2027, 2 nights, for 2 adults"]
    assert ("13 February" in told["answer"], "Free outdoor parking" in told["answer"]) == (False, True)
    assert [(each["check_in"], each["check_out"]) for each in told["slots"]["stays"]] == [RIGHT]
    assert [*told["results"]] == ["a", "parking", "a2"]  # the record has both


def test_each_of_two_stays_takes_the_place_of_its_own(endpoint: Endpoint, graph: Any) -> None:
    text = "One room on my birthday for the two of us. My sister comes with her baby a day later. What do we each pay?"
    ours, hers = ("2027-02-22", "2027-02-24"), ("2027-02-23", "2027-02-25")
    endpoint.plays(
        plan(serving(stay("a", *ours, adults=3), 1, 3), serving(stay("b", *hers), 2, 3)), SHOWN, wrong(),
        plan(
            serving(stay("b2", *hers, adults=2, instead_of="b"), 2, 3), serving(stay("a2", *ours, instead_of="a"), 1, 3)
        ), SHOWN, judged(),
    )  # fmt: skip
    asked(graph, text)
    assert [each.split(", for ")[1] for each in told_stays(endpoint)] == ["2 adults", "2 adults"]


@pytest.mark.parametrize(
    ("verdict", "serves"),
    [(judged(completeness="the other dates are not told", by="get_availability"), 1), (wrong(), 2)],
    ids=["it was not wrong", "for something else"],
)
def test_a_stay_that_is_looked_up_besides_stands_beside_the_first(
    verdict: Turn, serves: int, endpoint: Endpoint, graph: Any
) -> None:
    first, second = serving(stay("a", *WRONG), 1), serving(stay("b", "2027-03-01", "2027-03-03"), serves)
    parking = serving(about("parking"), 2)
    endpoint.plays(plan(first, parking), SHOWN, verdict, plan(second), SHOWN, judged())
    asked(graph, TWO)
    assert len(told_stays(endpoint)) == 2
