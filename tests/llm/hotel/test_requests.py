"""The hotel with a model: its real tools and checks, a scripted model, and what stands in when the model goes."""

from pathlib import Path
from typing import Any

import pytest
from endpoint import Endpoint, Turn, answers, plans
from hotel_plans import open_stays, plan, stay
from plans import ask, call

from wavegraph import build_graph
from wavegraph.testing import ref
from wavegraph.tools.hotel.domain import hotel_domain

TODAY = "2026-11-20"


@pytest.fixture(scope="module")
def graph_of(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("houses")
    return lambda: build_graph(hotel_domain(folder)).compile()


def holiday(name: str) -> dict[str, Any]:
    return call("get_holiday", "get_holiday", name=name, year=None)


def test_explicit_dates(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(
        plan(stay("check_availability", "2027-01-17", "2027-01-19")),
        answers("On {{s1}} I found:\n- {{s1.o1.line}}\n- {{s1.o2.line}}\n{{ask_which}}"),
    )
    told = ask(graph_of(), "Check availability for two, January 17-19", today=TODAY)
    assert told["answer"] == (
        "On Sunday 17 January – Tuesday 19 January 2027, 2 nights, for 2 adults I found:\n"
        "- Double Room, room only: 702 NIS in total (351 NIS per night), non-refundable\n"
        "- Double Room, room only: 780 NIS in total (390 NIS per night), free cancellation until Friday 15 January 2027\n\n"
        "Which of these would you like?"
    )
    assert (told["outcome"], told["planner"], told["llm_calls"]) == ("answered", "llm", 2)


def test_a_part_of_a_holiday_in_two_waves_and_a_way_round(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(
        plan(
            holiday("Hanukkah"),
            stay("check_availability", ref("get_holiday", "dates[0]"), ref("get_holiday", "dates[1]")),
        ),
        plan(open_stays(1, "one_night", "check_availability")),
        answers(
            "The night of 4 December 2026 needs 2 nights. Free: Monday 7 December to Tuesday 8 December 2026, 504 NIS."
        ),
    )
    told = ask(graph_of(), "one night in Hanukkah", today=TODAY)
    assert (told["outcome"], told["waves"], told["adaptations"]) == ("answered", 3, 1)
    again = endpoint.of("plan")[1]
    assert {issue["type"] for issue in again.block("feedback")["issues"]} == {"no_availability"}
    assert "find_open_stays" in [call["tool"] for call in again.block("feedback")["suggestions"]]
    assert [row["id"] for row in again.block("so_far")["calls"]] == ["get_holiday", "check_availability"]


def test_an_invented_price_is_left_out_at_no_further_call(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(
        plan(stay("check_availability", "2027-01-17", "2027-01-19")),
        answers("{{hello}} A Double Room from 17 January to 19 January 2027 is 399 NIS. {{s1.o1.line}}"),
    )
    told = ask(graph_of(), "Check availability for two, January 17-19", today=TODAY)
    assert (told["outcome"], told["llm_calls"]) == ("answered", 2)
    assert "399" not in told["answer"]
    assert "702 NIS in total" in told["answer"]


@pytest.mark.parametrize("text", ["Check availability for January 17-19", "יש חדר פנוי ב-17.1 עד 19.1?"])
def test_when_the_responder_goes_the_templates_answer_the_models_plan(
    text: str, endpoint: Endpoint, graph_of: Any
) -> None:
    endpoint.plays(plan(stay("check_availability", "2027-01-17", "2027-01-19")), Turn("answer", status=404))
    told = ask(graph_of(), text, today=TODAY)
    assert (told["outcome"], told["planner"]) == ("answered", "llm")
    assert "702" in told["answer"]


def test_when_the_planner_goes_the_grammar_plans(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(Turn("plan", status=404))
    told = ask(graph_of(), "יש חדר פנוי לחנוכה?", today=TODAY)
    assert told["planner"] == "rules"
    assert "get_holiday" in told["tools"]
    assert "מודל השפה" in told["answer"]


def test_slots_that_a_model_writes_unasked_are_nobody_s(endpoint: Endpoint, graph_of: Any) -> None:
    """What an answer tells of the request stands in a call's arguments or in the guest's words."""
    lies = {"assumed": ["nights", "uncounted"], "budget": {"amount_agorot": 100, "per": "stay"}, "want": "compare",
            "guest": {"name": "Eve Adams"}, "stays": [{"check_in": "soon"}]}  # fmt: skip
    call = stay("check_availability", "2027-01-17", "2027-01-19")
    made = {"reasoning": "", "action": "x", "status": "done", "slots": lies, "tools": [call], "reply": None}
    endpoint.plays(plans(made, checked=False), answers("{{s1.o1.line}}"))
    told = ask(graph_of(), "a double room 17-19 January for two", today=TODAY)
    slots = told["slots"]
    assert {*slots} == {"stays", "adults", "intent"}
    assert [slots["stays"][0][name] for name in ("check_in", "check_out")] == ["2027-01-17", "2027-01-19"]
    for lie in ("You gave no number of nights", "ithin 1", "Eve"):
        assert lie not in told["answer"]


def test_two_periods_in_one_plan_and_a_shorter_stay_for_the_full_one(endpoint: Endpoint, graph_of: Any) -> None:
    weekend = call("resolve_dates", "resolve_date_hint", hint="next weekend")
    endpoint.plays(
        plan(
            holiday("Hanukkah"),
            weekend,
            stay("check_availability", ref("get_holiday", "check_in"), ref("get_holiday", "check_out")),
            stay(
                "check_weekend", ref("resolve_dates", "stays[0].check_in"), ref("resolve_dates", "stays[0].check_out")
            ),
        ),
        plan(open_stays(3, "three_nights", "check_availability"), open_stays(2, "two_nights", "check_availability")),
        answers(
            "Hanukkah, 4 to 12 December 2026, is full as a whole; 7 to 10 December is free from 1,467 NIS.\n"
            "Next weekend, 26 to 28 November 2026: a Double Room from 954 NIS."
        ),
    )
    told = ask(graph_of(), "Check Hanukkah and next weekend", today=TODAY)
    assert (told["outcome"], told["waves"], told["answer_check"]["satisfied"]) == ("answered", 3, True)
    waves = [set(event["calls"]) for event in told.told("wave_started")]
    assert waves == [
        {"get_holiday", "resolve_dates"},
        {"check_availability", "check_weekend"},
        {"three_nights", "two_nights"},
    ]


def test_a_holiday_nobody_knows_has_another_way(endpoint: Endpoint, graph_of: Any) -> None:
    hint = call("resolve_dates", "resolve_date_hint", instead_of="get_holiday", hint="mid January")
    endpoint.plays(
        plan(holiday("Festivus Grande"), stay("check_availability", ref("get_holiday", "check_in"), ref("get_holiday", "check_out"))),
        plan(
            hint,
            stay("check_again", ref("resolve_dates", "stays[0].check_in"), ref("resolve_dates", "stays[0].check_out"),
                 instead_of="check_availability"),
        ),
        answers("I found rooms."),
    )  # fmt: skip
    told = ask(graph_of(), "Festivus Grande, in mid January", today=TODAY)
    rows = {row["id"]: row["status"] for row in endpoint.of("plan")[1].block("so_far")["calls"]}
    assert rows == {"get_holiday": "error", "check_availability": "skipped"}
    assert told["results"]["check_again"]["status"] == "ok"
    assert told["outcome"] == "answered"


def test_a_model_searches_a_period_and_the_answer_says_what_was_searched(endpoint: Endpoint, graph_of: Any) -> None:
    window = {"from_date": "2027-01-01", "to_date": "2027-02-01", "sleep_on": ["sun", "mon", "tue", "wed"]}
    endpoint.plays(
        plan(open_stays(3, order="cheapest", limit=1, **window)),
        answers("{{open1.searched.1}} The cheapest: {{open1.a1.line}}"),
    )

    told = ask(graph_of(), "cheapest 3 nights midweek in January", today=TODAY)

    assert told["answer"].startswith(
        "The cheapest 3 nights between Friday 1 January 2027 and Monday 1 February 2027, without a night of Thursday, "
        "Friday and Saturday, for 2 adults (8 arrivals checked)"
    )
    assert "Monday 4 January – Thursday 7 January 2027, 3 nights: from 1,044 NIS" in told["answer"]
