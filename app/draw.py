"""Draws an agent's graph to a file, with matplotlib alone: no browser, no outside service.

The nodes stand in flow order, one layer under the other. An edge to the next layer goes straight down;
one that skips layers swings out to the right, one that goes back swings out to the left, each in a lane
of its own where their spans overlap. Conditional edges are dashed and carry their label.
"""

import textwrap
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.runnables.graph import Edge, Graph

from wavegraph.graph.errors import DrawError

FORMATS = (".png", ".svg", ".mmd")
ENDS = {"__start__": "START", "__end__": "END"}
LABEL_WIDTH = 22
"""Characters in a line of a label."""

# Lengths are in inches, so that text of a fixed size in points keeps its proportion to them.
BOX_HEIGHT, END_HEIGHT = 0.5, 0.38
LAYER_GAP = 0.55
COLUMN_GAP = 0.6
LANE_GAP = 0.3
"""Between the labels of two lanes."""
CORNER = 0.24
MARGIN = 0.3
LINE_HEIGHT = 0.16
NAME_CHARACTER, LABEL_CHARACTER = 0.088, 0.062
"""Mean width of a character of a node's name (10.5 points) and of a label (8 points)."""
PORT_GAP = 0.15
"""Between two edges that meet a box on the same side."""

INK, PAPER = "#2b2d42", "#ffffff"
BOX, BOX_LINE = "#eef2fb", "#5b6ee1"
FORWARD, BACK, LABEL = "#4a5173", "#c2603b", "#3c4055"


def save(graph: Graph, path: Path) -> None:
    """Write the drawing as its suffix says. Raises DrawError for an unknown suffix, or without matplotlib."""
    if path.suffix.lower() not in FORMATS:
        raise DrawError(f"cannot draw to {str(path)!r}: the name must end in {', '.join(FORMATS)}")
    try:
        if path.suffix.lower() == ".mmd":
            path.write_text(graph.draw_mermaid(), encoding="utf-8")
        else:
            _paint(Layout.of(graph), path)
    except OSError as error:
        raise DrawError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


@dataclass(frozen=True)
class Box:
    """A node: its middle and its width."""

    name: str
    x: float
    y: float
    width: float
    is_end: bool

    @property
    def height(self) -> float:
        return END_HEIGHT if self.is_end else BOX_HEIGHT

    @property
    def top(self) -> float:
        return self.y + self.height / 2

    @property
    def bottom(self) -> float:
        return self.y - self.height / 2


@dataclass(frozen=True)
class Lane:
    """Where an edge runs."""

    edge: Edge
    x: float
    """How far out it swings, left of the boxes below 0; 0 = it goes straight, or loops at the box's corner."""
    label: str

    @property
    def is_loop(self) -> bool:
        return self.edge.source == self.edge.target

    @property
    def is_back(self) -> bool:
        return self.x < 0 or self.is_loop


@dataclass(frozen=True)
class Layout:
    boxes: dict[str, Box]
    lanes: Sequence[Lane]
    ports: dict[tuple[int, bool], float]
    """Height at which a lane (by index) leaves its source (True) and meets its target (False)."""

    @classmethod
    def of(cls, graph: Graph) -> "Layout":
        layers = layers_of(list(graph.nodes), graph.edges)
        boxes = _boxes(graph, layers)
        lanes = _lanes(graph.edges, boxes, layers)
        return cls(boxes, lanes, _ports(lanes, boxes))


def layers_of(nodes: Sequence[str], edges: Iterable[Edge]) -> dict[str, int]:
    """The layer of each node: one below the lowest of its predecessors, edges that close a cycle left out."""
    following: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        following[edge.source].append(edge.target)
    order = _flow_order(nodes, following)
    place = {name: index for index, name in enumerate(order)}
    layers = dict.fromkeys(order, 0)
    for name in order:
        for target in following[name]:
            if place[target] > place[name]:
                layers[target] = max(layers[target], layers[name] + 1)
    returns = [name for name in order if following[name] and all(place[t] < place[name] for t in following[name])]
    for name in returns:  # a node that leads only back stands above what goes on beside it
        layers = {each: n + (n >= layers[name] and each != name) for each, n in layers.items()}
    return layers


def _flow_order(nodes: Sequence[str], following: dict[str, list[str]]) -> list[str]:
    """Depth first, a node after everything it leads to, then turned round: sources first."""
    seen: set[str] = set()
    ended: list[str] = []

    def visit(name: str) -> None:
        if name not in seen:
            seen.add(name)
            for target in following[name]:
                visit(target)
            ended.append(name)

    for name in nodes:
        visit(name)
    return ended[::-1]


def _boxes(graph: Graph, layers: dict[str, int]) -> dict[str, Box]:
    boxes = {}
    y = 0.0
    for layer in range(max(layers.values(), default=0) + 1):
        names = [name for name in graph.nodes if layers[name] == layer]
        widths = [_box_width(name) for name in names]
        x = -(sum(widths) + COLUMN_GAP * (len(names) - 1)) / 2
        for name, width in zip(names, widths, strict=True):
            boxes[name] = Box(name, x + width / 2, y, width, name in ENDS)
            x += width + COLUMN_GAP
        y -= BOX_HEIGHT + LAYER_GAP + LINE_HEIGHT * _lines_below(layer, graph.edges, layers)
    return boxes


def _lines_below(layer: int, edges: Iterable[Edge], layers: dict[str, int]) -> int:
    """Lines of the tallest label between a layer and the next, on an edge straight down or a loop at the corner."""
    straight = [edge for edge in edges if (layers[edge.source], layers[edge.target]) == (layer, layer + 1)]
    loops = [edge for edge in edges if edge.source == edge.target and layers[edge.source] == layer + 1]
    return max((len(_label(edge).splitlines()) for edge in [*straight, *loops]), default=0)


def _box_width(name: str) -> float:
    return 0.86 if name in ENDS else max(1.1, NAME_CHARACTER * len(_title(name)) + 0.4)


def _title(name: str) -> str:
    return ENDS.get(name, name)


def _label(edge: Edge) -> str:
    """The edge's label, wrapped into lines of about the same length."""
    text = str(edge.data) if edge.data is not None and edge.data != edge.target else ""
    lines = len(textwrap.wrap(text, LABEL_WIDTH))
    width = next((w for w in range(LABEL_WIDTH // 2, LABEL_WIDTH) if len(textwrap.wrap(text, w)) == lines), LABEL_WIDTH)
    return textwrap.fill(text, width)


def _lanes(edges: Sequence[Edge], boxes: dict[str, Box], layers: dict[str, int]) -> list[Lane]:
    """Give each edge its lane; short spans go inside, long ones outside."""
    taken: dict[int, list[tuple[float, float, float]]] = {-1: [], 1: []}  # side -> (bottom, top, how far out)
    for box in boxes.values():
        taken[-1].append((box.bottom, box.top, box.width / 2 - box.x))
        taken[1].append((box.bottom, box.top, box.width / 2 + box.x))
    lanes = []
    for edge in sorted(edges, key=lambda edge: abs(layers[edge.target] - layers[edge.source])):
        source, target = boxes[edge.source], boxes[edge.target]
        label, width = _label(edge), _text_width(_label(edge))
        if edge.source == edge.target:
            taken[1].append((source.y, source.top + 0.5, source.x + source.width / 2 + 0.4 + width))
        elif layers[edge.target] == layers[edge.source] + 1:
            taken[1].append((target.top, source.bottom, (source.x + target.x) / 2 + 0.1 + width))
        else:
            side = 1 if layers[edge.target] > layers[edge.source] else -1
            low, high = min(source.bottom, target.bottom), max(source.top, target.top)
            inner = max(far for bottom, top, far in taken[side] if bottom < high and low < top)
            middle = inner + LANE_GAP + width / 2
            taken[side].append((low, high, middle + width / 2))
            lanes.append(Lane(edge, side * middle, label))
            continue
        lanes.append(Lane(edge, 0.0, label))
    return lanes


def _ports(lanes: Sequence[Lane], boxes: dict[str, Box]) -> dict[tuple[int, bool], float]:
    """Spread the edges that meet a box on one side, in the order in which they do not cross."""
    meeting: dict[tuple[str, int], list[tuple[tuple[int, float], int, bool]]] = defaultdict(list)
    for index, lane in enumerate(lanes):
        if not lane.x:
            continue
        for leaving in (True, False):
            here, there = (lane.edge.source, lane.edge.target)[:: 1 if leaving else -1]
            comes_from_above = boxes[there].y >= boxes[here].y
            # From the top: towards what lies above, inner lanes first; then towards what lies below, outer lanes first.
            order = (0, abs(lane.x)) if comes_from_above else (1, -abs(lane.x))
            meeting[here, -1 if lane.x < 0 else 1].append((order, index, leaving))
    ports = {}
    for (name, _), ends in meeting.items():
        gap = min(PORT_GAP, (BOX_HEIGHT - 0.16) / len(ends))
        for place, (_, index, leaving) in enumerate(sorted(ends)):
            ports[index, leaving] = boxes[name].y + gap * ((len(ends) - 1) / 2 - place)
    return ports


def _text_width(label: str) -> float:
    return max((len(line) for line in label.splitlines()), default=0) * LABEL_CHARACTER


def _paint(layout: Layout, path: Path) -> None:
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise DrawError(
            "drawing .png and .svg needs matplotlib: pip install 'wavegraph[draw]'; .mmd works without"
        ) from None
    left, right, bottom, top = _extent(layout)
    figure = Figure(figsize=(right - left, top - bottom), facecolor=PAPER)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    axes.axis("off")
    for index, lane in enumerate(layout.lanes):
        _paint_edge(axes, lane, _route(index, lane, layout))
    for box in layout.boxes.values():
        _paint_box(axes, box)
    for lane in layout.lanes:
        _paint_label(axes, lane, layout)
    with rc_context({"svg.hashsalt": "wavegraph"}):  # the same graph gives the same file
        figure.savefig(path, dpi=200, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def _extent(layout: Layout) -> tuple[float, float, float, float]:
    """Left, right, bottom, top of everything, with a margin."""
    boxes = layout.boxes.values()
    left, right = [box.x - box.width / 2 for box in boxes], [box.x + box.width / 2 for box in boxes]
    for lane in layout.lanes:
        x, _, align = _label_place(lane, layout)
        width = _text_width(lane.label)
        left.append(x - width / 2 if align == "center" else x)
        right.append(x + width / 2 if align == "center" else x + width)
    bottom, top = min(box.bottom for box in boxes), max(box.top for box in boxes)
    return min(left) - MARGIN, max(right) + MARGIN, bottom - MARGIN, top + MARGIN


def _paint_box(axes: Any, box: Box) -> None:
    from matplotlib.patches import FancyBboxPatch

    rounding = box.height / 2 if box.is_end else 0.1
    axes.add_patch(
        FancyBboxPatch(
            (box.x - box.width / 2 + rounding, box.bottom + rounding),
            box.width - 2 * rounding,
            box.height - 2 * rounding,
            boxstyle=f"round,pad={rounding},rounding_size={rounding}",
            facecolor=INK if box.is_end else BOX,
            edgecolor=INK if box.is_end else BOX_LINE,
            linewidth=1.3,
            zorder=3,
        )
    )
    axes.text(
        box.x,
        box.y,
        _title(box.name),
        ha="center",
        va="center_baseline",
        fontsize=9.5 if box.is_end else 10.5,
        fontweight="bold" if box.is_end else "normal",
        color=PAPER if box.is_end else INK,
        zorder=4,
    )


def _paint_edge(axes: Any, lane: Lane, route: Any) -> None:
    from matplotlib.patches import FancyArrowPatch

    axes.add_patch(
        FancyArrowPatch(
            path=route,
            arrowstyle="-|>,head_length=5.5,head_width=2.6",
            color=BACK if lane.is_back else FORWARD,
            linewidth=1.3,
            linestyle=(0, (4, 2.4)) if lane.edge.conditional else "solid",
            zorder=2,
        )
    )


def _route(index: int, lane: Lane, layout: Layout) -> Any:
    """From box to box: straight down, round the corner, or out to the lane, along it, and back in."""
    from matplotlib.path import Path as Line

    source, target = layout.boxes[lane.edge.source], layout.boxes[lane.edge.target]
    curve = [Line.CURVE4] * 3
    if lane.is_loop:
        right = source.x + source.width / 2
        start, end = (right, source.y + 0.1), (right - 0.22, source.top)
        return Line([start, (right + 0.55, source.y + 0.14), (right - 0.18, source.top + 0.62), end],
                    [Line.MOVETO, *curve])  # fmt: skip
    if not lane.x:
        start, end = (source.x, source.bottom), (target.x, target.top)
        bend = (start[1] - end[1]) / 2
        return Line([start, (start[0], start[1] - bend), (end[0], end[1] + bend), end], [Line.MOVETO, *curve])
    side = -1 if lane.x < 0 else 1
    y0, y1 = layout.ports[index, True], layout.ports[index, False]
    x0, x1 = source.x + side * source.width / 2, target.x + side * target.width / 2
    down = 1 if y1 < y0 else -1
    inside, near = lane.x - side * CORNER, 0.45 * CORNER  # near: a control point at this distance rounds like a circle
    points = [
        (x0, y0), (inside, y0),
        (lane.x - side * near, y0), (lane.x, y0 - down * near), (lane.x, y0 - down * CORNER),
        (lane.x, y1 + down * CORNER),
        (lane.x, y1 + down * near), (lane.x - side * near, y1), (inside, y1),
        (x1, y1),
    ]  # fmt: skip
    return Line(points, [Line.MOVETO, Line.LINETO, *curve, Line.LINETO, *curve, Line.LINETO])


def _label_place(lane: Lane, layout: Layout) -> tuple[float, float, str]:
    """On the line in its middle; beside it where it goes straight down or loops."""
    source, target = layout.boxes[lane.edge.source], layout.boxes[lane.edge.target]
    x, y = (source.x + target.x) / 2, (source.bottom + target.top) / 2
    if lane.is_loop:
        return source.x + source.width / 2 + 0.26, source.top + 0.16, "left"
    if lane.x:
        return lane.x, (source.y + target.y) / 2, "center"
    return (x + 0.1, y, "left") if source.x == target.x else (x, y, "center")


def _paint_label(axes: Any, lane: Lane, layout: Layout) -> None:
    if not lane.label:
        return
    x, y, align = _label_place(lane, layout)
    axes.text(
        x,
        y,
        lane.label,
        ha=align,
        va="center",
        fontsize=8,
        linespacing=1.25,
        color=BACK if lane.is_back else LABEL,
        bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.6} if align == "center" else None,
        zorder=5,
    )
