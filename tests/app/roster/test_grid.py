"""A roster as lines of text."""

from roster_wards import ROWS, rows, ward_of_two
from tables import table

from wavegraph.app.roster.grid import OFF, grid_lines


def test_nurses_are_rows_and_days_are_columns() -> None:
    assert grid_lines(ward_of_two(), rows(**ROWS)) == [
        "            M  T  W  T  F  S  S  M  T  W  T  F  S  S",
        "2026-11-23 23 24 25 26 27 28 29 30  1  2  3  4  5  6",
        "ann Ann     E  E  E  E  E  .  .  E  E  E  E  E  .  .",
        "ben Ben     L  L  L  L  L  .  .  L  L  L  L  L  .  .",
    ]


@table(
    ("width", "days"),
    [(None, [14, 14, 2]), (52, [14, 14, 2]), (51, [7, 7, 7, 7, 2]), (31, [7, 7, 7, 7, 2]), (30, [6, 6, 6, 6, 6])],
)
def test_columns_are_in_blocks_that_fit(width: int | None, days: list[int]) -> None:
    cells = rows(ann="E" * 30, ben="-" * 30)
    lines = grid_lines(ward_of_two(days=30), cells, width)
    assert [line.count("E") for line in lines if line.startswith("ann")] == days
    assert [line.count(OFF) for line in lines if line.startswith("ben")] == days
    assert lines.count("") == len(days) - 1
    assert max(map(len, lines)) <= (width or 200)


def test_each_block_tells_its_first_day() -> None:
    lines = grid_lines(ward_of_two(days=16), rows(ann="E" * 16, ben="L" * 16))
    assert lines[5:7] == ["            M  T", "2026-12-07  7  8"]


def test_a_terminal_without_room_has_one_day_a_block() -> None:
    assert grid_lines(ward_of_two(days=2), rows(ann="EE", ben="LL"), 1)[3:6] == ["ben Ben     L", "", "            T"]


def test_long_ids_make_wide_columns_and_long_names_are_cut() -> None:
    ward = ward_of_two(days=1, shifts__0__id="Early", nurses__0__name="A\x1bn" * 30, nurses__1__name="", demand=[])
    lines = grid_lines(ward, {"ann": ["Early"], "ben": [None]})
    assert lines[2:] == [f"ann {'An' * 12} Early", f"ben{' ' * 30}."]
