"""A shortage is shared: each further nurse missing on a shift costs more, for the solvers and for the check."""

from dataclasses import dataclass
from typing import Any

from roster_models import cost_parts, least_cost, on, small_ward
from tables import table

from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.problem.prices import breach_price
from wavegraph.tools.roster.problem.shortage import missing_prices
from wavegraph.tools.roster.ward.ward import Demand, Ward

CONVEX = {"shortage": "convex"}


@dataclass(frozen=True)
class Case:
    target: int
    weight: int
    convex: list[int]


CASES = [
    Case(0, 100, []),
    Case(1, 100, [300]),
    Case(2, 100, [200, 300]),
    Case(5, 100, [140, 180, 220, 260, 300]),
    Case(3, 1, [2, 2, 3]),
    Case(2, 0, [0, 0]),
]


@table("case", CASES)
def test_the_price_of_each_nurse_missing(case: Case) -> None:
    row = Demand(day=on(0), shift="D", target=case.target, under_weight=case.weight)
    ward = small_ward({"D": "0"}, rules=CONVEX, demand=[row.model_dump(mode="json")])
    assert missing_prices(ward, row) == case.convex
    linear = small_ward({"D": "0"}, rules={"shortage": "linear"}, demand=[row.model_dump(mode="json")])
    assert missing_prices(linear, row) == [case.weight] * case.target


def short(shortage: str, **more: Any) -> Ward:
    """Six are needed and three are there, who may work any of both shifts."""
    staff = {name: {"contract": {"max_minutes": 480}} for name in ("ann", "ben", "cem")}
    return small_ward({"D": "4", "N": "2"}, staff, rules={"shortage": shortage}, **more)


def test_a_ward_file_s_shortage_is_convex_by_default() -> None:
    assert Ward.model_validate({**short("linear").model_dump(), "rules": {}}).rules.shortage == "convex"


def test_a_shortage_is_shared_by_the_shifts() -> None:
    """Three wishes for days make it three by day where shortages are linear, and two and one where they are not."""
    wishes = [{"nurse": name, "day": on(0), "shift": "D", "wants": True, "weight": 5} for name in ("ann", "ben", "cem")]
    all_days = {name: ["D"] for name in ("ann", "ben", "cem")}
    one_night = {**all_days, "cem": ["N"]}

    def cost(shortage: str, roster: dict[str, list[str]]) -> float:
        return sum((cost_parts(short(shortage, wishes=wishes), roster) or {}).values())

    assert cost("linear", all_days) < cost("linear", one_night)
    assert cost("convex", one_night) < cost("convex", all_days)
    assert cost("convex", one_night) == least_cost(short("convex", wishes=wishes))


def test_the_check_adds_up_what_the_model_charges() -> None:
    for there in ({}, {"ann": ["D"]}, {"ann": ["D"], "ben": ["N"]}, {"ann": ["D"], "ben": ["D"], "cem": ["D"]}):
        roster = {name: there.get(name, [None]) for name in ("ann", "ben", "cem")}
        parts = cost_parts(short("convex"), roster)
        assert parts is not None
        assert roster_cost(short("convex"), roster).under == parts["uncovered"]


def test_a_breach_costs_more_than_twenty_of_the_dearest_missing() -> None:
    assert breach_price(short("linear")) == 20 * 100
    assert breach_price(short("convex")) == 20 * 300
