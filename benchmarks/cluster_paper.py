"""What the measured figures of a cluster mean for a day: made from the record of `benchmarks.cluster_load`, and no figure by hand.

docs/running/cluster.md holds `part` between two marks, made from docs/cluster-load.json; a test compares them.
"""

import math
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks.published import DOCS, PICTURES, Run, about, filled, markdown
from benchmarks.report import Report, Row, figure, table_cells

RECORD, PAGE, PICTURE = DOCS / "cluster-load.json", DOCS / "running" / "cluster.md", PICTURES / "cluster-load.png"
BEGINS = "<!-- made by `make bench-cluster ARGS=--publish` from one run -->"
ENDS = "<!-- end of what `make bench-cluster` made -->"
DRAWN = ("conversations", "half within", "95 % within", "workers", "others", "connections")
DAY = 10_000
"""Conversations."""
PEAK = 10
"""Times the mean of the day."""
FULL = 0.7
"""Of a core or of the slots, that is planned with."""
DAY_S = 24 * 60 * 60
APIS = 2
LOAD, WAITS = "processor", "waits"
SLOTS: Mapping[str, int] = {LOAD: 20, WAITS: 4}
"""Of a worker under each load; `cluster.py` has 20."""
IDLE = "idle, workers"


def publish(run: Run, picture: Path) -> None:
    run.write(RECORD)
    PAGE.write_text(in_page(PAGE.read_text(encoding="utf-8"), run), encoding="utf-8")
    shutil.copyfile(picture, PICTURE)


def in_page(text: str, run: Run) -> str:
    """The page with the run's part in place of what stands between its marks."""
    before, rest = text.split(BEGINS)
    return before + part(run) + rest.split(ENDS)[1]


def part(run: Run) -> str:
    [report] = run.reports
    tables = [
        "\n".join(markdown(table_cells(table, [row for row in report.rows if row.table == table]), "--:"))
        for table in dict.fromkeys(row.table for row in report.rows)
    ]
    heading = f"### How far it goes on paper: {DAY:,} conversations a day"
    return "\n\n".join(
        [BEGINS, *map(filled, about(run)), *map(filled, report.notes), *tables, f"![Load of a cluster](../pictures/{PICTURE.name})", heading,
         "\n".join(markdown([["what", "reckoned", "comes to"], *paper(report)])), ENDS]
    )  # fmt: skip


def shown(report: Report) -> Report:
    """What the picture has room for."""
    return replace(report, rows=[row for row in report.rows if row.measure in DRAWN])


def paper(report: Report) -> Iterator[list[str]]:
    """Of a day of conversations of which each books: what, how it is reckoned, what it comes to."""
    mean, peak = DAY / DAY_S, PEAK * DAY / DAY_S
    worker_ms, held_s = of(report, LOAD, "workers"), slot_held_s(report)
    workers = math.ceil(peak * worker_ms / 1000 / FULL)
    slots = math.ceil(peak * held_s / FULL)
    yield ["conversations a second", f"mean {mean:.2g}; peak {PEAK} × the mean", f"{peak:.2g}"]
    yield ["workers at the peak", f"{figure(worker_ms)} ms of one core each, {FULL:.0%} full", f"{workers}"]
    yield [
        "slots at the peak, if each waits as in `waits`", f"{figure(held_s)} s of a slot each, {FULL:.0%} full",
        f"{slots}: workers of {SLOTS[LOAD]} slots: {math.ceil(slots / SLOTS[LOAD])}",
    ]  # fmt: skip
    every_ms = sum(of(report, LOAD, name) for name in ("workers", "APIs", "PostgreSQL", "Redis"))
    yield ["cores at the peak, all processes", f"{figure(every_ms)} ms each", f"{peak * every_ms / 1000:.2g}"]
    processes, each = APIS + workers + 1, connections(report)
    yield [
        "connections of PostgreSQL",
        f"{figure(each)} of each of {APIS} APIs and {workers + 1} workers, one to spare",
        f"{processes * each:.0f}",
    ]
    for name in ("stream events", "commits"):
        each = of(report, LOAD, name)
        yield [f"{name} a day", f"{figure(each)} each", f"{DAY * each / 1e6:.2g} million, {figure(peak * each)} a second at the peak"]  # fmt: skip
    idle = commits_idle(report)
    yield ["commits of the idle cluster", f"{figure(idle)} a second", f"{DAY_S * idle / 1e6:.2g} million a day"]
    kinds = ("checkpoints", "store", "threads", "bookings")
    stored = sum(of(report, LOAD, kind) for kind in kinds)
    each_kind = ", ".join(f"{kind} {figure(of(report, LOAD, kind))}" for kind in kinds)
    yield ["stored a day", f"{figure(stored)} kB each ({each_kind})", f"{DAY * stored / 1e6:.2g} GB; a year {365 * DAY * stored / 1e9:.2g} TB"]  # fmt: skip
    log = of(report, LOAD, "write-ahead log")
    yield ["written to the log a day", f"{figure(log)} kB each", f"{DAY * log / 1e6:.2g} GB"]


def of(report: Report, load: str, measure: str) -> float:
    """The median over the numbers of workers."""
    return median(row.value for row in _rows(report, load, measure))


def slot_held_s(report: Report) -> float:
    """How long a conversation of `waits` takes one, by the fewest workers: none of their slots is ever free."""
    first = min(_rows(report, WAITS, "conversations"), key=lambda row: row.x or 0)
    return SLOTS[WAITS] * (first.x or 0) / first.value


def connections(report: Report) -> float:
    """Of one process."""
    return median(row.value / (APIS + (row.x or 0)) for row in _rows(report, LOAD, "connections"))


def commits_idle(report: Report) -> float:
    """The most, whatever the number of workers."""
    return max(row.value for row in report.rows if (row.table, row.name, row.measure) == (IDLE, LOAD, "commits"))


def _rows(report: Report, load: str, measure: str) -> list[Row]:
    return [row for row in report.rows if (row.name, row.measure) == (load, measure) and row.table != IDLE]
