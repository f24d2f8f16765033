"""The hotel's statements: true answers keep every fact, and what is put beside them claims nothing.

The answers are written as a model is asked to write them, over views of every kind; the invented sentences and the natural
answers at the end were written after the rules.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest
from desk_views import answered, availability, booked, offer, quote
from langchain_core.messages import AIMessage, HumanMessage
from refusing import refused
from tables import table

from wavegraph.graph.answer.gate import Gate
from wavegraph.graph.answer.statements import Catalogue
from wavegraph.graph.guard.replies import catalogue_for
from wavegraph.graph.views import AnswerView
from wavegraph.tools.hotel.answers import courtesy
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.hotel.offline import HotelOffline
from wavegraph.tools.hotel.property.seed import demo_property

ASKED = {
    "en": "A room for 2 adults, January 17-19 2027, and about the hotel",
    "he": "חדר לשני מבוגרים, 17-19 בינואר 2027, ועל המלון",
}
STAY = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2}
UNTIL = "2027-01-14"
WAY = "+972-4-555-0142, reception@shirat-hagal.example"
TOPICS = [topic.topic for topic in demo_property().topics]


def info(topic: str) -> tuple[str, str, dict[str, Any], Any]:
    found = next(each for each in demo_property().topics if each.topic == topic)
    data = {"topic": topic, "found": True, "title": found.title, "text": found.text, "text_he": found.text_he}
    return f"info_{topic}", "get_hotel_info", {"topic": topic}, {**data, "topics": [], "contact": ""}


def looked_up(data: dict[str, Any], call_id: str = "check_availability") -> tuple[str, str, dict[str, Any], Any]:
    args = {**STAY, "check_in": data["check_in"], "check_out": data["check_out"]}
    return call_id, "get_availability", args, data


FREE = availability(
    "2027-01-17",
    "2027-01-19",
    offer("DBL", 70_200, 2, board="RO"),
    offer("DBL", 78_000, 2, board="RO", cancel_until=UNTIL),
    offer("DBL", 96_000, 2, cancel_until=UNTIL),
    offer("DLX", 92_700, 2, board="RO", left=2),
    offer("DLX", 103_000, 2, board="RO", cancel_until=UNTIL),
    offer("SUITE", 181_800, 2, board="RO", left=1),
)
FULL = availability("2027-01-17", "2027-01-19", reason="sold_out")
LATER = availability("2027-01-20", "2027-01-22", offer("DBL", 80_000, 2, cancel_until="2027-01-17"))
QUOTE = quote(offer("DBL", 78_000, 2, cancel_until=UNTIL))
BOOKED = ("book", "create_booking", {"quote_id": "Q-AB12CD34EF"}, booked(QUOTE))
CANCELLED = ("cancel", "cancel_booking", {"reference": "WG-7KQ2M9XA"}, booked(QUOTE, status="cancelled", fee_agorot=0))

ROOM = {
    "code": "DBL",
    "name": "Double Room",
    "name_he": "חדר זוגי",
    "max_adults": 2,
    "max_children": 1,
    "max_total": 3,
    "size_sqm": 22,
    "beds": "one double bed",
    "beds_he": "מיטה זוגית",
    "features": [],
    "features_he": [],
}


def free(language: str, *more: Any) -> AnswerView:
    return answered(ASKED[language], [looked_up(FREE), *more], language=language)


def full(language: str) -> AnswerView:
    results = [looked_up(FULL), looked_up(LATER, "later")]
    return answered(ASKED[language], results, language=language, instead_of={"later": "check_availability"})


def catalogue(view: AnswerView) -> Catalogue:
    return HotelOffline().statements(view)


OFFERS = {
    "en": [
        "Happy to help. On {{s1}} I found:\n- {{s1.o1.line}}\n- {{s1.o2.line}}\n{{ask_which}}",
        "{{hello}} On {{s1}} the {{s1.o4.room}} costs {{s1.o4.price}}, {{s1.o4.terms}}.\nThe cheapest option is {{s1.o1.line}}.",
        "{{s1}}:\n{{s1.o1.line}}\n{{s1.o3.line}}\n{{s1.o6.line}}\n{{next.1}} {{next.2}}",
        "I looked at {{s1}} for you. A flexible option: {{s1.o2.line}}. With breakfast: {{s1.o3.line}}.",
        "For your stay on {{s1}}, please see the options here:\n1. {{s1.o1.line}}\n2. {{s1.o4.line}}\n3. {{s1.o5.line}}",
        "The lowest price: {{s1.o1.line}}.\nYou could also have {{s1.o5.line}}.\n\n{{more}}",
        "{{s1.o1.line}}\n{{s1.o1.line}}\n{{s1.flexible}}\n{{ask_else}}",
        "Thank you. {{s1}}: the {{s1.o6.room}} is available at {{s1.o6.price}}, {{s1.o6.terms}}.",
    ],
    "he": [
        "{{gladly}} ב{{s1}} מצאתי:\n- {{s1.o1.line}}\n- {{s1.o2.line}}\n{{ask_which}}",
        "{{hello}} ב{{s1}} {{s1.o4.room}} עולה {{s1.o4.price}}, {{s1.o4.terms}}.\nהאפשרות הזולה ביותר היא {{s1.o1.line}}.",
        "{{s1}}:\n{{s1.o1.line}}\n{{s1.o3.line}}\n{{s1.o6.line}}\n{{next.1}} {{next.2}}",
        "בדקתי עבורכם את {{s1}}. אפשרות עם ביטול: {{s1.o2.line}}. עם ארוחת בוקר: {{s1.o3.line}}.",
        "לשהייה שלכם ב{{s1}}, הנה האפשרויות:\n1. {{s1.o1.line}}\n2. {{s1.o4.line}}\n3. {{s1.o5.line}}",
        "המחיר הנמוך ביותר: {{s1.o1.line}}.\nיש גם {{s1.o5.line}}.\n\n{{more}}",
        "{{s1.o1.line}}\n{{s1.o1.line}}\n{{s1.flexible}}\n{{ask_else}}",
        "תודה. {{s1}}: {{s1.o6.room}} זמין, {{s1.o6.price}}, {{s1.o6.terms}}.",
    ],
}
INSTEAD = {
    "en": [
        "{{sorry}} {{s1.full.1}} {{s1.full.2}}\nHere is an option for you: {{s1.a1.line}}.",
        "{{s1.full.1}} {{s1.full.2}}\n{{s1.instead}}\n- {{s1.a1.line}}\n{{ask_other_dates}}",
        "{{s1.a1.line}}",
    ],
    "he": [
        "{{sorry}} {{s1.full.1}} {{s1.full.2}}\nהנה אפשרות עבורכם: {{s1.a1.line}}.",
        "{{s1.full.1}} {{s1.full.2}}\n{{s1.instead}}\n- {{s1.a1.line}}\n{{ask_other_dates}}",
        "{{s1.a1.line}}",
    ],
}
DONE = {
    "en": [
        "{{gladly}} {{booking.1}}",
        "Here are the details of your booking: {{booking.1}} {{booking.2}}\n{{booking.4}}",
        "{{hello}}",
    ],
    "he": ["{{gladly}} {{booking.1}}", "הנה הפרטים של ההזמנה: {{booking.1}} {{booking.2}}\n{{booking.4}}", "{{hello}}"],
}
ABOUT = {
    "en": ["{all} {{{{ask_else}}}}", "{{{{hello}}}} Here is the information: {first}", "{{{{gladly}}}} {last}"],
    "he": ["{all} {{{{ask_else}}}}", "{{{{hello}}}} הנה המידע: {first}", "{{{{gladly}}}} {last}"],
}


def _true_answers() -> Iterator[tuple[AnswerView, str]]:
    for language in ("en", "he"):
        for view in (free(language), free(language, info("parking"))):
            yield from ((view, text) for text in OFFERS[language])
        yield from ((full(language), text) for text in INSTEAD[language])
        for done in (BOOKED, CANCELLED):
            view = answered(ASKED[language], [done], language=language)
            yield from ((view, text) for text in DONE[language])
        for topic in TOPICS:
            view = answered(ASKED[language], [info(topic)], language=language)
            ids = [f"{{{{{name}}}}}" for name in catalogue(view).by_id if name.startswith(f"{topic}.")]
            for text in ABOUT[language]:
                yield view, text.format(all=" ".join(ids), first=ids[0], last=ids[-1])


@cache
def true_answers() -> list[tuple[AnswerView, str]]:
    """Made once for all tests: each topic needs a catalogue to be written about."""
    return list(_true_answers())


def through(view: AnswerView, text: str) -> tuple[str, Gate]:
    gate = Gate(catalogue(view))
    return gate.feed(text) + gate.rest() + gate.owed(), gate


def named_in(text: str) -> Sequence[str]:
    return re.findall(r"\{\{([\w.]+)\}\}", text)


def test_true_answers_lose_no_fact_and_stand_as_written() -> None:
    written = true_answers()
    slotted = stood = 0
    for view, text in written:
        said, gate = through(view, text)
        facts = [gate.catalogue.by_id[name] for name in named_in(text)]
        assert [each.id for each in facts if each.text.rstrip(".:") not in said] == [], (text, said)
        owed = {name for duty in gate.catalogue.duties for name in duty.add if gate.told.keys().isdisjoint(duty.any_of)}
        assert not owed
        slotted += sum("{{" in part for part in re.split(r"(?<=[.!?}])\s", text))
        stood -= len(gate.refused)
    assert len(written) >= 200
    assert (slotted + stood) / slotted >= 0.9


@table("size", [1, 2, 3, 4, 5, 6])
def test_true_answers_pass_in_pieces_like_the_whole(size: int) -> None:
    for view, text in true_answers()[size::6]:
        known = catalogue(view)
        whole, gate = Gate(known), Gate(known)
        said = whole.feed(text) + whole.rest() + whole.owed()
        pieces = [gate.feed(text[at : at + size]) for at in range(0, len(text), size)]
        assert "".join([*pieces, gate.rest(), gate.owed()]) == said


def test_what_was_released_consists_of_statements() -> None:
    """So a written answer needs no tracing after it."""
    for view, text in true_answers():
        said, gate = through(view, text)
        assert refused(said, gate.catalogue) == [], said


TEMPLATES = [
    *(partial(answered, ASKED[each], [info(topic)], language=each) for each in ASKED for topic in TOPICS),
    *(partial(answered, ASKED[each], [done], language=each) for each in ASKED for done in (BOOKED, CANCELLED)),
]
"""Of a stay a template names the guests above it, a statement behind its dates."""


@table("viewed", TEMPLATES)
def test_the_template_is_made_of_the_same_statements(viewed: Callable[[], AnswerView]) -> None:
    view = viewed()
    assert refused(HotelOffline().respond(view), catalogue(view)) == []


@pytest.mark.parametrize("language", ["en", "he"])
def test_the_words_that_claim_nothing_are_few(language: str) -> None:
    assert len(courtesy.HARMLESS[language]) < 300
    other = "he" if language == "en" else "en"
    assert courtesy.HARMLESS[language].isdisjoint(courtesy.HARMLESS[other])


def test_no_question_is_one_that_a_yes_answers() -> None:
    """It might be taken for the yes that a booking waits for."""
    beginnings = ("Which", "How", "What", "איזו", "איזה", "לאילו", "אילו", "כמה", "מה")
    assert all(text.startswith(beginnings) for texts in courtesy.QUESTIONS.values() for text in texts.values())


def desk(language: str) -> AnswerView:
    return free(language, info("parking"), info("pets"), info("breakfast"))


MISUSED = {
    "cheapest of one type": (
        [(*looked_up(FREE)[:2], {**STAY, "room_type": "DLX"}, FREE)],
        "The cheapest is {{s1.o1.line}}.",
    ),
    "cheapest of the nearest": ([looked_up(FULL), looked_up(LATER, "later")], "The cheapest is {{s1.a1.line}}."),
    "a room of another stay": ([looked_up(FREE), looked_up(LATER, "second")], "On {{s2}}: {{s1.o1.line}}."),
    "two rooms in one": ([looked_up(FREE)], "The {{s1.o1.room}} costs {{s1.o4.price}}, {{s1.o1.terms}}."),
    "without the terms": ([looked_up(FREE)], "The {{s1.o1.room}} costs {{s1.o1.price}}."),
    "booked, where nothing is": ([looked_up(FREE)], "{{s1.o1.line}} is booked."),
    "a kind of room as free": ([("rooms", "get_rooms_info", {}, {"rooms": [ROOM]})], "Available: {{r.DBL.1}}"),
}


@table("name", MISUSED)
def test_true_statements_do_not_stand_where_they_mislead(name: str) -> None:
    results, text = MISUSED[name]
    view = answered(ASKED["en"], results, instead_of={"later": "check_availability"})
    assert through(view, text)[1].refused == [text]


@pytest.mark.parametrize(("language", "party"), [("en", ", for 2 adults: "), ("he", ", עבור שני מבוגרים: ")])
def test_where_nothing_is_free_it_is_said_for_whom_it_was_looked_up(language: str, party: str) -> None:
    assert party in through(full(language), INSTEAD[language][0])[0]


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_stay_looked_up_once_its_dates_are_known_is_what_was_asked_for(language: str) -> None:
    """The call that waited for dates nobody could read never began; those that replace it answer the guest, each of them."""
    dates = {side: {"ref": {"call": "dates", "path": f"stays[0].{side}"}} for side in ("check_in", "check_out")}
    waited = ("check_availability", "get_availability", {**dates, "adults": 2}, "skipped")
    view = answered(
        ASKED[language],
        [looked_up(FREE, "known"), looked_up(LATER, "later")],
        language=language,
        failed=[waited],
        skipped=["check_availability"],
        instead_of={"known": "check_availability", "later": "check_availability"},
    )
    told = {each.id for each in catalogue(view).statements}

    assert {"s1", "s1.o1.line", "s2", "s2.o1.line"} <= told
    assert not [name for name in told if ".failed" in name]


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_room_found_by_its_right_name_is_what_was_asked_for_and_nothing_instead(language: str) -> None:
    """`A room with a whirlpool` as the room's type is refused, and looked up again as the suite that has one."""
    unknown = ("check_availability", "get_availability", {**STAY, "room_type": "with a whirlpool"}, "not_found")
    suite = availability("2027-01-17", "2027-01-19", offer("SUITE", 181_800, 2, board="RO", left=1))
    found = ("suite", "get_availability", {**STAY, "room_type": "SUITE"}, suite)
    instead_of = {"suite": "check_availability"}
    view = answered(ASKED[language], [found], language=language, failed=[unknown], instead_of=instead_of)
    told = {each.id for each in catalogue(view).statements}

    assert {"s1", "s1.o1.line"} <= told
    assert not [name for name in told if name.startswith(("s1.instead", "s1.a1", "s1.failed"))]


@pytest.mark.parametrize(("language", "adults", "says"), [
    ("en", 1, "nothing free: another choice of room or meals on the same dates for 1 adult."),
    ("en", 2, "nothing free: another choice of room or meals on the same dates."),
    ("he", 1, "עבור מבוגר אחד"),
])  # fmt: skip
def test_what_was_looked_for_in_vain_names_its_guests_where_they_are_others(
    language: str, adults: int, says: str
) -> None:
    suite = ("suite", "get_availability", {**STAY, "adults": adults, "board": "HB"}, {**FULL, "adults": adults})
    view = answered(
        ASKED[language], [looked_up(FULL), suite], language=language, instead_of={"suite": "check_availability"}
    )
    assert says in through(view, "")[0]


def test_a_stay_that_is_told_again_is_named_shortly_and_each_for_whom_it_is() -> None:
    view = answered(ASKED["en"], [looked_up(FREE), looked_up(LATER, "later")])
    said, gate = through(view, "{{s1}}:\n{{s1.lowest}}\n{{s2}}:\n{{s2.lowest}}\n{{s1.flexible}}")
    assert gate.refused == []
    assert said.count(gate.catalogue.by_id["s1"].text) == 1
    assert "\n17–19 January 2027:\nWith free cancellation" in said
    assert "Wednesday 20 January – Friday 22 January 2027, 2 nights, for 2 adults:\n" in said


def searched_for(adults: int) -> tuple[str, str, dict[str, Any], Any]:
    found = offer("DBL", 70_000 * adults, 2, board="RO")
    kept = ("room_type", "room_name", "room_name_he", "rate_plan", "board", "refundable", "cancel_until", "currency")
    row = {
        **{name: found[name] for name in kept},
        "from_agorot": found["total_agorot"],
        "per_night_agorot": found["per_night_agorot"],
    }
    args = {"from_date": "2027-01-10", "to_date": "2027-01-20", "nights": 2, "adults": adults}
    stays = [{**row, "check_in": "2027-01-17", "check_out": "2027-01-19", "nights": 2}]
    return f"open_{adults}", "find_open_stays", args, {**args, "children_ages": [], "stays": stays, "searched": 5}


def test_a_comparison_of_searches_for_different_guests_names_both() -> None:
    view = answered(ASKED["en"], [searched_for(2), searched_for(3)])
    said, gate = through(view, "{{difference:open2.a1.line-open1.a1.line}}")
    assert gate.refused == []
    assert "for 3 adults (2,100 NIS): 700 NIS more than" in said
    assert "for 2 adults (1,400 NIS)." in said


def test_reception_is_named_once_where_a_planners_reply_names_it() -> None:
    nothing = (
        "tennis",
        "get_hotel_info",
        {"topic": "tennis"},
        {"topic": "tennis", "found": False, "topics": [], "contact": WAY},
    )
    view = answered("Do you have tennis, and can you call a taxi?", [nothing])
    remark = f"I can't order that; please ask reception. Reception: {WAY}."
    said = through(replace(view, plan={**view.plan, "remarks": [remark]}), "")[0]
    assert "says nothing of" in said
    assert said.count(WAY) == 0  # the reply itself is told beside the catalogue
    assert through(view, "")[0].count(WAY) == 1


LINE = "Double Room, room only: 702 NIS in total (351 NIS per night), non-refundable"


def test_the_lowest_price_of_all_is_said_without_more() -> None:
    said, gate = through(free("en"), "{{s1}}:\n- {{s1.lowest}}\n- {{s1.o1.line}}\n- {{s1.o4.line}}\n{{s1.more}}")
    assert gate.refused == []
    assert f"2 nights, for 2 adults:\n- The lowest price: {LINE}\n- Deluxe" in said
    assert "To choose from: Double Room, Deluxe Sea View Room and Sea Front Suite." in said


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("- The cheapest: {{s1.o4.line}}", f"The lowest price: {LINE}"),
        ("- {{s1.o1.line}}", f"2 nights, for 2 adults:\n- {LINE}"),
        ("- {{s1.lowest}}", f"2 nights, for 2 adults:\n- The lowest price: {LINE}"),
    ],
)
def test_who_asks_for_the_cheapest_is_told_it_whatever_else_is_written(written: str, says: str) -> None:
    view = answered("The cheapest room for 2 adults, January 17-19 2027, please", [looked_up(FREE)])
    said = through(view, f"{{{{s1}}}}:\n{written}")[0]
    assert says in said
    assert said.count(LINE) == 1
    assert LINE not in through(free("en"), "{{s1}}:\n- {{s1.o4.line}}")[0]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("s1.highest", "The highest price: Sea Front Suite, room only: 1,818 NIS"),
        ("s1.highest.BB", "The highest price (breakfast included): Double Room, breakfast included: 960 NIS"),
        ("s1.o4.highest", "The highest price (Deluxe Sea View Room): Deluxe Sea View Room, room only: 1,030 NIS"),
    ],
)
def test_the_highest_price_is_told_of_a_stay_a_board_and_a_room(name: str, says: str) -> None:
    said, gate = through(free("en"), f"{{{{s1}}}}:\n- {{{{{name}}}}}")
    assert gate.refused == []
    assert says in said


def test_the_highest_price_names_ties_and_is_not_that_of_what_fits_a_budget() -> None:
    found = availability("2027-01-17", "2027-01-19", offer("DBL", 70_000, 2), offer("DLX", 70_000, 2))
    made = catalogue(answered(ASKED["en"], [looked_up(found)]))
    assert "; at the same price " in made.by_id["s1.highest"].text
    within = catalogue(answered("A room for 2 adults, January 17-19 2027, up to 800 NIS in all", [looked_up(FREE)]))
    assert "s1.lowest" in within.by_id
    assert not [name for name in within.by_id if ".highest" in name]


BOARD_ALONE = {
    ("en", "BB"): ", only with breakfast",
    ("en", "RO"): ", only without meals",
    ("en", "AI"): ", only all inclusive",
    ("he", "BB"): ", רק עם ארוחת בוקר",
    ("he", "HB"): ", רק בחצי פנסיון",
}


@table(("language", "board"), BOARD_ALONE)
def test_a_heading_names_the_meals_that_alone_were_looked_for(language: str, board: str) -> None:
    found = availability("2027-01-17", "2027-01-19", offer("DBL", 70_000, 2, board=board))
    view = answered(ASKED[language], [("a", "get_availability", {**STAY, "board": board}, found)], language=language)
    assert catalogue(view).shown()["s1"].endswith(BOARD_ALONE[language, board])


@pytest.mark.parametrize(
    ("said", "told"),
    [("2 adults, a child of 14", True), ("two of us, a fourteen year old", True), ("2 adults, a child of 4", False)],
)
def test_the_adult_price_is_told_of_an_age_that_the_guest_gave(said: str, told: bool) -> None:
    """A call with another age says so by itself."""
    found = {**FREE, "children_ages": [14]}
    view = answered(f"17-19 January, {said}", [("a", "get_availability", {**STAY, "children_ages": [14]}, found)])
    assert ("At 14 the adult price applies" in str(catalogue(view).shown())) is told


SUITE_HB = availability("2027-01-17", "2027-01-19", offer("SUITE", 237_600, 2, board="HB", left=1))


@pytest.mark.parametrize(
    ("language", "only", "lowest"),
    [
        ("en", ", only Sea Front Suite, with half board", "The lowest price (Sea Front Suite, half board): "),
        ("he", ", רק סוויטת קו המים, בחצי פנסיון", "המחיר הנמוך ביותר (סוויטת קו המים, חצי פנסיון): "),
    ],
)
def test_what_alone_was_looked_at_is_named_whoever_asked_for_it(language: str, only: str, lowest: str) -> None:
    """A model may narrow a call as nobody asked: then the lowest price is that of nothing else."""
    args = {**STAY, "room_type": "SUITE", "board": "HB"}
    view = answered(ASKED[language], [("check_availability", "get_availability", args, SUITE_HB)], language=language)
    shown = catalogue(view).shown()
    assert shown["s1"].endswith(only)
    assert shown["s1.lowest"].startswith(lowest)
    assert only in HotelOffline().respond(view)


@pytest.mark.parametrize(
    ("language", "rooms"),
    [
        ("en", "To choose from: Double Room, Deluxe Sea View Room and Sea Front Suite."),
        ("he", "לבחירה: חדר זוגי, חדר דלוקס נוף לים וסוויטת קו המים."),
    ],
)
def test_what_else_there_is_is_true_whichever_offers_are_told(language: str, rooms: str) -> None:
    """Three rates of one room leave out the other rooms, three rooms leave out none."""
    for told in ("{{s1.o1.line}}\n- {{s1.o2.line}}", "{{s1.o1.line}}\n- {{s1.o4.line}}\n- {{s1.o6.line}}"):
        said, _ = through(free(language), f"{{{{s1}}}}:\n- {told}\n{{{{s1.more}}}}")
        assert rooms in said


def test_of_one_room_the_offers_are_counted() -> None:
    found = {**FREE, "offers": [offer("DBL", total, 2) for total in (70_000, 80_000, 90_000, 95_000)]}
    assert shown_of(found)["s1.more"] == "I found 4 offers, from 700 NIS to 950 NIS."


def shown_of(found: dict[str, Any], language: str = "en") -> dict[str, str]:
    return catalogue(answered(ASKED[language], [looked_up(found)], language=language)).shown()


@pytest.mark.parametrize(
    ("language", "line"),
    [
        (
            "en",
            "With free cancellation until Thursday 14 January 2027: "
            + "from 780 NIS (Double Room, room only), from 960 NIS (Double Room, breakfast included).",
        ),
        (
            "he",
            "עם ביטול ללא עלות עד יום חמישי, 14 בינואר 2027: החל מ־780 ש״ח (חדר זוגי, לינה בלבד), החל מ־960 ש״ח (חדר זוגי, כולל ארוחת בוקר).",
        ),
    ],
)
def test_what_can_be_cancelled_is_said_of_each_board(language: str, line: str) -> None:
    assert shown_of(FREE, language)["s1.flexible"] == line


def test_where_the_boards_are_cancelled_on_different_terms_each_has_its_own() -> None:
    offers = [
        offer("DBL", 80_000, 2, cancel_until=UNTIL),
        offer("DBL", 70_000, 2, board="RO", cancel_until="2027-01-10"),
    ]
    assert shown_of({**FREE, "offers": offers})["s1.flexible"] == (
        "With cancellation: from 700 NIS (Double Room, room only, free cancellation until Sunday 10 January 2027), "
        "from 800 NIS (Double Room, breakfast included, free cancellation until Thursday 14 January 2027)."
    )


def mix(total: int, *, cancel_until: str | None = None) -> dict[str, Any]:
    parts = [offer(room, total // 2, 2, board="RO", cancel_until=cancel_until) for room in ("DBL", "TRP")]
    return {"parts": parts, "rooms": 2, "sleeps": 6, "total_agorot": total, "per_night_agorot": total // 2}


def test_rooms_of_two_kinds_are_told_with_all_their_terms_and_the_price_of_each() -> None:
    pair = {**offer("DLX", 300_000, 2, board="RO", cancel_until=UNTIL), "count": 2}
    found = {**FREE, "rooms": 2, "offers": [pair], "combinations": [mix(240_000), mix(266_000, cancel_until=UNTIL)]}
    shown = shown_of(found)
    assert shown["s1.flexible"] == (
        "With free cancellation until Thursday 14 January 2027: from 2,660 NIS (Double Room + Triple Room, room only)."
    )
    assert shown["s1.c2.line"].endswith(
        "free cancellation until Thursday 14 January 2027; that is 1,330 NIS + 1,330 NIS"
    )
    assert shown["s1.o1.line"].startswith("2 × Deluxe Sea View Room, room only: 3,000 NIS")


TOO_SMALL = {"room_type": "DBL", "room_name": "", "room_name_he": "", "code": "occupancy", "dates": []}
OF_ROOMS = (
    ({**FREE, "rooms": 3, "offers": [], "combinations": [mix(240_000)]}, {}, "The lowest price (3 rooms): "),
    ({**FREE, "rooms": 3, "offers": [], "combinations": [mix(240_000)]}, {"rooms": 3}, "The lowest price: "),
    ({**FREE, "refusals": [TOO_SMALL]}, {}, "The lowest price (1 room): "),
    (FREE, {}, "The lowest price: "),
)


@pytest.mark.parametrize(("found", "args", "says"), OF_ROOMS)
def test_the_lowest_price_is_that_of_the_fewest_rooms_where_others_were_not_looked_for(
    found: dict[str, Any], args: dict[str, Any], says: str
) -> None:
    made = catalogue(answered(ASKED["en"], [("a", "get_availability", {**STAY, **args}, found)]))
    assert made.by_id["s1.lowest"].text.startswith(says)


def with_accessible(total: int, board: str) -> dict[str, Any]:
    parts = [offer(room, total // 2, 2, board=board) for room in ("DBL", "ACC")]
    return {"parts": parts, "rooms": 2, "sleeps": 4, "total_agorot": total, "per_night_agorot": total // 2}


@pytest.mark.parametrize(
    ("board", "lowest"), [("RO", "The lowest price (rooms for disabled guests aside): "), ("BB", "The lowest price: ")]
)
def test_what_is_left_out_and_costs_less_is_told_beside_the_lowest_price(board: str, lowest: str) -> None:
    """Of other terms, the accessible room is left out where they are to be had without it alone."""
    found = {**FREE, "rooms": 2, "offers": [], "combinations": [with_accessible(120_000, board), mix(140_000)]}
    made = catalogue(answered(ASKED["en"], [("a", "get_availability", {**STAY, "rooms": 2}, found)]))
    assert made.by_id["s1.lowest"].text.startswith(lowest)
    assert ("1,200" in made.by_id["s1.lowest"].text) is (board == "BB")


def test_the_accessible_room_is_left_out_where_two_equal_rooms_are_free_on_its_terms() -> None:
    pair = {**offer("DBL", 130_000, 2, board="RO"), "count": 2}
    found = {**FREE, "rooms": 2, "offers": [pair], "combinations": [with_accessible(130_000, "RO")]}
    assert not [name for name in catalogue(answered(ASKED["en"], [looked_up(found)])).by_id if ".c1." in name]


def test_each_stay_looked_up_instead_has_its_statements_with_free_cancellation() -> None:
    stays = [("2027-01-17", "2027-01-20"), ("2027-01-16", "2027-01-19")]
    rates = [offer("DBL", 100_000, 3, board="RO"), offer("DBL", 120_000, 3, board="BB", cancel_until="2027-01-14")]
    found = [looked_up(availability(*ends, *rates), f"look{n}") for n, ends in enumerate(stays)]
    full = [looked_up(availability("2027-01-17", "2027-01-19", reason="min_stay", reason_nights=3))]
    instead = {f"look{n}": "check_availability" for n in range(2)}
    told = catalogue(answered(ASKED["en"], [*full, *found], instead_of=instead)).shown()
    assert [each for each in told if each.startswith("s1.a") and each.endswith(".line")] == ["s1.a1.line", "s1.a2.line"]
    assert told["s1.a1.flexible"] == (
        "17–20 January 2027: With free cancellation until Thursday 14 January 2027: "
        "from 1,200 NIS (Double Room, breakfast included)."
    )


@pytest.mark.parametrize(
    ("gone", "tried", "told"),
    [
        ([("2027-02-03",), ("2027-02-05",)], 3, "I did not look for stays of fewer than 3 nights within these dates."),
        ([("2027-02-03",), ("2027-02-05",)], 1, None),
        ([("2027-02-03", "2027-02-04", "2027-02-05", "2027-02-06")] * 2, 3, None),
    ],
)
def test_that_shorter_stays_were_not_looked_up_is_said(gone: Any, tried: int, told: str | None) -> None:
    refusals = [
        {"room_type": code, "room_name": code, "room_name_he": code, "code": "sold_out", "dates": list(nights)}
        for code, nights in zip(("DBL", "DLX"), gone, strict=True)
    ]
    asked = {**availability("2027-02-03", "2027-02-07", reason="sold_out"), "refusals": refusals}
    name, tool, args, found = search("more")
    less = (name, tool, {**args, "nights": tried}, {**found, "nights": tried})
    view = answered(ASKED["en"], [looked_up(asked), less], instead_of={"more": "check_availability"})
    assert catalogue(view).shown().get("s1.shorter.1") == told


def test_what_a_search_found_besides_is_told_with_its_dates() -> None:
    asked = [looked_up(availability("2027-02-03", "2027-02-06", reason="sold_out"))]
    stays = [{**open_stay(day, 42_000), "check_out": f"2027-02-{day + 3:02}", "nights": 3} for day in (3, 4, 10)]
    view = answered(ASKED["en"], [*asked, search("more", *stays)], instead_of={"more": "check_availability"})
    told = catalogue(view).shown()
    assert told["s1.more"] == "These dates are free too: 4–7 February 2027, from 420 NIS."
    assert "s1.a3.line" not in told


def test_of_combinations_the_lowest_with_each_board_is_told() -> None:
    with_breakfast = mixed("DBL", "DLX")
    found = {
        **FREE,
        "rooms": 2,
        "offers": [],
        "combinations": [mix(140_000), {**with_breakfast, "total_agorot": 160_000}],
    }
    told = shown_of(found)
    assert "s1.lowest" in told
    assert told["s1.lowest.BB"].startswith("The lowest price (2 rooms, breakfast included): ")


def test_of_many_combinations_all_can_be_told_and_some_are_shown() -> None:
    found = {**FREE, "rooms": 2, "offers": [], "combinations": [mix(140_000 + 100 * n) for n in range(7)]}
    made = catalogue(answered(ASKED["en"], [looked_up(found)]))
    assert "s1.c7.line" in made.by_id
    assert "s1.c5.line" in made.shown()
    assert "s1.c6.line" not in made.shown()
    assert made.shown()["s1.count"] == "I found 7 offers, from 1,400 NIS to 1,406 NIS."


TWELVE: dict[str, Any] = {"adults": 12, "children_ages": []}
TOO_MANY = {
    "en": "No single room holds 12 adults; the largest number in one is 5 guests.",
    "he": "אין חדר אחד לכולם (12 מבוגרים); המספר הגדול ביותר בחדר אחד: 5 אורחים.",
}


@pytest.mark.parametrize("language", ["en", "he"])
def test_whether_a_party_fits_in_one_room_can_be_said_where_several_are_found(language: str) -> None:
    found = {**FREE, **TWELVE, "rooms": 4, "offers": [], "combinations": [mix(240_000)]}
    assert shown_of(found, language)["s1.one_room"] == TOO_MANY[language]
    assert "s1.one_room" not in shown_of({**found, "adults": 5}, language)
    closed = {**found, "combinations": [], "reason": "closed_arrival"}
    assert shown_of(closed, language)["s1.one_room"] == TOO_MANY[language]


@pytest.mark.parametrize(
    ("language", "nothing", "same"),
    [("en", "nothing is available", "the same dates: from"), ("he", "אין מקום פנוי", "באותם תאריכים: החל")],
)
def test_where_one_room_is_too_small_it_is_not_said_that_nothing_is_free(
    language: str, nothing: str, same: str
) -> None:
    one = {**availability("2027-01-17", "2027-01-19", reason="occupancy"), **TWELVE}
    several = {**FREE, **TWELVE, "rooms": 4, "offers": [], "combinations": [mix(240_000)]}
    asked = ("check_availability", "get_availability", {**STAY, "adults": 12, "rooms": 1}, one)
    more = ("more", "get_availability", {**STAY, "adults": 12}, several)
    view = answered(ASKED[language], [asked, more], language=language, instead_of={"more": "check_availability"})
    told = HotelOffline().respond(view)
    assert (TOO_MANY[language] in told, nothing in told, f"- {same}" in told) == (True, False, True)


def test_that_several_rooms_are_too_few_is_said_of_so_many() -> None:
    few = {**availability("2027-01-17", "2027-01-19", reason="occupancy"), **TWELVE, "rooms": 2}
    assert shown_of(few)["s1.full.1"].endswith("2 nights: 2 rooms do not hold 12 adults.")


@pytest.mark.parametrize(("language", "says"), [("en", "; not available: 1 room."), ("he", "; אין מקום: חדר אחד.")])
def test_one_of_two_numbers_of_rooms_is_said_to_be_the_only_one_available(language: str, says: str) -> None:
    one = {**availability("2027-01-17", "2027-01-19", reason="occupancy"), **TWELVE}
    several = {**FREE, **TWELVE, "rooms": 4, "offers": [], "combinations": [mix(240_000)]}
    calls = [
        (f"call{n}", "get_availability", {**STAY, "adults": 12, "rooms": n}, data)
        for n, data in ((4, several), (1, one))
    ]
    shown = catalogue(answered(ASKED[language], calls, language=language)).shown()
    assert shown["compare.1"].endswith(says)


ROOMS: dict[str, Any] = {
    "rooms": [
        {**ROOM, "code": code, "name": code, "name_he": code, "features": features, "features_he": features}
        for code, features in {
            "DBL": ["garden view", "wifi", "kettle", "minibar", "safe", "iron", "desk", "shower"],
            "DLX": ["sea view", "wifi", "kettle", "minibar", "safe", "iron", "desk", "bathtub"],
            "FAM": ["sea view", "wifi", "kettle", "minibar", "safe", "iron", "desk", "bathtub"],
        }.items()
    ]
}


@pytest.mark.parametrize("language", ["en", "he"])
def test_every_feature_of_every_room_can_be_told(language: str) -> None:
    view = answered(ASKED[language], [("rooms", "get_rooms_info", {}, ROOMS)], language=language)
    shown = catalogue(view).shown()
    for room in ROOMS["rooms"]:
        assert all(feature in shown[f"r.{room['code']}.2"] for feature in room["features"])
    bathtub = next(name for name, text in shown.items() if name.startswith("with.") and "athtub" in text)
    said, gate = through(view, f"{{{{hello}}}}\n- {{{{{bathtub}}}}}")
    assert (gate.refused, said.splitlines()[-1]) == ([], f"- {shown[bathtub]}")
    assert shown[bathtub].startswith("Bathtub: DLX")


@pytest.mark.parametrize("language", ["en", "he"])
def test_rooms_looked_up_one_by_one_are_both_told(language: str) -> None:
    one, two = ({"rooms": [room]} for room in ROOMS["rooms"][:2])
    calls = [
        (f"rooms_{n}", "get_rooms_info", {"room_type": data["rooms"][0]["code"]}, data)
        for n, data in enumerate((one, two))
    ]
    told = catalogue(answered(ASKED[language], calls, language=language)).shown()
    both = catalogue(
        answered(ASKED[language], [("rooms", "get_rooms_info", {}, {"rooms": ROOMS["rooms"][:2]})], language=language)
    ).shown()
    of_rooms = {name: text for name, text in both.items() if name.startswith(("r.DBL", "r.DLX"))}
    assert {name.partition(".2")[0] for name in of_rooms} >= {"r.DBL", "r.DLX"}
    assert of_rooms.items() <= told.items()


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_call_made_for_each_stay_is_no_stay_of_its_own(language: str) -> None:
    results = [looked_up(FREE, "weekends_1"), looked_up(LATER, "weekends_2")]
    view = answered(ASKED[language], results, language=language)
    dates = {end: {"ref": {"call": "each", "path": end}} for end in ("check_in", "check_out")}
    made_from: Any = {
        "id": "weekends",
        "tool": "get_availability",
        "args": {**STAY, **dates},
        "effect": "read",
        "plan": 1,
    }
    calls: Any = {"weekends": {**made_from, "elements": ["weekends_1", "weekends_2"]}, **view.ledger["calls"]}
    with_source = replace(view, ledger={**view.ledger, "calls": calls})

    assert catalogue(with_source).shown() == catalogue(view).shown()
    assert HotelOffline().respond(with_source) == HotelOffline().respond(view)


SEA = {
    "en": (
        "en",
        "which rooms have a sea view?",
        ["garden view", "wifi"],
        ["sea view", "wifi"],
        ["partial sea view", "whirlpool"],
    ),
    "he": (
        "he",
        "באילו חדרים יש נוף לים?",
        ["פונה לגן", "אינטרנט"],
        ["נוף לים", "אינטרנט"],
        ["נוף חלקי לים", "ג׳קוזי"],
    ),
}


@pytest.mark.parametrize("language", SEA)
def test_a_feature_of_one_room_and_those_with_a_word_of_the_guests_have_lines(language: str) -> None:
    _, text, *features = SEA[language]
    rooms = [
        {**ROOM, "code": code, "name": code, "name_he": code, "features": own, "features_he": own}
        for code, own in zip(("DBL", "DLX", "FAM"), features, strict=True)
    ]
    view = answered(text, [("rooms", "get_rooms_info", {}, {"rooms": rooms})], language=language)
    shown = catalogue(view).shown()
    lines = [line for name, line in shown.items() if name.startswith("with.")]
    assert lines[0] == f"{capital(features[1][0])}: DLX; {capital(features[2][0])}: FAM."
    assert f"{capital(features[2][1])}: FAM." in lines


def capital(words: str) -> str:
    return words[:1].upper() + words[1:]


DRYER = {"en": "Is there a hairdryer in the rooms?", "he": "יש מייבש שיער בחדרים?"}


@pytest.mark.parametrize("language", ["en", "he"])
def test_of_a_look_up_of_all_rooms_no_more_is_owed_than_what_each_is(language: str) -> None:
    """And nothing where what was asked about is said to be unknown, or stays are told."""
    rooms = ("rooms", "get_rooms_info", {}, ROOMS)
    for more, owed in (([], ["DBL", "DLX", "FAM"]), ([unknown("hairdryer")], []), ([looked_up(FREE)], [])):
        view = answered(DRYER[language], [rooms, *more], language=language)
        told = through(view, "{{hello}}")[1].told
        duties = {name for duty in catalogue(view).duties for name in duty.add if name.startswith(("r.", "with."))}
        assert sorted(duties) == [f"r.{room}.1" for room in owed]
        assert not [name for name in told if name.startswith("with.")]


def test_a_room_with_a_special_kind_of_a_thing_is_one_of_those_that_have_it() -> None:
    own = {"DBL": ["balcony"], "DLX": ["sun balcony"], "FAM": ["bathtub"]}
    rooms = [{**ROOM, "code": code, "name": code, "features": features} for code, features in own.items()]
    made = catalogue(answered("Which rooms have a balcony?", [("rooms", "get_rooms_info", {}, {"rooms": rooms})])).by_id
    assert made["with.balcony"].text == "Balcony: DBL; Sun balcony: DLX."
    assert (made["with.balcony"].called, made["with.balcony"].holds_for) == ("Balcony or sun balcony", ["DBL", "DLX"])
    assert made["with.sun_balcony"].holds_for == ["DLX"]


def test_of_an_older_stay_beside_another_nothing_that_the_last_answer_had_is_owed() -> None:
    before = through(answered(ASKED["en"], [looked_up(FREE)]), "{{hello}}")[0]
    view = answered("And with one night more?", [looked_up(FREE), looked_up(FULL_LONGER, "longer")])
    talk = [HumanMessage(ASKED["en"]), AIMessage(before), *view.conversation]
    assert "Double Room" in through(view, "{{hello}}")[0]
    assert "Double Room" not in through(replace(view, conversation=talk), "{{hello}}")[0]


FULL_LONGER = availability("2027-01-17", "2027-01-20", reason="sold_out")
CONTACT = {"topic": "contact", "found": True, "title": "Contact", "text": "Reception: 04-5550142.", "topics": []}


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "Changes to a booking are made by reception, with the booking number and name."),
        ("he", "שינויים בהזמנה נעשים בקבלה, עם מספר ההזמנה והשם."),
    ],
)
def test_it_can_be_said_who_changes_bookings(language: str, says: str) -> None:
    results = [("info", "get_hotel_info", {"topic": "contact"}, {**CONTACT, "text_he": "קבלה: 04-5550142."})]
    view = answered(ASKED[language], results, language=language)
    said, gate = through(view, "{{hello}} {{change.1}} {{contact.1}}")
    assert gate.refused == []
    assert says in said
    assert says not in through(view, "{{contact.1}}")[0]


def unknown(topic: str) -> tuple[str, str, dict[str, Any], Any]:
    data = {"topic": topic, "found": False, "title": "", "text": "", "text_he": "", "topics": []}
    return f"info_{topic}", "get_hotel_info", {"topic": topic}, {**data, "contact": "04-5550142"}


@pytest.mark.parametrize(
    ("language", "says"),
    [("en", "Two rooms with a door between: Family Suite."), ("he", "שני חדרים ודלת ביניהם: סוויטה משפחתית.")],
)
def test_a_topic_that_only_the_rooms_descriptions_speak_of_is_answered_by_these(language: str, says: str) -> None:
    view = answered("Can we be side by side?", [unknown("connecting rooms")], language=language)
    view = replace(view, plan={**view.plan, "planner": "llm"})
    shown = catalogue_for(hotel_domain(), view).shown()
    assert shown["has.1"] == says
    assert not [name for name in shown if name.startswith("unknown.")]
    assert says in HotelOffline().respond(view)


def test_an_unknown_topic_is_named_in_the_guests_language_or_not_at_all() -> None:
    text = "חשוב לי שתצא חשבונית ע״ש החברה, ויש נטפליקס?"
    view = answered(text, [unknown("company invoice"), unknown("סוכה")], language="he")
    said, gate = through(view, "חשבונית: {{unknown.company_invoice.1}}\n{{unknown.סוכה.1}} {{unknown.סוכה.2}}")
    assert gate.refused == []
    assert (
        "חשבונית: במידע של המלון לא נאמר דבר על “נטפליקס”.\n"
        "במידע של המלון לא נאמר דבר על “נטפליקס”. אפשר לברר בקבלה: 04-5550142" in said
    )
    assert "invoice" not in " ".join(gate.catalogue.shown().values())


@pytest.mark.parametrize(
    ("results", "lead"),
    [
        ([unknown("minyan")], "מניין: {{unknown.minyan.1}}"),
        (
            [("info", "get_hotel_info", {"topic": "contact"}, {**CONTACT, "text_he": "קבלה: 04-5550142."})],
            "לשינוי ההזמנה: {{contact.1}}",
        ),
    ],
)
def test_a_word_on_the_topic_stands_before_it(results: list[Any], lead: str) -> None:
    assert through(answered("האם יש מעלית שבת ומניין במקום?", results, language="he"), lead)[1].refused == []


@pytest.mark.parametrize(
    ("text", "language", "lead"),
    [
        ("Two adjoining rooms for 4 adults, January 17-19", "en", "Adjoining rooms: {{contact.1}}"),
        ("שני חדרים צמודים ל-4 מבוגרים, 17-19 בינואר", "he", "לחדרים צמודים: {{contact.1}}"),
    ],
)
def test_what_reception_is_named_for_stands_before_it(text: str, language: str, lead: str) -> None:
    contact = ("info", "get_hotel_info", {"topic": "contact"}, {**CONTACT, "text_he": "קבלה: 04-5550142."})
    said, gate = through(answered(text, [contact], language=language), lead)
    assert gate.refused == []
    assert said.startswith(lead.partition(" {{")[0])


def test_a_foreign_word_that_the_guest_said_is_repeated() -> None:
    shown = catalogue(answered("יש Netflix בחדר?", [unknown("netflix")], language="he")).shown()
    assert shown["unknown.netflix.1"] == "במידע של המלון לא נאמר דבר על “Netflix”."


CLAIM = {"en": "breakfast is free", "he": "ארוחת הבוקר חינם"}


@pytest.mark.parametrize(("language", "says"), [("en", "says nothing of"), ("he", "לא נאמר דבר על")])
def test_a_topic_is_no_channel_for_a_planners_words(language: str, says: str) -> None:
    """What stands in quotation marks is the guest's own; beside other answers nothing is told of what no word of theirs asks."""
    view = free(language, unknown(CLAIM[language]))
    said, _ = through(view, "{{s1.o1.line}}")
    told = " ".join([said, HotelOffline().respond(view)])
    assert CLAIM[language] not in told
    assert says not in told


@pytest.mark.parametrize(
    ("topic", "text", "says"),
    [
        ("helicopter landing free of charge", "Is there a helicopter pad, please?", "“helicopter”"),
        ("snow machine", "Do you have a snow machine?", "“snow machine”"),
        ("מסוק ללא תשלום", "אפשר להגיע במסוק?", "“במסוק”"),
    ],
)
def test_an_unknown_topic_is_named_by_the_guests_own_piece(topic: str, text: str, says: str) -> None:
    language = "he" if "מסוק" in topic else "en"
    view = answered(text, [unknown(topic)], language=language)
    assert says in through(view, "{{hello}}")[0]
    assert says in HotelOffline().respond(view)


def test_of_several_unknown_topics_reception_is_named_once() -> None:
    said, _ = through(answered("Is there a sukkah, and a minyan?", [unknown("sukkah"), unknown("minyan")]), "{{hello}}")
    assert said.count("Reception can tell you: 04-5550142") == 1
    assert said.index("“sukkah”") < said.index("“minyan”") < said.index("Reception")


@table(
    ("topic", "label", "stands"),
    [
        ("pets", "Your dog", True),
        ("pets", "כלבים", True),
        ("spa", "Sauna", True),
        ("transport", "The taxi", True),
        ("pets", "Free dogs", False),
        ("pets", "A sauna", False),
        ("pets", "There is a dog", False),
    ],
)
def test_what_the_house_calls_a_topic_is_its_label(topic: str, label: str, stands: bool) -> None:
    language = language_of(label)
    made = catalogue(answered(ASKED[language], [info(topic)], language=language))
    assert (refused(f"{label}: {{{{{topic}.1}}}}", made) == []) is stands
    assert refused(f"{{{{{topic}.1}}}} {label}.", made)


def test_a_title_is_not_told_twice() -> None:
    view = answered("When can we check in?", [info("check_in")])
    for told in (HotelOffline().respond(view), through(view, "{{hello}}")[0]):
        assert "Check-in from 15:00" in told
        assert "Check-in: Check-in" not in told


@pytest.mark.parametrize("language", ["en", "he"])
def test_reception_is_named_once(language: str) -> None:
    contact = (
        "info",
        "get_hotel_info",
        {"topic": "contact"},
        {**CONTACT, "text_he": "קבלה: 04-5550142.", "contact": "04-5550142"},
    )
    text = {"en": "Is there a sukkah? How do I reach you?", "he": "יש סוכה? ואיך משיגים אתכם?"}[language]
    view = answered(text, [unknown("sukkah"), contact], language=language)
    for written in ("{{hello}}", "{{unknown.sukkah.1}} {{unknown.sukkah.2}}", "{{unknown.sukkah.1}} {{contact.1}}"):
        assert through(view, written)[0].count("04-5550142") == 1
    failed = ("book", "get_booking", {"reference": "WG-7KQ2M9XA"}, "not_found")
    view = answered(text, [contact], failed=[failed], language=language)
    owed = {name for duty in catalogue(view).duties for name in duty.add}
    assert {name.split(".")[0] for name in owed} == {"booking"} or "contact.1" in owed


UNTYPED = {
    "en": ("A single room for one, January 17-19 2027", "We have no room type called “single”."),
    "he": ("חדר יחיד, 17-19 בינואר 2027", "אין כאן סוג חדר כמו שביקשתם."),
}


@pytest.mark.parametrize("language", UNTYPED)
def test_where_there_is_no_such_room_the_others_are_told_as_a_stay(language: str) -> None:
    text, says = UNTYPED[language]
    unknown_type = ("check_availability", "get_availability", {**STAY, "room_type": "single"}, "not_found")
    found = ("any", "get_availability", STAY, FREE)
    view = answered(text, [found], language=language, failed=[unknown_type], instead_of={"any": "check_availability"})
    shown = catalogue(view).shown()
    assert (shown["s1.no_such.1"], "2027" in shown["s1"]) == (says, True)
    assert {"s1.o1.line", "s1.lowest", "next.1"} <= shown.keys()
    assert not [name for name in shown if name.startswith(("s1.instead", "s1.a1"))]
    assert says in HotelOffline().respond(view)
    assert HotelOffline().respond(view).count("702") == 1


@pytest.mark.parametrize("language", ["en", "he"])
def test_what_is_needed_to_book_is_told_of_a_room_found_by_its_right_name(language: str) -> None:
    unknown_type = ("check_availability", "get_availability", {**STAY, "room_type": "sea"}, "not_found")
    found = ("again", "get_availability", {**STAY, "room_type": "DLX"}, typed("DLX", "again")[3])
    view = answered(
        ASKED[language], [found], language=language, failed=[unknown_type], instead_of={"again": "check_availability"}
    )
    assert "next.1" in catalogue(view).shown()


WINDOW = {"nights": 1, "adults": 2}
MONTHS = {
    "february": {"from_date": "2027-02-01", "to_date": "2027-02-28"},
    "march": {"from_date": "2027-03-01", "to_date": "2027-03-31"},
}


def search(
    name: str, *stays: dict[str, Any], month: str = "february", **more: Any
) -> tuple[str, str, dict[str, Any], Any]:
    found = {**MONTHS[month], **WINDOW, "children_ages": [], "order": more.get("order"), "searched": 27, "stays": stays}
    return name, "find_open_stays", {**MONTHS[month], **WINDOW, **more}, found


@pytest.mark.parametrize(
    ("language", "earliest", "nearest"),
    [
        ("en", "the earliest first:", "nearest to Wednesday 10 February 2027 first:"),
        ("he", "מהמוקדם למאוחר:", "תחילה הקרובות ליום"),
    ],
)
def test_the_order_of_a_search_is_said_where_it_is_so(language: str, earliest: str, nearest: str) -> None:
    """A writer puts the cheapest first: the statement names no order."""
    for more, says in (({}, earliest), ({"near": "2027-02-10"}, nearest)):
        view = answered(ASKED[language], [search("open", open_stay(3, 40_000), **more)], language=language)
        assert says in HotelOffline().respond(view)
        heading = catalogue(view).shown()["open1.searched.1"]
        assert not any(order in heading for order in ("first", "מהמוקדם", "תחילה"))


@pytest.mark.parametrize(
    ("language", "asked"),
    [("en", [", Double Room, 2 rooms", ", Family Suite"]), ("he", [", חדר זוגי, שני חדרים", ", סוויטה משפחתית"])],
)
def test_two_searches_of_one_period_say_what_sets_them_apart(language: str, asked: list[str]) -> None:
    results = [
        search("doubles", open_stay(3, 40_000), room_type="DBL", rooms=2),
        search("family", open_stay(3, 50_000), room_type="FAM"),
        search("march", month="march", room_type="FAM"),
    ]
    shown = catalogue(answered(ASKED[language], results, language=language)).shown()
    assert [words in shown[f"open{number}.searched.1"] for number, words in enumerate(asked, 1)] == [True, True]
    assert asked[1] in shown["open3.searched.1"]


@pytest.mark.parametrize(
    ("language", "says"),
    [
        (
            "en",
            "1 night between Monday 1 February 2027 and Sunday 28 February 2027 (Double Room) is cheaper: 400 NIS in total, against 450 NIS",
        ),
        ("he", "400 ש״ח בסך הכול, לעומת 450 ש״ח"),
    ],
)
def test_two_periods_are_compared_by_their_lowest_prices(language: str, says: str) -> None:
    near = search("february", open_stay(3, 40_000))
    for limit, known in ((6, True), (1, False)):
        far = search("march", open_stay(9, 45_000), month="march", limit=limit)
        shown = catalogue(answered(ASKED[language], [near, far], language=language)).shown()
        assert (says in shown.get("compare.1", "")) == known


@pytest.mark.parametrize(
    ("language", "says"), [("en", "2 rooms (Double Room) is cheaper"), ("he", "האפשרות הזולה יותר: שני חדרים")]
)
def test_one_stay_is_compared_by_the_number_of_rooms_or_the_board(language: str, says: str) -> None:
    pair = {**FREE, "rooms": 2, "offers": [offer("DBL", 60_000, 2, board="RO")]}
    two = ("two", "get_availability", {**STAY, "rooms": 2}, pair)
    assert says in catalogue(answered(ASKED[language], [looked_up(FREE), two], language=language)).shown()["compare.1"]
    boards = [(board, "get_availability", {**STAY, "board": board}, FREE) for board in ("RO", "BB")]
    assert "compare.1" in catalogue(answered(ASKED[language], boards, language=language)).shown()


def open_stay(day: int, total: int) -> dict[str, Any]:
    part = offer("DBL", total, 1)
    ends = {"check_in": f"2027-02-{day:02}", "check_out": f"2027-02-{day + 1:02}", "nights": 1}
    same = {
        name: part[name]
        for name in ("room_type", "room_name", "room_name_he", "rate_plan", "board", "refundable", "cancel_until")
    }
    return {**ends, "from_agorot": total, "per_night_agorot": total, **same}


@pytest.mark.parametrize(
    ("more", "known", "counts"),
    [
        ({"limit": 6}, True, "In all 4 such stays are free,"),
        ({"limit": 4}, False, "The 4 nearest cost"),
        ({"limit": 4, "order": "cheapest"}, True, "The 4 cheapest cost"),
    ],
)
def test_the_lowest_of_a_search_is_known_where_all_was_seen(more: dict[str, Any], known: bool, counts: str) -> None:
    window = {"from_date": "2027-02-01", "to_date": "2027-02-28", "nights": 1, "adults": 2}
    stays = [open_stay(day, total) for day, total in ((3, 40_000), (5, 35_000), (8, 50_000), (9, 45_000))]
    found = {**window, "children_ages": [], "order": more.get("order"), "searched": 27, "stays": stays}
    view = answered(ASKED["en"], [("open", "find_open_stays", {**window, **more}, found)])
    said, gate = through(view, "- Cheapest: {{open1.a2.line}}\n{{open1.more}}")
    assert (gate.refused == []) == known
    assert ("open1.lowest" in gate.catalogue.by_id) == known
    assert f"{counts} from 350 NIS to 500 NIS" in said or f"{counts} 350 NIS to 500 NIS" in said
    assert "for 2 adults" in said.splitlines()[0]


@pytest.mark.parametrize(("more", "looked_at", "says"), [
    ({"order": "cheapest"}, 4, "In all 4 such stays are free"),
    ({"order": "cheapest"}, 9, "The 4 cheapest cost"),
    ({}, 4, "The 4 nearest cost"),
])  # fmt: skip
def test_a_search_that_looked_at_no_other_stay_gave_all(more: dict[str, Any], looked_at: int, says: str) -> None:
    """Not one for the nearest, which looks no further than it has to."""
    stays = [open_stay(day, 10_000 * day) for day in (3, 5, 7, 9)]
    name, tool, args, found = search("open", *stays, limit=4, **more)
    view = answered(ASKED["en"], [(name, tool, args, {**found, "searched": looked_at})])
    assert catalogue(view).by_id["open1.more"].text.startswith(says)


@table("language", ["en", "he"])
@table(("more", "stands"), [({}, True), ({"room_type": "DBL"}, False), ({"board": "BB"}, False)])
def test_what_was_searched_alone_is_called_the_cheapest_by_its_own_sentence(
    language: str, more: dict[str, Any], stands: bool
) -> None:
    """A word beside a line names no room and no board."""
    view = answered(ASKED[language], [search("open", open_stay(3, 40_000), limit=6, **more)], language=language)
    word = {"en": "Cheapest", "he": "הזול ביותר"}[language]
    assert (through(view, f"- {word}: {{{{open1.a1.line}}}}")[1].refused == []) is stands
    assert through(view, "{{open1.lowest}}")[1].refused == []


def test_what_alone_a_search_was_for_is_named() -> None:
    asked = {"limit": 6, "room_type": "DBL", "board": "BB"}
    call = search("open", open_stay(3, 40_000), open_stay(5, 35_000), **asked)
    shown = catalogue(answered(ASKED["en"], [call])).shown()
    assert ", Double Room, breakfast included" in shown["open1.searched.1"]
    assert shown["open1.lowest"].startswith("The lowest price (Double Room, breakfast included): ")
    nothing = catalogue(answered(ASKED["en"], [search("open", **asked)])).shown()
    assert ", Double Room, breakfast included" in nothing["open1.searched.1"]


@pytest.mark.parametrize(("adults", "compared"), [(2, True), (4, False)])
def test_only_stays_of_one_party_are_compared(adults: int, compared: bool) -> None:
    other = {**availability("2027-01-20", "2027-01-22", offer("DBL", 80_000, 2)), "adults": adults}
    results = [looked_up(FREE), looked_up(other, "check_availability_2")]
    assert ("compare.1" in catalogue(answered(ASKED["en"], results)).by_id) == compared


ACCESSIBLE = availability(
    "2027-01-17",
    "2027-01-19",
    offer("ACC", 68_000, 2, board="RO", left=1),
    offer("DBL", 70_200, 2, board="RO"),
    offer("DLX", 92_700, 2, board="RO"),
    offer("TRP", 95_000, 2, board="RO"),
    offer("SUITE", 181_800, 2, board="RO"),
)
NAMES = {"en": "Accessible Double Room", "he": "חדר זוגי נגיש"}
WALKER = {"en": "My father walks with a frame: ", "he": "אבא שלי עם הליכון: "}


@pytest.mark.parametrize("language", ["en", "he"])
def test_an_accessible_room_is_offered_where_the_plan_asks_for_one(language: str) -> None:
    text = WALKER[language] + ASKED[language]
    for more, kept in (([], False), ([info("accessibility")], True)):
        view = answered(text, [looked_up(ACCESSIBLE), *more], language=language)
        told = through(view, "{{s1.o2.line}}\n{{s1.o3.line}}\n{{s1.more}}")[0]
        assert (f"- {NAMES[language]}, " in told, NAMES[language] in catalogue(view).shown()["s1.more"]) == (kept, kept)


@pytest.mark.parametrize("language", ["en", "he"])
def test_an_accessible_room_that_was_asked_for_is_told_in_its_list(language: str) -> None:
    results = [looked_up(ACCESSIBLE), info("accessibility"), info("pool")]
    view = answered(WALKER[language] + ASKED[language], results, language=language)
    told = through(view, "{{s1}}:\n{{s1.o2.line}}\n{{s1.o3.line}}\n{{pool.1}}\n{{accessibility.1}}")[0]
    lines = told.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(f"- {NAMES[language]}, "))
    assert lines[at - 1] == catalogue(view).by_id["s1"].again


@pytest.mark.parametrize(("said", "told"), [(ASKED["en"], False), (WALKER["en"] + "wheelchair, " + ASKED["en"], True)])
def test_combinations_take_the_accessible_room_where_access_is_spoken_of(said: str, told: bool) -> None:
    parts = [offer(room, 60_000, 2, board="RO") for room in ("DBL", "ACC")]
    with_it = {"parts": parts, "rooms": 2, "sleeps": 4, "total_agorot": 120_000, "per_night_agorot": 60_000}
    found = {**FREE, "adults": 4, "rooms": 2, "offers": [], "combinations": [with_it, mix(140_000)]}
    view = answered(said, [looked_up(found)])
    for text in (HotelOffline().respond(view), str(catalogue(view).shown())):
        assert (NAMES["en"] in text) is told
    assert NAMES["en"] in shown_of({**found, "combinations": [with_it]})["s1.c1.line"]


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "The lowest price (rooms for disabled guests aside): Double"),
        ("he", "המחיר הנמוך ביותר (מלבד חדרים נגישים): חדר זוגי,"),
    ],
)
def test_the_lowest_price_of_all_is_that_of_the_rooms_spoken_of(language: str, says: str) -> None:
    assert shown_of(ACCESSIBLE, language)["s1.lowest"].startswith(says)


def typed(code: str, call_id: str) -> tuple[str, str, dict[str, Any], Any]:
    found = {**FREE, "offers": [each for each in FREE["offers"] if each["room_type"] == code]}
    return call_id, "get_availability", {**STAY, "room_type": code}, found


@pytest.mark.parametrize(
    ("language", "room"), [("en", ", only Deluxe Sea View Room"), ("he", ", רק חדר דלוקס נוף לים")]
)
def test_a_stay_is_not_compared_with_itself(language: str, room: str) -> None:
    view = answered(ASKED[language], [looked_up(FREE), typed("DLX", "check_availability_2")], language=language)
    shown = catalogue(view).shown()
    assert "compare.1" not in shown
    assert (room in shown["s2"], room in shown["s1"]) == (True, False)
    later = answered(
        ASKED[language], [looked_up(FREE), typed("DLX", "second"), looked_up(LATER, "third")], language=language
    )
    assert "compare.1" in catalogue(later).shown()


@pytest.mark.parametrize("language", ["en", "he"])
def test_of_dates_looked_up_twice_the_room_asked_for_is_enough(language: str) -> None:
    only = {**ACCESSIBLE, "offers": ACCESSIBLE["offers"][:1]}
    closer = ("closer", "get_availability", {**STAY, "room_type": "ACC"}, only)
    text = WALKER[language] + ASKED[language]
    view = answered(text, [looked_up(ACCESSIBLE), closer, info("accessibility")], language=language)
    for told in ("{{s2.o1.line}}", "{{s1.o2.line}}\n{{s2.o1.line}}"):
        said = through(view, told)[0]
        assert len(re.findall(r"NIS in total|בסך הכול", said)) == told.count("{{")
        assert said.count("680") == 1


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "2 nights (Double Room, room only, non-refundable) is cheaper: 700 NIS in total, against 970 NIS for"),
        ("he", "(שני לילות) (חדר זוגי, לינה בלבד, ללא החזר בביטול), 700 ש״ח"),
    ],
)
def test_what_differs_in_its_meals_or_its_terms_is_compared_with_them_named(language: str, says: str) -> None:
    fed = availability("2027-01-24", "2027-01-26", offer("TRP", 97_000, 2, board="BB", cancel_until=UNTIL))
    shown = catalogue(
        answered(ASKED[language], [looked_up(RATES), looked_up(fed, "second")], language=language)
    ).shown()["compare.1"]
    assert says in shown
    assert (
        "for Sunday 24 January – Tuesday 26 January 2027, 2 nights (Triple Room, breakfast included, free cancellation)"
        if language == "en"
        else "(חדר לשלושה, כולל ארוחת בוקר, ביטול ללא עלות)"
    ) in shown


@pytest.mark.parametrize("asked", [True, None])
def test_what_one_call_of_a_model_asks_for_filters_no_other_call(asked: bool | None) -> None:
    args = {**STAY, **({"refundable": asked} if asked else {})}
    quoted = ("quote", "quote_stay", {**STAY, "refundable": True}, QUOTE)
    view = answered(ASKED["en"], [quoted, ("both", "get_availability", args, FREE)])
    view = replace(view, plan={**view.plan, "planner": "llm", "slots": {**view.plan["slots"], "refundable": True}})
    shown = catalogue(view).shown()
    assert ("non-refundable" in shown["s1.o1.line"]) is (asked is None)
    assert ("free cancellation" in shown["s1"]) is (asked is True)


REFUSED = {
    "sold_out": "Family Suite: not free on Monday 18 January 2027.",
    "not_on_sale": "Family Suite: not on sale on Monday 18 January 2027.",
    "occupancy": "Family Suite: does not hold 2 adults.",
    "min_stay": "Family Suite: A minimum stay of 3 nights applies on Monday 18 January 2027.",
}
NO_FAMILY_SUITE = {
    "room_type": "FAM",
    "room_name": "Family Suite",
    "room_name_he": "סוויטה משפחתית",
    "nights_required": 3,
}


@pytest.mark.parametrize("code", REFUSED)
def test_why_a_room_asked_about_is_not_among_the_offers_is_owed(code: str) -> None:
    refusal = {**NO_FAMILY_SUITE, "code": code, "dates": [] if code == "occupancy" else ["2027-01-18"]}
    data = {**FREE, "refusals": [refusal]}
    said, gate = through(answered(f"{ASKED['en']}. Is the family suite free?", [looked_up(data)]), "{{s1.o1.line}}")
    assert REFUSED[code] in said
    assert refused("{{s1.not.FAM}}", gate.catalogue) == []
    assert REFUSED[code] not in through(answered(ASKED["en"], [looked_up(data)]), "{{s1.o1.line}}")[0]


@pytest.mark.parametrize(("named", "is_owed"), [("Family Suite", True), ("Double Room", False)])
def test_why_a_room_that_the_last_answer_named_is_not_among_the_offers_is_owed(named: str, is_owed: bool) -> None:
    data = {**FREE, "refusals": [{**NO_FAMILY_SUITE, "code": "not_on_sale", "dates": ["2027-01-18"]}]}
    view = answered(ASKED["en"], [looked_up(data)])
    last = AIMessage(f"- {named}, room only: 900 NIS")
    view = replace(view, conversation=[HumanMessage("January 17-18"), last, *view.conversation])
    assert (REFUSED["not_on_sale"] in through(view, "{{s1.o1.line}}")[0]) is is_owed


@pytest.mark.parametrize(
    ("dates", "is_same"), [(("2027-01-17", "2027-01-19"), True), (("2027-01-24", "2027-01-26"), False)]
)
def test_that_the_last_answer_had_the_lowest_price_already_is_told(dates: tuple[str, str], is_same: bool) -> None:
    before = through(answered(ASKED["en"], [looked_up(FREE)]), "{{s1}}:\n{{s1.o1.line}}")[0]
    again = availability(*dates, offer("DBL", 70_200, 2, board="RO"))
    view = answered("Is anything cheaper without breakfast?", [looked_up(again)])
    view = replace(view, conversation=[HumanMessage(ASKED["en"]), AIMessage(before), *view.conversation])
    told = "The price of 702 NIS told before is already room only; I found nothing cheaper."
    assert catalogue(view).shown().get("s1.before") == (told if is_same else None)


def test_of_several_lengths_the_most_nights_within_the_budget_are_told_and_none_above_it_compared() -> None:
    text = "I have 2500 for the stay, how many nights can I stay from January 17 in the cheapest room?"
    stays = [
        availability("2027-01-17", f"2027-01-{17 + nights}", offer("DBL", total, nights, board="RO"))
        for nights, total in ((7, 232_200), (8, 262_800))
    ]
    results = [
        (f"c{n}", "get_availability", {**looked_up(each)[2], "max_price": 2500}, each) for n, each in enumerate(stays)
    ]
    view = answered(text, results)
    budget = {"amount_agorot": 250_000, "per": "stay", "currency": None, "said": ""}
    view = replace(view, plan={**view.plan, "planner": "llm", "slots": {**view.plan["slots"], "budget": budget}})
    shown = catalogue(view).shown()
    assert "compare.1" not in shown
    assert shown["most_nights.1"] == (
        "The most nights within 2,500 NIS for the stay, of the stays looked up: 7 nights, for 2,322 NIS."
    )


@pytest.mark.parametrize(("language", "wish"), [("en", "with a kitchenette"), ("he", "עם מטבחון")])
def test_a_room_is_asked_about_by_what_it_alone_has(language: str, wish: str) -> None:
    data = {**FREE, "refusals": [{**NO_FAMILY_SUITE, "code": "not_on_sale", "dates": ["2027-01-18"]}]}
    suite = {**ROOM, "code": "FAM", "features": ["kitchenette"], "features_he": ["מטבחון"]}
    rooms = ("rooms", "get_rooms_info", {}, {"rooms": [ROOM, suite]})
    for besides, is_owed in (([rooms], True), ([], False)):
        view = answered(f"{ASKED[language]}, {wish}", [looked_up(data), *besides], language=language)
        assert ("s1.not.FAM" in catalogue(view).shown()) is is_owed


def test_what_is_left_of_a_budget_can_be_said() -> None:
    for asked, night, says in (
        ("under 800 in all", "line", "Your budget (800 NIS): 98 NIS more than Double Room, room only, non-refundable"),
        ("under 400 a night", "night", "Your budget (400 NIS per night): 49 NIS per night more than Double Room"),
    ):
        view = answered(f"{ASKED['en']}, {asked}", [looked_up(FREE)])
        said, gate = through(view, f"{{{{difference:s1.lead1-s1.o1.{night}}}}}")
        assert says in said
        assert gate.refused == []


@table(
    ("language", "label", "stands"),
    [
        ("en", "For your parents", True),
        ("en", "For the kids", True),
        ("he", "להורים", True),
        ("en", "For your dog", False),
        ("en", "Your parents", False),
    ],
)
def test_whom_a_stay_is_for_may_stand_before_its_heading(language: str, label: str, stands: bool) -> None:
    made = catalogue(free(language))
    assert (refused(f"{label}: {{{{s1}}}}", made) == []) is stands


def test_a_lead_behind_a_comma_begins_a_sentence() -> None:
    view = answered(f"{ASKED['en']}, under 800 in all", [looked_up(FREE)])
    said, _ = through(view, "{{s1}}, {{s1.lead1}}\n- {{s1.o1.line}}")
    assert "2 nights, for 2 adults. Within your budget of 800 NIS for the stay:\n- Double" in said


def test_what_is_alike_is_compared_without_its_terms() -> None:
    assert "room only" not in catalogue(answered(ASKED["en"], TWO)).shown()["compare.1"]


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("A double or a deluxe 17-19 January 2027 for two, which is cheaper?", True),
        ("Two rooms 17-19 January 2027, the cheapest: a double for us two and a deluxe for my parents", False),
        ("4 adults 17-19 January 2027: a double for two and a deluxe for the other two, the cheapest", False),
        ("שני חדרים, 17-19 בינואר 2027: חדר זוגי לשנינו וחדר דלוקס להורים שלי, הכי זול", False),
    ],
)
def test_rooms_that_are_all_wanted_are_not_compared(text: str, compared: bool) -> None:
    found = {
        code: availability("2027-01-17", "2027-01-19", offer(code, cost, 2)) for code, cost in (("DBL", 7), ("DLX", 9))
    }
    looks = [(code, "get_availability", {**STAY, "room_type": code}, data) for code, data in found.items()]
    assert ("compare.1" in catalogue(answered(text, looks)).by_id) is compared


def test_what_is_compared_has_the_meals_that_were_asked_for() -> None:
    later = availability("2027-01-24", "2027-01-26", offer("DBL", 60_000, 2, board="RO"), offer("DBL", 99_000, 2))
    text = "For two with breakfast, 17-19 or 24-26 January 2027, which is cheaper?"
    told = catalogue(answered(text, [looked_up(FREE), looked_up(later, "second")])).by_id["compare.1"].text
    assert "960 NIS" in told
    assert "990 NIS" in told
    assert "breakfast included" in told


def test_a_search_is_not_compared_with_what_it_gave_way_to() -> None:
    first = search("open", limit=6)
    other = {**first[3], "from_date": "2027-03-01", "to_date": "2027-03-28", "stays": [open_stay(3, 40_000)]}
    args = {**first[2], "from_date": "2027-03-01", "to_date": "2027-03-28"}
    view = answered(ASKED["en"], [first, ("more", "find_open_stays", args, other)], instead_of={"more": "open"})
    assert "compare.1" not in catalogue(view).by_id


def test_a_topic_that_two_calls_ask_of_is_told_whole() -> None:
    """A call for a part of its text comes first."""
    whole = info("early_check_in")
    part = {**whole[3], "text": "Luggage can be left at reception from 08:00."}
    luggage = "info_luggage", whole[1], {"topic": "luggage"}, part
    told = catalogue(answered("Can we leave bags, and check in at 11?", [luggage, whole])).shown()
    assert "100 NIS" in told["early_check_in.1"]
    assert "Luggage" in told["early_check_in.2"]


def test_what_is_added_of_a_topic_stands_where_it_is_told() -> None:
    view = answered(ASKED["en"], [info("pool"), info("pets")])
    first, *rest = [name for name in catalogue(view).by_id if name.startswith("pool.")]
    said, gate = through(view, f"{{{{{first}}}}}\n{{{{pets.1}}}}")
    assert rest
    assert f"{gate.catalogue.by_id[first].text} {gate.catalogue.by_id[rest[0]].text}" in said
    whole, _ = through(view, "".join(f"{{{{{name}}}}} " for name in [first, *rest]))
    assert f"{gate.catalogue.by_id[first].text} {gate.catalogue.by_id[rest[0]].text}" in whole


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ({"room_type": "DLX"}, ["What is free instead:", "Deluxe Sea View Room, room only"]),
        ({"board": "HB"}, ["What is free instead, none of it half board:", "Double Room, room only"]),
        ({"board": "BB"}, ["What is free instead:", "Double Room, breakfast included"]),
        ({}, ["What is free instead:", "Double Room, room only"]),
    ],
)
def test_what_is_free_instead_is_of_the_kind_and_with_the_meals_that_were_asked_for(
    args: dict[str, str], says: Sequence[str]
) -> None:
    later = {**FREE, "check_in": "2027-01-20", "check_out": "2027-01-22"}
    asked = ("asked", "get_availability", {**STAY, **args}, FULL)
    view = answered(ASKED["en"], [asked, looked_up(later, "later")], instead_of={"later": "asked"})
    shown = catalogue(view).shown()
    assert [shown["s1.instead"], shown["s1.a1.line"]] == [says[0], shown["s1.a1.line"]]
    assert says[1] in shown["s1.a1.line"]
    assert says[0] in HotelOffline().respond(view)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "A room for two, January 17-19 2027? And is half board served, and has the deluxe room a sea view?"),
        ("he", "יש חדר לזוג ב-17-19 בינואר 2027? ולסוויטה הכי יקרה יש נוף לים, ויש חצי פנסיון?"),
    ],
)
def test_a_room_that_another_question_names_narrows_no_lowest_price(language: str, said: str) -> None:
    """Only what a call itself asks for narrows what it found, or what is free instead of it."""
    later = {**FREE, "check_in": "2027-01-20", "check_out": "2027-01-22"}
    full_there = answered(
        said,
        [looked_up(FULL), looked_up(later, "later")],
        language=language,
        instead_of={"later": "check_availability"},
    )
    assert "351" in catalogue(full_there).shown()["s1.a1.line"]
    free_there = answered(said, [looked_up(FREE)], language=language)
    assert "780" in catalogue(free_there).shown()["s1.flexible"]


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "No room of another kind is free for 2 guests on these nights either."),
        ("he", "גם חדר מסוג אחר אינו פנוי עבור שני אורחים בלילות האלה."),
    ],
)
@pytest.mark.parametrize(("args", "is_said"), [({}, True), ({"board": "HB"}, False)])
def test_of_a_kind_that_is_full_it_is_said_that_any_other_is_too(
    language: str, says: str, args: dict[str, str], is_said: bool
) -> None:
    asked = ("asked", "get_availability", {**STAY, "room_type": "DBL"}, FULL)
    anything = ("any", "get_availability", {**STAY, **args}, FULL)
    view = answered(ASKED[language], [asked, anything], language=language, instead_of={"any": "asked"})
    assert (says in catalogue(view).shown().values()) == is_said
    assert (says in HotelOffline().respond(view)) == is_said


def test_two_rooms_for_guests_who_are_called_the_same_are_full_once() -> None:
    rooms = [
        (
            f"room_{age}",
            "get_availability",
            {**STAY, "adults": 1, "children_ages": [age]},
            {**FULL, "adults": 1, "children_ages": [age]},
        )
        for age in (5, 9)
    ]
    shown = catalogue(answered("Two rooms 17-19 January 2027, an adult and a child in each, 5 and 9", rooms)).shown()
    assert [name for name in shown if name.endswith("full.1")] == ["s1.full.1"]


def test_room_types_looked_up_one_by_one_are_compared_by_their_names() -> None:
    shown = catalogue(answered(ASKED["en"], [typed("DBL", "one"), typed("DLX", "two")])).shown()
    assert "Double Room" in shown["compare.1"]
    assert "January" not in shown["compare.1"]


@pytest.mark.parametrize("language", ["en", "he"])
def test_of_many_stays_it_is_not_owed_from_what_price_each_can_be_cancelled(language: str) -> None:
    days = [(f"2027-01-{day}", f"2027-01-{day + 2}") for day in (17, 20, 24)]
    results = [looked_up({**FREE, "check_in": first, "check_out": last}, f"check_{first[-2:]}") for first, last in days]
    for number, owed in ((2, 2), (3, 0)):
        view = answered(ASKED[language], results[:number], language=language)
        flexible = catalogue(view).shown()["s1.flexible"]
        lines = "\n".join(f"{{{{s{n}.o1.line}}}}" for n in range(1, number + 1))
        assert through(view, lines)[0].count(flexible) == owed


HANUKKAH = {"name": "Hanukkah", "check_in": "2026-12-04", "check_out": "2026-12-12", "nights": 8, "note": None}
DAYS = [f"2026-12-{day:02}" for day in range(4, 13)]
HOLIDAY = ("get_holiday", "get_holiday", {"name": "Hanukkah"}, {**HANUKKAH, "dates": DAYS})
FIRST_NIGHTS = availability("2026-12-04", "2026-12-06", offer("DBL", 107_100, 2))


@pytest.mark.parametrize(
    ("language", "stay", "whole"),
    [
        (
            "en",
            "Hanukkah, nights 1–2 of 8, Friday 4 December – Sunday 6 December 2026, 2 nights, for 2 adults",
            "Hanukkah, Friday 4 December – Saturday 12 December 2026, 8 nights",
        ),
        (
            "he",
            "חנוכה, לילות 1–2 מתוך 8, יום שישי, 4 בדצמבר עד יום ראשון, 6 בדצמבר 2026 (שני לילות), עבור שני מבוגרים",
            "חנוכה, יום שישי, 4 בדצמבר עד יום שבת, 12 בדצמבר 2026 (8 לילות)",
        ),
    ],
)
def test_a_stay_in_a_holiday_is_named_after_it_and_by_which_of_its_nights_it_has(
    language: str, stay: str, whole: str
) -> None:
    shown = catalogue(answered(ASKED[language], [HOLIDAY, looked_up(FIRST_NIGHTS)], language=language)).shown()
    assert (shown["s1"], shown["holiday.1"]) == (stay, whole)


def test_one_night_of_a_holiday_is_named_by_its_number() -> None:
    night = availability("2026-12-07", "2026-12-08", offer("DBL", 50_400, 1))
    shown = catalogue(answered(ASKED["en"], [HOLIDAY, looked_up(night)])).shown()
    assert shown["s1"].startswith("Hanukkah, night 4 of 8, Monday 7 December")


def test_words_that_say_which_nights_of_a_holiday_are_meant_are_the_stays_name() -> None:
    view = answered("The first two nights of Hanukkah for 2 adults", [HOLIDAY, looked_up(FIRST_NIGHTS)])
    assert catalogue(view).shown()["s1"].startswith("First 2 nights of Hanukkah, Friday 4 December")


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_holiday_whose_nights_are_the_stay_has_no_second_line(language: str) -> None:
    whole = availability("2026-12-04", "2026-12-12", offer("DBL", 407_100, 8))
    shown = catalogue(answered(ASKED[language], [HOLIDAY, looked_up(whole)], language=language)).shown()
    assert shown["s1"].startswith(("Hanukkah, ", "חנוכה, "))
    assert "holiday.1" not in shown


def test_the_dates_of_two_holidays_stand_on_two_lines() -> None:
    later = {**HANUKKAH, "name": "Purim", "check_in": "2027-03-22", "check_out": "2027-03-23", "nights": 1}
    purim = ("purim", "get_holiday", {"name": "Purim"}, {**later, "dates": ["2027-03-22", "2027-03-23"]})
    said, _ = through(answered("when are Hanukkah and Purim?", [HOLIDAY, purim]), "{{hello}}")
    assert "8 nights\nPurim, Monday 22 March" in said


def rates(total: int, room: str) -> list[dict[str, Any]]:
    """Without and with breakfast, without and with free cancellation."""
    return [
        offer(room, total + more, 2, board=board, cancel_until=until)
        for more, board, until in ((0, "RO", None), (8_000, "RO", UNTIL), (20_000, "BB", None), (31_000, "BB", UNTIL))
    ]


RATES = availability("2027-01-17", "2027-01-19", *rates(70_000, "DBL"), *rates(92_000, "DLX"), *rates(70_000, "TRP"))
SECOND = availability("2027-01-24", "2027-01-26", offer("TRP", 92_000, 2, board="RO"))
TWO = [looked_up(RATES), looked_up(SECOND, "second")]
WORKED_OUT = {
    "en": {
        "sum:s1.o1.line+s2.o1.line": "Double Room, room only, non-refundable, 17–19 January 2027 (700 NIS) + Triple Room, room only, non-refundable, 24–26 January 2027 (920 NIS) = 1,620 NIS in all, each for 2 adults.",
        "difference:s1.lowest.BB-s1.lowest": "Double Room, breakfast included, non-refundable, 17–19 January 2027 (900 NIS): 200 NIS more than Double Room, room only, non-refundable, 17–19 January 2027 (700 NIS).",
        "difference:s1.o1.night-s2.o1.night": "(460 NIS per night): 110 NIS per night more than Double Room,",
        "share:s1.o1.price/2": "(700 NIS) ÷ 2 = 350 NIS each.",
        "times:s2.o1.price*3": "(920 NIS) × 3 = 2,760 NIS in all, each for 2 adults.",
    },
    "he": {
        "sum:s1.o1.line+s2.o1.line": "חדר זוגי, לינה בלבד, ללא החזר בביטול, 17 עד 19 בינואר 2027 (700 ש״ח) + חדר לשלושה",
        "share:s1.o1.price/2": "(700 ש״ח) ÷ 2 = 350 ש״ח לכל אחד.",
    },
}  # fmt: skip


@table(("language", "operator"), [(lang, name) for lang, each in WORKED_OUT.items() for name in each])
def test_what_is_worked_out_of_prices_can_be_said(language: str, operator: str) -> None:
    view = answered(f"{ASKED[language]} × 3", TWO, language=language)
    said, gate = through(view, f"{{{{{operator}}}}}")
    assert gate.refused == []
    assert WORKED_OUT[language][operator] in said


@pytest.mark.parametrize(
    ("text", "number", "is_said"),
    [
        ("for the two of us", 2, True), ("we are 2", 3, False), ("shared by thirteen of us", 13, True),
        ("a price of 99 each, please", 13, False),
    ],
)  # fmt: skip
def test_prices_are_shared_by_numbers_that_are_counted_here(text: str, number: int, is_said: bool) -> None:
    said, gate = through(answered(text, TWO), f"{{{{share:s1.o1.price/{number}}}}}")
    assert ("÷" in said, gate.refused == []) == (is_said, is_said)


@table(("text", "number", "is_said"), [
    ("Two adults, 17-19 January", 2, False), ("A room for two, 2 nights from 17 January", 2, False),
    ("two doubles, each for 2 adults, 17-19 January", 2, True), ("A room for 2, three times this year", 3, True),
    ("שני מבוגרים, 17 עד 19 בינואר", 2, False), ("3 חדרים כאלה, 17 עד 19 בינואר", 3, True),
])  # fmt: skip
def test_the_price_of_a_stay_is_multiplied_by_no_number_of_its_guests_or_nights(
    text: str, number: int, is_said: bool
) -> None:
    said, gate = through(answered(text, TWO), f"{{{{times:s1.o1.price*{number}}}}}")
    assert (f"× {number} = " in said, gate.refused == []) == (is_said, is_said)


def test_the_price_of_rooms_that_were_looked_up_together_is_for_all_of_them() -> None:
    name, tool, args, found = looked_up(RATES)
    both = (name, tool, {**args, "adults": 4, "rooms": 2}, {**found, "rooms": 2})
    said, gate = through(answered("two rooms for 4 adults, 17-19 January", [both]), "{{times:s1.o1.price*2}}")
    assert ("× 2" in said, gate.refused == []) == (False, False)


@pytest.mark.parametrize(
    "operator", ["sum:s1.o1.line+s1.o2.line", "sum:s1.lowest+s1.o4.price", "sum:s1.o1.night+s2.o1.night"]
)
def test_two_rates_of_one_room_are_not_added_up(operator: str) -> None:
    view = answered(ASKED["en"], TWO)
    said, gate = through(view, f"{{{{{operator}}}}}")
    assert gate.refused
    assert "in all." not in said


@pytest.mark.parametrize("second", ["DLX", "DBL"])
def test_rooms_looked_up_apart_are_added_up_and_each_is_named_with_whom_it_is_for(second: str) -> None:
    """Also two of a kind, on other terms or with other meals: the parents' double and ours."""
    view = answered(ASKED["en"], [typed("DBL", "one"), typed(second, "two")])
    said, gate = through(view, "{{sum:s1.o1.line+s2.o1.line}}")
    assert gate.refused == []
    assert said.count("17–19 January 2027 (") == 2
    assert "in all, each for 2 adults." in said


def test_two_kinds_of_room_of_one_look_up_are_added_up_for_who_takes_both() -> None:
    said, gate = through(answered(ASKED["en"], TWO), "{{sum:s1.lowest+s1.lowest.BB}} {{sum:s1.o1.line+s1.o9.line}}")
    assert gate.refused == ["{{sum:s1.lowest+s1.lowest.BB}}"]
    assert (
        "(700 NIS) + Triple Room, room only, non-refundable, 17–19 January 2027 (700 NIS) = 1,400 NIS in all, each"
        in said
    )


def test_a_sum_of_several_parties_names_each_with_its_room() -> None:
    three = ("three", "get_availability", {**STAY, "adults": 3}, {**SECOND, "adults": 3})
    said, gate = through(answered(ASKED["en"], [looked_up(RATES), three]), "{{sum:s1.o1.line+s2.o1.line}}")
    assert gate.refused == []
    assert "for 2 adults (700 NIS) + " in said
    assert "for 3 adults (920 NIS) = 1,620 NIS in all." in said


def test_free_stays_of_which_one_is_chosen_are_not_added_up() -> None:
    results = [search("open", open_stay(3, 40_000), open_stay(9, 50_000))]
    view = answered(ASKED["en"], results)
    assert through(view, "{{sum:open1.a1.line+open1.a2.line}}")[1].refused
    assert "100 NIS more than" in through(view, "{{difference:open1.a1.line-open1.a2.line}}")[0]


LOWEST = {
    "s1.lowest": "The lowest price: Double Room, room only: 700 NIS in total (350 NIS per night), non-refundable; at the same price Triple Room, room only, non-refundable, 17–19 January 2027",
    "s1.lowest.BB": "The lowest price (breakfast included): Double Room, breakfast included: 900 NIS in total",
    "s1.lowest.refundable": "The lowest price (free cancellation): Double Room, room only: 780 NIS in total",
    "s1.lowest.BB.refundable": "The lowest price (breakfast included, free cancellation): Double Room, breakfast included: 1,010 NIS",
    "s1.o7.lowest": "The lowest price (Deluxe Sea View Room): Deluxe Sea View Room, room only: 920 NIS in total",
    "s1.o7.lowest.BB": "The lowest price (Deluxe Sea View Room, breakfast included): Deluxe Sea View Room, breakfast included: 1,120 NIS",
}  # fmt: skip


@table("name", LOWEST)
def test_the_lowest_price_of_a_board_a_room_and_terms_is_said_with_what_costs_the_same(name: str) -> None:
    ordered = {**RATES, "offers": sorted(RATES["offers"], key=lambda each: each["total_agorot"])}
    view = answered(ASKED["en"], [looked_up(ordered)])
    said, gate = through(view, f"{{{{s1}}}}:\n- {{{{{name}}}}}")
    assert gate.refused == []
    assert LOWEST[name] in said


def test_of_many_offers_none_is_lost_and_each_rooms_lowest_is_shown() -> None:
    """A house of 40 room types and four rate plans: the block of statements stays short, and says that there are more."""
    every = [
        {**each, "room_type": f"T{n}", "room_name": f"Type {n}", "room_name_he": f"סוג {n}"}
        for n in range(40)
        for each in rates(70_000 + 3_000 * n, "DBL")
    ]
    found = {**FREE, "offers": sorted(every, key=lambda each: each["total_agorot"])}
    made = catalogue(answered(ASKED["en"], [looked_up(found)]))
    shown = made.shown()
    assert len(str(shown).encode()) < 8_000
    assert len([name for name in made.by_id if re.fullmatch(r"s1\.o\d+\.line", name)]) == 160
    assert len([name for name in shown if re.fullmatch(r"s1\.o\d+\.line", name)]) == 40
    assert not [name for name in shown if name.endswith(".refundable")]
    assert shown["s1.count"] == "I found 160 offers, from 700 NIS to 2,180 NIS."
    assert shown["s1.more"].endswith("Type 11 and 28 more.")
    assert "900 NIS in total" in shown["s1.lowest.BB"]
    assert made.by_id["s1.o2.lowest.BB"].text.startswith("The lowest price (Type 1, breakfast included): Type 1,")


def test_of_a_few_rooms_with_many_rates_the_usual_ones_are_shown() -> None:
    rooms = ("DBL", "DLX", "TRP", "SUITE")
    boards = [offer(room, 400_000 + more, 2, board="HB") for more, room in enumerate(rooms)]
    every = [each for n, room in enumerate(rooms) for each in rates(70_000 + 9_000 * n, room)]
    found = {**FREE, "offers": sorted([*every, *boards], key=lambda each: each["total_agorot"])}
    shown = [text for name, text in shown_of(found).items() if name.startswith("s1.o")]
    assert len(shown) == 12
    assert sum("free cancellation" in text for text in shown) == 8
    assert sum("breakfast included" in text for text in shown) == 4


@pytest.mark.parametrize(
    ("language", "per", "figure", "says"),
    [
        ("en", "person", 40_000, "Within your budget of 400 NIS per person for the stay (800 NIS for 2 guests):"),
        ("he", "person", 40_000, "במסגרת התקציב של 400 ש״ח לאדם לכל השהייה (800 ש״ח עבור שני אורחים):"),
        ("en", "person_night", 20_000, "Within your budget of 200 NIS per person per night (400 NIS for 2 guests):"),
        ("en", "person", 30_000, "Nothing at or under 300 NIS per person for the stay (600 NIS for 2 guests); the closest is 700 NIS, 100 NIS more:"),
    ],
)  # fmt: skip
def test_a_budget_for_each_guest_is_that_of_all_of_them(language: str, per: str, figure: int, says: str) -> None:
    view = answered(ASKED[language], [("a", "get_availability", {**STAY, "max_price": figure / 100}, RATES)])
    budget = {"amount_agorot": figure, "per": per, "currency": None, "said": ""}
    view = replace(view, plan={**view.plan, "planner": "llm", "slots": {**view.plan["slots"], "budget": budget}})
    lead = catalogue(view).by_id["s1.lead1"]
    assert lead.text == says
    assert lead.quantity is not None
    assert lead.quantity.amount == 2 * figure


def test_a_budget_is_of_the_calls_alone_that_have_it() -> None:
    looks = [
        ("a", "get_availability", {**STAY, "max_price": 800}, RATES),
        ("b", "get_availability", {**STAY, "adults": 3}, {**RATES, "adults": 3}),
    ]
    view = answered(ASKED["en"], looks)
    budget = {"amount_agorot": 80_000, "per": "stay", "currency": None, "said": ""}
    view = replace(view, plan={**view.plan, "planner": "llm", "slots": {**view.plan["slots"], "budget": budget}})
    assert [name for name in catalogue(view).by_id if ".lead" in name] == ["s1.lead1"]


def test_what_is_above_a_budget_a_night_is_told_by_the_night() -> None:
    view = answered("A room for 2 adults under 400 NIS a night, January 17-19 2027", [looked_up(RATES)])
    budget = {"amount_agorot": 40_000, "per": "night", "currency": None, "said": ""}
    view = replace(view, plan={**view.plan, "slots": {**view.plan["slots"], "budget": budget}})
    shown = catalogue(view).shown()
    assert shown["s1.lead1"] == "Within your budget of 400 NIS per night:"
    assert shown["s1.above"] == "Above your budget: from 450 NIS per night."


SIZED: dict[str, Any] = {
    "rooms": [
        {**ROOM, "code": code, "name": name, "name_he": name, "size_sqm": size, "features": own, "features_he": own}
        for code, name, size, own in (
            ("DBL", "Double Room", 22, ["wifi", "bathtub"]),
            ("DLX", "Deluxe Room", 30, ["wifi", "balcony"]),
            ("FAM", "Family Room", 30, ["wifi", "bathtub", "balcony"]),
        )
    ]
}


def of_rooms(language: str, *codes: str) -> AnswerView:
    rooms = [room for room in SIZED["rooms"] if not codes or room["code"] in codes]
    return answered(ASKED[language], [("rooms", "get_rooms_info", {}, {"rooms": rooms})], language=language)


@pytest.mark.parametrize(
    ("language", "codes", "says"),
    [
        (
            "en",
            ("DBL", "DLX"),
            "The largest of Double Room and Deluxe Room is the Deluxe Room, 30 m², for up to 3 guests.",
        ),
        (
            "en",
            (),
            "The largest of Double Room, Deluxe Room and Family Room are Deluxe Room and Family Room, 30 m² each.",
        ),
        ("he", ("DBL", "DLX"), "הגדול ביותר מבין Double Room וDeluxe Room: Deluxe Room, 30 מ״ר, עד 3 אורחים."),
    ],
)
def test_the_largest_is_that_of_the_rooms_looked_at_and_ties_are_named(
    language: str, codes: Sequence[str], says: str
) -> None:
    """“The largest is the Deluxe Room” is false of a house that has a suite."""
    assert catalogue(of_rooms(language, *codes)).shown()["largest.1"] == says


def test_the_smallest_is_told_beside_the_largest_where_it_is_another() -> None:
    shown = catalogue(of_rooms("en")).shown()
    assert shown["smallest.1"] == (
        "The smallest of Double Room, Deluxe Room and Family Room is the Double Room, 22 m², for up to 3 guests."
    )
    assert "smallest.1" not in catalogue(of_rooms("en", "DLX", "FAM")).shown()


def test_the_largest_of_all_is_said_where_all_were_looked_at() -> None:
    rooms = [
        {**ROOM, "code": room.code, "name": room.name, "size_sqm": room.size_sqm} for room in demo_property().rooms
    ]
    view = answered(ASKED["en"], [("rooms", "get_rooms_info", {}, {"rooms": rooms})])
    assert catalogue(view).shown()["largest.1"].startswith("The largest of all our rooms is the Sea Front Suite")


SETS = {
    "all:with.bathtub+with.balcony": "Bathtub + Balcony: Family Room.",
    "all:with.wifi+with.bathtub": "Wifi + Bathtub: Double Room, Family Room.",
    "difference:r.DLX.1-r.DBL.1": "Deluxe Room (30 m²): 8 m² more than Double Room (22 m²).",
}  # fmt: skip


@pytest.mark.parametrize("operator", SETS)
def test_rooms_with_several_things_and_rooms_compared_are_one_statement(operator: str) -> None:
    said, gate = through(of_rooms("en"), f"{{{{{operator}}}}}")
    assert gate.refused == []
    assert SETS[operator] in said


def test_sizes_are_worked_out_in_the_units_of_the_language() -> None:
    said, _ = through(of_rooms("he"), "{{difference:r.DLX.1-r.DBL.1}}")
    assert "Deluxe Room (30 מ״ר) לעומת Double Room (22 מ״ר): הפרש של 8 מ״ר." in said


def test_that_no_room_has_both_is_said() -> None:
    assert "Bathtub + Balcony: none." in through(of_rooms("en", "DBL", "DLX"), "{{all:with.bathtub+with.balcony}}")[0]


INVENTED = """
The lobby bar pours cocktails till midnight.
{{s1.o1.line}} with a welcome drink.
Our chef cooks vegan meals on request.
There is one more room like this, next door.
{{s1.o2.room}} may be had for less.
It is a quiet house at that time of year.
{{parking.1}} Vans and trailers too.
The hotel was rebuilt last year.
{{s1}}: it is the last week of the season.
You are among our dearest guests.
{{breakfast.1}} Served on the roof.
You asked for {{s1.o4.line}}.
Towels are here for you at the beach.
Ask for a discount when you come.
{{s1.o1.room}} and {{s1.o3.price}} and {{s1.o1.terms}}.
Check-out is at noon, as you like.
{{pets.1}} So do cats.
I found it at the price of the {{s1.o1.line}} again, with dinner.
Your visit comes with a spa pass.
The information is as follows: closed in winter.
The {{s1.o4.room}} is what you asked for, at {{s1.o4.price}}, {{s1.o4.terms}}.
Would you like the pool with that?
Thank you for your booking!
I have asked the team to find you a table.
{{s1.o1.line}}, dates to be agreed.
החוף ממש מול החדרים.
אצלנו הילדים אוכלים חינם.
{{s1.o1.line}} וגם ארוחת ערב.
נשאר לנו עוד חדר אחד כזה.
{{parking.1}} גם לאוטובוסים.
מחיר מיוחד עבורכם.
המחירים יעלו מחר.
יש אצלנו ספא ובריכה.
{{pets.1}} וגם חתולים.
מצאתי לכם שדרוג.
ההצעה היא שלכם עד מחר.
{{s1.o4.line}} היא הזולה.
כאן שקט בלילה.
תרצו לשלם עכשיו באשראי?
{{breakfast.1}} גם בשבת בצהריים.
""".strip().splitlines()
LED_ASTRAY = """
The price of {{parking.1}}
You have {{s1.o1.line}} for your stay.
Your room is {{s1.o1.line}}.
You've {{s1.o1.line}} for the dates.
Thank you for {{s1.o1.line}}.
Your choice is {{s1.o4.line}}.
The cost of {{breakfast.1}}
Prices: {{pets.1}}
We have your stay: {{s1.o1.line}}.
You choose {{s1.o4.line}}.
We are happy to have you with {{s1.o1.line}}.
Your visit: {{s1.o4.line}}.
See you on {{s1}} in {{s1.o1.room}}, {{s1.o1.price}}, {{s1.o1.terms}}.
You're in {{s1.o4.line}}.
You would like {{s1.o4.line}}.
We let you have {{s1.o5.line}}.
That is what you wish: {{s1.o4.line}}.
We hope {{parking.1}}
Is there {{parking.1}}?
How could {{pets.1}}
{{parking.1}} Is that so with {{pets.1}}?
{{parking.1}} for the price.
Thanks for {{s1.o1.line}}.
I choose {{s1.o4.line}} for you.
{{s1.o1.line}} again.
המחיר של {{parking.1}}
יש לכם {{s1.o1.line}}.
{{s1.o1.line}} שלכם.
זו הבקשה שלכם: {{s1.o4.line}}.
תודה על {{s1.o1.line}}.
עלות {{pets.1}}
איך {{pets.1}}
""".strip().splitlines()
"""True statements in words that make another claim of them: whose it is, what it costs, that it is in question."""
TRUE = """
Hello! {{s1.o1.line}}
{{gladly}} I found {{s1.o1.line}}.
For your stay on {{s1}}, please see the options here:
- {{s1.o2.line}}
The cheapest option comes to {{s1.o1.line}}.
On {{s1}} the {{s1.o4.room}} is available at {{s1.o4.price}}, {{s1.o4.terms}}.
A flexible option: {{s1.o2.line}}.
With breakfast there is {{s1.o3.line}}.
Regarding parking: {{parking.1}}
About your dog: {{pets.1}}
Breakfast: {{breakfast.1}} {{breakfast.2}}
As for pets, {{pets.1}}
{{parking.1}} {{parking.2}}
You could also have {{s1.o5.line}}.
If you would like a larger room: {{s1.o6.line}}.
Our most affordable room is {{s1.o1.line}}.
I checked {{s1}} and found {{s1.o1.line}}.
Here are the prices for {{s1}}:
And for the car: {{parking.1}}
You can bring your dog: {{pets.1}}
{{s1.o1.line}} is the lowest price.
{{youre_welcome}} {{ask_which}}
Yes, there is parking: {{parking.1}}
For a sea view, {{s1.o4.line}}.
A suite is also available: {{s1.o6.line}}.
{{gladly}} ב{{s1}} מצאתי עבורכם את {{s1.o1.line}}.
שלום! הנה האפשרויות ל{{s1}}:
- {{s1.o2.line}}
האפשרות הזולה ביותר היא {{s1.o1.line}}.
לגבי החניה: {{parking.1}}
בעניין הכלב: {{pets.1}}
ארוחת בוקר: {{breakfast.1}}
{{s1.o4.room}} עולה {{s1.o4.price}}, {{s1.o4.terms}}.
עם ביטול גמיש: {{s1.o2.line}}
חניה: {{parking.1}} {{parking.2}}
יש גם {{s1.o5.line}}.
תודה על הפנייה! {{s1.o1.line}}
כן, יש חניה: {{parking.1}}
אפשר לבחור גם ב{{s1.o3.line}}.
{{s1}}, המחיר הוא {{s1.o1.line}}.
בשמחה, הנה הפרטים: {{pets.1}}
""".strip().splitlines()


def language_of(text: str) -> str:
    return "he" if re.search("[א-ת]", text) else "en"


@table("text", [*INVENTED, *LED_ASTRAY])
def test_fresh_inventions_do_not_stand(text: str) -> None:
    view = desk(language_of(text))
    said, gate = through(view, f"{{{{s1}}}}: {{{{s1.o1.line}}}}\n{text}")
    assert [text.endswith(sentence) for sentence in gate.refused] == [True]
    assert refused(said, gate.catalogue) == []


def test_fresh_true_answers_lose_nothing() -> None:
    """Those with a yes, a praise or a synonym are told in the statements' own words."""
    stood = 0
    for text in TRUE:
        _, gate = through(desk(language_of(text)), text)
        assert set(named_in(text)) <= gate.told.keys(), text
        stood += not gate.refused
    assert stood >= 30


def test_nobody_is_asked_which_of_these_where_nothing_is_offered() -> None:
    asked = {"ask_which", "ask_suit"}
    assert asked & shown_of(FREE).keys() == {"ask_which"}  # for one pair of dates
    assert not asked & shown_of({**FREE, "offers": FREE["offers"][:1]}).keys()
    assert asked <= catalogue(answered(ASKED["en"], [looked_up(FREE), looked_up(LATER, "later")])).shown().keys()
    assert asked.isdisjoint(catalogue(answered("Is there Netflix?", [unknown("netflix")])).shown())


def by_model(view: AnswerView, **slots: Any) -> AnswerView:
    return replace(view, plan={**view.plan, "planner": "llm", "slots": {**view.plan["slots"], **slots}})


TWO_RATES = availability("2027-01-17", "2027-01-19", offer("DBL", 70_200, 2, board="RO"), offer("DBL", 96_000, 2))
SUITES = availability("2027-01-17", "2027-01-19", offer("SUITE", 181_800, 2, board="RO"))


def mixed(*codes: str) -> dict[str, Any]:
    parts = [offer(code, 70_200, 2) for code in codes]
    return {"parts": parts, "rooms": 2, "sleeps": 4, "total_agorot": 140_400, "per_night_agorot": 70_200}


MIXES = availability("2027-01-17", "2027-01-19", combinations=[mixed("DBL", "DLX"), mixed("DBL", "TRP")])


@table(
    ("data", "slots", "needs"),
    [
        (FREE, {}, "which room, the guest's name"),
        (MIXES, {}, "which room, the guest's name"),
        (TWO_RATES, {}, "which of the offers, the guest's name"),
        (TWO_RATES, {"chosen": True}, "the guest's name"),
        (SUITES, {}, "the guest's name"),
    ],
)
def test_what_is_needed_to_book_names_all_that_is_open(data: Any, slots: dict[str, Any], needs: str) -> None:
    view = by_model(answered(ASKED["en"], [looked_up(data)]), **slots)
    told = catalogue(view).shown()["next.1"]
    assert told == f"To book, tell me {needs} and an e-mail address or phone number."


LONGER = availability(
    "2027-01-17", "2027-01-20",
    offer("DBL", 93_600, 3, board="RO"), offer("DBL", 117_000, 3), offer("DBL", 153_000, 3, board="HB"),
    offer("SUITE", 290_000, 3, board="RO"),
)  # fmt: skip


def test_a_stay_instead_can_be_told_with_each_board_and_in_each_room_that_was_looked_for() -> None:
    """Those looked up later for half board and for a suite too, of the same dates."""
    of_board = {**LONGER, "offers": [each for each in LONGER["offers"] if each["board"] == "HB"]}
    of_suite = {**LONGER, "offers": [each for each in LONGER["offers"] if each["room_type"] == "SUITE"]}
    half = ("half", "get_availability", {**looked_up(LONGER)[2], "board": "HB"}, of_board)
    suite = ("suite", "get_availability", {**looked_up(LONGER)[2], "room_type": "suite"}, of_suite)
    instead = dict.fromkeys(("longer", "half", "suite"), "check_availability")
    view = answered(ASKED["en"], [looked_up(FULL), looked_up(LONGER, "longer"), half, suite], instead_of=instead)

    made = catalogue(view)

    lines = {name: text for name, text in made.shown().items() if name.startswith("s1.a1")}
    assert list(lines) == ["s1.a1.line", "s1.a1.lowest.BB", "s1.a1.lowest.HB", "s1.a1.lowest.SUITE"]
    assert "Double Room, half board" in lines["s1.a1.lowest.HB"]
    assert "Sea Front Suite" in lines["s1.a1.lowest.SUITE"]
    said, _ = through(view, "{{difference:s1.a1.lowest.HB-s1.a1.lowest.BB}}")
    assert "360 NIS more" in said
    said, _ = through(view, "- {{s1.a1.lowest.HB}}")
    assert "from 936 NIS" not in said


def test_what_is_added_of_a_stay_names_it() -> None:
    later = {**FREE, "check_in": "2027-01-20", "check_out": "2027-01-22"}
    view = answered("17-19 or 20-22 January 2027, what is the sum?", [looked_up(FREE), looked_up(later, "b")])
    written = "{{s1}}:\n- {{s1.lowest}}\n{{s2}}:\n- {{s2.lowest}}\n{{sum:s1.lowest+s2.lowest}}"

    said, _ = through(view, written)

    flexible = (
        "With free cancellation until Thursday 14 January 2027: from 780 NIS (Double Room, room only), from 960 NIS"
    )
    rest = " (Double Room, breakfast included)."
    assert f"\n\n17–19 January 2027:\n{flexible}{rest}\n20–22 January 2027:\n{flexible}" in said
    assert said.count("Sunday 17 January – Tuesday 19 January 2027, 2 nights") == 1
    only_one, _ = through(view, "{{s1}}:\n- {{s1.lowest}}\n{{difference:s2.lowest-s1.lowest}}")
    assert flexible in only_one
    assert "20–22 January 2027:\nWith free" not in only_one


@pytest.mark.parametrize(
    ("language", "until", "says"),
    [
        ("en", "2027-01-26", ""),
        ("en", "2027-01-25", "(900 NIS) for 1 night: 198 NIS more than Double Room, "),
        ("he", "2027-01-25", "(900 ש״ח) עבור לילה אחד לעומת חדר זוגי, "),
    ],
)
def test_a_difference_of_unlike_stays_says_of_how_many_nights_each_is(language: str, until: str, says: str) -> None:
    other = availability("2027-01-24", until, offer("DBL", 90_000, 1 if says else 2, board="RO"))
    view = answered(ASKED[language], [looked_up(FREE), looked_up(other, "second")], language=language)
    said, _ = through(view, "{{difference:s2.o1.line-s1.o1.line}}")
    assert says in said
    assert ("(702 NIS) for 2 nights." in said or "(702 ש״ח) עבור שני לילות" in said) is bool(says)


@table(
    ("text", "written", "is_owed"),
    [
        ("How much is a room for two, 17-19 January 2027?", "{{s1}}:\n- {{s1.o6.line}}", True),
        ("כמה עולה חדר לזוג, 17-19 בינואר 2027?", "{{s1}}:\n- {{s1.o6.line}}", True),
        ("How much is a room for two, 17-19 January 2027?", "{{s1}}:\n- {{s1.o1.line}}\n- {{s1.o6.line}}", False),
        ("How much is the suite for two, 17-19 January 2027?", "{{s1}}:\n- {{s1.o6.line}}", False),
        ("A room for two, 17-19 January 2027", "{{s1}}:\n- {{s1.o6.line}}", False),
    ],
)
def test_the_lowest_is_told_where_a_price_is_asked_and_a_dearer_one_stands(
    text: str, written: str, is_owed: bool
) -> None:
    language = "he" if "כמה" in text else "en"
    said, _ = through(answered(text, [looked_up(FREE)], language=language), written)
    assert ("The lowest price: Double Room" in said or "המחיר הנמוך ביותר: חדר זוגי" in said) is is_owed


@pytest.mark.parametrize(
    ("language", "says"), [("en", "The highest of the lowest prices"), ("he", "הגבוה מבין המחירים הנמוכים")]
)
def test_the_dearest_of_a_search_is_told_where_all_is_known_as_a_price_from(language: str, says: str) -> None:
    stays = [open_stay(3, 40_000), open_stay(5, 35_000)]
    view = answered(ASKED[language], [search("open", *stays, limit=6)], language=language)
    said, gate = through(view, "{{open1.highest}}\n{{open1.more}}")
    assert gate.refused == []
    assert says in said
    assert "400" in gate.catalogue.by_id["open1.highest"].text
    assert {"en": "In all 2 such stays are free, from 350", "he": "בסך הכול פנויות 2 שהיות כאלה"}[language] in said
    cut = answered(ASKED[language], [search("open", *stays, limit=2)], language=language)
    assert not {"open1.highest", "open1.more"} & catalogue(cut).by_id.keys()


def test_a_topic_whose_later_sentence_is_named_first_is_called_once() -> None:
    view = answered(ASKED["en"], [info("meals")])
    said, gate = through(view, "Meals: {{meals.3}} {{meals.1}} {{meals.2}} {{meals.4}}")
    assert gate.refused == []
    assert said.startswith("Meals and restaurant: Room only")
    assert "Meals:" not in said
