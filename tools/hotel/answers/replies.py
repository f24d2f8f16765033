"""Answers without a look-up: questions, refusals, small talk."""

from collections.abc import Iterator, Sequence

from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.amounts import amount, foreign
from wavegraph.tools.hotel.answers.booking import fee_of_cancellation, price_of_booking
from wavegraph.tools.hotel.answers.courtesy import COURTESIES
from wavegraph.tools.hotel.answers.offers import room_name
from wavegraph.tools.hotel.answers.phrases import (
    TABLES,
    ages_told,
    counted,
    guest_language,
    joined,
    party,
    reception,
    say,
)
from wavegraph.tools.hotel.currency import label, spoken
from wavegraph.tools.hotel.dialogue.cannot import BY_INTENT, CANNOT, Thing
from wavegraph.tools.hotel.dialogue.next_step import (
    MAX_ADULTS,
    MAX_ROOMS,
    MAX_TOPIC,
    Context,
    NextStep,
    missing_to_book,
)
from wavegraph.tools.hotel.dialogue.slots import HotelSlots
from wavegraph.tools.hotel.dialogue.understanding import answers_read_back
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.party_items import BABY_BELOW
from wavegraph.tools.hotel.records import by_room
from wavegraph.tools.hotel.stay_arguments import AGE_TAKEN

_OF_THE_TERMS = {"fee": fee_of_cancellation, "price": price_of_booking}
"""What is told of the write that waits, by intent."""


def reply(step: NextStep, context: Context, profile: PropertyProfile, language: str) -> str:
    """The reply for a step without calls."""
    language, slots = guest_language(language), context.slots
    if step.intent == "read_back":
        return _read_back(context, profile, language)
    if step.action == "clarify" and step.intent == "book":
        return " ".join(_for_booking(context, language))
    if step.action == "clarify" and step.intent in ("cancel", "find"):
        return say("ask_holder", language, reference=slots.booking.reference)
    if step.intent in ("other_language", "pick", "change_guest", "what_to_change"):
        return say(step.intent, language)
    if step.intent == "rooms_apart":
        return f"{_noted(slots, profile, language)} {say(step.intent, language)}".strip()
    if step.action == "clarify":
        return _question(slots, profile, language)
    if step.intent in ("kept", "stands") and slots.booking.reference:
        key = "kept_number" if step.intent == "kept" else step.intent
        return say(key, language, reference=slots.booking.reference)
    if step.intent == "bad_dates":
        problem = next(p for p in slots.problems if p.error != "unclear")
        return say(f"bad_date_{problem.error}", language, words=problem.words)
    if step.intent in _OF_THE_TERMS and context.pending and context.pending.terms:
        return _OF_THE_TERMS[step.intent](context.pending.terms, language)
    if step.intent == "summary":
        return f"{_noted(slots, profile, language)} {say('not_yet', language)}"
    if step.intent == "unread" and context.known_stays:
        noted = _noted(slots, profile, language)
        return say("unread_beside", language, noted=noted, words=context.message.text[:MAX_TOPIC])
    if (thing := BY_INTENT.get(step.intent)) is not None:
        goes_on = f"goes_on_{thing}"
        told = cannot(thing, profile, language)
        return f"{told} {say(goes_on, language)}" if goes_on in TABLES[language] else told
    return say(step.intent, language, contact=reception(profile), words=context.message.impossible)


def cannot(thing: Thing, profile: PropertyProfile, language: str) -> str:
    """That the desk cannot do a thing, and who can."""
    own = profile.currency
    values = {"currency": spoken(own, language), "label": label(own, language)}
    told = say(thing, language, **values, max_adults=MAX_ADULTS, max_rooms=MAX_ROOMS)
    contact = reception(profile) if CANNOT[thing].reception else ""
    return f"{told} {say('contact', language, contact=contact)}." if contact else told


def _for_booking(context: Context, language: str) -> Iterator[str]:
    """Questions for what a booking still needs, in order."""
    missing = missing_to_book(context)
    if "stay" in missing and not context.slots.stays:
        yield say("pick", language)
    elif "stay" in missing:
        stays = [date_text.stay(stay.check_in, stay.check_out, language) for stay in context.slots.stays]
        yield say("ask_stay", language, stays="; ".join(stays))
    elif "room" in missing:
        rooms = _rooms_shown(context, language)
        yield say("ask_room_of", language, rooms="; ".join(rooms)) if rooms else say("ask_room", language)
    wanted = [name for name in ("name", "contact") if name in missing]
    if wanted:
        also = "_too" if len(missing) > len(wanted) else ""
        yield say(f"ask_{'_and_'.join(wanted)}{also}", language)


def _rooms_shown(context: Context, language: str) -> list[str]:
    """The room types to choose from, each with its lowest price."""
    types = context.slots.room_types
    offers = [each for each in context.offers or () if not types or each.room_type in types]
    heads = [room[0] for room in by_room(offers)]
    totals = [amount(head.total_agorot, head.currency, language) for head in heads]
    return [say("room_for", language, room=room_name(head, language), total=total) for head, total in zip(heads, totals, strict=True)]  # fmt: skip


def _read_back(context: Context, profile: PropertyProfile, language: str) -> str:
    """What was read, in one line, what was not placed, and one question."""
    message, slots = context.message, context.slots
    said = [_noted(slots, profile, language, "read")]
    if message.unplaced:
        quoted = [say("quoted", language, words=words) for words in message.unplaced]
        said.append(say("not_placed", language, words=joined(quoted, language)))
    if answers_read_back(message, context.before) == "no":
        question = "what_to_change"
    elif not said[0]:
        question = "ask_dates_and_guests"
    else:
        question = "which_are_the_dates" if message.scattered and len(slots.stays) > 1 else "is_it_right"
    return " ".join(filter(None, [*said, say(question, language)]))


def _noted(slots: HotelSlots, profile: PropertyProfile, language: str, key: str = "noted") -> str:
    """Everything understood in one line; empty if nothing is."""
    parts = [*_stays_noted(slots, language), *_guests_noted(slots, language), *_wishes_noted(slots, profile, language)]
    return say(key, language, what="; ".join(parts)) if parts else ""


def _stays_noted(slots: HotelSlots, language: str) -> Iterator[str]:
    for stay in slots.stays:
        dates = date_text.stay(stay.check_in, stay.check_out, language)
        yield dates if stay.adults is None else f"{dates}, {party(stay.adults, stay.children_ages, language)}"
    for search in slots.searches:
        days = [date_text.full_day(day, language) for day in (search.from_date, search.to_date)]
        length = date_text.nights(search.nights, language)
        yield say("tried_search", language, nights=length, first=days[0], last=days[1])


def _guests_noted(slots: HotelSlots, language: str) -> Iterator[str]:
    if any(stay.adults is not None for stay in slots.stays):
        return
    rooms = slots.rooms if slots.rooms and slots.rooms > 1 else None
    adults = slots.party_adults if slots.adults is not None or slots.children_ages else None
    ages_open = "child_ages" in slots.assumed
    ages = [None if ages_open and age >= BABY_BELOW else age for age in slots.children_ages]
    yield from filter(None, [guests_read(adults, ages, rooms, language)])


def guests_read(adults: int | None, children_ages: Sequence[int | None], rooms: int | None, language: str) -> str:
    """The guests as they were read; None = not said. Empty if nothing is known of them."""
    if adults is None and not children_ages:
        return counted(rooms, "one_room", "so_many_rooms", language) if rooms else ""
    guests = party(adults, [AGE_TAKEN if age is None else age for age in children_ages], language)
    guests += say("ages_open", language) if None in children_ages else ages_told(children_ages, language)
    return guests + (counted(rooms, "in_room", "in_rooms", language) if rooms else "")


def _wishes_noted(slots: HotelSlots, profile: PropertyProfile, language: str) -> Iterator[str]:
    for room in filter(None, map(profile.room, slots.room_types)):
        yield room.name_he or room.name if language == "he" else room.name
    if slots.board:
        yield say(f"board_{slots.board}", language)
    if slots.refundable is not None:
        yield say("refundable_open" if slots.refundable else "non_refundable", language)
    budget = slots.budget
    if budget and not budget.is_foreign(profile.currency):
        limit = amount(budget.amount_agorot, profile.currency, language)
        yield say("up_to", language, limit=limit, per=say(f"per_{budget.per}", language))
    if slots.guest.name and slots.want == "book":
        yield say("under", language, name=slots.guest.name)


def _question(slots: HotelSlots, profile: PropertyProfile, language: str) -> str:
    """What was noted, then a question for what is missing."""
    noted = [_noted(slots.model_copy(update={"stays": []}), profile, language)]
    if slots.budget and slots.budget.is_foreign(profile.currency):
        own = profile.currency
        values = {"currency": spoken(own, language), "label": label(own, language)}
        noted.append(say("budget_needs_own", language, **values, said=foreign(slots.budget, language)))
    said = [*filter(None, noted)] or ([] if slots.problems else [COURTESIES[language]["gladly"]])
    return " ".join([*said, _missing(slots, language)])


def _missing(slots: HotelSlots, language: str) -> str:
    if slots.problems:
        return say("ask_unclear_dates", language, words=slots.problems[0].words)
    return say("ask_dates" if slots.adults is not None else "ask_dates_and_guests", language)
