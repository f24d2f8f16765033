"""The seconds that a request hands out: never more than its limit, whatever its rounds do with them."""

from collections.abc import Iterator
from itertools import product
from math import inf
from pathlib import Path

import pytest
from roster_models import on, small_ward
from tables import table

from wavegraph.tools.roster.arguments import GenerateRequest
from wavegraph.tools.roster.cpsat.explain import explain
from wavegraph.tools.roster.dialogue.amending import rows_of
from wavegraph.tools.roster.loop import generation, round_time
from wavegraph.tools.roster.loop.generation import _Solve
from wavegraph.tools.roster.loop.round_time import MOST_EXPLAIN_S, RoundTime, spent_s
from wavegraph.tools.roster.problem.prices import Penalties
from wavegraph.tools.roster.records import Generated
from wavegraph.tools.roster.settings import RosterSettings
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.ward.ward import Ward

LIMITS = (0.5, 3.0, 20.0, 45.0, 3600.0)
USES = (0.0, 0.3, 1.0, "patience")
"""How much of its solving time a round uses; patience = all that it may while there is no roster."""


def used(time: RoundTime, use: float | str) -> float:
    return time.solve_s * time.patience if use == "patience" else time.solve_s * float(use)


def handed_out(
    limit: float, rounds: int, uses: tuple[float | str, ...], *, is_short: bool = False
) -> Iterator[tuple[float, float]]:
    """Seconds of solving and of explaining, round by round, as the loop asks for them."""
    done: list[Generated] = []
    for iteration, use in enumerate(uses[:rounds], 1):
        spent = spent_s(done, limit, rounds)
        if spent is not None and spent >= limit:
            return
        time = RoundTime.of(limit, rounds, iteration, spent)
        solved = used(time, use)
        explaining = time.explain_s(solved, is_short=is_short)
        yield solved, explaining
        done.append(generated(solved, explaining))


def generated(seconds: float, explained: float = 0.0) -> Generated:
    return Generated(
        ward="Ward", ward_hash="0" * 64, start=on(0), days=7, iteration=1, roster_id=None, status="feasible", cost=None,
        raised_cost=None, raised_bound=0, parts={}, seconds=seconds, explained_s=explained, penalty_multipliers={},
    )  # fmt: skip


@table("limit", LIMITS)
@table("rounds", [1, 2, 3])
@table("is_short", [False, True])
def test_no_request_hands_out_more_than_its_limit(limit: float, rounds: int, is_short: bool) -> None:
    for uses in product(USES, repeat=rounds):
        assert sum(map(sum, handed_out(limit, rounds, uses, is_short=is_short))) <= limit + 0.4, uses


@table("limit", LIMITS)
@table("use", USES)
def test_explaining_has_its_share_however_long_the_search_took(limit: float, use: float | str) -> None:
    (_, explaining), *_ = handed_out(limit, 3, (use,))
    assert explaining >= min(MOST_EXPLAIN_S, 0.149 * limit / 3)


def test_where_no_roster_exists_all_that_is_left_may_explain_it() -> None:
    time = RoundTime.of(9.0, 3, 1, None)
    assert time.explain_s(0.1, is_last=True) == pytest.approx(8.9)
    assert RoundTime.of(3600.0, 3, 1, None).explain_s(1.0, is_last=True) == MOST_EXPLAIN_S


def test_a_round_that_took_more_than_its_share_is_counted() -> None:
    assert spent_s([generated(8.5)], 30.0, 3) is None
    assert spent_s([generated(20.0, 1.5)], 30.0, 3) == 21.5
    assert spent_s([generated(8.5, 7.5)], 30.0, 3) == 16.0
    assert RoundTime.of(30.0, 3, 2, 21.5).share_s == pytest.approx(4.25)


def test_a_round_that_the_manager_asked_for_has_a_share_of_its_own() -> None:
    assert RoundTime.of(30.0, 3, 4, None).share_s == 10.0


IMPOSSIBLE = small_ward(
    {"D": "0"}, {"ann": {"contract": {"min_minutes": 480}}}, leave=[{"nurse": "ann", "day": on(0), "paid": False}]
)
SHORT = small_ward(
    {"D": "0"}, demand=[{"day": on(0), "shift": "D", "minimum": 2, "target": 2}], nurses={"ann": None, "ben": None},
    leave=[{"nurse": "ann", "day": on(0)}],
)  # fmt: skip


@pytest.mark.parametrize(("ward", "with_cover", "most"), [(IMPOSSIBLE, False, 900.0), (SHORT, True, 300.0)])
def test_a_round_hands_its_rest_to_explaining_and_the_checks(
    ward: Ward, with_cover: bool, most: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []

    def watched(ward: Ward, **arguments: object) -> object:
        given.append(arguments)
        return explain(ward, **arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(generation, "explain", watched)
    monkeypatch.setattr(round_time, "MOST_EXPLAIN_S", inf)
    store = RosterStore(tmp_path)
    request = GenerateRequest(ward_hash=store.keep_ward(ward))
    solve = _Solve(request, ward, Penalties(), store, RosterSettings(time_limit_s=900.0), rows_of)
    made = solve._generated(solve._solved())
    assert [each["with_cover"] for each in given] == [with_cover]
    assert 0 < given[0]["seconds"] <= most  # type: ignore[operator]
    assert made.impossible
    assert made.relaxations
    assert made.left_s is not None
    assert made.left_s <= given[0]["seconds"]  # type: ignore[operator]
