"""The benchmark's text format: each number against the file counted another way, and the checkers against a scorer
written from the published rules alone."""

from itertools import groupby, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from benchmarks.roster_curtois import main, parse_curtois, read_curtois
from hypothesis import given
from hypothesis import strategies as st
from roster_wards import CURTOIS

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.ward.faults import WardError
from wavegraph.tools.roster.ward.file import read_ward
from wavegraph.tools.roster.ward.ward import Roster, Ward

SMALL = """# Invented: three people, two shifts, eight days
SECTION_HORIZON
# days
8

SECTION_SHIFTS
E,480,
L,600,E

SECTION_STAFF
# ID, MaxShifts, MaxTotalMinutes, MinTotalMinutes, MaxConsecutive, MinConsecutive, MinDaysOff, MaxWeekends
A,E=8|L=2,2880,960,3,2,2,1
B,E=8|L=8,3840,480,4,1,1,0
C,E=0|L=8,3000,600,5,2,1,1

SECTION_DAYS_OFF
A,3
B,0,1

SECTION_SHIFT_ON_REQUESTS
A,1,E,2

SECTION_SHIFT_OFF_REQUESTS
C,4,L,3

SECTION_COVER
# Day, ShiftID, Requirement, Weight for under, Weight for over
0,E,1,100,1
0,L,1,90,2
5,L,2,100,1
7,E,2,100,1
"""
INSTANCES = sorted(CURTOIS.glob("Instance*.txt")) if CURTOIS.is_dir() else []
needs_instances = pytest.mark.skipif(not INSTANCES, reason="the benchmark's files are not part of the repository")


class Published:
    """The rules as published (schedulingbenchmarks.org/nrp/instances1_24.html), over the raw text."""

    def __init__(self, text: str) -> None:
        self.parts: dict[str, list[list[str]]] = {}
        for line in filter(None, (raw.strip() for raw in text.splitlines())):
            if line.startswith("SECTION_"):
                self.parts[line[8:]] = rows = []
            elif not line.startswith("#"):
                rows.append(line.split(","))
        self.days = int(self.parts["HORIZON"][0][0])
        self.minutes = {row[0]: int(row[1]) for row in self.parts["SHIFTS"]}
        self.bans = {(row[0], other) for row in self.parts["SHIFTS"] for other in row[2].split("|") if other}

    def cost(self, roster: Roster) -> int:
        total = 0
        for name, day, shift, weight in self.parts["SHIFT_ON_REQUESTS"]:
            total += int(weight) * (roster[name][int(day)] != shift)
        for name, day, shift, weight in self.parts["SHIFT_OFF_REQUESTS"]:
            total += int(weight) * (roster[name][int(day)] == shift)
        for day, shift, needed, under, over in self.parts["COVER"]:
            there = sum(cells[int(day)] == shift for cells in roster.values())
            total += int(under) * max(0, int(needed) - there) + int(over) * max(0, there - int(needed))
        return total

    def broken(self, roster: Roster) -> set[tuple[str, str]]:
        """(rule, employee) of each hard constraint that does not hold."""
        found = {
            ("leave", name)
            for name, *days in self.parts["DAYS_OFF"]
            if any(roster[name][int(day)] is not None for day in days)
        }
        for name, most, top, bottom, longest, shortest, off, weekends in self.parts["STAFF"]:
            cells = roster[name]
            found |= {("contract_shifts", name) for part in most.split("|") if self._exceeds(part, cells)}
            minutes = sum(self.minutes[cell] for cell in cells if cell)
            found |= {("contract_hours", name)} if not int(bottom) <= minutes <= int(top) else set()
            if any((one, two) in self.bans for one, two in pairwise(cells)):
                found.add(("succession", name))
            found |= self._runs(name, cells, int(longest), int(shortest), int(off))
            worked = sum(any(cells[day : day + 2]) for day in range(5, self.days, 7))
            found |= {("weekends", name)} if worked > int(weekends) else set()
        return found

    @staticmethod
    def _exceeds(part: str, cells: list[Any]) -> bool:
        shift, most = part.split("=")
        return cells.count(shift) > int(most)

    @staticmethod
    def _runs(name: str, cells: list[Any], longest: int, shortest: int, off: int) -> set[tuple[str, str]]:
        groups = [(works, len(list(group))) for works, group in groupby(cells, key=bool)]
        inner = groups[1:-1]
        found = {("run_length", name) for works, length in groups if works and length > longest}
        found |= {("run_length", name) for works, length in inner if works and length < shortest}
        return found | {("days_off", name) for works, length in inner if not works and length < off}


def agree(text: str, ward: Ward, roster: Roster) -> None:
    published = Published(text)
    assert roster_cost(ward, roster).total == published.cost(roster)
    assert {(found.type, found.nurse_id) for found in check_compliance(ward, roster).breaches} == published.broken(
        roster
    )


@given(st.data())
def test_cost_and_violations_are_the_published_ones(data: st.DataObject) -> None:
    row = st.lists(st.sampled_from([None, "E", "L"]), min_size=8, max_size=8)
    agree(SMALL, parse_curtois(SMALL, "small.txt"), {name: data.draw(row) for name in "ABC"})


@needs_instances
@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_the_benchmark_s_instances_agree_with_the_published_rules(path: Path) -> None:
    text, ward, random = path.read_text(), read_curtois(path), Random(path.stem)
    for density in (0.0, 0.3, 0.6, 0.9):
        shifts = list(ward.shift_by_id)
        agree(text, ward, {
            nurse.id: [random.choice(shifts) if random.random() < density else None for _ in range(ward.days)]
            for nurse in ward.nurses
        })  # fmt: skip


@needs_instances
@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_every_number_of_an_instance_is_in_the_ward(path: Path) -> None:
    parts, ward = Published(path.read_text()).parts, read_curtois(path)
    assert ward.days == int(parts["HORIZON"][0][0])
    assert ward.start.weekday() == 0
    assert [(shift.id, shift.minutes) for shift in ward.shifts] == [(row[0], int(row[1])) for row in parts["SHIFTS"]]
    assert [
        [nurse.id, "|".join(f"{shift}={most}" for shift, most in nurse.contract.max_shifts.items()),
         *map(str, (nurse.contract.max_minutes, nurse.contract.min_minutes, nurse.contract.max_run,
                    nurse.contract.min_run, nurse.contract.min_days_off, nurse.contract.max_weekends))]
        for nurse in ward.nurses
    ] == parts["STAFF"]  # fmt: skip
    assert [(leave.nurse, str(ward.index(leave.day))) for leave in ward.leave] == [
        (row[0], day) for row in parts["DAYS_OFF"] for day in row[1:]
    ]
    for wants, section in ((True, "SHIFT_ON_REQUESTS"), (False, "SHIFT_OFF_REQUESTS")):
        wishes = [wish for wish in ward.wishes if wish.wants is wants]
        assert [[w.nurse, str(ward.index(w.day)), w.shift, str(w.weight)] for w in wishes] == parts[section]
    assert [
        [str(number) for number in (ward.index(d.day), d.shift, d.target, d.under_weight, d.over_weight)]
        for d in ward.demand
    ] == parts["COVER"]
    assert {(demand.minimum, demand.skill) for demand in ward.demand} == {(0, None)}


@needs_instances
def test_there_are_twelve_instances() -> None:
    assert {path.stem for path in INSTANCES} == {f"Instance{n}" for n in range(1, 13)}


BAD = [
    ("SECTION_HORIZON", "SECTION_HORIZONS", "line 2", "'SECTION_HORIZONS'", "one of the sections SECTION_HORIZON"),
    ("SECTION_SHIFTS\n", "", "line 6", "'E,480,'", "1 columns in SECTION_HORIZON"),
    ("\n8\n", "\n", "file", "nothing there", "a section SECTION_HORIZON with at least one line"),
    ("\n8\n", "\n0\n", "line 4", "'0'", "at least one day"),
    ("\n8\n", "\n8 days\n", "line 4", "'8 days'", "a whole number from 0 to 366"),
    ("\n8\n", "\n8\n9\n", "line 5", "'9'", "one number of days"),
    ("\n8\n", "\n4000\n", "line 4", "'4000'", "a whole number from 0 to 366"),
    ("# Invented", "Invented\n#", "line 1", "'Invented'", "a section such as SECTION_HORIZON first"),
    ("E,480,", "E,480", "line 7", "'E,480'", "3 columns in SECTION_SHIFTS"),
    ("E,480,", "E,eight,", "line 7", "'eight'", "the shift's minutes, a whole number"),
    ("L,600,E", "L,600,D", "line 8", "'D'", "one of the shifts E, L"),
    ("L,600,E", "E,600,", "line 8", "'E'", "each shift once; line 7 has it"),
    ("L,600,E", "L,0,E", "line 8", "0", "at least 1 (minutes)"),
    ("L=2,2880", "L=2;2880", "line 12", "E=8|L=2;2880", "8 columns in SECTION_STAFF"),
    ("L=2,2880", "L,2880", "line 12", "''", "most L shifts"),
    ("L=2,2880", "E=2,2880", "line 12", "'E=2'", "each shift once"),
    ("2880,960", "960,2880", "nurses[0].contract.min_minutes (A)", "2880", "at most max_minutes, which is 960"),
    ("960,3,2,2,1", "960,3,0,2,1", "line 12", "0", "at least 1"),
    ("960,3,2,2,1", "960,-3,2,2,1", "line 12", "'-3'", "longest run, a whole number"),
    ("B,E=8", "A,E=8", "line 13", "'A'", "each employee once; line 12 has it"),
    ("A,3\n", "D,3\n", "line 17", "'D'", "one of the staff A, B, C"),
    ("A,3\n", "A,8\n", "line 17", "'8'", "a day of the horizon, a whole number from 0 to 7"),
    ("A,3\n", "A\n", "line 17", "'A'", "at least 2 columns"),
    ("B,0,1", "B,0,0", "line 18", "day off B,0", "each row once; line 18 has it"),
    ("A,1,E,2", "A,1,D,2", "line 21", "'D'", "one of the shifts"),
    ("A,1,E,2", "A,1,E,x", "line 21", "'x'", "a weight"),
    ("C,4,L,3", "A,1,E,3", "line 24", "request A,1,E", "each row once; line 21 has it"),
    ("0,L,1,90,2", "0,L,1,90", "line 29", "0,L,1,90", "5 columns in SECTION_COVER"),
    ("0,L,1,90,2", "0,E,1,90,2", "line 29", "cover 0,E", "each row once; line 28 has it"),
    ("0,L,1,90,2", "0,L,1,90,99999", "line 29", "'99999'", "a whole number from 0 to 10000"),
    ("SECTION_DAYS_OFF", "SECTION_STAFF", "line 16", "'SECTION_STAFF'", "each section once"),
]


@pytest.mark.parametrize(("old", "new", "place", "value", "expected"), BAD, ids=range(len(BAD)))
def test_a_fault_names_its_line(old: str, new: str, place: str, value: str, expected: str, tmp_path: Path) -> None:
    assert old in SMALL
    (tmp_path / "small.txt").write_text(SMALL.replace(old, new, 1))
    with pytest.raises(WardError) as caught:
        read_curtois(tmp_path / "small.txt")
    first = str(caught.value).splitlines()[0]
    assert first.startswith(f"small.txt: {place}: ")
    assert value in first
    assert expected in first


def test_an_instance_can_be_had_as_a_ward_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.txt").write_text(SMALL)
    main([str(tmp_path / "small.txt")])
    (tmp_path / "small.json").write_text(capsys.readouterr().out)
    assert read_ward(tmp_path / "small.json") == parse_curtois(SMALL, "small.txt")
    with pytest.raises(SystemExit, match=r"none\.txt: file: got 'none\.txt'"):
        main([str(tmp_path / "none.txt")])


def test_both_ends_of_the_horizon_are_read_as_published() -> None:
    """A run of one on day 0 and on day 7 is long enough for A, who needs two; within the horizon it is not."""
    ward = parse_curtois(SMALL, "small.txt")
    idle: Roster = {name: [None] * 8 for name in "BC"}
    ends = check_compliance(ward, {"A": ["E", *[None] * 6, "E"], **idle}).breaches
    inside = check_compliance(ward, {"A": [None, "E", *[None] * 6], **idle}).breaches
    assert [found.type for found in ends if found.nurse_id == "A"] == []
    assert [found.type for found in inside if found.nurse_id == "A"] == ["contract_hours", "run_length"]
