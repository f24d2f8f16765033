"""A weekend that the period before began: what the checks find, what CP-SAT charges and what columns add up to."""

import math
from typing import Any

import numpy as np
import pytest
from roster_models import cost_parts, small_ward

from wavegraph.tools.roster.checks.patterns import check_incomplete_weekends
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import NO_PENALTIES, Penalties, Prices
from wavegraph.tools.roster.ward.ward import Ward

pytest.importorskip("highspy")

from wavegraph.tools.roster.columns.build_nurse_models import build_nurse_models
from wavegraph.tools.roster.columns.recount import IndexedRoster, cost_by_kind

SUNDAY = "2026-11-29"


def ward(tail: str, **more: Any) -> Ward:
    history = {"tail": [None if cell == "-" else cell for cell in tail]}
    return small_ward(
        {"D": "0000000"},
        {"ann": {"history": history}},
        start=SUNDAY,
        demand=[],
        rules={"complete_weekends": True},
        **more,
    )


@pytest.mark.parametrize(
    ("tail", "row", "asked_off", "half"),
    [
        ("D", "-------", False, 1),
        ("-", "D------", False, 1),
        ("D", "D------", False, 0),
        ("-", "-------", False, 0),
        ("", "D------", False, 0),
        ("", "-------", False, 0),
        ("D", "-------", True, 0),
        ("DD", "------D", False, 1),  # the next weekend is cut off: Saturday alone is known
    ],
)
def test_the_other_day_of_the_weekend_is_the_tail_s_last(tail: str, row: str, asked_off: bool, half: int) -> None:
    leave = [{"nurse": "ann", "day": SUNDAY}] if asked_off else []
    made, roster = ward(tail, leave=leave), {"ann": [None if cell == "-" else cell for cell in row]}
    instance = Instance(made)
    price = NO_PENALTIES.model_copy(update={"incomplete_weekend": 5})
    [model] = build_nurse_models(instance, Prices.make(price, {}))
    model.active.clear()
    label = np.array([1 if cell == "-" else 0 for cell in row])

    counted = IndexedRoster(instance, [[None if cell == "-" else 0 for cell in row]])

    assert len(check_incomplete_weekends(made, roster)) == half
    assert (cost_parts(made, roster, Penalties()) or {}).get("incomplete_weekend", 0) == 5 * half
    assert cost_by_kind(counted, Prices.make(price, {})).get("incomplete_weekend", 0) == 5 * half
    assert math.isclose(model.judge(label)[0], 5 * half)
