"""Numbers of an answer, and the lines that are dropped with an invented one."""

from dataclasses import dataclass

import pytest

from wavegraph.graph.claims import drop_claims, numbers


@dataclass(frozen=True)
class Text:
    id: str
    text: str
    values: set[float]


TEXTS = [
    Text("none", "plenty", set()),
    Text("plain", "40 bolts", {40}),
    Text("thousands", "1,250 grams", {1250}),
    Text("decimals", "2.50 each", {2.5}),
    Text("at the end of a sentence", "There are 40. And 7, too.", {40, 7}),
    Text("a list", "10, 20 and 30", {10, 20, 30}),
    Text("a date", "2026-01-17", {2026, 1, 17}),
    Text("zeros before", "007", {7}),
    Text("beside letters", "₪900 or 900NIS", {900}),
    Text("a Hebrew prefix", "ב-900 ש״ח", {900}),
]


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case.id)
def test_numbers(case: Text) -> None:
    assert numbers(case.text) == case.values


@dataclass(frozen=True)
class Line:
    id: str
    line: str
    stays: bool


LINES = [
    Line("the number itself", "only 5 left", False),
    Line("at the end", "only 5.", False),
    Line("before a comma", "5, as promised", False),
    Line("with a unit", "5kg", False),
    Line("part of a longer one", "15 or 50", True),
    Line("part of a year", "in 2025", True),
    Line("before a decimal point", "5.25 each", True),
    Line("after one", "2.5 each", True),
    Line("inside thousands", "1,5 and 5,000", True),
]


@pytest.mark.parametrize("case", LINES, ids=lambda case: case.id)
def test_a_claim_takes_only_its_own_lines(case: Line) -> None:
    kept = drop_claims(f"before\n{case.line}\nafter", ["5"])

    assert kept == (f"before\n{case.line}\nafter" if case.stays else "before\nafter")


def test_a_claim_in_words_takes_its_line() -> None:
    assert drop_claims("a sauna\na pool", ["sauna"]) == "a pool"
    assert drop_claims("a (sauna) [x]*", ["(sauna) [x]*"]) == ""
