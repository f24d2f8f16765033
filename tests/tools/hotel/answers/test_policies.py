"""The house's figures beside the guest's: what is above a limit, outside the hours, and the price with a fee in it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from desk_views import answered, availability, offer
from langchain_core.messages import HumanMessage
from tables import table

from wavegraph.graph.answer.gate import Gate
from wavegraph.graph.views import AnswerView
from wavegraph.tools.hotel.inventory.topics import hotel_info
from wavegraph.tools.hotel.offline import HotelOffline
from wavegraph.tools.hotel.property.seed import demo_property
from wavegraph.tools.hotel.records import Policy

DEMO = demo_property()


def info(topic: str, *, policy: dict[str, Any] | None = None, call_id: str = "", **figures: Any) -> Any:
    """A call about a topic of the demo hotel, with the guest's figures; `policy`: instead of the topic's own."""
    data = hotel_info(DEMO.record, DEMO.topics, topic).model_dump(mode="json")
    data |= {} if policy is None else {"policy": Policy(**policy).model_dump(mode="json")}
    return call_id or f"info_{topic}", "get_hotel_info", {"topic": topic, **figures}, data


def stay(name: str, check_in: str, check_out: str, total: int, nights: int) -> Any:
    found = availability(check_in, check_out, offer("DBL", total, nights, board="RO"))
    return name, "get_availability", {"check_in": check_in, "check_out": check_out, "adults": 2}, found


TWO_NIGHTS = stay("check_availability", "2027-01-17", "2027-01-19", 78_000, 2)
THREE_NIGHTS = stay("second", "2027-02-07", "2027-02-10", 90_000, 3)


def told(text: str, *results: Any, language: str | None = None) -> dict[str, str]:
    return HotelOffline().statements(answered(text, results, language=language)).shown()


def through(view: AnswerView, text: str) -> tuple[str, Gate]:
    gate = Gate(HotelOffline().statements(view))
    return gate.feed(text) + gate.rest() + gate.owed(), gate


def test_a_label_gives_way_to_the_statements_own() -> None:
    view = answered("My dog weighs 15 kg", [info("pets", kg=15)])
    said, gate = through(view, "Your dog: {{pets.asked.1}}\n{{pets.1}}")
    assert said.startswith("Pets: 15 kg is above the limit of 12 kg.\nOne dog up to 12 kg")
    assert gate.refused == []


HOURS = {"from_time": "15:00", "until_time": "22:00"}
NIGHT = {"from_time": "22:00", "until_time": "02:00"}
COMPARED: Sequence[tuple[str, Any, str]] = (
    ("My dog weighs 15 kg", info("pets", kg=15), "Pets: 15 kg is above the limit of 12 kg."),
    ("My dog weighs 9 kg", info("pets", kg=9), "Pets: 9 kg is within the limit of 12 kg."),
    ("a dog of 12 kg", info("pets", kg=12.0), "Pets: 12 kg is within the limit of 12 kg."),
    ("a dog of 12.5 kg", info("pets", kg=12.5), "Pets: 12.5 kg is above the limit of 12 kg."),
    ("my fifteen kilo dog", info("pets", kg=15), "Pets: 15 kg is above the limit of 12 kg."),
    ("הכלב שלי שוקל 15 קילו", info("pets", kg=15), "חיות מחמד: 15 ק״ג הם מעל המגבלה של 12 ק״ג."),
    ("הכלב שלי שוקל 9 קילו", info("pets", kg=9), "חיות מחמד: 9 ק״ג הם בתוך המגבלה של 12 ק״ג."),
    ("my son is 14", info("gym", age=14), "Gym: 14 is below the minimum age of 16."),
    ("my son is 16", info("gym", age=16), "Gym: 16 is not below the minimum age of 16."),
    ("הבן בן 14", info("gym", age=14), "חדר כושר: גיל 14 הוא מתחת לגיל המינימלי, 16."),
    ("we come at 11 pm", info("check_in", policy=HOURS, time="23:00"), "Check-in: 23:00 is outside 15:00–22:00."),
    ("we come at 5 pm", info("check_in", policy=HOURS, time="17:00"), "Check-in: 17:00 is within 15:00–22:00."),
    ("we come at half past three", info("check_in", policy=HOURS, time="15:30"), "Check-in: 15:30 is within 15:00–22:00."),
    ("נגיע בעשר וחצי בלילה", info("check_in", policy=HOURS, time="22:30"), "צ׳ק אין: השעה 22:30 היא מחוץ לשעות 15:00–22:00."),
    ("is it open at midnight", info("pool", policy=NIGHT, time="00:00"), "Pool: 00:00 is within 22:00–02:00."),
    ("is it open at noon", info("pool", policy=NIGHT, time="12:00"), "Pool: 12:00 is outside 22:00–02:00."),
    ("we come at 2 pm", info("check_in", time="14:00"), "Check-in: 14:00 is before 15:00."),
    ("a room at 14:00", info("early check in", time="14:00"), "Early check-in: 14:00 is after 13:00."),
)  # fmt: skip


@table(("said", "call", "line"), COMPARED)
def test_a_figure_of_the_guest_is_held_against_the_house(said: str, call: Any, line: str) -> None:
    view = answered(said, [call])
    topic = call[3]["topic"]
    assert HotelOffline().statements(view).shown()[f"{topic}.asked.1"] == line
    assert line in HotelOffline().respond(view)


@table(
    ("said", "call"),
    [
        ("Do you take dogs?", info("pets")),
        ("Do you take dogs?", info("pets", kg=15)),
        ("A dog of 33 pounds", info("pets", kg=15)),
        ("My dog weighs 15 kg", info("parking", kg=15)),
        ("My dog weighs 15 kg", info("pets", policy={}, kg=15)),
        ("We come late", info("check_in", time="23:00")),
        ("A labrador, 8-10 March", info("pets", kg=8)),
        ("2 adults with a boy of 14, 6-8 December", info("gym", age=8)),
        ("2 adults with a boy of 14, 6-8 December", info("gym", age=2)),
        ("We come 10-12 January, early", info("early check in", time="12:00")),
        ("We come at 15:00", info("check_in", time="15:00")),
        ("We come at 23:30", info("check_in", time="23:30")),
        ("Can we have a room at 11:00?", info("early check in", time="11:00")),
        ("We come at 00:30", info("check_in", time="00:30")),
    ],
)
def test_nothing_is_compared_that_the_guest_did_not_say_or_the_house_does_not_give(said: str, call: Any) -> None:
    assert [name for name in told(said, call) if ".asked." in name] == []


def test_what_was_said_earlier_in_the_conversation_counts() -> None:
    view = answered("And may he come along?", [info("pets", kg=15)])
    view = replace(view, conversation=[HumanMessage("My dog weighs 15 kg"), *view.conversation])
    assert "pets.asked.1" in HotelOffline().statements(view).shown()


def test_two_dogs_are_two_sentences_and_none_is_left_out() -> None:
    view = answered("Dogs of 9 and 15 kg", [info("pets", kg=9, call_id="one"), info("pets", kg=15, call_id="two")])
    said, gate = through(view, "{{pets.1}}")
    assert gate.refused == []
    assert "9 kg is within the limit of 12 kg." in said
    assert "15 kg is above the limit of 12 kg." in said
    assert said.index("9 kg is within") < said.index("One dog up to 12 kg")


FEES = {
    "alone": ([], {"pets.fee": "Pets (Double Room and Accessible Double Room): 80 NIS per night."}),
    "two nights": (
        [TWO_NIGHTS],
        {"pets.fee": "Pets (Double Room and Accessible Double Room): 80 NIS per night, 160 NIS for 2 nights."},
    ),
    "stays of two lengths": (
        [TWO_NIGHTS, THREE_NIGHTS],
        {"pets.fee": "Pets (Double Room and Accessible Double Room): 80 NIS per night."},
    ),
}


@pytest.mark.parametrize("name", FEES)
def test_what_is_paid_by_the_night_is_counted_for_the_stay(name: str) -> None:
    stays, lines = FEES[name]
    shown = told("January 17-19 with my dog", *stays, info("pets"))
    assert {key: line for key, line in shown.items() if key.startswith("pets.fee")} == lines


@table(
    ("topic", "policy", "language", "line"),
    [
        ("parking", None, "en", "Parking: free of charge."),
        ("parking", None, "he", "חניה: ללא תשלום."),
        ("early check in", None, "en", "Early check-in, until 13:00: 100 NIS for the stay."),
        ("early check in", None, "he", "כניסה מוקדמת, עד 13:00: 100 ש״ח לכל השהייה."),
        ("spa", None, "en", "Massage, 45 minutes: from 290 NIS each."),
        ("spa", None, "he", "עיסוי, 45 דקות: החל מ־290 ש״ח לכל אחד."),
        ("spa", {"fee_agorot": 4500, "fee_per": "each"}, "en", "Spa: 45 NIS each."),
        ("vat", {"fee_agorot": 400, "fee_per": "each_night"}, "en", "VAT: 4 NIS each per night, 8 NIS for 2 nights."),
        ("pets", None, "he", "חיות מחמד (חדר זוגי וחדר זוגי נגיש): 80 ש״ח ללילה, 160 ש״ח עבור שני לילות."),
    ],
)
def test_a_fee_says_what_it_is_for(topic: str, policy: Any, language: str, line: str) -> None:
    call = info(topic, policy=policy)
    assert told("January 17-19", TWO_NIGHTS, call, language=language)[f"{call[3]['topic']}.fee"] == line


WITH_THE_DOG = {
    ("en", "sum:s1.o1.line+pets.fee"): "(780 NIS) + Pets, 2 nights (160 NIS) = 940 NIS in all.",
    ("en", "sum:s1.o1.line+pets.fee+early_check_in.fee"): "+ Early check-in, until 13:00 (100 NIS) = 1,040 NIS in all.",
    ("en", "sum:s1.o1.line+parking.fee"): "(780 NIS) + Parking (0 NIS) = 780 NIS in all.",
    ("he", "sum:s1.o1.line+pets.fee"): "(780 ש״ח) + חיות מחמד, שני לילות (160 ש״ח) = 940 ש״ח בסך הכול.",
}


@pytest.mark.parametrize(("language", "operator"), WITH_THE_DOG)
def test_the_price_with_the_fee_in_it_can_be_said(language: str, operator: str) -> None:
    results = [TWO_NIGHTS, info("pets"), info("parking"), info("early check in")]
    view = answered("January 17-19 with my dog", results, language=language)
    said, gate = through(view, f"{{{{{operator}}}}}")
    assert gate.refused == []
    assert WITH_THE_DOG[language, operator] in said


def test_a_nightly_fee_is_counted_for_the_nights_of_the_stay_beside_it() -> None:
    view = answered("January 17-19 or February 7-10", [TWO_NIGHTS, THREE_NIGHTS, info("pets")])
    assert through(view, "{{sum:s1.o1.line+s2.o1.line+pets.fee}}")[1].refused
    for stay, sum_told in {"s1": "2 nights = 940 NIS in all.", "s2": "3 nights = 1,140 NIS in all."}.items():
        said, gate = through(view, f"{{{{sum:{stay}.o1.line+pets.fee}}}}")
        assert gate.refused == []
        assert f"Pets (80 NIS per night) × {sum_told}" in said


@pytest.mark.parametrize(
    ("operator", "told"),
    [
        ("share:s1.lowest.night/2", "(390 NIS per night) ÷ 2 = 195 NIS per night each."),
        ("share:s1.lowest.RO.night/2", "(390 NIS per night) ÷ 2 = 195 NIS per night each."),
        ("share:s1.lowest/4", "(780 NIS) ÷ 4 = 195 NIS each."),
        ("difference:s1.o1.night-s2.highest.night", "(390 NIS per night): 90 NIS per night more than"),
    ],
)
def test_each_price_has_that_of_a_night_and_is_parted_by_guests_and_nights(operator: str, told: str) -> None:
    view = answered("How much is it per person per night for us two?", [TWO_NIGHTS, THREE_NIGHTS])
    said, gate = through(view, f"{{{{{operator}}}}}")
    assert (gate.refused, told in said) == ([], True)


@table(("text", "time", "adds_up"), [
    ("January 17-19, we get there around 1 pm", "13:00", False),
    ("January 17-19, we get there around 1 pm", None, False),
    ("January 17-19, we get there at 16:30", None, False),
    ("17-19 בינואר, נגיע ב-14:00", None, False),
    ("January 17-19, we get there at 11", "11:00", True),
    ("January 17-19, we get there at 11", None, True),
    ("January 17-19", None, True),
])  # fmt: skip
def test_a_fee_for_other_hours_is_added_to_nothing(text: str, time: str | None, adds_up: bool) -> None:
    call = info("early check in", time=time) if time else info("early check in")
    view = answered(text, [TWO_NIGHTS, call])
    operator = "{{sum:s1.o1.line+early_check_in.fee}}"
    _, gate = through(view, operator)
    assert (gate.refused == []) is adds_up
    assert all("it is for until 13:00" in why for why in gate.catalogue.why_not(operator)) or adds_up


@pytest.mark.parametrize("operator", ["sum:s1.o2.line+pets.fee", "sum:s1.o1.line+s2.o1.line+pets.fee"])
def test_a_fee_is_added_to_no_room_that_it_is_not_for(operator: str) -> None:
    found = availability("2027-01-17", "2027-01-19", offer("DBL", 78_000, 2), offer("SUITE", 150_000, 2))
    suite = availability("2027-01-19", "2027-01-21", offer("SUITE", 150_000, 2))
    asked = [
        (name, "get_availability", {"check_in": stay["check_in"], "check_out": stay["check_out"], "adults": 2}, stay)
        for name, stay in (("one", found), ("two", suite))
    ]
    view = answered("January 17-19 with my dog, then January 19-21", [*asked, info("pets")])
    said, gate = through(view, f"{{{{{operator}}}}}")
    [why] = gate.catalogue.why_not(f"{{{{{operator}}}}}")
    assert "pets.fee does not hold for s" in why
    assert "in all" not in said
    assert through(view, "{{sum:s1.o1.line+pets.fee}}")[1].refused == []


NIGHTS = {
    "en": "Pets (80 NIS per night) × 3 nights = 240 NIS in all.",
    "he": "חיות מחמד (80 ש״ח ללילה) × 3 לילות = 240 ש״ח בסך הכול.",
}


@pytest.mark.parametrize("language", NIGHTS)
def test_a_nightly_fee_is_worked_out_for_nights_without_a_stay(language: str) -> None:
    """It is the same each night, as the price of a room is not."""
    said, gate = through(answered("our dog, 3 nights", [info("pets")], language=language), "{{times:pets.fee*3}}")
    assert gate.refused == []
    assert NIGHTS[language] in said


def test_a_nightly_fee_for_so_many_nights_is_added_to_a_stay() -> None:
    view = answered("January 17-19 and 24-27", [TWO_NIGHTS, THREE_NIGHTS, info("pets")])
    said, gate = through(view, "{{sum:s1.o1.line+pets.fee*2}}")
    assert gate.refused == []
    assert "+ Pets (80 NIS per night) × 2 nights = " in said


@pytest.mark.parametrize(("language", "says"), [
    ("en", "Massage, 45 minutes, lowest price, each (290 NIS) × 2 = 580 NIS in all."),
    ("he", "עיסוי, 45 דקות, המחיר הנמוך ביותר, לכל אחד (290 ש״ח) × 2 = 580 ש״ח בסך הכול."),
])  # fmt: skip
def test_the_lowest_fee_of_several_is_worked_out_for_two_and_stays_the_lowest(language: str, says: str) -> None:
    said, gate = through(answered("a massage for 2", [info("spa")], language=language), "{{times:spa.fee*2}}")
    assert (gate.refused, says in said) == ([], True)


def test_the_fee_for_each_is_multiplied_by_how_many() -> None:
    view = answered("January 17-19", [TWO_NIGHTS, info("spa", policy={"fee_agorot": 4500, "fee_per": "each"})])
    said, _ = through(view, "{{sum:s1.o1.line+spa.fee*2}}")
    assert "+ Spa, each (45 NIS) × 2 = 870 NIS in all." in said


def test_a_topic_without_figures_is_told_as_before() -> None:
    view = answered("Is there Wi-Fi?", [info("wifi")])
    assert [name for name in HotelOffline().statements(view).shown() if name.startswith("wifi")] == ["wifi.1"]


@pytest.mark.parametrize(("kg", "has_fee"), [(15, False), (9, True)])
def test_no_fee_is_told_of_what_the_guest_may_not_have(kg: int, has_fee: bool) -> None:
    ids = told(f"My dog weighs {kg} kg", info("pets", kg=kg), TWO_NIGHTS)
    assert any(name.startswith("pets.fee") for name in ids) is has_fee
