"""A ward file read for a period that is asked for: what is laid out for it, what is left out, what is refused."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roster_wards import DEMO, TWO, two
from tables import table

from wavegraph.tools.roster.ward.faults import WardError
from wavegraph.tools.roster.ward.file import read_ward, ward_hash, ward_of
from wavegraph.tools.roster.ward.in_file import WEEKDAYS
from wavegraph.tools.roster.ward.ward import Contract, Published, Total, Ward

OWN = date(2026, 11, 23)
"""The first day of the ward of two, a Monday; its fortnight ends on 2026-12-06."""
NEXT = date(2026, 12, 7)
MONDAY_ROW = {"weekdays": ["monday"], "shift": "E", "target": 1}
HOURS = {"min_minutes": 2401, "target_minutes": 4801, "max_minutes": 5761, "max_nights": 3, "max_weekends": 1}


def without(*names: str, **changes: Any) -> dict[str, Any]:
    """The ward of two, contracts without bounds, less these fields."""
    data = two(nurses__0__contract={}, nurses__1__contract={}, **changes)
    return {name: value for name, value in data.items() if name not in names}


def needs(ward: Ward) -> list[tuple[str, str]]:
    return [(row.day.isoformat(), row.shift) for row in ward.demand]


def test_a_file_without_a_period_is_of_the_days_that_are_asked_for() -> None:
    data = without("start", "days", demand=[MONDAY_ROW])
    ward = ward_of(data, start=date(2027, 3, 3), days=14)
    assert (ward.start, ward.days) == (date(2027, 3, 3), 14)
    assert needs(ward) == [("2027-03-08", "E"), ("2027-03-15", "E")]
    assert ward_of(data, start=date(2027, 3, 3)).days == 7
    assert ward_of(without("days", demand=[MONDAY_ROW])).days == 7


def test_a_file_without_a_first_day_asks_for_one() -> None:
    with pytest.raises(WardError) as caught:
        ward_of(without("start"), "my.yaml", days=14)
    assert str(caught.value) == (
        "my.yaml: start: nothing there, expected the first day of the period, in the file or asked for"
    )


def test_the_file_s_own_period_asked_for_changes_nothing() -> None:
    assert ward_of(two(), start=OWN, days=14) == ward_of(two())
    outside = two(leave=[{"nurse": "ann", "day": "2026-12-07"}])
    with pytest.raises(WardError, match=r"leave\[0\].day \(ann\): got '2026-12-07'"):
        ward_of(outside, start=OWN, days=14)
    assert [row.day for row in ward_of(without("days") | {"leave": outside["leave"]}, days=15).leave] == [NEXT]


def test_rows_of_other_days_are_left_out() -> None:
    days = ["2026-11-30", "2026-12-06", "2026-12-07"]
    rows = {
        "demand": [{"day": day, "shift": "E", "target": 1} for day in days],
        "leave": [{"nurse": "ben", "day": day} for day in days],
        "wishes": [{"nurse": "ann", "day": day, "wants": False} for day in days],
        "locked": [{"nurse": "ann", "day": day, "shift": None} for day in days],
        "holidays": days,
    }
    ward = ward_of(without(**rows), start=date(2026, 12, 1), days=14)
    kept = [date(2026, 12, 6), date(2026, 12, 7)]
    assert [row.day for row in ward.demand] == kept
    assert [row.day for row in ward.leave] == kept
    assert [row.day for row in ward.wishes] == kept
    assert [row.day for row in ward.locked] == kept
    assert ward.holidays == kept


def test_faults_of_rows_that_are_left_out_are_told() -> None:
    rows = [MONDAY_ROW, {"day": "2026-11-30", "shift": "D", "target": 1}]
    with pytest.raises(WardError, match=r"demand\[1\].shift: got 'D'"):
        ward_of(without(demand=rows), start=NEXT)


@pytest.mark.parametrize(
    ("drop", "start", "tail"),
    [((), None, ["L"]), ((), OWN, ["L"]), ((), NEXT, []), (("start",), NEXT, ["L"])],
    ids=["own", "own asked for", "moved", "none of its own"],
)
def test_a_tail_is_of_the_file_s_first_day(drop: tuple[str, ...], start: date | None, tail: list[str]) -> None:
    history = {"tail": ["L"], "nights": 3, "weekends": 2}
    data = without(*drop, demand=[MONDAY_ROW], nurses__0__history=history, nurses__0__fatigue=0.5)
    ann = ward_of(data, start=start).nurse_by_id["ann"]
    assert ann.history.tail == tail
    assert (ann.history.nights, ann.history.weekends, ann.fatigue) == (3, 2, 0.5)


def test_a_published_roster_is_of_the_file_s_own_days() -> None:
    data = without(demand=[MONDAY_ROW], published={"roster": {"ann": [None] * 14}})
    assert ward_of(data, start=OWN).published == Published(roster={"ann": [None] * 14})
    assert ward_of(data, start=NEXT).published is None


def test_weekdays_are_written_out_in_the_order_of_the_days() -> None:
    rows = [{"weekdays": ["sunday", "monday"], "shift": "L", "minimum": 1, "target": 2, "over_weight": 5}, MONDAY_ROW]
    ward = ward_of(two(demand=rows))
    assert needs(ward) == [
        ("2026-11-23", "L"), ("2026-11-23", "E"), ("2026-11-29", "L"),
        ("2026-11-30", "L"), ("2026-11-30", "E"), ("2026-12-06", "L"),
    ]  # fmt: skip
    assert {(row.minimum, row.target, row.over_weight) for row in ward.demand if row.shift == "L"} == {(1, 2, 5)}
    assert ward_of(ward.model_dump(mode="json")) == ward


def test_a_day_with_a_row_of_its_own_is_no_usual_day() -> None:
    skilled = {"weekdays": ["monday"], "shift": "E", "skill": "RN", "target": 1}
    own = {"day": "2026-11-30", "shift": "E", "target": 0}
    ward = ward_of(two(demand=[MONDAY_ROW, skilled, own]))
    assert [(row.day.day, row.skill, row.target) for row in ward.demand] == [
        (23, None, 1), (23, "RN", 1), (30, "RN", 1), (30, None, 0),
    ]  # fmt: skip


@given(st.dates(date(2026, 1, 1), date(2027, 1, 1)), st.integers(1, 40), st.sets(st.sampled_from(WEEKDAYS), min_size=1))
def test_every_such_day_of_the_period_has_its_row(start: date, days: int, names: set[str]) -> None:
    data = without("start", "days", demand=[{"weekdays": sorted(names), "shift": "E", "target": 1}])
    wanted = [date.fromordinal(start.toordinal() + index) for index in range(days)]
    wanted = [day for day in wanted if day.strftime("%A").lower() in names]
    if wanted:
        assert [row.day for row in ward_of(data, start=start, days=days).demand] == wanted
    else:
        with pytest.raises(WardError, match="rows by weekdays alone"):
            ward_of(data, start=start, days=days)


@pytest.mark.parametrize(
    ("days", "brought"),
    [
        (14, HOURS),
        (7, {"min_minutes": 960, "target_minutes": 2401, "max_minutes": 3360, "max_nights": 2, "max_weekends": 1}),
        (28, {"min_minutes": 4800, "target_minutes": 9602, "max_minutes": 12000, "max_nights": 6, "max_weekends": 2}),
        (3, {"min_minutes": 480, "target_minutes": 1029, "max_minutes": 1440, "max_nights": 1, "max_weekends": 1}),
    ],
)
def test_bounds_of_so_many_days_are_brought_to_the_period(days: int, brought: dict[str, int]) -> None:
    """2401, 4801 and 5761 minutes of 14 days are 514.5, 1028.8 and 1234.5 of three; shifts have 480."""
    contract = {"per_days": 14, "max_run": 5, "max_shifts": {"N": 3, "L": 0}, **HOURS}
    data = two(demand=[MONDAY_ROW], nurses__0__contract=contract, nurses__1__contract={})
    kinds = {"N": brought["max_nights"], "L": 0}
    assert ward_of(data, days=days).nurses[0].contract == Contract(max_run=5, max_shifts=kinds, **brought)


def test_totals_are_brought_to_the_days_too_unless_they_are_carried() -> None:
    """Half of nine shifts at least are four, of sixteen at most eight; those carried are of all periods together."""
    band = {"least": 9, "most": 16}
    contract = {"per_days": 28, "assignments": band, "working_weekends": {"most": 3, "carried": True}}
    made = ward_of(two(nurses__0__contract=contract)).nurses[0].contract
    assert made.assignments == Total(least=4, most=8)
    assert made.working_weekends == Total(most=3, carried=True)


def test_per_days_brings_bounds_to_the_file_s_own_days_too() -> None:
    contract = {"per_days": 28, "target_minutes": 9600, "max_nights": 0}
    [ann, _] = ward_of(two(nurses__0__contract=contract)).nurses
    assert (ann.contract.target_minutes, ann.contract.max_nights) == (4800, 0)


def test_bounds_of_no_said_number_of_days_are_of_the_file_s_alone() -> None:
    with pytest.raises(WardError) as caught:
        ward_of(two(demand=[MONDAY_ROW]), "my.yaml", days=28)
    words = "expected how many days its bounds are of: the file is of 14 days, 28 are asked for"
    assert str(caught.value).splitlines() == [
        f"my.yaml: nurses[{place}].contract.per_days ({name}): nothing there, {words}"
        for place, name in enumerate(("ann", "ben"))
    ]
    timeless = {"max_run": 5, "max_nights": 0, "max_shifts": {"N": 0}, "min_minutes": 0}
    data = two(demand=[MONDAY_ROW], nurses__0__contract=timeless, nurses__1__contract={})
    assert ward_of(data, days=28).nurses[0].contract == Contract(max_run=5, max_nights=0, max_shifts={"N": 0})


@dataclass(frozen=True)
class Bad:
    id: str
    change: dict[str, Any]
    told: str
    asked: dict[str, Any] = field(default_factory=dict)


LISTED = "expected one of 'monday', 'tuesday'"
BAD = [
    Bad("weekdays as a text", {"demand__1__weekdays": "monday"}, "demand[1].weekdays (E): got 'monday', expected a list"),
    Bad("no weekday", {"demand__1__weekdays": []}, "demand[1].weekdays (E): got [], expected at least 1"),
    Bad("weekday unknown", {"demand__1__weekdays": ["Monday"]}, "demand[1].weekdays[0] (E): got 'Monday', " + LISTED),
    Bad("weekday no text", {"demand__1__weekdays": [{}]}, "demand[1].weekdays[0] (E): got {}, " + LISTED),
    Bad("weekday twice", {"demand__1__weekdays": ["monday"] * 2}, "demand[1].weekdays (E): got ['monday', 'monday'], "
        "expected each weekday once"),
    Bad("weekdays and day", {"demand__1__day": "2026-11-23"}, "demand[1].weekdays (E): got ['monday'], expected either day or"),
    Bad("minimum above", {"demand__1__minimum": 2}, "demand[1].minimum (E): got 2, expected at most target, which is 1"),
    Bad("no target", {"demand__1": {"weekdays": ["monday"], "shift": "E"}}, "demand[1].target (E): nothing there"),
    Bad("two rows by weekdays", {"demand__0": MONDAY_ROW}, "demand[1]: got '2026-11-23 E', expected one row a day, shift, "
        "skill; demand[0] says the same"),
    Bad("per_days as a text", {"nurses__1__contract__per_days": "14"}, "nurses[1].contract.per_days (ben): got '14'"),
    Bad("per no days", {"nurses__1__contract__per_days": 0}, "nurses[1].contract.per_days (ben): got 0, expected at least 1"),
    Bad("nothing needed", {}, "demand: got 'rows from 2026-11-23 to 2026-11-30', expected something needed from "
        "2027-01-05 to 2027-01-06: ask for other days, or give weekdays", {"start": date(2027, 1, 5), "days": 2}),
    Bad("no days asked for", {}, "days: got 0, expected at least 1", {"days": 0}),
    Bad("ten years asked for", {}, "days: got 3653, expected at most 366", {"days": 3653}),
    Bad("end of time", {}, "start: got '9999-12-30', expected 14 days within 1900-01-01 to 2199-12-31", {"start": date(9999, 12, 30)}),
    Bad("start of week numbers", {"start": "2026-W48-1"}, "start: got '2026-W48-1', expected a date such as"),
]  # fmt: skip


@table("bad", BAD)
def test_a_fault_has_the_place_of_the_file(bad: Bad) -> None:
    rows = [{"day": "2026-11-30", "shift": "L", "target": 1}, dict(MONDAY_ROW)]
    changes = {"demand": rows, "nurses__0__contract": {}, "nurses__1__contract": {}, **bad.change}
    if bad.id == "nothing needed":
        rows[1] = {"day": "2026-11-23", "shift": "E", "target": 1}
    with pytest.raises(WardError) as caught:
        ward_of(two(**changes), "my.yaml", **bad.asked)
    [fault] = caught.value.faults
    assert str(fault).startswith(bad.told)


def test_rows_written_out_are_bounded() -> None:
    rows = [{"weekdays": list(WEEKDAYS), "shift": "E", "target": 1}] * 150
    with pytest.raises(WardError, match="demand: got 'more than 50000 rows'"):
        ward_of(without(demand=rows, days=366))


def test_a_ward_that_needs_nothing_may_be_read_for_any_days() -> None:
    assert ward_of(without(demand=[]), start=NEXT).demand == []


def test_the_data_given_is_not_changed() -> None:
    data = two(demand=[dict(MONDAY_ROW)], nurses__0__contract={"per_days": 14, "target_minutes": 4800})
    before = repr(data)
    with pytest.raises(WardError):
        ward_of(data, days=7)
    assert repr(data) == before


def test_a_ward_without_the_new_fields_has_the_hash_it_had() -> None:
    assert ward_hash(ward_of(TWO)) == "b22f24ee9e69258a7f7b683abb5f71c3f9e79078c154f544d895e80d8a736129"


@pytest.mark.parametrize("name", ["willow", "harbour"])
@pytest.mark.parametrize("days", [7, 28])
def test_the_demo_wards_serve_other_periods(name: str, days: int) -> None:
    own, other = read_ward(DEMO / f"{name}.yaml"), read_ward(DEMO / f"{name}.yaml", start=date(2027, 1, 4), days=days)
    assert len(other.demand) * own.days == len(own.demand) * other.days
    target, asked = own.nurses[0].contract.target_minutes, other.nurses[0].contract.target_minutes
    assert target is not None
    assert asked == target * days // own.days


def test_a_wish_for_weekdays_is_one_for_each_such_day() -> None:
    """A dated row of the same shift is its own, and nobody wishes to work on leave."""
    wishes = [
        {"nurse": "ann", "weekdays": ["tuesday", "monday"], "shift": "L", "wants": False, "weight": 5},
        {"nurse": "ann", "day": "2026-11-24", "shift": "L", "wants": True, "weight": 2},
        {"nurse": "ben", "weekdays": ["wednesday"], "wants": True},
        {"nurse": "ben", "weekdays": ["thursday"], "shift": "L", "wants": True},
    ]
    leave = [{"nurse": "ben", "day": "2026-11-25"}, {"nurse": "ben", "day": "2026-11-26", "shift": "E"}]
    made = ward_of(two(wishes=wishes, leave=leave))
    assert [(wish.nurse, wish.day.isoformat(), wish.weight) for wish in made.wishes] == [
        ("ann", "2026-11-23", 5),
        ("ann", "2026-11-24", 2),
        ("ben", "2026-11-26", 1),
        ("ann", "2026-11-30", 5),
        ("ann", "2026-12-01", 5),
        ("ben", "2026-12-02", 1),
        ("ben", "2026-12-03", 1),
    ]


def test_a_fault_of_a_wish_for_weekdays_is_at_its_place_in_the_file() -> None:
    wishes = [
        {"nurse": "ann", "weekdays": ["monday", "tuesday"], "wants": False},
        {"nurse": "cid", "weekdays": ["friday"], "wants": True},
    ]
    with pytest.raises(WardError, match=r"wishes\[1\].nurse: got 'cid'"):
        ward_of(two(wishes=wishes))


def test_on_call_counts_by_its_factor() -> None:
    """A quarter of 16 hours are four; most hours are brought to what whole shifts of four and eight can make."""
    call = {"id": "C", "start": "16:00", "minutes": 960, "hour_factor": 0.25}
    data = two(
        demand=[dict(MONDAY_ROW)], nurses__0__contract={"per_days": 14, "max_minutes": 4800}, nurses__1__contract={}
    )
    made = ward_of({**data, "shifts": [*data["shifts"], call]}, days=3)
    assert made.shift_by_id["C"].paid == 240
    assert made.nurses[0].contract.max_minutes == 1200
    with pytest.raises(WardError, match=r"hour_factor .C.: got 0.25, expected either hour_factor or paid_minutes"):
        ward_of({**data, "shifts": [*data["shifts"], call | {"paid_minutes": 240}]})
