"""Grammar of everything that names a stay, except ranges."""

from dataclasses import replace

from wavegraph.tools.hotel.dates.day_rules import hebrew_date
from wavegraph.tools.hotel.dates.holiday_rules import eve, holiday, seder
from wavegraph.tools.hotel.dates.period_rules import (
    half_month,
    month,
    nameless,
    next_nights,
    nights_of_month,
    season,
    week,
)
from wavegraph.tools.hotel.dates.point_rules import POINTS, RIGHT
from wavegraph.tools.hotel.dates.relative_rules import count
from wavegraph.tools.hotel.dates.resolution import DAY, DateFault, ResolvedStay, read_range, single
from wavegraph.tools.hotel.dates.sentence import GrammarRule, Parsed, Sentence, longest
from wavegraph.tools.hotel.dates.weekend_rules import (
    day_weekend,
    sabbath,
    two_nights,
    weekday_run,
    weekend,
    weekend_in_month,
)

WEEKS_BESIDE = 21 * DAY
"""In so much time before or after a holiday any nights may be meant, where the cheapest are wanted."""


def right_after(s: Sentence, i: int) -> Parsed:
    """`after Passover`: from the day after on; `before Passover` leaves too much open."""
    if not s.key(i, "after", "before") or s.at(i - 1).unit or s.at(s.skip(i + 1, "the")).word in {"that", "this"}:
        return None
    base = longest(s, s.skip(i + 1, "the"), (holiday, seder, hebrew_date))
    if base is None or not isinstance(base[0], ResolvedStay):
        return None
    if s.key(i, "before"):
        return DateFault("unclear", f"{s.words(i, base[1])!r}: how long before? Give the dates"), base[1]
    end = (base[0].last or base[0].check_in) + DAY
    first = single(end, "relative", s.words(i, base[1]), "no nights were given: the first night after it")
    return replace(first, window=(end, end + WEEKS_BESIDE)), base[1]


def nights_beside(s: Sentence, i: int) -> Parsed:
    """`the two nights before Passover eve`, `שלוש לילות אחרי פסח`: so many nights up to it, or from the day after it."""
    counted = count(s, s.skip(i, "the"))
    if counted is None or counted[1] != "night" or counted[0] < 2:
        return None
    at = s.skip(counted[2], "that")
    at += s.at(at).word in RIGHT
    base = longest(s, s.skip(at + 1, "the"), (eve, holiday, seder)) if s.key(at, "after", "before") else None
    if base is None or not isinstance(base[0], ResolvedStay):
        return None
    day, nights = base[0], counted[0] * DAY
    last = (day.last or day.check_in) if day.holiday else day.check_in
    first = day.check_in - nights if s.key(at, "before") else last + DAY
    found = read_range(single(first, "relative", ""), single(first + nights, "relative", ""), s.here)
    around = (first, first + WEEKS_BESIDE) if first > last else (day.check_in - WEEKS_BESIDE, day.check_in)
    return (found if isinstance(found, DateFault) else replace(found, window=around)), base[1]


def gap(s: Sentence, i: int) -> Parsed:
    """`between Yom Kippur and Sukkot`: the free days from after one holiday to the eve of the other."""
    if not s.key(i, "between"):
        return None
    first = holiday(s, s.skip(i + 1, "the"))
    at = s.skip(first[1], "and", "to", "dash", "for") if first else i
    second = holiday(s, s.skip(at, "the")) if first and at > first[1] else None
    if (
        first is None
        or second is None
        or not isinstance(first[0], ResolvedStay)
        or not isinstance(second[0], ResolvedStay)
    ):
        return None
    one, two = first[0], second[0]
    if not (one.last and one.first and one.first > one.check_in):
        return read_range(one, two, s.here), second[1]
    label, start = s.words(i, second[1]), one.last + DAY
    if start >= two.check_in:
        return DateFault("order", f"there are no nights in {label!r}: give the dates"), second[1]
    return ResolvedStay(start, two.check_in, "span", label, note="no nights were given: all of them"), second[1]


# Of rules that cover equally much the earlier wins: Sabbath before Saturday, "first weekend of" before "weekend of".
ITEMS: tuple[GrammarRule, ...] = (
    sabbath, nights_beside, *POINTS, weekend_in_month, weekend, day_weekend, two_nights, weekday_run, week, month, half_month, nights_of_month, season, next_nights, nameless, right_after, gap
)  # fmt: skip


def item_at(s: Sentence, i: int) -> Parsed:
    """Anything that names a stay, except a range."""
    return longest(s, i, ITEMS)
