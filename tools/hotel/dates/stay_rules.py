"""Grammar of everything that names a stay, except ranges."""

from dataclasses import replace

from wavegraph.tools.hotel.dates.grammar import Match, reader, rules
from wavegraph.tools.hotel.dates.period_rules import MONTHS, WEEKENDS, WEEKS
from wavegraph.tools.hotel.dates.point_rules import POINTS, WEEKS_BESIDE
from wavegraph.tools.hotel.dates.resolution import DAY, DateFault, ResolvedStay, read_range, single


def _right_after(m: Match) -> ResolvedStay | DateFault | None:
    """`after Passover`: from the day after on; `before Passover` leaves too much open."""
    base = m["base"]
    if m.s.at(m.start - 1).unit or not isinstance(base, ResolvedStay):
        return None
    if m["side"] == "before":
        return DateFault("unclear", f"{m.label!r}: how long before? Give the dates")
    end = (base.last or base.check_in) + DAY
    first = single(end, "relative", m.label, "no nights were given: the first night after it")
    return replace(first, window=(end, end + WEEKS_BESIDE))


def _gap(m: Match) -> ResolvedStay | DateFault:
    """`between Yom Kippur and Sukkot`: the free days from after one holiday to the eve of the other."""
    one, two = m["one"], m["two"]
    if not (isinstance(one, ResolvedStay) and isinstance(two, ResolvedStay)):
        return one if isinstance(one, DateFault) else two
    if not (one.last and one.first and one.first > one.check_in):
        return read_range(one, two, m.s.here)
    start = one.last + DAY
    if start >= two.check_in:
        return DateFault("order", f"there are no nights in {m.label!r}: give the dates")
    return ResolvedStay(start, two.check_in, "span", m.label, note="no nights were given: all of them")


# Of rules that cover equally much the earlier wins: Sabbath before Saturday, "first weekend of" before "weekend of".
gap = reader("GAP", rules(("between the? one:HOLIDAY and|to|dash|for the? two:HOLIDAY", _gap)))
ITEMS = [
    *WEEKENDS,
    *POINTS,
    *WEEKS,
    *MONTHS,
    *rules(
        ("side:after|before the? base:HOLIDAY", _right_after),
        ("gap:GAP", lambda m: m["gap"]),
    ),
]
item_at = reader("ITEM", ITEMS)
"""Anything that names a stay, except a range."""
