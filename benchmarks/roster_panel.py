"""One panel of the benchmark's page: the cost and the bound of each solver over time, around the best known cost.

Down: how far above or below the best known cost, in per cent, on a scale that is linear up to `LINEAR` and logarithmic
beyond, so that 0.1 % and 100 % can both be read. Across: seconds since the start, logarithmic.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import copysign, log10
from xml.etree.ElementTree import Element

from benchmarks.roster_published import HOUR_S, SOLVERS, TEN_MINUTES_S
from benchmarks.roster_runs import TITLES, BenchmarkRun, Row
from benchmarks.roster_table import plain

from wavegraph.app.pages.drawings import svg
from wavegraph.app.pages.markup import element

HEIGHT, WIDTH = 196, 1000
"""Of the lines' own drawing; its width is stretched to the panel's."""
LABELS_PX = 24
LINEAR = 0.1
TOP, BOTTOM = 200.0, -100.0
"""Per cent; what lies beyond is drawn at the edge."""
LEVELS = {100: "+100%", 10: "+10%", 1: "+1%", -1: "−1%", -10: "−10%", -100: "−100%"}
FIRST_S = 0.1
MOMENTS = {0.1: "0.1 s", 1: "1 s", 10: "10 s", 60: "1 min", TEN_MINUTES_S: "10 min", HOUR_S: "1 h", 36000: "10 h"}
MARKS = {"chain": "M0-4.5L4.5 0L0 4.5L-4.5 0Z", "gurobi": "M-3-3H3V3H-3Z", "vns": "M0-4L4 3H-4Z"}
NAMES = dict(zip(SOLVERS, ("ejection chain", "Gurobi", "IP and VNS"), strict=True))
ASIDE_PX = {"chain": -10, "gurobi": 0, "vns": 9}
"""So that marks of one moment and cost lie side by side."""


@dataclass(frozen=True)
class Scale:
    """Where a cost and a moment are drawn."""

    best: float
    last_s: float

    def down(self, cost: float) -> float:
        percent = 100 * (cost - self.best) / max(abs(self.best), 1)
        return HEIGHT * (_spread(TOP) - _spread(percent)) / (_spread(TOP) - _spread(BOTTOM))

    def across(self, seconds: float) -> float:
        """0 to 1."""
        return log10(max(seconds, FIRST_S) / FIRST_S) / log10(self.last_s / FIRST_S)

    def level(self, percent: float) -> float:
        return self.down(self.best + percent / 100 * max(abs(self.best), 1))


def _spread(percent: float) -> float:
    within = min(max(percent, BOTTOM), TOP)
    return copysign(log10(1 + abs(within) / LINEAR), within)


def panel(row: Row, last_s: float) -> Element:
    """`last_s`: where the time ends, the same for all panels; at most the last of `MOMENTS`."""
    scale = Scale(reference(row), last_s)
    ends = "; ".join(_end(run) for run in row.runs)
    return svg(
        f"Cost and bound over time: {ends}",
        HEIGHT + LABELS_PX,
        *_grid(scale),
        *(_lines(run, scale) for run in reversed(row.runs)),
        *_published(row, scale),
        *(dot for run in reversed(row.runs) for dot in _dots(run, scale)),
        class_="panel",
    )


def reference(row: Row) -> float:
    """The cost that the panel is drawn around: the best known; without one the best of this row, or its bound."""
    found = [run.cost for run in row.runs if run.cost is not None]
    return row.published.best if row.published else min(found) if found else max(run.bound for run in row.runs)


def end_of_time(rows: Iterable[Row]) -> float:
    """The first named moment at which everything has ended, an hour at least."""
    longest = max([HOUR_S, *(run.seconds for row in rows for run in row.runs)])
    return next((moment for moment in MOMENTS if moment >= longest), longest)


def _end(run: BenchmarkRun) -> str:
    cost = "no roster" if run.cost is None else f"cost {plain(run.cost)}"
    return f"{TITLES[run.solver]} {cost}, bound {plain(run.bound)}, {run.status} after {run.seconds:.1f} s"


def _grid(scale: Scale) -> list[Element]:
    lines = []
    for percent, name in LEVELS.items():
        y = scale.level(percent)
        lines += [_across(y, "grid"), _level_name(name, y)]
    lines += [_across(scale.level(0), "best"), _level_name(plain(scale.best), scale.level(0), "known")]
    for seconds, name in MOMENTS.items():
        if seconds <= scale.last_s:
            lines += _moment(_percent(scale.across(seconds)), name)
    return lines


def _across(y: float, kind: str) -> Element:
    return element("line", class_=kind, x1="0%", x2="100%", y1=f"{y:.1f}", y2=f"{y:.1f}")


def _level_name(name: str, y: float, kind: str = "level") -> Element:
    return element("text", name, class_=kind, x=-8, y=f"{y + 4:.1f}", text_anchor="end")


def _moment(x: str, name: str) -> list[Element]:
    return [
        element("line", class_="grid", x1=x, x2=x, y1=0, y2=HEIGHT),
        element("text", name, x=x, y=HEIGHT + LABELS_PX - 5, text_anchor="middle"),
    ]


def _lines(run: BenchmarkRun, scale: Scale) -> Element:
    """Both of a run's lines, in a drawing that is stretched while their width stays."""
    costs = [(point.seconds, point.cost) for point in run.points]
    bounds = [(point.seconds, point.bound) for point in run.points]
    drawn = [_path(costs, "cost", run, scale), _path(bounds, "bound", run, scale)] if run.points else []
    return element("svg", *drawn, width="100%", height=HEIGHT, viewBox=f"0 0 {WIDTH} {HEIGHT}",
                   preserveAspectRatio="none")  # fmt: skip


def _path(points: list[tuple[float, float]], kind: str, run: BenchmarkRun, scale: Scale) -> Element:
    places = [(scale.across(seconds) * WIDTH, scale.down(amount)) for seconds, amount in points]
    steps = "".join(f"H{x:.1f}V{y:.1f}" for x, y in places[1:])
    first = f"M{places[0][0]:.1f} {places[0][1]:.1f}"
    return element("path", class_=f"{kind} {run.solver}", d=first + steps, vector_effect="non-scaling-stroke")


def _dots(run: BenchmarkRun, scale: Scale) -> list[Element]:
    """Where a run's cost ended: filled when proven."""
    if run.cost is None:
        return []
    kind = "proven" if run.status == "optimal" else "open"
    return [element("circle", element("title", _end(run)), class_=f"{kind} {run.solver}", r=4,
                    cx=_percent(scale.across(run.seconds)), cy=f"{scale.down(run.cost):.1f}")]  # fmt: skip


def _published(row: Row, scale: Scale) -> list[Element]:
    if row.published is None:
        return []
    after = ((TEN_MINUTES_S, row.published.ten_minutes), (HOUR_S, row.published.hour))
    return [
        _mark(solver, seconds, cost, scale)
        for seconds, costs in after
        for solver, cost in costs._asdict().items()
        if cost is not None
    ]


def _mark(solver: str, seconds: float, cost: int, scale: Scale) -> Element:
    label = f"{NAMES[solver]}, {MOMENTS[seconds]}: {cost}"
    shape = element("path", d=MARKS[solver], transform=f"translate({ASIDE_PX[solver]} 0)")
    return element("svg", element("title", label), shape, class_="mark", x=_percent(scale.across(seconds)),
                   y=f"{scale.down(cost):.1f}")  # fmt: skip


def key_mark(solver: str) -> Element:
    """A mark for the key."""
    return element("svg", element("path", d=MARKS[solver]), class_="mark", width=12, height=12, viewBox="-6 -6 12 12",
                   aria_hidden="true")  # fmt: skip


def _percent(place: float) -> str:
    return f"{100 * place:.2f}%"
