"""Who can take a shift: the order, and each reason against somebody."""

from datetime import date
from typing import Any, NamedTuple

import pytest
from roster_wards import ROWS, rows, two, ward_of_two

from wavegraph.tools.roster.advice.cover import who_can_cover
from wavegraph.tools.roster.advice.rosters import KnownRoster
from wavegraph.tools.roster.store import StoredRoster
from wavegraph.tools.roster.ward.ward import Ward

TUESDAY = date(2026, 11, 24)
CARL = {"id": "carl", "name": "Carl", "skills": ["RN", "charge"], "contract": {"target_minutes": 2400}}
THREE = [*two()["nurses"], CARL]
CARLS = "-------EEEE---"


def roster_of(ward: Ward, **cells: str) -> KnownRoster:
    return KnownRoster(
        roster_id="0" * 16, ward=ward, stored=StoredRoster(ward_hash="1" * 64, roster=rows(**{**ROWS, **cells}))
    )


class Case(NamedTuple):
    id: str
    ward: dict[str, Any]
    cells: dict[str, str]
    shift: str
    instead: str | None
    may: list[tuple[str, str | None, int]]
    """Who, from which shift, at which cost."""
    may_not: dict[str, list[str]]
    """Who, and the broken rules."""


TOGETHER = {"day": "2026-11-24", "minimum": 1, "target": 1}
CASES = [
    Case("one more is wanted, and somebody is free", {"nurses": THREE}, {"carl": CARLS}, "L", None,
         [("carl", None, 0)], {"ann": ["daily_rest"]}),
    Case("who is off comes before who is moved", {"nurses": THREE}, {"carl": CARLS, "ann": ROWS["ben"]}, "E", None,
         [("carl", None, 0)], {"ann": ["daily_rest"], "ben": ["daily_rest"]}),
    Case("a shift that must not lose anybody", {"nurses": THREE, "demand": [{**TOGETHER, "shift": "L"}]},
         {"carl": "EEEE----------", "ben": "-L-LL--LLLLL--"}, "E", None,
         [], {"ben": ["coverage", "skill_mix"]}),
    Case("instead of somebody, whose place must be filled", {"nurses": THREE, "demand": [{**TOGETHER, "shift": "L"}]},
         {"carl": CARLS}, "L", "ben", [("carl", None, 0)], {"ann": ["daily_rest"]}),
    Case("her own row is nobody else's fault",
         {"nurses": THREE, "demand": [{**TOGETHER, "shift": "L"}], "nurses__1__contract__min_minutes": 4800},
         {"carl": CARLS}, "L", "ben", [("carl", None, 0)], {"ann": ["daily_rest"]}),
    Case("the skill that she had is missed", {"nurses": THREE, "demand": [{**TOGETHER, "shift": "E", "skill": "pediatric"}]},
         {"carl": CARLS}, "E", "ann", [], {"carl": ["skill_mix"], "ben": ["skill_mix", "daily_rest"]}),
    Case("leave", {"nurses": THREE, "leave": [{"nurse": "carl", "day": "2026-11-24"}]}, {"carl": CARLS}, "L", None,
         [], {"ann": ["daily_rest"], "carl": ["leave"]}),
    Case("settled off", {"nurses": THREE, "locked": [{"nurse": "carl", "day": "2026-11-24", "shift": None}]},
         {"carl": CARLS}, "L", None, [], {"ann": ["daily_rest"], "carl": ["locked"]}),
    Case("a wish that is not granted is a cost",
         {"nurses": THREE, "wishes": [{"nurse": "carl", "day": "2026-11-24", "wants": False, "weight": 7}]},
         {"carl": CARLS}, "L", None, [("carl", None, 7)], {"ann": ["daily_rest"]}),
    Case("the last day before the period counts",
         {"nurses": THREE, "nurses__2__history": {"tail": ["E", "E", "E", "E", "E", "E"]}}, {"carl": "E-------------"}, "E", None,
         [], {"carl": ["consecutive_days"], "ben": ["daily_rest"]}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_everybody_is_told_with_cost_or_rule(case: Case) -> None:
    found = who_can_cover(roster_of(ward_of_two(**case.ward), **case.cells), TUESDAY, case.shift, case.instead)

    assert [(each.nurse, each.works, each.cost) for each in found.candidates if each.may] == case.may
    told = {each.nurse: [broken.type for broken in each.breaks] for each in found.candidates if not each.may}
    assert told == case.may_not
