"""Tiny wards with optima to be worked out by hand, and the roster model with a rule left out or a roster settled."""

from collections.abc import Collection
from datetime import date, timedelta
from typing import Any

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.post import Poster
from wavegraph.tools.roster.problem.ids import RuleKind
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import NO_PENALTIES, Penalties, Prices
from wavegraph.tools.roster.problem.rules.declared import cover_rows, must_rules, priced_rules
from wavegraph.tools.roster.ward.ward import Roster, Ward

MONDAY = date(2026, 11, 23)
SHIFTS = {
    "D": {"id": "D", "start": "08:00", "minutes": 480},
    "E": {"id": "E", "start": "07:00", "minutes": 480},
    "L": {"id": "L", "start": "14:00", "minutes": 480},
    "N": {"id": "N", "start": "22:00", "minutes": 480, "night": True},
}
NO_RULES = {
    "daily_rest_hours": 0,
    "weekly_rest_hours": 0,
    "weekly_hours": 0,
    "max_days_in_a_row": None,
    "max_nights_in_a_row": None,
    "rest_after_nights_hours": 0,
    "complete_weekends": False,
    "shortage": "linear",
}


def on(day: int) -> str:
    return (MONDAY + timedelta(days=day)).isoformat()


def small_ward(targets: dict[str, str], nurses: Any = None, **more: Any) -> Ward:
    """A ward from a Monday. `targets`: a digit a day by shift. `nurses`: contract by id (default: one, ann)."""
    days = len(next(iter(targets.values())))
    rules = NO_RULES | more.pop("rules", {})
    shifts = [SHIFTS[shift] | more.get("shift", {}).get(shift, {}) for shift in targets]
    more.pop("shift", None)
    staff = [{"id": name, **({} if fields is None else fields)} for name, fields in (nurses or {"ann": None}).items()]
    rows = [
        {"day": on(day), "shift": shift, "target": int(target)}
        for shift, digits in targets.items()
        for day, target in enumerate(digits)
    ]
    staff = more.pop("staff", staff)
    data = {"name": "Small", "start": on(0), "days": days, "shifts": shifts, "nurses": staff, "rules": rules}
    return Ward.model_validate({**data, "demand": rows, **more})


def built(ward: Ward, penalties: Penalties = NO_PENALTIES, without: Collection[RuleKind] = ()) -> Poster:
    instance, prices = Instance(ward), Prices.make(penalties, {})
    rules = (rule for rule in must_rules(instance) if rule.rule.kind not in without)
    poster = Poster.of(instance, rules, prices.scale)
    poster.post(cover_rows(instance, prices.scale))
    poster.post(priced_rules(instance, prices))
    poster.model.minimize(poster.objective.total)
    return poster


def least_cost(ward: Ward, penalties: Penalties = NO_PENALTIES, without: Collection[RuleKind] = ()) -> float | None:
    """The optimum; None where there is no roster."""
    poster = built(ward, penalties, without)
    least = _optimum(poster.model)
    return None if least is None else least / poster.objective.scale


def cost_parts(ward: Ward, roster: Roster, penalties: Penalties = NO_PENALTIES) -> dict[str, float] | None:
    """What the model says this very roster costs, by kind; None where it refuses it."""
    poster = built(ward, penalties)
    for x, works in poster.v.as_in(roster):
        poster.model.add(x == works)
    solver = _solver()
    if solver.solve(poster.model) != cp_model.OPTIMAL:
        return None
    parts = poster.objective.parts(list(solver.response_proto.solution))
    return {kind: amount / poster.objective.scale for kind, amount in parts.items()}


def _optimum(model: cp_model.CpModel) -> float | None:
    solver = _solver()
    return solver.objective_value if solver.solve(model) == cp_model.OPTIMAL else None


def _solver() -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = 20
    return solver


def crowded_ward(nurses: int = 25, days: int = 28) -> Ward:
    """More nurses than the portfolio is for, with more demand than they can meet, so that no search is done soon."""
    contract = {"max_minutes": 480 * days // 2, "max_run": 4, "min_run": 2, "min_days_off": 2, "max_weekends": 2}
    staff = {f"n{i}": {"contract": contract} for i in range(nurses)}
    return small_ward({"E": "6" * days, "L": "5" * days, "D": "4" * days}, staff, rules={"daily_rest_hours": 11})
