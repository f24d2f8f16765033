"""A report as one picture: a panel for each measure of each table, curves where the rows have an `x`, else bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from benchmarks.report import Report, Row, figure

MOST_PANELS = 12
"""Of more, each table has its first alone."""
ACROSS = 3
INCHES = (4.0, 2.7)
"""Of a panel."""
DOTS_PER_INCH = 80
PALETTE = 64
"""Colours of a picture."""
OURS, PEERS = "#1b4f9c", "#9fb3c8"
"""Of bars without a curve beside them."""
US = "wavegraph"
THICK, THIN = 3.4, 1.2
"""Of the first curve and the last: where they run together, each is seen."""
FEWEST_BARS = 4
"""That a panel has room for, so that none is as thick as a wall."""
COLOURS = ("#1b4f9c", "#d1742a", "#3f8f4f", "#8a5bb0", "#a23b4a", "#6d6d6d", "#2a9aa8", "#b59a1e")
"""By contestant, in the order of the rows: ours comes first."""


@dataclass(frozen=True)
class Panel:
    """One measure of one table."""

    table: str
    measure: str
    unit: str
    rows: Sequence[Row]

    @property
    def is_curve(self) -> bool:
        return any(row.x is not None for row in self.rows)

    @property
    def differs(self) -> bool:
        return len({row.value for row in self.rows}) > 1

    @property
    def title(self) -> str:
        return f"{self.table}\n{self.rows[0].heading}"


def panels(report: Report) -> list[Panel]:
    """Without measures that are the same for all, where another of their table is not."""
    kinds = dict.fromkeys((row.table, row.measure, row.unit) for row in report.rows)
    every = [Panel(*kind, [row for row in report.rows if (row.table, row.measure, row.unit) == kind]) for kind in kinds]
    differing = {panel.table for panel in every if panel.differs}
    shown = [panel for panel in every if panel.differs or panel.table not in differing]
    if len(shown) > MOST_PANELS:
        first = {panel.table: panel for panel in reversed(shown)}
        shown = [panel for panel in shown if first[panel.table] is panel]
    return shown


def drawn(report: Report, file: Path) -> None:
    """Raises ImportError where matplotlib is not installed."""
    from matplotlib.figure import Figure

    shown = panels(report)
    across = min(ACROSS, len(shown))
    down = -(-len(shown) // across)
    picture = Figure(figsize=(INCHES[0] * across, INCHES[1] * down), layout="constrained")
    colours = _colours(shown)
    places = picture.subplots(down, across, squeeze=False).flat
    for place, panel in zip(places, shown, strict=False):
        (_curves if panel.is_curve else _bars)(place, panel, colours)
        place.set_title(panel.title, fontsize=9)
        place.tick_params(labelsize=8)
        place.spines[["top", "right"]].set_visible(False)
    for unused in list(picture.axes)[len(shown) :]:
        unused.remove()
    if any(panel.is_curve for panel in shown):
        _legend(picture, shown, colours)
    _save(picture, file)


def _save(picture: Any, file: Path) -> None:
    """In few colours: a fourth of the size, and no difference to the eye."""
    from PIL import Image

    drawing = BytesIO()
    picture.savefig(drawing, dpi=DOTS_PER_INCH)
    Image.open(drawing).convert("RGB").quantize(PALETTE, Image.Quantize.FASTOCTREE).save(file, "PNG", optimize=True)


def _colours(shown: Sequence[Panel]) -> Mapping[str, str]:
    names = dict.fromkeys(row.name for panel in shown for row in panel.rows if panel.is_curve)
    return {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}


def _curves(place: Any, panel: Panel, colours: Mapping[str, str]) -> None:
    names = list(dict.fromkeys(row.name for row in panel.rows))
    for number, name in enumerate(names):
        points = sorted((row.x, row.value) for row in panel.rows if row.name == name and row.x is not None)
        width = THICK - (THICK - THIN) * number / max(1, len(names) - 1)
        place.plot(*zip(*points, strict=True), marker="o", markersize=width + 1.5, linewidth=width, color=colours[name])
    xs = sorted({row.x for row in panel.rows if row.x is not None})
    if xs[0] > 0 and xs[-1] >= 10 * xs[0]:
        place.set_xscale("log")
    elif xs[-1] >= 50:
        place.set_xscale("symlog", linthresh=1)
    if len(xs) <= 8:
        place.set_xticks(xs, [figure(x) for x in xs])
        place.minorticks_off()
    most = max(row.value for row in panel.rows)
    place.set_ylim(0, 1.1 * most if most > 0 else 1)
    place.grid(axis="y", linewidth=0.4, alpha=0.6)


def _bars(place: Any, panel: Panel, colours: Mapping[str, str]) -> None:
    names = [row.name for row in panel.rows]
    has_peers = any(name.startswith(US) for name in names)
    own = [PEERS if has_peers and not name.startswith(US) else OURS for name in names]
    shades = [colours.get(name, shade) for name, shade in zip(names, own, strict=True)]
    bars = place.barh(names, [row.value for row in panel.rows], color=shades)
    place.bar_label(bars, [figure(row.value) for row in panel.rows], padding=2, fontsize=8)
    place.set_ylim(max(len(names), FEWEST_BARS) - 0.5, -0.5)
    place.margins(x=0.18)
    place.set_xticks([])
    place.spines["bottom"].set_visible(False)


def _legend(picture: Any, shown: Sequence[Panel], colours: Mapping[str, str]) -> None:
    from matplotlib.lines import Line2D

    lines = [Line2D([], [], color=colour, marker="o", markersize=4) for colour in colours.values()]
    picture.legend(lines, list(colours), loc="outside lower center", ncols=4, fontsize=9, frameon=False)
