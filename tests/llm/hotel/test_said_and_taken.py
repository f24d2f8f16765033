"""What an answer says of the request: what a model left open, and the limit it took from the guest's words."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from endpoint import Endpoint, answers
from hotel_plans import about, book, open_stays, plan, quote, stay
from langgraph.checkpoint.memory import InMemorySaver
from plans import ask, call

from wavegraph import build_graph
from wavegraph.testing import ref
from wavegraph.tools.hotel.domain import hotel_domain

TODAY = "2026-11-20"
SUNDAY, TUESDAY = "2027-01-17", "2027-01-19"
NO_NIGHTS = "You gave no number of nights, so I checked 1 night."
TWO = "I assumed 2 adults; tell me if there are more or fewer of you, or children."
AGES = "The children's ages were not given; I assumed 8."
LEFT_OPEN = [
    ("a room for two on 17 January", stay("look", SUNDAY, None), [NO_NIGHTS]),
    ("a room 17-19 January", stay("look", SUNDAY, TUESDAY, adults=None), [TWO]),
    ("a room on 17 January", stay("look", SUNDAY, None, adults=None), [NO_NIGHTS, TWO]),
    ("17-19 January for two and a child", stay("look", SUNDAY, TUESDAY, children_ages=[None]), [AGES]),
    ("two nights in December", open_stays(2, adults=None), [TWO]),
    ("a room for two 17-19 January", stay("look", SUNDAY, TUESDAY), []),
    ("17-19 January, 2 adults and a child of 4", stay("look", SUNDAY, TUESDAY, children_ages=[4]), []),
]


@pytest.fixture(scope="module")
def graph_of(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("houses")
    return lambda saver=None: build_graph(hotel_domain(folder)).compile(saver)


@pytest.mark.parametrize(("text", "look", "taken"), LEFT_OPEN, ids=[text for text, *_ in LEFT_OPEN])
def test_what_was_left_open_is_taken_and_said_and_nothing_else(
    endpoint: Endpoint, graph_of: Any, text: str, look: dict[str, Any], taken: list[str]
) -> None:
    endpoint.plays(plan(look), answers("{{gladly}}"))
    answer = ask(graph_of(), text, today=TODAY)["answer"]
    assert [sentence for sentence in (NO_NIGHTS, TWO, AGES) if sentence in answer] == taken


def test_a_property_is_asked_with_what_was_filled_in_and_the_call_stays_as_it_was_said(
    endpoint: Endpoint, graph_of: Any
) -> None:
    endpoint.plays(
        plan(stay("look", SUNDAY, None, adults=None, children_ages=[None, 4], rooms=2)), answers("{{gladly}}")
    )
    done = ask(graph_of(), "two rooms on 17 January for us and two children, one is 4", today=TODAY)["results"]["look"]
    assert done["args"] == {"check_in": SUNDAY, "children_ages": [None, 4], "rooms": 2}
    found = done["data"]
    assert (found["check_out"], found["adults"], found["children_ages"]) == ("2027-01-18", 4, [8, 4])


TWO_HE = "הנחתי שני מבוגרים; נא לכתוב אם מספר האורחים אחר או אם יש ילדים."
BOOKINGS = {
    "nobody counted": ("Book a double 17-19 January, Dana Levi, dana@example.com", {"adults": None}, TWO),
    "nobody counted, in Hebrew": ("תזמינו חדר זוגי 17-19 בינואר, Dana Levi, dana@example.com", {"adults": None}, TWO_HE),
    "no number of nights": ("Book a double for two on 17 January, Dana Levi, dana@example.com", {"check_out": None}, NO_NIGHTS),
    "a child's age": ("Book the family suite 17-19 January for two and a child, Dana Levi, dana@example.com", {"children_ages": [None]}, AGES),
    "all was said": ("Book a double for two 17-19 January, Dana Levi, dana@example.com", {}, ""),
}  # fmt: skip


@pytest.mark.parametrize("planner", ["rules", "llm"])
@pytest.mark.parametrize("name", BOOKINGS)
def test_the_terms_of_a_booking_say_what_was_taken_for_granted(
    endpoint: Endpoint, graph_of: Any, name: str, planner: Any
) -> None:
    text, given, says = BOOKINGS[name]
    if planner == "llm":
        quoted = quote("quote", SUNDAY, TUESDAY)
        endpoint.plays(
            plan({**quoted, "args": {**quoted["args"], **given}}, book(ref("quote", "quote_id")), action="book")
        )
    told = ask(graph_of(InMemorySaver()), text, {"configurable": {"thread_id": name}}, today=TODAY, planner=planner)
    [asked] = told.state["approvals"].values()
    assert asked["tool"] == "create_booking"
    question = str(told.state["messages"][-1].text)
    assert [sentence for sentence in (NO_NIGHTS, TWO, TWO_HE, AGES) if sentence in question] == ([says] if says else [])


@pytest.mark.parametrize(("text", "says"), [
    ("Book a double 17-19 January for two, Dana Levi, dana@example.com", "You wrote “17-19 January”; I looked at Sunday 24 January"),
    ("תזמינו חדר זוגי 17-19 בינואר לזוג, Dana Levi, dana@example.com", "כתבתם “17-19 בינואר”, והבדיקה נעשתה לתאריכים אחרים: יום ראשון, 24"),
])  # fmt: skip
def test_the_terms_of_a_booking_say_which_dates_are_not_the_guests(
    endpoint: Endpoint, graph_of: Any, text: str, says: str
) -> None:
    later = plan(quote("quote", "2027-01-24", "2027-01-26"), book(ref("quote", "quote_id")), action="book")
    endpoint.plays(later, later)
    told = ask(graph_of(InMemorySaver()), text, {"configurable": {"thread_id": "t"}}, today=TODAY)
    assert says in str(told.state["messages"][-1].text)


def test_the_terms_of_a_booking_say_what_it_lacks_of_the_guest(endpoint: Endpoint, graph_of: Any) -> None:
    booked = book(ref("quote", "quote_id"))
    given = {**booked["args"], "guest_name": "Dana", "guest_email": "dana@example.com"}
    planned = plan(quote("quote", SUNDAY, TUESDAY), {**booked, "args": given}, action="book")
    endpoint.plays(planned, planned)
    text = "Book a double 17-19 January for two, Dana Levi, dana@example.com, 050-1234567"
    told = ask(graph_of(InMemorySaver()), text, {"configurable": {"thread_id": "t"}}, today=TODAY)
    question = str(told.state["messages"][-1].text)
    assert "You wrote “Dana Levi” and “050-1234567”; the booking does not have that." in question


@pytest.mark.parametrize("instead_of", [None, "check"], ids=["besides", "in place of it"])
def test_terms_of_other_dates_say_so_though_the_guests_were_looked_up(
    endpoint: Endpoint, graph_of: Any, instead_of: str | None
) -> None:
    looked = plan(stay("check", "2027-01-17", "2027-01-19"), status="continue")
    moved = quote("quote", "2027-01-18", "2027-01-20", instead_of)
    booked = plan(moved, book(ref("quote", "quote_id")), action="book")
    endpoint.plays(looked, *[booked] * (2 if instead_of else 1))  # in place of a good result it is sent back once
    text = "Book a double 17-19 January for two, Dana Levi, dana@example.com"
    told = ask(graph_of(InMemorySaver()), text, {"configurable": {"thread_id": "t"}}, today=TODAY)
    assert "You wrote “17-19 January”; I looked at Monday 18 January" in str(told.state["messages"][-1].text)


CHEAPEST = "As the cheapest I took the lowest price with free cancellation, where there is one."
CHEAPEST_HE = "המחיר הנמוך ביותר נבחר מבין אלה עם ביטול ללא עלות, אם יש כאלה."


@pytest.mark.parametrize(("text", "refundable", "says"), [
    ("Book the cheapest double 17-19 January for two, Dana Levi, dana@example.com", None, CHEAPEST),
    ("תזמינו את החדר הזוגי הזול ביותר 17-19 בינואר לזוג, Dana Levi, dana@example.com", None, CHEAPEST_HE),
    ("Book the cheapest double, non-refundable, 17-19 January for two, Dana Levi, dana@example.com", False, ""),
    ("Book a double 17-19 January for two, Dana Levi, dana@example.com", None, ""),
])  # fmt: skip
def test_the_terms_of_the_cheapest_say_of_which_prices_it_is(
    endpoint: Endpoint, graph_of: Any, text: str, refundable: bool | None, says: str
) -> None:
    """A model's call may not say that the cheapest is asked for."""
    quoted = quote("quote", SUNDAY, TUESDAY)
    quoted["args"] |= {"room_type": "DBL", "refundable": refundable}
    endpoint.plays(plan(quoted, book(ref("quote", "quote_id")), action="book"))
    told = ask(graph_of(InMemorySaver()), text, {"configurable": {"thread_id": text}}, today=TODAY, planner="llm")
    question = str(told.state["messages"][-1].text)
    assert ("780" if refundable is None else "702") in question
    assert [line for line in (CHEAPEST, CHEAPEST_HE) if line in question] == ([says] if says else [])


@pytest.mark.parametrize("planner", ["rules", "llm"])
@pytest.mark.parametrize("texts", [
    ("Book the cheapest double 17-19 January for two, Dana Levi, dana@example.com",),
    ("תזמינו את החדר הזוגי הזול ביותר 17-19 בינואר לזוג, Dana Levi, dana@example.com",),
    ("What is the cheapest room 17-19 January for two?", "Book it. Dana Levi, dana@example.com"),
])  # fmt: skip
def test_the_cheapest_that_is_booked_is_the_cheapest_with_its_terms(
    endpoint: Endpoint, graph_of: Any, texts: Sequence[str], planner: Any
) -> None:
    if planner == "llm":
        quoted = quote("quote", SUNDAY, TUESDAY)
        quoted["args"] |= {"room_type": "DBL", "order": "cheapest"}
        endpoint.plays(plan(quoted, book(ref("quote", "quote_id")), action="book"))
    graph, config = graph_of(InMemorySaver()), {"configurable": {"thread_id": texts[0]}}
    for text in texts[:-1]:
        ask(graph, text, config, today=TODAY, planner="rules")
    question = str(ask(graph, texts[-1], config, today=TODAY, planner=planner).state["messages"][-1].text)
    assert "702" in question
    assert "780" not in question
    assert any(words in question for words in ("non-refundable", "ללא החזר"))
    assert CHEAPEST not in question


@pytest.mark.parametrize(("text", "says"), [
    ("What is the cheapest double 17-19 January for two?", "The cheapest (Double Room) is Double Room, room only: 702 NIS"),
    ("What is the cheapest double 17-19 January for two with free cancellation?",
     "The cheapest (Double Room, free cancellation) is Double Room, room only: 780 NIS"),
    ("מה החדר הזוגי הזול ביותר 17-19 בינואר לזוג עם ביטול חינם?", "האפשרות הזולה ביותר (חדר זוגי, ביטול ללא עלות): חדר זוגי, לינה בלבד: 780 ש״ח"),
    ("What is the cheapest room 17-19 January for two?", "The cheapest is Double Room, room only: 702 NIS"),
])  # fmt: skip
def test_what_is_called_the_cheapest_says_of_what(endpoint: Endpoint, graph_of: Any, text: str, says: str) -> None:
    assert says in ask(graph_of(), text, today=TODAY, planner="rules")["answer"]


WISH = "I can't promise a quiet room, a floor, a place in the hotel, neighbouring rooms or beds: please tell reception your wish"
WISH_HE = "חדר שקט, קומה, מיקום, חדרים סמוכים או סידור מיטות הם בקשה שאין באפשרותי להבטיח"
WISHES = [
    ("A quiet double for two, 17-19 January", WISH), ("17-19 January for two, on a high floor", WISH),
    ("17-19 January for two, near the lift please", WISH), ("חדר שקט לזוג 17-19 בינואר", WISH_HE),
    ("חדר לזוג 17-19 בינואר ליד המעלית", WISH_HE), ("17-19 January for two, and what are the quiet hours?", ""),
]  # fmt: skip


@pytest.mark.parametrize("written", ["{{s1.o1.line}}", "nothing that stands"], ids=["written", "templates"])
@pytest.mark.parametrize(("text", "says"), WISHES, ids=[text for text, _ in WISHES])
def test_a_wish_that_no_argument_has_is_not_passed_over(
    endpoint: Endpoint, graph_of: Any, text: str, says: str, written: str
) -> None:
    endpoint.plays(plan(stay("look", SUNDAY, TUESDAY)), answers(written))
    answer = ask(graph_of(), text, today=TODAY)["answer"]
    assert [line for line in (WISH, WISH_HE) if line in answer] == ([says] if says else [])


def test_what_a_reply_says_of_a_wish_is_not_said_again(endpoint: Endpoint, graph_of: Any) -> None:
    cannot = [{"say": "cannot", "thing": "promise_room", "quote": "A quiet room"}]
    endpoint.plays(plan(stay("look", SUNDAY, TUESDAY), reply=cannot), answers("{{said.1}} {{s1.o1.line}}"))
    answer = ask(graph_of(), "A quiet room for two, 17-19 January", today=TODAY)["answer"]
    assert answer.count("I can't promise") == 1


@pytest.mark.parametrize("planner", ["rules", "llm"])
@pytest.mark.parametrize("notes", [None, "a quiet double"])
def test_the_terms_of_a_booking_say_what_becomes_of_a_wish(
    endpoint: Endpoint, graph_of: Any, notes: str | None, planner: Any
) -> None:
    text = "Book a quiet double 17-19 January for two, Dana Levi, dana@example.com"
    if planner == "llm":
        made = quote("quote", SUNDAY, TUESDAY), book(ref("quote", "quote_id"), notes=notes)
        endpoint.plays(plan(*made, action="book"))
    told = ask(graph_of(InMemorySaver()), text, {"configurable": {"thread_id": "t"}}, today=TODAY, planner=planner)
    question = str(told.state["messages"][-1].text)
    is_noted = planner == "llm" and notes is not None
    assert (WISH in question, "Notes: a quiet double" in question) == (not is_noted, is_noted)


def test_a_price_that_is_quoted_and_not_booked_says_for_whom_too(endpoint: Endpoint, graph_of: Any) -> None:
    quoted = quote("quote", SUNDAY, TUESDAY)
    endpoint.plays(plan({**quoted, "args": {**quoted["args"], "adults": None}}), answers("{{quote1.1}}"))
    assert TWO in ask(graph_of(), "What exactly is a room 17-19 January?", today=TODAY)["answer"]


LATER = ("2027-01-24", "2027-01-26")
PER_ROOM = "I assumed 2 adults per room, 4 in all; tell me how many you are and the children's ages."
APART = {
    "another stay": ("17-19 January for us, and two rooms for us all 24-26 January", stay("b", *LATER, adults=None, rooms=2),
                     f"24–26 January 2027: {PER_ROOM}", ["2 nights, for 2 adults", "2 nights, for 4 adults"]),
    "a search": ("17-19 January for us, and two rooms for us all two nights in December", open_stays(2, "b", adults=None, rooms=2),
                 f"4–12 December 2026: {PER_ROOM}", ["2 nights, for 2 adults", "12 December 2026, for 4 adults"]),
    "a family": ("17-19 January for two, and our family of 5 24-26 January", stay("b", *LATER, children_ages=[None] * 3),
                 "24–26 January 2027: The children's ages were not given", ["for 2 adults:", "for 2 adults and 3 children:"]),
    "not whom the guest counted": ("17-19 January or 24-26 January for two?", stay("b", *LATER, adults=3),
                                   "24–26 January 2027: You wrote 2 adults; I looked for 3 adults.", ["for 2 adults:", "for 3 adults:"]),
}  # fmt: skip


@pytest.mark.parametrize("written", ["{{s1}}:\n{{s1.o1.line}}", "nothing that stands"], ids=["written", "templates"])
@pytest.mark.parametrize("name", APART)
def test_of_look_ups_for_different_guests_each_says_its_own(
    endpoint: Endpoint, graph_of: Any, name: str, written: str
) -> None:
    text, other, remark, headings = APART[name]
    first = plan(stay("a", SUNDAY, TUESDAY))
    first = first.but(arguments=(first.arguments or "").replace('"done"', '"continue"'))
    others = [plan(other)] * (2 if " or " in text else 1)  # for others than the guest counted: it is sent back once
    second = "open1.a1" if other["tool"] == "find_open_stays" else "s2.o1"
    endpoint.plays(first, *others, answers(f"{written}\n{{{{{second}.line}}}}"))
    answer = ask(graph_of(), text, today=TODAY)["answer"]
    assert remark in answer
    assert all(heading in answer for heading in headings)
    assert "For 2 adults" not in answer


@pytest.mark.parametrize("written", ["{{s1}}:\n{{s1.o1.line}}", "nothing that stands"])
def test_a_quote_for_others_than_were_looked_up_names_them(endpoint: Endpoint, graph_of: Any, written: str) -> None:
    quoted = quote("q", SUNDAY, TUESDAY)
    first = plan(stay("a", SUNDAY, TUESDAY), {**quoted, "args": {**quoted["args"], "adults": 3}})
    endpoint.plays(first, answers(written))
    answer = ask(graph_of(), "17-19 January, what is free for us two, and what would it be for 3?", today=TODAY)[
        "answer"
    ]
    assert "2027, 2 nights, for 2 adults:" in answer
    assert "2027, 2 nights, for 3 adults: Triple Room" in answer


LIMITS: dict[str, tuple[str, dict[str, Any], str]] = {
    "a night": ("17-19 January for two under 400 a night", {"max_price": 400, "per": "night"}, "Within your budget of 400 NIS per night"),
    "a night by the plan": ("17-19 January for two, 400 at most", {"max_price": 400, "per": "night"}, "Within your budget of 400 NIS per night"),
    "the stay": ("17-19 January for two, 800 at most", {"max_price": 800}, "Within your budget of 800 NIS for the stay"),
    "too low": ("17-19 January for two under 300 a night", {"max_price": 300, "per": "night"}, "351 NIS"),
    "foreign": ("17-19 January for two under 200 dollars", {"max_price": 200, "currency": "USD"}, "I did not compare them with your budget of 200 dollars"),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_prices_are_held_against_the_guests_limit_in_its_own_terms_and_none_is_hidden(
    endpoint: Endpoint, graph_of: Any, name: str
) -> None:
    text, limit, said = LIMITS[name]
    made = plan(stay("look", SUNDAY, TUESDAY, **limit))
    is_unnamed = limit.get("per") == "night" and "night" not in text
    endpoint.plays(*[made] * (1 + is_unnamed), answers("{{gladly}}"))
    told = ask(graph_of(), text, today=TODAY)
    assert said in told["answer"]
    assert ("I looked at a price per night, which your words do not ask for." in told["answer"]) == is_unnamed
    totals = [offer["total_agorot"] for offer in told["results"]["look"]["data"]["offers"]]
    assert (min(totals), max(totals) > 80_000) == (70_200, True)


MENDED = [
    ("{{sum:s1.o1.line+s1.o9.night}}", "there is no statement s1.o9.night"),
    ("{{s1.o99.line}}", "there is no statement s1.o99.line"),
    ("{{missing:a view of the moon}}", "these are no words of the request"),
]


@pytest.mark.parametrize("check", ["rules", "auto"])
@pytest.mark.parametrize(("written", "why"), MENDED)
def test_what_says_nothing_goes_back_to_its_writer_once_and_is_named(
    endpoint: Endpoint, graph_of: Any, written: str, why: str, check: str
) -> None:
    draft = f"{{{{gladly}}}} {{{{s1}}}}:\n- {{{{s1.lowest}}}}\n{written}"
    endpoint.plays(plan(stay("look", SUNDAY, TUESDAY, room_type="DBL")), answers(draft), answers(draft))
    told = ask(graph_of(), "a double for two 17-19 January", today=TODAY, answer_check=check)
    [_, again] = endpoint.of("answer")
    assert again.block("gaps") == [f"{written} says nothing: {why}"]
    assert (told["outcome"], told["answer_check"]["satisfied"]) == ("answered", True)


def test_a_sentence_of_other_words_does_not_go_back(endpoint: Endpoint, graph_of: Any) -> None:
    endpoint.plays(plan(stay("look", SUNDAY, TUESDAY)), answers("{{gladly}} {{s1.lowest}}\nIt is the best price ever."))
    told = ask(graph_of(), "a double for two 17-19 January", today=TODAY, answer_check="rules")
    assert len(endpoint.of("answer")) == 1
    assert "ever" not in told["answer"]


CLOSED = ("2026-12-12", "2026-12-15")
SEARCHED = {"from_date": "2027-01-01", "to_date": "2027-01-31", "arrive_on": ["sun"]}
BUDGETS: Sequence[tuple[str, float, str, int]] = (
    ("search", 300, "Nothing at or under 300 NIS per night; the closest is 351 NIS, 51 NIS more:", 1),
    ("search", 355, "Within your budget of 355 NIS per night:", 2),
    ("instead", 300, "None of these is at or under 300 NIS per night; the closest is 351 NIS, 51 NIS more:", 3),
    ("instead", 355, "Within your budget of 355 NIS per night:", 2),
)


@pytest.mark.parametrize(("kind", "most", "said", "stays"), BUDGETS)
@pytest.mark.parametrize("written", ["{{gladly}}", "nothing that stands"], ids=["written", "templates"])
def test_what_a_search_finds_and_what_is_free_instead_is_held_against_the_budget_too(
    endpoint: Endpoint, graph_of: Any, kind: str, most: float, said: str, stays: int, written: str
) -> None:
    limit = {"max_price": most, "per": "night"}
    if kind == "search":
        text, calls = (
            f"Sunday to Tuesday in January for two under {most} a night?",
            [plan(open_stays(2, **SEARCHED, **limit))],
        )
    else:
        text = f"12-15 December for two under {most} a night?"
        near = open_stays(3, "near", "look", from_date="2026-12-13", to_date="2026-12-23", near="2026-12-13")
        calls = [plan(stay("look", *CLOSED, **limit)), plan(near)]
    endpoint.plays(*calls, answers(written))
    answer = ask(graph_of(), text, today=TODAY)["answer"]
    assert f"\n{said}\n- " in answer
    told = [line for line in answer.splitlines() if line.startswith("- ") and "NIS per night" in line]
    assert len(told) == stays
    per_night = [float(line.partition("(")[2].partition(" ")[0]) for line in told]
    assert all(each <= most for each in per_night) == said.startswith("Within")


def test_what_is_free_instead_is_priced_for_each_room_that_has_what_was_asked_for(
    endpoint: Endpoint, graph_of: Any
) -> None:
    text = "Which rooms have a balcony and a bathtub, and what would each cost for 2 adults, 5-6 December?"
    rooms = call("rooms", "get_rooms_info", room_type=None)
    endpoint.plays(
        plan(rooms, stay("look", "2026-12-05", "2026-12-06")),
        plan(stay("earlier", "2026-12-04", "2026-12-06", instead_of="look")),
        answers("{{s1.instead}}\n- {{s1.a1.lowest.DLX}}\n- {{s1.a1.lowest.FAM}}"),
    )
    answer = ask(graph_of(), text, today=TODAY)["answer"]
    assert [
        room for room in ("Deluxe Sea View Room,", "Family Suite,", "Sea Front Suite,") if f"), {room}" in answer
    ] == [
        "Deluxe Sea View Room,",
        "Family Suite,",
    ]


def test_a_room_of_which_two_are_offered_is_not_said_to_be_too_small(endpoint: Endpoint, graph_of: Any) -> None:
    text = "We're four adults, 17-19 January. Is one suite cheaper than two double rooms?"
    looks = [
        stay("one", SUNDAY, TUESDAY, adults=4),
        stay("two", SUNDAY, TUESDAY, adults=4, rooms=2, room_type="double room"),
    ]
    endpoint.plays(plan(*looks), answers("{{s1.lowest}}\n{{s2.lowest}}"))
    answer = ask(graph_of(), text, today=TODAY)["answer"]
    assert "2 × Double Room" in answer
    assert "Double Room: does not hold" not in answer


def test_nights_that_were_given_are_not_said_to_be_missing(endpoint: Endpoint, graph_of: Any) -> None:
    text = "Hello, are you open in December? two adults, 14 to 16 December please"
    other = stay("other", "2026-12-15", "2026-12-17")
    endpoint.plays(plan(stay("look", "2026-12-14", "2026-12-16"), other), answers("{{s1.o1.line}} {{s2.o1.line}}"))
    answer = ask(graph_of(), text, today=TODAY, answer_check="rules")["answer"]
    assert "Tuesday 15 December" in answer
    assert "No exact nights" not in answer


def test_a_limit_that_nobody_named_is_not_told(endpoint: Endpoint, graph_of: Any) -> None:
    made = plan(stay("look", SUNDAY, TUESDAY, max_price=300, per="night"))
    endpoint.plays(made, made, answers("{{gladly}} {{s1.o1.line}}"))
    told = ask(graph_of(), "17-19 January for two", today=TODAY)
    assert "300" not in told["answer"]
    assert "budget" not in told["slots"]


def test_a_model_is_shown_its_own_arguments_and_not_what_follows_from_them(endpoint: Endpoint, graph_of: Any) -> None:
    graph, config = graph_of(InMemorySaver()), {"configurable": {"thread_id": "t"}}
    endpoint.plays(plan(stay("look", SUNDAY, None, adults=None)), answers("{{gladly}}"))
    ask(graph, "a room on 17 January", config, today=TODAY)
    endpoint.plays(plan(stay("look_2", "2027-01-24", None, adults=None)), answers("{{gladly}}"))
    ask(graph, "and a week later?", config, today=TODAY)
    [_, asked] = endpoint.of("plan")
    previous = asked.block("previous_request")
    assert previous["calls"][0]["args"] == {"check_in": SUNDAY, "children_ages": []}
    assert "slots" not in previous


def test_a_weekend_of_the_calendar_is_named_and_its_nights_are_said(endpoint: Endpoint, graph_of: Any) -> None:
    dates = [ref("dates", f"stays[0].{end}") for end in ("check_in", "check_out")]
    hint = call("dates", "resolve_date_hint", hint="next weekend")
    endpoint.plays(plan(hint, stay("look", *dates)), answers("{{gladly}} {{s1.o1.line}}"))
    answer = ask(graph_of(), "a room for two next weekend", today=TODAY)["answer"]
    assert "I took the weekend to be Thursday 26 November – Saturday 28 November 2026" in answer


def test_a_figure_of_the_guest_is_held_against_the_houses_and_its_fee_is_in_the_price(
    endpoint: Endpoint, graph_of: Any
) -> None:
    endpoint.plays(
        plan(stay("look", SUNDAY, TUESDAY), about("pets", kg=9)),
        answers("{{s1}}:\n- {{s1.o1.line}}\n{{sum:s1.o1.line+pets.fee}}\n{{pets.1}}"),
    )
    told = ask(graph_of(), "17-19 January for two and our dog, it weighs 9 kg: what is the total?", today=TODAY)
    assert "(702 NIS) + Pets, 2 nights (160 NIS) = 862 NIS in all." in told["answer"]
    assert "Pets: 9 kg is within the limit of 12 kg." in told["answer"]
    assert told["results"]["pets"]["args"] == {"topic": "pets", "kg": 9}


def test_a_figure_that_no_guest_said_compares_nothing(endpoint: Endpoint, graph_of: Any) -> None:
    made = plan(about("pets", kg=9), about("check in", time="23:00"))
    endpoint.plays(made, made, answers("{{pets.1}}"))
    answer = ask(graph_of(), "May we bring our dog, and when is check-in?", today=TODAY)["answer"]
    assert "One dog up to 12 kg" in answer
    assert "9 kg" not in answer
    assert "23:00" not in answer


def test_a_follow_up_is_sent_the_quote_and_no_offers(endpoint: Endpoint, graph_of: Any) -> None:
    """The offers that were told stand in the conversation; what can be booked stands as it was quoted."""
    graph, config = graph_of(InMemorySaver()), {"configurable": {"thread_id": "t"}}
    endpoint.plays(
        plan(stay("look", SUNDAY, TUESDAY), quote("quote", SUNDAY, TUESDAY)),
        answers("{{s1}}:\n- {{s1.o1.line}}\n- {{s1.o2.line}}"),
    )
    told = ask(graph, "17-19 January for two", config, today=TODAY)
    endpoint.plays(plan(about("pets")), answers("{{pets.1}}"))
    ask(graph, "the second one, and may we bring a dog?", config, today=TODAY)
    [_, asked] = endpoint.of("plan")
    look, quoted = asked.block("previous_request")["calls"]
    assert look == {"tool": "get_availability", "args": told["results"]["look"]["args"]}
    assert quoted["data"] == {"quote_id": told["results"]["quote"]["data"]["quote_id"]}
    assert asked.block("conversation")[1]["text"] == told["answer"]
