"""The benchmark as one page: a panel for each ward with its numbers, and the whole table. No script, nothing from elsewhere."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from xml.etree.ElementTree import Element

from benchmarks.roster_panel import NAMES, end_of_time, key_mark, panel
from benchmarks.roster_runs import CORES, TITLES, Bench, BenchmarkRun, Conditions, Row
from benchmarks.roster_table import RUN_COLUMNS, WARD_COLUMNS, mean_ratio, run_columns, run_texts, ward_texts

from wavegraph.app.pages.frame import framed, scrolled, swatch, tile
from wavegraph.app.pages.markup import element
from wavegraph.app.pages.numbers import Headline

TITLE = "Roster benchmark"
STYLE = Path(__file__).with_name("roster_page.css")
UNPUBLISHED = 2
"""Columns of a ward before what is published of it."""
PANEL_COLUMNS = ("cost", "ratio", "bound", "gap", "s")


def page(bench: Bench, made: datetime) -> str:
    """The whole page as HTML; `made`: when (UTC)."""
    last_s = end_of_time(bench.rows)
    return framed(
        TITLE,
        [STYLE],
        element("header", element("h1", TITLE), element("p", _about(bench))),
        element("main", _tiles(bench), _key(bench), *(_card(row, bench, last_s) for row in bench.rows), _table(bench)),
        _footing(made),
    )


def _about(bench: Bench) -> str:
    many = f"{len(bench.rows)} wards" if len(bench.rows) > 1 else "1 ward"
    solvers = " and ".join(TITLES[run.solver] for run in bench.rows[0].runs)
    return f"{many}, solved by {solvers}: {limit(bench.conditions)} each, seed {bench.conditions.seed}"


def limit(conditions: Conditions) -> str:
    if conditions.work is not None:
        return f"{conditions.work:g} units of work"
    large = f", {conditions.large_seconds:g} s for the large ones," if conditions.large_seconds else ""
    return f"{conditions.seconds:g} s{large}" + (
        f" of processor time, CP-SAT alone on {CORES} cores" if conditions.cpu else ""
    )


def _tiles(bench: Bench) -> Element:
    first = [row.runs[0] for row in bench.rows]
    proven = sum(run.status == "optimal" for run in first)
    known = [row for row in bench.rows if row.published]
    reached = sum(row.ratio(row.runs[0]) == 1 for row in known)
    lines = [
        *(_mean(bench, n) for n in range(len(bench.rows[0].runs))),
        Headline("At best known", f"{reached} of {len(known)}", f"instances, by {TITLES[first[0].solver]}"),
        Headline("Proven optimal", f"{proven} of {len(first)}", f"wards, by {TITLES[first[0].solver]}"),
        Headline("Longest", f"{max(run.seconds for run in first):.1f} s", "of one ward"),
        Headline("Most memory", f"{max(run.memory_mib for run in first)} MiB", "of one process"),
    ]
    return element("section", *map(tile, lines), class_="tiles", aria_label="In short")


def _mean(bench: Bench, n: int) -> Headline:
    mean, title = mean_ratio(bench, n), f"Ratio, {TITLES[bench.rows[0].runs[n].solver]}"
    if mean is None:
        return Headline(title, "–", "no best known cost")
    return Headline(title, f"{mean[0]:.4f}", f"to best known, over {mean[1]}")


def _key(bench: Bench) -> Element:
    lines = [
        element(
            "span",
            element("i", class_=f"line {run.solver} {kind}", aria_hidden="true"),
            f"{TITLES[run.solver]}, {kind}",
        )
        for run in bench.rows[0].runs
        for kind in ("cost", "bound")
    ]
    lines += [
        element("span", element("i", class_="line best", aria_hidden="true"), "best known"),
        element("span", element("i", class_="dot", aria_hidden="true"), "proven optimal"),
        element("span", element("i", class_="dot open", aria_hidden="true"), "out of time"),
        *(element("span", key_mark(solver), f"{name}, published") for solver, name in NAMES.items()),
    ]
    return element(
        "section",
        element("p", *lines, class_="key"),
        element("p", "Down: per cent above (cost) and below (bound) the best known cost, which is named at its line; linear "
                     "within 0.1%, logarithmic beyond, and what exceeds 200% is drawn at the edge. Across: seconds since the "
                     "start, logarithmic.", class_="about"),
        class_="card wide",
    )  # fmt: skip


def _card(row: Row, bench: Bench, last_s: float) -> Element:
    title = f"Instance {row.name}" if row.published else row.name.capitalize()
    about = f"{row.days} days, {row.nurses} nurses, {row.shifts} shift type{'s' * (row.shifts > 1)}"
    return element(
        "section",
        element("h2", title),
        element("p", about, class_="about"),
        element("figure", panel(row, last_s)),
        _grid(title, ["solver", *PANEL_COLUMNS], [_ended(row, run, bench) for run in row.runs]),
        class_="card",
        id=f"ward-{row.name}",
    )


def _ended(row: Row, run: BenchmarkRun, bench: Bench) -> list[Element]:
    figures = dict(zip(RUN_COLUMNS, run_texts(row, run, bench.conditions), strict=True))
    return [_name(swatch(run.solver), TITLES[run.solver]), *_numbers([figures[column] for column in PANEL_COLUMNS])]


def _table(bench: Bench) -> Element:
    runs = [(TITLES[run.solver], run_columns(n)) for n, run in enumerate(bench.rows[0].runs)]
    head = [*WARD_COLUMNS, *(name for _, columns in runs for name in columns)]
    groups = [("", UNPUBLISHED), ("published", len(WARD_COLUMNS) - UNPUBLISHED), *((t, len(c)) for t, c in runs)]
    lines = [[_name(row.name), *_numbers(_figures(row, bench)[1:])] for row in bench.rows]
    return element(
        "section",
        element("h2", "All figures"),
        element("p", "The published costs are those of an hour.", class_="about"),
        scrolled(_grid("All figures", head, lines, groups), "All figures"),
        class_="card wide",
        id="figures",
    )


def _figures(row: Row, bench: Bench) -> list[str]:
    runs = [run_texts(row, run, bench.conditions)[: len(run_columns(n))] for n, run in enumerate(row.runs)]
    return [*ward_texts(row), *(text for texts in runs for text in texts)]


def _name(*inside: Element | str) -> Element:
    return element("td", *inside, class_="name")


def _numbers(texts: Sequence[str]) -> list[Element]:
    return [element("td", text, class_="number") for text in texts]


def _grid(
    caption: str, head: Sequence[str], rows: Sequence[Sequence[Element]], groups: Sequence[tuple[str, int]] = ()
) -> Element:
    """A table; all columns but the first hold numbers. `groups`: what stands above so many columns."""
    above = [element("th", name, scope="colgroup", class_="group", colspan=wide) for name, wide in groups]
    kinds = ["name", *["number"] * (len(head) - 1)]
    names = [element("th", name, scope="col", class_=kind) for name, kind in zip(head, kinds, strict=True)]
    return element(
        "table",
        element("caption", caption),
        element("thead", *([element("tr", *above)] if above else []), element("tr", *names)),
        element("tbody", *(element("tr", *cells) for cells in rows)),
    )


def _footing(made: datetime) -> Element:
    return element(
        "footer",
        element("p", f"Made {made:%Y-%m-%d %H:%M} UTC by benchmarks/roster.py. Instances and best known costs: "
                     "schedulingbenchmarks.org. Ejection chain and Gurobi: Curtois and Qu, 2014. IP and VNS: Rahimian, "
                     "Akartunali and Levine, 2017. Their machines were others than this one."),
    )  # fmt: skip
