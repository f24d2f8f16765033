"""A half of a request that a model forgets: it goes back once, and then the answer names it."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from careful import graph_over, look
from careful import plan as roster_plan
from endpoint import Endpoint, answers, plans
from hotel_plans import about, stay
from hotel_plans import plan as hotel_plan
from inn import Inn
from langchain_core.tools import tool
from plans import ask, beds, plan
from scripted import Says

from wavegraph import build_graph, create_agent, read
from wavegraph.testing import ScriptedModel, ScriptedPlanner, call, planning
from wavegraph.tools.hotel.domain import hotel_domain

NIGHT, OTHER = "2026-12-05", "2026-12-06"
TEXT = f"A bed on {NIGHT}, please. Is there parking? We were with you in 2019."
FREE = answers("4 beds are free.")
BEDS = beds("beds", NIGHT)


def serving(made: Mapping[str, Any], *numbers: int) -> dict[str, Any]:
    return {**made, "serves": list(numbers)}


HALF = plan(serving(BEDS, 1))


def asked(endpoint: Endpoint, *turns: Any, text: str = TEXT, inn: Mapping[str, Any] | None = None, **run: Any) -> Any:
    endpoint.plays(*turns)
    told = ask(build_graph(Inn().domain(**(inn or {}))).compile(), text, **{"answer_check": "rules", **run})
    endpoint.assert_complete()
    return told


def test_the_pieces_stand_numbered_before_the_model(endpoint: Endpoint) -> None:
    asked(endpoint, plans(plan(serving(BEDS, 1, 2, 3))), FREE)
    assert endpoint.of("plan")[0].block("pieces") == {
        "1": f"A bed on {NIGHT}, please.",
        "2": "Is there parking?",
        "3": "We were with you in 2019.",
    }
    asked(endpoint, plans(plan(serving(BEDS))), FREE, text=f"A bed on {NIGHT}")
    assert endpoint.of("plan")[1].block("pieces") is None


def test_what_is_forgotten_goes_back_once(endpoint: Endpoint) -> None:
    whole = plan(serving(BEDS, 1, 3), serving(beds("more", OTHER), 2))
    told = asked(endpoint, plans(HALF), plans(whole), FREE)
    feedback = endpoint.of("plan")[1].block("feedback")
    assert [(each["rule"], each["expected"]["piece"]) for each in feedback["issues"]] == [
        ("unserved", 2),
        ("unserved", 3),
    ]
    assert (told["outcome"], told["llm_calls"], told["issues"]) == ("answered", 3, [])
    assert (told["plan"]["unserved"], told["answer"]) == ([], "4 beds are free.")


@pytest.mark.parametrize("responder", [None, Says("4 beds are free.")], ids=["a model", "one's own"])
def test_what_is_forgotten_twice_is_named(responder: Any, endpoint: Endpoint) -> None:
    endpoint.plays(plans(HALF), plans(plan(serving(BEDS, 1), context=[3])), *([] if responder else [FREE]))
    graph = build_graph(Inn().domain(), responder=responder).compile()
    told = ask(graph, TEXT, answer_check="rules")
    names = "On “Is there parking”, “We were with you in 2019” I have nothing more."
    assert told["answer"] == f"4 beds are free.\n\n{names}"
    assert told["plan"]["unserved"] == [2, 3]


def test_a_model_that_names_no_piece_has_nothing_named(endpoint: Endpoint) -> None:
    """Its call may be for any of them."""
    none = plan(serving(BEDS))
    told = asked(endpoint, plans(none), plans(none), FREE)
    assert (told["answer"], told["plan"]["unserved"]) == ("4 beds are free.", [1, 2, 3])


def test_it_is_counted_when_the_last_plan_is_done(endpoint: Endpoint) -> None:
    first = plan(serving(BEDS, 1), status="continue", context=[3])
    rest = plan(serving(beds("more", OTHER), 2))
    text = TEXT.replace(" in 2019", "")
    told = asked(endpoint, plans(first), plans(rest), FREE, text=text)
    assert (told["llm_calls"], told["plan"]["unserved"]) == (3, [])


def test_a_broken_plan_and_a_forgetful_one_each_go_back_once(endpoint: Endpoint) -> None:
    broken = plans(plan(call("x", "get_pool"))).but(checked=False)
    told = asked(endpoint, plans(HALF), broken, plans(HALF), FREE)
    assert (told["planner"], "On “Is there parking”" in told["answer"]) == ("llm", True)


def test_a_way_round_need_not_serve_the_request(endpoint: Endpoint) -> None:
    endpoint.plays(
        plans(plan(serving(BEDS, 1), context=[2])), plans(plan(serving(beds("next", OTHER, instead_of="beds")))), FREE
    )
    told = ask(build_graph(Inn(full={date(2026, 12, 5)}).domain()).compile(), f"A bed on {NIGHT}. Hello!")
    assert (told["adaptations"], told["outcome"]) == (1, "answered")


def test_rules_and_planners_of_ones_own_are_not_counted(endpoint: Endpoint) -> None:
    told = asked(endpoint, text=TEXT, planner="rules")
    assert "unserved" not in told["plan"]
    own = build_graph(
        Inn().domain(), planner=ScriptedPlanner(planning(call("beds", "get_beds", night=NIGHT)))
    ).compile()
    assert "unserved" not in ask(own, TEXT, answer_check="rules")["plan"]


def test_a_letter_is_not_counted(endpoint: Endpoint) -> None:
    told = asked(endpoint, plans(plan(serving(BEDS, 1))), FREE, text=TEXT + " We like it here." * 150)
    assert (told["llm_calls"], told["plan"]["unserved"]) == (2, [])


def test_a_domain_may_leave_it_out(endpoint: Endpoint) -> None:
    told = asked(endpoint, plans(plan(BEDS)), FREE, inn={"every_part": False})
    assert told["llm_calls"] == 2
    schema = endpoint.of("plan")[0].schema
    assert schema
    assert "context" not in schema["properties"]
    assert "`serves`" not in endpoint.of("plan")[0].system


# The domains, and an agent of anybody's tools


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Room for two, January 17-19. Do you know a florist?",
         "On “Do you know a florist” I have nothing more; reception can tell you: "),
        ("חדר לזוג 17-19 בינואר. אתם מקבלים אמקס?", "על “אתם מקבלים אמקס” אין לי מידע נוסף; אפשר לברר בקבלה: "),
    ],
)  # fmt: skip
def test_the_hotel_says_who_can_tell(text: str, names: str, endpoint: Endpoint, tmp_path: Path) -> None:
    made = hotel_plan(serving(stay("january", "2027-01-17", "2027-01-19"), 1))
    endpoint.plays(made, made, answers("{{s1.o1.line}}"))
    told = ask(build_graph(hotel_domain(tmp_path)).compile(), text, today="2026-11-21", answer_check="rules")
    assert "702" in told["answer"]
    assert names in told["answer"]


def test_the_hotel_tells_what_is_served_on_the_second_look(endpoint: Endpoint, tmp_path: Path) -> None:
    look = serving(stay("january", "2027-01-17", "2027-01-19"), 1)
    both = hotel_plan(look, serving(about("payment"), 2))
    endpoint.plays(hotel_plan(look), both, answers("{{s1.o1.line}} {{payment.1}}"))
    text = "Room for two, January 17-19. Do you know a florist?"
    told = ask(build_graph(hotel_domain(tmp_path)).compile(), text, today="2026-11-21", answer_check="rules")
    assert "I have nothing more" not in told["answer"]
    assert set(told["results"]) == {"january", "payment"}


def test_a_roster_is_made_and_what_is_forgotten_named(endpoint: Endpoint, tmp_path: Path) -> None:
    made = plans(roster_plan(serving(look(), 1)))
    endpoint.plays(made, made, answers("{{hello}}"))
    graph = graph_over(tmp_path).compile()
    told = ask(
        graph, "Who works here? What is the canteen's soup?", today="2026-11-20", ward="small", answer_check="rules"
    )
    assert "On “What is the canteen's soup” I have nothing more." in told["answer"]


@tool
def weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


BOTH_CITIES = {"messages": [("user", "What is the weather in Rome? And in Oslo?")]}
ROME = planning({**call("rome", "weather", city="Rome"), "serves": [1]})


def test_an_agent_counts_by_choice() -> None:
    model = ScriptedModel(ROME, ROME, "It is sunny in Rome.")
    agent = create_agent(model, [read(weather)], every_part=True)
    ended = agent.invoke(BOTH_CITIES, context={"answer_check": "rules"})
    model.assert_complete()
    assert ended["answer"] == "It is sunny in Rome.\n\nOn “in Oslo” I have nothing more."


def test_by_default_an_agent_does_not() -> None:
    model = ScriptedModel(ROME, "It is sunny in Rome.")
    ended = create_agent(model, [read(weather)]).invoke(BOTH_CITIES, context={"answer_check": "rules"})
    model.assert_complete()
    assert ended["answer"] == "It is sunny in Rome."


def test_an_agents_question_is_about_all_of_it() -> None:
    model = ScriptedModel(planning(reply="Which Rome?", action="clarify"))
    ended = create_agent(model, [read(weather)], every_part=True).invoke(BOTH_CITIES)
    model.assert_complete()
    assert ended["answer"] == "Which Rome?"
