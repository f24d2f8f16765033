"""Open issues: what no later call has worked around."""

from dataclasses import dataclass

import pytest
from scripted import ledger_of, outcome, planned

from wavegraph.graph.state import PlannedCall, ToolOutcome, ValidationIssue
from wavegraph.graph.views import open_issues


def issue(call_id: str, kind: str = "no_availability", rule: str = "") -> ValidationIssue:
    return {"type": kind, "tool_id": call_id, "message": "", "severity": "warning", "rule": rule or kind}


A = planned("a", "count", sku="gear")
A_EMPTY = outcome("count", {"sku": "gear"}, data=0)


def later(
    call_id: str, tool: str = "count", *, instead_of: str | None = None, plan: int = 2, sku: str = "bolt"
) -> PlannedCall:
    return planned(call_id, tool, plan=plan, instead_of=instead_of, sku=sku)


def good(sku: str, tool: str = "count", plan: int = 2) -> ToolOutcome:
    return outcome(tool, {"sku": sku}, data=1, plan=plan)


def told(sku: str, *doubts: str, runs: int = 1, plan: int = 1) -> ToolOutcome:
    """A result that came back and in which the check found this, as `call id|rule`; nothing said = an older thread."""
    found = {**outcome("count", {"sku": sku}, data=0, runs=runs, plan=plan), "doubted": True}
    return {**found, "doubts": list(doubts)} if doubts else found  # type: ignore[typeddict-item, return-value]


AGAIN = planned("again", "count", plan=2, sku="gear")
REREAD = outcome("count", {"sku": "gear"}, data=7, runs=2, plan=2)


@dataclass(frozen=True)
class Case:
    id: str
    calls: list[PlannedCall]
    outcomes: list[ToolOutcome]
    issues: list[ValidationIssue]
    open: list[str]


CASES = [
    Case("nothing found", [A], [A_EMPTY], [], []),
    Case("nothing done about it", [A], [A_EMPTY], [issue("a")], ["a"]),
    Case("another way that says so", [A, later("b", instead_of="a")], [A_EMPTY, good("bolt")], [issue("a")], []),
    Case("by another tool, too", [A, later("b", "weigh", instead_of="a")], [A_EMPTY, good("bolt", "weigh")], [issue("a")], []),
    Case("the same tool later, unsaid", [A, later("b")], [A_EMPTY, good("bolt")], [issue("a")], []),
    Case("another tool, unsaid", [A, later("b", "weigh")], [A_EMPTY, good("bolt", "weigh")], [issue("a")], ["a"]),
    Case("the same tool beside it", [A, later("b", plan=1)], [A_EMPTY, good("bolt", plan=1)], [issue("a")], ["a"]),
    Case("instead of something else", [A, later("b", instead_of="z")], [A_EMPTY, good("bolt")], [issue("a")], ["a"]),
    Case("a way round that failed", [A, later("b", instead_of="a")],
         [A_EMPTY, outcome("count", {"sku": "bolt"}, "error", plan=2)], [issue("a"), issue("b", "error")], ["a", "b"]),
    Case("a way round with its own trouble", [A, later("b", instead_of="a")], [A_EMPTY, good("bolt")],
         [issue("a"), issue("b")], ["a", "b"]),
    Case("a way round a way round closes both", [A, later("b", instead_of="a"), later("c", plan=3, sku="nut", instead_of="b")],
         [A_EMPTY, good("bolt"), good("nut", plan=3)], [issue("a"), issue("b")], []),
    Case("the same troubled result again", [A, later("again", sku="gear")], [A_EMPTY], [issue("a")], ["a"]),
    Case("and when it says instead_of", [A, later("again", sku="gear", instead_of="a")], [A_EMPTY], [issue("a")], ["a"]),
    Case("a second run that went well", [A, later("again", sku="gear")], [good("gear")], [issue("a", "timeout")], []),
    Case("a call not yet run", [A, later("b", instead_of="a")], [A_EMPTY], [issue("a")], ["a"]),
    Case("a ring of instead_of", [A, later("b", instead_of="c"), later("c", instead_of="b", sku="nut")],
         [A_EMPTY, good("bolt"), good("nut")], [issue("a")], ["a"]),
    Case("an issue of no call", [A], [A_EMPTY], [issue("")], [""]),
    Case("an error told in a good result", [A], [told("gear", "a|error")], [issue("a", "error")], ["a"]),
    Case("a time-out told in one", [A], [told("gear", "a|timeout")], [issue("a", "timeout")], ["a"]),
    Case("told by an older thread, which does not say by what", [A], [told("gear")], [issue("a", "error")], ["a"]),
    Case("told first, good when run again", [A, AGAIN], [REREAD], [issue("a", "error")], []),
    Case("told as no data of the kind, good when run again", [A, AGAIN], [REREAD], [issue("a", "unexpected_data")], []),
    Case("none left, some when looked up again", [A, AGAIN], [REREAD], [issue("a")], []),
    Case("told twice", [A, AGAIN], [told("gear", "again|error", runs=2, plan=2)],
         [issue("a", "error"), issue("again", "error")], ["again"]),
    Case("timed out, then none left", [A, AGAIN], [told("gear", "again|no_availability", runs=2, plan=2)],
         [issue("a", "timeout"), issue("again")], ["again"]),
    Case("another error in the same result of two equal calls", [A, planned("b", "count", sku="gear")],
         [told("gear", "a|error", "b|error")], [issue("a", "error"), issue("b", "error")], ["a", "b"]),
    Case("one of two calls that failed, good when run again", [A, planned("b", "count", sku="nut"), AGAIN],
         [REREAD, outcome("count", {"sku": "nut"}, "error")], [issue("a", "error"), issue("b", "error")], ["b"]),
    Case("told, and another way found", [A, later("b")], [told("gear", "a|error"), good("bolt")], [issue("a", "error")], []),
    Case("told, and failed when run again", [A, AGAIN], [outcome("count", {"sku": "gear"}, "timeout", runs=2, plan=2)],
         [issue("a", "error"), issue("again", "timeout")], ["a", "again"]),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_open_issues(case: Case) -> None:
    found = open_issues(case.issues, ledger_of(case.calls, case.outcomes))

    assert [one["tool_id"] for one in found] == case.open
