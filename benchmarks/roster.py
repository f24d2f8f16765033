"""How good are our rosters? Curtois and Qu's instances against the best known and published costs.

    python benchmarks/roster.py [NUMBERS ...] [--data FOLDER] [--seconds 60] [--seed 1] [--workers N] [--cpu] [--smoke]
                                [--solver agent|columns|cpsat]

Every roster is scored by the checkers, which share no code with the solver; exit status 1 when one breaks a hard rule
or costs something else than the solver says. The instances are not part of the repository.
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from datetime import time as time_of_day
from functools import partial
from pathlib import Path

from wavegraph.tools.roster.checks.cost import hard_violations, roster_cost
from wavegraph.tools.roster.columns.solve import solve as by_columns
from wavegraph.tools.roster.solver.objective import NO_PENALTIES
from wavegraph.tools.roster.solver.result import Result
from wavegraph.tools.roster.solver.solve import solve as by_cp_sat
from wavegraph.tools.roster.solving import solve
from wavegraph.tools.roster.ward import Contract, Demand, Nurse, Rules, Shift, Ward, Wish
from wavegraph.tools.roster.ward_file import read_ward

DATA = Path(__file__).parents[2] / "shared/data/nrp"
CORES = 2
"""What processor seconds are divided by with --cpu, to be comparable with a quiet machine of two cores."""


@dataclass(frozen=True)
class Published:
    """Costs of one instance in the literature; None = not published.

    Best known: schedulingbenchmarks.org. Ejection chain and Gurobi, an hour each: Curtois and Qu, 2014. IP and VNS,
    ten minutes: Rahimian, Akartunali and Levine, EJOR 258(2), 2017.
    """

    best: int
    chain: int | None
    gurobi: int | None
    vns: int | None


PUBLISHED = {
    1: Published(607, 607, 607, 607),
    2: Published(828, 837, 828, 828),
    3: Published(1001, 1003, 1001, 1001),
    4: Published(1716, 1718, 1716, 1716),
    5: Published(1143, 1358, 1143, 1143),
    6: Published(1950, 2258, 1950, 1950),
    7: Published(1056, 1269, 1056, 1056),
    8: Published(1300, 2260, 1323, 1364),
    9: Published(439, 463, 439, 439),
    10: Published(4631, 4797, 4631, 4631),
    11: Published(3443, 3661, 3443, 3443),
    12: Published(4040, 5211, 4040, 4042),
    13: Published(1348, 3037, 3109, 3109),
    14: Published(1278, 1847, 1280, 1281),
    15: Published(3829, 5935, 4964, 4144),
    16: Published(3225, 4048, 3233, 3306),
    17: Published(5746, 7835, 5851, 5760),
    18: Published(4459, 6404, 4760, 5049),
    19: Published(3149, 5531, 5420, 3974),
    20: Published(4769, None, None, None),
}
HEADER = f"{'#':>3} {'d x n x s':>9} {'best':>5} {'chain':>5} {'Gurobi':>6} {'IP+VNS':>6} | {'cost':>6} {'ratio':>6} "
HEADER += f"{'bound':>6} {'gap':>6} {'status':<9} {'s':>6}  fault"


@dataclass(frozen=True)
class Row:
    """One instance solved."""

    name: str
    ward: Ward
    published: Published | None
    result: Result

    @property
    def cost(self) -> int | None:
        """By the checker."""
        return None if self.result.roster is None else roster_cost(self.ward, self.result.roster).total

    @property
    def ratio(self) -> float | None:
        return self.cost / self.published.best if self.cost is not None and self.published else None

    @property
    def fault(self) -> str:
        """What is wrong with it; empty = nothing."""
        if self.result.roster is None:
            return "no roster"
        if breaches := hard_violations(self.ward, self.result.roster):
            return f"{len(breaches)} breaches: {breaches[0].detail}"
        return "" if self.cost == self.result.cost else f"the solver says {self.result.cost}"

    def __str__(self) -> str:
        ward, known, result = self.ward, self.published, self.result
        size = f"{ward.days}x{len(ward.nurses)}x{len(ward.shifts)}"
        figures = (known.best, known.chain, known.gurobi, known.vns) if known else ("-",) * 4
        best, chain, gurobi, vns = ("-" if figure is None else figure for figure in figures)
        ratio = "-" if self.ratio is None else f"{self.ratio:.3f}"
        gap = "-" if result.gap is None else f"{result.gap:.1%}"
        return (
            f"{self.name:>3} {size:>9} {best:>5} {chain:>5} {gurobi:>6} {vns:>6} | {self.cost or '-':>6} {ratio:>6} "
            f"{result.bound:>6} {gap:>6} {result.status:<9} {result.seconds:>6.1f}  {self.fault}"
        )


def tiny_ward() -> Ward:
    """Five nurses, a week, two shifts: enough to see that everything works."""
    shifts = [Shift(id="E", start=time_of_day(7), minutes=480), Shift(id="L", start=time_of_day(14), minutes=480)]
    contract = Contract(max_minutes=5 * 480, max_run=4, min_days_off=2)
    ward = Ward(
        name="Tiny",
        start=date(2026, 11, 23),
        days=7,
        shifts=shifts,
        nurses=[Nurse(id=i, contract=contract) for i in "abcde"],
    )
    days = [ward.start + timedelta(days=d) for d in range(ward.days)]
    demand = [Demand(day=day, shift=shift.id, target=2) for day in days for shift in shifts]
    wishes = [Wish(nurse=n, day=days[d], wants=False, weight=2) for d, n in enumerate("abcde")]
    return ward.model_copy(update={"demand": demand, "wishes": wishes, "rules": Rules(complete_weekends=False)})


def processor_seconds() -> float:
    return time.process_time() / CORES


def wards(options: argparse.Namespace) -> list[tuple[str, Ward, Published | None]]:
    """The wards asked for, with what is known of them."""
    found: list[tuple[str, Ward, Published | None]] = [("t", tiny_ward(), None)] if options.smoke else []
    for number in [1] if options.smoke else options.numbers:
        path = options.data / "curtois" / f"Instance{number}.txt"
        if path.exists() or not options.smoke:
            found.append((str(number), read_ward(path), PUBLISHED.get(number)))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 when any row has a fault."""
    options = parser().parse_args(arguments)
    timer: Callable[[], float] = processor_seconds if options.cpu else time.monotonic
    seconds = options.seconds or (5.0 if options.smoke else 60.0)
    print(HEADER)
    rows = []
    for name, ward, known in wards(options):
        result = solver(options)(ward, penalties=NO_PENALTIES, seconds=seconds, seed=options.seed, timer=timer)
        rows.append(Row(name, ward, known, result))
        print(rows[-1], flush=True)
    ratios = [row.ratio for row in rows if row.ratio is not None]
    if ratios:
        print(f"mean ratio to best known: {sum(ratios) / len(ratios):.3f} over {len(ratios)}")
    return 1 if any(row.fault for row in rows) else 0


def solver(options: argparse.Namespace) -> Callable[..., Result]:
    ways: dict[str, Callable[..., Result]] = {
        "agent": solve,
        "columns": by_columns,
        "cpsat": partial(by_cp_sat, workers=options.workers),
    }
    return ways[options.solver]


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description="Solve Curtois and Qu's instances and compare the costs.")
    made.add_argument("numbers", nargs="*", type=int, default=list(range(1, 10)), help="instances (default: 1 to 9)")
    made.add_argument("--data", type=Path, default=DATA, help="folder that holds curtois/ (default: %(default)s)")
    made.add_argument("--seconds", type=float, default=None, help="per instance (default: 60, smoke 5)")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--workers", type=int, default=None, help="CP-SAT workers (default: by size)")
    made.add_argument(
        "--solver", choices=("agent", "columns", "cpsat"), default="agent", help="agent: columns, then CP-SAT if small"
    )
    made.add_argument("--cpu", action="store_true", help=f"count processor seconds / {CORES}, for a busy machine")
    made.add_argument("--smoke", action="store_true", help="an invented ward, and instance 1 where there is data")
    return made


if __name__ == "__main__":
    sys.exit(main())
