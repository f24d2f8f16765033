"""The table of the roster benchmark: each figure as a text, and lines of them."""

from collections.abc import Iterable, Sequence

from benchmarks.roster_published import NONE
from benchmarks.roster_runs import CORES, LARGE, TITLES, Bench, BenchmarkRun, Conditions, Row, Solver

WARD_COLUMNS = {"#": 4, "d x n x s": 10, "best": 5, "chain": 5, "Gurobi": 6, "IP+VNS": 6}
"""Name and width. The published costs are those of an hour."""
RUN_COLUMNS = {"cost": 6, "ratio": 6, "bound": 6, "gap": 6, "status": 8, "s": 6, "cpu s": 7, "MiB": 5}
FEWER = 4
"""Columns of a run that the first is held against."""
NOTHING = "-"


def heading(solvers: Sequence[Solver]) -> str:
    groups = ["published, an hour", *(TITLES[solver] for solver in solvers)]
    columns = [WARD_COLUMNS, *(run_columns(n) for n in range(len(solvers)))]
    titles = [title.rjust(len(_line(names, names))) for title, names in zip(groups, columns, strict=True)]
    return " | ".join(titles) + "\n" + " | ".join(_line(names, names) for names in columns)


def run_columns(n: int) -> dict[str, int]:
    """Of the n-th run of a row."""
    return RUN_COLUMNS if n == 0 else dict(list(RUN_COLUMNS.items())[:FEWER])


def ward_line(row: Row) -> str:
    return _line(WARD_COLUMNS, ward_texts(row))


def run_line(row: Row, n: int, conditions: Conditions) -> str:
    """What follows on a row's line for its n-th run."""
    columns = run_columns(n)
    return " | " + _line(columns, run_texts(row, row.runs[n], conditions)[: len(columns)])


def faults(row: Row) -> str:
    return "".join(f"  {TITLES[run.solver]}: {run.fault}" for run in row.runs if run.fault)


def table(bench: Bench) -> str:
    """The whole, as it is printed while it is made."""
    lines = [heading([run.solver for run in bench.rows[0].runs])]
    for row in bench.rows:
        runs = "".join(run_line(row, n, bench.conditions) for n in range(len(row.runs)))
        lines.append(ward_line(row) + runs + faults(row))
    return "\n".join(lines)


def _line(columns: dict[str, int], texts: Sequence[str] | dict[str, int]) -> str:
    return " ".join(text.rjust(width) for text, width in zip(texts, columns.values(), strict=True))


def ward_texts(row: Row) -> list[str]:
    known = row.published
    costs = [known.best, *known.hour] if known else [None, *NONE]
    return [row.name, f"{row.days}x{row.nurses}x{row.shifts}", *(NOTHING if c is None else str(c) for c in costs)]


def run_texts(row: Row, run: BenchmarkRun, conditions: Conditions) -> list[str]:
    """By the columns of a run. What is measured is left out where work is counted, as it is never the same twice."""
    ratio = row.ratio(run)
    measured = [f"{run.seconds:.1f}", f"{run.processor_seconds:.1f}", str(run.memory_mib)]
    return [
        NOTHING if run.cost is None else plain(run.cost),
        NOTHING if ratio is None else f"{ratio:.3f}",
        plain(run.bound),
        NOTHING if run.gap is None else f"{run.gap:.1%}",
        "proven" if run.status == "optimal" else run.status,
        *(measured if conditions.work is None else [NOTHING] * len(measured)),
    ]


def plain(amount: float) -> str:
    return str(int(amount)) if amount == int(amount) else f"{amount:.2f}"


def clock(bench: Bench) -> str:
    """What ended the solves, and by which clock."""
    under = bench.conditions
    if under.work is not None:
        return f"each solve: {under.work:g} units of work at most, whatever the clock says"
    large = "" if under.large_seconds is None else f", {under.large_seconds:g} s for {', '.join(_by_number(LARGE))}"
    by = f"processor seconds, of CP-SAT alone / {CORES}" if under.cpu else "seconds on the wall"
    return f"each solve: {under.seconds:g} s at most{large}; s: {by}; cpu s: processor seconds of all threads"


def _by_number(names: Iterable[str]) -> list[str]:
    return sorted(names, key=int)


def means(bench: Bench) -> list[str]:
    """A line for each solver that has ratios."""
    found = [(TITLES[run.solver], mean_ratio(bench, n)) for n, run in enumerate(bench.rows[0].runs)]
    return [f"mean ratio to best known, {title}: {mean[0]:.4f} over {mean[1]}" for title, mean in found if mean]


def hurried(bench: Bench) -> list[str]:
    """A line where work was to be counted, but the clock ended a search before it."""
    under = bench.conditions
    late = [
        f"{row.name} by {TITLES[run.solver]}"
        for row in bench.rows
        for run in row.runs
        if run.seconds >= under.of(row.name).seconds
    ]
    if under.work is None or not late:
        return []
    return [f"ended by the clock at {under.seconds:g} s, so not the same twice: {', '.join(late)}"]


def mean_ratio(bench: Bench, n: int) -> tuple[float, int] | None:
    """Of the n-th runs, over how many; None = of none."""
    ratios = [ratio for row in bench.rows if (ratio := row.ratio(row.runs[n])) is not None]
    return (sum(ratios) / len(ratios), len(ratios)) if ratios else None
