"""Rules for stays: dates and guests that are searched for, changed, chosen from or asked about."""

import re

from wavegraph.tools.hotel.dialogue.house_rules import is_of_sabbath, of_service
from wavegraph.tools.hotel.dialogue.next_step import (
    MAX_ADULTS,
    MAX_ROOMS,
    MAX_TOPIC,
    QUESTION,
    SENTENCES,
    Context,
    NextStep,
    is_question,
    missing_to_book,
)
from wavegraph.tools.hotel.dialogue.understanding import answers_read_back, answers_who
from wavegraph.tools.hotel.inventory.topics import content_words, normalise
from wavegraph.tools.hotel.reading.intent import read_intents
from wavegraph.tools.hotel.reading.message import OF_STAYS, ParsedMessage


def answered(context: Context) -> NextStep | None:
    """A yes to what was read back goes on with that, and is never one to a booking; a no is asked what to change."""
    message, before = context.message, context.before
    if answer := answers_who(message, before):
        if answer == "no" or message.party.given:
            return NextStep("availability", "availability", "who was asked about comes, or does not")
        return NextStep("read_back", "clarify", "how many more come is not said")
    answer = answers_read_back(message, before)
    if answer == "no":
        return NextStep("read_back", "clarify", "what was read back is not right")
    if answer is None:
        return None
    if not (context.slots.stays or context.slots.searches):
        return NextStep("availability", "clarify", "what was read back is right, and has no dates")
    if before and before.amends and not missing_to_book(context):
        return NextStep("book", "book", "what was read back of the booking asked about is right")
    return NextStep("availability", "availability", "what was read back is right")


def broken_dates(context: Context) -> NextStep | None:
    problems = context.slots.problems
    if not problems or context.message.stays or context.message.topics:
        return None
    hard = next((p for p in problems if p.error != "unclear"), None)
    if hard:
        return NextStep("bad_dates", "refuse", f"dates {hard.words!r}: {hard.error}")
    return NextStep("availability", "clarify", f"dates {problems[0].words!r} are unclear")


def party_limits(context: Context) -> NextStep | None:
    party, slots = context.message.party, context.slots
    if context.message.impossible:
        return NextStep("bad_count", "refuse", f"{context.message.impossible!r} is not a possible number")
    if party.no_adults or party.adults == 0:
        return NextStep("no_adults", "refuse", "children cannot stay without an adult")
    guests = max(len(slots.children_ages), slots.party_adults, *(stay.adults or 0 for stay in slots.stays), 0)
    if guests > MAX_ADULTS or (slots.rooms or 1) > MAX_ROOMS:
        return NextStep("group", "refuse", "a group this large is handled by reception")
    return None


def rooms_apart(context: Context) -> NextStep | None:
    """Rooms that differ, or two ways of sharing them, are not looked for at once."""
    if "rooms_apart" not in context.intents:
        return None
    return NextStep("rooms_apart", "clarify", "rooms of several kinds or with guests of their own")


def dated(context: Context) -> NextStep | None:
    message = context.message
    if message.stays and not is_of_sabbath(context) and (not message.topics or _wants_room(context)):
        context.slots.topics += _strange_questions(message)
        return NextStep("availability", "availability", "a stay with dates")
    return None


def _strange_questions(message: ParsedMessage) -> list[str]:
    """Questions beside a stay that name neither it nor anything known: `may I practise the violin?`"""
    parts = SENTENCES.split(message.text)
    if message.topics or message.rooms_too or message.wish.wishes or len(parts) < 2:
        return []
    asked = (part for part in parts if part.endswith("?") and re.match(QUESTION, part.lower()))
    named = [*(phrase.text for phrase in message.dates), *(search.words for search in message.searches)]
    dated = {word for words in named for word in normalise(words).split()}
    return [
        part.rstrip("?!. ")
        for part in asked
        if len(part) <= MAX_TOPIC
        and any(dated.isdisjoint((word, word[1:])) for word in content_words(part))
        and not any(words in part or part.rstrip("?!. ").lower() in words for words in named)
        and not read_intents(part.lower()) & _ABOUT_STAY
    ][:1]


def _wants_room(context: Context) -> bool:
    """Whether dates next to a question about the property are a stay, not the day it is about."""
    message = context.message
    if message.asks_the_hour:
        return False
    if not context.slots.topics and not is_question(message):
        return True  # `6-8 December, with a balcony`
    if message.changes_stay or context.intents & {"lodging", "price", "compare", "cheapest"}:
        return True
    return any(stay.nights_explicit and stay.nights > 1 for p in message.dates for stay in p.resolution.stays)


def moved(context: Context) -> NextStep | None:
    if "cancellation" in context.message.topics:
        return None  # `if I cancelled the day before?`
    if not context.message.changes_dates:
        return None
    if context.known_stays:
        return NextStep("availability", "availability", "the earlier stay, changed")
    return NextStep("availability", "clarify", "no earlier stay to change")


def one_of_the_offers(context: Context) -> NextStep | None:
    message = context.message
    if not context.known_stays or message.topics:
        return None
    if context.lost:
        return NextStep("pick", "clarify", "the last answer lists no such number")
    if context.slots.rest:
        return NextStep("availability", "availability", "what the last answer left out")
    if "rooms_info" not in context.intents and (message.pick or "cheapest" in context.intents):
        return NextStep("availability", "availability", "one of the stays offered")
    return None


def same_stay(context: Context) -> NextStep | None:
    message = context.message
    wishes = message.changes_stay or message.wish.wishes or message.wish.several_boards or message.or_rooms
    speaks_of_it = {"price", "compare"} if of_service(message) else {"price", "compare", "lodging"}
    asks_again = wishes or (context.intents & speaks_of_it and not message.topics)
    pointed = context.before is not None and context.slots.room_types != context.before.room_types
    if context.known_stays and (asks_again or (pointed and not message.topics)):
        return NextStep("availability", "availability", "the earlier stay, for other guests or rooms")
    return None


_ABOUT_STAY = (OF_STAYS - {"lodging", "wish"}) | {"rooms_info", "cancel", "modify", "find", "another", "greeting"}


def undated(context: Context) -> NextStep | None:
    asks = context.intents & {"wish", "lodging", "price", "cheapest", "compare", "book"}
    if not context.known_stays and (asks or context.message.changes_stay or context.message.pick):
        return NextStep("availability", "clarify", "a stay without dates")
    return None
