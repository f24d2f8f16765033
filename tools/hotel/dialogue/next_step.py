"""What the rules of the dialogue look at, and what they give: the next step."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from wavegraph.tools.hotel.dialogue.pending import ASKED, BOOK, PendingWrite
from wavegraph.tools.hotel.dialogue.slots import GUESTS_AND_ROOMS, HotelSlots, StaySlot
from wavegraph.tools.hotel.reading.intent import read_intents
from wavegraph.tools.hotel.reading.message import ParsedMessage
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.records import Offer
from wavegraph.tools.hotel.results import stay_ends

MAX_ADULTS = 60
MAX_ROOMS = 20
MAX_TOPIC = 80
"""Longest question, in characters, that is looked up as a topic word for word."""
QUESTION = (
    r"(?:who|what|which|where|when|how|is|are|do|does|can|could|may)\b|ו?(?:מי|מה|איפה|מתי|איך|האם|אפשר|יש)(?![א-ת])"
)
_ASKING = rf"(?:(?:and|ok(?:ay)?|so|also|אוקיי|אוקי|טוב|אז)\W+)*(?:{QUESTION}|ו?כמה(?![א-ת]))"
_TO_CHANGE = re.compile(
    r"\b(?:can|could|may|would|will) (?:we|i|you)\b(?: please| just| also| rather)? "
    r"(?:do|make|change|move|switch|shift|take|book|reserve|come|stay|arrive|leave|extend|add|have|get|put|correct|fix|update)\b|"
    r"(?<![א-ת])(?:אפשר|ניתן|תוכלו?|תוכלי) (?:בבקשה )?(?:ל(?:שנות|הזיז|העביר|החליף|הוסיף|עשות|הגיע|בוא|הישאר|הזמין|קבל|עבור|קחת|תקן|עדכן)|עם|בלי|ב-?\d|\d)"
)
"""`Could you make it the 18th?`: a wish in the form of a question."""


class NextStep(NamedTuple):
    """What to do next: the intent and the engine's action, which says whether calls are made."""

    intent: str
    action: str
    """`availability`, `hotel_info`, `holiday`, `rooms`, `book`, `cancel`, `find`, `reply`; `clarify`, `decline` and `refuse` are the engine's."""
    why: str
    again: bool = False
    """Repeat the write of the previous request."""

    @property
    def speaks(self) -> bool:
        """Whether it is answered without calls."""
        return self.action in ("clarify", "decline", "refuse", "reply")


class Context(NamedTuple):
    """What the rules for the next step may look at."""

    message: ParsedMessage
    slots: HotelSlots
    before: HotelSlots | None
    pending: PendingWrite | None = None
    """The booking or cancellation of the previous request."""
    offers: Sequence[Offer] | None = None
    """What was offered for the stay; None = nothing."""
    lost: bool = False
    """The message picks by a number that the last answer did not have."""
    asked_else: bool = False
    """The last answer asked something else than the write that waits."""

    @property
    def intents(self) -> frozenset[str]:
        return self.message.intents

    @property
    def asked(self) -> str | None:
        """The tool of the booking or cancellation that waits for a yes."""
        return self.pending.tool if self.pending and self.pending.state == ASKED else None

    @property
    def known_stays(self) -> bool:
        """Whether stays of an earlier message are still under discussion."""
        return bool(self.before and (self.before.stays or self.before.searches))


def is_question(message: ParsedMessage) -> bool:
    """Whether it is a question by its mark or its first word."""
    text = message.text.strip().lower()
    return text.endswith("?") or bool(re.match(_ASKING, text))


SENTENCES = re.compile(r"(?<=[.?!\n])\s+")


def books_outright(message: ParsedMessage) -> bool:
    """Whether a sentence that asks nothing books: `Book a double … . Is there parking?`."""
    told = " ".join(part for part in SENTENCES.split(message.text) if not part.endswith("?"))
    return "book" in read_intents(fold(told))


def inquires(message: ParsedMessage) -> bool:
    """Whether it asks what is free, what it costs or what the house is like, instead of wishing for it."""
    text = message.text.strip().lower()
    if message.intents & {"price", "compare", "rooms_info"}:
        return True
    if re.match(_ASKING, text):
        return bool(message.topics) or not _TO_CHANGE.search(text)
    return text.endswith("?") and not (message.corrects or "accept" in message.intents)


def changes_booking(context: Context) -> bool:
    """Whether it says of the booking that waits that its stay, guests, room or board are to be others."""
    message, intents = context.message, context.intents
    if context.asked != BOOK or context.asked_else or inquires(message) or intents & {"another", "cancel", "find"}:
        return False
    impossible = context.slots.problems or message.impossible or message.party.no_adults
    return bool(impossible or message.doubtful or "rooms_apart" in intents) or not same_wish(context)


def same_wish(context: Context) -> bool:
    """Whether stay, room and guests are unchanged."""
    now, before = context.slots, context.before
    names = ("searches", "party_adults", "children_ages", "rooms", "board", "refundable")
    if before is None or any(getattr(now, name) != getattr(before, name) for name in names):
        return False
    if [_of_stay(stay) for stay in now.stays] != [_of_stay(stay) for stay in before.stays]:
        return False
    return not context.message.wish.room_types or now.room_types == before.room_types


def _of_stay(stay: StaySlot) -> tuple[Any, ...]:
    return (*stay_ends(stay), stay.adults, stay.children_ages)


def new_stay(context: Context) -> bool:
    """Whether the message names new dates."""
    known = context.before.stays if context.before else []
    ends = {stay_ends(stay) for stay in known}
    return context.message.stays and any(stay_ends(stay) not in ends for stay in context.slots.stays)


def wants_booking(context: Context) -> bool:
    message, intents, before = context.message, context.intents, context.before
    agrees = "accept" in intents and not intents & {"wait", "price", "compare", "rooms_info"}
    if "book" in intents or (agrees and context.known_stays and not message.changes_stay):
        return True
    if context.known_stays and (message.guest.email or message.guest.phone):
        return "?" not in message.text
    wish = message.wish
    asks = intents & {"compare", "rooms_info"} or ("price" in intents and wish.refundable is None)
    if before is None or before.want != "book" or asks or "?" in message.text:
        return False
    details = (
        wish.room_types or wish.board or wish.refundable is not None or message.pick or intents & {"cheapest", "accept"}
    )
    return bool(
        details
        or context.slots.room_types != before.room_types
        or context.slots.guest != before.guest
        or new_stay(context)
        or context.slots.chosen > before.chosen
    )


def as_before(context: Context) -> None:
    """Keep the stays spoken of: dates of the message are no stay."""
    known = context.before or HotelSlots()
    context.slots.stays, context.slots.searches, context.slots.problems = known.stays, known.searches, []


def all_as_before(context: Context) -> None:
    """Keep the stays, the guests and the rooms spoken of: the message names none."""
    as_before(context)
    known = context.before or HotelSlots()
    for name in (*GUESTS_AND_ROOMS, "assumed", "length"):
        setattr(context.slots, name, getattr(known, name))


def missing_to_book(context: Context) -> list[str]:
    """What a booking still needs: `stay`, `room`, `name`, `contact`."""
    slots = context.slots
    checks = {
        "stay": len(slots.stays) == 1,
        "room": _room_settled(context),
        "name": slots.guest.name,
        "contact": slots.guest.email or slots.guest.phone,
    }
    return [name for name, known in checks.items() if not known]


def _room_settled(context: Context) -> bool:
    """Whether it is clear which room: one type, the cheapest, or no choice between types."""
    types = context.slots.room_types
    if len(types) == 1 or (context.slots.chosen and not types):
        return True
    if context.offers is None:
        return False
    return len({offer.room_type for offer in context.offers if not types or offer.room_type in types}) <= 1
