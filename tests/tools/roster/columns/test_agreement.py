"""Columns against the checkers and against CP-SAT: three accounts of the same rules that share no code."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from patience import HANGS_S
from roster_limits import with_pasts
from roster_models import small_ward
from roster_strategies import rosters, wards, with_days_after

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import cost_by_kind
from wavegraph.tools.roster.cpsat import solve as cpsat
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import NO_PENALTIES, Penalties, Prices
from wavegraph.tools.roster.ward.ward import FollowedBy, Roster, Ward

pytest.importorskip("highspy")

from wavegraph.tools.roster.columns.build_nurse_models import build_nurse_models
from wavegraph.tools.roster.columns.counters import Ints
from wavegraph.tools.roster.columns.master_rows import build_master_rows
from wavegraph.tools.roster.columns.solve import solve

PRICED = {"coverage", "skill_mix"}
"""Breaches that cost instead of being forbidden."""
FEW = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


def labels(instance: Instance, roster: Roster) -> list[Ints]:
    off = len(instance.shifts)
    rows = (roster[nurse.id] for nurse in instance.nurses)
    return [np.array([off if cell is None else instance.shift_index[cell] for cell in row]) for row in rows]


@MANY
@given(st.data())
def test_a_row_is_legal_exactly_when_the_checks_find_no_breach(data: st.DataObject) -> None:
    ward = data.draw(st.one_of(wards(), wards().flatmap(with_days_after)))
    roster = data.draw(rosters(ward))
    instance = Instance(ward)
    persons = build_nurse_models(instance, Prices.make(NO_PENALTIES, {}))
    for model in persons:
        model.active.clear()  # take nothing for granted
    legal = all(math.isfinite(p.judge(row)[0]) for p, row in zip(persons, labels(instance, roster), strict=True))
    assert legal == ({found.type for found in check_compliance(ward, roster).breaches} <= PRICED)


@MANY
@given(st.data())
def test_columns_and_rows_add_up_to_what_the_roster_costs(data: st.DataObject) -> None:
    """Machines, counters and rows on one side, the roster counted by hand on the other."""
    ward = data.draw(with_pasts(data.draw(wards())))
    roster = data.draw(rosters(ward))
    instance = Instance(ward)
    prices = Prices.make(Penalties(), {"fatigue_high": 1.5})
    persons, rows = build_nurse_models(instance, prices), labels(instance, roster)
    joined = build_master_rows(instance, prices)
    for model in persons:
        model.active.clear()
    judged = [p.judge(row)[0] for p, row in zip(persons, rows, strict=True)]
    if all(map(math.isfinite, judged)):
        activity = sum(joined.activity(n, row) for n, row in enumerate(rows))
        assert sum(judged) + joined.cost(np.asarray(activity)) == sum(cost_by_kind(ward, roster, prices).values())


def counted_by_hand(ward: Ward, roster: Roster, penalties: Penalties) -> float:
    prices = Prices.make(penalties, {})
    return sum(cost_by_kind(ward, roster, prices).values()) / prices.scale


def compare(ward: Ward, penalties: Penalties) -> None:
    """The same feasibility; a bound below CP-SAT's optimum and a roster not below it; proven only when equal."""
    known = cpsat.solve(ward, penalties=penalties, seconds=HANGS_S, workers=1)
    found = solve(ward, penalties=penalties, work=0.05, seconds=HANGS_S)
    assert (found.roster is None) == (known.status == "infeasible")
    if known.cost is None or found.cost is None or found.roster is None:
        assert found.status == "infeasible"
        return
    assert known.status == "optimal"
    assert found.bound <= known.cost
    assert found.cost >= known.cost
    assert sum(found.parts.values()) == found.cost == counted_by_hand(ward, found.roster, penalties)
    assert known.roster is not None
    assert known.cost == counted_by_hand(ward, known.roster, penalties)
    assert {breach.type for breach in check_compliance(ward, found.roster).breaches} <= PRICED
    assert (found.status == "optimal") == (found.bound == found.cost)


@FEW
@given(wards())
def test_cover_wishes_and_pairs_against_cp_sat(ward: Ward) -> None:
    compare(ward, NO_PENALTIES)


@FEW
@given(wards().flatmap(with_pasts))
def test_every_penalty_against_cp_sat(ward: Ward) -> None:
    compare(ward, Penalties())


@pytest.mark.parametrize(
    ("tail", "early", "late"),
    [("EEEEL-E", "0000111", "1001000"), ("EEEEL-E", "1110010", "0011111"), ("EE-EEEE", "1111101", "0000000")],
)
def test_a_fortnight_that_begins_in_the_tail_and_ends_with_the_horizon(tail: str, early: str, late: str) -> None:
    """Two rest days in it make up a week without any."""
    past = {"tail": [None if cell == "-" else cell for cell in tail]}
    nurses = {"ann": {"contract": {"min_run": 2}, "history": past}}
    compare(small_ward({"E": early, "L": late}, nurses, rules={"weekly_rest_hours": 35}), NO_PENALTIES)


def test_a_period_without_a_weekend_lacks_all_that_the_contract_asks_for() -> None:
    nurses = {"ann": {"contract": {"working_weekends": {"least": 2, "under_weight": 7}}}}
    ward = small_ward({"D": "111"}, nurses)
    compare(ward, NO_PENALTIES)
    assert solve(ward, seconds=HANGS_S).parts["totals"] == 14


@pytest.mark.parametrize(
    ("tail", "row", "after"),
    [("-----", "EEEEEEE", "--"), ("", "LLLLLL-", "E"), ("-------", "EEEE-EE", "EEEEE-"), ("------", "-EEEEEE", "E--")],
)
def test_a_week_s_rest_is_averaged_over_all_that_is_known(tail: str, row: str, after: str) -> None:
    """Days after the period count as those before it do."""
    cells = [[None if cell == "-" else cell for cell in days] for days in (tail, row, after)]
    ward = small_ward({"E": "0", "L": "0"}, {"ann": {"history": {"tail": cells[0]}}}, rules={"weekly_rest_hours": 35})
    ward = ward.changed(days=7, followed_by=FollowedBy(roster={"ann": cells[2]}, version="V2"))
    [model] = build_nurse_models(instance := Instance(ward), Prices.make(NO_PENALTIES, {}))
    [labelled] = labels(instance, roster := {"ann": cells[1]})
    assert math.isfinite(model.cost_of(labelled)) == (not check_compliance(ward, roster).breaches)
