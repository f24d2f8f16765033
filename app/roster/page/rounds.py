"""The rounds as a table, and each round's search as a drawing."""

from collections.abc import Mapping, Sequence
from math import floor, log10
from xml.etree.ElementTree import Element

from wavegraph.app.pages.drawings import svg
from wavegraph.app.pages.frame import scrolled
from wavegraph.app.pages.markup import element
from wavegraph.app.pages.numbers import NOTHING, seconds
from wavegraph.app.roster.page.words import amount, type_name
from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.problem.result import Point
from wavegraph.tools.roster.records import Round

HEIGHT_PX, TOP_PX, LABELS_PX = 150, 10, 22
SQUARE = 1000
"""Units of the inner drawing, which is stretched to its place."""
SOLVED = {
    "optimal": "proven cheapest",
    "feasible": "best in time",
    "infeasible": "no roster exists",
    "unknown": "none found in time",
    "stopped": "stopped early",
}


def rounds_table(rounds: Sequence[Round], presented: Round | None) -> Element:
    names = ("Round", "Checks", "Failed", "Breaches", "Base cost", "Proven bound", "Solver", "Time", "Raised")
    table = element(
        "table",
        element("caption", "Rounds"),
        element("thead", element("tr", *(element("th", name, scope="col") for name in names))),
        element("tbody", *(_row(names, round_, round_ is presented) for round_ in rounds)),
        class_="told rounds",
    )
    return scrolled(table, "Rounds")


def _row(names: Sequence[str], round_: Round, presented: bool) -> Element:
    verdict = {"passed": "good", "failed": "bad", "no roster": "bad"}[round_.status]
    cells: list[Element | str] = [
        f"{round_.iteration}{' (shown)' if presented else ''}",
        element("span", round_.status, class_=f"verdict {verdict}"),
        ", ".join(type_name(kind) for kind in round_.failed) or NOTHING,
        str(round_.breaches),
        NOTHING if round_.cost is None else amount(round_.cost),
        amount(round_.bound),
        SOLVED[round_.solver],
        seconds(round_.seconds),
        _raised(round_.penalty_multipliers),
    ]
    return labelled_row(names, cells, **({"class_": "shown"} if presented else {}))


def labelled_row(names: Sequence[str], cells: Sequence[Element | str], **attributes: str) -> Element:
    """A row that a narrow screen shows as a list of its columns' names and texts, those without a text left out."""
    pairs = zip(names, cells, strict=True)
    return element("tr", *(_labelled_cell(name, cell) for name, cell in pairs), **attributes)


def _labelled_cell(name: str, cell: Element | str) -> Element:
    return element("td", cell, data_column=name, **({"class_": "nothing"} if cell == NOTHING else {}))


def _raised(multipliers: Mapping[str, float]) -> str:
    raised = [f"{kind.replace('_', ' ')} × {decimal(factor)}" for kind, factor in multipliers.items() if factor != 1]
    return ", ".join(raised) or NOTHING


def convergence(rounds: Sequence[Round], traces: Mapping[int, Sequence[Point]]) -> Element:
    """A drawing for each round with a trace."""
    drawn = [_figure(round_, traces[round_.iteration]) for round_ in rounds if traces.get(round_.iteration)]
    return element("div", *drawn, class_="searches")


def convergence_key() -> Element:
    kinds = (("cost", "cost of the best roster so far"), ("bound", "proven: no roster costs less"))
    return element("p", *(element("span", element("i", class_=f"line {kind}", aria_hidden="true"), text)
                          for kind, text in kinds), class_="key")  # fmt: skip


def _figure(round_: Round, trace: Sequence[Point]) -> Element:
    points = _closed(round_, trace)
    last = points[-1]
    figures = (
        f"cost {amount(points[0].cost)} to {amount(last.cost)}, bound {amount(last.bound)}, {seconds(last.seconds)}"
    )
    head = element("figcaption", element("b", f"Round {round_.iteration}"), f" · {figures}")
    return element("figure", head, _drawing(f"Round {round_.iteration}: {figures}", points))


def _closed(round_: Round, trace: Sequence[Point]) -> list[Point]:
    """The trace, and the round's end, when what holds last still holds; a cost that is proven is its own bound."""
    last = trace[-1]
    bound = last.cost if round_.solver == "optimal" else last.bound
    return [*trace, Point(max(round_.seconds, last.seconds), last.cost, bound)]


def _drawing(label: str, points: Sequence[Point]) -> Element:
    costs = [value for point in points for value in (point.cost, point.bound)]
    low, high = _scale(costs)
    until = points[-1].seconds or 1.0
    inner = element(
        "svg",
        *(_line(kind, points, until, low, high) for kind in ("bound", "cost")),
        x=0, y=TOP_PX, width="100%", height=HEIGHT_PX - TOP_PX, viewBox=f"0 0 {SQUARE} {SQUARE}",
        preserveAspectRatio="none",
    )  # fmt: skip
    grid = [part for power in range(low, high + 1) for part in _grid_line(power, low, high)]
    times = [
        element("text", "0 s", x="0%", y=HEIGHT_PX + LABELS_PX - 6),
        element("text", seconds(until), x="100%", y=HEIGHT_PX + LABELS_PX - 6, text_anchor="end"),
    ]
    return svg(label, HEIGHT_PX + LABELS_PX, *grid, inner, *times, class_="search")


def _scale(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten that hold all values; what is below one is drawn as one."""
    powers = [floor(log10(max(1.0, value))) for value in values]
    return min(powers), max(powers) + 1


def _place(value: float, low: int, high: int) -> float:
    """0 at the top, 1 at the bottom."""
    return 1 - (log10(max(1.0, value)) - low) / (high - low)


def _line(kind: str, points: Sequence[Point], until: float, low: int, high: int) -> Element:
    """Level until the next roster is found."""
    values = [point.cost if kind == "cost" else point.bound for point in points]
    corners = [(point.seconds / until * SQUARE, _place(value, low, high) * SQUARE) for point, value in
              zip(points, values, strict=True)]  # fmt: skip
    steps = [f"M{corners[0][0]:.0f} {corners[0][1]:.0f}", *(f"H{x:.0f}V{y:.0f}" for x, y in corners[1:])]
    return element("path", class_=f"line {kind}", d="".join(steps), vector_effect="non-scaling-stroke")


def _grid_line(power: int, low: int, high: int) -> list[Element]:
    y = TOP_PX + (HEIGHT_PX - TOP_PX) * (1 - (power - low) / (high - low))
    return [
        element("line", class_="rule", x1="0%", x2="100%", y1=f"{y:.1f}", y2=f"{y:.1f}"),
        element("text", f"{10**power:,}", x=-8, y=f"{y + 4:.1f}", text_anchor="end"),
    ]
