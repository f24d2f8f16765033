"""The passes over a nurse's network, and the rosters within a limit: against all rosters of a week, and compiled."""

from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from roster_limits import with_pasts
from roster_models import small_ward
from roster_strategies import wards

from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Penalties, Prices
from wavegraph.tools.roster.ward.ward import Ward

pytest.importorskip("highspy")

from wavegraph.tools.roster.columns import pricing
from wavegraph.tools.roster.columns.automaton import Impossible
from wavegraph.tools.roster.columns.branching import passes as both
from wavegraph.tools.roster.columns.branching.enumeration import rows_within
from wavegraph.tools.roster.columns.branching.passes import passes
from wavegraph.tools.roster.columns.build_nurse_models import build_nurse_models
from wavegraph.tools.roster.columns.counters import Floats
from wavegraph.tools.roster.columns.nurse_model import NurseModel

SOME = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


def models(ward: Ward) -> list[NurseModel]:
    found = build_nurse_models(Instance(ward), Prices.make(Penalties(), {}))
    for model in found:
        model.join_in({*(automaton.rule for automaton in model.automata), *(limit.rule for limit in model.limits)})
    return found


def some_prices(model: NurseModel, seed: int) -> Floats:
    """Whole numbers, so that sums are exact in any order."""
    return model.base + np.random.default_rng(seed).integers(-20, 20, model.base.shape)


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 1000), st.integers(1, 3), st.integers(1, 2), st.sampled_from([None, 3]))
def test_all_rosters_of_a_week(seed: int, min_run: int, min_off: int, max_run: int | None) -> None:
    """All 3^7 rows, judged one by one: the cheapest through each cell, and those within a limit."""
    contract = {"min_run": min_run, "min_days_off": min_off, "max_run": max_run, "max_minutes": 5 * 480}
    contract |= {"max_shifts": {"E": 3}, "max_weekends": 0 if seed % 2 else None}
    ward = small_ward({"E": "1" * 7, "D": "1" * 7}, {"ann": {"contract": contract, "fatigue": 0.6}})
    model = models(ward)[0]
    prices = some_prices(model, seed)
    through, forward = passes(model.network, prices, model.ending)
    days, changed = np.arange(model.days), prices - model.base
    rows = [np.array(row) for row in product(range(model.labels), repeat=model.days)]
    limit = through.min() + seed % 40
    within = rows_within(model.network, prices, model.ending, forward, limit, 10_000)
    model.active.clear()  # take nothing for granted
    costs = [model.judge(row)[0] + changed[days, row].sum() for row in rows]
    least = np.full(through.shape, np.inf)
    for row, cost in zip(rows, costs, strict=True):
        least[days, row] = np.minimum(least[days, row], cost)
    assert through.tolist() == least.tolist()
    expected = {tuple(row.tolist()) for row, cost in zip(rows, costs, strict=True) if cost <= limit}
    assert within is not None
    assert {tuple(row) for row in within.tolist()} == expected
    assert len(within) == len(expected)


def test_more_rosters_than_asked_for_are_none() -> None:
    model = models(small_ward({"E": "1" * 7}))[0]
    _, forward = passes(model.network, model.base, model.ending)
    assert rows_within(model.network, model.base, model.ending, forward, 1e6, 127) is None
    every = rows_within(model.network, model.base, model.ending, forward, 1e6, 128)
    assert every is not None
    assert len(every) == 128


@SOME
@given(wards().flatmap(with_pasts), st.integers(0, 1000))
def test_the_compiled_passes_are_the_same(ward: Ward, seed: int) -> None:
    compiled = pytest.importorskip("wavegraph.tools.roster.columns.pricing_numba")
    try:
        staff = models(ward)
        for model in staff:
            prices = some_prices(model, seed)
            through, forward = passes(model.network, prices, model.ending)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(pricing, "fast_search", lambda: None)
                patch.setattr(both, "fast_passes", compiled.passes)
                faster = passes(model.network, prices, model.ending)
            assert faster[0].tolist() == through.tolist()
            assert faster[1].tolist() == forward.tolist()
            assert through.min() == pricing.rosters(model.network, prices, model.ending, 1).best
    except Impossible:
        return
