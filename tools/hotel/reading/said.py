"""What words of a request say of stays and guests beyond doubt, to hold a call against them: days of a named month, unless
words that are not read may move them; else nothing, unless the reader uses all the words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import chain, pairwise
from typing import Any

from dateutil.relativedelta import relativedelta

from wavegraph.tools.hotel.dates import DatePhrase, Stay, resolve
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.dates.lexer import Lex
from wavegraph.tools.hotel.dates.lexer import read as lexemes
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.figures import Kind
from wavegraph.tools.hotel.reading.message import ParsedMessage
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.party import Party
from wavegraph.tools.hotel.reading.people import SOON
from wavegraph.tools.hotel.reading.period import Search
from wavegraph.tools.hotel.reading.plain_words import counts_rooms_again
from wavegraph.tools.hotel.results import Ends, stay_ends

DAY = timedelta(days=1)
LATER_YEARS = 2
"""Years after the next one that a conversation may have come to speak of."""
WEEK = 7
SATURDAY = 5
NEAR = 8
"""Days by which readers of a month's first weekend or of a holiday's eve may differ: a week and a day."""
HALF_A_WEEK = 3
NOT_FAR = 2
"""Days from today that nobody counts otherwise: today, tomorrow and the day after."""
MONTH = 31
OLDEST_CHILD = 11
OF_AGE = 18
"""Above the first a house may count a child as an adult; nobody doubts it of the second."""
_MOVES = frozenset(
    words_of(
        "after before ago hence previous last next another yesterday today tonight tomorrow overmorrow season motzei"
    )
)
"""Keys of the date grammar that move a date, or name one."""
_OTHERWISE = frozenset(
    words_of(
        "not no nor but except unless instead rather if or either about around approximately roughly few several "
        "לא אבל אלא חוץ למעט במקום אם או עדיף בערך בסביבות כמה"
    )
)
"""Words that may take a date back, leave it open, or stand between two."""
_INSTEAD = frozenset(words_of("except unless instead rather אלא חוץ במקום עדיף"))
_NOT = frozenset(words_of("not no nor but לא אבל"))
"""Those of them that take back what stands in another sentence: by themselves, and where they point at it."""
_POINTING = frozenset(words_of("that this these those it them then זה אלה אותו אותם אז"))
_BUT = frozenset(words_of("but אבל"))
_OF_DATES = frozenset(words_of("dates תאריכים התאריכים בתאריכים"))
"""What a word like “flexible” in the same sentence may be said of."""
_SENTENCE = re.compile(r"[.;!?\n]")
_SHIFTS = frozenset(words_of("earlier later longer shorter otherwise מוקדם מאוחר אחרת מאוחרת מוקדמת"))
"""Words by which one's dates may be others too."""
_ANY = re.compile(
    r"\b(?:any|anytime|some|sometime|whenever|either|dates?|(?:a|one|1|single|cheapest) (?:night|day))\b|"
    r"כלשה|מתישהו|תאריך|תאריכים|(?<![א-ת])ה?(?:לילה|יום) (?:אחד|1|(?:הכי )?זול|הזול)"
)
"""Words by which `between 8 and 11 December` is a time to look in, and not the stay."""
_SAME = frozenset(words_of("same אותו אותה אותם אותן באותו באותה באותם באותן ובאותו ובאותה ובאותם ובאותן"))
_NO_DATES: tuple[Kind, ...] = ("money", "weight", "age", "hour", "contact", "other")
_ELSEWHERE = frozenset({"cancel", "modify", "find", "privacy", "elsewhere"})
"""Intents whose dates are not those of a stay to look for."""


def _whole(day: date) -> object:
    return day


def _of_the_month(day: date) -> object:
    return day.day


@dataclass(frozen=True, kw_only=True)
class SaidStay:
    """One stay as the words name it."""

    words: str
    ends: Ends
    others: tuple[Ends, ...] = ()
    """What the words may also mean."""
    nights: int | None
    """None = the words fix no length."""
    arrivals: Ends | None = None
    """First and last arrival that fit; None = the days themselves."""
    may_be_shorter: bool = False
    """Whether a search may be for any stay within it: `between 8 and 11 December`."""
    weeks: int = 0
    """Later ones that may be meant as well: `next weekend`."""
    part: Callable[[date], object] = _whole
    """What of a date was named: all of it, or the day alone."""
    in_any_year: bool = False
    """Whether the year may be one that was spoken of before."""

    @property
    def is_plain(self) -> bool:
        """Whether the words name its dates, and nothing else."""
        return self.arrivals is None and self.part is _whole

    def fits(self, stay: Ends) -> bool:
        """Whether a stay may be the one that was named."""
        return any(self._fits(ends, each) for each in self.in_years(stay) for ends in (self.ends, *self.others))

    def fits_window(self, window: Ends, nights: int) -> bool:
        """Whether a search for stays of so many nights may be for it: its window holds the days where these are named."""
        first, last = self.arrivals or self.ends
        days = [each[0] + n * WEEK * DAY for each in (self.ends, *self.others) for n in range(self.weeks + 1)]
        is_near = any(
            any(start <= day <= end - nights * DAY for day in days)
            if self.is_plain and not self.may_be_shorter
            else start <= last + self.weeks * WEEK * DAY and first <= end
            for start, end in self.in_years(window)
        )
        fits = self.nights is None or nights == self.nights or (self.may_be_shorter and nights < self.nights)
        return (is_near or self.part is not _whole) and fits

    def in_years(self, ends: Ends) -> Sequence[Ends]:
        """The dates, and where only they count, the same of the years before them."""
        years = range(LATER_YEARS + 1) if self.in_any_year else (0,)
        return [(ends[0] - relativedelta(years=n), ends[1] - relativedelta(years=n)) for n in years]

    def in_weeks(self, day: date) -> Sequence[date]:
        """A day, and the same of the weeks before it that may be meant."""
        return [day - n * WEEK * DAY for n in range(self.weeks + 1)]

    def _fits(self, ends: Ends, stay: Ends) -> bool:
        if self.arrivals:
            first, last = self.arrivals
            return any(first <= start <= last for start in self.in_weeks(stay[0])) and self.nights in (
                None,
                _nights(stay),
            )
        if self.nights is None:
            days = (stay[0] + n * DAY for n in range(min(_nights(stay), MONTH * 12) + 1))
            return self.part(ends[0]) in {self.part(day) for day in days}
        return (self.part(stay[0]), self.part(stay[1])) == (self.part(ends[0]), self.part(ends[1]))


def _nights(stay: Ends) -> int:
    return (stay[1] - stay[0]).days


def said_stays(message: ParsedMessage, *, follows: bool, today: date, profile: PropertyProfile) -> list[SaidStay]:
    """The stays that these words name. `follows`: whether they continue a conversation: then only what names its month counts,
    in whatever year; periods and other vague words only where nothing else is asked, which they may be about."""
    elsewhere = message.change or message.reference or message.intents & _ELSEWHERE or message.other_language
    unplaced = set(message.unplaced) - set(message.strangers)  # those are people
    if unplaced or elsewhere or any(phrase.resolution.error for phrase in message.dates):
        return []
    if message.unread and not _are_dates_plain(message):
        return []
    if message.searches:
        searched = [_searched(each) for each in message.searches if each.window]
        named = [each for each in searched if not follows or (_in_a_month(each.words) and not message.topics)]
        return [replace(each, in_any_year=follows) for each in named] if len(named) == len(message.searches) else []
    stays = [stay for phrase in message.dates if _names_month(phrase) for stay in phrase.resolution.stays]
    months = {day.month for stay in stays for day in stay_ends(stay)}
    pairs = [(phrase, stay) for phrase in message.dates for stay in phrase.resolution.stays]
    is_any = bool(_ANY.search(fold(message.text)))
    said = [_said(phrase, stay, today, profile, months, beside=len(pairs) > 1, is_any=is_any) for phrase, stay in pairs]
    certain = [each for each in said if not (follows and _may_go_on(each, message))]
    return [replace(each, in_any_year=follows) for each in certain] if len(certain) == len(said) else []


def no_dates(message: ParsedMessage) -> list[DatePhrase]:
    """The days of a named month that no calendar has, where the words name no other dates."""
    faults = [phrase for phrase in message.dates if phrase.resolution.error == "invalid" and _names_month(phrase)]
    elsewhere = message.reference or message.intents & _ELSEWHERE or message.other_language
    others = [phrase for phrase in message.dates if phrase.resolution.stays]
    is_open = message.searches or message.change or (message.unread and may_move_dates(message))
    return [] if elsewhere or others or is_open else faults


def _are_dates_plain(message: ParsedMessage) -> bool:
    """Whether all dates are days of a named month, and none of the words that are not read may move or take back a date."""
    kinds = {stay.kind for phrase in message.dates for stay in phrase.resolution.stays}
    is_explicit = kinds == {"explicit"} and not message.searches and all(map(_names_month, message.dates))
    return is_explicit and not may_move_dates(message)


def may_move_dates(message: ParsedMessage) -> bool:
    """Whether words that are not read may move a date, take it back or leave it open."""
    is_open = not (_OTHERWISE | _SHIFTS).isdisjoint(message.unread) or _names_the_dates(message)
    return is_open or _counts(message) or may_name_a_date(" ".join(message.unread))


def may_move_others(message: ParsedMessage) -> bool:
    """Whether words that name no date may move one that stands in another sentence: by a number, by `the dates`, or as they take
    back what they point at. An `if` or `about` is of their own sentence."""
    points_at_it = not _POINTING.isdisjoint(re.findall(r"[^\W\d_]+", fold(message.text)))
    takes_back = not (_INSTEAD | (_NOT if points_at_it else frozenset())).isdisjoint(message.unread)
    return bool(message.unread) and (_counts(message) or _names_the_dates(message) or message.corrects or takes_back)


def _counts(message: ParsedMessage) -> bool:
    """Whether a number is left that is of nothing else."""
    left = lexemes(" ".join(message.unread))
    return any(lex.num is not None and lex.num not in _elsewhere(message) for lex in left)


def _names_the_dates(message: ParsedMessage) -> bool:
    """Whether a word that is not read may be said of `the dates`."""
    clauses = (words_of(sentence) for sentence in _SENTENCE.split(fold(message.text)))
    return any(not _OF_DATES.isdisjoint(words) and not set(message.unread).isdisjoint(words) for words in clauses)


def _elsewhere(message: ParsedMessage) -> set[float | None]:
    """The numbers that have a unit which is none of dates: `50%`, `28 kg`."""
    spans = chain.from_iterable(message.figures[kind] for kind in _NO_DATES)
    return {lex.num for start, end in spans for lex in lexemes(fold(message.text[start:end]))}


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
    """Whether a text has a word that names a date, or moves one; `the same nights` are those known."""
    words = lexemes(text)
    return any(
        (lex.unit and before.word not in _SAME) or lex.key in _MOVES or lex.holiday or lex.written or lex.month
        or lex.weekday is not None
        for before, lex in zip([Lex(mark=True), *words], words, strict=False)
    )  # fmt: skip


def names_days_of(stay: SaidStay, text: str) -> bool:
    """Whether all that a text names of dates is a weekday, or the weekend, that a stay has: no number, and nothing that moves it."""
    own = {(stay.ends[0] + n * DAY).weekday() for n in range(min(_nights(stay.ends), WEEK - 1) + 1)}
    for lex in lexemes(fold(text)):
        is_other = lex.weekday not in own if lex.weekday is not None else lex.num is not None
        is_elsewhere = lex.unit == "weekend" and SATURDAY not in own
        if is_other or is_elsewhere or lex.unit not in ("", "day", "weekend") or lex.key in _MOVES | {"this"}:
            return False
        if lex.holiday or lex.written or lex.month:
            return False
    return True


def said_guests(message: ParsedMessage) -> dict[str, Any]:
    """The `adults`, `children` (babies too), their `ages` (babies' as 1) and `rooms` that these words count; empty if they
    leave any guest open, or may count two parties. With a child old enough to count as an adult, `guests` and all `named_ages`
    in place of the first three; no ages where one is not reached yet: `turning 5` may be 4 or 5 on the day.
    """
    party = message.party
    guessed = party.family or party.uncounted or party.no_adults or party.open or message.unplaced
    if guessed or _may_be_several(message) or message.other_language or message.unread:
        return {}
    rooms = None if message.or_rooms or counts_rooms_again(message.text) else message.wish.rooms
    children, babies = party.children or 0, party.babies or 0
    guests = None if party.adults is None else party.adults + children + babies
    said: dict[str, Any]
    if any(age > OLDEST_CHILD for age in party.ages):
        said = {"guests": guests, "named_ages": _ages(party), "rooms": rooms} if max(party.ages) < OF_AGE else {}
    else:
        young = None if guests is None else children + babies
        said = {"adults": party.adults, "children": young, "ages": _ages(party), "rooms": rooms}
    open_ages = {"ages", "named_ages"} if is_age_open(message.text) else set()
    return {name: value for name, value in said.items() if value is not None and name not in open_ages}


def is_age_open(text: str) -> bool:
    """Whether an age in it is not reached yet, and so may be the year before."""
    soon = SOON.intersection(words_of(text.casefold()))
    return bool(soon - _A_WHILE) or soon >= _A_WHILE


_A_WHILE = frozenset(("עוד", "מעט"))


def least_guests(message: ParsedMessage) -> int:
    """How many guests these words count at least, whoever else is in words that are not read; 0 = none, or several parties."""
    party = message.party
    guessed = party.family or party.uncounted or party.no_adults or party.disputed or not party.adults
    named = [phrase for phrase in message.dates if phrase.resolution.stays]  # `a few days in May` are one stay
    elsewhere = message.other_language or len([*named, *message.searches]) > 1
    taken_back = message.left_out or not _OTHERWISE.isdisjoint(message.unread)
    if guessed or elsewhere or taken_back or _may_be_several(message):
        return 0
    return (party.adults or 0) + (party.children or 0) + (party.babies or 0)


def young_ages(message: ParsedMessage) -> list[int]:
    """The ages of children that these words name of who comes, babies' as 1, whoever else is in words that are not read; none
    that a house may count as an adult's, or that a question about the house may be of. A baby's age need not be said where nobody
    else is counted: `with a baby`."""
    party = message.party
    elsewhere = message.other_language or (party.adults is None and message.topics)
    taken_back = message.left_out or party.disputed or not _OTHERWISE.isdisjoint(message.unread)
    is_whole = party.children is None or len([age for age in party.ages if age > 1]) == party.children
    if elsewhere or taken_back or is_age_open(message.text) or (_counts(message) and not is_whole):
        return []
    named = [max(1, age) for age in party.ages if age <= OLDEST_CHILD]
    return named if party.adults else [*named, *[1] * ((party.babies or 0) - named.count(1))]


def newcomers(message: ParsedMessage) -> tuple[int, int]:
    """How many adults, and how many children, a later message adds at least to those known, whom it does not count."""
    party, taken_back = message.party, message.left_out or message.corrects
    is_open = party.disputed or party.no_adults or not (_OTHERWISE - _BUT).isdisjoint(message.unread)
    if taken_back or is_open or message.other_language or _may_be_several(message):
        return 0, 0
    young = (party.children or 0) + (party.babies or 0)
    if party.adults is not None and not message.adds_guests:
        return 0, 0
    adds_somebody = message.adds_guests and bool(party.words)  # `add breakfast` adds nobody
    return int(adds_somebody and not young), young


def _may_be_several(message: ParsedMessage) -> bool:
    """Whether the guests may be two parties, which nobody wrote the sum of."""
    party, stays = message.party, [*message.dates, *message.searches]
    return bool(message.parties) or party.counts > 1 or (party.groups > 1 and len(stays) > 1)


def _ages(party: Party) -> list[int] | None:
    """All ages of the children, in order; None = one of them was not said."""
    named = sorted(age for age in party.ages if age > 1)
    babies = [1] * (party.babies or 0)
    return [*babies, *named] or None if party.adults and len(named) == (party.children or 0) else None


def _searched(search: Search) -> SaidStay:
    """Any stay in the period, of the length named."""
    assert search.window is not None
    first, last = search.window
    slack = (WEEK if last - first <= WEEK * DAY else 0) * DAY
    nights = None if search.arrive_on else search.nights
    return SaidStay(words=search.words, ends=search.window, nights=nights, arrivals=(first - slack, last + slack))


def _names_month(phrase: DatePhrase) -> bool:
    return any(lex.month or lex.hebrew_month or lex.written for lex in lexemes(phrase.text))


def _said(
    phrase: DatePhrase,
    stay: Stay,
    today: date,
    profile: PropertyProfile,
    months: set[int],
    *,
    beside: bool,
    is_any: bool,
) -> SaidStay:
    """`months`: those that the words name, for their other dates too. `beside`: whether they name other stays too. `is_any`:
    whether any of the nights between two days may be meant."""
    words, ends = lexemes(phrase.text), stay_ends(stay)
    is_open = _open_length(words)
    is_counted = stay.nights > 1 or any(lex.unit == "night" for lex in words)  # `17-18 May` may be two nights
    nights = stay.nights if stay.nights_explicit and is_counted and not is_open else None
    others = [*stay.alternatives, *_read_elsewhere(phrase, today, profile)]
    keys = {lex.key for lex in words}
    joins = beside and "dash" in keys  # `the difference between 13-15 January and 15-17 January`
    is_between = stay.kind == "explicit" and "between" in keys and not joins
    if is_between and (is_any or stay.nights > WEEK):
        return SaidStay(words=phrase.text, ends=ends, nights=None, arrivals=ends)
    if stay.kind != "explicit":
        fixed = nights if stay.kind in ("relative", "span") else None
        if _is_of_a_week(stay, words):
            weeks = int(_may_be_later(stay, words, today))
            return SaidStay(words=phrase.text, ends=ends, nights=fixed, arrivals=_in_its_week(stay), weeks=weeks)
        return SaidStay(words=phrase.text, ends=ends, nights=fixed, arrivals=_arrivals(stay, words, others, today))
    if is_open:  # `a week from Jan 3` may be how long, or when
        others.append((ends[1], ends[1] + DAY))
    part = _whole if {ends[0].month, ends[1].month} <= months else _of_the_month
    return SaidStay(
        words=phrase.text, ends=ends, others=tuple(others), nights=nights, part=part, may_be_shorter=is_between
    )


def _is_of_a_week(stay: Stay, words: Sequence[Lex]) -> bool:
    """Whether it is a weekend or weekday counted from today; of a month's first weekend readers differ."""
    is_weekday = stay.kind == "relative" and any(lex.weekday is not None for lex in words)
    return (is_weekday or stay.kind == "weekend") and not any(lex.month for lex in words)


def _in_its_week(stay: Stay) -> Ends:
    """The arrivals that a weekday, or a weekend, may mean in its week: people and countries begin the weekend on other days."""
    if stay.kind == "relative":
        return stay.check_in, stay.check_in
    starts = [stay.check_in, *(start for start, _ in stay.alternatives)]
    return min(starts) - DAY, max(starts) + DAY


def _may_be_later(stay: Stay, words: Sequence[Lex], today: date) -> bool:
    """Whether the same days a week later may be meant: unless the words say `this`, and the nearest are not today."""
    is_next_weekend = any(lex.unit == "weekend" for lex in words) and any(lex.key == "next" for lex in words)
    if today.weekday() == SATURDAY and is_next_weekend:  # one is running, in every country
        return False
    is_today = stay.kind == "weekend" and stay.check_in <= today
    others = [start - stay.check_in for start, _ in stay.alternatives]
    return is_today or WEEK * DAY in others or not any(lex.key == "this" for lex in words)


def _arrivals(stay: Stay, words: Sequence[Lex], others: Sequence[Ends], today: date) -> Ends:
    """The arrivals that vague words leave open."""
    first, last = (pick([stay.check_in, *(start for start, _ in others)]) for pick in (min, max))
    slack = NEAR
    if stay.kind == "relative":
        is_counted = not (others or any(lex.weekday is not None for lex in words))  # `tomorrow`, `in two weeks`
        is_plain = is_counted and stay.check_in - today <= NOT_FAR * DAY
        slack = 0 if is_plain else HALF_A_WEEK if is_counted else WEEK
    elif stay.kind == "span":
        slack = 1 if others else MONTH
    elif stay.kind in ("holiday", "part"):
        last = max(last, stay.check_out)
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


def _read_elsewhere(phrase: DatePhrase, today: date, profile: PropertyProfile) -> list[Ends]:
    """What `6/7` or a holiday means in other countries; a Hebrew date has the day first."""
    is_hebrew = any("א" <= letter <= "ת" for letter in phrase.text)
    if not phrase.holiday and ("/" not in phrase.text or is_hebrew):
        return []
    customs = (profile.asked_from(country).customs for country in ("US", "GB", "IL"))
    found = [resolve(phrase.text, today=today, **each) for each in customs]
    return [stay_ends(stay) for each in found for stay in each.stays]
