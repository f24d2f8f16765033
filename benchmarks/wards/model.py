"""Find a roster that keeps every must-rule of a ward file, by CP-SAT, from what the documentation says of the rules.

It shares no code with the product. What a ward wishes for (targets, wishes, pairs, fairness) has no part in it, and what
no ward here uses (on-call, totals, published and following rosters) is not modelled.

`python -m benchmarks.wards.model` finds the witnesses of all wards that have none yet, and writes `witnesses.json`.
"""

import itertools
import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml
from ortools.sat.python import cp_model

HERE = Path(__file__).parent
WITNESSES = HERE / "witnesses.json"
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
Row = dict[str, Any]
OFF = "-"


@dataclass
class Ward:
    """A ward file, with what the documentation says is meant where a field is left out."""

    data: Row
    days: list[date] = field(init=False)
    shifts: dict[str, Row] = field(init=False)
    nurses: dict[str, Row] = field(init=False)
    rules: Row = field(init=False)

    def __post_init__(self) -> None:
        self.days = [self.data["start"] + timedelta(days=i) for i in range(self.data["days"])]
        self.shifts = {shift["id"]: shift for shift in self.data["shifts"]}
        self.nurses = {nurse["id"]: nurse for nurse in self.data["nurses"]}
        usual: Row = {"daily_rest_hours": 11, "weekly_rest_hours": 35, "weekly_hours": 48, "max_days_in_a_row": 6}
        usual |= {"max_nights_in_a_row": 3, "rest_after_nights_hours": 46, "leave_credit": "weekdays"}
        self.rules = usual | self.data.get("rules", {})

    def demand(self) -> dict[tuple[date, str, str | None], int]:
        """Minimum cover by day, shift and skill; a row for a day goes before one for weekdays."""
        cover = {}
        for row in sorted(self.data["demand"], key=lambda row: "day" in row):
            for day in [row["day"]] if "day" in row else self.days:
                if "day" in row or WEEKDAYS[day.weekday()] in row["weekdays"]:
                    cover[day, row["shift"], row.get("skill")] = row.get("minimum", 0)
        if charge := self.rules.get("charge_skill"):
            for day, shift in {(day, shift) for day, shift, _ in cover}:
                cover[day, shift, charge] = max(1, cover.get((day, shift, charge), 0))
        return dict(sorted(cover.items(), key=str))

    def leave(self, nurse: str) -> tuple[dict[date, bool], set[tuple[date, str]]]:
        """Her whole days of leave, with whether each is paid, and the shifts that she cannot work."""
        whole: dict[date, bool] = {}
        parts: set[tuple[date, str]] = set()
        for row in self.data.get("leave", []):
            first, last = row.get("first", row.get("day")), row.get("last", row.get("day"))
            for day in self.days:
                if row["nurse"] == nurse and first <= day <= last:
                    if "shift" in row:
                        parts.add((day, row["shift"]))
                    else:
                        whole[day] = row.get("paid", True)
        return whole, parts

    def credit(self, nurse: str) -> int:
        """Minutes that her paid leave counts as: each day that counts is an equal part of the contract's hours."""
        last_counted = {"weekdays": 4, "calendar": 6, "none": -1}[self.rules["leave_credit"]]
        gone = sum(paid and day.weekday() <= last_counted for day, paid in self.leave(nurse)[0].items())
        contract = self.nurses[nurse].get("contract", {})
        target = contract.get("target_minutes", 0) * self.scale(contract)
        each = contract.get("leave_minutes", target / max(1, sum(day.weekday() <= last_counted for day in self.days)))
        minutes: float = gone * each
        return round(minutes)

    def scale(self, contract: Row) -> float:
        return float(len(self.days) / contract.get("per_days", len(self.days)))

    def rest_hours(self, day: date, shift: str, later: date, then: str) -> float:
        """Real hours from the end of a shift to the begin of another one: clocks may change between."""
        zone = ZoneInfo(self.data.get("time_zone", "Europe/London"))
        ends = self.begin(day, shift) + timedelta(minutes=self.shifts[shift]["minutes"])
        begins = self.begin(later, then)
        return (begins.replace(tzinfo=zone).timestamp() - ends.replace(tzinfo=zone).timestamp()) / 3600

    def begin(self, day: date, shift: str) -> datetime:
        return datetime.fromisoformat(f"{day} {self.shifts[shift]['start']}")

    def paid(self, shift: str) -> int:
        row = self.shifts[shift]
        return int(row["paid_minutes"] if "paid_minutes" in row else row["minutes"])

    def nights(self) -> set[str]:
        return {name for name, shift in self.shifts.items() if shift.get("night")}


class Line:
    """One nurse's known days: those of her history are settled, those of the period are variables."""

    def __init__(self, model: cp_model.CpModel, ward: Ward, nurse: str) -> None:
        self.model, self.ward, self.id = model, ward, nurse
        self.contract = ward.nurses[nurse].get("contract", {})
        self.skills = ward.nurses[nurse].get("skills", [])
        self.tail = ward.nurses[nurse].get("history", {}).get("tail", [])
        start = ward.days[0]
        self.known = [start - timedelta(days=i) for i in range(len(self.tail), 0, -1)] + ward.days
        self.works: dict[tuple[date, str], Any] = {}
        for day, worked in zip(self.known, self.tail, strict=False):
            self.works |= {(day, shift): int(worked == shift) for shift in ward.shifts}
        for day in ward.days:
            self.works |= {(day, shift): model.new_bool_var(f"{nurse} {day} {shift}") for shift in ward.shifts}
            model.add(self.on(day) <= 1)

    def on(self, day: date, shifts: set[str] | None = None) -> Any:
        """1 if she works on this day, or one of these shifts; 0 on a day before those that are known."""
        return sum(self.works.get((day, shift), 0) for shift in shifts or self.ward.shifts)

    def never(self, day: date, shift: str) -> None:
        self.model.add(self.works[day, shift] == 0)

    def windows(self, length: int) -> Iterator[list[date]]:
        """So many known days in a row, of which one at least is in the period."""
        for at in range(len(self.known) - length + 1):
            if at + length > len(self.tail):
                yield self.known[at : at + length]

    def most_in_a_row(self, most: int | None, shifts: set[str] | None = None, off: bool = False) -> None:
        if most is None:
            return
        for days in self.windows(most + 1):
            worked = sum(self.on(day, shifts) for day in days)
            self.model.add(worked >= 1) if off else self.model.add(worked <= most)

    def least_in_a_row(self, least: int, shifts: set[str] | None = None, off: bool = False) -> None:
        """No shorter run between two known days that end it on both sides."""
        for inside in range(1, least):
            for days in self.windows(inside + 2):
                first, *run, last = [1 - self.on(day, shifts) if off else self.on(day, shifts) for day in days]
                self.model.add(sum(run) - first - last <= inside - 1)


def keep_leave_and_settled_cells(line: Line) -> None:
    ward, (whole, parts) = line.ward, line.ward.leave(line.id)
    settled = {row["day"]: row["shift"] for row in ward.data.get("locked", []) if row["nurse"] == line.id}
    for day, shift in settled.items():
        line.model.add(line.on(day) == 0 if shift is None else line.works[day, shift] == 1)
    for day, shift in line.works:
        if day not in ward.days or day in settled:
            continue
        before_leave = day + timedelta(days=1) in whole and day not in whole and shift in ward.nights()
        if day in whole or (day, shift) in parts or (before_leave and not ward.rules.get("night_before_leave")):
            line.never(day, shift)


def keep_skill_of_shifts(line: Line) -> None:
    for day in line.ward.days:
        for shift, row in line.ward.shifts.items():
            if row.get("skill") and row["skill"] not in line.skills:
                line.never(day, shift)


def keep_rests(line: Line) -> None:
    """Between two shifts with no work between: the daily rest, or after the last of a run of nights a longer one."""
    ward, rules, nights = line.ward, line.ward.rules, line.ward.nights()
    for at, day in enumerate(line.known):
        for apart in (1, 2, 3):
            if at + apart >= len(line.known) or at + apart < len(line.tail):
                continue
            later = line.known[at + apart]
            between = sum(line.on(one) for one in line.known[at + 1 : at + apart])
            for shift in ward.shifts:
                for then in ward.shifts:
                    same_run = apart == 1 and shift in nights and then in nights
                    needed = rules["daily_rest_hours"]
                    if shift in nights and not same_run:
                        needed = max(needed, rules["rest_after_nights_hours"])
                    if ward.rest_hours(day, shift, later, then) < needed or (
                        apart == 1 and follows_wrongly(ward, shift, then)
                    ):
                        line.model.add(line.works[day, shift] + line.works[later, then] - between <= 1)


def follows_wrongly(ward: Ward, shift: str, then: str) -> bool:
    if then in ward.shifts[shift].get("not_followed_by", []):
        return True
    day = ward.days[0]
    back = ward.begin(day, shift) - ward.begin(day, then) >= timedelta(hours=1)
    return back and bool(ward.rules.get("forward_only"))


def keep_weekly_rest(line: Line) -> None:
    """In every seven days a day off within a rest that is long enough. Two days off in a row always are.

    The allowance of an average over fourteen days is not used: a roster without it keeps the rule all the more.
    """
    ward, hours = line.ward, line.ward.rules["weekly_rest_hours"]
    rests = {}
    for day in line.known:
        before, after = day - timedelta(days=1), day + timedelta(days=1)
        rest = rests[day] = line.model.new_bool_var(f"{line.id} rests {day}")
        line.model.add(rest + line.on(day) <= 1)
        for shift in ward.shifts:
            for then in ward.shifts:
                if ward.rest_hours(before, shift, after, then) < hours:
                    worked = line.works.get((before, shift), 0) + line.works.get((after, then), 0)
                    line.model.add(rest + worked <= 2)
    for days in line.windows(7):
        line.model.add(sum(rests[day] for day in days) >= 1)


def keep_runs(line: Line) -> None:
    rules, contract = line.ward.rules, line.contract
    line.most_in_a_row(rules["max_days_in_a_row"])
    line.most_in_a_row(contract.get("max_run"))
    line.least_in_a_row(contract.get("min_run", 1))
    line.least_in_a_row(contract.get("min_days_off", 1), off=True)
    if nights := line.ward.nights():
        line.most_in_a_row(rules["max_nights_in_a_row"], nights)
        line.most_in_a_row(contract.get("max_night_run"), nights)
    for limit in contract.get("runs", []) + rules.get("runs", []) * contract.get("ward_runs", True):
        if limit.get("weight") is None:
            shifts, off = set(limit.get("shifts", [])) or None, limit.get("off", False)
            line.most_in_a_row(limit.get("most"), shifts, off)
            line.least_in_a_row(limit.get("least", 1), shifts, off)


def keep_contract(line: Line) -> None:
    """Hours with paid leave, shifts of a kind, nights, weekends; least numbers rounded down and most numbers up."""
    ward, model, contract, scale = line.ward, line.model, line.contract, line.ward.scale(line.contract)
    minutes = sum(line.works[day, shift] * ward.paid(shift) for day in ward.days for shift in ward.shifts)
    model.add(minutes + ward.credit(line.id) >= math.floor(contract.get("min_minutes", 0) * scale))
    most = {"minutes": contract.get("max_minutes"), "nights": contract.get("max_nights")}
    if most["minutes"] is not None:
        model.add(minutes + ward.credit(line.id) <= math.ceil(most["minutes"] * scale))
    if most["nights"] is not None:
        model.add(
            sum(line.on(day, ward.nights()) for day in ward.days if ward.nights()) <= math.ceil(most["nights"] * scale)
        )
    for shift, number in contract.get("max_shifts", {}).items():
        model.add(sum(line.works[day, shift] for day in ward.days) <= math.ceil(number * scale))
    before = sum(ward.paid(shift) for shift in line.tail if shift)
    model.add(minutes + before <= round(ward.rules["weekly_hours"] * 60 * max(7, len(line.known)) / 7))


def keep_weekends(line: Line) -> None:
    """Weekends with work; one that the first day, a Sunday, ends counts too."""
    most = line.contract.get("max_weekends")
    if most is None:
        return
    weekends = []
    for saturday in {day - timedelta(days=(day.weekday() + 2) % 7) for day in line.ward.days if day.weekday() >= 5}:
        works = line.model.new_bool_var(f"{line.id} weekend {saturday}")
        for day in (saturday, saturday + timedelta(days=1)):
            if day in line.ward.days:
                line.model.add(works >= line.on(day))
        weekends.append(works)
    line.model.add(sum(weekends) <= math.ceil(most * line.ward.scale(line.contract)))


RULES = [
    keep_leave_and_settled_cells,
    keep_skill_of_shifts,
    keep_rests,
    keep_weekly_rest,
    keep_runs,
    keep_contract,
    keep_weekends,
]


@dataclass
class Found:
    """`proven`: so many are missing at least, where as few as can be was asked."""

    status: str
    roster: dict[str, str] | None
    proven: int
    seconds: float


def solve(data: Row, most: int | None = 0, without: tuple[Any, ...] = (), limit_s: float = 60) -> Found:
    """Keep all must-rules; of the minimum cover so many may be missing at most, with `None` as few as can be."""
    began, ward, model = time.perf_counter(), Ward(data), cp_model.CpModel()
    lines = {nurse: Line(model, ward, nurse) for nurse in ward.nurses}
    for line in lines.values():
        for keep in RULES:
            if keep not in without:
                keep(line)
    missing = []
    for (day, shift, skill), least in ward.demand().items():
        able = [line.works[day, shift] for line in lines.values() if skill is None or skill in line.skills]
        gap = model.new_int_var(0, least, f"missing {day} {shift} {skill}")
        model.add(sum(able) + gap >= least)
        missing.append(gap)
    if most is None:
        model.minimize(sum(missing))
    else:
        model.add(sum(missing) <= most)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.max_time_in_seconds, solver.parameters.random_seed = 2, limit_s, 1
    status = solver.solve(model)
    seconds = round(time.perf_counter() - began, 1)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Found(solver.status_name(status), None, 0, seconds)
    roster = {nurse: written(solver, line) for nurse, line in lines.items()}
    return Found(solver.status_name(status), roster, math.ceil(solver.best_objective_bound - 0.001), seconds)


def written(solver: cp_model.CpSolver, line: Line) -> str:
    worked = {day: shift for (day, shift), var in line.works.items() if day in line.ward.days and solver.value(var)}
    return "".join(worked.get(day, OFF) for day in line.ward.days)


def read(path: Path) -> Row:
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)  # type: ignore[no-any-return]


def save(witnesses: dict[str, Row]) -> None:
    """A line for each nurse: a letter for each day."""
    WITNESSES.write_text(
        json.dumps(dict(sorted(witnesses.items())), indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def witness(name: str, data: Row) -> Row:
    """A roster without a breach, or one of which the fewest are missing, by the sum over days, shifts and skills."""
    if name.startswith("kept"):
        found = solve(data)
        return {"seconds": found.seconds, "roster": found.roster}
    fewest = fewest_missing(data)
    found = solve(data, most=fewest, limit_s=300)
    return {"fewest": fewest, "seconds": found.seconds, "roster": found.roster}


def fewest_missing(data: Row) -> int | None:
    """Fewer are proven impossible, even without the weekly rest, so how its allowance is read does not matter.

    `None` where no roster keeps the other rules, however many are missing.
    """
    found = solve(data, most=None, without=(keep_weekly_rest,), limit_s=30)
    if found.status == "INFEASIBLE":
        return None
    for most in itertools.count(found.proven):
        status = solve(data, most=most, without=(keep_weekly_rest,), limit_s=300).status
        print("at most", most, "missing", status, flush=True)
        if status != "INFEASIBLE":
            return most
    raise AssertionError("some number is enough")


def why(path: Path) -> str:
    """The first line of a file that says so: `# Cannot be kept: …`."""
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# Cannot be kept: ")


def main(names: list[str]) -> None:
    """Solve these wards, such as `kept/07`, or all that have no witness."""
    witnesses = json.loads(WITNESSES.read_text(encoding="utf-8")) if WITNESSES.exists() else {}
    for path in sorted(HERE.glob("*/*.yaml")):
        name = f"{path.parent.name}/{path.stem}"
        if name in names or (not names and name not in witnesses):
            said = {"why": why(path)} if name.startswith("short") else {}
            witnesses[name] = said | witness(name, read(path))
            print(name, witnesses[name]["seconds"], flush=True)
            save(witnesses)


if __name__ == "__main__":
    main(sys.argv[1:])
