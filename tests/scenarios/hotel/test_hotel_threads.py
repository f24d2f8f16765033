"""Conversations with the hotel on one thread: what later messages change, keep and leave alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hotel_runs import TODAY
from langgraph.checkpoint.memory import InMemorySaver
from runs import Run, compiled, human, on_thread, run

from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.hotel.property.importer import import_hotel

Talk = Callable[..., Run]
OWN_HOTEL = Path(__file__).parents[3] / "examples" / "own_hotel"


@pytest.fixture
def talk(data_dir: Path) -> Talk:
    """Say the next thing on one thread."""
    graph = compiled(hotel_domain(data_dir), checkpointer=InMemorySaver())

    def say(text: str, **settings: Any) -> Run:
        return run(graph, human(text), on_thread(), context={"today": TODAY, **settings})

    return say


def stay(ended: Run, call_id: str = "check_availability") -> tuple[Any, ...]:
    args = ended["results"][call_id]["args"]
    return args["check_in"], args["check_out"], args["adults"]


def test_the_day_after_moves_the_stay_and_keeps_the_guests(talk: Talk) -> None:
    talk("January 17-19, 3 adults")
    ended = talk("and the day after?")

    assert stay(ended) == ("2027-01-18", "2027-01-20", 3)
    assert ended["answer"].startswith("For 3 adults:")


def test_the_same_in_two_rooms(talk: Talk) -> None:
    talk("January 17-19, 4 adults")
    ended = talk("same but two rooms")

    assert stay(ended) == ("2027-01-17", "2027-01-19", 4)
    assert ended["results"]["check_availability"]["args"]["rooms"] == 2
    assert "For 4 adults in 2 rooms:" in ended["answer"]
    assert "2 × Double Room" in ended["answer"]


def test_the_cheaper_one_is_the_cheaper_stay(talk: Talk) -> None:
    both = talk("Which is cheaper for two: January 17-19 or February 11-13?")
    prices = [each["data"]["offers"][0]["total_agorot"] for each in both["results"].values()]
    ended = talk("the cheaper one")

    assert prices[0] < prices[1]
    assert stay(ended)[:2] == ("2027-01-17", "2027-01-19")
    assert list(ended["results"]) == ["check_availability"]


def test_a_question_about_the_hotel_in_between_is_no_change(talk: Talk) -> None:
    talk("January 17-19, 2 adults")
    parking = talk("is there parking?")
    ended = talk("and the day after?")

    assert parking["tools"] == ["get_hotel_info"]
    assert parking["answer"].startswith("Parking: ")
    assert stay(ended) == ("2027-01-18", "2027-01-20", 2)


def test_new_dates_keep_the_guests_and_drop_the_budget(talk: Talk) -> None:
    tight = talk("2 adults and 2 children aged 5 and 8, under 1300 NIS, January 17-19")
    ended = talk("Check availability for February 3-5")

    assert "budget of 1,300 NIS" in tight["answer"]
    assert ended["answer"].startswith("For 2 adults and 2 children:")
    assert ended["results"]["check_availability"]["args"]["children_ages"] == [5, 8]
    assert "budget" not in ended["answer"]


def test_a_follow_up_keeps_the_budget(talk: Talk) -> None:
    talk("2 adults, under 1000 NIS, January 17-19")

    assert "Within your budget of 1,000 NIS" in talk("what about January 24-26?")["answer"]


def test_what_is_missing_is_asked_and_then_enough(talk: Talk) -> None:
    asked = talk("I need 3 rooms for a family reunion")
    ended = talk("December 10-12, 6 adults")

    assert (asked["outcome"], asked["tools_executed"]) == ("clarify", 0)
    assert asked["answer"].startswith("I noted: 3 rooms.")
    assert "For 6 adults in 3 rooms:" in ended["answer"]


def test_hebrew_on_one_thread(talk: Talk) -> None:
    first = talk("17-19 בינואר, זוג ותינוק")
    later = talk("ומה עם למחרת?")
    rooms = talk("ובשני חדרים?")

    assert first["answer"].startswith("עבור שני מבוגרים ותינוק אחד:")
    assert stay(later) == ("2027-01-18", "2027-01-20", 2)
    assert later["answer"].startswith("עבור שני מבוגרים ותינוק אחד:")
    assert rooms["results"]["check_availability"]["args"]["rooms"] == 2


def test_the_language_follows_the_guest(talk: Talk) -> None:
    talk("January 17-19, 2 adults")

    assert "ש״ח" in talk("ומה עם למחרת?")["answer"]


@pytest.fixture
def own(database: Path) -> Talk:
    """Say the next thing on one thread of an imported hotel."""
    import_hotel(OWN_HOTEL, database.parent)
    graph = compiled(hotel_domain(database.parent), checkpointer=InMemorySaver())

    def say(text: str) -> Run:
        return run(graph, human(text), on_thread(), context={"today": TODAY, "property_id": "beit-haerez"})

    return say


@pytest.mark.parametrize("text", ["Cedar Loft", "the loft", "I'll take the loft, please", "לופט הארז", "הלופט"])
def test_the_question_for_a_room_of_ones_own_hotel_is_answered_by_its_name(own: Talk, text: str) -> None:
    own("January 17-19, 2 adults")
    asked = own("I'd like to book it, Dana Levi, dana@example.com")
    assert "Which room shall I book?" in asked["answer"]

    (waiting,) = own(text)["__interrupt__"]

    assert waiting.value["args"]["guest_name"] == "Dana Levi"
    assert waiting.value["terms"]["quote"]["parts"][0]["room_type"] == "LOFT"


def test_a_room_of_ones_own_hotel_is_no_guests_name(own: Talk) -> None:
    own("January 17-19, 2 adults")
    own("book it")
    named = own("Cedar Loft")
    assert named["answer"] == "To book it I need the guest's name, and an e-mail address or phone number."

    (waiting,) = own("Dana Levi, dana@example.com")["__interrupt__"]
    assert waiting.value["terms"]["quote"]["parts"][0]["room_type"] == "LOFT"


def test_a_room_named_after_another_question_is_the_one_to_book(own: Talk) -> None:
    own("January 17-19, 2 adults")
    own("I'd like to book it, Dana Levi, dana@example.com")
    own("is there parking?")
    (waiting,) = own("the loft, please")["__interrupt__"]
    assert waiting.value["terms"]["quote"]["parts"][0]["room_type"] == "LOFT"


def test_ones_own_hotel_answers_in_its_own_words(database: Path) -> None:
    import_hotel(OWN_HOTEL, database.parent)
    graph = compiled(hotel_domain(database.parent))

    def ask(text: str) -> Run:
        return run(graph, human(text), context={"today": TODAY, "property_id": "beit-haerez"})

    rooms, free = ask("What rooms do you have?"), ask("January 17-19, 2 adults")
    assert "Cedar Loft: up to 4 guests, 32 m²" in rooms["answer"]
    assert "Double Room" not in rooms["answer"]
    assert "Garden Room" in free["answer"]
    assert "Booking link: https://beit-haerez.example/book?from=2027-01-17&to=2027-01-19&adults=2" in free["answer"]

    # A word for one of the demo hotel's types names no type of this hotel: all that hold the party are shown.
    double = ask("a double room January 17-19")
    assert "Garden Room" in double["answer"]
    assert double["issues"] == []
    assert free["answer_check"]["satisfied"]
