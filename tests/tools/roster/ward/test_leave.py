"""Leave and contracts as a file may say them: spans of days, percentages, and which hours leave counts as."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from roster_wards import ROWS, rows, two, ward_of_two
from tables import table

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.problem.hours import leave_minutes
from wavegraph.tools.roster.told import english
from wavegraph.tools.roster.ward.faults import WardError
from wavegraph.tools.roster.ward.file import ward_of
from wavegraph.tools.roster.ward.ward import Ward

FIRST, LAST = "2026-11-23", "2026-12-06"


def span(first: str, last: str, **more: Any) -> dict[str, Any]:
    return {"nurse": "ann", "first": first, "last": last, **more}


def read(*leave: dict[str, Any], **changes: Any) -> Ward:
    return ward_of(two(**changes) | {"leave": list(leave)})


@dataclass(frozen=True)
class Case:
    id: str
    leave: dict[str, Any]
    days: list[str]


CASES = [
    Case("within", span("2026-11-25", "2026-11-27"), ["2026-11-25", "2026-11-26", "2026-11-27"]),
    Case("one day", span("2026-11-25", "2026-11-25"), ["2026-11-25"]),
    Case("across the start", span("2026-11-01", "2026-11-24"), ["2026-11-23", "2026-11-24"]),
    Case("across the end", span("2026-12-05", "2027-01-10"), ["2026-12-05", "2026-12-06"]),
    Case("from a shift", span("2026-11-25", "2026-11-26", shift="L"), ["2026-11-25", "2026-11-26"]),
]


@table("case", CASES)
def test_a_span_is_its_days_of_the_period(case: Case) -> None:
    ward = read(case.leave)
    assert [row.day.isoformat() for row in ward.leave] == case.days
    assert {(row.nurse, row.shift) for row in ward.leave} == {("ann", case.leave.get("shift"))}


def test_a_span_of_the_whole_period_is_all_its_days() -> None:
    assert len(read(span("1990-01-01", "2190-01-01")).leave) == 14


FAULTS = [
    (span("2026-11-27", "2026-11-25"), "leave[0].last (ann)", "a day from first on, which is 2026-11-27"),
    (span("2026-11-27", "soon"), "leave[0].last (ann)", "a date such as 2026-11-23"),
    ({"nurse": "ann", "first": FIRST}, "leave[0].last (ann)", "a date such as 2026-11-23"),
    (span(FIRST, LAST, day=FIRST), "leave[0].day (ann)", "either day, or first and last"),
    (span("2026-10-01", "2026-10-09"), "leave[0].first (ann)", f"a span that has days from {FIRST} to {LAST}"),
    (span(FIRST, LAST, nurse="zoe"), "leave[0].nurse", "one of the ward's nurses: ann, ben"),
]


@table(("leave", "place", "expected"), FAULTS)
def test_a_wrong_span_is_a_fault_of_its_row(leave: dict[str, Any], place: str, expected: str) -> None:
    with pytest.raises(WardError) as raised:
        read(leave)
    assert [(str(fault.place), english(fault.expected)) for fault in raised.value.faults] == [(place, expected)]


def test_without_a_first_day_no_span_is_out_of_the_period() -> None:
    span = {"nurse": "ann", "first": "2026-11-24", "last": "2026-11-25"}
    with pytest.raises(WardError) as caught:
        ward_of(two(start="2026-02-30", leave=[span]))
    assert [str(fault) for fault in caught.value.faults] == ["start: got '2026-02-30', expected a day up to 2026-02-28"]


def test_spans_that_overlap_are_one_fault() -> None:
    with pytest.raises(WardError) as raised:
        read(span("2026-11-23", "2026-11-27"), span("2026-11-25", "2026-11-30"))
    (fault,) = raised.value.faults
    assert str(fault.place) == "leave[1]"
    assert str(fault).endswith("leave[0] says the same")


def test_for_other_days_a_span_outside_them_is_left_out() -> None:
    data = two() | {"leave": [span("2026-11-23", "2026-11-24")]}
    data["demand"] = [{"weekdays": ["monday"], "shift": "E", "target": 1}]
    data["nurses"] = [{"id": "ann"}, {"id": "ben"}]
    data["rules"] = {}
    assert ward_of(data, start=date(2026, 12, 7), days=7).leave == []


def test_a_night_on_the_last_day_would_end_on_leave_after_it() -> None:
    """So the file's span leaves that night as what she cannot work, and nothing where the ward allows it."""
    after = span("2026-12-07", "2026-12-20")
    assert [(str(row.day), row.shift) for row in read(after).leave] == [(LAST, "N")]
    assert read(after, rules={"night_before_leave": True}).leave == []


LEAVE = [{"nurse": "ann", "day": f"2026-11-{day}"} for day in range(26, 30)]
"""Thursday to Sunday."""


@table(
    ("changes", "minutes"),
    [
        ({}, 2 * 480),
        ({"rules__leave_credit": "calendar"}, 1371),
        ({"rules__leave_credit": "none"}, 0),
        ({"nurses__0__contract__leave_minutes": 300}, 600),
        ({"nurses__0__contract": {}}, 0),
        ({"leave": [{**row, "paid": False} for row in LEAVE]}, 0),
        ({"leave": [{**row, "shift": "E"} for row in LEAVE]}, 0),
        ({"leave": [{"nurse": "ann", "day": f"2026-11-{day}"} for day in (28, 29)]}, 0),
    ],
)
def test_what_leave_counts_as(changes: dict[str, Any], minutes: int) -> None:
    """Of 80 hours in a fortnight with ten weekdays."""
    ward = ward_of_two(**{"leave": LEAVE, **changes})
    assert leave_minutes(ward, ward.nurses[0]) == minutes


@table("days", [1, 2, 5, 7, 10, 14])
@table("start", ["2026-11-23", "2026-11-28"])
@table("credit", ["weekdays", "calendar"])
def test_a_whole_period_of_leave_is_the_contract(days: int, start: str, credit: str) -> None:
    contract = {"min_minutes": 400, "target_minutes": 1111, "max_minutes": 1200}
    data = {**two(), "start": start, "days": days, "demand": [], "rules": {"leave_credit": credit}}
    data["nurses"] = [{"id": "ann", "contract": contract}]
    ward = ward_of({**data, "leave": [span(start, "2027-01-01")]})
    assert leave_minutes(ward, ward.nurses[0]) == 1111
    report = check_empathy(ward, {"ann": [None] * days})
    assert (report.findings, report.shares[0].credited_minutes) == ([], 1111)
    assert check_compliance(ward, {"ann": [None] * days}).findings == []


def test_leave_counts_towards_least_and_most_hours() -> None:
    """Ann works one of two weeks and has leave in the other: her 80 hours; a shift more is too much for 80 at most."""
    week = [{"nurse": "ann", "day": f"2026-11-{day}"} for day in range(30, 31)]
    week += [{"nurse": "ann", "day": f"2026-12-0{day}"} for day in range(1, 7)]
    contract = {"min_minutes": 4800, "max_minutes": 4800, "target_minutes": 4800}
    ward = ward_of_two(leave=week, nurses__0__contract=contract)
    assert check_compliance(ward, rows(ann="EEEEE---------", ben=ROWS["ben"])).findings == []
    found = check_compliance(ward, rows(ann="EEEE----------", ben=ROWS["ben"])).findings
    assert [each.detail for each in found] == ["ann Ann works 32 h and has 40 h of leave, at least 80 h agreed"]


@table(
    ("changes", "found"),
    [
        ({}, ["leave"]),
        ({"rules__night_before_leave": True}, []),
        ({"locked": [{"nurse": "ann", "day": "2026-11-25", "shift": "N"}]}, []),
        ({"shifts__2__start": "00:00"}, []),
        ({"shifts__2__minutes": 60}, []),
        ({"leave": [{"nurse": "ann", "day": "2026-11-26", "shift": "E"}]}, []),
        ({"leave": [{"nurse": "ann", "day": f"2026-11-{day}"} for day in (25, 26)]}, ["leave"]),
    ],
)
def test_a_night_that_ends_on_leave(changes: dict[str, Any], found: list[str]) -> None:
    ward = ward_of_two(**{"leave": LEAVE, "nurses__0__contract": {}, **changes})
    findings = check_compliance(ward, rows(ann="--N-----------", ben=ROWS["ben"])).findings
    assert [each.type for each in findings if each.type == "leave"] == found


@table(
    ("percent", "days", "minutes"), [(100, 14, 4620), (75, 14, 3465), (20, 14, 924), (62.5, 7, 1444), (50, 42, 6930)]
)
def test_a_percentage_is_hours_of_the_period(percent: float, days: int, minutes: int) -> None:
    data = {**two(), "days": days, "nurses": [{"id": "ann", "contract": {"percent": percent}}]}
    data |= {"rules": {"full_time_hours": 38.5}, "demand": []}
    assert ward_of(data).nurses[0].contract.target_minutes == minutes


def test_a_percentage_holds_for_any_period_beside_scaled_bounds() -> None:
    contract = {"per_days": 14, "percent": 50, "max_nights": 4}
    data = {**two(), "nurses": [{"id": "ann", "contract": contract}], "demand": []}
    read_for = ward_of({**data, "rules": {"full_time_hours": 40}}, days=28).nurses[0].contract
    assert (read_for.target_minutes, read_for.max_nights) == (4800, 8)


@pytest.mark.parametrize(
    ("contract", "rules", "expected"),
    [
        ({"percent": 50}, {}, "rules.full_time_hours, the week that it is a part of"),
        ({"percent": 50, "target_minutes": 1}, {"full_time_hours": 40}, "either percent or target_minutes"),
        ({"percent": "half"}, {"full_time_hours": 40}, "a number"),
        ({"percent": 201}, {"full_time_hours": 40}, "at most 200"),
    ],
)
def test_a_wrong_percentage_is_a_fault(contract: dict[str, Any], rules: dict[str, Any], expected: str) -> None:
    data = {**two(), "nurses": [{"id": "ann", "contract": contract}], "rules": rules, "demand": []}
    with pytest.raises(WardError) as raised:
        ward_of(data)
    (fault,) = raised.value.faults
    assert (str(fault.place), english(fault.expected)) == ("nurses[0].contract.percent (ann)", expected)
