"""One suite over imported hotels in several countries: currency, decimals, weekend, Easter and rooms' words are theirs."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hotel_runs import TODAY, asked
from hotels_abroad import HOTELS, Abroad, imported
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from runs import Run, compiled, human, on_thread, run

from wavegraph.tools.hotel.domain import hotel_domain

Ask = Callable[..., Run]
CURRENCIES = r"NIS|ILS|EUR|USD|JPY|KWD|₪|€|\$|¥|ש״ח"


@pytest.fixture(scope="module")
def abroad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("abroad")
    for case in HOTELS:
        imported(case, folder)
    return folder


@pytest.fixture(params=HOTELS, ids=[case.id for case in HOTELS])
def case(request: pytest.FixtureRequest) -> Abroad:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def ask(abroad: Path, case: Abroad) -> Ask:
    """One request to the hotel, whose answer must trace and name no other currency than the hotel's."""

    def say(text: str, **settings: Any) -> Run:
        ended = asked(abroad, text, property_id=f"hotel-{case.id}", **settings)
        assert ended["answer_check"]["satisfied"], ended["answer_check"]
        assert not ended["answer_failures"], ended["answer_failures"]
        return ended

    return say


@pytest.fixture
def talk(abroad: Path, case: Abroad) -> Callable[..., Any]:
    """Say the next thing on one thread of the hotel, or answer what it asks."""
    graph = compiled(hotel_domain(abroad), checkpointer=InMemorySaver())
    context = {"today": TODAY, "property_id": f"hotel-{case.id}"}

    def say(text: Any) -> Run:
        given = text if isinstance(text, Command) else human(text)
        return run(graph, given, on_thread(), context=context)

    return say


def stay_of(ended: Run, call_id: str = "check_availability") -> tuple[str, str]:
    args = ended["results"][call_id]["args"]
    return args["check_in"], args["check_out"]


def other_currencies(answer: str, case: Abroad) -> set[str]:
    """Names of currencies in the answer, but for the hotel's own."""
    return set(re.findall(CURRENCIES, answer)) - {case.label, case.label_he}


def test_prices_are_shown_in_the_currency_of_the_hotel(ask: Ask, case: Abroad) -> None:
    ended = ask("January 18-20, 2 adults")

    assert f"{case.saver} in total ({case.saver_night} per night), non-refundable" in ended["answer"]
    assert f"or {case.two_nights}, free cancellation" in ended["answer"]
    assert case.penthouse in ended["answer"]
    assert other_currencies(ended["answer"], case) == set()


def test_a_full_night_gives_priced_nights_beside_it(ask: Ask, case: Abroad) -> None:
    ended = ask("December 25, 2 adults")

    free = ended["answer"].partition("What is free instead:")[2]
    assert len(re.findall(rf"\d {case.label} for the night", free)) == 2, ended["answer"]
    assert other_currencies(ended["answer"], case) == set()


def test_rooms_are_compared_with_their_difference(ask: Ask, case: Abroad) -> None:
    ended = ask("compare the penthouse and the queen room January 18-20")

    assert f"Standard Queen is cheaper: {case.saver} in total, against {case.penthouse}" in ended["answer"]
    assert f"The difference is {case.dearer}." in ended["answer"]


def test_a_budget_is_read_in_the_words_of_its_guests(ask: Ask, case: Abroad) -> None:
    ended = ask(f"January 18-20, 2 adults, {case.budget}")

    assert "Within your budget of" in ended["answer"]
    assert case.saver in ended["answer"]
    assert "Above your budget" in ended["answer"]
    assert other_currencies(ended["answer"], case) == set()


def test_a_budget_in_another_currency_is_not_compared(ask: Ask, case: Abroad) -> None:
    ended = ask(f"January 18-20, 2 adults, {case.foreign}")

    assert "I don't convert other currencies" in ended["answer"]
    assert f"({case.label})" in ended["answer"]
    assert case.saver in ended["answer"]
    assert "Within your budget" not in ended["answer"]


def test_a_hebrew_question_has_its_prices(ask: Ask, case: Abroad) -> None:
    ended = ask("יש חדר ל-18 עד 20 בינואר לזוג?")

    amount = case.saver.replace(case.label, case.label_he)
    assert amount in ended["answer"]
    assert other_currencies(ended["answer"], case) == set()


def test_the_hotel_says_what_it_charges_for(ask: Ask, case: Abroad) -> None:
    assert f"A place costs {case.label} 12 a night." in ask("is there parking?")["answer"]


def test_its_weekend_and_its_easter_are_its_own(ask: Ask, case: Abroad) -> None:
    assert stay_of(ask("next weekend, 2 adults")) == case.weekend
    assert stay_of(ask("next weekend, 2 adults", country="DE")) == case.weekend
    assert stay_of(ask("Easter, 2 adults")) == case.easter
    assert stay_of(ask("Orthodox Easter, 2 adults")) == ("2027-04-30", "2027-05-03")
    assert stay_of(ask("Catholic Easter, 2 adults")) == ("2027-03-26", "2027-03-29")


ROOMS = {
    "the penthouse January 18-20": "PENT",
    "a standard queen, January 18-20, 2 adults": "STDQ",
    "a queen room January 18-20": "STDQ",
    "maisonette for 4 adults January 18-20": "MAIS",
    "something on the rooftop January 18-20": "PENT",
    "PENT January 18-20": "PENT",
    "פנטהאוז 18-20 בינואר": "PENT",
    "במזונט, 18-20 בינואר": "MAIS",
    "a double room January 18-20": None,
    "we are a family of three, standard rate please, January 18-20": None,
}


def test_rooms_are_known_by_the_words_of_the_hotel(ask: Ask) -> None:
    named = {text: ask(text)["results"]["check_availability"]["args"].get("room_type") for text in ROOMS}
    assert named == ROOMS


def test_a_room_is_described_by_its_own_name(ask: Ask, case: Abroad) -> None:
    ended = ask("tell me about the maisonette")

    assert ended["results"]["rooms_info"]["args"] == {"room_type": "MAIS"}
    assert re.fullmatch(
        rf"- Maisonette: up to 6 guests, 80 m², list price from [\d,.]+ {case.label} per night", ended["answer"]
    )


def test_two_maisonettes_are_two_rooms(ask: Ask) -> None:
    args = ask("two maisonettes January 18-20, 8 adults")["results"]["check_availability"]["args"]
    assert (args["rooms"], args["room_type"]) == (2, "MAIS")


def test_the_same_in_two_rooms(talk: Callable[..., Run], case: Abroad) -> None:
    talk("the queen room January 18-20, 2 adults")
    ended = talk("same but two rooms")

    assert ended["results"]["check_availability"]["args"]["rooms"] == 2
    assert "2 × Standard Queen" in ended["answer"]
    assert case.penthouse in ended["answer"]  # two such rooms cost what one Penthouse does
    assert not ended["answer_failures"]


def test_a_booking_is_agreed_to_made_and_cancelled_in_its_currency(talk: Callable[..., Run], case: Abroad) -> None:
    """The non-refundable rate is charged whole when it is cancelled."""
    asked = talk("book the non-refundable penthouse January 18-20 for Dana Levi, dana@example.com, 2 adults")
    (waiting,) = asked["__interrupt__"]
    vat = ", VAT included" if case.hotel.get("vat_bp") or case.hotel["country"] == "IL" else ""
    assert f"{case.penthouse} in total" in waiting.value["summary"]
    assert re.search(rf"per night\){vat}\n", waiting.value["summary"]), waiting.value["summary"]

    made = talk("yes")
    reference = made["results"]["create_booking"]["data"]["reference"]
    assert f"Your booking is confirmed: {reference}." in made["answer"]
    assert f"{case.penthouse} in total" in made["answer"]

    (waiting,) = talk(f"cancel my booking {reference}, Levi")["__interrupt__"]
    assert f"The cancellation would cost {case.penthouse}: the whole price of the booking." in waiting.value["summary"]
    gone = talk("yes")
    assert f"The cancellation costs {case.penthouse}: the whole price of the booking." in gone["answer"]
    told = (made["answer"] + gone["answer"]).replace(reference, "")  # which may spell EUR
    assert other_currencies(told, case) == set()


def test_room_of_the_question_is_named_by_the_guest(talk: Callable[..., Run], case: Abroad) -> None:
    talk("January 18-20, 2 adults")
    asked = talk("I'd like to book it, Dana Levi, dana@example.com")
    assert case.saver in asked["answer"]
    (waiting,) = talk("the penthouse")["__interrupt__"]
    assert waiting.value["terms"]["quote"]["parts"][0]["room_type"] == "PENT"


OTHERS = {
    "Greek": "Έχετε δωμάτιο για 18-20 Ιανουαρίου;",
    "German": "Haben Sie ein Zimmer frei vom 18. bis 20. Januar?",
    "Japanese": "1月18日から20日まで部屋は空いていますか",
    "Arabic": "هل لديكم غرفة من 18 إلى 20 يناير؟",
    "Russian": "Есть свободный номер 18-20 января?",
    "French": "Avez-vous une chambre du 18 au 20 janvier ?",
}


@pytest.mark.parametrize("language", OTHERS)
def test_other_languages_need_a_model_and_it_says_so(ask: Ask, language: str) -> None:
    ended = ask(OTHERS[language])

    assert (ended["outcome"], ended["tools"]) == ("clarify", [])
    assert ended["answer"].startswith("I read English and Hebrew only")
    assert "look anything up" in ended["answer"]
