"""INRC-II (arXiv 1501.04177): score the solutions of its weeks, or solve them as one ward.

    python -m benchmarks.roster_inrc2 FOLDER --history 0 --weeks 1-2-3-3 [--solution FOLDER] [--seconds 60] [--seed 1]

FOLDER holds one set of the competition as text: `Sc-NAME.txt`, `H0-NAME-0.txt`, `WD-NAME-0.txt` and so on, the solutions of an
instance in a folder of their own. The sets are not part of the repository; public repositories hold them. The seven parts
are named as the official validator prints them. Exit status 1 where a hard constraint is broken, or nothing is found.
"""

import argparse
from collections import Counter
from pathlib import Path

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.contracts import off_totals
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.checks.runs import off_limits
from wavegraph.tools.roster.checks.timelines import timelines
from wavegraph.tools.roster.loop.solver import solve
from wavegraph.tools.roster.problem.prices import NO_PENALTIES
from wavegraph.tools.roster.ward.inrc2 import parse_inrc2, parse_solution
from wavegraph.tools.roster.ward.ward import Roster, Ward

TOTAL_NAMES = {"assignments": "Total assignment constraints", "working_weekends": "Max working weekend"}


def read_set(folder: Path, history: int, weeks: list[int]) -> Ward:
    name = folder.name
    texts = [(folder / f"WD-{name}-{week}.txt").read_text() for week in weeks]
    known = (folder / f"H0-{name}-{history}.txt").read_text()
    chosen = f"{history}_{'-'.join(map(str, weeks))}"
    return parse_inrc2((folder / f"Sc-{name}.txt").read_text(), known, texts, chosen)


def read_solution(ward: Ward, folder: Path, name: str, weeks: list[int]) -> Roster:
    files = [folder / f"Sol-{name}-{week}-{place}.txt" for place, week in enumerate(weeks)]
    return parse_solution(ward, [file.read_text() for file in files])


def score(ward: Ward, roster: Roster) -> dict[str, int]:
    """The cost by the validator's parts; breaches of hard constraints are not in it."""
    cost, parts = roster_cost(ward, roster), Counter[str]()
    for timeline in timelines(ward, roster):
        for broken in off_limits(ward, timeline):
            name = "Non working days constraints" if broken.limit.off else "Consecutive constraints"
            parts[name] += broken.days * (broken.limit.weight or 0)
        for off in off_totals(ward, timeline):
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


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--history", type=int, default=0)
    parser.add_argument("--weeks", required=True)
    parser.add_argument("--solution", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    weeks = [int(each) for each in asked.weeks.split("-")]
    ward = read_set(asked.folder, asked.history, weeks)
    if asked.solution:
        roster: Roster | None = read_solution(ward, asked.solution, asked.folder.name, weeks)
    else:
        found = solve(ward, penalties=NO_PENALTIES, seconds=asked.seconds, seed=asked.seed)
        roster = found.roster
        print(f"{ward.name}: {found.status}, no roster costs less than {found.bound:g}, {found.seconds:.1f} s")
    if roster is None:
        return 1
    breaches = check_compliance(ward, roster).breaches
    parts = score(ward, roster)
    print("\n".join([f"Hard constraint violations: {len(breaches)}", *(f"{k}: {v}" for k, v in parts.items())]))
    print(f"Total cost: {sum(parts.values())}")
    return 1 if breaches else 0


if __name__ == "__main__":
    raise SystemExit(main())
