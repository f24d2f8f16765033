"""The hotel without a model: plans by grammar, answers by templates."""

from collections.abc import Sequence
from datetime import date

from langchain_core.messages import AnyMessage, HumanMessage

from wavegraph.graph.answer.statements import Catalogue
from wavegraph.graph.answer.words import without_questions
from wavegraph.graph.dialogue.questions import asks_back
from wavegraph.graph.state import PastRequest, PlanningResult
from wavegraph.graph.views import AnswerView, PlanningView
from wavegraph.tools.hotel.answers.amounts import cheapest
from wavegraph.tools.hotel.answers.compose import compose, found_beside
from wavegraph.tools.hotel.answers.replies import reply
from wavegraph.tools.hotel.answers.shown import by_price, picked, shown
from wavegraph.tools.hotel.answers.statements import statements
from wavegraph.tools.hotel.dialogue.calls import planned_calls, result
from wavegraph.tools.hotel.dialogue.in_context import in_context
from wavegraph.tools.hotel.dialogue.next_step import (
    Context,
    NextStep,
    changes_booking,
    inquires,
    missing_to_book,
    same_wish,
)
from wavegraph.tools.hotel.dialogue.pending import (
    BOOK,
    choosable,
    is_room_name,
    of_what_waits,
    offers_given,
    pending_write,
    room_answered,
    room_meant,
    settled,
    was_full,
)
from wavegraph.tools.hotel.dialogue.planning import decide
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, StaySlot, Want, slots_before
from wavegraph.tools.hotel.dialogue.understanding import understood
from wavegraph.tools.hotel.noted import with_notes
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property.registry import ProfileOf, profile_for
from wavegraph.tools.hotel.reading.followup import Pick
from wavegraph.tools.hotel.reading.guest import MOST_WORDS
from wavegraph.tools.hotel.reading.message import ParsedMessage, read
from wavegraph.tools.hotel.reading.normalise import latest
from wavegraph.tools.hotel.records import Availability, Quote
from wavegraph.tools.hotel.results import records_of, stay_ends

ASKS_FIRST = ("availability", "read_back", "hotel_info", "rooms")
"""Intents that a booking wanted in the same message continues after."""
EARLIER_MESSAGES = 12
"""How many earlier messages are read again if their slots are not stored."""
EARLIER_CHARS = 4000
"""And how many characters of them in all: reading takes time."""


class HotelOffline:
    """Pure: the same view and property give the same plan and answer."""

    def __init__(self, profile_of: ProfileOf | None = None) -> None:
        """`profile_of`: gives the profile of a property; None = from the user's data folder."""
        self._profile_of = profile_of

    def plan(self, view: PlanningView) -> PlanningResult:
        """A plan for the request; `clarify` with a question if it is not understood."""
        profile = profile_for(view.settings, self._profile_of)
        pending = pending_write(view.previous, view.waiting)
        before = settled(earlier_slots(view, profile), pending)
        asks_name = before is not None and before.lacks_name
        message = read(view.request["text"], today=view.today, profile=profile, asks_name=asks_name)
        asked_else = _asked_else(view, before)
        if before and pending and not asked_else and _is_to_what_waits(message, before):
            before = of_what_waits(pending, before)
        asks = pending is not None and pending.asks
        message = in_context(message, before, today=view.today, profile=profile, write_asked=asks)
        slots = understood(message, before, profile=profile)
        lost = _point(slots, message, before, view, profile)
        if before and before.want == "book":
            _answer_which_room(slots, message, before, view)
        given = offers_given(view.worked_before, slots.stays)
        offers = None if given is None else choosable(given, slots.room_types)
        context = Context(message, slots, before, pending, offers, lost, asked_else)
        step = _other_language(context) or _offers_first(decide(context), context)
        if step.intent == "other_language":
            slots = before or HotelSlots()
        _settle(slots, step, context)
        calls = planned_calls(step, slots, pending, today=view.today, profile=profile)
        words = reply(step, context, profile, view.request["language"]) if step.speaks else None
        if words and context.asked and not (step.action == "clarify" or step.intent == "unread" or slots.amends):
            words = without_questions(words)  # the question that waits follows
        made = result(step, slots, calls, words, to_book="book" in context.intents)
        if context.asked == BOOK and step.action == "book" and not step.again:
            made = _once_it_can_be(made, view)
        return with_notes(made, slots, view, profile)

    def respond(self, view: AnswerView) -> str:
        """The answer in the guest's language, every figure taken from a result, a slot or the request."""
        return compose(view, profile_for(view.settings, self._profile_of))

    def above_terms(self, view: AnswerView) -> str:
        """What was looked up beside a booking, above its terms."""
        return found_beside(view, profile_for(view.settings, self._profile_of))

    def statements(self, view: AnswerView) -> Catalogue:
        """What a written answer may say: the same words."""
        return statements(view, profile_for(view.settings, self._profile_of))


def _once_it_can_be(made: PlanningResult, view: PlanningView) -> PlanningResult:
    """The booking in place of one that waits: quoted first, and put in its place if it can be had. Else that one stays open."""
    is_first, is_quoted = view.plan is None, bool(records_of(Quote, view.ledger))
    tools = [call for call in made["tools"] if (is_first if call["tool"] != BOOK else is_quoted)]
    return {**made, "status": "continue" if is_first else "done", "tools": tools}


def _asked_else(view: PlanningView, before: HotelSlots | None) -> bool:
    """Whether the last answer asked something else than how to change the booking that waits."""
    plan = view.previous["plan"] if view.previous else None
    return bool(plan and asks_back(plan)) and not (before and before.amends)


def _is_to_what_waits(message: ParsedMessage, before: HotelSlots) -> bool:
    """Whether a message is to the question itself, not to what was asked about in between, or was not clear of a change."""
    if before.amends:
        return not (before.read_back or message.dates or message.searches or message.changes_stay or message.change)
    return not (inquires(message) or message.pick or "book" in message.intents)


def earlier_slots(view: PlanningView, profile: PropertyProfile) -> HotelSlots | None:
    """What was understood before: the previous request's slots, else the conversation read again."""
    return slots_before(view) or _read_again(view.conversation[:-1], view.today, profile)


def _read_again(conversation: Sequence[AnyMessage], today: date, profile: PropertyProfile) -> HotelSlots | None:
    slots: HotelSlots | None = None
    earlier = [str(message.text) for message in conversation if isinstance(message, HumanMessage)]
    for text in latest(earlier[-EARLIER_MESSAGES:], EARLIER_CHARS):
        message = read(text, today=today, profile=profile, asks_name=slots is not None and slots.lacks_name)
        message, before = in_context(message, slots, today=today, profile=profile), slots
        slots = understood(message, before, profile=profile)
        context = Context(message, slots, before)
        _settle(slots, decide(context), context)
        slots.want = _wanted(message, slots)
    return slots


def _wanted(message: ParsedMessage, slots: HotelSlots) -> Want | None:
    """What an earlier message was for, as far as its words alone show."""
    if "cancel" in message.intents:
        return "cancel"
    if "decline" in message.intents:
        return None
    return "book" if "book" in message.intents else slots.want


def _point(
    slots: HotelSlots, message: ParsedMessage, before: HotelSlots | None, view: PlanningView, profile: PropertyProfile
) -> bool:
    """Keep the one stay or room that the guest picks of those offered; true if the pick is none of them."""
    if before is None or message.dates or message.searches or message.topics or not (before.stays or before.searches):
        return False
    pick: Pick | None = message.pick
    of_those = "book" in message.intents or ("cheapest" in message.intents and not message.changes_stay)
    if before.searches and slots.searches and of_those:
        pick = pick if isinstance(pick, int) else 1 if before.searches[0].cheapest else pick
    listed = shown(view.worked_before, view.conversation[:-1], before, today=view.today, profile=profile)
    agrees = pick is None and bool(listed) and _agrees_to_nothing(message, view, before)
    if agrees:
        if len(listed) > 1:
            return True
        pick = 1
    pick = by_price(pick, listed)
    if pick is None or pick == "cheapest" or pick == "dearest":
        _point_by_price(slots, pick, view)
        return False
    if (chosen := picked(listed, pick)) is None:
        return bool(listed)
    if chosen.stay:
        slots.stays, slots.searches, slots.chosen = [chosen.stay], [], bool(before.searches) or slots.chosen
        slots.want = slots.want if slots.want == "book" else None
    if chosen.room and (agrees or not chosen.stay):
        slots.room_types, slots.board = [chosen.room], chosen.board or slots.board
        slots.refundable = slots.refundable if chosen.refundable is None else chosen.refundable
    return False


def _agrees_to_nothing(message: ParsedMessage, view: PlanningView, before: HotelSlots) -> bool:
    """Whether it is a yes, and nothing more, where the stay asked about was not free and only others were offered."""
    says_more = message.changes_stay or message.change or "?" in message.text
    return bool(message.intents & {"accept", "book"}) and not says_more and was_full(view.worked_before, before.stays)


def _point_by_price(slots: HotelSlots, pick: Pick | None, view: PlanningView) -> None:
    """`the cheaper one`: of several stays, or of the rooms offered."""
    if pick and len(slots.stays) > 1:
        if (chosen := _picked(slots.stays, pick, view.worked_before)) is not None:
            slots.stays, slots.want = [chosen], slots.want if slots.want == "book" else None
        return
    offers = choosable(offers_given(view.worked_before, slots.stays) or [], slots.room_types)
    among = [offer for offer in offers if not slots.room_types or offer.room_type in slots.room_types]
    if room := room_meant(pick if pick != "cheapest" or len(slots.room_types) > 1 else None, among):
        slots.room_types = [room]


def _answer_which_room(slots: HotelSlots, message: ParsedMessage, before: HotelSlots, view: PlanningView) -> None:
    """Take a room's name, or part of it, as the room if a booking waits for one; not as a guest's name."""
    offers = offers_given(view.worked_before, slots.stays) or []
    if bare := slots.guest.name if not message.guest.name and slots.guest.name != before.guest.name else None:
        slots.guest.name = before.guest.name if is_room_name(bare, offers) else bare
    is_answer = not (message.topics or message.guest.given or "?" in message.text)
    if is_answer and slots.room_types == before.room_types and (room := room_answered(message.text, offers)):
        slots.room_types = [room]


def _other_language(context: Context) -> NextStep | None:
    """Ask back in another language; a guest's name in other letters, if one was asked for, is fine."""
    text, before = context.message.text, context.before
    names_someone = before is not None and before.want == "book" and len(text.split()) <= MOST_WORDS and "?" not in text
    if names_someone or not context.message.other_language:
        return None
    return NextStep("other_language", "clarify", "neither English nor Hebrew, the only languages read without a model")


def _offers_first(step: NextStep, context: Context) -> NextStep:
    """What a booking under way is changed to, and the rooms while none is chosen, are offered at current prices first."""
    before, is_one = context.before, len(context.slots.stays) == 1
    waits = before is not None and before.want == "book" and is_one
    asks = step.intent == "book" and step.action == "clarify" and context.offers is not None
    chooses = is_one and "room" in missing_to_book(context) and (asks or (step.intent == "unread" and waits))
    if chooses or (asks and waits and _is_changed(context)):
        return NextStep("book", "availability", "the rooms to choose from")
    return step


def _is_changed(context: Context) -> bool:
    """Whether the stay is another than before, not just its room chosen: `add breakfast`."""
    before = context.before
    chosen = before.model_copy(update={"room_types": before.room_types or context.slots.room_types}) if before else None
    return not same_wish(context._replace(before=chosen))


def _settle(slots: HotelSlots, step: NextStep, context: Context) -> None:
    """Store what the step settles: the intent, what is wanted, and whether that persists."""
    slots.intent = step.intent
    if step.action == "hotel_info" and context.before and context.known_stays:
        slots.stays, slots.searches = context.before.stays, context.before.searches  # `is the pool open on Saturday?`
    was_read_back = context.before is not None and context.before.read_back
    slots.unplaced = list(context.message.unplaced) if step.action == "availability" else []
    slots.amends = step.intent == "what_to_change" or (changes_booking(context) and step.action != "book")
    slots.read_back = step.intent == "read_back" or (was_read_back and step.intent not in ("availability", "book"))
    if step.intent == "book" or (step.intent in ASKS_FIRST and "book" in context.intents):
        slots.want = "book"
    elif step.intent in ("cancel", "find"):
        slots.want = None if step.action == step.intent else step.intent  # type: ignore[assignment]
    elif step.intent in ("decline", "kept"):
        slots.want, slots.notes = None, None
    if step.action == "availability" or (step.intent == "book" and not step.again):
        says_another = "another" in context.intents
        slots.stands = (slots.booking.reference or "") if slots.booking.made and not says_another else ""
        slots.booking.made = False


def _picked(stays: Sequence[StaySlot], pick: Pick, before: PastRequest | None) -> StaySlot | None:
    """The stay that a guest picks by price, if prices are known."""
    found = records_of(Availability, before["ledger"]) if before else []
    prices = {stay_ends(each): best.total_agorot for each in found if (best := cheapest(each.ways))}
    choose = max if pick == "dearest" else min
    known = [stay for stay in stays if stay_ends(stay) in prices]
    return choose(known, key=lambda stay: prices[stay_ends(stay)], default=None)
