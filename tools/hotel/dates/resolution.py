"""From written days to stays: the year a guest left out, ranges, nights, faults."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from wavegraph.graph.settings import CALENDAR, FIRST_DAY, LAST_DAY, in_calendar
from wavegraph.tools.hotel.dates.holiday_calendar import church_of, occurrences
from wavegraph.tools.hotel.dates.holiday_names import VAGUE, words_of
from wavegraph.tools.hotel.dates.records import Church, DateError, DateResolution, Stay, StayKind

DAY = timedelta(days=1)
MONTH_NAMES = words_of("""January February March April May June July August September October November December""")
DAY_NAMES = words_of("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
YEARS = range(FIRST_DAY.year, LAST_DAY.year + 1)
WRITTEN_YEARS = range(FIRST_DAY.year, 10_000)
"""What is read as a year after a date. A later one is out of range, which is not the same as no year."""
LONGEST_CROSSING = 14
"""Up to this many nights "the 28th to the 3rd" crosses a month's end; a longer one is a mistake."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What the meaning of dates depends on besides the words."""

    today: date
    country: str = "IL"
    weekend: tuple[int, int] = (3, 2)
    """First weekend night (Monday = 0) and how many nights."""
    max_nights: int = 30
    church: Church = "western"
    holiday_weekend: tuple[int, int] = (3, 2)
    """The same for the weekend of a holiday, which is that of the country whose holiday it is."""

    @property
    def week_start(self) -> int:
        """Sunday (6) where the week starts on it, else Monday."""
        return 6 if self.country in {"IL", "US", "CA", "JP"} else 0

    @property
    def month_first(self) -> bool:
        return self.country in {"US", "JP", "KR", "CN", "TW"}


_FRIDAY_SATURDAY = frozenset(words_of("BH DZ EG IL IQ JO KW LY OM QA SA SD SY YE"))
"""Countries whose weekend is Friday and Saturday (Unicode CLDR, supplemental week data)."""


def weekend_of_country(country: str) -> tuple[int, ...]:
    """The nights before the days of the weekend: Thursday and Friday in Israel, Friday and Saturday in most countries."""
    return (3, 4) if country in _FRIDAY_SATURDAY else (4, 5)


def _as_run(nights: Sequence[int]) -> tuple[int, int]:
    first = next((n for n in nights if (n - 1) % 7 not in nights), nights[0])
    return first % 7, len(set(nights))


def setting(
    today: date,
    max_nights: int,
    *,
    country: str = "IL",
    home: str | None = None,
    weekend_nights: Sequence[int] | None = None,
    church: Church | None = None,
) -> Setting:
    """See `Customs`."""
    country = country.upper()
    home = home or country
    weekend = _as_run(weekend_nights or weekend_of_country(home))
    of_holidays = weekend if country == home else _as_run(weekend_of_country(country))
    return Setting(today, country, weekend, max_nights, church or church_of(home), of_holidays)


@dataclass(frozen=True, slots=True)
class DateFault:
    """Why words for a date resolve to no stay."""

    error: DateError
    message: str


@dataclass(frozen=True, slots=True)
class WrittenDay:
    """A day as written; month, year, or all but the weekday may be missing."""

    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None
    bare: bool = False
    """Only a number: a day just because of its neighbours."""
    sabbath: bool = False
    """Named as the Sabbath, which begins on the evening before."""


@dataclass(frozen=True, slots=True)
class ResolvedStay:
    """A stay worked out from words."""

    check_in: date
    check_out: date
    kind: StayKind
    label: str
    explicit: bool = False
    fixed: bool = False
    """The words fix the length, so a separate count of nights cannot set it."""
    alternatives: tuple[tuple[date, date], ...] = ()
    note: str | None = None
    holiday: str | None = None
    part: tuple[int, int] | None = None
    first: date | None = None
    """First civil day of a holiday, where "before" counts from; empty = check_in."""
    last: date | None = None
    """Last civil day, where "after" counts from; empty = check_in."""
    window: tuple[date, date] | None = None
    """The first arrival and the last departure inside the period that the stay is placed in."""

    @property
    def nights(self) -> int:
        return (self.check_out - self.check_in).days


DatePoint = WrittenDay | ResolvedStay | DateFault


def spoken(day: date) -> str:
    return f"{day.day} {MONTH_NAMES[day.month - 1]} {day.year}"


def range_label(start: date, end: date) -> str:
    if (start.year, start.month) == (end.year, end.month):
        return f"{start.day}-{spoken(end)}"
    return f"{spoken(start)} - {spoken(end)}"


def written(day: WrittenDay) -> str:
    """The day as a guest would recognise it in a message."""
    if day.month is not None and not 1 <= day.month <= 12:
        return "/".join(str(part) for part in (day.day, day.month, day.year) if part is not None)
    parts = [str(day.day), MONTH_NAMES[day.month - 1] if day.month else ""]
    return " ".join(part for part in [*parts, str(day.year or "")] if part)


def single(on: date, kind: StayKind, label: str, note: str | None = None, others: Sequence[date] = ()) -> ResolvedStay:
    """One night without a given length."""
    return ResolvedStay(on, on + DAY, kind, label, note=note, alternatives=tuple((d, d + DAY) for d in others))


# --- days --------------------------------------------------------------------------------------------------------


def settle(day: WrittenDay, today: date, floor: date | None = None) -> date | DateFault:
    """The date a written day means: as written, or its first occurrence on or after `floor` (default: today)."""
    floor = max(floor or today, today)
    if day.day is None:
        return floor + ((day.weekday or 0) - floor.weekday()) % 7 * DAY
    found = _impossible(day) or (_next(day, floor) if day.year is None else _dated(day, today))
    named = (4, 5) if day.sabbath else (day.weekday or 0,)
    if isinstance(found, date) and day.weekday is not None and found.weekday() not in named:
        name = DAY_NAMES[day.weekday]
        return DateFault(
            "weekday", f"{spoken(found)} is a {DAY_NAMES[found.weekday()]}, not a {name}: which one is meant?"
        )
    return found


def _impossible(day: WrittenDay) -> DateFault | None:
    if day.month is not None and not 1 <= day.month <= 12:
        return DateFault("invalid", f"there is no month {day.month} in {written(day)!r}: give a day and a month 1-12")
    longest = MONTH_DAYS[(day.month or 1) - 1]
    if not 1 <= (day.day or 0) <= longest:
        where = (
            f"{MONTH_NAMES[day.month - 1]} has {longest} days at most" if day.month else "a month has 31 days at most"
        )
        return DateFault("invalid", f"there is no {written(day)!r}: {where}; give another date")
    return None if day.year is None else year_fault(day.year)


def year_fault(year: int) -> DateFault | None:
    """Why a year cannot be looked at; None = it can."""
    if year in YEARS:
        return None
    return DateFault("out_of_range", f"the year {year} is out of range ({CALENDAR}); give a date in the coming years")


def _dated(day: WrittenDay, today: date) -> date | DateFault:
    try:
        found = date(day.year or 0, day.month or 0, day.day or 0)
    except ValueError:
        return DateFault("invalid", f"there is no {written(day)!r} in the calendar; give another date")
    if found < today:
        return DateFault("past", f"{spoken(found)} is in the past (today is {spoken(today)}); give a future date")
    return found


def _next(day: WrittenDay, floor: date) -> date | DateFault:
    """The first date on or after `floor` with this day, and month if given."""
    for step in range(12 * 9):
        year, month = floor.year + (floor.month - 1 + step) // 12, (floor.month - 1 + step) % 12 + 1
        if day.month in (None, month) and (day.day or 0) <= days_in(year, month):
            found = date(year, month, day.day or 1)
            if found >= floor:
                return found
    return DateFault("invalid", f"there is no {written(day)!r} in the coming years; give another date")


def days_in(year: int, month: int) -> int:
    return 29 if month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else (
        28 if month == 2 else MONTH_DAYS[month - 1]
    )  # fmt: skip


def read_day(day: WrittenDay, here: Setting) -> ResolvedStay | DateFault:
    """One night on a written day."""
    found = settle(day, here.today)
    if isinstance(found, DateFault):
        return found
    if day.day is None:
        later = found + 7 * DAY
        return single(found, "relative", DAY_NAMES[found.weekday()], others=(later,) if found == here.today else ())
    return single(found, "explicit", spoken(found), _rolled(day, found, here.today))


def _rolled(day: WrittenDay, found: date, today: date) -> str | None:
    """A note if the date has only just passed, so that next year may not be meant."""
    if day.year is None and day.month is not None and (found - today).days > 320:
        return f"no year was given and the date has passed this year: read as {found.year}"
    return None


# --- ranges ------------------------------------------------------------------------------------------------------


def read_range(
    start: WrittenDay | ResolvedStay, end: WrittenDay | ResolvedStay, here: Setting
) -> ResolvedStay | DateFault:
    """A stay from one point to another; missing months and years are borrowed from the other end."""
    if isinstance(start, WrittenDay) and isinstance(end, WrittenDay):
        start = _borrow(start, end)
    first = settle(start, here.today) if isinstance(start, WrittenDay) else start.check_in
    if isinstance(first, DateFault):
        return first
    last = _ending(start, first, end, here)
    return last if isinstance(last, DateFault) else _stay_between(first, last, start, end, here)


def _borrow(start: WrittenDay, end: WrittenDay) -> WrittenDay:
    """The start with the month and year taken from the end: `17-19 January 2027`, `Dec 30 - Jan 2 2027`."""
    if start.day is None or end.day is None:
        return start
    if start.month is None and end.month is not None:
        crosses = start.day > end.day and start.day >= 31 - LONGEST_CROSSING + end.day
        month = (end.month - 2) % 12 + 1 if crosses else end.month
        start = replace(start, month=month)
    if start.year is None and end.year is not None and start.month and end.month:
        start = replace(start, year=end.year - ((start.month, start.day) > (end.month, end.day)
                                               and end.month < start.month))  # fmt: skip
    return start


def _ending(
    start: WrittenDay | ResolvedStay, first: date, end: WrittenDay | ResolvedStay, here: Setting
) -> date | DateFault:
    if isinstance(end, ResolvedStay):
        named_day = isinstance(start, WrittenDay) and start.day is None and end.kind in {"relative", "weekend"}
        late = named_day and end.check_in <= first and end.nights == 1
        return end.check_in + 7 * DAY if late else _holiday_end(first, end, here)
    if end.day is None:
        return settle(end, here.today, first + DAY)
    if end.month is None:
        return _ending_day(start, first, end, here)
    found = settle(end, here.today, first + DAY)
    if isinstance(found, DateFault) or end.year or found.year == first.year or (found - first).days <= here.max_nights:
        return found
    in_year = (end.month, end.day) <= (first.month, first.day)
    return _order(spoken(first), written(end)) if in_year and (found - first).days > 92 else found


def _ending_day(start: WrittenDay | ResolvedStay, first: date, end: WrittenDay, here: Setting) -> date | DateFault:
    """A departure given as a bare day of the month, in the month of the arrival or just after."""
    if fault := _impossible(end):
        return fault
    if end.year is not None:
        return settle(replace(end, month=first.month), here.today)
    if (end.day or 0) > first.day and isinstance(start, WrittenDay) and start.month is not None:
        return settle(replace(end, month=first.month, year=first.year), here.today)
    found = settle(end, here.today, first + DAY)
    if isinstance(found, date) and found.month != first.month and (found - first).days > LONGEST_CROSSING:
        return _order(spoken(first), f"the {end.day}")
    return found


def _holiday_end(first: date, end: ResolvedStay, here: Setting) -> date:
    """Where a range up to a holiday or a named day ends; the next occurrence if it lies before the start."""
    last = end.first if end.holiday and end.first else end.check_in
    if end.holiday and last <= first:
        for found in occurrences(end.holiday, here.country, first.year, here.church):
            if found.first > first:
                return found.first
    return last


def _order(start: str, end: str) -> DateFault:
    return DateFault("order", f"the departure {end} is not after the arrival {start}: which dates are meant?")


def _stay_between(
    first: date, last: date, start: WrittenDay | ResolvedStay, end: WrittenDay | ResolvedStay, here: Setting
) -> ResolvedStay | DateFault:
    if last <= first:
        return _order(spoken(first), spoken(last))
    dated = isinstance(start, WrittenDay) and isinstance(end, WrittenDay) and start.day is not None
    kinds = [point.kind for point in (start, end) if isinstance(point, ResolvedStay)]
    kind: StayKind = "explicit" if dated else "part" if "holiday" in kinds or "part" in kinds else "relative"
    note = _rolled(start, first, here.today) if isinstance(start, WrittenDay) else None
    found = ResolvedStay(first, last, kind, range_label(first, last), explicit=True, fixed=True, note=note)
    return count_fault(found.nights, here) or found


# --- nights ------------------------------------------------------------------------------------------------------


def count_fault(nights: int, here: Setting) -> DateFault | None:
    """Why a count of nights cannot be a stay, whatever the date."""
    if nights < 1:
        return DateFault("invalid", f"a stay of {nights} nights is not possible: give at least one night")
    if nights > here.max_nights:
        return DateFault("too_long", f"{nights} nights are more than the {here.max_nights} that can be booked at once")
    return None


def with_nights(found: ResolvedStay, nights: int, here: Setting) -> ResolvedStay | DateFault:
    """The same arrival for a counted number of nights; on a holiday, its first nights."""
    if fault := count_fault(nights, here):
        return fault
    if found.holiday and found.part == (0, 1) and nights > 1:
        return _from_first_night(found, nights)
    if found.fixed:
        return found if found.nights == nights else _mismatch(found, nights)
    end = found.check_in + nights * DAY
    counted = replace(found, check_out=end, explicit=True, fixed=True, alternatives=_recount(found, nights))
    if found.kind == "explicit" and found.label == spoken(found.check_in) and nights > 1:
        counted = replace(counted, label=range_label(found.check_in, end))
    if found.holiday and found.part is None and nights < found.nights:
        label = f"{_count(nights)} of {found.label}"
        return replace(counted, kind="part", part=(0, nights), label=label, alternatives=_other_nights(found, nights))
    return counted if nights != found.nights else replace(found, explicit=True, fixed=True)


def _from_first_night(found: ResolvedStay, nights: int) -> ResolvedStay:
    """`Purim eve, two nights`, `first candle, 3 nights`: the eve is the arrival, and the count is the length."""
    end = found.check_in + nights * DAY
    label = range_label(found.check_in, end)
    return ResolvedStay(found.check_in, end, "explicit", label, explicit=True, fixed=True)


def _count(nights: int) -> str:
    return f"{nights} night{'s' if nights > 1 else ''}"


def _mismatch(found: ResolvedStay, nights: int) -> DateFault:
    counted_nights = _count(found.nights)
    return DateFault(
        "unclear", f"{found.label} is {counted_nights}, not {nights}: give the dates or the number of nights, not both"
    )


def _recount(found: ResolvedStay, nights: int) -> tuple[tuple[date, date], ...]:
    """Other arrivals, for the counted nights."""
    starts = dict.fromkeys(start for start, _ in found.alternatives if start != found.check_in)
    return tuple((start, start + nights * DAY) for start in starts) if found.kind != "holiday" else ()


def _other_nights(found: ResolvedStay, nights: int) -> tuple[tuple[date, date], ...]:
    """The same number of nights later in the holiday."""
    starts = [found.check_in + n * DAY for n in range(1, found.nights - nights + 1)]
    return tuple((start, start + nights * DAY) for start in starts)


def within(found: ResolvedStay, nights: int) -> ResolvedStay:
    """A stay of a given length inside a range: its first nights, with the others as alternatives."""
    pairs = _other_nights(found, nights)
    end = found.check_in + nights * DAY
    note = f"any {_count(nights)} inside {found.label}: the first, as an example"
    window = (found.check_in, found.check_out)
    return replace(found, check_out=end, kind="span", alternatives=pairs, note=note, window=window)


# --- holidays ----------------------------------------------------------------------------------------------------


def read_holiday(name: str, here: Setting, year: int | None = None) -> ResolvedStay | DateFault:
    """The running or next occurrence of a holiday, or the one of a civil year, from its true first night on."""
    if year is not None and (fault := year_fault(year)):
        return fault
    if name in VAGUE:
        choices = ", ".join(VAGUE[name][1:])
        return DateFault("unclear", f"{name!r} can mean several: {choices}; name one, or give dates")
    try:
        known = occurrences(name, here.country, year or here.today.year, here.church)
    except (ValueError, OverflowError):
        known = []
    if not known:
        return DateFault("unclear", f"the dates of {name!r} are not known in {here.country}; give the dates")
    if year is not None:
        known = [found for found in known if year in (found.check_in.year, found.first.year)][:1]
    found = next((each for each in known if each.check_out > here.today), None)
    if found is None:
        when = f" in {year}" if year else ""
        return DateFault("past" if known else "unclear", f"{name}{when} is in the past; name a future year")
    stay = ResolvedStay(found.check_in, found.check_out, found.kind, name, found.explicit, holiday=name)
    return replace(stay, alternatives=found.alternatives, note=found.note, first=found.first, last=found.last)


def begun(found: ResolvedStay | DateFault, here: Setting) -> ResolvedStay | DateFault:
    """A holiday without the nights that have passed; a long one as a short stay inside it."""
    if isinstance(found, DateFault):
        return found
    start = max(found.check_in, here.today)
    note = found.note if start == found.check_in else "already begun: from today to its end"
    others = tuple(pair for pair in found.alternatives if pair[0] >= here.today)
    stay = replace(found, check_in=start, note=note, alternatives=others)
    return place(stay, start, found.check_out) if found.kind == "span" and found.nights > 7 else stay


def place(found: ResolvedStay, start: date, end: date) -> ResolvedStay:
    """A short stay of two nights inside a long span, away from its edges when there is room."""
    room = (end - start).days
    nights = min(2, room)
    begin = start + max(0, (room - nights) // 2) * DAY
    note = found.note or f"no nights were given: two nights inside {range_label(start, end)} as an example"
    return replace(found, check_in=begin, check_out=begin + nights * DAY, note=note)


# --- results -----------------------------------------------------------------------------------------------------


def date_resolution(found: ResolvedStay | DateFault, here: Setting) -> DateResolution:
    """A resolved stay as the caller sees it; stays before today or beyond the limit become errors."""
    if isinstance(found, ResolvedStay):
        if found.check_in < here.today:
            found = DateFault("past", f"{spoken(found.check_in)} is in the past (today is {spoken(here.today)})")
        elif not in_calendar(found.check_out):
            found = DateFault(
                "out_of_range", f"{found.label} is out of range ({CALENDAR}); give a date in the coming years"
            )
        else:
            found = count_fault(found.nights, here) or found
    if isinstance(found, DateFault):
        return DateResolution(error=found.error, message=found.message)
    others = [pair for pair in found.alternatives if in_calendar(pair[0]) and in_calendar(pair[1])]
    stay = Stay(
        check_in=found.check_in,
        check_out=found.check_out,
        nights=found.nights,
        nights_explicit=found.explicit,
        kind=found.kind,
        label=found.label,
        alternatives=others,
        note=found.note,
    )
    return DateResolution(stays=[stay])
