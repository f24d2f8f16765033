"""The model and the checkers, which share no code, are of one mind about any roster of any small ward."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from patience import HANGS_S
from roster_limits import with_pasts
from roster_models import cost_parts
from roster_strategies import rosters, wards, with_days_after

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import cost_by_kind
from wavegraph.tools.roster.cpsat.solve import solve
from wavegraph.tools.roster.problem.prices import NO_PENALTIES, Penalties, Prices
from wavegraph.tools.roster.ward.ward import Ward

PRICED = {"coverage", "skill_mix"}
"""Breaches that the model prices instead of forbidding them."""


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_model_accepts_what_the_checkers_pass(data: st.DataObject) -> None:
    ward = data.draw(st.one_of(wards().flatmap(with_pasts), wards().flatmap(with_days_after)))
    roster = data.draw(rosters(ward))
    breaches = {found.type for found in check_compliance(ward, roster).breaches}
    parts = cost_parts(ward, roster, Penalties())
    assert (parts is not None) == (breaches <= PRICED)
    if parts is not None:
        assert bool(parts.get("minimum", 0) + parts.get("in_charge", 0)) == bool(breaches)
        prices = Prices.make(Penalties(), {})
        counted = {kind: cost / prices.scale for kind, cost in cost_by_kind(ward, roster, prices).items()}
        assert {kind: parts.get(kind, 0) for kind in counted} == counted


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(wards())
def test_what_the_solver_makes_passes(ward: Ward) -> None:
    result = solve(ward, penalties=NO_PENALTIES, seconds=HANGS_S, workers=1)
    assert result.status in ("optimal", "infeasible")
    if result.roster is not None:
        assert {found.type for found in check_compliance(ward, result.roster).breaches} <= PRICED
        counted = cost_by_kind(ward, result.roster, Prices.make(NO_PENALTIES, {}))
        assert result.bound == result.cost == sum(counted.values())
