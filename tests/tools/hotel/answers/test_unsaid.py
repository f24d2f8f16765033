"""What the house's texts say nothing of is told in one true sentence; what any of them speaks of is told by that text."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from desk_views import answered, availability, offer
from tables import table

from wavegraph.graph.answer.gate import Gate
from wavegraph.graph.guard.pieces import pieces
from wavegraph.graph.views import AnswerView
from wavegraph.tools.hotel.inventory.property_data import Topic
from wavegraph.tools.hotel.inventory.topics import hotel_info
from wavegraph.tools.hotel.offline import HotelOffline
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property.seed import demo_property

DEMO = demo_property()
SMALL: Sequence[Topic] = (
    Topic("check_in", "Check-in", "צ׳ק אין", "Check-in from 15:00.", "כניסה מהשעה 15:00.", ("arrival time",)),
    Topic("payment", "Payment", "תשלום", "Credit cards and cash, in shekels.", "כרטיסי אשראי ומזומן, בשקלים.", ("pay", "לשלם")),
    Topic("pool", "Pool", "בריכה", "A pool with a lifeguard and towels.", "בריכה עם מציל ומגבות.", ("swimming",)),
    Topic("laundry", "Laundry", "כביסה", "Washed within a day.", "כביסה תוך יום.", ("washing",)),
    Topic("access", "Accessibility", "נגישות", "A ramp leads to the entrance.", "רמפה מובילה לכניסה.", ("wheelchair",)),
    Topic("meals", "Meals", "ארוחות", "Breakfast and dinner.", "ארוחת בוקר וערב.", ("food", "אוכל", "restaurant")),
)  # fmt: skip
"""A house that says little, and has its reception's telephone."""
NOTHING = {"en": "The house's information says nothing of “{}”.", "he": "במידע של המלון לא נאמר דבר על “{}”."}
LOOKED_AT = availability("2027-01-17", "2027-01-19", offer("DBL", 70_200, 2, board="RO"))
STAY = ("look", "get_availability", {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2}, LOOKED_AT)


def house(topics: Sequence[Topic]) -> HotelOffline:
    rooms = DEMO.rooms if topics is DEMO.topics else ()
    return HotelOffline(lambda _: PropertyProfile(DEMO.record, rooms, topics))


def asked(text: str, *topics: str, of: Sequence[Topic] = SMALL, besides: Sequence[Any] = ()) -> AnswerView:
    """What the house gives on the topics that somebody has planned for a question."""
    found = [(f"info_{each}", hotel_info(DEMO.record, of, each)) for each in topics]
    calls = [(name, "get_hotel_info", {"topic": info.topic}, info.model_dump(mode="json")) for name, info in found]
    return answered(text, [*besides, *calls])


def planned_by_a_model(
    text: str, topics: dict[str, list[int]], *, of: Sequence[Topic] = SMALL, said: Sequence[Any] = ()
) -> AnswerView:
    """The same of a model's plan. `topics`: with the pieces that the calls serve; `said`: the forms of its reply."""
    view = asked(text, *topics, of=of)
    for name, call in view.ledger["calls"].items():
        call["serves"] = topics[name.removeprefix("info_")]
    return replace(view, plan={**view.plan, "planner": "llm", "said": [*said]}, pieces=pieces(text))


STORY = "I'm planning my mum's birthday. Do you do birthday cakes, and can we swim?"
LETTER = "It's our party, and we love the sea. Do you lend skis?"


@pytest.mark.parametrize(
    ("text", "topics", "says"),
    [
        (STORY, {"birthday cakes": [1, 2], "pool": [2]}, "“birthday cakes”"),
        (LETTER, {"ski rental": [1, 2]}, "“Do you lend skis”"),
    ],
)
def test_of_several_pieces_that_a_call_serves_the_one_that_asks_is_quoted(
    text: str, topics: dict[str, list[int]], says: str
) -> None:
    for answer in told(planned_by_a_model(text, topics), SMALL):
        assert says in answer
        assert "planning" not in answer
        assert "we love" not in answer


@pytest.mark.parametrize(
    ("text", "topics", "says"),
    [
        ("We come by car. May we pay in dollars?", {"payment in dollars": [2]}, "“dollars”"),
        ("Is there a pool, and may we swim at night with candles?", {"pool candles": [1, 2]}, "“candles”"),
        ("יש בריכה, מציל, ונרות?", {"pool candles": [1]}, "נרות"),
    ],
)
def test_of_what_a_model_asks_about_the_part_that_stands_in_no_text_is_named(
    text: str, topics: dict[str, list[int]], says: str
) -> None:
    for answer in told(planned_by_a_model(text, topics), SMALL):
        assert says in answer


def told(view: AnswerView, of: Sequence[Topic]) -> tuple[str, str]:
    """The answer of the templates, and that of a writer who leaves out all that may be left out."""
    offline = house(of)
    gate = Gate(offline.statements(view))
    return offline.respond(view), gate.feed("{{hello}}") + gate.rest() + gate.owed()


@table(
    ("text", "topics", "unsaid"),
    [
        ("Can we leave our luggage before check-in?", ["luggage", "check_in"], "luggage"),
        ("Is there luggage storage?", ["luggage storage"], "luggage"),
        ("Is there a lift?", ["lift"], "lift"),
        ("Is there an elevator?", ["elevator"], "elevator"),
        ("may we pay in dollars?", ["payment"], "dollars"),
        ("may we pay in dollars?", ["payment in dollars"], "dollars"),
        ("Do you have food for special diets?", ["meals"], "special diets"),
        ("Do you cater for diets?", ["diets"], "diets"),
        ("Could somebody do some ironing?", ["ironing"], "ironing"),
        ("Is there babysitting?", ["babysitting"], "babysitting"),
        ("אפשר להשאיר מזוודות?", ["luggage"], "מזוודות"),
        ("יש מעלית?", ["lift"], "מעלית"),
        ("אפשר לשלם בדולרים?", ["payment"], "בדולרים"),
        ("יש אוכל לדיאטה?", ["meals"], "לדיאטה"),
        ("יש גיהוץ?", ["iron"], "גיהוץ"),
    ],
)  # fmt: skip
def test_what_no_text_says_is_told_in_the_guests_words_and_whom_to_ask(
    text: str, topics: list[str], unsaid: str
) -> None:
    view = asked(text, *topics)
    for answer in told(view, SMALL):
        assert answer.count(NOTHING[view.request["language"]].format(unsaid)) == 1, answer
        assert answer.count(DEMO.record.phone) == 1


@table(
    ("text", "topics", "says"),
    [
        ("Is there a lifeguard?", ["lifeguard"], ["A lifeguard is on duty", "with lifeguards from May"]),
        ("Are there towels at the pool?", ["pool towels"], ["Towels, chairs and umbrellas", "Heated indoor pool"]),
        ("Do you have a cot?", ["cot"], ["Cots and high chairs are free"]),
        ("Is the bar open?", ["bar"], ["at the pool bar", "terrace of the bar"]),
        ("Do you have a lift?", ["lift"], ["Step-free entrance, lifts"]),
        ("Can we leave our luggage?", ["luggage"], ["Luggage can be left at reception"]),
        ("Is there a kettle?", ["kettle"], ["Kettle and coffee corner: Double Room and Triple Room."]),
        ("יש מציל?", ["lifeguard"], ["מציל במקום", "עם מצילים ממאי"]),
        ("יש מגבות?", ["towels"], ["מגבות, כיסאות ושמשיות"]),
        ("יש עריסה לתינוק?", ["cot"], ["עריסות וכיסאות אוכל"]),
        ("אפשר להשאיר את המזוודות?", ["luggage"], ["להשאיר מזוודות בקבלה"]),
        ("יש קומקום?", ["kettle"], ["קומקום"]),
    ],
)  # fmt: skip
def test_what_stands_in_the_text_of_another_topic_is_told_by_that_text(
    text: str, topics: list[str], says: list[str]
) -> None:
    for answer in told(asked(text, *topics, of=DEMO.topics), DEMO.topics):
        assert [words for words in says if words not in answer] == [], answer
        assert "says nothing of" not in answer
        assert "לא נאמר דבר" not in answer


@pytest.mark.parametrize("text", ["אפשר לבטל הזמנה?", "Can I cancel a booking?"])
def test_what_the_text_that_is_told_is_about_is_not_said_to_be_unknown(text: str) -> None:
    for answer in told(asked(text, "cancellation", of=DEMO.topics), DEMO.topics):
        assert "10" in answer or "ten per cent" in answer or "עשרה אחוזים" in answer
        assert "says nothing of" not in answer
        assert "לא נאמר דבר" not in answer


def test_a_text_that_a_word_stands_in_is_told_with_what_stands_nowhere() -> None:
    [answer, written] = told(asked("May we pay in dollars?", "payment"), SMALL)
    assert answer.startswith("Payment: Credit cards and cash, in shekels.")
    assert "Credit cards and cash, in shekels." in written


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("A double for two January 17-19, and may we pay in dollars?", "dollars"),
        ("חדר זוגי 17-19 בינואר לזוג, ואפשר לשלם בדולרים?", "בדולרים"),
        ("Is a double free on Purim weekend, and may we pay by card?", ""),
        ("Could the Cohens and the Levis have a double January 17-19?", ""),
    ],
)
def test_beside_a_stay_only_the_questions_about_what_was_told_count(text: str, unsaid: str) -> None:
    view = asked(text, "payment", of=[*SMALL, Topic("cards", "Cards", "", "By card.", "")], besides=[STAY])
    for answer in told(view, SMALL):
        nothing = NOTHING[view.request["language"]]
        assert (nothing.format(unsaid) in answer) if unsaid else (nothing.partition("“")[0] not in answer)


def test_hebrew_words_are_not_missed_in_a_house_that_writes_english_alone() -> None:
    english = [topic._replace(title_he="", text_he="") for topic in SMALL if topic.topic == "pool"]
    for answer in told(asked("יש מגלשה בבריכה?", "pool", of=english), english):
        assert "לא נאמר דבר" not in answer


def test_what_a_call_says_is_nowhere_is_in_its_result() -> None:
    assert hotel_info(DEMO.record, SMALL, "pay in dollars").unsaid == ["dollars"]
    assert hotel_info(DEMO.record, SMALL, "pool towels").unsaid == []
    assert not hotel_info(DEMO.record, SMALL, "dollars").found


@table(
    ("text", "topics", "unsaid"),
    [
        ("Do you have a pool and a tennis court?", {"pool": [1], "tennis court": [1]}, "tennis court"),
        ("Is there a pool? Do you have a tennis court?", {"pool": [1], "tennis court": [2]}, "tennis court"),
        ("Is there a pool? May we land by helicopter at night, all of us together?", {"pool": [1], "helicopter": [2]},
         "May we land by helicopter at night, all…"),
        ("Is there a pool? May we bring a parrot?", {"pool": [1], "birds": [2]}, "May we bring a parrot"),
        ("יש בריכה? אפשר להביא תוכי?", {"pool": [1], "birds": [2]}, "אפשר להביא תוכי"),
        ("May we bring a parrot?", {"birds": [1], "aviary": [1]}, "May we bring a parrot"),
        ("Is the little pool heated?", {"pool": [1], "little": [1]}, ""),
        ("Is the pool open in January?", {"pool": [1], "January": [1]}, ""),
        ("Do both have a pool?", {"pool": [1], "both": [1]}, ""),
        ("Is there a pool?", {"pool": [1], "birds": [1]}, ""),
    ],
)  # fmt: skip
def test_a_topic_that_a_model_has_made_up_is_told_in_the_guests_words(
    text: str, topics: dict[str, list[int]], unsaid: str
) -> None:
    view = planned_by_a_model(text, topics)
    nothing = NOTHING[view.request["language"]]
    for answer in told(view, SMALL):
        wanted = nothing.removesuffix(".") if unsaid else nothing.partition("“")[0]
        assert (wanted.format(unsaid) in answer) == bool(unsaid), answer


def test_what_a_form_of_the_reply_answers_is_not_told_to_be_unknown_too() -> None:
    text = "Is there a pool? Get us two tickets for the opera on January 17."
    form = {"say": "cannot", "thing": "arrange", "quote": "Get us two tickets for the opera on January 17"}
    topics = {"pool": [1], "opera tickets": [2]}
    for answer in told(planned_by_a_model(text, topics, said=[form]), SMALL):
        assert "says nothing of" not in answer
    for answer in told(planned_by_a_model(text, topics), SMALL):
        assert "says nothing of" in answer
