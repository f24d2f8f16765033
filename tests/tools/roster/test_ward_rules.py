"""The rules that a ward may price: both solvers, the checks and a trial of every roster are of one mind."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from patience import HANGS_S
from roster_models import cost_parts, least_cost, on, small_ward
from roster_rules import least_by_trial, tiny_wards
from roster_wards import rows, two
from tables import table

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.columns.solve import solve as by_columns
from wavegraph.tools.roster.cpsat.explain import conflict
from wavegraph.tools.roster.cpsat.wording import why_told
from wavegraph.tools.roster.problem.prices import NO_PENALTIES
from wavegraph.tools.roster.told import english
from wavegraph.tools.roster.ward.faults import WardError
from wavegraph.tools.roster.ward.file import ward_of as ward_of_data
from wavegraph.tools.roster.ward.ward import Roster, Ward

FEW = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


@FEW
@given(tiny_wards())
def test_cp_sat_finds_the_cheapest_of_all_rosters(ward: Ward) -> None:
    least = least_by_trial(ward)
    assert least_cost(ward) == (None if least is None else pytest.approx(least))


@FEW
@given(tiny_wards())
def test_columns_find_it_too(ward: Ward) -> None:
    pytest.importorskip("highspy")
    found = by_columns(ward, penalties=NO_PENALTIES, work=0.05, seconds=HANGS_S)
    least = least_by_trial(ward)
    assert found.cost == least
    assert (found.roster is None) == (found.status == "infeasible")
    assert least is None or (found.bound <= least and sum(found.parts.values()) == least)


@dataclass(frozen=True)
class Case:
    id: str
    row: str
    """Of ann; `small_ward`'s first day is a Monday."""
    kind: str
    cost: int
    contract: dict[str, Any]
    tail: str = ""
    found: tuple[str, ...] = ()
    """Types of findings, after the day where there is one."""
    more: dict[str, Any] | None = None
    before: dict[str, int] = field(default_factory=dict)
    """Counts of the history."""


def runs(**limit: Any) -> dict[str, Any]:
    return {"runs": [{"weight": 10, **limit}]}


NIGHTS = {"shifts": ["N"]}
CASES = [
    # A single night and a run of four, of at least two and at most three: one too few, one too many.
    Case("nights", "-N-NNNN-", "runs", 20, runs(**NIGHTS, least=2, most=3), found=("24 unwelcome_run", "29 unwelcome_run")),
    # The first night may follow others, the last may be followed by others.
    Case("nights-at-the-ends", "N------N", "runs", 0, runs(**NIGHTS, least=2)),
    Case("nights-after-a-known-day", "N------N", "runs", 10, runs(**NIGHTS, least=2), tail="-", found=("23 unwelcome_run",)),
    Case("nights-of-the-tail", "NN------", "runs", 10, runs(**NIGHTS, most=3), tail="-NN", found=("24 unwelcome_run",)),
    # One day too many lies in the tail: only what the roster adds costs.
    Case("nights-too-many-before", "N-------", "runs", 10, runs(**NIGHTS, most=1), tail="-NN", found=("23 unwelcome_run",)),
    Case("cut-off-by-the-first-day", "D-------", "runs", 20, runs(**NIGHTS, least=3), tail="-N", found=("23 unwelcome_run",)),
    Case("other-kinds-end-a-run", "-NDN----", "runs", 20, runs(**NIGHTS, least=2), found=("24 unwelcome_run", "26 unwelcome_run")),
    Case("kinds-of-one-run", "-NDN----", "runs", 0, runs(shifts=["N", "D"], least=3)),
    Case("working-days", "-DDDDDN-", "runs", 10, runs(least=2, most=5), found=("29 unwelcome_run",)),
    Case("single-day-off", "DD-DD---", "runs", 10, runs(off=True, least=2), found=("25 unwelcome_run",)),
    Case("many-days-off", "D------D", "runs", 20, runs(off=True, most=4), found=("28 unwelcome_run",)),
    Case("the-wards", "D------D", "runs", 20, {}, more={"rules": runs(off=True, most=4)}, found=("28 unwelcome_run",)),
    Case("the-wards-not-for-her", "D------D", "runs", 0, {"ward_runs": False}, more={"rules": runs(off=True, most=4)}),
    # Monday, 2026-11-23; the weekend is the sixth and the seventh day.
    Case("split", "DDDDDD--", "uneven_weekends", 6, {"split_weekend_weight": 6}, found=("28 incomplete_weekend",)),
    Case("split-by-the-rules", "------D-", "uneven_weekends", 4, {}, more={"rules": {"split_weekend_weight": 4}}, found=("29 incomplete_weekend",)),
    Case("split-not-hers", "------D-", "uneven_weekends", 0, {"split_weekend_weight": 0}, more={"rules": {"split_weekend_weight": 4}}),
    Case("mixed", "-----DN-", "uneven_weekends", 5, {"mixed_weekend_weight": 5, "split_weekend_weight": 6}, found=("29 mixed_weekend",)),
    Case("the-same", "-----NN-", "uneven_weekends", 0, {"mixed_weekend_weight": 5, "split_weekend_weight": 6}),
    Case("saturday-of-the-tail", "N-------", "uneven_weekends", 5, {"mixed_weekend_weight": 5}, tail="D", more={"start": "2026-11-29"}, found=("29 mixed_weekend",)),
    Case("saturday-not-known", "N-------", "uneven_weekends", 0, {"mixed_weekend_weight": 5, "split_weekend_weight": 5}, more={"start": "2026-11-29"}),
    Case("few-shifts", "DD------", "totals", 12, {"assignments": {"least": 5, "under_weight": 4}}, found=("unwelcome_total",)),
    Case("many-shifts", "DDDDDD--", "totals", 14, {"assignments": {"most": 4, "over_weight": 7}}, found=("unwelcome_total",)),
    Case("within", "DDDD----", "totals", 0, {"assignments": {"least": 4, "most": 4}}),
    Case("weekends", "-----DD-", "totals", 9, {"working_weekends": {"most": 0, "over_weight": 9}}, found=("unwelcome_total",)),
    Case("carried", "DD------", "totals", 20, {"assignments": {"most": 8, "carried": True}}, before={"assignments": 8}, found=("unwelcome_total",)),
    Case("not-carried", "DD------", "totals", 0, {"assignments": {"most": 8}}, before={"assignments": 8}),
    Case("carried-enough", "--------", "totals", 0, {"assignments": {"least": 8, "carried": True}}, before={"assignments": 8}),
    # D begins at 8, L at 14, N at 22; a day off between them is no step back.
    Case("steps-back", "LDNL-D--", "rotation", 8, {}, more={"rules": {"backward_weight": 4}}, found=("24 backward_rotation", "26 backward_rotation")),
    Case("step-back-from-the-tail", "D-------", "rotation", 4, {}, tail="L", more={"rules": {"backward_weight": 4}}, found=("23 backward_rotation",)),
    Case("forward", "DLN-----", "rotation", 0, {}, more={"rules": {"backward_weight": 4}}),
    Case("an-hour", "ED------", "rotation", 0, {}, more={"rules": {"backward_weight": 4}, "shift": {"D": {"start": "06:01"}}}),
    Case("without-a-price", "-N------", "runs", 0, runs(**NIGHTS, least=2, weight=0)),
]  # fmt: skip


NEW = {"unwelcome_run", "mixed_weekend", "incomplete_weekend", "unwelcome_total", "backward_rotation"}
"""Types of findings of soft rules."""


def ward_of(case: Case) -> Ward:
    nurse = {"contract": case.contract, "history": {"tail": rows(ann=case.tail)["ann"], **case.before}}
    return small_ward(dict.fromkeys("DELN", "0" * len(case.row)), {"ann": nurse}, **(case.more or {}))


@table("case", CASES)
def test_a_soft_rule_costs_what_is_counted_by_hand(case: Case) -> None:
    ward, roster = ward_of(case), rows(ann=case.row)
    parts = cost_parts(ward, roster)
    assert parts is not None
    assert (parts.get(case.kind, 0), roster_cost(ward, roster).by_kind.get(case.kind, 0) or 0) == (case.cost, case.cost)
    findings = [found for found in check_empathy(ward, roster).findings if found.type in NEW]
    assert [f"{(found.day or '')[-2:]} {found.type}".strip() for found in findings] == list(case.found)


HARD = [
    ("-N-NN---", "nights at least two", runs(**NIGHTS, least=2, weight=None), "run_length"),
    ("--NNNN--", "nights at most three", runs(**NIGHTS, most=3, weight=None), "run_length"),
    ("-D-----D", "days off at most four", runs(off=True, most=4, weight=None), "days_off"),
]


@pytest.mark.parametrize(("row", "why", "contract", "kind"), HARD, ids=[why for _, why, _, _ in HARD])
def test_without_a_price_a_rule_is_hard(row: str, why: str, contract: dict[str, Any], kind: str) -> None:
    ward, roster = ward_of(Case(why, row, "", 0, contract)), rows(ann=row)
    assert cost_parts(ward, roster) is None
    assert [found.type for found in check_compliance(ward, roster).breaches] == [kind]


@pytest.mark.parametrize("ward_runs", [True, False])
def test_the_wards_limits_hold_where_the_contract_does_not_say_otherwise(ward_runs: bool) -> None:
    rules = {"rules": {"runs": [{"off": True, "most": 4}, {"least": 2}]}}
    ward, roster = ward_of(Case("", "-D-----D", "", 0, {"ward_runs": ward_runs}, more=rules)), rows(ann="-D-----D")
    assert (cost_parts(ward, roster) is None) is ward_runs
    found = [each.type for each in check_compliance(ward, roster).breaches]
    assert found == (["run_length", "days_off"] if ward_runs else [])


def test_single_nights_are_avoided_where_that_costs_less() -> None:
    """One night is wanted on the third day: two in a row cost one nurse too many, a single one ten."""
    ward = small_ward({"N": "0010000"}, {"ann": {"contract": runs(**NIGHTS, least=2)}})
    assert least_cost(ward) == 1


def test_a_hard_rule_is_named_where_no_roster_exists() -> None:
    """A settled night between two settled days off cannot be one of two."""
    settled = [{"nurse": "ann", "day": on(day), "shift": shift} for day, shift in ((0, None), (1, "N"), (2, None))]
    ward = small_ward({"N": "000"}, {"ann": {"contract": runs(**NIGHTS, least=2, weight=None)}}, locked=settled)
    words = english(why_told(ward, conflict(ward, seconds=HANGS_S)))
    assert words == (
        "No roster keeps the settled cell for ann on 2026-11-23, 2026-11-24, 2026-11-25; "
        "at least 2 N in a row for ann; at least one of them would have to give."
    )


FAULTS = [
    ({"shifts": ["X"], "least": 2}, "rules.runs[0].shifts"),
    ({"shifts": ["N", "N"], "least": 2}, "rules.runs[0].shifts"),
    ({"shifts": ["N"], "off": True, "least": 2}, "rules.runs[0].shifts"),
    ({"least": 4, "most": 3}, "rules.runs[0].least"),
    ({"off": True}, "rules.runs[0]"),
]


@table(("limit", "place"), FAULTS)
def test_a_limit_that_contradicts_itself_is_a_fault(limit: dict[str, Any], place: str) -> None:
    with pytest.raises(WardError) as raised:
        ward_of_data(two(rules__runs=[limit]))
    assert [str(fault.place) for fault in raised.value.faults] == [place]


AS_TWO = [{"id": "D-RN", "start": "08:00", "minutes": 480, "skill": "RN"},
          {"id": "D-charge", "start": "08:00", "minutes": 480, "skill": "charge"}]  # fmt: skip


def test_a_nurse_with_two_skills_is_counted_for_one_of_them() -> None:
    """Ann has both skills and Ben is no nurse in charge: of two wanted in charge and one nurse, one in charge is missing."""
    staff = [{"id": "ann", "skills": ["RN", "charge"]}, {"id": "ben", "skills": ["RN"]}]
    wanted = [("D-RN", 1, 30), ("D-charge", 2, 50)]
    rows = [{"day": on(0), "shift": shift, "target": n, "under_weight": weight} for shift, n, weight in wanted]
    ward = small_ward({"D": "0"}, shifts=AS_TWO, staff=staff, demand=rows, skills=["RN", "charge"])
    assert least_cost(ward) == 50


def test_the_same_times_with_another_skill_are_one_kind_of_weekend() -> None:
    contract = {"mixed_weekend_weight": 5}
    staff = [{"id": "ann", "skills": ["RN", "charge"], "contract": contract}]
    ward = small_ward({"D": "0" * 7}, shifts=AS_TWO, staff=staff, demand=[], skills=["RN", "charge"])
    roster: Roster = {"ann": [None, None, None, None, None, "D-RN", "D-charge"]}
    parts = cost_parts(ward, roster)
    assert parts is not None
    assert (parts.get("uneven_weekends", 0), roster_cost(ward, roster).uneven_weekends) == (0, 0)


def test_lates_are_shared_by_contract_hours() -> None:
    """Six lates: four for ann of 40 hours, two for ben of 20; of two more than her share before, half are taken off hers."""
    staff = {"ann": {"contract": {"target_minutes": 2400}}, "ben": {"contract": {"target_minutes": 1200}}}
    shared = {"balanced": [{"shifts": ["L"], "weight": 7}]}
    ward = small_ward({"L": "1111110"}, staff, rules=shared)
    even, uneven = rows(ann="LLLL---", ben="----LL-"), rows(ann="LL-----", ben="--LLLL-")
    assert [roster_cost(ward, each).balance for each in (even, uneven)] == [0, 14]
    assert [(cost_parts(ward, each) or {}).get("balance") for each in (even, uneven)] == [0, 14]
    before = {"ann": staff["ann"] | {"history": {"shifts": {"L": 6}}}, "ben": staff["ben"]}
    later = small_ward({"L": "1111110"}, before, rules=shared, fairness={"history_share": 0.5})
    assert roster_cost(later, even).balance == 7
