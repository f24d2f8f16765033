"""Whole date phrases: ranges, counts of nights, lists, and what belongs together in a sentence."""

from dataclasses import dataclass, replace

from wavegraph.tools.hotel.dates.day_rules import SABBATH, bare_day, in_week, ordinal
from wavegraph.tools.hotel.dates.grammar import READERS, Match, called, longest, reader, rules
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.dates.point_rules import point_at
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
from wavegraph.tools.hotel.dates.sentence import Sentence, names_something, number
from wavegraph.tools.hotel.dates.spans import month_with_nights
from wavegraph.tools.hotel.dates.stay_rules import item_at
from wavegraph.tools.hotel.dates.vocabulary import QUANTITIES


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


def _length(m: Match) -> tuple[int, int] | None:
    """`3 nights`, `a week`, `for two nights`, `2-3 nights` (the fewer): how many nights, and where the words end."""
    (n, unit), s = m["count"], m.s
    at = m.end - s.key(m.end - 1, "each")
    of_month = unit == "month" and not (s.key(m.start, "for") and (s.at(m.start).word == "for" or s.key(at, "from")))
    other = (
        of_month or s.key(at, "ago", "after", "before", "hence") or (s.at(at - 1).word == "שבוע" and s.key(at, "next"))
    )
    return None if other or unit not in _LENGTHS else ((m["fewest"] or n) * _LENGTHS[unit], m.end)


nights_at = reader("NIGHTS", rules(
    ("for|each* count:COUNT each?", _length),
    ("for|each* fewest:NUMBER dash|or|to count:COUNT each?", _length),
))  # fmt: skip


def _nights_behind(m: Match) -> int | None:
    """`, 2 nights`, `for a week`, `(3 nights)`, `x 2 nights` after a date; not `3 nights from …` or `2 nights of Passover`."""
    s, at = m.s, m.end - (m.s.at(m.end - 1).word == ")")
    part = s.skip(at, "of", "in", "on", "at", "the")
    goes_on = (s.key(at, "from") and item_at(s, at + 1)) or (part > at and s.at(part).holiday)
    return None if goes_on else m["nights"][0]


reader("NIGHTS_BEHIND", rules(
    (",|for|dash|about|=ב* =(|=x|=:|=.|=just|=only|=staying|=stay? for? nights:NIGHTS =)?", _nights_behind),
))  # fmt: skip

# --- ranges ------------------------------------------------------------------------------------------------------


def _numbered_weekday(m: Match) -> WrittenDay:
    """`Friday 4` of "Friday 4 to Sunday 6 December"."""
    sabbath = any(m.s.at(n).word in SABBATH for n in range(m.start, m.end))
    day: WrittenDay = m["day"]
    return replace(day, weekday=m["weekday"], sabbath=sabbath)


def _weekday_after(m: Match) -> WrittenDay | None:
    """`Friday after`, and nothing after which; `the following Friday`: the next one after the arrival."""
    return None if point_at(m.s, m.end) else WrittenDay(weekday=m["weekday"])


def _range(m: Match) -> Phrase | None:
    first, last, s = m["first"], m["last"], m.s
    if isinstance(first, DateFault) or isinstance(last, DateFault) or called(s, m.start, "GAP"):
        return None
    start = m.start if m["led"] or m.start == s.skip(m.start, "the", "on", "from") else s.skip(m.start, "the", "on")
    if not _firm(first, last, bool(m["led"])) and not _of_a_month(s, m.end):
        return None
    first, last = _month_first(s, first, last) or (first, last)
    return Phrase(start, m.end, first, last, window=m["led"] == "between")


def _month_first(s: Sentence, first: DatePoint, last: DatePoint) -> tuple[WrittenDay, WrittenDay] | None:
    """`05/07/2027 to 05/09/2027` as May, where day first makes weeks of two nights."""
    days = [p for p in (first, last) if isinstance(p, WrittenDay) and p.year and p.month and 1 <= (p.day or 0) <= 12]
    if len(days) != 2 or not isinstance(read_range(days[0], days[1], s.here), DateFault):
        return None
    one, two = (replace(day, day=day.month, month=day.day) for day in days)
    found = read_range(one, two, s.here)
    return (one, two) if isinstance(found, ResolvedStay) and found.nights <= 14 else None


def _to_next_week(m: Match) -> Phrase:
    """`Thursday to Sunday next week`: the arrival is in that week, the departure follows it."""
    arrival = single(in_week(m.s.here, m["first"]), "relative", m.label)
    return Phrase(m.start, m.end, arrival, WrittenDay(weekday=m["last"]))


def _of_a_month(s: Sentence, end: int) -> bool:
    """Whether `of the month`, `לחודש הזה` ends here: what stands before it are days."""
    return s.unit(end - 1, "month") or (s.key(end - 1, "this", "next") and s.unit(end - 2, "month"))


def _firm(first: DatePoint, last: DatePoint, led: bool) -> bool:
    """Whether two days are a range: two bare numbers are not, without a month, "the" or an ordinal."""
    days = [point for point in (first, last) if isinstance(point, WrittenDay)]
    if len(days) == 2 and (days[0].month or days[1].month or not (days[0].day or days[1].day)):
        return True
    unled = [day for day in days if day.bare and (day is first or not led)]
    return not any(day.weekday is None or day is last for day in unled)


READERS["BARE_DAY"] = bare_day
reader("NUMBERED", rules(("weekday:WEEKDAY day:BARE_DAY", _numbered_weekday)))
reader("DEPARTURE", rules(
    ("=following weekday:WEEKDAY", lambda m: WrittenDay(weekday=m["weekday"])),
    ("weekday:WEEKDAY that? after the?", _weekday_after),
    ("day:POINT", lambda m: None if isinstance(m["day"], DateFault) else m["day"]),
    ("day:BARE_DAY", lambda m: m["day"] if not m.s.at(m.s.skip(m.end, "of", "in", "the")).month else None),
))  # fmt: skip
_TO = "on|the|to|for|in|leave|of|,|and|from|early|late|=:|=(|=date|=by|=morning|=evening|=afternoon|=בוקר|=ערב|=צהריים|=בבוקר|=בערב|=בצהריים*"
_FIRST = "on|from|the* first:POINT|BARE_DAY|NUMBERED"
reader("RANGE", rules(
    (f"led:from|between|arrive? {_FIRST} =.|=)? to|dash {_TO} last:DEPARTURE", _range),
    (f"led:from|between|arrive? {_FIRST} =ו =עד {_TO} last:DEPARTURE", _range),
    (f"led:from|between|arrive {_FIRST} =ל {_TO} last:DEPARTURE", _range),
    (f"led:between {_FIRST} and {_TO} last:DEPARTURE", _range),
    (f"led:from|between|arrive? {_FIRST} ,|and|dash* ANY? leave {_TO} last:DEPARTURE", _range),
    ("first:NUMERIC =/|=ל last:NUMERIC", _range),
    ("led:from|between|arrive? on|from|the* first:WEEKDAY to|dash last:WEEKDAY in|of|the|on* NEXT_WEEK", _to_next_week),
))  # fmt: skip
"""`Dec 14-16`, `from the 5th to the 8th`, `between Jan 5 and 8`, `Sunday to Wednesday`, `Christmas to New Year`."""
READERS["ANY"] = lambda s, i: (True, i + 1) if i < len(s.lexemes) else None

# --- phrases -----------------------------------------------------------------------------------------------------

UNTIL = ("till", "until", "til", "untill", "thru", "through", "עד")


def _one(m: Match) -> Phrase:
    s, start = m.s, m.start
    while s.key(start - 1, "the"):
        start -= 1
    before = start - 1
    while s.key(before, "or", "and", "vs", "the"):
        before -= 1
    counts = s.unit(m.start + 1, "week", "weekend") or s.at(m.start + 1).weekday is not None
    if before < start - 1 and counts and ordinal(s, before) and ordinal(s, m.start):
        words = s.words(before, m.end)  # `the first or last Monday of March`
        return Phrase(before, m.end, DateFault("unclear", f"{words!r} are several: give the dates"))
    return Phrase(start, m.end, m["item"])


def _nights_then_date(m: Match) -> Phrase | None:
    """`3 nights from Dec 14`, `two nights during Passover`, `a week in January`, `שני לילות בפסח`."""
    (nights, end), s = m["nights"], m.s
    found: Phrase = m["phrase"]
    at = s.skip(m.start, "for")
    unled = found.start == end and s.at(end).num and not s.at(end).holiday
    if (
        found.nights is not None
        or unled
        or _is_price(s, m.start)
        or (s.key(end, ",") and not _deliberate(s, m.start, end))
    ):
        return None
    return replace(found, start=at, nights=nights)


def _nights_until(m: Match) -> Phrase | None:
    """`3 nights until Thursday 21 January`, `two nights ending on the 5th`: the nights before that day."""
    if isinstance(m["day"], DateFault) or m["nights"][0] < 1 or _is_price(m.s, m.start):
        return None
    return Phrase(m.s.skip(m.start, "for"), m.end, m["day"], nights=m["nights"][0], ends=True)


def _unread_end(m: Match) -> Phrase | None:
    """`the 3rd to the 6th of janvier`, `4 February until shavat`: a word where a month or a day must be is asked about."""
    points = [point for point in (m["phrase"].first, m["phrase"].last) if isinstance(point, WrittenDay)]
    given = any(point.month for point in points) if m.s.at(m.end - 2).word == "of" else not m["phrase"].open
    if given or not points or not names_something(m.s, m.end - 1):
        return None
    return Phrase(m.start, m.end, DateFault("unclear", f"{m.label!r}: which month or day is that?"))


def _is_price(s: Sentence, i: int) -> bool:
    """`100 a night`."""
    before = s.at(i - 1)
    return s.key(i, "a") and (before.counted or before.num is not None or before.word in QUANTITIES)


reader("ONE", rules(("item:ITEM", _one)))
reader("PLAIN", rules(
    ("phrase:RANGE|ONE", lambda m: m["phrase"]), ("phrase:RANGE|ONE nights:NIGHTS_BEHIND", lambda m: replace(m["phrase"], nights=m["nights"], end=m.end)),
))  # fmt: skip
_NIGHTS = (
    "nights:NIGHTS =consecutive|=straight|=running|=רצופים|=רצופות|=ברצף? from|on|in|for|of|the|arrive|about|,|dash*"
)
phrase_at = reader("PHRASE", rules(
    ("phrase:PLAIN", lambda m: m["phrase"]),
    ("phrase:PLAIN =of|=until|=till|=עד WORD", _unread_end),
    (f"{_NIGHTS} =ending|=ends|=finishing|=finishes|=back|=home|=ש|=מסתיימים|=מסתיים|=שמסתיימים|=נגמרים|=שנגמרים+ on|in|to|the* day:POINT", _nights_until),
    (f"{_NIGHTS} to to|the* day:POINT", _nights_until),
    (f"{_NIGHTS} =stay|=staying|=starting|=beginning|=around? from|on|in|for|of|the|arrive|about* phrase:PLAIN", _nights_then_date),
))  # fmt: skip
"""The longest date phrase, including counts of nights before and after it."""


# --- sentences ---------------------------------------------------------------------------------------------------


def scan(s: Sentence) -> tuple[list[Phrase], list[tuple[int, int, int]]]:
    """All phrases of a sentence in order, and the separate counts of nights as (nights, start, end)."""
    phrases: list[Phrase] = []
    loose: list[tuple[int, int, int]] = []
    i = 0
    while i < len(s.lexemes):
        days = (
            _departure(s, i, phrases) or _listed(s, i, phrases) or _before_month(s, i, phrases) or _found(s, i, phrases)
        )
        i = max(days or _loose(s, i, loose), i + 1)
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
    found = phrase_at(s, i)
    phrases.extend([found[0]] if found else [])
    return found[1] if found else 0


def _before_month(s: Sentence, i: int, phrases: list[Phrase]) -> int:
    """`17-19 or 24-26 January`: days that take the month of the phrase behind them."""
    items: list[Phrase] = []
    at, joint = i, set[str]()
    while (
        (item := bare_item(s, at)) and item.nights is None and not (item.last is None and s.key(at - 1, "for", "dash"))
    ):
        joint, at = {s.at(n).key for n in range(item.end, s.skip(item.end, *_JOINTS))}, s.skip(item.end, *_JOINTS)
        items.append(item)
    found = phrase_at(s, at) if items and joint & {"or", "and", "vs"} else None
    month = (_month_of(found[0]) or _running_month(s, *found)) if found else None
    if found is None or month is None:
        return 0
    phrases += [*(_lend(item, month) for item in items), found[0]]
    return found[1]


def _running_month(s: Sentence, phrase: Phrase, end: int) -> WrittenDay | None:
    """`10-12 or 17-19 of next month`."""
    day = phrase.first
    return replace(day, day=None) if _of_a_month(s, end) and isinstance(day, WrittenDay) else None


def _loose(s: Sentence, i: int, loose: list[tuple[int, int, int]]) -> int:
    counted = nights_at(s, i)
    if counted is None or s.key(i, "in") or s.key(i - 1, "in") or not _deliberate(s, i, counted[1]):
        return 0
    loose.append((counted[0][0], i, counted[1]))
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


_STAYING = frozenset(words_of("stay stays staying remain remaining here נשארים נישאר להישאר נשאר נשארת"))


def _departure(s: Sentence, i: int, phrases: list[Phrase]) -> int:
    """`..., leaving April 15` completes the single day found before it, whatever is between them."""
    is_open = bool(phrases) and phrases[-1].open
    stays = s.at(i).word in _STAYING and s.at(i + 1).word in UNTIL
    of_guests = s.at(i).word in UNTIL and s.at(i - 1).word in QUANTITIES  # `5 March ... 2 adults until Sunday`
    last = longest(s, i, _LEAVING) if s.key(i, "leave") or stays or (of_guests and is_open) else None
    last = last or (longest(s, i, _AFTER_IT) if is_open else None)
    if last is None or (of_guests and s.at(last[1] - 1).weekday is None):
        return 0
    if is_open:
        gap = (phrases[-1].end, i) if i > phrases[-1].end else None
        phrases[-1] = replace(phrases[-1], end=last[1], last=last[0], gap=gap)
        return last[1]
    if arrival := longest(s, last[1], _ARRIVING):
        phrases.append(Phrase(i, arrival[1], arrival[0], last[0]))
        return arrival[1]
    if not phrases:
        phrases.append(Phrase(i, last[1], last[0], ends=True))
    return last[1]


_LEAVING = rules((f"ANY {_TO} day:DEPARTURE", lambda m: m["day"]))
_AFTER_IT = rules(("weekday:WEEKDAY that? after the?", _weekday_after))
_ARRIVING = rules((",|and|dash* arrive on|the|of|,|and|in|for|from* day:POINT", lambda m: m["day"]))


_JOINTS = (",", "and", "or", "vs", "the", "on")


def _listed(s: Sentence, i: int, phrases: list[Phrase]) -> int:
    """`Dec 10-12 and 17-19`, `Dec 14 or 21`: days that take the month of the phrase before them."""
    month = _month_of(phrases[-1]) if phrases and phrases[-1].end == i else None
    at = s.skip(i, *_JOINTS, "for", "in")
    found = bare_item(s, at) if month and at > i else None
    if month is None or found is None:
        return 0
    joined = any(s.key(n, "or", "and", "vs") for n in range(i, at))
    after = s.skip(found.end, ",", "or", "and")
    if found.last or joined or (after > found.end and bare_item(s, after)):
        phrases.append(_lend(found, month))
        return found.end
    return 0


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
    counted = called(s, end, "NIGHTS_BEHIND")
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
