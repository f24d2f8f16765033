"""The text format of the second nurse rostering competition (INRC-II, arXiv 1501.04177), as a ward of all its weeks.

A set has a scenario, histories and weeks; one instance is the scenario, a history and some weeks in a row. It maps to a ward as
follows, with the ward's own rules off:

- A cell is a shift type and a skill: each pair is a kind of shift that needs the skill (H4), with its demand: the minimum
  (H2, a breach), and the optimum (S1, 30 for each nurse missing).
- Days in a row of a shift type (S2, 15), of work (S2, 30) and off (S3, 30) are `runs`; requests (S4, 10) wishes.
- Complete weekends (S5, 30), assignments (S6, 20) and working weekends (S7, 30) are a contract's; the last two carried.
- A history's days in a row become a tail that ends with as many such days, after one day of another kind.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, time, timedelta
from typing import Any, NamedTuple

from benchmarks.roster_curtois import NO_OWN_RULES
from pydantic import ValidationError

from wavegraph.tools.roster.ward.contradictions import contradictions
from wavegraph.tools.roster.ward.expectations import faults_of
from wavegraph.tools.roster.ward.faults import FileFault, RosterError, WardError
from wavegraph.tools.roster.ward.ward import Roster, Ward

START = date(2024, 1, 1)
"""A Monday, as all weeks begin on one; the format names no date."""
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
OPTIMUM, SHIFT_RUN, RUN, REQUEST, WEEKEND, ASSIGNMENT, WORKING_WEEKEND = 30, 15, 30, 10, 30, 20, 30
"""The weights of the competition."""
LONGEST_TAIL = 28
NO_SHIFT, ANY = "None", "Any"
PAIR = r"\((\d{1,4}),(\d{1,4})\)"
DAY = f"({'|'.join(WEEKDAYS)})"
LINES = {
    "count": r"([A-Z_]+) = (\d{1,4})",
    "scenario": r"SCENARIO = (\S+)",
    "name": r"(\S+)",
    "number and scenario": r"(\d+) (\S+)",
    "shift type": rf"(\S+) {PAIR}",
    "succession": r"(\S+) \d+((?: \S+)*)",
    "contract": rf"(\S+) {PAIR} {PAIR} {PAIR} (\d+) ([01])",
    "nurse": r"(\S+) (\S+) \d+((?: \S+)*)",
    "nurse's history": r"(\S+) (\d{1,4}) (\d{1,4}) (\S+) (\d{1,4}) (\d{1,4}) (\d{1,4})",
    "requirement": rf"(\S+) (\S+) {' '.join([PAIR] * 7)}",
    "request": rf"(\S+) (\S+) {DAY}",
    "assignment": rf"(\S+) {DAY} (\S+) (\S+)",
}
"""How each kind of line is written, its blanks made one."""
Record = dict[str, Any]


class _Line(NamedTuple):
    number: int
    text: str


class _Unfit(Exception):
    def __init__(self, fault: FileFault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class _File:
    """The lines of one file, read in order."""

    def __init__(self, text: str, source: str) -> None:
        self.source, self.place = source, 0
        kept = ((number, " ".join(raw.split())) for number, raw in enumerate(text.splitlines(), start=1))
        self.lines = [_Line(number, line) for number, line in kept if line]

    def next(self, form: str, expected: str) -> re.Match[str]:
        """The next line, in a form of `LINES`."""
        line = self._line()
        if (found := re.fullmatch(LINES[form], line.text)) is None:
            raise self._unfit(line, expected)
        self.place += 1
        return found

    def title(self, title: str) -> None:
        if (line := self._line()).text != title:
            raise self._unfit(line, title)
        self.place += 1

    def _line(self) -> _Line:
        return self.lines[self.place] if self.place < len(self.lines) else _Line(0, "")

    def _unfit(self, line: _Line, expected: str) -> _Unfit:
        where = f"{self.source}, line {line.number}" if line.number else f"{self.source}, at its end"
        return _Unfit(FileFault(where, line.text or None, expected))

    def count(self, head: str) -> int:
        line, expected = self._line(), f"{head} = and a number"
        found = self.next("count", expected)
        if found[1] != head:
            raise self._unfit(line, expected)
        return int(found[2])

    def counted(self, head: str, form: str, expected: str) -> list[re.Match[str]]:
        """The lines of a section that says how many it has."""
        return [self.next(form, expected) for _ in range(self.count(head))]

    def rest(self, form: str, expected: str, until: str) -> Iterator[re.Match[str]]:
        while self.place < len(self.lines) and not self.lines[self.place].text.startswith(until):
            yield self.next(form, expected)


class _Scenario(NamedTuple):
    name: str
    skills: list[str]
    types: dict[str, tuple[int, int]]
    """Least and most days in a row, by shift type."""
    not_after: dict[str, list[str]]
    contracts: dict[str, Record]
    nurses: list[tuple[str, str, list[str]]]
    """Name, contract, skills."""

    def kinds(self, shift_type: str) -> list[str]:
        """The kinds of shift that a type is, one a skill."""
        return [kind(shift_type, skill) for skill in self.skills]


def kind(shift_type: str, skill: str) -> str:
    """The id of a shift type worked in a skill."""
    return f"{shift_type}-{skill}"


def parse_inrc2(scenario: str, history: str, weeks: Sequence[str], source: str = "INRC-II") -> Ward:
    """The ward of a scenario, a history and weeks, each the text of its file. Raises `WardError`, naming file and line."""
    try:
        read = _scenario(_File(scenario, "scenario"))
        known = _history(_File(history, "history"), read)
        files = [_File(text, f"week {number}") for number, text in enumerate(weeks, start=1)]
        demand, wishes = _weeks(files, read)
        ward = Ward.model_validate(_data(read, known, demand, wishes, len(weeks), source))
    except _Unfit as error:
        raise WardError(source, [error.fault]) from None
    except ValidationError as error:
        raise WardError(source, faults_of(error, None)) from None
    if faults := contradictions(ward):
        raise WardError(source, faults)
    return ward


def parse_solution(ward: Ward, weeks: Sequence[str], source: str = "solution") -> Roster:
    """The roster of the solutions of a ward's weeks. Raises `RosterError`, naming file and line."""
    roster: Roster = {nurse.id: [None] * ward.days for nurse in ward.nurses}
    try:
        for week, text in enumerate(weeks):
            file = _File(text, f"week {week + 1}")
            file.title("SOLUTION")
            file.next("number and scenario", "the week's number and the scenario")
            for line in file.counted("ASSIGNMENTS", "assignment", "nurse, day, shift type and skill"):
                name, shift = line[1], kind(line[3], line[4])
                if name not in roster or shift not in ward.shift_by_id:
                    raise _Unfit(FileFault(file.source, line[0], "a nurse, shift type and skill of the scenario"))
                roster[name][7 * week + WEEKDAYS.index(line[2])] = shift
    except _Unfit as error:
        raise RosterError(source, [error.fault]) from None
    return roster


def _scenario(file: _File) -> _Scenario:
    name = file.next("scenario", "SCENARIO = and a name")[1]
    file.count("WEEKS")
    skills = [line[1] for line in file.counted("SKILLS", "name", "a skill")]
    types = file.counted("SHIFT_TYPES", "shift type", "a shift type and (least,most) days in a row")
    file.title("FORBIDDEN_SHIFT_TYPES_SUCCESSIONS")
    after = [file.next("succession", "a shift type and those that must not follow") for _ in types]
    contracts = file.counted("CONTRACTS", "contract", "a contract, its three pairs of bounds, weekends, 0 or 1")
    nurses = file.counted("NURSES", "nurse", "a nurse, her contract and her skills")
    bounds = {line[1]: _contract([int(each) for each in line.groups()[1:]]) for line in contracts}
    _require([line[2] for line in nurses], bounds, file.source, "contracts")
    _require([each for line in after for each in (line[1], *line[2].split())], [line[1] for line in types], file.source,
             "shift types")  # fmt: skip
    return _Scenario(
        name,
        skills,
        {line[1]: (int(line[2]), int(line[3])) for line in types},
        {line[1]: line[2].split() for line in after},
        bounds,
        [(line[1], line[2], line[3].split()) for line in nurses],
    )


def _require(names: Iterable[str], known: Collection[str], source: str, what: str) -> None:
    for name in names:
        if name not in known:
            raise _Unfit(FileFault(source, name, f"one of the {what} {', '.join(known)}"))


def _contract(numbers: list[int]) -> Record:
    least, most, least_run, most_run, least_off, most_off, weekends, complete = numbers
    return {
        "assignments": _total(least, most, ASSIGNMENT),
        "working_weekends": _total(0, weekends, WORKING_WEEKEND),
        "runs": [
            {"least": least_run, "most": most_run, "weight": RUN},
            {"off": True, "least": least_off, "most": most_off, "weight": RUN},
        ],
        "split_weekend_weight": WEEKEND if complete else 0,
    }


def _total(least: int, most: int, weight: int) -> Record:
    return {"least": least, "most": most, "under_weight": weight, "over_weight": weight, "carried": True}


def _history(file: _File, scenario: _Scenario) -> dict[str, Record]:
    file.title("HISTORY")
    file.next("number and scenario", "the week's number and the scenario")
    file.title("NURSE_HISTORY")
    rows = [file.next("nurse's history", "a nurse, two totals, last shift type, three runs") for _ in scenario.nurses]
    _require([row[4] for row in rows], [*scenario.types, NO_SHIFT], file.source, "shift types")
    _require([name for name, _, _ in scenario.nurses], {row[1] for row in rows}, file.source, "nurses with a line")
    return {
        row[1]: {
            "assignments": int(row[2]),
            "weekends": int(row[3]),
            "tail": _tail(scenario, row[4], int(row[5]), int(row[6]), int(row[7])),
        }
        for row in rows
    }


def _tail(scenario: _Scenario, last: str, alike: int, worked: int, off: int) -> list[str | None]:
    """Days off after a day of work; or days of work after a day off, of which the last ones are alike."""
    some = scenario.kinds(next(iter(scenario.types)))[0]
    if last == NO_SHIFT:
        return [some, *[None] * off][-LONGEST_TAIL:] if off else []
    other = next((scenario.kinds(each)[0] for each in scenario.types if each != last), some)
    days = [other] * (worked - alike) + scenario.kinds(last)[:1] * alike
    return [None, *days][-LONGEST_TAIL:]


def _weeks(files: Sequence[_File], scenario: _Scenario) -> tuple[list[Record], list[Record]]:
    demand: list[Record] = []
    wishes: list[Record] = []
    for week, file in enumerate(files):
        first = START + timedelta(days=7 * week)
        file.title("WEEK_DATA")
        file.next("name", "the scenario")
        file.title("REQUIREMENTS")
        for line in file.rest(
            "requirement", "a shift type, a skill and (minimum,optimum) of seven days", "SHIFT_OFF_REQUESTS"
        ):
            _require([line[1]], scenario.types, file.source, "shift types")
            demand += _demand(line, first)
        for line in file.counted("SHIFT_OFF_REQUESTS", "request", "a nurse, a shift type or Any, and a day"):
            _require([line[2]], [*scenario.types, ANY], file.source, "shift types")
            wishes += _wishes(line, first, scenario)
    return demand, wishes


def _demand(line: re.Match[str], first: date) -> Iterator[Record]:
    numbers = [int(each) for each in line.groups()[2:]]
    for day, (minimum, optimum) in enumerate(zip(numbers[::2], numbers[1::2], strict=True)):
        if optimum:
            yield {
                "day": first + timedelta(days=day),
                "shift": kind(line[1], line[2]),
                "minimum": minimum,
                "target": optimum,
                "under_weight": OPTIMUM,
                "over_weight": 0,
            }


def _wishes(line: re.Match[str], first: date, scenario: _Scenario) -> Iterator[Record]:
    day = first + timedelta(days=WEEKDAYS.index(line[3]))
    for shift in [None] if line[2] == ANY else scenario.kinds(line[2]):
        yield {"nurse": line[1], "day": day, "shift": shift, "wants": False, "weight": REQUEST}


def _data(
    scenario: _Scenario,
    history: dict[str, Record],
    demand: list[Record],
    wishes: list[Record],
    weeks: int,
    source: str,
) -> Record:
    runs = [
        {"shifts": scenario.kinds(name), "least": least, "most": most, "weight": SHIFT_RUN}
        for name, (least, most) in scenario.types.items()
    ]
    return {
        "name": f"{scenario.name} {source}",
        "start": START,
        "days": 7 * weeks,
        "time_zone": "UTC",
        "skills": scenario.skills,
        "shifts": list(_shifts(scenario)),
        "nurses": [
            {
                "id": name,
                "skills": skills,
                "contract": scenario.contracts[contract],
                "history": history[name],
            }
            for name, contract, skills in scenario.nurses
        ],
        "demand": demand,
        "wishes": wishes,
        "rules": NO_OWN_RULES.model_dump() | {"runs": runs},
    }


def _shifts(scenario: _Scenario) -> Iterator[Record]:
    """The format has no clock times: a shift of eight hours begins at each of the first hours of a day."""
    for hour, name in enumerate(scenario.types):
        not_after = [each for after in scenario.not_after.get(name, []) for each in scenario.kinds(after)]
        for skill in scenario.skills:
            yield {
                "id": kind(name, skill),
                "start": time(hour),
                "minutes": 480,
                "night": name == "Night",
                "not_followed_by": not_after,
                "skill": skill,
            }
