"""How the phrases of one sentence combine: days inside a period, dates said twice, days of one stay, "or the one after"."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import pairwise

from wavegraph.tools.hotel.dates import spans
from wavegraph.tools.hotel.dates.grammar import Match, longest, rules
from wavegraph.tools.hotel.dates.phrases import Phrase, bare_item, evaluate
from wavegraph.tools.hotel.dates.point_rules import point_at, weekend_beside
from wavegraph.tools.hotel.dates.resolution import (
    DAY,
    DAY_NAMES,
    DateFault,
    DatePoint,
    ResolvedStay,
    WrittenDay,
    range_label,
    single,
)
from wavegraph.tools.hotel.dates.sentence import Sentence, names_something

_ALSO = frozenset({"plus", "also", "+", "גם", "וגם"})
_CHOICES = {"and", "or", "vs"}


def together(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """The phrases of `s`, each adjusted by what the others say about it."""
    every: tuple[Callable[[Sentence, list[Phrase]], list[Phrase]], ...] = (
        _weekends_of_month, _said_twice, _inside_period, _same_turn, _or_the_one_after, _one_stay
    )  # fmt: skip
    for rule in every:
        phrases = rule(s, phrases)
    return phrases


def _put(phrases: list[Phrase], found: list[Phrase]) -> list[Phrase]:
    """The phrases with `found` in place of those that overlap them."""
    start, end = found[0].start, found[-1].end
    rest = [phrase for phrase in phrases if phrase.end <= start or phrase.start >= end]
    return sorted([*rest, *found], key=lambda phrase: phrase.start)


def _between(s: Sentence, one: Phrase, two: Phrase) -> list[str]:
    """The keys, or else the words, between two phrases."""
    return ["and" if s.at(n).word in _ALSO else s.at(n).key or s.at(n).word for n in range(one.end, two.start)]


def _points(phrase: Phrase) -> list[DatePoint]:
    return [point for point in (phrase.first, phrase.last) if point is not None]


def _on_weekday(phrase: Phrase) -> bool:
    """Weekdays and nothing else: `Friday`, `Wed-Fri`."""
    return all(isinstance(point, WrittenDay) and point.day is None for point in _points(phrase))


def _without_month(phrase: Phrase) -> bool:
    return all(isinstance(point, WrittenDay) and point.day and not point.month for point in _points(phrase))


# --- weekends of a month -----------------------------------------------------------------------------------------

_VERDICT = "=are|=is|=still|=free|=available|=open|=left|=cheap|=cheapest|=עדיין|=פנויים|=פנוי|=זמינים|=זולים*"
_EVERY = rules(
    ("each|=כל|=בכל|=לכל the? weekend|WEEKENDS in|of|the+ monthly:MONTHLY", lambda m: m["monthly"]),
    (f"WEEKENDS {_VERDICT} in|of|the+ monthly:MONTHLY", lambda m: m["monthly"]),
)  # fmt: skip


def _weekends_of_month(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`weekends in January`, `every weekend of March`, `which weekends are free in May`: one stay for each still to come."""
    for i in range(len(s.lexemes)):
        month = (
            longest(s, i, _EVERY)
            if s.at(i).word.startswith(("weekend", "every", "each", "סופ", "כל", "בכל", "לכל"))
            else None
        )
        if month and (found := _each_weekend(s, i, *month)):
            return _put(phrases, found)
    return phrases


def _each_weekend(s: Sentence, i: int, month: tuple[int, int], end: int) -> list[Phrase]:
    numbered = (spans.weekend_in_month(*month, n, s.here, "") for n in range(1, 6))
    found = [each for each in numbered if isinstance(each, ResolvedStay)]
    stays = [each for each in found if each.check_in.month == (each.check_out - DAY).month == month[0]]
    window = spans.whole_month(month, s.here)
    named = [replace(each, label=range_label(each.check_in, each.check_out), window=window) for each in stays]
    return [Phrase(i, end, each) for each in named]


# --- dates said twice --------------------------------------------------------------------------------------------


def _said_twice(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`2-4 December (Wed-Fri)`, `Hanukkah (Dec 4-6)`, `next weekend, 27-29 November`, `weekend of 5-6 December`: one stay."""
    kept: list[Phrase] = []
    for phrase in phrases:
        same = _same(s, kept[-1], phrase) if kept else None
        kept[-1:] = [same] if same else [*kept[-1:], phrase]
    return kept


def _same(s: Sentence, one: Phrase, two: Phrase) -> Phrase | None:
    between = _between(s, one, two)
    if isinstance(one.first, ResolvedStay) and isinstance(two.first, ResolvedStay) and one.open and two.first.holiday:
        from_its_eve = two.last and two.first.part == (0, 1) and one.first.holiday == two.first.holiday
        return two if from_its_eve else None
    dates, named = (two, one) if _dated(two) else (one, two)
    found, other = evaluate(dates, s.here), evaluate(named, s.here)
    if set(between) - {",", "(", ":", "?", "of", "dash"} or len(between) > 2 or not _dated(dates) or _dated(named):
        return None
    if isinstance(found, DateFault) or isinstance(other, DateFault):
        return None
    merged = replace(dates, start=one.start, end=two.end + ("(" in between and s.at(two.end).word == ")"))
    if _on_weekday(named):
        confirms = not set(between) - {","} and other.check_in.weekday() == found.check_in.weekday()
        return _agreed(merged, named, found) if named.last and dates.last else merged if confirms else None
    of_it = "of" in between and other.kind == "weekend"
    overlap = of_it or (found.check_in <= other.check_out and other.check_in <= found.check_out)
    return merged if between and overlap and found.fixed and other.kind in ("holiday", "weekend") else None


def _dated(phrase: Phrase) -> bool:
    written = [point for point in _points(phrase) if isinstance(point, WrittenDay) and point.day]
    return phrase.first in written and any(point.month for point in written)


def _agreed(dates: Phrase, days: Phrase, found: ResolvedStay) -> Phrase:
    """The dates, or a fault if they fall on other weekdays than named."""
    ends = (found.check_in, found.check_out)
    if [day.weekday() for day in ends] == [getattr(point, "weekday", None) for point in _points(days)]:
        return dates
    names = " to ".join(DAY_NAMES[day.weekday()] for day in ends)
    return replace(dates, first=DateFault("weekday", f"{range_label(*ends)} is {names}: which days are meant?"))


# --- days inside a period ----------------------------------------------------------------------------------------

_AROUND = 3 * DAY
"""So long before a holiday or a weekend the stay for it may begin."""
_NEAR = 9 * DAY
"""In a longer period a weekday is no single day."""


def _inside_period(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`March, from the 10th to the 12th`, `Purim, Sunday to Wednesday`, `Thursday in two weeks`: days of the one period named."""
    days = [phrase for phrase in phrases if _without_month(phrase) or _of_a_week(s, phrase)]
    named = [phrase for phrase in phrases if phrase not in days]
    period = evaluate(replace(named[0], nights=None), s.here) if len(named) == 1 else None
    if not isinstance(period, ResolvedStay):
        return phrases
    days = days or _bare_days(s, named[0], period)
    placed = [_placed(s, each, named[0], period) for each in days]
    found = [each for each in placed if each]
    if not found or len(found) < len(days):
        return phrases
    if _dated(named[0]) and not _on_weekday(days[0]):
        return sorted([named[0], *found], key=lambda phrase: phrase.start)
    return found if len(found) > 1 else [_around(found[0], named[0])]


def _of_a_week(s: Sentence, phrase: Phrase) -> bool:
    """`Sunday to Tuesday`, `from Thursday`, `3 nights from Thursday`, `Thursday in two weeks`."""
    led = any(s.key(n, "from") for n in range(phrase.start - 1, phrase.end))
    return _on_weekday(phrase) and bool(phrase.last or led or s.key(phrase.end, "in"))


def _placed(s: Sentence, days: Phrase, named: Phrase, period: ResolvedStay) -> Phrase | None:
    """The days as the period has them; None if they are not in it."""
    low, high = _extent(s, named, period)
    if isinstance(days.first, WrittenDay) and days.first.day:
        day = _in_month(days.first, low)
        found = evaluate(replace(days, first=day), s.here)
        inside = isinstance(found, DateFault) or low - _AROUND <= found.check_in <= high + _AROUND
        return replace(days, first=day, nights=days.nights or named.nights) if inside else None
    one, two = sorted((days, named), key=lambda phrase: phrase.start)
    low -= _AROUND if _dated(named) else 0 * DAY
    arrival = low + ((getattr(days.first, "weekday", 0) or 0) - low.weekday()) % 7 * DAY
    apart = any(s.key(n, "or", "vs", "and") for n in range(one.end, two.start)) or not _belongs(days, named, period, s)
    if apart or high - low > _NEAR or arrival < s.here.today:
        return None
    first = single(arrival, "relative", period.label)
    return replace(days, first=first, nights=days.nights if days.last else days.nights or named.nights)


def _extent(s: Sentence, named: Phrase, period: ResolvedStay) -> tuple[date, date]:
    """The first and last arrival in what is named."""
    if _far_week(s, named):
        start = spans.week_start(period.check_in, s.here)
        return start, start + 6 * DAY
    if period.kind == "span":
        return period.first or period.check_in, period.last or period.check_out
    return (period.check_in if _dated(named) and not named.last else period.check_in - _AROUND), period.check_out


def _far_week(s: Sentence, named: Phrase) -> bool:
    """`in two weeks`."""
    counted = any(lex.unit == "week" for lex in s.lexemes[named.start : named.end])
    return counted and s.key(named.start, "in", "another") and named.last is None


def _belongs(days: Phrase, named: Phrase, period: ResolvedStay, s: Sentence) -> bool:
    """Whether the weekdays can be those of what is named: as many nights, or the days around one date before them."""
    found = evaluate(days, s.here)
    nights = found.nights if isinstance(found, ResolvedStay) and days.last else None
    if _far_week(s, named) or (days.last is None and period.holiday):
        return True
    if period.kind in ("weekend", "holiday", "part", "span"):
        return bool(days.last) and named.nights in (None, nights)
    return _dated(named) and bool(days.last) and named.open and named.end <= days.start


def _in_month(day: WrittenDay, low: date) -> WrittenDay:
    """The day in the month of `low`, or in the next where it is before that."""
    passed = (day.day or 0) < low.day
    month, year = (1, low.year + 1) if passed and low.month == 12 else (low.month + passed, low.year)
    return replace(day, month=month, year=day.year or year, bare=False)


def _around(days: Phrase, named: Phrase) -> Phrase:
    one, two = sorted((days, named), key=lambda phrase: phrase.start)
    gap = (one.end, two.start) if two.start > one.end else None
    return replace(days, start=one.start, end=two.end, gap=gap)


_BEGINS = frozenset({"מתחילים", "מתחילה", "מתחיל", "נתחיל", "החל"})


def _bare_days(s: Sentence, named: Phrase, period: ResolvedStay) -> list[Phrase]:
    """`10-12`, `ה-16`, `מתחילים ב-8` anywhere outside the month's own phrase, unless it is a count."""
    found: list[Phrase] = []
    month_only = period.kind == "span" and sum(bool(lex.month) for lex in s.lexemes[named.start : named.end]) == 1
    for i in range(len(s.lexemes) if month_only and named.last is None else 0):
        item = bare_item(s, i) if not named.start <= i < named.end and s.at(i).num and not s.key(i - 1, "for") else None
        led = s.key(i - 1, "the") or s.key(i - 2, "the") or (s.key(i - 1, "in") and s.at(i - 2).word in _BEGINS)
        if item and (item.last or (led and not s.key(i - 1, "and"))) and not names_something(s, item.end):
            found.append(item)
    return found


# --- days of one stay --------------------------------------------------------------------------------------------


def _same_turn(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`next Saturday or Sunday`, `Thursday and Friday`: the second day goes with the first, not with today."""
    kept: list[Phrase] = []
    for phrase in phrases:
        keys = set(_between(s, kept[-1], phrase)) & _CHOICES if kept else set()
        turned = keys and any(s.key(n, "next") for n in range(kept[-1].start, kept[-1].end))
        base = _day_of(s, kept[-1]) if turned or "and" in keys else None
        if base and phrase.last is None and isinstance(phrase.first, WrittenDay) and phrase.first.day is None:
            day = base.check_in + ((phrase.first.weekday or 0) - base.check_in.weekday()) % 7 * DAY
            phrase = replace(phrase, first=single(day, "relative", s.words(phrase.start, phrase.end)))
        kept.append(phrase)
    return kept


def _one_stay(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`two nights, 14th and 15th December`, `the nights of 14 and 15 December`: the nights of one stay, one by one."""
    runs: list[list[Phrase]] = []
    for phrase in phrases:
        if runs and _follows(s, runs[-1][-1], phrase):
            runs[-1].append(phrase)
        else:
            runs.append([phrase])
    return [each for run in runs for each in _merged(s, run)]


def _follows(s: Sentence, one: Phrase, two: Phrase) -> bool:
    """The night after, joined by "and" or a comma."""
    keys = set(_between(s, one, two))
    day, after = _day_of(s, one), _day_of(s, two)
    joined = one.nights == two.nights and keys and not keys - {"and", ",", "the", "on"}
    return bool(joined and day and after and day.check_in + DAY == after.check_in)


def _day_of(s: Sentence, phrase: Phrase) -> ResolvedStay | None:
    """The single day that a phrase names, whatever its number of nights."""
    found = evaluate(replace(phrase, nights=None), s.here)
    day = isinstance(phrase.first, WrittenDay) or (
        isinstance(found, ResolvedStay) and found.kind == "relative" and found.nights == 1
    )
    return found if isinstance(found, ResolvedStay) and phrase.last is None and day else None


def _merged(s: Sentence, run: list[Phrase]) -> list[Phrase]:
    """One stay if as many nights are counted as days listed, or "nights of" comes before them, or each is a night."""
    lead = run[0].start - 1
    while s.key(lead, "of", "the", "on", "for", ":"):
        lead -= 1
    nights_of = lead < run[0].start - 1 and s.at(lead).word in {"nights", "לילות"} and s.at(lead - 1).num is None
    joints = {key for one, two in pairwise(run) for key in _between(s, one, two)}
    nightly = ("and" in joints and s.key(run[-1].end - 1, "tonight")) or s.unit(run[-1].end - 1, "night")
    counted = run[0].nights == len(run) or (run[0].nights is None and (nights_of or nightly))
    return [replace(run[0], end=run[-1].end, nights=len(run))] if len(run) > 1 and counted else run


# --- the stay after the one just named ---------------------------------------------------------------------------


def _turn(m: Match) -> tuple[str, int] | None:
    """The unit, and 1 or -1 for before; not where another day follows: `the week after Easter`."""
    other = point_at(m.s, m.s.skip(m.end, "the")) if m["side"] else None
    return None if other else (m["unit"], -1 if m["side"] in ("before", "earlier") else 1)


_AFTER_THAT = rules(
    ("a? =following|=same unit:weekend|week|day|night|=one", _turn),
    (
        "a? unit:weekend|week|day|night|=one|=זה that? side:after|before|=later|=earlier|=following =that|this|=it|=one|=כן|=מכן?",
        _turn,
    ),
    ("unit:=למחרת", _turn),
)


def _or_the_one_after(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`Hanukkah or the weekend after`, `next weekend or the one after that`, `Dec 10-12 or a week later`."""
    for phrase in phrases:
        at = s.skip(phrase.end, ",", *_CHOICES)
        after = longest(s, at, _AFTER_THAT) if any(s.key(n, *_CHOICES) for n in range(phrase.end, at)) else None
        found = _moved(s, phrase, after[0], at, after[1]) if after else None
        phrases = _put(phrases, [found]) if found else phrases
    return phrases


def _moved(s: Sentence, phrase: Phrase, turn: tuple[str, int], start: int, end: int) -> Phrase | None:
    (unit, sign), base, label = turn, evaluate(phrase, s.here), s.words(start, end)
    if isinstance(base, DateFault):
        return None
    if unit == "weekend" or (unit in ("one", "זה") and base.kind == "weekend"):
        return Phrase(start, end, weekend_beside(s, base, sign, f"{label} ({base.label})" if base.holiday else label))
    if base.holiday or unit in ("one", "זה"):
        return None
    step = sign * (7 * DAY if unit == "week" else DAY)
    moved = replace(base, check_in=base.check_in + step, check_out=base.check_out + step, label=label)
    return Phrase(start, end, replace(moved, alternatives=(), note=None, first=None, last=None))
