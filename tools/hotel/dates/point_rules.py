"""Grammar of anything that names one day or one holiday, and of days relative to another day."""

from dataclasses import replace

from wavegraph.tools.hotel.dates import spans
from wavegraph.tools.hotel.dates.day_rules import DAYS, later
from wavegraph.tools.hotel.dates.grammar import Match, reader, rules
from wavegraph.tools.hotel.dates.holiday_rules import HOLIDAY_POINTS
from wavegraph.tools.hotel.dates.resolution import (
    DAY,
    DateFault,
    DatePoint,
    ResolvedStay,
    WrittenDay,
    read_day,
    read_range,
    single,
)
from wavegraph.tools.hotel.dates.sentence import Sentence

WEEKS_BESIDE = 21 * DAY
"""In so much time before or after a holiday any nights may be meant, where the cheapest are wanted."""


def first_day(s: Sentence, point: DatePoint) -> ResolvedStay | DateFault:
    return read_day(point, s.here) if isinstance(point, WrittenDay) else point


def _around(m: Match) -> ResolvedStay | DateFault:
    """`the day after Yom Kippur`, `two days before Pesach`, `the week after Easter`, `היום שאחרי כיפור`, `Sunday after X`."""
    day, (n, unit) = first_day(m.s, m["base"]), m["count"] or (1, m["unit"])
    if isinstance(day, DateFault):
        return day
    n = -n if m["side"] == "before" else n
    found = _nights_beside(m, day, n) if unit == "night" and abs(n) > 1 and day.holiday else _beside(m, day, n, unit)
    kind = found.kind if isinstance(found, ResolvedStay) and found.kind == "span" else "relative"
    return found if isinstance(found, DateFault) else replace(found, kind=kind, holiday=None)


def _beside(m: Match, day: ResolvedStay, n: int, unit: str) -> ResolvedStay | DateFault:
    first, last = day.first or day.check_in, day.last or day.check_in
    if m["weekday"] is not None:
        after = last + DAY + (m["weekday"] - (last + DAY).weekday()) % 7 * DAY
        before = first - DAY - ((first - DAY).weekday() - m["weekday"]) % 7 * DAY
        return single(after if n > 0 else before, "relative", m.label)
    if unit == "weekend":
        return weekend_beside(m.s, day, n, m.label)
    if unit == "week" and abs(n) == 1:
        start = last + DAY if n > 0 else day.check_in - 7 * DAY
        return ResolvedStay(start, start + 7 * DAY, "span", m.label, first=start, last=start + 6 * DAY)
    moved = later(last if n > 0 else first, n, unit if unit in ("week", "month") else "day")
    if isinstance(moved, DateFault):
        return moved
    return single(moved, "relative", m.label, others=(moved - DAY,) if n < 0 and day.holiday else ())


def _nights_beside(m: Match, day: ResolvedStay, n: int) -> ResolvedStay | DateFault:
    """`the two nights before Passover eve`, `שלוש לילות אחרי פסח`: so many nights up to it, or from the day after it."""
    last = (day.last or day.check_in) if day.holiday else day.check_in
    first = day.check_in + n * DAY if n < 0 else last + DAY
    found = read_range(single(first, "relative", ""), single(first + abs(n) * DAY, "relative", ""), m.s.here)
    around = (first, first + WEEKS_BESIDE) if n > 0 else (day.check_in - WEEKS_BESIDE, day.check_in)
    return found if isinstance(found, DateFault) else replace(found, window=around)


def weekend_beside(s: Sentence, day: ResolvedStay, n: int, label: str) -> ResolvedStay | DateFault:
    """The weekend after a day or a stay, before it if `n` is negative."""
    if n > 0:
        start = spans.weekend_start((day.last or day.check_out - DAY) + DAY, s.here)
        return spans.weekend(start, s.here, label)
    start = spans.weekend_start(day.check_in, s.here)
    while start + s.here.weekend[1] * DAY > day.check_in:
        start = start - 7 * DAY
    return spans.weekend(start, s.here, label)


_SIDE = "that? =right|=just|=straight|=directly|=immediately|=מיד? side:after|before the? base:POINT"
AROUND = rules(
    (f"unit:weekend|week|day|night|month|=היום {_SIDE}", _around),
    (f"weekday:WEEKDAY {_SIDE}", _around),
    (f"count:COUNT {_SIDE}", _around),
    ("=למחרת|=מחרת of? base:POINT", _around),
)
POINTS = [*DAYS, *HOLIDAY_POINTS, *AROUND]
point_at = reader("POINT", POINTS)
"""A single day or a holiday."""
