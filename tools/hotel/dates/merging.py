"""How the phrases of one sentence combine: a month named apart, days of one stay, "or the one after"."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from wavegraph.tools.hotel.dates import spans
from wavegraph.tools.hotel.dates.day_rules import SABBATH
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.dates.holiday_rules import THE_HOLIDAY
from wavegraph.tools.hotel.dates.period_rules import month_at
from wavegraph.tools.hotel.dates.phrases import UNTIL, Phrase, bare_item, evaluate, spelled_out
from wavegraph.tools.hotel.dates.point_rules import point_at, weekend_beside
from wavegraph.tools.hotel.dates.resolution import (
    DAY,
    DAY_NAMES,
    WRITTEN_YEARS,
    DateFault,
    ResolvedStay,
    WrittenDay,
    range_label,
    single,
)
from wavegraph.tools.hotel.dates.sentence import Sentence, names_something
from wavegraph.tools.hotel.dates.stay_rules import item_at

_JOINTS = (",", "and", "or", "vs")
_ALSO = frozenset(words_of("plus also + גם וגם"))


def together(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """The phrases of `s`, each adjusted by what the others say about it."""
    rules: tuple[Callable[[Sentence, list[Phrase]], list[Phrase]], ...] = (
        _weekends_of_month,
        _shared_unit,
        _month_apart,
        _month_before,
        _month_of_period,
        _months_of_season,
        _unread_end,
        _of_the_holiday,
        _remarks,
        _days_of_week,
        _days_of_period,
        _same_turn,
        _or_the_one_after,
        _one_stay,
        _dated_weekend,
        spelled_out,
    )
    for rule in rules:
        phrases = rule(s, phrases)
    return phrases


def _put(phrases: list[Phrase], found: list[Phrase], start: int, end: int) -> list[Phrase]:
    """The phrases with `found` in place of those that overlap lexemes [start:end)."""
    rest = [phrase for phrase in phrases if phrase.end <= start or phrase.start >= end]
    return sorted([*rest, *found], key=lambda phrase: phrase.start)


def _between(s: Sentence, one: Phrase, two: Phrase) -> list[str]:
    """The keys, or else the words, between two phrases."""
    return ["and" if s.at(n).word in _ALSO else s.at(n).key or s.at(n).word for n in range(one.end, two.start)]


def _on_weekday(phrase: Phrase) -> bool:
    """Weekdays and nothing else: `Friday`, `Wed-Fri`."""
    return all(isinstance(p, WrittenDay) and p.day is None for p in (phrase.first, phrase.last) if p is not None)


# --- months ------------------------------------------------------------------------------------------------------


def _weekends_of_month(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`weekends in January`, `every weekend of March`, `which weekends are free in May`: one stay for each still to come."""
    for i in range(len(s.lexemes)):
        after = _without_verdict(s, i + 1)
        of = s.skip(after, "in", "of", "the")
        month = month_at(s, of) if of > after and s.unit(i, "weekend") and _several_weekends(s, i) else None
        if month and (found := _each_weekend(s, i, month)):
            return _put(phrases, found, i, month[2])
    return phrases


def _several_weekends(s: Sentence, i: int) -> bool:
    before = i - 1 - s.key(i - 1, "the")
    return s.at(i).word.endswith(("s", "ים")) or s.key(before, "each") or s.at(before).word in _EVERY


def _without_verdict(s: Sentence, i: int) -> int:
    """Past what is asked of the weekends between their name and their month: `are still free`."""
    return next((n for n in range(i, i + 3) if s.at(n).word not in _VERDICT), i + 3)


_EVERY = frozenset(words_of("כל בכל לכל"))
_VERDICT = frozenset(words_of("are is still free available open left cheap cheapest עדיין פנויים פנוי זמינים זולים"))


def _each_weekend(s: Sentence, i: int, month: tuple[int, int, int]) -> list[Phrase]:
    label = s.words(i, month[2])
    numbered = (spans.weekend_in_month(month[0], month[1], n, s.here, label) for n in range(1, 6))
    found = [each for each in numbered if isinstance(each, ResolvedStay)]
    stays = [each for each in found if each.check_in.month == (each.check_out - DAY).month == month[0]]
    window = spans.whole_month(month, s.here)
    named = [replace(each, label=range_label(each.check_in, each.check_out), window=window) for each in stays]
    return [Phrase(i, month[2], each) for each in named]


def _month_apart(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`March, from the 10th to the 12th`, `10-12 please, in March`: the days take the month named next to them."""
    months = [(phrase, month) for phrase in phrases if (month := _lone_month(s, phrase))]
    if len(months) != 1:
        return phrases
    lone, month = months[0]
    if len(phrases) > 2:
        days = [phrase for phrase in phrases if phrase is not lone and _without_month(phrase)]
        return [_lent(phrase, month, None) for phrase in days] if len(days) == len(phrases) - 1 else phrases
    days = [phrase for phrase in phrases if phrase is not lone and _without_month(phrase)]
    if len(phrases) == 1:
        days = _bare_range(s, lone)
    if len(days) != 1:
        return phrases
    return [_lent(days[0], month, lone.nights)]


def _month_before(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`we lost our room of 20 January; from the 20th to the 22nd?`: days take the month of the date before them."""
    kept: list[Phrase] = []
    for phrase in phrases:
        day = phrase.first.day if isinstance(phrase.first, WrittenDay) else None
        known = next(
            (p for one in reversed(kept) for p in (one.last, one.first) if isinstance(p, WrittenDay) and p.month), None
        )
        if day and known and known.day and day >= known.day and _without_month(phrase):
            phrase = _lent(phrase, known, None)
        kept.append(phrase)
    return kept


def _month_of_period(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`over the bank holiday, Saturday 28th to Tuesday 31st`, `the first week of August, Sunday 1st till Friday 6th`: weekdays
    with their numbers are in the month of the one period named; a week or weekend around them says no more than they do."""
    periods = [(each, each.first) for each in phrases if isinstance(each.first, ResolvedStay)]
    if len(periods) != 1 or len(phrases) != 2:
        return phrases
    period, named = periods[0]
    wide = named.first and named.kind in ("span", "weekend")
    if not (named.holiday or wide):
        return phrases
    first = (named.first or named.check_in) if wide else named.check_in
    month = WrittenDay(month=first.month, year=first.year)
    lent = [_lent(each, month, None) if _without_month(each) and _with_weekdays(each) else each for each in phrases]
    days = next(each for each in lent if each.first is not named)
    found = evaluate(days, s.here)
    if not wide or days in phrases or isinstance(found, DateFault):
        return lent
    (one, two), narrow = lent, replace(days, nights=days.nights or period.nights)
    return [replace(narrow, start=one.start, end=two.end, gap=(one.end, two.start))]


def _months_of_season(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`in the summer holidays (July-August)`, `in winter, 5-8 January`: what is inside the season is meant, not all of it."""
    seasons = [each for each in phrases if any(lex.key == "season" for lex in s.lexemes[each.start : each.end])]
    inside = [
        found for each in phrases if each not in seasons and isinstance(found := evaluate(each, s.here), ResolvedStay)
    ]
    return [each for each in phrases if each not in seasons] if inside else phrases


def _with_weekdays(phrase: Phrase) -> bool:
    return any(isinstance(p, WrittenDay) and p.weekday is not None for p in (phrase.first, phrase.last))


def _shared_unit(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`the first or the third week of February`: what is counted stands once, behind the last number."""
    for phrase in phrases:
        start = s.skip(phrase.start, "the", "on", "in")
        at = start - 1
        while s.key(at, "the", "or", "and", "vs", ","):
            at -= 1
        joined = {s.at(n).key for n in range(at + 1, start)} & {"or", "and", "vs"}
        counts = [s.at(n) for n in (at, start)]
        counts_one = s.unit(start + 1, "week", "weekend") or s.at(start + 1).weekday is not None
        if not (joined and counts_one and all(lex.ordinal or lex.key == "last" for lex in counts)):
            continue
        other = item_at(replace(s, lexemes=(s.lexemes[at], *s.lexemes[start + 1 : phrase.end])), 0)
        if other and isinstance(other[0], ResolvedStay):
            return _put(
                [each for each in phrases if each.start != at],
                [Phrase(at, at + 1, other[0], nights=phrase.nights)],
                at,
                at + 1,
            )
    return phrases


def _unread_end(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`the 3rd to the 6th of janvier`, `4 February until shavat`: a word where a month or a day must be is asked about."""
    return [_with_its_end(s, phrase) for phrase in phrases]


def _with_its_end(s: Sentence, phrase: Phrase) -> Phrase:
    of_month = _without_month(phrase) and s.key(phrase.end, "of") and s.at(phrase.end).word == "of"
    until = phrase.open and s.at(phrase.end).word in UNTIL and isinstance(phrase.first, WrittenDay)
    if not (of_month or until) or not _strange(s, phrase.end + 1):
        return phrase
    words = s.words(phrase.start, phrase.end + 2)
    return Phrase(phrase.start, phrase.end + 2, DateFault("unclear", f"{words!r}: which month or day is that?"))


def _strange(s: Sentence, i: int) -> bool:
    """Whether a word here means nothing to the calendar."""
    lex = s.at(i)
    known = lex.key or lex.unit or lex.num is not None or lex.written or lex.month or lex.holiday
    return not (lex.mark or known) and (lex.hebrew_month is not None or names_something(s, i))


def _lone_month(s: Sentence, phrase: Phrase) -> WrittenDay | None:
    """The month of a phrase that names nothing else: `March`, `in March 2027`."""
    lexemes = s.lexemes[phrase.start : phrase.end]
    named = [lex.month for lex in lexemes if lex.month]
    narrower = any(lex.key in {"early", "mid", "late", "half"} or lex.ordinal for lex in lexemes)
    if (
        phrase.last is not None
        or len(named) != 1
        or narrower
        or any(lex.unit in {"week", "weekend"} for lex in lexemes)
    ):
        return None
    if not isinstance(phrase.first, ResolvedStay) or phrase.first.kind != "span":
        return None
    return WrittenDay(month=named[0], year=next((lex.num for lex in lexemes if lex.num in WRITTEN_YEARS), None))


def _without_month(phrase: Phrase) -> bool:
    points = [point for point in (phrase.first, phrase.last) if point is not None]
    return all(isinstance(point, WrittenDay) and point.day and not point.month for point in points)


def _lent(phrase: Phrase, month: WrittenDay, nights: int | None) -> Phrase:
    for point in (phrase.first, phrase.last):
        if isinstance(point, WrittenDay):
            given = replace(point, month=month.month, year=month.year, bare=False)
            phrase = replace(phrase, first=given) if point is phrase.first else replace(phrase, last=given)
    return replace(phrase, nights=phrase.nights or nights)


_BEGINS = frozenset(words_of("מתחילים מתחילה מתחיל נתחיל החל"))


def _bare_range(s: Sentence, lone: Phrase) -> list[Phrase]:
    """`10-12`, `ה-16` anywhere outside the month's own phrase, unless it is a count."""
    found: list[Phrase] = []
    for i in range(len(s.lexemes)):
        item = bare_item(s, i) if not lone.start <= i < lone.end and s.at(i).num and not s.key(i - 1, "for") else None
        last = item.last if item else None
        day = item.first if item and last is None and s.key(i - 1, "the", "dash") else None
        begins = s.key(i - 1, "in") and s.at(i - 2).word in _BEGINS
        if begins and item and last is None:
            day = item.first  # `מתחילים ב-8`
        led = isinstance(day, WrittenDay) and (s.key(i - 1, "the") or s.key(i - 2, "the") or begins)
        if item and (isinstance(last, WrittenDay) or led) and not names_something(s, item.end):
            found += [item] if last is None or not getattr(last, "month", None) else []
    return found


# --- weekdays ----------------------------------------------------------------------------------------------------


def _remarks(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`2-4 December (Wed-Fri)`, `Wed to Fri, 2-4 December`: weekdays that only confirm the dates."""
    kept: list[Phrase] = []
    for phrase in phrases:
        before = kept[-1] if kept else None
        if before and _bracketed(s, before, phrase):
            kept[-1] = _agreed(s, before, phrase, before.start, phrase.end + 1)
        elif (
            before and phrase.last and _ranged(before) and _on_weekday(phrase) and _between(s, before, phrase) == [","]
        ):
            kept[-1] = _agreed(s, before, phrase, before.start, phrase.end)
        elif before and _sabbath_of(s, before, phrase):
            kept[-1] = replace(phrase, start=before.start)
        elif before and before.last and _on_weekday(before) and _between(s, before, phrase) in ([], [","]):
            kept[-1:] = [_agreed(s, phrase, before, before.start, phrase.end)] if _ranged(phrase) else [before, phrase]
        else:
            kept.append(phrase)
    return kept


def _sabbath_of(s: Sentence, name: Phrase, dates: Phrase) -> bool:
    """`the night after Shabbat 16 January`: the name says the same as the date right behind it."""
    sabbath = any(lex.word in SABBATH for lex in s.lexemes[name.start : name.end])
    if not sabbath or _between(s, name, dates) not in ([], [","]) or not isinstance(dates.first, WrittenDay):
        return False
    found = evaluate(dates, s.here)
    return dates.first.day is not None and isinstance(found, ResolvedStay) and found.check_in.weekday() in (4, 5)


def _bracketed(s: Sentence, dates: Phrase, phrase: Phrase) -> bool:
    brackets = _between(s, dates, phrase) == ["("] and s.at(phrase.end).word == ")"
    return brackets and _ranged(dates) and _on_weekday(phrase)


def _ranged(phrase: Phrase) -> bool:
    """A range of written dates."""
    return isinstance(phrase.first, WrittenDay) and phrase.first.day is not None and phrase.last is not None


def _agreed(s: Sentence, dates: Phrase, days: Phrase, start: int, end: int) -> Phrase:
    """The dates, or a fault if they fall on other weekdays than named."""
    found = evaluate(dates, s.here)
    named_days = [point.weekday for point in (days.first, days.last) if isinstance(point, WrittenDay)]
    if (
        isinstance(found, DateFault)
        or [found.check_in.weekday(), found.check_out.weekday()][: len(named_days)] == named_days
    ):
        return replace(dates, start=start, end=end)
    names = " to ".join(DAY_NAMES[day.weekday()] for day in (found.check_in, found.check_out))
    wrong = f"{range_label(found.check_in, found.check_out)} is {names}: which days are meant?"
    return Phrase(start, end, DateFault("weekday", wrong))


def _days_of_week(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`next week, Sunday to Tuesday`, `Thursday to Saturday in two weeks`: the days of that week."""
    kept: list[Phrase] = []
    for phrase in phrases:
        if kept and _on_weekday(kept[-1]) and not _between(s, kept[-1], phrase) and (far := _far_week(s, phrase)):
            kept[-1] = replace(kept[-1], end=phrase.end, first=_day_in(far, kept[-1].first), nights=phrase.nights)
            continue
        week = kept[-1].first if kept and _whole_week(s, kept[-1]) else None
        beside = bool(kept) and _between(s, kept[-1], phrase) in ([], [","])
        if isinstance(week, ResolvedStay) and beside and phrase.last and _on_weekday(phrase):
            phrase = replace(phrase, start=kept.pop().start, first=_day_in(week, phrase.first))
        kept.append(phrase)
    return kept


def _of_the_holiday(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`Rosh Hashanah, from the eve of the holiday until Monday`: the holiday is named for the stay that follows."""
    named = [one for one, two in pairwise(phrases) if one.open and _from_its_eve(s, two)]
    return [phrase for phrase in phrases if phrase not in named]


def _from_its_eve(s: Sentence, phrase: Phrase) -> bool:
    at = s.skip(phrase.start, "from", "the")
    return s.key(at, "eve") and s.at(s.skip(at + 1, "of", "the")).word in THE_HOLIDAY


def _days_of_period(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`Easter weekend for two, Friday to Monday`: weekdays beside the one week, weekend or holiday named are its days."""
    days = [phrase for phrase in phrases if _on_weekday(phrase) and (phrase.last or _arrives(s, phrase))]
    others = [phrase for phrase in phrases if phrase not in days]
    if len(days) != 1 or len(others) != 1 or any(s.key(n, "or", "vs") for n in range(phrases[0].end, phrases[1].start)):
        return phrases
    period, (stay,) = evaluate(others[0], s.here), days
    if isinstance(period, DateFault) or not _places_weekdays(s, phrases, others[0], stay, period):
        return phrases
    if (
        not isinstance(stay.first, WrittenDay)
        or (period.last or period.check_out) - (period.first or period.check_in) > 9 * DAY
    ):
        return phrases
    near = (period.first or period.check_in) if period.kind == "span" else period.check_in - 3 * DAY
    arrival = near + ((stay.first.weekday or 0) - near.weekday()) % 7 * DAY
    if arrival < s.here.today:
        return phrases
    gap = (phrases[0].end, phrases[1].start)
    return [
        replace(
            stay,
            start=phrases[0].start,
            end=phrases[1].end,
            gap=gap,
            first=single(arrival, "relative", period.label),
            nights=stay.nights if stay.last else stay.nights or others[0].nights,
        )
    ]


def _arrives(s: Sentence, phrase: Phrase) -> bool:
    """`from Thursday`, `3 nights from Thursday`."""
    return phrase.last is None and any(s.key(n, "from") for n in range(phrase.start - 1, phrase.end))


_FARTHEST = 20
"""Lexemes between a day and the weekdays around it."""


def _places_weekdays(s: Sentence, phrases: list[Phrase], other: Phrase, stay: Phrase, period: ResolvedStay) -> bool:
    """Whether the weekdays are those of what is named beside them: a weekend, a holiday of as many nights, or one day before
    them: `the party is on 13 March; Thursday to Saturday`."""
    if stay.last is None:
        return bool(period.holiday) and bool(other.nights) != bool(stay.nights)
    named = evaluate(stay, s.here)
    nights = named.nights if isinstance(named, ResolvedStay) else 0
    if period.kind in ("weekend", "holiday", "part", "span"):
        return other.nights in (None, nights)
    one_day = period.kind == "explicit" and period.nights == 1 and other.last is None and other.nights is None
    near = phrases[0] is other and stay.start - other.end <= _FARTHEST
    return one_day and near and not s.key(stay.start - 1, "and", "or", "vs")


def _whole_week(s: Sentence, phrase: Phrase) -> bool:
    found = phrase.first
    whole = isinstance(found, ResolvedStay) and found.kind == "span" and found.first and found.last
    return (
        bool(whole) and phrase.last is None and any(lex.unit == "week" for lex in s.lexemes[phrase.start : phrase.end])
    )


def _far_week(s: Sentence, phrase: Phrase) -> ResolvedStay | None:
    """The calendar week of `in two weeks`."""
    day, lead = phrase.first, s.at(phrase.start)
    counted = any(lex.unit == "week" for lex in s.lexemes[phrase.start : phrase.end])
    if phrase.last or not counted or lead.key not in ("in", "another") or not isinstance(day, ResolvedStay):
        return None
    start = spans.week_start(day.check_in, s.here)
    return replace(day, check_in=start, first=start, last=start + 6 * DAY)


def _day_in(week: ResolvedStay, point: WrittenDay | ResolvedStay | DateFault) -> WrittenDay | ResolvedStay | DateFault:
    first = week.first or week.check_in
    if not isinstance(point, WrittenDay):
        return point
    return single(first + ((point.weekday or 0) - first.weekday()) % 7 * DAY, "relative", week.label)


def _same_turn(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`next Thursday or Friday`, `Thursday and Friday`: the second day goes with the first, not with today."""
    kept: list[Phrase] = []
    for phrase in phrases:
        keys = {*_between(s, kept[-1], phrase)} if kept else set()
        base = _turned_day(s, kept[-1]) if kept else None
        if base is None and "and" in keys and isinstance(kept[-1].first, WrittenDay):
            base = _day_of(s, kept[-1])
        bare = phrase.last is None and isinstance(phrase.first, WrittenDay) and _on_weekday(phrase)
        if base and bare and keys & {"or", "and", "vs"} and isinstance(phrase.first, WrittenDay):
            back = 3 if isinstance(kept[-1].first, ResolvedStay) else 0
            steps = ((phrase.first.weekday or 0) - base.check_in.weekday() + back) % 7 - back
            phrase = replace(
                phrase, first=single(base.check_in + steps * DAY, "relative", s.words(phrase.start, phrase.end))
            )
        kept.append(phrase)
    return kept


def _turned_day(s: Sentence, phrase: Phrase) -> ResolvedStay | None:
    """The one day of `next Thursday`."""
    lexemes = s.lexemes[phrase.start : phrase.end]
    turned = any(lex.key == "next" for lex in lexemes) and any(lex.weekday is not None for lex in lexemes)
    single_day = phrase.last is None and isinstance(phrase.first, ResolvedStay)
    return phrase.first if turned and single_day and isinstance(phrase.first, ResolvedStay) else None


def _dated_weekend(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`weekend of 5-6 December`: the dates alone, not also this weekend."""
    kept: list[Phrase] = []
    for phrase in phrases:
        plain = bool(kept) and kept[-1].end - kept[-1].start <= 2 and s.unit(kept[-1].end - 1, "weekend")
        if plain and _between(s, kept[-1], phrase) == ["of"] and _ranged(phrase):
            phrase = replace(phrase, start=kept.pop().start)
        kept.append(phrase)
    return kept


# --- the stay after the one just named ---------------------------------------------------------------------------


def _or_the_one_after(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`Hanukkah or the weekend after`, `next weekend or the one after that`, `Dec 10-12 or a week later`."""
    i = 0
    while i < len(phrases):
        phrase = phrases[i]
        at = s.skip(phrase.end, *_JOINTS, "the", "a")
        joined = any(s.key(n, *_JOINTS) for n in range(phrase.end, at))
        after = _after_that(s, at) if joined else None
        found = _moved(s, phrase, after, at) if after else None
        phrases = _put(phrases, [found], at, found.end) if found else phrases
        i += 1
    return phrases


_THAT = {"that", "this", "it", "one", "זה", "כן", "מכן"}


def _after_that(s: Sentence, i: int) -> tuple[str, int, int] | None:
    """The unit, 1 or -1 for before, and the end of `weekend after that`, `following week`, `week later`, `זה שאחריו`."""
    if s.at(i).word in {"following", "same"} and (unit := _unit(s, i + 1)):
        return unit, 1, i + 2
    if s.at(i).word == "למחרת":
        return "day", 1, i + 1
    unit, at = _unit(s, i), s.skip(i + 1, "that")
    sooner = s.key(at, "before") or s.at(at).word == "earlier"
    if not unit or not (sooner or s.key(at, "after") or s.at(at).word in {"later", "following"}):
        return None
    end = at + 1 + (s.at(at + 1).word in _THAT)
    return None if point_at(s, s.skip(end, "the")) else (unit, -1 if sooner else 1, end)


def _unit(s: Sentence, i: int) -> str:
    if s.at(i).word in {"one", "זה", "ones"}:
        return "one"
    if s.at(i).word == "היום":
        return "day"
    return s.at(i).unit if s.unit(i, "weekend", "week", "day", "night") and not s.at(i).num else ""


def _moved(s: Sentence, phrase: Phrase, turn: tuple[str, int, int], start: int) -> Phrase | None:
    unit, sign, end = turn
    base = evaluate(phrase, s.here)
    if isinstance(base, DateFault):
        return None
    label = f"{s.words(start, end)} ({base.label})" if base.holiday else s.words(start, end)
    if unit == "weekend" or (unit == "one" and base.kind == "weekend"):
        return Phrase(start, end, weekend_beside(s, base, sign, label))
    weekly = any(lex.weekday is not None or lex.unit == "week" for lex in s.lexemes[phrase.start : phrase.end])
    if base.holiday or (unit == "one" and not weekly):
        return None
    step = DAY if unit in {"day", "night"} else 7 * DAY
    return Phrase(start, end, _later(base, sign * step, label))


def _later(base: ResolvedStay, step: timedelta, label: str) -> ResolvedStay:
    moved = replace(base, check_in=base.check_in + step, check_out=base.check_out + step, label=label)
    return replace(moved, alternatives=(), note=None, first=None, last=None)


# --- days of one stay --------------------------------------------------------------------------------------------


def _one_stay(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """`two nights, 14th and 15th December`, `the nights of 14 and 15 December`: the nights of one stay, one by one."""
    run: list[Phrase] = []
    kept: list[Phrase] = []
    for phrase in [*phrases, None]:
        if phrase and (not run or _follows(s, run[-1], phrase)):
            run.append(phrase)
            continue
        kept += _merged(s, run)
        run = [phrase] if phrase else []
    return kept


def _follows(s: Sentence, one: Phrase, two: Phrase) -> bool:
    """The night after, joined by "and" or a comma."""
    keys = {*_between(s, one, two)}
    if one.nights != two.nights or not keys or keys - {"and", ",", "the", "on"}:
        return False
    day, after = (_day_of(s, phrase) for phrase in (one, two))
    return day is not None and after is not None and day.check_in + DAY == after.check_in


def _day_of(s: Sentence, phrase: Phrase) -> ResolvedStay | None:
    """The single day that a phrase names, whatever its number of nights."""
    one_night = isinstance(phrase.first, ResolvedStay) and phrase.first.kind == "relative" and phrase.first.nights == 1
    if phrase.last is not None or not (one_night or isinstance(phrase.first, WrittenDay)):
        return None
    found = evaluate(replace(phrase, nights=None), s.here)
    return found if isinstance(found, ResolvedStay) else None


def _merged(s: Sentence, run: list[Phrase]) -> Iterable[Phrase]:
    """One stay if as many nights are counted as days listed, or "nights of" comes before them."""
    if len(run) < 2:
        return run
    lead = run[0].start - 1
    while s.key(lead, "of", "the", "on", "for", ":"):
        lead -= 1
    nights_of = lead < run[0].start - 1 and s.unit(lead, "night") and s.at(lead).word in {"nights", "לילות"}
    if _night_by_night(s, run):
        return [replace(run[0], end=run[-1].end, nights=len(run))]
    if run[0].nights != len(run) and not (nights_of and run[0].nights is None and s.at(lead - 1).num is None):
        return run
    return [replace(run[0], end=run[-1].end, nights=len(run))]


def _night_by_night(s: Sentence, run: list[Phrase]) -> bool:
    """`tonight and tomorrow night`, `Thursday and Friday night`: each a night, and nothing offered instead."""
    keys = {key for one, two in pairwise(run) for key in _between(s, one, two)}
    nights = [s.key(each.end - 1, "tonight") or s.unit(each.end - 1, "night") for each in run]
    return "and" in keys and nights[-1] and all(each.nights is None for each in run)
