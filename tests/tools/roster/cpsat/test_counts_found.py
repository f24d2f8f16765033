"""The models of the empathy check's findings count, of any roster of any small ward, what the check finds."""

from collections import Counter
from itertools import chain

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from roster_limits import limits, with_pasts
from roster_models import small_ward
from roster_strategies import rosters, wards

from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.cpsat.avoidable import Found
from wavegraph.tools.roster.cpsat.post import Poster
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules.found import FOUND, rest_minutes
from wavegraph.tools.roster.ward.ward import Roster, Ward


def counted(ward: Ward, roster: Roster) -> dict[str, int]:
    """The fewest findings of each type that the model has to admit of this very roster."""
    poster = Poster.of(Instance(ward))
    for x, works in poster.v.as_in(roster):
        poster.model.add(x == works)
    found = {kind: Found(poster.model) for kind in FOUND}
    for kind, guard in found.items():
        poster.copy(poster.model, guard).post(FOUND[kind](poster.instance))
    literals = {kind: list(guard.literals.values()) for kind, guard in found.items()}
    poster.model.minimize(sum(chain(*literals.values())))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(poster.model) == cp_model.OPTIMAL
    return {kind: sum(solver.value(literal) for literal in of) for kind, of in literals.items()}


def found_by_check(ward: Ward, roster: Roster) -> dict[str, int]:
    counts = Counter(found.type for found in check_empathy(ward, roster).findings)
    return {kind: counts[kind] for kind in FOUND}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_the_models_count_what_the_check_finds(data: st.DataObject) -> None:
    ward = data.draw(with_pasts(data.draw(wards()))).changed(fairness=data.draw(limits()))
    roster = data.draw(rosters(ward))
    assert counted(ward, roster) == found_by_check(ward, roster)


def test_numbers_finer_than_the_check_keeps_are_not_counted() -> None:
    ward, roster = small_ward({"N": "0"}, {"ann": {"fatigue": 0.90001}}), {"ann": ["N"]}
    assert found_by_check(ward, roster)["fatigue_night"] == 1
    assert counted(ward, roster)["fatigue_night"] == 0


def test_a_scale_finer_than_the_check_keeps_is_not_counted() -> None:
    fairness = {"fatigue": {"per_day_off": 0.00001}}
    ward = small_ward({"N": "0"}, {"ann": {"fatigue": 0.9}}, fairness=fairness)
    assert counted(ward, {"ann": ["N"]})["fatigue_night"] == 0


def test_shifts_that_begin_between_two_minutes_are_not_counted() -> None:
    ward = small_ward({"N": "0"}, {"ann": {"fatigue": 0.9}}, shift={"N": {"start": "22:00:30"}})
    assert counted(ward, {"ann": ["N"]})["fatigue_night"] == 0


@pytest.mark.parametrize(("worked", "found"), [(3, 1), (4, 0)])
def test_hours_at_their_very_bound_are_within(worked: int, found: int) -> None:
    """A tenth of 4800 minutes missing is allowed, and no shift is too little to be found."""
    fairness = {"under_share": 0.1, "shift_minutes": 0}
    staff = {"ann": {"contract": {"target_minutes": 4800}}}
    ward = small_ward({"D": "0000"}, staff, shift={"D": {"minutes": 1080}}, fairness=fairness)
    roster: Roster = {"ann": ["D" if day < worked else None for day in range(4)]}
    assert counted(ward, roster)["underutilization"] == found


@pytest.mark.parametrize(("hours", "minutes"), [(0.0, 0), (11.0, 660), (11.1, 666), (7.99, 480)])
def test_least_minutes_of_rest(hours: float, minutes: int) -> None:
    assert rest_minutes(hours) == minutes
