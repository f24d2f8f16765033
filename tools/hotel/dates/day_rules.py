"""Grammar of single days: written dates, of either calendar, weekdays, and days counted from today."""

from dataclasses import replace
from datetime import date

from dateutil.relativedelta import relativedelta
from pyluach.dates import HebrewDate  # type: ignore[import-untyped]
from pyluach.hebrewcal import Year  # type: ignore[import-untyped]

from wavegraph.tools.hotel.dates.grammar import READERS, Match, Read, reader, rules
from wavegraph.tools.hotel.dates.holiday_calendar import ADAR
from wavegraph.tools.hotel.dates.resolution import (
    DAY,
    DAY_NAMES,
    DateFault,
    DatePoint,
    ResolvedStay,
    Setting,
    WrittenDay,
    read_day,
    single,
)
from wavegraph.tools.hotel.dates.sentence import Parsed, Sentence, hebrew, month_number, names_something, number, year
from wavegraph.tools.hotel.dates.spans import month_year, week_start

# --- words with a value ------------------------------------------------------------------------------------------

SABBATH = frozenset({"שבת", "shabbat", "shabbos"})
_TIMES = {"night", "nights", "evening", "morning", "."}
_DAY_LETTERS = dict(zip("אבגדהוש", (6, 0, 1, 2, 3, 4, 5), strict=True))


def weekday_name(s: Sentence, i: int) -> tuple[int, int] | None:
    """`Friday`, `Friday night`, `יום שישי`, `יום ו'`, `שישי`: the weekday and where it ends."""
    lex, after = s.at(i), s.at(i + 1)
    if lex.word == "ליל" and after.word == "שבת":
        return 4, i + 2
    if lex.word == "יום":
        found = after.weekday if len(after.word) > 1 else _DAY_LETTERS.get(after.word)
        return (found, i + 2) if found is not None else None
    if lex.weekday is None or (after.unit == "night" and lex.num is not None):
        return None
    return lex.weekday, i + 1 + (after.word in _TIMES)


def _short_year(s: Sentence, i: int) -> Read:
    """`27`, `'27` after a month: a two-digit year near today's, at the end of a date."""
    i += s.at(i).word in {"'", "’"}
    lex, after = s.at(i), s.at(i + 1)
    near = lex.num is not None and 0 <= lex.num + 2000 - s.here.today.year <= 3
    counts = lex.counted or lex.ordinal or after.unit or after.month or after.num is not None
    goes_on = s.key(i + 1, "dash", "to", "and", "or", "of", "in") and not (s.at(i + 2).month or s.at(i + 3).month)
    return ((lex.num or 0) + 2000, i + 1) if near and len(lex.word) == 2 and not counts and not goes_on else None


def _tight_dash(s: Sentence, i: int) -> Read:
    """The dash of `17-Jan-2027`, without a space on either side."""
    tight = s.key(i, "dash") and s.at(i - 1).end == s.at(i).start and s.at(i).end == s.at(i + 1).start
    return ("-", i + 1) if tight else None


def ordinal(s: Sentence, i: int) -> Read:
    """first .. tenth, last = -1."""
    lex = s.at(i)
    value = -1 if lex.key == "last" else lex.num if lex.ordinal and not lex.counted else None
    return (value, i + 1) if value else None


_SAME_WORD = {"שבוע", "לילה", "חודש"}
_MORE = {"full", "more", "whole", "consecutive", "straight", "calendar"}


def count(s: Sentence, i: int) -> tuple[int, str, int] | None:
    """`three nights`, `a week`, `שבועיים`, `3-night`, `a couple of days`: number, unit, end."""
    i = s.skip(i, "the", "a") if s.key(s.skip(i, "the", "a"), "couple") else i
    i += s.key(i, "a") and bool(s.at(i + 1).unit and s.at(i + 1).num)
    lex = s.at(i)
    if lex.unit and lex.num and not lex.counted:
        return lex.num, lex.unit, i + 1
    if s.at(i - 1).word in {"half", "חצי", "לחצי"} and lex.unit:
        return None
    if lex.word in _SAME_WORD and not s.key(i - 1, "the"):
        return 1, lex.unit, i + 1 + (s.at(i + 1).word in {"אחד", "אחת"})
    value = 1 if lex.key == "a" else 2 if lex.word == "both" or lex.key == "couple" else number(s, i)
    if value is None or (lex.ordinal and lex.word != "שני"):
        return None
    at = s.skip(i + 1, "dash", *(["the"] if hebrew(lex.word) else []), *(["of"] if lex.key == "couple" else []))
    at += s.at(at).word in _MORE
    if s.at(at).word == "שבועות":
        return value, "week", at + 1
    known = s.unit(at, "night", "day", "week", "month", "weekend") and not (s.at(at).num or s.at(at).holiday)
    return (value, s.at(at).unit, at + 1) if known else None


def _counted(s: Sentence, i: int) -> Read:
    return ((found[0], found[1]), found[2]) if (found := count(s, i)) else None


def _named_month(m: Match) -> tuple[int, int]:
    return m["month"], m["year"] or month_year(m["month"], m.s.here)


def _turned_month(m: Match) -> tuple[int, int]:
    then = m.s.here.today + relativedelta(months=m["turn"] == "next")
    return then.month, then.year


READERS["DAY"] = lambda s, i: (value, i + 1) if (value := month_number(s, i)) is not None else None
READERS["NUMBER"] = lambda s, i: (value, i + 1) if (value := number(s, i)) is not None else None
READERS["MONTH"] = lambda s, i: (s.at(i).month, i + 1) if s.at(i).month else None
READERS |= {"YEAR": year, "SHORT_YEAR": _short_year, "TIGHT": _tight_dash}
READERS |= {"WEEKDAY": weekday_name, "ORDINAL": ordinal, "COUNT": _counted}
reader("MONTHLY", rules(
    ("this|next? month:MONTH year:YEAR?", _named_month),
    ("month of? month:MONTH year:YEAR?", _named_month),
    ("turn:next|this month", _turned_month),
    ("month the? turn:next|this?", _turned_month),
))  # fmt: skip
"""A month with its year, `next month` and `the month` included."""
reader("NEXT_MONTH", rules(
    ("turn:next month", _turned_month), ("month the? turn:next", _turned_month),
))  # fmt: skip
reader("NEXT_WEEK", rules(
    ("next week", lambda m: True), ("week the? next", lambda m: True),
))  # fmt: skip

# --- written dates -----------------------------------------------------------------------------------------------


def _numeric_date(s: Sentence, i: int) -> Parsed:
    """`17/1`, `17.1.27`, `2027-01-17`: day first except in the US; a number above 12 cannot be the month."""
    lex = s.at(i)
    if lex.written is None or lex.counted:
        return None
    first, second, year_ = lex.written
    month, day = (first, second) if lex.iso or s.here.month_first else (second, first)
    if not lex.iso and month > 12 >= day:
        month, day = day, month
    led = s.key(i - 1, "on", "from", "for", "in", "to", "dash", "arrive", "leave") or s.key(i + 1, "to")
    doubtful = month > 12 or day > 31 or lex.word == "24/7"
    return None if doubtful and not (s.strict or lex.iso or year_ or led) else (WrittenDay(day, month, year_), i + 1)


def _day_of_month(m: Match) -> WrittenDay | None:
    """The number behind the month may belong to what follows it ("5 Dec 2 nights", "10 Dec 12 Dec"), else to neither."""
    after, beyond = number(m.s, m.end), m.s.at(m.end + 1)
    opens_another = beyond.unit or beyond.month or m.s.at(m.s.skip(m.end + 1, "of", "in")).month
    if m["year"] is None and after is not None and after <= 31 and not opens_another:
        return None
    return WrittenDay(m["day"], m["month"], m["year"])


def _month_then_day(m: Match) -> WrittenDay | None:
    counts = m["year"] is None and m.following.unit in {"night", "week"} and not m.s.at(m.end - 1).ordinal
    return None if counts else WrittenDay(m["day"], m["month"], m["year"])


def _ordinal_month(m: Match) -> WrittenDay | None:
    """`השישי בשביעי`: the sixth day of the seventh month."""
    led = m.s.key(m.start, "the") or m.s.key(m.start - 1, "the")
    other = names_something(m.s, m.end) or m.following.unit or not hebrew(m.s.at(m.end - 1).word)
    return None if other or not led or m["month"] < 1 else WrittenDay(m["day"], m["month"], m["year"])


def _day_of_turned_month(m: Match) -> WrittenDay | None:
    if m["monthly"] and not names_something(m.s, m.end):
        return WrittenDay(m["day"], *m["monthly"])
    return None if m["monthly"] else WrittenDay(m["day"])


def _day_alone(m: Match) -> WrittenDay | None:
    """`the 3rd`, `5th`: a day of the running or next month; not `the 3rd floor`."""
    lex = m.s.at(m.end - 1)
    other = names_something(m.s, m.end) or m.following.unit
    return WrittenDay(m["day"]) if lex.ordinal and lex.word[:1].isdigit() and not other else None


READERS["NUMERIC"] = _numeric_date
reader("WRITTEN", rules(
    ("day:NUMERIC", lambda m: m["day"]),
    ("day:DAY of|in|the|=ל* month:MONTH year:SHORT_YEAR|YEAR?", _day_of_month),
    ("day:DAY TIGHT month:MONTH TIGHT? year:YEAR?", _day_of_month),
    ("day:ORDINAL in month:ORDINAL year:YEAR?", _ordinal_month),
    ("month:MONTH the|on* day:DAY year:YEAR?", _month_then_day),
    ("monthly:NEXT_MONTH the|on|from|,* day:DAY", _day_of_turned_month),
    ("day:DAY of|the|for|in* monthly:NEXT_MONTH", _day_of_turned_month),
    ("day:DAY of|the|for|in+ this? month this?", _day_of_turned_month),
    ("day:DAY", _day_alone),
))  # fmt: skip
"""A date with its month, or a bare ordinal."""


def bare_day(s: Sentence, i: int) -> Parsed:
    """A number that is a day only because it is next to a date in a range or list: `17` in `17-19 January`."""
    start = s.skip(i, "the", "on")
    day = month_number(s, start)
    if day is None or s.unit(start + 1, "night", "day", "week", "month", "weekend"):
        return None
    firm = s.at(start).ordinal or s.at(start - 1).key == "the"
    given = year(s, start + 1) or (None, start + 1)
    return WrittenDay(day, year=given[0], bare=not firm), given[1]


def _dated_weekday(m: Match) -> WrittenDay | None:
    """`Saturday December 5`, `5.12 (Saturday)`, `יום שבת 5.12`."""
    s = m.s
    if s.key(m.start - 1, "to", "dash") and s.key(m.end, "to", "dash") and bare_day(s, m.end + 1):
        return None  # "Sunday to Tuesday, December 14-16"
    named = next(n for n in range(m.start, m.end) if m.s.at(n).weekday is not None or m.s.at(n).word == "יום")
    sabbath = (not m["behind"] and m.s.at(named).word in SABBATH | {"ליל"}) or m.s.at(named + 1).word in SABBATH
    date: WrittenDay = m["date"]
    return replace(date, weekday=m["weekday"], sabbath=sabbath and not m["behind"])


def _numbered_weekday(m: Match) -> WrittenDay | None:
    """`Tuesday 24`, `Friday the fifth`: the day of the running or next month."""
    other = m.s.at(m.end - 1).weekday is not None or m.following.unit or names_something(m.s, m.end)
    if other or not 0 < m["day"] <= 31 or m.s.key(m.end, "or", "dash", "to"):
        return None
    return WrittenDay(m["day"], weekday=m["weekday"])


# --- the Hebrew calendar -----------------------------------------------------------------------------------------

_LETTERS = dict(zip("אבגדהוזחטיכל", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30), strict=True))


def _lettered(s: Sentence, i: int) -> Read:
    """A day of the month in Hebrew letters: `ט״ו`, `בכ״ה`."""
    word = s.at(i).word
    letters = word[1:] if (len(word) > 2 and word[0] in "במל") or (word[:1] == "ב" and len(word) == 2) else word
    value = sum(_LETTERS.get(letter, 99) for letter in letters) if 1 <= len(letters) <= 2 else 99
    return (value, i + 1) if 1 <= value <= 30 else None


def _hebrew_date(m: Match) -> ResolvedStay | DateFault:
    """`15 Nisan 5787`, `ט״ו בניסן`: the next one, or that of a Hebrew or a civil year."""
    today = m.s.here.today
    years = [m["year"]] if (m["year"] or 0) > 5000 else range(*((m["year"] or today.year) + n for n in (3760, 3763)))
    days = [found for each in years if (found := _hebrew_day(each, m["month"], m["day"], bool(m["first"])))]
    coming = [each for each in days if each >= today and (m["year"] or 9999) in (each.year, *years, 9999)]
    if not coming:
        return DateFault("past" if days else "invalid", f"there is no {m.label!r} from today on; give another date")
    note = "the Hebrew day begins the evening before"
    return single(coming[0], "explicit", m.label, note, (coming[0] - DAY,) if coming[0] > today else ())


def _hebrew_day(hebrew_year: int, month: int, day: int, first: bool) -> date | None:
    """None = that year has no such day, or Python no such date. `first`: of two months of Adar the first."""
    try:
        second = month == ADAR and Year(hebrew_year).leap and not first
        found: date = HebrewDate(hebrew_year, 13 if second else month, day).to_pydate()
    except ValueError:
        return None
    return found


READERS["LETTERS"] = _lettered
READERS["HEBREW_MONTH"] = lambda s, i: (s.at(i).hebrew_month, i + 1) if s.at(i).hebrew_month else None

# --- weekdays ----------------------------------------------------------------------------------------------------


def _weekday(m: Match) -> DatePoint | None:
    """`Friday`, `this coming Friday`, `next Friday`, `יום חמישי הקרוב`."""
    s, day, turn = m.s, m["weekday"], m["turn"]
    first = s.here.today + (day - s.here.today.weekday()) % 7 * DAY
    if turn is None:
        return None if _is_weak(s, m.start, m.end) else WrittenDay(weekday=day)
    if turn in ("previous", "last"):
        return DateFault("past", f"{m.label!r} is in the past; name a future {DAY_NAMES[day]}")
    if turn == "this":
        return single(first, "relative", m.label, others=(first + 7 * DAY,) if first == s.here.today else ())
    found = in_week(s.here, day)
    others = {first, first + 7 * DAY} - {found, s.here.today}
    return single(found, "relative", m.label, _say_date(found), sorted(others))


def _weekday_turned(m: Match) -> DatePoint | None:
    """`Friday next` but not the `next` of `Friday next week`."""
    at = m.s.skip(m.end, "the")
    return None if m.s.unit(at, "week", "weekend", "month", "night") else _weekday(m)


def _is_weak(s: Sentence, i: int, end: int) -> bool:
    """An abbreviation or a Hebrew ordinal that nothing marks as a weekday."""
    lex = s.at(end - 1)
    if s.strict or not lex.weak or s.at(i).word == "יום" or s.at(end - 2).word == "יום":
        return False
    beside = s.key(i - 1, "on", "from", "to", "dash", "between") or s.key(end, "to", "dash")
    led = i - 1 - (s.key(i - 1, "in") or s.at(i - 1).word == ":")
    return not (beside or s.key(led, "leave", "arrive")) or lex.word.endswith("days")


def _in_next_week(m: Match) -> ResolvedStay:
    """`Friday next week`, `next week Friday`, `בשבוע הבא ביום שלישי`."""
    return single(in_week(m.s.here, m["weekday"]), "relative", m.label)


def _week_later(m: Match) -> ResolvedStay:
    """`the Tuesday after next`."""
    on = in_week(m.s.here, m["weekday"]) + 7 * DAY
    return single(on, "relative", m.label, _say_date(on), (on - 7 * DAY,))


def in_week(here: Setting, day: int) -> date:
    """A weekday of the next calendar week."""
    start = week_start(here.today, here) + 7 * DAY
    return start + (day - start.weekday()) % 7 * DAY


def _say_date(day: date) -> str:
    return f"read as {DAY_NAMES[day.weekday()]} {day.day}.{day.month}.{day.year}"


def _several(m: Match) -> DateFault:
    """`first Monday of March`, `Sunday week`: not read, and no day beside it either."""
    return DateFault("unclear", f"{m.label!r}: which date is that?")


# --- days counted from today or another day ----------------------------------------------------------------------

_AHEAD = {"today": 0, "tonight": 0, "tomorrow": 1, "overmorrow": 2}


def _named_day(m: Match) -> ResolvedStay | None:
    """`today`, `tonight`, `tomorrow night`, `the day after tomorrow`; not `הלילה הראשון`, nor `the day that …`."""
    s, key = m.s, m["day"]
    at = s.skip(m.end, "the")
    numbered = key == "tonight" and at > m.end and (s.at(at).ordinal or s.key(at, "last"))
    if numbered or s.key(m.end, "that"):
        return None
    nightly = key == "tonight" or s.unit(m.end - 1, "night")
    label = m.label if m["time"] is None else s.words(m.start, m.end - 1)
    return replace(single(s.here.today + _AHEAD[key] * DAY, "relative", label), explicit=nightly)


def _passed(m: Match) -> DateFault | None:
    """`yesterday`, `last night`, `two days ago`; not `the last night of March`."""
    ends = m["last"] and m.s.key(m.s.skip(m.end, "the"), "of", "in")
    return None if ends else DateFault("past", f"{m.label!r} is in the past; give a future date")


def later(day: date, n: int, unit: str) -> date | DateFault:
    """`n` units after a day (before it if negative)."""
    if abs(n) > 400:
        return DateFault("out_of_range", f"{n} {unit}s away is too far; give the date")
    steps = {"night": 1, "day": 1, "week": 7, "weekend": 7}.get(unit)
    return day + n * steps * DAY if steps else day + relativedelta(months=n)


def _from_now(m: Match) -> ResolvedStay | DateFault | None:
    """`in 3 days`, `two weeks from now`, `in two weeks on Thursday`, `בעוד שבועיים`; not `in a week in January`."""
    (n, unit), s = m["count"], m.s
    at = s.skip(m.end, "of", "the")
    distance = m["now"] or s.at(m.start).word in {"in", "עוד"} or s.at(m.start + 1).word == "עוד"
    belongs = not m["now"] and at > m.end and (s.at(at).month or s.at(at).holiday)
    if unit == "night" or belongs or not distance:
        return None
    found = later(s.here.today, n, unit)
    if isinstance(found, date) and m["weekday"] is not None:
        start = week_start(found, s.here)
        found = start + (m["weekday"] - start.weekday()) % 7 * DAY
    return found if isinstance(found, DateFault) else single(found, "relative", m.label)


def _from_day(m: Match) -> ResolvedStay | DateFault | None:
    """`a week from Sunday`, `a week on Friday`, `two weeks from tomorrow`, `שבוע מיום ראשון`."""
    (n, unit), base = m["count"], m["base"]
    start = read_day(base, m.s.here) if isinstance(base, WrittenDay) else base
    if unit == "night" or (m["on"] and (unit != "week" or m.s.key(m.start - 1, "for"))):
        return None
    found = start if isinstance(start, DateFault) else later(start.check_in, n, unit)
    return found if isinstance(found, DateFault) else single(found, "relative", m.label)


NAMED_DAYS = rules(
    ("day:today|tonight|tomorrow|overmorrow time:night|=evening|=morning?", _named_day),
    ("yesterday", _passed),
    ("last:last =night|=month|=year|=week|=weekend", _passed),
)
WEEKDAYS = rules(
    ("turn:this|next|previous|last this|next? the? weekday:WEEKDAY", _weekday),
    ("weekday:WEEKDAY the? turn:this|next|previous", _weekday_turned),
    ("weekday:WEEKDAY in|of|the|on* NEXT_WEEK", _in_next_week),
    ("NEXT_WEEK on|in|,* the? weekday:WEEKDAY", _in_next_week),
    ("weekday:WEEKDAY after next", _week_later),
    ("weekday:WEEKDAY =week", _several),
    ("weekday:WEEKDAY", _weekday),
)
reader("A_WEEKDAY", WEEKDAYS)
reader("NAMED_DAY", NAMED_DAYS)
reader("FROM_NOW", rules(
    ("in|another+ count:COUNT", _from_now),
    ("in|another+ count:COUNT on|in+ weekday:WEEKDAY", _from_now),
    ("in|another* count:COUNT from|after|of now:now|today", _from_now),
    ("in|another* count:COUNT now:hence", _from_now),
))  # fmt: skip
DAYS = [
    *rules(
        ("this? the? weekday:WEEKDAY ,|on|in|the* date:WRITTEN", _dated_weekday),
        ("date:WRITTEN behind:=( weekday:WEEKDAY =)", _dated_weekday),
        ("date:WRITTEN behind:WEEKDAY", lambda m: replace(m["date"], weekday=m["behind"])),
        ("weekday:WEEKDAY the? day:DAY", _numbered_weekday),
        ("date:WRITTEN", lambda m: m["date"]),
        ("day:DAY|LETTERS of|in* month:HEBREW_MONTH first:=א|=i|=ראשון? =ב|=ii|=שני? year:YEAR?", _hebrew_date),
        ("n:ORDINAL weekday:WEEKDAY of|in|the+ monthly:MONTHLY", _several),
    ),
    *WEEKDAYS,
    *NAMED_DAYS,
    *rules(
        ("day:FROM_NOW", lambda m: m["day"]),
        ("in|another* count:COUNT ago", _passed),
        ("count:COUNT from base:A_WEEKDAY|NAMED_DAY", _from_day),
        ("count:COUNT on:on base:A_WEEKDAY", _from_day),
    ),
]
"""Single days, of which the longest is read."""
