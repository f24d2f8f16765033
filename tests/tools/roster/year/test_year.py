"""A long ward, solved part by part: legal over the whole time, at the cost that the checkers count."""

from datetime import date, time, timedelta

import pytest
from patience import HANGS_S

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import NO_PENALTIES
from wavegraph.tools.roster.ward.ward import (
    Contract,
    Demand,
    FollowedBy,
    Leave,
    Nurse,
    Roster,
    Rules,
    Shift,
    Ward,
    Wish,
)

pytest.importorskip("highspy")

from wavegraph.tools.roster.loop.solver import solve as agent
from wavegraph.tools.roster.problem.result import SolveResult
from wavegraph.tools.roster.year.parts import LongWard, Part
from wavegraph.tools.roster.year.solve import is_long, solve

START = date(2026, 11, 25)
"""A Wednesday, so that the first part begins within a week."""
DAYS, NURSES = 98, 6
SATURDAY = 5
EIGHT_HOURS = 480
SHIFTS = [
    Shift(id="E", start=time(7), minutes=EIGHT_HOURS),
    Shift(id="N", start=time(22), minutes=EIGHT_HOURS, night=True, not_followed_by=["E"]),
]
CONTRACT = Contract(
    min_minutes=60 * EIGHT_HOURS, max_minutes=63 * EIGHT_HOURS, max_shifts={"N": 40}, min_run=2, max_run=5,
    min_days_off=2, max_weekends=9,
)  # fmt: skip
RULES = Rules(
    daily_rest_hours=0, weekly_rest_hours=0, weekly_hours=0, rest_after_nights_hours=0, complete_weekends=False,
    max_nights_in_a_row=None, shortage="linear", leave_credit="none",
)  # fmt: skip
PART_CELLS = 28 * NURSES
WORK = 0.2


def day(index: int) -> date:
    return START + timedelta(days=index)


def long_ward(days: int = DAYS) -> Ward:
    return Ward(
        name="Long",
        start=START,
        days=days,
        shifts=SHIFTS,
        nurses=[Nurse(id=name, contract=CONTRACT) for name in "abcdef"],
        demand=[Demand(day=day(d), shift=s.id, target=2) for d in range(days) for s in SHIFTS],
        leave=[Leave(nurse="b", day=day(d), paid=False) for d in range(24, 36) if d < days],
        wishes=[Wish(nurse="c", day=day(d), wants=False, weight=3) for d in (5, 40, 69) if d < days],
        rules=RULES,
    )


def solved(ward: Ward, seed: int = 1) -> SolveResult:
    return solve(ward, penalties=NO_PENALTIES, seconds=HANGS_S, work=WORK, seed=seed, part_cells=PART_CELLS)


@pytest.fixture(scope="module")
def found() -> SolveResult:
    return solved(long_ward())


def test_the_roster_keeps_every_rule_over_the_whole_time(found: SolveResult) -> None:
    assert found.status == "feasible"
    assert found.roster is not None
    assert {len(row) for row in found.roster.values()} == {DAYS}
    assert check_compliance(long_ward(), found.roster).breaches == []


def test_its_cost_is_that_of_the_checkers(found: SolveResult) -> None:
    assert found.roster is not None
    assert found.cost == roster_cost(long_ward(), found.roster).total == sum(found.parts.values())


def test_its_hours_are_spread_over_the_parts(found: SolveResult) -> None:
    assert found.roster is not None
    by_half = [sum(shift is not None for shift in row[: DAYS // 2]) for row in found.roster.values()]
    assert all(60 * 0.4 <= worked <= 63 * 0.6 for worked in by_half)


def test_the_same_seed_and_work_give_the_same_roster(found: SolveResult) -> None:
    again = solved(long_ward())
    assert (again.roster, again.cost) == (found.roster, found.cost)


def test_windows_only_make_a_roster_better(found: SolveResult) -> None:
    costs = [point.cost for point in found.trace]
    assert len(costs) > 1
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == found.cost


def test_a_legal_hint_is_where_the_search_begins(found: SolveResult) -> None:
    later = solve(
        long_ward(), penalties=NO_PENALTIES, hint=found.roster, seconds=HANGS_S, work=0.01, part_cells=PART_CELLS
    )
    assert later.cost is not None
    assert found.cost is not None
    assert later.cost <= found.cost
    assert later.trace[0].cost == found.cost


def test_a_part_is_its_days_with_what_is_left_of_each_contract(found: SolveResult) -> None:
    assert found.roster is not None
    part = Part(26, 54, 68)
    cut = LongWard(Instance.of(long_ward())).cut(part, found.roster, 0)
    row = found.roster["a"]
    outside = [shift for shift in row[:26] + row[68:] if shift]
    contract = cut.nurse_by_id["a"].contract
    assert (cut.start, cut.days) == (day(26), 42)
    assert contract.max_minutes == (63 - len(outside)) * EIGHT_HOURS
    assert contract.min_minutes == (60 - len(outside)) * EIGHT_HOURS
    assert contract.max_shifts == {"N": 40 - outside.count("N")}
    weekends = {(d + START.weekday()) // 7 for d, shift in enumerate(row) if shift and day(d).weekday() >= SATURDAY}
    inside = {(d + START.weekday()) // 7 for d in range(26, 68)}
    assert contract.max_weekends == 9 - len(weekends - inside)
    assert cut.nurse_by_id["a"].history.tail == row[:26]
    assert {(row.nurse, cut.index(row.day)) for row in cut.locked} == {(n, d) for n in "abcdef" for d in range(28, 42)}
    assert [cut.index(leave.day) for leave in cut.leave] == list(range(10))


def test_the_agent_solves_a_year_part_by_part() -> None:
    short, long = long_ward(28), long_ward(364).changed(nurses=[Nurse(id=f"n{i}") for i in range(8)])
    assert (is_long(short), is_long(long)) == (False, True)
    stopped = agent(long.changed(leave=[], wishes=[]), penalties=NO_PENALTIES, seconds=0.0)
    assert stopped.roster is None


def test_only_the_last_part_is_followed_by_what_follows_the_ward() -> None:
    ward = long_ward().changed(followed_by=FollowedBy(roster={"a": ["E"]}))
    parts = [Part(0, 28, 35), Part(70, DAYS, DAYS)]
    rows: Roster = {nurse.id: [None] * DAYS for nurse in ward.nurses}
    cuts = [LongWard(Instance(ward)).cut(part, rows, 0) for part in parts]
    assert [cut.followed_by for cut in cuts] == [None, ward.followed_by]
