"""A report as one page: no scripts, no external resources, each chart next to its numbers."""

from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files
from xml.etree.ElementTree import Element

from wavegraph.app.pages.drawings import axis, bar, columns, span_of
from wavegraph.app.pages.frame import framed, scrolled, swatch, tile
from wavegraph.app.pages.markup import element
from wavegraph.app.pages.numbers import Range, Segment, counted, number, percent, words
from wavegraph.app.report.figures import Report
from wavegraph.app.report.tables import Column, FigureTable, headlines, period_name, span, tables

WIDE = frozenset(
    {"over_time", "rules", "failures", "tools", "nodes", "planners", "models", "reasons", "second_attempts", "issues"}
)
"""Tables at full page width."""
MANY = 6
"""Columns, names counted twice, that do not fit a phone next to a drawing."""
LONG_NAME = 28
"""Characters; a longer name may break anywhere."""


def page(report: Report, made: datetime) -> str:
    """The whole page as HTML; `made`: when (UTC)."""
    title = f"Wavegraph report, {span(report)}" if report.requests else "Wavegraph report"
    in_short = element("section", *map(tile, headlines(report)), class_="tiles", aria_label="In short")
    tiles = [in_short] if report.requests else []
    return framed(
        title,
        [files(__package__) / "report.css"],
        _heading(report),
        element("main", *tiles, *(_section(table, report) for table in tables(report))),
        _footing(made),
    )


def _heading(report: Report) -> Element:
    about = f"What the stored requests teach: {span(report)}" if report.requests else "No request is recorded"
    if not report.requests and report.since:
        about = f"No request is recorded since {report.since}"
    return element("header", element("h1", "Wavegraph report"), element("p", about))


def _footing(made: datetime) -> Element:
    return element(
        "footer",
        element("p", f"Made {made:%Y-%m-%d %H:%M} UTC by wavegraph report. Days are in UTC. Percentiles are by nearest "
                     "rank: the smallest value that at least that share of the values does not exceed."),
    )  # fmt: skip


def _section(table: FigureTable, report: Report) -> Element:
    drawn = {"outcomes": _all_outcomes, "over_time": _over_time}.get(table.key)
    numbers = scrolled(_table(table), table.title)
    if table.key == "over_time":
        numbers = element("details", element("summary", "Numbers"), numbers)
    parts = [element("h2", table.title), element("p", table.about, class_="about")]
    parts += [drawn(report)] if drawn else []
    parts += [_key_of_ranges()] if table.ticks else []
    return element("section", *parts, numbers, id=table.key, class_="card wide" if table.key in WIDE else "card")


def _all_outcomes(report: Report) -> Element:
    segments = [Segment(o.share or 0, o.name, f"{words(o.name)}: {percent(o.share)}") for o in report.outcomes]
    return element("figure", bar(segments, height=26))


def _over_time(report: Report) -> Element:
    unit = report.over_time.unit
    periods = report.over_time.periods
    names = [_short(period_name(period, unit)) for period in periods]
    stacks = [
        [
            Segment(n, name, f"{period_name(period, unit)}: {number(n)} {words(name)}")
            for name, n in period.outcomes.items()
        ]
        for period in periods
    ]
    label = f"Requests per {unit}, {counted(len(periods), unit)} from {period_name(periods[0], unit)}"
    key = (element("span", swatch(part.name), words(part.name)) for part in report.outcomes)
    return element("figure", columns(label, names, stacks), element("figcaption", *key, class_="key"))


def _short(day: str) -> str:
    """21 Nov for 2026-11-21; months stay as they are."""
    return f"{datetime.fromisoformat(day):%-d %b}" if len(day) > len("2026-11") else day


def _key_of_ranges() -> Element:
    return element(
        "p",
        element("span", element("i", class_="dot", aria_hidden="true"), "median"),
        element("span", element("i", class_="thick", aria_hidden="true"), "to the 95th percentile"),
        element("span", element("i", class_="thin", aria_hidden="true"), "to the longest"),
        class_="key",
    )


def _table(table: FigureTable) -> Element:
    head = [element("th", column.name, scope="col", class_=column.kind) for column in table.columns]
    if table.bars:
        head.insert(1, element("th", axis(table.ticks) if table.ticks else "", class_="drawing"))
    return element(
        "table",
        element("caption", table.title),
        element("thead", element("tr", *head)),
        element("tbody", *(_row(table, n) for n in range(len(table.rows)))),
        class_=_layout(table),
    )


def _layout(table: FigureTable) -> str:
    """Layout on a narrow screen: `told` as a list of texts, `many` as a block per row, `figures` unchanged."""
    if any(column.kind == "words" for column in table.columns):
        return "told"
    wide = sum(2 if column.kind == "name" else 1 for column in table.columns)
    return "many" if wide >= MANY else "figures"


def _row(table: FigureTable, n: int) -> Element:
    cells = [_cell(column, text) for column, text in zip(table.columns, table.rows[n], strict=True)]
    if table.key == "outcomes" and (segments := table.bars[n]) and not isinstance(segments, Range):
        cells[0].insert(0, swatch(segments[0].kind))
        cells[0][0].tail, cells[0].text = cells[0].text, None
    if table.bars:
        cells.insert(1, element("td", *_drawing(table.bars[n]), class_="drawing"))
    return element("tr", *cells)


def _drawing(drawn: Sequence[Segment] | Range) -> list[Element]:
    if isinstance(drawn, Range):
        return [span_of(drawn)]
    return [bar(drawn)] if drawn else []


def _cell(column: Column, text: str) -> Element:
    """Text by people keeps its own direction, whatever the page's."""
    if column.kind == "words":
        return element("td", element("bdi", text, dir="auto"), class_="words", data_column=column.name)
    kind = "name long" if column.kind == "name" and len(text) > LONG_NAME else column.kind
    return element("td", text, class_=kind, data_column=column.name)
