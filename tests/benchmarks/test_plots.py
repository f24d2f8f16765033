"""A report becomes a picture with a panel for each measure, small enough to be kept."""

from pathlib import Path
from typing import Any

from benchmarks.plots import MOST_PANELS, drawn, panels
from benchmarks.report import Report, Row
from PIL import Image

CURVE = [
    Row("growth", name, "stored", value * x, "kB", x) for name, value in (("ours", 2), ("peer", 3)) for x in (1, 100)
]
BARS = [Row("calls", "ours", "model calls", 12), Row("calls", "a peer with a long name", "model calls", 0)]


def picture(rows: list[Row], folder: Path) -> Image.Image:
    file = folder / "picture.png"
    drawn(Report("trial", 1, rows), file)
    assert file.stat().st_size < 60_000
    with Image.open(file) as drawing:
        return drawing.convert("RGB")


def test_each_measure_of_each_table_is_a_panel() -> None:
    found = [(each.table, each.measure, each.is_curve) for each in panels(Report("trial", 1, [*BARS, *CURVE]))]
    assert found == [("calls", "model calls", False), ("growth", "stored", True)]


def test_of_too_many_measures_each_table_keeps_its_first() -> None:
    rows = [Row(f"t{table}", "ours", f"m{measure}", 1) for table in range(5) for measure in range(3)]
    assert len({(row.table, row.measure) for row in rows}) > MOST_PANELS
    assert [(each.table, each.measure) for each in panels(Report("trial", 1, rows))] == [
        (f"t{n}", "m0") for n in range(5)
    ]


def test_bars_and_curves_are_drawn_in_the_contestants_colours(tmp_path: Path) -> None:
    colours: set[Any] = set(picture([*BARS, *CURVE], tmp_path).get_flattened_data())
    blue = [each for each in colours if each[2] > each[0] + 80]
    orange = [each for each in colours if each[0] > each[2] + 80]
    assert blue
    assert orange


def test_a_curve_with_one_point_and_one_from_zero_are_drawn(tmp_path: Path) -> None:
    one, from_zero = [Row("a", "ours", "m", 5, "", 3)], [Row("b", "ours", "m", x, "", x) for x in (0, 1, 100)]
    assert picture([*one, *from_zero], tmp_path).width > picture(one, tmp_path).width
