"""Operators over statements: what code works out and says, and what it does not say."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from wavegraph.graph.answer.gate import Gate
from wavegraph.graph.answer.operators import OPERATORS, Arithmetic, Quantity
from wavegraph.graph.answer.statements import Catalogue, Duty, Statement
from wavegraph.graph.answer.words import sentences, words_in

UNITS = {"night": "{:g} nights", "ILS": "{:,.10g} NIS", "ILS/night": "{:,.10g} NIS per night", "nights": "{:g} nights"}


def written(amount: int, unit: str) -> str:
    return UNITS[unit].format(amount / 100 if "ILS" in unit else amount)


def held(statement: Statement, **given: Any) -> Statement:
    """The same, with more said of its quantity."""
    assert statement.quantity
    return replace(statement, quantity=replace(statement.quantity, **given))


def priced(name: str, amount: int, called: str, stay: str = "", unit: str = "ILS") -> Statement:
    text = f"{called}: {written(amount, unit)}, no refund"
    return Statement(
        id=name,
        text=text,
        alone=f"- {text}",
        about=name,
        beside=(stay,),
        called=called,
        quantity=Quantity(amount, unit, excludes=stay),
    )


def holding(name: str, called: str, *names: str) -> Statement:
    return Statement(id=name, text=f"{called}: {', '.join(names)}.", about=name, called=called, holds_for=names)


STATEMENTS = [
    priced("s1.o1", 78_000, "Double, 17–19 January", "s1"),
    priced("s1.o2", 92_000, "Triple, 17–19 January", "s1"),
    priced("s2.o1", 92_050, "Triple, 24–26 January", "s2"),
    priced("s2.o2", 92_050, "Twin, 24–26 January", "s2"),
    priced("dog-fee", 8_000, "A dog"),
    priced("s1.night", 39_000, "Double, a night", unit="ILS/night"),
    priced("s2.night", 46_000, "Triple, a night", unit="ILS/night"),
    held(priced("cot", 5_000, "A cot", unit="ILS/night"), fixed=True),
    held(priced("r.1", 10_000, "Cabin A"), each="each for 2 adults"),
    held(priced("r.2", 20_000, "Cabin B"), each="each for 2 adults"),
    held(priced("r.3", 30_000, "Cabin C"), each="each for 3 adults"),
    held(priced("l.2", 131_400, "Half board, 8–10 February"), over=(2, "night")),
    held(priced("l.1", 44_100, "Breakfast, 8–9 February"), over=(1, "night")),
    priced("n.ann-1", 3, "Ann's nights", unit="nights"),
    priced("n.all", 14, "All nights", unit="nights"),
    holding("with.bathtub", "Bathtub", "Double", "Suite"),
    holding("with.balcony", "Balcony", "Triple", "Suite"),
    holding("with.sea_view", "Sea view", "Triple"),
    Statement(id="s1", text="Sunday 17 January", about="s1"),
    Statement(id="bare", text="a bare fact", about="bare"),
]
HARMLESS = words_in("for you the here is and")


def catalogue(language: str = "en") -> Catalogue:
    return Catalogue(STATEMENTS, HARMLESS, [Duty(["s1"], ["s1"])], arithmetic=Arithmetic(language, written))


def told(text: str, language: str = "en") -> tuple[str, Gate]:
    gate = Gate(catalogue(language))
    return gate.feed(text) + gate.rest(), gate


SAID = {
    "sum:s1.o1+s2.o1": "Double, 17–19 January (780 NIS) + Triple, 24–26 January (920.5 NIS) = 1,700.5 NIS in all.",
    "sum:s1.o1, s2.o1": "Double, 17–19 January (780 NIS) + Triple, 24–26 January (920.5 NIS) = 1,700.5 NIS in all.",
    "sum:s1.o1+dog-fee*2": "Double, 17–19 January (780 NIS) + A dog (80 NIS) × 2 = 940 NIS in all.",
    "times:s1.o1*3": "Double, 17–19 January (780 NIS) × 3 = 2,340 NIS in all.",
    "times:cot*3": "A cot (50 NIS per night) × 3 nights = 150 NIS in all.",
    "sum:s1.o1+cot*2": "Double, 17–19 January (780 NIS) + A cot (50 NIS per night) × 2 nights = 880 NIS in all.",
    "sum:r.1+r.2": "Cabin A (100 NIS) + Cabin B (200 NIS) = 300 NIS in all, each for 2 adults.",
    "times:r.1*2": "Cabin A (100 NIS) × 2 = 200 NIS in all, each for 2 adults.",
    "sum:r.1+r.3": "Cabin A (100 NIS) + Cabin C (300 NIS) = 400 NIS in all.",
    "sum:r.1+dog-fee*2": "Cabin A (100 NIS) + A dog (80 NIS) × 2 = 260 NIS in all.",
    "difference:s1.o1-s1.o2": "Triple, 17–19 January (920 NIS): 140 NIS more than Double, 17–19 January (780 NIS).",
    "difference:s1.o1-dog-fee": "Double, 17–19 January (780 NIS): 700 NIS more than A dog (80 NIS).",
    "difference:s1.o1*2-s2.o1": "Double, 17–19 January (780 NIS) × 2: 639.5 NIS more than Triple, 24–26 January (920.5 NIS).",
    "difference:s2.o1-s2.o2": "Triple, 24–26 January (920.5 NIS): no more and no less than Twin, 24–26 January (920.5 NIS).",
    "difference:s1.night-s2.night": "Triple, a night (460 NIS per night): 70 NIS per night more than Double, a night (390 NIS per night).",
    "share:s1.o1/2": "Double, 17–19 January (780 NIS) ÷ 2 = 390 NIS each.",
    "share:s2.o1/3": "Triple, 24–26 January (920.5 NIS) ÷ 3 = about 306.83 NIS each.",
    "share:n.ann-1/n.all": "Ann's nights (3 nights) is about 21 % of All nights (14 nights).",
    "share:dog-fee/s1.o2": "A dog (80 NIS) is about 9 % of Triple, 17–19 January (920 NIS).",
    "all:with.bathtub+with.balcony": "Bathtub + Balcony: Suite.",
    "all:with.bathtub+with.sea_view": "Bathtub + Sea view: none.",
    "difference:l.2,l.1": "Half board, 8–10 February (1,314 NIS) for 2 nights: 873 NIS more than Breakfast, 8–9 February (441 NIS) for 1 nights.",
    "sum:l.2+l.1": "Half board, 8–10 February (1,314 NIS) + Breakfast, 8–9 February (441 NIS) = 1,755 NIS in all.",
}  # fmt: skip


@table("operator", SAID)
def test_what_operators_say(operator: str) -> None:
    text, gate = told(f"{{{{{operator}}}}}")
    assert (text, gate.refused) == (SAID[operator], [])


WHY = {
    "sum:s1.o1+s1.o2": "of s1.o1 and s1.o2 a person takes one: tell each line, or times:s1.o1*2 for two alike",
    "sum:s1.o1+n.all": "the amounts are of unlike units: ILS, nights",
    "sum:s1.o1+cot": "the amounts are of unlike units: ILS, ILS/night",
    "sum:s1.night+s2.night": "an average for one is not added up; take the amount for all of them",
    "sum:s1.o1": "it takes 2 statements or more, or one times a number",
    "difference:s1.o1,s1.o2,s2.o1": "it takes 2 statements",
    "sum:s1.o1+bare": "bare has no amount",
    "sum:s1.o1+s9.o1": "there is no statement s9.o1",
    "product:s1.o1+s2.o1": f"there is no such operator; there are {', '.join(OPERATORS)}",
    "all:with.bathtub": "it takes two statements or more on which things have something",
}


@table("operator", WHY)
def test_what_an_operator_does_not_say_has_a_reason_for_who_wrote_it(operator: str) -> None:
    slot = f"{{{{{operator}}}}}"
    assert list(catalogue().why_not(f"And {slot} {{{{s1}}}} {{{{sum:s1.o1+s2.o1}}}}")) == [
        f"{slot} says nothing: {WHY[operator]}"
    ]


UNSAYABLE = {
    "alternatives": "sum:s1.o1+s1.o2",
    "the same stay twice": "sum:s1.o1+s1.o1",
    "unlike units": "sum:s1.o1+n.all",
    "rates": "sum:s1.night+s2.night",
    "a rate for other nights": "times:s1.night*3",
    "one alone": "sum:s1.o1",
    "three for a difference": "difference:s1.o1,s1.o2,s2.o1",
    "nothing to count": "sum:s1.o1+bare",
    "an unknown id": "sum:s1.o1+s9.o1",
    "an unknown operator": "product:s1.o1+s2.o1",
    "a number alone": "sum:2+3",
    "a number that is no fact": "sum:s1.o1+700",
    "sets of what has none": "all:s1.o1+with.bathtub",
    "one set": "all:with.bathtub",
}


@table("name", UNSAYABLE)
def test_what_operators_do_not_say_gives_way_to_the_lines_of_its_statements(name: str) -> None:
    written = f"{{{{{UNSAYABLE[name]}}}}}"
    text, gate = told(written)
    known = [each for each in STATEMENTS if each.id in re.split(r"[:+,*]", UNSAYABLE[name])]
    assert gate.refused == [written]
    assert text == "\n".join(each.own_line for each in known)


@pytest.mark.parametrize("lie", [
    "{{sum:s1.o1+s2.o1}} per person", "Only {{sum:s1.o1+s2.o1}}", "A week: {{times:s1.o1*3}}", "{{share:s1.o1/2}} off",
])  # fmt: skip
def test_no_claim_is_put_beside_what_was_worked_out(lie: str) -> None:
    text, gate = told(lie)
    assert gate.refused
    assert text == told("".join(re.findall(r"{{.*}}", lie)))[0]


def test_without_words_of_its_own_a_catalogue_has_no_operators() -> None:
    gate = Gate(Catalogue(STATEMENTS, HARMLESS))
    assert gate.feed("{{sum:s1.o1+s2.o1}}") + gate.rest() == "\n".join(STATEMENTS[at].own_line for at in (0, 2))


@given(st.data())
def test_sums_and_differences_are_exact(data: st.DataObject) -> None:
    one, other = (data.draw(st.integers(0, 10**12)) for _ in range(2))
    pair = [priced("a", one, "One"), priced("b", other, "Other")]
    made = Catalogue(pair, HARMLESS, arithmetic=Arithmetic("en", lambda amount, unit: f"{amount} agorot"))
    for operator, result in (("sum:a+b", one + other), ("difference:a-b", abs(one - other))):
        (statement,) = made.put(operator)
        assert statement
        assert f"{result} agorot" in statement.text or (result == 0 and "no more" in statement.text)


@given(st.text(alphabet="sum:difernchao.1o2+-*/, {}", max_size=60))
def test_no_slot_of_any_form_is_taken_for_a_fact(slot: str) -> None:
    text, gate = told(f"{{{{{slot}}}}}")
    assert len(sentences(text.replace("\n", " "))) <= 3 or gate.refused
