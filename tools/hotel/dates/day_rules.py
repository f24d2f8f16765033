"""Grammar of single days: written dates, of either calendar, and weekdays."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from dateutil.relativedelta import relativedelta
from pyluach.dates import HebrewDate  # type: ignore[import-untyped]
from pyluach.hebrewcal import Year  # type: ignore[import-untyped]

from wavegraph.tools.hotel.dates.holiday_calendar import ADAR, nth_weekday
from wavegraph.tools.hotel.dates.resolution import (
    DAY,
    DAY_NAMES,
    YEARS,
    DateFault,
    DatePoint,
    ResolvedStay,
    Setting,
    WrittenDay,
    settle,
    single,
    year_fault,
)
from wavegraph.tools.hotel.dates.sentence import Parsed, Sentence, hebrew, month_number, names_something, number, year
from wavegraph.tools.hotel.dates.spans import month_year, week_start

# --- written dates -----------------------------------------------------------------------------------------------


def numeric_date(s: Sentence, i: int) -> Parsed:
    """`17/1`, `17.1.27`, `2027-01-17`: day first except in the US; a number above 12 cannot be the month."""
    lex = s.at(i)
    if lex.written is None or lex.counted:
        return None
    first, second, year_ = lex.written
    month_first = lex.iso or s.here.month_first or _month_first_beside(s, i)
    month, day = (first, second) if month_first else (second, first)
    if not lex.iso and month > 12 >= day:
        month, day = day, month
    doubtful = month > 12 or day > 31 or lex.word == "24/7"
    if doubtful and not (s.strict or lex.iso or year_ or _led(s, i)):
        return None
    return WrittenDay(day, month, year_), i + 1


def _month_first_beside(s: Sentence, i: int) -> bool:
    """`6/9 to 6/13`: the other date of the range has its month first."""
    others = [s.at(n) for n in (i - 2, i + 2) if s.key((n + i) // 2, "to", "dash")]
    dates = [lex.written for lex in others if lex.written and not lex.iso and "/" in lex.word]
    return "/" in s.at(i).word and any(month <= 12 < day for month, day, _ in dates)


def _led(s: Sentence, i: int) -> bool:
    """Whether a date word stands next to it, without which `50/50` or `9.99` in a sentence is not a date."""
    return s.key(i - 1, "on", "from", "for", "in", "to", "dash", "arrive", "leave") or s.key(i + 1, "to")


def day_month(s: Sentence, i: int) -> Parsed:
    """`17 January 2027`, `the 3rd of February`, `17 בינואר`."""
    start = s.skip(i, "the")
    at = s.skip(start + 1, "of", "in", "the")
    at += s.key(at, "for") and s.at(at).word == "ל"
    at += _tight_dash(s, at) and bool(s.at(at + 1).month)
    lettered = len(s.at(start).word) == 2 and s.key(at - 1, "in")
    day = month_number(s, start) or (_letters(s.at(start).word) if lettered else None)
    if month_number(s, start) == 0:
        day = 0
    if day is None or not (month := s.at(at).month):
        return None
    if short := _short_year(s, day, at):
        return short
    after = number(s, at + 1)
    if after is not None and after <= 31 and not _opens_another(s, at + 1):
        return None
    tail = at + 2 if _tight_dash(s, at + 1) and year(s, at + 2) else at + 1
    return _with_year(s, WrittenDay(day, month), tail)


def _tight_dash(s: Sentence, i: int) -> bool:
    """The dash of `17-Jan-2027`, without a space on either side."""
    return s.key(i, "dash") and s.at(i - 1).end == s.at(i).start and s.at(i).end == s.at(i + 1).start


def _short_year(s: Sentence, day: int, at: int) -> Parsed:
    """`17 Jan 27`, `17 Jan '27`: a two-digit year near today's, at the end of a date."""
    at_year = at + 1 + (s.at(at + 1).word in {"'", "’"})
    lex, after = s.at(at_year), s.at(at_year + 1)
    near = lex.num is not None and 0 <= lex.num + 2000 - s.here.today.year <= 3
    if (
        not near
        or lex.counted
        or lex.ordinal
        or len(lex.word) != 2
        or after.unit
        or after.month
        or after.num is not None
    ):
        return None
    if (
        s.key(at_year + 1, "dash", "to", "and", "or", "of", "in")
        and not s.at(at_year).word.startswith("'")
        and (s.at(at_year + 2).month is None and s.at(at_year + 3).month is None)
    ):
        return None
    return WrittenDay(day, s.at(at).month, (lex.num or 0) + 2000), at_year + 1


def _opens_another(s: Sentence, i: int) -> bool:
    """The number here belongs to what follows ("5 Dec 2 nights", "10 Dec 12 Dec"), not to the month before it."""
    return bool(s.at(i + 1).unit or s.at(i + 1).month or s.at(s.skip(i + 1, "of", "in")).month)


def month_day(s: Sentence, i: int) -> Parsed:
    """`January 17, 2027`, `Feb 3rd`, `next month 10-12`."""
    next_month = _next_month(s, i)
    if not (s.at(i).month or next_month):
        return None
    at = s.skip(next_month, "the", "on", "from", ",") if next_month else s.skip(i + 1, "the", "on")
    day = month_number(s, at)
    if day is None or (s.at(at + 1).unit in {"night", "week"} and not s.at(at).ordinal):
        return None
    if next_month:
        return (_in_next_month(s, day), at + 1) if not names_something(s, at + 1) else None
    return _with_year(s, WrittenDay(day, s.at(i).month), at + 1)


def _next_month(s: Sentence, i: int) -> int:
    """Where `next month`, `חודש הבא` ends; 0 = it is not here."""
    at = s.skip(i, "the")
    if s.key(at, "next") and s.unit(at + 1, "month"):
        return 0 if s.at(at + 1).num else at + 2
    after = s.skip(at + 1, "the")
    return after + 1 if s.unit(at, "month") and not s.at(at).num and s.key(after, "next") else 0


def _in_next_month(s: Sentence, day: int) -> WrittenDay:
    then = s.here.today + relativedelta(months=1)
    return WrittenDay(day, then.month, then.year)


def _with_year(s: Sentence, day: WrittenDay, i: int) -> Parsed:
    found = year(s, i)
    return (replace(day, year=found[0]), found[1]) if found else (day, i)


def ordinal_month(s: Sentence, i: int) -> Parsed:
    """`השישי בשביעי`: the sixth day of the seventh month."""
    start = s.skip(i, "the")
    at = s.skip(start + 1, "in", "of", "the")
    day, month = s.at(start), s.at(at)
    ordinals = day.ordinal and month.ordinal and hebrew(day.word) and hebrew(month.word)
    if not ordinals or not s.key(start - 1, "the") or not s.key(start + 1, "in") or names_something(s, at + 1):
        return None
    return None if s.at(at + 1).unit else _with_year(s, WrittenDay(day.num, month.num), at + 1)


def day_alone(s: Sentence, i: int) -> Parsed:
    """`the 3rd`, `5th`, `ה-5 לחודש`, `the 5th of next month`: a day of the running or next month."""
    start = s.skip(i, "the")
    day = month_number(s, start)
    if day is None:
        return None
    if found := _of_month(s, day, start + 1):
        return found
    digits = s.at(start).word[:1].isdigit()
    if not (s.at(start).ordinal and digits) or names_something(s, start + 1) or s.at(start + 1).unit:
        return None
    return WrittenDay(day), start + 1


def _of_month(s: Sentence, day: int, i: int) -> Parsed:
    """The rest of "5 of next month", "5 next month", "5 לחודש הבא"."""
    at = s.skip(i, "of", "the", "for", "in")
    if at == i:
        return (_in_next_month(s, day), end) if (end := _next_month(s, i)) else None
    turn = 1 if s.key(at, "next") or (s.unit(at, "month") and s.key(at + 1, "next")) else 0
    named = s.key(at, "next", "this")
    if not s.unit(at + named, "month") or s.at(at + named).num:
        return None
    end = at + named + 1 + (not named and s.key(at + 1, "next", "this"))
    return (_in_next_month(s, day) if turn else WrittenDay(day)), end


def bare_day(s: Sentence, i: int) -> Parsed:
    """A number that is a day only because it is next to a date in a range or list: `17` in `17-19 January`."""
    start = s.skip(i, "the", "on")
    day = month_number(s, start)
    if day is None or s.unit(start + 1, "night", "day", "week", "month", "weekend"):
        return None
    firm = s.at(start).ordinal or s.at(start - 1).key == "the"
    found = _with_year(s, WrittenDay(day, bare=not firm), start + 1)
    return found


SABBATH = frozenset({"שבת", "shabbat", "shabbos"})


def with_weekday(s: Sentence, i: int) -> Parsed:
    """A written date with its weekday before or after: `Saturday December 5`, `5.12 (Saturday)`, `יום שבת 5.12`."""
    found = weekday_name(s, s.skip(i, "this"))
    if found is not None:
        at = s.skip(found[1], ",", "on", "in", "the")
        rest = written_day(s, at)
        if rest and isinstance(rest[0], WrittenDay):
            sabbath = s.at(found[1] - 1).word in SABBATH
            return replace(rest[0], weekday=found[0], sabbath=sabbath), rest[1]
        return _numbered_weekday(s, found) if not s.key(i, "this") else None
    rest = written_day(s, i)
    if rest is None or not isinstance(rest[0], WrittenDay):
        return None
    at = rest[1] + (s.at(rest[1]).word == "(")
    named = weekday_name(s, at)
    if named is None or (at > rest[1] and s.at(named[1]).word != ")") or (at == rest[1] and s.at(at).key != ""):
        return None
    return replace(rest[0], weekday=named[0]), named[1] + (s.at(named[1]).word == ")")


def _numbered_weekday(s: Sentence, named: tuple[int, int]) -> Parsed:
    """`Tuesday 24`, `Friday the fifth`: the day of the running or next month."""
    at = s.skip(named[1], "the")
    day = month_number(s, at)
    if (
        not day
        or day > 31
        or s.at(at).weekday is not None
        or s.at(at + 1).unit
        or names_something(s, at + 1)
        or s.key(at + 1, "or", "dash", "to")
    ):
        return None
    return WrittenDay(day, weekday=named[0]), at + 1


def written_day(s: Sentence, i: int) -> Parsed:
    """A date with its month, or a bare ordinal."""
    for rule in (numeric_date, day_month, ordinal_month, month_day, day_alone):
        if found := rule(s, i):
            return found
    return None


_LETTERS = dict(zip("אבגדהוזחטיכל", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30), strict=True))


def hebrew_date(s: Sentence, i: int) -> Parsed:
    """A date of the Hebrew calendar, `15 Nisan`, `15 Nisan 5787` or `ט״ו בניסן`; the note says that it begins on the evening
    before."""
    day = month_number(s, i) or _letters(s.at(i).word)
    at = s.skip(i + 1, "of", "in")
    month = s.at(at).hebrew_month
    if not month or not day:
        return None
    end = at + 1 + (month == ADAR and s.at(at + 1).word in _ADARS)
    month = _ADARS[s.at(end - 1).word] if end > at + 1 else month
    given = year(s, end) or (None, end)
    return _hebrew_night(day, month, given[0], s.words(i, given[1]), s.here), given[1]


_FIRST_ADAR = 0
_ADARS = {"א": _FIRST_ADAR, "i": _FIRST_ADAR, "ראשון": _FIRST_ADAR, "ב": ADAR, "ii": ADAR, "שני": ADAR}
"""After the name of the month in a leap year."""


def _letters(word: str) -> int | None:
    """The value of a number written in Hebrew letters, 1-30."""
    tens = word[:1] in "יכל" or word in ("טו", "טז")
    if word[:1] in "במל" and (len(word) == 3 or (len(word) == 2 and (not tens or word[0] == "ל"))):
        word = word[1:]  # `בכ״ה בשבט`, `בט' באדר`
    value = sum(_LETTERS.get(letter, 99) for letter in word) if 1 <= len(word) <= 2 else 99
    return value if 1 <= value <= 30 else None


def _hebrew_night(day: int, month: int, given: int | None, label: str, here: Setting) -> ResolvedStay | DateFault:
    """`given`: a Hebrew year, or a civil one; None = the next time."""
    days = [found for hebrew_year in _hebrew_years(given, here) if (found := _hebrew_day(hebrew_year, month, day))]
    if given in YEARS:
        days = [found for found in days if found.year == given]
    if not days:
        return DateFault("invalid", f"there is no {label!r} in the Hebrew calendar; give another date")
    found = next((found for found in days if found >= here.today), None)
    if found is None:
        return DateFault("past", f"{label!r} is in the past (today is {here.today}); give a future date")
    note = "the Hebrew day begins the evening before"
    return single(found, "explicit", label, note, (found - DAY,) if found > here.today else ())


def _hebrew_years(given: int | None, here: Setting) -> Sequence[int]:
    if given is not None and given not in YEARS:
        return [given]
    civil = given or here.today.year
    return range(civil + 3760, civil + 3763)


def _hebrew_day(hebrew_year: int, month: int, day: int) -> date | None:
    """None = that year has no such day, or Python no such date."""
    try:
        actual = 13 if month == ADAR and Year(hebrew_year).leap else month or ADAR
        found: date = HebrewDate(hebrew_year, actual, day).to_pydate()
    except ValueError:
        return None
    return found


# --- weekdays ----------------------------------------------------------------------------------------------------

_HEBREW_DAY_LETTERS = dict(zip("אבגדהוש", (6, 0, 1, 2, 3, 4, 5), strict=True))


def weekday_name(s: Sentence, i: int) -> tuple[int, int] | None:
    """`Friday`, `Friday night`, `יום שישי`, `יום ו'`, `שישי`: the weekday and where it ends."""
    i = s.skip(i, "the")
    if s.at(i).word == "ליל" and s.at(i + 1).word == "שבת":
        return 4, i + 2
    if s.at(i).word == "יום":
        letter = _HEBREW_DAY_LETTERS.get(s.at(i + 1).word) if len(s.at(i + 1).word) == 1 else None
        found = letter if letter is not None else s.at(i + 1).weekday
        return (found, i + 2) if found is not None else None
    if s.at(i).weekday is None or (s.unit(i + 1, "night") and s.at(i).num is not None):
        return None
    return s.at(i).weekday or 0, i + 1 + (s.at(i + 1).word in {"night", "evening", "morning", "."})


def weekday(s: Sentence, i: int) -> Parsed:
    """`Friday`, `this coming Friday`, `next Friday`, `יום חמישי הקרוב`, `Friday next week`, `Sunday week`."""
    start = s.skip(i, "the")
    before = s.skip(start, "this", "next", "previous", "last")
    if led := _week_before(s, i):
        return led
    named = weekday_name(s, before)
    if named is None:
        return None
    after = s.skip(named[1], "the")
    turns = [s.at(n).key for n in range(start, before)]
    if s.key(after, "this", "next", "previous") and not s.unit(after + 1, "week", "weekend", "month", "night"):
        turns, named = [*turns, s.at(after).key], (named[0], after + 1)
    if not turns and s.key(named[1], "after") and s.key(named[1] + 1, "next"):
        on = in_week(s.here, named[0]) + 7 * DAY
        return single(on, "relative", s.words(i, named[1] + 2), _say_date(on), (on - 7 * DAY,)), named[1] + 2
    if not turns and (far := _in_next_week(s, named)):
        return far
    if not turns and _is_weak(s, i, named[1]):
        return None
    return _turned_weekday(s, named[0], turns, s.words(i, named[1])), named[1]


def _is_weak(s: Sentence, i: int, end: int) -> bool:
    """An abbreviation or a Hebrew ordinal that nothing marks as a weekday."""
    lex = s.at(end - 1)
    if s.strict or not lex.weak or s.at(i).word == "יום":
        return False
    beside = s.key(i - 1, "on", "from", "to", "dash", "between") or s.key(end, "to", "dash")
    led = i - 1 - (s.key(i - 1, "in") or s.at(i - 1).word == ":")
    beside = beside or s.key(led, "leave", "arrive")
    return not beside or lex.word.endswith("days")


def _in_next_week(s: Sentence, named: tuple[int, int]) -> Parsed:
    at = s.skip(named[1], "in", "of", "the", "on")
    turn = (s.key(at, "next") and s.unit(at + 1, "week")) or (s.unit(at, "week") and s.key(at + 1, "next"))
    if turn and not s.at(at).num:
        return single(in_week(s.here, named[0]), "relative", s.words(named[1] - 1, at + 2)), at + 2
    if s.unit(named[1], "week") and s.at(named[1]).word == "week":
        first = settle(WrittenDay(weekday=named[0]), s.here.today)
        return single(_date(first) + 7 * DAY, "relative", s.words(named[1] - 1, named[1] + 1)), named[1] + 1
    return None


def _week_before(s: Sentence, i: int) -> Parsed:
    """`next week Friday`, `בשבוע הבא ביום שלישי`."""
    at = s.skip(i, "the")
    turn = (s.key(at, "next") and s.unit(at + 1, "week")) or (s.unit(at, "week") and s.key(at + 1, "next"))
    named = weekday_name(s, s.skip(at + 2, "on", "in", ",")) if turn and not s.at(at).num else None
    if named is None:
        return None
    return single(in_week(s.here, named[0]), "relative", s.words(i, named[1])), named[1]


def in_week(here: Setting, day: int) -> date:
    """A weekday of the next calendar week."""
    start = week_start(here.today, here) + 7 * DAY
    return start + (day - start.weekday()) % 7 * DAY


def _date(found: date | DateFault) -> date:
    """A bare weekday always settles."""
    assert isinstance(found, date)
    return found


def _turned_weekday(s: Sentence, day: int, turns: list[str], label: str) -> DatePoint:
    today = s.here.today
    first = today + (day - today.weekday()) % 7 * DAY
    if "previous" in turns or turns == ["last"]:
        return DateFault("past", f"{label!r} is in the past; name a future {DAY_NAMES[day]}")
    if not turns:
        return WrittenDay(weekday=day)
    if "this" in turns:
        return single(first, "relative", label, others=(first + 7 * DAY,) if first == today else ())
    found = in_week(s.here, day)
    others = {first, first + 7 * DAY} - {found, today}
    return single(found, "relative", label, "" or _say_date(found), sorted(others))


def _say_date(day: date) -> str:
    return f"read as {DAY_NAMES[day.weekday()]} {day.day}.{day.month}.{day.year}"


def weekday_in_month(s: Sentence, i: int) -> Parsed:
    """`first Monday of March`, `last Friday in December`."""
    i = s.skip(i, "the")
    n = -1 if s.key(i, "last") else s.at(i).num if s.at(i).ordinal else None
    named = weekday_name(s, i + 1) if n else None
    if n is None or named is None or not 1 <= abs(n) <= 5:
        return None
    at = s.skip(named[1], "of", "in", "the")
    month = s.at(at).month
    if at == named[1] or not month:
        return None
    given = year(s, at + 1)
    which = given[0] if given else month_year(month, s.here)
    if fault := year_fault(which):
        return fault, given[1] if given else at + 1
    found = nth_weekday(which, month, named[0], n)
    if found < s.here.today and not given:
        found = nth_weekday(which + 1, month, named[0], n)
    end = given[1] if given else at + 1
    if found.month != month:
        return DateFault("invalid", f"there is no {s.words(i, end)!r}; give a date"), end
    return single(found, "relative", s.words(i, end)), end
