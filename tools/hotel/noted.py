"""What stands below a booking's terms, for who agrees to them: how the request was read."""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from wavegraph.graph.request.serving import referred
from wavegraph.graph.state import Ledger, PlannedCall, PlanningResult
from wavegraph.graph.views import PlanningView, ResolvedCall
from wavegraph.tools.hotel.answers.contradicted import contradictions_told
from wavegraph.tools.hotel.answers.phrases import guest_language, joined, say
from wavegraph.tools.hotel.answers.taken import cheapest_taken, promises_no_room, taken
from wavegraph.tools.hotel.dialogue.derived import planned_calls
from wavegraph.tools.hotel.dialogue.pending import BOOK
from wavegraph.tools.hotel.dialogue.slots import HotelSlots
from wavegraph.tools.hotel.held_booking import other_guest
from wavegraph.tools.hotel.profile import PropertyProfile


def with_notes(made: PlanningResult, slots: HotelSlots, view: PlanningView, profile: PropertyProfile) -> PlanningResult:
    """The plan; where it books, with what was taken for granted, and what was looked at that the guest did not write."""
    books = any(call["tool"] == BOOK for call in made["tools"])
    lines = list(dict.fromkeys(_notes(made, slots, view, profile))) if books else []
    return {**made, "noted": {BOOK: lines}} if lines else made


def _notes(made: PlanningResult, slots: HotelSlots, view: PlanningView, profile: PropertyProfile) -> Iterator[str]:
    language = guest_language(view.request["language"])
    quotes = list(planned_calls(made, view, profile, "quote_stay"))
    booked = [*quotes, *_in_place_of_others(made, view)]
    planned = {call["id"]: cast(PlannedCall, {"effect": "read", **call}) for call in made["tools"]}  # none has run
    known: Ledger = {**view.ledger, "calls": {**view.ledger["calls"], **planned}}
    yield from contradictions_told(booked, replace(view, ledger=known), profile, language, alone=True)
    for each in other_guest([*planned_calls(made, view, profile, BOOK)], view, profile):
        if each.said:
            said = joined([say("quoted", language, words=words) for words in each.said.values()], language)
            yield say("wrote_guest", language, said=said)
    yield from taken(slots, view, language)
    yield from cheapest_taken([call.args for call in quotes], view, language)
    has_notes = any(call["args"].get("notes") for call in made["tools"] if call["tool"] == BOOK)
    if slots.wishes and not has_notes and not promises_no_room(made):
        yield say("wishes", language)


def _in_place_of_others(made: PlanningResult, view: PlanningView) -> Iterator[ResolvedCall]:
    """The quotes that a plan puts in place of other calls: what is booked so is held against all that is asked for."""
    for call in made["tools"]:
        if call["tool"] == "quote_stay" and call.get("instead_of"):
            yield ResolvedCall(call["id"], call["tool"], call["args"], view.request["text"], referred(call))
