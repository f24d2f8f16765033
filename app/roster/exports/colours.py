"""The colours of shifts outside the page: those of its style sheet, as six hexadecimal digits."""

from wavegraph.app.roster.page.grid import DAY_COLOURS, NIGHT_COLOURS
from wavegraph.tools.roster.ward.ward import Ward

BY_DAY = (
    ("fde7a9", "4a3500"), ("bfe8dc", "0b3d31"), ("cadffb", "10315f"), ("f7cfd6", "5c1325"),
    ("d9ebb0", "2f3f06"), ("fad4b0", "572c04"), ("e3d3f7", "3b1d5e"), ("d7dfe6", "26313b"),
)  # fmt: skip
BY_NIGHT = (("35337f", "ffffff"), ("125068", "ffffff"), ("622a63", "ffffff"))
WEEKEND, HOLIDAY, LEAVE = "eef2f6", "fdf0d5", "dddddd"
BREACH, SHORT, BELOW, MET, OVER = "cf2f22", "f4b6ae", "fbe3b0", "cfead9", "cadffb"


def shift_fills(ward: Ward) -> dict[str, tuple[str, str]]:
    """Background and ink of each shift, as the page has them."""
    day, night = [[shift.id for shift in ward.shifts if shift.night is kind] for kind in (False, True)]
    return {shift: BY_DAY[n % DAY_COLOURS] for n, shift in enumerate(day)} | {
        shift: BY_NIGHT[n % NIGHT_COLOURS] for n, shift in enumerate(night)
    }
