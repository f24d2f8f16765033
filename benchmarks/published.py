"""One run of all measurements, as a record (`bench.json`) and as Markdown.

The README holds `readme_part` between two marks; `pages` are those of the documentation. All are made from `docs/bench.json`,
so that no figure is written by hand.
"""

import json
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from benchmarks.measurements import MEASUREMENTS, Measurement
from benchmarks.report import Goal, Report, Row, as_report, figure, table_cells

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
RECORD, PICTURES = DOCS / "bench.json", DOCS / "pictures"
RESULTS, COSTS = DOCS / "running" / "bench-results.md", DOCS / "running" / "bench-costs.md"
README = ROOT / "README.md"
WIDTH = 116
"""Columns of a line of prose."""
RIGHT = ("tau", "nestful", "storm", "bfcl")
"""Measurements of what becomes of tasks; the others are of what it costs."""


class Shown(NamedTuple):
    """How the README tells a goal to somebody who knows none of the benchmarks."""

    measured: str
    better: str
    beside: str = ""
    """Whose figure stands beside ours, where the goal does not say it."""


IN_README = {
    "tau-bench, tokens sent: fewest of all": Shown("tau-bench, 165 tasks: tokens sent to the model", "fewer"),
    "NESTFUL, all 1799 broken plans refused before a call ran": Shown(
        "NESTFUL, 1,799 faulty plans: refused before a call ran", "more"
    ),
    "fault storm, p = 0.3: no false answer, no write twice": Shown(
        "3 of 10 calls fail: tasks with a false answer or a double write", "fewer"
    ),
    "fault storm, p = 0.3: as many tasks done as the best peer": Shown(
        "3 of 10 calls fail: tasks done, of 165", "more"
    ),
    "BFCL, each call said twice: no write done twice": Shown(
        "BFCL, 200 dialogues, every call said twice: writes done twice", "fewer"
    ),
    "a request, SQLite: at most `create_agent`": Shown("processor time of 1 / 4 / 16 calls", "less", "create_agent"),
}
"""Goals, met or missed, that the README shows."""
README_HEAD = ["measured", "better is", "best of the others", "Wavegraph"]
HEAD = ["goal", "peer", "ours", "met"]
RESULTS_HEAD = """For whoever compares agents: the project's goals, met and missed, and its results on public tasks
beside other agents."""
COSTS_HEAD = """For whoever plans a machine: time, memory and storage of a request, beside bare LangGraph and other
agents."""
MADE = """The models are scripted, so the figures are of the work around a model. [Benchmarks](benchmarks.md) says how each
is measured and what it does not show. This page is made by the run; the other one has {other}."""
COSTS_LINK = "[the costs](bench-costs.md)"
RESULTS_LINK = "[goals and results](bench-results.md)"
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
    shown = [(IN_README[goal.goal], goal) for goal in run.goals if goal.goal in IN_README]
    cells = [[told.measured, told.better, _beside(told, goal), _grouped(goal.ours)] for told, goal in shown]
    met = sum(goal.met for goal in run.goals)
    counted = f"Of the {len(run.goals)} goals that `make bench` measures, {met} are met."
    return "\n\n".join([BEGINS, "\n".join(markdown([README_HEAD, *cells])), counted, ENDS])


def _beside(told: Shown, goal: Goal) -> str:
    """Its figure, and the agent's name without the way it was set up."""
    return _grouped(f"{goal.peer} ({told.beside})" if told.beside else re.sub(r",.*\)", ")", goal.peer))


def _grouped(cell: str) -> str:
    """With commas in large numbers; what follows a ratio stands in the row's name."""
    ratio = cell.partition(" × (")[0]
    return f"{ratio} × that" if ratio != cell else re.sub(r"\d{4,}", lambda found: f"{int(found[0]):,}", cell)


def in_readme(text: str, run: Run) -> str:
    """The README with that part in place of what stands between its marks."""
    before, rest = text.split(BEGINS)
    return before + readme_part(run) + rest.split(ENDS)[1]


def pages(run: Run) -> Mapping[Path, str]:
    """Every table and picture of a run, by the page that shows it."""
    goals = ["## Goals", "\n".join(goals_table(run.goals))]
    right = [each for each in MEASUREMENTS if each.name in RIGHT]
    costs = [each for each in MEASUREMENTS if each.name not in RIGHT]
    return {
        RESULTS: _page("How good it is: one run of `make bench`", [RESULTS_HEAD, MADE.format(other=COSTS_LINK)], run, goals, right),
        COSTS: _page("What a request costs: one run of `make bench`", [COSTS_HEAD, MADE.format(other=RESULTS_LINK)], run, [], costs),
    }  # fmt: skip


def _page(title: str, head: Sequence[str], run: Run, before: Sequence[str], shown: Sequence[Measurement]) -> str:
    parts = [f"# {title}", *(filled(" ".join(each.split())) for each in head), *map(filled, about(run)), *before]
    for each in shown:
        if report := _report(run, each.name):
            parts += [
                f"## {each.title}",
                *map(filled, [*([each.reading] if each.reading else []), *report.notes]),
                *_tables(report),
            ]
            parts += [f"![{each.title}](../pictures/{picture_name(each.name)})"] if report.rows else []
    return "\n\n".join(parts) + "\n"


def filled(prose: str) -> str:
    return fill(prose, WIDTH, break_long_words=False, break_on_hyphens=False)


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
    return [*markdown([HEAD, *cells]), *(["", *map(filled, below)] if below else [])]


def markdown(cells: Sequence[Sequence[str]], align: str = "---") -> list[str]:
    first, *rest = [[cell.replace("|", "\\|") for cell in line] for line in cells]
    rule = ["---", *([align] * (len(first) - 1))]
    return [f"| {' | '.join(line)} |" for line in (first, rule, *rest)]


def _tables(report: Report) -> Iterator[str]:
    for table in dict.fromkeys(row.table for row in report.rows):
        rows = [row for row in report.rows if row.table == table]
        yield "\n".join(markdown(curve_cells(table, rows) or table_cells(table, rows), "--:"))


def curve_cells(title: str, rows: Sequence[Row]) -> list[list[str]] | None:
    """A line for each `x`, a column for each contestant: of the measure, then of the one beside it; None = these are no
    curves, or have more measures."""
    measures = list(dict.fromkeys(row.heading for row in rows))
    if len(measures) > 2 or any(row.x is None for row in rows):
        return None
    lines: dict[str, dict[str, str]] = {}
    for row in rows:
        column = row.name if row.heading == measures[0] else f"{row.heading}: {row.name}"
        lines.setdefault(f"{row.x:g}", {})[column] = figure(row.value)
    heads = dict.fromkeys(sorted((head for line in lines.values() for head in line), key=lambda head: ": " in head))
    return [
        [f"{title}: {measures[0]}", *heads],
        *([x, *(line.get(head, "-") for head in heads)] for x, line in lines.items()),
    ]


def _report(run: Run, name: str) -> Report | None:
    return next((each for each in run.reports if each.benchmark == name), None)
