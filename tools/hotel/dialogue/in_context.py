"""Reads a message in the light of what was understood before: `no, I meant February`, `the 20th to the 22nd`, `5 and 8`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from wavegraph.tools.hotel.dates import find_dates
from wavegraph.tools.hotel.dialogue.dates_in_context import (
    completed,
    night_of_month,
    searches_placed,
    with_its_weekday,
    with_refused,
)
from wavegraph.tools.hotel.dialogue.guests_in_context import (
    asks_price_of_child,
    child_left_out,
    guests,
    of_known_child,
    rooms_told_apart,
    who_was_asked_about,
)
from wavegraph.tools.hotel.dialogue.slots import HotelSlots
from wavegraph.tools.hotel.dialogue.understanding import answers_who
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.followup import (
    child_spoken_of,
    is_room_described,
    names_adults,
)
from wavegraph.tools.hotel.reading.guest import read_bare_reference
from wavegraph.tools.hotel.reading.hours import hours_asked
from wavegraph.tools.hotel.reading.message import ParsedMessage
from wavegraph.tools.hotel.reading.money import Budget
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.party import Party
from wavegraph.tools.hotel.records import Board


def in_context(
    message: ParsedMessage,
    before: HotelSlots | None,
    *,
    today: date,
    profile: PropertyProfile,
    write_asked: bool = False,
) -> ParsedMessage:
    """The message with what it leaves to the earlier ones filled in; it changes what it names, and only that. A yes where
    nothing was asked agrees to nothing. `write_asked`: a yes may be to a booking or a cancellation."""
    if "accept" in message.intents and not (write_asked or (before and before.asks)):
        message = replace(message, intents=message.intents - {"accept"} | {"agrees"})
    before = with_refused(before or HotelSlots(), today, profile)
    if _leaves(message):
        message = replace(message, dates=(), searches=(), party=Party(), topics=(), change=None, unplaced=(), pick=None)
        return replace(message, intents=message.intents & {"later", "thanks", "hesitates"})
    message = _at_an_hour(_as_an_answer(message, before), before)
    message = of_known_child(_with_limit(message, before), before)
    message = rooms_told_apart(child_left_out(message, before), before)
    message = searches_placed(guests(_short(message, before), before), before, today)
    return _dated(message, before, today, profile)


def _as_an_answer(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """What the message means to a list that was shown, to what was read back, to who was asked about."""
    known = before.stays or before.searches
    if isinstance(message.pick, int) and known and is_room_described(message.text):
        message = replace(message, topics=(), intents=message.intents | {"rooms_info"})
    if before.read_back:  # a yes or a no is to what was read back, and anything else corrects that
        intents = message.intents - {"accept", "decline", "thanks"}
        message = replace(message, intents=intents, corrects=True, follow_up=True)
    if answer := answers_who(message, before):
        message = who_was_asked_about(message, before.unplaced if answer == "yes" else [])
    if (message.pick or message.change) and not (message.dates or message.party.given):
        message = replace(message, unplaced=())  # `three nights instead of two`, `option 2`
    if message.asks_day and known and message.changes_stay:
        message = replace(message, dates=())  # `with sea view. Is Purim in those dates?`
    return message


def _dated(message: ParsedMessage, before: HotelSlots, today: date, profile: PropertyProfile) -> ParsedMessage:
    """With the days that it leaves to those before."""
    message = with_its_weekday(night_of_month(message, before, today, profile), before, today, profile)
    if before.problems and message.change and message.change.nights and before.stays and not message.dates:
        words = f"{before.stays[0].check_in:%d.%m.%Y}, {message.change.nights} nights"  # `two nights`, of dates refused
        dates = tuple(find_dates(words, today=today, **profile.customs))
        return replace(message, dates=dates, change=None, unplaced=())
    if message.change or len(message.dates) > 1:
        return message
    found = completed(message, before, today, profile)
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


_BARE_DAYS = frozenset({"today", "tonight", "tomorrow", "מחר", "היום", "הערב"})
"""On which somebody decides, beside words that say so: `I will tell you tomorrow`."""


def _leaves(message: ParsedMessage) -> bool:
    """`I'll talk to my wife and come back to you`, `not today`: nobody and nothing that it names is for a stay."""
    if "hesitates" in message.intents:
        return True
    of_a_stay = message.searches or any(each.text.strip().lower() not in _BARE_DAYS for each in message.dates)
    says_more = (
        (message.stays and of_a_stay)
        or message.guest.given
        or message.reference
        or message.wish.room_types
        or message.budget
    )
    goes_on = message.intents & {"book", "price", "cancel", "modify", "find", "complaint"}
    return "later" in message.intents and not (
        says_more or goes_on or "?" in message.text or re.search(r"\d", message.text)
    )


def _with_limit(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """`and if I go up to 1100?`: the one number left, too high for a guest or a day and no year, is the new limit."""
    numbers = [words for words in message.unplaced if re.fullmatch(r"(?!20[2-4]\d$)\d{3,5}", words)]
    if not before.budget or before.budget.said or message.budget or len(numbers) != 1:
        return message
    budget = Budget(int(numbers[0]) * 100, before.budget.per, before.budget.currency or "XXX")
    left = tuple(words for words in message.unplaced if words != numbers[0])
    return replace(message, budget=budget, unplaced=left, follow_up=True)


_WITH = re.compile(
    r"(?:(?:and|what about|how about|what if|how much|but|ok(?:ay)?|it'?s) ){0,3}(?:with(?P<out>out)?(?: it)?|ו?(?:כמה )?(?:עם|(?P<no>בלי))(?: זה)?)"
)
"""`and with?`: the board that was not asked for, in words with a space between."""
_WORD = re.compile(r"[\w']+")
_MEALS = {"BB": "breakfast", "HB": "restaurant"}
"""What tells of the meal that a board ends with."""


def _short(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """What a few words mean beside what was asked or offered just before."""
    known, wish = bool(before.stays or before.searches), message.wish
    own = before.want in ("cancel", "find") or message.intents & {"cancel", "modify", "find"}
    pieces = re.split(r"[.?!;:\n]", message.text) if own and not message.reference else []
    if number := next(filter(None, map(read_bare_reference, pieces)), None):
        return replace(message, reference=number, dates=(), searches=(), party=Party(), unplaced=(), change=None)
    if not known and asks_price_of_child(message):
        return replace(message, topics=("kids",))
    topic = _MEALS.get(wish.board or "") if len(message.text.split()) <= 2 and not message.dates else None
    if not known and topic:
        return replace(message, wish=wish._replace(board=None), topics=(topic,))  # `breakfast`
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
