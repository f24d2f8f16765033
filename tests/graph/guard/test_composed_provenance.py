"""Where an argument comes from, also where it is referred to, or composed."""

from dataclasses import dataclass
from typing import Any

import pytest

from wavegraph.graph.domain_tool import Source
from wavegraph.graph.guard.plan_check import Provenance, is_traced
from wavegraph.testing import ref

SAID = Provenance(["Book it for Ada Lovelace, 555-12 34"], [{"id": "Q-7", "names": ["Grace"]}])
RESULT = ref("quote", "id")


def text(template: str, **values: Any) -> dict[str, Any]:
    return {"text": template, "with": values}


@dataclass(frozen=True)
class Case:
    id: str
    value: Any
    sources: list[Source]
    """Those it passes for."""


CASES = [
    Case("the person's words", "Ada Lovelace", ["person", "either"]),
    Case("a result's", "Q-7", ["results", "either"]),
    Case("nobody's", "Mallory", []),
    Case("nothing", None, ["person", "results", "either"]),
    Case("a reference", RESULT, ["results", "either"]),
    Case("an element", ref("each", "id"), ["results", "either"]),
    Case("a reference beside what nobody gave", [RESULT, "Mallory"], []),
    Case("a reference beside the person's words", [RESULT, "Ada"], ["either"]),
    Case("a text of references alone", text("{a} / {b}", a=RESULT, b=RESULT), ["results", "either"]),
    Case("a text with the person's words", text("Ada {a}", a=RESULT), ["either"]),
    Case("a text with nobody's words", text("Mallory {a}", a=RESULT), []),
    Case("a text with nobody's value", text("{a} {b}", a=RESULT, b="Mallory"), []),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_an_argument_passes_for_its_sources_alone(case: Case) -> None:
    every: list[Source] = ["person", "results", "either"]
    assert [source for source in every if is_traced(case.value, source, SAID)] == case.sources
