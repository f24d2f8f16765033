"""Conversations with the demo hotel in which the last message means what the answers before it showed."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hotel_runs import TODAY, asked
from langgraph.checkpoint.memory import InMemorySaver
from runs import Run, compiled, human, on_thread, run

import wavegraph
from wavegraph.tools.hotel.domain import hotel_domain

ME = "Dana Levi, dana@example.com"
JANUARY = {"check_in": "2027-01-17", "check_out": "2027-01-19"}
Talk = Callable[..., Run]


@dataclass(frozen=True)
class Case:
    id: str
    turns: tuple[str, ...]
    tool: str = ""
    """Of the last turn's first call; empty = nothing is looked up."""
    args: dict[str, Any] = field(default_factory=dict)
    says: str = ""


CASES = (
    Case("third room", ("January 17-19 for 2", "the third one"), "get_availability", {**JANUARY, "room_type": "DLX"}),
    Case("option 2", ("January 17-19 for 2", "option 2, please"), "get_availability", {"room_type": "TRP"}),
    Case("the third in Hebrew", ("17-19 בינואר, זוג", "השלישי"), "get_availability", {"room_type": "DLX"}),
    Case("the second in Hebrew", ("17-19 בינואר, זוג", "את השני בבקשה"), "get_availability", {"room_type": "TRP"}),
    Case("number 3", ("17-19 בינואר, זוג", "מספר 3"), "get_availability", {"room_type": "DLX"}),
    Case("breakfast of the stay", ("January 17-19 for 2", "breakfast"), "get_availability", {**JANUARY, "board": "BB"}),
    Case("breakfast of no stay", ("breakfast",), "get_hotel_info", {"topic": "breakfast"}),
    Case(
        "the difference of the rates",
        ("January 17-19 for 2, a double", "what's the difference if we want to be able to cancel?"),
        "get_availability",
        {**JANUARY, "room_type": "DBL"},
    ),
    Case("the total", ("January 17-19 for 2, a double", "ok so whats the total"), "get_availability", JANUARY),
    Case("together in Hebrew", ("17-19 בינואר, זוג", "כמה זה ביחד?"), "get_availability", JANUARY),
    Case("a high floor", ("17-19 בינואר, זוג", "אם אפשר קומה גבוהה"), "get_availability", JANUARY),
    Case("the night after", ("ב-17 בינואר, זוג", "ו18?"), "get_availability", {"check_in": "2027-01-18"}),
    Case("in a day by one letter", ("חדר לזוג בט' באדר",), "get_availability", {"check_in": "2027-03-18"}),
    Case("its prices", ("what are the spa hours", "and prices?"), "get_hotel_info", {"topic": "spa"}),
    Case("they think it over", ("17-19 בינואר, זוג", "אוקיי נחשוב ונחזור אליך תודה")),
    Case(
        "a bare number of a booking",
        ("אני רוצה לבטל את ההזמנה שלי", "90331 כהן"),
        "cancel_booking",
        {"reference": "90331", "surname_or_email": "כהן"},
    ),
    *(
        Case("a place in the list", (turns, place), "get_availability", {"room_type": room})
        for turns, place, room in (
            ("January 17-19 for 2", "the last on the list", "DLX"),
            ("17-19 בינואר, זוג", "האחרון", "DLX"),
            ("17-19 בינואר, זוג", "את האחרון ברשימה", "DLX"),
        )
    ),
    *(
        Case("a surname whose half is a word", (turns, book, name), says=asks)
        for turns, book, name, asks in (
            ("January 17-19 for 2", "book the first one", "Noa Bar-On", "e-mail address or phone number can the hotel reach the guest at?"),
            ("January 17-19 for 2", "book the first one", "Yael Even-Tov", "e-mail address or phone number can the hotel reach the guest at?"),
            ("17-19 בינואר, זוג", "תזמינו את הראשון", "נועה בר-און", "באיזו כתובת דוא״ל"),
            ("17-19 בינואר, זוג", "תזמינו את הראשון", "דוד בן-שבת", "באיזו כתובת דוא״ל"),
        )
    ),
    Case("no fourth", ("January 17-19 for 2", "the fourth one"), says="Which of the options listed do you mean?"),
    Case(
        "a board of one room, on either terms",
        ("January 17-19 for 2, the triple", "the second one"),
        "get_availability",
        {"room_type": "TRP", "board": "BB"},
        "- Triple Room, garden view, one double bed and one single bed, breakfast included: 990 NIS in total (495 NIS per night), non-refundable; or 1,100 NIS, free cancellation",
    ),
    Case(
        "after a question in between",
        ("January 17-19 for 2", "is there parking?", "the third one"),
        "get_availability",
        {**JANUARY, "room_type": "DLX"},
    ),
    Case(
        "of the stays instead of a full one",
        ("Hanukkah for 2", "the second one"),
        "get_availability",
        {"check_in": "2026-12-09", "check_out": "2026-12-12"},
    ),
    Case(
        "the cheapest of the stays instead of a full one",
        ("double room for 2 adults 24-26 December 2026", "the cheapest of these"),
        "get_availability",
        {"check_in": "2026-12-24", "check_out": "2026-12-25"},
    ),
    Case(
        "the dearest of them",
        ("double room for 2 adults 24-26 December 2026", "the most expensive one"),
        "get_availability",
        {"check_in": "2026-12-23", "check_out": "2026-12-25"},
    ),
    Case(
        "of a search",
        ("cheapest 3 nights in January for 2", "the second one"),
        "get_availability",
        {"check_in": "2027-01-25", "check_out": "2027-01-28"},
    ),
    Case(
        "the rest is what was left out",
        ("January 17-19 for 2", "show me the rest"),
        "get_availability",
        JANUARY,
        "- Sea Front Suite, sea front, top floor, one king-size bed: 1,818 NIS",
    ),
    Case(
        "the rest of the cheapest is all the others",
        ("cheapest room January 17-19 for 2", "show me the rest"),
        "get_availability",
        JANUARY,
        "2 nights:\n- Triple Room, garden view, one double bed and one single bed: 828 NIS",
    ),
    Case(
        "the rest of a list that left nothing out",
        ("January 17-19 for 2, the triple", "show me the rest"),
        "get_availability",
        {"room_type": "TRP"},
        "- Triple Room, half board: 1,422 NIS in total (711 NIS per night), non-refundable; or 1,580 NIS, free cancellation\n",
    ),
    Case("of the rest", ("January 17-19 for 2", "show me the rest", "the first one"), "get_availability", {"room_type": "FAM"}),
    Case(
        "more of a search",
        ("cheapest 3 nights in January for 2", "show me more", "number 5"),
        "get_availability",
        {"check_in": "2027-01-03", "check_out": "2027-01-06"},
    ),
    Case(
        "what was searched is said",
        ("cheapest 3 nights in January for 2",),
        "find_open_stays",
        {"order": "cheapest"},
        "The cheapest 3 nights between Friday 1 January 2027 and Monday 1 February 2027 (29 arrivals checked):\n"
        "- Monday 4 January – Thursday 7 January 2027, 3 nights: from 1,044 NIS",
    ),
    Case(
        "a search ends in one question",
        ("cheapest 3 nights in January for 2",),
        "find_open_stays",
        says="non-refundable\n\nWhich of these dates would suit you?",
    ),
    Case(
        "a budget decides what is shown",
        ("2 nights on weekdays in February under 690, 2 adults",),
        "find_open_stays",
        {"order": "cheapest"},
        "Within your budget of 690 NIS for the stay:\n- Monday 1 February",
    ),
    Case(
        "the closest to a budget",
        ("2 nights on weekdays in February under 500, 2 adults",),
        "find_open_stays",
        {"order": "cheapest"},
        "Nothing at or under 500 NIS for the stay; the closest is 684 NIS, 184 NIS more:",
    ),
    Case(
        "nothing in the period",
        ("2 nights midweek in Hanukkah for 40 adults in 20 rooms",),
        "find_open_stays",
        {"sleep_on": ["mon", "tue", "wed", "sat", "sun"]},
        "Nothing is free for 2 nights between",
    ),
    Case(
        "a stay is searched at the price of the rooms that it then offers",
        ("סוף השבוע הכי זול בינואר לזוג",),
        "find_open_stays",
        says="1,179 ש״ח",
    ),
    Case("nothing at all is no dead end", ("15 to 16 January, 2 adults, full board",), tool="get_availability", says="Which other dates might suit you? Reception can help too: +972-4-555-0142"),
    Case("a search in vain goes on", ("שבת פנויה בינואר, שישי-שבת, זוג + 4 ילדים (12, 10, 7, 3)",), tool="find_open_stays", says="שני לילות, מיום שישי, 1 בינואר"),
    *(
        Case("only breakfast", (turns, only), "get_availability", {**JANUARY, "board": "BB"}, "1")
        for turns, only in (
            ("January 17-19 for 2, half pension", "ok what if we take only breakfast"),
            ("17-19 בינואר, זוג, חצי פנסיון", "ואם נוותר על ארוחת הערב, רק בוקר?"),
        )
    ),
    *(
        Case("the list's second", (turns, second), "get_rooms_info", {"room_type": "TRP"})
        for turns, second in (
            ("January 17-19 for 2", "the second in the list, what's in it?"),
            ("17-19 בינואר, זוג", "השני ברשימה, מה יש בו?"),
        )
    ),
    *(
        Case("what two rooms differ in", (turns, asked_of), "get_rooms_info")
        for turns, asked_of in (
            ("January 17-19 for 2", "whats the dif between the triple and the suite"),
            ("17-19 בינואר, זוג, חדר לשלושה", "ומה ההבדל בינו לבין הסוויטה?"),
        )
    ),
    *(
        Case("paid at once", (turns, now), "get_hotel_info", {"topic": "cancellation"})
        for turns, now in (
            ("January 17-19 for 2", "Is it cheaper if we pay now?"),
            ("17-19 בינואר, זוג", "זה יותר זול אם משלמים מראש?"),
        )
    ),
    *(
        Case("something in the room", (turns, wish), "get_hotel_info")
        for turns, wish in (
            ("January 17-19 for 2, a double", "Can you put some flowers in the room?"),
            ("17-19 בינואר, זוג, חדר זוגי", "אפשר לשים פרחים בחדר?"),
        )
    ),
    *(
        Case("cheaper for the same guests on the same days", (turns, less), "get_availability", {**JANUARY, "rooms": 2})
        for turns, less in (
            ("family suite January 17-19, 2 adults, kids 9 and 7", "something cheaper for us? two rooms maybe"),
            ("סוויטה משפחתית 17-19 בינואר, זוג וילדים 9 ו-7", "יש משהו זול יותר? אולי שני חדרים"),
        )
    ),
    *(
        Case("without weekends", (turns, right), "find_open_stays", {"sleep_on": ["mon", "tue", "wed", "sat", "sun"]})
        for turns, right in (
            ("cheapest 3 nights in January for 2", "not including weekends, right?"),
            ("3 הלילות הכי זולים בינואר לזוג", "לא כולל סופי שבוע, כן?"),
        )
    ),
    Case("they talk it over", ("January 17-19 for 2", "thanks, I'll talk to my wife and come back to you")),
    Case("they talk it over in Hebrew", ("17-19 בינואר, זוג", "תודה, אתייעץ עם אשתי ואחזור אליכם")),
    Case(
        "the cheapest on their terms is booked",
        ("January 17-19 for 2", "ok i take the cheapest flexible one with breakfast"),
        says="I need the guest's name",
    ),
    Case("which of several", ("2 nights midweek in January for 2", "book it"), says="Which of the options listed do you mean?"),
)  # fmt: skip


@pytest.fixture
def talk(data_dir: Path) -> Talk:
    graph = compiled(hotel_domain(data_dir), checkpointer=InMemorySaver())

    def say(text: str) -> Run:
        return run(graph, human(text), on_thread(), context={"today": TODAY})

    return say


def held(case: Case, ended: Run) -> None:
    calls = list(ended["results"].values())
    assert [call["tool"] for call in calls][:1] == ([case.tool] if case.tool else [])
    assert {name: calls[0]["args"].get(name) for name in case.args} == case.args if calls else not case.args
    assert case.says in ended["answer"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_on_a_thread_and_as_plain_messages(case: Case, talk: Talk, data_dir: Path) -> None:
    history: list[tuple[str, str]] = []
    for text in case.turns[:-1]:
        history += [("user", text), ("assistant", talk(text)["answer"])]

    held(case, talk(case.turns[-1]))
    held(case, asked(data_dir, case.turns[-1], history=history))


@pytest.mark.parametrize("between", [[], ["hello"], ["thanks", "hello"]], ids=str)
def test_the_rooms_that_were_offered_are_known_after_small_talk(between: list[str], talk: Talk) -> None:
    for text in ("January 17-19 for 2", *between):
        talk(text)

    dearest = Case("", (), "get_availability", {**JANUARY, "room_type": "SUITE"})
    held(dearest, talk("the most expensive room"))


@pytest.fixture
def desk(database: Path) -> Callable[..., Any]:
    """Says one thing after the other on one thread of a hotel of its own; gives the last result and the bookings."""
    graph = compiled(hotel_domain(database.parent), checkpointer=InMemorySaver())

    def say(*texts: str) -> tuple[Any, list[str]]:
        async def all_of_them() -> Any:
            return [await wavegraph.run(graph, text, thread_id="t", settings={"today": TODAY}) for text in texts][-1]

        last = asyncio.run(all_of_them())
        with closing(sqlite3.connect(database)) as file:
            rows = file.execute("SELECT status FROM booking WHERE status IN ('confirmed', 'cancelled')")
            return last, [status for (status,) in rows]

    return say


BOOKED = ("January 17-19 for 2", f"book the double, {ME}", "yes")
BOOKED_HE = ("17-19 בינואר, זוג", "תזמינו את הזוגי, דנה לוי, 050-1234567", "כן")


def test_is_it_booked_before_a_yes_and_after_it(desk: Callable[..., Any]) -> None:
    waiting, none = desk(*BOOKED[:2], "is it booked?")
    assert none == []
    assert waiting.answer.startswith("No, nothing is booked yet.")
    assert waiting.question

    done, bookings = desk("yes", "did you book it?")
    assert bookings == ["confirmed"]
    assert "is confirmed:" in done.answer


@pytest.mark.parametrize(
    ("turns", "yes"),
    [
        ((*BOOKED, "cancel that"), "yes"),
        ((*BOOKED, "actually, please cancel it"), "yes"),
        ((*BOOKED, "is there parking?", "cancel the booking"), "yes"),
        ((*BOOKED_HE, "תבטלו את זה"), "כן"),
    ],
)
def test_what_was_just_booked_is_cancelled_without_its_number_but_not_without_a_yes(
    desk: Callable[..., Any], turns: tuple[str, ...], yes: str
) -> None:
    waiting, bookings = desk(*turns)
    assert bookings == ["confirmed"]
    assert waiting.question

    _, bookings = desk(yes)
    assert bookings == ["cancelled"]


@pytest.mark.parametrize(
    ("turns", "yes"),
    [
        (BOOKED[:2], "Yes, confirm please. Thank you so much!"),
        (BOOKED[:2], "excellent, I confirm the terms"),
        (BOOKED[:2], "yes pls book"),
        (BOOKED_HE[:2], "מעולה, מאשר/ת את התנאים"),
        (BOOKED_HE[:2], "אישור"),
        (BOOKED_HE[:2], "כן, תסגרו לנו את ההזמנה"),
    ],
)
def test_a_yes_in_other_words_is_one(desk: Callable[..., Any], turns: tuple[str, ...], yes: str) -> None:
    assert desk(*turns, yes)[1] == ["confirmed"]


@pytest.mark.parametrize(
    ("turns", "refundable"),
    [
        (("January 17-19 for 2", f"book the double, the cheaper one even if there is no cancellation, {ME}"), False),
        (("17-19 בינואר, זוג", "תזמינו את הזוגי, הזול גם אם אין ביטול, דנה לוי, 050-1234567"), False),
        (("January 17-19 for 2", f"book the cheapest double, {ME}"), False),
        (("17-19 בינואר, זוג", "נא להזמין את הזוגי הכי זול, דנה לוי, 050-1234567"), False),
        (("January 17-19 for 2", f"book the double, {ME}"), True),
    ],
)
def test_no_cancellation_only_where_it_or_the_cheapest_is_asked_for(
    desk: Callable[..., Any], turns: tuple[str, ...], refundable: bool
) -> None:
    waiting, none = desk(*turns)
    assert none == []
    assert waiting.question["terms"]["quote"]["refundable"] is refundable


@pytest.mark.parametrize(
    ("wish", "yes", "name"),
    [
        ("Please book a double, 6 to 8 December 2026, 2 adults, breakfast. Alan and Mia Brown, 07700 900123", "yes book it", "Alan and Mia Brown"),
        ("נא להזמין חדר זוגי 6-8 בדצמבר 2026 לשני מבוגרים, לינה וארוחת בוקר. דנה לוי 0525550163", "כן תזמינו", "דנה לוי"),
    ],
)  # fmt: skip
def test_a_yes_to_the_one_other_stay_is_asked_about_with_its_terms(
    desk: Callable[..., Any], wish: str, yes: str, name: str
) -> None:
    refused, _ = desk(wish)
    assert not refused.question
    waiting, none = desk(yes)
    assert none == []
    terms = waiting.question["terms"]
    assert (terms["quote"]["check_in"], terms["guest"]["name"]) == ("2026-12-07", name)


@pytest.mark.parametrize(
    "unclear",
    [
        "ok perfect then, is it booked?",
        "I confirm the terms?",
        "מאשר/ת אם יש ביטול",
        "confirm the other one",
        "is it booked?",
        "hmm",
        "agree if it is cheaper",
        "סגור בשבת?",
        "the third one",
        "not yet",
        "too expensive",
        "השלישי",
        "show me the rest",
    ],
)
def test_nothing_unclear_is_a_yes(desk: Callable[..., Any], unclear: str) -> None:
    assert desk(*BOOKED[:2], unclear)[1] == []


@pytest.mark.parametrize(
    ("correction", "ends"),
    [("actually 3 nights", ("2027-01-17", "2027-01-20")), ("no, I meant February", ("2027-02-17", "2027-02-19"))],
)
def test_a_yes_after_a_correction_is_to_the_corrected_terms(
    desk: Callable[..., Any], correction: str, ends: tuple[str, str]
) -> None:
    asked_again, none = desk(*BOOKED[:2], correction)
    terms = asked_again.question["terms"]["quote"]
    assert none == []
    assert (terms["check_in"], terms["check_out"]) == ends

    done, bookings = desk("yes")
    assert bookings == ["confirmed"]
    made = done.results["create_booking"]["data"]
    assert (made["check_in"], made["check_out"]) == ends


def test_a_search_is_booked_once_and_as_it_was_shown(desk: Callable[..., Any]) -> None:
    found, _ = desk("cheapest 3 nights in January for 2")
    waiting, none = desk("book it", ME)
    assert none == []
    terms = waiting.question["terms"]["quote"]
    assert (terms["check_in"], terms["check_out"], terms["total_agorot"]) == ("2027-01-04", "2027-01-07", 104_400)
    assert "1,044 NIS" in found.answer
    assert "non-refundable" in waiting.question["text"]

    assert desk("yes", "yes", "book it")[1] == ["confirmed"]


@pytest.mark.parametrize(
    ("turns", "line"),
    [
        (
            ("2 adults, kids 10 and 13, January 17-19", "and with breakfast?"),
            "At 13 the adult price applies; it is included.",
        ),
        (("17-19 בינואר, זוג וילדים בני 10 ו-13", "ועם ארוחת בוקר?"), "בגיל 13 משלמים מחיר של מבוגר, והוא כלול."),
    ],
)
def test_a_child_who_pays_as_an_adult_is_told_once(desk: Callable[..., Any], turns: tuple[str, str], line: str) -> None:
    first, _ = desk(turns[0])
    again, _ = desk(turns[1])
    assert line in first.answer
    assert line not in again.answer


@pytest.mark.parametrize(
    ("turns", "headings"),
    [
        (("4 adults, January 17-19. One room or two?", "two"), ("2 nights in one room:", "2 nights in 2 rooms:", "4 adults in 2 rooms")),
        (("4 מבוגרים 17-19 בינואר, חדר אחד או שניים?", "שניים"), ("(שני לילות) בחדר אחד:", "(שני לילות) בשני חדרים:", "4 מבוגרים בשני חדרים")),
    ],
)  # fmt: skip
def test_one_room_or_two_is_answered_with_both(
    desk: Callable[..., Any], turns: tuple[str, str], headings: tuple[str, str, str]
) -> None:
    both, _ = desk(turns[0])
    assert headings[0] in both.answer
    assert headings[1] in both.answer
    chosen, _ = desk(turns[1])
    assert headings[2] in chosen.answer


@pytest.mark.parametrize(
    "text",
    [
        "cancel WG-7KQ2M9XA, Levi",
        "I want to cancel WG-7KQ2M9XA, my surname is Levi",
        "Cancel number WG-7KQ2M9XA, Levi",
        "לבטל את WG-7KQ2M9XA, לוי",
    ],
)
def test_a_number_behind_cancel_is_to_be_cancelled_and_not_shown(talk: Talk, text: str) -> None:
    assert [call["tool"] for call in talk(text)["results"].values()][:1] == ["cancel_booking"]


@pytest.mark.parametrize(
    ("booked", "cancel", "keep"),
    [
        (BOOKED, "cancel it", "no wait, keep it"),
        (BOOKED, "cancel it", "actually no, leave it"),
        (BOOKED, "cancel it", "sorry, please don't cancel"),
        (BOOKED_HE, "בטל אותה", "לא רגע, תשאירו אותה"),
        (BOOKED_HE, "בטל אותה", "בעצם אל תבטלו"),
    ],
)
def test_a_booking_that_is_to_be_kept_is_not_cancelled_by_a_later_yes(
    desk: Callable[..., Any], booked: tuple[str, ...], cancel: str, keep: str
) -> None:
    waiting, _ = desk(*booked, cancel)
    assert waiting.question["tool"] == "cancel_booking"
    kept, _ = desk(keep)
    assert kept.question is None
    assert desk("yes" if booked is BOOKED else "כן")[1] == ["confirmed"]


@pytest.mark.parametrize(
    ("booked", "text", "another"),
    [
        (BOOKED, "one more night please", "and another room, same dates"),
        (BOOKED, "make it February 17 to 19", "a second room for my parents, January 17-19"),
        (BOOKED_HE, "אפשר עוד לילה?", "עוד חדר לאותם תאריכים"),
    ],
)
def test_a_stay_beside_the_booking_just_made_is_told_to_be_another_one(
    desk: Callable[..., Any], booked: tuple[str, ...], text: str, another: str
) -> None:
    done, _ = desk(*booked)
    reference = done.results["create_booking"]["data"]["reference"]
    beside, bookings = desk(text)
    assert reference in beside.answer.splitlines()[0]
    assert "+972-4-555-0142" in beside.answer.splitlines()[0]
    assert bookings == ["confirmed"]
    assert reference not in desk("half board please" if booked is BOOKED else "חצי פנסיון")[0].answer
    again, _ = desk(*booked)
    assert again.results["create_booking"]["data"]["reference"] not in desk(another)[0].answer
