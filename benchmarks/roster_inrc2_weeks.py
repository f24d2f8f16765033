"""INRC-II week by week, as its simulator runs it: a stage knows the scenario, the history handed on, and its own week.

What the weeks to come demand is not known, and a week solved for itself alone spends the totals of the period badly. So a stage
is solved as the period that is left: its own week, then weeks like those it has seen, its own first, without minimum
demands and without requests, which nobody can guess. Totals, runs over Sunday and weekends are then priced as ever. Only
the first seven days of that roster are handed in. The rules allow it: a solver may hand itself a file from stage to stage.

Of the time of a stage everything counts: a process of its own for each, its start and the reading in it.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from benchmarks.roster_inrc2_format import NO_SHIFT, WEEKDAYS, parse_inrc2, parse_solution
from benchmarks.roster_inrc2_sets import TOTAL_NAMES, Instance, history_text, scenario_text, score, week_text

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.loop.solver import solve
from wavegraph.tools.roster.problem.prices import NO_PENALTIES
from wavegraph.tools.roster.ward.ward import Contract, Nurse, Roster, Total, Ward

REQUESTS = "SHIFT_OFF_REQUESTS"
DAYS = len(WEEKDAYS)
SHARE = 0.9
"""Of a stage's time, for the search; the rest is for what it does after its limit."""
ALONE_SECONDS = 5.0
"""At least, for a week alone where the expected period has no roster."""


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What a solver is given for one week."""

    scenario: str
    history: str
    week: str
    seen: tuple[str, ...]
    """The weeks before, the latest first, as a solver's own file may hand them on."""
    left: int
    """Weeks of the period after this one."""


@dataclass(frozen=True, kw_only=True)
class StageRun:
    """What a solver makes of a stage."""

    solution: str | None
    """In the official form; None = no roster."""
    processor_seconds: float
    memory_mib: int


SolveStage = Callable[[Stage], StageRun]


@dataclass(frozen=True, kw_only=True)
class DoneWeek:
    """A stage behind us, and the history that it hands on."""

    stage: Stage
    run: StageRun
    history: str


def stage_seconds(nurses: int) -> float:
    """The competition's time for one week, as Ceschia and others (2019, section 4.2) give it for a modern machine. Their
    formula is of 30 nurses and more; for the small test sets it would be below nothing."""
    return max(5.0, 10.0 + 3.0 * (nurses - 20))


def week_by_week(folder: Path, chosen: Instance, solve_stage: SolveStage) -> Iterator[DoneWeek]:
    """The stages of an instance, as they are done; a week's file is opened when its stage begins. Ends after a stage
    without a roster."""
    scenario, history, seen = scenario_text(folder), history_text(folder, chosen.history), tuple[str, ...]()
    for place, number in enumerate(chosen.weeks):
        week = week_text(folder, number)
        left = len(chosen.weeks) - place - 1
        stage = Stage(scenario=scenario, history=history, week=week, seen=seen, left=left)
        run = solve_stage(stage)
        if run.solution is not None:
            history = next_history(history, days_of(stage, run.solution))
        yield DoneWeek(stage=stage, run=run, history=history)
        if run.solution is None:
            return
        seen = (week, *seen)


def solved_stage(stage: Stage, seconds: float, seed: int) -> str | None:
    """The solution of a stage, within processor seconds that count from the start of this process."""
    for weeks in (expected_weeks(stage), [stage.week]):
        ward = what_is_left(parse_inrc2(stage.scenario, stage.history, weeks))
        search = max(seconds * SHARE - time.process_time(), ALONE_SECONDS)
        found = solve(ward, penalties=NO_PENALTIES, seconds=search, seed=seed, timer=time.process_time)
        if found.roster is not None:
            return solution_text(stage, ward, found.roster)
    return None


def expected_weeks(stage: Stage) -> list[str]:
    """The weeks that are left: this one, and then those seen in turn, as far as they let one expect anything."""
    like = [expectation(week) for week in (stage.week, *stage.seen)]
    return [stage.week, *islice(cycle(like), stage.left)]


def expectation(week: str) -> str:
    """A week's optimal demands alone."""
    return re.sub(r"\(\d+,", "(0,", week.split(REQUESTS)[0]) + f"{REQUESTS} = 0\n"


def what_is_left(ward: Ward) -> Ward:
    """The ward with bounds of its own: what the weeks before have left of the totals. What was too much is spent."""
    nurses = [nurse.model_copy(update={"contract": left_contract(nurse)}) for nurse in ward.nurses]
    return ward.model_copy(update={"nurses": nurses})


def left_contract(nurse: Nurse) -> Contract:
    contract, history = nurse.contract, nurse.history
    return contract.model_copy(update={
        "assignments": left_total(contract.assignments, history.assignments),
        "working_weekends": left_total(contract.working_weekends, history.weekends),
    })  # fmt: skip


def left_total(total: Total | None, before: int) -> Total | None:
    if total is None:
        return None
    most = None if total.most is None else max(0, total.most - before)
    return total.model_copy(update={"least": max(0, total.least - before), "most": most, "carried": False})


def solution_text(stage: Stage, ward: Ward, roster: Roster) -> str:
    """The first seven days, in the official form."""
    number, scenario = history_head(stage.history)
    lines = [
        f"{nurse.id} {weekday} {shift_type(ward, cell)} {ward.shift_by_id[cell].skill}"
        for nurse in ward.nurses
        for weekday, cell in zip(WEEKDAYS, roster[nurse.id], strict=False)
        if cell is not None
    ]
    return "\n".join(["SOLUTION", f"{number} {scenario}", "", f"ASSIGNMENTS = {len(lines)}", *lines, ""])


def shift_type(ward: Ward, cell: str) -> str:
    return cell.removesuffix(f"-{ward.shift_by_id[cell].skill}")


def history_head(history: str) -> tuple[int, str]:
    _, number, scenario = history.split()[:3]
    return int(number), scenario


def next_history(history: str, days: Mapping[str, Sequence[str]]) -> str:
    """The history after a week, in the official form: totals, last shift, and days in a row of it, of work, and off.

    `days`: the shift types of each nurse's week.
    """
    number, scenario = history_head(history)
    rows = [line.split() for line in history.split("NURSE_HISTORY")[1].splitlines() if line.strip()]
    lines = [next_row(row, days[row[0]]) for row in rows]
    return "\n".join(["HISTORY", f"{number + 1} {scenario}", "", "NURSE_HISTORY", *lines, ""])


def days_of(stage: Stage, solution: str) -> dict[str, list[str]]:
    """The shift types of each nurse's week."""
    ward = parse_inrc2(stage.scenario, stage.history, [stage.week])
    roster = parse_solution(ward, [solution])
    return {
        name: [NO_SHIFT if cell is None else shift_type(ward, cell) for cell in row] for name, row in roster.items()
    }


def next_row(row: Sequence[str], days: Sequence[str]) -> str:
    """A nurse's line after seven days of shift types."""
    name, last = row[0], row[3]
    assignments, weekends, alike, worked, off = (int(row[place]) for place in (1, 2, 4, 5, 6))
    for day in days:
        free = day == NO_SHIFT
        alike = 0 if free else alike + 1 if day == last else 1
        worked, off = (0, off + 1) if free else (worked + 1, 0)
        assignments += not free
        last = day
    weekends += any(day != NO_SHIFT for day in days[-2:])
    return f"{name} {assignments} {weekends} {last} {alike} {worked} {off}"


def total(folder: Path, chosen: Instance, weeks: Sequence[DoneWeek]) -> tuple[dict[str, int], str]:
    """The cost of all weeks together by the validator's parts, and what is wrong with them; empty = nothing.

    It is held against the weeks one by one, each with the history that it was handed; totals count at the end alone.
    """
    texts = [week_text(folder, number) for number in chosen.weeks]
    ward = parse_inrc2(scenario_text(folder), history_text(folder, chosen.history), texts)
    roster = parse_solution(ward, [week.run.solution or "" for week in weeks])
    parts, one_by_one = score(ward, roster), sum(week_cost(week) for week in weeks)
    if breaches := check_compliance(ward, roster).breaches:
        return parts, f"{len(breaches)} breaches: {breaches[0].detail}"
    cost = sum(parts.values())
    return parts, "" if cost == one_by_one else f"costs {cost}, but its weeks one by one {one_by_one}"


def week_cost(week: DoneWeek) -> int:
    """Of a week with the history that it was handed; the totals of the period only in the last one."""
    ward = parse_inrc2(week.stage.scenario, week.stage.history, [week.stage.week])
    parts = score(ward, parse_solution(ward, [week.run.solution or ""]))
    return sum(cost for name, cost in parts.items() if not week.stage.left or name not in TOTAL_NAMES.values())
