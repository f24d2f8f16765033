"""The rounds of a request: what they are read from, and which is the best."""

from pathlib import Path
from typing import Any

import pytest
from roster_models import small_ward
from roster_views import entry, issue, ledger_of, made, round_entry
from roster_wards import ROWS, rows, ward_of_two
from tables import table

from wavegraph.graph.views import ResolvedCall
from wavegraph.tools.roster.loop.round_checks import RoundChecks
from wavegraph.tools.roster.loop.rounds import best, presented_round, rank, results_of, rounds_of
from wavegraph.tools.roster.records import Generated, Reported, Round, gap_of
from wavegraph.tools.roster.store import RosterStore, StoredRoster


@pytest.fixture
def store(tmp_path: Path) -> RosterStore:
    return RosterStore(tmp_path)


def kept(store: RosterStore, cells: str = "D") -> dict[str, Any]:
    """A roster of one nurse and one day, in the store."""
    ward = store.keep_ward(small_ward({"D": "1"}))
    roster = {"ann": [None if cells == "-" else cells]}
    return {"ward_hash": ward, "roster_id": store.keep_roster(StoredRoster(ward_hash=ward, roster=roster))}


def test_a_round_has_its_issues_its_multipliers_and_the_best_bound(store: RosterStore) -> None:
    of_ann = kept(store)
    ledger = ledger_of(
        round_entry(1, **of_ann, cost=10, raised_bound=4),
        round_entry(2, 2, **of_ann, cost=12, raised_bound=9, penalty_multipliers={"overwork": 1.5}),
    )
    found = rounds_of(ledger, [issue("overwork"), issue("overwork")], store)
    assert [each.status for each in found] == ["failed", "passed"]
    assert found[0].failed == ["overwork"]
    assert [(i.type, i.nurse_id) for i in found[0].issues] == [("overwork", "ann")] * 2
    assert [each.bound for each in found] == [6, 6], "9 at prices raised by half is 6 at the base prices"
    assert found[1].penalty_multipliers == {"overwork": 1.5}


def test_what_says_how_a_round_went_is_no_failed_check(store: RosterStore) -> None:
    found = rounds_of(ledger_of(round_entry(**kept(store))), [issue("stopped_early")], store)
    assert (found[0].status, found[0].failed, found[0].issues) == ("passed", [], [])


def test_a_cut_list_still_names_its_types(store: RosterStore) -> None:
    more = issue("more_empathy", expected=["fatigue_high", "overwork"], actual=3)
    found = rounds_of(ledger_of(round_entry(**kept(store))), [issue("overwork"), more], store)
    assert found[0].failed == ["overwork", "fatigue_high"]


@pytest.mark.parametrize("status", ["ok", "partial", "cancelled"])
def test_a_round_that_was_stopped_before_its_checks_has_not_passed(store: RosterStore, status: Any) -> None:
    ward, roster = ward_of_two(), rows(**{**ROWS, "ben": "-" * 14})
    name = store.keep_ward(ward)
    made = store.keep_roster(StoredRoster(ward_hash=name, roster=roster))
    call, ended = round_entry(ward_hash=name, roster_id=made, cost=1)
    found = rounds_of(ledger_of((call, {**ended, "status": status})), [], store)[0]
    assert (found.status, found.breaches) == ("failed", len(store.report(made).compliance.breaches))
    assert found.failed == ["coverage", "skill_mix", "underutilization"]


def test_a_round_without_a_roster(store: RosterStore) -> None:
    ledger = ledger_of(round_entry(roster_id=None, cost=None, raised_cost=None, status="infeasible"))
    found = rounds_of(ledger, [issue("infeasible", rule="unavoidable")], store)
    assert (found[0].status, found[0].cost, best(found)) == ("no roster", None, None)


@pytest.mark.parametrize(
    ("ended", "failed", "may_pass"),
    [
        ({"status": "feasible"}, issue("overwork"), True),
        ({"status": "optimal"}, issue("overwork"), False),
        ({"status": "feasible"}, issue("overwork", rule="unavoidable"), False),
        ({"status": "feasible", "breaches": 2}, issue("coverage"), True),
        ({"status": "feasible", "breaches": 2, "least_breaches": 2}, issue("coverage"), False),
        ({"status": "feasible", "breaches": 3, "least_breaches": 2}, issue("coverage"), False),
        ({"status": "feasible", "all_else_from": "b" * 16}, issue("overwork"), False),
        ({"status": "feasible"}, issue("stopped_early"), False),
    ],
    ids=[
        "ended by time",
        "the cheapest",
        "unavoidable",
        "a breach",
        "a proven one",
        "more than are proven",
        "all else kept",
        "nothing failed",
    ],
)
def test_more_time_may_help_where_what_failed_is_not_proven(
    store: RosterStore, ended: Any, failed: Any, may_pass: bool
) -> None:
    found = rounds_of(ledger_of(round_entry(**kept(store), **ended)), [failed], store)
    assert found[0].may_pass is may_pass


def a_round(iteration: int, breaches: int, failed: int, cost: float) -> Round:
    return Round(
        iteration=iteration, status="failed", issues=[], penalty_multipliers={}, roster_id="a", solver="feasible",
        breaches=breaches, failed=[str(n) for n in range(failed)], cost=cost, bound=0, seconds=1,
    )  # fmt: skip


def test_ranked_by_breaches_then_failed_checks_then_cost() -> None:
    rounds = [
        a_round(1, 1, 0, 1),
        a_round(2, 0, 2, 5),
        a_round(3, 0, 1, 90),
        a_round(4, 0, 1, 80),
        a_round(5, 0, 1, 80),
    ]
    assert [each.iteration for each in sorted(rounds, key=rank)] == [4, 5, 3, 2, 1]
    found = best(rounds)
    assert found is not None
    assert found.iteration == 4


REPORTED: dict[str, Any] = {
    "ward": "Night", "ward_hash": "0" * 64, "start": "2026-11-23", "days": 3, "compliance": "PASS", "empathy": "APPROVED",
    "breaches": 0, "failed": [], "problems": [], "below_target": [], "fairness": 100, "cover_cost": 0, "wishes_cost": 0,
    "cost": 0, "lines": [],
}  # fmt: skip


def report(name: str, roster_id: str, status: str = "ok") -> Any:
    data = {**REPORTED, "roster_id": roster_id}
    return entry(name, "get_report", {"roster_id": name}, 3, status=status, data=data)


FIRST, SECOND, THIRD = (a_round(n, 0, n, n).model_copy(update={"roster_id": "bab"[n - 1]}) for n in (1, 2, 3))


@table(
    ("reports", "iteration"),
    [
        ([], 1),
        ([report("one", "a")], 2),
        ([report("one", "a"), report("two", "b")], 3),
        ([report("one", "a"), report("two", "b", "error")], 2),
        ([report("one", "of another request")], 1),
    ],
)
def test_the_round_that_is_presented(reports: list[Any], iteration: int) -> None:
    found = presented_round(ledger_of(*reports), [FIRST, SECOND, THIRD])

    assert found is not None
    assert found.iteration == iteration


def test_without_a_roster_there_is_nothing_to_present() -> None:
    assert presented_round(ledger_of(), [FIRST.model_copy(update={"roster_id": None})]) is None


def test_the_results_of_a_tool_are_those_that_went_well() -> None:
    ledger = ledger_of(report("one", "a"), report("two", "b", "error"), round_entry(), report("three", "c"))

    assert [each.roster_id for each in results_of("get_report", Reported, ledger)] == ["a", "c"]


@table(("cost", "bound", "gap"), [(200, 150, 0.25), (200, 200, 0), (200, 200.5, 0), (0, 0, 0), (0, -1, 0)])
def test_the_gap_is_what_could_be_saved_at_most(cost: float, bound: float, gap: float) -> None:
    assert gap_of(cost, bound) == pytest.approx(gap)


@pytest.mark.parametrize(("taken_back", "kind"), [(False, "stopped_early"), (True, "goes_on")])
def test_a_stop_ends_the_rounds_unless_it_was_cancelled(tmp_path: Path, taken_back: bool, kind: str) -> None:
    store, stopped = RosterStore(tmp_path), Generated.model_validate(made(asked_to_stop=True))
    if taken_back:
        store.keep_remarks("taken_back", str(stopped.roster_id), "cancelled", ["solve on"])
    call = ResolvedCall("generate_roster", "generate_roster", {})
    assert [found["type"] for found in RoundChecks(store).stopped(stopped, call)] == [kind]


@pytest.mark.parametrize(("least", "said"), [(None, True), (1, True), (2, False)])
def test_of_a_breach_that_is_not_proven_it_is_said_that_this_is_not_known(
    store: RosterStore, least: int | None, said: bool
) -> None:
    result = Generated.model_validate(made(**kept(store), breaches=2, least_breaches=least))
    issues = RoundChecks(store).compliance(result, ResolvedCall("generate_roster", "generate_roster", {}))
    open_ones = [each["message"] for each in issues if each["type"] == "breach_open"]
    told = ["a roster without a breach, or the proof that there is none, was not found in 1 s"]
    assert open_ones == (told if said else [])
