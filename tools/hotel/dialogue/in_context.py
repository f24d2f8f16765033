"""Reads a message in the light of what was understood before: `no, I meant February`, `the 20th to the 22nd`, `5 and 8`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from wavegraph.tools.hotel.dialogue.dates_in_context import (
    completed,
    searches_placed,
    with_refused,
)
from wavegraph.tools.hotel.dialogue.guests_in_context import (
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
    DESCRIBED,
    child_spoken_of,
    names_adults,
    says,
)
from wavegraph.tools.hotel.reading.guest import read_bare_reference
from wavegraph.tools.hotel.reading.hours import hour_topics
from wavegraph.tools.hotel.reading.message import ParsedMessage
from wavegraph.tools.hotel.reading.party import Party


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
    message = _at_an_hour(_as_an_answer(message, before))
    message = of_known_child(message, before)
    message = rooms_told_apart(child_left_out(message, before), before)
    message = searches_placed(guests(_short(message, before), before), before, today)
    return _dated(message, before, today, profile)


def _as_an_answer(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """What the message means to a list that was shown, to what was read back, to who was asked about."""
    known = before.stays or before.searches
    if isinstance(message.pick, int) and known and says(DESCRIBED, message.text):
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
    if message.change or len(message.dates) > 1:
        return message
    found = completed(message, before, today, profile)
    return message if found is message else replace(found, unplaced=tuple(_still_unplaced(found)))


def _at_an_hour(message: ParsedMessage) -> ParsedMessage:
    """`can we come at 13:00?`: asked of check-in or check-out; no day and no number of guests."""
    asks = (
        message.party.given or message.guest.given or message.reference or message.searches or "book" in message.intents
    )
    dated = any(each.resolution.stays for each in message.dates)
    topics = () if asks or dated or message.topics else hour_topics(message.text)
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


_MEALS = {"BB": "breakfast", "HB": "restaurant"}
"""What tells of the meal that a board ends with."""


def _short(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """What a few words mean beside what was asked or offered just before."""
    known, wish = bool(before.stays or before.searches), message.wish
    own = before.want in ("cancel", "find") or message.intents & {"cancel", "modify", "find"}
    pieces = re.split(r"[.?!;:\n]", message.text) if own and not message.reference else []
    if number := next(filter(None, map(read_bare_reference, pieces)), None):
        return replace(message, reference=number, dates=(), searches=(), party=Party(), unplaced=(), change=None)
    topic = _MEALS.get(wish.board or "") if len(message.text.split()) <= 2 and not message.dates else None
    if not known and topic:
        return replace(message, wish=wish._replace(board=None), topics=(topic,))  # `breakfast`
    return message


def _still_unplaced(message: ParsedMessage) -> Iterator[str]:
    """Numbers and people of a message that are not in the dates it was completed to."""
    used, child = " ".join(phrase.text for phrase in message.dates), child_spoken_of(message.text)
    days = {*re.findall(r"\d+", used)}
    for words in message.unplaced:
        if days.issuperset(numbers := re.findall(r"\d+", words)) and numbers and not names_adults(words):
            continue  # `23 looks good`
        if words not in used and (re.search(r"\d", words) or names_adults(words) or words == child):
            yield words
