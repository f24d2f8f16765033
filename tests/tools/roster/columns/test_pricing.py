"""The cheapest roster of one nurse: against all of them, and the compiled search against numpy's."""

from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from roster_models import small_ward
from roster_strategies import wards

from wavegraph.tools.roster.columns import pricing
from wavegraph.tools.roster.columns.automaton import Impossible
from wavegraph.tools.roster.columns.build_nurse_models import UnpricedRule, build_nurse_models
from wavegraph.tools.roster.columns.counters import Floats
from wavegraph.tools.roster.columns.nurse_model import NurseModel
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import NO_PENALTIES, Penalties, Prices
from wavegraph.tools.roster.ward.ward import Ward

SOME = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


def persons(ward: Ward, penalties: Penalties = NO_PENALTIES) -> list[NurseModel]:
    found = build_nurse_models(Instance(ward), Prices.make(penalties, {}))
    for model in found:
        model.join_in({*(automaton.rule for automaton in model.automata), *(limit.rule for limit in model.limits)})
    return found


def some_prices(model: NurseModel, seed: int) -> Floats:
    """Whole numbers, so that sums are exact in any order."""
    return model.base + np.random.default_rng(seed).integers(-20, 20, model.base.shape)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 1000), st.integers(1, 3), st.integers(1, 2), st.sampled_from([None, 3]))
def test_nothing_legal_is_cheaper(seed: int, min_run: int, min_off: int, max_run: int | None) -> None:
    """All 3^7 rows of a week, judged one by one."""
    contract = {"min_run": min_run, "min_days_off": min_off, "max_run": max_run, "max_minutes": 5 * 480}
    contract |= {"max_shifts": {"E": 3}, "max_weekends": 0 if seed % 2 else None}
    ward = small_ward({"E": "1" * 7, "D": "1" * 7}, {"ann": {"contract": contract, "fatigue": 0.6}})
    model = persons(ward, Penalties())[0]
    prices = some_prices(model, seed)
    best = pricing.rosters(model.network, prices, model.ending, 1).best
    model.active.clear()  # take nothing for granted
    rows = [np.array(row) for row in product(range(model.labels), repeat=model.days)]
    duals = prices - model.base
    assert best == min(model.judge(row)[0] + duals[np.arange(model.days), row].sum() for row in rows)


@SOME
@given(wards(), st.integers(0, 1000))
def test_the_compiled_search_finds_the_same_rosters(ward: Ward, seed: int) -> None:
    compiled = pytest.importorskip("wavegraph.tools.roster.columns.pricing_numba")
    try:
        staff = persons(ward, Penalties())
    except Impossible:
        return
    for model in staff:
        prices = some_prices(model, seed)
        known = pricing.search(model.network, prices, model.ending, 3)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pricing, "fast_search", compiled.search)
            found = pricing.rosters(model.network, prices, model.ending, 3)
        assert found.values.tolist() == known.values.tolist()
        assert found.rows.tolist() == known.rows.tolist()


def test_a_ward_of_too_many_kinds_of_shift_is_refused_by_name() -> None:
    ward = small_ward({"D": "1"}, {"ann": {}})
    shifts = [ward.shifts[0].model_copy(update={"id": f"D{i}"}) for i in range(70)]
    with pytest.raises(UnpricedRule, match="70 kinds of shift"):
        build_nurse_models(
            Instance(ward.model_copy(update={"shifts": shifts, "demand": []})), Prices.make(NO_PENALTIES, {})
        )
