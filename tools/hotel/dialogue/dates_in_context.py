"""Dates and searches in the light of those before: `no, I meant February`, `the 20th to the 22nd`, `a night more`."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from wavegraph.tools.hotel.dates import DatePhrase, find_dates, resolve
from wavegraph.tools.hotel.dates.lexer import read as lexemes
from wavegraph.tools.hotel.dates.resolution import MONTH_NAMES
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, SearchSlot, StaySlot
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.followup import (
    EXTENDS,
    FROM_THE_DAY,
    OF_SOMEONE,
    corrected,
    days_in_month,
    leaving,
    says,
)
from wavegraph.tools.hotel.reading.message import ParsedMessage
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.period import Search, is_weekdays
from wavegraph.tools.hotel.records import WEEKDAYS

AROUND = timedelta(days=7)
"""How far from a stay others are looked for."""
WIDE = timedelta(days=21)
"""A search wider than this has no week of its own."""
HALF_WEEK = 3
"""Days before the known arrival, in its week, that a weekday may still mean; else it is in the week after."""
Completed = Callable[[ParsedMessage, HotelSlots, date, PropertyProfile], ParsedMessage | None]
_ALSO_SAID = re.compile(
    r"\b(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*\b,?|\b\d{1,2} nights?\b|(?<![א-ת])[ומבל]?(?:יום )?(?:ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת)(?![א-ת])|\d{1,2} לילות|לילותיים",
    re.IGNORECASE,
)


def with_refused(before: HotelSlots, today: date, profile: PropertyProfile) -> HotelSlots:
    """With the stay that dates which do not fit the calendar may have meant, so that a correction finds it: `31 June` is the
    30th, `Wednesday 24 August` a day in August."""
    if not before.problems or before.stays or before.searches:
        return before
    words = before.problems[0].words
    numbers = [*re.finditer(r"(?<!\d)\d{1,2}(?!\d)", words)]
    earlier = (f"{words[: n.start()]}{int(n.group()) - 1}{words[n.end() :]}" for n in numbers)
    for said in (_ALSO_SAID.sub(" ", words), *earlier):
        found = find_dates(said, today=today, **profile.customs)
        if len(found) == 1 and (stays := found[0].resolution.stays):
            known = StaySlot(check_in=stays[0].check_in, check_out=stays[0].check_out, hint=said)
            return before.model_copy(update={"stays": [known]})
    return before


def searches_placed(message: ParsedMessage, before: HotelSlots, today: date) -> ParsedMessage:
    """Searches with the period, the length and the weekdays of the earlier ones where they name none."""
    of_those = "cheapest" in message.intents and before.searches and not before.searches[0].cheapest
    told = message.searches or message.dates or message.budget or (before.stays and message.changes_stay)
    told = told or ("decline" in message.intents and before.want == "book")  # `no, too expensive`, to its terms
    if ("dear" in message.intents or of_those) and not told:
        searches = tuple(each._replace(cheapest=True) for each in _as_before(before, today))
        return replace(message, searches=searches)
    if not message.searches:
        return message
    known = _as_before(before, today)
    length = message.change.nights if message.change else None
    placed = [
        (earlier or each)._replace(
            arrive_on=each.arrive_on or (earlier.arrive_on if earlier and not each.without else ()),
            without=each.without or (earlier.without if earlier else ()),
            nights=each.nights or length or (earlier.nights if earlier else None),
        )
        for each in message.searches
        for earlier in (known if each.window is None else [None])
    ]
    if all(each.window for each in message.searches) and known and message.follow_up:
        placed = [each._replace(nights=each.nights or known[-1].nights) for each in placed]
    return replace(message, searches=tuple(placed), change=None if placed else message.change)


def _as_before(before: HotelSlots, today: date) -> list[Search]:
    """The earlier searches; or one around the earlier stay."""
    if before.searches:
        return [_search(each) for each in before.searches]
    return [
        Search((max(today, stay.check_in - AROUND), stay.check_out + AROUND), stay.nights, (), (), False, "")
        for stay in before.stays[-1:]
    ]


def _search(slot: SearchSlot) -> Search:
    arrive_on = tuple(WEEKDAYS.index(day) for day in slot.arrive_on)
    without = tuple(n for n, day in enumerate(WEEKDAYS) if slot.sleep_on and day not in slot.sleep_on)
    nights = slot.nights if slot.nights_explicit else None
    return Search((slot.from_date, slot.to_date), nights, arrive_on, without, slot.cheapest, slot.hint)


def _known_day(before: HotelSlots) -> date | None:
    """The arrival spoken of last, or the middle of what was searched."""
    if before.stays:
        return before.stays[-1].check_in
    if not before.searches:
        return None
    last = before.searches[-1]
    return last.from_date + (last.to_date - last.from_date - timedelta(days=last.nights)) / 2


def _month_of(day: date) -> str:
    return f"{MONTH_NAMES[day.month - 1]} {day.year}"


def _departure(
    message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile
) -> ParsedMessage | None:
    """`what if we leave on the 20th?`: a departure alone changes the last stay; None if it does not."""
    day = leaving(message.text)
    lasts = any(s.nights_explicit and s.nights > 1 for phrase in message.dates for s in phrase.resolution.stays)
    if not day or not before.stays or lasts:
        return None
    known = before.stays[-1].check_in
    words = f"from {known.day} {_month_of(known)} to {day}"
    found = find_dates(words, today=today, **profile.customs)
    stays = found[0].resolution.stays if len(found) == 1 and found[0].end == len(words) else []
    return replace(message, dates=(found[0],)) if stays and stays[0].check_in == known else None


def _other_month(
    message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile
) -> ParsedMessage | None:
    """`no, I meant February`: the days asked for before, in that month."""
    words = f"in {corrected(fold(message.text))}"  # `no, March`: a month that is also a common word
    alone = find_dates(words, today=today, **profile.customs) if message.corrects else []
    named = [phrase for phrase in alone if (phrase.start, phrase.end) in ((0, len(words)), (3, len(words)))]
    phrase = next(iter([*named, *message.dates]), None) if message.follow_up else None
    if phrase is None or phrase.nights or not _is_month(phrase):
        return None
    if before.searches and phrase.window:
        first = _search(before.searches[-1])._replace(window=phrase.window, words=phrase.text)
        return replace(message, searches=(first,), dates=())
    if len(before.stays) != 1:
        return None
    moved = _in_month(before.stays[0], phrase, today, profile)
    return replace(message, dates=(moved,)) if moved else None


def _is_month(phrase: DatePhrase) -> bool:
    """A month and nothing of it: `February 2027`."""
    stays = phrase.resolution.stays
    name = stays[0].label.split() if stays and phrase.kind == "span" else []
    return len(name) == 2 and name[0] in MONTH_NAMES


def _in_month(stay: StaySlot, month: DatePhrase, today: date, profile: PropertyProfile) -> DatePhrase | None:
    """The stay in another month: its own words with that month, or else its days."""
    name = month.resolution.stays[0].label
    named = [lex for lex in lexemes(stay.hint) if lex.month]
    numbered = any(lex.written or (lex.num is not None and lex.num > 5) for lex in lexemes(stay.hint))
    if len(named) == 1 and not numbered and not stay.holiday and stay.kind in ("weekend", "span"):
        words = f"{stay.hint[: named[0].start]}{name}{stay.hint[named[0].end :]}"
    elif stay.kind in ("explicit", "relative"):
        words = f"{stay.check_in.day} {name}, {stay.nights} nights"
    else:
        return None
    found = find_dates(words, today=today, **profile.customs)
    return found[0].model_copy(update={"start": month.start, "end": month.end}) if len(found) == 1 else None


def _of_the_month(
    message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile
) -> ParsedMessage | None:
    """`the second weekend`, `the 20th to the 22nd`, `ה-17`: in the month that was spoken of."""
    known = _known_day(before)
    if known is None or message.searches or message.asks_the_hour:
        return None
    if message.dates and message.dates[0].resolution.error == "unclear":
        phrase = message.dates[0]
        of_month = resolve(hint := f"{phrase.text} of {_month_of(known)}", today=today, **profile.customs)
        if of_month.stays:
            named = {"text": hint, "kind": of_month.stays[0].kind, "resolution": of_month}
            return replace(message, dates=(phrase.model_copy(update=named),))
    with_month = any(lex.month or lex.written for phrase in message.dates for lex in lexemes(phrase.text))
    by_form = (message.follow_up and before.stays) or days_in_month(message.text, "")
    wide = [each for each in before.searches if (each.to_date - each.from_date).days > LONGEST_MONTH]
    if with_month or wide or not by_form or says(OF_SOMEONE, message.text):
        return None
    if before.searches:
        message = replace(message, follow_up=True)  # one of the dates that were looked for
    month = _month_of(known)
    for words in (f"{message.text}, in {month}", days_in_month(message.text, month)):
        found = find_dates(words, today=today, **profile.customs)
        days = [phrase for phrase in found if phrase.kind == "explicit" and phrase.start < len(message.text)]
        if len(days) == 1 and days[0].resolution.stays:
            dated = replace(message, dates=(days[0],))
            one_night = re.search(r"\bnight\b|לילה", message.text)
            start = _later_start(dated, before) or _longer(dated, before)
            return start or _as_long(dated, before, always=not one_night) or dated
    return None


LONGEST_MONTH = 31


def _that_week(
    message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile
) -> ParsedMessage | None:
    """`no, Friday`, `Sunday to Tuesday`: those next to the stay spoken of; in a period, any of them."""
    stays = message.dates[0].resolution.stays if message.dates and is_weekdays(message.dates[0]) else []
    known = _known_day(before)
    if len(stays) != 1 or known is None or message.searches:
        return None
    wide = [each for each in before.searches if each.to_date - each.from_date > WIDE]
    if wide:
        nights = stays[0].nights if stays[0].nights_explicit else None
        search = _search(wide[-1])
        pattern = search._replace(nights=nights or search.nights, arrive_on=(stays[0].check_in.weekday(),))
        return replace(message, searches=(pattern,), dates=())
    later = (stays[0].check_in.weekday() + 1) % 7 - (known.weekday() + 1) % 7  # weeks begin on Sunday
    first = known + timedelta(days=later + (7 if later < -HALF_WEEK else 0))
    first += timedelta(days=7 if first < today else 0)
    named = stays[0].nights_explicit or stays[0].nights > 1
    return _with_ends(message, first, first + timedelta(days=stays[0].nights), nights_explicit=named)


_RULES: tuple[Completed, ...] = (_departure, _other_month, _of_the_month, _that_week)


def _later_start(message: ParsedMessage, before: HotelSlots) -> ParsedMessage | None:
    """`just the second half, from the 25th`: another arrival, up to the same departure."""
    stays = message.dates[0].resolution.stays if message.dates else []
    named = len(stays) == 1 == len(before.stays) and not stays[0].nights_explicit
    if not named or message.corrects or not says(FROM_THE_DAY, message.text):
        return None
    known, first = before.stays[0], stays[0].check_in
    return _with_ends(message, first, known.check_out) if known.check_in < first < known.check_out else None


def _longer(message: ParsedMessage, before: HotelSlots) -> ParsedMessage | None:
    """`plus the 20th`, `וגם ה-16`: a night right before or behind the stay makes it longer."""
    stays = message.dates[0].resolution.stays if message.dates else []
    if len(stays) != 1 or len(before.stays) != 1 or not says(EXTENDS, message.text):
        return None
    known, new = before.stays[0], stays[0]
    first, last = min(known.check_in, new.check_in), max(known.check_out, new.check_out)
    touches = new.check_in <= known.check_out and known.check_in <= new.check_out
    return _with_ends(message, first, last) if touches and (last - first).days <= known.nights + new.nights else None


def _as_long(message: ParsedMessage, before: HotelSlots, *, always: bool = False) -> ParsedMessage | None:
    """`sorry, the 20th`: another arrival for as many nights as before."""
    stays = message.dates[0].resolution.stays if message.dates else []
    looked_for = [each.nights for each in before.searches if each.nights_explicit]
    known = before.length or next(iter(looked_for), 1)
    stay = before.stays[0] if len(before.stays) == 1 else None
    if stay and (
        (stay.nights_explicit and (message.corrects or always)) or (stay.kind == "weekend" and message.corrects)
    ):
        known = stay.nights
    one_day = len(stays) == 1 and stays[0].kind in ("explicit", "relative") and not stays[0].nights_explicit
    if not one_day or stays[0].nights != 1 or known == 1:
        return None
    return _with_ends(message, stays[0].check_in, stays[0].check_in + timedelta(days=known))


def _with_ends(message: ParsedMessage, first: date, last: date, *, nights_explicit: bool = True) -> ParsedMessage:
    """The message with these ends for the stay of its one date."""
    phrase = message.dates[0]
    ends = {"check_in": first, "check_out": last, "nights": (last - first).days}
    stay = phrase.resolution.stays[0].model_copy(
        update={**ends, "nights_explicit": nights_explicit, "kind": "explicit"}
    )
    found = phrase.resolution.model_copy(update={"stays": [stay]})
    named = phrase.model_copy(update={"resolution": found, "kind": "explicit", "holiday": None, "part": None})
    return replace(message, dates=(named,))


def completed(message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile) -> ParsedMessage:
    """The message with the days that it leaves to the stay before; itself where it leaves none."""
    found = next((each for rule in _RULES if (each := rule(message, before, today, profile)) is not None), message)
    return _later_start(found, before) or _longer(found, before) or _as_long(found, before) or found
