"""INRC-II (arXiv 1501.04177): its instances of four weeks against what is published, and the cost of solutions.

    python -m benchmarks.roster_inrc2 FOLDER [INSTANCE ...] [--static] [--dynamic] [--seconds 300] [--stage-seconds S]
                                      [--seed 1] [--json FILE] [--from FILE] [--out FOLDER]
    python -m benchmarks.roster_inrc2 SET --weeks 1-2-3-3 [--history 0] [--solution FOLDER]

FOLDER holds the sets of the competition as text, each in a folder of its name: `n030w4/Sc-n030w4.txt`, `H0-n030w4-0.txt`,
`WD-n030w4-0.txt` and so on. They are not part of the repository; public repositories hold them, such as wssuite/NurseScheduler
in `datasets/INRC2`. An instance is named like n030w4_1_6-2-9-1: set, history, weeks. Without names all twenty
of four weeks that the competition used and the literature compares are solved, of the sets that FOLDER has.

`--static`: the history and all weeks as one ward, in 300 processor seconds. `--dynamic`: week by week, as the competition's
simulator does it, in its time: 10 + 3 (nurses - 20) processor seconds a week (`roster_inrc2_weeks.py` says how); `--out` keeps
solutions and histories in the official form. Without either, both. Time is that of the processor, all threads
counted. `--json` keeps the rows, `--from` prints them again, beside new ones. `roster_inrc2_published.py` names the sources.

With `--weeks` the cost of a solution by the seven parts that the official validator prints, or of a roster that is solved.

Exit status 1 where a hard constraint is broken, a cost is not what its weeks add up to, a set cannot be read or nothing
is found; 130 after Ctrl-C.
"""

import argparse
import sys
from pathlib import Path

from benchmarks.roster import FAULTY, INTERRUPTED, amount
from benchmarks.roster_inrc2_published import BEST
from benchmarks.roster_inrc2_runs import APART, Row, Solvers, dynamic, static
from benchmarks.roster_inrc2_sets import Instance, instance, read_set, read_solution, score
from benchmarks.roster_inrc2_table import tables
from pydantic import TypeAdapter

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.loop.solver import solve
from wavegraph.tools.roster.problem.prices import NO_PENALTIES
from wavegraph.tools.roster.ward.faults import WardError
from wavegraph.tools.roster.ward.ward import Roster, Ward

STATIC_SECONDS, SCORE_SECONDS = 300.0, 60.0
FILE = TypeAdapter(list[Row])


def main(arguments: list[str] | None = None, solvers: Solvers = APART) -> int:
    asked = parsed(arguments)
    return scored(asked) if asked.weeks else bench(asked, solvers)


def bench(asked: argparse.Namespace, solvers: Solvers) -> int:
    """Solve what was asked for, keep each row as it comes, and print the tables."""
    rows = [row for file in asked.source for row in FILE.validate_json(file.read_text())]
    status = solve_all(rows, asked, solvers)
    print(
        f"\n{tables(rows)}"
        if rows
        else f"nothing to show: {asked.folder} has none of the sets; see docs/running/benchmarks.md"
    )
    return status or (FAULTY if not rows or any(row.fault or row.cost is None for row in rows) else 0)


def solve_all(rows: list[Row], asked: argparse.Namespace, solvers: Solvers) -> int:
    """Add a row for each instance and mode; one that cannot be read is named. After Ctrl-C the finished ones stay."""
    status = 0
    try:
        for chosen in chosen_instances(asked):
            try:
                add_rows(rows, chosen, asked, solvers)
            except (OSError, WardError) as error:
                print(f"{chosen.name} is passed over: {error}", file=sys.stderr)
                status = FAULTY
    except KeyboardInterrupt:
        print("\ninterrupted; the rows before this one are kept", file=sys.stderr)
        return INTERRUPTED
    return status


def add_rows(rows: list[Row], chosen: Instance, asked: argparse.Namespace, solvers: Solvers) -> None:
    for mode in modes(asked):
        rows.append(run(mode, asked, chosen, solvers))
        keep(asked.json, rows)
        print(progress(rows[-1]), flush=True)


def chosen_instances(asked: argparse.Namespace) -> list[Instance]:
    if asked.instances or asked.source:
        return list(asked.instances)
    return [each for each in map(instance, BEST) if (asked.folder / each.of).is_dir()]


def modes(asked: argparse.Namespace) -> list[str]:
    return [mode for mode in ("static", "dynamic") if getattr(asked, mode)] or ["static", "dynamic"]


def run(mode: str, asked: argparse.Namespace, chosen: Instance, solvers: Solvers) -> Row:
    folder = asked.folder / chosen.of
    if mode == "static":
        return static(folder, chosen, asked.seconds or STATIC_SECONDS, asked.seed, solvers)
    return dynamic(folder, chosen, asked.stage_seconds, asked.seed, solvers, asked.out)


def progress(row: Row) -> str:
    bound = "" if row.bound is None else f", no roster costs less than {row.bound:g}"
    return f"{row.instance} {row.mode}: {row.cost} ({row.status}{bound}), {row.processor_seconds:.0f} s {row.fault}".rstrip()


def keep(file: Path | None, rows: list[Row]) -> None:
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(FILE.dump_json(rows, indent=1))


def scored(asked: argparse.Namespace) -> int:
    """Print the parts of one solution, its own or one that is solved."""
    weeks = [int(each) for each in asked.weeks.split("-")]
    ward = read_set(asked.folder, asked.history, weeks)
    roster = read_solution(ward, asked.solution, asked.folder.name, weeks) if asked.solution else solved(ward, asked)
    if roster is None:
        return 1
    breaches = check_compliance(ward, roster).breaches
    parts = score(ward, roster)
    print("\n".join([f"Hard constraint violations: {len(breaches)}", *(f"{k}: {v}" for k, v in parts.items())]))
    print(f"Total cost: {sum(parts.values())}")
    return 1 if breaches else 0


def solved(ward: Ward, asked: argparse.Namespace) -> Roster | None:
    found = solve(ward, penalties=NO_PENALTIES, seconds=asked.seconds or SCORE_SECONDS, seed=asked.seed)
    print(f"{ward.name}: {found.status}, no roster costs less than {found.bound:g}, {found.seconds:.1f} s")
    return found.roster


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.roster_inrc2", allow_abbrev=False,
                                     description=(__doc__ or "").splitlines()[0])  # fmt: skip
    parser.add_argument("folder", type=Path, help="holds the sets, or with --weeks is one set")
    parser.add_argument("instances", nargs="*", type=instance, help="like n030w4_1_6-2-9-1 (default: the twenty)")
    parser.add_argument("--static", action="store_true", help="all weeks as one ward")
    parser.add_argument("--dynamic", action="store_true", help="week by week, in the competition's time")
    parser.add_argument("--seconds", type=amount, help=f"of an instance, all weeks known (default: {STATIC_SECONDS:g})")
    parser.add_argument("--stage-seconds", type=amount, help="of a week (default: the competition's)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every row, as soon as there is one")
    parser.add_argument("--from", type=Path, metavar="FILE", dest="source", action="append", default=[],
                        help="print what --json wrote, beside what is solved now")  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="keep solutions and histories, week by week")
    parser.add_argument("--weeks", help="score one instance of the set that FOLDER is")
    parser.add_argument("--history", type=int, default=0, help="of that instance")
    parser.add_argument("--solution", type=Path, metavar="FOLDER", help="of that instance: Sol-SET-WEEK-PLACE.txt")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
