"""The stays that a message names beyond doubt, to hold a plan against; what may be meant otherwise is left out.

A message whose words move, exclude or remember a date names none: `not May 10-12`, `the week after May 12`, `as in May`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from dateutil.relativedelta import relativedelta

from wavegraph.tools.hotel.dates import DatePhrase, Stay, resolve
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.dates.lexer import Lex
from wavegraph.tools.hotel.dates.lexer import read as lexemes
from wavegraph.tools.hotel.dates.resolution import WRITTEN_YEARS
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.message import ParsedMessage
from wavegraph.tools.hotel.reading.party import Party
from wavegraph.tools.hotel.reading.period import Search
from wavegraph.tools.hotel.results import Ends, stay_ends

DAY = timedelta(days=1)
LATER_YEARS = 2
"""Years after the next one that a conversation may have come to speak of."""
LONGEST = 2000
"""Characters of a message that are read for dates: a longer one may say anything behind them."""
WEEK = 7
NEAR = 8
"""Days by which readers of `next weekend` or of a holiday's eve may differ: a week and a day."""
HALF_A_WEEK = 3
_COUNTED_SLACK = {0: 0, 1: 0, 2: 0}
"""Days by which readers may differ of a day counted from today: none of today, tomorrow and the day after."""
MONTH = 31
OLDEST_CHILD = 11
OF_AGE = 18
"""Above the first a house may count a child as an adult; nobody doubts it of the second."""

_SHIFTS = frozenset(
    words_of(
        "after before ago hence previous last next another yesterday today tonight tomorrow overmorrow season motzei"
    )
)
"""Keys of the date grammar that move a date, or name one, where no date phrase has used them."""
_TURNS = re.compile(
    r"\b(?:not|cannot|never|except|excluding|avoid|instead|rather|other|others|otherwise|else|besides|apart|full|sold|taken|"
    r"unavailable|was|were|had|stayed|booked|already|existing|move|moved|change|changed|postpone|extend|"
    r"ending|ends?|longer|unless|skip|without)\b|n['’]t\b|\b(?:anything|anytime|all|any|every)(?: \w+)? but\b|"
    r"(?<![א-ת])(?:[ושכלבמה]{0,2})(?:לא|אין|חוץ|מלבד|במקום|פרט|אלא|אחר|אחרת|אחרים|אחרות|היינו|הייתי|היה|היו|התארחנו|כבר|להזיז|לשנות|"
    r"לדחות|להאריך|מלא|תפוס)(?![א-ת])",
    re.IGNORECASE,
)
"""Words that may turn a date into anything but the stay that is asked for."""
_ROUGHLY = re.compile(
    r"\b(?:around|(?<!what )(?<!how )about|circa|approximately|approx|roughly|near|nearly|flexible|flexibility|or so|give or take|close)\b|ish\b|±|\+/-|"
    r"(?<![א-ת])(?:[ושכלבמה]{0,2})(?:בערך|סביבות|סביב|קראת|גמיש|גמישים|גמישות|פחות או יותר)(?![א-ת])",
    re.IGNORECASE,
)
_HEDGES = re.compile(
    r"\b(?:up to|at least|at most|min|minimum|max|maximum|possibly|maybe|perhaps|probably|or more|or less|if|depending|even)\b|"
    r"עד \d+ לילות|(?<![א-ת])(?:ו|ש)?(?:לפחות|לכל היותר|מקסימום|מינימום|אולי|אם|תלוי|אפילו)(?![א-ת])",
    re.IGNORECASE,
)
"""Words that leave a counted length open."""
_ROOMS_LEFT_OPEN = re.compile(
    r"\b(?:or|another|one more|extra) (?:in )?(?:one|two|three|\d|rooms?|suites?)\b|\brooms?\b.{1,200}\brooms?\b|(?<![א-ת])או (?:ב?(?:חדר|אחד|שני|שתי)|\d)|חדר נוסף"
    r"|חדר(?:ים)?(?![א-ת]).{1,200}(?<![א-ת])[בוהל]?חדר(?:ים)?(?![א-ת])",
    re.IGNORECASE | re.DOTALL,
)
"""More than one number of rooms, or one that comes on top."""
_ELSEWHERE = frozenset({"cancel", "modify", "find", "privacy", "elsewhere"})
"""Intents whose dates are not those of a stay to look for."""
_HEBREW = re.compile(r"[א-ת]")


def _whole(day: date) -> object:
    return day


def _of_the_month(day: date) -> object:
    return day.day


@dataclass(frozen=True, kw_only=True)
class SaidStay:
    """One stay as the message names it."""

    words: str
    ends: Ends
    others: tuple[Ends, ...] = ()
    """What the words may also mean."""
    nights: int | None
    """None = the words fix no length."""
    arrivals: Ends | None = None
    """First and last arrival that fit; None = the days themselves."""
    part: Callable[[date], object] = _whole
    """What of a date was named: all of it, or the day alone."""
    in_any_year: bool = False
    """Whether the year may be one that was spoken of before."""

    def fits(self, stay: Ends) -> bool:
        """Whether a stay may be the one that was named."""
        return any(self._fits(ends, each) for each in self.in_years(stay) for ends in (self.ends, *self.others))

    def fits_window(self, window: Ends, nights: int) -> bool:
        """Whether a search for stays of so many nights may be for it."""
        first, last = self.arrivals or self.ends
        near = any(start <= last and first <= end for start, end in self.in_years(window))
        return (near or self.part is not _whole) and self.nights in (None, nights)

    def in_years(self, ends: Ends) -> Sequence[Ends]:
        """The dates, and where only they count, the same of the years before them."""
        years = range(LATER_YEARS + 1) if self.in_any_year else (0,)
        return [(_years_before(ends[0], n), _years_before(ends[1], n)) for n in years]

    def _fits(self, ends: Ends, stay: Ends) -> bool:
        if self.arrivals:
            first, last = self.arrivals
            return first <= stay[0] <= last and self.nights in (None, _nights(stay))
        if self.nights is None:
            days = (stay[0] + n * DAY for n in range(min(_nights(stay), MONTH * 12) + 1))
            return self.part(ends[0]) in {self.part(day) for day in days}
        return (self.part(stay[0]), self.part(stay[1])) == (self.part(ends[0]), self.part(ends[1]))


def _years_before(day: date, years: int) -> date:
    return day - relativedelta(years=years)


def _nights(stay: Ends) -> int:
    return (stay[1] - stay[0]).days


def said_stays(message: ParsedMessage, *, follows: bool, today: date, profile: PropertyProfile) -> list[SaidStay]:
    """The stays of a message; empty if it is not certain what any of its dates is for.

    `follows`: whether it continues a conversation: then only what names its month counts, in whatever year; periods and other
    vague words only where nothing else is asked, which they may be about.
    """
    phrases = message.dates
    is_about_stays = not (message.change or message.reference or message.intents & _ELSEWHERE)
    if not is_about_stays or message.other_language or len(message.text) > LONGEST:
        return []
    if message.searches:
        searched = [_searched(each) for each in message.searches if each.window]
        named = [each for each in searched if not follows or (_in_a_month(each.words) and not message.topics)]
        return [replace(each, in_any_year=follows) for each in named] if len(named) == len(message.searches) else []
    if any(phrase.resolution.error for phrase in phrases) or _turned(message.text, phrases):
        return []
    months = {month for phrase in phrases if _names_month(phrase) for month in _months(phrase)}
    said = [
        _said(phrase, stay, today, profile, message, months) for phrase in phrases for stay in phrase.resolution.stays
    ]
    certain = [each for each in said if each is not None and not (follows and _may_go_on(each, message))]
    return [replace(each, in_any_year=follows) for each in certain] if len(certain) == len(said) else []


def _may_go_on(said: SaidStay, message: ParsedMessage) -> bool:
    """Whether a later message's words may mean days of what was said before them, or days of what else they ask about."""
    if said.part is not _whole:
        return True
    return said.arrivals is not None and (bool(message.topics) or not _in_a_month(said.words))


def _in_a_month(words: str) -> bool:
    """Whether words name a month of every year, as no holiday does."""
    row = lexemes(words)
    return any(lex.month for lex in row) and not any(lex.holiday for lex in row)


def may_name_a_date(text: str) -> bool:
    """Whether a text has a word of dates, or one that turns a date into another."""
    return _turned(text, ())


def said_guests(message: ParsedMessage) -> dict[str, Any]:
    """The `adults`, `children` (babies too), their `ages` (babies' as 1) and `rooms` that a message counts beyond doubt;
    empty if it leaves any guest open. With a child old enough to count as an adult, `guests` in place of the first three.
    """
    party = message.party
    guessed = party.family or party.uncounted or party.no_adults or party.open or message.unplaced or message.parties
    if guessed or message.other_language or any(p.search(message.text) for p in (_TURNS, _HEDGES, _ROUGHLY)):
        return {}
    rooms = None if _ROOMS_LEFT_OPEN.search(message.text) else message.wish.rooms
    children, babies = party.children or 0, party.babies or 0
    guests = None if party.adults is None else party.adults + children + babies
    said: dict[str, Any]
    if any(age > OLDEST_CHILD for age in party.ages):
        said = {"guests": guests, "rooms": rooms} if max(party.ages) < OF_AGE else {}
    else:
        young = None if guests is None else children + babies
        said = {"adults": party.adults, "children": young, "ages": _ages(party), "rooms": rooms}
    return {name: value for name, value in said.items() if value is not None}


def _ages(party: Party) -> list[int] | None:
    """All ages of the children, in order; None = one of them was not said."""
    named = sorted(age for age in party.ages if age > 1)
    babies = [1] * (party.babies or 0)
    return [*babies, *named] or None if party.adults and len(named) == (party.children or 0) else None


def _turned(text: str, phrases: Sequence[DatePhrase]) -> bool:
    """Whether words outside the date phrases may change what a date means."""
    if _TURNS.search(text):
        return True
    spans = [(phrase.start, phrase.end) for phrase in phrases]
    counts = {stay.nights for phrase in phrases for stay in phrase.resolution.stays if stay.nights_explicit}
    row = lexemes(text)
    before = [Lex(mark=True), *row]
    starts = {phrase.start for phrase in phrases if any(stay.kind != "relative" for stay in phrase.resolution.stays)}
    if any(_is_cut(row[:number]) for number, lex in enumerate(row) if lex.start in starts):
        return True
    return any(
        _moves(lex, earlier, counts)
        for earlier, lex in zip(before, row, strict=False)
        if not any(start <= lex.start < end for start, end in spans)
    )


def _is_cut(before: Sequence[Lex]) -> bool:
    """Whether a number stands right before a date phrase that did not use it."""
    last = [lex for lex in before[-2:] if lex.key not in ("in", "of", "the", "on")][-1:]
    return any(lex.num is not None and not (lex.counted or lex.mark or lex.unit) for lex in last)


def _moves(lex: Lex, earlier: Lex, counts: set[int]) -> bool:
    """Whether a word that no date phrase used is one of dates: `the day before`, `in 2028`, `Sunday`."""
    if lex.mark or lex.counted:
        return False
    if lex.unit == "night":  # `400 a night`; `3 nights` that a date has taken up
        return not (earlier.key in ("a", "for", "each") or earlier.word == "per" or earlier.num in counts)
    is_year = lex.num in WRITTEN_YEARS and len(lex.word) == 4
    named = lex.month is not None or lex.weekday is not None
    return bool(lex.unit or lex.key in _SHIFTS or lex.holiday or lex.written or is_year or (named and not lex.weak))


def _searched(search: Search) -> SaidStay:
    """Any stay in the period, of the length named."""
    assert search.window is not None
    first, last = search.window
    slack = (WEEK if last - first <= WEEK * DAY else 0) * DAY
    nights = None if search.arrive_on else search.nights
    return SaidStay(words=search.words, ends=search.window, nights=nights, arrivals=(first - slack, last + slack))


def _names_month(phrase: DatePhrase) -> bool:
    return any(lex.month or lex.hebrew_month or lex.written for lex in lexemes(phrase.text))


def _months(phrase: DatePhrase) -> set[int]:
    return {day.month for stay in phrase.resolution.stays for day in stay_ends(stay)}


def _said(
    phrase: DatePhrase, stay: Stay, today: date, profile: PropertyProfile, message: ParsedMessage, months: set[int]
) -> SaidStay | None:
    """`months`: those that the message names, for its other dates too."""
    words = lexemes(phrase.text)
    ends = stay_ends(stay)
    is_apart = _counted_apart(phrase, stay, today, profile)
    is_hedged = (is_apart or _counts(words)) and bool(_HEDGES.search(message.text))
    is_open = _open_length(words) or is_hedged or (is_apart and len(message.dates) > 1)
    nights = stay.nights if stay.nights_explicit and stay.nights > 1 and not is_open else None
    others = [*stay.alternatives, *_read_elsewhere(phrase, today, profile)]
    if stay.kind == "explicit" and any(lex.key == "between" for lex in words):
        return SaidStay(words=phrase.text, ends=ends, nights=None, arrivals=ends)
    if stay.kind != "explicit" or _ROUGHLY.search(message.text):
        fixed = nights if stay.kind in ("explicit", "relative", "span") else None
        is_season = any(lex.key == "season" for lex in words)
        arrivals = _arrivals(stay, words, others, today)
        return None if is_season else SaidStay(words=phrase.text, ends=ends, nights=fixed, arrivals=arrivals)
    if nights and is_apart:  # `3 nights ending May 13` is read as from that day
        others.append((ends[0] - nights * DAY, ends[0]))
    if is_open:  # `a week from Jan 3` may be how long, or when
        others.append((ends[1], ends[1] + DAY))
    part = _whole if {ends[0].month, ends[1].month} <= months else _of_the_month
    return SaidStay(words=phrase.text, ends=ends, others=tuple(others), nights=nights, part=part)


def _arrivals(stay: Stay, words: Sequence[Lex], others: Sequence[Ends], today: date) -> Ends:
    """The arrivals that vague words leave open."""
    first, last = (pick([stay.check_in, *(start for start, _ in others)]) for pick in (min, max))
    match stay.kind:
        case "explicit" | "relative":
            is_weekday = any(lex.weekday is not None for lex in words)  # `Friday` on a Friday may be the next one
            is_counted = stay.kind == "relative" and not (others or is_weekday)  # `tomorrow`, `in two weeks`
            slack = _COUNTED_SLACK.get((stay.check_in - today).days, HALF_A_WEEK) if is_counted else WEEK
        case "span" if others:
            slack = 1
        case "span":
            slack = MONTH
        case "holiday" | "part":
            last, slack = max(last, stay.check_out), NEAR
        case _:
            slack = NEAR
    return first - slack * DAY, last + slack * DAY


def _open_length(words: Sequence[Lex]) -> bool:
    """Whether a length of stay may be meant otherwise: `2-3 nights`, or one counted in days or weeks."""
    counts = [Lex(mark=True), *words]
    for count, lex in zip(counts, words, strict=False):
        if lex.unit in ("day", "week", "month") and (lex.num or count.num or count.key == "a"):
            return True
    return any(
        one.num is not None and two.key in ("dash", "or", "to") and three.num is not None and four.unit == "night"
        for (one, two), (three, four) in zip(pairwise(words), pairwise(words[2:]), strict=False)
    )


def _counted_apart(phrase: DatePhrase, stay: Stay, today: date, profile: PropertyProfile) -> bool:
    """Whether the number of nights stands somewhere else in the message."""
    alone = resolve(phrase.text, today=today, **profile.customs).stays
    return len(alone) == 1 and alone[0].nights != stay.nights


def _counts(words: Sequence[Lex]) -> bool:
    """Whether the phrase itself counts nights."""
    return any(lex.unit == "night" for lex in words)


def _read_elsewhere(phrase: DatePhrase, today: date, profile: PropertyProfile) -> list[Ends]:
    """What `6/7` or a holiday means in other countries; a Hebrew date has the day first."""
    if not phrase.holiday and ("/" not in phrase.text or _HEBREW.search(phrase.text)):
        return []
    customs = (profile.asked_from(country).customs for country in ("US", "GB", "IL"))
    found = [resolve(phrase.text, today=today, **each) for each in customs]
    return [stay_ends(stay) for each in found for stay in each.stays]
