"""The form in which every benchmark reports: measured rows, goals, seed and versions; as JSON and as printed tables.

A row is one measure of one contestant in one table, at `x` where the measure is a curve. A goal says what is to be reached,
what the best peer has, what we have, and whether that meets it, also where the peer wins.
"""

import argparse
import json
import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = (
    "langgraph", "langchain-core", "langchain", "langchain-openai", "langgraph-checkpoint-sqlite",
    "langgraph-checkpoint-postgres", "pydantic", "wavegraph",
)  # fmt: skip
DATA = Path(os.environ.get("BENCH_DATA") or "build/bench-data")
"""Where the public material lies, if `--data` does not say: see docs/running/benchmarks.md."""
ORACLE = "An oracle answers with the gold plan: this measures the plumbing around a model, not anybody's intelligence."


@dataclass(frozen=True)
class Row:
    """One measure of one contestant."""

    table: str
    name: str
    """The contestant."""
    measure: str
    value: float
    unit: str = ""
    """Empty = a count."""
    x: float | None = None
    """Where on the curve; None = the measure is no curve."""

    @property
    def heading(self) -> str:
        """The measure with its unit."""
        return f"{self.measure}, {self.unit}" if self.unit else self.measure


@dataclass(frozen=True)
class Goal:
    """What is to be reached, and whether it is; the figures as they are printed."""

    goal: str
    peer: str
    ours: str
    met: bool
    reason: str = ""
    """Why it is missed, where it is; without figures, which change from run to run."""


@dataclass(frozen=True)
class Report:
    """What one benchmark found."""

    benchmark: str
    seed: int
    rows: Sequence[Row]
    goals: Sequence[Goal] = ()
    notes: Sequence[str] = ()
    """What is measured and what is not, in whole sentences."""
    versions: Mapping[str, str] = field(default_factory=lambda: versions())

    def write(self, file: Path) -> None:
        file.write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    def lines(self) -> Iterator[str]:
        """The report as it is printed."""
        yield f"{self.benchmark}, seed {self.seed}"
        yield ", ".join(f"{name} {value}" for name, value in self.versions.items())
        yield from self.notes
        for table in dict.fromkeys(row.table for row in self.rows):
            yield ""
            yield from table_lines(table, [row for row in self.rows if row.table == table])
        if self.goals:
            yield ""
            yield from goal_lines(self.goals)


def read(file: Path) -> Report:
    """A report that was written; `versions` are those of that run."""
    return as_report(json.loads(file.read_text(encoding="utf-8")))


def as_report(held: Mapping[str, Any]) -> Report:
    rows = [Row(**row) for row in held["rows"]]
    return Report(**{**held, "rows": rows, "goals": [Goal(**goal) for goal in held["goals"]]})


def versions() -> dict[str, str]:
    about = {"python": platform.python_version(), "machine": f"{platform.machine()} x {os.cpu_count()}"}
    return about | {name: _installed(name) for name in PACKAGES}


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def table_lines(title: str, rows: Sequence[Row]) -> list[str]:
    return columns(table_cells(title, rows))


def table_cells(title: str, rows: Sequence[Row]) -> list[list[str]]:
    """A line for each contestant, and for each `x` of it; a column for each measure."""
    measures = dict.fromkeys(row.heading for row in rows)
    cells: dict[str, dict[str, str]] = {}
    for row in rows:
        place = row.name if row.x is None else f"{row.name}, {row.x:g}"
        cells.setdefault(place, {})[row.heading] = figure(row.value)
    return [[title, *measures], *([name, *(held.get(each, "-") for each in measures)] for name, held in cells.items())]


def goal_lines(goals: Iterable[Goal]) -> list[str]:
    return columns([["goal", "peer", "ours", "met"],
                    *([each.goal, each.peer, each.ours, "yes" if each.met else "no"] for each in goals)])  # fmt: skip


def figure(value: float) -> str:
    """Counts whole, the rest to three digits."""
    if value == int(value):
        return f"{int(value)}"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def columns(lines: Sequence[Sequence[str]]) -> list[str]:
    """The first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join([f"{line[0]:<{widths[0]}}", *(f"{cell:>{width}}" for cell, width in zip(line[1:], widths[1:], strict=True))])
            for line in lines]  # fmt: skip


def parser_of(name: str, about: str | None) -> argparse.ArgumentParser:
    """Of `python -m benchmarks.NAME`; `about`: the text at the top of its module."""
    return argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=(about or "").partition("\n")[0])


def forget_settings() -> None:
    """No model but the scripted one is asked, nothing is traced, and nothing but LangGraph's defaults holds."""
    for name in [each for each in os.environ if each.startswith(("OPENAI_", "WAVEGRAPH_", "LANGSMITH_", "LANGCHAIN_"))]:
        del os.environ[name]


def add_options(parser: argparse.ArgumentParser, *, seed: int = 1) -> None:
    """`--json` and `--seed`, which every benchmark has."""
    parser.add_argument("--seed", type=int, default=seed, help="of everything that is drawn (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report there too")


def told(report: Report, given: Any) -> int:
    """Print the report, and write it where `--json` says. The exit status: a goal missed is a finding, not a failure."""
    print(*report.lines(), sep="\n")
    if given.json:
        report.write(given.json)
    return 0
