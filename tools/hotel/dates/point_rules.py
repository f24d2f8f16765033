"""Grammar of anything that names one day or one holiday, and of days relative to another day."""

from dataclasses import replace

from wavegraph.tools.hotel.dates import spans
from wavegraph.tools.hotel.dates.day_rules import (
    hebrew_date,
    weekday,
    weekday_in_month,
    weekday_name,
    with_weekday,
    written_day,
)
from wavegraph.tools.hotel.dates.holiday_rules import eve, holiday, part, seder
from wavegraph.tools.hotel.dates.relative_rules import count, day_from, from_now, later, named_day
from wavegraph.tools.hotel.dates.resolution import DAY, DateFault, DatePoint, ResolvedStay, WrittenDay, read_day, single
from wavegraph.tools.hotel.dates.sentence import GrammarRule, Parsed, Sentence, longest

RIGHT = frozenset({"right", "just", "straight", "directly", "immediately", "מיד"})
"""Before `after` and `before` these change nothing."""


def first_day(s: Sentence, point: DatePoint) -> ResolvedStay | DateFault | None:
    return read_day(point, s.here) if isinstance(point, WrittenDay) else point


def around(s: Sentence, i: int) -> Parsed:
    """`the day after Yom Kippur`, `two days before Pesach`, `the week after Easter`, `היום שאחרי כיפור`, `Sunday after X`."""
    i = s.skip(i, "the")
    named = weekday_name(s, i)
    is_unit = s.unit(i, "weekend", "week", "day", "night", "month") and not (s.at(i).num or named)
    if is_unit or s.at(i).word == "היום":
        counted: tuple[int, str, int] | None = (1, s.at(i).unit or "day", i + 1)
    elif s.at(i).word == "למחרת" or s.at(i).word == "מחרת":
        return _moved(s, i, 1, "day", s.skip(i + 1, "of"), 0)
    else:
        counted = (0, "weekday", named[1]) if named else count(s, i)
    if counted is None:
        return None
    n, unit, at = counted
    at = s.skip(at, "that")
    at += s.at(at).word in RIGHT
    if not s.key(at, "after", "before"):
        return None
    sign = 1 if s.key(at, "after") else -1
    return _moved(s, i, sign * n if n else sign, unit, s.skip(at + 1, "the"), named[0] if named else 0)


def _moved(s: Sentence, i: int, n: int, unit: str, base_at: int, weekday_: int) -> Parsed:
    base = point_at(s, base_at)
    if base is None:
        return None
    day = first_day(s, base[0])
    if isinstance(day, DateFault) or day is None:
        return (day, base[1]) if day else None
    label = s.words(i, base[1])
    found = _beside(s, day, n, unit, weekday_, label)
    if isinstance(found, ResolvedStay):
        found = replace(found, kind="relative" if found.kind != "span" else "span", holiday=None)
    return found, base[1]


def _beside(s: Sentence, day: ResolvedStay, n: int, unit: str, weekday_: int, label: str) -> ResolvedStay | DateFault:
    first, last = day.first or day.check_in, day.last or day.check_in
    if unit == "weekday":
        found = last + DAY + (weekday_ - (last + DAY).weekday()) % 7 * DAY if n > 0 else (
            first - DAY - ((first - DAY).weekday() - weekday_) % 7 * DAY
        )  # fmt: skip
        return single(found, "relative", label)
    if unit == "weekend":
        return weekend_beside(s, day, n, label)
    if unit == "week" and abs(n) == 1:
        start = last + DAY if n > 0 else day.check_in - 7 * DAY
        return ResolvedStay(start, start + 7 * DAY, "span", label, first=start, last=start + 6 * DAY)
    anchor = last if n > 0 else first
    moved = later(anchor, n, unit)
    if isinstance(moved, DateFault):
        return moved
    return single(moved, "relative", label, others=(moved - DAY,) if n < 0 and day.holiday else ())


def weekend_beside(s: Sentence, day: ResolvedStay, n: int, label: str) -> ResolvedStay | DateFault:
    """The weekend after a day or a stay, before it if `n` is negative."""
    if n > 0:
        start = spans.weekend_start((day.last or day.check_out - DAY) + DAY, s.here)
        if start <= (day.last or day.check_in):
            start = start + 7 * DAY
        return spans.weekend(start, s.here, label)
    start = spans.weekend_start(day.check_in, s.here)
    while start + s.here.weekend[1] * DAY > day.check_in:
        start = start - 7 * DAY
    return spans.weekend(start, s.here, label)


POINTS: tuple[GrammarRule, ...] = (
    with_weekday, written_day, eve, part, holiday, seder, hebrew_date, weekday_in_month, weekday, named_day, from_now, day_from, around
)  # fmt: skip


def point_at(s: Sentence, i: int) -> Parsed:
    """A single day or a holiday."""
    return longest(s, i, POINTS)
