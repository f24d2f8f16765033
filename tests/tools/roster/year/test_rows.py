"""Rows of the whole time within a leeway of an even share: how wide it has to be, and what is said where none is found."""

from datetime import date, time, timedelta
from typing import Any

import numpy as np
import pytest
from patience import HANGS_S

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import NO_PENALTIES, Prices
from wavegraph.tools.roster.ward.ward import Contract, Demand, Locked, Nurse, Rules, Shift, Ward

pytest.importorskip("highspy")

from wavegraph.tools.roster.columns.build_nurse_models import build_nurse_models
from wavegraph.tools.roster.columns.master_rows import build_master_rows
from wavegraph.tools.roster.loop.solver import solve as agent
from wavegraph.tools.roster.year.rows import LEEWAYS, NoRow, WholeRows

START = date(2026, 11, 25)
DAYS, EIGHT_HOURS, SHIFTS_DUE = 98, 480, 60
RULES = Rules(
    daily_rest_hours=0, weekly_rest_hours=0, weekly_hours=0, rest_after_nights_hours=0, complete_weekends=False,
    max_days_in_a_row=None, max_nights_in_a_row=None, shortage="linear", leave_credit="none",
)  # fmt: skip


def ward(locked: range = range(0), nurses: int = 2, days: int = DAYS, **contract: Any) -> Ward:
    """Sixty shifts for each nurse; the first one is locked to work on some days."""
    due = Contract(min_minutes=SHIFTS_DUE * EIGHT_HOURS, max_minutes=SHIFTS_DUE * EIGHT_HOURS, **contract)
    return Ward(
        name="Long",
        start=START,
        days=days,
        shifts=[Shift(id="E", start=time(7), minutes=EIGHT_HOURS), Shift(id="L", start=time(15), minutes=EIGHT_HOURS)],
        nurses=[Nurse(id=f"n{i}", contract=due) for i in range(nurses)],
        demand=[Demand(day=START + timedelta(days=d), shift="E", target=1) for d in range(days)],
        locked=[Locked(nurse="n0", day=START + timedelta(days=d), shift="E") for d in locked],
        rules=RULES,
    )


def whole_rows(of: Ward) -> WholeRows:
    instance, prices = Instance.of(of), Prices.make(NO_PENALTIES, {})
    return WholeRows(build_nurse_models(instance, prices), build_master_rows(instance, prices), lambda: False)


@pytest.mark.parametrize(
    ("locked", "leeway"),
    [
        (range(0), LEEWAYS[0]),
        (range(12), LEEWAYS[0]),  # 12 shifts where an even share is 7
        (range(30), LEEWAYS[1]),  # 30 where it is 18
        (range(60), LEEWAYS[2]),  # all of them before the 60th day, where it is 37
    ],
)
def test_the_leeway_is_as_wide_as_the_nurse_needs(locked: range, leeway: int | None) -> None:
    whole = whole_rows(ward(locked))
    assert whole.renew()
    assert whole.models[0].leeway == leeway
    assert whole.models[1].leeway == LEEWAYS[0]
    for model, row in zip(whole.models, whole.rows, strict=True):
        assert row is not None
        assert int((row < 2).sum()) == SHIFTS_DUE
        assert np.isfinite(model.cost_of(row))


def test_a_pass_at_the_true_prices_never_makes_a_roster_dearer() -> None:
    whole = whole_rows(ward(nurses=3))
    assert whole.renew(is_eased=True)
    costs = [whole.master_rows.cost(whole.present)]
    for _ in range(3):
        assert whole.renew()
        costs.append(whole.master_rows.cost(whole.present))
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0] or not costs[0]


def test_a_nurse_without_any_row_is_named() -> None:
    whole = whole_rows(ward(max_run=1, min_days_off=2))
    with pytest.raises(NoRow) as raised:
        whole.renew()
    assert (raised.value.nurse, raised.value.proven) == (0, True)


def test_half_a_year_of_a_few_nurses_whose_rows_are_too_large_is_solved_so_too(
    caplog: pytest.LogCaptureFixture,
) -> None:
    lengths = {"E": 450, "L": 480, "N": 630}
    half = ward(nurses=3, days=182, max_weekends=20, min_days_off=2, min_run=2).changed(
        shifts=[Shift(id=name, start=time(7), minutes=minutes) for name, minutes in lengths.items()]
    )
    with caplog.at_level("INFO", "wavegraph"):
        found = agent(half, penalties=NO_PENALTIES, seconds=HANGS_S, work=0.02)
    assert "solved as a ward of many months" in caplog.text
    assert found.roster is not None
    assert check_compliance(half, found.roster).breaches == []
    assert found.cost == roster_cost(half, found.roster).total


def test_what_is_too_large_for_cp_sat_too_is_said() -> None:
    found = agent(ward(nurses=150, days=364, max_run=1, min_days_off=6), penalties=NO_PENALTIES, seconds=HANGS_S)
    assert (found.status, found.roster) == ("unknown", None)
    assert found.why == (
        "n0: no row keeps all her rules; "
        "150 nurses, 364 days and 2 kinds of shift make 109,200 cells, and CP-SAT takes up to 100,000"
    )
