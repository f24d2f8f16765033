"""Numbers of an answer, and the lines that are dropped with an invented one."""

from dataclasses import dataclass
from typing import Any

import pytest
from scripted import outcome, planned
from states import REQUEST, state_of

from wavegraph import Catalogue, Domain, Statement
from wavegraph.graph.guard.claims import catalogue_of, drop_claims, evidence, numbers, unsupported_numbers, untraced_by
from wavegraph.graph.limits import Limits
from wavegraph.graph.request.views import answer_view
from wavegraph.graph.settings import Settings


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


def test_numbers_that_nothing_holds_are_named_once_and_in_order() -> None:
    answer = "5 or 2: 1,250 in all of 12, 21, below 33, 44 at best; 9 and 8 and 9."

    assert unsupported_numbers(answer, view_of(today="2026-11-20")) == ["8", "9"]


def test_todays_date_may_be_said() -> None:
    assert unsupported_numbers("2026-11-20", view_of(today="2026-11-20")) == []
    assert unsupported_numbers("2027", view_of(today="2026-11-20")) == ["2027"]


def test_a_models_own_reply_is_no_evidence() -> None:
    assert unsupported_numbers("77", view_of(today="2026-11-20")) == []
    assert unsupported_numbers("77", view_of(planner="a model", today="2026-11-20")) == ["77"]


def test_two_numbers_in_a_row_are_not_one() -> None:
    view = view_of(today="2026-11-20")
    view.plan["slots"] = {"sizes": [10, 20]}

    assert unsupported_numbers("10 and 20", view) == []
    assert unsupported_numbers("10,20", view) == ["10,20"]


def test_letters_stay_as_they_are() -> None:
    view = view_of(today="2026-11-20")
    view.request["text"] = "שלום"

    assert "שלום" in evidence(view)


def test_a_time_of_day_stands_as_a_whole_in_a_source() -> None:
    view = view_of(today="2026-11-20")
    view.plan["slots"] = {"opens": "07:30", "sizes": [12, 15]}

    assert unsupported_numbers("at 7:30 or 07:30", view) == []
    assert unsupported_numbers("at 12:15, at 15:30", view) == ["12:15", "15:30"]


@dataclass(frozen=True)
class Said:
    id: str
    answer: str
    untraced: list[str]


SAID = [
    Said("a statement", "Hello. 1250 units, of you.", []),
    Said("another word beside it, traced", "Hello. 1250 fine units.", []),
    Said("another word beside it, not traced", "Hello. 1251 fine units.", ["1251"]),
    Said("nothing of statements", "9 more", ["9"]),
]


@pytest.mark.parametrize("case", SAID, ids=lambda case: case.id)
def test_what_is_not_of_statements_is_traced(case: Said) -> None:
    told = Catalogue([Statement(id="units", text="1250 units")], frozenset({"hello", "of", "you"}))
    domain = Domain(name="clerk", tools=[], offline=Clerk(), statements=lambda view: told)

    assert untraced_by(domain)(case.answer, view_of(today="2026-11-20")) == case.untraced


class Clerk:
    def plan(self, view: Any) -> Any:
        raise NotImplementedError

    def respond(self, view: Any) -> str:
        raise NotImplementedError


def test_without_statements_a_domain_traces_in_its_own_way() -> None:
    own = Domain(name="clerk", tools=[], offline=Clerk(), supports=lambda answer, view: [answer])

    assert untraced_by(own)("9", view_of()) == ["9"]
    assert untraced_by(Domain(name="clerk", tools=[], offline=Clerk()))("5 for Ada at 9:15", view_of(today="2026-11-20")) == [
        "Ada", "at 9:15",
    ]  # fmt: skip


def test_a_statement_whose_claim_traces_to_nothing_is_not_offered() -> None:
    told = Catalogue([Statement(id="units", text="1250 units"), Statement(id="name", text="Box 1251")], frozenset())
    domain = Domain(name="clerk", tools=[], offline=Clerk(), statements=lambda view: told)
    view = view_of(today="2026-11-20")

    assert list(catalogue_of(domain, view).by_id) == ["units"]
    assert untraced_by(domain)("Box 1251", view) == ["1251"]


def test_a_trace_that_fails_costs_no_statement(caplog: pytest.LogCaptureFixture) -> None:
    def fails(answer: str, view: Any) -> Any:
        raise ZeroDivisionError("password hunter2")

    told = Catalogue([Statement(id="name", text="Box 1251")], frozenset())
    domain = Domain(name="clerk", tools=[], offline=Clerk(), statements=lambda view: told, supports=fails)

    assert catalogue_of(domain, view_of()) is told
    assert "the statements could not be traced: ZeroDivisionError" in caplog.text
    assert "hunter2" not in caplog.text
