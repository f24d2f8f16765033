"""Rules for bookings: to make one, to correct it, to look it up, to cancel it, to wait or to drop it."""

import re

from wavegraph.tools.hotel.dialogue.next_step import (
    Context,
    NextStep,
    books_outright,
    missing_to_book,
    new_stay,
    same_wish,
    wants_booking,
)
from wavegraph.tools.hotel.dialogue.pending import ASKED, BOOK, CANCEL, is_spoken_of
from wavegraph.tools.hotel.dialogue.stay_rules import broken_dates, party_limits


def guest_changed(context: Context) -> NextStep | None:
    """`Change the name to …` while a booking is under way: its terms are asked about again with who books now, and a yes
    to the old ones is none any more. Where it is not understood what to change, that is asked."""
    message, slots, before, pending = context.message, context.slots, context.before, context.pending
    if before is None or not message.guest.changes or message.reference:
        return None
    if slots.booking.made and slots.booking.reference:
        return NextStep("modify", "hand_over", "bookings are changed by reception")
    asked = context.asked == BOOK
    may_stand = pending is not None and pending.stands and not asked
    if may_stand or not (asked or before.want == "book"):
        return None
    slots.want, slots.topics = "book", []
    if slots.guest == before.guest or slots.searches or slots.problems:
        return NextStep("change_guest", "clarify", "a change of who books that is not understood")
    if missing := missing_to_book(context):
        return NextStep("book", "clarify", f"missing to book: {', '.join(missing)}")
    return NextStep("book", "book", "the booking for the guest as corrected", again=asked and same_wish(context))


def repeats(context: Context) -> NextStep | None:
    """A yes to what was asked or is done already: the very same write, which the property executes once."""
    pending, message, intents = context.pending, context.message, context.intents
    if (
        pending is None
        or not pending.stands
        or message.topics
        or message.change
        or intents & {"another", "decline", "to_hold"}
    ):
        return None
    if message.doubtful or broken_dates(context) or party_limits(context):
        return None  # impossible guests or dates, or several: not a yes to what was quoted
    if pending.tool == CANCEL:
        again = intents & {"accept", "cancel"} and not message.reference
        return NextStep("cancel", "cancel", "the same cancellation again", again=True) if again else None
    agrees = intents & {"accept", "book"}
    if message.guest.unreadable or (message.guest.name and not context.slots.guest.complete):
        return None  # for another guest, whose details are asked for first
    if pending.state == ASKED and (context.before is None or not is_spoken_of(pending, context.before)):
        return None
    corrected = pending.state == ASKED and message.guest.given
    if intents & {"cancel", "modify", "find"} or not (agrees or corrected) or not same_wish(context):
        return None
    return NextStep("book", "book", "the same booking again: it is made once", again=True)


def stopped(context: Context) -> NextStep | None:
    """`Cancel` while a booking is only being discussed: there is nothing to cancel yet."""
    asked = context.asked == BOOK
    talked = context.before is not None and context.before.want == "book" and not context.slots.booking.reference
    message = context.message
    exists = message.reference or message.dates or message.searches or context.intents & {"find", "modify"}
    other = exists or _OTHER_BOOKING.search(message.text)
    if "cancel" not in context.intents or not (asked or talked) or other or message.topics:
        return None
    if asked and "accept" in context.intents:
        return NextStep("unsure", "reply", "a yes and a no at once")
    return NextStep("decline", _no(context), "the guest drops the booking")


_OTHER_BOOKING = re.compile(
    r"\b(?:other|earlier|previous|first|old|last|existing) (?:booking|reservation|one|room|stay)\b|"
    r"(?<![א-ת])ה?(?:הזמנה|שהות) ה?(?:אחרת|קודמת|ראשונה|ישנה)(?![א-ת])",
    re.IGNORECASE,
)
"""A booking that is not the one asked about."""


def own_bookings(context: Context) -> NextStep | None:
    """An existing booking: shown or cancelled with its number and holder, changed by reception."""
    intent = _about_booking(context)
    if intent is None or (
        intent == "find" and {*context.message.topics} - {"contact"} and not context.slots.booking.reference
    ):
        return None
    booking = context.slots.booking
    if intent == "modify":
        if booking.reference:
            return NextStep(intent, "hand_over", "bookings are changed by reception")
        return NextStep(intent, "refuse", "an existing booking needs its number and the guest's name")
    if not booking.reference:
        return NextStep(intent, "refuse", "an existing booking needs its number and the guest's name")
    if not booking.holder:
        return NextStep(intent, "clarify", "the name on the booking is missing")
    return NextStep(intent, intent, "number and name are given")


def _about_booking(context: Context) -> str | None:
    """`cancel`, `modify` or `find`; None if it is not about an existing booking."""
    message, intents = context.message, context.intents
    asks_terms = "cancellation" in message.topics and not (message.reference or "find" in intents)
    if asks_terms and context.slots.booking.made and _CANCEL_THAT.search(message.text.lower()):
        return "cancel"
    if "cancel" in intents and not asks_terms:
        return "cancel"
    if "modify" in intents:
        return "modify"
    want = context.before.want if context.before else None
    if want in ("cancel", "find") and not (message.stays or message.topics) and _holder_given(context):
        return want
    return "find" if "find" in intents or message.reference else None


_CANCEL_THAT = re.compile(
    r"\b(?:can|could|may) (?:i|we|you) (?:please )?cancel (?:it|that|this|(?:the|my|our) (?:booking|reservation|room|stay))(?: (?:now|please|again))*\W*$|"
    r"(?:אפשר|ניתן|תוכלו|תוכל|תוכלי|אני יכולה?) (?:בבקשה )?(?:לבטל|תבטלו) (?:את (?:זה|ההזמנה|החדר)|אותה)(?: (?:עכשיו|בבקשה))*\W*$"
)
"""`Can I cancel that?`, just after it was booked: its terms are shown, and a yes cancels it."""


def _holder_given(context: Context) -> bool:
    """Whether the message gives a booking's number or holder."""
    before = context.before.booking if context.before else None
    return before is not None and before != context.slots.booking


def status(context: Context) -> NextStep | None:
    """`is it booked?`: the booking made here, or that there is none."""
    message, booking = context.message, context.slots.booking
    asks = "booked" in context.intents or ("details" in context.intents and booking.made)
    if not asks or message.stays or message.reference or not context.before:
        return None
    if booking.made:
        return NextStep("find", "find", "the booking made in this conversation")
    if context.pending and context.pending.may_have_happened:
        return NextStep("unknown", "hand_over", "whether it was booked is not known")
    return NextStep("not_yet", "reply", "nothing is booked yet")


def noted(context: Context) -> NextStep | None:
    """`what did you note?`"""
    if "summary" not in context.intents or not context.slots.stays or context.message.stays:
        return None
    return NextStep("summary", "reply", "what is understood so far")


def kept(context: Context) -> NextStep | None:
    """`No wait, keep it`: a no to its cancellation, or nothing to do."""
    stands = context.slots.booking.made if context.asked is None else context.asked == CANCEL
    keeps = "keep" in context.intents and not context.intents & {"cancel", "later"}
    if not keeps or not stands or _goes_on(context):
        return None
    return NextStep("kept", _no(context), "the booking stays as it is")


def waits(context: Context) -> NextStep | None:
    """`Not yet`: neither a yes nor a no to the booking under way."""
    message, before = context.message, context.before
    under_way = context.pending is not None or (before is not None and before.want == "book")
    goes_on = message.dates or message.searches or message.topics or message.change or message.guest.given
    goes_on = goes_on or not same_wish(context)
    if "hesitates" in context.intents:
        return NextStep(_until_decided(context), "reply", "the guest hesitates")
    if "later" in context.intents and not goes_on:
        said = "thanks" if "thanks" in context.intents else "decline"
        return NextStep(_until_decided(context) if under_way else said, "reply", "the guest will think it over")
    if not under_way or goes_on or "wait" not in context.intents or "to_hold" in context.intents:
        return None
    return NextStep(_until_decided(context), "reply", "the guest is not ready to say yes or no")


def _until_decided(context: Context) -> str:
    """What a guest who hesitates is told: the question itself follows where one waits."""
    before = context.before
    discussed = before is not None and before.want == "book" and before.asks
    return "wait" if discussed and not context.asked else "later"


def declined(context: Context) -> NextStep | None:
    if "decline" not in context.intents or _goes_on(context):
        return None
    if context.asked == CANCEL or context.slots.booking.made:
        return NextStep("kept", _no(context), "the booking stays as it is")
    return NextStep("decline", _no(context), "the guest declines")


def _no(context: Context) -> str:
    """The action of a no: it also answers a booking or cancellation that was asked about."""
    return "decline" if context.asked else "reply"


def _goes_on(context: Context) -> bool:
    """Whether the message says more than a yes, a no or a wish to wait."""
    message = context.message
    more = message.searches or message.topics or message.changes_stay or message.change or message.guest.given
    return bool(message.dates or more)


def books(context: Context) -> NextStep | None:
    """The guest wants to book: ask for what is missing, then quote and book the offer."""
    slots = context.slots
    looked_for = slots.stays or (slots.searches and not context.message.searches)
    missing = missing_to_book(context)
    whole = new_stay(context) and "book" in context.intents and not missing and books_outright(context.message)
    goes_on = (context.message.topics and not whole) or context.message.change or slots.rest or context.lost
    if goes_on or not looked_for or not wants_booking(context):
        return None
    if slots.booking.made and same_wish(context) and "another" not in context.intents:
        return NextStep("find", "find", "it is booked already") if "book" in context.intents else None
    if new_stay(context):
        at_once = not missing and ("book" in context.intents or not context.known_stays)
        return NextStep("book", "book", "the message has everything needed to book") if at_once else None
    if missing:
        return NextStep("book", "clarify", f"missing to book: {', '.join(missing)}")
    return NextStep("book", "book", "stay, room and guest are known")
