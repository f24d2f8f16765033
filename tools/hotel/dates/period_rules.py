"""Grammar of weekends, weeks, months and parts of them."""

from dataclasses import replace
from itertools import pairwise

from wavegraph.tools.hotel.dates import spans
from wavegraph.tools.hotel.dates.day_rules import in_week
from wavegraph.tools.hotel.dates.grammar import READERS, Match, Read, rules
from wavegraph.tools.hotel.dates.point_rules import first_day
from wavegraph.tools.hotel.dates.resolution import (
    DAY,
    MONTH_NAMES,
    DateFault,
    ResolvedStay,
    WrittenDay,
    read_day,
    read_range,
    single,
)
from wavegraph.tools.hotel.dates.sentence import Sentence

Period = ResolvedStay | DateFault


def _unclear(m: Match) -> DateFault:
    return DateFault("unclear", f"{m.label!r} leaves the dates open: give the dates")


def _passed(m: Match) -> DateFault:
    return DateFault("past", f"{m.label!r} is in the past; name a future one")


# --- weekends ----------------------------------------------------------------------------------------------------


def _one_weekend(s: Sentence, i: int) -> Read:
    """`weekend`, `long weekend`; whether it is long. `weekends` are several, but in a hint."""
    at = i + s.key(i, "long")
    lex = s.at(at)
    if not s.unit(at, "weekend") or lex.num or (lex.word.endswith(("s", "ים")) and not s.strict):
        return None
    after = s.skip(at + 1, "the") if s.key(s.skip(at + 1, "the"), "long") else at
    return at > i or after > at, after + 1


def _adjective(s: Sentence, i: int) -> Read:
    lex = s.at(i)
    known = lex.mark or lex.key or lex.unit or lex.holiday or lex.num or lex.month
    return (lex.word, i + 1) if not known else None


def _several_weekends(s: Sentence, i: int) -> Read:
    return ("weekends", i + 1) if s.unit(i, "weekend") and s.at(i).word.endswith(("s", "ים")) else None


def _turned_weekend(m: Match) -> Period:
    """`this weekend`, `next weekend`, `weekend after next`, `סופ"ש הבא`."""
    if m["turn"] in ("previous", "last"):
        return _passed(m)
    weeks = 2 if m["beyond"] else 1 if m["turn"] == "next" else 0
    return spans.relative_weekend(weeks, m.s.here, m.label, m["long"])


def _weekend_of(m: Match) -> Period | None:
    """`weekend of December 12`, `weekend of Hanukkah`, `4th of July weekend`, `a weekend in two weeks`."""
    day = first_day(m.s, m["of"])
    if isinstance(day, ResolvedStay) and day.holiday:
        return spans.weekend_in_holiday(day, m.s.here)
    return day if isinstance(day, DateFault) else spans.weekend_of(day.check_in, m.s.here, m.label, bool(m["long"]))


def _this_weekend(m: Match) -> Period | None:
    lex = m.following
    belongs = (lex.num is not None or lex.written or lex.month) and not lex.counted
    return None if belongs else spans.relative_weekend(0, m.s.here, m.label, m["long"])


def _some_weekend(m: Match) -> Period | None:
    """`a weekend in January`, `סופ"ש רומנטי בפברואר`: the first whose nights all lie in the month."""
    if m["kind"] and not m.s.at(m.end - 1).month:
        return None
    found = _nth_weekend(m.s, m["monthly"], 1, m.label)
    if isinstance(found, ResolvedStay) and found.check_in.month != m["monthly"][0]:
        found = _nth_weekend(m.s, m["monthly"], 2, m.label)
    if isinstance(found, DateFault):
        return found
    window = spans.whole_month(m["monthly"], m.s.here)
    return replace(found, check_out=found.check_out + m["long"] * DAY, window=window)


def _nth_weekend(s: Sentence, monthly: tuple[int, int], n: int, label: str) -> Period:
    month, year = monthly
    found = spans.weekend_in_month(month, year, n, s.here, label)
    passed = isinstance(found, DateFault) and found.error == "past" and year == s.here.today.year
    return spans.weekend_in_month(month, year + 1, n, s.here, label) if passed else found


def _counted_weekend(m: Match) -> Period | None:
    """`first weekend of December`, `הסופ"ש האחרון של ינואר`, `first weekend of Hanukkah`."""
    if m["monthly"]:
        return _nth_weekend(m.s, m["monthly"], m["n"], m.label)
    return spans.weekend_in_holiday(m["whole"], m.s.here)


def _sabbath(m: Match) -> Period | None:
    """`Shabbat`, `שבת הקרובה`: in a hotel the stay from Friday to Saturday, unlike a plain Saturday."""
    s, lex, today = m.s, m.following, m.s.here.today
    other = s.key(m.start - 1, "motzei", "to", "dash") or s.at(m.start - 1).word == "יום"
    if other or lex.word in {"night", "evening"} or lex.num or lex.month:
        return None
    start = today + (4 - today.weekday()) % 7 * DAY + (m["turn"] == "next") * 7 * DAY
    others = ((start - DAY, start + DAY), (start, start + 2 * DAY), (start + DAY, start + 2 * DAY))
    pairs = tuple(pair for pair in others if pair[0] >= today)
    return ResolvedStay(start, start + DAY, "weekend", m.label, note="Friday night", alternatives=pairs)


def _weekday_run(m: Match) -> Period | None:
    """`שישי שבת`, `חמישי שישי שבת הבא`: from the first day to the Sabbath; `חמישי שישי הקרוב`: the nights of these days."""
    days = [day for day in (m["one"], m["two"], m["three"]) if day is not None]
    run = all((day + 1) % 7 == after for day, after in pairwise(days))
    if not run or not (m["turn"] or days[-1] in (4, 5)):
        return None
    day = single(in_week(m.s.here, days[0]), "relative", "") if m["turn"] == "next" else read_day(
        WrittenDay(weekday=days[0]), m.s.here
    )  # fmt: skip
    departure = WrittenDay(weekday=days[-1] if days[-1] == 5 else days[-1] + 1)
    return day if isinstance(day, DateFault) else read_range(replace(day, kind="relative"), departure, m.s.here)


READERS["A_WEEKEND"] = _one_weekend
READERS["WORD"] = _adjective
READERS["WEEKENDS"] = _several_weekends
WEEKENDS = rules(
    ("SABBATH", _sabbath),
    ("turn:this|next SABBATH", _sabbath),
    ("SABBATH the? turn:this|next", _sabbath),
    ("n:ORDINAL A_WEEKEND of|in|the+ monthly:MONTHLY", _counted_weekend),
    ("A_WEEKEND the? n:ORDINAL of|in|the* monthly:MONTHLY", _counted_weekend),
    ("n:ORDINAL A_WEEKEND of|in|the+ whole:WHOLE", _counted_weekend),
    ("a? turn:this|next|previous|last this|next? long:A_WEEKEND", _turned_weekend),
    ("a? long:A_WEEKEND the? turn:this|next|previous", _turned_weekend),
    ("a? long:A_WEEKEND after beyond:next", _turned_weekend),
    ("ORDINAL A_WEEKEND", _unclear),
    ("A_WEEKEND the? ORDINAL", _unclear),
    ("a? A_WEEKEND after =that", _unclear),
    ("a? A_WEEKEND that after?", _unclear),
    ("a? long:A_WEEKEND of|in|on|the+ of:POINT", _weekend_of),
    ("a? long:A_WEEKEND of:WHOLE", _weekend_of),
    ("a? long:A_WEEKEND of:FROM_NOW", _weekend_of),
    ("of:WRITTEN weekend", _weekend_of),
    ("a? long:A_WEEKEND of|in|on|the+ monthly:MONTHLY", _some_weekend),
    ("a? long:A_WEEKEND kind:WORD in monthly:MONTHLY", _some_weekend),
    ("a? long:A_WEEKEND", _this_weekend),
    ("one:WEEKDAY two:WEEKDAY three:WEEKDAY?", _weekday_run),
    ("one:WEEKDAY two:WEEKDAY three:WEEKDAY? in|the* week? the? turn:this|next", _weekday_run),
)

# --- weeks -------------------------------------------------------------------------------------------------------


def _week_of_month(m: Match) -> Period:
    month, year = m["monthly"]
    found = spans.week_in_month(month, year, m["n"], m.s.here, m.label)
    passed = isinstance(found, DateFault) and found.error == "past"
    return spans.week_in_month(month, year + 1, m["n"], m.s.here, m.label) if passed else found


def _part_of_week(m: Match) -> Period | None:
    """`end of next week`, `אמצע השבוע`; not `midweek`."""
    if m["part"] not in ("early", "mid", "late"):
        return None
    start = spans.week_start(m.s.here.today, m.s.here) + (m["turn"] == "next") * 7 * DAY
    return spans.week_part(start, m["part"], m.s.here, m.label)


_COMING = {"coming", "comming", "upcoming", "upcomming"}
_LATE_IN_WEEK = 4
"""From its fifth day on, the coming week is not the running one."""


def _turned_week(m: Match) -> Period | None:
    """`next week`, `this week`, `השבוע`; `כמה זה שבוע` is no week of ours."""
    s, start = m.s, spans.week_start(m.s.here.today, m.s.here)
    if m["turn"] == "previous":
        return _passed(m)
    if s.at(m.start).word == "זה" or (s.key(m.end, "after") and s.key(m.end + 1, "next")):
        return None
    coming = _COMING & {s.at(n).word for n in range(m.start, m.end)}
    over = m["turn"] == "next" or (coming and s.here.today >= start + _LATE_IN_WEEK * DAY)
    return spans.week(start + (14 if m["beyond"] else 7 if over else 0) * DAY, s.here, m.label)


def _this_week(m: Match) -> Period | None:
    s = m.s
    return (
        _turned_week(m)
        if (s.key(m.start, "the") or s.key(m.start - 1, "the")) and not s.key(m.end, "after", "before", "that")
        else None
    )


WEEKS = rules(
    ("n:ORDINAL week of|in+ monthly:MONTHLY", _week_of_month),
    ("week the? n:ORDINAL of|in+ monthly:MONTHLY", _week_of_month),
    ("part:PART of|the|in|dash* turn:this|next? week", _part_of_week),
    ("part:PART of|the|in|dash* week the? turn:this|next", _part_of_week),
    ("turn:this|next|previous this? week", _turned_week),
    ("week the? turn:this|next|previous", _turned_week),
    ("week after beyond:next", _turned_week),
    ("week of|the+ of:POINT", lambda m: spans.week_around(first_day(m.s, m["of"]), m.label, m.s.here)),
    ("=שבוע", _this_week),
    ("=calendar? week NUMBER YEAR?", _unclear),
)

# --- months ------------------------------------------------------------------------------------------------------


def _month(m: Match) -> Period | None:
    """`in January`, `next month`; not the month of `January 17`, nor `may` before what may be done."""
    s, monthly = m.s, m["monthly"]
    words, after = s.lexemes[m.start : m.end], m.following
    name = next((lex for lex in words if lex.month or lex.key in ("this", "next")), None)
    if name is None or (after.written and not after.iso):
        return None
    verb = name.word == "may" and after.word in _AFTER_A_VERB
    led = s.key(s.skip(m.start, "the") - 1, "in", "for", "of", "on", "or", "and", "the") or s.key(
        m.start, "next", "this"
    )
    if not s.strict and (verb or (name.weak and not led)):
        return None
    month, year = monthly
    return spans.month_span(month, year, None, s.here, f"{MONTH_NAMES[month - 1]} {year}")


_AFTER_A_VERB = frozenset(
    [
        "i",
        "we",
        "he",
        "she",
        "they",
        "you",
        "my",
        "our",
        "the",
        "a",
        "it",
        "be",
        "have",
        "not",
        "also",
        "need",
        "want",
        "come",
        "visit",
        "bring",
        "stay",
        "use",
    ]
)
"""After `may`, where it is no month: `may my daughter come?`"""


def _whole_month(m: Match) -> Period | None:
    """`all of August`, `the whole month of November`, `כל נובמבר`, `חודש שלם במרץ`: every night of it."""
    month, year = m["monthly"]
    if not any(lex.month for lex in m.s.lexemes[m.start : m.end]):
        return None
    span = spans.month_span(month, year, None, m.s.here, f"{MONTH_NAMES[month - 1]} {year}")
    return span if isinstance(span, DateFault) else spans.all_nights(span, m.s.here)


def _part_of_month(m: Match) -> Period:
    """`mid January`, `end of next month`, `תחילת מרץ`, `סוף החודש`, `first half of March`."""
    (month, year), part = m["monthly"], m["part"]
    label = f"{part} {MONTH_NAMES[month - 1]}" if " " not in part else f"{part} of {MONTH_NAMES[month - 1]}"
    span = spans.month_span(month, year, part, m.s.here, f"{label} {year}")
    if isinstance(span, DateFault) and span.error == "past" and m.s.at(m.end - 1).month:
        span = spans.month_span(month, year + 1, part, m.s.here, f"{label} {year}")
    return span


MONTHS = rules(
    ("monthly:MONTHLY", _month),
    ("=whole|=entire|=all|=full|=complete|=כל|=לכל|=בכל of|the|in* monthly:MONTHLY", _whole_month),
    ("monthly:MONTHLY =שלם|=מלא|=כולו", _whole_month),
    ("month =שלם|=מלא of|in+ monthly:MONTHLY", _whole_month),
    ("part:PART dash|of|in|the|to* monthly:MONTHLY", _part_of_month),
    ("piece:PIECE of|in+ monthly:MONTHLY", _unclear),
    ("next NIGHTS", _unclear),
)
