"""Answers that need no look-up: questions back, refusals, small talk."""

from wavegraph.tools.hotel.answers.words import guest_language, party, say
from wavegraph.tools.hotel.planning import MAX_ADULTS, MAX_ROOMS, Decision
from wavegraph.tools.hotel.slots import HotelSlots


def reply(decision: Decision, slots: HotelSlots, language: str) -> str:
    """The words for a decision that makes no calls."""
    language = guest_language(language)
    if decision.action == "clarify":
        return _question(slots, language)
    if decision.intent == "bad_dates":
        problem = next(p for p in slots.problems if p.error != "unclear")
        return say(f"bad_date_{problem.error}", language, words=problem.words)
    if decision.intent == "group":
        return say("group", language, max_adults=MAX_ADULTS, max_rooms=MAX_ROOMS)
    return say(decision.intent, language)


def _question(slots: HotelSlots, language: str) -> str:
    """What is missing, after what was heard."""
    heard = []
    if slots.rooms and slots.rooms > 1:
        heard.append(say("heard_rooms", language, rooms=slots.rooms))
    if slots.adults is not None:
        heard.append(say("heard_guests", language, guests=party(slots.adults, slots.children_ages, language)))
    if slots.budget and slots.budget.currency != "ILS":
        heard.append(say("budget_needs_shekels", language))
    return " ".join([*heard, _missing(slots, language)])


def _missing(slots: HotelSlots, language: str) -> str:
    if slots.problems:
        return say("ask_unclear_dates", language, words=slots.problems[0].words)
    return say("ask_dates" if slots.adults is not None else "ask_dates_and_guests", language)
