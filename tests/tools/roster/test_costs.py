"""What a roster costs: counted by hand, read from the declared rules, and what CP-SAT's model says, which share no code."""

from dataclasses import dataclass, field
from typing import Any, get_args

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from roster_limits import with_pasts
from roster_models import cost_parts, on, small_ward
from roster_strategies import rosters, wards
from roster_wards import rows
from tables import table

from wavegraph.tools.roster.checks.cost import cost_by_kind, roster_cost
from wavegraph.tools.roster.problem.ids import RuleKind
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import KINDS, Penalties, Prices
from wavegraph.tools.roster.problem.rules.account import cost_by_kind as by_the_rules
from wavegraph.tools.roster.problem.rules.account import labelled
from wavegraph.tools.roster.ward.ward import Roster, Ward

MULTIPLIERS = st.dictionaries(st.sampled_from(KINDS), st.sampled_from((0, 1.5, 2.25)), max_size=3)


def by_hand(ward: Ward, roster: Roster, prices: Prices) -> dict[str, int]:
    return {kind: cost for kind, cost in cost_by_kind(ward, roster, prices).items() if cost}


def declared(ward: Ward, roster: Roster, prices: Prices) -> dict[str, int]:
    instance = Instance(ward)
    costs = by_the_rules(instance, prices, labelled(instance, roster))
    return {kind: cost for kind, cost in costs.items() if cost}


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_the_declared_rules_cost_what_is_counted_by_hand(data: st.DataObject) -> None:
    """Of any small ward, whatever the rounds have raised, and of any roster, also of one in breach."""
    ward = data.draw(wards().flatmap(with_pasts))
    roster, prices = data.draw(rosters(ward)), Prices.make(Penalties(), data.draw(MULTIPLIERS))
    counted = by_hand(ward, roster, prices)
    assert declared(ward, roster, prices) == counted
    own = roster_cost(ward, roster).by_kind
    assert {kind: cost * prices.scale for kind, cost in own.items() if cost} == {
        {"uncovered": "under"}.get(kind, kind): cost
        for kind, cost in counted.items()
        if kind not in (*KINDS, "minimum", "in_charge")
    }


@dataclass(frozen=True)
class Case:
    """The smallest ward in which a rule costs."""

    rule: RuleKind
    costs: dict[str, int]
    """All that the roster costs, by kind."""
    row: str
    """Of ann; the first day is a Monday."""
    nurse: dict[str, Any] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)


def wanted(shift: str, *days: int, **fields: Any) -> dict[str, Any]:
    return {"demand": [{"day": on(day), "shift": shift, "target": 1, **fields} for day in days]}


def contract(**fields: Any) -> dict[str, Any]:
    return {"contract": fields}


WEEKEND = wanted("D", 5, 6)
RESTED_SLOWLY = {"fairness": {"fatigue": {"per_day_off": 0}}}
CASES = [
    Case("minimum", {"minimum": 2000}, "-------", more=wanted("D", 0, minimum=1, under_weight=0)),
    Case("target", {"uncovered": 7}, "-------", more=wanted("D", 0, under_weight=7)),
    Case("target", {"over": 3}, "D------", more=wanted("D", 0, target=0, over_weight=3)),
    Case("charge", {"in_charge": 2000}, "D------", more={**wanted("D", 0), "skills": ["charge"], "rules": {"charge_skill": "charge"}}),
    Case("wishes", {"wishes": 4}, "D------", more={"wishes": [{"nurse": "ann", "day": on(0), "wants": False, "weight": 4}]}),
    Case("changes", {"changes": 3}, "D------", more={"published": {"roster": {"ann": [None] * 7}, "weight": 3}}),
    Case("pairs", {"pairs": 2}, "D------", more={"pairs": [{"first": "ann", "second": "ben", "together": True, "weight": 2}]}),
    Case("hours", {"underutilization": 15}, "D------", contract(target_minutes=960)),
    Case("hours", {"overwork": 10}, "DD-----", contract(target_minutes=480)),
    Case("night_share", {"night_excess": 15}, "NN-----", more=wanted("N", 0)),
    Case("weekend_share", {"weekend_excess": 15}, "-----DD"),
    Case("holiday_share", {"holiday_excess": 15}, "D------", more={"holidays": [on(0)]}),
    Case("assignments", {"totals": 6}, "DD-----", contract(assignments={"most": 1, "over_weight": 6})),
    Case("working_weekends", {"totals": 9}, "-----DD", contract(working_weekends={"most": 0, "over_weight": 9}), WEEKEND),
    Case("balance", {"balance": 7}, "L------", more={"rules": {"balanced": [{"shifts": ["L"], "weight": 7}]}}),
    Case("isolated_day_off", {"isolated_day_off": 5}, "D-D----"),
    Case("incomplete_weekend", {"incomplete_weekend": 5, "uncovered": 100}, "-----D-", more={**WEEKEND, "rules": {"complete_weekends": True}}),
    Case("uneven_weekends", {"uneven_weekends": 6}, "-----D-", contract(split_weekend_weight=6), wanted("D", 5)),
    Case("uneven_weekends", {"uneven_weekends": 5}, "-----DL", contract(mixed_weekend_weight=5), wanted("D", 5)),
    Case("rotation", {"rotation": 4}, "LD-----", more={"rules": {"backward_weight": 4}}),
    Case("run", {"runs": 10}, "-D-----", contract(runs=[{"least": 2, "weight": 10}])),
    Case("run", {"runs": 20}, "DDDD---", contract(runs=[{"most": 2, "weight": 10}])),
    Case("fatigue", {"fatigue_night": 20}, "N------", {"fatigue": 0.9}, wanted("N", 0)),
    Case("fatigue", {"fatigue_weekend": 20}, "-----D-", {"fatigue": 0.9}, wanted("D", 5) | RESTED_SLOWLY),
    Case("fatigue", {"fatigue_high": 30}, "DDDD---", {"fatigue": 0.9}),
    Case("fatigue", {"fatigue_moderate": 12}, "DDDDD--", {"fatigue": 0.3}),
]  # fmt: skip
FREE: set[RuleKind] = {
    "leave", "night_before_leave", "locked", "shift_skill", "succession", "forward_rotation", "daily_rest",
    "rest_after_nights", "weekly_rest", "max_run", "max_night_run", "min_run", "min_days_off", "least_minutes",
    "most_minutes", "weekly_hours", "most_shifts", "most_nights", "most_weekends",
}  # fmt: skip
"""Rules that never cost."""


@table("case", CASES)
def test_a_rule_costs_what_is_counted_by_hand(case: Case) -> None:
    names = {"ann": case.nurse, **({"ben": None} if "pairs" in case.more else {})}
    ward = small_ward(dict.fromkeys("DELN", "0" * 7), names, **{"demand": [], **case.more})
    roster, prices = rows(**{**dict.fromkeys(names, "-" * 7), "ann": case.row}), Prices.make(Penalties(), {})
    scaled = {kind: cost * prices.scale for kind, cost in case.costs.items()}
    assert by_hand(ward, roster, prices) == scaled
    assert declared(ward, roster, prices) == scaled
    parts = cost_parts(ward, roster, Penalties()) or {}
    assert {kind: cost for kind, cost in parts.items() if cost} == case.costs


def test_every_rule_that_costs_has_a_case() -> None:
    assert {case.rule for case in CASES} | FREE == set(get_args(RuleKind))
    assert {kind for case in CASES for kind in case.costs} >= set(KINDS)
