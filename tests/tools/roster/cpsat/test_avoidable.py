"""A finding is called unavoidable only where no roster is without it, with what it collides with."""

import threading
from collections import Counter
from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from patience import HANGS_S
from roster_limits import limits, with_pasts
from roster_models import on, small_ward

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.cpsat import avoidable
from wavegraph.tools.roster.cpsat.grounds import Ground
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.rules.found import FOUND
from wavegraph.tools.roster.ward.ward import Roster, Ward

unavoidable = partial(avoidable.unavoidable, seconds=HANGS_S)


def all_rosters(ward: Ward) -> list[Roster]:
    """Every roster of the ward that may be published."""
    shifts = [None, *(shift.id for shift in ward.shifts)]
    rows = list(product(shifts, repeat=ward.days))
    rosters = [
        {nurse.id: list(row) for nurse, row in zip(ward.nurses, chosen, strict=True)}
        for chosen in product(rows, repeat=len(ward.nurses))
    ]
    return [roster for roster in rosters if check_compliance(ward, roster).status == "PASS"]


def allowed_somewhere(ward: Ward, rosters: list[Roster]) -> set[str]:
    """The types that at least one of the rosters has no more of than allowed."""
    kinds: set[str] = set()
    for roster in rosters:
        counts = Counter(found.type for found in check_empathy(ward, roster).findings)
        kinds |= {kind for kind in FOUND if counts[kind] <= (ward.fairness.allowed[kind] or 0)}
    return kinds


@st.composite
def tiny_wards(draw: st.DrawFn) -> Ward:
    """One nurse for four days or two for two, with a tail."""
    names, days = draw(st.sampled_from(((("ann",), 4), (("ann", "ben"), 2))))
    shifts = dict.fromkeys(("D", "N"), "0" * days)
    staff = {name: {"history": {"tail": draw(st.sampled_from(([], ["D", "D"], ["N"], ["D", None])))}} for name in names}
    cells = [(day, shift) for day in range(days) for shift in shifts]
    rows = [{"day": on(d), "shift": s, "minimum": 1, "target": 1} for d, s in draw(st.sets(st.sampled_from(cells)))]
    leave = [{"nurse": "ann", "day": on(day)} for day in draw(st.sets(st.integers(0, days - 1), max_size=1))]
    rules = {"daily_rest_hours": draw(st.sampled_from((0, 11)))}
    ward = small_ward(shifts, staff, demand=rows, leave=leave, rules=rules)
    return draw(with_pasts(ward)).changed(fairness=draw(limits(most=1)))


def with_past(*, fatigue: float = 0, target: int | None = None, **history: int) -> dict[str, Any]:
    return {"fatigue": fatigue, "contract": {"target_minutes": target}, "history": {"target_minutes": 1200, **history}}


WORKED_MORE_THAN_ANN = small_ward(
    {"N": "00"},
    {"ann": with_past(), "ben": with_past(fatigue=0.9, target=1440, minutes=4800)},
    fairness={"allowed": {"underutilization": 0, "fatigue_night": 0}, "shift_minutes": 0, "history_share": 0.15},
)
"""Two nights are enough for ben by what ann worked before, and too few of his contract's hours."""


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(tiny_wards())
@example(WORKED_MORE_THAN_ANN)
def test_claims_are_those_of_every_roster_there_is(ward: Ward) -> None:
    rosters = all_rosters(ward)
    assume(rosters)
    claims = unavoidable(ward, list(FOUND))
    assert claims.keys() == FOUND.keys() - allowed_somewhere(ward, rosters)
    assert all(any(ground.rule.kind == kind for ground in grounds) for kind, grounds in claims.items())


def staff(**contract: Any) -> dict[str, Any]:
    return {"contract": contract}


def test_leave_that_leaves_too_few_hours() -> None:
    away = [{"nurse": "ann", "day": on(day), "paid": False} for day in range(6)]
    ward = small_ward({"D": "0000000"}, {"ann": staff(target_minutes=2400), "ben": None}, leave=away)
    claims = unavoidable(ward, ["underutilization", "overwork"])
    assert claims.keys() == {"underutilization"}
    assert Ground(RuleId("underutilization"), "ann") in claims["underutilization"]
    assert {ground.rule.kind for ground in claims["underutilization"]} == {"underutilization", "leave"}
    assert unavoidable(ward.model_copy(update={"leave": []}), ["underutilization"]) == {}


def test_paid_leave_is_hours() -> None:
    away = [{"nurse": "ann", "day": on(day)} for day in range(6)]
    ward = small_ward({"D": "0000000"}, {"ann": staff(target_minutes=2400)}, leave=away)
    assert unavoidable(ward, ["underutilization", "overwork"]) == {}


def test_nights_that_only_one_may_take() -> None:
    rows = [{"day": on(day), "shift": "N", "minimum": 1, "target": 1} for day in range(7)]
    ward = small_ward({"N": "0000000"}, {"ann": None, "ben": staff(max_nights=1)}, demand=rows)
    grounds = unavoidable(ward, ["night_concentration"])["night_concentration"]
    assert Ground(RuleId("night_concentration"), "ann") in grounds
    assert Ground(RuleId("most_nights"), "ben") in grounds
    assert any(ground.rule == RuleId("minimum", "N", needed=1) for ground in grounds)
    freed = ward.model_copy(
        update={"nurses": [nurse.model_copy(update={"contract": ward.nurses[0].contract}) for nurse in ward.nurses]}
    )
    assert unavoidable(freed, ["night_concentration"]) == {}


def test_a_tired_nurse_nobody_can_stand_in_for() -> None:
    rows = [{"day": on(0), "shift": "N", "minimum": 1, "target": 1}]
    ward = small_ward({"N": "00"}, {"ann": {"fatigue": 0.75}}, demand=rows)
    assert set(unavoidable(ward, ["fatigue_night"])["fatigue_night"]) == {
        Ground(RuleId("fatigue_night"), "ann"),
        Ground(RuleId("minimum", "N", needed=1), None, ward.start),
    }


def test_the_target_is_held_where_there_is_no_minimum() -> None:
    ward = small_ward({"N": "10"}, {"ann": {"fatigue": 0.75}})
    assert (
        Ground(RuleId("target", "N", needed=1), None, ward.start)
        in unavoidable(ward, ["fatigue_night"])["fatigue_night"]
    )


def test_nothing_is_claimed_where_no_roster_exists() -> None:
    rows = [{"day": on(0), "shift": "N", "minimum": 2, "target": 2}]
    ward = small_ward({"N": "00"}, {"ann": {"fatigue": 0.75}}, demand=rows)
    assert unavoidable(ward, list(FOUND)) == {}


def test_nothing_is_claimed_without_time() -> None:
    ward = small_ward({"N": "10"}, {"ann": {"fatigue": 0.75}})
    asked = threading.Event()
    asked.set()
    assert unavoidable(ward, ["fatigue_night"], seconds=0.0) == {}
    assert unavoidable(ward, ["fatigue_night"], stop=asked) == {}


def test_any_number_is_never_too_many() -> None:
    ward = small_ward({"N": "10"}, {"ann": {"fatigue": 0.75}}, fairness={"allowed": {"fatigue_night": None}})
    assert unavoidable(ward, ["fatigue_night"]) == {}


def test_the_wards_own_limits_are_the_ones_held() -> None:
    fatigue = {"high": 0.9}
    ward = small_ward({"N": "10"}, {"ann": {"fatigue": 0.75}}, fairness={"fatigue": fatigue})
    assert unavoidable(ward, ["fatigue_night"]) == {}


def test_a_type_that_is_not_counted_is_refused() -> None:
    with pytest.raises(ValueError, match="'wish'"):
        unavoidable(small_ward({"D": "0"}), ["wish"])
