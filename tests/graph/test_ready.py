"""`ready`: the one rule for waves, order and resume."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from scripted import ledger_of, outcome, plan_of, planned
from tables import table

from wavegraph.graph.ledger import outcome_of, signature
from wavegraph.graph.ready import blocked, ready, steps, unchecked, unfinished
from wavegraph.graph.references.paths import references
from wavegraph.graph.state import CARRIED, Ledger, Plan, PlannedCall, ToolOutcome, merge_ledgers
from wavegraph.testing import ref

A, B = planned("a", "count", sku="bolt"), planned("b", "count", sku="nut")
AFTER_A = planned("c", "count", sku=ref("a", "next"))
WRITE = planned("w", "move", "write", sku="bolt")
LATER_WRITE = planned("v", "move", "write", sku="nut")
WRITE_OF_A = planned("wa", "move", "write", sku=ref("a", "next"))


ASKED: PlannedCall = {**WRITE, "asks": True}
NEEDS_IT = planned("r", "count", sku=ref("w", "next"))
ASKED_READ: PlannedCall = {**planned("q", "weigh", sku="bolt"), "asks": True}


def ended(call: PlannedCall, status: str = "ok", data: Any = None, **more: Any) -> ToolOutcome:
    return outcome(call["tool"], call["args"], status, data, **more)


REFUSED: ToolOutcome = {
    **ended(WRITE, "error", wave=0, runs=0),
    "error": {"code": "rejected", "message": "no", "retryable": False},
}
TOLD: ToolOutcome = {**ended(WRITE), "fault": {"code": "busy", "message": "later", "retryable": True}}


@dataclass(frozen=True)
class Case:
    id: str
    calls: list[PlannedCall]
    outcomes: list[ToolOutcome] = field(default_factory=list)
    ready: list[str] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    known: list[PlannedCall] = field(default_factory=list)
    """Calls of an earlier plan."""


CASES = [
    Case("nothing planned", []),
    Case("reads start together", [A, B], ready=["a", "b"], unfinished=["a", "b"]),
    Case("a read behind a reference waits", [A, AFTER_A, B], ready=["a", "b"], unfinished=["a", "c", "b"]),
    Case("and starts when it resolves", [A, AFTER_A], [ended(A, data={"next": "gear"})], ["c"], unfinished=["c"]),
    Case("a write waits for the reads before it", [A, WRITE], ready=["a"], unfinished=["a", "w"]),
    Case("also for a read whose reference has just resolved", [A, AFTER_A, WRITE, B], [ended(A, data={"next": "gear"})],
         ["c"], unfinished=["c", "w", "b"]),
    Case("also for a read that is only waiting", [AFTER_A, WRITE], unfinished=["c", "w"], known=[A]),
    Case("and goes on waiting when one behind it has ended", [AFTER_A, B, WRITE], [ended(B)], unfinished=["c", "w"],
         known=[A]),
    Case("a write whose own reference waits", [WRITE_OF_A, B], unfinished=["wa", "b"], known=[A]),
    Case("a write first runs alone", [WRITE, A], ready=["w"], unfinished=["w", "a"]),
    Case("a write runs alone after its reads", [A, WRITE, B], [ended(A)], ["w"], unfinished=["w", "b"]),
    Case("a read behind a write that a person is asked about runs before it", [ASKED, A], ready=["a"], unfinished=["w", "a"]),
    Case("and one that waits for another", [ASKED, A, AFTER_A], [ended(A, data={"next": "gear"})], ["c"], unfinished=["w", "c"]),
    Case("it waits with that one, too", [ASKED, AFTER_A, A], ready=["a"], unfinished=["w", "c", "a"]),
    Case("what waits for a call of another plan does not keep it", [ASKED, AFTER_A], ready=["w"], unfinished=["w", "c"],
         known=[A]),
    Case("then it is asked about", [ASKED, A], [ended(A)], ["w"], unfinished=["w"]),
    Case("with reads before and behind it", [A, ASKED, B], ready=["a", "b"], unfinished=["a", "w", "b"]),
    Case("what needs it waits for it", [ASKED, NEEDS_IT, A], [ended(A)], ["w"], unfinished=["w", "r"]),
    Case("and what needs that", [ASKED, NEEDS_IT, planned("s", "count", sku=ref("r", "next"))], ready=["w"],
         unfinished=["w", "r", "s"]),
    Case("what was read before it is not read again behind it", [ASKED, A], [ended(A), ended(ASKED, wave=2)]),
    Case("but behind a write that nobody is asked about", [WRITE, A], [ended(A), ended(WRITE, wave=2)], ["a"],
         unfinished=["a"]),
    Case("not where it did not happen", [ASKED, A], [ended(A), REFUSED]),
    Case("a read behind a plain write is before no question", [LATER_WRITE, ASKED, A], ready=["v"], unfinished=["v", "w", "a"]),
    Case("a read behind two writes runs before the question, too", [ASKED, LATER_WRITE, A], ready=["a"],
         unfinished=["w", "v", "a"]),
    Case("a read that is asked about comes behind the others", [ASKED_READ, A], ready=["a"], unfinished=["q", "a"]),
    Case("several of them together", [ASKED_READ, {**ASKED_READ, "id": "q2", "args": {"sku": "nut"}}, A], [ended(A)],
         ["q", "q2"], unfinished=["q", "q2"]),
    Case("a write waits for them", [ASKED_READ, WRITE], ready=["q"], unfinished=["q", "w"]),
    Case("two writes run one after the other", [WRITE, LATER_WRITE], ready=["w"], unfinished=["w", "v"]),
    Case("a read after a write starts when it ended", [A, WRITE, B], [ended(A), ended(WRITE)], ["b"], unfinished=["b"]),
    Case(
        "a failed read does not stop a write that needs nothing of it",
        [A, WRITE],
        [ended(A, "error")],
        ["w"],
        unfinished=["w"],
    ),
    Case("a failed write stops later writes", [WRITE, LATER_WRITE], [ended(WRITE, "error")], blocked=["v"]),
    Case("also when a read stands between them", [WRITE, A, LATER_WRITE], [ended(WRITE, "error"), ended(A)], blocked=["v"]),
    Case("also one that waits", [WRITE, WRITE_OF_A], [ended(WRITE, "error")], blocked=["wa"], known=[A]),
    Case("and the reads that refer to those", [WRITE, LATER_WRITE, planned("r", "count", sku=ref("v", "ticket"))],
         [ended(WRITE, "error")], blocked=["v", "r"]),
    Case("a write that has ended is not stopped any more", [WRITE, LATER_WRITE], [ended(WRITE, "error"), ended(LATER_WRITE)]),
    Case("a good write lets the next one start", [WRITE, LATER_WRITE], [ended(WRITE)], ["v"], unfinished=["v"]),
    Case("as does one that failed before and is to run once more", [{**WRITE, "plan": 2}, {**LATER_WRITE, "plan": 2}],
         [ended(WRITE, "skipped", runs=0)], ["w"], unfinished=["w", "v"]),
    Case("no write builds on a result in doubt", [A, WRITE_OF_A], [{**ended(A, data={"next": "gear"}), "doubted": True}],
         blocked=["wa"]),
    Case("a read does", [A, AFTER_A], [{**ended(A, data={"next": "gear"}), "doubted": True}], ["c"], unfinished=["c"]),
    Case("a write builds on any other result", [A, WRITE_OF_A], [ended(A, data={"next": "gear"})], ["wa"], unfinished=["wa"]),
    Case("a write of unknown end does too", [WRITE, LATER_WRITE], [ended(WRITE, "timeout")], blocked=["v"]),
    Case(
        "reads after a failed write go on",
        [WRITE, LATER_WRITE, A],
        [ended(WRITE, "error")],
        ["a"],
        ["v"],
        unfinished=["a"],
    ),
    Case("a write that told a failure in a good result stops later writes, too", [WRITE, LATER_WRITE, A],
         [TOLD], ["a"], ["v"], ["a"]),
    Case("a failed call's dependants are blocked", [A, AFTER_A, B], [ended(A, "error")], ["b"], ["c"], ["b"]),
    Case(
        "a chain of them too",
        [A, AFTER_A, planned("d", "count", sku=ref("c", "next")), planned("e", "weigh", sku=ref("d"))],
        [ended(A, "error")],
        blocked=["c", "d", "e"],
    ),
    Case("a path that leads nowhere blocks", [A, AFTER_A], [ended(A, data={"other": 1})], blocked=["c"]),
    Case("a write that cannot run stops later writes", [A, planned("x", "move", "write", sku=ref("a", "no")), WRITE],
         [ended(A, data={})], blocked=["x", "w"]),
    Case("equal calls run once", [A, planned("again", "count", sku="bolt")], ready=["a"], unfinished=["a", "again"]),
    Case("and end together", [A, planned("again", "count", sku="bolt")], [ended(A)]),
    Case("a good outcome is reused", [planned("a2", "count", plan=2, sku="bolt"), B], [ended(A)], ["b"], [], ["b"]),
    Case("a partial one is good", [A, AFTER_A], [ended(A, "partial", {"next": "gear"})], ["c"], [], ["c"]),
    Case("a failure is not run again by its own plan", [A], [ended(A, "error", retryable=True)]),
    Case("a passing one is, by a later plan", [planned("a2", "count", plan=2, sku="bolt")],
         [ended(A, "timeout", retryable=True)], ["a2"], [], ["a2"]),
    Case("once", [planned("a3", "count", plan=3, sku="bolt")], [ended(A, "timeout", retryable=True, runs=2, plan=2)]),
    Case("a lasting one is not", [planned("a2", "count", plan=2, sku="bolt")], [ended(A, "error")]),
    Case("a stopped call runs when a later plan asks again", [{**LATER_WRITE, "id": "v2", "plan": 2}],
         [ended(LATER_WRITE, "skipped", runs=0)], ["v2"], [], ["v2"]),
    Case("a cut-off read runs", [A], [ended(A, "cancelled")], ["a"], [], ["a"]),
]  # fmt: skip


@table("case", CASES)
def test_ready(case: Case) -> None:
    plan, ledger = plan_of(case.calls), ledger_of([*case.known, *case.calls], case.outcomes)

    assert [step.call["id"] for step in ready(plan, ledger)] == case.ready
    assert [step.call["id"] for step in blocked(plan, ledger)] == case.blocked
    assert [step.call["id"] for step in unfinished(plan, ledger)] == case.unfinished


def test_a_write_behind_a_failed_one_is_told_from_one_behind_a_persons_no() -> None:
    failed = ledger_of([WRITE, LATER_WRITE], [ended(WRITE, "error")])
    said_no: ToolOutcome = {**ended(WRITE, "error"), "error": {"code": "rejected", "message": "no", "retryable": False}}
    refused = ledger_of([WRITE, LATER_WRITE], [said_no])

    assert [step.behind_failure for step in blocked(plan_of([WRITE, LATER_WRITE]), failed)] == [True]
    assert [step.behind_failure for step in blocked(plan_of([WRITE, LATER_WRITE]), refused)] == [False]


def test_only_a_write_is_behind_a_failed_one_and_only_where_one_failed() -> None:
    behind = planned("r", "count", sku=ref("v", "ticket"))
    failed = ledger_of([WRITE, LATER_WRITE, behind], [ended(WRITE, "error")])
    doubted = ledger_of([A, WRITE_OF_A], [{**ended(A, data={"next": "gear"}), "doubted": True}])
    nowhere = ledger_of([A, WRITE_OF_A], [ended(A, data={"other": 1})])

    assert [step.behind_failure for step in blocked(plan_of([WRITE, LATER_WRITE, behind]), failed)] == [True, False]
    for ledger in (doubted, nowhere):
        assert [step.behind_failure for step in steps(plan_of([A, WRITE_OF_A]), ledger)] == [False, False]


def test_a_persons_no_is_remembered_over_what_stands_between() -> None:
    said_no: ToolOutcome = {**ended(WRITE, "error"), "error": {"code": "rejected", "message": "no", "retryable": False}}
    calls = [WRITE, A, LATER_WRITE]
    [step] = blocked(plan_of(calls), ledger_of(calls, [said_no, ended(A)]))

    assert (step.call["id"], step.behind_failure) == ("v", False)


def test_a_call_that_waits_for_one_and_names_another_that_is_nowhere_waits() -> None:
    odd = planned("odd", "count", sku=ref("a", "next"), unit=ref("ghost"))

    assert [step.phase for step in steps(plan_of([A, odd]), ledger_of([A, odd]))] == ["ready", "waiting"]


def test_a_broken_path_is_told_from_a_failed_call() -> None:
    nowhere = ledger_of([A, AFTER_A], [ended(A, data={"other": 1})])
    failed = ledger_of([A, AFTER_A], [ended(A, "error")])

    assert [step.broken_path for step in blocked(plan_of([A, AFTER_A]), nowhere)] == [True]
    assert [step.broken_path for step in blocked(plan_of([A, AFTER_A]), failed)] == [False]
    stopped = ledger_of([WRITE, LATER_WRITE], [ended(WRITE, "error")])
    assert [step.broken_path for step in blocked(plan_of([WRITE, LATER_WRITE]), stopped)] == [False]


def test_a_blocked_step_says_why() -> None:
    behind = planned("r", "count", sku=ref("v", "ticket"))
    calls = [WRITE, LATER_WRITE, behind, A, WRITE_OF_A]
    ledger = ledger_of(calls, [ended(WRITE, "error"), ended(A, data={"next": "gear"})])

    assert [(step.call["id"], step.why) for step in blocked(plan_of(calls), ledger)] == [
        ("v", "an earlier write of this plan failed"),
        ("r", "it needs v, which was stopped"),
        ("wa", "an earlier write of this plan failed"),
    ]
    doubted = ledger_of([A, WRITE_OF_A], [{**ended(A, data={"next": "gear"}), "doubted": True}])
    assert [s.why for s in blocked(plan_of([A, WRITE_OF_A]), doubted)] == ["a check found something wrong with a"]


def test_results_that_came_over_are_unchecked_until_they_are_checked() -> None:
    """One that a write has overtaken is to be read anew, and is none of them."""
    before, after = planned("a", "count", sku="bolt"), planned("b", "count", sku="nut")
    calls = [before, WRITE, after, planned("c", "count", sku="gear"), planned("d", "count", sku=ref("c", "no"))]
    came_over = [ended(before, wave=CARRIED), ended(after, wave=CARRIED), ended(WRITE, wave=1)]
    here = ended(calls[3], wave=1, data={})

    assert [step.call["id"] for step in unchecked(plan_of(calls), ledger_of(calls, [*came_over, here]))] == ["a"]
    assert unchecked(plan_of([calls[3]]), ledger_of(calls, [here])) == []


def test_a_ready_step_carries_resolved_arguments() -> None:
    ledger = ledger_of([A, AFTER_A], [ended(A, data={"next": ["gear", 3]})])
    [step] = ready(plan_of([A, AFTER_A]), ledger)

    assert step.args == {"sku": ["gear", 3]}
    assert step.signature == signature("count", {"sku": ["gear", 3]})


# Properties: random plans, driven by random ends.


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Up to eight calls; a reference points to an earlier call, as the plan check would insist."""
    calls: list[PlannedCall] = []
    for index in range(draw(st.integers(0, 8))):
        effect = draw(st.sampled_from(["read", "read", "write"]))
        args: dict[str, Any] = {"n": draw(st.integers(0, 3))}
        if calls and draw(st.booleans()):
            args["m"] = ref(draw(st.sampled_from(calls))["id"], draw(st.sampled_from(["x", "nowhere"])))
        calls.append(planned(f"c{index}", f"{effect}_tool", effect, **args))
    return plan_of(calls)


def run_to_the_end(plan: Plan, draw: Any) -> tuple[Ledger, list[list[str]]]:
    ledger, waves = ledger_of(plan["tools"]), []
    for wave in range(1, len(plan["tools"]) + 2):
        now = ready(plan, ledger)
        if not now:
            return ledger, waves
        waves.append([step.call["id"] for step in now])
        for step in now:
            status = draw(st.sampled_from(["ok", "ok", "partial", "error", "timeout"]))
            made = outcome(step.call["tool"], step.args, status, {"x": 5}, wave=wave, retryable=draw(st.booleans()))
            ledger = merge_ledgers(ledger, ledger_of([], [made]))
    raise AssertionError("more waves than calls: it never ends")


@given(plans(), st.data())
def test_driving_ready_ends_with_every_call_finished_or_blocked(plan: Plan, data: Any) -> None:
    ledger, _ = run_to_the_end(plan, data.draw)

    assert {step.phase for step in steps(plan, ledger)} <= {"finished", "blocked"}


@given(plans(), st.data())
def test_nothing_starts_before_what_it_needs_or_behind_an_unfinished_write_and_no_signature_twice(
    plan: Plan, data: Any
) -> None:
    ledger = ledger_of(plan["tools"])
    order = [call["id"] for call in plan["tools"]]
    started: list[str] = []
    while now := ready(plan, ledger):
        open_writes = [
            step.call["id"]
            for step in steps(plan, ledger)
            if step.call["effect"] == "write" and step.phase in ("ready", "waiting")
        ]
        for step in now:
            before = [name for name in open_writes if order.index(name) < order.index(step.call["id"])]
            assert not before, f"{step.call['id']} started behind {before}"
            needed = {name for name, _ in references(step.call["args"])}
            assert all(outcome_of(name, ledger) for name in needed), f"{step.call['id']} ran before what it needs"
            assert step.call["effect"] == "read" or len(now) == 1, "a write ran beside something"
            assert step.signature not in started, "one signature ran twice"
            started.append(step.signature)
            status = data.draw(st.sampled_from(["ok", "error", "timeout"]))
            ledger = merge_ledgers(
                ledger, ledger_of([], [outcome(step.call["tool"], step.args, status, {"x": 5}, retryable=True)])
            )
