"""Grammar of relative days and counted times: "tomorrow", "in 3 days", "a week from Sunday"."""

from dataclasses import replace
from datetime import date

from dateutil.relativedelta import relativedelta

from wavegraph.tools.hotel.dates.day_rules import weekday, weekday_name
from wavegraph.tools.hotel.dates.resolution import DAY, DateFault, WrittenDay, read_day, single
from wavegraph.tools.hotel.dates.sentence import Parsed, Sentence, hebrew, number
from wavegraph.tools.hotel.dates.spans import week_start


def named_day(s: Sentence, i: int) -> Parsed:
    """`today`, `tonight`, `tomorrow night`, `the day after tomorrow`, `yesterday`."""
    i = s.skip(i, "the")
    key, today, label = s.at(i).key, s.here.today, s.words(i, i + 1)
    if s.key(i + 1, "that"):
        return None
    if key == "yesterday" or (key == "last" and s.at(i + 1).word in {"night", "month", "year", "week", "weekend"}):
        if key == "last" and s.key(s.skip(i + 2, "the"), "of", "in"):
            return None
        end = i + 1 + (key == "last")
        return DateFault("past", f"{s.words(i, end)!r} is in the past; give a future date"), end
    days = {"today": 0, "tonight": 0, "tomorrow": 1, "overmorrow": 2}.get(key)
    if key == "now" and s.strict and not s.key(i - 1, "from"):
        days = 0
    if days is None or (key == "tonight" and _is_numbered_night(s, i)):
        return None
    end = i + 1 + (s.at(i + 1).unit == "night" or s.at(i + 1).word in {"evening", "morning"})
    found = single(today + days * DAY, "relative", label)
    return replace(found, explicit=key == "tonight" or s.at(end - 1).unit == "night"), end


def _is_numbered_night(s: Sentence, i: int) -> bool:
    """`הלילה הראשון`, the first night, not tonight."""
    at = s.skip(i + 1, "the")
    return at > i + 1 and (s.at(at).ordinal or s.key(at, "last"))


_HALF = frozenset({"half", "חצי", "לחצי"})
"""Before a unit these leave its number open: `half a week`."""


def count(s: Sentence, i: int) -> tuple[int, str, int] | None:
    """`three nights`, `a week`, `שבועיים`, `3-night`, `a couple of days`: number, unit, end."""
    i = s.skip(i, "the") if s.key(i + 1, "couple") else i
    i += s.key(i, "a") and bool(s.at(i + 1).unit and s.at(i + 1).num)
    lex = s.at(i)
    if lex.unit and lex.num and not lex.counted:
        return lex.num, lex.unit, i + 1
    if s.at(i - 1).word in _HALF and lex.unit:
        return None
    if lex.word in {"לילה", "שבוע", "חודש"} and not s.key(i - 1, "the"):
        one = s.at(i + 1).word in {"אחד", "אחת"}
        return 1, lex.unit, i + 1 + one
    pair = s.skip(i, "a") if s.key(s.skip(i, "a"), "couple") else 0
    if s.key(i, "couple") or pair:
        at = s.skip(max(i, pair) + 1, "of")
        return (2, s.at(at).unit, at + 1) if s.at(at).unit else None
    value = 1 if s.key(i, "a") else 2 if lex.word == "both" else number(s, i)
    if value is None or (lex.ordinal and lex.word != "שני"):
        return None
    at = s.skip(i + 1, "dash", *(["the"] if hebrew(lex.word) else []))
    at += s.at(at).word in {"full", "more", "whole", "consecutive", "straight", "calendar"}
    known = s.unit(at, "night", "day", "week", "month", "weekend") and not s.at(at).num
    return (value, s.at(at).unit, at + 1) if known and not s.at(at).holiday else _weeks(s, value, at)


def _weeks(s: Sentence, value: int, i: int) -> tuple[int, str, int] | None:
    """`3 שבועות`: weeks after a number, Shavuot otherwise."""
    return (value, "week", i + 1) if s.at(i).word == "שבועות" else None


def later(day: date, n: int, unit: str) -> date | DateFault:
    """`n` units after a day (before it if negative)."""
    if abs(n) > 400:
        return DateFault("out_of_range", f"{n} {unit}s away is too far; give the date")
    steps = {"night": 1, "day": 1, "week": 7, "weekend": 7}.get(unit)
    return day + n * steps * DAY if steps else day + relativedelta(months=n)


def from_now(s: Sentence, i: int) -> Parsed:
    """`in 3 days`, `two weeks from now`, `in two weeks on Thursday`, `בעוד שבועיים`, `עוד יומיים`."""
    lead = s.skip(i, "in", "another")
    counted = count(s, lead)
    if counted is None:
        return None
    n, unit, end = counted
    now = (s.key(end, "from", "after", "of") and s.key(end + 1, "now", "today")) or s.key(end, "hence")
    if s.key(end, "ago"):
        return DateFault("past", f"{s.words(i, end + 1)!r} is in the past; give a future date"), end + 1
    if unit == "night" or not (now or _is_in(s, i, lead)) or (not now and _belongs(s, end)):
        return None
    end = end + (2 if s.key(end + 1, "now", "today") else 1) if now else end
    found = later(s.here.today, n, unit)
    if (
        unit == "week"
        and isinstance(found, date)
        and (on := s.skip(end, "on", "in")) > end
        and (named := weekday_name(s, on))
    ):
        found, end = week_start(found, s.here), named[1]
        found += (named[0] - found.weekday()) % 7 * DAY
    return (found if isinstance(found, DateFault) else single(found, "relative", s.words(i, end))), end


def _is_in(s: Sentence, i: int, lead: int) -> bool:
    """`in` as a distance: `in`, `בעוד`, `עוד`, not `during`."""
    return lead > i and (s.at(i).word in {"in", "עוד"} or (s.at(i).word == "ב" and s.at(i + 1).word == "עוד"))


def _belongs(s: Sentence, i: int) -> bool:
    """Whether a name follows the count ("in two weeks of March", "in a week in January")."""
    at = s.skip(i, "of", "the")
    return at > i and bool(s.at(at).month or s.at(at).holiday)


def day_from(s: Sentence, i: int) -> Parsed:
    """`a week from Sunday`, `a week on Friday`, `two weeks from tomorrow`, `שבוע מיום ראשון`."""
    counted = count(s, i)
    if counted is None or counted[1] == "night":
        return None
    on = counted[1] == "week" and s.key(counted[2], "on") and s.at(s.skip(counted[2] + 1, "the")).weekday is not None
    if not s.key(counted[2], "from") and (not on or s.key(i - 1, "for")):
        return None
    n, unit, at = counted
    base = weekday(s, at + 1) or named_day(s, at + 1)
    if base is None:
        return None
    start = read_day(base[0], s.here) if isinstance(base[0], WrittenDay) else base[0]
    if isinstance(start, DateFault):
        return start, base[1]
    found = later(start.check_in, n, unit)
    return (found if isinstance(found, DateFault) else single(found, "relative", s.words(i, base[1]))), base[1]
