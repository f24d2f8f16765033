"""Open issues: what no later call has worked around; and what else is read off a state."""

from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from scripted import ledger_of, outcome, plan_of, planned
from states import state_of
from tables import table

from wavegraph.graph.limits import Limits
from wavegraph.graph.request.views import answer_view, open_issues, planning_view
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import PlannedCall, ToolOutcome, ValidationIssue
from wavegraph.graph.views import AnswerView


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
    Case("a way round that failed, of which nobody told", [A, later("b", instead_of="a")],
         [A_EMPTY, outcome("count", {"sku": "bolt"}, "error", plan=2)], [issue("a")], ["a"]),
    Case("instead of it, and beside it", [A, later("b", instead_of="a", plan=1)], [A_EMPTY, good("bolt", plan=1)],
         [issue("a")], ["a"]),
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


@table("case", CASES)
def test_open_issues(case: Case) -> None:
    found = open_issues(case.issues, ledger_of(case.calls, case.outcomes))

    assert [one["tool_id"] for one in found] == case.open


# What else is read off a state


def answered(state: Any) -> AnswerView:
    return answer_view(state, Settings(), Limits())


BEFORE: list[AnyMessage] = [HumanMessage("how many?", id="m0"), AIMessage("seven", id="a0")]
REQUEST = HumanMessage("what is on the shelf?", id="m1")
OWN, OTHER, REPLY = AIMessage("shall I?", id="own"), HumanMessage("and the nuts?", id="m2"), AIMessage("seven")


@dataclass(frozen=True)
class Seen:
    id: str
    messages: list[AnyMessage]
    seen: list[AnyMessage]
    own: dict[str, str] = field(default_factory=dict)


SEEN = [
    Seen("the last request sees all", [*BEFORE, REQUEST, REPLY], [*BEFORE, REQUEST, REPLY]),
    Seen("one whose message is gone does, too", [*BEFORE, OTHER, REPLY], [*BEFORE, OTHER, REPLY]),
    Seen("one that waited sees none of the others", [*BEFORE, REQUEST, OTHER, REPLY], [*BEFORE, REQUEST]),
    Seen("but its own message", [*BEFORE, REQUEST, OWN, OTHER, REPLY], [*BEFORE, REQUEST, OWN], {"message_id": "own"}),
    Seen("wherever that stands", [*BEFORE, REQUEST, OTHER, REPLY, OWN], [*BEFORE, REQUEST, OWN], {"message_id": "own"}),
    Seen("once", [*BEFORE, REQUEST, OTHER], [*BEFORE, REQUEST], {"message_id": "a0"}),
    Seen("once, where it is the request", [*BEFORE, REQUEST, OTHER], [*BEFORE, REQUEST], {"message_id": "m1"}),
    Seen("one that no person began sees all", [AIMessage("wake up", id="m1"), REPLY], [AIMessage("wake up", id="m1"), REPLY]),
]  # fmt: skip


@table("case", SEEN)
def test_a_request_sees_the_conversation_up_to_itself(case: Seen) -> None:
    state = state_of(messages=case.messages, **case.own)

    assert answered(state).conversation == case.seen
    assert planning_view(state, Settings(), Limits(), None).conversation == case.seen


@dataclass(frozen=True)
class Left:
    id: str
    now: list[PlannedCall]
    """The calls of the second plan."""
    outcomes: list[ToolOutcome]
    unfinished: list[str]


LEFT = [
    Left("an earlier call that never ran", [later("b", "weigh")], [good("bolt", "weigh")], ["a"]),
    Left("and what the plan has still to run", [later("b", "weigh")], [], ["a", "b"]),
    Left("a call that says it stands for it", [later("b", "weigh", instead_of="a")], [good("bolt", "weigh")], []),
    Left("also before it ran", [later("b", "weigh", instead_of="a")], [], ["b"]),
    Left("the same tool asked anew", [later("b")], [good("bolt")], []),
    Left("in vain", [later("b")], [outcome("count", {"sku": "bolt"}, "error", plan=2)], ["a"]),
    Left("one that ended", [later("b", "weigh")], [A_EMPTY, good("bolt", "weigh")], []),
    Left("one that is planned again", [{**A, "plan": 2}], [], ["a"]),
]


@table("case", LEFT)
def test_what_an_earlier_plan_left_behind_is_unfinished(case: Left) -> None:
    state = state_of(case.now, ledger=ledger_of([A, *case.now], case.outcomes), plan=plan_of(case.now, number=2))

    assert answered(state).unfinished == case.unfinished


def failure(attempt: int, criterion: str, gap: str = "") -> dict[str, Any]:
    return {"attempt": attempt, "criterion": criterion, "gap": gap, "checked_by": "judge"}


FAILED = [failure(1, "clarity", "too long"), failure(2, "completeness", "no price"), failure(2, "tone")]


@table(
    ("state", "lacked"),
    [
        ({"answer_failures": FAILED, "answer_replans": 1, "rewrites": 1}, [("completeness", "no price"), ("tone", "tone")]),
        ({"answer_failures": FAILED, "answer_replans": 1}, [("clarity", "too long")]),
        ({"answer_failures": FAILED, "answer_replans": 1, "unsupported": ["7"]}, [("clarity", "too long")]),
        ({"answer_failures": [failure(1, "accuracy", "7")], "rewrites": 1, "unsupported": ["7"]}, None),
        ({"answer_failures": FAILED, "answer_replans": 3}, None),
        ({"answer_failures": []}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_what_the_answer_lacked_goes_along_to_who_writes_it_again(state: Any, lacked: Any) -> None:
    feedback = answered(state_of(**state)).feedback
    if lacked is None:
        assert feedback is None
        return
    issues = [
        {"type": "unsatisfied", "tool_id": "", "message": gap, "severity": "warning", "rule": rule}
        for rule, gap in lacked
    ]
    assert feedback == {"source": "answer", "issues": issues}
