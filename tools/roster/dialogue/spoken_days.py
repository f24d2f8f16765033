"""Days as a person says them: "the 8th", "Friday", "from 20 to 23 December", "next week", "from the 14th for two weeks".

A day without a month or a year is the roster's own where the roster has such a day, else the next one from today.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8}
UNITS = {"day": 1, "days": 1, "week": 7, "weeks": 7, "month": 28, "months": 28}
SHORT = {
    "mon": "monday", "tue": "tuesday", "tues": "tuesday", "wed": "wednesday", "weds": "wednesday", "thu": "thursday",
    "thur": "thursday", "thurs": "thursday", "fri": "friday", "sat": "saturday", "sun": "sunday",
    "jan": "january", "feb": "february", "apr": "april", "jun": "june", "jul": "july", "aug": "august", "sep": "september",
    "sept": "september", "oct": "october", "nov": "november", "dec": "december", "tmrw": "tomorrow", "tmr": "tomorrow",
}  # fmt: skip
"""Words of days as people shorten them."""
PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3}
UP_TO = frozenset(["to", "until", "till", "through"])
BEFORE_A_NUMBER = UP_TO | {"from", "on", "the", "of", "between", "and", "by", "starting"}
"""After one of these words, a bare number is a day of a month."""
FARTHEST = 13
"""Months from today's."""
LONGEST_SPAN = timedelta(days=330)
MOST_SMALL = 3
DAY, WEEK = timedelta(days=1), timedelta(days=7)
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_NUMBER = re.compile(r"(\d{1,2})(st|nd|rd|th)?")
_YEAR = re.compile(r"20\d\d")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})(?:\.(20\d\d)?)?")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})(?:/(20\d\d))?")


@dataclass(frozen=True)
class Calendar:
    """What days are counted from."""

    today: date
    start: date | None = None
    """First day of the roster that is spoken about; None = of none."""
    end: date | None = None

    @property
    def is_ahead(self) -> bool:
        """Whether the roster begins after today: then "Friday" may be any of its Fridays."""
        return self.start is not None and self.today < self.start

    def holds(self, first: date, last: date) -> bool:
        return self.start is not None and self.end is not None and first <= self.end and self.start <= last


@dataclass(frozen=True)
class When:
    """Days that were said."""

    first: date | None = None
    last: date | None = None
    """Included."""
    others: tuple[date, ...] = ()
    """Other first days that may be meant as well."""
    weekday: str | None = None
    """Of "every Friday"; then there are no dates."""
    length: int | None = None
    """Days, of "for two weeks" without a beginning."""

    @property
    def is_whole(self) -> bool:
        """Whether it names its days."""
        return self.first is not None and self.last is not None


@dataclass(frozen=True)
class _Point:
    """A day, or a span with a name, as it was said; what was not said is missing."""

    span: tuple[date, date] | None = None
    number: int = 0
    month: int | None = None
    year: int | None = None
    weekday: int | None = None


class NoSuchDay(Exception):
    """A day that does not exist, or days of which the last lies before the first."""

    def __init__(self, said: str, *, backwards: bool = False) -> None:
        super().__init__(f"{said!r} is no day")
        self.said = said
        self.backwards = backwards


def spelled(word: str) -> str:
    """In full, where it is the short form of a day or a month; case-folded."""
    return SHORT.get(word, word)


def read_days(words: Sequence[str], place: int, calendar: Calendar) -> tuple[When, int] | None:
    """The days that are said from `words[place]` on, and the place behind them; None = none are.

    `words`: case-folded. Raises NoSuchDay.
    """
    said = "from" if words[place] in ("from", "starting", "between") else ""
    at = place + 1 if said else place
    if words[place] in UP_TO - {"to"} and (found := _point(words, place + 1, calendar)):
        _, last = _placed(found[0], found[0], calendar, words[place : found[1]])
        return When(calendar.today if not calendar.is_ahead else calendar.start, last), found[1]
    if (every := _every(words, at)) is not None:
        return every
    if (length := _length(words, at)) is not None:
        return When(length=length[0]), length[1]
    if (found := _point(words, at, calendar)) is None:
        return None
    return _from(found[0], found[1], words, place, calendar)


def _from(point: _Point, after: int, words: Sequence[str], place: int, calendar: Calendar) -> tuple[When, int]:
    """What begins with that point: a range, a length, or it alone."""
    joint = words[after] if after < len(words) else ""
    is_range = joint in UP_TO or (joint == "and" and words[place] == "between")
    if is_range and (second := _point(words, after + 1, calendar)):
        last, end = second
        both = point if point.month or not point.number else replace(point, month=last.month, year=last.year)
        first_day, last_day = _placed(both, last, calendar, words[place:end])
        return When(first_day, last_day), end
    first_day, last_day = _placed(point, point, calendar, words[place:after])
    if joint == "for" and (length := _length(words, after + 1)):
        return When(first_day, first_day + (length[0] - 1) * DAY), length[1]
    if joint in ("on", "onward", "onwards") and words[place] in ("from", "starting") and _ends(words, after + 1):
        return When(first_day, max(first_day, calendar.end or first_day)), after + 1
    others = tuple(day for day in _others(point, calendar) if day != first_day)
    return When(first_day, last_day, others), after


def _ends(words: Sequence[str], place: int) -> bool:
    return place >= len(words) or words[place] in ("and", "please")


def _every(words: Sequence[str], place: int) -> tuple[When, int] | None:
    """`Fridays`, `every Friday`."""
    at = place + 1 if words[place] in ("every", "each", "on") else place
    word = words[at] if at < len(words) else ""
    plural = word.endswith("s") and word[:-1] in WEEKDAYS
    if plural or (word in WEEKDAYS and words[place] in ("every", "each")):
        return When(weekday=word.removesuffix("s")), at + 1
    return None


def _length(words: Sequence[str], place: int) -> tuple[int, int] | None:
    """`two weeks`, `for 14 days`, `the next 4 weeks`, `2-week`, in days."""
    at = _behind(words, place, ("for", "the", "next", "coming"))
    count, _, joined = (words[at] if at < len(words) else "").partition("-")
    unit = joined or (words[at + 1] if at + 1 < len(words) else "")
    number = COUNTS.get(count) or (int(count) if count.isdecimal() and len(count) <= 3 else None)
    if number is None or unit not in UNITS:
        return None
    return number * UNITS[unit], at + (1 if joined else 2)


def _behind(words: Sequence[str], place: int, small: Sequence[str]) -> int:
    """The place behind small words, of which there are few: a long text of them is not read again and again."""
    end = min(len(words), place + MOST_SMALL)
    return next((at for at in range(place, end) if words[at] not in small), end)


def _point(words: Sequence[str], place: int, calendar: Calendar) -> tuple[_Point, int] | None:
    at = _behind(words, place, ("the", "this", "coming", "on", "in", "of", "for"))
    if at >= len(words):
        return None
    named = _named(words, at, calendar)
    return (
        named
        or _numbered(words, at)
        or _weekday(words, at, calendar.today)
        or _month(words, at, before=words[at - 1] if at else "")
    )


def _named(words: Sequence[str], at: int, calendar: Calendar) -> tuple[_Point, int] | None:
    """A day or a span by its own word: a date, `tomorrow`, `next week`, `the weekend`, `the second week`."""
    word, then, today = words[at], words[at + 1] if at + 1 < len(words) else "", calendar.today
    if _ISO.fullmatch(word) or _SLASHED.fullmatch(word):
        return _dated(words, at, calendar)
    if word in NEAR:
        day = today + NEAR[word] * DAY
        return _Point(span=(day, day)), at + 1
    monday, saturday = today - today.weekday() * DAY, today + (5 - today.weekday()) * DAY
    if word == "week" and at and words[at - 1] in ("this", "coming"):
        first = monday + (WEEK if words[at - 1] == "coming" else 0 * DAY)
        return _Point(span=(first, first + 6 * DAY)), at + 1
    if word == "week" and (dated := _week_of(words, at, calendar)):
        return dated
    if (word, then) == ("next", "week"):
        return _Point(span=(monday + WEEK, monday + 13 * DAY)), at + 2
    if (word, then) == ("next", "month"):
        first = date(today.year + today.month // 12, today.month % 12 + 1, 1)
        return _Point(span=next(_in_month(_Point(), first.year, first.month))), at + 2
    if word in PLACES and then == "week" and calendar.start:
        first = calendar.start + PLACES[word] * WEEK
        return _Point(span=(first, first + 6 * DAY)), at + 2
    if word == "weekend" or (word, then) == ("next", "weekend"):
        first = saturday + (WEEK if word == "next" else 0 * DAY)
        if calendar.is_ahead and calendar.start:
            first = calendar.start + (5 - calendar.start.weekday()) % 7 * DAY
        return _Point(span=(first, first + DAY)), at + (1 if word == "weekend" else 2)
    return None


def _dated(words: Sequence[str], at: int, calendar: Calendar) -> tuple[_Point, int] | None:
    """`2026-12-08`, `8/12`. Raises NoSuchDay."""
    if _ISO.fullmatch(words[at]):
        try:
            day = date.fromisoformat(words[at])
        except ValueError:
            raise NoSuchDay(words[at]) from None
        return _Point(span=(day, day)), at + 1
    slashed = _SLASHED.fullmatch(words[at])
    point = _slashed(slashed, calendar) if slashed else None
    return (point, at + 1) if point else None


def _week_of(words: Sequence[str], at: int, calendar: Calendar) -> tuple[_Point, int] | None:
    """`week of 14 December` from its Monday on, `week from 14 December` from that day on."""
    after = _behind(words, at + 1, ("of", "the", "on", *FROM))
    if not at + 1 < after < len(words) or words[after] == "week":
        return None
    found = _dated(words, after, calendar) or _numbered(words, after)
    if found is None:
        return None
    first, _ = _placed(found[0], found[0], calendar, words[at : found[1]])
    if FROM.isdisjoint(words[at + 1 : after]):
        first -= first.weekday() * DAY
    return _Point(span=(first, first + 6 * DAY)), found[1]


FROM = frozenset(["from", "starting", "beginning"])


def _slashed(found: re.Match[str], calendar: Calendar) -> _Point | None:
    """`30/11`. Where both orders make a date, the one that the roster has; None = either may be meant.

    Raises NoSuchDay where neither is one.
    """
    one, two, year = int(found[1]), int(found[2]), int(found[3]) if found[3] else None
    orders = [_Point(number=day, month=month, year=year) for day, month in {(one, two), (two, one)} if 1 <= month <= 12]
    inside = [point for point in orders if any(calendar.holds(*span) for span in _spans(point, calendar))]
    if not orders:
        raise NoSuchDay(found[0])
    meant = inside or orders
    return meant[0] if len(meant) == 1 else None


NEAR = {"today": 0, "tomorrow": 1, "yesterday": -1}
OF_DAYS = frozenset().union(
    MONTHS, WEEKDAYS, (f"{day}s" for day in WEEKDAYS), SHORT, COUNTS, UNITS, PLACES, BEFORE_A_NUMBER, NEAR,
    ("weekend", "next", "coming", "every", "each", "this", "onward", "onwards"),
)  # fmt: skip
"""Words that days are said with."""


def _numbered(words: Sequence[str], at: int) -> tuple[_Point, int] | None:
    """`8th`, `8 December`, `the 8th of December 2026`, `December 8th`."""
    if words[at] in MONTHS and at + 1 < len(words):
        after = at + 2 if words[at + 1] == "the" and at + 2 < len(words) else at + 1
        if found := _NUMBER.fullmatch(words[after]):
            return _with_year(_Point(number=int(found[1]), month=MONTHS.index(words[at]) + 1), words, after + 1)
    if dotted := _DOTTED.fullmatch(words[at]):
        year = int(dotted[3]) if dotted[3] else None
        if not 1 <= int(dotted[2]) <= len(MONTHS):
            raise NoSuchDay(words[at])
        return _Point(number=int(dotted[1]), month=int(dotted[2]), year=year), at + 1
    found = _NUMBER.fullmatch(words[at])
    if found is None:
        return None
    after = at + 2 if words[at + 1 : at + 2] == ["of"] else at + 1
    if after < len(words) and words[after] in MONTHS:
        return _with_year(_Point(number=int(found[1]), month=MONTHS.index(words[after]) + 1), words, after + 1)
    is_day = (
        found[2] or (at and words[at - 1] in BEFORE_A_NUMBER) or (words[at + 1 : at + 2] and words[at + 1] in UP_TO)
    )
    return (_Point(number=int(found[1])), at + 1) if is_day else None


def _with_year(point: _Point, words: Sequence[str], at: int) -> tuple[_Point, int]:
    if at < len(words) and _YEAR.fullmatch(words[at]):
        return replace(point, year=int(words[at])), at + 1
    return point, at


def _weekday(words: Sequence[str], at: int, today: date) -> tuple[_Point, int] | None:
    """`Friday`, `next Friday`, `Friday the 8th`, `Friday next week`."""
    after = at + 1 if words[at] == "next" else at
    word = words[after] if after < len(words) else ""
    if word not in WEEKDAYS:
        return None
    dated = _behind(words, after + 1, ("the", "of"))
    if dated < len(words) and (found := _numbered(words, dated)):
        return found
    of_week = _behind(words, after + 1, ("of",))
    if list(words[of_week : of_week + 2]) == ["next", "week"]:
        day = today + (7 - today.weekday() + WEEKDAYS.index(word)) * DAY
        return _Point(span=(day, day)), of_week + 2
    return _Point(weekday=WEEKDAYS.index(word)), after + 1


def _month(words: Sequence[str], at: int, *, before: str) -> tuple[_Point, int] | None:
    """`December`, `in December 2026`; `may` and `march` only after a word that leads to a month."""
    if words[at] not in MONTHS or (words[at] in ("may", "march") and before not in ("in", "for", "of")):
        return None
    return _with_year(_Point(month=MONTHS.index(words[at]) + 1), words, at + 1)


def _placed(first: _Point, last: _Point, calendar: Calendar, said: Sequence[str]) -> tuple[date, date]:
    """The first and the last day meant: within the roster where such days are, else the next from today."""
    pairs = list(_pairs(first, last, calendar))
    inside = [pair for pair in pairs if calendar.holds(*pair)]
    to_come = [pair for pair in inside or pairs if pair[1] >= calendar.today]
    if first.weekday is not None and calendar.start is None:
        to_come = [pair for pair in to_come if pair[0] >= calendar.today]
    if found := to_come or inside or ([pairs[-1]] if pairs and first.span else []):
        return found[0]
    backwards = not pairs and all(any(_spans(point, calendar)) for point in (first, last))
    raise NoSuchDay(_as_said(said), backwards=backwards)


def _as_said(words: Sequence[str]) -> str:
    """`31 November`, `from 3 to 1 December`: names with a capital, without what leads to one day."""
    lead = next((n for n, word in enumerate(words) if word not in ("on", "the", "of", "in", "for")), 0)
    return " ".join(word.title() if word in (*MONTHS, *WEEKDAYS) else word for word in words[lead:])


def _pairs(first: _Point, last: _Point, calendar: Calendar) -> Iterator[tuple[date, date]]:
    """Each first day with the next last one."""
    for begin, until in _spans(first, calendar):
        if first == last:
            yield begin, until
        elif end := next((day for _, day in _spans(last, calendar) if begin <= day <= begin + LONGEST_SPAN), None):
            yield begin, end


def _others(point: _Point, calendar: Calendar) -> Iterator[date]:
    """The roster's days that a weekday, or a number, means as well, where the roster is still ahead."""
    if calendar.is_ahead and point.month is None and point.span is None:
        yield from (first for first, last in _spans(point, calendar) if calendar.holds(first, last))


def _spans(point: _Point, calendar: Calendar) -> Iterator[tuple[date, date]]:
    """All that a point may mean, in order: from the month before today's, or the roster's, on."""
    if point.span:
        yield point.span
        return
    if point.year and point.month:
        yield from _in_month(point, point.year, point.month)
        return
    first = _month_count(min(calendar.today, calendar.start or calendar.today)) - 1
    last = _month_count(max(calendar.today, calendar.end or calendar.today)) + FARTHEST
    for month in range(first, last):
        if point.month in (None, month % 12 + 1):
            yield from _in_month(point, month // 12, month % 12 + 1)


def _month_count(day: date) -> int:
    return day.year * 12 + day.month - 1


def _in_month(point: _Point, year: int, month: int) -> Iterator[tuple[date, date]]:
    first = date(year, month, 1)
    length = (date(year + month // 12, month % 12 + 1, 1) - first).days
    days = [first + n * DAY for n in range(length)]
    if point.number:
        days = [day for day in days if day.day == point.number]
    elif point.weekday is not None:
        days = [day for day in days if day.weekday() == point.weekday]
    else:
        yield first, days[-1]
        return
    yield from ((day, day) for day in days)
