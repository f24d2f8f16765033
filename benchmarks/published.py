"""One run of all measurements, as a record (`bench.json`) and as Markdown.

The README holds `readme_part` between two marks, `docs/bench-results.md` is `page`: both are made from `docs/bench.json`, so
that no figure is written by hand.
"""

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.measurements import MEASUREMENTS
from benchmarks.report import Goal, Report, as_report, table_cells

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
RECORD, PAGE, PICTURES = DOCS / "bench.json", DOCS / "bench-results.md", DOCS / "pictures"
README = ROOT / "README.md"
BEGINS = "<!-- made by `make bench ARGS=--publish` from one run -->"
ENDS = "<!-- end of what `make bench` made -->"


@dataclass(frozen=True)
class Run:
    """What one run of all measurements found."""

    made: str
    """The day, YYYY-MM-DD."""
    machine: str
    minutes: float
    """In all."""
    seed: int
    reports: Sequence[Report]
    without: Mapping[str, str]
    """Measurements that were left out or failed, and why."""

    @property
    def goals(self) -> list[Goal]:
        return [goal for report in self.reports for goal in report.goals]

    def write(self, file: Path) -> None:
        file.write_text(f"{_in_lines(asdict(self), 4)}\n", encoding="utf-8")


def _in_lines(value: Any, depth: int) -> str:
    """JSON with a line for each row: what lies deeper stays together."""
    if depth == 0 or not value or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[\n" + ",\n".join(_in_lines(each, depth - 1) for each in value) + "\n]"
    held = (f"{json.dumps(name)}: {_in_lines(each, depth - 1)}" for name, each in value.items())
    return "{\n" + ",\n".join(held) + "\n}"


def read_run(file: Path) -> Run:
    held = json.loads(file.read_text(encoding="utf-8"))
    return Run(**{**held, "reports": [as_report(report) for report in held["reports"]]})


def machine() -> str:
    """Processor and system, as far as the system tells."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    kind = names[0] if names else platform.processor() or platform.machine()
    return f"{len(names) or 'some'} × {kind}, {platform.system()}"


def readme_part(run: Run) -> str:
    """What the README shows of a run, with its marks."""
    shown = [each for each in MEASUREMENTS if each.in_readme and _report(run, each.name)]
    pictures = (f"![{each.title}](docs/pictures/{picture_name(each.name)})" for each in shown)
    return "\n\n".join([BEGINS, "\n".join(goals_table(run.goals)), *about(run), *pictures, ENDS])


def in_readme(text: str, run: Run) -> str:
    """The README with that part in place of what stands between its marks."""
    before, rest = text.split(BEGINS)
    return before + readme_part(run) + rest.split(ENDS)[1]


def page(run: Run) -> str:
    """`docs/bench-results.md`: every table and picture of a run."""
    parts = ["# What one run of `make bench` measured",
             "[benchmarks.md](benchmarks.md) says what each measures and what it does not. This page is made by the run.",
             *about(run), "## Goals", "\n".join(goals_table(run.goals))]  # fmt: skip
    for each in MEASUREMENTS:
        if report := _report(run, each.name):
            parts += [f"## {each.title}", *report.notes, *_tables(report)]
            parts += [f"![{each.title}](pictures/{picture_name(each.name)})"] if report.rows else []
    return "\n\n".join(parts) + "\n"


def picture_name(name: str) -> str:
    return f"bench-{name}.png"


def about(run: Run) -> Iterator[str]:
    """When, where and with what it was made; and what is not in it."""
    versions = ", ".join(f"{name} {value}" for name, value in (run.reports[0].versions if run.reports else {}).items())
    yield (f"One run of {run.made}, {run.minutes:.0f} minutes, seed {run.seed}: {run.machine}; {versions}.")
    if run.without:
        yield "Left out of it, or failed: " + "; ".join(f"{name} ({why})" for name, why in run.without.items()) + "."


def goals_table(goals: Sequence[Goal]) -> list[str]:
    """The reasons stand below, each once."""
    reasons = list(dict.fromkeys(goal.reason for goal in goals if goal.reason and not goal.met))

    def met(goal: Goal) -> str:
        return "yes" if goal.met else f"no ({reasons.index(goal.reason) + 1})" if goal.reason else "no"

    cells = [[goal.goal, goal.peer, goal.ours, met(goal)] for goal in goals]
    below = [f"{number}. {reason}" for number, reason in enumerate(reasons, 1)]
    return [*markdown([["goal", "peer", "ours", "met"], *cells]), *(["", *below] if below else [])]


def markdown(cells: Sequence[Sequence[str]], align: str = "---") -> list[str]:
    first, *rest = [[cell.replace("|", "\\|") for cell in line] for line in cells]
    rule = ["---", *([align] * (len(first) - 1))]
    return [f"| {' | '.join(line)} |" for line in (first, rule, *rest)]


def _tables(report: Report) -> Iterator[str]:
    for table in dict.fromkeys(row.table for row in report.rows):
        yield "\n".join(markdown(table_cells(table, [row for row in report.rows if row.table == table]), "--:"))


def _report(run: Run, name: str) -> Report | None:
    return next((each for each in run.reports if each.benchmark == name), None)
