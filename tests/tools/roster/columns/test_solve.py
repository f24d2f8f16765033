"""Statuses, work, progress, hints: how a solve by columns behaves."""

import threading
from dataclasses import dataclass
from typing import Any

import pytest
from benchmarks.roster_curtois import read_curtois
from patience import HANGS_S
from roster_models import on, small_ward
from roster_wards import CURTOIS

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.problem.prices import NO_PENALTIES
from wavegraph.tools.roster.ward.ward import Roster, Ward

pytest.importorskip("highspy")

from wavegraph.tools.roster.columns import neighbourhoods
from wavegraph.tools.roster.columns.master_problem import LinearOptimum, MasterProblem
from wavegraph.tools.roster.columns.solve import solve
from wavegraph.tools.roster.cpsat.solve import solve as cpsat


def busy_ward(nurses: int = 7, days: int = 14) -> Ward:
    contract = {"max_minutes": 480 * days // 2, "max_run": 4, "min_run": 2, "min_days_off": 2, "max_weekends": 1}
    staff = {f"n{i}": {"contract": contract} for i in range(nurses)}
    return small_ward({"E": "3" * days, "L": "2" * days}, staff, rules={"daily_rest_hours": 11})


def test_infeasible_by_the_tail_alone() -> None:
    """Five days in a row at most, five worked before, and a lock on the sixth."""
    nurse = {"contract": {"max_run": 5}, "history": {"tail": ["D"] * 5}}
    locked = [{"nurse": "ann", "day": on(0), "shift": "D"}]
    for hint in (None, {"ann": ["D", None]}):
        result = solve(small_ward({"D": "11"}, {"ann": nurse}, locked=locked), seconds=HANGS_S, hint=hint)
        assert (result.status, result.roster) == ("infeasible", None)


def test_no_day_can_follow_the_tail() -> None:
    """A single night may not be all her run, no second night may follow, and the day shift begins too soon."""
    nurse = {"contract": {"min_run": 2, "max_night_run": 1}, "history": {"tail": [None, "N"]}}
    ward = small_ward({"D": "1", "N": "1"}, {"ann": nurse}, rules={"daily_rest_hours": 9})
    assert solve(ward, seconds=HANGS_S).status == "infeasible"


def test_a_nurse_who_has_worked_too_much_before_only_costs_what_is_more() -> None:
    """Two shifts too many before the period, which cost 20 each whoever works now; ben works all seven days for nothing."""
    band = {"most": 1, "over_weight": 20, "carried": True}
    ann = {"contract": {"assignments": band}, "history": {"assignments": 3}}
    result = solve(small_ward({"D": "1111111"}, {"ann": ann, "ben": {}}), penalties=NO_PENALTIES, seconds=HANGS_S)
    assert (result.status, result.cost, result.bound) == ("optimal", 40, 40)


def test_every_rule_is_kept_and_the_cost_is_the_checkers() -> None:
    ward = busy_ward()
    result = solve(ward, penalties=NO_PENALTIES, work=0.2, seconds=HANGS_S)
    assert result.roster is not None
    assert check_compliance(ward, result.roster).breaches == []
    assert result.cost == roster_cost(ward, result.roster).total
    assert 0 < result.bound <= result.cost
    assert [point.cost for point in result.trace] == sorted({point.cost for point in result.trace}, reverse=True)
    assert result.trace[-1].cost == result.cost


def test_progress_only_ever_gets_better() -> None:
    told: list[tuple[float, float]] = []
    solve(busy_ward(), work=0.1, seconds=HANGS_S, on_progress=lambda cost, bound, _: told.append((cost, bound)))
    assert [cost for cost, _ in told] == sorted((cost for cost, _ in told), reverse=True)
    assert [bound for _, bound in told] == sorted(bound for _, bound in told)
    assert len({bound for _, bound in told}) > 1


def test_the_search_goes_on_from_a_hint() -> None:
    ward = busy_ward()
    known = solve(ward, penalties=NO_PENALTIES, work=0.1, seconds=HANGS_S)
    again = solve(ward, penalties=NO_PENALTIES, work=0.001, seconds=HANGS_S, hint=known.roster)
    assert again.trace[0].cost == known.cost


def test_a_hint_is_taken_as_it_is_whatever_it_costs() -> None:
    """Ann works alone between days off, which costs more than working otherwise, and nobody has asked her to."""
    ward = small_ward({"D": "0000000"}, {"ann": {"fatigue": 0.9}}, rules={"complete_weekends": True})
    seen: list[float] = []
    stop = threading.Event()

    def first(cost: float, bound: float, seconds: float) -> None:
        seen.append(cost)
        stop.set()

    cells = ["D", None, "D", None, "D", "D", None]
    found = solve(ward, seconds=HANGS_S, hint={"ann": cells}, on_progress=first, stop=stop)
    known = cpsat(ward, seconds=HANGS_S, hint={"ann": cells})
    assert seen[0] == known.trace[0].cost
    assert found.roster == {"ann": cells}


def test_a_hint_that_breaks_rules_is_mended() -> None:
    """Four days in a row at most: of five wanted ones, one day gives way."""
    ward = small_ward({"D": "11111"}, {"ann": {"contract": {"max_run": 4}}})
    result = solve(ward, penalties=NO_PENALTIES, seconds=HANGS_S, hint={"ann": ["D"] * 5})
    assert result.trace[0].cost == 100


def test_the_same_work_gives_the_same_roster() -> None:
    first, second = (solve(busy_ward(), work=0.1, seconds=HANGS_S, seed=7) for _ in range(2))
    assert first.roster == second.roster
    assert [p.cost for p in first.trace] == [p.cost for p in second.trace]


@pytest.mark.skipif(not CURTOIS.exists(), reason="the benchmark's instances are not here")
@pytest.mark.parametrize(("number", "optimum"), [(2, 828), (4, 1716)])
def test_published_optima_are_proven(number: int, optimum: int) -> None:
    """Curtois and Qu: the bound of the root is the optimum."""
    ward = read_curtois(CURTOIS / f"Instance{number}.txt")
    result = solve(ward, penalties=NO_PENALTIES, seconds=HANGS_S)
    assert (result.status, result.cost, result.bound) == ("optimal", optimum, optimum)
    assert result.roster is not None
    assert roster_cost(ward, result.roster).total == optimum


def test_a_wide_ward_is_gone_through_by_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    ward = busy_ward()
    monkeypatch.setattr(neighbourhoods, "WIDE_WARD", 50)
    monkeypatch.setattr(neighbourhoods, "WINDOW_CELLS", 42)
    found = solve(ward, penalties=NO_PENALTIES, work=0.5, seconds=HANGS_S)
    assert found.roster is not None
    assert check_compliance(ward, found.roster).breaches == []
    assert found.cost == roster_cost(ward, found.roster).total
    optimum = cpsat(ward, penalties=NO_PENALTIES, seconds=HANGS_S)
    assert optimum.cost is not None
    assert found.bound <= optimum.cost <= found.cost


def test_a_search_goes_on_from_the_columns_of_another() -> None:
    """With work for a first roster alone: most of what the other had found is at hand all the same."""
    ward = busy_ward(nurses=12, days=28)
    first = solve(ward, work=0.1, seconds=HANGS_S)
    given = sum(len(rows) for rows in first.columns.values())
    alone, again = (solve(ward, work=0.005, seconds=HANGS_S, columns=known) for known in (None, first.columns))
    held = [
        sum(row in found.columns[n] for n, rows in first.columns.items() for row in rows) for found in (alone, again)
    ]
    assert held[0] < given / 2 < held[1]


def test_columns_that_break_a_rule_or_are_nobodys_are_passed_over() -> None:
    ward = small_ward({"D": "11111"}, {"ann": {"contract": {"max_run": 4}}})
    found = solve(
        ward, penalties=NO_PENALTIES, seconds=HANGS_S, columns={"ann": [["D"] * 5, ["D"] * 4 + [None]], "ben": [[]]}
    )
    assert (found.status, found.cost) == ("optimal", 100)


def test_the_columns_handed_back_hold_the_roster() -> None:
    found = solve(busy_ward(), work=0.1, seconds=HANGS_S)
    assert found.roster is not None
    assert all(row in found.columns[nurse] for nurse, row in found.roster.items())


@pytest.mark.parametrize("solved", [0, 1, 4])
def test_a_programme_out_of_time_ends_the_generation_and_not_the_search(
    monkeypatch: pytest.MonkeyPatch, solved: int
) -> None:
    ward, whole, calls = busy_ward(), MasterProblem.solve, iter(range(1000))

    def in_time(self: MasterProblem, *arguments: Any, **options: Any) -> LinearOptimum | None:
        return whole(self, *arguments, **options) if next(calls) != solved else None

    monkeypatch.setattr(MasterProblem, "solve", in_time)
    found = solve(ward, penalties=NO_PENALTIES, work=0.2, seconds=HANGS_S)
    assert found.roster is not None
    assert check_compliance(ward, found.roster).breaches == []
    assert found.bound <= roster_cost(ward, found.roster).total == found.cost


def test_a_search_without_a_roster_goes_on_and_ends_with_the_first() -> None:
    """Far too little work for any roster, and patience for one."""
    ward = small_ward({"D": "1" * 7}, {name: {"contract": {"max_run": 3}} for name in ("ann", "ben", "cem")})
    assert solve(ward, work=1e-6, seconds=HANGS_S).status == "unknown"
    found = solve(ward, work=1e-6, seconds=HANGS_S, patience=1e6)
    assert found.status == "feasible"
    assert len(found.trace) == 1


@dataclass
class Known:
    """A start that knows how many breaches every roster has, and has none to begin with."""

    least_breaches: int
    used: float = 0.0

    def begin(self) -> None:
        return None

    def mend(self, roster: Roster) -> None:
        return None


@dataclass
class Learning(Known):
    """It looks for a roster with fewer breaches in vain, and proves that each has one."""

    def mend(self, roster: Roster) -> None:
        self.least_breaches = 1


@pytest.mark.parametrize(
    ("start", "status"), [(Known(0), "optimal"), (Known(1), "feasible"), (Learning(0), "feasible")]
)
def test_patience_lasts_while_a_breach_may_be_avoided(start: Known, status: str) -> None:
    """Far too little work for any roster, and patience for one."""
    days = [{"day": on(d), "shift": "D", "minimum": 1, "target": 1} for d in range(3)]
    ward = small_ward({"D": "111"}, {"ann": {"contract": {"max_minutes": 960}}}, demand=days)
    found = solve(ward, work=1e-6, seconds=HANGS_S, patience=1e6, start=start)
    assert (found.status, found.parts["minimum"] > 0) == (status, True)
