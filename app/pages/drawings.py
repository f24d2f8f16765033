"""Small SVG drawings for a page: bars, stacked bars, columns over time, ranges on a common axis.

Positions are percentages of the width, so that a drawing scales with its column and its text does not.
"""

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element

from wavegraph.app.pages.markup import element
from wavegraph.app.pages.numbers import Range, Segment
from wavegraph.graph.decimals import decimal

BAR_PX = 14
COLUMNS_PX = 168
"""Height of the columns, without the labels below."""
LABELS_PX = 20
MOST_LABELS = 5
"""Labels under the columns: as many as fit on a phone."""
FEWEST_PLACES = 12
"""So that a single day does not fill the drawing."""
GRID_LINES = 4


def svg(label: str, height: int, *inside: Element, class_: str = "bar") -> Element:
    """`label`: a description for screen readers."""
    return element("svg", element("title", label), *inside, class_=class_, role="img", aria_label=label, width="100%",
                   height=height)  # fmt: skip


def bar(segments: Sequence[Segment], height: int = BAR_PX) -> Element:
    """Segments side by side, from the left."""
    label = "; ".join(segment.label for segment in segments)
    return svg(label, height, *_side_by_side(segments, height))


def _side_by_side(segments: Iterable[Segment], height: int) -> list[Element]:
    pieces, at = [], 0.0
    for segment in segments:
        pieces.append(
            element("rect", element("title", segment.label), class_=f"fill {segment.kind}", x=_percent(at),
                    width=_percent(segment.size), y=0, height=height)
        )  # fmt: skip
        at += segment.size
    return [piece for piece in pieces if piece.get("width") != "0%"]


def span_of(times: Range) -> Element:
    """A line to the longest, a thicker one from the median to the 95th percentile, a dot at the median."""
    middle = BAR_PX / 2
    return svg(
        times.label,
        BAR_PX,
        element("line", class_="whisker", x1=_percent(times.median), x2=_percent(times.longest), y1=middle, y2=middle),
        element("line", class_="whisker", x1=_percent(times.longest), x2=_percent(times.longest), y1=2, y2=BAR_PX - 2),
        element("line", class_="spread", x1=_percent(times.median), x2=_percent(times.p95), y1=middle, y2=middle),
        element("circle", class_="median", cx=_percent(times.median), cy=middle, r=4),
        class_="bar range",
    )


def axis(ticks: Sequence[tuple[float, str]]) -> Element:
    """Labels of the axis of ranges; only every second one if there are many."""
    shown = ticks[:: _step(len(ticks), 4)]
    return svg(
        "axis: " + ", ".join(label for _, label in shown),
        BAR_PX,
        *(_label(place, label, BAR_PX - 3) for place, label in shown),
        class_="bar range axis",
    )


def columns(label: str, names: Sequence[str], stacks: Sequence[Sequence[Segment]]) -> Element:
    """A column per name; a segment's size is a count, and the scale fits the highest stack."""
    top = _round_up(max((sum(segment.size for segment in stack) for stack in stacks), default=0))
    slots = max(len(stacks), FEWEST_PLACES)
    width = 1 / slots
    return svg(
        label,
        COLUMNS_PX + LABELS_PX,
        *(line for step in range(GRID_LINES + 1) for line in _grid(step, top)),
        *(piece for n, stack in enumerate(stacks) for piece in _column(stack, (n + 0.12) * width, 0.76 * width, top)),
        *(
            _label((n + 0.5) * width, names[n], COLUMNS_PX + LABELS_PX - 5)
            for n in range(0, len(names), _step(slots, MOST_LABELS))
        ),
        class_="columns",
    )


def _column(stack: Sequence[Segment], x: float, width: float, top: float) -> list[Element]:
    pieces, y = [], float(COLUMNS_PX)
    for segment in stack:
        height = segment.size / top * (COLUMNS_PX - BAR_PX)
        y -= height
        pieces.append(
            element("rect", element("title", segment.label), class_=f"fill {segment.kind}", x=_percent(x),
                    width=_percent(width), y=f"{y:.2f}", height=f"{height:.2f}")
        )  # fmt: skip
    return pieces


def _grid(step: int, top: float) -> list[Element]:
    y = COLUMNS_PX - step / GRID_LINES * (COLUMNS_PX - BAR_PX)
    line = element("line", class_="grid", x1="0%", x2="100%", y1=f"{y:.1f}", y2=f"{y:.1f}")
    name = element("text", decimal(top * step / GRID_LINES), x=-8, text_anchor="end", y=f"{y + 4:.1f}")
    return [line, name] if step else [line]


def _label(place: float, text: str, y: float) -> Element:
    """Text at a position, kept inside the drawing at its ends."""
    anchor = "start" if place < 0.04 else "end" if place > 0.96 else "middle"
    return element("text", text, x=_percent(place), y=y, text_anchor=anchor)


def _step(count: int, most: int) -> int:
    """Label every n-th of `count` positions, so that there are at most `most`."""
    return -(-count // most)


def _round_up(highest: float) -> float:
    """A scale that the grid lines divide into whole numbers."""
    step = 1.0
    while True:
        for factor in (1, 2, 5):
            if highest <= factor * step * GRID_LINES:
                return factor * step * GRID_LINES
        step *= 10


def _percent(place: float) -> str:
    return f"{decimal(100 * place, 3)}%"
