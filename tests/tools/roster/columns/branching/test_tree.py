"""The tree by itself, from a first roster to a proof: on small wards with any rules its cost is CP-SAT's."""

import threading
import time
from functools import cache
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from patience import HANGS_S
from roster_limits import with_pasts
from roster_models import on, small_ward
from roster_strategies import wards

from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.cpsat.solve import solve as cpsat
from wavegraph.tools.roster.problem.clock import Clock
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import NO_PENALTIES, Penalties, Prices, breach_price
from wavegraph.tools.roster.ward.ward import Ward

pytest.importorskip("highspy")

from wavegraph.tools.roster.columns import neighbourhoods
from wavegraph.tools.roster.columns.branching import node, tree, turns
from wavegraph.tools.roster.columns.branching.grain import grain
from wavegraph.tools.roster.columns.branching.tree import BranchAndPrice
from wavegraph.tools.roster.columns.branching.turns import Turns
from wavegraph.tools.roster.columns.build_nurse_models import build_nurse_models
from wavegraph.tools.roster.columns.counters import Ints
from wavegraph.tools.roster.columns.generation import ColumnGenerator
from wavegraph.tools.roster.columns.incumbent import Incumbent
from wavegraph.tools.roster.columns.master_problem import MixedIntegerOptimum, choose
from wavegraph.tools.roster.columns.master_rows import build_master_rows
from wavegraph.tools.roster.columns.neighbourhoods import NeighbourhoodSearch
from wavegraph.tools.roster.columns.oracle import NoRoster, Oracle
from wavegraph.tools.roster.columns.pool import Pool
from wavegraph.tools.roster.columns.solve import solve

FEW = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
MOST_STEPS = 2_000


def planted(ward: Ward, penalties: Penalties) -> BranchAndPrice:
    """A tree with the worst of first rosters. Raises NoRoster."""
    instance, prices = Instance(ward), Prices.make(penalties, {})
    rows = build_master_rows(instance, prices)
    oracle = Oracle(build_nurse_models(instance, prices), rows)
    pool = Pool(rows, instance.days)
    generator = ColumnGenerator(oracle, pool, lambda: False, lambda: HANGS_S)
    incumbent = Incumbent(pool, prices.scale, Clock(HANGS_S, None, threading.Event(), time.monotonic), None)
    incumbent.grain = grain(oracle.nurse_models, rows)
    first: list[Ints | None] = [None] * len(oracle.nurse_models)
    oracle.greedy(first, lambda: False, rows.marginal)
    columns = [
        pool.add(n, row, model.judge(row)[0])
        for n, (row, model) in enumerate(zip(first, oracle.nurse_models, strict=True))
        if row is not None
    ]
    incumbent.offer(np.array(columns))
    duals = np.zeros(len(rows))
    incumbent.bounded(generator.bound(duals))
    return BranchAndPrice(generator, incumbent, 10.0 * breach_price(instance.ward) * prices.scale, duals)


def grown(ward: Ward, penalties: Penalties) -> BranchAndPrice | None:
    """A tree searched to its end; None where a nurse has no roster."""
    try:
        found = planted(ward, penalties)
    except NoRoster:
        return None
    for _ in range(MOST_STEPS):
        if found.done:
            break
        found.step()
    return found


def compare(ward: Ward, penalties: Penalties) -> None:
    """The proven cost is CP-SAT's optimum."""
    known, found = cpsat(ward, penalties=penalties, seconds=HANGS_S, workers=1), grown(ward, penalties)
    if found is None or known.status == "infeasible":
        assert (found is None) == (known.status == "infeasible")
        return
    assert (known.status, found.done, found.stuck) == ("optimal", True, [])
    assert found.incumbent.proven
    assert found.incumbent.units(found.incumbent.cost) == known.cost


@FEW
@given(wards())
def test_cover_wishes_and_pairs_are_proven(ward: Ward) -> None:
    compare(ward, NO_PENALTIES)


@FEW
@given(wards().flatmap(with_pasts))
def test_every_penalty_keeps_its_price_while_branching(ward: Ward) -> None:
    compare(ward, Penalties())


@pytest.mark.attack
@MANY
@given(wards().flatmap(with_pasts), st.booleans(), st.booleans())
def test_many_wards_are_proven(ward: Ward, priced: bool, listed: bool) -> None:
    """With and without choosing among all rows that are left."""
    with pytest.MonkeyPatch.context() as patch:
        if not listed:
            patch.setattr(tree, "MOST_OF_NURSE", 0)
        compare(ward, Penalties() if priced else NO_PENALTIES)


def torn_ward(seed: int = 0) -> Ward:
    """Four nurses whose wishes and demand collide, so that the linear optimum lies below the best roster."""
    draw, names, days = Random(seed), ("ann", "ben", "cem", "dora"), range(10)
    contract = {"min_run": 2, "max_run": 4, "min_days_off": 2, "max_minutes": 480 * 6, "max_weekends": 1}
    cells = [{"nurse": name, "day": on(day)} for name in names for day in days if draw.random() < 0.4]
    wishes = [{**cell, "wants": draw.random() < 0.5, "weight": draw.randrange(1, 4)} for cell in cells]
    targets = {"E": "".join(draw.choice("112") for _ in days), "L": "1" * len(days)}
    staff = {name: {"contract": contract} for name in names}
    return small_ward(targets, staff, wishes=wishes, rules={"daily_rest_hours": 11})


@cache
def torn_optimum() -> float:
    known = cpsat(torn_ward(), penalties=NO_PENALTIES, seconds=HANGS_S, workers=1)
    assert known.status == "optimal"
    assert known.cost is not None
    return known.cost


@pytest.mark.parametrize("most_rows", [0, tree.MOST_ROWS])
def test_a_gap_is_closed_by_branching_alone_or_by_a_choice_among_all_rows(
    monkeypatch: pytest.MonkeyPatch, most_rows: int
) -> None:
    monkeypatch.setattr(tree, "MOST_OF_NURSE", most_rows)
    found, known = grown(torn_ward(), NO_PENALTIES), torn_optimum()
    assert found is not None
    assert (found.incumbent.cost, found.incumbent.bound, found.stuck) == (known, known, [])
    assert most_rows or any(node.depth for node in found.aside)


def test_the_bound_never_exceeds_the_optimum_on_the_way() -> None:
    bounds, found = list[float](), planted(torn_ward(), NO_PENALTIES)
    while not found.done:
        found.step()
        bounds.append(found.incumbent.bound)
    assert bounds == sorted(bounds)
    assert len(set(bounds)) > 1
    assert bounds[-1] == torn_optimum()


def test_the_same_work_gives_the_same_tree() -> None:
    first, second = (solve(torn_ward(), penalties=NO_PENALTIES, work=0.2, seconds=HANGS_S, seed=3) for _ in range(2))
    assert (first.status, first.roster) == (second.status, second.roster)
    assert [(p.cost, p.bound) for p in first.trace] == [(p.cost, p.bound) for p in second.trace]


def test_a_search_that_is_stopped_within_a_node_keeps_the_node() -> None:
    found, calls = planted(torn_ward(), NO_PENALTIES), iter(range(1000))
    found.generator.over = lambda: next(calls) > 2
    before = found.bound
    found.step()
    assert found.open
    assert found.bound >= before
    found.generator.over = lambda: False
    while not found.done:
        found.step()
    assert found.incumbent.cost == found.incumbent.bound == torn_optimum()


def test_branches_tried_over_many_turns_prove_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "TURN_WORK", 0)
    monkeypatch.setattr(tree, "MOST_OF_NURSE", 0)
    found, waiting = planted(torn_ward(), NO_PENALTIES), 0
    while not found.done:
        found.step()
        waiting += found.split is not None
    assert waiting
    assert (found.incumbent.cost, found.incumbent.bound, found.stuck) == (torn_optimum(), torn_optimum(), [])


def test_the_sides_of_a_split_take_the_place_of_their_node_alone() -> None:
    """Nodes are told apart by which they are: their masks are arrays, which no comparison decides."""
    found = planted(torn_ward(), NO_PENALTIES)
    found.target = found.incumbent.next_cost
    root = found.aside.pop()
    root.aim()
    likely, unlikely = node.Cell(0, 0, 0, 1.0).sides(root)
    sides = node.Cell(1, 0, 0, 1.0).sides(likely)
    found.open, found.split = [unlikely, likely], node.Split(likely, [], list(sides))
    found.step()
    assert [id(each) for each in found.open] == [id(each) for each in (unlikely, sides[1], sides[0])]
    assert found.deeper


@pytest.mark.parametrize("narrow", [-1, 1_000])
def test_the_tree_waits_until_neighbourhoods_stall(monkeypatch: pytest.MonkeyPatch, narrow: int) -> None:
    """Near the bound and far from it."""
    monkeypatch.setattr(turns, "NARROW", narrow)
    found = planted(torn_ward(), NO_PENALTIES)
    search = NeighbourhoodSearch(found.generator, found.incumbent, found.artificial, 1, found.duals)
    both = Turns(found, search)
    while not both.branching:
        waited = both.waits
        both.step()
        assert not waited or not both.branching
    assert both.vain >= turns.PATIENCE * both.searching


@pytest.mark.parametrize("room", [neighbourhoods, tree])
def test_a_choice_among_columns_has_all_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch, room: ModuleType
) -> None:
    """A share of the time would be less on a busy machine, and the roster worse."""
    given = list[float]()

    def watched(pool: Pool, columns: list[int], *limits: Any, **options: Any) -> MixedIntegerOptimum:
        given.append(limits[3])
        return choose(pool, columns, *limits, **options)

    monkeypatch.setattr(room, "choose", watched)
    found = planted(torn_ward(1), NO_PENALTIES)
    search = NeighbourhoodSearch(found.generator, found.incumbent, found.artificial, 1, found.duals)
    while not given:
        assert not found.incumbent.proven
        (found if room is tree else search).step()
    assert set(given) == {HANGS_S}


@pytest.mark.parametrize("stopped", [False, True])
def test_a_stop_ends_a_choice_among_columns(*, stopped: bool) -> None:
    found = planted(torn_ward(), NO_PENALTIES)
    while not found.done:
        found.step()
    pool = found.generator.pool
    chosen = choose(pool, list(range(len(pool.nurse))), 4, np.inf, 500, HANGS_S, lambda: stopped)
    assert chosen.solved is not stopped


def test_a_proof_is_told_with_the_checkers_cost() -> None:
    found = solve(torn_ward(), penalties=NO_PENALTIES, seconds=HANGS_S)
    assert found.status == "optimal"
    assert found.roster is not None
    assert roster_cost(torn_ward(), found.roster).total == found.cost == found.bound
