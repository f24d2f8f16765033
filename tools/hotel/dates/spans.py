"""Weekends, weeks, months and pieces of holidays, as stays."""

from dataclasses import replace
from datetime import date
from typing import Literal

from wavegraph.tools.hotel.dates.holiday_calendar import nth_weekday
from wavegraph.tools.hotel.dates.resolution import (
    DAY,
    DAY_NAMES,
    MONTH_NAMES,
    DateFault,
    ResolvedStay,
    Setting,
    days_in,
    place,
    range_label,
    spoken,
    year_fault,
)

PeriodPart = Literal["early", "mid", "late", "first half", "second half"]
FRIDAY = 4


# --- weekends ----------------------------------------------------------------------------------------------------


def weekend_start(day: date, here: Setting) -> date:
    """First night of the current or next weekend."""
    first, nights = here.weekend
    start = day - (day.weekday() - first) % 7 * DAY
    return start if day < start + nights * DAY else start + 7 * DAY


def weekend(start: date, here: Setting, label: str, long: bool = False) -> ResolvedStay | DateFault:
    """The weekend that begins on `start`, without the nights that have passed."""
    first, nights = here.weekend
    end = start + (nights + long) * DAY
    begin = max(start, here.today)
    if end <= here.today:
        return DateFault("past", f"the weekend of {spoken(start)} is in the past; name a future one")
    names = " + ".join(DAY_NAMES[(first + n) % 7][:3] for n in range(nights + long))
    note = f"weekend = {names} nights" if begin == start else "the first night has passed: from tonight on"
    return ResolvedStay(begin, end, "weekend", label, note=note, alternatives=_other_weekend_stays(begin, end))


def _other_weekend_stays(begin: date, end: date) -> tuple[tuple[date, date], ...]:
    pairs = [(begin + DAY, end), (begin + DAY, end + DAY), (begin, end + DAY)]
    return tuple((a, b) for a, b in pairs if a < b <= begin + 4 * DAY)


def relative_weekend(weeks: int, here: Setting, label: str, long: bool = False) -> ResolvedStay | DateFault:
    """The weekend `weeks` after the current or next one (0 = this weekend).

    On its departure day (Saturday in Israel) a weekend still runs: "next" is then the coming one, and so is "this",
    since no night is left of the current one.
    """
    first, nights = here.weekend
    departing = weeks > 0 and (here.today.weekday() - first) % 7 == nights
    found = weekend(weekend_start(here.today, here) + 7 * (weeks - departing) * DAY, here, label, long)
    if departing or weeks != 1 or isinstance(found, DateFault) or here.today.weekday() not in (6, 0, 1):
        return found
    sooner = weekend(weekend_start(here.today, here), here, label)
    if isinstance(sooner, DateFault):
        return found
    pairs = (*found.alternatives, (sooner.check_in, sooner.check_out))
    return replace(found, alternatives=pairs, note=f"{found.note}; not the one of {spoken(sooner.check_in)}")


def weekend_of(day: date, here: Setting, label: str, long: bool = False) -> ResolvedStay | DateFault:
    """The weekend nearest to a day, nights and departure day counted as inside."""
    start = weekend_start(day, here)
    before = start - 7 * DAY
    gap = (day - (before + here.weekend[1] * DAY)).days
    ahead = (start - day).days
    return weekend(before if ahead > 0 and gap < ahead else start, here, label, long)


def weekend_in_month(month: int, year: int, n: int, here: Setting, label: str) -> ResolvedStay | DateFault:
    """The n-th weekend of a month (-1 = last); a weekend belongs to the month of its Friday, else of its first night."""
    if fault := year_fault(year):
        return fault
    first, nights = here.weekend
    shift = (FRIDAY - first) % 7
    shift = shift if shift <= nights else 0
    day = nth_weekday(year, month, (first + shift) % 7, n)
    if day.month != month:
        return DateFault("invalid", f"{MONTH_NAMES[month - 1]} {year} has no weekend number {n}")
    return weekend(day - shift * DAY, here, label)


def weekend_in_holiday(found: ResolvedStay | DateFault, here: Setting) -> ResolvedStay | DateFault:
    """The first weekend whose nights all lie inside a holiday, else the one nearest to it."""
    if isinstance(found, DateFault):
        return found
    label = f"weekend of {found.label}"
    here = replace(here, weekend=here.holiday_weekend)
    first = weekend_start(found.check_in, here)
    starts = [start for start in (first, first + 7 * DAY) if found.check_in <= start]
    inside = [start for start in starts if start + here.weekend[1] * DAY <= found.check_out]
    inner = weekend(inside[0], here, label) if inside else weekend_of(found.first or found.check_in, here, label)
    if isinstance(inner, DateFault):
        return inner
    inner = _bridge(inner, found)
    at = (inner.check_in - found.check_in).days
    part = (at, at + inner.nights) if at >= 0 and inner.check_out <= found.check_out else None
    return replace(inner, kind="part", holiday=found.holiday, part=part)


def _bridge(inner: ResolvedStay, found: ResolvedStay) -> ResolvedStay:
    """A one-day holiday next to the weekend extends it: Labor Day weekend, Thanksgiving weekend."""
    day = found.first
    if found.nights > 1 or day is None:
        return inner
    short = ((inner.check_in, inner.check_out), *inner.alternatives)
    if day == inner.check_out + DAY * (day.weekday() == 0 and inner.check_out.weekday() == 6):
        return replace(inner, check_out=day, alternatives=short) if day > inner.check_out else inner
    if day == inner.check_in - DAY and day.weekday() == 3:
        return replace(inner, check_in=day, alternatives=short)
    return inner


# --- weeks -------------------------------------------------------------------------------------------------------


def week_start(day: date, here: Setting) -> date:
    return day - (day.weekday() - here.week_start) % 7 * DAY


def week(start: date, here: Setting, label: str) -> ResolvedStay | DateFault:
    """A week as a stay of six nights, so that it fits the week however its ends are counted."""
    begin, end = max(start, here.today), start + 6 * DAY
    if end + DAY <= here.today:
        return DateFault("past", f"the week of {spoken(start)} is in the past; name a future one")
    end = max(end, begin + DAY)
    note = f"no nights were given: the week of {range_label(start, start + 6 * DAY)}"
    window = (begin, max(end, start + 7 * DAY))
    return ResolvedStay(begin, end, "span", label, note=note, first=start, last=start + 6 * DAY, window=window)


def week_part(start: date, part: PeriodPart, here: Setting, label: str) -> ResolvedStay | DateFault:
    """Two nights at the beginning, in the middle or at the end of a week."""
    begin = start + {"early": 0, "mid": 2}.get(part, 4) * DAY
    if begin + 2 * DAY <= here.today:
        return DateFault("past", f"{label!r} is in the past; name a future week")
    begin = max(begin, here.today)
    note = "no nights were given: two nights as an example"
    return ResolvedStay(begin, begin + 2 * DAY, "span", label, note=note, first=start, last=start + 6 * DAY)


def week_around(day: ResolvedStay | DateFault, label: str, here: Setting) -> ResolvedStay | DateFault:
    """The calendar week of a day; a holiday of a week is that week."""
    if isinstance(day, DateFault) or (day.holiday and day.nights >= 6):
        return day
    found = week(week_start(day.first or day.check_in, here), here, label)
    return replace(found, holiday=day.holiday) if isinstance(found, ResolvedStay) else found


def week_in_month(month: int, year: int, n: int, here: Setting, label: str) -> ResolvedStay | DateFault:
    """The n-th seven days of a month (-1 = its last seven)."""
    if fault := year_fault(year):
        return fault
    size = days_in(year, month)
    first = size - 6 if n < 0 else 7 * n - 6
    if first > size - 1:
        return DateFault("invalid", f"{MONTH_NAMES[month - 1]} {year} has no week number {n}")
    start = date(year, month, first)
    found = week(start, here, label)
    if isinstance(found, DateFault) or found.check_out.month == month or n < 0:
        return found
    return replace(found, check_out=date(year, month, size))


# --- months ------------------------------------------------------------------------------------------------------


def month_year(month: int, here: Setting) -> int:
    """The year in which this month comes next, the current month included."""
    return here.today.year + (month < here.today.month)


_WINDOWS: dict[PeriodPart, tuple[int, int]] = {
    "early": (1, 10),
    "mid": (11, 20),
    "late": (21, 31),
    "first half": (1, 15),
    "second half": (16, 31),
}


def month_span(month: int, year: int, part: PeriodPart | None, here: Setting, label: str) -> ResolvedStay | DateFault:
    """Two nights inside a month, or inside its beginning, middle or end; never before today."""
    if fault := year_fault(year):
        return fault
    size = days_in(year, month)
    low, high = _WINDOWS[part] if part else (1, size)
    start, end = date(year, month, low), date(year, month, min(high, size))
    if end < here.today:
        return DateFault("past", f"{label} {year} is in the past; name a future month")
    found = ResolvedStay(start, end + DAY, "span", label, first=date(year, month, 1), last=date(year, month, size))
    begin = max(start, here.today)
    return place(replace(found, window=(begin, end + DAY)), begin, end + DAY)


def all_nights(found: ResolvedStay, here: Setting) -> ResolvedStay:
    """Every night of a period, as far as one stay can be read."""
    start, end = found.window or (found.check_in, found.check_out)
    end = min(end, start + here.max_nights * DAY)
    return replace(found, check_in=start, check_out=end, kind="relative", explicit=True, note=None)


def whole_month(month: tuple[int, int], here: Setting) -> tuple[date, date]:
    """First arrival and last departure in a (month, year), from today on."""
    first = date(month[1], month[0], 1)
    return max(first, here.today), first + days_in(month[1], month[0]) * DAY


def month_with_nights(found: ResolvedStay, nights: int, here: Setting) -> ResolvedStay:
    """A stay of a given length in the middle of a month, inside it if it fits."""
    first, last = max(found.first or found.check_in, here.today), found.last or found.check_out
    room = (last - first).days
    begin = min(found.check_in, max(first, last - nights * DAY)) if room > nights else first
    return replace(found, check_in=begin, check_out=begin + nights * DAY, explicit=True, fixed=True, note=None)


# --- pieces of holidays ------------------------------------------------------------------------------------------


def piece(found: ResolvedStay, part: tuple[int, int], label: str, explicit: bool) -> ResolvedStay | DateFault:
    """The nights `part` of a whole holiday, as indexes into its dates check_in..check_out."""
    dates = [found.check_in + n * DAY for n in range(found.nights + 1)]
    if not all(-len(dates) <= i < len(dates) for i in part) or dates[part[0]] >= dates[part[1]]:
        return DateFault("invalid", f"{found.label} has {found.nights} nights: {label!r} is not one of them")
    start, end = dates[part[0]], dates[part[1]]
    stay = ResolvedStay(start, end, "part", label, explicit, explicit, holiday=found.holiday, part=part)
    return replace(stay, first=start, last=end)


HALVES: dict[int, PeriodPart] = {1: "first half", 2: "second half", -1: "second half"}


def part_of_holiday(found: ResolvedStay | DateFault, part: PeriodPart) -> ResolvedStay | DateFault:
    """Two nights at the beginning, in the middle or at the end of a holiday, or half of it."""
    if isinstance(found, DateFault):
        return found
    n, half = min(2, found.nights), found.nights // 2
    low = max(0, (found.nights - n) // 2)
    ends = {"early": (0, n), "mid": (low, low + n), "late": (-n - 1, -1), "first half": (0, half)}
    name = f"{part} of {found.label}" if " " in part else f"{part} {found.label}"
    return piece(found, ends.get(part, (half, found.nights)), name, False) if half or " " not in part else found


def night_after(found: ResolvedStay, label: str) -> ResolvedStay:
    """The night on which a holiday has just ended (motzei)."""
    end = (found.last or found.check_in) if found.holiday else found.check_in
    return ResolvedStay(end, end + DAY, "part", label, explicit=True, holiday=found.holiday)
