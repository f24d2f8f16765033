"""The tables of INRC-II: one with all weeks known, one week by week."""

from collections.abc import Iterable, Sequence

from benchmarks.roster_inrc2_published import BEST, BOUND, NOTHING, competition
from benchmarks.roster_inrc2_runs import Mode, Row
from benchmarks.roster_inrc2_sets import instance
from benchmarks.roster_table import plain

COLUMNS: dict[Mode, list[str]] = {
    "static": ["instance", "nurses", "cost", "bound", "gap", "best", "its bound", "to best", "status", "cpu s", "MiB"],
    "dynamic": ["instance", "nurses", "cost", "bound", "gap", "competition", "all known", "s a week", "cpu s", "MiB"],
}
TITLES: dict[Mode, str] = {
    "static": "All weeks known: {limit} processor seconds at most",
    "dynamic": "Week by week: processor seconds at most as the competition gives them; the bound is of all weeks known",
}


def tables(rows: Sequence[Row]) -> str:
    """A Markdown table of each mode that there are rows of."""
    modes: list[Mode] = ["static", "dynamic"]
    return "\n\n".join(table(mode, rows) for mode in modes if any(row.mode == mode for row in rows))


def table(mode: Mode, rows: Sequence[Row]) -> str:
    own = [row for row in rows if row.mode == mode]
    limits = " or ".join(f"{each:g}" for each in sorted({row.limit for row in own}))
    titles, bounds = COLUMNS[mode], static_bounds(rows)
    lines = [line(titles), line(["---", *["--:"] * (len(titles) - 1)])]
    return "\n".join([TITLES[mode].format(limit=limits) + ".", "", *lines, *(row_line(row, bounds) for row in own)])


def static_bounds(rows: Iterable[Row]) -> dict[str, float]:
    """By instance: the best that is proven here or published."""
    bounds: dict[str, float] = {name: float(bound) for name, bound in BOUND.items()}
    for row in rows:
        if row.bound is not None:
            bounds[row.instance] = max(row.bound, bounds.get(row.instance, 0.0))
    return bounds


def row_line(row: Row, bounds: dict[str, float]) -> str:
    texts = static_texts(row) if row.mode == "static" else dynamic_texts(row, bounds.get(row.instance))
    return line(texts) + (f" {row.fault}" if row.fault else "")


def static_texts(row: Row) -> list[str]:
    best = BEST.get(row.instance)
    ratio = f"{row.cost / best - 1:+.1%}" if best and row.cost is not None else NOTHING
    return [row.instance, str(row.nurses), number(row.cost), number(row.bound), share(row.gap), number(best),
            number(BOUND.get(row.instance)), ratio, row.status, f"{row.processor_seconds:.0f}", str(row.memory_mib)]  # fmt: skip


def dynamic_texts(row: Row, bound: float | None) -> list[str]:
    gap = None if row.cost is None or bound is None else (row.cost - bound) / row.cost
    return [row.instance, str(row.nurses), row.status if row.cost is None else number(row.cost), number(bound), share(gap),
            competition(instance(row.instance)), number(BEST.get(row.instance)), f"{row.limit:g}",
            f"{row.processor_seconds:.0f}", str(row.memory_mib)]  # fmt: skip


def number(amount: float | None) -> str:
    return NOTHING if amount is None else plain(amount)


def share(amount: float | None) -> str:
    return NOTHING if amount is None else f"{amount:.1%}"


def line(texts: Sequence[str]) -> str:
    return "| " + " | ".join(texts) + " |"
