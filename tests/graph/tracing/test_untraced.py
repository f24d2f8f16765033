"""Numbers of an answer, and the lines that are dropped with an invented one."""

from dataclasses import dataclass, replace
from typing import Any

import pytest
from scripted import outcome, planned
from states import REQUEST, state_of

from wavegraph import Domain
from wavegraph.graph.limits import Limits
from wavegraph.graph.request.views import answer_view
from wavegraph.graph.settings import Settings
from wavegraph.graph.tracing.untraced import drop_claims, numbers, untraced


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
    Text("a version", "1.2.3", {123}),
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
    assert drop_claims("four\nfourteen", ["four"]) == "fourteen"
    assert drop_claims("a (sauna) [x]*", ["(sauna) [x]*"]) == ""


COUNTED = outcome("count", {"sku": "12"}, data={"units": 1250})
ISSUE: Any = {"type": "low", "tool_id": "a", "message": "below 33", "severity": "warning", "rule": "low"}


def view_of(*, planner: str = "rules", **settings: Any) -> Any:
    """A view whose request names 5 and 2, its slots 21, its reply 77, its call 12, its result 1250, its issue 33, its
    details 44."""
    state = state_of([planned("a", "count", sku="12")], [COUNTED], issues=[ISSUE], messages=[], previous=None,
                     request={**REQUEST, "text": "5 of 2"}, validation={"details": {"best": 44}})  # fmt: skip
    state["plan"] |= {"slots": {"guests": 21}, "reply": "77 at most", "planner": planner}
    return answer_view(state, Settings(**settings), Limits())


class Clerk:
    def plan(self, view: Any) -> Any:
        raise NotImplementedError

    def respond(self, view: Any) -> str:
        raise NotImplementedError


def test_figures_are_traced_and_not_the_numbers_of_lists() -> None:
    view = view_of(today="2026-11-20")
    clerk = Domain(name="clerk", tools=[], offline=Clerk())

    assert untraced(clerk, "Step 9: 900 for Ada at 9:15", view) == ["900", "9:15"]


def test_a_call_with_its_arguments_and_data_is_no_list_of_two() -> None:
    view = view_of(today="2026-11-20")
    asked = replace(view, request={**view.request, "text": "how many?"})
    assert untraced(Domain(name="clerk", tools=[], offline=Clerk()), "There are 2, or 1,250.", asked) == ["2"]


def test_two_numbers_in_a_row_are_not_one() -> None:
    assert numbers("10, 20") == {10, 20}
    assert numbers("10,20") == {10.2}
