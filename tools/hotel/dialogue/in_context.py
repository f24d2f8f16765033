"""Reads a message in the light of what was understood before: `no, I meant February`, `the 20th to the 22nd`, `5 and 8`."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from wavegraph.tools.hotel.dates import DatePhrase, find_dates, resolve
from wavegraph.tools.hotel.dates.lexer import read as lexemes
from wavegraph.tools.hotel.dates.resolution import MONTH_NAMES
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, SearchSlot, StaySlot, answers_who
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.followup import (
    adds_a_room,
    age_told,
    arrives_from,
    child_spoken_of,
    corrected,
    days_in_month,
    extends,
    is_room_described,
    leaving,
    names_adults,
    offers_rooms,
    only_those,
    rejects,
    rooms_alone,
    rooms_apart,
    some_of_several,
    tells_of_someone,
)
from wavegraph.tools.hotel.reading.guest import read_bare_reference
from wavegraph.tools.hotel.reading.hours import hours_asked
from wavegraph.tools.hotel.reading.message import ParsedMessage
from wavegraph.tools.hotel.reading.money import Budget
from wavegraph.tools.hotel.reading.normalise import fold, prepared
from wavegraph.tools.hotel.reading.party import Party, read_party
from wavegraph.tools.hotel.reading.period import Search, is_weekdays
from wavegraph.tools.hotel.records import WEEKDAYS, Board

AROUND = timedelta(days=7)
"""How far from a stay others are looked for."""
WIDE = timedelta(days=21)
"""A search wider than this has no week of its own."""
HALF_WEEK = 3
"""Days before the known arrival, in its week, that a weekday may still mean; else it is in the week after."""
A_WEEK = 5
"""Nights that may be called a week."""
GROWN = 18
MOST_WORDS = 8
"""Longest answer to the question for the children's ages."""
Completed = Callable[[ParsedMessage, HotelSlots, date, PropertyProfile], ParsedMessage | None]


def in_context(
    message: ParsedMessage, before: HotelSlots | None, *, today: date, profile: PropertyProfile
) -> ParsedMessage:
    """The message with what it leaves to the earlier ones filled in; it changes what it names, and only that."""
    before = _with_refused(before or HotelSlots(), today, profile)
    if rejects(message.text):
        message = replace(message, intents=message.intents - {"decline"})
    if _leaves(message):
        return replace(
            message,
            party=Party(),
            topics=(),
            change=None,
            unplaced=(),
            pick=None,
            intents=message.intents & {"later", "thanks"},
        )
    if isinstance(message.pick, int) and (before.stays or before.searches) and is_room_described(message.text):
        message = replace(message, topics=(), intents=message.intents | {"rooms_info"})
    if before.read_back:  # a yes or a no is to what was read back, and anything else corrects that
        intents = message.intents - {"accept", "decline", "thanks"}
        message = replace(message, intents=intents, corrects=True, follow_up=True)
    if answer := answers_who(message, before):
        message = _who_was_asked_about(message, before.unplaced if answer == "yes" else [])
    if (message.pick or message.change) and not (message.dates or message.party.given):
        message = replace(message, unplaced=())  # `three nights instead of two`, `option 2`
    if message.asks_day and (before.stays or before.searches) and message.changes_stay:
        message = replace(message, dates=())  # `with sea view. Is Purim in those dates?`
    message = _at_an_hour(message, before)
    message = _of_known_child(_with_limit(message, before), before)
    message = _rooms_told_apart(_child_left_out(message, before), before)
    message = _searches_placed(_guests(_short(message, before), before), before, today)
    message = _with_its_weekday(_night_of_month(message, before, today, profile), before, today, profile)
    if before.problems and message.change and message.change.nights and before.stays and not message.dates:
        words = f"{before.stays[0].check_in:%d.%m.%Y}, {message.change.nights} nights"  # `two nights`, of dates refused
        return replace(
            message, dates=tuple(find_dates(words, today=today, **profile.customs)), change=None, unplaced=()
        )
    if message.change or len(message.dates) > 1:
        return message
    completed = (found for rule in _RULES if (found := rule(message, before, today, profile)) is not None)
    found = next(completed, message)
    found = _later_start(found, before) or _longer(found, before) or _as_long(found, before) or found
    return message if found is message else replace(found, unplaced=tuple(_still_unplaced(found)))


def _at_an_hour(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """`can we come at 13:00?`, `at 12?`: asked of check-in or check-out; no day and no number of guests."""
    own = {"check_in", "check_out"}.intersection(message.topics)
    told = own or (before.topics if before.intent == "hotel_info" else ())
    days = [each for each in message.dates if not (told and hours_asked(each.text, told))]
    agrees = "accept" in message.intents and (before.want or before.intent in ("book", "cancel"))
    goes_on = message.party.given or message.guest.given or agrees or "book" in message.intents
    dated = message.searches or any(each.resolution.stays for each in days)
    if goes_on or dated or {*message.topics} - own or message.changes_stay or message.reference:
        return message
    topics = hours_asked(message.text, told, unclear=any(each.resolution.error for each in days))
    if not topics:
        return message
    return replace(message, topics=topics, dates=(), unplaced=(), strangers=(), change=None, pick=None)


def _leaves(message: ParsedMessage) -> bool:
    """`I'll talk to my wife and come back to you`: nobody and nothing that it names is for a stay."""
    says_more = message.stays or message.guest.given or message.reference or message.wish.room_types or message.budget
    goes_on = message.intents & {"book", "price", "cancel", "modify", "find", "complaint"}
    return "later" in message.intents and not (
        says_more or goes_on or "?" in message.text or re.search(r"\d", message.text)
    )


def _who_was_asked_about(message: ParsedMessage, words: Sequence[str]) -> ParsedMessage:
    """A yes or a no to whether those whom the words name come too: `yes, he is 5`."""
    message = replace(message, intents=message.intents - {"accept", "decline", "thanks", "book"}, follow_up=True)
    if message.party.given or not words:
        return replace(message, adds_guests=bool(words), unplaced=message.unplaced if words else ())
    party = read_party(prepared(fold(f"{', '.join(words)}, {message.text}"))[0])
    if not party.given or party.open or party.uncounted:
        return replace(message, party=Party(), unplaced=tuple(words), strangers=tuple(words))
    return replace(message, party=party, adds_guests=True, unplaced=(), strangers=())


_ALSO_SAID = re.compile(
    r"\b(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*\b,?|\b\d{1,2} nights?\b|(?<![א-ת])[ומבל]?(?:יום )?(?:ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת)(?![א-ת])|\d{1,2} לילות|לילותיים",
    re.IGNORECASE,
)


def _with_refused(before: HotelSlots, today: date, profile: PropertyProfile) -> HotelSlots:
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


_MEALS = re.compile(r"board|breakfast|meal|dinner|\b[bh]b\b|בוקר|פנסיון|ארוח")
_GOES_ON = frozenset({"price", "lodging", "accept", "cheapest", "compare", "book"})


def _with_limit(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """`and if I go up to 1100?`: the one number left, too high for a guest or a day and no year, is the new limit."""
    numbers = [words for words in message.unplaced if re.fullmatch(r"(?!20[2-4]\d$)\d{3,5}", words)]
    if not before.budget or before.budget.said or message.budget or len(numbers) != 1:
        return message
    budget = Budget(int(numbers[0]) * 100, before.budget.per, before.budget.currency or "XXX")
    left = tuple(words for words in message.unplaced if words != numbers[0])
    return replace(message, budget=budget, unplaced=left, follow_up=True)


def _rooms_told_apart(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """What is said of some of the rooms is asked about, never taken for all: they are of one kind, for one party."""
    party, wish, text = message.party, message.wish, message.text
    known = before.party_adults + len(before.children_ages) if before.adults is not None else 0
    if known and party.others and adds_a_room(text):  # `a second room for my brother`
        return replace(message, wish=wish._replace(rooms=(before.rooms or 1) + 1), adds_guests=True)
    if before.intent == "rooms_apart" and (asked := rooms_alone(text)):
        return replace(message, wish=wish._replace(rooms=asked), party=Party(), unplaced=(), pick=None)
    labels = rooms_apart(text)
    rooms = max(wish.rooms or labels, before.rooms or 1)
    named = sum(filter(None, (party.adults, party.children, party.babies)))
    some = 0 < named < known and not (message.dates or message.adds_guests or message.corrects or message.left_out)
    if some and wish.apart:  # `grandma in a room of her own`
        return replace(message, party=Party(), unplaced=())
    differ = wish.room_types or message.change or (wish.board and not labels) or (known and party.given)
    several = rooms > 1 or before.intent == "rooms_apart"
    answered = wish.rooms or wish.room_types or wish.any_type or party.given or message.dates
    if before.intent == "rooms_apart" and not answered and (wish.board or message.intents & _GOES_ON):
        return replace(message, intents=message.intents | {"rooms_apart"})  # which rooms is still open
    if before.intent == "rooms_apart" and party.given and wish.room_types and not some_of_several(text):
        return replace(message, wish=wish._replace(rooms=wish.rooms or 1))  # `the accessible one, for my parents`
    if offers_rooms(text) or wish.shared or (several and (some or (differ and some_of_several(text)))):
        count = None if offers_rooms(text) else 2 if wish.shared and rooms == 1 else None if rooms == 1 else rooms
        clauses = [clause for clause in re.split(r"[.?!,;]", text) if some_of_several(clause)]
        of_some = not labels and any(_MEALS.search(clause.lower()) for clause in clauses)
        wish = wish._replace(room_types=(), board=None if of_some else wish.board, rooms=count)
        intents = message.intents | {"rooms_apart"}
        party = Party() if known else party
        return replace(message, party=party, wish=wish, change=None, unplaced=(), intents=intents)
    return replace(message, wish=wish._replace(rooms=wish.rooms or labels or None))


def _child_left_out(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """`the kid isn't coming`: the one child who is known, or a question which."""
    if "child" not in message.left_out:
        return message
    gone = message.left_out - {"child"} | ({"children", "babies"} if len(before.children_ages) == 1 else set())
    return replace(message, left_out=gone)


_PAYS = re.compile(
    r"\b(?:pay(?:s|ing)?|free|charged?|cost|how much|price)\b|(?<![א-ת])ו?(?:משלמ(?:ת|ים|ות)|משלם|לשלם|[ינת]שלמו?|תשלום|ב?חינם|עולה|עולים|יעלה|תעלה|מחיר)(?![א-ת])"
)
_A_ROOM = re.compile(r"\b(?:rooms?|suites?|nights?|stay|cots?|beds?)\b|חדר|סוויט|ליל|מיט|לול")


def _asks_price_of_child(message: ParsedMessage) -> bool:
    """`my grandson is 3, does he pay?`: what children cost here, no stay."""
    party, words = message.party, fold(message.text)
    child = party.adults is None and (party.ages or party.children or party.babies)
    other = {*message.topics} - {"payment", "kids", "discounts"}
    return bool(child and not (message.stays or other) and _PAYS.search(words) and not _A_ROOM.search(words))


_WITH = re.compile(
    r"(?:(?:and|what about|how about|what if|how much|but|ok(?:ay)?|it'?s) ){0,3}(?:with(?P<out>out)?(?: it)?|ו?(?:כמה )?(?:עם|(?P<no>בלי))(?: זה)?)"
)
"""`and with?`: the board that was not asked for, in words with a space between."""
_WORD = re.compile(r"[\w']+")


def _short(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """What a few words mean beside what was asked or offered just before."""
    known, wish = bool(before.stays or before.searches), message.wish
    own = before.want in ("cancel", "find") or message.intents & {"cancel", "modify", "find"}
    pieces = re.split(r"[.?!;:\n]", message.text) if own and not message.reference else []
    if number := next(filter(None, map(read_bare_reference, pieces)), None):
        return replace(message, reference=number, dates=(), searches=(), party=Party(), unplaced=(), change=None)
    if not known and _asks_price_of_child(message):
        return replace(message, topics=("kids",))
    if not known and wish.board == "BB" and len(message.text.split()) <= 2 and not message.dates:
        return replace(message, wish=wish._replace(board=None), topics=("breakfast",))  # `breakfast`
    other: Board | None = None
    if found := _WITH.fullmatch(" ".join(_WORD.findall(fold(message.text)))):
        without = found["out"] or found["no"]
        other = "RO" if without and before.board in ("BB", "HB") else None if without or before.board != "RO" else "BB"
    return replace(message, wish=wish._replace(board=other)) if known and other else message


def _still_unplaced(message: ParsedMessage) -> Iterator[str]:
    """Numbers and people of a message that are not in the dates it was completed to."""
    used, child = " ".join(phrase.text for phrase in message.dates), child_spoken_of(message.text)
    days = {*re.findall(r"\d+", used)}
    for words in message.unplaced:
        if days.issuperset(numbers := re.findall(r"\d+", words)) and numbers and not names_adults(words):
            continue  # `23 looks good`
        if words not in used and (re.search(r"\d", words) or names_adults(words) or words == child):
            yield words


# --- searches ----------------------------------------------------------------------------------------------------


def _searches_placed(message: ParsedMessage, before: HotelSlots, today: date) -> ParsedMessage:
    """Searches with the period, the length and the weekdays of the earlier ones where they name none."""
    of_those = "cheapest" in message.intents and before.searches and not before.searches[0].cheapest
    told = message.searches or message.dates or message.budget or (before.stays and message.changes_stay)
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


# --- dates -------------------------------------------------------------------------------------------------------


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
    if with_month or wide or not by_form or tells_of_someone(message.text):
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


def _night_of_month(message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile) -> ParsedMessage:
    """`only on the 29th, for one night`: an arrival and a length, in the month that was spoken of."""
    known, change = _known_day(before), message.change
    if message.dates or not (known and change and change.nights) or change.moves or change.nights_more:
        return message
    found = find_dates(days_in_month(message.text, _month_of(known)), today=today, **profile.customs)
    fits = len(found) == 1 and any(stay.nights == change.nights for stay in found[0].resolution.stays)
    return replace(message, dates=(found[0],), change=None, unplaced=()) if fits else message


def _with_its_weekday(
    message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile
) -> ParsedMessage:
    """`Arriving on Monday then, the 18th`: the day alone, if it falls on that weekday in the month that was spoken of."""
    known, days = _known_day(before), [phrase for phrase in message.dates if phrase.resolution.stays]
    if known is None or len(days) != 2 or len(message.dates) != 2 or not is_weekdays(days[0]) or is_weekdays(days[1]):
        return message
    weekday, day = (phrase.resolution.stays[0].check_in for phrase in days)
    monthless = not any(lex.month or lex.written or lex.holiday for lex in lexemes(days[1].text))
    agree = (known.replace(day=1) + timedelta(days=day.day - 1)).weekday() == weekday.weekday()
    found = find_dates(f"{days[1].text} {_month_of(known)}", today=today, **profile.customs)
    if not (monthless and agree and len(found) == 1 and found[0].resolution.stays):
        return message
    dated = replace(message, dates=(found[0],))
    return _as_long(dated, before, always=True) or dated


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


def _week_spoken_of(
    message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile
) -> ParsedMessage | None:
    """`and the accessible room for this week?`, `לשבוע הזה`, after a stay of about a week: that one."""
    row = lexemes(message.dates[0].text) if len(message.dates) == 1 else ()
    points = any(lex.unit == "week" for lex in row) and any(lex.word in ("this", "זה") for lex in row)
    stay = before.stays[-1] if len(before.stays) == 1 else None
    if not (points and stay) or stay.nights < A_WEEK or stay.check_in - today < AROUND or message.dates[0].nights:
        return None
    return replace(message, dates=(), follow_up=True)


_RULES: tuple[Completed, ...] = (_departure, _other_month, _week_spoken_of, _of_the_month, _that_week)


def _later_start(message: ParsedMessage, before: HotelSlots) -> ParsedMessage | None:
    """`just the second half, from the 25th`: another arrival, up to the same departure."""
    stays = message.dates[0].resolution.stays if message.dates else []
    named = len(stays) == 1 == len(before.stays) and not stays[0].nights_explicit
    if not named or message.corrects or not arrives_from(message.text):
        return None
    known, first = before.stays[0], stays[0].check_in
    return _with_ends(message, first, known.check_out) if known.check_in < first < known.check_out else None


def _longer(message: ParsedMessage, before: HotelSlots) -> ParsedMessage | None:
    """`plus the 20th`, `וגם ה-16`: a night right before or behind the stay makes it longer."""
    stays = message.dates[0].resolution.stays if message.dates else []
    if len(stays) != 1 or len(before.stays) != 1 or not extends(message.text):
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


# --- guests ------------------------------------------------------------------------------------------------------


def _guests(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """The guests as they change those known: ages that were asked for, and people who come on top of them."""
    message = _ages_given(message, before)
    minors = (message.party.children or 0) + (message.party.babies or 0)
    again = minors == len(before.children_ages) > len(message.party.ages) and not message.adds_guests
    if again and not Counter(message.party.ages) - Counter(before.children_ages):  # `2 adults and the 2 children`
        message = replace(message, party=replace(message.party, ages=tuple(before.children_ages)))
    party = message.party
    alone = party.adults and not (minors or party.ages) and before.children_ages and only_those(message.text)
    if alone and (before.stays or before.searches) and not message.dates:  # `only my wife and me`
        return replace(message, left_out=message.left_out | {"children", "babies"})
    if message.left_out and (before.stays or before.searches) and len(message.text.split()) <= MOST_WORDS:
        return replace(message, party=Party(), unplaced=())
    if (
        before.adults is not None
        and not message.dates
        and party.adults == 1
        and not party.others
        and not names_adults(message.text)
    ):
        return replace(message, party=replace(party, adults=None))  # `and my daughter of 13`: the guest is known
    return message


def _of_known_child(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """`does the baby pay?`, `the 2-year-old is 1 when we come`: nobody more or less; a new age of one of several is asked about."""
    party, known, child = message.party, before.children_ages, child_spoken_of(message.text)
    if known and not party.given and len(message.unplaced) == 1 and (age := age_told(message.text)):
        return _with_age(message, age, before)
    alone = party.given and not party.adults and (party.children or 0) + (party.babies or 0) <= 1
    if not (alone and known and child) or message.adds_guests:
        return message
    if len(known) == 1 and len(party.ages) == 1:
        baby = party.ages[0] < 2
        left = tuple(words for words in message.unplaced if words != str(party.ages[0]))
        return replace(message, party=replace(party, children=int(not baby), babies=int(baby)), unplaced=left)
    doubtful = tells_of_someone(message.text) or not set(party.ages) <= set(known)
    return replace(message, party=Party(), unplaced=(*message.unplaced, child) if doubtful else message.unplaced)


def _with_age(message: ParsedMessage, age: int, before: HotelSlots) -> ParsedMessage:
    """`and if he was 13?`: another age of the one child who is known; of several it is asked whose."""
    if len(before.children_ages) > 1 or message.unplaced != (str(age),):
        return message
    grown, baby = age >= GROWN, age < 2
    young = Party(children=int(not baby), babies=int(baby), ages=(age,))
    party = Party(adults=before.party_adults + 1, children=0, babies=0) if grown else young
    return replace(message, party=party, unplaced=(), strangers=(), follow_up=True)


def _ages_given(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """`5 and 8`, as an answer to how old the children are; who is grown up is one adult more."""
    known = len(before.children_ages)
    asked = {"child_ages", "baby_ages", "uncounted"} & {*before.assumed}
    words = re.sub(r"\b1(?= (?:is|of)\b)", "", prepared(fold(message.text))[0])
    ages = [int(number) for number in re.findall(r"(?<![\d./:])(?<!\d-)\d{1,2}(?![\d./:-])", words)]
    grown = sum(age >= GROWN for age in ages)
    counted = message.party.given and (message.party.ages or (message.party.adults or 0) > grown)
    says_more = message.dates or message.change or counted or message.reference or "?" in message.text
    if not asked or says_more or not ages or len(words.split()) - len(ages) > MOST_WORDS:
        return message
    if ("uncounted" not in asked and len(ages) > known) or (grown and len(ages) != known):
        return message
    babies = sum(age < 2 for age in ages)
    party = replace(
        message.party,
        adults=before.party_adults + grown if grown else None,
        children=max(known, len(ages)) - babies - grown,
        babies=babies,
        ages=tuple(age for age in ages if age < GROWN),
        others=0,
    )
    return replace(message, party=party, adds_guests=False, unplaced=(), pick=None)
