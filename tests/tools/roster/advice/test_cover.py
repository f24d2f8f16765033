"""Who can take a shift: the order, and each reason against somebody."""

from datetime import date
from typing import Any, NamedTuple

import pytest
from roster_wards import ROWS, ward_of_two
from stored_rosters import THREE, known
from tables import table

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.cover import who_can_cover

TUESDAY = date(2026, 11, 24)
CARLS = "-------EEEE---"


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


@table("case", CASES)
def test_everybody_is_told_with_cost_or_rule(case: Case) -> None:
    found = who_can_cover(known(ward_of_two(**case.ward), **case.cells), TUESDAY, case.shift, case.instead)

    assert [(each.nurse, each.works, each.cost) for each in found.candidates if each.may] == case.may
    told = {each.nurse: [broken.type for broken in each.breaks] for each in found.candidates if not each.may}
    assert told == case.may_not


def test_who_falls_away_says_which_shift_it_is() -> None:
    of = known(ward_of_two(nurses=THREE), carl=CARLS)
    assert who_can_cover(of, TUESDAY, None, "Ben") == who_can_cover(of, TUESDAY, "L", "Ben")


def test_what_comes_of_nobody_taking_it() -> None:
    ward = ward_of_two(nurses=THREE, demand=[{**TOGETHER, "shift": "L"}], nurses__1__contract__min_minutes=4800)
    found = who_can_cover(known(ward, carl=CARLS), TUESDAY, "L", "Ben")

    assert found.if_nobody is not None
    assert [each.type for each in found.if_nobody.breaks] == ["coverage", "skill_mix", "contract_hours"]
    assert found.if_nobody.cost == 300
    assert (found.instead, found.on_it, found.short) == ("ben", [], [])


def test_a_shift_that_lacks_somebody_says_so_and_is_the_better_for_each_who_may() -> None:
    ward = ward_of_two(
        nurses=THREE, demand=[{**TOGETHER, "shift": "L", "minimum": 2, "target": 3}], rules__shortage="linear"
    )
    found = who_can_cover(known(ward, carl=CARLS), TUESDAY, "L")

    assert [each.detail for each in found.short] == ["1 nurse on L of 2026-11-24, at least 2 needed"]
    assert [(each.nurse, each.cost, each.breaks) for each in found.may] == [("carl", -100, [])]  # one is missing still


def test_hours_above_the_contract_come_after_those_within_it() -> None:
    dan = {**THREE[2], "id": "dan", "name": "Dan"}
    found = who_can_cover(known(ward_of_two(nurses=[*THREE, dan]), carl="-------EEEEE--", dan=CARLS), TUESDAY, "L")

    assert [(each.nurse, each.hours, each.target_hours, each.hours_over) for each in found.may] == [
        ("dan", 40, 40, 0), ("carl", 48, 40, 8),
    ]  # fmt: skip


@table(
    ("day", "shift", "instead", "code"),
    [
        (date(2026, 12, 7), "E", None, "outside_period"),
        (date(2026, 11, 22), "E", None, "outside_period"),
        (TUESDAY, "X", None, "unknown_shift"),
        (TUESDAY, "E", "Zoe", "unknown_nurse"),
        (TUESDAY, "E", "Ben", "not_on_shift"),
        (date(2026, 11, 28), "E", "Ann", "not_on_shift"),
        (date(2026, 11, 28), None, "Ann", "not_on_shift"),
        (TUESDAY, None, None, "needs_shift"),
    ],
)
def test_what_cannot_be_asked_is_told(day: date, shift: str | None, instead: str | None, code: str) -> None:
    with pytest.raises(ToolRefusal) as refused:
        who_can_cover(known(), day, shift, instead)
    assert refused.value.code == code
