"""The text format of the Curtois and Qu benchmark (schedulingbenchmarks.org, instances 1 to 24), as a ward.

    python -m benchmarks.roster_curtois Instance1.txt > instance1.json      a ward file of the instance

Its shifts have a length but no clock times: they start at 00:00 here, and all of the ward's own rules are off, so that
exactly the format's rules are checked. They map to a ward as follows:

- MaxShifts, minutes, runs, days off and weekends are the contract; shifts that cannot follow are `not_followed_by`;
  days off are leave.
- Before and after the horizon a day off is assumed for the longest run and for successions, while a run or days off
  that touch either end are taken as long enough for the shortest: an empty tail, read as `History.tail` says.
- A request for a shift, and one against it, is a wish; cover is a target without a minimum, each with its own weights.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from wavegraph.tools.roster.told import english
from wavegraph.tools.roster.ward.contradictions import contradictions
from wavegraph.tools.roster.ward.expectations import faults_of
from wavegraph.tools.roster.ward.faults import FileFault, Spot, WardError, field_at
from wavegraph.tools.roster.ward.plain_data import Unreadable, read_text
from wavegraph.tools.roster.ward.ward import Contract, Demand, Leave, Nurse, Rules, Shift, Ward, Wish

START = date(2024, 1, 1)
"""A Monday, as all instances begin on one; the format names no date."""

NO_OWN_RULES = Rules(
    daily_rest_hours=0,
    weekly_rest_hours=0,
    weekly_hours=0,
    max_days_in_a_row=None,
    max_nights_in_a_row=None,
    rest_after_nights_hours=0,
    complete_weekends=False,
    shortage="linear",
    leave_credit="none",
    night_before_leave=True,
)

SECTIONS = {
    "SECTION_HORIZON": 1,
    "SECTION_SHIFTS": 3,
    "SECTION_STAFF": 8,
    "SECTION_DAYS_OFF": 2,
    "SECTION_SHIFT_ON_REQUESTS": 4,
    "SECTION_SHIFT_OFF_REQUESTS": 4,
    "SECTION_COVER": 5,
}
"""Columns of a line; for days off, the least number."""
NEEDED = ("SECTION_HORIZON", "SECTION_SHIFTS", "SECTION_STAFF")
LONGEST_HORIZON = 366


@dataclass(frozen=True)
class FileLine:
    number: int
    cells: list[str]


@dataclass
class InstanceParser:
    """The state of parsing one file: faults so far, and the names that later lines refer to."""

    faults: list[FileFault] = field(default_factory=list)
    days: int = LONGEST_HORIZON
    shifts: dict[str, int] = field(default_factory=dict)
    nurses: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)

    def wrong(self, line: FileLine, value: object, expected: str) -> None:
        self.faults.append(FileFault(Spot(None, line.number), value, expected))

    def whole(self, line: FileLine, text: str, what: str, most: int = 10**6) -> int:
        """A whole number from 0 to `most` (published files also write -0); where there is none, a fault and 0."""
        if re.fullmatch(r"-0|[0-9]{1,9}", text) and int(text) <= most:
            return int(text)
        self.wrong(line, text, f"{what}, a whole number from 0 to {most}")
        return 0

    def day(self, line: FileLine, text: str) -> date:
        return START + timedelta(days=self.whole(line, text, "a day of the horizon", self.days - 1))

    def named(self, line: FileLine, text: str, known: Mapping[str, int], what: str) -> str:
        if text not in known:
            self.wrong(line, text, f"one of the {what} {', '.join(list(known)[:12])}")
        return text

    def new(self, line: FileLine, text: str, known: dict[str, int], what: str) -> str:
        if text in known:
            self.wrong(line, text, f"each {what} once; line {known[text]} has it")
        known.setdefault(text, line.number)
        return text


def read_curtois(path: Path) -> Ward:
    """The ward of an instance's file. Raises `WardError`."""
    try:
        return parse_curtois(read_text(path), path.name)
    except Unreadable as error:
        raise WardError(path.name, [error.fault]) from None


def parse_curtois(text: str, source: str) -> Ward:
    """The ward of an instance. Raises `WardError` with every fault, each with its line."""
    parser = InstanceParser()
    sections = _sections(text, parser)
    ward = _ward(sections, parser, source) if not parser.faults else None
    if ward is None or parser.faults:
        raise WardError(source, parser.faults)
    if faults := contradictions(ward):
        raise WardError(source, faults)
    return ward


def _sections(text: str, parser: InstanceParser) -> dict[str, list[FileLine]]:
    """The lines of each section, cut into cells; comments and empty lines left out."""
    sections: dict[str, list[FileLine]] = {}
    current: str | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        content = raw.strip()
        if not content or content.startswith("#"):
            continue
        line = FileLine(number, [cell.strip() for cell in content.split(",")])
        if content.startswith("SECTION_"):
            current = _section(content, line, sections, parser)
        elif current is None:
            parser.wrong(line, content, f"a section such as {next(iter(SECTIONS))} first")
        elif _fits(current, line, parser):
            sections[current].append(line)
    for name in NEEDED:
        if not sections.get(name) and not parser.faults:
            parser.faults.append(FileFault(field_at(), None, f"a section {name} with at least one line"))
    return sections


def _section(name: str, line: FileLine, sections: dict[str, list[FileLine]], parser: InstanceParser) -> str | None:
    if name not in SECTIONS:
        parser.wrong(line, name, f"one of the sections {', '.join(SECTIONS)}")
        return None
    if name in sections:
        parser.wrong(line, name, "each section once")
    sections.setdefault(name, [])
    return name


def _fits(section: str, line: FileLine, parser: InstanceParser) -> bool:
    columns, found = SECTIONS[section], len(line.cells)
    at_least = section == "SECTION_DAYS_OFF"
    if found != columns and not (at_least and found > columns):
        words = f"{'at least ' if at_least else ''}{columns} columns in {section}"
        parser.wrong(line, ",".join(line.cells), words)
        return False
    return True


def _ward(sections: dict[str, list[FileLine]], parser: InstanceParser, source: str) -> Ward | None:
    parser.days = _horizon(sections["SECTION_HORIZON"], parser)
    for line in sections["SECTION_SHIFTS"]:
        parser.new(line, line.cells[0], parser.shifts, "shift")
    shifts = list(_built(sections["SECTION_SHIFTS"], parser, _shift))
    nurses = list(_built(sections["SECTION_STAFF"], parser, _nurse))
    days_off = [
        FileLine(line.number, [line.cells[0], day])
        for line in sections.get("SECTION_DAYS_OFF", [])
        for day in line.cells[1:]
    ]
    leave = list(_built(days_off, parser, _leave))
    wants = list(_built(sections.get("SECTION_SHIFT_ON_REQUESTS", []), parser, partial(_wish, wants=True)))
    against = list(_built(sections.get("SECTION_SHIFT_OFF_REQUESTS", []), parser, partial(_wish, wants=False)))
    demand = list(_built(sections.get("SECTION_COVER", []), parser, _cover))
    if parser.faults:
        return None
    return Ward(
        name=source.removesuffix(".txt"),
        start=START,
        days=parser.days,
        time_zone="UTC",
        shifts=shifts,
        nurses=nurses,
        demand=demand,
        leave=leave,
        wishes=[*wants, *against],
        rules=NO_OWN_RULES,
    )


def _horizon(lines: list[FileLine], parser: InstanceParser) -> int:
    days = parser.whole(lines[0], lines[0].cells[0], "the days of the horizon", LONGEST_HORIZON)
    for line in lines[1:]:
        parser.wrong(line, line.cells[0], "one number of days")
    if days == 0 and not parser.faults:
        parser.wrong(lines[0], "0", "at least one day")
    return max(1, days)


WardRow = TypeVar("WardRow", bound=BaseModel)


def _built(
    lines: list[FileLine], parser: InstanceParser, build: Callable[[FileLine, InstanceParser], WardRow]
) -> Iterator[WardRow]:
    """The record of each line; a record that the ward refuses is a fault of its line."""
    for line in lines:
        try:
            yield build(line, parser)
        except ValidationError as error:
            for fault in faults_of(error, None):
                parser.wrong(line, fault.value, f"{english(fault.expected)} ({fault.place})")


def _shift(line: FileLine, parser: InstanceParser) -> Shift:
    name, minutes, after = line.cells
    forbidden = [parser.named(line, other, parser.shifts, "shifts") for other in after.split("|") if other]
    length = parser.whole(line, minutes, "the shift's minutes", 24 * 60)
    return Shift(id=name, start=time(0, 0), minutes=length, not_followed_by=forbidden)


def _nurse(line: FileLine, parser: InstanceParser) -> Nurse:
    name, most, *numbers = line.cells
    parser.new(line, name, parser.nurses, "employee")
    words = ("most minutes", "least minutes", "longest run", "shortest run", "shortest days off", "most weekends")
    most_minutes, least_minutes, longest, shortest, days_off, weekends = (
        parser.whole(line, text, what) for text, what in zip(numbers, words, strict=True)
    )
    contract = Contract(
        min_minutes=least_minutes,
        max_minutes=most_minutes,
        max_shifts=_most_shifts(line, most, parser),
        min_run=shortest,
        max_run=longest,
        min_days_off=days_off,
        max_weekends=weekends,
    )
    return Nurse(id=name, contract=contract)


def _most_shifts(line: FileLine, text: str, parser: InstanceParser) -> dict[str, int]:
    bounds: dict[str, int] = {}
    for part in filter(None, text.split("|")):
        shift, _, most = part.partition("=")
        if shift in bounds:
            parser.wrong(line, part, "each shift once")
        bounds[parser.named(line, shift, parser.shifts, "shifts")] = parser.whole(line, most, f"most {shift} shifts")
    return bounds


def _leave(line: FileLine, parser: InstanceParser) -> Leave:
    nurse, day = line.cells
    parser.new(line, f"day off {nurse},{day}", parser.rows, "row")
    return Leave(nurse=parser.named(line, nurse, parser.nurses, "staff"), day=parser.day(line, day), paid=False)


def _wish(line: FileLine, parser: InstanceParser, *, wants: bool) -> Wish:
    nurse, day, shift, weight = line.cells
    parser.new(line, f"request {nurse},{day},{shift}", parser.rows, "row")
    return Wish(
        nurse=parser.named(line, nurse, parser.nurses, "staff"),
        day=parser.day(line, day),
        shift=parser.named(line, shift, parser.shifts, "shifts"),
        wants=wants,
        weight=parser.whole(line, weight, "a weight", 10_000),
    )


def _cover(line: FileLine, parser: InstanceParser) -> Demand:
    day, shift, needed, under, over = line.cells
    parser.new(line, f"cover {day},{shift}", parser.rows, "row")
    return Demand(
        day=parser.day(line, day),
        shift=parser.named(line, shift, parser.shifts, "shifts"),
        target=parser.whole(line, needed, "a requirement"),
        under_weight=parser.whole(line, under, "a weight", 10_000),
        over_weight=parser.whole(line, over, "a weight", 10_000),
    )


def main(paths: list[str]) -> None:
    """Print the ward file of each instance."""
    for path in paths:
        try:
            print(read_curtois(Path(path)).model_dump_json(exclude_defaults=True, indent=1))
        except WardError as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
