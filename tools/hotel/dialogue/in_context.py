"""Reads a message in the light of what was understood before: `no, I meant February`, `the 20th to the 22nd`, `5 and 8`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta

from wavegraph.tools.hotel.dates import DatePhrase, find_dates, resolve
from wavegraph.tools.hotel.dates.lexer import read as lexemes
from wavegraph.tools.hotel.dates.resolution import MONTH_NAMES
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, SearchSlot, StaySlot
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.followup import corrected
from wavegraph.tools.hotel.reading.message import ParsedMessage
from wavegraph.tools.hotel.reading.normalise import fold, prepared
from wavegraph.tools.hotel.reading.period import Search, is_weekdays
from wavegraph.tools.hotel.records import WEEKDAYS

AROUND = timedelta(days=7)
"""How far from a stay others are looked for."""
GROWN = 18
MOST_WORDS = 8
"""Longest answer to the question for the children's ages."""


def in_context(
    message: ParsedMessage, before: HotelSlots | None, *, today: date, profile: PropertyProfile
) -> ParsedMessage:
    """The message with what it leaves to the earlier ones filled in; it changes what it names, and only that."""
    before = before or HotelSlots()
    if before.read_back:  # a yes or a no is to what was read back, and anything else corrects that
        intents = message.intents - {"accept", "decline", "thanks"}
        message = replace(message, intents=intents, corrects=True, follow_up=True)
    if (message.pick or message.change) and not (message.dates or message.party.given):
        message = replace(message, unplaced=())  # `three nights instead of two`, `option 2`
    message = _searches_placed(_without_week(_ages_given(message, before), before), before, today)
    if message.change or len(message.dates) > 1:
        return message
    rules: tuple[Callable[[], ParsedMessage | None], ...] = (
        lambda: _longer(message, before),
        lambda: _that_week(message, before, today),
        lambda: _later_departure(message, before, today, profile),
        lambda: _other_month(message, before, today, profile),
        lambda: _weekend_of_month(message, before, today, profile),
        lambda: _days_of_month(message, before, today, profile),
        lambda: _other_weekday(message, before, today),
        lambda: _as_long(message, before),
    )
    found = next((found for rule in rules if (found := rule()) is not None), None)
    return replace(found, unplaced=()) if found else message


# --- searches ----------------------------------------------------------------------------------------------------


def _searches_placed(message: ParsedMessage, before: HotelSlots, today: date) -> ParsedMessage:
    """Searches with the period, the length and the weekdays of the earlier ones where they name none."""
    if "dear" in message.intents and not (message.searches or message.dates or message.budget):
        searches = tuple(each._replace(cheapest=True) for each in _as_before(before, today))
        return replace(message, searches=searches)
    if not message.searches:
        return message
    known = _as_before(before, today)
    length = message.change.nights if message.change else None
    placed = [
        (earlier or each)._replace(
            without=each.without or (earlier.without if earlier else ()),
            nights=each.nights or length or (earlier.nights if earlier else None),
        )
        for each in message.searches
        for earlier in (known if each.window is None else [None])
    ]
    if all(each.window for each in message.searches) and known and message.follow_up:
        placed = [each._replace(nights=each.nights or known[-1].nights) for each in placed]
    return replace(message, searches=tuple(placed), change=None if placed else message.change)


_NOT_WEEK = re.compile(r"\bnot (?:in |during )?the (first|last) week\b|(?<![א-ת])לא ב?שבוע ה(ראשון|אחרון)(?![א-ת])")
_WEEK = timedelta(days=7)


def _without_week(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """`not the first week`: the period searched before, without it."""
    found = _NOT_WEEK.search(fold(message.text))
    if not found or message.dates or message.searches or not before.searches:
        return message
    first = (found[1] or found[2]) in ("first", "ראשון")
    cut = [_cut(_search(each), first) for each in before.searches]
    return replace(message, searches=tuple(cut), intents=message.intents - {"decline"})


def _cut(search: Search, first: bool) -> Search:
    assert search.window is not None
    start, end = search.window
    return search._replace(window=(start + _WEEK, end) if first else (start, end - _WEEK))


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


# --- months ------------------------------------------------------------------------------------------------------


def _other_month(
    message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile
) -> ParsedMessage | None:
    """`no, I meant February`: the days asked for before, in that month."""
    named = _named_alone(message, today, profile) or message.dates
    phrase = named[0] if named and message.follow_up else None
    if phrase is None or phrase.nights or not _is_month(phrase):
        return None
    if before.searches and phrase.window:
        first = _search(before.searches[-1])._replace(window=phrase.window, words=phrase.text)
        return replace(message, searches=(first,), dates=())
    if len(before.stays) != 1:
        return None
    moved = _in_month(before.stays[0], phrase, today, profile)
    return replace(message, dates=(moved,)) if moved else None


def _named_alone(message: ParsedMessage, today: date, profile: PropertyProfile) -> Sequence[DatePhrase]:
    """`no, March`: a month that is also a common word, where nothing else is said."""
    words = f"in {corrected(fold(message.text))}"
    found = find_dates(words, today=today, **profile.customs) if message.corrects else []
    return [phrase for phrase in found if (phrase.start, phrase.end) in ((0, len(words)), (3, len(words)))]


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


def _weekend_of_month(
    message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile
) -> ParsedMessage | None:
    """`the second weekend`: of the month that was spoken of."""
    known = [*(search.from_date for search in before.searches), *(stay.check_in for stay in before.stays)]
    if not known or not message.dates or message.dates[0].resolution.error != "unclear":
        return None
    phrase, month = message.dates[0], f"{MONTH_NAMES[known[-1].month - 1]} {known[-1].year}"
    hint = f"{phrase.text} of {month}"
    found = resolve(hint, today=today, **profile.customs)
    if not found.stays:
        return None
    named = {"text": hint, "kind": found.stays[0].kind, "resolution": found}
    return replace(message, dates=(phrase.model_copy(update=named),))


def _days_of_month(
    message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile
) -> ParsedMessage | None:
    """`and the 20th to the 22nd?`, `what about 24-26?`: days without a month, in the month of the last stay."""
    if not before.stays or not message.follow_up or message.searches:
        return None
    day = before.stays[-1].check_in
    month = f"{MONTH_NAMES[day.month - 1]} {day.year}"
    found = find_dates(f"{message.text}, in {month}", today=today, **profile.customs)
    days = found[0] if len(found) == 1 and found[0].kind == "explicit" and found[0].end <= len(message.text) else None
    if days is None or not days.resolution.stays:
        return None
    named = replace(message, dates=(days,))
    return _longer(named, before) or _as_long(named, before) or named


def _other_weekday(message: ParsedMessage, before: HotelSlots, today: date) -> ParsedMessage | None:
    """`no, Friday`: of the week asked for before, for as many nights."""
    stays = message.dates[0].resolution.stays if message.dates and is_weekdays(message.dates[0]) else []
    if not message.corrects or len(stays) != 1 or stays[0].nights > 1 or len(before.stays) != 1:
        return None
    known = before.stays[0].check_in
    day = known + timedelta(days=(stays[0].check_in.weekday() - known.weekday() + 3) % 7 - 3)
    if day < today:
        return None
    moved = stays[0].model_copy(update={"check_in": day, "check_out": day + timedelta(days=1)})
    found = message.dates[0].resolution.model_copy(update={"stays": [moved]})
    message = replace(message, dates=(message.dates[0].model_copy(update={"resolution": found}),))
    return _as_long(message, before) or message


_TOO = re.compile(
    r"^\W*(?:(?:yes|ok(?:ay)?|and|כן)\W+)*(?:plus|also|add|as well as|גם|וגם|ועוד|פלוס)(?![א-ת\w])|\b(?:too|as well)\W*$"
)


def _longer(message: ParsedMessage, before: HotelSlots) -> ParsedMessage | None:
    """`plus the 20th`, `וגם ה-16`: a night right before or behind the stay makes it longer."""
    stays = message.dates[0].resolution.stays if message.dates else []
    if len(stays) != 1 or len(before.stays) != 1 or not _TOO.search(fold(message.text)):
        return None
    known, new = before.stays[0], stays[0]
    first, last = min(known.check_in, new.check_in), max(known.check_out, new.check_out)
    touches = new.check_in <= known.check_out and known.check_in <= new.check_out
    if not touches or (last - first).days > known.nights + new.nights:
        return None
    return _with_ends(message, first, last)


def _with_ends(message: ParsedMessage, first: date, last: date) -> ParsedMessage:
    """The message with these ends for the stay of its one date."""
    phrase = message.dates[0]
    ends = {"check_in": first, "check_out": last, "nights": (last - first).days}
    stay = phrase.resolution.stays[0].model_copy(update={**ends, "nights_explicit": True, "kind": "explicit"})
    found = phrase.resolution.model_copy(update={"stays": [stay]})
    named = phrase.model_copy(update={"resolution": found, "kind": "explicit", "holiday": None, "part": None})
    return replace(message, dates=(named,))


_THAT_WEEK = re.compile(r"\b(?:that|the same|same) week\b|(?<![א-ת])ב?(?:אותו|באותו) (?:ה)?שבוע(?![א-ת])|בשבוע ההוא")


def _that_week(message: ParsedMessage, before: HotelSlots, today: date) -> ParsedMessage | None:
    """`Sunday to Tuesday that week`: of the stay spoken of, or of the middle of what was searched around it."""
    stays = message.dates[0].resolution.stays if message.dates and is_weekdays(message.dates[0]) else []
    if len(stays) != 1 or not _THAT_WEEK.search(fold(message.text)):
        return None
    known = [stay.check_in for stay in before.stays]
    known += [
        each.from_date + (each.to_date - each.from_date - timedelta(days=each.nights)) / 2 for each in before.searches
    ]
    if not known:
        return None
    near = known[-1] - timedelta(days=(known[-1].weekday() + 1) % 7)
    first = near + timedelta(days=(stays[0].check_in.weekday() + 1) % 7)
    return None if first < today else _with_ends(message, first, first + timedelta(days=stays[0].nights))


def _as_long(message: ParsedMessage, before: HotelSlots) -> ParsedMessage | None:
    """`sorry, the 20th`: another arrival for as many nights as before."""
    stays = message.dates[0].resolution.stays if message.dates else []
    known = before.length or 1
    if len(before.stays) == 1 and before.stays[0].nights_explicit and message.corrects:
        known = before.stays[0].nights
    one_day = len(stays) == 1 and stays[0].kind in ("explicit", "relative") and not stays[0].nights_explicit
    if not one_day or stays[0].nights != 1 or known == 1:
        return None
    end = stays[0].check_in + timedelta(days=known)
    longer = stays[0].model_copy(update={"check_out": end, "nights": known, "nights_explicit": True})
    found = message.dates[0].resolution.model_copy(update={"stays": [longer]})
    return replace(message, dates=(message.dates[0].model_copy(update={"resolution": found}),))


_LEAVES = re.compile(
    r"\b(?:leav(?:e|ing)|check(?:ing)?[\s-]?out|depart(?:ing)?|until|till|stay (?:up )?to)\s+(?P<day>(?:on )?[^?.!,]+)|"
    r"(?<![א-ת])(?:נעזוב|לעזוב|יציאה|נישאר עד|להישאר עד)\s+(?P<he>[^?.!,]+)",
    re.IGNORECASE,
)


def _later_departure(
    message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile
) -> ParsedMessage | None:
    """`what if we leave on the 20th?`: a departure alone changes the last stay; None if it does not."""
    departure = _LEAVES.search(message.text)
    stay = before.stays[-1] if before.stays else None
    if (
        not departure
        or stay is None
        or any(s.nights_explicit and s.nights > 1 for phrase in message.dates for s in phrase.resolution.stays)
    ):
        return None
    day = (departure["day"] or departure["he"]).removeprefix("on ")
    arrival = f"{stay.check_in.day} {MONTH_NAMES[stay.check_in.month - 1]} {stay.check_in.year}"
    found = find_dates(f"from {arrival} to {day}", today=today, **profile.customs)
    stays = found[0].resolution.stays if len(found) == 1 and found[0].end == len(f"from {arrival} to {day}") else []
    return replace(message, dates=(found[0],)) if stays and stays[0].check_in == stay.check_in else None


# --- guests ------------------------------------------------------------------------------------------------------


def _ages_given(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """`5 and 8`, as an answer to how old the children are."""
    known = len(before.children_ages)
    asked = {"child_ages", "baby_ages", "uncounted"} & {*before.assumed}
    words = re.sub(r"\b1(?= (?:is|of)\b)", "", prepared(fold(message.text))[0])
    ages = tuple(int(number) for number in re.findall(r"(?<![\d./:-])\d{1,2}(?![\d./:-])", words))
    says_more = message.dates or message.change or message.party.given or message.reference or "?" in message.text
    if not asked or says_more or not ages or len(words.split()) - len(ages) > MOST_WORDS or max(ages) >= GROWN:
        return message
    if "uncounted" not in asked and len(ages) > known:
        return message
    babies = sum(age < 2 for age in ages)
    children = max(known, len(ages)) - babies
    party = replace(message.party, children=children, babies=babies, ages=ages)
    return replace(message, party=party, unplaced=(), pick=None)
