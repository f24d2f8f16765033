"""Why a cell is as it is: each alternative breaks just what is named, and loosening what is named makes it possible."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from roster_models import cost_parts
from roster_strategies import rosters, wards
from roster_wards import rows, ward_of_two
from stored_rosters import THREE, known
from tables import table

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.relax import loosened
from wavegraph.tools.roster.advice.rosters import KnownRoster
from wavegraph.tools.roster.advice.why import explain_cell
from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.judge import Judge
from wavegraph.tools.roster.problem.ids import RuleKind
from wavegraph.tools.roster.store import StoredRoster
from wavegraph.tools.roster.ward.ward import Roster, Ward
from wavegraph.tools.roster.words_en import ENGLISH

TUESDAY = date(2026, 11, 24)
NONE: Mapping[str, Any] = {}
OF_SHIFTS = {"coverage", "skill_mix"}
"""These the solver prices; all others it refuses."""


def with_cell(roster: Roster, nurse: str, day: int, shift: str | None) -> Roster:
    return {**roster, nurse: [shift if index == day else cell for index, cell in enumerate(roster[nurse])]}


def test_every_rule_that_can_be_in_breach_can_be_loosened() -> None:
    kinds = get_args(RuleKind)
    must = {*kinds[: kinds.index("minimum") + 1], "charge"}
    assert must == {kind.split(".")[1].removesuffix("_1") for kind in ENGLISH if kind.startswith("loosened.")} - {
        "also",
        "for_all",
        "of",
        "for",
    }


@given(wards(), st.data())
@settings(max_examples=40)
def test_each_alternative_breaks_what_is_named_and_is_possible_without(ward: Ward, data: Any) -> None:
    roster = data.draw(rosters(ward))
    nurse, day = data.draw(st.sampled_from(ward.nurses)).id, data.draw(st.integers(0, ward.days - 1))
    of = KnownRoster(roster_id="0" * 16, ward=ward, stored=StoredRoster(ward_hash="1" * 64, roster=roster))
    found = explain_cell(of, nurse, ward.day(day))

    known_before = check_compliance(ward, roster).breaches
    for each in found.alternatives:
        changed = with_cell(roster, nurse, day, each.shift)
        breaches = check_compliance(ward, changed).breaches
        assert [broken for broken in each.breaks if broken not in breaches or broken in known_before] == []
        assert {broken.type for broken in breaches} <= {b.type for b in [*each.breaks, *known_before]}
        assert bool(each.relax) is bool(each.breaks)
        left = check_compliance(loosened(ward, breaches)[0], changed).breaches
        gone_leave = any(broken.type == "leave" for broken in breaches)  # its hours do not count any more
        assert [broken for broken in left if not (gone_leave and broken.type == "contract_hours")] == []


@pytest.mark.parametrize("cells", [("EEE-----------", "EEEE----------"), ("EEEE----------", "EEE-----------")])
def test_a_limit_that_two_runs_break_is_loosened_for_both(cells: tuple[str, str]) -> None:
    """Whichever is found first."""
    limit = {"rules__runs": [{"most": 2}, {"shifts": ["E"], "most": 3}], "demand": [], "rules__charge_skill": None}
    ward = ward_of_two(**limit, nurses__0__contract={}, nurses__1__contract={})
    roster = known(ward, **dict(zip(("ann", "ben"), cells, strict=True))).roster
    breaches = check_compliance(ward, roster).breaches
    wider, words = loosened(ward, breaches)

    assert [limit.most for limit in wider.rules.runs] == [4, 4]
    assert check_compliance(wider, roster).breaches == []
    assert sorted(words) == [
        "at most 4 instead of 2 working days in a row for everybody",
        "at most 4 instead of 3 E in a row for everybody",
    ]


def test_only_her_own_limits_are_loosened_for_one_whom_the_wards_do_not_bind() -> None:
    own = {"runs": [{"most": 2}], "ward_runs": False}
    changes: dict[str, Any] = {
        "nurses__0__contract": own,
        "nurses__1__contract": {},
        "demand": [],
        "rules__charge_skill": None,
    }
    ward = ward_of_two(rules__runs=[{"most": 2}], **changes)
    wider, _ = loosened(ward, check_compliance(ward, known(ward, ann="EEE" + "-" * 11, ben="-" * 14).roster).breaches)

    assert (wider.rules.runs[0].most, wider.nurses[0].contract.runs[0].most) == (2, 3)


@pytest.mark.parametrize("own", [3, 6])
def test_a_limit_of_the_ward_and_of_a_contract_are_loosened_for_both_who_break_them(own: int) -> None:
    """The ward's stays where the longer of the two runs needs it, whichever is loosened first."""
    changes = {"nurses__0__contract": {}, "nurses__1__contract": {"max_run": own}, "demand": []}
    ward = ward_of_two(rules__max_days_in_a_row=4, rules__weekly_rest_hours=0, rules__charge_skill=None, **changes)
    roster = known(ward, ann="EEEEE---------", ben="EEEEEEEE------").roster
    wider, _ = loosened(ward, check_compliance(ward, roster).breaches)

    assert check_compliance(wider, roster).breaches == []
    assert (wider.rules.max_days_in_a_row, wider.nurses[1].contract.max_run) == (8, 8)


class Case(NamedTuple):
    id: str
    forced: bool
    holds: dict[str, list[str | None]]
    """What forbids, by kind."""
    ward: Mapping[str, Any] = NONE
    cells: Mapping[str, str] = NONE
    nurse: str = "ann"


WANTED = {"day": "2026-11-24", "shift": "E", "minimum": 1, "target": 1}
CASES = [
    Case("a rest after it", False, {"rest": ["L", "N"]}, {"demand": []}),
    Case("a rest before and after it", True, {"rest": ["E", "L", "N"]}, {"demand": []}, {"ann": "L-EEE--EEEEE--"}),
    Case("the only one there", True, {"demand": [None, "L", "N"], "rest": ["L", "N"]}, {"demand": [WANTED], "rules__charge_skill": None}),
    Case("the only one with the skill", True, {"skill": [None, "L", "N"], "rest": ["L", "N"]},
         {"nurses": THREE, "demand": [{**WANTED, "skill": "pediatric"}]}, {"carl": "EEEE----------"}),
    Case("leave", True, {"leave": ["E", "L", "N"], "rest": ["L", "N"]},
         {"demand": [], "leave": [{"nurse": "ann", "day": "2026-11-24"}]}, {"ann": "E-EEE--EEEEE--"}),
    Case("leave from one shift", False, {"leave": ["E"], "rest": ["N"]},
         {"demand": [], "leave": [{"nurse": "ann", "day": "2026-11-24", "shift": "E"}]}, {"ann": "E-LLL--EEEEE--"}),
    Case("settled", True, {"locked": [None, "L", "N"], "rest": ["L", "N"]},
         {"demand": [], "locked": [{"nurse": "ann", "day": "2026-11-24", "shift": "E"}]}),
    Case("hours by contract", True, {"limit": [None], "rest": ["L", "N"]},
         {"demand": [], "nurses__0__contract": {"min_minutes": 4800}}),
    Case("the tail counts", True, {"limit": ["E", "L", "N"], "rest": ["L", "N"]},
         {"demand": [], "nurses__0__history": {"tail": ["E", "E", "E", "E", "E"]}}, {"ann": "E-EEE--EEEEE--"}),
]  # fmt: skip


@table("case", CASES)
def test_what_holds_a_cell(case: Case) -> None:
    ward = ward_of_two(**case.ward)
    of = known(ward, **case.cells)
    found = explain_cell(of, case.nurse, TUESDAY)

    assert found.forced is case.forced
    assert {each.kind: sorted(each.forbids, key=str) for each in found.holds} == {
        kind: sorted(shifts, key=str) for kind, shifts in case.holds.items()
    }


@table("case", CASES)
def test_the_solver_s_model_says_the_same(case: Case) -> None:
    """It refuses what breaks a rule of a nurse, and takes it once that is loosened; a shortage it prices."""
    ward = ward_of_two(**case.ward)
    of = known(ward, **case.cells)
    assert cost_parts(ward, of.roster) is not None
    for each in explain_cell(of, case.nurse, TUESDAY).alternatives:
        changed = with_cell(of.roster, case.nurse, 1, each.shift)
        refuses = any(broken.type not in OF_SHIFTS for broken in each.breaks)
        assert (cost_parts(ward, changed) is None) is refuses
        assert cost_parts(loosened(ward, each.breaks)[0], changed) is not None


def test_what_another_shift_would_cost() -> None:
    ward = ward_of_two(demand=[{**WANTED, "minimum": 0}], wishes=[{"nurse": "ann", "day": "2026-11-24", "wants": True, "weight": 4}],
                       rules__charge_skill=None, rules__shortage="linear")  # fmt: skip
    found = explain_cell(known(ward), "Ann", TUESDAY)

    assert (found.forced, found.shift, found.name) == (False, "E", "ann Ann")
    off = found.alternatives[0]
    assert (off.shift, off.cost, off.may) == (None, 104, True)
    assert "1 wanted" in " ".join(each.detail for each in off.warnings)
    assert off.worse is not None
    assert [kind for kind in ("under", "wishes", "coverage", "wish") if kind in off.worse] == ["under", "wishes"]


def test_what_costs_no_more_and_is_as_fair_is_no_worse() -> None:
    limits: dict[str, Any] = {
        "demand": [],
        "rules__charge_skill": None,
        "nurses__0__contract": {},
        "nurses__1__contract": {},
    }
    found = explain_cell(known(ward_of_two(**limits), ann="EEEE----------", ben="-" * 14), "ann", date(2026, 11, 26))

    assert {each.shift: each.worse for each in found.alternatives} == {"L": [], None: [], "N": ["less_fair"]}


def test_what_is_wrong_there_already_is_told_and_is_no_reason() -> None:
    found = explain_cell(known(ward_of_two(demand=[]), ann="ELEEE--EEEEE--"), "ann", date(2026, 11, 25))

    assert [each.type for each in found.found] == ["daily_rest"]
    assert [each.shift for each in found.alternatives if each.may] == [None]


def test_a_day_outside_and_a_stranger_are_refused() -> None:
    for nurse, day, code in (("ann", date(2026, 12, 7), "outside_period"), ("Zoe", TUESDAY, "unknown_nurse")):
        with pytest.raises(ToolRefusal) as refused:
            explain_cell(known(), nurse, day)
        assert refused.value.code == code


def test_the_judge_and_the_explanation_agree() -> None:
    of = known()
    found = explain_cell(of, "ann", TUESDAY)
    for each in found.alternatives:
        assert Judge(of.ward, of.roster).changed({("ann", 1): each.shift}).cost == each.cost


def test_of_one_bound_only_the_loosest_is_named() -> None:
    night = ward_of_two(demand=[], rules__weekly_rest_hours=0)
    found = explain_cell(known(night, ann="N--E---EEEEE--"), "ann", date(2026, 11, 25))
    [night_too] = [each for each in found.alternatives if each.shift == "N"]
    assert [each.type for each in night_too.breaks].count("rest_after_nights") == 2
    assert night_too.relax == ["no rule of daily rest for everybody", "no rule of rest after nights for everybody"]


def test_a_night_on_leave_that_goes_on_needs_both_to_give() -> None:
    leave = [{"nurse": "ann", "day": day, "paid": False} for day in ("2026-11-26", "2026-11-27")]
    ward, row = ward_of_two(demand=[], leave=leave, nurses__0__contract={}), {"ann": "---N----------", "ben": "-" * 14}
    broken = check_compliance(ward, rows(**row)).breaches

    wider, words = loosened(ward, broken)
    assert words == ["a night before leave for everybody", "giving up leave of ann Ann on 2026-11-26"]
    assert check_compliance(wider, rows(**row)).breaches == []


def test_a_nurse_without_the_skill_of_a_shift_may_work_it_once_she_has_it() -> None:
    ward, row = (
        ward_of_two(demand=[], shifts__0__skill="pediatric", nurses__0__contract={}),
        {"ann": "-" * 14, "ben": "E" + "-" * 13},
    )
    broken = check_compliance(ward, rows(**row)).breaches

    wider, words = loosened(ward, broken)
    assert words == ["skill pediatric for ben Ben"]
    assert wider.nurse_by_id["ben"].skills == sorted([*ward.nurse_by_id["ben"].skills, "pediatric"])
    assert check_compliance(wider, rows(**row)).breaches == []


def test_what_must_give_is_told_with_the_number_before() -> None:
    ward = ward_of_two(demand=[], nurses__0__contract={"max_nights": 0})
    breaches = check_compliance(ward, rows(ann="N-------------", ben="-" * 14)).breaches
    assert "at most 1 instead of 0 nights for ann Ann" in loosened(ward, breaches)[1]
