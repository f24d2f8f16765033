"""A value counts as given where it stands as a whole, in the person's words or in a result."""

from dataclasses import dataclass
from typing import Any

import pytest

from wavegraph.graph.domain_tool import Source
from wavegraph.graph.guard.plan_check import Provenance, is_traced
from wavegraph.testing import ref


@dataclass(frozen=True)
class Case:
    value: Any
    said: str
    is_given: bool


WORDS = [
    Case("Dana Levi", "my name is Dana Levi.", True),
    Case("dana levi", "MY NAME IS DANA LEVI", True),
    Case("Dana Levi", "Dana-Levi speaking", True),
    Case("Dana Levi", "Levi Dana", False),
    Case("Dana", "Danas room", False),
    Case("ana", "Dana speaking", False),
    Case("Ann", "planning to come", False),
    Case("Theresa", "is there's a room", False),
    Case("Dana", "let Dan a room", False),
    Case("OBrien", "I am Pat O'Brien", True),
    Case("O'Brien", "I am Pat OBrien", True),
    Case("WGAB12CD34", "it is WG AB12 CD34", True),
    Case("דניאל", "אני דני אל הים", False),
    Case("05012345", "call 050-123 45", True),
    Case("050-12345", "call 05012345", True),
    Case("5012345", "call 05012345", False),
    Case("２", "a room for 2", True),
    Case(2, "a room for 2", True),
    Case(2, "a room for 12", False),
    Case("דנה", "החדר לדנה", True),
    Case("אבי", "החדר לאבי", True),
    Case("תמר", "החדר לתמר", True),
    Case("דנה", "ושלדנה", False),
    Case("דנה", "דנהלה", False),
    Case("Dana", "לDana", False),
    Case("%", "100 % sure", True),
    Case("%", "sure", False),
    Case(["Dana", "Noa"], "Dana and Noa", True),
    Case(["Dana", "Noa"], "Dana alone", False),
    Case({"name": "Dana", "note": ""}, "Dana", True),
    Case({"name": ["Noa"]}, "Dana", False),
    Case(None, "anything", True),
]
ADDRESSES = [
    Case("dana@example.com", "write to Dana@Example.com, please", True),
    Case(" dana@example.com ", "write to dana@example.com.", True),
    Case("dana@example.com", "<dana@example.com>", True),
    Case("ana@example.com", "dana@example.com", False),
    Case("levi@example.com", "dana.levi@example.com", False),
    Case("levi@example.com", "dana+levi@example.com", False),
    Case("dana@example.co", "dana@example.com", False),
    Case("dana@example.co", "dana@example.co.il", False),
    Case("dana@example.com", "dana@example.com-x", False),
    Case("dana@example.com", "dana@example.com@evil.example", False),
    Case("dana@example.com", "כתבו לdana@example.com", True),
    Case("dana@example.com", "כתבו ל-dana@example.com", True),
    Case("dana@example.com", "x-dana@example.com", False),
    Case("dana@exampleXcom", "dana@example.com", False),
    Case("dana@example.com", "dana@exampleXcom", False),
]


@pytest.mark.parametrize("case", [*WORDS, *ADDRESSES], ids=lambda case: f"{case.value} in {case.said}")
def test_a_value_of_the_persons_words(case: Case) -> None:
    assert is_traced(case.value, "person", Provenance(["hello", case.said], [])) is case.is_given


@pytest.mark.parametrize(
    ("value", "is_given"),
    [("Q-1", True), ("q 1", True), ("Q-12", False), ("Q", False), (7, True), ("7", True), (70, False), ("--", True),
     ("%%", False), ("", True), (None, True), (["Q-1", 7], True), (["Q-1", 8], False)],
)  # fmt: skip
def test_a_value_of_the_results(value: Any, is_given: bool) -> None:
    provenance = Provenance([], [{"quote_id": "Q-1", "of": ("Q-1",)}, [7, "--", None]])

    assert is_traced(value, "results", provenance) is is_given


BY_SOURCE: list[tuple[Source, set[str]]] = [
    ("person", {"Dana"}), ("results", {"Q-1"}), ("either", {"Dana", "Q-1"}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "given"), BY_SOURCE)
def test_each_source_counts_where_it_may(source: Source, given: set[str]) -> None:
    provenance = Provenance(["Dana speaking"], ["Q-1"])

    assert {value for value in ("Dana", "Q-1", "Noa") if is_traced(value, source, provenance)} == given


@pytest.mark.parametrize(("source", "traced"), [("person", False), ("results", True), ("either", True)])
def test_a_reference_is_a_result(source: Source, traced: bool) -> None:
    assert is_traced(ref("a", "id"), source, Provenance([], [])) is traced
