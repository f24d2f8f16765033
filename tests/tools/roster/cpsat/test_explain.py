"""A contradiction is named by the rules that make it."""

from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from patience import HANGS_S
from roster_models import least_cost, on, small_ward

from wavegraph.tools.roster.answers.phrases import in_english
from wavegraph.tools.roster.cpsat import explain
from wavegraph.tools.roster.cpsat.explain import too_few
from wavegraph.tools.roster.cpsat.grounds import Ground
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.ward.file import read_ward
from wavegraph.tools.roster.ward.ward import Ward

conflict = partial(explain.conflict, seconds=HANGS_S)

IMPOSSIBLE = Path(__file__).parents[3] / "data/roster/impossible.yaml"


def day(index: int) -> date:
    return date.fromisoformat(on(index))


def test_leave_against_a_settled_cell() -> None:
    ward = small_ward(
        {"D": "111"},
        {"ann": None, "ben": None},
        leave=[{"nurse": "ann", "day": on(1)}, {"nurse": "ben", "day": on(1)}],
        locked=[{"nurse": "ann", "day": on(1), "shift": "D"}],
    )
    found = conflict(ward)
    assert set(found) == {Ground(RuleId("leave"), "ann", day(1)), Ground(RuleId("locked"), "ann", day(1))}


def test_contract_hours_against_runs() -> None:
    """Six days of eight hours cannot be had with three in a row at most and two days off between."""
    contract = {"min_minutes": 6 * 480, "max_run": 3, "min_days_off": 2}
    found = conflict(small_ward({"D": "1111111"}, {"ann": {"contract": contract}, "ben": None}))
    assert {ground.nurse for ground in found} == {"ann"}
    assert {"least_minutes", "max_run"} <= {ground.rule.kind for ground in found}


def test_minimum_cover_that_nobody_can_meet() -> None:
    rows = [{"day": on(0), "shift": "D", "minimum": 2, "target": 2}]
    leave = [{"nurse": "ann", "day": on(0)}]
    ward = small_ward({"D": "0"}, {"ann": None, "ben": None}, demand=rows, leave=leave)
    found = conflict(ward)
    assert set(found) == {
        Ground(RuleId("minimum", "D", needed=2), None, day(0)),
        Ground(RuleId("leave"), "ann", day(0)),
    }
    assert conflict(ward, with_cover=False) == []


def test_of_two_contradictions_one_is_named() -> None:
    cells = [("ann", 0), ("ben", 1)]
    ward = small_ward(
        {"D": "11"},
        {"ann": None, "ben": None},
        leave=[{"nurse": n, "day": on(d)} for n, d in cells],
        locked=[{"nurse": n, "day": on(d), "shift": "D"} for n, d in cells],
    )
    assert {ground.rule.kind for ground in conflict(ward)} == {"leave", "locked"}
    assert len(conflict(ward)) == 2


def test_charge_without_anyone_who_has_the_skill() -> None:
    found = conflict(small_ward({"D": "1"}, skills=["charge"], rules={"charge_skill": "charge"}))
    assert found == [Ground(RuleId("charge", "D"), None, day(0))]


def test_a_roster_exists() -> None:
    assert conflict(small_ward({"D": "1"})) == []


def test_no_time_to_tell() -> None:
    assert conflict(read_ward(IMPOSSIBLE), seconds=0.0) == []


def with_contract(ward: Ward, name: str, **terms: Any) -> Ward:
    """The ward with other terms for one nurse."""
    old = ward.nurse_by_id[name]
    new = old.model_copy(update={"contract": old.contract.model_copy(update=terms)})
    return ward.model_copy(update={"nurses": [new if nurse is old else nurse for nurse in ward.nurses]})


def assert_possible(ward: Ward) -> None:
    assert conflict(ward) == []
    assert least_cost(ward) is not None


def test_more_hours_than_leave_allows() -> None:
    ward = read_ward(IMPOSSIBLE)
    found = conflict(ward)
    assert Ground(RuleId("least_minutes"), "ann") in found
    leave = {Ground(RuleId("leave"), row.nurse, row.day) for row in ward.leave}
    assert set(found) <= {Ground(RuleId("least_minutes"), "ann"), *leave}
    assert_possible(with_contract(ward, "ann", min_minutes=3 * 480))
    assert conflict(ward.model_copy(update={"leave": ward.leave[1:]}))
    assert_possible(ward.model_copy(update={"leave": ward.leave[2:]}))


def test_leave_that_takes_everybody_on_a_day_with_a_minimum() -> None:
    rows = [{"day": on(1), "shift": "D", "minimum": 1, "target": 1}]
    leave = [{"nurse": name, "day": on(1)} for name in ("ann", "ben", "cleo")]
    staff = {"ann": None, "ben": None, "cleo": None}
    ward = small_ward({"D": "000"}, staff, demand=rows, leave=leave)
    found = conflict(ward)
    minimum = Ground(RuleId("minimum", "D", needed=1), None, day(1))
    assert set(found) == {minimum, *(Ground(RuleId("leave"), name, day(1)) for name in staff)}
    assert_possible(ward.model_copy(update={"leave": ward.leave[1:]}))
    assert_possible(ward.model_copy(update={"demand": []}))


def test_settled_cells_against_a_succession() -> None:
    cells = [{"nurse": "ann", "day": on(day), "shift": shift} for day, shift in enumerate("LE")]
    ward = small_ward({"E": "00", "L": "00"}, locked=cells, shift={"L": {"not_followed_by": ["E"]}})
    found = conflict(ward)
    assert set(found) == {
        Ground(RuleId("locked"), "ann", day(0)),
        Ground(RuleId("locked"), "ann", day(1)),
        Ground(RuleId("succession"), "ann"),
    }
    assert_possible(ward.model_copy(update={"locked": ward.locked[1:]}))


def test_hours_that_cannot_be_reached() -> None:
    ward = small_ward({"D": "0000000"}, {"ann": {"contract": {"min_minutes": 5 * 480, "max_shifts": {"D": 3}}}})
    found = conflict(ward)
    assert set(found) == {Ground(RuleId("least_minutes"), "ann"), Ground(RuleId("most_shifts", "D"), "ann")}
    assert_possible(with_contract(ward, "ann", min_minutes=3 * 480))
    assert_possible(with_contract(ward, "ann", max_shifts={}))


def test_too_few_nurses_are_counted_in_hours() -> None:
    nurses = {name: {"contract": {"max_minutes": 960}} for name in ("ann", "ben")}
    rows = [{"day": on(d), "shift": "D", "minimum": 2, "target": 2} for d in range(5)]
    short = small_ward({"D": "00000"}, nurses, demand=rows)
    assert in_english(too_few(short)) == [
        "The minimums need 80 h and all contracts together allow 32 h: about 3 more nurses, or lower minimums."
    ]
    assert in_english(too_few(small_ward({"D": "00000"}, nurses))) == []
