"""Tiny wards with any of the rules that a ward may price, and every roster that they can have."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from hypothesis import strategies as st
from roster_models import NO_RULES, SHIFTS, on

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.ward.ward import Roster, Ward

KINDS = ("E", "L")


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), strategy)


@st.composite
def run_limits(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS) -> dict[str, Any]:
    off = draw(st.booleans())
    shifts = [] if off else draw(st.lists(st.sampled_from(kinds), unique=True, max_size=2))
    least = draw(st.integers(1, 3))
    most = draw(st.integers(least, 3)) if least == 1 else draw(maybe(st.integers(least, 4)))
    return {"off": off, "shifts": shifts, "least": least, "most": most, "weight": draw(maybe(st.integers(0, 9)))}


@st.composite
def period_totals(draw: st.DrawFn, up_to: int) -> dict[str, Any]:
    least = draw(st.integers(0, up_to))
    weights = {name: draw(st.integers(0, 9)) for name in ("under_weight", "over_weight")}
    return {"least": least, "most": draw(maybe(st.integers(least, up_to))), "carried": draw(st.booleans()), **weights}


def soft_contracts(kinds: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "runs": st.lists(run_limits(kinds), max_size=1),
            "ward_runs": st.booleans(),
            "split_weekend_weight": maybe(st.integers(0, 9)),
            "mixed_weekend_weight": maybe(st.integers(0, 9)),
            "assignments": maybe(period_totals(4)),
            "working_weekends": maybe(period_totals(2)),
        }
    )


def soft_rules(kinds: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "runs": st.lists(run_limits(kinds), max_size=1),
            "split_weekend_weight": st.sampled_from((0, 6)),
            "mixed_weekend_weight": st.sampled_from((0, 8)),
            "forward_only": st.sampled_from((False, False, True)),
            "backward_weight": st.sampled_from((0, 5)),
            "balanced": st.lists(
                st.fixed_dictionaries(
                    {"shifts": st.lists(st.sampled_from(kinds), unique=True, min_size=1), "weight": st.integers(0, 9)}
                ),
                max_size=1,
            ),
        }
    )


@st.composite
def tiny_wards(draw: st.DrawFn) -> Ward:
    """One nurse, five days from a Thursday, two kinds of shift: 243 rosters."""
    first, days = 3, 5
    targets = draw(st.lists(st.sampled_from(("00", "10", "01", "11")), min_size=days, max_size=days))
    rows = [
        {"day": on(first + d), "shift": shift, "target": int(needed), "under_weight": 7, "over_weight": 3}
        for d, both in enumerate(targets)
        for shift, needed in zip(KINDS, both, strict=True)
    ]
    contract = draw(soft_contracts(KINDS))
    tail = draw(st.lists(st.sampled_from((None, *KINDS)), max_size=4))
    settled = draw(st.dictionaries(st.integers(0, days - 1), st.sampled_from((None, *KINDS)), max_size=3))
    before = {name: draw(st.integers(0, 3)) for name in ("assignments", "weekends")}
    return Ward.model_validate(
        {
            "name": "Tiny",
            "start": on(first),
            "days": days,
            "skills": ["charge"],
            "shifts": [SHIFTS["E"], SHIFTS["L"] | {"skill": draw(maybe(st.just("charge")))}],
            "nurses": [
                {
                    "id": "ann",
                    "skills": draw(st.lists(st.just("charge"), max_size=1)),
                    "contract": contract,
                    "history": {"tail": tail, **before},
                }
            ],
            "demand": rows,
            "locked": [{"nurse": "ann", "day": on(first + d), "shift": shift} for d, shift in settled.items()],
            "rules": NO_RULES | draw(soft_rules(KINDS)),
        }
    )


def all_rosters(ward: Ward) -> Iterator[Roster]:
    cells = [None, *(shift.id for shift in ward.shifts)]
    width = len(ward.nurses) * ward.days
    for chosen in product(cells, repeat=width):
        yield {nurse.id: list(chosen[n * ward.days : (n + 1) * ward.days]) for n, nurse in enumerate(ward.nurses)}


def least_by_trial(ward: Ward) -> int | None:
    """The cost of the cheapest roster without a breach, of all there are; None = there is none."""
    legal = (each for each in all_rosters(ward) if check_compliance(ward, each).status == "PASS")
    return min((roster_cost(ward, each).total for each in legal), default=None)
