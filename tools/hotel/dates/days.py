"""Grammar of single days: written dates, weekdays, and days told from today or from another day."""

from dataclasses import replace
from datetime import date

from dateutil.relativedelta import relativedelta
from pyluach.dates import HebrewDate  # type: ignore[import-untyped]
from pyluach.hebrewcal import Year  # type: ignore[import-untyped]

from wavegraph.tools.hotel.dates.holidays import ADAR, nth_weekday
from wavegraph.tools.hotel.dates.readings import (
    DAY,
    DAY_NAMES,
    Day,
    Fault,
    Point,
    Reading,
    Setting,
    read_day,
    settle,
    single,
)
from wavegraph.tools.hotel.dates.sentence import Parsed, Sentence, month_number, names_something, number, year
from wavegraph.tools.hotel.dates.spans import month_year, week_start

# --- written dates -----------------------------------------------------------------------------------------------


def numeric_date(s: Sentence, i: int) -> Parsed:
    """`17/1`, `17.1.27`, `2027-01-17`: day first but in the US; a number above 12 cannot be the month."""
    lex = s.at(i)
    if lex.written is None or lex.counted:
        return None
    first, second, year_ = lex.written
    month_first = lex.iso or s.here.month_first
    month, day = (first, second) if month_first else (second, first)
    if not lex.iso and month > 12 >= day:
        month, day = day, month
    doubtful = month > 12 or day > 31 or lex.word == "24/7"
    if doubtful and not (s.strict or lex.iso or year_ or _led(s, i)):
        return None
    return Day(day, month, year_), i + 1


def _led(s: Sentence, i: int) -> bool:
    """A date word right before or after, without which `50/50` or `9.99` in a sentence is no date."""
    return s.key(i - 1, "on", "from", "for", "in", "to", "dash", "arrive", "leave") or s.key(i + 1, "to")


def day_month(s: Sentence, i: int) -> Parsed:
    """`17 January 2027`, `the 3rd of February`, `17 בינואר`."""
    start = s.skip(i, "the")
    at = s.skip(start + 1, "of", "in", "the")
    at += s.key(at, "for") and s.at(at).word == "ל"
    lettered = len(s.at(start).word) == 2 and s.key(at - 1, "in")
    day = month_number(s, start) or (_letters(s.at(start).word) if lettered else None)
    if month_number(s, start) == 0:
        day = 0
    if day is None or not (month := s.at(at).month):
        return None
    after = number(s, at + 1)
    if after is not None and after <= 31 and not _opens_another(s, at + 1):
        return None
    return _with_year(s, Day(day, month), at + 1)


def _opens_another(s: Sentence, i: int) -> bool:
    """The number here belongs to what follows ("5 Dec 2 nights", "10 Dec 12 Dec"), not to the month before it."""
    return bool(s.at(i + 1).unit or s.at(i + 1).month or s.at(s.skip(i + 1, "of", "in")).month)


def month_day(s: Sentence, i: int) -> Parsed:
    """`January 17, 2027`, `Feb 3rd`."""
    if not s.at(i).month:
        return None
    at = s.skip(i + 1, "the", "on")
    day = month_number(s, at)
    if day is None or (s.at(at + 1).unit in {"night", "week"} and not s.at(at).ordinal):
        return None
    return _with_year(s, Day(day, s.at(i).month), at + 1)


def _with_year(s: Sentence, day: Day, i: int) -> Parsed:
    found = year(s, i)
    return (replace(day, year=found[0]), found[1]) if found else (day, i)


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
    return Day(day), start + 1


def _of_month(s: Sentence, day: int, i: int) -> Parsed:
    """The rest of "5 of next month", "5 לחודש הבא"."""
    at = s.skip(i, "of", "the", "for", "in")
    if at == i:
        return None
    turn = 1 if s.key(at, "next") or (s.unit(at, "month") and s.key(at + 1, "next")) else 0
    named = s.key(at, "next", "this")
    if not s.unit(at + named, "month") or s.at(at + named).num:
        return None
    later = s.here.today + relativedelta(months=1)
    end = at + named + 1 + (not named and s.key(at + 1, "next", "this"))
    return (Day(day, later.month, later.year) if turn else Day(day)), end


def bare_day(s: Sentence, i: int) -> Parsed:
    """A number that is a day only because a range or a list puts it beside a date: `17` in `17-19 January`."""
    start = s.skip(i, "the", "on")
    day = month_number(s, start)
    if day is None or s.unit(start + 1, "night", "day", "week", "month", "weekend"):
        return None
    firm = s.at(start).ordinal or s.at(start - 1).key == "the"
    found = _with_year(s, Day(day, bare=not firm), start + 1)
    return found


def with_weekday(s: Sentence, i: int) -> Parsed:
    """A written date with its weekday before or after: `Saturday December 5`, `5.12 (Saturday)`, `יום שבת 5.12`."""
    found = weekday_name(s, i)
    if found is not None:
        at = s.skip(found[1], ",", "on", "in", "the")
        rest = written_day(s, at)
        if rest and isinstance(rest[0], Day):
            return replace(rest[0], weekday=found[0]), rest[1]
        return _numbered_weekday(s, found)
    rest = written_day(s, i)
    if rest is None or not isinstance(rest[0], Day):
        return None
    at = rest[1] + (s.at(rest[1]).word == "(")
    named = weekday_name(s, at)
    if named is None or (at == rest[1] and s.at(at).key != ""):
        return None
    return replace(rest[0], weekday=named[0]), named[1] + (s.at(named[1]).word == ")")


def _numbered_weekday(s: Sentence, named: tuple[int, int]) -> Parsed:
    """`Tuesday 24`, `Friday the fifth`: the day of the running or next month."""
    at = s.skip(named[1], "the")
    day = month_number(s, at)
    if not day or day > 31 or s.at(at + 1).unit or names_something(s, at + 1) or s.key(at + 1, "or", "dash", "to"):
        return None
    return Day(day, weekday=named[0]), at + 1


def written_day(s: Sentence, i: int) -> Parsed:
    """A date with its month, or a bare ordinal."""
    for rule in (numeric_date, day_month, month_day, day_alone):
        if found := rule(s, i):
            return found
    return None


_LETTERS = dict(zip("אבגדהוזחטיכל", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30), strict=True))


def hebrew_date(s: Sentence, i: int) -> Parsed:
    """A date of the Hebrew calendar, `15 Nisan` or `ט״ו בניסן`: the night before its daytime ends, said so in the note."""
    day = month_number(s, i) or _letters(s.at(i).word)
    at = s.skip(i + 1, "of", "in")
    month = s.at(at).hebrew_month
    if not month or not day:
        return None
    return _hebrew_night(day, month, s.said(i, at + 1), s.here), at + 1


def _letters(word: str) -> int | None:
    """The value of a number written in Hebrew letters, 1-30."""
    value = sum(_LETTERS.get(letter, 99) for letter in word) if 1 <= len(word) <= 2 else 99
    return value if 1 <= value <= 30 else None


def _hebrew_night(day: int, month: int, label: str, here: Setting) -> Reading | Fault:
    for hebrew_year in range(here.today.year + 3760, here.today.year + 3763):
        try:
            actual = 13 if month == ADAR and Year(hebrew_year).leap else month
            found = HebrewDate(hebrew_year, actual, day).to_pydate()
        except ValueError:
            continue
        if found >= here.today:
            note = "the Hebrew day begins on the evening before"
            return single(found, "explicit", label, note, (found - DAY,) if found > here.today else ())
    return Fault("invalid", f"there is no {label!r} in the Hebrew calendar; give another date")


# --- weekdays ----------------------------------------------------------------------------------------------------

_HEBREW_DAY_LETTERS = dict(zip("אבגדהוש", (6, 0, 1, 2, 3, 4, 5), strict=True))


def weekday_name(s: Sentence, i: int) -> tuple[int, int] | None:
    """`Friday`, `Friday night`, `יום שישי`, `יום ו'`, `שישי`: the weekday and where it ends."""
    i = s.skip(i, "the")
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
    if not turns and (far := _in_next_week(s, named)):
        return far
    if not turns and _is_weak(s, i, named[1]):
        return None
    return _turned_weekday(s, named[0], turns, s.said(i, named[1])), named[1]


def _is_weak(s: Sentence, i: int, end: int) -> bool:
    """An abbreviation or a Hebrew ordinal that nothing marks as a weekday."""
    lex = s.at(end - 1)
    if s.strict or not lex.weak or s.at(i).word == "יום":
        return False
    beside = s.key(i - 1, "on", "from", "to", "dash") or s.key(end, "to", "dash")
    return not beside or lex.word.endswith("days")


def _in_next_week(s: Sentence, named: tuple[int, int]) -> Parsed:
    at = s.skip(named[1], "in", "of", "the", "on")
    turn = (s.key(at, "next") and s.unit(at + 1, "week")) or (s.unit(at, "week") and s.key(at + 1, "next"))
    if turn and not s.at(at).num:
        return single(in_week(s.here, named[0]), "relative", s.said(named[1] - 1, at + 2)), at + 2
    if s.unit(named[1], "week") and s.at(named[1]).word == "week":
        first = settle(Day(weekday=named[0]), s.here.today)
        return single(_date(first) + 7 * DAY, "relative", s.said(named[1] - 1, named[1] + 1)), named[1] + 1
    return None


def _week_before(s: Sentence, i: int) -> Parsed:
    """`next week Friday`, `בשבוע הבא ביום שלישי`."""
    at = s.skip(i, "the")
    turn = (s.key(at, "next") and s.unit(at + 1, "week")) or (s.unit(at, "week") and s.key(at + 1, "next"))
    named = weekday_name(s, s.skip(at + 2, "on", "in", ",")) if turn and not s.at(at).num else None
    if named is None:
        return None
    return single(in_week(s.here, named[0]), "relative", s.said(i, named[1])), named[1]


def in_week(here: Setting, day: int) -> date:
    """A weekday of the next calendar week."""
    start = week_start(here.today, here) + 7 * DAY
    return start + (day - start.weekday()) % 7 * DAY


def _date(found: date | Fault) -> date:
    """A bare weekday always settles."""
    assert isinstance(found, date)
    return found


def _turned_weekday(s: Sentence, day: int, turns: list[str], label: str) -> Point:
    today = s.here.today
    first = today + (day - today.weekday()) % 7 * DAY
    if "previous" in turns or turns == ["last"]:
        return Fault("past", f"{label!r} is in the past; name a coming {DAY_NAMES[day]}")
    if not turns:
        return Day(weekday=day)
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
    found = nth_weekday(which, month, named[0], n)
    if found < s.here.today and not given:
        found = nth_weekday(which + 1, month, named[0], n)
    end = given[1] if given else at + 1
    if found.month != month:
        return Fault("invalid", f"there is no {s.said(i, end)!r}; give a date"), end
    return single(found, "relative", s.said(i, end)), end


# --- days told from another day ----------------------------------------------------------------------------------


def named_day(s: Sentence, i: int) -> Parsed:
    """`today`, `tonight`, `tomorrow night`, `the day after tomorrow`, `yesterday`."""
    i = s.skip(i, "the")
    key, today, label = s.at(i).key, s.here.today, s.said(i, i + 1)
    if s.key(i + 1, "that"):
        return None
    if key == "yesterday" or (key == "last" and s.at(i + 1).word in {"night", "month", "year", "week", "weekend"}):
        if key == "last" and s.key(s.skip(i + 2, "the"), "of", "in"):
            return None
        end = i + 1 + (key == "last")
        return Fault("past", f"{s.said(i, end)!r} is in the past; give a coming date"), end
    days = {"today": 0, "tonight": 0, "tomorrow": 1, "overmorrow": 2}.get(key)
    if days is None or (key == "tonight" and _is_numbered_night(s, i)):
        return None
    end = i + 1 + (s.at(i + 1).unit == "night" or s.at(i + 1).word in {"evening", "morning"})
    found = single(today + days * DAY, "relative", label)
    return replace(found, explicit=key == "tonight" or s.at(end - 1).unit == "night"), end


def _is_numbered_night(s: Sentence, i: int) -> bool:
    """`הלילה הראשון`, the first night, not tonight."""
    at = s.skip(i + 1, "the")
    return at > i + 1 and (s.at(at).ordinal or s.key(at, "last"))


def count(s: Sentence, i: int) -> tuple[int, str, int] | None:
    """`three nights`, `a week`, `שבועיים`, `3-night`, `a couple of days`: number, unit, end."""
    i = s.skip(i, "the") if s.key(i + 1, "couple") else i
    i += s.key(i, "a") and bool(s.at(i + 1).unit and s.at(i + 1).num)
    lex = s.at(i)
    if lex.unit and lex.num and not lex.counted:
        return lex.num, lex.unit, i + 1
    if lex.word in {"לילה", "שבוע", "חודש"} and not s.key(i - 1, "the"):
        one = s.at(i + 1).word in {"אחד", "אחת"}
        return 1, lex.unit, i + 1 + one
    pair = s.skip(i, "a") if s.key(s.skip(i, "a"), "couple") else 0
    if s.key(i, "couple") or pair:
        at = s.skip(max(i, pair) + 1, "of")
        return (2, s.at(at).unit, at + 1) if s.at(at).unit else None
    value = 1 if s.key(i, "a") else number(s, i)
    if value is None or (lex.ordinal and lex.word != "שני"):
        return None
    at = s.skip(i + 1, "dash")
    at += s.at(at).word in {"full", "more", "whole", "consecutive", "straight", "calendar"}
    known = s.unit(at, "night", "day", "week", "month", "weekend") and not s.at(at).num
    return (value, s.at(at).unit, at + 1) if known and not s.at(at).holiday else _weeks(s, value, at)


def _weeks(s: Sentence, value: int, i: int) -> tuple[int, str, int] | None:
    """`3 שבועות`: weeks after a number, Shavuot otherwise."""
    return (value, "week", i + 1) if s.at(i).word == "שבועות" else None


def later(day: date, n: int, unit: str) -> date | Fault:
    """`n` units after a day (before it if negative)."""
    if abs(n) > 400:
        return Fault("unclear", f"{n} {unit}s away is too far; give the date")
    steps = {"night": 1, "day": 1, "week": 7, "weekend": 7}.get(unit)
    return day + n * steps * DAY if steps else day + relativedelta(months=n)


def from_now(s: Sentence, i: int) -> Parsed:
    """`in 3 days`, `two weeks from now`, `a week from today`, `בעוד שבועיים`, `עוד יומיים`."""
    lead = s.skip(i, "in", "another")
    counted = count(s, lead)
    if counted is None:
        return None
    n, unit, end = counted
    now = (s.key(end, "from", "after", "of") and s.key(end + 1, "now", "today")) or s.key(end, "hence")
    if s.key(end, "ago"):
        return Fault("past", f"{s.said(i, end + 1)!r} is in the past; give a coming date"), end + 1
    if unit == "night" or not (now or _is_in(s, i, lead)) or (not now and _belongs(s, end)):
        return None
    end = end + (2 if s.key(end + 1, "now", "today") else 1) if now else end
    found = later(s.here.today, n, unit)
    return (found if isinstance(found, Fault) else single(found, "relative", s.said(i, end))), end


def _is_in(s: Sentence, i: int, lead: int) -> bool:
    """`in` as a distance: `in`, `בעוד`, `עוד`, not `during`."""
    return lead > i and (s.at(i).word in {"in", "עוד"} or (s.at(i).word == "ב" and s.at(i + 1).word == "עוד"))


def _belongs(s: Sentence, i: int) -> bool:
    """The count goes on with a name ("in two weeks of March", "in a week in January")."""
    at = s.skip(i, "of", "the")
    return at > i and bool(s.at(at).month or s.at(at).holiday)


def day_from(s: Sentence, i: int) -> Parsed:
    """`a week from Sunday`, `two weeks from tomorrow`, `שבוע מיום ראשון`."""
    counted = count(s, i)
    if counted is None or counted[1] == "night" or not s.key(counted[2], "from"):
        return None
    n, unit, at = counted
    base = weekday(s, at + 1) or named_day(s, at + 1)
    if base is None:
        return None
    start = read_day(base[0], s.here) if isinstance(base[0], Day) else base[0]
    if isinstance(start, Fault):
        return start, base[1]
    found = later(start.check_in, n, unit)
    return (found if isinstance(found, Fault) else single(found, "relative", s.said(i, base[1]))), base[1]
