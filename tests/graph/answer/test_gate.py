"""The gate: what a writer may say around statements, and what becomes of the rest."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from wavegraph.graph.answer.gate import Gate
from wavegraph.graph.answer.statements import Catalogue, Duty, Statement, in_sentences
from wavegraph.graph.answer.words import words_in

HARMLESS = words_in("the a is for you on and here what i found it please see and at from comes to with as")
BED = {"about": "night.bed", "beside": ("night",), "under": "night", "line": "bed.line"}
BUNK = {"about": "night.bunk", "beside": ("night",), "under": "night"}
CATALOGUE = Catalogue(
    [
        Statement(id="night", text="Saturday 5 December", alone="Saturday 5 December:", about="night"),
        Statement(
            id="bed.line", text="bed, 350 NIS, no refund", alone="- bed, 350 NIS, no refund", **{**BED, "line": ""}
        ),
        Statement(id="bed.kind", text="wide bed", needs={"bed.price"}, **BED),
        Statement(id="bed.price", text="350 NIS", needs={"bed.kind"}, **BED),
        Statement(id="bunk", text="bunk, 90 NIS", alone="- bunk, 90 NIS", bears={"cheapest"}, **BUNK),
        *in_sentences(Statement(id="dogs", text="Dogs sleep outside. They pay 20.5 NIS! Cats do not.", about="dogs")),
        Statement(id="note", text="from here on foot", about="note"),
        Statement(id="hello", text="Hello!", sort="courtesy"),
        Statement(id="ask", text="Anything else?", sort="question"),
    ],
    HARMLESS,
    [Duty(("bunk", "bed.line"), ("bunk",))],
    longest=900,
)


def passed(text: str, size: int = 10_000, catalogue: Catalogue = CATALOGUE) -> tuple[str, Gate]:
    gate = Gate(catalogue)
    pieces = [gate.feed(text[at : at + size]) for at in range(0, len(text), size)]
    return "".join([*pieces, gate.rest(), gate.owed()]), gate


STAND = {
    "a slot in harmless words": ("For you on {{night}}: {{bunk}}.", "For you on Saturday 5 December: bunk, 90 NIS."),
    "one's own word": ("The cheapest is {{bunk}}.", "Saturday 5 December:\nThe cheapest is bunk, 90 NIS."),
    "letter for letter": ("For you on Saturday 5 December: bunk, 90 NIS.",) * 2,
    "letter for letter, in bold, other spaces": ("{{night}} **bunk,  90 NIS**", "Saturday 5 December bunk, 90 NIS"),
    "parts that need each other": ("{{night}}: the {{bed.kind}} is {{bed.price}}.", "Saturday 5 December: the wide bed is 350 NIS."),
    "a list": ("{{night}}\n1. {{bunk}}\n* {{bed.line}}", "Saturday 5 December\n- bunk, 90 NIS\n- bed, 350 NIS, no refund"),
    "one pair of braces": ("{night} {bunk}", "Saturday 5 December bunk, 90 NIS"),
    "a courtesy before": ("{{hello}} {{night}} {{bunk}}", "Hello! Saturday 5 December bunk, 90 NIS"),
    "a stop before a comma": ("{{dogs.1}}, {{bunk}}", "Dogs sleep outside.\nSaturday 5 December:\n- bunk, 90 NIS"),
    "a stop before a stop": ("{{dogs.1}}. {{bunk}}", "Dogs sleep outside.\nSaturday 5 December:\nbunk, 90 NIS"),
    "a word that the statement begins with": ("{{night}} {{bunk}}. It is from {{note}}.", "Saturday 5 December bunk, 90 NIS. It is from here on foot."),
    "what comes before it is told first": ("{{night}} {{bunk}}\n{{dogs.3}}", "Saturday 5 December bunk, 90 NIS\nDogs sleep outside.\nThey pay 20.5 NIS!\nCats do not."),
    "thoughts are left out": ("<think>{{bed.line}} no.</think>{{night}} {{bunk}}", "Saturday 5 December bunk, 90 NIS"),
    "a question beside a fact": ("{{bunk}} {{ask}}", "Saturday 5 December:\n- bunk, 90 NIS\n\nAnything else?"),
    "a question in a refused sentence": ("Lovely {{bunk}} {{ask}}", "Saturday 5 December:\n- bunk, 90 NIS\n\nAnything else?"),
    "a sentence right behind a statement": ("{{night}} {{bunk}} {{hello}}", "Saturday 5 December bunk, 90 NIS. Hello!"),
    "questions go last": ("{{ask}} {{night}} {{bunk}}", "Saturday 5 December bunk, 90 NIS\n\nAnything else?"),
}  # fmt: skip


@table("name", STAND)
def test_what_stands(name: str) -> None:
    written, expected = STAND[name]
    assert passed(written)[0] == expected


OWES_DOGS = replace(CATALOGUE, duties=[Duty((name,), (name,)) for name in ("dogs.1", "dogs.2", "dogs.3")])
DOGS = "Dogs sleep outside. They pay 20.5 NIS! Cats do not."


@table("size", [1, 7, 1000])
@table(
    ("written", "expected"),
    [
        ("{{dogs.1}}\n{{night}} {{bunk}}", f"{DOGS}\nSaturday 5 December bunk, 90 NIS"),
        ("{{dogs.1}}\n\nHere it is:\n{{night}} {{bunk}}", f"{DOGS}\n\nHere it is:\nSaturday 5 December bunk, 90 NIS"),
        ("{{night}} {{bunk}}\n{{dogs.1}}", f"Saturday 5 December bunk, 90 NIS\n{DOGS}"),
        ("{{dogs.1}} {{dogs.2}}\n{{night}} {{bunk}}\n{{dogs.3}}", f"{DOGS}\nSaturday 5 December bunk, 90 NIS"),
        ("{{night}} {{bunk}}", f"Saturday 5 December bunk, 90 NIS\n\n{DOGS}"),
    ],
)
def test_what_must_be_told_of_a_topic_stands_where_the_topic_is_told(written: str, expected: str, size: int) -> None:
    assert passed(written, size, OWES_DOGS)[0] == expected


ASKED = replace(
    CATALOGUE,
    request="A bunk for Saturday. Is linen in it, and a towel?",
    nothing_more=lambda words, told: f"No news of {words}.",
)


@table("size", [1, 7, 1000])
@table(
    ("written", "expected"),
    [
        ("{{night}} {{bunk}}\n{{missing:linen}}", "Saturday 5 December bunk, 90 NIS\n\nNo news of ['linen']."),
        ("{{missing:Linen}} {{missing:a towel}}\n{{night}} {{bunk}}\n{{ask}}",
         "Saturday 5 December bunk, 90 NIS\n\nNo news of ['linen', 'a towel'].\n\nAnything else?"),
        ("Linen: {{missing:linen}}.\n{{night}} {{bunk}}", "Saturday 5 December bunk, 90 NIS\n\nNo news of ['linen']."),
        ("{{night}} {{bunk}}\n{{missing:a free suite}}", "Saturday 5 December bunk, 90 NIS"),
        ("{{night}} {{bunk}}\n{{missing:}}", "Saturday 5 December bunk, 90 NIS"),
    ],
)  # fmt: skip
def test_what_no_statement_answers_is_named_in_the_words_of_the_request(written: str, expected: str, size: int) -> None:
    assert passed(written, size, ASKED)[0] == expected


def test_what_a_remark_has_named_is_not_named_again() -> None:
    remark = Statement(id="said", text="On “Is linen in it” I have nothing.", about="said")
    catalogue = replace(ASKED, statements=[*ASKED.statements, remark])
    assert "No news" not in passed("{{night}} {{bunk}} {{said}}\n{{missing:linen}}", catalogue=catalogue)[0]


LINE = "Saturday 5 December:\n- bunk, 90 NIS"
REPLACED = {
    "another word": "For you the nicest is {{bunk}}.",
    "a figure": "2 for you: {{bunk}}.",
    "a figure in another script": "٢ {{bunk}}",
    "a sign": "It is ${{bunk}}.",
    "another alphabet": "самый {{bunk}}",
    "a letter that looks like another": "thе {{bunk}}",
    "a hidden character": "for\u200b you {{bunk}}",
    "an unknown id": "{{bunk}} and {{penthouse}}.",
    "another's word": "{{bunk}} is the widest.",
    "data": '{"a": [{{bunk}}]}',
    "two copies, one changed": "the bunk, 90 NIS, for 80",
    "a fact asked about": "Is it {{bunk}}?",
    "of two things": "{{bunk}} and {{dogs.1}}",
}


@table("name", REPLACED)
def test_a_sentence_that_breaks_a_rule_gives_way_to_the_lines_of_its_statements(name: str) -> None:
    text, gate = passed(REPLACED[name])
    assert text.startswith(LINE)
    assert gate.refused == [REPLACED[name]]
    assert "Dogs" in text or text == LINE


@pytest.mark.parametrize("written", ["I found {{dogs.1}}", "{{dogs.1}} as {{dogs.2}}", "Dogs sleep outside for you."])
def test_a_whole_sentence_takes_no_words_into_itself(written: str) -> None:
    text, gate = passed(written)
    assert gate.refused
    assert text.startswith("Dogs sleep outside.")


@pytest.mark.parametrize("written", ["For you: {{dogs.1}}", "As for you, {{dogs.1}} {{dogs.2}}"])
def test_words_that_lead_to_a_whole_sentence_stand(written: str) -> None:
    assert passed(written)[1].refused == []


@table(
    ("written", "stands"),
    [
        ("Early check-in: {{early}}", "Early check-in is possible."),
        ("early check-in : {{early}}", "Early check-in is possible."),
        ("Early: {{early}}", "Early check-in is possible."),
        ("Early check: {{early}}", "Early check-in is possible."),
        ("Check-in: {{early}}", "Check-in: Early check-in is possible."),
        ("Parking: {{parking}}", "Parking is free."),
        ("Park: {{parking}}", "Park: Parking is free."),
    ],
)
def test_a_label_with_which_a_statement_begins_stands_once(written: str, stands: str) -> None:
    early = Statement(id="early", text="Early check-in is possible.", about="early")
    parking = Statement(id="parking", text="Parking is free.", about="parking")
    words = frozenset({"early", "check", "in", "parking", "park"})
    assert passed(written, catalogue=Catalogue([early, parking], words))[0] == stands


def test_a_word_that_is_no_claim_in_a_phrase_alone_stands_in_it_alone() -> None:
    phrase = Catalogue(CATALOGUE.statements, HARMLESS - {"you"} | {"for you"})
    assert passed("{{night}} for you, {{bunk}}", catalogue=phrase)[1].refused == []
    for lie in ("You and {{bunk}}", "For {{bunk}} you"):
        assert passed(lie, catalogue=phrase)[1].refused == [lie]


@table("lie", ["It is 80 NIS.", "The pool is warm.", "See www.example.com.", "{{penthouse}}", "¡!%"])
def test_a_sentence_without_a_statement_is_dropped(lie: str) -> None:
    assert passed(f"{{{{night}}}} {{{{bunk}}}}. {lie}")[0] == "Saturday 5 December bunk, 90 NIS."


def test_harmless_words_alone_may_lead_to_a_list() -> None:
    assert passed("Here is what I found:\n{{night}} {{bunk}}")[0].startswith("Here is what I found:\nSaturday")


def test_a_part_without_the_other_gives_way_to_the_whole_line() -> None:
    assert passed("The {{bed.kind}} is for you.")[0] == "Saturday 5 December:\n- bed, 350 NIS, no refund"


def test_a_statement_stands_under_its_own_heading() -> None:
    other = Statement(id="other", text="Sunday", about="other")
    under = Statement(id="hay", text="hay, 9 NIS", about="hay", under="other")
    both = Catalogue([*CATALOGUE.statements, other, under], HARMLESS)
    assert (
        passed("{{night}} {{other}} {{bunk}}", catalogue=both)[0]
        == "Saturday 5 December:\nSunday\nSaturday 5 December:\n- bunk, 90 NIS"
    )
    assert passed("{{hay}}\n{{bunk}}\n{{hay}}", catalogue=both)[0].splitlines() == [
        "Sunday", "hay, 9 NIS", "Saturday 5 December:", "bunk, 90 NIS",
    ]  # fmt: skip


def test_what_must_be_told_is_added_before_the_questions() -> None:
    assert passed("{{dogs.1}} {{ask}}")[0] == f"Dogs sleep outside.\n\n{LINE}\n\nAnything else?"


def test_what_asks_nothing_is_added_before_the_last_question() -> None:
    more = [
        Statement(id=name, text=text, sort="question")
        for name, text in (("how", "Tell us your name."), ("yet", "Nothing is booked."))
    ]
    owing = Catalogue(
        [*CATALOGUE.statements, *more],
        HARMLESS,
        [*CATALOGUE.duties, Duty(("how",), ("how",)), Duty(("yet",), ("yet",))],
    )
    end = "Tell us your name. Nothing is booked. Anything else?"
    assert passed("{{night}} {{bunk}} {{ask}}", catalogue=owing)[0].endswith(end)


def test_a_long_text_ends_and_what_must_be_told_is_added() -> None:
    text, _ = passed("{{dogs.1}} for you.\n" * 9 + "Here for you. " * 2000)
    assert len(text) < 1000
    assert text.endswith(LINE)


PIECES = st.sampled_from(
    [
        *(f"{{{{{each.id}}}}}" for each in CATALOGUE.statements),
        "bunk, 90 NIS",
        "for you",
        "lovely",
        ". ",
        "! ",
        "? ",
        "\n",
        "\n- ",
        ", ",
        " ",
        "2. ",
        "20.5",
        "<think>",
        "</think>",
        "<b>",
        "{{",
        "}}",
        "…” ",
        "על־",
        "12:30",
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join), st.integers(1, 6))
def test_a_text_in_pieces_passes_like_the_whole(text: str, size: int) -> None:
    whole, gate = passed(text)
    assert passed(text, size)[0] == whole
    assert list(passed(text, size)[1].told) == list(gate.told)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_nothing_is_said_but_statements_and_harmless_words(text: str) -> None:
    said, _ = passed(text)
    for statement in sorted(CATALOGUE.statements, key=lambda each: -len(each.text)):
        said = said.replace(statement.text.rstrip(".:"), " ")
    assert set(re.findall(r"\w+", said.casefold())) <= HARMLESS | {"cheapest"}


def test_a_text_that_may_not_ask_ends_with_what_it_tells() -> None:
    gate = Gate(CATALOGUE, may_ask=False)

    told = gate.feed("{{ask}} {{night}} {{bunk}} Shall I? ") + gate.rest() + gate.owed()

    assert "?" not in told
    assert told == "Saturday 5 December:\n- bunk, 90 NIS"
