"""What an answer without statements states, held against all its sources: true answers lose nothing, inventions stand out."""

from typing import Any

import pytest
from invented import LIES, TRUE, Desk

from wavegraph import Domain
from wavegraph.graph.tracing.untraced import amounts, figures_in, known_figures, untraced

MISSED = {
    "A dozen readers are waiting for it.",
    "It is due on 5 December.",
    "It is back tomorrow.",
    "It leaves from platform 4.",
    "The fine is 0.50 pounds a day.",
    "The novel is by Leo Tolstoy.",
}
"""It has no figure in digits, or a source holds it, of something else: that is for the judge."""


class Wordless:
    def plan(self, view: Any) -> Any:
        raise NotImplementedError

    def respond(self, view: Any) -> str:
        raise NotImplementedError


def domain_of(desk: Desk, **changes: Any) -> Domain:
    given: dict[str, Any] = {"name": desk.name, "tools": [], "offline": Wordless(), "prompts": {"respond": desk.prompt}}
    return Domain(**{**given, **changes})


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


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("Hello there, two or three.", []),
        ("May 2, 2026", ["2", "2026"]),
        ("3-5 May at 9:15", ["3-5", "9:15"]),
        ("4.12.2026, or 04/12/2026", ["4.12.2026", "04/12/2026"]),
        ("It is 4.50. Or 4.", ["4.50", "4"]),
        ("1.2.3", ["1.2.3"]),
        ("٣ ספרים", ["٣"]),
    ],
)
def test_what_is_a_figure(text: str, figures: list[str]) -> None:
    assert [written for written, _ in figures_in(text)] == figures


@pytest.mark.parametrize(
    ("number", "values"),
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
def test_what_a_number_may_be(number: str, values: set[float]) -> None:
    assert set(amounts(number)) == values


@pytest.mark.parametrize(
    ("source", "figures"),
    [
        ("two hundred and five", {2, 100, 200, 5, 205}),
        ("two, three", {2, 3}),
        ("tenants often wait", set()),
        ("לשלושה אנשים", {3}),
        ("ארבעים ושניים", {40, 2, 42}),
        ("at 17:30", {17, 30, 5}),
        ({"4 beds": ["a", "b", "c"]}, {4, 3}),
        (6450, {6450, 64.5}),
        (-3, {3, 0.03}),
        (True, set()),
    ],
)
def test_what_a_source_holds(source: Any, figures: set[float]) -> None:
    assert set(known_figures(source)) == figures
