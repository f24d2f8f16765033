"""Days as a person says them: "the 8th", "Friday", "from 20 to 23 December", "next week", "from the 14th for two weeks".

A day without a month or a year is the roster's own where the roster has such a day, else the next one from today.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Sequence
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
BEFORE_A_NUMBER = ("to", "until", "till", "through", "from", "on", "the", "of", "between", "and", "by", "starting")
"""After one of these words, a bare number is a day of a month."""
NEAR = {"today": 0, "tomorrow": 1, "yesterday": -1}
OF_DAYS = frozenset().union(
    MONTHS, WEEKDAYS, (f"{day}s" for day in WEEKDAYS), SHORT, COUNTS, UNITS, PLACES, BEFORE_A_NUMBER, NEAR,
    ("weekend", "next", "coming", "every", "each", "this", "onward", "onwards"),
)  # fmt: skip
"""Words that days are said with."""
FARTHEST = 13
"""Months from today's."""
LONGEST_SPAN = timedelta(days=330)
MOST_WORDS = 40
"""That days are said in: a long text is not read again and again."""
DAY, WEEK = timedelta(days=1), timedelta(days=7)


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

    def may_hold(self, when: "When") -> bool:
        """Whether one of its days is the roster's; so may be one that has no dates."""
        return not (when.first and when.last) or self.holds(when.first, when.last)


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

    def holds(self, day: date) -> bool:
        if self.weekday:
            return WEEKDAYS[day.weekday()] == self.weekday
        return self.first is not None and self.last is not None and self.first <= day <= self.last


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
    near = words[max(0, place - 1) : place + MOST_WORDS]
    said, begin = " ".join(near), len(near[0]) + 1 if place else 0
    found = _read(said, begin, calendar)
    return found and (found[0], place + said.count(" ", begin, found[1]) + 1)


def _any(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(words)})"


def _form(text: str) -> re.Pattern[str]:
    """What is said, as whole words."""
    return re.compile(rf"(?:{text})(?= |$)")


_MONTH, _DAY_OF_WEEK, _COUNT = _any(MONTHS), _any(WEEKDAYS), rf"(?P<count>{'|'.join(COUNTS)}|\d{{1,3}})"
_YEAR, _NUMBER, _TH = r"(?: (?P<year>20\d\d))?", r"(?P<day>\d{1,2})", "(?:st|nd|rd|th)"
_TO = "(?:to|until|till|through)"
_LED = _any(rf"(?<=\b{word} )" for word in BEFORE_A_NUMBER)
_SMALL = re.compile("(?:(?:the|this|coming|on|in|of|for) ){0,3}")
_LEAD = re.compile("(?:(?:from|starting|between) )?")
_UNTIL = re.compile("(?:until|till|through) ")
_JOINT = re.compile(f" ({_TO}|and) ")
_EVERY = _form(f"(?:(?:every|each|on) )?({_DAY_OF_WEEK})s|(?:every|each) ({_DAY_OF_WEEK})")
_LENGTH = _form(rf"(?:(?:for|the|next|coming) ){{0,3}}{_COUNT}[- ](?P<unit>{'|'.join(UNITS)})")
_FOR_LENGTH = _form(f" for {_LENGTH.pattern}")
_ON = re.compile(" (?:on|onwards?)(?= (?:and|please)(?: |$)|$)")
_WEEK_OF = re.compile("week(?P<end>end)? (?P<lead>(?:(?:of|the|on|from|starting|beginning) ){1,3})")
_WEEKDAY_THE = re.compile(f"(?:next )?{_DAY_OF_WEEK} (?:(?:the|of) ){{0,3}}")
_WEEKDAY_NEXT_WEEK = f"(?:next )?(?P<weekday>{_DAY_OF_WEEK}) (?:of ){{0,3}}next week"


def _read(said: str, begin: int, calendar: Calendar) -> tuple[When, int] | None:
    """The days that are said from a letter on, and the letter behind them."""
    until, lead = _UNTIL.match(said, begin), _LEAD.match(said, begin)
    if until and (found := _point(said, until.end(), calendar)):
        _, last = _placed(found[0], found[0], calendar, said[begin : found[1]])
        return When(calendar.start if calendar.is_ahead else calendar.today, last), found[1]
    at = lead.end() if lead else begin
    if every := _EVERY.match(said, at):
        return When(weekday=every[1] or every[2]), every.end()
    if length := _LENGTH.match(said, at):
        return When(length=_days_in(length)), length.end()
    found = _point(said, at, calendar)
    return found and _from(*found, said, begin, calendar)


def _from(point: _Point, after: int, said: str, begin: int, calendar: Calendar) -> tuple[When, int]:
    """What begins with that point: a range, a length, or it alone."""
    joint, lead = _JOINT.match(said, after), said[begin:].partition(" ")[0]
    is_range = joint and (joint[1] != "and" or lead == "between")
    if joint and is_range and (second := _point(said, joint.end(), calendar)):
        last, end = second
        both = point if point.month or not point.number else replace(point, month=last.month, year=last.year)
        return When(*_placed(both, last, calendar, said[begin:end])), end
    first_day, last_day = _placed(point, point, calendar, said[begin:after])
    if length := _FOR_LENGTH.match(said, after):
        return When(first_day, first_day + (_days_in(length) - 1) * DAY), length.end()
    if lead in ("from", "starting") and (on := _ON.match(said, after)):
        return When(first_day, max(first_day, calendar.end or first_day)), on.end()
    others = tuple(day for day in _others(point, calendar) if day != first_day)
    return When(first_day, last_day, others), after


def _days_in(length: re.Match[str]) -> int:
    """Of `two weeks`, `for 14 days`, `the next 4 weeks`, `2-week`."""
    return (COUNTS.get(length["count"]) or int(length["count"])) * UNITS[length["unit"]]


def _point(said: str, at: int, calendar: Calendar) -> tuple[_Point, int] | None:
    """`week of 14 December` is from its Monday on, `weekend of the 19th` its end, `week from 14 December` from that day on; a weekday beside a date says
    nothing more."""
    small = _SMALL.match(said, at)
    at = small.end() if small else at
    week, weekday = _WEEK_OF.match(said, at), _WEEKDAY_THE.match(said, at)
    if week and (found := _first_of(DATES, said, week.end(), calendar)):
        first, _ = _placed(found[0], found[0], calendar, said[at : found[1]])
        is_from = not {"from", "starting", "beginning"}.isdisjoint(week["lead"].split())
        if week["end"]:
            return _span(_monday(first) + 5 * DAY, 2), found[1]
        return _span(first if is_from else _monday(first), 7), found[1]
    dated = _first_of(NUMBERED, said, weekday.end(), calendar) if weekday else None
    return dated or _first_of([*DATES, *NAMED], said, at, calendar)


Form = tuple[re.Pattern[str], Callable[[re.Match[str], Calendar], _Point | None]]
"""How a day is said, and the day; None = it may be another."""


def _first_of(forms: Sequence[Form], said: str, at: int, calendar: Calendar) -> tuple[_Point, int] | None:
    for pattern, point in forms:
        if (found := pattern.match(said, at)) and (meant := point(found, calendar)):
            return meant, found.end()
    return None


def _span(first: date, days: int) -> _Point:
    return _Point(span=(first, first + (days - 1) * DAY))


def _monday(day: date) -> date:
    return day - day.weekday() * DAY


def _iso(found: re.Match[str], calendar: Calendar) -> _Point:
    try:
        return _span(date.fromisoformat(found[0]), 1)
    except ValueError:
        raise NoSuchDay(found[0]) from None


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


def _numbered(found: re.Match[str], calendar: Calendar) -> _Point:
    """`8th`, `8 December 2026`, `8.12.`, `Friday`, `December`."""
    said = {name: value for name, value in found.groupdict().items() if value}
    month = said.get("month", "")
    number = MONTHS.index(month) + 1 if month in MONTHS else int(month or 0)
    if month and not 1 <= number <= len(MONTHS):
        raise NoSuchDay(found[0])
    weekday = WEEKDAYS.index(said["weekday"]) if "weekday" in said else None
    year = int(said["year"]) if "year" in said else None
    return _Point(number=int(said.get("day", 0)), month=number or None, year=year, weekday=weekday)


def _weekend(found: re.Match[str], calendar: Calendar) -> _Point:
    """The roster's first where it is still ahead."""
    if calendar.is_ahead and calendar.start:
        return _span(calendar.start + (5 - calendar.start.weekday()) % 7 * DAY, 2)
    return _span(_monday(calendar.today) + (12 if found[1] else 5) * DAY, 2)


NUMBERED: Sequence[Form] = [
    (_form(rf"(?P<month>{_MONTH}) (?:the )?{_NUMBER}{_TH}?{_YEAR}"), _numbered),
    (_form(rf"{_NUMBER}\.(?P<month>\d{{1,2}})(?:\.(?P<year>20\d\d)?)?"), _numbered),
    (_form(rf"{_NUMBER}{_TH}?(?: of)? (?P<month>{_MONTH}){_YEAR}"), _numbered),
    (_form(rf"{_NUMBER}{_TH}"), _numbered),
    (_form(rf"{_LED}{_NUMBER}"), _numbered),
    (_form(rf"{_NUMBER}(?= {_TO}(?: |$))"), _numbered),
]
DATES: Sequence[Form] = [
    (_form(r"\d{4}-\d\d-\d\d"), _iso),
    (_form(r"(\d{1,2})/(\d{1,2})(?:/(20\d\d))?"), _slashed),
    *NUMBERED,
]
NAMED: Sequence[Form] = [
    (_form(f"({'|'.join(NEAR)})"), lambda found, calendar: _span(calendar.today + NEAR[found[1]] * DAY, 1)),
    (_form(r"(?<=\bthis )week"), lambda found, calendar: _span(_monday(calendar.today), 7)),
    (_form(r"(?<=\bcoming )week|next week"), lambda found, calendar: _span(_monday(calendar.today) + WEEK, 7)),
    (_form("next month"), lambda found, calendar: _Point(span=_in_month(_Point(), _month_count(calendar.today) + 1)[0])),
    (_form(f"({'|'.join(PLACES)}) week"),
     lambda found, calendar: _span(calendar.start + PLACES[found[1]] * WEEK, 7) if calendar.start else None),
    (_form("(next )?weekend"), _weekend),
    (_form(_WEEKDAY_NEXT_WEEK),
     lambda found, calendar: _span(_monday(calendar.today) + (7 + WEEKDAYS.index(found["weekday"])) * DAY, 1)),
    (_form(f"(?:next )?(?P<weekday>{_DAY_OF_WEEK})"), _numbered),
    (_form(rf"(?!may|march)(?P<month>{_MONTH}){_YEAR}"), _numbered),
    (_form(rf"(?:(?<=\bin )|(?<=\bfor )|(?<=\bof ))(?P<month>may|march){_YEAR}"), _numbered),
]  # fmt: skip


def _placed(first: _Point, last: _Point, calendar: Calendar, said: str) -> tuple[date, date]:
    """The first and the last day meant: within the roster where such days are, else the next from today."""
    pairs = list(_pairs(first, last, calendar))
    inside = [pair for pair in pairs if calendar.holds(*pair)]
    to_come = [pair for pair in inside or pairs if pair[1] >= calendar.today]
    if first.weekday is not None and calendar.start is None:
        to_come = [pair for pair in to_come if pair[0] >= calendar.today]
    if found := to_come or inside or ([pairs[-1]] if pairs and first.span else []):
        return found[0]
    backwards = not pairs and all(any(_spans(point, calendar)) for point in (first, last))
    words = re.sub("^(?:(?:on|the|of|in|for) )+", "", said).split(" ")
    titled = [word.title() if word in (*MONTHS, *WEEKDAYS) else word for word in words]
    raise NoSuchDay(" ".join(titled), backwards=backwards)


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
    first = _month_count(min(calendar.today, calendar.start or calendar.today)) - 1
    last = _month_count(max(calendar.today, calendar.end or calendar.today)) + FARTHEST
    months = [month for month in range(first, last) if point.month in (None, month % 12 + 1)]
    if point.year and point.month:
        months = [point.year * 12 + point.month - 1]
    yield from [point.span] if point.span else (span for month in months for span in _in_month(point, month))


def _month_count(day: date) -> int:
    return day.year * 12 + day.month - 1


def _in_month(point: _Point, count: int) -> list[tuple[date, date]]:
    year, month = divmod(count, 12)
    days = [date(year, month + 1, day + 1) for day in range(monthrange(year, month + 1)[1])]
    if not point.number and point.weekday is None:
        return [(days[0], days[-1])]
    return [(day, day) for day in days if day.day == point.number or day.weekday() == point.weekday]
