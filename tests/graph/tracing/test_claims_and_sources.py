"""What an answer without statements states, held against all its sources: true answers lose nothing, inventions stand out."""

from dataclasses import dataclass
from typing import Any

import pytest
from invented import LIES, TRUE, Desk

from wavegraph import Domain
from wavegraph.graph.tracing.claims import claims_in, values_of
from wavegraph.graph.tracing.untraced import untraced

MISSED = {
    "A dozen readers are waiting for it.",
    "Three trains run on Friday.",
    "The journey takes three hours.",
    "מצאתי שלוש רכבות.",
}
"""A source holds their figure, of something else: that is for the judge."""


class Wordless:
    def plan(self, view: Any) -> Any:
        raise NotImplementedError

    def respond(self, view: Any) -> str:
        raise NotImplementedError


def domain_of(desk: Desk, **changes: Any) -> Domain:
    given: dict[str, Any] = {"name": desk.name, "tools": [], "offline": Wordless(), "prompts": {"respond": desk.prompt}}
    return Domain(**{**given, **changes})


def test_there_are_enough_of_both() -> None:
    assert min(len(TRUE), len(LIES)) >= 60


@pytest.mark.parametrize(("desk", "text"), TRUE, ids=lambda each: each if isinstance(each, str) else each.name)
def test_a_true_answer_traces_to_its_sources(desk: Desk, text: str) -> None:
    assert untraced(domain_of(desk), text.replace(r"\n", "\n"), desk.view) == []


@pytest.mark.parametrize(("desk", "text"), LIES, ids=lambda each: each if isinstance(each, str) else each.name)
def test_an_invention_does_not(desk: Desk, text: str) -> None:
    found = untraced(domain_of(desk), text, desk.view)
    assert bool(found) is (text not in MISSED)
    assert all(claim in text for claim in found)


LIBRARY = LIES[0][0]


class Template(Wordless):
    def respond(self, view: Any) -> str:
        return f"The reading room, Wing K, seats 77. {view.plan['reply']}"


def test_what_the_templates_say_is_the_domains_own() -> None:
    own = domain_of(LIBRARY, offline=Template())
    assert untraced(own, "It is Wing K, of 77 seats.", LIBRARY.view) == []


def test_a_models_own_reply_is_no_source_through_the_templates() -> None:
    LIBRARY.view.plan["reply"] = "There are 88."
    try:
        assert untraced(domain_of(LIBRARY, offline=Template()), "There are 88 of them.", LIBRARY.view) == ["88"]
    finally:
        LIBRARY.view.plan["reply"] = ""


@dataclass(frozen=True)
class Read:
    id: str
    text: str
    stated: list[tuple[str, str]]


READ = [
    Read("nothing", "Hello there, please ask.", []),
    Read("one is no figure", "One of them is the first.", []),
    Read("a composed number", "two hundred and five", [("two hundred and five", "number")]),
    Read("two numbers", "two, three", [("two", "number"), ("three", "number")]),
    Read("a word that holds a number", "tenants often wait", []),
    Read("Hebrew with a prefix", "לשלושה אנשים", [("לשלושה", "number")]),
    Read("a Hebrew day is no number", "ביום שלישי", [("יום שלישי", "weekday")]),
    Read("the verb may", "You may 2nd that", [("2nd", "order")]),
    Read("a month and a day", "May 2", [("May 2", "date")]),
    Read("a range of days", "3-5 May", [("3-5 May", "date"), ("3-5 May", "date")]),
    Read("a decimal", "4.50", [("4.50", "number")]),
    Read("a version is one number", "1.2.3", [("1.2.3", "number")]),
    Read("a number at the end", "It is 4.", [("4", "number")]),
    Read("a house number after at", "at 14", [("at 14", "number")]),
    Read("a name behind a colon", "Author: Tolstoy", [("Tolstoy", "name")]),
    Read("a name in quotes", "the book “Emma”", [("Emma", "name")]),
    Read("the beginning of a line", "- Parking\n1. Pets\n“Quiet” rooms", []),
    Read("behind a title", "Dr. Weiss is in", [("Weiss", "name")]),
    Read("Latin among Hebrew", "יש כאן wifi מהיר", [("wifi", "name")]),
    Read("a mail address", "to a.b+c@d.example.", [("a.b+c@d.example", "link")]),
    Read("a short form is no address", "e.g. this, i.e. that", []),
    Read("other digits", "٣ ספרים", [("٣", "number")]),
]  # fmt: skip


@pytest.mark.parametrize("case", READ, ids=lambda case: case.id)
def test_what_is_read(case: Read) -> None:
    assert [(each.text, each.kind) for each in claims_in(case.text)] == case.stated


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,250", {1250.0}),
        ("64,50", {64.5}),
        ("1.250,50", {1250.5}),
        ("1,250.5", {1250.5}),
        ("1.250", {1.25, 1250.0}),
        ("1,000,000", {1e6}),
        ("7", {7.0}),
    ],
)
def test_what_a_figure_may_be(text: str, values: set[float]) -> None:
    assert set(values_of(text)) == values
