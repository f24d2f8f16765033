"""Any small ward, and rosters of it that often keep its rules and break one at a time."""

from typing import Any

from hypothesis import strategies as st
from roster_models import NO_RULES, SHIFTS, on
from roster_rules import soft_contracts, soft_rules

from wavegraph.tools.roster.ward.ward import FollowedBy, Roster, Ward

KINDS = ("E", "L", "N")


def maybe(strategy: st.SearchStrategy[Any], otherwise: Any = None) -> st.SearchStrategy[Any]:
    return st.one_of(st.just(otherwise), strategy)


@st.composite
def nurses(draw: st.DrawFn, name: str) -> dict[str, Any]:
    contract = {
        "min_minutes": draw(maybe(st.integers(0, 1500), 0)),
        "max_minutes": draw(maybe(st.integers(1500, 4000))),
        "max_shifts": draw(st.dictionaries(st.sampled_from(KINDS), st.integers(0, 3), max_size=1)),
        "min_run": draw(st.integers(1, 3)),
        "max_run": draw(maybe(st.integers(3, 5))),
        "min_days_off": draw(st.integers(1, 2)),
        "max_weekends": draw(maybe(st.integers(0, 1))),
        "max_nights": draw(maybe(st.integers(0, 3))),
        "max_night_run": draw(maybe(st.integers(1, 3))),
        "leave_minutes": draw(maybe(st.integers(0, 600))),
        **draw(maybe(soft_contracts(KINDS), {})),
    }
    tail = draw(st.lists(st.sampled_from((None, *KINDS)), max_size=8))
    skills = draw(st.lists(st.just("charge"), max_size=1))
    return {"id": name, "contract": contract, "history": {"tail": tail}, "skills": skills}


def published(days: int, names: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """Of some of the nurses: the others are new."""
    row = st.lists(st.sampled_from((None, *KINDS)), min_size=days, max_size=days)
    return st.fixed_dictionaries({"roster": st.dictionaries(st.sampled_from(names), row), "weight": st.just(3)})


@st.composite
def wards(draw: st.DrawFn) -> Ward:
    days = draw(st.integers(7, 10))
    names = ("ann", "ben")
    shifts = [dict(SHIFTS[kind]) for kind in KINDS]
    shifts[1]["not_followed_by"] = draw(st.sampled_from(([], ["E"])))
    first = draw(st.sampled_from((0, -1)))  # a Monday, or the Sunday that ends a weekend begun before
    any_day = st.integers(first, first + days - 1).map(on)
    cells = st.fixed_dictionaries({"nurse": st.sampled_from(names), "day": any_day})
    rules = {
        "daily_rest_hours": draw(st.sampled_from((0, 9, 11))),
        "weekly_rest_hours": draw(st.sampled_from((0, 35))),
        "weekly_hours": draw(st.sampled_from((0, 30, 40))),
        "max_days_in_a_row": draw(st.sampled_from((None, 4, 6))),
        "max_nights_in_a_row": draw(st.sampled_from((None, 2))),
        "rest_after_nights_hours": draw(st.sampled_from((0, 24, 46))),
        "charge_skill": draw(st.sampled_from((None, "charge"))),
        "leave_credit": draw(st.sampled_from(("weekdays", "calendar", "none"))),
        "night_before_leave": draw(st.booleans()),
        "complete_weekends": draw(st.booleans()),
        "shortage": draw(st.sampled_from(("convex", "linear"))),
        **draw(maybe(soft_rules(KINDS), {})),
    }
    shifts[2]["skill"] = draw(maybe(st.just("charge")))
    demand = st.tuples(any_day, st.sampled_from(KINDS), st.integers(0, 4), st.integers(0, 1))
    rows = {(day, shift): (target, least) for day, shift, target, least in draw(st.lists(demand, max_size=6))}
    return Ward.model_validate(
        {
            "name": "Any",
            "start": on(first),
            "days": days,
            "skills": ["charge"],
            "shifts": shifts,
            "nurses": [draw(nurses(name)) for name in names],
            "demand": [{"day": d, "shift": s, "target": max(t, m), "minimum": m} for (d, s), (t, m) in rows.items()],
            "leave": [
                {**cell, "shift": draw(maybe(st.sampled_from(KINDS))), "paid": draw(st.booleans())}
                for cell in draw(st.lists(cells, max_size=3))
            ],
            "wishes": [
                {**cell, "shift": draw(maybe(st.sampled_from(KINDS))), "wants": draw(st.booleans()), "weight": 2}
                for cell in draw(st.lists(cells, max_size=3))
            ],
            "holidays": sorted(set(draw(st.lists(any_day, max_size=2)))),
            "locked": [{**cell, "shift": draw(maybe(st.just("E")))} for cell in draw(st.lists(cells, max_size=1))],
            "published": draw(maybe(published(days, names))),
            "pairs": draw(st.sampled_from(([], [{"first": "ann", "second": "ben", "together": True}]))),
            "rules": NO_RULES | rules,
        }
    )


@st.composite
def with_days_after(draw: st.DrawFn, ward: Ward) -> Ward:
    """The ward with up to ten days that are published after it, which may break rules by themselves."""
    rows = {nurse.id: runs_of_shifts(draw, draw(st.integers(0, 10))) for nurse in ward.nurses}
    return ward.changed(followed_by=FollowedBy(roster=rows, version="V2"))


@st.composite
def rosters(draw: st.DrawFn, ward: Ward) -> Roster:
    """Runs of one shift or of days off: such rosters often keep the rules, and break one at a time."""
    return {nurse.id: runs_of_shifts(draw, ward.days) for nurse in ward.nurses}


def runs_of_shifts(draw: st.DrawFn, days: int) -> list[str | None]:
    row: list[str | None] = []
    while len(row) < days:
        row += [draw(st.sampled_from((None, None, *KINDS)))] * draw(st.integers(1, 4))
    return row[:days]
