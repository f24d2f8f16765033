"""Answers without a look-up: questions, refusals, small talk."""

from collections.abc import Iterator, Sequence

from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.amounts import amount, foreign
from wavegraph.tools.hotel.answers.offers import room_name
from wavegraph.tools.hotel.answers.phrases import guest_language, joined, party, say
from wavegraph.tools.hotel.currency import label, spoken
from wavegraph.tools.hotel.dialogue.planning import MAX_ADULTS, MAX_ROOMS, MAX_TOPIC, Context, NextStep, missing_to_book
from wavegraph.tools.hotel.dialogue.slots import HotelSlots
from wavegraph.tools.hotel.records import by_room


def reply(step: NextStep, context: Context, language: str) -> str:
    """The reply for a step without calls."""
    language, slots = guest_language(language), context.slots
    if step.action == "clarify" and step.intent == "book":
        return " ".join(_for_booking(context, language))
    if step.action == "clarify" and step.intent in ("cancel", "find"):
        return say("ask_holder", language, reference=slots.booking.reference)
    if step.intent in ("other_language", "pick"):
        return say(step.intent, language)
    if step.action == "clarify":
        unread = context.message.unplaced if step.intent != "which_dates" else ()
        question = _which_dates(slots, language) if step.intent == "which_dates" else ""
        return _question(slots, language, context.currency, unread, question)
    if step.intent == "kept" and slots.booking.reference:
        return say("kept_number", language, reference=slots.booking.reference)
    if step.intent == "bad_dates":
        problem = next(p for p in slots.problems if p.error != "unclear")
        return say(f"bad_date_{problem.error}", language, words=problem.words)
    if step.intent in ("past_price", "some_nights", "complaint"):
        return say(step.intent, language, contact=context.contact)
    if step.intent == "summary":
        return _summary(slots, language)
    if step.intent == "unread" and context.known_stays and slots.stays:
        return say("unread_beside", language, noted=_noted(slots, language), words=context.message.text[:MAX_TOPIC])
    if step.intent == "bad_count":
        return say("bad_count", language, words=context.message.impossible)
    if step.intent == "group":
        return say("group", language, contact=context.contact, max_adults=MAX_ADULTS, max_rooms=MAX_ROOMS)
    return say(step.intent, language)


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


def _summary(slots: HotelSlots, language: str) -> str:
    """What is understood, and that nothing is booked."""
    return " ".join([_noted(slots, language), say("not_yet", language)])


def _noted(slots: HotelSlots, language: str) -> str:
    """The stays and the guests."""
    stays = "; ".join(date_text.stay(stay.check_in, stay.check_out, language) for stay in slots.stays)
    guests = party(slots.party_adults, slots.children_ages, language)
    return say("noted_stay", language, stays=stays, guests=guests)


def _which_dates(slots: HotelSlots, language: str) -> str:
    """The dates read, each with the guest's words where those are vague."""
    stays = [(stay.hint, date_text.stay(stay.check_in, stay.check_out, language)) for stay in slots.stays]
    named = dict.fromkeys(
        dates if stay.kind == "explicit" else f"{words} ({dates})"
        for stay, (words, dates) in zip(slots.stays, stays, strict=True)
    )
    return say("ask_which_dates", language, stays="; ".join(named))


def _question(slots: HotelSlots, language: str, currency: str, unread: Sequence[str] = (), question: str = "") -> str:
    """What was noted, then the question, or one for what is missing."""
    noted = []
    if slots.rooms and slots.rooms > 1:
        noted.append(say("noted_rooms", language, rooms=slots.rooms))
    if slots.adults is not None:
        noted.append(say("noted_guests", language, guests=party(slots.adults, slots.children_ages, language)))
    if slots.budget and slots.budget.is_foreign(currency):
        values = {"currency": spoken(currency, language), "label": label(currency, language)}
        noted.append(say("budget_needs_own", language, **values, said=foreign(slots.budget, language)))
    if unread:
        return " ".join([*noted, say("ask_unread", language, words=joined(unread, language))])
    return " ".join([*noted, question or _missing(slots, language)])


def _missing(slots: HotelSlots, language: str) -> str:
    if slots.problems:
        return say("ask_unclear_dates", language, words=slots.problems[0].words)
    return say("ask_dates" if slots.adults is not None else "ask_dates_and_guests", language)
