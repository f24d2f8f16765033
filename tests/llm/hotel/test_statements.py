"""A model that writes around the hotel's statements: what a guest reads, and what a watcher of the stream sees."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from endpoint import Endpoint, Turn, answers
from hotel_plans import about, plan, stay
from plans import ask, call, judged

from wavegraph import AnswerView, Sayable, build_graph
from wavegraph.prompts import render
from wavegraph.tools.hotel.domain import hotel_domain

TODAY = "2026-11-20"
REQUEST = "A room for two, January 17-19, and is there parking?"
LINE = "Double Room, room only: 702 NIS in total (351 NIS per night), non-refundable"
LISTED = "Double Room, garden view, one double bed or two single beds: 702 NIS in total (351 NIS per night), non-refundable; "
OTHER = "Double Room, room only: 780 NIS in total (390 NIS per night), free cancellation until Friday 15 January 2027"
STAY = "Sunday 17 January – Tuesday 19 January 2027, 2 nights, for 2 adults"
PARKING = "Free outdoor parking for hotel guests, one car per room, no booking needed."
CHARGERS = "Two electric car chargers at 2 NIS per kWh."
FLEXIBLE = (
    "With free cancellation until Friday 15 January 2027: from 780 NIS (Double Room, room only), from 960 NIS (Double Room, breakfast included), "
    "from 1,440 NIS (Double Room, half board)."
)
OWED = f"{FLEXIBLE}\nParking: {PARKING} {CHARGERS}"
DOUBLE = "non-refundable, 17–19 January 2027"
APART = f"Double Room, breakfast included, {DOUBLE} (864 NIS): 162 NIS more than Double Room, room only, {DOUBLE} (702 NIS)."
EACH = f"Double Room, room only, {DOUBLE} (702 NIS) ÷ 2 = 351 NIS each."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("houses")


@pytest.fixture
def graph(folder: Path, endpoint: Endpoint) -> Any:
    return build_graph(hotel_domain(folder)).compile()


def looked_up() -> Turn:
    parking = about("parking")
    return plan(stay("january", "2027-01-17", "2027-01-19"), parking)


async def test_events_tell_what_a_guest_reads_and_no_more(graph: Any, endpoint: Endpoint) -> None:
    endpoint.plays(looked_up(), answers("{{gladly}} On {{s1}}:\n- {{s1.o1.line}}\n{{parking.1}}"))
    context = {"today": TODAY, "answer_check": "rules"}
    events = graph.astream_events({"messages": [("user", REQUEST)]}, context=context, version="v2")
    kept = [each async for each in events]
    told = [str(each["data"]["chunk"].text) for each in kept if each["event"] == "on_chat_model_stream"]
    assert "".join(told) == kept[-1]["data"]["output"]["answer"]


WRITTEN = {
    "with ids": (
        "{{gladly}} On {{s1}}:\n- {{s1.o1.line}}\nParking: {{parking.1}} {{parking.2}}\n{{ask_which}}",
        f"Happy to help. On {STAY}:\n- {LINE}\nParking: {PARKING} {CHARGERS}\n\n{FLEXIBLE}\n\nWhich of these would you like?",
    ),
    "letter for letter": (
        f"**{STAY}**\n* {LINE}\n\n{PARKING} {CHARGERS} {FLEXIBLE}",
        f"{STAY}\n- {LINE}\n\n{PARKING} {CHARGERS} {FLEXIBLE}",
    ),
    "a lie among them": (
        "On {{s1}}: {{s1.o1.line}}.\nBreakfast is free. {{parking.1}} The pool is heated.\n{{parking.2}} {{s1.flexible}}",
        f"On {STAY}: {LINE}.\n{PARKING} {CHARGERS}\n{FLEXIBLE}",
    ),
    "a lie about one": (
        "{{s1}}:\nThe nicest is {{s1.o1.line}}.",
        f"{STAY}:\n- {LINE}\n\n{OWED}",
    ),
    "parts of an offer": (
        "On {{s1}} the {{s1.o1.room}} costs {{s1.o1.price}}, {{s1.o1.terms}}.\nThe {{s1.o2.room}} is lovely.",
        f"On {STAY} the {LINE.replace(': ', ' costs ')}.\n- {OTHER}\n\nParking: {PARKING} {CHARGERS}",
    ),
    "what is worked out": (
        "{{s1}}:\n- {{s1.o1.line}}\n{{difference:s1.lowest.BB-s1.o1.line}} {{share:s1.o1.price/2}}\n- {{s1.o2.line}}\n{{ask_which}}",
        f"{STAY}:\n- {LINE}\n{APART} {EACH}\n- {OTHER}\n\nParking: {PARKING} {CHARGERS}\n\nWhich of these would you like?",
    ),
    "thoughts": ("<think>{{s1.o7.line}}? No.</think>{{s1}}: {{s1.o1.line}}", f"{STAY}: {LINE}\n\n{OWED}"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "each"), [
    ("17-19 January for two, how much is it for each of us?", "÷ 2 = 351 NIS each."),
    ("17-19 בינואר לזוג, כמה יוצא לכל אחד?", "÷ 2 = 351 ש״ח לכל אחד."),
])  # fmt: skip
def test_what_was_shared_out_is_not_listed_again(endpoint: Endpoint, graph: Any, text: str, each: str) -> None:
    written = "\n".join(["{{s1}}:", *(f"- {{{{share:s1.o{n}.line/2}}}}" for n in (1, 2, 3))])
    endpoint.plays(plan(stay("january", "2027-01-17", "2027-01-19")), answers(written))
    answer = ask(graph, text, today=TODAY)["answer"]
    assert each in answer
    assert answer.count("÷") == 3
    assert answer.splitlines()[-1].startswith("- ")
    assert "÷" in answer.splitlines()[-1]


@pytest.mark.parametrize(("text", "listed"), [
    ("A room for two, 17-19 January, and what are the family suite and the double like?", "list price from 700 NIS per night"),
    ("חדר לזוג 17-19 בינואר, ומה יש בסוויטה המשפחתית ובזוגי?", "מחיר מחירון החל מ־700 ש״ח ללילה"),
])  # fmt: skip
@pytest.mark.parametrize("written", ["{{r.FAM.1}} {{r.DBL.1}}", "nothing that stands"], ids=["written", "templates"])
def test_a_list_price_is_called_one_and_stands_beside_no_price_for_the_nights(
    endpoint: Endpoint, graph: Any, written: str, text: str, listed: str
) -> None:
    """702 NIS for two nights is below the list price of a double, 380 a night."""
    rooms = [call(code, "get_rooms_info", room_type=code) for code in ("FAM", "DBL")]
    endpoint.plays(plan(stay("january", "2027-01-17", "2027-01-19", room_type="DBL"), *rooms), answers(written))
    answer = ask(graph, text, today=TODAY)["answer"]
    assert listed in answer
    assert ("702" in answer, "380" in answer) == (True, False)


@pytest.mark.parametrize(("text", "says"), [
    ("What is cheaper with free cancellation, the double or the deluxe, 17-19 January for two?",
     "Double Room (free cancellation) is cheaper: 780 NIS in total, against 1,030 NIS for Deluxe Sea View Room (free cancellation)."),
    ("מה יותר זול עם ביטול חינם, הזוגי או הדלוקס, 17-19 בינואר לזוג?",
     "חדר זוגי (ביטול ללא עלות), 780 ש״ח בסך הכול, לעומת 1,030 ש״ח עבור חדר דלוקס נוף לים (ביטול ללא עלות)."),
])  # fmt: skip
def test_what_is_compared_is_compared_on_the_terms_that_were_asked_for(
    endpoint: Endpoint, graph: Any, text: str, says: str
) -> None:
    looks = [stay(code, "2027-01-17", "2027-01-19", room_type=code, refundable=True) for code in ("DBL", "DLX")]
    endpoint.plays(plan(*looks), answers("{{compare.1}} {{compare.2}}"))
    answer = ask(graph, text, today=TODAY)["answer"]
    assert says in answer
    assert answer.count("780") == 2  # not a third time in a list of what can be cancelled


UNKNOWN = [
    ("Is 17 January free for two, just that night?", "Christmas", ""),
    ("תזמין לי חדר זוגי 17-19 בינואר לזוג, נועה כהן, 052-9876543", "it is booked", ""),
    ("A room for two 17-19 January, and can we pay in cash?", "xylophones", ""),
    ("A room for two 17-19 January, and do you have lockers?", "lockers", "lockers"),
    ("חדר לזוג 17-19 בינואר, ויש אצלכם לוקרים?", "lockers", "לוקרים"),
    ("חדר לזוג 17-19 בינואר ואיפה הקפלה?", "chapel", "הקפלה"),
    ("חדר לזוג 17-19 בינואר. אשמח לדעת לגבי לוקרים", "lockers", "אשמח לדעת לגבי לוקרים"),
]


@pytest.mark.parametrize(("text", "topic", "words"), UNKNOWN, ids=[text for text, *_ in UNKNOWN])
@pytest.mark.parametrize("written", ["{{s1.o1.line}}", "nothing that stands"], ids=["written", "templates"])
def test_nothing_is_said_to_be_unknown_but_what_the_guest_asks_and_in_the_guests_words(
    endpoint: Endpoint, graph: Any, written: str, text: str, topic: str, words: str
) -> None:
    endpoint.plays(plan(stay("january", "2027-01-17", "2027-01-19"), about(topic, "asked")), answers(written))
    answer = ask(graph, text, today=TODAY)["answer"]
    told = [each for each in ("information says nothing of", "במידע של המלון לא נאמר דבר על") if each in answer]
    assert len(told) == bool(words)
    assert not words or f"{told[0]} “{words}”" in answer


TOLD = [
    ("A room for two, January 17-19. Do you have free parking?", "parking", "free parking"),
    ("A room for two, January 17-19. A heated pool?", "pool", "A heated pool"),
    ("חדר לזוג 17-19 בינואר. יש חניה?", "parking", "חניה"),
]
"""A model says that it finds nothing on what it has told, or looked up."""
LOOKED_UP = ("A room for two, January 17-19. When is breakfast?", "breakfast", "A room for two, January 17-19")
OPEN = [
    ("A room for two, January 17-19. When is the spa open?", "spa", "When is the spa open"),
    ("A room for two, January 17-19. What does the gym cost?", "gym", "What does the gym cost"),
    ("A room for two, January 17-19. A pool with a slide?", "pool", "A pool with a slide"),
    ("חדר לזוג 17-19 בינואר. מה שעות הספא?", "spa", "שעות הספא"),
]


@pytest.mark.parametrize("by", ["writer", "judge"])
@pytest.mark.parametrize(("text", "topic", "words"), [LOOKED_UP, *TOLD, *OPEN])
def test_a_stay_that_was_looked_up_is_not_named_as_unknown(
    endpoint: Endpoint, graph: Any, text: str, topic: str, words: str, by: str
) -> None:
    served = [{**stay("january", "2027-01-17", "2027-01-19"), "serves": [1, 2]}, {**about(topic), "serves": [1, 2]}]
    made = plan(*served)
    written = f"{{{{s1.o1.line}}}}\n{{{{missing:{words}}}}}" if by == "writer" else "{{s1.o1.line}}"
    found = judged() if by == "writer" else judged(completeness="not told", by=words)
    endpoint.plays(made, answers(written), found)
    answer = ask(graph, text, today=TODAY, answer_check="on")["answer"]
    assert any(each in answer for each in ("nothing more", "מידע נוסף")) == ((text, topic, words) in OPEN)


STRUCK = {
    "a lie among them": ["Breakfast is free.", "The pool is heated."],
    "a lie about one": ["The nicest is {{s1.o1.line}}."],
    "parts of an offer": ["The {{s1.o2.room}} is lovely."],
}
"""What did not stand, as it is recorded."""


@pytest.mark.parametrize("name", WRITTEN)
def test_what_a_guest_reads_is_streamed_once_and_traced(endpoint: Endpoint, graph: Any, name: str) -> None:
    written, expected = WRITTEN[name]
    endpoint.plays(looked_up(), answers(written))
    told = ask(graph, REQUEST, today=TODAY)
    final = told["messages"][-1]
    assert told["answer"] == expected
    assert told.streamed == final.text == told["answer"]
    assert {chunk.id for chunk in told.tokens} == {final.id}
    assert (told["outcome"], told["llm_calls"]) == ("answered", 2)
    assert (told["answer_check"]["satisfied"], told["answer_check"]["checked_by"]) == (True, "rules")
    assert not told.told("answer_replaced")
    assert told.state["struck"] == STRUCK.get(name, [])


def test_sentences_are_released_while_the_model_writes(endpoint: Endpoint, graph: Any) -> None:
    endpoint.plays(
        looked_up(), answers("{{hello}} {{s1}}: {{s1.o1.line}}.\n{{parking.1}} {{parking.2}} {{s1.flexible}}")
    )
    told = ask(graph, REQUEST, today=TODAY)
    assert len([chunk for chunk in told.tokens if chunk.text]) >= 4
    assert told.tokens[0].text == "Hello!"


@pytest.mark.parametrize(
    "written", ["There are rooms from 399 NIS.", "{{hello}} What a lovely stay!", "{{s9.o1.line}}", "יש חדר ב־399 ש״ח."]
)
def test_a_model_that_names_no_statement_gives_way_to_the_template(
    endpoint: Endpoint, graph: Any, written: str
) -> None:
    says_nothing = written.startswith("{{s9")
    endpoint.plays(looked_up(), answers(written), *[answers(written)] * says_nothing)
    told = ask(graph, REQUEST, today=TODAY)
    assert "399" not in told["answer"]
    assert f"\n- {LISTED}" in told["answer"]
    assert told["answer"].endswith(f"Parking: {PARKING} {CHARGERS}\n\nWhich room would you like?")
    assert told.streamed == told["answer"]
    assert "language model" not in told["answer"]


def test_a_stream_that_breaks_off_is_finished_without_another_call(endpoint: Endpoint, graph: Any) -> None:
    whole = f"{{{{s1}}}}: {{{{s1.o1.line}}}}.\n{'{{parking.1}} ' * 20}"
    endpoint.plays(looked_up(), answers(whole, fault="drop"))
    told = ask(graph, REQUEST, today=TODAY)
    assert told["answer"] == f"{STAY}: {LINE}.\n{PARKING} {CHARGERS}\n\n{FLEXIBLE}"
    assert told.streamed == told["answer"]
    assert told["llm_calls"] == 2


def test_the_model_is_shown_statements_and_no_results(endpoint: Endpoint, graph: Any) -> None:
    endpoint.plays(looked_up(), answers("{{s1.o1.line}}"))
    ask(graph, REQUEST, today=TODAY)
    (request,) = endpoint.of("answer")
    assert request.block("statements")["s1.o1.line"] == LINE
    assert request.block("results") is None
    assert "agorot" not in request.text


def test_the_example_of_the_prompt_stands_as_it_is_written(endpoint: Endpoint, graph: Any) -> None:
    question, _, example = render("hotel/respond").partition("Example, for ")[2].partition(":\n")
    endpoint.plays(looked_up(), answers(example))
    told = ask(graph, question.strip('"'), today=TODAY)
    lines = told["answer"].splitlines()
    assert lines[0] == f"Happy to help. {STAY}:"
    assert lines[1].startswith(f"- {LINE}")
    assert f"Parking: {PARKING}" in told["answer"]
    assert told["answer"].count("?") == 1


def test_in_hebrew(endpoint: Endpoint, graph: Any) -> None:
    endpoint.plays(
        looked_up(), answers("{{gladly}} ב{{s1}} מצאתי:\n- {{s1.o1.line}}\n{{parking.1}} {{parking.2}} {{ask_which}}")
    )
    told = ask(graph, "חדר לזוג 17-19 בינואר, ויש חניה?", today=TODAY)
    assert told["answer"].splitlines()[:2] == [
        "בשמחה. ביום ראשון, 17 בינואר עד יום שלישי, 19 בינואר 2027 (שני לילות), עבור שני מבוגרים מצאתי:",
        "- חדר זוגי, לינה בלבד: 702 ש״ח בסך הכול (351 ש״ח ללילה), ללא החזר בביטול",
    ]
    assert told["answer"].endswith("איזו מהאפשרויות תרצו?")


@pytest.mark.parametrize(
    ("text", "written", "owed"),
    [
        (
            "17-19 January for the two of us, how much is it half board?",
            "{{s1.o1.line}}",
            "The lowest price (half board): ",
        ),
        ("לזוג ב-17 עד 19 בינואר, כמה זה עם ארוחת בוקר?", "{{s1.o1.line}}", "המחיר הנמוך ביותר (כולל ארוחת בוקר): "),
        ("17-19 January for the two of us, how much is it half board?", "{{s1.lowest.HB}}", ""),
        ("17-19 January for the two of us, and when is breakfast?", "{{s1.o1.line}}", ""),
    ],
    ids=["left out", "in Hebrew", "told", "not asked for"],
)
def test_the_price_with_the_board_that_was_asked_for_is_told_whatever_the_call_left_out(
    text: str, written: str, owed: str, endpoint: Endpoint, graph: Any
) -> None:
    planned = plan(
        {**stay("january", "2027-01-17", "2027-01-19"), "serves": [1]}, {**about("breakfast"), "serves": [1, 2]}
    )
    endpoint.plays(planned, answers(written))
    told = ask(graph, text, today=TODAY, answer_check="rules")
    lowest = [
        line for line in told["answer"].splitlines() if line.startswith(("The lowest price (", "המחיר הנמוך ביותר ("))
    ]
    assert [each.startswith(owed) for each in lowest] == ([True] if owed or "lowest" in written else [])


def test_an_answer_that_is_written_again_is_told_why_an_operator_said_nothing(
    endpoint: Endpoint, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    graph = build_graph(hotel_domain(folder)).compile()
    endpoint.plays(
        looked_up(), answers("{{s1.o1.line}} {{sum:s1.o1.line+s1.o2.line}}"), judged(completeness="no total", by="words"),
        answers("{{s1.o1.line}} {{times:s1.o1.line*3}}"), judged(),
    )  # fmt: skip
    told = ask(graph, f"{REQUEST} What do three such rooms come to?", today=TODAY)
    lacked, why = endpoint.of("answer")[1].block("gaps")
    assert lacked == "no total"
    assert why.startswith("{{sum:s1.o1.line+s1.o2.line}} says nothing: of s1.o1.line and s1.o2.line a person takes one")
    assert "× 3 = 2,106 NIS in all, each for 2 adults." in told["answer"]


def test_a_gap_that_a_judge_finds_is_planned_for_and_an_inaccuracy_costs_no_rewrite(
    endpoint: Endpoint, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    graph = build_graph(hotel_domain(folder)).compile()
    room = plan(stay("january", "2027-01-17", "2027-01-19"))
    pool = plan(about("pool"), action="hotel_info")
    endpoint.plays(
        room, answers("{{s1.o1.line}}"), judged(completeness="the pool is not told", by="get_hotel_info"),
        pool, answers("{{s1.o1.line}}\n{{pool.1}}"), judged(accuracy="that is no answer to it", by="words"),
    )  # fmt: skip
    told = ask(graph, "A room for two, January 17-19, with a swim", today=TODAY)
    assert endpoint.of("answer")[1].block("gaps") == ["the pool is not told (get_hotel_info)"]
    assert "pool" in told["answer"]
    assert told["answer"].endswith("Please have it confirmed before you rely on it.)")
    assert (told["answer_replans"], told["rewrites"], len(endpoint.of("answer"))) == (1, 0, 2)


def test_a_judge_sees_the_ids_that_were_told_also_those_that_code_has_added(endpoint: Endpoint, graph: Any) -> None:
    endpoint.plays(looked_up(), answers("{{gladly}} On {{s1}}:\n- {{s1.o1.line}}\n{{ask_which}}"), judged())
    ask(graph, REQUEST, today=TODAY, answer_check="on")
    [judge] = endpoint.of("judge")
    told = judge.block("told")
    assert {"s1", "s1.o1.line", "parking.1", "parking.2"} <= {*told}
    assert not {"gladly", "ask_which"} & {*told}
    assert "s1.lowest" in judge.block("untold")
    assert (judge.block("results"), judge.block("statements")) == (None, None)


def test_left_to_itself_code_asks_a_judge_only_where_nothing_that_was_found_is_told(
    endpoint: Endpoint, graph: Any
) -> None:
    endpoint.plays(looked_up(), answers("{{s1.o1.line}}"))
    told = ask(graph, REQUEST, today=TODAY, answer_check="auto")
    assert told["answer_check"]["checked_by"] == "rules"
    endpoint.plays(looked_up(), answers("{{gladly}}"), judged())
    told = ask(graph, REQUEST, today=TODAY, answer_check="auto")
    assert (LISTED in told["answer"], told["answer_check"]["checked_by"]) == (True, "scripted")
    assert endpoint.of("judge")[0].block("verified").startswith("The assistant's own code")


def test_statements_that_fail_cost_the_model_not_the_answer(endpoint: Endpoint, folder: Path) -> None:
    def fails(view: AnswerView) -> Any:
        raise ValueError("broken")

    endpoint.plays(looked_up())
    told = ask(build_graph(replace(hotel_domain(folder), catalogue=Sayable(fails))).compile(), REQUEST, today=TODAY)
    assert LISTED in told["answer"]
