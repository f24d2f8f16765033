"""A model's calls held against the guest's own dates, and stays that it chose before it saw them."""

import re
from pathlib import Path
from typing import Any

import pytest
from endpoint import Endpoint, Turn, answers
from hotel_plans import about, book, plan, quote, stay
from langgraph.checkpoint.memory import InMemorySaver
from plans import ask, call, judged

from wavegraph import build_graph
from wavegraph.testing import ref
from wavegraph.tools.hotel.domain import hotel_domain

TODAY = "2026-11-20"
OFFERS = answers("{{s1.o1.line}}")


@pytest.fixture(scope="module")
def graph_of(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("houses")
    return lambda **given: build_graph(hotel_domain(folder)).compile(**given)


def hint(words: str, call_id: str = "resolve_dates") -> dict[str, Any]:
    return call(call_id, "resolve_date_hint", hint=words)


def first_of(call_id: str = "resolve_dates", name: str = "check_availability", index: int = 0) -> dict[str, Any]:
    return stay(name, ref(call_id, f"stays[{index}].check_in"), ref(call_id, f"stays[{index}].check_out"))


def looked_for(told: Any) -> list[tuple[str, str]]:
    found = [each["args"] for each in told["results"].values() if each["tool"] in ("get_availability", "quote_stay")]
    return [(args["check_in"], args["check_out"]) for args in found]


MAY = ("2027-05-10", "2027-05-12")
MARCH = ("2027-03-01", "2027-03-03")
JANUARY = ("2027-01-17", "2027-01-19")


@pytest.mark.parametrize("text", ["Room for two, May 10-12", "חדר לזוג, 10 עד 12 במאי"])
def test_other_dates_than_the_guests_go_back_with_both(text: str, endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(stay("check", *MARCH)), plan(stay("check", *MAY)), OFFERS)
    told = ask(graph_of(), text, today=TODAY)
    assert (told["outcome"], told["llm_calls"], told["adaptations"], told["issues"]) == ("answered", 3, 0, [])
    assert looked_for(told) == [MAY]
    feedback = endpoint.of("plan")[1].block("feedback")
    [issue] = feedback["issues"]
    assert (feedback["source"], issue["rule"], issue["tool_id"]) == ("plan", "contradicts_request", "check")
    assert [(each["check_in"], each["check_out"]) for each in issue["expected"]] == [MAY]
    assert (issue["actual"]["check_in"], issue["actual"]["check_out"]) == MARCH


def test_a_plan_that_is_given_again_stands(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(stay("check", *MARCH)), plan(stay("check", *MARCH)), OFFERS)
    told = ask(graph_of(), "Room for two, May 10-12", today=TODAY)
    assert (looked_for(told), told["outcome"], told["llm_calls"]) == ([MARCH], "answered", 3)


SAID = [
    ("Room for two, May 10-12", stay("check", *MARCH),
     "You wrote “May 10-12”; I looked at Monday 1 March – Wednesday 3 March 2027, 2 nights."),
    ("חדר לזוג, 10 עד 12 במאי", stay("check", *MARCH), "כתבתם “10 עד 12 במאי”, והבדיקה נעשתה לתאריכים אחרים: "),
    ("Feb 28 for three nights, the two of us", stay("check", "2027-02-28", "2027-03-02"),
     "You wrote Sunday 28 February – Wednesday 3 March 2027, 3 nights; I looked at Sunday 28 February – Tuesday 2 March 2027"),
    ("two adults one child of 6, February 7-9", stay("check", "2027-02-07", "2027-02-09", adults=3),
     "You wrote 2 adults and 1 child (age 6); I looked for 3 adults."),
    ("שני חדרים לשני זוגות 9-11 בדצמבר", stay("check", "2026-12-09", "2026-12-11", rooms=1),
     "כתבתם 4 מבוגרים בשני חדרים, והבדיקה נעשתה עבור שני מבוגרים בחדר אחד."),
    ("Room for two, 17-19 January or 24-26 January?", stay("check", *JANUARY),
     "You also wrote “24-26 January”; I did not look at that."),
    ("מה יותר זול לזוג, 17-19 בינואר או 24-26 בינואר?", stay("check", *JANUARY), "כתבתם גם “24-26 בינואר”, ואת זה לא בדקתי."),
    ("Room for two, 28 to 30 February 2027", stay("check", "2027-02-28", "2027-03-02"),
     "There is no “28 to 30 February 2027” in the calendar; I looked at Sunday 28 February – Tuesday 2 March 2027, 2 nights."),
    ("חדר לזוג, מ-29 בספטמבר עד ל-31 בספטמבר", stay("check", "2027-09-29", "2027-10-01"),
     "אין בלוח תאריך כזה: “מ-29 בספטמבר עד ל-31 בספטמבר”. הבדיקה נעשתה לתאריכים אחרים: "),
]  # fmt: skip


@pytest.mark.parametrize(("text", "planned", "says"), SAID)
@pytest.mark.parametrize("written", ["{{s1.o1.line}}", "nothing that stands"], ids=["written", "templates"])
def test_a_contradiction_that_stays_is_told(
    text: str, planned: Any, says: str, written: str, endpoint: Endpoint, graph_of: Any
) -> None:
    endpoint.plays(plan(planned), plan(planned), answers(written))
    told = ask(graph_of(), text, today=TODAY, answer_check="rules")
    assert says in told["answer"]


UNASKED = [
    ("Room for two, May 10-12", stay("check", *MAY, board="BB", refundable=True),
     "I looked at breakfast included and free cancellation, which your words do not ask for."),
    ("Room for two, May 10-12", stay("check", *MAY, room_type="DLX"),
     "I looked at Deluxe Sea View Room, which your words do not ask for."),
    ("Room for two, May 10-12, at most 2000 a night", stay("check", *MAY, max_price=2000, per="stay"),
     "I looked at a price for the whole stay, which your words do not ask for."),
    ("2 adults and 2 kids, May 10-12", stay("check", *MAY, children_ages=[5, 9]),
     "I looked at children's ages of 5, 9, which your words do not ask for."),
    ("חדר לזוג, 10-12 במאי", stay("check", *MAY, room_type="SUITE"),
     "הבדיקה נעשתה לפי סוויטת קו המים, אף שלא כתבתם זאת."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "planned", "says"), UNASKED)
@pytest.mark.parametrize("written", ["{{s1.o1.line}}", "nothing that stands"], ids=["written", "templates"])
def test_what_nobody_asked_for_goes_back_once_and_is_told_if_it_stays(
    text: str, planned: Any, says: str, written: str, endpoint: Endpoint, graph_of: Any
) -> None:
    endpoint.plays(plan(planned), plan(planned), answers(written))
    told = ask(graph_of(), text, today=TODAY, answer_check="rules")
    assert says in told["answer"]
    [issue] = endpoint.of("plan")[1].block("feedback")["issues"]
    assert (issue["rule"], "nobody said" in issue["message"]) == ("contradicts_request", True)


SECOND = "I'd like to reserve a room for two, May 10-12, the second cheapest one. Dana Levi, dana@example.com"


def test_a_room_of_an_offer_that_was_found_is_no_invention(endpoint: Endpoint, graph_of: Any) -> None:
    looked, quoted = plan(stay("look", *MAY), status="continue"), quote("quote", *MAY)
    quoted["args"] |= {"room_type": "DLX", "refundable": False}
    endpoint.plays(looked, plan(quoted, book(ref("quote", "quote_id")), action="book"))
    graph, config = graph_of(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "second"}}
    told = ask(graph, SECOND, config, today=TODAY)
    assert len(endpoint.of("plan")) == 2
    assert "Deluxe Sea View Room, room only" in str(told.state["messages"][-1].text)


def test_what_nobody_asked_for_stands_below_a_bookings_terms(endpoint: Endpoint, graph_of: Any) -> None:
    quoted = quote("quote", *MAY)
    quoted["args"]["board"] = "HB"
    made = plan(quoted, book(ref("quote", "quote_id")), action="book")
    endpoint.plays(made, made)
    graph, config = graph_of(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "unasked"}}
    told = ask(graph, "Book the double, May 10-12, 2 adults, Dana Levi, dana@example.com", config, today=TODAY)
    assert "I looked at half board, which your words do not ask for." in str(told.state["messages"][-1].text)


def test_a_figure_that_nobody_named_goes_back_and_is_not_told(endpoint: Endpoint, graph_of: Any) -> None:
    """Code uses none: a limit or a weight compares nothing unless it stands in the guest's words."""
    endpoint.plays(plan(about("pets", kg=3)), plan(about("pets", kg=3)), answers("{{pets.1}}"))
    told = ask(graph_of(), "Do you take dogs?", today=TODAY, answer_check="rules")
    assert (told["llm_calls"], "did not name" in told["answer"], "3 kg" in told["answer"]) == (3, False, False)


FOLLOWED = [
    ("2 adults and a child of 6, January 17-19", stay("first", *JANUARY, children_ages=[6]), "and February 7-9?",
     stay("second", "2027-02-07", "2027-02-09"), "You wrote 2 adults and 1 child (age 6); I looked for 2 adults."),
    ("Room for two, January 17-19", stay("first", *JANUARY), "and for three adults?", stay("second", *JANUARY),
     "You wrote 3 adults; I looked for 2 adults."),
    ("Room for two, January 17-19", stay("first", *JANUARY), "and with breakfast?",
     stay("second", "2027-01-24", "2027-01-26", board="BB"), "You wrote “January 17-19”; I looked at Sunday 24 January"),
    ("4 adults, January 17-19", stay("first", *JANUARY, adults=4), "in two rooms please",
     stay("second", *JANUARY, adults=4, rooms=1), "You wrote 4 adults in 2 rooms; I looked for 4 adults in one room."),
    ("זוג וילד בן 6, 17-19 בינואר", stay("first", *JANUARY, children_ages=[6]), "ומה עם 7-9 בפברואר?",
     stay("second", "2027-02-07", "2027-02-09"), "כתבתם שני מבוגרים וילד אחד (בגיל 6), והבדיקה נעשתה עבור שני מבוגרים."),
    ("חדר לזוג, 17-19 בינואר", stay("first", *JANUARY), "ועם ארוחת בוקר?",
     stay("second", "2027-01-24", "2027-01-26", board="BB"), "כתבתם “17-19 בינואר”, והבדיקה נעשתה לתאריכים אחרים: "),
]  # fmt: skip


@pytest.mark.parametrize(("first", "looked", "text", "planned", "says"), FOLLOWED)
def test_what_a_later_request_is_looked_up_for_is_held_against_all_that_was_said(
    first: str, looked: Any, text: str, planned: Any, says: str, endpoint: Endpoint, graph_of: Any
) -> None:
    graph, config = graph_of(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}
    endpoint.plays(plan(looked), OFFERS)
    assert "You wrote" not in ask(graph, first, config, today=TODAY, answer_check="rules")["answer"]
    endpoint.plays(plan(planned), plan(planned), answers("{{s1.o1.line}}"))
    assert says in ask(graph, text, config, today=TODAY, answer_check="rules")["answer"]
    [issue] = endpoint.of("plan")[-1].block("feedback")["issues"]
    assert issue["rule"] == "contradicts_request"


@pytest.mark.parametrize(("text", "looked"), [
    ("17-19 January for two", stay("first", *JANUARY)), ("חדר לזוג 17-19 בינואר", stay("first", *JANUARY)),
    ("17-19 January", stay("first", *JANUARY, adults=None)), ("17-19 January, please", stay("first", *JANUARY)),
])  # fmt: skip
def test_a_later_null_is_what_was_counted_before_and_two_where_nobody_was(
    text: str, looked: Any, endpoint: Endpoint, graph_of: Any
) -> None:
    graph, config = graph_of(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}
    endpoint.plays(plan(looked), OFFERS)
    ask(graph, text, config, today=TODAY)
    booked = quote("quote", *JANUARY)
    booked["args"]["adults"] = None
    endpoint.plays(plan(booked, book(ref("quote", "quote_id")), action="book"))
    told = ask(graph, "book it, Dana Levi, dana@example.com", config, today=TODAY)
    question = str(told.state["messages"][-1].text)
    assert ("I assumed 2 adults" in question) == (text.startswith("17-19 January") and "two" not in text)


def test_what_was_looked_up_as_it_was_said_is_no_contradiction(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(stay("check", *MAY)), OFFERS)
    told = ask(graph_of(), "Room for two, May 10-12", today=TODAY, answer_check="rules")
    assert "You wrote" not in told["answer"]


def test_it_is_asked_once_in_a_request_also_where_planning_goes_on(endpoint: Endpoint, graph_of: Any) -> None:
    going_on = plan(stay("check", *MARCH))
    going_on = going_on.but(arguments=(going_on.arguments or "").replace('"done"', '"continue"'))
    endpoint.plays(going_on, going_on, plan(stay("other", "2027-03-05", "2027-03-07")), OFFERS)
    told = ask(graph_of(), "Room for two, May 10-12", today=TODAY)
    assert looked_for(told) == [MARCH, ("2027-03-05", "2027-03-07")]


def test_each_request_of_a_thread_is_held_anew(endpoint: Endpoint, graph_of: Any) -> None:
    graph, config = graph_of(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}
    endpoint.plays(plan(stay("check", *MARCH)), plan(stay("check", *MAY)), OFFERS)
    ask(graph, "Room for two, May 10-12", config, today=TODAY)
    june = ("2027-06-03", "2027-06-05")
    endpoint.plays(plan(stay("check", *MAY)), plan(stay("check", *june)), OFFERS)
    told = ask(graph, "and what about June 3-5?", config, today=TODAY)
    assert looked_for(told) == [june]


def test_nights_that_were_not_asked_for_go_back(endpoint: Endpoint, graph_of: Any) -> None:
    right = ("2027-02-28", "2027-03-03")
    endpoint.plays(plan(stay("check", "2027-02-28", "2027-03-02")), plan(stay("check", *right)), OFFERS)
    told = ask(graph_of(), "Feb 28 for three nights, the two of us", today=TODAY)
    assert looked_for(told) == [right]
    assert endpoint.of("plan")[1].block("feedback")["issues"][0]["about"] == {"what": "nights"}


def test_nothing_is_booked_on_other_dates(endpoint: Endpoint, graph_of: Any) -> None:
    right = ("2027-01-17", "2027-01-19")
    guest = "for Dana Levi, dana@example.com"
    booked = [book(ref("quote", "quote_id"))]
    endpoint.plays(
        plan(quote("quote", "2027-01-19", "2027-01-21"), *booked, action="book"),
        plan(quote("quote", *right), *booked, action="book"),
    )
    graph, config = graph_of(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "b"}}
    told = ask(graph, f"Book the double, January 17-19, 2 adults, {guest}", config, today=TODAY)
    [asked] = told.state["approvals"].values()
    assert [(each["args"]["check_in"], each["args"]["check_out"]) for each in told.state["plan"]["tools"][:1]] == [
        right
    ]
    assert asked["decision"] is None


def test_a_way_round_a_full_house_is_no_contradiction(endpoint: Endpoint, graph_of: Any) -> None:
    """Six nights over Hanukkah are not free; the model looks at others, and at fewer."""
    asked, fewer = ("2026-12-04", "2026-12-12"), ("2026-12-14", "2026-12-16")
    endpoint.plays(
        plan(stay("check", *asked)),
        plan(stay("fewer", *fewer, instead_of="check"), action="adapt"),
        answers("nothing that stands"),
    )
    told = ask(graph_of(), "Room for two, December 4-12", today=TODAY)
    assert (looked_for(told), told["adaptations"], told["llm_calls"]) == ([asked, fewer], 1, 3)
    assert "You wrote" not in told["answer"]


def test_a_broken_plan_and_a_contradiction_each_go_back_once(endpoint: Endpoint, graph_of: Any) -> None:
    broken = plan(call("x", "get_pool")).but(checked=False)
    endpoint.plays(plan(stay("check", *MARCH)), broken, plan(stay("check", *MAY)), OFFERS)
    told = ask(graph_of(), "Room for two, May 10-12", today=TODAY)
    assert (looked_for(told), told["planner"]) == ([MAY], "llm")


@pytest.mark.parametrize("status", [404, 500])
def test_when_the_model_goes_the_rules_plan_what_was_said(status: int, endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(stay("check", *MARCH)), Turn("plan", status=status))
    told = ask(graph_of(), "Room for two, May 10-12", today=TODAY, model_attempts=1)
    assert (looked_for(told), told["planner"], told["outcome"]) == ([MAY], "rules", "answered")


# Only against the pieces that a call serves


def serving(made: dict[str, Any], *numbers: int) -> dict[str, Any]:
    return {**made, "serves": list(numbers)}


LETTER = "We loved it last year, before the renovation. Room for two, May 10-12. Not in March, please."


def test_a_letter_around_it_hides_no_stay(endpoint: Endpoint, graph_of: Any) -> None:
    """Read whole, it may say anything: `before`, `not`, `last year`."""
    wrong, right = serving(stay("check", *MARCH), 2), serving(stay("check", *MAY), 2, 3)
    endpoint.plays(plan(wrong, context=[1, 3]), plan(right, context=[1]), OFFERS)
    told = ask(graph_of(), LETTER, today=TODAY, answer_check="rules")
    assert looked_for(told) == [MAY]
    [issue] = endpoint.of("plan")[1].block("feedback")["issues"]
    assert [each["words"] for each in issue["expected"]] == ["May 10-12"]


def test_what_another_call_serves_is_none_of_its_own(endpoint: Endpoint, graph_of: Any) -> None:
    text = "2 adults, May 10-12. And a room for three, May 17-19."
    calls = serving(stay("one", *MAY), 1), serving(stay("two", "2027-05-17", "2027-05-19", adults=3), 2)
    endpoint.plays(plan(*calls), answers("{{s1.o1.line}} {{s2.o1.line}}"))
    told = ask(graph_of(), text, today=TODAY, answer_check="rules")
    assert (told["llm_calls"], "You wrote" in told["answer"]) == (2, False)


def test_the_party_of_one_piece_is_not_anothers(endpoint: Endpoint, graph_of: Any) -> None:
    text = "2 adults, May 10-12. And a room for three, May 17-19."
    calls = serving(stay("one", *MAY, adults=3), 1), serving(stay("two", "2027-05-17", "2027-05-19", adults=3), 2)
    endpoint.plays(plan(*calls), plan(*calls), answers("{{s1.o1.line}} {{s2.o1.line}}"))
    told = ask(graph_of(), text, today=TODAY, answer_check="rules")
    assert "You wrote 2 adults; I looked for 3 adults." in told["answer"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("so we are my partner and me and a girl of 5, May 10-12, whats the price", "You wrote 1 child (age 5); I looked for 2 adults."),
        ("היי אנחנו שני מבוגרים וילדה בת 5 מגיעים ב 10 במאי ועוזבים ב 12 במאי כמה זה יוצא", "כתבתם ילד אחד (בגיל 5), והבדיקה נעשתה עבור שני מבוגרים."),
    ],
)  # fmt: skip
def test_a_child_whose_age_is_written_goes_back_once_and_is_told(
    text: str, says: str, endpoint: Endpoint, graph_of: Any
) -> None:
    without, full = stay("check", *MAY, children_ages=[]), stay("check", *MAY, children_ages=[5])
    for second, is_told in ((full, False), (without, True)):
        endpoint.plays(plan(without), plan(second), OFFERS)
        told = ask(graph_of(), text, today=TODAY, answer_check="rules")
        assert (told["llm_calls"], says in told["answer"]) == (3, is_told)


@pytest.mark.parametrize("words", ["not May 10-12, any other week", "the week after May 10-12", "if not May 10-12"])
def test_words_that_the_reader_does_not_use_say_nothing(words: str, endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(stay("check", *MARCH)), OFFERS)
    told = ask(graph_of(), f"Room for two, {words}", today=TODAY, answer_check="rules")
    assert (looked_for(told), "You wrote" in told["answer"]) == ([MARCH], False)


def test_what_is_forgotten_and_what_is_said_otherwise_go_back_together(endpoint: Endpoint, graph_of: Any) -> None:
    text = "Room for two, May 10-12. Do you know a florist?"
    wrong = serving(stay("check", *MARCH), 1)
    right = serving(stay("check", *MAY), 1), serving(about("florist"), 2)
    endpoint.plays(plan(wrong), plan(*right), OFFERS)
    told = ask(graph_of(), text, today=TODAY, answer_check="rules")
    rules = [issue["rule"] for issue in endpoint.of("plan")[1].block("feedback")["issues"]]
    assert (sorted(rules), told["llm_calls"]) == (["contradicts_request", "unserved"], 3)


def test_a_call_in_place_of_one_that_finds_rooms_is_told(endpoint: Endpoint, graph_of: Any) -> None:
    fewer = stay("fewer", *MARCH, instead_of="check")
    endpoint.plays(plan(stay("check", *MAY), fewer), OFFERS)
    told = ask(graph_of(), "Room for two, May 10-12", today=TODAY, answer_check="rules")
    assert (told["llm_calls"], "You wrote “May 10-12”; I looked at Monday 1 March" in told["answer"]) == (2, True)


# Stays that were chosen before they were seen


def test_the_first_of_several_stays_is_not_taken_unseen(endpoint: Endpoint, graph_of: Any) -> None:
    weekends = [("2027-01-07", "2027-01-09"), ("2027-01-14", "2027-01-16")]
    endpoint.plays(
        plan(hint("weekends in January"), first_of()),
        plan(*(stay(name, *ends) for name, ends in zip(["check_availability", "second"], weekends, strict=True))),
        answers("{{s1.o1.line}} {{s2.o1.line}}"),
    )
    told = ask(graph_of(), "the first two weekends in January for two", today=TODAY)
    assert looked_for(told) == weekends
    assert (told["outcome"], told["adaptations"], told["llm_calls"], told["issues"]) == ("answered", 0, 3, [])
    again = endpoint.of("plan")[1]
    [issue] = again.block("feedback")["issues"]
    assert (issue["rule"], issue["tool_id"], issue["actual"]) == ("to_be_chosen", "check_availability", 4)
    [row] = again.block("so_far")["calls"]
    assert (row["id"], len(row["data"]["stays"]["rows"])) == ("resolve_dates", 4)


@pytest.mark.parametrize("made", [
    [hint("next weekend"), first_of()],
    [hint("May 10-12 or May 17-19"), first_of(), first_of(name="second", index=1)],
    [hint("May 10-12 or May 17-19"), first_of(index=-1), first_of(name="second", index=-2)],
], ids=["one stay", "each of two", "each of two, from the end"])  # fmt: skip
def test_what_leaves_no_choice_runs_at_once(made: list[dict[str, Any]], endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(*made), OFFERS)
    told = ask(graph_of(), "whatever I said", today=TODAY)
    assert (len(looked_for(told)), told["llm_calls"]) == (len(made) - 1, 2)


def test_what_was_seen_may_be_referred_to(endpoint: Endpoint, graph_of: Any) -> None:
    going_on = plan(hint("May 10-12 or May 17-19"))
    going_on = going_on.but(arguments=(going_on.arguments or "").replace('"done"', '"continue"'))
    endpoint.plays(going_on, plan(first_of()), OFFERS)
    told = ask(graph_of(), "May 10-12 or May 17-19, the earlier one", today=TODAY)
    assert looked_for(told) == [MAY]


def test_a_resolver_that_was_given_other_words_is_looked_at_again(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(hint("1-3 March"), first_of()), plan(stay("check", *MAY)), answers("nothing that stands"))
    told = ask(graph_of(), "Room for two, May 10-12", today=TODAY)
    assert looked_for(told) == [MAY]
    assert told["outcome"] == "answered"
    [issue] = endpoint.of("plan")[1].block("feedback")["issues"]
    assert (issue["rule"], issue["tool_id"]) == ("contradicts_request", "check_availability")


def test_another_holiday_than_the_guests_is_looked_at_again(endpoint: Endpoint, graph_of: Any) -> None:
    holiday = [
        call("get_holiday", "get_holiday", name="Passover", year=None),
        stay("check_availability", ref("get_holiday", "check_in"), ref("get_holiday", "check_out")),
    ]
    right = ("2026-12-04", "2026-12-12")
    endpoint.plays(plan(*holiday), plan(stay("check_availability", *right)), plan(), answers("nothing that stands"))
    told = ask(graph_of(), "חנוכה, שני מבוגרים", today=TODAY)
    assert looked_for(told) == [right]


def test_when_the_model_goes_before_it_has_chosen_the_rules_plan_anew(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(hint("May 10-12 or May 17-19"), first_of()), Turn("plan", status=404))
    told = ask(graph_of(), "May 10-12 or May 17-19, for two", today=TODAY)
    assert (told["planner"], len(looked_for(told)), told["outcome"]) == ("rules", 2, "answered")


def test_with_no_wave_left_nothing_runs_unseen(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(hint("weekends in January"), first_of()), answers("{{hello}}"))
    told = ask(graph_of(), "weekends in January for two", today=TODAY, max_waves=1)
    assert (looked_for(told), told["limits_hit"], told["outcome"]) == ([], ["max_waves"], "partial")


# What is asked about and looked up nowhere


def topic(name: str) -> dict[str, Any]:
    return call("info", "get_hotel_info", topic=name)


def topics_of(told: Any) -> list[str]:
    return [each["args"]["topic"] for each in told["results"].values() if each["tool"] == "get_hotel_info"]


SHUTTLE = "I'd like to know if there's a spa, and if there's a shuttle from the airport."
HEBREW = "חשוב לי לדעת אם יש אצלכם מסעדה פתוחה ביום שישי בערב, מה מדיניות הביטול, ואם אפשר לשלם בתשלומים."


@pytest.mark.parametrize(
    ("text", "made", "context", "added"),
    [
        ("Do you have a gym and a sauna?", [topic("sauna")], [], ["gym"]),
        ("Room for two, May 10-12, and is there parking?", [stay("check", *MAY)], [], ["parking"]),
        ("Room for two, May 10-12. We bring our dog.", [serving(stay("check", *MAY), 1)], [2], ["dog"]),
        ("Room for two, May 10-12. Is a cot free?", [serving(stay("check", *MAY), 1, 2)], [], ["cot"]),
        ("חדר לזוג מ-10 עד 12 במאי. ויש אצלכם בריכה?", [serving(stay("check", *MAY), 1, 2)], [], ["בריכה"]),
        ("Is smoking allowed on the balcony?", [topic("parking")], [], ["smoking"]),
        ("How far is the beach? And can I park?", [serving(topic("parking"), 1, 2)], [], ["beach"]),
        ("אפשר לעשן בחדר?", [topic("parking")], [], ["לעשן"]),
        ("אפשר לבוא עם כלב? ועד מתי אפשר לבטל בלי קנס?", [serving(topic("pets"), 1, 2)], [], ["cancellation"]),
        ("Is there a pool, do you have a Shabbat elevator?", [topic("pool")], [], []),
        ("Is there a pool? Do you have a Shabbat elevator?", [serving(topic("pool"), 1, 2)], [], ["shabbat elevator"]),
        (SHUTTLE, [topic("spa")], [], ["shuttle"]),
        (HEBREW, [topic("cancellation")], [], ["מסעדה", "לשלם"]),
    ],
)  # fmt: skip
def test_a_topic_that_no_call_is_for_is_looked_up_by_code(
    text: str, made: list[dict[str, Any]], context: list[int], added: list[str], endpoint: Endpoint, graph_of: Any
) -> None:
    endpoint.plays(plan(*made, context=context), answers("{{more}}"))
    told = ask(graph_of(), text, today=TODAY, answer_check="rules")
    asked = [call["args"]["topic"] for call in made if call["tool"] == "get_hotel_info"]
    assert (topics_of(told), told["llm_calls"]) == ([*asked, *added], 2)
    assert "nothing more" not in told["answer"]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Do you have a gym and a sauna?", [topic("gym and sauna")]),
        ("Room for two, May 10-12, is breakfast included?", [stay("check", *MAY)]),
        ("Room for two with a balcony, May 10-12, free cancellation", [stay("check", *MAY)]),
        ("Room for two, May 10-12, no dog after all", [stay("check", *MAY)]),
        ("Room for two away from the lift, May 10-12", [stay("check", *MAY)]),
        ("May we smoke on the balcony?", [topic("smoking")]),
        ("Is there a train, and how do we get to the beach?", [topic("train station")]),
        ("יש בריכה? ומה השעות בשבת?", [serving(topic("pool"), 1, 2)]),
        ("When does the pool bar serve lunch?", [topic("lunch")]),
        ("If I cancel 5 days before arrival, how much do I pay?", [topic("cancellation")]),
        ("Is there a party or gala dinner?", [topic("events")]),
        ("Will you keep my suitcase after I check out?", [topic("luggage")]),
    ],
)
def test_a_topic_that_a_call_tells_is_looked_up_once(
    text: str, made: list[dict[str, Any]], endpoint: Endpoint, graph_of: Any
) -> None:
    endpoint.plays(plan(*made), answers("{{more}}"))
    told = ask(graph_of(), text, today=TODAY, answer_check="rules")
    assert (told["llm_calls"], len(told["results"]), "“" in told["answer"]) == (2, len(made), False)


def test_a_topic_beside_a_question_back_is_looked_up(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(reply=[{"say": "ask", "what": ["dates"], "serves": [1, 2]}]), answers("{{more}}"))
    told = ask(graph_of(), "I need a room for two. Is parking free?", today=TODAY, answer_check="rules")
    assert (topics_of(told), told["plan"]["reply"]) == (["parking"], None)
    assert re.search("(?s)dates.*parking|parking.*dates", told["answer"])


def test_a_topic_that_the_house_does_not_know_is_told_so(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(stay("check", *MAY)), OFFERS)
    told = ask(graph_of(), "Room for two, May 10-12. Is there a babysitter?", today=TODAY, answer_check="rules")
    assert topics_of(told) == ["babysitter"]
    assert "babysitter" in told["answer"]


def test_a_topic_for_which_no_call_is_left_is_named_as_not_looked_up(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(stay("check", *MAY)), OFFERS)
    told = ask(graph_of(), "Room for two, May 10-12. Is there parking?", today=TODAY, max_tool_calls=1)
    assert (topics_of(told), told["llm_calls"]) == ([], 2)
    assert "I did not look up “parking”; reception can tell you: " in told["answer"]


def test_who_comes_is_told_as_written_and_is_nothing_to_look_up(endpoint: Endpoint, graph_of: Any) -> None:
    text = (
        "Hello, we are 4 adults and 2 children, 5 and 9. We come on 10 May and leave on 12 May. What would that cost?"
    )
    given = plan(serving(stay("check", *MAY), 2, 3))
    endpoint.plays(given, given, OFFERS)
    told = ask(graph_of(), text, today=TODAY, answer_check="rules")
    assert "You wrote 4 adults and 2 children (ages 5, 9); I looked for 2 adults." in told["answer"]
    assert "nothing more" not in told["answer"]


def test_a_plan_that_goes_on_may_leave_a_stay_to_the_next(endpoint: Endpoint, graph_of: Any) -> None:
    first, second = stay("one", *JANUARY), stay("two", "2027-01-24", "2027-01-26")
    endpoint.plays(plan(first, status="continue"), plan(second), OFFERS)
    told = ask(graph_of(), "Room for two, 17-19 January or 24-26 January?", today=TODAY)
    assert (looked_for(told), told["llm_calls"]) == ([JANUARY, ("2027-01-24", "2027-01-26")], 3)
    assert "You also wrote" not in told["answer"]


def test_a_stay_that_no_plan_has_looked_for_in_the_end_is_named(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(stay("one", *JANUARY), status="continue"), plan(), OFFERS)
    told = ask(graph_of(), "Room for two, 17-19 January or 24-26 January?", today=TODAY)
    assert "You also wrote “24-26 January”; I did not look at that." in told["answer"]


def test_a_stay_in_place_of_the_one_that_was_written_is_named(endpoint: Endpoint, graph_of: Any) -> None:
    other = stay("other", "2027-01-18", "2027-01-20", instead_of="asked")
    endpoint.plays(plan(stay("asked", *JANUARY), status="continue"), plan(other), plan(other), OFFERS)
    told = ask(graph_of(), "A room for two, 17-19 January", today=TODAY)
    assert "You wrote “17-19 January”; I looked at Monday 18 January – Wednesday 20 January 2027" in told["answer"]


def test_a_stay_that_mends_a_wrong_one_is_not_named(endpoint: Endpoint, graph_of: Any) -> None:
    right = stay("right", *JANUARY, instead_of="wrong")
    wrong = plan(stay("wrong", "2027-01-18", "2027-01-20"), status="continue")
    endpoint.plays(wrong, wrong, plan(right), OFFERS)
    told = ask(graph_of(), "A room for two, 17-19 January", today=TODAY)
    assert "You wrote" not in told["answer"]


LACKS_PARKING = judged(completeness="Parking is not answered.", by="get_hotel_info")
LATER = {**stay("later", "2027-02-10", "2027-02-12", instead_of="check"), "serves": [1]}
SAYS_LATER = "You wrote “May 10-12”; I looked at Wednesday 10 February – Friday 12 February 2027, 2 nights."


def test_a_plan_after_the_judge_is_held_where_it_replaces_what_was_found(endpoint: Endpoint, graph_of: Any) -> None:
    first, again = (
        plan({**stay("check", *MAY), "serves": [1]}, context=[2]),
        plan(LATER, {**about("parking"), "serves": [2]}),
    )
    offers = answers("{{s1.o1.line}}")
    endpoint.plays(first, offers, LACKS_PARKING, again, again, offers, judged())
    told = ask(graph_of(), "Room for two, May 10-12. And what about parking?", today=TODAY, answer_check="on")
    feedback = endpoint.of("plan")[-1].block("feedback")
    assert ("contradicts_request", "later") in [(issue["rule"], issue["tool_id"]) for issue in feedback["issues"]]
    assert SAYS_LATER in told["answer"]


def test_a_plan_after_the_judge_is_held_though_the_first_was(endpoint: Endpoint, graph_of: Any) -> None:
    wrong, again = plan(stay("check", *MARCH)), plan(LATER)
    endpoint.plays(wrong, wrong, OFFERS, LACKS_PARKING, again, again, OFFERS, judged())
    told = ask(graph_of(), "Room for two, May 10-12, with a view?", today=TODAY, answer_check="on")
    issues = endpoint.of("plan")[-1].block("feedback")["issues"]
    assert [each["actual"]["check_in"] for each in issues if each["rule"] == "contradicts_request"] == ["2027-02-10"]
    assert SAYS_LATER in told["answer"]


def test_a_stay_that_was_looked_for_on_other_dates_is_told_once(endpoint: Endpoint, graph_of: Any) -> None:
    both = plan(stay("a", "2027-01-04", "2027-01-06"), stay("b", "2027-01-12", "2027-01-14"))
    endpoint.plays(both, both, answers("{{s1.o1.line}} {{s2.o1.line}}"))
    told = ask(graph_of(), "Which is cheaper for two, 4-6 January or 11-13 January?", today=TODAY, answer_check="rules")
    assert told["answer"].count("11-13 January”") == 1
    assert "You wrote “11-13 January”; I looked at Tuesday 12 January" in told["answer"]
