"""Rules for what is said of the question itself that waits for a yes: its terms, its cost, a change, a doubt."""

import re

from wavegraph.tools.hotel.dialogue.next_step import (
    Context,
    NextStep,
    as_before,
    changes_booking,
    inquires,
    missing_to_book,
    same_wish,
)
from wavegraph.tools.hotel.dialogue.pending import BOOK, CANCEL, is_spoken_of
from wavegraph.tools.hotel.reading.topics import TOPICS, read_topics


def shown_again(context: Context) -> NextStep | None:
    """`What exactly would you book?`: the question, which has the terms in it."""
    message, intents = context.message, context.intents
    goes_on = message.dates or message.searches or message.topics or message.changes_stay or message.guest.given
    if not context.asked or goes_on or message.reference or intents & {"lodging", "price", "rooms_info"}:
        return None
    if context.asked == BOOK and "booked" in intents:
        return NextStep("waits", "reply", "nothing is booked yet, and what waits is shown again")
    asks = intents & {"summary", "details", "again"}
    return NextStep("terms", "reply", "what waits for a yes is shown again") if asks else None


def of_the_fee(context: Context) -> NextStep | None:
    """`Is there a fee?`, of the cancellation that waits: its own terms say so."""
    message, text = context.message, context.message.text.lower()
    others = {*read_topics(text)} & TOPICS.keys() - {"cancellation", "payment", "discounts"}
    goes_on = message.dates or message.searches or message.changes_stay or message.guest.given or message.reference
    if context.asked != CANCEL or context.pending is None or not context.pending.terms or others or goes_on:
        return None
    if not (
        _FEE.search(text) or "price" in context.intents or ("cancellation" in message.topics and inquires(message))
    ):
        return None
    context.slots.topics = []
    return NextStep("fee", "reply", "what the cancellation costs")


_FEE = re.compile(
    r"\b(?:fees?|penalt(?:y|ies)|refund\w*|fine|(?:get|money|paid|pay) (?:\w+ ){0,2}back|be charged|charge me|how much|cost\w*|for free|free of charge|(?:is|was) it free|free until)\b|"
    r"דמי ביטול|קנס|החזר|יחזור|תחזירו|לחייב|תחייבו|יחייבו|עלות|כמה|עולה|יעלה|בחינם|ללא תשלום"
)


def of_the_price(context: Context) -> NextStep | None:
    """`How much is it in total?`, of the booking that waits: its terms say so, and no other price is meant."""
    message, pending = context.message, context.pending
    if context.asked != BOOK or context.before is None or pending is None or not pending.terms:
        return None
    other = context.intents & {"compare", "cheapest", "rooms_info", "cancel", "find", "modify", "book", "accept"}
    goes_on = message.dates or message.searches or message.topics or message.changes_stay or message.change
    if "price" not in context.intents or other or goes_on or message.pick or message.guest.given:
        return None
    if not is_spoken_of(pending, context.before):
        return None
    return NextStep("price", "reply", "what the booking that waits costs")


def with_note(context: Context) -> NextStep | None:
    """`Yes, and please note that we arrive late`: the note is in the terms that are asked about next."""
    other = context.intents & {"decline", "cancel", "modify", "find", "complaint"}
    if context.asked != BOOK or not context.message.note or other or changes_booking(context):
        return None
    return NextStep("book", "book", "the booking asked about, with what is to be noted", again=True)


def put_off(context: Context) -> NextStep | None:
    """`Yes, tomorrow`: the day on which the guest will say so, not one of a stay."""
    words = " ".join(re.findall(r"\w+", context.message.text.lower()))
    if not context.asked or not _YES_THEN.fullmatch(words):
        return None
    as_before(context)
    return NextStep("later", "reply", "the guest will say so another day")


_YES_THEN = re.compile(
    r"(?:yes|yeah|ok(?:ay)?|sure|fine|no|כן|בסדר|אוקיי|אוקי|טוב|לא) (?:(?:but|maybe|only|אבל|אולי|רק) )?(?:tomorrow|tonight|today|מחר|היום|הערב)"
)


def changed(context: Context) -> NextStep | None:
    """The booking asked about, otherwise: its new terms are asked about, so that a yes is not to the old ones. Where it is
    not clear yet what to book, that is shown or asked instead."""
    if not changes_booking(context):
        return None
    context.slots.want = "book"
    if len(context.slots.stays) != 1:
        return NextStep("availability", "availability", "the stays to choose from instead of the one asked about")
    if missing := missing_to_book(context):
        return NextStep("book", "clarify", f"missing to book: {', '.join(missing)}")
    return NextStep("book", "book", "the booking asked about, with what the guest changes")


def said_again(context: Context) -> NextStep | None:
    """`For two adults`, as it is asked about already: the same question."""
    message = context.message
    elsewhere = (
        context.asked != BOOK or context.asked_else or inquires(message) or message.topics or message.wish.wishes
    )
    if elsewhere or not (message.changes_stay or message.change) or not same_wish(context):
        return None
    return NextStep("book", "book", "the booking asked about, in other words", again=True)


def refused_part(context: Context) -> NextStep | None:
    """`Not the double`: a no to what the terms have, which says nothing of what they should have."""
    message = context.message
    is_no = "unsure" in context.intents and "?" not in message.text
    if context.asked != BOOK or not is_no or message.topics or not message.changes_stay or not same_wish(context):
        return None
    return NextStep("what_to_change", "clarify", "a no to a part of the terms")


def unsure(context: Context) -> NextStep | None:
    """`No problem`: it only begins like a no, or may mean anything. What waits stays open, and is asked about again."""
    if "unsure" not in context.intents or not context.asked or _WRONG.search(context.message.text.lower()):
        return None
    return NextStep("unsure", "reply", "neither a yes nor a no")


_WRONG = re.compile(
    r"\b(?:wrong|incorrect|mistakes?|not (?:right|correct))\b|(?<![א-ת])(?:לא נכו(?:ן|נה|נים)|טעות|שגוי(?:ה|ים)?)(?![א-ת])"
)
"""Of terms that are to be others: what to change is asked, and the question does not follow as it was."""
