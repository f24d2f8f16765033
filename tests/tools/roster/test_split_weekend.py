"""A weekend that the period before began: what the checks find, what CP-SAT charges and what columns add up to."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from roster_models import cost_parts, small_ward
from tables import table

from wavegraph.tools.roster.checks.contracts import check_weekends
from wavegraph.tools.roster.checks.cost import cost_by_kind
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.checks.patterns import check_incomplete_weekends
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import NO_PENALTIES, Penalties, Prices
from wavegraph.tools.roster.ward.ward import Ward

pytest.importorskip("highspy")

from wavegraph.tools.roster.columns.build_nurse_models import build_nurse_models

SUNDAY = "2026-11-29"


def ward(tail: str, weekends: int | None = None, **more: Any) -> Ward:
    history = {"tail": [None if cell == "-" else cell for cell in tail]}
    return small_ward(
        {"D": "0000000"},
        {"ann": {"history": history, "contract": {"max_weekends": weekends}}},
        start=SUNDAY,
        demand=[],
        rules={"complete_weekends": True},
        **more,
    )


@table(
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

    assert len(check_incomplete_weekends(Checked(made, roster))) == half
    assert (cost_parts(made, roster, Penalties()) or {}).get("incomplete_weekend", 0) == 5 * half
    assert cost_by_kind(made, roster, Prices.make(price, {}))["incomplete_weekend"] == 5 * half
    assert math.isclose(model.judge(label)[0], 5 * half)


@dataclass(frozen=True)
class Border:
    id: str
    tail: str
    row: str
    weekends: int
    """That count in the period."""


BORDERS = [
    Border("begun before, ended here", "D", "D------", 0),
    Border("begun before, and the next one", "D", "D-----D", 1),
    Border("only its Sunday", "-", "D------", 1),
    Border("its Saturday is not known", "", "D------", 1),
    Border("begun before, not ended", "D", "-------", 0),
    Border("begun before, the next one alone", "D", "------D", 1),
    Border("only its Sunday, and the next one", "D-", "D-----D", 2),
]


@table("most", [0, 1, 2])
@table("case", BORDERS)
def test_a_weekend_begun_before_is_not_counted_again(case: Border, most: int) -> None:
    made = ward(case.tail, weekends=most)
    roster = {"ann": [None if cell == "-" else cell for cell in case.row]}
    label = np.array([1 if cell == "-" else 0 for cell in case.row])
    [model] = build_nurse_models(Instance(made), Prices.make(Penalties(), {}))

    assert check_empathy(made, roster).shares[0].weekends == case.weekends
    keeps = case.weekends <= most
    assert (not check_weekends(Checked(made, roster)), math.isfinite(model.cost_of(label))) == (keeps, keeps)
    assert (cost_parts(made, roster, NO_PENALTIES) is not None) == keeps
