"""Whole date phrases: ranges, counts of nights, lists, and what belongs together in a sentence."""

from dataclasses import dataclass, replace

from wavegraph.tools.hotel.dates.day_rules import SABBATH, bare_day, in_week, weekday, weekday_name
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.dates.point_rules import point_at
from wavegraph.tools.hotel.dates.relative_rules import count
from wavegraph.tools.hotel.dates.resolution import (
    DAY,
    DateFault,
    DatePoint,
    ResolvedStay,
    Setting,
    WrittenDay,
    count_fault,
    read_day,
    read_range,
    single,
    with_nights,
    within,
)
from wavegraph.tools.hotel.dates.sentence import Parsed, Sentence, names_something, number
from wavegraph.tools.hotel.dates.spans import month_with_nights
from wavegraph.tools.hotel.dates.stay_rules import gap, item_at
from wavegraph.tools.hotel.dates.vocabulary import QUANTITIES

_LEADS = ("from", "on", "in", "for", "of", "the", "arrive", "about")
_LINKS = ("on", "the", "of", ",", "and", "in", "for", "from")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A date expression at lexemes [start:end): one point, or two for a range, and its number of nights."""

    start: int
    end: int
    first: DatePoint
    last: WrittenDay | ResolvedStay | None = None
    nights: int | None = None
    window: bool = False
    """The range is a window for a shorter stay of a given length."""
    ends: bool = False
    """The day is the departure."""
    gap: tuple[int, int] | None = None
    """Lexemes inside that are not of the date."""

    @property
    def open(self) -> bool:
        """Whether it is a single day that a later departure can complete."""
        return self.last is None and self.nights is None and not isinstance(self.first, DateFault)


def evaluate(phrase: Phrase, here: Setting) -> ResolvedStay | DateFault:
    """The stay that a phrase means."""
    found = _base(phrase, here)
    if isinstance(found, DateFault) or phrase.nights is None:
        return found
    if found.kind == "span" and not found.holiday and found.first and not count_fault(phrase.nights, here):
        return month_with_nights(found, phrase.nights, here)
    if phrase.ends:
        return _before(found, phrase.nights, here)
    if phrase.window and 0 < phrase.nights < found.nights:
        return within(found, phrase.nights)
    return with_nights(found, phrase.nights, here)


def _before(departure: ResolvedStay, nights: int, here: Setting) -> ResolvedStay | DateFault:
    day = departure.first or departure.check_in
    if fault := count_fault(nights, here):
        return fault
    return read_range(single(day - nights * DAY, departure.kind, ""), single(day, departure.kind, ""), here)


def _base(phrase: Phrase, here: Setting) -> ResolvedStay | DateFault:
    first = phrase.first
    if isinstance(first, DateFault):
        return first
    if phrase.last is not None:
        return read_range(first, phrase.last, here)
    return read_day(first, here) if isinstance(first, WrittenDay) else first


# --- nights ------------------------------------------------------------------------------------------------------

_LENGTHS = {"night": 1, "day": 1, "week": 7, "month": 30}


def nights_at(s: Sentence, i: int) -> tuple[int, int] | None:
    """A length of stay and where it ends: `3 nights`, `a week`, `for two nights`, `-2 nights`, `2-3 nights` (the fewer)."""
    negative = s.key(i, "dash") and (i == 0 or s.at(i - 1).num is None) and s.at(i).end == s.at(i + 1).start
    lead = s.skip(i, "for", "each") if not negative else i + 1
    counted = count(s, lead)
    if counted is None and number(s, lead) is not None and s.key(lead + 1, "dash", "or", "to"):
        counted = count(s, lead + 2)
        counted = (number(s, lead) or 0, *counted[1:]) if counted else None
    if counted is None or counted[1] not in _LENGTHS or s.key(counted[2], "ago", "after", "before", "hence"):
        return None
    if s.at(counted[2] - 1).word == "שבוע" and s.key(counted[2], "next"):
        return None  # `לשבוע הבא`
    if counted[1] == "month" and not (
        s.at(lead - 1).word == "for" or (s.key(lead - 1, "for") and s.key(counted[2], "from"))
    ):
        return None  # `ב-10 לחודש`
    value = counted[0] * _LENGTHS[counted[1]]
    return (-value if negative else value), counted[2] + s.key(counted[2], "each")


def _nights_after(s: Sentence, i: int) -> tuple[int, int] | None:
    """A count of nights right after a date: `, 2 nights`, `for a week`, `(3 nights)`, `x 2 nights`."""
    at = s.skip(i, ",", "for", "dash", "in", "about")
    if any(s.at(n).word == "in" for n in range(i, at)):
        return None  # "in two weeks" is a distance
    at += s.at(at).word in {"(", "x", ":", ".", "just", "only", "staying", "stay"}
    found = nights_at(s, s.skip(at, "for"))
    if found is None or (s.key(found[1], "from") and found[1] < len(s.lexemes) - 1 and item_at(s, found[1] + 1)):
        return None
    part = s.skip(found[1], "of", "in", "on", "at")
    if part > found[1] and s.at(s.skip(part, "the")).holiday:
        return None
    return found[0], found[1] + (s.at(found[1]).word == ")")


# --- ranges ------------------------------------------------------------------------------------------------------


def range_at(s: Sentence, i: int) -> Phrase | None:
    """`Dec 14-16`, `from the 5th to the 8th`, `between Jan 5 and 8`, `Sunday to Wednesday`, `Christmas to New Year`."""
    led = s.key(i, "from", "between", "arrive")
    between = s.key(i, "between")
    if between and gap(s, i):
        return None
    start = s.skip(i + led, "the", "on", "from")
    if weekdays := _weekdays_next_week(s, start, i):
        return weekdays
    for first in (point_at(s, start), bare_day(s, start), _weekday_and_number(s, start)):
        if first is None or isinstance(first[0], DateFault):
            continue
        joint = _joint(s, first[1], led, between)
        last = _range_end(s, joint, first[0]) if joint else None
        if last and not isinstance(last[0], DateFault) and (dated := _dated_arrival(s, first[0], last[0])):
            return Phrase(i, last[1], *dated)
        if last and (_firm(first[0], last[0], led) or _of_a_month(s, last[1])):
            assert not isinstance(last[0], DateFault)
            if swapped := _month_first(s, first[0], last[0]):
                return Phrase(i, last[1], *swapped, window=between)
            return Phrase(start if s.key(i, "on", "the") else i, last[1], first[0], last[0], window=between)
    return None


def _month_first(s: Sentence, first: DatePoint, last: DatePoint) -> tuple[WrittenDay, WrittenDay] | None:
    """`05/07/2027 to 05/09/2027` as May, where day first makes weeks of two nights."""
    days = [
        point for point in (first, last) if isinstance(point, WrittenDay) and point.year and point.day and point.month
    ]
    if (
        len(days) != 2
        or any((day.day or 0) > 12 for day in days)
        or not isinstance(read_range(days[0], days[1], s.here), DateFault)
    ):
        return None
    one, two = (replace(day, day=day.month, month=day.day) for day in days)
    found = read_range(one, two, s.here)
    return (one, two) if isinstance(found, ResolvedStay) and found.nights <= _LENGTHS["week"] * 2 else None


def _dated_arrival(s: Sentence, first: DatePoint, last: DatePoint) -> tuple[WrittenDay, WrittenDay] | None:
    """`Sunday to Tuesday, 30 May`: the date is that of the first weekday, if it falls on it and not on the second."""
    if not (isinstance(first, WrittenDay) and isinstance(last, WrittenDay)):
        return None
    if first.day is not None or first.weekday is None or not (last.day and last.month) or last.weekday is None:
        return None
    found = read_day(replace(last, weekday=None), s.here)
    if isinstance(found, DateFault) or found.check_in.weekday() != first.weekday or first.weekday == last.weekday:
        return None
    return replace(last, weekday=first.weekday), WrittenDay(weekday=last.weekday)


def _weekday_and_number(s: Sentence, i: int) -> Parsed:
    """`Friday 4` of "Friday 4 to Sunday 6 December"."""
    named = weekday_name(s, i)
    found = bare_day(s, named[1]) if named else None
    if named is None or found is None or not isinstance(found[0], WrittenDay):
        return None
    return replace(found[0], weekday=named[0], sabbath=s.at(named[1] - 1).word in SABBATH), found[1]


def _weekdays_next_week(s: Sentence, i: int, start: int) -> Phrase | None:
    """`Thursday to Sunday next week`: the arrival is in that week, the departure follows it."""
    first = weekday_name(s, i)
    last = weekday(s, first[1] + 1) if first and s.key(first[1], "to", "dash") else None
    if first is None or last is None or not isinstance(last[0], ResolvedStay) or not s.unit(last[1] - 1, "week"):
        return None
    arrival = replace(last[0], check_in=in_week(s.here, first[0]))
    return Phrase(start, last[1], arrival, WrittenDay(weekday=last[0].check_in.weekday()))


def _joint(s: Sentence, i: int, led: bool, between: bool) -> int | None:
    """Where the departure starts: after "to", a dash, "and leaving", Hebrew ל after מ; None without such a joint."""
    i += (s.at(i).word in {".", ")"} and s.key(i + 1, "to", "dash")) or (
        s.at(i).word == "ו" and s.at(i + 1).word == "עד"
    )
    if s.at(i).word == "/" and s.at(i + 1).written and s.at(i - 1).written:
        return i + 1
    dated = bool(s.at(i - 1).written and s.at(i + 1).written)
    hebrew_to = (led or dated) and s.key(i, "for") and s.at(i).word == "ל"
    if s.key(i, "to", "dash") or hebrew_to or (between and s.key(i, "and")):
        return _after_leave(s, s.skip(i + 1, "on", "the", "to", "for", "in", "leave"))
    at = s.skip(i, ",", "and", "dash")
    at = at + 1 if at < len(s.lexemes) and not s.key(at, "leave") and s.key(at + 1, "leave") else at
    return _after_leave(s, at + 1) if s.key(at, "leave") else None


_BEFORE_DAY = frozenset(words_of(": ( date by morning evening afternoon בוקר ערב צהריים בבוקר בערב בצהריים"))


def _after_leave(s: Sentence, i: int) -> int:
    """Where the day starts after "leaving", "check-out:", "leave early on"."""
    while s.key(i, *_LINKS, "to", "early", "late") or s.at(i).word in _BEFORE_DAY:
        i += 1
    return i


def _range_end(s: Sentence, i: int, first: DatePoint) -> Parsed:
    """The departure; a bare number is enough next to a date, unless it counts nights or belongs to the next date."""
    named = weekday_name(s, i + 1) if s.at(i).word == "following" else None
    if found := (WrittenDay(weekday=named[0]), named[1]) if named else _weekday_after(s, i):
        return found
    point = point_at(s, i)
    on_weekday = isinstance(first, WrittenDay) and first.day is None and first.weekday is not None
    if on_weekday and point and s.key(point[1], "dash", "to") and bare_day(s, point[1] + 1):
        point = weekday(s, i) or point  # "Sunday to Tuesday, December 14-16"
    if point and not isinstance(point[0], DateFault):
        return point
    bare = bare_day(s, i)
    if bare is None or s.at(s.skip(bare[1], "of", "in", "the")).month:
        return None
    return bare


def _weekday_after(s: Sentence, i: int) -> Parsed:
    """`Friday after`, and nothing after which: the next one after the arrival."""
    named = weekday_name(s, i)
    at = s.skip(named[1], "that") if named else i
    if not named or not s.key(at, "after") or point_at(s, s.skip(at + 1, "the")):
        return None
    return WrittenDay(weekday=named[0]), at + 1


def _of_a_month(s: Sentence, end: int) -> bool:
    """Whether `of the month`, `לחודש הזה` ends here: what stands before it are days."""
    return s.unit(end - 1, "month") or (s.key(end - 1, "this", "next") and s.unit(end - 2, "month"))


def _firm(first: DatePoint, last: DatePoint, led: bool) -> bool:
    """Whether two days are a range: two bare numbers are not, without "the" or an ordinal."""
    if isinstance(first, WrittenDay) and isinstance(last, WrittenDay):
        months = first.month or last.month
        bare = (first.bare and first.weekday is None) or (last.bare and not led)
        return bool(months) or not bare or (first.day is None and last.day is None)
    return not (isinstance(first, WrittenDay) and first.bare) and not (
        isinstance(last, WrittenDay) and last.bare and not led
    )


# --- phrases -----------------------------------------------------------------------------------------------------


def phrase_at(s: Sentence, i: int) -> Phrase | None:
    """The longest date phrase that starts here, including counts of nights before and after it."""
    found = [phrase for phrase in (_plain_phrase(s, i), _counted_phrase(s, i)) if phrase]
    return max(found, key=lambda phrase: phrase.end, default=None)


def _plain_phrase(s: Sentence, i: int) -> Phrase | None:
    ranged = range_at(s, i)
    item = item_at(s, i)
    if item is None and ranged is None:
        return None
    if ranged is None or (item and item[1] > ranged.end):
        assert item is not None
        ranged = Phrase(i, item[1], item[0])
    if counted := _nights_after(s, ranged.end):
        return replace(ranged, nights=counted[0], end=counted[1])
    return ranged


_IN_A_ROW = frozenset(words_of("consecutive straight running רצופים רצופות ברצף"))
_ENDS = frozenset(words_of("ending ends finishing finishes back home ש מסתיימים מסתיים שמסתיימים נגמרים שנגמרים"))


def _ending(s: Sentence, i: int, nights: int, at: int) -> Phrase | None:
    """`3 nights until Thursday 21 January`, `two nights ending on the 5th`: the nights before that day."""
    start = at
    while s.at(start).word in _ENDS:
        start += 1
    start = s.skip(start, "on", "in") if start > at else at
    if start == at and s.at(at).word not in UNTIL and not s.key(at, "to"):
        return None
    day = point_at(s, s.skip(start, "to", "the"))
    if day is None or isinstance(day[0], DateFault) or nights < 1:
        return None
    return Phrase(s.skip(i, "for"), day[1], day[0], nights=nights, ends=True)


def _counted_phrase(s: Sentence, i: int) -> Phrase | None:
    """`3 nights from Dec 14`, `two nights during Passover`, `a week in January`, `שני לילות בפסח`."""
    counted = nights_at(s, i)
    priced = s.key(i, "a") and (s.at(i - 1).counted or s.at(i - 1).num is not None or s.at(i - 1).word in QUANTITIES)
    if counted is None or priced or (s.key(counted[1], ",") and not _deliberate(s, i, counted[1])):
        return None
    at = counted[1] + (s.at(counted[1]).word in _IN_A_ROW)
    at = s.skip(at, *_LEADS, ",", "dash")
    if (ending := _ending(s, i, counted[0], at)) is not None:
        return ending
    at += s.at(at).word in {"stay", "staying", "starting", "beginning", "around"} or (
        s.key(at, "early") and s.key(at + 1, "on", "the")
    )
    at = s.skip(at, *_LEADS)
    for start in dict.fromkeys((counted[1], at)):
        found = _plain_phrase(s, start) if start > counted[1] or s.at(start).holiday or not s.at(start).num else None
        if found and found.nights is None:
            return replace(found, start=s.skip(i, "for"), nights=counted[0])
    return None


# --- sentences ---------------------------------------------------------------------------------------------------


def scan(s: Sentence) -> tuple[list[Phrase], list[tuple[int, int, int]]]:
    """All phrases of a sentence in order, and the separate counts of nights as (nights, start, end)."""
    phrases: list[Phrase] = []
    loose: list[tuple[int, int, int]] = []
    i = 0
    while i < len(s.lexemes):
        taken = _departure(s, i, phrases) or _listed(s, i, phrases) or _found(s, i, phrases) or _loose(s, i, loose)
        i = max(taken, i + 1)
    return [_until(s, _arriving(s, phrase)) for phrase in _share(phrases, loose)], loose


def _arriving(s: Sentence, phrase: Phrase) -> Phrase:
    """`3 nights, leaving on Wednesday`: counted back; a departure alone leaves the arrival open."""
    if not phrase.ends or phrase.nights is not None:
        return phrase
    unclear = f"{s.words(phrase.start, phrase.end)!r}: on which day do you arrive?"
    return Phrase(phrase.start, phrase.end, DateFault("unclear", unclear))


def _until(s: Sentence, phrase: Phrase) -> Phrase:
    """`three nights, but we must be home until Thursday 21 January`: the day is the departure."""
    day = phrase.last is None and isinstance(phrase.first, WrittenDay)
    return replace(phrase, ends=True) if day and phrase.nights and s.at(phrase.start - 1).word in UNTIL else phrase


def _found(s: Sentence, i: int, phrases: list[Phrase]) -> int:
    phrase = phrase_at(s, i)
    if phrase is None:
        return 0
    phrases.extend([*_borrowing(s, phrases, phrase), phrase])
    return phrase.end


def _loose(s: Sentence, i: int, loose: list[tuple[int, int, int]]) -> int:
    counted = nights_at(s, i)
    if counted is None or s.key(i, "in") or s.key(i - 1, "in") or not _deliberate(s, i, counted[1]):
        return 0
    loose.append((counted[0], i, counted[1]))
    return counted[1]


def _deliberate(s: Sentence, i: int, end: int) -> bool:
    """Whether a count is a length of stay: not "a night" of a price or "3 days" of a rule."""
    start = s.skip(i, "for")
    counts = (
        number(s, start) is not None or s.at(start).word == "both" or s.key(i, "dash") or (s.at(start).num or 0) > 1
    )
    one = s.at(end - 1).word in {"אחד", "אחת"} or _a_week(s, i, end)
    return s.strict or ((counts or one) and (not s.unit(end - 1, "day") or start > i))


_NO_LENGTH = frozenset(words_of("per once twice times every all by פעם פעמיים כל תוך באמצע"))


def _a_week(s: Sentence, i: int, end: int) -> bool:
    """`a week`, `for a week`, `שבוע`: not that of a price, `the week` or `once a week`."""
    before = s.at(i - 1)
    turned = before.key in ("the", "this", "next", "last", "each", "mid", "early", "late", "of", "in", "another")
    apart = turned or before.word in _NO_LENGTH or before.num is not None or before.counted
    return s.unit(end - 1, "week") and s.at(end - 1).word in ("week", "שבוע") and not apart


UNTIL = ("till", "until", "til", "untill", "thru", "through", "עד")
_STAYING = frozenset(words_of("stay stays staying remain remaining here נשארים נישאר להישאר נשאר נשארת"))


def _departure(s: Sentence, i: int, phrases: list[Phrase]) -> int:
    """`..., leaving April 15` completes the single day found before it, whatever is between them."""
    stays = s.at(i).word in _STAYING and s.at(i + 1).word in UNTIL
    of_guests = s.at(i).word in UNTIL and s.at(i - 1).word in QUANTITIES  # `5 March ... 2 adults until Sunday`
    after_it = bool(phrases) and phrases[-1].open and _weekday_after(s, s.skip(i, "the"))
    if not (s.key(i, "leave") or stays or of_guests or after_it):
        return 0
    last = after_it or _range_end(s, _after_leave(s, i + 1), WrittenDay())
    if last is None or isinstance(last[0], DateFault):
        return 0
    if of_guests and (not phrases or not phrases[-1].open or s.at(last[1] - 1).weekday is None):
        return 0
    if phrases and phrases[-1].open and isinstance(last[0], WrittenDay | ResolvedStay):
        gap = (phrases[-1].end, i) if i > phrases[-1].end else None
        phrases[-1] = replace(phrases[-1], end=last[1], last=last[0], gap=gap)
        return last[1]
    at = s.skip(last[1], ",", "and", "dash")
    arrival = point_at(s, s.skip(at + 1, *_LINKS)) if s.key(at, "arrive") else None
    if arrival and not isinstance(arrival[0], DateFault):
        phrases.append(Phrase(i, arrival[1], arrival[0], last[0]))
        return arrival[1]
    if not phrases:
        phrases.append(Phrase(i, last[1], last[0], ends=True))
    return last[1]


def _listed(s: Sentence, i: int, phrases: list[Phrase]) -> int:
    """`Dec 10-12 and 17-19`, `Dec 14 or 21`: days that take the month of the phrase before them."""
    month = _month_of(phrases[-1]) if phrases else None
    at = s.skip(i, ",", "and", "or", "vs", "the", "on", "for", "in")
    if month is None or at == i or phrases[-1].end != i:
        return 0
    found = bare_item(s, at)
    if found is None:
        return 0
    joined = any(s.key(n, "or", "and", "vs") for n in range(i, at))
    goes_on = s.key(found.end, ",", "or", "and") and bare_item(s, s.skip(found.end, ",", "or", "and"))
    if found.last is None and not joined and not goes_on:
        return 0
    phrases.append(_lend(found, month))
    return found.end


def bare_item(s: Sentence, i: int) -> Phrase | None:
    """A day or a range of days without a month, and its nights."""
    first = bare_day(s, i)
    if first is None or not isinstance(first[0], WrittenDay) or s.at(first[1]).month or s.at(i).counted:
        return None
    if not s.at(first[1] - 1).word[:1].isdigit() and not s.at(first[1] - 1).ordinal and first[0].year is None:
        return None
    ranged = s.key(first[1], "dash", "to")
    if ranged and s.at(s.skip(first[1] + 1, "the")).written:
        return None  # "24-26.1" has a month of its own
    last = bare_day(s, s.skip(first[1] + 1, "the")) if ranged else None
    end = last[1] if last else first[1]
    if s.at(s.skip(end, "of", "in", "the")).month or (last is None and (names_something(s, end) or s.at(end).unit)):
        return None
    found = Phrase(i, end, first[0], last[0] if last and isinstance(last[0], WrittenDay) else None)
    counted = _nights_after(s, end)
    return replace(found, nights=counted[0], end=counted[1]) if counted else found


def _month_of(phrase: Phrase) -> WrittenDay | None:
    """The written day whose month a list may take over."""
    days = [day for day in (phrase.last, phrase.first) if isinstance(day, WrittenDay) and day.month and day.day]
    return days[0] if days else None


def _lend(found: Phrase, month: WrittenDay) -> Phrase:
    first = found.first
    if isinstance(first, WrittenDay) and first.month is None:
        first = replace(first, month=month.month, year=first.year or month.year, bare=False)
    return replace(found, first=first)


def _borrowing(s: Sentence, phrases: list[Phrase], phrase: Phrase) -> list[Phrase]:
    """`17-19 or 24-26 January`: days right before a phrase that take its month."""
    month = _month_of(Phrase(0, 0, phrase.first, phrase.last))
    if month is None and _of_a_month(s, phrase.end) and isinstance(phrase.first, WrittenDay):
        month = replace(phrase.first, day=None)
    low = phrases[-1].end if phrases else 0
    found: list[Phrase] = []
    end = phrase.start
    while month is not None:
        start = _item_ending(s, low, end, strong=not found)
        if start is None:
            break
        found.insert(0, _lend(start, month))
        end = start.start
    return found


def _item_ending(s: Sentence, low: int, end: int, strong: bool) -> Phrase | None:
    """The bare day or range before the connector that ends at `end`."""
    at = end
    while at > low and s.key(at - 1, "or", "and", "vs", ",", "the", "on"):
        at -= 1
    if at == end or (strong and not any(s.key(n, "or", "and", "vs") for n in range(at, end))):
        return None
    for start in range(max(low, at - 4), at):
        item = bare_item(s, start)
        if item and item.end == at and item.nights is None and not s.key(start - 1, "dash"):
            guests = item.last is None and s.key(start - 1, "for")
            return None if guests or (item.last is None and s.at(start).key) else item
    return None


def _share(phrases: list[Phrase], loose: list[tuple[int, int, int]]) -> list[Phrase]:
    """Give the one count of nights in a sentence to every phrase that has none."""
    counts = {count_[0] for count_ in loose} | {phrase.nights for phrase in phrases if phrase.nights is not None}
    if len(counts) != 1:
        return phrases
    nights = counts.pop()
    takers = [phrase for phrase in phrases if phrase.open and (loose or _alike(phrase, phrases))]
    return [replace(phrase, nights=nights) if phrase in takers else phrase for phrase in phrases]


def _alike(phrase: Phrase, phrases: list[Phrase]) -> bool:
    """Whether it is a single day in a list that has a count of nights: `Dec 14 or Dec 21 for 2 nights`."""
    counted = phrases[-1].nights is not None or phrases[0].nights is not None
    return (
        counted
        and isinstance(phrase.first, WrittenDay)
        and all(isinstance(other.first, WrittenDay) for other in phrases)
    )


def spelled_out(s: Sentence, phrases: list[Phrase]) -> list[Phrase]:
    """Join a name with the dates right after it: `Hanukkah (Dec 4-6)`, `next weekend, 27-29 November`."""
    kept: list[Phrase] = []
    for phrase in phrases:
        if kept and _explains(s, kept[-1], phrase):
            phrase = replace(phrase, start=kept.pop().start)
        kept.append(phrase)
    return kept


def _explains(s: Sentence, name: Phrase, dates: Phrase) -> bool:
    between = range(name.end, dates.start)
    if not between or len(between) > 2 or not all(s.at(n).mark or s.key(n, "dash") for n in between):
        return False
    one, two = _base(name, s.here), _base(dates, s.here)
    if (
        isinstance(one, DateFault)
        or isinstance(two, DateFault)
        or one.kind not in {"holiday", "weekend"}
        or not two.fixed
    ):
        return False
    return two.kind == "explicit" and two.check_in <= one.check_out and one.check_in <= two.check_out
