"""How good are our rosters? Curtois and Qu's instances against the best known and published costs, and CP-SAT alone.

    python -m benchmarks.roster [NUMBERS ...] [--data FOLDER] [--seconds S] [--work UNITS] [--seed 1] [--cpu] [--smoke]
                                [--solver agent|columns|cpsat] [--against cpsat|none] [--workers N]
                                [--plot PAGE.html] [--json FILE] [--from FILE]

`make bench-roster` solves the first 21 and writes both files to build: a minute each at most, ten for 13, 15 and 18 to 21, so
75 minutes at most. The last lines say by which clock. `s` is what the limit is held against; `cpu s` counts all threads.
Each solve is a process of its own. Every roster is scored by the checkers, which share no code with the solver. Exit
status 1 when a roster breaks a hard rule or costs something else than its solver says, or when the solver finds none
(CP-SAT, which it is held against, may); 2 when there was nothing to solve; 130 after Ctrl-C.

With `--work` the same seed prints the same table: the search counts its work instead of the clock, and what is measured
(seconds, memory) is left to the page and the file.

The instances are not part of the repository: 1 to 12 lie in ../shared/data/nrp/curtois; all 24 are to be had from
schedulingbenchmarks.org, or from public repositories that hold its text files. One that is missing is passed over.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.roster_page import page
from benchmarks.roster_published import PUBLISHED
from benchmarks.roster_runs import Bench, BenchmarkRun, Conditions, Row, Solver, apart
from benchmarks.roster_table import clock, faults, heading, hurried, means, run_line, table, ward_line
from benchmarks.roster_wards import instances, tiny_ward
from pydantic import TypeAdapter, ValidationError

from wavegraph.tools.roster.ward.ward import Ward

DATA = Path(__file__).parents[2] / "shared/data/nrp/curtois"
DEFAULT = range(1, 22)
SECONDS, LARGE_SECONDS, SMOKE_SECONDS = 60.0, 600.0, 5.0
SECONDS_A_UNIT = 20.0
"""Of work, after which a search that counts it is given up all the same."""
FAULTY, NOTHING, INTERRUPTED = 1, 2, 130
Solve = Callable[[Ward, Solver, Conditions], BenchmarkRun]
FILE = TypeAdapter(Bench)


def main(arguments: list[str] | None = None, solve: Solve = apart) -> int:
    """Print the table and write what was asked for; the exit status."""
    options = parsed(arguments)
    bench = options.source or Bench(conditions=conditions(options), rows=[])
    if options.source and bench.rows:
        print(table(bench))
    status = 0 if options.source else run(bench, options, solve)
    if not bench.rows:
        print("nothing to show; --data FOLDER names where the instances are", file=sys.stderr)
        return status or NOTHING
    for line in [clock(bench), *means(bench), *hurried(bench)]:
        print(line)
    keep(bench, options)
    return status or (FAULTY if any(is_faulty(row) for row in bench.rows) else 0)


def run(bench: Bench, options: argparse.Namespace, solve: Solve) -> int:
    """Solve what was asked for, and print each row as it comes; after Ctrl-C the finished ones stay."""
    solvers: list[Solver] = [options.solver]
    if options.against not in ("none", options.solver):
        solvers.append(options.against)
    try:
        for name, ward in wards(options):
            if not bench.rows:
                print(heading(solvers))
            bench.rows.append(solve_by_all(name, ward, solvers, bench.conditions, solve))
    except KeyboardInterrupt:
        print("\ninterrupted; the wards before this one are kept", file=sys.stderr)
        return INTERRUPTED
    return 0


def solve_by_all(name: str, ward: Ward, solvers: list[Solver], under: Conditions, solve: Solve) -> Row:
    row = Row(name=name, days=ward.days, nurses=len(ward.nurses), shifts=len(ward.shifts), runs=[])
    print(ward_line(row), end="", flush=True)
    for n, solver in enumerate(solvers):
        row.runs.append(solve(ward, solver, under.of(name)))
        print(run_line(row, n, under), end="", flush=True)
    print(faults(row), flush=True)
    return row


def wards(options: argparse.Namespace) -> Iterator[tuple[str, Ward]]:
    """The wards asked for; an instance that cannot be read is named on the error output."""
    if options.smoke:
        yield "tiny", tiny_ward()
    for name, ward in instances(options.numbers or ([1] if options.smoke else DEFAULT), options.data):
        if isinstance(ward, Ward):
            yield name, ward
        else:
            print(f"instance {name} is passed over: {ward}", file=sys.stderr)


def conditions(options: argparse.Namespace) -> Conditions:
    seconds = options.seconds or (SMOKE_SECONDS if options.smoke else SECONDS)
    if options.work is not None and options.seconds is None:
        seconds = max(seconds, SECONDS_A_UNIT * options.work)
    large = None if options.seconds or options.smoke or options.work is not None else LARGE_SECONDS
    return Conditions(seconds=seconds, work=options.work, seed=options.seed, cpu=options.cpu, workers=options.workers,
                      large_seconds=large)  # fmt: skip


def is_faulty(row: Row) -> bool:
    return row.runs[0].cost is None or any(run.fault for run in row.runs)


def keep(bench: Bench, options: argparse.Namespace) -> None:
    """Write the page and the points, and say so."""
    if options.json:
        write(options.json, FILE.dump_json(bench, indent=1).decode() + "\n")
    if options.plot:
        write(options.plot, page(bench, datetime.now(UTC)))


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    print(f"wrote {file}", file=sys.stderr)


def instance_number(text: str) -> int:
    if not text.isdecimal() or int(text) not in PUBLISHED:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no instance; they are numbered {min(PUBLISHED)} to {max(PUBLISHED)}"
        )
    return int(text)


def amount(text: str) -> float:
    if not text.replace(".", "", 1).isdecimal() or not float(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return float(text)


def benchmark_file(text: str) -> Bench:
    """What `--json` wrote."""
    try:
        return FILE.validate_json(Path(text).read_text(encoding="utf-8"))
    except (OSError, ValidationError, UnicodeDecodeError) as error:
        raise argparse.ArgumentTypeError(f"{text} is no file that --json wrote: {error}") from None


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    options = parser().parse_args(arguments)
    if options.source and (options.numbers or options.smoke):
        parser().error("--from shows what is in the file: name no instances with it")
    return options


def parser() -> argparse.ArgumentParser:
    ways = argparse.ArgumentParser(prog="python -m benchmarks.roster", allow_abbrev=False,
                                   description="Solve Curtois and Qu's instances and compare the costs.")  # fmt: skip
    ways.add_argument("numbers", nargs="*", type=instance_number, help="instances (default: 1 to 21)")
    ways.add_argument("--data", type=Path, default=DATA, help="folder of InstanceN.txt (default: %(default)s)")
    ways.add_argument(
        "--seconds",
        type=amount,
        help=f"per solve (default: {SECONDS:g}, of the large {LARGE_SECONDS:g}, smoke {SMOKE_SECONDS:g})",
    )
    ways.add_argument("--work", type=amount, metavar="UNITS", help="count work, some seconds of one core a unit")
    ways.add_argument("--seed", type=int, default=1)
    ways.add_argument("--workers", type=int, help="CP-SAT workers (default: by size)")
    ways.add_argument(
        "--solver", choices=("agent", "columns", "cpsat"), default="agent", help="agent: columns, then CP-SAT if small"
    )
    ways.add_argument("--against", choices=("cpsat", "none"), default="none", help="solve again by CP-SAT alone")
    ways.add_argument("--cpu", action="store_true", help="count processor seconds, for a busy machine")
    ways.add_argument("--smoke", action="store_true", help="an invented ward, and instance 1 where there is data")
    ways.add_argument("--plot", type=Path, metavar="FILE", help="write a page that draws cost and bound over time")
    ways.add_argument("--json", type=Path, metavar="FILE", help="write every point, to draw anew")
    ways.add_argument(
        "--from", type=benchmark_file, metavar="FILE", dest="source", help="solve nothing: what --json wrote"
    )
    return ways


if __name__ == "__main__":
    sys.exit(main())
