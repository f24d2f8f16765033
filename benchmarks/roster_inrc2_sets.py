"""The sets of INRC-II in a folder, its instances by name, and the cost of a roster by the validator's parts.

`n030w4_1_6-2-9-1` is the set `n030w4` with its history 1 and its weeks 6, 2, 9 and 1.
"""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.roster_inrc2_format import parse_inrc2, parse_solution

from wavegraph.tools.roster.checks.contracts import off_totals
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.checks.runs import off_limits
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.ward.ward import Roster, Ward

TOTAL_NAMES = {"assignments": "Total assignment constraints", "working_weekends": "Max working weekend"}
NAME = r"(\w+)_(\d+)_(\d+(?:-\d+)*)"


@dataclass(frozen=True)
class Instance:
    """One problem of the competition."""

    of: str
    """The set."""
    history: int
    weeks: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"{self.of}_{self.history}_{'-'.join(map(str, self.weeks))}"


def instance(name: str) -> Instance:
    """Raises `ValueError`."""
    if (found := re.fullmatch(NAME, name)) is None:
        raise ValueError(f"{name!r} is no instance: they are named like n030w4_1_6-2-9-1")
    return Instance(found[1], int(found[2]), tuple(int(each) for each in found[3].split("-")))


def scenario_text(folder: Path) -> str:
    """Of the set that is in the folder; the others alike."""
    return (folder / f"Sc-{folder.name}.txt").read_text()


def history_text(folder: Path, number: int) -> str:
    return (folder / f"H0-{folder.name}-{number}.txt").read_text()


def week_text(folder: Path, number: int) -> str:
    return (folder / f"WD-{folder.name}-{number}.txt").read_text()


def nurses_of(scenario: str) -> int:
    return int(scenario.split("NURSES =")[1].split()[0])


def read_set(folder: Path, history: int, weeks: list[int]) -> Ward:
    chosen = f"{history}_{'-'.join(map(str, weeks))}"
    texts = [week_text(folder, week) for week in weeks]
    return parse_inrc2(scenario_text(folder), history_text(folder, history), texts, chosen)


def read_solution(ward: Ward, folder: Path, name: str, weeks: list[int]) -> Roster:
    files = [folder / f"Sol-{name}-{week}-{place}.txt" for place, week in enumerate(weeks)]
    return parse_solution(ward, [file.read_text() for file in files])


def score(ward: Ward, roster: Roster) -> dict[str, int]:
    """The cost by the validator's parts; breaches of hard constraints are not in it.

    Where a demand is below its minimum, the validator leaves it out of the optimal coverage; here all that is missing counts.
    """
    cost, parts = roster_cost(ward, roster), Counter[str]()
    for timeline in Checked(ward, roster).timelines:
        for broken in off_limits(timeline):
            name = "Non working days constraints" if broken.limit.off else "Consecutive constraints"
            parts[name] += broken.days * (broken.limit.weight or 0)
        for off in off_totals(timeline):
            parts[TOTAL_NAMES[off.kind]] += off.cost
    return {
        "Total assignment constraints": parts["Total assignment constraints"],
        "Consecutive constraints": parts["Consecutive constraints"],
        "Non working days constraints": parts["Non working days constraints"],
        "Preferences": cost.wishes,
        "Max working weekend": parts["Max working weekend"],
        "Complete weekends": cost.uneven_weekends or 0,
        "Optimal coverage constraints": cost.under,
    }
