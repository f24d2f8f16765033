"""What holds of every roster, whatever it is."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roster_wards import TWO, ward_of_two

from wavegraph.tools.roster.checks import timelines
from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.checks.coverage import check_charge, check_coverage, check_skill_mix
from wavegraph.tools.roster.checks.empathy import check_empathy, fairness
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.reports import report_of
from wavegraph.tools.roster.ward.fairness_limits import ALLOWED
from wavegraph.tools.roster.ward.ward import Nurse, Roster, Ward

DAYS = 14
NAMES = ["ann", "ben", "cleo"]
CELLS = st.sampled_from(["E", "L", "N", None, None])


@st.composite
def histories(draw: st.DrawFn) -> dict[str, Any]:
    tail = draw(st.lists(CELLS, max_size=7))
    return {"tail": tail, "nights": draw(st.integers(0, 5)), "weekends": draw(st.integers(0, 3))}


@st.composite
def nurses(draw: st.DrawFn, name: str) -> dict[str, Any]:
    contract = {"min_run": draw(st.integers(1, 3)), "max_run": draw(st.integers(3, 7)), "max_weekends": 1}
    skills = draw(st.lists(st.sampled_from(TWO["skills"]), unique=True))
    hours = {"target_minutes": draw(st.sampled_from([None, 2400, 4800])), "max_nights": draw(st.integers(0, 4))}
    fatigue = draw(st.sampled_from([0, 0.4, 0.7, 0.9]))
    return {
        "id": name,
        "skills": skills,
        "contract": contract | hours,
        "fatigue": fatigue,
        "history": draw(histories()),
    }


@st.composite
def wards(draw: st.DrawFn) -> tuple[Ward, Roster]:
    """A ward of three and a roster of any kind."""
    rules = {"charge_skill": "charge", "derogated_rest_hours": draw(st.sampled_from([None, 8]))}
    wishes = [
        {"nurse": name, "day": f"2026-11-{day}", "shift": shift, "wants": shift is not None, "weight": 3}
        for name, day, shift in draw(st.sets(st.tuples(st.sampled_from(NAMES), st.integers(23, 30), CELLS), max_size=6))
    ]
    pairs = [{"first": "ann", "second": "ben", "together": draw(st.booleans())}]
    ward = ward_of_two(nurses=[draw(nurses(name)) for name in NAMES], rules=rules, wishes=wishes, pairs=pairs)
    return ward, {name: draw(st.lists(CELLS, min_size=DAYS, max_size=DAYS)) for name in NAMES}


@given(wards(), st.permutations(NAMES))
def test_the_order_of_nurses_changes_nothing(case: tuple[Ward, Roster], order: list[str]) -> None:
    ward, roster = case
    other = ward.model_copy(update={"nurses": [ward.nurse_by_id[name] for name in order]})
    turned = {name: roster[name] for name in order}
    assert check_compliance(other, turned) == check_compliance(ward, roster)
    assert roster_cost(other, turned) == roster_cost(ward, roster)
    empathy, same = check_empathy(other, turned), check_empathy(ward, roster)
    assert (empathy.findings, empathy.scores, empathy.failed) == (same.findings, same.scores, same.failed)
    assert abs(empathy.fairness - same.fairness) < 0.11


@given(wards(), st.sampled_from(NAMES), st.integers(0, DAYS - 1))
def test_a_shift_less_covers_no_more(case: tuple[Ward, Roster], nurse: str, day: int) -> None:
    ward, roster = case
    fewer = {**roster, nurse: [None if place == day else cell for place, cell in enumerate(roster[nurse])]}
    for rule in (check_coverage, check_skill_mix, check_charge):
        before, after = (
            {(found.day, found.shift) for found in rule(Checked(ward, cells))} for cells in (roster, fewer)
        )
        assert before <= after
    assert roster_cost(ward, fewer).under >= roster_cost(ward, roster).under


@given(wards())
def test_findings_lie_in_the_ward_and_decide_the_verdicts(case: tuple[Ward, Roster]) -> None:
    ward, roster = case
    compliance, empathy = check_compliance(ward, roster), check_empathy(ward, roster)
    days = {ward.day(day).isoformat() for day in range(ward.days)}
    for found in (*compliance.findings, *empathy.findings):
        assert found.nurse_id is None or found.nurse_id in ward.nurse_by_id
        assert found.day is None or found.day in days
        assert found.detail
    assert (compliance.status == "FAIL") == bool(compliance.breaches)
    over = {kind for kind, most in ALLOWED.items() if most is not None}
    counts = {kind: sum(found.type == kind for found in empathy.findings) for kind in over}
    assert {failed.type for failed in empathy.failed} == {kind for kind in over if counts[kind] > (ALLOWED[kind] or 0)}
    assert (empathy.status == "REJECTED") == bool(empathy.failed)
    assert all(0 <= score <= 100 for score in empathy.scores.values())
    assert 0 <= empathy.fairness <= 100


def test_fairness_is_a_hundred_less_the_mean_difference_of_two() -> None:
    assert fairness([80.0, 80.0, 80.0]) == 100.0
    assert fairness([100.0, 80.0]) == 80.0
    assert fairness([100.0, 80.0, 60.0]) == 73.3  # differences 20, 40, 20
    assert fairness([50.0]) == 100.0


def test_cost_by_hand() -> None:
    """Nobody on E, at three times its weight of 100; L one too many at 1; a wish of weight 3 not granted; three days together at 10."""
    ward = ward_of_two(
        demand=[
            {"day": "2026-11-23", "shift": "E", "target": 1},
            {"day": "2026-11-23", "shift": "L", "target": 1},
        ],
        wishes=[
            {"nurse": "ann", "day": "2026-11-23", "shift": "E", "wants": True, "weight": 3},
            {"nurse": "ann", "day": "2026-11-29", "wants": False, "weight": 7},
        ],
        pairs=[{"first": "ann", "second": "ben", "together": False}],
    )
    roster: Roster = {"ann": ["L", "L", "L", *[None] * 11], "ben": ["L", "L", "L", *[None] * 11]}
    cost = roster_cost(ward, roster)
    assert (cost.under, cost.over, cost.wishes, cost.pairs, cost.total) == (300, 1, 3, 30, 334)


def test_four_times_as_many_nurses_take_not_much_more_than_four_times_the_work() -> None:
    assert steps_of_checks(100) < 6 * steps_of_checks(25)


def steps_of_checks(nurses: int) -> int:
    """Lines of Python that checking a roster of four weeks runs: the same on every machine."""
    days, staff = 28, [f"nurse_{n:03}" for n in range(nurses)]
    pattern = ["E", "E", "L", "L", None, None, "N", "N", None, None, None]
    ward = ward_of_two(
        days=days,
        nurses=[{"id": name, "skills": ["RN"], "contract": {"target_minutes": 9600, "max_run": 5}} for name in staff],
        demand=[
            {
                "day": f"2026-{11 + (22 + day) // 30}-{(22 + day) % 30 + 1:02}",
                "shift": shift,
                "minimum": nurses // 5,
                "target": nurses // 4,
            }
            for day in range(days)
            for shift in "ELN"
        ],
        wishes=[{"nurse": name, "day": "2026-11-25", "wants": False} for name in staff],
    )
    roster = {name: [pattern[(day + n) % len(pattern)] for day in range(days)] for n, name in enumerate(staff)}
    with counted_lines() as lines:
        check_compliance(ward, roster)
        check_empathy(ward, roster)
        roster_cost(ward, roster)
    return lines[0]


@contextmanager
def counted_lines() -> Iterator[list[int]]:
    lines = [0]

    def count(frame: Any, event: str, _: Any) -> Any:
        lines[0] += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        yield lines
    finally:
        sys.settrace(before)


def test_a_roster_is_laid_out_once_for_all_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    whole = timelines.Timeline

    def counted(ward: Ward, nurse: Nurse, *rest: Any) -> timelines.Timeline:
        made.append(nurse.id)
        return whole(ward, nurse, *rest)

    monkeypatch.setattr(timelines, "Timeline", counted)
    ward = ward_of_two(leave=[])
    report_of(ward, {nurse.id: [None] * ward.days for nurse in ward.nurses})
    assert sorted(made) == ["ann", "ben"]
