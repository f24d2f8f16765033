"""Grammar of weeks, months and parts of them."""

from datetime import date

from dateutil.relativedelta import relativedelta

from wavegraph.tools.hotel.dates import spans
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.dates.holiday_rules import nights_named
from wavegraph.tools.hotel.dates.point_rules import first_day, point_at
from wavegraph.tools.hotel.dates.relative_rules import count
from wavegraph.tools.hotel.dates.resolution import (
    DAY,
    MONTH_NAMES,
    DateFault,
    ResolvedStay,
    days_in,
    place,
    single,
    with_nights,
    year_fault,
)
from wavegraph.tools.hotel.dates.sentence import Parsed, Sentence, counted_unit, number, year
from wavegraph.tools.hotel.dates.vocabulary import SEASONS


def month_at(s: Sentence, i: int) -> tuple[int, int, int] | None:
    """A month with its year, `next month` and `the month` included: month, year, end."""
    i = s.skip(i, "the")
    i = s.skip(i + 1, "of") if s.unit(i, "month") and s.at(s.skip(i + 1, "of")).month else i
    lead = s.key(i, "next", "this")
    if s.at(i + lead).month:
        given = year(s, i + lead + 1)
        month = s.at(i + lead).month or 1
        return month, given[0] if given else spans.month_year(month, s.here), given[1] if given else i + lead + 1
    if s.unit(i + lead, "month") and not s.at(i + lead).num:
        after = s.skip(i + lead + 1, "the")
        trail = not lead and s.key(after, "next", "this")
        turn = s.at(i).key if lead else s.at(after).key if trail else ""
        then = s.here.today + relativedelta(months=turn == "next")
        return then.month, then.year, after + 1 if trail else i + lead + 1
    return None


def week(s: Sentence, i: int) -> Parsed:
    """`next week`, `this week`, `השבוע`, `the week of December 14`, `Christmas week`, `second week of March`."""
    if found := counted_unit(s, i, "week"):
        n, at = found
        of = s.skip(at, "of", "in")
        month = month_at(s, of) if of > at else None
        return (_week_of_month(s, month, n, s.words(i, month[2])), month[2]) if month else None
    if part := _part_of_week(s, i) or _numbered_week(s, i):
        return part
    the = s.skip(i, "the")
    start = the + (
        s.key(the, "this", "next", "previous") and s.at(the).word != "זה"
    )  # `כמה זה שבוע` is no week of ours
    if not s.unit(start, "week") or s.at(start).num:
        return None
    at = s.skip(start + 1, "the")
    turn = s.at(the).key if start > the else s.at(at).key if s.key(at, "this", "next", "previous") else ""
    end = at + 1 if start == the and turn else start + 1
    return _turned_week(s, i, end, turn) if turn else _plain_week(s, i, start, the > i)


def _numbered_week(s: Sentence, i: int) -> Parsed:
    """`week 6`, `calendar week 6 of 2027`, `שבוע 6`: the week of the year, Monday first, as calendars count."""
    at = i + (s.at(i).word == "calendar")
    n = number(s, at + 1)
    if not s.unit(at, "week") or s.at(at).num or n is None or not 1 <= n <= 53 or s.at(at + 1).ordinal:
        return None
    given = year(s, at + 2)
    if not given and not (s.at(at + 2).mark or at > i):
        return None
    starts = [
        _iso_week(which, n) for which in ([given[0]] if given else range(s.here.today.year, s.here.today.year + 2))
    ]
    coming = [start for start in starts if start and start + 6 * DAY >= s.here.today]
    end = given[1] if given else at + 2
    if not coming:
        return DateFault("past" if any(starts) else "invalid", f"{s.words(i, end)!r}: give the dates"), end
    return spans.week(coming[0], s.here, s.words(i, end)), end


def _iso_week(year_: int, n: int) -> date | None:
    try:
        return date.fromisocalendar(year_, n, 1)
    except ValueError:
        return None


def _week_of_month(s: Sentence, month: tuple[int, int, int], n: int, label: str) -> ResolvedStay | DateFault:
    found = spans.week_in_month(month[0], month[1], n, s.here, label)
    if isinstance(found, DateFault) and found.error == "past":
        return spans.week_in_month(month[0], month[1] + 1, n, s.here, label)
    return found


def _part_of_week(s: Sentence, i: int) -> Parsed:
    """`end of next week`, `אמצע השבוע`; not `midweek`."""
    i = s.skip(i, "the")
    part: spans.PeriodPart = "early" if s.key(i, "early") else "mid" if s.key(i, "mid") else "late"
    at = s.skip(i + 1, "of", "the", "in", "dash")
    turned = s.key(at, "next", "this")
    if not s.key(i, "early", "mid", "late") or not s.unit(at + turned, "week") or s.at(at + turned).num:
        return None
    after = s.skip(at + turned + 1, "the")
    trail = not turned and s.key(after, "next", "this")
    end = after + 1 if trail else at + turned + 1
    following = "next" in {s.at(at).key, s.at(after).key if trail else ""}
    start = spans.week_start(s.here.today, s.here) + following * 7 * DAY
    return spans.week_part(start, part, s.here, s.words(i, end)), end


_COMING = ("coming", "comming", "upcoming", "upcomming")
_LATE_IN_WEEK = 4
"""From its fifth day on, the coming week is not the running one."""


def _turned_week(s: Sentence, i: int, end: int, turn: str) -> Parsed:
    label = s.words(i, end)
    if turn == "previous":
        return DateFault("past", f"{label!r} is in the past; name a future week"), end
    if s.key(end, "after") and s.key(end + 1, "next"):
        return None
    start = spans.week_start(s.here.today, s.here)
    is_over = s.at(i).word in _COMING or s.at(end - 1).word in _COMING or s.at(i + 1).word in _COMING
    later = turn == "next" or (is_over and s.here.today >= start + _LATE_IN_WEEK * DAY)
    return spans.week(start + later * 7 * DAY, s.here, label), end


def _plain_week(s: Sentence, i: int, at: int, definite: bool) -> Parsed:
    if s.key(at + 1, "after") and s.key(at + 2, "next"):
        return spans.week(spans.week_start(s.here.today, s.here) + 14 * DAY, s.here, s.words(i, at + 3)), at + 3
    of = s.skip(at + 1, "of", "the")
    point = point_at(s, of) if of > at + 1 else None
    day = first_day(s, point[0]) if point else None
    if point and day:
        return spans.week_around(day, f"week of {s.words(of, point[1])}", s.here), point[1]
    if definite and s.at(at).word == "שבוע" and not s.key(at + 1, "after", "before", "that"):
        return _turned_week(s, i, at + 1, "this")
    return None


def month(s: Sentence, i: int) -> Parsed:
    """`in January`, `mid January`, `end of next month`, `next month`, `תחילת מרץ`, `סוף החודש`; not `early 2027`."""
    the = s.skip(i, "the")
    part = s.at(the).key if s.key(the, "early", "mid", "late") else ""
    lead = s.skip(the + 1, "dash", "of", "in", "the", "to") if part else the
    found = month_at(s, lead)
    if part == "late" and (end := _year_end(s, lead)):
        return end
    if found is None or (not part and not _names_month(s, i, lead, found[2])):
        return None
    label = f"{part} {MONTH_NAMES[found[0] - 1]}".strip() + f" {found[1]}"
    span = spans.month_span(found[0], found[1], part or None, s.here, label)  # type: ignore[arg-type]
    if not part and isinstance(span, ResolvedStay) and (around := _all_of(s, i, found[2])):
        return spans.all_nights(span, s.here), around
    if isinstance(span, DateFault) and span.error == "past" and part and s.at(lead).month:
        span = spans.month_span(found[0], found[1] + 1, part or None, s.here, label)  # type: ignore[arg-type]
    return span, found[2]


_ALL = ("whole", "entire", "all", "full", "complete", "כל", "לכל", "בכל", "שלם", "מלא", "כולו")


def _all_of(s: Sentence, i: int, end: int) -> int:
    """Where `the whole month of November`, `כל נובמבר`, `חודש שלם` ends; 0 where not all of the month is meant."""
    before = i - 1
    while s.key(before, "of", "the", "in", "for") and before > 0:
        before -= 1
    if s.at(end).word in _ALL and s.at(end).start:
        return end + 1
    return end if s.at(before).word in _ALL else 0


def _year_end(s: Sentence, i: int) -> Parsed:
    """`end of the year`, `סוף השנה`: the last days of December."""
    turned = s.key(i, "this", "next")
    if not s.unit(i + turned, "year") or s.at(i + turned).num:
        return None
    which = s.here.today.year + s.key(i, "next")
    return spans.month_span(12, which, "late", s.here, f"end of {which}"), i + turned + 1


def half_month(s: Sentence, i: int) -> Parsed:
    """`first half of March`, `המחצית השנייה של ינואר`."""
    i = s.skip(i, "the")
    word, after = s.key(i, "half"), s.skip(i + 1, "the")
    n = s.at(after).num if word else s.at(i).num if s.at(i + 1).word == "half" else None
    where = s.skip((after if word else i + 1) + 1, "of", "in")
    found = month_at(s, where) if n in {1, 2} else None
    if found is None:
        return None
    part: spans.PeriodPart = "first half" if n == 1 else "second half"
    label = f"{part} of {MONTH_NAMES[found[0] - 1]} {found[1]}"
    return spans.month_span(found[0], found[1], part, s.here, label), found[2]


def nights_of_month(s: Sentence, i: int) -> Parsed:
    """`the last two nights of January`, `first three days of March`: one stay at that end of the month."""
    named = nights_named(s, i)
    of = s.skip(named[2], "of", "in") if named else i
    found = month_at(s, of) if named and of > named[2] and s.at(of).month else None
    if named is None or found is None or named[0] not in {1, -1}:
        return None
    month, year_, end = found
    if fault := year_fault(year_):
        return fault, end
    start = date(year_, month, 1 if named[0] == 1 else days_in(year_, month) - named[1] + 1)
    if start < s.here.today:
        return DateFault("past", f"{s.words(i, end)!r} is in the past; name a future month"), end
    return ResolvedStay(start, start + named[1] * DAY, "relative", s.words(i, end), True, True), end


_AFTER_A_VERB = frozenset(
    words_of("i we he she they you my our the a it be have not also need want come visit bring stay use")
)
"""After `may`, where it is no month: `may my daughter come?`"""


def _names_month(s: Sentence, i: int, lead: int, end: int) -> bool:
    """A month's name alone is enough in a hint; in a sentence it needs "in", "for" or "next" before it."""
    if s.unit(end - 1, "month") or (s.key(lead, "next", "this") and s.unit(end - 1, "month")):
        return s.key(lead, "next", "this") or s.key(end - 1, "next", "this")
    if s.at(end).written and not s.at(end).iso:
        return False
    if s.at(lead).word == "may" and s.at(end).word in _AFTER_A_VERB and not s.strict:
        return False
    led = s.key(s.skip(i, "the") - 1, "in", "for", "of", "on", "or", "and", "the") or s.key(lead, "next", "this")
    return s.strict or led or (not s.at(lead).weak)


_ALSO_VERBS = ("fall", "spring", "break")


def season(s: Sentence, i: int) -> Parsed:
    """`in summer`, `winter 2027`, `בחופש הגדול`: its months; the words that mean something else too need `in` or `this`."""
    start = s.skip(i, "the", "this", "next")
    led = start > i or s.key(i - 1, "in", "for", "of")
    if not s.key(start, "season") or (s.at(start).word in _ALSO_VERBS and not (led or s.strict)):
        return None
    given = year(s, start + 1) or (None, start + 1)
    after = s.skip(given[1], "the")
    end = after + 1 if s.key(after, "this", "next") and start == s.skip(i, "the") else given[1]
    return spans.season(*SEASONS[s.at(start).word], given[0], s.here, s.words(start, end)), end


def next_nights(s: Sentence, i: int) -> Parsed:
    """`the next two nights`, `next 3 days`: from tonight on; `in the next two months`: some time until then."""
    inside = s.key(i - 1, "in")
    i = s.skip(i, "the")
    counted = count(s, i + 1) if s.key(i, "next", "this") else None
    if counted and counted[1] in {"week", "month"} and inside:
        weeks = counted[1] == "week"
        until = s.here.today + (counted[0] * 7 * DAY if weeks else relativedelta(months=counted[0]))
        whole = ResolvedStay(s.here.today, until, "span", s.words(i, counted[2]), window=(s.here.today, until))
        return place(whole, s.here.today, until), counted[2]
    if counted is None or counted[1] not in {"night", "day"} or not s.key(i, "next"):
        return None
    tonight = single(s.here.today, "relative", s.words(i, counted[2]))
    return with_nights(tonight, counted[0], s.here), counted[2]


def nameless(s: Sentence, i: int) -> Parsed:
    """`next year`, `in a few days`: a time without a date."""
    if s.key(i, "next") and s.unit(i + 1, "year") and s.strict:
        return DateFault("unclear", "'next year' is too wide: name a month or the dates"), i + 2
    if s.key(i, "in", "another") and (n := number(s, s.skip(i, "in", "another"))) is not None:
        at = s.skip(i, "in", "another") + 1
        if s.unit(at, "year") and n > 1:
            return DateFault("out_of_range", f"{n} years away is too far; give the date"), at + 1
    at = s.skip(i, "in", "another", "a")
    named = s.at(s.skip(at + 2, "in", "of", "the"))
    if named.month or named.holiday:
        return None
    if at > i and s.key(at, "several") and s.unit(at + 1, "day", "week", "month"):
        return DateFault("unclear", f"{s.words(at, at + 2)!r} is not a date: give the dates"), at + 2
    return None
